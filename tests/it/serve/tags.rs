//! Filters on speeds, on variants, and on the tags that an index keeps.

use serde_json::{Value, json};

use crate::cli::Desk;
use crate::serve::Running;

const GAMES: &[u8] = br#"
[White "Blitz"]
[Result "1-0"]
[TimeControl "180+2"]
[Annotator "Ann"]

1. e4 1-0

[White "Slow"]
[Result "0-1"]
[TimeControl "-"]

1. e4 0-1

[White "Unknown"]
[Result "1/2-1/2"]
[Annotator "Bob"]

1. e4 1/2-1/2

[White "Random"]
[Result "1-0"]
[TimeControl "300"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1"]

1. e4 1-0
"#;

/// The games that White won, that were drawn, and that Black won.
fn sums(answer: &Value) -> [u64; 3] {
    ["white", "draws", "black"].map(|name| answer[name].as_u64().unwrap())
}

#[test]
fn games_pass_by_what_the_index_keeps() {
    let desk = Desk::with(&[("games.pgn", GAMES)]);
    desk.run(&["index", "-q", "--tags", "Annotator", "-o", "tags.idx", "games.pgn"]);
    desk.run(&["index", "-q", "-o", "usual.idx", "games.pgn"]);
    let server = Running::start(&[&desk.path("tags.idx")]);
    let index = server.json("/api/index");
    assert_eq!(index["hasSpeeds"], true);
    assert!(index["tags"].as_array().unwrap().contains(&json!("Annotator")), "{index}");
    let start = "fen=bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN+w+KQkq+-+0+1&";
    for route in ["/lichess?", "/api/explore?"] {
        for (query, expected) in [
            ("", [1, 1, 1]),
            ("speeds=blitz", [1, 0, 0]),
            ("speeds=blitz,correspondence", [1, 0, 1]),
            ("speeds=rapid", [0, 0, 0]),
            ("variant=standard", [1, 1, 1]),
            ("variant=chess960", [0, 0, 0]),
        ] {
            assert_eq!(sums(&server.json(&format!("{route}{query}"))), expected, "{route}{query}");
        }
        let of_start = |query: &str| sums(&server.json(&format!("{route}{start}{query}")));
        assert_eq!([of_start("variant=chess960"), of_start("variant=standard")], [[1, 0, 0], [0, 0, 0]]);
    }
    let tagged = |tags: &str| sums(&server.json(&format!("/api/explore?tags={tags}")));
    assert_eq!(
        [tagged("Annotator=Bob"), tagged("annotator~A"), tagged("Speed=blitz")],
        [[0, 1, 0], [1, 0, 0], [1, 0, 0]]
    );

    // Of two indexes, only what both keep is offered.
    let both = Running::start(&[&desk.path("tags.idx"), &desk.path("usual.idx")]);
    let tags = both.json("/api/index")["tags"].as_array().unwrap().clone();
    assert!(tags.contains(&json!("TimeControl")) && !tags.contains(&json!("Annotator")), "{tags:?}");
    let refused = both.get("/api/explore?tags=Annotator=Bob");
    assert_eq!(refused.status, 400);
    assert!(
        refused.text.starts_with("tags: usual.idx: ")
            && refused.text.contains("such as Annotator, is built by pgn2fen index --tags"),
        "{refused:?}"
    );
    assert_eq!(sums(&both.json("/api/explore?database=tags&tags=Annotator=Bob")), [0, 1, 0]);
}
