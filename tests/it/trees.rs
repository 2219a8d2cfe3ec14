//! `pgn2fen tree`: a tree has the lines and the counts of a merge of the games that is made move by move, in every
//! format, and from an index as well.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use parquet::file::reader::{FileReader, SerializedFileReader};
use pgn2fen_chess::Position;
use pgn2fen_chess::fen::{EpStyle, FenStyle, Fields};
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::piece::Color;
use pgn2fen_games::Database;
use pgn2fen_games::pgn::games::Games;
use pgn2fen_games::pgn::token::Outcome;
use pgn2fen_games::replay::Event;

use crate::cli::Desk;
use crate::index::build;

/// The games by result: White won, drawn, Black won, unknown.
type Counts = [u64; 4];

/// A position in words: its first four FEN fields, and an en passant square only if a pawn may be captured there.
fn words(position: &Position) -> String {
    let style = FenStyle { ep: EpStyle::Legal, fields: Fields::Four, ..FenStyle::default() };
    pgn2fen_chess::fen::to_string(position, style)
}

/// What games did in each position: how many reached it, and how many played which move there.
#[derive(Debug, Default)]
struct Merge {
    positions: HashMap<String, Counts>,
    /// The moves of each position, in the order in which they were first played.
    moves: HashMap<String, Vec<(Uci, Counts)>>,
}

impl Merge {
    /// Merges the main lines of games, each from where it reaches the root, up to the depth and to its first error.
    fn of(texts: &[Vec<u8>], root: &Position, depth: usize) -> Self {
        let mut merge = Self::default();
        for text in texts {
            for game in Database::from(text.clone()).games() {
                let Ok(mut replay) = game.replay() else { continue };
                let mut line = vec![(words(replay.position()), None)];
                while let Some(Ok(ply)) = replay.next_ply() {
                    line.last_mut().unwrap().1 = Some(ply.played.uci(replay.castling_rules()));
                    line.push((words(replay.position()), None));
                }
                let Some(start) = line.iter().position(|(position, _)| *position == words(root)) else { continue };
                let end = line.len().min(start + depth + 1);
                let line = &mut line[start..end];
                line.last_mut().unwrap().1 = None;
                let result = match replay.outcome() {
                    Outcome::WhiteWins => 0,
                    Outcome::Draw => 1,
                    Outcome::BlackWins => 2,
                    Outcome::Unknown => 3,
                };
                let reached: BTreeSet<&String> = line.iter().map(|(position, _)| position).collect();
                for position in reached {
                    merge.positions.entry(position.clone()).or_default()[result] += 1;
                }
                let mut played = HashSet::new();
                for (position, next) in line.iter().filter_map(|(position, next)| Some((position, (*next)?))) {
                    if played.insert((position, next)) {
                        let moves = merge.moves.entry(position.clone()).or_default();
                        if !moves.iter().any(|(known, _)| *known == next) {
                            moves.push((next, [0; 4]));
                        }
                        moves.iter_mut().find(|(known, _)| *known == next).unwrap().1[result] += 1;
                    }
                }
            }
        }
        merge
    }

    /// The moves of a position that enough games played, the most played first.
    fn moves(&self, position: &Position, min_games: u64) -> Vec<(Uci, Counts)> {
        let mut moves = self.moves.get(&words(position)).cloned().unwrap_or_default();
        moves.retain(|(_, counts)| counts.iter().sum::<u64>() >= min_games);
        moves.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.iter().sum::<u64>()));
        moves
    }

    /// The tree of the positions that are behind moves which enough games played: each move once.
    fn grown(&self, root: &Position, depth: usize, min_games: u64) -> Vec<Grown> {
        let mut known = HashSet::from([words(root)]);
        let mut level = vec![(String::new(), root.clone())];
        let mut all = Vec::new();
        for _ in 0..depth {
            let mut next = Vec::new();
            for (line, position) in level {
                for (uci, counts) in self.moves(&position, min_games) {
                    let (line, after) = play(&line, &position, uci);
                    let goes_on = !known.insert(words(&after));
                    let row = Row { line: line.clone(), after: words(&after), counts, goes_on };
                    all.push(Grown { before: words(&position), uci, row });
                    if !goes_on {
                        next.push((line, after));
                    }
                }
            }
            level = next;
        }
        all
    }
}

/// A move of the tree.
struct Grown {
    before: String,
    uci: Uci,
    row: Row,
}

/// A row of the table: the first of the shortest lines to a position, and a move behind it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    line: String,
    after: String,
    counts: Counts,
    /// Whether the position behind the move is on another line.
    goes_on: bool,
}

/// Plays a move and adds it to the text of a line.
fn play(line: &str, position: &Position, uci: Uci) -> (String, Position) {
    let m = uci.find(position).unwrap();
    let san = m.to_san(position);
    let line = match (position.turn(), line.is_empty()) {
        (Color::White, true) => format!("{}. {san}", position.fullmoves()),
        (Color::White, false) => format!("{line} {}. {san}", position.fullmoves()),
        (Color::Black, true) => format!("{}... {san}", position.fullmoves()),
        (Color::Black, false) => format!("{line} {san}"),
    };
    let mut after = position.clone();
    after.play_unchecked(m);
    (line, after)
}

/// The tables of `pgn2fen tree -f tsv`.
fn table(text: &str) -> Vec<BTreeMap<&str, &str>> {
    let mut lines = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let names = lines.next().unwrap();
    lines.map(|cells| names.iter().copied().zip(cells).collect()).collect()
}

fn rows(table: &[BTreeMap<&str, &str>]) -> BTreeSet<Row> {
    let rows = table.iter().map(|row| Row {
        line: row["path"].to_owned(),
        after: words(&row["fen"].parse().unwrap()),
        counts: ["white", "draws", "black", "unknown"].map(|name| row[name].parse().unwrap()),
        goes_on: !row["transposes_to"].is_empty(),
    });
    rows.collect()
}

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/fixtures/games/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// Games of tournaments and of a book: 2,500 in all, with transpositions, games that stop early, and one with an error.
const NAMES: [&str; 5] =
    ["tournaments_2020.pgn", "lichess_2012.pgn", "opening_book.pgn", "morphy_ascii_crlf.pgn", "error.pgn"];

/// A game that is used up to its error.
const ERROR: &[u8] = b"[White \"A\"]\n[Black \"B\"]\n\n1. e4 c5 2. Nf3 Ke5 3. d4 1-0\n";

fn desk() -> (Desk, Vec<Vec<u8>>) {
    let text = |name: &str| if name == "error.pgn" { ERROR.to_vec() } else { fixture(name) };
    let texts: Vec<Vec<u8>> = NAMES.map(text).to_vec();
    let files: Vec<(&str, &[u8])> = NAMES.iter().copied().zip(texts.iter().map(Vec::as_slice)).collect();
    (Desk::with(&files), texts)
}

#[test]
fn a_tree_has_the_lines_and_counts_of_a_merge() {
    let (desk, texts) = desk();
    let names: Vec<String> = NAMES.map(str::to_owned).to_vec();
    build(&desk, &["-o", "games.idx"], &names);
    let mut transpositions = 0;
    for (from, depth, min_games) in [
        ("startpos", 6, 1),
        ("startpos", 12, 3),
        ("startpos", 40, 2),
        ("1. e4 c5", 10, 1),
        ("1. d4 Nf6 2. c4 e6", 14, 2),
        ("1. Nf3 d5 2. g3", 1, 1),
    ] {
        let root = pgn2fen_games::typed::read_position(from, &pgn2fen_chess::san::Letters::ENGLISH).unwrap();
        let merge = Merge::of(&texts, &root.position, depth);
        let before = match from {
            "startpos" => String::new(),
            moves => moves.to_owned(),
        };
        let grown = merge.grown(&root.position, depth, min_games);
        let mut expected: BTreeSet<Row> = grown.into_iter().map(|grown| grown.row).collect();
        // The line of a row begins with the moves of --from.
        if !before.is_empty() {
            let number = format!("{}... ", root.position.fullmoves());
            let with = |row: Row| Row { line: format!("{before} {}", row.line.trim_start_matches(&number)), ..row };
            expected = expected.into_iter().map(with).collect();
        }
        let (depth, least) = (depth.to_string(), min_games.to_string());
        let options = ["tree", "-q", "-f", "tsv", "--from", from, "-p", &depth, "--min-games", &least];
        let of_files = desk.run(&[&options[..], &NAMES].concat());
        assert_eq!((of_files.stderr.as_str(), of_files.code), ("", Some(1)), "one game has an error");
        let table = table(&of_files.stdout);
        assert_eq!(rows(&table), expected, "{options:?}");
        assert_eq!(table.len(), expected.len(), "no line is there twice");
        for row in &table {
            let counts = ["white", "draws", "black", "unknown"].map(|name| row[name].parse::<u64>().unwrap());
            assert_eq!(row["games"].parse::<u64>().unwrap(), counts.iter().sum::<u64>());
        }
        transpositions += expected.iter().filter(|row| row.goes_on).count();

        let of_index = desk.run(&[&options[..], &["games.idx"]].concat());
        assert_eq!((of_index.stdout, of_index.code), (of_files.stdout, Some(0)));
    }
    assert!(transpositions > 300, "{transpositions}");
}

/// All lines of the tree, none of which comes to a position twice, but the last may. None is longer than the tree is
/// deep.
fn lines(
    merge: &Merge,
    (line, position): (&str, &Position),
    (depth, min_games): (usize, u64),
    path: &mut Vec<String>,
    lines: &mut BTreeSet<String>,
) {
    for (uci, _) in merge.moves(position, min_games) {
        let (line, after) = play(line, position, uci);
        lines.insert(line.clone());
        let words = words(&after);
        if !path.contains(&words) && path.len() < depth {
            path.push(words);
            self::lines(merge, (&line, &after), (depth, min_games), path, lines);
            path.pop();
        }
    }
}

#[test]
fn lines_that_transpose_are_joined_or_written_out() {
    let (desk, texts) = desk();
    let root = Position::initial();
    for (depth, min_games) in [(6, 1), (9, 2), (30, 8)] {
        let merge = Merge::of(&texts, &root, depth);
        let mut expected = BTreeSet::new();
        lines(&merge, ("", &root), (depth, min_games), &mut vec![words(&root)], &mut expected);
        let (depth_text, least) = (depth.to_string(), min_games.to_string());
        let options = ["tree", "-q", "-p", &depth_text, "--min-games", &least];
        let written = desk.run(&[&options[..], &["-f", "tsv", "--transpositions", "write"], &NAMES].concat()).stdout;
        let table = table(&written);
        let found: BTreeSet<String> = table.iter().map(|row| row["path"].to_owned()).collect();
        assert_eq!((found.len(), found.difference(&expected).count()), (expected.len(), 0));
        assert_eq!(table.len(), found.len(), "no line is there twice");

        // The comment of a joined line names a move of the tree, or a line, which leads to the same position.
        let joined = desk.run(&[&options[..], &["--comments", "none"], &NAMES].concat()).stdout;
        let mut names: HashMap<String, BTreeSet<String>> = HashMap::new();
        let mut remarks = Vec::new();
        let game = Games::new(joined.as_bytes()).next().unwrap();
        let mut moves = game.moves().unwrap();
        let mut line = Vec::new();
        while let Some(event) = moves.next() {
            match event.unwrap() {
                Event::Move(ply) => {
                    line.truncate(ply.number as usize - 1);
                    let dots = moves.before().turn().pick(".", "...");
                    let name = format!("{}{dots} {}", moves.before().fullmoves(), ply.played.to_san(moves.before()));
                    line.push(name.clone());
                    names.entry(name).or_default().insert(words(moves.after()));
                }
                Event::Comment(comment) => {
                    remarks.push((comment.decode().replace(['\n', '\r'], " "), words(moves.after())));
                }
                _ => {}
            }
        }
        for (remark, position) in &remarks {
            let place =
                ["transposes to ", "repeats the position after "].into_iter().find_map(|it| remark.strip_prefix(it));
            if remark == "repeats the first position" {
                assert_eq!(*position, words(&root));
                continue;
            }
            let place = place.unwrap_or_else(|| panic!("{remark}"));
            let typed = pgn2fen_games::typed::read_position(place, &pgn2fen_chess::san::Letters::ENGLISH);
            match names.get(place) {
                Some(known) => assert_eq!(known.iter().collect::<Vec<_>>(), [position], "{remark}"),
                None => assert_eq!(words(&typed.unwrap().position), *position, "{remark}"),
            }
        }
        let grown = merge.grown(&root, depth, min_games);
        assert_eq!(remarks.len(), grown.iter().filter(|grown| grown.row.goes_on).count());
    }
}

/// The moves of a game with its variations, each with the position before it. No move may be unreadable.
fn moves_of(pgn: &str) -> BTreeMap<(String, Uci), u64> {
    let mut found = BTreeMap::new();
    for game in Games::new(pgn.as_bytes()) {
        let mut moves = game.moves().unwrap();
        while let Some(event) = moves.next() {
            if let Event::Move(ply) = event.unwrap() {
                *found.entry((words(moves.before()), ply.played.uci(moves.castling_rules()))).or_default() += 1;
            }
        }
        assert!(moves.take_warnings().next().is_none());
    }
    found
}

/// A title with characters that have a meaning in some format.
const TITLE: &str = "A <b>\"tree\"</b> \\ of {games}";

#[test]
fn every_format_has_the_same_tree() {
    let (desk, texts) = desk();
    let options = ["tree", "-q", "-p", "20", "--min-games", "4", "--title", TITLE];
    let run = |more: &[&str]| desk.run(&[&options[..], more, &NAMES].concat()).stdout;
    let tsv = run(&["-f", "tsv"]);
    let rows = table(&tsv);
    let transpositions = rows.iter().filter(|row| !row["transposes_to"].is_empty()).count();
    assert!(rows.len() > 300 && transpositions > 10, "{} {transpositions}", rows.len());

    // The same rows as CSV, JSON lines and Parquet.
    let text = run(&["-f", "csv"]);
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    let csv: Vec<String> = reader.records().map(|row| row.unwrap().iter().collect::<Vec<_>>().join("\t")).collect();
    assert_eq!(csv, tsv.lines().collect::<Vec<_>>());
    let plain = |value: &serde_json::Value| match value {
        serde_json::Value::Null => String::new(),
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let names: Vec<&str> = tsv.lines().next().unwrap().split('\t').collect();
    let jsonl: Vec<String> = run(&["-f", "jsonl"])
        .lines()
        .map(|line| {
            let object: BTreeMap<String, serde_json::Value> = serde_json::from_str(line).unwrap();
            names.iter().map(|name| object.get(*name).map(plain).unwrap_or_default()).collect::<Vec<_>>().join("\t")
        })
        .collect();
    let numbers = |lines: &[String]| {
        let number = |cell: &str| cell.parse::<f64>().map_or_else(|_| cell.to_owned(), |number| number.to_string());
        lines.iter().map(|line| line.split('\t').map(number).collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    assert_eq!(numbers(&jsonl), numbers(&csv[1..]));
    run(&["-o", "tree.parquet"]);
    let file = SerializedFileReader::new(bytes::Bytes::from(desk.read("tree.parquet"))).unwrap();
    let parquet: Vec<String> = file
        .get_row_iter(None)
        .unwrap()
        .map(|row| {
            let row = row.unwrap();
            let cell = |(_, field): (&String, &parquet::record::Field)| match field {
                parquet::record::Field::Null => String::new(),
                parquet::record::Field::Str(text) => text.clone(),
                other => other.to_string(),
            };
            row.get_column_iter().map(cell).collect::<Vec<_>>().join("\t")
        })
        .collect();
    assert_eq!(numbers(&parquet), numbers(&csv[1..]));

    // The PGN has each move of the tree once, and is read again without a message.
    let pgn = run(&[]);
    let read = moves_of(&pgn);
    let grown = Merge::of(&texts, &Position::initial(), 20).grown(&Position::initial(), 20, 4);
    let expected: BTreeMap<_, _> = grown.into_iter().map(|grown| ((grown.before, grown.uci), 1)).collect();
    assert_eq!((read.len(), read), (rows.len(), expected));
    let checked = desk.pipe(&["check", "-v"], pgn.as_bytes());
    assert!(checked.stdout.contains("summary: 1 game, ") && checked.code == Some(0), "{checked:?}");
    assert!(!checked.stdout.contains("warning"), "{checked:?}");
    let event = Games::new(pgn.as_bytes()).next().unwrap().tag("Event").unwrap().into_owned();
    assert_eq!(event, TITLE);

    // A tree of the tree has the same moves.
    std::fs::write(desk.path("again.pgn"), &pgn).unwrap();
    let again = desk.run(&["tree", "--variations", "-f", "tsv", "-p", "20", "again.pgn"]);
    assert_eq!((again.stderr.as_str(), again.code), ("", Some(0)));
    let moves = |table: &[BTreeMap<&str, &str>]| {
        let ends = table.iter().map(|row| (words(&row["fen"].parse().unwrap()), row["uci"].to_owned()));
        let mut ends: Vec<_> = ends.collect();
        ends.sort();
        ends
    };
    assert_eq!(moves(&table(&again.stdout)), moves(&rows));

    // A graph has each position once, and a line for each move.
    let positions = rows.len() - transpositions + 1;
    let dot = run(&["-f", "dot"]);
    assert!(dot.starts_with("digraph \"A <b>\\\"tree\\\"</b> \\\\ of {games}\" {\n") && dot.ends_with("}\n"), "{dot}");
    let edges: BTreeSet<&str> = dot.lines().filter(|line| line.contains(" -> ")).collect();
    let nodes: BTreeSet<&str> = dot
        .lines()
        .filter(|line| line.starts_with("  n") && !line.contains("->"))
        .filter_map(|it| it.split(' ').nth(2))
        .collect();
    assert_eq!(
        (edges.len(), nodes.len() - 1, dot.matches("style=dashed").count()),
        (rows.len(), positions, transpositions)
    );
    let mermaid = run(&["-f", "mermaid"]);
    assert!(mermaid.contains("title: \"A <b>\\\"tree\\\"</b> \\\\ of {games}\""), "{mermaid}");
    assert_eq!((mermaid.matches(" --> ").count(), mermaid.matches(" .-> ").count()), (positions - 1, transpositions));

    // A page is XML, has each position once, and its links lead to positions.
    let html = run(&["-f", "html"]);
    let page = roxmltree::Document::parse_with_options(
        &html,
        roxmltree::ParsingOptions { allow_dtd: true, ..roxmltree::ParsingOptions::default() },
    )
    .unwrap();
    let ids: Vec<&str> =
        page.descendants().filter_map(|node| node.attribute("id")).filter(|id| is_number(id)).collect();
    assert_eq!((ids.len(), ids.iter().collect::<BTreeSet<_>>().len()), (positions, positions));
    let links: Vec<&str> =
        page.descendants().filter(|it| it.has_tag_name("a")).filter_map(|it| it.attribute("href")).collect();
    assert_eq!(links.len(), transpositions);
    assert!(links.iter().all(|link| ids.contains(&&link[1..])));
    assert!(!html.contains("<script") && html.contains("A &lt;b&gt;"));
}

/// Whether an id of a page is that of a position.
fn is_number(id: &str) -> bool {
    id.strip_prefix('n').is_some_and(|number| number.parse::<u32>().is_ok())
}

#[test]
fn errors_are_told_with_their_places() {
    let games = "[White \"A\"]\n\n1. e4 e5 2. Ke3 1-0\n\n[FEN \"nothing\"]\n\n1. e4 *\n\n\
        1. e4 c5 (1... Ke5 2. d4) 2. Nf3 0-1\n";
    let desk = Desk::with(&[("a.pgn", games.as_bytes())]);
    let options = ["tree", "--min-games", "1", "-f", "tsv"];
    let ran = desk.run(&[&options[..], &["--variations", "a.pgn"]].concat());
    let said: Vec<&str> = ran.stderr.lines().collect();
    for (line, start) in said.iter().zip([
        "a.pgn:3:13: illegal-move: Ke3 in game 1 (A – ), ply 3: ",
        "a.pgn:5:1: bad-fen: game 2: ",
        "a.pgn:9:16: illegal-move: Ke5 in game 3, ply 2",
    ]) {
        assert!(line.starts_with(start), "{}", ran.stderr);
    }
    assert_eq!((said.len(), ran.code), (3, Some(1)), "{}", ran.stderr);
    let paths = |text: &str| table(text).iter().map(|row| row["path"].to_owned()).collect::<Vec<_>>();
    let expected = ["1. e4", "1. e4 e5", "1. e4 c5", "1. e4 c5 2. Nf3"];
    assert_eq!(paths(&ran.stdout), expected);
    // Without variations, the error in one is not met.
    let ran = desk.run(&[&options[..], &["--exit-zero", "a.pgn"]].concat());
    assert_eq!((ran.stderr.lines().count(), ran.code), (2, Some(0)), "{}", ran.stderr);
    assert_eq!(paths(&ran.stdout), expected);
    // Nor is one behind the last ply of the tree.
    let ran = desk.run(&[&options[..], &["-p", "1", "a.pgn"]].concat());
    assert_eq!((ran.stderr.lines().count(), paths(&ran.stdout)), (1, vec!["1. e4".to_owned()]), "{}", ran.stderr);

    // A file that is not there leaves the output unwritten.
    let ran = desk.run(&["tree", "-q", "-o", "tree.pgn", "a.pgn", "none.pgn"]);
    assert_eq!((ran.code, desk.files()), (Some(2), vec!["a.pgn".to_owned()]));
    assert!(ran.stderr.contains("none.pgn") && ran.stderr.contains("tree.pgn is not written"), "{}", ran.stderr);
    let ran = desk.run(&["tree", "-q", "--skip-unreadable", "-o", "tree.pgn", "a.pgn", "none.pgn"]);
    assert_eq!((ran.code, desk.files().len()), (Some(1), 2), "{}", ran.stderr);
}

/// Games of two players, with all results.
const PLAYERS: &str = r#"
[White "Anna"]
[Black "Boris"]
[WhiteElo "2400"]
[BlackElo "2300"]
[Date "2020.01.01"]

1. e4 e5 2. Nf3 1-0

[White "Boris"]
[Black "Anna"]
[WhiteElo "2500"]
[BlackElo "2500"]
[Date "2021.05.01"]

1. e4 c5 1/2-1/2

[White "Anna"]
[Black "Carla"]
[Date "2019"]

1. d4 d5 0-1

[White "Anna"]
[Black "Boris"]
[Date "2018"]

1. d4 Nf6 0-1

[White "Boris"]
[Black "Carla"]

1. d4 d5 1/2-1/2
"#;

/// The movetext that `pgn2fen tree` prints, on one line.
#[track_caller]
fn movetext(desk: &Desk, arguments: &[&str]) -> String {
    let ran = desk.run(&[&["tree", "--min-games", "1"], arguments].concat());
    assert_eq!((ran.stderr.as_str(), ran.code), ("", Some(0)));
    ran.stdout.split_once("\n\n").unwrap().1.trim().replace('\n', " ")
}

#[test]
fn games_are_chosen_by_player_and_side() {
    let desk = Desk::with(&[("a.pgn", PLAYERS.as_bytes())]);
    desk.run(&["index", "-q", "-o", "a.idx", "a.pgn"]).is("", "", 0);
    for input in ["a.pgn", "a.idx"] {
        let text = |options: &[&str]| movetext(&desk, &[options, &["--comments", "games,results", input]].concat());
        assert_eq!(
            text(&["--player", "anna", "--side", "w"]),
            "{3 games, +1 =0 -2} 1. d4 {2 games, +0 =0 -2} (1. e4 {1 game, +1 =0 -0} 1... e5 {1 game, +1 =0 -0} 2. Nf3 \
             {1 game, +1 =0 -0}) 1... d5 {1 game, +0 =0 -1} (1... Nf6 {1 game, +0 =0 -1}) *"
        );
        assert_eq!(
            text(&["--player", "CARLA", "--side", "b"]),
            "{2 games, +1 =1 -0} 1. d4 {2 games, +1 =1 -0} 1... d5 {2 games, +1 =1 -0} *"
        );
        assert!(text(&["--player", "anna"]).starts_with("{4 games, +1 =1 -2} 1. e4"));
        assert!(text(&["-t", "Date>=2020", "--player", "boris"]).starts_with("{2 games, +1 =1 -0} 1. e4"));
        // The best score of the side to move: 1. e4 has 75 per cent, 1. d4 has 17.
        assert!(text(&["--order", "score"]).starts_with("{5 games, +1 =2 -2} 1. e4 {2 games, +1 =1 -0} (1. d4"));
        assert_eq!(text(&["-m", "1", "-p", "1"]), "{5 games, +1 =2 -2} 1. d4 {3 games, +0 =1 -2} *");
        // Model games have the best rated players; of equal ones, the latest is the best.
        let models =
            |options: &[&str]| movetext(&desk, &[options, &["--comments", "models", "-p", "1", input]].concat());
        assert_eq!(models(&[]), "1. d4 {Anna - Carla, 2019, 0-1} (1. e4 {Boris - Anna, 2021, 1/2-1/2}) *");
        assert_eq!(
            models(&["--models", "2", "--from", "1. e4"]),
            "1. e4 e5 {Anna - Boris, 2020, 1-0} (1... c5 {Boris - Anna, 2021, 1/2-1/2}) *"
        );
        assert_eq!(
            models(&["--models", "3", "-m", "1"]),
            "1. d4 {Anna - Carla, 2019, 0-1; Anna - Boris, 2018, 0-1; Boris - Carla, 1/2-1/2} *"
        );
        assert_eq!(models(&["--models", "0"]), "1. d4 (1. e4) *");
    }
}

#[test]
fn the_output_does_not_depend_on_threads() {
    let (desk, _) = desk();
    for format in ["pgn", "html"] {
        let run = |threads| {
            let options = ["tree", "-q", "-f", format, "-p", "40", "--min-games", "2", "--glyphs", "-j", threads];
            desk.run(&[&options[..], &NAMES].concat()).stdout
        };
        let one = run("1");
        assert!(one.len() > 10_000 && one.contains("transposes to"));
        assert_eq!(one, run("4"));
    }
}

#[test]
fn files_of_a_repertoire_become_one_tree() {
    let white =
        "[Event \"Queen's Gambit\"]\n\n1. d4 d5 (1... Nf6 2. c4 e6 3. Nc3) 2. c4 e6 (2... c6 3. Nf3) 3. Nc3 *\n";
    let other = "[Event \"Réti\"]\n\n1. Nf3 d5 2. d4 c6 3. c4 *\n";
    let desk = Desk::with(&[("white.pgn", white.as_bytes()), ("reti.pgn", other.as_bytes())]);
    let read = |more: &[&str]| movetext(&desk, &[&["--variations"], more, &["white.pgn", "reti.pgn"]].concat());
    assert_eq!(
        read(&["--comments", "models"]),
        "1. d4 (1. Nf3 d5 2. d4 c6 3. c4 {transposes to 3. Nf3}) 1... d5 (1... Nf6 2. c4 e6 3. Nc3 {Queen's \
         Gambit}) 2. c4 e6 (2... c6 3. Nf3 {Queen's Gambit}) 3. Nc3 {Queen's Gambit} *"
    );
    // A tree is as deep as the repertoire, and only its main lines count without --variations.
    assert_eq!(movetext(&desk, &["--comments", "none", "white.pgn"]), "1. d4 d5 2. c4 e6 3. Nc3 *");
}

#[test]
fn a_repertoire_keeps_what_people_wrote() {
    let a =
        "{Course of 2024} 1. e4! {best by test [%cal Ge2e4] [%clk 0:01:00]} c5 (1... e5 $14 {solid} 2. Nf3) 2. c3 *\n";
    let b = "1. e4 {best by test} {also a } brace} c5 {[%eval 0.3]} 2. Nf3?! *\n".replace("a }", "a ]");
    let desk = Desk::with(&[("a.pgn", a.as_bytes()), ("b.pgn", b.as_bytes())]);
    let read = |more: &[&str]| movetext(&desk, &[&["--variations"], more, &["a.pgn", "b.pgn"]].concat());
    let kept = "{Course of 2024} 1. e4 $1 {best by test [%cal Ge2e4]} {best by test} {also a ] brace} 1... c5 (1... \
                e5 $14 {solid} 2. Nf3) 2. c3 (2. Nf3 $6) *";
    assert_eq!(read(&[]), kept);
    assert_eq!(read(&["--order", "file"]), kept);
    // Where moves are equally frequent, the order of the files is the usual one, too.
    assert_eq!(
        read(&["--comments", "games"]),
        "{2 games} 1. e4 {2 games} 1... c5 {2 games} (1... e5 {1 game} 2. Nf3 {1 game}) \
                                                2. c3 {1 game} (2. Nf3 {1 game}) *"
    );
    assert!(
        read(&["--comments", "words,games"])
            .starts_with("{Course of 2024} {2 games} 1. e4 $1 {best by test [%cal Ge2e4]}")
    );
    assert!(!read(&["--comments", "none"]).contains(['{', '$']));
    // Main lines have words only if they are asked for.
    let main = |more: &[&str]| movetext(&desk, &[more, &["a.pgn", "b.pgn"]].concat());
    assert!(!main(&[]).contains("best") && main(&["--comments", "words"]).contains("{best by test} {also a ] brace}"));
    let page = desk.run(&["tree", "--variations", "-f", "html", "a.pgn", "b.pgn"]).stdout;
    assert!(page.contains("<b>1. e4!</b><small></small> <span class=\"note\">best by test</span>"), "{page}");
    assert!(page.contains("Course of 2024") && !page.contains("%cal"));
    // The order of the files comes before the number of games.
    let often = "1. d4 *\n\n1. d4 *\n\n";
    let desk = Desk::with(&[("a.pgn", a.as_bytes()), ("d.pgn", often.as_bytes())]);
    let first =
        |more: &[&str]| movetext(&desk, &[&["--variations", "--comments", "none"], more, &["a.pgn", "d.pgn"]].concat());
    assert!(first(&[]).starts_with("1. d4 (1. e4") && first(&["--order", "file"]).starts_with("1. e4 (1. d4)"));
}

#[test]
fn gaps_of_a_repertoire_are_rows() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 e5 (1... c5 2. Nf3 (2. c3)) (1... e6) 2. Nf3 Nc6 3. Bb5 *\n")]);
    let gaps = |format: &str| desk.run(&["tree", "--variations", "--side", "w", "--gaps", "-f", format, "a.pgn"]);
    let fen = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2";
    let rows = gaps("csv");
    let answerless = "no_answer,1. e4 e6,rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2,\n";
    rows.is(&format!("gap,path,fen,moves\nchoice,1. e4 c5,{fen},Nf3 c3\n{answerless}"), "", 0);
    assert!(gaps("jsonl").stdout.contains("\"gap\":\"no_answer\""));
    let ran = gaps("html");
    assert!(ran.code == Some(2) && ran.stderr.contains("gaps are rows"), "{ran:?}");
    let ran = desk.run(&["tree", "--variations", "--gaps", "a.pgn"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("--side"), "{ran:?}");
}

#[test]
fn a_tree_begins_in_any_position() {
    let fen = "4k3/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1";
    let game = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n[Variant \"Chess960\"]\n\n1. O-O Kd7 2. Rfd1+ *\n");
    let desk = Desk::with(&[("a.pgn", game.as_bytes()), ("b.pgn", b"1. e4 e6 2. d4 d5 *")]);
    let ran = desk.run(&["tree", "--from", fen, "--min-games", "1", "--comments", "none", "a.pgn"]);
    assert!(ran.stdout.contains(&format!("[FEN \"{fen}\"]\n")), "{}", ran.stdout);
    assert!(ran.stdout.contains("[Variant \"Chess960\"]\n"), "{}", ran.stdout);
    assert!(ran.stdout.ends_with("\n\n1. O-O Kd7 2. Rfd1+ *\n\n"), "{}", ran.stdout);
    assert_eq!(moves_of(&ran.stdout).len(), 3);

    let told = desk.run(&["tree", "--from", "french", "--min-games", "1", "--comments", "none", "b.pgn"]);
    assert_eq!(told.stderr, "hint: --from french: French Defense, 1. e4 e6\n");
    assert!(told.stdout.ends_with("\n\n1. e4 e6 2. d4 d5 *\n\n"), "{}", told.stdout);
    let black = desk.run(&[
        "tree",
        "--from",
        "rnbqkbnr/pppp1ppp/4p3/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 2",
        "--min-games",
        "1",
        "--comments",
        "none",
        "b.pgn",
    ]);
    assert!(black.stdout.ends_with("\n\n2... d5 *\n\n"), "{}", black.stdout);
}

#[test]
fn a_text_that_is_no_opening_is_told_with_those_near_to_it() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 e5 *")]);
    for (from, told) in [
        ("Sicilian Najdorf", "in no name of an opening; did you mean Sicilian Defense: Najdorf Variation?"),
        ("xyzzy", "pgn2fen: --from: this is no position, and in no name of an opening\n"),
        ("1. e4 Ke6", "the black king on e8 cannot reach e6"),
    ] {
        let ran = desk.run(&["tree", "--from", from, "a.pgn"]);
        assert!(ran.stderr.contains(told) && ran.code == Some(2), "{from}: {}", ran.stderr);
    }
}

#[test]
fn an_empty_tree_is_told() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 e5 *\n\n1. d4 *\n")]);
    let ran = desk.run(&["tree", "a.pgn"]);
    let hint = "warning: the tree is empty; 2 games reached its first position, and a move needs 3: see --min-games\n";
    assert_eq!((ran.stderr.as_str(), ran.code), (hint, Some(0)));
    assert!(ran.stdout.ends_with("\n\n{2 games} *\n\n"), "{}", ran.stdout);
    let ran = desk.run(&["tree", "--from", "1. c4", "a.pgn"]);
    assert_eq!(ran.stderr, "warning: the tree is empty; no game reached its first position\n");
    let ran = desk.run(&["tree", "--min-games", "2", "a.pgn"]);
    let hint = "warning: the tree is empty; 2 games reached its first position, and no move was played in 2: \
                see --min-games\n";
    assert_eq!(ran.stderr, hint);
    // The filters are named if no game passes them.
    let ran = desk.run(&["tree", "--player", "zzz", "-t", "Result=*", "a.pgn"]);
    assert!(ran.stderr.ends_with("warning: none of 2 games satisfies -t and --player\n"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("first position"), "{}", ran.stderr);
    desk.run(&["index", "-q", "-o", "a.idx", "a.pgn"]).is("", "", 0);
    let ran = desk.run(&["tree", "--player", "zzz", "a.idx"]);
    let hint = "warning: the tree is empty; no game that satisfies --player reached its first position\n";
    assert_eq!(ran.stderr, hint);
    for format in ["html", "dot", "mermaid", "csv", "jsonl"] {
        assert_eq!(desk.run(&["tree", "-q", "-f", format, "a.pgn"]).code, Some(0), "{format}");
    }
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 *")]);
    desk.run(&["index", "-q", "-o", "a.idx", "a.pgn"]).is("", "", 0);
    for (arguments, words) in [
        (&["-f", "dot", "--transpositions", "write", "a.pgn"][..], "a graph has each position once"),
        (&["-f", "csv", "--glyphs", "a.pgn"], "a table has no glyphs"),
        (&["-o", "a.parquet", "--comments", "games", "a.pgn"], "a table has all counts in columns"),
        (&["--gaps", "--side", "w", "--title", "x", "a.pgn"], "--title has no effect on gaps"),
        (&["--gaps", "--side", "w", "--models", "2", "a.pgn"], "--models has no effect on gaps"),
        (&["--gaps", "--side", "w", "--transpositions", "write", "a.pgn"], "--transpositions has no effect on gaps"),
        (&["--setup", "ignore", "a.idx"], "--setup is for PGN files, and a.idx is an index"),
        (&["--lang", "de", "a.idx"], "--lang is for PGN files, and a.idx is an index"),
        (&["-o", "tree.bin", "a.pgn"], "which cannot be written here; use .pgn, .html, .dot,"),
        (&["-o", "tree.tsv.xz", "a.pgn"], "which cannot be written here; use .pgn, .html, .dot,"),
        (&["-o", "tree.fen", "a.pgn"], "tree.fen has the ending of fen, which cannot be written here; use .pgn,"),
        (&["-f", "csv", "-o", "tree.arrow", "a.pgn"], "tree.arrow has the ending of arrow, which cannot be written"),
        (&["-o", "tree.xyz", "a.pgn"], "the ending of tree.xyz chooses no format"),
        (
            &["-o", "tree.parquet", "-f", "csv", "a.pgn"],
            "the format is csv, but tree.parquet has the ending of parquet",
        ),
        (&["-o", "tree.parquet.gz", "a.pgn"], "Parquet files have compression of their own"),
        (&["-o", "a.pgn", "a.pgn"], "a.pgn is both input and output"),
        (&["-o", "a.pgn", "a.idx"], "a.pgn is both input and output"),
        (&["--comments", "moves", "a.pgn"], "\"moves\" is none of games, results, score, year, models, words"),
        (&["--player", "A \"B\"", "a.pgn"], "--player needs a name, without quotes in it"),
        (&["--from", "nothing", "a.pgn"], "--from: "),
        (&["--from", "1. e5", "a.pgn"], "--from: "),
        (&["-p", "257", "a.pgn"], "depth is 257, but must be from 1 to 256"),
        (&["--variations", "a.idx"], "--variations is for PGN files, and a.idx is an index"),
        (&["--opening", "B90", "a.idx"], "--opening is for PGN files"),
        (&["-n", "1", "a.idx"], "--max-games is for PGN files"),
        (&["-t", "Annotator=A", "a.idx"], "Annotator"),
    ] {
        let ran = desk.run(&[&["tree"], arguments].concat());
        assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(2)), "{arguments:?}");
        assert!(ran.stderr.contains(words), "{arguments:?}: {}", ran.stderr);
    }
    let unknown = desk.run(&["tree", "-t", "Annotator=A", "a.idx"]).stderr;
    assert_eq!(unknown.matches("does not keep").count(), 1, "{unknown}");
    for files in [["a.idx", "a.idx"], ["a.pgn", "a.idx"]] {
        let several = desk.run(&["tree", files[0], files[1]]);
        assert!(several.stderr.contains("a.idx is an index, which stands alone"), "{}", several.stderr);
    }
    assert_eq!(desk.files(), ["a.idx", "a.pgn"]);
}
