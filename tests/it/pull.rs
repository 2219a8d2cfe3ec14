//! Games taken one after another, and their events: what is read of a game changes nothing about the next, and the
//! events of a game have the moves, positions and faults that the replay has.

use pgn2fen_chess::moves::Move;
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::san::Letters;
use pgn2fen_games::database::Database;
use pgn2fen_games::diagnostic::{Diagnostic, Kind};
use pgn2fen_games::pgn::games::{Game, Games};
use pgn2fen_games::replay::{Event, Moves, Ply};
use pgn2fen_games::typed::read_position;

use crate::laws::{fixtures, noise};

#[allow(dead_code, unreachable_pub, reason = "an example is a program")]
#[path = "../../examples/tree.rs"]
mod tree;

/// The ways in which a game may be read before the next one is asked for.
const WAYS: [fn(&Game<'_>); 8] = [
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
    |game| {
        let Ok(moves) = game.moves() else { return };
        moves.for_each(drop);
    },
    |game| {
        let Ok(mut moves) = game.moves() else { return };
        moves.by_ref().take(5).for_each(drop);
        moves.outcome();
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
        "N ",
        "c3 ",
        "O - O ",
        "1 - 0",
        "5254 ",
        "e40-1 ",
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

/// A move or a fault of a walk through the variations, and whether it was in one.
type Step<'a> = (bool, Result<Ply<'a>, Diagnostic>);

/// The moves and faults among the events, up to the end.
fn steps<'a>(moves: &mut Moves<'a>) -> Vec<Step<'a>> {
    let mut steps = Vec::new();
    let mut depth = 0;
    while let Some(event) = moves.next() {
        match event {
            Ok(Event::Move(ply)) => {
                assert_eq!(moves.before().play(ply.played).as_ref(), Ok(moves.after()));
                steps.push((moves.depth() > 0, Ok(ply)));
            }
            Ok(Event::VariationStart) => {
                depth += 1;
                assert_eq!(moves.after(), moves.before());
            }
            Ok(Event::VariationEnd) => depth -= 1,
            Ok(_) => {}
            Err(error) => steps.push((moves.depth() > 0, Err(error))),
        }
        assert_eq!(moves.depth(), depth);
    }
    assert_eq!(depth, 0, "every variation that begins ends");
    steps
}

/// The events of a game have the moves, positions, faults, warnings and outcome of the replay, and they make a tree
/// that reads as the same tree again.
#[track_caller]
fn check_events(game: &Game<'_>) -> usize {
    let (Ok(mut moves), Ok(mut mainline), Ok(mut walk)) = (game.moves(), game.replay(), game.replay()) else {
        return 0;
    };
    let text = String::from_utf8_lossy(game.bytes());
    let steps = steps(&mut moves);
    let outside = steps.iter().filter(|(is_inside, _)| !is_inside);
    assert!(outside.map(|(_, step)| step.clone()).eq(std::iter::from_fn(|| mainline.next_ply())), "{text}");
    assert!(steps.iter().map(|(_, step)| step.clone()).eq(std::iter::from_fn(|| walk.next_in_text())), "{text}");
    assert_eq!(moves.after(), walk.position(), "{text}");
    assert_eq!(moves.after(), mainline.position(), "{text}");
    assert!(moves.take_warnings().eq(walk.take_warnings()), "{text}");
    assert_eq!(moves.outcome(), mainline.outcome(), "{text}");

    let (tree, _) = tree::Line::read(game).unwrap();
    let mut again: Vec<u8> = b"[A \"\"]\n".to_vec();
    for tag in game.tags().iter() {
        again.extend([b"[", tag.name, b" \"", tag.value.0, b"\"]\n"].concat());
    }
    again.extend(format!("\n{tree} *").into_bytes());
    let (tree_again, errors) = tree::Line::read(&Games::new(&again).next().unwrap()).unwrap();
    assert_eq!((tree_again, errors), (tree, Vec::new()), "{text} became {}", String::from_utf8_lossy(&again));
    steps.len()
}

#[test]
fn events_of_the_fixtures_agree_with_the_replay() {
    let mut steps = 0;
    for (_, bytes) in fixtures() {
        for game in Games::new(&bytes) {
            steps += check_events(&game);
        }
    }
    assert!(steps > 50_000, "only {steps} moves");
}

#[test]
fn events_of_any_text_agree_with_the_replay() {
    let marks = "e4 e5 Nf3 Nc6 d4 1. 1... 2. {a} {b}c} { } ( ) () $1 $300 ! ?! !!! -- 1-0 * +- ;c\n %\n <)> [x] e.p. \
        Ke9 N K x - O O-O 5254 5755 c3 (N)c3 0 1 e b x";
    let glued = "1.e4 e4! Nf3?! d4!x Nc6!?+ O-O! 1-0\n 1/2-1/2\r\n *\n 1-0{c} 12345678901. N(b1)c3 B.c4 O-1 e41-0 1-e4 \
        2:Nf3 О-О";
    let pieces: Vec<&str> =
        marks.split(' ').chain(glued.split(' ')).chain(["\n", "\n\n", "\r", "\u{a0}", "("]).collect();
    let mut seed = 29;
    for _ in 0..20_000 {
        let length = noise(&mut seed) % 40;
        let mut piece = || [pieces[noise(&mut seed) % pieces.len()], [" ", " ", ""][noise(&mut seed) % 3]];
        let text: String = (0..length).flat_map(|_| piece()).collect();
        for game in Games::new(text.as_bytes()) {
            check_events(&game);
        }
    }
}

#[test]
fn a_side_in_check_cannot_pass_whoever_reads_it() {
    let in_check = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1";
    let position: Position = in_check.parse().unwrap();
    assert!(!position.is_legal(Move::Null) && position.play(Move::Null).is_err());
    assert_eq!(Uci::NULL.find(&position), None);
    for pass in ["--", "Z0", "0000", "@@@@", "null", "pass"] {
        assert!(position.play_san(pass).is_err(), "{pass}");
        assert!(read_position(&format!("{in_check} moves {pass}"), &Letters::ENGLISH).is_err(), "{pass}");

        let text = format!("[SetUp \"1\"]\n[FEN \"{in_check}\"]\n\n1. Kf1 (1. {pass}) Re1+ 2. {pass} *");
        let game = Games::new(text.as_bytes()).next().unwrap();
        let mut replay = game.replay().unwrap();
        let (mut mainline, mut walk, mut moves) = (replay.clone(), replay.clone(), game.moves().unwrap());
        let reached =
            |ply: &Result<Ply<'_>, Diagnostic>| ply.as_ref().map(|ply| ply.number).map_err(|error| error.kind);
        let refused = Err(Kind::IllegalMove);
        let steps: Vec<_> = steps(&mut moves).iter().map(|(_, step)| reached(step)).collect();
        assert_eq!(steps, [Ok(1), refused, Ok(2), refused], "{pass}");
        assert!(std::iter::from_fn(|| walk.next_in_text()).map(|ply| reached(&ply)).eq(steps.iter().copied()));
        assert!(std::iter::from_fn(|| mainline.next_ply()).map(|ply| reached(&ply)).eq([Ok(1), Ok(2), refused]));
        replay.next_ply();
        replay.next_ply();
        assert_eq!((replay.last_ply(), replay.next_move()), (2, None), "{pass}");
    }
}
