//! The format `epd`: the first four fields of the FEN and operations on each line (PGN standard §16.2).

use std::borrow::Cow;

use crate::columns::column::Column;
use crate::columns::operations::{MOST_COMMENTS, has_opcode, own_opcode, quoted};
use crate::columns::{Cell, Columns};
use crate::encode::encoded::Encoded;
use crate::encode::formats::values::append_plain;
use crate::table::group::GroupPiece;
use crate::table::value::Value;
use pgn2fen_chess::piece::Color;

/// Appends rows: the first four fields of the FEN, then operations for the two move counters, if the FEN has them, the
/// operations on the line of a list that was read, and operations for the columns.
pub(super) fn rows(columns: &Columns, piece: &GroupPiece, encoded: &mut Encoded) {
    let out = &mut encoded.bytes;
    for index in piece.indices() {
        let fen = piece.table.ascii(&Column::Fen, index).unwrap_or_default();
        // The counters are found from the end, because the board is long. Without them the last field is the en passant
        // square, which does not begin with a digit.
        // In three-check, checks stand there.
        let (fen, given) = split_given_checks(fen);
        let mut fields = fen.rsplitn(3, |byte| *byte == b' ');
        match (fields.next(), fields.next(), fields.next()) {
            (Some(fullmoves), Some(halfmoves), Some(position)) if fullmoves.iter().all(u8::is_ascii_digit) => {
                out.extend_from_slice(position);
                out.extend_from_slice(given);
                append_operation(b"hmvc", halfmoves, out);
                append_operation(b"fmvn", fullmoves, out);
            }
            _ => out.extend_from_slice(&[fen, given].concat()),
        }
        let own = piece.table.value(OPERATIONS, index).text().unwrap_or_default();
        let mut written = Written { own, comments: 0 };
        for operation in own.lines().filter(|text| !matches!(opcode(text), "hmvc" | "fmvn")) {
            out.push(b' ');
            out.extend_from_slice(operation.as_bytes());
            out.push(b';');
        }
        let is_column = |cell: &Cell<'_>| !matches!(cell.column, Column::Fen | Column::Operations);
        for cell in columns.cells().filter(is_column) {
            append_column(cell, piece, index, &mut written, out);
        }
        out.push(b'\n');
    }
}

/// Divides a FEN before the checks that were given in three-check, which stand at its end in the form of Lichess.
fn split_given_checks(fen: &[u8]) -> (&[u8], &[u8]) {
    let last = fen.iter().rposition(|byte| *byte == b' ').filter(|blank| fen.get(blank + 1) == Some(&b'+'));
    fen.split_at(last.unwrap_or(fen.len()))
}

/// The column of the operations, to look up its values.
const OPERATIONS: Cell<'static> = Cell { column: &Column::Operations, tag: 0 };

/// The operations that a line has already.
struct Written<'o> {
    /// The operations on the line of the list that was read, each on a line.
    own: &'o str,
    /// The number of comments that were used for columns, or passed over.
    comments: u8,
}

impl Written<'_> {
    fn has(&self, wanted: &str) -> bool {
        self.own.lines().any(|text| opcode(text) == wanted)
    }

    /// Returns the opcode of the next comment that the line does not have; `None` if it has all of them.
    fn next_comment(&mut self) -> Option<String> {
        loop {
            let number = self.comments;
            if usize::from(number) == MOST_COMMENTS {
                return None;
            }
            self.comments += 1;
            let opcode = format!("c{number}");
            if !self.has(&opcode) {
                return Some(opcode);
            }
        }
    }
}

/// Returns the opcode of an operation.
fn opcode(operation: &str) -> &str {
    operation.split(' ').next().unwrap_or_default()
}

/// Appends the operation of a column, unless the line has an operation with its opcode. `sm` is the move that was
/// played. `ce` is the evaluation from the point of view of the side to move, `acd` and `acn` are the depth and the
/// nodes of the search (§16.2.5). `eco` is the code of the opening. `c9` is the result, as in many sets of training
/// positions. A tag with the name of an operation is that operation. The other columns are the comments `c0` to `c8`,
/// in order, as far as the line does not have them.
fn append_column(cell: Cell<'_>, piece: &GroupPiece, index: usize, written: &mut Written<'_>, out: &mut Vec<u8>) {
    let comment = if has_opcode(cell.column) { None } else { written.next_comment() };
    let (opcode, operand): (&str, Cow<'_, [u8]>) = match (cell.column, piece.table.value(cell, index)) {
        (_, Value::Missing) => return,
        (Column::NextSan, Value::Ascii(san)) => ("sm", san.into()),
        (Column::Eval, Value::Number(eval)) => {
            let eval = if piece.table.turn(index) == Color::White { eval } else { -eval };
            ("ce", eval.to_string().into_bytes().into())
        }
        (Column::Depth, Value::Number(depth)) => ("acd", depth.to_string().into_bytes().into()),
        (Column::Nodes, Value::Number(nodes)) => ("acn", nodes.to_string().into_bytes().into()),
        (Column::Eco, Value::Text(eco)) => ("eco", quoted(eco).into()),
        (Column::Result, Value::Ascii(result)) => ("c9", quoted(result).into()),
        (column, Value::Text(text)) => match (own_opcode(column), &comment) {
            (Some(opcode), _) if is_bare(opcode, text) => (opcode, text.into()),
            (Some(opcode), _) => (opcode, quoted(text).into()),
            (None, Some(comment)) => (comment, quoted(text).into()),
            (None, None) => return,
        },
        (_, value) => {
            let mut plain = Vec::new();
            append_plain(value, &mut plain);
            match &comment {
                Some(comment) => (comment, quoted(&plain).into()),
                None => return,
            }
        }
    };
    if !written.has(opcode) {
        append_operation(opcode.as_bytes(), &operand, out);
    }
}

/// Whether the value of an operation is written without quotes: moves and numbers.
fn is_bare(opcode: &str, value: &[u8]) -> bool {
    !matches!(opcode.as_bytes(), b"id" | b"eco" | b"nic" | [b'c' | b'v', b'0'..=b'9'])
        && value.iter().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b';' | b'"') || *byte == b' ')
}

fn append_operation(opcode: &[u8], operand: &[u8], out: &mut Vec<u8>) {
    out.push(b' ');
    out.extend_from_slice(opcode);
    out.push(b' ');
    out.extend_from_slice(operand);
    out.push(b';');
}

#[cfg(test)]
mod tests {
    use crate::testing::written;
    use crate::{Format, Rows};
    use pgn2fen_chess::fen::{FenStyle, Fields, VariantStyle};

    /// Compares the lines of these columns; without a list, of those of the format.
    #[track_caller]
    fn check(columns: Option<&str>, style: FenStyle, text: &str, expected: &[&str]) {
        let rows = columns.map_or_else(Rows::new, |list| Rows::columns(list).unwrap());
        let (lines, _) = written(&rows.format(Format::Epd).style(style), text);
        assert_eq!(lines.lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn columns_are_operations_or_comments() {
        let game = "[White \"Tal \\\"Misha\\\"\"]\n[bm \"e5; d5\"]\n[am \"\"]\n[Result \"1-0\"]\n\n\
            1. e4 {+0.31/14 0.5s} e5 {-0.25/9 0.4s} $1 2. Nf3 {Good\nmove} 1-0\n";
        let columns = "ply,san,next_san,eval,depth,nodes,result,eco,opening,comment,White,bm,am,key,time,nags";
        check(
            Some(columns),
            FenStyle::default(),
            game,
            &[
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - hmvc 0; fmvn 1; c0 \"0\"; sm e4; ce 31; \
                 acd 14; c9 \"1-0\"; c4 \"Tal 'Misha'\"; bm \"e5; d5\"; c5 \"463b96181691fc9c\"; c6 \"0.5\";",
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 hmvc 0; fmvn 1; c0 \"1\"; c1 \"e4\"; \
                 sm e5; ce -25; acd 9; c9 \"1-0\"; eco \"B00\"; c2 \"King's Pawn Game\"; c3 \"+0.31/14 0.5s\"; \
                 c4 \"Tal 'Misha'\"; bm \"e5; d5\"; c5 \"823c9b50fd114196\"; c6 \"0.4\";",
                "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 hmvc 0; fmvn 2; c0 \"2\"; c1 \"e5\"; \
                 sm Nf3; c9 \"1-0\"; eco \"C20\"; c2 \"King's Pawn Game\"; c3 \"-0.25/9 0.4s\"; \
                 c4 \"Tal 'Misha'\"; bm \"e5; d5\"; c5 \"0844931a6ef4b9a0\"; c7 \"1\";",
                "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - hmvc 1; fmvn 2; c0 \"3\"; \
                 c1 \"Nf3\"; c9 \"1-0\"; eco \"C40\"; c2 \"King's Knight Opening\"; c3 \"Good move\"; \
                 c4 \"Tal 'Misha'\"; bm \"e5; d5\"; c5 \"d3207fec0612d89d\";",
            ],
        );
    }

    #[test]
    fn the_score_is_that_of_the_side_to_move() {
        let game = "{[%eval 1]} 1. e4 {[%eval 2] [%clk 0:01:00]} *";
        check(
            Some("eval,clk,tags"),
            FenStyle::default(),
            game,
            &[
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - hmvc 0; fmvn 1; ce 100; c1 \"{}\";",
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 hmvc 0; fmvn 1; ce -200; c0 \"60.0\"; \
                 c1 \"{}\";",
            ],
        );
    }

    /// A list of positions with operations.
    const LIST: &str = "\
4k3/8/8/8/8/8/4P3/4K3 w - - bm e4 e3; id \"one; two\"; c0 \"mine\"; hmvc 5; fmvn 9; acd 3; acd 4;
4k3/8/8/8/8/8/4P3/4K3 w - - ce 20; pv e4 Kd7; c2 \"x\"; c9 \"y\"; noop;
8/8/8/8/8/k7/8/K1r5 w - - 0 1
";

    #[test]
    fn the_operations_of_a_list_are_kept() {
        check(
            None,
            FenStyle::default(),
            LIST,
            &[
                "4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 5; fmvn 9; bm e4 e3; id \"one; two\"; c0 \"mine\"; acd 4;",
                "4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 0; fmvn 1; ce 20; pv e4 Kd7; c2 \"x\"; c9 \"y\"; noop;",
                "8/8/8/8/8/k7/8/K1r5 w - - hmvc 0; fmvn 1;",
            ],
        );
        let four = FenStyle { fields: Fields::Four, ..FenStyle::default() };
        check(
            None,
            four,
            LIST,
            &[
                "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4 e3; id \"one; two\"; c0 \"mine\"; acd 4;",
                "4k3/8/8/8/8/8/4P3/4K3 w - - ce 20; pv e4 Kd7; c2 \"x\"; c9 \"y\"; noop;",
                "8/8/8/8/8/k7/8/K1r5 w - -",
            ],
        );
    }

    #[test]
    fn columns_do_not_repeat_the_operations_of_a_list() {
        check(
            Some("bm,acd,ply,game,line,turn,result,c1,pv"),
            FenStyle::default(),
            LIST,
            &[
                "4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 5; fmvn 9; bm e4 e3; id \"one; two\"; c0 \"mine\"; acd 4; \
                 c1 \"0\"; c2 \"1\"; c3 \"1\"; c4 \"w\"; c9 \"*\";",
                "4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 0; fmvn 1; ce 20; pv e4 Kd7; c2 \"x\"; c9 \"y\"; noop; \
                 c0 \"0\"; c1 \"2\"; c3 \"2\"; c4 \"w\";",
                "8/8/8/8/8/k7/8/K1r5 w - - hmvc 0; fmvn 1; c0 \"0\"; c1 \"3\"; c2 \"3\"; c3 \"w\"; c9 \"*\";",
            ],
        );
    }

    #[test]
    fn an_open_string_is_closed_and_a_tag_that_is_an_operation_has_quotes_if_it_needs_them() {
        check(
            Some("ply"),
            FenStyle::default(),
            "4k3/8/8/8/8/8/4P3/4K3 w - - id \"one\n4k3/8/8/8/8/8/4P3/4K3 b - - id \"two\";\n",
            &[
                "4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 0; fmvn 1; id \"one\"; c0 \"0\";",
                "4k3/8/8/8/8/8/4P3/4K3 b - - hmvc 0; fmvn 1; id \"two\"; c0 \"0\";",
            ],
        );
        let game = "[bm \"e4 d4\"]\n[id \"x\"]\n[eco \"B00\"]\n[c5 \"z\"]\n[dm \"3\"]\n\
            [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n*";
        check(
            Some("bm,c5,dm"),
            FenStyle::default(),
            game,
            &["4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 0; fmvn 1; bm e4 d4; c5 \"z\"; dm 3;"],
        );
    }

    #[cfg(feature = "variants")]
    #[test]
    fn checks_that_were_given_stand_before_the_counters() {
        let game = "[Variant \"Three-check\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Bxf7+ *";
        let rows = |variant| {
            let style = FenStyle { variant, ..FenStyle::default() };
            let (lines, _) = written(&Rows::new().format(Format::Epd).style(style), game);
            lines.lines().last().unwrap().to_owned()
        };
        let board = "r1bqkbnr/pppp1Bpp/2n5/4p3/4P3/8/PPPP1PPP/RNBQK1NR b KQkq -";
        assert_eq!(rows(VariantStyle::Lichess), format!("{board} +1+0 hmvc 0; fmvn 3;"));
        assert_eq!(rows(VariantStyle::Usual), format!("{board} 2+3 hmvc 0; fmvn 3;"));
    }
}
