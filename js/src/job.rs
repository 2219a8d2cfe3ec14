//! Jobs that read tiles one after another, and leave what they write for JavaScript.

use std::io::{self, Write};
use std::mem;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use pgn2fen_games::Workers;
use pgn2fen_games::database::Source;
use pgn2fen_games::diagnostic::Diagnostic;
use pgn2fen_games::messages::{Report, Restrictions, left_out, missing_tag, shown, with_causes};
use pgn2fen_games::pgn::encoding::Label;
use pgn2fen_games::stream::GameReader;
use pgn2fen_games::tournament::TournamentCheck;
use pgn2fen_games::walk::{Check, Count, EvalCount, Job, LeftOut, Listener, MissingTag, OnError, Place, Totals};
use pgn2fen_rows::options::{JobOptions, NamedOptions, StartsOptions};
use pgn2fen_rows::starts::Starts;
use pgn2fen_rows::{Columns, Format, Shape, Writing, page};
use pgn2fen_spec::Jobs;
use serde::Serialize;

use crate::answers;
use crate::game::{self, GamePlace, MessageData};
use crate::position::json;
use crate::tree::Growing;

/// The names of the options of jobs that read whole games.
const OF_GAMES: &[&str] = &pgn2fen_spec::names!(Jobs::GAMES);

/// The most messages of a run that are kept one by one.
const MOST_MESSAGES: usize = 10_000;

/// A job, and what it has written and said.
pub(crate) struct Run {
    name: String,
    /// The names of the columns, if it makes blocks.
    pub(crate) columns: Vec<String>,
    job: Running,
    written: Written,
    report: Report,
    restrictions: Restrictions,
    /// Whether a file has begun.
    has_begun: bool,
}

/// What a job has written and nobody has taken yet.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

enum Running {
    Rows(Writing<'static, Written>),
    Games(Box<dyn Job>),
    Tournament(Box<TournamentCheck>),
    Tree(Box<Growing>),
}

/// The state of a run.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct State {
    games: u64,
    chosen: u64,
    positions: u64,
    is_over: bool,
    errors: u64,
    warnings: u64,
    /// The messages since the last state.
    messages: Vec<MessageData>,
    /// The number of messages that are not kept.
    hidden: u64,
    /// The error that ends the run, if the input cannot be read further.
    failure: Option<String>,
}

/// The end of a run.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct End {
    /// Hints about the whole run.
    hints: Vec<String>,
    is_stopped: bool,
    /// The counts from which hints are made: those of all tiles of a file are added up.
    counts: [u64; COUNTS],
    /// The names of tags that no game has, and the hints about them.
    missing: Vec<(String, String)>,
}

/// The number of counts from which hints are made.
const COUNTS: usize = 3 + 10 + 8;

/// Returns the counts from which hints are made, one after another.
fn counts(totals: &Totals) -> [u64; COUNTS] {
    let Count { games, wanted, positions } = totals.count;
    let LeftOut { without_evaluation, mates, without_result, without_move, .. } = totals.left_out;
    let LeftOut { too_many_men, chess960_castling, without_solution, boards, .. } = totals.left_out;
    let mut counts = [0; COUNTS];
    counts[..3].copy_from_slice(&[games, wanted, positions]);
    counts[3..13].copy_from_slice(&totals.evals.to_numbers());
    counts[13..17].copy_from_slice(&[without_evaluation, mates, without_result, without_move]);
    counts[17..].copy_from_slice(&[too_many_men, chess960_castling, without_solution, boards]);
    counts
}

/// Returns what [`counts`] wrote.
fn totals(counts: [u64; COUNTS]) -> Totals {
    let [games, wanted, positions, rest @ ..] = counts;
    let [e0, e1, e2, e3, e4, e5, e6, e7, e8, e9, rest @ ..] = rest;
    let [without_evaluation, mates, without_result, without_move, rest @ ..] = rest;
    let [too_many_men, chess960_castling, without_solution, boards] = rest;
    let mut totals = Totals::default();
    totals.count = Count { games, wanted, positions };
    totals.evals = EvalCount::from_numbers([e0, e1, e2, e3, e4, e5, e6, e7, e8, e9]);
    let labels = LeftOut { without_evaluation, mates, without_result, without_move, ..LeftOut::default() };
    totals.left_out = LeftOut { too_many_men, chess960_castling, without_solution, boards, ..labels };
    totals
}

/// Returns the hints about a run whose counts are those of all its tiles, as JSON. `missing` are the hints about tags
/// that no game of any tile has.
pub(crate) fn hints(counts: &str, missing: &[&str], pairs: &[&str]) -> Result<String, String> {
    let mut options = JobOptions::new().with(Jobs::BOARDS);
    set_pairs(&mut options, pairs)?;
    let counts: Vec<u64> = counts.split(',').filter_map(|count| count.parse().ok()).collect();
    let counts = counts.try_into().map_err(|_| "there are not so many counts".to_owned())?;
    let restrictions = options.restrictions().map_err(|error| error.to_string())?;
    json(&hints_of(&totals(counts), missing.iter().map(ToString::to_string).collect(), &restrictions))
}

/// Returns the hints about a run, behind those about tags.
fn hints_of(totals: &Totals, missing: Vec<String>, restrictions: &Restrictions) -> Vec<String> {
    let mut report = Report::new(0, None);
    report.end(totals, restrictions);
    let mut hints = missing;
    hints.extend(report.lines.into_iter().map(|(_, line)| line));
    let left_out = left_out(totals.left_out, totals.count.positions);
    hints.extend(left_out.map(|hint| format!("warning: {hint}")));
    hints
}

impl Run {
    /// Begins a run. The options are pairs of names and values.
    pub(crate) fn begin(kind: &str, name: &str, format: &str, pairs: &[&str]) -> Result<Self, String> {
        if kind == "tree" {
            let (growing, options) = Growing::begin(name, format, pairs)?;
            let restrictions = options.restrictions().map_err(|error| error.to_string())?;
            let given = (options.read_options().encoding, restrictions);
            return Ok(Self::with(name, Running::Tree(Box::new(growing)), given, Written::default(), Vec::new()));
        }
        if kind == "starts" {
            return Self::of_starts(name, format, pairs);
        }
        let mut options = JobOptions::new().with(Jobs::BOARDS);
        let is_given = |given: [&str; 2]| pairs.chunks(2).any(|pair| pair == given);
        let (main_lines, tournament) = (is_given(["variations", "false"]), is_given(["tournament", "true"]));
        // Only a check compares tournaments.
        let is_option = |pair: &&[&str]| kind != "check" || pair[0] != "tournament";
        let pairs: Vec<&str> = pairs.chunks(2).filter(is_option).flatten().copied().collect();
        let header = set_pairs(&mut options, &pairs)?;
        let wrong = |error: &dyn std::error::Error| with_causes(error);
        let written = Written::default();
        let out = written.clone();
        let encoding = options.read_options().encoding;
        let mut columns = Vec::new();
        let names = |columns: &Columns| columns.iter().map(|column| column.name().to_owned()).collect();
        let shape = |columns| Ok::<_, String>(Shape { format: named(format)?, columns, no_header: !header });
        let job = match kind {
            "rows" => {
                let shape = shape(options.columns().map_err(|error| wrong(&error))?)?;
                options.refuse_for(shape.format).map_err(|error| wrong(&error))?;
                let title = page::title(shape.format.title_word(), [Path::new(name)]);
                let boards =
                    options.boards((format, shape.format.has_boards()), title).map_err(|error| wrong(&error))?;
                let writing = match options.is_per_game() {
                    true => options.game_rows().map_err(|error| wrong(&error))?.format(shape.format).begin(out),
                    false => options.rows().map_err(|error| wrong(&error))?.shape(shape).boards(boards).begin(out),
                };
                Running::Rows(writing.map_err(|error| wrong(&error))?)
            }
            // The heads of a collection are those of all games.
            "blocks" | "heads" if options.is_per_game() => {
                let rows = options.game_rows().map_err(|error| wrong(&error))?.refused(kind == "heads");
                columns = names(&rows.block_columns());
                Running::Rows(rows.begin_blocks(out))
            }
            "blocks" => {
                let rows = options.rows().map_err(|error| wrong(&error))?;
                columns = names(&rows.block_columns());
                Running::Rows(rows.begin_blocks(out))
            }
            "games" => {
                options.refuse_all_but(OF_GAMES).map_err(|error| wrong(&error))?;
                let read = options.game_options().map_err(|error| wrong(&error))?;
                let replay = read.replay;
                // The reader plays no moves, so it does not know of their errors.
                let on_error = read.on_error;
                Running::Games(Box::new(GameReader::new().read_options(read).each(move |game| {
                    let path = shown(game.path());
                    let place = GamePlace { file: &path, number: game.number(), line: game.line() };
                    let place_of = |offset| game.place(offset);
                    let mut out = out.lock();
                    let before = out.len();
                    // Nothing in a game cannot be written as JSON.
                    let reading = (&replay, game.encoding());
                    let has_errors = game::append(&game.game(), &place, place_of, reading, &mut out);
                    match on_error {
                        OnError::Drop if has_errors == Ok(true) => out.truncate(before),
                        OnError::Stop if has_errors == Ok(true) => return ControlFlow::Break(()),
                        _ => {}
                    }
                    ControlFlow::Continue(())
                })))
            }
            "check" => {
                let known = [OF_GAMES, &["variations"]].concat();
                options.refuse_all_but(&known).map_err(|error| wrong(&error))?;
                let read = options.game_options().map_err(|error| wrong(&error))?;
                match (tournament, main_lines) {
                    (false, false) => Running::Games(Box::new(Check::new(read))),
                    (false, true) => Running::Games(Box::new(Check::of_main_lines(read))),
                    (true, false) => Running::Tournament(Box::new(TournamentCheck::new(read))),
                    (true, true) => Running::Tournament(Box::new(TournamentCheck::of_main_lines(read))),
                }
            }
            _ => return Err(format!("there is no job '{kind}'")),
        };
        let restrictions = options.restrictions().map_err(|error| wrong(&error))?;
        Ok(Self::with(name, job, (encoding, restrictions), written, columns))
    }

    /// Begins a list of starting positions.
    fn of_starts(name: &str, format: &str, pairs: &[&str]) -> Result<Self, String> {
        let wrong = |error: &dyn std::error::Error| with_causes(error);
        let mut options = StartsOptions::new();
        let header = set_pairs(&mut options, pairs)?;
        let columns = Some(options.columns().map_err(|error| wrong(&error))?);
        let shape = Shape { format: named(format)?, columns, no_header: !header };
        let starts = options.chosen_in(Starts::shape(shape)).map_err(|error| wrong(&error))?;
        let written = Written::default();
        let job = Running::Rows(starts.begin(written.clone()).map_err(|error| wrong(&error))?);
        let given = (options.read_options().encoding, options.restrictions());
        Ok(Self::with(name, job, given, written, Vec::new()))
    }

    fn with(
        name: &str,
        job: Running,
        (encoding, restrictions): (Option<Label>, Restrictions),
        written: Written,
        columns: Vec<String>,
    ) -> Self {
        Self {
            name: name.to_owned(),
            columns,
            job,
            written,
            report: Report::new(MOST_MESSAGES, encoding),
            restrictions,
            has_begun: false,
        }
    }

    /// Reads a tile. Returns the state as JSON.
    pub(crate) fn read(&mut self, workers: &Workers, tile: Source) -> Result<String, String> {
        let Self { name, job, report, has_begun, .. } = self;
        let is_first = !mem::replace(has_begun, true);
        let mut recorder = Recorder { report, is_first };
        let read = job.job().read(workers, Path::new(name.as_str()), tile, &mut recorder);
        let failure = read.err().map(|error| error.to_string());
        self.state(failure)
    }

    fn state(&mut self, failure: Option<String>) -> Result<String, String> {
        let Totals { count: Count { games, wanted, positions }, .. } = self.job.job().totals();
        let is_over = self.job.job().is_over();
        let Report { errors, warnings, hidden, .. } = self.report;
        let messages = self.report.take_messages().into_iter().map(MessageData::from).collect();
        json(&State { games, chosen: wanted, positions, is_over, errors, warnings, messages, hidden, failure })
    }

    /// Takes what has been written.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        mem::take(&mut self.written.lock())
    }

    /// Ends the run. Returns its last words as JSON, and the rest of what it writes.
    pub(crate) fn end(mut self, workers: &Workers) -> Result<(String, Vec<u8>), String> {
        let mut totals = self.job.job().totals();
        let mut of_tree = Vec::new();
        match self.job {
            Running::Rows(writing) => (_, totals.left_out) = writing.end().map_err(|error| with_causes(&error))?,
            Running::Games(_) => {}
            Running::Tournament(check) => answers::findings(&check.findings(), &mut self.written.lock()),
            Running::Tree(growing) => {
                let (bytes, hints) = growing.end(workers)?;
                self.written.lock().extend(bytes);
                of_tree = hints;
            }
        }
        let told = |tag: MissingTag| (tag.name.clone(), format!("warning: {}", missing_tag(&tag)));
        let missing: Vec<_> = mem::take(&mut totals.missing_tags).into_iter().map(told).collect();
        let of_tags = missing.iter().map(|(_, hint)| hint.clone()).collect();
        let mut hints = hints_of(&totals, of_tags, &self.restrictions);
        hints.extend(of_tree);
        let bytes = mem::take(&mut *self.written.lock());
        let (is_stopped, counts) = (totals.is_stopped, counts(&totals));
        Ok((json(&End { hints, is_stopped, counts, missing })?, bytes))
    }
}

impl Running {
    fn job(&mut self) -> &mut dyn Job {
        match self {
            Self::Rows(writing) => writing,
            Self::Games(job) => &mut **job,
            Self::Tournament(check) => &mut **check,
            Self::Tree(growing) => &mut growing.job,
        }
    }
}

/// Sets options to pairs of names and values. Returns whether a header row is wanted: of the tiles of a file, only the
/// first writes one.
fn set_pairs(options: &mut impl NamedOptions, pairs: &[&str]) -> Result<bool, String> {
    let mut header = true;
    for pair in pairs.chunks(2) {
        match *pair {
            ["header", value] => header = value == "true",
            ["tag_names", names] => options.set_tag_names(names.split('\n').map(str::to_owned).collect()),
            [name, value] => options.set(name, value).map_err(|error| error.to_string())?,
            _ => return Err("an option has no value".to_owned()),
        }
    }
    Ok(header)
}

fn named(name: &str) -> Result<Format, String> {
    let known = || Format::ALL.iter().map(|format| format.name()).collect::<Vec<_>>().join(", ");
    let found = Format::ALL.iter().copied().find(|format| format.name() == name);
    found.ok_or_else(|| format!("format is '{name}', but must be one of {}", known()))
}

impl Written {
    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.lock().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Records the messages of a file, of which a tile is read.
struct Recorder<'r> {
    report: &'r mut Report,
    is_first: bool,
}

impl Listener for Recorder<'_> {
    fn begin_file(&mut self, path: &Path, source: &Source) {
        if self.is_first {
            self.report.begin_file(shown(path), source);
        }
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic, place: Place) {
        self.report.diagnostic(diagnostic, place);
    }
}
