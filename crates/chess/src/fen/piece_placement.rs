//! Parses the first field of a FEN, the board (PGN standard §16.1.3.1).

use nom::Parser;
use nom::branch::alt;
use nom::character::complete::{anychar, char};
use nom::combinator::map_opt;
use nom::multi::{fold_many0, separated_list1};

use crate::board::Board;
use crate::fen::error::{Fault, Quote, Reason};
use crate::fen::fields::{Field, Parsed, is_blank, word};
use crate::fen::repair::{Oddities, Oddity};
use crate::piece::Piece;
use crate::square::{File, Rank, Square};

/// `<piece placement> ::= <row> { / <row> }`, eight rows from the eighth rank down to the first.
pub(super) fn piece_placement(input: &[u8]) -> Field<'_, Board> {
    if let Some((rest, board)) = plain_board(input) {
        return Ok((rest, (board, Oddities::NONE)));
    }
    if let (_, text @ (b"?" | b"*" | b"-")) = word(input)? {
        return Err(Fault::at(input, Reason::Unknown(Quote::new(text))));
    }
    let (rest, rows) = separated_list1(char('/'), row).parse(input)?;
    match rest {
        [byte, ..] if !is_blank(*byte) => return Err(Fault::at(rest, Reason::PieceLetter(*byte))),
        _ if rows.len() != 8 => return Err(Fault::at(input, Reason::RankCount(rows.len()))),
        _ => {}
    }

    let mut board = Board::EMPTY;
    let mut repairs = Oddities::NONE;
    for (row, rank) in rows.into_iter().zip(Rank::ALL.into_iter().rev()) {
        if row.squares != 8 {
            return Err(Fault::at(row.start, Reason::RankLength(rank, row.squares)));
        }
        for (piece, file) in row.men.into_iter().zip(File::ALL) {
            if let Some(piece) = piece {
                board.set(Square::new(file, rank), piece);
            }
        }
        repairs |= Oddity::AdjacentDigits.when(row.adjacent_digits);
    }
    Ok((rest, (board, repairs)))
}

/// Reads a board in which nothing is to be reported, which takes a fraction of the time. Returns `None` for any other.
pub(super) fn plain_board(input: &[u8]) -> Option<(&[u8], Board)> {
    let mut board = Board::EMPTY;
    // The next square, and the number of the one behind the last of its rank.
    let (mut square, mut end, mut is_behind_digit) = (56u8, 64, false);
    let mut rest = input;
    while let [byte, behind @ ..] = rest {
        match BYTES[usize::from(*byte)] {
            Byte::Piece(piece) if square < end => {
                board.put(Square::wrapping(square), piece);
                (square, is_behind_digit) = (square + 1, false);
            }
            Byte::Empty(squares) if !is_behind_digit => {
                (square, is_behind_digit) = (square + squares, true);
            }
            Byte::Slash if square == end && end > 8 => (square, end, is_behind_digit) = (end - 16, end - 8, false),
            Byte::Blank => break,
            _ => return None,
        }
        rest = behind;
    }
    (square == 8 && end == 8).then_some((rest, board))
}

/// The meaning of a byte in the first field of a FEN.
#[derive(Clone, Copy)]
enum Byte {
    Piece(Piece),
    Empty(u8),
    Slash,
    Blank,
    Other,
}

static BYTES: [Byte; 256] = {
    let mut bytes = [Byte::Other; 256];
    let mut byte = 0;
    while byte < 128 {
        bytes[byte as usize] = match (byte, Piece::from_char(byte as char)) {
            (_, Some(piece)) => Byte::Piece(piece),
            (b'1'..=b'8', _) => Byte::Empty(byte - b'0'),
            (b'/', _) => Byte::Slash,
            _ if is_blank(byte) => Byte::Blank,
            _ => Byte::Other,
        };
        byte += 1;
    }
    bytes
};

/// Whether a byte can be in this field: a piece letter, a digit 1 to 8, or a slash.
pub(super) fn is_placement(byte: u8) -> bool {
    matches!(byte, b'1'..=b'8' | b'/') || Piece::from_char(byte.into()).is_some()
}

/// The pieces of one rank, which may have too few or too many squares.
struct Row<'a> {
    start: &'a [u8],
    men: [Option<Piece>; 8],
    squares: usize,
    ends_in_digit: bool,
    adjacent_digits: bool,
}

/// `<row> ::= { <piece letter> | <digit 1 to 8> }`.
fn row(input: &[u8]) -> Parsed<'_, Row<'_>> {
    let empty = || Row { start: input, men: [None; 8], squares: 0, ends_in_digit: false, adjacent_digits: false };
    fold_many0(alt((gap, man)), empty, Row::append).parse(input)
}

#[derive(Clone, Copy)]
enum Item {
    Man(Piece),
    Gap(usize),
}

fn man(input: &[u8]) -> Parsed<'_, Item> {
    map_opt(anychar, Piece::from_char).map(Item::Man).parse(input)
}

fn gap(input: &[u8]) -> Parsed<'_, Item> {
    map_opt(anychar, Rank::from_char).map(|digit| Item::Gap(digit.index() + 1)).parse(input)
}

impl Row<'_> {
    fn append(mut self, item: Item) -> Self {
        match item {
            Item::Man(piece) => {
                if let Some(place) = self.men.get_mut(self.squares) {
                    *place = Some(piece);
                }
                self.squares += 1;
                self.ends_in_digit = false;
            }
            Item::Gap(squares) => {
                self.squares += squares;
                self.adjacent_digits |= self.ends_in_digit;
                self.ends_in_digit = true;
            }
        }
        self
    }
}
