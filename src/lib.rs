//! A FEN for every ply of every game.

pub mod chess;
pub mod database;
pub mod diagnostic;
pub mod fen;
pub mod parallel;
pub mod pgn;
pub mod replay;
pub mod san;
