//! How messages name options.

use pgn2fen_spec::Dialect;

/// How messages name options.
pub(crate) const DIALECT: Dialect = Dialect::Python;
