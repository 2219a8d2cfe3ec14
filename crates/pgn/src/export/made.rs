//! Games that are made of positions and moves.

use crate::export::exporter::Exporter;
use crate::games::Games;
use crate::replay::ReplayOptions;
use pgn2fen_chess::castling::CastlingRules;
use pgn2fen_chess::fen::{self, FenStyle};
use pgn2fen_chess::position::Position;

/// Appends the tag pairs SetUp, FEN and Variant, each on a line, of a game that does not start from the initial
/// position.
#[doc(hidden)]
pub fn append_start(start: &Position, text: &mut String) {
    if *start == Position::initial() {
        return;
    }
    *text += &format!("[SetUp \"1\"]\n[FEN \"{}\"]\n", fen::to_string(start, FenStyle::default()));
    if start.castling_rules() == CastlingRules::Chess960 {
        *text += "[Variant \"Chess960\"]\n";
    }
}

/// Appends a game in the default export format. Its text has been made of legal moves, without numbers and line breaks.
#[doc(hidden)]
pub fn append_made(text: &str, out: &mut Vec<u8>) {
    if let Some(game) = Games::new(text.as_bytes()).next() {
        let exported = Exporter::default().append(&game, &ReplayOptions::default(), out);
        debug_assert!(matches!(&exported, Ok(errors) if errors.is_empty()), "{exported:?}");
    }
}
