//! The games of tournaments compared with each other: `check --tournament`.

use crate::cli::Desk;

/// Returns the lines about findings, without the summary.
#[track_caller]
fn check(files: &[(&str, &[u8])], options: &[&str], expected: &str) {
    let desk = Desk::with(files);
    let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    let ran = desk.run(&[&["check", "--tournament"], &names[..], options].concat());
    let lines = ran.stdout.lines().filter(|line| !line.starts_with("summary: ") && !line.starts_with("tournaments: "));
    assert_eq!(lines.collect::<Vec<_>>().join("\n"), expected, "{}", ran.stderr);
    assert_eq!(ran.code, Some(i32::from(!expected.is_empty())), "{}", ran.stdout);
}

/// Games of a tournament, each with its round and its players.
fn games(pairings: &[(&str, &str, &str)]) -> String {
    let game = |(round, white, black): &(&str, &str, &str)| {
        format!(
            "[Event \"Open\"]\n[Date \"2020.01.0{round}\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n\
             [Black \"{black}\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n"
        )
    };
    pairings.iter().map(game).collect()
}

#[test]
fn a_pairing_occurs_once_in_a_round() {
    let text = games(&[("1", "Tal", "Fine"), ("2", "Tal", "Fine"), ("1", "Fine", "Tal"), ("1", "Tal", "Fine")]);
    check(
        &[("a.pgn", text.as_bytes())],
        &[],
        "a.pgn:28:1: pairing-twice: Tal – Fine is in round 1 twice, first on line 1",
    );
    // The files of rounds are one tournament, and names of a player are one player.
    let first = games(&[("1", "Tal, Mikhail", "Fine"), ("2", "Fine", "Tal, Mikhail")]);
    let second = games(&[("1", "tal, mikhail", "Fine")]);
    check(
        &[("a.pgn", first.as_bytes()), ("b.pgn", second.as_bytes())],
        &[],
        "b.pgn:1:1: pairing-twice: tal, mikhail – Fine is in round 1 twice, first in a.pgn:1\n\
         b.pgn:1:1: spelling: tal, mikhail is Tal, Mikhail, as the player is written in 2 games",
    );
    // Without a round, or in another year or event, it may be another game.
    for (from, to) in [("[Round \"1\"]\n", ""), ("2020.01", "2021.01"), ("Open", "Closed")] {
        let text = games(&[("1", "Tal", "Fine")]);
        check(&[("a.pgn", text.as_bytes()), ("b.pgn", text.replace(from, to).as_bytes())], &[], "");
    }
}

#[test]
fn a_player_has_a_game_in_each_round() {
    let round =
        |round: &'static str| [(round, "A1", "B2"), (round, "C3", "D4"), (round, "E5", "F6"), (round, "G7", "H8")];
    let players = ["Alfa", "Bravo", "Charly", "Delta", "Echo", "Foxtrot", "Golf", "Hotel"];
    let named = |pairings: &[(&'static str, &'static str, &'static str)]| {
        let mut text = games(pairings);
        for (short, name) in ["A1", "B2", "C3", "D4", "E5", "F6", "G7", "H8"].iter().zip(players) {
            text = text.replace(short, name);
        }
        text
    };
    let mut all = [round("1"), round("2"), round("3")].concat();
    check(&[("a.pgn", named(&all).as_bytes())], &[], "");
    // The last pair has no game in the second round.
    all.remove(7);
    check(
        &[("a.pgn", named(&all).as_bytes())],
        &[],
        "a.pgn:91:1: missing-round: Golf has games in rounds 1 and 3, and none in round 2\n\
         a.pgn:91:1: missing-round: Hotel has games in rounds 1 and 3, and none in round 2",
    );
    // More than a quarter of the players have no game.
    all.remove(6);
    check(&[("a.pgn", named(&all).as_bytes())], &[], "");
    // A player who comes late or leaves misses nothing, and of an odd number one has no opponent.
    let bye = [("1", "A1", "B2"), ("2", "B2", "C3"), ("3", "C3", "A1"), ("4", "A1", "B2")];
    check(&[("a.pgn", named(&bye).as_bytes())], &[], "");
}

#[test]
fn results_and_tags_are_as_the_game_says() {
    let text = "[Result \"1-0\"]\n\n1. f3 e5 2. g4 Qh4# 1-0\n\n[Result \"*\"]\n\n1. e4 *\n\n\
        [White \"x\"]\n[Result \"1-0\"]\n\n1-0\n\n[Result \"1-0\"]\n[Termination \"Unplayed\"]\n\n1-0\n\n\
        [Date \"2023.02.30\"]\n[Result \"1-0\"]\n[TimeControl \"60 mins\"]\n[WhiteElo \"2400\"]\n\n1. e4 1-0\n\n\
        [FEN \"7k/8/6K1/5Q2/8/8/8/8 w - - 0 1\"]\n[SetUp \"1\"]\n[Result \"1-0\"]\n\n1. Qf7 1-0\n\n\
        [Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
    let expected = "a.pgn:1:1: result-on-board: the board shows mate by Black, and the result is 1-0\n\
        a.pgn:5:1: no-result: the game has no result\n\
        a.pgn:10:1: no-moves: the game has no moves, and the result is 1-0; Termination \"unplayed\" would say why\n\
        a.pgn:19:1: unreadable-tag: Date \"2023.02.30\": there is no such day\n\
        a.pgn:21:1: unreadable-tag: TimeControl \"60 mins\": this is not a time control\n\
        a.pgn:28:1: result-on-board: the board shows stalemate, and the result is 1-0";
    check(&[("a.pgn", text.as_bytes())], &[], expected);
    check(&[("a.pgn", text.as_bytes())], &["-j1"], expected);
    check(&[("a.pgn", text.as_bytes())], &["--no-variations", "--max-messages", "99"], expected);
    // Without the option, nothing of this is reported.
    let desk = Desk::with(&[("a.pgn", text.as_bytes())]);
    let ran = desk.run(&["check", "a.pgn"]);
    assert!(!ran.stdout.contains("no-moves") && ran.code == Some(0), "{}", ran.stdout);
    let ran = desk.run(&["check", "--tournament", "--exit-zero", "a.pgn"]);
    let summary = "tournaments: result-on-board (2), no-result (1), no-moves (1), unreadable-tag (2)\n";
    assert!(ran.stdout.contains(summary) && ran.code == Some(0), "{}", ran.stdout);
}

#[test]
fn findings_are_rows_of_a_table() {
    let text =
        "1. e4 *\n\n[White \"Carlsen, Magnus\"]\n\n1. e4 1-0\n\n[White \"Carlsen, M\"]\n\n1. e4 1-0 {\u{1b}[1m}\n";
    let desk = Desk::with(&[("a.pgn", text.as_bytes())]);
    let ran = desk.run(&["check", "--tournament", "-f", "csv", "a.pgn"]);
    assert_eq!(
        ran.stdout,
        "file,line,column,kind,text\na.pgn,1,1,no-result,the game has no result\n\
         a.pgn,7,1,possible-spelling,\"Carlsen, M may be Carlsen, Magnus, who has 1 game\"\n"
    );
    assert_eq!(ran.code, Some(1));
    let right = Desk::with(&[("b.pgn", b"[Result \"1-0\"]\n\n1. e4 1-0\n")]);
    let none = right.run(&["check", "--tournament", "-f", "csv", "b.pgn"]);
    assert_eq!((none.stdout.as_str(), none.code), ("file,line,column,kind,text\n", Some(0)), "{}", none.stderr);
    let ran = desk.run(&["check", "--tournament", "-f", "jsonl", "a.pgn"]);
    assert!(ran.stdout.contains(r#""line":7,"column":1,"kind":"possible-spelling""#), "{}", ran.stdout);
    let ran = desk.run(&["check", "-f", "csv", "a.pgn"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("--tournament"), "{}", ran.stderr);
    let quiet = desk.run(&["check", "--tournament", "-q", "a.pgn"]);
    assert!(quiet.stdout.is_empty() && quiet.code == Some(1), "{}", quiet.stdout);
}

/// A filter that cannot read a value leaves its game out, and says so.
#[test]
fn games_of_variants_are_compared_by_their_rules() {
    let game = |result: &str| {
        format!(
            "[Event \"Open\"]\n[Variant \"King of the Hill\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"{result}\"]\n\n\
                 1. e4 a6 2. Ke2 b6 3. Kd3 c6 4. Kd4 {result}\n"
        )
    };
    check(&[("a.pgn", game("1-0").as_bytes())], &[], "");
    let expected = "a.pgn:5:1: result-on-board: the white king is in the centre, and the result is 0-1";
    check(&[("a.pgn", game("0-1").as_bytes())], &[], expected);
}

#[test]
fn a_value_that_a_filter_cannot_read_is_told() {
    let text = "[Date \"2021.01.02\"]\n\n1. e4 *\n\n[Date \"Sun Jul 09 2023\"]\n\n1. d4 *\n\n\
        [Date \"?\"]\n\n1. c4 *\n\n[Date \"2019.01.02\"]\n\n1. a4 *\n\n";
    let desk = Desk::with(&[("a.pgn", text.as_bytes())]);
    let warning = "warning: -t could not read a value of 1 game; such a value is neither less nor greater than any \
        other\n";
    let run = |options: &[&str]| desk.run(&[&["--no-header", "-C", "san", "-p1", "a.pgn"], options].concat());
    run(&["-t", "Date>=2020"]).is("e4\n", warning, 0);
    run(&["-t", "Date>=2020", "-j1", "-q"]).is("e4\n", "", 0);
    run(&["-t", "Date>=2000", "-n1"]).is("e4\n", "", 0);
    run(&["-t", "Date~2021"]).is("e4\n", "", 0);
    run(&["-t", "Date!=2021"]).is("d4\nc4\na4\n", "", 0);
    run(&["-t", "Date>=2020 or Date~Sun"]).is("e4\nd4\n", "", 0);
    let ran = desk.run(&["check", "-t", "Date<2020", "a.pgn"]);
    assert!(ran.stdout.contains(warning), "{}", ran.stdout);
}

/// The findings do not depend on threads, cuts of blocks and where the text comes from.
#[test]
fn threads_change_no_finding() {
    let mut text = String::new();
    for number in 0..20_000 {
        text += &format!("[Event \"E\"]\n[White \"W{}\"]\n\n1. e4 e5 2. Nf3 Nc6 ", number % 7);
        text += if number % 1000 == 999 { "*\n\n" } else { "1-0\n\n" };
    }
    let desk = Desk::with(&[("a.pgn", text.as_bytes())]);
    let lines = |threads: &str| {
        let ran = desk.run(&["check", "--tournament", "-f", "tsv", threads, "a.pgn"]);
        ran.stdout.lines().filter(|line| line.contains("no-result")).map(str::to_owned).collect::<Vec<_>>()
    };
    let (one, four) = (lines("-j1"), lines("-j4"));
    assert_eq!(one.len(), 20);
    assert_eq!(one[1], "a.pgn\t9996\t1\tno-result\tthe game has no result");
    assert_eq!(one, four);
}
