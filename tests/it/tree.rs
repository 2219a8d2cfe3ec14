//! Variations in rows: the tree of each game can be rebuilt from them.

use std::collections::HashMap;

use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::position::Position;
use pgn2fen_games::database::Database;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::replay::Event;
use pgn2fen_rows::{Format, Rows};

use crate::laws::{everything, whole};
use crate::walking::walk;

/// The rows of a text with its variations, cell by cell.
fn rows(text: &[u8], columns: &str) -> Vec<Vec<String>> {
    let job = Rows::columns(columns).unwrap().format(Format::Csv).variations(true);
    let said = walk(&job, &Workers::new(2).unwrap(), [("a.pgn", whole(text))]);
    let record = |record: csv::StringRecord| record.iter().map(str::to_owned).collect();
    csv::Reader::from_reader(&*said.output).into_records().map(|row| record(row.unwrap())).collect()
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let rows = rows(text.as_bytes(), "variation,parent,ply,san");
    let shown: Vec<String> = rows.iter().map(|row| format!("{}:{}:{}{}", row[0], row[1], row[2], row[3])).collect();
    assert_eq!(shown.join(" "), expected, "{text}");
}

#[test]
fn a_variation_knows_its_number_and_where_it_begins() {
    check("1. e4 (1. d4 d5) e5 *", "0::0 0::1e4 1:0:1d4 1:0:2d5 0::2e5");
    check("1. e4 e5 (1... c5 2. Nf3 (2. Nc3)) (1... e6) *", "0::0 0::1e4 0::2e5 1:0:2c5 1:0:3Nf3 2:1:3Nc3 3:0:2e6");
    // A variation before or behind the first move of another begins where that one begins.
    check("1. e4 e5 (1... c5 (1... c6) 2. c4) *", "0::0 0::1e4 0::2e5 1:0:2c5 2:0:2c6 1:0:3c4");
    check(
        "1. e4 (1. d4 d5 (1... c5 2. d5 (2. c4))) e5 *",
        "0::0 0::1e4 1:0:1d4 1:0:2d5 2:1:2c5 2:1:3d5 3:2:3c4 0::2e5",
    );
    check("1. e4 ((1. c4) 1. d4) e5 *", "0::0 0::1e4 2:0:1c4 1:0:1d4 0::2e5");
    check("[A \"\"] (1. d4) 1. e4 *", "0::0 1:0:1d4 0::1e4");
    check("1. e4 () (1. d4 d4) (1. c4) e5 *", "0::0 0::1e4 2:0:1d4 3:0:1c4 0::2e5");
}

#[test]
fn without_variations_all_rows_are_of_the_main_line() {
    let rows = Rows::columns("variation,parent,ply").unwrap();
    let (tsv, _) = rows.write([Database::from(b"1. e4 (1. d4) e5 *".to_vec())], Vec::new()).unwrap();
    assert_eq!(tsv, b"variation\tparent\tply\n0\t\t0\n0\t\t1\n0\t\t2\n");
}

/// Every row follows from the row that its numbers point to, and the rows are the moves of the game in the order of its
/// events.
#[test]
fn the_tree_of_each_game_can_be_rebuilt() {
    let text = everything();
    let rows = rows(&text, "game,variation,parent,ply,uci,fen");
    let mut seen: HashMap<(&str, &str, u32), &str> = HashMap::new();
    let mut branches = 0;
    for row in &rows {
        let [game, variation, parent, ply, uci, fen] = [0, 1, 2, 3, 4, 5].map(|column| row[column].as_str());
        if ply == "0" {
            assert_eq!((variation, parent, uci), ("0", "", ""));
        } else {
            let ply = ply.parse::<u32>().unwrap() - 1;
            let before = seen.get(&(game, variation, ply)).or_else(|| {
                branches += 1;
                seen.get(&(game, parent, ply))
            });
            let before: Position = before.unwrap_or_else(|| panic!("{row:?} comes from somewhere")).parse().unwrap();
            let played = Uci::from_ascii(uci.as_bytes()).unwrap().find(&before).unwrap();
            assert_eq!(before.play(played).unwrap().to_string(), fen, "{row:?}");
        }
        assert_eq!(seen.insert((game, variation, ply.parse().unwrap()), fen), None, "{row:?} is there once");
    }
    assert!(branches > 50, "{branches}");

    let mut at = rows.iter();
    for game in Database::from(text.clone()).games() {
        let Ok(mut moves) = game.moves() else {
            continue;
        };
        assert_eq!(at.next().unwrap()[3], "0");
        while let Some(event) = moves.next() {
            if let Ok(Event::Move(ply)) = event {
                let row = at.next().unwrap();
                assert_eq!((row[3].parse(), &row[5]), (Ok(ply.number), &moves.after().to_string()));
            }
        }
    }
    assert_eq!(at.next(), None);
}
