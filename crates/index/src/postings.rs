//! The data that an index stores for each position and for each game.

use crate::error::IndexError;
use crate::games_table::GamesLayout;
use crate::kept_tags::{KeptTags, TAGS};
use pgn2fen_chess::fen::{self, EpStyle, FenStyle};
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::rules::Rules;
use pgn2fen_chess::start::StartKind;
use pgn2fen_chess::zobrist;
use pgn2fen_games::pgn::encoding::Fallback;
use pgn2fen_games::pgn::movetext::Movetext;
use pgn2fen_games::pgn::tags::{RawValue, Tags};
use pgn2fen_games::pgn::token::Outcome;
use pgn2fen_games::players::Players;
use pgn2fen_games::selection::compared;
use pgn2fen_games::walk::BlockResult;
use pgn2fen_tables::Texts;

/// The games and postings of a part of a database.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct Postings {
    games: Vec<IndexedGame>,
    /// For each game the values of the tags that are kept, and the FEN of its starting position if that is not the
    /// initial one.
    texts: Texts,
    /// The number of texts of a game.
    texts_of_game: usize,
    postings: Vec<Posting>,
    line: u64,
    /// The number of the first game in the index.
    first: u64,
    /// The error that the work on the postings ended with.
    pub(super) failure: Option<IndexError>,
}

/// A position of a game.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posting {
    /// The key of the position: see [`key`].
    pub(crate) key: u64,
    /// The number of moves played before the position.
    pub(crate) ply: u32,
    /// The move played in the position; None at the end of the game.
    pub(crate) next: Option<Uci>,
}

/// The data of a game besides its texts.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct IndexedGame {
    /// The byte offset of the game in the file or its decoded text.
    pub offset: u64,
    /// The length of the game in bytes.
    pub length: u64,
    /// The line on which the game begins, counted from 0 within the part.
    pub line: u64,
    /// The rules of the game, and the kind of its starting position; None if they are unknown.
    pub start: Option<(Rules, StartKind)>,
    /// The side to move at the start.
    pub turn: Color,
    /// The number of moves that could be played.
    pub plies: u32,
    /// The result of the game.
    pub result: Outcome,
    /// The tags that the game has with an empty value. Of the others, those without a text are missing.
    pub(crate) empty: EmptyTags,
    /// The index behind its last posting.
    end: usize,
}

/// The tags that a game has with an empty value, of those that are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct EmptyTags(u64);

/// The position of the tag Result in [`TAGS`].
const RESULT: usize = 9;
const _: () = assert!(TAGS[RESULT].len() == 6);

impl EmptyTags {
    fn insert(&mut self, tag: usize) {
        self.0 |= 1 << tag;
    }

    /// Whether the game has this tag with an empty value.
    pub(crate) fn contains(self, tag: usize) -> bool {
        self.0 >> tag & 1 == 1
    }
}

const _: () = assert!(KeptTags::MOST <= u64::BITS as usize);

/// Returns the key of a position in an index. It is the Polyglot key, combined with a hash of [inner
/// rooks](zobrist::inner_rooks): the Polyglot key alone is equal for positions in which different rooks may castle to
/// the same side.
pub fn key(position: &Position) -> u64 {
    zobrist::key(position) ^ zobrist::inner_rooks(position)
}

/// The lengths of the lists, to which they can be cut back.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Mark {
    games: usize,
    postings: usize,
}

impl BlockResult for Postings {
    type Mark = Mark;

    fn mark(&self) -> Mark {
        Mark { games: self.games.len(), postings: self.postings.len() }
    }

    fn go_back_to(&mut self, mark: Mark) {
        self.games.truncate(mark.games);
        self.texts.truncate(mark.games * self.texts_of_game);
        self.postings.truncate(mark.postings);
    }

    fn weight(&self) -> usize {
        self.postings.len() * size_of::<Posting>() + self.games.len() * size_of::<IndexedGame>() + self.texts.weight()
    }

    fn retain(&mut self, _: &[bool]) {}
}

impl Postings {
    /// Returns the games in the order of the file, each with its postings in the order of its moves.
    pub fn games(&self) -> impl Iterator<Item = (&IndexedGame, &[Posting])> {
        let mut begin = 0;
        self.games.iter().map(move |game| {
            let postings = &self.postings[begin..game.end];
            begin = game.end;
            (game, postings)
        })
    }

    /// Sets the line of the file on which the part begins, counted from 0.
    pub fn begin_on(&mut self, line: u64) {
        self.line = line;
    }

    /// Returns the line of the file on which the part begins, counted from 0; 0 until it is set.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Sets the number of the first game in the index.
    pub(super) fn number_from(&mut self, first: u64) {
        self.first = first;
    }

    /// Returns the number of the first game in the index; 0 until it is set.
    pub(super) fn first_number(&self) -> u64 {
        self.first
    }

    /// Returns the number of games.
    pub(crate) fn game_count(&self) -> usize {
        self.games.len()
    }

    /// Returns the FEN of the starting position of the nth game, if that is not the initial one.
    pub fn fen(&self, nth: usize) -> Option<&str> {
        self.text(nth, self.texts_of_game.checked_sub(1)?)
    }

    /// Appends the values of the kept tags in the nth game to `texts`, and its FEN if it does not start from the
    /// initial position.
    pub(crate) fn append_texts(&self, nth: usize, texts: &mut Texts) {
        texts.extend_from(&self.texts, nth * self.texts_of_game..(nth + 1) * self.texts_of_game);
    }

    /// Returns the value of one of the kept tags in the nth game; None if it is missing or empty.
    pub fn tag(&self, nth: usize, tag: usize) -> Option<&str> {
        self.text(nth, tag)
    }

    fn text(&self, nth: usize, text: usize) -> Option<&str> {
        str::from_utf8(self.texts.get(nth * self.texts_of_game + text)?).ok()
    }

    /// Begins a game whose starting position is not known yet. Its tags that `layout` names are kept; of players under
    /// several names, the main name is.
    pub(crate) fn begin_game<'a>(
        &mut self,
        offset: u64,
        line: u64,
        (tags, movetext): (&Tags<'a>, &Movetext<'a>),
        fallback: &Fallback,
        (layout, players): (&GamesLayout, &Players),
    ) {
        let (mut empty, mut result) = (EmptyTags::default(), None);
        self.texts_of_game = layout.tags().len() + 1;
        layout.finder().find(tags, Some(movetext), |tag, value| {
            let bytes = value.map(RawValue::unescape).unwrap_or_default();
            let text = fallback.decode(&bytes);
            if value.is_some() && text.is_empty() {
                empty.insert(tag);
            }
            if tag == RESULT {
                result = Outcome::from_ascii(text.trim_ascii().as_bytes());
            }
            let main = players.name_in_tag(&layout.tag_names()[tag], &text, tags, fallback);
            self.texts.push(compared(main.unwrap_or(&text)).as_bytes());
        });
        self.texts.push(b"");
        let result = result.unwrap_or(Outcome::Unknown);
        let end = self.postings.len();
        let turn = Color::White;
        self.games.push(IndexedGame { offset, length: 0, line, start: None, turn, plies: 0, result, empty, end });
    }

    /// Sets the starting position of the game.
    pub(crate) fn begin_at(&mut self, start: &Position) {
        let kind = StartKind::of(start);
        if kind != StartKind::Standard {
            let style = FenStyle { ep: EpStyle::Legal, ..FenStyle::default() };
            self.texts.truncate(self.texts.len() - 1);
            self.texts.push(fen::to_string(start, style).as_bytes());
        }
        if let Some(game) = self.games.last_mut() {
            game.start = Some((start.rules(), kind));
            game.turn = start.turn();
        }
    }

    /// Adds a posting to the game.
    #[inline]
    pub(crate) fn push(&mut self, posting: Posting) {
        self.postings.push(posting);
    }

    /// Sets the number of moves that could be played, and the result.
    pub(crate) fn end_moves(&mut self, plies: u32, result: Outcome) {
        if let Some(game) = self.games.last_mut() {
            game.plies = plies;
            game.result = result;
        }
    }

    /// Ends the game at this byte offset.
    pub(crate) fn end_game(&mut self, end: u64) {
        if let Some(game) = self.games.last_mut() {
            game.length = end - game.offset;
            game.end = self.postings.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{EmptyTags, IndexedGame, Postings};
    use pgn2fen_chess::piece::Color;
    use pgn2fen_games::pgn::token::Outcome;
    use pgn2fen_games::walk::BlockResult;

    #[test]
    fn a_game_that_is_left_out_leaves_no_text() {
        let mut postings = Postings { texts_of_game: 4, ..Postings::default() };
        let add = |name: &str, postings: &mut Postings| {
            (0..4).for_each(|at| postings.texts.push(format!("{name}{at}").as_bytes()));
            postings.games.push(IndexedGame {
                offset: 0,
                length: 0,
                line: 0,
                start: None,
                turn: Color::White,
                plies: 0,
                result: Outcome::Unknown,
                empty: EmptyTags::default(),
                end: 0,
            });
        };
        add("a", &mut postings);
        add("b", &mut postings);
        let mark = postings.mark();
        add("c", &mut postings);
        postings.go_back_to(mark);
        add("d", &mut postings);
        assert_eq!(postings.game_count(), 3);
        assert_eq!([0, 1, 2].map(|game| postings.tag(game, 2)), [Some("a2"), Some("b2"), Some("d2")]);
        assert_eq!([0, 1, 2].map(|game| postings.fen(game)), [Some("a3"), Some("b3"), Some("d3")]);
    }
}
