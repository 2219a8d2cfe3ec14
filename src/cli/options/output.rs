//! The options that choose the output file, its format and the style of FENs.

use std::path::PathBuf;

use anyhow::Result;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use crate::fen::{CastlingStyle, EpStyle, FenStyle, Fields};
use crate::files::{Compression, format_of};
use crate::rows::{Columns, Format, Shape};

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArguments {
    /// Write to FILE, which appears when it is complete; its ending chooses format and compression
    ///
    /// .fen .epd .tsv .csv .jsonl .uci .bullet .arrow .parquet choose the format; .zst .gz .bz2 after them compress the file, as in
    /// games.csv.zst. Endings of other well-known formats, such as .json or .xlsx, are refused. With any other ending, such as .txt, the
    /// file has a FEN on each line.
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
    /// Returns the style of FENs.
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
    /// Returns the format and columns of the output, and the compression of the file.
    pub(crate) fn shape(&self) -> Result<(Shape, Compression)> {
        let (format, compression) = match &self.output {
            Some(file) => format_of(file, self.format)?,
            None => (self.format, Compression::None),
        };
        let format = format.unwrap_or(if self.columns.is_some() { Format::Tsv } else { Format::Fen });
        Ok((Shape { format, columns: self.columns.clone(), no_header: self.no_header }, compression))
    }
}
