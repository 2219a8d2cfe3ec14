//! Openings: the columns `eco` and `opening`, the filter `--opening`, and the names in the explorer of `find`.

use std::fmt::Write;
use std::fs;

use crate::cli::Desk;

/// Plays games and compares the rows of these columns.
#[track_caller]
fn check(options: &[&str], games: &str, expected: &str) {
    let arguments = [&["--no-header", "-C", "ply,eco,opening"], options].concat();
    Desk::with(&[]).pipe(&arguments, games.as_bytes()).is(expected, "", 0);
}

const NAJDORF: &str =
    "[SetUp \"1\"]\n[FEN \"rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6\"]\n\n6. Be3 e5 *\n";

#[test]
fn a_row_has_the_last_name_so_far() {
    check(
        &[],
        "1. e4 e5 2. h3 Nf6 *",
        "0\t\t\n1\tB00\tKing's Pawn Game\n2\tC20\tKing's Pawn Game\n3\tC20\tKing's Pawn Game\n\
         4\tC20\tKing's Pawn Game\n",
    );
    // The order of the moves does not count.
    check(&["-p", "-1"], "1. Nf3 c5 2. e4 d6 3. d4 *", "5\tB50\tSicilian Defense\n");
    check(&["-p", "-1"], "1. e4 *", "1\tB00\tKing's Pawn Game\n");
}

#[test]
fn positions_that_have_no_row_count_as_well() {
    let game = "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Rb1 h6 *";
    let najdorf = "B90\tSicilian Defense: Najdorf Variation\n";
    check(&["-p", "11..12"], game, &format!("11\t{najdorf}12\t{najdorf}"));
    check(&["-e", "11", "--no-start"], game, &format!("11\t{najdorf}"));
    check(&["--turn", "b", "-p", "11.."], game, &format!("11\t{najdorf}"));
    check(&["--skip-captures", "-p", "10..10"], game, &format!("10\t{najdorf}"));
    // The second game has no rows of its own before ply 11.
    check(&["-u", "-p", "10.."], &format!("{game}\n{}", game.replace("Rb1", "a4")), &{
        let mut rows = format!("10\t{najdorf}11\t{najdorf}12\t{najdorf}");
        write!(rows, "11\tB90\tSicilian Defense: Najdorf Variation\n12\tB90\tSicilian Defense: Najdorf Variation\n")
            .unwrap();
        rows
    });
}

#[test]
fn a_variation_goes_on_from_its_branch() {
    check(
        &["--variations"],
        "1. e4 (1. d4 d5 (1... Nf6 2. h3) 2. a3) (1. c4) 1... c5 (1... a5 $1 (1... e6) 2. h4) 2. a3 *",
        "0\t\t\n\
         1\tB00\tKing's Pawn Game\n\
         1\tA40\tQueen's Pawn Game\n\
         2\tD00\tQueen's Pawn Game\n\
         2\tA45\tIndian Defense\n\
         3\tA45\tIndian Defense\n\
         3\tD00\tQueen's Pawn Game\n\
         1\tA10\tEnglish Opening\n\
         2\tB20\tSicilian Defense\n\
         2\tB00\tWare Defense\n\
         2\tC00\tFrench Defense\n\
         3\tB00\tWare Defense\n\
         3\tB20\tSicilian Defense: Mengarini Variation\n",
    );
}

#[test]
fn a_game_from_another_position_is_named_by_position() {
    check(
        &[],
        NAJDORF,
        "0\tB90\tSicilian Defense: Najdorf Variation\n\
         1\tB90\tSicilian Defense: Najdorf Variation, English Attack\n\
         2\tB90\tSicilian Defense: Najdorf Variation, English Attack\n",
    );
    check(&[], "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *", "0\t\t\n1\t\t\n");
    // The Chess960 position 518 is the initial position.
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1";
    check(
        &["-p", "1"],
        &format!("[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"{start}\"]\n\n1. e4 *"),
        "1\tB00\tKing's Pawn Game\n",
    );
    let start = "nrbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/NRBQKBNR w HBhb - 0 1";
    check(&["-p", "1"], &format!("[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"{start}\"]\n\n1. e4 *"), "1\t\t\n");
    // A null move reaches the position with the other side to move, which has no name.
    Desk::with(&[]).pipe(&["-q", "--no-header", "-C", "ply,eco", "-p1..2"], b"1. -- e5 *").is("1\t\n2\t\n", "", 0);
}

#[test]
fn tags_are_other_columns() {
    let game = b"[ECO \"A00\"]\n[Opening \"Mine\"]\n\n1. e4 *".as_slice();
    let desk = Desk::with(&[("a.pgn", game)]);
    let run = |columns: &str, format: &str| {
        let ran = desk.run(&["-p1", "-f", format, "-C", columns, "a.pgn"]);
        assert_eq!((ran.stderr.as_str(), ran.code), ("", Some(0)));
        ran.stdout
    };
    let columns = "ECO,eco,opening,Opening";
    assert_eq!(run(columns, "tsv"), "ECO\teco\topening\tOpening\nA00\tB00\tKing's Pawn Game\tMine\n");
    assert_eq!(run(columns, "csv"), "ECO,eco,opening,Opening\nA00,B00,King's Pawn Game,Mine\n");
    assert_eq!(
        run(columns, "jsonl"),
        "{\"ECO\":\"A00\",\"eco\":\"B00\",\"opening\":\"King's Pawn Game\",\"Opening\":\"Mine\"}\n"
    );
    assert_eq!(
        run(columns, "epd"),
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 hmvc 0; fmvn 1; c0 \"A00\"; eco \"B00\"; \
         c1 \"King's Pawn Game\"; c2 \"Mine\";\n"
    );
    let ran = desk.run(&["-p0", "-f", "jsonl", "-C", "eco,opening", "a.pgn"]);
    assert_eq!(ran.stdout, "{\"eco\":null,\"opening\":null}\n");
}

#[test]
fn a_start_has_the_name_of_its_position() {
    let desk = Desk::with(&[("a.pgn", NAJDORF.as_bytes())]);
    let run = |arguments: &[&str]| desk.run(&[&["starts", "--no-header", "a.pgn"], arguments].concat());
    run(&["-C", "count,eco,opening"]).is("1\tB90\tSicilian Defense: Najdorf Variation\n", "", 0);
    let header = desk.run(&["starts", "-f", "tsv", "a.pgn"]).stdout;
    assert!(header.starts_with("count\tkind\tsp\tfen\tfile\tline\toffset\tgame\todds\n"), "{header}");
    // The filter is about the game, not its start.
    run(&["-C", "eco", "--opening", "English Attack"]).is("B90\n", "", 0);
    run(&["-C", "eco", "--opening", "French"]).is("", "", 0);
    // The moves are read in their language.
    let german = NAJDORF.replace("Be3", "Le3");
    let desk = Desk::with(&[("a.pgn", german.as_bytes())]);
    desk.run(&["starts", "-C", "eco", "--no-header", "--opening", "English Attack", "a.pgn"]).is("", "", 0);
    desk.run(&["starts", "-C", "eco", "--no-header", "--opening", "English Attack", "--lang", "de", "a.pgn"])
        .is("B90\n", "", 0);
}

/// Fixtures with games of several kinds.
const FILES: [&str; 4] = ["tournaments_2020.pgn", "lichess_2012.pgn", "fischer_random_2018.pgn", "opening_book.pgn"];

fn fixture(name: &str) -> Vec<u8> {
    fs::read(format!("{}/fixtures/games/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

#[test]
fn the_filter_chooses_the_games_whose_last_name_fits() {
    let mut chosen = 0;
    for name in FILES {
        let games = fixture(name);
        let desk = Desk::with(&[("a.pgn", &games)]);
        let last = desk.run(&["-q", "-p", "-1", "--no-header", "-C", "game,eco,opening", "a.pgn"]).stdout;
        for (filters, holds) in [
            (&["Sicilian"][..], (|_, name| name.contains("Sicilian")) as fn(&str, &str) -> bool),
            (&["gambit"], |_, name| name.to_lowercase().contains("gambit")),
            (&["D3"], |eco, _| eco.starts_with("D3")),
            (&["e"], |eco, _| eco.starts_with('E')),
            (&["C65", "king's pawn"], |eco, name| eco == "C65" || name.contains("King's Pawn")),
        ] {
            let expected: String = last
                .lines()
                .filter(|line| {
                    let cells: Vec<&str> = line.split('\t').collect();
                    !cells[1].is_empty() && holds(cells[1], cells[2])
                })
                .map(|line| format!("{line}\n"))
                .collect();
            let options: Vec<&str> = filters.iter().flat_map(|filter| ["--opening", filter]).collect();
            for threads in ["1", "2"] {
                let arguments = ["-q", "-p", "-1", "--no-header", "-C", "game,eco,opening", "-j", threads, "a.pgn"];
                let ran = desk.run(&[&arguments[..], &options].concat());
                assert_eq!(ran.stdout, expected, "{name} {filters:?}");
            }
            // The index and a check have the same games.
            let count = expected.lines().count();
            let ran = desk.run(&[&["check", "-v", "a.pgn"][..], &options].concat());
            assert!(
                ran.stderr.contains(&format!("summary: {count} of "))
                    || ran.stdout.contains(&format!("summary: {count} of ")),
                "{ran:?}"
            );
            chosen += count;
        }
    }
    assert!(chosen > 100, "{chosen}");
}

#[test]
fn an_index_has_only_the_games_with_the_opening() {
    let games = fixture("tournaments_2020.pgn");
    let desk = Desk::with(&[("a.pgn", &games)]);
    let count = desk.run(&["-p", "-1", "--opening", "Sicilian", "a.pgn"]).stdout.lines().count();
    let ran = desk.run(&["index", "-o", "idx", "--opening", "Sicilian", "a.pgn"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran = desk.run(&["find", "-c", "--no-header", "idx", "startpos"]);
    assert_eq!(ran.stdout.split('\t').nth(1), Some(&*count.to_string()));
    let info = desk.run(&["index", "--info", "-f", "jsonl", "idx"]).stdout;
    assert!(info.contains("--opening Sicilian"), "{info}");
}

#[test]
fn numbers_of_games_count_those_that_are_left_out() {
    let games = "1. d4 *\n\n1. e4 c5 *\n\n1. d4 d5 *\n\n1. e4 c5 2. Nf3 *\n\n1. Nf3 c5 2. e4 *\n";
    let desk = Desk::with(&[("a.pgn", games.as_bytes())]);
    let run = |options: &[&str]| {
        let ran = desk.run(
            &[&["-p", "-1", "--no-header", "-C", "game,line,ply", "--opening", "sicilian", "a.pgn"], options].concat(),
        );
        assert_eq!((ran.stderr.as_str(), ran.code), ("", Some(0)));
        ran.stdout
    };
    assert_eq!(run(&[]), "2\t3\t2\n4\t7\t3\n5\t9\t3\n");
    assert_eq!(run(&["-n", "2"]), "2\t3\t2\n4\t7\t3\n");
    let half = games.find("1. d4 d5").unwrap();
    assert_eq!(run(&["--range", &format!("..{half}")]), "2\t3\t2\n");
    assert_eq!(run(&["--range", &format!("{half}..")]), "4\t7\t3\n5\t9\t3\n");
    // A sample depends on the place of the game, not on the games that are left out.
    let all = desk.run(&["-s", "0.5", "--no-header", "-C", "game,ply", "a.pgn"]).stdout;
    let some = desk.run(&["-s", "0.5", "--no-header", "-C", "game,ply", "--opening", "Sicilian", "a.pgn"]).stdout;
    let of_some: Vec<&str> = all.lines().filter(|line| ["2", "4", "5"].contains(&&line[..1])).collect();
    assert_eq!(some.lines().collect::<Vec<_>>(), of_some);
}

#[test]
fn errors_of_games_that_are_left_out_are_not_reported() {
    let games = "1. d4 Ke4 *\n\n1. e4 c5 2. Ke4 *\n\n[FEN \"9/8\"]\n\n1. e4 c5 *\n\n1. e4 Ke4 c5 *\n";
    let desk = Desk::with(&[("a.pgn", games.as_bytes())]);
    let ran = desk.run(&["--opening", "Sicilian", "-C", "game,ply", "--no-header", "a.pgn"]);
    let error = "a.pgn:3:13: illegal-move: Ke4 in game 2, ply 3: e4 is occupied by a white pawn\n";
    ran.is("2\t0\n2\t1\n2\t2\n", error, 1);
    let ran = desk.run(&["check", "--opening", "Sicilian", "a.pgn"]);
    assert!(ran.stdout.starts_with(error) && !ran.stdout.contains("game 4"), "{ran:?}");
    // A game without a usable start has no opening.
    desk.run(&["starts", "--opening", "Sicilian", "a.pgn"]).is("", "", 0);
    desk.run(&["--opening", "French", "a.pgn"]).is("", "warning: none of 4 games satisfies --opening\n", 0);
}

#[test]
fn a_list_of_positions_has_openings() {
    let list = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n";
    let desk = Desk::with(&[("a.fen", list.as_bytes())]);
    desk.run(&["-C", "game,eco", "--no-header", "a.fen"]).is("1\tB00\n2\t\n", "", 0);
    desk.run(&["-C", "game,eco", "--no-header", "--opening", "B", "a.fen"]).is("1\tB00\n", "", 0);
}

#[test]
fn an_opening_that_is_not_known_is_refused() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 *")]);
    for (arguments, words) in [
        (&["--opening", "Najdrof", "a.pgn"][..], "no opening has this in its name; did you mean Najdorf?"),
        (&["check", "--opening", "F12", "a.pgn"], "ECO codes go from A00 to E99"),
        (&["--opening", "", "a.pgn"], "an opening is a part of its name"),
        (&["starts", "--lang", "de", "a.pgn"], "only with --opening, --reached, --moves, --ends or --length"),
        (&["starts", "--kind", "invalid", "-C", "line", "--opening", "B", "a.pgn"], "has no opening"),
        (&["find", "--opening", "Najdorf", "idx", "e4"], "pgn2fen index --opening Najdorf"),
    ] {
        let ran = desk.run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}");
        assert!(ran.stderr.contains(words), "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn the_explorer_names_each_move() {
    let games = "1. e4 c5 2. Nf3 h5 3. a3 *\n\n1. e4 c5 2. Nf3 *\n\n1. e4 c5 2. c3 *\n";
    let desk = Desk::with(&[("a.pgn", games.as_bytes())]);
    assert_eq!(desk.run(&["index", "-o", "idx", "a.pgn"]).code, Some(0));
    let check = |arguments: &[&str], expected: &str| {
        let ran = desk.run(&[&["find", "-M", "--no-header", "-f", "jsonl", "idx"], arguments].concat());
        let names: String = ran
            .stdout
            .lines()
            .map(|line| {
                let (san, rest) = line.strip_prefix("{\"san\":").unwrap().split_once(",\"uci\"").unwrap();
                let (_, names) = rest.split_once("\"eco\":").unwrap();
                let (names, _) = names.split_once(",\"score\":").unwrap();
                format!("{san} {names}}}\n")
            })
            .collect();
        assert_eq!(names, expected);
    };
    check(
        &["e4 c5"],
        "\"Nf3\" \"B27\",\"opening\":\"Sicilian Defense\"}\n\"c3\" \"B22\",\"opening\":\"Sicilian Defense: Alapin \
         Variation\"}\n",
    );
    // The last name on the way, where the position after the move has none. A game that ended has the name of the
    // position.
    check(
        &["1. e4 c5 2. Nf3"],
        "\"h5\" \"B27\",\"opening\":\"Sicilian Defense\"}\nnull \"B27\",\"opening\":\"Sicilian Defense\"}\n",
    );
    check(&["1. e4 c5 2. Nf3 h5"], "\"a3\" \"B27\",\"opening\":\"Sicilian Defense\"}\n");
    // The way to a FEN is not known.
    check(&["rnbqkbnr/pp1pppp1/8/2p4p/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3"], "\"a3\" null,\"opening\":null}\n");
    check(&["startpos"], "\"e4\" \"B00\",\"opening\":\"King's Pawn Game\"}\n");
}
