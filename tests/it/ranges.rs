//! Ranges of bytes: those that tile a file give together what the file gives.

use pgn2fen::database::{Database, Source};
use pgn2fen::internals::{Cuts, detect_utf16};
use pgn2fen::parallel::Workers;

use crate::laws::{everything, fixtures, noise, try_walk, whole, workers};
use crate::walking::{Said, same};

/// What the ranges between these places say, one after another.
fn tiled(workers: &Workers, bytes: &[u8], cuts: &[usize]) -> Said {
    let database = Database::from(bytes.to_vec());
    let mut sum = Said::default();
    let starts = std::iter::once(0).chain(cuts.iter().map(|cut| *cut as u64));
    let ends = cuts.iter().map(|cut| *cut as u64).chain([u64::MAX]);
    for (start, end) in starts.zip(ends) {
        sum.append(try_walk(workers, Source::Whole(database.clone().within(start..end))));
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
            let expected = try_walk(&alone, whole(&damaged));
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
