//! Law: a game that is skipped ends where its tokens end. Games and the text between them add up to the file. The main
//! line is the same with and without variations.

use pgn2fen_games::pgn::between::Next;
use pgn2fen_games::pgn::between::next_game;
use pgn2fen_games::pgn::games::{Chunk, Game, Games};
use pgn2fen_games::pgn::movetext::Movetext;

use crate::choices::Choices;

/// Checks the law. Three bytes choose where the skip begins. The rest is the text.
///
/// # Panics
///
/// The law is broken.
pub fn check(data: &[u8]) {
    let mut choices = Choices::new(data);
    let tokens = choices.byte() % 8;
    let place = choices.number();
    let text = choices.text();

    hop(&text, place % (text.len() + 1), tokens);
    hop(&text, 0, tokens);
    let mut end = 0;
    for game in Games::new(&text) {
        let start = usize::try_from(game.offset()).expect("it lies in memory");
        assert!(start >= end && !game.bytes().is_empty(), "games follow one another");
        assert_eq!(&text[start..start + game.bytes().len()], game.bytes());
        // A number before a tag pair is a label, and would be a game if nothing followed it.
        let is_label = |at: usize| text[end + at].is_ascii_digit();
        let alone = next_game(Chunk::whole(&text[end..start]), 0, |_| ());
        assert!(!matches!(alone, Next::Game(at) if !is_label(at)), "no game lies between games by itself");
        assert_eq!(next_game(Chunk::whole(&text), end, |_| ()), Next::Game(start), "no game lies between games");
        hop(&text, game.tags().end(), tokens);
        main_line(&game);
        end = start + game.bytes().len();
    }
    assert!(matches!(next_game(Chunk::whole(&text), end, |_| ()), Next::Nothing(_)), "no game is behind the last");
}

/// Skips the rest of the movetext at once after `tokens` tokens, and token by token, and compares the ends.
fn hop(text: &[u8], at: usize, tokens: u8) {
    let mut movetext = Movetext::new(text, at);
    for _ in 0..tokens {
        movetext.next_token();
    }
    let mut slow = movetext.clone();
    while slow.next_mainline().is_some() {}
    let hopped = (movetext.finish(), movetext.offset());
    assert_eq!(hopped, (slow.finish(), slow.offset()), "from {at}, after {tokens} tokens");
}

/// Plays a game with and without its variations.
fn main_line(game: &Game<'_>) {
    let Ok(mut alone) = game.replay() else { return };
    let mut both = alone.clone();
    let last_ply = alone.last_ply();
    let mut plies = 0;
    loop {
        let in_text = both.next_in_text();
        // An error in a variation ends the variation, and is reported after its end.
        let is_of_variation = match &in_text {
            Some(Ok(_)) => both.branch().is_some(),
            Some(Err(error)) => error.reason.contains("(in a variation)"),
            None => false,
        };
        if is_of_variation {
            continue;
        }
        let expected_next = alone.next_move().map(|(_, m)| m);
        let next = alone.next_ply();
        assert_eq!(in_text, next, "ply {} of the main line", plies + 1);
        match next {
            Some(Ok(ply)) => {
                plies += 1;
                assert_eq!((ply.number, Some(ply.played)), (plies, expected_next));
                assert_eq!(both.position(), alone.position());
            }
            Some(Err(_)) => assert_eq!(expected_next, None),
            None => break,
        }
    }
    assert_eq!(plies, last_ply);
    assert_eq!(both.clone().outcome(), alone.clone().outcome());
    assert_eq!(both.finish(), alone.finish());
}
