//! Answers that are made in advance or kept are those of a full search.

use std::collections::HashSet;

use pgn2fen_chess::fen;
use pgn2fen_games::Database;

use crate::cli::Desk;
use crate::index::build;
use crate::laws::sweeps;
use crate::serve::Running;

#[test]
fn thousands_of_answers_are_equal_with_and_without_what_is_kept() {
    let book = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/games/opening_book.pgn");
    let book = std::fs::read(book).unwrap();
    let desk = Desk::with(&[("book.pgn", &book)]);
    build(&desk, &["-o", "games.idx"], &["book.pgn".to_owned()]);
    let server = Running::start(&[&desk.path("games.idx")]);
    let mut positions = HashSet::new();
    for game in Database::from(book).games().step_by(if sweeps() { 12 } else { 40 }) {
        let mut replay = game.replay().unwrap();
        loop {
            let fen = fen::to_string(replay.position(), fen::FenStyle::default()).replace(' ', "+");
            positions.insert(fen);
            if replay.next_ply().is_none() {
                break;
            }
        }
    }
    assert!(positions.len() > 250, "{}", positions.len());
    for fen in &positions {
        // Every game passes the filters, but all of them are looked at.
        for (route, options, filter) in [
            ("/api/explore", "recent=5", "tags=White!%3Dnobody"),
            ("/lichess", "moves=30", "player=stockfish"),
            ("/masters", "moves=30", "player=stockfish"),
        ] {
            let kept = server.text(&format!("{route}?fen={fen}&{options}"));
            let searched = server.text(&format!("{route}?fen={fen}&{options}&{filter}"));
            assert_eq!(kept, searched, "{route}: {fen}");
            assert_eq!(server.text(&format!("{route}?fen={fen}&{options}")), kept, "{route}: {fen}");
        }
    }
}
