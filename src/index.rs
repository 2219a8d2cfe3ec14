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
//! A [`Builder`] takes the postings (one per position of a game) that a walk makes, divides them into buckets by the top bits of their
//! keys, sorts each bucket in memory and writes the tables. Several runs are merged part by part. An [`Index`] answers in which games a
//! position occurs ([`Index::hits`]), how the games that reached it ended ([`Index::count`]), and which moves were played there
//! ([`Index::explore`]). [`Index::postings`], [`Index::results`] and [`Index::moves`] answer the same questions for a key.
//!
//! The runs of an index can also be built by several processes: see [`Assembly`].
//!
//! Keys are [Polyglot keys](key). The tables store them as signed 64-bit integers with the same bits. A position under the repetition rule
//! may have two keys ([`keys`]); the functions that take a position look up both.
//!
//! ```
//! use std::ops::ControlFlow;
//! use std::path::Path;
//!
//! use pgn2fen::database::{Database, Source};
//! use pgn2fen::index::{BuildOptions, Builder, Index};
//! use pgn2fen::parallel::Workers;
//! use pgn2fen::san::Letters;
//! use pgn2fen::typed::read_position;
//! use pgn2fen::walk::{Job, ReadOptions};
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

pub use crate::index::access::TableAccess;
pub use crate::index::assembly::Assembly;
pub use crate::index::build::Builder;
pub use crate::index::built_run::{BuiltRun, Piece};
pub use crate::index::digest::{Digest, NoDigest};
pub use crate::index::error::IndexError;
pub use crate::index::files::{FileState, IndexedFile};
pub use crate::index::finished::{Built, Finished};
pub use crate::index::game_text::{GameTexts, NoText};
pub use crate::index::games_table::GameColumn;
pub use crate::index::heading::{GameHeading, HeadingView, Headings};
pub use crate::index::indexing::Indexing;
pub use crate::index::info::Info;
pub use crate::index::keys::keys;
pub use crate::index::known::{Handling, Known};
pub use crate::index::lookup::{Games, HitCounter, Index, PositionHits, Postings};
pub use crate::index::memory::{parse_memory, parse_size};
pub use crate::index::names::{real_path, shown};
pub use crate::index::options::{BuildOptions, DEFAULT_MEMORY, LEAST_MEMORY};
pub use crate::index::order::HitOrder;
pub use crate::index::postings::{TAGS, key};
pub use crate::index::postings_table::Hit;
pub use crate::index::progress::Progress;
pub use crate::index::query::{AllGames, FilterCounts, FoundGame, FoundGames, FoundHits, Query, Trouble};
pub use crate::index::relatives::{Relative, relatives};
pub use crate::index::run_builder::{RunBuilder, RunIndexing};
pub use crate::index::source::ReadSettings;
pub use crate::index::spelled::{written_date, written_move};
pub use crate::index::tally::{Explored, MoveCount, Results};
pub use crate::index::unknown_tag::{UnknownTag, check_tags};
pub use crate::index::upkeep::{Relocated, Unreadable, Upkeep, Whereabouts};
pub use crate::index::words::{after_failed_merge, after_failure, unchanged};

pub(crate) use crate::index::{
    by_key::{KeyCount, PlayedMove, PostingChoice},
    game_sides::SideChoice,
    page_cache::PageCache,
    recent::Recent,
    summaries::{GameSummaries, Summary},
    survey::{Lists, Rank, Sighting, Survey, SurveyedMove},
};

#[cfg(all(feature = "internals", feature = "tables"))]
pub(crate) use crate::index::{make::GamePostings, postings::Postings as PostingsOfGames};
