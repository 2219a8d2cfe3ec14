//! `pgn2fen games --san` and the options of its group.

use pgn2fen_games::database::{Database, Source};
use pgn2fen_games::export::{ExportOptions, Exporter, FenComments};
use pgn2fen_games::parallel::Cuts;
use pgn2fen_games::pgn::encoding::detect_utf16;
use pgn2fen_games::replay::ReplayOptions;
use pgn2fen_rows::games::Copies;

use crate::cli::Desk;
use crate::laws::{everything, game_fixtures, noise, stream, whole, workers};
use crate::starts::one;
use crate::walking::{same, walk};

const GAMES: &str =
    "[White \"Tal\"]\n[ECO \"B90\"]\n\n1. e4! {best} (1. d4 {too}) c5 1-0\n\n[White \"Bird\"]\n\n1. f4 Ke3 0-1\n";

#[test]
fn the_job_writes_what_the_exporter_writes() {
    let options = ExportOptions { add_fen: FenComments::Every, ..ExportOptions::default() };
    let exporter = Exporter::new(options.clone());
    for (path, bytes) in game_fixtures().iter().filter(|(_, bytes)| detect_utf16(bytes).is_none()) {
        let database = Database::from(bytes.clone());
        let encoding = Source::from(&database).guess();
        let replay = ReplayOptions { encoding, ..ReplayOptions::default() };
        let mut texts = Vec::new();
        for game in database.games() {
            let _ = exporter.append(&game, &replay, &mut texts);
        }
        let said = walk(&Copies::new().export(options.clone()), &one(), [("a.pgn", whole(bytes))]);
        assert_eq!(String::from_utf8(said.output), String::from_utf8(texts), "{}", path.display());
    }
}

#[test]
fn neither_threads_nor_cuts_nor_pipes_change_what_is_written() {
    let bytes = everything();
    let job = Copies::new().export(ExportOptions::default());
    let expected = walk(&job, &one(), [("a.pgn", whole(&bytes))]);
    assert!(expected.output.len() > bytes.len() / 2);
    let mut seed = 5;
    for threads in [1, 3] {
        for _ in 0..3 {
            let workers = workers(threads).with_cuts(Cuts::Likely(200 + noise(&mut seed) % 30_000));
            same(&walk(&job, &workers, [("a.pgn", whole(&bytes))]), &expected, "cut");
            same(&walk(&job, &workers, [("a.pgn", stream(&bytes))]), &expected, "piped");
        }
    }
}

/// The games without their tags and blank lines.
fn moves(text: &str) -> String {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('[')).collect::<Vec<_>>().join("\n")
}

#[test]
fn each_option_of_the_group_writes_games_anew() {
    let desk = Desk::with(&[("a.pgn", GAMES.as_bytes())]);
    let run = |options: &[&str]| {
        let ran = desk.run(&[&["games", "-q", "-n", "1"], options, &["a.pgn"]].concat());
        assert_eq!(ran.code, Some(0), "{options:?}: {}", ran.stderr);
        moves(&ran.stdout)
    };
    assert_eq!(run(&[]), "1. e4! {best} (1. d4 {too}) c5 1-0");
    let all = "1. e4 $1 {best} (1. d4 {too}) 1... c5 1-0";
    assert_eq!(run(&["--san"]), all);
    assert_eq!(run(&["--no-comments"]), "1. e4 $1 (1. d4) 1... c5 1-0");
    assert_eq!(run(&["--comments", "none"]), "1. e4 $1 (1. d4) 1... c5 1-0");
    assert_eq!(run(&["--comments", "all"]), all);
    assert_eq!(run(&["--no-variations"]), "1. e4 $1 {best} 1... c5 1-0");
    assert_eq!(run(&["--no-nags"]), "1. e4 {best} (1. d4 {too}) 1... c5 1-0");
    assert_eq!(run(&["--width", "20"]), "1. e4 $1 {best} (1.\nd4 {too}) 1... c5\n1-0");
    assert_eq!(run(&["--tags", "all"]), all);
    let fen = "{rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2}";
    assert_eq!(run(&["--add-fen", "last", "--width", "0"]), all.replace(" 1-0", &format!(" {fen} 1-0")));
    let every = run(&["--add-fen", "every", "--no-variations", "--no-comments", "--no-nags", "--width", "0"]);
    assert_eq!(every.matches('{').count(), 2, "{every}");
    let tags = |choice: &str| {
        let ran = desk.run(&["games", "-q", "-n", "1", "--tags", choice, "a.pgn"]);
        ran.stdout.lines().filter(|line| line.starts_with('[')).count()
    };
    assert_eq!(["all", "roster", "none", "White,ECO,WhiteElo"].map(tags), [8, 7, 0, 2]);
}

#[test]
fn words_and_commands_of_comments_are_chosen() {
    let text = "{[%evp 1]} [White \"A\"]\n\n{intro} 1. e4 {best [%clk 0:01:00] by test} \
        (1. d4 {[%csl Ra1]}) c5 {+0.31/14 0.5s} 2. Ke3 {[%clk 0:02]} *\n";
    let desk = Desk::with(&[("a.pgn", text.as_bytes())]);
    let run = |which: &str| {
        let ran = desk.run(&["games", "-q", "--width", "0", "--tags", "none", "--comments", which, "a.pgn"]);
        (ran.stdout.trim_end().to_owned(), ran.code)
    };
    let words = "{intro} 1. e4 {best by test} (1. d4) 1... c5 {Ke3 ((%clk 0:02))} *";
    assert_eq!(run("words"), (words.to_owned(), Some(1)));
    assert_eq!(
        run("commands"),
        ("{(%evp 1)} 1. e4 {[%clk 0:01:00]} (1. d4 {[%csl Ra1]}) 1... c5 {+0.31/14 0.5s} *".to_owned(), Some(1))
    );
    assert_eq!(run("none"), ("1. e4 (1. d4) 1... c5 *".to_owned(), Some(1)));
    assert_eq!(run("some").1, Some(2));
}

#[test]
fn games_with_errors_are_written_as_asked_for() {
    let text = format!("{GAMES}\n[White \"Reti\"]\n\n1. Nf3 *\n\n[FEN \"no\"]\n\n1. e4 *\n");
    let desk = Desk::with(&[("a.pgn", text.as_bytes())]);
    let run = |what| {
        let ran = desk.run(&["games", "--san", "--tags", "none", "--on-error", what, "a.pgn"]);
        (moves(&ran.stdout), ran.code, ran.stderr)
    };
    let [first, second, third] = ["1. e4 $1 {best} (1. d4 {too}) 1... c5 1-0\n", "1. f4 {Ke3} 0-1\n", "1. Nf3 *"];
    let (text, status, said) = run("keep");
    assert_eq!((text, status), ([first, second, third].concat(), Some(1)));
    assert!(said.contains("Ke3") && said.contains("bad-fen"), "{said}");
    let (text, status, _) = run("drop");
    assert_eq!((text, status), ([first, third].concat(), Some(1)));
    let (text, status, _) = run("stop");
    assert_eq!((text, status), ([first, second.trim_end()].concat(), Some(1)));
}

#[test]
fn text_is_read_in_the_encoding_that_is_named() {
    let desk = Desk::with(&[("a.pgn", b"[White \"\xCA\xE0\xF0\xEF\xEE\xE2\"]\n\n1. e4 {\xE4\xE0} *\n")]);
    let ran = desk.run(&["games", "--tags", "White", "--encoding", "windows-1251", "a.pgn"]);
    assert_eq!(ran.stdout, "[White \"Карпов\"]\n\n1. e4 {да} *\n\n");
}

#[test]
fn mistakes_are_refused() {
    let desk = Desk::with(&[("a.pgn", GAMES.as_bytes())]);
    for (options, reason) in [
        (&["--on-error", "drop"][..], "--on-error needs --san"),
        (&["--tags", "White>=2"], "a filter for games is given with -t"),
        (&["--tags", ""], "the name of a tag is missing"),
        (&["--add-fen", "first"], "first"),
        (&["--width", "x"], "x"),
    ] {
        let ran = desk.run(&[&["games"], options, &["a.pgn"]].concat());
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{options:?}");
        assert!(ran.stderr.contains(reason), "{options:?}: {}", ran.stderr);
    }
}

#[test]
fn games_are_chosen_and_ordered_before_they_are_written() {
    let desk = Desk::with(&[("a.pgn", GAMES.as_bytes())]);
    let run = |options: &[&str]| {
        let ran =
            desk.run(&[&["games", "-q", "--tags", "none", "--no-comments"], options, &["a.pgn", "a.pgn"]].concat());
        moves(&ran.stdout)
    };
    let (first, second) = ("1. e4 $1 (1. d4) 1... c5 1-0", "1. f4 0-1");
    assert_eq!(run(&[]), [first, second, first, second].join("\n"));
    assert_eq!(run(&["-u"]), [first, second, second].join("\n"), "a game with an error has no duplicates");
    assert_eq!(run(&["--on-error", "drop"]), [first, first].join("\n"));
    assert_eq!(run(&["-t", "White=Bird"]), [second, second].join("\n"));
    assert_eq!(run(&["--sort", "White"]), [second, second, first, first].join("\n"));
    assert_eq!(run(&["--length", "2.."]), [first, first].join("\n"));
}

#[test]
fn games_are_cut_behind_a_ply() {
    let text = "[White \"A\"]\n[Result \"1-0\"]\n\n{s} 1. e4 {one} (1. d4 d5 (1... Nf6 2. c4) 2. c4) \
        1... e5 $1 {two} (1... c5 2. Nf3 {x}) \
        2. Nf3 {three} (2. f4 exf4) Ke4 1-0\n";
    let desk = Desk::with(&[("a.pgn", text.as_bytes())]);
    let run = |options: &[&str]| {
        let ran = desk.run(&[&["games", "--tags", "Result", "--width", "0"], options, &["a.pgn"]].concat());
        (ran.stdout.trim_end().replace("[Result \"1-0\"]\n\n", ""), ran.code, ran.stderr)
    };
    let cut = |options: &[&str], expected: &str| {
        let (written, code, said) = run(options);
        assert_eq!((written.as_str(), code, said.as_str()), (expected, Some(0), ""), "{options:?}");
        // What is written reads back as it is, without warnings.
        let again = desk.pipe(
            &["games", "--tags", "Result", "--width", "0", "-"],
            format!("[Result \"1-0\"]\n\n{written}\n").as_bytes(),
        );
        assert_eq!((again.stdout.trim_end().replace("[Result \"1-0\"]\n\n", ""), again.stderr.as_str()), (written, ""));
    };
    let two = "{s} 1. e4 {one} (1. d4 d5 (1... Nf6)) 1... e5 $1 {two} (1... c5) 1-0";
    cut(&["-p", "..2"], two);
    cut(&["--ply", "0..2"], two);
    cut(&["--ply=..2", "--no-variations"], "{s} 1. e4 {one} 1... e5 $1 {two} 1-0");
    cut(&["-p", "..1", "--no-comments"], "1. e4 (1. d4) 1-0");
    cut(&["-p", "..0"], "{s} 1-0");
    let fen = "{rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2}";
    let (written, ..) = run(&["-p", "..2", "--no-comments", "--no-variations", "--add-fen", "last"]);
    assert_eq!(written, format!("1. e4 e5 $1 {fen} 1-0"));
    cut(&["-p", "..3", "--no-variations"], "{s} 1. e4 {one} 1... e5 $1 {two} 2. Nf3 {three} 1-0");
    assert_eq!(run(&["-p", "..4"]).1, Some(1), "the illegal move is read");
    for wrong in ["8..20", "24", "..-1", "..", "..2,4", "x"] {
        assert_eq!(run(&["-p", wrong]).1, Some(2), "{wrong}");
    }
}

#[test]
fn games_that_are_cut_are_duplicates_if_what_is_left_is_the_same() {
    let text =
        "[White \"A\"]\n\n1. e4 e5 2. Nf3 *\n\n[White \"B\"]\n\n1. e4 e5 2. f4 *\n\n[White \"C\"]\n\n1. e4 c5 *\n";
    let desk = Desk::with(&[("a.pgn", text.as_bytes())]);
    let run = |plies| desk.run(&["games", "-u", "--tags", "White", "-p", plies, "a.pgn"]).stdout;
    assert_eq!(run("..2"), "[White \"A\"]\n\n1. e4 e5 *\n\n[White \"C\"]\n\n1. e4 c5 *\n\n");
    assert_eq!(run("..3").matches("[White").count(), 3);
}
