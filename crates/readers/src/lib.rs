//! Readers of files of other kinds: puzzles, evaluations and games in CSV and JSON, tables, Scid and ChessBase
//! databases, training data and the members of zip archives. Their games are read as the text of PGN.
//!
//! [`detect`] recognises the format of a file by its first bytes, from one list of formats, and [`InputFormat::open`]
//! returns the [text of its games](TableGames). A build without the feature of a format does not have it in the list.
//!
//! # Inside
//!
//! - `formats`, `input_format`: the list of formats; what each of them implements
//! - `games`, `game_text`, `text`: the games of a file as pieces of text; the text of one of them; a reader of text
//!   that is made while it is read
//! - `tabular`: Parquet and Arrow files of games, and the meaning of columns
//! - `records`: puzzles, evaluations and games in CSV and JSON
//! - `puzzle`: a puzzle of CSV or another table as a game
//! - `scid`, `chessbase`, `database`: Scid and ChessBase databases, and what their readers share
//! - `training`: binpack, viriformat and bulletformat
//! - `archive`: zip archives, and their members
//! - `foreign`: files of other kinds, recognised by their first bytes, which are refused
//! - `failure`: whether the text before a failure ends with a whole game

mod archive;
#[cfg(all(feature = "chessbase", not(target_family = "wasm")))]
mod chessbase;
#[cfg(all(any(feature = "chessbase", feature = "scid"), not(target_family = "wasm")))]
mod database;
mod failure;
mod foreign;
mod formats;
#[cfg(any(feature = "records", feature = "tables"))]
mod game_text;
mod games;
mod input_format;
#[cfg(any(feature = "records", feature = "tables"))]
mod puzzle;
#[cfg(feature = "records")]
mod records;
#[cfg(all(feature = "scid", not(target_family = "wasm")))]
mod scid;
mod tabular;
#[cfg(any(
    feature = "records",
    feature = "tables",
    all(any(feature = "chessbase", feature = "scid"), not(target_family = "wasm"))
))]
mod text;
#[cfg(feature = "training")]
mod training;

pub use crate::archive::{Archive, ArchiveError, ArchiveMember, archive_of};
#[cfg(all(feature = "chessbase", not(target_family = "wasm")))]
pub use crate::chessbase::ChessBaseError;
#[doc(hidden)]
pub use crate::failure::cuts_text;
#[doc(hidden)]
pub use crate::foreign::MOST_LAYERS;
pub use crate::foreign::{Foreign, ForeignError};
pub use crate::formats::companions;
#[doc(hidden)]
pub use crate::formats::{detect, kinds};
#[doc(hidden)]
pub use crate::games::{GameParts, TableGames};
#[doc(hidden)]
pub use crate::input_format::{Input, InputFormat, Known, Origin};
#[cfg(all(feature = "scid", not(target_family = "wasm")))]
pub use crate::scid::ScidError;
pub use crate::tabular::{TableError, is_guarded};
