//! Writes the seeds of every target into the given folder: `walk/…`, `hop/…`.

use std::fs;
use std::path::PathBuf;

use pgn2fen_fuzz::{TARGETS, seeds};

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args_os().nth(1).unwrap_or_else(|| "corpus".into()));
    for (target, _) in TARGETS {
        fs::create_dir_all(folder.join(target))?;
        for (name, seed) in seeds::of(target) {
            fs::write(folder.join(target).join(name), seed)?;
        }
    }
    Ok(())
}
