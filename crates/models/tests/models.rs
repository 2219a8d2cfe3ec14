//! Tries the models. With PGN2FEN_SWEEP=1, many times as many orders of the threads are tried.

use pgn2fen_models::{BLOCK, Course, HEAVY, Model, Stage, Tries, exit, lanes, share, turns};

/// The number of random orders of each model.
fn tries() -> usize {
    if std::env::var_os("PGN2FEN_SWEEP").is_some() { 50_000 } else { 200 }
}

/// Tries a course with two and three workers, with lanes and without, in a file and in a stream.
fn check(course: Course) {
    for workers in [2, 3] {
        for (lanes, is_stream, weight) in [(0, false, 0), (2, false, 0), (0, true, 0), (2, true, HEAVY)] {
            let model = Model { workers, blocks: 3, lanes, is_stream, weight, course };
            Tries::Random(tries()).run(move || model.run());
        }
    }
}

#[test]
fn blocks_are_delivered_in_their_order() {
    check(Course::Plain);
}

#[test]
fn a_guess_that_turns_out_wrong_loses_nothing() {
    for (block, bytes) in [(0, 3), (1, 3), (0, BLOCK), (0, BLOCK + 3)] {
        check(Course::WrongGuess(block, bytes));
    }
}

#[test]
fn a_walk_ends_behind_the_last_block_that_is_wanted() {
    for stage in [Stage::Admit, Stage::Order, Stage::Deliver] {
        for block in [0, 1] {
            check(Course::Stops(stage, block));
        }
    }
}

#[test]
fn a_panic_in_any_stage_ends_the_walk() {
    for stage in [Stage::Read, Stage::Admit, Stage::Order, Stage::Encode, Stage::Deliver] {
        check(Course::Panics(stage, 1));
    }
    for workers in [2, 3] {
        let course = Course::Panics(Stage::Sift, 1);
        let model = Model { workers, blocks: 3, lanes: 2, is_stream: false, weight: 0, course };
        Tries::Random(tries()).run(move || model.run());
    }
}

/// A worker that waits for a stream keeps no other worker from delivering a block that has been read.
#[test]
fn a_stream_may_wait_for_what_it_has_given() {
    for workers in [2, 3] {
        for lanes in [0, 2] {
            let model = Model { workers, blocks: 4, lanes, is_stream: true, weight: 0, course: Course::Waits };
            Tries::Random(tries()).run(move || model.run());
            Tries::Ranked(tries()).run(move || model.run());
        }
    }
}

#[test]
fn few_heavy_batches_wait_at_the_exit() {
    for workers in [2, 3] {
        let model = Model { workers, blocks: 7, lanes: 0, is_stream: false, weight: HEAVY, course: Course::Plain };
        Tries::Ranked(tries()).run(move || model.run());
    }
}

#[test]
fn pieces_that_are_shared_come_back_in_order() {
    for (threads, pieces, failing) in [(2, 3, None), (2, 3, Some(1)), (3, 3, None), (3, 4, Some(0))] {
        Tries::Random(tries()).run(move || share(threads, pieces, failing));
    }
}

/// Tries a model in all orders of its threads.
fn check_all(model: impl Fn() + Send + Sync + 'static) {
    let tried = Tries::All(MOST).run(model);
    assert!(tried < MOST, "there are more orders");
}

const MOST: usize = 1_000_000;

#[test]
fn two_workers_do_their_parts_in_all_orders() {
    check_all(|| share(2, 3, None));
    check_all(|| share(2, 3, Some(0)));
    check_all(|| exit(2, 3));
    check_all(|| turns(2, 2));
    check_all(|| lanes(2, 2, 1));
}
