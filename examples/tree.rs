//! Rebuilds the tree of each game of a PGN file, with comments, glyphs and variations, and prints it as PGN.
//!
//! ```text
//! cargo run --example tree -- games.pgn
//! ```

#![allow(clippy::print_stdout, clippy::print_stderr, missing_docs, reason = "an example is a program")]

use std::error::Error;
use std::fmt;
use std::process::ExitCode;

use pgn2fen_chess::piece::Color;
use pgn2fen_games::database::Database;
use pgn2fen_games::diagnostic::Diagnostic;
use pgn2fen_games::pgn::games::Game;
use pgn2fen_games::replay::{Event, Moves};

/// The main line of a game, or a variation.
#[derive(Debug, Default, PartialEq)]
pub struct Line {
    /// The comments, glyphs and variations before the first move.
    pub before: Vec<Note>,
    pub moves: Vec<Node>,
}

/// A move, with the comments, glyphs and variations after it.
#[derive(Debug, PartialEq)]
pub struct Node {
    /// The number of the move, as in `1.` and `1...`.
    pub number: u32,
    pub turn: Color,
    pub san: String,
    pub notes: Vec<Note>,
}

/// An element of the text that is not a move of this line.
#[derive(Debug, PartialEq)]
pub enum Note {
    Comment(String),
    Nag(u8),
    Variation(Line),
}

impl Line {
    /// Reads the tree of a game, up to its first error.
    ///
    /// # Errors
    ///
    /// The game has no usable starting position.
    pub fn read(game: &Game<'_>) -> Result<(Self, Vec<Diagnostic>), Diagnostic> {
        let mut errors = Vec::new();
        let line = Self::read_line(&mut game.moves()?, &mut errors);
        Ok((line, errors))
    }

    /// Reads a line to its end. The function is recursive, which is safe: variations are nested at most 256 deep.
    fn read_line(moves: &mut Moves<'_>, errors: &mut Vec<Diagnostic>) -> Self {
        let mut line = Self::default();
        while let Some(event) = moves.next() {
            let note = match event {
                Ok(Event::Move(ply)) => {
                    let before = moves.before();
                    let (number, turn) = (before.fullmoves(), before.turn());
                    line.moves.push(Node { number, turn, san: ply.to_string(), notes: Vec::new() });
                    continue;
                }
                Ok(Event::Comment(comment)) => Note::Comment(comment.decode().into_owned()),
                Ok(Event::Nag(nag)) => Note::Nag(nag),
                Ok(Event::VariationStart) => Note::Variation(Self::read_line(moves, errors)),
                Ok(Event::VariationEnd) => break,
                Ok(_) => continue,
                Err(error) => {
                    errors.push(error);
                    continue;
                }
            };
            let last = line.moves.last_mut().map(|node| &mut node.notes);
            last.unwrap_or(&mut line.before).push(note);
        }
        line
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // All elements but the first follow a space.
        let mut space = "";
        let notes = |f: &mut fmt::Formatter<'_>, notes: &[Note], space: &mut &str| {
            for note in notes {
                write!(f, "{space}{note}")?;
                *space = " ";
            }
            Ok(())
        };
        notes(f, &self.before, &mut space)?;
        let mut needs_number = true;
        for node in &self.moves {
            let number = node.number;
            f.write_str(space)?;
            match node.turn {
                Color::White => write!(f, "{number}. ")?,
                Color::Black if needs_number => write!(f, "{number}... ")?,
                Color::Black => {}
            }
            f.write_str(&node.san)?;
            space = " ";
            notes(f, &node.notes, &mut space)?;
            needs_number = !node.notes.is_empty();
        }
        Ok(())
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // A comment from `;` to the end of its line may contain a brace.
            Self::Comment(text) if text.contains('}') => writeln!(f, ";{text}"),
            Self::Comment(text) => write!(f, "{{{text}}}"),
            Self::Nag(nag) => write!(f, "${nag}"),
            Self::Variation(line) => write!(f, "({line})"),
        }
    }
}

fn main() -> ExitCode {
    // An error that `main` returns is printed for programmers. This one is a sentence.
    match print_games() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn print_games() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: tree FILE")?;
    let database = Database::open(&path).map_err(|error| format!("{path}: {error}"))?;
    for game in database.games() {
        for tag in game.tags().iter() {
            let value = tag.value.decode().replace('\\', "\\\\").replace('"', "\\\"");
            println!("[{} \"{value}\"]", String::from_utf8_lossy(tag.name));
        }
        let (line, errors) = Line::read(&game)?;
        println!("\n{line} {}\n", game.moves()?.outcome().as_str());
        for error in errors {
            eprintln!("{error}");
        }
    }
    Ok(())
}
