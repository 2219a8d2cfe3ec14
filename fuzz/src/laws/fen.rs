//! Law: a FEN that is written in any style is read as the same position.

use pgn2fen_chess::fen::{self, CastlingStyle, EpStyle, FenStyle, FenWriter, Fields, Repair, VariantStyle};
use pgn2fen_chess::position::Position;
use pgn2fen_chess::rules::Rules;
use pgn2fen_chess::zobrist;

/// All styles of FENs.
pub(crate) fn styles() -> impl Iterator<Item = FenStyle> {
    [EpStyle::Always, EpStyle::Xfen, EpStyle::Legal].into_iter().flat_map(|ep| {
        [CastlingStyle::Xfen, CastlingStyle::Shredder].into_iter().flat_map(move |castling| {
            [Fields::Four, Fields::Six].into_iter().flat_map(move |fields| {
                let variants = [VariantStyle::Usual, VariantStyle::Lichess].into_iter();
                variants.map(move |variant| FenStyle { ep, castling, fields, variant })
            })
        })
    })
}

/// Checks the law. The input is a FEN, which is read by all rules.
///
/// # Panics
///
/// The law is broken.
pub fn check(data: &[u8]) {
    let _ = fen::read_setup(data).map_err(|error| error.to_string());
    for rules in Rules::ALL {
        match fen::read_by(rules, data) {
            Ok(reading) => {
                let _ = reading.repairs.to_string();
                position(&reading.position);
            }
            Err(error) => {
                assert!(error.offset().is_none_or(|offset| offset <= data.len()), "{rules}: {error}");
            }
        }
    }
}

/// Checks the law for a position.
pub(crate) fn position(position: &Position) {
    let rules = position.rules();
    // In other games, the two forms are the same.
    let has_forms = rules.have_hands() || rules.count_checks();
    for style in styles().filter(|style| has_forms || style.variant == VariantStyle::Usual) {
        let text = fen::to_string(position, style);
        if has_forms && style.variant == VariantStyle::Usual {
            assert_eq!(fen::rules_of_form(text.as_bytes()), Some(rules), "{text}");
        }
        let again = fen::read_by(rules, text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(fen::to_string(&again.position, style), text, "{style:?}");
        assert!(again.position.is_same_position(position), "{text} in {style:?}");
        if style.fields == Fields::Six {
            let is_odd = again.repairs.iter().any(|repair| !matches!(repair, Repair::Position(_)));
            assert!(!is_odd, "{text}: {}", again.repairs);
            if style.ep == EpStyle::Always {
                assert_eq!(&again.position, position, "{text}");
            }
        }
        let mut line = Vec::new();
        FenWriter::new(style).append(position, &mut line);
        assert_eq!(line, text.as_bytes());
    }
    let checked = Position::new(position.setup().clone());
    if let Ok(checked) = checked {
        assert_eq!(&checked, position);
        assert_eq!(zobrist::key(&checked), zobrist::key(position));
    }
}
