//! The options that choose the output file, its format and the style of FENs.

use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use clap::builder::TypedValueParser;

use crate::options::boards::{BoardArguments, OutputFormat, agreed_format, file_names};
use crate::options::listed::{Group, Listed};
use pgn2fen_files::Compression;
use pgn2fen_rows::options::JobOptions;
use pgn2fen_rows::{
    BoardOptions, ColumnError, ColumnPatterns, Columns, FileNames, Format, PictureFormat, Shape, ShapeError,
};

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArguments {
    /// Write to FILE, which appears when it is complete; its ending chooses format and compression
    ///
    /// .fen .epd .tsv .csv .jsonl .uci .bullet .bulletformat .viri .binpack .plain .html .anki .arrow .parquet choose
    /// the format; .zst .gz .bz2 after them compress the file, as in games.csv.zst. .svg and .png write a file for each
    /// board: the name has placeholders, as in 'boards/{game}-{ply}.svg'. A placeholder is the name of a column, or
    /// {number}, the number of the board; folders are created. Endings of other well-known formats, such as .json or
    /// .xlsx, are refused, and .bin unless --format names viri or bulletformat. With any other ending, such as .txt,
    /// the file has a FEN on each line.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// The output format
    ///
    /// fen: a FEN on each line. epd: four FEN fields, then the operations hmvc and fmvn and those of the columns. tsv,
    /// csv, jsonl: a row on each line. uci: position fen ..., for chess engines. bullet: FEN | centipawns | result, for
    /// the bullet trainer; positions without an evaluation in centipawns or without a known result are left out, in the
    /// next four formats, too. bulletformat: records of 32 bytes for the bullet trainer, from the side to move. viri:
    /// viriformat, whole games, for the bullet trainer and others, from White's side. binpack: chains of positions for
    /// Stockfish's trainer and bullet, from the side to move. plain: fen, move, score, ply, result, e on a line each,
    /// for the tools of Stockfish, from the side to move. html: a page of boards. anki: cards for Anki, of the
    /// positions with moves behind them. arrow: an Arrow IPC stream. parquet: a Parquet file. svg, png: a picture of
    /// each position, in the files that -o names.
    #[arg(short, long, value_name = "FORMAT", value_parser = formats())]
    format: Option<OutputFormat<Format>>,
    /// The columns of a row, such as game,ply,san,fen,White
    ///
    /// file, game, offset, line, id: the game and the place where it begins; id counts the games of all files. plies:
    /// the length of the main line. ply, turn, fen, key (Polyglot), material, hand (the men in hand): the position.
    /// variant: as Lichess names it. variation, parent: with --variations, the number of the variation (0 for the main
    /// line) and of the one from which it branches off. san, uci: the move that led to the position. next_san,
    /// next_uci: the move that was played in it. eval (centipawns from White's side; mate in n is 32000 - n) and clk
    /// (seconds): from the comments. depth, time (seconds), nodes: of the search that gave the evaluation. win_chance:
    /// White's chances by the evaluation, in percent. cp_loss, accuracy, judgement: the centipawns lost by the move,
    /// its accuracy (0 to 100), and inaccuracy, mistake or blunder, as Lichess defines them, or good. spent: the
    /// seconds used for the move. comment, nags: the comments and the numeric annotation glyphs after the move. words:
    /// the comments without commands and the reports of engines. tags: all tags. eco, opening: the code and the name of
    /// the last named position so far. result. Any tag, by its name; ECO and Opening are tags. '*' stands for all
    /// columns; other wildcards, as in next_* and 'White*', also for the tags of the first 1000 games. The default is
    /// game,ply,san,fen. Without --format the rows are tsv. jsonl, arrow and parquet write the tags Date, Round,
    /// WhiteElo, PlyCount and similar ones as dates and numbers, and null where they are unknown; Date_text, Round_text
    /// and so on are the text of these tags. In html, the columns are the captions of the boards.
    #[arg(short = 'C', long, value_name = "LIST", value_parser = ColumnList::parse)]
    columns: Option<ColumnList>,
    /// Leave out the header row of tsv and csv
    #[arg(long, hide_short_help = true)]
    no_header: bool,
    #[command(flatten)]
    pub(crate) boards: BoardArguments,
}

/// Names of columns, which are those of positions or of whole games.
#[derive(Clone, Debug)]
pub(crate) struct ColumnList {
    of_positions: Result<ColumnPatterns, ColumnError>,
    of_games: Result<ColumnPatterns, ColumnError>,
}

impl ColumnList {
    /// Parses the value of `--columns`, which must name columns of positions or of games.
    fn parse(list: &str) -> Result<Self, ColumnError> {
        let (of_positions, of_games) = (list.parse::<ColumnPatterns>(), ColumnPatterns::of_games(list));
        match (of_positions, of_games) {
            (Err(error), Err(_)) => Err(error),
            (of_positions, of_games) => Ok(Self { of_positions, of_games }),
        }
    }
}

/// The output that the options choose.
pub(crate) enum Chosen<F> {
    /// One file or standard output.
    OneFile(F, Compression),
    /// A file for each board.
    Pictures(PictureFormat, FileNames),
}

/// The style of FENs, in all formats.
/// The options for the style of FENs.
pub(crate) type StyleArguments = Listed<Style>;

#[derive(Debug)]
pub(crate) struct Style;

impl Group for Style {
    type Job = JobOptions;
    const HEADING: &'static str = "Output";
    const NAMES: &'static [&'static str] = &["ep", "castling", "fields", "fen_style"];
}

fn formats() -> impl TypedValueParser<Value = OutputFormat<Format>> {
    OutputFormat::parser(Format::ALL.iter().map(|format| format.name()), Format::of_ending)
}

impl OutputArguments {
    /// Returns the format and columns of the output and the compression of the file, or the names of pictures; and the
    /// options for boards. `tags` returns the names of the tags for which the wildcards in columns may stand.
    pub(crate) fn chosen(&self, tags: impl FnOnce() -> Result<Vec<String>>) -> Result<(Chosen<Shape>, BoardOptions)> {
        let output = self.output.as_deref();
        let (format, compression) = agreed_format(output, self.format, Format::of_ending)?;
        let default = if self.columns.is_some() { Format::Tsv } else { Format::Fen };
        match format.unwrap_or(OutputFormat::OneFile(default)) {
            OutputFormat::OneFile(format) => {
                let boards = self.boards.options(format.name(), format.has_boards())?;
                let patterns = self.columns.as_ref().map(|columns| columns.of_positions.clone()).transpose();
                let patterns = patterns.context("these are columns of whole games, which need --per game")?;
                let columns = resolved(patterns.as_ref(), format.has_columns(), tags)?;
                let shape = Shape { format, columns, no_header: self.no_header };
                shape.columns()?;
                Ok((Chosen::OneFile(shape, compression), boards))
            }
            OutputFormat::Pictures(format) => {
                refuse_rows(format, self.columns.is_some(), self.no_header)?;
                let names = file_names(format, (output, compression), FileNames::of_positions, "{game}-{ply}")?;
                Ok((Chosen::Pictures(format, names), self.boards.options(format.name(), true)?))
            }
        }
    }
}

/// Returns the columns that patterns stand for. `tags` is called only if they depend on tags, and the format has
/// columns.
pub(crate) fn resolved(
    patterns: Option<&ColumnPatterns>,
    has_columns: bool,
    tags: impl FnOnce() -> Result<Vec<String>>,
) -> Result<Option<Columns>> {
    let Some(patterns) = patterns else {
        return Ok(None);
    };
    let tags = match (has_columns, patterns.needs_tags()) {
        (true, true) => tags()?,
        (true, false) if patterns.may_use_tags() => tags().unwrap_or_default(),
        _ => Vec::new(),
    };
    match patterns.columns(&tags) {
        // The format refuses any columns.
        Err(_) if !has_columns => Ok(Some(Columns::default())),
        columns => Ok(Some(columns?)),
    }
}

impl OutputArguments {
    /// Whether the output is pictures, each of which is a file.
    pub(crate) fn draws_pictures(&self) -> Result<bool> {
        let (format, _) = agreed_format(self.output.as_deref(), self.format, Format::of_ending)?;
        Ok(matches!(format, Some(OutputFormat::Pictures(_))))
    }

    /// Returns the format and columns of rows of whole games, and the compression of the file. `tags` returns the names
    /// of the tags for which the wildcards in columns may stand.
    pub(crate) fn chosen_games(
        &self,
        tags: impl FnOnce() -> Result<Vec<String>>,
    ) -> Result<(Format, Option<Columns>, Compression)> {
        let patterns = self.columns.as_ref().map(|columns| columns.of_games.clone()).transpose()?;
        let (format, compression) = agreed_format(self.output.as_deref(), self.format, Format::of_ending)?;
        let format = match format {
            Some(OutputFormat::OneFile(format)) => format,
            Some(OutputFormat::Pictures(format)) => bail!("--per game writes no pictures such as {}", format.name()),
            None => bail!("--per game needs a format with lists: -f jsonl, arrow or parquet, or -o games.parquet"),
        };
        ensure!(format.has_lists(), "--per game: {}", ShapeError::NoLists(format));
        self.boards.options(format.name(), false)?;
        Shape { format, columns: None, no_header: self.no_header }.columns()?;
        Ok((format, resolved(patterns.as_ref(), true, tags)?, compression))
    }
}

/// Refuses columns and `--no-header` for pictures.
pub(crate) fn refuse_rows(format: PictureFormat, has_columns: bool, no_header: bool) -> Result<()> {
    let name = format.name();
    ensure!(!has_columns, "the format {name} has no columns to choose; use -f html for boards with captions");
    ensure!(!no_header, "the format {name} has no header row; only tsv and csv have one");
    Ok(())
}
