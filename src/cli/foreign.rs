//! Endings of files in well-known formats that are not written here. Text under such a name would be taken for what it is not, so
//! the name is refused before anything is read. Endings that nobody knows (`.txt`, `.out`, `.fens`, none) are the user's own.

use std::path::Path;

use anyhow::{Result, bail};

use crate::cli::say::shown;

/// Formats that are not written, by the endings of their files.
struct Foreign {
    endings: &'static [&'static str],
    /// A name for this kind of file, as in "a spreadsheet".
    what: &'static str,
    is_binary: bool,
    /// The formats that are written instead, as a phrase.
    instead: &'static str,
}

const FOREIGN: [Foreign; 15] = [
    Foreign {
        endings: &["pgn"],
        what: "a PGN file",
        is_binary: false,
        instead: "positions are no games; .fen has a FEN a line, and `pgn2fen starts` copies games",
    },
    Foreign {
        endings: &["json", "json5"],
        what: "a JSON document",
        is_binary: false,
        instead: ".jsonl has a JSON object a line",
    },
    Foreign {
        endings: &["xlsx", "xls", "xlsm", "xlsb", "ods", "numbers"],
        what: "a spreadsheet",
        is_binary: true,
        instead: ".csv is what spreadsheets open",
    },
    Foreign {
        endings: &["feather", "ipc"],
        what: "a Feather or Arrow file",
        is_binary: true,
        instead: ".arrow is an Arrow IPC stream, .parquet a Parquet file",
    },
    Foreign {
        endings: &[
            "avro",
            "orc",
            "h5",
            "hdf5",
            "npy",
            "npz",
            "pkl",
            "pickle",
            "rds",
            "dta",
            "sav",
            "tfrecord",
            "safetensors",
        ],
        what: "a binary table",
        is_binary: true,
        instead: "of binary tables there are .parquet and .arrow",
    },
    Foreign {
        endings: &["sqlite", "sqlite3", "db", "db3", "duckdb", "mdb", "accdb"],
        what: "a database",
        is_binary: true,
        instead: ".parquet and .csv are what databases import; `pgn2fen index` makes an index of positions",
    },
    Foreign {
        endings: &["bullet"],
        what: "text for the bullet trainer",
        is_binary: false,
        instead: "a start has no evaluation; .fen has a FEN a line",
    },
    Foreign {
        endings: &["sql"],
        what: "SQL",
        is_binary: false,
        instead: ".csv and .parquet are what databases import",
    },
    Foreign {
        endings: &["zip", "7z", "rar", "tar", "jar", "cab", "iso", "tgz", "tbz", "tbz2", "txz", "tzst"],
        what: "an archive",
        is_binary: true,
        instead: ".zst, .gz or .bz2 behind another ending compresses one file: positions.fen.zst",
    },
    Foreign {
        endings: &["xz", "lzma", "lz", "lz4", "lzo", "br", "sz", "z"],
        what: "a compressed file",
        is_binary: true,
        instead: "files are compressed as .zst, .gz or .bz2: positions.fen.zst",
    },
    Foreign {
        endings: &["svg", "png", "jpg", "jpeg", "gif", "bmp", "webp", "tif", "tiff", "ico", "mp4", "webm"],
        what: "a picture",
        is_binary: true,
        instead: "boards are not drawn; .fen has a FEN a line",
    },
    Foreign {
        endings: &["pdf", "doc", "docx", "odt", "rtf", "ps", "eps", "epub", "djvu"],
        what: "a document",
        is_binary: true,
        instead: ".csv and .tsv are tables, .fen has a FEN a line",
    },
    Foreign {
        endings: &["html", "htm", "xhtml", "xml", "yaml", "yml", "toml", "md", "tex"],
        what: "a text with its own markup",
        is_binary: false,
        instead: ".csv and .tsv are tables, .jsonl has a JSON object a line",
    },
    Foreign {
        endings: &[
            "cbh", "cbv", "cbf", "cbz", "cbone", "2cbh", "si3", "si4", "si5", "sg4", "sg5", "sn4", "sn5", "ctg", "abk",
            "pgi",
        ],
        what: "a chess database or opening book",
        is_binary: true,
        instead: ".fen has a FEN a line, .epd positions with operations; `pgn2fen index` makes an index of positions",
    },
    Foreign {
        endings: &["bin", "binpack", "exe", "dll", "so", "o", "wasm"],
        what: "a binary file",
        is_binary: true,
        instead: "of binary tables there are .parquet and .arrow; --format bullet writes the text that bullet converts",
    },
];

/// Refuses a file for its ending, which is in lower case and none of a format that is written. With a format that was named, text goes
/// into any file that is text.
///
/// # Errors
///
/// The ending is one of another format.
pub(crate) fn refuse(file: &Path, ending: &str, is_binary: Option<bool>) -> Result<()> {
    let Some(foreign) = FOREIGN.iter().find(|foreign| foreign.endings.contains(&ending)) else {
        return Ok(());
    };
    if is_binary.is_some_and(|is_binary| !is_binary && !foreign.is_binary) {
        return Ok(());
    }
    bail!("{} ends like {}, which is not written; {}", shown(file), foreign.what, foreign.instead)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::path::Path;

    use pgn2fen::rows::Format;

    use super::{FOREIGN, refuse};
    use crate::cli::compress::Compression;

    #[test]
    fn an_ending_is_foreign_once_and_never_one_of_ours() {
        let mut seen = HashSet::new();
        for ending in FOREIGN.iter().flat_map(|foreign| foreign.endings) {
            assert!(seen.insert(ending), "{ending}");
            // Only `starts` does not write that.
            let is_format = Format::of_ending(ending).is_some_and(|format| format != Format::Bullet);
            assert!(!is_format && Compression::of_ending(ending).is_none(), "{ending}");
        }
    }

    #[test]
    fn text_goes_under_a_foreign_name_only_where_the_format_is_named() {
        let is_refused = |ending, is_binary| refuse(Path::new("a"), ending, is_binary).is_err();
        assert!(is_refused("json", None) && !is_refused("json", Some(false)) && is_refused("json", Some(true)));
        assert!(is_refused("xlsx", None) && is_refused("xlsx", Some(false)) && is_refused("feather", Some(true)));
        assert!(!is_refused("txt", None) && !is_refused("fens", None) && !is_refused("out", Some(true)));
    }
}
