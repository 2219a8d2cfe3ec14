//! A game → one line of FEN for each of its positions.

use crate::diagnostic::Diagnostic;
use crate::fen::{FenStyle, FenWriter, LineSpace};
use crate::replay::Replay;
use crate::selection::Identity;
use crate::walk::{Choice, Made, Make, OpenGame, Out, Played, PositionChoice, Repeats};

/// Makes one line of FEN for each position.
#[derive(Debug)]
pub(crate) struct FenLines {
    style: FenStyle,
    positions: PositionChoice,
    /// Whether every position of the main lines is wanted.
    wants_all: bool,
}

impl FenLines {
    pub(crate) fn new(style: FenStyle, positions: PositionChoice) -> Self {
        Self { style, wants_all: positions.wants_all(), positions }
    }
}

/// Lines of text.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    pub(crate) bytes: Vec<u8>,
    /// The writer that is reused from block to block: it copies the parts that the next FEN shares with the last.
    pub(crate) writer: Option<FenWriter>,
}

impl Made for Lines {
    type Mark = usize;

    fn mark(&self) -> usize {
        self.bytes.len()
    }

    fn go_back_to(&mut self, mark: usize) {
        self.bytes.truncate(mark);
    }

    fn weight(&self) -> usize {
        self.bytes.len()
    }

    fn retain(&mut self, is_wanted: &[bool]) {
        retain_lines(&mut self.bytes, is_wanted);
    }
}

impl AsRef<[u8]> for Lines {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Make for FenLines {
    type Made = Lines;

    fn needs_offsets(&self) -> bool {
        self.positions.filter.sample.is_some()
    }

    fn repeats(&self) -> Repeats {
        self.positions.repeats()
    }

    fn game(&self, game: &mut OpenGame<'_, '_>, out: &mut Out<'_, Lines>) -> Played {
        let writer = out.made.writer.get_or_insert_with(|| FenWriter::new(self.style));
        let mut lines = Writing { writer, bytes: &mut out.made.bytes, positions: 0 };
        if self.wants_all {
            return game.play(|replay| {
                let error = lines.all(replay, self.positions.filter.skip_start);
                Played { errors: error.into_iter().collect(), positions: lines.positions, ..Played::default() }
            });
        }
        let mut choice = self.positions.in_game(game);
        let mut played = Played::default();
        // Returns the number of lines for a position.
        let mut see = |choice: &mut Choice<'_>, replay: &Replay<'_>, ply| {
            let is_wanted = choice.wants(replay, ply);
            if is_wanted {
                lines.add(replay);
                if self.positions.unique {
                    out.identities.push(Identity::of(replay.position()));
                }
            }
            u64::from(is_wanted)
        };
        game.play(|replay| {
            played.positions += see(&mut choice, replay, 0);
            while let Some(ply) = choice.next_ply(replay, &mut played.errors) {
                played.positions += see(&mut choice, replay, ply.number);
            }
            played.evals = choice.end(replay);
            played
        })
    }
}

/// The lines of a game that is being played.
struct Writing<'w> {
    writer: &'w mut FenWriter,
    bytes: &'w mut Vec<u8>,
    positions: u64,
}

impl Writing<'_> {
    fn add(&mut self, replay: &Replay<'_>) {
        self.positions += 1;
        self.writer.append(replay.position(), self.bytes);
        self.bytes.push(b'\n');
    }

    /// Writes every position of the main line up to an error. With `skip_start` it leaves out the starting position.
    #[inline(always)]
    fn all(&mut self, replay: &mut Replay<'_>, skip_start: bool) -> Option<Diagnostic> {
        self.writer.start_at(replay.position());
        if !skip_start {
            self.add(replay);
        }
        let mut lines = LineSpace::behind(self.bytes);
        let mut error = None;
        while let Some(ply) = replay.next_ply_or(|found| error = Some(found)) {
            self.positions += 1;
            self.writer.add_line_after(ply.played, replay.position(), &mut lines);
        }
        error
    }
}

/// Removes the lines that are not wanted.
fn retain_lines(lines: &mut Vec<u8>, is_wanted: &[bool]) {
    let (mut from, mut to) = (0, 0);
    for is_wanted in is_wanted {
        let Some(length) = memchr::memchr(b'\n', &lines[from..]) else {
            break;
        };
        let end = from + length + 1;
        if *is_wanted {
            lines.copy_within(from..end, to);
            to += end - from;
        }
        from = end;
    }
    lines.truncate(to);
}

#[cfg(test)]
mod tests {
    use super::retain_lines;

    #[test]
    fn lines_are_taken_out_whole() {
        let mut lines = b"a\nbb\n\nccc\n".to_vec();
        retain_lines(&mut lines, &[false, true, false, true]);
        assert_eq!(lines, b"bb\nccc\n");
        retain_lines(&mut lines, &[true, false]);
        assert_eq!(lines, b"bb\n");
    }
}
