//! `games --tree` and `find --tree`: games leave a repertoire where a comparison position by position says so, in
//! every format, from an index, and from archives of the sites. `tree -f anki` has a card for each position.

use std::collections::{HashMap, HashSet};

use pgn2fen_chess::Position;
use pgn2fen_chess::fen::{EpStyle, FenStyle, Fields};
use pgn2fen_chess::piece::Color;
use pgn2fen_games::Database;
use pgn2fen_games::replay::Event;

use crate::cli::Desk;
use crate::index::build;

const GAMES: &[u8] = include_bytes!("../../fixtures/games/tournaments_2020.pgn");
const OTHERS: &[u8] = include_bytes!("../../fixtures/games/lichess_2012.pgn");
const WHITE: &[u8] = include_bytes!("../../fixtures/repertoires/white_e4.pgn");

/// A position in words: its first four FEN fields, and an en passant square only if a pawn may be captured there.
fn words(position: &Position) -> String {
    let style = FenStyle { ep: EpStyle::Legal, fields: Fields::Four, ..FenStyle::default() };
    pgn2fen_chess::fen::to_string(position, style)
}

/// The positions of a repertoire, and the moves in each.
fn repertoire(text: &[u8]) -> HashMap<String, HashSet<String>> {
    let mut moves: HashMap<String, HashSet<String>> = HashMap::new();
    for game in Database::from(text.to_vec()).games() {
        let mut events = game.moves().unwrap();
        moves.entry(words(events.after())).or_default();
        while let Some(event) = events.next() {
            if let Ok(Event::Move(ply)) = event {
                let uci = ply.played.to_uci(events.castling_rules());
                moves.entry(words(events.before())).or_default().insert(uci);
                moves.entry(words(events.after())).or_default();
            }
        }
    }
    moves
}

/// How each game leaves the repertoire, at which ply, with which move, and how often it had come back.
fn brute_force(lines: &[u8], side: Color, games: &[u8]) -> Vec<String> {
    let moves = repertoire(lines);
    let mut all = Vec::new();
    for game in Database::from(games.to_vec()).games() {
        let Ok(mut replay) = game.replay() else { continue };
        let mut line = vec![(replay.position().clone(), String::new())];
        while let Some(Ok(ply)) = replay.next_ply() {
            line.last_mut().unwrap().1 = ply.played.to_uci(replay.castling_rules());
            line.push((replay.position().clone(), String::new()));
        }
        let on: Vec<usize> = (0..line.len()).filter(|ply| moves.contains_key(&words(&line[*ply].0))).collect();
        let returns = on.windows(2).filter(|pair| pair[1] > pair[0] + 1).count();
        let Some(last) = on.last() else {
            all.push(format!("never   {returns}"));
            continue;
        };
        let (position, played) = &line[*last];
        let how = if played.is_empty() {
            "within"
        } else if moves[&words(position)].is_empty() {
            "line_end"
        } else if position.turn() == side {
            "player"
        } else {
            "opponent"
        };
        all.push(format!("{how} {last} {played} {returns}"));
    }
    all
}

/// The rows of a table, by the names of the columns.
fn rows(csv: &str) -> Vec<HashMap<String, String>> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    reader.deserialize().map(Result::unwrap).collect()
}

fn told(csv: &str) -> Vec<String> {
    let told =
        |row: &HashMap<String, String>| ["leaving", "ply", "uci", "returns"].map(|name| row[name].clone()).join(" ");
    rows(csv).iter().map(told).collect()
}

fn desk() -> Desk {
    Desk::with(&[("white.pgn", WHITE), ("games.pgn", GAMES), ("others.pgn", OTHERS)])
}

#[test]
fn games_leave_a_repertoire_where_a_comparison_of_positions_says() {
    let desk = desk();
    // A repertoire that has the most played lines of the games themselves, with their transpositions.
    let made = desk.run(&["tree", "games.pgn", "--min-games", "2", "-p", "16", "-o", "lines.pgn"]);
    assert_eq!(made.code, Some(0), "{made:?}");
    for lines in ["white.pgn", "lines.pgn"] {
        for (side, color) in [("w", Color::White), ("b", Color::Black)] {
            for games in ["games.pgn", "others.pgn"] {
                let ran = desk.run(&["games", "--tree", lines, "--side", side, "-f", "csv", games]);
                assert_eq!(ran.code, Some(0), "{ran:?}");
                let expected = brute_force(&desk.read(lines), color, &desk.read(games));
                assert_eq!(told(&ran.stdout), expected, "{lines} {side} {games}");
                assert!(expected.len() > 30);
            }
        }
    }
}

#[test]
fn departures_and_unmet_lines_add_up() {
    let desk = desk();
    let table = |name| {
        let ran = desk.run(&["games", "--tree", "white.pgn", "-f", "csv", "--table", name, "games.pgn", "others.pgn"]);
        rows(&ran.stdout)
    };
    let games = table("games");
    let number = |row: &HashMap<String, String>, name: &str| row[name].parse::<u64>().unwrap();
    for how in ["player", "opponent", "line_end"] {
        let one_by_one = games.iter().filter(|row| row["leaving"] == how).count() as u64;
        let departures = table("departures");
        let counted: u64 = departures.iter().filter(|row| row["leaving"] == how).map(|row| number(row, "games")).sum();
        assert_eq!(counted, one_by_one, "{how}");
        assert!(one_by_one > 0, "{how}");
    }
    // Each position that no game reached is counted with one line.
    let moves = repertoire(WHITE);
    let mut met = HashSet::new();
    for text in [GAMES, OTHERS] {
        for game in Database::from(text.to_vec()).games() {
            let mut replay = game.replay().unwrap();
            met.insert(words(replay.position()));
            while let Some(Ok(_)) = replay.next_ply() {
                met.insert(words(replay.position()));
            }
        }
    }
    let unmet: Vec<&String> = moves.keys().filter(|position| !met.contains(*position)).collect();
    let ends = unmet.iter().filter(|position| moves[**position].is_empty()).count() as u64;
    let told = table("unmet");
    assert_eq!(told.iter().map(|row| number(row, "positions")).sum::<u64>(), unmet.len() as u64);
    assert_eq!(told.iter().map(|row| number(row, "lines")).sum::<u64>(), ends);
    assert!(ends > 3);
}

#[test]
fn an_index_says_what_the_files_say() {
    let desk = desk();
    build(&desk, &["-o", "games.idx"], &["games.pgn".to_owned(), "others.pgn".to_owned()]);
    for table in ["games", "departures", "unmet"] {
        let options = ["--tree", "white.pgn", "--side", "w", "-t", "Date>=2012.06", "-f", "csv", "--table", table];
        let of_files = desk.run(&[&["games"], &options[..], &["games.pgn", "others.pgn"]].concat());
        let of_index = desk.run(&[&["find"], &options[..], &["games.idx"]].concat());
        assert_eq!((of_files.code, of_index.code), (Some(0), Some(0)), "{of_files:?} {of_index:?}");
        // Games of an index have a number in the index.
        let mut expected = rows(&of_files.stdout);
        let mut told = rows(&of_index.stdout);
        for row in expected.iter_mut().chain(&mut told) {
            row.remove("game");
        }
        assert_eq!(told, expected, "{table}");
        assert!(!told.is_empty());
    }
    let pgn = |command: &str, input: &[&str]| {
        let options = ["--tree", "white.pgn", "--side", "w", "--player", "carlsen", "-f", "pgn"];
        desk.run(&[&[command], &options[..], input].concat()).stdout
    };
    let of_files = pgn("games", &["games.pgn", "others.pgn"]);
    assert_eq!(pgn("find", &["games.idx"]), of_files);
    assert_eq!(of_files.matches("[Event ").count(), 8);
}

#[test]
fn games_with_annotations_read_back_with_their_moves() {
    let desk = desk();
    let ran = desk.run(&["games", "--tree", "white.pgn", "--side", "w", "games.pgn", "-o", "out.pgn"]);
    ran.is("", "", 0);
    let moves = |file: &str| desk.run(&[file]).stdout;
    assert_eq!(moves("out.pgn"), moves("games.pgn"));
    desk.run(&["check", "-q", "--variations", "out.pgn"]).is("", "", 0);
    let text = String::from_utf8(desk.read("out.pgn")).unwrap().replace('\n', " ");
    let comments = ["{White leaves the repertoire}", "{The repertoire lacks this move}", "repertoire ends here}"];
    let left = told(&desk.run(&["games", "--tree", "white.pgn", "--side", "w", "-f", "csv", "games.pgn"]).stdout);
    for (comment, how) in comments.into_iter().zip(["player", "opponent", "line_end"]) {
        let count = left.iter().filter(|row| row.starts_with(&format!("{how} "))).count();
        assert_eq!(text.matches(comment).count(), count, "{comment}");
        let chosen = ["games", "-v", "--tree", "white.pgn", "--side", "w", "-f", "pgn", "--leaving", how, "games.pgn"];
        let ran = desk.run(&chosen);
        let written = ran.stdout.matches("[Event ").count();
        assert_eq!((written, ran.stdout.replace('\n', " ").matches(comment).count()), (count, count));
        assert!(ran.stderr.contains(&format!("summary: {count} of 232 games, 0 errors")), "{}", ran.stderr);
    }
    let ran = desk.run(&["games", "--tree", "white.pgn", "--side", "w", "--leaving", "player", "games.pgn"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("use -f pgn"), "{ran:?}");
}

#[test]
fn archives_of_the_sites_are_compared_like_pgn() {
    let pgn = "[White \\\"me\\\"]\\n[Black \\\"you\\\"]\\n[Result \\\"1-0\\\"]\\n\\n1. e4 c5 2. c3 1-0";
    let archive = format!("{{\"games\":[{{\"url\":\"https://www.chess.com/game/live/1\",\"pgn\":\"{pgn}\"}}]}}");
    let players = r#"{"white":{"user":{"name":"me"}},"black":{"user":{"name":"you"}}}"#;
    let moves = "\"winner\":\"white\",\"moves\":\"e4 c5 c3\"";
    let ndjson = format!("{{\"id\":\"abcdefgh\",\"players\":{players},{moves}}}\n");
    let desk = Desk::with(&[
        ("white.pgn", WHITE),
        ("month.json", archive.as_bytes()),
        ("games.ndjson", ndjson.as_bytes()),
        ("names.txt", b"Somebody\n  me\n"),
    ]);
    for file in ["month.json", "games.ndjson"] {
        let ran = desk.run(&[
            "games",
            "--tree",
            "white.pgn",
            "--player",
            "somebody",
            "--names",
            "names.txt",
            "-f",
            "jsonl",
            file,
        ]);
        assert!(ran.stdout.contains("\"white\":\"me\",\"black\":\"you\""), "{ran:?}");
        assert!(
            ran.stdout.contains("\"leaving\":\"player\",\"ply\":2,\"path\":\"1. e4 c5\",\"san\":\"c3\""),
            "{ran:?}"
        );
    }
}

#[test]
fn errors_are_told_with_their_places_and_the_rest_is_compared() {
    let desk = Desk::with(&[
        ("white.pgn", b"1. e4 e5 (1... c5 2. Ke3) 2. Nf3 *\n"),
        ("games.pgn", b"1. e4 c5 2. Nf3 Ke3 *\n\n1. e4 e5 2. f4 *\n"),
        ("none.pgn", b"*\n"),
        ("both.pgn", b"1. e4 e5 *\n"),
    ]);
    let ran = desk.run(&["games", "--tree", "white.pgn", "-f", "tsv", "games.pgn"]);
    let hint = "hint: the repertoire is taken for one of White; --side b says otherwise\n";
    let errors =
        "white.pgn:1:22: illegal-move: Ke3 in game 1, ply 3: the white king on e1 cannot reach e3 (in a variation)\n";
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.starts_with(&format!("{errors}{hint}games.pgn:1:17: illegal-move: Ke3")), "{ran:?}");
    assert_eq!(ran.stdout.lines().count(), 3);
    let failed = |arguments: &[&str], message: &str| {
        let ran = desk.run(arguments);
        assert_eq!((ran.code, &*ran.stdout), (Some(2), ""), "{ran:?}");
        assert!(ran.stderr.contains(message), "{ran:?}");
    };
    failed(&["games", "--tree", "none.pgn", "games.pgn"], "none.pgn has no moves, so there is no repertoire");
    failed(&["games", "--tree", "both.pgn", "games.pgn"], "tell who has the repertoire with --side w or --side b");
    failed(&["games", "--tree", "missing.pgn", "games.pgn"], "the repertoire could not be read");
    failed(&["games", "--tree", "white.pgn", "--split", "10", "games.pgn"], "--split is for copies of games");
    failed(
        &["games", "--tree", "white.pgn", "--table", "unmet", "games.pgn"],
        "--table is for tables, and text is none",
    );
    failed(&["games", "--tree", "white.pgn", "games.pgn", "-o", "white.pgn"], "white.pgn");
    failed(&["games", "--side", "w", "games.pgn"], "--tree");
    failed(&["tree", "-f", "anki", "games.pgn"], "give --side w or --side b");
    failed(&["find", "-f", "text", "games.idx"], "text is a format of --tree");
}

/// Each position in which the side is to move and that has a move is a card, whatever the order of the moves.
#[test]
fn cards_are_the_positions_of_a_side() {
    let desk = desk();
    let cards = |side: &str, file: &str| {
        let front = ["--variations", "--side", side, "-f", "anki", "--front", "fen"];
        let ran = desk.run(&[&["tree", file], &front[..]].concat());
        assert_eq!((&*ran.stderr, ran.code), ("", Some(0)));
        ran.stdout.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect::<Vec<_>>()
    };
    let moves = repertoire(WHITE);
    for side in ["w", "b"] {
        let cards = cards(side, "white.pgn");
        let own = |fen: &&String| fen.split(' ').nth(1) == Some(side) && !moves[*fen].is_empty();
        let expected: HashSet<&str> = moves.keys().filter(own).map(|fen| fen.split(" - ").next().unwrap()).collect();
        assert_eq!(cards.len(), moves.keys().filter(own).count());
        let ids: HashSet<&str> = cards.iter().map(|card| card.split('\t').next().unwrap()).collect();
        assert_eq!(ids.len(), cards.len());
        for fen in expected {
            let placement = fen.split(' ').next().unwrap();
            assert!(cards.iter().any(|card| card.contains(placement)), "{fen}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_boards_have_colours_and_text_of_games_has_none() {
    let evil = "\u{1b}[31mEvil\u{1b}[0m\u{1b}[38;5;16;48;5;1m\u{1b}]0;x\u{7}\u{9b}2J\u{202e}";
    let game = format!("[White \"{evil}\"]\n[Black \"{evil}\"]\n\n1. d4 {{{evil}}} *\n");
    let desk = Desk::with(&[("d.pgn", game.as_bytes()), ("r.pgn", b"1. e4 *\n")]);
    desk.run(&["index", "-q", "-o", "d.idx", "d.pgn"]).is("", "", 0);
    let piped = desk.run(&["games", "--tree", "r.pgn", "--side", "w", "d.pgn"]).stdout;
    let has_color = |line: &str| line.starts_with("8 ") && line.contains('\u{1b}');
    assert!(
        piped.contains("\u{1b}[31mEvil") && !piped.lines().any(has_color),
        "data stays as it is in a pipe: {piped:?}"
    );
    for arguments in [
        &["games", "--tree", "r.pgn", "--side", "w", "d.pgn"][..],
        &["find", "--tree", "r.pgn", "--side", "w", "d.idx"],
    ] {
        let (shown, code) = desk.show(arguments);
        assert_eq!(code, Some(0), "{arguments:?}");
        // A rank of the board is eight squares, each with its colour, and the end of the colours.
        let (boards, lines): (Vec<&str>, Vec<&str>) = shown.lines().partition(|line| line.contains('\u{1b}'));
        assert_eq!(boards.len(), 8, "{arguments:?}: {shown:?}");
        for (rank, line) in boards.iter().enumerate() {
            assert!(line.starts_with(&format!("{} \u{1b}[38;5;16;48;5;", 8 - rank)), "{line:?}");
            assert_eq!(
                (line.matches("\u{1b}[38;5;16;48;5;").count(), line.matches('\u{1b}').count()),
                (8, 9),
                "{line:?}"
            );
            assert!(line.ends_with("\u{1b}[0m") && !line.contains('\u{fffd}'), "{line:?}");
        }
        let text = lines.concat();
        assert!(text.contains("\u{fffd}[31mEvil\u{fffd}[0m") && !text.contains(char::is_control), "{text:?}");
        assert!(!text.contains('\u{202e}'), "{text:?}");
    }
    // Without colours, nothing but text is shown.
    let (shown, _) = desk.show(&["games", "--tree", "r.pgn", "--side", "w", "--color", "never", "d.pgn"]);
    assert!(!shown.contains('\u{1b}') && shown.contains("\u{fffd}[31mEvil"), "{shown:?}");
}

#[test]
fn games_that_the_index_lost_are_an_error() {
    let desk = Desk::with(&[("white.pgn", WHITE), ("a.pgn", GAMES), ("b.pgn", OTHERS)]);
    build(&desk, &["-o", "games.idx"], &["a.pgn".to_owned(), "b.pgn".to_owned()]);
    let compare = || desk.run(&["find", "--tree", "white.pgn", "--side", "w", "-f", "pgn", "games.idx"]);
    assert_eq!(compare().code, Some(0));
    std::fs::write(desk.path("b.pgn"), [OTHERS, b"\n"].concat()).unwrap();
    let rest = compare();
    assert!(rest.stdout.contains("[Event ") && rest.stderr.contains("b.pgn: the file has changed"), "{}", rest.stderr);
    assert_eq!(rest.code, Some(2));
}

#[test]
fn a_page_has_the_title_that_is_given() {
    let desk = Desk::with(&[("white.pgn", WHITE), ("a.pgn", GAMES)]);
    build(&desk, &["-o", "games.idx"], &["a.pgn".to_owned()]);
    for arguments in [&["games", "--tree", "white.pgn", "a.pgn"][..], &["find", "--tree", "white.pgn", "games.idx"]] {
        let page = desk.run(&[arguments, &["-f", "html", "--title", "May <1>"]].concat()).stdout;
        assert!(page.contains("<title>May &lt;1&gt;</title>"), "{arguments:?}");
        let ran = desk.run(&[arguments, &["-f", "csv", "--title", "May"]].concat());
        let said = "--title has no effect on the format csv; only html has a title";
        assert!(ran.code == Some(2) && ran.stderr.contains(said), "{arguments:?}: {}", ran.stderr);
    }
    let ran = desk.run(&["games", "--title", "May", "a.pgn"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("--tree"), "{}", ran.stderr);
}
