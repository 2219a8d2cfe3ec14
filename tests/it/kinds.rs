//! Files of other kinds: as input they are named and not read, as output they are refused before anything is.

use crate::cli::{Desk, gzip};
use crate::laws::one_in;

/// Files of other kinds, some with text in them that looks like games, and what is said of them.
fn foreign() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let game = b"[Event \"x\"]\n\n1. e4 e5 *\n".repeat(50);
    let with = |head: &[u8]| [head, &game].concat();
    let tar = with(&[&b"games.pgn"[..], &[0; 248], b"ustar\x0000", &[0; 247]].concat());
    vec![
        ("a b.7z", with(b"7z\xbc\xaf\x27\x1c"), "`7z x -so 'a b.7z' | pgn2fen`"),
        ("games.pgn", with(b"7z\xbc\xaf\x27\x1c"), "is a 7z archive; read its contents with `7z x -so games.pgn"),
        ("a.rar", with(b"Rar!\x1a\x07\x01\0"), "is a RAR archive"),
        (
            "a.tar.gz",
            gzip(&tar),
            "is a tar archive within gzip data; read its contents with `gzip -dc a.tar.gz | tar -xOf - | pgn2fen`",
        ),
        (
            "a.zip.gz",
            gzip(&with(b"PK\x03\x04")),
            "is a zip archive within gzip data; a zip archive is read from its end, so decompress it with \
             `gzip -dc a.zip.gz > games.zip`, then read games.zip",
        ),
        (
            "a.xz.gz",
            gzip(&with(b"\xfd7zXZ\0")),
            "is compressed with xz within gzip data; read its contents with `gzip -dc a.xz.gz | xz -dc | pgn2fen`",
        ),
        (
            "a.parquet.gz",
            gzip(&gzip(&with(b"PAR1"))),
            "is a Parquet file within gzip data within gzip data; a Parquet file is read from its end, so decompress \
             it with `gzip -dc a.parquet.gz | gzip -dc > games.parquet`, then read games.parquet",
        ),
        (
            "a.json.gz",
            gzip(b"{\"name\": \"1. e4\"}\n"),
            "is JSON within gzip data; of JSON, pgn2fen reads objects with",
        ),
        ("a.pgn.gz", gzip(&gzip(&gzip(&gzip(&game)))), "is compressed more than 3 times; decompress it first"),
        (
            "utf32.pgn",
            "1. e4 e5 *\n".chars().flat_map(|char| u32::from(char).to_le_bytes()).collect(),
            "is text in UTF-32LE; convert it with `iconv -f UTF-32LE -t UTF-8 utf32.pgn | pgn2fen`",
        ),
        ("numbers", b"[[1, 2], [3]]\n".to_vec(), "is JSON"),
        ("a.tar", tar, "is a tar archive"),
        (
            "a.tar.xz",
            with(b"\xfd7zXZ\0"),
            "is a tar archive within xz data; read its contents with `xz -dc a.tar.xz | tar -xOf - | pgn2fen`",
        ),
        (
            "a.TXZ",
            with(b"\xfd7zXZ\0"),
            "is a tar archive within xz data; read its contents with `xz -dc a.TXZ | tar -xOf - | pgn2fen`",
        ),
        (
            "a.tar.Z.gz",
            gzip(&with(b"\x1f\x9d\x90")),
            "is a tar archive within compress data within gzip data; read its contents with `gzip -dc a.tar.Z.gz | \
             gzip -dc | tar -xOf - | pgn2fen`",
        ),
        (
            "cut.bin",
            with(b"\x01\x02\0\x03"),
            "is binary data of an unknown kind; of such files, pgn2fen reads training",
        ),
        (
            "book.bin",
            [&[0x46, 0x3B, 0x96, 0x18, 0x16, 0x91, 0xFC, 0x9C, 0x0C, 0x1D, 0, 1, 0, 0, 0, 0][..], &[0x80; 5]].concat(),
            "is an opening book for engines",
        ),
        ("a.xz", with(b"\xfd7zXZ\0"), "is compressed with xz; read its contents with `xz -dc a.xz | pgn2fen`"),
        ("a.db", with(b"SQLite format 3\0"), "is a SQLite database"),
        ("a.parquet", with(b"PAR1"), "is a Parquet file"),
        ("a.arrow", with(b"\xff\xff\xff\xff\x10\x01\0\0"), "is an Arrow file"),
        ("a.pdf", with(b"%PDF-1.4\n"), "is a PDF document"),
        ("a.html", with(b"<!doctype html>\n"), "is a web page"),
        ("a.json", with(b"{\"name\": \"1. e4\"}\n"), "is JSON; of JSON, pgn2fen reads objects with pgn or moves"),
        ("a.exe", with(b"\x7fELF\x02\x01\x01\0"), "is a program"),
        (
            "a.cbh",
            with(b"\0\0\x2c\0\x2e\x01"),
            "is a ChessBase database, but its file with the ending .cbg is not with it",
        ),
        (
            "a.cbg",
            with(b"\0\x1a\x02"),
            "is a ChessBase database; read its index, a.cbh, with its other files beside it",
        ),
        ("a.cbv", with(b"\x01\x02"), "is a ChessBase database; of such files, pgn2fen reads"),
        (
            "a.cbz",
            with(b"\x01\x02"),
            "is a ChessBase database; it is protected by a password; unpack it with ChessBase",
        ),
        (
            "a.2cbh",
            with(b"\x01\x02"),
            "is a ChessBase database; copy its games to a database of the type .cbh with ChessBase",
        ),
        ("a.sn4", with(b"Scid.sn\0"), "is a Scid database; read its index, a.si4, with the other two files beside it"),
        ("a.csv", b"game,san\n1,e4\n2,d4\n".to_vec(), "is a table (CSV)"),
        ("puzzles", b"Puzzle,Game,Moves\n1,x,one two\n".to_vec(), "is a table (CSV); of tables, "),
    ]
}

#[test]
fn a_file_of_another_kind_is_named_and_not_read() {
    for (nth, (name, bytes, expected)) in foreign().into_iter().enumerate() {
        let desk = Desk::with(&[(name, &bytes)]);
        for (way, before) in
            [&[][..], &["check"], &["starts"], &["starts", "-f", "pgn", "--invert"], &["index", "-o", "a.idx"]]
                .into_iter()
                .enumerate()
        {
            for option in [None, Some("--no-mmap")].into_iter().skip((nth + way) % one_in(2)).step_by(one_in(2)) {
                let arguments = [before, option.as_slice(), &[name]].concat();
                let ran = desk.run(&arguments);
                assert_eq!(ran.code, Some(2), "{arguments:?}: {}", ran.stderr);
                // Words are quoted for the shells of the system.
                let said = if cfg!(windows) { ran.stderr.replace('"', "'") } else { ran.stderr };
                assert!(said.contains(expected), "{arguments:?}: {said}");
                let is_empty = ran.stdout.is_empty() || ran.stdout.starts_with("summary: 0 games, 0 positions");
                assert!(is_empty, "{arguments:?}: {}", ran.stdout);
            }
        }
        let from_pipe = desk.pipe(&[], &bytes);
        // A pipe has no name that helps.
        let named =
            ["a.cbh", "a.cbg", "a.cbv", "a.cbz", "a.2cbh", "a.tar.xz", "a.TXZ", "a.tar.Z.gz", "cut.bin", "book.bin"];
        if !named.contains(&name) {
            let what = expected.split(';').next().unwrap();
            assert!(from_pipe.stderr.contains(what) || what.starts_with('`'), "{name}: {}", from_pipe.stderr);
            assert_eq!((from_pipe.stdout.as_str(), from_pipe.code), ("", Some(2)), "{name}");
        }
    }
}

#[test]
fn what_our_own_tables_hold_is_not_read_as_games() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 e5 2. Nf3 *")]);
    for name in ["a.csv", "a.tsv", "a.csv.zst", "a.jsonl", "a.parquet", "a.arrow"] {
        desk.run(&["-o", name, "a.pgn"]).is("", "", 0);
        let ran = desk.run(&[name]);
        assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(2)), "{name}: {}", ran.stderr);
    }
}

#[test]
fn other_files_are_read_on_and_the_output_does_not_appear() {
    let desk = Desk::with(&[("a.7z", b"7z\xbc\xaf\x27\x1c"), ("b.pgn", b"1. e4 *")]);
    let ran = desk.run(&["a.7z", "b.pgn"]);
    assert_eq!((ran.stdout.lines().count(), ran.code), (2, Some(2)));
    assert_eq!(desk.run(&["-o", "c.fen", "a.7z", "b.pgn"]).code, Some(2));
    assert_eq!(desk.files(), ["a.7z", "b.pgn"]);
}

#[test]
fn an_output_with_the_ending_of_another_format_is_refused_before_the_walk() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 Ke7 *")]);
    let endings =
        "gif xml bin pgn sqlite db xlsx json feather avro zip xz 7z pdf jpg JSON fen.xz json.gz csv.zip cbh docx";
    for ending in endings.split(' ') {
        let name = format!("d.{ending}");
        let ran = desk.run(&["-o", &name, "a.pgn"]);
        assert_eq!(
            (ran.stdout.as_str(), ran.code, ran.stderr.lines().count()),
            ("", Some(2), 1),
            "{ending}: {}",
            ran.stderr
        );
        assert!(ran.stderr.starts_with(&format!("pgn2fen: {name} has the ending of ")), "{}", ran.stderr);
        assert_eq!(desk.run(&["-C", "fen,ply", "-o", &name, "a.pgn"]).code, Some(2), "{ending}");
        if ending != "pgn" {
            assert_eq!(desk.run(&["starts", "-o", &name, "a.pgn"]).code, Some(2), "{ending}");
        }
    }
    assert_eq!(desk.run(&["starts", "-o", "d.bullet", "a.pgn"]).code, Some(2));
    assert_eq!(desk.files(), ["a.pgn"]);
    for (ending, hint) in
        [("json", ".jsonl"), ("xlsx", ".csv"), ("pgn", "pgn2fen games"), ("feather", ".arrow"), ("xz", ".zst")]
    {
        let stderr = desk.run(&["-o", &format!("d.{ending}"), "a.pgn"]).stderr;
        assert!(stderr.contains(hint), "{stderr}");
    }
}

#[test]
fn an_ending_that_nobody_knows_is_for_lines_of_fen() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 *")]);
    for name in ["d", "d.out", "d.txt", "d.fens", "d.txt.gz", "d.1", "d.json.d"] {
        desk.run(&["-o", name, "a.pgn"]).is("", "", 0);
    }
    // Text goes under any name of text if its format is named.
    desk.run(&["-f", "jsonl", "-o", "d.json", "a.pgn"]).is("", "", 0);
    desk.run(&["-f", "csv", "-o", "d.html", "a.pgn"]).is("", "", 0);
    assert_eq!(desk.run(&["-f", "csv", "-o", "d.xlsx", "a.pgn"]).code, Some(2));
    assert_eq!(desk.run(&["-f", "arrow", "-o", "d.json", "a.pgn"]).code, Some(2));
    assert_eq!(desk.run(&["-f", "fen", "-o", "d.fen.xz", "a.pgn"]).code, Some(2));
}
