//! A file of training data in blocks, each of which becomes PGN text on its own.

use std::io::{self, Read};

use crate::training::layout::Layout;
use crate::training::piece::Records;
use crate::training::{binpack, bulletformat, viri};
use pgn2fen_bytes::ahead::DecodedPiece;
use pgn2fen_bytes::{Budget, Damage, Fault, Share, fill};
use pgn2fen_trainers::CHUNK_HEADER;

/// The size of a block, in bytes, unless the format has blocks of its own.
const BLOCK: usize = 256 * 1024;

/// The bytes that all chunks which are read ahead of the first one may have. Writers make chunks of 1 MiB.
const BUDGET: usize = 64 * 1024 * 1024;

/// The number of bytes from which on the text that has been made is read before more is made.
const TEXT: usize = 64 * 1024;

/// The blocks of a file, in order.
pub(super) struct Blocks {
    reader: Box<dyn Read + Send>,
    layout: Layout,
    is_nested: bool,
    /// The bytes that were read behind the last block.
    carry: Vec<u8>,
    /// The offset of the bytes that come next.
    offset: u64,
    is_ended: bool,
    /// The error that ended the file. The block before it is read first.
    failure: Option<io::Error>,
    /// The size of a block of games or records.
    size: usize,
    budget: Budget,
}

impl Blocks {
    pub(super) fn new(reader: Box<dyn Read + Send>, layout: Layout, is_nested: bool) -> Self {
        let budget = Budget::new(BUDGET);
        let carry = Vec::new();
        Self { reader, layout, is_nested, carry, offset: 0, is_ended: false, failure: None, size: BLOCK, budget }
    }

    /// Reads until there are so many bytes. Memory grows as they come. Less are the last ones.
    fn fill(&mut self, bytes: &mut Vec<u8>, size: usize) {
        match fill(&mut self.reader, bytes, bytes.len(), size) {
            Ok(()) => self.is_ended = bytes.len() < size,
            Err(error) => (self.failure, self.is_ended) = (Some(error), true),
        }
    }

    /// Ends the file because of a fault at an offset.
    fn fail(&mut self, fault: Fault, offset: u64) {
        let mut damage = Damage::new(fault, self.layout.format(), offset, 0);
        damage.is_nested = self.is_nested;
        self.is_ended = true;
        self.carry = Vec::new();
        // An error of reading is the cause of a file that ends too early.
        self.failure.get_or_insert_with(|| damage.into());
    }

    /// Returns the next chunk of binpack without its header.
    fn chunk(&mut self, share: &Share) -> Option<Block> {
        let mut header = Vec::new();
        self.fill(&mut header, CHUNK_HEADER);
        let at = self.offset;
        if header.is_empty() {
            return None;
        }
        let size = match binpack::chunk_size(&header) {
            Ok(size) => size,
            Err(fault) => {
                let read = if fault == Fault::CutShort { header.len() as u64 } else { 0 };
                self.fail(fault, at + read);
                return None;
            }
        };
        share.hold(size);
        let mut bytes = Vec::new();
        self.fill(&mut bytes, size);
        let offset = at + CHUNK_HEADER as u64;
        self.offset = offset + bytes.len() as u64;
        let is_cut = bytes.len() < size;
        if is_cut {
            self.fail(Fault::CutShort, self.offset);
        }
        Some(Block { bytes, offset, is_cut, append: binpack::chain })
    }

    /// Returns the next block of whole games or records.
    fn block(&mut self) -> Option<Block> {
        let (end, append): (End, Append) = match self.layout {
            Layout::Viri => (viri::end_of_games, viri::game),
            _ => (bulletformat::end_of_records, bulletformat::record),
        };
        let mut bytes = std::mem::take(&mut self.carry);
        let mut size = self.size;
        loop {
            self.fill(&mut bytes, size);
            let whole = end(&bytes).filter(|end| *end > 0);
            let offset = self.offset;
            if self.is_ended {
                self.offset += bytes.len() as u64;
                let is_cut = whole.unwrap_or(0) < bytes.len();
                if is_cut {
                    self.fail(Fault::CutShort, self.offset);
                }
                return (!bytes.is_empty()).then_some(Block { bytes, offset, is_cut, append });
            }
            if let Some(end) = whole {
                self.carry = bytes.split_off(end);
                self.offset += end as u64;
                return Some(Block { bytes, offset, is_cut: false, append });
            }
            if bytes.len() >= viri::LONGEST {
                self.fail(Fault::Corrupt("a game has no end".to_owned()), offset);
                return None;
            }
            size = bytes.len() * 2;
        }
    }
}

impl Iterator for Blocks {
    type Item = io::Result<DecodedPiece>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_ended && self.carry.is_empty() {
            return self.failure.take().map(Err);
        }
        // Blocks of other formats are small.
        let share = self.budget.share();
        let block = if self.layout == Layout::Binpack { self.chunk(&share) } else { self.block() };
        let Some(block) = block else {
            self.is_ended = true;
            return self.failure.take().map(Err);
        };
        Some(Ok(Box::new(BlockText { block, at: 0, text: Vec::new(), read: 0, _share: share })))
    }
}

/// Returns the end of the last whole game or record.
type End = fn(&[u8]) -> Option<usize>;

/// Appends the first chain, game or record as text. Returns its end, or that of what cannot be read.
type Append = fn(Records<'_>, &mut Vec<u8>) -> usize;

/// Bytes of a file that are decoded together.
struct Block {
    bytes: Vec<u8>,
    offset: u64,
    is_cut: bool,
    append: Append,
}

/// The PGN text of a block.
struct BlockText {
    block: Block,
    /// The number of bytes of the block that have become text.
    at: usize,
    text: Vec<u8>,
    /// The number of bytes of the text that have been read.
    read: usize,
    /// The memory of the block in the budget, until the block is dropped.
    _share: Share,
}

impl Read for BlockText {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.read == self.text.len() {
            self.text.clear();
            self.read = 0;
        }
        let Block { bytes, offset, is_cut, append } = &self.block;
        while self.text.len() < TEXT && self.read == 0 && self.at < bytes.len() {
            let records = Records { bytes: &bytes[self.at..], offset: offset + self.at as u64, is_cut: *is_cut };
            self.at += append(records, &mut self.text).max(1);
        }
        let count = (&self.text[self.read..]).read(buffer)?;
        self.read += count;
        Ok(count)
    }
}
