//! Whatever happens, an index is what it was, or the whole new one, or says what is wrong.

use std::fs;
use std::fs::File;
use std::ops::ControlFlow;

use pgn2fen_chess::Position;
use pgn2fen_index::Index;
use pgn2fen_index::{BuildOptions, Builder, GameColumn, IndexError, TableAccess, key};

use crate::cli::Desk;
use crate::index::build;
use crate::laws::workers;

const GAMES: &[u8] = b"1. e4 e5 2. Nf3 1-0\n1. e4 c5 0-1\n";

/// A desk with an index of two games.
fn desk() -> Desk {
    let desk = Desk::with(&[("a.pgn", GAMES), ("b.pgn", b"1. d4 *\n")]);
    build(&desk, &["-o", "idx"], &["a.pgn".to_owned()]);
    desk
}

/// What it says of the position after 1. e4.
fn answer(desk: &Desk) -> String {
    let ran = desk.run(&["find", "-c", "--no-header", "idx", "e4"]);
    format!("{}{}", ran.stdout, ran.stderr)
}

const E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\t2\t1\t0\t1\t0\n";

#[track_caller]
fn check_refused(desk: &Desk, arguments: &[&str], reason: &str) {
    let ran = desk.run(arguments);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{arguments:?}: {}", ran.stderr);
    assert!(ran.stderr.contains(reason), "{arguments:?}: {}", ran.stderr);
}

#[test]
fn two_do_not_write_at_once() {
    let desk = desk();
    let builder =
        Builder::new(&desk.path("idx"), BuildOptions { append: true, ..BuildOptions::default() }, &workers(1)).unwrap();
    check_refused(&desk, &["index", "-o", "idx", "a.pgn"], "another pgn2fen is writing");
    check_refused(&desk, &["index", "--compact", "-o", "idx"], "another pgn2fen is writing");
    assert_eq!(answer(&desk), E4, "who reads is not kept from it");
    drop(builder);
    build(&desk, &["--append", "-o", "idx"], &["b.pgn".to_owned()]);
}

#[test]
fn a_build_that_is_dropped_leaves_nothing_behind() {
    let desk = desk();
    drop(Builder::new(&desk.path("idx"), BuildOptions::default(), &workers(1)).unwrap());
    assert_eq!(answer(&desk), E4);
    let names = fs::read_dir(desk.path("idx")).unwrap().count();
    assert_eq!(names, 3, "the lock, the manifest, and one run");
    drop(Builder::new(&desk.path("new"), BuildOptions::default(), &workers(1)).unwrap());
    // Elsewhere the lock stays.
    assert!(cfg!(not(unix)) || !desk.path("new").exists());
}

#[test]
fn a_build_that_is_broken_off_while_it_writes_leaves_the_old_index() {
    let desk = desk();
    let builder = Builder::new(&desk.path("idx"), BuildOptions::default(), &workers(1)).unwrap();
    let workers = workers(1);
    let error = builder.finish(&workers, &|_, _| ControlFlow::Break(())).unwrap_err();
    assert!(error.to_string().contains("broken off"), "{error}");
    assert_eq!(answer(&desk), E4);
}

#[test]
fn a_merge_that_is_broken_off_leaves_the_runs() {
    let desk = desk();
    build(&desk, &["--append", "-o", "idx"], &["b.pgn".to_owned()]);
    let builder =
        Builder::new(&desk.path("idx"), BuildOptions { append: true, ..BuildOptions::default() }, &workers(1)).unwrap();
    let workers = workers(1);
    let finished = builder.finish(&workers, &|_, _| ControlFlow::Continue(())).unwrap();
    assert!(finished.merge(true, &workers, &|_, _| ControlFlow::Break(())).is_err());
    assert_eq!(answer(&desk), E4);
    assert_eq!(desk.run(&["find", "-c", "idx", "d4"]).code, Some(0));
    check_refused(&desk, &["index", "--compact", "-o", "none"], "no such folder");
}

#[test]
fn what_a_killed_build_left_behind_is_removed_by_the_next() {
    let desk = desk();
    // As it looks when nobody had the time to clean up.
    for run in ["idx/.run-000077", "idx/run-000078"] {
        fs::create_dir(desk.path(run)).unwrap();
        fs::write(desk.path(run).join("games.parquet"), b"PAR1").unwrap();
    }
    fs::write(desk.path("idx/.manifest-abc"), b"{").unwrap();
    // The folder of a build, which is empty when its only run has been moved out, and the run. The system lists them in
    // any order.
    for number in 101..140 {
        fs::create_dir(desk.path(&format!("idx/.run-000{number}"))).unwrap();
        fs::create_dir(desk.path(&format!("idx/run-000{number}"))).unwrap();
        fs::write(desk.path(&format!("idx/run-000{number}/games.parquet")), b"PAR1").unwrap();
    }
    assert_eq!(answer(&desk), E4);
    build(&desk, &["--append", "-o", "idx"], &["b.pgn".to_owned()]);
    assert_eq!(answer(&desk), E4);
    let names = fs::read_dir(desk.path("idx")).unwrap().count();
    assert_eq!(names, 4, "the lock, the manifest, and two runs");

    // A first build that was killed.
    fs::create_dir_all(desk.path("first/.run-000001")).unwrap();
    fs::write(desk.path("first/lock"), b"").unwrap();
    build(&desk, &["-o", "first"], &["b.pgn".to_owned()]);
}

#[test]
fn a_build_that_cannot_read_everything_changes_nothing() {
    let desk = desk();
    fs::write(desk.path("bad.pgn.gz"), b"\x1f\x8b\x08").unwrap();
    for file in ["none.pgn", "bad.pgn.gz"] {
        check_refused(&desk, &["index", "-o", "idx", "b.pgn", file], "idx is unchanged");
        assert_eq!(answer(&desk), E4);
        check_refused(&desk, &["index", "-o", "new", "b.pgn", file], "new is unchanged");
        // Elsewhere the lock stays.
        assert!(cfg!(not(unix)) || !desk.path("new").exists());
    }
}

#[test]
fn another_folder_is_not_written_to() {
    let desk = desk();
    fs::create_dir(desk.path("mine")).unwrap();
    fs::write(desk.path("mine/manifest.json"), b"{}").unwrap();
    check_refused(&desk, &["index", "-o", "mine", "b.pgn"], "not the manifest of an index");
    fs::remove_file(desk.path("mine/manifest.json")).unwrap();
    fs::write(desk.path("mine/letter.txt"), b"dear").unwrap();
    check_refused(&desk, &["index", "-o", "mine", "b.pgn"], "not empty and is not an index");
    assert_eq!(fs::read(desk.path("mine/letter.txt")).unwrap(), b"dear");
    check_refused(&desk, &["index", "-o", "a.pgn", "b.pgn"], "a.pgn");
    check_refused(&desk, &["index", "-o", "a.pgn/idx", "b.pgn"], "a.pgn");
}

#[test]
fn a_damaged_index_is_told_and_never_answers_wrongly() {
    let desk = desk();
    for (table, question) in [("postings-00.parquet", "find"), ("moves-00.parquet", "find -M")] {
        let question: Vec<&str> = question.split(' ').chain(["idx", "e4"]).collect();
        let path = desk.path("idx/run-000001").join(table);
        let whole = fs::read(&path).unwrap();
        for length in [0, 1, whole.len() / 2, whole.len() - 1] {
            fs::write(&path, &whole[..length]).unwrap();
            check_refused(&desk, &question, "damaged");
            check_refused(&desk, &["index", "--check", "idx"], "damaged");
        }
        fs::remove_file(&path).unwrap();
        check_refused(&desk, &question, "the file is gone");
        check_refused(&desk, &["index", "--check", "idx"], "the file is gone");
        fs::write(&path, &whole).unwrap();
    }
    let manifest = fs::read_to_string(desk.path("idx/manifest.json")).unwrap();
    let rewrite = |text: &str| fs::write(desk.path("idx/manifest.json"), text).unwrap();
    rewrite(&manifest.replace("\"version\": 4", "\"version\": 999"));
    for arguments in [&["find", "idx", "e4"][..], &["index", "--append", "-o", "idx", "b.pgn"]] {
        check_refused(&desk, arguments, "version 999");
    }
    rewrite(&manifest.replace("\"version\": 4", "\"version\": 2"));
    check_refused(&desk, &["find", "idx", "e4"], "format version 2 instead of 4); build the index again");
    rewrite(&manifest[..manifest.len() / 2]);
    check_refused(&desk, &["find", "idx", "e4"], "not the manifest");
    rewrite(&manifest);
    assert_eq!(answer(&desk), E4);
    check_refused(&desk, &["find", "none", "e4"], "no such folder");
    check_refused(&desk, &["find", "b.pgn", "e4"], "this is a file, and an index is a folder");
    fs::create_dir(desk.path("empty")).unwrap();
    check_refused(&desk, &["find", "empty", "e4"], "no index in this folder");
}

/// Answers from all tables of an open index: results, moves, and a game of each hit. None if a table cannot be read.
fn library_answer(index: &Index) -> Result<String, IndexError> {
    let position = Position::initial();
    let mut answer = format!("{:?} {:?}", index.explore(&position)?, index.results(key(&position))?);
    let mut games = index.games();
    for hit in index.hits(&position)? {
        let hit = hit?;
        answer += &format!("{hit:?} {:?}", games.text(hit.game, GameColumn::White)?);
    }
    Ok(answer)
}

#[test]
fn tables_that_are_read_may_be_truncated_while_the_index_is_open() {
    let desk = desk();
    let expected = library_answer(&Index::open(desk.path("idx")).unwrap()).unwrap();
    for is_used_before in [true, false] {
        for name in ["postings-00.parquet", "moves-00.parquet", "games.parquet", "_postings-00.sums", "_games.sums"] {
            let path = desk.path("idx/run-000001").join(name);
            let whole = fs::read(&path).unwrap();
            let index = Index::open_with(desk.path("idx"), TableAccess::Read).unwrap();
            if is_used_before {
                assert_eq!(library_answer(&index).unwrap(), expected);
            }
            for length in [0, 1, whole.len() / 3, whole.len() - 1] {
                // In place, as `truncate` does it.
                let file = fs::File::options().write(true).open(&path).unwrap();
                file.set_len(length as u64).unwrap();
                match library_answer(&index) {
                    Ok(answer) => assert_eq!(answer, expected, "{name} {length}"),
                    Err(error) => assert!(error.to_string().contains("damaged"), "{name} {length}: {error}"),
                }
                fs::write(&path, &whole).unwrap();
                assert_eq!(library_answer(&index).unwrap(), expected, "{name} {length}");
            }
        }
    }
    for question in ["startpos", "e4", "-M e4", "-c e4", "-f pgn e4"] {
        let [mapped, read] = [&[][..], &["--no-mmap"]].map(|more| {
            let question = question.split(' ').collect::<Vec<_>>();
            desk.run(&[&["find", "idx"], more, &question].concat())
        });
        assert_eq!(
            (mapped.code, &mapped.stdout, &mapped.stderr),
            (read.code, &read.stdout, &read.stderr),
            "{question}"
        );
    }
}

#[test]
fn a_file_that_changed_is_named_and_never_misread() {
    let desk = desk();
    let printed = |desk: &Desk| desk.run(&["find", "-f", "pgn", "idx", "e4"]);
    assert_eq!(printed(&desk).stdout, "1. e4 e5 2. Nf3 1-0\n\n1. e4 c5 0-1\n");
    fs::write(desk.path("a.pgn"), [GAMES, b"1. c4 *\n"].concat()).unwrap();
    let ran = printed(&desk);
    assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(2)));
    assert_eq!(ran.stderr.matches("a.pgn: the file has changed since it was indexed").count(), 1, "{}", ran.stderr);
    assert_eq!(answer(&desk), E4, "what is counted needs no file");
    check_refused(&desk, &["index", "--append", "-o", "idx", "a.pgn"], "has grown");
    fs::write(desk.path("a.pgn"), b"1. d4 d5 2. Nf3 1-0\n1. e4 c5 0-1\n").unwrap();
    check_refused(&desk, &["index", "--append", "-o", "idx", "a.pgn"], "has changed");
    fs::remove_file(desk.path("a.pgn")).unwrap();
    let ran = printed(&desk);
    assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(2)));
    assert!(ran.stderr.contains("a.pgn: "), "{}", ran.stderr);
    assert_eq!(answer(&desk), E4);
}

#[test]
fn a_file_with_another_time_is_read_as_a_whole() {
    // Long enough for an edit in the middle that neither size nor ends tell.
    let game = b"[White \"A\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0\n\n".as_slice();
    let mut text = game.repeat(5000);
    let desk = Desk::with(&[("a.pgn", &text)]);
    build(&desk, &["-o", "idx"], &["a.pgn".to_owned()]);
    let touch = |text: &[u8]| {
        fs::write(desk.path("a.pgn"), text).unwrap();
        let file = File::options().write(true).open(desk.path("a.pgn")).unwrap();
        file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    };
    let run = |options: &[&str]| desk.run(&[&["find", "-f", "pgn"], options, &["idx", "e4 e5 Nf3 Nc6 Bb5"]].concat());
    touch(&text);
    for options in [&[][..], &["--verify"]] {
        let same = run(options);
        assert_eq!((same.stdout.as_bytes() == text.strip_suffix(b"\n").unwrap(), same.code), (true, Some(0)));
    }
    check_refused(&desk, &["index", "--append", "-o", "idx", "none.pgn"], "none.pgn");
    // The same number of bytes, and another game.
    let at = 2500 * game.len() + 25;
    assert_eq!(&text[at..at + 3], b"Nf3");
    text[at..at + 3].copy_from_slice(b"Nh3");
    touch(&text);
    for options in [&[][..], &["--verify"]] {
        let changed = run(options);
        assert_eq!((changed.stdout.as_str(), changed.code), ("", Some(2)));
        assert_eq!(
            changed.stderr.matches("a.pgn: the file has changed since it was indexed").count(),
            1,
            "{}",
            changed.stderr
        );
    }
    check_refused(&desk, &["index", "--append", "-o", "idx", "a.pgn"], "a.pgn: has changed");
}

#[test]
fn a_file_that_is_in_the_index_is_not_added_again() {
    let desk = desk();
    let ran = desk.run(&["index", "--append", "-o", "idx", "a.pgn", "b.pgn"]);
    assert_eq!((ran.stderr.as_str(), ran.code), ("a.pgn: is already in the index\n", Some(0)));
    assert_eq!(answer(&desk), E4);
    let ran = desk.run(&["index", "--append", "-o", "idx", "a.pgn", "b.pgn"]);
    assert_eq!(ran.stderr, "a.pgn: is already in the index\nb.pgn: is already in the index\n");
    assert_eq!(answer(&desk), E4);
    assert_eq!(desk.run(&["find", "-c", "--no-header", "idx", "d4"]).code, Some(0));
    // Without --append it is built anew.
    build(&desk, &["-o", "idx"], &["b.pgn".to_owned()]);
    assert_eq!(desk.run(&["find", "-c", "--no-header", "idx", "e4"]).code, Some(1));
}

#[test]
fn an_index_of_no_games_answers_that_there_are_none() {
    let desk = Desk::with(&[("empty.pgn", b"")]);
    build(&desk, &["-o", "idx"], &["empty.pgn".to_owned()]);
    let ran = desk.run(&["find", "idx", "startpos"]);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str(), ran.code), ("", "", Some(1)));
    build(&desk, &["--compact", "-o", "idx"], &[]);
}
