//! The rows of a game, in all columns, without what may change when the game is written anew.

use std::collections::BTreeMap;

use pgn2fen_games::database::{Database, Source};
use pgn2fen_games::pgn::annotation::EvalChoice;
use pgn2fen_games::pgn::encoding::Label;
use pgn2fen_games::pgn::games::Game;
use pgn2fen_games::replay::Event;
use pgn2fen_games::walk::{Input, ReadOptions};
use pgn2fen_rows::{Format, Rows};
use serde_json::{Map, Value, json};

use crate::export::tree::plain;

/// All columns but those of the place of a game in its file, and its tags.
const COLUMNS: &str = "file,ply,variation,parent,plies,turn,fen,material,san,uci,next_san,next_uci,eval,depth,time,\
    nodes,clk,spent,comment,nags,key,result,eco,opening";

/// A game, and its text written anew.
pub(crate) struct Anew {
    pub(crate) given: Vec<u8>,
    pub(crate) text: Vec<u8>,
    /// Whether everything in the game [stands where it is written](is_regular).
    pub(crate) is_regular: bool,
}

/// The rows of the main line of a game, and those of its variations.
type GameRows = [Vec<Map<String, Value>>; 2];

/// Compares the rows of games with those of the same games written anew.
#[track_caller]
pub(crate) fn check_rows(games: &[Anew]) {
    let has_comments = games.iter().any(|game| game.given.iter().any(|byte| matches!(byte, b'{' | b';')));
    for evals in EvalChoice::ALL.into_iter().take(if has_comments { 4 } else { 1 }) {
        let was = rows_of(games.iter().map(|game| &game.given), evals);
        let is = rows_of(games.iter().map(|game| &game.text), evals);
        for ((game, mut was), mut is) in games.iter().zip(was).zip(is) {
            for rows in [&mut was, &mut is] {
                settle(rows, game.is_regular);
            }
            let [given, text] = [&game.given, &game.text].map(|text| String::from_utf8_lossy(text));
            assert!(is == was, "rows with --evals {}: {given}\n=>\n{text}\n{is:?}\n{was:?}", evals.name());
        }
    }
}

/// Returns the rows of games, each of which is given as a text of its own.
fn rows_of<'t>(texts: impl Iterator<Item = &'t Vec<u8>>, evals: EvalChoice) -> Vec<GameRows> {
    let mut games = Vec::new();
    let inputs = texts.enumerate().map(|(number, text)| {
        games.push(GameRows::default());
        let text = text.clone();
        Input::opening(number.to_string(), || Ok(Source::from(Database::from(text))))
    });
    let inputs: Vec<Input> = inputs.collect();
    // Each text would be guessed by itself.
    let read = ReadOptions { encoding: Label::find("windows-1252"), ..ReadOptions::default() };
    let rows = Rows::columns(COLUMNS).unwrap().format(Format::Jsonl).variations(true).evals(evals).read_options(read);
    let rows = rows.threads(1);
    let (out, _) = rows.write(inputs, Vec::new()).unwrap();
    for line in out.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let mut row: Map<String, Value> = serde_json::from_slice(line).unwrap();
        let number: usize = row.remove("file").unwrap().as_str().unwrap().parse().unwrap();
        games[number][usize::from(row["variation"] != json!(0))].push(row);
    }
    games
}

/// Removes from the rows what may change. If not everything stands where it is written, only the main line is compared,
/// without comments and glyphs.
fn settle(rows: &mut GameRows, is_regular: bool) {
    let [main, variations] = rows;
    if !is_regular {
        variations.clear();
    }
    let mut numbers = BTreeMap::from([(0, 0)]);
    for row in main.iter_mut().chain(variations) {
        // Of several comments in one text, it is unknown which braces would end one of them.
        let comment = row["comment"].as_str().map(|comment| plain(comment).replace('{', "(").replace('}', ")"));
        row.insert("comment".to_owned(), json!(comment.filter(|comment| !comment.is_empty())));
        // Numbers of variations have gaps where one has no move.
        for column in ["variation", "parent"] {
            if let Some(number) = row[column].as_u64() {
                let next = numbers.len();
                row.insert(column.to_owned(), json!(*numbers.entry(number).or_insert(next)));
            }
        }
        if !is_regular {
            ["comment", "nags"].into_iter().for_each(|column| drop(row.remove(column)));
        }
    }
}

/// Whether all of a game stands where it is written: no errors, nothing but comments before the first move of a line,
/// and moves in all lines.
pub(crate) fn is_regular(game: &Game<'_>) -> bool {
    let mut has_move = vec![false];
    for event in game.moves().unwrap() {
        let line = has_move.last_mut().unwrap();
        match event {
            Ok(Event::Move(_)) => *line = true,
            Ok(Event::VariationStart) if *line => has_move.push(false),
            Ok(Event::Nag(_)) if *line => {}
            Ok(Event::VariationEnd) if *line => {
                has_move.pop();
            }
            Ok(Event::Comment(_)) => {}
            _ => return false,
        }
    }
    true
}
