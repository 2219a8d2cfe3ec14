//! Games of tournaments compared with each other: pairings, rounds, results, tags and players.
//!
//! [`TournamentCheck`] is a [`Check`](crate::walk::Check) that also [finds](Finding) what is legal in each game and
//! cannot be right in a tournament.
//!
//! # Inside
//!
//! - `game`: what is read of a game, and what one game shows
//! - `compare`: what games show together
//! - `finding`: what was found, and where

mod compare;
mod finding;
mod game;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::job_methods;
use crate::tournament::compare::compare;
use crate::tournament::game::{Entries, Entry, TournamentGame};
use crate::walk::{BlockPosition, Job, Output, OutputStages, PositionChoice, ReadOptions, Walk};
use pgn2fen_filters::players::Players;

pub use crate::tournament::finding::{Finding, FindingKind};

/// A check of games that also compares the games of each tournament. Memory grows with the number of games, about 200
/// bytes each.
///
/// Games are of one tournament if they have the same Event and the same year. Without an Event, the games of a file
/// are. Players are the same under all names that are certainly theirs, as in a
/// [list of players](crate::players::PlayerList).
///
/// ```
/// use std::path::Path;
///
/// use pgn2fen_games::database::{Database, Source};
/// use pgn2fen_games::parallel::Workers;
/// use pgn2fen_games::tournament::TournamentCheck;
/// use pgn2fen_games::walk::{Job, ReadOptions};
///
/// let games = b"[White \"Tal\"]\n[Date \"1960.02.30\"]\n[Result \"1-0\"]\n\n1. f3 e5 2. g4 Qh4# 1-0\n".to_vec();
/// let mut check = TournamentCheck::new(ReadOptions::default());
/// check.read(&Workers::new(1)?, Path::new("a.pgn"), Source::Whole(Database::from(games)), &mut ())?;
/// let found: Vec<String> = check.findings().iter().map(ToString::to_string).collect();
/// assert_eq!(
///     found,
///     [
///         "a.pgn:2:1: unreadable-tag: Date \"1960.02.30\": there is no such day",
///         "a.pgn:3:1: result-on-board: the board shows mate by Black, and the result is 1-0",
///     ]
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TournamentCheck {
    walk: Walk<TournamentGame, Collected>,
    players: Players,
}

impl TournamentCheck {
    /// Creates a check of games with their variations.
    pub fn new(read: ReadOptions) -> Self {
        Self::with(read, PositionChoice { variations: true, ..PositionChoice::default() })
    }

    /// Creates a check of the main lines of games, which says nothing about their variations.
    pub fn of_main_lines(read: ReadOptions) -> Self {
        Self::with(read, PositionChoice::default())
    }

    fn with(read: ReadOptions, positions: PositionChoice) -> Self {
        let players = read.games.players.clone();
        Self { walk: Walk::new(TournamentGame::new(positions), Collected::default(), read), players }
    }

    /// Returns what was found, in the order of the files and of their lines.
    pub fn findings(self) -> Vec<Finding> {
        let Collected { files, entries, mut findings } = self.walk.end().0;
        findings.extend(compare(&entries, &self.players, &files));
        findings.sort_by_key(|(file, finding)| (*file, finding.line, finding.column, finding.kind));
        let named = |(file, finding): (usize, Finding)| Finding { file: files[file].clone(), ..finding };
        findings.into_iter().map(named).collect()
    }
}

impl Job for TournamentCheck {
    job_methods!(walk);
}

/// The games of all files, and what single games show.
#[derive(Debug, Default)]
struct Collected {
    files: Vec<PathBuf>,
    entries: Vec<Entry>,
    /// Findings without the path of their file, with its number.
    findings: Vec<(usize, Finding)>,
}

impl Output<Entries> for Collected {
    fn begin_file(&mut self, path: &Path) {
        self.files.push(path.to_owned());
    }

    fn stages(&mut self) -> OutputStages<'_, Entries> {
        OutputStages::deliver(|_: &mut Entries| ControlFlow::Continue(())).order(|block, position| {
            self.add(block, position);
        })
    }
}

impl Collected {
    fn add(&mut self, block: &mut Entries, position: &BlockPosition<'_>) {
        let file = self.files.len().saturating_sub(1);
        let place = |(line, column): (u64, usize)| {
            let before = if line == 0 { position.start.1 } else { 0 };
            (position.line() + line + 1, before + column + 1)
        };
        for noted in block.noted.drain(..) {
            let (line, column) = place(noted.place);
            let finding = Finding { file: PathBuf::new(), line, column, kind: noted.kind, text: noted.text };
            self.findings.push((file, finding));
        }
        for (entry, at) in block.entries.drain(..) {
            self.entries.push(Entry { file, place: place(at), ..entry });
        }
    }
}
