//! Larger databases from real games, for measuring what grows with the number of positions.
//!
//! The first copy of the games is unchanged. In each further copy, every game is played as it was up to a random ply,
//! and with random legal moves from there to its length. So the opening positions are shared by as many games as in a
//! real database of that size, and the later positions are almost all different.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use pgn2fen_chess::Position;
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::san;
use pgn2fen_games::database::Database;
use pgn2fen_games::pgn::games::Game;

/// The plies between which a game departs from what was played.
const DEPARTURES: std::ops::Range<u64> = 8..40;

/// Plies on a line of movetext.
const PLIES_PER_LINE: u64 = 16;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// How often each game is written
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u64).range(1..))]
    copies: u64,
    /// Which random moves are made
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The PGN file
    file: PathBuf,
}

/// Writes the copies.
pub(crate) fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    let database = Database::open(&args.file)?;
    ensure!(database.games().next().is_some(), "{} has no games", args.file.display());
    let mut random = Random(args.seed);
    for copy in 0..args.copies {
        for game in database.games() {
            if copy == 0 {
                out.write_all(game.bytes())?;
            } else {
                write_varied(&game, &mut random, out)?;
            }
            out.write_all(b"\n\n")?;
        }
    }
    Ok(())
}

/// Writes the tags of a game, and as many moves, of which the last are random. A game that cannot be played is written
/// as it is.
fn write_varied(game: &Game<'_>, random: &mut Random, out: &mut impl Write) -> Result<()> {
    let Ok(mut replay) = game.replay() else {
        return Ok(out.write_all(game.bytes())?);
    };
    let tags = game.tags().end() - usize::try_from(game.offset())?;
    out.write_all(&game.bytes()[..tags])?;
    out.write_all(b"\n\n")?;

    let departure = DEPARTURES.start + random.below(DEPARTURES.end - DEPARTURES.start);
    let mut line = Line { position: replay.position().clone(), plies: 0, text: Vec::new() };
    let mut plies = 0;
    while let Some(Ok(ply)) = replay.next_ply() {
        if plies < departure {
            line.play(ply.played);
        }
        plies += 1;
    }
    while line.plies < plies {
        let moves = line.position.legal_moves();
        let Some(&chosen) = moves.get(usize::try_from(random.below(moves.len().max(1) as u64))?) else {
            break;
        };
        line.play(chosen);
    }
    out.write_all(&line.text)?;
    out.write_all(game.tag("Result").as_deref().unwrap_or("*").as_bytes())?;
    Ok(())
}

/// The moves from a position on, as movetext.
struct Line {
    position: Position,
    plies: u64,
    text: Vec<u8>,
}

impl Line {
    fn play(&mut self, m: Move) {
        if self.plies == 0 || self.position.turn() == Color::White {
            let dots = if self.position.turn() == Color::White { "." } else { "..." };
            self.text.extend_from_slice(format!("{}{dots} ", self.position.fullmoves()).as_bytes());
        }
        san::append(&self.position, m, &mut self.text);
        self.position.play_unchecked(m);
        self.plies += 1;
        self.text.push(if self.plies.is_multiple_of(PLIES_PER_LINE) { b'\n' } else { b' ' });
    }
}

/// The generator splitmix64 by Sebastiano Vigna.
struct Random(u64);

impl Random {
    /// Returns a number from 0 to `limit` - 1, almost evenly.
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % limit
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use pgn2fen_games::database::Database;

    use super::{Args, run};

    #[test]
    fn copies_keep_tags_and_length_and_change_moves() {
        let games = "[White \"A\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 \
            7. Bb3 d6 1-0\n\n\
            [White \"B\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 7\"]\n\n7... Kd7 8. e4 *\n";
        let file = std::env::temp_dir().join(format!("peers-vary-{}.pgn", std::process::id()));
        fs::write(&file, games).unwrap();
        let mut written = Vec::new();
        run(&Args { copies: 100, seed: 3, file: file.clone() }, &mut written).unwrap();
        fs::remove_file(file).unwrap();

        assert!(written.starts_with(games.trim_end().as_bytes()));
        let database = Database::from(written);
        let lengths: Vec<u32> = database.games().map(|game| game.replay().unwrap().last_ply()).collect();
        assert_eq!(lengths, [14, 2].repeat(100));
        let whites: String = database.games().filter_map(|game| game.tag("White").map(String::from)).collect();
        assert_eq!(whites, "AB".repeat(100));
        let mut ends: Vec<&[u8]> = database.games().step_by(2).map(|game| game.bytes()).collect();
        ends.sort_unstable();
        ends.dedup();
        assert!(ends.len() > 10);
    }
}
