//! `pgn2fen games --split study`: the files are studies that Lichess takes, and no line of a game is lost.

use std::collections::BTreeSet;
use std::fmt::Write;

use pgn2fen_games::database::Database;
use pgn2fen_games::export::{ChapterLimits, Exporter, append_chapters, split_chapters};
use pgn2fen_games::replay::Event;

use crate::cli::Desk;
use crate::laws::game_fixtures;

/// Returns the lines of all games of a text, from the start to each end, with the start.
fn lines(text: &[u8]) -> BTreeSet<String> {
    let mut lines = BTreeSet::new();
    for game in Database::from(text.to_vec()).games() {
        let Ok(moves) = game.moves() else { continue };
        let mut path = vec![format!("{:?}", game.tag("FEN"))];
        let mut open = Vec::new();
        for event in moves {
            match event.unwrap() {
                Event::Move(ply) => path.push(format!("{:?}", ply.played)),
                Event::VariationStart => {
                    open.push(path.clone());
                    path.pop();
                }
                Event::VariationEnd => {
                    lines.insert(path.join(" "));
                    path = open.pop().unwrap();
                }
                _ => {}
            }
        }
        lines.insert(path.join(" "));
    }
    // A line that goes on in another is no line of its own.
    let all: Vec<String> = lines.iter().cloned().collect();
    all.windows(2).filter(|pair| pair[1].starts_with(&format!("{} ", pair[0]))).for_each(|pair| {
        lines.remove(&pair[0]);
    });
    lines
}

/// Returns the comments of all games of a text, sorted.
fn comments(text: &[u8]) -> Vec<String> {
    let mut comments = Vec::new();
    for game in Database::from(text.to_vec()).games() {
        for event in game.moves().unwrap() {
            if let Ok(Event::Comment(comment)) = event {
                comments.push(comment.decode().split_whitespace().collect::<Vec<_>>().join(" "));
            }
        }
    }
    comments.sort();
    comments
}

/// Returns a game of 300 plies with a variation of `length` plies at each.
fn branchy(length: usize) -> String {
    const MAIN: [&str; 4] = ["Nf3", "Nf6", "Ng1", "Ng8"];
    const OTHERS: [[&str; 4]; 4] = [
        ["Nc3", "Nc6", "Nb1", "Nb8"],
        ["Nc6", "Ng1", "Nb8", "Nf3"],
        ["Nc3", "Nc6", "Nb1", "Nb8"],
        ["Nc6", "Nc3", "Nb8", "Nb1"],
    ];
    let mut text = "[Event \"Knights\"]\n[Orientation \"black\"]\n[ChapterMode \"gamebook\"]\n\n".to_owned();
    for ply in 0..300 {
        write!(text, "{} {{main {ply}}} (", MAIN[ply % 4]).unwrap();
        (0..length).for_each(|nth| write!(text, "{} ", OTHERS[ply % 4][nth % 4]).unwrap());
        write!(text, "$1 {{end {ply}}}) ").unwrap();
    }
    text + "1-0\n\n"
}

#[test]
fn the_lines_of_the_chapters_are_those_of_the_game() {
    let exporter = Exporter::default();
    let mut divided = 0;
    for (path, bytes) in game_fixtures() {
        for game in Database::from(bytes).games().take(40) {
            let Ok(text) = exporter.to_pgn(&game) else { continue };
            let movetext = text.len() - text.find("\n\n").unwrap_or(0);
            for (moves, bytes) in [(3000, 100_000), (120, 100_000), (3000, text.len() - movetext / 3)] {
                let limits = ChapterLimits { moves, bytes, ..ChapterLimits::default() };
                let mut out = Vec::new();
                let made = append_chapters(text.as_bytes(), "Name", limits, 79, &mut out);
                let chapters: Vec<&[u8]> = split_chapters(&out).collect();
                assert_eq!(chapters.len(), made.chapters, "{}", path.display());
                assert!(chapters.iter().all(|chapter| chapter.starts_with(b"[")), "{}", path.display());
                assert_eq!(lines(&out), lines(text.as_bytes()), "{}", path.display());
                let over = |chapter: &&&[u8]| count(chapter) > moves || chapter.len() > bytes;
                assert!(chapters.iter().filter(over).count() <= made.too_large, "{}", path.display());
                divided += usize::from(made.chapters > 1);
            }
        }
    }
    assert!(divided > 3, "{divided}");
}

/// Returns the number of moves, those of variations included.
fn count(text: &[u8]) -> usize {
    let database = Database::from(text.to_vec());
    let game = database.games().next().unwrap();
    game.moves().unwrap().filter(|event| matches!(event, Ok(Event::Move(_)))).count()
}

#[test]
fn a_large_game_is_divided_and_nothing_is_lost() {
    let game = branchy(30);
    let desk = Desk::with(&[("a.pgn", game.as_bytes())]);
    let ran = desk.run(&["games", "--split", "study", "-o", "s-{part}.pgn", "a.pgn"]);
    let told = "a.pgn:1:1: warning: large-chapter: ";
    assert!(ran.stderr.starts_with(told) && ran.stderr.contains("was divided into 4 chapters"), "{}", ran.stderr);
    assert_eq!((ran.code, desk.files()), (Some(0), vec!["a.pgn".to_owned(), "s-1.pgn".to_owned()]));
    let study = desk.read("s-1.pgn");
    assert_eq!(lines(&study), lines(game.as_bytes()));
    assert_eq!(comments(&study), comments(game.as_bytes()));
    let chapters: Vec<&[u8]> = split_chapters(&study).collect();
    assert_eq!(chapters.len(), 4);
    for (nth, chapter) in chapters.iter().enumerate() {
        assert!(count(chapter) <= 3000 && chapter.len() <= 100_000);
        let text = str::from_utf8(chapter).unwrap();
        assert!(text.contains("[ChapterMode \"gamebook\"]\n") && text.contains("[Orientation \"black\"]\n"));
        assert!(text.contains(&format!("[ChapterName \"Knights ({}/4", nth + 1)), "{text}");
        assert_eq!(text.split_whitespace().next_back(), Some(if nth == 0 { "1-0" } else { "*" }));
    }
    // The same bytes for any number of threads, from a pipe, and when the output is read again.
    desk.run(&["games", "-j", "1", "--split", "study", "-o", "one-{part}.pgn", "a.pgn"]);
    desk.pipe(&["games", "-j", "3", "--split", "study", "-o", "three-{part}.pgn"], game.as_bytes());
    assert!(desk.read("one-1.pgn") == study && desk.read("three-1.pgn") == study);
    assert!(desk.run(&["games", "--split", "study", "-o", "again-{part}.pgn", "s-1.pgn"]).stderr.is_empty());
    assert!(desk.read("again-1.pgn") == study);
}

#[test]
fn a_file_has_at_most_64_chapters() {
    let mut games = String::new();
    (0..130).for_each(|nth| write!(games, "[White \"A\"]\n[Black \"{nth}\"]\n\n1. e4 c5 *\n\n").unwrap());
    let desk = Desk::with(&[("a.pgn", games.as_bytes())]);
    let name = "{opening} [{eco}]: {Black}{Site}";
    desk.run(&["games", "--split", "study", "--chapter-name", name, "-o", "s-{part}.pgn", "a.pgn"]).is(
        "",
        "warning: no game has the tag Site; did you mean White?\n",
        0,
    );
    let parts = ["s-1.pgn", "s-2.pgn", "s-3.pgn"].map(|name| desk.read(name));
    assert_eq!(parts.each_ref().map(|part| split_chapters(part).count()), [64, 64, 2]);
    let last = String::from_utf8(parts[2].clone()).unwrap();
    assert!(last.contains("[ChapterName \"Sicilian Defense [B20]: 129\"]\n"), "{last}");
    desk.run(&["games", "-u", "--split", "study", "-o", "u-{part}.pgn", "a.pgn"]).is("", "", 0);
    assert_eq!(split_chapters(&desk.read("u-1.pgn")).count(), 1);
}

#[test]
fn starts_comments_before_tags_and_missing_tags_make_chapters_too() {
    let games = "{about} [Variant \"Chess960\"]\n[SetUp \"1\"]\n\
        [FEN \"bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1\"]\n\n1. f4 *\n\n1. e4 e5 *\n\n\
        [White \"?\"]\n[ChapterName \"Mine\"]\n\n1. d4 Ke4 *\n";
    let desk = Desk::with(&[("a.pgn", games.as_bytes())]);
    let ran = desk.run(&["games", "--split", "study", "--tags", "ChapterName", "-o", "{part}.pgn", "a.pgn"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let text = String::from_utf8(desk.read("1.pgn")).unwrap();
    let expected = "[Event \"?\"]\n\n";
    assert!(!text.contains(expected), "{text}");
    assert!(text.contains("[Variant \"Chess960\"]\n\n{about} 1. f4 *\n\n"), "{text}");
    assert!(text.contains("[ChapterName \"King's Pawn Game\"]\n\n1. e4 e5 *\n\n"), "{text}");
    assert!(text.ends_with("[ChapterName \"Mine\"]\n\n1. d4 {Ke4} *\n\n"), "{text}");
}

#[test]
fn wrong_use_is_told() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 *\n")]);
    let ran = desk.run(&["games", "--chapter-name", "{White}", "a.pgn"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("--chapter-name needs --split study"), "{}", ran.stderr);
    let ran = desk.run(&["games", "--split", "study", "--chapter-name", "{white}", "-o", "{part}.pgn", "a.pgn"]);
    assert!(ran.stderr.contains("{white} is neither {opening} nor {eco}"), "{}", ran.stderr);
    let ran = desk.run(&["games", "--split", "study", "-o", "a-study.pgn", "a.pgn"]);
    assert!(ran.stderr.contains("a-study-{part}.pgn"), "{}", ran.stderr);
}
