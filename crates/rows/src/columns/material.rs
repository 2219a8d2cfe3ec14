//! The pieces on a board as text: the column `material`.

use pgn2fen_chess::board::Board;
use pgn2fen_chess::piece::{Color, Role};

/// The pieces in the order in which they are written.
const ORDER: [(Role, u8); 6] = [
    (Role::King, b'K'),
    (Role::Queen, b'Q'),
    (Role::Rook, b'R'),
    (Role::Bishop, b'B'),
    (Role::Knight, b'N'),
    (Role::Pawn, b'P'),
];

/// Appends a letter for each piece: those of White, a colon, and those of Black, as in `KRPP:KBP`.
pub fn append_material(board: &Board, out: &mut Vec<u8>) {
    append_side(board, Color::White, out);
    out.push(b':');
    append_side(board, Color::Black, out);
}

fn append_side(board: &Board, color: Color, out: &mut Vec<u8>) {
    for (role, letter) in ORDER {
        let count = (board.by_color(color) & board.by_role(role)).count();
        out.extend((0..count).map(|_| letter));
    }
}

#[cfg(test)]
mod tests {
    use super::append_material;
    use pgn2fen_chess::fen;

    #[track_caller]
    fn check(placement: &str, expected: &str) {
        let position = fen::read(format!("{placement} w - - 0 1").as_bytes()).unwrap().position;
        let mut out = Vec::new();
        append_material(position.board(), &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn pieces_stand_in_the_order_of_their_value() {
        check("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "KQRRBBNNPPPPPPPP:KQRRBBNNPPPPPPPP");
        check("4k3/2b2p2/8/8/8/8/PP6/3RK3", "KRPP:KBP");
        check("4k3/8/8/8/8/8/8/4K3", "K:K");
    }
}
