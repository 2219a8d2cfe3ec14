//! Law: the results of a walk depend only on the text and the options. They do not depend on cuts or threads, or on
//! whether the text comes from a file or a pipe.

use pgn2fen_games::parallel::Cuts;

use crate::choices::Choices;
use crate::walking::{Job, cuts_every, same, stream, walk, whole, with_one, with_workers};

/// Checks the law. Four bytes choose the job and the number of bytes for each read of a stream. The rest is the text.
///
/// # Panics
///
/// The law is broken.
pub fn check(data: &[u8]) {
    let mut choices = Choices::new(data);
    let job = Job::choose(&mut choices);
    let trickle = choices.one_of(&[1009, 61, 7, 1]);
    let text = choices.text();

    let source = || stream(&text, trickle);
    let Ok(first) = source() else { return };
    // Only a stream is decompressed and transcoded.
    let is_plain = first.compression().is_none() && first.transcoded_from().is_none();
    let expected = with_one(|one| walk(&job, one, if is_plain { whole(&text) } else { first }));

    let cuts = [7, 64, 501, 1024].map(|step| (step, cuts_every(step, &text)));
    let likely = [33, 1000].map(|step| (step, Cuts::Likely(step)));
    for (step, cuts) in cuts.into_iter().chain(likely) {
        // In a long text with many cuts every block reads far ahead, which takes too long.
        if text.len() > 500 * step {
            continue;
        }
        for threads in [1, 2] {
            if threads == 2 && step > 64 {
                continue;
            }
            with_workers(threads, cuts.clone(), |workers| {
                let what = format!("{}, {threads} threads, cuts of {step}", job.name());
                if is_plain {
                    same(&walk(&job, workers, whole(&text)), &expected, &what);
                }
                let streamed = walk(&job, workers, source().expect("it could be read before"));
                same(&streamed, &expected, &format!("{what}, stream"));
            });
        }
    }
}
