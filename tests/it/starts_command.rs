//! `pgn2fen starts` as its users meet it.

use crate::cli::Desk;

const MIXED: &[u8] = include_bytes!("../../fixtures/starts/mixed.pgn");
const STUDY: &str = "8/8/1KP5/3r4/8/8/8/k7 w - - 0 1\n";
const SHUFFLED: &str = "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w KQkq - 0 1\n";
const PAWN: &str = "rnbqkbnr/ppppp1pp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";

#[test]
fn a_bad_fen_tag_is_told() {
    let desk = Desk::with(&[("mixed.pgn", MIXED)]);
    let bad = "mixed.pgn:53:1: bad-fen: game 7: there are 7 ranks, not 8 (column 1)\n";
    desk.run(&["starts", "mixed.pgn"]).is(&format!("{STUDY}{SHUFFLED}{PAWN}"), bad, 1);
    desk.run(&["starts", "-q", "-n", "1", "mixed.pgn"]).is(STUDY, "", 0);
    desk.run(&["starts", "-t", "Event~again", "mixed.pgn"]).is("8/8/1KP5/3r4/8/8/8/k7 w - - 3 60\n", "", 0);
    desk.pipe(&["starts", "--kind", "odds"], MIXED).is(PAWN, &bad.replace("mixed.pgn", "-"), 1);
    let ran = desk.run(&["starts", "-v", "-q", "mixed.pgn"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    let ran = desk.run(&["starts", "-v", "mixed.pgn"]);
    assert!(ran.stderr.contains("summary: 4 of 7 games, 3 starts, 1 error, "), "{}", ran.stderr);
}

#[test]
fn each_format_says_the_same_of_starts() {
    let desk = Desk::with(&[("mixed.pgn", MIXED)]);
    let run = |arguments: &[&str]| desk.run(&[&["starts", "-q", "mixed.pgn"], arguments].concat()).stdout;
    assert_eq!(
        run(&["-f", "csv"]),
        "count,kind,sp,fen,file,line,offset,game,odds\n\
         2,position,,8/8/1KP5/3r4/8/8/8/k7 w - - 0 1,mixed.pgn,11,321,2,\n\
         1,chess960,1,bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w KQkq - 0 1,mixed.pgn,21,581,3,\n\
         1,odds,,rnbqkbnr/ppppp1pp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1,mixed.pgn,36,843,5,Black: pawn and move\n"
    );
    assert_eq!(run(&["-C", "kind,Event", "--no-header", "-n1"]), "position\tA study\n");
    assert_eq!(run(&["-f", "jsonl", "-C", "count,sp,odds", "-n1"]), "{\"count\":1,\"sp\":null,\"odds\":null}\n");
    assert_eq!(run(&["-f", "uci", "-n1"]), format!("position fen {STUDY}"));
    assert_eq!(
        run(&["-f", "epd", "-C", "count,kind", "--fields", "4", "--kind", "odds,position"]),
        "8/8/1KP5/3r4/8/8/8/k7 w - - c0 \"2\"; c1 \"position\";\n\
         rnbqkbnr/ppppp1pp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - c0 \"1\"; c1 \"odds\";\n"
    );
    assert_eq!(run(&["--castling", "shredder", "--kind", "chess960"]), SHUFFLED.replace("KQkq", "HFhf"));
    let listed = run(&["--all"]);
    assert_eq!(listed, format!("{STUDY}{SHUFFLED}{}{PAWN}", STUDY.replace("0 1", "3 60")));
    assert_eq!(run(&["--all", "--invert", "-f", "pgn", "--kind", "invalid"]).matches("[Event").count(), 6);
    for (name, begins) in [("a.parquet", &b"PAR1"[..]), ("a.arrow", &[0xFF; 4]), ("a.pgn", b"[Event \"A study\"]")] {
        run(&["-o", name]);
        assert!(desk.read(name).starts_with(begins), "{name}");
    }
}

#[test]
fn what_does_not_go_together_is_refused() {
    let desk = Desk::with(&[("mixed.pgn", MIXED)]);
    for (arguments, words) in [
        (&["--invert"][..], "needs -f pgn"),
        (&["--exact", "-f", "pgn"], "-f pgn, which copies every game"),
        (&["--exact", "--all"], "cannot be used with"),
        (&["-C", "fen", "-f", "pgn"], "no columns"),
        (&["--no-header", "-o", "a.pgn"], "no header"),
        (&["--no-header"], "no header"),
        (&["--kind", "invalid"], "has no FEN; use"),
        (&["--kind", "invalid", "-f", "epd"], "has no FEN; use"),
        (&["--kind", "standard"], "[possible values: chess960, dfrc, odds, position, invalid]"),
        (&["-f", "bullet"], "[possible values: fen, epd, tsv, csv, jsonl, uci, html, arrow, parquet, pgn, svg, png]"),
        (&["-C", "ply"], "there is no column ply"),
        (&["-f", "csv", "-o", "a.parquet"], "leave one of them out"),
        (&["-o", "mixed.pgn"], "is both input and output"),
    ] {
        let ran = desk.run(&[&["starts", "mixed.pgn"], arguments].concat());
        assert!(
            ran.code == Some(2) && ran.stderr.contains(words) && ran.stdout.is_empty(),
            "{arguments:?}: {}",
            ran.stderr
        );
    }
}

#[test]
fn rows_of_several_files_are_counted_through_all() {
    let desk = Desk::with(&[
        ("a.pgn", MIXED),
        ("b.pgn", b"[FEN \"8/8/1KP5/3r4/8/8/8/k7 w - - 0 1\"] *\n[FEN \"4k3/8/8/8/8/8/8/4K3 w\"] *"),
    ]);
    let expected = "count,file,game\n3,a.pgn,2\n1,a.pgn,3\n1,a.pgn,5\n1,b.pgn,2\n";
    for threads in ["-j1", "-j3"] {
        let ran = desk.run(&["starts", "-q", threads, "-f", "csv", "-C", "count,file,game", "a.pgn", "b.pgn"]);
        assert_eq!(ran.stdout, expected);
    }
    let kept =
        desk.run(&["starts", "-q", "-f", "csv", "-C", "kind,FEN,count", "--kind", "invalid", "a.pgn", "a.pgn"]).stdout;
    let row = "invalid,8/8/1KP5/3r4/8/8/k7 w - - 0 1,1\n";
    assert_eq!(kept, format!("kind,FEN,count\n{row}{row}"));
}
