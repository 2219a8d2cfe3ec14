//! Outputs that cannot be written, and what a run leaves behind.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::cli::{Desk, Ran};
use crate::laws::{files_below, sweeps};

/// Commands that print, each of them something.
const PRINTING: [&[&str]; 22] = [
    &["-h"],
    &["--help"],
    &["--version"],
    &["check", "--help"],
    &["check", "a.pgn"],
    &["check", "-v", "bad.pgn"],
    &["completions", "bash"],
    &["man"],
    &["board", "startpos"],
    &["board", "--text", "startpos"],
    &["find", "a.idx", "startpos"],
    &["find", "-M", "a.idx", "startpos"],
    &["find", "-f", "pgn", "a.idx", "startpos"],
    &["find", "-f", "html", "a.idx", "startpos"],
    &["index", "--info", "a.idx"],
    &["index", "--check", "a.idx"],
    &["starts", "bad.pgn"],
    &["games", "a.pgn"],
    &["a.pgn"],
    &["-f", "csv", "a.pgn"],
    &["-f", "parquet", "a.pgn"],
    &["book", "--min-games", "1", "a.idx"],
];

fn desk() -> Desk {
    let bad = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 Ke6 *\n";
    let desk = Desk::with(&[("a.pgn", b"1. e4 e5 1-0\n"), ("bad.pgn", bad.as_bytes())]);
    assert_eq!(desk.run(&["index", "-q", "-o", "a.idx", "a.pgn"]).code, Some(0));
    desk
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_is_an_error_of_every_command() {
    let desk = desk();
    for arguments in PRINTING {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = desk.command(arguments).stdout(full).stderr(Stdio::piped()).output().unwrap();
        let ran = Ran::from(output);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {}", ran.stderr);
        let said = ran.stderr.lines().find(|line| line.starts_with("pgn2fen: cannot write ")).unwrap_or_default();
        assert!(said.contains("standard output: No space left on device"), "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn a_closed_pipe_ends_every_command_quietly_with_the_status_of_what_was_read() {
    let desk = desk();
    let run = |arguments: &[&str]| {
        let mut child = desk.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        Ran::from(child.wait_with_output().unwrap())
    };
    for arguments in PRINTING.iter().filter(|arguments| !arguments.contains(&"bad.pgn")) {
        run(arguments).is("", "", 0);
    }
    let ran = run(&["none.pgn", "a.pgn"]);
    assert!(ran.stderr.starts_with("pgn2fen: none.pgn: ") && ran.stderr.lines().count() == 1, "{}", ran.stderr);
    assert_eq!(ran.code, Some(2));
    assert_eq!(run(&["-q", "bad.pgn", "a.pgn"]).code, Some(1));
    assert_eq!(run(&["find", "a.idx", "no position", "startpos"]).code, Some(2));
}

#[test]
fn nothing_is_written_if_nothing_can_be_read() {
    let utf16: Vec<u8> = "\u{feff}1. e4 *".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let desk = Desk::with(&[("utf16.pgn", &utf16), ("a.pgn", b"1. e4 *")]);
    for format in ["csv", "parquet", "arrow", "html"] {
        for input in [&["--range", "0..10", "utf16.pgn"][..], &["none.pgn"], &["none.pgn", "other.pgn"]] {
            let ran = desk.run(&[&["-f", format], input].concat());
            assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(2)), "{format}: {}", ran.stderr);
            assert_eq!(ran.stderr.lines().count(), input.iter().filter(|word| word.ends_with(".pgn")).count());
        }
    }
    let ran = desk.run(&["-f", "csv", "none.pgn", "a.pgn"]);
    assert_eq!((ran.stdout.lines().count(), ran.code), (3, Some(2)));
}

#[test]
fn what_a_killed_run_left_is_removed_by_the_next() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 *")]);
    let hidden = || desk.files().into_iter().filter(|name| name.starts_with(".pgn2fen-")).count();
    let wait_for = |count: usize| {
        let begun = Instant::now();
        while hidden() != count {
            assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", desk.files());
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    let begin = |output: &str| desk.command(&["-o", output]).stdin(Stdio::piped()).spawn().unwrap();
    let mut killed = begin("killed.fen");
    wait_for(1);
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(hidden(), 1);
    // This run removes what the first one left, and nobody removes what this one writes.
    let mut going_on = begin("other.fen");
    let begun = Instant::now();
    while desk.files().contains(&"other.fen".to_owned()) || hidden() != 1 {
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", desk.files());
        std::thread::sleep(Duration::from_millis(5));
    }
    for output in ["out.fen", "boards/{ply}.svg"] {
        desk.run(&["-o", output, "a.pgn"]).is("", "", 0);
    }
    assert_eq!(desk.run(&["games", "-o", "{part}.pgn", "--split", "1", "a.pgn"]).code, Some(0));
    assert_eq!(hidden(), 1);
    drop(going_on.stdin.take());
    assert!(going_on.wait().unwrap().success());
    assert_eq!(desk.files(), ["1.pgn", "a.pgn", "boards", "other.fen", "out.fen"]);
}

/// Returns the texts of all files of games below a folder, and the number of hidden files there.
fn below(folder: &Path) -> (BTreeMap<PathBuf, Vec<u8>>, usize) {
    let (mut texts, mut hidden) = (BTreeMap::new(), 0);
    for path in files_below(folder) {
        let is_hidden = path.file_name().unwrap().to_string_lossy().starts_with('.');
        if is_hidden {
            hidden += 1;
        } else if path.extension().is_some_and(|ending| ending == "pgn") {
            texts.insert(path.clone(), fs::read(path).unwrap());
        }
    }
    (texts, hidden)
}

#[test]
fn outputs_of_a_killed_run_are_all_old_or_all_new_after_the_next_one() {
    const GAMES: &[u8] = include_bytes!("../../fixtures/games/tournaments_2020.pgn");

    let desk = Desk::with(&[("games.pgn", GAMES), ("next.pgn", b"1. e4 *")]);
    // In one folder; in several, which no longer have the same names; two files of one run.
    let runs: [&[&str]; 3] = [
        &["games", "-q", "--split", "1", "-o", "out/{part}.pgn", "games.pgn"],
        &["games", "-q", "--split", "2", "-o", "out/{Result}/{part}.pgn", "games.pgn"],
        &["games", "-q", "-u=Event", "-o", "out/once.pgn", "--duplicates", "out/others.pgn", "games.pgn"],
    ];
    for arguments in runs {
        fs::create_dir(desk.path("out")).unwrap();
        let begun = Instant::now();
        desk.run(arguments).is("", "", 0);
        let takes = begun.elapsed();
        let (new, hidden) = below(&desk.path("out"));
        assert!(new.len() > 1 && hidden == 0, "{arguments:?}");
        let old: BTreeMap<PathBuf, Vec<u8>> = new.keys().map(|path| (path.clone(), b"old".to_vec())).collect();
        let (mut is_caught, mut were_mixed) = (0, 0);
        let tries = if sweeps() { 48 } else { 16 };
        for nth in 0..tries {
            old.iter().for_each(|(path, text)| fs::write(path, text).unwrap());
            let mut child = desk.command(arguments).spawn().unwrap();
            if nth % 2 == 0 {
                std::thread::sleep(takes * nth / tries);
            } else {
                // As soon as files begin to get their names, or a little later.
                let first = old.keys().nth(old.len() * nth as usize / tries as usize / 2).unwrap();
                while fs::metadata(first).unwrap().len() == 3 && child.try_wait().unwrap().is_none() {}
            }
            child.kill().unwrap();
            let is_killed = !child.wait().unwrap().success();
            let (found, _) = below(&desk.path("out"));
            let is_mixed = found != old && found != new;
            were_mixed += usize::from(is_mixed);
            is_caught += usize::from(is_killed);
            // The next outputs in the folders. Each of them finishes the whole group.
            let folder = old.keys().nth(nth as usize % old.len()).unwrap().parent().unwrap();
            let next = || {
                desk.run(&["-o", folder.join("next.fen").to_str().unwrap(), "next.pgn"]).is("", "", 0);
                below(&desk.path("out")).0
            };
            let mut found = next();
            // Windows may end the locks of a killed process some time after the process (LockFileEx).
            let mut waits = if cfg!(windows) { 20 } else { 0 };
            while is_mixed && found != new && waits > 0 {
                std::thread::sleep(Duration::from_millis(100));
                found = next();
                waits -= 1;
            }
            let expected = if is_mixed || found == new { &new } else { &old };
            assert!(found == *expected, "{arguments:?}: {nth}: {is_mixed}");
            for folder in old.keys().map(|path| path.parent().unwrap()).collect::<BTreeSet<&Path>>() {
                desk.run(&["-o", folder.join("next.fen").to_str().unwrap(), "next.pgn"]).is("", "", 0);
            }
            let (again, hidden) = below(&desk.path("out"));
            assert!(again == *expected && hidden == 0, "{arguments:?}: {hidden} temporary files are left");
        }
        assert!(is_caught > 0, "{arguments:?}");
        assert!(were_mixed > 0 || new.len() < 10, "no kill came between two names: {arguments:?}");
        fs::remove_dir_all(desk.path("out")).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn an_interruption_comes_before_all_outputs_or_after_them() {
    const GAMES: &[u8] = include_bytes!("../../fixtures/games/tournaments_2020.pgn");

    let desk = Desk::with(&[("games.pgn", GAMES)]);
    fs::create_dir(desk.path("out")).unwrap();
    let arguments = ["games", "-q", "--split", "1", "-o", "out/{part}.pgn", "games.pgn"];
    let begun = Instant::now();
    desk.run(&arguments).is("", "", 0);
    let takes = begun.elapsed();
    let (new, _) = below(&desk.path("out"));
    let old: BTreeMap<PathBuf, Vec<u8>> = new.keys().map(|path| (path.clone(), b"old".to_vec())).collect();
    for nth in 0..8 {
        old.iter().for_each(|(path, text)| fs::write(path, text).unwrap());
        let mut child = desk.command(&arguments).spawn().unwrap();
        if nth % 2 == 0 {
            std::thread::sleep(takes * nth / 8);
        } else {
            let first = old.keys().next().unwrap();
            while fs::metadata(first).unwrap().len() == 3 && child.try_wait().unwrap().is_none() {}
        }
        let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        let status = child.wait().unwrap();
        let (found, hidden) = below(&desk.path("out"));
        assert!(found == old || found == new, "{nth}: {sent:?} {status:?}");
        assert_eq!(hidden, 0, "{nth}");
    }
}

#[cfg(unix)]
#[test]
fn every_file_that_is_written_keeps_links_and_permissions() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let desk = desk();
    fs::create_dir(desk.path("real")).unwrap();
    for (name, arguments) in [
        ("a.fen", &["-o", "a.fen", "a.pgn"][..]),
        ("0.svg", &["-o", "{ply}.svg", "-p", "0", "a.pgn"]),
        ("1.pgn", &["games", "--split", "5", "-o", "{part}.pgn", "a.pgn"]),
        ("all.pgn", &["games", "-o", "all.pgn", "a.pgn"]),
        ("b.bin", &["book", "--min-games", "1", "-o", "b.bin", "a.idx"]),
        ("b.svg", &["board", "startpos", "-o", "b.svg"]),
    ] {
        symlink(desk.path("real").join(name), desk.path(name)).unwrap();
        for _ in 0..2 {
            // The link leads to no file, and then to a private one.
            let ran = desk.run(arguments);
            assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.stderr);
            assert!(desk.path(name).is_symlink(), "{arguments:?}");
            let real = desk.path("real").join(name);
            assert!(!fs::read(&real).unwrap().is_empty(), "{arguments:?}");
            fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
        }
        let mode = fs::metadata(desk.path(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{arguments:?}");
        assert_eq!(desk.run(arguments).code, Some(0));
        assert_eq!(fs::metadata(desk.path(name)).unwrap().permissions().mode() & 0o777, 0o600, "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_without_memory_ends_with_a_status_and_no_signal() {
    let desk = desk();
    // The program alone takes 41 MB, as it is built for tests.
    for limit in ["-v 60000", "-v 80000", "-v 100000", "-v 200000"] {
        let ran = desk.run_limited(limit, &["index", "-q", "-j4", "-o", "b.idx", "a.pgn"]);
        assert!(matches!(ran.code, Some(0 | 2)), "{limit}: {:?}: {}", ran.code, ran.stderr);
        assert!(ran.code == Some(0) || !ran.stderr.is_empty());
    }
}

#[cfg(unix)]
#[test]
fn pipes_in_a_folder_are_not_opened() {
    let desk = Desk::with(&[("b.pgn", b"1. e4 *")]);
    let made = std::process::Command::new("mkfifo").arg(desk.path("a.pgn")).status().unwrap();
    assert!(made.success());
    let ran = desk.run(&["-r", "."]);
    assert_eq!((ran.stdout.lines().count(), ran.code), (2, Some(2)));
    assert!(ran.stderr.starts_with("pgn2fen: ./a.pgn: is a pipe, a socket or a device"), "{}", ran.stderr);
}

#[cfg(unix)]
#[test]
fn a_link_to_a_missing_file_is_told() {
    let desk = Desk::with(&[]);
    std::os::unix::fs::symlink("nowhere.pgn", desk.path("a.pgn")).unwrap();
    desk.run(&["a.pgn"]).is("", "pgn2fen: a.pgn: is a symbolic link to nowhere.pgn, which does not exist\n", 2);
}
