//! Reads one tag pair: a name and a value in brackets (PGN standard §8.1.1). Reads as much of a broken pair as
//! possible.

use std::borrow::Cow;

use nom::IResult;
use nom::Parser;
use nom::bytes::complete::take_while1;
use nom::character::complete::char;
use nom::sequence::{delimited, preceded};

use crate::eight_bytes;
use crate::encoding::Fallback;
use crate::lexical::{self, blanks, is_line_end, is_name, line_end, may_end_string, near};
use pgn2fen_chess::fen::OperationFault;

/// A tag value as it is written, with its escapes, in an unknown encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RawValue<'a>(pub &'a [u8]);

impl<'a> RawValue<'a> {
    /// Returns the value without its escapes `\"` and `\\` (§7). A backslash before any other character is kept.
    pub fn unescape(self) -> Cow<'a, [u8]> {
        if memchr::memchr(b'\\', self.0).is_none() {
            return Cow::Borrowed(self.0);
        }
        let mut plain = Vec::with_capacity(self.0.len());
        let mut rest = self.0;
        while let [byte, after @ ..] = rest {
            rest = after;
            match (byte, after) {
                (b'\\', [escaped @ (b'"' | b'\\'), after @ ..]) => {
                    plain.push(*escaped);
                    rest = after;
                }
                _ => plain.push(*byte),
            }
        }
        Cow::Owned(plain)
    }

    /// Returns the value as text. It is read as UTF-8, or as Windows-1252 if it is not UTF-8.
    pub fn decode(self) -> Cow<'a, str> {
        self.decode_from(&Fallback::default())
    }

    /// Returns the value as text like [`decode`](Self::decode). What is not UTF-8 is in this encoding.
    #[doc(hidden)]
    pub fn decode_from(self, encoding: &Fallback) -> Cow<'a, str> {
        match self.unescape() {
            Cow::Borrowed(bytes) => encoding.decode(bytes),
            Cow::Owned(bytes) => Cow::Owned(encoding.decode(&bytes).into_owned()),
        }
    }
}

/// Whether a text can be the name of a tag: letters, digits and `_`, of which the first is a letter or a digit
/// (§8.1.1). It has at most 255 characters (§7).
pub fn is_tag_name(text: &[u8]) -> bool {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    text.first().is_some_and(u8::is_ascii_alphanumeric) && text.len() <= 255 && text.iter().all(is_name)
}

/// Whether a name is one that tags are read with: letters, digits, `_`, and the other characters of a symbol, `+`, `#`,
/// `=`, `:` and `-`. The standard allows fewer names: [`is_tag_name`].
pub(crate) fn is_read_name(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().copied().all(is_name)
}

/// A fault that was repaired when a tag section was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagRepair {
    /// A quote inside the value has no backslash before it.
    UnescapedQuote,
    /// The closing quote is missing, or is on the next line.
    OpenValue,
    /// The value has no quotes.
    UnquotedValue,
    /// There is no value.
    MissingValue,
    /// The closing bracket is missing.
    MissingBracket,
    /// A colon or an equals sign stands behind the name.
    MarkedName,
    /// The text in brackets is not a tag pair and is skipped.
    NotATag,
    /// A tag of this name stands earlier in the game. The last value counts.
    Duplicate,
    /// Text of this length in bytes before the next pair has no meaning and is skipped.
    StrayText(usize),
    /// An operation on a line of a list of positions has a fault.
    Operation(OperationFault),
    /// An operation with this opcode stands earlier on the line of a list of positions. The last one counts.
    RepeatedOperation,
    /// There are more operations on the line of a list of positions than are read.
    TooManyOperations,
}

impl TagRepair {
    /// Returns the description of the fault, as a phrase.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::UnescapedQuote => "a quote inside the value has no backslash before it",
            Self::OpenValue => "the value has no closing quote on its line",
            Self::UnquotedValue => "the value has no quotes",
            Self::MissingValue => "the tag has no value",
            Self::MissingBracket => "the closing bracket is missing",
            Self::MarkedName => "a mark behind the name is left out",
            Self::NotATag => "this is not a tag pair and was skipped",
            Self::StrayText(_) => "it has no meaning before the moves and was skipped",
            Self::Duplicate => "the tag is given twice; the last value counts",
            Self::Operation(OperationFault::NoOpcode) => "this is not an EPD operation and was skipped",
            Self::Operation(OperationFault::Colon) => "the colon behind the opcode is left out",
            Self::Operation(OperationFault::OpenString) => "a quote is not closed; the operation ends at the semicolon",
            Self::Operation(OperationFault::NoSemicolon) => "there is no semicolon behind the operation",
            Self::Operation(_) => "the operation breaks the standard",
            Self::RepeatedOperation => "the operation is given twice; the last one counts",
            Self::TooManyOperations => "there are too many operations; the others are skipped",
        }
    }
}

/// The name and the value of a pair.
pub(crate) type Pair<'a> = (&'a [u8], RawValue<'a>);

/// Reads a tag pair in export format (§8.1.1): a name of letters, one space, and a value without escapes. [`tag_pair`]
/// would read the same pair one byte at a time.
#[inline(always)]
pub(crate) fn usual_pair(input: &[u8]) -> Option<(&[u8], Pair<'_>)> {
    let input = input.strip_prefix(b"[")?;
    let (name, rest) = input.split_at(eight_bytes::before_first(input, eight_bytes::no_letter));
    let value = rest.strip_prefix(b" \"")?;
    let (value, rest) = value.split_at(plain_content(value));
    let rest = rest.strip_prefix(b"\"]")?;
    (!name.is_empty()).then_some((rest, (name, RawValue(value))))
}

/// Reads a tag pair in export format or by the grammar, or as much as possible of a broken pair. Returns the rest, the
/// pair and the fault.
#[inline(never)]
pub(crate) fn any_pair(input: &[u8]) -> (&[u8], Option<Pair<'_>>, Option<TagRepair>) {
    if let Some((rest, pair)) = usual_pair(input) {
        return (rest, Some(pair), None);
    }
    let (rest, pair, repair) = match tag_pair(input) {
        Ok((rest, pair)) => (rest, Some(pair), None),
        Err(_) => {
            let (rest, recovered) = recover(input);
            (rest, recovered.pair, recovered.repair)
        }
    };
    // `[FEN: "…"]` has the tag FEN.
    match pair {
        Some((name, value)) if let Some(known) = without_mark(name) => {
            (rest, Some((known, value)), Some(repair.unwrap_or(TagRepair::MarkedName)))
        }
        pair => (rest, pair, repair),
    }
}

/// Returns a name without the colon or the equals sign behind it. None if there is none.
fn without_mark(name: &[u8]) -> Option<&[u8]> {
    let known = name.strip_suffix(b":").or_else(|| name.strip_suffix(b"="))?;
    is_tag_name(known).then_some(known)
}

/// `<tag-pair> ::= [ <tag-name> <tag-value> ]` (§18).
fn tag_pair(input: &[u8]) -> IResult<&[u8], (&[u8], RawValue<'_>)> {
    delimited(char('['), (preceded(blanks, tag_name), preceded(blanks, tag_value)), preceded(blanks, char(']')))
        .parse(input)
}

/// `<tag-name> ::= <identifier>`: letters, digits, the underscore, and the other characters of a symbol.
fn tag_name(input: &[u8]) -> IResult<&[u8], &[u8]> {
    take_while1(is_name).parse(input)
}

/// `<tag-value> ::= <string>`: printing characters between quotes on one line. A backslash escapes the next character
/// (§7).
fn tag_value(input: &[u8]) -> IResult<&[u8], RawValue<'_>> {
    delimited(char('"'), string_content, char('"')).parse(input)
}

fn string_content(input: &[u8]) -> IResult<&[u8], RawValue<'_>> {
    let mut end = plain_content(input);
    while let Some(&byte) = input.get(end) {
        if !may_end_string(byte) {
            end += 1;
        } else if byte == b'\\' {
            end += if matches!(input.get(end + 1), Some(b'"' | b'\\')) { 2 } else { 1 };
        } else {
            break;
        }
    }
    Ok((&input[end..], RawValue(&input[..end])))
}

/// Returns the number of bytes that are certainly in the string: up to a quote, a backslash or a control character,
/// checked in groups of eight.
fn plain_content(input: &[u8]) -> usize {
    eight_bytes::before_first(input, |bytes| {
        eight_bytes::equal(bytes, b'"') | eight_bytes::equal(bytes, b'\\') | eight_bytes::below(bytes, b' ')
    })
}

/// Whether a tag pair begins here for movetext, which must be certain: `[Name "`, or a line that consists of
/// `[Name … ]` and with which a [tag section begins](begins_tags): `[see diagram]` does not.
#[doc(hidden)]
pub fn begins_pair(text: &[u8], at: usize) -> bool {
    let head = (char('['), blanks, tag_name, blanks).parse(near(&text[at..]));
    match head {
        Ok(([b'"', ..], _)) => true,
        Ok((value, (_, _, name, gap))) => {
            let is_on_line = !gap.is_empty() && !gap.iter().any(|byte| is_line_end(*byte)) && !value.starts_with(b"[");
            let is_name = name.first().is_some_and(u8::is_ascii_alphabetic) && is_on_line;
            is_name
                && lexical::is_line_start(text, at)
                && first_line(value).trim_ascii_end().ends_with(b"]")
                && begins_tags(text, at)
        }
        Err(_) => false,
    }
}

/// The names of tags that begin a game even without quotes around the value: those of the Seven Tag Roster, and those
/// that every program writes (PGN standard §8.1.1, §9).
const KNOWN_NAMES: [&[u8]; 18] = [
    b"Event",
    b"Site",
    b"Date",
    b"Round",
    b"White",
    b"Black",
    b"Result",
    b"FEN",
    b"SetUp",
    b"Variant",
    b"ECO",
    b"WhiteElo",
    b"BlackElo",
    b"TimeControl",
    b"PlyCount",
    b"EventDate",
    b"Annotator",
    b"UTCDate",
];

/// Whether a tag section begins here, between games. A pair with a quote is certain. Without one, the pair must have a
/// known name and a value, or stand alone on its line above a pair that is certain: `[section]`, `[x] done` and
/// `[Icons](http://…)` stand in other kinds of text.
pub(crate) fn begins_tags(text: &[u8], at: usize) -> bool {
    let line = first_line(&text[at..]);
    let next = &near(&text[at..])[line.len()..];
    let next = next.strip_prefix(b"\r\n").or_else(|| next.strip_prefix(b"\n")).or_else(|| next.strip_prefix(b"\r"));
    match certain_pair(line) {
        Some(true) => true,
        Some(false) if let Ok((b"", _)) = (char('['), blanks, tag_name, blanks).parse(line) => {
            // The value stands on the next line.
            next.is_some_and(|next| next.trim_ascii_start().starts_with(b"\""))
        }
        Some(false) => {
            let is_alone = memchr::memchr(b']', line).is_some_and(|close| line[close + 1..].trim_ascii().is_empty());
            is_alone && next.is_some_and(|next| certain_pair(next) == Some(true))
        }
        // The name stands on the next line.
        None => {
            line.trim_ascii() == b"[" && next.is_some_and(|next| certain_pair(&[b"[", next].concat()) == Some(true))
        }
    }
}

/// Whether a tag pair certainly begins with this text. None if there is no name in brackets at all.
fn certain_pair(text: &[u8]) -> Option<bool> {
    let text = near(text);
    let (value, (_, _, name, gap)) = (char('['), blanks, tag_name, blanks).parse(text).ok()?;
    let is_known =
        KNOWN_NAMES.contains(&name) || [&b"FEN"[..], b"SetUp"].iter().any(|it| it.eq_ignore_ascii_case(name));
    let has_value = !gap.is_empty() && !value.is_empty() && !value.starts_with(b"]") && !value.starts_with(b"[");
    let is_quoted = value.starts_with(b"\"") || CURLY_QUOTES.iter().any(|quote| value.starts_with(quote));
    Some(is_quoted || is_known && has_value)
}

/// Returns the first line from `from` on that begins with a tag pair. The first byte of the text does not begin a line.
pub(crate) fn pair_line(text: &[u8], from: usize) -> Option<usize> {
    let brackets = memchr::memchr_iter(b'[', &text[from..]).map(|at| from + at);
    brackets.filter(|at| *at > 0 && is_line_end(text[at - 1])).find(|at| begins_pair(text, *at))
}

struct Recovered<'a> {
    pair: Option<Pair<'a>>,
    repair: Option<TagRepair>,
}

/// Reads text in the place of a tag pair that is not a tag pair by the grammar. Takes at least one byte, and at most
/// its line, unless the value goes on in the next line.
fn recover(input: &[u8]) -> (&[u8], Recovered<'_>) {
    let line = first_line(input);
    let until = |end: usize| &input[end..];
    let found = |name, value, repair| Recovered { pair: Some((name, RawValue(value))), repair: Some(repair) };
    let Ok((value, name)) = delimited((char('['), blanks), tag_name, blanks).parse(input) else {
        let end = memchr::memchr(b']', line).map_or(line.len(), |at| at + 1);
        return (until(end.max(1)), Recovered { pair: None, repair: Some(TagRepair::NotATag) });
    };
    let start = input.len() - value.len();
    // Beyond the reach, or on the next line.
    if start >= line.len() || value.starts_with(b"[") {
        return (until(start.min(line.len()).max(1)), found(name, b"", TagRepair::MissingValue));
    }
    if value.first() != Some(&b'"') {
        let close = memchr::memchr(b']', &line[start..]).map(|at| start + at);
        let text = line[start..close.unwrap_or(line.len())].trim_ascii_end();
        let repair = if text.is_empty() { TagRepair::MissingValue } else { TagRepair::UnquotedValue };
        let text = without_curly_quotes(text);
        return (until(close.map_or(line.len(), |at| at + 1)), found(name, text, repair));
    }
    if let Ok((rest, text)) = tag_value(value) {
        // The value is complete. If the line ends here, or another tag follows, only the bracket is missing.
        let close = input.len() - rest.len();
        let after = line[close.min(line.len())..].trim_ascii_start();
        if after.is_empty() || after.starts_with(b"[") {
            return (rest, found(name, text.0, TagRepair::MissingBracket));
        }
    }
    // Another pair may follow on the line. Before it, the value ends at the last quote with a bracket behind it, or
    // else at the last quote before the last bracket.
    let line = &line[..quoted_pair(line, start + 1).unwrap_or(line.len())];
    let closed = memchr::memrchr_iter(b']', line).find_map(|bracket| {
        let quote = line[..bracket].trim_ascii_end().strip_suffix(b"\"")?.len();
        (quote > start).then_some((quote, bracket))
    });
    if let Some((quote, bracket)) = closed {
        return (until(bracket + 1), found(name, &line[start + 1..quote], TagRepair::UnescapedQuote));
    }
    let bracket = memchr::memrchr(b']', line);
    let reach = &line[start + 1..bracket.unwrap_or(line.len())];
    if let Some(quote) = memchr::memrchr(b'"', reach) {
        let end = bracket.map_or(line.len(), |at| at + 1);
        return (until(end), found(name, &reach[..quote], TagRepair::UnescapedQuote));
    }
    // Without a closing quote on this line, the quote may be on the next line, with the bracket, or below a blank line.
    let next_from = (0..2).fold(line.len(), |at, _| at + break_length(&input[at..]));
    let next = first_line(&input[next_from..]);
    if let Some(quote) = next.trim_ascii_end().strip_suffix(b"]").map(<[u8]>::trim_ascii_end)
        && let Some(tail) = quote.strip_suffix(b"\"")
        && !tail.contains(&b'"')
        && !next.starts_with(b"[")
    {
        let text = &input[start + 1..next_from + tail.len()];
        return (until(next_from + next.len()), found(name, text, TagRepair::OpenValue));
    }
    let end = bracket.unwrap_or(line.len());
    let text = without_curly_end(line[start + 1..end].trim_ascii_end());
    (until((end + 1).min(line.len()).max(1)), found(name, text, TagRepair::OpenValue))
}

/// Returns the length of the line break that the text begins with; 0 if it begins with none.
fn break_length(text: &[u8]) -> usize {
    match text {
        [b'\r', b'\n', ..] => 2,
        [first, ..] if is_line_end(*first) => 1,
        _ => 0,
    }
}

/// Returns the place of the first pair with a quote, `[Name "`, from `from` on.
fn quoted_pair(line: &[u8], from: usize) -> Option<usize> {
    let is_quoted = |at: &usize| {
        let head = (char('['), blanks, tag_name, blanks).parse(&line[*at..]);
        matches!(head, Ok(([b'"', ..], _)))
    };
    memchr::memchr_iter(b'[', &line[from..]).map(|at| from + at).find(is_quoted)
}

/// The quotes that word processors and telephones write for straight ones, in UTF-8 and in Windows-1252.
const CURLY_QUOTES: [&[u8]; 8] = [
    "\u{201c}".as_bytes(),
    "\u{201d}".as_bytes(),
    "\u{201e}".as_bytes(),
    "\u{ab}".as_bytes(),
    "\u{bb}".as_bytes(),
    b"\x93",
    b"\x94",
    b"\x84",
];

/// Returns a value without the curly quote at its start, and without the curly or straight one at its end.
fn without_curly_quotes(value: &[u8]) -> &[u8] {
    match CURLY_QUOTES.iter().find_map(|quote| value.strip_prefix(*quote)) {
        Some(rest) => rest.strip_suffix(b"\"").unwrap_or_else(|| without_curly_end(rest)),
        None => value,
    }
}

fn without_curly_end(value: &[u8]) -> &[u8] {
    CURLY_QUOTES.iter().find_map(|quote| value.strip_suffix(*quote)).unwrap_or(value)
}

/// Returns the rest of the line, or the beginning of a line that is very long.
fn first_line(text: &[u8]) -> &[u8] {
    let text = near(text);
    &text[..line_end(text, 0)]
}

#[cfg(test)]
mod tests {
    use super::{TagRepair, any_pair, begins_pair, begins_tags, is_read_name, is_tag_name};
    use crate::lexical::{LOOKAHEAD, near};
    use pgn2fen_chess::fen::OperationFault;
    use std::collections::HashSet;

    #[test]
    fn curly_quotes_are_no_part_of_a_value() {
        for text in ["[White “Réti”]", "[White “Réti\"]", "[White \"Réti”]", "[White „Réti“]", "[White «Réti»]"]
        {
            let (rest, pair, repair) = any_pair(text.as_bytes());
            assert_eq!((rest, pair.unwrap().1.0, repair.is_some()), (&b""[..], "Réti".as_bytes(), true), "{text}");
        }
        for text in [&b"[White \x93Reti\x94]"[..], b"[White Reti]"] {
            assert_eq!(any_pair(text).1.unwrap().1.0, b"Reti");
        }
        // Quotes that somebody put there.
        assert_eq!(any_pair("[Event \"“Blitz”\"]".as_bytes()).1.unwrap().1.0, "“Blitz”".as_bytes());
    }

    #[test]
    fn a_pair_is_recognised_in_movetext() {
        assert!(begins_pair(b"[Event \"x\"]", 0));
        assert!(begins_pair(b"e4 [Event \"x\"]", 3));
        assert!(begins_pair(b"[FEN 8/8 w]\n", 0));
        assert!(!begins_pair(b"e4 [FEN 8/8 w]", 3));
        assert!(!begins_pair(b"[x]", 0));
        assert!(!begins_pair(b"[x\n[Event \"x\"]", 0));
        assert!(!begins_pair(b"[x [Event \"x\"]", 0));
        assert!(!begins_pair(b"[%clk 0:01]", 0));
        assert!(!begins_pair(b"[see diagram]\n2. Nf3", 0));
        assert!(begins_pair(b"[Club Mine]\n[Event \"x\"]", 0));
    }

    #[test]
    fn a_tag_section_begins_with_a_pair_that_is_certain() {
        for text in [
            "[Event \"x\"]",
            "[x \"y\"]",
            "[x\"y\"",
            "[ x \"y",
            "[x “y”]",
            "[White Réti]",
            "[White Réti",
            "[FEN 8/8 w]",
            "[fen 8/8 w]",
            "[setup 1]",
            "[x]\n[White Réti]",
            "[x] \r\n[Event \"x\"]",
            "[x]\r[Event \"x\"]",
            "[\nEvent \"x\"]",
            "[ \nEvent \"x\"]",
            "[FEN\n\"8/8 w\"]",
            "[White \r\n \"x\"",
        ] {
            assert!(begins_tags(text.as_bytes(), 0), "{text:?}");
            assert!(begins_tags(format!("1. e4 *\n{text}").as_bytes(), 8), "{text:?}");
        }
        for text in [
            "",
            "x",
            "[",
            "[]",
            "[section]",
            "[white Réti]",
            "[x y]",
            "[White]",
            "[White ]",
            "[White ",
            "[White",
            "[White [x]]",
            "[x] done\n[White Réti]",
            "[x\n[White Réti]",
            "[x]\n[y]",
            "[x]\n\n[White Réti]",
            "[Icons](http://x)",
            "[\n[Event \"x\"]",
            "[x\nEvent \"x\"]",
        ] {
            assert!(!begins_tags(text.as_bytes(), 0), "{text:?}");
        }
    }

    /// Compares the name, the value and the fault of the pair with which a text begins. It ends at `|`.
    #[track_caller]
    fn check_recovered(marked: &str, name: &str, value: &str, repair: TagRepair) {
        let text = marked.replacen('|', "", 1);
        let (rest, pair, found) = any_pair(text.as_bytes());
        let (found_name, found_value) = pair.map_or((&b""[..], &b""[..]), |(name, value)| (name, value.0));
        let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert_eq!(
            (shown(found_name), shown(found_value), found),
            (name.into(), value.into(), Some(repair)),
            "{marked}"
        );
        assert_eq!(Some(text.len() - rest.len()), marked.find('|'), "{marked}");
    }

    #[test]
    fn as_much_as_possible_of_a_broken_pair_is_read() {
        use TagRepair::{MarkedName, MissingBracket, MissingValue, NotATag, OpenValue, UnescapedQuote, UnquotedValue};
        check_recovered("[FEN: \"x\"]|", "FEN", "x", MarkedName);
        check_recovered("[FEN=\"x\"]|", "FEN", "x", MarkedName);
        check_recovered("[FEN: x]|", "FEN", "x", UnquotedValue);
        check_recovered("[]| x", "", "", NotATag);
        check_recovered("[(x]| y]", "", "", NotATag);
        check_recovered("[(x|\n]", "", "", NotATag);
        check_recovered("[White]|\n", "White", "", MissingValue);
        check_recovered("[White |\n", "White", "", MissingValue);
        check_recovered("[White |[Black \"y\"]", "White", "", MissingValue);
        check_recovered("[White|\n\"x\"", "White", "", MissingValue);
        check_recovered("[White x y ]| z]", "White", "x y", UnquotedValue);
        check_recovered("[White x y |\nz]", "White", "x y", UnquotedValue);
        check_recovered("[White \"x\"|\n[Black \"y\"]", "White", "x", MissingBracket);
        check_recovered("[White \"x\"| [Black \"y\"]", "White", "x", MissingBracket);
        check_recovered("[White \"A \"x\" b\"]| c\n", "White", "A \"x\" b", UnescapedQuote);
        check_recovered("[White \"A \"x\" b]| c\n", "White", "A \"x", UnescapedQuote);
        // What stands behind the last bracket is no part of the value.
        check_recovered("[White \"A \"x\" b]| \"c\" d\n", "White", "A \"x", UnescapedQuote);
        check_recovered("[White \"A \"x\" b|\n]", "White", "A \"x", UnescapedQuote);
        // What stands behind the pair on its line is read for itself.
        check_recovered("[White \"O\"Neil\"]| [FEN \"x\"] [SetUp \"1\"]", "White", "O\"Neil", UnescapedQuote);
        check_recovered("[White \"A \"x\" b\"]| 1. e4 1-0 [White \"y\"]", "White", "A \"x\" b", UnescapedQuote);
        check_recovered("[White \"b \\\"]| 1. e4 1-0 [White \"y\"]", "White", "b \\", UnescapedQuote);
        check_recovered("[White \"A \"x\"]| 1. e4 {[%clk 1:00]} 1-0", "White", "A \"x", UnescapedQuote);
        check_recovered("[White \"A \"x\" b |[Black \"y\"]", "White", "A \"x", UnescapedQuote);
        check_recovered("[White \"A |[Black \"y\"]", "White", "A", OpenValue);
        check_recovered("[White \"A\nb\"]|\n", "White", "A\nb", OpenValue);
        check_recovered("[White \"A\r\nb\" ] |\n", "White", "A\r\nb", OpenValue);
        check_recovered("[White \"A\r\n\r\nb\"]|\r\n", "White", "A\r\n\r\nb", OpenValue);
        check_recovered("[White \"A\n\nb\"]|\n", "White", "A\n\nb", OpenValue);
        check_recovered("[White \"A|\n[Black \"y\"]", "White", "A", OpenValue);
        check_recovered("[White \"A |\nb \"c\"]", "White", "A", OpenValue);
        check_recovered("[White \"A ]| b\nc", "White", "A", OpenValue);
        check_recovered("[White \"A”]|", "White", "A", OpenValue);
    }

    #[test]
    fn a_broken_value_may_begin_where_the_reach_ends() {
        let reach = near(&[b' '; 2 * LOOKAHEAD]).len();
        for value in ["\"x\nb", "\"x", "\"", "x", "]", "\"x\"y"] {
            for blanks in reach - 5..reach + 5 {
                let text = format!("[A{}{value}", " ".repeat(blanks));
                let (rest, pair, repair) = any_pair(text.as_bytes());
                assert!(rest.len() < text.len() && repair.is_some(), "{value:?} behind {blanks}");
                let (name, value) = pair.unwrap();
                // The bracket, the name and the blanks.
                assert!(name == b"A" && (value.0.is_empty() || blanks + 2 < reach), "{value:?} behind {blanks}");
            }
        }
    }

    #[test]
    fn the_standard_allows_fewer_names_than_are_read() {
        let long = "x".repeat(255);
        for name in ["A", "WhiteElo", "x_1", "9", &long] {
            assert!(is_tag_name(name.as_bytes()) && is_read_name(name.as_bytes()), "{name}");
        }
        let longer = "x".repeat(256);
        for name in ["_x", "A-B", "x+", "+#=:-", &longer] {
            assert!(!is_tag_name(name.as_bytes()) && is_read_name(name.as_bytes()), "{name}");
        }
        for name in ["", "A B", "é", "a\"", "x."] {
            assert!(!is_tag_name(name.as_bytes()) && !is_read_name(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn each_fault_of_a_tag_has_a_phrase_of_its_own() {
        let repairs = [
            TagRepair::UnescapedQuote,
            TagRepair::OpenValue,
            TagRepair::UnquotedValue,
            TagRepair::MissingValue,
            TagRepair::MissingBracket,
            TagRepair::NotATag,
            TagRepair::Duplicate,
            TagRepair::StrayText(1),
            TagRepair::Operation(OperationFault::NoOpcode),
            TagRepair::Operation(OperationFault::Colon),
            TagRepair::Operation(OperationFault::OpenString),
            TagRepair::Operation(OperationFault::NoSemicolon),
            TagRepair::RepeatedOperation,
            TagRepair::TooManyOperations,
        ];
        let phrases: HashSet<_> = repairs.iter().map(|repair| repair.as_str()).collect();
        assert_eq!(phrases.len(), repairs.len());
        assert!(!phrases.contains("the operation breaks the standard"));
    }

    #[test]
    fn a_pair_needs_a_name() {
        check_recovered("[ \"x\"]|", "", "", TagRepair::NotATag);
        check_recovered("[ \"x\"]| and more text behind it", "", "", TagRepair::NotATag);
        check_recovered("[\"x\"]|", "", "", TagRepair::NotATag);
    }
}
