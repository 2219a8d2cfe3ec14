//! Real games: every file of `fixtures/games` against another program's reading of it.
//!
//! `expected.tsv` holds no FENs but their number and a hash of them all, computed with python-chess, and
//! `variations.tsv` the same of those files that have variations, with them; SOURCES.md tells how, and where the games
//! come from.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::cases::message;

#[test]
fn every_file_gives_the_expected_positions() {
    let mut complaints = String::new();
    let rows = rows();
    for expected in &rows {
        let came = read(&expected.file);
        if came != *expected {
            complaints += &format!("\n  {expected:?} expected\n  {came:?} came\n");
        }
    }
    assert!(complaints.is_empty(), "{complaints}");
    assert!(rows.len() >= 26, "only {} files", rows.len());
}

#[test]
fn every_file_is_listed() {
    let listed = rows();
    for file in directory().read_dir().expect("fixtures/games can be listed") {
        let name = file.expect("fixtures/games can be listed").file_name();
        if Path::new(&name).extension() != Some("tsv".as_ref()) {
            assert!(listed.iter().any(|row| *row.file == *name), "{} is not in expected.tsv", name.display());
        }
    }
}

#[test]
fn variations_give_the_expected_positions() {
    let table = fs::read_to_string(directory().join("variations.tsv")).expect("variations.tsv is there");
    for line in table.lines().skip(1) {
        let file = line.split('\t').next().expect("a line begins with a file");
        let output = pgn2fen(&["--variations", file]);
        let errors = String::from_utf8_lossy(&output.stderr).lines().filter(|line| !line.contains("warning")).count();
        assert_eq!(format!("{file}\t{}\t{errors}\t{:016x}", lines(&output), fnv1a(&output.stdout)), line);
    }
}

/// A line of `expected.tsv`, and what the binary makes of that file.
#[derive(Debug, PartialEq)]
struct Row {
    file: String,
    games: usize,
    positions: usize,
    errors: usize,
    exit: i32,
    hash: String,
}

fn rows() -> Vec<Row> {
    let table = fs::read_to_string(directory().join("expected.tsv")).expect("expected.tsv is there");
    table.lines().skip(1).map(|line| row(line).unwrap_or_else(|| panic!("expected.tsv: {line}"))).collect()
}

fn row(line: &str) -> Option<Row> {
    let [file, games, positions, errors, hash] = line.split('\t').collect::<Vec<_>>().try_into().ok()?;
    let errors = errors.parse().ok()?;
    Some(Row {
        file: file.to_owned(),
        games: games.parse().ok()?,
        positions: positions.parse().ok()?,
        errors,
        exit: i32::from(errors > 0),
        hash: hash.to_owned(),
    })
}

fn read(file: &str) -> Row {
    let output = pgn2fen(&[file]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    let messages = message::all(&stderr, file).unwrap_or_else(|line| panic!("no message of a known form: {line}"));
    let positions = lines(&output);
    Row {
        file: file.to_owned(),
        // Each game has a start, which this option leaves out.
        games: positions - lines(&pgn2fen(&["--no-start", file])),
        positions,
        errors: messages.iter().filter(|message| !message.warning).count(),
        exit: output.status.code().expect("the binary ends by itself"),
        hash: format!("{:016x}", fnv1a(&output.stdout)),
    }
}

fn pgn2fen(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pgn2fen"));
    command.current_dir(directory()).args(arguments).output().expect("the binary runs")
}

fn lines(output: &Output) -> usize {
    output.stdout.split_inclusive(|&byte| byte == b'\n').count()
}

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/games")
}

/// FNV-1a of 64 bits (Fowler, Noll and Vo): short, and the same everywhere.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[test]
fn the_hash_is_the_published_one() {
    assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
    assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
}
