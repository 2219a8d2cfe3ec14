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

pub(crate) use crate::rows::pictures::album::Album;
pub use crate::rows::pictures::format::PictureFormat;
pub use crate::rows::pictures::names::{FileNames, NameError};
pub(super) use crate::rows::pictures::picture::Picture;
pub use crate::rows::pictures::sink::PictureSink;
pub(crate) use crate::rows::pictures::template::{BraceError, NUMBER, Template, clean, numbered};
