//! `pgn2fen`: a FEN for every ply of every game.

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::fault::guard(cli::run)
}

mod cli;
