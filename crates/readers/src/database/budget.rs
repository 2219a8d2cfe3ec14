//! The limit on the records that are read.
//!
//! Each game has a record of its own, so the records of a database are together no longer than its games file. In a
//! damaged or hostile index, any number of entries may share a record. Then the time would grow with the number of
//! entries times the length of the record, so records are read until their lengths exceed the file by far.

/// The bytes that records may have beyond twice the length of the games file: the longest record is 128 KiB, and a
/// damaged length must not keep other games of a small database from being read.
const SLACK: u64 = 1024 * 1024;

/// The number of bytes of records that may still be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget(u64);

impl Budget {
    /// Returns the budget of a database whose games file has this length.
    pub(crate) fn new(games_length: u64) -> Self {
        Self(games_length.saturating_mul(2).saturating_add(SLACK))
    }

    /// Takes the length of a record. Returns false if the budget has not so much left; then it keeps what it has.
    pub(crate) fn take(&mut self, length: u64) -> bool {
        match self.0.checked_sub(length) {
            None => false,
            Some(rest) => {
                self.0 = rest;
                true
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Budget;

    #[test]
    fn a_record_may_be_read_more_than_once_but_not_any_number_of_times() {
        let mut budget = Budget::new(131_000);
        let read = (0..800).filter(|_| budget.take(131_000)).count();
        assert_eq!(read, 10);
        assert!(!budget.take(1000) && budget.take(500));
    }
}
