//! What a job does not read is left out of the text that is made of records, and changes nothing: each output is that
//! of the PGN file with the whole text.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use pgn2fen_rows::Format;

use crate::cli::Desk;
use crate::laws::{one_in, sweeps};

/// Files with clocks, evaluations, comments, variations and tags, and those that must lie beside them.
const FILES: &[(&str, &[&str])] = &[
    ("records/puzzles.csv", &[]),
    ("records/evaluations.jsonl", &[]),
    ("records/lichess.ndjson", &[]),
    ("records/chesscom.json", &[]),
    ("tables/polars.parquet", &[]),
    ("tables/polars_views.arrow", &[]),
    ("tables/puzzles.csv", &[]),
    ("chessbase/games.cbh", &["cba", "cbc", "cbe", "cbg", "cbj", "cbp", "cbs", "cbt"]),
    ("scid/games.si4", &["sn4", "sg4"]),
];

/// The files that have all kinds of parts between them, with which each column is tried.
const OF_ALL_KINDS: &[&str] =
    &["records/evaluations.jsonl", "records/lichess.ndjson", "tables/polars.parquet", "chessbase/games.cbh"];

/// Columns of positions and of games that do not depend on the file.
const OF_POSITIONS: &str = "\
    game,id,variant,ply,variation,parent,plies,turn,fen,hand,material,san,uci,next_san,next_uci,eval,depth,time,nodes,\
    win_chance,cp_loss,accuracy,judgement,clk,spent,comment,words,nags,key,result,eco,opening,tags,White,WhiteElo,Date,\
    TimeControl,Annotator,Rating,Themes,bm";
const OF_GAMES: &str = "\
    game,id,variant,start,moves,evals,clocks,white_accuracy,black_accuracy,white_cp_loss,black_cp_loss,\
    white_inaccuracies,black_mistakes,black_blunders,plies,result,eco,opening,tags,Event,BlackElo,Site";

/// Options of the main command, each with columns that show what they choose.
const OPTIONS: &[&[&str]] = &[
    &["--variations"],
    &["-u"],
    &["--variations", "-u"],
    &["--no-start", "-p", "2..5"],
    &["--max-eval", "100"],
    &["--eval", "-50..200"],
    &["--judgement", "blunder"],
    &["--min-loss", "50"],
    &["-t", "WhiteElo>=1500"],
    &["-t", "Rating>1000"],
    &["-t", "TimeControl~300"],
    &["-t", "Annotator~a", "--variations"],
    &["--commented"],
    &["--opening", "Semi-Slav"],
    &["--skip-captures"],
];

/// Other commands whose output has no place in the file.
const COMMANDS: &[&[&str]] = &[
    &["starts"],
    &["starts", "-C", "kind,fen,White,Rating"],
    &["starts", "-t", "Rating>1000"],
    &["tree", "--depth", "4", "--title", "A"],
    &["tree", "--depth", "4", "--title", "A", "--variations", "--comments", "all"],
    &["tree", "--depth", "6", "-f", "csv"],
    &["games", "--san"],
    &["games", "--san", "--commented", "-t", "WhiteElo>1500"],
];

/// A folder with a file `a` of some ending, and with `a.pgn`, the text of its games.
fn desk(file: &str, beside: &[&str]) -> (Desk, String) {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let desk = Desk::with(&[]);
    let path = fixtures.join(file);
    let ending = path.extension().unwrap().to_str().unwrap();
    for ending in beside.iter().chain([&ending]) {
        fs::copy(path.with_extension(ending), desk.path(&format!("a.{ending}"))).unwrap();
    }
    let name = format!("a.{ending}");
    let text = desk.command(&["games", &name]).output().unwrap();
    assert!(!text.stdout.is_empty(), "{file}");
    fs::write(desk.path("a.pgn"), text.stdout).unwrap();
    (desk, name)
}

#[test]
fn what_is_left_out_changes_no_output() {
    // A tag that no game of a file has is an error there.
    let (mut tried, mut understood) = (BTreeSet::new(), BTreeSet::new());
    let mut turn = 0;
    for (file, beside) in FILES {
        let (desk, name) = desk(file, beside);
        let mut check = |arguments: &[&str]| {
            turn += 1;
            if turn % one_in(3) > 0 {
                return;
            }
            let output = |input: &str| {
                let ran = desk.command(&[arguments, &["-q", input]].concat()).output().unwrap();
                (ran.stdout, ran.status.code())
            };
            let (made, expected) = (output(&name), output("a.pgn"));
            let at = made.0.iter().zip(&expected.0).take_while(|(made, expected)| made == expected).count();
            let shown =
                |output: &[u8]| output[at.saturating_sub(200)..].escape_ascii().take(600).map(char::from).collect();
            let [left, right]: [String; 2] = [shown(&made.0), shown(&expected.0)];
            assert!(made == expected, "{arguments:?} of {file}\n{left}\n\n{right}");
            let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
            if !made.0.is_empty() {
                understood.insert(arguments.clone());
            }
            tried.insert(arguments);
        };
        check(&[]);
        let [of_positions, of_games] =
            [OF_POSITIONS, OF_GAMES].map(|columns| columns.split(',').filter(|_| OF_ALL_KINDS.contains(file)));
        for column in of_positions {
            check(&["-f", "csv", "--no-header", "--variations", "-C", column]);
        }
        for column in of_games {
            check(&["--per", "game", "-f", "jsonl", "-C", column]);
        }
        for format in Format::ALL.iter().filter(|format| !matches!(format.name(), "arrow" | "parquet" | "svg" | "png"))
        {
            let title: &[&str] = if matches!(format.name(), "html" | "anki") { &["--title", "A"] } else { &[] };
            check(&[&["-f", format.name()], title].concat());
        }
        for options in OPTIONS {
            check(options);
            check(&[options, &["-f", "csv", "-C", "ply,san,comment,eval,White"][..]].concat());
        }
        COMMANDS.iter().for_each(|command| check(command));
    }
    let without_output: Vec<_> = tried.difference(&understood).collect();
    assert!(without_output.is_empty() || !sweeps(), "{without_output:?}");
}

#[test]
fn messages_of_lines_of_json_name_the_line_whatever_is_left_out() {
    let game = |moves: &str| {
        format!(
            "{{\"id\":\"abcdefgh\",\"speed\":\"blitz\",\"perf\":\"blitz\",\"players\":{{}},\"moves\":\"{moves}\",\
             \"clocks\":[100,200,300],\"analysis\":[{{\"eval\":20}}]}}\n"
        )
    };
    let desk = Desk::with(&[("a.ndjson", [game("e4 e5"), game("e4 e5 Ke3")].concat().as_bytes())]);
    for arguments in [&["a.ndjson"][..], &["-C", "fen,comment", "a.ndjson"], &["check", "a.ndjson"]] {
        let ran = desk.run(arguments);
        let told = "illegal-move: Ke3 in game 2 (Anonymous – Anonymous), ply 3: the white king on e1 cannot reach e3";
        let output = if arguments[0] == "check" { ran.stdout } else { ran.stderr };
        assert!(output.starts_with("a.ndjson:2:") && output.contains(told), "{arguments:?}: {output}");
    }
}
