//! What a text that is not a position may be instead: a link, an ECO code or the name of an opening.

use std::fmt;

use crate::opening_filter::OpeningFilter;
use crate::parse_error::ParseError;
use crate::typed::link::is_link;
use pgn2fen_chess::openings::Opening;

/// What a text is that is not a position. It is displayed as the reason why it is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Meant {
    /// The address of a web page in which there is no position.
    Link,
    /// An ECO code, such as `B90`, or the beginning of one.
    Code {
        /// An opening with this code.
        opening: Opening,
        /// The moves of the opening: `1. e4 c5`.
        moves: &'static str,
    },
    /// The name of an opening, or its beginning.
    Name {
        /// The opening, or if several names begin with the text, the one with the fewest moves.
        opening: Opening,
        /// The moves of the opening: `1. e4 c5`.
        moves: &'static str,
    },
    /// A part of the names of openings, but not the beginning of one.
    InNames {
        /// The one of these openings with the fewest moves.
        opening: Opening,
        /// The moves of the opening: `1. e4 c5`.
        moves: &'static str,
    },
}

/// The length of the longest text that may be the name of an opening, in bytes.
const LONGEST_NAME: usize = 100;

/// The least number of letters in a name. Fewer are rather a move.
const LEAST_LETTERS: usize = 4;

impl Meant {
    /// Returns what a text is that is not a position; None if it is nothing known.
    ///
    /// ```
    /// use pgn2fen_filters::typed::Meant;
    ///
    /// let Some(Meant::Name { opening, moves }) = Meant::by("sicilian") else { panic!() };
    /// assert_eq!((opening.name, moves), ("Sicilian Defense", "1. e4 c5"));
    /// assert_eq!(Meant::by("https://lichess.org/j1dkb5dw"), Some(Meant::Link));
    /// ```
    pub fn by(text: &str) -> Option<Self> {
        let text = text.trim();
        if is_link(text) {
            return Some(Self::Link);
        }
        let has_letters = || text.chars().filter(|char| char.is_alphabetic()).nth(LEAST_LETTERS - 1).is_some();
        let is_code = match text.as_bytes() {
            [letter, digit] => letter.is_ascii_uppercase() && digit.is_ascii_digit(),
            [_, digits @ ..] => digits.len() == 2 && digits.iter().all(u8::is_ascii_digit),
            [] => false,
        };
        if text.len() > LONGEST_NAME || !is_code && !has_letters() {
            return None;
        }
        let filter = OpeningFilter::find(text)?;
        let (opening, moves) = filter.shortest_line()?;
        Some(match filter.is_beginning_of(opening) {
            _ if is_code => Self::Code { opening, moves },
            true => Self::Name { opening, moves },
            false => Self::InNames { opening, moves },
        })
    }

    /// Returns the mistake in a text that is neither a position nor in the name of an opening, where both are taken:
    /// the nearest names. None if the text has a digit or slashes, as moves and FENs have.
    #[doc(hidden)]
    pub fn mistake_of_name(text: &str) -> Option<ParseError> {
        let text = text.trim();
        if !is_like_a_name(text) || text.contains('/') {
            return None;
        }
        let near = OpeningFilter::nearest(text).join(" or ");
        let advice = if near.is_empty() { String::new() } else { format!("; did you mean {near}?") };
        let reason = format!("this is no position, and in no name of an opening{advice}");
        Some(ParseError::new(text, 0..text.len(), reason))
    }

    /// Returns the openings whose names are similar to a text, each with its moves. At most three; none if the text has
    /// a digit, as moves have.
    pub fn nearest_openings(text: &str) -> Vec<(&'static str, &'static str)> {
        if !is_like_a_name(text) {
            return Vec::new();
        }
        let near = OpeningFilter::nearest(text).into_iter();
        near.filter_map(|name| Some((name, OpeningFilter::find(name)?.shortest_line()?.1))).collect()
    }
}

/// Whether a text may be the name of an opening that is misspelt: a short text with letters, and without digits.
fn is_like_a_name(text: &str) -> bool {
    let letters = text.chars().filter(|char| char.is_alphabetic()).count();
    letters >= LEAST_LETTERS && text.len() <= LONGEST_NAME && !text.bytes().any(|byte| byte.is_ascii_digit())
}

impl fmt::Display for Meant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Link => f.write_str(
                "a link is not opened, and this one contains no position; give a FEN, or moves such as 1. e4 c5",
            ),
            Self::Code { opening, moves } => {
                write!(f, "this is an ECO code, not a position; the moves of {opening} are {moves}")
            }
            Self::Name { opening, moves } => {
                write!(f, "this is the name of an opening, not a position; the moves of {} are {moves}", opening.name)
            }
            Self::InNames { opening, moves } => {
                let name = opening.name;
                write!(
                    f,
                    "this is in the names of openings, and no position; the moves of one of them, {name}, are {moves}"
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Meant;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(Meant::by(text).map(|meant| meant.to_string()).unwrap_or_default(), expected, "{text}");
    }

    #[test]
    fn openings_and_codes_are_told_with_their_moves() {
        for text in ["Sicilian Defense", "sicilian", " SICILIAN defense "] {
            check(text, "this is the name of an opening, not a position; the moves of Sicilian Defense are 1. e4 c5");
        }
        check(
            "B9",
            "this is an ECO code, not a position; the moves of B90 Sicilian Defense: Najdorf Variation are 1. e4 c5 2. \
             Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6",
        );
        check("a00", "this is an ECO code, not a position; the moves of A00 Amar Opening are 1. Nh3");
        check(
            "Grunfeld",
            "this is the name of an opening, not a position; the moves of Grünfeld Defense are 1. d4 Nf6 2. c4 g6 3. \
             Nc3 d5",
        );
    }

    #[test]
    fn a_part_of_names_is_told_with_the_moves_of_one() {
        check(
            "carlsen",
            "this is in the names of openings, and no position; the moves of one of them, \
            Sicilian Defense: Closed, Carlsen Variation, are 1. e4 c5 2. Nc3 d6 3. d4 cxd4 4. Qxd4 Nc6 5. Qd2",
        );
    }

    #[test]
    fn other_texts_are_nothing_known() {
        for text in
            ["", "e4", "e9", "Nf3", "Ke9", "hello", "F10", "F9", "123", "B", "the", "Tarkov", &"Sicilian ".repeat(20)]
        {
            check(text, "");
        }
    }
}
