//! Turns games in PGN into rows of positions: lines of FEN, CSV, JSON lines, Arrow, Parquet, pictures and training
//! data.
//!
//! [`Rows`] is a builder that does what the command `pgn2fen` does: it sets which games and positions are read, which
//! columns a row has, and which format is written. It reads files on all cores, and writes rows in their order.
//!
//! ```
//! use pgn2fen_games::Database;
//! use pgn2fen_rows::{Format, Rows};
//!
//! let games = b"[White \"Carlsen\"]\n[WhiteElo \"2882\"]\n\n1. e4 {[%eval 0.31]} e5 1-0\n";
//! let rows = Rows::columns("White,ply,san,eval")?.tags("WhiteElo>=2200")?.format(Format::Csv);
//! let (csv, _) = rows.write([Database::from(games.to_vec())], Vec::new())?;
//! assert_eq!(csv, b"White,ply,san,eval\nCarlsen,0,,\nCarlsen,1,e4,31\nCarlsen,2,e5,\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `write` takes paths of files as well, and any [`Write`](std::io::Write). The same rows as Arrow record batches,
//! pulled one after another:
//!
//! ```
//! # #[cfg(feature = "arrow")] {
//! use pgn2fen_games::Database;
//! use pgn2fen_rows::Rows;
//!
//! let games = Database::from(b"1. e4 e5 1-0\n".repeat(100));
//! let mut positions = 0;
//! for batch in Rows::columns("key,game,ply")?.batches([games])? {
//!     positions += batch?.num_rows();
//! }
//! assert_eq!(positions, 300);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What to use
//!
//! | you want | look at |
//! |---|---|
//! | rows of positions | [`Rows`] |
//! | one row for each game, with lists of moves | [`GameRows`] |
//! | the games that pass a filter, as PGN, in one file or many | [`games::Copies`] |
//! | the starting positions that are not the initial one | [`starts::Starts`] |
//! | options as pairs of texts, for other languages | [`options`] |
//! | files in folders, and output files that appear when they are complete | [`files`] |
//! | options by their names, as text | [`options`] |
//!
//! # Features
//!
//! | feature | |
//! |---|---|
//! | `arrow` (default) | Arrow record batches and IPC streams |
//! | `files` (default) | [files on the disk](files); compressed files; temporary files for games in another order |
//! | `parquet` (default) | Parquet files |
//! | `png` | boards as PNG pictures |
//!
//! # Other crates
//!
//! | for | take |
//! |---|---|
//! | games one after another, with moves, comments and variations | `pgn2fen-games` |
//! | an index: the games that reached a position, what was played there | `pgn2fen-index` |
//! | the picture of one position | `pgn2fen-board` |
//!
//! [The library](https://github.com/pgn2fen/pgn2fen/blob/main/docs/library.md) lists all crates, with a program
//! for each.
//!
//! # Inside
//!
//! A `Table` holds the rows of one block of a database, column by column. Any thread encodes a table; the encoded bytes
//! are written in the order of the file. The packages csv-core, serde_json, arrow and parquet implement the formats;
//! this crate gives them the values.
//!
//! **Rows are held in columns** until they are encoded. A value that is the same in all rows of a game is stored once,
//! and only the requested columns are filled. In lines of values (csv, tsv, jsonl), it is also encoded once for each
//! game, with the separators beside it (`formats/lines`). The values that are known when a position is reached (ply,
//! FEN, move, evaluation and so on) are not held in columns there, but written as text at once, with the separators
//! between them (`draft`). The others wait: the numbers of games and lines, which are known only in order; the result;
//! the next move. A row that is dropped is dropped in all columns and drafts, so all options have one path
//! (`text_formats_have_the_cells_of_arrow_for_any_columns_in_any_order`). A row stays open until the move played in its
//! position is known. Evaluations and clocks are parsed from comments in a second reading, so only rows that need them
//! pay for them. Moves are stored in UCI notation, which can be written without the board.
//!
//! **Groups.** A row group of Parquet and a message of Arrow have a fixed number of rows (`group`), wherever the
//! database was cut. Rows of a block that do not fill a group are passed on to the next block. The worker whose block
//! fills a group encodes it. Formats without groups of their own have a group for each block, or several of 8 MiB. A
//! worker encodes 32 MiB of them; the others are encoded when the block is delivered, one after another, so that a
//! large block is never held in its encoded form (`Encoder::deliver`).
//!
//! **An output is written beside its target and locked.** The lock ends with the process, so the next output in the
//! folder knows which temporary files nobody writes any more, and removes them (`files/unfinished`). A file without a
//! name (`O_TMPFILE`) would need no removal, but cannot replace a file in one step, and not all systems have it.
//! Several outputs get their names together: a list of them is on the disk before the first one gets its name, and the
//! next output in the folder finishes what a list says (`files/group`, `files/pending`, `files/abandoned`).
//!
//! The files:
//!
//! - `column`, `sources`, `buffer`: each column with its name, its type and how its values are made; what they are made
//!   of; the values of a column. A new column is an entry in `column`
//! - `columns`, `patterns`: lists of columns, and lists with wildcards
//! - `builder`, `shape`, `format`: the options of the job
//! - `position_rows`, `fens`: a game as rows, or as lines of FEN
//! - `game_rows`, `whole_games`, `game_batches`, `course`: rows of whole games: the options, a game as its row,
//!   batches, lists of moves
//! - `output`, `writing`, `batches`: outputs of rows; a job that writes to one; rows as Arrow record batches, pulled
//! - `table`, `draft`, `drafted`, `short_text`: the rows of a block; parts of lines that are written early, and their
//!   pool; texts that many rows share
//! - `last_move`, `packed`, `material`, `comment`: the move that led to a position; positions in few bytes, for
//!   trainers; texts of columns
//! - `collect`, `group`, `encode`, `encoder`, `encoded`: rows in groups, which any thread encodes
//! - `formats`, `lines`: a file for each format; tables other than positions as text
//! - `shuffle`, `parts`: records in random order, which may be in a temporary file; outputs of several parts
//! - `boards`, `caption`, `page`, `pictures`: the board of a row; its caption; the parts of a page of boards; a picture
//!   file for each row

#[cfg(feature = "arrow")]
mod batches;
mod boards;
mod buffer;
mod builder;
mod caption;
mod collect;
mod column;
mod columns;
mod comment;
mod course;
mod draft;
mod drafted;
mod encode;
mod encoded;
mod encoder;
mod error;
mod fens;
#[cfg(feature = "files")]
pub mod files;
mod format;
mod formats;
#[cfg(feature = "arrow")]
mod game_batches;
mod game_rows;
pub mod games;
mod group;
mod last_move;
mod whole_games;

pub mod lines;
mod material;
pub mod options;
mod output;
mod packed;
pub mod page;
mod parts;
mod patterns;
mod pictures;
mod position_rows;
mod shape;
mod shared;
mod short_text;
mod shuffle;
mod sources;
pub mod starts;
pub(crate) mod table;
mod writing;

#[cfg(feature = "arrow")]
pub use crate::batches::RecordBatches;
pub use crate::boards::{BoardOptions, Orientation};
pub use crate::builder::Rows;
pub use crate::column::Column;
pub use crate::columns::{ColumnError, Columns};
pub use crate::error::{ExportError, RowsError, WriteError};
pub use crate::format::Format;
pub use crate::game_rows::GameRows;
pub use crate::material::append_material;
pub use crate::patterns::ColumnPatterns;
pub use crate::pictures::{FileNames, NameError, PictureFormat, PictureSink};
pub use crate::shape::{Shape, ShapeError};
pub use crate::shuffle::ShuffleOptions;
pub use crate::writing::Writing;

#[cfg(feature = "arrow")]
pub(crate) use crate::batches::{Batching, batch_methods};
pub(crate) use crate::caption::of_starts;
pub(crate) use crate::encoded::EncodedRows;
pub(crate) use crate::fens::FenText;
pub use crate::output::Sink;
pub(crate) use crate::output::{Print, RowOutput, export, export_blocks};
pub(crate) use crate::pictures::{BraceError, NUMBER, Template, album, clean, numbered};
pub use crate::shared::{Shared, SharedWriter};
#[doc(hidden)]
pub use crate::writing::{Close, End, job};
