//! Writes a tree as one game with variations, in the export format.

use std::io::Write;

use crate::tree::Tree;
use crate::write::guide::{Fate, Guide, Played};
use crate::write::{TreeError, TreeStyle, WrittenTree};
use pgn2fen_chess::position::Position;
use pgn2fen_games::export::{append_made, append_start};

pub(super) fn write(tree: &Tree, style: &TreeStyle, output: &mut impl Write) -> Result<WrittenTree, TreeError> {
    let mut writer = PgnWriter { guide: Guide::new(tree, style.transpositions), style, text: String::new() };
    writer.tags();
    let mut position = tree.root().start().clone();
    for m in tree.root().moves() {
        writer.word(&m.to_san(&position));
        position.play_unchecked(*m);
    }
    let root = tree.nodes[0];
    let words = style.words(root.counts, root.year);
    // A comment before the first move is about the game.
    if let Some(note) = style.first_note(tree) {
        note.comments.iter().for_each(|comment| writer.quote(comment));
    }
    writer.comment(&words);
    writer.line(&position);
    writer.text.push_str(" *\n");
    let PgnWriter { guide, text, .. } = writer;
    let mut out = Vec::with_capacity(text.len() + text.len() / 8);
    append_made(&text, &mut out);
    output.write_all(&out)?;
    Ok(guide.written)
}

struct PgnWriter<'t> {
    guide: Guide<'t>,
    style: &'t TreeStyle,
    text: String,
}

impl PgnWriter<'_> {
    fn tags(&mut self) {
        self.tag("Event", &self.style.title);
        append_start(self.guide.tree.root().start(), &mut self.text);
        self.text.push('\n');
    }

    fn tag(&mut self, name: &str, value: &str) {
        let plain = |char: char| if char.is_control() { ' ' } else { char };
        let value: String = value.chars().map(plain).collect();
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        self.text.push_str(&format!("[{name} \"{value}\"]\n"));
    }

    fn word(&mut self, word: &str) {
        if !self.text.ends_with(['(', '\n']) {
            self.text.push(' ');
        }
        self.text.push_str(word);
    }

    /// Writes a comment of which nothing but the words is read.
    fn comment(&mut self, words: &str) {
        if !words.is_empty() {
            let plain = |char: char| match char {
                '{' | '[' => '(',
                '}' | ']' => ')',
                char if char.is_control() => ' ',
                char => char,
            };
            let words: String = words.chars().map(plain).collect();
            self.word(&format!("{{{words}}}"));
        }
    }

    /// Writes a comment of a game.
    fn quote(&mut self, comment: &str) {
        let plain = |char: char| match char {
            '{' => '(',
            '}' => ')',
            char if char.is_control() => ' ',
            char => char,
        };
        let comment: String = comment.chars().map(plain).collect();
        self.word(&format!("{{{comment}}}"));
    }

    /// Writes the moves of the current node and everything behind them.
    fn line(&mut self, position: &Position) {
        let mut position = position.clone();
        let mut entered = 0;
        loop {
            let mut moves = self.guide.tree.range(self.guide.node());
            let Some(first) = moves.next().and_then(|at| self.guide.play(at, &position)) else {
                break;
            };
            self.played(&first, &position);
            for at in moves {
                let Some(other) = self.guide.play(at, &position) else {
                    continue;
                };
                self.word("(");
                self.played(&other, &position);
                if other.fate == Fate::GoesOn {
                    self.guide.enter(&other);
                    self.line(&other.after);
                    self.guide.leave();
                }
                self.text.push(')');
            }
            if first.fate != Fate::GoesOn {
                break;
            }
            self.guide.enter(&first);
            entered += 1;
            position = first.after;
        }
        (0..entered).for_each(|_| self.guide.leave());
    }

    fn played(&mut self, played: &Played<'_>, before: &Position) {
        let Self { guide, style, .. } = self;
        let edge = played.edge;
        let note = style.note(guide.tree, edge);
        // What people wrote comes before what follows from results.
        let by_score =
            style.glyph(guide.tree, edge, before.turn()).filter(|_| note.is_none_or(|note| note.glyph().is_none()));
        let nags: Vec<u8> = note.map_or(&[][..], |note| &note.nags).iter().copied().chain(by_score).collect();
        let mut words = vec![style.words(edge.counts, edge.year)];
        words.extend(guide.goes_on(played));
        if played.fate == Fate::Ends {
            words.extend(style.models(guide.tree, edge.to));
        }
        words.retain(|words| !words.is_empty());
        self.word(&played.played.to_san(before));
        nags.iter().for_each(|nag| self.word(&format!("${nag}")));
        note.map_or(&[][..], |note| &note.comments).iter().for_each(|comment| self.quote(comment));
        self.comment(&words.join("; "));
    }
}

#[cfg(test)]
mod tests {
    use crate::options::TreeOptions;
    use crate::testing::{from, tree, written};
    use crate::write::{Remarks, TreeFormat, TreeStyle};

    #[test]
    fn the_title_and_the_start_are_tags() {
        let style = TreeStyle { title: "A \"b\" \\ c\nd".to_owned(), remarks: Remarks::NONE, ..TreeStyle::default() };
        let of = |options: &TreeOptions| written(&tree("1. e4 *\n", options), TreeFormat::Pgn, &style).0;
        let event = "[Event \"A \\\"b\\\" \\\\ c d\"]\n";
        let text = of(&TreeOptions::default());
        assert!(text.starts_with(event) && text.ends_with("\n\n1. e4 *\n\n"), "{text}");
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let text = of(&from(fen));
        assert!(text.starts_with(event) && text.contains(&format!("[FEN \"{fen}\"]\n")), "{text}");
    }

    #[test]
    fn control_characters_of_games_are_blanks() {
        let game = "[White \"A\u{7}B\"]\n[Black \"C\"]\n\n1. e4 {D\u{7}E [%cal e2e4] {F} *\n";
        let remarks = Remarks { words: true, models: true, ..Remarks::NONE };
        let style = TreeStyle { remarks, ..TreeStyle::default() };
        let options = TreeOptions { notes: true, models: 1, ..TreeOptions::default() };
        let text = written(&tree(game, &options), TreeFormat::Pgn, &style).0;
        assert!(!text.contains('\u{7}') && text.contains("A B - C") && text.contains("{D E"), "{text}");
    }
}
