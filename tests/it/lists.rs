//! Lists of positions: a FEN or EPD a line, read by every command that reads games. That cuts, threads, pipes, ranges
//! and compression change nothing is held by the laws for games, which walk through the lists among the fixtures, too.

use pgn2fen_games::database::{Database, Source};
use pgn2fen_games::parallel::Cuts;
use pgn2fen_games::pgn::lists::Form;

use crate::cli::{Desk, gzip};
use crate::laws::{all_positions, stream, try_walk, whole, workers};
use crate::walking::same;

const A: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
const B: &str = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 5 40";
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn lines(lines: &[&str]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[test]
fn every_line_is_a_position() {
    let text = format!("# openings\n\n{A}\r\n  {B}  \n; more\n{START}");
    let desk = Desk::with(&[("a.epd", text.as_bytes()), ("a.fen.gz", &gzip(text.as_bytes()))]);
    let expected = lines(&[A, B, START]);
    desk.run(&["a.epd"]).is(&expected, "", 0);
    desk.run(&["a.fen.gz"]).is(&expected, "", 0);
    desk.run(&["--no-mmap", "a.epd"]).is(&expected, "", 0);
    desk.pipe(&[], text.as_bytes()).is(&expected, "", 0);
    let utf16: Vec<u8> = std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    assert_eq!(desk.pipe(&["-q"], &utf16).stdout, expected);
    desk.run(&["check", "-q", "a.epd"]).is("", "", 0);
    desk.run(&["starts", "a.epd"]).is(&lines(&[A, B]), "", 0);
    desk.run(&["-n", "2", "--turn", "b", "a.epd"]).is(&lines(&[B]), "", 0);
    desk.run(&["--setup", "ignore", "a.epd"]).is(&expected, "", 0);
    desk.run(&["--setup", "strict", "a.epd"]).is(&expected, "", 0);
    let none = "warning: no position of 3 games satisfies --no-start\n";
    desk.run(&["--no-start", "a.epd"]).is("", none, 0);
    desk.run(&["--variations", "a.epd"]).is(&expected, "", 0);
    desk.run(&["-C", "game,offset,line,ply,next_san,result,FEN,White", "a.epd"]).is(
        &format!(
            "game\toffset\tline\tply\tnext_san\tresult\tFEN\tWhite\n1\t12\t3\t0\t\t*\t{A}\t\n2\t47\t4\t0\t\t*\t{B}\t\n\
             3\t94\t6\t0\t\t*\t{START}\t\n"
        ),
        "warning: no game has the tag White; the games have FEN\n",
        0,
    );
}

#[test]
fn our_own_text_is_read_again() {
    let desk = Desk::with(&[(
        "a.pgn",
        b"[Result \"1-0\"]\n\n1. e4 {[%eval 0.3]} e5 {[%eval 0.2]} 2. Nf3 {[%eval 0.1]} 1-0\n",
    )]);
    let expected = desk.run(&["--no-start", "a.pgn"]).stdout;
    for format in ["fen", "epd", "uci", "bullet"] {
        let text = desk.run(&["--no-start", "-f", format, "a.pgn"]).stdout;
        desk.pipe(&[], text.as_bytes()).is(&expected, "", 0);
    }
    desk.pipe(&["starts", "-f", "fen"], expected.as_bytes()).is(&expected, "", 0);
}

#[test]
fn operations_tell_the_clocks() {
    let text = "4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 5; fmvn 39; bm e4; id \"a | b; c\";\n\
                4k3/8/8/8/8/8/4P3/4K3 w - - 3 7 ;D1 20 ;D2 400\n\
                4k3/8/8/8/8/8/4P3/4K3_w_-_-\n\
                4k3/8/8/8/8/8/4P3/4K3 w -\n";
    let desk = Desk::with(&[("a.epd", text.as_bytes())]);
    let fen = |clocks| format!("4k3/8/8/8/8/8/4P3/4K3 w - - {clocks}");
    let ran = desk.run(&["a.epd"]);
    assert_eq!(ran.stdout, lines(&[&fen("5 39"), &fen("3 7"), &fen("0 1"), &fen("0 1")]));
    let warnings = "a.epd:3:1: warning: repaired-fen: '_' stands for blanks\n\
                    a.epd:4:1: warning: repaired-fen: missing fields are taken as - - 0 1\n";
    assert_eq!((ran.stderr.as_str(), ran.code), (warnings, Some(0)));
}

#[test]
fn only_the_fields_that_are_missing_are_told() {
    let told = |fen: &str| {
        let game = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n*\n");
        let ran = Desk::with(&[]).pipe(&[], game.as_bytes());
        assert_eq!(ran.stdout.split(' ').nth(2), Some("K"), "{fen}");
        ran.stderr
    };
    let clocks = "a missing halfmove clock is taken as 0, a missing move number as 1";
    for fields in ["w K - 0", "w K -"] {
        let told = told(&format!("4k3/8/8/8/8/8/8/4K2R {fields}"));
        assert!(told.contains(clocks) && !told.contains("- - 0 1"), "{fields}: {told}");
    }
    assert_eq!(told("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), "");
}

#[test]
fn a_position_is_read_whatever_stands_around_it() {
    let desk = Desk::with(&[("a.epd", include_bytes!("../../fixtures/lists/written_by_hand.epd"))]);
    let ran = desk.run(&["-v", "-C", "line,fen", "--no-header", "a.epd"]);
    assert_eq!((ran.stdout.lines().count(), ran.code), (22, Some(1)), "{}", ran.stderr);
    assert!(!ran.stdout.contains(" 99"), "{}", ran.stdout);
    for number in (1..=18).chain([21, 22]) {
        assert!(ran.stdout.contains(&format!(" - - 0 {number}\n")), "{number}: {}", ran.stdout);
    }
    assert!(ran.stdout.contains("23\trnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2\n"));
    for message in [
        "a.epd:13:1: warning: repaired-fen: game 9: text around the position is ignored",
        "a.epd:17:1: warning: repaired-fen: game 13: text behind the FEN is ignored",
        "a.epd:21:53: warning: epd-operation: PV: e2e4 e8e7 in game 17: the colon behind the opcode is left out",
        "a.epd:34:17: bad-fen: game 23: the text before the board is no label; begin with the FEN",
        "a.epd:35:37: bad-fen: game 24: another board follows; give one position at a time (column 37)",
        "a.epd:36:30: bad-fen: game 25: e2e4: there is no black piece on e2",
        "a.epd:37:23: bad-fen: game 26: the side to move is 'x', not w or b (column 23)",
    ] {
        assert!(ran.stderr.lines().any(|line| line == message), "{message}\n{}", ran.stderr);
    }
    // In `games` and in an index, the positions are the same.
    let positions = desk.run(&["-q", "a.epd"]).stdout;
    let copied = desk.run(&["games", "-q", "a.epd"]).stdout;
    assert_eq!(desk.pipe(&["-q"], copied.as_bytes()).stdout, positions, "{copied}");
    let written = desk.run(&["games", "-q", "--san", "--on-error", "drop", "a.epd"]).stdout;
    assert_eq!(desk.pipe(&["-q"], written.as_bytes()).stdout, positions, "{written}");
    desk.run(&["index", "-q", "-o", "a.idx", "a.epd"]);
    let found = desk.run(&["find", "-f", "pgn", "a.idx", "startpos moves e2e4 e7e5"]).stdout;
    assert_eq!(found, "[SetUp \"1\"]\n[FEN \"startpos moves e2e4 e7e5\"]\n\n*\n");
}

#[test]
fn a_mate_suite_is_read_to_its_last_line() {
    let line = |n: usize| {
        let (mate, pv) = if n.is_multiple_of(2) { ("#2", " PV: e2e4 e8e7;") } else { ("#-3", "") };
        format!("4k3/8/8/8/8/8/4P3/4K3 w - - bm {mate};{pv}\n")
    };
    let text: String = (0..100).map(line).collect();
    let desk = Desk::with(&[("mates.epd", text.as_bytes())]);
    let message = "mates.epd:1:36: warning: epd-operation: PV: e2e4 e8e7: the colon behind the opcode is left out \
                   (50 games)\n";
    desk.run(&["mates.epd"]).is(&lines(&[A]).repeat(100), message, 0);
}

#[test]
fn tables_and_arrays_of_positions_are_lists_and_others_are_not() {
    let desk = Desk::with(&[
        ("a.csv", format!("FEN,Evaluation\n{A},-10\n{B},#+2\n").as_bytes()),
        ("b.tsv", format!("{A}\t0.35\te2e4\n{B}\t0.1\t\n").as_bytes()),
        ("c.json", format!("[\n  \"{A}\",\n  \"{B}\"\n]\n").as_bytes()),
        ("d.jsonl", format!("{{\"fen\":\"{A}\",\"cp\":1}}\n{{\"fen\":\"{B}\",\"cp\":2}}\n").as_bytes()),
        ("e.txt", format!("1) {A}\n2) {B}\n").as_bytes()),
        ("other.csv", format!("Id,Text,Moves\n00sHx,see {A},one\n").as_bytes()),
        ("prose.txt", format!("The position is {A}, which is drawn.\nNo more.\n").as_bytes()),
        ("games.txt", format!("From {A}:\n\n1. e4 Kd7 *\n").as_bytes()),
    ]);
    for list in ["a.csv", "b.tsv", "c.json", "d.jsonl", "e.txt"] {
        let ran = desk.run(&[list]);
        assert_eq!((ran.stdout.as_str(), ran.code), (lines(&[A, B]).as_str(), Some(0)), "{list}: {}", ran.stderr);
    }
    assert_eq!(desk.run(&["other.csv"]).code, Some(2));
    for text in ["prose.txt", "games.txt"] {
        assert!(!desk.run(&[text]).stdout.contains(A), "{text}");
    }
}

#[test]
fn a_board_without_a_side_to_move_is_read_in_a_tag_as_its_moves_say() {
    let board = "4k3/8/8/8/8/8/4P3/4K3";
    let desk = Desk::with(&[]);
    for (moves, turn) in [("*", "w"), ("1. e4 *", "w"), ("1... Kd7 *", "b"), ("{ note } 12... Kd7 *", "b")] {
        let ran = desk.pipe(&["-p", "0"], format!("[SetUp \"1\"]\n[FEN \"{board}\"]\n\n{moves}\n").as_bytes());
        assert_eq!(ran.stdout, format!("{board} {turn} - - 0 1\n"), "{moves}");
        assert!(ran.stderr.contains("repaired-fen") && ran.code == Some(0), "{moves}: {}", ran.stderr);
    }
}

#[test]
fn a_bad_line_is_one_error_with_its_place_and_touches_no_neighbour() {
    let text =
        lines(&[A, "# comment", "4k3/8/8/8/8/8/4P3/4K3 w - - x 1", "1. what is this", B, "[Event", "e4 e5 *", A]);
    let text = text.replace("1. what", "what");
    let desk = Desk::with(&[("a.epd", text.replace("[Event", "Event").as_bytes())]);
    let ran = desk.run(&["a.epd"]);
    assert_eq!((ran.stdout.as_str(), ran.code), (lines(&[A, B, A]).as_str(), Some(1)));
    let places: Vec<&str> = ran.stderr.lines().map(|line| line.split(": game").next().unwrap()).collect();
    assert_eq!(
        places,
        ["a.epd:3:29: bad-fen", "a.epd:4:1: bad-fen", "a.epd:6:1: bad-fen", "a.epd:7:1: bad-fen"],
        "{}",
        ran.stderr
    );
    desk.run(&["-q", "--on-error", "stop", "a.epd"]).is(&lines(&[A]), "", 1);
    let copied = desk.run(&["starts", "-q", "--kind", "invalid", "-f", "pgn", "a.epd"]).stdout;
    assert_eq!(copied.matches("[FEN ").count(), 4, "{copied}");
    assert_eq!(desk.pipe(&["-q"], copied.as_bytes()).code, Some(1));
    assert_eq!(
        desk.run(&["starts", "--kind", "invalid", "-C", "line", "--no-header", "-q", "a.epd"]).stdout,
        "3\n4\n6\n7\n"
    );
}

#[test]
fn games_behind_a_fen_are_games() {
    let desk = Desk::with(&[("a.pgn", format!("{A}\n[Event \"x\"]\n\n1. e4 *\n").as_bytes())]);
    let ran = desk.run(&["a.pgn"]);
    assert_eq!((ran.stdout.lines().count(), ran.code), (2, Some(0)), "{}", ran.stderr);
    assert!(ran.stderr.contains("skipped-text"), "{}", ran.stderr);
}

#[test]
fn a_list_is_copied_as_games_and_indexed_as_such() {
    let text = lines(&[START, A, "4k3/8/8/8/8/8/4P3/4K3 b - - id \"x\\\\y\";"]);
    let desk = Desk::with(&[("a.epd", text.as_bytes()), ("b.pgn", b"1. e4 *\n"), ("c.epd.gz", &gzip(B.as_bytes()))]);
    let copied = desk.run(&["starts", "-o", "copy.pgn", "a.epd", "b.pgn", "c.epd.gz"]);
    copied.is("", "", 0);
    let expected = desk.run(&["starts", "--all", "a.epd", "c.epd.gz"]).stdout;
    assert_eq!(expected.lines().count(), 3);
    assert_eq!(desk.run(&["-q", "copy.pgn"]).stdout, expected);
    let invert = desk.run(&["starts", "--invert", "-f", "pgn", "a.epd", "b.pgn"]).stdout;
    assert_eq!(invert, format!("[SetUp \"1\"]\n[FEN \"{START}\"]\n\n*\n\n1. e4 *\n"));

    desk.run(&["index", "-o", "a.idx", "a.epd", "b.pgn", "c.epd.gz"]).is("", "", 0);
    assert_eq!(
        desk.run(&["find", "-c", "--no-header", "a.idx", "startpos"]).stdout.split('\t').next_back(),
        Some("2\n")
    );
    for (fen, place) in [(A, "a.epd:2"), (B, "c.epd.gz:1")] {
        let found = desk.run(&["find", "--verify", "--no-header", "a.idx", fen]);
        assert!(found.stdout.starts_with(place) && found.code == Some(0), "{found:?}");
        let games = desk.run(&["find", "-f", "pgn", "a.idx", fen]).stdout;
        assert_eq!(games, format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n*\n"));
    }
}

#[test]
fn threads_blocks_and_pipes_change_nothing_in_a_list() {
    let text = all_positions();
    assert_eq!(Database::from(text.clone()).form(), Form::Positions);
    let expected = try_walk(&workers(1), whole(&text));
    assert!(expected.lines().len() > 3000 && expected.diagnostics.len() > 10);
    for threads in [1, 2, 3, 8] {
        for block in [100, 5_000, 64 * 1024] {
            let workers = workers(threads).with_cuts(Cuts::Likely(block));
            same(&try_walk(&workers, whole(&text)), &expected, &format!("{threads} threads, blocks of {block}"));
            same(
                &try_walk(&workers, stream(&text)),
                &expected,
                &format!("{threads} threads, stream, blocks of {block}"),
            );
        }
        let workers = workers(threads).with_cuts(Cuts::At((0..text.len() as u64).step_by(997).collect()));
        same(&try_walk(&workers, whole(&text)), &expected, "cuts anywhere");
        same(&try_walk(&workers, stream(&text)), &expected, "stream, cuts anywhere");
    }
}

#[test]
fn ranges_of_a_list_give_each_position_once() {
    let text = all_positions();
    let database = Database::from(text.clone());
    let expected = try_walk(&workers(1), whole(&text));
    let mut output = String::new();
    for start in (0..text.len() as u64).step_by(1009) {
        let range = database.clone().within(start..start + 1009);
        output += try_walk(&workers(2), Source::Whole(range)).text();
    }
    assert_eq!(output, expected.text());
    assert_eq!(database.games().count() as u64, expected.count().games);
    let desk = Desk::with(&[("a.epd", lines(&[A, B, START]).as_bytes())]);
    desk.run(&["--range", "1..40", "a.epd"]).is(&lines(&[B]), "", 0);
}

#[test]
fn a_list_of_one_endless_line_or_of_comments_is_read_in_linear_time() {
    for text in [format!("{A}\n{}", "x".repeat(2_000_000)), format!("{A}\n{}", "# comment\n\r\n".repeat(150_000))] {
        for source in [whole(text.as_bytes()), stream(text.as_bytes())] {
            let said = try_walk(&workers(2).with_cuts(Cuts::Likely(4000)), source);
            assert_eq!(said.text(), lines(&[A]));
        }
    }
}

#[test]
fn damage_leaves_out_the_line_that_it_cuts() {
    let packed = gzip(lines(&[A, B, START]).repeat(2000).as_bytes());
    let said = try_walk(&workers(2), stream(&packed[..packed.len() - 9]));
    assert!(said.error.is_some() && said.diagnostics.is_empty() && said.lines().len() > 1000);
    assert!(said.lines().iter().all(|line| [A, B, START].contains(line)));
}
