//! Rows that a format has no use for, counted by the reason.

use std::ops::AddAssign;

/// How many rows the format `bullet` leaves out, each for the first reason that holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Their comments have no evaluation.
    pub without_evaluation: u64,
    /// They are evaluated as a mate, and not in centipawns.
    pub mates: u64,
    /// It is not known how their game ended.
    pub without_result: u64,
}

impl LeftOut {
    /// How many rows are left out, whatever the reason.
    pub fn total(self) -> u64 {
        self.without_evaluation + self.mates + self.without_result
    }
}

impl AddAssign for LeftOut {
    fn add_assign(&mut self, more: Self) {
        self.without_evaluation += more.without_evaluation;
        self.mates += more.mates;
        self.without_result += more.without_result;
    }
}
