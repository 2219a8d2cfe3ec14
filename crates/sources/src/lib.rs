//! The sources of games: databases in memory or mapped, and streams, compressed or not.
//!
//! A [`Source`] is a [`Database`], whose bytes are at hand, or a stream, which is read once. [`Source::open`] opens
//! files of all formats that are read. A file that is not PGN is a stream of the PGN text that its records are.
//!
//! # Inside
//!
//! - `database`, `stream`, `source`: a database in memory; a stream, by the work that decoding it takes; either of them
//! - `open`, `options`: opens files, streams, members of archives and addresses; the options for it
//! - `open_stream`: a stream that has begun to be read
//! - `section`, `stretch`: a range of a zstd file; a range of a plain file that is not mapped
//! - `tiles`: a stream or a file in pieces of whole games, for callers that read on in steps
//! - `first_words`: the guess of the encoding of a text
//! - `before`: the numbers of games, lines and bytes before a range
//!
//! If the text of a compressed file ends early because of damage, it is read up to the end of its last whole game,
//! because part of a move or of a tag section has a different meaning.

mod before;
mod database;
mod first_words;
mod open;
mod open_stream;
mod options;
mod section;
mod source;
mod stream;
mod stretch;
mod tiles;

pub use crate::before::Before;
pub use crate::database::Database;
#[doc(hidden)]
pub use crate::database::Part;
#[doc(hidden)]
pub use crate::open_stream::OpenStream;
pub use crate::options::SourceOptions;
pub use crate::source::Source;
pub use crate::stream::LONGEST_GAME;
#[doc(hidden)]
pub use crate::stream::Stream;
#[doc(hidden)]
pub use crate::tiles::{ReadAt, Tile, Tiles};
#[doc(hidden)]
pub use pgn2fen_readers::GameParts;
