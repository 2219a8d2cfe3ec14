//! Games taken one after another: what is read of a game changes nothing about the next.

use pgn2fen::database::Database;
use pgn2fen::pgn::games::{Game, Games};

use crate::laws::{fixtures, noise};

/// The ways in which a game may be read before the next one is asked for.
const WAYS: [fn(&Game<'_>); 6] = [
    |_| (),
    |game| {
        game.bytes();
    },
    |game| {
        let Ok(mut replay) = game.replay() else { return };
        while replay.next_ply().is_some() {}
    },
    |game| {
        let Ok(mut replay) = game.replay() else { return };
        while replay.next_in_text().is_some() {}
    },
    |game| {
        let Ok(mut replay) = game.replay() else { return };
        replay.next_in_text();
        replay.next_in_text();
        replay.outcome();
    },
    |game| {
        let Ok(mut replay) = game.replay() else { return };
        replay.next_ply();
        replay.last_ply();
    },
];

/// Where the games of a text begin and end, if each is read in a way that is chosen for it.
fn games(text: &[u8], mut way: impl FnMut() -> usize) -> Vec<(u64, &[u8])> {
    let mut games = Vec::new();
    let mut held = Vec::new();
    for game in Games::new(text) {
        let way = way();
        WAYS[way % WAYS.len()](&game);
        // A game that is held is read after all others.
        let is_held = way.is_multiple_of(3);
        games.push((game.offset(), if is_held { b"" } else { game.bytes() }));
        if is_held {
            held.push((games.len() - 1, game));
        }
    }
    for (place, game) in held {
        games[place].1 = game.bytes();
    }
    games
}

#[track_caller]
fn check(text: &[u8], seed: &mut u64) {
    let expected = games(text, || 1);
    for way in 0..WAYS.len() {
        assert_eq!(games(text, || way), expected, "way {way}: {}", String::from_utf8_lossy(text));
    }
    assert_eq!(games(text, || noise(seed)), expected, "{}", String::from_utf8_lossy(text));
}

#[test]
fn games_are_the_same_however_those_before_are_read() {
    let mut seed = 3;
    for (_, bytes) in fixtures() {
        check(&bytes, &mut seed);
    }
    let pieces = [
        "1. ",
        "e4 ",
        "e5 ",
        "2. d4 ",
        "{c} ",
        "{ ",
        "} ",
        "( ",
        ") ",
        "* ",
        "1-0\n",
        "\n\n",
        "[A \"1\"]\n",
        "$1 ",
        "Ke6 ",
    ];
    for _ in 0..20_000 {
        let length = noise(&mut seed) % 30;
        let text: String = (0..length).map(|_| pieces[noise(&mut seed) % pieces.len()]).collect();
        check(text.as_bytes(), &mut seed);
    }
}

#[test]
fn a_list_gives_a_game_for_each_line() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let database = Database::from(format!("{fen}\n# comment\n8/8 w - -\n{fen} ; more\n").into_bytes());
    let starts: Vec<bool> = database.games().map(|game| game.replay().is_ok()).collect();
    assert_eq!(starts, [true, false, true]);
    let game = database.games().next().unwrap();
    assert_eq!((game.tag("FEN").as_deref(), game.bytes()), (Some(fen), fen.as_bytes()));
    assert!(game.replay().unwrap().next_ply().is_none());
}
