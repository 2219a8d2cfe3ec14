//! Reads a board that a user types or pastes in order to see it, even if no game can be played from it.

use std::ops::Range;

use crate::parse_error::ParseError;
use crate::typed::played::tag_section;
use crate::typed::{Asked, TypedText, find, read_asked, split_moves, told, trimmed};
use pgn2fen_chess::fen::{self, Repairs};
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::rules::Rules;
use pgn2fen_chess::san::Letters;
use pgn2fen_chess::setup::Setup;
use pgn2fen_pgn::movetext::Movetext;
use pgn2fen_pgn::tags::Tags;
use pgn2fen_pgn::token::Token;

/// A board that was typed, and the repairs and warnings that its text needed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TypedDiagram {
    /// The board, the side to move, and the other fields of a FEN.
    pub setup: Setup,
    /// The moves of the text, which lead to the board.
    pub moves: Vec<Move>,
    /// The reason why no game can be played from the board, and the repairs and warnings, separated by `; `; `None` if
    /// there are none.
    pub repair: Option<String>,
}

/// Reads a board: a position as [`read_position`](crate::typed::read_position) reads it, or a FEN whose position is not
/// legal, such as one without kings.
///
/// # Errors
///
/// Returns a [`ParseError`] if the text is neither. Moves can be played only from a legal position.
pub fn read_diagram(text: &str, letters: &Letters) -> Result<TypedDiagram, ParseError> {
    read_diagram_by(text, letters, Some(Rules::Chess))
}

/// Reads a board like [`read_diagram`], of a game with these rules. Without rules, the text tells them, as
/// [`read_position_by`](crate::typed::read_position_by) says.
///
/// # Errors
///
/// Returns the errors of [`read_diagram`], and an error if the tag Variant of the text names other rules.
pub fn read_diagram_by(text: &str, letters: &Letters, rules: Option<Rules>) -> Result<TypedDiagram, ParseError> {
    let asked = Asked { letters, rules };
    let mistake = match read_asked(text, asked) {
        Ok(typed) => {
            return Ok(TypedDiagram {
                setup: typed.position.setup().clone(),
                moves: typed.moves,
                repair: typed.repair,
            });
        }
        Err(mistake) => mistake,
    };
    let Some((setup, repairs)) = setup(text, asked) else {
        return Err(mistake);
    };
    let Err(fault) = Position::repaired(setup.clone()) else {
        return Err(mistake);
    };
    let notes = [vec![format!("this is no legal position: {fault}")], told(repairs)].concat();
    Ok(TypedDiagram { setup, moves: Vec::new(), repair: Some(notes.join("; ")) })
}

/// Reads the fields of a FEN, of a text without moves. White is to move if the text does not tell the side.
fn setup(text: &str, asked: Asked<'_>) -> Option<(Setup, Repairs)> {
    let all = trimmed(text, 0..text.len());
    if let Some(from) = tag_section(text, all.clone()) {
        return tagged_setup(text, all, from, asked);
    }
    match find(text, all.clone(), asked)? {
        TypedText::At(place, variant) => {
            let asked = asked.told(variant, (text, all)).ok()?;
            let (fen, moves) = split_moves(text, place);
            let fen = text[fen].as_bytes();
            moves.is_empty().then(|| fen::read_setup_by(asked.rules_of(fen), fen, Some(Color::White)).ok())?
        }
        TypedText::Escaped(plain) => setup(&plain, asked),
    }
}

/// Reads the FEN tag of a game without moves.
fn tagged_setup(text: &str, place: Range<usize>, from: usize, asked: Asked<'_>) -> Option<(Setup, Repairs)> {
    let bytes = &text.as_bytes()[..place.end];
    let tags = Tags::read(bytes, from);
    let mut movetext = Movetext::new(bytes, tags.end());
    while let Some(token) = movetext.next_mainline() {
        if matches!(token, Token::San(_)) {
            return None;
        }
    }
    let fen = tags.find_any_case("FEN")?.value.unescape();
    fen::read_setup_by(asked.rules_of(&fen), &fen, Some(Color::White)).ok()
}

#[cfg(test)]
mod tests {
    use super::read_diagram;
    use pgn2fen_chess::san::Letters;

    #[track_caller]
    fn check(text: &str, fen: &str, told: &str) {
        let diagram = read_diagram(text, &Letters::ENGLISH).unwrap_or_else(|mistake| panic!("{text}: {mistake}"));
        assert_eq!(diagram.setup.to_string(), fen, "{text}");
        assert_eq!(diagram.repair.unwrap_or_default(), told, "{text}");
    }

    #[test]
    fn a_legal_position_is_read_as_elsewhere() {
        check("1. e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "");
        check("4k3/8/8/8/8/8/8/4K3 w - - 5 39", "4k3/8/8/8/8/8/8/4K3 w - - 5 39", "");
    }

    #[test]
    fn a_board_without_a_legal_position_is_read_with_the_reason() {
        let missing = "the side to move is missing; it is White, unless the moves or a check show that it is Black";
        let white = "this is no legal position: white has no king";
        check("8/8/8/4k3/8/8/8/8", "8/8/8/4k3/8/8/8/8 w - - 0 1", &format!("{white}; {missing}"));
        check("8/8/8/8/8/8/8/8 b - - 0 1", "8/8/8/8/8/8/8/8 b - - 0 1", white);
        check("\"8/8/8/4k3/8/8/8/8 b - - 0 1\"", "8/8/8/4k3/8/8/8/8 b - - 0 1", white);
        check("[FEN \"8/8/8/4k3/8/8/8/8 b - - 0 1\"] *", "8/8/8/4k3/8/8/8/8 b - - 0 1", white);
        check("8%2F8/8/4k3/8/8/8/8 b - -", "8/8/8/4k3/8/8/8/8 b - - 0 1", white);
        check(
            "K6K/8/8/4k3/8/8/8/8 w - - 0 1",
            "K6K/8/8/4k3/8/8/8/8 w - - 0 1",
            "this is no legal position: white has more than one king",
        );
        check(
            "4k2P/8/8/8/8/8/8/4K3 w - - 0 1",
            "4k2P/8/8/8/8/8/8/4K3 w - - 0 1",
            "this is no legal position: white pawn on h8",
        );
        check(
            "4k3/8/8/8/8/8/8/4K2r b - - 0 1",
            "4k3/8/8/8/8/8/8/4K2r b - - 0 1",
            "this is no legal position: the side not to move (white) is in check",
        );
    }

    #[test]
    fn what_is_no_board_is_refused() {
        for text in [
            "8/8/8/8/8/8/8/8/8",
            "9/8/8/8/8/8/8/8 w - - 0 1",
            "8/8/8 w - -",
            "8/8/8/4k3/8/8/8/8 w - - moves e5e4",
            "x",
            "",
        ] {
            assert!(read_diagram(text, &Letters::ENGLISH).is_err(), "{text}");
        }
        assert!(read_diagram("[FEN \"8/8/8/4k3/8/8/8/8 b - - 0 1\"] 1... Ke4", &Letters::ENGLISH).is_err());
    }
}
