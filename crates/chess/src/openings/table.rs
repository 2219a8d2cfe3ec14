//! The embedded table: five files of tab-separated values with the columns `eco`, `name` and `pgn`. See the README
//! beside them.

use crate::openings::name::Opening;
use crate::position::Position;
use crate::san::{self, Letters};

const FILES: [&str; 5] =
    [include_str!("a.tsv"), include_str!("b.tsv"), include_str!("c.tsv"), include_str!("d.tsv"), include_str!("e.tsv")];

/// Returns the names with their moves, such as `1. e4 c5 2. Nf3`, in the order of the files.
pub(super) fn lines() -> impl Iterator<Item = (Opening, &'static str)> {
    let lines = FILES.into_iter().flat_map(|file| file.lines().skip(1));
    lines.filter_map(|line| {
        let (eco, rest) = line.split_once('\t')?;
        let (name, moves) = rest.split_once('\t')?;
        Some((Opening { eco, name }, moves))
    })
}

/// Returns the named positions, in the order of the files.
pub(super) fn positions() -> impl Iterator<Item = (Position, Opening)> {
    let mut line = TableLine::default();
    lines().filter_map(move |(opening, moves)| Some((line.play(moves)?.clone(), opening)))
}

/// A line that is being played. Most lines of the table begin with the moves of the line before, which are not played
/// again.
#[derive(Default)]
struct TableLine {
    start: Position,
    played: Vec<(&'static str, Position)>,
}

impl TableLine {
    /// Plays these moves from the initial position. Returns the position after them, or `None` if a move is not legal.
    fn play(&mut self, moves: &'static str) -> Option<&Position> {
        let mut words = moves.split_ascii_whitespace().filter(|word| !word.ends_with('.')).peekable();
        let mut common = 0;
        while let (Some((played, _)), Some(word)) = (self.played.get(common), words.peek())
            && played == word
        {
            words.next();
            common += 1;
        }
        self.played.truncate(common);
        for word in words {
            let mut position = self.played.last().map_or(&self.start, |(_, position)| position).clone();
            let resolved = san::resolve(word.as_bytes(), &position, &Letters::ENGLISH).ok()?;
            position.play_unchecked(resolved.mv);
            self.played.push((word, position));
        }
        Some(self.played.last().map_or(&self.start, |(_, position)| position))
    }
}
