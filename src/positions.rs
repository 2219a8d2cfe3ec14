//! `pgn2fen` without a command: its options, and the run that writes positions.

use std::ffi::OsString;
use std::path::Path;

use anyhow::{Result, ensure};
use clap::{Args, ValueEnum};

use crate::input;
use crate::options::choice::{GameArguments, PositionArguments, StartArguments};
use crate::options::listed::{Group, Listed, new_job};
use crate::options::output::{Chosen, OutputArguments, StyleArguments};
use crate::options::read_options;
use crate::options::reading::{InputArguments, MoveArguments};
use crate::options::records::{RecordArguments, names_of_parts};
use crate::options::running::RunningArguments;
use crate::options::shape::{ShapeArguments, StretchArguments};
use crate::outcome::Outcome;
use crate::output::{folder_of, refuse_placeholders, remove_when_interrupted};
use crate::resume;
use crate::unit::Unit;
use crate::walk::{self, Run, Written, open_output};
use pgn2fen_files::{Found, GameFiles};
use pgn2fen_games::messages::Restrictions;
use pgn2fen_games::pgn::annotation::EvalChoice;
use pgn2fen_games::walk::{OnError, ReadOptions};
use pgn2fen_rows::options::{JobOptions, OptionError};
use pgn2fen_rows::{BoardOptions, page};

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
    #[command(flatten)]
    evals: Listed<Evals>,
    /// What has a row: each position, or each game
    ///
    /// game: a row has the tags of a game, and its moves, evaluations and clocks as lists. The formats are jsonl, arrow
    /// and parquet. The columns are file, game, offset, line, id; variant; start (the FEN of the starting position,
    /// null for the initial one), moves (UCI), evals (centipawns), clocks (seconds), white_accuracy, white_cp_loss (the
    /// average), white_inaccuracies, white_mistakes, white_blunders, the same for black, plies, result, eco, opening,
    /// tags, any tag by its name. The default is game, Event, Site, Date, Round, White, Black, WhiteElo, BlackElo,
    /// result, plies, variant, start, moves, evals, clocks. Options that choose positions are refused.
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
    /// Returns the options that the library reads.
    fn job(&self) -> Result<JobOptions, OptionError> {
        let mut job = new_job();
        self.positions.add_to(&mut job)?;
        self.shape.add_to(&mut job)?;
        self.stretch.add_to(&mut job)?;
        self.style.add_to(&mut job)?;
        self.evals.add_to(&mut job)?;
        self.records.add_to(&mut job)?;
        Ok(job)
    }

    /// Returns the games that are read, and how.
    fn read(&self) -> ReadOptions {
        let Self { input, moves, games, start, running, .. } = self;
        let mut read = read_options((games, start), moves, input, running, self.on_error());
        read.replay.evals = self.evals.job().read_options().replay.evals;
        read
    }

    /// Refuses `--evals` if no evaluation is read.
    fn check_evals(&self, are_read: bool) -> Result<()> {
        let evals = self.evals.job().read_options().replay.evals;
        ensure!(
            are_read || evals == EvalChoice::Auto,
            "--evals {} has no effect on this output; choose the column eval (-C game,ply,eval,fen), a format with \
             evaluations such as bullet, or a filter such as --max-eval",
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

#[derive(Debug)]
struct Evals;

impl Group for Evals {
    type Job = JobOptions;
    const HEADING: &'static str = "Input";
    const NAMES: &'static [&'static str] = &["evals"];
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
    job: &JobOptions,
    (files, target): (Option<Vec<Found>>, Option<&Path>),
) -> Result<Written> {
    let PositionsArguments { input, output, running, .. } = arguments;
    let rows = job.game_rows()?;
    let (format, columns, compression) = output.chosen_games(|| input::tags(input, running))?;
    let read = arguments.read();
    if files.is_none() {
        refuse_placeholders(target)?;
    }
    let files = files.map_or_else(|| input::files(input), Ok)?;
    let run = Run::choosing(&read, files, input, running);
    let rows = rows.with_columns(columns).format(format).read_options(read);
    arguments.check_evals(rows.reads_evals())?;
    let target = open_output(target, compression, &run.files, format)?;
    walk::write(target, |target| rows.begin(target), run)
}

/// Runs `pgn2fen [FILE]…`.
pub(crate) fn positions(arguments: &PositionsArguments, typed: &[OsString]) -> Result<Outcome> {
    arguments.records.check(&arguments.positions)?;
    arguments.games.names.refuse_output(arguments.output.output.as_deref())?;
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
    let PositionsArguments { input, output, records, running, .. } = arguments;
    let job = arguments.job()?;
    if arguments.per == PerArgument::Game {
        records.refuse_for("--per game, which writes whole games")?;
        return whole_games(arguments, &job, (files, target));
    }
    let rows = job.rows()?;
    let (chosen, boards) = output.chosen(|| input::tags(input, running))?;
    // Of a manifest, the name of the input has been put in.
    if matches!(chosen, Chosen::OneFile(..)) && job.shares()?.is_none() && files.is_none() {
        refuse_placeholders(target)?;
    }
    let files = files.map_or_else(|| input::files(input), Ok)?;
    let title = output.boards.title();
    let what = if let Chosen::OneFile(shape, _) = &chosen { shape.format.title_word() } else { "" };
    let title = title.unwrap_or_else(|| page::title(what, files.iter().map(|(file, _)| &**file)));
    let read = arguments.read();
    let positions = job.restrictions()?.positions;
    let run = Run { unit: Unit::Position, ..Run::choosing(&read, files, input, running) };
    let run = Run { restrictions: Restrictions { positions, ..run.restrictions }, ..run };
    let rows = rows.boards(BoardOptions { title, ..boards }).read_options(read);
    match chosen {
        Chosen::OneFile(shape, compression) => {
            let format = shape.format;
            job.refuse_for(format)?;
            let rows = rows.shape(shape);
            arguments.check_evals(rows.reads_evals())?;
            let run = Run { must_have_rows: format.is_for_training(), ..run };
            if let Some(shares) = job.shares()? {
                let names = names_of_parts(target)?;
                let rows = job.ordered(rows, format, target.and_then(folder_of).map(Path::to_owned))?;
                remove_when_interrupted()?;
                let files = GameFiles::new(&run.files, compression);
                let parts = rows.begin_parts(&shares, &names, files)?;
                return walk::write_to(("the files", false), parts, run);
            }
            let rows = job.ordered(rows, format, target.and_then(folder_of).map(Path::to_owned))?;
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
