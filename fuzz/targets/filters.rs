//! Filters on tags keep to an order.
#![cfg_attr(fuzzing, no_main)]

pgn2fen_fuzz::target!(filters);
