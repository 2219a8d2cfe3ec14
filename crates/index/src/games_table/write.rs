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

#[cfg(test)]
mod tests {
    use crate::tests::Desk;
    use crate::{BuildOptions, GameColumn};

    #[test]
    fn the_columns_of_a_game_are_what_its_tags_and_moves_say() {
        let text = "[Event \"E\"]\n[Date \"2020.01.02\"]\n[Round \"3.2\"]\n[White \"\"]\n[BlackElo \"2400\"]\n\
                    [ECO \"C20\"]\n[Result \"1-0\"]\n[Annotator \"\"]\n[EventDate \"2020.01.01\"]\n\n1. e4 e5 1-0\n\n\
                    [FEN \"4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1\"]\n[Annotator \"A\"]\n\n1... Kd7 *\n";
        let options = BuildOptions { tags: "Annotator,EventDate".parse().ok(), ..BuildOptions::default() };
        let desk = Desk::with(&[("a.pgn", text)], &options);
        let mut games = desk.index.games();
        let mut number = |game, column| games.number(game, column).unwrap();
        let second = text.find("[FEN").unwrap();
        assert_eq!([1, 2].map(|game| number(game, GameColumn::Game)), [Some(1), Some(2)]);
        assert_eq!([1, 2].map(|game| number(game, GameColumn::Offset)), [Some(0), i64::try_from(second).ok()]);
        assert_eq!([1, 2].map(|game| number(game, GameColumn::Line)), [Some(1), Some(13)]);
        assert_eq!([1, 2].map(|game| number(game, GameColumn::Plies)), [Some(2), Some(1)]);
        // 18,263 days from 1970-01-01 to 2020-01-02.
        assert_eq!([1, 2].map(|game| number(game, GameColumn::Date)), [Some(18_263), None]);
        assert_eq!([1, 2].map(|game| number(game, GameColumn::Round)), [Some(3), None]);
        assert_eq!([1, 2].map(|game| number(game, GameColumn::BlackElo)), [Some(2400), None]);
        assert_eq!([1, 2].map(|game| number(game, GameColumn::Sp)), [Some(518), None]);
        let mut text = |game, column| games.text(game, column).unwrap().map(str::to_owned);
        let some = |text: &str| Some(text.to_owned());
        assert_eq!([1, 2].map(|game| text(game, GameColumn::Event)), [some("E"), None]);
        // An empty tag is not a missing one.
        assert_eq!([1, 2].map(|game| text(game, GameColumn::White)), [some(""), None]);
        assert_eq!([1, 2].map(|game| text(game, GameColumn::RoundText)), [some("3.2"), None]);
        assert_eq!([1, 2].map(|game| text(game, GameColumn::Result)), [some("1-0"), some("*")]);
        assert_eq!([1, 2].map(|game| text(game, GameColumn::Eco)), [some("C20"), None]);
        assert_eq!([1, 2].map(|game| text(game, GameColumn::Start)), [some("standard"), some("position")]);
        // The capture on e3 is not legal.
        assert_eq!([1, 2].map(|game| text(game, GameColumn::Fen)), [None, some("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1")]);
        let [annotator, date] = ["Annotator", "EventDate"].map(|tag| desk.index.column_of_tag(tag).unwrap());
        assert_eq!([1, 2].map(|game| text(game, annotator)), [some(""), some("A")]);
        assert_eq!([1, 2].map(|game| text(game, date)), [some("2020.01.01"), None]);
    }

    /// Compares the number of a starting position.
    #[track_caller]
    fn check(tags: &str, kind: &str, number: Option<i64>) {
        let desk = Desk::of(&[("a.pgn", &format!("{tags}\n\n*\n"))]);
        let mut games = desk.index.games();
        assert_eq!(games.text(1, GameColumn::Start).unwrap(), Some(kind));
        assert_eq!(games.number(1, GameColumn::Sp).unwrap(), number, "{tags}");
    }

    #[test]
    fn a_start_has_a_number_if_both_sides_have_the_same() {
        let fen = |fen: &str| format!("[Variant \"Chess960\"]\n[FEN \"{fen}\"]");
        check("[White \"A\"]", "standard", Some(518));
        check(&fen("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"), "chess960", Some(0));
        check(&fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"), "dfrc", None);
        check(&fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), "position", None);
        check("[Variant \"Atomic\"]", "atomic", Some(518));
        check("[Variant \"Racing Kings\"]", "racingKings", None);
    }
}
