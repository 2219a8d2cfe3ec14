//! File names. A name is a sequence of bytes (on Windows, of 16-bit units) and not always Unicode; the manifest stores
//! every name exactly.

use std::ffi::OsStr;
use std::fmt::Write;
use std::path::{Component, Path, PathBuf};

use serde_json::{Value, json};

use crate::file_access::canonical;
use pgn2fen_games::messages::usual;

/// Returns a file name as text. Bytes that are not UTF-8 are written in hexadecimal: `caf\xE9.pgn`.
pub fn shown(name: &Path) -> String {
    let mut text = String::new();
    for chunk in name.as_os_str().as_encoded_bytes().utf8_chunks() {
        text += chunk.valid();
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02X}");
        }
    }
    usual(text.into()).into_owned()
}

/// Returns an absolute path without symbolic links. The file itself may be missing, but not its folder.
pub fn real_path(name: &Path) -> Option<PathBuf> {
    let folder = || {
        let folder = name.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(folder.canonicalize().ok()?.join(name.file_name()?))
    };
    canonical(name).ok().or_else(folder)
}

/// Converts a file name to JSON: a string if the name is Unicode, else an object with the bytes of a Unix name,
/// `{"unix": [99, 233]}`, or with the 16-bit units of a Windows name, `{"windows": [99, 55296]}`.
pub(super) fn to_json(name: &Path) -> Value {
    match name.to_str() {
        Some(name) => json!(name),
        None => units_to_json(name),
    }
}

/// Reads a name written by [`to_json`]. A name that is impossible on this system becomes a name that matches no file.
pub(super) fn from_json(value: &Value) -> Option<PathBuf> {
    match value {
        Value::String(name) => Some(name.into()),
        Value::Object(object) => {
            let (key, units) = object.iter().next()?;
            let units: Option<Vec<u64>> = units.as_array()?.iter().map(Value::as_u64).collect();
            units_from_json(key, &units?)
        }
        _ => None,
    }
}

#[cfg(unix)]
fn units_to_json(name: &Path) -> Value {
    use std::os::unix::ffi::OsStrExt;
    json!({ UNIX: name.as_os_str().as_bytes() })
}

#[cfg(windows)]
fn units_to_json(name: &Path) -> Value {
    use std::os::windows::ffi::OsStrExt;
    json!({ WINDOWS: name.as_os_str().encode_wide().collect::<Vec<u16>>() })
}

#[cfg(not(any(unix, windows)))]
fn units_to_json(name: &Path) -> Value {
    json!(name.to_string_lossy())
}

const UNIX: &str = "unix";
const WINDOWS: &str = "windows";

fn units_from_json(key: &str, units: &[u64]) -> Option<PathBuf> {
    match key {
        UNIX => {
            let bytes: Result<Vec<u8>, _> = units.iter().map(|unit| u8::try_from(*unit)).collect();
            Some(of_bytes(bytes.ok()?))
        }
        WINDOWS => {
            let units: Result<Vec<u16>, _> = units.iter().map(|unit| u16::try_from(*unit)).collect();
            Some(of_units(&units.ok()?))
        }
        _ => None,
    }
}

#[cfg(unix)]
fn of_bytes(bytes: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;
    std::ffi::OsString::from_vec(bytes).into()
}

#[cfg(not(unix))]
fn of_bytes(bytes: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

#[cfg(windows)]
fn of_units(units: &[u16]) -> PathBuf {
    use std::os::windows::ffi::OsStringExt;
    std::ffi::OsString::from_wide(units).into()
}

#[cfg(not(windows))]
fn of_units(units: &[u16]) -> PathBuf {
    String::from_utf16_lossy(units).into()
}

/// Returns the relative path from a folder to a file: `../games/a.pgn`, with `/` on every system, so that another one
/// also finds the file. Both paths must be absolute and without symbolic links. None if there is no such path, as from
/// one drive to another.
pub(super) fn way(from: &Path, to: &Path) -> Option<PathBuf> {
    let shared = from.components().zip(to.components()).take_while(|(from, to)| from == to).count();
    let up = from.components().skip(shared);
    if shared == 0 || up.clone().any(|component| !matches!(component, Component::Normal(_))) {
        return None;
    }
    let parts = up.map(|_| Component::ParentDir).chain(to.components().skip(shared));
    let parts: Vec<&OsStr> = parts.map(Component::as_os_str).collect();
    Some(parts.join(OsStr::new("/")).into())
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use serde_json::json;

    use super::{from_json, real_path, shown, to_json, way};

    #[test]
    fn a_file_that_is_missing_has_a_path_if_its_folder_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().canonicalize().unwrap();
        assert_eq!(real_path(&folder.path().join("gone.pgn")), Some(real.join("gone.pgn")));
        assert_eq!(real_path(&folder.path().join("none/gone.pgn")), None);
        let here = std::env::current_dir().unwrap().canonicalize().unwrap();
        assert_eq!(real_path(Path::new("gone.pgn")), Some(here.join("gone.pgn")));
    }

    #[track_caller]
    fn check(name: &Path, text: &str) {
        assert_eq!(shown(name), text);
        assert_eq!(from_json(&to_json(name)).as_deref(), Some(name));
    }

    #[test]
    fn every_name_comes_back() {
        check(Path::new("games/a.pgn"), "games/a.pgn");
        check(Path::new("gämes 象棋\n\u{1b}\u{fffd}.pgn"), "gämes 象棋\n\u{1b}\u{fffd}.pgn");
        check(Path::new("a\\xE9.pgn"), "a\\xE9.pgn");
        check(Path::new(""), "");
    }

    #[test]
    #[cfg(unix)]
    fn every_name_that_is_not_utf_8_comes_back() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        check(Path::new(OsStr::from_bytes(b"caf\xe9.pgn")), "caf\\xE9.pgn");
        check(Path::new(OsStr::from_bytes(b"\xff/\xc3\xa9\xc3")), "\\xFF/é\\xC3");
        let all: Vec<u8> = (1..=255).collect();
        let all = Path::new(OsStr::from_bytes(&all));
        assert_eq!(from_json(&to_json(all)).as_deref(), Some(all));
    }

    #[test]
    fn a_name_of_another_system_is_read() {
        for value in [json!({ "windows": [99, 0xD800, 97] }), json!({ "unix": [99, 0xE9] })] {
            assert!(from_json(&value).is_some_and(|name| shown(&name).starts_with('c')), "{value}");
        }
        let damaged =
            [json!(null), json!(7), json!({}), json!({ "unix": [256] }), json!({ "unix": "a" }), json!({ "mac": [1] })];
        for value in damaged {
            assert_eq!(from_json(&value), None, "{value}");
        }
    }

    #[test]
    fn a_way_leads_from_the_folder_to_the_file() {
        let check = |from: &str, to: &str, expected: Option<&str>| {
            assert_eq!(way(Path::new(from), Path::new(to)), expected.map(PathBuf::from), "{from} {to}");
        };
        check("/x/games.idx", "/x/a.pgn", Some("../a.pgn"));
        check("/x/games.idx", "/x/y/a.pgn", Some("../y/a.pgn"));
        check("/x/games.idx", "/z/a.pgn", Some("../../z/a.pgn"));
        check("/x", "/x/a.pgn", Some("a.pgn"));
        check("x", "/x/a.pgn", None);
    }
}
