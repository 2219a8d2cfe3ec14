//! The laws of ARCHITECTURE.md: what the output must not depend on.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use pgn2fen_games::database::{Database, Source};
use pgn2fen_games::parallel::Cuts;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::pgn::between::Next;
use pgn2fen_games::pgn::between::next_game;
use pgn2fen_games::pgn::encoding::detect_utf16;
use pgn2fen_games::pgn::games::{Chunk, Games};
use pgn2fen_rows::Rows;

use crate::walking::{self, Said, same};

/// Whether the large sweeps are run, which take minutes: `PGN2FEN_SWEEP` is set, as in a weekly workflow.
pub(crate) fn sweeps() -> bool {
    std::env::var_os("PGN2FEN_SWEEP").is_some()
}

/// The step of `step_by` over inputs of which the large sweeps try all, and each change one in so many.
pub(crate) fn one_in(number: usize) -> usize {
    if sweeps() { 1 } else { number }
}

/// The files in a folder and in those below it, in the order of their paths.
pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

/// Every PGN file and every list of positions of the fixtures, with its path.
pub(crate) fn fixtures() -> Vec<(PathBuf, Vec<u8>)> {
    // Most tests compare jobs with readers of chess. Those of variants are in `variants`.
    let is_of_chess = |path: &PathBuf| !path.iter().any(|name| name == "variants");
    let is_text =
        |path: &PathBuf| is_of_chess(path) && path.extension().is_some_and(|ending| ending == "pgn" || ending == "epd");
    let paths = files_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures"));
    let found: Vec<_> = paths.into_iter().filter(is_text).map(|path| (path.clone(), fs::read(path).unwrap())).collect();
    assert!(found.len() > 100, "the fixtures are there");
    found
}

/// Every PGN file of the fixtures.
pub(crate) fn game_fixtures() -> Vec<(PathBuf, Vec<u8>)> {
    fixtures().into_iter().filter(|(path, _)| path.extension().is_some_and(|ending| ending == "pgn")).collect()
}

/// One text of all fixtures. Without a sweep, large ones give their first games only.
pub(crate) fn everything() -> Vec<u8> {
    const ENOUGH: usize = 60_000;
    let fixtures = game_fixtures();
    let readable = fixtures.iter().filter(|(_, bytes)| detect_utf16(bytes).is_none());
    let mut text = Vec::new();
    for (_, bytes) in readable {
        let is_large = bytes.len() > ENOUGH && !sweeps();
        let begins_game = |at: &usize| bytes[*at..].starts_with(b"[Event ");
        let end = if is_large { (0..ENOUGH).rev().find(begins_game).unwrap() } else { bytes.len() };
        text.extend_from_slice(&bytes[..end]);
        // An open comment or variation at the end of one file would swallow the next.
        text.extend_from_slice(b"\n} )\n");
    }
    text
}

/// One list of all lists of the fixtures, several times, so that it fills many blocks.
pub(crate) fn all_positions() -> Vec<u8> {
    let is_list = |path: &Path| path.extension().is_some_and(|ending| ending == "epd");
    let lists = fixtures().into_iter().filter(|(path, _)| is_list(path)).map(|(_, bytes)| bytes);
    lists.collect::<Vec<_>>().join(&b'\n').repeat(6)
}

/// Walks to the end.
fn walk(workers: &Workers, source: Source) -> Said {
    let said = try_walk(workers, source);
    assert!(said.error.is_none(), "{:?}", said.error);
    said
}

/// Walks as far as it goes, and writes lines of FEN.
pub(crate) fn try_walk(workers: &Workers, source: Source) -> Said {
    walking::walk(&Rows::new(), workers, [("a.pgn", source)])
}

pub(crate) fn whole(bytes: &[u8]) -> Source {
    Source::Whole(Database::from(bytes.to_vec()))
}

/// A stream that gives its bytes a few at a time.
pub(crate) fn stream(bytes: &[u8]) -> Source {
    try_stream(bytes).unwrap()
}

/// As [`stream`], of bytes that may be told to be of a kind that is not read.
pub(crate) fn try_stream(bytes: &[u8]) -> io::Result<Source> {
    struct Trickle(Vec<u8>, usize);
    impl Read for Trickle {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = buffer.len().min(self.0.len() - self.1).min(1009);
            buffer[..count].copy_from_slice(&self.0[self.1..self.1 + count]);
            self.1 += count;
            Ok(count)
        }
    }
    Source::stream(Box::new(Trickle(bytes.to_vec(), 0)), None)
}

pub(crate) fn workers(threads: usize) -> Workers {
    Workers::new(threads).unwrap()
}

#[test]
fn a_cut_at_any_byte_changes_nothing() {
    let mut cutting = workers(2);
    for (path, bytes) in fixtures() {
        let expected = walk(&workers_of_one(), whole(&bytes));
        // In a small file each cut alone, in a large one many cuts at once, until every byte had its turn.
        let stride = if bytes.len() <= 2048 { usize::MAX } else { 613 };
        for first in (1..bytes.len().min(stride)).step_by(one_in(3)) {
            let cuts = if stride == usize::MAX {
                vec![first as u64]
            } else {
                (first..bytes.len()).step_by(stride).map(|cut| cut as u64).collect()
            };
            if bytes.len() > 40_000 && first % 37 != 1 {
                continue;
            }
            cutting = cutting.with_cuts(Cuts::At(cuts));
            same(&walk(&cutting, whole(&bytes)), &expected, &format!("{} cut at {first}", path.display()));
        }
    }
}

fn workers_of_one() -> Workers {
    workers(1)
}

#[test]
fn threads_and_blocks_and_pipes_change_nothing() {
    let text = everything();
    let expected = walk(&workers_of_one().with_cuts(Cuts::Likely(usize::MAX / 4)), whole(&text));
    assert!(expected.lines().len() > 10_000, "there is something to compare");
    for threads in [1, 2, 3, 8] {
        let mut workers = workers(threads);
        for block in [300, 5_000, 128 * 1024] {
            workers = workers.with_cuts(Cuts::Likely(block));
            same(&walk(&workers, whole(&text)), &expected, &format!("{threads} threads, blocks of {block}"));
            same(&walk(&workers, stream(&text)), &expected, &format!("{threads} threads, stream, blocks of {block}"));
        }
        workers = workers.with_cuts(Cuts::At((0..text.len() as u64).step_by(7919).collect()));
        same(&walk(&workers, whole(&text)), &expected, &format!("{threads} threads, cuts anywhere"));
        same(&walk(&workers, stream(&text)), &expected, &format!("{threads} threads, stream, cuts anywhere"));
    }
}

#[test]
fn a_game_longer_than_any_block_is_read_whole() {
    let comment = format!("{{{}}}", "[Event \"no\"]\n\n1. d4 *\n".repeat(20_000));
    let text = format!("[Event \"1\"]\n\n1. e4 {comment} e5 *\n\n[Event \"2\"]\n\n1. d4 *\n").repeat(3);
    let expected = walk(&workers_of_one(), whole(text.as_bytes()));
    assert_eq!((expected.count().games, expected.lines().len()), (6, 15));
    for threads in [1, 2, 3] {
        let workers = workers(threads).with_cuts(Cuts::Likely(1000));
        same(&walk(&workers, whole(text.as_bytes())), &expected, "mapped");
        same(&walk(&workers, stream(text.as_bytes())), &expected, "streamed");
    }
}

#[test]
fn crlf_for_lf_changes_no_position() {
    for (path, bytes) in fixtures() {
        if bytes.contains(&b'\r') || detect_utf16(&bytes).is_some() {
            continue;
        }
        let crlf = String::from_utf8_lossy(&bytes).replace('\n', "\r\n");
        let cr = String::from_utf8_lossy(&bytes).replace('\n', "\r");
        let lf = String::from_utf8_lossy(&bytes).into_owned();
        let expected = walk(&workers_of_one(), whole(lf.as_bytes()));
        for text in [crlf, cr] {
            let said = walk(&workers_of_one(), whole(text.as_bytes()));
            assert_eq!(said.output, expected.output, "{}", path.display());
            let kinds = |said: &Said| said.faults().into_iter().map(|it| (it.0, it.2, it.3)).collect::<Vec<_>>();
            assert_eq!(kinds(&said), kinds(&expected), "{}", path.display());
        }
    }
}

#[test]
fn garbage_before_a_database_changes_no_position() {
    for (path, bytes) in fixtures() {
        if detect_utf16(&bytes).is_some() {
            continue;
        }
        let expected = walk(&workers_of_one(), whole(&bytes));
        for garbage in ["From: someone\nSubject: games\n\n", "\0\x1a\u{feff}\n", "} ) > #\n", "see [1] below\n"] {
            let text = [garbage.as_bytes(), &bytes].concat();
            let said = walk(&workers_of_one(), whole(&text));
            assert_eq!(said.output, expected.output, "{} behind {garbage:?}", path.display());
        }
    }
}

#[test]
fn a_bad_game_never_touches_its_neighbours() {
    let good = "[Event \"good\"]\n\n1. e4 e5 2. Nf3 *\n\n";
    let expected = walk(&workers_of_one(), whole(good.as_bytes()));
    let bad = [
        "[Event \"bad\"]\n\n1. e4 e5 2. Ke3 (2. d4 {x) y} ) Nf6 *\n\n",
        "[Event \"bad\"]\n[FEN \"8/8/8 w - -\"]\n\n1. e4 {*} (e5 *) *\n\n",
        "[Event \"bad\"]\n[Variant \"Bughouse\"]\n\n1. e4 *\n\n",
        "[Event \"bad\"]\n\n1. e4 whatever ( 1-0\n\n",
        "[Event \"bad\n\n1. zz *\n\n",
    ];
    for bad in bad {
        let said = walk(&workers_of_one(), whole(format!("{good}{bad}{good}").as_bytes()));
        assert!(said.output.starts_with(&expected.output) && said.output.ends_with(&expected.output), "{bad}");
        assert_eq!(said.count().games, 3, "{bad}");
        assert!(said.diagnostics.iter().any(|(it, _)| it.kind.is_error()), "{bad}");
    }
}

#[test]
fn games_and_what_lies_between_add_up_to_the_file() {
    for (path, bytes) in fixtures() {
        let mut end = 0;
        for game in Games::new(&bytes) {
            let start = usize::try_from(game.offset()).unwrap();
            assert!(start >= end && !game.bytes().is_empty(), "{}", path.display());
            assert_eq!(&bytes[start..start + game.bytes().len()], game.bytes());
            // What lies between holds no game of its own.
            let between = Chunk::whole(&bytes[end..start]);
            assert!(matches!(next_game(between, 0, |_| ()), Next::Nothing(_)), "{}", path.display());
            end = start + game.bytes().len();
        }
        assert!(matches!(next_game(Chunk::whole(&bytes), end, |_| ()), Next::Nothing(_)), "{}", path.display());
    }
}

/// Numbers that look random and are the same in each run.
pub(crate) fn noise(seed: &mut u64) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as usize
}

#[test]
fn damaged_files_are_read_without_panic_and_alike_however_they_are_cut() {
    let marks = b"{}()[]<>;%\"\\$.*!?-/ \n\r\0\x1a\xa0\xc2\xe2\xefeN1x8QO0";
    let mut seed = 7;
    for (path, bytes) in fixtures().into_iter().filter(|(_, bytes)| bytes.len() < 10_000 && !bytes.is_empty()) {
        for _ in 0..20 {
            let mut damaged = bytes.clone();
            for _ in 0..1 + noise(&mut seed) % 8 {
                let at = noise(&mut seed) % damaged.len();
                match noise(&mut seed) % 3 {
                    0 => damaged[at] = marks[noise(&mut seed) % marks.len()],
                    1 => damaged.insert(at, marks[noise(&mut seed) % marks.len()]),
                    _ => damaged.truncate(at.max(1)),
                }
            }
            let expected = walk(&workers_of_one(), whole(&damaged));
            let cuts = (0..6).map(|_| (noise(&mut seed) % damaged.len()) as u64).collect::<Vec<_>>();
            let mut sorted = cuts.clone();
            sorted.sort_unstable();
            let said = walk(&workers_of_one().with_cuts(Cuts::At(sorted)), whole(&damaged));
            same(&said, &expected, &format!("{} damaged to {:?}", path.display(), String::from_utf8_lossy(&damaged)));
        }
    }
}
