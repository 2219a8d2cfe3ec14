//! Pictures of positions, each for a file of its own.

mod album;
mod cleaned;
mod encode;
mod format;
mod names;
mod naming;
mod picture;
mod sink;
mod template;

pub(crate) use crate::encode::pictures::album::{DrawnFrom, album};
pub use crate::encode::pictures::format::PictureFormat;
pub use crate::encode::pictures::names::{FileNames, NameError};
pub(crate) use crate::encode::pictures::picture::Picture;
pub use crate::encode::pictures::sink::PictureSink;
pub(crate) use crate::encode::pictures::template::{BraceError, NUMBER, Template, clean, numbered};
