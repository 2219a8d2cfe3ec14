//! Writes positions as FEN.

use std::fmt::{self, Debug, Display, Formatter};

use crate::fen::board_text::BoardText;
use crate::fen::castling_text::CastlingText;
use crate::fen::line::LineBuffer;
use crate::fen::line_space::LineSpace;
use crate::fen::style::{CastlingStyle, EpStyle, FenStyle, Fields, VariantStyle};
use crate::fen::variant_text;
use crate::moves::Move;
use crate::position::Position;
use crate::setup::Setup;
use crate::square::Square;

/// The length of the array in which a FEN of a variant is written, but for the men in hand. The board has at most 71
/// bytes and 64 marks of promoted men, the rest at most 50.
const LONG: usize = 272;

/// Appends the FEN of a position. To write many positions in turn, a [`FenWriter`] is faster.
pub fn append(position: &Position, style: FenStyle, out: &mut Vec<u8>) {
    FenWriter::new(style).append(position, out);
}

/// Returns the FEN of a position.
pub fn to_string(position: &Position, style: FenStyle) -> String {
    let mut text = Vec::new();
    append(position, style, &mut text);
    text.into_iter().map(char::from).collect()
}

/// Writes the FEN of the position, in the default [`FenStyle`].
impl Display for Position {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(&to_string(self, FenStyle::default()))
    }
}

/// Writes the FEN of a setup, in the default [`FenStyle`]. A castling right without its king is left out.
impl Display for Setup {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (mut board, mut bytes) = (BoardText::EMPTY, [b'/'; LONG]);
        board.update(&self.board);
        let mut line = LineBuffer::new(&mut bytes);
        variant_text::push_board(&board, self.promoted, &mut line);
        let mut text = Vec::from(line.text());
        if self.rules.have_hands() {
            variant_text::add_hands(&self.hands, VariantStyle::Usual, &mut text);
        }
        let castling = CastlingText::new(&self.board, self.castling, CastlingStyle::Xfen);
        let mut line = LineBuffer::new(&mut bytes);
        line.push(castling.after_turn[self.turn.index()], castling.len);
        push_ep(self.ep, &mut line);
        variant_text::push_remaining_checks(self, VariantStyle::Usual, &mut line);
        push_clocks(self, &mut line);
        text.extend_from_slice(line.text());
        f.pad(&text.into_iter().map(char::from).collect::<String>())
    }
}

/// Writes positions one after another and reuses the parts of the last FEN that did not change.
///
/// A move changes one or two ranks. The text of the other ranks is copied as arrays of eight bytes, whatever its
/// length, and so is the text between the board and the clocks.
#[derive(Clone)]
pub struct FenWriter {
    style: FenStyle,
    board: BoardText,
    castling: CastlingText,
}

impl FenWriter {
    /// Creates a writer.
    pub const fn new(style: FenStyle) -> Self {
        Self { style, board: BoardText::EMPTY, castling: CastlingText::NONE }
    }

    /// Appends the FEN of a position.
    #[inline]
    pub fn append(&mut self, position: &Position, out: &mut Vec<u8>) {
        if position.variant().is_some() {
            self.append_variant(position, out);
            return;
        }
        self.board.update(position.board());
        self.append_fields(position, out);
    }

    /// Sets the position from which moves are played and written by [`append_after`](Self::append_after). Nothing is
    /// written.
    pub fn start_at(&mut self, position: &Position) {
        self.board.update(position.board());
    }

    /// Appends the FEN of `position`, which is the position after the move `m`. Call it for every move in turn, from
    /// the position that was last written or [set](Self::start_at). If a move is left out, the text is wrong.
    #[inline(always)]
    pub fn append_after(&mut self, m: Move, position: &Position, out: &mut Vec<u8>) {
        if position.variant().is_some() {
            self.append_variant(position, out);
            return;
        }
        self.follow(m, position);
        self.append_fields(position, out);
    }

    /// Writes a FEN like [`append_after`](Self::append_after), and a line break, into space that was prepared for many
    /// lines. The position must not be of a variant.
    #[doc(hidden)]
    #[inline(always)]
    pub fn add_line_after(&mut self, m: Move, position: &Position, lines: &mut LineSpace<'_>) {
        self.follow(m, position);
        let length = self.write_fields::<true, _>(position, lines.next_line());
        lines.take(length);
    }

    /// Appends the FEN of a position to a line. `after` is the move that led there from the position that was written
    /// last, if there is one.
    #[doc(hidden)]
    #[inline(always)]
    pub fn push<const N: usize>(&mut self, after: Option<Move>, position: &Position, line: &mut LineBuffer<'_, N>) {
        if position.variant().is_some() {
            let mut text = Vec::with_capacity(LONG);
            self.append_variant(position, &mut text);
            line.push_all(&text);
            return;
        }
        match after {
            Some(m) => self.follow(m, position),
            None => self.board.update(position.board()),
        }
        let bytes: &mut [u8; 144] = line.rest();
        // The text of the board has 72 bytes with its last slash.
        bytes[..80].fill(b'/');
        let length = self.write_fields::<false, _>(position, bytes);
        line.take(length);
    }

    /// Updates the text of the board to that of `position`, which is the position of chess after the move `m`.
    #[inline(always)]
    fn follow(&mut self, m: Move, position: &Position) {
        match m {
            Move::Normal { from, to, .. } => self.board.update_squares(from, to, position.board()),
            _ => self.board.update(position.board()),
        }
    }

    #[inline(always)]
    fn append_fields(&mut self, position: &Position, out: &mut Vec<u8>) {
        // The line is written in place: to build it elsewhere and copy it takes twice as long.
        let start = out.len();
        out.extend_from_slice(&[b'/'; 144]);
        let length = self.write_fields::<false, 144>(position, out.last_chunk_mut().expect("so much was just added"));
        out.truncate(start + length);
    }

    /// Appends the FEN of a position of a variant, in which a move may change many squares.
    #[inline(never)]
    fn append_variant(&mut self, position: &Position, out: &mut Vec<u8>) {
        self.board.update(position.board());
        let (setup, style) = (position.setup(), self.style);
        if !setup.rules.have_fen_of_their_own() {
            return self.append_fields(position, out);
        }
        let mut line = new_line(out);
        variant_text::push_board(&self.board, setup.promoted, &mut line);
        if setup.rules.have_hands() {
            // There is no limit to the men in hand.
            let length = line.len();
            end_line(length, out);
            variant_text::add_hands(&setup.hands, style.variant, out);
            line = new_line(out);
        }
        self.push_middle(position, &mut line);
        variant_text::push_remaining_checks(setup, style.variant, &mut line);
        match style.fields {
            Fields::Four => line.back(),
            Fields::Six => push_clocks(setup, &mut line),
        }
        variant_text::push_given_checks(setup, style.variant, &mut line);
        let length = line.len();
        end_line(length, out);
    }

    /// Writes the FEN of a position over slashes and returns its length. Bytes behind it may change, but no more than
    /// eight.
    ///
    /// The longest FEN has 103 bytes: 71 for the board, 8 from there to the en passant square, 3 for that square, 10
    /// for each clock and 1 between the clocks.
    #[inline(always)]
    fn write_fields<const IS_LINE: bool, const N: usize>(&mut self, position: &Position, bytes: &mut [u8; N]) -> usize {
        if !self.castling.is_of(position.castling()) {
            self.castling = CastlingText::new(position.board(), position.castling(), self.style.castling);
        }
        let mut line = LineBuffer::new(bytes);
        for rank in self.board.ranks_from_the_eighth() {
            line.push(rank.word.to_le_bytes(), rank.len);
        }
        // The last slash is replaced by a blank.
        line.back();
        line.push(self.castling.after_turn[position.turn().index()], self.castling.len);
        match position.ep().and_then(|ep| self.shown(ep, position)) {
            None => line.push(*b"- ", 2),
            Some(sq) => line.push(SQUARES[sq.index()], 3),
        }
        match self.style.fields {
            Fields::Four => line.back(),
            Fields::Six => {
                line.push_number(position.halfmoves());
                line.take(1);
                line.push_number(position.fullmoves());
            }
        }
        if IS_LINE {
            line.push(*b"\n", 1);
        }
        line.len()
    }

    /// Appends the text from the board to the clocks, with the blank before them. [`write_fields`](Self::write_fields)
    /// does the same inline, because it takes fewer instructions there.
    fn push_middle<const N: usize>(&mut self, position: &Position, line: &mut LineBuffer<'_, N>) {
        if !self.castling.is_of(position.castling()) {
            self.castling = CastlingText::new(position.board(), position.castling(), self.style.castling);
        }
        line.push(self.castling.after_turn[position.turn().index()], self.castling.len);
        push_ep(position.ep().and_then(|ep| self.shown(ep, position)), line);
    }

    /// Returns the en passant square if the style shows it in this position.
    #[inline]
    fn shown(&self, ep: Square, position: &Position) -> Option<Square> {
        match self.style.ep {
            EpStyle::Always => Some(ep),
            EpStyle::Xfen => position.pseudo_legal_ep(),
            EpStyle::Legal => position.legal_ep(),
        }
    }
}

/// Appends a line of slashes in which text is written.
fn new_line(out: &mut Vec<u8>) -> LineBuffer<'_, LONG> {
    out.extend_from_slice(&[b'/'; LONG]);
    LineBuffer::new(out.last_chunk_mut().expect("so much was just added"))
}

/// Removes the slashes of the last line behind its text.
fn end_line(length: usize, out: &mut Vec<u8>) {
    out.truncate(out.len() - LONG + length);
}

/// Appends the en passant square and a blank.
#[inline(always)]
fn push_ep<const N: usize>(ep: Option<Square>, line: &mut LineBuffer<'_, N>) {
    match ep {
        None => line.push(*b"- ", 2),
        Some(sq) => line.push(SQUARES[sq.index()], 3),
    }
}

/// Appends the clocks.
#[inline(always)]
fn push_clocks<const N: usize>(setup: &Setup, line: &mut LineBuffer<'_, N>) {
    line.push_number(setup.halfmoves);
    line.take(1);
    line.push_number(setup.fullmoves);
}

impl Debug for FenWriter {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("FenWriter").field("style", &self.style).finish_non_exhaustive()
    }
}

/// The name of each square, followed by a blank.
static SQUARES: [[u8; 4]; 64] = {
    let mut table = [*b"a1 \0"; 64];
    let mut n = 0;
    while n < 64 {
        let sq = Square::wrapping(n);
        table[n as usize][0] = sq.file().char() as u8;
        table[n as usize][1] = sq.rank().char() as u8;
        n += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use proptest::prelude::{Strategy, any, proptest};
    use proptest::sample::Index;
    use proptest::{prop_assert, prop_assert_eq};

    use super::{FenWriter, LineBuffer, LineSpace, append, to_string};
    use crate::fen::playout::games;
    use crate::fen::read::read;
    use crate::fen::style::{CastlingStyle, EpStyle, FenStyle, Fields, VariantStyle};
    use crate::moves::Move;
    use crate::piece::Role;
    use crate::position::Position;
    use crate::rules::Rules;
    use crate::square::Square;

    const ALWAYS: FenStyle = FenStyle {
        ep: EpStyle::Always,
        castling: CastlingStyle::Xfen,
        fields: Fields::Six,
        variant: VariantStyle::Usual,
    };
    const XFEN: FenStyle = FenStyle { ep: EpStyle::Xfen, ..ALWAYS };
    const LEGAL: FenStyle = FenStyle { ep: EpStyle::Legal, ..ALWAYS };
    const SHREDDER: FenStyle = FenStyle { castling: CastlingStyle::Shredder, ..ALWAYS };
    const FOUR: FenStyle = FenStyle { fields: Fields::Four, ..ALWAYS };

    fn position(fen: &str) -> Position {
        read(fen.as_bytes()).expect(fen).position
    }

    #[track_caller]
    fn check(fen: &str, style: FenStyle, expected: &str) {
        assert_eq!(to_string(&position(fen), style), expected);
    }

    #[test]
    fn the_examples_of_the_standard() {
        let mut position = Position::initial();
        let mut writer = FenWriter::new(ALWAYS);
        let mut check = |played: Option<(Role, Square, Square)>, expected: &str| {
            if let Some((role, from, to)) = played {
                position.play_unchecked(Move::Normal { role, from, to, promotion: None });
            }
            let mut text = Vec::new();
            writer.append(&position, &mut text);
            assert_eq!(String::from_utf8_lossy(&text), expected);
        };
        check(None, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        check(
            Some((Role::Pawn, Square::E2, Square::E4)),
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        );
        check(
            Some((Role::Pawn, Square::C7, Square::C5)),
            "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2",
        );
        check(
            Some((Role::Knight, Square::G1, Square::F3)),
            "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
        );
    }

    #[test]
    fn the_en_passant_square_is_given_always_or_beside_an_enemy_pawn_or_if_legal() {
        let nobody_there = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
        check(nobody_there, ALWAYS, nobody_there);
        check(nobody_there, XFEN, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
        let pinned = "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1";
        check(pinned, XFEN, pinned);
        check(pinned, LEGAL, "8/8/8/8/k2Pp2Q/8/8/3K4 b - - 0 1");
        let legal = "7k/8/8/3pP3/8/2B5/8/4K3 w - d6 0 2";
        check(legal, LEGAL, legal);
    }

    #[test]
    fn an_inner_rook_is_named_by_its_file() {
        check("4k3/8/8/8/8/8/8/4K1RR w G - 0 1", ALWAYS, "4k3/8/8/8/8/8/8/4K1RR w G - 0 1");
        check("4k3/8/8/8/8/8/8/4K1R1 w G - 0 1", ALWAYS, "4k3/8/8/8/8/8/8/4K1R1 w K - 0 1");
        check("4k3/8/8/8/8/8/8/RR2K1R1 w GB - 0 1", ALWAYS, "4k3/8/8/8/8/8/8/RR2K1R1 w KB - 0 1");
        check("r3kr1r/8/8/8/8/8/8/R3K2R w KQfa - 0 1", ALWAYS, "r3kr1r/8/8/8/8/8/8/R3K2R w KQfq - 0 1");
        check("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", SHREDDER, "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1");
    }

    #[test]
    fn four_fields_end_before_the_clocks() {
        check("4k3/8/8/8/8/8/4P3/4K3 w - - 5 39", FOUR, "4k3/8/8/8/8/8/4P3/4K3 w - -");
        check("7k/8/8/3pP3/8/2B5/8/4K3 w - d6 0 2", FOUR, "7k/8/8/3pP3/8/2B5/8/4K3 w - d6");
    }

    #[test]
    fn clocks_may_be_as_long_as_they_like() {
        for clocks in ["0 9", "9 10", "99 100", "999 1000", "1001 12345", "4294967295 4294967295"] {
            let fen =
                format!("rnbqkbnr/p1p1p1p1/1p1p1p1p/p1p1p1p1/1P1P1P1P/P1P1P1P1/1P1P1P1P/RNBQKBNR w KQkq - {clocks}");
            check(&fen, ALWAYS, &fen);
        }
    }

    #[test]
    fn a_fen_in_a_line_is_that_of_the_position_after_the_move() {
        let start = Position::initial();
        let e4 = Move::Normal { role: Role::Pawn, from: Square::E2, to: Square::E4, promotion: None };
        let after = start.play(e4).expect("a legal move");
        let mut writer = FenWriter::new(ALWAYS);
        let mut bytes = [0; 1040];
        let mut line = LineBuffer::new(&mut bytes);
        for (m, position) in [(None, &start), (Some(e4), &after), (None, &Position::start(Rules::Crazyhouse))] {
            let before = line.len();
            writer.push(m, position, &mut line);
            assert_eq!(line.text()[before..], *to_string(position, ALWAYS).as_bytes());
        }
    }

    fn styles() -> impl Strategy<Value = FenStyle> {
        any::<(Index, Index, Index)>().prop_map(|(ep, castling, fields)| FenStyle {
            ep: *ep.get(&[EpStyle::Always, EpStyle::Xfen, EpStyle::Legal]),
            castling: *castling.get(&[CastlingStyle::Xfen, CastlingStyle::Shredder]),
            fields: *fields.get(&[Fields::Four, Fields::Six]),
            variant: VariantStyle::Usual,
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_as_the_same_position(game in games(), style in styles()) {
            for position in &game {
                let text = to_string(position, style);
                let reading = read(text.as_bytes()).expect(&text);
                prop_assert!(reading.position.is_same_position(position), "{}", text);
                match style.fields {
                    Fields::Six => {
                        prop_assert!(reading.repairs.is_empty(), "{}: {}", text, reading.repairs);
                        prop_assert_eq!(reading.position.halfmoves(), position.halfmoves());
                        prop_assert_eq!(reading.position.fullmoves(), position.fullmoves());
                    }
                    Fields::Four => prop_assert_eq!(reading.repairs.iter().count(), 1),
                }
                if style.ep == EpStyle::Always {
                    prop_assert_eq!(reading.position.ep(), position.ep());
                }
            }
        }

        #[test]
        fn what_was_written_before_leaves_no_trace(
            games in [games(), games()],
            style in styles(),
            order in proptest::collection::vec(any::<Index>(), 1..200),
        ) {
            let positions = games.concat();
            let mut writer = FenWriter::new(style);
            let (mut together, mut alone) = (Vec::new(), Vec::new());
            for position in order.iter().map(|index| index.get(&positions)) {
                writer.append(position, &mut together);
                append(position, style, &mut alone);
            }
            prop_assert_eq!(together, alone);
        }

        #[test]
        fn what_a_move_leaves_alone_is_written_as_before(game in games(), style in styles()) {
            let mut writer = FenWriter::new(style);
            let played = |(before, after): (&Position, &Position)| {
                let moves = before.legal_moves();
                *moves.iter().find(|m| before.play(**m).as_ref() == Ok(after)).expect("a move between the two")
            };
            let moves: Vec<Move> = game.iter().zip(&game[1..]).map(played).collect();
            writer.start_at(&game[0]);
            for (m, after) in moves.into_iter().zip(&game[1..]) {
                let mut fen = Vec::new();
                writer.append_after(m, after, &mut fen);
                prop_assert_eq!(String::from_utf8(fen).expect("ASCII"), to_string(after, style));
            }
        }

        #[test]
        fn lines_in_prepared_space_leave_no_trace_of_one_another(
            game in games(),
            style in styles(),
            before in 0..2000_usize,
        ) {
            let (mut text, mut expected) = (vec![b'.'; before], vec![b'.'; before]);
            let mut writer = FenWriter::new(style);
            writer.start_at(&game[0]);
            let mut lines = LineSpace::behind(&mut text);
            for (before, after) in game.iter().zip(&game[1..]) {
                let moves = before.legal_moves();
                let m = moves.iter().find(|m| before.play(**m).as_ref() == Ok(after)).expect("a move between the two");
                writer.add_line_after(*m, after, &mut lines);
                append(after, style, &mut expected);
                expected.push(b'\n');
            }
            drop(lines);
            prop_assert_eq!(text, expected);
        }

        #[test]
        fn numbers_of_any_length_are_written_as_they_are(
            halfmoves: u32,
            fullmoves in 1..=u32::MAX,
            digits in 0..9_u32,
        ) {
            let (halfmoves, fullmoves) = (halfmoves / 10_u32.pow(digits), (fullmoves / 10_u32.pow(digits)).max(1));
            let fen = format!("4k3/8/8/8/8/8/8/4K3 w - - {halfmoves} {fullmoves}");
            prop_assert_eq!(to_string(&position(&fen), ALWAYS), fen);
        }
    }
}
