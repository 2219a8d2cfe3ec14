//! The search for files whose names match a pattern, for shells that do not expand patterns and for patterns in quotes.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::pattern::Pattern;

/// Returns the files that match a pattern, in alphabetical order. None if the path has no wildcard, or is that of a
/// file. Hidden files and folders match only if the pattern names the dot.
pub(super) fn matching(path: &Path) -> Option<io::Result<Vec<PathBuf>>> {
    let text = path.to_str()?;
    let first = text.find(['*', '?'])?;
    if path.symlink_metadata().is_ok() {
        return None;
    }
    let is_slash = |char: char| char == '/' || std::path::is_separator(char);
    let (folder, rest) = text.split_at(text[..first].rfind(is_slash).map_or(0, |slash| slash + 1));
    let rest = rest.replace(is_slash, "/");
    let depth = if rest.contains("**") { usize::MAX } else { rest.matches('/').count() };
    let search =
        Search { pattern: Pattern::new(&rest), has_hidden: rest.starts_with('.') || rest.contains("/."), depth };
    let mut files = search.run(Path::new(folder));
    files.sort();
    Some(match files.is_empty() {
        true => Err(io::Error::new(io::ErrorKind::NotFound, "no file matches the pattern")),
        false => Ok(files),
    })
}

struct Search {
    pattern: Pattern,
    has_hidden: bool,
    /// The number of folders within each other that are looked into.
    depth: usize,
}

impl Search {
    /// Returns the files in a folder, which is the current one if it is empty.
    fn run(&self, folder: &Path) -> Vec<PathBuf> {
        let mut files = Vec::new();
        // Folders, their names behind the first one, each with a slash, and how deep they are.
        let mut waiting = vec![(folder.to_owned(), String::new(), 0)];
        while let Some((at, inner, depth)) = waiting.pop() {
            let shown = if at.as_os_str().is_empty() { Path::new(".") } else { &at };
            let Ok(entries) = fs::read_dir(shown) else { continue };
            for entry in entries.flatten() {
                // In a name that is not UTF-8, one character stands for what cannot be read.
                let name = entry.file_name();
                let path = at.join(&name);
                let name = name.to_string_lossy();
                if name.starts_with('.') && !self.has_hidden {
                    continue;
                }
                let name = format!("{inner}{name}");
                let Ok(kind) = entry.file_type() else { continue };
                // Links may lead back to a folder, without an end.
                let is_entered =
                    kind.is_dir() || kind.is_symlink() && self.depth != usize::MAX && entry.path().is_dir();
                if is_entered {
                    if depth < self.depth {
                        waiting.push((path, name + "/", depth + 1));
                    }
                } else if self.pattern.matches(&name) {
                    files.push(path);
                }
            }
        }
        files
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::matching;

    #[test]
    fn patterns_stand_for_the_files_that_match() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("a/b")).unwrap();
        for name in ["2.json", "1.json", "x.pgn", ".hidden.json", "a/3.json", "a/b/4.json", "odd*.json"] {
            fs::write(at(name), "").unwrap();
        }
        let check = |pattern: &str, expected: &[&str]| {
            let found = matching(&at(pattern)).map(Result::unwrap_or_default);
            let expected: Vec<_> = expected.iter().map(|name| at(name)).collect();
            assert_eq!(found, Some(expected), "{pattern}");
        };
        check("*.json", &["1.json", "2.json", "odd*.json"]);
        check("?.json", &["1.json", "2.json"]);
        check("*/*.json", &["a/3.json"]);
        check("**.json", &["1.json", "2.json", "a/3.json", "a/b/4.json", "odd*.json"]);
        check(".*.json", &[".hidden.json"]);
        check("*.csv", &[]);
        #[cfg(target_os = "linux")]
        {
            use std::os::unix::ffi::OsStrExt;

            let name = std::ffi::OsStr::from_bytes(b"b\xff.txt");
            fs::write(folder.path().join(name), "").unwrap();
            assert_eq!(matching(&at("b*.txt")).unwrap().unwrap(), [folder.path().join(name)]);
        }
        // A file may have the name of a pattern.
        assert!(matching(&at("odd*.json")).is_none() && matching(&at("x.pgn")).is_none());
    }
}
