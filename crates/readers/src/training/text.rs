//! The text of a game that is made of training data.

use std::io::Write;

use pgn2fen_chess::Position;
use pgn2fen_chess::fen::{self, CastlingStyle, EpStyle, FenStyle};
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::san;

use crate::game_text::{Spacing, digits, pair, unreadable as unreadable_record};
use crate::records::append_pawns;

/// The rights of Chess960 are clear in it.
const STYLE: FenStyle = FenStyle {
    ep: EpStyle::Xfen,
    castling: CastlingStyle::Xfen,
    fields: fen::Fields::Six,
    variant: fen::VariantStyle::Usual,
};

/// A game that is being written, position by position.
pub(super) struct GameText {
    position: Position,
    result: &'static str,
    is_first: bool,
}

/// Returns the text of a result from White's side.
pub(super) fn result(of_white: i8) -> &'static str {
    match of_white {
        -1 => "0-1",
        0 => "1/2-1/2",
        1 => "1-0",
        _ => "*",
    }
}

impl GameText {
    /// Begins a game in a position.
    pub(super) fn begin(position: Position, result: &'static str, out: &mut Vec<u8>) -> Self {
        pair(out, b"Result", result.as_bytes(), Spacing::Lines);
        if position != Position::initial() {
            pair(out, b"SetUp", b"1", Spacing::Lines);
            if !position.castling().are_orthodox(position.board()) {
                pair(out, b"Variant", b"Chess960", Spacing::Lines);
            }
            pair(out, b"FEN", fen::to_string(&position, STYLE).as_bytes(), Spacing::Lines);
        }
        Spacing::Lines.before_moves(out);
        Self { position, result, is_first: true }
    }

    /// Returns the position that has been reached.
    pub(super) fn position(&self) -> &Position {
        &self.position
    }

    /// Appends the evaluation of the position, in centipawns from White's side.
    pub(super) fn eval(&self, of_white: i32, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{[%eval ");
        append_pawns(of_white.into(), out);
        out.extend_from_slice(b"]} ");
    }

    /// Appends a legal move, and plays it.
    pub(super) fn play(&mut self, m: Move, out: &mut Vec<u8>) {
        let turn = self.position.turn();
        if self.is_first || turn == Color::White {
            digits(out, self.position.fullmoves().into(), 1);
            out.extend_from_slice(turn.pick(b". ", b"... "));
        }
        san::append(&self.position, m, out);
        out.push(b' ');
        self.position.play_unchecked(m);
        self.is_first = false;
    }

    /// Ends the game.
    pub(super) fn end(self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.result.as_bytes());
        Spacing::Lines.after_game(out);
    }
}

/// Appends a game that stands for what cannot be read.
pub(super) fn unreadable(out: &mut Vec<u8>, what: &str, offset: u64, reason: &str) {
    let mut told = Vec::new();
    write!(told, "the {what} at byte {offset}: {reason}").expect("a vector takes all bytes");
    unreadable_record(out, &String::from_utf8_lossy(&told), b"", Spacing::Lines);
}
