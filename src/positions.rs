//! Job 1: a line, a row or a posting for every position of every game.

mod choice;
mod in_order;
mod postings;
mod rows;

use std::ops::Range;

use crate::chess::moves::Move;
use crate::chess::position::Position;
use crate::diagnostic::{Diagnostic, Kind, LineCount};
use crate::fen::{FenStyle, FenWriter};
use crate::pgn::encoding::{Fallback, Label};
use crate::pgn::games::{Left, Reader, Text, read_games};
use crate::pgn::movetext::Movetext;
use crate::pgn::tags::Tags;
use crate::positions::choice::Choice;
use crate::replay::{Replay, ReplayOptions, players};
use crate::rows::Columns;
use crate::selection::{GameFilter, Identity, PositionFilter, Start};

pub use crate::batch::{AskedTags, Batch, Count, MissingTag, TagNames};
pub use crate::positions::in_order::InOrder;

/// What to print of the games.
#[derive(Clone, Debug, Default)]
pub struct Positions {
    /// How positions are written; None to read the games only.
    pub style: Option<FenStyle>,
    /// What the row of a position says; None for lines of FEN and nothing else.
    pub columns: Option<Columns>,
    /// Whether postings are wanted, for an index, and neither lines nor rows.
    pub postings: bool,
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

impl Positions {
    /// Reads the games that begin in `text` before `until`, and tells where reading must go on.
    pub fn read(&self, text: Text<'_>, until: usize, batch: &mut Batch) -> Left {
        // The writer is kept for what its next line may have in common with the last.
        let writer = batch.writer.take().or_else(|| self.style.map(FenWriter::new));
        let lines = LineCount::default();
        let encoding = Fallback::new(self.encoding);
        let asked = self.asked_tags();
        let mut walk = Walk { job: self, batch, writer, tags: Tags::default(), asked, encoding, lines };
        let left = read_games(text, until, &mut walk);
        walk.batch.writer = walk.writer;
        left
    }
}

impl Positions {
    /// The tags that filters and columns ask for.
    pub fn asked_tags(&self) -> AskedTags {
        AskedTags::new(&self.games.tags, self.columns.as_ref())
    }
}

/// The walk through one text.
struct Walk<'b, 't> {
    job: &'b Positions,
    batch: &'b mut Batch,
    writer: Option<FenWriter>,
    tags: Tags<'t>,
    asked: AskedTags,
    /// Of values that are not UTF-8.
    encoding: Fallback,
    lines: LineCount,
}

/// What became of a game: its movetext, read to the end, and its errors.
struct Played<'t> {
    movetext: Movetext<'t>,
    errors: Vec<Diagnostic>,
}

impl<'t> Reader<'t> for Walk<'_, 't> {
    fn game(&mut self, text: Text<'t>, start: usize) -> usize {
        self.batch.count.games += 1;
        text.read_tags(start, &mut self.tags);
        if self.tags.is_open() && !text.is_last {
            return text.bytes.len();
        }
        self.batch.tag_names.note(&self.asked, &self.tags);
        let movetext = text.movetext(&self.tags);
        if !self.job.games.wants_tags(&self.tags, &self.encoding) {
            return movetext.end_offset();
        }
        let begun = Replay::begin(&self.tags, movetext.clone(), text.offset, &self.job.replay);
        if begun.as_ref().is_ok_and(|replay| !self.job.games.wants_start(replay.position())) {
            return movetext.end_offset();
        }
        // A game that starts nowhere is none of those that start somewhere.
        self.batch.count.wanted += u64::from(begun.is_ok() || self.job.games.start == Start::Any);

        let before = self.batch.mark();
        self.batch.note_repairs(text, &self.tags);
        if self.job.postings {
            let line = self.lines.count_to(text.bytes, start);
            let offset = text.offset + start as u64;
            self.batch.postings.begin_game(offset, line, &self.tags, &self.encoding);
        }
        let Played { movetext, errors } = match begun {
            Ok(replay) => self.play(text, start, replay),
            Err(error) => {
                let mut movetext = movetext;
                movetext.finish();
                Played { movetext, errors: vec![error] }
            }
        };
        let end = movetext.offset();
        if self.job.postings {
            self.batch.postings.end_game(text.offset + end as u64);
        }
        self.batch.note_encoding(text, start..end);
        let open = errors.iter().find(|error| error.kind == Kind::UnterminatedComment);
        self.batch.note_lost_braces(text, start, &self.tags, &movetext, open.map(|error| error.offset));
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
        self.batch.number_notes(before);
        if self.job.max_games.is_some() {
            self.batch.ends.push(self.batch.mark());
        }
        end
    }

    fn skipped(&mut self, text: Text<'t>, range: Range<usize>) {
        self.batch.note_skipped(text, range);
    }

    fn keep(&mut self) {
        self.batch.keep();
    }

    fn forget(&mut self) {
        self.batch.forget();
    }

    fn is_done(&self) -> bool {
        self.batch.is_stopped
    }
}

impl<'t> Walk<'_, 't> {
    /// Plays a game over, as it is wanted.
    fn play(&mut self, text: Text<'t>, start: usize, replay: Replay<'t>) -> Played<'t> {
        if self.job.postings {
            self.play_postings(text, start, replay)
        } else if self.job.columns.is_some() {
            self.play_rows(text, start, replay)
        } else if self.job.wants_all() {
            self.print_all(replay)
        } else {
            self.print_chosen(text.offset + start as u64, replay)
        }
    }

    /// Prints every position of the main line, the starting position perhaps left out.
    fn print_all(&mut self, mut replay: Replay<'t>) -> Played<'t> {
        self.print_start(replay.position());
        let error = loop {
            match replay.next_ply() {
                Some(Ok(ply)) => self.print_after(ply.played, replay.position()),
                Some(Err(error)) => break Some(error),
                None => break None,
            }
        };
        self.batch.diagnostics.extend(replay.take_warnings());
        Played { movetext: replay.into_finished(), errors: error.into_iter().collect() }
    }

    /// Prints the positions that are wanted.
    fn print_chosen(&mut self, offset: u64, mut replay: Replay<'t>) -> Played<'t> {
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
        Played { movetext: replay.into_finished(), errors }
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
}
