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

pub(crate) use crate::pictures::album::album;
pub use crate::pictures::format::PictureFormat;
pub use crate::pictures::names::{FileNames, NameError};
pub(super) use crate::pictures::picture::Picture;
pub use crate::pictures::sink::PictureSink;
pub(crate) use crate::pictures::template::{BraceError, NUMBER, Template, clean, numbered};
