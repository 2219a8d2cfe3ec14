//! Parses the third field of a FEN, the castling rights (PGN standard §16.1.3.3, X-FEN, Shredder-FEN).

use nom::Parser;

use crate::board::Board;
use crate::castling::{CastlingRights, CastlingSide};
use crate::fen::error::{Fault, Reason};
use crate::fen::fields::{Field, word};
use crate::fen::repair::{Oddities, Oddity};
use crate::piece::{Color, Role};
use crate::square::{File, Square};

/// `<castling> ::= - | <right> { <right> }`, upper case for White.
///
/// `K` and `Q` mean the outermost rook on that side of the king, `A` to `H` the rook on that file. The rights may stand
/// in any order. The order without a repair is White before Black and `K` before `Q`.
pub(super) fn castling<'a>(
    board: &Board,
) -> impl Parser<&'a [u8], Output = (CastlingRights, Oddities), Error = Fault<'a>> {
    move |input: &'a [u8]| -> Field<'a, CastlingRights> {
        let (rest, text) = word(input)?;
        if text == b"-" {
            return Ok((rest, (CastlingRights::NONE, Oddities::NONE)));
        }
        let mut rights = CastlingRights::NONE;
        let mut oddities = Oddities::NONE;
        let mut last_place = 0;
        for (offset, &letter) in text.iter().enumerate() {
            let place = &input[offset..];
            let Some((color, right)) = right(letter) else {
                return Err(Fault::at(place, Reason::CastlingLetter(letter)));
            };
            let rook = match right {
                Right::Side(side) => outermost_rook(board, color, side),
                Right::File(file) => Square::new(file, color.back_rank()),
            };
            let out_of_order = rights.contains(rook) || right.place(color) < last_place;
            oddities |= Oddity::CastlingOrder.when(out_of_order);
            last_place = right.place(color);
            rights = rights.with(rook);
            if rights.of(color).rooks().count() > 2 {
                return Err(Fault::at(place, Reason::TooManyRights(color)));
            }
        }
        Ok((rest, (rights, oddities)))
    }
}

#[derive(Clone, Copy)]
enum Right {
    Side(CastlingSide),
    File(File),
}

impl Right {
    /// Returns the position of the right in the standard order. Rights written as files have no order among themselves.
    fn place(self, color: Color) -> u8 {
        color.pick(0, 3)
            + match self {
                Self::Side(CastlingSide::King) => 0,
                Self::File(_) => 1,
                Self::Side(CastlingSide::Queen) => 2,
            }
    }
}

fn right(letter: u8) -> Option<(Color, Right)> {
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    let right = match letter.to_ascii_lowercase() {
        b'k' => Right::Side(CastlingSide::King),
        b'q' => Right::Side(CastlingSide::Queen),
        file => Right::File(File::from_char(file.into())?),
    };
    Some((color, right))
}

/// Returns the square of the rook that `K` or `Q` means, beside the king that may castle. If there is no such rook, it
/// returns the corner square, so that the check of the position reports it.
fn outermost_rook(board: &Board, color: Color, side: CastlingSide) -> Square {
    let rooks = board.by_piece(Role::Rook.of(color)) & color.back_rank().into();
    let beside = |&rook: &Square| board.castling_king(color).is_some_and(|king| CastlingSide::of(king, rook) == side);
    let (rook, corner) = match side {
        CastlingSide::King => (rooks.last(), File::H),
        CastlingSide::Queen => (rooks.first(), File::A),
    };
    rook.filter(beside).unwrap_or(Square::new(corner, color.back_rank()))
}

#[cfg(test)]
mod tests {
    use crate::fen::read;

    #[test]
    fn rights_out_of_their_order_are_read_with_a_repair() {
        for (rights, is_in_order) in [
            ("KQkq", true),
            ("Kq", true),
            ("Qk", true),
            ("HAha", true),
            ("AHah", true),
            ("QKkq", false),
            ("KQqk", false),
            ("kqKQ", false),
            ("kK", false),
            ("KK", false),
        ] {
            let reading = read(format!("r3k2r/8/8/8/8/8/8/R3K2R w {rights} - 0 1").as_bytes()).expect(rights);
            assert_eq!(reading.repairs.is_empty(), is_in_order, "{rights}: {}", reading.repairs);
        }
    }
}
