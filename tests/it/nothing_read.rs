//! Text without a game and without a position: an error in every command, which says what the text seems to be.

use std::fs;

use crate::cli::{Desk, gzip};

/// Texts, and what is said of them.
const TEXTS: [(&str, &str); 9] = [
    ("Dear Bob,\nhere are the games I promised you.\n", "it seems to be plain text; "),
    ("3.14159\n2019.06.01 Moscow\n192.168.0.1\n", "it seems to be plain text; "),
    ("W0V2ZW50ICJGLVMgUmV0dXJuIE1hdGNoIl0KCjEuIGU0IGU1IDIu\n", "it seems to be base64; decode it first"),
    ("P-K4 P-K4\nN-KB3 N-QB3\n", "it seems to have moves in another notation; "),
    ("I. e4 e5\nII. Nf3 Nc6\n", "it seems to be a list of moves that is numbered in a way that is not understood; "),
    ("<p>no game</p>\n", "it seems to be HTML or XML; "),
    ("# a comment\n; another\n", "it has only comments"),
    ("\0\0\0\0", "it seems to be binary data"),
    ("(;GM[1]FF[4];B[pd];W[dp])\n", "it seems to be a game of Go (SGF)"),
];

/// Runs a command on a text, and compares what is said.
#[track_caller]
fn check(command: &[&str], text: &str, expected: &str) {
    let desk = Desk::with(&[("a.txt", text.as_bytes())]);
    let ran = desk.run(&[command, &["a.txt"]].concat());
    let said = ran.stdout + &ran.stderr;
    let start = "a.txt:1:1: no-games: there is no game and no position in this text; ";
    let line = said.lines().find_map(|line| line.strip_prefix(start)).unwrap_or_default();
    assert!(line.starts_with(expected), "{command:?}: {said}");
    assert_eq!(ran.code, Some(1), "{command:?}: {said}");
    assert_eq!(desk.run(&[command, &["--exit-zero", "a.txt"]].concat()).code, Some(0), "{command:?}");
}

#[test]
fn the_message_says_what_the_text_seems_to_be() {
    for (text, expected) in TEXTS {
        check(&[], text, expected);
    }
}

#[test]
fn every_command_ends_with_an_error() {
    let (text, expected) = TEXTS[0];
    for command in [
        &["-j1"][..],
        &["--no-mmap", "-j2"],
        &["-C", "ply,fen"],
        &["--per", "game", "-f", "jsonl"],
        &["games"],
        &["games", "--san"],
        &["starts"],
        &["starts", "-f", "pgn"],
        &["check"],
        &["index", "-o", "a.idx"],
    ] {
        check(command, text, expected);
    }
    Desk::with(&[]).pipe(&["-q"], text.as_bytes()).is("", "", 1);
}

#[test]
fn an_empty_file_and_white_space_are_no_error() {
    for text in ["", "\n", " \r\n\t\r\n", "\u{feff}", "\u{feff}\n\n"] {
        let desk = Desk::with(&[("a.pgn", text.as_bytes())]);
        assert_eq!(desk.run(&["a.pgn"]).code, Some(0), "{text:?}");
        assert_eq!(desk.run(&["check", "--no-mmap", "a.pgn"]).code, Some(0), "{text:?}");
    }
}

#[test]
fn an_empty_file_of_a_binary_format_is_an_error() {
    let names = ["a.zip", "a.parquet", "a.arrow", "a.feather", "a.si4", "a.si5", "a.sg4", "a.cbh", "a.2cbh", "a.cbv"];
    for name in names {
        let desk = Desk::with(&[(name, b"")]);
        for arguments in [&["-q", name][..], &["check", name], &["--no-mmap", name], &["games", "-o", "o.pgn", name]] {
            let ran = desk.run(arguments);
            // A Scid database of version 5 is known by its name alone.
            let is_index = ran.stderr.contains("a.si5: is the index of a Scid database, but its file ");
            assert!(is_index || ran.stderr.contains(&format!("{name}: is empty, which no ")), "{name}: {}", ran.stderr);
            assert_eq!(ran.code, Some(2), "{name}");
        }
    }
}

#[test]
fn games_that_are_not_wanted_are_games() {
    let desk = Desk::with(&[("a.pgn", b"Dear Bob\n\n[White \"x\"]\n\n1. e4 *\n")]);
    assert_eq!(desk.run(&["-t", "White=y", "a.pgn"]).code, Some(0));
    assert_eq!(desk.run(&["-n", "0", "a.pgn"]).code, Some(0));
    assert_eq!(desk.run(&["--range", "0..5", "a.pgn"]).code, Some(0), "other ranges have the game");
    assert_eq!(desk.run(&["--range", "0..", "a.pgn"]).code, Some(0));
}

#[test]
fn the_error_is_one_of_its_file_and_stops_a_run_that_stops_at_errors() {
    let desk = Desk::with(&[("a.txt", b"\n\n  Dear Bob\n"), ("b.pgn", b"1. e4 *\n")]);
    let ran = desk.run(&["--no-start", "a.txt", "b.pgn"]);
    assert_eq!((ran.stdout.lines().count(), ran.code), (1, Some(1)));
    assert!(ran.stderr.starts_with("a.txt:3:3: no-games: "), "{}", ran.stderr);
    let ran = desk.run(&["--on-error", "stop", "-o", "out.fen", "a.txt", "b.pgn"]);
    assert!(ran.stderr.contains("out.fen is not written because reading stopped at an error"), "{}", ran.stderr);
}

#[test]
fn a_long_text_is_told_alike_in_blocks_and_pipes() {
    let text = "and so they played on, until nobody knew whose move it was.\n".repeat(100_000);
    let desk = Desk::with(&[("a.txt", text.as_bytes())]);
    let alone = desk.run(&["-j1", "a.txt"]);
    assert_eq!(alone.code, Some(1));
    assert_eq!(desk.run(&["-j4", "a.txt"]), alone);
    let piped = desk.pipe(&["-j3"], text.as_bytes());
    assert_eq!(piped.stderr.replace("-:", "a.txt:"), alone.stderr);
}

#[test]
fn numbers_with_signs_behind_them_may_be_those_of_moves() {
    let desk = Desk::with(&[]);
    for text in ["1) 5254 5755 2) 7163 *", "1.5254 5755 2.7163 *", "1.1. e4 e5 Nf3 *"] {
        let ran = desk.pipe(&["-q", "-p", "-1", "-C", "ply,san", "--no-header"], text.as_bytes());
        ran.is("3\tNf3\n", "", 0);
    }
}

/// Files of which one is damaged, one is missing, one is of another kind, and one is whole.
fn damaged() -> Desk {
    let games: String = (0..3000).map(|game| format!("[White \"{game}\"]\n\n1. e4 e5 *\n\n")).collect();
    let packed = gzip(games.as_bytes());
    let desk = Desk::with(&[("whole.pgn", b"[White \"w\"]\n\n1. d4 *\n"), ("z.pgn", b"PK\x03\x04 and so on")]);
    fs::write(desk.path("cut.pgn.gz"), &packed[..packed.len() * 2 / 3]).unwrap();
    desk
}

const DAMAGED: [&str; 4] = ["cut.pgn.gz", "none.pgn", "z.pgn", "whole.pgn"];

#[test]
fn what_can_be_read_is_written_on_demand_and_what_is_missing_is_named() {
    let desk = damaged();
    let missing = "of 4 files, 2 were not read (none.pgn, z.pgn), and 1 was read only in part (cut.pgn.gz)\n";
    for (command, output) in [
        (&["games"][..], "all.pgn"),
        (&["games", "--sort", "White"], "sorted.pgn.zst"),
        (&["games", "--san"], "anew.pgn"),
        (&[], "all.fen"),
        (&["-C", "White,fen"], "all.csv"),
        (&["-C", "White,fen"], "all.parquet"),
        (&["--per", "game"], "games.jsonl"),
        (&["-p", "1"], "page.html"),
        (&["starts", "--all"], "starts.fen"),
        (&["index"], "all.idx"),
    ] {
        // The folder of an index that is not written stays on Windows.
        let written = desk.path(if cfg!(windows) && output == "all.idx" { "all.idx/manifest.json" } else { output });
        let refused = desk.run(&[command, &DAMAGED, &["-o", output]].concat());
        assert_eq!((refused.code, written.exists()), (Some(2), false), "{output}");
        assert!(refused.stderr.contains("--skip-unreadable writes what could be read\n"), "{}", refused.stderr);
        let ran = desk.run(&[command, &DAMAGED, &["--skip-unreadable", "-o", output]].concat());
        assert_eq!((ran.code, written.exists()), (Some(1), true), "{output}: {}", ran.stderr);
        assert!(ran.stderr.contains(missing), "{output}: {}", ran.stderr);
    }
    // The same games as on standard output, the last of which are those of the whole file.
    let stdout = desk.run(&[&["games"], &DAMAGED[..]].concat()).stdout;
    assert!(stdout.contains("[White \"100\"]") && stdout.ends_with("[White \"w\"]\n\n1. d4 *\n"));
    assert!(desk.read("all.pgn") == stdout.as_bytes());
    let found = desk.run(&["find", "-fpgn", "all.idx", "startpos"]).stdout;
    assert!(found.matches("[White").count() == stdout.matches("[White").count());
    let quiet = desk.run(&[&["games", "-q", "--exit-zero", "--skip-unreadable", "-o", "q.pgn"], &DAMAGED[..]].concat());
    assert_eq!((quiet.code, quiet.stderr.lines().count()), (Some(0), 3), "{}", quiet.stderr);
}

#[test]
fn nothing_is_written_if_no_file_can_be_read() {
    let desk = damaged();
    for command in [&["games"][..], &[], &["starts"]] {
        let ran = desk.run(&[command, &["--skip-unreadable", "none.pgn", "z.pgn", "-o", "out"]].concat());
        assert_eq!((ran.code, desk.path("out").exists()), (Some(2), false), "{}", ran.stderr);
        assert!(ran.stderr.ends_with("out is not written because none of the input could be read\n"), "{}", ran.stderr);
    }
    // This is about the whole run.
    let ran = desk.run(&["--skip-unreadable", "-u", "--memory", "1", "whole.pgn", "-o", "out"]);
    assert_eq!((ran.code, desk.path("out").exists()), (Some(2), false), "{}", ran.stderr);
}
