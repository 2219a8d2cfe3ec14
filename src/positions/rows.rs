//! A game → the rows of its positions.

use crate::chess::moves::Move;
use crate::chess::piece::Color;
use crate::chess::position::Position;
use crate::chess::zobrist;
use crate::diagnostic::Diagnostic;
use crate::fen::FenWriter;
use crate::pgn::annotation::{Annotation, Eval};
use crate::pgn::encoding::Fallback;
use crate::pgn::games::Text;
use crate::pgn::tags::Tags;
use crate::positions::Walk;
use crate::replay::Replay;
use crate::rows::Columns;
use crate::rows::column::Has;
use crate::rows::table::Table;
use crate::san;

impl<'t> Walk<'_, 't> {
    /// Plays a game over and adds its rows. Gives the place where it ends, and what went wrong.
    pub(super) fn play_rows(
        &mut self,
        text: Text<'t>,
        start: usize,
        mut replay: Replay<'t>,
    ) -> (usize, Option<Diagnostic>) {
        let Some(columns) = &self.job.columns else {
            return (replay.finish(), None);
        };
        let has = columns.has();
        let table = &mut self.batch.table;
        let line = if has.line { self.lines.count_to(text.bytes, start) } else { 0 };
        table.begin_game(self.batch.count.games, text.offset + start as u64, line);
        push_tags(columns, &self.tags, &Fallback::new(self.job.encoding), table);

        let mut rows = Rows {
            table,
            has,
            writer: self.writer.as_mut(),
            led_here: LedHere::default(),
            is_open: false,
        };
        if has.key {
            rows.led_here.key = zobrist::key(replay.position());
        }
        if !self.job.skip_start {
            rows.open(&replay, 0);
            self.batch.count.positions += 1;
        }
        let needs_before = has.san || has.uci || has.next_san || has.next_uci || has.key;
        let error = loop {
            let before = needs_before.then(|| replay.position().clone());
            match replay.next_ply() {
                Some(Ok(ply)) => {
                    if let Some(before) = &before {
                        rows.led_here.play(has, before, ply.played, replay.position());
                    }
                    rows.close(true);
                    rows.open(&replay, ply.number);
                    self.batch.count.positions += 1;
                }
                Some(Err(error)) => break Some(error),
                None => break None,
            }
        };
        rows.close(false);
        self.batch.diagnostics.extend(replay.take_warnings());
        self.batch.table.end_game(replay.outcome());
        (replay.finish(), error)
    }
}

/// Adds the values of the tags that are columns.
fn push_tags(columns: &Columns, tags: &Tags<'_>, fallback: &Fallback, table: &mut Table) {
    for name in columns.tags() {
        let value = tags.value(name).unwrap_or_default().unescape();
        table.push_tag(&fallback.decode(&value));
    }
}

/// The rows of one game in the making. The last of them is open until the move is known that was played there.
struct Rows<'r> {
    table: &'r mut Table,
    has: Has,
    writer: Option<&'r mut FenWriter>,
    led_here: LedHere,
    is_open: bool,
}

/// The move that led to the position, and the key of that.
#[derive(Default)]
struct LedHere {
    san: Vec<u8>,
    uci: Vec<u8>,
    key: u64,
}

impl LedHere {
    fn play(&mut self, has: Has, before: &Position, m: Move, after: &Position) {
        if has.san || has.next_san {
            self.san.clear();
            san::append_between(before, m, after, &mut self.san);
        }
        if has.uci || has.next_uci {
            self.uci.clear();
            m.append_uci(before, &mut self.uci);
        }
        if has.key {
            self.key = zobrist::key_after(self.key, before, m);
        }
    }
}

impl Rows<'_> {
    /// Begins the row of the position reached.
    fn open(&mut self, replay: &Replay<'_>, ply: u32) {
        let Self { table, has, led_here, .. } = self;
        let position = replay.position();
        table.begin_row(ply, position.turn());
        if let Some(writer) = self.writer.as_mut().filter(|_| has.fen) {
            table.fens.push_with(|out| writer.append(position, out));
        }
        if has.san {
            table.sans.push(&led_here.san);
        }
        if has.uci {
            table.ucis.push(&led_here.uci);
        }
        if has.key {
            table.keys.push(led_here.key);
        }
        if has.eval || has.clk {
            let Annotation { eval, clock } = Annotation::read(replay.ahead());
            if has.eval {
                table.evals.push(eval.map(|eval| centipawns(eval, position.turn())));
            }
            if has.clk {
                table.clks.push(clock);
            }
        }
        self.is_open = true;
    }

    /// Ends the row that is open, if there is one: with the move that has just been played, or with none.
    fn close(&mut self, by_move: bool) {
        if !std::mem::take(&mut self.is_open) {
            return;
        }
        let Self { table, has, led_here, .. } = self;
        if has.next_san {
            table.next_sans.push(if by_move { &led_here.san } else { b"" });
        }
        if has.next_uci {
            table.next_ucis.push(if by_move { &led_here.uci } else { b"" });
        }
    }
}

/// From White's point of view; mate in n moves is ±(32000 − n).
fn centipawns(eval: Eval, turn: Color) -> i32 {
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
    use crate::chess::piece::Color;
    use crate::pgn::annotation::Eval;

    #[test]
    fn mates_are_worth_more_than_any_material() {
        let white = |eval| centipawns(eval, Color::White);
        assert_eq!(white(Eval::Centipawns(-31)), -31);
        assert_eq!((white(Eval::Mate(3)), white(Eval::Mate(-3))), (31_997, -31_997));
        assert_eq!((white(Eval::Mate(i32::MAX)), white(Eval::Mate(i32::MIN))), (0, 0));
        assert_eq!((white(Eval::Mate(0)), centipawns(Eval::Mate(0), Color::Black)), (-32_000, 32_000));
    }
}
