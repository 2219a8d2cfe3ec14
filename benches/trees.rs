//! Makes trees of games, and prints their times and their memory beside the goals: the time on one thread, from PGN as
//! a ratio to a walk that only plays the games, and from an index; and the memory of a tree for each of its positions.
//!
//! `PGN2FEN_CORPUS` can be set to the path of a larger PGN file, and `PGN2FEN_INDEX` to the folder of its index;
//! without them, the games are fixtures, and an index of them is built.

#![allow(clippy::print_stdout, reason = "a bench is a program")]

use std::env;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pgn2fen_games::database::Database;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::walk::{Check, Job, ReadOptions};
use pgn2fen_index::{BuildOptions, Builder, Index};
use pgn2fen_trees::{GameTree, Tree, TreeFormat, TreeOptions, TreeStyle, index_tree};

/// The goals: the time from PGN as a ratio to that of a walk, and the bytes of a position of the tree.
const GOALS: (f64, usize) = (1.5, 200);

/// The options of the trees: those of the command, one of all moves, and one of whole games.
fn all_options() -> [(&'static str, TreeOptions); 3] {
    let usual = TreeOptions::usual(false);
    [
        ("30 plies, 3 games", usual.clone()),
        ("10 plies, 1 game", TreeOptions { depth: 10, min_games: 1, ..usual.clone() }),
        ("256 plies, 3 games", TreeOptions { depth: 256, ..usual }),
    ]
}

/// Reads the games, and returns what a function makes of the job.
fn read<J: Job, T>(workers: &Workers, path: &Path, mut job: J, end: impl FnOnce(J) -> T) -> (Duration, T) {
    let database = Database::open(path).unwrap();
    let started = Instant::now();
    job.read(workers, path, database.into(), &mut ()).unwrap();
    let made = end(job);
    (started.elapsed(), made)
}

/// Returns the least time of some rounds, and what the last one made.
fn least<T>(rounds: usize, mut round: impl FnMut() -> (Duration, T)) -> (Duration, T) {
    let (mut best, mut made) = round();
    for _ in 1..rounds {
        let (time, again) = round();
        (best, made) = (best.min(time), again);
    }
    (best, made)
}

/// Builds an index.
fn build(path: &Path, folder: &Path) -> PathBuf {
    let (workers, folder) = (Workers::new(0).unwrap(), folder.join("games.idx"));
    let mut indexing = Builder::new(&folder, BuildOptions::default(), &workers).unwrap().begin(ReadOptions::default());
    indexing.read(&workers, path, Database::open(path).unwrap().into(), &mut ()).unwrap();
    let finished = indexing.finish(&workers, &|_, _| ControlFlow::Continue(())).unwrap();
    finished.merge(false, &workers, &|_, _| ControlFlow::Continue(())).unwrap();
    folder
}

fn print(name: &str, time: Duration, ratio: Option<f64>, tree: &Tree) {
    let bytes = tree.memory() / tree.positions();
    let ratio = ratio.map_or(String::new(), |ratio| format!(", {ratio:.2} of a walk (goal {})", GOALS.0));
    let (time, positions) = (time.as_secs_f64(), tree.positions());
    println!("{name}: {time:.3} s{ratio}; {positions} positions of {bytes} bytes (goal {})", GOALS.1);
}

fn main() {
    let is_test = env::args().any(|argument| argument == "--test");
    let rounds = if is_test { 1 } else { 5 };
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/games/tournaments_2020.pgn");
    let corpus = env::var_os("PGN2FEN_CORPUS").map_or(fixture, PathBuf::from);
    let made = tempfile::tempdir().unwrap();
    let folder = env::var_os("PGN2FEN_INDEX").map_or_else(|| build(&corpus, made.path()), PathBuf::from);
    let index = Index::open(&folder).unwrap();
    let workers = Workers::new(1).unwrap();
    let (walk, ()) = least(rounds, || read(&workers, &corpus, Check::of_main_lines(ReadOptions::default()), drop));
    println!("a walk: {:.3} s", walk.as_secs_f64());
    for (name, options) in all_options() {
        let of_games = || {
            read(&workers, &corpus, GameTree::new(options.clone(), ReadOptions::default()), |job| job.finish(&workers))
        };
        let (time, tree) = least(rounds, of_games);
        print(&format!("from PGN, {name}"), time, Some(time.as_secs_f64() / walk.as_secs_f64()), &tree);
        let of_index = || {
            let started = Instant::now();
            let tree = index_tree(&index, Vec::new(), &options, &workers).unwrap();
            (started.elapsed(), tree)
        };
        let (time, tree) = least(rounds, of_index);
        print(&format!("from an index, {name}"), time, None, &tree);
        for format in [TreeFormat::Pgn, TreeFormat::Html, TreeFormat::Parquet] {
            let started = Instant::now();
            let mut out = Vec::new();
            match tree.write(format, &TreeStyle::default(), &mut out) {
                Ok(_) => {
                    println!("  as {}: {:.3} s, {} bytes", format.name(), started.elapsed().as_secs_f64(), out.len());
                }
                Err(error) => println!("  as {}: {error}", format.name()),
            }
        }
    }
}
