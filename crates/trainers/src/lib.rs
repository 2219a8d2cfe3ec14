//! The bytes of binpack, viriformat and bulletformat, the binary formats of trainers of neural networks: boards, moves
//! and chains of moves. The crate `pgn2fen-rows` writes files of them, and `pgn2fen-readers` reads them.
//!
//! # Sources
//!
//! The layout of binpack is that of `docs/binpack.md` in the branch `tools` of Stockfish, and of the reference header
//! by Tomasz Sobczyk (MIT; `binpack.h` and `chess.h` in the data loader of nnue-pytorch). The other two are those of
//! the crates viriformat 3.0 and bulletformat 1.8 (MIT).
//!
//! # Inside
//!
//! - `men`: the occupied squares, and four bits for each man
//! - `step`: moves in 16 bits
//! - `placement`: a position as binpack sees it, and its moves as numbers
//! - `chain`: stems and the moves that follow them
//! - `bits`: numbers of a few bits

mod bits;
mod chain;
mod men;
mod placement;
mod step;

pub use crate::chain::{Broken, CHUNK_HEADER, CHUNK_MAGIC, ChainReader, ChainWriter, Labels, STEM, Stem};
pub use crate::men::{MOST_MEN, codes, men};
pub use crate::placement::Placement;
pub use crate::step::{Kind, Step};
