//! A fast parser for standard SAN (§8.2.3), the spelling of nearly every symbol in nearly every file.
//!
//! The parser works backwards from the target square. One table look-up returns the pieces that could reach that
//! square, and there is usually only one. A symbol that is unusual, ambiguous or illegal is left to the slow path. A
//! symbol takes about 100 instructions here; parsing by the grammar and generating the legal moves takes thousands.

use std::hint::select_unpredictable;

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::castling::CastlingSide;
use crate::moves::Move;
use crate::piece::{Color, Role};
use crate::position::{Position, RuleSet};
use crate::san::letters::Letters;
use crate::square::{File, Rank, Square};

/// Returns the only legal move that fits a symbol in standard spelling; check marks and a more precise origin than
/// needed are allowed. `symbol` holds the bytes of the symbol, the first in the low byte; the bytes above it must be 0.
#[inline(always)]
pub(super) fn resolve(symbol: u64, length: usize, position: &Position, letters: Letters) -> Option<Move> {
    let usual = match position.variant() {
        None => usual(symbol, length, position, letters),
        Some(rules) => usual_in_variant(symbol, length, position, letters, rules),
    };
    usual.or_else(|| rarer(symbol, position, letters))
}

/// Returns the same as [`resolve`] for most symbols in chess: those of a piece or pawn that moves or captures without
/// promotion. Otherwise `None`.
#[inline(always)]
pub(super) fn usual(symbol: u64, length: usize, position: &Position, letters: Letters) -> Option<Move> {
    let pattern = pattern(symbol, length, position.turn(), letters)?;
    let from = pattern.origin_in(position)?;
    Some(Move::Normal { role: pattern.role, from, to: pattern.to, promotion: None })
}

/// Returns the same as [`usual`] in a variant.
#[inline(never)]
fn usual_in_variant(
    symbol: u64,
    length: usize,
    position: &Position,
    letters: Letters,
    rules: &dyn RuleSet,
) -> Option<Move> {
    let pattern = pattern(symbol, length, position.turn(), letters)?;
    let able = pattern.able_in(position)?;
    if able.is_empty() || rules.end(position).is_some() {
        return None;
    }
    let occupied = position.board().occupied();
    let is_free = |from: &Square| (attacks::between(*from, pattern.to) & occupied).is_empty();
    let m = |from| Move::Normal { role: pattern.role, from, to: pattern.to, promotion: None };
    let mut moves = able.into_iter().filter(is_free).map(m).filter(|m| rules.permits(position, *m));
    let m = moves.next()?;
    moves.next().is_none().then_some(m)
}

/// The content of most symbols: a role, an optional origin file or rank, an optional capture, and the target square.
struct Pattern {
    role: Role,
    /// The squares that the symbol allows as the origin.
    origin: Bitboard,
    /// The squares from which the piece reaches the target on an empty board.
    reach: Bitboard,
    capture: bool,
    to: Square,
}

/// Parses a symbol in the usual form. The word is split by shifts and masks instead of branches, because the form of a
/// symbol is close to random: the processor would mispredict half of the branches.
#[inline(always)]
fn pattern(symbol: u64, length: usize, turn: Color, letters: Letters) -> Option<Pattern> {
    let mut origin_bits = (8 * length).wrapping_sub(16) & 63;
    let [mut file, mut rank, ..] = (symbol >> origin_bits).to_le_bytes();
    if matches!(rank, b'+' | b'#') {
        origin_bits = origin_bits.wrapping_sub(8) & 63;
        [file, rank, ..] = (symbol >> origin_bits).to_le_bytes();
    }
    let to = square(file, rank)?;

    let role = letters.mover(symbol.to_le_bytes()[0])?;
    let is_pawn = role == Role::Pawn;
    // The bytes between the piece letter and the target square.
    let between = (symbol & !(!0 << origin_bits)) >> select_unpredictable(is_pawn, 0, 8);
    const X: u64 = b'x' as u64;
    let ([from, ..], behind) = (between.to_le_bytes(), between >> 8);
    let capture = (between == X) | (behind == X);
    let is_usual = (behind == 0) | ((behind == X) & (from != b'x'));
    // A pawn has nothing before its target square, or a file and an `x`.
    if !is_usual | (is_pawn & (1..=0xff).contains(&between)) {
        return None;
    }
    let of_pawn = FIRST_OF_PAWNS + 2 * usize::from(capture) + turn.index();
    let kind = select_unpredictable(is_pawn, of_pawn, (role as usize).wrapping_sub(Role::Knight as usize));
    Some(Pattern { role, origin: ORIGINS[usize::from(from)], reach: REACH[kind & 15][to.index()], capture, to })
}

impl Pattern {
    /// Returns the square of the only piece that can move as the pattern says.
    #[inline(always)]
    fn origin_in(&self, position: &Position) -> Option<Square> {
        let (role, to) = (self.role, self.to);
        let able = self.able_in(position)?;
        let occupied = position.board().occupied();
        if able.more_than_one() {
            return only_one(position, role, able, to);
        }
        let from = able.first()?;
        // No squares lie between the two ends of a knight's or king's move, so these pieces need no special case.
        ((attacks::between(from, to) & occupied).is_empty() && is_safe(position, role, from, to)).then_some(from)
    }

    /// Returns the squares of the pieces that could move as the pattern says on an empty board. `None` if the target
    /// does not fit.
    #[inline(always)]
    fn able_in(&self, position: &Position) -> Option<Bitboard> {
        let &Self { role, origin, reach, capture, to } = self;
        let (board, turn) = (position.board(), position.turn());
        let targets = select_unpredictable(capture, board.by_color(!turn), !board.occupied());
        targets.contains(to).then(|| reach & board.by_piece(role.of(turn)) & origin)
    }
}

/// The origin squares that a byte names: a file, a rank, or all squares for 0 and `x`, which name no origin.
static ORIGINS: [Bitboard; 256] = {
    let mut origins = [Bitboard::EMPTY; 256];
    origins[0] = Bitboard::FULL;
    origins[b'x' as usize] = Bitboard::FULL;
    let mut i = 0;
    while i < 8 {
        origins[b'a' as usize + i] = Bitboard::from_file(File::ALL[i]);
        origins[b'1' as usize + i] = Bitboard::from_rank(Rank::ALL[i]);
        i += 1;
    }
    origins
};

/// The kind of the first of four entries for pawns in [`REACH`].
const FIRST_OF_PAWNS: usize = 5;

/// The origin squares on an empty board for each target square. The kinds are knight, bishop, rook, queen, king, pawn
/// advances (White, Black) and pawn captures (White, Black). Moves of pawns to the last ranks are left out, because
/// they are promotions.
static REACH: [[Bitboard; 64]; 16] = {
    let mut reach = [[Bitboard::EMPTY; 64]; 16];
    let mut n = 0;
    while n < 64 {
        let to = Square::wrapping(n);
        let i = n as usize;
        reach[0][i] = attacks::knight(to);
        reach[1][i] = attacks::bishop_rays(to);
        reach[2][i] = attacks::rook_rays(to);
        reach[3][i] = Bitboard(attacks::bishop_rays(to).0 | attacks::rook_rays(to).0);
        reach[4][i] = attacks::king(to);
        if !matches!(to.rank(), Rank::First | Rank::Eighth) {
            reach[FIRST_OF_PAWNS][i] = steps(Color::White, to);
            reach[FIRST_OF_PAWNS + 1][i] = steps(Color::Black, to);
            reach[FIRST_OF_PAWNS + 2][i] = attacks::pawn(Color::Black, to);
            reach[FIRST_OF_PAWNS + 3][i] = attacks::pawn(Color::White, to);
        }
        n += 1;
    }
    reach
};

/// Returns the squares from which a pawn can advance to `to`.
const fn steps(color: Color, to: Square) -> Bitboard {
    let mut from = Bitboard::EMPTY;
    if let Some(one) = to.offset(0, -color.forward()) {
        from = from.with(one);
        if let Some(two) = one.offset(0, -color.forward())
            && two.rank() as u8 == color.pawn_rank() as u8
        {
            from = from.with(two);
        }
    }
    from
}

#[inline]
fn square(file: u8, rank: u8) -> Option<Square> {
    let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
    // If the two have no bits above the low three when combined, both are below 8.
    if (file | rank) < 8 { Some(Square::wrapping(rank << 3 | file)) } else { None }
}

/// Returns the only piece of several that has a free path and may leave its square; `None` if none or more than one
/// has.
#[inline(never)]
fn only_one(position: &Position, role: Role, able: Bitboard, to: Square) -> Option<Square> {
    let occupied = position.board().occupied();
    let is_free = |from: &Square| (attacks::between(*from, to) & occupied).is_empty();
    let mut able = able.into_iter().filter(is_free);
    let (from, other) = (able.next()?, able.next());
    match other {
        None => is_safe(position, role, from, to).then_some(from),
        Some(other) => {
            let mut safe = [from, other].into_iter().chain(able).filter(|&from| is_safe(position, role, from, to));
            let from = safe.next()?;
            safe.next().is_none().then_some(from)
        }
    }
}

/// Whether the own king is safe after a piece has moved from one square to another.
#[inline]
fn is_safe(position: &Position, role: Role, from: Square, to: Square) -> bool {
    let king = if role == Role::King { to } else { position.king(position.turn()) };
    position.is_safe(king, position.board().occupied().without(from).with(to), to.into())
}

/// Resolves the rarer forms: castling, promotions, en passant captures, and pieces with a full origin square.
#[inline(never)]
pub(super) fn rarer(symbol: u64, position: &Position, letters: Letters) -> Option<Move> {
    let bytes = symbol.to_le_bytes();
    let symbol = &bytes[..bytes.iter().position(|&byte| byte == 0)?];
    let body = match symbol {
        [body @ .., b'+' | b'#'] => body,
        _ => symbol,
    };
    let promotion = |letter| letters.mover(letter).filter(|role| position.promotions().contains(role));
    let m = match *body {
        [b'O', b'-', b'O'] => position.castling_move(CastlingSide::King)?,
        [b'O', b'-', b'O', b'-', b'O'] => position.castling_move(CastlingSide::Queen)?,
        [file, rank, b'=', role] => {
            let to = square(file, rank)?;
            let from = to.offset(0, -position.turn().forward())?;
            Move::Normal { role: Role::Pawn, from, to, promotion: Some(promotion(role)?) }
        }
        [from @ b'a'..=b'h', b'x', file, rank, b'=', role] => {
            let to = square(file, rank)?;
            let from = square(from, b'1' + to.offset(0, -position.turn().forward())?.rank() as u8)?;
            Move::Normal { role: Role::Pawn, from, to, promotion: Some(promotion(role)?) }
        }
        [from @ b'a'..=b'h', b'x', file, rank] => {
            let to = square(file, rank)?;
            let from = square(from, b'1' + to.offset(0, -position.turn().forward())?.rank() as u8)?;
            Move::EnPassant { from, to }
        }
        [b'@', file, rank] => Move::Drop { role: Role::Pawn, to: square(file, rank)? },
        [piece, b'@', file, rank] => Move::Drop { role: letters.piece(piece)?, to: square(file, rank)? },
        [piece, from_file, from_rank, file, rank] | [piece, from_file, from_rank, b'x', file, rank] => {
            let role = letters.mover(piece).filter(|&role| role != Role::Pawn)?;
            let (from, to) = (square(from_file, from_rank)?, square(file, rank)?);
            let takes = position.board().by_color(!position.turn()).contains(to);
            if takes != (body.len() == 6) {
                return None;
            }
            Move::Normal { role, from, to, promotion: None }
        }
        _ => return None,
    };
    position.is_legal(m).then_some(m)
}
