//! The target for the law that a written FEN is read as the same position.
#![cfg_attr(fuzzing, no_main)]

pgn2fen_fuzz::target!(fen);
