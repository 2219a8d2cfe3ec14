//! Law: records of games (JSON of Lichess and chess.com, puzzles, evaluations and moves in tables) have the same
//! results in pieces of any size, on one thread and on two. Without an error, the copies of their games have the same
//! positions.

use pgn2fen_rows::Rows;

use crate::choices::Choices;
use crate::walking::{Job, agreed, has_copies_with_the_same_positions, same, stream, walk, with_one};

/// Checks the law. A byte is the size of the pieces, and chooses the job. The rest is the text of the records.
///
/// # Panics
///
/// The law is broken.
pub fn check(data: &[u8]) {
    let mut choices = Choices::new(data);
    let step = choices.byte();
    let text = choices.text();
    let open = |step: u8| stream(&text, usize::from(step)).ok();
    let job = Job::Rows(Rows::new().variations(step & 1 != 0));
    let whole = || open(u8::MAX);
    let Some(said) = agreed(&job, &whole) else { return };
    let pieces = with_one(|one| walk(&job, one, open(step).expect("it was opened before")));
    same(&pieces, &said, "in small pieces");
    has_copies_with_the_same_positions(&said, &job, &whole);
}
