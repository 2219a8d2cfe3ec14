//! Tables of text (CSV, TSV) as input: their rows are read like the PGN or the FENs that they stand for, and what
//! cannot be read is told with its line.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::Duration;

use pgn2fen_games::database::{Source, SourceOptions};

use crate::cli::Desk;
use crate::laws::noise;

const FEN: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

/// The text of a volume of lichess-org/chess-openings.
fn openings() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/chess/src/openings/e.tsv")).unwrap()
}

/// The first games of a file, as rows of these columns.
#[track_caller]
fn check(name: &str, text: &[u8], columns: &str, expected: &str) {
    let desk = Desk::with(&[(name, text)]);
    for threads in ["-j1", "-j4"] {
        desk.run(&["-q", "--no-header", "-p", "-1", "-C", columns, threads, name]).is(expected, "", 0);
    }
}

#[test]
fn openings_are_read_with_their_codes_and_names() {
    let text = openings();
    let desk = Desk::with(&[("e.tsv", text.as_bytes())]);
    let ran = desk.run(&["--no-header", "-p", "-1", "-C", "line,ECO,Opening", "e.tsv"]);
    assert_eq!((ran.stderr.as_str(), ran.code), ("", Some(0)));
    let expected: Vec<String> = text
        .lines()
        .enumerate()
        .skip(1)
        .map(|(at, line)| {
            let cells: Vec<&str> = line.split('\t').collect();
            format!("{}\t{}\t{}", at + 1, cells[0], cells[1])
        })
        .collect();
    assert_eq!(ran.stdout.lines().collect::<Vec<_>>(), expected);
    // With the columns that the makefile of the repository adds.
    let five: String = text.lines().enumerate().fold(String::new(), |mut five, (at, line)| {
        let more = if at == 0 { "uci\tepd" } else { "e2e4 e7e5\trnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -" };
        let _ = writeln!(five, "{line}\t{more}");
        five
    });
    for text in [five.clone(), five.replace('\n', "\r\n"), five.replace('\t', ","), text.replace('\n', "\r")] {
        // Names of openings have commas.
        let text = if text.contains(",e2e4") { text.replace(", ", "; ") } else { text };
        let piped = desk.pipe(&["--no-header", "-p", "-1", "-C", "line,ECO,fen"], text.as_bytes());
        let expected = desk.run(&["--no-header", "-p", "-1", "-C", "line,ECO,fen", "e.tsv"]);
        assert_eq!(piped, expected);
    }
    // Several volumes, joined with their header rows.
    let joined = desk.pipe(&["check"], format!("{text}{text}").as_bytes());
    let twice = 2 * (text.lines().count() - 1);
    assert!(
        joined.stdout.replace(',', "").contains(&format!("{twice} games")) && joined.code == Some(0),
        "{}",
        joined.stdout
    );
}

#[test]
fn columns_are_found_by_their_meaning() {
    // As in a set of Lichess games on Kaggle.
    check(
        "games.csv",
        b"id,rated,turns,victory_status,winner,increment_code,white_id,white_rating,black_id,black_rating,moves,\
          opening_eco,opening_name\n\
          TZJHLljE,FALSE,3,outoftime,white,15+2,bourgris,1500,a-00,1191,d4 d5 c4,D10,\"Slav, \"\"Exchange\"\"\"\n\
          x,TRUE,2,resign,draw,5+10,a,,b,1261.0,e4 e5,,\n",
        "White,WhiteElo,Black,BlackElo,Result,ECO,Opening,Victory_status,san",
        "bourgris\t1500\ta-00\t1191\t1-0\tD10\tSlav, \"Exchange\"\toutoftime\tc4\n\
         a\t\tb\t1261\t1/2-1/2\t\t\tresign\te5\n",
    );
    // Whole games in cells, with line breaks.
    check(
        "a.csv",
        b"\xef\xbb\xbfurl;pgn\r\n\
          x;\"[White \"\"A\"\"]\r\n[Result \"\"1-0\"\"]\r\n\r\n1. e4 {a; b} 1... e5 1-0\r\n\"\r\ny;1. d4 0-1\r\n",
        "line,White,result,san",
        "2\tA\t1-0\te5\n7\t\t0-1\td4\n",
    );
    check("a.tsv", b"uci\tx\ne2e4 e7e5\t1\ne2e4 e7e5 g1f3\t2\n", "X,fen", &{
        let fens = Desk::with(&[]).pipe(&["-p", "-1"], b"1. e4 e5 *\n\n1. e4 e5 2. Nf3 *");
        fens.stdout.lines().enumerate().fold(String::new(), |all, (at, fen)| format!("{all}{}\t{fen}\n", at + 1))
    });
    check("a.csv", b"n,moves\n1,\"['e4', 'e5']\"\n", "san", "e5\n");
    // UTF-16, and a code page.
    let utf16: Vec<u8> = "\u{feff}White,pgn\nÉmil,1. e4\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    check("a.csv", &utf16, "White,san", "Émil\te4\n");
    check("a.csv", b"White,pgn\n\xc9mil,1. e4\n", "White,san", "Émil\te4\n");
}

#[test]
fn the_column_of_moves_can_be_named() {
    let desk = Desk::with(&[("a.csv", b"line,text\n1. e4,hello\n"), ("b.csv", b"pgn,line\n1. d4,1. c4\n")]);
    let ran = desk.run(&["a.csv"]);
    assert!(ran.stderr.contains("is a table (CSV)") && ran.stderr.contains("the option movetext"), "{}", ran.stderr);
    assert_eq!(ran.code, Some(2));
    let options = ["--no-header", "-p", "-1", "-C", "Text,san", "--movetext"];
    desk.run(&[&options[..], &["line", "a.csv"]].concat()).is("hello\te4\n", "", 0);
    let unknown = "warning: no game has the tag Text; the games have Pgn\n";
    desk.run(&[&options[..], &["Line", "b.csv"]].concat()).is("\tc4\n", unknown, 0);
    let ran = desk.run(&["--movetext", "other", "b.csv"]);
    assert!(ran.stderr.contains("b.csv: is a table (CSV) without a column other"), "{}", ran.stderr);
    desk.run(&["--movetext", "other", "a.csv"]).is("", "pgn2fen: a.csv: is a table without a column other\n", 2);
    // Other files have no columns.
    let desk = Desk::with(&[("a.pgn", b"1. e4 *")]);
    assert_eq!(desk.run(&["--movetext", "line", "a.pgn"]).stdout.lines().count(), 2);
    // An index remembers the column.
    let desk = Desk::with(&[("a.csv", b"line,text\n1. e4 e5,1. b4\n1. d4,1. c4\n")]);
    assert_eq!(desk.run(&["index", "-q", "--movetext", "line", "-o", "a.idx", "a.csv"]).code, Some(0));
    let found = desk.run(&["find", "a.idx", "--verify", "-f", "pgn", "1. e4"]);
    assert!(found.stdout.contains("1. e4 e5"), "{}{}", found.stdout, found.stderr);
}

#[test]
fn a_table_of_fens_has_positions() {
    let text = format!("FEN,Evaluation\n{FEN},+56\n\n{FEN},#-2\n4k4/8/8/8/8/8/4P3/4K3 w - - 0 1,0\n");
    let desk = Desk::with(&[("a.csv", text.as_bytes())]);
    let ran = desk.run(&["--no-header", "-C", "line,Evaluation,fen", "a.csv"]);
    assert_eq!(ran.stdout, format!("2\t+56\t{FEN}\n4\t#-2\t{FEN}\n"));
    assert!(ran.stderr.starts_with("a.csv:5:") && ran.stderr.contains("bad-fen"), "{}", ran.stderr);
    // The place of the column is of no importance.
    let tsv = "id\tbest\tepd\nx\te4\t4k3/8/8/8/8/8/4P3/4K3 w - -\n";
    let ran = Desk::with(&[]).pipe(&["-q", "--no-header", "-C", "Best,fen"], tsv.as_bytes());
    assert_eq!(ran.stdout, format!("e4\t{FEN}\n"));
}

#[test]
fn puzzles_are_found_under_other_headings() {
    let row = "00sHx,q3k1nr/1pp1nQpp/3p4/1P2p3/4P3/B1PP1b2/B5PP/5K2 b k - 0 17,e8d7 a2e6 d7d8 f7f8,1760";
    for header in ["ID,FEN,Moves,ELO", "puzzle_id,fen,moves,rating", "\"ID\",\"FEN\",\"Moves\",\"ELO\""] {
        let ran = Desk::with(&[]).pipe(
            &["--no-header", "-C", "PuzzleId,Rating,LastMove,san", "-p", "-1"],
            format!("{header}\n{row}\n").as_bytes(),
        );
        ran.is("00sHx\t1760\te8d7\tQf8#\n", "", 0);
    }
    // Moves that begin in the position are those of a game.
    let ran =
        Desk::with(&[]).pipe(&["--no-header", "-C", "Id,san"], format!("id,fen,moves\n1,{FEN},e4 Kd7 e5\n").as_bytes());
    assert_eq!(ran.stdout, "1\t\n1\te4\n1\tKd7\n1\te5\n", "{}", ran.stderr);
}

#[test]
fn a_row_that_cannot_be_read_costs_only_itself() {
    let rows = ["1,1. e4", "2", "3,1. d4,x", "\"4,1. c4", "5,\"1. b4\n\"", "6,1. Ke2", "7,1. a4"];
    let desk = Desk::with(&[("a.csv", format!("n,pgn\n{}\n", rows.join("\n")).as_bytes())]);
    let ran = desk.run(&["--no-header", "-p", "1", "-C", "N,san", "a.csv"]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("1\te4\n5\tb4\n7\ta4\n", Some(1)));
    let told: Vec<&str> = ran.stderr.lines().collect();
    assert!(
        told[0].starts_with("a.csv:3:1: bad-record: 2 in game 2: 1 fields, but the header row has 2"),
        "{}",
        told[0]
    );
    assert!(told[1].starts_with("a.csv:4:1: bad-record: ") && told[1].contains("3 fields"), "{}", told[1]);
    assert!(
        told[2].starts_with("a.csv:5:1: bad-record: ") && told[2].ends_with("a quote is not closed"),
        "{}",
        told[2]
    );
    assert!(told[3].starts_with("a.csv:8:") && told[3].contains("illegal-move: Ke2"), "{}", told[3]);
    assert_eq!(told.len(), 4);
}

#[test]
fn a_cell_cannot_swallow_the_next_row() {
    for cell in [
        "1. e4 {open",
        "1. e4 (1. d4 (1. c4",
        "1. e4 ; rest",
        "",
        "{",
        "\"[White \"\"\"",
        "%",
        "1. e4 1-0 {x",
        "$",
        "(",
    ] {
        let ran = Desk::with(&[]).pipe(
            &["-q", "-C", "san", "--no-start", "--no-header"],
            format!("n,pgn\n1,1. c4\n2,{cell}\n3,1. d4 d5 1-0\n").as_bytes(),
        );
        assert!(ran.stdout.starts_with("c4\n") && ran.stdout.ends_with("d4\nd5\n"), "{cell}: {}", ran.stdout);
    }
}

#[test]
fn games_and_lists_are_no_tables() {
    let fens = format!("{FEN}\n{FEN}\n");
    for (text, expected) in [
        ("[Event \"moves,pgn\"]\n\n1. e4 *\n", 2),
        ("moves, pgn and text\n\n1. e4 *\n", 2),
        (fens.as_str(), 2),
        (&format!("fen\n{fens}"), 2),
        (&format!("{FEN},0.3,moves\n{FEN},0.1,e4\n"), 2),
        ("eco,moves\n[Event \"x\"]\n\n1. e4 *\n", 2),
    ] {
        let desk = Desk::with(&[("a.txt", text.as_bytes())]);
        let source = Source::open_with(&desk.path("a.txt"), &SourceOptions::default()).unwrap();
        assert_eq!(source.table(), None, "{text}");
        assert_eq!(desk.run(&["-q", "a.txt"]).stdout.lines().count(), expected, "{text}");
    }
}

#[test]
fn many_rows_are_read_alike_whatever_the_threads() {
    let mut text = "n,White,pgn\n".to_owned();
    let mut number = 0;
    while text.len() < 3_000_000 {
        number += 1;
        let _ = match number % 7 {
            0 => writeln!(text, "{number},\"A, \"\"b\"\"\",\"[White \"\"A\"\"]\n\n1. e4 {{\n{number}}} *\n\""),
            3 => writeln!(text, "{number},\"A,1. e4"),
            5 => writeln!(text, "{number},A 5\" x,1. d4"),
            _ => writeln!(text, "{number},A,1. c4 c5"),
        };
    }
    let desk = Desk::with(&[("a.csv", text.as_bytes())]);
    let run =
        |options: &[&str]| desk.run(&[&["-q", "-p", "1", "-C", "line,offset,N,san"], options, &["a.csv"]].concat());
    let expected = run(&["-j1"]);
    let lost = (1..=number).filter(|number| number % 7 == 3).count();
    assert_eq!(expected.stdout.lines().count(), 1 + number - lost);
    assert_eq!(run(&["-j4"]), expected);
    // Each line is that of its row.
    let lines: Vec<&str> = text.lines().collect();
    for row in expected.stdout.lines().skip(1).filter(|row| row.ends_with("\tc4")).step_by(97) {
        let cells: Vec<&str> = row.split('\t').collect();
        let line = lines[cells[0].parse::<usize>().unwrap() - 1];
        assert_eq!(line, format!("{},A,1. c4 c5", cells[2]));
    }
}

#[test]
fn damaged_tables_cause_no_panic_and_are_read_alike() {
    let text = format!(
        "{}\"x, \"\"y\"\"\",\"1. e4\n e5\"\n",
        openings()
            .replace('\t', ",")
            .replace(", ", "; ")
            .lines()
            .take(40)
            .map(|line| line.to_owned() + "\n")
            .collect::<String>()
    );
    for seed in 0..60 {
        let mut random: u64 = seed;
        let mut damaged = text.clone().into_bytes();
        for _ in 0..1 + seed % 5 {
            let at = noise(&mut random) % damaged.len();
            damaged[at] = b"\"{}[],;\n\r\t\x00\xffa1 "[noise(&mut random) % 15];
        }
        let desk = Desk::with(&[("a.csv", &damaged)]);
        let [one, many] = ["-j1", "-j4"].map(|threads| desk.run(&["-C", "game,line,ply,san,fen", threads, "a.csv"]));
        assert_eq!(one, many, "{seed}");
        assert!(one.code <= Some(2) && !one.stderr.contains("panic"), "{seed}: {}", one.stderr);
    }
}

#[test]
fn time_is_linear_in_hostile_rows() {
    let time = |line: &str, size: usize| {
        let head = "n,a,pgn\n1,b,1. e4\n";
        let desk = Desk::with(&[("a.csv", format!("{head}{}", line.repeat(size / line.len())).as_bytes())]);
        let times = (0..3).map(|_| {
            let begin = std::time::Instant::now();
            desk.run(&["check", "-j1", "--max-messages", "1", "a.csv"]);
            begin.elapsed()
        });
        times.min().unwrap()
    };
    for line in ["\"a\n", "a,\"b\n", "\",\"\n", "a\",\"b\n", "\"\"\"\"\n", ",\"\"\"x\n", "\n", ",,\n", "\"", ","] {
        let [short, long] = [250_000, 1_000_000].map(|size| time(line, size));
        assert!(long < 8 * short + Duration::from_millis(300), "{line:?}: {short:?} {long:?}");
    }
}

#[test]
fn archives_are_found_by_a_pattern_and_have_what_the_site_says() {
    let game = |number: usize| {
        format!(
            "{{\"url\":\"https://www.chess.com/game/live/{number}\",\"pgn\":\"[White \\\"A\\\"]\\n\\n1. e4 e5 *\\n\",\
             \"time_class\":\"blitz\",\"rules\":\"chess\",\"accuracies\":{{\"white\":8{number}.5,\"black\":70}}}}"
        )
    };
    let archive = |games: &[usize]| {
        let games: Vec<String> = games.iter().map(|number| game(*number)).collect();
        format!("{{\"games\":[{}]}}", games.join(","))
    };
    let desk = Desk::with(&[]);
    fs::create_dir(desk.path("archives")).unwrap();
    for (name, games) in [("2024-02.json", &[2, 3][..]), ("2024-01.json", &[1]), ("other.txt", &[9])] {
        fs::write(desk.path("archives").join(name), archive(games)).unwrap();
    }
    let columns = ["--no-header", "-p", "-1", "-C", "Link,TimeClass,WhiteAccuracy,BlackAccuracy,san"];
    let expected = "https://www.chess.com/game/live/1\tblitz\t81.5\t70\te5\n\
                    https://www.chess.com/game/live/2\tblitz\t82.5\t70\te5\n\
                    https://www.chess.com/game/live/3\tblitz\t83.5\t70\te5\n";
    desk.run(&[&columns[..], &["archives/*.json"]].concat()).is(expected, "", 0);
    let last = format!("{}\n", expected.lines().last().unwrap());
    desk.run(&[&columns[..], &["-t", "WhiteAccuracy>=83", "archives/2024-0?.json"]].concat()).is(&last, "", 0);
    let ran = desk.run(&["archives/*.pgn"]);
    assert!(
        ran.stderr.contains("archives/*.pgn: no file matches the pattern") && ran.code == Some(2),
        "{}",
        ran.stderr
    );
}
