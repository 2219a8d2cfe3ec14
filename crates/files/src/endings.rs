//! File name endings of the output: the format and the compression that they choose.

use std::path::Path;

use crate::compress::Compression;
use crate::ending_rules::EndingRules;
use crate::error::EndingError;
use crate::foreign;
use pgn2fen_rows::Format;
use pgn2fen_rows::starts::StartsFormat;

/// Returns the format and the compression of an output file of positions, from the format that the user has chosen and
/// the ending of the file name. The format is None if neither of them chooses one.
///
/// ```
/// use std::path::Path;
///
/// use pgn2fen_files::{Compression, format_of};
/// use pgn2fen_rows::Format;
///
/// assert_eq!(format_of(Path::new("games.csv.zst"), None)?, (Some(Format::Csv), Compression::Zstd));
/// assert_eq!(format_of(Path::new("games.txt"), None)?, (None, Compression::None));
/// assert!(format_of(Path::new("games.xlsx"), None).is_err());
/// # Ok::<(), pgn2fen_files::EndingError>(())
/// ```
///
/// # Errors
///
/// The chosen format and the ending contradict each other, the ending is that of a well-known format for which there is
/// no format here, or the file would be compressed twice.
pub fn format_of(file: &Path, chosen: Option<Format>) -> Result<(Option<Format>, Compression), EndingError> {
    agreed(file, chosen, Format::of_ending, EndingRules::from)
}

/// Returns the format and the compression of an output file, from the format that the user has chosen and the ending of
/// the file name. The chosen format wins if both are text. `of_ending` returns the format for an ending in lower case,
/// and `rules` the facts about a format.
///
/// # Errors
///
/// The chosen format and the ending contradict each other, the ending is that of a well-known format for which there is
/// no format here, or the file would be compressed twice.
pub fn agreed<F: Copy + PartialEq>(
    file: &Path,
    chosen: Option<F>,
    of_ending: impl Fn(&str) -> Option<F>,
    rules: impl Fn(F) -> EndingRules,
) -> Result<(Option<F>, Compression), EndingError> {
    let (ending, compression) = endings(file);
    let named = ending.as_deref().and_then(of_ending);
    if let (Some(ending), None) = (&ending, named) {
        foreign::refuse(file, ending, chosen.map(&rules))?;
    }
    if let (Some(chosen), Some(named)) = (chosen, named) {
        let (of_chosen, of_ending) = (rules(chosen), rules(named));
        if of_chosen.is_binary != of_ending.is_binary || of_chosen.is_binary && chosen != named {
            let (format, ending) = (of_chosen.name, of_ending.name);
            return Err(EndingError::Contradiction { file: file.to_owned(), format, ending });
        }
    }
    let format = chosen.or(named);
    if let Some(EndingRules { name: format, is_compressed: true, .. }) = format.map(rules)
        && compression != Compression::None
    {
        return Err(EndingError::CompressedTwice { format });
    }
    Ok((format, compression))
}

/// Returns the compression of an output file of games, from the ending of its name.
///
/// ```
/// use std::path::Path;
///
/// use pgn2fen_files::{Compression, compression_of_games};
///
/// assert_eq!(compression_of_games(Path::new("strong.pgn.zst"))?, Compression::Zstd);
/// assert!(compression_of_games(Path::new("strong.csv")).is_err());
/// # Ok::<(), pgn2fen_files::EndingError>(())
/// ```
///
/// # Errors
///
/// The ending is that of another format.
pub fn compression_of_games(file: &Path) -> Result<Compression, EndingError> {
    let refused = |file, what| {
        let instead = "games are written as PGN; use .pgn or .pgn.zst, or write rows of positions";
        EndingError::Foreign { file, what, instead }
    };
    // Without a chosen format, every ending that is known to mean something else is refused.
    let agreed = agreed(file, None, StartsFormat::named, EndingRules::from).map_err(|error| match error {
        EndingError::Foreign { file, what, .. } => refused(file, what),
        error => error,
    });
    match agreed? {
        (None | Some(StartsFormat::Games), compression) => Ok(compression),
        (Some(other), _) => Err(refused(file.to_owned(), EndingRules::from(other).name)),
    }
}

/// Returns the ending for the format, in lower case, and the compression of a file name such as `games.csv.zst`.
fn endings(path: &Path) -> (Option<String>, Compression) {
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

    use super::format_of;
    use crate::compress::Compression;
    use pgn2fen_rows::Format;

    #[track_caller]
    fn check(name: &str, format: Option<Format>, compression: Compression) {
        assert_eq!(format_of(Path::new(name), None), Ok((format, compression)), "{name}");
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

    #[track_caller]
    fn check_refused(name: &str, chosen: Option<Format>, expected: &str) {
        assert_eq!(format_of(Path::new(name), chosen).unwrap_err().to_string(), expected);
    }

    #[test]
    fn a_name_that_does_not_go_with_the_format_is_refused() {
        check_refused(
            "x.parquet",
            Some(Format::Csv),
            "the format is csv, but x.parquet has the ending of parquet; leave one of them out",
        );
        check_refused(
            "x.arrow",
            Some(Format::Parquet),
            "the format is parquet, but x.arrow has the ending of arrow; leave one of them out",
        );
        let twice = "Parquet files have compression of their own; let the name end in .parquet";
        check_refused("x.parquet.gz", None, twice);
        check_refused("x.gz", Some(Format::Parquet), twice);
        check_refused(
            "x\u{1b}.json",
            None,
            "x\u{fffd}.json has the ending of a JSON document, which cannot be written here; use .jsonl for a JSON \
             object on each line",
        );
        assert_eq!(format_of(Path::new("x.csv"), Some(Format::Tsv)), Ok((Some(Format::Tsv), Compression::None)));
    }
}
