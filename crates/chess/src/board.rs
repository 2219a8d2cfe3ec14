//! The board: the piece on each square.

use std::fmt;

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::piece::{Color, Piece, Role};
use crate::square::{File, Rank, Square};

/// The placement of the pieces. Any number of pieces may stand on any squares.
///
/// The placement is stored twice: as sets of squares by color and role, and as one letter for each square.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Board {
    by_color: [Bitboard; 2],
    /// The squares of each role, indexed by the low three bits of the piece codes. No code has the low bits 0 or 7, so
    /// these two sets stay empty. They exist so that captures need no test for an empty square and look-ups need no
    /// bounds check.
    by_role: [Bitboard; 8],
    /// The letters of the pieces by rank, file a in the low byte; 0 is an empty square. They are stored as words,
    /// because a processor that has just stored a byte must wait before it can load the word around that byte.
    letters: [u64; 8],
}

impl Board {
    /// The empty board.
    pub const EMPTY: Self = Self { by_color: [Bitboard::EMPTY; 2], by_role: [Bitboard::EMPTY; 8], letters: [0; 8] };

    /// Returns the board of the standard starting position.
    pub const fn initial() -> Self {
        use Role::{Bishop, King, Knight, Queen, Rook};
        const { Self::with_back_rank([Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook]) }
    }

    /// Returns the board of a starting position with these pieces behind the pawns, from file a to file h.
    const fn with_back_rank(roles: [Role; 8]) -> Self {
        use Color::{Black, White};
        let mut board = Self::EMPTY;
        let mut i = 0;
        while i < 8 {
            let file = File::ALL[i];
            let pawn = Role::Pawn;
            board.put(Square::new(file, White.back_rank()), roles[i].of(White));
            board.put(Square::new(file, White.pawn_rank()), pawn.of(White));
            board.put(Square::new(file, Black.back_rank()), roles[i].of(Black));
            board.put(Square::new(file, Black.pawn_rank()), pawn.of(Black));
            i += 1;
        }
        board
    }

    /// Returns the piece on a square, or `None` if the square is empty.
    #[inline]
    pub fn piece_at(&self, sq: Square) -> Option<Piece> {
        Piece::from_code(self.code_at(sq))
    }

    /// Returns the code of the piece on a square, or 0 if the square is empty (see [`Piece::code`]).
    #[inline]
    pub(crate) fn code_at(&self, sq: Square) -> u8 {
        Piece::code_of_letter(self.letter_at(sq))
    }

    /// Returns the FEN letter of the piece on a square, or 0 if the square is empty.
    #[inline]
    fn letter_at(&self, sq: Square) -> u8 {
        (self.letters[rank_of(sq)] >> shift_of(sq) & 0xff) as u8
    }

    /// Returns the FEN letters of the pieces on each rank, the first rank first. Each rank is a word with file a in the
    /// low byte; 0 is an empty square.
    #[inline]
    pub(crate) fn letters(&self) -> &[u64; 8] {
        &self.letters
    }

    /// Returns the occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.by_color[0] | self.by_color[1]
    }

    /// Returns the squares of all pieces of one color.
    #[inline]
    pub fn by_color(&self, color: Color) -> Bitboard {
        self.by_color[color.index()]
    }

    /// Returns the squares of all pieces of one role, of both colors.
    #[inline]
    pub fn by_role(&self, role: Role) -> Bitboard {
        self.by_role[role as usize & 7]
    }

    /// Returns the squares of all pieces of one color and role.
    #[inline]
    pub fn by_piece(&self, piece: Piece) -> Bitboard {
        self.by_color(piece.color) & self.by_role(piece.role)
    }

    /// Returns the square of the king of a color. If there are several kings, it is the first in the order a1 to h8.
    #[inline]
    pub fn king_of(&self, color: Color) -> Option<Square> {
        self.by_piece(Role::King.of(color)).first()
    }

    /// Returns the square of the king of a color that may castle: see [`castling_king_among`].
    #[inline]
    pub(crate) fn castling_king(&self, color: Color) -> Option<Square> {
        castling_king_among(self.by_piece(Role::King.of(color)), color)
    }

    /// Puts a piece on a square and replaces any piece there.
    pub fn set(&mut self, sq: Square, piece: Piece) {
        self.remove(sq);
        self.put(sq, piece);
    }

    /// Removes the piece from a square and returns it; `None` if the square is empty.
    pub fn remove(&mut self, sq: Square) -> Option<Piece> {
        let piece = self.piece_at(sq);
        self.clear(sq);
        piece
    }

    /// Returns the squares of the pieces of color `by` that attack `sq`, if the squares of `occupied` block sliding
    /// pieces.
    ///
    /// The attacking pieces themselves are those on the board. To ask about the position after a move, remove the
    /// pieces that the move captures from the result.
    #[inline]
    pub fn attackers_to(&self, sq: Square, by: Color, occupied: Bitboard) -> Bitboard {
        let them = self.by_color(by);
        let see = |sniper: &Square| (attacks::between(sq, *sniper) & occupied).is_empty();
        let snipers = (self.snipers_on(sq) & them).into_iter().filter(see);
        snipers.fold(self.leapers_to(sq, by) & them, Bitboard::with)
    }

    /// Whether any piece of color `by` attacks `sq`, if the squares of `occupied` block sliding pieces and the pieces
    /// on `captured` are gone.
    #[inline]
    pub(crate) fn is_attacked(&self, sq: Square, by: Color, occupied: Bitboard, captured: Bitboard) -> bool {
        let them = self.by_color(by) - captured;
        let (leapers, snipers) = (self.leapers_to(sq, by) & them, self.snipers_on(sq) & them);
        // Usually both sets are empty.
        if (leapers | snipers).is_empty() {
            return false;
        }
        let sees = |sniper| (attacks::between(sq, sniper) & occupied).is_empty();
        !leapers.is_empty() || snipers.into_iter().any(sees)
    }

    /// Returns the pawns, knights and kings that attack `sq` if they are of color `by`. The color of the pieces is not
    /// checked.
    #[inline]
    fn leapers_to(&self, sq: Square, by: Color) -> Bitboard {
        attacks::pawn(!by, sq) & self.by_role(Role::Pawn)
            | attacks::knight(sq) & self.by_role(Role::Knight)
            | attacks::king(sq) & self.by_role(Role::King)
    }

    /// Returns the sliding pieces that attack `sq` on an otherwise empty board. There are few, usually none, so a loop
    /// over them is cheaper than computing four lines of attack.
    #[inline]
    fn snipers_on(&self, sq: Square) -> Bitboard {
        let queens = self.by_role(Role::Queen);
        attacks::bishop_rays(sq) & (self.by_role(Role::Bishop) | queens)
            | attacks::rook_rays(sq) & (self.by_role(Role::Rook) | queens)
    }

    /// Moves the piece `leaving` from `from` to `to`, where it becomes `arriving`. Returns whether it captured a piece
    /// of the other color there.
    #[inline(always)]
    pub(crate) fn relocate(&mut self, from: Square, to: Square, leaving: Piece, arriving: Role) -> bool {
        let (from_set, to_set) = (Bitboard::from(from), Bitboard::from(to));
        let taken = self.letter_at(to);
        let captures = taken != 0;
        // On an empty square this changes nothing. A branch here would often be mispredicted.
        self.by_role[Piece::code_of_letter(taken) as usize & 7] -= to_set;
        self.by_color[(!leaving.color).index()] -= to_set;
        self.by_role[leaving.role as usize & 7] ^= from_set;
        self.by_role[arriving as usize & 7] ^= to_set;
        self.by_color[leaving.color.index()] ^= from_set | to_set;
        self.letters[rank_of(from)] &= all_but(from);
        // The letter that leaves the square and the one that arrives there, at once.
        self.letters[rank_of(to)] ^= (u64::from(taken) ^ letter(arriving.of(leaving.color))) << shift_of(to);
        captures
    }

    /// Puts a piece on a square that must be empty.
    #[inline]
    pub(crate) const fn put(&mut self, sq: Square, piece: Piece) {
        let (color, role) = (piece.color.index(), piece.role as usize & 7);
        self.by_color[color] = self.by_color[color].with(sq);
        self.by_role[role] = self.by_role[role].with(sq);
        self.letters[rank_of(sq)] |= letter(piece) << shift_of(sq);
    }

    /// Removes any piece from a square.
    #[inline]
    pub(crate) fn clear(&mut self, sq: Square) {
        let code = self.code_at(sq);
        self.by_color[0] -= sq.into();
        self.by_color[1] -= sq.into();
        self.by_role[code as usize & 7] -= sq.into();
        self.letters[rank_of(sq)] &= all_but(sq);
    }
}

/// Returns the king that may castle if a color has these kings: the one on file e of its first rank, or else the first
/// on that rank. Where there may be several kings, others may stand anywhere.
#[inline]
pub(crate) fn castling_king_among(kings: Bitboard, color: Color) -> Option<Square> {
    let kings = kings & color.back_rank().into();
    let home = Square::new(File::E, color.back_rank());
    if kings.contains(home) { Some(home) } else { kings.first() }
}

/// Returns the index of the word that holds the letter of a square.
#[inline]
const fn rank_of(sq: Square) -> usize {
    sq.index() / 8
}

/// Returns the position of the letter of a square in its word, in bits.
#[inline]
const fn shift_of(sq: Square) -> u32 {
    (sq.number() % 8 * 8) as u32
}

/// Returns the word whose bits are set, except for those of the letter of a square.
#[inline]
const fn all_but(sq: Square) -> u64 {
    (!0xff_u64).rotate_left(shift_of(sq))
}

#[inline]
const fn letter(piece: Piece) -> u64 {
    piece.letter() as u64
}

/// Writes a diagram of eight lines, with the first rank at the bottom.
impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            f.write_str("\n")?;
            for sq in Bitboard::from(rank) {
                write!(f, " {}", self.piece_at(sq).map_or('.', Piece::char))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Board;
    use crate::bitboard::Bitboard;
    use crate::piece::{Color, Piece, Role};
    use crate::square::Square;

    const WHITE_QUEEN: Piece = Role::Queen.of(Color::White);
    const BLACK_KNIGHT: Piece = Role::Knight.of(Color::Black);

    #[test]
    fn the_game_starts_with_sixteen_men_each() {
        let board = Board::initial();
        assert_eq!(board.by_color(Color::White), Bitboard(0xffff));
        assert_eq!(board.by_color(Color::Black), Bitboard(0xffff << 48));
        assert_eq!(board.king_of(Color::Black), Some(Square::E8));
        assert_eq!(board.by_piece(WHITE_QUEEN), Square::D1.into());
        assert_eq!(board.piece_at(Square::G8), Some(BLACK_KNIGHT));
        assert_eq!(board.piece_at(Square::E4), None);
    }

    #[test]
    fn a_man_put_on_a_square_replaces_the_one_there() {
        let mut board = Board::EMPTY;
        board.set(Square::D4, BLACK_KNIGHT);
        board.set(Square::D4, WHITE_QUEEN);
        assert!(board.by_piece(BLACK_KNIGHT).is_empty() && board.by_color(Color::Black).is_empty());
        assert_eq!(board.remove(Square::D4), Some(WHITE_QUEEN));
        assert_eq!(board.remove(Square::D4), None);
        assert_eq!(board, Board::EMPTY);
    }

    #[test]
    fn attackers_look_through_what_the_caller_takes_away() {
        let mut board = Board::EMPTY;
        board.set(Square::D1, WHITE_QUEEN);
        board.set(Square::D4, BLACK_KNIGHT);
        let attackers = |occupied| board.attackers_to(Square::D8, Color::White, occupied);
        assert_eq!(attackers(board.occupied()), Bitboard::EMPTY);
        assert_eq!(attackers(board.occupied().without(Square::D4)), Square::D1.into());
        assert_eq!(board.attackers_to(Square::C6, Color::Black, board.occupied()), Square::D4.into());
    }

    #[test]
    fn a_board_prints_as_a_diagram() {
        let diagram = format!("{:?}", Board::initial());
        assert!(diagram.starts_with("\n r n b q k b n r\n p p"), "{diagram}");
    }
}
