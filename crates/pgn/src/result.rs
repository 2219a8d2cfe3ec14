//! The results of games: the termination markers of movetext (PGN standard §8.2.6), and the text of Result tags.
//!
//! [`Outcome::from_ascii`] is the one function that says what the text of a result means.

use nom::IResult;
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while};
use nom::character::complete::{char, one_of};
use nom::combinator::{map_opt, value};
use nom::sequence::delimited;

use crate::lexical::is_delimiter;
use crate::symbol::{dash, glued_mark, is_move_shaped, symbol};
use crate::token::{Outcome, Termination};

impl Outcome {
    const ALL: [Self; 4] = [Self::WhiteWins, Self::BlackWins, Self::Draw, Self::Unknown];

    /// Reads the text of a result, such as the value of a Result tag: a termination marker in any known spelling, with
    /// or without a remark behind it, or an English phrase. None if the text is empty, is not a result, or could mean
    /// more than one.
    ///
    /// ```
    /// use pgn2fen_pgn::token::Outcome;
    ///
    /// for text in ["1/2-1/2", "½–½", "0.5 - 0.5", "draw", "Drawn by agreement"] {
    ///     assert_eq!(Outcome::from_ascii(text.as_bytes()), Some(Outcome::Draw));
    /// }
    /// assert_eq!(Outcome::from_ascii(b"white wins"), Some(Outcome::WhiteWins));
    /// assert_eq!(Outcome::from_ascii(b"0-0"), None);
    /// ```
    pub fn from_ascii(text: &[u8]) -> Option<Self> {
        let text = text.trim_ascii();
        Self::of_standard(text).or_else(|| of_marker(text)).or_else(|| of_phrase(text))
    }

    /// Returns the result with this [standard spelling](Self::as_str).
    #[inline]
    pub(crate) fn of_standard(text: &[u8]) -> Option<Self> {
        Self::at_start_of(text).filter(|outcome| outcome.as_str().len() == text.len())
    }

    /// Returns the result with whose [standard spelling](Self::as_str) a text begins.
    #[inline]
    pub(super) fn at_start_of(text: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| text.starts_with(outcome.as_str().as_bytes()))
    }
}

/// Reads a termination marker with a remark that is no result: `1-0 (time)`.
fn of_marker(text: &[u8]) -> Option<Outcome> {
    let (mut remark, Termination { outcome, .. }) = termination(text).ok()?;
    while let Some(byte) = remark.first() {
        if is_delimiter(*byte) {
            remark = &remark[1..];
            continue;
        }
        if termination(remark).is_ok_and(|(_, other)| other.outcome != outcome) {
            return None;
        }
        remark = &remark[symbol(remark).0.len().max(1)..];
    }
    Some(outcome)
}

/// Reads what people write into a Result tag: `Draw`, `white wins on time`, `Black resigns`, and the signs of a game
/// that was won without play.
fn of_phrase(text: &[u8]) -> Option<Outcome> {
    use Outcome::{BlackWins, Draw, Unknown, WhiteWins};
    let text = text.to_ascii_lowercase();
    let mut words = text.split(|byte| !byte.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let outcome = match (words.next(), words.next()) {
        (None, None) => match &text[..] {
            b"?" | b"-" => Unknown,
            b"=" => Draw,
            b"+:-" | b"+-" | b"+/-" | b"+--" => WhiteWins,
            b"-:+" | b"-+" | b"-/+" | b"--+" => BlackWins,
            _ => return None,
        },
        (Some(b"draw" | b"drawn" | b"remis" | b"stalemate"), _) => Draw,
        (Some(b"white"), None | Some(b"win" | b"wins" | b"won" | b"winner")) => WhiteWins,
        (Some(b"black"), None | Some(b"win" | b"wins" | b"won" | b"winner")) => BlackWins,
        (Some(b"white"), Some(b"resigns" | b"resigned" | b"loses" | b"lost" | b"forfeits")) => BlackWins,
        (Some(b"black"), Some(b"resigns" | b"resigned" | b"loses" | b"lost" | b"forfeits")) => WhiteWins,
        (Some(b"unknown" | b"ongoing" | b"unfinished" | b"undecided" | b"adjourned"), None) => Unknown,
        (Some(b"in"), Some(b"progress")) | (Some(b"not"), Some(b"finished")) => Unknown,
        _ => return None,
    };
    // `Draw or white wins` is no result.
    words.all(|word| !matches!(word, b"or" | b"white" | b"black" | b"draw" | b"drawn")).then_some(outcome)
}

/// `<game-termination> ::= 1-0 | 0-1 | 1/2-1/2 | *`, also with the colons, dashes, halves, letters and blanks that real
/// files use instead.
pub(crate) fn termination(input: &[u8]) -> IResult<&[u8], Termination> {
    use Outcome::{BlackWins, Draw, Unknown, WhiteWins};
    let standard = |outcome| Termination { outcome, is_standard: true };
    let odd = |outcome| Termination { outcome, is_standard: false };
    // `1.0-0` is a move number with castling, so both scores have a decimal or none has.
    let pair = alt(((score, versus, score), (decimal, versus, decimal)));
    let scores = map_opt(pair, |(white, (), black)| match [white, black] {
        [Score::One, Score::Zero] => Some(odd(WhiteWins)),
        [Score::Zero, Score::One] => Some(odd(BlackWins)),
        [Score::Half, Score::Half] => Some(odd(Draw)),
        _ => None,
    });
    let (rest, termination) = alt((
        value(standard(Unknown), char('*')),
        value(standard(WhiteWins), tag("1-0")),
        value(standard(BlackWins), tag("0-1")),
        value(standard(Draw), tag("1/2-1/2")),
        scores,
        value(odd(Draw), alt((tag("1/2"), tag("½")))),
    ))
    .parse(input)?;
    if input.starts_with(b"*") {
        return Ok((rest, termination));
    }
    let (behind, ()) = signs(rest)?;
    if behind.len() == rest.len() { Ok((rest, termination)) } else { Ok((behind, odd(termination.outcome))) }
}

/// Takes the signs without a meaning that may stand directly behind a result, as in ``1/2-1/2` `` and `1-0#`. Refuses
/// any other symbol.
fn signs(input: &[u8]) -> IResult<&[u8], ()> {
    let (signs, rest) = symbol(input);
    if signs.len() <= MOST_SIGNS && signs.iter().all(u8::is_ascii_punctuation) {
        Ok((rest, ()))
    } else {
        Err(nom::Err::Error(nom::error::Error::new(input, nom::error::ErrorKind::Verify)))
    }
}

/// `0-0`: both players lose. It is a result only where the Result tag says so, because it is also castling.
pub(super) fn double_forfeit(input: &[u8]) -> IResult<&[u8], ()> {
    value((), (char('0'), versus, char('0'), signs)).parse(input)
}

/// Whether a Result tag says that both players lose.
pub(super) fn is_lost_by_both(text: &[u8]) -> bool {
    double_forfeit(text.trim_ascii()).is_ok_and(|(rest, ())| rest.is_empty())
}

/// The score of a player.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Score {
    One,
    Half,
    Zero,
}

fn score(input: &[u8]) -> IResult<&[u8], Score> {
    alt((
        value(Score::Half, alt((tag("1/2"), tag("½"), tag("0.5"), tag("0,5"), tag(".5")))),
        value(Score::One, char('1')),
        value(Score::Zero, one_of("0Oo")),
    ))
    .parse(input)
}

/// A score with a decimal that says nothing: `1.0`, `0,0`.
fn decimal(input: &[u8]) -> IResult<&[u8], Score> {
    alt((value(Score::One, alt((tag("1.0"), tag("1,0")))), value(Score::Zero, alt((tag("0.0"), tag("0,0"))))))
        .parse(input)
}

fn versus(input: &[u8]) -> IResult<&[u8], ()> {
    let blanks = || take_while(is_space);
    value((), delimited(blanks(), alt((tag("--"), dash, tag(":"))), blanks())).parse(input)
}

/// Whether the byte may stand within a result or castling whose parts are apart. A line break may not.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// The greatest number of signs without a meaning directly behind a result.
const MOST_SIGNS: usize = 3;

/// The longest symbol that is searched for a result, in bytes. No move with a result is longer, and the time must not
/// grow with the square of the length.
const LONGEST: usize = 64;

/// Returns the start of a result that stands directly behind a move: `Qxe5#1-0`, `Nc61/2-1/2`. `length` is the length
/// of the symbol with which the text begins.
#[inline]
pub(super) fn glued_result(text: &[u8], length: usize) -> Option<usize> {
    let symbol = &text[..length];
    let may_be_result = matches!(symbol, [.., b'-' | b'/' | b':', _])
        || matches!(symbol, [.., b'0' | b'1']) && may_be_score(&text[length..])
        || !symbol.is_ascii();
    if may_be_result && length <= LONGEST { behind_move(text, length) } else { None }
}

/// Whether the rest of a result may follow behind its first digit: ` - 0`, `.5-0.5`, `.0-0.0`.
#[inline]
pub(super) fn may_be_score(text: &[u8]) -> bool {
    let spaces = text.iter().take_while(|byte| is_space(**byte)).count();
    spaces > 0 && matches!(text.get(spaces), Some(b'-' | b':' | 0xE2)) || matches!(text, [b'.' | b',', b'5' | b'0', ..])
}

#[cold]
fn behind_move(text: &[u8], length: usize) -> Option<usize> {
    (2..length).find(|at| {
        matches!(text[*at], b'0' | b'1' | b'O' | b'o' | 0xC2)
            && termination(&text[*at..]).is_ok()
            && is_marked_move(&text[..*at])
    })
}

/// Whether the text has the shape of a move, perhaps with a mark: `Nf3+-`.
fn is_marked_move(text: &[u8]) -> bool {
    is_move_shaped(text) || glued_mark(text).is_some_and(|at| is_move_shaped(&text[..at]))
}

#[cfg(test)]
mod tests {
    use super::{glued_result, may_be_score, termination};
    use crate::symbol::symbol;
    use crate::token::Outcome;

    #[track_caller]
    fn ends(text: &str, outcome: Outcome, is_standard: bool) {
        let (rest, termination) = termination(text.as_bytes()).expect("a termination marker");
        assert_eq!((termination.outcome, termination.is_standard, rest), (outcome, is_standard, &b""[..]), "{text}");
    }

    #[test]
    fn results_come_in_many_spellings() {
        ends("*", Outcome::Unknown, true);
        ends("1-0", Outcome::WhiteWins, true);
        ends("0-1", Outcome::BlackWins, true);
        ends("1/2-1/2", Outcome::Draw, true);
        for text in [
            "1-0'",
            "1-0/",
            "1-0#",
            "1-0`",
            "1 - 0+",
            "1:0",
            "1–0",
            "1 - 0",
            "1 -0",
            "1\t–  0",
            "1-O",
            "1 : o",
            "1--0",
            "1.0-0.0",
            "1,0 : 0,0",
        ] {
            ends(text, Outcome::WhiteWins, false);
        }
        for text in ["0:1", "0–1", "0 - 1", "O-1", "o:1", "0.0-1.0"] {
            ends(text, Outcome::BlackWins, false);
        }
        for text in
            ["1/2", "½", "½-½", "1/2:1/2", "1/2 - 1/2", "½ – ½", "0.5-0.5", "0,5:0,5", "0.5 - 0.5", "1/2-½", ".5-.5"]
        {
            ends(text, Outcome::Draw, false);
        }
    }

    #[test]
    fn castling_with_zeros_is_no_result() {
        for text in
            ["0-0", "0-0-0", "1-0-0", "1", "0-1x", "0 - 0", "1 - 0-0", "1-O-O", "1\n-0", "1-1", "1/2-0", "0.5", "1.0-0"]
        {
            assert!(termination(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[track_caller]
    fn means(texts: &[&str], outcome: Option<Outcome>) {
        for text in texts {
            assert_eq!(Outcome::from_ascii(text.as_bytes()), outcome, "{text}");
        }
    }

    #[test]
    fn the_text_of_a_tag_is_read_by_its_meaning() {
        means(&["1-0", " 1-0\t", "1-O", "1 - 0", "1-0 (time)", "1-0, forfeit", "+:-", "+-"], Some(Outcome::WhiteWins));
        means(&["white", "White wins", "white won on time", "Black resigns", "BLACK LOST"], Some(Outcome::WhiteWins));
        means(&["0-1", "0–1", "Black wins", "-:+", "White resigned", "0-1 {mate}"], Some(Outcome::BlackWins));
        means(
            &["1/2-1/2", "1/2", "½", "Draw", "drawn by agreement", "remis", ".5-.5", "=", "1/2 1/2"],
            Some(Outcome::Draw),
        );
        means(&["*", "?", "unknown", "in progress", "Not finished", "-"], Some(Outcome::Unknown));
    }

    #[test]
    fn what_is_no_result_or_several_is_none() {
        means(
            &["", " ", "0-0", "1", "0", "1-1", "½-0", "whites", "1-0 or 0-1", "draw or white wins", "1/2-1/2 0-1"],
            None,
        );
        means(&["White", "black"].map(|_| "white or black"), None);
    }

    /// Compares the place of the result, which is at `|`.
    #[track_caller]
    fn glued(marked: &str) {
        let text = marked.replace('|', "");
        let length = symbol(text.as_bytes()).0.len();
        assert_eq!(glued_result(text.as_bytes(), length), marked.find('|'), "{marked}");
    }

    #[test]
    fn a_result_may_be_glued_to_a_move() {
        for text in [
            "R8xg2|0-1",
            "Qxe5#|1-0",
            "Nc6|1/2-1/2",
            "Qxe5#|½-½",
            "e4|0-1",
            "O-O|1-0",
            "O-O-O|0-1",
            "0-0|0-1",
            "0-0-0|1-0",
            "e8=Q|1-0",
            "a1|1-0",
            "Nf3|1:0 ",
            "Nf3|1–0",
            "Nf3|1 - 0",
            "Nf3|0.5-0.5",
            "Nf3|1.0-0.0",
            "Qxe5+-|1-0",
            "Nf3|½",
            "Nc6|1/2",
            "♘f3|1-0",
            "Sf3|1-O",
            "e2-e4|1-0",
        ] {
            glued(text);
        }
        for text in
            ["e4", "O-O", "O-O-O", "0-0-0", "Ra1-b1", "Ra1", "x1-0", "Rd1-0", "e4-1", "Nf3 1-0", "Ra1 e5", "e1g1-0"]
        {
            glued(text);
        }
        glued(&format!("{}1-0", "e".repeat(100)));
    }

    #[test]
    fn what_may_be_the_rest_of_a_result_is_told_by_its_first_bytes() {
        for text in [" - 0", "\t -1", " :1", "  –0", ".5-0.5", ",5", ".0-0.0", ",0"] {
            assert!(may_be_score(text.as_bytes()), "{text:?}");
        }
        for text in ["", " ", " e5", "-0", ":0", "–0", ".", ".e4", ". e4", "5", " .5", "\n-0"] {
            assert!(!may_be_score(text.as_bytes()), "{text:?}");
        }
    }
}
