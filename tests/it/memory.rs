//! The command in bounded memory: what is made of a game, whatever a small file unfolds to.

use crate::cli::{Desk, gzip};
use crate::laws::{one_in, sweeps};

/// The limit on the memory of the process, as an argument of `ulimit -d`, in KiB.
///
/// Rows with all columns take 120 to 230 MB on two threads, by how many groups of them wait for their turn.
const LIMIT: &str = "-d 500000";

/// A run in little memory, whose output and last messages are compared.
#[track_caller]
fn run(desk: &Desk, arguments: &str) -> (String, String) {
    let arguments: Vec<&str> = arguments.split(' ').chain(["-j2", "a.pgn.gz"]).collect();
    let ran = desk.run_limited(LIMIT, &arguments);
    assert!(matches!(ran.code, Some(0 | 1)), "{arguments:?}: {:?} {}", ran.code, ran.stderr);
    (ran.stdout, ran.stderr)
}

/// Knights that go out and come home, four plies at a time.
fn knights(times: usize) -> String {
    "Nf3 Nf6 Ng1 Ng8 ".repeat(times)
}

/// A game of two million plies, in a file of 20 kB.
#[test]
fn a_game_of_millions_of_plies_takes_bounded_memory_in_every_format() {
    let game = format!("[Event \"a\"]\n\n1. {}*\n\n[Event \"b\"]\n\n1. e4 *\n", knights(500_000));
    let desk = Desk::with(&[("a.pgn.gz", &gzip(game.as_bytes()))]);
    for arguments in ["-f fen", "-f epd", "-f csv -C *", "-f jsonl", "-f arrow", "-f parquet", "-f viri", "-f html"]
        .into_iter()
        .step_by(one_in(3))
    {
        let (_, messages) = run(&desk, &format!("{arguments} -o out"));
        let expected = "a.pgn.gz:3:400004: too-long: Nf3 in game 1, ply 100001: a line has more than 100000 plies";
        assert!(messages.starts_with(expected), "{arguments}: {messages}");
    }
    for command in ["-u", "games --san -o out", "index -o a.idx", "check -v", "-f html --max-boards all -o out"] {
        let (output, messages) = run(&desk, command);
        let errors = format!("{output}{messages}").matches("too-long").count();
        assert_eq!(errors, 1, "{command}: {messages}");
    }
    let (copies, messages) = run(&desk, "games");
    assert_eq!((copies.len(), &*messages), (game.len(), ""), "a copy needs no moves");
}

#[test]
fn tags_that_each_row_repeats_take_bounded_memory() {
    let tags: String = (0..256).map(|nth| format!("[T{nth} \"{}\"]\n", "x".repeat(4096))).collect();
    let times = if sweeps() { 100 } else { 50 };
    let desk = Desk::with(&[("a.pgn.gz", &gzip(format!("{tags}\n1. {}*\n", knights(times)).as_bytes()))]);
    for format in ["csv", "jsonl", "arrow", "parquet"] {
        run(&desk, &format!("-f {format} -C tags,fen -o out"));
        assert!(format == "parquet" || desk.read("out").len() > 4 * times * 256 * 4096);
    }
}

/// Millions of warnings about a game, which are all counted.
#[test]
fn warnings_about_a_game_take_bounded_memory() {
    const WARNINGS: usize = 5_000_000;
    let desk = Desk::with(&[("a.pgn.gz", &gzip(format!("1. e4 {}*\n", ")".repeat(WARNINGS)).as_bytes()))]);
    let commands = ["check", "games --san -o out", "index -o a.idx", "-f csv -C ply -o out", "-o out"];
    for command in commands.into_iter().step_by(one_in(2)) {
        let ran = desk.run_limited(
            "-d 150000",
            &[command.split(' ').collect(), vec!["-v", "--max-messages", "10", "-j2", "a.pgn.gz"]].concat(),
        );
        assert_eq!(ran.code, Some(0), "{command}: {}", ran.stderr);
        let said = ran.stdout + &ran.stderr;
        assert!(said.contains("\n4,999,990 more messages; use --max-messages to print them\n"), "{command}: {said}");
    }
    let (messages, _) = run(&desk, "check -v --max-messages 20000");
    let messages: Vec<&str> = messages.lines().collect();
    let last = "a.pgn.gz:1:10007: warning: skipped-text: ) in game 1, ply 1: it has no meaning here and was skipped \
        (and 4,989,999 more of these in the game)";
    assert_eq!((messages.len(), messages[10_000]), (10_003, last));
}
