//! The limit of the memory for positions that were seen, and sizes of memory.

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

const NOT_A_SIZE: &str = "not a size; write 256M or 2G";

/// Parses a size such as `256M` or `2G`. Units are powers of 1024.
///
/// # Errors
///
/// The text is not a size.
pub fn parse_size(text: &str) -> Result<usize, String> {
    let digits = text.trim_end_matches(|char: char| char.is_ascii_alphabetic());
    let unit = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" | "kib" => 1 << 10,
        "m" | "mb" | "mib" => 1 << 20,
        "g" | "gb" | "gib" => 1 << 30,
        _ => return Err(NOT_A_SIZE.to_owned()),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(NOT_A_SIZE.to_owned());
    }
    let number: Option<usize> = digits.parse().ok();
    number.and_then(|number| number.checked_mul(unit)).ok_or_else(|| "more than any machine has".to_owned())
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::{MemoryLimit, parse_size};

    #[test]
    fn a_size_is_a_number_with_a_unit() {
        for (text, size) in [("0", 0), ("100000KiB", 100_000 << 10), ("256M", 256 << 20), ("2g", 2 << 30)] {
            assert_eq!(parse_size(text), Ok(size), "{text}");
        }
        for wrong in ["", "M", "256X", "-1G", "1.5G", "99999999999G"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }

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
