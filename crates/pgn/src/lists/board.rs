//! Recognises the board of a FEN in a text.

/// The place of a board, or of what stands for one.
#[derive(Clone, Copy, Debug)]
pub struct BoardPlace {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl BoardPlace {
    /// Returns the start of the last eight ranks. The text before them ends with letters that could be pieces.
    pub(super) fn last_ranks(self, text: &[u8]) -> usize {
        let ranks = ranks(&text[self.start..self.end]).len();
        let slashes = (self.start..self.start + ranks).rev().filter(|at| text[*at] == b'/');
        slashes.map(|at| at + 1).nth(7).unwrap_or(self.start)
    }
}

/// Whether a byte can be in the board of a FEN: a piece letter, a digit 1 to 8, or a slash.
#[doc(hidden)]
pub fn is_board_byte(byte: u8) -> bool {
    matches!(byte, b'1'..=b'8' | b'/') || b"pnbrqkPNBRQK".contains(&byte)
}

/// Returns the places of the boards in a text: eight ranks of eight squares. In an address, text with slashes may stand
/// before the ranks.
pub fn boards(text: &[u8]) -> impl Iterator<Item = BoardPlace> {
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < text.len() {
            let start = at + text[at..].iter().position(|byte| is_board_byte(*byte))?;
            // The mark of a promoted man stands behind a letter.
            let is_within = |byte: &u8| is_board_byte(*byte) || *byte == b'~';
            let end = start + text[start..].iter().take_while(|byte| is_within(byte)).count();
            at = end;
            if has_eight_ranks(&text[start..end]) {
                return Some(BoardPlace { start, end });
            }
        }
        None
    })
}

/// Returns the place of the first board in a text.
pub(crate) fn first_board(text: &[u8]) -> Option<usize> {
    boards(text).next().map(|place| place.start)
}

/// Whether a text ends with eight ranks of eight squares, and the text before them, if there is any, does not end with
/// another rank. Behind them may be a hand.
fn has_eight_ranks(text: &[u8]) -> bool {
    let mut ranks = ranks(text).rsplit(|byte| *byte == b'/');
    ranks.by_ref().take(8).filter(|rank| is_rank(rank)).count() == 8 && !ranks.next().is_some_and(is_rank)
}

/// Returns a board without the men in hand, which are a ninth rank in the FENs of Lichess (crazyhouse).
pub(super) fn ranks(board: &[u8]) -> &[u8] {
    let is_man = |byte: &u8| b"pnbrqPNBRQ".contains(byte);
    let Some(slash) = memchr::memrchr(b'/', board) else { return board };
    let before = &board[..slash];
    let has_hand = board[slash + 1..].iter().all(is_man)
        && before.iter().filter(|byte| **byte == b'/').count() >= 7
        && before.rsplit(|byte| *byte == b'/').take(8).all(is_rank);
    if has_hand { before } else { board }
}

/// Returns the length of the men in hand in brackets behind a board, as in `RNBQKBNR[QNp]`.
#[doc(hidden)]
pub fn hand_length(behind_board: &[u8]) -> usize {
    let Some(men) = behind_board.strip_prefix(b"[") else { return 0 };
    let length = men.iter().take_while(|byte| b"pnbrqPNBRQ-".contains(byte)).count();
    if men.get(length) == Some(&b']') { length + 2 } else { 0 }
}

#[doc(hidden)]
pub fn is_rank(rank: &[u8]) -> bool {
    let squares = |byte: &u8| match byte {
        b'0'..=b'9' => usize::from(byte - b'0'),
        b'~' => 0,
        _ => 1,
    };
    rank.len() <= 16 && rank.iter().map(squares).sum::<usize>() == 8
}

#[cfg(test)]
mod tests {
    use super::{boards, first_board, hand_length, is_rank, ranks};

    #[test]
    fn a_board_is_eight_ranks_of_eight_squares() {
        let board = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
        for (text, expected) in [
            (board.to_owned(), vec![(0, board.len())]),
            (format!("a {board} w"), vec![(2, 2 + board.len())]),
            (format!("{board},{board}"), vec![(0, board.len()), (board.len() + 1, 2 * board.len() + 1)]),
            (board.replace("4P3", "4P2"), vec![]),
            (board.replace("4P3", "4P4"), vec![]),
            (board.replace("/8/8", "/8"), vec![]),
            (format!("{board}/8"), vec![]),
            (format!("8/{board}"), vec![]),
            // The end of a path.
            (format!("b/{board}"), vec![(0, board.len() + 2)]),
            (String::new(), vec![]),
        ] {
            let found: Vec<_> = boards(text.as_bytes()).map(|place| (place.start, place.end)).collect();
            assert_eq!(found, expected, "{text}");
            assert_eq!(first_board(text.as_bytes()), expected.first().map(|place| place.0), "{text}");
        }
    }

    #[test]
    fn men_in_hand_are_no_rank() {
        let board = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
        for hand in ["", "Q", "PPn"] {
            let text = format!("{board}/{hand}");
            assert_eq!(ranks(text.as_bytes()), board.as_bytes(), "{text}");
        }
        // A king and a number are not in hand, and seven ranks are no board.
        for text in [board, "8/8/8/8/8/8/8/8/K", "8/8/8/8/8/8/8/8/1", "8/8/8/8/8/8/8/Q", "7/8/8/8/8/8/8/8/Q", "Q"] {
            assert_eq!(ranks(text.as_bytes()), text.as_bytes(), "{text}");
        }
    }

    #[test]
    fn men_in_hand_stand_in_brackets_behind_a_board() {
        for (behind, length) in [("[]", 2), ("[-] w", 3), ("[QNp] w", 5), ("", 0), ("]", 0), ("[Q", 0), ("[k]", 0)] {
            assert_eq!(hand_length(behind.as_bytes()), length, "{behind}");
        }
    }

    #[test]
    fn a_rank_has_eight_squares() {
        for rank in ["8", "rnbqkbnr", "4P3", "1p1p1p1p", "44", "rnbQ~kbnr", "Q~Q~Q~Q~Q~Q~Q~Q~"] {
            assert!(is_rank(rank.as_bytes()), "{rank}");
        }
        for rank in ["", "7", "rnbqkbn", "4P4", "88", "rnbqkbnrr", "Q~6"] {
            assert!(!is_rank(rank.as_bytes()), "{rank}");
        }
    }
}
