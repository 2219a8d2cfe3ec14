//! The target for the law that an index gives the same answers as a scan.
#![cfg_attr(fuzzing, no_main)]

pgn2fen_fuzz::target!(scan);
