//! Files on the disk: the search for PGN files, options for opening them, advice for files that cannot be read, and
//! output files that appear when they are complete.
//!
//! ```no_run
//! use pgn2fen_files::{self as files, OpenOptions, OutputFile};
//! use pgn2fen_games::messages::shown;
//! use pgn2fen_rows::Rows;
//!
//! let found = files::find(["games"], true);
//! let (format, compression) = files::format_of("positions.csv.zst".as_ref(), None)?;
//! files::refuse_to_replace(&found, "positions.csv.zst".as_ref())?;
//!
//! let mut inputs = Vec::new();
//! for (path, found) in found {
//!     match found.and_then(|()| OpenOptions::default().open(&path)) {
//!         Ok(source) => inputs.push(source),
//!         Err(error) => eprintln!("{}: {}", shown(&path), files::explain(&path, &error)),
//!     }
//! }
//! let output = OutputFile::create("positions.csv.zst", compression)?;
//! let (output, _) = Rows::new().format(format.unwrap_or_default()).write(inputs, output)?;
//! output.finish()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Inside
//!
//! - `find`, `open`, `explain`: finds files in folders, opens them, and gives advice if they cannot be read
//! - `find/addresses`, `find/patterns`, `pattern`: folders and patterns in addresses of object stores; files that match
//!   a pattern; patterns for names of files
//! - `ranges`: divides files into ranges of about the same size
//! - `endings`, `ending_rules`, `foreign`: file name endings: those that choose a format, the facts that decide it,
//!   those that are refused
//! - `output`, `compress`, `unfinished`: an output file, which appears when it is complete; its compression; its
//!   temporary file
//! - `group`, `pending`, `abandoned`: several output files that get their names together; the lists by which a later
//!   run knows how far a killed one came; what killed runs have left
//! - `sync`, `temporary`: what flushes folders to the disk; the folder for temporary files
//! - `pictures`, `games`, `folders`: a file for each picture; several files of games; their folders
//! - `manifest`: a list of the inputs from which outputs were made
//! - `error`: errors of output files
//!
//! **An output is written beside its target and locked.** The lock ends with the process, so the next output in the
//! folder knows which temporary files nobody writes any more, and removes them (`unfinished`). A file without a
//! name (`O_TMPFILE`) would need no removal, but cannot replace a file in one step, and not all systems have it.
//! Several outputs get their names together: a list of them is on the disk before the first one gets its name, and the
//! next output in the folder finishes what a list says (`group`, `pending`, `abandoned`).

mod abandoned;
mod compress;
mod ending_rules;
mod endings;
mod error;
mod explain;
mod find;
mod folders;
mod foreign;
mod games;
mod group;
mod manifest;
mod open;
mod output;
mod pattern;
mod pending;
mod pictures;
mod ranges;
mod sync;
mod temporary;
mod unfinished;

pub use crate::compress::Compression;
pub use crate::ending_rules::EndingRules;
pub use crate::endings::agreed;
pub use crate::endings::{compression_of_games, format_of};
pub use crate::error::{EndingError, OutputError};
pub use crate::explain::explain;
pub use crate::find::{Found, find, passed_over, size};
#[doc(hidden)]
pub use crate::find::{must_be_file, on_disk};
pub use crate::games::GameFiles;
pub use crate::group::FileGroup;
pub use crate::manifest::{InputStamp, InputState, Manifest, ManifestError};
pub use crate::open::OpenOptions;
pub use crate::output::{OutputFile, refuse_to_replace};
pub use crate::pattern::Pattern;
pub use crate::pictures::PictureFiles;
pub use crate::ranges::{FileRange, PlanError, number, plan};
#[doc(hidden)]
pub use crate::temporary::folder_of;
pub use crate::unfinished::{NoNewFiles, remove_unfinished};
