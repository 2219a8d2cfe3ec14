//! What an index keeps of each position, and of each game.

use crate::chess::piece::Color;
use crate::chess::position::Position;
use crate::chess::start::StartKind;
use crate::chess::zobrist;
use crate::fen::{self, EpStyle, FenStyle};
use crate::notation::uci::Uci;
use crate::pgn::encoding::Fallback;
use crate::pgn::tags::Tags;
use crate::pgn::token::Outcome;
use crate::tables::{Texts, beginning};
use crate::walk::Made;

/// The games and postings of a stretch of a database.
#[derive(Debug, Default)]
pub(crate) struct Postings {
    games: Vec<IndexedGame>,
    /// Of each game the values of [`TAGS`], and the FEN it starts from, if that is not the initial position.
    texts: Texts,
    postings: Vec<Posting>,
    line: u64,
}

/// The tags that are kept of a game.
pub const TAGS: [&str; 9] = ["Event", "Site", "Date", "Round", "White", "Black", "WhiteElo", "BlackElo", "ECO"];

/// A position of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Posting {
    /// The key of the position: see [`key`].
    pub(crate) key: u64,
    /// How many moves were played to reach it.
    pub(crate) ply: u32,
    /// The move that was played there; None at the end.
    pub(crate) next: Option<Uci>,
}

/// What is said of a game besides its texts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IndexedGame {
    /// Where it begins, in bytes from the start of the file or its text.
    pub(crate) offset: u64,
    /// How many bytes it has.
    pub(crate) length: u64,
    /// The line on which it begins, counted from 0 within the stretch.
    pub(crate) line: u64,
    /// Where it starts; None if that could not be told.
    pub(crate) start: Option<StartKind>,
    /// Who is to move at the start.
    pub(crate) turn: Color,
    /// How many moves could be played.
    pub(crate) plies: u32,
    /// How it ended.
    pub(crate) result: Outcome,
    /// Where its postings end.
    end: usize,
}

/// The key of a position in an index: its Polyglot key, and, since that is the same for different rooks that may castle to one
/// side, what tells [inner rooks](zobrist::inner_rooks) apart.
pub fn key(position: &Position) -> u64 {
    zobrist::key(position) ^ zobrist::inner_rooks(position)
}

/// A length to go back to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mark {
    games: usize,
    postings: usize,
}

impl Made for Postings {
    type Mark = Mark;

    fn mark(&self) -> Mark {
        Mark { games: self.games.len(), postings: self.postings.len() }
    }

    fn go_back_to(&mut self, mark: Mark) {
        self.games.truncate(mark.games);
        self.texts.truncate(mark.games * Self::TEXTS);
        self.postings.truncate(mark.postings);
    }

    fn weight(&self) -> usize {
        self.postings.len() * size_of::<Posting>() + self.games.len() * size_of::<IndexedGame>() + self.texts.weight()
    }

    fn retain(&mut self, _: &[bool]) {}
}

impl Postings {
    /// How many texts a game has.
    const TEXTS: usize = TAGS.len() + 1;

    /// The games in the order of the file, each with its postings in the order of its moves.
    pub(crate) fn games(&self) -> impl Iterator<Item = (&IndexedGame, &[Posting])> {
        let mut begin = 0;
        self.games.iter().map(move |game| {
            let postings = &self.postings[begin..game.end];
            begin = game.end;
            (game, postings)
        })
    }

    /// Sets on which line of the file the stretch begins, counted from 0.
    pub(crate) fn begin_on(&mut self, line: u64) {
        self.line = line;
    }

    /// The line of the file on which the stretch begins, counted from 0, if it has been said.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }

    /// How many games there are.
    pub(crate) fn game_count(&self) -> usize {
        self.games.len()
    }

    /// The FEN that the nth game starts from, if that is not the initial position.
    pub(crate) fn fen(&self, nth: usize) -> Option<&str> {
        self.text(nth, TAGS.len())
    }

    /// The value of one of the [`TAGS`] in the nth game; None if it is missing or empty.
    pub(crate) fn tag(&self, nth: usize, tag: usize) -> Option<&str> {
        self.text(nth, tag)
    }

    fn text(&self, nth: usize, text: usize) -> Option<&str> {
        str::from_utf8(self.texts.get(nth * Self::TEXTS + text)?).ok()
    }

    /// Begins a game whose start is not known yet.
    pub(crate) fn begin_game(&mut self, offset: u64, line: u64, tags: &Tags<'_>, fallback: &Fallback) {
        for name in TAGS {
            let value = tags.value(name).unwrap_or_default().unescape();
            self.texts.push(beginning(&fallback.decode(&value), MOST_TEXT).as_bytes());
        }
        self.texts.push(b"");
        let result = tags.value("Result").and_then(|value| Outcome::from_ascii(value.0)).unwrap_or(Outcome::Unknown);
        let end = self.postings.len();
        let turn = Color::White;
        self.games.push(IndexedGame { offset, length: 0, line, start: None, turn, plies: 0, result, end });
    }

    /// Says where the game starts.
    pub(crate) fn begin_at(&mut self, start: &Position) {
        let kind = StartKind::of(start);
        if kind != StartKind::Standard {
            let style = FenStyle { ep: EpStyle::Legal, ..FenStyle::default() };
            self.texts.truncate(self.texts.len() - 1);
            self.texts.push(fen::to_string(start, style).as_bytes());
        }
        if let Some(game) = self.games.last_mut() {
            game.start = Some(kind);
            game.turn = start.turn();
        }
    }

    /// Adds a posting of the game.
    #[inline]
    pub(crate) fn push(&mut self, posting: Posting) {
        self.postings.push(posting);
    }

    /// Says how many moves could be played, and how the game ended.
    pub(crate) fn end_moves(&mut self, plies: u32, result: Outcome) {
        if let Some(game) = self.games.last_mut() {
            game.plies = plies;
            game.result = result;
        }
    }

    /// Ends the game with its last byte.
    pub(crate) fn end_game(&mut self, end: u64) {
        if let Some(game) = self.games.last_mut() {
            game.length = end - game.offset;
            game.end = self.postings.len();
        }
    }
}

/// Of a longer tag value only so much is kept.
const MOST_TEXT: usize = 4096;
