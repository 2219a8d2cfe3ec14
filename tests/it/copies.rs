//! Games that are copied: each once, byte for byte, and so that they read as the same games.

use std::fs;
use std::path::Path;

use pgn2fen_games::parallel::Workers;
use pgn2fen_games::pgn::encoding::detect_utf16;
use pgn2fen_games::pgn::games::{Game, Games};
use pgn2fen_rows::starts::Starts;

use crate::cli::Desk;
use crate::laws::{everything, game_fixtures, noise, whole};
use crate::starts::{begun, is_usual, one, printed, text};

/// The games of a text, without the blank lines that go with them.
fn games(bytes: &[u8]) -> Vec<&[u8]> {
    Games::new(bytes).map(|game| game.bytes().trim_ascii_end()).collect()
}

fn is_selected(game: &Game<'_>) -> bool {
    begun(game).is_some_and(|replay| !is_usual(replay.position()))
}

/// Together the copies and the others hold each game once, and read as the same games.
#[track_caller]
pub(crate) fn check_copies(workers: &Workers, files: &[&[u8]], what: &str) {
    let sources = || files.iter().map(|file| whole(file)).collect();
    for invert in [false, true] {
        let job = Starts::copies().invert(invert);
        let copy: Vec<u8> = printed(&job, workers, sources()).chars().map(|char| char as u8).collect();
        let expected: Vec<&[u8]> = files
            .iter()
            .flat_map(|file| Games::new(file))
            .filter(|game| is_selected(game) != invert)
            .map(|game| game.bytes().trim_ascii_end())
            .collect();
        let copied = games(&copy);
        assert_eq!(copied.len(), expected.len(), "{what}: {}", text(&copy));
        for (copied, expected) in copied.iter().zip(expected) {
            let added = copied.strip_prefix(expected).map(|added| text(added.trim_ascii()));
            let added = added.unwrap_or_else(|| panic!("{what}: {} became {}", text(expected), text(copied)));
            assert!(
                added.trim_start_matches('}').trim_start_matches(')').trim_end_matches('*').is_empty(),
                "{what}: {added}"
            );
        }
    }
}

#[test]
fn copies_and_the_others_hold_each_game_once() {
    let (workers, fixtures) = (one(), game_fixtures());
    for (path, bytes) in &fixtures {
        if detect_utf16(bytes).is_none() {
            check_copies(&workers, &[bytes], &path.display().to_string());
        }
    }
    // Joined as files, games meet others than in their own.
    let readable = fixtures.iter().filter(|(_, bytes)| detect_utf16(bytes).is_none());
    let all: Vec<&[u8]> = readable.map(|(_, bytes)| bytes.as_slice()).collect();
    check_copies(&workers, &all, "all fixtures");
    check_copies(&workers, &[&everything()], "all fixtures in one text");
}

#[test]
fn copies_of_odd_text_hold_each_game_once() {
    let pieces = [
        "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]",
        "[FEN \"?\"]",
        "[White \"A\"]",
        "\n\n",
        "\n",
        "\r\n",
        "\r",
        " ",
        "1. e4",
        "e5 2. d4",
        "e4 e5",
        "*",
        "1-0",
        "{",
        "}",
        "(",
        ")",
        ";",
        "\n%",
        "prose",
        "\u{feff}",
        "\u{b}",
        "\n[Event \"x\"]\n",
        "[x]",
        "\u{bd}-\u{bd}",
        "1 - 0",
        "O-",
        "1",
        "Nf30-1",
        "5254 5755",
        "1) ",
    ];
    let workers = one();
    let mut seed = 11;
    for _ in 0..20_000 {
        let mut text = || -> String {
            let length = noise(&mut seed) % 20;
            (0..length).map(|_| pieces[noise(&mut seed) % pieces.len()]).collect()
        };
        let (a, b) = (text(), text());
        check_copies(&workers, &[a.as_bytes(), b.as_bytes()], &format!("{a:?}, {b:?}"));
    }
}

#[test]
fn parts_in_many_encodings_are_copied_byte_for_byte() {
    let mixed = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/starts/mixed.pgn")).unwrap();
    let crlf = text(&mixed).replace('\n', "\r\n").replace("Saavedra", "Saavedra \u{e9}");
    let latin: Vec<u8> = crlf.chars().map(|char| char as u8).collect();
    let utf8 = text(&mixed).replace("Saavedra", "Saavedra \u{e9}");
    let parts =
        [b"\xEF\xBB\xBF".as_slice(), &mixed, &latin, b"\xEF\xBB\xBF", utf8.as_bytes().trim_ascii_end()].concat();
    let desk = Desk::with(&[("parts.pgn", &parts)]);
    assert_eq!(desk.run(&["starts", "parts.pgn", "-q", "-o", "studies.pgn"]).code, Some(1));
    assert_eq!(desk.run(&["starts", "parts.pgn", "-q", "-f", "pgn", "--invert", "-o", "others.pgn"]).code, Some(1));
    let [studies, others] = ["studies.pgn", "others.pgn"].map(|name| desk.read(name));
    let (mut selected, mut rest) = (games(&studies).into_iter(), games(&others).into_iter());
    for game in Games::new(&parts) {
        let side = if is_selected(&game) { &mut selected } else { &mut rest };
        assert_eq!(side.next(), Some(game.bytes()));
    }
    assert!(selected.next().is_none() && rest.next().is_none());
    // Where every game is wanted, the copy is the file.
    assert_eq!(desk.run(&["starts", "studies.pgn", "-f", "pgn", "-o", "again.pgn"]).code, Some(0));
    assert_eq!(desk.read("again.pgn"), studies);
}
