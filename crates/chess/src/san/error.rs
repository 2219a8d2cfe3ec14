//! The error for a symbol that cannot be resolved to a move.

use std::error::Error;
use std::fmt::{self, Display, Formatter};

/// An error of [`resolve`](crate::san::resolve): no single legal move fits the symbol. The message explains why in
/// chess terms.
///
/// The content is boxed, because the result that carries it is returned for every ply, and a result of two words fits
/// in registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SanError(Box<(SanErrorKind, String)>);

/// The message of a symbol that fits no spelling in any language.
pub(super) const NO_MOVE: &str = "not a move";

impl SanError {
    #[doc(hidden)]
    pub fn new(kind: SanErrorKind, reason: impl Into<String>) -> Self {
        Self(Box::new((kind, reason.into())))
    }

    /// Whether nothing more is known than that the symbol is not a move.
    pub(super) fn is_no_move(&self) -> bool {
        self.0.1 == NO_MOVE
    }

    /// Returns the kind of the error.
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

/// The kinds of [`SanError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SanErrorKind {
    /// The symbol is not a move.
    BadSan,
    /// The symbol is a move that is not legal in the position.
    IllegalMove,
    /// The symbol fits two or more legal moves.
    AmbiguousMove,
}
