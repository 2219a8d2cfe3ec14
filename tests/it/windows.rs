//! The command on Windows, where it differs from other systems.

use std::ffi::OsString;
use std::fs::{self, File};
use std::os::windows::ffi::OsStringExt;
use std::path::Path;

use pgn2fen_games::Database;
use pgn2fen_index::Index;

use crate::cli::Desk;

const GAMES: &[u8] = b"[White \"Tal\"]\n[Black \"Con\"]\n\n1. e4 *\n\n[White \"tal\"]\n[Black \"NUL\"]\n\n1. d4 *\n";

#[test]
fn wildcards_stand_for_files() {
    // A copy of a file would not be indexed.
    let other = String::from_utf8_lossy(GAMES).replace("Tal", "Euwe");
    let desk = Desk::with(&[("a.pgn", GAMES), ("B.PGN", other.as_bytes()), ("c.txt", GAMES)]);
    fs::create_dir(desk.path("d")).unwrap();
    fs::write(desk.path("d/e.pgn"), GAMES).unwrap();
    let lines = |arguments: &[&str]| {
        let ran = desk.run(arguments);
        assert_eq!((ran.stderr.as_str(), ran.code), ("", Some(0)), "{arguments:?}");
        ran.stdout.lines().count()
    };
    assert_eq!(lines(&["*.pgn"]), 8);
    assert_eq!(lines(&["?.pgn", r"*\e.pgn"]), 12);
    assert_eq!(lines(&["-r", "*"]), 16);
    assert_eq!(lines(&["-n1", "-C", "file", "-f", "csv", r".\d\*.pgn"]), 3);
    desk.run(&["*.fen", "-o", "x.fen"]).is(
        "",
        "pgn2fen: *.fen: no file matches the pattern\n\
         pgn2fen: x.fen is not written because not all of the input could be read; --skip-unreadable writes what could \
         be read\n",
        2,
    );
    desk.run(&["index", "-q", "-o", "games.idx", "*.pgn"]).is("", "", 0);
    desk.run(&["index", "-q", "--remove", "games.idx", "b*.pgn"]).is("", "", 0);
    assert_eq!(Index::open(desk.path("games.idx")).unwrap().game_count(), 2);
}

#[test]
fn lines_end_as_on_other_systems() {
    let desk = Desk::with(&[("a.pgn", GAMES)]);
    for arguments in [
        &["a.pgn"][..],
        &["-C", "ply,fen", "a.pgn"],
        &["games", "a.pgn"],
        &["-f", "jsonl", "-C", "ply,fen", "a.pgn"],
        &["check", "a.pgn"],
    ] {
        let ran = desk.run(arguments);
        assert!(ran.stdout.ends_with('\n') && !ran.stdout.contains('\r'), "{arguments:?}");
    }
    desk.run(&["-o", "a.fen", "a.pgn"]).is("", "", 0);
    assert_eq!(desk.read("a.fen"), desk.run(&["a.pgn"]).stdout.as_bytes());
}

#[test]
fn a_device_is_written_directly() {
    let desk = Desk::with(&[("a.pgn", GAMES)]);
    for device in ["NUL", "nul", r"\\.\NUL"] {
        desk.run(&["a.pgn", "-o", device]).is("", "", 0);
        assert_eq!(desk.files(), ["a.pgn"], "{device}");
    }
}

#[test]
fn folders_in_names_with_placeholders_are_written_with_either_separator() {
    let desk = Desk::with(&[("a.pgn", GAMES)]);
    desk.run(&["a.pgn", "-o", r"boards\{game}/{ply}.svg"]).is("", "", 0);
    assert!(desk.path(r"boards\2\1.svg").is_file());
    // The names of devices, and names that differ only in their case.
    desk.run(&["games", "a.pgn", "-o", r"players\{Black}.pgn"]).is("", "", 0);
    assert!(desk.path(r"players\_Con.pgn").is_file() && desk.path(r"players\_NUL.pgn").is_file());
    desk.run(&["games", "a.pgn", "-o", r"{White}.pgn"]).is("", "", 0);
    assert_eq!(Database::open(desk.path("TAL.pgn")).unwrap().games().count(), 2);
    // A whole path: with a drive, and as the system resolves it.
    for (folder, name) in [(desk.path(""), "b"), (desk.path("").canonicalize().unwrap(), "c")] {
        let names = folder.join(format!("{name}-{{part}}.pgn"));
        desk.run(&["games", "--split", "1", "a.pgn", "-o", names.to_str().unwrap()]).is("", "", 0);
        assert!(desk.path(&format!("{name}-2.pgn")).is_file());
    }
}

#[test]
fn an_output_replaces_a_file_that_is_open_or_leaves_it() {
    let desk = Desk::with(&[("a.pgn", GAMES), ("a.fen", b"old")]);
    let open = File::open(desk.path("a.fen")).unwrap();
    let ran = desk.run(&["a.pgn", "-o", "a.fen"]);
    drop(open);
    // Wine does not replace it, and neither does Windows on other file systems than NTFS.
    if ran.code == Some(0) {
        assert_eq!(desk.read("a.fen").split(|byte| *byte == b'\n').count(), 5);
    } else {
        assert!(ran.stderr.starts_with("pgn2fen: cannot write ") && ran.code == Some(2), "{}", ran.stderr);
        assert_eq!(desk.read("a.fen"), b"old");
    }
    assert_eq!(desk.files(), ["a.fen", "a.pgn"]);
}

#[test]
fn a_file_that_is_read_only_stays_or_is_replaced_in_whole() {
    let desk = Desk::with(&[("a.pgn", GAMES), ("a.fen", b"old")]);
    let mut permissions = fs::metadata(desk.path("a.fen")).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(desk.path("a.fen"), permissions).unwrap();
    let ran = desk.run(&["a.pgn", "-o", "a.fen"]);
    // Wine replaces it, as Unix does.
    if ran.code != Some(0) {
        let is_told = ran.stderr.starts_with("pgn2fen: cannot write ") && !ran.stderr.contains("//?/");
        assert!(is_told && ran.code == Some(2), "{}", ran.stderr);
        assert_eq!(desk.read("a.fen"), b"old");
    }
    assert_eq!(desk.files(), ["a.fen", "a.pgn"]);
}

#[test]
fn an_index_is_replaced_while_it_is_read() {
    let desk = Desk::with(&[("a.pgn", GAMES), ("b.pgn", b"1. c4 *\n")]);
    let runs = || fs::read_dir(desk.path("idx")).unwrap().filter(|it| it.as_ref().unwrap().path().is_dir()).count();
    desk.run(&["index", "-q", "-o", "idx", "a.pgn"]).is("", "", 0);
    let old = Index::open(desk.path("idx")).unwrap();
    desk.run(&["index", "-q", "--append", "-o", "idx", "b.pgn"]).is("", "", 0);
    desk.run(&["index", "-q", "--compact", "-o", "idx"]).is("", "", 0);
    assert_eq!((old.game_count(), Index::open(desk.path("idx")).unwrap().game_count()), (2, 3));
    assert!(desk.run(&["find", "idx", "e4"]).stdout.contains("a.pgn:1"));
    drop(old);
    // What was read is removed by the next process that writes, and nothing is left of what was not read.
    desk.run(&["index", "-q", "--remove", "idx", "b.pgn"]).is("", "", 0);
    desk.run(&["index", "-q", "--append", "-o", "idx", "b.pgn"]).is("", "", 0);
    desk.run(&["index", "-q", "--compact", "-o", "idx"]).is("", "", 0);
    assert_eq!(runs(), 1);
    // The files are named as people write them.
    fs::rename(desk.path("a.pgn"), desk.path("c.pgn")).unwrap();
    let said = desk.run(&["index", "--info", "idx"]).stdout;
    assert!(said.contains("missing") && !said.contains(r"\\?\"), "{said}");
}

#[test]
fn names_of_any_units_are_read_and_written() {
    let name = |ending: &str| {
        let units = [0x0061, 0xD800, 0x8C61].into_iter().chain(ending.encode_utf16());
        OsString::from_wide(&units.collect::<Vec<u16>>())
    };
    let desk = Desk::with(&[]);
    if fs::write(desk.path("").join(name(".pgn")), GAMES).is_err() {
        // Wine stores names as UTF-8, which cannot have half a pair.
        return;
    }
    let run = |before: &[&str], names: &[OsString]| {
        let output = desk.command(before).args(names).output().unwrap();
        assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]));
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(run(&[], &[name(".pgn")]).lines().count(), 4);
    run(&["-o"], &[name(".fen"), name(".pgn")]);
    assert!(desk.path("").join(name(".fen")).is_file());
    run(&["index", "-q", "-o", "idx"], &[name(".pgn")]);
    assert_eq!(Index::open(desk.path("idx")).unwrap().files().next().unwrap().name(), Path::new(&name(".pgn")));
    assert!(run(&["find", "-f", "pgn", "idx", "e4"], &[]).contains("1. e4 *"));
}

#[test]
fn long_paths_are_read_and_written() {
    let desk = Desk::with(&[]);
    for folder in [desk.path("a"), desk.path("").canonicalize().unwrap().join("b")] {
        let folder = (0..8).fold(folder, |folder, _| folder.join("x".repeat(60)));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("a.pgn"), GAMES).unwrap();
        let [input, output] = ["a.pgn", "a.fen"].map(|name| folder.join(name).to_str().unwrap().to_owned());
        desk.run(&[&input, "-o", &output]).is("", "", 0);
        assert_eq!(fs::read_to_string(&output).unwrap().lines().count(), 4);
    }
}

#[test]
fn the_examples_of_the_help_are_quoted_for_the_shells_of_windows() {
    let help = Desk::with(&[]).run(&["games", "--help"]).stdout;
    assert!(help.contains("-t \"WhiteElo>=2200\""), "{help}");
}
