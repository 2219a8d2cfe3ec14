//! Several databases in one server, the games of a player, and what can be chosen.

use serde_json::{Value, json};

use crate::serve::counting::{counts, games};
use crate::serve::{Running, index};

#[test]
fn each_index_is_a_database_to_choose() {
    let one =
        index(&games(&[("One", [2500, 2500], "2001.01.01", "1-0", "1. e4"), ("Two", [0, 0], "", "0-1", "1. d4")]));
    let other = index(&games(&[("Three", [2600, 2600], "2000.01.01", "1/2-1/2", "1. e4")]));
    std::fs::rename(other.path("games.idx"), other.path("club.idx")).unwrap();
    let server = Running::start(&[&one.path("games.idx"), &other.path("club.idx")]);
    let index = server.json("/api/index");
    assert_eq!(index["databases"], json!([{"name": "games", "games": 2}, {"name": "club", "games": 1}]));
    assert_eq!((&index["games"], &index["name"]), (&json!(3), &json!("games.idx + club.idx")));
    let club = server.json("/api/index?database=club");
    assert_eq!((&club["games"], &club["name"], &club["years"]), (&json!(1), &json!("club.idx"), &json!([2000, 2000])));
    assert_eq!(club["databases"], index["databases"]);
    let sums = |query: &str| counts(&server.json(query)).1;
    assert_eq!(sums("/masters"), [1, 1, 1]);
    assert_eq!(sums("/masters?database=games"), [1, 0, 1]);
    assert_eq!(sums("/lichess?database=club"), [0, 1, 0]);
    assert_eq!(sums("/api/explore?database=club&play=e2e4"), [0, 0, 0]);
    // A game has the same identifier in its database and in all of them.
    let [all, chosen] = ["/masters", "/masters?database=club"].map(|path| server.json(path)["topGames"][0].clone());
    assert_eq!((&all, &all["white"]["name"]), (&chosen, &json!("Three")));
    assert!(server.text(&format!("/masters/pgn/{}", all["id"].as_str().unwrap())).contains("Three"));
    for route in
        ["/masters", "/player?player=One&color=white", "/api/index", "/api/explore", "/api/starts", "/api/players"]
    {
        let sign = if route.contains('?') { '&' } else { '?' };
        let refused = server.get(&format!("{route}{sign}database=x"));
        assert_eq!((refused.status, &*refused.text), (400, "database: there is no x; the names are games, club\n"));
    }
    let alone = Running::start(&[&one.path("games.idx")]);
    assert_eq!(alone.json("/api/index")["databases"], json!([]));
    assert_eq!(counts(&alone.json("/masters?database=games")).1, [1, 0, 1]);
}

/// Games of players with these names, with ratings, and the result and the moves.
fn between(facts: &[(&str, &str, [u32; 2], &str, &str)]) -> String {
    let game = |(white, black, [elo, other], result, moves): &(&str, &str, [u32; 2], &str, &str)| {
        let tags = format!("[White \"{white}\"]\n[Black \"{black}\"]\n[WhiteElo \"{elo}\"]\n[BlackElo \"{other}\"]\n");
        format!("{tags}[Date \"2001.01.01\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n")
    };
    facts.iter().map(game).collect()
}

#[test]
fn the_games_of_a_player_are_those_with_the_colour() {
    let desk = index(&between(&[
        ("Tal, M", "Botvinnik, M", [2600, 2700], "1-0", "1. e4 c6"),
        ("TAL, M", "Smyslov, V", [2600, 2500], "1/2-1/2", "1. e4 c6"),
        ("Tal, M", "Unknown", [2600, 0], "0-1", "1. e4 e5"),
        ("Tal, M", "Keres, P", [2600, 2600], "*", "1. e4 e5"),
        ("Tal, M", "Keres, P", [2600, 2600], "0-1", "1. d4 d5"),
        ("Botvinnik, M", "Tal, M", [2700, 2600], "0-1", "1. c4"),
        ("Tal, Mikhail", "Botvinnik, M", [2600, 2700], "0-1", "1. e4 c6"),
    ]));
    let server = Running::start(&[&desk.path("games.idx")]);
    let answer = server.get("/player?player=tal,+m&color=white");
    assert!(answer.headers.contains("content-type: application/x-ndjson"), "{answer:?}");
    assert!(answer.headers.contains("access-control-allow-origin: *"), "{answer:?}");
    assert_eq!(answer.text.matches('\n').count(), 1);
    let answer: Value = serde_json::from_str(&answer.text).unwrap();
    let moves = |answer: &Value| -> Vec<Value> {
        let names = ["uci", "white", "draws", "black", "averageOpponentRating", "performance"];
        answer["moves"].as_array().unwrap().iter().map(|m| names.map(|name| m[name].clone()).into()).collect()
    };
    // Mean of 2700 and 2500, and one win more in two games. Unknown does not count, and neither does the game without a
    // result.
    assert_eq!(moves(&answer), [json!(["e2e4", 1, 1, 1, 2600, 2800]), json!(["d2d4", 0, 0, 1, 2600, 2200])]);
    assert_eq!((&answer["white"], &answer["queuePosition"]), (&json!(1), &json!(0)));
    assert_eq!(answer["recentGames"].as_array().unwrap().len(), 5);
    assert_eq!((answer.get("topGames"), answer["moves"][0].get("averageRating")), (None, None));
    // After 1. e4 the opponent is to move, and the ratings are still those of the opponents.
    let replies = server.json("/player?player=Tal,+M&color=white&play=e2e4");
    assert_eq!(moves(&replies), [json!(["c7c6", 1, 1, 0, 2600, 2800]), json!(["e7e5", 0, 0, 1, 0, 0])]);
    let black = server.json("/player?player=Tal,+M&color=black&recentGames=0");
    assert_eq!(moves(&black), [json!(["c2c4", 0, 0, 1, 2700, 3100])]);
    assert_eq!(black["recentGames"], json!([]));
    // Nobody has that name, so all who have it in theirs count.
    assert_eq!(counts(&with_rating(server.json("/player?player=tal&color=white"))).1, [1, 1, 3]);
    assert_eq!(counts(&with_rating(server.json("/player?player=Nobody&color=white"))).1, [0, 0, 0]);
    for (query, line) in [
        ("color=white", "player: it is missing"),
        ("player=Tal", "color: it is missing"),
        ("player=Tal&color=red", "color: it is white or black"),
        ("player=Tal&color=white&modes=rated,fast", "modes: it is rated, casual or both, not fast"),
        ("player=Tal&color=white&variant=draughts", "variant: "),
    ] {
        let refused = server.get(&format!("/player?{query}"));
        assert!(refused.status == 400 && refused.text.starts_with(line), "{query}: {refused:?}");
    }

    let page = server.json("/api/explore?player=Tal,+M&color=white");
    assert_eq!((&page["averageOpponentRating"], &page["performance"]), (&json!(2625), &json!(2525)));
    assert_eq!(page["moves"][0]["performance"], json!(2633));
    assert_eq!(server.json("/api/explore?player=Tal,+M").get("performance"), None);
    let unrated = server.json("/api/explore?player=Tal,+M&color=white&play=e2e4,e7e5");
    assert_eq!((&unrated["performance"], unrated.get("averageOpponentRating").is_some()), (&Value::Null, true));
}

/// Adds the member that `counts` reads to the moves of an answer.
fn with_rating(mut answer: Value) -> Value {
    for played in answer["moves"].as_array_mut().unwrap() {
        played["averageRating"] = json!(0);
    }
    answer
}

#[test]
fn players_are_found_by_a_part_of_their_names() {
    let one = index(&between(&[
        ("Carlsen, Magnus", "Anand, V", [0, 0], "1-0", "1. e4"),
        ("Anand, V", "Carlsen, Magnus", [0, 0], "1-0", "1. e4"),
        ("Ångström", "?", [0, 0], "1-0", "1. e4"),
    ]));
    let other = index(&between(&[("Anand, V", "Carlsson, P", [0, 0], "1-0", "1. e4")]));
    let server = Running::start(&[&one.path("games.idx"), &other.path("games.idx")]);
    let found = |query: &str| server.json(&format!("/api/players?{query}"))["players"].clone();
    assert_eq!(
        found("part=CARL"),
        json!([{"name": "Carlsen, Magnus", "games": 2}, {"name": "Carlsson, P", "games": 1}])
    );
    assert_eq!(found("part=anand"), json!([{"name": "Anand, V", "games": 3}]));
    assert_eq!(found("part=anand&database=games-2"), json!([{"name": "Anand, V", "games": 1}]));
    assert_eq!(found("part=%C3%A5ng"), json!([{"name": "Ångström", "games": 1}]));
    assert_eq!(found("part=n,+v%00c"), json!([]));
    assert_eq!(found("part=nobody"), json!([]));
    assert_eq!(found("").as_array().unwrap().len(), 4);
}

#[test]
fn starts_are_listed_by_their_games() {
    let start = |fen: &str, variant: &str| format!("[FEN \"{fen}\"]\n[SetUp \"1\"]\n{variant}[Result \"*\"]\n\n*\n\n");
    let chess960 = "bqnbrnkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBRNKR w HEhe - 0 1";
    let study = "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1";
    let text = [start(study, ""), start(chess960, "[Variant \"Chess960\"]\n").repeat(2), "1. e4 *\n\n".to_owned()];
    let desk = index(&text.concat());
    let server = Running::start(&[&desk.path("games.idx")]);
    let answer = server.json("/api/starts");
    assert_eq!(answer["total"], 2);
    let [first, second] = &answer["starts"].as_array().unwrap()[..] else { panic!("{answer}") };
    assert_eq!((&first["kind"], &first["games"], &second["games"]), (&json!("chess960"), &json!(2), &json!(1)));
    let number = pgn2fen_chess::fen::read(chess960.as_bytes()).unwrap().position.chess960_number();
    assert!(number.is_some() && first["number"].as_u64() == number.map(u64::from), "{first}");
    assert_eq!((&second["kind"], &second["number"], &second["fen"]), (&json!("other"), &Value::Null, &json!(study)));
    assert_eq!(server.json("/api/index")["starts"], 3);
}

#[test]
fn games_with_two_ratings_come_first_and_recent_games_are_listed() {
    let desk = index(&games(&[
        ("None", [0, 0], "2005.01.01", "1-0", "1. e4"),
        ("One", [2800, 0], "2003.01.01", "1-0", "1. e4"),
        ("Low", [1500, 1500], "2001.01.01", "1-0", "1. e4"),
        ("High", [2500, 2500], "2002.01.01", "1-0", "1. d4"),
        ("Ended", [2000, 2000], "2004.01.01", "1-0", ""),
    ]));
    let server = Running::start(&[&desk.path("games.idx")]);
    let names = |path: &str, member: &str| -> Vec<String> {
        let answer = server.json(path);
        let games = answer[member].as_array().unwrap().iter();
        games.map(|game| game["white"]["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names("/api/explore", "games"), ["High", "Ended", "Low", "One", "None"]);
    assert_eq!(names("/api/explore?games=2", "games"), ["High", "Ended"]);
    assert_eq!(names("/masters", "topGames"), ["High", "Low", "One", "None"]);
    assert_eq!(names("/api/explore?recent=3", "recent"), ["None", "Ended", "One"]);
    assert_eq!(names("/api/explore", "recent"), [""; 0]);
}
