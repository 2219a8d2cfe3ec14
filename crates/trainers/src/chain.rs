//! Chains of binpack: a position with its move and labels, and the moves and scores that follow.
//!
//! A stem has 32 bytes: the position, its move, the score, the ply and the result, and the halfmove clock. Two bytes
//! with the number of the moves that follow come next, then these moves: the numbers of each, and the difference of its
//! score from that of the move before, seen from the same side. All numbers have their highest byte first. Each move is
//! that of the position after the move before it. What a chain does not store follows: the ply goes up by one, and
//! the result is that of the other side.

use pgn2fen_chess::Position;
use pgn2fen_chess::bitboard::Bitboard;
use pgn2fen_chess::board::Board;
use pgn2fen_chess::castling::CastlingRights;
use pgn2fen_chess::piece::{Color, Role};
use pgn2fen_chess::setup::Setup;
use pgn2fen_chess::square::Rank;

use crate::bits::{BitReader, BitWriter, width};
use crate::men::men;
use crate::placement::Placement;
use crate::step::Step;

/// The first bytes of a chunk, which has whole chains. Its size without the header follows, in four bytes, the lowest
/// first.
pub const CHUNK_MAGIC: &[u8; 4] = b"BINP";

/// The size of the header of a chunk, in bytes.
pub const CHUNK_HEADER: usize = 8;

/// The size of a stem with the number of the moves that follow it, in bytes.
pub const STEM: usize = 34;

/// The bits of the ply in a stem.
const PLY: u16 = 0x3FFF;

/// The labels of a position, seen from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Labels {
    /// The evaluation.
    pub score: i16,
    /// -1 for a loss, 0 for a draw, 1 for a win.
    pub result: i8,
    /// The number of plies before the position.
    pub ply: u32,
    /// The number of plies since the last capture or move of a pawn.
    pub halfmoves: u16,
}

/// Moves the sign of a number to its lowest bit. The value is inverted if it is negative.
fn fold(number: i16) -> u16 {
    let bits = number.cast_unsigned();
    if number < 0 { bits << 1 ^ 0xFFFF } else { bits << 1 }
}

/// Returns the number whose sign is in the lowest bit.
fn unfold(bits: u16) -> i16 {
    let number = (bits >> 1).cast_signed();
    if bits & 1 == 1 { !number } else { number }
}

/// Writes a chain.
#[derive(Clone, Copy, Debug)]
pub struct ChainWriter {
    /// The place of the number of moves in the output.
    count_at: usize,
    count: u16,
    bits: BitWriter,
    /// The score of the last move, as the other side sees it.
    last: i16,
}

impl ChainWriter {
    /// Begins a chain with a position and its move. `None` if the position has more men than there is room for, and
    /// nothing is written then.
    ///
    /// A ply that is too great becomes the greatest one of the same side to move.
    pub fn begin(placement: &Placement, step: Step, labels: Labels, out: &mut Vec<u8>) -> Option<Self> {
        let Labels { score, result, ply, halfmoves } = labels;
        out.extend_from_slice(&placement.to_binpack()?);
        let greatest = u32::from(PLY);
        let ply = if ply > greatest { greatest - 1 + ply % 2 } else { ply };
        let ply_and_result = u16::try_from(ply).unwrap_or(PLY) | fold(result.into()) << 14;
        for number in [step.to_binpack(), fold(score), ply_and_result, halfmoves, 0] {
            out.extend_from_slice(&number.to_be_bytes());
        }
        let bits = BitWriter::default();
        Some(Self { count_at: out.len() - 2, count: 0, bits, last: score.wrapping_neg() })
    }

    /// Adds the move of the position that the last move led to, and its score. Returns false and writes nothing if the
    /// chain is full or the position has no such move.
    pub fn add(&mut self, placement: &Placement, step: Step, score: i16, out: &mut Vec<u8>) -> bool {
        let Some((numbers, count)) = placement.number(step).zip(self.count.checked_add(1)) else {
            return false;
        };
        for choice in numbers {
            self.bits.push(choice.number, width(choice.of), out);
        }
        self.bits.push_in_parts(fold(score.wrapping_sub(self.last)), out);
        self.last = score.wrapping_neg();
        self.count = count;
        out[self.count_at..self.count_at + 2].copy_from_slice(&count.to_be_bytes());
        true
    }
}

/// The reason why bytes are no chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Broken {
    /// The bytes end within the chain.
    CutShort,
    /// What they hold is impossible. The text is a phrase that says what it is.
    Impossible(String),
}

/// A position with its move and labels.
#[derive(Clone, Debug)]
pub struct Stem {
    /// The position.
    pub position: Position,
    /// Its move, which may be illegal.
    pub step: Step,
    /// Its labels.
    pub labels: Labels,
    /// The number of moves that follow.
    pub count: u16,
}

impl Stem {
    /// Reads a stem.
    ///
    /// # Errors
    ///
    /// The bytes are too few, or the position is impossible.
    pub fn read(bytes: &[u8]) -> Result<Self, Broken> {
        let (stem, _) = bytes.split_first_chunk::<STEM>().ok_or(Broken::CutShort)?;
        let number = |at: usize| u16::from_be_bytes([stem[at], stem[at + 1]]);
        let labels = Labels {
            score: unfold(number(26)),
            // Two bits.
            result: [0, -1, 1, -2][usize::from(number(28) >> 14)],
            ply: u32::from(number(28) & PLY),
            halfmoves: number(30),
        };
        let setup = setup(stem, labels)?;
        let (position, _) = Position::repaired(setup).map_err(|error| Broken::Impossible(error.to_string()))?;
        Ok(Self { position, step: Step::of_binpack(number(24)), labels, count: number(32) })
    }
}

/// Returns the fullmove number of a ply: of one that is counted from 0, where it is even when White is to move, or
/// else from 1.
fn fullmoves(ply: u32, turn: Color) -> u32 {
    let from_zero = ply % 2 == turn.pick(0, 1);
    (if from_zero { ply / 2 + 1 } else { ply.div_ceil(2) }).max(1)
}

/// Returns the setup of a stem.
fn setup(stem: &[u8; STEM], labels: Labels) -> Result<Setup, Broken> {
    let impossible = |what: &str| Broken::Impossible(what.to_owned());
    let (occupied, rest) = stem.split_first_chunk().ok_or(Broken::CutShort)?;
    let codes = rest.first_chunk::<16>().ok_or(Broken::CutShort)?;
    let occupied = Bitboard(u64::from_be_bytes(*occupied));
    let men = men(occupied, codes).ok_or_else(|| impossible("a position of more than 32 pieces"))?;
    let mut setup = Setup {
        board: Board::EMPTY,
        turn: Color::White,
        castling: CastlingRights::default(),
        ep: None,
        halfmoves: labels.halfmoves.into(),
        ..Setup::initial()
    };
    for (sq, code) in men {
        let piece = match code {
            0..=11 => {
                let color = if code % 2 == 0 { Color::White } else { Color::Black };
                Role::ALL[usize::from(code / 2)].of(color)
            }
            12 => {
                let (color, behind) = match sq.rank() {
                    Rank::Fourth => (Color::White, -1),
                    Rank::Fifth => (Color::Black, 1),
                    _ => return Err(impossible("a pawn that moved two squares to another rank than 4 and 5")),
                };
                setup.ep = sq.offset(0, behind);
                Role::Pawn.of(color)
            }
            13 | 14 => {
                if !CastlingRights::CORNERS.contains(sq) {
                    return Err(impossible("a right to castle with a rook that is not in a corner"));
                }
                setup.castling = setup.castling.with(sq);
                Role::Rook.of(if code == 13 { Color::White } else { Color::Black })
            }
            _ => {
                setup.turn = Color::Black;
                Role::King.of(Color::Black)
            }
        };
        setup.board.set(sq, piece);
    }
    setup.fullmoves = fullmoves(labels.ply, setup.turn);
    Ok(setup)
}

/// Reads the moves that follow a stem.
#[derive(Clone, Copy, Debug)]
pub struct ChainReader {
    left: u16,
    bits: BitReader,
    /// The score of the last move, as the other side sees it.
    last: i16,
}

impl ChainReader {
    /// Begins behind a stem.
    pub fn new(stem: &Stem) -> Self {
        Self { left: stem.count, bits: BitReader::default(), last: stem.labels.score.wrapping_neg() }
    }

    /// Reads the move of a position, which follows from the last move, and its score. The bytes are those behind the
    /// stem. `None` at the end of the chain.
    ///
    /// # Errors
    ///
    /// The bytes end within the move, or the position has no such move.
    pub fn next(&mut self, position: &Position, bytes: &[u8]) -> Result<Option<(Step, i16)>, Broken> {
        if self.left == 0 {
            return Ok(None);
        }
        let placement = Placement::of(position);
        let mut is_cut = false;
        let step = placement.read_step(|of| {
            let number = self.bits.take(width(of), bytes);
            is_cut |= number.is_none();
            number
        });
        let step = match step {
            Some(step) => step,
            None if is_cut => return Err(Broken::CutShort),
            None => return Err(Broken::Impossible("a move to a square that the piece does not reach".to_owned())),
        };
        let change = self.bits.take_parts(bytes).ok_or(Broken::CutShort)?;
        let change =
            u16::try_from(change).map_err(|_| Broken::Impossible("a score of more than 16 bits".to_owned()))?;
        let score = self.last.wrapping_add(unfold(change));
        self.last = score.wrapping_neg();
        self.left -= 1;
        Ok(Some((step, score)))
    }

    /// Returns the number of bytes of the moves that have been read.
    pub fn bytes(&self) -> usize {
        self.bits.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::{Broken, ChainReader, ChainWriter, Labels, STEM, Stem, fold, fullmoves, unfold};
    use crate::placement::Placement;
    use crate::step::Step;
    use pgn2fen_chess::Position;
    use pgn2fen_chess::fen::{self, EpStyle, FenStyle};
    use pgn2fen_chess::piece::Color;
    use proptest::prelude::*;

    /// A position of a chain with its move and score.
    type Entry = (Position, Step, i16);

    /// Plays a game of random moves, captures and moves of pawns more often than others, so that all kinds occur.
    fn game(fen: &str, numbers: &[u32]) -> Vec<Entry> {
        let mut position: Position = fen.parse().unwrap();
        let mut entries = Vec::new();
        for number in numbers {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let m = moves[*number as usize % moves.len()];
            let score = i16::from_le_bytes(number.to_le_bytes()[1..3].try_into().unwrap());
            entries.push((position.clone(), Step::of(m).unwrap(), score));
            position.play_unchecked(m);
        }
        entries
    }

    fn write(entries: &[Entry]) -> Vec<u8> {
        let mut out = Vec::new();
        let (position, step, score) = &entries[0];
        let labels =
            Labels { score: *score, result: 1, ply: 6, halfmoves: u16::try_from(position.halfmoves()).unwrap() };
        let mut chain = ChainWriter::begin(&Placement::of(position), *step, labels, &mut out).unwrap();
        for (position, step, score) in &entries[1..] {
            assert!(chain.add(&Placement::of(position), *step, *score, &mut out));
        }
        out
    }

    fn read(bytes: &[u8]) -> (Vec<Entry>, Option<Broken>) {
        let mut entries = Vec::new();
        let stem = match Stem::read(bytes) {
            Ok(stem) => stem,
            Err(broken) => return (entries, Some(broken)),
        };
        let (mut reader, mut position) = (ChainReader::new(&stem), stem.position.clone());
        let (mut step, mut score) = (stem.step, stem.labels.score);
        loop {
            entries.push((position.clone(), step, score));
            let Some(m) = step.find(&position) else {
                return (entries, Some(Broken::Impossible("an illegal move".to_owned())));
            };
            position.play_unchecked(m);
            match reader.next(&position, &bytes[STEM..]) {
                Ok(Some(next)) => (step, score) = next,
                Ok(None) => return (entries, (reader.bytes() + STEM != bytes.len()).then_some(Broken::CutShort)),
                Err(broken) => return (entries, Some(broken)),
            }
        }
    }

    /// What binpack keeps of an entry.
    fn shown((position, step, score): &Entry) -> (String, Step, i16) {
        let style = FenStyle { ep: EpStyle::Legal, ..FenStyle::default() };
        (fen::to_string(position, style), *step, *score)
    }

    const STARTS: [&str; 5] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 4",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 7 4",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 4",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N w - - 0 4",
        "4k3/pppp1ppp/8/4pP2/8/8/PPP1P1PP/R3K2R w KQ e6 0 4",
    ];

    proptest! {
        #[test]
        fn games_are_read_as_they_were_written(start in 0..STARTS.len(),
                                               numbers in prop::collection::vec(any::<u32>(), 1..120)) {
            let entries = game(STARTS[start], &numbers);
            let (found, broken) = read(&write(&entries));
            prop_assert_eq!(broken, None);
            let show = |entries: &[Entry]| entries.iter().map(shown).collect::<Vec<_>>();
            prop_assert_eq!(show(&found), show(&entries));
        }

        #[test]
        fn any_bytes_are_a_chain_or_none(bytes in prop::collection::vec(any::<u8>(), 0..99)) {
            read(&bytes);
        }

        #[test]
        fn a_changed_chain_is_another_one_or_none(numbers in prop::collection::vec(any::<u32>(), 1..60),
                                                  at in any::<prop::sample::Index>(), value in any::<u8>()) {
            let mut bytes = write(&game(STARTS[1], &numbers));
            let at = at.index(bytes.len());
            bytes[at] = value;
            read(&bytes);
        }
    }

    #[test]
    fn a_chain_that_is_cut_short_keeps_what_is_before() {
        let numbers: Vec<u32> = (0..40_u32).map(|number| number.wrapping_mul(2_654_435_761)).collect();
        let entries = game(STARTS[1], &numbers);
        let bytes = write(&entries);
        let mut last = 0;
        for end in 0..bytes.len() {
            let (found, broken) = read(&bytes[..end]);
            assert_eq!(broken, Some(Broken::CutShort), "{end}");
            assert!(found.len() >= last && found.len() < entries.len());
            assert!(found.iter().zip(&entries).all(|(found, entry)| shown(found) == shown(entry)));
            last = found.len();
        }
        assert!(last + 2 >= entries.len());
    }

    #[test]
    fn the_sign_is_the_lowest_bit() {
        assert_eq!([0, -1, 1, -2, 2, i16::MAX, i16::MIN].map(fold), [0, 1, 2, 3, 4, 0xFFFE, 0xFFFF]);
        assert!((0..=u16::MAX).all(|bits| fold(unfold(bits)) == bits));
    }

    #[test]
    fn plies_are_counted_from_zero_or_one() {
        let of = |ply| [fullmoves(ply, Color::White), fullmoves(ply, Color::Black)];
        assert_eq!([0, 1, 2, 3, 4].map(of), [[1, 1], [1, 1], [2, 1], [2, 2], [3, 2]]);
    }
}
