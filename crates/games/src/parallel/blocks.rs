//! Cuts a database into blocks, in order.

use std::io::{self, Read};

use crate::parallel::turns::Frontier;
use pgn2fen_bytes::fill;
use pgn2fen_pgn::chunk::{Chunk, LexState, StopPoint};
use pgn2fen_pgn::games::{end_of_whole_games, likely_start};
use pgn2fen_pgn::lexical::LOOKAHEAD;
use pgn2fen_pgn::lists::{self, Form};
use pgn2fen_readers::cuts_text;
use pgn2fen_sources::{Database, OpenStream};

/// The number of bytes of a block's text behind its cut: enough to check the next cut.
const MARGIN: usize = 2 * LOOKAHEAD;

/// The size of a block in bytes of PGN. The results of a block should still be in the processor's cache when they are
/// written.
pub(super) const BLOCK: usize = 64 * 1024;

/// The size of a block from which on it is long, in bytes: it has a game of many blocks.
const LONG: usize = 16 * BLOCK;

/// The places where databases are cut.
#[derive(Clone, Debug)]
pub enum Cuts {
    /// At likely starts of games. The number is the distance between two cuts in bytes, about.
    Likely(usize),
    /// At these offsets, whatever stands there. Every cut is guessed, even when it is already the turn of its block.
    /// For tests that cuts do not change the results.
    At(Vec<u64>),
}

/// A part of a database, from one cut to the next and a margin behind it.
pub(super) struct Block<'m> {
    bytes: BlockBytes<'m>,
    pub(super) offset: u64,
    /// The kind of text that the block begins in, judged by the byte before it.
    pub(super) within: LexState,
    /// The start of the next block, in bytes from the start of this one.
    pub(super) until: usize,
    is_last: bool,
    form: Form,
    /// Whether the stream failed in this block. Its text may then end anywhere, for example within a move or within a
    /// tag section.
    pub(super) is_cut_short: bool,
}

enum BlockBytes<'m> {
    /// The bytes from the start of the block on, and the bytes of the whole database.
    Shared {
        piece: &'m [u8],
        whole: &'m [u8],
    },
    Owned(Vec<u8>),
}

impl Block<'_> {
    pub(super) fn text(&self) -> Chunk<'_> {
        let bytes = match &self.bytes {
            BlockBytes::Shared { piece, .. } => piece,
            BlockBytes::Owned(bytes) => bytes.as_slice(),
        };
        Chunk { bytes, offset: self.offset, is_last: self.is_last, within: self.within, form: self.form }
    }

    /// Whether the block takes much memory.
    pub(super) fn is_long(&self) -> bool {
        matches!(&self.bytes, BlockBytes::Owned(bytes) if bytes.capacity() > LONG)
    }

    /// Moves the start of the block to the frontier. From then on, a block of a mapped database holds the whole rest of
    /// the database.
    pub(super) fn begin_at(&mut self, frontier: &mut Frontier) {
        let end = self.offset + self.until as u64;
        match &mut self.bytes {
            BlockBytes::Shared { piece, whole } => {
                *piece = &whole[to_index(frontier.offset)..];
                self.is_last = true;
            }
            BlockBytes::Owned(bytes) if frontier.offset < self.offset => {
                frontier.tail.append(bytes);
                std::mem::swap(bytes, &mut frontier.tail);
            }
            BlockBytes::Owned(bytes) => {
                bytes.drain(..to_index(frontier.offset - self.offset).min(bytes.len()));
            }
        }
        self.until = to_index(end.saturating_sub(frontier.offset));
        self.offset = frontier.offset;
        self.within = frontier.within;
        frontier.tail.clear();
        if self.is_cut_short {
            self.leave_out_broken_game();
        }
    }

    /// Removes the text behind the last whole game, because a part of a game would be misread.
    fn leave_out_broken_game(&mut self) {
        if let BlockBytes::Owned(bytes) = &mut self.bytes {
            bytes.truncate(end_of_whole_games(bytes, self.form));
            self.until = self.until.min(bytes.len());
        }
    }

    /// Returns the memory of the block to use it again. There is none of a mapped database, and that of a long game is
    /// given back to the system.
    pub(super) fn into_spare(self) -> Vec<u8> {
        match self.bytes {
            BlockBytes::Owned(bytes) if bytes.capacity() <= LONG => bytes,
            _ => Vec::new(),
        }
    }

    /// Whether the text is long enough to read again. If a game of a stream did not end in a text, it is tried again
    /// only when the text has doubled. So the time stays linear.
    pub(super) fn is_worth_reading(&self, frontier: &Frontier, longest_game: usize) -> bool {
        let length = self.text().bytes.len();
        self.is_last || length >= 2 * frontier.tried || length > longest_game
    }

    /// Stores in the frontier where reading of this block stopped, and the bytes behind that place. The text before it
    /// stays in the block.
    pub(super) fn leave_at(&mut self, left: StopPoint, frontier: &mut Frontier) {
        let resume = left.at;
        frontier.offset = self.offset + resume as u64;
        frontier.within = left.within;
        if resume >= self.until || self.is_last {
            frontier.tried = 0;
            return;
        }
        let length = self.text().bytes.len();
        if resume > 0 || length >= 2 * frontier.tried {
            frontier.tried = length - resume;
        }
        if let BlockBytes::Owned(bytes) = &mut self.bytes {
            if resume > 0 {
                frontier.tail.clear();
                frontier.tail.extend_from_slice(&bytes[resume..self.until]);
                return;
            }
            // The bytes of a game of many blocks are moved to the next block, not copied.
            bytes.truncate(self.until);
            std::mem::swap(bytes, &mut frontier.tail);
        }
    }
}

/// Cuts a database into blocks, in order.
pub(super) struct Blocks<'m> {
    whole: &'m [u8],
    /// The end of the range. The last game that is wanted begins before it.
    until: usize,
    stream: Option<Box<dyn Read + Send>>,
    /// The text of the file behind the stream, if the stream is a range. Reading of the last game may look at it.
    behind: Vec<u8>,
    /// The bytes of a stream that were read behind the last cut.
    carry: Vec<u8>,
    offset: u64,
    /// The kind of text that the next block begins in, judged by the byte before it.
    pub(super) within: LexState,
    ticket: u64,
    is_ended: bool,
    form: Form,
    cuts: Cuts,
    pub(super) failure: Option<io::Error>,
}

impl<'m> Blocks<'m> {
    /// Returns the place where reading begins.
    pub(super) fn frontier(&self) -> Frontier {
        Frontier { offset: self.offset, within: self.within, ..Frontier::default() }
    }

    pub(super) fn new(whole: Option<&'m Database>, stream: Option<OpenStream>, form: Form, cuts: Cuts) -> Self {
        let range = whole.map_or(0..0, Database::range);
        let is_ended = stream.is_none() && range.is_empty();
        let within = LexState::after(whole.and_then(|database| database.before().last().copied()));
        let (offset, within) =
            stream.as_ref().map_or((range.start as u64, within), |stream| (stream.first, stream.within));
        let (stream, behind) = stream.map(|stream| (stream.text, stream.behind)).unzip();
        Self {
            whole: whole.map_or(&[], Database::bytes),
            until: range.end,
            stream,
            behind: behind.unwrap_or_default(),
            carry: Vec::new(),
            offset,
            within,
            ticket: 0,
            is_ended,
            form,
            cuts,
            failure: None,
        }
    }

    /// Returns the next block with its ticket. A block of a stream is read into `spare`, the memory of a block before.
    ///
    /// A stream may wait for ever, and no other worker gets at the blocks meanwhile. So memory is not given back here
    /// by itself: a worker would have to wait before it delivers its block.
    pub(super) fn next(&mut self, spare: Vec<u8>) -> Option<(u64, Block<'m>)> {
        if self.is_ended {
            return None;
        }
        let block = if self.stream.is_some() { self.next_streamed(spare) } else { self.next_mapped() };
        let ticket = self.ticket;
        self.ticket += 1;
        self.offset += block.until as u64;
        if let Some(last) = block.until.checked_sub(1) {
            self.within = LexState::after(Some(block.text().bytes[last]));
        }
        Some((ticket, block))
    }

    fn next_mapped(&mut self) -> Block<'m> {
        let from = to_index(self.offset);
        let rest = &self.whole[from..];
        let until = self.cut(&rest[..self.until - from]);
        self.is_ended = from + until == self.until;
        // The last game may end anywhere behind the range.
        let reach = if self.is_ended { rest.len() } else { (until + MARGIN).min(rest.len()) };
        Block {
            bytes: BlockBytes::Shared { piece: &rest[..reach], whole: self.whole },
            offset: self.offset,
            within: self.within,
            until,
            is_last: reach == rest.len(),
            form: self.form,
            is_cut_short: false,
        }
    }

    fn next_streamed(&mut self, mut bytes: Vec<u8>) -> Block<'m> {
        let carried = self.carry.len();
        // The bytes of the block before are only memory.
        bytes.resize(bytes.len().max(carried), 0);
        bytes[..carried].copy_from_slice(&self.carry);
        self.carry.clear();
        let wanted = self.wanted() + MARGIN;
        if let Some(stream) = &mut self.stream {
            self.failure = fill(stream, &mut bytes, carried, wanted).err();
        }
        self.is_ended = bytes.len() < wanted;
        let until = if self.is_ended { bytes.len() } else { self.cut(&bytes[..bytes.len() - MARGIN]) };
        self.carry.extend_from_slice(&bytes[until..]);
        if self.is_ended && self.failure.is_none() {
            bytes.append(&mut self.behind);
        }
        let is_cut_short = self.failure.as_ref().is_some_and(cuts_text);
        let Self { offset, within, is_ended, form, .. } = *self;
        Block { bytes: BlockBytes::Owned(bytes), offset, within, until, is_last: is_ended, form, is_cut_short }
    }

    /// Returns how many bytes are needed to find the next cut.
    fn wanted(&self) -> usize {
        match &self.cuts {
            Cuts::Likely(size) => size + size / 2,
            Cuts::At(offsets) => self.next_offset(offsets).map_or(BLOCK, |offset| to_index(offset - self.offset)),
        }
    }

    /// Returns the end of the block that begins with `rest`.
    fn cut(&self, rest: &[u8]) -> usize {
        let likely_start = match self.form {
            Form::Games | Form::Records => likely_start,
            Form::Positions => lists::likely_start,
        };
        let cut = match &self.cuts {
            Cuts::Likely(size) if rest.len() > *size => {
                likely_start(rest, *size, size + size / 2).unwrap_or(size + size / 2)
            }
            Cuts::Likely(_) => rest.len(),
            Cuts::At(offsets) => self.next_offset(offsets).map_or(rest.len(), |offset| to_index(offset - self.offset)),
        };
        cut.min(rest.len())
    }

    fn next_offset(&self, offsets: &[u64]) -> Option<u64> {
        offsets.iter().copied().find(|offset| *offset > self.offset)
    }
}

/// Returns the error for a game of a stream that is longer than the limit.
pub(super) fn too_long(frontier: &Frontier, longest: usize) -> io::Error {
    let (line, longest) = (frontier.line + 1, longest / 1024 / 1024);
    io::Error::other(format!(
        "the game on line {line} is longer than {longest} MiB, the limit for streams and compressed files; files that \
         are not compressed have no such limit"
    ))
}

/// Converts an offset to an index. The bytes at the offset are in memory, so the offset fits.
#[expect(clippy::cast_possible_truncation, reason = "the bytes at this offset are addressable")]
fn to_index(offset: u64) -> usize {
    offset as usize
}
