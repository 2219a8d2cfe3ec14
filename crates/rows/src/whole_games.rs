//! A game → one row for the whole game.

use crate::column::Columns;
use crate::encoded::EncodedRows;
use crate::position_rows::centipawns;
use pgn2fen_chess::fen::{FenStyle, FenWriter};
use pgn2fen_chess::start::StartKind;
use pgn2fen_games::walk::{GameTask, OpenGame, Out, Played, PositionChoice};

/// Makes one row for each game.
#[derive(Debug)]
pub(crate) struct WholeGames {
    pub(crate) columns: Columns,
    pub(crate) style: FenStyle,
}

impl GameTask for WholeGames {
    type BlockResult = EncodedRows;

    fn needs_offsets(&self) -> bool {
        self.columns.has().offset
    }

    fn tags(&self) -> &[Box<str>] {
        self.columns.tags()
    }

    fn game(&self, game: &mut OpenGame<'_, '_>, out: &mut Out<'_, EncodedRows>) -> Played {
        let has = self.columns.has();
        let all = PositionChoice::default();
        let choice = all.in_game(game);
        let EncodedRows { table, writer, .. } = &mut *out.made;
        let Some(start) = game.position() else {
            return Played::default();
        };
        let turn = start.turn();
        let is_initial = StartKind::of(start) == StartKind::Standard;
        let line = if has.line { game.count_line() } else { 0 };
        table.begin_game(game.number, game.offset(), line);
        table.push_tags(&self.columns, game.tags, game.encoding);
        if has.tags {
            table.push_pairs(game.tags, game.encoding);
        }
        table.begin_row(0, turn);
        let Some(replay) = game.replay() else {
            return Played::default();
        };
        if has.start {
            let writer = writer.get_or_insert_with(|| FenWriter::new(self.style));
            table.fens.push_with(|out| {
                if !is_initial {
                    writer.append(replay.position(), out);
                }
            });
        }
        if has.opening {
            replay.see_opening();
        }
        let mut played = Played { positions: 1, ..Played::default() };
        let mut plies = 0;
        while let Some(ply) = choice.next_ply(replay, &mut played.errors) {
            plies = ply.number;
            if has.opening {
                replay.see_opening();
            }
            if has.moves {
                table.courses.push_move(|out| ply.played.append_uci(replay.castling_rules(), out));
            }
            if has.evals || has.clocks {
                let (eval, clock) = if has.evals {
                    let (search, clock) = choice.search(replay, has.clocks);
                    (search.eval, clock)
                } else {
                    (None, choice.clock(replay))
                };
                if has.evals {
                    table.courses.push_eval(eval.map(|eval| centipawns(eval, replay.position().turn())));
                }
                if has.clocks {
                    table.courses.push_clock(clock);
                }
            }
        }
        if has.opening {
            table.openings.push(replay.opening());
        }
        played.evals = choice.end(replay);
        table.end_course();
        table.end_game(replay.outcome(), plies);
        played
    }
}
