//! A game → one row for each of its positions.

use crate::column::{ColumnSet, Columns};
use crate::comment::append_comments;
use crate::draft::{Draft, Reached};
use crate::encoded::EncodedRows;
use crate::last_move::LastMove;
use crate::material::append_material;
use crate::packed::{NO_MOVE, PackedPosition, packed_move};
use crate::table::{Branch, Evaluation, Table};
use pgn2fen_chess::fen::{FenStyle, FenWriter};
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::san::Spelled;
use pgn2fen_chess::zobrist;
use pgn2fen_games::pgn::annotation::{EngineReport, Eval};
use pgn2fen_games::pgn::encoding::Fallback;
use pgn2fen_games::replay::{ClockRules, Notes, Observer, PendingMove, Replay};
use pgn2fen_games::selection::Identity;
use pgn2fen_games::walk::{Choice, GameTask, OpenGame, Out, Played, PositionChoice, Repeats};

/// Makes one row for each position.
#[derive(Debug)]
pub(crate) struct PositionRows {
    pub(crate) columns: Columns,
    pub(crate) style: FenStyle,
    pub(crate) positions: PositionChoice,
    /// The values that are written as text at once. None if all values are stored in the table.
    pub(crate) draft: Option<Draft>,
}

impl GameTask for PositionRows {
    type BlockResult = EncodedRows;

    fn repeats(&self) -> Repeats {
        self.positions.repeats()
    }

    fn needs_offsets(&self) -> bool {
        self.columns.has().offset || self.positions.filter.sample.is_some()
    }

    fn tags(&self) -> &[Box<str>] {
        self.columns.tags()
    }

    fn game(&self, game: &mut OpenGame<'_, '_>, out: &mut Out<'_, EncodedRows>) -> Played {
        let mut choice = self.positions.in_game(game);
        let has = self.columns.has();
        let encoding = game.encoding;
        let clock_rules = has.spent.then(|| ClockRules::of(game.tags, !has.clk));
        let EncodedRows { table, writer, .. } = &mut *out.made;
        if game.position().is_some() {
            let line = if has.line { game.count_line() } else { 0 };
            table.begin_game(game.number, game.offset(), line);
            table.push_tags(&self.columns, game.tags, encoding);
            if has.tags {
                table.push_pairs(game.tags, encoding);
            }
        }
        game.play(|replay| {
            // The usual evaluations and clocks are read at once.
            let has_more = has.depth || has.time || has.nodes;
            let has_evals = replay.annotation_has_evals() && !choice.filters_by_eval();
            let mut rows = Rows {
                table,
                draft: self.draft.as_ref(),
                has,
                writer: writer.get_or_insert_with(|| FenWriter::new(self.style)),
                reads_commands: (has.eval || has.clk) && !has_more && (!has.eval || has_evals),
                identities: self.positions.unique.then_some(&mut *out.identities),
                looks_ahead: self.positions.variations,
                led_here: LastMove::new(has, replay.castling_rules()),
                spent: None,
                encoding,
                is_open: false,
            };
            let mut played = Played::default();
            if rows.are_plain(&choice) {
                rows.all(replay, &mut played);
            } else {
                rows.chosen(replay, &mut choice, clock_rules.as_ref(), &mut played);
            }
            if rows.reads_commands && has.eval {
                choice.count_eval_positions(played.positions);
            }
            played.evals = choice.end(replay);
            let plies = if has.plies { replay.last_ply() } else { 0 };
            table.end_game(replay.outcome(), plies);
            played
        })
    }
}

/// The rows of the game that is being played. The last row stays open until its next move is known.
struct Rows<'r> {
    table: &'r mut Table,
    draft: Option<&'r Draft>,
    has: ColumnSet,
    writer: &'r mut FenWriter,
    /// Whether the commands in comments are all that columns need of evaluations and clocks.
    reads_commands: bool,
    identities: Option<&'r mut Vec<Identity>>,
    /// Whether the next move is looked up at once. With variations, other moves may be played before it.
    looks_ahead: bool,
    led_here: LastMove,
    /// The time that was used for the last move, in seconds.
    spent: Option<f64>,
    /// The encoding of comments that are not UTF-8.
    encoding: &'r Fallback,
    is_open: bool,
}

impl Rows<'_> {
    /// Whether every position of the main line has a row, and all its values are known when the position is reached.
    fn are_plain(&self, choice: &Choice<'_>) -> bool {
        choice.wants_main_line() && self.identities.is_none() && !self.has.more && !self.has.next
    }

    /// Makes [plain](Self::are_plain) rows. They could be made like chosen ones, but most jobs have such rows, and this
    /// is faster.
    #[inline(always)]
    fn all(&mut self, replay: &mut Replay<'_>, played: &mut Played) {
        self.begin(replay.position(), 0, None, (None, None));
        played.positions += 1;
        let mut word = replay.peek_word();
        while let Some(ply) = replay.next_ply_at(word, |error| played.errors.push(error), &mut self.led_here) {
            word = replay.peek_word();
            self.led_here.arrive(replay.position());
            self.begin(replay.position(), ply.number, Some(ply.played), (None, None));
            played.positions += 1;
        }
    }

    /// Makes the rows of chosen positions.
    #[inline(always)]
    fn chosen(
        &mut self,
        replay: &mut Replay<'_>,
        choice: &mut Choice<'_>,
        clock_rules: Option<&ClockRules>,
        played: &mut Played,
    ) {
        if self.has.opening {
            replay.see_opening();
        }
        let mut is_wanted = choice.wants(replay, 0);
        let needs_move = self.has.san || self.has.uci || self.has.next_san || self.has.next_uci || self.has.key;
        let (mut number, mut after) = (0, None);
        loop {
            let search = if is_wanted { self.read(replay, choice) } else { (None, None) };
            // Nothing more is read of the text behind the last move.
            let word = choice.peek_word(replay);
            if is_wanted {
                self.open(replay, number, after, search);
                played.positions += 1;
            }
            // A move belongs to two rows: it ends one and begins the next. If neither row is wanted, the move is not
            // written.
            let may_matter = needs_move && (self.is_open || self.looks_ahead || choice.wants_ply(number + 1));
            self.led_here.may_matter = may_matter;
            let Some(ply) = choice.next_ply_at(word, replay, &mut played.errors, &mut self.led_here) else {
                break;
            };
            number = ply.number;
            if self.has.opening {
                replay.see_opening();
            }
            if let Some(rules) = clock_rules {
                self.spent = replay.see_clock(rules);
            }
            is_wanted = choice.wants(replay, number);
            if may_matter && (is_wanted || self.is_open) {
                self.led_here.arrive(replay.position());
            }
            after = Some(ply.played).filter(|_| self.is_open);
            self.close(Some(ply.played));
        }
        self.close(None);
    }

    /// Begins the row of a position with the values that could be drafted. `after` is the move that was played in the
    /// position of the last row, if it led here.
    #[inline(always)]
    fn begin(
        &mut self,
        position: &Position,
        ply: u32,
        after: Option<Move>,
        (eval, clk): (Option<Evaluation>, Option<f64>),
    ) {
        let Self { table, draft, has, writer, led_here, .. } = self;
        table.begin_row(ply, position.turn());
        let reached = Reached { ply, position, after, led_here, eval, clk };
        match draft {
            Some(draft) => draft.append(&reached, writer, table),
            None => store(&reached, *has, writer, table),
        }
    }

    /// Begins the row of the current position, and leaves it open. `after` and `search` are as in
    /// [`begin`](Self::begin).
    #[inline(always)]
    fn open(&mut self, replay: &Replay<'_>, ply: u32, after: Option<Move>, search: (Option<Evaluation>, Option<f64>)) {
        self.begin(replay.position(), ply, after, search);
        if let Some(identities) = &mut self.identities {
            identities.push(Identity::of(replay.position()));
        }
        self.is_open = true;
        if self.looks_ahead {
            self.close_ahead(replay);
            self.led_here.key = None;
        }
    }

    /// Stores the values of the current position that are never drafted, and returns its evaluation and clock.
    #[inline(always)]
    fn read(&mut self, replay: &Replay<'_>, choice: &Choice<'_>) -> (Option<Evaluation>, Option<f64>) {
        if self.has.more { self.read_more(replay, choice) } else { (None, None) }
    }

    #[inline(never)]
    fn read_more(&mut self, replay: &Replay<'_>, choice: &Choice<'_>) -> (Option<Evaluation>, Option<f64>) {
        let Self { table, has, .. } = self;
        if has.position {
            table.positions.push(PackedPosition::of(replay.position()));
        }
        if has.opening {
            table.openings.push(replay.opening());
        }
        if has.key {
            self.led_here.key.get_or_insert_with(|| zobrist::key(replay.position()));
        }
        if has.rare {
            self.read_rare(replay);
        }
        self.search(replay, choice)
    }

    /// Stores the values that few jobs have.
    fn read_rare(&mut self, replay: &Replay<'_>) {
        let Self { table, has, .. } = self;
        if has.material {
            table.materials.push_with(|out| append_material(replay.position().board(), out));
        }
        if has.variation {
            table.variations.push(Branch { variation: replay.variation(), parent: replay.parent() });
        }
        if has.spent {
            table.spents.push(self.spent);
        }
        if has.comment || has.nags {
            let Notes { comments, nags } = replay.notes();
            if has.comment {
                table.comments.push_with(|out| append_comments(&comments, self.encoding, out));
            }
            if has.nags {
                table.nags.push(&nags);
            }
        }
    }

    /// Returns the evaluation and the clock of the current position. Stores the other values of its search.
    fn search(&mut self, replay: &Replay<'_>, choice: &Choice<'_>) -> (Option<Evaluation>, Option<f64>) {
        let Self { table, has, .. } = self;
        let turn = replay.position().turn();
        if self.reads_commands {
            let annotation = replay.annotation();
            if has.eval {
                choice.count_eval(replay, &annotation);
            }
            if has.clk {
                choice.check_clock(replay, &annotation);
            }
            return (annotation.eval.map(|eval| evaluation(eval, turn)), annotation.clock);
        }
        if !has.search() {
            return (None, None);
        }
        let (EngineReport { eval, depth, time, nodes }, clock) = choice.search(replay, has.clk);
        if has.depth {
            table.depths.push(depth);
        }
        if has.time {
            table.times.push(time);
        }
        if has.nodes {
            table.nodes.push(nodes);
        }
        (eval.map(|eval| evaluation(eval, turn)), clock)
    }

    /// Ends the open row with the next move of its line, which has not been played yet.
    #[inline(never)]
    fn close_ahead(&mut self, replay: &Replay<'_>) {
        let next = if self.has.next_san || self.has.next_uci || self.has.next_move { replay.next_move() } else { None };
        let mut here = LastMove::new(ColumnSet { key: false, ..self.has }, replay.castling_rules());
        if let Some((_, m)) = next {
            let mut after = replay.position().clone();
            after.play_unchecked(m);
            here.see(&PendingMove::new(replay.position(), m));
            here.arrive(&after);
        }
        std::mem::swap(&mut self.led_here, &mut here);
        self.close(next.map(|(_, m)| m));
        self.led_here = here;
    }

    /// Ends the open row, if there is one: with the move that was played in its position, or without a move.
    #[inline(always)]
    fn close(&mut self, played: Option<Move>) {
        if std::mem::take(&mut self.is_open) && self.has.next {
            self.close_with(played);
        }
    }

    fn close_with(&mut self, played: Option<Move>) {
        let Self { table, has, led_here, .. } = self;
        if has.next_san {
            let san = if played.is_some() { led_here.san } else { Spelled::default() };
            table.next_sans.push_with(|out| san.append(out));
        }
        if has.next_uci {
            table.next_ucis.push(if played.is_some() { &led_here.uci } else { b"" });
        }
        if has.next_move {
            table.next_moves.push(played.map_or(NO_MOVE, packed_move));
        }
    }
}

/// Stores the values that could be drafted in the columns of a table.
#[inline(never)]
fn store(reached: &Reached<'_>, has: ColumnSet, writer: &mut FenWriter, table: &mut Table) {
    if has.fen {
        table.fens.push_with(|out| reached.append_fen(writer, out));
    }
    if has.san {
        table.sans.push_with(|out| reached.led_here.san.append(out));
    }
    if has.uci {
        table.ucis.push(&reached.led_here.uci);
    }
    if has.key {
        table.keys.push(reached.key());
    }
    if has.eval {
        table.evals.push(reached.eval);
    }
    if has.clk {
        table.clks.push(reached.clk);
    }
}

fn evaluation(eval: Eval, turn: Color) -> Evaluation {
    let centipawns = centipawns(eval, turn);
    let is_mate = matches!(eval, Eval::Mate(_)) || centipawns.unsigned_abs() >= LEAST_MATE;
    Evaluation { centipawns, is_mate }
}

/// The least evaluation that counts as a mate, in centipawns. Engines and their logs write mates as numbers that no
/// material reaches, such as 31979.
const LEAST_MATE: u32 = 30_000;

/// Converts an evaluation to the number of the column `eval`: centipawns from White's point of view. Mate in n moves is
/// ±(32000 − n). `turn` is the side to move.
pub fn centipawns(eval: Eval, turn: Color) -> i32 {
    const MATE: i32 = 32_000;
    match eval {
        Eval::Centipawns(centipawns) => centipawns,
        // The side to move is mated.
        Eval::Mate(0) if turn == Color::White => -MATE,
        Eval::Mate(0) => MATE,
        Eval::Mate(moves) if moves < 0 => -(MATE + moves.max(-MATE)),
        Eval::Mate(moves) => MATE - moves.min(MATE),
    }
}

#[cfg(test)]
mod tests {
    use super::centipawns;
    use pgn2fen_chess::piece::Color;
    use pgn2fen_games::pgn::annotation::Eval;

    #[test]
    fn mates_are_worth_more_than_any_material() {
        let white = |eval| centipawns(eval, Color::White);
        assert_eq!(white(Eval::Centipawns(-31)), -31);
        assert_eq!((white(Eval::Mate(3)), white(Eval::Mate(-3))), (31_997, -31_997));
        assert_eq!((white(Eval::Mate(i32::MAX)), white(Eval::Mate(i32::MIN))), (0, 0));
        assert_eq!((white(Eval::Mate(0)), centipawns(Eval::Mate(0), Color::Black)), (-32_000, 32_000));
    }
}
