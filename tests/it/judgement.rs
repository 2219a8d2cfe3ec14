//! Win chances, losses, accuracy and judgements: as Lichess gives them to its games, in every format, for moves and for
//! games.

use std::collections::BTreeMap;

use pgn2fen_games::database::Database;
use pgn2fen_games::judgement::Judgement;
use pgn2fen_games::selection::PositionFilter;
use pgn2fen_rows::{Format, GameRows, Rows};
use serde_json::{Value, json};

use crate::cli::Desk;

const MOVE: &str = "ply,win_chance,cp_loss,accuracy,judgement";

/// White makes a mistake and Black overlooks a mate.
const GAME: &[u8] =
    b"1. f3 {[%eval -0.5]} e5 {[%eval -0.45]} 2. g4 {[%eval #-1]} (2. e4 {[%eval -0.2]} d5 {[%eval 1.2]}) 2... a6 \
    {[%eval 0.3]} 3. e4 *\n";

fn fixture(name: &str) -> Database {
    Database::open(format!("{}/fixtures/games/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn jsonl(rows: Rows, database: Database) -> Vec<Value> {
    let written = rows.format(Format::Jsonl).write([database], Vec::new()).unwrap().0;
    written
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect()
}

fn csv(rows: Rows, text: &[u8]) -> String {
    String::from_utf8(rows.format(Format::Csv).write([Database::from(text.to_vec())], Vec::new()).unwrap().0).unwrap()
}

/// Returns the glyph of a judged move: 6, 2, 4, or 0.
fn glyph(row: &Value) -> i64 {
    let nags = row["nags"].as_array().into_iter().flatten();
    nags.filter_map(Value::as_i64).find(|nag| [2, 4, 6].contains(nag)).unwrap_or(0)
}

#[test]
fn a_row_judges_the_move_that_led_to_its_position() {
    let expected = "ply,win_chance,cp_loss,accuracy,judgement\n0,,,,\n1,45.41,65,77.38,inaccuracy\n\
                    2,45.87,5,98.97,good\n\
        3,2.46,955,13.41,blunder\n4,52.76,1030,9.37,blunder\n5,,,,\n";
    assert_eq!(csv(Rows::columns(MOVE).unwrap(), GAME), expected);
}

#[test]
fn a_filter_for_positions_changes_no_judgement() {
    let all = csv(Rows::columns(MOVE).unwrap(), GAME);
    let last: Vec<&str> = all.lines().skip(5).take(1).collect();
    let chosen = csv(Rows::columns(MOVE).unwrap().plies("4").unwrap(), GAME);
    assert_eq!(chosen.lines().skip(1).collect::<Vec<_>>(), last);
}

#[test]
fn a_variation_is_compared_with_the_position_in_which_it_begins() {
    let rows = csv(Rows::columns("ply,variation,cp_loss,judgement").unwrap().variations(true), GAME);
    assert!(rows.contains("\n3,1,0,good\n4,1,140,mistake\n4,0,1030,blunder\n"), "{rows}");
}

/// The rows whose next moves in the same line have a judgement and a loss.
fn before(options: &[&str], columns: &str) -> String {
    let desk = Desk::with(&[("a.pgn", GAME)]);
    let ran = desk.run(&[&["-q", "--no-header", "-C", columns, "a.pgn"], options].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran.stdout.lines().collect::<Vec<_>>().join(" ")
}

#[test]
fn positions_are_chosen_by_the_judgement_about_their_next_move() {
    assert_eq!(before(&["--judgement", "blunder"], "ply"), "2 3");
    assert_eq!(before(&["--judgement", "good"], "ply"), "1");
    assert_eq!(before(&["--judgement", "inaccuracy", "--judgement", "good"], "ply"), "0 1");
    assert_eq!(before(&["--min-loss", "65"], "ply"), "0 2 3");
    assert_eq!(before(&["--min-loss", "956"], "ply"), "3");
    assert_eq!(before(&["--judgement", "blunder", "--min-loss", "956"], "ply"), "3");
    // The other filters must hold as well.
    assert_eq!(before(&["--judgement", "blunder", "--turn", "w"], "ply"), "2");
    assert_eq!(before(&["--judgement", "blunder", "--material", "K:K"], "ply"), "");
    assert_eq!(before(&["--min-loss", "1", "-p", "1..2"], "ply"), "1 2");
    assert_eq!(before(&["--min-loss", "1", "--every", "2"], "ply"), "0 2");
    // A variation has moves of its own; its first move belongs to no row of the variation.
    let variations = |options: &[&str]| before(&[options, &["--variations"]].concat(), "variation,ply,eval");
    assert_eq!(variations(&["--judgement", "mistake"]), "1\t3\t-20");
    assert_eq!(variations(&["--judgement", "blunder"]), "0\t2\t-45 0\t3\t-31999");
    // Lines of FENs and columns with evaluations are chosen in the same way.
    let fens = Desk::with(&[("a.pgn", GAME)]).run(&["--judgement", "blunder", "a.pgn"]).stdout;
    assert_eq!(fens.lines().collect::<Vec<_>>().join(" "), before(&["--judgement", "blunder"], "fen"));
    assert_eq!(before(&["--judgement", "blunder"], "ply,eval,next_san"), "2\t-45\tg4 3\t-31999\ta6");
}

#[test]
fn every_position_is_before_a_move_as_it_is_judged() {
    let database = || fixture("evaluations_on_every_move.pgn");
    let all = jsonl(Rows::columns("game,ply,judgement,cp_loss").unwrap(), database());
    for (word, least) in [(Some("inaccuracy"), 0), (Some("good"), 0), (None, 50)] {
        let filter = PositionFilter {
            judgements: word
                .map(|word| Judgement::ALL.into_iter().find(|one| one.name() == word))
                .into_iter()
                .collect(),
            min_loss: (least > 0).then_some(least),
            ..PositionFilter::default()
        };
        let rows = jsonl(Rows::columns("game,ply").unwrap().positions(filter), database());
        let rows: Vec<_> = rows.iter().map(|row| (row["game"].as_u64(), row["ply"].as_u64())).collect();
        let is_such = |row: &&Value| {
            word.is_none_or(|word| row["judgement"] == word)
                && row["cp_loss"].as_u64().is_some_and(|loss| loss >= u64::from(least))
        };
        let expected = all.iter().filter(is_such);
        let expected: Vec<_> =
            expected.map(|row| (row["game"].as_u64(), row["ply"].as_u64().map(|ply| ply - 1))).collect();
        assert!(rows == expected && !rows.is_empty(), "{word:?} {least}: {rows:?}");
    }
}

#[test]
fn positions_are_chosen_by_their_evaluation_from_whites_side() {
    assert_eq!(before(&["--eval=-50..-45"], "ply,eval"), "1\t-50 2\t-45");
    assert_eq!(before(&["--eval", "-50"], "ply"), "1");
    assert_eq!(before(&["--eval", "0.."], "ply"), "4");
    assert_eq!(before(&["--eval", "..-30000"], "ply,eval"), "3\t-31999");
    assert_eq!(before(&["--eval", "..", "--max-eval", "100"], "ply"), "1 2 4");
    let desk = Desk::with(&[("a.pgn", GAME), ("b.pgn", b"1. e4 e5 *\n")]);
    let ran = desk.run(&["--eval", "1000..2000", "a.pgn"]);
    ran.is("", "warning: no position of 1 game satisfies --eval\n", 0);
    let ran = desk.run(&["--judgement", "blunder", "b.pgn"]);
    assert!(ran.stderr.contains("--judgement") && ran.code == Some(0), "{}", ran.stderr);
    desk.run(&["--evals", "lichess", "--min-loss", "900", "-C", "ply", "--no-header", "a.pgn"]).is("2\n3\n", "", 0);
}

#[test]
fn evaluations_of_engine_matches_are_judged_as_well() {
    let text = b"1. e4 {+0.30/9 1s} e5 {+0.50/9 1s} 2. Nf3 {-0.45/9 1s} Nc6 *\n";
    let rows = csv(Rows::columns("ply,eval,cp_loss,judgement").unwrap(), text);
    assert_eq!(rows, "ply,eval,cp_loss,judgement\n0,30,,\n1,-50,80,inaccuracy\n2,-45,5,good\n3,,,\n4,,,\n");
}

/// Lichess judged this game, and wrote its judgements with the glyphs.
#[test]
fn a_game_is_judged_as_lichess_judged_it() {
    let rows = jsonl(Rows::columns("ply,nags,judgement,cp_loss").unwrap(), fixture("evaluations_on_every_move.pgn"));
    let mut judged = 0;
    for row in rows {
        let expected = match glyph(&row) {
            6 => json!("inaccuracy"),
            2 => json!("mistake"),
            4 => json!("blunder"),
            _ if row["cp_loss"].is_null() => Value::Null,
            _ => json!("good"),
        };
        judged += usize::from(glyph(&row) != 0);
        assert_eq!(row["judgement"], expected, "{row}");
    }
    assert!(judged > 5, "{judged}");
}

/// The files of database.lichess.org have glyphs by an older rule: a move is judged if it loses chances, and how by the
/// centipawns that it loses. In 2021 the chances followed from another number as well, so a few moves are judged by one
/// of the rules only.
#[test]
fn games_of_the_database_are_judged_where_lichess_judged_them() {
    let rows = jsonl(Rows::columns("ply,nags,judgement,cp_loss").unwrap(), fixture("blitz_evaluations_and_clocks.pgn"));
    let mut counts: BTreeMap<(bool, bool), usize> = BTreeMap::new();
    let mut grades = [0, 0];
    for row in rows.iter().filter(|row| !row["cp_loss"].is_null()) {
        let (theirs, ours) = (glyph(row), row["judgement"] != "good");
        *counts.entry((theirs != 0, ours)).or_default() += 1;
        if theirs != 0 && ours {
            let loss = row["cp_loss"].as_i64().unwrap();
            let by_loss = if loss >= 300 {
                4
            } else if loss >= 100 {
                2
            } else {
                6
            };
            grades[usize::from(theirs == by_loss)] += 1;
        }
    }
    let [same, both] = [(false, false), (true, true)].map(|key| counts[&key]);
    let different: usize = counts.values().sum::<usize>() - same - both;
    assert!(both > 700 && different <= 50, "{counts:?}");
    assert!(grades[0] * 100 <= grades[1], "{grades:?}");
}

#[test]
fn a_row_of_a_game_sums_up_its_moves() {
    let list = "white_accuracy,black_accuracy,white_cp_loss,black_cp_loss,white_inaccuracies,white_mistakes,\
        white_blunders,black_inaccuracies,black_mistakes,black_blunders";
    let rows = GameRows::columns(list).unwrap().format(Format::Jsonl);
    let games = [GAME, b"1. e4 {good} e5 *\n"].concat();
    let written = rows.write([Database::from(games)], Vec::new()).unwrap().0;
    let lines: Vec<Value> = written
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect();
    let [judged, other] = &lines[..] else { panic!("{lines:?}") };
    let counts = |row: &Value| list.split(',').skip(2).map(|name| row[name].clone()).collect::<Vec<_>>();
    assert_eq!(counts(judged), [510, 518, 1, 0, 1, 0, 0, 1].map(Value::from));
    for name in ["white_accuracy", "black_accuracy"] {
        let accuracy = judged[name].as_f64().unwrap();
        assert!((10.0..60.0).contains(&accuracy), "{judged}");
    }
    assert!(list.split(',').all(|name| other[name].is_null()), "{other}");
}

/// Shares are shares of the moves that have an evaluation before and after them, and of no others.
#[test]
fn good_moves_are_told_from_moves_without_an_evaluation() {
    let fixture = fixture("blitz_evaluations_and_clocks.pgn");
    let (mut good, mut other, mut missing) = (0, 0, 0);
    for row in jsonl(Rows::columns("cp_loss,judgement").unwrap(), fixture) {
        assert_eq!(row["judgement"].is_null(), row["cp_loss"].is_null(), "{row}");
        match row["judgement"].as_str() {
            Some("good") => good += 1,
            Some(_) => other += 1,
            None => missing += 1,
        }
    }
    assert!(good > 2 * other && other > 700 && missing > 50, "{good} {other} {missing}");
}

/// The sums of the moves are those of the games, in games that Lichess has analysed.
#[test]
fn games_and_moves_agree() {
    let moves =
        jsonl(Rows::columns("game,turn,cp_loss,judgement").unwrap(), fixture("blitz_evaluations_and_clocks.pgn"));
    let list = "game,white_cp_loss,black_cp_loss,white_blunders,black_blunders,white_mistakes,black_mistakes";
    let rows = GameRows::columns(list).unwrap().format(Format::Jsonl);
    let written = rows.write([fixture("blitz_evaluations_and_clocks.pgn")], Vec::new()).unwrap().0;
    for line in written.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let game: Value = serde_json::from_slice(line).unwrap();
        for (turn, player) in [("b", "white"), ("w", "black")] {
            let of_player = || {
                let is_theirs =
                    |row: &&Value| row["game"] == game["game"] && row["turn"] == turn && !row["cp_loss"].is_null();
                moves.iter().filter(is_theirs)
            };
            let (count, loss) =
                of_player().fold((0, 0), |(count, loss), row| (count + 1, loss + row["cp_loss"].as_i64().unwrap()));
            assert_eq!(game[format!("{player}_cp_loss")], json!((2 * loss + count) / (2 * count)), "{game}");
            for judgement in ["mistake", "blunder"] {
                let number = of_player().filter(|row| row["judgement"] == judgement).count();
                assert_eq!(game[format!("{player}_{judgement}s")], json!(number), "{game}");
            }
        }
    }
}

#[test]
fn every_format_has_the_columns() {
    let desk = Desk::with(&[("a.pgn", GAME)]);
    let columns = ["-C", "ply,win_chance,cp_loss,accuracy,judgement"];
    for format in ["csv", "tsv", "jsonl", "html", "epd"] {
        let ran = desk.run(&[&["-f", format][..], &columns, &["a.pgn"]].concat());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(
            ["45.41", "1030", "77.38", "blunder"].iter().all(|value| ran.stdout.contains(value)),
            "{format} {ran:?}"
        );
    }
    for format in ["parquet", "arrow"] {
        let file = format!("a.{format}");
        assert_eq!(desk.run(&[&["-o", &file][..], &columns, &["a.pgn"]].concat()).code, Some(0), "{format}");
    }
    let games = desk.run(&["--per", "game", "-C", "White,white_*,black_*", "-f", "jsonl", "a.pgn"]);
    assert!(games.stdout.contains("\"white_blunders\":1,"), "{games:?}");
    let ran = desk.run(&["--evals", "engine", "-C", "judgement", "a.pgn"]);
    assert!(ran.stderr.contains("--evals lichess reads"), "{ran:?}");
}
