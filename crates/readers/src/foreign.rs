//! Recognises files of other kinds by their first bytes: archives, databases, tables, documents, pictures, programs.
//! They are refused with the name of their kind. Otherwise text in them would be read as games.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::Path;

use pgn2fen_bytes::format::Format;
use pgn2fen_pgn::lists::{HEAD, begins_fen, begins_list};
use pgn2fen_pgn::movetext::strays::labelled_game;
use pgn2fen_pgn::symbol::is_move_shaped;

/// The number of times that a file may be compressed. More often, it is refused: such a file may have been made so that
/// it never ends.
pub const MOST_LAYERS: usize = 3;

/// A kind of file that is not PGN, a list of positions, or one of these compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Foreign {
    /// A zip archive.
    Zip,
    /// A document in a zip archive: docx, xlsx, odt, epub.
    Office,
    /// A 7z archive.
    SevenZip,
    /// A RAR archive.
    Rar,
    /// A tar archive, compressed or not.
    Tar,
    /// An archive of another kind.
    Archive(&'static str),
    /// A file compressed by xz, or by the older lzma.
    Xz,
    /// A file compressed by a program of this name.
    Compressed(&'static str),
    /// A file that is compressed again and again.
    Nested,
    /// Text in an encoding of this name, which is not read.
    Encoding(&'static str),
    /// A database of this kind.
    Database(&'static str),
    /// A Parquet file.
    Parquet,
    /// An Arrow or Feather file, or an Arrow stream.
    Arrow,
    /// A binary table of this kind.
    Table(&'static str),
    /// Text with separators: CSV, TSV.
    Csv,
    /// A PDF document.
    Pdf,
    /// A web page.
    Html,
    /// XML.
    Xml,
    /// JSON, or JSON lines.
    Json,
    /// A document of this kind.
    Document(&'static str),
    /// A file of a ChessBase database.
    ChessBase,
    /// A file of a Scid database.
    Scid,
    /// An opening book for engines.
    Book,
    /// A file without a byte, whose name is that of a format in which every file has some.
    Empty(&'static str),
    /// Binary data that nothing more is known of.
    Binary,
    /// A program.
    Program,
    /// A picture, a sound or a film.
    Media,
}

impl Foreign {
    /// Returns the kind of a file with these first bytes, or `None` if it may be a text to read. If the bytes are not
    /// enough, the extension of the file name is used, if there is one.
    pub fn detect(head: &[u8], name: Option<&Path>) -> Option<Self> {
        magic(head).or_else(|| utf32(head)).or_else(|| markup(head)).or_else(|| {
            let ending = name.and_then(Path::extension).and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
            by_ending(ending.as_deref()?, head)
        })
    }

    /// Returns the kind of the file, if an error was returned because of it.
    pub fn of(error: &io::Error) -> Option<Self> {
        ForeignError::of(error).map(|error| error.kind)
    }
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Zip => "is a zip archive",
            Self::Office => "is an office document",
            Self::SevenZip => "is a 7z archive",
            Self::Rar => "is a RAR archive",
            Self::Tar => "is a tar archive",
            Self::Archive(name) => return write!(f, "is {name}"),
            Self::Xz => "is compressed with xz",
            Self::Compressed(name) => return write!(f, "is compressed with {name}"),
            Self::Nested => return write!(f, "is compressed more than {MOST_LAYERS} times"),
            Self::Encoding(name) => return write!(f, "is text in {name}"),
            Self::Database(name) => return write!(f, "is a {name} database"),
            Self::Parquet => "is a Parquet file",
            Self::Arrow => "is an Arrow file",
            Self::Table(name) => return write!(f, "is {name}"),
            Self::Csv => "is a table (CSV)",
            Self::Pdf => "is a PDF document",
            Self::Html => "is a web page (HTML)",
            Self::Xml => "is XML",
            Self::Json => "is JSON",
            Self::Document(name) => return write!(f, "is {name}"),
            Self::ChessBase => "is a ChessBase database",
            Self::Scid => "is a Scid database",
            Self::Book => "is an opening book for engines",
            Self::Empty(name) => return write!(f, "is empty, which no {name} is"),
            Self::Binary => "is binary data of an unknown kind",
            Self::Program => "is a program",
            Self::Media => "is a picture, a sound or a film",
        })
    }
}

/// The error for a file of another kind, which may be compressed. It is the inner error of an [`io::Error`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ForeignError {
    /// The kind of the file, or of the data in the compressed file.
    pub kind: Foreign,
    /// The names of the compression formats around the data, the outermost first. Empty if the file is not compressed.
    pub layers: Vec<&'static str>,
}

impl ForeignError {
    #[doc(hidden)]
    pub fn within(kind: Foreign, layers: &[Format]) -> Self {
        Self { kind, layers: layers.iter().map(|format| format.name()).collect() }
    }

    /// Returns the error for a file with this name, from which the endings of the layers have been removed.
    pub fn named(kind: Foreign, layers: &[Format], name: Option<&Path>) -> Self {
        let mut error = Self::within(kind, layers);
        if let Some(program) = name.and_then(|name| program_around_tar(kind, name)) {
            error.kind = Foreign::Tar;
            error.layers.push(program);
        }
        error
    }

    /// Returns the error, if it is the cause of another one.
    pub fn of(error: &io::Error) -> Option<&Self> {
        error.get_ref()?.downcast_ref()
    }
}

impl fmt::Display for ForeignError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind)?;
        self.layers.iter().rev().try_for_each(|layer| write!(f, " within {layer} data"))
    }
}

impl Error for ForeignError {}

impl From<ForeignError> for io::Error {
    fn from(error: ForeignError) -> Self {
        Self::new(io::ErrorKind::InvalidData, error)
    }
}

/// Recognises magic numbers that no text begins with.
fn magic(head: &[u8]) -> Option<Foreign> {
    let begins = |magic: &[u8]| head.starts_with(magic);
    let at = |offset: usize, magic: &[u8]| head.get(offset..).is_some_and(|rest| rest.starts_with(magic));
    // A magic number that could be a word counts only in a file with zero bytes.
    let is_binary = head.contains(&0);
    Some(match head {
        [b'P', b'K', 3, 4, ..] => match head.get(30..) {
            Some(name)
                if [&b"[Content_Types].xml"[..], b"_rels/", b"docProps", b"mimetype"]
                    .iter()
                    .any(|it| name.starts_with(it)) =>
            {
                Foreign::Office
            }
            _ => Foreign::Zip,
        },
        [b'P', b'K', 5, 6, ..] | [b'P', b'K', 7, 8, ..] => Foreign::Zip,
        [b'7', b'z', 0xBC, 0xAF, ..] => Foreign::SevenZip,
        [b'R', b'a', b'r', b'!', 0x1A, 7, ..] => Foreign::Rar,
        _ if at(257, b"ustar") => Foreign::Tar,
        _ if begins(b"MSCF\0") => Foreign::Archive("a cabinet archive"),
        _ if begins(b"!<arch>\n") => Foreign::Archive("an ar archive"),
        [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Foreign::Xz,
        // The size of the text, or the mark for an unknown size.
        [0x5D, 0, 0, _, _, size @ ..] if size.starts_with(&[0xFF; 8]) || size.get(5..8) == Some(&[0; 3]) => Foreign::Xz,
        [4, 0x22, 0x4D, 0x18, ..] => Foreign::Compressed("lz4"),
        _ if begins(b"LZIP") && head.get(4) <= Some(&1) => Foreign::Compressed("lzip"),
        [0x89, b'L', b'Z', b'O', ..] => Foreign::Compressed("lzop"),
        [0x1F, 0x9D | 0xA0, ..] => Foreign::Compressed("compress"),
        _ if begins(b"\xff\x06\0\0sNaPpY") => Foreign::Compressed("snappy"),
        _ if begins(b"SQLite format 3\0") => Foreign::Database("SQLite"),
        _ if at(8, b"DUCK") && is_binary => Foreign::Database("DuckDB"),
        _ if at(4, b"Standard Jet DB\0") || at(4, b"Standard ACE DB\0") => Foreign::Database("Access"),
        _ if begins(b"PAR1") => Foreign::Parquet,
        _ if begins(b"PARE") && is_binary => Foreign::Table("an encrypted Parquet file"),
        [0xFF, 0xFF, 0xFF, 0xFF, _, _, _, 0, ..] => Foreign::Arrow,
        _ if begins(b"ARROW1") || begins(b"FEA1") => Foreign::Arrow,
        _ if begins(b"Obj\x01") => Foreign::Table("an Avro file"),
        _ if begins(b"ORC") && is_binary => Foreign::Table("an ORC file"),
        _ if begins(b"\x89HDF\r\n\x1a\n") => Foreign::Table("an HDF5 file"),
        _ if begins(b"\x93NUMPY") => Foreign::Table("a NumPy file"),
        [0x80, 2..=5, ..] => Foreign::Table("a Python pickle"),
        _ if begins(b"%PDF-") => Foreign::Pdf,
        _ if begins(b"%!PS") => Foreign::Document("a PostScript document"),
        _ if begins(b"{\\rtf") => Foreign::Document("a rich text document (RTF)"),
        _ if begins(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1") => Foreign::Office,
        _ if begins(b"Scid.si") || begins(b"Scid.sn") => Foreign::Scid,
        [0, 0, 0x24 | 0x2C, 0, 0x2E, 1, ..] => Foreign::ChessBase,
        [0x7F, b'E', b'L', b'F', ..]
        | [0xFE, 0xED, 0xFA, 0xCE | 0xCF, ..]
        | [0xCE | 0xCF, 0xFA, 0xED, 0xFE, ..]
        | [0xCA, 0xFE, 0xBA, 0xBE, ..]
        | [0, b'a', b's', b'm', ..] => Foreign::Program,
        [b'M', b'Z', ..] if is_binary => Foreign::Program,
        [b'#', b'!', ..] => Foreign::Program,
        [0x89, b'P', b'N', b'G', ..] | [0xFF, 0xD8, 0xFF, ..] | [0, 0, 1, 0, ..] | [0x1A, 0x45, 0xDF, 0xA3, ..] => {
            Foreign::Media
        }
        _ if begins(b"GIF8") && is_binary || begins(b"II*\0") || begins(b"MM\0*") || begins(b"OggS\0") => {
            Foreign::Media
        }
        [b'B', b'M', ..] | [b'R', b'I', b'F', b'F', ..] | [b'I', b'D', b'3', ..] if is_binary => Foreign::Media,
        _ if at(4, b"ftyp") && is_binary => Foreign::Media,
        _ => return None,
    })
}

/// Recognises UTF-32 by its byte order mark, or by the zeros of characters of less than two bytes.
fn utf32(head: &[u8]) -> Option<Foreign> {
    let characters = head[..head.len().min(64)].chunks_exact(4);
    let nearly_all = |is_text: fn(&[u8]) -> bool| {
        let count = characters.len();
        count >= 4 && characters.clone().filter(|bytes| is_text(bytes)).count() * 10 >= count * 9
    };
    if head.starts_with(&[0xFF, 0xFE, 0, 0]) || nearly_all(|bytes| bytes[2..] == [0, 0] && bytes[..2] != [0, 0]) {
        Some(Foreign::Encoding("UTF-32LE"))
    } else if head.starts_with(&[0, 0, 0xFE, 0xFF]) || nearly_all(|bytes| bytes[..2] == [0, 0] && bytes[2..] != [0, 0])
    {
        Some(Foreign::Encoding("UTF-32BE"))
    } else {
        None
    }
}

/// Recognises text with another structure: HTML, XML, JSON and CSV.
fn markup(head: &[u8]) -> Option<Foreign> {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    let begins = |tag: &[u8]| text.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag));
    match text {
        [b'<', ..] if [&b"<!doctype html"[..], b"<html", b"<head", b"<body"].iter().any(|tag| begins(tag)) => {
            Some(Foreign::Html)
        }
        _ if begins_list(text) => None,
        [b'<', ..] if begins(b"<?xml") || begins(b"<svg") || begins(b"<!doctype") => Some(Foreign::Xml),
        [b'{', rest @ ..] if is_followed(rest, b':') => Some(Foreign::Json),
        [b'[', rest @ ..] if begins_array(rest.trim_ascii_start()) => Some(Foreign::Json),
        _ if is_table(text, text.len() < head.len().min(HEAD)) => Some(Foreign::Csv),
        _ => None,
    }
}

/// Whether the text begins with a value of a JSON array, and not with the name of a tag.
fn begins_array(text: &[u8]) -> bool {
    let open = text.iter().take_while(|byte| **byte == b'[' || byte.is_ascii_whitespace()).count();
    let is_nested = text[..open].contains(&b'[');
    let text = &text[open..];
    let word = text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte)).count();
    let (word, rest) = text.split_at(word);
    let is_value =
        matches!(word, [b'0'..=b'9' | b'-', ..] | b"true" | b"false" | b"null") || word.is_empty() && is_nested;
    match rest.trim_ascii_start() {
        [b'{', ..] => word.is_empty(),
        [b',', ..] => is_value,
        [b']', rest @ ..] => is_value && matches!(rest.trim_ascii_start(), [] | [b',' | b']', ..]),
        rest => word.is_empty() && is_followed(rest, b','),
    }
}

/// Whether the text begins with a JSON string that is followed by this character.
fn is_followed(text: &[u8], mark: u8) -> bool {
    let Some(string) = text.trim_ascii_start().strip_prefix(b"\"") else {
        return false;
    };
    let mut is_escaped = false;
    let end = string.iter().position(|byte| {
        let ends = *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        ends
    });
    end.is_some_and(|end| string[end + 1..].trim_ascii_start().first() == Some(&mark))
}

/// Whether the text is a table: each line has as many fields as the first line, which has the names of the columns. A
/// first line with a FEN among its fields is a table, too.
fn is_table(text: &[u8], is_whole: bool) -> bool {
    let mut lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end).collect();
    if !is_whole && lines.len() > 1 {
        lines.pop();
    }
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    let Some((header, rows)) = lines.split_first() else {
        return false;
    };
    // Text with tag pairs or numbered moves is not a table, and neither is a list of openings.
    if lines.iter().any(|line| line.starts_with(b"[") || line.starts_with(b"1.") || labelled_game(line, 0).is_some()) {
        return false;
    }
    [b',', b'\t', b';'].into_iter().any(|separator| {
        let names = fields(header, separator);
        let has_fen =
            separator != b';' && names.len() > 1 && names.iter().any(|name| begins_fen(name) && has_four_words(name));
        let is_header = names.len() > 1 && names.iter().all(|name| is_column_name(name));
        has_fen || is_header && !rows.is_empty() && rows.iter().all(|row| fields(row, separator).len() == names.len())
    })
}

/// Returns the fields of a line, without their quotes.
fn fields(line: &[u8], separator: u8) -> Vec<&[u8]> {
    let mut fields = Vec::new();
    let (mut start, mut is_quoted) = (0, false);
    for (at, byte) in line.iter().enumerate() {
        is_quoted ^= *byte == b'"';
        if *byte == separator && !is_quoted {
            fields.push(&line[start..at]);
            start = at + 1;
        }
    }
    fields.push(&line[start..]);
    let unquoted =
        |field: &'_ [u8]| field.strip_prefix(b"\"").and_then(|field| field.strip_suffix(b"\"")).map(<[u8]>::len);
    fields.into_iter().map(|field| unquoted(field).map_or(field, |length| &field[1..=length])).collect()
}

fn is_column_name(name: &[u8]) -> bool {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b" _-.#%/()[]:".contains(byte) || *byte >= 0x80;
    name.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_')
        && name.len() <= 64
        && name.last() != Some(&b' ')
        && name.iter().all(is_plain)
        && !is_move_shaped(name)
}

fn has_four_words(text: &[u8]) -> bool {
    text.split(|byte| *byte == b' ').filter(|word| !word.is_empty()).count() >= 4
}

/// Recognises a file by its extension if its bytes have no magic number.
fn by_ending(ending: &str, head: &[u8]) -> Option<Foreign> {
    let is_control = |byte: &u8| *byte < b' ' && !byte.is_ascii_whitespace();
    let is_binary = head.iter().any(is_control);
    match ending {
        "csv" | "tsv" => {
            let first = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
            let is_row = first.iter().any(|byte| b",;\t".contains(byte)) && !first.starts_with(b"[");
            let has_tags = head.windows(2).any(|pair| pair[0] == b'\n' && pair[1] == b'[');
            let has_games = || head.split(|byte| *byte == b'\n').any(|line| labelled_game(line, 0).is_some());
            let is_table = is_row && !has_tags && !begins_fen(first) && !begins_list(head) && !has_games();
            is_table.then_some(Foreign::Csv)
        }
        "zip" if head.is_empty() => Some(Foreign::Empty("zip archive")),
        "parquet" if head.is_empty() => Some(Foreign::Empty("Parquet file")),
        "arrow" | "feather" | "arrows" | "ipc" if head.is_empty() => Some(Foreign::Empty("Arrow file")),
        "si4" | "si5" | "sg4" | "sg5" if head.is_empty() => Some(Foreign::Empty("file of a Scid database")),
        "cbh" | "cbv" | "2cbh" if head.is_empty() => Some(Foreign::Empty("ChessBase database")),
        _ if !is_binary => None,
        "cbh" | "cbg" | "cba" | "cbc" | "cbt" | "cbp" | "cbs" | "cbj" | "cbe" | "cbv" | "cbz" | "cbf" | "cbi"
        | "2cbh" => Some(Foreign::ChessBase),
        "si3" | "sg3" | "sn3" | "si4" | "sg4" | "sn4" | "si5" | "sg5" | "sn5" => Some(Foreign::Scid),
        "bin" => Some(if begins_book(head) { Foreign::Book } else { Foreign::Binary }),
        "ctg" | "cto" | "ctb" | "abk" => Some(Foreign::Book),
        "7z" => Some(Foreign::SevenZip),
        "rar" => Some(Foreign::Rar),
        "tar" => Some(Foreign::Tar),
        "br" => Some(Foreign::Compressed("brotli")),
        "lzma" | "xz" => Some(Foreign::Xz),
        _ => None,
    }
}

/// Whether a file begins like a Polyglot book: entries of 16 bytes with a key, a move, a weight and what was learned,
/// all of them big-endian, in the order of their keys.
fn begins_book(head: &[u8]) -> bool {
    let (entries, _) = head.as_chunks::<16>();
    let key = |entry: &[u8; 16]| entry.first_chunk().map(|key| u64::from_be_bytes(*key));
    let is_move = |entry: &[u8; 16]| {
        let bits = u16::from_be_bytes([entry[8], entry[9]]);
        let (to, from, promotion) = (bits & 63, bits >> 6 & 63, bits >> 12);
        to != from && promotion <= 4
    };
    // Other data may look like a few entries, but not with nothing learned.
    let is_short = entries.len() < 16;
    !entries.is_empty()
        && entries.iter().all(|entry| is_move(entry) && !(is_short && entry[12..] != [0; 4]))
        && entries.is_sorted_by_key(key)
}

/// Returns the name of the program that decompresses a file, if its name is that of a compressed tar archive. Only that
/// program can see what is in the file.
fn program_around_tar(kind: Foreign, name: &Path) -> Option<&'static str> {
    let program = match kind {
        Foreign::Xz => "xz",
        Foreign::Compressed(program @ ("lz4" | "lzip" | "lzop" | "compress" | "brotli")) => program,
        _ => return None,
    };
    let is_ending = |path: &Path, endings: &[&str]| {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        endings.iter().any(|known| known.eq_ignore_ascii_case(ending))
    };
    let is_tar = is_ending(name, &["txz", "tlz", "taz"])
        || name.file_stem().is_some_and(|stem| is_ending(stem.as_ref(), &["tar"]));
    is_tar.then_some(program)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Foreign;

    #[track_caller]
    fn check(head: &[u8], expected: Option<Foreign>) {
        assert_eq!(Foreign::detect(head, None), expected, "{}", head.escape_ascii());
    }

    #[test]
    fn a_file_is_told_by_its_first_bytes() {
        check(b"PK\x03\x04\x14\0\0\0\x08\0games.pgn 1. e4 *", Some(Foreign::Zip));
        check(b"PK\x05\x06\0\0\0\0", Some(Foreign::Zip));
        check(&[&b"PK\x03\x04"[..], &[0; 26], b"[Content_Types].xml"].concat(), Some(Foreign::Office));
        check(b"7z\xbc\xaf\x27\x1c\0\x04", Some(Foreign::SevenZip));
        check(b"Rar!\x1a\x07\x01\0", Some(Foreign::Rar));
        check(&[&b"games.pgn"[..], &[0; 248], b"ustar\x0000"].concat(), Some(Foreign::Tar));
        check(b"\xfd7zXZ\0\0\x04", Some(Foreign::Xz));
        check(b"\x5d\0\0\x80\0\xff\xff\xff\xff\xff\xff\xff\xff\0", Some(Foreign::Xz));
        check(b"SQLite format 3\0\x10\0", Some(Foreign::Database("SQLite")));
        check(b"PAR1\x15\x04", Some(Foreign::Parquet));
        check(b"\xff\xff\xff\xff\x10\x01\0\0\x10", Some(Foreign::Arrow));
        check(b"%PDF-1.7\n%\xe2", Some(Foreign::Pdf));
        check(b"\x7fELF\x02\x01", Some(Foreign::Program));
        check(b"MZ\x90\0\x03\0", Some(Foreign::Program));
        check(b"\0\0\x2c\0\x2e\x01\0\0", Some(Foreign::ChessBase));
        check(b"Scid.si\0\x01\x90", Some(Foreign::Scid));
        check(b"\x89PNG\r\n\x1a\n", Some(Foreign::Media));
        check(b"PARE\0\0", Some(Foreign::Table("an encrypted Parquet file")));
        for text in ["\u{feff}1", "[Event \"x\"]\n\n1. e4 *", "Партии Карпова"] {
            let utf32 =
                |bytes: fn(u32) -> [u8; 4]| text.chars().flat_map(|char| bytes(char.into())).collect::<Vec<u8>>();
            check(&utf32(u32::to_le_bytes), Some(Foreign::Encoding("UTF-32LE")));
            check(&utf32(u32::to_be_bytes), Some(Foreign::Encoding("UTF-32BE")));
        }
    }

    #[test]
    fn markup_is_told_by_how_it_begins() {
        check(b"\xef\xbb\xbf\n <!DOCTYPE HTML>\n<title>", Some(Foreign::Html));
        check(b"<?xml version=\"1.0\"?>", Some(Foreign::Xml));
        check(b"{\"id\": \"abc\", \"moves\": \"e4 e5\"}\n", Some(Foreign::Json));
        check(b"[\n  {\"pgn\": \"1. e4\"}]", Some(Foreign::Json));
        check(b"[\"a \\\" b\", \"c\"]", Some(Foreign::Json));
        for array in ["[[1, 2], []]", "[\n  -1.5e3 , 2]", "[1]", "[null]", "[true,false]", "[{}]"] {
            check(array.as_bytes(), Some(Foreign::Json));
        }
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        check(format!("[\"{fen}\", \"{fen}\"]").as_bytes(), Some(Foreign::Json));
        check(format!("{{\"fen\": \"{fen}\", \"moves\": \"e4\"}}").as_bytes(), Some(Foreign::Json));
        check(format!("[\n  \"{fen}\",\n  \"{fen}\"\n]").as_bytes(), None);
        check(format!("{{\"fen\": \"{fen}\", \"cp\": 20}}").as_bytes(), None);
    }

    #[test]
    fn a_table_has_as_many_fields_on_every_line() {
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let check = |text: &str, is_table: bool| check(text.as_bytes(), is_table.then_some(Foreign::Csv));
        check("game,ply,san,fen\n1,0,,x\n1,1,e4,\"a, b\"\n", true);
        check("White Elo;Black Elo\n2800;2700\n", true);
        check("game\tply\tsan\tfen\r\n1\t0\t\tx\r\n", true);
        check(&format!("00sHx,{fen},e2e4\n"), true);
        check(&format!("{fen},{fen}\n"), true);
        check(&format!("id,fen,cp\n1,{fen},20\n"), true);
        check(&format!("{fen},0.35\n"), false);
        check(&format!("\"{fen}\",\"e4\"\n"), false);
        check(&format!("{fen}\t0.35\n"), false);
        check(&format!("12,{fen},0.35\n"), false);
        check(&format!("FEN,Evaluation\n{fen},-10\n{fen},+56\n"), false);
        check(&format!("{fen} bm e4; id \"a, b\";\n"), false);
        check("Dear Bob, Jane,\nhere are, some\n", false);
        check("White,Black\nis the title,of this\n[Event \"x\"]\n", false);
        check("e4,e5\nd4,d5\n", false);
        check("a,b,c\n", false);
        check("a,b\nc,d,e\n", false);
        check("eco\tname\tpgn\nA00\tAmar Opening\t1. Nh3\n", false);
        check("eco\tname\tpgn\nA00\tAmar Opening\tnone\n", true);
    }

    #[test]
    fn what_games_begin_with_is_no_other_kind() {
        for text in [
            "",
            "[Event \"x\"]\n",
            "[\"nameless\"]\n[Event \"x\"]",
            "[1 \"x\"]\n1. e4 *",
            "[null \"x\"]\n1. e4 *",
            "[[Event \"x\"]]",
            "[]",
            "[Event]\n1. e4 *",
            "{\"The best game\"}\n1. e4 *",
            "{ a comment: \"b\" }",
            "<b>prose</b>\n[Event \"x\"]",
            "; comment\n1. e4 *",
            "% escaped\n",
            "From: a\nSubject: b\n\n[Event \"x\"]",
            "BM is no picture",
            "MZ, the master\n",
            "ORC and RIFF, ID3\n",
            "PKN, 7z and Rar! are words\n",
            "\u{feff}[Event \"x\"]",
            "1. e4 *",
            "\0\0\0\0",
        ] {
            check(text.as_bytes(), None);
        }
    }

    #[test]
    fn a_name_helps_where_bytes_do_not_tell() {
        let detect = |name: &str, head: &[u8]| Foreign::detect(head, Some(Path::new(name)));
        assert_eq!(detect("a.cbv", b"\x01\x02\x03"), Some(Foreign::ChessBase));
        assert_eq!(detect("A.SG4", b"\x01\x02\x03"), Some(Foreign::Scid));
        assert_eq!(detect("a.rar", b"\x01\x02\x03"), Some(Foreign::Rar));
        assert_eq!(detect("a.tar.xz", b"\x01\x02\x03"), Some(Foreign::Xz));
        assert_eq!(detect("a.csv", b"x,1\ny\n"), Some(Foreign::Csv));
        assert_eq!(detect("a.tsv", b"eco\tname\tpgn\nA00\tAmar Opening\t1. Nh3\n"), None);
        assert_eq!(detect("a.cbv", b"[Event \"x\"]\n"), None);
        assert_eq!(detect("a.bin", b"1. e4 *"), None);
        assert_eq!(detect("a.csv", b"\n[Event \"a, b\"]\n"), None);
        assert_eq!(detect("a.pgn", b"\x01\x02\x03"), None);
    }

    /// A book may be cut short anywhere behind its first entry.
    #[test]
    fn a_book_is_entries_in_the_order_of_their_keys() {
        let check = |bytes: &[u8], expected| {
            let kind = Foreign::detect(bytes, Some(Path::new("book.bin")));
            assert_eq!(kind, Some(expected), "{}", bytes.escape_ascii());
        };
        let entry = |key: u64, play: u16, learned: u32| {
            [&key.to_be_bytes()[..], &play.to_be_bytes(), &[0, 1], &learned.to_be_bytes()].concat()
        };
        let start = entry(0x463B_9618_1691_FC9C, 0x0C1D, 0);
        check(&start, Foreign::Book);
        check(&start[..15], Foreign::Binary);
        let keys = |learned| (0..20).flat_map(|nth| entry(nth << 58, 0x0C1D, learned)).collect::<Vec<u8>>();
        check(&keys(0)[..40], Foreign::Book);
        check(&keys(7), Foreign::Book);
        check(&keys(7)[..100], Foreign::Binary);
        check(&[entry(2 << 60, 0x0C1D, 0), entry(1 << 60, 0x0C1D, 0)].concat(), Foreign::Binary);
        check(&entry(1, 0, 0), Foreign::Binary);
        check(&entry(1, 0x5C1D, 0), Foreign::Binary);
    }
}
