//! Questions to an index: positions, and which games are meant.

use std::time::Instant;

use pgn2fen_chess::castling::CastlingRules;
use pgn2fen_chess::rules::Rules as GameRules;
use pgn2fen_chess::{Move, Position as Rules};
use pgn2fen_games::messages::plain;
use pgn2fen_games::selection::{ShapeFilter, TagFilter};
use pgn2fen_games::typed::{TypedPosition, read_position_of};
use pgn2fen_index::{HitOrder, Index, Query, QueryWarning};
use pyo3::PyErr;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::{Bound, FromPyObject, PyAny, PyAnyMethods, PyResult, PyTypeMethods, Python};

use crate::errors::wrong;
use crate::options::{arguments, choose, index_filters, letters, rules, shape};
use crate::position::Position;
use crate::watch::PATIENCE;

/// The most messages of an answer that are kept one by one.
const MOST_MESSAGES: usize = 1000;

/// A question: positions, and which games and how many rows of an answer are wanted.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Question<'py> {
    /// None for all games of the index.
    positions: Option<Vec<Bound<'py, PyAny>>>,
    has_several: bool,
    variant: String,
    lang: String,
    tags: Vec<String>,
    names: Option<String>,
    sort: Option<String>,
    verify: bool,
    max: Option<u64>,
}

/// A question whose arguments have been read.
pub(crate) struct Asked {
    /// The positions, or only None for all games of the index.
    pub(crate) subjects: Vec<Option<Line>>,
    pub(crate) has_several: bool,
    rules: GameRules,
    tags: Vec<TagFilter>,
    shape: ShapeFilter,
    /// None for the order of the games.
    pub(crate) order: Option<HitOrder>,
    verify: bool,
    pub(crate) max: u64,
    /// Messages about the question: repairs of positions.
    pub(crate) messages: Messages,
}

/// A position, and the moves that led to it as far as they are known.
pub(crate) struct Line {
    pub(crate) position: Rules,
    pub(crate) start: Rules,
    pub(crate) moves: Vec<Move>,
    /// The rules by which castling is written in answers.
    pub(crate) castling: CastlingRules,
}

/// Messages about an answer.
#[derive(Default)]
pub(crate) struct Messages {
    list: Vec<String>,
    /// The number of messages that are not in the list.
    hidden: u64,
}

impl Messages {
    pub(crate) fn push(&mut self, message: String) {
        if self.list.len() < MOST_MESSAGES {
            self.list.push(message);
        } else {
            self.hidden += 1;
        }
    }

    /// Adds the messages of another list.
    pub(crate) fn append(&mut self, others: Self) {
        others.list.into_iter().for_each(|message| self.push(message));
        self.hidden += others.hidden;
    }

    pub(crate) fn end(mut self) -> Vec<String> {
        if self.hidden > 0 {
            self.list.push(format!("… and {} more", self.hidden));
        }
        self.list
    }
}

/// Returns a position that is given as an object or as text. `place` begins the message for anything else.
pub(crate) fn typed_or_position(given: &Bound<'_, PyAny>, place: &str) -> PyResult<Result<Position, String>> {
    if let Ok(position) = given.cast::<Position>() {
        return Ok(Ok(position.get().clone()));
    }
    let text = given.extract().map_err(|_| {
        let found = given.get_type().name().map_or_else(|_| String::new(), |name| format!(", not {name}"));
        PyTypeError::new_err(format!("{place}a position must be a str or a pgn2fen.Position{found}"))
    })?;
    Ok(Err(text))
}

impl Asked {
    pub(crate) fn new(index: &Index, question: &Bound<'_, PyAny>) -> PyResult<Self> {
        let Question { positions: given, has_several, variant, lang, tags, names, sort, verify, max } =
            arguments(question)?;
        let (rules, letters) = (rules(&variant)?, letters(&lang)?);
        let tags = index_filters(&tags, None, names.as_deref())?;
        index.columns_of_filters(&tags).map_err(wrong)?;
        let shape = self::shape(question)?;
        let orders = [("rating", HitOrder::Rating), ("date", HitOrder::Date)];
        let order = sort.map(|word| choose("sort", &word, &orders)).transpose()?;
        let mut messages = Messages::default();
        let mut subjects = Vec::new();
        if given.is_none() {
            if shape.is_empty() {
                return Err(wrong("give a position, or a shape: material, pattern or pawns"));
            }
            if order.is_some() {
                return Err(wrong("sort orders the hits of a position; give a position, or leave out sort"));
            }
            subjects.push(None);
        }
        for (at, given) in given.iter().flatten().enumerate() {
            let place = if has_several { format!("position {at}: ") } else { String::new() };
            let text = match typed_or_position(given, &place)? {
                Ok(position) => {
                    let (castling, position) = (position.castling_rules(), position.0);
                    subjects.push(Some(Line { start: position.clone(), position, moves: Vec::new(), castling }));
                    continue;
                }
                Err(text) => text,
            };
            let typed =
                read_position_of(&text, &letters, rules).map_err(|mistake| wrong(format!("{place}{mistake}")))?;
            if let Some(repair) = typed.repair {
                messages.push(format!("{place}{}: {repair}", plain(&text)));
            }
            let TypedPosition { position, start, moves, castling_rules: castling, .. } = typed;
            subjects.push(Some(Line { position, start, moves, castling }));
        }
        Ok(Self { subjects, has_several, rules, tags, shape, order, verify, max: max.unwrap_or(u64::MAX), messages })
    }

    /// Returns the query for these games. `report` is called for each file and each game that is left out.
    pub(crate) fn query<'i>(&self, index: &'i Index, report: impl FnMut(&QueryWarning) + 'i) -> PyResult<Query<'i>> {
        let query = index.query(report).rules(self.rules).tags(self.tags.clone()).map_err(wrong)?;
        Ok(query.shape(self.shape.clone()).verify(self.verify).max(self.max))
    }
}

/// Looks at the signals of the process from time to time, while the thread works without the global interpreter lock.
pub(crate) struct Signals {
    next: Instant,
    pub(crate) raised: Option<PyErr>,
}

impl Signals {
    pub(crate) fn new() -> Self {
        Self { next: Instant::now() + PATIENCE, raised: None }
    }

    /// Whether a signal handler has raised an exception.
    pub(crate) fn have_raised(&mut self) -> bool {
        if self.raised.is_none() && Instant::now() >= self.next {
            self.raised = Python::try_attach(|py| py.check_signals().err()).flatten();
            self.next = Instant::now() + PATIENCE;
        }
        self.raised.is_some()
    }
}
