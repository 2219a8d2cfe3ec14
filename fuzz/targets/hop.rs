//! The target for the law that a skipped game ends where its tokens end.
#![cfg_attr(fuzzing, no_main)]

pgn2fen_fuzz::target!(hop);
