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
use pgn2fen_games::walk::{GameParts, GameTask, OpenGame, Out, Played, PositionChoice};

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

    fn needs_offsets(&self) -> bool {
        self.columns.has().has(&Column::Offset)
    }

    fn parts(&self) -> GameParts {
        self.columns.parts()
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

#[cfg(test)]
mod tests {
    use crate::testing::games;
    use crate::{Columns, Format, GameRows};
    use pgn2fen_chess::fen::{CastlingStyle, FenStyle};
    use pgn2fen_games::pgn::annotation::EvalSource;

    const GAMES: &str = "\
[White \"Tal, M\"]
[Result \"1-0\"]

1. e4 {[%eval 0.3] [%clk 0:03:00]} e5 {[%eval 0.25] [%clk 0:02:50.5]} 2. Nf3 {[%eval 0.2] [%clk 0:02:58]}
(2. f4 {[%eval -0.4]} exf4 $6) 2... Qh4 {[%eval 8.5] [%clk 0:02:00]} 3. Nxh4 {[%eval #-12]} 1-0

[FEN \"4k3/8/8/8/8/8/4P3/4K2R w K - 0 1\"]

1. O-O Kd7 2. Ke3 *

[White \"Nobody\"]
[FEN \"8/8\"]

1. e4 *

*
";

    /// The columns with their values in the rows of these games.
    const VALUES: &[(&str, [&str; 3])] = &[
        ("game", ["1", "2", "4"]),
        ("line", ["1", "7", "16"]),
        ("offset", ["0", "236", "338"]),
        ("White", [r#""Tal, M""#, "null", "null"]),
        ("start", ["null", r#""4k3/8/8/8/8/8/4P3/4K2R w K - 0 1""#, "null"]),
        ("variant", [r#""standard""#, r#""standard""#, r#""standard""#]),
        ("moves", [r#"["e2e4","e7e5","g1f3","d8h4","f3h4"]"#, r#"["e1g1","e8d7"]"#, "[]"]),
        ("evals", ["[30,25,20,850,-31988]", "null", "null"]),
        ("clocks", ["[180.0,170.5,178.0,120.0,null]", "null", "null"]),
        ("white_accuracy", ["5.96", "null", "null"]),
        ("black_accuracy", ["19.79", "null", "null"]),
        ("white_cp_loss", ["618", "null", "null"]),
        ("black_cp_loss", ["415", "null", "null"]),
        ("white_inaccuracies", ["0", "null", "null"]),
        ("black_inaccuracies", ["0", "null", "null"]),
        ("white_mistakes", ["0", "null", "null"]),
        ("black_mistakes", ["0", "null", "null"]),
        ("white_blunders", ["1", "null", "null"]),
        ("black_blunders", ["1", "null", "null"]),
        ("plies", ["5", "2", "0"]),
        ("result", [r#""1-0""#, r#""*""#, r#""*""#]),
        ("eco", [r#""C40""#, "null", "null"]),
        ("opening", [r#""King's Knight Opening""#, "null", "null"]),
        ("tags", [r#"{"White":"Tal, M","Result":"1-0"}"#, r#"{"FEN":"4k3/8/8/8/8/8/4P3/4K2R w K - 0 1"}"#, "{}"]),
    ];

    fn written(rows: &GameRows) -> (String, pgn2fen_games::walk::Totals) {
        let (text, totals) = rows.write(games(GAMES), Vec::new()).unwrap();
        (String::from_utf8(text).unwrap(), totals)
    }

    #[test]
    fn each_column_of_a_game_has_its_value() {
        for (column, expected) in VALUES {
            let (text, totals) = written(&GameRows::columns(column).unwrap());
            let lines = expected.map(|value| format!("{{\"{column}\":{value}}}"));
            assert_eq!(text.lines().collect::<Vec<_>>(), lines, "{column}");
            assert_eq!((totals.count.games, totals.count.positions), (4, 3));
        }
    }

    #[test]
    fn columns_of_a_game_have_the_same_values_beside_others() {
        let names: Vec<&str> = VALUES.iter().map(|(name, _)| *name).collect();
        let (text, _) = written(&GameRows::columns(&names.join(",")).unwrap());
        let line = |nth: usize| {
            let values = VALUES.iter().map(|(name, values)| format!("\"{name}\":{}", values[nth]));
            format!("{{{}}}", values.collect::<Vec<_>>().join(","))
        };
        assert_eq!(text.lines().collect::<Vec<_>>(), [line(0), line(1), line(2)]);
        let (text, _) = written(&GameRows::columns("clocks,white_blunders").unwrap());
        assert_eq!(text.lines().next(), Some("{\"clocks\":[180.0,170.5,178.0,120.0,null],\"white_blunders\":1}"));
    }

    #[test]
    fn the_usual_columns_of_games_are_those_of_most_files() {
        let names = |columns: &Columns| columns.iter().map(crate::Column::name).collect::<Vec<_>>().join(" ");
        assert_eq!(
            names(&Columns::games()),
            "game Event Site Date Round White Black WhiteElo BlackElo result plies variant start moves evals clocks"
        );
        assert_eq!(names(&Columns::starts()), "count kind sp fen file line offset game odds");
        assert_eq!(names(&Columns::of_games("plies").unwrap()), "plies");
        assert!(Columns::of_games("ply").is_err());
        let (text, totals) = written(&GameRows::new());
        assert_eq!((text.lines().count(), totals.missing_tags.len()), (3, 0));
        let (_, totals) = written(&GameRows::columns("Foo,game").unwrap());
        assert_eq!(totals.missing_tags.iter().map(|tag| &*tag.name).collect::<Vec<_>>(), ["Foo"]);
    }

    #[test]
    fn starts_have_the_style_of_fens() {
        let style = FenStyle { castling: CastlingStyle::Shredder, ..FenStyle::default() };
        let (text, _) = written(&GameRows::columns("start").unwrap().style(style));
        assert!(text.contains("\"4k3/8/8/8/8/8/4P3/4K2R w H - 0 1\""), "{text}");
        let csv = GameRows::new().format(Format::Csv).write(games(GAMES), Vec::new());
        assert!(csv.unwrap_err().to_string().contains("the format csv has no lists for the moves of a game"));
    }

    #[test]
    fn a_game_without_a_usable_start_may_have_a_row() {
        let rows = GameRows::columns("game,White,start,variant,eco,opening,moves,plies,white_accuracy,black_blunders");
        let (text, totals) = written(&rows.unwrap().refused(true));
        let expected = "{\"game\":3,\"White\":\"Nobody\",\"start\":null,\"variant\":null,\"eco\":null,\"opening\":null,\
            \"moves\":[],\"plies\":0,\"white_accuracy\":null,\"black_blunders\":null}";
        assert_eq!((text.lines().nth(2), text.lines().count()), (Some(expected), 4));
        assert_eq!(totals.count.positions, 3);
    }

    #[test]
    fn evaluations_are_read_where_they_are_chosen() {
        let evals = |source| {
            let rows = GameRows::columns("evals").unwrap().evals(source);
            let game = "1. e4 {+0.31/14 0.5s} e5 {-0.20/13 0.4s} *";
            String::from_utf8(rows.write(games(game), Vec::new()).unwrap().0).unwrap()
        };
        assert_eq!(evals(EvalSource::Engine), "{\"evals\":[20,null]}\n");
        assert_eq!(evals(EvalSource::Lichess), "{\"evals\":null}\n");
    }

    #[cfg(feature = "variants")]
    #[test]
    fn variants_are_played() {
        let rows = GameRows::columns("variant,moves").unwrap();
        let game = "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e4 *";
        let text = String::from_utf8(rows.write(games(game), Vec::new()).unwrap().0).unwrap();
        assert_eq!(text, "{\"variant\":\"crazyhouse\",\"moves\":[\"e2e4\",\"d7d5\",\"e4d5\",\"d8d5\",\"P@e4\"]}\n");
    }
}
