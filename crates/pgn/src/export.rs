//! Writes games anew in the export format of the PGN standard (§3.2): the same game, whatever its text looked like.
//!
//! A game in this format has:
//!
//! - the seven tags of the roster in their order, with `?` or `????.??.??` for those that are missing, then the other
//!   tags in ASCII order (§8.1), each on a line of its own, with the escapes `\"` and `\\`;
//! - a blank line;
//! - the movetext in lines of at most 79 characters, which are broken only at blanks (§8.2.1): move numbers where the
//!   standard has them (§8.2.2.2), moves in SAN with English letters, glyphs as `$n`, comments in braces, and
//!   variations in parentheses;
//! - the result, and a blank line.
//!
//! Everything is UTF-8, with the line break LF. A game reads back as the same game: the same tags, start, moves,
//! variations, comments, glyphs and result. A game that is written twice is the same to the byte.
//!
//! ```
//! use pgn2fen_pgn::export::{ExportOptions, Exporter, TagChoice};
//! use pgn2fen_pgn::games::Games;
//!
//! let text = b"[White \"Short\"] [Result \"1-0\"]\n1.e2-e4!? e7-e5 (1...c5;Sicilian\n2.Nf3) 2 Ng1f3 1:0";
//! let mut games = Games::new(text);
//! let game = games.next().unwrap();
//!
//! let exporter = Exporter::new(ExportOptions { tags: TagChoice::None, ..ExportOptions::default() });
//! assert_eq!(exporter.to_pgn(&game)?, "1. e4 $5 1... e5 (1... c5 {Sicilian} 2. Nf3) 2. Nf3 1-0\n\n");
//! # Ok::<(), pgn2fen_pgn::diagnostic::Diagnostic>(())
//! ```
//!
//! These things change, because other programs cannot read them, or because the format has no place for them:
//!
//! - Runs of white space in a comment become one blank, and so does each white space in a tag. Other control characters
//!   become U+FFFD. A comment that was written behind `;` and has a `}` in it gets parentheses for its braces.
//! - Comments before and between the tags are written before the tags, each on a line that begins with `;`. They are
//!   comments of no move. If no tags are written, they stand before the first move.
//! - Glyphs before the first move of a line are written behind that move. Variations before the first move of a line
//!   are written behind it, or before the variation that they begin. A variation without a move is written as its
//!   comments.
//! - Text that is no comment of the move behind which it is written gets parentheses for the brackets of commands
//!   (`(%eval 0.3)`), so that no evaluation and no clock is read from it: comments of variations without moves, and the
//!   text behind an error.
//! - A tag that was given twice is written once, with its last value.
//! - Lines that are escaped with `%`, and text without a meaning, are left out. The reader warns about the latter.
//!
//! # Inside
//!
//! - `options`, `exporter`: what is written; one game, from its events to its text
//! - `game_writer`, `given`: a game that a program has made or changed, by calls and as texts
//! - `chapters`: a written game divided into chapters of a Lichess study
//! - `tags`, `movetext`, `comment`, `lines`: the tag section; movetext on one line, its comments, and its lines

mod chapters;
mod comment;
mod exporter;
mod game_writer;
mod given;
mod lines;
mod made;
mod movetext;
mod options;
mod tags;

pub use crate::export::chapters::{ChapterLimits, Divided, append_chapters, split_chapters};
pub use crate::export::exporter::Exporter;
pub use crate::export::game_writer::{GameTags, GameWriter};
#[doc(hidden)]
pub use crate::export::given::{GivenError, annotate_given, write_given};
#[doc(hidden)]
pub use crate::export::made::{append_made, append_start};
pub use crate::export::options::{CommentChoice, ExportOptions, FenComments, TagChoice, WrongTagName};
