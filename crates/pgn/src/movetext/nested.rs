//! Finds the ends of the variations in a variation in one pass.
//!
//! Code that reads the comments behind a move, or the next move, skips the variations between. In a text that opens one
//! variation in another and closes none, it would otherwise skip the whole rest of the text for each move.

use crate::eight_bytes;
use crate::lexical::{compared, is_line_start, line_end, matters_in_variation};
use crate::movetext::Movetext;

/// The length in bytes up to which variations are not stored, because skipping them is as fast as a look-up.
const LONG: usize = 512;

/// The greatest depth of variations that are stored.
const MOST_OPEN: usize = 1024;

/// The long variations in a variation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nested {
    /// The places behind the opening and closing parenthesis of each variation, in ascending order. A variation that is
    /// never closed ends with the text.
    ends: Vec<(usize, usize)>,
}

impl Nested {
    /// Finds the long variations in the variation that a reader is about to read. Its text ends with the variation.
    pub(crate) fn new(inside: &Movetext<'_>) -> Self {
        let text = inside.text;
        let mut ends = Vec::new();
        if text.len() - inside.at <= LONG {
            return Self { ends };
        }
        let mut keep = |open: usize, end: usize| {
            if end - open > LONG {
                ends.push((open, end));
            }
        };
        let mut open = Vec::new();
        let mut deeper = 0u64;
        let mut at = inside.at;
        while let Some(found) = eight_bytes::find(text, at, matters_in_variation, compared::matters_in_variation) {
            at = found + 1;
            match text[found] {
                b'(' if open.len() == MOST_OPEN => deeper += 1,
                b'(' => open.push(at),
                b')' if deeper > 0 => deeper -= 1,
                b')' => match open.pop() {
                    Some(open) => keep(open, at),
                    None => break,
                },
                b'{' => match memchr::memchr(b'}', &text[at..]) {
                    Some(length) => at += length + 1,
                    None => break,
                },
                b';' => at = line_end(text, found),
                b'%' if is_line_start(text, found) => at = line_end(text, found),
                _ => {}
            }
        }
        open.into_iter().for_each(|open| keep(open, text.len()));
        ends.sort_unstable();
        Self { ends }
    }

    /// Returns the end of the variation whose text begins at `open`, if it is a long one.
    pub(super) fn end(&self, open: usize) -> Option<usize> {
        let found = self.ends.binary_search_by_key(&open, |(open, _)| *open).ok()?;
        Some(self.ends[found].1)
    }
}

#[cfg(test)]
mod tests {
    use super::{LONG, Nested};
    use crate::movetext::{Ending, Movetext};
    use crate::token::Token;

    /// Checks that each variation in the first variation of the text ends where skipping it ends.
    #[track_caller]
    fn check(text: &str, long: usize) {
        let text = text.replace('…', &" x".repeat(LONG));
        let mut movetext = Movetext::new(text.as_bytes(), 0);
        while movetext.next_token() != Some(Token::VariationStart) {}
        let mut inside = movetext.take_variation();
        let nested = Nested::new(&inside);
        assert_eq!(nested.ends.len(), long, "{text}");
        let read = |nested: &Nested| {
            let mut line = inside.clone();
            let tokens: Vec<_> = std::iter::from_fn(|| line.next_in_line(nested)).collect();
            (tokens, line.offset(), line.finish() == Ending::NoMarker)
        };
        assert_eq!(read(&nested), read(&Nested::default()), "{text}");
        while let Some(token) = inside.next_token() {
            if token == Token::VariationStart {
                let mut passing = inside.clone();
                passing.pass_variation();
                let is_long = passing.offset() - inside.offset() > LONG;
                assert_eq!(nested.end(inside.offset()), is_long.then_some(passing.offset()), "{text}");
            }
        }
    }

    #[test]
    fn nested_variations_end_where_they_are_passed() {
        check("e4 (d4)", 0);
        check("e4 (d4 (c4 …) (b4) (a4 (… a3) {…}) d5) e5", 3);
        check("e4 (d4 (c4 {)…} ;)…\n %)\n%)…\n (…)) d5) e5", 2);
        check("e4 (d4 (c4 … (c5 …", 2);
        check("e4 (d4 (c4 … (c5 {…", 2);
        check("e4 (d4 (c4 …\n[A \"2\"]\n", 1);
    }
}
