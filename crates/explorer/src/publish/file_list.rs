//! The list of all files of a site, with their lengths and checksums: `files.json`.

use std::fs;
use std::path::{Component, Path};

use crate::publish::compressed::checksum;
use crate::publish::error::PublishError;
use pgn2fen_games::messages::{plain, shown};
use serde_json::{Value, json};

/// The name of the list. It is the only file that is not in it.
pub(super) const NAME: &str = "files.json";

/// A file of a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ListedFile {
    /// The path in the site, with slashes.
    pub(super) path: String,
    /// The length in bytes.
    pub(super) bytes: u64,
    /// The CRC-32 in hexadecimal digits.
    pub(super) crc32: String,
}

/// The files that have been written.
#[derive(Debug, Default)]
pub(super) struct FileList(Vec<ListedFile>);

impl FileList {
    /// Writes a file, whose folder must exist, and lists it.
    pub(super) fn write(&mut self, site: &Path, path: &str, content: &[u8]) -> Result<(), PublishError> {
        let file = site.join(path);
        fs::write(&file, content).map_err(PublishError::file(&file))?;
        self.add(path, content.len() as u64, checksum(content));
        Ok(())
    }

    /// Lists a file that was written.
    pub(super) fn add(&mut self, path: &str, bytes: u64, crc32: String) {
        self.0.push(ListedFile { path: path.to_owned(), bytes, crc32 });
    }

    pub(super) fn has(&self, path: &str) -> bool {
        self.0.iter().any(|file| file.path == path)
    }

    pub(super) fn count(&self) -> u64 {
        self.0.len() as u64
    }

    /// Returns the size of all files in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.0.iter().map(|file| file.bytes).sum()
    }

    /// Writes the list. Returns its size in bytes.
    pub(super) fn finish(self, site: &Path) -> Result<u64, PublishError> {
        let mut files = self.0;
        files.sort_by(|one, other| one.path.cmp(&other.path));
        let lines: Vec<String> =
            files.iter().map(|file| json!([file.path, file.bytes, file.crc32]).to_string()).collect();
        let text = format!("{{\"format\":{},\"files\":[\n{}\n]}}\n", super::FORMAT, lines.join(",\n"));
        let path = site.join(NAME);
        fs::write(&path, &text).map_err(PublishError::file(&path))?;
        Ok(text.len() as u64)
    }
}

/// The greatest size of a list that is read, in bytes. It is that of a site with two million files.
const MOST_BYTES: u64 = 256 << 20;

/// Reads the list of a site. None if there is none, or if it is damaged.
///
/// # Errors
///
/// Refuses a list with a path that leads out of the folder or does not have the plain form that [`FileList`] writes.
pub(super) fn read(site: &Path) -> Result<Option<Vec<ListedFile>>, PublishError> {
    let path = site.join(NAME);
    let is_list = fs::symlink_metadata(&path).is_ok_and(|found| found.is_file() && found.len() <= MOST_BYTES);
    let Some(files) = is_list.then(|| parse(&fs::read(&path).ok()?)).flatten() else {
        return Ok(None);
    };
    match files.iter().find(|file| !is_plain_path(&file.path)) {
        None => Ok(Some(files)),
        Some(file) => Err(PublishError::Refused(format!(
            "{}: {NAME} names '{}', which is not the path of a file in this folder; this is not a site that \
             `pgn2fen site` wrote",
            shown(site),
            plain(&file.path)
        ))),
    }
}

fn parse(text: &[u8]) -> Option<Vec<ListedFile>> {
    let list: Value = serde_json::from_slice(text).ok()?;
    let file = |entry: &Value| {
        let (path, bytes, crc32) = (entry[0].as_str()?, entry[1].as_u64()?, entry[2].as_str()?);
        Some(ListedFile { path: path.to_owned(), bytes, crc32: crc32.to_owned() })
    };
    list["files"].as_array()?.iter().map(file).collect()
}

/// Whether a path consists of names with slashes between them, and so stays in the folder that it is joined to.
fn is_plain_path(path: &str) -> bool {
    let is_name = |name: &str| !matches!(name, "" | "." | "..") && !name.contains(['\\', '\0']);
    // A system may have paths of other forms, such as `C:name`.
    let has_names_only = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    path.split('/').all(is_name) && has_names_only
}

#[cfg(test)]
mod tests {
    use super::is_plain_path;

    #[test]
    fn a_path_in_a_list_stays_in_the_folder() {
        for path in ["index.html", "own/index.html", "data/a-1f/positions/001/1234.bin", "data/ä b/..x", ".a", "a..b/c"]
        {
            assert!(is_plain_path(path), "{path}");
        }
        let bad = [
            "",
            "/",
            "/dev/zero",
            "/etc/passwd",
            "..",
            "../x",
            "a/../../x",
            "a/..",
            ".",
            "./a",
            "a/./b",
            "a//b",
            "a/",
            "a\\..\\b",
            "..\\x",
            "\\\\host\\share",
            "a\0b",
        ];
        bad.iter().for_each(|path| assert!(!is_plain_path(path), "{path}"));
    }
}
