//! A part of a run: the postings in a range of keys, and the moves that were played there, in two files.

use std::path::Path;

use crate::error::IndexError;
use crate::flush::Flusher;
use crate::record::Record;
use crate::sizes::Sizes;
use crate::spill::BUCKETS;
use crate::table::{TableWriter, Written};
use crate::tally::PositionTally;
use crate::{moves_table, postings_table};

/// The greatest number of parts.
const MOST: u64 = 64;

/// Returns the number of parts for so many postings: a power of two.
pub(super) fn parts_for(postings: u64, sizes: &Sizes) -> usize {
    let parts = postings.div_ceil(sizes.part).clamp(1, MOST).next_power_of_two();
    usize::try_from(parts).unwrap_or(1)
}

/// Returns the buckets of a part.
pub(super) fn buckets_of(part: usize, parts: usize) -> std::ops::Range<usize> {
    let buckets = BUCKETS / parts;
    part * buckets..(part + 1) * buckets
}

/// Returns the part with the postings of this bucket.
pub(super) fn part_of(bucket: usize, parts: usize) -> usize {
    bucket / (BUCKETS / parts)
}

/// Returns the names of the two files of a part.
pub(super) fn file_names(part: usize) -> [String; 2] {
    ["postings", "moves"].map(|table| format!("{table}-{part:02}.parquet"))
}

/// Writes a part from sorted records.
pub(super) struct PartWriter {
    postings: TableWriter,
    moves: TableWriter,
    records: Vec<Record>,
    rows: Vec<moves_table::Row>,
    position: PositionTally,
    sizes: Sizes,
}

impl PartWriter {
    /// Creates the files of a part in the folder of its run.
    pub(super) fn create(folder: &Path, part: usize, sizes: &Sizes) -> Result<Self, IndexError> {
        let [postings, moves] = file_names(part);
        Ok(Self {
            postings: TableWriter::create(&folder.join(postings), &postings_table::LAYOUT, sizes.postings)?,
            moves: TableWriter::create(&folder.join(moves), &moves_table::LAYOUT, sizes.moves)?,
            records: Vec::new(),
            rows: Vec::new(),
            position: PositionTally::default(),
            sizes: *sizes,
        })
    }

    /// Adds the next record. If it is counted, `complete` adds the facts of its game, unless the record has them
    /// already.
    #[inline]
    pub(super) fn push(&mut self, record: Record, complete: impl Fn(Record) -> Record) -> Result<(), IndexError> {
        if self.position.is_over(record) {
            self.end_position()?;
        }
        self.position.add(record, complete);
        self.records.push(record);
        if self.records.len() == self.sizes.postings.group_rows {
            self.write_postings()?;
        }
        Ok(())
    }

    fn end_position(&mut self) -> Result<(), IndexError> {
        if let Some((first, moves)) = self.position.end(2) {
            self.rows.extend(moves.map(|played| (first.key, played.count)));
        }
        if self.rows.len() >= self.sizes.moves.group_rows { self.write_moves() } else { Ok(()) }
    }

    fn write_postings(&mut self) -> Result<(), IndexError> {
        postings_table::write(&mut self.postings, &self.records)?;
        self.records.clear();
        Ok(())
    }

    fn write_moves(&mut self) -> Result<(), IndexError> {
        moves_table::write(&mut self.moves, &mut self.rows)?;
        self.rows.clear();
        Ok(())
    }

    /// Ends the two files: the postings and the moves.
    pub(super) fn end(mut self, flusher: &Flusher) -> Result<[Written; 2], IndexError> {
        self.end_position()?;
        if !self.records.is_empty() {
            self.write_postings()?;
        }
        if !self.rows.is_empty() {
            self.write_moves()?;
        }
        Ok([self.postings.end(flusher)?, self.moves.end(flusher)?])
    }
}

#[cfg(test)]
mod tests {
    use super::{buckets_of, part_of, parts_for};
    use crate::sizes::Sizes;
    use crate::spill::BUCKETS;

    #[test]
    fn parts_follow_from_the_number_of_postings() {
        const PART: u64 = Sizes::USUAL.part;
        let parts = [0, 1, PART, PART + 1, 15 * PART, u64::MAX].map(|postings| parts_for(postings, &Sizes::USUAL));
        assert_eq!(parts, [1, 1, 1, 2, 16, 64]);
    }

    #[test]
    fn every_bucket_lies_in_one_part() {
        for parts in [1, 2, 64] {
            let mut buckets = (0..parts).flat_map(|part| buckets_of(part, parts).map(move |bucket| (bucket, part)));
            assert!(buckets.clone().all(|(bucket, part)| part_of(bucket, parts) == part));
            assert!(buckets.clone().map(|(bucket, _)| bucket).eq(0..BUCKETS), "{:?}", buckets.next());
        }
    }
}
