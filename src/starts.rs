//! `pgn2fen starts`: its options, and the run that lists starting positions or copies games.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::examples::examples;
use crate::input;
use crate::options::boards::{BoardArguments, OutputFormat, agreed_format, file_names};
use crate::options::choice::GameArguments;
use crate::options::output::{Chosen, StyleArguments, refuse_rows, resolved};
use crate::options::reading::{InputArguments, letters};
use crate::options::running::RunningArguments;
use crate::options::shape::ShapeArguments;
use crate::outcome::Outcome;
use crate::output::refuse_placeholders;
use crate::unit::Unit;
use crate::walk::{self, Run, open_output};
use pgn2fen_chess::san::Letters;
use pgn2fen_games::messages::{Restrictions, references};
use pgn2fen_games::walk::ReadOptions;
use pgn2fen_rows::starts::{Kind, Sameness, Starts, StartsFormat};
use pgn2fen_rows::{BoardOptions, ColumnPatterns, Columns, FileNames, Format, Shape, page};

/// List starting positions other than the initial one, or copy the games that have them.
///
/// The starting position of a game follows from its SetUp, FEN and Variant tags. A FEN tag that contains the initial
/// position does not count. Each starting position is listed once, in the order of the files: one FEN on each line, or
/// another format with -f. -f pgn copies the games byte for byte; with --invert, it copies the other games.
///
/// A FEN tag that cannot be read is reported as an error. Moves are skipped; with --opening, --reached, --moves, --ends
/// and --length, they are played as far as needed. --material, --pattern and --pawns choose starting positions by their
/// shape.
#[derive(Debug, Args)]
#[command(after_long_help = examples(EXAMPLES))]
pub(crate) struct StartsArguments {
    #[command(flatten)]
    input: InputArguments,
    /// With a filter such as --opening or --length: the language of the piece letters in moves, such as de, fr, es, ru
    #[arg(long, value_name = "LANGUAGE", value_parser = letters, help_heading = "Input")]
    lang: Option<Letters>,
    #[command(flatten)]
    games: GameArguments,
    /// Only these kinds of starting positions, separated by commas
    ///
    /// chess960: a Chess960 starting position. dfrc: double Chess960, where each side has its own arrangement. odds:
    /// the initial position without some pieces. position: any other position. The first three need all castling
    /// rights, and White to move (odds: either side). The default is these four. invalid: the FEN tag is bad, or the
    /// game is not chess; such games have no FEN, but rows and copies.
    #[arg(long = "kind", value_name = "KINDS", value_delimiter = ',', value_parser = kinds(), help_heading = "Games")]
    kinds: Vec<Kind>,
    #[command(flatten)]
    shape: ShapeArguments,
    /// With -f pgn: copy the other games, which start from the initial position or are of other kinds
    #[arg(long, help_heading = "Games")]
    invert: bool,
    /// List a starting position even if it has occurred before: one for each game that does not start from the initial
    /// position
    #[arg(long, help_heading = "Games")]
    all: bool,
    /// Treat starting positions as different if any FEN field differs, move counters included
    #[arg(long, conflicts_with = "all", help_heading = "Games")]
    exact: bool,
    #[command(flatten)]
    output: StartsOutput,
    #[command(flatten)]
    style: StyleArguments,
    #[command(flatten)]
    running: RunningArguments,
}

const EXAMPLES: &str = "\
Examples:
  pgn2fen starts games.pgn > starts.fen                list each starting position once
  pgn2fen starts mixed.pgn -o studies.pgn              copy the games that have their own starting position
  pgn2fen starts --invert mixed.pgn -o others.pgn      copy the other games
  pgn2fen starts games.pgn -o gallery.html             draw each starting position on one page
  pgn2fen starts --kind odds -f csv games.pgn          list odds positions, what is given, and how often
  pgn2fen starts --all -C game,kind,sp,White games.pgn        write a row for each of these games
  pgn2fen starts --kind invalid -C game,line,FEN games.pgn    list FEN tags that cannot be read
  pgn2fen starts --material 'KBN:K' studies.pgn        list starting positions with bishop and knight against the bare \
  king

Exit status: 0 if everything was read, 1 if some FEN tags are bad (0 with --exit-zero), 2 for wrong usage or if a file \
could not
be read or written.";

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
struct StartsOutput {
    /// Write to FILE, which appears when it is complete; its ending chooses format and compression
    ///
    /// .fen .epd .tsv .csv .jsonl .uci .html .arrow .parquet .pgn choose the format; .zst .gz .bz2 after them compress
    /// the file, as in studies.pgn.zst. .svg and .png write a file for each board: the name has placeholders, as in
    /// 'boards/{number}-{kind}.svg'. A placeholder is the name of a column, or {number}, the number of the board;
    /// folders are created. Endings of other well-known formats, such as .json or .xlsx, are refused. With any other
    /// ending, such as .txt, the file has a FEN on each line.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The output format
    ///
    /// fen: a FEN on each line. epd: four FEN fields, then the operations hmvc and fmvn and those of the columns. uci:
    /// position fen ..., for chess engines. tsv, csv, jsonl: a row on each line. html: a page of boards. arrow: an
    /// Arrow IPC stream. parquet: a Parquet file. pgn: the games, byte for byte. svg, png: a picture of each position,
    /// in the files that -o names.
    #[arg(short, long, value_name = "FORMAT", value_parser = formats())]
    format: Option<OutputFormat<StartsFormat>>,
    /// The columns of a row, such as count,kind,fen,White
    ///
    /// count: the number of games with this starting position. kind: as in --kind. sp: the number of a Chess960
    /// position, 0 to 959, or 518/12 for White's and Black's. fen. file, line, offset, game: the first of the games and
    /// where it begins. odds: what is given, and by whom. eco, opening: the opening of the starting position, if it has
    /// a name. id: the number of the first game, counted over all files. material: the pieces, as in KRPP:KBP. tags:
    /// all tags of the first game. Any tag, by its name. The default is count,kind,sp,fen,file,line,offset,game,odds.
    /// Without --format the rows are tsv. In html, the columns are the captions of the boards.
    #[arg(short = 'C', long, value_name = "LIST", value_parser = ColumnPatterns::of_starts)]
    columns: Option<ColumnPatterns>,
    /// Leave out the header row of tsv and csv
    #[arg(long)]
    no_header: bool,
    #[command(flatten)]
    boards: BoardArguments,
}

fn formats() -> impl TypedValueParser<Value = OutputFormat<StartsFormat>> {
    OutputFormat::parser(StartsFormat::names(), StartsFormat::named)
}

fn kinds() -> impl TypedValueParser<Value = Kind> {
    PossibleValuesParser::new(Kind::ALL.map(Kind::name)).try_map(|name| name.parse::<Kind>())
}

impl StartsOutput {
    /// Returns the output format, the format and columns of rows and the compression of the file, or the names of
    /// pictures; and the options for boards. `tags` returns the names of the tags for which the wildcards in columns
    /// may stand.
    fn chosen(
        &self,
        tags: impl FnOnce() -> Result<Vec<String>>,
    ) -> Result<(Chosen<(StartsFormat, Shape)>, BoardOptions)> {
        let output = self.output.as_deref();
        let advice = "use .fen, .epd, .tsv, .csv, .jsonl, .uci, .html, .arrow, .parquet, .svg, .png or .pgn; .zst, .gz \
                      and .bz2 after them compress text";
        let (format, compression) =
            agreed_format(output, self.format, StartsFormat::named).map_err(|error| error.advise(advice))?;
        let default = StartsFormat::Starts(if self.columns.is_some() { Format::Tsv } else { Format::default() });
        let format = match format.unwrap_or(OutputFormat::OneFile(default)) {
            OutputFormat::OneFile(format) => format,
            OutputFormat::Pictures(format) => {
                refuse_rows(format, self.columns.is_some(), self.no_header)?;
                let names = file_names(format, (output, compression), FileNames::of_starts, "{number}-{kind}")?;
                return Ok((Chosen::Pictures(format, names), self.boards.options(format.name(), true)?));
            }
        };
        let StartsFormat::Starts(of_positions) = format else {
            let boards = self.boards.options("pgn", false)?;
            ensure!(
                self.columns.is_none(),
                "-f pgn copies games and has no columns; use -f tsv, csv, jsonl, epd, arrow or parquet"
            );
            ensure!(!self.no_header, "-f pgn copies games and has no header row; only -f tsv and csv have one");
            return Ok((Chosen::OneFile((format, Shape::default()), compression), boards));
        };
        let boards = self.boards.options(of_positions.name(), of_positions.has_boards())?;
        // EPD has fields of its own, and a page of boards has its own captions.
        let has_default = of_positions.has_columns() && of_positions != Format::Epd && !of_positions.has_boards();
        let columns = resolved(self.columns.as_ref(), of_positions.has_columns(), tags)?;
        let columns = columns.or_else(|| has_default.then(Columns::starts));
        let shape = Shape { format: of_positions, columns, no_header: self.no_header };
        shape.columns()?;
        Ok((Chosen::OneFile((format, shape), compression), boards))
    }
}

/// Runs `pgn2fen starts [FILE]…`.
pub(crate) fn starts(arguments: &StartsArguments) -> Result<Outcome> {
    let of_positions = "pgn2fen --ply 0 --start nonstandard -f html lists the solutions of starting positions";
    arguments.output.boards.refuse(&["solutions", "comment_arrows"], of_positions)?;
    let (chosen, boards) = arguments.output.chosen(|| input::tags(&arguments.input, &arguments.running))?;
    let copies_games = matches!(chosen, Chosen::OneFile((StartsFormat::Games, _), _));
    let has_invalid = matches!(&chosen, Chosen::OneFile((format, _), _) if format.has_invalid());
    let kinds = if arguments.kinds.is_empty() { Kind::VALID.to_vec() } else { arguments.kinds.clone() };
    ensure!(!arguments.invert || copies_games, "--invert copies the other games and needs -f pgn");
    ensure!(!arguments.exact || !copies_games, "--exact has no effect on -f pgn, which copies every game");
    ensure!(
        has_invalid || !kinds.contains(&Kind::Invalid),
        "a game with an invalid start has no FEN; use -C count,FEN to print its FEN tag, or -f pgn to copy it"
    );
    let StartsArguments { input, games, output, running, .. } = arguments;
    games.names.refuse_output(output.output.as_deref())?;
    let shape = arguments.shape.filter(None)?;
    let chosen_games = games.filter();
    let course = &chosen_games.course;
    ensure!(
        chosen_games.openings.is_empty() || !kinds.contains(&Kind::Invalid),
        "a game with an invalid start has no opening; leave out --opening or the kind invalid"
    );
    ensure!(
        course.is_empty() && shape.is_empty() || !kinds.contains(&Kind::Invalid),
        "a game with an invalid start has no positions; leave out {} or the kind invalid",
        references(&[course.chosen(), shape.chosen()].concat(), ", ")
    );
    ensure!(
        arguments.lang.is_none() || !chosen_games.openings.is_empty() || !course.is_empty(),
        "--lang is the language of moves, which are read only with --opening, --reached, --moves, --ends or \
         --length"
    );
    let mut read = ReadOptions {
        games: chosen_games,
        max_games: games.max_games(),
        encoding: input.encoding.0,
        ..ReadOptions::default()
    };
    read.replay.letters = arguments.lang.unwrap_or(Letters::ENGLISH);
    read.replay.encoding = input.encoding.0;
    read.replay.setup = input.setup();
    let files = input::files(input)?;
    let run = Run::choosing(&read, files, input, running);
    let starts = match &chosen {
        Chosen::OneFile((StartsFormat::Games, _), _) => Starts::copies(),
        Chosen::OneFile((_, shape), _) => Starts::shape(shape.clone()),
        Chosen::Pictures(..) => Starts::lines(),
    };
    let starts = starts
        .boards(BoardOptions {
            title: output
                .boards
                .title()
                .unwrap_or_else(|| page::title("Starting positions", run.files.iter().map(|(file, _)| &**file))),
            ..boards
        })
        .kinds(kinds)
        .start_shape(shape)
        .invert(arguments.invert)
        .sameness(match (arguments.all, arguments.exact) {
            (true, _) => Sameness::None,
            (false, true) => Sameness::Exact,
            (false, false) => Sameness::Position,
        })
        .style(arguments.style.job().style())
        .read_options(read);
    // An empty list is a normal answer, so the run has no restrictions and gives no warning about it.
    let run =
        Run { unit: if copies_games { Unit::Game } else { Unit::Start }, restrictions: Restrictions::default(), ..run };
    match chosen {
        Chosen::OneFile((_, shape), compression) => {
            refuse_placeholders(output.output.as_deref())?;
            let target = open_output(output.output.as_deref(), compression, &run.files, shape.format)?;
            walk::write(target, |target| starts.begin(target), run).map(|(outcome, _)| outcome)
        }
        Chosen::Pictures(format, names) => {
            input::check_tags(names.tags(), &run.files, input, running)?;
            walk::draw(|files| starts.begin_pictures(format, names, files), run)
        }
    }
}
