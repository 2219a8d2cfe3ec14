//! The text of PGN: games, tags and movetext, as they are written; games played over, and written anew.
//!
//! The modules of the text read bytes and do not know the board. [`san`](pgn2fen_chess::san) reads the meaning of a
//! move, and [`replay`] connects both. The text is read by the grammar in §18 of the [PGN standard], and blank lines
//! have no meaning. Text that breaks the standard is read as well, with a warning about each fault.
//!
//! Text and replay are one crate, because a game is framed and played by the same tokens, in one loop that is compiled
//! as one unit. The crate reads text in memory: the crate `pgn2fen-games` has files, filters and threads.
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
//! use pgn2fen_pgn::games::Games;
//! use pgn2fen_pgn::token::Token;
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
//!
//! # Inside
//!
//! - `lexical`: white space, line breaks, comments; the limit on look-ahead
//! - `eight_bytes`: searches text eight bytes at a time
//! - `tag_kind`, `date`, `time_control`, `speed`: the types of tags; dates, ratings, numbers, time controls and the
//!   speeds that follow from these
//! - `decimal`: decimal numbers, such as seconds
//! - `tags`, `tag_pair`: the tag section; one tag pair, and the repair of a broken one
//! - `token`: the elements of movetext, one production each
//! - `symbol`: the symbols of movetext: where they end, which have the shape of a move, which are marks
//! - `result`: what the text of a result means: termination markers and Result tags
//! - `apart`: moves whose parts stand apart: `O - O`, `N(b1)c3`
//! - `movetext`: the movetext section as tokens, and where a game ends
//! - `movetext/fast`: fast paths through movetext, and the bytes that each may skip
//! - `absent`: comments and variations that a game certainly does not have
//! - `movetext/strays`, `movetext/nested`: a tag pair behind stray text; where the variations in a variation end
//! - `tags/lost_brace`: comments in which games seem to begin
//! - `chunk`, `sections`, `between`: a part of a database, with the context of its first byte; the sections of a game
//!   in it; the text between two games
//! - `games`, `game`, `reader`: a database as games, and likely places for a cut; one game, its tags and its end; games
//!   of a text that may end within a game
//! - `annotation`: evaluations and clocks in comments: the kinds of comments, `[%eval …]` and `[%clk …]`, those of
//!   engine matches and of TCEC
//! - `edit`, `written_tag`, `repaired_tags`: changes of the tags and the result of a game; a tag pair as text; dates
//!   and results in the form of the standard
//! - `copies`: games copied so that they read as the same games
//! - `ranges`: the games that begin in a range of bytes; places that are certainly between games
//! - `lists`, `form`: lists of positions: one FEN or EPD on each line; whether a database is such a list
//! - `one_line`, `unreadable`: games with a line for each tag pair; the mark of records that are no games
//! - `encoding`, `plain`: bytes as text; text that is safe for terminals
//! - `diagnostic`, `results`: faults, with their kind, place and reason; numbers of games by result
//! - `replay`, `judgement`: games played over; what evaluations say of a move
//! - `export`: games written anew in the export format
//!
//! A game is framed (its end is found) and played in one pass. `Movetext` gets the bytes from the start of a game's
//! movetext to the end of the text, and finds the end of the game by itself. `Games` skips the same tokens without
//! playing them. So framing and reading cannot disagree about the end of a game.
//!
//! The grammar is recursive: movetext is read to find stray marks in it, and tags are read to find a game in a comment.
//! Such files are below the file that they call (`movetext/strays`, `tags/lost_brace`). No other files depend on one
//! another in a circle.

mod absent;
pub mod annotation;
pub(crate) mod apart;
#[doc(hidden)]
pub mod between;
#[doc(hidden)]
pub mod chunk;
pub mod copies;
pub mod date;
mod decimal;
pub mod diagnostic;
pub mod edit;
mod eight_bytes;
pub mod encoding;
pub mod export;
mod form;
mod game;
pub mod games;
pub mod judgement;
#[doc(hidden)]
pub mod lexical;
pub mod lists;
pub mod movetext;
mod one_line;
pub mod plain;
#[doc(hidden)]
pub mod ranges;
#[doc(hidden)]
pub mod reader;
#[doc(hidden)]
pub mod repaired_tags;
pub mod replay;
pub(crate) mod result;
pub mod results;
mod sections;
pub mod speed;
#[doc(hidden)]
pub mod symbol;
pub mod tag_kind;
#[doc(hidden)]
pub mod tag_pair;
pub mod tags;
pub(crate) mod time_control;
pub mod token;
#[doc(hidden)]
pub mod unreadable;
mod written_tag;
