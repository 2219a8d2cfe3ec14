//! Cuts change nothing, in text that is made to be cut badly: pieces that open, close or end something, and runs that
//! are longer than any look ahead.

use std::env;

use pgn2fen_games::database::{Database, Source};
use pgn2fen_games::diagnostic::Kind;
use pgn2fen_games::parallel::Cuts;
use pgn2fen_games::parallel::Workers;
use pgn2fen_rows::{Format, Rows, Shape};

use crate::copies::check_copies;
use crate::laws::{noise, stream, whole, workers};
use crate::linear::PIECES;
use crate::rows::ALL;
use crate::walking::{self, Said, read_options, same, same_but_output};

/// Walks through a source and writes rows with all columns; every warning is told.
fn walk(workers: &Workers, source: Source) -> Said {
    let shape = Shape { format: Format::Csv, columns: Some(ALL.parse().unwrap()), no_header: true };
    let job = Rows::new().shape(shape).read_options(read_options(|read| read.replay.first_warnings_only = false));
    let said = walking::walk(&job, workers, [("a.pgn", source)]);
    assert!(said.error.is_none(), "{:?}", said.error);
    said
}

/// The text, its long runs cut short.
fn shown(text: &[u8]) -> String {
    let mut shown = String::new();
    for run in text.chunk_by(|a, b| a == b) {
        shown += &run[..1].escape_ascii().to_string().repeat(run.len().min(4));
        if run.len() > 4 {
            shown += &format!("…{}", run.len());
        }
    }
    shown
}

/// A text is read alike however it is cut.
#[track_caller]
fn check(text: &[u8], seed: &mut u64) {
    let expected = walk(&workers(1).with_cuts(Cuts::Likely(usize::MAX / 4)), whole(text));
    let every = |step: usize| Cuts::At((step..text.len()).step_by(step).map(|at| at as u64).collect());
    let mut cuts = vec![every(501), every(1024), Cuts::Likely(33), Cuts::Likely(1000), Cuts::Likely(40_000)];
    if text.len() < 1000 {
        cuts.extend([every(1), every(7), every(64)]);
    }
    for _ in 0..3 {
        let mut places: Vec<u64> = (0..3).map(|_| (noise(seed) % (text.len() + 1)) as u64).collect();
        places.sort_unstable();
        cuts.push(Cuts::At(places));
    }
    for cuts in cuts {
        let threads = 1 + noise(seed) % 3;
        let workers = workers(threads).with_cuts(cuts.clone());
        for (name, source) in [("file", whole(text)), ("stream", stream(text))] {
            let said = walk(&workers, source);
            let cuts = match &cuts {
                Cuts::At(places) => format!("{:?}", &places[..places.len().min(5)]),
                Cuts::Likely(size) => format!("likely {size}"),
            };
            same(&said, &expected, &format!("{} in a {name} cut at {cuts}", shown(text)));
        }
    }
}

/// Ranges that tile a text give together what the text gives.
#[track_caller]
fn check_ranges(text: &[u8], seed: &mut u64) {
    let expected = walk(&workers(1), whole(text));
    let mut ends: Vec<u64> = (0..3).map(|_| (noise(seed) % (text.len() + 1)) as u64).collect();
    ends.sort_unstable();
    ends.push(u64::MAX);
    let database = Database::from(text.to_vec());
    let mut sum = Said::default();
    let mut start = 0;
    for end in &ends {
        sum.append(walk(&workers(1), Source::Whole(database.clone().within(start..*end))));
        start = *end;
    }
    // A range does not know whether another one has games.
    let [sum, expected] = [sum, expected].map(|mut said| {
        said.diagnostics.retain(|(it, _)| it.kind != Kind::NoGames);
        said
    });
    // Games are numbered from 1 in each range, and rows say so.
    same_but_output(&sum, &expected, &format!("{} in ranges to {ends:?}", shown(text)));
}

fn pieces(seed: &mut u64, most: usize) -> Vec<u8> {
    let count = 1 + noise(seed) % most;
    // A text that begins so is taken for no other kind of file, and for no other encoding.
    let mut text = b"% text of no other kind than games of chess\n".to_vec();
    // Few different ones, so that they meet each other.
    let some: Vec<&[u8]> = (0..1 + noise(seed) % 6).map(|_| PIECES[noise(seed) % PIECES.len()]).collect();
    text.extend((0..count).flat_map(|_| some[noise(seed) % some.len()]));
    text
}

fn runs() -> u64 {
    env::var("PGN2FEN_RUNS").map_or(1, |runs| runs.parse().unwrap())
}

fn seed(number: u64) -> u64 {
    env::var("PGN2FEN_SEED").map_or(0, |seed| seed.parse::<u64>().unwrap()) * 100 + number
}

#[test]
fn small_hostile_text_is_read_alike_however_it_is_cut() {
    let mut seed = seed(1);
    for _ in 0..300 * runs() {
        let text = pieces(&mut seed, 40);
        check(&text, &mut seed);
        check_ranges(&text, &mut seed);
    }
}

#[test]
fn long_runs_of_hostile_text_are_read_alike_however_they_are_cut() {
    let mut seed = seed(2);
    for _ in 0..20 * runs() {
        let mut text = Vec::new();
        for _ in 0..1 + noise(&mut seed) % 5 {
            text.extend(pieces(&mut seed, 5));
            let piece = PIECES[noise(&mut seed) % PIECES.len()];
            let length = [0, 100, 5_000, 17_000, 40_000][noise(&mut seed) % 5];
            text.extend(piece.repeat(length / piece.len()));
        }
        text.extend(pieces(&mut seed, 5));
        check(&text, &mut seed);
        check_ranges(&text, &mut seed);
    }
}

#[test]
fn copies_of_hostile_text_hold_each_game_once() {
    let mut seed = seed(3);
    let workers = workers(1);
    for _ in 0..2000 * runs() {
        let (a, b) = (pieces(&mut seed, 20), pieces(&mut seed, 20));
        check_copies(&workers, &[&a, &b], &format!("{} and {}", shown(&a), shown(&b)));
    }
}

#[test]
fn what_a_fuzzer_found_is_read_alike_however_it_is_cut() {
    let zeros = "\0".repeat(300);
    let odd = format!("{zeros}\n;{zeros}\n[ent {zeros}\n[ent {zeros}\n ..  d4 *");
    let far = odd.replace(&zeros, &"\0".repeat(20_000));
    let open = "1. e4 (1. d4 d5 e5 *\n\n[Event \"2\"]\n\n1. d4 *\n\n1. c4 (1. f4 *\n1. b4 *\n";
    let mut seed = 4;
    for text in [odd.as_bytes(), far.as_bytes(), open.as_bytes(), b"\xAE[\x051. e4 *", b"\xAE [ \x05 1. e4 *\n1. d4 *"]
    {
        check(text, &mut seed);
        check_ranges(text, &mut seed);
        check_copies(&workers(1), &[text, text], &shown(text));
    }
}

#[test]
fn what_belongs_to_no_game_is_told_once_wherever_it_is_cut() {
    let line = "prose ".repeat(20_000);
    let text = format!("{line}\n1. e4 *\n%{line}\n\0{}\0\n\n  % no escape\n1. d4 *\n;c\n\0\n;d\n", " ".repeat(50_000));
    let said = walk(&workers(1), whole(text.as_bytes()));
    let skipped =
        said.diagnostics.iter().map(|(it, _)| it).filter(|it| it.kind == Kind::SkippedText && it.game.is_none());
    let subjects: Vec<String> =
        skipped.map(|it| it.subject[..it.subject.len().min(6)].escape_ascii().to_string()).collect();
    assert_eq!(subjects, ["prose ", "\\x00", "% no e", "\\x00"]);
    check(text.as_bytes(), &mut 5);
}
