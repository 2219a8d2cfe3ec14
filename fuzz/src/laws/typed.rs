//! Law: a text that `find` accepts as a position is the position that the text reaches as a game, and its FEN is read
//! as the same position.

use pgn2fen_chess::fen::{self, FenStyle};
use pgn2fen_chess::position::Position;
use pgn2fen_chess::san::Letters;
use pgn2fen_games::pgn::games::{Game, Games};
use pgn2fen_games::typed::{read_position, read_position_by};
use pgn2fen_index::keys;

/// Checks the law. The input is the text that a user types.
///
/// # Panics
///
/// The law is broken.
pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    variant(&text);
    let typed = match read_position(&text, &Letters::ENGLISH) {
        Ok(typed) => typed,
        Err(mistake) => {
            assert!(!mistake.to_string().is_empty());
            return;
        }
    };
    let position = &typed.position;
    assert!(!keys(position).is_empty());
    let fen = fen::to_string(position, FenStyle::default());
    let again = read_position(&fen, &Letters::ENGLISH).unwrap_or_else(|mistake| panic!("{fen}: {mistake}"));
    assert!(again.position.is_same_position(position), "{fen}");
    // A percent sign at the start of a line hides the line (PGN standard, section 6).
    let blanks = if text.starts_with('%') { "\n" } else { "  " };
    let padded = read_position(&format!("{blanks}{text} \n"), &Letters::ENGLISH);
    assert_eq!(padded.map(|typed| typed.position).as_ref(), Ok(position), "with blanks around it");
    // A position without moves may stand in quotes, or among words that look like games.
    if typed.moves.is_empty() {
        return;
    }
    // Of words with moves among them, the words are skipped, and told.
    let has_words = typed.repair.as_ref().is_some_and(|repair| repair.contains("is skipped"));
    game(&text, Some(position).filter(|_| !has_words));
}

/// Checks that a position of a game that the text tells is the same by the rules of this game.
fn variant(text: &str) {
    let Ok(typed) = read_position_by(text, &Letters::ENGLISH, None) else { return };
    let (position, rules) = (&typed.position, typed.position.rules());
    let fen = fen::to_string(position, FenStyle::default());
    let again =
        read_position_by(&fen, &Letters::ENGLISH, Some(rules)).unwrap_or_else(|mistake| panic!("{fen}: {mistake}"));
    assert!(again.position.is_same_position(position), "{fen}");
    if fen::rules_of_form(fen.as_bytes()) == Some(rules) {
        let told = read_position_by(&fen, &Letters::ENGLISH, None).map(|typed| typed.position);
        assert_eq!(told.as_ref(), Ok(&again.position), "{fen}");
    }
}

/// Checks that a text of moves is one game, which reaches the position, if one is given.
fn game(text: &str, position: Option<&Position>) {
    let first = text.split_whitespace().next().unwrap_or_default();
    // In a file, a line that begins with a number without a period may be prose (`9!`, `900e3`), and so may one with a
    // fraction: `1.2`.
    let number = first.trim_start_matches(|char: char| char.is_ascii_digit());
    let periods = number.trim_start_matches('.');
    let has_fraction = periods.starts_with(|char: char| char.is_ascii_digit());
    let may_be_prose = number != first && (periods == number || has_fraction);
    let is_of_moves = first.starts_with(|char: char| char.is_ascii_alphanumeric())
        && !may_be_prose
        && !first.contains(['/', '_'])
        && !["startpos", "position", "moves", "fen"].contains(&first);
    if !is_of_moves {
        return;
    }
    let Some(game) = Games::new(text.as_bytes()).next() else { return };
    // A symbol that is too long (PGN standard, section 7) may end a game of a file, and so may a quote that is not
    // closed.
    let is_regular = text.split_whitespace().all(|word| word.len() <= 255)
        && text.lines().all(|line| line.matches('"').count() % 2 == 0);
    // Words that are skipped may look like a game, but not like one with a move.
    let has_move = |game: &Game<'_>| game.replay().is_ok_and(|mut replay| matches!(replay.next_ply(), Some(Ok(_))));
    let games = Games::new(text.as_bytes()).filter(|game| position.is_some() || has_move(game)).take(2).count();
    assert!(!is_regular || games <= 1, "of several games one was taken: {text:?}");
    let mut replay = match game.replay() {
        Ok(replay) => replay,
        // Words that are skipped may look like a broken tag.
        Err(_) if position.is_none() => return,
        Err(error) => panic!("it starts from the initial position: {error}"),
    };
    while let Some(ply) = replay.next_ply() {
        if let Err(error) = ply {
            // The notation of UCI engines for castling in Chess960 is not part of PGN. Words that are skipped may have
            // a parenthesis that is not closed.
            assert!(position.is_none() || error.ply.is_some(), "{error}");
            return;
        }
    }
    assert!(position.is_none_or(|position| replay.position().is_same_position(position)), "{text:?}");
}
