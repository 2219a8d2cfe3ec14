//! Reads the operations of an EPD record one after another (PGN standard §16.2.4).

use crate::fen::clocks::is_known_opcode;
use crate::fen::fields::is_blank;

/// An operation of an EPD record: an opcode, and its operands up to the semicolon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Operation<'a> {
    /// The opcode, such as `bm`. It is empty if the text is not an operation.
    pub opcode: &'a [u8],
    /// The operands as they are written, without the blanks around them: `Nf3 Nc3`, `"WAC.001"`.
    pub operands: &'a [u8],
    /// The start of the operation in the record, in bytes.
    pub offset: usize,
    /// The fault of the operation, if it has one.
    pub fault: Option<OperationFault>,
}

/// A fault of an EPD operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OperationFault {
    /// The text does not begin with an opcode: a letter, then letters, digits and underscores.
    NoOpcode,
    /// A colon stands behind the opcode. It is left out.
    Colon,
    /// A quote is never closed. The operands end at the next semicolon.
    OpenString,
    /// No semicolon ends the only operation of the record.
    NoSemicolon,
}

/// The operations of an EPD record, in order: see [`operations`].
#[derive(Clone, Debug)]
pub struct Operations<'a> {
    record: &'a [u8],
    at: usize,
    /// Whether `_` stands for blanks.
    has_underscores: bool,
    /// Whether a semicolon ends an operation of the record.
    has_semicolon: bool,
}

/// Returns the operations that stand behind the fields of an EPD record, or of a FEN. The fields are not checked.
///
/// A semicolon within quotes is text. The last semicolon may be missing. In a string, `\"` is a quote, as some programs
/// write it, unless the string ends there: EPD itself has no escapes. A text behind the fields that is a remark rather
/// than an operation gives none.
///
/// ```
/// use pgn2fen_chess::fen::operations;
///
/// let record = b"4k3/8/8/8/8/8/4P3/4K3 w - - bm Kd2 Kf2; id \"a; b\"; acd 20;";
/// let read: Vec<_> = operations(record).map(|operation| (operation.opcode, operation.value())).collect();
/// assert_eq!(read, [(&b"bm"[..], &b"Kd2 Kf2"[..]), (b"id", b"a; b"), (b"acd", b"20")]);
/// ```
#[inline]
pub fn operations(record: &[u8]) -> Operations<'_> {
    if ends_with_fields(record) {
        return Operations { record, at: record.len(), has_underscores: false, has_semicolon: false };
    }
    behind_fields(record)
}

#[inline(never)]
fn behind_fields(record: &[u8]) -> Operations<'_> {
    let at = first_operation(record).unwrap_or(record.len());
    Operations {
        record,
        at,
        has_underscores: record.iter().find(|byte| is_blank(**byte)) == Some(&b'_'),
        has_semicolon: record[at..].contains(&b';'),
    }
}

impl<'a> Operation<'a> {
    /// Returns the operands, without quotes if there is only one, a string.
    pub fn value(&self) -> &'a [u8] {
        match self.operands {
            [b'"', rest @ ..] => match string_end(rest) {
                Some(end) if end + 1 == rest.len() => &rest[..end],
                Some(_) => self.operands,
                // The quote is never closed.
                None => rest,
            },
            operands => operands,
        }
    }
}

impl Operations<'_> {
    /// Returns the place of the next operation in the record, in bytes. Before the first one, it is the end of the
    /// fields.
    #[doc(hidden)]
    pub fn offset(&self) -> usize {
        self.at
    }
}

impl<'a> Iterator for Operations<'a> {
    type Item = Operation<'a>;

    fn next(&mut self) -> Option<Operation<'a>> {
        let gap = |byte: &&u8| is_space(**byte) || **byte == b';' || self.has_underscores && **byte == b'_';
        self.at += self.record[self.at..].iter().take_while(gap).count();
        let text = &self.record[self.at..];
        if text.is_empty() {
            return None;
        }
        let offset = self.at;
        let ends_word = |byte: &u8| is_space(*byte) || *byte == b';' || self.has_underscores && *byte == b'_';
        let word = &text[..text.iter().position(ends_word).unwrap_or(text.len())];
        let opcode = word.strip_suffix(b":").unwrap_or(word);
        if !is_opcode(opcode) {
            let end = text.iter().position(|byte| *byte == b';').unwrap_or(text.len());
            self.at += end;
            let fault = Some(OperationFault::NoOpcode);
            return Some(Operation { opcode: &[], operands: trimmed(&text[..end]), offset, fault });
        }
        let (end, is_open) = operation_end(text, word.len());
        self.at += end;
        let fault = if is_open {
            Some(OperationFault::OpenString)
        } else if opcode.len() < word.len() {
            Some(OperationFault::Colon)
        } else {
            (!self.has_semicolon).then_some(OperationFault::NoSemicolon)
        };
        Some(Operation { opcode, operands: trimmed(&text[word.len()..end]), offset, fault })
    }
}

/// Whether a record ends with its fields, as nearly all records without operations do. The text from the side to move
/// on is looked at from its end, and the board only for blanks.
#[inline]
fn ends_with_fields(record: &[u8]) -> bool {
    let mut rest = record;
    for _ in 0..2 {
        let digits = rest.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        match &rest[..rest.len() - digits] {
            [before @ .., b' '] if digits > 0 => rest = before,
            _ => break,
        }
    }
    let ([rest @ .., b' ', b'-'] | [rest @ .., b' ', b'a'..=b'h', b'3' | b'6']) = rest else {
        return false;
    };
    let rights = rest.iter().rev().take_while(|byte| !is_blank(**byte)).take(5).count();
    let (rest, rights) = rest.split_at(rest.len() - rights);
    // The side to move stands behind the board. Operands that look like fields stand behind blanks.
    let [board @ .., b' ', b'w' | b'b', b' '] = rest else {
        return false;
    };
    board.last().is_some_and(u8::is_ascii_alphanumeric)
        // All bytes are looked at, several at once. What is no blank after all is left to the long way.
        && !board.iter().fold(false, |found, byte| found | (*byte <= b' ' || *byte == b'_'))
        && (rights == b"-" || rights.iter().all(|byte| b"KQkq".contains(byte)))
}

/// Returns the place of the first operation of a record, in bytes.
fn first_operation(record: &[u8]) -> Option<usize> {
    let mut at = record.iter().position(|byte| is_blank(*byte))?;
    let mut word: &[u8];
    let next = |at: &mut usize| {
        *at += record[*at..].iter().take_while(|byte| is_blank(**byte)).count();
        let rest = &record[*at..];
        &rest[..rest.iter().position(|byte| is_blank(*byte) || *byte == b';').unwrap_or(rest.len())]
    };
    word = next(&mut at);
    if !matches!(word, b"w" | b"b" | b"W" | b"B") {
        return None;
    }
    at += 1;
    word = next(&mut at);
    if word == b"-" || is_castling(word) && !is_known_opcode(word) {
        at += word.len();
        word = next(&mut at);
    }
    // `c3` and `c6` are also opcodes, of comments. Then a string follows.
    let is_comment = || record[at + word.len()..].trim_ascii_start().starts_with(b"\"");
    if matches!(word, b"-" | [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8']) && !is_comment() {
        at += word.len();
        word = next(&mut at);
    }
    for _ in 0..2 {
        let is_clock = !word.is_empty() && word.iter().all(u8::is_ascii_digit) || matches!(word, b"-" | b"?");
        if is_clock {
            at += word.len();
            word = next(&mut at);
        }
    }
    if record[at..].is_empty() {
        return None;
    }
    let marks = record[at..].iter().take_while(|byte| **byte == b';').count();
    if marks > 0 {
        at += marks;
        word = next(&mut at);
        // Behind a semicolon there may be a remark.
        return is_known_opcode(word).then_some(at);
    }
    let is_name = word.first().is_some_and(u8::is_ascii_alphabetic) && word != b"moves";
    (is_known_opcode(word) || is_name && record[at..].contains(&b';')).then_some(at)
}

fn is_castling(word: &[u8]) -> bool {
    !word.is_empty() && word.iter().all(|byte| b"KQkqABCDEFGHabcdefgh".contains(byte))
}

/// `<opcode> ::= <letter> { <letter> | <digit> | _ }`.
fn is_opcode(word: &[u8]) -> bool {
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    word.first().is_some_and(u8::is_ascii_alphabetic) && word.iter().all(is_of_name)
}

/// Returns the end of the operation at the start of a text, and whether a quote in it is never closed. `from` is the
/// end of its opcode.
fn operation_end(text: &[u8], from: usize) -> (usize, bool) {
    let mut at = from;
    while let Some(step) = text[at..].iter().position(|byte| matches!(byte, b';' | b'"')) {
        at += step;
        if text[at] == b';' {
            return (at, false);
        }
        // A quote within a word is a character like others.
        if !is_space(text[at - 1]) {
            at += 1;
            continue;
        }
        match string_end(&text[at + 1..]) {
            Some(end) => at += end + 2,
            None => {
                let end = text[at..].iter().position(|byte| *byte == b';').map_or(text.len(), |length| at + length);
                return (end, true);
            }
        }
    }
    (text.len(), false)
}

/// Returns the place of the quote that closes a string.
fn string_end(text: &[u8]) -> Option<usize> {
    let first = text.iter().position(|byte| *byte == b'"')?;
    if !text[..first].ends_with(b"\\") {
        return Some(first);
    }
    // The quote may be escaped. Then something that ends an operand stands behind the one that closes the string.
    let (mut at, mut escaped) = (0, None);
    while let Some(step) = text[at..].iter().position(|byte| matches!(byte, b'\\' | b'"')) {
        at += step;
        if text[at] == b'"' {
            escaped = Some(at);
            break;
        }
        at = (at + 2).min(text.len());
    }
    escaped.filter(|end| text.get(end + 1).is_none_or(|byte| is_space(*byte) || *byte == b';')).or(Some(first))
}

fn is_space(byte: u8) -> bool {
    is_blank(byte) && byte != b'_'
}

fn trimmed(text: &[u8]) -> &[u8] {
    text.trim_ascii()
}

#[cfg(test)]
mod tests {
    use super::{OperationFault, operations};

    const FIELDS: &str = "r3k2r/8/8/8/4P3/8/8/R3K2R w KQkq -";

    /// Compares the operations behind the fields as `opcode=value`, with `!` and the fault behind a faulty one.
    #[track_caller]
    fn check(rest: &str, expected: &[&str]) {
        let record = format!("{FIELDS}{rest}");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let read: Vec<String> = operations(record.as_bytes())
            .map(|operation| {
                let fault = operation.fault.map(|fault| format!("!{fault:?}")).unwrap_or_default();
                format!("{}={}{fault}", text(operation.opcode), text(operation.value()))
            })
            .collect();
        assert_eq!(read, expected, "{rest}");
    }

    #[test]
    fn operations_stand_behind_the_fields() {
        check(" bm Nf3; id \"x\";", &["bm=Nf3", "id=x"]);
        check(" bm Nf3 Nc3;am  e4 ;", &["bm=Nf3 Nc3", "am=e4"]);
        check(" 5 39 hmvc 7; c0 \"\"; noop;", &["hmvc=7", "c0=", "noop="]);
        check(" 5 bm e4", &["bm=e4!NoSemicolon"]);
        check(" bm e4; ce 20", &["bm=e4", "ce=20"]);
        check(" 0 1 ;D1 20 ;D2 400", &["D1=20", "D2=400"]);
        check(" draw_offer; foo a b;", &["draw_offer=", "foo=a b"]);
        check("", &[]);
        check(" 0 1", &[]);
        check(" 5", &[]);
    }

    #[test]
    fn an_operation_whose_operands_end_like_fields_is_read() {
        check(" noop K -", &["noop=K -!NoSemicolon"]);
        check(" noop a b xyz -", &["noop=a b xyz -!NoSemicolon"]);
        check(" id a w KQ -", &["id=a w KQ -!NoSemicolon"]);
        check(" bm Ka1; c0 from 8/8/8/8/8/8/4k3/K7 w - - 0 1", &["bm=Ka1", "c0=from 8/8/8/8/8/8/4k3/K7 w - - 0 1"]);
        check(" bm Ka1; c0 a\tw - -", &["bm=Ka1", "c0=a\tw - -"]);
        check(" bm Ka1; c0\tK7 w - -", &["bm=Ka1", "c0=K7 w - -"]);
        check(" foo a b;", &["foo=a b"]);
    }

    #[test]
    fn fields_may_be_missing() {
        let first = |record: &str| operations(record.as_bytes()).next().map(|read| read.opcode.to_vec());
        for fields in ["w", "w KQkq", "w KQ", "b -", "w - e3", "w HAha - 0", "w 5 39"] {
            for opcode in ["ce", "acd", "bm"] {
                let record = format!("r3k2r/8/8/8/4P3/8/8/R3K2R {fields} {opcode} 1;");
                assert_eq!(first(&record).as_deref(), Some(opcode.as_bytes()), "{record}");
            }
        }
        assert_eq!(first("r3k2r/8/8/8/4P3/8/8/R3K2R w KQkq c3 bm e4;"), Some(b"bm".to_vec()));
        assert_eq!(first("r3k2r/8/8/8/4P3/8/8/R3K2R w KQkq c3 \"a note\"; bm e4;"), Some(b"c3".to_vec()));
        assert_eq!(first("r3k2r/8/8/8/4P3/8/8/R3K2R_w_-_-_bm_e4;"), Some(b"bm".to_vec()));
        assert_eq!(first("r3k2r/8/8/8/4P3/8/8/R3K2R bm e4;"), None);
        assert_eq!(first("r3k2r/8/8/8/4P3/8/8/R3K2R w foo 1;"), Some(b"foo".to_vec()));
        assert_eq!(first("r3k2r/8/8/8/4P3/8/8/R3K2R w  -"), None);
        assert_eq!(first("r3k2r/8/8/8/4P3/8/8/R3K2R w bm c3"), Some(b"bm".to_vec()));
    }

    #[test]
    fn a_remark_is_no_operation() {
        for remark in
            [" # note; x", ";20", " ;20", " ; a note", " [0.5] 20;", " e2e4", " 1-0;", " moves e2e4; x", " and more"]
        {
            check(&format!(" 5 39{remark}"), &[]);
        }
    }

    #[test]
    fn strings_end_at_a_quote() {
        check(" id \"a; b\" \"c\"; c0 \"d\";", &["id=\"a; b\" \"c\"", "c0=d"]);
        check(" c0 \"say \\\"hi\\\"; no\"; id \"x\";", &["c0=say \\\"hi\\\"; no", "id=x"]);
        check(" id \"C:\\\"; c0 \"x\";", &["id=C:\\", "c0=x"]);
        check(" id \"C:\\\";", &["id=C:\\"]);
        check(" id \"x; bm e4;", &["id=x!OpenString", "bm=e4"]);
        check(" bm #5; x 13'57\" (G); id \"y\";", &["bm=#5", "x=13'57\" (G)", "id=y"]);
    }

    #[test]
    fn what_is_no_operation_is_told_and_the_others_are_read() {
        check(
            " bm #2; O-O; Duals(4); 00:00; Defence; PV: e2e4 e7e5;",
            &["bm=#2", "=O-O!NoOpcode", "=Duals(4)!NoOpcode", "=00:00!NoOpcode", "Defence=", "PV=e2e4 e7e5!Colon"],
        );
        let record = format!("{FIELDS} bm #2; 5 x;");
        let fault = operations(record.as_bytes()).nth(1).unwrap();
        assert_eq!((fault.fault, &record[fault.offset..]), (Some(OperationFault::NoOpcode), "5 x;"));
    }

    #[test]
    fn the_place_of_the_next_operation_is_told() {
        for (rest, expected) in [
            (" bm e4; id \"x\"; ", &[1, 6, 14, 16][..]),
            (" 5 39 ce 20", &[6, 11, 11]),
            (" 0 1 ;D1 20 ;D2 400", &[6, 12, 19, 19]),
            (" 5 39", &[5, 5]),
            (" # note", &[7, 7]),
            ("", &[0, 0]),
            (" ", &[1, 1]),
        ] {
            let record = format!("{FIELDS}{rest}");
            let mut read = operations(record.as_bytes());
            let mut places = vec![read.offset() - FIELDS.len()];
            while read.next().is_some() {
                places.push(read.offset() - FIELDS.len());
            }
            places.push(read.offset() - FIELDS.len());
            assert_eq!(places, expected, "{rest:?}");
        }
    }
}
