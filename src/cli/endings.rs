//! File name endings of the output: the format and the compression that they choose.

use std::path::Path;

use anyhow::{Result, bail};

use crate::cli::compress::Compression;
use crate::cli::foreign;
use crate::messages::shown;
use crate::rows::Format;

/// Returns the format of the output, from the option `--format` and the ending of the file name. The option wins if both are text
/// formats; other contradictions are errors, and so are endings of formats that pgn2fen does not write. `about` returns the name of a
/// format and whether it is binary.
pub(crate) fn agreed<F: Copy + PartialEq>(
    chosen: Option<F>,
    ending: Option<&str>,
    of_ending: impl Fn(&str) -> Option<F>,
    file: Option<&Path>,
    about: impl Fn(F) -> (&'static str, bool),
) -> Result<Option<F>> {
    let named = ending.and_then(of_ending);
    if let (Some(file), Some(ending), None) = (file, ending, named) {
        foreign::refuse(file, ending, chosen.map(|chosen| about(chosen).1))?;
    }
    let ending = named;
    if let (Some(chosen), Some(ending)) = (chosen, ending) {
        let ((name, is_binary), (ending_name, ending_is_binary)) = (about(chosen), about(ending));
        if is_binary != ending_is_binary || is_binary && chosen != ending {
            let file = shown(file.unwrap_or(Path::new("")));
            bail!("--format is {name}, but {file} has the ending of {ending_name}; leave one of them out");
        }
    }
    Ok(chosen.or(ending))
}

/// Refuses to compress a Parquet file, which contains compressed data already.
pub(crate) fn refuse_double_compression(format: Format, compression: Compression) -> Result<()> {
    if format == Format::Parquet && compression != Compression::None {
        bail!("Parquet files have compression of their own; let the name end in .parquet");
    }
    Ok(())
}

/// Returns the ending for the format, in lower case, and the compression of a file name such as `games.csv.zst`.
pub(crate) fn endings(path: &Path) -> (Option<String>, Compression) {
    let ending = |path: &Path| path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
    let compression = ending(path).and_then(|ending| Compression::of_ending(&ending));
    let format = match compression {
        Some(_) => path.file_stem().and_then(|stem| ending(Path::new(stem))),
        None => ending(path),
    };
    (format, compression.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::endings;
    use crate::cli::compress::Compression;
    use crate::rows::Format;

    #[track_caller]
    fn check(name: &str, format: Option<Format>, compression: Compression) {
        let (ending, found) = endings(Path::new(name));
        assert_eq!((ending.and_then(|ending| Format::of_ending(&ending)), found), (format, compression), "{name}");
    }

    #[test]
    fn the_ending_picks_format_and_compression() {
        check("a.csv", Some(Format::Csv), Compression::None);
        check("dir.csv/a", None, Compression::None);
        check("A.PARQUET", Some(Format::Parquet), Compression::None);
        check("a.b.jsonl.gz", Some(Format::Jsonl), Compression::Gzip);
        check("a.ndjson.bz2", Some(Format::Jsonl), Compression::Bzip2);
        check("a.zst", None, Compression::Zstd);
        check("a.txt.zst", None, Compression::Zstd);
        check("csv", None, Compression::None);
    }
}
