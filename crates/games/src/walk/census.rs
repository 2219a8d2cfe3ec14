//! Counts games, lines and bytes without playing the games.

use std::io;
use std::ops::ControlFlow;

use crate::parallel::{Batch, Delivery, Stages, Workers};
use crate::walk::options::{ReadOptions, Verdict};
use pgn2fen_filters::Start;
use pgn2fen_pgn::diagnostic::{column, count_lines};
use pgn2fen_pgn::encoding::Fallback;
use pgn2fen_pgn::games::Chunk;
use pgn2fen_pgn::reader::{Reader, read_games};
use pgn2fen_pgn::replay;
use pgn2fen_pgn::tags::Tags;
use pgn2fen_sources::{Before, Source};

/// Counts the games, lines and bytes of a source, which may be a range of a file. [`Before::chosen`] is the number of
/// games that pass the filters. No move is played unless games are chosen by their openings or their course, so this
/// takes a small part of the time of any other job.
///
/// The numbers of adjacent ranges add up to the numbers of what stands before the next one.
///
/// ```
/// use pgn2fen_games::database::{Database, Source};
/// use pgn2fen_games::parallel::Workers;
/// use pgn2fen_games::walk::{ReadOptions, census};
///
/// let database = Database::from(b"1. e4 e5 1-0\n1. d4 *\n1. c4 *\n".to_vec());
/// let numbers = census(&Workers::new(1)?, Source::Whole(database.within(15..u64::MAX)), &ReadOptions::default())?;
/// // The range begins with the end of the second line.
/// assert_eq!((numbers.games, numbers.lines, numbers.text), (1, 2, 9));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The source cannot be read to its end.
pub fn census(workers: &Workers, source: Source, read: &ReadOptions) -> io::Result<Before> {
    let mut sum = Before::default();
    let mut read = read.clone();
    read.games.find_players();
    let encoding = source.fallback(read.encoding);
    let read = |text: Chunk<'_>, until: usize, counts: &mut Counts| {
        read_games(text, until, &mut Counting { read: &read, counts, tags: Tags::default(), encoding })
    };
    let order = |delivery: Delivery<'_, Counts>| {
        let Delivery { batch: Counts { now: (games, chosen), .. }, text, .. } = delivery;
        let (lines, column) = (count_lines(text), column(text));
        sum = sum.then(Before { games: *games, chosen: *chosen, lines, text: text.len() as u64, column });
        ControlFlow::Continue(())
    };
    workers.walk(source, Stages::read(read).order(order))?;
    Ok(sum)
}

/// The numbers of games of a block: all of them, and the chosen ones.
#[derive(Debug, Default)]
struct Counts {
    now: (u64, u64),
    /// The numbers that are certain.
    kept: (u64, u64),
}

impl Batch for Counts {
    fn clear(&mut self) {
        *self = Self::default();
    }
}

struct Counting<'b, 't> {
    read: &'b ReadOptions,
    counts: &'b mut Counts,
    tags: Tags<'t>,
    encoding: Fallback,
}

impl<'t> Reader<'t> for Counting<'_, 't> {
    fn game(&mut self, text: Chunk<'t>, start: usize) -> usize {
        let Self { read, counts, tags, encoding } = self;
        counts.now.0 += 1;
        text.read_tags(start, tags);
        if tags.is_open() && !text.is_last {
            return text.bytes.len();
        }
        let has_start = || match replay::start(tags, text.offset, &read.replay, &mut Vec::new()) {
            Ok(start) => read.games.wants_start(&start.position),
            Err(_) => false,
        };
        let movetext = text.movetext(tags);
        let is_chosen = read.games.wants_game(tags, &movetext, encoding)
            && (read.games.start == Start::Any || has_start())
            && read.wants_moves(tags, &movetext, text.offset, encoding) == Verdict::Passes;
        counts.now.1 += u64::from(is_chosen);
        movetext.end_offset()
    }

    fn keep(&mut self) {
        self.counts.kept = self.counts.now;
    }

    fn forget(&mut self) {
        self.counts.now = self.counts.kept;
    }
}
