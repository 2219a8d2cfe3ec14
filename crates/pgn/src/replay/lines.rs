//! The tree of a game: its main line and its variations, with comments, glyphs, clocks and evaluations.

use std::sync::Arc;

use pgn2fen_chess::castling::CastlingRules;
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::position::Position;

use crate::annotation::{
    CommentParts, CommentReading, CommentShape, EngineReport, Eval, EvalSource, append_comment, shapes,
};
use crate::diagnostic::Diagnostic;
use crate::encoding::Fallback;
use crate::replay::moves::{Event, Moves};

/// A sequence of moves: the main line of a game, or a variation.
///
/// ```
/// use pgn2fen_pgn::encoding::Fallback;
/// use pgn2fen_pgn::games::Games;
/// use pgn2fen_pgn::replay::{Line, ReplayOptions};
///
/// let mut games = Games::new(b"1. e4 {best by test} (1. d4 d5) 1... c5 *");
/// let game = games.next().expect("there is a game");
/// let options = ReplayOptions::default();
/// let mut errors = Vec::new();
/// let line = Line::read(&mut game.moves_with(&options)?, &Fallback::default(), &mut errors);
/// assert_eq!((line.moves.len(), &*line.moves[0].text), (2, "e4"));
/// assert_eq!(line.moves[0].notes.comments, ["best by test"]);
/// assert_eq!(line.moves[0].notes.variations[0].moves.len(), 2);
/// # Ok::<(), pgn2fen_pgn::diagnostic::Diagnostic>(())
/// ```
#[derive(Debug)]
pub struct Line {
    /// The position before the first move.
    pub start: Position,
    /// The rules by which the game castles.
    pub castling: CastlingRules,
    /// Whether the position is known. If it is not, the line has no moves.
    pub has_start: bool,
    /// What is written before the first move.
    pub before: MoveNotes,
    /// The moves.
    pub moves: Vec<LineMove>,
    /// The text behind an error in the line, which was not read.
    pub unread: Vec<String>,
}

/// The greatest part of a game that is read.
#[derive(Clone, Copy, Debug)]
pub struct Most {
    /// The number of moves, those of variations included.
    pub moves: usize,
    /// The number of variations within each other.
    pub nested: usize,
}

impl Most {
    /// The whole game.
    pub const ALL: Self = Self { moves: usize::MAX, nested: usize::MAX };
}

/// A move of a line, and what is written behind it.
#[derive(Debug)]
pub struct LineMove {
    /// The move.
    pub played: Move,
    /// The number of the ply in its game, from 1.
    pub ply: u32,
    /// The move as it is written.
    pub text: Box<str>,
    /// The position after the move.
    pub after: Position,
    /// What is written behind the move.
    pub notes: MoveNotes,
}

/// Comments, glyphs and variations between two moves.
#[derive(Debug, Default)]
pub struct MoveNotes {
    /// The comments, as they are written.
    pub comments: Vec<String>,
    /// The glyphs: numbers from 0 to 255 (PGN standard §10).
    pub nags: Vec<u8>,
    /// The search whose evaluation is that of the position, from White's point of view.
    pub search: Option<EngineReport>,
    /// The clock, in seconds.
    pub clk: Option<f64>,
    /// The variations that replace the move.
    pub variations: Vec<Arc<Line>>,
    /// The order in which they are written: `n` for a glyph, `c` for a comment, `v` for a variation. Empty if it is
    /// the usual one: glyphs, comments, variations.
    pub order: String,
}

impl MoveNotes {
    fn add_comment(&mut self, comment: String) {
        self.note_order('c', !self.variations.is_empty());
        self.comments.push(comment);
    }

    fn add_nag(&mut self, nag: u8) {
        self.note_order('n', !self.comments.is_empty() || !self.variations.is_empty());
        self.nags.push(nag);
    }

    fn add_variation(&mut self, variation: Line) {
        self.note_order('v', false);
        self.variations.push(Arc::new(variation));
    }

    /// Notes that a note follows. `is_late` tells whether it would usually stand before one that is there.
    fn note_order(&mut self, note: char, is_late: bool) {
        if self.order.is_empty() && is_late {
            self.order = self.usual_order().collect();
        }
        if is_late || !self.order.is_empty() {
            self.order.push(note);
        }
    }

    /// Returns the order in which the notes are usually written.
    pub(crate) fn usual_order(&self) -> impl Iterator<Item = char> {
        let counts = [('n', self.nags.len()), ('c', self.comments.len()), ('v', self.variations.len())];
        counts.into_iter().flat_map(|(note, count)| std::iter::repeat_n(note, count))
    }

    /// Returns the search; an empty one if there is none.
    pub fn search(&self) -> EngineReport {
        self.search.unwrap_or_default()
    }

    /// Returns the comments as one text: see [`append_comment`].
    pub fn comment(&self) -> String {
        let mut text = String::new();
        self.comments.iter().for_each(|comment| append_comment(&mut text, comment));
        text
    }

    /// Returns the words of people in the comments, with a space between two comments: see [`CommentParts::words`].
    pub fn words(&self) -> String {
        let mut text = String::new();
        self.comments.iter().for_each(|comment| append_comment(&mut text, &CommentParts::of(comment).words));
        text
    }

    /// Returns the arrows and circles in the comments.
    pub fn shapes(&self) -> Vec<CommentShape> {
        self.comments.iter().flat_map(|comment| shapes(comment)).collect()
    }

    /// Returns the evaluation of the position, which has this side to move, in centipawns from White's point of view:
    /// see [`Eval::centipawns`].
    pub fn centipawns(&self, turn: Color) -> Option<i32> {
        self.search().eval.map(|eval| eval.centipawns(turn))
    }
}

impl Line {
    /// Reads the main line and its variations, and adds their errors. Evaluations are read from the comments of the
    /// kind that the options of the replay choose. Variations may be nested deeply, so the function is not recursive.
    pub fn read(moves: &mut Moves<'_>, encoding: &Fallback, errors: &mut Vec<Diagnostic>) -> Self {
        Self::read_at_most(moves, Most::ALL, encoding, errors).0
    }

    /// Reads a part of a game, as [`read`](Self::read) does, and returns whether something was left out. What is left
    /// out is played over all the same, so that its errors and the result of the game are found.
    pub fn read_at_most(
        moves: &mut Moves<'_>,
        most: Most,
        encoding: &Fallback,
        errors: &mut Vec<Diagnostic>,
    ) -> (Self, bool) {
        let evals = moves.choose_evals();
        let castling = moves.castling_rules();
        let mut line = Self::begin(moves.after(), castling);
        // The lines to which the open variations belong.
        let mut outer = Vec::new();
        // The number of moves that were read, and how many variations are open that are left out.
        let (mut count, mut skipped, mut is_cut) = (0_usize, 0_usize, false);
        // The error in the innermost variation.
        let mut broken: Option<Diagnostic> = None;
        while let Some(event) = moves.next() {
            let is_full = count >= most.moves;
            match event {
                Ok(Event::VariationStart) if skipped > 0 || is_full || outer.len() >= most.nested => {
                    (skipped, is_cut) = (skipped + 1, true);
                }
                Ok(Event::VariationEnd) if skipped > 0 => skipped -= 1,
                Ok(Event::VariationEnd) => {
                    if let Some(error) = broken.take() {
                        line.add_unread(moves.unread_in_variation(&error), encoding);
                    }
                    line.end_variation(&mut outer);
                }
                Ok(Event::Move(_)) if is_full => is_cut = true,
                // What is written behind a move that was left out.
                Ok(_) if skipped > 0 || (is_full && is_cut) => {}
                Ok(Event::Move(ply)) => {
                    count += 1;
                    line.moves.push(LineMove {
                        played: ply.played,
                        ply: ply.number,
                        text: encoding.decode(ply.san).into(),
                        after: moves.after().clone(),
                        notes: MoveNotes::default(),
                    });
                }
                Ok(Event::Comment(comment)) => {
                    let notes = line.notes();
                    notes.add_comment(encoding.decode(comment.0).into_owned());
                    notes.clk = notes.clk.or_else(|| moves.clock(comment));
                    if let CommentReading::Read(search) = evals.read(comment.0) {
                        line.add_search(search, evals);
                    }
                }
                Ok(Event::Nag(nag)) => line.notes().add_nag(nag),
                Ok(Event::VariationStart) => {
                    outer.push(std::mem::replace(&mut line, Self::begin(moves.after(), castling)));
                }
                Err(error) => {
                    if moves.depth() == 0 {
                        moves.unread(&error).into_iter().for_each(|text| line.add_unread(text, encoding));
                    } else if skipped == 0 {
                        broken = Some(error.clone());
                    }
                    errors.push(error);
                }
            }
        }
        while !outer.is_empty() {
            line.end_variation(&mut outer);
        }
        (line, is_cut)
    }

    fn begin(start: &Position, castling: CastlingRules) -> Self {
        let (before, moves, unread) = (MoveNotes::default(), Vec::new(), Vec::new());
        Self { start: start.clone(), castling, has_start: true, before, moves, unread }
    }

    fn add_unread(&mut self, text: &[u8], encoding: &Fallback) {
        if !text.trim_ascii().is_empty() {
            self.unread.push(encoding.decode(text).into_owned());
        }
    }

    /// Goes back to the line to which a variation belongs.
    fn end_variation(&mut self, outer: &mut Vec<Self>) {
        if let Some(line) = outer.pop() {
            let variation = std::mem::replace(self, line);
            self.notes().add_variation(variation);
        }
    }

    /// Returns the line of a game without a usable starting position. It has no moves.
    pub fn unplayable() -> Self {
        Self { has_start: false, ..Self::begin(&Position::initial(), CastlingRules::Standard) }
    }

    /// Returns the notes behind the last move.
    fn notes(&mut self) -> &mut MoveNotes {
        self.notes_at(self.moves.len())
    }

    /// Adds what a comment behind the last move says about a position: that after the move, or that before it. Of
    /// several comments, the first counts.
    fn add_search(&mut self, mut search: EngineReport, evals: EvalSource) {
        let at = self.moves.len();
        let at = if evals.is_of_position_before() { at.checked_sub(1) } else { Some(at) };
        // Before the first move, there is no search.
        let Some(at) = at else {
            return;
        };
        if evals.is_from_mover() && self.before(at).turn() == Color::Black {
            search.eval = search.eval.map(Eval::reversed);
        }
        self.notes_at(at).search.get_or_insert(search);
    }

    /// Returns the notes of the position after this number of moves.
    fn notes_at(&mut self, at: usize) -> &mut MoveNotes {
        match at.checked_sub(1) {
            None => &mut self.before,
            Some(last) => &mut self.moves[last].notes,
        }
    }

    /// Returns the position before a move, which is given by its number from 0.
    pub fn before(&self, at: usize) -> &Position {
        at.checked_sub(1).map_or(&self.start, |before| &self.moves[before].after)
    }

    /// Returns the position before the first move, and that after each move. None if the first is not known.
    pub fn positions(&self) -> impl DoubleEndedIterator<Item = &Position> {
        let count = if self.has_start { self.moves.len() + 1 } else { 0 };
        (0..count).map(|number| self.before(number))
    }

    /// Returns the position after the last move.
    pub fn end(&self) -> &Position {
        self.before(self.moves.len())
    }
}

#[cfg(test)]
mod tests {
    use super::{Line, LineMove, Most, MoveNotes};
    use crate::annotation::Eval;
    use crate::encoding::Fallback;
    use crate::games::Games;
    use crate::replay::ReplayOptions;

    /// Reads a part of a game, and returns it with whether something was left out, and the number of errors.
    fn read_at_most(text: &str, most: Most) -> (Line, bool, usize) {
        let game = Games::new(text.as_bytes()).next().expect(text);
        let mut errors = Vec::new();
        let mut moves = game.moves_with(&ReplayOptions::default()).expect(text);
        let (line, is_cut) = Line::read_at_most(&mut moves, most, &Fallback::default(), &mut errors);
        (line, is_cut, errors.len())
    }

    fn read(text: &str) -> Line {
        read_at_most(text, Most::ALL).0
    }

    /// Writes the moves of a line, with comments in braces and variations in parentheses.
    fn shown(line: &Line) -> String {
        let notes = |notes: &MoveNotes| {
            let comments = notes.comments.iter().map(|comment| format!("{{{comment}}}"));
            comments.chain(notes.variations.iter().map(|line| format!("({})", shown(line)))).collect::<Vec<_>>()
        };
        let mut words = notes(&line.before);
        for LineMove { text, notes: behind, .. } in &line.moves {
            words.push(text.to_string());
            words.extend(notes(behind));
        }
        words.extend(line.unread.iter().map(|text| format!("?{text}")));
        words.join(" ")
    }

    #[test]
    fn a_game_is_a_tree_of_lines() {
        let line = read("{a} 1. e4 {b} (1. d4 {c} d5 (1... Nf6 {d}) 2. c4) (1. c4) 1... e5 {e} *");
        assert_eq!(shown(&line), "{a} e4 {b} (d4 {c} d5 (Nf6 {d}) c4) (c4) e5 {e}");
        assert_eq!(line.moves.iter().map(|m| m.ply).collect::<Vec<_>>(), [1, 2]);
        assert_eq!((line.positions().count(), line.end() == &line.moves[1].after), (3, true));
        assert_eq!(Line::unplayable().positions().count(), 0);
    }

    #[test]
    fn a_part_of_a_game_has_so_many_moves_and_variations_within_each_other() {
        let text = "1. e4 (1. d4 d5 (1... Nf6 (1... e6)) 2. c4) 1... e5 (1... c5 2. Nf3) 2. Nc3 {x} *";
        for (moves, nested, expected) in [
            (10, 3, "e4 (d4 d5 (Nf6 (e6)) c4) e5 (c5 Nf3) Nc3 {x}"),
            (11, 9, "e4 (d4 d5 (Nf6 (e6)) c4) e5 (c5 Nf3) Nc3 {x}"),
            (9, 9, "e4 (d4 d5 (Nf6 (e6)) c4) e5 (c5 Nf3)"),
            (5, 9, "e4 (d4 d5 (Nf6 (e6)))"),
            (2, 9, "e4 (d4)"),
            (10, 2, "e4 (d4 d5 (Nf6) c4) e5 (c5 Nf3) Nc3 {x}"),
            (10, 1, "e4 (d4 d5 c4) e5 (c5 Nf3) Nc3 {x}"),
            (10, 0, "e4 e5 Nc3 {x}"),
            (0, 9, ""),
        ] {
            let (line, is_cut, errors) = read_at_most(text, Most { moves, nested });
            assert_eq!(
                (shown(&line).as_str(), is_cut, errors),
                (expected, moves < 10 || nested < 3, 0),
                "{moves} {nested}"
            );
        }
    }

    #[test]
    fn the_text_behind_an_error_belongs_to_its_line() {
        let (line, _, errors) = read_at_most("1. e4 (1. d4 Kd7 2. c4) 1... e5 2. Ke3 Nf6 *", Most::ALL);
        assert_eq!((shown(&line).as_str(), errors), ("e4 (d4 ?Kd7 2. c4) e5 ?Ke3 Nf6 ", 2));
        let (line, _, errors) = read_at_most("1. e4 (1. d4 (1. c4 Kd7)) 1... e5 *", Most { moves: 9, nested: 1 });
        assert_eq!((shown(&line).as_str(), errors), ("e4 (d4) e5", 1));
    }

    #[test]
    fn notes_tell_their_order_if_it_is_not_the_usual_one() {
        let order = |text: &str| read(text).moves[0].notes.order.clone();
        assert_eq!(order("1. e4 $1 {a} (1. d4) *"), "");
        assert_eq!(order("1. e4 {a} $1 *"), "cn");
        assert_eq!(order("1. e4 $1 (1. d4) {a} (1. c4) *"), "nvcv");
        assert_eq!(order("1. e4 (1. d4) $1 {b} *"), "vnc");
    }

    #[test]
    fn comments_tell_words_shapes_and_the_first_search_and_clock() {
        let line = read(
            "1. e4 {[%eval 0.31] good [%clk 1:00:00]} {[%csl Ge4] [%eval 9] [%clk 0:01] move} e5 {[%eval -0.5]} *",
        );
        let notes = &line.moves[0].notes;
        assert_eq!((notes.words().as_str(), notes.shapes().len()), ("good move", 1));
        assert_eq!((notes.search().eval, notes.clk), (Some(Eval::Centipawns(31)), Some(3600.0)));
        assert_eq!(notes.centipawns(line.moves[0].after.turn()), Some(31));
        assert_eq!(line.moves[1].notes.search().eval, Some(Eval::Centipawns(-50)));
        assert_eq!(line.before.search().eval, None);
    }

    #[test]
    fn a_search_is_told_from_the_side_of_white() {
        let line = read("1. e4 {+0.50/20 3s} e5 {-0.30/18 2s} 2. Nf3 {+0.40/19 2s} Nc6 {-0.45/20 1s} *");
        let evals: Vec<_> = line.moves.iter().map(|m| m.notes.search().eval).collect();
        // Each is one of the position in which the move was chosen.
        assert_eq!(line.before.search().eval, Some(Eval::Centipawns(50)));
        assert_eq!(evals, [Some(30), Some(40), Some(45), None].map(|centipawns| centipawns.map(Eval::Centipawns)));
    }
}
