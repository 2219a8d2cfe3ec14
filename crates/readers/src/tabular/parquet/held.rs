//! The memory that the pages of a row group take.
//!
//! A page is decoded as a whole. What it takes counts beyond 16 times its bytes in the file, so that the large pages of
//! large files are read, and those that a small file unfolds to are not.

use std::sync::{Mutex, MutexGuard, PoisonError};

use parquet::errors::{ParquetError, Result};

use pgn2fen_bytes::{Budget, Share};

/// The most bytes of the pages of a row group from which a few rows are read, beyond [`USUAL`] times their bytes in the
/// file; and of the row groups that are read ahead of the first one.
pub(super) const MOST: usize = 64 * 1024 * 1024;

/// The number of bytes for each byte of the file that do not count. Texts of games are compressed to a third.
const USUAL: usize = 16;

/// The memory that the pages of a row group take.
pub(super) struct Held {
    share: Share,
    /// The bytes of each leaf.
    leaves: Mutex<Vec<Pages>>,
}

/// The bytes that the pages of a leaf take.
#[derive(Clone, Copy, Default)]
struct Pages {
    dictionary: usize,
    /// The pages of the rows that are loaded, before the last one.
    before: usize,
    last: usize,
}

impl Held {
    /// Creates the account of the next row group.
    pub(super) fn new(budget: &Budget) -> Self {
        Self { share: budget.share(), leaves: Mutex::default() }
    }

    /// Returns the number of another leaf.
    pub(super) fn leaf(&self) -> usize {
        let mut leaves = self.lock();
        leaves.push(Pages::default());
        leaves.len() - 1
    }

    /// Gives back what the rows before took, except for the page that is still being read.
    pub(super) fn begin_rows(&self, leaf: usize) -> Result<()> {
        self.change(leaf, |pages| pages.before = 0)
    }

    /// Takes the memory of the next page of a leaf: `bytes`, from so many bytes in the file.
    pub(super) fn take(&self, leaf: usize, is_dictionary: bool, bytes: usize, in_file: usize) -> Result<()> {
        let counted = bytes.saturating_sub(in_file.saturating_mul(USUAL));
        self.change(leaf, |pages| {
            if is_dictionary {
                pages.dictionary = pages.dictionary.saturating_add(counted);
            } else {
                pages.before = pages.before.saturating_add(pages.last);
                pages.last = counted;
            }
        })
    }

    /// Takes more memory for the page that was taken last.
    pub(super) fn take_more(&self, leaf: usize, is_dictionary: bool, bytes: usize) -> Result<()> {
        self.change(leaf, |pages| {
            let part = if is_dictionary { &mut pages.dictionary } else { &mut pages.last };
            *part = part.saturating_add(bytes);
        })
    }

    fn change(&self, leaf: usize, change: impl FnOnce(&mut Pages)) -> Result<()> {
        let mut leaves = self.lock();
        change(&mut leaves[leaf]);
        let parts = leaves.iter().flat_map(|pages| [pages.dictionary, pages.before, pages.last]);
        let total = parts.fold(0, usize::saturating_add);
        if total > MOST {
            let most = MOST / 1024 / 1024;
            let reason = format!(
                "the pages of a few rows take more than {most} MiB and {USUAL} times their bytes in the file; write \
                 smaller pages"
            );
            return Err(ParquetError::General(reason));
        }
        self.share.hold(total);
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Pages>> {
        self.leaves.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
