//! Games that are made of positions and moves.

use crate::export::exporter::Exporter;
use crate::games::Games;
use crate::replay::ReplayOptions;
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
        let exported = Exporter::default().append(&game, &ReplayOptions::default(), out);
        debug_assert!(matches!(&exported, Ok(errors) if errors.is_empty()), "{exported:?}");
    }
}

#[cfg(test)]
mod tests {
    use super::{append_made, append_start};
    use pgn2fen_chess::fen;
    use pgn2fen_chess::position::Position;
    use pgn2fen_chess::rules::Rules;

    #[track_caller]
    fn check_start(start: &Position, expected: &str) {
        let mut text = String::from("*");
        append_start(start, &mut text);
        assert_eq!(text.strip_prefix('*'), Some(expected));
    }

    #[test]
    fn a_start_has_the_tags_that_tell_it() {
        let read = |fen: &str| fen::read(fen.as_bytes()).unwrap().position;
        check_start(&Position::initial(), "");
        let fen = "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1";
        check_start(&read(fen), &format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n"));
        let fen = "4k3/8/8/8/8/8/4P3/3K2R1 w K - 0 1";
        check_start(&read(fen), &format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n[Variant \"Chess960\"]\n"));
    }

    #[test]
    fn a_start_of_a_variant_names_it() {
        if Rules::HAVE_VARIANTS {
            check_start(&Position::start(Rules::Atomic), "[Variant \"Atomic\"]\n");
        }
    }

    #[test]
    fn a_made_game_is_written_in_the_export_format() {
        let made = |text: &str| {
            let mut out = b"*\n\n".to_vec();
            append_made(text, &mut out);
            String::from_utf8(out).unwrap()
        };
        let game = made("[White \"x\"]\n\ne4 {good} ( d4 ) e5 Nf3 *");
        assert!(game.starts_with("*\n\n[Event \"?\"]\n") && game.contains("\n[White \"x\"]\n"), "{game}");
        assert!(game.ends_with("\n\n1. e4 {good} (1. d4) 1... e5 2. Nf3 *\n\n"), "{game}");
        // Without a game, nothing is written.
        assert_eq!(made(""), "*\n\n");
    }
}
