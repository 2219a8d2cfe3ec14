//! The moves that follow a position in its line, as text.

use std::io::Write;

use pgn2fen_chess::moves::Move;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::position::Position;
use pgn2fen_games::replay::Replay;

/// The most moves that are written. Solutions of puzzles are shorter; of longer lines, an ellipsis ends the text.
const MOST: usize = 40;

/// Appends the moves that follow in the line that is being played, such as `17. Be6+ Kd8 18. Qf8#`.
pub(crate) fn append_continuation(replay: &Replay<'_>, out: &mut Vec<u8>) {
    append_line(replay.position(), &replay.moves_ahead(MOST + 1), out);
}

/// Appends moves with their numbers.
fn append_line(start: &Position, moves: &[Move], out: &mut Vec<u8>) {
    let mut position = start.clone();
    for (at, m) in moves.iter().take(MOST).enumerate() {
        let number = position.fullmoves();
        // Writing to memory does not fail.
        let _ = match (position.turn(), at) {
            (Color::White, 0) => write!(out, "{number}. "),
            (Color::White, _) => write!(out, " {number}. "),
            (Color::Black, 0) => write!(out, "{number}… "),
            (Color::Black, _) => write!(out, " "),
        };
        out.extend_from_slice(m.to_san(&position).as_bytes());
        position.play_unchecked(*m);
    }
    if moves.len() > MOST {
        out.extend_from_slice(" …".as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::append_continuation;
    use pgn2fen_games::pgn::games::Games;

    /// Compares the continuations of the positions after each ply of the main line.
    #[track_caller]
    fn check(movetext: &str, expected: &[&str]) {
        let text = format!("{movetext} *\n");
        let mut replay = Games::new(text.as_bytes()).next().unwrap().replay().unwrap();
        let mut told = Vec::new();
        loop {
            let mut out = Vec::new();
            append_continuation(&replay, &mut out);
            told.push(String::from_utf8(out).unwrap());
            if !matches!(replay.next_ply(), Some(Ok(_))) {
                break;
            }
        }
        assert_eq!(told, expected);
    }

    #[test]
    fn the_moves_that_follow_have_numbers() {
        check("1. e4 {best} e5 (1... c5 2. Nf3 (2. c3)) 2. Nf3", &["1. e4 e5 2. Nf3", "1… e5 2. Nf3", "2. Nf3", ""]);
        check("1. e2-e4 e7e5 2. Ke3", &["1. e4 e5", "1… e5", ""]);
        check("", &[""]);
    }

    #[test]
    fn a_long_line_is_cut() {
        for (times, end) in [(10, " 20. Ng1 Ng8"), (11, " 20. Ng1 Ng8 …")] {
            let moves = "Nf3 Nf6 Ng1 Ng8 ".repeat(times);
            let text = format!("{moves}*\n");
            let replay = Games::new(text.as_bytes()).next().unwrap().replay().unwrap();
            let mut out = Vec::new();
            append_continuation(&replay, &mut out);
            let told = String::from_utf8(out).unwrap();
            assert!(told.ends_with(end) && told.starts_with("1. Nf3 Nf6 2. Ng1 "), "{told}");
        }
    }
}
