//! Games of viriformat as games.

use pgn2fen_chess::Position;
use pgn2fen_chess::bitboard::Bitboard;
use pgn2fen_chess::board::Board;
use pgn2fen_chess::castling::CastlingRights;
use pgn2fen_chess::piece::{Color, Role};
use pgn2fen_chess::setup::Setup;
use pgn2fen_chess::square::Square;

use crate::training::piece::Records;
use crate::training::text::{GameText, result, unreadable};
use pgn2fen_trainers::{Step, men};

/// The size of the start of a game, in bytes.
const START: usize = 32;

/// The size of a move with its evaluation, in bytes.
const MOVE: usize = 4;

/// The size of the longest game that is read, about, in bytes.
pub(super) const LONGEST: usize = 1024 * 1024;

/// Returns the end of the game at the start of the bytes. `None` if it does not end there.
fn end_of_game(bytes: &[u8]) -> Option<usize> {
    let moves = bytes.get(START..)?;
    let count = moves.chunks_exact(MOVE).position(|m| m == [0; MOVE])?;
    Some(START + (count + 1) * MOVE)
}

/// Returns the end of the last game that ends in the bytes. `None` if no game does.
pub(super) fn end_of_games(bytes: &[u8]) -> Option<usize> {
    let mut end = None;
    while let Some(next) = end_of_game(&bytes[end.unwrap_or(0)..]) {
        end = Some(end.unwrap_or(0) + next);
    }
    end
}

/// Whether a file begins with a game: a position that is possible, and a move that is legal in it.
pub(super) fn begins_game(head: &[u8]) -> bool {
    let Some((start, rest)) = head.split_first_chunk::<START>() else {
        return false;
    };
    let position = position(start).filter(|_| start[30] <= 2);
    let first = rest.first_chunk::<MOVE>().filter(|first| **first != [0; MOVE]);
    position.zip(first).is_some_and(|(position, first)| step(*first).find(&position).is_some())
}

fn step([low, high, ..]: [u8; MOVE]) -> Step {
    Step::of_viri(u16::from_le_bytes([low, high]))
}

/// Returns the position at the start of a game, if it is possible.
fn position(start: &[u8; START]) -> Option<Position> {
    let (occupied, rest) = start.split_first_chunk()?;
    let mut setup = Setup {
        board: Board::EMPTY,
        turn: if start[24] >> 7 == 0 { Color::White } else { Color::Black },
        castling: CastlingRights::default(),
        ep: Square::from_index(start[24] & 0x7F),
        halfmoves: start[25].into(),
        fullmoves: u16::from_le_bytes([start[26], start[27]]).into(),
        ..Setup::initial()
    };
    if start[24] & 0x7F > 64 {
        return None;
    }
    for (sq, code) in men(Bitboard(u64::from_le_bytes(*occupied)), rest.first_chunk()?)? {
        let color = if code >> 3 == 0 { Color::White } else { Color::Black };
        let role = match code & 7 {
            6 => {
                setup.castling = setup.castling.with(sq);
                Role::Rook
            }
            code => *Role::ALL.get(usize::from(code))?,
        };
        setup.board.set(sq, role.of(color));
    }
    Position::repaired(setup).ok().map(|(position, _)| position)
}

/// Appends the first game as a game.
pub(super) fn game(records: Records<'_>, out: &mut Vec<u8>) -> usize {
    let Records { bytes, offset, .. } = records;
    let end = end_of_game(bytes);
    let found = &bytes[..end.unwrap_or(bytes.len())];
    let Some((start, moves)) = found.split_first_chunk::<START>() else {
        return found.len();
    };
    let Some(position) = position(start) else {
        unreadable(out, "game", offset, "its position is impossible");
        return found.len();
    };
    // 0, 1, 2 for a win of Black, a draw, a win of White.
    let mut game = GameText::begin(position, result(start[30].min(3).cast_signed() - 1), out);
    let mut has_illegal = false;
    for m in moves.chunks_exact(MOVE).filter_map(<[u8]>::first_chunk).take_while(|m| **m != [0; MOVE]) {
        game.eval(i16::from_le_bytes([m[2], m[3]]).into(), out);
        let Some(m) = step(*m).find(game.position()) else {
            has_illegal = true;
            break;
        };
        game.play(m, out);
    }
    game.end(out);
    if has_illegal {
        unreadable(out, "game", offset, "it has an illegal move");
    }
    found.len()
}
