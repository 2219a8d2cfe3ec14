//! A game → one row for the whole game.

use crate::columns::Columns;
use crate::columns::column::Column;
use crate::columns::column::set::ColumnSet;
use crate::encode::encoded::EncodedRows;
use crate::table::Table;
use pgn2fen_chess::fen::{FenStyle, FenWriter};
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::start::StartKind;
use pgn2fen_games::judgement::{GameReview, rounded};
use pgn2fen_games::pgn::token::Outcome;
use pgn2fen_games::replay::VariantPolicy;
use pgn2fen_games::walk::{GameTask, OpenGame, Out, Played, PositionChoice};

/// Makes one row for each game.
#[derive(Debug)]
pub(crate) struct WholeGames {
    pub(crate) columns: Columns,
    pub(crate) style: FenStyle,
    /// Whether games without a usable starting position have a row, too.
    pub(crate) has_refused: bool,
}

impl GameTask for WholeGames {
    type BlockResult = EncodedRows;

    fn variants(&self) -> VariantPolicy {
        VariantPolicy::Play
    }

    fn needs_offsets(&self) -> bool {
        self.columns.has().has(&Column::Offset)
    }

    fn tags(&self) -> &[Box<str>] {
        self.columns.tags()
    }

    fn game(&self, game: &mut OpenGame<'_, '_>, out: &mut Out<'_, EncodedRows>) -> Played {
        let has = self.columns.has();
        let has_opening = has.has_any(ColumnSet::OPENING);
        let [has_moves, has_evals, has_clocks] =
            [Column::Moves, Column::Evals, Column::Clocks].map(|column| has.has(&column));
        let has_review = has.has_any(ColumnSet::REVIEW);
        let needs_evals = has_evals || has_review;
        let mut review = GameReview::default();
        let all = PositionChoice::default();
        let choice = all.in_game(game);
        let EncodedRows { table, writer, .. } = &mut *out.made;
        let Some(start) = game.position() else {
            if self.has_refused {
                self.refused(game, table);
            }
            return Played::default();
        };
        let turn = start.turn();
        let is_initial = StartKind::of(start) == StartKind::Standard;
        table.begin(&self.columns, game);
        table.begin_row(0, turn);
        let Some(replay) = game.replay() else {
            return Played::default();
        };
        if has.has(&Column::Start) {
            let writer = writer.get_or_insert_with(|| FenWriter::new(self.style));
            table.buffer_mut(&Column::Start).ascii().push_with(|out| {
                if !is_initial {
                    writer.append(replay.position(), out);
                }
            });
        }
        if has.has(&Column::Variant) {
            table.buffer_mut(&Column::Variant).names().push(Some(replay.variant()));
        }
        if has_opening {
            replay.see_opening();
        }
        if needs_evals {
            replay.choose_evals();
        }
        if has_review {
            review.add(0, turn, replay.search(|_| {}).eval);
        }
        let mut played = Played { positions: 1, ..Played::default() };
        let mut plies = 0;
        while let Some(ply) = choice.next_ply(replay, &mut played.errors) {
            plies = ply.number;
            if has_opening {
                replay.see_opening();
            }
            if has_moves {
                table.courses.push_move(|out| ply.played.append_uci(replay.castling_rules(), out));
            }
            if needs_evals || has_clocks {
                let (eval, clock) = if needs_evals {
                    let (search, clock) = choice.search(replay, has_clocks);
                    (search.eval, clock)
                } else {
                    (None, choice.clock(replay))
                };
                if has_review {
                    review.add(ply.number, replay.position().turn(), eval);
                }
                if has_evals {
                    table.courses.push_eval(eval.map(|eval| eval.centipawns(replay.position().turn())));
                }
                if has_clocks {
                    table.courses.push_clock(clock);
                }
            }
        }
        if has_opening {
            table.push_opening(replay.opening());
        }
        if has_review {
            push_review(&review, has, table);
        }
        played.evals = choice.end(replay);
        table.end_course();
        table.end_game(replay.outcome(), plies);
        played
    }
}

impl WholeGames {
    /// Adds the row of a game without a usable starting position: its tags, and no moves.
    #[cold]
    fn refused(&self, game: &mut OpenGame<'_, '_>, table: &mut Table) {
        let has = self.columns.has();
        table.begin(&self.columns, game);
        table.begin_row(0, Color::White);
        if has.has(&Column::Start) {
            table.buffer_mut(&Column::Start).ascii().push_with(|_| {});
        }
        for name in [Column::Variant, Column::Eco, Column::Opening].iter().filter(|name| has.has(name)) {
            table.buffer_mut(name).names().push(None);
        }
        if has.has_any(ColumnSet::REVIEW) {
            push_review(&GameReview::default(), has, table);
        }
        table.end_course();
        table.end_game(Outcome::Unknown, 0);
    }
}

/// Stores what follows from the evaluations of a game.
fn push_review(review: &GameReview, has: ColumnSet, table: &mut Table) {
    let columns = [
        (
            Color::White,
            [Column::WhiteAccuracy, Column::WhiteCpLoss],
            [Column::WhiteInaccuracies, Column::WhiteMistakes, Column::WhiteBlunders],
        ),
        (
            Color::Black,
            [Column::BlackAccuracy, Column::BlackCpLoss],
            [Column::BlackInaccuracies, Column::BlackMistakes, Column::BlackBlunders],
        ),
    ];
    for (player, [accuracy, loss], judgements) in columns {
        let of_player = review.of(player);
        if has.has(&accuracy) {
            table.buffer_mut(&accuracy).seconds().push(of_player.map(|of_player| rounded(of_player.accuracy)));
        }
        let numbers = [(loss, of_player.map(|of_player| of_player.centipawn_loss))];
        let counts = (0..judgements.len()).map(|nth| of_player.map(|of_player| of_player.judgements[nth]));
        for (column, number) in numbers.into_iter().chain(judgements.into_iter().zip(counts)) {
            if has.has(&column) {
                table.buffer_mut(&column).numbers().push(number.map(i64::from));
            }
        }
    }
}
