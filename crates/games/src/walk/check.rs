//! A job that plays games over and only reports diagnostics.

use std::ops::ControlFlow;

use crate::job_methods;
use crate::walk::batch::Out;
use crate::walk::choice::PositionChoice;
use crate::walk::game_task::{GameTask, OpenGame, Played};
use crate::walk::options::ReadOptions;
use crate::walk::run::{Job, Output, OutputStages, Walk};

/// A check of games: every move is played, those of variations included, and all faults are reported to a
/// [`Listener`](crate::walk::Listener).
///
/// ```
/// use std::path::Path;
///
/// use pgn2fen_games::database::{Database, Source};
/// use pgn2fen_games::diagnostic::Diagnostic;
/// use pgn2fen_games::parallel::Workers;
/// use pgn2fen_games::walk::{Check, Listener, Place, ReadOptions, Job};
///
/// struct Messages(Vec<String>);
///
/// impl Listener for Messages {
///     fn diagnostic(&mut self, diagnostic: &Diagnostic, place: Place) {
///         self.0.push(format!("{}:{}: {}", place.line, place.column, diagnostic.reason));
///     }
/// }
///
/// let mut messages = Messages(Vec::new());
/// let database = Database::from(b"1. e4 e5 (1... c5 2. Ke3) 1-0\n\n1. e5 *\n".to_vec());
/// let mut check = Check::new(ReadOptions::default());
/// check.read(&Workers::new(0)?, Path::new("games.pgn"), Source::Whole(database), &mut messages)?;
/// assert_eq!(messages.0[0], "1:22: the white king on e1 cannot reach e3 (in a variation)");
/// assert_eq!(messages.0[1], "3:4: no white pawn can reach e5");
/// assert_eq!(check.totals().count.games, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Check(Walk<Plays, Nothing>);

impl Check {
    /// Creates a check of games with their variations.
    pub fn new(read: ReadOptions) -> Self {
        let positions = PositionChoice { variations: true, ..PositionChoice::default() };
        Self(Walk::new(Plays(positions), Nothing, read))
    }

    /// Creates a check of the main lines of games, which says nothing about their variations.
    pub fn of_main_lines(read: ReadOptions) -> Self {
        Self(Walk::new(Plays(PositionChoice::default()), Nothing, read))
    }
}

impl Job for Check {
    job_methods!(0);
}

/// Plays games over.
#[derive(Debug)]
struct Plays(PositionChoice);

impl GameTask for Plays {
    type BlockResult = ();

    fn needs_offsets(&self) -> bool {
        false
    }

    fn game(&self, game: &mut OpenGame<'_, '_>, _: &mut Out<'_, ()>) -> Played {
        let choice = self.0.in_game(game);
        game.play(|replay| {
            let mut played = Played { positions: 1, ..Played::default() };
            if !self.0.variations || replay.has_no_variation() {
                while let Some(ply) = replay.next_ply() {
                    match ply {
                        Ok(_) => played.positions += 1,
                        Err(error) => played.errors.push(error),
                    }
                }
                return played;
            }
            while choice.next_ply(replay, &mut played.errors).is_some() {
                played.positions += 1;
            }
            played
        })
    }
}

/// Drops all results.
#[derive(Debug)]
struct Nothing;

impl Output<()> for Nothing {
    fn stages(&mut self) -> OutputStages<'_, ()> {
        OutputStages::deliver(|()| ControlFlow::Continue(()))
    }
}
