//! Games that are made of positions and moves.

use crate::export::exporter::Exporter;
use crate::games::Games;
use crate::replay::{ReplayOptions, VariantPolicy};
use pgn2fen_chess::castling::CastlingRules;
use pgn2fen_chess::fen::{self, FenStyle};
use pgn2fen_chess::position::Position;
use pgn2fen_chess::rules::Rules;

/// Appends the tag pairs SetUp, FEN and Variant, each on a line, as far as a game with this start needs them.
#[doc(hidden)]
pub fn append_start(start: &Position, text: &mut String) {
    if !start.is_start() {
        *text += &format!("[SetUp \"1\"]\n[FEN \"{}\"]\n", fen::to_string(start, FenStyle::default()));
    }
    let (rules, castling) = (start.rules(), start.castling_rules());
    if (rules, castling) != (Rules::Chess, CastlingRules::Standard) {
        *text += &format!("[Variant \"{}\"]\n", rules.game_tag_value(castling));
    }
}

/// Appends a game in the default export format. Its text has been made of legal moves, without numbers and line breaks.
#[doc(hidden)]
pub fn append_made(text: &str, out: &mut Vec<u8>) {
    if let Some(game) = Games::new(text.as_bytes()).next() {
        let options = ReplayOptions { variants: VariantPolicy::Play, ..ReplayOptions::default() };
        let exported = Exporter::default().append(&game, &options, out);
        debug_assert!(matches!(&exported, Ok(errors) if errors.is_empty()), "{exported:?}");
    }
}
