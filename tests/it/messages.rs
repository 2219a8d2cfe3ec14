//! What is said of many games at once, and what never reaches a terminal.

use crate::cli::Desk;

#[test]
fn warnings_are_summed_up_by_kind_and_reason() {
    let game = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n\n";
    let against = game.replace("[FEN", "[SetUp \"0\"]\n[FEN");
    let empty = "[FEN \"\"]\n\n1. e4 *\n\n";
    let desk = Desk::with(&[("a.pgn", [game, game, &against, game, empty].concat().as_bytes())]);
    let ran = desk.run(&["a.pgn"]);
    assert_eq!(
        ran.stderr,
        "a.pgn:1:1: warning: setup-tags: [FEN] without [SetUp \"1\"]; the FEN is used (3 games)\n\
         a.pgn:10:1: warning: setup-tags: [FEN] contradicts [SetUp]; the FEN is used\n\
         a.pgn:18:1: warning: setup-tags: [FEN] is empty; the game starts from the initial position\n"
    );
}

#[test]
fn games_are_counted_as_games_and_places_as_places() {
    let text = "prose\n\nmore prose\n1. Pe4 Pe5 2. Pd4 *\nprose again\n1. e4 # *\n1. e4 # # *\n";
    let desk = Desk::with(&[("a.pgn", text.as_bytes())]);
    assert_eq!(
        desk.run(&["a.pgn"]).stderr,
        "a.pgn:4:4: warning: repaired-san: Pe4: a letter for the pawn\n\
         a.pgn:1:1: warning: skipped-text: prose: it belongs to no game and was skipped (3 places)\n\
         a.pgn:6:7: warning: skipped-text: #: a mark that is not a move was skipped (2 games)\n"
    );
}

#[test]
fn every_reason_in_a_game_is_told() {
    let desk = Desk::with(&[("a.pgn", b"1. Pe4 e7-e5 2. nf3 Nc6 3. Bb5 a6 4. 0-0 Pd6 *")]);
    let stderr = desk.run(&["a.pgn"]).stderr;
    for reason in
        ["a letter for the pawn", "a pawn move with two squares", "a letter in the wrong case", "castling not"]
    {
        assert_eq!(stderr.matches(reason).count(), 1, "{stderr}");
    }
}

#[test]
fn reasons_without_end_are_told_in_a_few_lines() {
    let fen = |square: String| format!("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - {square} 0 1\"]\n\n*\n\n");
    let squares = ('a'..='h').flat_map(|file| ["3", "6"].map(|rank| format!("{file}{rank}")));
    let text: String = squares.map(fen).collect();
    let desk = Desk::with(&[("a.pgn", text.as_bytes())]);
    let stderr = desk.run(&["a.pgn"]).stderr;
    assert_eq!(stderr.lines().count(), 9, "{stderr}");
    let last = stderr.lines().last().unwrap();
    assert!(last.contains("other reasons, such as: ") && last.ends_with("(8 games)"), "{last}");
}

#[test]
fn only_what_is_repaired_is_called_so() {
    let check = |fen: &str, kind: &str, read: &str| {
        let text = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n*\n");
        let desk = Desk::with(&[("a.pgn", text.as_bytes())]);
        let ran = desk.run(&["a.pgn"]);
        assert_eq!(ran.stdout.trim_end(), read, "{fen}");
        assert_eq!(ran.stderr.split(": ").nth(2).unwrap_or_default(), kind, "{fen}: {}", ran.stderr);
    };
    for fen in [
        "4k3/8/8/8/8/8/4P3/R3K3 w Q - 5 39",
        "1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/R3K2R b KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
    ] {
        check(fen, "", fen);
    }
    check("4k3/8/8/8/8/8/4P3/R3K3 w HAha - 0 1", "repaired-fen", "4k3/8/8/8/8/8/4P3/R3K3 w Q - 0 1");
    check("4k3/8/8/8/8/8/4P3/R3K3 w A - 0 1", "", "4k3/8/8/8/8/8/4P3/R3K3 w Q - 0 1");
    check("4k3/8/8/8/8/8/4P3/4K3 w - e3 0 1", "repaired-fen", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    // Nothing is changed: the king is in check from three rooks.
    let fen = "4k3/8/8/8/4r3/8/8/r3K2r w - - 0 1";
    check(fen, "unreachable-fen", fen);
    // Nine pawns, ten queens or seventeen men may be a mistake in the board, so they count as a repair although nothing
    // is changed.
    for fen in [
        "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1",
        "4k3/8/8/8/8/QQ6/QQQQQQQQ/4K3 b - - 0 1",
        "4k3/8/8/8/8/NNNNNNNN/PPPPPPPP/4K3 w - - 0 1",
    ] {
        check(fen, "repaired-fen", fen);
    }
}

#[test]
fn with_exit_zero_bad_games_are_no_failure_and_missing_files_are() {
    let desk = Desk::with(&[("bad.pgn", b"1. e4 Ke6 *"), ("fen.pgn", b"[FEN \"8/8/8 w - -\"]\n\n*")]);
    for arguments in [
        &["bad.pgn"][..],
        &["check", "bad.pgn"],
        &["starts", "fen.pgn"],
        &["starts", "-f", "pgn", "--kind", "invalid", "fen.pgn"],
        &["index", "-o", "a.idx", "bad.pgn"],
        &["-o", "a.csv", "bad.pgn"],
    ] {
        let strict = desk.run(arguments);
        let lenient = desk.run(&[arguments, &["--exit-zero"]].concat());
        assert_eq!((strict.code, lenient.code), (Some(1), Some(0)), "{arguments:?}");
        assert!(!lenient.stdout.is_empty() || !lenient.stderr.is_empty(), "errors are still told: {arguments:?}");
        let missing = desk.run(&[arguments, &["--exit-zero", "missing.pgn"]].concat());
        assert_eq!(missing.code, Some(2), "{arguments:?}");
    }
}

/// What was said to people: no character in it acts on a terminal.
#[track_caller]
fn check_plain(said: &str, what: &[&str]) {
    let acts = |char: char| {
        char.is_control() && char != '\n' || "\u{202e}\u{2066}\u{200f}\u{61c}\u{feff}\u{2028}".contains(char)
    };
    assert!(!said.is_empty() && !said.contains(acts), "{what:?} says {said:?}");
}

const EVIL: &str = "\u{1b}[31mEvil\u{1b}]0;x\u{7}\u{9b}2J\u{202e}\u{2066}\u{200f}\u{61c}\u{feff}\u{2028}";

#[test]
fn nothing_in_a_file_acts_on_a_terminal_through_messages() {
    let games = [
        format!("[White \"{EVIL}\"]\n[Black \"b\"]\n\n1. e4 {EVIL} *\n\n"),
        format!("[White \"{EVIL}\"]\n[FEN \"{EVIL}\"]\n\n1. e4 *\n\n"),
        format!("[White \"{EVIL}\"]\n[Variant \"{EVIL}\"]\n\n1. e4 *\n\n"),
        format!("{EVIL}\n[White \"{EVIL}\n\n1. Ke2{EVIL} *\n\n"),
    ];
    let desk = Desk::with(&[("a.pgn", games.concat().as_bytes())]);
    for arguments in [&["a.pgn"][..], &["-v", "a.pgn"], &["starts", "a.pgn"], &["index", "-o", "a.idx", "a.pgn"]] {
        check_plain(&desk.run(arguments).stderr, arguments);
    }
    check_plain(&desk.run(&["check", "-v", "a.pgn"]).stdout, &["check"]);
    let data = desk.run(&["-q", "-C", "White", "-f", "tsv", "a.pgn"]).stdout;
    assert!(data.contains("\u{1b}[31mEvil"), "data stays as it is in a pipe");
}

#[test]
fn nothing_in_a_command_line_acts_on_a_terminal_through_messages() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 *")]);
    desk.run(&["index", "-o", "a.idx", "a.pgn"]);
    let find = desk.run(&["find", "a.idx", "-t", &format!("{EVIL}=1"), "e4"]);
    check_plain(&find.stderr, &["find -t"]);
    for arguments in [
        &[EVIL][..],
        &["check", EVIL],
        &["-t", EVIL, "a.pgn"],
        &["-C", EVIL, "a.pgn"],
        &["--lang", EVIL],
        &["-j", EVIL],
        &["--ply", EVIL],
        &[&format!("--{EVIL}")],
        &["--encoding", EVIL],
        &["-o", &format!("{EVIL}/a.fen"), "a.pgn"],
        &["-f", "csv", "-o", &format!("{EVIL}.parquet"), "a.pgn"],
        &["index", "-o", &format!("a.pgn/{EVIL}"), "a.pgn"],
        &["find", EVIL, "e4"],
        &["find", "a.idx", EVIL],
        &["find", "a.idx", &format!("1. e4 {EVIL}")],
        &["man", EVIL],
        &["completions", EVIL],
        &["-r", EVIL],
    ] {
        let ran = desk.run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}");
        check_plain(&(ran.stdout + &ran.stderr), arguments);
    }
}

/// Names that a file may have on Unix: escapes, a line break, and bytes that are not UTF-8.
#[cfg(unix)]
#[test]
fn files_of_any_name_are_read_written_and_named_plainly() {
    use std::ffi::OsStr;
    use std::fs;
    use std::os::unix::ffi::OsStrExt;

    let bad = b"1. e4 Ke6 *\n1. e4 e5 *\n";
    for stem in [&b"\x1b[31m\x9b"[..], b"line\nbreak", b"\xff\xfe \xe9", "\u{202e}ngp".as_bytes()] {
        let desk = Desk::with(&[]);
        let name = |ending: &str| OsStr::from_bytes(&[stem, ending.as_bytes()].concat()).to_owned();
        let (folder, file) = (name(""), name(".pgn"));
        let inside = std::path::Path::new(&folder).join(&file);
        fs::create_dir(desk.path(".").join(&folder)).unwrap();
        fs::write(desk.path(".").join(&file), bad).unwrap();
        fs::write(desk.path(".").join(&inside), bad).unwrap();
        let run = |before: &[&str], name: &OsStr, behind: &[&str]| {
            let output = desk.command(before).arg(name).args(behind).output().unwrap();
            let said = String::from_utf8(output.stderr).expect("messages are UTF-8");
            if !said.is_empty() {
                check_plain(&said, before);
            }
            (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned(), said)
        };
        let (code, fens, said) = run(&[], &file, &[]);
        assert_eq!((code, fens.lines().count(), said.lines().count()), (Some(1), 5, 1), "{said}");
        assert_eq!(run(&["-r"], &folder, &[]).1, fens);
        let (code, said, _) = run(&["check"], &file, &[]);
        assert_eq!(code, Some(1));
        check_plain(&said, &["check"]);
        assert_eq!(said.lines().count(), 2, "one error and a summary: {said}");
        assert_eq!(run(&["starts", "--invert", "-f", "pgn"], &file, &[]).1.as_bytes(), bad);
        let rows = run(&["-C", "file,ply"], &file, &[]).1;
        assert_eq!(rows.lines().count(), 6, "{rows}");
        assert_eq!(run(&[], &name(" missing"), &[]).0, Some(2));
        let copy = name(".fen.gz");
        let written = desk.command(&["-q"]).arg(&file).arg("-o").arg(&copy).output().unwrap();
        assert_eq!((written.status.code(), written.stdout.len()), (Some(1), 0));
        assert!(desk.path(".").join(&copy).is_file());
        let (code, _, said) = run(&["-o"], &name(""), &["-"]);
        assert_eq!((code, said.contains("is a directory")), (Some(2), true), "{said}");
        let (code, _, said) = run(&["-o"], &name(".out"), &["-"]);
        assert_eq!((code, said.as_str()), (Some(0), ""), "standard input is empty");
        assert_eq!(run(&["find"], &name(".idx"), &["e4"]).0, Some(2));
    }
}

/// A message that is printed past `say` would bring what it quotes to the terminal as it is.
#[test]
fn only_one_place_writes_messages() {
    let mut folders = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    for path in files {
        let name = path.file_name().unwrap().to_str().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap();
        for writer in ["color::stderr()", "color::stdout()", "io::stderr(),", "println!", "eprint"] {
            // Numbers.
            let is_known = matches!((name, writer), ("say.rs", _) | ("progress.rs", "io::stderr(),"));
            assert!(is_known || !code.contains(writer), "{name} writes past say.rs: {writer}");
        }
        assert!(name == "press.rs" || !code.contains(".display()"), "{name} names a file other than by say::shown");
    }
}

#[test]
fn white_space_that_nobody_sees_is_named_by_its_code_point() {
    let text = "1. e4\u{a0}e5\u{200b}\u{202f} 2. Nf3\u{3000} Nc6 ∱ 3. Bb5 *\n";
    let desk = Desk::with(&[("a.pgn", text.as_bytes())]);
    let ran = desk.run(&["check", "-v", "a.pgn"]);
    for named in [":6: warning: skipped-text: U+00A0", "U+200B U+202F", "U+3000", ": ∱"] {
        assert!(ran.stdout.contains(named), "{named}: {}", ran.stdout);
    }
}

#[test]
fn errors_in_variations_are_errors_unless_they_are_not_wanted() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 e5 (1... c5 2. Ke3) *\n")]);
    for arguments in [&[][..], &["--variations"], &["--no-variations", "--variations"]] {
        let ran = desk.run(&[&["check", "a.pgn"], arguments].concat());
        assert_eq!(ran.code, Some(1), "{arguments:?}: {ran:?}");
        assert!(ran.stdout.starts_with("a.pgn:1:22: illegal-move: Ke3 in game 1, ply 3: "), "{arguments:?}: {ran:?}");
        assert!(ran.stdout.contains("summary: 1 game, 4 positions, 1 error, "), "{arguments:?}: {ran:?}");
    }
    for arguments in [&["--no-variations"][..], &["--variations", "--no-variations"]] {
        let ran = desk.run(&[&["check", "a.pgn"], arguments].concat());
        assert_eq!(ran.code, Some(0), "{arguments:?}: {ran:?}");
        assert!(ran.stdout.starts_with("summary: 1 game, 3 positions, 0 errors, "), "{arguments:?}: {ran:?}");
    }
}

#[test]
fn a_move_in_digits_is_not_skipped_in_silence() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 e5 2. 5254 (2. 7163) *\n")]);
    let ran = desk.run(&["check", "-v", "a.pgn"]);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    for (line, place) in
        lines.iter().zip(["a.pgn:1:13: warning: skipped-text: 5254 in", "a.pgn:1:22: warning: skipped-text: 7163 in"])
    {
        assert!(line.starts_with(place), "{}", ran.stdout);
    }
    let numbered = desk.pipe(&["check", "-v"], b"1. e4 e5 2021. Nf3 *\n");
    assert!(numbered.stdout.starts_with("summary: "), "{}", numbered.stdout);
}
