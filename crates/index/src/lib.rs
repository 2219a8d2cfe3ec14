//! Job 3: an index of positions. It answers which games reached a position, and which moves were played there.
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

mod access;
mod assembly;
pub mod books;
mod build;
mod built_run;
mod by_key;
mod check;
mod checksum;
mod digest;
mod error;
mod files;
mod finished;
mod flush;
mod folder;
mod game_sides;
mod game_text;
mod games_table;
mod heading;
mod indexing;
mod info;
mod kept;
mod keys;
mod known;
mod lookup;
mod make;
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
mod positioned;
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
mod taking;
mod tally;
mod unknown_tag;
mod upkeep;
mod words;

pub use crate::access::TableAccess;
pub use crate::assembly::Assembly;
pub use crate::build::Builder;
pub use crate::built_run::{BuiltRun, Piece};
pub use crate::digest::{Digest, NoDigest};
pub use crate::error::IndexError;
pub use crate::files::{FileState, IndexedFile};
pub use crate::finished::{Built, Finished};
pub use crate::game_text::{GameTexts, NoText};
pub use crate::games_table::GameColumn;
pub use crate::heading::{GameHeading, HeadingView, Headings};
pub use crate::indexing::Indexing;
pub use crate::info::Info;
pub use crate::keys::keys;
pub use crate::known::{Handling, Known};
pub use crate::lookup::{Games, HitCounter, Index, PositionHits, Postings};
pub use crate::memory::{parse_memory, parse_size};
pub use crate::names::{real_path, shown};
pub use crate::options::{BuildOptions, DEFAULT_MEMORY, LEAST_MEMORY};
pub use crate::order::HitOrder;
pub use crate::postings::{TAGS, key};
pub use crate::postings_table::Hit;
pub use crate::progress::Progress;
pub use crate::query::{AllGames, FilterCounts, FoundGame, FoundGames, FoundHits, Query, Trouble};
pub use crate::relatives::{Relative, relatives};
pub use crate::run_builder::{RunBuilder, RunIndexing};
pub use crate::source::ReadSettings;
pub use crate::spelled::{written_date, written_move};
pub use crate::tally::{Explored, MoveCount, Results};
pub use crate::unknown_tag::{UnknownTag, check_tags};
pub use crate::upkeep::{Relocated, Unreadable, Upkeep, Whereabouts};
pub use crate::words::{after_failed_merge, after_failure, unchanged};

pub(crate) use crate::by_key::{KeyCount, PlayedMove, PostingChoice};
pub(crate) use crate::game_sides::SideChoice;

// For the explorer.
#[doc(hidden)]
pub use crate::page_cache::PageCache;
#[doc(hidden)]
pub use crate::recent::Recent;
#[doc(hidden)]
pub use crate::summaries::{GameSummaries, Summary};
#[doc(hidden)]
pub use crate::survey::{Lists, Rank, Sighting, Survey, SurveyedMove};

// For the tests.
#[doc(hidden)]
pub use crate::make::GamePostings;
#[doc(hidden)]
pub use crate::postings::Postings as PostingsOfGames;
