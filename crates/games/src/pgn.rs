//! The text of PGN: games, tags and movetext, as they are written.
//!
//! This module reads bytes and does not know the board. [`san`](pgn2fen_chess::san) reads the meaning of a move, and
//! [`replay`](crate::replay) connects both. The text is read by the grammar in §18 of the [PGN standard], and blank
//! lines have no meaning. Text that breaks the standard is read as well, with a warning about each fault.
//!
//! ```text
//! <PGN-database> ::= <PGN-game> <PGN-database>            games
//! <PGN-game>     ::= <tag-section> <movetext-section>
//! <tag-section>  ::= <tag-pair> <tag-section>             tags
//! <movetext-section> ::= <element-sequence> <game-termination>   movetext, token
//! ```
//!
//! For every input, the time is linear in the number of bytes, and the size of the stack is constant.
//!
//! ```
//! use pgn2fen_games::pgn::games::Games;
//! use pgn2fen_games::pgn::token::Token;
//!
//! let text = b"[White \"Morphy\"]\n\n1. e4 {best by test} e5 (1... c5) *";
//! let game = Games::new(text).next().unwrap();
//! assert_eq!(game.tags().value("White").unwrap().decode(), "Morphy");
//!
//! let mut movetext = game.movetext();
//! let mut moves = Vec::new();
//! while let Some(token) = movetext.next_mainline() {
//!     if let Token::San(san) = token {
//!         moves.push(san);
//!     }
//! }
//! assert_eq!(moves, [b"e4", b"e5"]);
//! ```
//!
//! [PGN standard]: https://www.saremba.de/chessgml/standards/pgn/pgn-complete.htm

pub mod annotation;
pub(crate) mod apart;
#[doc(hidden)]
pub mod between;
pub mod copies;
pub mod date;
pub mod encoding;
mod game;
pub mod games;
pub(crate) mod lexical;
pub mod lists;
pub(crate) mod lost_brace;
pub mod movetext;
#[doc(hidden)]
pub mod ranges;
#[doc(hidden)]
pub mod reader;
pub(crate) mod result;
pub(crate) mod symbol;
pub mod tag_kind;
pub(crate) mod tag_pair;
pub mod tags;
#[doc(hidden)]
pub mod text;
pub(crate) mod time_control;
pub mod token;
mod words;
