//! Parsers for the words of a record and the blanks between them, and the result types of the grammar.

use nom::bytes::complete::{take_till, take_while1};
use nom::{IResult, Parser};

use crate::fen::error::Fault;
use crate::fen::repair::{Oddities, Oddity};

/// The result of a production: the remaining text and a value, or the fault.
pub(super) type Parsed<'a, T> = IResult<&'a [u8], T, Fault<'a>>;

/// The result of the production of a field: its value and the deviations of its text.
pub(super) type Field<'a, T> = Parsed<'a, (T, Oddities)>;

/// Parses the separator before a field, and the field. A separator other than one space is a deviation.
pub(super) fn separated<'a, T>(
    field: impl Parser<&'a [u8], Output = (T, Oddities), Error = Fault<'a>>,
) -> impl Parser<&'a [u8], Output = (T, Oddities), Error = Fault<'a>> {
    (take_while1(is_blank), field).map(|(blanks, (value, repairs)): (&[u8], _)| {
        let underscores = Oddity::Underscores.when(blanks.contains(&b'_'));
        let odd = Oddity::Blanks.when(blanks != b" " && blanks != b"_");
        (value, repairs | underscores | odd)
    })
}

/// Parses the bytes up to the next blank.
pub(super) fn word(input: &[u8]) -> Parsed<'_, &[u8]> {
    take_till(is_blank).parse(input)
}

/// Whether a byte is a blank. The underscore is one, because it replaces blanks in web addresses, and so are NUL and
/// SUB, which stand at the end of lines of old files.
pub(super) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0b' | b'\x0c' | b'_' | b'\0' | b'\x1A')
}
