//! What the output looks like: the options that say so, and what the ending of a file says.

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
    /// Write to FILE, which appears when it is whole; its ending picks format and compression
    ///
    /// .fen .epd .tsv .csv .jsonl .uci .arrow .parquet pick the format, and .zst .gz .bz2 behind them compress the file:
    /// games.csv.zst. Endings of other well-known formats, such as .json or .xlsx, are refused. Any other ending, such as .txt, is for
    /// lines of FEN.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// How positions are written
    ///
    /// fen: a FEN a line. epd: four fields and operations, hmvc, fmvn and those of the columns. tsv, csv, jsonl: a row a
    /// line. uci: position fen ..., for engines. bullet: FEN | centipawns | result, for that trainer; positions without an
    /// evaluation in centipawns (mates have none) or without a result are left out. arrow: an IPC stream. parquet: a file.
    #[arg(short, long, value_name = "FORMAT", value_parser = formats())]
    format: Option<Format>,
    /// What a row says, such as game,ply,san,fen,White; tags by their names
    ///
    /// file, game, offset, line: the game and where it begins. ply, turn, fen, key (Polyglot): the position. san, uci: the
    /// move that led to it. next_san, next_uci: the move played there. eval (centipawns from White's side, mate in n is
    /// 32000 - n) and clk (seconds) from the comments. result. By default game,ply,san,fen. Without a format the rows are
    /// tsv. jsonl, arrow and parquet have the tags Date, Round, WhiteElo, PlyCount and their like as dates and numbers, null where
    /// unknown; Date_text, Round_text and so on are these tags as they are written.
    #[arg(short = 'C', long, value_name = "LIST")]
    columns: Option<Columns>,
    /// Leave out the names of the columns, in tsv and csv
    #[arg(long)]
    no_header: bool,
}

/// How positions are written, whatever the format.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct StyleArguments {
    /// The en passant square: after every double push, where an enemy pawn stands beside, or where a capture is legal
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = EpArgument::Always)]
    ep: EpArgument,
    /// Castling rights: KQkq with file letters only where needed, or always the rooks' files (HAha)
    #[arg(long, value_enum, value_name = "STYLE", default_value_t = CastlingArgument::Xfen)]
    castling: CastlingArgument,
    /// Six fields, or four, without the clocks
    #[arg(long, value_name = "4|6", default_value = "6", value_parser = ["4", "6"])]
    fields: String,
}

fn formats() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::name))
        .try_map(|name| Format::of_ending(&name).ok_or("not a known format"))
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum EpArgument {
    Always,
    Xfen,
    Legal,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum CastlingArgument {
    Xfen,
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
    /// The format and the columns, and how the file is compressed.
    pub(crate) fn shape(&self) -> Result<(Shape, Compression)> {
        let (ending, compression) = self.output.as_deref().map_or((None, Compression::None), endings);
        let about = |format: Format| (format.name(), format.is_binary());
        let format = agreed(self.format, ending.as_deref(), Format::of_ending, self.output.as_deref(), about)?;
        let format = format.unwrap_or(if self.columns.is_some() { Format::Tsv } else { Format::Fen });
        refuse_double_compression(format, compression)?;
        Ok((Shape { format, columns: self.columns.clone(), no_header: self.no_header }, compression))
    }
}

/// The format that is asked for, and the one that the ending of a file tells: the first, if they go together. Each has a name, and
/// is binary or not. The ending must not be one of a format that is not written.
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
            bail!("--format is {name}, but {file} ends like {ending_name}; leave one of them out");
        }
    }
    Ok(chosen.or(ending))
}

pub(crate) fn refuse_double_compression(format: Format, compression: Compression) -> Result<()> {
    if format == Format::Parquet && compression != Compression::None {
        bail!("a Parquet file is compressed inside; name it .parquet and nothing behind that");
    }
    Ok(())
}

/// What the name of a file says: `games.csv.zst`.
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
