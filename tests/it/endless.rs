//! Text that has no end: what belongs to no game is passed over in bounded memory, and a game that does not end is
//! refused.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;

use pgn2fen_games::database::Source;
use pgn2fen_games::diagnostic::{Diagnostic, Kind};
use pgn2fen_games::parallel::Cuts;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::walk::{Count, Job, Listener, Place};
use pgn2fen_rows::{Format, Rows};

use crate::laws::{stream, whole, workers};
use crate::walking::{self, read_options, same};

/// A text that is repeated behind a head, up to so many bytes.
struct Endless {
    head: &'static [u8],
    body: &'static [u8],
    at: usize,
    length: usize,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = buffer.len().min(self.length - self.at);
        for (at, byte) in (self.at..).zip(&mut buffer[..count]) {
            *byte = match at.checked_sub(self.head.len()) {
                None => self.head[at],
                Some(at) => self.body[at % self.body.len()],
            };
        }
        self.at += count;
        Ok(count)
    }
}

/// What a walk held at most.
#[derive(Debug, Default)]
struct Held {
    bytes: usize,
    diagnostics: usize,
    /// How many diagnostics there were in all.
    told: usize,
    /// How many of them were told before this delivery.
    told_before: usize,
    read: usize,
    games: u64,
}

impl Listener for Held {
    fn diagnostic(&mut self, _: &Diagnostic, _: Place) {
        self.told += 1;
    }

    fn progress(&mut self, bytes: usize, count: Count) -> ControlFlow<()> {
        self.bytes = self.bytes.max(bytes);
        self.diagnostics = self.diagnostics.max(self.told - self.told_before);
        self.told_before = self.told;
        self.read += bytes;
        self.games = count.games;
        ControlFlow::Continue(())
    }
}

fn walk(workers: &Workers, source: Source) -> (Held, io::Result<()>) {
    let mut held = Held::default();
    let mut job = Rows::new().begin(io::sink()).unwrap();
    let walked = job.read(workers, Path::new("endless.pgn"), source, &mut held);
    (held, walked)
}

const LENGTH: usize = 8 * 1024 * 1024;

/// A stream of this text is read in blocks, of which none is larger than it would be in a text of many games.
#[track_caller]
fn check(head: &'static [u8], body: &'static [u8], told: usize) {
    for threads in [1, 2] {
        let workers = Workers::new(threads).unwrap();
        let endless = Endless { head, body, at: 0, length: LENGTH };
        let (held, walked) = walk(&workers, Source::stream(Box::new(endless), None).unwrap());
        walked.unwrap();
        let name = body.escape_ascii();
        assert!(held.bytes <= 256 * 1024, "{name}: {held:?}");
        assert!(held.diagnostics <= 128 * 1024, "{name}: {held:?}");
        assert_eq!((held.read, held.told, held.games), (LENGTH, told, 0), "{name}: {held:?}");
    }
}

#[test]
fn text_without_games_is_passed_over_in_bounded_memory() {
    // The last error says that there is no game.
    check(b"", b"\0", 2);
    check(b"", b" ", 0);
    check(b"", b"\r\n", 0);
    check(b"", b"\r", 0);
    // It ends with half a blank, which is none.
    check(b" \n", b"\0 \xC2\xA0\xEF\xBB\xBF\n\xA0", 3);
    check(b"", b"x", 2);
    check(b"", b"prose without an end ", 2);
    check(b"% ", b"escaped 1. e4 *", 1);
    check(b"% ", b"escaped\n% ", 1);
    check(b"", b"x\n", LENGTH / 2 + 1);
    check(b"", b"\0 prose\n", LENGTH / 8 * 2 + 1);
}

#[test]
fn lines_that_belong_to_no_game_are_told_block_by_block() {
    let text = b"x\n".repeat(LENGTH / 2);
    for threads in [1, 2] {
        let (held, walked) = walk(&Workers::new(threads).unwrap(), whole(&text));
        walked.unwrap();
        assert_eq!((held.told, held.read), (LENGTH / 2 + 1, LENGTH));
        assert!(held.diagnostics <= 128 * 1024, "{held:?}");
    }
}

#[test]
fn a_game_of_a_stream_that_does_not_end_is_refused() {
    const LONGEST: usize = 1024 * 1024;
    for body in [&b"Nf3 Nf6 Ng1 Ng8 "[..], b"{", b"; comment\n", b"(", b"\0", b" ", b"[A \"\"]\n", b"x"] {
        for head in [&b"1. e4 e5 *\n\n[A \"\"]\n\n"[..], b"1. e4 e5 *\n\n1. e4 "] {
            // A section of tags ends after so many pairs, and so does a game without moves.
            if body == b"; comment\n" && head.ends_with(b"e4 ") || body == b"[A \"\"]\n" {
                continue;
            }
            let workers = Workers::new(2).unwrap().with_cuts(Cuts::Likely(10_000)).with_longest_game(LONGEST);
            let endless = Endless { head, body, at: 0, length: 4 * LONGEST };
            let (held, walked) = walk(&workers, Source::stream(Box::new(endless), None).unwrap());
            let error = walked.expect_err("it is refused").to_string();
            assert!(error.starts_with("the game on line 3 is longer than 1 MiB"), "{}: {error}", body.escape_ascii());
            assert_eq!(held.games, 1, "the game before it is delivered");
            assert!(held.read < LONGEST);
        }
    }
    // A file is at hand as a whole.
    let game = [b"1. e4 ", &b"Nf6 Nf3 Ng8 Ng1 ".repeat(LONGEST / 8)[..]].concat();
    let workers = Workers::new(2).unwrap().with_cuts(Cuts::Likely(10_000)).with_longest_game(LONGEST);
    let (held, walked) = walk(&workers, whole(&game));
    walked.unwrap();
    assert_eq!(held.games, 1);
}

/// A game with more moves, more moves in variations, or more warnings than are read or told, among others.
#[test]
fn a_game_beyond_the_limits_is_read_alike_however_it_is_cut() {
    let knights = "Nf3 Nf6 Ng1 Ng8 ".repeat(25_001);
    let text = format!("1. e4 *\n\n1. {knights}*\n\n1. d4 {}1-0\n\n1. c4 +# *\n", ") +# ".repeat(6_000));
    let job = Rows::columns("game,ply,result,plies,fen").unwrap().format(Format::Csv);
    let job = job.read_options(read_options(|read| read.replay.first_warnings_only = false));
    let walk = |workers: &Workers, source| walking::walk(&job, workers, [("a.pgn", source)]);
    let expected = walk(&workers(1).with_cuts(Cuts::Likely(usize::MAX / 4)), whole(text.as_bytes()));
    assert_eq!((expected.count().games, expected.count().positions), (4, 2 + 100_001 + 2 + 2));
    let count = |kind| {
        let of_kind = expected.diagnostics.iter().filter(|(diagnostic, _)| diagnostic.kind == kind);
        of_kind.map(|(diagnostic, _)| 1 + diagnostic.others).sum::<u64>()
    };
    assert_eq!((count(Kind::TooLong), count(Kind::SkippedText)), (1, 12_001));
    for (threads, cuts) in
        [(2, Cuts::Likely(1000)), (3, Cuts::Likely(60_000)), (2, Cuts::At(vec![9, 200_000, 410_000]))]
    {
        let workers = workers(threads).with_cuts(cuts.clone());
        same(&walk(&workers, whole(text.as_bytes())), &expected, &format!("a file cut at {cuts:?}"));
        same(&walk(&workers, stream(text.as_bytes())), &expected, &format!("a stream cut at {cuts:?}"));
    }
}

/// The longest game of a stream is about as long as the docs say.
#[test]
fn the_limit_for_streams_is_exact_to_the_size_of_two_blocks() {
    const LONGEST: usize = 1024 * 1024;
    const MORE: usize = 128 * 1024;
    let workers = Workers::new(2).unwrap().with_longest_game(LONGEST);
    for ahead in (0..100_000).step_by(24_000) {
        for (length, is_read) in [(LONGEST, true), (LONGEST + MORE, false)] {
            let game = format!("1. e4 {{{}}} *", "a".repeat(length - 10));
            assert_eq!(game.len(), length);
            for behind in ["", &"\n1. d4 *".repeat(100_000)] {
                let text = format!("{}{game}{behind}", "1. c4 *\n".repeat(ahead / 8));
                let (_, walked) = walk(&workers, stream(text.as_bytes()));
                assert_eq!(walked.is_ok(), is_read, "{length} bytes behind {ahead}");
            }
        }
    }
}
