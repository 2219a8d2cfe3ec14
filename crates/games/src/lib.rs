//! Reads games of chess from PGN as real files have it, and plays them over: starts each game where its SetUp, FEN and
//! Variant tags say, by the rules of chess and Chess960.
//!
//! ```text
//! bytes ──► games ──► tags │ tokens ──► replay ──► positions
//! ```
//!
//! The games of a [`Database`] borrow its bytes, and are read only as far as a program asks. This program plays the
//! main lines and passes over everything else. An error ends one game, and the loop goes on with the next:
//!
//! ```
//! use pgn2fen_games::{Database, Diagnostic, Game};
//!
//! fn print(game: &Game<'_>) -> Result<(), Diagnostic> {
//!     println!("{}", game.tag("White").unwrap_or_default());
//!     let mut replay = game.replay()?;
//!     while let Some(ply) = replay.next_ply() {
//!         println!("{} {}", ply?, replay.position());
//!     }
//!     Ok(())
//! }
//!
//! let database = Database::from(b"[White \"Steinitz\"]\n\n1. e4! {best by test} (1. d4 d5) 1... c5 *".to_vec());
//! for game in database.games() {
//!     if let Err(error) = print(&game) {
//!         eprintln!("{error}");
//!     }
//! }
//! ```
//!
//! It prints the name, and a line for each of the two moves of the main line:
//!
//! ```text
//! Steinitz
//! e4 rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1
//! c5 rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2
//! ```
//!
//! [`Database::open`] maps a file, compressed or not.
//!
//! # Variations, comments and glyphs
//!
//! [`Game::moves`] gives everything in a game, in the order of the text. The moves of a variation stand between
//! [`Event::VariationStart`] and [`Event::VariationEnd`]. `examples/tree.rs` rebuilds the tree of a game from them.
//!
//! ```
//! use pgn2fen_games::{Database, Event};
//!
//! let database = Database::from(b"1. e4! {best by test} (1. d4 d5) 1... c5 *".to_vec());
//! let mut events = Vec::new();
//! for game in database.games() {
//!     let mut moves = game.moves()?;
//!     while let Some(event) = moves.next() {
//!         events.push(match event? {
//!             Event::Move(ply) => format!("{ply}, move {}", moves.before().fullmoves()),
//!             Event::Comment(comment) => comment.decode().into_owned(),
//!             Event::Nag(nag) => format!("${nag}"),
//!             Event::VariationStart => "(".to_owned(),
//!             Event::VariationEnd => ")".to_owned(),
//!             _ => continue,
//!         });
//!     }
//! }
//! assert_eq!(events, ["e4, move 1", "$1", "best by test", "(", "d4, move 1", "d5, move 1", ")", "c5, move 1"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # On all cores
//!
//! [`Workers::map`] calls a closure for every game and gives the results in the order of the file, in bounded memory:
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
//! # What to use
//!
//! | you want | look at |
//! |---|---|
//! | the games of a file, their tags, moves, comments and variations | [`Database::games`], [`Game`] |
//! | whole games from any files, one after another, read ahead on other threads | [`stream::GameReader`] |
//! | a closure over all games, on all cores | [`Workers::map`] |
//! | filters on tags, openings, material, patterns of pieces, pawns | [`selection`] |
//! | a game as PGN in the export format of the standard | [`export::Exporter`] |
//! | what is wrong in a file, and where | [`walk::Check`] |
//! | what cannot be right in the games of a tournament | [`tournament::TournamentCheck`] |
//! | diagnostics in words | [`messages`] |
//! | players under several names, and the names in games | [`players`] |
//! | positions as people type and paste them | [`typed`] |
//!
//! # Features
//!
//! | feature | |
//! |---|---|
//! | `compress` (default) | reads files that are compressed with zstd, gzip or bzip2 |
//! | `encodings` (default) | reads text in all encodings; without it, text that is not UTF-8 is read as Windows-1252 |
//! | `variants` (default) | plays the variants of Lichess; without it, their games are errors |
//! | `zip` (default) | reads the members of zip archives |
//! | `names` | compares names of players without regard to accents; without it, only without regard to case |
//! | `records` | reads puzzles and evaluations of Lichess, and games in JSON |
//! | `scid` | reads Scid databases |
//! | `chessbase` | reads ChessBase databases |
//! | `tables` | reads games in the rows of Parquet and Arrow files |
//! | `training` | reads training data of neural networks: binpack, viriformat and bulletformat |
//! | `serde` | makes the tree of a game serializable |
//!
//! # Other crates
//!
//! | for | take |
//! |---|---|
//! | the rules alone: positions, moves, FEN, SAN | `pgn2fen-chess` |
//! | rows of positions in a file or as Arrow record batches, copies of games | `pgn2fen-rows` |
//! | an index: the games that reached a position, what was played there | `pgn2fen-index` |
//!
//! [The library](https://github.com/pgn2fen/pgn2fen/blob/main/docs/library.md) lists all crates, with a program
//! for each.

pub mod messages;
pub mod parallel;
pub mod players;
pub mod stream;
pub mod tournament;
pub mod walk;

pub use crate::parallel::Workers;
pub use pgn2fen_filters as selection;
#[doc(no_inline)]
pub use pgn2fen_filters::typed;
pub use pgn2fen_pgn as pgn;
pub use pgn2fen_pgn::diagnostic::Diagnostic;
pub use pgn2fen_pgn::games::Game;
pub use pgn2fen_pgn::replay::{Event, Moves, Ply};
pub use pgn2fen_pgn::results::Results;
pub use pgn2fen_pgn::{diagnostic, export, judgement, replay};
pub use pgn2fen_sources::{Database, Source};

/// The sources of databases: mapped files, memory and streams, compressed or not; files of other kinds, read as PGN.
pub mod database {
    pub use pgn2fen_bytes::{Damage, Fault, Meter, PositionedFile, RandomAccess, RandomReader, remote};
    #[cfg(all(feature = "chessbase", not(target_family = "wasm")))]
    pub use pgn2fen_readers::ChessBaseError;
    #[cfg(all(feature = "scid", not(target_family = "wasm")))]
    pub use pgn2fen_readers::ScidError;
    pub use pgn2fen_readers::{
        Archive, ArchiveError, ArchiveMember, Foreign, ForeignError, TableError, archive_of, companions, is_guarded,
    };
    pub use pgn2fen_sources::{Before, Database, Source, SourceOptions};

    #[doc(hidden)]
    pub use pgn2fen_bytes::map::Mapped;
    #[doc(hidden)]
    pub use pgn2fen_sources::{OpenStream, Part, ReadAt, Stream, Tile, Tiles};
}
