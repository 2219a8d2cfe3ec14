//! Sizes of memory, as people write them.

use crate::options::{DEFAULT_MEMORY, LEAST_MEMORY};
use pgn2fen_games::walk::parse_size;

/// Parses a size of memory in bytes: `256M`, `2G`, `1500000000`. The units are powers of 1024.
///
/// # Errors
///
/// The text is not a size, or the size is less than [`LEAST_MEMORY`].
pub fn parse_memory(text: &str) -> Result<usize, String> {
    let bytes = parse_size(text)?;
    let least = LEAST_MEMORY >> 20;
    if bytes >= LEAST_MEMORY {
        Ok(bytes)
    } else {
        Err(format!("too small; the minimum is {least}M and the default {}G", DEFAULT_MEMORY >> 30))
    }
}

#[cfg(test)]
mod tests {
    use super::parse_memory;

    #[test]
    fn memory_is_a_number_with_a_unit() {
        assert_eq!(parse_memory("256M"), Ok(256 << 20));
        assert_eq!(parse_memory("2g"), Ok(2 << 30));
        assert_eq!(parse_memory("100000KiB"), Ok(100_000 << 10));
        assert_eq!(parse_memory("67108864"), Ok(64 << 20));
        assert_eq!(parse_memory("1M"), Err("too small; the minimum is 64M and the default 1G".to_owned()));
        for wrong in ["", "M", "256X", "-1G", "1.5G", "99999999999G"] {
            assert!(parse_memory(wrong).is_err(), "{wrong}");
        }
    }
}
