//! How a game ends on the board: mate, stalemate, too few pieces, repetition, moves without progress.

use std::fmt;
use std::str::FromStr;

use crate::parse_error::ParseError;
use pgn2fen_chess::bitboard::Bitboard;
use pgn2fen_chess::piece::Role;
use pgn2fen_chess::position::{EndReason, Position};
use pgn2fen_chess::rules::Rules;

/// A condition on the last position of a game. The moves before an error count.
///
/// ```
/// use pgn2fen_filters::GameEnd;
///
/// assert_eq!("mate".parse(), Ok(GameEnd::Mate(None)));
/// assert_eq!("stalemate".parse(), Ok(GameEnd::Stalemate));
/// assert_eq!("mate:N".parse::<GameEnd>()?.to_string(), "mate:N");
/// # Ok::<(), pgn2fen_filters::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameEnd {
    /// `mate`: checkmate. `mate:N`: checkmate in which a knight gives check, alone or with another piece; so for the
    /// letters of the other pieces, and `P` for a pawn.
    Mate(Option<Role>),
    /// `stalemate`: the side to move is not in check and has no legal move.
    Stalemate,
    /// `insufficient`: no sequence of legal moves leads to mate, because there are only the kings with one knight, or
    /// with bishops on squares of one color.
    Insufficient,
    /// `threefold`: the position has occurred at least three times in the game. Positions are compared by
    /// [`Position::is_same_position`].
    Threefold,
    /// `fivefold`: the position has occurred at least five times in the game.
    Fivefold,
    /// `fifty-moves`: the halfmove clock is at least 100, so the last 50 moves of each side are neither captures nor
    /// moves of pawns, and the side to move has a legal move. A game from a FEN begins with the clock of the FEN.
    FiftyMoves,
    /// `seventy-five-moves`: the same with a clock of at least 150.
    SeventyFiveMoves,
}

/// The ends that are a word only.
const WORDS: [(&str, GameEnd); 7] = [
    ("mate", GameEnd::Mate(None)),
    ("stalemate", GameEnd::Stalemate),
    ("insufficient", GameEnd::Insufficient),
    ("threefold", GameEnd::Threefold),
    ("fivefold", GameEnd::Fivefold),
    ("fifty-moves", GameEnd::FiftyMoves),
    ("seventy-five-moves", GameEnd::SeventyFiveMoves),
];

/// The pieces that can give check.
const GIVES_CHECK: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

impl GameEnd {
    /// Whether a game that ends in this position meets the condition. The position has occurred in the game so many
    /// times, the last one included; only a repetition depends on it.
    pub fn holds(self, position: &Position, times: usize) -> bool {
        // Where the rules of a variant end the game, such as by the third check, there are no legal moves either.
        let ends_by = |reason| position.end().is_some_and(|end| end.reason == reason);
        match self {
            Self::Mate(None) => ends_by(EndReason::Checkmate),
            Self::Mate(Some(role)) => {
                !(position.checkers() & position.board().by_role(role)).is_empty() && ends_by(EndReason::Checkmate)
            }
            Self::Stalemate => ends_by(EndReason::Stalemate),
            Self::Insufficient => is_insufficient(position),
            Self::Threefold => times >= 3,
            Self::Fivefold => times >= 5,
            Self::FiftyMoves => position.halfmoves() >= 100 && position.has_legal_move(),
            Self::SeventyFiveMoves => position.halfmoves() >= 150 && position.has_legal_move(),
        }
    }

    /// Returns the words of the conditions that a game with these positions meets. None if there are no positions.
    ///
    /// ```
    /// use pgn2fen_chess::position::Position;
    /// use pgn2fen_filters::GameEnd;
    ///
    /// let start = Position::initial();
    /// assert_eq!(GameEnd::words_of([&start, &start, &start]), ["threefold"]);
    /// ```
    pub fn words_of<'p, P>(positions: P) -> Vec<&'static str>
    where
        P: IntoIterator<Item = &'p Position, IntoIter: DoubleEndedIterator>,
    {
        let mut positions = positions.into_iter();
        let Some(last) = positions.next_back() else {
            return Vec::new();
        };
        let times = 1 + positions.filter(|position| position.is_same_position(last)).count();
        WORDS.into_iter().filter(|(_, end)| end.holds(last, times)).map(|(word, _)| word).collect()
    }
}

/// Whether no side can be mated. In variants, bare kings can win in other ways.
fn is_insufficient(position: &Position) -> bool {
    if position.rules() != Rules::Chess {
        return false;
    }
    let board = position.board();
    let of = |role| board.by_role(role);
    let others = of(Role::Pawn) | of(Role::Rook) | of(Role::Queen);
    let (knights, bishops) = (of(Role::Knight), of(Role::Bishop));
    let are_dark = |squares: Bitboard| {
        let mut dark = squares.into_iter().map(|sq| (sq.file().index() + sq.rank().index()) % 2 == 0);
        let first = dark.next();
        dark.all(|is_dark| Some(is_dark) == first)
    };
    let is_single = knights.count() == 1 && bishops.is_empty() || knights.is_empty() && are_dark(bishops);
    others.is_empty() && is_single
}

impl FromStr for GameEnd {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        if let Some((_, end)) = WORDS.iter().find(|(word, _)| *word == text) {
            return Ok(*end);
        }
        let Some(letter) = text.strip_prefix("mate:") else {
            let reason = "a game ends in mate, mate:N (by a knight), stalemate, insufficient (material), threefold, \
                          fivefold (repetition), fifty-moves or seventy-five-moves";
            return Err(ParseError::new(text, 0..text.len(), reason));
        };
        let role = GIVES_CHECK.into_iter().find(|role| letter.chars().eq([role.char().to_ascii_uppercase()]));
        role.map(|role| Self::Mate(Some(role))).ok_or_else(|| {
            let reason = "mate is given by a piece: mate:Q, mate:R, mate:B, mate:N or mate:P";
            ParseError::new(text, "mate:".len()..text.len(), reason)
        })
    }
}

impl fmt::Display for GameEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::Mate(Some(role)) = self {
            return write!(f, "mate:{}", role.char().to_ascii_uppercase());
        }
        WORDS.iter().filter(|(_, end)| end == self).try_for_each(|(word, _)| f.write_str(word))
    }
}

#[cfg(test)]
mod tests {
    use super::{GameEnd, WORDS};
    use pgn2fen_chess::fen;
    use pgn2fen_chess::rules::Rules;
    use pgn2fen_chess::testing::position;

    /// Compares all conditions that hold for a game that ends in a position.
    #[track_caller]
    fn check(fen: &str, expected: &str) {
        let position = position(fen);
        let mates = ["mate:Q", "mate:R", "mate:B", "mate:N", "mate:P"];
        let holds = WORDS.map(|(word, _)| word).into_iter().chain(mates).filter(|end| {
            let end: GameEnd = end.parse().unwrap();
            assert_eq!(end.to_string().parse(), Ok(end));
            end.holds(&position, 1)
        });
        assert_eq!(holds.collect::<Vec<_>>().join(" "), expected, "{fen}");
    }

    #[test]
    fn a_mate_is_given_by_the_pieces_that_give_check() {
        check("r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4", "mate mate:Q");
        check("6rk/5Npp/8/8/8/8/8/6K1 b - - 0 1", "mate mate:N");
        check("R3k3/8/4K3/8/8/8/8/8 b - - 0 1", "mate mate:R");
        // Both pieces give check.
        check("3k4/3P4/2NPKB2/8/8/8/8/3R4 b - - 0 1", "mate mate:B mate:N");
        check("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", "");
    }

    #[test]
    fn a_side_without_moves_is_stalemate() {
        check("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate");
        check("7k/8/8/8/8/8/8/K7 w - - 0 1", "insufficient");
    }

    #[test]
    fn the_end_of_a_variant_is_neither_mate_nor_stalemate() {
        let ends = |rules, fen: &str| {
            let position = fen::read_by(rules, fen.as_bytes()).unwrap().position;
            assert!(position.end().is_some(), "{fen}");
            GameEnd::words_of([&position])
        };
        assert!(ends(Rules::ThreeCheck, "Q3k3/8/8/8/8/8/8/4K3 b - - 0+3 1 1").is_empty());
        assert!(ends(Rules::KingOfTheHill, "k7/8/8/8/3K4/8/8/8 b - - 0 1").is_empty());
        assert!(ends(Rules::Atomic, "8/8/8/8/8/8/8/R3K3 b - - 0 1").is_empty());
        assert_eq!(ends(Rules::ThreeCheck, "R3k3/8/4K3/8/8/8/8/8 b - - 1+3 0 1"), ["mate"]);
        assert_eq!(ends(Rules::KingOfTheHill, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), ["stalemate"]);
    }

    #[test]
    fn with_too_few_pieces_nobody_mates() {
        check("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", "insufficient");
        check("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", "insufficient");
        check("2b1k3/8/8/8/8/8/8/4KB2 w - - 0 1", "insufficient");
        check("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", "");
        check("4kn2/8/8/8/8/8/8/4KB2 w - - 0 1", "");
        check("4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", "");
        check("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "");
    }

    #[test]
    fn the_halfmove_clock_ends_a_game_that_could_go_on() {
        check("7k/8/8/8/8/8/8/KR6 w - - 99 80", "");
        check("7k/8/8/8/8/8/8/KR6 w - - 100 80", "fifty-moves");
        check("7k/8/8/8/8/8/8/KR6 w - - 150 105", "fifty-moves seventy-five-moves");
        check("R3k3/8/4K3/8/8/8/8/8 b - - 150 105", "mate mate:R");
        check("7k/5Q2/6K1/8/8/8/8/8 b - - 150 105", "stalemate");
    }

    #[test]
    fn a_repetition_depends_on_the_positions_before() {
        let holds = |end: GameEnd| [2, 3, 5].map(|times| end.holds(&position("4k3/8/8/8/8/8/8/4K2R w - - 8 1"), times));
        assert_eq!(holds(GameEnd::Threefold), [false, true, true]);
        assert_eq!(holds(GameEnd::Fivefold), [false, false, true]);
    }

    #[track_caller]
    fn check_refused(text: &str, expected: &str) {
        assert_eq!(text.parse::<GameEnd>().unwrap_err().to_string(), expected);
    }

    #[test]
    fn other_ends_are_refused() {
        let kinds = "a game ends in mate, mate:N (by a knight), stalemate, insufficient (material), threefold, \
                     fivefold (repetition), fifty-moves or seventy-five-moves";
        check_refused("resigned", &format!("{kinds}\n    resigned\n    ^^^^^^^^"));
        check_refused("", kinds);
        let pieces = "mate is given by a piece: mate:Q, mate:R, mate:B, mate:N or mate:P";
        check_refused("mate:K", &format!("{pieces}\n    mate:K\n         ^"));
        check_refused("mate:", &format!("{pieces}\n    mate:\n         ^"));
    }
}
