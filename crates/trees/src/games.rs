//! A tree of the games of files.

use std::convert::Infallible;
use std::ops::ControlFlow;

use crate::grow::{Counted, Counter, NamedGame, grow, rate};
use crate::names::Names;
use crate::notes::Notes;
use crate::options::{MOST_MODELS, TreeOptions};
use crate::steps::{MakeSteps, Reached, Step, Steps};
use crate::summary::Summary;
use crate::tree::{Game, NONE, Tree};
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::position::Position;
use pgn2fen_games::job_methods;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::pgn::token::Outcome;
use pgn2fen_games::walk::{Job, Output, OutputStages, ReadOptions, Walk};

/// A job that reads games into a tree.
///
/// A game is played up to the last ply that counts, and used up to its first error. Memory grows with the number of
/// plies that count, 16 bytes each, and with the number of games, 20 bytes each.
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
        let gathered = Gathered::new(options.models.min(MOST_MODELS));
        Self { walk: Walk::new(MakeSteps::new(&options), gathered, read), options }
    }

    /// Returns the tree of the games that were read.
    pub fn finish(self, workers: &Workers) -> Tree {
        let Self { walk, options } = self;
        let mut gathered = walk.end().0;
        gathered.sort();
        match grow(&gathered, &options, workers) {
            Ok(tree) => Tree { notes: gathered.notes, others: gathered.others, ..tree },
        }
    }
}

impl Job for GameTree {
    job_methods!(walk);
}

/// The steps of all games.
///
/// They are sorted when they are all there, which takes less time and memory than a table of positions: most positions
/// are those of one game.
#[derive(Debug)]
pub(crate) struct Gathered {
    /// The steps by the first bits of their keys.
    parts: Vec<Vec<PlayedStep>>,
    games: Vec<Game>,
    names: Names,
    models: usize,
    pub(crate) notes: Notes,
    /// The number of games of other rules.
    others: u64,
}

/// The number of parts, which are sorted one after another: a part fits into the cache of a processor.
const PARTS: usize = 256;

/// A step of a game.
#[derive(Clone, Copy, Debug)]
struct PlayedStep {
    key: u64,
    game: u32,
    /// The bits of the move; 0 if there is none.
    next: u16,
    is_variation: bool,
    reached: Reached,
}

/// The part in which steps with a key are.
#[inline]
fn part_of(key: u64) -> usize {
    (key >> 56) as usize % PARTS
}

impl Output<Steps> for Gathered {
    fn stages(&mut self) -> OutputStages<'_, Steps> {
        OutputStages::deliver(|steps: &mut Steps| {
            for (summary, texts, steps) in steps.games() {
                self.add(summary, texts, steps);
            }
            self.others += steps.others;
            for (key, next, note) in steps.notes.drain(..) {
                self.notes.add(key, next, note);
            }
            ControlFlow::Continue(())
        })
    }
}

impl Gathered {
    pub(crate) fn new(models: usize) -> Self {
        let (names, notes) = (Names::default(), Notes::default());
        Self { parts: vec![Vec::new(); PARTS], games: Vec::new(), names, models, notes, others: 0 }
    }

    pub(crate) fn add(&mut self, summary: Summary, texts: [&[u8]; 3], steps: &[Step]) {
        let game = u32::try_from(self.games.len()).unwrap_or(NONE);
        let [white, black, event] = texts.map(|text| self.names.number(text));
        self.games.push(Game { white, black, event, summary });
        for Step { key, next, is_variation, reached } in steps.iter().copied() {
            self.parts[part_of(key)].push(PlayedStep { key, game, next, is_variation, reached });
        }
    }

    /// Puts the steps of each position together. They stay in the order of the games and of their texts.
    pub(crate) fn sort(&mut self) {
        for part in &mut self.parts {
            part.sort_by_key(|step| step.key);
        }
    }

    /// Returns the steps of a position.
    fn steps(&self, key: u64) -> &[PlayedStep] {
        let part = &self.parts[part_of(key)];
        let start = part.partition_point(|step| step.key < key);
        let length = part[start..].iter().take_while(|step| step.key == key).count();
        &part[start..start + length]
    }
}

impl Counter for Gathered {
    type Error = Infallible;

    fn count(&self, _: &Position, key: u64) -> Result<Counted, Infallible> {
        let mut counted = Counted::default();
        for step in self.steps(key) {
            let summary = self.games[step.game as usize].summary;
            let year = summary.year();
            let result = |is_variation| if is_variation { Outcome::Unknown } else { summary.result() };
            if step.reached != Reached::Again {
                counted.counts.add(result(step.reached == Reached::InVariation));
                counted.year = counted.year.max(year);
                let models = &mut counted.models[..self.models];
                rate(models, step.game, |game| self.games[game as usize].summary);
            }
            if let Some(next) = Uci::from_bits(step.next) {
                let played = counted.played(next);
                played.counts.add(result(step.is_variation));
                played.in_variations += u32::from(step.is_variation);
                played.year = played.year.max(year);
            }
        }
        Ok(counted)
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
