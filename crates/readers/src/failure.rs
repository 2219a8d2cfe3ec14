//! Where the text of a source ends that cannot be read to its end.

use std::io;

#[cfg(all(feature = "chessbase", not(target_family = "wasm")))]
use crate::chessbase::ChessBaseError;
#[cfg(all(feature = "scid", not(target_family = "wasm")))]
use crate::scid::ScidError;
use crate::tabular::TableError;
use pgn2fen_bytes::{Damage, Fault};

/// Whether the text that was read before a failure may end within a game.
#[doc(hidden)]
pub fn cuts_text(failure: &io::Error) -> bool {
    // The text of a table ends with the last row that could be read, and that of a database with its last game.
    #[cfg(all(feature = "scid", not(target_family = "wasm")))]
    if ScidError::of(failure).is_some() {
        return false;
    }
    #[cfg(all(feature = "chessbase", not(target_family = "wasm")))]
    if ChessBaseError::of(failure).is_some() {
        return false;
    }
    TableError::of(failure).is_none() && Damage::of(failure).is_none_or(|damage| damage.fault != Fault::Trailing)
}
