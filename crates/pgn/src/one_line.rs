//! Games of a database as other programs expect them: a game on one line → the same game with a line for each tag
//! pair.

use std::borrow::Cow;

use crate::form::Form;
use crate::lists::as_game;
use crate::tags::Tags;

impl Form {
    /// Returns a game of a database of this form as PGN: its bytes; a game with a FEN tag for a line of a list; a
    /// record with a line for each tag pair.
    #[doc(hidden)]
    pub fn to_pgn(self, game: &[u8]) -> Cow<'_, [u8]> {
        match self {
            Self::Games => Cow::Borrowed(game),
            Self::Positions => Cow::Owned(as_game(game)),
            Self::Records => Cow::Owned(in_lines(game)),
        }
    }
}

/// Writes each tag pair of a game on a line of its own, and the movetext behind a blank line, as other programs expect
/// it (PGN standard, section 8). The game has its tag pairs and its movetext on one line.
fn in_lines(game: &[u8]) -> Vec<u8> {
    let tags = Tags::read(game, 0);
    let mut starts: Vec<usize> = tags.iter().map(|tag| tag.offset).collect();
    starts.push(tags.end());
    let mut out = Vec::with_capacity(game.len() + 2);
    let mut from = 0;
    for start in starts {
        let part = game[from..start].trim_ascii();
        out.extend_from_slice(part);
        if !part.is_empty() {
            out.push(b'\n');
        }
        from = start;
    }
    if !out.is_empty() {
        out.push(b'\n');
    }
    out.extend_from_slice(game[from..].trim_ascii());
    out
}

#[cfg(test)]
mod tests {
    use super::in_lines;
    use crate::form::Form;

    #[track_caller]
    fn check(game: &str, expected: &str) {
        assert_eq!(String::from_utf8(in_lines(game.as_bytes())).unwrap(), expected);
    }

    #[test]
    fn each_tag_pair_has_a_line() {
        check(
            "[White \"A \\\"] [x\"] [Black \"B\"] 1. e4 {[%eval 1]} *\n",
            "[White \"A \\\"] [x\"]\n[Black \"B\"]\n\n1. e4 {[%eval 1]} *",
        );
        check("{first} [White \"A\"] {then} [Black \"B\"] *", "{first}\n[White \"A\"] {then}\n[Black \"B\"]\n\n*");
        check("1. e4 e5 1-0", "1. e4 e5 1-0");
    }

    #[test]
    fn the_form_of_a_database_tells_how_its_games_become_pgn() {
        let show = |form: Form, game: &str| String::from_utf8(form.to_pgn(game.as_bytes()).into_owned()).unwrap();
        let game = "[A \"x\"] 1. e4 *";
        assert_eq!(show(Form::Games, game), game);
        assert_eq!(show(Form::Records, game), "[A \"x\"]\n\n1. e4 *");
        let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        assert_eq!(show(Form::Positions, fen), format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n*"));
    }
}
