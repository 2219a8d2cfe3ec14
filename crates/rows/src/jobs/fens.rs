//! A game → one line of FEN for each of its positions.

use pgn2fen_chess::fen::{FenStyle, FenWriter, LineSpace};
use pgn2fen_chess::position::Position;
use pgn2fen_chess::rules::Rules;
use pgn2fen_games::diagnostic::Diagnostic;
use pgn2fen_games::replay::{Replay, VariantPolicy};
use pgn2fen_games::selection::Identity;
use pgn2fen_games::walk::{BlockResult, Choice, GameTask, OpenGame, Out, Played, PositionChoice, Repeats};

/// Makes one line of FEN for each position.
#[derive(Debug)]
pub(crate) struct FenLines {
    style: FenStyle,
    positions: PositionChoice,
    /// Whether every position of the main lines is wanted, or the first of equal ones.
    wants_all: bool,
}

impl FenLines {
    pub(crate) fn new(style: FenStyle, positions: PositionChoice) -> Self {
        Self { style, wants_all: positions.wants_all(), positions }
    }
}

/// Lines of text.
#[derive(Debug, Default)]
pub(crate) struct FenText {
    pub(crate) bytes: Vec<u8>,
    /// The writer that is reused from block to block: it copies the parts that the next FEN shares with the last.
    pub(crate) writer: Option<FenWriter>,
    /// The ends of the lines, in bytes, by which repeated positions are removed.
    pub(crate) ends: Vec<usize>,
}

impl BlockResult for FenText {
    type Mark = usize;

    fn mark(&self) -> usize {
        self.bytes.len()
    }

    fn go_back_to(&mut self, mark: usize) {
        self.bytes.truncate(mark);
        self.ends.truncate(self.ends.partition_point(|end| *end <= mark));
    }

    fn weight(&self) -> usize {
        self.bytes.len() + self.ends.len() * size_of::<usize>()
    }

    fn retain(&mut self, is_wanted: &[bool]) {
        let (mut lines, mut from, mut to) = (0, 0, 0);
        for run in is_wanted.chunk_by(|one, next| one == next) {
            lines += run.len();
            let end = self.ends[lines - 1];
            if run[0] {
                self.bytes.copy_within(from..end, to);
                to += end - from;
            }
            from = end;
        }
        self.bytes.truncate(to);
        self.ends.clear();
    }
}

impl AsRef<[u8]> for FenText {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl GameTask for FenLines {
    type BlockResult = FenText;

    fn variants(&self) -> VariantPolicy {
        VariantPolicy::Play
    }

    fn needs_offsets(&self) -> bool {
        self.positions.filter.sample.is_some()
    }

    fn repeats(&self) -> Repeats {
        self.positions.repeats()
    }

    fn game(&self, game: &mut OpenGame<'_, '_>, out: &mut Out<'_, FenText>) -> Played {
        let writer = out.made.writer.get_or_insert_with(|| FenWriter::new(self.style));
        let mut lines = OpenLines { writer, bytes: &mut out.made.bytes, positions: 0 };
        let ends = &mut out.made.ends;
        let mut note = |position: &Position, end| {
            out.identities.push(Identity::of(position));
            ends.push(end);
        };
        if self.wants_all {
            let skip_start = self.positions.filter.skip_start;
            return game.play(|replay| {
                let error = if self.positions.unique {
                    lines.all(replay, skip_start, note)
                } else {
                    lines.all(replay, skip_start, |_, _| {})
                };
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
                    note(replay.position(), lines.bytes.len());
                }
            }
            u64::from(is_wanted)
        };
        game.play(|replay| {
            if choice.filters_by_eval() {
                replay.choose_evals();
            }
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
struct OpenLines<'w> {
    writer: &'w mut FenWriter,
    bytes: &'w mut Vec<u8>,
    positions: u64,
}

impl OpenLines<'_> {
    fn add(&mut self, replay: &Replay<'_>) {
        self.positions += 1;
        self.writer.append(replay.position(), self.bytes);
        self.bytes.push(b'\n');
    }

    /// Writes every position of the main line up to an error. With `skip_start` it leaves out the starting position.
    /// `note` is called with each position and the end of its line.
    #[inline(always)]
    fn all(
        &mut self,
        replay: &mut Replay<'_>,
        skip_start: bool,
        mut note: impl FnMut(&Position, usize),
    ) -> Option<Diagnostic> {
        self.writer.start_at(replay.position());
        if !skip_start {
            self.add(replay);
            note(replay.position(), self.bytes.len());
        }
        if replay.position().rules() != Rules::Chess {
            return self.all_of_variant(replay, note);
        }
        let mut lines = LineSpace::behind(self.bytes);
        let mut error = None;
        let mut word = replay.peek_word();
        while let Some(ply) = replay.next_ply_at(word, |found| error = Some(found), &mut ()) {
            word = replay.peek_word();
            self.positions += 1;
            self.writer.add_line_after(ply.played, replay.position(), &mut lines);
            note(replay.position(), lines.end());
        }
        error
    }

    /// Writes the positions behind the start of a game of a variant, up to an error.
    #[inline(never)]
    fn all_of_variant(
        &mut self,
        replay: &mut Replay<'_>,
        mut note: impl FnMut(&Position, usize),
    ) -> Option<Diagnostic> {
        while let Some(ply) = replay.next_ply() {
            if let Err(error) = ply {
                return Some(error);
            }
            self.add(replay);
            note(replay.position(), self.bytes.len());
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::FenText;
    use pgn2fen_games::walk::BlockResult;

    #[test]
    fn lines_are_taken_out_whole() {
        let check = |is_wanted: &[bool], expected: &str| {
            let mut lines = FenText { bytes: b"a\nbb\n\nccc\nd".to_vec(), ends: vec![2, 5, 6, 10, 11], writer: None };
            lines.go_back_to(10);
            lines.retain(is_wanted);
            assert_eq!(lines.bytes, expected.as_bytes());
        };
        check(&[false, true, false, true], "bb\nccc\n");
        check(&[true, true, false, false], "a\nbb\n");
        check(&[false, false, true, true], "\nccc\n");
        check(&[false; 4], "");
    }
}
