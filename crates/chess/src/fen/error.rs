//! The errors of reading a FEN, with messages that help to correct it.

use std::error::Error;
use std::fmt::{self, Display, Formatter};

use nom::error::{ErrorKind, ParseError};

use crate::fen::first_char::first_char;
use crate::piece::Color;
use crate::position::PositionError;
use crate::square::Rank;

/// An error of [`fen::read`](crate::fen::read): the text is not a FEN, or no game can be played from its position.
///
/// The message names the fault. For a fault in the spelling it also names the column, counted in bytes from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FenError {
    offset: usize,
    reason: Reason,
}

impl FenError {
    pub(super) fn new(offset: usize, reason: Reason) -> Self {
        Self { offset, reason }
    }

    /// Returns the error of a text that has this many more bytes before it.
    #[doc(hidden)]
    pub fn moved(self, by: usize) -> Self {
        Self { offset: self.offset + by, ..self }
    }

    /// Returns the error with another place.
    pub(super) fn at(self, offset: usize) -> Self {
        Self { offset, ..self }
    }

    /// Whether the side that has just moved is in check.
    pub(super) fn is_opposite_check(&self) -> bool {
        matches!(self.reason, Reason::Position(PositionError::OppositeCheck(_)))
    }

    /// Returns the offset of the fault in the text, in bytes from 0; `None` if the text is well formed but its position
    /// cannot be played.
    pub fn offset(&self) -> Option<usize> {
        match self.reason {
            Reason::Position(_) => None,
            _ => Some(self.offset),
        }
    }
}

impl Display for FenError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.offset() {
            Some(offset) => write!(f, "{} (column {})", self.reason, offset + 1),
            None => self.reason.fmt(f),
        }
    }
}

impl Error for FenError {}

impl From<PositionError> for FenError {
    fn from(error: PositionError) -> Self {
        Self::new(0, Reason::Position(error))
    }
}

/// The kind of fault, without its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    NotAscii(Quote),
    Empty,
    Unknown(Quote),
    PieceLetter(u8),
    RankCount(usize),
    RankLength(Rank, usize),
    BoardOnly,
    Turn(Quote),
    CastlingLetter(u8),
    TooManyRights(Color),
    EnPassant(Quote),
    NotANumber(&'static str, Quote),
    TooLarge(&'static str, Quote),
    OpenString,
    Opcode(Quote),
    Trailing(Quote),
    SecondBoard,
    HandLetter(u8),
    OpenHand,
    TooManyMen(u32),
    PromotedSquare,
    Checks(Quote),
    Position(PositionError),
}

impl Display for Reason {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAscii(text) => write!(f, "{text} is not ASCII"),
            Self::Empty => f.write_str("the text is blank"),
            Self::Unknown(text) => write!(f, "{text} stands for an unknown position"),
            Self::PieceLetter(byte) => {
                let letter = Quote::new(&[*byte]);
                write!(f, "{letter} is not a piece (PNBRQK, pnbrqk), a digit 1 to 8 or '/'")
            }
            Self::RankCount(1) => f.write_str("there is 1 rank, not 8"),
            Self::RankCount(ranks) => write!(f, "there are {ranks} ranks, not 8"),
            Self::RankLength(rank, 1) => write!(f, "rank {rank} has 1 square, not 8"),
            Self::RankLength(rank, squares) => {
                write!(f, "rank {rank} has {squares} squares, not 8")
            }
            Self::HandLetter(byte) => {
                let letter = Quote::new(&[*byte]);
                write!(f, "{letter} is not a man in hand (PNBRQ, pnbrq)")
            }
            Self::OpenHand => f.write_str("the men in hand are not closed with ']'"),
            Self::TooManyMen(men) => write!(f, "{men} men are on the board and in hand; there may be 64"),
            Self::PromotedSquare => f.write_str("'~' follows no piece"),
            Self::Checks(text) => {
                write!(f, "the checks are {text}, not those that remain (3+3) or were given (+0+0), of 3 each")
            }
            Self::BoardOnly => f.write_str("only the board is given; add the side to move, w or b"),
            Self::Turn(text) => write!(f, "the side to move is {text}, not w or b"),
            Self::CastlingLetter(byte) => {
                let letter = Quote::new(&[*byte]);
                write!(f, "{letter} is not a castling right (K Q k q, or the file of the rook)")
            }
            Self::TooManyRights(color) => write!(f, "{color} has more than two castling rights"),
            Self::EnPassant(text) => {
                write!(f, "the en passant field is {text}, not - or a square such as e3")
            }
            Self::NotANumber(what, text) => write!(f, "the {what} is {text}, not a number"),
            Self::TooLarge(what, text) => {
                write!(f, "the {what} is {text}; the largest is {}", u32::MAX)
            }
            Self::OpenString => f.write_str("an operand is not closed with '\"'"),
            Self::Opcode(text) => write!(f, "{text} is not an EPD opcode"),
            Self::Trailing(text) => write!(f, "{text} follows where the FEN should end"),
            Self::SecondBoard => f.write_str("another board follows; give one position at a time"),
            Self::Position(error) => error.fmt(f),
        }
    }
}

/// A part of the input, quoted for a message. It is always printable and short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Quote(Box<str>);

impl Quote {
    /// The maximum length of the quoted text in bytes. Longer text is cut, so that a message stays on one line.
    const MAX_BYTES: usize = 24;

    /// Quotes the character with which a text begins, or its first byte if that is no character.
    pub(super) fn of_char(text: &[u8]) -> Self {
        match first_char(text).filter(|char| !char.is_control()) {
            Some(char) => Self(format!("'{char}'").into()),
            None => Self::new(&text[..text.len().min(1)]),
        }
    }

    pub(super) fn new(text: &[u8]) -> Self {
        let (shown, more) = match text.get(..Self::MAX_BYTES) {
            Some(start) if text.len() > Self::MAX_BYTES => (start, "…"),
            _ => (text, ""),
        };
        Self(format!("'{}{more}'", shown.escape_ascii()).into())
    }
}

impl Display for Quote {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A parse error inside the grammar. Its place is given by the text that was left to parse.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault<'a> {
    rest: &'a [u8],
    /// `None` if a combinator failed by itself, which happens if text follows that no production accepts.
    reason: Option<Reason>,
}

impl<'a> Fault<'a> {
    /// Returns a parse error at `rest` that stops the parser: no alternative is tried.
    pub(super) fn at(rest: &'a [u8], reason: Reason) -> nom::Err<Self> {
        nom::Err::Failure(Self { rest, reason: Some(reason) })
    }

    /// Returns the error with its place in `text`, for the caller of the parser.
    pub(super) fn in_text(self, text: &[u8]) -> FenError {
        let (rest, reason) = match self.reason {
            Some(reason) => (self.rest, reason),
            None => (self.rest.trim_ascii_start(), Reason::Trailing(Quote::new(self.rest.trim_ascii_start()))),
        };
        FenError::new(text.len() - rest.len(), reason)
    }
}

impl<'a> ParseError<&'a [u8]> for Fault<'a> {
    fn from_error_kind(rest: &'a [u8], _: ErrorKind) -> Self {
        Self { rest, reason: None }
    }

    fn append(_: &'a [u8], _: ErrorKind, other: Self) -> Self {
        other
    }
}
