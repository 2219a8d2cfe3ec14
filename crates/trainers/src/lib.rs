//! The bytes of binpack, viriformat and bulletformat, the binary formats of trainers of neural networks: boards, moves
//! and chains of moves. The crate `pgn2fen-rows` writes files of them, and `pgn2fen-readers` reads them.
//!
//! # Sources
//!
//! The layout of binpack is that of `docs/binpack.md` in the branch `tools` of Stockfish, and of the reference header
//! by Tomasz Sobczyk (MIT; `binpack.h` and `chess.h` in the data loader of nnue-pytorch). The other two are those of
//! the crates viriformat 3.0 and bulletformat 1.8 (MIT).
//!
//! # Layouts
//!
//! ## Viriformat
//!
//! Each game begins with 32 bytes. Then each position has four bytes, and four zero bytes end the game. All numbers
//! are little-endian.
//!
//! - 0–7: the occupied squares, as a number of 64 bits. The lowest bit is a1, the next b1.
//! - 8–23: the pieces on these squares in this order, four bits each, the low four bits of a byte first. P N B R Q K
//!   are 0 to 5, a rook that may castle is 6, and Black's pieces have 8 more.
//! - 24: the en passant square, 0 to 63, or 64; plus 128 if Black is to move. The square is there if an enemy pawn
//!   stands next to the pushed pawn.
//! - 25: the halfmove clock, at most 255.
//! - 26–27: the fullmove number, from 1 to 65535.
//! - 28–29: an evaluation of the start, which is zero here because each move has one.
//! - 30: the result. 0 is a win of Black, 1 a draw, 2 a win of White.
//! - 31: zero.
//!
//! The four bytes of a position:
//!
//! - 0–1: the move that was played in it. From the lowest bit six for the origin, six for the target, two for the
//!   promotion piece (N B R Q are 0 to 3) and two for the kind: 1 en passant, 2 castling, 3 promotion. Castling is
//!   the king capturing its own rook.
//! - 2–3: its evaluation, from White's side, signed.
//!
//! ## Binpack
//!
//! A file is a sequence of chunks: `BINP`, the size of the chunk in four bytes, the lowest first, and whole chains. A
//! writer ends a chunk at about 1 MiB. In a chain all numbers have their highest byte first.
//!
//! - 0–7: the occupied squares. The lowest bit is a1, the next b1.
//! - 8–23: the pieces on these squares, as in viriformat with other numbers: twice 0 to 5 for P N B R Q K, and one
//!   more for Black's. 12 is a pawn that may be captured en passant, 13 and 14 are a rook of White and of Black that
//!   may castle, and 15 is the king of Black if Black is to move.
//! - 24–25: the move. From the lowest bit two for the promotion piece (N B R Q are 0 to 3), six for the target, six
//!   for the origin and two for the kind: 1 promotion, 2 castling as the king capturing its own rook, 3 en passant.
//! - 26–27: the evaluation, with its sign in the lowest bit.
//! - 28–29: the ply, at most 16383, and the result in the two highest bits: 0 for a draw, 1 for a loss, 2 for a win
//!   of the side to move.
//! - 30–31: the halfmove clock, at most 255.
//! - 32–33: the number of moves that follow.
//! - Then, in bits, each of these moves: the place of its piece among those of the side to move, and the place of its
//!   target among the squares to which the piece goes, each in as few bits as their number needs. Then the difference
//!   of its evaluation from that of the position before, seen from the same side, in parts of four bits with a bit
//!   that says whether another part follows.
//!
//! ## Bulletformat
//!
//! A file is a sequence of records of 32 bytes, seen from the side to move. For Black a8 takes the place of a1.
//!
//! - 0–23: the occupied squares and the pieces as in viriformat. The pieces of the side to move are 0 to 5, those of
//!   its opponent have 8 more, and every rook is 3.
//! - 24–25: the evaluation, signed.
//! - 26: the result. 0 is a loss of the side to move, 1 a draw, 2 a win.
//! - 27, 28: the square of its king, and that of the opponent's king as the opponent sees the board.
//! - 29–31: zero.
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
