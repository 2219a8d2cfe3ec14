//! Games of variants: random legal games that python-chess has played, with the FEN of each position, and the jobs that
//! refuse such games because their output cannot hold them.

use std::fs;
use std::path::Path;

use crate::cli::Desk;

const GAMES: [&str; 9] = [
    "antichess",
    "atomic",
    "crazyhouse",
    "giveaway",
    "horde",
    "king_of_the_hill",
    "racing_kings",
    "suicide",
    "three_check",
];

fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/variants").join(name);
    fs::read_to_string(path).unwrap()
}

#[track_caller]
fn desk_with(name: &str) -> Desk {
    Desk::with(&[("games.pgn", fixture(&format!("{name}.pgn")).as_bytes())])
}

#[test]
fn every_position_is_that_of_another_program() {
    for name in GAMES {
        let desk = desk_with(name);
        desk.run(&["games.pgn"]).is(&fixture(&format!("{name}.fen")), "", 0);
        desk.run(&["check", "-q", "games.pgn"]).is("", "", 0);
    }
}

/// The moves and results of a PGN, without line breaks.
fn movetexts(pgn: &str) -> Vec<String> {
    let lines = pgn.lines().filter(|line| !line.starts_with('['));
    lines.collect::<Vec<_>>().join(" ").split_whitespace().map(str::to_owned).collect()
}

#[test]
fn moves_are_written_anew_as_another_program_writes_them() {
    for name in GAMES {
        let desk = desk_with(name);
        let written = desk.run(&["games", "--san", "games.pgn", "-o", "anew.pgn"]);
        assert_eq!(written.code, Some(0), "{name}: {}", written.stderr);
        let anew = String::from_utf8(desk.read("anew.pgn")).unwrap();
        assert_eq!(movetexts(&anew), movetexts(&fixture(&format!("{name}.pgn"))), "{name}");
        desk.run(&["anew.pgn"]).is(&fixture(&format!("{name}.fen")), "", 0);
    }
}

#[test]
fn a_move_after_the_end_is_an_error_with_the_reason() {
    for (text, reason) in [
        (
            "[Variant \"King of the Hill\"] [FEN \"k7/8/8/8/8/3K4/8/8 w - - 0 1\"] 1. Kd4 Ka7 *",
            "the game is over: the white king is in the centre",
        ),
        ("[Variant \"Atomic\"] 1. Nf3 a6 2. Ng5 b6 3. Nxf7 h6 *", "the game is over: a king has exploded"),
        (
            "[Variant \"Three-check\"] 1. e4 f6 2. Qh5+ g6 3. Qxg6+ hxg6 4. Bc4 a6 5. Bf7+ Kxf7 *",
            "the game is over: white has given the last check",
        ),
        (
            "[Variant \"Racing Kings\"] [FEN \"8/K7/8/8/8/8/8/k6q w - - 0 1\"] 1. Kb8 Qh2 *",
            "the game is over: the white king has reached the eighth rank",
        ),
        (
            "[Variant \"Antichess\"] [FEN \"8/8/8/8/8/8/1p6/R7 b - - 0 1\"] 1... bxa1=K 2. Ra2 *",
            "the game is over: white has no men left",
        ),
        (
            "[Variant \"Horde\"] [FEN \"4k3/8/8/8/8/8/4q3/5P2 b - - 0 1\"] 1... Qxf1 2. e4 *",
            "the game is over: white has no men left",
        ),
    ] {
        let ran = Desk::with(&[]).pipe(&["check"], text.as_bytes());
        assert!(ran.stdout.contains(reason) && ran.stdout.contains("illegal-move"), "{reason}: {}", ran.stdout);
    }
}

#[test]
fn what_a_variant_forbids_is_told() {
    for (text, reason) in [
        ("[Variant \"Antichess\"] 1. e4 d5 2. Nf3 *", "a capture is possible, and captures are compulsory"),
        (
            "[Variant \"Atomic\"] [FEN \"4k3/8/8/8/8/8/3p4/4K2R w - - 0 1\"] 1. Kxd2 *",
            "the capture would explode the own king",
        ),
        ("[Variant \"Racing Kings\"] [FEN \"8/8/8/8/8/k7/8/1K5R w - - 0 1\"] 1. Rh3 *", "no move may give check"),
        ("[Variant \"Crazyhouse\"] 1. e4 e5 2. N@f3 *", "white has no knight in hand"),
        ("[Variant \"Crazyhouse\"] 1. e4 d5 2. exd5 Qxd5 3. @d1 *", "the white queen on d1 is in the way"),
        ("1. e4 d5 2. exd5 Qxd5 3. @e4 *", "a drop belongs to Crazyhouse, not to chess"),
        ("[Variant \"Atomic\"] 1. e4 d5 2. @e5 *", "a drop belongs to Crazyhouse, not to atomic"),
    ] {
        let ran = Desk::with(&[]).pipe(&["check"], text.as_bytes());
        assert!(ran.stdout.contains(reason), "{text}: {}", ran.stdout);
    }
}

#[test]
fn variations_of_variants_are_played() {
    let text = b"[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 (2... e6 3. dxe6 Bxe6 4. @d3) 3. @d4 *\n";
    let ran = Desk::with(&[]).pipe(&["--variations", "-C", "variation,variant,san,uci,hand"], text);
    let rows: Vec<&str> = ran.stdout.lines().skip(1).collect();
    assert_eq!(rows.len(), 10, "{}\n{}", ran.stdout, ran.stderr);
    for row in ["0\tcrazyhouse\tQxd5\td8d5\tPp", "1\tcrazyhouse\t@d3\tP@d3\tPp", "0\tcrazyhouse\t@d4\tP@d4\tp"] {
        assert!(rows.contains(&row), "{row}: {}", ran.stdout);
    }
}

#[test]
fn rows_name_the_variant_in_every_format() {
    let games = "[Variant \"Chess960\"]\n[FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1\"]\n\n*\n\n\
                 1. e4 *\n\n[Variant \"Three-check\"]\n\n1. e4 *\n";
    let desk = Desk::with(&[("games.pgn", games.as_bytes())]);
    let ran = desk.run(&["-q", "-C", "game,ply,variant,fen", "--no-header", "games.pgn"]);
    let names: Vec<&str> = ran.stdout.lines().map(|line| line.split('\t').nth(2).unwrap()).collect();
    assert_eq!(names, ["chess960", "standard", "standard", "threeCheck", "threeCheck"]);
    assert!(ran.stdout.ends_with("\trnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 3+3 0 1\n"));
}

#[test]
fn a_start_is_odd_for_its_own_rules() {
    let horde = "[Variant \"Horde\"]\n\n1. g6 *\n\n";
    let race = "[Variant \"Racing Kings\"]\n[SetUp \"1\"]\n[FEN \"8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1\"]\n\n*\n\n";
    let odd = "[Variant \"Horde\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/PPPPPPPP w - - 0 1\"]\n\n1. a3 *\n";
    let desk = Desk::with(&[("games.pgn", format!("{horde}{race}{odd}").as_bytes())]);
    desk.run(&["starts", "games.pgn"]).is("4k3/8/8/8/8/8/8/PPPPPPPP w - - 0 1\n", "", 0);
    desk.run(&["starts", "-f", "csv", "-C", "variant,kind", "--no-header", "games.pgn"]).is("horde,position\n", "", 0);
    let usual = desk.run(&["games", "--start", "standard", "games.pgn"]).stdout;
    assert!(usual.matches("[Variant").count() == 2 && !usual.contains("1. a3"), "{usual}");
}

#[test]
fn equal_boards_of_different_rules_are_different_positions() {
    let games = "1. e4 *\n\n[Variant \"Atomic\"]\n\n1. e4 *\n\n[Variant \"Atomic\"]\n\n1. e4 *\n";
    let desk = Desk::with(&[("games.pgn", games.as_bytes())]);
    assert_eq!(desk.run(&["-u", "games.pgn"]).stdout.lines().count(), 4);
    let keys = desk.run(&["-C", "key", "--no-header", "games.pgn"]).stdout;
    let keys: Vec<&str> = keys.lines().collect();
    assert_eq!(keys[2..4], keys[4..6]);
    assert!(keys[0] != keys[2] && keys[1] != keys[3]);
    assert_eq!(desk.run(&["games", "-u", "games.pgn"]).stdout.matches("1. e4").count(), 2);
}

#[test]
fn what_cannot_hold_a_variant_refuses_it() {
    let games = "1. e4 *\n\n[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. @e4 *\n";
    let desk = Desk::with(&[("games.pgn", games.as_bytes())]);
    for arguments in [
        &["-f", "uci", "games.pgn"][..],
        &["-f", "epd", "games.pgn"],
        &["-f", "plain", "games.pgn"],
        &["-f", "viri", "-o", "games.viri", "games.pgn"],
        &["-f", "html", "-o", "games.html", "games.pgn"],
    ] {
        let ran = desk.run(arguments);
        assert!(ran.stderr.contains("unsupported-variant: Crazyhouse"), "{arguments:?}: {}", ran.stderr);
        assert_eq!(ran.code, Some(1), "{arguments:?}: {}", ran.stderr);
    }
}
