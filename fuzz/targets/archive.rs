//! The target for the law that members of zip archives are read like plain ones.
#![cfg_attr(fuzzing, no_main)]

pgn2fen_fuzz::target!(archive);
