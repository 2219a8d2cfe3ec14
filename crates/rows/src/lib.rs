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
//! | options by their names, as text | [`options`] |
//!
//! # Features
//!
//! | feature | |
//! |---|---|
//! | `arrow` (default) | Arrow record batches and IPC streams |
//! | `files` (default) | reads compressed files and files of other kinds; temporary files for games in another order |
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
//! game, with the separators beside it (`encode/formats/lines`). The values that are known when a position is reached
//! (ply, FEN, move, evaluation and so on) are not held in columns there, but written as text at once, with the
//! separators between them (`table/draft`). The others wait: the numbers of games and lines, which are known only in
//! order; the result; the next move. A row that is dropped is dropped in all columns and drafts, so all options have
//! one path
//! (`text_formats_have_the_cells_of_arrow_for_any_columns_in_any_order`). A row stays open until the move played in its
//! position is known. Evaluations and clocks are parsed from comments in a second reading, so only rows that need them
//! pay for them. Moves are stored in UCI notation, which can be written without the board.
//!
//! **Groups.** A row group of Parquet and a message of Arrow have a fixed number of rows (`table/group`), wherever the
//! database was cut. Rows of a block that do not fill a group are passed on to the next block. The worker whose block
//! fills a group encodes it. Formats without groups of their own have a group for each block, or several of 8 MiB. A
//! worker encodes 32 MiB of them; the others are encoded when the block is delivered, one after another, so that a
//! large block is never held in its encoded form (`Encoder::deliver`).
//!
//! # The files
//!
//! - `format`, `shape`, `error`: the formats; which formats and columns go together; errors
//! - `columns`: a list of columns. `column` has each column with its name, its type and how its values are made of
//!   `sources`. A new column is an entry in it. `patterns`: lists with wildcards; `last_move`, `packed`, `material`,
//!   `comment`, `operations`, `course`: what columns are made of: the move that led to a position, positions in few
//!   bytes, texts, lists of moves
//! - `table`: the rows of a block. `buffer`, `value`: the values of a column; one of them; `draft`, `drafted`,
//!   `short_text`: parts of lines that are written early, and their pool; texts that many rows share; `collect`,
//!   `group`: rows in groups
//! - `encode`: what a format implements. `encoder`, `encoded`: groups of rows are encoded on any thread; `formats`,
//!   `lines`, `row_batches`, `answers`: a file for each format; tables other than positions as text, and as record
//!   batches; findings and statistics;
//!   `boards`, `caption`, `page`, `pictures`: the board of a row; its caption; the parts of a page of boards; a picture
//!   file for each row
//! - `jobs`: rows of positions and of games, copies, starting positions, and what they write to

mod columns;
mod encode;
mod error;
mod format;
mod jobs;
mod shape;
mod table;
#[cfg(test)]
mod testing;

pub use crate::columns::Columns;
pub use crate::columns::column::Column;
pub use crate::columns::column::error::ColumnError;
pub use crate::columns::material::append_material;
pub use crate::columns::patterns::ColumnPatterns;
pub use crate::encode::boards::{BoardOptions, Orientation};
pub use crate::encode::export_error::ExportError;
#[cfg(feature = "arrow")]
#[doc(hidden)]
pub use crate::encode::formats::arrow::data_type;
pub use crate::encode::pictures::{FileNames, NameError, PictureFormat, PictureSink};
#[cfg(feature = "arrow")]
pub use crate::encode::row_batches::{RowBatches, RowValue};
pub use crate::encode::{answers, cards, lines, page};
pub use crate::error::{RowsError, WriteError};
pub use crate::format::Format;
#[cfg(feature = "arrow")]
pub use crate::jobs::batches::RecordBatches;
pub use crate::jobs::builder::Rows;
pub use crate::jobs::game_rows::GameRows;
pub use crate::jobs::shuffle::ShuffleOptions;
pub use crate::jobs::writing::Writing;
pub use crate::jobs::{games, options, starts};
pub use crate::shape::{Shape, ShapeError};

pub(crate) use crate::encode::caption::of_starts;
pub(crate) use crate::encode::encoded::EncodedRows;
pub(crate) use crate::encode::pictures::{BraceError, DrawnFrom, NUMBER, Template, album, clean, numbered};
#[cfg(feature = "arrow")]
pub(crate) use crate::jobs::batches::{Batching, batch_methods};
pub(crate) use crate::jobs::fens::FenText;
pub use crate::jobs::output::Sink;
pub(crate) use crate::jobs::output::{Print, RowOutput, export, export_blocks};
pub use crate::jobs::shared::{Shared, SharedWriter};
#[doc(hidden)]
pub use crate::jobs::writing::{Close, End, job};
