//! Random games for property tests.

use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::sample::Index;

use crate::position::Position;

/// Generates the positions of games of random moves from a starting position of orthodox chess, Chess960 or Double
/// Fischer Random.
pub(crate) fn games() -> impl Strategy<Value = Vec<Position>> {
    (starts(), vec(any::<Index>(), 0..200)).prop_map(|(start, choices)| {
        let mut game = vec![start];
        for choice in choices {
            let mut position = game[game.len() - 1].clone();
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(*choice.get(&moves));
            game.push(position);
        }
        game
    })
}

fn starts() -> impl Strategy<Value = Position> {
    let number = || prop_oneof![Just(518_u16), 0..960_u16];
    (number(), number())
        .prop_map(|(white, black)| Position::double_chess960(white, black).expect("two numbers below 960"))
}
