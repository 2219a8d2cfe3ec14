//! Reads a FEN or an EPD as a position (PGN standard §16.1, §16.2).

use std::str::FromStr;

use nom::Parser;
use nom::branch::alt;
use nom::combinator::{all_consuming, eof, value};

use crate::castling::CastlingRights;
use crate::fen::additions::Additions;
use crate::fen::castling::castling;
use crate::fen::clocks::{Clocks, clocks};
use crate::fen::error::{Fault, FenError, Quote, Reason};
use crate::fen::fields::{Field, is_blank, separated, word};
use crate::fen::loose::loose_record;
use crate::fen::piece_placement::piece_placement;
use crate::fen::plain::plain_setup;
use crate::fen::repair::{Oddities, Oddity, Repairs};
use crate::piece::Color;
use crate::position::Position;
use crate::rules::Rules;
use crate::setup::Setup;
use crate::square::Square;
use crate::white_space::with_spaces;

/// A position that was read from text, and the repairs that it needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The position that the text describes.
    pub position: Position,
    /// The repairs that were made to the text and to the position.
    pub repairs: Repairs,
}

/// Reads a FEN or an EPD as a position that can be played.
///
/// Faults in the position that can be repaired are reported in [`Reading::repairs`]. A castling right without its rook
/// or king is dropped, and so is an impossible en passant square. Too many pieces and an impossible check are accepted.
///
/// # Errors
///
/// Returns an error if [`read_setup`] fails, or if no game can be played from the position: a king is missing, a pawn
/// stands on the first or last rank, or the side that has just moved is in check.
pub fn read(text: &[u8]) -> Result<Reading, FenError> {
    playable(read_setup(text)?)
}

/// Reads a FEN like [`read`], of a game with these rules.
///
/// In crazyhouse, the men in hand follow the board in brackets, as in `RNBQKBNR[QNp]`, or as a ninth rank; `~` marks
/// promoted men. In three-check, the checks that remain follow the en passant square (`3+3`), or those that were given
/// follow the clocks (`+0+0`). Without these parts, hands are empty, and no check was given. Without the feature
/// `variants`, the rules are always those of chess.
///
/// ```
/// use pgn2fen_chess::fen;
/// use pgn2fen_chess::piece::{Color, Role};
/// use pgn2fen_chess::rules::Rules;
///
/// let text = b"rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR/Pp w KQkq - 0 3";
/// let position = fen::read_by(Rules::Crazyhouse, text)?.position;
/// assert_eq!(position.hands().count(Color::Black, Role::Pawn), 1);
/// assert_eq!(position.to_string(), "rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR[Pp] w KQkq - 0 3");
/// # Ok::<(), fen::FenError>(())
/// ```
///
/// # Errors
///
/// Returns the errors of [`read`], and an error if the additional parts are malformed.
pub fn read_by(rules: Rules, text: &[u8]) -> Result<Reading, FenError> {
    playable(read_setup_by(rules, text, None)?)
}

/// Reads a FEN or an EPD like [`read_by`], of which the side to move may be missing. Then `turn` is to move. Without
/// `turn` it is White, or Black if Black is in check.
///
/// # Errors
///
/// Returns the errors of [`read_by`], but for a missing side to move.
#[doc(hidden)]
pub fn read_without_turn(rules: Rules, text: &[u8], turn: Option<Color>) -> Result<Reading, FenError> {
    let read = |turn| playable(read_setup_by(rules, text, Some(turn))?);
    match read(turn.unwrap_or(Color::White)) {
        Err(error) if turn.is_none() && error.is_opposite_check() => read(Color::Black).map_err(|_| error),
        result => result,
    }
}

/// Returns the position of a setup that can be played.
fn playable((setup, repairs): (Setup, Repairs)) -> Result<Reading, FenError> {
    let (position, mended) = Position::repaired(setup)?;
    Ok(Reading { position, repairs: Repairs { position: mended, ..repairs } })
}

/// Parses a FEN of chess like [`fen::read`](read), without reporting the repairs. [`fen::read_by`](read_by) reads those
/// of variants.
///
/// ```
/// use pgn2fen_chess::position::Position;
///
/// let position: Position = "8/8/8/3k4/8/8/4P3/4K3 w - - 0 1".parse()?;
/// assert_eq!(position.to_string(), "8/8/8/3k4/8/8/4P3/4K3 w - - 0 1");
/// # Ok::<(), pgn2fen_chess::fen::FenError>(())
/// ```
impl FromStr for Position {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Self, FenError> {
        Ok(read(fen.as_bytes())?.position)
    }
}

/// Reads the six fields of a FEN or an EPD without checking them against the rules of chess.
///
/// A castling right `K`, `Q`, `k` or `q` without a rook on that side of the king is given to the corner square.
///
/// # Errors
///
/// Returns an error if the text is not one of the spellings that the [module](crate::fen) lists.
pub fn read_setup(text: &[u8]) -> Result<(Setup, Repairs), FenError> {
    read_setup_with(text, None)
}

/// Reads the fields like [`read_setup`]. `turn` is the side to move if the text does not tell it.
///
/// # Errors
///
/// Returns an error if the text is not one of the spellings that the [module](crate::fen) lists. A missing side to move
/// is one unless `turn` is given.
#[doc(hidden)]
pub fn read_setup_with(text: &[u8], turn: Option<Color>) -> Result<(Setup, Repairs), FenError> {
    if let Some(setup) = plain_setup(text) {
        return Ok((setup, Repairs::default()));
    }
    match by_grammar(text) {
        Ok(read) => Ok(read),
        Err(error) => {
            if let Some(spaced) = with_spaces(text) {
                return read_setup_with(&spaced, turn);
            }
            let before = text.iter().take_while(|byte| is_blank(**byte)).count();
            let trimmed =
                &text[before..before.max(text.len() - text.iter().rev().take_while(|byte| is_blank(**byte)).count())];
            let around = Oddity::Blanks.when(trimmed.len() < text.len());
            match loose_record(trimmed, turn) {
                Some(Ok((setup, oddities))) => Ok((setup, Repairs { text: oddities | around, ..Repairs::default() })),
                Some(Err(second)) => Err(second.moved(before)),
                None => Err(error),
            }
        }
    }
}

/// Reads the fields like [`read_setup`], and those that a FEN of these rules has besides. `turn` is the side to move if
/// the text does not tell it.
///
/// # Errors
///
/// Returns the errors of [`read_setup`], and an error if the additional parts are malformed.
#[doc(hidden)]
pub fn read_setup_by(rules: Rules, text: &[u8], turn: Option<Color>) -> Result<(Setup, Repairs), FenError> {
    if !Rules::HAVE_VARIANTS || rules == Rules::Chess {
        return read_setup_with(text, turn);
    }
    let additions = Additions::split(rules, text)?;
    let (setup, repairs) = read_setup_with(additions.plain(), turn).map_err(|error| additions.in_text(error))?;
    Ok((additions.add_to(rules, setup)?, repairs))
}

/// Reads the fields, and nothing behind them but EPD operations.
#[inline]
pub(super) fn by_grammar(text: &[u8]) -> Result<(Setup, Repairs), FenError> {
    if let Some(offset) = text.iter().position(|byte| !byte.is_ascii()) {
        return Err(FenError::new(offset, Reason::NotAscii(Quote::of_char(&text[offset..]))));
    }
    let is_word = |&byte: &u8| !is_blank(byte);
    let Some(start) = text.iter().position(is_word) else {
        return Err(FenError::new(0, Reason::Empty));
    };
    let end = text.iter().rposition(is_word).map_or(text.len(), |last| last + 1);
    let around = Oddity::Blanks.when(start > 0 || end < text.len());

    let text = &text[..end];
    match all_consuming(record).parse(&text[start..]) {
        Ok((_, (setup, oddities))) => Ok((setup, Repairs { text: oddities | around, ..Repairs::default() })),
        Err(nom::Err::Error(fault) | nom::Err::Failure(fault)) => Err(fault.in_text(text)),
        Err(nom::Err::Incomplete(_)) => unreachable!("no production asks for more input"),
    }
}

/// `<record> ::= <piece placement> <side to move> [ <castling> [ <en passant> [ <clocks> ] ] ]`: a FEN or an EPD
/// record, without blanks around it.
fn record(input: &[u8]) -> Field<'_, Setup> {
    let (input, (board, placing)) = piece_placement(input)?;
    if input.is_empty() {
        return Err(Fault::at(input, Reason::BoardOnly));
    }
    let (input, (turn, turning)) = separated(side_to_move).parse(input)?;
    let (input, (castling, righting)) = or_missing(CastlingRights::NONE, castling(&board)).parse(input)?;
    let (input, (ep, passing)) = or_missing(None, en_passant).parse(input)?;
    let (input, (Clocks { halfmoves, fullmoves }, counting)) = clocks(input)?;

    let setup = Setup { board, turn, castling, ep, halfmoves, fullmoves, ..Setup::initial() };
    Ok((input, (setup, placing | turning | righting | passing | counting)))
}

/// `<side to move> ::= w | b` (§16.1.3.2).
fn side_to_move(input: &[u8]) -> Field<'_, Color> {
    let (rest, text) = word(input)?;
    let color = match text {
        b"w" | b"W" => Color::White,
        b"b" | b"B" => Color::Black,
        _ => return Err(Fault::at(input, Reason::Turn(Quote::new(text)))),
    };
    Ok((rest, (color, lower_case(text))))
}

/// `<en passant> ::= - | <square>` (§16.1.3.4).
fn en_passant(input: &[u8]) -> Field<'_, Option<Square>> {
    let (rest, text) = word(input)?;
    let ep = match text {
        b"-" => None,
        _ => match Square::from_ascii(&text.to_ascii_lowercase()) {
            Some(sq) => Some(sq),
            None => return Err(Fault::at(input, Reason::EnPassant(Quote::new(text)))),
        },
    };
    Ok((rest, (ep, lower_case(text))))
}

/// Parses a further field, or returns the value `missing` if the record ends here.
fn or_missing<'a, T: Clone>(
    missing: T,
    field: impl Parser<&'a [u8], Output = (T, Oddities), Error = Fault<'a>>,
) -> impl Parser<&'a [u8], Output = (T, Oddities), Error = Fault<'a>> {
    alt((value((missing, Oddity::MissingFields.into()), eof), separated(field)))
}

fn lower_case(text: &[u8]) -> Oddities {
    Oddity::LetterCase.when(text.iter().any(u8::is_ascii_uppercase))
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::any;
    use proptest::sample::{Index, select};
    use proptest::{prop_assert, prop_assert_eq, proptest};

    use super::{read, read_by, read_setup, read_without_turn};
    use crate::fen::style::{CastlingStyle, FenStyle};
    use crate::fen::write::to_string;
    use crate::piece::Color;
    use crate::rules::Rules;

    const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    /// Checks that the text is read as the position `fen` with these repairs.
    #[track_caller]
    fn check(text: &str, fen: &str, repairs: &str) {
        let reading = read(text.as_bytes()).expect(text);
        assert_eq!(to_string(&reading.position, FenStyle::default()), fen);
        assert_eq!(reading.repairs.to_string(), repairs);
    }

    #[track_caller]
    fn check_error(text: &str, message: &str) {
        assert_eq!(read(text.as_bytes()).expect_err(text).to_string(), message);
    }

    #[test]
    fn a_fen_of_the_standard_is_read_as_it_stands() {
        for fen in [
            INITIAL,
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2",
            "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
            "4k3/8/8/8/8/8/4P3/4K3 w - - 5 39",
            "4k3/8/8/8/8/8/4P3/4K3 b - - 4294967295 4294967295",
        ] {
            check(fen, fen, "");
        }
    }

    #[test]
    fn missing_fields_have_values() {
        const MISSING: &str = "missing fields are taken as - - 0 1";
        const CLOCKS: &str = "a missing halfmove clock is taken as 0, a missing move number as 1";
        check("4k3/8/8/8/8/8/4P3/4K3 w - -", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", CLOCKS);
        check("4k3/8/8/8/8/8/4P3/4K3 w - - 5", "4k3/8/8/8/8/8/4P3/4K3 w - - 5 1", CLOCKS);
        check("4k3/8/8/8/8/8/4P3/R3K3 w Q - 5", "4k3/8/8/8/8/8/4P3/R3K3 w Q - 5 1", CLOCKS);
        check("4k3/8/8/8/8/8/4P3/R3K3 b Q", "4k3/8/8/8/8/8/4P3/R3K3 b Q - 0 1", MISSING);
        check("4k3/8/8/8/8/8/4P3/R3K3 b", "4k3/8/8/8/8/8/4P3/R3K3 b - - 0 1", MISSING);
    }

    #[test]
    fn a_board_alone_is_no_position() {
        check_error("4k3/8/8/8/8/8/4P3/4K3", "only the board is given; add the side to move, w or b (column 22)");
        check_error(" \t", "the text is blank (column 1)");
        check_error("", "the text is blank (column 1)");
        check_error("?", "'?' stands for an unknown position (column 1)");
    }

    #[test]
    fn epd_operations_tell_the_clocks() {
        const OPERATIONS: &str = "EPD operations follow";
        const AND_MISSING: &str =
            "a missing halfmove clock is taken as 0, a missing move number as 1; EPD operations follow";
        let board = "4k3/8/8/8/8/8/4P3/4K3";
        let check = |rest: &str, clocks, repairs| {
            check(&format!("{board} {rest}"), &format!("{board} w - - {clocks}"), repairs);
        };
        check("w - - hmvc 5; fmvn 39;", "5 39", OPERATIONS);
        check("w - - fmvn 39; hmvc 5", "5 39", OPERATIONS);
        check("w - - hmvc 5;", "5 1", AND_MISSING);
        check("w - - bm e4; id \"a; fmvn 7;\"; fmvn 39;", "0 39", AND_MISSING);
        check("w - - 5 39; c0 \"x\";", "5 39", OPERATIONS);
        check("w - - 5 39 fmvn 7;", "5 39", OPERATIONS);
        check("w - - 5 fmvn 39;", "5 39", OPERATIONS);
        check("w - - 0 1 ;D1 20 ;D2 400", "0 1", OPERATIONS);
    }

    #[test]
    fn odd_spelling_is_put_right() {
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 5 39";
        check("4k3/8/8/8/8/8/4P3/4K3_w_-_-_5_39", fen, "'_' stands for blanks");
        check("4k3/8/8/8/8/8/4P3/4K3  w\t- - 5 39", fen, "unusual blanks");
        check(" 4k3/8/8/8/8/8/4P3/4K3 w - - 5 39\r\n", fen, "unusual blanks");
        check(" 4k3/8/8/8/8/8/4P3/4K3 w - - 5 39", fen, "unusual blanks");
        check("4k3/8/8/8/8/8/4P3/4K3 W - - 5 39", fen, "a letter in the wrong case");
        check("4k3/8/44/8/8/8/4P3/4K111 w - - 5 39", fen, "two adjacent digits");
        check("4k3/8/8/8/8/8/4P3/4K3 w - - 0 0", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "fullmove number 0 is read as 1");
        check(
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq E3 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "a letter in the wrong case",
        );
    }

    #[test]
    fn a_fault_of_the_board_is_told_with_its_place() {
        check_error("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1", "there are 7 ranks, not 8 (column 1)");
        check_error("8/8/8/8/8/8/8/8/8 w - - 0 1", "there are 9 ranks, not 8 (column 1)");
        check_error(
            "4k3/8/8/8/8/9/8/4K3 w - -",
            "'9' is not a piece (PNBRQK, pnbrqk), a digit 1 to 8 or '/' (column 13)",
        );
        check_error("4k3/8/8/8/8/PPPPPPPPP/8/4K3 w - -", "rank 3 has 9 squares, not 8 (column 13)");
        check_error("4k3/8/8/8/8//8/4K3 w - -", "rank 3 has 0 squares, not 8 (column 13)");
        check_error("4k3/8/8/8/8/8/1/4K3 w - -", "rank 2 has 1 square, not 8 (column 15)");
        check_error(
            "4kx3/8/8/8/8/8/8/4K3 w - -",
            "'x' is not a piece (PNBRQK, pnbrqk), a digit 1 to 8 or '/' (column 3)",
        );
    }

    #[test]
    fn a_fault_of_a_field_is_told_with_its_place() {
        let check_error = |rest: &str, message| check_error(&format!("4k3/8/8/8/8/8/8/4K3 {rest}"), message);
        check_error("x - - 0 1", "the side to move is 'x', not w or b (column 21)");
        check_error("w KQkx - 0 1", "'x' is not a castling right (K Q k q, or the file of the rook) (column 26)");
        check_error("w HABkq - 0 1", "white has more than two castling rights (column 25)");
        check_error("w - e9 0 1", "the en passant field is 'e9', not - or a square such as e3 (column 25)");
        check_error("w - - -1 1", "the halfmove clock is '-1', not a number (column 27)");
        check_error("w - - 0 4294967296", "the fullmove number is '4294967296'; the largest is 4294967295 (column 29)");
        check_error("w - - 0 1 moves e2e4", "'moves e2e4' follows where the FEN should end (column 31)");
    }

    #[test]
    fn a_fen_is_ascii() {
        check_error("4k3/8/8/8/8/8/8/4K3 w – - 0 1", "'–' is not ASCII (column 23)");
    }

    #[test]
    fn without_a_side_to_move_it_is_white_unless_black_is_in_check() {
        let read = |board: &str, turn| {
            let read = read_without_turn(Rules::Chess, board.as_bytes(), turn);
            read.map(|reading| reading.position.turn()).map_err(|error| error.to_string())
        };
        let (quiet, check) = ("4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/K3R3");
        assert_eq!(read(quiet, None), Ok(Color::White));
        assert_eq!(read(quiet, Some(Color::Black)), Ok(Color::Black));
        assert_eq!(read(check, None), Ok(Color::Black));
        let opposite = Err("the side not to move (black) is in check".to_owned());
        assert_eq!(read(check, Some(Color::White)), opposite);
        assert_eq!(read("4k3/4R3/8/8/8/8/4r3/4K3", None), opposite);
    }

    #[test]
    fn castling_letters_may_stand_in_any_order() {
        const OUT_OF_ORDER: &str = "castling letters out of order";
        let board = "r3k2r/8/8/8/8/8/8/R3K2R";
        let check = |letters: &str, repairs| {
            check(&format!("{board} w {letters} - 0 1"), &format!("{board} w KQkq - 0 1"), repairs);
        };
        check("KQkq", "");
        check("HAha", "");
        check("AHah", "");
        check("KAhq", "");
        check("kqKQ", OUT_OF_ORDER);
        check("QKqk", OUT_OF_ORDER);
        check("KQQkq", OUT_OF_ORDER);
        check("KQkqH", OUT_OF_ORDER);
    }

    #[test]
    fn a_bare_letter_means_the_outermost_rook() {
        #[track_caller]
        fn check(text: &str, shredder: &str) {
            let reading = read(text.as_bytes()).expect(text);
            let style = FenStyle { castling: CastlingStyle::Shredder, ..FenStyle::default() };
            let fen = to_string(&reading.position, style);
            assert_eq!(fen.split(' ').nth(2), Some(shredder));
        }
        check("4k3/8/8/8/8/8/8/4KR1R w K - 0 1", "H");
        check("4k3/8/8/8/8/8/8/4KRR1 w K - 0 1", "G");
        check("4k3/8/8/8/8/8/8/4KRR1 w F - 0 1", "F");
        check("4k3/8/8/8/8/8/8/1RRRK3 w Q - 0 1", "B");
        check("1r1k1r2/5p2/8/8/8/8/3N4/R5KR b KQkq - 0 1", "HAfb");
    }

    #[test]
    fn a_bare_letter_is_about_the_king_that_may_castle() {
        for text in ["4k3/8/8/8/8/8/8/1K1RK3 w Q - 0 1", "4k3/8/8/8/8/8/8/R2KK2R w KQ - 0 1"] {
            let reading = read_by(Rules::Giveaway, text.as_bytes()).expect(text);
            assert_eq!(to_string(&reading.position, FenStyle::default()), text);
        }
    }

    #[test]
    fn what_the_position_contradicts_is_dropped() {
        check(
            "4k3/8/8/8/8/8/4P3/4K3 w Kq - 0 1",
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
            "castling right dropped: no rook on h1 or no king to castle with it; castling right dropped: no rook on a8 \
             or no king to castle with it",
        );
        check("4k3/8/8/8/8/8/4P3/4K3 w - e3 0 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "impossible en passant square e3");
        let many = "4k3/8/8/8/8/NNNNNNNN/PPPPPPPP/4K3 w - - 0 1";
        check(many, many, "white has more than 16 men");
    }

    #[test]
    fn what_cannot_be_played_on_is_no_position() {
        check_error("8/8/8/8/8/8/4P3/4K3 w - - 0 1", "black has no king");
        check_error("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "white pawn on h8");
        check_error("4k3/8/8/8/8/8/8/4K2r b - - 0 1", "the side not to move (white) is in check");
        assert!(read_setup(b"4k2P/8/8/8/8/8/8/8 w - - 0 1").is_ok());
    }

    proptest! {
        #[test]
        fn whatever_is_written_is_read_or_refused(
            edits in vec(
                (any::<Index>(), select(b" \t_/-?;\"0189wbKQkqHAhapnPN3e6.\x80".to_vec()), any::<bool>()),
                0..6,
            ),
            operations in any::<bool>(),
        ) {
            let mut text = INITIAL.as_bytes().to_vec();
            if operations {
                text.extend_from_slice(b" hmvc 5; id \"a\"; fmvn 7;");
            }
            for (place, byte, insert) in edits {
                let place = place.index(text.len());
                if insert { text.insert(place, byte) } else { text[place] = byte }
            }
            match read(&text) {
                Ok(reading) => {
                    let fen = to_string(&reading.position, FenStyle::default());
                    prop_assert_eq!(read(fen.as_bytes()).map(|again| again.position), Ok(reading.position));
                }
                Err(error) => prop_assert!(error.offset().is_none_or(|offset| offset <= text.len()), "{}", error),
            }
        }
    }

    #[test]
    fn blanks_around_a_text_with_a_remark_are_told() {
        const BOARD: &str = "4k3/8/8/8/8/8/4P3/4K3";
        const FEN: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 5 39";
        const REMARK: &str = "text behind the FEN is ignored";
        let blanks = format!("unusual blanks; {REMARK}");
        check(&format!("{FEN} # note"), FEN, REMARK);
        check(&format!(" {FEN} # note"), FEN, &blanks);
        check(&format!("{FEN} # note \r\n"), FEN, &blanks);
        check(&format!("\u{a0}{FEN} # note"), FEN, &blanks);
        // The place of an error counts the blanks before the text.
        let second = format!("  {FEN} # {BOARD} w");
        assert_eq!(read(second.as_bytes()).unwrap_err().offset(), second.rfind(BOARD));
    }
}
