//! Scid databases as input: they are read like the PGN that they were made of, and damage is told for each game.

use std::fs;
use std::path::Path;

use pgn2fen_testing::zip::{Member, archive};

use crate::cli::{Desk, gzip, without_places};
use crate::guide::without_times;
use crate::laws::sweeps;

const INDEX: &str = "base.si4";

pub(crate) fn fixture(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/scid").join(name)).unwrap()
}

/// A folder with the database of the fixtures, and with the PGN from which Scid has made it.
fn desk() -> Desk {
    let [pgn, index, names, games] = ["games.pgn", "games.si4", "games.sn4", "games.sg4"].map(fixture);
    Desk::with(&[("games.pgn", &pgn), (INDEX, &index), ("base.sn4", &names), ("base.sg4", &games)])
}

/// A folder with a database of version 4 whose games have these records, each by the number of its place in `records`.
/// The index states nothing about their moves.
pub(crate) fn database(records: &[&[u8]], games: impl IntoIterator<Item = usize>) -> Desk {
    let games: Vec<_> = games.into_iter().collect();
    let starts: Vec<usize> =
        (0..records.len()).map(|nth| records[..nth].iter().map(|record| record.len()).sum()).collect();
    let count = u32::try_from(games.len()).unwrap().to_be_bytes();
    let mut index = [b"Scid.si\0\x01\x90\0\0\0\0", &count[1..]].concat();
    index.resize(182, 0);
    for game in games {
        let [offset, length] = [starts[game], records[game].len()].map(|number| u32::try_from(number).unwrap());
        let [_, high, lengths @ ..] = length.to_be_bytes();
        index.extend([&offset.to_be_bytes()[..], &lengths, &[high << 7], &[0; 40]].concat());
    }
    let mut names = b"Scid.sn\0\0\0\0\0".to_vec();
    names.extend([0, 0, 1].repeat(8));
    names.extend([[0, 0, 1, 1, b'P'], [0, 0, 1, 1, b'E'], [0, 0, 1, 1, b'S'], [0, 0, 1, 1, b'R']].as_flattened());
    Desk::with(&[(INDEX, &index), ("base.sn4", &names), ("base.sg4", &records.concat())])
}

/// The record of 1. e4 e5.
const E4_E5: &[u8] = &[0, 0, 0xCF, 0xCF, 15];

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
        // Places count in a text without the parts that are not read.
        assert_eq!(without_places(&ours.stderr, INDEX), without_places(&theirs.stderr, "games.pgn"), "{options:?}");
    }
    let games = desk.run(&["games", INDEX]);
    assert_eq!((games.code, games.stderr.as_str()), (Some(0), ""));
    assert_eq!(games.stdout.as_bytes(), fixture("games.pgn"));
    let [ours, theirs] = [INDEX, "games.pgn"].map(|file| desk.run(&["check", file]));
    assert_eq!(ours.code, theirs.code);
    assert_eq!(without_times(&ours.stdout), without_times(&theirs.stdout.replace("games.pgn", INDEX)));
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
    let files = ["si4", "sn4", "sg4"].map(|ending| {
        let name = format!("games.{ending}");
        Member::deflated(&name, &fixture(&name))
    });
    let advice = "unpack s.zip first, then read the file whose name ends with .si4 or .si5";
    check("s.zip", &archive(&files, false), advice);
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

#[test]
fn moves_that_are_not_those_of_the_index_are_an_error() {
    #[track_caller]
    fn check_bytes(at: usize, bytes: &[u8], expected: &str) {
        let desk = desk();
        for (at, byte) in (182 + at..).zip(bytes) {
            put(&desk, INDEX, at, *byte);
        }
        let text = check(&desk, 1);
        assert!(text.contains(expected) && text.contains("6 games") && text.contains("1 error"), "{text}");
    }
    // What the entry of the first game says: 7 plies, 7 NAGs and 3 variations, pieces, and the moves of pawns.
    check_bytes(37, &[9], "damaged:the-index-states-9-plies-and-the-record-has-7 in game 1");
    check_bytes(36, &[0xA6], "damaged:the-index-states-other-pieces-at-the-end in game 1");
    check_bytes(39, &[0], "damaged:the-index-states-other-moves-of-pawns in game 1");
    check_bytes(21, &[0x10], "damaged:the-index-states-another-number-of-NAGs-than-7 in game 1");
    check_bytes(22, &[0], "damaged:the-index-states-another-number-of-variations-than-3 in game 1");
    // A program that is not Scid may leave these fields empty.
    let desk = desk();
    (33..39).for_each(|at| put(&desk, INDEX, 182 + at, 0));
    check(&desk, 0);
}

#[test]
fn moves_that_a_record_lacks_are_an_error_and_the_others_are_read() {
    // The mark of the end of the first variation becomes that of a comment: what follows is in the variation.
    let desk = desk();
    let games = fixture("games.sg4");
    let end = games.iter().position(|byte| *byte == 14).unwrap();
    let whole = desk.run(&[INDEX]).stdout.lines().count();
    put(&desk, "base.sg4", end, 12);
    let ran = desk.run(&[INDEX]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("in game 1 (Müller, Änne – Doe, John 2024.03.05), ply"), "{}", ran.stderr);
    assert!(ran.stdout.lines().count() < whole);
}

#[test]
fn damage_that_is_repeated_makes_no_game_two() {
    #[track_caller]
    fn check_record(record: &[u8], expected: &str) {
        let desk = database(&[E4_E5, record], [0, 1, 0]);
        let text = check(&desk, 1);
        assert!(text.contains(expected) && text.contains("in game 2 (P – P), ply 3"), "{text}");
        assert!(text.contains("3 games, 9 positions, 1 error"), "{text}");
    }
    let record = |tags: &[u8], before: &[u8], behind: &[u8]| [tags, &[0, 0], before, &[0xCF, 0xCF], behind].concat();
    check_record(&record(b"", &[14; 300], &[15]), "a-variation-ends-that-has-not-begun");
    check_record(&record(b"", &[13, 14].repeat(300), &[15]), "a-variation-stands-before-the-first-move-of-its-line");
    check_record(&record(b"", b"", b""), "its-moves-have-no-end");
    check_record(&record(b"", b"", &[&[12; 300][..], &[15]].concat()), "comments-are-missing");
    check_record(&record(b"", b"", &[&[15][..], &b"c\0".repeat(30_000)].concat()), "comments-belong-to-no-move");
    let tags: Vec<u8> = (0..12_000).flat_map(|tag| format!("\x06t{tag:05}\0").into_bytes()).collect();
    check_record(&record(&tags, b"", &[15]), "tags-are-left-out");
    // Tags that are left out are warnings.
    let desk = database(&[E4_E5, &record(&[251, 0].repeat(60_000), b"", &[15])], [0, 1, 0]);
    let text = check(&desk, 0);
    assert!(text.contains("3 games, 9 positions, 0 errors"), "{text}");
    assert!(text.contains("skipped-text: damaged: there is no tag with the number 251"), "{text}");
}

#[test]
fn records_that_many_games_share_are_read_a_few_times() {
    // A long record for an index of 38 kB, and short ones for several pieces of the index.
    let long = [&[0, 0, 0xCF, 0xCF][..], &[11, 1].repeat(65_000), &[15]].concat();
    let desk = database(&[&long], [0; 800]);
    let text = check(&desk, 1);
    assert!(text.contains("800 games, 820 positions, 790 errors"), "{text}");
    assert!(text.contains("damaged:too-many-games-share-their-records in game 11 (P – P), ply 1"), "{text}");
    let short = [&[0, 0, 0xCF, 0xCF][..], &[11, 1].repeat(250), &[15]].concat();
    let desk = database(&[&short], [0; 3000]);
    let [one, four] = ["-j1", "-j4"].map(|threads| desk.run(&["--max-messages", "3", threads, INDEX]));
    assert_eq!(one, four);
    assert_eq!(one.code, Some(1));
    assert!(one.stderr.contains("in game 2080 "), "{}", one.stderr);
}

#[test]
fn an_index_of_version_5_that_lacks_its_last_games_is_an_error() {
    let [index, names, games] = ["five.si5", "five.sn5", "five.sg5"].map(fixture);
    for count in 0..index.len() / 56 {
        let desk = Desk::with(&[("a.si5", &index[..count * 56]), ("a.sn5", &names), ("a.sg5", &games)]);
        let ran = desk.run(&["check", "a.si5"]);
        assert_eq!(ran.code, Some(2), "{count}: {ran:?}");
        assert!(ran.stderr.contains("is a damaged Scid database: a.si5 has no game for the last "), "{}", ran.stderr);
        assert!(ran.stderr.contains(" bytes of a.sg5"), "{}", ran.stderr);
    }
}

#[test]
fn a_name_that_is_longer_than_names_are_is_left_out() {
    // The name of the first event is "Club evening". Its length and its kind are a number with 7 bits in each byte.
    let [index, names, games] = ["five.si5", "five.sn5", "five.sg5"].map(fixture);
    let with = |length: u16| {
        let head = length << 3 | 1;
        let [low, high] = [(head & 0x7F) as u8 | 0x80, (head >> 7 & 0xFF) as u8];
        let names = [&[low, high][..], &b"e".repeat(length.into()), &names[13..]].concat();
        let desk = Desk::with(&[("a.si5", &index), ("a.sn5", &names), ("a.sg5", &games)]);
        desk.run(&["games", "-n", "1", "a.si5"])
    };
    let ran = with(1024);
    assert!(ran.stdout.contains(&"e".repeat(1024)) && ran.stderr.is_empty(), "{ran:?}");
    let ran = with(1025);
    assert!(ran.stdout.starts_with("[Event \"?\"]"), "{ran:?}");
    assert!(ran.stderr.contains("damaged: the name of the event 0 has 1025 bytes"), "{ran:?}");
}

#[test]
fn a_flipped_byte_is_an_error_or_loses_no_line() {
    // All flips are made in the crate `games`; here some of them go through the command.
    for (files, from) in [(["games.si4", "games.sn4", "games.sg4"], 0), (["five.si5", "five.sn5", "five.sg5"], 3)] {
        let bytes = files.map(fixture);
        let desk = Desk::with(&[(files[0], &bytes[0]), (files[1], &bytes[1]), (files[2], &bytes[2])]);
        let whole = desk.run(&[files[0]]).stdout.lines().count();
        for (name, bytes) in files.iter().zip(&bytes) {
            for (nth, at) in (from..bytes.len()).step_by(if sweeps() { 7 } else { 23 }).enumerate() {
                let byte = bytes[at] ^ 1 << (nth % 8);
                put(&desk, name, at, byte);
                let ran = desk.run(&[files[0]]);
                let lines = ran.stdout.lines().count();
                assert!(matches!(ran.code, Some(1 | 2)) || lines == whole, "byte {at} of {name} is {byte}: {ran:?}");
                put(&desk, name, at, bytes[at]);
            }
        }
    }
}
