//! The command in people's hands: hints by meaning, duplicates by players, names of files with tags, values that word
//! processors wrote.

use std::fs;

use crate::cli::Desk;

/// Two short draws of different people, one of them twice, and a game with an error.
const DRAWS: &str = "[White \"Tal, M\"]\n[Black \"Petrosian\"]\n[Date \"1960.01.02\"]\n\n1. e4 e5 1/2-1/2\n\n\
    [White \"Keres\"]\n[Black \"Geller\"]\n[Date \"1960.01.02\"]\n\n1. e4 e5 1/2-1/2\n\n\
    [White \"TAL, M\"]\n[Black \"Petrosian\"]\n[Date \"1961\"]\n\n1. e4 e5 1/2-1/2\n\n\
    [White \"?\"]\n[Black \"?\"]\n\n*\n\n";

#[track_caller]
fn whites(desk: &Desk, arguments: &[&str]) -> Vec<String> {
    let ran = desk.run(&[&["games"], arguments].concat());
    assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.stderr);
    let names = ran.stdout.lines().filter_map(|line| line.strip_prefix("[White \"")?.strip_suffix("\"]"));
    names.map(str::to_owned).collect()
}

#[test]
fn people_can_make_games_different() {
    let desk = Desk::with(&[("a.pgn", DRAWS.as_bytes())]);
    assert_eq!(whites(&desk, &["-u", "a.pgn"]), ["Tal, M", "?"]);
    assert_eq!(whites(&desk, &["--unique", "a.pgn"]), ["Tal, M", "?"]);
    assert_eq!(whites(&desk, &["-u=moves", "a.pgn"]), ["Tal, M", "?"]);
    assert_eq!(whites(&desk, &["-uq", "a.pgn"]), ["Tal, M", "?"]);
    assert_eq!(whites(&desk, &["-u=moves,players", "a.pgn"]), ["Tal, M", "Keres", "?"]);
    assert_eq!(whites(&desk, &["--unique=moves,players,Date", "a.pgn"]), ["Tal, M", "Keres", "TAL, M", "?"]);
    assert_eq!(whites(&desk, &["-u=Date", "a.pgn"]), ["Tal, M", "TAL, M", "?"]);
    assert_eq!(whites(&desk, &["-u=players", "a.pgn", "a.pgn"]), ["Tal, M", "Keres", "?", "?"]);
    assert_eq!(whites(&desk, &["-u=moves,players", "--sort", "White", "a.pgn"]), ["Keres", "Tal, M", "?"]);
    desk.run(&["games", "-u=moves,players", "--duplicates", "d.pgn", "-o", "o.pgn", "a.pgn"]).is("", "", 0);
    assert!(String::from_utf8(desk.read("d.pgn")).unwrap().starts_with("[White \"TAL, M\"]"));
    for threads in ["-j1", "-j4"] {
        assert_eq!(whites(&desk, &["-u=White", threads, "a.pgn", "a.pgn"]), ["Tal, M", "Keres", "?", "?"]);
    }
    let ran = desk.run(&["games", "-u", "moves,players", "a.pgn"]);
    // The shells of Windows need quotes around a comma.
    let value = if cfg!(windows) { "\"moves,players\"" } else { "moves,players" };
    let said = format!("stands behind an equals sign: -u={value}\n");
    assert!(ran.stderr.contains(&said) && ran.code == Some(2), "{}", ran.stderr);
    let ran = desk.run(&["games", "-u", "White", "a.pgn"]);
    let said = "pgn2fen: White is not a file; the value of -u stands behind an equals sign: -u=White\n";
    assert_eq!((ran.stderr.as_str(), ran.code), (said, Some(2)));
    let ran = desk.run(&["games", "-u", "b.pgn", "a.pgn"]);
    assert!(ran.stderr.contains("b.pgn: ") && !ran.stderr.contains("equals sign"), "{}", ran.stderr);
    let ran = desk.run(&["games", "-u=moves,", "a.pgn"]);
    assert!(ran.stderr.contains("'' is neither moves, beginnings nor players nor the name of a tag"), "{}", ran.stderr);
}

#[test]
fn a_whole_name_without_games_leads_to_a_part_of_it() {
    let desk = Desk::with(&[("a.pgn", DRAWS.as_bytes())]);
    let hint = "= compares the whole value; -t 'Player~Tal' looks for a part of it\n";
    let hint = if cfg!(windows) { hint.replace('\'', "") } else { hint.to_owned() };
    for command in [&["games"][..], &[], &["check"]] {
        let ran = desk.run(&[command, &["-t", "Player=Tal", "a.pgn"]].concat());
        assert!((ran.stdout + &ran.stderr).contains(&hint), "{command:?}");
    }
    crate::index::build(&desk, &["-o", "idx"], &["a.pgn".to_owned()]);
    let ran = desk.run(&["find", "-t", "Player=Tal", "idx", "startpos"]);
    assert!(ran.stderr.contains(&hint), "{}", ran.stderr);
    for filter in ["Player~Tal", "Player=Keres", "Date=1999", "Result=0-1", "White!=Tal"] {
        assert!(!desk.run(&["games", "-t", filter, "a.pgn"]).stderr.contains("whole value"), "{filter}");
    }
}

#[test]
fn a_tag_that_no_game_has_is_no_part_of_a_name() {
    let desk = Desk::with(&[("a.pgn", DRAWS.as_bytes())]);
    for arguments in [
        &["games", "-o", "x/{Year}.pgn", "a.pgn"][..],
        &["-o", "x/{Year}-{game}.svg", "a.pgn"],
        &["starts", "-o", "x/{Year}.png", "a.pgn"],
    ] {
        let ran = desk.run(arguments);
        let said = "pgn2fen: no game has the tag Year; the games have White, Black, Date; it stands in the name of the \
                    output\n";
        assert_eq!((&*ran.stderr, ran.code), (said, Some(2)), "{arguments:?}");
    }
    // A pipe is read once, and told at its end.
    let ran = desk.pipe(&["games", "-o", "x/{Year}.pgn"], DRAWS.as_bytes());
    assert!(
        ran.stderr.contains("the files are not written because no game has a tag in their names"),
        "{}",
        ran.stderr
    );
    assert_eq!((fs::read_dir(desk.path("x")).unwrap().count(), ran.code), (0, Some(2)));
    desk.run(&["games", "-o", "x/{Date}.pgn", "a.pgn"]).is("", "", 0);
    assert_eq!(fs::read_dir(desk.path("x")).unwrap().count(), 3);
}

#[test]
fn curly_quotes_and_local_dates_are_read_and_written_by_the_standard() {
    let games = "[Event “Blitz”]\n[White „Réti“]\n[Date \"12.03.2024\"]\n[EventDate \"12/25/2023\"]\n\
                 [UTCDate \"03/04/2024\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n[Date \"2024-3-5\"]\n\n1. d4 *\n";
    let desk = Desk::with(&[("a.pgn", games.as_bytes())]);
    let ran = desk.run(&["games", "-q", "--san", "a.pgn"]);
    for pair in [
        "[Event \"Blitz\"]",
        "[White \"Réti\"]",
        "[Date \"2024.03.12\"]",
        "[EventDate \"2023.12.25\"]",
        "[UTCDate \"03/04/2024\"]",
        "[Date \"2024.03.05\"]",
    ] {
        assert!(ran.stdout.contains(pair), "{pair}: {}", ran.stdout);
    }
    assert_eq!(desk.run(&["games", "-q", "-t", "Date=2024.03.12", "a.pgn"]).stdout.matches("Blitz").count(), 1);
    let rows = desk.run(&["-q", "-f", "jsonl", "-C", "White,Date", "-p", "-1", "-n1", "a.pgn"]).stdout;
    assert_eq!(rows, "{\"White\":\"Réti\",\"Date\":\"2024-03-12\"}\n");
}

#[test]
fn plies_are_listed_with_commas() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 *")]);
    let plies = |arguments: &[&str]| {
        let ran = desk.run(&[&["-C", "ply", "--no-header"], arguments, &["a.pgn"]].concat());
        assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.stderr);
        ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(plies(&["-p", "1,3,6"]), "1 3 6");
    assert_eq!(plies(&["-p", "6,..1,-1"]), "0 1 6 7");
    assert_eq!(plies(&["-p", "..4,6", "-e", "2"]), "0 2 4 6");
    let ran = desk.run(&["-p", "1,x", "a.pgn"]);
    assert!(ran.stderr.contains("a ply is a number") && ran.code == Some(2), "{}", ran.stderr);
}

#[test]
fn options_and_commands_of_other_programs_lead_to_what_does_the_same() {
    let desk = Desk::with(&[("a.pgn", DRAWS.as_bytes())]);
    let filter = if cfg!(windows) { "Player~Tal" } else { "'Player~Tal'" };
    let tip = format!("tip: to choose the games of a player, use -t {filter}\n");
    for (line, words) in [
        (&["games", "--player", "Tal", "a.pgn"][..], tip.as_str()),
        (&["games", "--dedupe", "a.pgn"], "tip: to leave out duplicates, use -u"),
        (&["--eco", "B90", "a.pgn"], "tip: to choose games by their opening, use --opening B90"),
        (&["board", "--flip", "startpos"], "tip: to draw the board from Black's side, use --orientation black"),
        (&["find", "--limit=3", "idx", "e4"], "tip: to limit the output, use -m 10"),
        (&["--where", "White=Tal", "a.pgn"], "tip: to choose games by their tags, use -t 'WhiteElo>=2200'"),
        (&["sort", "--by", "Date", "a.pgn"], "tip: to sort games, use pgn2fen games --sort Date"),
        (&["merge", "a.pgn"], "there is no command merge; to join files, use pgn2fen games a.pgn b.pgn -o all.pgn"),
        (&["dedupe", "a.pgn"], "there is no command dedupe; to leave out duplicates, use pgn2fen games -u"),
        (&["convert", "a.pgn"], "there is no command convert; to convert games, use pgn2fen games.pgn -o"),
        (&["sort", "a.pgn"], "there is no command sort; to sort games, use pgn2fen games --sort Date"),
        (&["filter", "a.pgn"], "there is no command filter; to choose games, use pgn2fen games -t"),
    ] {
        let ran = desk.run(line);
        assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(2)), "{line:?}");
        assert!(ran.stderr.contains(words), "{line:?}: {}", ran.stderr);
        assert!(!ran.stderr.contains("as a value"), "{line:?}: {}", ran.stderr);
    }
    // Letters still help where no meaning is known, and a file of that name is read.
    assert!(desk.run(&["games", "--max-game", "1"]).stderr.contains("'--max-games'"));
    fs::write(desk.path("merge"), DRAWS).unwrap();
    assert_eq!(desk.run(&["merge"]).code, Some(0));
}

#[test]
fn boards_of_games_take_what_a_single_board_takes() {
    let desk = Desk::with(&[("a.pgn", DRAWS.as_bytes())]);
    let page = |arguments: &[&str]| {
        let ran = desk.run(&[&["-n1", "-f", "html"], arguments, &["a.pgn"]].concat());
        assert_eq!((ran.stderr.as_str(), ran.code), ("", Some(0)), "{arguments:?}");
        ran.stdout
    };
    let usual = page(&[]);
    assert!(page(&["--size", "500"]).contains("minmax(0,500px)") && !usual.contains("500"));
    assert!(page(&["--colors", "gray"]).len() > usual.len());
    assert!(page(&["--title", "Club <night>"]).contains("<h1>Club &lt;night&gt;</h1>"));
    for arguments in [
        &["--no-last-move"][..],
        &["--no-coordinates"],
        &["--show-turn"],
        &["--arrow", "e2e4,d5:blue"],
        &["--fill", "d4,e5:red"],
        &["--mark", "a3"],
    ] {
        assert_ne!(page(arguments), usual, "{arguments:?}");
    }
    // A picture of a game is that of the position.
    for options in [&["--size", "220", "--colors", "blue"][..], &["--arrow", "e7e5", "--show-turn"]] {
        let names = ["-n1", "-p", "2", "-o", "p/{game}.svg", "a.pgn"];
        desk.run(&[options, &names[..]].concat()).is("", "", 0);
        let alone = desk.run(&[&["board", "-f", "svg"], options, &["1. e4 e5"]].concat()).stdout;
        assert_eq!(String::from_utf8(desk.read("p/1.svg")).unwrap(), alone, "{options:?}");
    }
    let ran = desk.run(&["-f", "csv", "--size", "220", "a.pgn"]);
    assert!(ran.stderr.contains("--size has no effect on the format csv") && ran.code == Some(2), "{}", ran.stderr);
    let ran = desk.run(&["--title", "x", "-o", "{game}-{ply}.svg", "a.pgn"]);
    assert!(ran.stderr.contains("--title has no effect on the format svg"), "{}", ran.stderr);
}

fn captions(page: &str) -> Vec<String> {
    let captions = page.split("<figcaption>").skip(1).map(|part| part.split("</figcaption>").next().unwrap());
    captions.map(|caption| caption.replace("<b>", "").replace("</b>", "").replace("<br/>", " | ")).collect()
}

#[test]
fn a_game_is_named_once_and_a_puzzle_by_its_identifier() {
    let puzzles = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id \"WAC.001\";\n\
                   8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - am Kg7; id \"a; b\";\n";
    let desk = Desk::with(&[("a.pgn", DRAWS.as_bytes()), ("p.epd", puzzles.as_bytes())]);
    let of = |arguments: &[&str]| captions(&desk.run(arguments).stdout);
    assert_eq!(
        of(&["-f", "html", "-n2", "a.pgn"]),
        [
            "Tal, M – Petrosian | 1960.01.02 | Starting position | White to move",
            "1. e4 | Black to move",
            "1… e5 | White to move",
            "Keres – Geller | 1960.01.02 | Starting position | White to move",
            "1. e4 | Black to move",
            "1… e5 | White to move",
        ]
    );
    let puzzles = ["WAC.001 | White to move | Best move: Qg6", "a; b | Black to move | Move to avoid: Kg7"];
    assert_eq!(of(&["-f", "html", "p.epd"]), puzzles);
    let starts = of(&["starts", "-f", "html", "p.epd"]);
    assert!(starts[0].starts_with("WAC.001 | Position | 1 game | White to move | Best move: Qg6"), "{starts:?}");
    assert_eq!(of(&["-f", "html", "-C", "White,san", "-n1", "a.pgn"])[..2], ["Tal, M | Starting position", "1. e4"]);
    for threads in ["-j1", "-j4"] {
        assert_eq!(of(&[threads, "-f", "html", "a.pgn"]).len(), 10);
    }
}

#[test]
fn a_page_of_an_index_has_bars_and_no_folders() {
    let desk = Desk::with(&[("a.pgn", DRAWS.as_bytes())]);
    let folder = desk.path("deep/er");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("b.pgn"), "1. e4 e5 1-0\n\n1. e4 c5 0-1\n\n1. e4 e5 1/2-1/2\n").unwrap();
    let [index, file] = ["games.idx", "b.pgn"].map(|name| folder.join(name).to_str().unwrap().to_owned());
    crate::index::build(&desk, &["-o", &index], &[file]);
    for question in [&["-M"][..], &[]] {
        let page = desk.run(&[&["find", "-f", "html", &index, "1. e4"], question].concat()).stdout;
        assert!(page.contains("<h1>Positions in games.idx</h1>") && !page.contains("deep"), "{page}");
        assert!(page.contains("White 34\u{a0}%, draws 33\u{a0}%, Black 33\u{a0}%"), "{page}");
        assert!(page.contains("class=\"bar\"") && page.contains("Black to move"));
    }
    let page = desk.run(&["find", "-M", "-f", "html", &index, "1. e4"]).stdout;
    assert_eq!(page.matches("class=\"bar\"").count(), 3);
    let titled = desk.run(&["find", "-M", "-f", "html", "--title", "Club", &index, "1. e4"]).stdout;
    assert!(titled.contains("<title>Club</title>"));
}

#[test]
fn a_check_of_a_folder_names_what_it_skips_and_counts_files_and_warnings() {
    let desk = Desk::with(&[("notes.txt", b"x"), ("games.7z", b"7z\xbc\xaf\x27\x1c")]);
    fs::create_dir(desk.path("more")).unwrap();
    fs::write(desk.path("more/a.pgn"), DRAWS).unwrap();
    fs::write(desk.path("more/b.pgn"), "Hello\n\n1. e4\n\n[White “A”]\n\n1. d4 *\n").unwrap();
    let lines = |arguments: &[&str]| {
        let ran = desk.run(arguments);
        let lines: Vec<String> = ran.stdout.lines().map(str::to_owned).collect();
        lines.into_iter().skip_while(|line| !line.starts_with("skipped:") && !line.starts_with("summary:"))
    };
    let mut told = lines(&["check", "-r", "."]);
    let skipped = "skipped: 2 files that are not named like PGN (./games.7z, ./notes.txt); unpack archives to check \
                   the games in them";
    assert_eq!(told.next().unwrap().replace('\\', "/"), skipped);
    assert!(told.next().unwrap().starts_with("summary: 2 files, 6 games, "));
    let kinds = "warnings: repaired-tag (1 game), result (1 game), skipped-text (1 place)";
    assert_eq!((told.next().as_deref(), told.next()), (Some(kinds), None));
    assert_eq!(lines(&["check", "-v", "-r", "."]).last().as_deref(), Some(kinds));
    // A single file is counted by its games.
    assert!(lines(&["check", "more/a.pgn"]).next().unwrap().starts_with("summary: 4 games, "));
    let mut some = lines(&["check", "more/a.pgn", "none.pgn"]);
    assert!(some.next().unwrap().starts_with("summary: 1 of 2 files, 4 games, "));
    assert!(desk.run(&["check", "-q", "-r", "."]).stdout.is_empty());
}

#[test]
fn an_empty_output_for_training_is_an_error() {
    let desk = Desk::with(&[
        ("a.pgn", DRAWS.as_bytes()),
        ("e.pgn", b"1. e4 {[%eval 0.3]} e5 {[%eval 0.2]} 2. Nf3 {[%eval 0.3]} 1-0\n"),
    ]);
    for format in ["bullet", "bulletformat", "viri", "binpack", "plain"] {
        let output = format!("out.{format}");
        let ran = desk.run(&["-f", format, "-o", &output, "a.pgn"]);
        assert_eq!(ran.code, Some(1), "{format}: {}", ran.stderr);
        assert!(ran.stderr.contains("were left out: "), "{format}: {}", ran.stderr);
        assert_eq!(desk.run(&["-f", format, "-o", &output, "e.pgn"]).code, Some(0), "{format}");
        let ran = desk.run(&["-f", format, "--exit-zero", "-t", "White=x", "a.pgn"]);
        assert_eq!(ran.code, Some(1), "{format}");
        assert!(ran.stderr.contains("warning: the output is empty\n"), "{format}: {}", ran.stderr);
    }
    assert_eq!(desk.run(&["-f", "csv", "-t", "White=x", "a.pgn"]).code, Some(0));
}

#[test]
fn a_heading_above_a_list_is_told_as_one() {
    let list = "My positions:\n8/8/8/3k4/8/8/4P3/4K3 w - - 0 1\n8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\n";
    let desk = Desk::with(&[("a.fen", list.as_bytes())]);
    let ran = desk.run(&["a.fen"]);
    assert_eq!((ran.stdout.lines().count(), ran.code), (2, Some(1)));
    assert!(ran.stderr.starts_with("a.fen:1:1: bad-fen: game 1: there is no FEN on this line"), "{}", ran.stderr);
}

#[test]
fn a_placeholder_is_refused_where_the_output_is_one_file() {
    let desk = Desk::with(&[("a.pgn", DRAWS.as_bytes())]);
    desk.run(&["index", "-q", "-o", "a.idx", "a.pgn"]);
    for arguments in [
        &["-o", "{White}.fen", "a.pgn"][..],
        &["-o", "x/{input}.csv", "a.pgn"],
        &["--per", "game", "-o", "{part}.parquet", "a.pgn"],
        &["starts", "-o", "{White}.fen", "a.pgn"],
        &["tree", "-o", "{White}.html", "a.pgn"],
        &["find", "-o", "{White}.csv", "a.idx", "e4"],
        &["book", "-o", "{White}.bin", "a.idx"],
        &["players", "-o", "{White}.txt", "a.pgn"],
        &["games", "--tree", "a.pgn", "-o", "{White}.html", "a.pgn"],
    ] {
        let ran = desk.run(arguments);
        let is_told = ran.stderr.contains("has a placeholder, but this output is one file; `pgn2fen games` writes");
        assert!(is_told && ran.code == Some(2), "{arguments:?}: {}", ran.stderr);
        assert!(desk.files().iter().all(|name| !name.contains('{')), "{arguments:?}");
    }
    desk.run(&["-q", "-o", "a{}.fen", "a.pgn"]);
    assert!(desk.path("a{}.fen").is_file());
}

#[test]
fn rows_of_games_are_asked_for_without_the_command_games() {
    let desk = Desk::with(&[("a.pgn", DRAWS.as_bytes())]);
    for (arguments, words) in [
        (&["games", "-f", "csv", "a.pgn"][..], "`pgn2fen games` writes PGN, and `pgn2fen -f csv` writes rows"),
        (&["games", "-o", "g.csv", "a.pgn"], "g.csv has the ending of csv, which cannot be written here; games are"),
        (&["games", "-o", "g.xlsx", "a.pgn"], "or write rows of positions"),
    ] {
        let ran = desk.run(arguments);
        assert!(ran.stderr.contains(words) && ran.code == Some(2), "{arguments:?}: {}", ran.stderr);
    }
    assert_eq!(desk.run(&["games", "-f", "pgn", "a.pgn"]).code, desk.run(&["games", "a.pgn"]).code);
}
