//! Tables of the sizes that every index has, with so many positions that they have several parts, row groups and pages;
//! and many threads that ask one index.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::fs::File;
use std::path::Path;
use std::thread;

use parquet::file::reader::{FileReader, SerializedFileReader};
use pgn2fen_chess::position::Position;
use pgn2fen_chess::san;
use pgn2fen_index::{GameColumn, Index, key};

use crate::cli::Desk;
use crate::index::damage::Random;
use crate::index::{build, desk, tables};

/// Games of random moves, and where each position occurs, by its key as the tables have it.
#[derive(Default)]
struct Playouts {
    texts: Vec<String>,
    postings: BTreeMap<i64, Vec<(u64, u32)>>,
    games: u64,
}

impl Playouts {
    /// Adds a file of games, each of which is in it twice.
    fn add(&mut self, games: u64, random: &mut Random) {
        let mut text = String::new();
        for _ in 0..games {
            let mut position = Position::initial();
            let mut moves = String::new();
            let mut san = Vec::new();
            for ply in 0..120 {
                for game in [1, 2] {
                    self.postings.entry(key(&position).cast_signed()).or_default().push((self.games + game, ply));
                }
                let list = position.legal_moves();
                if list.is_empty() || ply == 119 {
                    break;
                }
                let m = list[random.below(list.len())];
                san.clear();
                san::append(&position, m, &mut san);
                let _ = write!(moves, "{} ", str::from_utf8(&san).unwrap());
                position.play_unchecked(m);
            }
            let _ = write!(text, "{moves}1-0\n\n{moves}0-1\n\n");
            self.games += 2;
        }
        // A game may come back to a position before its twin is looked at.
        self.postings.values_mut().for_each(|places| places.sort_unstable());
        self.texts.push(text);
    }
}

/// How many rows the row groups of a table have.
fn groups(table: &Path) -> Vec<i64> {
    let reader = SerializedFileReader::new(File::open(table).unwrap()).unwrap();
    reader.metadata().row_groups().iter().map(parquet::file::metadata::RowGroupMetaData::num_rows).collect()
}

#[test]
fn tables_of_the_usual_sizes_say_what_was_played() {
    let mut random = Random(1_048_576);
    let mut playouts = Playouts::default();
    playouts.add(4500, &mut random);
    playouts.add(300, &mut random);
    let desk = Desk::with(&[("a.pgn", playouts.texts[0].as_bytes()), ("b.pgn", playouts.texts[1].as_bytes())]);
    build(&desk, &["-o", "one"], &["a.pgn".to_owned(), "b.pgn".to_owned()]);

    // Two parts, each with several row groups in both tables.
    let run = desk.path("one/run-000001");
    for part in ["00", "01"] {
        let postings = groups(&run.join(format!("postings-{part}.parquet")));
        assert!(postings.len() == 2 && postings[0] == 512 * 1024 && postings[1] > 4096, "{postings:?}");
        let moves = groups(&run.join(format!("moves-{part}.parquet")));
        assert!(moves.len() > 2 && moves[1] >= 64 * 1024, "{moves:?}");
    }
    assert!(!run.join("postings-02.parquet").exists());

    // What lies at the ends of pages and row groups, and here and there.
    let index = Index::open(desk.path("one")).unwrap();
    assert_eq!(index.posting_count(), playouts.postings.values().map(|places| places.len() as u64).sum::<u64>());
    let mut row = 0;
    let mut checked = 0;
    for (key, places) in &playouts.postings {
        let rows = row..row + places.len();
        row = rows.end;
        let is_at_end = rows.start / 4096 != rows.end / 4096 || rows.start % 4096 == 1;
        if !is_at_end && rows.start % 997 > 1 {
            continue;
        }
        checked += 1;
        let key = key.cast_unsigned();
        let found: Vec<(u64, u32)> = index.postings(key).map(Result::unwrap).map(|hit| (hit.game, hit.ply)).collect();
        assert!(&found == places, "{} of {} places", found.len(), places.len());
        let mut games: Vec<u64> = places.iter().map(|(game, _)| *game).collect();
        games.dedup();
        let results = index.results(key).unwrap();
        assert_eq!((results.white, results.black), (games.len() as u64 / 2, games.len() as u64 / 2));
        assert_eq!(index.moves(key).unwrap().results(), results);
        assert_eq!(index.postings(key ^ 1).count(), 0);
    }
    assert!(checked > 1000, "{checked}");
    let sound = desk.run(&["index", "--check", "one"]);
    assert_eq!(sound.code, Some(0), "{}", sound.stderr);

    // One file after the other, merged.
    build(&desk, &["-o", "two"], &["a.pgn".to_owned()]);
    build(&desk, &["--append", "--compact", "-o", "two"], &["b.pgn".to_owned()]);
    assert!(tables(&desk.path("two")) == tables(&desk.path("one")));
}

#[test]
fn many_threads_are_answered_like_one() {
    let (desk, names) = desk();
    for piece in names.chunks(names.len().div_ceil(3)) {
        build(&desk, &["--append", "-o", "idx"], piece);
    }
    // Positions of the games, hot and rare ones, those with two keys among them.
    let mut positions = Vec::new();
    for name in names.iter().step_by(5) {
        let database = pgn2fen_games::database::Database::from(fs::read(desk.path(name)).unwrap());
        for game in database.games().take(6) {
            let Ok(mut replay) = game.replay() else { continue };
            positions.push(replay.position().clone());
            while let Some(Ok(_)) = replay.next_ply() {
                positions.push(replay.position().clone());
            }
        }
    }
    let step = positions.len() / 500 + 1;
    let positions: Vec<Position> = positions.into_iter().step_by(step).collect();
    assert!(positions.len() > 200);
    let answer = |index: &Index, position: &Position| {
        let hits: Vec<_> = index.hits(position).unwrap().map(Result::unwrap).collect();
        let mut games = index.games();
        let players: Vec<_> = hits
            .iter()
            .take(20)
            .map(|hit| games.text(hit.game, GameColumn::White).unwrap().map(str::to_owned))
            .collect();
        format!("{hits:?} {players:?} {:?} {:?}", index.count(position).unwrap(), index.explore(position).unwrap())
    };
    let expected: Vec<String> = {
        let index = Index::open(desk.path("idx")).unwrap();
        positions.iter().map(|position| answer(&index, position)).collect()
    };
    // Nothing is opened yet when the threads begin, each at another place.
    let index = Index::open(desk.path("idx")).unwrap();
    thread::scope(|scope| {
        for thread in 0..8 {
            let (index, positions, expected) = (&index, &positions, &expected);
            scope.spawn(move || {
                for nth in 0..positions.len() {
                    let at = (nth + thread * positions.len() / 8) % positions.len();
                    assert_eq!(answer(index, &positions[at]), expected[at]);
                }
            });
        }
    });
}
