//! The evaluation and the result of a row, which every format for trainers needs.

use crate::table::group::GroupPiece;
use pgn2fen_chess::piece::Color;
use pgn2fen_games::pgn::token::Outcome;
use pgn2fen_games::walk::LeftOut;

/// The evaluation and the result of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label {
    /// In centipawns, from White's point of view unless a function says otherwise.
    pub(super) score: i16,
    /// 0 for a loss, 1 for a draw, 2 for a win, from the same point of view.
    pub(super) result: u8,
}

/// The treatment of evaluations that are mates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mates {
    /// The row is left out, because a mate is not a number of centipawns.
    LeaveOut,
    /// The value of the column `eval` is kept, from -32000 to 32000.
    Keep,
}

/// The value of a mate that is on the board.
const MATE: i32 = 32_000;

impl Label {
    /// Returns the label of a row from White's point of view. `None` if it has none, which is then counted.
    pub(super) fn of(piece: &GroupPiece, index: usize, mates: Mates, left_out: &mut LeftOut) -> Option<Self> {
        let Some(eval) = piece.table.eval(index) else {
            left_out.without_evaluation += 1;
            return None;
        };
        if eval.is_mate && mates == Mates::LeaveOut {
            left_out.mates += 1;
            return None;
        }
        let result = match piece.table.result(index) {
            Outcome::WhiteWins => 2,
            Outcome::Draw => 1,
            Outcome::BlackWins => 0,
            Outcome::Unknown => {
                left_out.without_result += 1;
                return None;
            }
        };
        // All evaluations but mates are below 30000.
        let score = i16::try_from(eval.centipawns.clamp(-MATE, MATE)).unwrap_or_default();
        Some(Self { score, result })
    }

    /// Returns the label from the point of view of a color.
    pub(super) fn seen_by(self, color: Color) -> Self {
        let Self { score, result } = self;
        color.pick(self, Self { score: -score, result: 2 - result })
    }
}

#[cfg(test)]
mod tests {
    use super::Label;
    use crate::Format;
    use crate::testing::in_format;
    use pgn2fen_chess::piece::Color;
    use pgn2fen_games::walk::LeftOut;

    #[test]
    fn a_label_is_turned_around_for_black() {
        let label = Label { score: -130, result: 2 };
        assert_eq!(label.seen_by(Color::White), label);
        assert_eq!(label.seen_by(Color::Black), Label { score: 130, result: 0 });
    }

    /// Games that White won, that Black won, without a result, and drawn.
    const GAMES: &str = "\
[Result \"1-0\"]

{[%eval 0.2]} 1. e4 {[%eval 0.31]} e5 {[%eval 312.5]} 2. Bc4 Nc6 {[%eval -0.5]} 3. Qf3 {[%eval #2]}
(3. Qh5 {[%eval 0.1]} Nf6 {[%eval 0]}) Nd4 {[%eval 5]} 4. Qxf7# {[%eval 9]} 1-0

[Result \"0-1\"]
[FEN \"4k2r/8/8/8/8/8/4P3/4K3 b k - 3 9\"]

{[%eval -1.5]} 9... O-O {[%eval -1.25]} 10. e4 {[%eval 0.00]} 0-1

[Result \"*\"]

1. d4 {[%eval 0.1]} d5 {[%eval 0.2]} *

[Result \"1/2-1/2\"]
[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 70000\"]

{[%eval 12.75]} 70000. a8=N {[%eval #-3]} Kd7 {[%eval 1]} 70001. -- {[%eval 1.25]} 1/2-1/2
";

    /// Positions with more than 32 men, and one with a right to castle that only Chess960 has.
    const ODD: &str = "\
[Result \"1-0\"]
[FEN \"nnnnknnn/nnnnnnnn/7n/8/8/8/NNNNNNNN/NNNNKNNN w - - 0 1\"]

{[%eval 1]} 1. Na1b3 {[%eval 2]} Na8b6 1-0

[Result \"0-1\"]
[Variant \"Chess960\"]
[FEN \"1r2k3/8/8/8/8/8/8/1R2K3 w Bb - 0 1\"]

{[%eval 1]} 1. O-O-O {[%eval 2]} Kd7 {[%eval 2]} 0-1
";

    /// The numbers of positions of [`GAMES`] that a format leaves out if it has mates and needs moves.
    const WITH_MATES: LeftOut = LeftOut {
        without_evaluation: 2,
        without_result: 2,
        without_move: 4,
        mates: 0,
        too_many_men: 0,
        chess960_castling: 0,
        without_solution: 0,
        boards: 0,
        duplicates: 0,
    };

    /// The numbers of positions of [`GAMES`] that a format leaves out if it has no mates and needs no moves.
    const WITHOUT_MATES: LeftOut = LeftOut { mates: 3, without_move: 0, ..WITH_MATES };

    /// Compares bytes in hex. Blanks in the expected text count for nothing.
    #[track_caller]
    fn check(format: Format, games: &str, expected: &[&str], left_out: LeftOut) {
        let (bytes, counts) = in_format(format, games);
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!((hex, counts), (expected.concat().replace(' ', ""), left_out));
    }

    #[test]
    fn bullet_has_lines_of_white_without_mates() {
        let (bytes, left_out) = in_format(Format::Bullet, GAMES);
        let expected = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | 20 | 1.0",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1 | 31 | 1.0",
            "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR w KQkq - 2 3 | -50 | 1.0",
            "r1bqkbnr/pppp1ppp/8/4p3/2BnP3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4 | 500 | 1.0",
            "r1bqkbnr/pppp1Qpp/8/4p3/2BnP3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4 | 900 | 1.0",
            "4k2r/8/8/8/8/8/4P3/4K3 b k - 3 9 | -150 | 0.0",
            "5rk1/8/8/8/8/8/4P3/4K3 w - - 4 10 | -125 | 0.0",
            "5rk1/8/8/8/4P3/8/8/4K3 b - e3 0 10 | 0 | 0.0",
            "4k3/P7/8/8/8/8/8/4K3 w - - 0 70000 | 1275 | 0.5",
            "N7/3k4/8/8/8/8/8/4K3 w - - 1 70001 | 100 | 0.5",
            "N7/3k4/8/8/8/8/8/4K3 b - - 2 70001 | 125 | 0.5",
        ];
        assert_eq!(str::from_utf8(&bytes).unwrap().lines().collect::<Vec<_>>(), expected);
        assert_eq!(left_out, WITHOUT_MATES);
    }

    #[test]
    fn plain_has_six_lines_of_the_side_to_move() {
        let (bytes, left_out) = in_format(Format::Plain, GAMES);
        let records = [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", "20", 0, 1),
            ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "e7e5", "-31", 1, -1),
            ("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR w KQkq - 2 3", "d1f3", "-50", 4, 1),
            ("r1bqkbnr/pppp1ppp/8/4p3/2BnP3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "f3f7", "500", 6, 1),
            ("4k2r/8/8/8/8/8/4P3/4K3 b k - 3 9", "e8g8", "150", 17, 1),
            ("5rk1/8/8/8/8/8/4P3/4K3 w - - 4 10", "e2e4", "-125", 18, -1),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 70000", "a7a8n", "1275", 65535, 0),
        ];
        let record = |(fen, uci, score, ply, result): (&str, &str, &str, u32, i32)| {
            format!("fen {fen}\nmove {uci}\nscore {score}\nply {ply}\nresult {result}\ne\n")
        };
        assert_eq!(String::from_utf8(bytes).unwrap(), records.map(record).concat());
        assert_eq!(left_out, LeftOut { mates: 3, ..WITH_MATES });
    }

    #[test]
    fn bulletformat_has_records_of_the_side_to_move() {
        // The occupied squares, the men, the score, the result, and the kings.
        let expected = [
            "ffff00000000ffff 1342253100000000888888889bcaadb9 1400 02 04 04 000000",
            "ffff00001000efff 1342253100000000888888889bcaadb9 e1ff 00 04 04 000000",
            "dfef00141004effd 134215030000000298888888b8caadb9 ceff 02 04 04 000000",
            "d7ef201c1000effd 135231000000409280888888b8caadb9 f401 02 04 04 000000",
            "fdef00101c00efd7 2354120300c000a081888888b8a99d0b 7cfc 00 04 04 000000",
            "9000000000001010 35d80000000000000000000000000000 9600 02 04 04 000000",
            "1010000000000060 05db0000000000000000000000000000 83ff 00 04 06 000000",
            "6000000010000010 53d80000000000000000000000000000 0000 02 06 04 000000",
            "1000000000000110 050d0000000000000000000000000000 fb04 01 04 04 000000",
            "1000000000000801 d5010000000000000000000000000000 6400 01 04 0b 000000",
            "0108000000000010 590d0000000000000000000000000000 83ff 01 0b 04 000000",
        ];
        check(Format::Bulletformat, GAMES, &expected, WITHOUT_MATES);
        let expected = [
            "1200000000000012 53db0000000000000000000000000000 6400 00 04 04 000000",
            "120000000000000c 53bd0000000000000000000000000000 38ff 02 04 02 000000",
        ];
        let left_out = LeftOut { without_evaluation: 1, too_many_men: 2, ..LeftOut::default() };
        check(Format::Bulletformat, ODD, &expected, left_out);
    }

    #[test]
    fn viriformat_has_games_of_positions_that_follow_one_another() {
        // The occupied squares, the men, the side to move with the square of en passant, the counters, an evaluation
        // that is not used, and the result. Then moves with the evaluations of their positions, up to zeros.
        let expected = [
            "ffff00000000ffff 1642256100000000888888889ecaade9 40 00 0100 0000 02 00",
            "0c07 1400 3409 1f00 8506 127a 00000000",
            "dfef00141004effd 164215060000000298888888e8caade9 40 02 0300 0000 02 00",
            "4305 ceff ea06 fe7c 550d f401 00000000",
            "1010000000000090 05ed0000000000000000000000000000 c0 03 0900 0000 00 00",
            "fc8f 6aff 0c07 83ff 00000000",
            "1000000000000110 050d0000000000000000000000000000 40 00 ffff 0000 01 00",
            "30ce fb04 fc0c 0383 00000000",
        ];
        check(Format::Viri, GAMES, &expected, WITH_MATES);
        let expected =
            ["1200000000000012 56de0000000000000000000000000000 40 00 0100 0000 00 00", "4480 6400 00000000"];
        let left_out = LeftOut { without_evaluation: 1, without_move: 1, too_many_men: 2, ..LeftOut::default() };
        check(Format::Viri, ODD, &expected, left_out);
    }

    #[test]
    fn binpack_has_a_chunk_of_chains() {
        let expected = [
            "42494e50 9a000000",
            "ffff00000000ffff2d844ad200000000111111113e955be30c7000288000000000024542aade9bc0",
            "fdef04101400efdf2d842a0d0000000431111111e1955be30354006380040002000213fae9fbd38d9e90",
            "000000000010100aef0000000000000000000000000000bcfc012c801100030001e430",
            "10010000000000100a0b000000000000000000000000000070e009f63ffe000000011f871e",
        ];
        check(Format::Binpack, GAMES, &expected, WITH_MATES);
        let left_out = LeftOut {
            without_evaluation: 1,
            without_move: 1,
            too_many_men: 2,
            chess960_castling: 1,
            ..LeftOut::default()
        };
        check(Format::Binpack, ODD, &[], left_out);
    }

    #[test]
    fn a_chunk_of_binpack_ends_soon_after_a_mebibyte() {
        let (bytes, _) = in_format(Format::Binpack, &GAMES.repeat(10_000));
        let (one, rest) = (in_format(Format::Binpack, GAMES).0, &mut &*bytes);
        let mut chains = Vec::new();
        let mut sizes = Vec::new();
        while let Some((head, behind)) = rest.split_at_checked(8) {
            assert_eq!(&head[..4], b"BINP");
            let size = u32::from_le_bytes(head[4..].try_into().unwrap()) as usize;
            chains.extend_from_slice(&behind[..size]);
            sizes.push(size);
            *rest = &behind[size..];
        }
        assert!(chains == one[8..].repeat(10_000));
        assert_eq!(sizes.len(), 2);
        let full = sizes.split_last().unwrap().1;
        assert!(full.iter().all(|size| (1 << 20..(1 << 20) + 64).contains(size)), "{sizes:?}");
    }

    #[test]
    fn commands_have_fens() {
        let (bytes, _) = in_format(Format::Uci, "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *");
        let expected = "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\nposition fen 4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1\n";
        assert_eq!(String::from_utf8(bytes).unwrap(), expected);
    }

    #[test]
    fn a_chain_of_binpack_begins_with_the_result_of_the_side_to_move() {
        for (result, expected) in [("1-0", [0x80, 0]), ("1/2-1/2", [0, 0]), ("0-1", [0x40, 0])] {
            let game = format!("[Result \"{result}\"]\n\n{{[%eval 0.2]}} 1. e4 {result}\n");
            let (bytes, _) = in_format(Format::Binpack, &game);
            // Behind the head of the chunk, the position, the move and the score.
            assert_eq!(bytes[8 + 24 + 2 + 2..][..2], expected, "{result}");
        }
    }
}
