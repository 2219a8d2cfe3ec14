//! Messages for people about databases: diagnostics in words, warnings summed up, and hints about an output that is
//! smaller than expected.
//!
//! [`FileMessages`] describes the diagnostics of a file, and [`Warnings`] sums up those that are warnings. The
//! functions of this module return text. The program that prints it adds the place and the colours.
//!
//! Text from files, tags and file names may contain control characters and escape sequences that act on a terminal.
//! [`plain`] and [`shown`] replace them. The messages of this module are plain already.
//!
//! ```
//! use pgn2fen_games::Database;
//! use pgn2fen_games::messages::FileMessages;
//! use pgn2fen_games::pgn::encoding::Fallback;
//!
//! let database = Database::from(b"1. e4 e5 2. Qh6 *".to_vec());
//! let messages = FileMessages::new("games.pgn", Fallback::default());
//! let game = database.games().next().expect("there is a game");
//! let error = game.moves()?.find_map(Result::err).expect("there is an error");
//! assert_eq!(messages.describe(&error), "Qh6, ply 3: the white queen on d1 cannot reach h6");
//! # Ok::<(), pgn2fen_games::Diagnostic>(())
//! ```
//!
//! # Inside
//!
//! - `file`, `warnings`: the diagnostics of a file in words; its warnings summed up
//! - `evals`, `hints`, `left_out`: evaluations of another kind than those that were read; warnings about an output that
//!   is smaller than expected, and about rows that a format cannot represent
//! - `message`, `report`, `skipped`: a message with its parts; all messages of a run; inputs that it could not read
//! - `causes`, `counts`: an error with its causes in one line; counts with nouns

mod causes;
mod counts;
mod evals;
mod file;
mod hints;
mod left_out;
mod message;
mod report;
mod skipped;
mod warnings;

use std::path::Path;

use pgn2fen_bytes::remote;

pub use crate::messages::causes::with_causes;
pub use crate::messages::counts::{counted, grouped};
pub use crate::messages::evals::{found_evals, has_mixed_evals, other_evals};
pub use crate::messages::file::{FileMessages, one_range, transcoded};
pub use crate::messages::hints::{Restrictions, missing_tag, nothing, other_rules, references, unread_tags};
#[doc(hidden)]
pub use crate::messages::left_out::left_out;
pub use crate::messages::message::Message;
pub use crate::messages::report::{MOST_LINES, Report, summary};
pub use crate::messages::skipped::Skipped;
#[doc(hidden)]
pub use crate::messages::skipped::in_words;
pub use crate::messages::warnings::Warnings;
#[doc(hidden)]
pub use pgn2fen_pgn::plain::usual;
pub use pgn2fen_pgn::plain::{plain, plain_except};
pub use pgn2fen_spec::quoted;

/// Returns the name of a file for messages. Bytes that are not UTF-8 become U+FFFD. An address loses
/// [what may be secret](pgn2fen_bytes::remote::named).
pub fn shown(path: &Path) -> String {
    pgn2fen_pgn::plain::shown(&remote::named(path))
}
