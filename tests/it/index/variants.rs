//! Games of variants in an index: every position is found by its rules, and only by them.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use pgn2fen_chess::Position;
use pgn2fen_chess::fen;
use pgn2fen_chess::rules::Rules;
use pgn2fen_chess::san::Letters;
use pgn2fen_explorer::{PublishOptions, PublishWarning, publish};
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::typed::read_position_by;
use pgn2fen_index::{GameColumn, Hit, Index, keys};
use serde_json::Value;

use crate::cli::Desk;
use crate::index::build;
use crate::serve::Running;

/// The files of games of variants, and their rules.
const FILES: [(&str, Rules); 9] = [
    ("antichess", Rules::Antichess),
    ("atomic", Rules::Atomic),
    ("crazyhouse", Rules::Crazyhouse),
    ("giveaway", Rules::Giveaway),
    ("horde", Rules::Horde),
    ("king_of_the_hill", Rules::KingOfTheHill),
    ("racing_kings", Rules::RacingKings),
    ("suicide", Rules::Suicide),
    ("three_check", Rules::ThreeCheck),
];

fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/variants").join(name);
    fs::read_to_string(path).unwrap()
}

fn position(rules: Rules, text: &str) -> Position {
    read_position_by(text, &Letters::ENGLISH, Some(rules))
        .unwrap_or_else(|mistake| panic!("{text}: {mistake}"))
        .position
}

/// Four games with the same first moves by different rules.
const MIXED: &str = "\
[White \"Chess\"]\n[Date \"2001.01.01\"]\n[WhiteElo \"2000\"]\n[BlackElo \"2000\"]\n\n1. e4 e5 2. Ke2 1-0\n\n\
[White \"Hill\"]\n[Variant \"King of the Hill\"]\n\n1. e4 e5 2. Ke2 0-1\n\n\
[White \"House\"]\n[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. @e6 Qxg2 4. Bxg2 1/2-1/2\n\n\
[White \"Horde\"]\n[Variant \"Horde\"]\n\n1. g6 hxg6 0-1\n\n";

fn mixed() -> Desk {
    let desk = Desk::with(&[("mixed.pgn", MIXED.as_bytes())]);
    desk.run(&["index", "-q", "-o", "games.idx", "mixed.pgn"]).is("", "", 0);
    desk
}

#[test]
fn every_position_of_every_variant_is_found() {
    let desk = Desk::with(&[]);
    let mut names = Vec::new();
    for (name, _) in FILES {
        fs::write(desk.path(&format!("{name}.pgn")), fixture(&format!("{name}.pgn"))).unwrap();
        names.push(format!("{name}.pgn"));
    }
    // One run for each file, merged at the end.
    for name in &names {
        build(&desk, &["-o", "games.idx", "--append"], std::slice::from_ref(name));
    }
    for is_merged in [false, true] {
        if is_merged {
            assert_eq!(desk.run(&["index", "-q", "--compact", "-o", "games.idx"]).code, Some(0));
        }
        let index = Index::open(desk.path("games.idx")).unwrap();
        let mut games = index.games();
        let mut query = index.query(|warning| panic!("{warning}")).verify(true);
        let mut game = 0;
        for (name, rules) in FILES {
            let mut lines = fixture(&format!("{name}.fen"));
            let mut found = 0;
            lines.push('\n');
            let fens: Vec<&str> = lines.lines().filter(|line| !line.is_empty()).collect();
            let mut at = 0;
            while at < fens.len() {
                game += 1;
                assert_eq!(games.text(game, GameColumn::Start).unwrap(), Some(rules.name()));
                let plies = u32::try_from(games.number(game, GameColumn::Plies).unwrap().unwrap()).unwrap();
                for ply in 0..=plies {
                    let position = fen::read_by(rules, fens[at].as_bytes()).unwrap().position;
                    let hits: Vec<Hit> = query.hits(&position).unwrap().map(Result::unwrap).collect();
                    let hit = hits.iter().find(|hit| (hit.game, hit.ply) == (game, ply));
                    let hit = hit.unwrap_or_else(|| panic!("{name}, game {game}, ply {ply}: {}", fens[at]));
                    at += 1;
                    // The move leads to the next position.
                    match hit.next {
                        None => assert_eq!(ply, plies),
                        Some(next) => {
                            let m = next.find(&position).unwrap_or_else(|| panic!("{next} in {}", fens[at - 1]));
                            let after = fen::read_by(rules, fens[at].as_bytes()).unwrap().position;
                            assert!(position.play(m).unwrap().is_same_position(&after), "{name}: {}", fens[at]);
                        }
                    }
                    found += 1;
                    // No game of other rules is found by the same fields.
                    for (_, other) in FILES.into_iter().filter(|(_, other)| *other != rules) {
                        let same = position.by_rules(other);
                        let same = same.map(|same| keys(&same)).unwrap_or_default();
                        assert!(
                            !same.iter().any(|key| keys(&position).contains(key)),
                            "{name} {other}: {}",
                            fens[at - 1]
                        );
                    }
                }
            }
            assert!(found > 100, "{name}: {found}");
        }
        assert_eq!(index.game_count(), game);
        let counts: Vec<(Rules, u64)> = index.rules().unwrap().iter().collect();
        assert_eq!((counts.len(), counts.iter().map(|(_, games)| games).sum::<u64>()), (FILES.len(), game));
        assert_eq!(index.check(&Workers::new(2).unwrap()).len(), 0);
    }
}

#[test]
fn positions_are_found_by_the_rules_of_the_question() {
    let desk = mixed();
    let count = |arguments: &[&str]| {
        let ran = desk.run(&[&["find", "-c", "--no-header", "games.idx"], arguments].concat());
        // A FEN of a variant is followed by the rules.
        let is_variant = arguments.first().is_some_and(|option| *option == "--variant") && arguments[1] != "chess";
        let skipped = 1 + usize::from(is_variant);
        ran.stdout.split('\t').skip(skipped).map(|number| number.trim().parse().unwrap()).collect::<Vec<u64>>()
    };
    let e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    for text in ["1. e4", "e2e4", e4] {
        assert_eq!(count(&[text]), [1, 1, 0, 0, 0], "{text}");
        assert_eq!(count(&["--variant", "chess", text]), [1, 1, 0, 0, 0], "{text}");
        assert_eq!(count(&["--variant", "kingOfTheHill", text]), [1, 0, 0, 1, 0], "{text}");
        for name in ["king-of-the-hill", "kingofthehill", "KINGOFTHEHILL"] {
            let found: Vec<u64> = count(&["--variant", name, text]);
            assert_eq!(found, [1, 0, 0, 1, 0], "{name} {text}");
        }
        assert_eq!(count(&["--variant", "crazyhouse", text]), [1, 0, 1, 0, 0], "{text}");
        assert_eq!(count(&["--variant", "atomic", text]), [0, 0, 0, 0, 0], "{text}");
    }
    let drop = "rnb1kbnr/ppp1pppp/4P3/3q4/8/8/PPPP1PPP/RNBQKBNR[p] b KQkq - 0 3";
    let ninth_rank = "rnb1kbnr/ppp1pppp/4P3/3q4/8/8/PPPP1PPP/RNBQKBNR/p b KQkq - 0 3";
    let game = "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e6 *";
    for text in [drop, ninth_rank, "1. e4 d5 2. exd5 Qxd5 3. @e6", "e2e4 d7d5 e4d5 d8d5 P@e6", game] {
        assert_eq!(count(&["--variant", "crazyhouse", text]), [1, 0, 1, 0, 0], "{text}");
    }
    // The men in hand are part of the position.
    let empty = drop.replace("[p]", "[]");
    assert_eq!(count(&["--variant", "crazyhouse", &empty]), [0, 0, 0, 0, 0]);
    assert_eq!(count(&["--variant", "horde", "startpos"]), [1, 0, 0, 1, 0]);
    assert_eq!(count(&["startpos"]), [1, 1, 0, 0, 0]);

    let several = desk.run(&["find", "--variant", "kingOfTheHill", "games.idx", "1. e4", "1. e4 e5"]).stdout;
    let rows: Vec<Vec<&str>> = several.lines().map(|line| line.split('\t').take(5).collect()).collect();
    assert_eq!(rows[0], ["fen", "variant", "place", "game", "ply"]);
    assert_eq!(rows[1][1..], ["kingOfTheHill", "mixed.pgn:8", "2", "1"]);
    assert_eq!(rows[2][1..], ["kingOfTheHill", "mixed.pgn:8", "2", "2"]);

    let moves = desk.run(&["find", "-M", "--variant", "crazyhouse", "games.idx", "1. e4 d5 2. exd5 Qxd5"]).stdout;
    let row: Vec<&str> = moves.lines().nth(1).unwrap().split('\t').collect();
    assert_eq!((&row[..3], row[10]), (&["@e6", "P@e6", "1"][..], ""), "{moves}");
    let pgn = desk.run(&["find", "-f", "pgn", "--variant", "kingOfTheHill", "games.idx", "1. e4 e5"]).stdout;
    assert!(pgn.contains("\"Hill\"") && pgn.matches("[White ").count() == 1, "{pgn}");
    let verified = desk.run(&["find", "--verify", "--no-header", "--variant", "horde", "games.idx", "1. g6 hxg6"]);
    assert!(verified.stdout.contains("mixed.pgn:") && verified.stderr.is_empty(), "{verified:?}");

    let wrong = desk.run(&["find", "games.idx", game]);
    assert!(wrong.stderr.contains("which --variant crazyhouse asks for"), "{}", wrong.stderr);
    for position in [drop, game, "4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1", "[Variant \"Atomic\"] 1. e3"] {
        for arguments in [&["find", "games.idx", position][..], &["tree", "--from", position, "games.idx"]] {
            let wrong = desk.run(arguments);
            assert!(wrong.stderr.contains("asks for\n") && wrong.code == Some(2), "{arguments:?}: {}", wrong.stderr);
        }
    }
    for name in ["standard", "chess960", "Chess960"] {
        let found = desk.run(&["find", "--variant", name, "-c", "--no-header", "games.idx", "1. e4"]);
        assert!(found.stdout.ends_with("\t1\t1\t0\t0\t0\n"), "{name}: {found:?}");
    }
    let tree = desk.run(&["tree", "-q", "--variant", "KingOfTheHill", "--min-games", "1", "games.idx"]);
    assert_eq!((tree.stderr.as_str(), tree.code), ("", Some(0)));
    let unknown = desk.run(&["find", "--variant", "bughouse", "games.idx", "1. e4"]);
    assert!(unknown.code == Some(2) && unknown.stderr.contains("bughouse"), "{unknown:?}");
    let hint = desk.run(&["find", "--variant", "kingOfTheHill", "games.idx", "1. e4 d5"]).stderr;
    assert!(hint.contains("the same position in crazyhouse (--variant crazyhouse): 1 game"), "{hint}");
}

#[test]
fn all_games_of_a_shape_are_those_of_the_rules() {
    let desk = mixed();
    let games = |variant: &[&str]| {
        let shape = ["find", "--no-header", "--pattern", "*/*/*/*/4P3/*/*/*", "games.idx"];
        let ran = desk.run(&[&shape[..], variant].concat());
        assert_eq!(ran.stderr, "");
        ran.stdout.lines().map(|line| line.split('\t').nth(3).unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(games(&[]), ["Chess"]);
    assert_eq!(games(&["--variant", "kingOfTheHill"]), ["Hill"]);
    assert_eq!(games(&["--variant", "crazyhouse"]), ["House"]);
}

#[test]
fn games_of_variants_are_added_merged_and_removed() {
    use Rules::{Chess, Crazyhouse, Horde, KingOfTheHill};
    let desk = mixed();
    fs::write(desk.path("more.pgn"), "[Variant \"Crazyhouse\"]\n\n1. e4 c5 1-0\n\n1. e4 c5 0-1\n").unwrap();
    let counts = || {
        let index = Index::open(desk.path("games.idx")).unwrap();
        let count = |rules| index.count(&position(rules, "1. e4")).unwrap().games();
        [Rules::Chess, Rules::KingOfTheHill, Rules::Crazyhouse].map(count)
    };
    assert_eq!(counts(), [1, 1, 1]);
    assert_eq!(desk.run(&["index", "-q", "--append", "-o", "games.idx", "more.pgn"]).code, Some(0));
    assert_eq!(counts(), [2, 1, 2]);
    assert_eq!(desk.run(&["index", "-q", "--compact", "-o", "games.idx"]).code, Some(0));
    assert_eq!(counts(), [2, 1, 2]);
    let rules = Index::open(desk.path("games.idx")).unwrap().rules().unwrap().clone();
    let of_games = (1..=6).map(|game| rules.of(game)).collect::<Vec<_>>();
    assert_eq!(of_games, [Chess, KingOfTheHill, Crazyhouse, Horde, Crazyhouse, Chess]);
    assert_eq!(desk.run(&["index", "-q", "--remove", "-o", "games.idx", "mixed.pgn"]).code, Some(0));
    assert_eq!(counts(), [1, 0, 1]);
    assert_eq!(desk.run(&["index", "--check", "games.idx"]).code, Some(0));
}

#[test]
fn games_without_rules_are_errors_still() {
    let desk = Desk::with(&[("games.pgn", b"[Variant \"Bughouse\"]\n\n1. e4 *\n\n1. e4 *\n")]);
    let ran = desk.run(&["index", "-o", "games.idx", "games.pgn"]);
    assert!(ran.code == Some(1) && ran.stderr.contains("unsupported-variant: Bughouse"), "{ran:?}");
    let index = Index::open(desk.path("games.idx")).unwrap();
    assert_eq!(index.count(&position(Rules::Chess, "1. e4")).unwrap().games(), 1);
}

#[test]
fn the_explorer_answers_by_the_rules_of_the_request() {
    let desk = mixed();
    let server = Running::start(&[&desk.path("games.idx")]);
    let answer = |path: &str| -> (Vec<[String; 2]>, [u64; 3]) {
        let answer = server.json(path);
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let moves = answer["moves"].as_array().unwrap().iter();
        let moves = moves.map(|played| [text(&played["uci"]), text(&played["san"])]).collect();
        (moves, ["white", "draws", "black"].map(|name| answer[name].as_u64().unwrap()))
    };
    let moves = |moves: &[[&str; 2]]| moves.iter().map(|names| names.map(str::to_owned)).collect::<Vec<_>>();
    for path in ["/lichess", "/api/explore"] {
        for (query, played, counts) in [
            ("?play=e2e4", &[["e7e5", "e5"]][..], [1, 0, 0]),
            ("?variant=standard&play=e2e4", &[["e7e5", "e5"]], [1, 0, 0]),
            ("?variant=kingOfTheHill&play=e2e4", &[["e7e5", "e5"]], [0, 0, 1]),
            ("?variant=crazyhouse&play=e2e4,d7d5,e4d5,d8d5", &[["P@e6", "@e6"]], [0, 1, 0]),
            ("?variant=crazyhouse&play=e2e4,d7d5,e4d5,d8d5,P@e6", &[["d5g2", "Qxg2"]], [0, 1, 0]),
            (
                "?variant=crazyhouse&fen=rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR/Pp%20w%20KQkq%20-%200%203",
                &[["P@e6", "@e6"]],
                [0, 1, 0],
            ),
            ("?variant=horde", &[["g5g6", "g6"]], [0, 0, 1]),
            ("?variant=atomic", &[], [0, 0, 0]),
            ("?variant=threeCheck", &[], [0, 0, 0]),
            ("?variant=chess960", &[], [0, 0, 0]),
        ] {
            assert_eq!(answer(&format!("{path}{query}")), (moves(played), counts), "{path}{query}");
        }
        for (query, reason) in [
            ("?variant=bughouse", "variant: bughouse is not a variant; these are standard, chess960"),
            ("?variant=crazyhouse&play=e2e4,N@f3", "play: move 2 is not legal"),
            ("?variant=antichess&play=e2e4,d7d5,d2d4", "play: move 3 is not legal"),
        ] {
            let refused = server.get(&format!("{path}{query}"));
            assert!(refused.status == 400 && refused.text.contains(reason), "{path}{query}: {}", refused.text);
        }
    }
    let index = server.json("/api/index");
    let variants: Vec<(&str, u64)> = index["variants"].as_array().unwrap().iter().map(count_of).collect();
    assert_eq!(variants, [("crazyhouse", 1), ("kingOfTheHill", 1), ("horde", 1)]);
    assert_eq!(index["starts"], 0);
    // A game of a list is played by its rules.
    let explored = server.json("/api/explore?variant=crazyhouse&play=e2e4");
    let id = explored["games"][0]["id"].as_str().unwrap();
    let game = server.json(&format!("/api/game/{id}"));
    assert_eq!((&game["error"], game["line"]["moves"].as_array().unwrap().len()), (&Value::Null, 7), "{game}");
}

fn count_of(variant: &Value) -> (&str, u64) {
    (variant["variant"].as_str().unwrap(), variant["games"].as_u64().unwrap())
}

#[test]
fn a_tree_has_the_games_of_its_rules() {
    let desk = mixed();
    for input in ["mixed.pgn", "games.idx"] {
        let tree = |arguments: &[&str]| {
            desk.run(&[&["tree", "--min-games", "1", "--comments", "none", input], arguments].concat())
        };
        let chess = tree(&[]);
        assert!(chess.stdout.contains("\n1. e4 e5 2. Ke2 *\n"), "{input}: {}", chess.stdout);
        assert!(chess.stderr.contains("3 games are left out, because the rules are not those of chess"), "{chess:?}");
        assert_eq!(chess.code, Some(0), "{chess:?}");
        let house = tree(&["--variant", "crazyhouse"]);
        assert!(house.stdout.contains("[Variant \"Crazyhouse\"]\n"), "{}", house.stdout);
        let moves = "\n1. e4 d5 2. exd5 Qxd5 3. @e6 Qxg2 4. Bxg2 *\n";
        assert!(house.stdout.contains(moves), "{input}: {}", house.stdout);
        let behind = tree(&["--variant", "crazyhouse", "--from", "1. e4 d5 2. exd5 Qxd5"]);
        assert!(behind.stdout.contains(moves), "{input}: {}", behind.stdout);
        let horde = tree(&["--variant", "horde"]);
        assert!(horde.stdout.contains("[Variant \"Horde\"]\n\n1. g6 hxg6 *\n"), "{input}: {}", horde.stdout);
        assert!(!horde.stdout.contains("[FEN"), "{}", horde.stdout);
    }
}

#[test]
fn books_and_sites_leave_variants_out_and_count_them() {
    let desk = mixed();
    for (file, positions) in [("book.bin", 2), ("book.epd", 4)] {
        let ran = desk.run(&["book", "--min-games", "1", "games.idx", "-o", file]);
        assert!(ran.stderr.contains("3 games of variants are left out; a book has positions of chess only"), "{ran:?}");
        let written = desk.read(file);
        let written =
            if file == "book.bin" { written.len() / 16 } else { written.split(|byte| *byte == b'\n').count() - 1 };
        assert_eq!(written, positions, "{file}");
    }
    fs::create_dir_all(desk.path("page/explorer")).unwrap();
    for file in ["page/explorer/index.html", "page/index.html", "page/pgn2fen.wasm.js"] {
        fs::write(desk.path(file), "a page").unwrap();
    }
    let options = PublishOptions { page: desk.path("page"), min_games: 1, ..PublishOptions::default() };
    let mut told = Vec::new();
    let (indexes, workers) = ([desk.path("games.idx")], Workers::new(2).unwrap());
    let mut tell = |warning| told.push(warning);
    let published =
        publish(&indexes, &desk.path("site"), &options, &workers, &mut tell, &|_, _| ControlFlow::Continue(()))
            .unwrap();
    assert_eq!(told, [PublishWarning::Variants { database: "games.idx".to_owned(), games: 3 }]);
    assert_eq!((published.positions, published.games), (4, 1));
}

#[test]
fn games_of_variants_are_counted_and_named() {
    let desk = mixed();
    let info = desk.run(&["index", "--info", "games.idx"]).stdout;
    let rules = info.lines().find_map(|line| line.strip_prefix("rules ")).map(str::trim);
    assert_eq!(rules, Some("1 chess; 1 crazyhouse; 1 kingOfTheHill; 1 horde"), "{info}");
    let of_chess = Desk::with(&[("chess.pgn", b"1. e4 e5 *\n")]);
    of_chess.run(&["index", "-q", "-o", "games.idx", "chess.pgn"]).is("", "", 0);
    assert!(!of_chess.run(&["index", "--info", "games.idx"]).stdout.contains("rules"));

    fs::write(desk.path("e4.pgn"), "1. e4 e5 2. Nf3 *\n").unwrap();
    for output in [&["-f", "csv"][..], &["-f", "pgn"]] {
        let ran = desk.run(&[&["find", "--tree", "e4.pgn", "--side", "w", "games.idx"], output].concat());
        assert!(ran.stderr.contains("3 games are left out, because the rules are not those of chess"), "{ran:?}");
        assert!(ran.stdout.contains("Chess") && !ran.stdout.contains("Hill"), "{ran:?}");
    }

    let hill = ["--variant", "kingOfTheHill"];
    for page in
        [&["find", "-f", "html", "games.idx", "1. e4"][..], &["tree", "--min-games", "1", "-f", "html", "games.idx"]]
    {
        let is_named = |page: &str| page.contains(">King of the Hill<");
        assert!(is_named(&desk.run(&[page, &hill].concat()).stdout), "{page:?}");
        assert!(!is_named(&desk.run(page).stdout), "{page:?}");
    }
}
