//! Typed positions are understood or refused.
#![cfg_attr(fuzzing, no_main)]

pgn2fen_fuzz::target!(typed);
