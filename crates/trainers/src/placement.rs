//! A position as binpack sees it, and its moves as numbers.
//!
//! A move is two numbers: the place of its man among the men of the side to move, and the place of its target among
//! the squares to which that man goes. Neither asks whether the king is safe, so a reader needs no rules of check,
//! but for one: a square en passant counts only if a pawn may capture there.

use pgn2fen_chess::Position;
use pgn2fen_chess::attacks;
use pgn2fen_chess::bitboard::Bitboard;
use pgn2fen_chess::castling::CastlingRights;
use pgn2fen_chess::piece::{Color, Role};
use pgn2fen_chess::square::{File, Rank, Square};

use crate::men::codes;
use crate::step::{Kind, Step, promoted, promotion};

/// The parts of a position that binpack stores, and those from which it counts moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    turn: Color,
    by_color: [Bitboard; 2],
    /// Pawns, knights, bishops, rooks, queens, kings.
    by_role: [Bitboard; 6],
    /// The rooks that may castle.
    castling: Bitboard,
    /// The square that a pawn passed over, if it may be captured there.
    ep: Option<Square>,
}

/// One of several numbered things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) number: u32,
    /// How many there are.
    pub(super) of: u32,
}

impl Choice {
    /// The square among those of a set.
    fn square(sq: Square, set: Bitboard) -> Self {
        let below = Bitboard(set.0 & (Bitboard::from(sq).0 - 1));
        Self { number: below.count(), of: set.count() }
    }
}

/// The squares of the corners of a color: those of the rooks that castle on the side of the queen and of the king.
fn corners(color: Color) -> [Square; 2] {
    [File::A, File::H].map(|file| Square::new(file, color.back_rank()))
}

impl Placement {
    /// Returns a position of men, with the rooks that may castle, and the square that a pawn passed over.
    pub fn new(
        turn: Color,
        by_color: [Bitboard; 2],
        by_role: [Bitboard; 6],
        castling: Bitboard,
        ep: Option<Square>,
    ) -> Self {
        let placement = Self { turn, by_color, by_role, castling, ep: None };
        Self { ep: ep.filter(|ep| placement.is_capturable(*ep)), ..placement }
    }

    /// Returns a position.
    pub fn of(position: &Position) -> Self {
        let board = position.board();
        let by_role = Role::ALL.map(|role| board.by_role(role));
        Self::new(
            position.turn(),
            Color::ALL.map(|color| board.by_color(color)),
            by_role,
            position.castling().rooks(),
            position.ep(),
        )
    }

    /// Returns the side to move.
    pub fn turn(&self) -> Color {
        self.turn
    }

    fn occupied(&self) -> Bitboard {
        self.by_color[0] | self.by_color[1]
    }

    fn men(&self, color: Color) -> Bitboard {
        self.by_color[color.index()]
    }

    fn role(&self, role: Role) -> Bitboard {
        self.by_role[role as usize - Role::Pawn as usize]
    }

    fn role_at(&self, sq: Square) -> Option<Role> {
        Role::ALL.into_iter().find(|role| self.role(*role).contains(sq))
    }

    /// Whether a pawn may capture en passant on a square: without the two pawns, no line of an enemy piece to the king
    /// of the side to move is open. Other checks do not count, because a position after a double step has none.
    fn is_capturable(&self, ep: Square) -> bool {
        let (mine, theirs) = (self.men(self.turn), self.men(!self.turn));
        let (Some(king), Some(passed)) = (
            (self.role(Role::King) & mine).first(),
            ep.offset(0, -self.turn.forward()).filter(|sq| (self.role(Role::Pawn) & theirs).contains(*sq)),
        ) else {
            return false;
        };
        let origin = ep.offset(0, self.turn.forward());
        if self.occupied().contains(ep) || origin.is_none_or(|origin| self.occupied().contains(origin)) {
            return false;
        }
        let takers = attacks::of(Role::Pawn.of(!self.turn), ep, Bitboard::EMPTY) & mine & self.role(Role::Pawn);
        let queens = self.role(Role::Queen);
        takers.into_iter().any(|taker| {
            let occupied = self.occupied().without(taker).without(passed).with(ep);
            let sees = |role: Role| {
                let attackers = (self.role(role) | queens) & theirs;
                !(attacks::of(role.of(self.turn), king, occupied) & attackers).is_empty()
            };
            !sees(Role::Bishop) && !sees(Role::Rook)
        })
    }

    /// Whether the rights to castle are those of standard chess, the only ones that binpack has.
    pub fn has_standard_castling(&self) -> bool {
        Color::ALL.into_iter().all(|color| {
            let rank: Bitboard = color.pick(Rank::First, Rank::Eighth).into();
            let (rooks, kings) = (self.castling & self.men(color), self.role(Role::King) & self.men(color));
            rooks.is_empty() || kings == Square::new(File::E, color.back_rank()).into() && (rooks - rank).is_empty()
        }) && (self.castling - CastlingRights::CORNERS.rooks()).is_empty()
    }

    /// Returns the 24 bytes of the position. `None` if it has more men than there is room for.
    ///
    /// The occupied squares come first, the highest byte first, then four bits for each man: twice 0 to 5 for P N B R Q
    /// K and one more for Black; 12 for a pawn that may be captured en passant, 13 and 14 for a rook of White and of
    /// Black that may castle, and 15 for the king of Black if Black is to move.
    pub fn to_binpack(&self) -> Option<[u8; 24]> {
        let black = self.men(Color::Black);
        let passed = self.ep.and_then(|ep| ep.offset(0, -self.turn.forward())).map_or(Bitboard::EMPTY, Bitboard::from);
        let king = self.role(Role::King) & self.turn.pick(Bitboard::EMPTY, black);
        let [white_rooks, black_rooks] = Color::ALL.map(|color| self.castling & self.men(color));
        let kings = self.role(Role::King);
        let planes = [
            (black - passed - black_rooks) | white_rooks,
            self.role(Role::Knight) | (self.role(Role::Rook) - self.castling) | kings | black_rooks,
            self.role(Role::Bishop) | self.role(Role::Rook) | passed | king,
            self.role(Role::Queen) | kings | self.castling | passed,
        ];
        let codes = codes(self.occupied(), planes.map(|plane| plane.0))?;
        let mut bytes = [0; 24];
        bytes[..8].copy_from_slice(&self.occupied().0.to_be_bytes());
        bytes[8..].copy_from_slice(&codes);
        Some(bytes)
    }

    /// Returns the squares to which a man of the side to move goes, whether or not its king is safe then.
    fn targets(&self, role: Role, from: Square) -> Bitboard {
        let (mine, theirs, occupied) = (self.men(self.turn), self.men(!self.turn), self.occupied());
        let reached = attacks::of(role.of(self.turn), from, occupied);
        if role != Role::Pawn {
            return reached - mine;
        }
        let taken = theirs | self.ep.map_or(Bitboard::EMPTY, Bitboard::from);
        reached & taken | attacks::pawn_steps(self.turn, from, occupied)
    }

    /// Returns the rooks with which the side to move may castle: that of the queen first.
    fn castling_rooks(&self) -> impl Iterator<Item = (u32, Square)> {
        let rooks = self.castling & self.men(self.turn);
        (0..).zip(corners(self.turn).into_iter().filter(move |corner| rooks.contains(*corner)))
    }

    fn promotes(&self, role: Role, from: Square) -> bool {
        role == Role::Pawn && from.rank() == (!self.turn).pawn_rank()
    }

    /// Returns the numbers of a move: those of its man and of its target. `None` if there is no such move.
    pub(super) fn number(&self, step: Step) -> Option<[Choice; 2]> {
        let Step { from, to, kind } = step;
        let mine = self.men(self.turn);
        let role = self.role_at(from).filter(|_| mine.contains(from))?;
        let targets = self.targets(role, from);
        let man = Choice::square(from, mine);
        if role == Role::King {
            let rooks = self.castling_rooks().map(|_| 1).sum::<u32>();
            let all = |target: Choice| Some([man, Choice { of: target.of + rooks, ..target }]);
            if kind == Kind::Castling {
                let (nth, _) = self.castling_rooks().find(|(_, rook)| *rook == to)?;
                return all(Choice { number: targets.count() + nth, of: targets.count() });
            }
            return targets.contains(to).then(|| Choice::square(to, targets)).and_then(all);
        }
        let target = targets.contains(to).then(|| Choice::square(to, targets))?;
        Some([
            man,
            match kind {
                Kind::Promotion(role) => {
                    Choice { number: target.number * 4 + u32::from(promotion(role)), of: target.of * 4 }
                }
                _ => target,
            },
        ])
    }

    /// Returns the move whose numbers are read. `None` if there is no such move, or no more to read.
    pub(super) fn read_step(&self, mut read: impl FnMut(u32) -> Option<u32>) -> Option<Step> {
        let nth = |set: Bitboard, number: u32| set.into_iter().nth(number as usize);
        let mine = self.men(self.turn);
        let from = nth(mine, read(mine.count())?)?;
        let role = self.role_at(from)?;
        let targets = self.targets(role, from);
        let (to, kind) = if self.promotes(role, from) {
            let number = read(targets.count() * 4)?;
            (nth(targets, number / 4)?, Kind::Promotion(promoted((number % 4) as u16)))
        } else if role == Role::King {
            let rooks = self.castling_rooks().map(|_| 1).sum::<u32>();
            let number = read(targets.count() + rooks)?;
            match number.checked_sub(targets.count()) {
                None => (nth(targets, number)?, Kind::Plain),
                Some(nth) => (self.castling_rooks().nth(nth as usize)?.1, Kind::Castling),
            }
        } else {
            let to = nth(targets, read(targets.count())?)?;
            let is_passing = role == Role::Pawn && self.ep == Some(to);
            (to, if is_passing { Kind::EnPassant } else { Kind::Plain })
        };
        Some(Step { from, to, kind })
    }
}

#[cfg(test)]
mod tests {
    use super::Placement;
    use crate::step::Step;
    use pgn2fen_chess::Position;

    fn placement(fen: &str) -> Placement {
        Placement::of(&fen.parse::<Position>().unwrap())
    }

    #[test]
    fn a_square_en_passant_counts_if_a_pawn_may_capture_there() {
        let counts = |fen| placement(fen).ep.is_some();
        assert!(counts("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"));
        assert!(!counts("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1"), "no pawn");
        assert!(!counts("4k3/8/8/r2pP2K/8/8/8/8 w - d6 0 1"), "both pawns leave the rank");
        assert!(!counts("4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1"), "the pawn is pinned");
        assert!(counts("4r1k1/8/8/2PpP3/8/8/8/4K3 w - d6 0 1"), "the other pawn is not");
        assert!(counts("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1"));
    }

    #[test]
    fn rights_of_chess960_are_none_of_binpack() {
        let is_standard = |fen| placement(fen).has_standard_castling();
        assert!(is_standard("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"));
        assert!(is_standard("1r2k1r1/8/8/8/8/8/8/1R3KR1 w - - 0 1"));
        assert!(!is_standard("r3k2r/8/8/8/8/8/8/1R2K2R w KBkq - 0 1"));
        assert!(!is_standard("r4k1r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"));
        assert!(is_standard("r4k1r/8/8/8/8/8/8/R3K2R w KQ - 0 1"));
    }

    #[test]
    fn every_legal_move_has_its_numbers() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/Pp2P3/2N2Q1p/1PPBBPPP/R3K2R b Qk a3 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1",
            "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1",
        ] {
            let position: Position = fen.parse().unwrap();
            let placement = Placement::of(&position);
            for m in position.legal_moves() {
                let step = Step::of(m).unwrap();
                let numbers = placement.number(step).unwrap();
                assert!(numbers.iter().all(|choice| choice.number < choice.of), "{fen} {step:?} {numbers:?}");
                let mut read = numbers.into_iter();
                let found = placement.read_step(|of| {
                    let choice = read.next()?;
                    assert_eq!(choice.of, of);
                    Some(choice.number)
                });
                assert_eq!(found, Some(step));
            }
        }
    }
}
