//! `pgn2fen`: a FEN for every ply of every game.

use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    ExitCode::from(pgn2fen::run(&arguments))
}
