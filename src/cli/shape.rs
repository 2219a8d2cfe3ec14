//! The options that choose the output format, and the meaning of file name endings.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use pgn2fen::fen::{CastlingStyle, EpStyle, FenStyle, Fields};
use pgn2fen::rows::{Columns, Format, Shape};

use crate::cli::compress::Compression;
use crate::cli::foreign;
use crate::cli::say::shown;

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArguments {
    /// Write to FILE, which appears when it is complete; its ending chooses format and compression
    ///
    /// .fen .epd .tsv .csv .jsonl .uci .bullet .arrow .parquet choose the format; .zst .gz .bz2 after them compress the file, as in games.csv.zst. Endings of other
    /// well-known formats, such as .json or .xlsx, are refused. With any other ending, such as .txt, the file has a FEN on each line.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// The output format
    ///
    /// fen: a FEN on each line. epd: four FEN fields, then the operations hmvc and fmvn and those of the columns. tsv, csv, jsonl: a row on
    /// each line. uci: position fen ..., for chess engines. bullet: FEN | centipawns | result, for the bullet trainer; positions
    /// without an evaluation in centipawns or without a known result are left out. arrow: an Arrow IPC stream. parquet: a Parquet file.
    #[arg(short, long, value_name = "FORMAT", value_parser = formats())]
    format: Option<Format>,
    /// The columns of a row, such as game,ply,san,fen,White
    ///
    /// file, game, offset, line: the game and the place where it begins. ply, turn, fen, key (Polyglot): the position. san, uci: the move
    /// that led to it. next_san, next_uci: the move that was played in it. eval (centipawns from White's side; mate in n is
    /// 32000 - n) and clk (seconds): from the comments. result. Any tag, by its name. The default is game,ply,san,fen. Without --format
    /// the rows are tsv. jsonl, arrow and parquet write the tags Date, Round, WhiteElo, PlyCount and similar ones as dates and
    /// numbers, and null where they are unknown; Date_text, Round_text and so on are the text of these tags.
    #[arg(short = 'C', long, value_name = "LIST")]
    columns: Option<Columns>,
    /// Leave out the header row of tsv and csv
    #[arg(long)]
    no_header: bool,
}

/// The style of FENs, in all formats.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct StyleArguments {
    /// When to write the en passant square
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = EpArgument::Always)]
    ep: EpArgument,
    /// How to write castling rights
    #[arg(long, value_enum, value_name = "STYLE", default_value_t = CastlingArgument::Xfen)]
    castling: CastlingArgument,
    /// The number of FEN fields: six, or four without the move counters
    #[arg(long, value_name = "4|6", default_value = "6", value_parser = ["4", "6"])]
    fields: String,
}

fn formats() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.iter().map(|format| format.name()))
        .try_map(|name| Format::of_ending(&name).ok_or("not a known format"))
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum EpArgument {
    /// After every double push, as in the PGN standard of 1994
    Always,
    /// If an enemy pawn stands next to the pushed pawn
    Xfen,
    /// If a capture on it is legal
    Legal,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum CastlingArgument {
    /// KQkq, with the file of the rook only where it is needed
    Xfen,
    /// Always the files of the rooks, such as HAha
    Shredder,
}

impl StyleArguments {
    pub(crate) fn style(&self) -> FenStyle {
        FenStyle {
            ep: match self.ep {
                EpArgument::Always => EpStyle::Always,
                EpArgument::Xfen => EpStyle::Xfen,
                EpArgument::Legal => EpStyle::Legal,
            },
            castling: match self.castling {
                CastlingArgument::Xfen => CastlingStyle::Xfen,
                CastlingArgument::Shredder => CastlingStyle::Shredder,
            },
            fields: if self.fields == "4" { Fields::Four } else { Fields::Six },
        }
    }
}

impl OutputArguments {
    /// The format and columns of the output, and the compression of the file.
    pub(crate) fn shape(&self) -> Result<(Shape, Compression)> {
        let (ending, compression) = self.output.as_deref().map_or((None, Compression::None), endings);
        let about = |format: Format| (format.name(), format.is_binary());
        let format = agreed(self.format, ending.as_deref(), Format::of_ending, self.output.as_deref(), about)?;
        let format = format.unwrap_or(if self.columns.is_some() { Format::Tsv } else { Format::Fen });
        refuse_double_compression(format, compression)?;
        Ok((Shape { format, columns: self.columns.clone(), no_header: self.no_header }, compression))
    }
}

/// The format of the output, from the option `--format` and the ending of the file name. The option wins if both are text formats; other
/// contradictions are errors, and so are endings of formats that pgn2fen does not write. `about` gives the name of a format and
/// whether it is binary.
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

pub(crate) fn refuse_double_compression(format: Format, compression: Compression) -> Result<()> {
    if format == Format::Parquet && compression != Compression::None {
        bail!("Parquet files have compression of their own; let the name end in .parquet");
    }
    Ok(())
}

/// The format ending and the compression in a file name: `games.csv.zst`.
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

    use pgn2fen::rows::Format;

    use super::endings;
    use crate::cli::compress::Compression;

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
