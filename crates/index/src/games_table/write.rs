//! Collects games and writes them as row groups, on a thread of its own. Games are added in order, by one worker at a
//! time. If it encoded a row group, the others would wait for it as soon as the exit is full.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;

use crate::error::IndexError;
use crate::flush::Flusher;
use crate::games_table::layout::KeptTag;
use crate::games_table::{GamesLayout, SORTED_BY, TAGS_BEFORE_SP};
use crate::postings::{EmptyTags, Postings};
use crate::postings_table::result_name;
use crate::sizes::TableSizes;
use crate::table::{Layout, TableWriter, Written};
use pgn2fen_chess::position::Position;
use pgn2fen_chess::rules::Rules;
use pgn2fen_chess::start::StartKind;
use pgn2fen_games::parallel::threads::spawn;
use pgn2fen_games::pgn::date::Date;
use pgn2fen_games::pgn::token::Outcome;
use pgn2fen_tables::parquet_file::{ByteArray, ByteArrayType, Int32Type, Int64Type, SharedTexts, fixed_text};
use pgn2fen_tables::{ColumnType, Texts};

/// Writes the games of a run.
pub(crate) struct GamesWriter {
    path: PathBuf,
    rows: GameRows,
    sizes: TableSizes,
    /// The channel to the thread, for full row groups. None after the last row group.
    full: Option<SyncSender<GameRows>>,
    /// The thread that writes row groups. None when it has ended.
    thread: Option<JoinHandle<Result<TableWriter, IndexError>>>,
}

/// The number of row groups that may wait for the thread: none, since a row group takes tens of megabytes.
const WAITING: usize = 0;

/// The games of a row group.
#[derive(Default)]
struct GameRows {
    rows: Vec<GameRow>,
    /// The tags and the FEN of each game, as they are in [`Postings`].
    texts: Texts,
}

struct GameRow {
    number: u64,
    file: Option<Arc<str>>,
    offset: u64,
    length: u64,
    line: u64,
    start: Option<(Rules, StartKind)>,
    plies: u32,
    result: Outcome,
    empty: EmptyTags,
}

/// The size in bytes of the texts at which a row group is closed.
const MOST_TEXT: usize = 16 * 1024 * 1024;

impl GamesWriter {
    /// Creates the file. It must not exist yet.
    pub(crate) fn create(path: &Path, layout: &GamesLayout, sizes: TableSizes) -> Result<Self, IndexError> {
        let columns = Layout { columns: &layout.columns(), sorted_by: SORTED_BY };
        let mut table = TableWriter::create(path, &columns, sizes)?;
        let layout = layout.clone();
        let (full, groups) = sync_channel::<GameRows>(WAITING);
        let write = move || {
            groups.into_iter().try_for_each(|rows| rows.write(&layout, &mut table))?;
            Ok(table)
        };
        let thread = spawn(write).map_err(IndexError::io(path))?;
        Ok(Self { path: path.to_owned(), rows: GameRows::default(), sizes, full: Some(full), thread: Some(thread) })
    }

    /// Adds the games of a block. The first of them has this number.
    pub(crate) fn add(&mut self, postings: &Postings, first: u64, file: Option<&Arc<str>>) -> Result<(), IndexError> {
        for (nth, (game, _)) in postings.games().enumerate() {
            self.rows.rows.push(GameRow {
                number: first + nth as u64,
                file: file.cloned(),
                offset: game.offset,
                length: game.length,
                line: postings.line() + game.line + 1,
                start: game.start,
                plies: game.plies,
                result: game.result,
                empty: game.empty,
            });
            postings.append_texts(nth, &mut self.rows.texts);
            if self.rows.rows.len() == self.sizes.group_rows || self.rows.texts.byte_len() >= MOST_TEXT {
                self.send_group()?;
            }
        }
        Ok(())
    }

    /// Passes the row group on to the thread. If the thread has ended, it has failed.
    fn send_group(&mut self) -> Result<(), IndexError> {
        let rows = std::mem::take(&mut self.rows);
        match &self.full {
            Some(full) if full.send(rows).is_ok() => Ok(()),
            _ => self.join().map(drop),
        }
    }

    /// Begins to write the last row group. No games may be added after that.
    pub(crate) fn close(&mut self) -> Result<(), IndexError> {
        if !self.rows.rows.is_empty() {
            self.send_group()?;
        }
        self.full = None;
        Ok(())
    }

    /// Waits for the last row group and writes the end of the file.
    pub(crate) fn end(mut self, flusher: &Flusher) -> Result<Written, IndexError> {
        self.close()?;
        let table = self.join()?.ok_or_else(|| IndexError::new(&self.path, "the games could not be written"))?;
        table.end(flusher)
    }

    /// Waits for the end of the thread. Returns the table, or None if this is not the first call.
    fn join(&mut self) -> Result<Option<TableWriter>, IndexError> {
        self.full = None;
        let join = |thread: JoinHandle<_>| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        self.thread.take().map(join).transpose()
    }
}

impl Drop for GamesWriter {
    /// Ends the thread, so that the file is closed before its folder is removed.
    fn drop(&mut self) {
        self.full = None;
        if let Some(thread) = self.thread.take() {
            // A build that is given up needs neither the table nor the error.
            let _ = thread.join();
        }
    }
}

impl GameRows {
    fn write(self, layout: &GamesLayout, table: &mut TableWriter) -> Result<(), IndexError> {
        let Self { rows, texts } = self;
        let shared = SharedTexts::from(texts);
        let tags = layout.tags();
        let text = |nth: usize| shared.get(nth);
        let texts = |which: usize| (0..rows.len()).map(move |row| row * (tags.len() + 1) + which);
        let long = |number: u64| Some(number.cast_signed());
        let file = |row: &GameRow| row.file.as_ref().map(|file| ByteArray::from(&**file));

        let mut group = table.group(rows.len())?;
        group.column::<Int64Type>(rows.iter().map(|row| long(row.number)))?;
        group.column::<ByteArrayType>(rows.iter().map(file))?;
        group.column::<Int64Type>(rows.iter().map(|row| long(row.offset)))?;
        group.column::<Int64Type>(rows.iter().map(|row| long(row.length)))?;
        group.column::<Int64Type>(rows.iter().map(|row| long(row.line)))?;
        group.column::<ByteArrayType>(rows.iter().map(|row| row.start.map(|start| fixed_text(start_name(start)))))?;
        group.column::<ByteArrayType>(texts(tags.len()).map(text))?;
        group.column::<Int32Type>(rows.iter().map(|row| Some(row.plies.cast_signed())))?;
        group.column::<ByteArrayType>(rows.iter().map(|row| Some(result_name(row.result))))?;
        for (tag, KeptTag { kind, typed, .. }) in tags.iter().enumerate() {
            if tag == TAGS_BEFORE_SP {
                group.column::<Int32Type>(rows.iter().map(|row| row.start.and_then(start_number)))?;
            }
            let number = |text: ByteArray| match typed {
                Some(ColumnType::Date) => Date::read(text.as_utf8().ok()?)?.days_since_1970(),
                _ => kind.number(text.as_utf8().ok()?),
            };
            if typed.is_some() {
                group.column::<Int32Type>(texts(tag).map(|nth| text(nth).and_then(number)))?;
            }
            // An empty text means that the tag is missing or empty, and only one of the two is null.
            let empty = |row: &GameRow| row.empty.contains(tag).then(|| fixed_text(""));
            let written = texts(tag).zip(&rows).map(|(nth, row)| text(nth).or_else(|| empty(row)));
            group.column::<ByteArrayType>(written)?;
        }
        group.end()
    }
}

/// Returns the name of the start in the table: the kind in chess, and the rules in a variant.
fn start_name((rules, kind): (Rules, StartKind)) -> &'static str {
    if rules == Rules::Chess { kind.name() } else { rules.name() }
}

/// Returns the Chess960 number of a start, if both sides have the same. The array of a variant may have none.
fn start_number((rules, kind): (Rules, StartKind)) -> Option<i32> {
    let is_numbered = kind != StartKind::Standard || Position::start(rules).board() == Position::initial().board();
    let numbers = if is_numbered { kind.numbers() } else { None };
    numbers.filter(|(white, black)| white == black).map(|(number, _)| number.into())
}
