//! Resolves a symbol of movetext to the move that it means.

use crate::moves::Move;
use crate::piece::Role;
use crate::position::Position;
use crate::san::canonical;
use crate::san::error::{NO_MOVE, SanError, SanErrorKind};
use crate::san::fitting::fitting;
use crate::san::letters::{Letters, languages};
use crate::san::look_alikes;
use crate::san::refusal::{ambiguity, refusal};
use crate::san::repair::{SanRepair, SanRepairs};
use crate::san::spelling::{self, Case, Mark, Odd, Spelling};

/// The result of [`resolve`]: a move, and the deviation of its spelling from SAN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// The move. It is legal in the position; a null move counts as legal unless the side to move is in check.
    pub mv: Move,
    /// The deviation from SAN that was accepted; `None` if there is none.
    pub repair: Option<SanRepair>,
}

/// Returns the only legal move that a symbol of movetext means.
///
/// The symbol is a word between white space, without a suffix such as `!?`. Check marks belong to the symbol.
///
/// # Errors
///
/// Returns an error if the symbol is not a move, or if it fits no legal move or several. [`SanError::kind`] tells these
/// apart.
#[inline(never)]
pub fn resolve(symbol: &[u8], position: &Position, letters: &Letters) -> Result<Resolved, SanError> {
    let standard = word(symbol).and_then(|word| canonical::resolve(word, symbol.len(), position, *letters));
    match standard {
        Some(mv) => Ok(Resolved { mv, repair: None }),
        None => resolve_spelling(symbol, position, *letters),
    }
}

impl Position {
    /// Returns the position after a move in SAN with English letters. It accepts every spelling that
    /// [`san::resolve`](resolve) accepts.
    ///
    /// ```
    /// use pgn2fen_chess::position::Position;
    ///
    /// let position = Position::initial().play_san("e4")?.play_san("Nf6")?;
    /// assert_eq!(position.to_string(), "rnbqkb1r/pppppppp/5n2/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2");
    /// assert_eq!(position.play_san("Ke3").unwrap_err().to_string(), "the white king on e1 cannot reach e3");
    /// # Ok::<(), pgn2fen_chess::san::SanError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a move, or if it fits no legal move or several.
    pub fn play_san(&self, san: &str) -> Result<Self, SanError> {
        let resolved = resolve(san.as_bytes(), self, &Letters::ENGLISH)?;
        let mut next = self.clone();
        next.play_unchecked(resolved.mv);
        Ok(next)
    }
}

/// Returns a symbol of up to seven bytes as a word with the first byte lowest, or `None` if the symbol is longer.
fn word(symbol: &[u8]) -> Option<u64> {
    let mut bytes = [0; 8];
    bytes[..7].get_mut(..symbol.len())?.copy_from_slice(symbol);
    Some(u64::from_le_bytes(bytes))
}

/// Returns the only legal move that fits a symbol of up to seven bytes in standard spelling. Otherwise it returns
/// `None`, and the caller must try [`resolve`]. `symbol` holds the bytes, the first lowest, with zeros above. A symbol
/// with a result consists of bytes that SAN uses.
#[doc(hidden)]
#[inline(always)]
pub fn resolve_standard(symbol: u64, length: usize, position: &Position, letters: &Letters) -> Option<Move> {
    canonical::resolve(symbol, length, position, *letters)
}

/// Returns the same as [`resolve_standard`] for most symbols of chess: those of a piece or pawn that moves or captures
/// without promotion. The position must not be of a variant. For other symbols it returns `None`, and the caller must
/// try [`resolve_rarer`].
#[doc(hidden)]
#[inline(always)]
pub fn resolve_usual(symbol: u64, length: usize, position: &Position, letters: &Letters) -> Option<Move> {
    canonical::usual(symbol, length, position, *letters)
}

/// Returns the same as [`resolve_standard`] for a symbol that [`resolve_usual`] does not resolve.
#[doc(hidden)]
pub fn resolve_rarer(symbol: u64, position: &Position, letters: &Letters) -> Option<Move> {
    canonical::rarer(symbol, position, *letters)
}

/// Resolves a symbol on the slow path: by the full grammar, against all moves that fit it.
///
/// If letters of another alphabet look like those of SAN, the symbol is read with both. In Russian, `сxd5` could be the
/// capture by a bishop in lower case, or the capture by a pawn with a Cyrillic letter for its file.
#[cold]
#[inline(never)]
fn resolve_spelling(symbol: &[u8], position: &Position, letters: Letters) -> Result<Resolved, SanError> {
    let as_written = resolve_letters(symbol, position, letters);
    let Some(alike) = look_alikes::in_latin(symbol) else {
        return as_written;
    };
    match (as_written, resolve_letters(alike.as_bytes(), position, letters)) {
        (Ok(written), Ok(alike)) if written.mv != alike.mv => Err(ambiguity(&[written.mv, alike.mv])),
        (Ok(written), _) => Ok(written),
        (Err(_), Ok(alike)) => Ok(Resolved { repair: Some(SanRepair::LookAlike), ..alike }),
        (Err(written), Err(alike)) if written.is_no_move() => Err(alike),
        (Err(written), Err(_)) => Err(written),
    }
}

fn resolve_letters(symbol: &[u8], position: &Position, letters: Letters) -> Result<Resolved, SanError> {
    let exact = spelling::read(symbol, letters, Case::Exact);
    let error = match exact.map(|exact| (exact, find(exact, position))) {
        // `bxc3` is a pawn capture if one is legal. Otherwise the `b` may be a bishop in lower case.
        Some(((Spelling::Man(man), _), Err(error)))
            if man.may_begin_with_a_piece() && error.kind() != SanErrorKind::AmbiguousMove =>
        {
            Some(error)
        }
        Some((_, result)) => return result,
        None => None,
    };
    let other = spelling::read(symbol, letters, Case::Any).filter(|&other| Some(other) != exact);
    match (error, other.map(|other| find(other, position))) {
        (_, Some(Ok(resolved))) => Ok(resolved),
        (Some(error), _) | (None, Some(Err(error))) => Err(error),
        (None, None) => Err(SanError::new(SanErrorKind::BadSan, no_move(symbol, position, letters))),
    }
}

fn find(written: Odd<Spelling>, position: &Position) -> Result<Resolved, SanError> {
    let (spelling, overlooked) = written;
    match fitting(spelling, position)[..] {
        [mv] if takes_nothing(spelling, mv, position) && overlooked.guesses() > 0 => {
            let to = mv.to().map_or_else(String::new, |to| format!(" on {to}"));
            Err(SanError::new(SanErrorKind::IllegalMove, format!("there is nothing to capture{to}")))
        }
        [mv] => Ok(Resolved { mv, repair: oddity(written, mv, position).told() }),
        [] => Err(refusal(spelling, position)),
        ref several => Err(ambiguity(several)),
    }
}

/// Whether the spelling has a capture sign but the move captures nothing.
fn takes_nothing(spelling: Spelling, m: Move, position: &Position) -> bool {
    matches!(spelling, Spelling::Man(man) if man.mark == Some(Mark::Cross)) && !m.is_capture(position.board())
}

/// Returns the deviations of a spelling, given the move that it means.
fn oddity((spelling, overlooked): Odd<Spelling>, m: Move, position: &Position) -> SanRepairs {
    let Spelling::Man(man) = spelling else {
        return overlooked;
    };
    if overlooked.has(SanRepair::Numeric) {
        return overlooked;
    }
    let crossed = man.mark == Some(Mark::Cross);
    let on_board = match (man.role, m.role()) {
        (None, Some(Role::King)) if matches!(m, Move::Castle { .. }) => {
            return SanRepairs::only(SanRepair::CastlingCoordinates);
        }
        (None, Some(Role::Pawn)) => return overlooked.and(SanRepairs::only(SanRepair::PawnCoordinates)),
        // A capture written with two squares only, as in UCI, needs no sign.
        (None, _) if !crossed => false,
        _ => crossed != m.is_capture(position.board()),
    };
    overlooked.and(SanRepairs::when(on_board, SanRepair::CaptureMark))
}

/// Returns the message for a symbol that fits no spelling.
fn no_move(symbol: &[u8], position: &Position, letters: Letters) -> String {
    let reads = |&other: &Letters| {
        let spelling = spelling::read(symbol, other, Case::Exact);
        other != letters && spelling.is_some_and(|spelling| find(spelling, position).is_ok())
    };
    let others: Vec<Letters> = languages().filter(reads).collect();
    let names: Vec<&str> = others.iter().map(|letters| letters.name()).collect();
    match (&names[..], &others[..]) {
        ([], _) | (_, []) => NO_MOVE.into(),
        ([name], [first, ..]) => format!("{name} piece letters? try `lang={}`", first.code()),
        ([names @ .., last], [first, ..]) => {
            format!("{} or {last} piece letters? try `lang={}`", names.join(", "), first.code())
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::sample::select;
    use proptest::{prop_assert, prop_assert_eq, proptest};

    use super::{Resolved, resolve, resolve_rarer, resolve_standard, word};
    use crate::fen;
    use crate::fen::playout::games;
    use crate::position::Position;
    use crate::rules::Rules;
    use crate::san::error::SanErrorKind;
    use crate::san::letters::{Letters, languages};
    use crate::san::repair::SanRepair;
    use crate::san::write::append;

    const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    /// 1. e4 d5
    const CENTER: &str = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2";
    /// 1. c4 d5 2. e4
    const CENTER_TWICE: &str = "rnbqkbnr/ppp1pppp/8/3p4/2P1P3/8/PP1P1PPP/RNBQKBNR w KQkq - 0 2";
    /// 1. e4 d5 2. exd5
    const TAKEN: &str = "rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2";
    /// 1. e4 e5
    const OPEN: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    const EN_PASSANT: &str = "rnbqkbnr/1pppp1pp/p7/4Pp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3";
    const PROMOTION: &str = "3n4/4P2k/8/8/8/8/8/4K3 w - - 0 1";
    const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

    fn position(fen: &str) -> Position {
        fen::read(fen.as_bytes()).expect(fen).position
    }

    /// Checks that all symbols mean the same move with the same deviation.
    #[track_caller]
    fn check_in(language: &str, fen: &str, symbols: &str, uci: &str, repair: Option<SanRepair>) {
        let position = position(fen);
        let letters = Letters::of(language).expect(language);
        for symbol in symbols.split(' ') {
            let resolved = resolve(symbol.as_bytes(), &position, &letters).expect(symbol);
            assert_eq!(resolved.mv.to_uci(&position), uci, "{symbol}");
            assert_eq!(resolved.repair, repair, "{symbol}");
        }
    }

    #[track_caller]
    fn check(fen: &str, symbols: &str, uci: &str, repair: impl Into<Option<SanRepair>>) {
        check_in("en", fen, symbols, uci, repair.into());
    }

    #[track_caller]
    fn check_error(fen: &str, symbol: &str, kind: SanErrorKind, message: &str) {
        let error = resolve(symbol.as_bytes(), &position(fen), &Letters::ENGLISH).expect_err(symbol);
        assert_eq!((error.kind(), error.to_string().as_str()), (kind, message));
    }

    #[track_caller]
    fn check_illegal(fen: &str, symbol: &str, message: &str) {
        check_error(fen, symbol, SanErrorKind::IllegalMove, message);
    }

    #[track_caller]
    fn check_bad(fen: &str, symbol: &str, message: &str) {
        check_error(fen, symbol, SanErrorKind::BadSan, message);
    }

    #[test]
    fn drops_are_read_in_every_spelling() {
        let fen = b"4k3/8/8/8/8/8/8/4K3[NP] w - - 0 1";
        let position = fen::read_by(Rules::Crazyhouse, fen).unwrap().position;
        for (language, symbols, uci, repair) in [
            ("en", "N@f6 N@f6+ N@f6#", "N@f6", None),
            ("en", "@e4 P@e4 @e4+", "P@e4", None),
            ("en", "n@f6 N@F6", "N@f6", Some(SanRepair::LetterCase)),
            ("en", "♘@f6", "N@f6", Some(SanRepair::Figurine)),
            ("de", "S@f6 S@f6+", "N@f6", None),
        ] {
            let letters = Letters::of(language).unwrap();
            for symbol in symbols.split(' ') {
                let resolved = resolve(symbol.as_bytes(), &position, &letters).expect(symbol);
                assert_eq!((resolved.mv.to_uci(&position).as_str(), resolved.repair), (uci, repair), "{symbol}");
            }
        }
        for (symbol, message) in [
            ("Q@e4", "white has no queen in hand"),
            ("N@e8", "the black king on e8 is in the way"),
            ("@e8", "the black king on e8 is in the way"),
            ("@e1+", "the white king on e1 is in the way"),
            ("@d8", "no pawn can be dropped on d8"),
        ] {
            let error = resolve(symbol.as_bytes(), &position, &Letters::ENGLISH).expect_err(symbol);
            assert_eq!(error.to_string(), message, "{symbol}");
        }
        assert_eq!(position.play_san("N@f6+").unwrap().to_string(), "4k3/8/5N2/8/8/8/8/4K3[P] b - - 1 1");
    }

    #[test]
    fn san_is_read_without_a_word() {
        check(INITIAL, "e4", "e2e4", None);
        check(INITIAL, "e3", "e2e3", None);
        check(INITIAL, "Nf3", "g1f3", None);
        check(CENTER, "exd5", "e4d5", None);
        check(TAKEN, "Qxd5", "d8d5", None);
        check(EN_PASSANT, "exf6", "e5f6", None);
        check(PROMOTION, "e8=Q", "e7e8q", None);
        check(PROMOTION, "exd8=N", "e7d8n", None);
        check(CASTLING, "O-O", "e1g1", None);
        check(CASTLING, "O-O-O", "e1c1", None);
        check(CASTLING, "Rxa8+", "a1a8", None);
    }

    #[test]
    fn more_origin_than_needed_is_no_fault() {
        check(INITIAL, "Ngf3 N1f3 Ng1f3 Ng1-f3 g1f3 g1-f3", "g1f3", None);
        check(TAKEN, "Qdxd5 Q8xd5 Qd8xd5 d8d5 d8xd5", "d8d5", None);
    }

    #[test]
    fn check_marks_are_no_matter() {
        check(INITIAL, "Nf3+ Nf3# Nf3++ Ng1-f3+#", "g1f3", None);
        check(CASTLING, "Rxa8 Rxa8# Rxa8++", "a1a8", None);
    }

    #[test]
    fn a_square_is_enough_where_it_must_be() {
        let queens = "8/k7/8/8/4Q2Q/8/1K6/7Q w - - 0 1";
        check(queens, "Qh4e1", "h4e1", None);
        check_error(queens, "Qhe1", SanErrorKind::AmbiguousMove, "two queens can reach e1: h1, h4");
        check_error(queens, "Qe1", SanErrorKind::AmbiguousMove, "three queens can reach e1: h1, e4, h4");
    }

    #[test]
    fn a_full_square_needs_no_grammar() {
        let position = position("8/k7/8/8/4Q2Q/8/1K6/4q2Q w - - 0 1");
        let standard = |symbol: &str| {
            resolve_standard(word(symbol.as_bytes())?, symbol.len(), &position, &Letters::ENGLISH)
                .map(|m| m.to_uci(&position))
        };
        assert_eq!(standard("Qh4xe1").as_deref(), Some("h4e1"));
        assert_eq!(standard("Qh4g4").as_deref(), Some("h4g4"));
        assert_eq!([standard("Qh4e1"), standard("Qh4xg4"), standard("Qh4g6"), standard("Qg3e1")], [const { None }; 4]);
    }

    #[test]
    fn a_symbol_that_is_not_usual_is_resolved_by_the_second_step() {
        let position = position(CASTLING);
        let rarer = |symbol: &str| {
            resolve_rarer(word(symbol.as_bytes())?, &position, &Letters::ENGLISH).map(|m| m.to_uci(&position))
        };
        let found = ["O-O", "O-O-O+", "Rb9"].map(rarer);
        assert_eq!(found.each_ref().map(Option::as_deref), [Some("e1g1"), Some("e1c1"), None]);
    }

    #[test]
    fn no_square_lies_beyond_the_board() {
        for (knight, symbol) in [("2N1K3", "Ni1"), ("2N1K3", "Ni9"), ("2N1K3", "Na9"), ("4K2N", "Nj:")] {
            let fen = format!("4k3/8/8/8/8/1N6/8/{knight} w - - 0 1");
            check_bad(&fen, symbol, "not a move");
        }
    }

    #[test]
    fn a_piece_may_go_to_the_en_passant_square_in_every_spelling() {
        let fen = "4k3/8/8/1N1p4/8/8/8/4K3 w - d6 0 2";
        for (symbol, repair) in [
            ("Nd6+", None),
            ("Nb5-d6+", None),
            ("♘d6+", Some(SanRepair::Figurine)),
            ("nd6+", Some(SanRepair::LetterCase)),
            ("b5d6", None),
        ] {
            check(fen, symbol, "b5d6", repair);
        }
    }

    #[test]
    fn a_pinned_man_is_no_candidate() {
        let knights = "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1";
        check(knights, "Ne2", "g1e2", None);
        check_illegal(knights, "Nce2", "the white knight on c3 is pinned by the black bishop on b4");
        let free = "4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1";
        check_error(free, "Ne2", SanErrorKind::AmbiguousMove, "two knights can reach e2: g1, c3");
    }

    #[test]
    fn pawn_moves_by_their_squares() {
        check(INITIAL, "e2e4 e2-e4", "e2e4", SanRepair::PawnCoordinates);
        check(CENTER, "e4d5 e4xd5 e4-d5", "e4d5", SanRepair::PawnCoordinates);
        check(PROMOTION, "e7e8q e7-e8=Q e7e8=Q", "e7e8q", SanRepair::PawnCoordinates);
        check(EN_PASSANT, "e5f6", "e5f6", SanRepair::PawnCoordinates);
    }

    #[test]
    fn pieces_by_their_squares_need_no_mark_for_a_capture() {
        check(CASTLING, "a1a8", "a1a8", None);
        check(CASTLING, "a1xa8", "a1a8", None);
        check(CASTLING, "a1xa7", "a1a7", SanRepair::CaptureMark);
        check(CASTLING, "Ra1a8", "a1a8", SanRepair::CaptureMark);
        check(CASTLING, "e1g1", "e1g1", SanRepair::CastlingCoordinates);
    }

    #[test]
    fn captures_with_other_marks_or_none() {
        check(CENTER, "ed5 e:d5 e×d5 ed5: ed5:+", "e4d5", SanRepair::CaptureMark);
        check(CENTER, "exd ed", "e4d5", SanRepair::ShortCapture);
        check(TAKEN, "Qd5 Q:d5 Qd8d5 Qd8-d5 Qd5: Qd8d5: Qd5×", "d8d5", SanRepair::CaptureMark);
        check(INITIAL, "Nxf3 Ng1xf3 Nf3:", "g1f3", SanRepair::CaptureMark);
        check(EN_PASSANT, "exf ef", "e5f6", SanRepair::ShortCapture);
        check(PROMOTION, "exd=Q", "e7d8q", SanRepair::ShortCapture);
    }

    #[test]
    fn a_short_capture_must_be_the_only_one() {
        let two = "4k3/8/3p4/4P3/3p4/4P3/8/4K3 w - - 0 1";
        check_error(two, "exd", SanErrorKind::AmbiguousMove, "two pawns can do so: e3, e5");
        check(two, "ed4", "e3d4", SanRepair::CaptureMark);
        check_error(CENTER_TWICE, "Pxd5", SanErrorKind::AmbiguousMove, "two pawns can reach d5: c4, e4");
    }

    #[test]
    fn promotions_in_other_dress() {
        check(PROMOTION, "e8Q e8(Q) e8(=Q) e8/Q e8=q e8q", "e7e8q", SanRepair::Promotion);
        check(PROMOTION, "exd8N exd8=n+ exd8/N", "e7d8n", SanRepair::Promotion);
    }

    #[test]
    fn a_letter_for_the_pawn() {
        check(INITIAL, "Pe4 Pe2-e4", "e2e4", SanRepair::PawnLetter);
        check(CENTER, "Pexd5 Pxd5 Ped5", "e4d5", SanRepair::PawnLetter);
    }

    #[test]
    fn en_passant_marked() {
        check(EN_PASSANT, "exf6ep exf6e.p. exf6/ep exf6+ep exf6e.p.+", "e5f6", SanRepair::EnPassantMark);
        check_illegal(CENTER, "exd5ep", "this is not an en passant capture");
    }

    #[test]
    fn letters_in_the_wrong_case() {
        check(INITIAL, "nf3 NF3 nF3 ng1f3", "g1f3", SanRepair::LetterCase);
        check(INITIAL, "E4 pe4", "e2e4", SanRepair::LetterCase);
        check(TAKEN, "qxd5 QXD5 QxD5", "d8d5", SanRepair::LetterCase);
        check(CENTER, "EXD5 eXd5", "e4d5", SanRepair::LetterCase);
        check_bad(CENTER, "Exd5", "not a move");
    }

    #[test]
    fn a_small_b_is_the_pawn_before_it_is_the_bishop() {
        check("4k3/8/8/b7/8/2N5/8/4K3 b - - 0 1", "bxc3+ bxc3 bc3", "a5c3", SanRepair::LetterCase);
        check("4k3/8/8/8/1b3B2/2P5/1P6/4K3 w - - 0 1", "bd2", "f4d2", SanRepair::LetterCase);
        let both = "4k3/8/8/b7/1p6/2N5/8/4K3 b - - 0 1";
        check(both, "bxc3", "b4c3", None);
        check(both, "bc3", "b4c3", SanRepair::CaptureMark);
        check_illegal("4k3/8/8/b7/1N6/8/8/4K3 w - - 0 1", "Bxa5", "white has no bishop");
    }

    #[test]
    fn squares_are_squares_in_any_case() {
        check(INITIAL, "B1C3 b1C3", "b1c3", SanRepair::LetterCase);
        check(INITIAL, "E2E4 E2-e4", "e2e4", SanRepair::LetterCase);
        check_illegal(OPEN, "b1b5", "the white knight on b1 cannot reach b5");
        check_illegal(OPEN, "B1B5", "the white knight on b1 cannot reach b5");
        check_illegal(OPEN, "b1-B5", "the white knight on b1 cannot reach b5");
        check(OPEN, "B1b5", "f1b5", None);
    }

    #[test]
    fn one_guess_is_enough() {
        check(OPEN, "bc4 bC4", "f1c4", SanRepair::LetterCase);
        check(OPEN, "Bxc4 B:c4", "f1c4", SanRepair::CaptureMark);
        check(OPEN, "♗xc4", "f1c4", SanRepair::Figurine);
        check_illegal(OPEN, "bxc4", "there is nothing to capture on c4");
        check_illegal(OPEN, "b:c4", "there is nothing to capture on c4");
        check_illegal(OPEN, "nxf3", "there is nothing to capture on f3");
        check_illegal(OPEN, "NXF3", "there is nothing to capture on f3");
        check_illegal(OPEN, "G1xF3", "there is nothing to capture on f3");
        check(CENTER, "ED5", "e4d5", SanRepair::LetterCase);
        check_bad(CENTER, "EXD", "not a move");
    }

    #[test]
    fn zeros_are_castling_without_dashes() {
        check(CASTLING, "00 00+", "e1g1", SanRepair::Castling);
        check(CASTLING, "000 000#", "e1c1", SanRepair::Castling);
        check_illegal(INITIAL, "00", "the white bishop on f1 is in the way");
        check_illegal(OPEN, "000", "the white knight on b1 is in the way");
        for symbol in ["0", "00000", "0-00", "00-0", "000-0", "0000+"] {
            check_bad(CASTLING, symbol, "not a move");
        }
    }

    #[test]
    fn figurines() {
        check(INITIAL, "♘f3 ♞f3 ♞\u{fe0e}f3 ♘\u{fe0f}f3", "g1f3", SanRepair::Figurine);
        check(INITIAL, "♙e4 ♟e4", "e2e4", SanRepair::Figurine);
        check(PROMOTION, "e8=♕", "e7e8q", SanRepair::Figurine);
    }

    #[test]
    fn castling_in_other_dress() {
        check(CASTLING, "0-0 o-o O-0 O–O O‑O 0—0+", "e1g1", SanRepair::Castling);
        check(CASTLING, "0-0-0 o-o-o O–O-O 0-0-0#", "e1c1", SanRepair::Castling);
        check(CASTLING, "OO oo oO OO+", "e1g1", SanRepair::Castling);
        check(CASTLING, "OOO ooo", "e1c1", SanRepair::Castling);
        check(CASTLING, "e1g1 e1-g1 e1h1", "e1g1", SanRepair::CastlingCoordinates);
        check(CASTLING, "e1c1 e1a1", "e1c1", SanRepair::CastlingCoordinates);
    }

    /// Checks a symbol that contains blanks.
    #[track_caller]
    fn check_apart(symbol: &str, uci: &str) {
        let position = position(CASTLING);
        let resolved = resolve(symbol.as_bytes(), &position, &Letters::ENGLISH).expect(symbol);
        let uci_and_repair = (resolved.mv.to_uci(&position).to_string(), resolved.repair);
        assert_eq!(uci_and_repair, (uci.to_owned(), Some(SanRepair::Castling)), "{symbol}");
    }

    #[test]
    fn castling_with_blanks() {
        ["O - O", "O -O+", "0 - 0", "O.O", "o O"].into_iter().for_each(|symbol| check_apart(symbol, "e1g1"));
        ["O-O -O", "O - O - O", "O O O", "0-0 -0", "O-O O", "0-0 0+"]
            .into_iter()
            .for_each(|symbol| check_apart(symbol, "e1c1"));
    }

    #[test]
    fn digits_name_squares_and_pieces() {
        check(INITIAL, "5254 52-54 5254+", "e2e4", SanRepair::Numeric);
        check(INITIAL, "7163", "g1f3", SanRepair::Numeric);
        check(CASTLING, "5171 5181", "e1g1", SanRepair::Numeric);
        check(PROMOTION, "57581", "e7e8q", SanRepair::Numeric);
        check(PROMOTION, "57582", "e7e8r", SanRepair::Numeric);
        check(PROMOTION, "57583", "e7e8b", SanRepair::Numeric);
        check(PROMOTION, "57484", "e7d8n", SanRepair::Numeric);
        check(EN_PASSANT, "5566", "e5f6", SanRepair::Numeric);
        check_illegal(INITIAL, "5255", "the white pawn on e2 cannot reach e5");
        check_bad(PROMOTION, "5758", "a pawn that reaches e8 must become a piece, as in e8=Q");
        for symbol in ["525", "5954", "0000+", "52544", "575855", "5x54"] {
            assert!(resolve(symbol.as_bytes(), &position(INITIAL), &Letters::ENGLISH).is_err(), "{symbol}");
        }
    }

    #[test]
    fn letters_that_look_like_those_of_a_move_are_read() {
        check(CASTLING, "О-О О–О Ο-Ο о-о", "e1g1", SanRepair::LookAlike);
        check(INITIAL, "е4", "e2e4", SanRepair::LookAlike);
        check(CENTER, "ехd5", "e4d5", SanRepair::LookAlike);
        check(TAKEN, "Qхd5", "d8d5", SanRepair::LookAlike);
        check_in("ru", TAKEN, "Фхd5", "d8d5", Some(SanRepair::LookAlike));
        check_in("ru", INITIAL, "Кс3", "b1c3", Some(SanRepair::LookAlike));
        check_bad(INITIAL, "Кf3", "Russian piece letters? try `lang=ru`");
        check_illegal(INITIAL, "Nе5", "no white knight can reach e5");
    }

    #[test]
    fn a_letter_with_two_meanings_is_no_guess() {
        // A bishop in lower case, or the pawn on the c-file.
        let both = position("4k3/8/8/3p4/2P5/5B2/8/4K3 w - - 0 1");
        let russian = Letters::of("ru").unwrap();
        let error = resolve("сxd5".as_bytes(), &both, &russian).unwrap_err();
        assert_eq!(error.kind(), SanErrorKind::AmbiguousMove);
        let pawn = position("4k3/8/8/3p4/2P5/8/8/4K3 w - - 0 1");
        assert_eq!(resolve("сxd5".as_bytes(), &pawn, &russian).unwrap().repair, Some(SanRepair::LookAlike));
        // If neither can be, the message is about what is written.
        let error = resolve("сd4".as_bytes(), &position("4k3/8/8/8/8/5B2/2P5/4K3 w - - 0 1"), &russian).unwrap_err();
        assert_eq!(error.to_string(), "the white bishop on f3 cannot reach d4");
    }

    #[test]
    fn a_step_of_the_king_is_no_castling() {
        let beside = "4k3/8/8/8/8/8/8/5K1R w K - 0 1";
        check(beside, "Kg1 f1g1", "f1g1", None);
        check(beside, "O-O", "f1h1", None);
        check(beside, "f1h1", "f1h1", SanRepair::CastlingCoordinates);
        check_illegal(CASTLING, "Kg1", "the white king on e1 cannot reach g1");
        check("4k3/8/8/8/8/8/8/1R2K3 w Q - 0 1", "e1c1", "e1b1", SanRepair::CastlingCoordinates);
    }

    #[test]
    fn castling_of_chess960() {
        check("4k3/8/8/8/8/8/8/6KR w H - 0 1", "O-O", "g1h1", None);
        check("4k3/8/8/8/8/8/8/4KR2 w F - 0 1", "O-O", "e1f1", None);
        check("4k3/8/8/8/8/8/8/RK6 w A - 0 1", "O-O-O", "b1a1", None);
        check_illegal("4k3/8/8/8/8/8/8/5KRr w G - 0 1", "O-O", "the king would be in check on g1");
        check_illegal("4k3/8/8/8/8/8/8/RN1K4 w Q - 0 1", "O-O-O", "the white knight on b1 is in the way");
    }

    #[test]
    fn castling_has_its_conditions() {
        check_illegal("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "O-O", "white has no right to castle on the king side");
        check_illegal("4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 1", "0-0-0", "the white king is in check");
        check_illegal("3rk3/8/8/8/8/8/8/R3K3 w Q - 0 1", "O-O-O", "the king would pass d1, which is attacked");
        check_illegal("2r1k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "O-O-O", "the king would be in check on c1");
    }

    #[test]
    fn passing_has_many_names() {
        check(INITIAL, "-- Z0 0000 @@@@ null pass", "0000", None);
        check_illegal("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "--", "white is in check and cannot pass");
    }

    #[test]
    fn a_pawn_that_arrives_must_become_something() {
        check_bad(PROMOTION, "e8", "a pawn that reaches e8 must become a piece, as in e8=Q");
        check_bad(PROMOTION, "e7e8", "a pawn that reaches e8 must become a piece, as in e8=Q");
        check_bad(PROMOTION, "exd", "a pawn that reaches d8 must become a piece, as in d8=Q");
        check_illegal(PROMOTION, "e8=K", "a pawn cannot become a king");
        check_illegal(PROMOTION, "e8=P", "a pawn cannot become a pawn");
        check_illegal("8/8/4P2k/8/8/8/8/4K3 w - - 0 1", "e7=Q", "no white pawn promotes on e7");
        check_illegal(INITIAL, "Nf3=Q", "a knight cannot promote");
    }

    #[test]
    fn a_move_that_cannot_be_is_told_why() {
        check_illegal(INITIAL, "Ne5", "no white knight can reach e5");
        check_illegal(INITIAL, "Nge5", "the white knight on g1 cannot reach e5");
        check_illegal(INITIAL, "Nce5", "there is no white knight on the c-file");
        check_illegal(INITIAL, "N3e5", "there is no white knight on rank 3");
        check_illegal(INITIAL, "Ne4f6", "there is no white knight on e4");
        check_illegal(INITIAL, "e4e5", "there is no white piece on e4");
        check_illegal(INITIAL, "Bd2", "d2 is occupied by a white pawn");
        check_illegal(INITIAL, "e5", "no white pawn can reach e5");
        check_illegal(INITIAL, "dxe4", "there is nothing to capture on e4");
        check_illegal(INITIAL, "dxe", "the white pawn on d2 cannot capture on the e-file");
        check_illegal(CENTER, "d5", "d5 is occupied by a black pawn");
        check_illegal(CENTER, "cxd5", "the white pawn on c2 cannot capture on d5");
        check_illegal(CENTER, "Ke3", "the white king on e1 cannot reach e3");
        check_illegal(PROMOTION, "Qe4", "white has no queen");
    }

    #[test]
    fn a_pawn_promotes_on_the_last_rank_of_its_side_alone() {
        let none = "4k3/8/8/8/8/8/8/4K3";
        for (turn, symbol, message) in [
            ("w", "a8=Q", "white has no pawn"),
            ("w", "a1=Q", "no white pawn promotes on a1"),
            ("w", "a2=Q", "no white pawn promotes on a2"),
            ("b", "a1=Q", "black has no pawn"),
            ("b", "a8=Q", "no black pawn promotes on a8"),
            ("b", "bxa8=N", "no black pawn promotes on a8"),
            ("b", "Ra8=N", "a rook cannot promote"),
        ] {
            check_illegal(&format!("{none} {turn} - - 0 1"), symbol, message);
        }
        check_illegal("4k3/8/P7/8/8/8/8/4K3 w - - 0 1", "a8=Q", "the white pawn on a6 cannot reach a8");
    }

    #[test]
    fn an_illegal_move_of_a_piece_is_no_move_by_squares() {
        check_illegal(INITIAL, "B1c3", "no white bishop on rank 1 can reach c3");
        check(INITIAL, "b1c3", "b1c3", None);
        let german = Letters::of("de").unwrap();
        // In German, the letter of the pawn is that of a file.
        let pawns = position("4k3/8/8/8/3p4/2N5/8/4K3 b - - 0 1");
        assert!(resolve(b"bxc3", &pawns, &german).is_err());
        assert!(resolve(b"dxc3", &pawns, &german).is_ok());
    }

    #[test]
    fn a_king_left_in_check_is_told() {
        check_illegal("4k3/8/8/8/8/8/r7/4K3 w - - 0 1", "Ke2", "e2 is attacked by the black rook on a2");
        check_illegal("4k3/8/8/8/8/8/4r3/2N1K3 w - - 0 1", "Nb3", "white is in check, and the move does not stop it");
        check_illegal(
            "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
            "exd3",
            "capturing en passant on d3 would expose the king to the white queen on h4",
        );
        check_illegal(
            "8/3k4/8/8/1b6/2N1r3/4N3/4K3 w - - 0 1",
            "Nd4",
            "the white knight on e2 is pinned by the black rook on e3",
        );
        check_illegal(
            "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
            "exd3ep",
            "capturing en passant on d3 would expose the king to the white queen on h4",
        );
        check_illegal(
            "k3r3/8/8/3p4/4P3/8/8/4K3 w - - 0 1",
            "exd5",
            "the white pawn on e4 is pinned by the black rook on e8",
        );
        check_illegal(
            "4k3/8/8/8/1b6/8/3P4/4K3 w - - 0 1",
            "d3",
            "the white pawn on d2 is pinned by the black bishop on b4",
        );
    }

    #[test]
    fn a_pinned_man_of_a_variant_is_told_as_in_chess() {
        let fen = "4k3/8/8/8/1b6/2N5/8/4K3 w - - 3+3 0 1";
        let position = fen::read_by(Rules::ThreeCheck, fen.as_bytes()).expect(fen).position;
        let error = resolve(b"Ne4", &position, &Letters::ENGLISH).expect_err("an illegal move");
        assert_eq!(error.to_string(), "the white knight on c3 is pinned by the black bishop on b4");
    }

    #[test]
    fn what_is_no_move_is_not_searched_for_one() {
        for symbol in [
            "", "x", "K", "e", "e:", "ex", ":", "Q:", "Nf3x", "Bxc6:", "e9", "Xf3", "e4e", "e4x", "xd5", "Nf3f", "2e4",
            "ee4", "N", "O-O-O-O", "OOOO", "O-OO", "OO-O", "O O-O", "0 0", "e4=", "e.p.", "--+", "P-e4",
        ] {
            check_bad(INITIAL, symbol, "not a move");
        }
        check_bad(INITIAL, "N@f3", "a drop belongs to Crazyhouse, not to chess");
    }

    #[test]
    fn letters_of_other_languages_are_read_if_asked_for() {
        check_in("de", INITIAL, "Sf3 Nf3 Sgf3", "g1f3", None);
        check_in("de", INITIAL, "sf3 nf3", "g1f3", Some(SanRepair::LetterCase));
        check_in("de", TAKEN, "Dxd5", "d8d5", None);
        check_in("de", PROMOTION, "e8=D", "e7e8q", None);
        check_in("de", INITIAL, "♘f3", "g1f3", Some(SanRepair::Figurine));
        check_in("nl", INITIAL, "Pf3", "g1f3", None);
        check_in("nl", INITIAL, "Oe4", "e2e4", Some(SanRepair::PawnLetter));
        check_in("ru", INITIAL, "Кf3 Кgf3", "g1f3", None);
        check_in("ru", INITIAL, "Пe4", "e2e4", Some(SanRepair::PawnLetter));
        check_in("ru", CASTLING, "Крe2", "e1e2", None);
        check_in("ru", CASTLING, "крe2", "e1e2", Some(SanRepair::LetterCase));
        check_in("ru", TAKEN, "Фxd5", "d8d5", None);
        check_in("es", CASTLING, "Re2", "e1e2", None);
    }

    #[test]
    fn letters_of_other_languages_are_recognised_if_not() {
        let german = "German, Polish, Swedish, Danish or Norwegian piece letters? try `lang=de`";
        check_bad(INITIAL, "Sf3", german);
        check_bad(INITIAL, "Cf3", "French, Spanish, Italian, Portuguese or Romanian piece letters? try `lang=fr`");
        check_bad(INITIAL, "Кf3", "Russian piece letters? try `lang=ru`");
        check_bad(INITIAL, "Sf6", "not a move");
    }

    proptest! {
        #[test]
        fn san_names_each_legal_move_and_no_other(game in games()) {
            for position in game.iter().step_by(7) {
                let mut written: Vec<Vec<u8>> = Vec::new();
                for mv in position.legal_moves() {
                    let mut san = Vec::new();
                    append(position, mv, &mut san);
                    let resolved = resolve(&san, position, &Letters::ENGLISH);
                    prop_assert_eq!(resolved, Ok(Resolved { mv, repair: None }), "{}", san.escape_ascii());
                    written.push(san);
                }
                let moves = written.len();
                written.sort();
                written.dedup();
                prop_assert_eq!(written.len(), moves);
            }
        }

        #[test]
        fn whatever_is_written_is_a_legal_move_or_none(
            game in games(),
            pieces in vec(select(vec![
                "K", "Q", "R", "B", "N", "P", "k", "n", "b", "a", "c", "e", "f", "h", "A", "1", "2", "4", "5", "7", "8",
                "x", "-", "–", "=", "(", ")", "/", "O", "0", "o", "+", "#", "@", "ep", "e.p.", "♘", "♟\u{fe0f}", "К",
                "Кр", "\0",
            ]), 0..8),
            language in select(languages().collect::<Vec<_>>()),
        ) {
            let symbol = pieces.concat();
            for position in game.iter().step_by(23) {
                match resolve(symbol.as_bytes(), position, &language) {
                    Ok(resolved) => prop_assert!(position.is_legal(resolved.mv), "{} in {:?}", symbol, position),
                    Err(error) => prop_assert!(!error.to_string().is_empty()),
                }
            }
        }

        #[test]
        fn squares_name_each_legal_move_as_well(game in games()) {
            for position in game.iter().step_by(7) {
                for mv in position.legal_moves() {
                    let uci = mv.to_uci(position);
                    let resolved = resolve(uci.as_bytes(), position, &Letters::ENGLISH).map(|resolved| resolved.mv);
                    prop_assert_eq!(resolved, Ok(mv), "{}", uci);
                }
            }
        }
    }
}
