//! Opening books that are written from an index.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use pgn2fen_files::{EndingRules, OutputFile, agreed, folder_of};
use pgn2fen_games::messages::counted;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::selection::Plies;
use pgn2fen_index::books::{BookChoice, BookError, OpeningSuite, PolyglotBook, Weight, WrittenBook, WrittenSuite};
use pgn2fen_index::{Index, QueryWarning};
use pyo3::PyErr;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::{Bound, FromPyObject, PyAny, PyResult, Python};

use crate::errors::{of_index, unwritable, wrong};
use crate::options::{arguments, choose, parsed, players, turn};
use crate::question::{Messages, Signals};

/// The options of a book.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct BookArguments {
    tags: Vec<String>,
    names: Option<String>,
    player: Option<String>,
    plies: String,
    turn: Option<String>,
    min_games: u64,
    weight: Option<String>,
    min_score: Option<String>,
    balance: Option<String>,
    max: Option<u64>,
    threads: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Polyglot,
    Epd,
}

impl Kind {
    fn of_ending(ending: &str) -> Option<Self> {
        match ending {
            "bin" => Some(Self::Polyglot),
            "epd" => Some(Self::Epd),
            _ => None,
        }
    }

    fn rules(self) -> EndingRules {
        match self {
            Self::Polyglot => EndingRules { name: "polyglot", is_binary: true, is_compressed: false, may_be_bin: true },
            Self::Epd => EndingRules { name: "epd", is_binary: false, is_compressed: false, may_be_bin: false },
        }
    }
}

/// A book, before it is written.
enum Book {
    Polyglot(PolyglotBook),
    Suite(OpeningSuite),
}

/// The numbers of positions and of moves of a book, and messages about it. A suite has no moves.
pub(crate) type BookNumbers = (u64, Option<u64>, Vec<String>);

impl BookArguments {
    fn choice(&self) -> PyResult<BookChoice> {
        let choice = BookChoice {
            plies: parsed("plies", &self.plies)?,
            tags: self.tags.iter().map(|filter| parsed("tags", filter)).collect::<PyResult<_>>()?,
            players: players(self.names.as_deref())?,
            player: self.player.clone(),
            turn: turn(self.turn.as_deref())?,
            min_games: self.min_games,
        };
        match choice.check() {
            Err(BookError::PliesFromEnd) => {
                Err(wrong("plies: a book counts plies from the start of games; leave out negative numbers"))
            }
            checked => checked.map_err(wrong),
        }?;
        if self.max == Some(0) {
            return Err(wrong("max is 0, but must be 1 or more"));
        }
        Ok(choice)
    }

    fn book(&self, kind: Kind, path: &std::path::Path) -> PyResult<Book> {
        let choice = self.choice()?;
        let Self { weight, min_score, balance, max, .. } = self;
        let refused = match kind {
            Kind::Polyglot if balance.is_some() => {
                "balance chooses positions of an opening suite; min_score chooses moves of a Polyglot book"
            }
            Kind::Epd if weight.is_some() => {
                "weight is for moves of a Polyglot book; an opening suite has positions only"
            }
            Kind::Epd if min_score.is_some() => {
                "min_score chooses moves of a Polyglot book; balance chooses positions of an opening suite"
            }
            Kind::Polyglot => {
                let known = [("score", Weight::Score), ("games", Weight::Games), ("uniform", Weight::Uniform)];
                let weight = weight.as_deref().map_or(Ok(Weight::Score), |word| choose("weight", word, &known))?;
                let min_score = min_score.as_deref().map(|text| parsed("min_score", text)).transpose()?;
                return Ok(Book::Polyglot(PolyglotBook { choice, weight, min_score, max_moves: *max }));
            }
            Kind::Epd => {
                let balance = balance.as_deref().map(|text| parsed("balance", text)).transpose()?;
                let temporary_folder = folder_of(path).map(PathBuf::from);
                return Ok(Book::Suite(OpeningSuite { choice, balance, max_positions: *max, temporary_folder }));
            }
        };
        Err(wrong(refused))
    }

    /// Returns the options that leave out moves or positions.
    fn restrictions(&self) -> String {
        let others = [
            ("tags", !self.tags.is_empty()),
            ("player", self.player.is_some()),
            ("plies", self.plies != ".."),
            ("turn", self.turn.is_some()),
            ("min_score", self.min_score.is_some()),
            ("balance", self.balance.is_some()),
        ];
        let others = others.iter().filter(|(_, is_chosen)| *is_chosen).map(|(name, _)| (*name).to_owned());
        let all: Vec<String> = [format!("min_games={}", self.min_games)].into_iter().chain(others).collect();
        all.join(", ")
    }
}

/// Writes a book of an index to a file.
pub(crate) fn write_book(
    py: Python<'_>,
    index: &Index,
    path: PathBuf,
    format: Option<&str>,
    options: &Bound<'_, PyAny>,
) -> PyResult<BookNumbers> {
    let options: BookArguments = arguments(options)?;
    let known = [("polyglot", Kind::Polyglot), ("epd", Kind::Epd)];
    let kind = format.map(|word| choose("format", word, &known)).transpose()?;
    let (kind, compression) = agreed(&path, kind, Kind::of_ending, Kind::rules).map_err(wrong)?;
    let kind = kind.ok_or_else(|| {
        wrong("the ending of the name chooses no format; use .bin or .epd, or format='polyglot' or format='epd'")
    })?;
    let book = options.book(kind, &path)?;
    py.detach(|| {
        let workers = Workers::new(options.threads).map_err(|error| wrong(error.to_string()))?;
        let mut output = OutputFile::create(&path, compression).map_err(|error| unwritable(&error))?;
        let signals = Mutex::new(Signals::new());
        let progress = |_, _| match signals.lock().unwrap_or_else(PoisonError::into_inner).have_raised() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let mut troubles = Messages::default();
        let written = match &book {
            Book::Polyglot(book) => book
                .write(index, &workers, &mut output, &progress)
                .map(|WrittenBook { positions, moves, undecided, .. }| ((positions, Some(moves)), undecided, 0)),
            Book::Suite(suite) => {
                let mut report = |trouble: &QueryWarning| troubles.push(trouble.to_string());
                suite
                    .write(index, &workers, &mut output, &mut report, &progress)
                    .map(|WrittenSuite { positions, unread, .. }| ((positions, None), 0, unread))
            }
        };
        if let Some(raised) = signals.into_inner().unwrap_or_else(PoisonError::into_inner).raised {
            return Err(raised);
        }
        let ((positions, moves), undecided, unread) = written.map_err(|error| failed(&error, &output.name()))?;
        if unread > 0 {
            let reasons = troubles.end().join("\n");
            let name = output.name();
            let message = format!("{name} is not written because not all of its positions could be read\n{reasons}");
            return Err(PyOSError::new_err(message));
        }
        output.finish().map_err(|error| unwritable(&error))?;
        let restrictions = options.restrictions();
        let mut messages = Vec::new();
        let (wanted, stored) = (options.choice()?.plies, index.info().plies);
        if wanted != Plies::ALL && !wanted.is_within(stored) {
            messages.push(format!(
                "the index has only the plies {stored} of each game; build it again for the plies {wanted}"
            ));
        }
        if undecided > 0 {
            let moves = counted(undecided, "move");
            messages.push(format!(
                "{moves} left out at the last ply of the index, which does not tell whether a king castles there; \
                 leave out this ply by plies, or build an index with more plies"
            ));
        } else if moves == Some(0) {
            let is_scored = matches!(&book, Book::Polyglot(PolyglotBook { weight: Weight::Score, .. }));
            let why = "; moves without a win or a draw have no weight, unless with weight='games'";
            let why = if is_scored { why } else { "" };
            messages.push(format!("the book is empty; no move passes {restrictions}{why}"));
        } else if positions == 0 {
            messages.push(format!("the book is empty; no position passes {restrictions}"));
        }
        Ok((positions, moves, messages))
    })
}

/// Returns the exception for a book that was not written.
fn failed(error: &BookError, name: &str) -> PyErr {
    match error {
        BookError::Index(error) => of_index(error),
        BookError::Write(error) => std::io::Error::new(error.kind(), format!("cannot write {name}: {error}")).into(),
        error => wrong(error),
    }
}
