//! Ranges of bytes: those that tile a file give together what the file gives.

use std::fs;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::Path;

use pgn2fen_files::{FileRange, OpenOptions, number, plan};
use pgn2fen_games::database::{Damage, Database, Source};
use pgn2fen_games::diagnostic::Kind;
use pgn2fen_games::parallel::Cuts;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::pgn::encoding::detect_utf16;
use pgn2fen_games::walk::{ReadOptions, census};
use pgn2fen_rows::{Format, Rows, Shape};

use crate::laws::{everything, fixtures, noise, one_in, try_walk as fens, whole, workers};
use crate::walking::{self, Said, same};

/// Walks to the end and writes rows with the numbers of games, lines and bytes in the file.
fn try_walk(workers: &Workers, source: Source) -> Said {
    let columns = Some("game,line,offset,ply,san,fen".parse().unwrap());
    let shape = Shape { format: Format::Tsv, columns, no_header: true };
    walking::walk(&Rows::new().shape(shape), workers, [("a.pgn", source)])
}

/// What the ranges between these places say, one after another.
fn tiled(workers: &Workers, bytes: &[u8], cuts: &[usize]) -> Said {
    let database = Database::from(bytes.to_vec());
    tiles(workers, cuts, |range| Source::Whole(database.clone().within(range)))
}

fn tiles(workers: &Workers, cuts: &[usize], open: impl Fn(Range<u64>) -> Source) -> Said {
    let mut sum = Said::default();
    let starts = std::iter::once(0).chain(cuts.iter().map(|cut| *cut as u64));
    let ends = cuts.iter().map(|cut| *cut as u64).chain([u64::MAX]);
    for (start, end) in starts.zip(ends) {
        sum.append(try_walk(workers, open(start..end)));
    }
    sum
}

fn tiling(bytes: &[u8], tiles: usize, seed: &mut u64) -> Vec<usize> {
    let mut cuts: Vec<usize> = (1..tiles).map(|_| noise(seed) % (bytes.len() + 1)).collect();
    cuts.sort_unstable();
    cuts
}

#[test]
fn ranges_that_tile_a_file_give_the_whole() {
    let mut seed = 1;
    let alone = workers(1);
    let many = workers(3).with_cuts(Cuts::Likely(300));
    for (path, bytes) in fixtures().into_iter().filter(|(_, bytes)| detect_utf16(bytes).is_none()) {
        let expected = try_walk(&alone, whole(&bytes));
        let tilings = if bytes.len() < 1000 { bytes.len() } else { 40 };
        for number in 0..tilings {
            let cuts = if bytes.len() < 1000 { vec![number] } else { tiling(&bytes, 2 + number % 7, &mut seed) };
            let what = format!("{} in ranges to {cuts:?}", path.display());
            same(&tiled(&alone, &bytes, &cuts), &expected, &what);
            if number % 4 == 0 {
                same(&tiled(&many, &bytes, &cuts), &expected, &what);
            }
        }
    }
}

#[test]
fn ranges_that_tile_a_damaged_or_joined_file_give_the_whole() {
    let mut seed = 2;
    let alone = workers(1);
    let text = everything();
    let expected = try_walk(&alone, whole(&text));
    for number in 0..20 {
        let cuts = tiling(&text, 2 + number, &mut seed);
        same(&tiled(&alone, &text, &cuts), &expected, &format!("ranges to {cuts:?}"));
    }
    let marks = b"{}{}{};%\"[]()*<>\n\r ";
    for (path, bytes) in fixtures().into_iter().filter(|(_, bytes)| (300..20_000).contains(&bytes.len())) {
        for _ in 0..10 {
            let mut damaged = bytes.clone();
            for _ in 0..1 + noise(&mut seed) % 8 {
                let at = noise(&mut seed) % damaged.len();
                damaged.insert(at, marks[noise(&mut seed) % marks.len()]);
            }
            let mut expected = try_walk(&alone, whole(&damaged));
            // A range without games is nothing odd, so that a file has none is only told of the whole.
            expected.diagnostics.retain(|(diagnostic, _)| diagnostic.kind != Kind::NoGames);
            let cuts = tiling(&damaged, 5, &mut seed);
            let text = String::from_utf8_lossy(&damaged);
            same(&tiled(&alone, &damaged, &cuts), &expected, &format!("{} {cuts:?} {text}", path.display()));
        }
    }
}

#[test]
fn ranges_that_tile_a_list_meet_in_its_blank_lines() {
    let fen = "4k3/8/8/8/8/8/8/4K3 w - -";
    let alone = workers(1);
    for end in ["\n", "\r\n", "\r"] {
        let text = format!("# a\n\n{fen}\n\n\n% b\n\n  {fen}\n \u{a0}\n\n8/8 w\n\n").replace('\n', end);
        let expected = try_walk(&alone, whole(text.as_bytes()));
        for first in 0..=text.len() {
            for second in first..=text.len() {
                same(
                    &tiled(&alone, text.as_bytes(), &[first, second]),
                    &expected,
                    &format!("{end:?} {first} {second}"),
                );
            }
        }
    }
}

#[test]
fn games_in_a_comment_are_in_no_range() {
    let comment = "[Event \"no\"]\n\n1. d4 (1. e4) { *\n\n[Event \"no\"]\n\n1. d4 *\n".repeat(500);
    let game = format!("[Event \"yes\"]\n\n1. e4 {{{comment}}} e5 *\n\n");
    for text in [game.repeat(3), game.replace(") {", ")").repeat(3), game.replace('[', "\n; 1-0\n[").repeat(2)] {
        let expected = try_walk(&workers(1), whole(text.as_bytes()));
        for stride in [997, 10_007, 20_011] {
            let cuts: Vec<usize> = (stride..text.len()).step_by(stride).collect();
            same(&tiled(&workers(1), text.as_bytes(), &cuts), &expected, &format!("every {stride} bytes"));
        }
    }
}

/// A zstd file of a text: a frame from each of these places to the next, with its size in a skippable frame before it
/// if `is_stated`.
fn framed(text: &[u8], cuts: &[usize], is_stated: bool) -> Vec<u8> {
    let mut file = Vec::new();
    let starts = std::iter::once(0).chain(cuts.iter().copied());
    for (start, end) in starts.zip(cuts.iter().copied().chain([text.len()])) {
        let frame = zstd::encode_all(&text[start..end], 1).unwrap();
        if is_stated {
            file.extend_from_slice(b"\x50\x2a\x4d\x18\x04\0\0\0");
            file.extend_from_slice(&u32::try_from(frame.len()).unwrap().to_le_bytes());
        }
        file.extend_from_slice(&frame);
    }
    file
}

fn open(path: &Path, range: Range<u64>) -> Source {
    Source::open(path, true, None).unwrap().within(range).unwrap()
}

#[test]
fn ranges_that_tile_a_file_of_frames_give_the_whole() {
    let mut seed = 3;
    let (alone, many) = (workers(1), workers(3).with_cuts(Cuts::Likely(300)));
    let texts = fixtures().into_iter().filter(|(_, bytes)| detect_utf16(bytes).is_none());
    for (nth, (name, bytes)) in texts.enumerate() {
        let expected = try_walk(&alone, whole(&bytes));
        for number in (nth % one_in(4)..8).step_by(one_in(4)) {
            // A new file, since Windows does not change one that may still be mapped.
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("a.pgn.zst");
            let file = framed(&bytes, &tiling(&bytes, 1 + number, &mut seed), number % 2 == 0);
            fs::write(&path, &file).unwrap();
            let cuts = tiling(&file, 1 + noise(&mut seed) % 9, &mut seed);
            let what = format!("{} in {} frames and ranges to {cuts:?}", name.display(), 1 + number);
            let workers = if number % 3 == 0 { &many } else { &alone };
            same(&tiles(workers, &cuts, |range| open(&path, range)), &expected, &what);
        }
    }
}

#[test]
fn a_game_that_lies_over_many_frames_is_in_the_range_of_its_first() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgn.zst");
    let moves = "1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(20_000);
    let text = format!(
        "[A \"1\"]\n\n{moves} *\n\n[B \"2\"]\n\n{{ {} }} {moves} 1-0\n\n[C \"3\"]\n\n1. c4 *\n",
        "x ".repeat(50_000)
    );
    let expected = try_walk(&workers(2), whole(text.as_bytes()));
    for cuts in [[100, 10_000, 200_000], [300_000, 500_000, 700_000], [440_300, 440_301, 950_000]] {
        let file = framed(text.as_bytes(), &cuts, true);
        fs::write(&path, &file).unwrap();
        let starts: Vec<usize> = cuts
            .iter()
            .map(|cut| framed(&text.as_bytes()[..*cut], &cuts[..cuts.partition_point(|c| c < cut)], true).len())
            .collect();
        for tiling in [&starts[..], &starts[..2], &starts[1..], &[starts[0] + 1, starts[2] + 13]] {
            same(&tiles(&workers(2), tiling, |range| open(&path, range)), &expected, &format!("{cuts:?} {tiling:?}"));
        }
    }
}

#[test]
fn all_games_of_a_single_frame_are_in_the_range_of_its_first_byte() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgn.zst");
    fs::write(&path, framed(&b"1. e4 *\n".repeat(1000), &[], false)).unwrap();
    let games = |range| {
        let source = open(&path, range);
        assert!(source.is_one_range());
        census(&workers(1), source, &ReadOptions::default()).unwrap().games
    };
    assert_eq!([games(0..1), games(0..u64::MAX), games(1..u64::MAX)], [1000, 1000, 0]);
}

#[test]
fn damage_is_told_by_the_ranges_that_meet_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgn.zst");
    let text = "[A \"1\"]\n1. e4 e5 *\n\n".repeat(5000);
    let cuts = [20_000, 40_000, 60_000, 80_000];
    let mut file = framed(text.as_bytes(), &cuts, true);
    let start_of = |frame: usize| match frame {
        0 => 0,
        frame => framed(&text.as_bytes()[..cuts[frame - 1]], &cuts[..frame - 1], true).len(),
    };
    let [second, third] = [1, 2].map(start_of);
    file[(second + third) / 2] ^= 0x55;
    file[third - 5] ^= 0x55;
    fs::write(&path, &file).unwrap();
    let of_frame =
        |frame: usize| Source::open(&path, true, None)?.within(start_of(frame) as u64..start_of(frame + 1) as u64);
    // The game behind the last of the first frame is not whole.
    let first = try_walk(&workers(1), of_frame(0).unwrap());
    let damage = first.error.as_ref().and_then(Damage::of).expect("the damage is met at the end");
    assert!(damage.offset >= second as u64 && damage.text_offset >= 20_000, "{damage:?}");
    assert!((990..=1000).contains(&first.count().games), "{:?}", first.count());
    // Where the games of the next frame begin depends on the damaged text, but those behind it can be read.
    assert_eq!(of_frame(2).unwrap_err().kind(), ErrorKind::InvalidData);
    let fourth = fens(&workers(1), of_frame(3).unwrap());
    assert!(fourth.error.is_none() && (900..1100).contains(&fourth.count().games), "{:?}", fourth.count());
}

#[test]
fn numbers_that_are_counted_by_range_are_those_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let text = everything();
    let paths = ["a.pgn", "b.pgn.zst"].map(|name| folder.path().join(name));
    let mut seed = 4;
    fs::write(&paths[0], &text).unwrap();
    fs::write(&paths[1], framed(&text, &tiling(&text, 12, &mut seed), true)).unwrap();
    let options = OpenOptions::default();
    let workers = workers(2);
    let mut ranges = plan(&paths, 40_000, &options).unwrap();
    assert!(ranges.iter().filter(|range| range.file == 1).count() > 3, "{ranges:?}");
    let open = |range: &FileRange| range.options(&options).open(&range.path).unwrap();
    let counts: Vec<_> =
        ranges.iter().map(|range| census(&workers, open(range), &ReadOptions::default()).unwrap()).collect();
    let uncounted = ranges.clone();
    number(&mut ranges, counts);
    let expected = try_walk(&workers, whole(&text));
    for file in [0, 1] {
        let mut sum = Said::default();
        let of_file = |range: &&FileRange| range.file == file;
        for (range, uncounted) in ranges.iter().filter(of_file).zip(uncounted.iter().filter(of_file)) {
            let said = try_walk(&workers, open(range));
            same(&said, &try_walk(&workers, open(uncounted)), &format!("{range:?}"));
            sum.append(said);
        }
        same(&sum, &expected, &paths[usize::try_from(file).unwrap()].display().to_string());
    }
}
