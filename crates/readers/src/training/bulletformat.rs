//! Records of bulletformat as games without moves. A record is seen from the side to move, which becomes White.

use pgn2fen_chess::Position;
use pgn2fen_chess::bitboard::Bitboard;
use pgn2fen_chess::board::Board;
use pgn2fen_chess::castling::CastlingRights;
use pgn2fen_chess::piece::{Color, Role};
use pgn2fen_chess::setup::Setup;

use crate::training::piece::Records;
use crate::training::text::{GameText, result, unreadable};
use pgn2fen_trainers::men;

/// The size of a record, in bytes.
const RECORD: usize = 32;

/// Returns the end of the last whole record.
pub(super) fn end_of_records(bytes: &[u8]) -> Option<usize> {
    Some(bytes.len() / RECORD * RECORD)
}

/// Whether a file begins with records: all that are there have possible positions, the squares of their kings, a result
/// and three zero bytes.
pub(super) fn begins_records(head: &[u8]) -> bool {
    let mut records = head.chunks_exact(RECORD).filter_map(<[u8]>::first_chunk).peekable();
    records.peek().is_some() && records.all(is_record)
}

fn is_record(record: &[u8; RECORD]) -> bool {
    let [result, king, enemy, padding @ ..] = [record[26], record[27], record[28], record[29], record[30], record[31]];
    position(record).is_some_and(|position| {
        let kings = Color::ALL.map(|color| position.king(color).number());
        result <= 2 && padding == [0; 3] && kings == [king, enemy ^ 56]
    })
}

/// Returns the position of a record, if it is possible.
fn position(record: &[u8; RECORD]) -> Option<Position> {
    let (occupied, rest) = record.split_first_chunk()?;
    let mut board = Board::EMPTY;
    for (sq, code) in men(Bitboard(u64::from_le_bytes(*occupied)), rest.first_chunk()?)? {
        let color = if code >> 3 == 0 { Color::White } else { Color::Black };
        board.set(sq, Role::ALL.get(usize::from(code & 7))?.of(color));
    }
    let castling = CastlingRights::default();
    let setup = Setup { board, turn: Color::White, castling, ep: None, ..Setup::initial() };
    Position::repaired(setup).ok().map(|(position, _)| position)
}

/// Appends the first record as a game.
pub(super) fn record(records: Records<'_>, out: &mut Vec<u8>) -> usize {
    let Some(record) = records.bytes.first_chunk::<RECORD>() else {
        return records.bytes.len();
    };
    let Some(position) = position(record) else {
        unreadable(out, "record", records.offset, "its position is impossible");
        return RECORD;
    };
    let game = GameText::begin(position, result(record[26].min(3).cast_signed() - 1), out);
    game.eval(i16::from_le_bytes([record[24], record[25]]).into(), out);
    game.end(out);
    RECORD
}
