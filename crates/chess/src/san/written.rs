//! Moves as they are written, compared with moves that were played.

use crate::castling::CastlingSide;
use crate::moves::Move;
use crate::piece::Role;
use crate::san::letters::Letters;
use crate::san::spelling::{self, Case, Man, Mark, Spelling};

/// A move as it is written, without a position: what it says about the piece, the squares, the promotion, the capture
/// and the check. It fits every move that a game may have at its place.
///
/// ```
/// use pgn2fen_chess::san::{Letters, WrittenMove};
/// use pgn2fen_chess::{moves::Move, piece::Role, square::Square};
///
/// let greek_gift = WrittenMove::read(b"Bxh7+", &Letters::ENGLISH).unwrap();
/// let played = Move::Normal { role: Role::Bishop, from: Square::D3, to: Square::H7, promotion: None };
/// assert!(greek_gift.fits(played, true));
/// assert!(!greek_gift.fits(played, false), "it takes nothing");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrittenMove {
    spelling: Spelling,
    mark: CheckMark,
}

/// The check that a written move states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckMark {
    /// Neither `+` nor `#`: the move may give check or not.
    None,
    /// `+`: check or checkmate.
    Check,
    /// `#`: checkmate.
    Mate,
}

impl WrittenMove {
    /// Reads a move in SAN, in long algebraic notation (`Ng1-f3`) or as squares (`e2e4`, `e7e8q`). Piece letters are
    /// upper case and letters of files lower case. None if the whole symbol is no move.
    pub fn read(symbol: &[u8], letters: &Letters) -> Option<Self> {
        let (spelling, _) = spelling::read(symbol, *letters, Case::Exact)?;
        let mark = match symbol {
            [.., b'#'] => CheckMark::Mate,
            [.., b'+'] => CheckMark::Check,
            _ => CheckMark::None,
        };
        Some(Self { spelling, mark })
    }

    /// Whether a move is what is written, but for the check. `is_capture` says whether it [captures](Move::is_capture).
    ///
    /// A move in SAN captures if, and only if, it is written with the sign of a capture or, for a pawn, from another
    /// file. A move that is written as two squares, without a piece, may capture or not. A pawn's move to the last rank
    /// that names no promotion is any promotion.
    pub fn fits(&self, played: Move, is_capture: bool) -> bool {
        match self.spelling {
            Spelling::Null => played == Move::Null,
            Spelling::Castling(side) => {
                matches!(played, Move::Castle { king, rook } if CastlingSide::of(king, rook) == side)
            }
            Spelling::Drop(role, to) => played == Move::Drop { role, to },
            Spelling::Man(man) => man.fits(played, is_capture),
        }
    }

    /// Returns the check that is written.
    pub fn check_mark(&self) -> CheckMark {
        self.mark
    }
}

impl Man {
    fn fits(&self, played: Move, is_capture: bool) -> bool {
        if let Move::Castle { .. } = played {
            return self.may_be_castling(played);
        }
        // A drop has no origin.
        let (Some(role), Some(from), Some(to)) = (played.role(), played.from(), played.to()) else { return false };
        let captures = match self.role {
            None if self.mark.is_none() => is_capture,
            Some(Role::Pawn) => self.is_pawn_capture(),
            _ => self.mark == Some(Mark::Cross),
        };
        self.role.is_none_or(|told| told == role)
            && self.origin().contains(from)
            && self.target().contains(to)
            && (self.promotion.is_none() || self.promotion == played.promotion())
            && captures == is_capture
            && (!self.en_passant || matches!(played, Move::EnPassant { .. }))
    }
}

#[cfg(test)]
mod tests {
    use super::{CheckMark, WrittenMove};
    use crate::moves::Move;
    use crate::piece::Role;
    use crate::san::Letters;
    use crate::square::Square;
    use crate::testing::{find, position};

    /// Compares the legal moves of a position that fit, in the notation of UCI.
    #[track_caller]
    fn check(fen: &str, written: &str, expected: &str) {
        let position = position(fen);
        let written = WrittenMove::read(written.as_bytes(), &Letters::ENGLISH).expect(written);
        let fits = position.legal_moves().into_iter().filter(|m| written.fits(*m, m.is_capture(position.board())));
        let mut fits: Vec<String> = fits.map(|m| m.to_uci(&position)).collect();
        fits.sort_unstable();
        assert_eq!(fits.join(" "), expected, "{written:?}");
    }

    #[test]
    fn a_written_move_fits_what_was_played() {
        let fen = "r3k2r/1P4p1/8/2Pp2N1/1B6/3b4/3PPP2/R3K1NR w KQkq d6 0 1";
        check(fen, "Nf3", "g1f3 g5f3");
        check(fen, "N5f3", "g5f3");
        check(fen, "Ng1-f3", "g1f3");
        check(fen, "g1f3", "g1f3");
        check(fen, "Ba5", "b4a5");
        // What captures is written so, but for two squares.
        check(fen, "Rh8", "");
        check(fen, "Rxh8+", "h1h8");
        check(fen, "h1h8", "h1h8");
        check(fen, "h1xh8", "h1h8");
        check(fen, "h1-h8", "");
        check(fen, "g1xf3", "");
        check(fen, "cxd6", "c5d6");
        check(fen, "cd6", "c5d6");
        check(fen, "cxd6ep", "c5d6");
        check(fen, "d6", "");
        check(fen, "exd3", "e2d3");
        check(fen, "d3", "");
        check(fen, "f4", "f2f4");
        check(fen, "b8", "b7b8b b7b8n b7b8q b7b8r");
        check(fen, "b8=N", "b7b8n");
        check(fen, "b7b8q", "b7b8q");
        check(fen, "bxa8=Q", "b7a8q");
        check(fen, "O-O-O", "e1c1");
    }

    #[test]
    fn a_null_move_and_a_drop_fit_nothing_else() {
        let read = |text: &[u8]| WrittenMove::read(text, &Letters::ENGLISH).expect("a move");
        let drop = |to| Move::Drop { role: Role::Knight, to };
        let step = Move::Normal { role: Role::Knight, from: Square::G1, to: Square::F3, promotion: None };
        let fits = |text: &[u8], m| read(text).fits(m, false);
        assert!(fits(b"--", Move::Null) && !fits(b"--", step));
        assert!(fits(b"N@f3", drop(Square::F3)) && !fits(b"N@f3", drop(Square::E3)) && !fits(b"N@f3", step));
        assert!(fits(b"Nf3", step) && !fits(b"Nf3", Move::Null) && !fits(b"Nf3", drop(Square::F3)));
    }

    #[test]
    fn castling_is_written_in_every_way() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1";
        for written in ["O-O", "0-0", "e8g8", "e8h8"] {
            check(fen, written, "e8g8");
        }
        check(fen, "O-O-O", "e8c8");
        check(fen, "Kf8", "e8f8");
        check(fen, "Kg8", "");
    }

    #[test]
    fn a_mark_is_kept_and_what_is_no_move_is_not_read() {
        let mark = |text: &[u8]| WrittenMove::read(text, &Letters::ENGLISH).map(|written| written.check_mark());
        assert_eq!(mark(b"Qxf7#"), Some(CheckMark::Mate));
        assert_eq!(mark(b"Qxf7+"), Some(CheckMark::Check));
        assert_eq!(mark(b"Qxf7"), Some(CheckMark::None));
        for text in ["", "Nf", "Sf3", "Nf9", "nf3", "Nf3?", "1.Nf3", "12", "1-0", "*"] {
            assert_eq!(mark(text.as_bytes()), None, "{text}");
        }
        let german = Letters::of("de").unwrap();
        let knight = WrittenMove::read(b"Sf3", &german).unwrap();
        assert!(knight.fits(find(&position("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1"), "g1f3"), false));
    }
}
