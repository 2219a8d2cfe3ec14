//! The outline of a game: what its entry in the index states about its moves.
//!
//! Scid computes it from the moves when it stores a game, and uses it for searches. A record has no checksum, so the
//! outline is what tells a damaged record from a whole one: lost or altered moves mostly change the number of plies,
//! the pieces that are left, the order in which pawns leave their first squares, or the number of variations or NAGs.

use std::fmt;

use pgn2fen_chess::Position;
use pgn2fen_chess::bitboard::Bitboard;
use pgn2fen_chess::board::Board;
use pgn2fen_chess::piece::{Color, Role};
use pgn2fen_chess::square::Rank;

/// The number of values of the number of plies, which has 10 bits.
const PLIES: u32 = 1 << 10;

/// The outline in an entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Outline {
    /// The number of plies of the main line. Scid stores the lowest 10 bits of it.
    pub(super) plies: u16,
    /// The pieces at the end of the main line: 12 bits for a side, those of White first. The queens, rooks, bishops and
    /// knights have 2 bits each, the pawns 4.
    pub(super) material: u32,
    pub(super) pawns: PawnMoves,
    /// The rounded numbers of variations and of NAGs in the whole game.
    pub(super) variations: u8,
    pub(super) nags: u8,
}

/// The pawns that left their first squares or were captured there, one after another.
///
/// A pawn is a number of 4 bits: 0 to 7 for those of Black from file h to file a, 8 to 15 for those of White.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PawnMoves {
    pub(super) count: u8,
    /// Two pawns in each byte, the earlier one in the high bits.
    pub(super) pawns: [u8; 8],
}

impl PawnMoves {
    fn push(&mut self, pawn: u8) {
        if let Some(byte) = self.pawns.get_mut(usize::from(self.count / 2)) {
            *byte |= if self.count.is_multiple_of(2) { pawn << 4 } else { pawn };
        }
        self.count = self.count.saturating_add(1);
    }
}

/// The outline of a game whose moves are being read.
#[derive(Clone, Debug)]
pub(super) struct Survey {
    plies: u32,
    variations: usize,
    nags: usize,
    /// The pawns that stand on their first squares. Empty if the game begins in another position: then Scid notes none.
    home: Bitboard,
    pawns: PawnMoves,
}

impl Survey {
    /// Begins the main line of a game.
    pub(super) fn new(start: &Position, is_initial: bool) -> Self {
        let home = if is_initial { home_pawns(start.board()) } else { Bitboard::EMPTY };
        Self { plies: 0, variations: 0, nags: 0, home, pawns: PawnMoves::default() }
    }

    /// Counts a move of the main line, which leads to this position.
    #[inline]
    pub(super) fn ply(&mut self, position: &Position) {
        self.plies += 1;
        let home = home_pawns(position.board()) & self.home;
        if home != self.home {
            self.pawn_leaves(home);
        }
    }

    fn pawn_leaves(&mut self, home: Bitboard) {
        if let Some(square) = Bitboard(self.home.0 ^ home.0).first() {
            let file = 7 - square.number() % 8;
            self.pawns.push(if square.rank() == Rank::Second { 8 + file } else { file });
        }
        self.home = home;
    }

    pub(super) fn variation(&mut self) {
        self.variations += 1;
    }

    pub(super) fn nag(&mut self) {
        self.nags += 1;
    }

    /// Compares the moves with what the index states. `end` is the position behind the last move of the main line.
    pub(super) fn check(&self, stated: &Outline, end: &Position, is_initial: bool) -> Result<(), Disagreement> {
        if stated.plies == 0 && stated.material == 0 {
            // Even bare kings have a move. So a program has left these fields empty.
            return Ok(());
        }
        // Scid stores the lowest bits of a larger number.
        let plies = u32::from(stated.plies);
        if plies != self.plies % PLIES && (self.plies < PLIES || plies != PLIES - 1) {
            return Err(Disagreement::Plies { stated: plies, found: self.plies });
        }
        if !is_same_material(stated.material, end.board()) {
            return Err(Disagreement::Material);
        }
        if is_initial && stated.pawns != self.pawns {
            return Err(Disagreement::Pawns);
        }
        if rounded(self.variations) != stated.variations {
            return Err(Disagreement::Variations { found: self.variations });
        }
        if rounded(self.nags) != stated.nags {
            return Err(Disagreement::Nags { found: self.nags });
        }
        Ok(())
    }
}

/// How the moves of a record differ from what the index states about them. Written as a word for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Disagreement {
    Plies { stated: u32, found: u32 },
    Material,
    Pawns,
    Variations { found: usize },
    Nags { found: usize },
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plies { stated, found } => write!(f, "the-index-states-{stated}-plies-and-the-record-has-{found}"),
            Self::Material => f.write_str("the-index-states-other-pieces-at-the-end"),
            Self::Pawns => f.write_str("the-index-states-other-moves-of-pawns"),
            Self::Variations { found } => {
                write!(f, "the-index-states-another-number-of-variations-than-{found}")
            }
            Self::Nags { found } => write!(f, "the-index-states-another-number-of-NAGs-than-{found}"),
        }
    }
}

/// Returns the pawns of both sides that stand on their first squares.
#[inline]
fn home_pawns(board: &Board) -> Bitboard {
    const WHITE: Bitboard = Bitboard::from_rank(Rank::Second);
    const BLACK: Bitboard = Bitboard::from_rank(Rank::Seventh);
    let pawns = board.by_role(Role::Pawn);
    (pawns & board.by_color(Color::White) & WHITE) | (pawns & board.by_color(Color::Black) & BLACK)
}

/// Whether a board has the pieces of a signature. More than three pieces are 3, and some versions of Scid let them
/// overflow into other bits; then nothing is compared.
fn is_same_material(stated: u32, board: &Board) -> bool {
    let mut found = 0;
    for color in Color::ALL {
        for (role, bits) in [(Role::Queen, 2), (Role::Rook, 2), (Role::Bishop, 2), (Role::Knight, 2), (Role::Pawn, 4)] {
            let count = board.by_piece(role.of(color)).count();
            if count >= 1 << bits {
                return true;
            }
            found = found << bits | count;
        }
    }
    found == stated
}

/// Rounds a number to the value of 4 bits that stands for it.
fn rounded(number: usize) -> u8 {
    match number {
        0..=10 => u8::try_from(number).unwrap_or(10),
        11..=12 => 10,
        13..=17 => 11,
        18..=24 => 12,
        25..=34 => 13,
        35..=44 => 14,
        _ => 15,
    }
}
