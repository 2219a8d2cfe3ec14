//! Changes of the tags and of the result of a game, with which it is copied or written anew.
//!
//! Only tag pairs and the termination marker change. All other text keeps its bytes in a copy. But in a tag section
//! that changes, broken pairs are repaired, and text without a meaning is left out: behind other tags it might mean
//! something.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::chunk::Chunk;
use crate::lexical::{is_line_end, line_break};
use crate::result::{double_forfeit, termination};
use crate::tag_pair::any_pair;
use crate::tags::{RawValue, Tag, TagRepair, Tags};
use crate::token::Outcome;
use crate::written_tag::append_value;

/// The changes of one game. Names of tags are compared without regard to case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameEdit {
    tags: Vec<TagEdit>,
    /// The number of the change of each tag, by its name in lower case.
    numbers: HashMap<String, usize>,
    outcome: Option<Outcome>,
}

/// The change of a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
struct TagEdit {
    name: Box<str>,
    /// The value, as it is written between quotes. None if the tag is removed.
    value: Option<Box<[u8]>>,
}

impl GameEdit {
    /// Creates an edit that changes nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.outcome.is_none()
    }

    /// Gives a tag a value. A game without the tag gets it.
    pub fn set(&mut self, name: &str, value: &str) {
        let mut written = Vec::new();
        append_value(value.as_bytes(), &mut written);
        self.change(name, Some(written.into()));
    }

    /// Gives the Result tag and the termination marker this outcome.
    pub fn set_result(&mut self, outcome: Outcome) {
        self.set("Result", outcome.as_str());
        self.outcome = Some(outcome);
    }

    /// Gives the termination marker this outcome.
    pub fn set_marker(&mut self, outcome: Outcome) {
        self.outcome = Some(outcome);
    }

    /// Removes a tag.
    pub fn remove(&mut self, name: &str) {
        self.change(name, None);
    }

    fn change(&mut self, name: &str, value: Option<Box<[u8]>>) {
        let edit = TagEdit { name: name.into(), value };
        match self.numbers.entry(name.to_ascii_lowercase()) {
            Entry::Occupied(number) => self.tags[*number.get()] = edit,
            Entry::Vacant(number) => {
                number.insert(self.tags.len());
                self.tags.push(edit);
            }
        }
    }

    fn find(&self, name: &[u8]) -> Option<&TagEdit> {
        let name = str::from_utf8(name).ok()?.to_ascii_lowercase();
        self.numbers.get(&name).map(|number| &self.tags[*number])
    }

    /// Returns the outcome of the game, if it changes.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Returns the tags as they are after the edit.
    pub fn tags<'a>(&'a self, tags: &Tags<'a>) -> Tags<'a> {
        let mut pairs: Vec<Tag<'a>> = tags.iter().filter(|tag| self.find(tag.name).is_none()).collect();
        let set = self.tags.iter().filter_map(|edit| {
            let value = RawValue(edit.value.as_deref()?);
            Some(Tag { name: edit.name.as_bytes(), value, offset: tags.end() })
        });
        pairs.extend(set);
        tags.with_pairs(pairs)
    }

    /// Changes the text of a game, which begins with the game and ends with the blank lines behind it. Returns nothing
    /// if the text stays as it is.
    pub(crate) fn text(&self, game: &[u8]) -> Option<Vec<u8>> {
        // The old Result tag may say what the old result is: `0-0` is one only with such a tag.
        let is_lost = || self.find(b"Result").is_some() && Tags::read(game, 0).is_lost_by_both();
        let outcome = self.outcome.or_else(|| is_lost().then_some(Outcome::Unknown));
        let with_result = outcome.map(|outcome| with_result(game, outcome));
        let game_with_result = with_result.as_deref().unwrap_or(game);
        let with_tags = self.with_tags(game_with_result);
        with_tags.or(with_result).filter(|edited| edited != game)
    }

    /// Returns the text with the edited tags. None if no tag changes.
    fn with_tags(&self, game: &[u8]) -> Option<Vec<u8>> {
        let tags = Tags::read(game, 0);
        let pairs: Vec<Tag<'_>> = tags.iter().collect();
        let new: Vec<&TagEdit> = self.tags.iter().filter(|edit| edit.value.is_some()).collect();
        let new = new.into_iter().filter(|edit| !pairs.iter().any(|tag| edit.is_of(tag)));
        let mut new: Vec<&TagEdit> = new.collect();
        if new.is_empty() && !pairs.iter().any(|tag| self.find(tag.name).is_some()) {
            return None;
        }
        // Without tags, the start of the game may not be found again.
        let last = TagEdit { name: "Event".into(), value: Some((*b"?").into()) };
        let is_removed = |tag: &Tag<'_>| self.find(tag.name).is_some_and(|edit| edit.value.is_none());
        if new.is_empty() && pairs.iter().all(is_removed) {
            new.push(&last);
        }
        let mut out = Vec::with_capacity(game.len() + 64);
        // The end of the text that has been copied or left out.
        let mut taken = 0;
        let end_of_pair = |at: usize| game.len() - any_pair(&game[at..]).0.len();
        let repaired = tags.repairs().iter().filter_map(|(at, repair)| match repair {
            TagRepair::StrayText(length) => Some((*at, *at + *length, None)),
            TagRepair::NotATag => Some((*at, end_of_pair(*at), None)),
            TagRepair::Duplicate => None,
            _ => {
                let pair = pairs.get(pairs.binary_search_by_key(at, |pair| pair.offset).ok()?)?;
                let is_kept = self.find(pair.name).is_none();
                is_kept.then(|| (*at, end_of_pair(*at), Some(Cow::Owned(TagEdit::of(pair)))))
            }
        });
        let changed = pairs.iter().enumerate().filter_map(|(nth, tag)| {
            let edit = self.find(tag.name)?;
            // Of a tag that is given twice, the last value counts.
            let is_last = || pairs.iter().rposition(|tag| edit.is_of(tag)) == Some(nth);
            let written = Some(edit).filter(|edit| edit.value.is_some() && is_last()).map(Cow::Borrowed);
            Some((tag.offset, end_of_pair(tag.offset), written))
        });
        let mut parts: Vec<(usize, usize, Option<Cow<'_, TagEdit>>)> = repaired.chain(changed).collect();
        parts.sort_unstable_by_key(|(start, ..)| *start);
        for (start, end, edit) in parts {
            out.extend_from_slice(&game[taken.min(start)..start]);
            taken = end;
            match edit {
                Some(edit) => edit.append(&mut out),
                // Nothing is left of its line, because a blank line before a tag may end the section.
                None => {
                    let blanks = out.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
                    let length = out.len() - blanks;
                    if out[..length].last().is_none_or(|byte| is_line_end(*byte)) {
                        out.truncate(length);
                        taken = behind_line(game, end);
                    }
                }
            }
        }
        append_new(&new, game, (&tags, taken), &mut out);
        Some(out)
    }
}

impl TagEdit {
    /// A pair in the form of the standard.
    fn of(tag: &Tag<'_>) -> Self {
        let mut value = Vec::new();
        append_value(&tag.value.unescape(), &mut value);
        Self { name: String::from_utf8_lossy(tag.name).into(), value: Some(value.into()) }
    }

    fn is_of(&self, tag: &Tag<'_>) -> bool {
        self.name.as_bytes().eq_ignore_ascii_case(tag.name)
    }

    fn append(&self, out: &mut Vec<u8>) {
        out.push(b'[');
        out.extend_from_slice(self.name.as_bytes());
        out.extend_from_slice(b" \"");
        out.extend_from_slice(self.value.as_deref().unwrap_or_default());
        out.extend_from_slice(b"\"]");
    }
}

/// Appends the tags that the game did not have, behind its last one, and the rest of the text.
fn append_new(new: &[&TagEdit], game: &[u8], (tags, taken): (&Tags<'_>, usize), out: &mut Vec<u8>) {
    let line_end = line_break(game);
    let had_tags = tags.iter().next().is_some();
    if had_tags && taken < tags.end() {
        out.extend_from_slice(&game[taken..tags.end()]);
    }
    let taken = if had_tags { taken.max(tags.end()) } else { 0 };
    let is_line_start = out.last().is_none_or(|byte| is_line_end(*byte));
    for edit in new {
        if !is_line_start {
            out.extend_from_slice(line_end);
        }
        edit.append(out);
        if is_line_start {
            out.extend_from_slice(line_end);
        }
    }
    if !had_tags && !new.is_empty() {
        out.extend_from_slice(line_end);
    }
    out.extend_from_slice(&game[taken..]);
}

/// Returns the start of the next line, if only blanks stand before it; otherwise the next text.
fn behind_line(text: &[u8], from: usize) -> usize {
    let blanks = text[from..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let at = from + blanks;
    match &text[at..] {
        [b'\r', b'\n', ..] => at + 2,
        [b'\n' | b'\r', ..] => at + 1,
        _ => at,
    }
}

/// Returns the text of a game with another result at its end. A game without a result gets one.
fn with_result(game: &[u8], outcome: Outcome) -> Vec<u8> {
    let text = Chunk::whole(game);
    let mut movetext = text.movetext(&text.tags(0));
    let end = movetext.finish();
    let place = movetext.result_offset();
    let behind = end.outcome().and_then(|_| {
        let rest = &game[place..];
        let known = termination(rest).map(|(rest, _)| rest).or_else(|_| double_forfeit(rest).map(|(rest, ())| rest));
        known.ok()
    });
    let mut out = Vec::with_capacity(game.len() + 8);
    if let Some(behind) = behind {
        out.extend_from_slice(&game[..place]);
        if out.last().is_some_and(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b'}' | b')')) {
            out.push(b' ');
        }
        out.extend_from_slice(outcome.as_str().as_bytes());
        // What stands behind the result without a blank would become a part of it.
        out.extend_from_slice(match behind.first() {
            None => line_break(game),
            Some(byte) if byte.is_ascii_whitespace() || matches!(byte, b'{' | b';') => b"",
            Some(_) => b" ",
        });
        out.extend_from_slice(behind);
    } else {
        ended(game, &movetext.open_marks(end).unwrap_or_default(), outcome, &mut out);
    }
    out
}

/// Appends a game without a result and its result, before the blank lines at its end.
fn ended(game: &[u8], marks: &[u8], outcome: Outcome, out: &mut Vec<u8>) {
    let line_end = line_break(game);
    let text = game.trim_ascii_end();
    let blanks = &game[text.len()..];
    out.extend_from_slice(text);
    if !text.is_empty() {
        out.extend_from_slice(line_end);
        if text.ends_with(b"]") {
            out.extend_from_slice(line_end);
        }
    }
    out.extend_from_slice(marks);
    out.extend_from_slice(outcome.as_str().as_bytes());
    out.extend_from_slice(if blanks.iter().any(|byte| is_line_end(*byte)) { blanks } else { line_end });
}

#[cfg(test)]
mod tests {
    use super::{GameEdit, behind_line};
    use crate::token::Outcome;

    /// Compares the text of a game after an edit, or the game if nothing changes.
    #[track_caller]
    fn check(edit: impl Fn(&mut GameEdit), game: &str, expected: &str) {
        let mut changes = GameEdit::new();
        edit(&mut changes);
        let edited = changes.text(game.as_bytes());
        assert_eq!(edited.as_deref().map(String::from_utf8_lossy).as_deref().unwrap_or(game), expected, "{game:?}");
        assert_eq!(edited.is_none(), game == expected, "{game:?}");
    }

    #[test]
    fn a_tag_is_set_where_it_stands_or_behind_the_others() {
        let edit = |edit: &mut GameEdit| edit.set("White", "A \"B\"");
        let written = r#"[White "A \"B\""]"#;
        check(edit, "[White \"x\"]\n\n1. e4 *\n", &format!("{written}\n\n1. e4 *\n"));
        check(edit, "[white \"x\"]\n[Black \"y\"]\n\n*\n", &format!("{written}\n[Black \"y\"]\n\n*\n"));
        check(edit, "[Black \"y\"]\n\n*\n", &format!("[Black \"y\"]\n{written}\n\n*\n"));
        check(edit, "[Black \"y\"]\r\n\r\n*\r\n", &format!("[Black \"y\"]\r\n{written}\r\n\r\n*\r\n"));
        check(edit, "1. e4 *\n", &format!("{written}\n\n1. e4 *\n"));
    }

    #[test]
    fn a_removed_tag_leaves_no_line() {
        let edit = |edit: &mut GameEdit| edit.remove("White");
        for end in ["\n", "\r\n", "\r", " \t\n"] {
            let game = format!("[Event \"x\"]\n[White \"y\"]{end}[Black \"z\"]\n\n*\n");
            check(edit, &game, "[Event \"x\"]\n[Black \"z\"]\n\n*\n");
        }
        check(edit, "[Event \"x\"] [White \"y\"] [Black \"z\"]\n\n*\n", "[Event \"x\"]  [Black \"z\"]\n\n*\n");
        check(edit, "[White \"y\"]\n\n*\n", "[Event \"?\"]\n\n*\n");
        check(edit, "[Event \"x\"]\n\n*\n", "[Event \"x\"]\n\n*\n");
    }

    #[test]
    fn of_a_tag_that_is_given_twice_the_last_one_is_kept() {
        let edit = |edit: &mut GameEdit| edit.set("White", "z");
        check(edit, "[White \"x\"]\n[White \"y\"]\n\n*\n", "[White \"z\"]\n\n*\n");
    }

    #[test]
    fn a_result_is_set_in_both_places() {
        let edit = |edit: &mut GameEdit| edit.set_result(Outcome::Draw);
        check(edit, "[Result \"*\"]\n\n1. e4 *\n", "[Result \"1/2-1/2\"]\n\n1. e4 1/2-1/2\n");
        check(edit, "[Result \"*\"]\n\n1. e4 1-0 {x}\n", "[Result \"1/2-1/2\"]\n\n1. e4 1/2-1/2 {x}\n");
        check(edit, "[Result \"*\"]\n\n1. e4*", "[Result \"1/2-1/2\"]\n\n1. e4 1/2-1/2\n");
        let marker = |edit: &mut GameEdit| edit.set_marker(Outcome::BlackWins);
        check(marker, "[Result \"*\"]\n\n1. e4 {x}*\n", "[Result \"*\"]\n\n1. e4 {x}0-1\n");
        check(marker, "1. e4 (1. d4", "1. e4 (1. d4\n)0-1\n");
        check(marker, "1. e4 *[x]", "1. e4 0-1 [x]");
    }

    #[test]
    fn an_edit_is_empty_until_something_changes() {
        let mut edit = GameEdit::new();
        assert!(edit.is_empty() && edit.outcome().is_none());
        edit.set_marker(Outcome::Draw);
        assert!(!edit.is_empty() && edit.outcome() == Some(Outcome::Draw));
        let mut edit = GameEdit::new();
        edit.remove("White");
        assert!(!edit.is_empty());
    }

    #[test]
    fn a_line_ends_behind_blanks_and_one_line_break() {
        for (text, expected) in [(" \t\r\n\nx", 4), ("\n\nx", 1), ("\rx", 1), (" x", 1), ("", 0)] {
            assert_eq!(behind_line(text.as_bytes(), 0), expected, "{text:?}");
        }
    }

    #[test]
    fn a_tag_that_stands_twice_keeps_its_text() {
        let edit = |edit: &mut GameEdit| edit.set("White", "x");
        check(edit, "[A \"1\"]\n[A \"x\\y\"]\n\n*\n", "[A \"1\"]\n[A \"x\\y\"]\n[White \"x\"]\n\n*\n");
    }

    #[test]
    fn text_without_a_meaning_between_tags_is_left_out() {
        let edit = |edit: &mut GameEdit| edit.set("A", "2");
        check(edit, "[A \"1\"]\nsome words\n[B \"1\"]\n\n*\n", "[A \"2\"]\n[B \"1\"]\n\n*\n");
        check(edit, "[A \"1\"]\n[\"x\"]\n[B \"1\"]\n\n*\n", "[A \"2\"]\n[B \"1\"]\n\n*\n");
        check(edit, "[A \"1\"] words [B \"1\"]\n\n*\n", "[A \"2\"]  [B \"1\"]\n\n*\n");
    }
}
