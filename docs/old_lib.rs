//! A FEN for every ply of every game: reads PGN as it is found in the wild, starts each game where its SetUp and FEN
//! tags say, and plays it over by the rules of chess and Chess960.
//!
//! ```text
//! bytes ──► games ──► tags │ tokens ──► replay ──► positions
//! ```
//!
//! | you want | look at |
//! |---|---|
//! | the games of a file, their tags, moves, comments and variations | [`Database::games`], [`Game`] |
//! | whole games from any files, one after another, read ahead on other threads | [`stream::GameReader`] |
//! | a closure over all games, on all cores | [`Workers::map`] |
//! | rows of positions in a file: FEN, CSV, JSON lines, Parquet and others | [`rows::Rows`] |
//! | the same rows as Arrow record batches | [`rows::Rows::batches`](rows::Rows) |
//! | the games that pass a filter, as PGN | [`games::Games`] |
//! | a game as PGN in the export format of the standard | [`export::Exporter`] |
//! | the starting positions that are not the initial one | [`starts::Starts`] |
//! | what is wrong in a file, and where | [`walk::Check`] |
//! | files among folders, and output files that appear when they are complete | [`files`] |
//! | diagnostics in words | [`messages`] |
//! | the games that reached a position, and what was played there | [`Index`] |
//! | opening books of an index: Polyglot books, and positions for matches | [`books`] |
//! | pictures of positions | [`board::Board`] |
//! | an opening explorer of an index, over HTTP | [`serve::Server`] |
//! | the rules of chess alone | [`Position`] |
//! | the names of openings | [`openings`] |
//! | positions and games by material, by a pattern for the board, or by their pawns | [`selection::ShapeFilter`] |
//!
//! # Features
//!
//! `default-features = false` gives the rules, PGN, FEN, SAN, replay, databases and parallel walks with a dozen and a half small
//! packages. These features add the rest: `compress` (databases in zstd, gzip and bzip2), `files` (files in folders, output files), `tables` (rows in formats that are text),
//! `arrow`, `parquet`, `index`, `serve` (an opening explorer of an index over HTTP), and `cli`, which is the default and has the command and everything else.
//!
//! # Games, one after another
//!
//! Games borrow the bytes of their database, which is framed and played in one pass. The events of a game are its moves, comments,
//! glyphs and variations, in the order of the text. `examples/tree.rs` rebuilds the tree of a game from them.
//!
//! ```
//! use pgn2fen_games::{Database, Event};
//!
//! let database = Database::from(b"[White \"Steinitz\"]\n\n1. e4! {best by test} (1. d4 d5) c5 *".to_vec());
//! let mut lines = Vec::new();
//! for game in database.games() {
//!     let white = game.tag("White").unwrap_or_default();
//!     let mut moves = game.moves()?;
//!     while let Some(event) = moves.next() {
//!         match event? {
//!             Event::Move(ply) => lines.push(format!("{white}: {ply} {}", moves.after())),
//!             Event::Comment(comment) => lines.push(comment.decode().into_owned()),
//!             Event::Nag(nag) => lines.push(format!("${nag}")),
//!             Event::VariationStart => lines.push("(".to_owned()),
//!             Event::VariationEnd => lines.push(")".to_owned()),
//!             _ => {}
//!         }
//!     }
//! }
//! assert_eq!(lines[0], "Steinitz: e4 rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
//! assert_eq!(lines[1..4], ["$1", "best by test", "("]);
//! # Ok::<(), pgn2fen_games::Diagnostic>(())
//! ```
//!
//! Where only the positions of the main lines are wanted, [`Replay`](replay::Replay) passes over everything else, and a
//! [`FenWriter`](fen::FenWriter) writes one position after another faster than each alone:
//!
//! ```
//! use pgn2fen_games::Database;
//! use pgn2fen_chess::fen::{FenStyle, FenWriter};
//!
//! let database = Database::from(b"1. e4 c5 2. Nf3 *".to_vec());
//! let mut writer = FenWriter::new(FenStyle::default());
//! let mut lines = Vec::new();
//! for game in database.games() {
//!     let mut replay = game.replay()?;
//!     while let Some(ply) = replay.next_ply() {
//!         ply?;
//!         writer.append(replay.position(), &mut lines);
//!         lines.push(b'\n');
//!     }
//! }
//! assert!(lines.starts_with(b"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\n"));
//! # Ok::<(), pgn2fen_games::Diagnostic>(())
//! ```
//!
//! # On all cores
//!
//! [`Workers::map`] calls a closure for every game of a database and gives the results in the order of the file, in bounded memory:
//!
//! ```
//! use pgn2fen_games::{Database, Event, Workers};
//!
//! let database = Database::from(b"1. e4 d5 2. exd5 1-0\n1. d4 *\n".repeat(500));
//! let mut captures = 0;
//! Workers::new(0)?
//!     .map(&database, |game| {
//!         let is_capture = |event: &_| matches!(event, Ok(Event::Move(ply)) if ply.san.contains(&b'x'));
//!         game.moves().map_or(0, |moves| moves.filter(is_capture).count())
//!     })
//!     .for_each(|count| captures += count)?;
//! assert_eq!(captures, 500);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Rows of positions
//!
//! The builder does what the command `pgn2fen` does: it chooses games, positions and columns, and writes a format.
//!
//! ```
//! use pgn2fen_games::Database;
//! use pgn2fen_rows::{Format, Rows};
//!
//! let games = Database::from(b"[White \"Carlsen\"]\n[WhiteElo \"2882\"]\n\n1. e4 {[%eval 0.31]} e5 1-0\n".to_vec());
//! let rows = Rows::columns("White,ply,san,eval")?.tags("WhiteElo>=2200")?.format(Format::Csv);
//! let (csv, _) = rows.write([games], Vec::new())?;
//! assert_eq!(csv, b"White,ply,san,eval\nCarlsen,0,,\nCarlsen,1,e4,31\nCarlsen,2,e5,\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `write` takes paths of files as well, and any [`Write`](std::io::Write). As record batches, pulled one after another:
//!
//! ```
//! # use pgn2fen_games::Database;
//! # use pgn2fen_rows::Rows;
//! # let games = Database::from(b"1. e4 e5 1-0\n".repeat(100));
//! let mut positions = 0;
//! for batch in Rows::columns("key,game,ply")?.batches([games])? {
//!     positions += batch?.num_rows();
//! }
//! assert_eq!(positions, 300);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # An index
//!
//! `pgn2fen index` and [`index::Builder`] build an index of positions. It answers which games reached a position, and what was played:
//!
//! ```no_run
//! use pgn2fen_chess::Position;
//! use pgn2fen_index::Index;
//!
//! let index = Index::open("games.idx")?;
//! let position = Position::initial();
//! for played in index.explore(&position)?.moves() {
//!     println!("{:?}: {} games", played.next, played.results.games());
//! }
//! for hit in index.hits(&position)?.take(10) {
//!     println!("game {}", hit?.game);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The rules alone
//!
//! ```
//! use pgn2fen_chess::Position;
//!
//! let position: Position = "8/8/8/3k4/8/8/4P3/4K3 w - - 0 1".parse()?;
//! let moves: Vec<String> = position.legal_moves().iter().map(|m| m.to_san(&position)).collect();
//! assert_eq!(moves.len(), 6);
//! assert!(moves.contains(&"e4+".to_owned()));
//!
//! let position = position.play_san("e4+")?;
//! assert_eq!(position.to_string(), "8/8/8/3k4/4P3/8/8/4K3 b - e3 0 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    not(all(feature = "arrow", feature = "parquet", feature = "index", feature = "serve")),
    allow(dead_code, unused_imports, reason = "what the jobs of these features share is compiled without them, too")
)]
#![cfg_attr(
    not(feature = "internals"),
    allow(unreachable_pub, reason = "`internals` makes these items public for the tests")
)]

pub mod board;
#[cfg(feature = "index")]
pub mod books;
pub mod chess;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
pub mod database;
pub mod diagnostic;
pub mod export;
pub mod fen;
#[cfg(feature = "files")]
pub mod files;
#[cfg(feature = "tables")]
pub mod games;
#[cfg(feature = "index")]
pub mod index;
#[cfg(feature = "internals")]
pub mod internals;
pub mod messages;
pub mod notation;
pub mod openings;
pub mod parallel;
pub mod pgn;
pub mod replay;
#[cfg(feature = "tables")]
pub mod rows;
pub mod san;
pub mod selection;
#[cfg(feature = "serve")]
pub mod serve;
#[cfg(feature = "tables")]
pub mod starts;
pub mod stream;
mod tables;
pub mod typed;
pub mod walk;

pub use crate::chess::moves::Move;
pub use crate::chess::position::Position;
pub use crate::database::{Database, Source};
pub use crate::diagnostic::Diagnostic;
#[cfg(feature = "index")]
pub use crate::index::Index;
pub use crate::parallel::Workers;
pub use crate::pgn::games::Game;
pub use crate::replay::{Event, Moves, Ply};

/// The programs of the guide, which are compiled as the examples of this item.
#[cfg(all(doctest, feature = "cli"))]
#[doc = include_str!("../docs/library.md")]
pub mod guide {}
