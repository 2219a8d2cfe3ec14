//! Reads and writes positions as text: FEN, X-FEN and Shredder-FEN; reads EPD.
//!
//! [`read`] accepts the variations that real files have, and reports in [`Repairs`] how the text differs from a FEN:
//!
//! - The six fields of the standard (§16.1), or fewer: only the board and the side to move are required. Missing
//!   castling rights and a missing en passant square are read as `-`, missing clocks as `0 1`.
//! - EPD operations after the fields (§16.2). `hmvc` and `fmvn` set the clocks that are not given as fields; other
//!   operations are skipped, even if they are malformed. [`operations`] reads them.
//! - A remark behind the fields, such as `# note`, `;20` or `[0.5] 20`, and a side to move in words.
//! - Castling rights in any order. `K` and `Q` mean the outermost rook on that side of the king (X-FEN), `A` to `H` the
//!   rook on that file (Shredder-FEN).
//! - White space other than one space between fields, or `_` in its place; two adjacent digits in a rank; the fullmove
//!   number 0, which is read as 1; and `W`, `B` or `E3` in the wrong case.
//!
//! Ambiguous or malformed text is an error: a board alone, too many ranks, a rank that is too long, a third castling
//! right for one side, a clock that is not a number or is above [`u32::MAX`], a byte in the fields that is not ASCII,
//! another board.
//!
//! [`FenWriter`] writes the positions of a game one after another and reuses the text that did not change. [`append`]
//! and [`to_string`] write a single position. [`FenStyle`] holds the options.
//!
//! ```
//! use pgn2fen_chess::fen::{self, FenStyle};
//!
//! let reading = fen::read(b"8/8/8/3k4/8/8/4P3/4K3_b_-_-_5_39")?;
//! assert_eq!(reading.repairs.to_string(), "'_' stands for blanks");
//! assert_eq!(fen::to_string(&reading.position, FenStyle::default()), "8/8/8/3k4/8/8/4P3/4K3 b - - 5 39");
//!
//! let error = fen::read(b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1").unwrap_err();
//! assert_eq!(error.to_string(), "there are 7 ranks, not 8 (column 1)");
//! # Ok::<(), fen::FenError>(())
//! ```

mod additions;
mod board_text;
mod castling;
mod castling_text;
mod clocks;
mod error;
mod fields;
mod first_char;
mod line;
mod line_space;
mod loose;
mod numbers;
mod operations;
mod piece_placement;
mod plain;
#[cfg(test)]
pub(crate) mod playout;
mod read;
mod repair;
mod style;
mod variant_text;
mod write;

pub use crate::fen::additions::rules_of_form;
#[doc(hidden)]
pub use crate::fen::clocks::is_known_opcode;
pub use crate::fen::error::FenError;
#[doc(hidden)]
pub use crate::fen::line::LineBuffer;
#[doc(hidden)]
pub use crate::fen::line_space::LineSpace;
#[doc(hidden)]
pub use crate::fen::numbers::short_number;
pub use crate::fen::operations::{Operation, OperationFault, Operations, operations};
pub use crate::fen::read::{Reading, read, read_by, read_setup};
#[doc(hidden)]
pub use crate::fen::read::{read_setup_by, read_setup_with, read_without_turn};
pub use crate::fen::repair::{Oddity, Repair, Repairs};
pub use crate::fen::style::{CastlingStyle, EpStyle, FenStyle, Fields, VariantStyle};
pub use crate::fen::write::{FenWriter, append, to_string};
