//! The tag section of a game: pairs of a name and a value (PGN standard §8.1).
//!
//! A tag section follows the grammar, not lines: a pair may be spread over lines, several may share one, and blank
//! lines between them mean nothing, except that a name which comes again after a blank line begins another game.

use std::borrow::Cow;

use nom::IResult;
use nom::Parser;
use nom::bytes::complete::take_while1;
use nom::character::complete::char;
use nom::sequence::{delimited, preceded};

use crate::pgn::encoding;
use crate::pgn::lexical::{
    self, LOOKAHEAD, blanks, is_blank, is_line_end, is_name, line_end, may_end_string, wide_blank,
};
use crate::pgn::words;

/// The tag section of one game.
#[derive(Clone, Debug, Default)]
pub struct Tags<'a> {
    pairs: Vec<Tag<'a>>,
    repairs: Vec<(usize, TagRepair)>,
    /// A bit a name: where it is clear, the name is new and needs no comparing.
    seen: u64,
    end: usize,
}

/// A tag section ends after so many pairs, so that memory does not grow with a file that is nothing but brackets.
const MOST_PAIRS: usize = 10_000;

/// A tag pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag<'a> {
    /// The name, in bytes of ASCII.
    pub name: &'a [u8],
    /// The value as it stands between the quotes.
    pub value: RawValue<'a>,
    /// Where the pair begins, in bytes from the start of the text that was read.
    pub offset: usize,
}

/// A tag value as it is written: escaped, and in an encoding that is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RawValue<'a>(pub &'a [u8]);

impl<'a> RawValue<'a> {
    /// The value without its escapes `\"` and `\\` (§7); a backslash before anything else stands for itself.
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

    /// The value as text: UTF-8, and where it is not, Windows-1252.
    pub fn decode(self) -> Cow<'a, str> {
        match self.unescape() {
            Cow::Borrowed(bytes) => encoding::decode(bytes),
            Cow::Owned(bytes) => Cow::Owned(encoding::decode(&bytes).into_owned()),
        }
    }
}

/// What had to be overlooked to read a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagRepair {
    /// A quote inside the value has no backslash before it.
    UnescapedQuote,
    /// The closing quote is missing, or stands on the next line.
    OpenValue,
    /// The value has no quotes.
    UnquotedValue,
    /// There is no value.
    MissingValue,
    /// The closing bracket is missing.
    MissingBracket,
    /// What stands in brackets is no tag pair; it is passed over.
    NotATag,
    /// The same name again: the last value counts.
    Duplicate,
}

impl TagRepair {
    /// What is wrong, as a phrase.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::UnescapedQuote => "a quote inside the value has no backslash before it",
            Self::OpenValue => "the value has no closing quote on its line",
            Self::UnquotedValue => "the value has no quotes",
            Self::MissingValue => "the tag has no value",
            Self::MissingBracket => "the closing bracket is missing",
            Self::NotATag => "this is not a tag pair; it is skipped",
            Self::Duplicate => "the tag is given twice; the last value counts",
        }
    }
}

impl<'a> Tags<'a> {
    /// Reads the tag section that begins at `from`; it may be empty.
    pub fn read(text: &'a [u8], from: usize) -> Self {
        let mut tags = Self::default();
        tags.read_again(text, from);
        tags
    }

    /// Reads another tag section in the place of this one, keeping the memory.
    pub fn read_again(&mut self, text: &'a [u8], from: usize) {
        self.pairs.clear();
        self.repairs.clear();
        self.seen = 0;
        self.end = from;
        let mut after_blank_line = false;
        loop {
            let (at, blank_line) = self.before_pair(text);
            if text.get(at) != Some(&b'[') {
                return;
            }
            after_blank_line |= blank_line && !self.pairs.is_empty();
            let (rest, pair, repair) = match usual_pair(&text[at..]) {
                Some((rest, pair)) => (rest, Some(pair), None),
                None => unusual_pair(&text[at..]),
            };
            if self.pairs.len() == MOST_PAIRS {
                return;
            }
            if let Some((name, value)) = pair {
                if self.is_duplicate(name) {
                    if after_blank_line {
                        return;
                    }
                    self.repairs.push((at, TagRepair::Duplicate));
                }
                self.pairs.push(Tag { name, value, offset: at });
            }
            if let Some(repair) = repair {
                self.repairs.push((at, repair));
            }
            self.end = text.len() - rest.len();
        }
    }

    /// The place of the next element of the tag section, and whether a blank line stands before it. White space,
    /// comments and escaped lines may come between pairs.
    fn before_pair(&self, text: &[u8]) -> (usize, bool) {
        let mut at = self.end;
        let mut lines = 0;
        let mut blank_line = false;
        while let Some(&byte) = text.get(at) {
            if is_line_end(byte) {
                lines += u32::from(!(byte == b'\n' && at > 0 && text[at - 1] == b'\r'));
                blank_line |= lines > 1;
                at += 1;
            } else if is_blank(byte) {
                at += 1;
            } else if byte == b'[' {
                break;
            } else if byte == b';' || byte == b'%' && lexical::is_line_start(text, at) {
                at = line_end(text, at);
                lines = 0;
            } else if byte == b'{' {
                let Ok((rest, _)) = lexical::brace_comment(&text[at..]) else {
                    break;
                };
                at = text.len() - rest.len();
                lines = 0;
            } else {
                match wide_blank(&text[at..]) {
                    0 => break,
                    width => at += width,
                }
            }
        }
        (at, blank_line)
    }

    fn is_duplicate(&mut self, name: &[u8]) -> bool {
        let (Some(first), Some(last)) = (name.first(), name.last()) else {
            return false;
        };
        let bit = 1 << ((usize::from(*first) * 5 + usize::from(*last) + name.len()) % 64);
        let may_be_known = self.seen & bit != 0;
        self.seen |= bit;
        // A section of thousands of pairs is not worth comparing each with each.
        may_be_known && self.pairs.iter().rev().take(256).any(|tag| tag.name == name)
    }

    /// The pairs in the order of the text.
    pub fn iter(&self) -> impl Iterator<Item = Tag<'a>> + '_ {
        self.pairs.iter().copied()
    }

    /// The value of the last tag with this name.
    pub fn value(&self, name: &str) -> Option<RawValue<'a>> {
        self.pairs.iter().rev().find(|tag| tag.name == name.as_bytes()).map(|tag| tag.value)
    }

    /// The last tag with this name, spelled so or, where there is none, with other capitals.
    pub fn find_any_case(&self, name: &str) -> Option<Tag<'a>> {
        let same_letters = |tag: &&Tag<'a>| tag.name.eq_ignore_ascii_case(name.as_bytes());
        let exact = |tag: &&Tag<'a>| tag.name == name.as_bytes();
        let mut candidates = self.pairs.iter().rev().filter(same_letters).peekable();
        let last = **candidates.peek()?;
        Some(candidates.find(exact).copied().unwrap_or(last))
    }

    /// What had to be overlooked, and where, in bytes from the start of the text that was read.
    pub fn repairs(&self) -> &[(usize, TagRepair)] {
        &self.repairs
    }

    /// Where the last pair ends, in bytes from the start of the text that was read; the movetext follows.
    pub fn end(&self) -> usize {
        self.end
    }
}

type Pair<'a> = (&'a [u8], RawValue<'a>);

/// A tag pair as export format has it (§8.1.1): a name of letters, one space, a value without escapes, and nothing between.
/// [`tag_pair`] would read the same, a byte at a time.
#[inline]
fn usual_pair(input: &[u8]) -> Option<(&[u8], Pair<'_>)> {
    let input = input.strip_prefix(b"[")?;
    let (name, rest) = input.split_at(words::before_first(input, words::no_letter));
    let value = rest.strip_prefix(b" \"")?;
    let (value, rest) = value.split_at(plain_content(value));
    let rest = rest.strip_prefix(b"\"]")?;
    (!name.is_empty()).then_some((rest, (name, RawValue(value))))
}

#[inline(never)]
fn unusual_pair(input: &[u8]) -> (&[u8], Option<Pair<'_>>, Option<TagRepair>) {
    match tag_pair(input) {
        Ok((rest, pair)) => (rest, Some(pair), None),
        Err(_) => {
            let (rest, recovered) = recover(input);
            (rest, recovered.pair, recovered.repair)
        }
    }
}

/// `<tag-pair> ::= [ <tag-name> <tag-value> ]` (§18).
fn tag_pair(input: &[u8]) -> IResult<&[u8], (&[u8], RawValue<'_>)> {
    delimited(char('['), (preceded(blanks, tag_name), preceded(blanks, tag_value)), preceded(blanks, char(']')))
        .parse(input)
}

/// `<tag-name> ::= <identifier>`: letters, digits and the underscore, and what else a symbol may hold.
fn tag_name(input: &[u8]) -> IResult<&[u8], &[u8]> {
    take_while1(is_name).parse(input)
}

/// `<tag-value> ::= <string>`: printing characters between quotes on one line; a backslash escapes the next one (§7).
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

/// How many bytes are surely within the string: up to a quote, a backslash or a control byte.
fn plain_content(input: &[u8]) -> usize {
    words::before_first(input, |bytes| {
        words::equal(bytes, b'"') | words::equal(bytes, b'\\') | words::below(bytes, b' ')
    })
}

/// Whether a tag pair begins here, as sure as movetext can be: `[Name "`, or a line of its own `[Name … ]`.
pub(crate) fn begins_pair(text: &[u8], at: usize) -> bool {
    let head = (char('['), blanks, tag_name, blanks).parse(&text[at..]);
    match head {
        Ok(([b'"', ..], _)) => true,
        Ok((value, (_, _, name, gap))) => {
            let is_name = name.first().is_some_and(u8::is_ascii_alphabetic) && !gap.is_empty();
            is_name && lexical::is_line_start(text, at) && first_line(value).trim_ascii_end().ends_with(b"]")
        }
        Err(_) => false,
    }
}

struct Recovered<'a> {
    pair: Option<Pair<'a>>,
    repair: Option<TagRepair>,
}

/// Reads what stands in the place of a tag pair and is none by the grammar. Takes at least one byte, and no more than
/// its line unless the value goes on in the next.
fn recover(input: &[u8]) -> (&[u8], Recovered<'_>) {
    let line = first_line(input);
    let until = |end: usize| &input[end..];
    let found = |name, value, repair| Recovered { pair: Some((name, RawValue(value))), repair: Some(repair) };
    let bracket = memchr::memrchr(b']', line);

    let Ok((value, name)) = delimited((char('['), blanks), tag_name, blanks).parse(input) else {
        let end = memchr::memchr(b']', line).map_or(line.len(), |at| at + 1);
        return (until(end.max(1)), Recovered { pair: None, repair: Some(TagRepair::NotATag) });
    };
    let start = input.len() - value.len();
    if start > line.len() {
        return (until(line.len().max(1)), found(name, b"", TagRepair::MissingValue));
    }
    if value.first() != Some(&b'"') {
        let close = memchr::memchr(b']', &line[start..]).map(|at| start + at);
        let text = line[start..close.unwrap_or(line.len())].trim_ascii_end();
        let repair = if text.is_empty() { TagRepair::MissingValue } else { TagRepair::UnquotedValue };
        return (until(close.map_or(line.len(), |at| at + 1)), found(name, text, repair));
    }
    if let Ok((rest, text)) = tag_value(value) {
        // The value is whole. If nothing follows on the line, or another tag does, only the bracket is missing.
        let close = input.len() - rest.len();
        let after = line[close.min(line.len())..].trim_ascii_start();
        if after.is_empty() || after.starts_with(b"[") {
            return (rest, found(name, text.0, TagRepair::MissingBracket));
        }
    }
    // The value ends at the last quote before the line's last bracket.
    let reach = &line[start + 1..bracket.filter(|at| *at > start).unwrap_or(line.len())];
    if let Some(quote) = memchr::memrchr(b'"', reach) {
        let end = bracket.filter(|at| *at > start).map_or(line.len(), |at| at + 1);
        return (until(end), found(name, &reach[..quote], TagRepair::UnescapedQuote));
    }
    // No closing quote on this line: it may stand on the next one, with its bracket.
    let next_from = line.len() + input[line.len()..].iter().take(2).take_while(|byte| is_line_end(**byte)).count();
    let next = first_line(&input[next_from.min(input.len())..]);
    if let Some(quote) = next.trim_ascii_end().strip_suffix(b"]").map(<[u8]>::trim_ascii_end)
        && let Some(tail) = quote.strip_suffix(b"\"")
        && !tail.contains(&b'"')
        && !next.starts_with(b"[")
    {
        let text = &input[start + 1..next_from + tail.len()];
        return (until(next_from + next.len()), found(name, text, TagRepair::OpenValue));
    }
    let end = bracket.filter(|at| *at > start).unwrap_or(line.len());
    let text = line[start + 1..end].trim_ascii_end();
    (until((end + 1).min(line.len()).max(1)), found(name, text, TagRepair::OpenValue))
}

/// The rest of the line; of a line beyond all measure, its beginning.
fn first_line(text: &[u8]) -> &[u8] {
    let text = &text[..text.len().min(LOOKAHEAD / 4)];
    &text[..line_end(text, 0)]
}

#[cfg(test)]
mod tests {
    use super::{RawValue, Tags, begins_pair};

    /// Names and values as `name=value`, what was repaired in parentheses, then how many bytes were left.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let tags = Tags::read(text.as_bytes(), 0);
        let mut shown: Vec<String> =
            tags.iter().map(|tag| format!("{}={}", String::from_utf8_lossy(tag.name), tag.value.decode())).collect();
        shown.extend(tags.repairs().iter().map(|(at, repair)| format!("({repair:?}@{at})")));
        shown.push(format!("+{}", text.len() - tags.end()));
        assert_eq!(shown.join(" "), expected);
    }

    #[test]
    fn pairs_follow_the_grammar_not_lines() {
        check("[Event \"x\"]\n[Site \"y\"]\n\n1. e4", "Event=x Site=y +7");
        check("[ Event\n\"x\" ] [Site\t\"y\"]", "Event=x Site=y +0");
        check("[Event\"x\"]", "Event=x +0");
        check("1. e4", "+5");
    }

    #[test]
    fn blank_lines_and_comments_may_stand_between_pairs() {
        check("[Event \"x\"]\n\n[Site \"y\"]", "Event=x Site=y +0");
        check("[Event \"x\"] {c} ; d\n% e\n[Site \"y\"]", "Event=x Site=y +0");
        check("[Event \"x\"] {c} e4", "Event=x +7");
    }

    #[test]
    fn a_name_repeated_after_a_blank_line_begins_another_game() {
        check("[Event \"1\"]\n[Site \"a\"]\n\n[Event \"2\"]", "Event=1 Site=a +13");
        check("[Event \"1\"]\r\n\r\n[Event \"2\"]", "Event=1 +15");
        check("[Event \"1\"]\n[Event \"2\"]", "Event=1 Event=2 (Duplicate@12) +0");
    }

    #[test]
    fn values_are_unescaped() {
        check(r#"[Event "a \"b\" \\ \c"]"#, r#"Event=a "b" \ \c +0"#);
        check("[Event \"50% ; * {\"]", "Event=50% ; * { +0");
        assert_eq!(RawValue(b"\\").decode(), "\\");
    }

    #[test]
    fn broken_pairs_are_read_as_they_were_meant() {
        check("[Site \"Some \" where\"]\n", "Site=Some \" where (UnescapedQuote@0) +1");
        check("[Event \"x\"\n[Site \"y\"]", "Event=x Site=y (MissingBracket@0) +0");
        check("[FEN 4k3/8 w - -]\n", "FEN=4k3/8 w - - (UnquotedValue@0) +1");
        check("[Site]\n[Date \"1\"]", "Site= Date=1 (MissingValue@0) +0");
        check("[Site \"Some\nwhere\"]\n", "Site=Some\nwhere (OpenValue@0) +1");
        check("[Site \"Some]\n[Date \"1\"]", "Site=Some Date=1 (OpenValue@0) +0");
        check("[Event \"x\"]\n[\"nameless\"]\n[Date \"1\"]", "Event=x Date=1 (NotATag@12) +0");
        check("[Site \"Here\" %~<|>]", "Site=Here (UnescapedQuote@0) +0");
        check("[", "(NotATag@0) +0");
        check("[Site", "Site= (MissingValue@0) +0");
        check("[Site \"", "Site= (OpenValue@0) +0");
    }

    #[test]
    fn the_last_value_of_a_name_counts() {
        let tags = Tags::read(b"[Setup \"1\"][SetUp \"0\"][setup \"1\"]", 0);
        assert_eq!(tags.value("SetUp"), Some(RawValue(b"0")));
        assert_eq!(tags.find_any_case("SetUp").map(|tag| tag.value), Some(RawValue(b"0")));
        assert_eq!(tags.find_any_case("SETUP").map(|tag| tag.value), Some(RawValue(b"1")));
        assert_eq!(tags.find_any_case("FEN"), None);
    }

    #[test]
    fn a_pair_is_recognised_in_movetext() {
        assert!(begins_pair(b"[Event \"x\"]", 0));
        assert!(begins_pair(b"e4 [Event \"x\"]", 3));
        assert!(begins_pair(b"[FEN 8/8 w]\n", 0));
        assert!(!begins_pair(b"e4 [FEN 8/8 w]", 3));
        assert!(!begins_pair(b"[x]", 0));
        assert!(!begins_pair(b"[%clk 0:01]", 0));
    }
}
