//! Kings that show the result of a game on an electronic board.
//!
//! On the boards of DGT, the players put both kings on squares in the centre when the game is over: on light squares
//! (e4 and d5) if White won, on dark ones (d4 and e5) if Black won, and on one of each after a draw. Some programs
//! write these as moves. At least one of them is illegal, because all squares in the centre touch each other.

use crate::movetext::Movetext;
use crate::replay::main_line::Replay;
use crate::token::{Outcome, Token};
use pgn2fen_chess::piece::Role;
use pgn2fen_chess::rules::Rules;
use pgn2fen_chess::square::Square;

impl Replay<'_> {
    /// Returns a remark about an illegal move of the main line, which has just been taken, if it seems to show the
    /// result: it moves a king to the centre, no move follows but one of the other king to the centre, and the result
    /// of the game is not another one.
    #[cold]
    pub(super) fn remark_on_result(&self, san: &[u8]) -> Option<String> {
        let is_chess = self.position.rules() == Rules::Chess;
        let king = self.king_in_centre(san).filter(|_| is_chess && self.depth() == 0)?;
        let mut ahead = self.ahead();
        let other = match next_move(&mut ahead) {
            Some(next) => {
                let other = self.king_in_centre(next)?;
                if next_move(&mut ahead).is_some() {
                    return None;
                }
                Some(other)
            }
            // The first king may have come to the centre by a legal move.
            None => self.position.board().king_of(!self.position.turn()).filter(|square| is_centre(*square)),
        };
        if other == Some(king) {
            return None;
        }
        let known = self.result_tag.filter(|outcome| *outcome != Outcome::Unknown);
        let known = known.or(ahead.finish().outcome()).filter(|outcome| *outcome != Outcome::Unknown);
        let is_possible = |shown: Outcome| known.is_none_or(|known| known == shown);
        let win = |square| if is_light(square) { Outcome::WhiteWins } else { Outcome::BlackWins };
        match other {
            Some(other) => {
                let shown = if win(king) == win(other) { win(king) } else { Outcome::Draw };
                is_possible(shown).then(|| {
                    let shown = shown.as_str();
                    format!("on boards of DGT, kings on {king} and {other} show the result {shown} and are no moves")
                })
            }
            None => known.is_some_and(|known| known == win(king) || known == Outcome::Draw).then(|| {
                "on boards of DGT, kings in the centre show the result, so this may be no move of the game".to_owned()
            }),
        }
    }

    /// Returns the square in the centre to which a symbol moves a king.
    fn king_in_centre(&self, san: &[u8]) -> Option<Square> {
        let rest = san.strip_prefix(self.letters.spelling(Role::King).as_bytes())?;
        let is_mark = |byte: &u8| matches!(byte, b'+' | b'#' | b'!' | b'?');
        let rest = &rest[..rest.iter().position(is_mark).unwrap_or(rest.len())];
        let target = rest.last_chunk::<2>().filter(|_| rest.len() <= 5)?;
        Square::from_ascii(target).filter(|square| is_centre(*square))
    }
}

/// Returns the next move of the main line.
fn next_move<'t>(movetext: &mut Movetext<'t>) -> Option<&'t [u8]> {
    while let Some(token) = movetext.next_mainline() {
        if let Token::San(symbol) = token
            && movetext.is_move(symbol)
        {
            return Some(symbol);
        }
    }
    None
}

fn is_centre(square: Square) -> bool {
    matches!((square.file().index(), square.rank().index()), (3 | 4, 3 | 4))
}

fn is_light(square: Square) -> bool {
    (square.file().index() + square.rank().index()) % 2 == 1
}

#[cfg(test)]
mod tests {
    use crate::games::Games;
    use crate::replay::{ReplayOptions, VariantPolicy};

    /// Compares the remark in the message about the error of a game, in which White has a king on e1 and Black on e8.
    #[track_caller]
    fn check(moves: &str, expected: Option<&str>) {
        check_from("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1", moves, expected);
    }

    #[track_caller]
    fn check_from(fen: &str, moves: &str, expected: Option<&str>) {
        let text = format!("[FEN \"{fen}\"]\n[SetUp \"1\"]\n\n{moves}\n\n[Event \"next\"]\n\n1. Ke4 *");
        let mut replay = Games::new(text.as_bytes()).next().unwrap().replay().unwrap();
        let error = loop {
            match replay.next_in_text().expect("an error") {
                Ok(_) => {}
                Err(error) => break error.reason.into_owned(),
            }
        };
        let remark =
            error.split_once(" (on boards").map(|(_, rest)| format!("on boards{}", rest.trim_end_matches(')')));
        assert_eq!(remark.as_deref(), expected, "{moves}: {error}");
    }

    #[test]
    fn kings_of_a_variant_show_no_result() {
        let text = b"[Variant \"Atomic\"]\n[FEN \"4k3/8/8/8/3p4/4K3/8/8 w - - 0 1\"]\n\n1. Kxd4 1-0\n";
        let options = ReplayOptions { variants: VariantPolicy::Play, ..ReplayOptions::default() };
        let mut replay = Games::new(text).next().unwrap().replay_with(&options).unwrap();
        let Some(Err(error)) = replay.next_in_text() else { panic!("the move is legal") };
        assert!(error.reason.contains("explode") && !error.reason.contains("DGT"), "{error}");
    }

    #[test]
    fn kings_in_the_centre_at_the_end_show_the_result() {
        let both = |squares, result| {
            Some(format!("on boards of DGT, kings on {squares} show the result {result} and are no moves"))
        };
        for (moves, squares, result) in [
            ("1. e3 e6 2. Ke4 Kd5 1-0", "e4 and d5", "1-0"),
            ("1. e3 e6 2. Kd5 {over} Ke4 *", "d5 and e4", "1-0"),
            ("1. e3 Kd4 2. Ke5+ 0-1", "d4 and e5", "0-1"),
            ("1. Ke4 Ke5 1/2-1/2", "e4 and e5", "1/2-1/2"),
            ("1. Ke4 $1 Kd4 (1... e5)", "e4 and d4", "1/2-1/2"),
        ] {
            check(moves, both(squares, result).as_deref());
        }
        // The first of the kings has made a legal move.
        let near = "4k3/8/8/8/8/4K3/8/8 w - - 0 1";
        check_from(near, "1. Ke4 Kd5 1-0", both("d5 and e4", "1-0").as_deref());
        let one = Some("on boards of DGT, kings in the centre show the result, so this may be no move of the game");
        check("1. e3 Kd5 1-0", one);
        check("1. e3 Kd4 1/2-1/2", one);
    }

    #[test]
    fn other_illegal_moves_of_kings_show_no_result() {
        // The result is another one.
        check("1. Ke4 Kd5 0-1", None);
        check("1. Ke4 Ke5 1-0", None);
        check("1. e3 Kd5 0-1", None);
        check("1. e3 Kd5", None);
        check("1. e3 Kd5 *", None);
        // More moves follow, or another one.
        check("1. Ke4 Kd5 2. e4 1-0", None);
        check("1. Ke4 e6 1-0", None);
        check("1. Ke4 Ke4 1-0", None);
        check("1. Ke3 Kd5 1-0", None);
        check("1. e3 (1. Ke4) e6 1-0", None);
        check("1. Qe4 1-0", None);
    }
}
