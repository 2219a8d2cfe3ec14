//! What people wrote about moves: comments with their arrows and coloured squares, and glyphs.

use std::collections::HashMap;

use pgn2fen_games::pgn::annotation::sections;
use pgn2fen_games::pgn::encoding::Fallback;
use pgn2fen_games::replay::Replay;

/// What is written behind a move, in all games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Note {
    /// The different comments, in the order of the games. They have no braces.
    pub(crate) comments: Vec<Box<str>>,
    /// The different glyphs (PGN standard §10).
    pub(crate) nags: Vec<u8>,
}

impl Note {
    /// Reads what is written behind the last move of a replay. None if there is nothing, or only what programs write:
    /// clocks, evaluations and the like.
    pub(crate) fn read(replay: &Replay<'_>, encoding: &Fallback) -> Option<Self> {
        let notes = replay.notes();
        let kept = |comment: &&[u8]| {
            let text = people_wrote(&encoding.decode(comment));
            (!text.is_empty()).then(|| text.into_boxed_str())
        };
        let comments: Vec<Box<str>> = notes.comments.iter().filter_map(kept).collect();
        let note = Self { comments, nags: notes.nags };
        (!note.comments.is_empty() || !note.nags.is_empty()).then_some(note)
    }

    /// Adds what another game has, unless it is there.
    fn add(&mut self, other: Self) {
        for comment in other.comments {
            if !self.comments.contains(&comment) {
                self.comments.push(comment);
            }
        }
        for nag in other.nags {
            if !self.nags.contains(&nag) {
                self.nags.push(nag);
            }
        }
    }

    /// Returns the glyph of the move itself, such as 1 for `!`, and not of the position.
    pub(crate) fn glyph(&self) -> Option<u8> {
        self.nags.iter().copied().find(|nag| (1..=6).contains(nag))
    }

    /// Returns the words of the comments, without arrows and squares.
    pub(crate) fn words(&self) -> impl Iterator<Item = String> {
        self.comments.iter().map(|comment| without_commands(comment, &[])).filter(|words| !words.is_empty())
    }

    pub(crate) fn weight(&self) -> usize {
        size_of::<Self>() + self.nags.len() + self.comments.iter().map(|comment| comment.len() + 16).sum::<usize>()
    }
}

/// The notes of all games. The key is that of the position before the move, with the bits of the move; 0 stands for
/// what is written before the first move.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes(HashMap<(u64, u16), Note>);

impl Notes {
    pub(crate) fn add(&mut self, key: u64, next: u16, note: Note) {
        self.0.entry((key, next)).or_default().add(note);
    }

    pub(crate) fn get(&self, key: u64, next: u16) -> Option<&Note> {
        self.0.get(&(key, next))
    }
}

/// Returns a comment without the commands of programs, such as `[%clk 0:01:00]`. Those of arrows and coloured squares
/// stay. White space is one blank.
fn people_wrote(comment: &str) -> String {
    without_commands(comment, &["cal", "csl"])
}

/// Returns a comment without commands in brackets, but for those with these names.
fn without_commands(comment: &str, kept: &[&str]) -> String {
    let mut text = String::new();
    for (words, command) in sections(comment) {
        text += words;
        let inner = command.strip_prefix("[%").and_then(|command| command.strip_suffix(']')).unwrap_or_default();
        let name = inner.split_whitespace().next().unwrap_or_default();
        text += if kept.contains(&name) { command } else { " " };
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{people_wrote, without_commands};
    use crate::options::TreeOptions;
    use crate::testing::{tree, written};
    use crate::write::{Remarks, TreeFormat, TreeStyle};

    #[test]
    fn different_comments_and_glyphs_of_all_games_are_kept() {
        let games = "{All} 1. e4 $1 {Best {by test} $14 e5? {[%clk 0:01:00]} 2. Nf3 {[%cal Ge2e4] an [arrow]} *\n\n\
                     1. e4 {Best {by test} {Other\twords} $1 $10 c5 $3 *\n\n1. e4 {[%eval 0.3]} *\n";
        let check = |options: &TreeOptions, remarks, movetext: &str| {
            let style = TreeStyle { remarks, ..TreeStyle::default() };
            let (text, _) = written(&tree(games, options), TreeFormat::Pgn, &style);
            assert_eq!(text.split_once("\n\n").unwrap().1.trim().replace('\n', " "), movetext);
        };
        let options = TreeOptions::usual(true);
        check(
            &options,
            Remarks::usual(true),
            "{All} 1. e4 $1 $14 $10 {Best (by test} {Other words} 1... e5 $2 (1... c5 $3) 2. Nf3 \
             {[%cal Ge2e4] an [arrow]} *",
        );
        let bare = "1. e4 e5 (1... c5) 2. Nf3 *";
        check(&options, Remarks::NONE, bare);
        check(&TreeOptions { notes: false, ..options.clone() }, Remarks::usual(true), bare);
        // Without variations, notes are read as well.
        check(
            &TreeOptions { variations: false, ..options },
            Remarks { words: true, ..Remarks::NONE },
            "{All} 1. e4 $1 $14 $10 {Best (by test} {Other words} 1... e5 $2 (1... c5 $3) 2. Nf3 \
             {[%cal Ge2e4] an [arrow]} *",
        );
    }

    #[test]
    fn a_glyph_of_the_position_is_none_of_the_move() {
        let glyph = |nags: &[u8]| super::Note { comments: Vec::new(), nags: nags.to_vec() }.glyph();
        assert_eq!([&[][..], &[7, 14, 0], &[14, 6, 1]].map(glyph), [None, None, Some(6)]);
    }

    #[test]
    fn what_programs_write_is_left_out() {
        let check = |comment: &str, kept: &str, words: &str| {
            assert_eq!((&*people_wrote(comment), &*without_commands(comment, &[])), (kept, words));
        };
        check("a  good\nmove", "a good move", "a good move");
        check("[%clk 0:01:00]", "", "");
        check("[%eval 0.3] good [%cal Ge2e4,Rd2d4]", "good [%cal Ge2e4,Rd2d4]", "good");
        check("[%csl Ge4]", "[%csl Ge4]", "");
        check("[a] [%b", "[a] [%b", "[a] [%b");
    }
}
