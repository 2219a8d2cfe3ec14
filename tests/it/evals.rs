//! Evaluations in comments: whose they are, of which position, in every format, and what is said about comments that
//! are not read.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use pgn2fen_games::database::Database;
use pgn2fen_games::pgn::annotation::EvalSource;
use pgn2fen_games::walk::EvalCount;
use pgn2fen_rows::{Format, GameRows, Rows};

use crate::cli::Desk;

/// A game of cutechess, which White wins by mate, with a book move, nodes and a variation.
const ENGINE: &[u8] =
    b"[Result \"1-0\"]\n\n1. e4 {book} f6 {-0.50/9 1.5s, n=1234} (1... g5 {-0.70/8 1s} 2. d4 {+0.80/7 2s})\n\
2. d4 {+0.75/10 0.02s} g5 {-M2/2 0s} 3. Qh5# {+M1/1 0s, White mates} 1-0\n";

/// The same game as TCEC writes it.
const TCEC: &[u8] =
    b"[Result \"1-0\"]\n\n1. e4 {book, mb=+0,} f6 {d=9, sd=12, mt=1500, n=1234, pv=f6 d4, wv=0.50, mb=+0,}\n\
2. d4 {d=10, mt=20, wv=0.75,} g5 {d=2, mt=0, wv=M2,} 3. Qh5# {d=1, mt=0, wv=M1, White mates} 1-0\n";

fn rows(source: EvalSource, list: &str, games: &[u8]) -> String {
    let rows = Rows::columns(list).unwrap().format(Format::Csv).evals(source);
    let written = rows.write([Database::from(games.to_vec())], Vec::new()).unwrap().0;
    String::from_utf8(written).unwrap()
}

#[test]
fn the_row_of_a_position_has_the_search_in_it() {
    let list = "ply,next_san,eval,depth,time,nodes";
    let expected = "0,e4,,,,\n1,f6,50,9,1.5,1234\n2,d4,75,10,0.02,\n3,g5,31999,2,0.0,\n4,Qh5#,31999,1,0.0,\n5,,,,,\n";
    let expected = format!("{list}\n{expected}");
    assert_eq!(rows(EvalSource::Engine, list, ENGINE), expected);
    assert_eq!(rows(EvalSource::Tcec, list, TCEC), expected);
    let none = "ply,next_san,eval,depth,time,nodes\n0,e4,,,,\n1,f6,,,,\n2,d4,,,,\n3,g5,,,,\n4,Qh5#,,,,\n5,,,,,\n";
    assert_eq!(rows(EvalSource::Lichess, list, ENGINE), none);
    assert_eq!(rows(EvalSource::Engine, list, TCEC), none);
    assert_eq!(rows(EvalSource::Tcec, list, ENGINE), none);
    let lichess = b"1. e4 {[%eval 0.31,20] [%clk 0:00:07]} e5 {[%clk 0:00:08]} *";
    assert_eq!(
        rows(EvalSource::Lichess, "eval,depth,time,nodes,clk", lichess),
        "eval,depth,time,nodes,clk\n,,,,\n31,20,,,7.0\n,,,,8.0\n"
    );
    let both = b"1. e4 {[%clk 0:00:07]} {+0.31/9 1s} e5 {-0.20/9 1s [%clk 0:00:08]} {-0.30/9 1s} *";
    assert_eq!(rows(EvalSource::Engine, "clk,eval,depth", both), "clk,eval,depth\n,31,9\n7.0,20,9\n8.0,,\n");
    assert_eq!(rows(EvalSource::Engine, "clk", both), "clk\n\"\"\n7.0\n8.0\n");
}

#[test]
fn every_format_and_filter_uses_the_evaluation_of_the_row() {
    let desk = Desk::with(&[("a.pgn", ENGINE)]);
    let run = |options: &[&str]| desk.run(&[&["-q", "--evals", "engine", "a.pgn"], options].concat()).stdout;
    let line = |fen: &str| format!("{fen}\n");
    let (one, two) = (
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "rnbqkbnr/ppppp1pp/5p2/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
    );
    assert_eq!(run(&["-f", "bullet"]), line(&format!("{one} | 50 | 1.0")) + &line(&format!("{two} | 75 | 1.0")));
    // Positions without an evaluation stay, mates do not.
    let plies = |most: &str| run(&["-C", "ply", "--no-header", "--max-eval", most]);
    assert_eq!(plies("100"), "0\n1\n2\n5\n");
    assert_eq!(plies("74"), "0\n1\n5\n");
    assert_eq!(run(&["--max-eval", "60", "-p", "1..2"]), line(one));
    assert_eq!(run(&["--max-eval", "60", "-C", "eval,nodes,clk", "-p", "1..2", "--no-header"]), "50\t1234\t\n");
    // The operation `ce` is from the side to move.
    let epd = run(&["-f", "epd", "-C", "eval,depth,time,nodes", "-p", "1..2"]);
    let operations: Vec<&str> = epd.lines().map(|line| line.split_once("fmvn").unwrap().1).collect();
    assert_eq!(operations, [r#" 1; ce -50; acd 9; c0 "1.5"; acn 1234;"#, r#" 2; ce 75; acd 10; c0 "0.02";"#]);
    let html = run(&["-f", "html", "-C", "ply,eval,depth", "-p", "1..3"]);
    assert!(["+0.50", "+0.75", "#1"].iter().all(|eval| html.contains(eval)), "{html}");
    let json = run(&["-f", "jsonl", "-C", "eval,depth,time,nodes", "-p", "1..2"]);
    let expected = "{\"eval\":50,\"depth\":9,\"time\":1.5,\"nodes\":1234}\n\
        {\"eval\":75,\"depth\":10,\"time\":0.02,\"nodes\":null}\n";
    assert_eq!(json, expected);
    // The search behind g5 is that after 1. e4, and that behind 2. d4 in the variation is that after 1... g5.
    let variations = run(&["-C", "ply,variation,san,eval", "--variations", "--no-header"]);
    assert_eq!(
        variations,
        "0\t0\t\t\n1\t0\te4\t50\n2\t0\tf6\t75\n2\t1\tg5\t80\n3\t1\td4\t\n3\t0\td4\t31999\n4\t0\tg5\t31999\n\
         5\t0\tQh5#\t\n"
    );
    let game = run(&["--per", "game", "-f", "jsonl", "-C", "moves,evals"]);
    let expected = "{\"moves\":[\"e2e4\",\"f7f6\",\"d2d4\",\"g7g5\",\"d1h5\"],\"evals\":[50,75,31999,31999,null]}\n";
    assert_eq!(game, expected);
}

#[test]
fn rows_of_games_come_back_with_their_evaluations() {
    let desk = Desk::with(&[("a.pgn", ENGINE)]);
    desk.run(&["-q", "--evals", "engine", "--per", "game", "-o", "games.parquet", "a.pgn"]).is("", "", 0);
    let options = ["-q", "-C", "ply,eval,fen", "--no-start"];
    let first = desk.run(&[&options[..], &["--evals", "engine", "a.pgn"]].concat());
    let back = desk.run(&[&options[..], &["games.parquet"]].concat());
    assert_eq!(first, back);
    assert!(back.stdout.contains("\t75\t"));
}

#[test]
fn columns_are_typed() {
    let rows = Rows::columns("eval,depth,time,nodes").unwrap().evals(EvalSource::Engine);
    let batches = rows.batches([Database::from(ENGINE.to_vec())]).unwrap();
    let batch = batches.map(Result::unwrap).next().unwrap();
    assert_eq!(batch.column(0).as_primitive::<Int32Type>().value(2), 75);
    assert_eq!(batch.column(1).as_primitive::<Int32Type>().value(1), 9);
    assert_eq!(batch.column(2).as_primitive::<Float64Type>().value(1).to_bits(), 1.5f64.to_bits());
    assert_eq!(batch.column(3).as_primitive::<Int64Type>().value(1), 1234);
    assert_eq!(batch.column(3).null_count(), 5);
}

#[test]
fn comments_of_another_kind_are_named_with_the_option_that_reads_them() {
    let desk = Desk::with(&[
        ("a.pgn", ENGINE),
        ("t.pgn", TCEC),
        ("l.pgn", b"1. e4 {[%eval 0.31]} e5 *"),
        ("n.pgn", b"1. e4 {good} *"),
    ]);
    let said = |options: &[&str]| desk.run(&[&["-C", "eval", "--no-header"], options].concat()).stderr;
    let engine = "1 game has comments such as {+0.31/14 0.5s}, which --evals engine reads";
    let tcec = "1 game has comments such as {d=32, …, wv=0.31, …}, which --evals tcec reads";
    let lichess = "1 game has comments such as {[%eval 0.31]}, which --evals lichess reads";
    let no = "warning: no position has an evaluation; ";
    let some = "warning: some games have no evaluation; ";
    assert_eq!(said(&["--evals", "lichess", "a.pgn"]), format!("{no}{engine}\n"));
    assert_eq!(said(&["--evals", "lichess", "a.pgn", "t.pgn", "n.pgn"]), format!("{no}{engine}, {tcec}\n"));
    assert_eq!(said(&["--evals", "engine", "l.pgn", "t.pgn"]), format!("{no}{lichess}, {tcec}\n"));
    assert_eq!(said(&["--evals", "lichess", "l.pgn", "a.pgn"]), format!("{some}{engine}\n"));
    assert_eq!(said(&["a.pgn"]), "");
    // No hint about the comments of the kind that is read, in positions whose own evaluation stands elsewhere.
    assert_eq!(said(&["-p", "-1", "a.pgn"]), "");
    assert_eq!(said(&["--evals", "engine", "a.pgn"]), "");
    assert_eq!(said(&["n.pgn"]), "");
    let run = |options: &[&str]| desk.run(&[options, &["a.pgn"]].concat());
    let lichess_only = |options: &[&str]| run(&[&["--evals", "lichess"], options].concat());
    assert_eq!(lichess_only(&["--max-eval", "9"]).stderr, format!("{no}{engine}\n"));
    assert_eq!(lichess_only(&["--per", "game", "-f", "jsonl", "-C", "evals"]).stderr, format!("{no}{engine}\n"));
    let bullet = lichess_only(&["-f", "bullet"]);
    assert!(bullet.stdout.is_empty() && bullet.stderr.starts_with(&format!("{no}{engine}\n")), "{bullet:?}");
    assert_eq!(bullet.code, Some(1));
    for quiet in
        [&["-C", "ply"][..], &["-f", "fen"], &["-q", "-C", "eval"], &["--per", "game", "-f", "jsonl", "-C", "moves"]]
    {
        assert_eq!(run(quiet).stderr, "", "{quiet:?}");
    }
}

#[test]
fn a_comment_that_cannot_be_read_is_a_warning_with_its_place() {
    let text = b"1. e4 {+0.31/14 0.5s} e5 {-0.2/} 2. Nf3\n{-0.3/x\n1s} Nc6 {fine} *\n\n1. d4 {+0.5} *\n";
    let desk = Desk::with(&[("a.pgn", text)]);
    let run = |options: &[&str]| desk.run(&[&["--evals", "engine", "a.pgn"], options].concat());
    let ran = run(&["-C", "ply,eval", "--no-header"]);
    assert_eq!(ran.stdout, "0\t31\n1\t\n2\t\n3\t\n4\t\n0\t\n1\t\n");
    assert_eq!(ran.stderr, "a.pgn:1:26: warning: unread-eval: -0.2/: the evaluation cannot be read (2 games)\n");
    assert_eq!(ran.code, Some(0));
    let verbose = run(&["-v", "-C", "ply,eval"]).stderr;
    let lines: Vec<&str> = verbose.lines().filter(|line| line.contains("unread-eval")).collect();
    assert_eq!(
        lines,
        [
            "a.pgn:1:26: warning: unread-eval: -0.2/ in game 1, ply 2: the evaluation cannot be read",
            "a.pgn:2:1: warning: unread-eval: -0.3/x 1s in game 1, ply 3: the evaluation cannot be read",
            "a.pgn:5:7: warning: unread-eval: +0.5 in game 2, ply 1: the evaluation cannot be read",
        ]
    );
    // A comment that is needed twice is counted once.
    assert_eq!(run(&["-v", "-C", "eval", "--max-eval", "900"]).stderr.matches("unread-eval").count(), 3);
    assert_eq!(run(&["--max-eval", "900", "-p", "2"]).stderr.matches("unread-eval").count(), 1);
    let lichess = desk.pipe(&["-C", "eval", "--no-header", "-"], b"1. e4 {[%eval x]} e5 {[%eval 0.2]} *");
    lichess.is("\n\n20\n", "-:1:7: warning: unread-eval: [%eval x]: the evaluation cannot be read\n", 0);
}

#[test]
fn evaluations_are_counted() {
    let totals = |rows: Rows, games: &[u8]| rows.write([Database::from(games.to_vec())], Vec::new()).unwrap().1.evals;
    let engine = || Rows::columns("eval").unwrap().evals(EvalSource::Engine);
    let count = totals(engine(), &[ENGINE, b"1. e4 {+0.3} *\n\n", TCEC].concat());
    assert_eq!((count.positions, count.found, count.unread), (14, 4, 1));
    assert_eq!(EvalSource::ALL.map(|source| count.games_with(source)), [0, 0, 1]);
    assert_eq!(EvalSource::ALL.map(|source| count.games_read_by(source)), [0, 1, 0]);
    assert_eq!(count.games_without, 2);
    let all = Rows::columns("eval").unwrap();
    let count = totals(all, &[ENGINE, b"1. e4 {[%eval 1]} *\n\n", TCEC, b"1. e4 {+0.3} *\n\n", ENGINE].concat());
    assert_eq!(EvalSource::ALL.map(|source| count.games_read_by(source)), [1, 2, 1]);
    assert_eq!((count.positions, count.found, count.games_without), (22, 13, 1));
    assert_eq!(totals(Rows::columns("ply").unwrap().evals(EvalSource::Engine), ENGINE), EvalCount::default());
    assert_eq!(totals(engine().max_games(1), &ENGINE.repeat(9)), totals(engine(), ENGINE));
    let games = GameRows::columns("evals,clocks").unwrap().evals(EvalSource::Engine);
    let count = games.write([Database::from(ENGINE.to_vec())], Vec::new()).unwrap().1.evals;
    assert_eq!((count.positions, count.found), (5, 4));
}

#[test]
fn an_option_without_effect_is_refused() {
    let desk = Desk::with(&[("a.pgn", ENGINE)]);
    for options in
        [&["-f", "fen"][..], &["-C", "ply,fen"], &["-f", "uci"], &["--per", "game", "-f", "jsonl", "-C", "moves"]]
    {
        let ran = desk.run(&[&["--evals", "engine", "a.pgn"], options].concat());
        assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(2)), "{options:?}");
        assert!(ran.stderr.contains("--evals engine has no effect on this output; choose the column eval"), "{ran:?}");
        assert_eq!(desk.run(&[&["--evals", "auto", "a.pgn"], options].concat()).code, Some(0), "{options:?}");
    }
    let ran = desk.run(&["--evals", "engine", "-o", "{game}-{ply}.svg", "a.pgn"]);
    assert_eq!((ran.code, desk.files()), (Some(2), vec!["a.pgn".to_owned()]), "{ran:?}");
    desk.run(&["-q", "--evals", "engine", "-p", "1..2", "-o", "{ply}_{eval}.svg", "a.pgn"]).is("", "", 0);
    assert_eq!(desk.files(), ["1_50.svg", "2_75.svg", "a.pgn"]);
    let ran = desk.run(&["--evals", "cutechess", "a.pgn"]);
    assert!(ran.stderr.contains("possible values: auto, lichess, engine, tcec"), "{ran:?}");
}

/// One game for each program, with the evaluations of its positions.
const PROGRAMS: [(&str, &str, &[Option<i32>]); 10] = [
    ("lichess", "1. e4 { [%eval 0.17] [%clk 0:05:00] } 1... e5 { [%eval #-3] } *", &[None, Some(17), Some(-31_997)]),
    ("chessbase", "1. e4 {[%eval 31,24] [%emt 0:00:05]} e5 {[%eval -20,22]} *", &[None, Some(31), Some(-20)]),
    (
        "cutechess",
        "1. e4 {book} e5 {-0.25/12 1.3s} 2. Nf3 {+M5/20 0.1s, White wins} *",
        &[None, Some(25), Some(31_997), None],
    ),
    ("fastchess", "1. e4 {+0.25/12 1.3s, n=5, sd=20} e5 {0.00/13 2s, tl=1.0s} *", &[Some(25), Some(0), None]),
    ("old fastchess", "1. e4 {+0.25/12, 1.3s} e5 {-0.16/17/932682 338ms} *", &[Some(25), Some(16), None]),
    ("openbench", "1. e4 {+0.25 12/20 500 12345} e5 {-0.20 13/0 1 99} *", &[Some(25), Some(20), None]),
    ("xboard", "1. e4 {+0.25/12 1:03} e5 {-0.20/12 5} 2. Nf3 {+0.30/9 2.5} *", &[Some(25), Some(20), Some(30), None]),
    ("arena", "1. e4 {0.25/12 5} e5 {-0.20/12 63} *", &[Some(25), Some(20), None]),
    ("no time", "1. e4 {+0.25/12 soon} e5 {-0.20/12 0.5 s} *", &[Some(25), Some(20), None]),
    (
        "tcec",
        "1. e4 {book, mb=+0,} e5 {d=32, sd=46, mt=59, wv=0.31,} 2. Nf3 {d=3, wv=-M4,} *",
        &[None, Some(31), Some(-31_998), None],
    ),
];

#[test]
fn each_game_is_read_by_the_kind_of_its_comments() {
    let all: String = PROGRAMS.iter().map(|(name, moves, _)| format!("[White \"{name}\"]\n\n{moves}\n\n")).collect();
    let expected: Vec<(&str, Option<i32>)> =
        PROGRAMS.iter().flat_map(|(name, _, evals)| evals.iter().map(move |eval| (*name, *eval))).collect();
    for threads in [1, 4] {
        let rows = Rows::columns("White,eval").unwrap().format(Format::Csv).threads(threads);
        // Many blocks, which are read by several threads.
        let written = rows.write([Database::from(all.repeat(2000).into_bytes())], Vec::new()).unwrap().0;
        let written = String::from_utf8(written).unwrap();
        let mut lines = written.lines().skip(1);
        for _ in 0..2000 {
            for (name, eval) in &expected {
                let eval = eval.map(|eval| eval.to_string()).unwrap_or_default();
                assert_eq!(lines.next(), Some(&*format!("{name},{eval}")));
            }
        }
        assert_eq!(lines.next(), None);
    }
}

/// Games of all kinds one after another are read as each kind is read alone.
#[test]
fn a_file_with_games_of_several_kinds_is_read_like_its_parts() {
    let fixture = |name: &str| std::fs::read(format!("{}/fixtures/games/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let parts = [
        (EvalSource::Lichess, fixture("blitz_evaluations_and_clocks.pgn")),
        (EvalSource::Engine, fixture("fishtest_black_begins.pgn")),
        (EvalSource::Tcec, TCEC.to_vec()),
        (EvalSource::Lichess, fixture("lichess_2012.pgn")),
        (EvalSource::Lichess, fixture("evaluations_and_times.pgn").split_off(3)),
    ];
    let list = "ply,fen,eval,depth,time,nodes,clk,result";
    let write = |rows: Rows, games: Vec<u8>| rows.write([Database::from(games)], Vec::new()).unwrap().0;
    for format in [Format::Jsonl, Format::Bullet, Format::Plain, Format::Viri, Format::Bulletformat] {
        let rows = || if format == Format::Jsonl { Rows::columns(list).unwrap() } else { Rows::new() }.format(format);
        let alone: Vec<u8> =
            parts.iter().flat_map(|(source, text)| write(rows().evals(*source), text.clone())).collect();
        let mixed: Vec<u8> = parts.iter().flat_map(|(_, text)| [&text[..], b"\n\n"].concat()).collect();
        for threads in [1, 3] {
            assert!(write(rows().threads(threads), mixed.clone()) == alone, "{format:?}");
        }
    }
}

#[test]
fn a_run_says_which_kinds_it_found() {
    let desk = Desk::with(&[("a.pgn", ENGINE), ("l.pgn", b"1. e4 {[%eval 0.31]} e5 *"), ("n.pgn", b"1. e4 {good} *")]);
    let said = |options: &[&str]| desk.run(&[&["-C", "eval", "--no-header"], options].concat()).stderr;
    let engine = "1 game with {+0.31/14 0.5s} (engine)";
    let both = format!("evals: 1 game with {{[%eval 0.31]}} (lichess), {engine}");
    assert_eq!(said(&["a.pgn", "l.pgn"]), format!("{both}\n"));
    assert_eq!(said(&["a.pgn", "n.pgn", "l.pgn"]), format!("{both}, 1 game without\n"));
    assert_eq!(said(&["-q", "a.pgn", "l.pgn"]), "");
    let verbose = said(&["-v", "a.pgn", "n.pgn"]);
    assert_eq!(verbose.lines().next(), Some(&*format!("evals: {engine}, 1 game without")));
    assert!(!desk.run(&["-v", "a.pgn"]).stderr.contains("evals:"));
}

#[test]
fn a_training_run_that_leaves_everything_out_fails_and_says_why() {
    let desk = Desk::with(&[("n.pgn", b"1. e4 {good} e5 1-0\n"), ("b.pgn", b"1. e4 {book} e5 {book} 1-0\n")]);
    for format in ["bullet", "plain", "viri", "bulletformat", "binpack"] {
        for file in ["n.pgn", "b.pgn"] {
            let ran = desk.run(&["-f", format, "-o", "out", file]);
            assert_eq!(ran.code, Some(1), "{format} {ran:?}");
            let why = "all 3 positions were left out: without an evaluation; the format needs evaluations in comments";
            assert!(ran.stderr.contains(why), "{format} {ran:?}");
        }
    }
}

/// Splits a stream of pseudo-random numbers into comments of pieces that such comments are made of.
#[test]
fn no_comment_makes_a_reader_panic() {
    const PIECES: [&[u8]; 36] = [
        b"+",
        b"-",
        b"M",
        b"#",
        b"0",
        b"9",
        b"31",
        b".",
        b",",
        b"/",
        b" ",
        b"s",
        b"ms",
        b"n=",
        b"d=",
        b"mt=",
        b"wv=",
        b"book",
        b"ERR",
        b"[%eval ",
        b"]",
        b"=",
        b"\n",
        b"\xff",
        b"99999999999999999999999",
        b"0.00",
        b"+0.31/14 0.5s",
        b"wv=0.31",
        b"[%clk 0:00:01]",
        b"\xc3\xa4",
        b"\0",
        b":",
        b"0:01:02",
        b"tl=",
        b"\"",
        b"}",
    ];
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    for _ in 0..200_000 {
        let mut comment = Vec::new();
        for _ in 0..8 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            comment.extend_from_slice(PIECES[usize::try_from(state % 36).unwrap()]);
        }
        for source in EvalSource::ALL {
            let reading = source.read(&comment);
            assert_eq!(reading, source.read(&comment));
        }
    }
}

#[test]
fn clocks_and_times_that_cannot_be_read_are_warnings_where_they_are_needed() {
    let text = "[TimeControl \"180\"]\n\n1. e4 {[%clk 3:00]} e5 {[%clk 2m] [%emt 1.748]} \
        2. Nf3 {[%clk 0:02:50.5] [%emt x]} Nc6 {[%clk x] [%clk 170]} *\n";
    let desk = Desk::with(&[("a.pgn", text.as_bytes())]);
    let run = |columns: &str| desk.run(&["-C", columns, "--no-header", "-p", "1..", "a.pgn"]);
    let clock = "a.pgn:3:24: warning: unread-clock: [%clk 2m] [%emt 1.748]: the clock cannot be read\n";
    let time = "a.pgn:3:56: warning: unread-clock: [%clk 0:02:50.5] [%emt x]: the time of the move cannot be read\n";
    let both = format!("{clock}{time}");
    run("clk").is("180.0\n\n170.5\n170.0\n", clock, 0);
    run("clk,spent").is("180.0\t0.0\n\t1.748\n170.5\t9.5\n170.0\t\n", &both, 0);
    for (columns, expected) in [("clk,eval", clock), ("clk,depth", clock), ("spent", &both), ("ply,san", "")] {
        let mut lines: Vec<String> = run(columns).stderr.lines().map(|line| format!("{line}\n")).collect();
        lines.sort();
        assert_eq!(lines.concat(), expected, "{columns}");
    }
    let games = desk.run(&["--per", "game", "-f", "jsonl", "-C", "clocks", "a.pgn"]);
    games.is("{\"clocks\":[180.0,null,170.5,170.0]}\n", clock, 0);
}

/// The answer holds for the whole game, so it does not depend on the rows that are wanted.
#[test]
fn two_numbers_of_a_clock_are_read_by_the_time_control_or_not_at_all() {
    let moves = "1. e4 {[%clk 1:30]} e5 {[%clk 1:29] [%emt 0:01]} (1... c5 {[%clk 1:28]}) 2. Nf3 {[%clk 0:58]} *\n";
    let text = format!("[TimeControl \"40/5400+30\"]\n\n{moves}\n{moves}");
    let desk = Desk::with(&[("a.pgn", text.as_bytes())]);
    let run = |columns: &str, more: &[&str]| desk.run(&[&["-C", columns, "--no-header", "a.pgn"], more].concat());
    let clock = "a.pgn:5:7: warning: unread-clock: [%clk 1:30]: these may be hours and minutes, or minutes and \
        seconds, and neither the time control nor the other clocks of the game say which\n";
    for columns in ["clk", "clk,eval", "clk,depth"] {
        let tabs = columns.matches(',').count();
        let line = |clock: &str| format!("{clock}{}\n", "\t".repeat(tabs));
        let expected = ["5400.0", "5340.0", "3480.0", "", "", ""].map(line).concat();
        run(columns, &["-p", "1.."]).is(&expected, clock, 0);
    }
    run("clk", &["-p", "3", "-n", "1"]).is("3480.0\n", "", 0);
    run("clk", &["-p", "1..", "-n", "1", "--variations"]).is("5400.0\n5340.0\n5280.0\n3480.0\n", "", 0);
    let time = clock.replace(":7:", ":25:").replace("[%clk 1:30]", "[%clk 1:29] [%emt 0:01]");
    let ran = run("ply,spent", &["-p", "1.."]);
    assert_eq!(ran.stdout, "1\t30.0\n2\t60.0\n3\t1950.0\n1\t\n2\t\n3\t\n");
    assert_eq!(ran.stderr, clock, "{time}");
    let games = desk.run(&["--per", "game", "-f", "jsonl", "-C", "clocks", "-n", "1", "a.pgn"]);
    games.is("{\"clocks\":[5400.0,5340.0,3480.0]}\n", "", 0);
    let desk = Desk::with(&[("b.pgn", b"1. e4 {[%clk 0:04:52.91]} e5 {[%clk 0:00:45,6]} *")]);
    for (format, expected) in [
        ("csv", "clk\n292.91\n45.6\n"),
        ("tsv", "clk\n292.91\n45.6\n"),
        ("jsonl", "{\"clk\":292.91}\n{\"clk\":45.6}\n"),
    ] {
        desk.run(&["-q", "-f", format, "-C", "clk", "-p", "1..", "b.pgn"]).is(expected, "", 0);
    }
}
