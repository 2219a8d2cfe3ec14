//! A game → one line of FEN for each of its positions.

use pgn2fen_chess::fen::{FenStyle, FenWriter, LineSpace};
use pgn2fen_chess::position::Position;
use pgn2fen_chess::rules::Rules;
use pgn2fen_games::diagnostic::Diagnostic;
use pgn2fen_games::replay::Replay;
use pgn2fen_games::selection::Identity;
use pgn2fen_games::walk::{BlockResult, Choice, GameParts, GameTask, OpenGame, Out, Played, PositionChoice, Repeats};

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

    fn needs_offsets(&self) -> bool {
        self.positions.filter.sample.is_some()
    }

    fn parts(&self) -> GameParts {
        self.positions.parts()
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
    use std::num::NonZeroU32;

    use super::FenText;
    use crate::testing::written;
    use crate::{Column, Columns, Format, Rows, Shape};
    use pgn2fen_games::selection::PositionFilter;
    use pgn2fen_games::walk::{BlockResult, OnError, ReadOptions};

    #[test]
    fn lines_are_taken_out_whole() {
        let check = |is_wanted: &[bool], expected: &str| {
            let mut lines = FenText { bytes: b"a\nbb\n\nccc\nd".to_vec(), ends: vec![2, 5, 6, 10, 11], writer: None };
            lines.go_back_to(10);
            assert!(lines.weight() > 10);
            lines.retain(is_wanted);
            assert_eq!(lines.bytes, expected.as_bytes());
        };
        check(&[false, true, false, true], "bb\nccc\n");
        check(&[true, true, false, false], "a\nbb\n");
        check(&[false, false, true, true], "\nccc\n");
        check(&[false; 4], "");
    }

    /// Compares the lines of FEN, given as the moves that led to them.
    #[track_caller]
    fn check(rows: Rows, text: &str, expected: &str) {
        let (lines, totals) = written(&rows, text);
        // The rows of the format csv are made in another way.
        let moves = Columns::new([Column::San, Column::Fen]);
        let shape = Shape { format: Format::Csv, columns: Some(moves), no_header: true };
        let (table, other) = written(&rows.shape(shape), text);
        let of_table: Vec<&str> = table.lines().map(|line| line.split_once(',').unwrap().1).collect();
        assert_eq!(lines.lines().collect::<Vec<_>>(), of_table);
        assert_eq!((totals.count, totals.dropped), (other.count, other.dropped));
        assert_eq!(totals.count.positions, lines.lines().count() as u64);
        let names = table.lines().map(|line| line.split_once(',').unwrap().0);
        assert_eq!(names.map(|san| if san.is_empty() { "-" } else { san }).collect::<Vec<_>>().join(" "), expected);
    }

    #[test]
    fn chosen_positions_have_lines() {
        let text = "1. e4 {[%eval 0.1]} e5 2. Nf3 (2. Nc3 Nf6) {[%eval 5]} Ke3 *\n\n\
            [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n\n1. e4 c5 *\n\n[FEN \"x\"]\n\n*\n";
        check(Rows::new(), text, "- e4 e5 Nf3 - e4 - e4 c5");
        check(Rows::new().variations(true), text, "- e4 e5 Nf3 Nc3 Nf6 - e4 - e4 c5");
        let filter = |filter: PositionFilter| Rows::new().positions(filter);
        let skip_start = filter(PositionFilter { skip_start: true, ..PositionFilter::default() });
        check(skip_start.clone(), text, "e4 e5 Nf3 e4 e4 c5");
        check(Rows::new().unique(true), text, "- e4 e5 Nf3 - e4 c5");
        check(skip_start.clone().unique(true), text, "e4 e5 Nf3 e4 c5");
        check(Rows::new().unique(true).variations(true), text, "- e4 e5 Nf3 Nc3 Nf6 - e4 c5");
        check(Rows::new().plies("1,2").unwrap(), text, "e4 e5 e4 e4 c5");
        check(Rows::new().plies("-1").unwrap().unique(true), text, "Nf3 e4 c5");
        let every = NonZeroU32::new(2).unwrap();
        check(filter(PositionFilter { every, ..PositionFilter::default() }), text, "- e5 - - c5");
        check(
            filter(PositionFilter { max_eval: Some(100), ..PositionFilter::default() }),
            text,
            "- e4 e5 - e4 - e4 c5",
        );
        let drop = ReadOptions { on_error: OnError::Drop, ..ReadOptions::default() };
        check(Rows::new().read_options(drop.clone()), text, "- e4 - e4 c5");
        check(Rows::new().read_options(drop.clone()).unique(true), text, "- e4 - e4 c5");
        check(skip_start.read_options(drop), text, "e4 e4 c5");
        check(Rows::new().max_games(2), text, "- e4 e5 Nf3 - e4");
    }

    #[cfg(feature = "variants")]
    #[test]
    fn positions_of_variants_have_lines() {
        let text = "[Variant \"Atomic\"]\n\n1. e4 d5 2. exd5 Ke3 *\n\n1. d4 *\n";
        check(Rows::new(), text, "- e4 d5 exd5 - d4");
        check(Rows::new().unique(true), text, "- e4 d5 exd5 - d4");
        let skip_start = PositionFilter { skip_start: true, ..PositionFilter::default() };
        check(Rows::new().positions(skip_start), text, "e4 d5 exd5 d4");
        // The capture removes the bishop as well.
        let explosion = "[Variant \"Atomic\"]\n\n1. e3 e5 2. Be2 e4 3. Nf3 exf3 *\n";
        check(Rows::new(), explosion, "- e3 e5 Be2 e4 Nf3 exf3");
    }
}
