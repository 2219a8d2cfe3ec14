//! Games whose tags and results change while they are written: all else stays as it is, and they read as the same
//! games.

use std::fs;

use pgn2fen_games::export::ExportOptions;
use pgn2fen_games::pgn::encoding::detect_utf16;
use pgn2fen_games::pgn::games::{Game, Games};
use pgn2fen_games::pgn::movetext::Ending;
use pgn2fen_games::pgn::token::{Outcome, Token};
use pgn2fen_rows::games::{Copies, GameEdits, TagRemoval, TagSetting};

use crate::cli::Desk;
use crate::laws::{game_fixtures, whole};
use crate::starts::one;
use crate::walking::walk;

/// The tokens of the movetext, without the result and text without a meaning, and with comments or not.
fn tokens(game: &Game<'_>, comments: bool) -> Vec<String> {
    let mut movetext = game.movetext();
    let tokens = std::iter::from_fn(|| movetext.next_token());
    let tokens = tokens.filter(|token| comments || !matches!(token, Token::Comment(_)));
    tokens
        .filter(|token| !matches!(token, Token::Termination(_) | Token::Skipped(_)))
        .map(|token| format!("{token:?}"))
        .collect()
}

fn tags(game: &Game<'_>) -> Vec<(String, String)> {
    let text = |bytes: &[u8]| bytes.iter().map(|byte| char::from(*byte)).collect::<String>();
    game.tags().iter().map(|tag| (text(tag.name), text(&tag.value.unescape()))).collect()
}

fn edits(set: &[&str], remove: &[&str]) -> GameEdits {
    let set_tags = set.iter().map(|text| text.parse::<TagSetting>().unwrap()).collect();
    let remove_tags = remove.iter().map(|text| text.parse::<TagRemoval>().unwrap()).collect();
    GameEdits { set_tags, remove_tags, ..GameEdits::default() }
}

/// The edited games are those of the text, one by one, with other tags.
#[track_caller]
fn check(text: &[u8], (set, remove): (&[&str], &[&str]), result: Option<Outcome>, what: &str) {
    let said = walk(&Copies::new().edits(edits(set, remove)), &one(), [("a.pgn", whole(text))]);
    let written = said.output;
    let shown = || format!("{what}: {}\nbecame\n{}", String::from_utf8_lossy(text), String::from_utf8_lossy(&written));
    let (olds, news): (Vec<_>, Vec<_>) = (Games::new(text).collect(), Games::new(&written).collect());
    assert_eq!(olds.len(), news.len(), "{}", shown());
    let set: Vec<(&str, &str)> = set.iter().filter_map(|text| text.split_once('=')).collect();
    let is_start = |name: &str| ["fen", "setup", "variant"].contains(&&*name.to_ascii_lowercase());
    let is_removed = |name: &str| {
        let names = |pattern: &&str| *pattern == "*" && !is_start(name) || pattern.eq_ignore_ascii_case(name);
        remove.iter().any(names)
            || !remove.is_empty() && name == "Event"
            || set.iter().any(|(other, _)| other.eq_ignore_ascii_case(name))
    };
    for (old, new) in olds.iter().zip(&news) {
        let kept: Vec<_> = tags(old).into_iter().filter(|(name, _)| !is_removed(name)).collect();
        let others: Vec<_> = tags(new).into_iter().filter(|(name, _)| !is_removed(name)).collect();
        assert_eq!(kept, others, "{}", shown());
        for (name, value) in &set {
            let values: Vec<_> = tags(new).into_iter().filter(|(tag, _)| tag.eq_ignore_ascii_case(name)).collect();
            assert_eq!(values, [((*name).to_owned(), (*value).to_owned())], "{}", shown());
        }
        // What is open at the end is closed.
        let comments = matches!(old.movetext().finish(), Ending::Marker(_));
        let (old_tokens, new_tokens) = (tokens(old, comments), tokens(new, comments));
        assert!(old_tokens == new_tokens || !comments && new_tokens.starts_with(&old_tokens), "{}", shown());
        if let Some(result) = result {
            assert_eq!(new.movetext().finish().outcome(), Some(result), "{}", shown());
        }
    }
}

const EDITS: [(&[&str], &[&str], Option<Outcome>); 6] = [
    (&["Event=Club \"1\" \\"], &[], None),
    (&["White=A", "Zebra="], &["Event"], None),
    (&[], &["*"], None),
    (&["Result=0-1"], &[], Some(Outcome::BlackWins)),
    (&["Result=*", "X=1"], &["*"], Some(Outcome::Unknown)),
    (&["X=1"], &["*"], None),
];

#[test]
fn edited_games_of_files_are_the_same_games() {
    for (path, bytes) in game_fixtures().iter().filter(|(_, bytes)| detect_utf16(bytes).is_none()) {
        for (set, remove, result) in EDITS {
            check(bytes, (set, remove), result, &format!("{} {set:?} {remove:?}", path.display()));
        }
    }
}

const GAME: &[u8] = b"{mine}\r\n[Event  \"a\"] ; why\r\n[White \"Carlsen,M\"]\r\n[Black \"Tal\"]\r\n\
    [WhiteElo \"2\"]\r\n[BlackElo \"1\"]\r\n[Variation \"old\"]\r\n\r\n1. e4 c5 2. Nf3 d6 3.d4 {ok}  1-0 good\r\n\r\n\
    % x\r\n[Black \"Tal\"]\r\n\r\n1. Na3 *\r\n";

#[test]
fn only_the_lines_of_the_tags_change() {
    let desk = Desk::with(&[("a.pgn", GAME), ("names.txt", b"Carlsen, Magnus\n  Carlsen,M\n")]);
    let run = |options: &[&str]| {
        let ran = desk.run(&[&["games", "-q", "-n", "1"], options, &["a.pgn"]].concat());
        assert_eq!(ran.code, Some(0), "{options:?}: {}", ran.stderr);
        ran.stdout
    };
    let text = run(&[]);
    assert_eq!(run(&["--set-tag", "Black=T=\"l"]), text.replace("\"Tal\"", "\"T=\\\"l\""));
    assert_eq!(run(&["--set-tag", "Event="]), text.replace("[Event  \"a\"]", "[Event \"\"]"));
    assert_eq!(run(&["--remove-tag", "event"]), text.replace("[Event  \"a\"] ", ""));
    let without = text.replace("[WhiteElo \"2\"]\r\n[BlackElo \"1\"]\r\n", "");
    assert_eq!(run(&["--remove-tag", "*Elo"]), without);
    assert_eq!(run(&["--remove-tag", "WhiteElo", "--remove-tag", "B?ackElo"]), without);
    let old = "[Variation \"old\"]\r\n";
    assert_eq!(run(&["--set-tag", "Site=x"]), text.replace(old, &format!("{old}[Site \"x\"]\r\n")));
    let drawn = text.replace("  1-0 good", "  1/2-1/2 good");
    let drawn = drawn.replace(old, &format!("{old}[Result \"1/2-1/2\"]\r\n"));
    assert_eq!(run(&["--set-tag", "Result=1/2-1/2"]), drawn);
    assert_eq!(run(&["--rename", "--names", "names.txt"]), text.replace("Carlsen,M", "Carlsen, Magnus"));
    let opening = "[ECO \"B50\"]\r\n[Opening \"Sicilian Defense\"]\r\n";
    let added = run(&["--add-opening"]);
    assert!(
        added.contains("[ECO \"B5") && added.contains("[Opening \"Sicilian Defense\"]\r\n"),
        "{added}, not {opening}"
    );
    assert!(!added.contains("old"), "{added}");
}

#[test]
fn the_opening_is_that_of_the_columns() {
    let desk = Desk::with(&[("a.pgn", &fs::read("fixtures/games/tournaments_2020.pgn").unwrap())]);
    assert_eq!(desk.run(&["games", "-q", "--add-opening", "a.pgn", "-o", "b.pgn"]).code, Some(0));
    let rows = |file, columns| desk.run(&["-q", "-p", "-1", "-C", columns, "-f", "tsv", "--no-header", file]).stdout;
    let expected = rows("a.pgn", "eco,opening");
    let names = rows("b.pgn", "ECO,Opening,Variation");
    let joined = names.lines().map(|line| {
        let parts: Vec<&str> = line.split('\t').collect();
        let variation = parts.get(2).filter(|variation| !variation.is_empty());
        format!("{}\t{}{}", parts[0], parts[1], variation.map(|name| format!(": {name}")).unwrap_or_default())
    });
    assert_eq!(joined.collect::<Vec<_>>(), expected.lines().collect::<Vec<_>>());
    assert!(expected.lines().count() > 10 && expected.contains(": "));
}

#[test]
fn the_standard_form_has_the_same_tags() {
    let job = |edits| Copies::new().edits(edits).export(ExportOptions::default());
    let written = |edits| String::from_utf8(walk(&job(edits), &one(), [("a.pgn", whole(GAME))]).output).unwrap();
    let text =
        written(GameEdits { add_opening: true, ..edits(&["Result=0-1", "Event=E", "Zebra="], &["White", "*Elo"]) });
    let (first, second) = text.split_once("\n\n[").unwrap();
    assert!(
        first.starts_with(
            "; mine\n; why\n[Event \"E\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n"
        ),
        "{first}"
    );
    assert!(
        first.contains("[Result \"0-1\"]\n[ECO \"B5") && first.contains("\n[Zebra \"\"]\n") && !first.contains("Elo"),
        "{first}"
    );
    assert!(first.ends_with(" 0-1") && second.ends_with(" 0-1\n\n"), "{text}");
}

#[test]
fn orders_and_names_of_files_are_those_of_the_written_tags() {
    let desk = Desk::with(&[("a.pgn", GAME), ("names.txt", b"Petrosian\n  Tal\n")]);
    let options =
        ["games", "-q", "--add-opening", "--rename", "--names", "names.txt", "a.pgn", "-o", "{ECO} {Black}.pgn"];
    assert_eq!(desk.run(&options).code, Some(0));
    let files = desk.files();
    assert!(files.contains(&"A00 Petrosian.pgn".to_owned()), "{files:?}");
    assert!(desk.read("A00 Petrosian.pgn").starts_with(b"[Black \"Petrosian\"]"));
    // Equal games are compared as they were.
    let ran =
        desk.run(&["games", "-q", "-u=Black", "--set-tag", "Black=x", "--sort", "Event", "a.pgn", "-o", "u.pgn.gz"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(desk.run(&["games", "-q", "u.pgn.gz"]).stdout.matches("[Black \"x\"]").count(), 1);
}

#[test]
fn wrong_edits_are_refused() {
    let desk = Desk::with(&[("a.pgn", GAME)]);
    for (options, reason) in [
        (&["--set-tag", "FEN=8/8"][..], "FEN tells where a game starts"),
        (&["--set-tag", "Result=won"], "'won' is not a result"),
        (&["--set-tag", "Event"], "has no equals sign"),
        (&["--set-tag", "White Elo=1"], "is not the name of a tag"),
        (&["--remove-tag", "SetUp"], "SetUp tells where a game starts"),
        (&["--rename"], "--rename needs --names"),
        (&["--tree", "a.pgn", "--set-tag", "A=1"], "an option of the group of --set-tag is for copies"),
    ] {
        let ran = desk.run(&[&["games"], options, &["a.pgn"]].concat());
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{options:?}");
        assert!(ran.stderr.contains(reason), "{options:?}: {}", ran.stderr);
    }
}

/// Compares the tag and the end of the moves of a game whose dates and results are repaired.
#[track_caller]
fn check_repair(tag: &str, moves: &str, expected: &str) {
    let text = format!("[Event \"x\"]\n{tag}\n\n{moves}\n");
    let edits = GameEdits { repair: true, ..GameEdits::default() };
    let said = walk(&Copies::new().edits(edits.clone()), &one(), [("a.pgn", whole(text.as_bytes()))]);
    let written = String::from_utf8(said.output).unwrap();
    let repaired =
        written.strip_prefix("[Event \"x\"]\n").unwrap().trim_end().replace("\n\n", " | ").replace('\n', " ");
    assert_eq!(repaired, expected);
    assert_eq!(said.totals.repaired, u64::from(written != text), "{tag} {moves}");
    // What is repaired stays as it is.
    let again = walk(&Copies::new().edits(edits), &one(), [("a.pgn", whole(written.as_bytes()))]);
    assert_eq!((String::from_utf8(again.output).unwrap(), again.totals.repaired), (written, 0));
}

#[test]
fn dates_that_mean_one_day_are_repaired() {
    for (date, expected) in [
        ("2023-07-09", "2023.07.09"),
        ("2023.7.9", "2023.07.09"),
        ("9.7.2023", "2023.07.09"),
        ("Sun Jul 09 2023", "2023.07.09"),
        ("13/7/2023", "2023.07.13"),
        ("2023", "2023.??.??"),
        ("?", "????.??.??"),
        ("2023.07.09", "2023.07.09"),
        ("7/9/2023", "7/9/2023"),
        ("2023-07-09 18:00", "2023-07-09 18:00"),
        ("2023.07.32", "2023.07.32"),
        ("next week", "next week"),
    ] {
        check_repair(&format!("[Date \"{date}\"]"), "1. e4 *", &format!("[Date \"{expected}\"] | 1. e4 *"));
    }
    check_repair("[EventDate \"2023-07-09\"]", "*", "[EventDate \"2023.07.09\"] | *");
    check_repair("[Round \"9.7.2023\"]", "*", "[Round \"9.7.2023\"] | *");
}

#[test]
fn results_agree_after_a_repair() {
    check_repair("[Result \"½-½\"]", "1. e4 1/2", "[Result \"1/2-1/2\"] | 1. e4 1/2-1/2");
    check_repair("[Result \"0:1\"]", "1. e4 0-1", "[Result \"0-1\"] | 1. e4 0-1");
    check_repair("[Result \"?\"]", "1. e4 1-0", "[Result \"1-0\"] | 1. e4 1-0");
    check_repair("[Result \"White wins\"]", "1. e4 *", "[Result \"1-0\"] | 1. e4 1-0");
    check_repair("[Result \"1-0\"]", "1. e4", "[Result \"1-0\"] | 1. e4 1-0");
    check_repair("[Site \"y\"]", "1. e4 1:0", "[Site \"y\"] | 1. e4 1-0");
    check_repair("[Site \"y\"]", "1. e4", "[Site \"y\"] | 1. e4");
    // Two results, of which none is known to be right.
    check_repair("[Result \"1-0\"]", "1. e4 0-1", "[Result \"1-0\"] | 1. e4 0-1");
    check_repair("[Result \"0-0\"]", "1. e4 *", "[Result \"0-0\"] | 1. e4 *");
    check_repair("[Result \"1-0 or 0-1\"]", "1. e4 *", "[Result \"1-0 or 0-1\"] | 1. e4 *");
    // The board tells.
    let mate = "1. f3 e5 2. g4 Qh4#";
    for (tag, marker) in [("1-0", "0-1"), ("*", "*"), ("0-1", "1-0")] {
        let expected = format!("[Result \"0-1\"] | {mate} 0-1");
        check_repair(&format!("[Result \"{tag}\"]"), &format!("{mate} {marker}"), &expected);
    }
    check_repair("[Result \"1-0\"]", &format!("{mate} 1-0"), &format!("[Result \"1-0\"] | {mate} 1-0"));
}

#[test]
fn the_number_of_repaired_games_is_told() {
    let desk = Desk::with(&[("a.pgn", b"[Date \"2023-07-09\"]\n\n1. e4 *\n\n[Date \"2023.07.09\"]\n\n1. d4 *\n")]);
    let ran = desk.run(&["games", "-v", "--repair", "--san", "a.pgn", "-o", "b.pgn"]);
    assert!(ran.stderr.contains("summary: 2 games, 2 written, 1 repaired"), "{}", ran.stderr);
    assert_eq!(String::from_utf8(desk.read("b.pgn")).unwrap().matches("[Date \"2023.07.09\"]").count(), 2);
}
