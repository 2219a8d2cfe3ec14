//! A stream that has begun to be read.

use std::fmt;
use std::io::Read;

use pgn2fen_pgn::chunk::LexState;

/// The text of a stream.
#[doc(hidden)]
pub struct OpenStream {
    pub text: Box<dyn Read + Send>,
    /// The offset of the first byte of the text.
    #[doc(hidden)]
    pub first: u64,
    /// The kind of text at the first byte.
    #[doc(hidden)]
    pub within: LexState,
    /// The first bytes of the text of the file behind this text. They are empty if the file ends with this text.
    #[doc(hidden)]
    pub behind: Vec<u8>,
}

impl fmt::Debug for OpenStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenStream").finish_non_exhaustive()
    }
}
