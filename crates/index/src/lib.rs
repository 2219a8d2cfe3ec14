//! An index of positions. It answers which games reached a position, and which moves were played there.
//!
//! `pgn2fen index` builds an index from the command line. This program asks it:
//!
//! ```no_run
//! use pgn2fen_chess::Position;
//! use pgn2fen_index::Index;
//!
//! let index = Index::open("games.idx")?;
//! let position = Position::initial().play_san("e4")?.play_san("c5")?;
//! for played in index.explore(&position)?.moves() {
//!     let next = played.next.map_or("-".to_owned(), |m| m.to_string());
//!     println!("{next}: {} games", played.results.games());
//! }
//! for hit in index.hits(&position)?.take(10) {
//!     println!("game {}", hit?.game);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Other crates
//!
//! | for | take |
//! |---|---|
//! | an opening explorer over HTTP | `pgn2fen-explorer` |
//! | games one after another, without an index | `pgn2fen-games` |
//! | rows of positions | `pgn2fen-rows` |
//!
//! [The library](https://github.com/pgn2fen/pgn2fen/blob/main/docs/library.md) lists all crates, with a program
//! for each.
//!
//! # The files of an index
//!
//! An index is a folder of Parquet files, which any tool for Parquet can read. Each addition of games makes one run:
//!
//! ```text
//! games.idx/
//!   manifest.json               names the files that belong to the index; written last and replaced in one step
//!   lock                        locked by the process that writes
//!   run-000001/
//!     postings-00.parquet …     one row per position of a game: key, game, ply, move, result; sorted by key
//!     moves-00.parquet …        one row per move played in a position: the number of games and their results
//!     games.parquet             one row per game: its place in its file, its starting position, its tags
//! ```
//!
//! # Build
//!
//! A [`Builder`] takes the postings (one per position of a game) that a walk makes, divides them into buckets by the
//! top bits of their keys, sorts each bucket in memory and writes the tables. Several runs are merged part by part. An
//! [`Index`] answers in which games a position occurs ([`Index::hits`]), how the games that reached it ended
//! ([`Index::count`]), and which moves were played there ([`Index::explore`]). [`Index::postings`], [`Index::results`]
//! and [`Index::moves`] answer the same questions for a key.
//!
//! The runs of an index can also be built by several processes: see [`Assembly`].
//!
//! Keys are [Polyglot keys](key). The tables store them as signed 64-bit integers with the same bits. A position under
//! the repetition rule may have two keys ([`keys`]); the functions that take a position look up both.
//!
//! ```
//! use std::ops::ControlFlow;
//! use std::path::Path;
//!
//! use pgn2fen_games::database::{Database, Source};
//! use pgn2fen_index::{BuildOptions, Builder, Index};
//! use pgn2fen_games::parallel::Workers;
//! use pgn2fen_chess::san::Letters;
//! use pgn2fen_games::typed::read_position;
//! use pgn2fen_games::walk::{Job, ReadOptions};
//!
//! # let folder = tempfile::tempdir()?;
//! # let folder = folder.path().join("games.idx");
//! let workers = Workers::new(0)?;
//! let mut indexing = Builder::new(&folder, BuildOptions::default(), &workers)?.begin(ReadOptions::default());
//! let games = Database::from(b"1. e4 c5 2. Nf3 1-0\n1. Nf3 c5 2. e4 d6 *\n".to_vec());
//! indexing.read(&workers, Path::new("two games"), Source::Whole(games), &mut ())?;
//! indexing.finish(&workers, &|_, _| ControlFlow::Continue(()))?;
//!
//! let index = Index::open(&folder)?;
//! let sicilian = read_position("1. e4 c5 2. Nf3", &Letters::ENGLISH)?.position;
//! let hits = index.hits(&sicilian)?.collect::<Result<Vec<_>, _>>()?;
//! assert_eq!(hits.iter().map(|hit| (hit.game, hit.ply)).collect::<Vec<_>>(), [(1, 3), (2, 3)]);
//! let explored = index.explore(&sicilian)?;
//! assert_eq!((explored.results().white, explored.results().unknown), (1, 1));
//! assert_eq!(explored.moves()[0].next.map(|next| next.to_string()).as_deref(), Some("d7d6"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Inside
//!
//! ```text
//! walk ──► postings ──► records ──► buckets ──► sorted parts ──► postings, moves
//! on all cores │        24 bytes    256, by the   on all cores   Parquet
//!              │                    top 8 bits
//!              └─ numbered in order ───────────────────────────► games
//! ```
//!
//! A record holds all facts that are counted: key, game, ply, move, result, date and the rating of the player to move.
//! Any worker divides the records of its block and adds them to the buckets, each of which has a lock of its own; their
//! order in a bucket does not matter, because no two records are equal. Games are added to their table in order, and a
//! thread encodes its row groups. Buckets stay in memory while there is room and are then written to temporary files
//! without names, which the system removes however the run ends. A bucket is sorted at once if it fits into memory,
//! else in parts that are merged. So a very common position, which fills a bucket with one key, is no special case.
//! Postings of a key are ordered by game and ply, so the moves of a position are counted in one pass. A game that
//! reaches the position again is counted as one game, and its further moves are recorded (`again_…`), so that moves add
//! up to games.
//!
//! The number of parts depends only on the number of postings, and pages depend only on the rows. So the same games
//! give the same bytes, whether they are indexed at once or added one after another and merged. Merging reads postings
//! in order and counts again. The facts of games that it needs are first written to a temporary file, eight bytes per
//! game.
//!
//! The table `moves` has no rows for positions that only one game reached: the game's posting holds the move, and most
//! positions occur once. All other questions about a common position are answered from the few rows of `moves`, never
//! from its postings.
//!
//! A look-up finds the page of a key in the page index and decodes it, and then decodes one page of each column that is
//! needed. The texts of games and hits are found in pages by code of our own (`table/placed_texts`): the package counts
//! references to each text, which takes longer than decompressing the page.
//!
//! **Locks and the manifest.** The manifest lists the files that belong to the index, and is replaced in one step after
//! everything else is on the disk. One process writes at a time; it holds a lock that ends with the process. The next
//! process that writes removes the files that the manifest does not list. A reader holds a shared lock on each run. A
//! run that is being read is not removed but gets a hidden name (on Windows, which does not rename a folder in which
//! files are open, it keeps its name). So a reader sees the index as it was when it was opened, and a pattern such as
//! `run-*` matches only what belongs to the index. A reader takes its locks, reads the manifest again, and starts again
//! if the manifest was replaced in between.
//!
//! **Many processes.** A coordinator (`Assembly`) holds the lock of the folder. Other processes, on any machine that
//! sees the folder, write runs into the folder of the build (`.run-000002`), each attempt into a new folder with a
//! random name (`RunBuilder`). They take no lock, and each returns a line of JSON: its folder, the sizes and checksums
//! of its tables, and the pieces of files that it read. The coordinator is given the runs that count. It checks that
//! their games and pieces follow one another without a gap, that the files are those that it added, and that the tables
//! are those that were written. Then it renames the runs, publishes one manifest, and removes the folder of the build
//! with every other attempt. So a task that is tried again or speculated adds nothing twice, and a process that comes
//! too late finds no folder to write to. A `Builder` is a coordinator with one run of its own. Game numbers are in the
//! postings, so the number of the first game of each run must be known before it is built: the games of all pieces are
//! counted first, without playing them. The runs are not merged unless asked for, because that is the work of one
//! machine. Until then, the time of a look-up grows with the number of runs: 7 times as long with 8 runs, and 30 times
//! with 32 (500 positions of 32 MB of games; about 0.03 s instead of 0.001 s in a build for tests).
//!
//! **Checksums.** The package `parquet` writes no checksums for pages. Each table has a file beside it
//! (`_postings-00.sums`) with the XXH3 of every 4 KiB of the table; the manifest has the checksum of that file, and its
//! own. A block is verified before the package gets its bytes. So a look-up, a merge and a check get what was written,
//! or an error that names the file and the bytes. The files are 0.2 % larger. An index of an older format without them
//! is refused and must be built again.
//!
//! **Tags of choice.** The manifest names the tags that the index keeps ([`KeptTags`]), and the columns of the games
//! table follow from that list: for each tag the written text, and before it a typed column if the tag is a date, a
//! rating or another number. Games that are added have the same tags, so runs can be merged column by column. A
//! process that builds a run finds the list in the folder of the build.
//!
//! **Maps or reads.** `TableAccess` says how tables are read. A mapped table costs least, and a block is verified once;
//! but if another program truncates the table, a signal ends the process. With reads, every read is verified, so
//! whatever becomes of a file is an error of one look-up. A look-up of one position among 15 million then takes 31 µs
//! instead of 22 (`find -c`), 84 instead of 64 (`-M`); a cache of pages of 16 MiB made that no better. In a request of
//! the server that is 2 to 6 %, so the server reads, and so do the Python package, merges and checks. The command
//! `find` maps, unless it is told not to. At most 160 tables of a process are kept open for reads, and the others are
//! opened for each read (`table/handle`), because an index may have more tables than a process may open files.
//!
//! The files:
//!
//! - `game_postings`, `postings`, `indexing`: a game as its postings, one per position; reads databases into an index
//!   that is being built
//! - `build`, `options`, `finished`: an index that one process builds; its options, its result
//! - `index_output`, `run_writer`, `merge`: games and postings as a run; several runs as one
//! - `assembly`, `run_builder`, `built_run`: an index that several processes build: the coordinator, the others, what
//!   they return
//! - `record`, `scatter`, `spill`, `sort`: 24 bytes per posting, in buckets by key, sorted in bounded memory
//! - `part`, `tally`: sorted records as two tables; the count of moves in a position
//! - `table`, `postings_table`, `moves_table`, `games_table`: tables as Parquet files, read at any row; the columns of
//!   each
//! - `folder`, `manifest`, `flush`, `source`: the lock, the manifest, flushing, the state of source files
//! - `files`, `known`, `digest`, `names`: source files: their places, duplicates, and names (UTF-8 or not)
//! - `file_access`: source files on the disk and in zip archives
//! - `kept_tags`: the tags that an index keeps, from which the columns of its games table follow
//! - `upkeep`, `kept`, `info`: finds moved files, removes files; the size of an index
//! - `open`, `lookup`, `keys`, `hit`, `game_text`: look-ups, and the text of games
//! - `answers`: the rows of answers, as tables show them
//! - `books`: opening books and suites
//! - `summaries`, `kinds`, `survey`, `page_cache`, `recent`, `catalogue`: for the explorer: eight bytes a game in
//!   memory, and one for its speed and start; the best games of a position; caches of bounded memory; the names of
//!   players and the starting positions with their games
//! - `query`, `order`, `unknown_tag`, `heading`: questions with filters; the order of hits; filters on tags that an
//!   index does not keep; the names of games
//! - `relatives`: positions on the same board that may have been meant
//! - `spelled`, `wording`, `memory`: moves, dates and sizes as people write them; messages about files and builds
//! - `error`, `progress`, `sizes`: errors; the progress of long work; the sizes of buffers
//! - `checksum`, `check`: a checksum for every block, which is verified before the block is used
//! - `access`: tables are mapped or read
//! - `by_key`, `key_surveys`, `game_sides`: all positions in the order of their keys, counted or surveyed; which games
//!   count, and for which side

mod access;
mod answers;
mod assembly;
pub mod books;
mod build;
mod built_run;
mod by_key;
mod catalogue;
mod check;
mod checksum;
mod digest;
mod error;
mod file_access;
mod files;
mod finished;
mod flush;
mod folder;
mod game_postings;
mod game_rules;
mod game_sides;
mod game_text;
mod games_table;
mod heading;
mod hit;
mod index_output;
mod indexing;
mod info;
mod kept;
mod kept_tags;
mod key_surveys;
mod keys;
mod kinds;
mod known;
mod lookup;
mod manifest;
mod memory;
mod merge;
mod moves_table;
mod names;
mod open;
mod options;
mod order;
mod page_cache;
mod part;
mod postings;
mod postings_table;
mod progress;
mod query;
mod recent;
mod record;
mod relatives;
mod run_builder;
mod run_writer;
mod scatter;
mod sizes;
mod sort;
mod source;
mod spelled;
mod spill;
mod summaries;
mod survey;
mod table;
mod tally;
#[cfg(test)]
mod tests;
mod unknown_tag;
mod upkeep;
mod wording;

pub use crate::access::TableAccess;
pub use crate::answers::{
    GAME_COLUMNS, GameRow, MOVE_COLUMNS, MoveRow, RESULT_COLUMNS, fen_of, move_names, result_values,
};
pub use crate::assembly::Assembly;
pub use crate::build::Builder;
pub use crate::built_run::{BuiltRun, Piece};
pub use crate::digest::{Digest, NoDigest};
pub use crate::error::IndexError;
pub use crate::files::{FileState, IndexedFile};
pub use crate::finished::{Built, Finished};
pub use crate::game_rules::GameRules;
pub use crate::game_text::{GameTexts, NoText};
pub use crate::games_table::GameColumn;
pub use crate::heading::{GameHeading, HeadingView, Headings};
pub use crate::hit::Hit;
pub use crate::indexing::Indexing;
pub use crate::info::Info;
pub use crate::kept_tags::{KeptTags, TAGS};
pub use crate::keys::keys;
pub use crate::known::{Handling, Known};
pub use crate::lookup::{HitCounter, Index, IndexedGames, PositionHits, Postings};
pub use crate::memory::parse_memory;
pub use crate::names::{real_path, shown};
pub use crate::options::{BuildOptions, DEFAULT_MEMORY, LEAST_MEMORY};
pub use crate::order::HitOrder;
pub use crate::postings::key;
pub use crate::progress::Progress;
pub use crate::query::{AllGames, FilterCounts, FoundGame, FoundGames, FoundHits, Query, QueryWarning};
pub use crate::relatives::{Relative, relatives};
pub use crate::run_builder::{RunBuilder, RunIndexing};
pub use crate::source::ReadSettings;
pub use crate::spelled::{written_date, written_move};
pub use crate::tally::{Explored, MoveCount, Results};
pub use crate::unknown_tag::UnknownTag;
pub use crate::upkeep::{Relocated, Unreadable, Upkeep, Whereabouts};
pub use crate::wording::{after_failed_merge, after_failure, unchanged};

pub(crate) use crate::by_key::{KeyCount, PostingChoice};
pub(crate) use crate::game_sides::SideChoice;
pub(crate) use crate::tally::PlayedMove;

// For the explorer.
#[doc(hidden)]
pub use crate::by_key::Ended;
#[doc(hidden)]
pub use crate::catalogue::Catalogue;
#[doc(hidden)]
pub use crate::key_surveys::{KeyChoice, KeySurvey, SeveralKeys};
#[doc(hidden)]
pub use crate::kinds::{GameKind, GameKinds, StartVariant};
#[doc(hidden)]
pub use crate::page_cache::PageCache;
#[doc(hidden)]
pub use crate::recent::Recent;
#[doc(hidden)]
pub use crate::summaries::{GameSummaries, Summary};
#[doc(hidden)]
pub use crate::survey::{GameHit, Listed, Lists, Rank, Ranked, Ratings, Survey, SurveyedMove};

// For the tests.
#[doc(hidden)]
pub use crate::game_postings::GamePostings;
#[doc(hidden)]
pub use crate::postings::Postings as PostingsOfGames;
