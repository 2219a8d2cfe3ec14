//! Divides the records of some games into buckets, on any thread.

use crate::error::IndexError;
use crate::record::{Record, Stored};
use crate::spill::{BUCKETS, Spill, bucket_of};

/// Records as bytes, by bucket. The memory is used again.
#[derive(Debug, Default)]
pub(super) struct Scatter(Vec<Vec<u8>>);

impl Scatter {
    /// Adds a record to its bucket.
    #[inline]
    pub(super) fn push(&mut self, record: Record) {
        if self.0.is_empty() {
            self.0.resize_with(BUCKETS, Vec::new);
        }
        self.0[bucket_of(record.key)].extend_from_slice(record.to_bytes().as_flattened());
    }

    /// Moves the records to the buckets of the whole run.
    pub(super) fn move_to(&mut self, spill: &Spill) -> Result<(), IndexError> {
        for (bucket, bytes) in self.0.iter_mut().enumerate() {
            spill.add(bucket, bytes)?;
            bytes.clear();
        }
        Ok(())
    }
}
