//! The tests that look at pgn2fen from outside.

mod background;
mod board;
mod books;
mod cases;
mod castling;
mod cli;
mod comfort;
mod compressed;
mod copies;
mod cuts;
mod damage;
mod edges;
mod endless;
mod evals;
mod export;
mod export_command;
mod first_minute;
mod gallery;
mod game_rows;
mod games;
mod games_command;
mod guide;
mod hop;
mod index;
mod kinds;
mod laws;
mod linear;
mod lists;
// The system limits the memory.
#[cfg(target_os = "linux")]
mod memory;
mod messages;
mod nothing_read;
mod openings;
mod packages;
mod perft;
// Its commands are run by sh.
#[cfg(unix)]
mod pgn_extract;
mod playouts;
mod pull;
mod ranges;
mod rows;
mod selection;
mod serve;
mod shape;
mod spelling;
mod starts;
mod starts_command;
mod stream;
mod table_input;
mod tidy;
mod training;
mod tree;
mod walking;
mod wildcards;
#[cfg(windows)]
mod windows;
