//! Reads a file at any offset, in blocks that are kept for a while.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared};
use pgn2fen_bytes::RandomAccess;

use crate::locks::lock;
use crate::open::Opened;

/// The size of a block, in bytes.
const BLOCK: u64 = 1 << 20;

/// The most blocks that are kept.
const MOST: usize = 64;

/// The number of blocks that are asked for ahead, where a file is read from one block to the next.
const AHEAD: u64 = 3;

/// A block that is being received, or has been.
type Block = Shared<BoxFuture<'static, Result<Bytes, Arc<io::Error>>>>;

/// The blocks of a file.
pub(crate) struct Blocks {
    opened: Arc<Opened>,
    length: u64,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    /// The blocks by their numbers, and the time of their last use.
    blocks: HashMap<u64, (Block, u64)>,
    /// The number of uses.
    time: u64,
}

impl fmt::Debug for Blocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Blocks").field("opened", &self.opened).finish_non_exhaustive()
    }
}

impl Blocks {
    pub(crate) fn new(opened: Arc<Opened>) -> Self {
        let length = opened.length.unwrap_or(0);
        Self { opened, length, kept: Mutex::default() }
    }

    /// Returns a block, which is asked for if it is not kept. So are the next ones, if the one before it is kept.
    fn block(&self, number: u64) -> io::Result<Block> {
        let mut kept = lock(&self.kept);
        let is_in_order = number > 0 && kept.blocks.contains_key(&(number - 1));
        let block = self.ask(&mut kept, number)?;
        if is_in_order {
            let last = (self.length - 1) / BLOCK;
            for next in (number + 1..=number + AHEAD).take_while(|next| *next <= last) {
                drop(self.ask(&mut kept, next)?);
            }
        }
        Ok(block)
    }

    /// Returns a block, which is asked for if it is not kept.
    fn ask(&self, kept: &mut Kept, number: u64) -> io::Result<Block> {
        kept.time += 1;
        let time = kept.time;
        if let Some((block, last)) = kept.blocks.get_mut(&number)
            && block.peek().is_none_or(Result::is_ok)
        {
            *last = time;
            return Ok(block.clone());
        }
        let opened = Arc::clone(&self.opened);
        let range = number * BLOCK..self.length.min((number + 1) * BLOCK);
        let task = self.opened.core.begin(async move {
            let parts = opened.range(range, None).await?;
            Ok(Bytes::from(parts.concat()))
        })?;
        let block = async move { task.result().await.and_then(|read| read).map_err(Arc::new) }.boxed().shared();
        if kept.blocks.len() >= MOST
            && let Some(oldest) = kept.blocks.iter().min_by_key(|(_, (_, last))| *last).map(|(number, _)| *number)
        {
            kept.blocks.remove(&oldest);
        }
        kept.blocks.insert(number, (block.clone(), time));
        Ok(block)
    }
}

impl RandomAccess for Blocks {
    fn length(&self) -> io::Result<u64> {
        Ok(self.length)
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        if buffer.is_empty() || offset >= self.length {
            return Ok(0);
        }
        let block = self.block(offset / BLOCK)?;
        let bytes = self.opened.core.wait(block)?;
        let bytes = bytes.map_err(|error| io::Error::new(error.kind(), error.to_string()))?;
        // The offset in a block is smaller than its size.
        let bytes = &bytes[usize::try_from(offset % BLOCK).unwrap_or(usize::MAX).min(bytes.len())..];
        let count = bytes.len().min(buffer.len());
        buffer[..count].copy_from_slice(&bytes[..count]);
        Ok(count)
    }
}
