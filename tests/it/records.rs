//! Puzzles, evaluations and games in CSV and JSON as input: they are read like the PGN that they stand for, and what
//! cannot be read is told.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use pgn2fen_games::database::{Source, SourceOptions};

use crate::cli::{Desk, gzip};
use crate::laws::{noise, one_in};

const NAMES: [&str; 4] = ["puzzles.csv", "evaluations.jsonl", "lichess.ndjson", "chesscom.json"];

fn fixture(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/records").join(name)).unwrap()
}

fn with_fixtures() -> Desk {
    let files = NAMES.map(|name| (name, fixture(name)));
    Desk::with(&files.each_ref().map(|(name, bytes)| (*name, bytes.as_slice())))
}

#[test]
fn puzzles_begin_behind_the_move_of_the_opponent() {
    let desk = with_fixtures();
    desk.run(&["-C", "PuzzleId,Rating,LastMove,ply,san,fen", "-n", "2", "puzzles.csv"]).is(
        "PuzzleId\tRating\tLastMove\tply\tsan\tfen\n\
         00sHx\t1760\te8d7\t0\t\tq5nr/1ppknQpp/3p4/1P2p3/4P3/B1PP1b2/B5PP/5K2 w - - 1 18\n\
         00sHx\t1760\te8d7\t1\tBe6+\tq5nr/1ppknQpp/3pB3/1P2p3/4P3/B1PP1b2/6PP/5K2 b - - 2 18\n\
         00sHx\t1760\te8d7\t2\tKd8\tq2k2nr/1pp1nQpp/3pB3/1P2p3/4P3/B1PP1b2/6PP/5K2 w - - 3 19\n\
         00sHx\t1760\te8d7\t3\tQf8#\tq2k1Qnr/1pp1n1pp/3pB3/1P2p3/4P3/B1PP1b2/6PP/5K2 b - - 4 19\n\
         own01\t700\tg8f6\t0\t\tr1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4\n\
         own01\t700\tg8f6\t1\tQxf7#\tr1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4\n",
        "",
        0,
    );
    let filtered = ["-p", "0", "-C", "fen,PuzzleId,Rating,Themes", "--no-header"];
    desk.run(&[&filtered[..], &["-t", "Rating>=1900", "puzzles.csv"]].concat()).is(
        "4k2r/8/8/8/8/8/4K3/8 b k - 0 30\town02\t2100\tendgame castling\n\
         Q6k/8/8/8/8/8/7p/K7 b - - 0 50\town04\t1905\tendgame, \"promotion\"\n",
        "",
        0,
    );
    let mates = desk.run(&[&filtered[..], &["-t", "Themes~mateIn2", "puzzles.csv"]].concat());
    assert!(mates.stdout.contains("\t00sHx\t1760\t") && mates.stdout.lines().count() == 1, "{}", mates.stdout);
}

#[test]
fn evaluations_are_rows_of_the_start() {
    let desk = with_fixtures();
    desk.run(&["-C", "fen,eval,depth,Knodes", "evaluations.jsonl"]).is(
        "fen\teval\tdepth\tKnodes\n\
         2bq1rk1/pr3ppn/1p2p3/7P/2pP1B1P/2P5/PPQ2PB1/R3R1K1 w - - 0 1\t311\t36\t206765\n\
         6k1/8/8/8/8/6K1/1r6/r7 b - - 0 1\t-31994\t25\t9\n\
         4k3/8/8/8/8/8/8/4K2R w K - 0 1\t531\t30\t1300\n\
         7k/8/8/8/8/8/5r2/7K b - - 0 1\t-845\t12\t15\n",
        "",
        0,
    );
    let games = desk.run(&["games", "evaluations.jsonl"]).stdout;
    for tags in ["[bm \"Be4\"]\n[pv \"g2e4 f7f5 ", "[bm \"Ra3+\"]\n[pv \"a1a3 g3f4\"]\n\n{ [%eval #-6,25] }"] {
        assert!(games.contains(tags), "{games}");
    }
}

#[test]
fn games_of_lichess_have_tags_evaluations_and_clocks() {
    let desk = with_fixtures();
    let ran = desk.run(&["-C", "Site,White,Result,UTCDate,TimeControl,ply,san,eval,clk,fen", "lichess.ndjson"]);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines.len(), 1 + 9 + 3 + 6 + 4, "{}", ran.stdout);
    assert_eq!(
        lines[9],
        "https://lichess.org/q7ZvsdUF\town_a\t1/2-1/2\t2017.12.28\t300+3\t8\tNd7\t58\t295.0\t\
         r1bqkbnr/pp1n1ppp/2p1p3/3p4/2PPP3/2N5/PP3PPP/R1BQKBNR w KQkq - 1 5"
    );
    assert!(lines[10].contains("\tlichess AI level 3\t0-1\t2025.01.01\t600+0\t0\t\t"), "{}", lines[10]);
    assert!(lines[22].ends_with("\t3\te4\t\t\t4k3/8/8/8/4p3/8/4K3/8 w - - 0 14"), "{}", lines[22]);
    let of_crazyhouse = "\t5\t@e4\t\t\trnb1kbnr/ppp1pppp/8/3q4/4P3/8/PPPP1PPP/RNBQKBNR[p] b KQkq - 0 3";
    assert!(lines[18].ends_with(of_crazyhouse), "{}", lines[18]);
    assert_eq!((ran.stderr.as_str(), ran.code), ("", Some(0)));
}

#[test]
fn games_of_chess_com_are_their_pgn() {
    let desk = with_fixtures();
    let ran = desk.run(&["-C", "White,WhiteElo,ply,san,clk", "-p", "1..", "chesscom.json"]);
    assert_eq!(ran.stdout.matches("Qxe5#").count(), 2, "{}", ran.stdout);
    assert!(ran.stdout.contains("own_a\t1509\t1\te4\t179.9\n"), "{}", ran.stdout);
    assert!(ran.stderr.contains("illegal-move: Qh6"), "{}", ran.stderr);
    assert_eq!(ran.code, Some(1));
}

#[test]
fn records_are_read_alike_by_all_ways() {
    let desk = with_fixtures();
    for name in NAMES {
        let bytes = fixture(name);
        let columns = ["-C", "game,ply,san,fen,eval,clk,Rating,White"];
        let expected = desk.run(&[&columns[..], &["-j1", name]].concat());
        assert!(expected.stdout.lines().count() > 3, "{}", expected.stderr);
        for options in [&["-j2"][..], &["-j8", "--no-mmap"], &["--encoding", "utf-16"]] {
            assert_eq!(desk.run(&[&columns[..], options, &[name]].concat()), expected, "{name} {options:?}");
        }
        let utf16: Vec<u8> = str::from_utf8(&bytes).unwrap().encode_utf16().flat_map(u16::to_le_bytes).collect();
        let others = [
            (format!("{name}.zst"), zstd::encode_all(&*bytes, 1).unwrap()),
            (format!("{name}.gz"), gzip(&bytes)),
            (format!("x{name}"), [b"\xef\xbb\xbf", &bytes[..]].concat()),
            (format!("16{name}"), [b"\xff\xfe", &utf16[..]].concat()),
            (format!("crlf{name}"), str::from_utf8(&bytes).unwrap().replace('\n', "\r\n").into_bytes()),
            ("no-ending".to_owned(), bytes.clone()),
        ];
        for (other, bytes) in &others {
            fs::write(desk.path(other), bytes).unwrap();
            let ran = desk.run(&[&columns[..], &[other]].concat());
            assert_eq!(ran.stdout, expected.stdout, "{other}: {}", ran.stderr);
            if !other.starts_with("16") {
                assert_eq!(ran.stderr.replace(other, name), expected.stderr, "{other}");
            }
            let piped = desk.pipe(&columns, bytes);
            assert_eq!(
                (piped.stdout, piped.code),
                (expected.stdout.clone(), expected.code),
                "{other}: {}",
                piped.stderr
            );
        }
    }
}

#[test]
fn every_command_reads_records() {
    let desk = with_fixtures();
    for name in NAMES {
        let games = desk.run(&["games", "-q", name]);
        fs::write(desk.path("copies.pgn"), &games.stdout).unwrap();
        assert!(games.stdout.contains("\n[") && !games.stdout.contains("\"] ["), "{}", games.stdout);
        let columns = ["-q", "-C", "game,ply,san,fen,eval,clk,Themes,White,Knodes"];
        let [copied, read] = ["copies.pgn", name].map(|name| desk.run(&[&columns[..], &[name]].concat()).stdout);
        assert!(!read.is_empty() && copied == read, "{name}: {copied}\n{read}");
        let check = desk.run(&["check", name]);
        assert!(
            check.stdout.contains(&format!("{} games", if name == "puzzles.csv" { 5 } else { 4 })),
            "{}",
            check.stdout
        );
        assert!(desk.run(&["starts", "-q", "--all", name]).code <= Some(1), "{name}");
        let index = format!("{name}.idx");
        assert!(desk.run(&["index", "-q", "-o", &index, name]).code <= Some(1));
        let found = desk.run(&["find", &index, "--verify", "-f", "pgn", "-m", "3"]);
        assert_eq!(found.stderr, "", "{name}");
    }
}

#[test]
fn a_record_that_cannot_be_read_is_told_with_its_line() {
    let text = String::from_utf8(fixture("puzzles.csv")).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    let whole = lines[1];
    lines.splice(
        2..2,
        [
            "",
            "cut,8/8/8",
            "bad,8/8/8/8/8/8/8/8 w - - 0 1,e2e4,1,1,1,1,,,",
            "two,4k3/8/8/8/8/8/8/4K3 w - - 0 1,e1e7,1,1,1,1,,,",
        ],
    );
    lines.push(whole);
    let desk = Desk::with(&[("a.csv", (lines.join("\n") + "\n").as_bytes())]);
    let ran = desk.run(&["-p", "0", "-C", "line,PuzzleId", "--no-header", "a.csv"]);
    assert_eq!(ran.stdout, "2\t00sHx\n7\town01\n8\town02\n9\town03\n10\town04\n11\t00sHx\n", "{}", ran.stderr);
    let told: Vec<&str> = ran.stderr.lines().filter(|line| line.starts_with("a.csv:")).collect();
    assert_eq!(told.len(), 3, "{}", ran.stderr);
    assert!(
        told[0].starts_with("a.csv:4:1: bad-record: cut,8/8/8 in game 2: 2 fields, but the header row has 10"),
        "{}",
        told[0]
    );
    assert!(told[1].starts_with("a.csv:5:") && told[1].contains(": bad-fen: "), "{}", told[1]);
    assert!(told[2].starts_with("a.csv:6:1: bad-record: ") && told[2].contains("cannot play e1e7"), "{}", told[2]);
    assert_eq!(ran.code, Some(1));
    let check = desk.run(&["check", "a.csv"]);
    assert!(check.stdout.contains("bad-record") && check.code == Some(1), "{}", check.stdout);
    // So are lines of JSON.
    let game = "{\"pgn\": \"1. e4 *\"}";
    let piped = desk.pipe(
        &["-p", "1", "-C", "line,san", "--no-header"],
        format!("{game}\n{{\"pgn\": \n[]\n{{}}\n\n{game}").as_bytes(),
    );
    assert_eq!(piped.stdout, "1\te4\n6\te4\n", "{}", piped.stderr);
    for (line, reason) in
        [(2, "not JSON: "), (3, "this is no object of JSON"), (4, "the object has neither pgn nor moves")]
    {
        assert!(piped.stderr.contains(&format!("-:{line}:1: bad-record: ")), "{}", piped.stderr);
        assert!(piped.stderr.contains(reason), "{}", piped.stderr);
    }
}

#[test]
fn a_range_of_records_is_refused() {
    let desk = with_fixtures();
    let ran = desk.run(&["--range", "0..100", "puzzles.csv"]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(2)));
    assert!(ran.stderr.contains("is a file of puzzles of Lichess; a range of bytes needs"), "{}", ran.stderr);
    let told = desk.run(&["check", "-v", "evaluations.jsonl"]);
    assert!(told.stdout.contains("evaluations.jsonl: read as a file of evaluations of Lichess"), "{}", told.stdout);
    let source = Source::open_with(&desk.path("lichess.ndjson"), &SourceOptions::default()).unwrap();
    assert_eq!(source.table(), Some("a JSON file of games of Lichess"));
}

#[test]
fn a_record_cannot_swallow_the_next_one() {
    let open = [
        "1. e4 {open",
        "1. e4 (1. d4 (1. c4",
        "1. e4 ; rest",
        "",
        "{",
        "[",
        "[White \\\"",
        "%",
        "1. e4 1-0 {behind",
        "[Event \\\"x\\\"]",
        "1. e4\\n[Event \\\"x\\\"]",
    ];
    for text in open {
        for (before, between, behind) in [("", "\n", ""), ("[", ",", "]")] {
            let json = format!(
                "{before}{{\"pgn\":\"{text}\",\"moves\":\"e4 {{\"}}{between}{{\"pgn\":\"1. d4 d5 1-0\"}}{behind}"
            );
            let ran = Desk::with(&[]).pipe(&["-q", "-C", "san", "--no-start", "--no-header"], json.as_bytes());
            assert!(ran.stdout.ends_with("d4\nd5\n"), "{json}: {}", ran.stdout);
        }
    }
}

#[test]
fn a_folder_has_the_records_of_sites_and_no_other_tables() {
    let desk = with_fixtures();
    for (name, text) in [
        ("other.csv", "a,b\n1,2\n"),
        ("other.json", "{\"a\": 1}"),
        ("rows.jsonl", "{\"movetext\": \"1. e4 *\"}\n"),
        ("package.json", "{\"name\": \"x\", \"id\": \"y\"}"),
    ] {
        fs::write(desk.path(name), text).unwrap();
    }
    fs::write(desk.path("lichess_db_puzzle.csv.zst"), zstd::encode_all(&*fixture("puzzles.csv"), 1).unwrap()).unwrap();
    let ran = desk.run(&["check", "-r", "."]);
    assert!(ran.stdout.contains("22 games"), "{}\n{}", ran.stdout, ran.stderr);
}

#[test]
fn many_records_are_read_alike_whatever_the_threads() {
    let header = String::from_utf8(fixture("puzzles.csv")).unwrap();
    let (header, rows) = header.split_once('\n').unwrap();
    let mut text = format!("{header}\n");
    while text.len() < 3_000_000 {
        text.push_str(rows);
        if text.len() % 7 == 0 {
            text.push_str("cut,\"\n");
        }
    }
    let desk = Desk::with(&[("a.csv", text.as_bytes())]);
    let run = |options: &[&str]| desk.run(&[&["-p", "0", "-C", "line,offset,PuzzleId"], options, &["a.csv"]].concat());
    let expected = run(&["-j1"]);
    assert_eq!(run(&["-j4"]), expected);
    let last = text.lines().count().to_string();
    assert!(expected.stdout.lines().last().unwrap().starts_with(&last), "{last}");
}

#[test]
fn damaged_records_cause_no_panic_and_are_read_alike() {
    for name in NAMES {
        let bytes = fixture(name);
        for seed in (0..60).step_by(one_in(3)) {
            let mut random: u64 = seed;
            let mut damaged = bytes.clone();
            for _ in 0..1 + seed % 5 {
                let at = noise(&mut random) % damaged.len();
                damaged[at] = b"\"{}[],\\\n\x00\xffa1 "[noise(&mut random) % 13];
            }
            damaged.truncate(damaged.len() - noise(&mut random) % 9);
            let desk = Desk::with(&[(name, &damaged)]);
            let [one, many] = ["-j1", "-j4"].map(|threads| desk.run(&["-C", "game,line,ply,san,fen", threads, name]));
            assert_eq!(one, many, "{name} {seed}");
            assert!(one.code <= Some(2) && !one.stderr.contains("panic"), "{name} {seed}: {}", one.stderr);
        }
    }
}

#[test]
fn an_archive_without_games_is_empty_and_other_json_is_refused() {
    let desk = Desk::with(&[("a.json", b"{\"games\":[]}"), ("b.json", b"{\"profile\":{\"x\":1}}"), ("c.json", b"[]")]);
    desk.run(&["a.json"]).is("", "", 0);
    let ran = desk.run(&["b.json"]);
    assert!(ran.stderr.contains("is JSON; of JSON, pgn2fen reads objects with pgn or moves"), "{}", ran.stderr);
    assert_eq!(ran.code, Some(2));
    let ran = desk.run(&["c.json"]);
    assert!(ran.code > Some(0), "{} {}", ran.stdout, ran.stderr);
}

#[test]
fn a_large_document_is_read_in_bounded_memory() {
    let mut json = String::from("{\"games\":[");
    for number in 0..20_000 {
        let comma = if number > 0 { "," } else { "" };
        let _ = write!(
            json,
            "{comma}{{\"rules\":\"chess\",\"pgn\":\"[Round \\\"{number}\\\"]\\n\\n1. e4 e5 2. Nf3 *\\n\"}}"
        );
    }
    json.push_str("]}");
    let desk = Desk::with(&[("a.json", json.as_bytes())]);
    let ran = desk.run(&["-p", "3", "-C", "game,Round,san", "--no-header", "a.json"]);
    assert_eq!((ran.stdout.lines().count(), ran.stdout.lines().last()), (20_000, Some("20000\t19999\tNf3")));
}

#[test]
fn members_that_have_the_names_of_options_are_no_options() {
    let ran = Desk::with(&[]).pipe(&["check"], b"{\"moves\":\"e4\",\"moves\":\"d4\"}\n");
    assert!(ran.stdout.contains("duplicate field \"moves\" at byte"), "{}", ran.stdout);
}
