//! Walks through a text with one of the jobs, and all that they say.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::io::{self, Read};
use std::num::NonZeroU32;
use std::ops::ControlFlow;

use pgn2fen::chess::piece::Color;
use pgn2fen::database::{Database, Source};
use pgn2fen::diagnostic::{Diagnostic, count_lines};
use pgn2fen::fen::{EpStyle, FenStyle};
use pgn2fen::parallel::{Cuts, Delivery, Stages, Workers};
use pgn2fen::pgn::games::{Left, Text};
use pgn2fen::positions::{self, Batch, OnError, Positions};
use pgn2fen::postings::{Postings, TAGS};
use pgn2fen::replay::SetupPolicy;
use pgn2fen::rows::export::{Product, begin};
use pgn2fen::rows::{Columns, Format};
use pgn2fen::san::Letters;
use pgn2fen::selection::{Sample, Share, Start};
use pgn2fen::starts::{self, Kind, Listing, Sameness, Starts};

use crate::choices::Choices;

/// Every column of a row of positions, and some tags.
pub(crate) const ALL: &str =
    "file,game,offset,line,ply,turn,fen,san,uci,next_san,next_uci,eval,clk,key,result,White,Annotator,FEN";

/// Every column of a row of starts, and a tag.
const ALL_OF_STARTS: &str = "kind,sp,fen,file,line,offset,game,odds,White";

/// What is done with the games.
#[derive(Clone, Debug)]
pub(crate) enum Job {
    /// A line of FEN for every position.
    Lines(Positions),
    /// A row with columns for every position.
    Rows(Positions, Columns, Format),
    /// A posting for every position.
    Postings(Positions),
    /// The starts, or the games that have them.
    Starts(Starts),
}

impl Job {
    /// Chooses a job and its options, from three bytes.
    pub(crate) fn choose(choices: &mut Choices<'_>) -> Self {
        let kind = choices.byte() % 6;
        let flags = choices.byte();
        let more = choices.byte();
        match kind {
            0 => Self::Lines(positions(flags, more)),
            1 => Self::rows(positions(flags, more), Format::Csv),
            2 => {
                // Neither variations nor a choice among positions go with an index.
                let Positions { games, replay, on_error, max_games, .. } = positions(flags, more);
                Self::Postings(Positions { postings: true, games, replay, on_error, max_games, ..Positions::default() })
            }
            3 => Self::Starts(Starts {
                listing: Listing::Rows(FenStyle::default(), Columns::of_starts(ALL_OF_STARTS).expect("columns")),
                ..some_starts(flags)
            }),
            4 => Self::Starts(Starts { listing: Listing::Lines(FenStyle::default()), ..some_starts(flags) }),
            _ => Self::Starts(some_starts(flags)),
        }
    }

    /// What kind of job it is, and which options are not those of its default.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Lines(job) => format!("lines, {}", options(job)),
            Self::Rows(job, _, format) => format!("rows of {}, {}", format.name(), options(job)),
            Self::Postings(job) => format!("postings, {}", options(job)),
            Self::Starts(job) => format!("starts, {job:?}"),
        }
    }

    /// Rows with all columns.
    pub(crate) fn rows(job: Positions, format: Format) -> Self {
        let columns: Columns = ALL.parse().expect("columns");
        Self::Rows(Positions { columns: Some(columns.clone()), ..job }, columns, format)
    }

    fn read(&self, text: Text<'_>, until: usize, batch: &mut Batch) -> Left {
        match self {
            Self::Lines(job) | Self::Rows(job, ..) | Self::Postings(job) => job.read(text, until, batch),
            Self::Starts(job) => job.read(text, until, batch),
        }
    }

    /// Reads a text on this thread alone, as one block.
    pub(crate) fn read_alone(&self, text: &[u8], batch: &mut Batch) -> usize {
        self.read(Text::whole(text), text.len(), batch).at
    }

    /// The format and columns of its rows; those of a job without rows are not filled.
    fn table(&self) -> (Format, Columns) {
        match self {
            Self::Rows(_, columns, format) => (*format, columns.clone()),
            Self::Starts(Starts { listing: Listing::Rows(_, columns), .. }) => (Format::Csv, columns.clone()),
            _ => (Format::Csv, "fen".parse().expect("a column")),
        }
    }
}

fn options(job: &Positions) -> String {
    let Positions { variations, unique, max_games, on_error, games, positions, .. } = job;
    format!(
        "variations {variations}, unique {unique}, max_games {max_games:?}, {on_error:?}, start {:?}, {positions:?}",
        games.start
    )
}

fn positions(flags: u8, more: u8) -> Positions {
    let mut job = Positions { style: Some(FenStyle::default()), ..Positions::default() };
    job.variations = flags & 1 != 0;
    job.unique = flags & 2 != 0;
    job.replay.first_warnings_only = flags & 4 != 0;
    job.positions.skip_start = flags & 8 != 0;
    job.games.start = [Start::Any, Start::Standard, Start::Nonstandard, Start::Any][usize::from(flags >> 4 & 3)];
    job.on_error = [OnError::Keep, OnError::Drop, OnError::Stop, OnError::Keep][usize::from(flags >> 6)];
    match more % 16 {
        1 => job.max_games = Some(1),
        2 => job.max_games = Some(3),
        3 => job.positions.plies = "-2..".parse().expect("plies"),
        4 => job.positions.plies = "1..5".parse().expect("plies"),
        5 => job.positions.every = NonZeroU32::new(3).expect("not zero"),
        6 => job.positions.sample = Share::new(0.4).map(|share| Sample { share, seed: 1 }),
        7 => job.positions.turn = Some(Color::Black),
        8 => job.positions.skip_checks = true,
        9 => job.positions.skip_captures = true,
        10 => job.positions.men = "..20".parse().ok(),
        11 => job.games.tags = vec!["White~a".parse().expect("a filter")],
        12 => job.replay.setup = SetupPolicy::Strict,
        13 => job.replay.setup = SetupPolicy::Ignore,
        14 => job.replay.letters = Letters::of("de").expect("German"),
        15 => job.style = Some(FenStyle { ep: EpStyle::Legal, ..FenStyle::default() }),
        _ => {}
    }
    job
}

fn some_starts(flags: u8) -> Starts {
    Starts {
        kinds: if flags & 1 != 0 { Kind::ALL.to_vec() } else { Kind::VALID.to_vec() },
        invert: flags & 2 != 0,
        sameness: [Sameness::Position, Sameness::Exact, Sameness::None, Sameness::None][usize::from(flags >> 2 & 3)],
        max_games: (flags & 16 != 0).then_some(2),
        ..Starts::default()
    }
}

/// All that a walk says.
#[derive(Debug, Default)]
pub(crate) struct Said {
    pub(crate) output: Vec<u8>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) games: u64,
    pub(crate) wanted: u64,
    pub(crate) positions: u64,
    pub(crate) lines: u64,
    /// Whether the walk was ended because nothing more was wanted. How far it had come by then is not told.
    pub(crate) is_over: bool,
    /// Why the text could not be read to its end.
    pub(crate) error: Option<String>,
}

/// What decides in the order of the games.
enum InOrder {
    Positions(positions::InOrder),
    Starts(starts::InOrder),
}

impl InOrder {
    fn take(&mut self, batch: &mut Batch) -> ControlFlow<()> {
        match self {
            Self::Positions(in_order) => in_order.take(batch),
            Self::Starts(in_order) => in_order.take(batch),
        }
    }
}

/// Walks through the sources, one after the other, as the command does.
pub(crate) fn walk_all(job: &Job, workers: &Workers, sources: Vec<Source>) -> Said {
    let mut said = Said::default();
    let mut in_order = match job {
        Job::Lines(job) | Job::Rows(job, ..) | Job::Postings(job) => InOrder::Positions(positions::InOrder::new(job)),
        Job::Starts(job) => InOrder::Starts(starts::InOrder::new(job)),
    };
    let (format, columns) = job.table();
    let has_rows = matches!(job, Job::Rows(..) | Job::Starts(Starts { listing: Listing::Rows(..), .. }));
    let (mut collector, encoder, mut assembler) = begin(format, &columns, false).expect("a table can be begun");
    // So few rows in a group that small texts fill some.
    collector = collector.with_group(5);
    if has_rows {
        said.output.extend_from_slice(assembler.head());
    }
    for source in sources {
        if said.is_over {
            break;
        }
        let before = match &source {
            Source::Whole(database) => database.before().to_vec(),
            Source::Stream(_) => Vec::new(),
        };
        if let InOrder::Starts(in_order) = &mut in_order {
            in_order.begin_file();
        }
        collector.begin_file("a.pgn", &before);
        let mut next = (before.len() as u64, 0);
        let mut output = Vec::new();
        let games_before = said.games;
        let read = |text: Text<'_>, until: usize, batch: &mut Batch| job.read(text, until, batch);
        let order = |delivery: Delivery<'_, Batch>| {
            let Delivery { batch, text, offset, line } = delivery;
            assert_eq!((offset, line), next, "deliveries follow one another without a gap");
            next.0 += text.len() as u64;
            next.1 += count_lines(text);
            let flow = in_order.take(batch);
            for diagnostic in &batch.diagnostics {
                let game = diagnostic.game.map(|game| game + said.games - games_before);
                said.diagnostics.push(Diagnostic { game, ..diagnostic.clone() });
            }
            said.games += batch.count.games;
            said.wanted += batch.count.wanted;
            said.positions += batch.count.positions;
            said.is_over |= flow.is_break() || batch.is_stopped;
            if has_rows {
                collector.collect(&mut batch.table, batch.count.games, line, &mut batch.product);
            } else {
                batch.postings.begin_on(line);
            }
            if said.is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let encode = |batch: &mut Batch| {
            if has_rows && let Some(table) = encoder.encode(&mut batch.product) {
                batch.table = table;
            }
        };
        let deliver = |batch: &mut Batch| {
            output.extend_from_slice(&batch.output);
            append_postings(&batch.postings, &mut output);
            output.extend_from_slice(assembler.assemble(&mut batch.product).expect("rows can be written"));
            ControlFlow::Continue(())
        };
        said.error = workers
            .walk_in_stages(source, Stages { read, order, encode, deliver })
            .err()
            .map(|error| error.to_string())
            .or(said.error);
        said.output.append(&mut output);
        said.lines += next.1;
    }
    let mut last = Product::default();
    collector.end(&mut last);
    encoder.encode(&mut last);
    said.output.extend_from_slice(assembler.assemble(&mut last).expect("rows can be written"));
    said.output.extend(assembler.end().expect("a table can be ended"));
    if let InOrder::Starts(in_order) = in_order {
        for count in in_order.counts() {
            write_line(format_args!("count {count}"), &mut said.output);
        }
        said.output.extend_from_slice(in_order.end());
    }
    said
}

/// Walks through a source.
pub(crate) fn walk(job: &Job, workers: &Workers, source: Source) -> Said {
    walk_all(job, workers, vec![source])
}

/// All that is kept of games and positions, as lines.
fn append_postings(postings: &Postings, out: &mut Vec<u8>) {
    for (nth, (game, of_game)) in postings.games().enumerate() {
        let line = game.line + postings.line();
        let place = (game.offset, game.length, line);
        write_line(format_args!("{place:?} {:?} {} {} {:?}", game.start, game.turn, game.plies, game.result), out);
        write_line(format_args!("{:?}", postings.fen(nth)), out);
        for tag in 0..TAGS.len() {
            write_line(format_args!("{:?}", postings.tag(nth, tag)), out);
        }
        for posting in of_game {
            write_line(format_args!("{posting:?}"), out);
        }
    }
}

fn write_line(line: std::fmt::Arguments<'_>, out: &mut Vec<u8>) {
    let mut text = String::new();
    writeln!(text, "{line}").expect("memory can be written to");
    out.extend_from_slice(text.as_bytes());
}

/// Checks that two walks said the same.
#[track_caller]
pub(crate) fn same(said: &Said, expected: &Said, what: &str) {
    if said.output != expected.output {
        let lines = |said: &Said| String::from_utf8_lossy(&said.output).lines().map(str::to_owned).collect::<Vec<_>>();
        let (lines, expected) = (lines(said), lines(expected));
        let first = lines.iter().zip(&expected).position(|(a, b)| a != b).unwrap_or(lines.len().min(expected.len()));
        panic!("{what}: line {first} of the output is {:?}, not {:?}", lines.get(first), expected.get(first));
    }
    let differing = said.diagnostics.iter().zip(&expected.diagnostics).find(|(a, b)| a != b);
    assert_eq!(differing, None, "{what}: what is said, and what was to be said");
    assert_eq!(said.diagnostics.len(), expected.diagnostics.len(), "{what}: how much is said");
    assert_eq!((said.wanted, said.positions), (expected.wanted, expected.positions), "{what}");
    if !said.is_over {
        assert_eq!((said.games, said.lines), (expected.games, expected.lines), "{what}");
    }
    assert_eq!(said.error, expected.error, "{what}");
}

pub(crate) fn whole(bytes: &[u8]) -> Source {
    Source::Whole(Database::from(bytes.to_vec()))
}

/// A stream that gives at most so many bytes at a time; None if it does not begin like one that can be read.
pub(crate) fn stream(bytes: &[u8], step: usize) -> io::Result<Source> {
    struct Trickle {
        bytes: Vec<u8>,
        at: usize,
        step: usize,
    }
    impl Read for Trickle {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = buffer.len().min(self.bytes.len() - self.at).min(self.step);
            buffer[..count].copy_from_slice(&self.bytes[self.at..self.at + count]);
            self.at += count;
            Ok(count)
        }
    }
    Source::stream(Box::new(Trickle { bytes: bytes.to_vec(), at: 0, step: step.max(1) }), None)
}

/// Does something with so many workers who cut as they are told. Their threads are kept for the next.
pub(crate) fn with_workers<T>(threads: usize, cuts: Cuts, work: impl FnOnce(&Workers) -> T) -> T {
    thread_local! {
        static KEPT: RefCell<[Option<Workers>; 3]> = const { RefCell::new([None, None, None]) };
    }
    let kept = KEPT.with_borrow_mut(|kept| kept[threads].take());
    let workers = kept.unwrap_or_else(|| Workers::new(threads).expect("threads can be started")).with_cuts(cuts);
    let result = work(&workers);
    KEPT.with_borrow_mut(|kept| kept[threads] = Some(workers));
    result
}

/// One worker who reads all in one block.
pub(crate) fn with_one<T>(work: impl FnOnce(&Workers) -> T) -> T {
    with_workers(1, Cuts::Likely(usize::MAX / 4), work)
}

/// Cuts at every so many bytes of a text.
pub(crate) fn cuts_every(step: usize, text: &[u8]) -> Cuts {
    Cuts::At((0..text.len()).step_by(step).skip(1).map(|cut| cut as u64).collect())
}
