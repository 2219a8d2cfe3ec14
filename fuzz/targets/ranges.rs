//! The target for the law that ranges that cover a file give the same games as the file.
#![cfg_attr(fuzzing, no_main)]

pgn2fen_fuzz::target!(ranges);
