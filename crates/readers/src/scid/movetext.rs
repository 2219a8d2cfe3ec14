//! The movetext of a game: its moves as SAN, with comments, NAGs and variations.
//!
//! A move that cannot be played ends its line. Other damage loses no move of the main line: variations that stand
//! nowhere or have no end, comments that belong to no move, moves that are not those of the index. It is told by a word
//! behind the last move, so that readers report it, and have read all moves before.

use pgn2fen_chess::castling::CastlingSide;
use pgn2fen_chess::fen;

use crate::database::words::{Words, is_playable};
use crate::games::GameParts;
use crate::scid::comments::Comments;
use crate::scid::line::Line;
use crate::scid::outline::{Outline, Survey};
use crate::scid::record::{COMMENT, NAG, Record, VARIATION_END, VARIATION_START};
use pgn2fen_pgn::token::Outcome;

/// Writes movetext, one game after another.
#[derive(Debug, Default)]
pub(super) struct MovetextWriter {
    words: Words,
    /// The lines around the current variation.
    outer: Vec<Place>,
}

/// A place in a line of moves.
#[derive(Clone, Debug)]
struct Place {
    here: Line,
    /// The line before its last move, if it has a move.
    before: Option<Line>,
    /// Whether the rest of the line is left out, because a move cannot be read.
    is_lost: bool,
    /// Whether it is a variation whose parenthesis has been opened.
    is_open: bool,
}

impl Place {
    /// Keeps the line before its next move, where variations begin.
    fn keep(&mut self) {
        match &mut self.before {
            None => self.before = Some(self.here.clone()),
            Some(before) => before.clone_from(&self.here),
        }
    }
}

impl MovetextWriter {
    /// Returns a writer of these parts of games.
    pub(super) fn new(parts: GameParts) -> Self {
        Self { words: Words::new(parts), ..Self::default() }
    }

    /// Returns the movetext of a game with its result, without the last line break. `outline` is what the index states
    /// about the moves.
    pub(super) fn write(&mut self, record: &Record<'_>, result: Outcome, outline: &Outline) -> &[u8] {
        self.words.clear();
        match record.fen.map(fen::read) {
            None => self.write_moves(Line::initial(), record, outline),
            Some(Ok(start)) => match Line::new(start.position) {
                Some(line) => self.write_moves(line, record, outline),
                None => self.words.damage("a-side-has-more-than-16-pieces"),
            },
            // Readers of the text may find a position in it nevertheless, from which the moves were not read.
            Some(Err(_)) => self.words.damage("its-FEN-cannot-be-read"),
        }
        self.words.end(result)
    }

    /// Returns the movetext of a game that cannot be read.
    pub(super) fn write_damage(&mut self, damage: &str, result: Outcome) -> &[u8] {
        self.words.clear();
        self.words.damage(damage);
        self.words.end(result)
    }

    fn write_moves(&mut self, start: Line, record: &Record<'_>, outline: &Outline) {
        let Self { words, outer } = self;
        outer.clear();
        let is_initial = record.fen.is_none();
        let mut survey = Survey::new(&start.position, is_initial);
        let mut place = Place { here: start, before: None, is_lost: false, is_open: false };
        let mut comments = Comments::new(record);
        let mut damage = record.has_too_many_tags.then_some("tags-are-left-out");
        comments.pass_node();
        let moves = record.moves;
        let mut at = 0;
        while let Some(byte) = moves.get(at).copied() {
            at += 1;
            if byte != NAG {
                comments.write_due(words, place.is_lost);
            }
            match byte {
                NAG => {
                    survey.nag();
                    if let Some(nag) = moves.get(at).filter(|_| !place.is_lost) {
                        words.nag(*nag);
                    }
                    at += 1;
                }
                COMMENT => comments.write_marked(words, place.is_lost),
                VARIATION_START => {
                    survey.variation();
                    let before = place.before.as_ref().filter(|_| !place.is_lost);
                    if before.is_none() && !place.is_lost {
                        damage = damage.or(Some("a-variation-stands-before-the-first-move-of-its-line"));
                    }
                    let is_open = before.is_some();
                    let here = before.unwrap_or(&place.here).clone();
                    let inner = Place { here, before: None, is_lost: !is_open, is_open };
                    if is_open {
                        words.open();
                    }
                    comments.pass_node();
                    outer.push(std::mem::replace(&mut place, inner));
                }
                VARIATION_END => match outer.pop() {
                    None => damage = damage.or(Some("a-variation-ends-that-has-not-begun")),
                    Some(line) => {
                        if place.is_open {
                            words.close();
                        }
                        place = line;
                    }
                },
                _ if place.is_lost => comments.pass_node(),
                _ => {
                    let next = || {
                        at += 1;
                        moves.get(at - 1).copied()
                    };
                    match place.here.decode(byte, next) {
                        Some(m) if is_playable(&place.here.position, m) => {
                            if record.has_variations {
                                place.keep();
                            }
                            words.ply(&mut place.here, m, |line| line.play(m, byte >> 4));
                            if outer.is_empty() {
                                survey.ply(&place.here.position);
                            }
                        }
                        m => {
                            match (m, byte) {
                                (Some(m), _) => words.illegal(m),
                                (None, 9) => words.no_castling(CastlingSide::Queen),
                                (None, 10) => words.no_castling(CastlingSide::King),
                                (None, _) => words.no_move(byte),
                            }
                            place.is_lost = true;
                        }
                    }
                    comments.pass_node();
                }
            }
        }
        comments.write_due(words, place.is_lost);
        if !record.is_ended {
            damage = damage.or(Some("its-moves-have-no-end"));
        } else if !outer.is_empty() {
            damage = damage.or(Some("a-variation-has-no-end"));
        }
        while let Some(line) = outer.pop() {
            if place.is_open {
                words.close();
            }
            place = line;
        }
        damage = damage.or(comments.end(words));
        // Behind a move that cannot be played there is an error already.
        if !place.is_lost {
            match (damage, survey.check(outline, &place.here.position, is_initial)) {
                (Some(damage), _) => words.damage(damage),
                (None, Err(disagreement)) => words.damage(&disagreement.to_string()),
                (None, Ok(())) => {}
            }
        }
    }
}
