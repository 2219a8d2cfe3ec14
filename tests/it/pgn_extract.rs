//! The commands of docs/pgn-extract.md: those of pgn2fen do something, and what they write is what pgn-extract writes.
//!
//! The comparison needs pgn-extract, which `.ci/run` installs. Without it the test says so, and fails with the variable
//! `PGN2FEN_PGN_EXTRACT`.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::{env, fs, io};

use pgn2fen_games::database::Database;
use pgn2fen_games::pgn::games::Game;

use crate::cli::Desk;
use crate::export::tree::Tree;

/// The rows of the page that have two commands: the task, and the commands.
fn rows(page: &str) -> Vec<[&str; 3]> {
    let mut rows = Vec::new();
    for line in page.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(|cell| cell.trim().trim_matches('`')).collect();
        if let [task, theirs, ours] = cells[..]
            && theirs.starts_with("pgn-extract ")
            && ours.starts_with("pgn2fen ")
        {
            rows.push([task, theirs, ours]);
        }
    }
    rows
}

/// The commands that make the files of the page.
fn preparations(page: &str) -> Vec<&str> {
    let block = page.split("```console\n").nth(1).unwrap().split("```").next().unwrap();
    block.lines().filter_map(|line| line.strip_prefix("$ ")).collect()
}

/// Where pgn-extract is, if it is installed. Debian has a folder for games.
fn pgn_extract() -> Option<String> {
    let path = env::var("PATH").unwrap_or_default() + ":/usr/games";
    env::split_paths(&path).any(|folder| folder.join("pgn-extract").exists()).then_some(path)
}

/// Runs a command in a folder with the files of the page. Returns what it prints and the files that it makes.
fn run(preparations: &[&str], command: &str, path: &str) -> BTreeMap<String, Vec<u8>> {
    let desk = Desk::with(&[]);
    let ours = Path::new(env!("CARGO_BIN_EXE_pgn2fen")).parent().unwrap();
    let path = format!("{}:{path}", ours.display());
    let shell = |command: &str| {
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).current_dir(desk.path(".")).env("PATH", &path);
        shell.output().unwrap()
    };
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    shell(&format!("ln -s '{}' fixtures", fixtures.display()));
    for preparation in preparations {
        assert!(shell(preparation).status.success(), "{preparation}");
    }
    let before = desk.files();
    let output = shell(command);
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    let files = desk.files().into_iter().filter(|name| !before.contains(name));
    let mut made: BTreeMap<String, Vec<u8>> = files.map(|name| (name.clone(), desk.read(&name))).collect();
    made.insert("what is printed".to_owned(), output.stdout);
    made
}

/// What a text has that both programs write alike: the games with their tags and moves, or the positions.
fn contents(text: &[u8]) -> Vec<String> {
    let is_positions =
        text.split(|byte| *byte == b'\n').next().is_some_and(|line| line.contains(&b'/') && line[0] != b'[');
    if is_positions {
        // Four fields; pgn-extract adds operations, and an e.p. square that only it knows.
        let text = String::from_utf8_lossy(text);
        let fields = |line: &str| line.split(' ').take(3).collect::<Vec<_>>().join(" ");
        return text.lines().filter(|line| !line.is_empty()).map(fields).collect();
    }
    let game = |game: Game<'_>| {
        let mut tags: Vec<String> = game
            .tags()
            .iter()
            .map(|tag| format!("{}: {}", String::from_utf8_lossy(tag.name), tag.value.decode()))
            .collect();
        tags.sort();
        // pgn-extract puts the FEN at the end in quotation marks.
        let tree = format!("{:?}", Tree::of(&game)).replace("\\\"", "");
        format!("{tags:?} {tree} {:?}", game.moves().unwrap().outcome())
    };
    Database::from(text.to_vec()).games().map(game).collect()
}

#[test]
fn the_commands_beside_those_of_pgn_extract_write_the_same_games() {
    let page = fs::read_to_string("docs/pgn-extract.md").unwrap();
    let (rows, preparations) = (rows(&page), preparations(&page));
    assert!(rows.len() > 15, "{}", rows.len());
    let path = pgn_extract();
    if path.is_none() {
        assert!(env::var_os("PGN2FEN_PGN_EXTRACT").is_none(), "pgn-extract is not installed");
        // Unlike `println!`, this is shown although the test passes.
        let _ = writeln!(io::stderr(), "pgn-extract is not installed: its commands are not compared");
    }
    let mut differences = Vec::new();
    for [task, theirs, ours] in rows {
        let made = run(&preparations, ours, &env::var("PATH").unwrap_or_default());
        assert!(made.values().any(|text| !contents(text).is_empty()), "{ours} writes nothing");
        let Some(path) = &path else {
            continue;
        };
        let expected = run(&preparations, theirs, path);
        for (name, text) in &expected {
            let expected = contents(text);
            let found = made.get(name).map(|text| contents(text)).unwrap_or_default();
            let at = (0..expected.len().max(found.len())).find(|at| expected.get(*at) != found.get(*at));
            if let Some(at) = at {
                let [expected_one, found_one] = [&expected, &found].map(|all| all.get(at).cloned().unwrap_or_default());
                let counts = format!("{} and {}", expected.len(), found.len());
                differences.push(format!("{task}: {name}: {counts}; number {at}:\n{expected_one}\n{found_one}"));
            }
        }
    }
    assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n\n"));
}
