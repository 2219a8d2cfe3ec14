//! Job 2: the games that do not start from the initial array. Their starts are listed, or the games copied.
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use pgn2fen::database::{Database, Source};
//! use pgn2fen::fen::FenStyle;
//! use pgn2fen::parallel::{Delivery, Workers};
//! use pgn2fen::starts::{Batch, InOrder, Listing, Starts};
//!
//! let games = b"1. e4 * [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"] 1. e4 *".repeat(2);
//! let job = Starts { listing: Listing::Lines(FenStyle::default()), ..Starts::default() };
//! let mut in_order = InOrder::new(&job);
//! let mut lines = Vec::new();
//! Workers::new(0)?.walk(
//!     Source::Whole(Database::from(games)),
//!     |text, until, batch: &mut Batch| job.read(text, until, batch),
//!     |delivery: Delivery<'_, Batch>| {
//!         let flow = in_order.take(delivery.batch);
//!         lines.extend_from_slice(&delivery.batch.output);
//!         flow
//!     },
//! )?;
//! assert_eq!(lines, b"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n");
//! assert_eq!(in_order.counts(), [2]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod in_order;
mod kind;

use std::io::Write;
use std::ops::Range;

use crate::chess::piece::Color;
use crate::chess::position::Position;
use crate::chess::start::StartKind;
use crate::diagnostic::{Diagnostic, LineCount};
use crate::fen::{FenStyle, FenWriter};
use crate::pgn::encoding::{Fallback, Label};
use crate::pgn::games::{Left, Reader, Text, read_games};
use crate::pgn::movetext::Movetext;
use crate::pgn::tags::Tags;
use crate::replay::{self, SetupPolicy, players};
use crate::rows::Columns;
use crate::selection::{Identity, TagFilter};

pub use crate::batch::{AskedTags, Batch, Count};
pub use crate::starts::in_order::InOrder;
pub use crate::starts::kind::{Kind, UnknownKind};

/// Which games are wanted, and what becomes of them.
#[derive(Clone, Debug)]
pub struct Starts {
    /// What becomes of the games that are wanted.
    pub listing: Listing,
    /// Which starts are listed once; [`InOrder`] sees to it.
    pub sameness: Sameness,
    /// The kinds of games that are wanted.
    pub kinds: Vec<Kind>,
    /// Whether the other games are wanted instead.
    pub invert: bool,
    /// All of these must hold. Of other games nothing is said, whatever is wrong with them.
    pub tags: Vec<TagFilter>,
    /// How many games of the run are wanted; [`InOrder`] counts them.
    pub max_games: Option<u64>,
    /// Which FEN tags count.
    pub setup: SetupPolicy,
    /// The encoding of tag values that are not UTF-8; None for Windows-1252.
    pub encoding: Option<Label>,
    /// The number of the file in the run.
    pub file: u64,
}

/// What becomes of the games that are wanted.
#[derive(Clone, Debug)]
pub enum Listing {
    /// A line for the start, written so; nothing for one that is [invalid](Kind::Invalid).
    Lines(FenStyle),
    /// A row for the start, written so, in these columns.
    Rows(FenStyle, Columns),
    /// The game is copied.
    Games,
}

/// Which starts are the same, and so listed once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sameness {
    /// The same men, mover, castling rights and legal capture in passing, as of positions that [`Identity`] tells.
    #[default]
    Position,
    /// The same in all six fields.
    Exact,
    /// None: a game is listed whatever there was before.
    None,
}

impl Default for Starts {
    fn default() -> Self {
        Self {
            listing: Listing::Games,
            sameness: Sameness::default(),
            kinds: Kind::VALID.to_vec(),
            invert: false,
            tags: Vec::new(),
            max_games: None,
            setup: SetupPolicy::default(),
            encoding: None,
            file: 0,
        }
    }
}

impl Starts {
    /// Reads the games that begin in `text` before `until`, and tells where reading must go on.
    pub fn read(&self, text: Text<'_>, until: usize, batch: &mut Batch) -> Left {
        let style = match &self.listing {
            Listing::Lines(style) | Listing::Rows(style, _) => Some(*style),
            Listing::Games => None,
        };
        let mut walk = Walk {
            job: self,
            writer: style.map(FenWriter::new),
            tags: Tags::default(),
            asked: self.asked_tags(),
            encoding: Fallback::new(self.encoding),
            lines: LineCount::default(),
            warnings: Vec::new(),
            batch,
        };
        read_games(text, until, &mut walk)
    }

    /// The tags that filters and columns ask for.
    pub fn asked_tags(&self) -> AskedTags {
        let columns = match &self.listing {
            Listing::Rows(_, columns) => Some(columns),
            Listing::Lines(_) | Listing::Games => None,
        };
        AskedTags::new(&self.tags, columns)
    }

    /// Whether each start is listed once.
    fn lists_once(&self) -> bool {
        self.sameness != Sameness::None && !matches!(self.listing, Listing::Games)
    }
}

/// The walk through one text.
struct Walk<'b, 't> {
    job: &'b Starts,
    batch: &'b mut Batch,
    writer: Option<FenWriter>,
    tags: Tags<'t>,
    asked: AskedTags,
    /// Of values that are not UTF-8.
    encoding: Fallback,
    lines: LineCount,
    /// Of one game; kept for its memory.
    warnings: Vec<Diagnostic>,
}

/// What a game starts from.
struct Found {
    /// None where it cannot be played from.
    start: Option<(Position, StartKind)>,
    /// None of the initial array.
    kind: Option<Kind>,
}

impl<'t> Reader<'t> for Walk<'_, 't> {
    fn game(&mut self, text: Text<'t>, start: usize) -> usize {
        self.batch.count.games += 1;
        text.read_tags(start, &mut self.tags);
        if self.tags.is_open() && !text.is_last {
            return text.bytes.len();
        }
        self.batch.tag_names.note(&self.asked, &self.tags);
        let mut movetext = text.movetext(&self.tags);
        if self.job.tags.iter().all(|filter| filter.holds(&self.tags, &self.encoding)) {
            let before = self.batch.mark();
            self.batch.note_repairs(text, &self.tags);
            let found = self.find(text);
            let is_wanted = found.kind.is_some_and(|kind| self.job.kinds.contains(&kind)) != self.job.invert;
            if is_wanted || found.start.is_none() {
                self.batch.note_encoding(text, start..self.tags.end());
            }
            self.batch.number_notes(before);
            if is_wanted {
                self.list(text, start, &found, &mut movetext);
            }
            movetext.finish();
            let before = self.batch.mark();
            self.batch.note_lost_braces(text, start, &self.tags, &movetext, None);
            self.batch.number_notes(before);
            return movetext.offset();
        }
        movetext.end_offset()
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
        false
    }
}

impl<'t> Walk<'_, 't> {
    /// What the game starts from, as its tags say. What is wrong with them is noted.
    fn find(&mut self, text: Text<'t>) -> Found {
        let found = replay::start(&self.tags, text.offset, self.job.setup, &mut self.warnings);
        self.batch.diagnostics.append(&mut self.warnings);
        match found {
            Ok((start, _)) => {
                let kind = StartKind::of(&start);
                Found { kind: Kind::of(kind), start: Some((start, kind)) }
            }
            Err(mut error) => {
                error.players = players(&self.tags);
                self.batch.diagnostics.push(error);
                Found { kind: Some(Kind::Invalid), start: None }
            }
        }
    }

    /// Does with a game what is wanted.
    fn list(&mut self, text: Text<'t>, at: usize, found: &Found, movetext: &mut Movetext<'t>) {
        let batch = &mut *self.batch;
        batch.count.wanted += 1;
        match &self.job.listing {
            Listing::Games => {
                batch.copies.push(text, at, movetext, &mut batch.output);
                batch.count.positions += 1;
            }
            Listing::Rows(_, columns) => {
                self.push_row(columns, text, at, found);
                self.push_identity(text, at, found);
            }
            Listing::Lines(_) => {
                if let (Some((start, _)), Some(writer)) = (&found.start, &mut self.writer) {
                    writer.append(start, &mut batch.output);
                    batch.output.push(b'\n');
                    self.push_identity(text, at, found);
                }
            }
        }
        if self.job.max_games.is_some() {
            self.batch.ends.push(self.batch.mark());
        }
    }

    /// What has been listed is this.
    fn push_identity(&mut self, text: Text<'_>, at: usize, found: &Found) {
        self.batch.count.positions += 1;
        if !self.job.lists_once() {
            return;
        }
        self.batch.identities.push(match (&found.start, self.job.sameness) {
            (Some((start, _)), Sameness::Exact) => Identity::exact(start),
            (Some((start, _)), _) => Identity::of(start),
            (None, _) => Identity::of_place(self.job.file, text.offset + at as u64),
        });
    }

    /// Adds the row of a game.
    fn push_row(&mut self, columns: &Columns, text: Text<'_>, at: usize, found: &Found) {
        let has = columns.has();
        let table = &mut self.batch.table;
        let line = if has.line { self.lines.count_to(text.bytes, at) } else { 0 };
        table.begin_game(self.batch.count.games, text.offset + at as u64, line);
        table.push_tags(columns, &self.tags, &self.encoding);
        table.begin_row(0, found.start.as_ref().map_or(Color::White, |(start, _)| start.turn()));
        if has.fen {
            table.fens.push_with(|out| {
                if let (Some((start, _)), Some(writer)) = (&found.start, &mut self.writer) {
                    writer.append(start, out);
                }
            });
        }
        if has.kind {
            table.kinds.push(found.kind.map_or("", Kind::name));
        }
        let kind = found.start.as_ref().map_or(StartKind::Position, |(_, kind)| *kind);
        if has.sp {
            table.sps.push_with(|out| append_sp(kind, out));
        }
        if has.odds {
            table.odds.push_with(|out| {
                if let StartKind::Odds(odds) = kind {
                    append(odds, out);
                }
            });
        }
    }
}

/// `12` for one number, `518/12` for two: White's array, then Black's.
fn append_sp(kind: StartKind, out: &mut Vec<u8>) {
    match kind.numbers() {
        Some((white, black)) if white == black => append(white, out),
        Some((white, black)) => append(format_args!("{white}/{black}"), out),
        None => {}
    }
}

fn append(text: impl std::fmt::Display, out: &mut Vec<u8>) {
    // Writing to memory does not fail.
    let _ = write!(out, "{text}");
}
