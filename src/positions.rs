//! Job 1: a line or a row for every position of every game.

mod choice;
mod in_order;
mod rows;

use std::ops::Range;

use crate::chess::moves::Move;
use crate::chess::position::Position;
use crate::diagnostic::{Diagnostic, Kind, count_lines};
use crate::fen::{FenStyle, FenWriter};
use crate::parallel;
use crate::pgn::encoding::{Fallback, Label};
use crate::pgn::games::{Reader, Text, read_games};
use crate::pgn::movetext::Movetext;
use crate::pgn::tags::Tags;
use crate::positions::choice::Choice;
use crate::replay::{Replay, ReplayOptions, players};
use crate::rows::Columns;
use crate::rows::export::Product;
use crate::rows::table::{self, Table};
use crate::selection::{GameFilter, Identity, PositionFilter, Start};

pub use crate::positions::in_order::InOrder;

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
    /// Which games are wanted. Of the others nothing is said, whatever is wrong with them.
    pub games: GameFilter,
    /// How many games of the run are wanted; [`InOrder`] counts them.
    pub max_games: Option<u64>,
    /// Which positions are wanted.
    pub positions: PositionFilter,
    /// Whether of the same positions only the first of the run is wanted; [`InOrder`] sees to it.
    pub unique: bool,
    /// Whether variations are walked, too.
    pub variations: bool,
    /// The number of the file in the run. A sample depends on it.
    pub file: u64,
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
    /// What the positions are, if only new ones are wanted.
    identities: Vec<Identity>,
    /// Where the wanted games end, if not all of them may be wanted.
    ends: Vec<Mark>,
    /// How much was read.
    pub count: Count,
    /// Whether an error ended the walk.
    pub is_stopped: bool,
    writer: Option<FenWriter>,
}

/// How much was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Games, with and without errors, wanted or not.
    pub games: u64,
    /// The games among them that are wanted.
    pub wanted: u64,
    /// Positions.
    pub positions: u64,
}

impl parallel::Batch for Batch {
    fn clear(&mut self) {
        self.table.clear();
        self.product.clear();
        self.ends.clear();
        self.go_back_to(Mark::default());
    }

    fn weight(&self) -> usize {
        self.output.len() + self.product.weight()
    }
}

impl Batch {
    fn mark(&self) -> Mark {
        Mark {
            output: self.output.len(),
            rows: self.table.mark(),
            identities: self.identities.len(),
            diagnostics: self.diagnostics.len(),
            count: self.count,
            is_stopped: self.is_stopped,
        }
    }

    /// Forgets what came behind a mark.
    fn go_back_to(&mut self, mark: Mark) {
        self.diagnostics.truncate(mark.diagnostics);
        self.is_stopped = mark.is_stopped;
        self.count = mark.count;
        self.drop_positions(mark);
    }

    /// Forgets the positions behind a mark.
    fn drop_positions(&mut self, mark: Mark) {
        self.output.truncate(mark.output);
        self.table.truncate(mark.rows);
        self.identities.truncate(mark.identities);
        self.count.positions = mark.count.positions;
    }
}

/// How much there is in a batch.
#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    output: usize,
    rows: table::Mark,
    identities: usize,
    diagnostics: usize,
    count: Count,
    is_stopped: bool,
}

impl Positions {
    /// Reads the games that begin in `text` before `until`, and tells where reading must go on.
    pub fn read(&self, text: Text<'_>, until: usize, batch: &mut Batch) -> usize {
        // The writer is kept for what its next line may have in common with the last.
        let writer = batch.writer.take().or_else(|| self.style.map(FenWriter::new));
        let lines = Lines::default();
        let encoding = Fallback::new(self.encoding);
        let mut walk =
            Walk { job: self, batch, writer, tags: Tags::default(), encoding, lines, kept: Default::default() };
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
    /// Of values that are not UTF-8.
    encoding: Fallback,
    lines: Lines,
    /// How much of the batch is certain, and of how many games the ends are.
    kept: (Mark, usize),
}

/// What became of a game: where it ends in the text, and its errors.
struct Played {
    end: usize,
    errors: Vec<Diagnostic>,
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

impl<'t> Reader<'t> for Walk<'_, 't> {
    fn game(&mut self, text: Text<'t>, start: usize) -> usize {
        self.batch.count.games += 1;
        self.tags.read_again(text.bytes, start);
        let movetext = Movetext::new(text.bytes, self.tags.end());
        if !self.job.games.wants_tags(&self.tags, &self.encoding) {
            return finish(movetext);
        }
        let begun = Replay::begin(&self.tags, movetext.clone(), text.offset, &self.job.replay);
        if begun.as_ref().is_ok_and(|replay| !self.job.games.wants_start(replay.position())) {
            return finish(movetext);
        }
        // A game that starts nowhere is none of those that start somewhere.
        self.batch.count.wanted += u64::from(begun.is_ok() || self.job.games.start == Start::Any);

        let before = self.batch.mark();
        for &(at, repair) in self.tags.repairs() {
            self.batch.diagnostics.push(Diagnostic::new(Kind::RepairedTag, text.offset + at as u64, repair.as_str()));
        }
        let Played { end, errors } = match begun {
            Ok(replay) => self.play(text, start, replay),
            Err(error) => Played { end: finish(movetext), errors: vec![error] },
        };
        self.check_encoding(text, start..end);
        if !errors.is_empty() {
            match self.job.on_error {
                OnError::Keep => {}
                OnError::Drop => self.batch.drop_positions(before),
                OnError::Stop => self.batch.is_stopped = true,
            }
        }
        for mut error in errors {
            error.players = players(&self.tags);
            self.batch.diagnostics.push(error);
        }
        let game = self.batch.count.games;
        for diagnostic in &mut self.batch.diagnostics[before.diagnostics..] {
            diagnostic.game = Some(game);
        }
        if self.job.max_games.is_some() {
            self.batch.ends.push(self.batch.mark());
        }
        end
    }

    fn skipped(&mut self, text: Text<'t>, range: Range<usize>) {
        let offset = text.offset + range.start as u64;
        let diagnostic = Diagnostic::new(Kind::SkippedText, offset, "it belongs to no game and is skipped");
        self.batch.diagnostics.push(diagnostic.about(&text.bytes[range]));
    }

    fn keep(&mut self) {
        self.kept = (self.batch.mark(), self.batch.ends.len());
    }

    fn forget(&mut self) {
        let (mark, ends) = self.kept;
        self.batch.go_back_to(mark);
        self.batch.ends.truncate(ends);
    }

    fn is_done(&self) -> bool {
        self.batch.is_stopped
    }
}

impl<'t> Walk<'_, 't> {
    /// Plays a game over, as it is wanted.
    fn play(&mut self, text: Text<'t>, start: usize, replay: Replay<'t>) -> Played {
        if self.job.columns.is_some() {
            self.play_rows(text, start, replay)
        } else if self.job.wants_all() {
            self.print_all(replay)
        } else {
            self.print_chosen(text.offset + start as u64, replay)
        }
    }

    /// Prints every position of the main line, the starting position perhaps left out.
    fn print_all(&mut self, mut replay: Replay<'t>) -> Played {
        self.print_start(replay.position());
        let error = loop {
            match replay.next_ply() {
                Some(Ok(ply)) => self.print_after(ply.played, replay.position()),
                Some(Err(error)) => break Some(error),
                None => break None,
            }
        };
        self.batch.diagnostics.extend(replay.take_warnings());
        Played { end: replay.finish(), errors: error.into_iter().collect() }
    }

    /// Prints the positions that are wanted.
    fn print_chosen(&mut self, offset: u64, mut replay: Replay<'t>) -> Played {
        let choice = Choice::new(self.job, &replay, offset);
        if choice.wants(&replay, 0) {
            self.print(replay.position());
        }
        let mut errors = Vec::new();
        while let Some(ply) = choice.next_ply(&mut replay, &mut errors) {
            if choice.wants(&replay, ply.number) {
                self.print(replay.position());
            }
        }
        self.batch.diagnostics.extend(replay.take_warnings());
        Played { end: replay.finish(), errors }
    }

    fn print(&mut self, position: &Position) {
        self.batch.count.positions += 1;
        if let Some(writer) = &mut self.writer {
            writer.append(position, &mut self.batch.output);
            self.batch.output.push(b'\n');
        }
        if self.job.unique {
            self.batch.identities.push(Identity::of(position));
        }
    }

    fn print_start(&mut self, position: &Position) {
        let is_shown = !self.job.positions.skip_start;
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
