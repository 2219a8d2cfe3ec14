//! The movetext of a game: its moves as SAN, with comments, NAGs and variations.
//!
//! A move that cannot be played ends its line. Other damage loses no move: it is told by a word behind the last move,
//! so that readers report it, and have read all moves before.

use pgn2fen_chess::castling::CastlingSide;
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::piece::{Color, Role};
use pgn2fen_chess::position::Position;

use crate::chessbase::annotations::{Annotations, Item};
use crate::chessbase::comment::{CommentWriter, nags};
use crate::chessbase::short::{Word, append_lines, append_main_line};
use crate::chessbase::start::Start;
use crate::chessbase::texts::Texts;
use crate::chessbase::tree::{DEEPEST, Mode, StoredMove, Tree};
use crate::database::words::{Words, is_playable};
use crate::games::GameParts;
use pgn2fen_pgn::token::Outcome;

/// Writes movetext, one game after another.
#[derive(Debug, Default)]
pub(super) struct MovetextWriter {
    words: Words,
    comments: CommentWriter,
    /// The words of a game with variations.
    short: Tree<Word>,
    /// The lines around the current variation.
    outer: Vec<Line>,
}

/// The moves of a game and what belongs to them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moves<'g> {
    pub(super) tree: &'g Tree,
    pub(super) annotations: &'g Annotations<'g>,
    pub(super) texts: &'g Texts,
    /// The number of moves of the main line that the index states.
    pub(super) stated: u8,
}

/// A place in a line of moves.
#[derive(Clone, Debug)]
struct Line {
    position: Position,
    /// The node that is played next.
    next: Option<usize>,
    /// The position before the last move, if there are alternatives to it that have not been written, and their first
    /// node.
    alternatives: Option<(Position, usize)>,
    /// Whether a move of the line has been played.
    is_begun: bool,
}

impl AsRef<Position> for Line {
    fn as_ref(&self) -> &Position {
        &self.position
    }
}

impl Line {
    fn new(position: Position, next: Option<usize>) -> Self {
        Self { position, next, alternatives: None, is_begun: false }
    }
}

impl MovetextWriter {
    /// Returns a writer of these parts of games.
    pub(super) fn new(parts: GameParts) -> Self {
        Self { words: Words::new(parts), ..Self::default() }
    }

    /// Returns the parts of games that are written.
    pub(super) fn parts(&self) -> GameParts {
        self.words.parts
    }

    /// Returns the movetext of a game with its result, without the last line break. `None` if it has comments, if its
    /// moves are to be as the export format has them, or if they may be damaged.
    pub(super) fn write_short(
        &mut self,
        start: &Start,
        (bytes, mode): (&[u8], Mode),
        annotations: &Annotations<'_>,
        stated: u8,
        result: Outcome,
    ) -> Option<&[u8]> {
        let GameParts { comments, variations, spelling, .. } = self.words.parts;
        if spelling || comments && annotations.has_items() || annotations.damage.is_some() {
            return None;
        }
        let is_whole = |plies| agrees(stated, plies, start.setup.turn);
        self.words.clear();
        if self.words.lines(|text| append_main_line((bytes, mode), start, variations, text)).is_some_and(is_whole) {
            return Some(self.words.end(result));
        }
        if !variations {
            return None;
        }
        self.short.decode(bytes, mode, start);
        if self.short.damage.is_some() || !is_whole(self.short.main_line().count()) {
            return None;
        }
        self.words.clear();
        self.words.lines(|text| append_lines(&self.short.nodes, text))?;
        Some(self.words.end(result))
    }

    /// Returns the movetext of a game with its result, without the last line break.
    pub(super) fn write(&mut self, start: &Position, moves: Moves<'_>, result: Outcome) -> &[u8] {
        self.words.clear();
        let Moves { tree, annotations, texts, stated } = moves;
        let none = Annotations::default();
        let written = if self.words.parts.comments { annotations } else { &none };
        let before = written.before_moves();
        self.comment_before(before, texts);
        self.annotate(before, None, texts);
        let is_whole = self.write_lines(start, Moves { annotations: written, ..moves });
        let behind = written.behind(tree.nodes.len());
        if !behind.is_empty() {
            self.comment_before(behind, texts);
            self.annotate(behind, None, texts);
        }
        // Behind a move that cannot be played there is an error already.
        if is_whole {
            let plies = tree.main_line().count();
            if let Some(damage) = tree.damage.or(annotations.damage) {
                self.words.damage(damage);
            } else if !agrees(stated, plies, start.turn()) {
                self.words.damage(&format!("the-index-states-{stated}-moves-and-the-record-has-{plies}-plies"));
            }
        }
        self.words.end(result)
    }

    /// Returns the movetext of a game that cannot be read.
    pub(super) fn write_damage(&mut self, damage: &str, result: Outcome) -> &[u8] {
        self.words.clear();
        self.words.damage(damage);
        self.words.end(result)
    }

    /// Writes all lines. Returns whether all moves of the main line could be played.
    fn write_lines(&mut self, start: &Position, moves: Moves<'_>) -> bool {
        let Moves { tree, annotations, texts, .. } = moves;
        self.outer.clear();
        let mut is_whole = true;
        let mut line = Line::new(start.clone(), (!tree.nodes.is_empty()).then_some(0));
        loop {
            if let Some((before, first)) = line.alternatives.take() {
                let next = tree.nodes[first].alternative as usize;
                let inner = Line::new(before.clone(), Some(first));
                line.alternatives = (next > 0).then_some((before, next));
                if self.outer.len() == DEEPEST {
                    self.words.damage("a-variation-is-too-deep-in-others");
                    continue;
                }
                self.words.open();
                self.outer.push(std::mem::replace(&mut line, inner));
                continue;
            }
            let Some(number) = line.next else {
                let Some(outer) = self.outer.pop() else { return is_whole };
                self.words.close();
                line = outer;
                continue;
            };
            let node = tree.nodes[number];
            let items = annotations.of_move(number);
            self.comment_before(items, texts);
            match to_move(node.kept, &line.position) {
                Ok(m) if is_playable(&line.position, m) => {
                    // The alternatives to the first move of a variation are those of the line around it.
                    if self.words.parts.variations && node.alternative > 0 && (line.is_begun || self.outer.is_empty()) {
                        line.alternatives = Some((line.position.clone(), node.alternative as usize));
                    }
                    let mover = line.position.turn();
                    self.words.ply(&mut line, m, |line| line.position.play_unchecked(m));
                    self.annotate(items, Some(mover), texts);
                    line.next = (!node.is_last).then_some(number + 1);
                    line.is_begun = true;
                }
                refused => {
                    match refused {
                        Ok(m) => self.words.illegal(m),
                        Err(Refusal::Castling(side)) => self.words.no_castling(side),
                        Err(Refusal::Byte(byte)) => self.words.no_move(byte),
                    }
                    is_whole &= !self.outer.is_empty();
                    line.next = None;
                }
            }
        }
    }

    fn comment_before(&mut self, items: &[Item<'_>], texts: &Texts) {
        if !items.is_empty() {
            self.words.comment(self.comments.before(items, texts));
        }
    }

    /// Writes the NAGs and the comment behind a move.
    fn annotate(&mut self, items: &[Item<'_>], mover: Option<Color>, texts: &Texts) {
        if items.is_empty() {
            return;
        }
        for nag in nags(items) {
            self.words.nag(nag);
        }
        self.words.comment(self.comments.after(items, mover, texts));
    }
}

/// Whether a number of plies is the number of moves that the index states. From 255 moves on, it states 255. If Black
/// begins, that move may count as one.
fn agrees(stated: u8, plies: usize, first: Color) -> bool {
    let moves = [plies, plies + usize::from(first == Color::Black && plies > 0)].map(|plies| plies.div_ceil(2));
    moves.iter().any(|moves| (*moves).min(usize::from(u8::MAX)) == usize::from(stated))
}

/// Why a stored move is no move.
#[derive(Clone, Copy, Debug)]
enum Refusal {
    Castling(CastlingSide),
    Byte(u8),
}

/// Returns a stored move as a move in a position. It need not be legal.
#[inline]
fn to_move(stored: StoredMove, position: &Position) -> Result<Move, Refusal> {
    match stored {
        StoredMove::Pass => Ok(Move::Null),
        StoredMove::Castle(side) => position.castling_move(side).ok_or(Refusal::Castling(side)),
        StoredMove::None(byte) => Err(Refusal::Byte(byte)),
        StoredMove::Piece { from, to, promotion } => {
            let role = position.board().piece_at(from).map_or(Role::Pawn, |piece| piece.role);
            if role == Role::Pawn && from.file() != to.file() && position.ep() == Some(to) {
                return Ok(Move::EnPassant { from, to });
            }
            Ok(Move::Normal { role, from, to, promotion })
        }
    }
}
