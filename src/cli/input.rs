//! The input files: the search for them, opening them, and messages about files that cannot be read.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::cli::options::reading::{ByteRange, InputArguments};
use crate::database::{Foreign, Source};
use crate::messages::quoted;

/// A file to read, with an error if the search found that it cannot be read.
pub(crate) type Found = (PathBuf, io::Result<()>);

/// Returns the files on the command line, or `-` for standard input. With `--recursive`, a folder is replaced by the files in it.
pub(crate) fn files(arguments: &InputArguments) -> Result<Vec<Found>> {
    if arguments.range.is_some() {
        let is_one_file = arguments.files.len() == 1 && arguments.files[0] != Path::new("-");
        anyhow::ensure!(is_one_file, "--range needs exactly one file");
    }
    if arguments.files.is_empty() {
        return Ok(vec![(PathBuf::from("-"), Ok(()))]);
    }
    Ok(files_among(&arguments.files, arguments.recursive))
}

/// Returns these files. With `recursive`, a folder is replaced by the PGN files in it and its subfolders.
pub(crate) fn files_among(paths: &[PathBuf], recursive: bool) -> Vec<Found> {
    let mut found = Vec::new();
    for path in paths {
        if recursive && path.is_dir() {
            let before = found.len();
            walk_folder(path, &mut HashSet::new(), &mut found);
            if found.len() == before {
                let error = io::Error::new(io::ErrorKind::NotFound, "the folder contains no PGN files");
                found.push((path.clone(), Err(error)));
            }
        } else {
            found.push((path.clone(), Ok(())));
        }
    }
    found
}

/// Returns the number of bytes to read, or None if it is unknown, as for pipes. Compressed files count with their compressed size.
pub(crate) fn size(files: &[Found], arguments: &InputArguments) -> Option<u64> {
    let mut size = 0;
    for (path, _) in files {
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => size += metadata.len(),
            // A missing file adds no bytes. It is reported when it is opened.
            Err(_) if path != Path::new("-") => {}
            _ => return None,
        }
    }
    Some(match &arguments.range {
        None => size,
        Some(ByteRange(range)) => range.end.min(size).saturating_sub(range.start),
    })
}

/// Finds the PGN files of a folder and its subfolders, in alphabetical order. Hidden files are skipped. A folder that several links
/// lead to is read once.
fn walk_folder(folder: &Path, seen: &mut HashSet<PathBuf>, found: &mut Vec<Found>) {
    let entries = folder.canonicalize().and_then(|real| {
        let is_new = seen.insert(real);
        if is_new { fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>() } else { Ok(Vec::new()) }
    });
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => return found.push((folder.to_owned(), Err(error))),
    };
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().to_string_lossy().to_ascii_lowercase();
        let path = entry.path();
        if name.starts_with('.') {
            continue;
        }
        if path.is_dir() {
            walk_folder(&path, seen, found);
        } else if [".pgn", ".pgn.zst", ".pgn.gz", ".pgn.bz2"].iter().any(|ending| name.ends_with(ending)) {
            found.push((path, Ok(())));
        }
    }
}

/// Opens an input file.
pub(crate) fn open(path: &Path, arguments: &InputArguments) -> io::Result<Source> {
    let encoding = arguments.encoding.0;
    let source = if path == Path::new("-") {
        Source::stream(Box::new(io::stdin()), encoding)
    } else {
        Source::open(path, !arguments.no_mmap, encoding)
    }?;
    match &arguments.range {
        None => Ok(source),
        Some(ByteRange(range)) => within(source, range.clone()),
    }
}

/// Restricts a source to the games that begin in these bytes. The file must be uncompressed text.
fn within(source: Source, range: Range<u64>) -> io::Result<Source> {
    let what = match (source.compression(), source.transcoded_from()) {
        (Some(format), _) => format!("compressed with {format}"),
        (_, Some(encoding)) => format!("in {encoding}"),
        _ => "not a regular file".to_owned(),
    };
    match source {
        Source::Whole(database) => Ok(Source::Whole(database.within(range))),
        Source::Stream(_) => {
            Err(io::Error::new(io::ErrorKind::InvalidInput, format!("is {what}; --range needs an uncompressed file")))
        }
    }
}

/// Returns the message for a file that cannot be opened or read, with advice.
pub(crate) fn explain(path: &Path, error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::IsADirectory {
        return format!("{error}; use --recursive to read the PGN files in it");
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
