//! Moves as text: SAN and what real files have in its place.
//!
//! [`resolve`] finds the one legal move that a symbol of movetext means; [`append`] writes a move as SAN. Nothing here knows
//! of a game: the symbol and the position are all there is.
//!
//! Accepted besides SAN (PGN standard §8.2.3), as long as exactly one legal move fits:
//!
//! - more about where a piece comes from than is needed, `Ng1f3`, `Ng1-f3`, `g1f3`, and wrong or missing `+` and `#`, which
//!   are none of a reader's business (§8.2.3.4, §8.2.3.5);
//! - what [`SanRepair`] lists, each told to the caller;
//! - the piece letters of another language, if the caller asks for it by [`Letters`];
//! - passing, written `--`, `Z0`, `0000`, `@@@@`, `null` or `pass`, as [`Move::Null`](crate::chess::moves::Move::Null).
//!
//! A symbol is read from its first byte to its last, or not at all. To look for a move inside of what is none is how German
//! `Sf3` becomes the pawn move `f3`.
//!
//! ```
//! use pgn2fen::chess::{moves::Move, piece::Role, position::Position, square::Square};
//! use pgn2fen::san::{self, Letters};
//!
//! let position = Position::initial();
//! let nf3 = Move::Normal { role: Role::Knight, from: Square::G1, to: Square::F3, promotion: None };
//! assert_eq!(san::resolve(b"Nf3", &position, &Letters::ENGLISH)?.mv, nf3);
//! assert_eq!(san::resolve("♘f3".as_bytes(), &position, &Letters::ENGLISH)?.mv, nf3);
//!
//! let error = san::resolve(b"Ne5", &position, &Letters::ENGLISH).unwrap_err();
//! assert_eq!(error.to_string(), "no white knight can reach e5");
//! let error = san::resolve(b"Sf3", &position, &Letters::ENGLISH).unwrap_err();
//! assert_eq!(error.to_string(), "German, Polish, Swedish, Danish or Norwegian piece letters? try --lang de");
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
mod refusal;
mod repair;
mod resolve;
mod spelling;
mod write;

pub use crate::san::error::{SanError, SanErrorKind};
pub use crate::san::letters::{Letters, languages};
pub use crate::san::repair::SanRepair;
pub(crate) use crate::san::resolve::resolve_standard;
pub use crate::san::resolve::{Resolved, resolve};
pub use crate::san::write::{append, append_between};
