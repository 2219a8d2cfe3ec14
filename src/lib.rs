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
//! # Every position of every game
//!
//! Games borrow the bytes and are read only as far as you ask: tags when asked for, moves when played.
//!
//! ```
//! use pgn2fen::database::Database;
//! use pgn2fen::fen::{FenStyle, FenWriter};
//!
//! let database = Database::from(b"[White \"Steinitz\"]\n\n1. e4 c5 2. Nf3 *".to_vec());
//! let mut writer = FenWriter::new(FenStyle::default());
//! let mut lines = Vec::new();
//! for game in database.games() {
//!     let mut replay = game.replay()?;
//!     while let Some(ply) = replay.next_ply() {
//!         let ply = ply?;
//!         lines.extend_from_slice(ply.san);
//!         lines.push(b' ');
//!         writer.append(replay.position(), &mut lines);
//!         lines.push(b'\n');
//!     }
//! }
//! assert!(lines.starts_with(b"e4 rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\n"));
//! # Ok::<(), pgn2fen::diagnostic::Diagnostic>(())
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

mod batch;
pub mod chess;
pub mod database;
pub mod diagnostic;
pub mod fen;
pub mod index;
#[cfg(feature = "internals")]
pub mod internals;
pub mod parallel;
pub mod pgn;
pub mod positions;
pub mod postings;
pub mod replay;
pub mod rows;
pub mod san;
pub mod selection;
pub mod starts;
mod tables;

/// The programs of the guide, which are compiled as the examples of this item.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
pub mod guide {}
