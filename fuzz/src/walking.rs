//! Walks through a text with one of the jobs, and records the output and all diagnostics.

use std::cell::RefCell;
use std::io::{self, Read};
use std::num::NonZeroU32;
use std::ops::ControlFlow;
use std::path::Path;

use pgn2fen_chess::fen::{EpStyle, FenStyle};
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::san::Letters;
use pgn2fen_games::database::{Database, Source};
use pgn2fen_games::diagnostic::Diagnostic;
use pgn2fen_games::parallel::Cuts;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::pgn::annotation::EvalChoice;
use pgn2fen_games::replay::SetupPolicy;
use pgn2fen_games::selection::{PositionFilter, Sample, Share, Start};
use pgn2fen_games::walk::{Count, Job as _, Listener, OnError, Place, ReadOptions};
use pgn2fen_rows::games::Copies;
use pgn2fen_rows::starts::{Kind, Sameness, Starts};
use pgn2fen_rows::{Columns, Format, Rows, Shape, Writing};
use pgn2fen_testing::list_postings;

use crate::choices::Choices;

/// All columns of rows of positions, and some tags.
pub(crate) const ALL: &str = "file,game,offset,line,ply,turn,fen,san,uci,next_san,next_uci,eval,\
    depth,time,nodes,win_chance,cp_loss,accuracy,judgement,clk,key,result,White,Annotator,FEN";

/// All columns of rows of starting positions, and a tag.
const ALL_OF_STARTS: &str = "kind,sp,fen,file,line,offset,game,odds,White";

/// The job of a walk.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one at a time")]
pub(crate) enum Job {
    /// Writes a line of FEN or a row with columns for every position.
    Rows(Rows),
    /// Writes a posting for every position.
    Postings(ReadOptions),
    /// Writes starting positions, or copies of the games that have them.
    Starts(Starts),
    /// Copies all games.
    Copies(Copies),
}

impl Job {
    /// Chooses a job and its options from three bytes.
    pub(crate) fn choose(choices: &mut Choices<'_>) -> Self {
        let kind = choices.byte() % 6;
        let flags = choices.byte();
        let more = choices.byte();
        match kind {
            0 => Self::Rows(positions(flags, more)),
            1 => Self::Rows(rows(positions(flags, more), Format::Csv)),
            // An index supports neither variations nor a filter for positions.
            2 => Self::Postings(read_options(flags, more)),
            3 => {
                // Rows with the column `count` are kept in memory until the end.
                let counted = if flags & 32 != 0 { "count," } else { "" };
                let columns = Columns::of_starts(&format!("{counted}{ALL_OF_STARTS}")).expect("columns");
                let shape = Shape { format: Format::Csv, columns: Some(columns), no_header: false };
                Self::Starts(some_starts(Starts::shape(shape), flags))
            }
            4 => Self::Starts(some_starts(Starts::lines(), flags)),
            _ => Self::Starts(some_starts(Starts::copies(), flags)),
        }
    }

    /// Returns the kind of the job and its options, for messages.
    pub(crate) fn name(&self) -> String {
        format!("{self:?}")
    }

    /// Begins to write.
    pub(crate) fn begin(&self) -> Writing<'static, Vec<u8>> {
        match self {
            Self::Rows(rows) => rows.begin(Vec::new()).expect("rows can be begun"),
            Self::Postings(read) => list_postings(PositionFilter::default(), read.clone(), Vec::new()),
            Self::Starts(starts) => starts.begin(Vec::new()).expect("a list can be begun"),
            Self::Copies(copies) => copies.begin(Vec::new()),
        }
    }
}

/// Returns rows with all columns. The groups are so small that small texts fill some.
pub(crate) fn rows(job: Rows, format: Format) -> Rows {
    let columns = Some(ALL.parse().expect("columns"));
    job.shape(Shape { format, columns, no_header: false }).group(5)
}

fn positions(flags: u8, more: u8) -> Rows {
    let mut filter = PositionFilter { skip_start: flags & 8 != 0, ..PositionFilter::default() };
    let mut style = FenStyle::default();
    match more % 16 {
        3 => filter.plies = "-2..".parse().expect("plies"),
        4 => filter.plies = "1..5".parse().expect("plies"),
        5 => filter.every = NonZeroU32::new(3).expect("not zero"),
        6 => filter.sample = Share::new(0.4).map(|share| Sample { share, seed: 1 }),
        7 => filter.turn = Some(Color::Black),
        8 => filter.skip_checks = true,
        9 => filter.skip_captures = true,
        10 => filter.men = "..20".parse().ok(),
        15 => style.ep = EpStyle::Legal,
        _ => {}
    }
    let job = Rows::new().variations(flags & 1 != 0).unique(flags & 2 != 0);
    job.positions(filter).style(style).read_options(read_options(flags, more))
}

fn read_options(flags: u8, more: u8) -> ReadOptions {
    let mut read = ReadOptions::default();
    read.replay.first_warnings_only = flags & 4 != 0;
    read.games.start = [Start::Any, Start::Standard, Start::Nonstandard, Start::Any][usize::from(flags >> 4 & 3)];
    read.replay.evals = EvalChoice::ALL[usize::from(more >> 4) % 4];
    read.on_error = [OnError::Keep, OnError::Drop, OnError::Stop, OnError::Keep][usize::from(flags >> 6)];
    match more % 16 {
        1 => read.max_games = Some(1),
        2 => read.max_games = Some(3),
        11 => read.games.tags = vec!["White~a".parse().expect("a filter")],
        12 => read.replay.setup = SetupPolicy::Strict,
        13 => read.replay.setup = SetupPolicy::Ignore,
        14 => read.replay.letters = Letters::of("de").expect("German"),
        _ => {}
    }
    read
}

fn some_starts(job: Starts, flags: u8) -> Starts {
    let kinds = if flags & 1 != 0 { Kind::ALL.to_vec() } else { Kind::VALID.to_vec() };
    let sameness = [Sameness::Position, Sameness::Exact, Sameness::None, Sameness::None][usize::from(flags >> 2 & 3)];
    let read = ReadOptions { max_games: (flags & 16 != 0).then_some(2), ..ReadOptions::default() };
    job.kinds(kinds).invert(flags & 2 != 0).sameness(sameness).read_options(read)
}

/// The results of a walk.
#[derive(Debug, Default)]
pub(crate) struct Said {
    pub(crate) output: Vec<u8>,
    /// The diagnostics.
    pub(crate) diagnostics: Vec<(Diagnostic, Place)>,
    pub(crate) count: Count,
    /// The number of bytes of text that were read. `None` for ranges: two adjacent ranges may both read the line
    /// between them.
    pub(crate) bytes: Option<usize>,
    /// Whether the walk ended because nothing more was wanted. The number of bytes that it had read by then may vary.
    pub(crate) is_over: bool,
    /// The error that ended the read.
    pub(crate) error: Option<String>,
}

impl Listener for Said {
    fn diagnostic(&mut self, diagnostic: &Diagnostic, place: Place) {
        self.diagnostics.push((diagnostic.clone(), place));
    }

    fn progress(&mut self, bytes: usize, count: Count) -> ControlFlow<()> {
        self.bytes = Some(self.bytes.unwrap_or(0) + bytes);
        self.count = count;
        ControlFlow::Continue(())
    }
}

/// Walks through the sources one after another, as the command does.
pub(crate) fn walk_all(job: &Job, workers: &Workers, sources: Vec<Source>) -> Said {
    let mut said = Said::default();
    let mut writing = job.begin();
    for source in sources {
        let read = writing.read(workers, Path::new("a.pgn"), source, &mut said);
        said.error = read.err().map(|error| error.to_string()).or(said.error);
    }
    said.is_over = writing.is_over();
    assert_eq!(said.count, writing.totals().count, "the listener was told how much there is");
    (said.output, _) = writing.end().expect("memory can be written to");
    said
}

/// Walks through a source.
pub(crate) fn walk(job: &Job, workers: &Workers, source: Source) -> Said {
    walk_all(job, workers, vec![source])
}

/// Checks that two walks had the same results.
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
    let rest = |a: &Said, b: &Said| a.diagnostics.get(b.diagnostics.len()..).map(<[_]>::to_vec).unwrap_or_default();
    assert_eq!(rest(said, expected), rest(expected, said), "{what}: what else is said, and what else was to be said");
    assert_eq!((said.count, said.is_over), (expected.count, expected.is_over), "{what}");
    if !said.is_over {
        for (bytes, expected) in said.bytes.iter().zip(expected.bytes) {
            assert_eq!(*bytes, expected, "{what}: bytes");
        }
    }
    assert_eq!(said.error, expected.error, "{what}");
}

/// Reads what is opened with the same results on one thread and on two. `None` if it is refused.
pub(crate) fn agreed(job: &Job, open: &dyn Fn() -> Option<Source>) -> Option<Said> {
    let one = with_one(|one| Some(walk(job, one, open()?)))?;
    let two = with_workers(2, Cuts::Likely(1000), |two| Some(walk(job, two, open()?)))?;
    same(&two, &one, "on two threads");
    Some(one)
}

/// Checks that the copies of all games have the same positions, if there was no error in the games.
#[track_caller]
pub(crate) fn has_copies_with_the_same_positions(said: &Said, job: &Job, open: &dyn Fn() -> Option<Source>) {
    if said.error.is_some() || said.diagnostics.iter().any(|(diagnostic, _)| diagnostic.kind.is_error()) {
        return;
    }
    let copies = with_one(|one| walk(&Job::Copies(Copies::new()), one, open().expect("it was opened before"))).output;
    let again = with_one(|one| walk(job, one, whole(&copies)));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(text(&again.output), text(&said.output), "the positions of copies: {}", text(&copies));
}

pub(crate) fn whole(bytes: &[u8]) -> Source {
    Source::Whole(Database::from(bytes.to_vec()))
}

/// Returns a stream that gives at most `step` bytes for each read, or an error if it does not begin like a readable
/// file.
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

/// Calls a closure with this number of workers, which cut the text in the given way. The threads are reused by the next
/// call.
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

/// Calls a closure with one worker that reads everything as one block.
pub(crate) fn with_one<T>(work: impl FnOnce(&Workers) -> T) -> T {
    with_workers(1, Cuts::Likely(usize::MAX / 4), work)
}

/// Returns cuts at every `step` bytes of a text.
pub(crate) fn cuts_every(step: usize, text: &[u8]) -> Cuts {
    Cuts::At((0..text.len()).step_by(step).skip(1).map(|cut| cut as u64).collect())
}
