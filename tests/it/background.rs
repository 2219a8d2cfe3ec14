//! Jobs that are pulled: they give the rows that are written, tell a listener what a job that writes tells it, and end
//! when nobody wants more of them.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::{Duration, Instant};

use arrow_array::RecordBatch;
use arrow_ipc::reader::StreamReader;
use pgn2fen_games::database::{Database, Source};
use pgn2fen_games::diagnostic::Diagnostic;
use pgn2fen_games::pgn::encoding::Label;
use pgn2fen_games::walk::{Count, Input, Listener, OnError, Place, Totals};
use pgn2fen_rows::starts::{Sameness, Starts};
use pgn2fen_rows::{Columns, Format, Rows, RowsError};

use crate::cli::Desk;
use crate::laws::{everything, fixtures, stream, whole};
use crate::walking::read_options;

/// The calls of a listener, which are shared with the thread that the job runs on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told(Arc<Mutex<Vec<Event>>>);

/// A call of a listener.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Event {
    Begin(PathBuf),
    Fault(Diagnostic, Place),
    EndOfFile,
    End(Totals),
}

impl Told {
    fn note(&self, event: Event) {
        self.0.lock().unwrap().push(event);
    }

    pub(crate) fn events(&self) -> Vec<Event> {
        self.0.lock().unwrap().clone()
    }
}

impl Listener for Told {
    fn begin_file(&mut self, path: &Path, _: &Source) {
        self.note(Event::Begin(path.to_owned()));
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic, place: Place) {
        self.note(Event::Fault(diagnostic.clone(), place));
    }

    fn end_file(&mut self) {
        self.note(Event::EndOfFile);
    }

    fn end(&mut self, totals: &Totals) {
        self.note(Event::End(totals.clone()));
    }
}

/// All fixtures that are PGN or lists, each with its name, as whole files and as streams.
fn inputs() -> Vec<Input> {
    let sources = fixtures().into_iter().enumerate().map(|(number, (path, bytes))| {
        Input::opening(path, move || Ok(if number % 2 == 0 { whole(&bytes) } else { stream(&bytes) }))
    });
    sources.collect()
}

fn written(arrow: &[u8]) -> Vec<RecordBatch> {
    StreamReader::try_new(arrow, None).unwrap().map(Result::unwrap).collect()
}

#[test]
fn batches_are_those_of_the_stream_that_is_written_and_the_listener_is_told_the_same() {
    let mut rows = Rows::columns("file,game,line,ply,san,White,eval,fen").unwrap().format(Format::Arrow);
    for threads in [1, 2] {
        rows = rows.threads(threads);
        let (expected, told) = (Told::default(), Told::default());
        let (bytes, _) = rows.write_with(inputs(), Vec::new(), &mut expected.clone()).unwrap();
        let batches = rows.batches_with(inputs(), told.clone()).unwrap();
        assert_eq!(batches.schema(), rows.schema());
        let batches: Vec<RecordBatch> = batches.map(Result::unwrap).collect();
        assert!(batches.len() > 3 && batches.iter().all(|batch| batch.schema() == rows.schema()));
        assert!(batches == written(&bytes), "{threads} threads");
        assert_eq!(told.events(), expected.events());
    }
}

#[test]
fn batches_of_starts_are_those_of_the_stream_that_is_written() {
    let columns = Columns::of_starts("count,kind,sp,fen,file,line,game,White").unwrap();
    for sameness in [Sameness::Position, Sameness::Exact, Sameness::None] {
        let starts = Starts::columns(columns.clone()).format(Format::Arrow).sameness(sameness);
        let (expected, told) = (Told::default(), Told::default());
        let (bytes, _) = starts.write_with(inputs(), Vec::new(), &mut expected.clone()).unwrap();
        let batches = starts.batches_with(inputs(), told.clone()).unwrap();
        assert_eq!(batches.schema(), starts.schema());
        let batches: Vec<RecordBatch> = batches.map(Result::unwrap).collect();
        assert!(batches.iter().map(RecordBatch::num_rows).sum::<usize>() > 50);
        assert!(batches == written(&bytes), "{sameness:?}");
        assert_eq!(told.events(), expected.events());
    }
    assert_eq!(Starts::lines().schema(), Starts::columns(Columns::starts()).schema());
}

#[test]
fn a_file_begins_before_its_faults_and_ends_behind_them_and_the_run_ends_once() {
    let bad = Input::opening("bad.pgn", || Ok(whole(b"1. Ke3 *")));
    let missing = Input::opening("missing.pgn", || Err(io::Error::new(io::ErrorKind::PermissionDenied, "locked")));
    let told = Told::default();
    let mut batches = Rows::new().tags("Rating>1").unwrap().batches_with([bad, missing], told.clone()).unwrap();
    let Some(Err(RowsError::Read(error))) = batches.next() else { panic!("the second file cannot be opened") };
    assert_eq!((error.path.to_str(), error.error().kind()), (Some("missing.pgn"), io::ErrorKind::PermissionDenied));
    assert_eq!(error.to_string(), "cannot read missing.pgn: locked");
    assert!(batches.next().is_none() && batches.next().is_none());
    let events = told.events();
    let [Event::Begin(path), Event::EndOfFile, Event::End(totals)] = &events[..] else { panic!("{events:?}") };
    assert_eq!((path.to_str(), totals.count.games), (Some("bad.pgn"), 1));
    assert_eq!(totals.missing_tags[0].name, "Rating");

    let told = Told::default();
    let text = [b"1. Ke3 *\n".to_vec(), b"1. e4 *\n".repeat(1000), b"1. d4".to_vec()].concat();
    let cut = Input::opening("cut.pgn", || Source::stream(Box::new(CutShort(text.into())), None));
    let batches: Vec<_> = Rows::new().batches_with([cut], told.clone()).unwrap().collect();
    assert!(matches!(&batches[..], [Ok(batch), Err(RowsError::Read(_))] if batch.num_rows() == 2001), "{batches:?}");
    let events = told.events();
    let [Event::Begin(_), Event::Fault(fault, place), Event::EndOfFile, Event::End(totals)] = &events[..] else {
        panic!("{events:?}")
    };
    assert_eq!((fault.game, place.column, totals.count.games), (Some(1), 4, 1001));
}

/// A text behind which reading fails.
struct CutShort(VecDeque<u8>);

impl Read for CutShort {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() {
            return Err(io::Error::other("the disk is gone"));
        }
        self.0.read(buffer)
    }
}

#[test]
fn an_error_that_ends_the_run_is_in_the_totals() {
    let told = Told::default();
    let rows = Rows::new().read_options(read_options(|read| read.on_error = OnError::Stop));
    let games = Database::from(b"1. e4 *\n1. Ke3 *\n1. d4 *".to_vec());
    let count: usize = rows.batches_with([games], told.clone()).unwrap().map(|batch| batch.unwrap().num_rows()).sum();
    assert_eq!(count, 3);
    assert!(matches!(told.events().last(), Some(Event::End(totals)) if totals.is_stopped && totals.count.games == 2));
}

#[test]
fn a_listener_can_end_the_run() {
    struct Enough(u64);
    impl Listener for Enough {
        fn progress(&mut self, _: usize, count: Count) -> ControlFlow<()> {
            if count.games > self.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }
    let rows = Rows::new().threads(2);
    let read =
        rows.batches_with([endless()], Enough(5000)).unwrap().map(|batch| batch.unwrap().num_rows()).sum::<usize>();
    assert!((15_000..100_000).contains(&read), "{read}");
}

/// Games for ever.
pub(crate) fn endless() -> Input {
    struct Endless(usize);
    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            const GAME: &[u8] = b"[White \"A\"]\n\n1. e4 e5 *\n\n";
            for byte in &mut *buffer {
                *byte = GAME[self.0 % GAME.len()];
                self.0 += 1;
            }
            Ok(buffer.len())
        }
    }
    Input::opening("endless.pgn", || Source::stream(Box::new(Endless(0)), None))
}

#[test]
fn dropped_batches_end_their_threads_even_if_no_rows_ever_come() {
    for threads in [1, 2, 3] {
        let rows = Rows::new().tags("White=B").unwrap().threads(threads);
        let mut batches = rows.batches([endless()]).unwrap();
        assert!(batches.next_within(Duration::from_millis(30)).is_pending());
        // The drop waits for the threads; a test that waits for ever has failed.
        drop(batches);
        // The channel is full.
        let mut batches = Rows::new().threads(threads).batches([endless()]).unwrap();
        assert!(batches.next().is_some());
        drop(batches);
        // There is no game, but there are always more files.
        let empty = std::iter::repeat_with(|| Database::from(Vec::new()));
        drop(Rows::new().threads(threads).batches(empty).unwrap());
    }
}

#[test]
fn waiting_ends_when_the_time_is_up_and_when_there_is_a_batch() {
    struct Slow(Receiver<Vec<u8>>);
    impl Read for Slow {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let text = self.0.recv().unwrap_or_default();
            buffer[..text.len()].copy_from_slice(&text);
            Ok(text.len())
        }
    }
    let (sender, receiver) = channel();
    let slow = Input::opening("slow.pgn", || Source::stream(Box::new(Slow(receiver)), None));
    let mut batches = Rows::new().threads(1).batches([slow]).unwrap();
    let begun = Instant::now();
    assert!(batches.next_within(Duration::from_millis(50)).is_pending());
    assert!(begun.elapsed() >= Duration::from_millis(50));
    sender.send(b"1. e4 *".to_vec()).unwrap();
    drop(sender);
    let Poll::Ready(Some(Ok(batch))) = batches.next_within(Duration::MAX) else { panic!("there are rows") };
    assert_eq!(batch.num_rows(), 2);
    assert!(matches!(batches.next_within(Duration::MAX), Poll::Ready(None)));
    assert!(matches!(batches.next_within(Duration::ZERO), Poll::Ready(None)));
}

#[test]
fn a_panic_of_a_listener_goes_on_where_the_batches_are_pulled() {
    struct Panics;
    impl Listener for Panics {
        fn diagnostic(&mut self, _: &Diagnostic, _: Place) {
            panic!("it listens no more");
        }
    }
    let games = Database::from(b"1. Ke3 *".to_vec());
    let batches = Rows::new().batches_with([games], Panics).unwrap();
    let payload = catch_unwind(AssertUnwindSafe(move || batches.for_each(drop))).unwrap_err();
    assert_eq!(payload.downcast_ref::<&str>(), Some(&"it listens no more"));
}

#[test]
fn paths_are_opened_in_the_encoding_of_the_options() {
    // The second byte of 功 in Big5 is a backslash, which would escape the quote.
    let label = Label::find("big5").unwrap();
    assert!(label.hides_structure());
    let desk = Desk::with(&[("big5.pgn", b"[White \"\xb8\xdb\xa5\x5c\"]\n\n1. e4 *\n")]);
    let rows = Rows::columns("White,ply").unwrap().format(Format::Csv);
    let rows = rows.read_options(read_options(|read| read.encoding = Some(label)));
    let told = Told::default();
    let (csv, _) = rows.write_with([desk.path("big5.pgn")], Vec::new(), &mut told.clone()).unwrap();
    assert_eq!(str::from_utf8(&csv), Ok("White,ply\n誠功,0\n誠功,1\n"));
    assert!(!told.events().iter().any(|event| matches!(event, Event::Fault(..))), "{told:?}");
}

#[test]
fn batches_of_a_file_of_many_blocks_are_those_of_any_number_of_threads() {
    let text = everything();
    let all = |threads| -> Vec<RecordBatch> {
        let rows = Rows::columns("game,offset,ply,fen").unwrap().threads(threads).group(500);
        rows.batches([Database::from(text.clone())]).unwrap().map(Result::unwrap).collect()
    };
    let expected = all(1);
    assert!(expected.len() > 50);
    assert!(all(2) == expected && all(5) == expected);
}
