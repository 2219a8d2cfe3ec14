//! A FEN for every ply of every game: reads PGN as it is found in the wild, starts each game where its SetUp and FEN
//! tags say, and plays it over by the rules of chess and Chess960.
//!
//! ```text
//! bytes ──► games ──► tags │ tokens ──► replay ──► positions
//! ```
//!
//! [`database`] has the bytes, [`pgn`] the text, [`chess`], [`fen`] and [`san`] the rules; they meet in [`replay`].
//! [`parallel`] takes a whole file through all cores, and [`positions`] is what the command `pgn2fen` does with it, [`starts`]
//! what `pgn2fen starts` does; [`rows`] has the formats for what is said of a position. An [`index`] knows which games
//! reached a position.
//!
//! # Games, one after another
//!
//! Games borrow the bytes of their database, which is framed and played in one pass. The events of a game are its moves, comments,
//! glyphs and variations, in the order of the text. `examples/tree.rs` rebuilds the tree of a game from them.
//!
//! ```
//! use pgn2fen::{Database, Event};
//!
//! let database = Database::from(b"[White \"Steinitz\"]\n\n1. e4! {best by test} (1. d4 d5) c5 *".to_vec());
//! let mut lines = Vec::new();
//! for game in database.games() {
//!     let white = game.tag("White").unwrap_or_default();
//!     let mut moves = game.moves()?;
//!     while let Some(event) = moves.next() {
//!         match event? {
//!             Event::Move(ply) => lines.push(format!("{white}: {ply} {}", moves.after())),
//!             Event::Comment(comment) => lines.push(comment.decode().into_owned()),
//!             Event::Nag(nag) => lines.push(format!("${nag}")),
//!             Event::VariationStart => lines.push("(".to_owned()),
//!             Event::VariationEnd => lines.push(")".to_owned()),
//!             _ => {}
//!         }
//!     }
//! }
//! assert_eq!(lines[0], "Steinitz: e4 rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
//! assert_eq!(lines[1..4], ["$1", "best by test", "("]);
//! # Ok::<(), pgn2fen::Diagnostic>(())
//! ```
//!
//! Where only the positions of the main lines are wanted, [`Replay`](replay::Replay) passes over everything else, and a
//! [`FenWriter`](fen::FenWriter) writes one position after another faster than each alone:
//!
//! ```
//! use pgn2fen::Database;
//! use pgn2fen::fen::{FenStyle, FenWriter};
//!
//! let database = Database::from(b"1. e4 c5 2. Nf3 *".to_vec());
//! let mut writer = FenWriter::new(FenStyle::default());
//! let mut lines = Vec::new();
//! for game in database.games() {
//!     let mut replay = game.replay()?;
//!     while let Some(ply) = replay.next_ply() {
//!         ply?;
//!         writer.append(replay.position(), &mut lines);
//!         lines.push(b'\n');
//!     }
//! }
//! assert!(lines.starts_with(b"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\n"));
//! # Ok::<(), pgn2fen::Diagnostic>(())
//! ```
//!
//! # The rules alone
//!
//! ```
//! use pgn2fen::Position;
//!
//! let position: Position = "8/8/8/3k4/8/8/4P3/4K3 w - - 0 1".parse()?;
//! let moves: Vec<String> = position.legal_moves().iter().map(|m| m.to_san(&position)).collect();
//! assert_eq!(moves.len(), 6);
//! assert!(moves.contains(&"e4+".to_owned()));
//!
//! let position = position.play_san("e4+")?;
//! assert_eq!(position.to_string(), "8/8/8/3k4/4P3/8/8/4K3 b - e3 0 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # On all cores
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use pgn2fen::database::{Database, Source};
//! use pgn2fen::fen::FenStyle;
//! use pgn2fen::parallel::{Delivery, Workers};
//! use pgn2fen::positions::{Batch, Positions};
//!
//! let games = b"1. e4 e5 1-0\n".repeat(1000);
//! let job = Positions { style: Some(FenStyle::default()), ..Positions::default() };
//! let mut positions = 0;
//! Workers::new(0)?.walk(
//!     Source::Whole(Database::from(games)),
//!     |text, until, batch: &mut Batch| job.read(text, until, batch),
//!     |delivery: Delivery<'_, Batch>| {
//!         // Here `delivery.batch.output` has the next lines, in file order.
//!         positions += delivery.batch.count.positions;
//!         ControlFlow::Continue(())
//!     },
//! )?;
//! assert_eq!(positions, 3000);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    not(all(feature = "arrow", feature = "parquet", feature = "index")),
    allow(dead_code, unused_imports, reason = "what the jobs of these features share is compiled without them, too")
)]

pub mod chess;
pub mod database;
pub mod diagnostic;
pub mod fen;
#[cfg(feature = "index")]
pub mod index;
#[cfg(feature = "internals")]
pub mod internals;
pub mod parallel;
pub mod pgn;
pub mod replay;
#[cfg(feature = "tables")]
pub mod rows;
pub mod san;
pub mod selection;
#[cfg(feature = "tables")]
pub mod starts;
mod tables;
pub mod walk;

pub use crate::chess::moves::Move;
pub use crate::chess::position::Position;
pub use crate::database::{Database, Source};
pub use crate::diagnostic::Diagnostic;
pub use crate::index::Index;
pub use crate::parallel::Workers;
pub use crate::pgn::games::Game;
pub use crate::replay::{Event, Moves, Ply};

/// The programs of the guide, which are compiled as the examples of this item.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
pub mod guide {}
