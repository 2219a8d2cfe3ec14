//! The files of a folder that are served under `/site/`.
//!
//! They are read when the server starts, so that a request never names a file on the disk.

use std::fs;
use std::path::Path;

use axum::body::Bytes;

use crate::message::ServeError;

/// The file without which a folder is not a site.
const INDEX: &str = "index.html";

/// A file of the folder: its name, its type and its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FolderFile {
    pub(super) name: String,
    pub(super) kind: &'static str,
    pub(super) content: Bytes,
}

impl FolderFile {
    /// Whether this is the page that is shown for the folder itself.
    pub(super) fn is_index(&self) -> bool {
        self.name == INDEX
    }
}

/// Reads the plain files directly in a folder. Folders, links, hidden files, and names with characters other than ASCII
/// letters, digits, `.`, `-` and `_` are left out.
///
/// # Errors
///
/// Fails if the folder or a file cannot be read, or if there is no `index.html`.
pub(super) fn read(folder: &Path) -> Result<Vec<FolderFile>, ServeError> {
    let failed = |path: &Path, error| ServeError::Site(path.to_owned(), Some(error));
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| failed(folder, error))? {
        let entry = entry.map_err(|error| failed(folder, error))?;
        let path = entry.path();
        let is_plain = entry.file_type().map_err(|error| failed(&path, error))?.is_file();
        let Some(name) = entry.file_name().to_str().filter(|name| is_plain && is_served(name)).map(str::to_owned)
        else {
            continue;
        };
        let content = fs::read(&path).map_err(|error| failed(&path, error))?.into();
        files.push(FolderFile { kind: kind(&name), name, content });
    }
    if !files.iter().any(FolderFile::is_index) {
        return Err(ServeError::Site(folder.to_owned(), None));
    }
    Ok(files)
}

fn is_served(name: &str) -> bool {
    !name.starts_with('.') && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(&byte))
}

/// Returns the type of a file by the ending of its name.
fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "pgn" => "application/x-chess-pgn; charset=utf-8",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::{is_served, kind};

    #[test]
    fn hidden_files_and_odd_names_are_not_served() {
        for (name, expected) in [
            ("index.html", true),
            ("pgn2fen-full.wasm", true),
            ("site_2.js", true),
            (".htaccess", false),
            ("a b.html", false),
            ("{x}", false),
            ("é.css", false),
        ] {
            assert_eq!(is_served(name), expected, "{name}");
        }
    }

    #[test]
    fn the_type_follows_from_the_ending() {
        for (name, expected) in [
            ("index.html", "text/html; charset=utf-8"),
            ("site.js", "text/javascript; charset=utf-8"),
            ("pgn2fen.wasm", "application/wasm"),
            ("LICENSE", "application/octet-stream"),
        ] {
            assert_eq!(kind(name), expected, "{name}");
        }
    }
}
