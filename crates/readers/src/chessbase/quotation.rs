//! Games that are quoted in a comment: their players, their event and their result. Their moves are not read.

use std::io::Write;

use crate::chessbase::entry::Date;
use crate::chessbase::tags::result_text;
use crate::chessbase::texts::{Place, Texts};

/// Appends the players, the event and the result of a quoted game, as far as they can be read.
pub(super) fn quotation(data: &[u8], texts: &Texts, comment: &mut Vec<u8>) {
    let start = comment.len();
    if write(data, texts, comment).is_none() {
        comment.truncate(start);
    }
}

/// Writes `Karpov-Kasparov 1-0 (Moscow 1984)`. The data is: its size, its kind, the size of a starting position and the
/// position; the names of the players; their ratings and the ECO code; the event and its site; its date, kind, country,
/// category and rounds; the round; the result.
fn write(data: &[u8], texts: &Texts, comment: &mut Vec<u8>) -> Option<()> {
    let start = usize::from(u16::from_be_bytes([*data.get(4)?, *data.get(5)?]));
    let mut rest = data.get(6 + start..)?;
    let (white, black) = (text(&mut rest)?, text(&mut rest)?);
    rest = rest.get(6..)?;
    let (event, site) = (text(&mut rest)?, text(&mut rest)?);
    let (date, rest) = rest.split_first_chunk::<4>()?;
    let (year, ..) = Date(u32::from_be_bytes(*date)).fields();
    let result = *rest.get(10)?;
    if !comment.is_empty() {
        comment.push(b' ');
    }
    texts.append(white, 0, Place::Comment, comment);
    comment.push(b'-');
    texts.append(black, 0, Place::Comment, comment);
    comment.push(b' ');
    comment.extend_from_slice(result_text(result).as_bytes());
    let mut separator: &[u8] = b" (";
    for text in [event, site].into_iter().filter(|text| !text.is_empty()) {
        comment.extend_from_slice(std::mem::replace(&mut separator, b", "));
        texts.append(text, 0, Place::Comment, comment);
    }
    if year > 0 {
        comment.extend_from_slice(std::mem::replace(&mut separator, b", "));
        // Writing to memory cannot fail.
        let _ = write!(comment, "{year}");
    }
    if separator == b", " {
        comment.push(b')');
    }
    Some(())
}

/// Takes a text, which has its length before it and a zero byte behind it.
fn text<'d>(rest: &mut &'d [u8]) -> Option<&'d [u8]> {
    let (length, behind) = rest.split_first()?;
    let (text, behind) = behind.split_at_checked(usize::from(*length))?;
    *rest = behind.get(1..)?;
    Some(text)
}
