//! The files of a database, which lie in one folder and differ in their endings.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the path of a file of the same database with another ending, in upper or lower case. The error is the name
/// of the file that is missing.
pub(crate) fn companion(index: &Path, ending: &str) -> Result<PathBuf, String> {
    let path = index.with_extension(ending);
    if path.is_file() {
        return Ok(path);
    }
    let folder = index.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let is_same = |other: &Path| {
        other.file_stem() == index.file_stem()
            && other.extension().is_some_and(|other| other.eq_ignore_ascii_case(ending))
            && other.is_file()
    };
    let others = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    others.filter(|other| is_same(other)).min().ok_or_else(|| name(&path))
}

/// Returns the paths of the files of the same database with these endings, without those that are missing.
pub(crate) fn companions(index: &Path, endings: &[&str]) -> Vec<PathBuf> {
    endings.iter().filter_map(|ending| companion(index, ending).ok()).collect()
}

/// Returns the name of a file without its folder.
pub(crate) fn name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
