//! The files of an index: whatever they are called and wherever they are moved, no game is counted twice, and none is
//! misread.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use pgn2fen_games::database::Database;
use pgn2fen_index::{Index, LEAST_MEMORY, Upkeep, shown};
use proptest::prelude::any;
use proptest::test_runner::{Config, TestRunner};

use crate::cli::{Desk, Ran, gzip};
use crate::index::{build, tables};
use crate::laws::{sweeps, workers};

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
    ran.is("", "copy.pgn: is already in the index as a.pgn\n", 0);
    assert_eq!(games(&desk, "idx"), 3);
    // Renamed.
    fs::rename(desk.path("b.pgn"), desk.path("c.pgn")).unwrap();
    let ran = desk.run(&["index", "--append", "-o", "idx", "c.pgn"]);
    assert_eq!(ran.code, Some(0));
    assert!(
        ran.stderr.starts_with("c.pgn: is already in the index as b.pgn, which no longer exists")
            && ran.stderr.contains("--relocate idx c.pgn"),
        "{}",
        ran.stderr
    );
    assert_eq!(games(&desk, "idx"), 3);
}

/// Checks that an index knows a database by all of its files, the first of which is given to it.
#[track_caller]
fn check_database(fixtures: &str, endings: &[&str]) {
    let desk = Desk::with(&[]);
    for (name, ending) in ["a", "b"].iter().flat_map(|name| endings.iter().map(move |ending| (name, ending))) {
        let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(fixtures).with_extension(ending);
        fs::copy(fixture, desk.path(&format!("{name}.{ending}"))).unwrap();
    }
    let [index, copy] = ["a", "b"].map(|name| format!("{name}.{}", endings[0]));
    desk.run(&["index", "-q", "-o", "idx", &index]);
    let state = || {
        let table = desk.run(&["index", "--info", "idx", "-f", "csv"]).stdout;
        table.lines().nth(1).and_then(|row| row.split(',').nth(4)).map(str::to_owned).unwrap_or(table)
    };
    let append = |name: &str| desk.run(&["index", "--append", "-o", "idx", name]).stderr;
    let is_known = format!("{copy}: is already in the index as {index}\n");
    for ending in endings {
        assert_eq!((state(), append(&copy)), ("unchanged".to_owned(), is_known.clone()), "{ending}");
        let path = desk.path(&format!("a.{ending}"));
        let bytes = fs::read(&path).unwrap();
        let mut changed = bytes.clone();
        changed[bytes.len() - 1] ^= 1;
        for changed in [Some(changed), Some([&bytes[..], b"1"].concat()), None] {
            changed.map_or_else(|| fs::remove_file(&path), |changed| fs::write(&path, changed)).unwrap();
            let expected = if path.exists() || *ending != endings[0] { "changed" } else { "missing" };
            assert_eq!(state(), expected, "{ending}");
            if path.exists() {
                assert!(append(&index).contains("has changed since it was indexed"), "{ending}");
            }
        }
        fs::write(&path, bytes).unwrap();
    }
}

#[test]
fn a_database_is_known_by_all_of_its_files() {
    check_database("scid/games", &["si4", "sn4", "sg4"]);
    check_database("scid/five", &["si5", "sn5", "sg5"]);
    check_database("chessbase/games", &["cbh", "cbg", "cba", "cbp", "cbt", "cbc", "cbs", "cbe", "cbj"]);
}

#[test]
fn databases_with_one_index_and_other_games_are_two_files() {
    let desk = Desk::with(&[]);
    for (name, ending) in ["a", "b"].iter().flat_map(|name| ["si4", "sn4", "sg4"].map(|ending| (name, ending))) {
        fs::write(desk.path(&format!("{name}.{ending}")), crate::scid::fixture(&format!("games.{ending}"))).unwrap();
    }
    let games = desk.path("b.sg4");
    let mut bytes = fs::read(&games).unwrap();
    bytes[36] = 193;
    fs::write(games, bytes).unwrap();
    desk.run(&["index", "-q", "-o", "idx", "a.si4", "b.si4"]).is("", "", 0);
    let info = desk.run(&["index", "--info", "idx", "-f", "csv"]).stdout;
    assert_eq!(info.lines().skip(1).map(|row| row.split(',').nth(1)).collect::<Vec<_>>(), [Some("6"); 2]);
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
    let said = "copy.pgn: is the same file as a.pgn, which is given before it\n\
        ./a.pgn: is the same file as a.pgn, which is given before it\n\
        b.pgn: is given twice and read once\n";
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
    again.is("", "games/a.pgn: is already in the index\n", 0);
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
        ran.stdout.split('\t').next().unwrap().replace(r"\\", r"\")
    };
    let absolute = format!("{}:1", shown(&desk.path("a.pgn").canonicalize().unwrap()));
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

    use pgn2fen_index::FileState;

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
    assert_eq!(said.matches("is already in the index\n").count(), 3, "{said}");
    fs::copy(desk.path("").join(names[0]), desk.path("copy.pgn")).unwrap();
    let said = String::from_utf8(index(&["--append", "-o", "idx"], &[Path::new("copy.pgn")])).unwrap();
    assert!(said.starts_with("copy.pgn: is already in the index as caf"), "{said}");
    assert_eq!(games(&desk, "idx"), 4);
    // They are found when they are moved, and removed.
    let moved = Path::new(OsStr::from_bytes(b"\xf0.pgn"));
    fs::rename(desk.path("").join(names[1]), desk.path("").join(moved)).unwrap();
    let said = index(&["--relocate", "idx", "."], &[]);
    assert!(String::from_utf8(said).unwrap().starts_with("caf"));
    let opened = Index::open(desk.path("idx")).unwrap();
    assert_eq!(opened.files().nth(1).map(|file| file.name()), Some(&*Path::new(".").join(moved)));
    index(&["--remove", "idx"], &[names[0], moved]);
    assert_eq!(games(&desk, "idx"), 1);
    let info = desk.run(&["index", "--info", "-f", "csv", "idx"]).stdout;
    assert!(info.contains(&shown(names[2])) && info.contains(",unchanged,"), "{info}");
}

#[test]
fn what_is_left_after_a_removal_is_what_is_built_of_the_rest() {
    let (desk, names) = super::desk();
    let few: Vec<String> = names.iter().step_by(9).cloned().collect();
    // Of each file whether another run begins behind it, and whether it is removed.
    let choices = proptest::collection::vec(any::<(bool, bool)>(), few.len());
    let mut runner =
        TestRunner::new(Config { cases: if sweeps() { 6 } else { 2 }, failure_persistence: None, ..Config::default() });
    let law = |choices: Vec<(bool, bool)>| {
        for index in ["idx", "rest"] {
            let _ = fs::remove_dir_all(desk.path(index));
        }
        let mut ends: Vec<usize> = (1..few.len()).filter(|end| choices[end - 1].0).collect();
        ends.push(few.len());
        let mut start = 0;
        for end in ends {
            build(&desk, &["--append", "-o", "idx"], &few[start..end]);
            start = end;
        }
        let chosen = |is_gone: bool| few.iter().zip(&choices).filter(move |(_, choice)| choice.1 == is_gone);
        let [gone, mut rest] =
            [true, false].map(|is_gone| chosen(is_gone).map(|(name, _)| name.clone()).collect::<Vec<_>>());
        if gone.is_empty() {
            return Ok(());
        }
        build(&desk, &["--remove", "-o", "idx"], &gone);
        let index = Index::open(desk.path("idx")).unwrap();
        assert!(index.files().map(|file| file.name().to_owned()).eq(rest.iter().map(PathBuf::from)), "{choices:?}");
        if rest.is_empty() {
            fs::write(desk.path("empty.pgn"), b"").unwrap();
            rest.push("empty.pgn".to_owned());
        }
        build(&desk, &["-o", "rest"], &rest);
        assert!(tables(&desk.path("idx")) == tables(&desk.path("rest")), "{choices:?}");
        let built = Index::open(desk.path("rest")).unwrap();
        assert!(
            rest == ["empty.pgn"] || index.files().map(|file| file.games()).eq(built.files().map(|file| file.games()))
        );
        Ok(())
    };
    runner.run(&choices, law).unwrap();
    law(vec![(true, true); few.len()]).unwrap();
}

#[test]
fn removed_games_are_gone_and_the_others_are_found_where_they_are() {
    let desk = desk();
    fs::write(desk.path("c.pgn"), b"1. d4 e6 2. e4 *\n").unwrap();
    build(&desk, &["-o", "idx"], &["a.pgn", "b.pgn"].map(str::to_owned));
    build(&desk, &["--append", "-o", "idx"], &["c.pgn".to_owned()]);
    let ran = desk.run(&["index", "-v", "--remove", "idx", "a.pgn"]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(0)));
    assert!(
        ran.stderr.starts_with("index: 2 games, 7 positions removed; in all 2 games, 7 positions; "),
        "{}",
        ran.stderr
    );
    desk.run(&["find", "-f", "pgn", "idx", "e4 e6 d4", "e4 e6"]).is("1. e4 e6 1/2-1/2\n\n1. d4 e6 2. e4 *\n", "", 0);
    desk.run(&["find", "idx", "e4 e5"]).is("", "", 1);
    // It can be appended again, and what is not there by the name that it had.
    build(&desk, &["--append", "-o", "idx"], &["a.pgn".to_owned()]);
    assert_eq!(games(&desk, "idx"), 3);
    fs::remove_file(desk.path("a.pgn")).unwrap();
    desk.run(&["index", "--remove", "a.pgn", "-o", "idx"]).is("", "", 0);
    assert_eq!(games(&desk, "idx"), 1);
}

#[test]
fn games_of_pipes_and_of_whole_folders_are_removed() {
    let desk = desk();
    fs::create_dir(desk.path("more")).unwrap();
    fs::write(desk.path("more/c.pgn"), b"1. e4 d5 *\n").unwrap();
    build(&desk, &["-r", "-o", "idx"], &["a.pgn", "more"].map(str::to_owned));
    desk.pipe(&["index", "-q", "--append", "-o", "idx", "-"], B).is("", "", 0);
    assert_eq!(games(&desk, "idx"), 4);
    desk.run(&["index", "--remove", "idx", "-"]).is("", "", 0);
    assert_eq!(games(&desk, "idx"), 3);
    let ran = desk.run(&["index", "--remove", "idx", "more"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("idx is unchanged: more: is not in the index"), "{}", ran.stderr);
    desk.run(&["index", "--remove", "-r", "idx", "more"]).is("", "", 0);
    assert_eq!(games(&desk, "idx"), 2);
}

#[test]
fn a_file_that_was_moved_is_found_by_its_bytes() {
    let desk = desk();
    build(&desk, &["-o", "idx"], &["a.pgn", "b.pgn"].map(str::to_owned));
    fs::create_dir_all(desk.path("x/y")).unwrap();
    fs::rename(desk.path("a.pgn"), desk.path("x/y/renamed.pgn")).unwrap();
    // As long, and another file.
    fs::write(desk.path("x/a.pgn"), b"1. e4 e5 2. Nf3 0-1\n1. e4 c5 1-0\n").unwrap();
    let missing = desk.run(&["find", "-f", "pgn", "idx", "e4 c5"]);
    assert_eq!((missing.stdout.as_str(), missing.code), ("", Some(2)));
    assert!(missing.stderr.contains("a.pgn: the file is missing"), "{}", missing.stderr);

    let ran = desk.run(&["index", "-v", "--relocate", "idx", "x/a.pgn"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.starts_with("a.pgn: still missing; it was at "), "{}", ran.stderr);
    assert!(ran.stderr.ends_with("index: 2 files: 1 in place, 0 found, 1 missing\n"), "{}", ran.stderr);
    let before = fs::read(desk.path("idx/run-000001/games.parquet")).unwrap();
    let ran = desk.run(&["index", "-v", "--relocate", "-o", "idx", "x"]);
    ran.is("", "a.pgn: is now x/y/renamed.pgn\nindex: 2 files: 1 in place, 1 found, 0 missing\n", 0);
    assert!(fs::read(desk.path("idx/run-000001/games.parquet")).unwrap() == before, "no game is read");

    desk.run(&["find", "-f", "pgn", "idx", "e4 c5"]).is("1. e4 c5 0-1\n", "", 0);
    let hit = desk.run(&["find", "--no-header", "idx", "e4 c5"]).stdout.replace(r"\\", "/");
    assert!(hit.starts_with("x/y/renamed.pgn:2\t2\t2\t"), "{hit}");
    desk.run(&["index", "--append", "-o", "idx", "x/y/renamed.pgn"]).is(
        "",
        "x/y/renamed.pgn: is already in the index\n",
        0,
    );
    // Merged, the index is that of the file with its new name.
    build(&desk, &["--append", "-o", "idx"], &["x/a.pgn".to_owned()]);
    build(&desk, &["--compact", "-o", "idx"], &[]);
    let renamed = Path::new("x").join("y").join("renamed.pgn");
    build(&desk, &["-o", "new"], &[renamed.to_str().unwrap(), "b.pgn", "x/a.pgn"].map(str::to_owned));
    assert!(tables(&desk.path("idx")) == tables(&desk.path("new")));
}

#[test]
fn a_file_whose_place_another_took_is_found_too() {
    let desk = desk();
    build(&desk, &["-o", "idx"], &["a.pgn".to_owned()]);
    fs::rename(desk.path("a.pgn"), desk.path("old.pgn")).unwrap();
    fs::write(desk.path("a.pgn"), [A, B].concat()).unwrap();
    let ran = desk.run(&["index", "--relocate", "idx", "a.pgn"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("is a different file now"), "{}", ran.stderr);
    desk.run(&["index", "--relocate", "idx", "."]).is("", "a.pgn: is now ./old.pgn\n", 0);
    desk.run(&["find", "-f", "pgn", "idx", "e4 c5"]).is("1. e4 c5 0-1\n", "", 0);
    // Where nothing is missing, nothing is changed but what is known of times.
    let manifest = fs::read(desk.path("idx/manifest.json")).unwrap();
    desk.run(&["index", "--relocate", "idx", "."]).is("", "", 0);
    assert!(fs::read(desk.path("idx/manifest.json")).unwrap() == manifest);
}

#[test]
fn what_cannot_be_looked_for_is_told() {
    let desk = desk();
    build(&desk, &["-o", "idx"], &["a.pgn".to_owned()]);
    fs::create_dir(desk.path("no games")).unwrap();
    fs::create_dir(desk.path("empty")).unwrap();
    for (arguments, reason) in [
        (&["index", "--relocate", "idx"][..], "give the files and folders"),
        (&["index", "--relocate", "none", "a.pgn"], "no such folder"),
        (&["index", "--relocate", "empty", "a.pgn"], "no index in this folder"),
        (&["index", "--relocate", "idx", "none.pgn"], "none.pgn: "),
        (&["index", "--relocate", "idx", "no games"], "no PGN files"),
        (&["index", "--remove", "idx"], "give the files"),
        (&["index", "--remove", "idx", "b.pgn"], "idx is unchanged: b.pgn: is not in the index"),
        (&["index", "--remove", "idx", "a.pgn", "none.pgn"], "idx is unchanged: none.pgn: is not in the index"),
        (&["index", "--remove", "none", "a.pgn"], "no such folder"),
        (&["index", "--info", "none"], "no such folder"),
        (&["index", "--info", "idx", "a.pgn"], "takes one index and no files"),
        (&["index", "--info"], "give the folder"),
        (&["index", "--info", "--remove", "idx"], "cannot be used with"),
        (&["index", "--append", "--remove", "-o", "idx", "a.pgn"], "cannot be used with"),
        (&["index", "-f", "csv", "-o", "idx", "a.pgn"], "--info"),
        (&["index", "--compact", "-o", "idx", "b.pgn"], "--compact takes one index and no files"),
        (&["index", "--compact", "idx", "b.pgn"], "--compact takes one index and no files"),
        (&["index", "--remove", "-t", "White=A", "idx", "a.pgn"], "--tag has no effect with --remove, which removes"),
        (&["index", "--remove", "-n", "1", "idx", "a.pgn"], "--max-games has no effect with --remove"),
        (&["index", "--check", "-p", "..4", "idx"], "--ply has no effect with --check"),
        (&["index", "--check", "-f", "csv", "idx"], "--format has no effect with --check"),
        (&["index", "--info", "--lang", "de", "idx"], "--lang has no effect with --info"),
        (&["index", "--info", "--memory", "64M", "idx"], "--memory has no effect with --info"),
        (&["index", "--relocate", "--setup", "strict", "idx", "a.pgn"], "--setup has no effect with --relocate"),
        (&["index", "--compact", "--opening", "B90", "idx"], "--opening has no effect with --compact"),
        (&["index", "-o", "a.pgn", "b.pgn"], "a.pgn: this is a file, and an index is a folder"),
        (&["index", "-o", "-", "b.pgn"], "an index is a folder, which standard output cannot be"),
        #[cfg(unix)]
        (&["index", "-o", "/dev/null", "b.pgn"], "/dev/null: this is a file, and an index is a folder"),
        (&["index", "a.pgn"], "--output"),
    ] {
        let ran = desk.run(arguments);
        assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(2)), "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(reason), "{arguments:?}: {}", ran.stderr);
    }
    assert_eq!(games(&desk, "idx"), 2);
    assert!(!desk.path("none").exists() && fs::read_dir(desk.path("empty")).unwrap().next().is_none());
    // Of two files with one name it must be said which.
    fs::create_dir(desk.path("x")).unwrap();
    fs::write(desk.path("x/a.pgn"), B).unwrap();
    run_in(&desk, "x", &["index", "--append", "-q", "-o", "../idx", "a.pgn"]).is("", "", 0);
    fs::remove_file(desk.path("a.pgn")).unwrap();
    fs::remove_file(desk.path("x/a.pgn")).unwrap();
    let ran = run_in(&desk, "empty", &["index", "--remove", "../idx", "a.pgn"]);
    assert!(ran.stderr.contains("a.pgn is the name of several files: ") && ran.code == Some(2), "{}", ran.stderr);
    run_in(&desk, "", &["index", "--remove", "idx", "a.pgn"]).is("", "", 0);
    assert_eq!(games(&desk, "idx"), 1);
}

#[test]
fn nobody_looks_after_an_index_that_another_writes() {
    let desk = desk();
    build(&desk, &["-o", "idx"], &["a.pgn".to_owned()]);
    let upkeep = Upkeep::begin(&desk.path("idx")).unwrap();
    for arguments in [
        &["index", "--relocate", "idx", "a.pgn"][..],
        &["index", "--remove", "idx", "a.pgn"],
        &["index", "--append", "-o", "idx", "b.pgn"],
    ] {
        let ran = desk.run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}");
        assert!(ran.stderr.contains("another pgn2fen is writing"), "{}", ran.stderr);
    }
    assert_eq!(desk.run(&["index", "--info", "idx"]).code, Some(0));
    // A removal that is broken off changes nothing.
    let workers = workers(2);
    let broken_off = upkeep.remove(&[0], LEAST_MEMORY, &workers, &|_, _| ControlFlow::Break(()));
    assert!(broken_off.unwrap_err().to_string().contains("broken off"));
    assert_eq!(games(&desk, "idx"), 2);
    let names = fs::read_dir(desk.path("idx")).unwrap().filter(|entry| entry.as_ref().unwrap().path().is_dir()).count();
    assert_eq!(names, 1, "one run, and nothing of another");
}

#[test]
fn a_file_of_which_other_games_were_chosen_is_told() {
    let desk = desk();
    build(&desk, &["-n", "1", "-o", "idx"], &["a.pgn".to_owned()]);
    desk.run(&["index", "--append", "-n", "1", "-o", "idx", "a.pgn"]).is(
        "",
        "a.pgn: is already in the index (only -n 1)\n",
        0,
    );
    let warning = "warning: a.pgn: is already in the index (only -n 1); for other games, remove it with --remove, then \
                   append it\n";
    desk.run(&["index", "--append", "-o", "idx", "a.pgn"]).is("", warning, 0);
    // All games of a file include those of any choice.
    build(&desk, &["-o", "all"], &["a.pgn".to_owned()]);
    desk.run(&["index", "--append", "-n", "1", "-o", "all", "a.pgn"]).is("", "a.pgn: is already in the index\n", 0);
}

#[test]
fn info_tells_what_a_scan_counts() {
    let (desk, names) = super::desk();
    let few: Vec<String> = names.iter().step_by(5).cloned().collect();
    let half = few.len() / 2;
    build(&desk, &["-o", "idx"], &few[..half]);
    build(&desk, &["--append", "-o", "idx"], &few[half..]);
    let counts: Vec<(usize, u64)> = few
        .iter()
        .map(|name| {
            (Database::open(desk.path(name)).unwrap().games().count(), fs::metadata(desk.path(name)).unwrap().len())
        })
        .collect();
    let all: usize = counts.iter().map(|(games, _)| games).sum();
    let positions =
        desk.run(&[&["-q"], &few.iter().map(String::as_str).collect::<Vec<_>>()[..]].concat()).stdout.lines().count();
    let tables = tables(&desk.path("idx")).into_iter().filter(|(name, _)| name.ends_with(".parquet"));
    let bytes: usize = tables.flat_map(|(_, tables)| tables).map(|table| table.len()).sum();

    let text = desk.run(&["index", "--info", "idx"]).stdout;
    let line = |what: &str| {
        let line = text.lines().find(|line| line.split_whitespace().next() == Some(what));
        line.unwrap_or_else(|| panic!("{what}: {text}"))[what.len()..].trim().replace(',', "")
    };
    let numbers = ["files", "games", "positions", "plies", "runs", "bytes"].map(line);
    let expected = [
        few.len().to_string(),
        all.to_string(),
        positions.to_string(),
        "all".to_owned(),
        "2 (--compact makes one)".to_owned(),
        format!("{bytes} ({:.1} a position)", bytes as f64 / positions as f64),
    ];
    assert_eq!(numbers, expected);

    let table = desk.run(&["index", "--info", "idx", "-f", "csv"]).stdout;
    let mut first = 1;
    for ((name, (games, bytes)), row) in few.iter().zip(&counts).zip(table.lines().skip(1)) {
        let first_game = if *games > 0 { first.to_string() } else { String::new() };
        assert!(row.starts_with(&format!("{name},{games},{first_game},{bytes},unchanged,en,auto,auto,,")), "{row}");
        first += games;
    }
    assert_eq!(table.lines().count(), few.len() + 1);
}

#[test]
fn info_tells_what_became_of_the_files_and_how_they_were_read() {
    let desk = Desk::with(&[("a.pgn", A), ("b.pgn", B), ("c.pgn", b"1. c4 *\n"), ("d.pgn", b"1. d4 *\n")]);
    let options = ["-p", "..2", "--lang", "de", "--setup", "strict", "--encoding", "latin1", "-o", "idx"];
    build(&desk, &options, &["a.pgn", "b.pgn", "c.pgn", "d.pgn"].map(str::to_owned));
    let append = ["index", "-q", "--append", "-p", "..2", "-t", "White!=\"A B\"", "-n9", "-o", "idx", "-"];
    desk.pipe(&append, b"1. h4 *\n").is("", "", 0);
    fs::write(desk.path("b.pgn"), [B, A].concat()).unwrap();
    fs::write(desk.path("c.pgn"), b"1. c3 *\n").unwrap();
    fs::remove_file(desk.path("d.pgn")).unwrap();
    let table = desk.run(&["index", "--info", "-o", "idx", "-f", "tsv"]).stdout;
    let rows: Vec<Vec<&str>> = table.lines().map(|row| row.split('\t').collect()).collect();
    assert_eq!(rows[0].join(" "), "file games first_game bytes state lang setup encoding choice path");
    let states: Vec<(&str, &str)> = rows[1..].iter().map(|row| (row[0], row[4])).collect();
    let expected =
        [("a.pgn", "unchanged"), ("b.pgn", "grown"), ("c.pgn", "changed"), ("d.pgn", "missing"), ("-", "piped")];
    assert_eq!(states, expected);
    assert_eq!(rows[1][5..8], ["de", "strict", "windows-1252"]);
    assert_eq!(rows[1][8], "");
    assert_eq!(rows[5][1..9], ["1", "6", "", "piped", "en", "auto", "auto", "-t 'White!=\"A B\"' -n 9"]);
    assert!(Path::new(rows[4][9]).is_absolute() && rows[4][9].ends_with("d.pgn"), "{table}");
    assert!(desk.run(&["index", "--info", "idx"]).stdout.contains("\nplies      ..2\n"));
    let lines = desk.run(&["index", "--info", "idx", "-f", "jsonl"]).stdout;
    assert!(lines.starts_with("{\"file\":\"a.pgn\",\"games\":2,\"first_game\":1,") && lines.lines().count() == 5);
}
