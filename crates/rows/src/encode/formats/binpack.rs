//! The format `binpack`: chains of positions with their moves and evaluations, as Stockfish's trainer reads them.
//!
//! A file is a sequence of chunks, each `BINP`, its size in four bytes, the lowest first, and whole chains. Chains are
//! encoded on any thread, and put into chunks in order; so chunks do not depend on how the database was cut.

use crate::columns::Columns;
use crate::columns::packed::{NO_MOVE, PackedPosition};
use crate::encode::Assemble;
use crate::encode::encoded::Encoded;
use crate::encode::export_error::ExportError;
use crate::encode::formats::label::{Label, Mates};
use crate::table::group::GroupPiece;
use pgn2fen_games::walk::LeftOut;
use pgn2fen_trainers::{CHUNK_HEADER, CHUNK_MAGIC, ChainWriter, Labels, MOST_MEN, Step};

/// The size from which on a chunk takes no more chains, in bytes: that of other writers.
const CHUNK: usize = 1024 * 1024;

/// A chain that is being written.
struct Open {
    /// The place of its length, which stands before it until chunks are made.
    length_at: usize,
    writer: ChainWriter,
    /// The last row.
    last: usize,
}

impl Open {
    /// Writes the length of the chain, now that it is known.
    fn end(self, out: &mut [u8]) {
        let length = out.len() - self.length_at - 4;
        // A chain has at most 65,535 moves of a few bytes.
        let length = u32::try_from(length).unwrap_or_default();
        out[self.length_at..self.length_at + 4].copy_from_slice(&length.to_le_bytes());
    }
}

/// Appends the chains of a piece, which has all rows of its games. Each has its length before it, in four bytes. Rows
/// that follow one another by a move are a chain. Mates are kept: 32000 is a mate on the board in Stockfish, too.
pub(super) fn chains(_: &Columns, piece: &GroupPiece, encoded: &mut Encoded) {
    let Encoded { bytes: out, left_out, .. } = encoded;
    let mut open: Option<Open> = None;
    for index in piece.indices() {
        let Some((label, position, step)) = entry(piece, index, left_out) else {
            continue;
        };
        let (placement, Label { score, result }) = (position.placement(), label.seen_by(position.turn));
        if let Some(chain) = &mut open
            && piece.table.is_next(chain.last, index)
            && chain.writer.add(&placement, step, score, out)
        {
            chain.last = index;
            continue;
        }
        open.take().into_iter().for_each(|chain| chain.end(out));
        let labels = Labels {
            score,
            result: result.cast_signed() - 1,
            ply: position.ply(),
            halfmoves: position.halfmoves.into(),
        };
        let length_at = out.len();
        out.extend_from_slice(&[0; 4]);
        open = ChainWriter::begin(&placement, step, labels, out).map(|writer| Open { length_at, writer, last: index });
    }
    open.into_iter().for_each(|chain| chain.end(out));
}

/// Returns the label, the position and the move of a row. `None` if the format cannot have it, which is then counted.
fn entry<'a>(piece: &'a GroupPiece, index: usize, left_out: &mut LeftOut) -> Option<(Label, &'a PackedPosition, Step)> {
    let label = Label::of(piece, index, Mates::Keep, left_out)?;
    let bits = piece.table.packed_move(index);
    let position = piece.table.packed_position(index)?;
    let reason = if bits == NO_MOVE {
        &mut left_out.without_move
    } else if position.count() > MOST_MEN {
        &mut left_out.too_many_men
    } else if !position.placement().has_standard_castling() {
        &mut left_out.chess960_castling
    } else {
        return Some((label, position, Step::of_viri(bits)));
    };
    *reason += 1;
    None
}

/// Puts chains into chunks.
pub(super) struct Chunks {
    /// The chunk, with room for its header.
    chunk: Vec<u8>,
}

impl Chunks {
    pub(super) fn new() -> Self {
        Self { chunk: vec![0; CHUNK_HEADER] }
    }

    /// Writes the header of the chunk. Returns false if it has no chains.
    fn close(&mut self) -> bool {
        // Chunks end soon after their usual size.
        let size = u32::try_from(self.chunk.len() - CHUNK_HEADER).unwrap_or_default();
        self.chunk[..4].copy_from_slice(CHUNK_MAGIC);
        self.chunk[4..CHUNK_HEADER].copy_from_slice(&size.to_le_bytes());
        size > 0
    }
}

impl Assemble for Chunks {
    fn head(&self) -> &[u8] {
        &[]
    }

    fn assemble(&mut self, encoded: &mut Encoded, write: &mut dyn FnMut(&[u8])) -> Result<(), ExportError> {
        let mut rest = &*encoded.bytes;
        while let Some((length, behind)) = rest.split_first_chunk() {
            if self.chunk.len() >= CHUNK_HEADER + CHUNK && self.close() {
                write(&self.chunk);
                self.chunk.truncate(CHUNK_HEADER);
            }
            let chain;
            (chain, rest) = behind.split_at(u32::from_le_bytes(*length) as usize);
            self.chunk.extend_from_slice(chain);
        }
        Ok(())
    }

    fn end(mut self: Box<Self>) -> Result<Vec<u8>, ExportError> {
        Ok(if self.close() { self.chunk } else { Vec::new() })
    }
}
