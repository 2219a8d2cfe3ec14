//! What may stand in a text without a meaning may stand at every place of it.

use std::fs;

use pgn2fen_games::pgn::games::Games;

use crate::cli::Desk;
use crate::laws::one_in;

/// Games in which a token ends at each `|`. Other blanks are part of strings and comments.
const TEXTS: [&str; 5] = [
    "[Event|\"A B\"]|[White|\"Bob\"]|[Result|\"1-0\"]||1.|e4|e5|2.|Nf3|{a b}|Nc6|$1|(2...|d6|3.|d4)|3.|Bb5|a6|1-0||\
     [Event|\"C\"]|[FEN|\"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]|[SetUp|\"1\"]||1.|O-O|Kd7|*|",
    "1.|e4|c5|2.|Nf3|d6|0-1||1.|d4|Nf6|1/2-1/2||",
    "[Event|\"A\"]||1.|e4!|e5?|2.|Qh5|Ke7|3.|Qxe5#|1-0|",
    "[Result|\"*\"]||1|e4|e5|2|d4|exd4|*|[Event|\"x\"]||1-0||[Event|\"y\"]||*|",
    "[Event|\"A\"]|{first}|1.|d4|d5|2.|c4|e6|(2...|c6|3.|Nc3|(3.|e3))|3.|Nc3|*||",
];

/// White space of every kind that is no line break.
const BLANKS: [&str; 22] = [
    " ", "\t", "\u{b}", "\u{c}", "\0", "\u{1a}", "\u{85}", "\u{a0}", "\u{ad}", "\u{1680}", "\u{2002}", "\u{2009}",
    "\u{200b}", "\u{200e}", "\u{200f}", "\u{2028}", "\u{202f}", "\u{205f}", "\u{2060}", "\u{3000}", "\u{feff}", "  ",
];

/// What games say: their tags, moves and results. Errors are part of it.
fn said(text: &str) -> Vec<String> {
    let games = Games::new(text.as_bytes()).map(|game| {
        let tags: Vec<_> = game
            .tags()
            .iter()
            .map(|tag| format!("{}={}", String::from_utf8_lossy(tag.name), tag.value.decode()))
            .collect();
        let mut moves = Vec::new();
        let result = match game.replay() {
            Ok(mut replay) => {
                while let Some(ply) = replay.next_in_text() {
                    moves.push(match ply {
                        Ok(ply) => format!("{:?}", ply.played),
                        Err(error) => format!("error: {error:?}"),
                    });
                }
                format!("{:?}", replay.outcome())
            }
            Err(error) => format!("error: {error:?}"),
        };
        format!("{tags:?} {moves:?} {result}")
    });
    games.collect()
}

/// Writes a text with a separator at each place, and `other` at one of them.
fn written(text: &str, place: usize, other: &str) -> String {
    let mut written = String::new();
    for (at, part) in text.split('|').enumerate() {
        // A blank line stands between the parts of a game, and a line break between tags.
        let is_line = part.starts_with('[') || part.is_empty() || written.ends_with('\n');
        let separator = if at == 0 {
            ""
        } else if is_line {
            "\n"
        } else {
            " "
        };
        written += separator;
        if at == place {
            written += other;
        }
        written += part;
    }
    written
}

/// Writes a text with `other` in place of the blank at one place. None if no blank stands there.
fn replaced(text: &str, place: usize, other: &str) -> Option<String> {
    let marked = written(text, place, "\u{1}");
    marked.contains(" \u{1}").then(|| marked.replacen(" \u{1}", other, 1))
}

#[test]
fn a_blank_of_any_kind_may_stand_at_every_place() {
    for text in TEXTS {
        let plain = said(&written(text, 0, ""));
        assert!(!plain.is_empty() && plain.iter().all(|game| !game.contains("error")), "{plain:?}");
        for place in 1..text.split('|').count() {
            for blank in BLANKS {
                let with = written(text, place, blank);
                assert_eq!(said(&with), plain, "{blank:?} at {place} of {with:?}");
                if let Some(with) = replaced(text, place, blank) {
                    assert_eq!(said(&with), plain, "{blank:?} in place of the blank at {place} of {with:?}");
                }
            }
        }
    }
}

/// Marks that may stand behind a move: glyphs in every spelling, and comments.
const MARKS: [&str; 34] = [
    "!",
    "?",
    "!!",
    "?!",
    "$1",
    "$255",
    "\u{203c}",
    "\u{2047}",
    "\u{2048}",
    "\u{2049}",
    "±",
    "⩲",
    "∓",
    "⩱",
    "∞",
    "=",
    "□",
    "⟳",
    "+=",
    "=+",
    "+/=",
    "=/+",
    "+-",
    "-+",
    "+/-",
    "-/+",
    "=/∞",
    "{}",
    "{c}",
    "{c} {d}",
    "()",
    "(D)",
    "D",
    "\u{2049}\u{fe0f}",
];

#[test]
fn a_mark_may_stand_behind_every_move() {
    for text in TEXTS {
        let plain = said(&written(text, 0, ""));
        for (place, part) in text.split('|').enumerate() {
            // A move ends with a square, a castling rook or a mark of check.
            let is_move = part.len() > 1
                && part.starts_with(|first: char| first.is_ascii_alphabetic())
                && part.ends_with(|last: char| last.is_ascii_digit() || matches!(last, 'O' | '#'));
            for mark in MARKS.into_iter().filter(|_| is_move) {
                let with = written(text, place + 1, &format!("{mark} "));
                assert_eq!(said(&with), plain, "{mark} at {place} of {with:?}");
            }
        }
    }
}

/// What stands in files that were pasted together, mailed or damaged.
const JUNK: [&str; 26] = [
    "junk",
    "Some more words.",
    "PGN: ",
    "Game 2: ",
    "1) ",
    "[section] ",
    "[x](http://a.b) ",
    "<br>",
    ")",
    "}",
    "]",
    "%x",
    ";x",
    "* ",
    "1-0 ",
    "\u{a0}",
    "\0",
    "> ",
    "\"",
    "[",
    "(",
    "[Broken",
    "[Broken \"x]",
    "1. ",
    "…",
    "{a} ",
];

/// A game may be read with errors, or not at all; but then the exit status says so.
#[test]
fn no_game_is_lost_with_status_0() {
    let game = |name: &str| {
        format!("[Event \"{name}\"]\n[White \"W\"]\n[Result \"1-0\"]\n\n1. e4 {{a}} e5 2. Nf3\n(2. d4 d5) Nc6 1-0\n\n")
    };
    let text = ["A", "B", "C"].map(game).concat();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let desk = Desk::with(&[]);
    let junks = JUNK.iter().flat_map(|junk| [(junk, ""), (junk, "\n")]);
    for (nth, (junk, end)) in junks.enumerate() {
        for place in (nth % one_in(3)..=lines.len()).step_by(one_in(3)) {
            let broken = [&lines[..place].concat(), *junk, end, &lines[place..].concat()].concat();
            fs::write(desk.path("a.pgn"), &broken).expect("the desk can be written");
            let ran = desk.run(&["-q", "--ply", "0", "-C", "game", "--no-header", "a.pgn"]);
            let games = ran.stdout.lines().count();
            assert!(ran.code != Some(0) || games >= 3, "{junk:?} at line {place}: {games} games in\n{broken}");
        }
    }
}
