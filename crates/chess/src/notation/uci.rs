//! Moves in UCI notation, the notation that chess engines use.

use std::fmt;
use std::num::NonZeroU16;

use crate::castling::{CastlingRules, CastlingSide};
use crate::moves::Move;
use crate::piece::Role;
use crate::position::Position;
use crate::square::Square;

/// Castling is written in one way throughout a game, which [`CastlingRules`] decide: as the step of the king (`e1g1`)
/// in standard chess, and as the king taking its own rook (`e1h1`) in Chess960. In place of the rules, a position can
/// be given, of which nothing else is known.
impl Move {
    /// Returns the move in UCI notation: `e2e4`, `e7e8q`, `N@f3` for a drop, or `0000` for a null move.
    ///
    /// ```
    /// use pgn2fen_chess::castling::CastlingRules;
    /// use pgn2fen_chess::position::Position;
    /// use pgn2fen_chess::notation::uci::Uci;
    ///
    /// let position: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse()?;
    /// let castling = Uci::from_ascii(b"e1g1").and_then(|uci| uci.find(&position)).unwrap();
    /// assert_eq!(castling.to_uci(CastlingRules::Chess960), "e1h1");
    /// assert_eq!(castling.to_uci(&position), "e1g1");
    /// # Ok::<(), pgn2fen_chess::fen::FenError>(())
    /// ```
    pub fn to_uci(self, rules: impl Into<CastlingRules>) -> String {
        self.uci(rules).to_string()
    }

    /// Appends the move in UCI notation, as [`to_uci`](Self::to_uci) does.
    pub fn append_uci(self, rules: impl Into<CastlingRules>, out: &mut Vec<u8>) {
        self.uci(rules).append(out);
    }

    /// Returns the move that [`to_uci`](Self::to_uci) writes, packed in 16 bits.
    #[inline]
    pub fn uci(self, rules: impl Into<CastlingRules>) -> Uci {
        let to = match self {
            Self::Castle { rook, .. } if rules.into() == CastlingRules::Chess960 => Some(rook),
            _ => self.to(),
        };
        match (self.from(), to) {
            (None, Some(to)) => Uci::new(to, to, self.role()),
            (Some(from), Some(to)) => Uci::new(from, to, self.promotion()),
            _ => Uci::NULL,
        }
    }
}

/// A move in UCI notation, packed in 16 bits: its origin square, its target square and its promotion piece. A drop has
/// its square twice, and its role in place of the promotion piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uci(NonZeroU16);

/// The bits of a null move. No role has this number.
const PASSING: u16 = 7 << 12;

impl Uci {
    /// The null move, `0000`.
    pub const NULL: Self = Self(NonZeroU16::MIN.saturating_add(PASSING - 1));

    #[inline]
    fn new(from: Square, to: Square, promotion: Option<Role>) -> Self {
        let becomes = promotion.map_or(0, |role| role as u16);
        let bits = u16::from(from.number()) | u16::from(to.number()) << 6 | becomes << 12;
        // The bits are zero only for a move from a1 to a1, which does not exist.
        NonZeroU16::new(bits).map_or(Self::NULL, Self)
    }

    /// Returns the 16 bits of the move, which are never zero.
    #[inline]
    pub fn bits(self) -> NonZeroU16 {
        self.0
    }

    /// Returns the move with these bits, or `None` if no move has them.
    #[inline]
    pub fn from_bits(bits: u16) -> Option<Self> {
        let is_drop = bits & 63 == bits >> 6 & 63;
        let is_move =
            if is_drop { matches!(bits >> 12, 1..=5) || bits == PASSING } else { matches!(bits >> 12, 0 | 2..=6) };
        NonZeroU16::new(bits).filter(|_| is_move).map(Self)
    }

    /// Returns the role and the square of a drop.
    fn dropped(self) -> Option<(Role, Square)> {
        let bits = self.0.get();
        let role = Role::ALL.into_iter().find(|role| *role as u16 == bits >> 12)?;
        (bits & 63 == bits >> 6 & 63).then(|| (role, Square::wrapping((bits & 63) as u8)))
    }

    /// Parses a move in UCI notation; returns `None` if the text is not one. Letters must be lower case, but for the
    /// role of a drop, which is upper case. A pawn that is dropped may lack its letter.
    pub fn from_ascii(text: &[u8]) -> Option<Self> {
        if let [b'@', square @ ..] = text {
            let to = Square::from_ascii(square)?;
            return Some(Self::new(to, to, Some(Role::Pawn)));
        }
        let (squares, becomes) = text.split_at_checked(4)?;
        if text == b"0000" {
            return Some(Self::NULL);
        }
        if let [letter, b'@', ..] = squares {
            let role = Role::from_char(char::from(*letter)).filter(|role| *role != Role::King && becomes.is_empty())?;
            let to = Square::from_ascii(&squares[2..])?;
            return Some(Self::new(to, to, Some(role)));
        }
        let promotion = match becomes {
            [] => None,
            b"n" => Some(Role::Knight),
            b"b" => Some(Role::Bishop),
            b"r" => Some(Role::Rook),
            b"q" => Some(Role::Queen),
            b"k" => Some(Role::King),
            _ => return None,
        };
        let (from, to) = (Square::from_ascii(&squares[..2])?, Square::from_ascii(&squares[2..])?);
        // The same square twice would be a drop.
        (from != to).then(|| Self::new(from, to, promotion))
    }

    /// Appends the move in UCI notation, in ASCII.
    pub fn append(self, out: &mut Vec<u8>) {
        if self == Self::NULL {
            out.extend_from_slice(b"0000");
            return;
        }
        if let Some((role, to)) = self.dropped() {
            out.extend_from_slice(&[role.char() as u8, b'@', to.file().char() as u8, to.rank().char() as u8]);
            return;
        }
        let bits = self.0.get();
        for number in [bits, bits >> 6] {
            let sq = Square::wrapping((number & 63) as u8);
            out.extend_from_slice(&[sq.file().char() as u8, sq.rank().char() as u8]);
        }
        if let Some(letter) = b"nbrqk".get(usize::from(bits >> 12).wrapping_sub(Role::Knight as usize)) {
            out.push(*letter);
        }
    }

    /// Returns the legal move of a position that has this notation, or `None` if there is none. A null move is legal
    /// unless the side to move is in check.
    ///
    /// Castling is found in both ways of writing it, whatever the position is. If the step of the king is also a move
    /// of the king alone, it is that move.
    pub fn find(self, position: &Position) -> Option<Move> {
        if self == Self::NULL {
            return position.is_legal(Move::Null).then_some(Move::Null);
        }
        if let Some((role, to)) = self.dropped() {
            let m = Move::Drop { role, to };
            return position.is_legal(m).then_some(m);
        }
        let bits = self.0.get();
        let [from, to] = [bits, bits >> 6].map(|number| Square::wrapping((number & 63) as u8));
        let promotion = Role::ALL.into_iter().find(|role| *role as u16 == bits >> 12);
        let role = position.board().piece_at(from)?.role;
        let alone = Move::Normal { role, from, to, promotion };
        if position.is_legal(alone) {
            return Some(alone);
        }
        let others = match role {
            Role::Pawn => [Some(Move::EnPassant { from, to }), None],
            Role::King => [CastlingSide::King, CastlingSide::Queen].map(|side| position.castling_move(side)),
            _ => return None,
        };
        let legal =
            |rules: CastlingRules| others.iter().flatten().find(|m| m.uci(rules) == self && position.is_legal(**m));
        legal(CastlingRules::Chess960).or_else(|| legal(CastlingRules::Standard)).copied()
    }
}

impl fmt::Display for Uci {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Vec::with_capacity(5);
        self.append(&mut text);
        f.write_str(str::from_utf8(&text).unwrap_or_default())
    }
}

impl fmt::Debug for Uci {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Uci({self})")
    }
}

#[cfg(test)]
mod tests {
    use crate::castling::CastlingRules;
    use crate::fen;
    use crate::moves::Move;
    use crate::notation::uci::Uci;
    use crate::rules::Rules;
    use crate::testing::{find, position};

    #[track_caller]
    fn check(fen: &str, among: &str) {
        let position = position(fen);
        let moves = position.legal_moves();
        assert!(moves.iter().any(|m| m.to_uci(&position) == among), "{moves:?}");
        for m in moves {
            let uci = m.uci(&position);
            assert_eq!(Uci::from_ascii(uci.to_string().as_bytes()), Some(uci));
            assert_eq!(Uci::from_bits(uci.bits().get()), Some(uci));
            assert_eq!(uci.find(&position), Some(m));
        }
    }

    #[test]
    fn a_move_is_where_it_leaves_and_where_it_arrives() {
        check("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4");
        check("8/P6k/8/8/8/8/8/4K3 w - - 0 1", "a7a8n");
        check("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6");
    }

    #[test]
    fn a_move_is_appended_behind_other_text() {
        let start = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let mut text = b"position startpos moves ".to_vec();
        find(&start, "e2e4").append_uci(&start, &mut text);
        assert_eq!(text, b"position startpos moves e2e4");
    }

    #[test]
    fn the_king_of_a_position_of_standard_chess_goes_two_squares_to_castle() {
        check("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1");
        check("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8");
    }

    #[test]
    fn the_king_of_a_position_of_chess960_takes_his_rook_to_castle() {
        check("4k3/8/8/8/8/8/8/RK6 w A - 0 1", "b1a1");
        check("1k5r/8/8/8/8/8/8/R3K2R w KQh - 0 1", "e1h1");
    }

    /// Compares the move that a text means, which is written by the rules of standard chess and by those of Chess960.
    #[track_caller]
    fn check_both(fen: &str, text: &str, expected: [&str; 2]) {
        let position = position(fen);
        let found = Uci::from_ascii(text.as_bytes()).and_then(|uci| uci.find(&position)).expect(text);
        assert_eq!([CastlingRules::Standard, CastlingRules::Chess960].map(|rules| found.to_uci(rules)), expected);
    }

    #[test]
    fn castling_is_written_by_the_rules_and_read_in_both_ways() {
        let both = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for text in ["e1g1", "e1h1"] {
            check_both(both, text, ["e1g1", "e1h1"]);
        }
        for text in ["e1c1", "e1a1"] {
            check_both(both, text, ["e1c1", "e1a1"]);
        }
        check_both(both, "e1f1", ["e1f1"; 2]);
        check_both("1k6/8/8/8/8/8/8/RK6 w A - 0 1", "b1a1", ["b1c1", "b1a1"]);
        // The king goes one square to castle, which is also a move of the king alone.
        let close = "4k3/8/8/8/8/8/8/5K1R w H - 0 1";
        check_both(close, "f1h1", ["f1g1", "f1h1"]);
        check_both(close, "f1g1", ["f1g1"; 2]);
    }

    #[test]
    fn what_is_found_is_what_the_list_of_legal_moves_has() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "8/2p5/3p4/KP5r/1R3pPk/8/4P3/8 b - g3 0 1",
            "4k3/8/8/2KPp2r/8/8/8/8 w - e6 0 1",
            "1k5r/8/8/8/8/8/8/R3K2R w KQh - 0 1",
            "4k3/8/8/8/8/8/8/5K1R w H - 0 1",
            "4k3/4r3/8/8/8/8/8/R3K2R w KQ - 0 1",
        ] {
            let position = position(fen);
            let legal = position.legal_moves();
            let written = |uci, rules: CastlingRules| legal.iter().find(|m| m.uci(rules) == uci);
            for bits in 0..=u16::MAX {
                let Some(uci) = Uci::from_bits(bits).filter(|uci| *uci != Uci::NULL) else { continue };
                let is_castling = |m: &Move| matches!(m, Move::Castle { .. });
                let alone = legal.iter().find(|m| !is_castling(m) && m.uci(CastlingRules::Standard) == uci);
                let found = alone.or_else(|| written(uci, CastlingRules::Chess960));
                let found = found.or_else(|| written(uci, CastlingRules::Standard)).copied();
                assert_eq!(uci.find(&position), found, "{uci} in {fen}");
            }
        }
    }

    #[test]
    fn passing_is_four_zeros() {
        let kings = position("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
        assert_eq!(Move::Null.to_uci(&kings), "0000");
        assert_eq!(Uci::from_ascii(b"0000").and_then(|uci| uci.find(&kings)), Some(Move::Null));
        assert_eq!(Uci::NULL.find(&position("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")), None);
    }

    #[test]
    fn a_drop_is_a_role_and_a_square() {
        let fen = b"4k3/P7/8/8/8/8/8/4K3[NPq] w - - 0 1";
        let position = fen::read_by(Rules::Crazyhouse, fen).unwrap().position;
        for m in position.legal_moves() {
            let uci = m.uci(&position);
            assert_eq!(Uci::from_ascii(uci.to_string().as_bytes()), Some(uci));
            assert_eq!((Uci::from_bits(uci.bits().get()), uci.find(&position)), (Some(uci), Some(m)));
        }
        let read = |text: &str| Some(Uci::from_ascii(text.as_bytes())?.find(&position)?.to_uci(&position));
        for (text, expected) in [("N@f3", "N@f3"), ("P@e4", "P@e4"), ("@e4", "P@e4"), ("N@e8", ""), ("q@e4", "")] {
            assert_eq!(read(text).unwrap_or_default(), expected, "{text}");
        }
        assert_eq!([read("Q@e4"), read("P@d8"), read("a7a8k")], [None, None, None]);
    }

    #[test]
    fn a_pawn_of_antichess_may_become_a_king() {
        let position = fen::read_by(Rules::Antichess, b"8/P7/8/8/8/8/8/7k w - - 0 1").unwrap().position;
        let king = Uci::from_ascii(b"a7a8k").and_then(|uci| uci.find(&position)).unwrap();
        assert_eq!((king.to_san(&position).as_str(), king.to_uci(&position).as_str()), ("a8=K", "a7a8k"));
        assert_eq!(position.play_san("a8=K").unwrap().to_string(), "K7/8/8/8/8/8/8/7k b - - 0 1");
    }

    #[test]
    fn what_is_no_move_is_not_read() {
        for text in ["", "e2", "e2e9", "e7e8p", "e7e8qq", "e2-e4", "E2E4", "K@e4", "N@e9", "n@e4", "N@e4q", "@e9"] {
            assert_eq!(Uci::from_ascii(text.as_bytes()), None, "{text}");
        }
        assert_eq!([Uci::from_bits(0), Uci::from_bits(u16::MAX)], [None, None]);
    }
}
