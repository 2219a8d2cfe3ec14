//! The counts of all positions of an index, by reading its postings once in the order of their keys. A large tree needs
//! most of them, and to look them up one after another takes longer.

use crate::counts::Counts;
use crate::grow::{Counted, CountedMove, Counter, NamedGame};
use crate::indexed::{LookupCounter, PlayedByGame};
use crate::options::MOST_MODELS;
use crate::tree::NONE;
use pgn2fen_chess::position::Position;
use pgn2fen_games::parallel::Workers;
use pgn2fen_index::{Hit, IndexError, keys};

/// Has counted all positions.
pub(crate) struct ScanCounter<'i> {
    lookup: LookupCounter<'i>,
    counted: CountedKeys,
}

/// The keys that enough games reached, in their order.
#[derive(Default)]
struct CountedKeys {
    keys: Vec<CountedKey>,
    /// The moves of all keys that enough games played.
    moves: Vec<CountedMove>,
}

struct CountedKey {
    key: u64,
    counts: Counts,
    year: u16,
    models: [u32; MOST_MODELS],
    /// The end of its moves, which follow those of the key before it.
    end: u32,
}

/// Some of the keys, of which the last one is being counted.
#[derive(Default)]
struct Piece {
    ended: CountedKeys,
    key: u64,
    counted: Counted,
    played: PlayedByGame,
}

impl Piece {
    fn add(&mut self, lookup: &LookupCounter<'_>, min_games: u64, (key, hit): (u64, Hit)) {
        if self.key != key {
            self.end(min_games);
            self.key = key;
        }
        lookup.add(&mut self.counted, &mut self.played, hit);
    }

    /// Ends the last key.
    fn end(&mut self, min_games: u64) {
        let Self { ended, key, counted, played } = self;
        if counted.counts.games() >= min_games {
            ended.push(*key, counted, min_games);
        }
        counted.moves.clear();
        // Its list of moves is used again.
        *counted = Counted { moves: std::mem::take(&mut counted.moves), ..Counted::default() };
        played.start_again();
    }
}

impl CountedKeys {
    fn push(&mut self, key: u64, counted: &Counted, min_games: u64) {
        let kept = counted.moves.iter().filter(|played| played.counts.games() >= min_games);
        self.moves.extend(kept.copied());
        let Counted { counts, year, models, .. } = *counted;
        self.keys.push(CountedKey { key, counts, year, models, end: number(self.moves.len()) });
    }

    fn append(&mut self, later: Self) {
        let before = number(self.moves.len());
        let behind = |of: CountedKey| CountedKey { end: of.end.saturating_add(before), ..of };
        self.keys.extend(later.keys.into_iter().map(behind));
        self.moves.extend(later.moves);
    }

    fn get(&self, key: u64) -> Option<Counted> {
        let at = self.keys.binary_search_by_key(&key, |counted| counted.key).ok()?;
        let CountedKey { counts, year, models, end, .. } = self.keys[at];
        let start = at.checked_sub(1).map_or(0, |before| self.keys[before].end);
        Some(Counted { counts, year, models, moves: self.moves[start as usize..end as usize].to_vec() })
    }
}

fn number(moves: usize) -> u32 {
    u32::try_from(moves).unwrap_or(NONE)
}

impl<'i> ScanCounter<'i> {
    /// Counts the positions that at least so many games reached.
    pub(crate) fn scan(lookup: LookupCounter<'i>, min_games: u64, workers: &Workers) -> Result<Self, IndexError> {
        let min_games = min_games.max(1);
        let mut counted = CountedKeys::default();
        lookup.index.visit_by_key(
            workers,
            |hit| lookup.distance(hit).is_some(),
            |piece: &mut Piece, key, hit| piece.add(&lookup, min_games, (key, hit)),
            |mut piece| {
                piece.end(min_games);
                counted.append(piece.ended);
            },
        )?;
        Ok(Self { lookup, counted })
    }
}

impl Counter for ScanCounter<'_> {
    type Error = IndexError;

    fn count(&self, position: &Position, key: u64) -> Result<Counted, IndexError> {
        let known = match keys(position)[..] {
            [key] => self.counted.get(key),
            // The games of several keys have to be counted together.
            _ => None,
        };
        known.map_or_else(|| self.lookup.count(position, key), Ok)
    }

    fn name(&self, games: &[u32], take: impl FnMut(NamedGame<'_>)) -> Result<(), IndexError> {
        self.lookup.name(games, take)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::ops::ControlFlow;
    use std::path::Path;

    use super::ScanCounter;
    use crate::grow::grow;
    use crate::indexed::LookupCounter;
    use crate::options::TreeOptions;
    use crate::testing::{from, lines};
    use crate::tree::Tree;
    use pgn2fen_games::database::Database;
    use pgn2fen_games::parallel::Workers;
    use pgn2fen_games::walk::{Job, ReadOptions};
    use pgn2fen_index::{BuildOptions, Builder, Index};

    /// Returns the moves with their counts, and the model games of all positions.
    fn told(tree: &Tree) -> (Vec<String>, Vec<String>) {
        let models = |node| tree.models(node).map(|game| format!("{node}: {game:?}")).collect::<Vec<_>>();
        (lines(tree), (0..u32::try_from(tree.positions()).unwrap()).flat_map(models).collect())
    }

    #[test]
    fn a_scan_counts_what_lookups_count() {
        let folder = tempfile::tempdir().unwrap();
        let (folder, workers) = (folder.path().join("games.idx"), Workers::new(2).unwrap());
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/games");
        // An index of several runs, with a game that comes to a position several times, and a pawn that must not be
        // captured en passant, so that its position has two keys.
        let again = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 d5 1-0\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. e4 e5 0-1\n\n";
        let passing = "[SetUp \"1\"]\n[FEN \"4k3/3p4/8/2K1P2r/8/8/8/8 b - - 0 1\"]\n\n1... d5 2. Kc6 d4 *\n\n";
        for text in [fs::read(fixtures.join("opening_book.pgn")).unwrap(), format!("{again}{passing}").repeat(3).into()]
        {
            let builder =
                Builder::new(&folder, BuildOptions { append: true, ..BuildOptions::default() }, &workers).unwrap();
            let mut indexing = builder.begin(ReadOptions::default());
            indexing.read(&workers, Path::new("games"), Database::from(text).into(), &mut ()).unwrap();
            indexing.finish(&workers, &|_, _| ControlFlow::Continue(())).unwrap();
        }
        let index = Index::open(&folder).unwrap();
        let start = from("startpos");
        for options in [
            TreeOptions { min_games: 1, depth: 3, ..start.clone() },
            TreeOptions { min_games: 3, depth: 6, models: 2, ..start.clone() },
            TreeOptions { min_games: 2, depth: 6, ..from("1. d4 Nf6") },
            TreeOptions { min_games: 1, ..from("4k3/3p4/8/2K1P2r/8/8/8/8 b - - 0 1") },
            TreeOptions { min_games: 5000, ..start },
        ] {
            let lookup = || LookupCounter::new(&index, Vec::new(), &options).unwrap();
            let looked_up = grow(&lookup(), &options, &workers).unwrap();
            let scanned = ScanCounter::scan(lookup(), options.min_games, &workers).unwrap();
            assert_eq!(told(&grow(&scanned, &options, &workers).unwrap()), told(&looked_up));
            assert_eq!(looked_up.is_empty(), options.min_games == 5000);
        }
    }

    #[test]
    fn a_game_counts_where_it_was_alone_in_the_position_before() {
        // Positions come in the order of their keys, so those of one game stand before some that both have.
        let long = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 *\n\n";
        let text = format!("{long}1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 *\n");
        let (_folder, index) = crate::testing::index(&[&text], BuildOptions::default());
        let (options, workers) = (TreeOptions::default(), Workers::new(1).unwrap());
        let lookup = || LookupCounter::new(&index, Vec::new(), &options).unwrap();
        let scanned = grow(&ScanCounter::scan(lookup(), 1, &workers).unwrap(), &options, &workers).unwrap();
        assert_eq!(told(&scanned), told(&grow(&lookup(), &options, &workers).unwrap()));
    }

    #[test]
    fn a_game_counts_in_each_of_its_positions() {
        let (_folder, index) = crate::testing::index(&["1. e4 e5 2. Nf3 *\n"], BuildOptions::default());
        let (options, workers) = (TreeOptions::default(), Workers::new(1).unwrap());
        let lookup = LookupCounter::new(&index, Vec::new(), &options).unwrap();
        let tree = grow(&ScanCounter::scan(lookup, 1, &workers).unwrap(), &options, &workers).unwrap();
        let games = (0..4).map(|node| tree.node_at(node).results().games());
        assert_eq!(games.collect::<Vec<_>>(), [1, 1, 1, 1]);
    }
}
