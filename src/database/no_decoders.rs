//! Stands in for the decoders where the feature `compress` is off.

use std::io;

use crate::database::format::{Decode, Format};

/// Refuses a compressed file.
pub(super) fn decoder(format: Format) -> io::Result<Box<dyn Decode>> {
    let reason = format!("compressed with {}, which cannot be read without the feature `compress`", format.name());
    Err(io::Error::new(io::ErrorKind::Unsupported, reason))
}
