//! The target for the law that typed positions are read correctly or refused.
#![cfg_attr(fuzzing, no_main)]

pgn2fen_fuzz::target!(typed);
