//! Players under several names.

use serde_json::json;

use super::{Running, index};

const GAMES: &str = "\
[White \"Carlsen,M\"] [Black \"Tal\"] 1. e4 e5 1-0

[White \"DrNykterstein\"] [Black \"Tal\"] 1. d4 d5 1-0

[White \"Tal\"] [Black \"Carlsen, Magnus\"] 1. c4 c5 1-0

[White \"Carlsen, Henrik\"] [Black \"Tal\"] 1. f4 *
";

#[test]
fn a_player_is_found_under_all_names() {
    let desk = index(GAMES);
    let folder = desk.path("games.idx");
    let names = "Carlsen, Magnus\n  Carlsen,M\n  DrNykterstein\n";
    let plain = Running::start(&[&folder]);
    let server = Running::with(&[&folder], |options| options.players = names.parse().unwrap());
    let games = |server: &Running, query: &str| {
        let moves = server.json(&format!("/api/explore?{query}"))["moves"].as_array().unwrap().clone();
        let mut moves: Vec<String> = moves.iter().map(|played| played["san"].as_str().unwrap().to_owned()).collect();
        moves.sort();
        moves.join(" ")
    };
    for (query, without, with) in [
        ("", "c4 d4 e4 f4", "c4 d4 e4 f4"),
        ("player=nykter", "d4", "c4 d4 e4"),
        ("player=carlsen&color=white", "e4 f4", "d4 e4 f4"),
        ("tags=White%3DCarlsen,+Magnus", "", "d4 e4"),
        ("tags=Player~henrik", "f4", "f4"),
    ] {
        assert_eq!((&*games(&plain, query), &*games(&server, query)), (without, with), "{query}");
    }
    let of_player = |server: &Running, name: &str| {
        server.json(&format!("/player?player={name}&color=white"))["white"].as_u64().unwrap()
    };
    for (name, without, with) in [("drnykterstein", 1, 2), ("Carlsen,+Magnus", 0, 2), ("tal", 1, 1)] {
        assert_eq!((of_player(&plain, name), of_player(&server, name)), (without, with), "{name}");
    }
    let listed = server.json("/api/players?part=carlsen")["players"].clone();
    assert_eq!(listed, json!([{"name": "Carlsen, Magnus", "games": 3}, {"name": "Carlsen, Henrik", "games": 1}]));
}
