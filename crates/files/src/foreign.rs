//! File name endings of well-known formats that pgn2fen does not write. The content of such a file would not match its
//! name, so the name is refused before anything is read. Other endings (`.txt`, `.out`, `.fens`, none) are allowed.

use std::path::Path;

use crate::ending_rules::EndingRules;
use crate::error::EndingError;
use pgn2fen_rows::Format;

/// A kind of format that pgn2fen does not write.
struct ForeignEnding {
    /// The endings, with a space between them.
    endings: &'static str,
    /// A name for this kind of file, as in "a spreadsheet".
    what: &'static str,
    is_binary: bool,
    /// Advice about what to use instead, as a phrase.
    instead: &'static str,
}

const FOREIGN: [ForeignEnding; 19] = [
    text("pgn", "a PGN file", "`pgn2fen games` copies games; use .fen for positions"),
    text("json json5", "a JSON document", "use .jsonl for a JSON object on each line"),
    binary("xlsx xls xlsm xlsb ods numbers", "a spreadsheet", "use .csv, which spreadsheets open"),
    binary("feather ipc", "a Feather or Arrow file", "use .arrow for an Arrow IPC stream or .parquet"),
    binary(
        "avro orc h5 hdf5 npy npz pkl pickle rds dta sav tfrecord safetensors",
        "a binary table",
        "use .parquet or .arrow",
    ),
    binary(
        "sqlite sqlite3 db db3 duckdb mdb accdb",
        "a database",
        "use .parquet or .csv, which databases import; `pgn2fen index` builds an index of positions",
    ),
    text("bullet plain", "text for a trainer of neural networks", "starting positions have no evaluation; use .fen"),
    binary(
        "bulletformat viri viriformat vf binpack",
        "data for a trainer of neural networks",
        "starting positions have no evaluation; use .fen",
    ),
    text("sql", "SQL", "use .csv or .parquet, which databases import"),
    binary(
        "zip 7z rar tar jar cab iso tgz tbz tbz2 txz tzst",
        "an archive",
        "use .zst, .gz or .bz2 to compress one file: positions.fen.zst",
    ),
    binary("xz lzma lz lz4 lzo br sz z", "a compressed file", "use .zst, .gz or .bz2: positions.fen.zst"),
    binary("svg png", "a picture of one board", "use .html for a page of boards"),
    binary(
        "jpg jpeg gif bmp webp tif tiff ico mp4 webm",
        "a picture",
        "use .html for a page of boards, or .svg for a file for each board",
    ),
    binary(
        "pdf doc docx odt rtf ps eps epub djvu",
        "a document",
        "use .html, which browsers print as PDF, or .csv for a table",
    ),
    text(
        "xhtml xml yaml yml toml md tex",
        "a text with its own markup",
        "use .html for a page of boards, .csv or .tsv for a table, or .jsonl",
    ),
    binary(
        "cbh cbv cbf cbz cbone 2cbh si3 si4 si5 sg4 sg5 sn4 sn5 ctg abk pgi",
        "a chess database or opening book",
        "use .fen or .epd; `pgn2fen index` builds an index of positions",
    ),
    binary("idx", "an index of positions", "`pgn2fen index` builds one, in a folder of that name"),
    binary(
        BIN,
        "a binary file of any kind",
        "for training data, name the format with -f viri or -f bulletformat; `pgn2fen book` writes opening \
            books",
    ),
    binary("exe dll so o wasm", "a program", "use .parquet or .arrow"),
];

const fn binary(endings: &'static str, what: &'static str, instead: &'static str) -> ForeignEnding {
    ForeignEnding { endings, what, is_binary: true, instead }
}

const fn text(endings: &'static str, what: &'static str, instead: &'static str) -> ForeignEnding {
    ForeignEnding { endings, what, is_binary: false, instead }
}

/// The ending of opening books, training data, programs and others. A format that the user has chosen says what it is.
const BIN: &str = "bin";

/// Refuses a file with the ending of a format that pgn2fen, or this command of it, does not write. The ending is in
/// lower case. If the user has chosen a text format, endings of other text formats are allowed.
///
/// # Errors
///
/// Returns an error for an ending that is refused.
pub(super) fn refuse(file: &Path, ending: &str, chosen: Option<EndingRules>) -> Result<(), EndingError> {
    let foreign = FOREIGN.iter().find(|foreign| foreign.endings.split(' ').any(|known| known == ending));
    let (what, is_binary, instead) = match (foreign, Format::of_ending(ending)) {
        (Some(foreign), _) => (foreign.what, foreign.is_binary, foreign.instead),
        (None, Some(format)) => (format.name(), format.is_binary(), "choose the ending of a format that is"),
        (None, None) => return Ok(()),
    };
    let is_allowed = |chosen: EndingRules| match chosen.is_binary {
        true => chosen.may_be_bin && ending == BIN,
        false => !is_binary,
    };
    if chosen.is_some_and(is_allowed) {
        return Ok(());
    }
    Err(EndingError::Foreign { file: file.to_owned(), what, instead })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::path::Path;

    use super::{EndingRules, FOREIGN, refuse};
    use crate::compress::Compression;
    use pgn2fen_rows::Format;

    #[test]
    fn an_ending_is_foreign_once_and_never_one_of_ours() {
        let mut seen = HashSet::new();
        for ending in FOREIGN.iter().flat_map(|foreign| foreign.endings.split(' ')) {
            assert!(seen.insert(ending), "{ending}");
            assert!(Compression::of_ending(ending).is_none(), "{ending}");
            // `starts` does not write these formats, but other commands do.
            assert!(Format::of_ending(ending).is_none_or(Format::is_for_training), "{ending}");
        }
    }

    #[test]
    fn text_goes_under_a_foreign_name_only_where_the_format_is_named() {
        let rules = |is_binary| EndingRules { name: "a", is_binary, is_compressed: false, may_be_bin: false };
        let is_refused =
            |ending, is_binary: Option<bool>| refuse(Path::new("a"), ending, is_binary.map(rules)).is_err();
        assert!(is_refused("json", None) && !is_refused("json", Some(false)) && is_refused("json", Some(true)));
        assert!(is_refused("xlsx", None) && is_refused("xlsx", Some(false)) && is_refused("feather", Some(true)));
        assert!(!is_refused("txt", None) && !is_refused("fens", None) && !is_refused("out", Some(true)));
        // Formats that other commands write.
        assert!(is_refused("csv", None) && !is_refused("csv", Some(false)) && is_refused("arrow", Some(false)));
        let may_be_bin = |is_binary| Some(EndingRules { may_be_bin: true, ..rules(is_binary) });
        let is_refused = |ending, rules| refuse(Path::new("a"), ending, rules).is_err();
        assert!(
            !is_refused("bin", may_be_bin(true)) && is_refused("bin", Some(rules(true))) && is_refused("bin", None)
        );
        assert!(is_refused("bin", may_be_bin(false)) && is_refused("exe", may_be_bin(true)));
    }
}
