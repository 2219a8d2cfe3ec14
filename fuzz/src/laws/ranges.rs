//! Law: adjacent ranges of bytes that cover a file, plain or of zstd frames, give the same results together as the
//! whole file.

use std::ops::Range;

use pgn2fen_games::database::{Database, Source};
use pgn2fen_games::diagnostic::Kind;
use pgn2fen_games::parallel::Cuts;
use pgn2fen_rows::{Format, Rows, Shape};

use crate::choices::Choices;
use crate::walking::{Job, Said, same, stream, walk, whole, with_one, with_workers};

/// Checks the law. The first byte is the number of ranges, and two bytes for each boundary are its offset. The rest is
/// the text.
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

    let columns = Some("game,line,offset,ply,fen".parse().expect("these are columns"));
    let job = Job::Rows(Rows::new().shape(Shape { format: Format::Tsv, columns, no_header: true }));
    let mut expected = with_one(|one| walk(&job, one, whole(&text)));
    without_no_games(&mut expected);
    let database = Database::from(text.clone());
    check_ranges(&job, &expected, &ends, |range| Source::Whole(database.clone().within(range)));

    // The same text in zstd frames, in ranges of the compressed file.
    let file = frames(&text, &ends);
    let mut ends: Vec<u64> = places.iter().map(|place| (place % (file.len() + 1)) as u64).collect();
    ends.sort_unstable();
    let place = tempfile::NamedTempFile::new().expect("there is a folder for temporary files");
    std::fs::write(place.path(), file).expect("the disk has room");
    let open = || Source::open(place.path(), true, None);
    // Files of other kinds are refused. UTF-16, tables, records, and text that looks compressed itself have no ranges.
    let has_ranges =
        |plain: Source| plain.transcoded_from().is_none() && plain.table().is_none() && plain.compression().is_none();
    if open().is_ok() && stream(&text, 1009).is_ok_and(has_ranges) {
        let within = |range| open().and_then(|source| source.within(range)).expect("the file has frames");
        check_ranges(&job, &expected, &ends, within);
    }
}

/// Removes the error that there is no game, because only a whole file is known to have none.
fn without_no_games(said: &mut Said) {
    said.diagnostics.retain(|(diagnostic, _)| diagnostic.kind != Kind::NoGames);
}

/// Returns a zstd file of a text, with a frame from each of these places to the next.
fn frames(text: &[u8], places: &[u64]) -> Vec<u8> {
    let places = places.iter().map(|place| usize::try_from(*place).expect("places are in the text"));
    let starts = std::iter::once(0).chain(places.clone());
    let frame =
        |(start, end): (usize, usize)| zstd::encode_all(&text[start..end], 1).expect("a text can be compressed");
    starts.zip(places.chain([text.len()])).flat_map(frame).collect()
}

fn check_ranges(job: &Job, expected: &Said, ends: &[u64], open: impl Fn(Range<u64>) -> Source) {
    for cuts in [Cuts::Likely(usize::MAX / 4), Cuts::Likely(33)] {
        let mut sum = Said::default();
        let starts = std::iter::once(0).chain(ends.iter().copied());
        for (start, end) in starts.zip(ends.iter().copied().chain([u64::MAX])) {
            let source = open(start..end);
            let said = with_workers(1, cuts.clone(), |one| walk(job, one, source));
            sum.output.extend(said.output);
            sum.diagnostics.extend(said.diagnostics);
            sum.count.games += said.count.games;
            sum.count.wanted += said.count.wanted;
            sum.count.positions += said.count.positions;
        }
        // One of the ranges may be the whole file.
        without_no_games(&mut sum);
        same(&sum, expected, &format!("ranges to {ends:?}"));
    }
}
