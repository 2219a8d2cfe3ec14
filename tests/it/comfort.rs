//! What makes the command pleasant: progress, colours, completions, a manual page.

use std::process::Stdio;

use crate::cli::{Desk, Ran, gzip};

/// One error, and two warnings.
const ODD: &[u8] = b"1. e4 Ke6 *\n\n[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\n*\n\n1. d4\n";

/// The text without escape sequences for colours.
fn plain(text: &str) -> String {
    let mut pieces = text.split("\u{1b}[");
    let first = pieces.next().unwrap().to_owned();
    pieces.fold(first, |text, piece| text + piece.split_once('m').unwrap().1)
}

#[test]
fn progress_is_told_on_stderr_and_changes_nothing_else() {
    let text = "1. e4 *\n".repeat(20_000);
    let desk = Desk::with(&[("a.pgn", text.as_bytes()), ("a.pgn.gz", &gzip(text.as_bytes()))]);
    let silent = desk.run(&["a.pgn"]);
    for arguments in [&["a.pgn"][..], &["--no-mmap", "a.pgn"], &["a.pgn.gz"], &["-j3", "a.pgn"]] {
        let ran = desk.run(&[&["--progress", "always"], arguments].concat());
        assert_eq!((&ran.stdout, ran.code), (&silent.stdout, Some(0)), "{arguments:?}");
        assert!(ran.stderr.starts_with("progress: "), "{arguments:?}: {}", ran.stderr);
        for words in [" of ", " left, ", " games, ", " positions/s\n"] {
            assert!(ran.stderr.contains(words), "{arguments:?}: {}", ran.stderr);
        }
        assert_eq!(desk.run(&[&["--progress", "never"], arguments].concat()), silent);
        assert_eq!(desk.run(arguments), silent, "there is no terminal");
    }
    let piped = desk.pipe(&["--progress", "always"], text.as_bytes());
    assert!(piped.stderr.ends_with(" positions/s\n") && !piped.stderr.contains(" of "), "{}", piped.stderr);
}

#[test]
fn progress_counts_the_bytes_of_all_files_and_of_a_range() {
    let text = "1. e4 *\n".repeat(1024);
    let desk = Desk::with(&[("a.pgn", text.as_bytes()), ("b.pgn", text.as_bytes())]);
    let run = |arguments: &[&str]| desk.run(&[&["--progress=always"], arguments].concat()).stderr;
    for (arguments, words) in [
        (&["a.pgn", "b.pgn"][..], "8.0 of 16.0 KiB"),
        (&["--no-mmap", "a.pgn", "b.pgn"], "8.0 of 16.0 KiB"),
        (&["a.pgn", "none.pgn"], "8.0 of 8.0 KiB"),
        (&["--range", "4096..", "a.pgn"], "4.0 of 4.0 KiB"),
        (&["--range", "4096..6144", "a.pgn"], "2.0 of 2.0 KiB"),
    ] {
        let said = run(arguments);
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
}

#[test]
fn colours_are_all_that_color_changes() {
    let desk = Desk::with(&[("a.pgn", ODD)]);
    for arguments in [&["a.pgn"][..], &["-v", "none.pgn"], &["check", "a.pgn"], &["--help"], &["--ep=no"]] {
        let without_time = |ran: &Ran| {
            let [stdout, stderr] = [&ran.stdout, &ran.stderr].map(|text| match text.find("summary") {
                Some(at) => text[..at].to_owned(),
                None => text.clone(),
            });
            (stdout, stderr, ran.code)
        };
        let mut always = desk.run(&[arguments, &["--color", "always"]].concat());
        let never = desk.run(&[arguments, &["--color=never"]].concat());
        assert!((always.stdout.clone() + &always.stderr).contains("\u{1b}["), "{arguments:?}");
        assert!(!(never.stdout.clone() + &never.stderr).contains('\u{1b}'), "{arguments:?}");
        (always.stdout, always.stderr) = (plain(&always.stdout), plain(&always.stderr));
        assert_eq!(without_time(&always), without_time(&never), "{arguments:?}");
    }
    let ran = desk.run(&["--color=always", "a.pgn"]);
    assert!(ran.stderr.starts_with("\u{1b}[1ma.pgn:1:7\u{1b}[0m: \u{1b}[1m\u{1b}[31millegal-move\u{1b}[0m: Ke6"));
    assert!(ran.stderr.contains(": \u{1b}[1m\u{1b}[33mwarning\u{1b}[0m: setup-tags: "), "{}", ran.stderr);
    assert!(!ran.stdout.contains('\u{1b}'), "positions have no colour");
}

#[test]
fn no_color_is_honoured() {
    let desk = Desk::with(&[("a.pgn", ODD)]);
    let run = |arguments: &[&str]| {
        let mut command = desk.command(arguments);
        command.env("NO_COLOR", "1").stdout(Stdio::piped()).stderr(Stdio::piped());
        Ran::from(command.output().unwrap()).stderr
    };
    assert!(!run(&["a.pgn"]).contains('\u{1b}'));
    assert!(run(&["--color=always", "a.pgn"]).contains('\u{1b}'), "what is typed comes before what is set");
}

#[test]
fn shells_complete_the_options() {
    let desk = Desk::with(&[]);
    for (shell, words) in [
        ("bash", &["--ep", "--progress", "--invert", "check", "starts"][..]),
        ("elvish", &["--ep", "--progress", "--invert", "check", "starts"]),
        ("fish", &["-l ep", "-l progress", "-l invert", "check", "starts"]),
        ("powershell", &["--ep", "--progress", "--invert", "check", "starts"]),
        ("zsh", &["--ep", "--progress", "--invert", "check", "starts"]),
    ] {
        let ran = desk.run(&["completions", shell]);
        assert_eq!((ran.stderr.as_str(), ran.code), ("", Some(0)));
        for words in words {
            assert!(ran.stdout.contains(words), "{shell}: {words}");
        }
    }
}

#[test]
fn the_manual_page_has_every_option() {
    check_page(&["man"], &["--help"]);
    check_page(&["man", "starts"], &["starts", "--help"]);
    let desk = Desk::with(&[]);
    assert!(desk.run(&["man", "starts"]).stdout.contains("\n.TH pgn2fen-starts 1"));
    desk.run(&["man", "nothing"]).is("", "pgn2fen: unknown command nothing\n", 2);
}

/// The page that is printed so has the options of this help.
#[track_caller]
fn check_page(page: &[&str], help: &[&str]) {
    let desk = Desk::with(&[]);
    let ran = desk.run(page);
    assert_eq!((ran.stderr.as_str(), ran.code), ("", Some(0)));
    let page = ran.stdout.replace("\\-", "-");
    let help = desk.run(help).stdout;
    let options = help.split_whitespace().filter(|word| word.starts_with("--")).map(|word| {
        let end = word[2..].find(|c: char| !c.is_ascii_lowercase() && c != '-').map_or(word.len(), |end| end + 2);
        &word[..end]
    });
    let mut count = 0;
    for option in options {
        assert!(page.contains(option), "{option}");
        count += 1;
    }
    assert!(page.starts_with(".ie") && count > 15, "{page}");
}
