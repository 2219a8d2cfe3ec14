//! Law: a game of chess or of a variant that is written anew is read as the same game, with the same rows, and is
//! written a second time without a change.

use pgn2fen_chess::fen::{self, FenStyle};
use pgn2fen_games::database::Database;
use pgn2fen_games::export::Exporter;
use pgn2fen_games::pgn::annotation::EvalChoice;
use pgn2fen_games::pgn::games::Game;
use pgn2fen_rows::{Format, Rows};

use crate::choices::Choices;

/// The columns of the rows of the main line that do not change. Comments and glyphs may be moved to another place of
/// the game.
const COLUMNS: &str =
    "ply,plies,turn,fen,hand,san,uci,next_san,next_uci,eval,depth,nodes,key,result,variant,eco,opening";

/// The columns of times. Of a clock such as `1:30`, all clocks of the game tell the units. Behind an error, they become
/// the text of a comment.
const TIMES: &str = "time,clk,spent";

/// Checks the law. The first byte chooses the source of evaluations. The rest is a text.
///
/// # Panics
///
/// The law is broken.
pub fn check(data: &[u8]) {
    let mut choices = Choices::new(data);
    let evals = choices.one_of(&EvalChoice::ALL);
    let database = Database::from(choices.text());
    let exporter = Exporter::default();
    for game in database.games().take(8) {
        let Ok(text) = exporter.to_pgn(&game) else { continue };
        let told = || format!("{}\n=>\n{text}", String::from_utf8_lossy(game.bytes()));
        let again = Database::from(text.clone().into_bytes());
        let games: Vec<Game<'_>> = again.games().collect();
        let [again] = games.as_slice() else { panic!("one game: {}", told()) };
        assert_eq!(exporter.to_pgn(again).as_ref(), Ok(&text), "{}", told());
        assert_eq!(start(again), start(&game), "{}", told());
        // By itself, a game may look like a line of a list of positions.
        if Database::from(game.bytes().to_vec()).form() == database.form() {
            assert_eq!(rows(again, COLUMNS, evals), rows(&game, COLUMNS, evals), "{}", told());
            if !has_error(&game) {
                assert_eq!(rows(again, TIMES, evals), rows(&game, TIMES, evals), "{}", told());
            }
        }
    }
}

/// Returns where a game starts, by which rules, how it castles, and how it ends.
fn start(game: &Game<'_>) -> Option<String> {
    let mut replay = game.replay().ok()?;
    let start = fen::to_string(replay.position(), FenStyle::default());
    Some(format!("{start} {} {:?} {:?}", replay.position().rules(), replay.castling_rules(), replay.outcome()))
}

/// Whether an error ends the moves of a game.
fn has_error(game: &Game<'_>) -> bool {
    let Ok(mut replay) = game.replay() else { return true };
    std::iter::from_fn(|| replay.next_ply()).any(|ply| ply.is_err())
}

fn rows(game: &Game<'_>, columns: &str, evals: EvalChoice) -> String {
    let rows = Rows::columns(columns).expect("columns").format(Format::Jsonl).evals(evals).threads(1);
    let written = rows.write([Database::from(game.bytes().to_vec())], Vec::new());
    String::from_utf8(written.expect("memory can be written to").0).expect("UTF-8")
}
