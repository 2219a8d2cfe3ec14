//! Scid databases as input: they are read like the PGN that they were made of, and damage is told for each game.

use std::fs;
use std::path::Path;

use crate::cli::{Desk, gzip};

const INDEX: &str = "base.si4";

fn fixture(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/scid").join(name)).unwrap()
}

/// A folder with the database of the fixtures, and with the PGN from which Scid has made it.
fn desk() -> Desk {
    let [pgn, index, names, games] = ["games.pgn", "games.si4", "games.sn4", "games.sg4"].map(fixture);
    Desk::with(&[("games.pgn", &pgn), (INDEX, &index), ("base.sn4", &names), ("base.sg4", &games)])
}

/// Returns what a check of the database prints.
fn check(desk: &Desk, code: i32) -> String {
    let ran = desk.run(&["check", "-v", INDEX]);
    assert_eq!(ran.code, Some(code), "{ran:?}");
    ran.stdout + &ran.stderr
}

/// Changes a byte of a file.
fn put(desk: &Desk, name: &str, at: usize, byte: u8) {
    let mut bytes = fs::read(desk.path(name)).unwrap();
    bytes[at] = byte;
    fs::write(desk.path(name), bytes).unwrap();
}

#[test]
fn every_command_reads_a_database_like_its_pgn() {
    let desk = desk();
    let columns =
        "game,White,Black,Result,Date,EventDate,WhiteElo,WhiteUSCF,ECO,Annotator,Deleted,ply,san,nags,comment,fen";
    for options in [&["-j1"][..], &["-j4"], &["--no-mmap"], &["--variations"], &["-C", columns]] {
        let [ours, theirs] = [INDEX, "games.pgn"].map(|file| desk.run(&[options, &[file]].concat()));
        assert_eq!((ours.code, ours.stdout), (theirs.code, theirs.stdout), "{options:?}");
        assert_eq!(ours.stderr, theirs.stderr.replace("games.pgn", INDEX), "{options:?}");
    }
    let games = desk.run(&["games", INDEX]);
    assert_eq!((games.code, games.stderr.as_str()), (Some(0), ""));
    assert_eq!(games.stdout.as_bytes(), fixture("games.pgn"));
    assert_eq!(desk.run(&["check", INDEX]), desk.run(&["check", "games.pgn"]));
    assert_eq!(desk.run(&["starts", INDEX]), desk.run(&["starts", "games.pgn"]));
    let filtered = desk.run(&["games", "-t", "Deleted!=1", "-t", "Result=0-1", INDEX]);
    assert_eq!(filtered.stdout.matches("[Event ").count(), 1);
    desk.run(&["index", "-o", "a.idx", INDEX]);
    desk.run(&["index", "-o", "b.idx", "games.pgn"]);
    let found = ["a.idx", "b.idx"].map(|index| desk.run(&["find", index, "1. e4 e5 2. Bc4"]).stdout);
    assert_eq!(found[0], found[1].replace("games.pgn", INDEX));
}

#[test]
fn version_5_has_chess960() {
    let [pgn, index, names, games] = ["five.pgn", "five.si5", "five.sn5", "five.sg5"].map(fixture);
    let desk = Desk::with(&[("five.pgn", &pgn), ("a.si5", &index), ("a.sn5", &names), ("a.sg5", &games)]);
    let starts = desk.run(&["starts", "a.si5"]);
    assert!(starts.stdout.contains("nnbrkbrq/pppppppp/8/8/8/8/PPPPPPPP/NNBRKBRQ"), "{starts:?}");
    assert_eq!(starts, desk.run(&["starts", "five.pgn"]));
    assert_eq!(desk.run(&["games", "a.si5"]).stdout.as_bytes(), pgn);
    fs::write(desk.path("a.si5"), &index[..index.len() - 1]).unwrap();
    let ran = desk.run(&["check", "a.si5"]);
    assert!(ran.stderr.contains("a.si5 ends within the entry of game 7"), "{}", ran.stderr);
}

#[test]
fn folders_have_databases_and_ranges_are_refused() {
    let desk = desk();
    fs::remove_file(desk.path("games.pgn")).unwrap();
    let ran = desk.run(&["check", "-r", "."]);
    assert!(ran.stdout.contains("6 games"), "{ran:?}");
    let ran = desk.run(&["--range", "0..100", INDEX]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("is a Scid database (si4); a range of bytes needs"), "{}", ran.stderr);
}

#[test]
fn the_files_of_a_database_are_found_whatever_the_case_of_their_endings() {
    let desk = desk();
    let expected = desk.run(&[INDEX]);
    fs::rename(desk.path("base.sn4"), desk.path("base.SN4")).unwrap();
    fs::rename(desk.path("base.sg4"), desk.path("base.Sg4")).unwrap();
    fs::rename(desk.path(INDEX), desk.path("base.SI4")).unwrap();
    assert_eq!(desk.run(&["base.SI4"]), expected);
    fs::remove_file(desk.path("base.SN4")).unwrap();
    let ran = desk.run(&["base.SI4"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("its file base.sn4 is not in the same folder"), "{}", ran.stderr);
}

#[test]
fn a_pipe_with_an_index_is_told_to_be_named() {
    let desk = desk();
    let ran = desk.pipe(&["check"], &fixture("games.si4"));
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("it has three files, which are read by the name of the one"), "{}", ran.stderr);
}

#[test]
fn other_files_of_scid_are_refused_with_advice() {
    #[track_caller]
    fn check(name: &str, bytes: &[u8], expected: &str) {
        let ran = Desk::with(&[(name, bytes)]).run(&["check", name]);
        assert_eq!(ran.code, Some(2), "{name}");
        assert!(ran.stderr.contains(expected), "{name}: {}", ran.stderr);
    }
    let mut old = fixture("games.si4");
    old[8..10].copy_from_slice(&300_u16.to_be_bytes());
    check("a.si3", &old, "is a Scid database of version 3 (si3), which is not read; copy it to a new base with Scid");
    check("a.sg3", b"\0\x01\x0f", "is a Scid database; copy its games to a new base with Scid");
    check("a.sn4", &fixture("games.sn4"), "is a Scid database; read its index, a.si4");
    check("a.SG5", &fixture("five.sg5"), "is a Scid database; read its index, a.si5");
    check("a.si4.gz", &gzip(&fixture("games.si4")), "decompress its three files, and read the one whose name ends");
}

#[test]
fn damage_is_told_with_its_game_and_the_others_are_read() {
    // The first move of the first game, behind its tags: the number of a piece that it has not.
    let desk = desk();
    let games = fixture("games.sg4");
    let first = games.windows(2).position(|pair| pair == [12, 0xCF]).unwrap() + 1;
    put(&desk, "base.sg4", first, 0x0B << 4 | 15);
    put(&desk, "base.sg4", first + 1, 0x1F);
    let text = check(&desk, 1);
    assert!(text.contains("in game 1 (Müller, Änne – Doe, John 2024.03.05), ply"), "{text}");
    assert!(text.contains("6 games") && text.contains("1 error"), "{text}");
}

#[test]
fn what_is_wrong_with_a_whole_file_is_an_error_behind_the_games() {
    let desk = desk();
    let index = fixture("games.si4");
    fs::write(desk.path(INDEX), &index[..index.len() - 50]).unwrap();
    let text = check(&desk, 2);
    assert!(text.contains("is a damaged Scid database: base.si4 has 4 of its 6 games"), "{text}");
    assert!(text.contains("4 games"), "{text}");
    fs::write(desk.path(INDEX), &index).unwrap();
    let names = fixture("games.sn4");
    fs::write(desk.path("base.sn4"), &names[..names.len() - 20]).unwrap();
    let text = check(&desk, 2);
    assert!(text.contains("base.sn4 ends within a name"), "{text}");
    assert!(text.contains("skipped-text: damaged: there is no name of the round"), "{text}");
}
