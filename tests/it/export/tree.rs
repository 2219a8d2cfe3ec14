//! A game as a tree, in which it makes no difference where other programs want glyphs and variations.

use pgn2fen_games::pgn::annotation::{CommentReading, EvalSource};
use pgn2fen_games::pgn::games::Game;
use pgn2fen_games::replay::Event;

/// A line of a game: the main line, or a variation.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Tree {
    /// The comments before the first move, in the order of their text.
    comments: Vec<String>,
    moves: Vec<Node>,
    /// Glyphs and variations before the first move, until there is one.
    glyphs: Vec<u8>,
    waiting: Vec<Self>,
}

#[derive(Debug, Default, PartialEq)]
struct Node {
    uci: String,
    glyphs: Vec<u8>,
    /// The comments, in the order of their text.
    comments: Vec<String>,
    variations: Vec<Tree>,
}

impl Tree {
    /// Reads a game up to its first error in the main line.
    pub(crate) fn of(game: &Game<'_>) -> Self {
        let mut open = vec![Self::default()];
        let mut moves = game.moves().unwrap();
        while let Some(event) = moves.next() {
            let line = open.last_mut().unwrap();
            match event {
                Ok(Event::Move(ply)) => {
                    let uci = ply.played.to_uci(moves.castling_rules());
                    line.moves.push(Node { uci, ..Node::default() });
                    let (glyphs, waiting) = (std::mem::take(&mut line.glyphs), std::mem::take(&mut line.waiting));
                    let node = line.moves.last_mut().unwrap();
                    (node.glyphs, node.variations) = (glyphs, waiting);
                }
                Ok(Event::Comment(comment)) => line.comment(plain(&comment.decode())),
                Ok(Event::Nag(glyph)) => match line.moves.last_mut() {
                    Some(node) => node.glyphs.push(glyph),
                    None => line.glyphs.push(glyph),
                },
                Ok(Event::VariationStart) => open.push(Self::default()),
                Ok(Event::VariationEnd) => {
                    let variation = open.pop().unwrap();
                    // The line in which the variation begins has a move, unless it is the main line.
                    let around = open.iter().rposition(|line| !line.moves.is_empty()).unwrap_or(0);
                    let from = open.len() - 1;
                    if variation.moves.is_empty() {
                        let glyphs = variation.glyphs.iter().map(|glyph| format!("${glyph}")).collect::<Vec<_>>();
                        let glyphs = (!glyphs.is_empty()).then(|| glyphs.join(" "));
                        let comments = variation.comments.iter().map(|comment| inert(comment)).chain(glyphs);
                        comments.for_each(|comment| open[from].comment(comment));
                        continue;
                    }
                    let line = if open[from].moves.is_empty() { &mut open[around] } else { &mut open[from] };
                    match line.moves.last_mut() {
                        Some(node) => node.variations.push(variation),
                        None => line.waiting.push(variation),
                    }
                }
                Ok(_) => {}
                Err(_) if moves.depth() > 0 => {}
                Err(_) => break,
            }
        }
        let mut main = open.swap_remove(0);
        let glyphs = std::mem::take(&mut main.glyphs).iter().map(|glyph| format!("${glyph}")).collect::<Vec<_>>();
        if !glyphs.is_empty() {
            main.comment(glyphs.join(" "));
        }
        main.sort();
        main
    }

    /// Drops the comments before and on the first move, and variations without a place.
    pub(crate) fn without_beginning(mut self) -> Self {
        self.comments.clear();
        self.waiting.clear();
        self.moves.iter_mut().take(1).for_each(|node| node.comments.clear());
        self
    }

    /// The moves of the main line.
    pub(crate) fn main_line(&self) -> Vec<&str> {
        self.moves.iter().map(|node| &*node.uci).collect()
    }

    fn comment(&mut self, comment: String) {
        match self.moves.last_mut() {
            Some(node) => node.comments.push(comment),
            None => self.comments.push(comment),
        }
    }

    fn sort(&mut self) {
        self.comments.sort();
        for node in &mut self.moves {
            node.comments.sort();
            node.variations.iter_mut().for_each(Self::sort);
        }
    }
}

/// The words of a comment, without braces if one would end it.
pub(crate) fn plain(comment: &str) -> String {
    let is_blank = |c: char| matches!(c, ' ' | '\t'..='\r' | '\0' | '\u{1a}');
    let words: Vec<&str> = comment.split(is_blank).filter(|word| !word.is_empty()).collect();
    let words = written(&words.join(" "));
    if words.contains('}') { words.replace('{', "(").replace('}', ")") } else { words }
}

/// A text without control characters: white space is a blank, and others are U+FFFD.
pub(crate) fn written(text: &str) -> String {
    text.replace(|c| matches!(c, '\t'..='\r'), " ").replace(|c: char| c.is_ascii_control(), "\u{FFFD}")
}

/// A comment of a line without moves, of which nothing is read.
fn inert(comment: &str) -> String {
    let is_read = |source: EvalSource, text: &str| source.read(text.as_bytes()) != CommentReading::Other;
    let mut text = comment.to_owned();
    if text.contains("[%") {
        text = text.replace('[', "(").replace(']', ")");
    }
    if is_read(EvalSource::Tcec, &text) {
        text = text.replace('=', " =");
    }
    if EvalSource::ALL.into_iter().any(|source| is_read(source, &text)) { format!("({text})") } else { text }
}
