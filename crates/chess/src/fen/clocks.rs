//! Parses the last two fields of a FEN, and the EPD operations that may stand in their place (PGN standard §16.1.3.5,
//! §16.1.3.6, §16.2).

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{take_till, take_till1, take_while};
use nom::character::complete::char;
use nom::multi::many0_count;
use nom::sequence::{preceded, terminated};

use crate::fen::error::{Fault, Quote, Reason};
use crate::fen::fields::{Field, Parsed, is_blank, separated};
use crate::fen::repair::{Oddities, Oddity};

/// The two counters of a position: the halfmove clock and the fullmove number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clocks {
    pub(super) halfmoves: u32,
    pub(super) fullmoves: u32,
}

const HALFMOVES: &str = "halfmove clock";
const FULLMOVES: &str = "fullmove number";

/// `<clocks> ::= [ <halfmove clock> [ <fullmove number> ] ] { <operation> }`.
///
/// A halfmove clock that is given neither as a field nor as an operation is 0; such a fullmove number is 1.
pub(super) fn clocks(input: &[u8]) -> Field<'_, Clocks> {
    let (input, (halfmoves, spacing)) = clock(HALFMOVES, input)?;
    let (input, (fullmoves, more_spacing)) = clock(FULLMOVES, input)?;
    let (input, (Operands { hmvc, fmvn }, operating)) = operations(input)?;

    let (halfmoves, fullmoves) = (halfmoves.or(hmvc), fullmoves.or(fmvn));
    let missing = Oddity::MissingClocks.when(halfmoves.is_none() || fullmoves.is_none());
    let zero = Oddity::FullmoveZero.when(fullmoves == Some(0));
    let clocks = Clocks { halfmoves: halfmoves.unwrap_or(0), fullmoves: fullmoves.unwrap_or(1).max(1) };
    Ok((input, (clocks, spacing | more_spacing | operating | missing | zero)))
}

/// Parses a clock; it is `None` if the record ends here or continues with EPD operations.
fn clock<'a>(name: &'static str, input: &'a [u8]) -> Field<'a, Option<u32>> {
    if input.is_empty() || operations_follow(input) {
        return Ok((input, (None, Oddities::NONE)));
    }
    separated(number(name).map(|n| (Some(n), Oddities::NONE))).parse(input)
}

/// Parses a decimal number of 32 bits that ends at a blank or a semicolon.
fn number<'a>(name: &'static str) -> impl Parser<&'a [u8], Output = u32, Error = Fault<'a>> {
    move |input: &'a [u8]| {
        let (rest, digits) = take_till(|byte| is_blank(byte) || byte == b';').parse(input)?;
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return Err(Fault::at(input, Reason::NotANumber(name, Quote::new(digits))));
        }
        let add = |n: u32, digit: &u8| n.checked_mul(10)?.checked_add(u32::from(digit - b'0'));
        match digits.iter().try_fold(0, add) {
            Some(n) => Ok((rest, n)),
            None => Err(Fault::at(input, Reason::TooLarge(name, Quote::new(digits)))),
        }
    }
}

/// Whether EPD operations follow: the text begins with an opcode or a stray semicolon, and a semicolon ends an
/// operation. Without a semicolon, a word in the place of a number is an error.
fn operations_follow(input: &[u8]) -> bool {
    let first = input.iter().find(|&&byte| !is_blank(byte));
    first.is_some_and(|&byte| byte == b';' || byte.is_ascii_alphabetic()) && input.contains(&b';')
}

/// The clocks that EPD operations set.
#[derive(Clone, Copy, Default)]
struct Operands {
    hmvc: Option<u32>,
    fmvn: Option<u32>,
}

/// `<operations> ::= { <operation> ; }` (§16.2.4, §16.2.5). The last semicolon may be missing. Extra semicolons are
/// accepted: lists of perft counts begin with one.
fn operations(input: &[u8]) -> Field<'_, Operands> {
    if !operations_follow(input) {
        return Ok((input, (Operands::default(), Oddities::NONE)));
    }
    let (mut rest, _) = gap(input)?;
    let mut operands = Operands::default();
    let mut oddities = Oddities::from(Oddity::Operations);
    while !rest.is_empty() {
        let is_known;
        (rest, is_known) = operation(rest, &mut operands)?;
        oddities |= Oddity::OddOperations.when(!is_known);
        (rest, _) = gap(rest)?;
    }
    Ok((rest, (operands, oddities)))
}

/// `<operation> ::= <opcode> { <operand> }`. Returns whether the opcode is a known one.
fn operation<'a>(input: &'a [u8], operands: &mut Operands) -> Parsed<'a, bool> {
    let (rest, opcode) = opcode(input)?;
    let clock = match opcode {
        b"hmvc" => Some((HALFMOVES, &mut operands.hmvc)),
        b"fmvn" => Some((FULLMOVES, &mut operands.fmvn)),
        _ => None,
    };
    let mut rest = rest;
    if let Some((name, operand)) = clock {
        let n;
        (rest, n) = preceded(blanks, number(name)).parse(rest)?;
        *operand = Some(n);
    }
    let (rest, _) = many0_count(alt((string, bare))).parse(rest)?;
    Ok((rest, is_known_opcode(opcode)))
}

const OPCODES: &str = "acd acn acs am bm ce dm draw eco fmvn hmvc id nic noop pm pv rc resign sm tcgs tcri tcsi";

/// Whether an opcode is one of the standard (§16.2.5), or `D1`, `D2` and so on, the counts of perft. The underscore in
/// `draw_offer` and similar opcodes is read as a blank.
pub fn is_known_opcode(opcode: &[u8]) -> bool {
    match opcode {
        [b'c' | b'v', b'0'..=b'9'] => true,
        [b'D', depth @ ..] => !depth.is_empty() && depth.iter().all(u8::is_ascii_digit),
        _ => OPCODES.split(' ').any(|known| known.as_bytes() == opcode),
    }
}

/// `<opcode> ::= <letter> { <letter> | <digit> }`.
fn opcode(input: &[u8]) -> Parsed<'_, &[u8]> {
    let (rest, text) = take_till(|byte| is_blank(byte) || byte == b';').parse(input)?;
    match text {
        [b'a'..=b'z' | b'A'..=b'Z', more @ ..] if more.iter().all(u8::is_ascii_alphanumeric) => Ok((rest, text)),
        _ => Err(Fault::at(input, Reason::Opcode(Quote::new(text)))),
    }
}

/// `<operand> ::= " { <any byte but the quote> } "`. A semicolon in it is text, and there are no escapes.
fn string(input: &[u8]) -> Parsed<'_, &[u8]> {
    let (rest, _) = char('"').parse(input)?;
    match terminated(take_till(|byte| byte == b'"'), char('"')).parse(rest) {
        Err(nom::Err::Error(_)) => Err(Fault::at(input, Reason::OpenString)),
        string => string,
    }
}

/// Operands without quotes, and the blanks between operands.
fn bare(input: &[u8]) -> Parsed<'_, &[u8]> {
    take_till1(|byte| byte == b'"' || byte == b';').parse(input)
}

/// The characters between operations.
fn gap(input: &[u8]) -> Parsed<'_, &[u8]> {
    take_while(|byte| is_blank(byte) || byte == b';').parse(input)
}

fn blanks(input: &[u8]) -> Parsed<'_, &[u8]> {
    take_while(is_blank).parse(input)
}

#[cfg(test)]
mod tests {
    use super::{Clocks, clocks, is_known_opcode};

    /// Checks the clocks that a text gives. `None` stands for a text that has a fault.
    #[track_caller]
    fn check(text: &str, expected: Option<(u32, u32)>) {
        let read = clocks(text.as_bytes()).ok().map(|(_, (Clocks { halfmoves, fullmoves }, _))| (halfmoves, fullmoves));
        assert_eq!(read, expected, "{text}");
    }

    #[test]
    fn an_opcode_is_a_letter_with_letters_and_digits() {
        check(" hmvc 5; fmvn 7;", Some((5, 7)));
        check(" x1 y; fmvn 7;", Some((0, 7)));
        check(" x-1 y; fmvn 7;", None);
        check(" fmvn 7; 1x y;", None);
        check(" hmvc x;", None);
        check(" ;; hmvc 5; id \"a; b\" c", Some((5, 1)));
        check(" id \"a; b", None);
    }

    #[test]
    fn the_opcodes_of_the_standard_are_known() {
        for opcode in ["bm", "tcsi", "acd", "c0", "c9", "v0", "D1", "D12"] {
            assert!(is_known_opcode(opcode.as_bytes()), "{opcode}");
        }
        for opcode in ["", "bm ", "b", "c", "ca", "c10", "w0", "D", "Dx", "D1x", "d1", "BM"] {
            assert!(!is_known_opcode(opcode.as_bytes()), "{opcode}");
        }
    }
}
