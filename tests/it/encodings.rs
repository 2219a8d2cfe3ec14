//! One encoding for each file: what is not UTF-8 is decoded alike in rows, messages, filters and written games, however
//! the file is read.

use std::process::Output;

use pgn2fen_testing::zip::{Member, archive};

use crate::cli::{Desk, gzip};

/// The bytes of a text in Windows-1251, as far as it has ASCII and letters of Russian.
fn in_windows_1251(text: &str) -> Vec<u8> {
    let byte = |char: char| match char {
        'А'..='я' => u8::try_from(u32::from(char) - 0x350).unwrap(),
        _ => u8::try_from(char).unwrap(),
    };
    text.chars().map(byte).collect()
}

/// Returns about 200 kB of games whose names say something, with an error in every hundredth.
fn games() -> String {
    let game = |n: usize| {
        let moves = if n.is_multiple_of(100) { "Ke5" } else { "e5" };
        format!(
            "[White \"Спасский, Борис\"]\n[Black \"Игрок {n}\"]\n[Round \"{n}\"]\n[Result \"*\"]\n\n\
             1. e4 {{ход}} {moves} *\n\n"
        )
    };
    (1..2000).map(game).collect()
}

const READS: [&[&str]; 6] = [
    &["-f", "jsonl", "-C", "White,Black,comment,fen"],
    &["--per", "game", "-f", "jsonl"],
    &["games", "--san", "-t", "White=Спасский, Борис", "-t", "Round>1990"],
    &["games", "--san", "--commented", "--max-games", "2"],
    &["check"],
    &["players"],
];

/// Returns the output and the messages of a run, without the name of the file, the time, and the warnings about the
/// encoding.
fn said(output: &Output, name: &str) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap().replace(name, "FILE");
    let other = |line: &&str| !["encoding: ", "warnings: ", " more "].iter().any(|words| line.contains(words));
    // A summary ends with the time.
    let without_time = |line: &str| match line.rsplit_once(", ") {
        Some((summary, _)) if line.starts_with("summary: ") => format!("{summary}\n"),
        _ => format!("{line}\n"),
    };
    let lines = |text: String| text.lines().filter(other).map(without_time).collect::<String>();
    (lines(text(&output.stdout)), lines(text(&output.stderr)))
}

/// Leaves out what differs between texts in one and two bytes a letter: columns of messages, and times.
fn without_places((out, messages): (String, String)) -> (Vec<String>, Vec<String>) {
    let words = |text: String| -> Vec<String> {
        let place = |word: &str| word.starts_with("FILE:") || word.ends_with("s");
        text.split_whitespace().filter(|word| !place(word)).map(str::to_owned).collect()
    };
    (words(out), words(messages))
}

#[test]
fn old_text_is_read_like_the_same_text_in_utf8_however_it_comes() {
    let text = games();
    let old = in_windows_1251(&text);
    let frames: Vec<u8> = old.chunks(30_000).flat_map(|piece| zstd::encode_all(piece, 1).unwrap()).collect();
    let desk = Desk::with(&[
        ("new.pgn", text.as_bytes()),
        ("old.pgn", &old),
        ("old.pgn.zst", &frames),
        ("old.pgn.gz", &gzip(&old)),
        ("old.zip", &archive(&[Member::deflated("old.pgn", &old)], false)),
    ]);
    for read in READS {
        let run = |arguments: &[&str], name: &str| {
            let output = desk.command(&[read, arguments, &[name]].concat()).output().unwrap();
            said(&output, name)
        };
        let expected = run(&[], "old.pgn");
        assert!(expected.0.contains("Спасский"), "{read:?}");
        assert!(without_places(expected.clone()) == without_places(run(&[], "new.pgn")), "{read:?}");
        for (arguments, name) in [
            (&["--no-mmap"][..], "old.pgn"),
            (&["-j1"], "old.pgn"),
            (&["-j8"], "old.pgn.zst"),
            (&[], "old.pgn.gz"),
            (&["--encoding", "windows-1251"], "old.pgn"),
        ] {
            assert!(run(arguments, name) == expected, "{read:?} {arguments:?} {name}");
        }
        let member = said(&desk.command(&[read, &["old.zip"]].concat()).output().unwrap(), "old.zip/old.pgn");
        assert!(member == expected, "{read:?}");
        let piped = desk.pipe(&[read, &["-"]].concat(), &old).stdout;
        assert!(
            read[0] == "check" || without_places((piped, String::new())).0 == without_places(expected).0,
            "{read:?}"
        );
    }
}

#[test]
fn a_range_has_the_encoding_of_its_file() {
    // Names follow in which no letter tells anything.
    let (head, tail) = (games(), "[White \"Ж\"]\n\n1. d4 *\n\n".repeat(3000));
    let bytes = in_windows_1251(&(head.clone() + &tail));
    let (before, last) = bytes.split_at(bytes.len() - 20_000);
    let before = before.chunks(30_000).flat_map(|piece| zstd::encode_all(piece, 1).unwrap()).collect::<Vec<_>>();
    let frames = [&before[..], &zstd::encode_all(last, 1).unwrap()].concat();
    let desk = Desk::with(&[("a.pgn", &bytes), ("a.pgn.zst", &frames)]);
    for (name, start) in [("a.pgn", bytes.len() - 20_000), ("a.pgn.zst", before.len())] {
        let range = format!("{start}..");
        for arguments in [&[][..], &["--no-mmap"]] {
            if name == "a.pgn.zst" && !arguments.is_empty() {
                continue;
            }
            let range = ["-q", "-f", "csv", "-C", "White", "--no-header", "--range", &range, name];
            let ran = desk.run(&[&range[..], arguments].concat());
            assert!(ran.stdout.len() > 100 && ran.stdout.lines().all(|line| line == "Ж"), "{name} {}", ran.stderr);
        }
    }
}

#[test]
fn a_file_that_begins_in_utf8_is_read_as_windows_1252_behind_it() {
    let head = "[White \"Grünfeld\"]\n\n1. e4 *\n\n".repeat(2200);
    let bytes = [head.as_bytes(), &in_windows_1251("[White \"Спасский\"]\n\n1. Ke4 *\n")].concat();
    assert!(head.len() > 64 * 1024);
    let desk = Desk::with(&[("a.pgn", &bytes)]);
    let ran = desk.run(&["-f", "csv", "-C", "White", "a.pgn"]);
    assert_eq!(ran.stdout.lines().last(), Some("Ñïàññêèé"));
    assert!(
        ran.stderr.contains("not UTF-8; it is read as windows-1252") && ran.stderr.contains("(Ñïàññêèé"),
        "{ran:?}"
    );
    let ran = desk.run(&["-f", "csv", "-C", "White", "--encoding", "windows-1251", "a.pgn"]);
    assert!(ran.stdout.starts_with("White\nGrünfeld\n") && ran.stdout.ends_with("\nСпасский\n"), "{}", ran.stderr);
}

#[test]
fn an_index_knows_old_names() {
    let desk = Desk::with(&[("a.pgn", &in_windows_1251(&games()))]);
    assert_eq!(desk.run(&["index", "-q", "-o", "a.idx", "a.pgn"]).code, Some(1));
    let found = desk.run(&["find", "a.idx", "1. e4", "-t", "White=Спасский, Борис", "-c"]);
    assert!(found.stdout.contains("\t1999\t"), "{} {}", found.stdout, found.stderr);
}
