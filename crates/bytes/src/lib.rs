//! The bytes of files: mapped, read at any offset, read behind addresses, and decompressed. Only this crate maps files
//! and decompresses.
//!
//! # Inside
//!
//! - `map`: mapped files, and the only unsafe code
//! - `random_access`, `remote`: bytes that are read at any offset; files behind addresses
//! - `format`, `decoders`, `decoder`, `damage`: zstd, gzip and bzip2 behind one interface; decodes one compressed
//!   stream after another, and locates damage
//! - `zstd_in_c`, `zstd_in_rust`: the decoders of zstd: the fast one, and the one for WebAssembly
//! - `frames`, `frame_header`: finds the frames of a zstd file without decoding them
//! - `window`: what the decoder of a zstd frame keeps of its text
//! - `ahead`: decoding on other threads, in order, in bounded memory
//! - `fill`: reads as much as is wanted into a buffer
//! - `budget`: the bound on the memory that pieces take together
//! - `meter`: how far a stream has been read
//!
//! **Compressed files.** A compressed file is a sequence of streams of its format, and `Decoder` returns the text of
//! all of them. If that text is compressed, another decoder reads it, up to three of them (`MOST_LAYERS`). The way in
//! which decoders are fed and emptied depends only on the file, so a damaged file gives the same text however it is
//! read. `Frames` cuts a mapped zstd file into pieces at the ends of frames, which it finds from the headers of blocks.
//! It does not need the frame lengths that `pzstd` writes, and does not trust them. `Ahead` decodes pieces on its own
//! threads; the text is read in order.

#[doc(hidden)]
pub mod ahead;
mod budget;
mod damage;
#[doc(hidden)]
pub mod decoder;
#[cfg(feature = "compress")]
mod decoders;
mod fill;
#[doc(hidden)]
pub mod format;
mod frame_header;
#[doc(hidden)]
pub mod frames;
#[doc(hidden)]
pub mod map;
mod meter;
mod random_access;
pub mod remote;
mod window;
#[cfg(all(feature = "compress", not(target_family = "wasm")))]
mod zstd_in_c;
// On other systems, it is compared with the decoder in C.
#[cfg(all(feature = "compress", any(target_family = "wasm", test)))]
mod zstd_in_rust;

#[doc(hidden)]
pub use crate::budget::{Budget, Share};
pub use crate::damage::{Damage, Fault};
#[doc(hidden)]
pub use crate::fill::fill;
pub use crate::meter::Meter;
#[doc(hidden)]
pub use crate::meter::Metered;
pub use crate::random_access::{PositionedFile, RandomAccess, RandomReader};
