//! Explains in chess terms why a well-formed move cannot be played.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::castling::CastlingSide;
use crate::moves::Move;
use crate::piece::{Piece, Role};
use crate::position::{Position, captured_en_passant};
use crate::san::error::{SanError, SanErrorKind};
use crate::san::fitting::{candidates, fitting};
use crate::san::spelling::{Man, Spelling};
use crate::square::Square;

/// Returns the error for a spelling that fits no legal move.
pub(super) fn refusal(spelling: Spelling, position: &Position) -> SanError {
    if let Some(end) = position.end_of_variant() {
        return SanError::new(SanErrorKind::IllegalMove, format!("the game is over: {end}"));
    }
    let reason = match spelling {
        Spelling::Drop(..) if !position.rules().have_hands() => {
            let reason = format!("a drop belongs to Crazyhouse, not to {}", position.rules());
            return SanError::new(SanErrorKind::BadSan, reason);
        }
        Spelling::Drop(role, to) => no_drop(role, to, position),
        Spelling::Null => format!("{} is in check and cannot pass", position.turn()),
        Spelling::Castling(side) => no_castling(side, position),
        Spelling::Man(man) => match lacks_promotion(&man, position) {
            Some(reason) => return SanError::new(SanErrorKind::BadSan, reason),
            None => forbidden(spelling, position).unwrap_or_else(|| no_way(&man, position)),
        },
    };
    SanError::new(SanErrorKind::IllegalMove, reason)
}

/// Returns the error for a spelling that fits several legal moves; the message lists them.
pub(super) fn ambiguity(moves: &[Move]) -> SanError {
    let role = moves.first().and_then(|m| m.role()).unwrap_or(Role::Pawn);
    let number = ["two", "three", "four", "five", "six", "seven", "eight"].get(moves.len().wrapping_sub(2));
    let to = moves.first().and_then(|m| m.to());
    let what = match to.filter(|_| moves.iter().all(|m| m.to() == to)) {
        Some(to) => format!("reach {to}"),
        None => "do so".into(),
    };
    let froms: Vec<String> = moves.iter().filter_map(|m| Some(m.from()?.to_string())).collect();
    let reason = format!("{} {role}s can {what}: {}", number.unwrap_or(&"many"), froms.join(", "));
    SanError::new(SanErrorKind::AmbiguousMove, reason)
}

/// Returns a message if the move is a pawn's and would be legal with a promotion piece.
fn lacks_promotion(man: &Man, position: &Position) -> Option<String> {
    let promoted = Man { promotion: Some(Role::Queen), ..*man };
    let m = *fitting(Spelling::Man(promoted), position).first()?;
    let to = m.to().filter(|_| man.promotion.is_none())?;
    Some(format!("a pawn that reaches {to} must become a piece, as in {to}=Q"))
}

/// Returns the reason that the rules of a variant forbid a move that is legal otherwise.
fn forbidden(spelling: Spelling, position: &Position) -> Option<String> {
    let candidates = candidates(spelling, position).into_iter().filter(|m| position.is_pseudo_legal(*m));
    candidates.into_iter().find_map(|m| position.forbidden_by_variant(m)).map(str::to_owned)
}

/// Returns the reason that a man cannot be dropped on a square.
fn no_drop(role: Role, to: Square, position: &Position) -> String {
    let (board, turn) = (position.board(), position.turn());
    if position.hands().count(turn, role) == 0 {
        format!("{turn} has no {role} in hand")
    } else if board.occupied().contains(to) {
        format!("the {} is in the way", man_on(to, position))
    } else if position.is_check() {
        format!("{turn} is in check, and the drop does not stop it")
    } else {
        format!("no {role} can be dropped on {to}")
    }
}

fn no_castling(side: CastlingSide, position: &Position) -> String {
    let (board, turn) = (position.board(), position.turn());
    let Some(Move::Castle { king, rook }) = position.castling_move(side) else {
        let side = match side {
            CastlingSide::King => "king",
            CastlingSide::Queen => "queen",
        };
        return format!("{turn} has no right to castle on the {side} side");
    };
    if position.is_check() {
        return format!("the {turn} king is in check");
    }
    let (king_to, rook_to) = (side.king_target(turn), side.rook_target(turn));
    let king_path = attacks::between(king, king_to).with(king_to);
    let rook_path = attacks::between(rook, rook_to).with(rook_to);
    let others = board.occupied().without(king).without(rook);
    if let Some(sq) = ((king_path | rook_path) & others).first() {
        return format!("the {} is in the way", man_on(sq, position));
    }
    match king_path.into_iter().find(|&sq| !position.is_safe(sq, others.with(rook), Bitboard::EMPTY)) {
        Some(sq) if sq != king_to => format!("the king would pass {sq}, which is attacked"),
        _ => format!("the king would be in check on {king_to}"),
    }
}

/// Returns the reason that no piece can make the move. The checks run in this order: the piece, its path, the safety of
/// its king.
fn no_way(man: &Man, position: &Position) -> String {
    let (board, turn) = (position.board(), position.turn());
    let origin = man.origin();
    let to = man.to_rank.map(|rank| Square::new(man.to_file, rank));
    let role = match man.role {
        Some(role) => role,
        None => match (origin & board.by_color(turn)).first().and_then(|sq| board.piece_at(sq)) {
            Some(piece) => piece.role,
            None => return format!("there is no {turn} piece{}", on_origin(man)),
        },
    };
    let piece = Piece { color: turn, role };

    if let Some(reason) = wrong_promotion(man, role, to, position) {
        return reason;
    }
    if board.by_piece(piece).is_empty() {
        return format!("{turn} has no {role}");
    }
    let men = board.by_piece(piece) & origin;
    if men.is_empty() {
        return format!("there is no {piece}{}", on_origin(man));
    }
    if let Some(reason) = to.and_then(|to| wrong_target(man, role, to, position)) {
        return reason;
    }
    let none_can = || {
        let target = to.map_or_else(|| format!("the {}-file", man.to_file), |to| to.to_string());
        let can = if role == Role::Pawn && man.is_pawn_capture() { "capture on" } else { "reach" };
        match men.first() {
            Some(sq) if !men.more_than_one() => {
                format!("the {piece} on {sq} cannot {can} {target}")
            }
            _ => format!("no {piece}{} can {can} {target}", on_origin(man)),
        }
    };
    let Some(to) = to else { return none_can() };
    let reaches = |&sq: &Square| reach(piece, sq, man, position).contains(to);
    let able: Bitboard = men.into_iter().filter(reaches).collect();
    match able.first() {
        None => none_can(),
        Some(from) => unsafe_king(piece, from, able, to, position),
    }
}

fn wrong_promotion(man: &Man, role: Role, to: Option<Square>, position: &Position) -> Option<String> {
    let turn = position.turn();
    let promotion = man.promotion?;
    match (role, promotion, to) {
        (Role::Pawn, promotion, _) if !position.promotions().contains(&promotion) => {
            Some(format!("a pawn cannot become a {promotion}"))
        }
        (Role::Pawn, _, Some(to)) if to.rank() != (!turn).back_rank() => {
            Some(format!("no {turn} pawn promotes on {to}"))
        }
        (Role::Pawn, ..) => None,
        _ => Some(format!("a {role} cannot promote")),
    }
}

fn wrong_target(man: &Man, role: Role, to: Square, position: &Position) -> Option<String> {
    let (held_by, straight) = (position.board().piece_at(to), role == Role::Pawn && !man.is_pawn_capture());
    match held_by {
        Some(piece) if piece.color == position.turn() || straight => Some(format!("{to} is occupied by a {piece}")),
        None if role == Role::Pawn && !straight && position.ep() != Some(to) => {
            Some(format!("there is nothing to capture on {to}"))
        }
        _ if man.en_passant && (role != Role::Pawn || position.ep() != Some(to)) => {
            Some("this is not an en passant capture".into())
        }
        _ => None,
    }
}

/// Returns the message for a move that would leave the king in check. The pieces in `able` could go to `to`; `from` is
/// the first one.
fn unsafe_king(piece: Piece, from: Square, able: Bitboard, to: Square, position: &Position) -> String {
    let (board, turn) = (position.board(), position.turn());
    let passing = piece.role == Role::Pawn && position.ep() == Some(to) && from.file() != to.file();
    let taken = if passing { captured_en_passant(to) } else { to };
    let occupied = board.occupied().without(from).without(taken).with(to);
    let king = if piece.role == Role::King { to } else { position.king(turn) };
    let attacker = (board.attackers_to(king, !turn, occupied).without(taken)).first();
    let attacker = attacker.map_or_else(|| "a piece".into(), |sq| format!("the {}", man_on(sq, position)));

    if piece.role == Role::King {
        format!("{to} is attacked by {attacker}")
    } else if position.is_check() {
        format!("{turn} is in check, and the move does not stop it")
    } else if able.more_than_one() {
        format!("every {piece} that could reach {to} is pinned")
    } else if passing {
        format!("capturing en passant on {to} would expose the king to {attacker}")
    } else {
        format!("the {piece} on {from} is pinned by {attacker}")
    }
}

/// Returns the squares that a piece may reach, without regard to the safety of its king.
fn reach(piece: Piece, from: Square, man: &Man, position: &Position) -> Bitboard {
    let occupied = position.board().occupied();
    match piece.role {
        Role::Pawn if man.is_pawn_capture() => attacks::pawn(piece.color, from),
        Role::Pawn => position.pawn_steps(from),
        _ => attacks::of(piece, from, occupied),
    }
}

fn on_origin(man: &Man) -> String {
    match (man.from_file, man.from_rank) {
        (Some(file), Some(rank)) => format!(" on {}", Square::new(file, rank)),
        (Some(file), None) => format!(" on the {file}-file"),
        (None, Some(rank)) => format!(" on rank {rank}"),
        (None, None) => String::new(),
    }
}

fn man_on(sq: Square, position: &Position) -> String {
    position.board().piece_at(sq).map_or_else(|| format!("piece on {sq}"), |piece| format!("{piece} on {sq}"))
}
