//! Reads and writes moves in SAN, the notation of PGN files, and reads the spellings that real files use in its place.
//!
//! [`resolve`] finds the one legal move that a symbol of movetext means. [`append`] writes a move as SAN. Both need
//! only the symbol or move and the position, not the game.
//!
//! Besides SAN (PGN standard §8.2.3), these spellings are accepted if exactly one legal move fits:
//!
//! - a more precise origin square than is needed, such as `Ng1f3`, `Ng1-f3` or `g1f3`, and wrong or missing `+` and
//!   `#`, which have no influence on the result (§8.2.3.4, §8.2.3.5);
//! - the spellings that [`SanRepair`] lists; each is reported to the caller;
//! - moves in digits, as in correspondence chess: `5254`, `57581`;
//! - the piece letters of another language, if the caller passes its [`Letters`];
//! - a null move, written `--`, `Z0`, `0000`, `@@@@`, `null` or `pass`; it is read as
//!   [`Move::Null`](crate::moves::Move::Null).
//!
//! A symbol is parsed as a whole, from its first byte to its last. The parser never searches for a move inside a longer
//! symbol: it would read the German `Sf3` as the pawn move `f3`.
//!
//! ```
//! use pgn2fen_chess::{moves::Move, piece::Role, position::Position, square::Square};
//! use pgn2fen_chess::san::{self, Letters};
//!
//! let position = Position::initial();
//! let nf3 = Move::Normal { role: Role::Knight, from: Square::G1, to: Square::F3, promotion: None };
//! assert_eq!(san::resolve(b"Nf3", &position, &Letters::ENGLISH)?.mv, nf3);
//! assert_eq!(san::resolve("♘f3".as_bytes(), &position, &Letters::ENGLISH)?.mv, nf3);
//!
//! let error = san::resolve(b"Ne5", &position, &Letters::ENGLISH).unwrap_err();
//! assert_eq!(error.to_string(), "no white knight can reach e5");
//! let error = san::resolve(b"Sf3", &position, &Letters::ENGLISH).unwrap_err();
//! assert_eq!(error.to_string(), "German, Polish, Swedish, Danish or Norwegian piece letters? try `lang=de`");
//!
//! let mut text = Vec::new();
//! san::append(&position, nf3, &mut text);
//! assert_eq!(text, b"Nf3");
//! # Ok::<(), san::SanError>(())
//! ```

mod canonical;
mod error;
mod fitting;
mod letters;
mod look_alikes;
mod refusal;
mod repair;
mod resolve;
mod spelling;
mod write;
mod written;

pub use crate::san::error::{SanError, SanErrorKind};
pub use crate::san::letters::{Letters, languages};
pub use crate::san::repair::SanRepair;
pub use crate::san::resolve::{Resolved, resolve};
#[doc(hidden)]
pub use crate::san::resolve::{resolve_rarer, resolve_standard, resolve_usual};
#[doc(hidden)]
pub use crate::san::write::Spelled;
pub use crate::san::write::{append, append_between};
pub use crate::san::written::{CheckMark, WrittenMove};
