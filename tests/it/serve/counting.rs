//! The rules of counting, and answers that are those of the index.

use std::fmt::Write;

use pgn2fen_chess::Position;
use pgn2fen_chess::fen;
use pgn2fen_chess::moves::Move;
use pgn2fen_games::Database;
use pgn2fen_index::Index;
use serde_json::{Value, json};

use crate::cli::Desk;
use crate::index::{build, desk};
use crate::serve::{Running, index};

/// Games with these facts: players, ratings, date, result and moves.
pub(super) fn games(facts: &[(&str, [u32; 2], &str, &str, &str)]) -> String {
    let mut text = String::new();
    for (name, [white, black], date, result, moves) in facts {
        write!(text, "[White \"{name}\"]\n[Black \"Other\"]\n[Date \"{date}\"]\n[Result \"{result}\"]\n").unwrap();
        for (tag, elo) in [("WhiteElo", white), ("BlackElo", black)] {
            if *elo > 0 {
                writeln!(text, "[{tag} \"{elo}\"]").unwrap();
            }
        }
        write!(text, "\n{moves} {result}\n\n").unwrap();
    }
    text
}

/// The moves of an answer with their counts and average ratings, and the counts of the whole answer.
pub(super) fn counts(answer: &Value) -> (Vec<(String, [u64; 4])>, [u64; 3]) {
    let number = |value: &Value, name: &str| value[name].as_u64().unwrap();
    let moves = answer["moves"].as_array().unwrap().iter().map(|played| {
        let counts = ["white", "draws", "black", "averageRating"].map(|name| number(played, name));
        (played["uci"].as_str().unwrap().to_owned(), counts)
    });
    (moves.collect(), ["white", "draws", "black"].map(|name| number(answer, name)))
}

#[track_caller]
fn check(server: &Running, path: &str, moves: &[(&str, [u64; 4])], all: [u64; 3]) {
    let expected: Vec<(String, [u64; 4])> = moves.iter().map(|(uci, counts)| ((*uci).to_owned(), *counts)).collect();
    assert_eq!(counts(&server.json(path)), (expected, all), "{path}");
}

#[test]
fn games_are_counted_by_the_rules_of_the_interface() {
    let back = "1. Nf3 Nf6 2. Ng1 Ng8";
    let desk = index(&games(&[
        ("One", [2500, 2401], "2001.05.06", "1-0", "1. e4 e5 2. Nf3"),
        ("Two", [2400, 2300], "2002.??.??", "1/2-1/2", "1. e4 c5"),
        ("Three", [2301, 0], "????.??.??", "0-1", "1. d4"),
        ("Four", [0, 0], "2003.01.01", "*", "1. e4 e5"),
        // Ends in the initial position, after it was reached again: counts with its first move.
        ("Five", [2000, 2000], "1999.07.??", "1-0", back),
        // Plays another move when it comes back.
        ("Six", [2000, 2000], "1999.08.01", "0-1", &format!("{back} 3. d4")),
        ("Seven", [2100, 2100], "1999.08.01", "1-0", ""),
    ]));
    let server = Running::start(&[&desk.path("games.idx")]);
    // e4: two of its three games have a result; Four counts for the order, not for the numbers. d4: Six, which played
    // it later, does not count for the rating either.
    let start: &[(&str, [u64; 4])] = &[("e2e4", [1, 1, 0, 2450]), ("g1f3", [1, 0, 1, 2000]), ("d2d4", [0, 0, 1, 2301])];
    for path in [
        "/masters",
        "/lichess",
        "/masters?fen=&play=",
        "/masters?fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR+w+KQkq",
    ] {
        check(&server, path, start, [2, 1, 2]);
    }
    check(&server, "/masters?play=e2e4", &[("e7e5", [1, 0, 0, 2401]), ("c7c5", [0, 1, 0, 2300])], [1, 1, 0]);
    check(&server, "/masters?play=e2e4,c7c5", &[], [0, 0, 0]);
    check(&server, "/masters?moves=1", &start[..1], [2, 1, 2]);
    check(&server, "/masters?moves=0", &[], [2, 1, 2]);
    check(&server, "/masters?since=2001&until=2001", &[("e2e4", [1, 0, 0, 2500])], [1, 0, 0]);
    check(&server, "/lichess?since=1999-08&until=2001-04", &[("g1f3", [0, 0, 1, 2000])], [0, 0, 1]);
    check(&server, "/lichess?ratings=2200", &[("e2e4", [1, 1, 0, 2450]), ("d2d4", [0, 0, 1, 2301])], [1, 1, 1]);
    check(&server, "/lichess?ratings=0,2500&speeds=blitz&variant=chess960", &[], [0, 0, 0]);
    check(&server, "/masters?player=TWO", &[("e2e4", [0, 1, 0, 2400])], [0, 1, 0]);
    check(&server, "/masters?player=two&color=black", &[], [0, 0, 0]);

    let answer = server.json("/masters");
    assert_eq!(answer["opening"], Value::Null);
    assert_eq!(answer.get("recentGames"), None);
    let names = |list: &Value| -> Vec<String> {
        let games = list.as_array().unwrap().iter();
        games.map(|game| game["white"]["name"].as_str().unwrap().to_owned()).collect()
    };
    // The mean of one rating is that rating. A game that ended at once has no move to show.
    assert_eq!(names(&answer["topGames"]), ["One", "Two", "Six", "Five", "Three", "Four"]);
    let lichess = server.json("/lichess");
    assert_eq!(names(&lichess["topGames"]), ["One", "Two", "Six", "Five"]);
    assert_eq!(names(&lichess["recentGames"]), ["Four", "Two", "One", "Six", "Five", "Three"]);
    assert_eq!(names(&server.json("/lichess?recentGames=1")["recentGames"]), ["Four"]);

    let d4 = &answer["moves"][2];
    assert_eq!(answer["moves"][0]["game"], Value::Null, "three games are behind it");
    assert_eq!(
        d4["game"],
        json!({
            "id": "00000003", "uci": "d2d4", "winner": "black", "white": {"name": "Three", "rating": 2301},
            "black": {"name": "Other", "rating": 0}, "year": 0, "month": null,
        })
    );
    assert_eq!(d4["opening"], json!({"eco": "A40", "name": "Queen's Pawn Game"}));
    assert_eq!(server.json("/masters?play=e2e4,c7c5")["opening"]["name"], "Sicilian Defense");
    // No name in this position: the last one on the way counts.
    assert_eq!(server.json("/masters?play=e2e4,c7c5,a2a3,h7h5")["opening"]["eco"], "B20");

    let page = server.json("/api/explore");
    assert_eq!((&page["unknown"], &page["ended"], &page["gamesTotal"]), (&json!(1), &json!(1), &json!(7)));
    assert_eq!(page["games"].as_array().unwrap().len(), 7);
    assert_eq!(page["moves"][0]["lastYear"], 2003);
    assert_eq!(server.json("/api/explore?result=0-1&minRating=2200")["gamesTotal"], 1);
    assert_eq!(server.json("/api/explore?tags=White~o&tags=Date%3E2001")["gamesTotal"], 2);
    let index = server.json("/api/index");
    assert_eq!((&index["games"], &index["years"]), (&json!(7), &json!([1999, 2003])));
}

#[test]
fn games_are_chosen_by_their_speed_and_start_and_by_tags_of_choice() {
    let game = |tags: &str, moves: &str| format!("{tags}\n\n{moves}\n\n");
    let text = [
        game("[TimeControl \"180+2\"]\n[Variant \"Standard\"]", "1. e4 1-0"),
        game("[TimeControl \"60\"]\n[Mode \"x\"]", "1. e4 0-1"),
        game("[TimeControl \"-\"]\n[Variant \"Chess960\"]", "1. d4 1/2-1/2"),
        game("[Mode \"y\"]", "1. e4 1-0"),
    ];
    let desk = Desk::with(&[("games.pgn", text.concat().as_bytes())]);
    build(&desk, &["-o", "games.idx", "--tags", "Mode"], &["games.pgn".to_owned()]);
    build(&desk, &["-o", "usual.idx"], &["games.pgn".to_owned()]);
    let server = Running::start(&[&desk.path("games.idx")]);
    for path in ["/lichess", "/api/explore"] {
        for (query, all) in [
            ("", [2, 1, 1]),
            ("?speeds=blitz", [1, 0, 0]),
            ("?speeds=bullet,correspondence", [0, 1, 1]),
            ("?speeds=rapid", [0, 0, 0]),
            ("?speeds=ultraBullet,bullet,blitz,rapid,classical,correspondence", [2, 1, 1]),
            ("?variant=standard", [2, 0, 1]),
            ("?variant=chess960", [0, 1, 0]),
            ("?variant=standard&speeds=blitz,bullet&player=", [1, 0, 1]),
        ] {
            let answer = server.json(&format!("{path}{query}"));
            assert_eq!(["white", "draws", "black"].map(|name| answer[name].as_u64().unwrap()), all, "{path}{query}");
        }
    }
    for (query, all) in [("mode=x", [0, 0, 1]), ("Mode=y%20or%20Speed=blitz", [2, 0, 0])] {
        let answer = server.json(&format!("/api/explore?tags={query}"));
        assert_eq!(["white", "draws", "black"].map(|name| answer[name].as_u64().unwrap()), all, "{query}");
    }
    let both = Running::start(&[&desk.path("games.idx"), &desk.path("usual.idx")]);
    let refused = both.get("/api/explore?tags=Mode=x");
    assert_eq!(refused.status, 400);
    assert!(refused.text.contains("usual.idx: the index does not keep the tag Mode"), "{}", refused.text);
}

#[test]
fn games_of_several_indexes_are_added_up() {
    let one =
        index(&games(&[("One", [2500, 2500], "2001.01.01", "1-0", "1. e4"), ("Two", [0, 0], "", "0-1", "1. d4")]));
    let other = index(&games(&[("Three", [2600, 2600], "2000.01.01", "1/2-1/2", "1. e4")]));
    let server = Running::start(&[&one.path("games.idx"), &other.path("games.idx")]);
    check(&server, "/masters", &[("e2e4", [1, 1, 0, 2550]), ("d2d4", [0, 0, 1, 0])], [1, 1, 1]);
    let games = server.json("/masters")["topGames"].as_array().unwrap().clone();
    let texts: Vec<String> =
        games.iter().map(|game| server.get(&format!("/masters/pgn/{}", game["id"].as_str().unwrap())).text).collect();
    for (text, name) in texts.iter().zip(["Three", "One", "Two"]) {
        assert!(text.contains(&format!("[White \"{name}\"]")), "{text}");
    }
    assert_eq!(server.json("/masters")["moves"][0]["game"], Value::Null);
    assert_eq!(server.json("/masters")["moves"][1]["game"]["white"]["name"], "Two");
}

/// The moves that were played in a position, as the index itself counts them: games and results. None if a game came
/// back to it, because the index counts that game for several moves.
fn explored(index: &Index, position: &Position) -> Option<Vec<(String, [u64; 4])>> {
    let explored = index.explore(position).unwrap();
    let sum: u64 = explored.moves().iter().map(|count| count.results.games()).sum();
    (sum == explored.results().games()).then(|| {
        let mut moves: Vec<(String, [u64; 4])> = Vec::new();
        for count in explored.moves() {
            if let Some(m) = count.next.and_then(|next| next.find(position)) {
                let results = [count.results.white, count.results.draws, count.results.black];
                let uci = match m {
                    Move::Castle { king, rook } => format!("{king}{rook}"),
                    _ => m.to_uci(position),
                };
                moves.push((uci, [results[0], results[1], results[2], count.average_elo().unwrap_or(0)]));
            }
        }
        moves.sort();
        moves
    })
}

#[test]
fn a_thousand_positions_are_answered_as_the_index_answers() {
    let (desk, files) = desk();
    build(&desk, &["-o", "games.idx"], &files);
    let index = Index::open(desk.path("games.idx")).unwrap();
    let server = Running::start(&[&desk.path("games.idx")]);
    let (mut asked, mut of_960, mut next) = (0, 0, 12_345_u32);
    for file in &files {
        let database = Database::from(desk.read(file));
        for game in database.games() {
            let Ok(mut replay) = game.replay() else { continue };
            let mut position = replay.position().clone();
            while let Some(Ok(_)) = replay.next_ply() {
                next = next.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let is_odd = !replay.position().castling().are_orthodox(replay.position().board());
                if next >> 16 < 500 || (is_odd && of_960 < 100) {
                    position = replay.position().clone();
                    break;
                }
            }
            let is_odd = !position.castling().are_orthodox(position.board());
            if asked == 1000 || (asked > 800 && !is_odd && of_960 < 20) {
                continue;
            }
            asked += 1;
            of_960 += u32::from(is_odd);
            let fen = fen::to_string(&position, fen::FenStyle::default()).replace(' ', "%20");
            let (mut moves, _) = counts(&server.json(&format!("/masters?moves=1000&topGames=0&fen={fen}")));
            moves.sort();
            if let Some(expected) = explored(&index, &position) {
                assert_eq!(moves, expected, "{position}");
            }
        }
    }
    assert!(asked >= 800 && of_960 >= 20, "{asked} positions, {of_960} of Chess960");
}

#[test]
fn castling_is_written_as_the_king_taking_its_rook() {
    let desk = index(concat!(
        "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O 1-0\n\n",
        "[FEN \"4k3/8/8/8/8/8/8/5KR1 w G - 0 1\"]\n[SetUp \"1\"]\n[Variant \"Chess960\"]\n[Result \"0-1\"]\n\n\
         1. O-O 0-1\n",
    ));
    let server = Running::start(&[&desk.path("games.idx")]);
    let play = "e2e4,e7e5,g1f3,b8c6,f1c4,f8c5";
    check(&server, &format!("/masters?play={play}"), &[("e1h1", [1, 0, 0, 0])], [1, 0, 0]);
    for castling in ["e1g1", "e1h1"] {
        assert_eq!(server.json(&format!("/api/explore?play={play},{castling}"))["ended"], 1);
    }
    check(&server, "/masters?fen=4k3/8/8/8/8/8/8/5KR1+w+G+-+0+1", &[("f1g1", [0, 0, 1, 0])], [0, 0, 1]);
    let page = server.json(&format!("/api/explore?play={play}"));
    let castling = page["legal"].as_array().unwrap().iter().find(|m| m["san"] == "O-O").unwrap().clone();
    assert_eq!(
        castling,
        json!({"uci": "e1h1", "san": "O-O", "from": "e1", "to": "g1", "also": ["h1"], "promotion": null,
            "fen": "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4"})
    );
}

#[test]
fn a_game_is_given_as_text_and_move_by_move() {
    let text = "[White \"\u{c5}ngstr\u{f6}m \\\"x\\\"\"]\n[Result \"1-0\"]\n\n1. e4 {best} e5 2. Ke2 Ke7 3. Ke6 1-0\n";
    let desk = index(text);
    let server = Running::start(&[&desk.path("games.idx")]);
    let pgn = server.get("/masters/pgn/00000001");
    assert!(pgn.headers.contains("content-type: application/x-chess-pgn"), "{}", pgn.headers);
    assert_eq!(pgn.text, text);
    let game = server.json("/api/game/00000001");
    assert_eq!(game["tags"][0], json!(["White", "Ångström \"x\""]));
    assert_eq!(game["result"], "1-0");
    let played = &game["line"]["moves"];
    assert_eq!(played[0]["comments"], json!(["best"]));
    let moves: Vec<&str> = played.as_array().unwrap().iter().map(|m| m["san"].as_str().unwrap()).collect();
    assert_eq!(moves, ["e4", "e5", "Ke2", "Ke7"]);
    assert_eq!(played[3]["fen"], "rnbq1bnr/ppppkppp/8/4p3/4P3/8/PPPPKPPP/RNBQ1BNR w - - 2 3");
    assert!(game["error"].as_str().unwrap().contains("Ke6"), "{game}");
}
