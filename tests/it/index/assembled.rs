//! Indexes whose runs are built by several processes: they answer like an index that one process built, or are not
//! written at all.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use pgn2fen_files::OpenOptions;
use pgn2fen_games::walk::{Job, ReadOptions};
use pgn2fen_index::{Assembly, BuildOptions, BuiltRun, Digest, Index, IndexError, Piece, RunBuilder};

use crate::cli::Desk;
use crate::index::damage::{QUESTIONS, ask, is_sound};
use crate::index::{build, tables};
use crate::laws::workers;

const GAMES: &[u8] =
    b"[White \"A\"]\n\n1. e4 e5 2. Nf3 1-0\n\n[White \"B\"]\n\n1. e4 c5 0-1\n\n[White \"C\"]\n\n1. d4 d5 *\n\n";

/// The range of each of the [`GAMES`].
const RANGES: [std::ops::Range<u64>; 3] = [0..34, 34..61, 61..86];

/// A desk with an index of one game, and a file with the [`GAMES`].
fn desk() -> Desk {
    let desk = Desk::with(&[("old.pgn", b"1. c4 1-0\n"), ("games.pgn", GAMES)]);
    build(&desk, &["-o", "idx"], &["old.pgn".to_owned()]);
    desk
}

fn append() -> BuildOptions {
    BuildOptions { append: true, ..BuildOptions::default() }
}

/// Builds a run of these pieces of files, as another process would. The result travels as text.
fn run(folder: &Path, paths: &[PathBuf], first_game: u64, pieces: &[Piece]) -> Result<BuiltRun, IndexError> {
    let workers = workers(1);
    let builder = RunBuilder::new(folder, first_game, append(), &workers)?;
    let mut indexing = builder.begin(pieces.to_vec(), ReadOptions::default());
    for Piece { file, range } in pieces {
        let range = (range.start > 0 || range.end < u64::MAX).then(|| range.clone());
        let source = OpenOptions { range, ..OpenOptions::default() }.open(&paths[*file]).unwrap();
        indexing.read(&workers, &paths[*file], source, &mut ()).unwrap();
    }
    let built = indexing.finish(&workers, &|_, _| ControlFlow::Continue(()))?;
    Ok(BuiltRun::from_json(&built.to_json()).unwrap())
}

fn digests(paths: &[PathBuf]) -> Vec<Digest> {
    paths.iter().map(|path| Digest::of(path).unwrap()).collect()
}

/// An assembly for the index `idx`, which the file `games.pgn` was added to.
fn begin(desk: &Desk) -> (Assembly, Vec<PathBuf>) {
    let mut assembly = Assembly::begin(&desk.path("idx"), append()).unwrap();
    let paths = vec![desk.path("games.pgn")];
    assert_eq!(assembly.add(&paths[0], &ReadOptions::default()).unwrap(), 0);
    (assembly, paths)
}

/// A run of each game.
fn runs(assembly: &Assembly, paths: &[PathBuf]) -> Vec<BuiltRun> {
    let piece = |range: &std::ops::Range<u64>| Piece { file: 0, range: range.clone() };
    let run = |(game, range)| run(assembly.build_folder(), paths, game, &[piece(range)]).unwrap();
    (assembly.first_game()..).zip(&RANGES).map(run).collect()
}

/// The names of the files and folders of an index, in order.
fn names(desk: &Desk) -> Vec<String> {
    let entries = fs::read_dir(desk.path("idx")).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The index of [`desk`] is as it was, and nothing else is in its folder.
#[track_caller]
fn check_old(desk: &Desk) {
    assert_eq!(names(desk), ["lock", "manifest.json", "run-000001"]);
    assert!(is_sound(&desk.path("idx")));
    assert_eq!(Index::open(desk.path("idx")).unwrap().game_count(), 1);
}

/// Whoever finishes an assembly with these runs gets an error, and the index is the old one.
#[track_caller]
fn check_refused(change: impl FnOnce(&Desk, &Path, &mut Vec<BuiltRun>), reason: &str) {
    let desk = desk();
    let (assembly, paths) = begin(&desk);
    let mut runs = runs(&assembly, &paths);
    let folder = assembly.build_folder().to_owned();
    change(&desk, &folder, &mut runs);
    let error = assembly.finish(runs, &digests(&paths)).unwrap_err().to_string();
    assert!(error.contains(reason), "{error}");
    check_old(&desk);
}

/// All columns of all games.
fn games(index: &Index) -> Vec<(Option<i64>, Option<String>)> {
    let mut games = index.games();
    let mut values = Vec::new();
    for game in 1..=index.game_count() {
        for column in index.columns() {
            values.push((games.number(game, column).unwrap(), games.text(game, column).unwrap().map(str::to_owned)));
        }
    }
    values
}

#[test]
fn runs_of_many_processes_say_what_one_build_says_and_become_the_same_one() {
    let (desk, names) = super::desk();
    let paths: Vec<PathBuf> = names.iter().map(|name| desk.path(name)).collect();
    let given: Vec<String> = paths.iter().map(|path| path.to_str().unwrap().to_owned()).collect();
    build(&desk, &["-o", "one"], &given);

    let mut assembly = Assembly::begin(&desk.path("idx"), BuildOptions::default()).unwrap();
    let mut pieces = Vec::new();
    for path in &paths {
        let file = assembly.add(path, &ReadOptions::default()).unwrap();
        let size = fs::metadata(path).unwrap().len();
        let is_text = OpenOptions { range: Some(0..1), ..OpenOptions::default() }.open(path).is_ok();
        let cuts = (0..size).step_by(if is_text { 17_011 } else { usize::MAX });
        let end = |start: u64| if is_text { size.min(start + 17_011) } else { u64::MAX };
        pieces.extend(cuts.map(|start| Piece { file, range: start..end(start) }));
    }
    let mut next = assembly.first_game();
    let mut runs = Vec::new();
    for pieces in pieces.chunks(pieces.len() / 11) {
        let run = run(assembly.build_folder(), &paths, next, pieces).unwrap();
        next += run.games();
        runs.push(run);
    }
    assert!(runs.len() > 8 && pieces.len() > paths.len() + 20, "{} {}", runs.len(), pieces.len());
    let (games_in_all, postings) = (next - 1, runs.iter().map(BuiltRun::postings).sum::<u64>());
    let built = assembly.finish(runs, &digests(&paths)).unwrap().keep_runs();
    assert_eq!((built.games, built.all_games, built.postings), (games_in_all, games_in_all, postings));
    assert!(built.runs > 8, "{built:?}");

    let compare = || {
        let [one, idx] = ["one", "idx"].map(|folder| Index::open(desk.path(folder)).unwrap());
        for question in QUESTIONS {
            assert_eq!(ask(&idx, question).unwrap(), ask(&one, question).unwrap(), "{question}");
        }
        assert!(games(&idx) == games(&one), "the games have the same places and tags");
        assert!(is_sound(&desk.path("idx")));
        let said = |arguments: &[&str]| ["one", "idx"].map(|folder| desk.run(&[arguments, &[folder]].concat()).stdout);
        let [one, idx] = said(&["index", "--info", "-f", "tsv"]);
        assert_eq!(one, idx);
        for question in ["startpos", "e4 c5", "rbnnqkbr/pppppppp/8/8/8/8/PPPPPPPP/RBNNQKBR w HAha - 0 1"] {
            for options in [&["-M"][..], &["-c"], &["-f", "jsonl"], &["-f", "pgn"]] {
                let [one, idx] = ["one", "idx"].map(|folder| {
                    let ran = desk.command(&[&["find"], options, &[folder, question]].concat()).output().unwrap();
                    (ran.stdout, ran.stderr, ran.status.code())
                });
                assert!(one == idx && one.0.len() > 10, "{options:?} {question}");
            }
        }
    };
    compare();
    build(&desk, &["--compact", "-o", "idx"], &[]);
    compare();
    assert!(tables(&desk.path("idx")) == tables(&desk.path("one")), "merged tables are those of one build");
}

#[test]
fn games_of_many_processes_are_appended_to_an_index_and_others_to_them() {
    let desk = desk();
    let (assembly, paths) = begin(&desk);
    assert_eq!(assembly.first_game(), 2);
    let runs = runs(&assembly, &paths);
    let finished = assembly.finish(runs, &digests(&paths)).unwrap();
    let error = Assembly::begin(&desk.path("idx"), append()).unwrap_err().to_string();
    assert!(error.contains("another pgn2fen is writing"), "{error}");
    let built = finished.keep_runs();
    assert_eq!((built.games, built.all_games, built.runs), (3, 4, 4));
    let count = |question| desk.run(&["find", "-c", "--no-header", "-f", "csv", "idx", question]).stdout;
    let e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -,2,1,0,1,0\n";
    assert_eq!(count("e4"), e4);
    // The file is in the index by its path, by its bytes, and to be found again.
    let ran = desk.run(&["index", "--append", "-o", "idx", "games.pgn"]);
    assert_eq!(ran.stderr, "games.pgn: is already in the index\n");
    fs::rename(desk.path("games.pgn"), desk.path("moved.pgn")).unwrap();
    let ran = desk.run(&["index", "--relocate", "idx", "moved.pgn"]);
    assert!(ran.stderr.contains("is now moved.pgn") && ran.code == Some(0), "{ran:?}");
    assert!(desk.run(&["find", "-f", "pgn", "idx", "d4"]).stdout.contains("[White \"C\"]"));
    fs::write(desk.path("next.pgn"), b"1. e4 *\n").unwrap();
    build(&desk, &["--append", "-o", "idx"], &["next.pgn".to_owned()]);
    assert_eq!(count("e4"), e4.replace(",2,1,0,1,0", ",3,1,0,1,1"));
    build(&desk, &["--remove", "idx"], &["moved.pgn".to_owned()]);
    assert_eq!(count("e4"), e4.replace(",2,1,0,1,0", ",1,0,0,0,1"));
    assert!(is_sound(&desk.path("idx")));
}

#[test]
fn a_run_that_is_built_twice_is_in_the_index_once() {
    let desk = desk();
    let (assembly, paths) = begin(&desk);
    let first = runs(&assembly, &paths);
    let mut winners = runs(&assembly, &paths);
    winners[1] = first[1].clone();
    // A process that goes on when the build has ended.
    let workers = workers(1);
    let mut late = RunBuilder::new(assembly.build_folder(), 2, append(), &workers)
        .unwrap()
        .begin(vec![Piece::whole(0)], ReadOptions::default());
    let folder = assembly.build_folder().to_owned();
    let built =
        assembly.finish(winners, &digests(&paths)).unwrap().merge(true, &workers, &|_, _| ControlFlow::Continue(()));
    assert_eq!(built.map(|built| (built.games, built.all_games, built.runs)).unwrap(), (3, 4, 1));
    let source = OpenOptions::default().open(&paths[0]).unwrap();
    late.read(&workers, &paths[0], source, &mut ()).unwrap();
    let late = late.finish(&workers, &|_, _| ControlFlow::Continue(()));
    // Elsewhere the folder may stay as long as this process has files in it.
    if cfg!(unix) {
        late.unwrap_err();
        let error = RunBuilder::new(&folder, 2, append(), &workers).unwrap_err().to_string();
        assert!(error.contains("the build has ended"), "{error}");
        let names = names(&desk);
        assert_eq!((names.len(), &*names[0], &*names[1]), (3, "lock", "manifest.json"), "{names:?}");
    }
    assert!(is_sound(&desk.path("idx")));
    assert_eq!(Index::open(desk.path("idx")).unwrap().game_count(), 4);
}

#[test]
fn an_assembly_that_is_dropped_or_killed_leaves_the_old_index() {
    let desk = desk();
    let (assembly, paths) = begin(&desk);
    runs(&assembly, &paths);
    drop(assembly);
    check_old(&desk);
    let (assembly, paths) = begin(&desk);
    runs(&assembly, &paths);
    let remains = desk.path("remains");
    fs::rename(assembly.build_folder(), &remains).unwrap();
    drop(assembly);
    // As it looks when nobody had the time to clean up.
    fs::rename(remains, desk.path("idx/.run-000002")).unwrap();
    assert_eq!(Index::open(desk.path("idx")).unwrap().game_count(), 1);
    build(&desk, &["--append", "-o", "idx"], &["games.pgn".to_owned()]);
    assert_eq!(names(&desk).len(), 4, "{:?}", names(&desk));

    let new = Assembly::begin(&desk.path("new"), BuildOptions::default()).unwrap();
    drop(new);
    // Elsewhere the lock stays.
    assert!(cfg!(not(unix)) || !desk.path("new").exists());
}

#[test]
fn runs_that_do_not_fit_together_are_refused() {
    check_refused(|_, _, runs| runs.swap(0, 1), "a run begins with game 3, but game 2 is next");
    check_refused(|_, _, runs| drop(runs.remove(1)), "a run begins with game 4, but game 3 is next");
    check_refused(|_, _, runs| drop(runs.pop()), "no run has the games of its bytes 61 to 86");
    check_refused(|_, _, runs| runs.clear(), "no run has the games of its bytes 0 to 86");
    check_refused(|_, _, runs| runs.push(runs[2].clone()), "a run begins with game 4, but game 5 is next");
    let piece = |file, start, end| Piece { file, range: start..end };
    let run_of = |desk: &Desk, folder: &Path, game, pieces: &[Piece]| {
        run(folder, &vec![desk.path("games.pgn"); 2], game, pieces).unwrap()
    };
    check_refused(
        |desk, folder, runs| runs[1] = run_of(desk, folder, 3, &[piece(0, 40, 61)]),
        "a run has its bytes from 40, but those from 34 are next",
    );
    check_refused(
        |desk, folder, runs| runs.push(run_of(desk, folder, 5, &[piece(0, 95, 99)])),
        "a run has its bytes from 95, but those from 86 are next",
    );
    check_refused(
        |desk, folder, runs| runs.push(run_of(desk, folder, 5, &[piece(0, 86, 70)])),
        "a run has its bytes from 86, but",
    );
    check_refused(
        |desk, folder, runs| runs.push(run_of(desk, folder, 5, &[piece(1, 86, 90)])),
        "not in the order of the files",
    );
}

#[test]
fn a_run_whose_files_are_gone_or_damaged_is_refused() {
    let folder_of = |folder: &Path, run: &BuiltRun| {
        let text = run.to_json();
        let name = text.split("\"folder\":\"").nth(1).unwrap().split('"').next().unwrap();
        folder.join(name)
    };
    check_refused(|_, folder, runs| fs::remove_dir_all(folder_of(folder, &runs[1])).unwrap(), "the file is gone");
    for table in ["postings-00.parquet", "moves-00.parquet", "games.parquet", "_games.sums"] {
        let path = |folder: &Path, run: &BuiltRun| folder_of(folder, run).join(table);
        check_refused(|_, folder, runs| fs::remove_file(path(folder, &runs[2])).unwrap(), "the file is gone");
        let cut = |_: &Desk, folder: &Path, runs: &mut Vec<BuiltRun>| {
            let path = path(folder, &runs[2]);
            let bytes = fs::read(&path).unwrap();
            fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        };
        check_refused(cut, "damaged");
        let flip = |_: &Desk, folder: &Path, runs: &mut Vec<BuiltRun>| {
            let path = path(folder, &runs[0]);
            let mut bytes = fs::read(&path).unwrap();
            *bytes.last_mut().unwrap() ^= 1;
            fs::write(&path, &bytes).unwrap();
        };
        check_refused(flip, "damaged");
    }
}

#[test]
fn a_file_that_changed_while_it_was_read_is_refused() {
    // The coordinator sees another file.
    let change = |desk: &Desk, _: &Path, _: &mut Vec<BuiltRun>| {
        fs::write(desk.path("games.pgn"), [GAMES, b"1. h4 *\n"].concat()).unwrap();
    };
    check_refused(change, "the file changed while it was read");
    // A process sees another file, of the same size.
    let change = |desk: &Desk, folder: &Path, runs: &mut Vec<BuiltRun>| {
        let other = desk.path("other.pgn");
        fs::write(&other, String::from_utf8_lossy(GAMES).replace("d4 d5", "d4 c5")).unwrap();
        runs[2] = run(folder, &[other], 4, &[Piece { file: 0, range: 61..86 }]).unwrap();
    };
    check_refused(change, "another process read a different file of this name");
}

#[test]
fn what_several_processes_cannot_read_is_refused() {
    let desk = desk();
    let (mut assembly, paths) = begin(&desk);
    let read = ReadOptions::default();
    for (path, reason) in [("none.pgn", "none.pgn"), (".", "not a plain file")] {
        let error = assembly.add(&desk.path(path), &read).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
    let few = ReadOptions { max_games: Some(1), ..ReadOptions::default() };
    let error = assembly.add(&paths[0], &few).unwrap_err().to_string();
    assert!(error.contains("cannot choose the first games"), "{error}");

    let workers = workers(1);
    let builder = RunBuilder::new(assembly.build_folder(), 2, append(), &workers).unwrap();
    let indexing = builder.begin(vec![Piece::whole(0)], ReadOptions::default());
    let error = indexing.finish(&workers, &|_, _| ControlFlow::Continue(())).unwrap_err().to_string();
    assert!(error.contains("0 of 1 pieces"), "{error}");

    let built = runs(&assembly, &paths);
    let error = assembly.finish(built, &[]).unwrap_err().to_string();
    assert!(error.contains("1 files were added, but 0 digests"), "{error}");
    check_old(&desk);

    let options = BuildOptions { plies: "..4".parse().unwrap(), ..append() };
    let mut assembly = Assembly::begin(&desk.path("idx"), options).unwrap();
    let error = assembly.add(&paths[0], &read).unwrap_err().to_string();
    assert!(error.contains("the index has all plies of its games"), "{error}");
    drop(assembly);
    let error =
        Assembly::begin(&desk.path("new"), BuildOptions::default()).unwrap().finish(Vec::new(), &[]).unwrap_err();
    assert!(error.to_string().contains("at least one run"), "{error}");
    check_old(&desk);
}
