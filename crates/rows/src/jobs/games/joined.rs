//! Positions that follow one another by a legal move, as games with these moves.

use std::io::Write;
use std::mem;
use std::ops::ControlFlow;
use std::path::Path;

use crate::jobs::shared::{Shared, SharedWriter};
use crate::jobs::writing::{End, Writing, job, write_methods};
use crate::{Close, Sink, WriteError};
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::position::Position;
use pgn2fen_games::export::{append_made, append_start};
use pgn2fen_games::pgn::token::Outcome;
use pgn2fen_games::read_methods;
use pgn2fen_games::walk::{
    BlockResult, GameParts, GameTask, LeftOut, OpenGame, Out, Output, OutputStages, Played, ReadChoice,
};

/// A builder for games that are made of positions, such as those of a list of FENs.
///
/// Positions that follow one another by a legal move become one game with these moves, in the export format. A position
/// that no legal move reaches from the one before it begins another game, and so does each file. Positions are compared
/// by their pieces and the side to move, and in variants by their rules, men in hand and checks; of several moves, the
/// one after which castling rights and en passant captures are the same is taken. Equal positions that follow one
/// another are one. Games that have moves give all positions of their main lines.
///
/// ```
/// use pgn2fen_games::database::Database;
/// use pgn2fen_rows::games::JoinedGames;
///
/// let list = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\
///              rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n\
///              rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n";
/// let (games, _) = JoinedGames::new().write([Database::from(list.to_vec())], Vec::new())?;
/// assert!(games.ends_with(b"\n\n1. e4 c5 *\n\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct JoinedGames {
    read: ReadChoice,
}

impl JoinedGames {
    /// Creates a builder for games of all positions.
    pub fn new() -> Self {
        Self::default()
    }

    read_methods!();
    write_methods!();

    /// Begins to write to `out`, and returns a job that reads files one after another.
    pub fn begin<'w, W: Write + Send + 'w>(&self, out: W) -> Writing<'w, W> {
        let out = Shared::new(out);
        Writing::new(self.begin_job(out.writer()), || out.into_inner())
    }

    fn begin_job<'w>(&self, out: SharedWriter<'w>) -> Box<dyn End + 'w> {
        job(MakePositions, Join { sink: Sink::new(out), line: None, text: Vec::new() }, self.read.options())
    }
}

/// Gives the positions of each game.
#[derive(Debug)]
struct MakePositions;

/// The positions of the games of a block.
#[derive(Debug, Default)]
struct Positions(Vec<Position>);

impl BlockResult for Positions {
    type Mark = usize;

    fn mark(&self) -> usize {
        self.0.len()
    }

    fn go_back_to(&mut self, mark: usize) {
        self.0.truncate(mark);
    }

    fn weight(&self) -> usize {
        self.0.len() * size_of::<Position>()
    }

    fn retain(&mut self, _: &[bool]) {}
}

impl GameTask for MakePositions {
    type BlockResult = Positions;

    fn needs_offsets(&self) -> bool {
        false
    }

    fn parts(&self) -> GameParts {
        GameParts::NONE
    }

    fn game(&self, game: &mut OpenGame<'_, '_>, out: &mut Out<'_, Positions>) -> Played {
        let mut errors = Vec::new();
        let begin = out.made.0.len();
        if let Some(replay) = game.replay() {
            out.made.0.push(replay.position().clone());
            while let Some(ply) = replay.next_ply() {
                match ply {
                    Ok(_) => out.made.0.push(replay.position().clone()),
                    Err(error) => errors.push(error),
                }
            }
        }
        let positions = (out.made.0.len() - begin) as u64;
        Played { errors, positions, ..Played::default() }
    }
}

/// A game that is being made.
#[derive(Debug)]
struct Line {
    start: Position,
    moves: Vec<Move>,
    /// The position after the moves.
    end: Position,
}

impl Line {
    fn new(start: Position) -> Self {
        Self { end: start.clone(), start, moves: Vec::new() }
    }

    /// Adds the move that leads to a position. Returns false if there is none. A position that is the last one again is
    /// passed over.
    fn take(&mut self, next: &Position) -> bool {
        // A list may leave out which men are promoted.
        let of_variant = |position: &Position| position.additions().map(|[rest, white, black, _]| [rest, white, black]);
        let looks_like = |position: &Position| {
            position.board() == next.board()
                && position.turn() == next.turn()
                && of_variant(position) == of_variant(next)
        };
        if looks_like(&self.end) {
            return true;
        }
        let mut found: Option<(Move, Position)> = None;
        for m in self.end.legal_moves() {
            let mut after = self.end.clone();
            after.play_unchecked(m);
            if looks_like(&after) && (found.is_none() || after.is_same_position(next)) {
                found = Some((m, after));
            }
        }
        let Some((m, after)) = found else {
            return false;
        };
        self.moves.push(m);
        self.end = after;
        true
    }

    /// Appends the game in the export format.
    fn append(&self, out: &mut Vec<u8>) {
        let mut text = String::from("[Event \"?\"]\n");
        append_start(&self.start, &mut text);
        let result = Outcome::on_board(&self.end).unwrap_or(Outcome::Unknown).as_str();
        text += &format!("[Result \"{result}\"]\n\n");
        let mut position = self.start.clone();
        for m in &self.moves {
            text += &m.to_san(&position);
            text.push(' ');
            position.play_unchecked(*m);
        }
        text += result;
        text.push('\n');
        append_made(&text, out);
    }
}

/// Joins positions, and writes each game when it ends.
struct Join<'w> {
    sink: Sink<'w>,
    line: Option<Line>,
    /// The games that have ended and are not written.
    text: Vec<u8>,
}

impl Join<'_> {
    fn end_line(&mut self) {
        if let Some(line) = self.line.take() {
            line.append(&mut self.text);
        }
    }

    fn write(&mut self) -> ControlFlow<()> {
        let text = mem::take(&mut self.text);
        self.sink.write(&text)
    }
}

impl Output<Positions> for Join<'_> {
    fn begin_file(&mut self, _: &Path) {
        self.end_line();
    }

    fn stages(&mut self) -> OutputStages<'_, Positions> {
        OutputStages::deliver(|positions: &mut Positions| {
            for position in positions.0.drain(..) {
                if !self.line.as_mut().is_some_and(|line| line.take(&position)) {
                    self.end_line();
                    self.line = Some(Line::new(position));
                }
            }
            self.write()
        })
    }

    fn is_full(&self) -> bool {
        self.sink.is_full()
    }
}

impl Close<Positions> for Join<'_> {
    fn close(mut self: Box<Self>, _: &[u64]) -> Result<LeftOut, WriteError> {
        self.end_line();
        // The sink keeps an error for later.
        let _ = self.write();
        self.sink.end()?;
        Ok(LeftOut::default())
    }
}

#[cfg(test)]
mod tests {
    use super::{BlockResult, JoinedGames, Position, Positions};
    use pgn2fen_games::database::Database;
    use pgn2fen_games::walk::{OnError, ReadOptions};

    #[track_caller]
    fn check(positions: &[&str], expected: &[&str]) {
        let list = positions.join("\n");
        let (games, totals) = JoinedGames::new().write([Database::from(list.into_bytes())], Vec::new()).unwrap();
        assert_eq!(totals.count.positions, positions.len() as u64);
        let games = String::from_utf8(games).unwrap();
        let moves: Vec<String> =
            games.split("\n\n").skip(1).step_by(2).map(|moves| moves.trim().replace('\n', " ")).collect();
        assert_eq!(moves, expected, "{games}");
    }

    #[test]
    fn positions_that_follow_one_another_are_a_game() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
        let d5 = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2";
        check(&[start, e4, d5], &["1. e4 d5 *"]);
        // Four fields, without rights and squares, and a position twice.
        check(&[start, e4, e4, "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w - -"], &["1. e4 d5 *"]);
        // A gap, and a position that is not reached.
        check(&[start, d5, start, e4], &["*", "*", "1. e4 *"]);
        check(&["7k/5Q2/8/8/8/8/8/K7 w - - 0 1", "7k/6Q1/8/8/8/8/8/K7 b - - 1 1"], &["1. Qg7+ *"]);
        check(&["7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "7k/6Q1/6K1/8/8/8/8/8 b - - 1 1"], &["1. Qg7# 1-0"]);
        check(&[], &[]);
    }

    #[test]
    fn positions_of_variants_are_joined_by_their_rules() {
        let house = [
            "rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR[P] b KQkq - 0 2",
            "rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR[Pp] w KQkq - 0 3",
            "rnb1kbnr/ppp1pppp/8/3q4/4P3/8/PPPP1PPP/RNBQKBNR[p] b KQkq - 0 3",
        ];
        check(&house, &["2... Qxd5 3. @e4 *"]);
        // Without the captured pawn in hand, it is another game.
        check(&[house[0], &house[1].replace("Pp", "P")], &["*", "*"]);
        let checks = ["4k3/8/8/8/8/8/8/Q3K3 w - - 1+3 0 1", "Q3k3/8/8/8/8/8/8/4K3 b - - 0+3 1 1"];
        check(&checks, &["1. Qa8# 1-0"]);
        check(&[checks[0], "Q3k3/8/8/8/8/8/8/4K3 b - - 1+3 1 1"], &["*", "*"]);
        check(&["4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", checks[1]], &["*", "1-0"]);
    }

    #[test]
    fn positions_of_different_files_are_different_games() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
        let e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n";
        let files = [start, e4].map(|text| Database::from(text.as_bytes().to_vec()));
        let (games, totals) = JoinedGames::new().write(files, Vec::new()).unwrap();
        assert_eq!(String::from_utf8(games).unwrap().matches("[Event ").count(), 2);
        assert_eq!((totals.count.games, totals.count.positions), (2, 2));
    }

    #[test]
    fn a_game_that_is_dropped_leaves_the_positions_before_it() {
        let dropping = ReadOptions { on_error: OnError::Drop, ..ReadOptions::default() };
        let text = "1. e4 c5 2. Nf3 *\n\n1. d4 Ke3 *\n";
        let database = Database::from(text.as_bytes().to_vec());
        let (games, _) = JoinedGames::new().read_options(dropping).write([database], Vec::new()).unwrap();
        let games = String::from_utf8(games).unwrap();
        assert!(games.ends_with("\n\n1. e4 c5 2. Nf3 *\n\n") && games.matches("[Event ").count() == 1, "{games}");
    }

    #[test]
    fn the_weight_of_positions_grows_with_their_number() {
        let positions = |count: usize| Positions(vec![Position::initial(); count]);
        assert!(positions(100).weight() >= 100 * positions(1).weight() && positions(1).weight() > 1);
    }
}
