//! Writes games with comments where they leave a repertoire.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::compare::games::visit;
use crate::compare::judge::judge;
use crate::compare::{Leaving, Left};
use crate::repertoire::Repertoire;
use crate::write::guide::{append_move, numbered};
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::position::Position;
use pgn2fen_games::export::Exporter;
use pgn2fen_games::job_methods;
use pgn2fen_games::pgn::games::Games;
use pgn2fen_games::replay::{ReplayOptions, VariantPolicy};
use pgn2fen_games::walk::{BlockResult, GameTask, Job, OpenGame, Out, Output, OutputStages, Played, ReadOptions, Walk};

/// The greatest number of plies of the first variation that shows what the repertoire has.
const SHOWN_PLIES: usize = 8;

/// Annotates games: a comment tells where a game leaves a repertoire, and variations have the moves of the repertoire.
///
/// The games are written in the [export format](pgn2fen_games::export). Their comments and variations stay.
#[derive(Clone, Debug)]
pub struct Annotator {
    repertoire: Arc<Repertoire>,
    side: Color,
    exporter: Exporter,
    /// The ways to leave the repertoire whose games are written. All if it is empty.
    leaving: Vec<Leaving>,
}

/// A text that is inserted into the movetext of a game.
struct Insertion {
    /// The ply behind whose move it is inserted; 0 for before the first move.
    ply: u32,
    text: String,
}

impl Annotator {
    /// Creates an annotator for a repertoire for this side.
    pub fn new(repertoire: Arc<Repertoire>, side: Color) -> Self {
        Self { repertoire, side, exporter: Exporter::default(), leaving: Vec::new() }
    }

    /// Sets which games are written: those that leave the repertoire in one of these ways. All if there are none.
    #[must_use]
    pub fn leaving(self, leaving: Vec<Leaving>) -> Self {
        Self { leaving, ..self }
    }

    /// Appends the game of a text with annotations. Returns whether there was one to write: one with a usable starting
    /// position, which leaves the repertoire in a [chosen](Self::leaving) way.
    pub fn append(&self, game: &[u8], out: &mut Vec<u8>) -> bool {
        let mut exported = Vec::new();
        let game = Games::new(game).next();
        let written = game.map(|game| self.exporter.append(&game, &ReplayOptions::default(), &mut exported));
        matches!(written, Some(Ok(_))) && self.annotate(&exported, out)
    }

    /// Appends a game, which has been exported, with annotations. Returns whether it was chosen.
    fn annotate(&self, exported: &[u8], out: &mut Vec<u8>) -> bool {
        let game = Games::new(exported).next();
        let Some((game, Ok(mut replay))) = game.map(|game| (game.clone(), game.replay())) else {
            out.extend_from_slice(exported);
            return true;
        };
        let (mut visits, mut errors, mut returns) = (Vec::new(), Vec::new(), Vec::new());
        visit(&self.repertoire, &mut replay, &mut visits, &mut errors);
        let left = judge(&self.repertoire, self.side, &visits, &mut returns);
        if !self.leaving.is_empty() && !self.leaving.contains(&left.leaving) {
            return false;
        }
        let last = replay.last_ply();
        let mut insertions: Vec<Insertion> = returns.iter().map(|left| self.comes_back(left)).collect();
        insertions.push(self.leaves(left, last));

        let mut text = Vec::with_capacity(exported.len() + 256);
        let mut copied = 0;
        let mut insertions = insertions.into_iter().peekable();
        let mut insert = |at: usize, insertion: Insertion| {
            text.extend_from_slice(&exported[copied..at]);
            text.push(b' ');
            text.extend_from_slice(insertion.text.as_bytes());
            text.push(b' ');
            copied = at;
        };
        if let Some(insertion) = insertions.next_if(|insertion| insertion.ply == 0) {
            let start = exported.windows(2).position(|pair| pair == b"\n\n").map_or(0, |at| at + 2);
            insert(start, insertion);
        }
        if let Ok(mut replay) = game.replay() {
            while let Some(Ok(played)) = replay.next_ply() {
                if let Some(insertion) = insertions.next_if(|insertion| insertion.ply == played.number) {
                    let start = (played.san.as_ptr() as usize).checked_sub(exported.as_ptr() as usize);
                    let end = start.map(|start| start + played.san.len()).filter(|end| *end <= exported.len());
                    if let Some(end) = end {
                        insert(behind_notes(exported, end), insertion);
                    }
                }
            }
        }
        text.extend_from_slice(&exported[copied..]);
        // The exporter numbers the moves and breaks the lines.
        let written = Games::new(&text).next().map(|game| {
            let errors = self.exporter.append(&game, &ReplayOptions::default(), out);
            debug_assert!(matches!(&errors, Ok(errors) if errors.is_empty()), "{errors:?}");
        });
        debug_assert!(written.is_some());
        true
    }

    /// Returns the annotation where a game leaves the repertoire and comes back.
    fn comes_back(&self, left: &Left) -> Insertion {
        let who = self.mover(left);
        Insertion { ply: left.ply + 1, text: format!("{{{who} leaves the repertoire, and comes back to it later}}") }
    }

    /// Returns the name of the side that leaves the repertoire.
    fn mover(&self, left: &Left) -> &'static str {
        self.repertoire.turn(left.node).pick("White", "Black")
    }

    /// Returns the annotation where a game leaves the repertoire for good. `last` is its last ply.
    fn leaves(&self, left: Left, last: u32) -> Insertion {
        match left.leaving {
            Leaving::Never => Insertion { ply: 0, text: "{Not a game of the repertoire}".to_owned() },
            Leaving::Within => Insertion { ply: last, text: "{The game ends on the repertoire}".to_owned() },
            Leaving::LineEnd => Insertion { ply: left.ply, text: "{The line of the repertoire ends here}".to_owned() },
            Leaving::Player => {
                let text = format!("{{{} leaves the repertoire}}", self.mover(&left));
                Insertion { ply: left.ply + 1, text: text + &self.variations(left.node) }
            }
            Leaving::Opponent => {
                let text = "{The repertoire lacks this move}".to_owned();
                Insertion { ply: left.ply + 1, text: text + &self.variations(left.node) }
            }
        }
    }

    /// Returns the moves of the repertoire in a position as variations. The first one shows how it goes on.
    fn variations(&self, number: u32) -> String {
        let (tree, node) = self.repertoire.place(number);
        let position = tree.node_at(node).position();
        let mut text = String::new();
        for (nth, at) in tree.range(node).enumerate() {
            let most = if nth == 0 { SHOWN_PLIES } else { 1 };
            let (mut line, mut position, mut at) = (String::new(), position.clone(), at);
            for _ in 0..most {
                let edge = tree.edge(at);
                let Some(m) = edge.next.find(&position) else {
                    break;
                };
                append_move(&position, &m.to_san(&position), &mut line);
                position.play_unchecked(m);
                match tree.range(edge.to).next() {
                    Some(first) => at = first,
                    None => break,
                }
            }
            if !line.is_empty() {
                text.push_str(&format!(" ({line})"));
            }
        }
        text
    }
}

/// Returns the moves of the repertoire in a position, each with its number, and in UCI.
pub(super) fn expected(repertoire: &Repertoire, number: u32, position: &Position) -> Vec<String> {
    let (tree, node) = repertoire.place(number);
    let moves = tree.range(node).filter_map(|at| tree.edge(at).next.find(position));
    moves.map(|m| numbered(position, &m.to_san(position), true)).collect()
}

/// Returns the place behind the glyphs and the comments that follow a move in exported text.
fn behind_notes(text: &[u8], end: usize) -> usize {
    let mut behind = end;
    loop {
        let blanks = text[behind..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let at = behind + blanks;
        behind = match text.get(at) {
            Some(b'$') => at + 1 + text[at + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count(),
            Some(b'{') => match text[at..].iter().position(|byte| *byte == b'}') {
                Some(length) => at + length + 1,
                None => return behind,
            },
            _ => return behind,
        };
    }
}

/// A job that writes games as PGN with annotations: see [`Annotator`]. A game without a usable starting position is not
/// written.
#[derive(Debug)]
pub struct AnnotateGames<W>(Walk<MakeAnnotated, Written<W>>);

impl<W: Write + Send> AnnotateGames<W> {
    /// Creates a job that writes games to an output.
    pub fn new(annotator: Annotator, read: ReadOptions, output: W) -> Self {
        let written = Written { output, games: 0, failure: None };
        Self(Walk::new(MakeAnnotated(annotator), written, read))
    }

    /// Returns the output and the number of games that were written.
    ///
    /// # Errors
    ///
    /// The output could not be written.
    pub fn finish(self) -> io::Result<(W, u64)> {
        let Written { output, games, failure } = self.0.end().0;
        failure.map_or(Ok((output, games)), Err)
    }
}

impl<W: Write + Send> Job for AnnotateGames<W> {
    job_methods!(0);
}

#[derive(Debug)]
struct MakeAnnotated(Annotator);

/// The games of a block, as text.
#[derive(Debug, Default)]
struct AnnotatedText {
    games: u64,
    bytes: Vec<u8>,
}

impl BlockResult for AnnotatedText {
    type Mark = (u64, usize);

    fn mark(&self) -> Self::Mark {
        (self.games, self.bytes.len())
    }

    fn go_back_to(&mut self, (games, bytes): Self::Mark) {
        self.games = games;
        self.bytes.truncate(bytes);
    }

    fn weight(&self) -> usize {
        self.bytes.len()
    }

    fn retain(&mut self, _: &[bool]) {}
}

impl GameTask for MakeAnnotated {
    type BlockResult = AnnotatedText;

    /// A repertoire is one of chess.
    fn variants(&self) -> VariantPolicy {
        VariantPolicy::Refuse
    }

    fn needs_offsets(&self) -> bool {
        false
    }

    fn game(&self, game: &mut OpenGame<'_, '_>, out: &mut Out<'_, AnnotatedText>) -> Played {
        let (start, tags, encoding) = (game.start, game.tags, game.encoding);
        let Some(replay) = game.replay() else {
            return Played::default();
        };
        let mut exported = Vec::new();
        let errors = self.0.exporter.append_replay(start, tags, encoding, replay, &mut exported);
        let is_written = self.0.annotate(&exported, &mut out.made.bytes);
        if !is_written {
            return Played::UNWANTED;
        }
        out.made.games += 1;
        Played { errors, positions: 1, ..Played::default() }
    }
}

#[derive(Debug)]
struct Written<W> {
    output: W,
    games: u64,
    /// The error that ended the writing.
    failure: Option<io::Error>,
}

impl<W: Write + Send> Output<AnnotatedText> for Written<W> {
    fn stages(&mut self) -> OutputStages<'_, AnnotatedText> {
        OutputStages::deliver(|text: &mut AnnotatedText| match self.output.write_all(&text.bytes) {
            Ok(()) => {
                self.games += text.games;
                ControlFlow::Continue(())
            }
            Err(error) => {
                self.failure = Some(error);
                ControlFlow::Break(())
            }
        })
    }

    fn is_full(&self) -> bool {
        self.failure.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::{AnnotatedText, BlockResult};

    #[test]
    fn the_weight_of_games_is_that_of_their_text() {
        assert_eq!(AnnotatedText { games: 1, bytes: vec![b'x'; 100] }.weight(), 100);
    }
}
