//! The replacement for the decoders if the feature `compress` is disabled.

use std::io;

use crate::database::format::{Decode, Format};

/// Returns an error for every compressed file.
pub(super) fn decoder(format: Format) -> io::Result<Box<dyn Decode>> {
    let reason = format!("compressed with {}, which cannot be read without the feature `compress`", format.name());
    Err(io::Error::new(io::ErrorKind::Unsupported, reason))
}
