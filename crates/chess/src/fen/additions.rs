//! Reads the parts of a FEN that only variants have: men in hand, marks of promoted men, and counts of checks.

use std::ops::Range;

use crate::bitboard::Bitboard;
use crate::fen::error::{FenError, Quote, Reason};
use crate::fen::fields::is_blank;
use crate::fen::loose::is_separator;
use crate::hands::Hands;
use crate::piece::{Color, Piece, Role};
use crate::rules::Rules;
use crate::setup::Setup;
use crate::square::{File, Rank, Square};

/// The additional parts of a FEN, and the text without them.
pub(super) struct Additions {
    hands: Hands,
    promoted: Bitboard,
    checks: [u8; 2],
    plain: Vec<u8>,
    /// The ranges of bytes that are not in `plain`, in their order.
    removed: Vec<Range<usize>>,
}

impl Additions {
    /// Reads the parts that a FEN of these rules may have besides those of chess.
    pub(super) fn split(rules: Rules, text: &[u8]) -> Result<Self, FenError> {
        let mut additions = Self {
            hands: Hands::EMPTY,
            promoted: Bitboard::EMPTY,
            checks: Setup::CHECKS,
            plain: Vec::with_capacity(text.len()),
            removed: Vec::new(),
        };
        let start = text.iter().position(|byte| !is_blank(*byte)).unwrap_or(text.len());
        let end = text[start..].iter().position(|byte| is_blank(*byte)).map_or(text.len(), |length| start + length);
        if rules.have_hands() {
            let board = additions.hand(text, start..end)?;
            additions.marks(text, board)?;
        }
        if rules.count_checks() {
            additions.checks(text, end)?;
        }
        let mut from = 0;
        for range in &additions.removed {
            additions.plain.extend_from_slice(&text[from..range.start]);
            from = range.end;
        }
        additions.plain.extend_from_slice(&text[from..]);
        Ok(additions)
    }

    /// Returns the text without the parts.
    pub(super) fn plain(&self) -> &[u8] {
        &self.plain
    }

    /// Returns an error in the text without the parts with its place in the whole text.
    pub(super) fn in_text(&self, error: FenError) -> FenError {
        let Some(mut offset) = error.offset() else { return error };
        for range in self.removed.iter().filter(|range| !range.is_empty()) {
            if range.start <= offset {
                offset += range.len();
            }
        }
        error.at(offset)
    }

    /// Adds the parts to the setup of the other fields.
    pub(super) fn add_to(self, rules: Rules, setup: Setup) -> Result<Setup, FenError> {
        let Self { hands, promoted, checks, .. } = self;
        let in_hand: u32 = Color::ALL.iter().map(|color| hands.total(*color)).sum();
        let men = setup.board.occupied().count() + in_hand;
        if men > 64 {
            return Err(FenError::new(0, Reason::TooManyMen(men)));
        }
        // No pawn and no king is a promoted man.
        let promoted = promoted - setup.board.by_role(Role::Pawn) - setup.board.by_role(Role::King);
        Ok(Setup { rules, hands, promoted, checks, ..setup })
    }

    /// Reads the men in hand, in brackets behind the board or as a ninth rank. Returns the place of the board.
    fn hand(&mut self, text: &[u8], field: Range<usize>) -> Result<Range<usize>, FenError> {
        let bytes = &text[field.clone()];
        let (open, men) = if let Some(open) = bytes.iter().position(|byte| *byte == b'[') {
            if bytes.last() != Some(&b']') {
                return Err(FenError::new(field.start + open, Reason::OpenHand));
            }
            (field.start + open, field.start + open + 1..field.end - 1)
        } else if bytes.iter().filter(|byte| **byte == b'/').count() == 8
            && let Some(last) = bytes.iter().rposition(|byte| *byte == b'/')
        {
            (field.start + last, field.start + last + 1..field.end)
        } else {
            return Ok(field);
        };
        if &text[men.clone()] != b"-" {
            for at in men {
                let man = Piece::from_char(char::from(text[at])).filter(|man| man.role != Role::King);
                let Some(man) = man else { return Err(FenError::new(at, Reason::HandLetter(text[at]))) };
                self.hands.add(man.color, man.role);
            }
        }
        self.removed.push(open..field.end);
        Ok(field.start..open)
    }

    /// Reads the marks of promoted men: `~` behind the letter of a piece.
    fn marks(&mut self, text: &[u8], board: Range<usize>) -> Result<(), FenError> {
        let hand = self.removed.pop();
        let (mut rank, mut files, mut last) = (8_usize, 0, None);
        for at in board {
            let square =
                |files: usize| Some(Square::new(*File::ALL.get(files)?, *Rank::ALL.get(rank.checked_sub(1)?)?));
            match text[at] {
                b'~' => {
                    let Some(promoted) = last.take() else { return Err(FenError::new(at, Reason::PromotedSquare)) };
                    self.promoted = self.promoted.with(promoted);
                    self.removed.push(at..at + 1);
                }
                b'/' => (rank, files, last) = (rank.saturating_sub(1), 0, None),
                digit @ b'1'..=b'8' => (files, last) = (files + usize::from(digit - b'0'), None),
                letter if letter.is_ascii_alphabetic() => (files, last) = (files + 1, square(files)),
                // Without the mark behind it, this could become white space.
                _ => last = None,
            }
        }
        self.removed.extend(hand);
        Ok(())
    }

    /// Reads the checks behind the en passant square or the clocks: a word of digits and plus signs. Behind them may be
    /// operations with moves that give check, such as `bm Qh5+;`.
    fn checks(&mut self, text: &[u8], behind_board: usize) -> Result<(), FenError> {
        let is_counting =
            |word: &[u8]| word.contains(&b'+') && word.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'+'));
        let Some(word) = fields(&text[behind_board..]).find(|word| is_counting(word)) else { return Ok(()) };
        let start = word.as_ptr().addr() - text.as_ptr().addr();
        let end = start + word.len();
        self.checks = match text[start..end] {
            [white @ b'0'..=b'3', b'+', black @ b'0'..=b'3'] => [white - b'0', black - b'0'],
            [b'+', white @ b'0'..=b'3', b'+', black @ b'0'..=b'3'] => [b'3' - white, b'3' - black],
            _ => return Err(FenError::new(start, Reason::Checks(Quote::new(&text[start..end])))),
        };
        self.removed.push(start - 1..end);
        Ok(())
    }
}

/// Returns the rules that the form of a FEN shows: crazyhouse if it has men in hand or marks of promoted men,
/// three-check if it counts checks. All other variants have FENs like those of chess.
///
/// ```
/// use pgn2fen_chess::fen::rules_of_form;
/// use pgn2fen_chess::rules::Rules;
///
/// assert_eq!(rules_of_form(b"4k3/8/8/8/8/8/8/4K3[Qn] w - - 0 1"), Some(Rules::Crazyhouse));
/// assert_eq!(rules_of_form(b"4k3/8/8/8/8/8/8/4K3 w - - 3+1 0 1"), Some(Rules::ThreeCheck));
/// assert_eq!(rules_of_form(b"4k3/8/8/8/8/8/8/4K3 w - - 0 1"), None);
/// ```
pub fn rules_of_form(text: &[u8]) -> Option<Rules> {
    if is_without_additions(text) {
        return None;
    }
    let mut words = text.split(|byte| is_blank(*byte)).filter(|word| !word.is_empty());
    let board = words.next()?;
    let is_hand = |men: &[u8]| men == b"-" || men.iter().all(|man| b"PNBRQpnbrq".contains(man));
    let in_brackets = |bytes: &[u8]| {
        let open = bytes.iter().position(|byte| *byte == b'[')?;
        Some(is_hand(bytes[open + 1..].strip_suffix(b"]")?))
    };
    let mut ranks = board.split(|byte| *byte == b'/').skip(8);
    let has_ninth = ranks.next().is_some_and(is_hand) && ranks.next().is_none();
    if has_ninth
        || in_brackets(board) == Some(true)
        || board.iter().filter(|byte| **byte == b'/').count() == 7 && board.contains(&b'~')
    {
        return Some(Rules::Crazyhouse);
    }
    let are_checks =
        |word: &[u8]| matches!(word, [b'0'..=b'3', b'+', b'0'..=b'3'] | [b'+', b'0'..=b'3', b'+', b'0'..=b'3']);
    let end = board.as_ptr().addr() - text.as_ptr().addr() + board.len();
    fields(&text[end..]).take(6).any(are_checks).then_some(Rules::ThreeCheck)
}

/// Returns the words behind a board, each up to a mark that ends it (`+0+2;20`). They end at an operation, which is a
/// word with a letter behind the en passant square, and at the remark behind such a mark.
fn fields(behind_board: &[u8]) -> impl Iterator<Item = &[u8]> {
    let words = behind_board.split(|byte| is_blank(*byte)).filter(|word| !word.is_empty());
    let is_square = |word: &[u8]| Square::from_ascii(word).is_some();
    let is_name = move |word: &[u8]| word[0].is_ascii_alphabetic() && !is_square(word);
    let (mut last, mut is_remark) = (None, false);
    words.enumerate().map_while(move |(nth, word)| {
        let is_operation = nth > 2 && is_name(word) && last.is_some_and(|last: &[u8]| !is_name(last));
        let field = &word[..word.iter().position(|byte| is_separator(*byte)).unwrap_or(word.len())];
        let is_behind = std::mem::replace(&mut is_remark, nth > 2 && field.len() < word.len());
        last = Some(word);
        (!is_operation && !is_behind).then_some(field)
    })
}

/// Whether a text certainly has no additions: no brackets, no mark of a promoted man, no ninth rank, no number of
/// checks.
fn is_without_additions(text: &[u8]) -> bool {
    text.iter().map(|byte| usize::from(MARKS[usize::from(*byte)])).sum::<usize>() < usize::from(ENOUGH)
}

/// So many slashes are behind eight ranks. Any of the other marks counts as much.
const ENOUGH: u8 = 8;
const MARKS: [u8; 256] = {
    let mut marks = [0; 256];
    marks[b'/' as usize] = 1;
    marks[b'[' as usize] = ENOUGH;
    marks[b'~' as usize] = ENOUGH;
    marks[b'+' as usize] = ENOUGH;
    marks
};

#[cfg(test)]
mod tests {
    use super::is_without_additions;
    use crate::fen::{FenStyle, VariantStyle, read_by, rules_of_form, to_string};
    use crate::piece::Color;
    use crate::rules::Rules;

    /// Reads a text, and compares the FEN of its position in both forms.
    #[track_caller]
    fn check(rules: Rules, text: &str, usual: &str, lichess: &str) {
        let reading = read_by(rules, text.as_bytes()).expect(text);
        assert!(reading.repairs.is_empty(), "{}", reading.repairs);
        let write = |variant| to_string(&reading.position, FenStyle { variant, ..FenStyle::default() });
        assert_eq!([write(VariantStyle::Usual), write(VariantStyle::Lichess)], [usual, lichess], "{text}");
        assert_eq!(reading.position.setup().to_string(), usual);
    }

    #[track_caller]
    fn check_error(rules: Rules, text: &str, message: &str) {
        assert_eq!(read_by(rules, text.as_bytes()).expect_err(text).to_string(), message);
    }

    #[test]
    fn men_in_hand_are_read_in_every_form() {
        const BOARD: &str = "4k2r/8/8/8/8/8/8/4K3";
        for (hand, usual, lichess) in [
            ("", "[]", "/"),
            ("[]", "[]", "/"),
            ("[-]", "[]", "/"),
            ("/", "[]", "/"),
            ("[QNPp]", "[QNPp]", "/PNQp"),
            ("/pPQN", "[QNPp]", "/PNQp"),
            ("[rqPbP]", "[PPqrb]", "/PPbrq"),
        ] {
            let fen = |hand: &str| format!("{BOARD}{hand} w k - 3 9");
            check(Rules::Crazyhouse, &fen(hand), &fen(usual), &fen(lichess));
        }
    }

    #[test]
    fn checks_given_are_counted_from_three_down_for_each_side() {
        for given in 0..=3_u8 {
            for theirs in 0..=3_u8 {
                let text = format!("4k3/8/8/8/8/8/8/4K3 w - - 3 9 +{given}+{theirs}");
                let position = read_by(Rules::ThreeCheck, text.as_bytes()).expect(&text).position;
                let remaining = Color::ALL.map(|color| position.remaining_checks(color));
                assert_eq!(remaining, [Some(3 - given), Some(3 - theirs)], "{text}");
            }
        }
    }

    #[test]
    fn as_many_men_as_squares_may_be_on_the_board_and_in_hand() {
        let fen = |pawns: usize| format!("4k3/8/8/8/8/8/8/4K3[{}] w - - 0 1", "P".repeat(pawns));
        assert!(read_by(Rules::Crazyhouse, fen(62).as_bytes()).is_ok());
        assert!(read_by(Rules::Crazyhouse, fen(63).as_bytes()).is_err());
    }

    #[test]
    fn the_form_of_a_fen_shows_hands_and_checks() {
        const BOARD: &str = "4k2r/8/8/8/8/8/8/4K3";
        for (board, rest, rules) in [
            ("[]", "w k - 3 9", Some(Rules::Crazyhouse)),
            ("[-]", "w k - 3 9", Some(Rules::Crazyhouse)),
            ("[QNp]", "w k -", Some(Rules::Crazyhouse)),
            ("/pP", "w", Some(Rules::Crazyhouse)),
            ("~", "w k - 3 9", Some(Rules::Crazyhouse)),
            ("", "w k - 3+3 3 9", Some(Rules::ThreeCheck)),
            ("", "w k - 3 9 +0+2", Some(Rules::ThreeCheck)),
            ("", "w k - 3 9", None),
            ("", "w k - 3 9 +0.31", None),
            ("", "w k - 3 9 +0+2;20", Some(Rules::ThreeCheck)),
            ("", "w k - 3 9 +0+2,0.35", Some(Rules::ThreeCheck)),
            ("", "(White to move) k - 3+1 3 9", Some(Rules::ThreeCheck)),
            ("", "w k - id 3+2;", None),
            ("", "w k - 3; 3+2", None),
            ("[x]", "w k - 3 9", None),
            ("/8", "w k - 3 9", None),
            ("/", "w k - 3 9", Some(Rules::Crazyhouse)),
            ("/P/P", "w k - 3 9", None),
        ] {
            let fen = format!("{BOARD}{board} {rest}");
            assert_eq!(rules_of_form(fen.as_bytes()), rules, "{fen}");
        }
        assert_eq!(rules_of_form(b""), None);
    }

    #[test]
    fn promoted_men_are_marked() {
        let [usual, lichess] = ["[n]", "/n"].map(|hand| format!("Q~3k2r/8/8/8/8/8/8/4K2R~{hand} b - - 0 1"));
        check(Rules::Crazyhouse, &usual, &usual, &lichess);
        check(Rules::Crazyhouse, &lichess, &usual, &lichess);
        let [usual, lichess] = ["[]", "/"].map(|hand| format!("4k2r/1N~2b~1Q~1/8/8/8/8/8/4K3{hand} b - - 0 1"));
        check(Rules::Crazyhouse, &usual, &usual, &lichess);
        let [marked, plain] = ["~", ""].map(|mark| format!("4k{mark}2r/1p{mark}6/8/8/8/8/8/4K3[] b k - 0 1"));
        let castled = |fen: &str| {
            let position = read_by(Rules::Crazyhouse, fen.as_bytes()).unwrap().position;
            assert!(position.promoted().is_empty());
            position.play(crate::san::resolve(b"O-O", &position, &crate::san::Letters::ENGLISH).unwrap().mv).unwrap()
        };
        assert_eq!(castled(&marked), castled(&plain));
    }

    #[test]
    fn checks_are_read_in_every_form() {
        let fen = |remaining: &str, given: &str| format!("4k3/8/8/8/8/8/8/R3K3 w Q -{remaining} 0 1{given}");
        for text in [fen(" 3+1", ""), fen("", " +0+2")] {
            check(Rules::ThreeCheck, &text, &fen(" 3+1", ""), &fen("", " +0+2"));
        }
        check(Rules::ThreeCheck, &fen("", ""), &fen(" 3+3", ""), &fen("", " +0+0"));
        for behind in [";20", ",0.35", " # 3+3", "; bm Qh5+;"] {
            let reading = read_by(Rules::ThreeCheck, fen("", &format!(" +0+2{behind}")).as_bytes()).expect(behind);
            assert_eq!(reading.position.to_string(), fen(" 3+1", ""), "{behind}");
        }
    }

    #[test]
    fn a_fault_is_told_with_its_place() {
        let zh = Rules::Crazyhouse;
        check_error(zh, "4k3/8/8/8/8/8/8/4K3[Qx] w - - 0 1", "'x' is not a man in hand (PNBRQ, pnbrq) (column 22)");
        check_error(zh, "4k3/8/8/8/8/8/8/4K3[k] w - - 0 1", "'k' is not a man in hand (PNBRQ, pnbrq) (column 21)");
        check_error(zh, "4k3/8/8/8/8/8/8/4K3[Q w - - 0 1", "the men in hand are not closed with ']' (column 20)");
        check_error(zh, "4k3/8/8/8/8/8/8/4~K3 w - - 0 1", "'~' follows no piece (column 18)");
        let mark_of_utf8 = b"__\xef\xbb~\xbf\t4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        let error = read_by(zh, mark_of_utf8).unwrap_err();
        assert_eq!(error.to_string(), "'~' follows no piece (column 5)");
        check_error(zh, "4k~3/8/8/8/8/8/8/4K3[Qn] x - - 0 1", "the side to move is 'x', not w or b (column 26)");
        let many = format!("4k3/8/8/8/8/8/8/4K3[{}] w - - 0 1", "P".repeat(63));
        check_error(zh, &many, "65 men are on the board and in hand; there may be 64 (column 1)");
        check_error(
            Rules::ThreeCheck,
            "4k3/8/8/8/8/8/8/4K3 w - - 4+0 0 1",
            "the checks are '4+0', not those that remain (3+3) or were given (+0+0), of 3 each (column 27)",
        );
        check_error(
            Rules::Atomic,
            "8/8/8/8/8/8/8/4K3[Q] w - - 0 1",
            "'[' is not a piece (PNBRQK, pnbrqk), a digit 1 to 8 or '/' (column 18)",
        );
    }

    #[test]
    fn kings_and_pawns_stand_as_the_rules_allow() {
        check_error(Rules::Horde, "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "white must have no king in this game");
        check_error(Rules::Horde, "8/8/8/8/8/8/8/PPPP4 w - - 0 1", "black has no king");
        check_error(Rules::Horde, "P3k3/8/8/8/8/8/8/8 w - - 0 1", "white pawn on a8");
        check_error(Rules::Atomic, "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "the side not to move (black) is in check");
        for (rules, fen) in [
            (Rules::Horde, "4k3/8/8/8/8/8/8/PPPP4 w - - 0 1"),
            (Rules::Antichess, "8/8/8/8/8/8/4p3/8 w - - 0 1"),
            (Rules::Suicide, "r3k2r/8/8/8/8/8/4K3/4K3 w kq - 0 1"),
            (Rules::Atomic, "8/8/8/8/8/3Rk3/4K3/8 w - - 0 1"),
            (Rules::Atomic, "8/8/8/8/8/3R4/4K3/8 b - - 0 1"),
            (Rules::RacingKings, "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1"),
        ] {
            check(rules, fen, fen, fen);
        }
    }

    #[test]
    fn a_text_without_marks_has_no_additions() {
        const FEN: &str = "4k2r/8/8/8/8/8/8/4K3 w k - 3 9";
        for (text, expected) in [
            (String::new(), true),
            (FEN.to_owned(), true),
            (format!("{FEN}{}", " ".repeat(1000)), true),
            (format!("{FEN} [x]"), false),
            (format!("{FEN} +1"), false),
            (format!("{FEN} ~"), false),
            ("4k2r/8/8/8/8/8/8/4K3/ w k - 3 9".to_owned(), false),
        ] {
            assert_eq!(is_without_additions(text.as_bytes()), expected, "{text}");
            if expected {
                assert_eq!(rules_of_form(text.as_bytes()), None, "{text}");
            }
        }
        // Behind long white space, too.
        let long = format!("4k2r/8/8/8/8/8/8/4K3[Q]{} w k - 3 9", " ".repeat(300));
        assert_eq!(rules_of_form(long.as_bytes()), Some(Rules::Crazyhouse));
    }
}
