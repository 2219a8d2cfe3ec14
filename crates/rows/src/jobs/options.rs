//! The options of jobs by their names, as people write them: `tags`, `plies`, `unique`.
//!
//! [`JobOptions`] takes names and values as text, for programs that get them from elsewhere: from another language, a
//! query, or a form on a page. It says what is wrong in words that name the option, also where two options do not go
//! together. [`StartsOptions`] does the same for lists of starting positions. A program in Rust uses the methods of
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
//! assert_eq!(error.to_string(), "there is no option 'skip_check'; did you mean skip_checks?");
//! let error = options.set("start", "here").unwrap_err();
//! assert_eq!(error.to_string(), "start is 'here', but must be one of any, standard, nonstandard");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The options
//!
//! They are those of `scan` of the Python package, and mean the same. An option marked with + may be given several
//! times, and each time adds a value; the last value of any other option counts. The values of options that are on or
//! off are `true` and `false`.
//!
//! | option | value |
//! |---|---|
//! | `columns` | names with commas, such as `game,ply,san,fen`; with wildcards, such as `White*` |
//! | `per` | `position`, `game`: what a row is made of |
//! | `batch_rows` | the most rows of a record batch or block |
//! | `tags` + | a [filter](pgn2fen_games::selection::TagFilter) such as `WhiteElo>=2200`; all must hold |
//! | `names` | the path of a [names file](pgn2fen_games::players#the-names-file) |
//! | `start` | `any`, `standard`, `nonstandard` |
//! | `opening` + | [a part of a name, or an ECO code](pgn2fen_games::selection::OpeningFilter); one must fit |
//! | `reached` + | a FEN, or moves such as `1. e4 c5`; one must have been reached |
//! | `length` | the number of plies of the main line, such as `40..` |
//! | `max_games` | a number |
//! | `on_error` | `keep`, `drop`, `stop`, `raise`: see [`raises`](JobOptions::raises) |
//! | `plies` | [ranges](pgn2fen_games::selection::PlyRanges) such as `8..20` |
//! | `skip_start`, `skip_checks`, `skip_captures` | on or off |
//! | `every` | a number of plies |
//! | `sample`, `seed` | a share from 0 to 1; a number |
//! | `unique`, `memory` | on or off; a [size](pgn2fen_games::walk::parse_size) such as `2G` |
//! | `variations` | on or off |
//! | `turn` | `w`, `b` |
//! | `pieces` | a number of pieces, or a range such as `3..5` |
//! | `max_eval` | a number of centipawns |
//! | `material` + | [pieces](pgn2fen_games::selection::Material) such as `KRP:KR` |
//! | `pattern` + | a [board with wildcards](pgn2fen_games::selection::BoardPattern) |
//! | `pawns` + | a [pawn structure](pgn2fen_games::selection::PawnStructure) |
//! | `colors` | `either`, `given`: whether White and Black of a shape may be exchanged |
//! | `mirror` | on or off |
//! | `for_plies` | a number of plies |
//! | `ep`, `castling`, `fields` | `always`, `xfen`, `legal`; `xfen`, `shredder`; `6`, `4` |
//! | `lang` | the language of the piece letters, such as `de` |
//! | `setup` | `auto`, `strict`, `ignore` |
//! | `encoding` | a name such as `windows-1251`, or `auto` |
//! | `evals` | `auto`, `lichess`, `engine`, `tcec` |
//! | `movetext` | the column with the moves, in tables of games |
//! | `verbose` | on or off: whether repeated warnings of a game are reported |
//!
//! # Inside
//!
//! - `job`, `starts`: the options of rows, and those of lists of starting positions
//! - `words`, `error`: values that are words; the error

mod error;
mod job;
mod starts;
mod words;

pub use crate::jobs::options::error::OptionError;
pub use crate::jobs::options::job::JobOptions;
pub use crate::jobs::options::starts::StartsOptions;
#[doc(hidden)]
pub use crate::jobs::options::words::{
    castling_style, choose, encoding, ep_style, evals, fields, letters, parsed, reached, setup, start, turn,
};
