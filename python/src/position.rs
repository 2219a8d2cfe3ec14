//! Positions and the rules of chess.

use std::hash::{Hash, Hasher};

use pgn2fen_board::Board;
use pgn2fen_chess::castling::CastlingRules;
use pgn2fen_chess::fen::{self, CastlingStyle, EpStyle, FenStyle};
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::openings::opening;
use pgn2fen_chess::piece::{Color, Piece};
use pgn2fen_chess::rules::Rules as Game;
use pgn2fen_chess::san::{self, Letters};
use pgn2fen_chess::square::Square;
use pgn2fen_chess::{Move, Position as Rules, zobrist};
use pgn2fen_games::typed::read_position_by;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::{Bound, PyAnyMethods, PyDictMethods, PyResult, Python, pyclass, pymethods};
use pyo3::types::{PyDict, PyTuple};

use crate::errors::wrong;
use crate::options::{letters, style_of};

/// A chess position: standard, Chess960, or of a variant. It does not change: `play` returns another one.
///
///     >>> position = pgn2fen.Position("1. e4 c5")
///     >>> position.play("Nf3").fen()
///     'rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2'
///
/// Positions are equal if their rules and all fields of their FENs are. They can be hashed and pickled.
///
/// Reads a position: a FEN or EPD (also X-FEN and Shredder-FEN), `startpos`, or moves such as `1. e4 c5 2. Nf3`.
///
/// Without a text it is the initial position. `lang` is the language of the piece letters in moves. `variant` is the
/// name of the game, as in the column `variant`, such as `crazyhouse` or `chess960`. Without it, the form of a FEN
/// tells crazyhouse (`RNBQKBNR[QNp]`) and three-check (`3+3`), and every other text is chess. Raises `ValueError`
/// with the place of what is wrong.
#[pyclass(frozen, eq, hash, module = "pgn2fen")]
#[derive(Clone, Debug)]
pub(crate) struct Position(pub(crate) Rules, CastlingRules);

/// A position of which nothing else is known.
impl From<Rules> for Position {
    fn from(position: Rules) -> Self {
        let castling = position.castling_rules();
        Self(position, castling)
    }
}

/// The rules by which a position writes castling do not matter.
impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl Position {
    /// Returns the position of a game that castles by these rules.
    pub(crate) fn of_game(position: &Rules, castling: CastlingRules) -> Self {
        Self(position.clone(), castling)
    }

    /// Returns the rules by which moves are written.
    pub(crate) fn castling_rules(&self) -> CastlingRules {
        self.1
    }

    /// Returns the side to move, as the column `turn` has it.
    pub(crate) fn turn_of(position: &Rules) -> &'static str {
        match position.turn() {
            Color::White => "w",
            Color::Black => "b",
        }
    }
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (text=None, *, lang="en", variant=None))]
    fn new(text: Option<&str>, lang: &str, variant: Option<&str>) -> PyResult<Self> {
        let (rules, castling) = game(variant)?.unzip();
        let letters = letters(lang)?;
        let typed = read_position_by(text.unwrap_or("startpos"), &letters, rules).map_err(wrong)?;
        let castling = castling.filter(|rules| *rules == CastlingRules::Chess960).unwrap_or(typed.castling_rules);
        Ok(Self(typed.position, castling))
    }

    /// The name of the game, as in the column `variant`: `standard`, `chess960`, `crazyhouse`, `threeCheck`, ….
    #[getter]
    fn variant(&self) -> &'static str {
        self.0.rules().game_name(self.1)
    }

    /// The men in hand, as in the column `hand`: White's in capital letters, then Black's: `QNPp`. Empty if there are
    /// none.
    #[getter]
    fn hand(&self) -> String {
        let mut letters = Vec::new();
        self.0.hands().append(&mut letters);
        letters.into_iter().map(char::from).collect()
    }

    /// The numbers of checks that White and Black still have to give to win, in three-check. None in other games.
    #[getter]
    fn remaining_checks(&self) -> Option<(u8, u8)> {
        self.0.remaining_checks(Color::White).zip(self.0.remaining_checks(Color::Black))
    }

    /// The end of the game in words if this position is its end by the rules, such as `checkmate` or `white has given
    /// the last check`. None if the game goes on. Draws by repetition, by number of moves or by material are not told.
    #[getter]
    fn end(&self) -> Option<String> {
        self.0.end().map(|end| end.to_string())
    }

    /// The result if this position ends the game: `1-0`, `0-1` or `1/2-1/2`. None if the game goes on.
    #[getter]
    fn result(&self) -> Option<&'static str> {
        self.0.end().map(|end| end.result())
    }

    /// Returns the FEN. The options are those of `scan`.
    #[pyo3(signature = (*, ep="always", castling="xfen", fields=6, fen_style="usual"))]
    #[pyo3(name = "fen")]
    fn write_fen(&self, ep: &str, castling: &str, fields: i64, fen_style: &str) -> PyResult<String> {
        let style = style_of(ep, castling, fields, fen_style)?;
        Ok(fen::to_string(&self.0, style))
    }

    /// The Polyglot key as a signed 64-bit integer, as in the column `key`. `key % 2**64` is the unsigned number.
    #[getter]
    fn key(&self) -> i64 {
        zobrist::key(&self.0).cast_signed()
    }

    /// The ECO code and the name of the opening whose position this is, as in the columns `eco` and `opening`. None if
    /// it has no name.
    #[getter]
    fn opening(&self) -> Option<(&'static str, &'static str)> {
        opening(&self.0).map(|opening| (opening.eco, opening.name))
    }

    /// The side to move.
    #[getter]
    fn turn(&self) -> &'static str {
        Self::turn_of(&self.0)
    }

    /// The number of the next move of White, from 1; that of Black has the same number.
    #[getter]
    fn fullmove_number(&self) -> u32 {
        self.0.fullmoves()
    }

    /// The number of plies since the last capture or pawn move.
    #[getter]
    fn halfmove_clock(&self) -> u32 {
        self.0.halfmoves()
    }

    /// The number of pieces on the board, kings and pawns included.
    #[getter]
    fn pieces(&self) -> u32 {
        self.0.board().occupied().count()
    }

    /// Returns the letter of the piece on a square such as `e4`: `P` or `p`, in upper case for White. None if the
    /// square is empty.
    ///
    /// Raises `ValueError` if there is no such square.
    fn piece_at(&self, square: &str) -> PyResult<Option<char>> {
        match Square::from_ascii(square.as_bytes()) {
            Some(square) => Ok(self.0.board().piece_at(square).map(Piece::char)),
            None => Err(PyValueError::new_err(format!("'{square}' is not a square, such as e4"))),
        }
    }

    /// Whether the side to move is in check.
    #[getter]
    fn is_check(&self) -> bool {
        self.0.is_check()
    }

    /// Whether the side to move is in check and has no legal move.
    #[getter]
    fn is_checkmate(&self) -> bool {
        self.0.is_checkmate()
    }

    /// Whether the side to move is not in check and has no legal move, and the game has not ended by the rules of a
    /// variant.
    #[getter]
    fn is_stalemate(&self) -> bool {
        self.0.is_stalemate()
    }

    /// The legal moves in the notation of UCI engines, such as `e2e4`, `e7e8q` and `N@f3`.
    ///
    /// Castling is the move of the king, such as `e1g1`; in a game of Chess960 it is the king capturing its own rook.
    /// The position of a game knows which game it is from, and so does one that was played from another. Of any other
    /// position, its castling rights decide.
    #[getter]
    fn legal_moves(&self) -> Vec<String> {
        self.0.legal_moves().iter().map(|m| m.to_uci(self.1)).collect()
    }

    /// Returns the position after these moves, which are written as SAN or in the notation of UCI engines.
    ///
    /// Raises `ValueError` if a move is not legal.
    #[pyo3(signature = (*moves, lang="en"))]
    fn play(&self, moves: &Bound<'_, PyTuple>, lang: &str) -> PyResult<Self> {
        let letters = letters(lang)?;
        let mut position = self.0.clone();
        for m in moves {
            let found = find(&position, m.extract()?, &letters)?;
            position.play_unchecked(found);
        }
        Ok(Self(position, self.1))
    }

    /// Returns a legal move as SAN, such as `Nf3+`. Raises `ValueError` if it is not legal.
    #[pyo3(signature = (r#move, *, lang="en"))]
    fn san(&self, r#move: &str, lang: &str) -> PyResult<String> {
        Ok(find(&self.0, r#move, &letters(lang)?)?.to_san(&self.0))
    }

    /// Returns a legal move in the notation of UCI engines, as `legal_moves` has it. Raises `ValueError` if it is not
    /// legal.
    #[pyo3(signature = (r#move, *, lang="en"))]
    fn uci(&self, r#move: &str, lang: &str) -> PyResult<String> {
        Ok(find(&self.0, r#move, &letters(lang)?)?.to_uci(self.1))
    }

    /// Whether the positions are the same by the rule of repetition: the move counters are not compared.
    fn is_same(&self, other: &Self) -> bool {
        self.0.is_same_position(&other.0)
    }

    fn __str__(&self) -> String {
        fen::to_string(&self.0, FenStyle::default())
    }

    fn __repr__(&self) -> String {
        match self.0.rules() {
            Game::Chess => format!("Position('{}')", self.__str__()),
            rules => format!("Position('{}', variant='{}')", self.__str__(), rules.name()),
        }
    }

    /// Returns the board as SVG, which a notebook shows.
    fn _repr_svg_(&self) -> String {
        Board::of(&self.0).to_svg()
    }

    /// Returns the arguments of the constructor, for `pickle` and `copy`.
    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((String,), Bound<'py, PyDict>)> {
        // Shredder-FEN loses nothing, whatever the castling rights are.
        let style = FenStyle { ep: EpStyle::Always, castling: CastlingStyle::Shredder, ..FenStyle::default() };
        let named = PyDict::new(py);
        named.set_item("variant", self.variant())?;
        Ok(((fen::to_string(&self.0, style),), named))
    }
}

/// Returns the game with a name.
pub(crate) fn game(variant: Option<&str>) -> PyResult<Option<(Game, CastlingRules)>> {
    let named = |name: &str| {
        Game::game_named(name)
            .ok_or_else(|| wrong(format!("variant is '{name}', but must be one of {}", Game::game_names())))
    };
    variant.map(named).transpose()
}

/// Finds a legal move, which is written in the notation of UCI or as SAN.
fn find(position: &Rules, text: &str, letters: &Letters) -> PyResult<Move> {
    if let Some(m) = Uci::from_ascii(text.as_bytes()).and_then(|uci| uci.find(position)) {
        return Ok(m);
    }
    match san::resolve(text.as_bytes(), position, letters) {
        Ok(resolved) => Ok(resolved.mv),
        Err(error) => Err(PyValueError::new_err(format!("{text}: {error} (in {position})"))),
    }
}
