//! Passing over a game ends where its tokens end.

use pgn2fen_games::pgn::games::Games;
use pgn2fen_games::pgn::movetext::Movetext;

use crate::laws::{fixtures, noise};

/// Passes over the text as movetext, after so many tokens, and token by token.
#[track_caller]
fn check(text: &[u8], at: usize, tokens: usize) {
    let mut movetext = Movetext::new(text, at);
    for _ in 0..tokens {
        movetext.next_token();
    }
    let mut slow = movetext.clone();
    while slow.next_mainline().is_some() {}
    let hopped = (movetext.finish(), movetext.offset());
    assert_eq!(
        hopped,
        (slow.finish(), slow.offset()),
        "after {tokens} tokens: {}",
        String::from_utf8_lossy(&text[at..])
    );
}

#[test]
fn a_game_of_the_fixtures_ends_where_its_tokens_end() {
    for (_, bytes) in fixtures() {
        for game in Games::new(&bytes) {
            let start = game.tags().end();
            [0, 1, 2, 5, 40].into_iter().for_each(|tokens| check(&bytes, start, tokens));
        }
    }
}

#[test]
fn damaged_text_ends_where_its_tokens_end() {
    let marks = "{ } ( ) ; % [ ] < > * 1-0 0-1 1/2-1/2 ½ 1–0 1:0 - / : 0 00 00. 1 1. e8(Q) $1 e4 N(b1)c3 (N)c3 O-O O-1 \
        1-O 0.5-0.5 Nf31-0 5254";
    let blanks =
        [" - ", " ", "\n", "\n\n", "\r\n\r\n", "\r", "\u{b}", "\u{a0}", "\n%", "\n[Event \"x\"]", "\n\n1. e4 e5"];
    let pieces: Vec<&str> = marks.split(' ').chain(blanks).collect();
    let mut seed = 5;
    for (_, bytes) in fixtures().iter().filter(|(_, bytes)| bytes.len() > 20) {
        let bytes = &bytes[..bytes.len().min(2000)];
        for _ in 0..60 {
            let mut text = bytes.to_vec();
            for _ in 0..1 + noise(&mut seed) % 12 {
                let at = noise(&mut seed) % text.len();
                let until = (at + noise(&mut seed) % 4).min(text.len());
                text.splice(at..until, pieces[noise(&mut seed) % pieces.len()].bytes());
            }
            let at = noise(&mut seed) % text.len();
            check(&text, at, noise(&mut seed) % 6);
        }
    }
}

#[test]
fn text_of_nothing_but_marks_ends_where_its_tokens_end() {
    let marks = "e4 Nf3 1. 1 0 0. 00 000 - / : * ½ – { } ( ) ; % < 8(Q) O O-O N 0.5 5254 (N) [N] c3 1/2 \" > ] ,";
    let pieces: Vec<&str> = marks.split(' ').chain(["\n", "\r\n", " ", " ", " ", "\t", "\u{b}", "[A \"\"]"]).collect();
    let mut seed = 9;
    for _ in 0..200_000 {
        let length = noise(&mut seed) % 24;
        let text: String = (0..length).map(|_| pieces[noise(&mut seed) % pieces.len()]).collect();
        check(format!("1. e4 e5 {text}").as_bytes(), 0, noise(&mut seed) % 6);
    }
}
