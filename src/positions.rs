//! Job 1: a line or a row for every position of every game.

mod rows;

use std::ops::Range;

use crate::chess::moves::Move;
use crate::chess::position::Position;
use crate::diagnostic::{Diagnostic, Kind, count_lines};
use crate::fen::{FenStyle, FenWriter};
use crate::parallel;
use crate::pgn::encoding::Label;
use crate::pgn::games::{Reader, Text, read_games};
use crate::pgn::movetext::Movetext;
use crate::pgn::tags::Tags;
use crate::replay::{Replay, ReplayOptions, players};
use crate::rows::Columns;
use crate::rows::export::Product;
use crate::rows::table::{Mark, Table};

/// What to print of the games.
#[derive(Clone, Debug, Default)]
pub struct Positions {
    /// How positions are written; None to read the games only.
    pub style: Option<FenStyle>,
    /// What the row of a position says; None for lines of FEN and nothing else.
    pub columns: Option<Columns>,
    /// The encoding of tag values that are not UTF-8; None for Windows-1252. Which one it is must not depend on what was read
    /// before, as a guess would.
    pub encoding: Option<Label>,
    /// Whether the starting position is left out.
    pub skip_start: bool,
    /// How games are understood.
    pub replay: ReplayOptions,
    /// What becomes of a game with an error.
    pub on_error: OnError,
}

/// What becomes of a game that cannot be read to its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnError {
    /// Its positions before the error are printed.
    #[default]
    Keep,
    /// None of its positions is printed.
    Drop,
    /// Its positions before the error are printed, and then no more.
    Stop,
}

/// What was found in a stretch of a database.
#[derive(Debug, Default)]
pub struct Batch {
    /// The lines, where rows are not wanted.
    pub output: Vec<u8>,
    /// The rows, where they are.
    pub table: Table,
    /// What becomes of the rows.
    pub product: Product,
    /// What is wrong, in the order of the text; games are numbered from 1 within the stretch.
    pub diagnostics: Vec<Diagnostic>,
    /// How much was read.
    pub count: Count,
    /// Whether an error ended the walk.
    pub is_stopped: bool,
    writer: Option<FenWriter>,
}

/// How much was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Games, with and without errors.
    pub games: u64,
    /// Positions.
    pub positions: u64,
}

impl parallel::Batch for Batch {
    fn clear(&mut self) {
        self.output.clear();
        self.table.clear();
        self.product.clear();
        self.diagnostics.clear();
        self.count = Count::default();
        self.is_stopped = false;
    }

    fn weight(&self) -> usize {
        self.output.len() + self.product.weight()
    }
}

impl Positions {
    /// Reads the games that begin in `text` before `until`, and tells where reading must go on.
    pub fn read(&self, text: Text<'_>, until: usize, batch: &mut Batch) -> usize {
        // The writer is kept for what its next line may have in common with the last.
        let writer = batch.writer.take().or_else(|| self.style.map(FenWriter::new));
        let lines = Lines::default();
        let mut walk = Walk { job: self, batch, writer, tags: Tags::default(), lines, kept: Kept::default() };
        let resume = read_games(text, until, &mut walk);
        walk.batch.writer = walk.writer;
        resume
    }
}

/// The walk through one text.
struct Walk<'b, 't> {
    job: &'b Positions,
    batch: &'b mut Batch,
    writer: Option<FenWriter>,
    tags: Tags<'t>,
    lines: Lines,
    kept: Kept,
}

/// How many lines there are up to a place in the text.
#[derive(Clone, Copy, Default)]
struct Lines {
    at: usize,
    count: u64,
}

impl Lines {
    fn count_to(&mut self, text: &[u8], at: usize) -> u64 {
        self.count += count_lines(&text[self.at..at]);
        self.at = at;
        self.count
    }
}

/// How much of the batch is certain.
#[derive(Clone, Copy, Default)]
struct Kept {
    output: usize,
    table: Mark,
    diagnostics: usize,
    count: Count,
    is_stopped: bool,
}

impl<'t> Reader<'t> for Walk<'_, 't> {
    fn game(&mut self, text: Text<'t>, start: usize) -> usize {
        self.batch.count.games += 1;
        let known = self.batch.diagnostics.len();
        let output = self.batch.output.len();
        let rows = self.batch.table.mark();
        let positions = self.batch.count.positions;
        self.tags.read_again(text.bytes, start);
        for &(at, repair) in self.tags.repairs() {
            self.batch.diagnostics.push(Diagnostic::new(Kind::RepairedTag, text.offset + at as u64, repair.as_str()));
        }
        let movetext = Movetext::new(text.bytes, self.tags.end());
        let (end, error) = match Replay::begin(&self.tags, movetext.clone(), text.offset, &self.job.replay) {
            Ok(replay) if self.job.columns.is_some() => self.play_rows(text, start, replay),
            Ok(replay) => self.play(replay),
            Err(error) => (finish(movetext), Some(error)),
        };
        self.check_encoding(text, start..end);
        if let Some(mut error) = error {
            error.players = players(&self.tags);
            self.batch.diagnostics.push(error);
            match self.job.on_error {
                OnError::Keep => {}
                OnError::Drop => {
                    self.batch.output.truncate(output);
                    self.batch.table.truncate(rows);
                    self.batch.count.positions = positions;
                }
                OnError::Stop => self.batch.is_stopped = true,
            }
        }
        let game = self.batch.count.games;
        for diagnostic in &mut self.batch.diagnostics[known..] {
            diagnostic.game = Some(game);
        }
        end
    }

    fn skipped(&mut self, text: Text<'t>, range: Range<usize>) {
        let offset = text.offset + range.start as u64;
        let diagnostic = Diagnostic::new(Kind::SkippedText, offset, "it belongs to no game and is skipped");
        self.batch.diagnostics.push(diagnostic.about(&text.bytes[range]));
    }

    fn keep(&mut self) {
        self.kept = Kept {
            output: self.batch.output.len(),
            table: self.batch.table.mark(),
            diagnostics: self.batch.diagnostics.len(),
            count: self.batch.count,
            is_stopped: self.batch.is_stopped,
        };
    }

    fn forget(&mut self) {
        self.batch.output.truncate(self.kept.output);
        self.batch.table.truncate(self.kept.table);
        self.batch.diagnostics.truncate(self.kept.diagnostics);
        self.batch.count = self.kept.count;
        self.batch.is_stopped = self.kept.is_stopped;
    }

    fn is_done(&self) -> bool {
        self.batch.is_stopped
    }
}

impl<'t> Walk<'_, 't> {
    /// Plays a game over and prints its positions. Gives the place where it ends, and what went wrong.
    fn play(&mut self, mut replay: Replay<'t>) -> (usize, Option<Diagnostic>) {
        self.print_start(replay.position());
        let error = loop {
            match replay.next_ply() {
                Some(Ok(ply)) => self.print_after(ply.played, replay.position()),
                Some(Err(error)) => break Some(error),
                None => break None,
            }
        };
        self.batch.diagnostics.extend(replay.take_warnings());
        (replay.finish(), error)
    }

    fn print_start(&mut self, position: &Position) {
        let is_shown = !self.job.skip_start;
        self.batch.count.positions += u64::from(is_shown);
        if let Some(writer) = &mut self.writer {
            writer.start_at(position);
            if is_shown {
                writer.append(position, &mut self.batch.output);
                self.batch.output.push(b'\n');
            }
        }
    }

    #[inline(always)]
    fn print_after(&mut self, m: Move, position: &Position) {
        self.batch.count.positions += 1;
        if let Some(writer) = &mut self.writer {
            writer.append_line_after(m, position, &mut self.batch.output);
        }
    }

    /// Notes a game that is not UTF-8, with a sample of its text from which an encoding may be guessed.
    fn check_encoding(&mut self, text: Text<'_>, range: Range<usize>) {
        let bytes = &text.bytes[range.clone()];
        if bytes.is_ascii() {
            return;
        }
        let Err(error) = str::from_utf8(bytes) else {
            return;
        };
        let offset = text.offset + (range.start + error.valid_up_to()) as u64;
        let words = bytes.split(u8::is_ascii_whitespace).filter(|word| str::from_utf8(word).is_err());
        let mut sample = Vec::new();
        for word in words {
            if sample.len() + word.len() > 1024 {
                break;
            }
            sample.extend_from_slice(word);
            sample.push(b' ');
        }
        let mut diagnostic = Diagnostic::new(Kind::Encoding, offset, "the text is not UTF-8");
        diagnostic.subject = sample.into();
        self.batch.diagnostics.push(diagnostic);
    }
}

fn finish(mut movetext: Movetext<'_>) -> usize {
    movetext.finish();
    movetext.offset()
}
