//! The files beside outputs that get their names together, by which a later run knows how far a killed one came.
//!
//! Such outputs are a group with random letters and digits (ID). The files are:
//!
//! - `.pgn2fen-done-ID-…`, an output that is complete and waits for the others
//! - `.pgn2fen-group-ID`, a list in each folder of the group. That of the first folder is locked until the run ends
//! - `.pgn2fen-commit-ID`, the list of the first folder once all outputs are complete. From then on, they get their
//!   names, now or in a later run
//!
//! A list has only names of files in its own folder. So a list that somebody has put into a folder cannot touch files
//! elsewhere.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The beginning of the names of all temporary files.
pub(super) const PREFIX: &str = ".pgn2fen-";

/// The beginning of the names of files that are being written, and are locked.
pub(super) const OPEN: &str = ".pgn2fen-open-";

/// The beginning of the names of files that are complete and closed, and wait for others. They are not locked.
pub(super) const DONE: &str = ".pgn2fen-done-";

/// The beginning of the names of lists.
pub(super) const GROUP: &str = ".pgn2fen-group-";

/// The beginning of the name of the list of the first folder, when all outputs are complete.
pub(super) const COMMIT: &str = ".pgn2fen-commit-";

/// The number of random letters and digits of a group.
pub(super) const ID_LENGTH: usize = 12;

/// The greatest length of a line that is read, in bytes: two names of the greatest length that systems have, or a path,
/// of bytes as numbers.
const LONGEST_LINE: u64 = 1 << 17;

/// A line of a list.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Line {
    /// The path from the folder of this list to the first folder of the group. It is the first line of the lists of
    /// other folders.
    Home(Name),
    /// The path from the first folder to another one. Only the list of the first folder has such lines.
    Folder(Name),
    /// The name of an output that waits, and the one that it gets.
    Rename(Name, Name),
}

/// A name or a path, which need not be UTF-8.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Name {
    Text(String),
    Raw(OsString),
}

impl From<&OsStr> for Name {
    fn from(name: &OsStr) -> Self {
        name.to_str().map_or_else(|| Self::Raw(name.to_owned()), |text| Self::Text(text.to_owned()))
    }
}

impl Name {
    pub(super) fn as_path(&self) -> &Path {
        match self {
            Self::Text(text) => Path::new(text),
            Self::Raw(name) => Path::new(name),
        }
    }

    /// Returns the name, if it is one of a file that is not hidden as a temporary one, and no path.
    pub(super) fn as_target(&self) -> Option<&OsStr> {
        self.as_file().filter(|name| !name.as_encoded_bytes().starts_with(PREFIX.as_bytes()))
    }

    /// Returns the name, if it is one of an output of this group that waits.
    pub(super) fn as_waiting(&self, id: &str) -> Option<&OsStr> {
        self.as_file().filter(|name| is_waiting(name, id))
    }

    fn as_file(&self) -> Option<&OsStr> {
        let mut parts = self.as_path().components();
        match (parts.next(), parts.next()) {
            (Some(Component::Normal(name)), None) if name == self.as_path().as_os_str() => Some(name),
            _ => None,
        }
    }
}

/// Whether this is the name of an output of this group that waits.
pub(super) fn is_waiting(name: &OsStr, id: &str) -> bool {
    let rest = name.as_encoded_bytes().strip_prefix(DONE.as_bytes());
    let rest = rest.and_then(|rest| rest.strip_prefix(id.as_bytes()));
    rest.is_some_and(|rest| rest.starts_with(b"-"))
}

/// Returns the letters and digits of a group behind the beginning of the name of a list.
pub(super) fn id_of<'n>(name: &'n str, beginning: &str) -> Option<&'n str> {
    let id = name.strip_prefix(beginning)?;
    (id.len() == ID_LENGTH && id.bytes().all(|byte| byte.is_ascii_alphanumeric())).then_some(id)
}

/// Writes lines to a list.
pub(super) fn write_lines(mut list: &File, lines: impl Iterator<Item = Line>) -> io::Result<()> {
    let mut text = Vec::new();
    for line in lines {
        serde_json::to_writer(&mut text, &line)?;
        text.push(b'\n');
    }
    list.write_all(&text)
}

/// Returns the lines of a list, up to one that is not complete.
pub(super) fn lines(list: &File) -> impl Iterator<Item = Line> {
    let mut reader = BufReader::new(list);
    let mut line = Vec::new();
    std::iter::from_fn(move || {
        line.clear();
        reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).ok()?;
        line.strip_suffix(b"\n").and_then(|line| serde_json::from_slice(line).ok())
    })
}

/// Returns the path from one folder to another; both are canonical. The path is absolute if there is none between them,
/// as between drives of Windows.
pub(super) fn path_between(from: &Path, to: &Path) -> PathBuf {
    let shared = from.components().zip(to.components()).take_while(|(one, other)| one == other).count();
    if shared == 0 {
        return to.to_owned();
    }
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    up.chain(to.components().skip(shared)).collect()
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::io::{Seek, Write};
    use std::path::Path;

    use super::{Line, Name, id_of, lines, path_between, write_lines};

    fn name(text: &str) -> Name {
        Name::from(OsStr::new(text))
    }

    #[test]
    fn a_list_reads_back_up_to_the_line_that_was_cut() {
        let mut list = tempfile::tempfile().unwrap();
        let all = || {
            #[cfg(unix)]
            let odd = Name::from(std::os::unix::ffi::OsStrExt::from_bytes(b"a\xff\n\"b".as_slice()));
            #[cfg(not(unix))]
            let odd = name("a\n\"b");
            [Line::Home(name("../a")), Line::Folder(name("b")), Line::Rename(name(".pgn2fen-done-x-y"), odd)]
        };
        write_lines(&list, all().into_iter()).unwrap();
        list.write_all(b"{\"rename\":[\"a\",\"b\"]}").unwrap();
        list.rewind().unwrap();
        assert_eq!(lines(&list).collect::<Vec<_>>(), all());
    }

    #[test]
    fn a_list_names_files_of_its_own_folder_only() {
        for bad in ["", ".", "..", "/etc/passwd", "a/b", "../a", "a/", "./a", ".pgn2fen-open-a"] {
            assert_eq!(name(bad).as_target(), None, "{bad}");
        }
        assert_eq!(name("a b.pgn").as_target(), Some(OsStr::new("a b.pgn")));
        assert_eq!(name(".pgn2fen-done-x-1").as_waiting("x"), Some(OsStr::new(".pgn2fen-done-x-1")));
        for bad in [".pgn2fen-done-xy-1", ".pgn2fen-done-x", "../.pgn2fen-done-x-1", ".pgn2fen-done-x-/../1", "x"] {
            assert_eq!(name(bad).as_waiting("x"), None, "{bad}");
        }
        assert_eq!(id_of(".pgn2fen-group-0123456789ab", ".pgn2fen-group-"), Some("0123456789ab"));
        assert_eq!(id_of(".pgn2fen-group-0123456789/b", ".pgn2fen-group-"), None);
    }

    #[cfg(unix)]
    #[test]
    fn folders_are_named_from_one_another() {
        for (from, to, path) in [("/a/b", "/a/b/c", "c"), ("/a/b/c", "/a/b", ".."), ("/a/b", "/a/c/d", "../c/d")] {
            assert_eq!(path_between(Path::new(from), Path::new(to)), Path::new(path), "{from} {to}");
        }
    }
}
