//! Advice for files that cannot be read.

use std::fs;
use std::io;
use std::path::Path;

use pgn2fen_games::database::{ArchiveError, Foreign, ForeignError, archive_of};
use pgn2fen_games::messages::{quoted, shown};

/// Returns the message for a file that cannot be opened or read, with advice. The path is `-` for standard input.
///
/// ```
/// use std::path::Path;
///
/// use pgn2fen_files::{OpenOptions, explain};
///
/// let error = OpenOptions::default().open("src").unwrap_err();
/// let message = explain(Path::new("src"), &error);
/// assert_eq!(message, "is a directory; use `recursive=true` to read the PGN files in it");
/// ```
pub fn explain(path: &Path, error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::IsADirectory {
        return format!("{error}; use `recursive=true` to read the PGN files in it");
    }
    if let Some(target) = fs::read_link(path).ok().filter(|_| error.kind() == io::ErrorKind::NotFound) {
        return format!("is a symbolic link to {}, which does not exist", shown(&target));
    }
    if let Some(advice) = ArchiveError::of(error).and_then(|error| archive_advice(error, path)) {
        return format!("{error}; {advice}");
    }
    match ForeignError::of(error) {
        Some(foreign) => format!("{foreign}; {}", advice(foreign, path)),
        None => error.to_string(),
    }
}

/// Returns advice for a zip archive, or a member of one, that cannot be read.
fn archive_advice(error: &ArchiveError, path: &Path) -> Option<String> {
    let archive = archive_of(path).unwrap_or(path);
    Some(match error {
        ArchiveError::CutShort => "download it again".to_owned(),
        ArchiveError::Encrypted | ArchiveError::Method(_) => unpack_archive(archive),
        ArchiveError::Nested => unpack_archive(archive) + ", then read the archives in it",
        ArchiveError::NoRanges => "download it, then read the file".to_owned(),
        _ => return None,
    })
}

/// Returns advice to unpack an archive.
fn unpack_archive(archive: &Path) -> String {
    format!("unpack {} first", quoted(archive.as_os_str()))
}

/// Whether another program can write the contents of such a file to a pipe.
fn is_read_by_a_program(kind: Foreign) -> bool {
    matches!(
        kind,
        Foreign::SevenZip
            | Foreign::Rar
            | Foreign::Tar
            | Foreign::Archive(_)
            | Foreign::Xz
            | Foreign::Compressed(_)
            | Foreign::Encoding(_)
            | Foreign::Json
    )
}

/// Returns advice for a file that is not PGN.
fn advice(foreign: &ForeignError, path: &Path) -> String {
    let is_stream = path == Path::new("-");
    let file = if is_stream { "FILE".to_owned() } else { quoted(path.as_os_str()) };
    // The command that decompresses a compressed file.
    let program = |layer: &&'static str| match *layer {
        "compress" => "gzip",
        layer => layer,
    };
    let decompress = foreign.layers.split_first().map(|(outer, inner)| {
        let rest: String = inner.iter().map(|layer| format!(" | {} -dc", program(layer))).collect();
        format!("{} -dc {file}{rest}", program(outer))
    });
    // A program that reads standard input if it gets no file.
    let unpack = |command: &str| match &decompress {
        None => format!("read its contents with `{command} {file} | pgn2fen`"),
        Some(decompress) => format!("read its contents with `{decompress} | {command} | pgn2fen`"),
    };
    // A program that needs a file.
    let unpack_file = |command: &str, name: &str| match &decompress {
        None => format!("read its contents with `{command} {file} | pgn2fen`"),
        Some(decompress) => {
            format!(
                "decompress it with `{decompress} > {name}`, then read its contents with `{command} {name} | pgn2fen`"
            )
        }
    };
    let read_from_end = match foreign.kind {
        Foreign::Parquet => Some(("a Parquet file", "games.parquet")),
        Foreign::Zip => Some(("a zip archive", "games.zip")),
        _ => None,
    };
    match (read_from_end, &decompress) {
        (Some((what, name)), Some(decompress)) => {
            return format!(
                "{what} is read from its end, so decompress it with `{decompress} > {name}`, then read {name}"
            );
        }
        (Some((what @ "a zip archive", _)), None) => {
            return format!("{what} is read from its end, so save it to a file and give the name of the file");
        }
        _ => {}
    }
    if let Some(archive) = archive_of(path) {
        match foreign.kind {
            // Such a database is several files, which must be on the disk.
            Foreign::Scid => return unpack_archive(archive) + ", then read the file whose name ends with .si4 or .si5",
            Foreign::ChessBase => {
                return unpack_archive(archive) + ", then read the file whose name ends with .cbh or .cbv";
            }
            kind if is_read_by_a_program(kind) => return unpack_archive(archive),
            _ => {}
        }
    }
    match foreign.kind {
        Foreign::SevenZip => unpack_file("7z x -so", "games.7z"),
        Foreign::Rar => unpack_file("unrar p -inul", "games.rar"),
        Foreign::Tar if decompress.is_some() => unpack("tar -xOf -"),
        Foreign::Tar => unpack("tar -xOf"),
        Foreign::Encoding(name) => format!(
            "convert it with `{}`",
            match &decompress {
                None => format!("iconv -f {name} -t UTF-8 {file} | pgn2fen"),
                Some(decompress) => format!("{decompress} | iconv -f {name} -t UTF-8 | pgn2fen"),
            }
        ),
        Foreign::Nested => "decompress it first".to_owned(),
        Foreign::Xz => unpack("xz -dc"),
        Foreign::Compressed("lz4") => unpack("lz4 -dc"),
        Foreign::Compressed("lzip") => unpack("lzip -dc"),
        Foreign::Compressed("lzop") => unpack("lzop -dc"),
        Foreign::Compressed("compress") => unpack("gzip -dc"),
        Foreign::Compressed("brotli") => unpack("brotli -dc"),
        Foreign::Archive(_) | Foreign::Compressed(_) => "unpack it first".to_owned(),
        Foreign::Json => "of JSON, pgn2fen reads objects with pgn or moves, and the evaluations of Lichess".to_owned(),
        Foreign::Csv => {
            "of tables, pgn2fen reads those with a header row that names a column of moves, such as pgn or moves, or \
             of FENs; if a column has the moves, name it with the option movetext"
                .to_owned()
        }
        Foreign::Database(_) | Foreign::Parquet | Foreign::Arrow | Foreign::Table(_) => {
            "pgn2fen reads PGN, or one FEN on each line; export the column with the games or FENs as text".to_owned()
        }
        Foreign::ChessBase => chessbase_advice(path, decompress.is_some()),
        Foreign::Scid => scid_advice(path, decompress.is_some()),
        Foreign::Book => "it contains positions and moves, but no games".to_owned(),
        Foreign::Empty(_) => "it may not have been written to its end; get it again".to_owned(),
        Foreign::Binary => {
            "of such files, pgn2fen reads training data, which is recognised by its first record; if the file was cut \
             short, download it again"
                .to_owned()
        }
        Foreign::Office | Foreign::Pdf | Foreign::Html | Foreign::Xml | Foreign::Document(_) => {
            "copy the games to a text file".to_owned()
        }
        _ => "pgn2fen reads games from PGN text".to_owned(),
    }
}

/// Returns advice for a file of a Scid database that is not read by itself.
fn scid_advice(path: &Path, is_compressed: bool) -> String {
    if is_compressed {
        return "decompress its three files, and read the one whose name ends with .si4 or .si5".to_owned();
    }
    let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
    match ending.as_deref() {
        Some("sg4" | "sn4") => format!("read its index, {}, with the other two files beside it", sibling(path, "si4")),
        Some("sg5" | "sn5") => format!("read its index, {}, with the other two files beside it", sibling(path, "si5")),
        Some("si3" | "sg3" | "sn3") => "copy its games to a new base with Scid, or export them as PGN".to_owned(),
        _ => "it has three files, which are read by the name of the one that ends with .si4 or .si5".to_owned(),
    }
}

/// Returns advice for a file of a ChessBase database that is not read by itself.
fn chessbase_advice(path: &Path, is_compressed: bool) -> String {
    if is_compressed {
        return "decompress it, and read the file whose name ends with .cbh or .cbv".to_owned();
    }
    let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
    match ending.as_deref() {
        Some("cbg" | "cba" | "cbc" | "cbt" | "cbp" | "cbs" | "cbj" | "cbe") => {
            format!("read its index, {}, with its other files beside it", sibling(path, "cbh"))
        }
        Some("cbz") => "it is protected by a password; unpack it with ChessBase, and read the .cbh file".to_owned(),
        Some("2cbh") => "copy its games to a database of the type .cbh with ChessBase, or save them as PGN".to_owned(),
        Some("cbf" | "cbi") => "copy its games to a new database with ChessBase, or save them as PGN".to_owned(),
        _ => "of such files, pgn2fen reads those with the names .cbh and .cbv, from the disk".to_owned(),
    }
}

fn sibling(path: &Path, ending: &str) -> String {
    quoted(path.with_extension(ending).as_os_str())
}
