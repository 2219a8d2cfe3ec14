//! Advice for files that cannot be read.

use std::io;
use std::path::Path;

use crate::database::Foreign;
use crate::messages::quoted;

/// Returns the message for a file that cannot be opened or read, with advice. The path is `-` for standard input. `recursive` is the option
/// that reads the files in folders, as the user writes it, such as `--recursive`.
///
/// ```
/// use std::path::Path;
///
/// use pgn2fen::files::{OpenOptions, explain};
///
/// let error = OpenOptions::default().open("src").unwrap_err();
/// let message = explain(Path::new("src"), &error, "recursive=True");
/// assert_eq!(message, "is a directory; use recursive=True to read the PGN files in it");
/// ```
pub fn explain(path: &Path, error: &io::Error, recursive: &str) -> String {
    if error.kind() == io::ErrorKind::IsADirectory {
        return format!("{error}; use {recursive} to read the PGN files in it");
    }
    match Foreign::of(error) {
        Some(foreign) => format!("{foreign}; {}", advice(foreign, path)),
        None => error.to_string(),
    }
}

/// Returns advice for a file that is not PGN.
fn advice(foreign: Foreign, path: &Path) -> String {
    let is_stream = path == Path::new("-");
    let file = if is_stream { "FILE".to_owned() } else { quoted(path.as_os_str()) };
    let unpack = |command: &str| format!("read its contents with `{command} {file} | pgn2fen`");
    match foreign {
        Foreign::Zip => unpack("unzip -p"),
        Foreign::SevenZip => unpack("7z x -so"),
        Foreign::Rar => unpack("unrar p -inul"),
        Foreign::Tar => unpack("tar -xOf"),
        Foreign::Xz => unpack("xz -dc"),
        Foreign::Compressed("lz4") => unpack("lz4 -dc"),
        Foreign::Compressed("lzip") => unpack("lzip -dc"),
        Foreign::Compressed("lzop") => unpack("lzop -dc"),
        Foreign::Compressed("compress") => unpack("gzip -dc"),
        Foreign::Compressed("brotli") => unpack("brotli -dc"),
        Foreign::Archive(_) | Foreign::Compressed(_) => "unpack it first".to_owned(),
        Foreign::Json => unpack("jq -r .pgn") + " (if the games are in the field pgn)",
        Foreign::Database(_) | Foreign::Parquet | Foreign::Arrow | Foreign::Table(_) | Foreign::Csv => {
            "pgn2fen reads PGN, or one FEN on each line; export the column with the games or FENs as text".to_owned()
        }
        Foreign::ChessBase => "use ChessBase to export the games as PGN".to_owned(),
        Foreign::Scid => "use Scid to export the games as PGN".to_owned(),
        Foreign::Book => "it contains positions and moves, but no games".to_owned(),
        Foreign::Office | Foreign::Pdf | Foreign::Html | Foreign::Xml | Foreign::Document(_) => {
            "copy the games to a text file".to_owned()
        }
        _ => "pgn2fen reads games from PGN text".to_owned(),
    }
}
