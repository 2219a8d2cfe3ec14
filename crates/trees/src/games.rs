//! A tree of the games of files.

use std::collections::HashMap;
use std::convert::Infallible;
use std::hash::{BuildHasherDefault, Hasher};
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use crate::counts::Counts;
use crate::grow::{Counted, CountedMove, Counter, NamedGame, grow, rate};
use crate::names::Names;
use crate::options::{MOST_MODELS, TreeOptions};
use crate::steps::{MakeSteps, Reached, Step, Steps};
use crate::tree::{Game, NONE, Tree};
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::position::Position;
use pgn2fen_games::database::Source;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::pgn::encoding::Label;
use pgn2fen_games::pgn::token::Outcome;
use pgn2fen_games::walk::{Job, Listener, Output, OutputStages, ReadOptions, Totals, Walk};
use pgn2fen_index::Summary;

/// A job that reads games into a tree.
///
/// A game is played up to the last ply that counts, and used up to its first error. Memory grows with the number of
/// different positions, about a hundred bytes each, and with the number of games, 20 bytes each.
///
/// ```
/// use std::path::Path;
///
/// use pgn2fen_games::database::{Database, Source};
/// use pgn2fen_games::parallel::Workers;
/// use pgn2fen_games::walk::{Job, ReadOptions};
/// use pgn2fen_trees::{GameTree, TreeOptions};
///
/// let games = Database::from(b"1. Nf3 d5 2. d4 1-0\n\n1. d4 d5 2. Nf3 0-1\n\n1. d4 Nf6 *\n".to_vec());
/// let workers = Workers::new(1)?;
/// let mut job = GameTree::new(TreeOptions::default(), ReadOptions::default());
/// job.read(&workers, Path::new("games.pgn"), Source::Whole(games), &mut ())?;
/// let tree = job.finish(&workers);
/// let first = tree.root_node().moves().next().unwrap();
/// assert_eq!((first.uci().to_string(), first.results().games()), ("d2d4".to_owned(), 2));
/// // Seven moves lead to six positions, because two lines transpose.
/// assert_eq!((tree.positions() - 1, tree.moves()), (6, 7));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GameTree {
    walk: Walk<MakeSteps, Gathered>,
    options: TreeOptions,
}

impl GameTree {
    /// Creates a job that reads games into a tree.
    pub fn new(options: TreeOptions, read: ReadOptions) -> Self {
        let gathered = Gathered { models: options.models.min(MOST_MODELS), ..Gathered::default() };
        Self { walk: Walk::new(MakeSteps::new(&options), gathered, read), options }
    }

    /// Returns the tree of the games that were read.
    pub fn finish(self, workers: &Workers) -> Tree {
        let Self { walk, options } = self;
        let gathered = walk.end().0;
        match grow(&gathered, &options, workers) {
            Ok(tree) => tree,
        }
    }
}

impl Job for GameTree {
    fn read(&mut self, workers: &Workers, path: &Path, source: Source, listener: &mut dyn Listener) -> io::Result<()> {
        self.walk.read(workers, path, source, listener)
    }

    fn is_over(&self) -> bool {
        self.walk.is_over()
    }

    fn totals(&self) -> Totals {
        self.walk.totals()
    }

    fn encoding(&self) -> Option<Label> {
        self.walk.encoding()
    }

    fn movetext(&self) -> Option<&str> {
        self.walk.movetext()
    }
}

/// The positions of all games, with their counts.
#[derive(Debug, Default)]
struct Gathered {
    by_key: HashMap<u64, u32, BuildHasherDefault<KeyHasher>>,
    places: Vec<Place>,
    moves: Vec<PlayedMove>,
    games: Vec<Game>,
    names: Names,
    models: usize,
}

/// A position.
#[derive(Clone, Copy, Debug)]
struct Place {
    counts: Counts,
    /// Its last move; `NONE` if it has none.
    last: u32,
    year: u16,
    models: [u32; MOST_MODELS],
}

/// A move, and the move of the same position before it.
#[derive(Clone, Copy, Debug)]
struct PlayedMove {
    next: u16,
    year: u16,
    before: u32,
    counts: Counts,
}

/// Keys are hashes already.
#[derive(Debug, Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

impl Output<Steps> for Gathered {
    fn stages(&mut self) -> OutputStages<'_, Steps> {
        OutputStages::deliver(|steps: &mut Steps| {
            for (summary, texts, steps) in steps.games() {
                self.add(summary, texts, steps);
            }
            ControlFlow::Continue(())
        })
    }
}

impl Gathered {
    fn add(&mut self, summary: Summary, texts: [&[u8]; 3], steps: &[Step]) {
        let game = u32::try_from(self.games.len()).unwrap_or(NONE);
        let [white, black, event] = texts.map(|text| self.names.number(text));
        self.games.push(Game { white, black, event, summary });
        let year = year_of(summary);
        let Self { by_key, places, moves, games, models, .. } = self;
        for step in steps {
            let new = u32::try_from(places.len()).unwrap_or(NONE);
            let at = *by_key.entry(step.key).or_insert(new);
            if at == new {
                places.push(Place { counts: Counts::default(), last: NONE, year: 0, models: [NONE; MOST_MODELS] });
            }
            let place = &mut places[at as usize];
            if step.reached != Reached::Again {
                let is_variation = step.reached == Reached::InVariation;
                place.counts.add(if is_variation { Outcome::Unknown } else { summary.result() });
                place.year = place.year.max(year);
                rate(&mut place.models[..*models], game, |game| games[game as usize].summary);
            }
            if step.next == 0 {
                continue;
            }
            let mut found = place.last;
            while found != NONE && moves[found as usize].next != step.next {
                found = moves[found as usize].before;
            }
            if found == NONE {
                found = u32::try_from(moves.len()).unwrap_or(NONE);
                moves.push(PlayedMove { next: step.next, year: 0, before: place.last, counts: Counts::default() });
                place.last = found;
            }
            let played = &mut moves[found as usize];
            played.counts.add(if step.is_variation { Outcome::Unknown } else { summary.result() });
            played.year = played.year.max(year);
        }
    }
}

/// Returns the year of a game; 0 if it is unknown.
pub(crate) fn year_of(summary: Summary) -> u16 {
    summary.month().and_then(|(year, _)| u16::try_from(year).ok()).unwrap_or(0)
}

impl Counter for Gathered {
    type Error = Infallible;

    fn count(&self, _: &Position, key: u64) -> Result<Counted, Infallible> {
        let Some(place) = self.by_key.get(&key).map(|at| self.places[*at as usize]) else {
            return Ok(Counted { models: [NONE; MOST_MODELS], ..Counted::default() });
        };
        let Place { counts, last, year, models } = place;
        let mut moves = Vec::new();
        let mut at = last;
        while at != NONE {
            let PlayedMove { next, year, before, counts } = self.moves[at as usize];
            moves.extend(Uci::from_bits(next).map(|next| CountedMove { next, year, counts }));
            at = before;
        }
        moves.reverse();
        Ok(Counted { counts, year, models, moves })
    }

    fn name(&self, games: &[u32], mut take: impl FnMut(NamedGame<'_>)) -> Result<(), Infallible> {
        for game in games {
            let Game { white, black, event, summary } = self.games[*game as usize];
            let [white, black, event] = [white, black, event].map(|name| self.names.text(name));
            take(NamedGame { white, black, event, summary });
        }
        Ok(())
    }
}
