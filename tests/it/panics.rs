//! A panic in a stage of a walk goes on to whoever began the walk: nobody waits for ever, and nothing that comes behind is delivered.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pgn2fen::parallel::{Batch, Cuts, Delivery, Stages, Workers};
use pgn2fen::pgn::games::{Text, Within};

use crate::laws::{stream, whole};

/// Where the blocks begin that were delivered.
#[derive(Default)]
struct Offset(u64);

impl Batch for Offset {
    fn clear(&mut self) {}
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Read,
    Order,
    Encode,
    Deliver,
}

/// Panics in this stage of the block that holds the middle of the text, and gives the offsets that were delivered before.
fn walk(workers: &Workers, text: &[u8], is_stream: bool, stage: Stage) -> (String, Vec<u64>) {
    let middle = text.len() as u64 / 2;
    let source = if is_stream { stream(text) } else { whole(text) };
    let mut delivered = Vec::new();
    let check = |current: Stage, offset: u64| assert!(current != stage || offset < middle, "{current:?} broke");
    let stages = Stages {
        read: |text: Text<'_>, until: usize, batch: &mut Offset| {
            batch.0 = text.offset;
            check(Stage::Read, text.offset);
            pgn2fen::pgn::games::Left { at: until.min(text.bytes.len()), within: Within::LineStart }
        },
        order: |delivery: Delivery<'_, Offset>| {
            check(Stage::Order, delivery.offset);
            ControlFlow::Continue(())
        },
        encode: |batch: &mut Offset| check(Stage::Encode, batch.0),
        deliver: |batch: &mut Offset| {
            check(Stage::Deliver, batch.0);
            delivered.push(batch.0);
            ControlFlow::Continue(())
        },
    };
    let walked = catch_unwind(AssertUnwindSafe(|| workers.walk_in_stages(source, stages)));
    let payload = walked.expect_err("the panic goes on");
    (payload.downcast_ref::<String>().expect("its message goes with it").clone(), delivered)
}

#[test]
fn a_panic_in_any_stage_ends_the_walk() {
    let text = "1. e4 *\n".repeat(20_000);
    for threads in [1, 2, 3] {
        let workers = Workers::new(threads).unwrap().with_cuts(Cuts::Likely(1000));
        for stage in [Stage::Read, Stage::Order, Stage::Encode, Stage::Deliver] {
            for is_stream in [false, true] {
                let (message, delivered) = walk(&workers, text.as_bytes(), is_stream, stage);
                assert_eq!(message, format!("{stage:?} broke"));
                assert!(delivered.iter().all(|offset| *offset < text.len() as u64 / 2));
                assert!(delivered.is_sorted(), "{delivered:?}");
            }
        }
    }
}
