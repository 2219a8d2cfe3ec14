//! Rules of the sources that neither Cargo nor clippy checks. Cargo keeps the order of the crates: a crate can use only
//! those that its manifest names.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::laws::files_below;

/// The longest line of Rust, documentation included, in columns.
const LONGEST_LINE: usize = 120;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The most lines of code in a crate, in per cent of those of all crates and of the command.
const MOST_OF_A_CRATE: usize = 20;

/// The Rust sources in these folders, with their paths from the root.
fn sources(folders: &[&str]) -> Vec<(PathBuf, String)> {
    let paths = folders.iter().flat_map(|folder| files_below(&root().join(folder)));
    let rust = paths.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let sources: Vec<_> =
        rust.map(|path| (path.strip_prefix(root()).unwrap().to_owned(), fs::read_to_string(&path).unwrap())).collect();
    assert!(sources.len() > 50, "{folders:?}");
    sources
}

#[test]
fn lines_have_at_most_120_columns() {
    for (path, text) in sources(&["src", "crates", "tests", "benches", "fuzz/src", "python/src", "duckdb/src"]) {
        for (number, line) in (1..).zip(text.lines()) {
            assert!(line.chars().count() <= LONGEST_LINE, "{}:{number} is too long", path.display());
        }
    }
}

/// The maps in the documentation of modules, under "Inside", name the files that there are.
#[test]
fn every_name_of_a_map_is_a_module() {
    let mut names = 0;
    for (path, text) in sources(&["src", "crates"]) {
        let Some((_, map)) = text.split_once("//! # Inside\n") else { continue };
        let folder = match path.file_name().and_then(|name| name.to_str()) {
            Some("lib.rs") => path.parent().unwrap().to_owned(),
            _ => path.with_extension(""),
        };
        let lines = map.lines().take_while(|line| line.starts_with("//!"));
        for entry in lines.filter_map(|line| line.strip_prefix("//! - `")) {
            // The names stand before the colon, with commas.
            let entry = entry.split_once(": ").map_or(entry, |(names, _)| names);
            for name in entry.split("`, `").map(|name| name.trim_end_matches('`')) {
                let module = root().join(&folder).join(name);
                assert!(module.with_extension("rs").exists() || module.is_dir(), "{}: {name}", path.display());
                names += 1;
            }
        }
    }
    assert!(names > 300, "{names}");
}

#[test]
fn the_library_reads_no_environment() {
    let reads = |(path, text): (PathBuf, String)| {
        // Tests and examples may.
        if path.ends_with("tests.rs") || path.components().any(|part| part.as_os_str() == "tests") {
            return None;
        }
        let code = text.split("#[cfg(test)]").next().unwrap();
        let mut code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        code.any(|line| line.contains("std::env") || line.contains("env::var")).then_some(path)
    };
    let reads: Vec<PathBuf> = sources(&["crates"]).into_iter().filter_map(reads).collect();
    // Credentials for object stores stand nowhere else. Only programs link this crate.
    assert_eq!(reads, [PathBuf::from("crates/remote/src/settings.rs")]);
}

/// `unsafe_code` is denied; these files are excepted from it.
#[test]
fn unsafe_code_only_maps_files() {
    let excepted = |(path, text): (PathBuf, String)| text.contains("unsafe_code").then_some(path);
    let excepted: Vec<PathBuf> = sources(&["src", "crates"]).into_iter().filter_map(excepted).collect();
    assert_eq!(excepted, [PathBuf::from("crates/bytes/src/map.rs")]);
}

/// The extension for DuckDB calls a C API in one module. The package of the crate does not have it.
#[test]
fn unsafe_code_of_the_extension_is_in_its_door() {
    let rust = files_below(&root().join("duckdb/src")).into_iter();
    for path in rust.filter(|path| path.extension().is_some_and(|extension| extension == "rs")) {
        let name = path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
        if !name.starts_with("duckdb/src/door") {
            let text = fs::read_to_string(&path).unwrap();
            let mut code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            assert!(!code.any(|line| line.contains("unsafe")), "{name}");
        }
    }
}

#[test]
fn every_invariant_names_a_test_that_exists() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let section = text.split("\n## Invariants").nth(1).unwrap().split("\n## ").next().unwrap();
    let everything: String = sources(&["tests/it", "crates", "src"]).into_iter().map(|(_, text)| text).collect();
    let is_numbered = |paragraph: &&str| paragraph.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let invariants: Vec<&str> = section.split("\n\n").filter(is_numbered).collect();
    assert!(invariants.len() >= 9);
    for paragraph in invariants {
        let tests: Vec<&str> = paragraph.split('`').skip(1).step_by(2).filter(|name| name.contains('_')).collect();
        assert!(!tests.is_empty(), "no test named in: {paragraph}");
        for name in tests {
            // A test of proptest has parameters, and stands in a macro.
            let is_test = ["", "    ", "        "]
                .iter()
                .any(|indent| everything.contains(&format!("#[test]\n{indent}fn {name}(")));
            assert!(is_test, "there is no test {name}");
        }
    }
}

/// The code of a source without its tests.
fn code(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod ").next().unwrap()
}

#[test]
fn no_crate_has_a_fifth_of_the_code() {
    let mut lines: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for (path, text) in sources(&["crates", "src"]) {
        let is_code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
        let names: PathBuf = path.components().take(if path.starts_with("crates") { 2 } else { 1 }).collect();
        *lines.entry(names).or_default() += code(&text).lines().filter(is_code).count();
    }
    let all: usize = lines.values().sum();
    for (name, lines) in lines {
        assert!(lines * 100 <= all * MOST_OF_A_CRATE, "{} has {lines} of {all} lines", name.display());
    }
}

/// A module of a crate, by its path from the root: empty for the root.
type Module = Vec<String>;

/// The sources of a crate by their modules.
fn modules(folder: &str) -> BTreeMap<Module, String> {
    let module = |path: &Path| {
        let path = path.strip_prefix(folder).unwrap().with_extension("");
        let names = path.components().map(|name| name.as_os_str().to_str().unwrap().to_owned());
        names.filter(|name| !["lib", "main"].contains(&&**name)).collect()
    };
    let files =
        files_below(&root().join(folder)).into_iter().filter(|path| path.extension().is_some_and(|it| it == "rs"));
    files.map(|path| (module(path.strip_prefix(root()).unwrap()), fs::read_to_string(&path).unwrap())).collect()
}

/// Returns the paths in the crate that a source imports, and whether it exports them again.
fn imports(module: &[String], text: &str) -> Vec<(bool, Vec<String>)> {
    let mut found = Vec::new();
    for statement in code(text).split(';') {
        let lines = statement.lines().skip_while(|line| !line.starts_with("use ") && !line.starts_with("pub"));
        let statement: String = lines.collect::<Vec<_>>().join(" ");
        let (is_public, used) = match statement.split_once("use ") {
            Some(("", used)) => (false, used),
            Some((before, used)) if before.starts_with("pub") => (true, used),
            _ => continue,
        };
        let used: String = used.chars().filter(|char| !char.is_whitespace()).collect();
        let (base, used) = match (used.strip_prefix("crate::"), used.strip_prefix("super::")) {
            (Some(used), _) => (&[][..], used),
            (_, Some(used)) => (&module[..module.len().saturating_sub(1)], used),
            _ => continue,
        };
        expand(base, used, &mut |path| found.push((is_public, path)));
    }
    found
}

/// Calls `take` for each path of an import, which may have braces.
fn expand(base: &[String], used: &str, take: &mut dyn FnMut(Vec<String>)) {
    let path = |names: &str| [base, &names.split("::").map(str::to_owned).collect::<Vec<_>>()].concat();
    let Some((before, list)) = used.split_once('{') else {
        take(path(used));
        return;
    };
    let base = path(before.trim_end_matches("::"));
    let base: Vec<String> = base.into_iter().filter(|name| !name.is_empty()).collect();
    let (mut depth, mut from) = (0, 0);
    let list = list.strip_suffix('}').unwrap();
    for (at, char) in list.char_indices().chain([(list.len(), ',')]) {
        match char {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                if at > from {
                    expand(&base, &list[from..at], take);
                }
                from = at + 1;
            }
            _ => {}
        }
    }
}

/// Returns the modules that each module imports. A name that is exported again counts as an import from the module that
/// has it. A module and those below it are one thing, seen from outside, and do not count as imports of each other.
fn imported(modules: &BTreeMap<Module, String>) -> BTreeMap<&Module, BTreeSet<&Module>> {
    let mut exported: BTreeMap<(&[String], String), Vec<String>> = BTreeMap::new();
    for (module, text) in modules {
        for (_, path) in imports(module, text).into_iter().filter(|(is_public, _)| *is_public) {
            exported.insert((module, path.last().unwrap().clone()), path);
        }
    }
    let owner = |path: &[String]| {
        let mut path = path.to_vec();
        for _ in 0..8 {
            let length = (0..=path.len()).rev().find(|length| modules.contains_key(&path[..*length])).unwrap();
            let name = path.get(length).cloned();
            match name.and_then(|name| exported.get(&(&path[..length], name))) {
                Some(further) if *further != path => path = further.clone(),
                _ => return modules.get_key_value(&path[..length]).unwrap().0,
            }
        }
        panic!("{path:?} is exported in a circle")
    };
    let edges = modules.iter().map(|(module, text)| {
        let uses = imports(module, text).into_iter().filter(|(is_public, _)| !is_public);
        let others =
            uses.map(|(_, path)| owner(&path)).filter(|other| !other.starts_with(module) && !module.starts_with(other));
        (module, others.collect())
    });
    edges.collect()
}

/// Returns the modules that import one another in circles: those that stay when all that import none of them are taken
/// away, and all that none of them imports.
fn in_circles(modules: &BTreeMap<Module, String>) -> BTreeSet<String> {
    let mut edges = imported(modules);
    loop {
        let left: BTreeSet<&Module> = edges.keys().copied().collect();
        let reached: BTreeSet<&Module> = edges.values().flatten().copied().collect();
        edges.retain(|module, others| !others.is_disjoint(&left) && reached.contains(module));
        if edges.len() == left.len() {
            return left.into_iter().map(|module| module.join("/")).collect();
        }
    }
}

/// The files that still depend on one another in circles. Nothing may be added.
const KNOWN_CIRCLES: &[(&str, &[&str])] = &[("src", &["command", "positions", "resume"])];

#[test]
fn no_files_depend_on_one_another_in_a_circle() {
    let crates = fs::read_dir(root().join("crates")).unwrap();
    let crates = crates.map(|entry| format!("crates/{}/src", entry.unwrap().file_name().to_str().unwrap()));
    let others = ["src", "fuzz/src", "python/src", "duckdb/src", "js/src"].map(str::to_owned);
    let mut count = 0;
    for folder in crates.chain(others) {
        let modules = modules(&folder);
        count += imported(&modules).values().map(BTreeSet::len).sum::<usize>();
        let known = KNOWN_CIRCLES.iter().filter(|(crate_folder, _)| *crate_folder == folder);
        let known: BTreeSet<String> = known.flat_map(|(_, files)| files.iter().map(ToString::to_string)).collect();
        assert_eq!(in_circles(&modules), known, "{folder}");
    }
    assert!(count > 1000, "{count} imports");
}

#[test]
fn a_circle_is_found_through_names_that_are_exported_again() {
    let modules: BTreeMap<Module, String> = [
        ("", "mod a;\nmod b;\nmod c;\npub use crate::b::{B, C as D};\n"),
        ("a", "use crate::B;\n"),
        ("b", "use std::fmt;\n\nuse crate::c::{\n    self, C,\n};\npub(crate) use crate::b::inner::Inner;\n"),
        ("b/inner", "use super::B;\n"),
        ("c", "use crate::a;\n\n#[cfg(test)]\nmod tests {\n}\n"),
        ("d", "use crate::{c, b::B};\n"),
    ]
    .map(|(path, text)| (path.split('/').filter(|name| !name.is_empty()).map(str::to_owned).collect(), text.to_owned()))
    .into();
    assert_eq!(in_circles(&modules), ["a", "b", "c"].map(str::to_owned).into());
}
