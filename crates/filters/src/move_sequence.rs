//! Sequences of moves that a game may have: `12. Bxh7+ Kxh7 Ng5+`.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::parse_error::ParseError;
use pgn2fen_chess::bitboard::Bitboard;
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::san::{CheckMark, Letters, WrittenMove};

/// A sequence of moves, one ply after another. Moves are compared with what was played, not with how it is written:
/// see [`WrittenMove::fits`]. `+` fits only a move that gives check, and `#` one that gives mate; without such a mark,
/// check makes no difference. Signs such as `!` are ignored.
///
/// The moves are in SAN, with English piece letters or figurines, or squares such as `e2e4`. `*` is any one move. The
/// sequence may begin with a move of either side at any ply, unless a number says which move it is, as the FENs of
/// the game count: `12.` is White's and `12...` Black's, and `...` alone is any move of Black.
///
/// ```
/// use pgn2fen_filters::MoveSequence;
///
/// let greek_gift: MoveSequence = "Bxh7+ Kxh7 Ng5+".parse()?;
/// assert_eq!(greek_gift.to_string(), "Bxh7+ Kxh7 Ng5+");
/// assert!("12. Bxh7+ Kxh7 13. Ng5+".parse::<MoveSequence>().is_ok());
/// assert!("Bxh7 *".parse::<MoveSequence>().is_ok());
/// # Ok::<(), pgn2fen_filters::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveSequence {
    text: String,
    /// At least one; None for any move.
    steps: Vec<Option<WrittenMove>>,
    /// The side that makes the first move.
    turn: Option<Color>,
    /// The number of the first move, counted in plies as the FENs of the game do: see [`half_moves`].
    place: Option<u64>,
}

/// Returns the number of a move of one side: 0 for White's first move, 1 for Black's.
fn half_moves(number: u64, turn: Color) -> u64 {
    number.saturating_sub(1) * 2 + u64::from(turn == Color::Black)
}

impl FromStr for MoveSequence {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut sequence = Self { text: text.trim().to_owned(), steps: Vec::new(), turn: None, place: None };
        let mut stated = Stated::default();
        let mut words = words(text).peekable();
        while let Some(word) = words.next() {
            let move_at = stated.take(text, word.clone())?;
            if move_at.start == word.end {
                if words.peek().is_none() {
                    return Err(ParseError::new(text, word, "a move is missing behind this"));
                }
                continue;
            }
            sequence.add(text, word, &text[move_at], std::mem::take(&mut stated))?;
        }
        if sequence.steps.is_empty() {
            return Err(ParseError::new(text, 0..text.len(), "there are no moves; give some, such as Bxh7+ Kxh7 Ng5+"));
        }
        Ok(sequence)
    }
}

impl fmt::Display for MoveSequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Returns the words of a text, as ranges of bytes.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.split_whitespace().map(|word| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        start..start + word.len()
    })
}

/// The move number and the side that are written before a move, as in `12...`.
#[derive(Clone, Copy, Debug, Default)]
struct Stated {
    number: Option<u64>,
    turn: Option<Color>,
}

impl Stated {
    /// Takes the number and the periods at the beginning of a word. Returns the rest of the word.
    fn take(&mut self, text: &str, word: Range<usize>) -> Result<Range<usize>, ParseError> {
        let written = &text[word.clone()];
        let digits = written.len() - written.trim_start_matches(|char: char| char.is_ascii_digit()).len();
        let rest = written[digits..].trim_start_matches(['.', '…']);
        let periods = &written[digits..written.len() - rest.len()];
        if periods.is_empty() {
            return Ok(word);
        }
        let place = word.start..word.start + digits;
        if digits > 0 {
            let number = written[..digits].parse().ok().filter(|number| (1..=u64::from(u32::MAX)).contains(number));
            let number = number.ok_or_else(|| ParseError::new(text, place, "this is not the number of a move"))?;
            (self.number, self.turn) = (Some(number), Some(Color::White));
        }
        if periods.len() > 1 {
            self.turn = Some(Color::Black);
        }
        Ok(word.end - rest.len()..word.end)
    }
}

impl MoveSequence {
    /// Adds the move in a word, and what is stated about its place.
    fn add(&mut self, text: &str, word: Range<usize>, written: &str, stated: Stated) -> Result<(), ParseError> {
        let before = self.steps.len() as u64;
        if let Some(turn) = stated.turn {
            let first = if before.is_multiple_of(2) { turn } else { !turn };
            if self.turn.is_some_and(|turn| turn != first) {
                let reason = format!("by the moves before it, this is a move of {}", name(!turn));
                return Err(ParseError::new(text, word, reason));
            }
            self.turn = Some(first);
            if let Some(number) = stated.number {
                let place = half_moves(number, turn).checked_sub(before);
                let place = place.filter(|place| self.place.is_none_or(|known| known == *place)).ok_or_else(|| {
                    let reason = match self.place {
                        Some(known) => format!("by the moves before it, this is move {}", (known + before) / 2 + 1),
                        None => "there are more moves before it than its number says".to_owned(),
                    };
                    ParseError::new(text, word.clone(), reason)
                })?;
                self.place = Some(place);
            }
        }
        let step = match written {
            "*" => None,
            _ => {
                let unsigned = written.trim_end_matches(['!', '?']);
                let read = WrittenMove::read(unsigned.as_bytes(), &Letters::ENGLISH);
                Some(read.ok_or_else(|| ParseError::new(text, word, no_move(unsigned)))?)
            }
        };
        self.steps.push(step);
        Ok(())
    }

    /// Whether the first move may be made at this ply, which [`half_moves`] counts.
    fn may_begin(&self, half_move: u64, turn: Color) -> bool {
        self.turn.is_none_or(|wanted| wanted == turn) && self.place.is_none_or(|place| place == half_move)
    }
}

fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

fn no_move(written: &str) -> String {
    if !written.is_empty() && written.bytes().all(|byte| byte.is_ascii_digit()) {
        return format!("the number of a move has a period: {written}.");
    }
    let others = pgn2fen_chess::san::languages().skip(1);
    let is_foreign = others.into_iter().any(|letters| WrittenMove::read(written.as_bytes(), &letters).is_some());
    let advice = if is_foreign { "; piece letters are English: K Q R B N" } else { "" };
    format!("this is not a move such as Bxh7+, e2e4 or * for any move{advice}")
}

/// Sequences that are looked for in a game, one move after another.
#[derive(Clone, Debug)]
pub(crate) struct SequenceScan<'f> {
    sequences: &'f [MoveSequence],
    /// The sequences that have begun: which one, and how many of its moves were made.
    begun: Vec<(usize, usize)>,
    /// The squares that were occupied before the next move.
    occupied: Bitboard,
}

impl<'f> SequenceScan<'f> {
    pub(crate) fn new(sequences: &'f [MoveSequence]) -> Self {
        Self { sequences, begun: Vec::new(), occupied: Bitboard::EMPTY }
    }

    /// Takes the next position and the move that led to it; None for the start. Returns whether one of the sequences is
    /// complete.
    pub(crate) fn see(&mut self, played: Option<Move>, position: &Position) -> bool {
        let before = std::mem::replace(&mut self.occupied, position.board().occupied());
        let Some(played) = played else { return false };
        let is_capture = match played {
            Move::Normal { to, .. } => before.contains(to),
            Move::EnPassant { .. } => true,
            Move::Castle { .. } | Move::Drop { .. } | Move::Null => false,
        };
        let turn = !position.turn();
        let number = u64::from(position.fullmoves()) - u64::from(turn == Color::Black && position.fullmoves() > 1);
        let half_move = half_moves(number, turn);
        let begins = |(nth, sequence): (usize, &MoveSequence)| sequence.may_begin(half_move, turn).then_some((nth, 0));
        self.begun.extend(self.sequences.iter().enumerate().filter_map(begins));
        let mut is_complete = false;
        self.begun.retain_mut(|(nth, made)| {
            let steps = &self.sequences[*nth].steps;
            let is_made = steps[*made].is_none_or(|step| step.fits(played, is_capture) && has_mark(step, position));
            *made += 1;
            is_complete |= is_made && *made == steps.len();
            is_made && *made < steps.len()
        });
        is_complete
    }
}

/// Whether the check that is written with a move is given in the position after it.
fn has_mark(step: WrittenMove, position: &Position) -> bool {
    match step.check_mark() {
        CheckMark::None => true,
        CheckMark::Check => position.is_check(),
        CheckMark::Mate => position.is_checkmate(),
    }
}

#[cfg(test)]
mod tests {
    use super::{MoveSequence, SequenceScan};
    use pgn2fen_chess::position::Position;
    use pgn2fen_chess::san::{Letters, resolve};
    use pgn2fen_chess::testing::position;

    /// Compares the number of plies after which a sequence is complete for the first time; 0 if it never is.
    #[track_caller]
    fn check_from(start: &Position, moves: &str, sequence: &str, plies: usize) {
        let sequences = [sequence.parse::<MoveSequence>().unwrap()];
        let mut scan = SequenceScan::new(&sequences);
        let mut position = start.clone();
        assert!(!scan.see(None, &position));
        let found = moves.split(' ').position(|san| {
            let played = resolve(san.as_bytes(), &position, &Letters::ENGLISH).unwrap().mv;
            position.play_unchecked(played);
            scan.see(Some(played), &position)
        });
        assert_eq!(found.map_or(0, |at| at + 1), plies, "{sequence} in {moves}");
    }

    #[track_caller]
    fn check(sequence: &str, plies: usize) {
        let moves = "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#";
        check_from(&Position::initial(), moves, sequence, plies);
    }

    #[test]
    fn a_sequence_is_found_at_any_ply_by_what_was_played() {
        check("e4", 1);
        check("e5 Bc4", 3);
        check("e5 Bc4 Nf6", 0);
        check("Qh5 Nf6? Qxf7#", 7);
        check("Qxf7", 7);
        check("Qf7", 0);
        check("h5f7", 7);
        check("d8f7", 0);
        check("a3 *", 0);
    }

    #[test]
    fn a_mark_of_check_must_be_true() {
        check("Qxf7+", 7);
        check("Qh5+", 0);
        check("Qh5#", 0);
        check_from(&Position::initial(), "e4 f6 d4 g6 Qh5", "Qh5#", 0);
        check_from(&Position::initial(), "e4 f6 d4 g5 Qh5", "Qh5#", 5);
    }

    #[test]
    fn any_move_may_be_between() {
        check("* *", 2);
        check("Bc4 * Qh5", 5);
        check("Bc4 * * Qh5", 0);
        check("* Nf6 *", 7);
    }

    #[test]
    fn a_sequence_that_begins_again_is_found() {
        let moves = "Nf3 Nf6 Ng1 Nf6 Nf3";
        let start = position("4k1n1/8/8/8/8/8/8/4K1N1 w - - 0 1");
        check_from(&start, &moves.replace("Ng1 Nf6", "Ng1 Ng8"), "Nf3 Nf6 Ng1 Ng8 Nf3", 5);
        check_from(&start, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Nd4", "Nf3 Nf6 Nd4", 7);
    }

    #[test]
    fn a_number_is_the_place_of_the_sequence() {
        check("2. Bc4", 3);
        check("2.Bc4 Nc6 3. Qh5", 5);
        check("1. Bc4", 0);
        check("2... Nc6", 4);
        check("2. ... Nc6", 4);
        check("2… Nc6", 4);
        check("3... Nc6", 0);
        check("... Nc6", 4);
        check("...Bc4", 0);
        check("* 2... Nc6 3.Qh5", 5);
        let start = position("4k3/8/8/8/8/8/8/4K2R w K - 0 40");
        check_from(&start, "O-O Kd7 Rf7+", "41. Rf7+", 3);
        check_from(&start, "O-O Kd7 Rf7+", "40... Kd7 41. Rf7", 3);
        check_from(&start, "O-O Kd7 Rf7+", "1. O-O", 0);
    }

    #[track_caller]
    fn check_refused(text: &str, expected: &str) {
        assert_eq!(text.parse::<MoveSequence>().unwrap_err().to_string(), expected);
    }

    #[test]
    fn what_is_no_sequence_is_refused_with_its_place() {
        check_refused("", "there are no moves; give some, such as Bxh7+ Kxh7 Ng5+");
        check_refused(
            "Bxh7+ Kx Ng5",
            "this is not a move such as Bxh7+, e2e4 or * for any move\n    Bxh7+ Kx Ng5\n          ^^",
        );
        let foreign = "this is not a move such as Bxh7+, e2e4 or * for any move; piece letters are English: K Q R B N";
        check_refused("Sf3", &format!("{foreign}\n    Sf3\n    ^^^"));
        check_refused("12 Bxh7", "the number of a move has a period: 12.\n    12 Bxh7\n    ^^");
        check_refused("0. e4", "this is not the number of a move\n    0. e4\n    ^");
        check_refused("1. e4 2.", "a move is missing behind this\n    1. e4 2.\n          ^^");
        check_refused(
            "1. e4 e5 3. Nf3",
            "by the moves before it, this is move 2\n    1. e4 e5 3. Nf3\n                ^^^",
        );
        check_refused(
            "1. e4 2. d4",
            "by the moves before it, this is a move of Black\n    1. e4 2. d4\n             ^^",
        );
        check_refused("* * 1. e4", "there are more moves before it than its number says\n    * * 1. e4\n           ^^");
    }
}
