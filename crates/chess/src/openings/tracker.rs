//! The opening of a line.

use crate::moves::Move;
use crate::openings::lookup::{Number, may_come, named, with_number};
use crate::openings::name::Opening;
use crate::position::Position;

/// The opening of a line: the name of its last named position so far.
///
/// It is small and can be copied, so each variation can continue from the tracker of the position in which it begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tracker {
    last: Option<Number>,
    /// Whether no later position of the line can have a name.
    is_over: bool,
}

impl Tracker {
    /// Returns the tracker of a line that begins in `start` and has these moves, which must be legal.
    ///
    /// ```
    /// use pgn2fen_chess::Position;
    /// use pgn2fen_chess::openings::Tracker;
    /// use pgn2fen_chess::san::{Letters, resolve};
    ///
    /// let start = Position::initial();
    /// let (mut position, mut moves) = (start.clone(), Vec::new());
    /// for san in ["e4", "c5", "Nf3", "h5"] {
    ///     let resolved = resolve(san.as_bytes(), &position, &Letters::ENGLISH)?;
    ///     position.play_unchecked(resolved.mv);
    ///     moves.push(resolved.mv);
    /// }
    /// let opening = Tracker::of_line(&start, &moves).opening();
    /// assert_eq!(opening.map(|opening| opening.name), Some("Sicilian Defense"));
    /// # Ok::<(), pgn2fen_chess::san::SanError>(())
    /// ```
    pub fn of_line(start: &Position, moves: &[Move]) -> Self {
        let (mut tracker, mut position) = (Self::default(), start.clone());
        tracker.see(&position);
        for m in moves {
            position.play_unchecked(*m);
            tracker.see(&position);
        }
        tracker
    }

    /// Looks at the next position of the line, beginning with its starting position. Positions must follow one another
    /// by legal moves or null moves.
    #[inline]
    pub fn see(&mut self, position: &Position) {
        if self.is_over {
            return;
        }
        if let Some((number, _)) = named(position) {
            self.last = Some(number);
        } else if !may_come(position) {
            self.is_over = true;
        }
    }

    /// Returns the tracker of the line that goes on with a legal move in the position that was seen last. Without a
    /// move it is the same.
    #[must_use]
    pub fn after(mut self, position: &Position, next: Option<Move>) -> Self {
        if let Some(next) = next {
            let mut position = position.clone();
            position.play_unchecked(next);
            self.see(&position);
        }
        self
    }

    /// Returns the name of the last named position. `None` if there was none.
    pub fn opening(self) -> Option<Opening> {
        self.last.and_then(with_number)
    }

    /// Returns the number of the last named position.
    pub(super) fn number(self) -> Option<Number> {
        self.last
    }

    /// Whether no later position of the line can have a name, so that the opening is known.
    #[inline]
    pub fn is_over(self) -> bool {
        self.is_over
    }
}

#[cfg(test)]
mod tests {
    use super::Tracker;
    use crate::openings::lookup::{may_come, opening};
    use crate::openings::table;
    use crate::position::Position;
    use crate::san::{self, Letters};
    use crate::testing::{find, position};

    /// Plays the moves from a position and compares the opening of the line: its code and name, or nothing.
    #[track_caller]
    fn check(start: &Position, moves: &str, expected: &str) {
        let mut position = start.clone();
        let mut tracker = Tracker::default();
        tracker.see(&position);
        for word in moves.split_whitespace() {
            position.play_unchecked(san::resolve(word.as_bytes(), &position, &Letters::ENGLISH).unwrap().mv);
            tracker.see(&position);
        }
        assert_eq!(tracker.opening().map(|opening| opening.to_string()).unwrap_or_default(), expected, "{moves}");
    }

    #[test]
    fn a_line_has_the_name_of_its_last_named_position() {
        let check = |moves, expected| check(&Position::initial(), moves, expected);
        check("", "");
        check("e4", "B00 King's Pawn Game");
        check("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6", "B90 Sicilian Defense: Najdorf Variation");
        check("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Rb1 Rg8", "B90 Sicilian Defense: Najdorf Variation");
        check("d4 Nf6 c4 g6 Nc3 d5", "D80 Grünfeld Defense");
    }

    #[test]
    fn transpositions_have_names() {
        let check = |moves, expected| check(&Position::initial(), moves, expected);
        check("Nf3 c5 e4 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6", "B90 Sicilian Defense: Najdorf Variation");
        check("Nf3 d5 d4", "D02 Queen's Pawn Game: Zukertort Variation");
        check("c4 e6 d4 d5", "D30 Queen's Gambit Declined");
        // A name may be lost and come back: the last named position counts.
        check("e3 e6 d4", "A00 Van't Kruijs Opening");
    }

    #[test]
    fn lines_from_other_positions_are_named_by_position() {
        let najdorf = "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 4 40";
        check(&position(najdorf), "", "B90 Sicilian Defense: Najdorf Variation");
        check(&position(najdorf), "Be3 e5", "B90 Sicilian Defense: Najdorf Variation, English Attack");
        // Without the right to castle the position is another one.
        check(&position(&najdorf.replace("KQkq", "Kkq")), "", "");
        check(&position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), "e4 Kd7 e5", "");
    }

    #[test]
    fn only_a_legal_capture_en_passant_makes_a_position_another() {
        // After 3. d4 f5 White may capture on f6. The name belongs to that position only.
        let named = "rnbqkbnr/ppppp1pp/8/4Pp2/3P4/8/PPP2PPP/RNBQKBNR w KQkq f6 0 4";
        assert!(opening(&position(named)).is_some());
        assert_eq!(opening(&position(&named.replace("f6", "-"))), None);
        // After 1. e4 no capture is possible, so the square does not count.
        let square = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
        assert!(opening(&position(square)).is_some_and(|name| name.eco == "B00"));
        assert_eq!(opening(&position(&square.replace("e3", "-"))), opening(&position(square)));
    }

    #[test]
    fn every_line_of_the_table_ends_in_its_own_name() {
        let mut count = 0;
        for (name, moves) in table::lines() {
            let mut position = Position::initial();
            let mut tracker = Tracker::default();
            for word in moves.split_whitespace().filter(|word| !word.ends_with('.')) {
                // The search does not end before the name is reached.
                assert!(may_come(&position), "{moves} at {word}");
                position.play_unchecked(san::resolve(word.as_bytes(), &position, &Letters::ENGLISH).unwrap().mv);
                tracker.see(&position);
            }
            assert_eq!((opening(&position), tracker.opening()), (Some(name), Some(name)), "{moves}");
            count += 1;
        }
        assert_eq!(count, 3810);
    }

    #[test]
    fn the_search_ends_only_when_no_name_can_come() {
        // All pawns of both sides have moved, or too few pieces are left.
        assert!(!may_come(&position("r3k2r/8/pppppppp/8/8/PPPPPPPP/8/R3K2R w - - 0 30")));
        assert!(!may_come(&position("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 30")));
        assert!(may_come(&Position::initial()));
        // All pawns of one side have moved.
        assert!(!may_come(&position("rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/8/RNBQKBNR w KQkq - 0 30")));
        assert!(!may_come(&position("rnbqkbnr/8/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 30")));
    }

    #[test]
    fn a_variation_goes_on_with_the_name_of_the_line_before_it() {
        let start = Position::initial();
        let tracker = Tracker::of_line(&start, &[]);
        let after = tracker.after(&start, Some(find(&start, "e2e4")));
        assert_eq!(after.opening().map(|opening| opening.eco), Some("B00"));
        assert_eq!(after.after(&start, None), after);
        assert!(!after.is_over());
    }

    #[test]
    fn the_search_is_over_where_no_name_can_come() {
        let kings = position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
        let tracker = Tracker::of_line(&kings, &[]);
        assert!(tracker.is_over() && tracker.opening().is_none());
        assert!(!Tracker::default().is_over());
    }
}
