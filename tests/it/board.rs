//! `pgn2fen board` as its users meet it.

use std::fs;
use std::path::Path;

use expect_test::{Expect, expect};
use roxmltree::Document;

use crate::cli::{Desk, gzip};

const MATE: &str = "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7";

#[track_caller]
fn check(arguments: &[&str], expected: &Expect) {
    let ran = Desk::with(&[]).run(&[&["board"], arguments].concat());
    expected.assert_eq(&ran.stdout);
    assert_eq!((ran.stderr.as_str(), ran.code), ("", Some(0)));
}

#[test]
fn a_pipe_gets_svg_and_text_is_asked_for() {
    let desk = Desk::with(&[]);
    let svg = desk.run(&["board", "1. e4"]);
    assert_eq!((svg.stderr.as_str(), svg.code), ("", Some(0)));
    assert!(Document::parse(&svg.stdout).is_ok());
    assert_eq!(desk.run(&["board", "-f", "svg", "1. e4"]), svg);
    let text = desk.run(&["board", "--text", "1. e4"]);
    assert_eq!(desk.run(&["board", "-f", "text", "1. e4"]), text);
    check(
        &["-f", "ascii", "--orientation", "turn", "1. e4"],
        &expect![[r#"
            1  R  N  B  K  Q  B  N  R
            2  P  P  P [.] P  P  P  P
            3  .  .  .  .  .  .  .  .
            4  .  .  . [P] .  .  .  .
            5  .  .  .  .  .  .  .  .
            6  .  .  .  .  .  .  .  .
            7  p  p  p  p  p  p  p  p
            8  r  n  b  k  q  b  n  r
               h  g  f  e  d  c  b  a
        "#]],
    );
}

#[test]
fn a_position_is_typed_with_quotes_or_without_or_read() {
    let desk = Desk::with(&[]);
    let expected = desk.run(&["board", "1. e4 c5"]);
    assert_eq!(desk.run(&["board", "1.", "e4", "c5"]), expected);
    assert_eq!(desk.pipe(&["board"], b"1. e4\nc5\n"), expected);
    assert_eq!(desk.pipe(&["board", "-"], b"1. e4 c5"), expected);
    assert_eq!(desk.run(&["board", "--lang", "de", "e4 Sf6"]).stdout, desk.run(&["board", "e4 Nf6"]).stdout);
    let fen = ["8/8/8/4k3/8/4K3/4P3/8", "w", "-", "-", "0", "1"];
    assert_eq!(desk.run(&[&["board"], &fen[..]].concat()), desk.run(&["board", &fen.join(" ")]));
    let chess960 =
        desk.run(&["board", "-f", "fen", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"]);
    chess960.is("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9\n", "", 0);
    let ran = desk.run(&["board", "-f", "fen", "4k3/8/8/8/8/8/8/4K3 w KQ - 0 1"]);
    assert!(ran.code == Some(0) && ran.stderr.starts_with("warning: "), "{ran:?}");
}

#[test]
fn a_diagram_that_is_no_legal_position_is_drawn_in_every_format() {
    let desk = Desk::with(&[]);
    let told = |fault: &str| format!("warning: this is no legal position: {fault}\n");
    for (fen, fault) in [
        ("8/8/8/4k3/8/8/8/8 w - - 0 1", "white has no king"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "white has no king"),
        ("3KK3/8/8/4k3/8/8/8/8 w - - 0 1", "white has more than one king"),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "white pawn on h8"),
        ("4k3/8/8/8/8/8/8/4K2r b - - 0 1", "the side not to move (white) is in check"),
        ("nnnnnnnn/n7/pppppppp/p7/8/8/8/8 b - - 0 1", "white has no king"),
    ] {
        desk.run(&["board", "-f", "fen", fen]).is(&format!("{fen}\n"), &told(fault), 0);
        for format in ["svg", "png", "text", "ascii", "html", "markdown", "latex", "bbcode"] {
            let file = format!("{format}.out");
            let ran = desk.run(&["board", "-f", format, "-o", &file, fen]);
            assert_eq!((ran.stderr.as_str(), ran.code), (told(fault).as_str(), Some(0)), "{format}");
        }
        let svg = desk.run(&["board", "-f", "svg", fen]).stdout;
        assert!(Document::parse(&svg).is_ok());
    }
    let alone = desk.run(&["board", "--text", "8/8/8/4k3/8/8/8/8"]);
    assert_eq!(alone.stdout, desk.run(&["board", "--text", "8/8/8/4k3/8/8/8/8 w - - 0 1"]).stdout);
    assert!(
        alone.stderr.contains("white has no king; the side to move is missing") && alone.code == Some(0),
        "{alone:?}"
    );
    assert_eq!(alone, desk.run(&["board", "--text", "[FEN \"8/8/8/4k3/8/8/8/8\"]"]));
    assert_eq!(desk.run(&["board", "--text", "\"8/8/8/4k3/8/8/8/8\""]).stdout, alone.stdout);
}

#[test]
fn the_last_move_is_shown_unless_it_is_not_wished() {
    let desk = Desk::with(&[]);
    let svg = |arguments: &[&str]| desk.run(&[&["board"], arguments].concat()).stdout;
    let told = |svg: &str| svg.split_once("Last move: ").map(|(_, rest)| rest[..8].to_owned());
    assert_eq!(told(&svg(&["1. e4 c5"])).as_deref(), Some("c7 to c5"));
    assert_eq!(told(&svg(&["1. e4 c5", "--no-last-move"])), None);
    assert_eq!(told(&svg(&["1. e4 c5", "--last-move", "e2e4"])).as_deref(), Some("e2 to e4"));
    assert_eq!(told(&svg(&["startpos", "--last-move", "a7b8q"])).as_deref(), Some("a7 to b8"));
    assert_eq!(told(&svg(&["startpos"])), None);
    // The king goes to g1, wherever the rook was.
    assert_eq!(told(&svg(&["4k3/8/8/8/8/8/8/5KR1 w G - moves f1g1"])).as_deref(), Some("f1 to g1"));
}

#[test]
fn every_option_changes_the_picture() {
    let desk = Desk::with(&[]);
    let svg = |options: &[&str]| {
        let ran = desk.run(&[&["board", MATE], options].concat());
        assert_eq!((ran.stderr.as_str(), ran.code), ("", Some(0)), "{options:?}");
        Document::parse(&ran.stdout).unwrap();
        ran.stdout
    };
    let options: [&[&str]; 19] = [
        &[],
        &["--orientation", "black"],
        &["--last-move", "e2e4"],
        &["--no-last-move"],
        &["--no-check"],
        &["--arrow", "c4f7"],
        &["--arrow", "c4f7:red"],
        &["--arrow", "c4f7", "--arrow", "e8e7:blue"],
        &["--arrow", "e8"],
        &["--fill", "e8"],
        &["--fill", "e8:red,d8"],
        &["--mark", "e7"],
        &["--mark", "e7,d8"],
        &["--size", "100"],
        &["--no-coordinates"],
        &["--show-turn"],
        &["--colors", "gray"],
        &["--colors", "gray,light=#eee"],
        &["--colors", "light=#eee"],
    ];
    let mut drawn: Vec<String> = options.iter().map(|options| svg(options)).collect();
    drawn.sort();
    drawn.dedup();
    assert_eq!(drawn.len(), options.len());
    assert_eq!(svg(&["--arrow", "c4f7,e8:red"]), svg(&["--arrow", "c4f7", "--arrow", "e8:red"]));
    assert_eq!(svg(&["--orientation", "turn"]), svg(&["--orientation", "black"]));
    assert_eq!(svg(&["--colors", "brown", "--orientation", "white"]), svg(&[]));
}

#[test]
fn the_ending_chooses_the_format() {
    let desk = Desk::with(&[]);
    for (name, format) in [
        ("a.svg", "svg"),
        ("A.TXT", "text"),
        ("a.html", "html"),
        ("a.md", "markdown"),
        ("a.tex", "latex"),
        ("a.fen", "fen"),
        ("a.svg.gz", "svg"),
    ] {
        desk.run(&["board", "e4", "-o", name]).is("", "", 0);
        let mut expected = desk.run(&["board", "e4", "-f", format]).stdout.into_bytes();
        let is_compressed = name.ends_with(".gz");
        if is_compressed {
            assert!(desk.read(name).starts_with(&gzip(b"")[..2]));
            expected.clear();
        }
        assert!(is_compressed || desk.read(name) == expected, "{name}");
    }
    desk.run(&["board", "e4", "-f", "ascii", "-o", "letters"]).is("", "", 0);
    assert!(desk.read("letters").starts_with(b"8  r  n "));
    desk.run(&["board", "e4", "--size", "64", "-o", "a.png"]).is("", "", 0);
    let png = desk.read("a.png");
    assert_eq!((&png[1..4], &png[16..24]), (&b"PNG"[..], &[0, 0, 0, 64, 0, 0, 0, 64][..]));
    assert_eq!(desk.command(&["board", "e4", "--size", "64", "-f", "png"]).output().unwrap().stdout, png);
}

#[test]
fn colours_are_written_where_they_are_wished() {
    let desk = Desk::with(&[]);
    let plain = desk.run(&["board", "--text", "e4"]).stdout;
    let colored = desk.run(&["board", "--text", "e4", "--color", "always"]).stdout;
    assert!(!plain.contains('\u{1b}') && colored.contains("\u{1b}[38;5;16;48;5;"));
    desk.run(&["board", "e4", "-o", "plain.txt"]).is("", "", 0);
    desk.run(&["board", "e4", "-o", "colored.txt", "--color", "always"]).is("", "", 0);
    assert_eq!((desk.read("plain.txt"), desk.read("colored.txt")), (plain.into_bytes(), colored.into_bytes()));
}

#[track_caller]
fn check_refused(arguments: &[&str], expected: &str) {
    let desk = Desk::with(&[]);
    let ran = desk.run(&[&["board"], arguments].concat());
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    assert_eq!((ran.stdout.as_str(), ran.code, desk.files()), ("", Some(2), Vec::new()));
}

#[test]
fn what_is_mistyped_is_named() {
    check_refused(&["e4", "Ke6"], "cannot reach e6\n    e4 Ke6\n       ^^^");
    check_refused(&["8/8/8/8/8/8/8/8/8 w - - 0 1"], "there are 9 ranks, not 8");
    check_refused(&["9/8/8/8/8/8/8/8 w - - 0 1"], "'9' is not a piece");
    check_refused(&["8/8/8/4k3/8/8/8/8 w - - moves e5e4"], "has no king");
    check_refused(&[""], "not a position; give a FEN, startpos, or moves");
    check_refused(&[], "not a position; give a FEN, startpos, or moves");
    check_refused(
        &["e4", "--arrow", "e2e9"],
        "'e2e9' for '--arrow <ARROWS>': \"e2e9\" is not an arrow; give two squares",
    );
    check_refused(&["e4", "--arrow", "e2e4:pink"], "\"pink\" is not a colour; give green, red, yellow, blue");
    check_refused(&["e4", "--fill", "e4:pink"], "\"pink\" is not a colour");
    check_refused(&["e4", "--fill", "e"], "give a square, such as e4, or one with its colour");
    check_refused(&["e4", "--mark", "e4,"], "give a square, such as e4");
    check_refused(&["e4", "--last-move", "Nf3"], "give the squares of a move, such as e2e4");
    check_refused(&["e4", "--last-move", "0000"], "give the squares of a move, such as e2e4");
    check_refused(&["e4", "--colors", "pink"], "\"pink\" is not a set of colours; give brown, green, blue or gray");
    check_refused(&["e4", "--size", "0"], "0 is not in 1..=4096");
    check_refused(&["e4", "--size", "5000"], "5000 is not in 1..=4096");
    check_refused(&["e4", "--orientation", "up"], "[possible values: white, black, turn]");
}

#[test]
fn what_a_format_cannot_express_is_refused() {
    check_refused(&["e4", "--text", "--arrow", "e2e4"], "--arrow needs a picture, and the format is text");
    check_refused(&["e4", "-f", "ascii", "--fill", "e4"], "--fill needs a picture, and the format is ascii");
    check_refused(&["e4", "-o", "a.tex", "--mark", "e4"], "--mark needs a picture, and the format is latex");
    check_refused(&["e4", "-o", "a.txt", "--size", "9"], "--size needs a picture, and the format is text");
    check_refused(&["e4", "-f", "latex", "--last-move", "e2e4"], "--last-move has no effect on the format latex");
    check_refused(&["e4", "-f", "fen", "--no-last-move"], "--no-last-move has no effect on the format fen");
    check_refused(&["e4", "-f", "bbcode", "--no-check"], "--no-check has no effect on the format bbcode");
    check_refused(&["e4", "-f", "latex", "--colors", "gray"], "--colors has no effect on the format latex");
    check_refused(&["e4", "-f", "fen", "--orientation", "black"], "--orientation has no effect on the format fen");
    check_refused(&["e4", "-f", "fen", "--no-coordinates"], "--no-coordinates has no effect on the format fen");
    check_refused(&["e4", "--text", "-f", "svg"], "cannot be used with");
    check_refused(&["e4", "--last-move", "e2e4", "--no-last-move"], "cannot be used with");
}

#[test]
fn endings_that_say_something_else_are_refused() {
    check_refused(
        &["e4", "-o", "a.jpg"],
        "a.jpg has the ending of a picture, which cannot be written here; use .svg, .png,",
    );
    check_refused(&["e4", "-o", "a.json"], "a.json has the ending of a JSON document");
    check_refused(&["e4", "-o", "a.board"], "the ending of a.board names no format of boards; use .svg, .png,");
    check_refused(&["e4", "-f", "svg", "-o", "a.png"], "the format is svg, but a.png has the ending of png");
    check_refused(&["e4", "-f", "png", "-o", "a.svg"], "the format is png, but a.svg has the ending of svg");
    check_refused(&["e4", "-o", "a.png.gz"], "PNG pictures have compression of their own");
    check_refused(&["e4", "-o", "no/such/folder/a.svg"], "no/such/folder/a.svg");
}

#[test]
fn the_figure_of_the_guide_is_what_its_command_draws() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/figures/mate.svg");
    let drawn = Desk::with(&[]).run(&["board", MATE, "--arrow", "c4f7", "--mark", "e7"]).stdout;
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, &drawn).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), drawn, "UPDATE_EXPECT=1 draws it again");
}
