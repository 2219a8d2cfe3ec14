//! The laws, one module each.

pub mod anew;
pub mod archive;
pub mod compressed;
pub mod copies;
pub mod damaged_index;
pub mod databases;
pub mod fen;
pub mod filters;
pub mod formats;
pub mod hop;
pub mod linear;
pub mod moves;
pub mod ranges;
pub mod records;
pub mod san;
pub mod scan;
pub mod trainers;
pub mod typed;
pub mod walk;
