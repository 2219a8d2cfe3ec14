//! SAN as the standard has it (§8.2.3), which nearly every symbol of nearly every file is, read at full speed.
//!
//! The move is found backwards, from the square where it ends: the men that could come there are one look-up away, and
//! there is usually one. Whatever does not fit here, be it odd, ambiguous or illegal, is left to the slow road. A symbol
//! takes some 100 instructions, on which the grammar and a list of legal moves would spend thousands.

use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::castling::CastlingSide;
use crate::chess::moves::Move;
use crate::chess::piece::{Piece, Role};
use crate::chess::position::Position;
use crate::chess::square::{File, Rank, Square};
use crate::san::letters::Letters;

/// The move that `symbol` means, if it is spelled as the standard has it, but for check marks and more origin than needed,
/// and if it is the only legal one.
#[inline(always)]
pub(super) fn resolve(symbol: &[u8], position: &Position, letters: Letters) -> Option<Move> {
    let body = match symbol {
        [body @ .., b'+' | b'#'] => body,
        _ => symbol,
    };
    let [first, rest @ ..] = body else {
        return None;
    };
    match letters.piece(*first) {
        Some(role) => {
            let [origin @ .., file, rank] = rest else {
                return None;
            };
            let to = square(*file, *rank)?;
            let (origin, capture) = match *origin {
                [] => (Bitboard::FULL, false),
                [b'x'] => (Bitboard::FULL, true),
                [from] => (line(from)?, false),
                [from, b'x'] => (line(from)?, true),
                [file, rank] => (square(file, rank)?.into(), false),
                [file, rank, b'x'] => (square(file, rank)?.into(), true),
                _ => return None,
            };
            piece_move(position, role, origin, capture, to)
        }
        None => match *body {
            [file, rank] => pawn_step(position, square(file, rank)?, None),
            [from @ b'a'..=b'h', b'x', file, rank] => pawn_capture(position, from, square(file, rank)?, None),
            [file, rank, b'=', role] => pawn_step(position, square(file, rank)?, Some(letters.piece(role)?)),
            [from @ b'a'..=b'h', b'x', file, rank, b'=', role] => {
                pawn_capture(position, from, square(file, rank)?, Some(letters.piece(role)?))
            }
            [b'O', b'-', b'O'] => castling(position, CastlingSide::King),
            [b'O', b'-', b'O', b'-', b'O'] => castling(position, CastlingSide::Queen),
            _ => None,
        },
    }
}

#[inline]
fn square(file: u8, rank: u8) -> Option<Square> {
    let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
    // Both are below 8 if together they have no other bit.
    if (file | rank) < 8 { Some(Square::wrapping(rank << 3 | file)) } else { None }
}

/// A file or a rank.
#[inline]
fn line(name: u8) -> Option<Bitboard> {
    match name {
        b'a'..=b'h' => Some(Bitboard::from_file(File::wrapping(name - b'a'))),
        b'1'..=b'8' => Some(Bitboard::from_rank(Rank::wrapping(name - b'1'))),
        _ => None,
    }
}

#[inline(always)]
fn piece_move(position: &Position, role: Role, origin: Bitboard, capture: bool, to: Square) -> Option<Move> {
    let (board, color) = (position.board(), position.turn());
    let targets = if capture { board.by_color(!color) } else { !board.occupied() };
    if !targets.contains(to) {
        return None;
    }
    let reach = match role {
        Role::Pawn => return None,
        Role::Knight => attacks::knight(to),
        Role::Bishop => attacks::bishop_rays(to),
        Role::Rook => attacks::rook_rays(to),
        Role::Queen => attacks::bishop_rays(to) | attacks::rook_rays(to),
        Role::King => attacks::king(to),
    };
    let mut able = Bitboard::EMPTY;
    for from in reach & board.by_piece(Piece { color, role }) & origin {
        // Nothing stands between the squares of a leap, so that leapers need no road of their own.
        if (attacks::between(from, to) & board.occupied()).is_empty() {
            able = able.with(from);
        }
    }
    if able.more_than_one() {
        return only_safe(position, role, able, to);
    }
    let from = able.first()?;
    is_safe(position, role, from, to).then_some(Move::Normal { role, from, to, promotion: None })
}

/// The one of several pieces that may leave its place.
#[inline(never)]
fn only_safe(position: &Position, role: Role, able: Bitboard, to: Square) -> Option<Move> {
    let mut safe = able.into_iter().filter(|&from| is_safe(position, role, from, to));
    let from = safe.next()?;
    safe.next().is_none().then_some(Move::Normal { role, from, to, promotion: None })
}

/// Whether the king is safe when a man has gone from one square to another.
#[inline]
fn is_safe(position: &Position, role: Role, from: Square, to: Square) -> bool {
    let king = if role == Role::King { to } else { position.king(position.turn()) };
    position.is_safe(king, position.board().occupied().without(from).with(to), to.into())
}

#[inline]
fn pawn_step(position: &Position, to: Square, promotion: Option<Role>) -> Option<Move> {
    let (board, color) = (position.board(), position.turn());
    if board.occupied().contains(to) {
        return None;
    }
    let pawns = board.by_piece(Piece { color, role: Role::Pawn });
    let one = to.offset(0, -color.forward())?;
    let two = one.offset(0, -color.forward());
    let from = match two {
        _ if pawns.contains(one) => one,
        Some(two) if two.rank() == color.pawn_rank() && !board.occupied().contains(one) && pawns.contains(two) => two,
        _ => return None,
    };
    pawn_move(position, from, to, promotion)
}

#[inline]
fn pawn_capture(position: &Position, file: u8, to: Square, promotion: Option<Role>) -> Option<Move> {
    let (board, color) = (position.board(), position.turn());
    let file = Bitboard::from_file(File::wrapping(file - b'a'));
    let pawns = board.by_piece(Piece { color, role: Role::Pawn });
    let from = (attacks::pawn(!color, to) & file & pawns).first()?;
    if board.by_color(!color).contains(to) {
        pawn_move(position, from, to, promotion)
    } else {
        en_passant(position, from, to).filter(|_| promotion.is_none())
    }
}

#[inline]
fn pawn_move(position: &Position, from: Square, to: Square, promotion: Option<Role>) -> Option<Move> {
    let promotes = to.rank() == (!position.turn()).back_rank();
    if promotes != promotion.is_some() || promotion == Some(Role::King) {
        return None;
    }
    is_safe(position, Role::Pawn, from, to).then_some(Move::Normal { role: Role::Pawn, from, to, promotion })
}

#[cold]
fn en_passant(position: &Position, from: Square, to: Square) -> Option<Move> {
    let m = Move::EnPassant { from, to };
    (position.ep() == Some(to) && position.keeps_king_safe(m)).then_some(m)
}

#[cold]
fn castling(position: &Position, side: CastlingSide) -> Option<Move> {
    position.castling_move(side).filter(|&m| position.is_legal(m))
}
