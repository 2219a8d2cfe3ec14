//! The common parts of the readers of Scid and ChessBase databases: the text that they write, and windows of files.
//!
//! # Inside
//!
//! - `files`: the files of a database
//! - `window`, `budget`: pieces of a file that mostly follow each other; the limit on what is read
//! - `pair`, `words`: tag pairs; the words of movetext, in lines
//! - `note`: comments about damage

pub(crate) mod budget;
pub(crate) mod files;
pub(crate) mod note;
pub(crate) mod pair;
pub(crate) mod window;
pub(crate) mod words;
