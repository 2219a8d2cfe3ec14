//! Checks every law on its seeds, without libFuzzer.

use std::panic::catch_unwind;

use pgn2fen_fuzz::{TARGETS, seeds};

#[track_caller]
fn check(target: &str) {
    let (_, law) = TARGETS.into_iter().find(|(name, _)| *name == target).expect(target);
    let seeds = seeds::of(target);
    assert!(seeds.len() > 20, "there are seeds");
    let broken: Vec<&str> =
        seeds.iter().filter(|(_, seed)| catch_unwind(|| law(seed)).is_err()).map(|(name, _)| name.as_str()).collect();
    assert!(broken.is_empty(), "{target} does not hold for {broken:?}");
}

macro_rules! laws {
    ($($target:ident)*) => {
        $(
            #[test]
            fn $target() {
                check(stringify!($target));
            }
        )*

        #[test]
        fn every_target_is_tested() {
            assert_eq!(TARGETS.map(|(name, _)| name), [$(stringify!($target)),*]);
        }
    };
}

laws! {
    walk hop fen moves san filters typed compressed archive ranges copies anew formats scan damaged_index trainers
    records databases linear
}
