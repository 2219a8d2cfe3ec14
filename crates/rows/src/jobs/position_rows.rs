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
use pgn2fen_games::walk::{Choice, GameParts, GameTask, OpenGame, Out, Played, PositionChoice, Repeats};

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
        let variants = VariantPolicy::default();
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

    fn parts(&self) -> GameParts {
        self.positions.parts().with(self.columns.parts())
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

#[cfg(test)]
mod tests {
    use super::PositionRows;
    use crate::games::Split;
    use crate::jobs::fens::FenLines;
    use crate::jobs::whole_games::WholeGames;
    use crate::testing::{Told, written};
    use crate::{Columns, Format, GameRows, Rows, Shape};
    use pgn2fen_chess::fen::FenStyle;
    use pgn2fen_games::pgn::annotation::EvalSource;
    use pgn2fen_games::selection::{PositionFilter, Sample};
    use pgn2fen_games::walk::{GameTask, OnError, PositionChoice, ReadOptions};

    const GAMES: &str = "\
[Event \"Übung\"]
[White \"Tal, M\"]
[WhiteElo \"2705\"]
[Date \"1960.03.15\"]
[TimeControl \"180+2\"]
[Result \"1-0\"]

1. e4 {[%eval 0.3] [%clk 0:03:00] sharp} e5 $1 $14 {[%eval 0.25] [%clk 0:02:50.5]}
2. Nf3 {[%eval 0.2] [%clk 0:02:58]} (2. f4 {the gambit [%eval -0.4]} exf4 $6)
2... Qh4 {[%eval 8.5] [%clk 0:02:00]} 3. Nxh4 {[%eval #-12]} 1-0

[White \"\"]
[WhiteElo \"?\"]
[Date \"1960.??.??\"]
[FEN \"4k3/8/8/8/8/8/4P3/4K2R w K - 0 1\"]

1. O-O {+0.31/14 0.5s} Kd7 2. Ke3 *

[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]

1. a8=Q+ {d=14, sd=20, mt=1500, tl=100000, s=1000, n=1200, pv=a8Q, tb=0, R50=50, wv=9.31} *
";

    /// The columns with their values in the rows of these games, with variations. `x3` stands behind three equal
    /// values.
    const VALUES: &[(&str, &str)] = &[
        ("file", " x13"),
        ("game", "1 x8 | 2 x3 | 3 x2"),
        ("offset", "0 x8 | 337 x3 | 462 x2"),
        ("line", "1 x8 | 12 x3 | 19 x2"),
        ("id", "1 x8 | 2 x3 | 3 x2"),
        ("ply", "0 | 1 | 2 | 3 x2 | 4 x2 | 5 | 0 | 1 | 2 | 0 | 1"),
        ("variation", "0 x4 | 1 x2 | 0 x7"),
        ("parent", " x4 | 0 x2 |  x7"),
        ("plies", "5 x8 | 2 x3 | 1 x2"),
        ("turn", "w | b | w | b x2 | w x2 | b | w | b | w x2 | b"),
        ("variant", "standard x13"),
        ("hand", " x13"),
        (
            "fen",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | \
             rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1 | \
             rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2 | \
             rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2 | \
             rnbqkbnr/pppp1ppp/8/4p3/4PP2/8/PPPP2PP/RNBQKBNR b KQkq f3 0 2 | \
             rnbqkbnr/pppp1ppp/8/8/4Pp2/8/PPPP2PP/RNBQKBNR w KQkq - 0 3 | \
             rnb1kbnr/pppp1ppp/8/4p3/4P2q/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3 | \
             rnb1kbnr/pppp1ppp/8/4p3/4P2N/8/PPPP1PPP/RNBQKB1R b KQkq - 0 3 | \
             4k3/8/8/8/8/8/4P3/4K2R w K - 0 1 | 4k3/8/8/8/8/8/4P3/5RK1 b - - 1 1 | \
             8/3k4/8/8/8/8/4P3/5RK1 w - - 2 2 | 4k3/P7/8/8/8/8/8/4K3 w - - 0 1 | Q3k3/8/8/8/8/8/8/4K3 b - - 0 1",
        ),
        (
            "material",
            "KQRRBBNNPPPPPPPP:KQRRBBNNPPPPPPPP x5 | KQRRBBNNPPPPPPP:KQRRBBNNPPPPPPPP | \
             KQRRBBNNPPPPPPPP:KQRRBBNNPPPPPPPP | KQRRBBNNPPPPPPPP:KRRBBNNPPPPPPPP | KRP:K x3 | KP:K | KQ:K",
        ),
        ("san", " | e4 | e5 | Nf3 | f4 | exf4 | Qh4 | Nxh4 |  | O-O | Kd7 |  | a8=Q+"),
        ("uci", " | e2e4 | e7e5 | g1f3 | f2f4 | e5f4 | d8h4 | f3h4 |  | e1g1 | e8d7 |  | a7a8q"),
        ("next_san", "e4 | e5 | Nf3 | Qh4 | exf4 |  | Nxh4 |  | O-O | Kd7 |  | a8=Q+ | "),
        ("next_uci", "e2e4 | e7e5 | g1f3 | d8h4 | e5f4 |  | f3h4 |  | e1g1 | e8d7 |  | a7a8q | "),
        ("eval", " | 30 | 25 | 20 | -40 |  | 850 | -31988 | 31 |  x2 | 931 | "),
        ("depth", " x8 | 14 |  x2 | 14 | "),
        ("time", " x8 | 0.5 |  x2 | 1.5 | "),
        ("nodes", " x11 | 1200 | "),
        ("win_chance", " | 52.76 | 52.3 | 51.84 | 46.32 |  | 95.81 | 2.46 | 52.85 |  x2 | 96.86 | "),
        ("cp_loss", " | 0 x2 | 5 | 65 |  | 830 | 1850 |  x5"),
        ("accuracy", " | 100.0 x2 | 98.96 | 77.37 |  | 13.04 | 0.0 |  x5"),
        ("judgement", " | good x3 | inaccuracy |  | blunder x2 |  x5"),
        ("clk", " | 180.0 | 170.5 | 178.0 |  x2 | 120.0 |  x6"),
        ("spent", " | 2.0 | 11.5 | 4.0 |  x2 | 52.5 |  x6"),
        (
            "comment",
            " | [%eval 0.3] [%clk 0:03:00] sharp | [%eval 0.25] [%clk 0:02:50.5] | \
             [%eval 0.2] [%clk 0:02:58] | the gambit [%eval -0.4] |  | [%eval 8.5] [%clk 0:02:00] | \
             [%eval #-12] |  | +0.31/14 0.5s |  x2 | \
             d=14, sd=20, mt=1500, tl=100000, s=1000, n=1200, pv=a8Q, tb=0, R50=50, wv=9.31",
        ),
        ("words", " | sharp |  x2 | the gambit |  x8"),
        ("nags", " x2 | 1 14 |  x2 | 6 |  x7"),
        (
            "key",
            "463b96181691fc9c | 823c9b50fd114196 | 0844931a6ef4b9a0 | d3207fec0612d89d | f552ee1777658429 | \
             1cd8d48946aa83fd | 2d27db1b5d245063 | 846468f5b3f6a0ea | 05b1fcd9d2200fd6 | 8aa1326a715a5556 | \
             62abf33e1562b1b9 | e7783b5a70da7685 | 6b57982f38d6d6b7",
        ),
        ("result", "1-0 x8 | * x5"),
        ("eco", " | B00 | C20 | C40 | C30 | C33 | C40 x2 |  x5"),
        (
            "opening",
            " | King's Pawn Game x2 | King's Knight Opening | King's Gambit | King's Gambit Accepted | \
             King's Knight Opening x2 |  x5",
        ),
        (
            "tags",
            concat!(
                r#"{"Event":"Übung","White":"Tal, M","WhiteElo":"2705","Date":"1960.03.15","TimeControl":"180+2","#,
                r#""Result":"1-0"} x8 | "#,
                r#"{"White":"","WhiteElo":"?","Date":"1960.??.??","FEN":"4k3/8/8/8/8/8/4P3/4K2R w K - 0 1"} x3 | "#,
                r#"{"FEN":"4k3/P7/8/8/8/8/8/4K3 w - - 0 1"} x2"#,
            ),
        ),
        ("White", "Tal, M x8 |  x5"),
        ("WhiteElo", "2705 x8 | ? x3 |  x2"),
        ("Date", "1960.03.15 x8 | 1960.??.?? x3 |  x2"),
        ("Date_text", "1960.03.15 x8 | 1960.??.?? x3 |  x2"),
    ];

    /// Returns the values of some columns as csv or tsv has them, row by row.
    fn values(rows: Rows, columns: &str, format: Format) -> Vec<Vec<String>> {
        let columns: Columns = columns.parse().unwrap();
        let rows = rows.shape(Shape { format, columns: Some(columns), no_header: true });
        let (text, _) = written(&rows, GAMES);
        let cell = |cell: &str| match cell.strip_prefix('"').and_then(|cell| cell.strip_suffix('"')) {
            Some(quoted) => quoted.replace("\"\"", "\""),
            None => cell.to_owned(),
        };
        text.lines().map(|line| line.split('\t').map(cell).collect()).collect()
    }

    fn joined<'v>(values: impl Iterator<Item = &'v String>) -> String {
        let values: Vec<&String> = values.collect();
        let run = |run: &[&String]| match run.len() {
            1 => run[0].clone(),
            count => format!("{} x{count}", run[0]),
        };
        values.chunk_by(|value, next| value == next).map(run).collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn each_column_has_its_values() {
        for (column, expected) in VALUES {
            for format in [Format::Tsv, Format::Csv] {
                let alone = values(Rows::new().variations(true), column, format);
                assert_eq!(joined(alone.iter().map(|row| &row[0])), *expected, "{column}");
            }
        }
    }

    #[test]
    fn a_column_has_the_same_values_beside_others() {
        let names: Vec<&str> = VALUES.iter().map(|(name, _)| *name).collect();
        for others in ["eval", "clk", "eval,clk", "eval,key", "depth", "san", "next_uci", "opening,plies"] {
            let list = format!("{others},{}", names.join(","));
            let read: Columns = list.parse().unwrap();
            let together = values(Rows::new().variations(true), &list, Format::Tsv);
            for (nth, column) in read.iter().enumerate() {
                let expected = VALUES.iter().find(|(name, _)| *name == column.name()).unwrap().1;
                assert_eq!(joined(together.iter().map(|row| &row[nth])), expected, "{column:?}");
            }
        }
        for pair in names.iter().flat_map(|one| ["eval", "clk", "uci", "key"].map(|two| [*one, two])) {
            if pair[0] != pair[1] {
                let together = values(Rows::new().variations(true), &pair.join(","), Format::Tsv);
                let expected = VALUES.iter().find(|(name, _)| *name == pair[1]).unwrap().1;
                assert_eq!(joined(together.iter().map(|row| &row[1])), expected, "{pair:?}");
            }
        }
    }

    #[test]
    fn without_variations_the_rows_are_those_of_the_main_line() {
        for (column, _) in VALUES {
            let all = values(Rows::new().variations(true), &format!("variation,{column}"), Format::Tsv);
            let of_main_line = all.into_iter().filter(|row| row[0] == "0").map(|row| row.last().unwrap().clone());
            let main_line = values(Rows::new(), column, Format::Tsv);
            // Without variations, the next move is that of the main line everywhere.
            let main_line = main_line.into_iter().map(|row| row[0].clone());
            assert_eq!(main_line.collect::<Vec<_>>(), of_main_line.collect::<Vec<_>>(), "{column}");
        }
    }

    #[test]
    fn chosen_rows_have_the_values_of_all_rows() {
        let at = |plies: &str| Rows::new().plies(plies).unwrap();
        for (column, _) in VALUES {
            let all = values(Rows::new(), &format!("ply,{column}"), Format::Tsv);
            for (plies, chosen) in [("1,3", ["1", "3"]), ("0,2", ["0", "2"]), ("2,3", ["2", "3"])] {
                let expected: Vec<&String> =
                    all.iter().filter(|row| chosen.contains(&&*row[0])).filter_map(|row| row.last()).collect();
                let found = values(at(plies), column, Format::Tsv);
                assert_eq!(found.iter().map(|row| &row[0]).collect::<Vec<_>>(), expected, "{column} {plies}");
            }
        }
    }

    #[test]
    fn values_of_json_are_those_of_text() {
        for (column, expected) in VALUES {
            // Dates and numbers in tags have another form, and so do lists and objects.
            if ["tags", "nags", "Date", "WhiteElo"].contains(column) {
                continue;
            }
            let rows = Rows::columns(column).unwrap().format(Format::Jsonl).variations(true);
            let value = |line: &str| {
                let row: serde_json::Value = serde_json::from_str(line).unwrap();
                match &row[column] {
                    serde_json::Value::Null => String::new(),
                    serde_json::Value::String(text) => text.clone(),
                    number => number.to_string(),
                }
            };
            let values: Vec<String> = written(&rows, GAMES).0.lines().map(value).collect();
            assert_eq!(joined(values.iter()), *expected, "{column}");
        }
    }

    #[test]
    fn what_was_read_is_counted() {
        let (_, totals) = written(&Rows::columns("eval,White").unwrap(), GAMES);
        assert_eq!((totals.count.games, totals.count.positions), (3, 11));
        assert_eq!((totals.evals.positions, totals.evals.found), (11, 7));
        let (_, totals) = written(&Rows::columns("ply,depth").unwrap(), GAMES);
        assert_eq!((totals.evals.positions, totals.evals.found), (11, 7));
        let lichess = Rows::columns("eval").unwrap().evals(EvalSource::Lichess);
        let (_, totals) = written(&lichess, GAMES);
        assert_eq!((totals.evals.positions, totals.evals.found), (11, 5));
        // A filter of evaluations reads them, too, and they still count once.
        let filter = PositionFilter { max_eval: Some(30_000), ..PositionFilter::default() };
        let (_, totals) = written(&lichess.positions(filter), GAMES);
        assert_eq!((totals.evals.positions, totals.evals.found), (11, 5));
        let (_, totals) = written(&Rows::columns("ply,Foo,White").unwrap(), GAMES);
        let missing: Vec<&str> = totals.missing_tags.iter().map(|tag| &*tag.name).collect();
        assert_eq!((missing, totals.evals.positions), (vec!["Foo"], 0));
        // The tags of the usual caption of a board may be missing, and so may those that boards are drawn from.
        let (_, totals) = written(&Rows::new().format(Format::Html), "1. e4 *");
        assert!(totals.missing_tags.is_empty());
        let (_, totals) = written(&Rows::columns("Foo").unwrap().format(Format::Html), "1. e4 *");
        assert_eq!(totals.missing_tags.iter().map(|tag| &*tag.name).collect::<Vec<_>>(), ["Foo"]);
    }

    #[test]
    fn a_game_that_is_dropped_leaves_no_rows() {
        let drop = ReadOptions { on_error: OnError::Drop, ..ReadOptions::default() };
        let columns = "game,ply,White,san,next_san,comment,tags";
        for format in [Format::Tsv, Format::Jsonl] {
            let rows = Rows::columns(columns).unwrap().format(format);
            let (all, _) = written(&rows, GAMES);
            let (kept, totals) = written(&rows.read_options(drop.clone()), GAMES);
            let is_kept = |line: &&str| !line.starts_with("2\t") && !line.starts_with("{\"game\":2,");
            assert_eq!(kept.lines().collect::<Vec<_>>(), all.lines().filter(is_kept).collect::<Vec<_>>());
            assert_eq!((totals.dropped, totals.count.positions), (1, 8));
        }
        let game = |white: &str, black: &str, moves: &str| {
            format!("[White \"{white}\"]\n[Black \"{black}\"]\n\n1. {moves} *\n\n")
        };
        let games =
            [game("A", "B", "e4 {[%eval 0.3,14]}"), game("C", "D", "c4 {[%eval 0.3,15]} Ke3"), game("E", "F", "d4")];
        let rows = Rows::columns("White,Black,san,depth").unwrap().plies("1").unwrap().format(Format::Jsonl);
        let of_games = |games: &[String]| written(&rows.clone().read_options(drop.clone()), &games.concat()).0;
        let kept = of_games(&games[..1]) + &of_games(&games[2..]);
        assert_eq!(of_games(&games), kept);
    }

    #[test]
    fn the_first_of_equal_positions_has_a_row() {
        let unique = Rows::columns("game,ply,san,uci,next_san").unwrap().unique(true);
        let games = "1. e4 *\n\n1. e4 e5 *\n\n1. d4 *\n";
        let expected =
            "game\tply\tsan\tuci\tnext_san\n1\t0\t\t\te4\n1\t1\te4\te2e4\t\n2\t2\te5\te7e5\t\n3\t1\td4\td2d4\t\n";
        assert_eq!(written(&unique, games).0, expected);
        assert_eq!(written(&unique.clone().unique_within(1 << 30), games).0, expected);
        let few = Rows::columns("ply").unwrap().unique_within(1);
        assert!(few.write(crate::testing::games(games), Vec::new()).is_err());
    }

    #[cfg(feature = "variants")]
    #[test]
    fn variants_are_played_but_for_trainers() {
        let game = "[Variant \"Crazyhouse\"]\n[Result \"1-0\"]\n\n{[%eval 0.1]} 1. e4 d5 2. exd5 Qxd5 3. P@e4 1-0\n";
        let (rows, _) = written(&Rows::columns("uci,hand,variant,material").unwrap(), game);
        let expected = [
            "uci\thand\tvariant\tmaterial",
            "\t\tcrazyhouse\tKQRRBBNNPPPPPPPP:KQRRBBNNPPPPPPPP",
            "e2e4\t\tcrazyhouse\tKQRRBBNNPPPPPPPP:KQRRBBNNPPPPPPPP",
            "d7d5\t\tcrazyhouse\tKQRRBBNNPPPPPPPP:KQRRBBNNPPPPPPPP",
            "e4d5\tP\tcrazyhouse\tKQRRBBNNPPPPPPPP:KQRRBBNNPPPPPPP",
            "d8d5\tPp\tcrazyhouse\tKQRRBBNNPPPPPPP:KQRRBBNNPPPPPPP",
            "P@e4\tp\tcrazyhouse\tKQRRBBNNPPPPPPPP:KQRRBBNNPPPPPPP",
        ];
        assert_eq!(rows.lines().collect::<Vec<_>>(), expected);
        for format in [Format::Bullet, Format::Plain] {
            assert_eq!(written(&Rows::new().format(format), game).0, "");
        }
        let (rows, _) = written(&Rows::new().format(Format::Epd), game);
        assert_eq!(rows.lines().count(), 6);
    }

    #[test]
    fn a_job_tells_what_it_needs() {
        let sample = || Sample { share: "0.5".parse().unwrap(), seed: 0 };
        let choice = |sample| PositionChoice {
            filter: PositionFilter { sample, ..PositionFilter::default() },
            ..PositionChoice::default()
        };
        let rows = |columns: &str, sample| {
            PositionRows::new(columns.parse().unwrap(), FenStyle::default(), choice(sample), None)
        };
        assert!(rows("offset", None).needs_offsets() && rows("ply", Some(sample())).needs_offsets());
        assert!(!rows("ply", None).needs_offsets());
        let Ok(Split::Shares(shares)) = "a=1".parse() else { panic!("these are shares") };
        assert!(rows("ply", None).with_shares(Some(shares)).needs_offsets());
        let lines = |sample| FenLines::new(FenStyle::default(), choice(sample));
        assert!(lines(Some(sample())).needs_offsets() && !lines(None).needs_offsets());
        let games = |columns: &str| WholeGames {
            columns: Columns::of_games(columns).unwrap(),
            style: FenStyle::default(),
            has_refused: false,
        };
        assert!(games("offset").needs_offsets() && !games("game").needs_offsets());
        let reads = |columns: &str| Rows::columns(columns).unwrap().reads_evals();
        assert!(reads("ply,depth") && reads("eval") && !reads("ply") && !Rows::new().reads_evals());
        let filter = PositionFilter { max_eval: Some(1), ..PositionFilter::default() };
        assert!(Rows::columns("ply").unwrap().positions(filter).reads_evals());
        let of_games = |columns: &str| GameRows::columns(columns).unwrap().reads_evals();
        assert!(of_games("evals") && of_games("white_accuracy") && !of_games("moves"));
    }

    #[test]
    fn a_clock_that_cannot_be_read_is_told_once() {
        for (columns, expected) in [("clk", 1), ("spent", 1), ("clk,spent", 1), ("ply", 0)] {
            let mut told = Told::default();
            let game = "[TimeControl \"60+1\"]\n\n1. e4 {[%clk x]} e5 {[%clk 0:01:00]} *\n";
            let writing = Rows::columns(columns).unwrap().begin(Vec::new()).unwrap();
            writing.read_all(1, crate::testing::games(game), &mut told).unwrap();
            assert_eq!(told.0.len(), expected, "{columns}");
        }
    }

    #[test]
    fn rows_of_games_are_made_of_the_parts_of_games_that_columns_need() {
        let parts = |columns: &str| {
            let columns = Columns::of_games(columns).unwrap();
            let parts = WholeGames { columns, style: FenStyle::default(), has_refused: false }.parts();
            (parts.tags, parts.comments)
        };
        assert_eq!([parts("moves"), parts("White"), parts("evals")], [(false, false), (true, false), (true, true)]);
    }

    #[test]
    fn rows_of_positions_are_made_of_the_parts_of_games_that_columns_and_filters_need() {
        let parts = |columns: &str, max_eval: Option<u32>, variations: bool| {
            let filter = PositionFilter { max_eval, ..PositionFilter::default() };
            let choice = || PositionChoice { filter: filter.clone(), variations, ..PositionChoice::default() };
            let rows = PositionRows::new(columns.parse().unwrap(), FenStyle::default(), choice(), None).parts();
            let lines = FenLines::new(FenStyle::default(), choice()).parts();
            let shown = [rows, lines].map(|parts| (parts.tags, parts.comments, parts.variations));
            (shown[0], shown[1])
        };
        assert_eq!(parts("fen", None, false), ((false, false, false), (false, false, false)));
        assert_eq!(parts("White", None, true), ((true, false, true), (false, false, true)));
        let (rows, lines) = parts("fen", Some(1), false);
        assert!(rows.1 && lines.1, "evaluations stand in comments");
    }

    #[test]
    fn an_evaluation_of_0_has_no_sign_and_stands_beside_the_depth() {
        let game = "1. e4 {[%eval 0.0,12]} *\n";
        for (format, expected) in [(Format::Tsv, "0\t12"), (Format::Csv, "0,12")] {
            let rows = Rows::columns("eval,depth").unwrap().plies("1").unwrap().format(format);
            assert_eq!(written(&rows, game).0.lines().nth(1), Some(expected));
        }
    }
}
