//! Positions as text: FEN, X-FEN and Shredder-FEN, written and read, and EPD, read.
//!
//! [`read`] takes what real files have, and tells in [`Repairs`] where that is not quite a FEN:
//!
//! - six fields as the standard has them (§16.1); or fewer, down to board and side to move, where `-` stands for castling and
//!   en passant and `0 1` for the clocks;
//! - EPD operations after the fields (§16.2), if a semicolon ends one: `hmvc` and `fmvn` are the clocks that are not given
//!   as fields, others are passed over;
//! - castling rights in any order: `K` and `Q` for the outermost rook on that side of the king (X-FEN), `A` to `H` for the
//!   rook on that file (Shredder-FEN);
//! - other blanks than one space, also `_`; two adjacent digits in a rank; the fullmove number 0, for 1; and `W`, `B` or
//!   `E3` in the wrong case.
//!
//! What could mean this or that is refused: a board alone, a rank too many or too long, a third right for one side, a clock
//! that is no number or above [`u32::MAX`], a byte that is not ASCII.
//!
//! [`FenWriter`] writes the positions of a game, of which one has most of its text from the one before; [`append`] and
//! [`to_string`] write one position. What may be chosen is in [`FenStyle`].
//!
//! ```
//! use pgn2fen::fen::{self, FenStyle};
//!
//! let reading = fen::read(b"8/8/8/3k4/8/8/4P3/4K3_b_-_-_5_39")?;
//! assert_eq!(reading.repairs.to_string(), "'_' stands for blanks");
//! assert_eq!(fen::to_string(&reading.position, FenStyle::default()), "8/8/8/3k4/8/8/4P3/4K3 b - - 5 39");
//!
//! let error = fen::read(b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1").unwrap_err();
//! assert_eq!(error.to_string(), "there are 7 ranks, not 8 (column 1)");
//! # Ok::<(), fen::FenError>(())
//! ```

mod board_text;
mod castling;
mod castling_text;
mod clocks;
mod error;
mod piece_placement;
#[cfg(test)]
pub(crate) mod playout;
mod read;
mod repair;
mod style;
mod words;
mod write;

pub use crate::fen::error::FenError;
pub use crate::fen::read::{Reading, read, read_setup};
pub use crate::fen::repair::{Oddity, Repair, Repairs};
pub use crate::fen::style::{CastlingStyle, EpStyle, FenStyle, Fields};
pub use crate::fen::write::{FenWriter, append, to_string};
