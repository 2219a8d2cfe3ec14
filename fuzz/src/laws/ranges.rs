//! Law: adjacent ranges of bytes that cover a file give the same results together as the whole file.

use pgn2fen::database::{Database, Source};
use pgn2fen::internals::Cuts;
use pgn2fen::rows::Rows;

use crate::choices::Choices;
use crate::walking::{Job, Said, same, walk, whole, with_one, with_workers};

/// Checks the law. The first byte is the number of ranges, and two bytes for each boundary are its offset. The rest is the text.
///
/// # Panics
///
/// The law is broken.
pub fn check(data: &[u8]) {
    let mut choices = Choices::new(data);
    let count = 1 + choices.byte() % 6;
    let places: Vec<usize> = (0..count).map(|_| choices.number()).collect();
    let text = choices.text();
    let mut ends: Vec<u64> = places.iter().map(|place| (place % (text.len() + 1)) as u64).collect();
    ends.sort_unstable();

    let job = Job::Rows(Rows::new());
    let expected = with_one(|one| walk(&job, one, whole(&text)));
    let database = Database::from(text.clone());
    for cuts in [Cuts::Likely(usize::MAX / 4), Cuts::Likely(33)] {
        let mut sum = Said::default();
        let starts = std::iter::once(0).chain(ends.iter().copied());
        for (start, end) in starts.zip(ends.iter().copied().chain([u64::MAX])) {
            let source = Source::Whole(database.clone().within(start..end));
            let said = with_workers(1, cuts.clone(), |one| walk(&job, one, source));
            sum.output.extend(said.output);
            sum.diagnostics.extend(said.diagnostics.into_iter().map(|(mut diagnostic, place)| {
                diagnostic.game = diagnostic.game.map(|game| game + sum.count.games);
                (diagnostic, place)
            }));
            sum.count.games += said.count.games;
            sum.count.wanted += said.count.wanted;
            sum.count.positions += said.count.positions;
        }
        same(&sum, &expected, &format!("ranges to {ends:?}"));
    }
}
