//! Rows of whole games: what they say, and that the games come back from them.

use std::fs;
use std::path::{Path, PathBuf};

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type};
use arrow_ipc::reader::StreamReader;
use parquet::file::reader::{FileReader, SerializedFileReader};
use pgn2fen_games::database::Database;
use pgn2fen_rows::{Columns, Format, GameRows};

use crate::cli::Desk;

const GAMES: &str = r#"[White "A \"B\""]
[Date "2019.06.01"]
[WhiteElo "2412"]

1. e4 {[%eval 0.31] [%clk 0:01:02.5]} e5 (1... c5 {[%eval 0.2]}) 2. Nf3 {[%eval #-3]} 1-0

[White "C"]
[FEN "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1"]
[SetUp "1"]

1. O-O Kd7 1/2-1/2

[White "D"]

*
"#;

fn written(list: &str, format: Format) -> Vec<u8> {
    let rows = GameRows::columns(list).unwrap().format(format);
    rows.write([Database::from(GAMES.as_bytes().to_vec())], Vec::new()).unwrap().0
}

#[test]
fn a_row_has_a_game() {
    let expected = [
        r#"{"game":1,"White":"A \"B\"","Date":"2019-06-01","WhiteElo":2412,"start":null,"#,
        r#""moves":["e2e4","e7e5","g1f3"],"evals":[31,null,-31997],"clocks":[62.5,null,null],"#,
        r#""plies":3,"result":"1-0"}"#,
        "\n",
        r#"{"game":2,"White":"C","Date":null,"WhiteElo":null,"start":"4k3/8/8/8/8/8/4P3/4K2R w K - 0 1","#,
        r#""moves":["e1g1","e8d7"],"evals":null,"clocks":null,"plies":2,"result":"1/2-1/2"}"#,
        "\n",
        r#"{"game":3,"White":"D","Date":null,"WhiteElo":null,"start":null,"#,
        r#""moves":[],"evals":null,"clocks":null,"plies":0,"result":"*"}"#,
        "\n",
    ];
    let json = written("game,White,Date,WhiteElo,start,moves,evals,clocks,plies,result", Format::Jsonl);
    assert_eq!(String::from_utf8(json).unwrap(), expected.concat());
    let json = written("offset,line,eco,opening,tags", Format::Jsonl);
    let first = String::from_utf8(json).unwrap();
    assert_eq!(
        first.lines().nth(1).unwrap(),
        [
            r#"{"offset":148,"line":7,"eco":null,"opening":null,"#,
            r#""tags":{"White":"C","FEN":"4k3/8/8/8/8/8/4P3/4K2R w K - 0 1","SetUp":"1"}}"#,
        ]
        .concat()
    );
    assert!(first.contains(r#""eco":"C40","opening":"King's Knight Opening""#), "{first}");
}

#[test]
fn arrow_and_parquet_have_the_same_lists() {
    let list = "moves,evals,clocks,start";
    let stream = written(list, Format::Arrow);
    let batches = GameRows::columns(list).unwrap().batches([Database::from(GAMES.as_bytes().to_vec())]).unwrap();
    let batches: Vec<_> = batches.map(Result::unwrap).collect();
    assert_eq!(batches, StreamReader::try_new(&*stream, None).unwrap().map(Result::unwrap).collect::<Vec<_>>());
    let batch = &batches[0];
    let moves = batch.column(0).as_list::<i32>();
    let words = |row| moves.value(row).as_string::<i32>().iter().flatten().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(
        (words(0), words(1), words(2)),
        (["e2e4", "e7e5", "g1f3"].map(str::to_owned).to_vec(), ["e1g1", "e8d7"].map(str::to_owned).to_vec(), vec![])
    );
    let evals = batch.column(1).as_list::<i32>();
    assert_eq!(
        evals
            .iter()
            .map(|list| list.map(|list| list.as_primitive::<Int32Type>().iter().collect()))
            .collect::<Vec<Option<Vec<_>>>>(),
        [Some(vec![Some(31), None, Some(-31997)]), None, None]
    );
    let clocks = batch.column(2).as_list::<i32>().iter().next().unwrap().unwrap();
    assert_eq!(clocks.as_primitive::<Float64Type>().iter().collect::<Vec<_>>(), [Some(62.5), None, None]);
    let file = SerializedFileReader::new(bytes::Bytes::from(written(list, Format::Parquet))).unwrap();
    let rows: Vec<String> = file.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect();
    assert_eq!(
        rows,
        [
            r#"{moves: ["e2e4", "e7e5", "g1f3"], evals: [31, null, -31997], clocks: [62.5, null, null], start: null}"#,
            r#"{moves: ["e1g1", "e8d7"], evals: null, clocks: null, start: "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1"}"#,
            "{moves: [], evals: null, clocks: null, start: null}",
        ]
    );
}

fn games() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let files = |name: &str| fs::read_dir(folder.join(name)).unwrap().map(|entry| entry.unwrap().path());
    let all = ["games", "starts", "variants"].into_iter().flat_map(files);
    let mut paths: Vec<PathBuf> = all.filter(|path| path.extension().is_some_and(|it| it == "pgn")).collect();
    paths.sort();
    paths
}

#[test]
fn games_come_back_from_their_rows() {
    let desk = Desk::with(&[]);
    for path in games() {
        let path = path.to_str().unwrap();
        // The lists have no evaluation of the starting position, which only engine matches have.
        let columns = ["-q", "--exit-zero", "-C", "White,variant,result,ply,fen,eval,clk", "--no-start"];
        let expected = desk.run(&[&columns[..], &[path]].concat());
        for name in ["a.parquet", "a.arrow", "a.jsonl"] {
            let made = desk.run(&["-q", "--exit-zero", "--per", "game", "-o", name, path]);
            assert_eq!((made.code, made.stderr.as_str()), (Some(0), ""), "{path}");
            let back = desk.run(&[&columns[..], &[name]].concat());
            for (line, (came, wanted)) in back.stdout.lines().zip(expected.stdout.lines()).enumerate() {
                assert_eq!(came, wanted, "{path} {name} row {line}");
            }
            assert_eq!((back.stdout.len(), back.code), (expected.stdout.len(), Some(0)), "{path} {name}");
        }
    }
}

#[test]
fn neither_threads_nor_pipes_change_a_byte() {
    let desk = Desk::with(&[]);
    let paths = games();
    let paths: Vec<&str> = paths.iter().map(|path| path.to_str().unwrap()).collect();
    for format in ["jsonl", "arrow", "parquet"] {
        let run = |threads: &str, name: &str| {
            let options =
                ["-q", "--exit-zero", "--per", "game", "-C", "file,id,line,White,tags,moves,evals,clocks,start"];
            desk.run(&[&options[..], &["-j", threads, "-f", format, "-o", name], &paths].concat());
            desk.read(name)
        };
        let one = run("1", &format!("one.{format}"));
        assert!(one.len() > 1000);
        assert!(one == run("7", &format!("seven.{format}")), "{format}");
    }
}

#[test]
fn games_are_chosen_and_errors_are_handled_as_elsewhere() {
    let text =
        b"[White \"A\"]\n\n1. e4 e5 2. Ke4 *\n\n[White \"B\"]\n\n1. d4 *\n\n[White \"C\"]\n[FEN \"x\"]\n\n1. d4 *\n";
    let desk = Desk::with(&[("a.pgn", text)]);
    let run = |options: &[&str]| {
        desk.run(&[&["-q", "--per", "game", "-f", "jsonl", "-C", "game,plies", "a.pgn"], options].concat())
    };
    assert_eq!(run(&[]).stdout, "{\"game\":1,\"plies\":2}\n{\"game\":2,\"plies\":1}\n");
    assert_eq!(run(&[]).code, Some(1));
    assert_eq!(run(&["--on-error", "drop"]).stdout, "{\"game\":2,\"plies\":1}\n");
    assert_eq!(run(&["--on-error", "stop"]).stdout, "{\"game\":1,\"plies\":2}\n");
    assert_eq!(run(&["-t", "White=B"]).stdout, "{\"game\":2,\"plies\":1}\n");
    assert_eq!(run(&["-n", "1"]).stdout, "{\"game\":1,\"plies\":2}\n");
    let ran = desk.run(&["-v", "--per", "game", "-f", "jsonl", "-C", "game", "-t", "White=B", "a.pgn"]);
    assert!(ran.stderr.contains("summary: ") && !ran.stderr.contains("position"), "{}", ran.stderr);
}

#[test]
fn what_does_not_go_with_rows_of_games_is_refused() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 *")]);
    for (options, expected) in [
        (
            &["--per", "game"][..],
            "--per game needs a format with lists: -f jsonl, arrow or parquet, or -o games.parquet",
        ),
        (
            &["--per", "game", "-f", "csv"],
            "the format csv has no lists for the moves of a game; use jsonl, arrow or parquet",
        ),
        (&["--per", "game", "-o", "a.tsv"], "the format tsv has no lists"),
        (&["--per", "game", "-o", "a-{game}.svg"], "--per game writes no pictures"),
        (&["--per", "game", "-f", "jsonl", "-p", "3", "-u"], "has no options for positions; leave out --ply, --unique"),
        (&["--per", "game", "-f", "jsonl", "--variations"], "leave out --variations"),
        (&["--per", "game", "-f", "jsonl", "--no-header"], "has no header row"),
        (&["--per", "game", "-f", "jsonl", "-C", "fen"], "there is no column fen; the columns are file game offset"),
        (&["-f", "jsonl", "-C", "moves"], "these are columns of whole games, which need --per game"),
        (&["-f", "jsonl", "-C", "moves,ply"], "there is no column moves"),
        (&["--per", "ply"], "invalid value 'ply'"),
    ] {
        let ran = desk.run(&[options, &["a.pgn"]].concat());
        assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(2)), "{options:?}");
        assert!(ran.stderr.contains(expected), "{options:?}: {}", ran.stderr);
    }
    assert_eq!(desk.files(), ["a.pgn"]);
}

#[test]
fn groups_have_a_fixed_number_of_games() {
    let games = Database::from(b"1. e4 e5 1-0\n".repeat(1000));
    let rows = GameRows::columns("moves").unwrap().group(300);
    let sizes: Vec<usize> = rows.batches([games.clone()]).unwrap().map(|batch| batch.unwrap().num_rows()).collect();
    assert_eq!(sizes, [300, 300, 300, 100]);
    let (bytes, _) = rows.format(Format::Parquet).write([games], Vec::new()).unwrap();
    let file = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
    let sizes: Vec<i64> =
        file.metadata().row_groups().iter().map(parquet::file::metadata::RowGroupMetaData::num_rows).collect();
    assert_eq!(sizes, [300, 300, 300, 100]);
    let names: Vec<String> = Columns::games().iter().map(|column| column.name().to_owned()).collect();
    assert_eq!(
        names.join(" "),
        "game Event Site Date Round White Black WhiteElo BlackElo result plies variant start moves evals clocks"
    );
}
