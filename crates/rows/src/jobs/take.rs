//! What takes encoded rows: a writer of all of them, or of parts.

use std::ops::ControlFlow;

use crate::encode::encoded::Encoded;
use crate::error::WriteError;
use pgn2fen_games::walk::LeftOut;

/// Takes encoded rows, in their order.
pub(crate) trait Take: Send {
    /// Takes rows. Breaks if it takes no more.
    fn take(&mut self, encoded: &mut Encoded) -> ControlFlow<()>;

    /// Whether it takes no more.
    fn is_full(&self) -> bool;

    /// Takes the end of the rows. Returns the numbers of rows that the format left out.
    fn end(self: Box<Self>) -> Result<LeftOut, WriteError>;
}
