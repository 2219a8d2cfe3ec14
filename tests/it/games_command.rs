//! `pgn2fen games`: the copies are those that a slow reader makes, however the files are cut and read.

use std::fs;

use pgn2fen::games::Games as Copies;
use pgn2fen::internals::{Cuts, detect_utf16};
use pgn2fen::pgn::encoding::Fallback;
use pgn2fen::pgn::games::{Game, Games};
use pgn2fen::rows::Writing;
use pgn2fen::selection::{Start, TagFilter};

use crate::cli::Desk;
use crate::laws::{everything, game_fixtures, noise, stream, whole, workers};
use crate::starts::{INITIAL, identity, one};
use crate::walking::{Begin, read_options, same, walk};

const PLAYERS: &str = "[White \"Carlsen\"]\n[Black \"Anand\"]\n\n1. e4 e5 1-0\n\n[White \"Tal\"]\n[Black \"Carlsen\"]\n\n\
                       1. d4 d5 1/2-1/2\n\n[White \"Anand\"]\n[Black \"Tal\"]\n\n1. c4 0-1\n";

impl Begin for Copies {
    fn begin_writing(&self) -> Writing<'static, Vec<u8>> {
        self.begin(Vec::new())
    }
}

/// The games of a text, without the blank lines that go with them.
fn games(bytes: &[u8]) -> Vec<&[u8]> {
    Games::new(bytes).map(|game| game.bytes().trim_ascii_end()).collect()
}

#[test]
fn all_games_of_a_file_are_the_file() {
    for (path, bytes) in game_fixtures() {
        let is_plain = detect_utf16(&bytes).is_none();
        let length: usize = Games::new(&bytes).map(|game| game.bytes().len()).sum();
        // Blank lines behind a game belong to it; the walk leaves out what belongs to no game.
        if is_plain && length == bytes.len() && bytes.ends_with(b"\n") {
            let said = walk(&Copies::new(), &one(), [("a.pgn", whole(&bytes))]);
            assert!(said.output == bytes, "{}", path.display());
        }
    }
}

#[test]
fn filters_choose_what_a_slow_reader_chooses() {
    let tags: TagFilter = "White~carlsen".parse().unwrap();
    let bytes = fs::read("fixtures/games/tournaments_2020.pgn").unwrap();
    let is_right = |game: &Game<'_>| tags.holds(game.tags(), &Fallback::default());
    let expected: Vec<&[u8]> = Games::new(&bytes).filter(is_right).map(|game| game.bytes().trim_ascii_end()).collect();
    let job = Copies::new().tags("White~carlsen").unwrap();
    let said = walk(&job, &one(), [("a.pgn", whole(&bytes))]);
    assert_eq!((games(&said.output), said.count().wanted), (expected, 8));
    let others = walk(&job.clone().invert(true), &one(), [("a.pgn", whole(&bytes))]);
    assert_eq!(others.count().wanted + said.count().wanted, others.count().games);
    assert_eq!(others.output.len() + said.output.len(), bytes.len());
}

#[test]
fn each_game_passes_the_start_or_is_among_the_others() {
    let bytes = everything();
    for start in [Start::Any, Start::Standard, Start::Nonstandard] {
        let is_right = |game: &Game<'_>| match (start, game.replay()) {
            (Start::Any, _) => true,
            (_, Err(_)) => false,
            (start, Ok(replay)) => (identity(replay.position()) == INITIAL) == (start == Start::Standard),
        };
        for invert in [false, true] {
            let job = Copies::new().start(start).invert(invert);
            let said = walk(&job, &one(), [("a.pgn", whole(&bytes))]);
            let expected: Vec<_> = Games::new(&bytes).filter(|game| is_right(game) != invert).collect();
            assert_eq!(said.count().wanted, expected.len() as u64, "{start:?} {invert}");
            let copied = games(&said.output);
            assert_eq!(copied.len(), expected.len(), "{start:?} {invert}");
            for (copied, expected) in copied.iter().zip(expected) {
                assert!(copied.starts_with(expected.bytes().trim_ascii_end()), "{start:?} {invert}");
            }
        }
    }
}

#[test]
fn neither_threads_nor_cuts_nor_pipes_change_the_games() {
    let bytes = everything();
    let mut seed = 5;
    for job in [
        Copies::new().tags("Result=1-0").unwrap(),
        Copies::new().tags("Result=1-0").unwrap().invert(true),
        Copies::new().opening("B").unwrap(),
        Copies::new().read_options(read_options(|read| {
            read.games.start = Start::Nonstandard;
            read.max_games = Some(7);
        })),
    ] {
        let expected = walk(&job, &one(), [("a.pgn", whole(&bytes))]);
        for threads in [1, 3] {
            for _ in 0..3 {
                let cuts = Cuts::Likely(200 + noise(&mut seed) % 30_000);
                let workers = workers(threads).with_cuts(cuts);
                same(&walk(&job, &workers, [("a.pgn", whole(&bytes))]), &expected, "cut");
                same(&walk(&job, &workers, [("a.pgn", stream(&bytes))]), &expected, "piped");
            }
        }
    }
}

#[test]
fn games_are_copied_in_the_order_of_the_files() {
    let desk = Desk::with(&[("a.pgn", PLAYERS.as_bytes()), ("b.pgn", b"[White \"Carlsen\"]\n\n1. f4 *")]);
    let copy = |arguments: &[&str]| desk.run(&[&["games"], arguments, &["a.pgn", "b.pgn"]].concat());
    let parts: Vec<&str> = PLAYERS.split_inclusive("\n\n[").collect();
    let first = parts[0].trim_end_matches('[');
    copy(&["-t", "White=Carlsen"]).is(&format!("{first}[White \"Carlsen\"]\n\n1. f4 *\n"), "", 0);
    copy(&["-t", "White=Carlsen", "-n", "1"]).is(first, "", 0);
    copy(&["-t", "White=Carlsen", "-n", "1", "-o", "c.pgn.gz"]).is("", "", 0);
    desk.run(&["games", "c.pgn.gz"]).is(first, "", 0);
    copy(&["-t", "White~x"]).is("", "warning: none of 4 games satisfies -t\n", 0);
    copy(&["-t", "Whit~x", "--invert", "-n1"]).is(first, "warning: no game has the tag Whit; did you mean White?\n", 0);
    copy(&["--opening", "C", "--start", "standard"]).is(first, "", 0);
    desk.pipe(&["games", "-t", "White=Tal"], PLAYERS.as_bytes()).is(
        "[White \"Tal\"]\n[Black \"Carlsen\"]\n\n1. d4 d5 1/2-1/2\n\n",
        "",
        0,
    );
    let summary = copy(&["-v", "-t", "White=Tal", "-o", "d.pgn"]).stderr;
    assert!(summary.starts_with("summary: 1 of 4 games, 0 errors, "), "{summary}");
}

#[test]
fn names_of_other_formats_are_refused() {
    let desk = Desk::with(&[("a.pgn", PLAYERS.as_bytes())]);
    for (name, words) in [
        ("b.csv", "the format is pgn, but b.csv has the ending of csv"),
        ("b.parquet.gz", "let the name end in .parquet"),
        ("b.arrow", "the format is pgn, but b.arrow has the ending of arrow"),
        ("b.json", "b.json has the ending of a JSON document"),
        ("b.svg", "has the ending of a picture"),
        ("a.pgn", "is both input and output"),
    ] {
        let ran = desk.run(&["games", "a.pgn", "-o", name]);
        assert!(ran.code == Some(2) && ran.stderr.contains(words), "{name}: {}", ran.stderr);
    }
    let ran = desk.run(&["-t", "White~carlsen", "-o", "strong.pgn", "a.pgn"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("`pgn2fen games` copies games"), "{}", ran.stderr);
    assert_eq!(desk.files(), ["a.pgn"]);
}
