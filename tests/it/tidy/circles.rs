//! Imports between the files of a room: which file uses what another defines.

use std::collections::{BTreeMap, BTreeSet};

use super::source::Source;

/// Whose definitions each file uses, by the names of files.
pub(super) type Uses = BTreeMap<String, BTreeSet<String>>;

/// Returns which files of the same room each file uses.
///
/// A file uses another if its code outside tests names something that the other defines. Re-exports are followed to the
/// definition: who names `fen::FenWriter` uses `fen/write.rs` and not `fen.rs`. A file does not use a file of its own folder by
/// declaring it (`mod name;`) or by handing on what it defines (`pub use`).
pub(super) fn uses(sources: &[Source]) -> Uses {
    let imports = sources.iter().map(|source| (source.name.clone(), source.imports())).collect();
    let files = Files { imports };
    let mut uses = Uses::new();
    for source in sources {
        let used = uses.entry(source.name.clone()).or_default();
        // Words alone are local names, or were imported.
        for path in source.paths().into_iter().filter(|path| path.is_import || path.segments.len() > 1) {
            let is_handed_on = path.is_handed_on;
            let path = files.absolute(&source.name, path.segments, path.is_import);
            let file = path.and_then(|path| files.definition(&path, 0));
            let file = file.filter(|file| !(is_handed_on && file.starts_with(&format!("{}/", source.name))));
            used.extend(file.filter(|file| *file != source.name && Source::room_of(file) == source.room()));
        }
    }
    uses
}

struct Files {
    /// What each file imports under which name.
    imports: BTreeMap<String, BTreeMap<String, Vec<String>>>,
}

impl Files {
    /// Returns a path of the crate from its root, without `crate`; `None` for a path of another crate or a local name.
    fn absolute(&self, file: &str, path: Vec<String>, is_import: bool) -> Option<Vec<String>> {
        let here = || file.split('/').map(str::to_owned).collect::<Vec<_>>();
        let mut path = path;
        match path[0].as_str() {
            "crate" => return Some(path.split_off(1)),
            "self" => return Some([here(), path.split_off(1)].concat()),
            "super" => {
                let up = path.iter().take_while(|segment| *segment == "super").count();
                let here = here();
                let parent = here[..here.len().saturating_sub(up)].to_vec();
                return Some([parent, path.split_off(up)].concat());
            }
            _ => {}
        }
        let child = [here(), path.clone()].concat();
        if self.imports.contains_key(&child[..=here().len()].join("/")) && (path.len() > 1 || is_import) {
            return Some(child);
        }
        // A name that was imported is followed; the import itself is seen where it stands.
        let imported = self.imports.get(file)?.get(&path[0]).filter(|imported| !is_import && imported[0] == "crate")?;
        Some([imported[1..].to_vec(), path.split_off(1)].concat())
    }

    /// Returns the file that defines what a path from the root names.
    fn definition(&self, path: &[String], depth: usize) -> Option<String> {
        let modules = (1..=path.len()).rev().find(|end| self.imports.contains_key(&path[..*end].join("/")))?;
        let file = path[..modules].join("/");
        let imported = path.get(modules).and_then(|name| self.imports[&file].get(name));
        match imported {
            Some(imported) if depth < 8 => {
                let rest = path[modules + 1..].to_vec();
                let target = self.absolute(&file, imported.clone(), true)?;
                self.definition(&[target, rest].concat(), depth + 1)
            }
            _ => Some(file),
        }
    }
}

/// Returns the groups of files that use one another in a circle.
pub(super) fn circles(uses: &Uses) -> Vec<BTreeSet<String>> {
    let reach = |start: &String| {
        let mut reached = BTreeSet::new();
        let mut open = vec![start];
        while let Some(next) = open.pop().and_then(|file| uses.get(file)) {
            open.extend(next.iter().filter(|file| reached.insert((*file).clone())));
        }
        reached
    };
    let reached: BTreeMap<&String, BTreeSet<String>> = uses.keys().map(|file| (file, reach(file))).collect();
    let circle = |file: &String| {
        reached[file].iter().filter(|other| reached[other].contains(file)).cloned().collect::<BTreeSet<_>>()
    };
    let circles: BTreeSet<BTreeSet<String>> = uses.keys().map(circle).filter(|circle| circle.len() > 1).collect();
    circles.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::{circles, uses};
    use crate::tidy::source::Source;

    #[track_caller]
    fn check(files: &[(&str, &str)], expected: &[&[&str]]) {
        let sources: Vec<Source> = files.iter().map(|(name, text)| Source::new((*name).to_owned(), text)).collect();
        let found: Vec<Vec<String>> =
            circles(&uses(&sources)).into_iter().map(|circle| circle.into_iter().collect()).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn two_files_that_use_each_other_are_a_circle() {
        check(&[("a", ""), ("a/b", "use crate::a::c::C;"), ("a/c", "fn f() { crate::a::b::g() }")], &[&["a/b", "a/c"]]);
        check(
            &[("a", ""), ("a/b", "use super::c::C;"), ("a/c", "use crate::a::b; fn f() { b::g() }")],
            &[&["a/b", "a/c"]],
        );
        check(
            &[("a", ""), ("a/b", "use crate::a::c::C;"), ("a/c", "#[cfg(test)] mod tests { use crate::a::b::B; }")],
            &[],
        );
    }

    #[test]
    fn what_a_parent_hands_on_is_not_its_own() {
        let parent = "mod b; mod c; pub use crate::a::b::B; pub use crate::a::c::C;";
        check(&[("a", parent), ("a/b", ""), ("a/c", "use crate::a::B;")], &[]);
        check(&[("a", parent), ("a/b", "use crate::a::C;"), ("a/c", "use crate::a::B;")], &[&["a/b", "a/c"]]);
    }

    #[test]
    fn a_parent_whose_own_items_its_children_use_must_not_use_them() {
        let parent = |uses: &str| format!("mod b; struct Own; {uses}");
        check(&[("a", &parent("")), ("a/b", "use crate::a::Own;")], &[]);
        check(&[("a", &parent("fn f() { b::g() }")), ("a/b", "use crate::a::Own;")], &[&["a", "a/b"]]);
        check(&[("a", &parent("use b::B;")), ("a/b", "use super::Own;")], &[&["a", "a/b"]]);
        check(&[("a", &parent("pub(crate) use crate::a::b::{B};")), ("a/b", "use super::Own;")], &[]);
    }
}
