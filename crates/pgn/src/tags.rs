//! The tag section of a game: pairs of a name and a value (PGN standard §8.1).
//!
//! A tag section is read by the grammar, not by lines. A pair may extend over several lines, and a line may contain
//! several pairs. Blank lines between pairs have no meaning, with one exception: a name that was given before begins
//! another game if a blank line stands before it. Marks, words and other text between pairs are skipped. The section
//! ends at a move, a move number or a result.

#[doc(hidden)]
pub mod lost_brace;

use crate::diagnostic::count_lines;
use crate::lexical::{self, is_blank, is_line_end, line_end, wide_blank};
use crate::lists;
use crate::movetext::strays::{Behind, behind_strays, first_number_behind};
use crate::result::is_lost_by_both;
use crate::tag_pair::{any_pair, usual_pair};
use crate::tags::lost_brace::{LostBrace, MOST_REPORTED, lost_braces};
use pgn2fen_chess::fen::{self, Operation};

pub use crate::tag_pair::{RawValue, TagRepair};

/// The tag section of one game.
#[derive(Clone, Debug, Default)]
pub struct Tags<'a> {
    pairs: Vec<Tag<'a>>,
    repairs: Vec<(usize, TagRepair)>,
    lost_braces: Vec<LostBrace>,
    /// One bit for each name. If the bit of a name is not set, the name is new and need not be compared.
    seen: u64,
    /// The text that was read.
    text: &'a [u8],
    end: usize,
    /// Whether the section is a line of a list of positions.
    is_position: bool,
    /// The end of the line of the last broken pair.
    line_end: usize,
    /// Whether a broken pair stands on the last line of the text.
    is_open: bool,
}

/// The greatest number of pairs. The section ends behind them, or after twice as many faults, so that memory does not
/// grow with a file of nothing but brackets.
const MOST_PAIRS: usize = 10_000;

/// A tag pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag<'a> {
    /// The name, in ASCII.
    pub name: &'a [u8],
    /// The value, as it is written between the quotes.
    pub value: RawValue<'a>,
    /// The start of the pair, in bytes from the start of the text that was read.
    pub offset: usize,
}

impl<'a> Tags<'a> {
    /// Reads the tag section that begins at `from`. It may be empty.
    pub fn read(text: &'a [u8], from: usize) -> Self {
        let mut tags = Self::default();
        tags.read_again(text, from);
        tags
    }

    /// Creates an empty section with room for as many pairs as `other` has.
    pub(crate) fn with_capacity_of(other: &Self) -> Self {
        Self { pairs: Vec::with_capacity(other.pairs.len()), ..Self::default() }
    }

    /// Reads another tag section in place of this one, and uses its memory again.
    pub fn read_again(&mut self, text: &'a [u8], from: usize) {
        self.begin(text, from);
        let mut after_blank_line = false;
        loop {
            self.read_usual_pairs(text, from);
            let (mut at, blank_line) = self.before_pair(text);
            let mut strays = None;
            if text.get(at) != Some(&b'[') {
                let Some(pair) = self.pair_behind_strays(text, at, from) else {
                    self.pass_strays_before_moves(text, at, from);
                    return;
                };
                strays = Some(at);
                after_blank_line |= count_lines(&text[self.end..pair]) > 1;
                at = pair;
            }
            after_blank_line |= blank_line && !self.pairs.is_empty();
            let (rest, pair, repair) = any_pair(&text[at..]);
            if self.is_full() {
                return;
            }
            let is_duplicate = pair.is_some_and(|(name, _)| self.is_duplicate(name));
            if is_duplicate && after_blank_line {
                return;
            }
            // More than a line break stands before the pair.
            if strays.is_some() || at - self.end > 2 {
                self.note_between(text, strays, at);
            }
            if let Some((name, value)) = pair {
                if is_duplicate {
                    self.repairs.push((at, TagRepair::Duplicate));
                }
                self.pairs.push(Tag { name, value, offset: at });
            }
            if let Some(repair) = repair {
                if self.line_end <= at {
                    self.line_end = line_end(text, at);
                    self.is_open |= self.line_end == text.len();
                }
                self.repairs.push((at, repair));
            }
            self.end = text.len() - rest.len();
        }
    }

    /// Becomes an empty section that ends at this place.
    #[inline]
    fn begin(&mut self, text: &'a [u8], end: usize) {
        self.pairs.clear();
        self.repairs.clear();
        self.lost_braces.clear();
        self.seen = 0;
        self.text = text;
        self.end = end;
        self.is_position = false;
        self.line_end = end;
        self.is_open = false;
    }

    /// Reads the pairs in export format that follow, each on the line below the last and with a new name. Nearly all
    /// pairs are read here.
    #[inline(always)]
    fn read_usual_pairs(&mut self, text: &'a [u8], from: usize) {
        let mut rest = &text[self.end..];
        let mut line = if self.end == from { rest } else { next_line(rest) };
        while let Some((behind, (name, value))) = usual_pair(line)
            && !self.is_full()
            && !self.is_duplicate(name)
        {
            self.pairs.push(Tag { name, value, offset: text.len() - line.len() });
            rest = behind;
            line = next_line(rest);
        }
        self.end = text.len() - rest.len();
    }

    /// Returns the place of the next element of the tag section, and whether a blank line stands before it. Skips white
    /// space, comments and escaped lines.
    #[inline(never)]
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

    /// Stores faults in the text before a pair: comments in which games seem to begin, and text without a meaning.
    #[cold]
    #[inline(never)]
    fn note_between(&mut self, text: &[u8], strays: Option<usize>, pair: usize) {
        if self.lost_braces.len() < MOST_REPORTED && memchr::memchr(b'{', &text[self.end..pair]).is_some() {
            self.lost_braces.extend(lost_braces(text, self.end, self.end, pair));
        }
        if let Some(strays) = strays {
            self.repairs.push((strays, TagRepair::StrayText(text[strays..pair].trim_ascii_end().len())));
        }
    }

    /// Returns the place of the next tag pair behind text without a meaning, if there was a tag pair before that text.
    #[inline(never)]
    fn pair_behind_strays(&self, text: &[u8], at: usize, from: usize) -> Option<usize> {
        // The usual end of a tag section is found without a search.
        if self.end == from || matches!(text[at..], [] | [b'1', b'.', ..]) {
            return None;
        }
        match behind_strays(text, at) {
            Behind::Pair(pair) => Some(pair),
            Behind::Movetext | Behind::Nothing => None,
        }
    }

    /// Passes text without a meaning between the last pair and the number of the first move.
    #[inline(never)]
    fn pass_strays_before_moves(&mut self, text: &[u8], at: usize, from: usize) {
        // The usual end of a tag section is found without a search. A comment before the text belongs to the moves.
        let is_usual = self.end == from
            || match &text[at..] {
                [] | [b'{' | b'(' | b'*', ..] | [b'a'..=b'h', b'1'..=b'8', ..] => true,
                [b'0'..=b'9', behind @ ..] => behind.iter().find(|byte| !byte.is_ascii_digit()) == Some(&b'.'),
                _ => false,
            };
        let is_comment = |byte: &u8| matches!(byte, b'{' | b';' | b'%');
        if !is_usual
            && !text[self.end..at].iter().any(is_comment)
            && let Some(first) = first_number_behind(text, at)
        {
            self.note_between(text, Some(at), first);
            self.end = first;
        }
    }

    /// Whether the section ends before the next pair because it holds so many pairs or faults.
    #[inline(always)]
    fn is_full(&self) -> bool {
        self.pairs.len() == MOST_PAIRS || self.repairs.len() > 2 * MOST_PAIRS
    }

    fn is_duplicate(&mut self, name: &[u8]) -> bool {
        let (Some(first), Some(last)) = (name.first(), name.last()) else {
            return false;
        };
        let bit = 1 << ((usize::from(*first) * 5 + usize::from(*last) + name.len()) % 64);
        let may_be_known = self.seen & bit != 0;
        self.seen |= bit;
        // Only the last 256 pairs are compared, so that a section of thousands of pairs takes linear time.
        may_be_known && self.pairs.iter().rev().take(256).any(|tag| tag.name == name)
    }

    /// Returns the same section with other pairs.
    pub(crate) fn with_pairs<'b>(&self, pairs: Vec<Tag<'b>>) -> Tags<'b>
    where
        'a: 'b,
    {
        Tags { pairs, text: self.text, end: self.end, is_position: self.is_position, ..Tags::default() }
    }

    /// Returns an iterator over the pairs, in the order of the text.
    pub fn iter(&self) -> impl Iterator<Item = Tag<'a>> + '_ {
        self.pairs.iter().copied()
    }

    /// Returns the value of the last tag with this name.
    pub fn value(&self, name: &str) -> Option<RawValue<'a>> {
        self.pairs.iter().rev().find(|tag| tag.name == name.as_bytes()).map(|tag| tag.value)
    }

    /// Whether the Result tag says that both players lose.
    #[inline]
    pub(crate) fn is_lost_by_both(&self) -> bool {
        // Nearly all results begin in another way.
        let may_be =
            |tag: &Tag<'_>| matches!(tag.value.0, [b'0', second, ..] if tag.name == b"Result" && *second != b'1');
        self.pairs.iter().any(may_be) && self.value("Result").is_some_and(|value| is_lost_by_both(value.0))
    }

    /// Returns the last tag with exactly this name. If there is none, returns the last tag whose name differs only in
    /// upper and lower case.
    pub fn find_any_case(&self, name: &str) -> Option<Tag<'a>> {
        let same_letters = |tag: &&Tag<'a>| tag.name.eq_ignore_ascii_case(name.as_bytes());
        let exact = |tag: &&Tag<'a>| tag.name == name.as_bytes();
        let mut candidates = self.pairs.iter().rev().filter(same_letters).peekable();
        let last = **candidates.peek()?;
        Some(candidates.find(exact).copied().unwrap_or(last))
    }

    /// Returns the faults that were repaired, with their places in bytes from the start of the text that was read.
    pub fn repairs(&self) -> &[(usize, TagRepair)] {
        &self.repairs
    }

    /// Reads the position on the line of a [list](crate::lists) that begins at `from`, as the value of a FEN tag,
    /// and its EPD operations, each as the value of a tag with the name of the opcode.
    pub(crate) fn read_position(&mut self, text: &'a [u8], from: usize) {
        self.begin(text, line_end(text, from));
        self.is_position = true;
        let (before, fen) = lists::fen(&text[from..self.end]);
        self.pairs.push(Tag { name: b"FEN", value: RawValue(fen), offset: from + before });
        let Some(record) = lists::record_with_operations(fen) else {
            return;
        };
        for operation in fen::operations(record) {
            // The record is a part of the text.
            self.push_operation(record.as_ptr().addr() - text.as_ptr().addr() + operation.offset, operation);
            if self.is_full() {
                break;
            }
        }
    }

    /// Returns the EPD operations on the line of a list. Games have none.
    #[doc(hidden)]
    pub fn operations(&self) -> impl Iterator<Item = Operation<'a>> {
        let fen = self.pairs.first().filter(|_| self.is_position && self.pairs.len() > 1).map(|tag| tag.value.0);
        fen.and_then(lists::record_with_operations).into_iter().flat_map(fen::operations)
    }

    /// Adds an EPD operation, as a tag with the name of its opcode.
    #[inline(never)]
    fn push_operation(&mut self, at: usize, operation: Operation<'a>) {
        if let Some(fault) = operation.fault {
            self.repairs.push((at, TagRepair::Operation(fault)));
        }
        // The position is read from the first tag.
        let is_named = !matches!(operation.opcode, b"" | b"FEN");
        if is_named && self.is_duplicate(operation.opcode) {
            self.repairs.push((at, TagRepair::RepeatedOperation));
        }
        if is_named {
            self.pairs.push(Tag { name: operation.opcode, value: RawValue(operation.value()), offset: at });
        }
        if self.is_full() {
            self.repairs.push((at, TagRepair::TooManyOperations));
        }
    }

    /// Whether the section is a line of a list of positions, read as a FEN tag and a tag for each of its EPD
    /// operations.
    pub fn is_position(&self) -> bool {
        self.is_position
    }

    /// Whether a broken pair stands on the last line of the text. With more text behind it, the pair may be complete.
    #[doc(hidden)]
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// Returns the comments before and between the pairs in which games seem to begin.
    #[doc(hidden)]
    pub fn lost_braces(&self) -> &[LostBrace] {
        &self.lost_braces
    }

    /// Returns the text from the end of the last pair on. A line of a list has none.
    pub(crate) fn behind(&self) -> &'a [u8] {
        if self.is_position { &[] } else { &self.text[self.end..] }
    }

    /// Returns the end of the last pair, in bytes from the start of the text that was read. The movetext follows.
    pub fn end(&self) -> usize {
        self.end
    }
}

/// Returns the text behind the line break with which a text begins. If it does not begin with one, the result is empty.
#[inline(always)]
fn next_line(text: &[u8]) -> &[u8] {
    match text {
        [b'\n', line @ ..] | [b'\r', b'\n', line @ ..] => line,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::{RawValue, Tags};
    use crate::edit::GameEdit;
    use crate::tags::lost_brace::MOST_REPORTED;

    /// Compares names and values as `name=value`, with faults in parentheses, and the number of bytes behind the
    /// section.
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
    fn operations_of_a_position_are_tags() {
        let read = |text: &str| {
            let mut tags = Tags::default();
            tags.read_position(text.as_bytes(), 0);
            let pairs = tags.iter().map(|tag| format!("{}={}", String::from_utf8_lossy(tag.name), tag.value.decode()));
            let repairs = tags.repairs().iter().map(|(at, repair)| format!("({repair:?}@{at})"));
            pairs.skip(1).chain(repairs).collect::<Vec<_>>().join(" ")
        };
        let fen = "4k3/8/8/8/8/8/8/4K3 w - -";
        assert_eq!(read(&format!("{fen} bm e4; id \"x\";")), "bm=e4 id=x");
        assert_eq!(read(&format!("{fen} id \"x\"; id \"y\";")), "id=x id=y (RepeatedOperation@34)");
        // The position is no operation.
        assert_eq!(read(&format!("{fen} bm e4; FEN x; FEN y;")), "bm=e4");
        assert_eq!(
            read(&format!("{fen} bm e4; 1x; 2x; id y;")),
            "bm=e4 id=y (Operation(NoOpcode)@33) (Operation(NoOpcode)@37)"
        );
        assert_eq!(read(fen), "");
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
        check("[A \"1\"]\r\n[B \"2\"]\r\n[A \"3\"]\r\n[C \"4\"]", "A=1 B=2 A=3 C=4 (Duplicate@18) +0");
        check("[A \"1\"]\r[B \"2\"]\r\r[A \"3\"]", "A=1 B=2 +9");
    }

    #[test]
    fn a_section_goes_on_behind_text_that_means_nothing() {
        for stray in
            ["]", ",", " .", " x", "<br />", " a word", "\u{1}", " \u{2026}", " (", " 2019.06.01", " !!", "\"]"]
        {
            let at = 11 + stray.len() - stray.trim_start().len();
            let length = stray.trim_start().len();
            for end in ["\n", "", " ", "\r\n", "\n\n", "\n{c}\n"] {
                let text = format!("[Event \"x\"]{stray}{end}[Site \"y\"]\n\n1. e4");
                let length = if end == "\n{c}\n" { length + 4 } else { length };
                check(&text, &format!("Event=x Site=y (StrayText({length})@{at}) +7"));
            }
        }
        check("[A \"x\"]\nsome\nlines\n[B \"y\"]\n*", "A=x B=y (StrayText(10)@8) +2");
    }

    #[test]
    fn a_section_goes_on_up_to_the_first_move_behind_text_that_means_nothing() {
        let words = ["D", "Odds of the rook", "Sicilian Defence\n\nof 1984", "30m", "10m+5s", "2nd round"];
        let marks = ["---", "- - -", "# # #", "--", "2#", "1 -"];
        for stray in [words, marks].concat() {
            let text = format!("[A \"x\"]\n\n{stray}\n\n1. e4 *");
            check(&text, &format!("A=x (StrayText({})@9) +7", stray.len()));
        }
        check("[A \"x\"]\nfoo 1. e4 *", "A=x (StrayText(3)@8) +7");
        for movetext in
            ["{c} D\n1. e4 *", "{c}\nD\n1. e4", "D\n2. e4 *", "D\n{c} 1. e4 *", "e4 D\n1. e4 *", "D (1. e4)"]
        {
            check(&format!("[A \"x\"]\n{movetext}"), &format!("A=x +{}", movetext.len() + 1));
        }
        check("D\n1. e4 *", "+9");
    }

    #[test]
    fn a_section_ends_where_a_move_a_number_or_a_result_stands() {
        for movetext in ["1. e4", "12. e4", "1...", "e4", "*", "1-0", "x 1-0", "word Nf3", "1 e4", "O-O"] {
            let text = format!("[A \"x\"] {movetext} [B \"y\"]");
            check(&text, &format!("A=x +{}", text.len() - 7));
        }
    }

    #[test]
    fn a_name_repeated_behind_a_line_that_means_nothing_begins_another_game() {
        check("[A \"1\"]\nwords\n[A \"2\"]", "A=1 +14");
        check("[A \"1\"]\r\n]\r\n[A \"2\"]", "A=1 +12");
        check("[A \"1\"] words\n[A \"2\"]", "A=1 A=2 (StrayText(5)@8) (Duplicate@14) +0");
    }

    #[test]
    fn a_section_ends_behind_too_many_pairs_or_faults() {
        let letter = |n: usize| char::from(b"abcdefghijklmnopqrstuvwxyz"[n % 26]);
        let pair = |n: usize| format!("[{}{}{} \"\"]\n", letter(n), letter(n / 26), letter(n / 676));
        let pairs: String = (0..super::MOST_PAIRS + 2).map(pair).collect();
        let tags = Tags::read(pairs.as_bytes(), 0);
        assert_eq!((tags.iter().count(), tags.repairs().len()), (super::MOST_PAIRS, 0));
        assert_eq!(tags.end(), 9 * super::MOST_PAIRS - 1);

        let faults = format!("[A \"\"]\n{}[B \"\"]\n[C \"\"]\n", "[]\n".repeat(2 * super::MOST_PAIRS + 1));
        let tags = Tags::read(faults.as_bytes(), 0);
        assert_eq!((tags.iter().count(), tags.repairs().len()), (1, 2 * super::MOST_PAIRS + 1));
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
        check("[Site [Date \"1\"]", "Site= Date=1 (MissingValue@0) +0");
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
    fn odd_white_space_may_stand_between_pairs() {
        check("[A \"x\"]\u{a0}\n\u{2003}[B \"y\"]\n", "A=x B=y +1");
        check("[A \"x\"]\u{a0}\u{a0}\n\n[A \"y\"]", "A=x +13");
    }

    #[test]
    fn a_pair_that_is_broken_at_the_end_of_the_text_may_go_on() {
        for (text, expected) in [
            ("[A \"x\"]", false),
            ("[A \"x", true),
            ("[A \"x\n", false),
            ("[A x]\n[B \"y", true),
            ("[A x]\n[B \"y\"]", false),
            ("[A \"x\"] [B y]", true),
            ("[A x] [B y]\n1. e4", false),
        ] {
            assert_eq!(Tags::read(text.as_bytes(), 0).is_open(), expected, "{text:?}");
        }
    }

    #[test]
    fn a_comment_among_tags_that_holds_a_game_is_told() {
        let text = "[A \"1\"] {lost\n[A \"2\"]\n\n1. d4}\n[B \"1\"]\n\n1. e4 *";
        let tags = Tags::read(text.as_bytes(), 0);
        let lost: Vec<_> = tags.lost_braces().iter().map(|lost| (lost.comment, lost.pair)).collect();
        assert_eq!(lost, [(8, 14)]);
        assert_eq!(&text[tags.end()..], "\n\n1. e4 *");
    }

    #[test]
    fn the_position_of_a_list_stands_behind_its_label() {
        let fen = "4k3/8/8/8/8/8/8/4K3 w - - bm e4; id \"x\";";
        let text = format!("{fen}\nposition fen {fen}\n");
        for (from, offset) in [(0, 0), (fen.len() + 1, fen.len() + 14)] {
            let mut tags = Tags::default();
            tags.read_position(text.as_bytes(), from);
            let places: Vec<_> = tags.iter().map(|tag| tag.offset).collect();
            assert_eq!(places, [offset, offset + 26, offset + 33]);
            let opcodes: Vec<_> = tags.operations().map(|operation| operation.opcode).collect();
            assert_eq!(opcodes, [&b"bm"[..], b"id"]);
            assert_eq!((tags.end(), tags.behind()), (from + offset.min(13) + fen.len(), &b""[..]));
        }
        let tags = Tags::read(b"[FEN \"4k3/8/8/8/8/8/8/4K3 w - - bm e4;\"]\n[A \"\"]\n*", 0);
        assert_eq!((tags.operations().count(), tags.behind()), (0, &b"\n*"[..]));
    }

    #[test]
    fn edited_tags_end_where_the_section_did() {
        let mut edit = GameEdit::new();
        edit.set("A", "2");
        let tags = Tags::read(b"[A \"1\"]\n[B \"1\"]\n\n1. e4 *", 0);
        let edited = edit.tags(&tags);
        assert_eq!((edited.end(), edited.behind()), (tags.end(), &b"\n\n1. e4 *"[..]));
        assert_eq!((edited.value("A"), edited.value("B")), (Some(RawValue(b"2")), Some(RawValue(b"1"))));
        assert!(!edited.is_position());
    }

    #[test]
    fn text_before_the_first_pair_is_no_part_of_a_section() {
        check("x [A \"\"]", "+8");
        check(", [A \"\"]", "+8");
    }

    #[test]
    fn comments_that_hold_games_are_told_up_to_a_number() {
        let comment = |nth: usize| format!("{{x\n[A \"2\"]\n\n1. d4}}\n[B{nth} \"1\"]\n");
        for count in [MOST_REPORTED - 1, MOST_REPORTED, MOST_REPORTED + 5] {
            let text = format!("[A \"1\"]\n{}\n1. e4 *", (0..count).map(comment).collect::<String>());
            assert_eq!(Tags::read(text.as_bytes(), 0).lost_braces().len(), count.min(MOST_REPORTED));
        }
    }

    #[test]
    fn edited_operations_are_those_of_a_position() {
        let mut tags = Tags::default();
        tags.read_position(b"4k3/8/8/8/8/8/8/4K3 w - - bm e4;", 0);
        let mut edit = GameEdit::new();
        edit.remove("bm");
        let edited = edit.tags(&tags);
        assert!(edited.is_position() && edited.value("bm").is_none() && edited.value("FEN").is_some());
    }
}
