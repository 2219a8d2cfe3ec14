//! Law: an index gives the same answers as a scan of the games.

use std::collections::BTreeMap;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;

use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::position::Position;
use pgn2fen_games::database::Database;
use pgn2fen_games::parallel::Cuts;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::pgn::token::Outcome;
use pgn2fen_games::selection::Identity;
use pgn2fen_games::walk::{Job, ReadOptions};
use pgn2fen_index::{BuildOptions, Builder, Hit, Index, LEAST_MEMORY};

use crate::choices::Choices;
use crate::walking::{whole, with_workers};

/// Checks the law. A number is the offset at which the text is cut for two runs of the index. The rest is the text.
///
/// # Panics
///
/// The law is broken.
pub fn check(data: &[u8]) {
    let mut choices = Choices::new(data);
    let place = choices.number();
    let text = choices.text();
    if text.len() > 8192 {
        return;
    }
    let (first, second) = text.split_at(place % (text.len() + 1));
    let scan = Scan::of(&[first, second]);
    let folder = folder();
    with_workers(1, Cuts::Likely(500), |workers| {
        add(folder.path(), first, false, workers);
        if !second.is_empty() {
            add(folder.path(), second, true, workers);
        }
    });
    let index = Index::open(folder.path()).expect("the index can be read");
    assert_eq!(index.game_count(), scan.games);
    assert_eq!(index.posting_count(), scan.hits.values().map(|(_, hits)| hits.len() as u64).sum::<u64>());
    for (position, hits) in scan.hits.values().take(40) {
        compare(&index, position, hits);
    }
}

/// Creates a temporary folder, in memory if the system has a file system there.
pub(crate) fn folder() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    let made = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    made.expect("a folder can be made")
}

/// Adds the games of a text to the index in a folder.
pub(crate) fn add(folder: &Path, text: &[u8], append: bool, workers: &Workers) {
    let options = BuildOptions { append, memory: LEAST_MEMORY, ..BuildOptions::default() };
    let builder = Builder::new(folder, options, workers).expect("the folder can be written to");
    let mut indexing = builder.begin(ReadOptions::default());
    indexing.read(workers, Path::new("text"), whole(text), &mut ()).expect("memory can be read");
    let finished = indexing.finish(workers, &|_, _| ControlFlow::Continue(())).expect("the index can be written");
    drop(finished);
}

/// All hits of all positions. Positions are equal if they are equal under the repetition rule.
#[derive(Default)]
pub(crate) struct Scan {
    games: u64,
    pub(crate) hits: HashMap<Identity, (Position, Vec<Hit>)>,
}

impl Scan {
    pub(crate) fn of(texts: &[&[u8]]) -> Self {
        let mut scan = Self::default();
        let databases: Vec<Database> = texts.iter().map(|text| Database::from(text.to_vec())).collect();
        for game in databases.iter().flat_map(Database::games) {
            scan.games += 1;
            let Ok(mut replay) = game.replay() else { continue };
            let result = replay.clone().outcome();
            for ply in 0.. {
                let position = replay.position().clone();
                let next = replay.next_ply().and_then(Result::ok).map(|ply| ply.played.uci(&position));
                let hit = Hit { game: scan.games, ply, next, result };
                scan.hits.entry(Identity::of(&position)).or_insert((position, Vec::new())).1.push(hit);
                if next.is_none() {
                    break;
                }
            }
        }
        scan
    }
}

/// Counts games by their results.
fn results<'h>(hits: impl IntoIterator<Item = &'h Hit>) -> [u64; 4] {
    let games: BTreeMap<u64, Outcome> = hits.into_iter().map(|hit| (hit.game, hit.result)).collect();
    let count = |result| games.values().filter(|other| **other == result).count() as u64;
    [Outcome::WhiteWins, Outcome::Draw, Outcome::BlackWins, Outcome::Unknown].map(count)
}

/// Compares the answers of an index for a position with the hits of the scan.
fn compare(index: &Index, position: &Position, expected: &[Hit]) {
    let told = format!("{position:?}");
    let hits: Result<Vec<Hit>, _> = index.hits(position).and_then(Iterator::collect);
    assert_eq!(hits.expect("the index can be read"), expected, "{told}");
    let count = index.count(position).expect("the index can be read");
    assert_eq!([count.white, count.draws, count.black, count.unknown], results(expected), "{told}");
    let explored = index.explore(position).expect("the index can be read");
    assert_eq!(explored.results(), count, "{told}");
    let mut by_move: HashMap<Option<Uci>, Vec<&Hit>> = HashMap::new();
    for hit in expected {
        by_move.entry(hit.next).or_default().push(hit);
    }
    assert_eq!(explored.moves().len(), by_move.len(), "{told}");
    for row in explored.moves() {
        let found = row.results;
        let expected = results(by_move[&row.next].iter().copied());
        assert_eq!([found.white, found.draws, found.black, found.unknown], expected, "{told}: {:?}", row.next);
    }
}
