//! What holds in every position of every game, tried in games of random moves.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use pgn2fen_chess::bitboard::Bitboard;
use pgn2fen_chess::board::Board;
use pgn2fen_chess::fen;
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::piece::Role;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::square::Square;
use pgn2fen_chess::zobrist;
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest};
use proptest::sample::{Index, select};

proptest! {
    #[test]
    fn an_incremental_key_is_the_key_computed_afresh((start, plies) in games()) {
        let mut key = zobrist::key(&start);
        walk(start, &plies, |position, m, next| {
            key = zobrist::key_after(key, position, m);
            prop_assert_eq!(key, zobrist::key(next), "{:?} in {:?}", m, position);
            Ok(())
        })?;
    }

    #[test]
    fn a_legal_move_leads_to_a_legal_position((start, plies) in games()) {
        walk(start, &plies, |_, m, next| {
            // Sets and squares of the board tell the same.
            let mut board = Board::EMPTY;
            for sq in Bitboard::FULL {
                if let Some(piece) = next.board().piece_at(sq) {
                    board.set(sq, piece);
                }
            }
            prop_assert_eq!(next.board(), &board);
            let checked = Position::new(next.setup().clone());
            prop_assert_eq!(checked.as_ref(), Ok(next), "after {:?}", m);
            Ok(())
        })?;
    }

    #[test]
    fn a_move_is_legal_if_it_is_in_the_list(
        (start, plies) in games(),
        from in squares(),
        to in squares(),
    ) {
        walk(start, &plies, |position, _, _| {
            let list = position.legal_moves();
            for &m in &list {
                prop_assert!(position.is_legal(m), "{:?} in {:?}", m, position);
            }
            for m in every_claim(from, to) {
                let is_listed = list.contains(&m);
                prop_assert_eq!(position.is_legal(m), is_listed, "{:?} in {:?}", m, position);
            }
            prop_assert_eq!(position.is_legal(Move::Null), !position.is_check());
            Ok(())
        })?;
    }
}

/// All moves that name these two squares, most of them nonsense.
fn every_claim(from: Square, to: Square) -> impl Iterator<Item = Move> {
    let promotions = [None].into_iter().chain(Role::ALL.map(Some));
    let normal = promotions.flat_map(move |promotion| Role::ALL.map(|role| Move::Normal { role, from, to, promotion }));
    normal.chain([Move::EnPassant { from, to }, Move::Castle { king: from, rook: to }])
}

fn squares() -> impl Strategy<Value = Square> {
    (0..64_u8).prop_map(|number| Square::from_index(number).expect("a number below 64"))
}

/// Where a game starts, and how each of its moves is chosen.
fn games() -> impl Strategy<Value = (Position, Vec<Choice>)> {
    let start = prop_oneof![
        (0..960_u16).prop_map(|number| Position::chess960(number).expect("a number below 960")),
        select(STARTS.as_slice()),
    ];
    let choice = prop_oneof![
        5 => any::<Index>().prop_map(Choice::Any),
        4 => any::<Index>().prop_map(Choice::Odd),
        1 => Just(Choice::Pass),
    ];
    (start, vec(choice, 0..120))
}

/// How a player chooses.
#[derive(Clone, Debug)]
enum Choice {
    /// Any legal move.
    Any(Index),
    /// One of the odd ones, if there are any.
    Odd(Index),
    /// None, if the rules for passing allow it.
    Pass,
}

impl Choice {
    fn of(&self, position: &Position) -> Option<Move> {
        let mut moves = position.legal_moves().to_vec();
        let index = match self {
            Self::Pass => return position.is_legal(Move::Null).then_some(Move::Null),
            Self::Any(index) => index,
            Self::Odd(index) => {
                if moves.iter().any(|&m| is_odd(m)) {
                    moves.retain(|&m| is_odd(m));
                }
                index
            }
        };
        (!moves.is_empty()).then(|| *index.get(&moves))
    }
}

/// The positions of `fixtures/perft`: full of castlings, promotions and captures in passing.
static STARTS: LazyLock<Vec<Position>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/perft");
    let mut starts = Vec::new();
    for entry in fs::read_dir(folder).expect("the fixtures are there") {
        let path = entry.expect("a file").path();
        if path.extension().is_some_and(|ending| ending == "epd") {
            let text = fs::read_to_string(path).expect("a text");
            let fens = text.lines().filter_map(|line| line.split(" ;").next());
            starts.extend(fens.map(|fen| fen::read(fen.as_bytes()).expect(fen).position));
        }
    }
    starts
});

/// Plays the game, and shows each move with the positions before and after it.
fn walk<E>(
    start: Position,
    choices: &[Choice],
    mut visit: impl FnMut(&Position, Move, &Position) -> Result<(), E>,
) -> Result<(), E> {
    let mut position = start;
    for choice in choices {
        let Some(m) = choice.of(&position) else { break };
        let mut next = position.clone();
        next.play_unchecked(m);
        visit(&position, m, &next)?;
        position = next;
    }
    Ok(())
}

/// Whether a move is of the kinds that are easy to get wrong: castling, a promotion, a capture in passing or a step
/// that allows one.
fn is_odd(m: Move) -> bool {
    match m {
        Move::Normal { role: Role::Pawn, from, to, promotion } => {
            promotion.is_some() || from.rank().index().abs_diff(to.rank().index()) == 2
        }
        Move::Normal { .. } => false,
        Move::EnPassant { .. } | Move::Castle { .. } | Move::Drop { .. } | Move::Null => true,
    }
}
