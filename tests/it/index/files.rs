//! The files of an index: whatever they are called and wherever they are moved, no game is counted twice, and none is misread.

use std::fs;
use std::path::Path;

use pgn2fen::index::{FileState, Index, shown};

use crate::cli::{Desk, Ran, gzip};
use crate::index::build;

const A: &[u8] = b"1. e4 e5 2. Nf3 1-0\n1. e4 c5 0-1\n";
const B: &[u8] = b"1. e4 e6 1/2-1/2\n";

fn desk() -> Desk {
    Desk::with(&[("a.pgn", A), ("b.pgn", B)])
}

/// Runs the command in a folder of the desk.
fn run_in(desk: &Desk, folder: &str, arguments: &[&str]) -> Ran {
    Ran::from(desk.command(arguments).current_dir(desk.path(folder)).output().unwrap())
}

/// How many games of an index reached the position after 1. e4.
fn games(desk: &Desk, index: &str) -> u64 {
    let ran = desk.run(&["find", "-c", "--no-header", "-f", "csv", index, "e4"]);
    ran.stdout.split(',').nth(1).and_then(|games| games.parse().ok()).unwrap_or_else(|| panic!("{ran:?}"))
}

#[test]
fn a_copy_is_recognised_by_its_bytes_and_not_counted_twice() {
    let desk = desk();
    build(&desk, &["-o", "idx"], &["a.pgn".to_owned()]);
    fs::copy(desk.path("a.pgn"), desk.path("copy.pgn")).unwrap();
    let ran = desk.run(&["index", "--append", "-o", "idx", "copy.pgn", "b.pgn"]);
    ran.is("", "copy.pgn: is in the index already, as a.pgn\n", 0);
    assert_eq!(games(&desk, "idx"), 3);
    // Renamed.
    fs::rename(desk.path("b.pgn"), desk.path("c.pgn")).unwrap();
    let ran = desk.run(&["index", "--append", "-o", "idx", "c.pgn"]);
    assert_eq!(ran.code, Some(0));
    assert!(
        ran.stderr.starts_with("c.pgn: is in the index already, as b.pgn, which is not there any more")
            && ran.stderr.contains("--relocate idx c.pgn"),
        "{}",
        ran.stderr
    );
    assert_eq!(games(&desk, "idx"), 3);
}

#[test]
fn what_is_named_twice_in_one_build_is_counted_once() {
    let desk = desk();
    fs::copy(desk.path("a.pgn"), desk.path("copy.pgn")).unwrap();
    for empty in ["empty.pgn", "void.pgn"] {
        fs::write(desk.path(empty), b"").unwrap();
    }
    let ran =
        desk.run(&["index", "-o", "idx", "a.pgn", "b.pgn", "copy.pgn", "./a.pgn", "b.pgn", "empty.pgn", "void.pgn"]);
    let said = "copy.pgn: is the same as a.pgn, which is named before it\n\
        ./a.pgn: is the same as a.pgn, which is named before it\n\
        b.pgn: is named twice, and read once\n";
    ran.is("", said, 0);
    assert_eq!(games(&desk, "idx"), 3);
}

#[test]
fn files_that_differ_in_the_middle_are_two_files() {
    let game = b"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 1-0\n".as_slice();
    let mut text = game.repeat(5000);
    let desk = Desk::with(&[("a.pgn", &text)]);
    text[2500 * game.len() + 32] = b'c';
    fs::write(desk.path("b.pgn"), &text).unwrap();
    let ran = desk.run(&["index", "-q", "-o", "idx", "a.pgn", "b.pgn"]);
    assert_eq!((ran.stderr.as_str(), ran.code), ("", Some(1)), "4. Bc4 is no move there");
    assert_eq!(games(&desk, "idx"), 10_000);
    fs::remove_file(desk.path("a.pgn")).unwrap();
    build(&desk, &["-o", "one"], &["b.pgn".to_owned()]);
    fs::write(desk.path("a.pgn"), game.repeat(5000)).unwrap();
    build(&desk, &["--append", "-o", "one"], &["a.pgn".to_owned()]);
    assert_eq!(games(&desk, "one"), 10_000);
}

#[test]
fn an_index_that_is_moved_together_with_its_files_finds_them() {
    let desk = desk();
    fs::create_dir_all(desk.path("here/games")).unwrap();
    fs::rename(desk.path("a.pgn"), desk.path("here/games/a.pgn")).unwrap();
    fs::write(desk.path("here/games/b.pgn.gz"), gzip(B)).unwrap();
    let ran = run_in(&desk, "here", &["index", "-o", "games.idx", "games/a.pgn", "games/b.pgn.gz"]);
    ran.is("", "", 0);
    fs::create_dir(desk.path("deep")).unwrap();
    fs::rename(desk.path("here"), desk.path("deep/there")).unwrap();
    let text = [A, b"\n", B].concat();
    let text = str::from_utf8(&text).unwrap();
    for (folder, index) in
        [("deep/there", "games.idx"), ("deep", "there/games.idx"), ("deep/there/games", "../games.idx")]
    {
        let ran = run_in(&desk, folder, &["find", "-f", "pgn", index, "e4"]);
        assert_eq!((ran.stderr.as_str(), ran.code), ("", Some(0)));
        assert_eq!(ran.stdout.replace("\n\n", "\n"), text.replace("\n\n", "\n"));
    }
    let again = run_in(&desk, "deep/there", &["index", "--append", "-o", "games.idx", "games/a.pgn"]);
    again.is("", "games/a.pgn: is in the index already\n", 0);
    // What lies in the old place counts for more, if it is what it was.
    fs::create_dir_all(desk.path("here/games")).unwrap();
    fs::write(desk.path("here/games/a.pgn"), b"1. d4 d5 2. Nf3 1-0\n1. d4 c5 0-1\n").unwrap();
    let ran = run_in(&desk, "deep/there", &["find", "-f", "pgn", "-m1", "games.idx", "e4"]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("1. e4 e5 2. Nf3 1-0\n", Some(0)));
}

#[test]
fn a_hit_names_its_file_as_it_is_found_from_the_current_folder() {
    let desk = desk();
    fs::create_dir(desk.path("other")).unwrap();
    build(&desk, &["-o", "idx"], &["a.pgn".to_owned()]);
    let place = |folder: &str, index: &str| {
        let ran = run_in(&desk, folder, &["find", "--no-header", "-m1", index, "e4"]);
        ran.stdout.split('\t').next().unwrap().to_owned()
    };
    let absolute = format!("{}:1", desk.path("a.pgn").canonicalize().unwrap().display());
    assert_eq!(place("", "idx"), "a.pgn:1");
    assert_eq!(place("other", "../idx"), absolute);
    // There it is another file.
    fs::write(desk.path("other/a.pgn"), B).unwrap();
    assert_eq!(place("other", "../idx"), absolute);
    fs::remove_file(desk.path("a.pgn")).unwrap();
    assert_eq!(place("", "idx"), "a.pgn:1");
    assert_eq!(place("other", "../idx"), absolute);
}

#[test]
#[cfg(unix)]
fn names_that_are_not_utf_8_survive_in_the_index() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let desk = Desk::with(&[]);
    let names: [&Path; 3] = [b"caf\xe9.pgn".as_slice(), b"caf\xe8.pgn", b"\xff\xfe/\xe9\n.pgn"]
        .map(|name| Path::new(OsStr::from_bytes(name)));
    fs::create_dir(desk.path("").join(names[2]).parent().unwrap()).unwrap();
    for (name, text) in names.iter().zip([A, B, b"1. e4 d5 *\n"]) {
        fs::write(desk.path("").join(name), text).unwrap();
    }
    let index = |options: &[&str], files: &[&Path]| {
        let output = desk.command(&["index"]).args(options).args(files).output().unwrap();
        assert_eq!((output.stdout.as_slice(), output.status.code()), (&b""[..], Some(0)), "{output:?}");
        output.stderr
    };
    assert_eq!(index(&["-o", "idx"], &names[..2]), b"");
    assert_eq!(index(&["--append", "-o", "idx"], &names[2..]), b"");
    index(&["--compact", "-o", "idx"], &[]);
    let opened = Index::open(desk.path("idx")).unwrap();
    assert!(opened.files().map(|file| file.name()).eq(names));
    for (file, name) in opened.files().zip(names) {
        assert!(matches!(file.state(), FileState::Unchanged(place) if place.ends_with(name)), "{name:?}");
    }
    // Their games are found and printed.
    let hits = desk.run(&["find", "--no-header", "-f", "csv", "idx", "e4"]).stdout;
    assert!(hits.starts_with("caf\\xE9.pgn:1,1,") && hits.contains("\ncaf\\xE8.pgn:1,3,"), "{hits}");
    assert!(hits.contains(&shown(names[2])), "{hits}");
    let printed = desk.run(&["find", "-f", "pgn", "idx", "e4 d5"]);
    printed.is("1. e4 d5 *\n", "", 0);
    let printed = desk.run(&["find", "-f", "pgn", "idx", "e4"]);
    assert_eq!((printed.stdout.matches("1. e4").count(), printed.code), (4, Some(0)), "{printed:?}");
    // They are recognised, under their names and another.
    let said = String::from_utf8(index(&["--append", "-o", "idx"], &names)).unwrap();
    assert_eq!(said.matches("is in the index already\n").count(), 3, "{said}");
    fs::copy(desk.path("").join(names[0]), desk.path("copy.pgn")).unwrap();
    let said = String::from_utf8(index(&["--append", "-o", "idx"], &[Path::new("copy.pgn")])).unwrap();
    assert!(said.starts_with("copy.pgn: is in the index already, as caf"), "{said}");
    assert_eq!(games(&desk, "idx"), 4);
}
