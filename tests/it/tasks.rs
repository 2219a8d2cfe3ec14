//! Tasks of coaches, collectors and arbiters, as the page of recipes has them: each is a script of at most three
//! commands that ends in a file, whose contents are checked.

use std::fs;
use std::path::Path;

use crate::cli::Desk;
use crate::guide::Bench;

/// The tasks of the page: what is done, and the commands.
fn tasks() -> Vec<(String, Vec<String>)> {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/recipes.md")).unwrap();
    let section = page.split_once("\n## Sixteen tasks\n").expect("the section").1;
    let block = section.split("```").nth(1).unwrap().trim_start_matches("text\n");
    let scripts = block.split("\n\n").map(|script| {
        let mut lines = script.trim().lines();
        let title = lines.next().unwrap().strip_prefix("# ").expect("a script begins with what it does");
        (title.to_owned(), lines.map(str::to_owned).collect())
    });
    scripts.collect()
}

/// A file of twelve puzzles: those of the fixture, several times.
fn puzzles() -> String {
    let file = fs::read_to_string(fixture("records/puzzles.csv")).unwrap();
    let (head, rows) = file.split_once('\n').unwrap();
    let rows: Vec<&str> = rows.lines().filter(|row| row.contains("mateIn") || row.contains("castling")).collect();
    let row = |at: usize| format!("p{at:02}{}", &rows[at % rows.len()][5..]);
    format!("{head}\n{}\n", (0..12).map(row).collect::<Vec<_>>().join("\n"))
}

fn fixture(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)
}

/// A second file of the repertoire, with an arrow.
const LINES: &[u8] = b"[White \"Lines\"]\n\n{The Scotch, too.} 1. e4 e5 2. Nf3 Nc6 3. d4 $1 {takes the centre \
    [%cal Gd2d4]} exd4 4. Nxd4 *\n";

/// A game that is repeated until its position has occurred three times.
const REPEATED: &[u8] = b"[White \"Again\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2\n";

/// The folder in which the scripts run, one after another.
fn bench() -> Bench {
    let bench = Bench::new();
    let copied = [
        ("games.pgn", "games/tournaments_2020.pgn"),
        ("white.pgn", "repertoires/white_e4.pgn"),
        ("club.pgn", "players/several_names.pgn"),
        ("rated.pgn", "games/blitz_evaluations_and_clocks.pgn"),
    ];
    for (name, from) in copied {
        fs::copy(fixture(from), bench.desk().path(name)).unwrap();
    }
    let lichess = [&fs::read(fixture("games/lichess_2012.pgn")).unwrap()[..], b"\n\n", REPEATED].concat();
    let puzzles = puzzles();
    let files = [("puzzles.csv", puzzles.as_bytes()), ("lines.pgn", LINES), ("lichess.pgn", &lichess)];
    for (name, bytes) in files {
        fs::write(bench.desk().path(name), bytes).unwrap();
    }
    bench.shell("pgn2fen -n 1 games.pgn -o positions.fen");
    // Games of which the second half is missing.
    bench.shell("pgn2fen games -p ..24 -n 20 games.pgn -o broken.pgn");
    bench
}

fn text(desk: &Desk, name: &str) -> String {
    String::from_utf8(desk.read(name)).unwrap()
}

fn games(text: &str) -> usize {
    text.lines().filter(|line| line.starts_with("[White \"")).count()
}

/// Returns a tag of each game.
fn values<'t>(text: &'t str, tag: &str) -> Vec<&'t str> {
    let value = |line: &'t str| line.strip_prefix('[')?.strip_prefix(tag)?.strip_prefix(" \"")?.strip_suffix("\"]");
    text.lines().filter_map(value).collect()
}

/// The words that a page shows.
fn words(page: &str) -> String {
    let body = page.split_once("<body>").expect("a page").1;
    let mut shown = String::new();
    for part in body.split('<').skip(1) {
        let (tag, text) = part.split_once('>').unwrap();
        // Drawings have titles and descriptions, which are not seen.
        if !["title", "desc", "/title", "/desc"].contains(&tag) {
            shown.push(' ');
        }
        shown += if ["title", "desc"].contains(&tag) { "" } else { text };
    }
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn boards(page: &str) -> usize {
    page.matches("<figure").count()
}

/// The moves of the longest game, in plies.
fn longest(desk: &Desk, name: &str) -> usize {
    let rows = desk.run(&["-q", "--no-header", "-C", "ply", name]).stdout;
    rows.lines().map(|ply| ply.parse().unwrap()).max().unwrap()
}

/// Checks the file in which a task ends.
fn check(title: &str, desk: &Desk) {
    let read = |name: &str| text(desk, name);
    match title {
        "a handout about an opening" => {
            let page = read("handout.html");
            let words = words(&page);
            assert!(words.starts_with("The Sicilian ") && words.contains("1. e4 c5 34 games"), "{words}");
            assert!(words.split(' ').count() > 150, "{words}");
        }
        "a sheet of twelve puzzles, and their answers" => {
            let page = read("sheet.html");
            assert_eq!((boards(&page), page.matches("<li>").count()), (12, 12));
            assert!(words(&page).contains("Solutions") && page.contains("4. Qxf7#"), "{}", words(&page));
        }
        "cards of tactics" => {
            let cards = read("tactics.anki");
            assert_eq!(cards.lines().filter(|line| !line.starts_with('#')).count(), 12);
            assert!(cards.contains("#deck:Tactics\n") && cards.contains("Qxf7#") && cards.contains("mateIn1"));
        }
        "where games leave a repertoire" => {
            let words = words(&read("report.html"));
            assert!(words.starts_with("Carlsen and 1. e4 ") && words.contains("8 games"), "{words}");
            assert!(words.matches("Carlsen").count() > 5, "{words}");
        }
        "the results of a player" => {
            let rows = read("carlsen.csv");
            assert!(rows.starts_with("by,group,color,games,wins,draws,losses,unknown,score,opponents,performance\n"));
            assert!(rows.contains("\nall,all games,white,8,4,3,1,0,69,2753,2903\n"), "{rows}");
        }
        "one name for each player" => {
            let renamed = read("renamed.pgn");
            let whites = values(&renamed, "White");
            assert_eq!(whites.len(), games(&read("club.pgn")));
            assert_eq!(whites.iter().filter(|white| **white == "Carlsen, Magnus").count(), 3, "{whites:?}");
            assert!(!renamed.contains("Magnus Carlsen") && !renamed.contains("CARLSEN"), "{renamed}");
        }
        "tags for the openings" => {
            let (before, after) = (read("games.pgn"), read("openings.pgn"));
            assert_eq!((games(&after), values(&after, "Opening").len()), (games(&before), games(&before)));
            assert!(values(&after, "ECO").contains(&"C65"));
        }
        "an opening suite: games cut after 24 plies" => {
            assert_eq!((games(&read("suite.pgn")), longest(desk, "suite.pgn")), (227, 24));
        }
        "one tree of two files, with the comments of both" => {
            let merged = read("merged.pgn");
            let line = merged.split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(games(&merged), 1);
            for part in [
                "The Ruy Lopez",
                "The Scotch, too.",
                "3. d4 $1 {takes the centre",
                "[%cal Gd2d4]",
                "6. d3 b5 7. Bb3 d6",
            ] {
                assert!(line.contains(part), "{part}: {line}");
            }
        }
        "a game of a list of positions" => {
            let joined = read("joined.pgn");
            assert_eq!(games(&joined), 1);
            let [made, source] = ["joined.pgn", "games.pgn"].map(|name| desk.run(&["-q", "-n1", name]).stdout);
            assert_eq!(made, source);
        }
        "games that break off are left out where another goes on" => {
            assert_eq!(games(&read("broken.pgn")), 20);
            assert_eq!(games(&read("whole.pgn")), 232);
            assert!(longest(desk, "whole.pgn") > 100);
        }
        "a sequence of moves" => {
            let found = read("sequence.pgn");
            assert_eq!((games(&found), found.matches("Bxh7+ Kxh7").count()), (2, 2), "{found}");
        }
        "games that end in mate by a knight, or by a repetition" => {
            let found = read("ends.pgn");
            assert!(values(&found, "White").contains(&"Again"), "{found}");
            assert!(found.lines().any(|line| line.contains("N") && line.contains("#")), "{found}");
        }
        "blunders, with the position before each" => {
            let page = read("blunders.html");
            assert_eq!(boards(&page), 362);
            assert!(words(&page).contains("Mrios – juanf8156 next_san: O-O-O"), "{}", words(&page));
        }
        "what cannot be right in a tournament" => {
            let rows = read("findings.csv");
            assert!(rows.starts_with("file,line,column,kind,text\nclub.pgn,15,1,possible-spelling,"), "{rows}");
            assert_eq!(rows.lines().filter(|row| row.contains("spelling") || row.contains("no-result")).count(), 7);
        }
        "a study of a repertoire, cut after 12 plies" => {
            let study = read("study-1.pgn");
            assert_eq!((games(&study), values(&study, "ChapterName").len()), (1, 1));
            assert_eq!(longest(desk, "study-1.pgn"), 12);
            assert!(study.contains("The Ruy Lopez") && study.contains("Scotch"), "{study}");
        }
        other => panic!("nothing is known about the task '{other}'"),
    }
}

#[test]
fn each_task_of_the_page_ends_in_its_file() {
    let bench = bench();
    let tasks = tasks();
    assert_eq!(tasks.len(), 16);
    for (title, commands) in tasks {
        assert!((1..=3).contains(&commands.len()), "{title}");
        for command in commands {
            let said = bench.shell(&command);
            assert!(!said.contains("pgn2fen:") && !said.contains("error"), "{command}: {said}");
        }
        check(&title, bench.desk());
    }
}
