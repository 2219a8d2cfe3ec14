//! Where games begin and end: lists of openings, labels, results in odd spellings, and text that holds no game.

use crate::cli::Desk;

/// Compares the number of plies of each game, the exit status and the kinds of messages.
#[track_caller]
fn check(text: &str, plies: &[u32], status: i32, kinds: &[&str]) {
    let desk = Desk::with(&[("a.pgn", text.as_bytes())]);
    for more in [&[][..], &["-j1", "--no-mmap"]] {
        let ran = desk.run(&[&["-v", "-C", "game,ply", "-f", "csv", "--no-header", "a.pgn"], more].concat());
        let mut found: Vec<u32> = Vec::new();
        for line in ran.stdout.lines() {
            let (game, ply) = line.split_once(',').expect("two columns");
            let game: usize = game.parse().unwrap();
            found.resize(found.len().max(game), 0);
            found[game - 1] = ply.parse().unwrap();
        }
        assert_eq!((&found[..], ran.code), (plies, Some(status)), "{text:?}: {}", ran.stderr);
        for kind in kinds {
            assert!(ran.stderr.contains(kind), "{text:?}: {kind}: {}", ran.stderr);
        }
    }
}

#[test]
fn a_list_of_openings_has_as_many_games_as_lines() {
    check("1. e4 e5\n1. d4 d5\n1. c4 c5\n1. Nf3 Nf6\n", &[2, 2, 2, 2], 0, &["result"]);
    check("1. e4\n1. d4\n1. c4 c5 2. Nf3\n1. Nf3\n", &[1, 1, 3, 1], 0, &[]);
    check("1.e4 e5\r\n1.d4\r\n", &[2, 1], 0, &[]);
    check("1 e4 e5\r1 d4\r", &[2, 1], 0, &[]);
    check("[Event \"x\"]\n\n1. e4 e5 {c}\n1. d4 ; c\n1. c4\n", &[2, 1, 1], 0, &[]);
    let columns =
        "eco\tname\tpgn\nA00\tAmar Opening\t1. Nh3\nA00\tAmar Opening: Paris Gambit\t1. Nh3 d5 2. g3 e5 3. f4\n";
    // This is a table.
    check(columns, &[1, 5], 0, &["read as a table of games (CSV)"]);
    // The numbers of these games are wrong, or their lines are wrapped.
    check("1. e4 1. e5 7. Nf3 7... Nc6 *\n", &[4], 0, &[]);
    check("1. e4\n1. e5\n1. Nf3 Nc6 *\n1. e4\n1... e5\n1. ... *\n", &[2, 2, 2], 0, &[]);
    check("1. e4 e5 (\n1. d4 d5\n) 2. Nf3 {\n1. c4\n} 2...\nNc6 10.\nBb5 *\n", &[5], 0, &[]);
}

#[test]
fn a_label_before_the_tags_loses_no_game_and_no_tag() {
    let text = "PGN: [Event \"a\"]\n[White \"W\"]\n\n1. e4 e5\n\nGame 2: [Event \"b\"]\n[White \"V\"]\n\n1. d4 *\n";
    check(text, &[2, 1], 0, &["skipped-text", "result"]);
    let desk = Desk::with(&[("a.pgn", text.as_bytes())]);
    let ran = desk.run(&["-q", "-p", "1", "-C", "Event,White", "--no-header", "a.pgn"]);
    assert_eq!(ran.stdout, "a\tW\nb\tV\n");
    check("[x] 1. e4 e5 *\n", &[2], 0, &["skipped-text"]);
    check("Use [Event \"x\"] to name the event.\n\n[Event \"y\"]\n\n1. e4 *\n", &[1], 0, &["skipped-text"]);
}

#[test]
fn results_with_signs_and_double_forfeits_end_games() {
    check(
        "[Event \"A\"]\n\n1. e4 e5 1/2-1/2`\n\n[Event \"B\"]\n\n1. d4 1-0#\n\n1. c4 0-1'\n\n1. b3 1-0/\n",
        &[2, 1, 1, 1],
        0,
        &["result"],
    );
    let forfeits = "[Event \"A\"]\n[Result \"0-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 0-0\n\n\
        [Event \"B\"]\n[Result \"0-0\"]\n\n0-0\n";
    check(forfeits, &[6, 0], 0, &["both players lose"]);
    check("[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. 0-0 1-0\n", &[7], 0, &[]);
    check("[Result \"0-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. 0-0 Nf6 0-0\n", &[8], 0, &[]);
}

#[test]
fn other_texts_hold_no_game() {
    let c = "/*\n * A comment\n * 1. item\n * 2. item\n */\n#include <x.h>\n\
        int main(void)\n{\n  int a[10];\n  a[0] = 1;\n}\n";
    let markdown =
        "# Title\n\n* one\n* two\n\n1. First item\n2. Second item\n\n[Icons](http://x)\n[ ] to do\n[x] done\n";
    for text in ["[section]\nkey=value\n", "[Desktop Entry]\nName=x\n", c, markdown] {
        check(text, &[], 1, &["no-games"]);
    }
}
