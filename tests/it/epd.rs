//! EPD operations: they are tags and columns of the lines of a list, are written again as EPD and as PGN, and one that
//! cannot be read costs nothing but itself.

use std::fmt::Write;

use crate::cli::Desk;

const SUITE: &[u8] = include_bytes!("../../fixtures/lists/test_suite.epd");
const KINGS: &str = "4k3/8/8/8/8/8/4P3/4K3";

#[test]
fn operations_are_columns_with_types() {
    let desk = Desk::with(&[("a.epd", SUITE)]);
    let rows =
        desk.run(&["-q", "-f", "jsonl", "-n", "2", "-C", "id,bm,am,acd,acn,nodes,ce,eval,depth,pv,hmvc", "a.epd"]);
    assert_eq!(
        rows.stdout,
        "{\"id\":\"mate in one\",\"bm\":\"Qxf7#\",\"am\":null,\"acd\":12,\"acn\":null,\"nodes\":null,\"ce\":31999,\
         \"eval\":31999,\"depth\":12,\"pv\":null,\"hmvc\":null}\n\
         {\"id\":\"quiet; e.g. Nf6\",\"bm\":null,\"am\":\"Qf6 Qe7\",\"acd\":24,\"acn\":\"1234567\",\"nodes\":1234567,\
         \"ce\":-25,\"eval\":25,\"depth\":24,\"pv\":\"Nf6 d3\",\"hmvc\":5}\n"
    );
    let tags = desk.run(&["-q", "-f", "jsonl", "-p", "0", "-t", "acd>=20", "-C", "tags,result", "a.epd"]).stdout;
    assert!(tags.contains("\"am\":\"Qf6 Qe7\",\"ce\":\"-25\",\"acd\":\"24\"") && tags.lines().count() == 1, "{tags}");
    let results = desk.run(&["-q", "--no-header", "-C", "result,c1", "-t", "c1~draw", "a.epd"]).stdout;
    assert_eq!(results, "1/2-1/2\tis a draw\n");
    let header = |columns: &str| {
        let rows = desk.run(&["-q", "-f", "csv", "-C", columns, "a.epd"]);
        rows.stdout.lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(header("?m,P*,c*"), "bm,am,PV,cp_loss,clk,comment,ce,c0,c1,c9");
    assert_eq!(header("game,ply,id"), "game,ply,id");
    assert!(!desk.run(&["-q", "--max-eval", "30", "-C", "id", "--no-header", "a.epd"]).stdout.contains("mate in one"));
    // The lines of standard input are not known before they are read.
    assert_eq!(desk.pipe(&["-q", "-n", "2", "-C", "id,bm", "--no-header"], SUITE).stdout, "1\tQxf7#\n2\t\n");
}

#[test]
fn in_games_an_id_is_the_number_of_the_game_whatever_their_tags() {
    let desk = Desk::with(&[("a.pgn", b"[Event \"x\"]\n[id \"mine\"]\n\n1. e4 *\n"), ("b.epd", SUITE)]);
    assert_eq!(desk.run(&["-q", "-p", "1", "-C", "id,bm", "--no-header", "a.pgn"]).stdout, "1\t\n");
    let misspelled = desk.run(&["-C", "bme", "b.epd"]);
    assert_eq!(misspelled.code, Some(2));
    assert!(misspelled.stderr.contains("there is no column bme"), "{}", misspelled.stderr);
}

#[test]
fn an_operation_that_cannot_be_read_is_a_warning_and_the_position_stays() {
    let line = |rest: &str| format!("{KINGS} w - - {rest}\n");
    let text = [
        line("bm e4; Duals(4); id \"a\";"),
        line("bm e4; 00:03+ @ C20/R0;"),
        line("id \"never; bm e4;"),
        line("bm e4; bm Kd2;"),
        line("PV: e2e4; c0 \"x\";"),
        line("bm e4"),
        line("bm e4; ; foo;"),
    ];
    let desk = Desk::with(&[("a.epd", text.concat().as_bytes())]);
    let ran = desk.run(&["-v", "-f", "epd", "--fields", "4", "a.epd"]);
    let expected = [
        line("bm e4; id \"a\";"),
        line("bm e4;"),
        line("id \"never\"; bm e4;"),
        line("bm Kd2;"),
        line("PV e2e4; c0 \"x\";"),
        line("bm e4;"),
        line("bm e4; foo;"),
    ];
    let warnings = "\
        a.epd:1:36: warning: epd-operation: Duals(4) in game 1: this is not an EPD operation and was skipped\n\
        a.epd:2:36: warning: epd-operation: 00:03+ @ C20/R0 in game 2: this is not an EPD operation and was skipped\n\
        a.epd:3:29: warning: epd-operation: id \"never in game 3: a quote is not closed; the operation ends at the \
        semicolon\n\
        a.epd:4:36: warning: epd-operation: bm Kd2 in game 4: the operation is given twice; the last one counts\n\
        a.epd:5:29: warning: epd-operation: PV: e2e4 in game 5: the colon behind the opcode is left out\n\
        a.epd:6:29: warning: epd-operation: bm e4 in game 6: there is no semicolon behind the operation\n";
    assert_eq!((ran.stdout, ran.code), (expected.concat(), Some(0)));
    assert_eq!(ran.stderr.split("summary").next(), Some(warnings));
    // No policy for FEN tags loses a position for it.
    for policy in ["strict", "ignore"] {
        assert_eq!(desk.run(&["-q", "--setup", policy, "a.epd"]).stdout.lines().count(), text.len(), "{policy}");
    }
}

#[test]
fn epd_is_written_again_with_the_columns_that_are_new() {
    let line = format!("{KINGS} b - - bm Kd7; ce 30; c0 \"mine\"; c9 \"0-1\"; id \"a \\\"b\\\"\";");
    let desk = Desk::with(&[("a.epd", format!("{line}\n").as_bytes())]);
    desk.run(&["-f", "epd", "--fields", "4", "a.epd"]).is(&format!("{line}\n"), "", 0);
    let with = |columns: &str| desk.run(&["-q", "-f", "epd", "--fields", "4", "-C", columns, "a.epd"]).stdout;
    assert_eq!(with("bm,id,eval,result,fen"), format!("{line}\n"));
    assert_eq!(with("turn,line"), format!("{line} c1 \"b\"; c2 \"1\";\n"));
    assert_eq!(with("depth"), format!("{line}\n"));
    let starts = desk.run(&["starts", "-f", "epd", "--fields", "4", "a.epd"]).stdout;
    assert_eq!(starts, format!("{line}\n"));
    // Games have no operations, and their columns are written as before.
    let desk = Desk::with(&[("a.pgn", b"[White \"A\"]\n[Result \"1-0\"]\n[bm \"Nf3\"]\n\n1. e4 1-0\n")]);
    let rows =
        desk.run(&["-q", "-p", "0", "-f", "epd", "--fields", "4", "-C", "White,result,bm,next_san", "a.pgn"]).stdout;
    assert!(rows.ends_with(" w KQkq - c0 \"A\"; c9 \"1-0\"; bm Nf3; sm e4;\n"), "{rows}");
}

#[test]
fn a_line_that_has_all_comments_keeps_them() {
    let comments: String = (0..10).fold(String::new(), |mut text, number| {
        write!(text, " c{number} \"{number}\";").unwrap();
        text
    });
    let line = format!("{KINGS} w - -{comments}\n");
    let desk = Desk::with(&[("a.epd", line.as_bytes())]);
    desk.run(&["-f", "epd", "--fields", "4", "-C", "turn,result", "a.epd"]).is(&line, "", 0);
}

#[test]
fn copies_as_pgn_keep_operations_as_tags_and_the_position() {
    let desk = Desk::with(&[("a.epd", SUITE)]);
    let expected = desk.run(&["-q", "a.epd"]).stdout;
    assert_eq!(expected.lines().count(), 6);
    for arguments in [&["games", "-q", "a.epd"][..], &["games", "-q", "--san", "a.epd"]] {
        let copies = desk.run(arguments).stdout;
        let ran = desk.pipe(&[], copies.as_bytes());
        ran.is(&expected, "", 0);
        let columns = |text: &[u8]| desk.pipe(&["-q", "-p", "0", "-C", "bm,am,c0,acd,pv"], text).stdout;
        assert_eq!(columns(copies.as_bytes()), columns(SUITE));
    }
    let copies = desk.run(&["games", "-q", "a.epd"]).stdout;
    assert!(copies.contains("[bm \"#1\"]\n\n; Duals(2); 00:03\n*\n"), "{copies}");
    assert!(copies.contains("[id \"stalemate \\\"or\\\" not\"]\n"), "{copies}");
}

#[test]
fn a_line_of_very_many_operations_is_read_in_linear_time_and_told() {
    for (text, count) in [("x y; ", 400_000), ("\"a ", 400_000), ("\\\" \"", 300_000), ("n \"\\\"; ", 200_000)] {
        let line = format!("{KINGS} w - - bm e4; {}\n", text.repeat(count));
        let desk = Desk::with(&[("a.epd", line.as_bytes())]);
        let ran = desk.run(&["-C", "fen", "--no-header", "--max-messages", "3", "a.epd"]);
        assert_eq!(ran.stdout, format!("{KINGS} w - - 0 1\n"));
        assert!(ran.stderr.contains("epd-operation"), "{}", ran.stderr);
    }
}

#[test]
fn operations_of_a_line_with_a_label_are_read() {
    let line = format!("1. {KINGS} w - - bm e4; id \"a\";\nposition fen {KINGS} w - - bm e4; id \"a\";\n");
    let desk = Desk::with(&[("a.epd", line.as_bytes())]);
    assert_eq!(desk.run(&["-q", "-C", "bm,id", "--no-header", "a.epd"]).stdout, "e4\ta\n".repeat(2));
}
