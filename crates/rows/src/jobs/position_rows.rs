//! A game → one row for each of its positions.

use std::cell::OnceCell;

use crate::columns::Columns;
use crate::columns::column::set::ColumnSet;
use crate::columns::column::{Column, PushNext, PushReplayed, Source};
use crate::columns::last_move::LastMove;
use crate::columns::sources::{Next, Reached, Replayed};
use crate::encode::encoded::EncodedRows;
use crate::jobs::games::{Shares, identity};
use crate::table::Table;
use crate::table::buffer::Evaluation;
use crate::table::draft::Draft;
use pgn2fen_chess::fen::{FenStyle, FenWriter};
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::zobrist;
use pgn2fen_games::judgement::JudgedMove;
use pgn2fen_games::pgn::annotation::{EngineReport, Eval};
use pgn2fen_games::pgn::encoding::Fallback;
use pgn2fen_games::replay::{ClockRules, Observer, PendingMove, Replay, VariantPolicy};
use pgn2fen_games::selection::Identity;
use pgn2fen_games::walk::{Choice, GameTask, OpenGame, Out, Played, PositionChoice, Repeats};

/// Makes one row for each position.
pub(crate) struct PositionRows {
    columns: Columns,
    style: FenStyle,
    positions: PositionChoice,
    /// The values that are written as text at once. None if all values are stored in the table.
    draft: Option<Draft>,
    sources: Sources,
    /// The parts to which games belong. None if there is one.
    shares: Option<Shares>,
    /// The tags that are asked for, without those of columns that a format adds.
    tags: Vec<Box<str>>,
    /// Whether the output can hold positions of variants.
    variants: VariantPolicy,
}

/// The columns that are made from the replay and from the next move, with their numbers.
#[derive(Default)]
struct Sources {
    replayed: Vec<(usize, PushReplayed)>,
    next: Vec<(usize, PushNext)>,
}

/// The columns that need the moves or the key of a position.
const MOVES: ColumnSet = ColumnSet::of(&[Column::San, Column::Uci, Column::NextSan, Column::NextUci, Column::Key]);

impl PositionRows {
    pub(crate) fn new(columns: Columns, style: FenStyle, positions: PositionChoice, draft: Option<Draft>) -> Self {
        let mut sources = Sources::default();
        for column in &columns {
            match column.source() {
                Source::Replayed(push) => sources.replayed.push((column.number(), push)),
                Source::Next(push) => sources.next.push((column.number(), push)),
                Source::Game | Source::Row | Source::Reached(_) | Source::Other => {}
            }
        }
        let tags = columns.tags().to_vec();
        let variants = VariantPolicy::Refuse;
        Self { columns, style, positions, draft, sources, shares: None, tags, variants }
    }

    /// Sets whether the output can hold positions of variants.
    #[must_use]
    pub(crate) fn with_variants(self, variants: VariantPolicy) -> Self {
        Self { variants, ..self }
    }

    /// Sets the tags that are asked for, which are those of all columns otherwise.
    #[must_use]
    pub(crate) fn with_tags(self, tags: Vec<Box<str>>) -> Self {
        Self { tags, ..self }
    }

    /// Sets the parts to which games belong.
    #[must_use]
    pub(crate) fn with_shares(self, shares: Option<Shares>) -> Self {
        Self { shares, ..self }
    }

    /// Returns the part to which a game belongs, which has not been played yet.
    fn part(&self, shares: &Shares, game: &mut OpenGame<'_, '_>) -> u16 {
        let of_place = Identity::of_place(game.file, game.offset());
        // The errors are found again when the game is played for its rows.
        let of_moves = game.replay().and_then(|replay| identity(&mut replay.clone(), u32::MAX, &mut Vec::new()));
        shares.number(of_moves.unwrap_or(of_place))
    }

    /// Whether a column needs the replay, or the text behind the move.
    fn reads_replay(&self) -> bool {
        let of_reached = ColumnSet::of(&[Column::Eval, Column::Clk, Column::Key]);
        self.columns.has().has_any(of_reached) || !self.sources.replayed.is_empty()
    }
}

impl GameTask for PositionRows {
    type BlockResult = EncodedRows;

    fn variants(&self) -> VariantPolicy {
        self.variants
    }

    fn repeats(&self) -> Repeats {
        self.positions.repeats()
    }

    fn needs_offsets(&self) -> bool {
        self.columns.has().has(&Column::Offset) || self.positions.filter.sample.is_some() || self.shares.is_some()
    }

    fn tags(&self) -> &[Box<str>] {
        &self.tags
    }

    fn game(&self, game: &mut OpenGame<'_, '_>, out: &mut Out<'_, EncodedRows>) -> Played {
        let mut choice = self.positions.in_game(game);
        let has = self.columns.has();
        let encoding = game.encoding;
        let [has_eval, has_clk] = [Column::Eval, Column::Clk].map(|column| has.has(&column));
        let clock_rules = has.has(&Column::Spent).then(|| ClockRules::of(game.tags, !has_clk));
        let EncodedRows { table, writer, .. } = &mut *out.made;
        if game.position().is_some() {
            table.begin(&self.columns, game);
            if let Some(shares) = &self.shares {
                table.set_part(self.part(shares, game));
            }
        }
        game.play(|replay| {
            // The usual evaluations and clocks are read at once.
            let only_eval = ColumnSet::of(&[Column::Eval]);
            let has_more = has.has_any(ColumnSet::SEARCH.without(only_eval));
            if has.has_any(ColumnSet::SEARCH) || choice.filters_by_eval() {
                replay.choose_evals();
            }
            let has_evals = replay.annotation_has_evals() && !choice.filters_by_eval();
            let mut rows = OpenRows {
                table,
                task: self,
                has,
                reads_replay: self.reads_replay(),
                writer: writer.get_or_insert_with(|| FenWriter::new(self.style)),
                reads_commands: (has_eval || has_clk) && !has_more && (!has_eval || has_evals),
                identities: self.positions.unique.then_some(&mut *out.identities),
                looks_ahead: self.positions.variations,
                last_move: LastMove::new(has.of_moves(), replay.castling_rules()),
                spent: None,
                judged: None,
                encoding,
                is_open: false,
            };
            let mut played = Played::default();
            if rows.are_plain(&choice) {
                rows.all(replay, &mut played);
            } else {
                rows.chosen(replay, &mut choice, clock_rules.as_ref(), &mut played);
            }
            if rows.reads_commands && has_eval {
                choice.count_eval_positions(played.positions);
            }
            played.evals = choice.end(replay);
            let plies = if has.has(&Column::Plies) { replay.last_ply() } else { 0 };
            table.end_game(replay.outcome(), plies);
            played
        })
    }
}

/// The rows of the game that is being played. The last row stays open until its next move is known.
struct OpenRows<'r> {
    table: &'r mut Table,
    task: &'r PositionRows,
    has: ColumnSet,
    reads_replay: bool,
    writer: &'r mut FenWriter,
    /// Whether the commands in comments are all that columns need of evaluations and clocks.
    reads_commands: bool,
    identities: Option<&'r mut Vec<Identity>>,
    /// Whether the next move is looked up at once. With variations, other moves may be played before it.
    looks_ahead: bool,
    last_move: LastMove,
    /// The time that was used for the last move, in seconds.
    spent: Option<f64>,
    /// The last move with the evaluations before and behind it.
    judged: Option<JudgedMove>,
    /// The encoding of comments that are not UTF-8.
    encoding: &'r Fallback,
    is_open: bool,
}

impl OpenRows<'_> {
    /// Whether every position of the main line has a row, and all its values are known when the position is reached.
    fn are_plain(&self, choice: &Choice<'_>) -> bool {
        choice.wants_main_line() && self.identities.is_none() && !self.reads_replay && self.task.sources.next.is_empty()
    }

    /// Makes [plain](Self::are_plain) rows. They could be made like chosen ones, but most jobs have such rows, and this
    /// is faster.
    #[inline(always)]
    fn all(&mut self, replay: &mut Replay<'_>, played: &mut Played) {
        self.begin(replay.position(), 0, None, (None, None));
        played.positions += 1;
        let mut word = replay.peek_word();
        while let Some(ply) = replay.next_ply_at(word, |error| played.errors.push(error), &mut self.last_move) {
            word = replay.peek_word();
            self.last_move.arrive(replay.position());
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
        let has_opening = self.has.has_any(ColumnSet::OPENING);
        if has_opening {
            replay.see_opening();
        }
        let mut is_wanted = choice.wants(replay, 0);
        let needs_move = self.has.has_any(MOVES);
        let is_judged = self.has.has_any(ColumnSet::JUDGED);
        let (mut number, mut after) = (0, None);
        loop {
            if is_judged {
                self.judged = replay.judge();
            }
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
            self.last_move.may_matter = may_matter;
            let Some(ply) = choice.next_ply_at(word, replay, &mut played.errors, &mut self.last_move) else {
                break;
            };
            number = ply.number;
            if has_opening {
                replay.see_opening();
            }
            if let Some(rules) = clock_rules {
                self.spent = replay.see_clock(rules);
            }
            is_wanted = choice.wants(replay, number);
            if may_matter && (is_wanted || self.is_open) {
                self.last_move.arrive(replay.position());
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
        let Self { table, task, has, writer, last_move, .. } = self;
        table.begin_row(ply, position.turn());
        let reached = Reached { ply, position, after, last_move, eval, clk };
        match &task.draft {
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
            self.last_move.key = None;
        }
    }

    /// Stores the values of the current position that are never drafted, and returns its evaluation and clock.
    #[inline(always)]
    fn read(&mut self, replay: &Replay<'_>, choice: &Choice<'_>) -> (Option<Evaluation>, Option<f64>) {
        if self.reads_replay { self.read_replay(replay, choice) } else { (None, None) }
    }

    #[inline(never)]
    fn read_replay(&mut self, replay: &Replay<'_>, choice: &Choice<'_>) -> (Option<Evaluation>, Option<f64>) {
        if self.has.has(&Column::Key) {
            self.last_move.key.get_or_insert_with(|| zobrist::key(replay.position()));
        }
        let (search, clk) = self.search(replay, choice);
        let turn = replay.position().turn();
        let eval = search.eval.map(|eval| evaluation(eval, turn));
        let sources = &self.task.sources.replayed;
        if !sources.is_empty() {
            let at = Replayed {
                replay,
                search,
                judged: self.judged,
                spent: self.spent,
                encoding: self.encoding,
                notes: OnceCell::new(),
            };
            let buffers = self.table.buffers_mut();
            sources.iter().for_each(|(number, push)| push(&at, &mut buffers.0[*number]));
        }
        (eval, clk)
    }

    /// Returns the search that gave the evaluation of the current position, and the clock, as far as columns need them.
    fn search(&self, replay: &Replay<'_>, choice: &Choice<'_>) -> (EngineReport, Option<f64>) {
        let has_clk = self.has.has(&Column::Clk);
        if self.reads_commands {
            let annotation = replay.annotation();
            if self.has.has(&Column::Eval) {
                choice.count_eval(replay, &annotation);
            }
            let clock = if has_clk { choice.check_clock(replay, &annotation) } else { None };
            return (EngineReport { eval: annotation.eval, ..EngineReport::default() }, clock);
        }
        if self.has.has_any(ColumnSet::SEARCH) { choice.search(replay, has_clk) } else { Default::default() }
    }

    /// Ends the open row with the next move of its line, which has not been played yet.
    #[inline(never)]
    fn close_ahead(&mut self, replay: &Replay<'_>) {
        let next = if self.task.sources.next.is_empty() { None } else { replay.next_move() };
        let mut here = LastMove::new(self.has.of_moves(), replay.castling_rules());
        here.needs_key = false;
        if let Some((_, m)) = next {
            let mut after = replay.position().clone();
            after.play_unchecked(m);
            here.see(&PendingMove::new(replay.position(), m));
            here.arrive(&after);
        }
        std::mem::swap(&mut self.last_move, &mut here);
        self.close(next.map(|(_, m)| m));
        self.last_move = here;
    }

    /// Ends the open row, if there is one: with the move that was played in its position, or without a move.
    #[inline(always)]
    fn close(&mut self, played: Option<Move>) {
        if std::mem::take(&mut self.is_open) && !self.task.sources.next.is_empty() {
            self.close_with(played);
        }
    }

    fn close_with(&mut self, played: Option<Move>) {
        let (san, uci) =
            if played.is_some() { (self.last_move.san, &self.last_move.uci[..]) } else { Default::default() };
        let next = Next { san, uci, played };
        let buffers = self.table.buffers_mut();
        self.task.sources.next.iter().for_each(|(number, push)| push(&next, &mut buffers.0[*number]));
    }
}

/// Stores the values that could be drafted in the columns of a table.
#[inline(never)]
fn store(reached: &Reached<'_>, has: ColumnSet, writer: &mut FenWriter, table: &mut Table) {
    Column::push_reached(has, reached, writer, table.buffers_mut());
}

fn evaluation(eval: Eval, turn: Color) -> Evaluation {
    let centipawns = eval.centipawns(turn);
    let is_mate = matches!(eval, Eval::Mate(_)) || centipawns.unsigned_abs() >= LEAST_MATE;
    Evaluation { centipawns, is_mate }
}

/// The least evaluation that counts as a mate, in centipawns. Engines and their logs write mates as numbers that no
/// material reaches, such as 31979.
const LEAST_MATE: u32 = 30_000;
