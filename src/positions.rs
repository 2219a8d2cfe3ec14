//! `pgn2fen` without a command: its options, and the run that writes positions.

use std::ffi::OsString;
use std::path::Path;

use anyhow::{Result, ensure};
use clap::{Args, ValueEnum};

use crate::input;
use crate::options::choice::{GameArguments, PositionArguments, StartArguments};
use crate::options::output::{Chosen, OutputArguments, StyleArguments};
use crate::options::read_options;
use crate::options::reading::{InputArguments, MoveArguments};
use crate::options::records::RecordArguments;
use crate::options::running::RunningArguments;
use crate::options::shape::{ShapeArguments, StretchArguments};
use crate::outcome::Outcome;
use crate::output::remove_when_interrupted;
use crate::resume;
use crate::unit::Unit;
use crate::walk::{self, Run, Written, open_output};
use pgn2fen_files::{Found, GameFiles};
use pgn2fen_games::messages::{Restrictions, references};
use pgn2fen_games::pgn::annotation::{EvalChoice, EvalSource};
use pgn2fen_games::selection::{PositionFilter, chosen_style};
use pgn2fen_games::walk::OnError;
use pgn2fen_rows::{BoardOptions, Format, GameRows, Rows, ShapeError, page};

#[derive(Debug, Args)]
pub(crate) struct PositionsArguments {
    #[command(flatten)]
    pub(crate) input: InputArguments,
    #[command(flatten)]
    pub(crate) moves: MoveArguments,
    #[command(flatten)]
    pub(crate) games: GameArguments,
    #[command(flatten)]
    pub(crate) start: StartArguments,
    /// What to do with a game that has an error
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = OnErrorArgument::Keep, help_heading = "Games")]
    on_error: OnErrorArgument,
    #[command(flatten)]
    pub(crate) positions: PositionArguments,
    #[command(flatten)]
    pub(crate) shape: ShapeArguments,
    #[command(flatten)]
    pub(crate) stretch: StretchArguments,
    /// The comments in which evaluations are found
    ///
    /// They are the evaluations of the column eval, of --max-eval and of training formats. auto: in each game, the kind
    /// of the first comment of the main line that has an evaluation. lichess: [%eval 0.31], as Lichess, ChessBase and
    /// others write it, from White's side, of the position after the move. engine: +0.31/14 0.5s, as cutechess,
    /// fastchess, fishtest, OpenBench, XBoard and Arena write it, from the side that made the move. tcec: wv=0.31, as
    /// TCEC writes it, from White's side. The evaluations of engine and tcec are those of the position before the move,
    /// in which the engine searched, so they are in the row of that position. Comments of the other kinds are not read.
    #[arg(long, value_enum, value_name = "KIND", default_value_t = EvalsArgument::Auto, help_heading = "Input")]
    evals: EvalsArgument,
    /// What has a row: each position, or each game
    ///
    /// game: a row has the tags of a game, and its moves, evaluations and clocks as lists. The formats are jsonl, arrow
    /// and parquet. The columns are file, game, offset, line, id; start (the FEN of the starting position, null for the
    /// initial one), moves (UCI), evals (centipawns), clocks (seconds), white_accuracy, white_cp_loss (the average),
    /// white_inaccuracies, white_mistakes, white_blunders, the same for black, plies, result, eco, opening, tags, any
    /// tag by its name. The default is game, Event, Site, Date, Round, White, Black, WhiteElo, BlackElo, result, plies,
    /// start, moves, evals, clocks. Options that choose positions are refused.
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = PerArgument::Position, help_heading = "Output")]
    #[arg(hide_short_help = true)]
    per: PerArgument,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    #[command(flatten)]
    pub(crate) style: StyleArguments,
    #[command(flatten)]
    pub(crate) records: RecordArguments,
    #[command(flatten)]
    pub(crate) running: RunningArguments,
}

impl PositionsArguments {
    fn evals(&self) -> EvalChoice {
        match self.evals {
            EvalsArgument::Auto => EvalChoice::Auto,
            EvalsArgument::Lichess => EvalSource::Lichess.into(),
            EvalsArgument::Engine => EvalSource::Engine.into(),
            EvalsArgument::Tcec => EvalSource::Tcec.into(),
        }
    }

    /// Refuses `--evals` if no evaluation is read.
    fn check_evals(&self, are_read: bool) -> Result<()> {
        let evals = self.evals();
        ensure!(
            are_read || evals == EvalChoice::Auto,
            "--evals {} has no effect on this output; choose the column eval (-C game,ply,eval,fen), a format with \
             evaluations such as bullet, or --max-eval",
            evals.name()
        );
        Ok(())
    }

    pub(crate) fn on_error(&self) -> OnError {
        match self.on_error {
            OnErrorArgument::Keep => OnError::Keep,
            OnErrorArgument::Drop => OnError::Drop,
            OnErrorArgument::Stop => OnError::Stop,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum OnErrorArgument {
    /// Print the positions before the error
    Keep,
    /// Print nothing of the game
    Drop,
    /// Print the positions before the error and stop
    Stop,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum EvalsArgument {
    /// The kind that each game has
    Auto,
    /// [%eval 0.31]
    Lichess,
    /// +0.31/14 0.5s
    Engine,
    /// wv=0.31
    Tcec,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PerArgument {
    /// A row for each position
    Position,
    /// A row for each game
    Game,
}

/// Runs `pgn2fen --per game [FILE]…`.
fn whole_games(
    arguments: &PositionsArguments,
    filter: &PositionFilter,
    (files, target): (Option<Vec<Found>>, Option<&Path>),
) -> Result<Written> {
    let PositionsArguments { input, moves, games, start, positions, output, style, running, .. } = arguments;
    let unwanted = [filter.chosen(), positions.kept(), filter.shape.chosen()].concat();
    ensure!(
        unwanted.is_empty(),
        "--per game writes whole games and does not go with options for positions; leave out {}",
        references(&unwanted, ", ")
    );
    let (format, columns, compression) = output.chosen_games(|| input::tags(input, running))?;
    let read = read_options((games, start), moves, input, running, arguments.on_error());
    let restrictions = Restrictions { games: read.games.chosen(), positions: Vec::new() };
    let rows = GameRows::new().with_columns(columns).format(format).style(style.style()).read_options(read);
    let rows = rows.evals(arguments.evals());
    arguments.check_evals(rows.reads_evals())?;
    let files = files.map_or_else(|| input::files(input), Ok)?;
    let run =
        Run { restrictions, max_games: games.max_games, tags: &games.tags, ..Run::of_games(files, input, running) };
    let target = open_output(target, compression, &run.files, format)?;
    walk::write(target, |target| rows.begin(target), run)
}

/// Refuses the options that have no meaning for a format.
fn refuse_for(format: Format, arguments: &PositionsArguments, filter: &PositionFilter) -> Result<()> {
    let name = format.name();
    let style = chosen_style(arguments.style.style());
    ensure!(
        format.has_fens() || style.is_empty(),
        "the format {name} has no FENs, whose style could be chosen; leave out {}",
        references(&style, ", ")
    );
    let dividing = [filter.dividing(), arguments.positions.kept(), filter.shape.chosen()].concat();
    ensure!(
        !format.stores_games() || dividing.is_empty(),
        "the format {name} stores games, which would be divided by {}; leave the choice of positions to the loader of \
         the trainer, which has a filter, or use -f bulletformat, which stores positions",
        references(&dividing, ", ")
    );
    Ok(())
}

/// Runs `pgn2fen [FILE]…`.
pub(crate) fn positions(arguments: &PositionsArguments, typed: &[OsString]) -> Result<Outcome> {
    arguments.records.check(&arguments.positions)?;
    match arguments.records.manifest() {
        Some(manifest) => resume::each_input(arguments, typed, manifest),
        None => write(arguments, None, arguments.output.output.as_deref()).map(|(outcome, _)| outcome),
    }
}

/// Writes the positions of these files, or else of those on the command line, to this output.
pub(crate) fn write(
    arguments: &PositionsArguments,
    files: Option<Vec<Found>>,
    target: Option<&Path>,
) -> Result<Written> {
    let PositionsArguments { input, moves, games, start, positions, output, style, running, .. } = arguments;
    let PositionsArguments { shape, stretch, records, .. } = arguments;
    let filter = positions.filter(shape.filter(Some(stretch))?);
    if arguments.per == PerArgument::Game {
        records.refuse_for("--per game, which writes whole games")?;
        return whole_games(arguments, &filter, (files, target));
    }
    let (chosen, boards) = output.chosen(|| input::tags(input, running))?;
    let files = files.map_or_else(|| input::files(input), Ok)?;
    let title = output.boards.title();
    let title = title.unwrap_or_else(|| page::title("Positions", files.iter().map(|(file, _)| &**file)));
    let boards = BoardOptions { title, ..boards };
    let read = read_options((games, start), moves, input, running, arguments.on_error());
    let restrictions =
        Restrictions { games: read.games.chosen(), positions: [filter.chosen(), filter.shape.chosen()].concat() };
    let memory = positions.memory.filter(|_| positions.unique);
    let rows = memory.map_or_else(Rows::new, |bytes| Rows::new().unique_within(bytes));
    let rows = rows
        .boards(boards)
        .style(style.style())
        .positions(filter.clone())
        .unique(positions.unique)
        .variations(positions.variations)
        .read_options(read)
        .evals(arguments.evals());
    let run = Run {
        unit: Unit::Position,
        restrictions,
        max_games: games.max_games,
        tags: &games.tags,
        ..Run::of_games(files, input, running)
    };
    match chosen {
        Chosen::OneFile(shape, compression) => {
            let format = shape.format;
            refuse_for(format, arguments, &filter)?;
            let rows = rows.shape(shape);
            arguments.check_evals(rows.reads_evals())?;
            let run = Run { must_have_rows: format.is_for_training(), ..run };
            let rows = records.ordered(rows, positions, target);
            if let Some((shares, names)) = records.parts(positions, target)? {
                remove_when_interrupted()?;
                let files = GameFiles::new(&run.files, compression);
                let job = rows.begin_parts(&shares, &names, files)?;
                return walk::write_to(("the files", false), job, run);
            }
            if records.shuffles() && !format.has_records() {
                return Err(ShapeError::NoRecords(format).into());
            }
            let target = open_output(target, compression, &run.files, format)?;
            walk::write(target, |target| rows.begin(target), run)
        }
        Chosen::Pictures(format, names) => {
            records.refuse_for("pictures, each of which is a file")?;
            arguments.check_evals(rows.reads_evals() || names.reads_evals())?;
            input::check_tags(names.tags(), &run.files, input, running)?;
            let drawn = walk::draw(|files| rows.begin_pictures(format, names, files), run)?;
            Ok((drawn, None))
        }
    }
}
