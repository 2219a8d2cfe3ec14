//! A question about a position: its text, and the lists of games of the usual answer.

use pgn2fen_chess::fen::{self, EpStyle, FenStyle, Fields};
use pgn2fen_chess::position::Position;
use pgn2fen_chess::rules::Rules;
use pgn2fen_index::Lists;

/// The lists of games that are kept, which are enough for the usual requests.
pub(super) const LISTS: Lists = Lists { best: 15, recent: 15 };

/// Returns the text of a position under the repetition rule, with its rules.
pub(super) fn question(position: &Position) -> String {
    let style = FenStyle { ep: EpStyle::Legal, fields: Fields::Four, ..FenStyle::default() };
    let fen = fen::to_string(position, style);
    // The FENs of two variants may be equal.
    if position.rules() == Rules::Chess { fen } else { format!("{} {fen}", position.rules().name()) }
}
