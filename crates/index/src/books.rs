//! Opening books from an index: Polyglot books for engines, and opening suites for matches.
//!
//! A [`PolyglotBook`] has the moves that were played in each position, with weights; an [`OpeningSuite`] has positions
//! as EPD. Both are options with a function that writes the file. A [`BookChoice`] says which games and positions they
//! are made of.
//!
//! ```
//! use std::ops::ControlFlow;
//! # use std::path::Path;
//!
//! use pgn2fen_index::books::{BookChoice, PolyglotBook, Weight};
//! use pgn2fen_games::Workers;
//! use pgn2fen_index::Index;
//! # use pgn2fen_games::database::{Database, Source};
//! # use pgn2fen_index::{BuildOptions, Builder};
//! # use pgn2fen_games::walk::{Job, ReadOptions};
//!
//! # let folder = tempfile::tempdir()?;
//! # let folder = folder.path().join("games.idx");
//! # let workers = Workers::new(0)?;
//! # let mut indexing = Builder::new(&folder, BuildOptions::default(), &workers)?.begin(ReadOptions::default());
//! # let games = Database::from(b"1. e4 c5 2. Nf3 1-0\n1. Nf3 c5 2. e4 d6 1/2-1/2\n".to_vec());
//! # indexing.read(&workers, Path::new("two games"), Source::Whole(games), &mut ())?;
//! # indexing.finish(&workers, &|_, _| ControlFlow::Continue(()))?;
//! let index = Index::open(&folder)?;
//! let choice = BookChoice { plies: "..20".parse()?, min_games: 1, ..BookChoice::default() };
//! let book = PolyglotBook { choice, weight: Weight::Games, ..PolyglotBook::default() };
//! let mut bytes = Vec::new();
//! let written = book.write(&index, &Workers::new(0)?, &mut bytes, &|_, _| ControlFlow::Continue(()))?;
//! // e4 and Nf3 in the initial position, c5 behind each of them, Nf3 and e4 behind that, and d6.
//! assert_eq!((written.positions, written.moves, bytes.len()), (6, 7, 7 * 16));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Inside
//!
//! - `choice`, `weight`, `percent`, `error`: the options; weights of moves; scores; errors
//! - `polyglot`, `entries`: a Polyglot book, and the 16 bytes of an entry
//! - `suite`, `places`: an opening suite as EPD; places of positions, sorted in bounded memory
//!
//! A book needs all positions of the index in the order of their keys, and postings have that order. `count_by_key`
//! reads them once, in pieces of the range of keys that the workers share, and counts the moves of each position by the
//! rules of `find --moves`. Castling in the index is the step of the king in UCI notation, and a rook or queen can make
//! the same move. A key has no board to ask. But the key after castling follows from the key before it, except for the
//! castling rights and an en passant square, which leave 18 possibilities: the move is castling if one of them is in
//! the index (`keys_after_castling`). Positions of an opening suite are read from the game in which each first occurs.
//! The places of these games are sorted, so files are read once and forward.

mod choice;
mod entries;
mod error;
mod percent;
mod places;
mod polyglot;
mod suite;
mod weight;

pub use crate::books::choice::BookChoice;
pub use crate::books::error::BookError;
pub use crate::books::percent::{Balance, Percent};
pub use crate::books::polyglot::{PolyglotBook, WrittenBook};
pub use crate::books::suite::{OpeningSuite, WrittenSuite};
pub use crate::books::weight::Weight;
