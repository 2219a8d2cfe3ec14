//! The options of jobs by their names, as people write them: `tags`, `plies`, `unique`.
//!
//! [`JobOptions`] takes names and values as text, for programs that get them from elsewhere: from another language, a
//! query, or a form on a page. It says what is wrong in words that refer to the option, also where two options do not
//! go together; [`Dialect::spell`](pgn2fen_spec::Dialect::spell) writes these references as users do.
//! [`StartsOptions`] does the same for lists of starting positions. A program in Rust uses the methods of
//! [`Rows`](crate::Rows), [`GameRows`](crate::GameRows) and [`Starts`](crate::jobs::starts::Starts).
//!
//! ```
//! use pgn2fen_games::Database;
//! use pgn2fen_rows::Format;
//! use pgn2fen_rows::options::JobOptions;
//!
//! let mut options = JobOptions::new();
//! for (name, value) in [("columns", "White,ply,san"), ("tags", "WhiteElo>=2200"), ("plies", "1..")] {
//!     options.set(name, value)?;
//! }
//! let games = b"[White \"Carlsen\"]\n[WhiteElo \"2882\"]\n\n1. e4 e5 1-0\n".to_vec();
//! let (csv, _) = options.rows()?.format(Format::Csv).write([Database::from(games)], Vec::new())?;
//! assert_eq!(csv, b"White,ply,san\nCarlsen,1,e4\nCarlsen,2,e5\n");
//!
//! let error = options.set("skip_check", "true").unwrap_err();
//! assert_eq!(error.to_string(), "there is no option 'skip_check'; did you mean `skip_checks`?");
//! let error = options.set("start", "here").unwrap_err();
//! assert_eq!(error.to_string(), "`start` is 'here', but must be one of any, standard, nonstandard");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The options
//!
//! They are those of `scan` of the Python package, and mean the same. An option that may have several values may be
//! given several times, and each time adds one; the last value of any other option counts. The values of options that
//! are on or off are `true` and `false`.
//!
//! [`pgn2fen_spec::OPTIONS`] is the list of them, with the kinds of their values and their meanings: those of rows are
//! [`JobOptions::NAMES`], and those of starting positions [`StartsOptions::NAMES`].
//!
//! # Inside
//!
//! - `job`, `starts`: the options of rows, and those of lists of starting positions
//! - `named`: what both have in common
//! - `words`, `error`: values that are words; the error

mod error;
mod job;
mod named;
mod question;
mod starts;
mod words;

pub use crate::jobs::options::error::OptionError;
pub use crate::jobs::options::job::JobOptions;
#[doc(hidden)]
pub use crate::jobs::options::job::unknown;
pub use crate::jobs::options::named::{NamedOptions, SetOption};
pub use crate::jobs::options::question::QuestionOptions;
pub use crate::jobs::options::starts::StartsOptions;
#[doc(hidden)]
pub use crate::jobs::options::words::{
    castling_style, choose, encoding, ep_style, evals, fields, is_on, letters, number, parsed, reached, rules, setup,
    start, turn, zero,
};
