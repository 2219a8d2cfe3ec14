//! The format `viri`: viriformat, the starting position, the moves and the evaluations of games in binary form (crate
//! viriformat 3.0).

use crate::columns::Columns;
use crate::columns::packed::{NO_MOVE, PackedPosition};
use crate::encode::encoded::Encoded;
use crate::encode::formats::label::{Label, Mates};
use crate::table::group::GroupPiece;
use pgn2fen_games::walk::LeftOut;

/// The end of a game: a move and an evaluation without any bit.
const END: [u8; 4] = [0; 4];

/// Appends the games of a piece, which has all rows of its games. Rows that follow one another by a move and have all
/// that the format needs are a game. Mates are kept, because the moves behind them would need a game of their own.
pub(super) fn games(_: &Columns, piece: &GroupPiece, encoded: &mut Encoded) {
    let Encoded { bytes: out, left_out, .. } = encoded;
    let table = &*piece.table;
    // The last row of the game that has not ended yet.
    let mut open: Option<usize> = None;
    for index in piece.indices() {
        if open.is_some_and(|last| !table.is_next(last, index)) {
            out.extend_from_slice(&END);
            open = None;
        }
        let entry = entry(piece, index, left_out);
        let start = table.packed_position(index);
        match entry {
            Some((label, _)) if open.is_none() && !append_start(start, label, out) => left_out.too_many_men += 1,
            Some((label, m)) => {
                out.extend_from_slice(&m.to_le_bytes());
                out.extend_from_slice(&label.score.to_le_bytes());
                open = Some(index);
            }
            None => {}
        }
    }
    if open.is_some() {
        out.extend_from_slice(&END);
    }
}

/// Returns the label and the next move of a row. `None` if one is missing, which is then counted.
fn entry(piece: &GroupPiece, index: usize, left_out: &mut LeftOut) -> Option<(Label, u16)> {
    let label = Label::of(piece, index, Mates::Keep, left_out)?;
    let m = piece.table.packed_move(index);
    left_out.without_move += u64::from(m == NO_MOVE);
    (m != NO_MOVE).then_some((label, m))
}

/// Appends the 32 bytes that begin a game. The field for an evaluation of the starting position stays zero, because the
/// first move has it. Appends nothing and returns false if the position has more than 32 pieces.
fn append_start(position: Option<&PackedPosition>, label: Label, out: &mut Vec<u8>) -> bool {
    let Some((position, men)) = position.and_then(|position| Some((position, position.men()?))) else {
        return false;
    };
    out.extend_from_slice(&men.occupied.to_le_bytes());
    out.extend_from_slice(&men.codes);
    out.extend_from_slice(&[position.turn.pick(0, 0x80) | position.ep, position.halfmoves]);
    out.extend_from_slice(&position.fullmoves.to_le_bytes());
    out.extend_from_slice(&[0, 0, label.result, 0]);
    true
}
