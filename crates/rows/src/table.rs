//! The rows of one block of a database, column by column.

pub(crate) mod buffer;
pub(crate) mod collect;
pub(crate) mod draft;
pub(crate) mod drafted;
pub(crate) mod group;
pub(crate) mod short_text;
pub(crate) mod value;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use crate::columns::column::Column;
use crate::columns::column::buffers::Buffers;
use crate::columns::course::Courses;
use crate::columns::operations;
use crate::columns::packed::{NO_MOVE, PackedPosition};
use crate::columns::{Cell, Columns};
use crate::table::buffer::{Buffer, Evaluation, Removable, signed};
use crate::table::drafted::Drafted;
use crate::table::value::{Pairs, Value};
use pgn2fen_chess::openings::Tracker;
use pgn2fen_chess::piece::Color;
use pgn2fen_games::pgn::date::Date;
use pgn2fen_games::pgn::encoding::Fallback;
use pgn2fen_games::pgn::tag_kind::TagKind;
use pgn2fen_games::pgn::tags::Tags;
use pgn2fen_games::pgn::token::Outcome;
use pgn2fen_games::walk::OpenGame;
use pgn2fen_tables::{ColumnType, Texts, beginning};

/// A table of rows. The expensive columns are filled only if they are wanted.
///
/// Values that all rows of a game share are stored once for each game. Numbers of games and lines count from the start
/// of the block until [`place`](Self::place) sets where the block begins.
#[derive(Debug, Default)]
pub(crate) struct Table {
    games: Vec<Game>,
    /// The tags that are columns, game by game.
    tags: Texts,
    /// The names and values of all tags, game by game.
    pairs: Texts,
    /// The EPD operations of each game, if that column is wanted.
    operations: Texts,
    rows: Vec<Row>,
    /// The ply of each row, as formats with types have it.
    plies: Vec<i32>,
    /// The values of other columns that each row has for itself.
    buffers: Buffers,
    /// The parts of lines that were written at once, run by run. Their columns are not filled.
    drafts: Vec<Drafted>,
    /// The moves, evaluations and clocks of each row, if a row is a whole game.
    pub(crate) courses: Courses,
    /// The indices of the rows that are left, if some have been removed.
    kept: Option<Vec<u32>>,
    place: RowPlace,
}

/// The values that all rows of a game share.
#[derive(Clone, Copy, Debug)]
struct Game {
    /// Counted from 1 within the block.
    number: u64,
    offset: u64,
    /// Counted from 0 within the block.
    line: u64,
    result: Outcome,
    /// The number of plies of the main line.
    plies: u32,
    /// The index of the first row.
    first: usize,
    /// The number of names and values of tags up to those of the game.
    pairs: usize,
    /// The number of bytes that the game's tags take in each row.
    weight: usize,
    /// The number of the part of the output to which the game belongs.
    part: u16,
}

#[derive(Clone, Copy, Debug)]
struct Row {
    game: u32,
    turn: Color,
}

/// The place of a block in its file.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowPlace {
    pub(crate) file: Option<Arc<str>>,
    /// The number of games before the block.
    pub(crate) games: u64,
    /// The number of games in the run before the block.
    pub(crate) ids: u64,
    /// The number of lines before the block.
    pub(crate) lines: u64,
}

/// The length of a table at some time, to which it can be truncated.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mark {
    games: usize,
    rows: usize,
}

impl Value<'_> {
    /// Converts the value for formats with types: the text of a tag becomes a date or a number, or a missing value if
    /// that is unknown.
    fn typed(self, column: &Column) -> Self {
        let (Self::Text(_), Column::Tag(name)) = (self, column) else {
            return self;
        };
        let kind = TagKind::of(name);
        let text = || self.text().unwrap_or_default();
        match ColumnType::of_tag(kind) {
            ColumnType::Date => {
                Date::read(text()).filter(|date| date.day().is_some()).map_or(Self::Missing, Self::Date)
            }
            ColumnType::Int => kind.number(text()).map_or(Self::Missing, |number| Self::Number(number.into())),
            _ => self,
        }
    }
}

/// The greatest length of a tag value, in bytes. Longer values are cut to this length, because each row of the game
/// repeats them.
const MOST_TEXT: usize = 4096;

/// The greatest number of tags in the column `tags`, and the greatest length of their names, in bytes (PGN standard
/// §7).
const MOST_TAGS: usize = 256;
const MOST_NAME: usize = 255;

/// The most rows whose memory is kept when a table is cleared. A usual block has fewer.
const MOST_KEPT: usize = 64 * 1024;

impl Table {
    pub(crate) fn clear(&mut self) {
        if self.rows.capacity() > MOST_KEPT {
            *self = Self::default();
        }
        self.truncate(Mark::default());
        self.place = RowPlace::default();
    }

    /// Begins a game, to which the following rows belong.
    pub(crate) fn begin_game(&mut self, number: u64, offset: u64, line: u64) {
        let (first, pairs) = (self.rows.len(), self.pairs.len());
        self.games.push(Game {
            number,
            offset,
            line,
            result: Outcome::Unknown,
            plies: 0,
            first,
            pairs,
            weight: 0,
            part: 0,
        });
    }

    /// Begins a game, with the values of its line and its tags that are columns.
    pub(crate) fn begin(&mut self, columns: &Columns, game: &mut OpenGame<'_, '_>) {
        let line = if columns.has().has(&Column::Line) { game.count_line() } else { 0 };
        self.begin_game(game.number, game.offset(), line);
        self.push_tags(columns, game.tags, game.encoding);
        if columns.has().has(&Column::Tags) {
            self.push_pairs(game.tags, game.encoding);
        }
        if columns.has().has(&Column::Operations) {
            self.push_operations(game.tags, game.encoding);
        }
    }

    /// Adds the EPD operations on the line of a list to the game. Of several operations with one opcode, the last
    /// counts.
    fn push_operations(&mut self, tags: &Tags<'_>, fallback: &Fallback) {
        let texts = operations::texts(tags, fallback);
        self.operations.push(texts.as_bytes());
        if let Some(game) = self.games.last_mut() {
            game.weight += texts.len();
        }
    }

    /// Adds all tags to the game. Of several tags with one name, the last counts.
    fn push_pairs(&mut self, tags: &Tags<'_>, fallback: &Fallback) {
        let mut names: Vec<Cow<'_, str>> = Vec::new();
        for tag in tags.iter().filter(|tag| tag.name.len() <= MOST_NAME) {
            let name = String::from_utf8_lossy(tag.name);
            if names.len() < MOST_TAGS && !names.contains(&name) {
                names.push(name);
            }
        }
        for name in &names {
            let value = tags.value(name).unwrap_or_default().unescape();
            let value = fallback.decode(&value);
            self.pairs.push(name.as_bytes());
            self.pairs.push(beginning(&value, MOST_TEXT).as_bytes());
            if let Some(game) = self.games.last_mut() {
                game.weight += name.len() + value.len().min(MOST_TEXT);
                game.pairs = self.pairs.len();
            }
        }
    }

    /// Returns the indices of the names and values of the tags of a game.
    fn pairs_of(&self, game: usize) -> Range<usize> {
        let before = game.checked_sub(1).map_or(0, |before| self.games[before].pairs);
        before..self.games[game].pairs
    }

    /// Adds the values of the tags that are columns to the game.
    pub(crate) fn push_tags(&mut self, columns: &Columns, tags: &Tags<'_>, fallback: &Fallback) {
        for name in columns.tags() {
            let value = tags.value(name).unwrap_or_default().unescape();
            let value = fallback.decode(&value);
            let value = beginning(&value, MOST_TEXT);
            self.tags.push(value.as_bytes());
            if let Some(game) = self.games.last_mut() {
                game.weight += value.len();
            }
        }
    }

    /// Sets the result and the number of plies of the last game.
    pub(crate) fn end_game(&mut self, result: Outcome, plies: u32) {
        if let Some(game) = self.games.last_mut() {
            game.result = result;
            game.plies = plies;
        }
    }

    /// Sets the part of the output to which the last game belongs.
    pub(crate) fn set_part(&mut self, part: u16) {
        if let Some(game) = self.games.last_mut() {
            game.part = part;
        }
    }

    /// Ends the moves, evaluations and clocks of the last game, whose only row has been begun.
    pub(crate) fn end_course(&mut self) {
        let weight = self.courses.end_game();
        if let Some(game) = self.games.last_mut() {
            game.weight += weight;
        }
    }

    /// Begins a row of the last game. The caller then has to push one value to each expensive column that is wanted.
    #[inline]
    pub(crate) fn begin_row(&mut self, ply: u32, turn: Color) {
        // A table with more games would fill the memory first.
        let game = u32::try_from(self.games.len().saturating_sub(1)).unwrap_or(u32::MAX);
        self.rows.push(Row { game, turn });
        self.plies.push(i32::try_from(ply).unwrap_or(i32::MAX));
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark { games: self.games.len(), rows: self.rows.len() }
    }

    /// Removes everything after a mark.
    pub(crate) fn truncate(&mut self, mark: Mark) {
        let Mark { games, rows } = mark;
        let tags = if self.games.is_empty() { 0 } else { self.tags.len() / self.games.len() };
        self.games.truncate(games);
        self.tags.truncate(games * tags);
        self.pairs.truncate(self.games.last().map_or(0, |game| game.pairs));
        self.operations.truncate(games);
        self.rows.truncate(rows);
        self.plies.truncate(rows);
        self.courses.truncate(rows);
        self.values_mut().for_each(|values| values.truncate(rows));
        self.kept = None;
    }

    /// Returns the values that each row has for itself, column by column.
    fn values_mut(&mut self) -> impl Iterator<Item = &mut dyn Removable> {
        let drafts = self.drafts.iter_mut().map(|drafted| -> &mut dyn Removable { drafted });
        drafts.chain(self.buffers.0.iter_mut().filter_map(Buffer::values_mut))
    }

    /// Returns the place for the values of a column.
    #[inline]
    pub(crate) fn buffer_mut(&mut self, column: &Column) -> &mut Buffer {
        &mut self.buffers.0[column.number()]
    }

    /// Returns the place for the values of each column, by their numbers.
    #[inline]
    pub(crate) fn buffers_mut(&mut self) -> &mut Buffers {
        &mut self.buffers
    }

    /// Adds the opening of a row to its columns.
    pub(crate) fn push_opening(&mut self, tracker: Tracker) {
        let opening = tracker.opening();
        self.buffer_mut(&Column::Eco).names().push(opening.map(|opening| opening.eco));
        self.buffer_mut(&Column::Opening).names().push(opening.map(|opening| opening.name));
    }

    fn buffer(&self, column: &Column) -> &Buffer {
        &self.buffers.0[column.number()]
    }

    /// Returns the drafts of lines that consist of this number of runs.
    #[inline]
    pub(crate) fn drafts_mut(&mut self, runs: usize) -> &mut [Drafted] {
        if self.drafts.len() != runs {
            self.drafts.resize_with(runs, Drafted::default);
        }
        &mut self.drafts
    }

    /// Returns the drafts of lines, run by run. There are none if the values are in columns.
    pub(crate) fn drafts(&self) -> &[Drafted] {
        &self.drafts
    }

    /// Sets the place of the block. From then on all numbers count from the start of the file.
    pub(crate) fn place(&mut self, place: RowPlace) {
        self.place = place;
    }

    /// Removes the rows that are not wanted. `is_wanted` is given the index of a row among all rows that were added.
    pub(crate) fn retain(&mut self, mut is_wanted: impl FnMut(usize) -> bool) {
        let rows =
            self.kept.take().unwrap_or_else(|| (0..u32::try_from(self.rows.len()).unwrap_or(u32::MAX)).collect());
        self.kept = Some(rows.into_iter().filter(|row| is_wanted(*row as usize)).collect());
    }

    /// Removes all rows but the first `most` of those that are left.
    pub(crate) fn keep_first(&mut self, most: usize) {
        let mut kept = 0;
        self.retain(|_| {
            kept += 1;
            kept <= most
        });
    }

    /// Frees the memory of rows that were removed and of games without rows. The table must not have rows of whole
    /// games.
    pub(crate) fn compact(&mut self) {
        let tags = if self.games.is_empty() { 0 } else { self.tags.len() / self.games.len() };
        let rows: Vec<usize> = (0..self.len()).map(|nth| self.index(nth)).collect();
        let mut games: Vec<usize> = rows.iter().map(|row| self.rows[*row].game as usize).collect();
        games.dedup();
        let rows_kept = rows.iter().map(|row| {
            let Row { game, turn } = self.rows[*row];
            // There are not more games than before.
            let game = u32::try_from(games.partition_point(|kept| *kept < game as usize)).unwrap_or(game);
            Row { game, turn }
        });
        self.rows = rows_kept.collect();
        self.plies.keep(&rows);
        self.tags.keep(games.iter().flat_map(|game| game * tags..(game + 1) * tags));
        let pairs: Vec<Range<usize>> = games.iter().map(|game| self.pairs_of(*game)).collect();
        self.games = games.iter().map(|game| self.games[*game]).collect();
        let mut end = 0;
        for (nth, (game, pairs)) in self.games.iter_mut().zip(&pairs).enumerate() {
            end += pairs.len();
            game.pairs = end;
            game.first = self.rows.partition_point(|row| (row.game as usize) < nth);
        }
        self.pairs.keep(pairs.into_iter().flatten());
        self.operations.keep(games.iter().copied());
        self.values_mut().for_each(|values| values.keep(&rows));
        self.kept = None;
    }

    /// Sets the number of games for each row. The table must be [compact](Self::compact).
    pub(crate) fn count(&mut self, counts: &[u64]) {
        self.buffer_mut(&Column::Count).numbers().extend(counts.iter().map(|count| Some(signed(*count))));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of rows.
    pub(crate) fn len(&self) -> usize {
        self.kept.as_ref().map_or(self.rows.len(), Vec::len)
    }

    /// Returns the index of the nth row that is left among all rows that were added.
    #[inline]
    pub(crate) fn index(&self, nth: usize) -> usize {
        self.kept.as_ref().map_or(nth, |kept| kept[nth] as usize)
    }

    /// Returns the runs of rows that belong to one game: the number of rows, and the size of each row, about, in bytes.
    pub(crate) fn runs(&self) -> impl Iterator<Item = (usize, usize)> {
        let mut nth = 0;
        std::iter::from_fn(move || {
            let begun = nth;
            let first = self.index((begun < self.len()).then_some(begun)?);
            let weight = ROW_WEIGHT + self.game(first).weight;
            // Comments may have any length, so each row has its own weight.
            if self.comments().next().is_some() {
                nth += 1;
                let of_comments: usize = self.comments().filter_map(|texts| texts.get(first)).map(<[u8]>::len).sum();
                return Some((1, weight + of_comments));
            }
            nth = self.end_of_game(begun);
            Some((nth - begun, weight))
        })
    }

    /// Returns a size in bytes that the rows do not exceed, about, if each takes `row` bytes besides its values.
    pub(crate) fn most_weight(&self, row: usize) -> usize {
        let of_games = self.games.iter().map(|game| game.weight).max().unwrap_or(0);
        self.len() * (ROW_WEIGHT + row + of_games) + self.comments().map(Texts::byte_len).sum::<usize>()
    }

    /// Returns the end of the run of rows, among those that are left, that belong to the game of the nth row.
    pub(crate) fn end_of_game(&self, nth: usize) -> usize {
        let game = self.game_of(self.index(nth)) as usize;
        let end = self.games.get(game + 1).map_or(self.rows.len(), |next| next.first);
        match &self.kept {
            None => end,
            Some(kept) => nth + kept[nth..].partition_point(|row| (*row as usize) < end),
        }
    }

    /// Returns the columns of comments that the job fills.
    fn comments(&self) -> impl Iterator<Item = &Texts> {
        [Column::Comment, Column::Words].into_iter().filter_map(|column| match self.buffer(&column) {
            Buffer::Texts(texts) => Some(texts),
            _ => None,
        })
    }

    /// Returns the text of a column whose values are [`Value::Ascii`], if there is one.
    pub(crate) fn ascii(&self, column: &Column, index: usize) -> Option<&[u8]> {
        self.ascii_texts(column)?.get(index)
    }

    /// Returns the side to move.
    pub(crate) fn turn(&self, index: usize) -> Color {
        self.rows[index].turn
    }

    /// Whether the position of a row was reached from that of an earlier row by one move. The table must have the
    /// places of rows in the trees of their games.
    pub(crate) fn is_next(&self, earlier: usize, index: usize) -> bool {
        let (before, row) = (self.rows[earlier], self.rows[index]);
        row.game == before.game
            && self.plies[index] == self.plies[earlier] + 1
            && self.buffer(&Column::Variation).value(index) == self.buffer(&Column::Variation).value(earlier)
    }

    /// Returns the evaluation, if there is one.
    pub(crate) fn eval(&self, index: usize) -> Option<Evaluation> {
        self.buffer(&Column::Eval).eval(index)
    }

    /// Returns the result of the row's game.
    pub(crate) fn result(&self, index: usize) -> Outcome {
        self.game(index).result
    }

    /// Returns the index of the row's game among the games of the table.
    #[inline]
    pub(crate) fn game_of(&self, index: usize) -> u32 {
        self.rows[index].game
    }

    /// Returns the part of the output to which the row's game belongs.
    pub(crate) fn part(&self, index: usize) -> u16 {
        self.game(index).part
    }

    fn game(&self, index: usize) -> &Game {
        &self.games[self.rows[index].game as usize]
    }

    /// Returns the packed position of a row, if trainers need it.
    pub(crate) fn packed_position(&self, index: usize) -> Option<&PackedPosition> {
        match self.buffer(&Column::PackedPosition) {
            Buffer::Positions(positions) => positions.get(index),
            _ => None,
        }
    }

    /// Returns the packed move that was played in the position of a row, or [`NO_MOVE`].
    pub(crate) fn packed_move(&self, index: usize) -> u16 {
        match self.buffer(&Column::PackedMove) {
            Buffer::Moves(moves) => moves.get(index).copied().unwrap_or(NO_MOVE),
            _ => NO_MOVE,
        }
    }

    /// Returns the texts of a column whose values are [`Value::Ascii`], if it has one for each row.
    pub(crate) fn ascii_texts(&self, column: &Column) -> Option<&Texts> {
        match self.buffer(column) {
            Buffer::Ascii(texts) => Some(texts),
            _ => None,
        }
    }

    /// Returns the value of a cell for formats with types.
    #[inline]
    pub(crate) fn typed_value(&self, cell: Cell<'_>, index: usize) -> Value<'_> {
        self.value(cell, index).typed(cell.column)
    }

    /// Returns the value of a cell for formats without types: tags are texts.
    #[inline]
    pub(crate) fn value(&self, cell: Cell<'_>, index: usize) -> Value<'_> {
        match cell.column {
            Column::File => {
                let file = self.place.file.as_deref().filter(|file| !file.is_empty());
                file.map_or(Value::Missing, |file| Value::Text(file.as_bytes()))
            }
            Column::Game => number(self.place.games + self.game(index).number),
            Column::Offset => number(self.game(index).offset),
            Column::Line => number(self.place.lines + self.game(index).line + 1),
            Column::Id => number(self.place.ids + self.game(index).number),
            Column::Plies => Value::Number(self.game(index).plies.into()),
            Column::Ply => Value::Number(self.plies[index].into()),
            Column::Turn => Value::Ascii(turn(self.turn(index))),
            Column::Moves => self.courses.moves(index).map_or(Value::Missing, Value::Moves),
            Column::Evals => self.courses.evals(index).map_or(Value::Missing, Value::Numbers),
            Column::Clocks => self.courses.clocks(index).map_or(Value::Missing, Value::Times),
            Column::Tags => {
                let Range { start, end } = self.pairs_of(self.rows[index].game as usize);
                let count = u32::try_from((end - start) / 2).unwrap_or(u32::MAX);
                Value::Pairs(Pairs { texts: &self.pairs, start, count })
            }
            Column::Result => Value::Ascii(self.result(index).as_str().as_bytes()),
            Column::Tag(_) | Column::TagText(_) => {
                let tags = self.tags.len() / self.games.len();
                self.tags.get(self.rows[index].game as usize * tags + cell.tag).map_or(Value::Missing, Value::Text)
            }
            Column::Operations => {
                self.operations.get(self.rows[index].game as usize).map_or(Value::Missing, Value::Text)
            }
            // Each row stands for one game if nothing was counted.
            Column::Count => self.buffer(cell.column).value(index).or(Value::Number(1)),
            column => self.buffer(column).value(index),
        }
    }
}

/// For the formats that hold a column together.
impl Table {
    /// Returns the pool that has the texts of these rows one behind the other, if there is one: the texts are
    /// [`Value::Ascii`], and no row has been removed.
    pub(crate) fn adjacent_texts(&self, column: &Column, rows: &Range<usize>) -> Option<&Texts> {
        self.ascii_texts(column).filter(|texts| self.kept.is_none() && rows.end <= texts.len())
    }

    /// Returns the numbers of these rows, if they are one behind the other.
    pub(crate) fn adjacent_ints(&self, column: &Column, rows: Range<usize>) -> Option<&[i32]> {
        (*column == Column::Ply && self.kept.is_none()).then(|| &self.plies[rows])
    }
}

/// Returns the value of the column `turn`.
pub(crate) fn turn(turn: Color) -> &'static [u8] {
    match turn {
        Color::White => b"w",
        Color::Black => b"b",
    }
}

/// Returns a number of bytes, lines or games as a value.
fn number(number: u64) -> Value<'static> {
    Value::Number(signed(number))
}

/// The size of a row without its tags, about, in bytes.
const ROW_WEIGHT: usize = 128;
