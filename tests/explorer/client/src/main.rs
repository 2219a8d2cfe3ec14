//! Asks a running `pgn2fen serve` with licheszter, a client of the public opening explorer with typed answers.
//!
//! ```sh
//! cargo run --manifest-path tests/explorer/client/Cargo.toml -- http://127.0.0.1:9002
//! ```

use licheszter::client::Licheszter;
use licheszter::config::openings::{LichessOpeningsOptions, MastersOpeningsOptions};
use licheszter::models::openings::{Opening, OpeningMove};

/// Checks what holds for every answer.
fn check(answer: &Opening) {
    let sum = |count: fn(&OpeningMove) -> u32| answer.moves.iter().map(count).sum::<u32>();
    assert!(answer.white >= sum(|played| played.white) && answer.draws >= sum(|played| played.draws));
    assert!(answer.moves.is_sorted_by_key(|played| std::cmp::Reverse(played.white + played.draws + played.black)));
    assert!(answer.white + answer.draws + answer.black > 0 && !answer.top_games.is_empty());
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let address = std::env::args().nth(1).expect("the address of a running server");
    let client = Licheszter::builder().with_openings_url(address.as_str()).expect("an address").build();
    let openings = client.openings();

    let start = openings.masters(None).await.expect("an answer");
    check(&start);
    let most_played = start.moves[0].uci.clone();

    let options = MastersOpeningsOptions::new().play(&[&most_played]).since(1900).until(2030).moves(3).top_games(2);
    let next = openings.masters(Some(&options)).await.expect("an answer");
    check(&next);
    assert!(next.moves.len() <= 3 && next.top_games.len() == 2 && next.recent_games.is_empty());

    let text = openings.masters_otb_game(&next.top_games[0].id).await.expect("a game");
    assert!(text.contains("[White \"") && text.contains(&next.top_games[0].white.name), "{text}");

    let all = openings.masters(Some(&MastersOpeningsOptions::new().play(&[&most_played]))).await.expect("an answer");
    let options = LichessOpeningsOptions::new().play(&[&most_played]).moves(100);
    let lichess = openings.lichess(Some(&options)).await.expect("an answer");
    check(&lichess);
    assert_eq!((lichess.white, lichess.draws, lichess.black), (all.white, all.draws, all.black));
    assert!((1..=8).contains(&lichess.recent_games.len()));

    assert!(openings.masters(Some(&MastersOpeningsOptions::new().fen("no FEN"))).await.is_err());
    println!("{} games after {most_played}", next.white + next.draws + next.black);
}
