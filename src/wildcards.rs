//! Wildcards in the names of input files. The shells of Windows pass them on to the program; other shells replace them.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use pgn2fen_files::{Found, Pattern};
use pgn2fen_games::database::remote;

/// Replaces names with wildcards by the files that match, in alphabetical order, if the shells of this system do not do
/// so.
pub(crate) fn expanded(files: &[PathBuf]) -> Vec<Found> {
    files.iter().flat_map(|file| if cfg!(windows) { expand(file) } else { vec![(file.clone(), Ok(()))] }).collect()
}

/// Returns the files that a name with `*` or `?` stands for; an error if there are none. A name without these
/// characters stands for itself.
fn expand(pattern: &Path) -> Vec<Found> {
    if remote::address(pattern).is_some() || !pattern.components().any(|part| has_wildcards(&part)) {
        return vec![(pattern.to_owned(), Ok(()))];
    }
    let mut paths = vec![PathBuf::new()];
    for part in pattern.components() {
        if has_wildcards(&part) {
            let part = part.as_os_str().to_string_lossy();
            paths = paths.iter().flat_map(|folder| matching(folder, &part)).collect();
        } else {
            paths.iter_mut().for_each(|path| path.push(part));
        }
    }
    paths.retain(|path| path.exists());
    if paths.is_empty() {
        return vec![(pattern.to_owned(), Err(io::Error::new(io::ErrorKind::NotFound, "no file matches the pattern")))];
    }
    paths.into_iter().map(|path| (path, Ok(()))).collect()
}

/// Whether a part of a path has wildcards. The prefix `\\?\` of a path has none.
fn has_wildcards(part: &Component<'_>) -> bool {
    matches!(part, Component::Normal(name) if name.as_encoded_bytes().iter().any(|byte| b"*?".contains(byte)))
}

/// Returns the files and folders in a folder whose names match. Hidden ones do not, unless the pattern begins with a
/// period.
fn matching(folder: &Path, pattern: &str) -> Vec<PathBuf> {
    let shown = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let names = fs::read_dir(shown).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.file_name()));
    let (is_of_hidden, pattern) = (pattern.starts_with('.'), Pattern::new(&pattern.to_lowercase()));
    let mut names: Vec<_> = names
        .map(|name| (name.to_string_lossy().to_lowercase(), name))
        .filter(|(lower, _)| !lower.starts_with('.') || is_of_hidden)
        .filter(|(lower, _)| pattern.matches(lower))
        .collect();
    names.sort();
    names.into_iter().map(|(_, name)| folder.join(name)).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::expand;

    #[test]
    fn patterns_stand_for_the_files_that_match() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("b/deep")).unwrap();
        for name in ["B.pgn", "a.PGN", ".c.pgn", "a.txt", "b/d.pgn"] {
            fs::write(folder.path().join(name), "1. e4 *").unwrap();
        }
        let check = |pattern: &str, expected: &[&str]| {
            let found: Vec<_> = expand(&folder.path().join(pattern)).into_iter().map(|(path, _)| path).collect();
            let expected: Vec<_> = expected.iter().map(|name| folder.path().join(name)).collect();
            assert_eq!(found, expected, "{pattern}");
        };
        check("*.pgn", &["a.PGN", "B.pgn"]);
        check("?/d.*", &["b/d.pgn"]);
        check("*/none/d.pgn", &["*/none/d.pgn"]);
        check("none.pgn", &["none.pgn"]);
        check(".*", &[".c.pgn"]);
        assert!(expand(&folder.path().join("*.fen"))[0].1.is_err());
        assert!(expand(&folder.path().join("none.pgn"))[0].1.is_ok());
    }
}
