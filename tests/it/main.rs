//! The tests that look at pgn2fen from outside.

mod cases;
mod cli;
mod comfort;
mod compressed;
mod copies;
mod cuts;
mod damage;
mod endless;
mod games;
mod hop;
mod index;
mod kinds;
mod laws;
mod linear;
mod lists;
mod messages;
mod panics;
mod perft;
mod playouts;
mod ranges;
mod rows;
mod selection;
mod spelling;
mod starts;
mod starts_command;
mod tidy;
