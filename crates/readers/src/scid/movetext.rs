//! The movetext of a game: its moves as SAN, with comments, NAGs and variations.

use pgn2fen_chess::fen;
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::piece::Role;
use pgn2fen_chess::position::Position;

use crate::scid::comments::Comments;
use crate::scid::line::Line;
use crate::scid::note::note;
use crate::scid::record::{COMMENT, NAG, Record, VARIATION_END, VARIATION_START};
use crate::scid::words::Words;
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

/// Whether a move can be played. Whether it leaves the king in check is left to whoever reads the text: then it is no
/// legal move there.
#[inline]
fn is_playable(position: &Position, m: Move) -> bool {
    let takes_king = match m {
        Move::Normal { to, .. } => position.board().by_role(Role::King).contains(to),
        _ => false,
    };
    position.is_pseudo_legal(m) && !takes_king
}

impl MovetextWriter {
    /// Returns the movetext of a game with its result, without the last line break.
    pub(super) fn write(&mut self, record: &Record<'_>, result: Outcome, notes: &mut Vec<u8>) -> &[u8] {
        self.words.clear();
        match record.fen.map(fen::read) {
            None => self.write_moves(Line::initial(), record, notes),
            Some(Ok(start)) => match Line::new(start.position) {
                Some(line) => self.write_moves(line, record, notes),
                None => self.words.damage("a-side-has-more-than-16-pieces"),
            },
            // The fault is found by whoever reads the tags.
            Some(Err(_)) => {}
        }
        self.words.end(result)
    }

    /// Returns the movetext of a game that cannot be read.
    pub(super) fn write_damage(&mut self, damage: &str, result: Outcome) -> &[u8] {
        self.words.clear();
        self.words.damage(damage);
        self.words.end(result)
    }

    fn write_moves(&mut self, start: Line, record: &Record<'_>, notes: &mut Vec<u8>) {
        let Self { words, outer } = self;
        outer.clear();
        let mut place = Place { here: start, before: None, is_lost: false, is_open: false };
        let mut comments = Comments::new(record);
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
                    if let Some(nag) = moves.get(at).filter(|_| !place.is_lost) {
                        words.nag(*nag);
                    }
                    at += 1;
                }
                COMMENT => comments.write_marked(words, place.is_lost),
                VARIATION_START => {
                    let before = place.before.as_ref().filter(|_| !place.is_lost);
                    if before.is_none() && !place.is_lost {
                        note(notes, format_args!("a variation stands before the first move of its line"));
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
                    None => note(notes, format_args!("a variation ends that has not begun")),
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
                            words.ply(&mut place.here, m, byte >> 4);
                        }
                        m => {
                            words.illegal(m, byte);
                            place.is_lost = true;
                        }
                    }
                    comments.pass_node();
                }
            }
        }
        comments.write_due(words, place.is_lost);
        if !record.is_ended && !place.is_lost {
            words.damage("its-moves-have-no-end");
        }
        if !outer.is_empty() {
            note(notes, format_args!("a variation has no end"));
        }
        while let Some(line) = outer.pop() {
            if place.is_open {
                words.close();
            }
            place = line;
        }
        comments.end(words, notes);
    }
}
