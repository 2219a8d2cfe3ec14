//! Paths that differ.

use std::collections::HashMap;

/// The paths that are taken.
#[derive(Debug, Default)]
pub(super) struct Naming {
    /// For each path in lower case, the number for the next picture of that name.
    taken: HashMap<String, u64>,
}

impl Naming {
    /// Returns a path that was not returned before: the path itself, or the path with a number, such as `a-2.svg`.
    pub(super) fn unique(&mut self, path: String) -> String {
        let key = path.to_lowercase();
        let Some(mut number) = self.taken.get(&key).copied() else {
            self.taken.insert(key, 2);
            return path;
        };
        let (stem, ending) = path.rsplit_once('.').unwrap_or((&path, ""));
        loop {
            let numbered = format!("{stem}-{number}.{ending}");
            number += 1;
            if !self.taken.contains_key(&numbered.to_lowercase()) {
                self.taken.insert(numbered.to_lowercase(), 2);
                self.taken.insert(key, number);
                return numbered;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Naming;

    #[test]
    fn a_path_that_occurs_again_gets_a_number() {
        let mut naming = Naming::default();
        let paths = ["a.svg", "b-2.svg", "a.svg", "A.svg", "b.svg", "b.svg", "a-2.svg", "x.d/a.svg"];
        let unique = paths.map(|path| naming.unique(path.to_owned()));
        assert_eq!(unique, ["a.svg", "b-2.svg", "a-2.svg", "A-3.svg", "b.svg", "b-3.svg", "a-2-2.svg", "x.d/a.svg"]);
    }
}
