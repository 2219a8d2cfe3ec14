//! Whole games that are pulled: they are those of the database, whatever they are read from, and each reads alone as it
//! reads there.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use pgn2fen_chess::fen::{FenStyle, FenWriter};
use pgn2fen_games::database::{Database, Source};
use pgn2fen_games::diagnostic::Diagnostic;
use pgn2fen_games::pgn::games::Game;
use pgn2fen_games::pgn::lists::Form;
use pgn2fen_games::pgn::tags::Tag;
use pgn2fen_games::replay::{Event as Part, ReplayOptions, SetupPolicy};
use pgn2fen_games::selection::Start;
use pgn2fen_games::stream::{GameReader, OwnedGame};
use pgn2fen_games::walk::{Input, OnError, Place, ReadOptions};
use pgn2fen_rows::starts::{Kind, Starts};
use pgn2fen_rows::{Format, Rows};

use crate::background::{Event, Told, endless};
use crate::compressed::PACKS;
use crate::laws::{everything, fixtures, noise, stream, sweeps, whole};
use crate::walking::read_options;

fn games(reader: &GameReader, inputs: Vec<Input>) -> Vec<OwnedGame> {
    reader.stream(inputs).unwrap().collect::<Result<_, _>>().unwrap()
}

/// All fixtures, each under its path.
fn inputs() -> Vec<Input> {
    fixtures().into_iter().map(|(path, _)| path.into()).collect()
}

/// Returns the contents of a game: its number and place, its tags and its bytes.
fn contents(number: u64, game: &Game<'_>) -> (u64, u64, String, Vec<u8>) {
    (number, game.offset(), tags(game), game.bytes().to_vec())
}

fn tags(game: &Game<'_>) -> String {
    let tag = |tag: Tag<'_>| format!("[{} {}]", tag.name.escape_ascii(), tag.value.0.escape_ascii());
    game.tags().iter().map(tag).collect()
}

#[track_caller]
fn check_games(source: Input, threads: usize, database: &Database, what: &str) {
    let found = games(&GameReader::new().threads(threads), vec![source]);
    let expected: Vec<_> = (1..).zip(database.games()).map(|(number, game)| contents(number, &game)).collect();
    let found: Vec<_> = found
        .iter()
        .map(|game| {
            assert_eq!((game.offset(), game.bytes()), (game.game().offset(), game.game().bytes()), "{what}");
            contents(game.number(), &game.game())
        })
        .collect();
    assert!(found == expected, "{what}: {} games, and {}", found.len(), expected.len());
}

#[test]
fn games_are_those_of_the_database_whatever_they_are_read_from() {
    for (path, bytes) in fixtures() {
        let database = Database::open(&path).unwrap();
        let what = path.display().to_string();
        check_games((&path).into(), 1, &database, &what);
        check_games(stream(&bytes).into(), 2, &database, &what);
        for (name, pack) in PACKS.iter().filter(|(name, _)| !name.contains("long")) {
            let packed = Source::stream(Box::new(Cursor::new(pack(&bytes))), None).unwrap();
            check_games(packed.into(), 2, &database, &format!("{what} in {name}"));
        }
    }
    let text = everything();
    let database = Database::from(text.clone());
    for threads in [1, 2, 5] {
        check_games(whole(&text).into(), threads, &database, "everything");
        check_games(stream(&text).into(), threads, &database, "everything");
    }
}

/// The games that are chosen are those that rows are made of, at the places that rows name.
#[track_caller]
fn check_chosen(read: &ReadOptions, least: usize) {
    let rows = Rows::columns("file,game,offset,line").unwrap().plies("0").unwrap().format(Format::Csv);
    let (csv, _) = rows.read_options(read.clone()).write(inputs(), Vec::new()).unwrap();
    let expected: Vec<&str> = str::from_utf8(&csv).unwrap().lines().skip(1).collect();
    for threads in [1, 2] {
        let found = games(&GameReader::new().read_options(read.clone()).threads(threads), inputs());
        // A game without a usable starting position has no rows.
        let found = found.iter().filter(|game| game.game().replay_with(&read.replay).is_ok());
        let name =
            |game: &OwnedGame| format!("{},{},{},{}", game.path().display(), game.number(), game.offset(), game.line());
        let found: Vec<String> = found.map(name).collect();
        let differing = found.iter().zip(&expected).find(|(found, expected)| found != expected);
        assert_eq!((differing, found.len()), (None, expected.len()));
    }
    assert!(expected.len() >= least, "only {} games", expected.len());
}

#[test]
fn the_games_that_are_chosen_are_those_that_rows_are_made_of() {
    check_chosen(&ReadOptions::default(), 1000);
    check_chosen(&read_options(|read| read.games.tags.push("WhiteElo>=2000".parse().unwrap())), 20);
    check_chosen(&read_options(|read| read.games.tags.push("White~an".parse().unwrap())), 20);
    check_chosen(&read_options(|read| read.games.start = Start::Nonstandard), 50);
    check_chosen(&read_options(|read| read.games.start = Start::Standard), 500);
    check_chosen(&read_options(|read| read.replay.setup = SetupPolicy::Ignore), 1000);
    check_chosen(&read_options(|read| read.max_games = Some(77)), 70);
}

/// Returns the numbers of the games of a text that are chosen by options.
fn numbers(text: &[u8], change: fn(&mut ReadOptions)) -> Vec<u64> {
    let reader = GameReader::new().read_options(read_options(change));
    games(&reader, vec![whole(text).into()]).iter().map(OwnedGame::number).collect()
}

#[test]
fn a_game_of_a_variant_is_a_game() {
    let text = b"[Variant \"Atomic\"]\n\n1. e4 *\n[Variant \"Bughouse\"]\n\n1. e4 *\n1. d4 *";
    assert_eq!(numbers(text, |read| read.games.start = Start::Standard), [1, 3]);
    assert_eq!(numbers(text, |read| read.on_error = OnError::Drop), [1, 3]);
}

#[test]
fn a_game_without_a_usable_start_is_there_unless_a_start_is_asked_for() {
    let text = b"[FEN \"?\"]\n\n1. e4 *\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n1. d4 *";
    let numbers = |change: fn(&mut ReadOptions)| numbers(text, change);
    assert_eq!(numbers(|_| ()), [1, 2, 3]);
    assert_eq!(numbers(|read| read.games.start = Start::Nonstandard), [2]);
    assert_eq!(numbers(|read| read.games.start = Start::Standard), [3]);
    assert_eq!(numbers(|read| read.on_error = OnError::Drop), [2, 3]);
    assert_eq!(numbers(|read| read.on_error = OnError::Stop), [1]);
    assert_eq!(numbers(|read| read.max_games = Some(2)), [1, 2]);
}

#[test]
fn faults_are_those_of_a_job_that_copies_all_games() {
    let expected = Told::default();
    let all = Starts::copies().kinds(Vec::<Kind>::new()).invert(true);
    all.write_with(inputs(), Vec::new(), &mut expected.clone()).unwrap();
    for threads in [1, 3] {
        let told = Told::default();
        let count = GameReader::new().threads(threads).stream_with(inputs(), told.clone()).unwrap().count();
        let (told, expected) = (told.events(), expected.events());
        let [told @ .., Event::End(totals)] = &told[..] else { panic!("the run has ended") };
        let [expected @ .., Event::End(of_copies)] = &expected[..] else { panic!("the run has ended") };
        assert_eq!(told, expected);
        assert_eq!((totals.count.games, totals.count.wanted), (of_copies.count.games, count as u64));
        assert!(told.len() > 200);
    }
}

#[test]
fn games_that_are_replayed_give_the_positions_of_the_walk() {
    for setup in [SetupPolicy::Auto, SetupPolicy::Strict] {
        let read = read_options(|read| read.replay.setup = setup);
        let (expected, _) = Rows::new().read_options(read.clone()).write(inputs(), Vec::new()).unwrap();
        let mut writer = FenWriter::new(FenStyle::default());
        let mut lines = Vec::new();
        let mut write = |position: &_| {
            writer.append(position, &mut lines);
            lines.push(b'\n');
        };
        for game in games(&GameReader::new().read_options(read.clone()), inputs()) {
            let Ok(mut replay) = game.game().replay_with(&read.replay) else { continue };
            write(replay.position());
            while let Some(Ok(_)) = replay.next_ply() {
                write(replay.position());
            }
        }
        assert!(expected.len() > 1_000_000 && lines == expected);
    }
}

/// Returns the readings of a game: its tags, its moves with all that stands between them, its faults and its result.
/// The subjects of faults are taken without the white space at their ends.
fn reading(game: &Game<'_>) -> Vec<String> {
    let fault = |mut fault: Diagnostic| {
        fault.subject = fault.subject.trim_ascii_end().into();
        format!("{fault:?}")
    };
    let mut read = vec![tags(game)];
    match game.moves() {
        Err(error) => read.push(fault(error)),
        Ok(mut moves) => {
            while let Some(event) = moves.next() {
                read.push(match event {
                    Ok(Part::Move(ply)) => format!("{ply:?} {}", moves.after()),
                    Ok(event) => format!("{event:?}"),
                    Err(error) => fault(error),
                });
            }
            read.extend(moves.take_warnings().map(fault));
            read.push(format!("{:?}", moves.outcome()));
        }
    }
    read
}

#[track_caller]
fn check_alone(text: &[u8], what: &str) {
    let database = Database::from(text.to_vec());
    let alone = games(&GameReader::new().threads(1), vec![database.clone().into()]);
    assert_eq!(alone.len(), database.games().count(), "{what}");
    for (alone, inside) in alone.iter().zip(database.games()) {
        assert_eq!((alone.offset(), alone.bytes()), (inside.offset(), inside.bytes()), "{what}");
        assert_eq!(reading(&alone.game()), reading(&inside), "{what}: {}", alone.bytes().escape_ascii());
        assert_eq!(alone.game().bytes(), alone.bytes(), "{what}");
    }
}

#[test]
fn a_game_reads_alone_as_it_reads_in_its_file() {
    let marks = b"{}()[]<>;%\"\\$.*!?-/ \n\r\0\x1a\xa0\xc2\xe2\xefeN1x8QO0";
    let mut seed = 7;
    for (path, bytes) in fixtures() {
        let what = path.display().to_string();
        check_alone(&bytes, &what);
        for _ in 0..if (1..10_000).contains(&bytes.len()) { 20 } else { 0 } {
            let mut damaged = bytes.clone();
            for _ in 0..1 + noise(&mut seed) % 8 {
                let at = noise(&mut seed) % damaged.len();
                match noise(&mut seed) % 3 {
                    0 => damaged[at] = marks[noise(&mut seed) % marks.len()],
                    1 => damaged.insert(at, marks[noise(&mut seed) % marks.len()]),
                    _ => damaged.truncate(at.max(1)),
                }
            }
            check_alone(&damaged, &what);
        }
    }
}

#[test]
fn a_game_of_odd_text_reads_alone_as_it_reads_in_its_file() {
    let pieces = "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]~[FEN \"?\"]~[White \"A\"]~[x]~[~]~\"~\n\n~\n~\r\n\
        ~\r~ ~1. e4~e5 2. d4~e4~*~1-0~{~}~(~)~;                  ~\n%~prose~\u{feff}~\u{b}~\n[Event \"x\"]\n\
        ~\u{bd}-\u{bd}~$1~!?~--";
    let pieces: Vec<&str> = pieces.split('~').collect();
    let mut seed = 11;
    for _ in 0..if sweeps() { 20_000 } else { 7_000 } {
        let length = noise(&mut seed) % 20;
        let text: String = (0..length).map(|_| pieces[noise(&mut seed) % pieces.len()]).collect();
        check_alone(text.as_bytes(), &format!("{text:?}"));
    }
}

#[test]
fn a_fault_is_placed_where_other_jobs_place_it() {
    let told = Told::default();
    Rows::new().write_with(inputs(), Vec::new(), &mut told.clone()).unwrap();
    let mut file = PathBuf::new();
    let mut expected: Vec<(PathBuf, u64, Place)> = Vec::new();
    for event in told.events() {
        match event {
            Event::Begin(path) => file = path,
            Event::Fault(fault, place) if fault.kind.is_error() => expected.push((file.clone(), fault.offset, place)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    for game in games(&GameReader::new(), inputs()) {
        let error = match game.game().replay() {
            Err(error) => Some(error),
            Ok(mut replay) => std::iter::from_fn(|| replay.next_ply()).find_map(Result::err),
        };
        found.extend(error.map(|error| (game.path().to_path_buf(), error.offset, game.place(error.offset))));
    }
    assert_eq!(found, expected);
    assert!(found.len() > 20, "only {} errors", found.len());
}

#[test]
fn many_games_on_one_line_have_their_columns() {
    let text = b"1. e4 * ".repeat(50_000);
    let found = games(&GameReader::new(), vec![whole(&text).into()]);
    assert_eq!(found.len(), 50_000);
    for (number, game) in (0..).zip(&found) {
        assert_eq!(game.place(game.offset()), Place { line: 1, column: 8 * number + 1 });
    }
    let lines = b"1. e4\r\n *\r".repeat(50_000);
    for (number, game) in (0..).zip(&games(&GameReader::new(), vec![stream(&lines).into()])) {
        assert_eq!(
            (game.line(), game.place(game.offset() + 8)),
            (2 * number + 1, Place { line: 2 * number + 2, column: 2 })
        );
    }
}

#[test]
fn games_of_a_range_have_the_places_of_the_file() {
    let text = everything();
    let all = games(&GameReader::new(), vec![whole(&text).into()]);
    let database = Database::from(text.clone());
    let middle = text.len() as u64 / 3;
    let ranges =
        [0..middle, middle..2 * middle, 2 * middle..u64::MAX].map(|range| database.clone().within(range).into());
    let places = |games: &[OwnedGame]| -> Vec<_> {
        games.iter().map(|game| (game.offset(), game.line(), game.place(game.offset() + 20))).collect()
    };
    assert_eq!(places(&games(&GameReader::new(), ranges.into())), places(&all));
}

#[test]
fn a_position_of_a_list_is_its_line_and_becomes_a_game_with_a_fen_tag() {
    let list = b"# start\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 0.31\r\n".to_vec();
    let found = games(&GameReader::new(), vec![Database::from(list).into()]);
    let [game] = &found[..] else { panic!("there is one position") };
    assert_eq!((game.form(), game.line(), game.offset()), (Form::Positions, 2, 8));
    assert_eq!(game.bytes(), b"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 0.31");
    let pgn = game.to_pgn().into_owned();
    assert!(pgn.starts_with(b"[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]"), "{}", pgn.escape_ascii());
    let again = games(&GameReader::new(), vec![Database::from(pgn.clone()).into()]);
    assert_eq!((&*again[0].to_pgn(), again[0].form()), (&pgn[..], Form::Games));
    let start = |game: &OwnedGame| game.game().replay_with(&ReplayOptions::default()).unwrap().position().clone();
    assert_eq!(start(&again[0]), start(game));
}

#[test]
fn a_game_is_kept_when_all_else_is_gone() {
    let mut stream = GameReader::new().threads(2).stream([Input::from(whole(&everything()))]).unwrap();
    let first = stream.next().unwrap().unwrap();
    let second = stream.next().unwrap().unwrap();
    drop(stream);
    assert!(Arc::ptr_eq(first.path(), second.path()) && **first.path() == *Path::new(""));
    let clone = first.clone();
    let bytes = first.bytes().to_vec();
    drop(first);
    assert_eq!(std::thread::spawn(move || clone.bytes().to_vec()).join().unwrap(), bytes);
}

#[test]
fn one_enormous_game_is_a_game() {
    let comment = "[Event \"no\"]\n\n1. d4 *\n".repeat(100_000);
    let text = format!("1. d4 *\n[Event \"1\"]\n\n1. e4 {{{comment}}} e5 *\n1. c4 *").into_bytes();
    for source in [whole(&text), stream(&text)] {
        let found = games(&GameReader::new().threads(2), vec![source.into()]);
        let lengths: Vec<usize> = found.iter().map(|game| game.bytes().len()).collect();
        assert_eq!(lengths, [7, text.len() - 16, 7]);
        assert_eq!((found[2].number(), found[2].line()), (3, 300_005));
    }
}

#[test]
fn a_stream_of_games_ends_when_nobody_wants_more() {
    for threads in [1, 3] {
        let reader = GameReader::new().threads(threads);
        let mut none = reader.clone().tags("White=B").unwrap().stream([endless()]).unwrap();
        assert!(none.next_within(Duration::from_millis(20)).is_pending());
        drop(none);
        assert_eq!(reader.clone().max_games(1000).stream([endless()]).unwrap().count(), 1000);
        let mut some = reader.stream([endless()]).unwrap();
        assert!(matches!(some.next_within(Duration::MAX), Poll::Ready(Some(Ok(game))) if game.number() == 1));
        assert!(matches!(some.next(), Some(Ok(game)) if game.number() == 2));
    }
}

#[test]
fn a_file_that_cannot_be_read_is_the_last_item() {
    let missing = PathBuf::from("there is no such file.pgn");
    let inputs = [Input::from(whole(b"1. e4 *")), missing.clone().into(), whole(b"1. d4 *").into()];
    let told = Told::default();
    let mut stream = GameReader::new().stream_with(inputs, told.clone()).unwrap();
    assert!(matches!(stream.next(), Some(Ok(_))));
    let Some(Err(error)) = stream.next() else { panic!("the second file is missing") };
    assert_eq!((error.path.as_path(), error.error().kind()), (missing.as_path(), std::io::ErrorKind::NotFound));
    assert!(stream.next().is_none() && matches!(stream.next_within(Duration::ZERO), Poll::Ready(None)));
    assert!(matches!(told.events().last(), Some(Event::End(totals)) if totals.count.games == 1));
}
