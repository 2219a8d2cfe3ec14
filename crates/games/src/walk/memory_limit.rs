//! The limit of the memory for positions that were seen.

use std::error::Error;
use std::fmt;
use std::io;

/// The reason of an error: the different positions of a run take more memory than they may. See
/// `Rows::unique_within` of the crate `pgn2fen-rows`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryLimit {
    pub(super) positions: usize,
    /// The limit in bytes.
    pub(super) memory: usize,
}

impl MemoryLimit {
    /// Whether this is the reason of an error. An error of the kind [`OutOfMemory`](io::ErrorKind::OutOfMemory) may
    /// also come from the system.
    pub fn is_reason_of(error: &io::Error) -> bool {
        error.get_ref().is_some_and(<dyn Error + Send + Sync>::is::<Self>)
    }
}

impl fmt::Display for MemoryLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} different positions take more than {} bytes of memory", self.positions, self.memory)
    }
}

impl Error for MemoryLimit {}

impl From<MemoryLimit> for io::Error {
    fn from(limit: MemoryLimit) -> Self {
        Self::new(io::ErrorKind::OutOfMemory, limit)
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::MemoryLimit;

    #[test]
    fn the_limit_is_told_from_a_system_without_memory() {
        let limit = io::Error::from(MemoryLimit { positions: 3, memory: 16 });
        assert_eq!(limit.kind(), io::ErrorKind::OutOfMemory);
        assert_eq!(limit.to_string(), "3 different positions take more than 16 bytes of memory");
        assert!(MemoryLimit::is_reason_of(&limit));
        let others = [io::ErrorKind::OutOfMemory.into(), io::Error::new(io::ErrorKind::OutOfMemory, "no memory")];
        assert!(!others.iter().any(MemoryLimit::is_reason_of));
    }
}
