//! The numbers of evaluations: signs, pawns, and counts that are cut to the range of their type.

use nom::IResult;
use nom::Parser;
use nom::bytes::complete::take_while_m_n;
use nom::character::complete::{char, one_of};
use nom::combinator::opt;
use nom::sequence::preceded;

use crate::annotation::Eval;

/// `0.31`, `-12`, `.5`, `3.`, with this sign before the hundredths.
pub(super) fn pawns<'a>(point: char) -> impl Parser<&'a [u8], Output = Eval, Error = nom::error::Error<&'a [u8]>> {
    move |input: &'a [u8]| {
        let fraction = opt(preceded(char(point), digits(0, 2)));
        let (rest, (is_negative, whole, fraction)) = (sign, digits(0, 10), fraction).parse(input)?;
        let fraction = fraction.unwrap_or_default();
        if whole.is_empty() && fraction.is_empty() {
            return Err(nom::Err::Error(nom::error::Error::new(input, nom::error::ErrorKind::Digit)));
        }
        let hundredths = [whole, fraction, &b"00"[fraction.len()..]];
        Ok((rest, Eval::Centipawns(number(is_negative, hundredths.into_iter().flatten()))))
    }
}

/// Reads a sign. Returns whether it is a minus.
#[inline]
pub(super) fn sign(input: &[u8]) -> IResult<&[u8], bool> {
    match input {
        [b'+', rest @ ..] => Ok((rest, false)),
        [b'-', rest @ ..] => Ok((rest, true)),
        _ => Ok((input, false)),
    }
}

pub(super) fn digits<'a>(
    least: usize,
    most: usize,
) -> impl Parser<&'a [u8], Output = &'a [u8], Error = nom::error::Error<&'a [u8]>> {
    take_while_m_n(least, most, |byte: u8| byte.is_ascii_digit())
}

/// Returns the number, cut to the range of the type.
pub(super) fn number<'d>(is_negative: bool, digits: impl IntoIterator<Item = &'d u8>) -> i32 {
    let number = digits
        .into_iter()
        .fold(0i32, |number, digit| number.saturating_mul(10).saturating_add(i32::from(digit - b'0')));
    if is_negative { -number } else { number }
}

/// Returns a number without a sign, cut to the range of the type that holds it.
pub(super) fn count(digits: &[u8]) -> u32 {
    number(false, digits).unsigned_abs()
}

/// Returns a number without a sign, cut to the range of the type.
pub(super) fn long(digits: &[u8]) -> u64 {
    digits.iter().fold(0, |number: u64, digit| number.saturating_mul(10).saturating_add(u64::from(digit - b'0')))
}

/// `M5`, `+M5`, `-M6`: a mate in plies, as programs that let engines play matches count it. A mate in 5 or 6 plies is
/// one in 3 moves.
pub(super) fn mate_in_plies(input: &[u8]) -> IResult<&[u8], Eval> {
    // Nearly all evaluations are numbers.
    if !matches!(input, [b'M' | b'm', ..] | [b'+' | b'-', b'M' | b'm', ..]) {
        return Err(nom::Err::Error(nom::error::Error::new(input, nom::error::ErrorKind::OneOf)));
    }
    let (rest, (is_negative, plies)) = (sign, preceded(one_of("Mm"), digits(1, usize::MAX))).parse(input)?;
    let moves = number(false, plies).div_euclid(2).saturating_add(number(false, plies) % 2);
    Ok((rest, Eval::Mate(if is_negative { -moves } else { moves })))
}
