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

/// Such a game is told by the men in hand and by the rooks of the castling rights, and has no tag Variant.
#[test]
fn a_game_whose_fen_tells_its_rules_is_written_with_them() {
    let game = "[SetUp \"1\"]\n[FEN \"1k2r3/8/8/8/8/8/8/RK6[Nn] w Ae - 0 1\"]\n\n1. O-O-O N@c6 2. N@d5 *\n";
    let desk = Desk::with(&[("games.pgn", game.as_bytes())]);
    let fens = desk.run(&["games.pgn"]);
    assert_eq!((fens.stdout.lines().count(), fens.code), (4, Some(0)), "{fens:?}");
    for options in [&["--san"][..], &["--san", "--tags", "roster"], &["--san", "--tags", "none"]] {
        let written = desk.run(&[&["games", "games.pgn", "-o", "anew.pgn"], options].concat());
        assert_eq!(written.code, Some(0), "{options:?}: {}", written.stderr);
        let anew = String::from_utf8(desk.read("anew.pgn")).unwrap();
        assert!(anew.contains("[Variant \"Crazyhouse 960\"]"), "{options:?}: {anew}");
        // The tag Variant tells the rules, so there is no warning.
        desk.run(&["anew.pgn"]).is(&fens.stdout, "", 0);
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
        &["-f", "plain", "games.pgn"][..],
        &["-f", "bullet", "games.pgn"],
        &["-f", "viri", "-o", "games.viri", "games.pgn"],
        &["-f", "binpack", "-o", "games.binpack", "games.pgn"],
        &["-f", "bulletformat", "-o", "games.bulletformat", "games.pgn"],
    ] {
        let ran = desk.run(arguments);
        assert!(ran.stderr.contains("unsupported-variant: Crazyhouse"), "{arguments:?}: {}", ran.stderr);
        assert_eq!(ran.code, Some(1), "{arguments:?}: {}", ran.stderr);
    }
}

/// The options for a line of text for each position in a format.
#[track_caller]
fn last_line(desk: &Desk, arguments: &[&str]) -> String {
    let ran = desk.run(arguments);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{arguments:?}");
    ran.stdout.lines().last().unwrap().to_owned()
}

#[test]
fn every_format_of_text_has_hands_and_checks_in_both_styles() {
    let house = "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 *\n";
    let checks = "[Variant \"Three-check\"]\n\n1. e4 f5 2. Qh5+ *\n";
    let desk = Desk::with(&[("house.pgn", house.as_bytes()), ("checks.pgn", checks.as_bytes())]);
    let board = "rnb1kbnr/ppp1pppp/8/3q4/8/2N5/PPPP1PPP/R1BQKBNR";
    for (arguments, expected) in [
        (&["house.pgn"][..], format!("{board}[Pp] b KQkq - 1 3")),
        (&["--fen-style", "lichess", "house.pgn"], format!("{board}/Pp b KQkq - 1 3")),
        (&["-f", "uci", "house.pgn"], format!("position fen {board}[Pp] b KQkq - 1 3")),
        (&["-f", "epd", "house.pgn"], format!("{board}[Pp] b KQkq - hmvc 1; fmvn 3;")),
    ] {
        assert_eq!(last_line(&desk, arguments), expected, "{arguments:?}");
    }
    let board = "rnbqkbnr/ppppp1pp/8/5p1Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq -";
    for (arguments, expected) in [
        (&["checks.pgn"][..], format!("{board} 2+3 1 2")),
        (&["--fen-style", "lichess", "checks.pgn"], format!("{board} 1 2 +1+0")),
        (&["--fields", "4", "checks.pgn"], format!("{board} 2+3")),
        (&["-f", "epd", "checks.pgn"], format!("{board} 2+3 hmvc 1; fmvn 2;")),
        (&["-f", "epd", "--fen-style", "lichess", "checks.pgn"], format!("{board} +1+0 hmvc 1; fmvn 2;")),
        (&["-f", "epd", "--fields", "4", "checks.pgn"], format!("{board} 2+3")),
    ] {
        assert_eq!(last_line(&desk, arguments), expected, "{arguments:?}");
    }
}

#[test]
fn lists_of_positions_are_read_by_their_form() {
    let house = "4k3/8/8/8/8/8/8/4K2Q~[QNp] w - - 0 1";
    let checks = "4k3/8/8/8/8/8/8/R3K3 w Q - 3+1 0 1";
    let lists = format!("{house}\n{checks}\n{}\n", house.replace("[QNp]", "/QNp"));
    let desk = Desk::with(&[("list.fen", lists.as_bytes()), ("house.fen", format!("{house}\n").as_bytes())]);
    desk.run(&["list.fen"]).is(&format!("{house}\n{checks}\n{house}\n"), "", 0);
    // An empty hand is an empty rank.
    for hand in ["/", "/PNbq", "/PPPPPPPP"] {
        let list = format!("{}{hand} b KQkq - 0 1\n", "rnbqkbnr/pppp1ppp/8/8/8/8/PPPPPPPP/RNBQKBNR").repeat(2);
        for format in ["fen", "epd", "uci"] {
            let made = desk.pipe(&["-q", "--fen-style", "lichess", "-f", format], list.as_bytes()).stdout;
            let again = desk.pipe(&["-q", "--fen-style", "lichess"], made.as_bytes());
            again.is(&list, "", 0);
        }
        let rows = desk.pipe(&["-q", "--fen-style", "lichess"], format!("n,fen\n1,{list}").as_bytes()).stdout;
        assert_eq!(rows, list.lines().next().unwrap().to_owned() + "\n");
    }
    let variants = desk.run(&["-C", "variant", "--no-header", "list.fen"]).stdout;
    assert_eq!(variants, "crazyhouse\nthreeCheck\ncrazyhouse\n");
    let refused = desk.run(&["-f", "plain", "house.fen"]);
    assert!(
        refused.stderr.contains("this is a FEN of crazyhouse; only chess and Chess960 are read"),
        "{}",
        refused.stderr
    );
}

#[test]
fn json_lines_of_a_variant_are_read_as_the_positions_that_were_written() {
    for name in ["three_check", "crazyhouse", "atomic"] {
        let games = fixture(&format!("{name}.pgn"));
        let desk = Desk::with(&[("games.pgn", games.as_bytes())]);
        let rows = desk.run(&["-q", "--no-header", "-C", "variant,fen", "games.pgn"]).stdout;
        for columns in ["fen,variant", "variant,fen"] {
            for style in ["usual", "lichess"] {
                let json = desk.run(&["-q", "-f", "jsonl", "-C", columns, "--fen-style", style, "games.pgn"]).stdout;
                desk.pipe(&["-q", "--no-header", "-C", "variant,fen"], json.as_bytes()).is(&rows, "", 0);
            }
        }
    }
}

#[test]
fn a_fen_tag_without_a_variant_is_played_by_the_rules_of_its_form() {
    let game = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3[Qn] w - - 0 1\"]\n\n1. Q@e7# *\n";
    let ran = Desk::with(&[]).pipe(&["-v"], game.as_bytes());
    assert!(ran.stdout.ends_with("4k3/4Q3/8/8/8/8/8/4K3[n] b - - 1 1\n"), "{}", ran.stdout);
    let warning = "[FEN] without [Variant] has the form of crazyhouse; the game is played by its rules";
    assert!(ran.stderr.contains(warning), "{}", ran.stderr);
}

/// Returns the words that describe the board of a picture or of a page.
fn description(svg: &str) -> &str {
    svg.split_once("<desc>").and_then(|(_, rest)| rest.split_once("</desc>")).expect(svg).0
}

#[test]
fn boards_show_men_in_hand_and_checks() {
    let desk = Desk::with(&[]);
    let drop = desk.run(&["board", "--variant", "Crazyhouse", "-f", "svg", "1. e4 d5 2. exd5 Qxd5 3. @e4"]).stdout;
    assert!(drop.starts_with("<svg ") && drop.contains("viewBox=\"0 0 434 360\""), "{drop}");
    let words = "White has in hand: nothing. Black has in hand: pawn. Black to move. Last move: e4 to e4.";
    assert!(description(&drop).ends_with(words), "{}", description(&drop));
    let checks = desk.run(&["board", "-f", "svg", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1 +0+2"]).stdout;
    assert!(description(&checks).contains("Checks given: 0 by White, 2 by Black."), "{}", description(&checks));
    let horde = desk.run(&["board", "--variant", "horde", "-f", "fen", "startpos"]);
    horde.is("rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1\n", "", 0);
    let latex = desk.run(&["board", "-f", "latex", "4k3/8/8/8/8/8/8/4K3[Qn] w - - 0 1"]);
    latex.is("\\chessboard[setfen=4k3/8/8/8/8/8/8/4K3 w - - 0 1]\n", "", 0);
    let wrong = desk.run(&["board", "--variant", "bughouse", "startpos"]);
    assert!(
        wrong.code == Some(2) && wrong.stderr.contains("give one of standard, chess960, crazyhouse"),
        "{}",
        wrong.stderr
    );
}

#[test]
fn pages_and_pictures_show_variants() {
    let house = "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. @e4 *\n";
    let horde = "[Variant \"Horde\"]\n\n1. g6 *\n";
    let begun = "[Variant \"Horde\"]\n[FEN \"4k3/8/8/8/8/8/P7/8 w - - 0 1\"]\n\n1. a4 *\n";
    let files = [("house.pgn", house), ("horde.pgn", horde), ("begun.pgn", begun)];
    let desk = Desk::with(&files.map(|(name, text)| (name, text.as_bytes())));
    let page = desk.run(&["-p", "-1", "-f", "html", "house.pgn"]);
    assert_eq!((page.code, page.stderr.as_str()), (Some(0), ""));
    assert!(description(&page.stdout).contains("Black has in hand: pawn. Black to move. Last move: e4 to e4."));
    assert!(page.stdout.contains(">Crazyhouse<"), "{}", page.stdout);
    desk.run(&["-p", "0", "-o", "{ply}.svg", "horde.pgn"]).is("", "", 0);
    let picture = String::from_utf8(desk.read("0.svg")).unwrap();
    assert!(description(&picture).starts_with("White: pawns a1, b1,"), "{}", description(&picture));
    let starts = desk.run(&["starts", "-f", "html", "begun.pgn"]).stdout;
    assert!(description(&starts).starts_with("White: pawn a2."), "{starts}");
    assert!(starts.contains(">Horde<"), "{starts}");
}

#[test]
fn games_are_made_of_the_positions_of_a_variant() {
    for name in ["crazyhouse", "three_check"] {
        let desk = desk_with(name);
        desk.run(&["-n", "1", "-o", "a.fen", "games.pgn"]).is("", "", 0);
        desk.run(&["games", "--join", "a.fen", "-o", "joined.pgn"]).is("", "", 0);
        assert_eq!(desk.run(&["joined.pgn"]).stdout.as_bytes(), desk.read("a.fen"), "{name}");
    }
    for name in GAMES {
        let desk = desk_with(name);
        desk.run(&["games", "--join", "games.pgn", "-o", "joined.pgn"]).is("", "", 0);
        desk.run(&["joined.pgn"]).is(&fixture(&format!("{name}.fen")), "", 0);
    }
}

#[test]
fn a_position_is_reached_in_games_of_its_rules() {
    let desk = Desk::with(&[
        ("hill.pgn", b"[Variant \"King of the Hill\"]\n\n1. d4 d5 *\n"),
        ("house.pgn", b"[Variant \"Crazyhouse\"]\n\n1. d4 d5 *\n"),
        ("chess.pgn", b"1. d4 d5 *\n"),
    ]);
    let files = ["hill.pgn", "house.pgn", "chess.pgn"];
    let reached = |text: &str| {
        let options = ["-p", "-1", "-f", "csv", "--no-header", "-C", "file", "--reached", text];
        let ran = desk.run(&[&options[..], &files].concat());
        (ran.stdout, ran.stderr)
    };
    let (found, told) = reached("1. d4");
    assert_eq!(found, "chess.pgn\n");
    let warning = "warning: 2 games of variants are left out, because --reached is a position of chess; ";
    assert!(told.starts_with(warning), "{told}");
    let house = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR[] b KQkq - 0 1";
    assert_eq!(reached(house), ("house.pgn\n".to_owned(), String::new()));
    assert_eq!(reached("[Variant \"King of the Hill\"] 1. d4"), ("hill.pgn\n".to_owned(), String::new()));
    let ran = desk.run(&["games", "--reached", "1. d4", "hill.pgn"]);
    assert!(ran.stderr.contains("1 game of variants is left out"), "{}", ran.stderr);
    // They are among the games that do not pass.
    let ran = desk.run(&["games", "--reached", "1. d4", "--invert", "hill.pgn"]);
    assert_eq!((ran.stderr.as_str(), ran.stdout.contains("1. d4 d5")), ("", true));
}
