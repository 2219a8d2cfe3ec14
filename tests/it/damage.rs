//! Damaged tag sections and lost braces: what is read of them, and that it is the same however the text is cut.

use pgn2fen_games::database::{Database, Source};
use pgn2fen_games::diagnostic::Kind;
use pgn2fen_games::parallel::Cuts;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::pgn::games::Games;
use pgn2fen_games::pgn::movetext::{Ending, Movetext};

use crate::cli::Desk;
use crate::laws::{noise, stream, try_walk, whole, workers};
use crate::walking::{Said, same};

const PIECES: [&str; 47] = [
    "[Event \"1\"]",
    "[Event \"2\"]",
    "[Site \"x\"]",
    "[White \"a } { b\"]",
    "[FEN \"8/8/8/8/4k3/8/4P3/4K3 w - - 0 1\"]",
    "[SetUp \"1\"]\n",
    "\n[Result \"1-0\"]",
    "\n[Event \"3\"]\n",
    "[[Event \"4\"]]",
    "[Event 5]\n",
    "[x]",
    "[",
    "]",
    ",",
    " x ",
    "<br />",
    "<",
    "word ",
    "--",
    "> ",
    "\u{1}",
    "\u{a0}",
    "\u{feff}",
    "{",
    "{",
    "}",
    "}",
    "{c}",
    "(",
    ")",
    "; ",
    "\n%",
    "\n",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    " ",
    "1. e4 ",
    "e5 ",
    "Kd2 ",
    "*",
    " 1-0 ",
    "...",
    " \u{2026}",
    "12 ",
    "2019.06.01",
];

fn text(seed: &mut u64, most: usize) -> String {
    let length = 1 + noise(seed) % most;
    // What it begins with tells that it is PGN.
    let pieces = (0..length).map(|_| PIECES[noise(seed) % PIECES.len()]);
    std::iter::once("1. d4 *\n").chain(pieces).collect()
}

/// What the parts of a file between these places say, one after another.
fn in_ranges(workers: &Workers, text: &str, cuts: &[u64]) -> Said {
    let database = Database::from(text.as_bytes().to_vec());
    let mut sum = Said::default();
    let starts = std::iter::once(0).chain(cuts.iter().copied());
    for (start, end) in starts.zip(cuts.iter().copied().chain([u64::MAX])) {
        sum.append(try_walk(workers, Source::Whole(database.clone().within(start..end))));
    }
    sum
}

#[test]
fn damaged_tag_sections_and_lost_braces_are_read_alike_however_they_are_cut() {
    let mut seed = 17;
    let (mut cutting, mut reading) = (workers(2), workers(2));
    for number in 0..4000 {
        let text = text(&mut seed, if number % 50 == 0 { 400 } else { 30 });
        let expected = try_walk(&workers_of_one(), whole(text.as_bytes()));
        let mut cuts: Vec<u64> = (0..1 + number % 5).map(|_| (noise(&mut seed) % (text.len() + 1)) as u64).collect();
        cuts.sort_unstable();
        let what = format!("{text:?} cut at {cuts:?}");
        same(&in_ranges(&workers_of_one(), &text, &cuts), &expected, &what);
        cutting = cutting.with_cuts(Cuts::At(cuts));
        same(&try_walk(&cutting, whole(text.as_bytes())), &expected, &what);
        same(&try_walk(&cutting, stream(text.as_bytes())), &expected, &format!("{what}, as a stream"));
        reading = reading.with_cuts(Cuts::Likely(1 + noise(&mut seed) % 60));
        same(&try_walk(&reading, whole(text.as_bytes())), &expected, &format!("{text:?} in blocks"));
    }
}

fn workers_of_one() -> Workers {
    workers(1)
}

#[test]
fn a_damaged_game_ends_where_its_tokens_end() {
    let mut seed = 19;
    for _ in 0..30_000 {
        let text = text(&mut seed, 30);
        let mut end = 0;
        for game in Games::new(text.as_bytes()) {
            let start = usize::try_from(game.offset()).unwrap();
            assert!(start >= end && !game.bytes().is_empty(), "{text:?}");
            end = start + game.bytes().len();
            let tags = game.tags();
            let mut tokens = Movetext::new(text.as_bytes(), tags.end());
            while tokens.next_mainline().is_some() {}
            let mut hopped = Movetext::new(text.as_bytes(), tags.end());
            let ended = hopped.finish();
            assert_eq!((tokens.finish(), tokens.offset()), (ended, end), "{text:?}");
            if matches!(ended, Ending::Marker(_) | Ending::NoMarker) {
                assert_eq!(tokens.result_offset(), hopped.result_offset(), "{text:?}");
            }
        }
    }
}

/// The kinds of what is said of the games of a text, with places and games.
fn said(text: &str) -> Vec<(Kind, u64, Option<u64>)> {
    try_walk(&workers_of_one(), whole(text.as_bytes())).faults().into_iter().map(|it| (it.0, it.1, it.2)).collect()
}

#[test]
fn a_comment_that_holds_games_is_told_at_its_own_place() {
    let lost = "[Event \"1\"]\n\n1. e4 {lost e5 *\n\n[Event \"2\"]\n\n1. d4 {x} d5 *\n\n[Event \"3\"]\n\n1. c4 *\n";
    assert_eq!(said(lost)[0], (Kind::SkippedText, 19, Some(1)));
    for text in [lost.replace('\n', "\r\n"), lost.replace('\n', "\r")] {
        assert_eq!(said(&text)[0].0, Kind::SkippedText, "{text:?}");
    }
    // In a variation, behind a result, before the tags and between them, behind an error, and never closed.
    let held = "{lost\n[Event \"2\"]\n1. d4 {x}";
    for text in [
        format!("1. e4 (1. d4 {held}) e5 *"),
        format!("1. e4 * {held}\n"),
        format!("{held}\n[Event \"1\"]\n*"),
        format!("[Event \"1\"] {held} [Site \"1\"]\n*"),
        format!("[Event \"1\"] ] {held} [Site \"1\"]\n*"),
        format!("1. e4 Ke5 {held} *"),
        format!("1. e4 Ke5 {}", &held[..held.len() - 1]),
    ] {
        let place = text.find('{').unwrap() as u64;
        assert!(said(&text).contains(&(Kind::SkippedText, place, Some(1))), "{text:?}: {:?}", said(&text));
    }
    let innocent = "1. e4 {first\n\n[Event \"not a tag\"]\n[x]} e5 *";
    assert_eq!(said(innocent), []);
}

#[test]
fn a_lost_brace_in_a_long_game_is_told_by_every_job() {
    let comment = format!("{{{}}}", "d=40, sd=62, pv=e4 ".repeat(12));
    let moves = format!("2. Nf3 {comment} Nf6 {comment} 3. Ng1 ({comment}) Ng8 {comment}\n").repeat(30);
    let tags = "[Event \"2\"]\n[Site \"x\"]\n[Date \"2026.01.01\"]\n[White \"a\"]\n[Black \"b\"]\n";
    let lost = format!(
        "[Event \"1\"]\n\n{moves}4. e4 {} e5 1-0\n\n{tags}\n1. d4 {comment} d5 *\n",
        &comment[..comment.len() - 1]
    );
    let desk = Desk::with(&[("a.pgn", lost.as_bytes())]);
    let line = "[Event \"2\"], 2 lines below in game 1: a game seems to begin in this comment";
    for arguments in [
        &["-v"][..],
        &["starts", "-v"],
        &["check", "-v"],
        &["-v", "-f", "csv"],
        &["-v", "--variations"],
        &["-v", "-p", "..2"],
    ] {
        let ran = desk.run(&[arguments, &["a.pgn"]].concat());
        let said = ran.stderr + &ran.stdout;
        assert_eq!(said.matches(line).count(), 1, "{arguments:?}: {said}");
        assert!(said.contains("a.pgn:33:7: warning: skipped-text"), "{arguments:?}: {said}");
    }
}

#[test]
fn messages_name_the_line_where_a_brace_may_be_missing() {
    let lost = "1. e4 {lost\n\n[Event \"2\"]\n\n1. d4 {x} d5 *\n";
    let desk = Desk::with(&[("lost.pgn", lost.as_bytes()), ("open.pgn", &lost.as_bytes()[..lost.len() - 7])]);
    let message = "a game seems to begin in this comment; a } may be missing before it";
    for arguments in [&["-v", "lost.pgn"][..], &["starts", "-v", "lost.pgn"]] {
        let stderr = desk.run(arguments).stderr;
        let expected =
            format!("lost.pgn:1:7: warning: skipped-text: [Event \"2\"], 2 lines below in game 1: {message}\n");
        assert!(stderr.contains(&expected), "{stderr}");
    }
    let stderr = desk.run(&["open.pgn"]).stderr;
    let expected = "open.pgn:1:7: unterminated-comment: game 1: the comment is never closed with }; another game seems \
        to begin in it: [Event \"2\"], 2 lines below";
    assert_eq!(stderr.lines().next(), Some(expected));
}

#[test]
fn the_place_of_a_result_is_its_own() {
    let desk = Desk::with(&[(
        "a.pgn",
        b"[Result \"0-1\"]\n\n1. e4 e5 1-0 {c}\n\n[Event \"2\"]\n1. e4\ne5\n\n\n[Event \"3\"]\n1. e4 1:0 ; d\n",
    )]);
    let stderr = desk.run(&["-v", "a.pgn"]).stderr;
    let places: Vec<&str> = stderr.lines().filter_map(|line| line.split(": warning: result").next()).collect();
    assert_eq!(places[..3], ["a.pgn:3:10", "a.pgn:7:3", "a.pgn:11:7"], "{stderr}");
}

#[test]
fn the_result_tag_counts_unless_it_does_not_know() {
    for (tag, marker, expected) in [
        ("[Result \"1-0\"]\n", "0-1", "1-0"),
        ("[Result \"1-0\"]\n", "*", "1-0"),
        ("[Result \"1-0\"]\n", "", "1-0"),
        ("[Result \" 1/2-1/2 \"]\n", "0-1", "1/2-1/2"),
        ("[Result \"*\"]\n", "0-1", "0-1"),
        ("[Result \"?\"]\n", "0-1", "0-1"),
        ("", "0-1", "0-1"),
        ("", "", "*"),
    ] {
        let text = format!("[Event \"x\"]\n{tag}\n1. e4 {{[%eval 0.1]}} {marker}\n");
        let desk = Desk::with(&[("a.pgn", text.as_bytes())]);
        let rows = desk.run(&["-q", "-f", "csv", "-C", "result", "a.pgn"]).stdout;
        assert_eq!(rows, format!("result\n{expected}\n{expected}\n"), "{text}");
        let bullet = desk.run(&["-q", "-f", "bullet", "a.pgn"]).stdout;
        let points = bullet.lines().next().and_then(|line| line.rsplit(" | ").next());
        let points_of = |result| match result {
            "1-0" => Some("1.0"),
            "1/2-1/2" => Some("0.5"),
            "0-1" => Some("0.0"),
            _ => None,
        };
        assert_eq!(points, points_of(expected), "{text}: {bullet}");
        desk.run(&["index", "-q", "-o", "idx", "a.pgn"]);
        let counts = desk.run(&["find", "-c", "--no-header", "idx", "e4"]).stdout;
        let column = ["1-0", "1/2-1/2", "0-1", "*"].iter().position(|result| *result == expected).unwrap();
        let found: Vec<&str> = counts.trim_end().split('\t').skip(2).collect();
        let counted: Vec<String> = (0..4).map(|at| u8::from(at == column).to_string()).collect();
        assert_eq!(found, counted, "{text}: {counts}");
    }
}
