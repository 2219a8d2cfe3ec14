//! Why a symbol is not a move here.

use std::error::Error;
use std::fmt::{self, Display, Formatter};

/// Why no move could be found for a symbol, in the words of chess.
///
/// It is a box, because the result that carries it is returned once a ply: two words go through registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SanError(Box<(SanErrorKind, String)>);

impl SanError {
    pub(super) fn new(kind: SanErrorKind, reason: impl Into<String>) -> Self {
        Self(Box::new((kind, reason.into())))
    }

    /// What sort of error it is.
    pub fn kind(&self) -> SanErrorKind {
        self.0.0
    }
}

impl Display for SanError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.1)
    }
}

impl Error for SanError {}

/// The sorts of [`SanError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SanErrorKind {
    /// The symbol is not a move at all.
    BadSan,
    /// It is a move, but not here.
    IllegalMove,
    /// It is more than one move.
    AmbiguousMove,
}
