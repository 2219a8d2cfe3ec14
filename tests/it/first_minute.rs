//! The first minute with the command: on a terminal, without arguments, with misspelt ones, and with the short help.

use std::fs;

use crate::cli::Desk;

#[test]
fn a_misspelt_command_or_file_is_told_of_one_like_it() {
    let desk = Desk::with(&[("games.pgn", b"1. e4 *"), ("my games.pgn", b"1. e4 *")]);
    fs::create_dir(desk.path("folder")).unwrap();
    fs::write(desk.path("folder/tal.pgn"), "1. e4 *").unwrap();
    for (typed, near) in [
        ("serv", "the command serve"),
        ("indx", "the command index"),
        ("gmaes.pgn", "games.pgn"),
        ("./gaems.pgn", "./games.pgn"),
        ("my_games.pgn", "my games.pgn"),
        ("folder/tall.pgn", "folder/tal.pgn"),
    ] {
        let ran = desk.run(&[typed]);
        let end = format!("; did you mean {near}?\n");
        let said = if cfg!(windows) { ran.stderr.replace('\\', "/") } else { ran.stderr };
        assert!(said.ends_with(&end) && ran.code == Some(2), "{typed}: {said}");
    }
    // A command is there already.
    let ran = desk.run(&["check", "indx"]);
    assert!(!(ran.stdout + &ran.stderr).contains("did you mean") && ran.code == Some(2));
    for typed in ["carlsen.pgn", "none/games.pgn", "qqqqqq"] {
        let ran = desk.run(&[typed]);
        assert!(!ran.stderr.contains("did you mean") && ran.code == Some(2), "{typed}: {}", ran.stderr);
    }
}

#[test]
fn the_short_help_shows_the_main_options_and_all_commands() {
    let desk = Desk::with(&[]);
    let [short, long] = ["-h", "--help"].map(|help| desk.run(&[help]).stdout);
    assert!(short.lines().count() <= 70 && long.lines().count() > 200, "{short}");
    for words in
        ["-t, --tag", "-C, --columns", "-j, --threads", "  completions ", "  man ", "  find ", "pgn2fen --help"]
    {
        assert!(short.contains(words), "{words}: {short}");
    }
    for rare in ["--range", "--for-plies", "--max-messages"] {
        assert!(!short.contains(rare) && long.contains(rare), "{rare}");
    }
}

#[test]
fn the_version_tells_how_the_program_was_built() {
    let desk = Desk::with(&[]);
    let version = env!("CARGO_PKG_VERSION");
    desk.run(&["-V"]).is(&format!("pgn2fen {version}\n"), "", 0);
    let long = desk.run(&["--version"]).stdout;
    assert!(long.starts_with(&format!("pgn2fen {version}")), "{long}");
    let platform = long.lines().nth(1).unwrap_or_default();
    assert!(platform.starts_with("platform: ") && long.lines().count() == 2, "{long}");
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let desk = Desk::with(&[]);
    desk.run(&["man", "-o", "share/man1"]).is("", "", 0);
    let help = desk.run(&["-h"]).stdout;
    let commands = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names = commands.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names: Vec<&str> =
        names.map(|line| line.split_whitespace().next().unwrap()).filter(|it| *it != "help").collect();
    assert!(names.len() > 8, "{names:?}");
    for name in names {
        let page = fs::read_to_string(desk.path(&format!("share/man1/pgn2fen-{name}.1"))).unwrap();
        assert!(page.contains(&format!(".TH pgn2fen-{name} 1")), "{page}");
    }
    assert!(fs::read_to_string(desk.path("share/man1/pgn2fen.1")).unwrap().contains("\\-\\-columns"));
    let ran = desk.run(&["man", "-o", "share/man1/pgn2fen.1/x"]);
    assert!(ran.stderr.starts_with("pgn2fen: cannot write to share/man1/pgn2fen.1/x: ") && ran.code == Some(2));
}

#[cfg(target_os = "linux")]
mod on_a_terminal {
    use std::fs::File;
    use std::io::Write;
    use std::process::{Command, Stdio};

    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

    use crate::cli::{Desk, Ran};

    /// Runs the command with a terminal as standard input, at which this text is typed.
    fn type_at(desk: &Desk, arguments: &[&str], text: &str) -> Ran {
        let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&controller).unwrap();
        unlockpt(&controller).unwrap();
        let name = ptsname(&controller, Vec::new()).unwrap().into_string().unwrap();
        let terminal = File::options().read(true).write(true).open(name).unwrap();
        let mut command = desk.command(arguments);
        let child = command.stdin(terminal).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(command);
        let mut controller = File::from(controller);
        controller.write_all(text.as_bytes()).unwrap();
        let ran = Ran::from(child.wait_with_output().unwrap());
        drop(controller);
        ran
    }

    const CTRL_D: &str = "\u{4}";

    #[test]
    fn what_waits_for_standard_input_says_so() {
        let desk = Desk::with(&[("games.pgn", b"1. e4 *")]);
        let typed = format!("1. e4 *\n{CTRL_D}");
        for (arguments, output) in [(&["--no-start"][..], 1), (&["-"], 2), (&["starts", "--all"], 0), (&["check"], 1)] {
            let ran = type_at(&desk, arguments, &typed);
            assert!(ran.stderr.starts_with("hint: reading games from standard input; Ctrl-D ends"), "{}", ran.stderr);
            assert_eq!((ran.stdout.lines().count(), ran.code), (output, Some(0)), "{arguments:?}: {}", ran.stderr);
        }
        assert!(!type_at(&desk, &["games.pgn"], "").stderr.contains("hint"));
        assert!(!desk.pipe(&[], b"1. e4 *").stderr.contains("hint"));
        desk.run(&["index", "-q", "-o", "games.idx", "games.pgn"]).is("", "", 0);
        let ran = type_at(&desk, &["find", "-c", "games.idx"], &format!("1. e4\n{CTRL_D}"));
        assert!(ran.stderr.starts_with("hint: reading positions from standard input; Ctrl-D ends"), "{}", ran.stderr);
        assert_eq!(ran.code, Some(0));
    }

    #[test]
    fn the_first_screen_shows_commands_that_work() {
        let game = "[White \"A\"]\n[WhiteElo \"2300\"]\n[Result \"1-0\"]\n\n1. e4 c5 1-0\n\n";
        let desk = Desk::with(&[("games.pgn", game.repeat(3).as_bytes())]);
        let ran = type_at(&desk, &[], "");
        assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(2)));
        assert!(ran.stderr.lines().count() <= 15, "{}", ran.stderr);
        assert!(ran.stderr.lines().all(|line| line.chars().count() <= 95), "{}", ran.stderr);
        let lines: Vec<&str> = ran.stderr.lines().filter_map(|line| line.strip_prefix("  pgn2fen ")).collect();
        assert!(lines.len() >= 9, "{}", ran.stderr);
        for line in lines {
            // The command and its effect are in two columns.
            let line = line.split("  ").next().unwrap().trim();
            if line.starts_with("serve") {
                continue;
            }
            let program = env!("CARGO_BIN_EXE_pgn2fen");
            let mut shell = Command::new("sh");
            shell.args(["-c", &format!("'{program}' {line}")]).current_dir(desk.path("")).stdin(Stdio::null());
            let ran = Ran::from(shell.output().unwrap());
            assert_eq!((ran.stderr.as_str(), ran.code), ("", Some(0)), "{line}");
        }
        assert_eq!(desk.read("positions.fen").split(|byte| *byte == b'\n').count(), 10);
        assert!(desk.read("rows.csv").starts_with(b"White,ply,san,fen\nA,0,,"));
    }
}
