//! Positions and moves in few bytes, from which the binary formats for trainers are made.

use pgn2fen_chess::bitboard::Bitboard;
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::piece::{Color, Role};
use pgn2fen_chess::position::Position;
use pgn2fen_chess::square::Square;
use pgn2fen_trainers::{Placement, Step, codes};

/// A position without its history, in 48 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PackedPosition {
    occupied: u64,
    /// The bits of the codes of the men on all squares, the lowest bit first.
    codes: [u64; 4],
    /// The square that a pawn passed over, if an enemy pawn stands beside that pawn. 64 if there is none.
    pub(crate) ep: u8,
    /// The halfmove clock, at most 255.
    pub(crate) halfmoves: u8,
    /// The fullmove number, from 1 to 65535.
    pub(crate) fullmoves: u16,
    pub(crate) turn: Color,
}

/// The code of the value [`PackedPosition::ep`] for no square.
const NO_SQUARE: u8 = 64;

/// The men on a board: the occupied squares, and four bits for each man in the order a1, b1, …, h8, the low bits of a
/// byte first.
///
/// The code of a man is 0 to 5 for P N B R Q K, or 6 for a rook with the right to castle, and has bit 3 set for the
/// second color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Men {
    pub(crate) occupied: u64,
    pub(crate) codes: [u8; 16],
}

impl PackedPosition {
    #[inline]
    pub(crate) fn of(position: &Position) -> Self {
        let board = position.board();
        let role = |role| board.by_role(role).0;
        let castling = position.castling().rooks().0;
        let (rooks, kings) = (role(Role::Rook), role(Role::King));
        Self {
            occupied: board.occupied().0,
            codes: [
                role(Role::Knight) | rooks & !castling | kings,
                role(Role::Bishop) | rooks,
                role(Role::Queen) | castling | kings,
                board.by_color(Color::Black).0,
            ],
            ep: position.pseudo_legal_ep().map_or(NO_SQUARE, Square::number),
            halfmoves: u8::try_from(position.halfmoves()).unwrap_or(u8::MAX),
            fullmoves: u16::try_from(position.fullmoves().max(1)).unwrap_or(u16::MAX),
            turn: position.turn(),
        }
    }

    /// Returns the men as White sees the board. The second color is Black. `None` if there are more than 32.
    pub(crate) fn men(&self) -> Option<Men> {
        Men::new(self.occupied, self.codes)
    }

    /// Returns the men as the side to move sees the board from below, without castling rights. The second color is its
    /// opponent. `None` if there are more than 32.
    pub(crate) fn men_of_mover(&self) -> Option<Men> {
        let [low, middle, high, black] = self.codes;
        let unmoved = middle & high;
        let (occupied, codes) = (self.occupied, [low | unmoved, middle, high & !unmoved, black]);
        match self.turn {
            Color::White => Men::new(occupied, codes),
            // The bytes of a set of squares are the ranks.
            Color::Black => {
                let [low, middle, high, black] = codes.map(u64::swap_bytes);
                let occupied = occupied.swap_bytes();
                Men::new(occupied, [low, middle, high, occupied & !black])
            }
        }
    }

    /// Returns the number of men.
    pub(crate) fn count(&self) -> u32 {
        self.occupied.count_ones()
    }

    /// Returns the number of plies that the fullmove number stands for.
    pub(crate) fn ply(&self) -> u32 {
        (u32::from(self.fullmoves) - 1) * 2 + self.turn.pick(0, 1)
    }

    /// Returns the position as Stockfish's binpack has it.
    pub(crate) fn placement(&self) -> Placement {
        let [low, middle, high, black] = self.codes;
        let castling = middle & high;
        let pawns = self.occupied & !(low | middle | high);
        let rooks = low & middle | castling;
        let roles = [pawns, low & !middle & !high, middle & !low & !high, rooks, high & !low & !middle, low & high];
        let colors = [self.occupied & !black, black];
        let ep = Square::from_index(self.ep);
        Placement::new(self.turn, colors.map(Bitboard), roles.map(Bitboard), Bitboard(castling), ep)
    }

    /// Returns the number of the square of a color's king, 0 to 63.
    pub(crate) fn king(&self, color: Color) -> u8 {
        let [low, middle, high, black] = self.codes;
        let kings = low & !middle & high;
        let king = color.pick(kings & !black, kings & black);
        // A position has a king of each color.
        (king.trailing_zeros() & 63) as u8
    }
}

impl Men {
    fn new(occupied: u64, planes: [u64; 4]) -> Option<Self> {
        Some(Self { occupied, codes: codes(Bitboard(occupied), planes)? })
    }
}

/// The value of [`packed_move`] for a null move and for no move.
pub(crate) const NO_MOVE: u16 = 0;

/// Returns a move in 16 bits, as viriformat has it. The move from a1 to a1, which has no bit set, does not exist.
#[inline]
pub(crate) fn packed_move(m: Move) -> u16 {
    Step::of(m).map_or(NO_MOVE, Step::to_viri)
}

#[cfg(test)]
mod tests {
    use super::{PackedPosition, Placement, packed_move};
    use pgn2fen_chess::piece::Color;
    use pgn2fen_chess::testing::{find, position};

    #[track_caller]
    fn check_men(fen: &str, occupied: u64, codes: &str, of_mover: Option<(u64, &str)>) {
        let packed = PackedPosition::of(&position(fen));
        let hex = |codes: [u8; 16]| codes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let shown = |text: &str| format!("{:0<32}", text.replace(' ', ""));
        let men = packed.men().unwrap();
        assert_eq!((men.occupied, hex(men.codes)), (occupied, shown(codes)));
        let men = packed.men_of_mover().unwrap();
        let (occupied, codes) = of_mover.unwrap_or((occupied, codes));
        assert_eq!((men.occupied, hex(men.codes)), (occupied, shown(codes)));
    }

    #[test]
    fn men_have_four_bits_each_in_the_order_of_the_squares() {
        // The initial position of the README of viriformat 3.0, which shows the low four bits of each byte first.
        let initial = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let occupied = 0xffff_0000_0000_ffff;
        let of_mover = (occupied, "134225310000000088888888 9bcaadb9");
        check_men(initial, occupied, "164225610000000088888888 9ecaade9", Some(of_mover));
        // Black to move: the board is turned upside down, and the men of Black come first.
        let of_mover = (0x1001_0000_0000_0090, "35d8");
        check_men("4k2r/8/8/8/8/8/P7/4K3 b k - 0 1", 0x9000_0000_0000_0110, "05ed", Some(of_mover));
        check_men("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", 0x1000_0000_0000_0110, "050d", None);
    }

    #[test]
    fn the_placement_for_binpack_is_that_of_the_position() {
        for fen in [
            "r3k2r/pppqbppp/2n2n2/3pp3/3PP1b1/2N2N2/PPPQBPPP/R3K2R w KQkq - 6 8",
            "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1",
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        ] {
            let position = position(fen);
            assert_eq!(PackedPosition::of(&position).placement(), Placement::of(&position), "{fen}");
        }
    }

    #[test]
    fn kings_are_found() {
        let packed = PackedPosition::of(&position("4k2r/8/8/8/8/8/P7/4K1R1 b k - 0 1"));
        assert_eq!((packed.king(Color::White), packed.king(Color::Black)), (4, 60));
    }

    #[test]
    fn counters_and_squares_are_kept_within_their_bytes() {
        let packed = |fen| PackedPosition::of(&position(fen));
        let none = packed("4k3/8/8/8/8/8/P7/4K3 w - - 4000000000 4000000000");
        assert_eq!((none.ep, none.halfmoves, none.fullmoves), (64, 255, 65535));
        assert_eq!(packed("4k3/8/8/8/8/8/P7/4K3 w - - 0 0").fullmoves, 1);
        assert_eq!(packed("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1").ep, 43);
        assert_eq!(packed("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1").ep, 64);
    }

    #[test]
    fn a_move_has_sixteen_bits() {
        let packed = |fen: &str, uci: &str| packed_move(find(&position(fen), uci));
        // The first bytes of a move in the README of viriformat 3.0.
        assert_eq!(packed("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4"), 0x070c);
        assert_eq!(packed("r3k3/1P6/8/3pP3/8/8/8/4K2R w K d6 0 1", "e1g1"), 4 | 7 << 6 | 2 << 14);
        assert_eq!(packed("r3k3/1P6/8/3pP3/8/8/8/4K2R w K d6 0 1", "e5d6"), 36 | 43 << 6 | 1 << 14);
        assert_eq!(packed("r3k3/1P6/8/3pP3/8/8/8/4K2R w K d6 0 1", "b7a8n"), 49 | 56 << 6 | 3 << 14);
        assert_eq!(packed("r3k3/1P6/8/3pP3/8/8/8/4K2R w K d6 0 1", "b7b8q"), 49 | 57 << 6 | 3 << 12 | 3 << 14);
    }
}
