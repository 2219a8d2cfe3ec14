//! A game that is passed over ends where its tokens end.
#![cfg_attr(fuzzing, no_main)]

pgn2fen_fuzz::target!(hop);
