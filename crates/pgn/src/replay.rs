//! Plays games over: a game → its starting position → one ply after another. Text and rules meet in this module.
//!
//! This module decides where a game starts (SetUp, FEN and Variant tags), what a written move means in the position,
//! and how much of a faulty game is right. It prints nothing. Faults are returned as
//! [`Diagnostic`](crate::diagnostic::Diagnostic)s.
//!
//! ```
//! use pgn2fen_pgn::diagnostic::Kind;
//! use pgn2fen_pgn::games::Games;
//!
//! let text = b"[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 5 39\"]\n\n39. e4 Ke6 *";
//! let mut replay = Games::new(text).next().unwrap().replay()?;
//! assert_eq!(replay.position().fullmoves(), 39);
//! assert_eq!(replay.next_ply().unwrap()?.san, b"e4");
//!
//! let error = replay.next_ply().unwrap().unwrap_err();
//! assert_eq!((error.kind, error.ply), (Kind::IllegalMove, Some(2)));
//! assert_eq!(error.reason, "the black king on e8 cannot reach e6");
//! # Ok::<(), pgn2fen_pgn::diagnostic::Diagnostic>(())
//! ```
//!
//! # Inside
//!
//! - `options`: how games are played
//! - `start`, `variant`, `recognised`, `stated`: where a game starts; what a line of a list states about its position
//! - `main_line`, `moves`, `variations`, `branches`: one ply after another; the events of a game, of its
//!   main line, and its variations
//! - `lines`, `line_data`: the tree of a game; the same as programs in other languages get it
//! - `pending_move`: the next move, before it is played
//! - `spelled`, `symbol`: symbols in any spelling
//! - `notes`, `searched`: the notes behind a move; the evaluation of the position
//! - `clocks`, `clock_comments`, `clock_form`: the time used for the move; clocks in comments; what `1:30` means in a
//!   game
//! - `unread`, `limits`: the text that an error leaves unread; the limits on the number of moves
//! - `result_kings`: kings in the centre, which show the result on electronic boards

mod branches;
mod clock_comments;
mod clock_form;
mod clocks;
mod limits;
#[cfg(feature = "serde")]
mod line_data;
mod lines;
mod main_line;
mod moves;
mod notes;
mod options;
mod pending_move;
mod recognised;
mod result_kings;
mod searched;
mod spelled;
mod start;
mod stated;
#[doc(hidden)]
pub mod symbol;
mod unread;
mod variant;
mod variations;

#[cfg(feature = "serde")]
pub use crate::replay::line_data::{LineData, LineStyle, MoveData, NotesData};
pub use crate::replay::lines::{Line, LineMove, Most, MoveNotes};
pub use crate::replay::main_line::{Ply, Replay, players};
pub use crate::replay::moves::{Event, Moves};
pub use crate::replay::options::{ReplayOptions, SetupPolicy, VariantPolicy};
pub use crate::replay::start::GameStart;

pub(crate) use crate::replay::start::read_position;

#[doc(hidden)]
pub use crate::replay::clocks::ClockRules;
#[doc(hidden)]
pub use crate::replay::limits::MOST_PLIES;
#[doc(hidden)]
pub use crate::replay::notes::Notes;
#[doc(hidden)]
pub use crate::replay::pending_move::{Observer, PendingMove};
#[doc(hidden)]
pub use crate::replay::recognised::Recognised;
#[doc(hidden)]
pub use crate::replay::start::start;
#[doc(hidden)]
pub use crate::replay::variant::{NamedStart, named_rules, named_start, only_played};
