//! What `pgn2fen find` prints.

use std::fs;

use pgn2fen_games::messages::quoted;

use crate::cli::{Desk, gzip};
use crate::index::build;

const GAMES: &str = "\
[White \"Steinitz\"]
[Black \"Bardeleben\"]
[Date \"1895.08.17\"]
[WhiteElo \"2650\"]
[Result \"1-0\"]

1. e4 e5 2. Nf3 Nc6 3. Ng1 Nb8 1-0

[White \"Réti\"]
[Black \"Tab\tand, comma\"]
[Date \"1923.??.??\"]
[Result \"1/2-1/2\"]

1. Nf3 e5 2. e4 Nf6 1/2-1/2

[White \"?\"]
[WhiteElo \"2000\"]
[Result \"*\"]

1. e4 e5 *
";

const E5: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";

fn desk() -> Desk {
    let desk = Desk::with(&[("a.pgn", GAMES.as_bytes())]);
    build(&desk, &["-o", "idx"], &["a.pgn".to_owned()]);
    desk
}

#[track_caller]
fn check(arguments: &[&str], stdout: &str) {
    desk().run(&[&["find"], arguments].concat()).is(stdout, "", 0);
}

#[test]
fn a_hit_says_where_the_game_is() {
    let e4_e5 = "place\tgame\tply\tWhite\tBlack\tResult\tDate\tlink\n\
        a.pgn:1\t1\t2\tSteinitz\tBardeleben\t1-0\t1895.08.17\t\n\
        a.pgn:1\t1\t6\tSteinitz\tBardeleben\t1-0\t1895.08.17\t\n\
        a.pgn:16\t3\t2\t?\t\t*\t\t\n";
    check(&["idx", "1. e4 e5"], e4_e5);
    check(&["idx", E5], e4_e5);
    check(&["idx", &format!("{E5} 0 2")], e4_e5);
    check(&["-f", "tsv", "idx", "e4 e5 Nf3 Nc6 Ng1 Nb8"], e4_e5);
    check(&["--verify", "idx", "e4 e5"], e4_e5);
    check(&["-m", "1", "--no-header", "idx", "e4 e5"], "a.pgn:1\t1\t2\tSteinitz\tBardeleben\t1-0\t1895.08.17\t\n");
    // Another way to it.
    check(
        &["-f", "csv", "idx", "e4 e5 Nf3"],
        "place,game,ply,White,Black,Result,Date,link\na.pgn:1,1,3,Steinitz,Bardeleben,1-0,1895.08.17,\n\
         a.pgn:9,2,3,Réti,\"Tab\tand, comma\",1/2-1/2,1923.??.??,\n",
    );
    check(
        &["-f", "jsonl", "-t", "White~réti", "idx", "e4 e5 Nf3"],
        "{\"place\":\"a.pgn:9\",\"game\":2,\"ply\":3,\"White\":\"Réti\",\"Black\":\"Tab\\tand, comma\",\
         \"Result\":\"1/2-1/2\",\"Date\":\"1923.??.??\",\"link\":null}\n",
    );
}

#[test]
fn games_are_counted_by_their_results() {
    let header = "fen\tgames\twhite\tdraws\tblack\tunknown\n";
    check(&["-c", "idx", "e4 e5"], &format!("{header}{E5}\t2\t1\t0\t0\t1\n"));
    check(&["-c", "-t", "WhiteElo>=2100", "idx", "e4 e5"], &format!("{header}{E5}\t1\t1\t0\t0\t0\n"));
    check(&["-c", "-t", "Result=*", "idx", "e4 e5"], &format!("{header}{E5}\t1\t0\t0\t0\t1\n"));
    check(&["-c", "--verify", "idx", "e4 e5"], &format!("{header}{E5}\t2\t1\t0\t0\t1\n"));
    let queen = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -";
    desk().run(&["find", "-c", "--no-header", "idx", "d4"]).is(&format!("{queen}\t0\t0\t0\t0\t0\n"), "", 1);
}

#[test]
fn an_explorer_shows_what_was_played() {
    let header = "san\tuci\tgames\twhite\tdraws\tblack\tunknown\tavg_elo\tfirst_date\tlast_date\teco\topening\tscore\n";
    check(
        &["-M", "idx", "startpos"],
        &format!(
            "{header}e4\te2e4\t2\t1\t0\t0\t1\t2325\t1895.08.17\t1895.08.17\tB00\tKing's Pawn Game\t1.0\n\
             Nf3\tg1f3\t1\t0\t1\t0\t0\t\t1923.??.??\t1923.??.??\tA04\tZukertort Opening\t0.5\n"
        ),
    );
    // A game that came back and ended there is counted with both.
    check(
        &["-M", "idx", "e4 e5"],
        &format!(
            "{header}\t\t2\t1\t0\t0\t1\t2325\t1895.08.17\t1895.08.17\tC20\tKing's Pawn Game\t1.0\n\
             Nf3\tg1f3\t1\t1\t0\t0\t0\t2650\t1895.08.17\t1895.08.17\tC40\tKing's Knight Opening\t1.0\n"
        ),
    );
    let e4 = "e4\te2e4\t2\t1\t0\t0\t1\t2325\t1895.08.17\t1895.08.17\tB00\tKing's Pawn Game\t1.0\n";
    check(&["-M", "-m1", "--no-header", "idx", "startpos"], e4);
    check(
        &["-M", "--no-header", "-t", "Date>1900", "idx", "startpos"],
        "Nf3\tg1f3\t1\t0\t1\t0\t0\t\t1923.??.??\t1923.??.??\tA04\tZukertort Opening\t0.5\n",
    );
}

#[test]
fn games_are_copied_byte_for_byte_and_once() {
    let games: Vec<&str> = GAMES.split("\n\n[White").collect();
    let [first, third] = [format!("{}\n\n", games[0]), format!("[White{}", games[2])];
    check(&["-f", "pgn", "idx", "e4 e5"], &format!("{first}{third}"));
    check(&["-f", "pgn", "-m1", "idx", "e4 e5"], first.strip_suffix('\n').unwrap());
    let all = desk().run(&["find", "-f", "pgn", "idx", "e4 e5", "startpos", "e4 e5 Nf3"]);
    assert_eq!(all.stdout.matches("[Result").count(), 3);
}

#[test]
fn positions_come_from_standard_input() {
    let desk = desk();
    let header = "fen\tgames\twhite\tdraws\tblack\tunknown\n";
    let input = format!("e4 e5\n\n{E5}\r\nd4\n");
    let none = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -\t0\t0\t0\t0\t0\n";
    let expected = format!("{header}{E5}\t2\t1\t0\t0\t1\n{E5}\t2\t1\t0\t0\t1\n{none}");
    for arguments in [&["find", "-c", "idx"][..], &["find", "-c", "idx", "-"]] {
        desk.pipe(arguments, input.as_bytes()).is(&expected, "", 0);
    }
    let ran = desk.pipe(&["find", "-M", "--no-header", "-m1", "idx"], b"e4 Ke6\ne4\n");
    assert_eq!((ran.stdout.lines().count(), ran.code), (1, Some(2)));
    assert!(
        ran.stdout.starts_with("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\te5\te7e5\t2\t"),
        "{}",
        ran.stdout
    );
    assert!(ran.stderr.contains("the black king on e8 cannot reach e6\n    e4 Ke6\n       ^^^"), "{}", ran.stderr);
}

#[test]
fn standard_input_is_read_in_the_place_of_a_dash() {
    let ran = desk().pipe(&["find", "-c", "--no-header", "idx", "e4", "-", "e4 e5 Nf3"], b"e4 e5\nNf3\n");
    let games: Vec<&str> = ran.stdout.lines().map(|line| line.split('\t').nth(1).unwrap()).collect();
    assert_eq!((games, &*ran.stderr, ran.code), (vec!["2", "2", "1", "2"], "", Some(0)));
}

#[test]
fn a_line_that_is_no_position_is_named_and_the_others_are_answered() {
    let input = b"\xef\xbb\xbfe4 e5\r\n*\n[FEN \"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\"]\n\n\
        1-0 e4\n\xffe4\ne4 e5";
    let ran = desk().pipe(&["find", "-c", "--no-header", "idx"], input);
    assert_eq!((ran.stdout.as_str(), ran.code), (&*format!("{E5}\t2\t1\t0\t0\t1\n").repeat(3), Some(2)));
    let named: Vec<&str> = ran.stderr.lines().filter(|line| line.starts_with("pgn2fen:")).collect();
    let [second, fifth, sixth] = named[..] else { panic!("{}", ran.stderr) };
    assert!(second.starts_with("pgn2fen: line 2: this names no position"), "{second}");
    assert!(fifth.starts_with("pgn2fen: line 5: text behind the result"), "{fifth}");
    assert!(sixth.starts_with("pgn2fen: line 6: not a move"), "{sixth}");
    let endless = desk().pipe(&["find", "-c", "idx"], &vec![b'x'; 3 << 20]);
    assert_eq!(endless.code, Some(2));
    assert!(endless.stderr.contains("line 1 is too long"), "{}", endless.stderr);
}

#[test]
fn games_in_lines_of_a_list_are_answered_each() {
    let desk = desk();
    let one = format!("{E5}\t2\t1\t0\t0\t1\n");
    for (text, answers, mistakes) in [
        ("1. e4 e5\n[Event \"x\"] 1. e4 e5 *\ne4 e5\n", 3, &[][..]),
        ("[Event \"x\"] 1. e4 e5 *\n[Event \"y\"] 1. e4 e6 2. Ke8 *\ne4 e5\n", 2, &["line 2: "]),
        ("[Event \"x\"] 1. e4 e5\n[Event \"x\"] 1. e4 e5\n", 2, &[]),
        ("1. e4 e5\n[Event \"x\"] 1. e4 e5\n1. e9\n", 2, &["line 3: "]),
        // A game with a mistake is no list.
        ("[Event \"x\"] 1. e4 e5\n2. Ke3 *\n", 0, &["pgn2fen: the white king"]),
        ("[Event \"x\"]\n[White \"y\"]\n1. e4 e5\n2. Ke3 *\n", 0, &["pgn2fen: the white king"]),
    ] {
        let ran = desk.pipe(&["find", "-c", "--no-header", "idx"], text.as_bytes());
        assert_eq!(ran.stdout, one.repeat(answers), "{text}{}", ran.stderr);
        let named: Vec<&str> = ran.stderr.lines().filter(|line| line.starts_with("pgn2fen:")).collect();
        assert_eq!((named.len(), ran.code), (mistakes.len(), Some(if mistakes.is_empty() { 0 } else { 2 })), "{text}");
        assert!(named.iter().zip(mistakes).all(|(line, mistake)| line.contains(mistake)), "{text}{named:?}");
    }
}

#[test]
fn a_table_without_rows_has_its_header() {
    let desk = desk();
    let hits = "place,game,ply,White,Black,Result,Date,link\n";
    assert_eq!(desk.run(&["find", "-f", "csv", "idx", "1. a4"]).stdout, hits);
    assert_eq!(desk.run(&["find", "-f", "tsv", "idx", "1. a4"]).stdout, hits.replace(',', "\t"));
    // A script can test whether anything was found.
    desk.run(&["find", "idx", "1. a4"]).is("", "", 1);
    assert!(desk.run(&["find", "-M", "-f", "csv", "idx", "1. a4"]).stdout.starts_with("san,"));
    desk.run(&["find", "-f", "csv", "-o", "hits.csv", "-t", "White~zzzz", "idx", "e4"]);
    assert_eq!(String::from_utf8(desk.read("hits.csv")).unwrap(), hits);
    for arguments in [&["-f", "jsonl"][..], &["-f", "pgn"], &["-f", "csv", "--no-header"]] {
        assert_eq!(desk.run(&[&["find"], arguments, &["idx", "1. a4"]].concat()).stdout, "", "{arguments:?}");
    }
    // Nothing comes out of a run that fails.
    assert_eq!(desk.run(&["find", "-f", "csv", "idx", "1. a9"]).stdout, "");
}

#[test]
fn what_is_no_position_is_never_the_initial_one() {
    let desk = desk();
    for text in ["*", ")", "{e4", "1-0 e4", "[Event \"x\"]", "[Event \"x\"] *", "1.", "; e4", "$3", "moves", "x\n*"] {
        let ran = desk.run(&["find", "-c", "idx", "--", text]);
        assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(2)), "{text}");
        assert!(ran.stderr.contains('^'), "{text}: {}", ran.stderr);
    }
    let none = "8/8/1KP5/3r4/8/8/8/k7 w - -\t0\t0\t0\t0\t0\n";
    let fen = "[FEN \"8/8/1KP5/3r4/8/8/8/k7 w - - 0 1\"]";
    desk.run(&["find", "-c", "--no-header", "idx", fen]).is(none, "", 1);
    let e5 = format!("{E5}\t2\t1\t0\t0\t1\n");
    desk.run(&["find", "-c", "--no-header", "idx", "[Event \"x\"]\n\n1. e4 e5 *"]).is(&e5, "", 0);
}

#[test]
fn a_pasted_game_is_read_like_a_file() {
    let desk = desk();
    let e5 = format!("{E5}\t2\t1\t0\t0\t1\n");
    let game = "[Event \"x\"]\n[White \"A\"]\n\n1. e4 {best}\ne5 1-0\n";
    let skipped = "text around the game is skipped";
    for (text, is_told) in [
        (game.to_owned(), false),
        (format!("\u{feff}{game}"), false),
        (format!("\u{feff}\r\n{}", game.replace('\n', "\r\n")), false),
        (format!("Hi, look at this game:\n\n{game}\nWhat do you think?\n"), true),
        (format!("```pgn\n{game}```\n"), true),
        (game.lines().map(|line| format!("> {line}\n")).collect(), true),
        (format!("Look: {game}"), true),
    ] {
        let (piped, typed) = (
            desk.pipe(&["find", "-c", "--no-header", "idx"], text.as_bytes()),
            desk.run(&["find", "-c", "--no-header", "idx", &text]),
        );
        let board = desk.pipe(&["board", "-f", "fen"], text.as_bytes());
        for ran in [&piped, &typed] {
            assert_eq!((ran.stdout.as_str(), ran.code), (&*e5, Some(0)), "{text}: {}", ran.stderr);
        }
        assert!(board.stdout.starts_with("rnbqkbnr/pppp1ppp/8/4p3/"), "{text}: {}", board.stderr);
        for ran in [piped, typed, board] {
            assert_eq!(ran.stderr.contains(skipped), is_told, "{text}: {}", ran.stderr);
        }
    }
    // Two games are not one position.
    let ran = desk.pipe(&["find", "-c", "idx"], format!("Hi:\n{game}\n{game}").as_bytes());
    assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(2)));
    assert!(ran.stderr.contains("one position is wanted, and here something else begins"), "{}", ran.stderr);
}

#[test]
fn a_file_given_as_a_position_is_named_with_the_command_that_reads_it() {
    let desk = desk();
    let ran = desk.run(&["board", "a.pgn"]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(2)));
    assert!(ran.stderr.contains("a.pgn is a file; pgn2fen board < a.pgn draws its position or"), "{}", ran.stderr);
    assert!(ran.stderr.contains("pgn2fen -p -1 -o boards.html a.pgn"), "{}", ran.stderr);
    assert!(desk.run(&["-p", "-1", "-o", "boards.html", "a.pgn"]).code == Some(0));
    let ran = desk.run(&["find", "idx", "a.pgn"]);
    assert!(ran.stderr.contains("pgn2fen -p -1 a.pgn | pgn2fen find idx\n"), "{}", ran.stderr);
    assert!(!desk.run(&["board", "b.pgn"]).stderr.contains("is a file"));
}

#[track_caller]
fn check_hint(positions: &[&str], hints: &[&str], code: i32) {
    let ran = desk().run(&[&["find", "-c", "idx"], positions].concat());
    let said: Vec<&str> = ran.stderr.lines().filter_map(|line| line.strip_prefix("hint: ")).collect();
    assert_eq!((said, ran.code), (hints.to_vec(), Some(code)), "{positions:?}: {}", ran.stderr);
}

#[test]
fn forgotten_quotes_are_guessed() {
    let meant = |text: &str| format!("each argument is one position; did you mean {}?", quoted(text.as_ref()));
    check_hint(&["e4", "e5", "Nf3", "Nc6"], &[&meant("e4 e5 Nf3 Nc6")], 2);
    check_hint(&["1.", "e4", "e5"], &[&meant("1. e4 e5")], 2);
    check_hint(&["startpos", "moves", "e2e4"], &[&meant("startpos moves e2e4")], 2);
    let fields: Vec<&str> = E5.split(' ').collect();
    check_hint(&fields, &[&meant(E5)], 2);
    check_hint(&["e4", "Nf3"], &[], 0);
    check_hint(&["e4", "hello"], &[], 2);
    check_hint(&["e4 e5", "e4 Ke6"], &[], 2);
}

#[test]
fn a_position_is_unknown_for_its_rights_and_known_without() {
    check_hint(
        &["rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w - - 0 2"],
        &["the same board with KQkq: 2 games"],
        1,
    );
    check_hint(
        &["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"],
        &["the same board with White to move: 3 games"],
        1,
    );
    check_hint(&["rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2"], &[], 0);
    check_hint(&["8/8/8/3k4/8/8/4P3/4K3 w - - 0 1"], &[], 1);
    // What a filter leaves out is known.
    let ran = desk().run(&["find", "-c", "-t", "White=Nobody", "idx", "e4 e5"]);
    let warning = "warning: none of 2 games satisfies -t White=Nobody\nhint: = compares the whole value; ";
    assert!(ran.stderr.starts_with(warning) && ran.code == Some(1), "{}", ran.stderr);
    let many = desk()
        .pipe(&["find", "-c", "idx"], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - -\n".repeat(100).as_bytes());
    assert_eq!(many.stderr.lines().filter(|line| line.starts_with("hint: line ")).count(), 20);
}

#[test]
fn what_is_typed_wrongly_is_told() {
    let desk = desk();
    for (arguments, reason) in [
        (&["find", "idx", "e4 e6 e5 d5 xx"][..], "not a move"),
        (&["find", "-t", "Annotator=x", "idx", "e4"], "does not keep the tag Annotator"),
        (&["find", "-c", "-f", "pgn", "idx", "e4"], "leave one of them out"),
        (&["find", "-M", "-c", "idx", "e4"], "cannot be used with"),
        (&["index", "-o", "idx"], "give the files"),
        (&["index", "-o", "idx", "--range", "0..9", "a.pgn"], "--range does not work with an index"),
        (&["index", "-o", "idx", "--memory", "1M", "a.pgn"], "the minimum is 64M"),
    ] {
        let ran = desk.run(arguments);
        assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(2)), "{arguments:?}");
        assert!(ran.stderr.contains(reason), "{arguments:?}: {}", ran.stderr);
    }
}

/// Compares the messages of a question that finds nothing.
#[track_caller]
fn check_told(desk: &Desk, arguments: &[&str], told: &str, code: i32) {
    let ran = desk.run(&[&["find", "--no-header"], arguments].concat());
    let found = ran.stdout.lines().filter(|line| !line.ends_with("\t0\t0\t0\t0\t0")).count();
    assert_eq!((ran.stderr.as_str(), found, ran.code), (told, 0, Some(code)), "{arguments:?}");
}

#[test]
fn filters_that_leave_no_game_are_named() {
    let desk = desk();
    let [tal, st, star] = ["White~tal", "White~st", "Result=*"].map(|filter| quoted(filter.as_ref()));
    let none = format!("warning: none of 2 games satisfies -t {tal}\n");
    for arguments in
        [&["-t", "White~tal"][..], &["-c", "-t", "White~tal"], &["-M", "-t", "White~tal", "-t", "Date>0001"]]
    {
        check_told(&desk, &[arguments, &["idx", "e4 e5"]].concat(), &none, 1);
    }
    let of_two = format!("warning: none of 2 games satisfies -t {tal}, and none -t ECO=B90\n");
    check_told(&desk, &["-t", "White~tal", "-t", "ECO=B90", "idx", "e4 e5"], &of_two, 1);
    let all = format!("warning: none of 2 games satisfies all filters: -t {st} leaves 1, -t {star} leaves 1\n");
    check_told(&desk, &["-t", "White~st", "-t", "Result=*", "idx", "e4 e5"], &all, 1);
    check_told(
        &desk,
        &["-t", "White~st", "--material", "K:K", "idx", "e4 e5"],
        "warning: none of 1 game satisfies --material\n",
        1,
    );
    check_told(&desk, &["-t", "White~tal", "--material", "K:K", "idx"], &none.replace('2', "3"), 1);
    // The position is not in the index, whatever the filters say.
    check_told(&desk, &["-t", "White~tal", "idx", "a4"], "", 1);
    let ran = desk.run(&["find", "-m", "0", "idx", "e4 e5"]);
    assert!(ran.stderr.contains("0 is not in 1..") && ran.code == Some(2), "{ran:?}");
    desk.run(&["find", "e4 e5", "idx"]).is(
        "",
        &format!("pgn2fen: the folder of the index comes first: pgn2fen find idx {}\n", quoted("e4 e5".as_ref())),
        2,
    );
}

#[test]
fn what_may_be_an_opening_a_link_or_a_filter_gets_the_command_that_works() {
    let desk = desk();
    for (words, hint) in [
        ("Sicilian Defense", "hint: pgn2fen find idx"),
        ("kings gambit", "hint: did you mean the opening King's Gambit?"),
    ] {
        let ran = desk.run(&[vec!["find", "idx"], words.split(' ').collect()].concat());
        assert!(ran.code == Some(2) && ran.stderr.contains(hint), "{words}: {}", ran.stderr);
    }
    for (text, reason, hint) in [
        (
            "B20",
            "this is an ECO code, not a position; the moves of B20 Sicilian Defense are 1. e4 c5\n",
            "hint: pgn2fen find idx",
        ),
        ("Sicilian Defense", "the moves of Sicilian Defense are 1. e4 c5\n", "hint: pgn2fen find idx"),
        ("kings gambit", "not a move\n", "hint: did you mean the opening King's Gambit? pgn2fen find idx"),
        (
            "https://lichess.org/j1dkb5dw#3",
            "a link is not opened",
            "hint: for games with this link in the tag Site, pgn2fen find -t",
        ),
        ("White~carlsen", "", "hint: a filter is given with -t: pgn2fen find -t"),
        ("a.pgn", "not a move\n", "hint: the last position of each of its games is found by pgn2fen -p"),
    ] {
        let ran = desk.run(&["find", "idx", text]);
        assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(2)), "{text}");
        assert!(ran.stderr.contains(reason) && ran.stderr.contains(hint), "{text}: {}", ran.stderr);
    }
    let link = "https://lichess.org/analysis/rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR_w_KQkq_-_0_2?color=white";
    check(&["-c", "--no-header", "idx", link], &format!("{E5}\t2\t1\t0\t0\t1\n"));
    let ran = desk.run(&["find", "--opening", "King's Gambit", "idx"]);
    assert!(ran.stderr.contains("1. e4 e5 2. f4") && ran.stderr.contains("pgn2fen index --opening"), "{}", ran.stderr);
    for command in [&["-p0"][..], &["games"], &["check"], &["starts"], &["index", "-o", "new"]] {
        let ran = desk.run(&[command, &["--opening", "kings gambit", "a.pgn"]].concat());
        assert_eq!(ran.code, Some(2), "{command:?}");
        assert!(ran.stderr.contains("did you mean King's Gambit?"), "{command:?}: {}", ran.stderr);
    }
    let ran = desk.run(&["--reached", "B20", "a.pgn"]);
    assert!(ran.stderr.contains("the moves of B20 Sicilian Defense are 1. e4 c5"), "{}", ran.stderr);
}

#[test]
fn a_filter_of_any_length_is_refused_in_a_few_lines() {
    let desk = desk();
    // A command line of Windows has at most 32,767 characters.
    let lengths: &[usize] = if cfg!(windows) { &[100, 32_000] } else { &[100, 65_535, 65_536, 100_000] };
    for &length in lengths {
        let text = "x".repeat(length);
        for (filter, reason) in [
            (text.clone(), "an operator is missing"),
            (format!("White{}", "=".repeat(length)), "this is not an operator"),
            (format!("Date={text}"), "this tag is a date"),
            (format!("White={} and Black=2", &text[..length / 2]), "a filter cannot contain and"),
        ] {
            for command in [&["-t"][..], &["games", "-t"], &["find", "-t"]] {
                let ran = desk.run(&[command, &[&filter, "a.pgn"]].concat());
                assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(2)), "{length} {reason}");
                assert!(ran.stderr.contains(reason), "{length} {reason}");
                assert!(ran.stderr.lines().skip(1).all(|line| line.chars().count() < 150), "{length} {reason}");
            }
        }
    }
}

#[test]
fn games_of_compressed_files_are_printed_and_those_of_pipes_are_not() {
    let utf16: Vec<u8> = [0xFEFF].into_iter().chain(GAMES.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let desk = Desk::with(&[("a.pgn", GAMES.as_bytes()), ("a.pgn.gz", &gzip(GAMES.as_bytes())), ("u.pgn", &utf16)]);
    let files = ["a.pgn", "a.pgn.gz", "u.pgn"].map(str::to_owned);
    build(&desk, &["-o", "idx"], &files);
    let ran = desk.run(&["find", "-f", "pgn", "--verify", "idx", "Nf3 e5"]);
    let reti = format!("[White{}\n\n", GAMES.split("\n\n[White").nth(1).unwrap());
    ran.is(reti.repeat(3).strip_suffix('\n').unwrap(), "", 0);
    // Backwards, too.
    let ran = desk.run(&["find", "-f", "pgn", "idx", "e4 e5", "Nf3"]);
    assert_eq!((ran.stdout.matches("[White \"").count(), ran.code), (9, Some(0)));

    desk.pipe(&["index", "-q", "-o", "piped", "-"], GAMES.as_bytes()).is("", "", 0);
    assert_eq!(
        desk.run(&["find", "--no-header", "piped", "Nf3"]).stdout,
        "-:9\t2\t1\tRéti\tTab\\tand, comma\t1/2-1/2\t1923.??.??\t\n"
    );
    let ran = desk.run(&["find", "-f", "pgn", "piped", "Nf3"]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(2)));
    assert!(ran.stderr.contains("-: its games came through a pipe"), "{}", ran.stderr);
}

#[test]
fn an_index_is_found_and_read_from_anywhere() {
    let desk = desk();
    fs::create_dir(desk.path("elsewhere")).unwrap();
    let mut command = desk.command(&["find", "-f", "pgn", "-m1", "../idx", "e4 e5"]);
    let output = command.current_dir(desk.path("elsewhere")).output().unwrap();
    assert!(output.status.success() && output.stdout.starts_with(b"[White \"Steinitz\"]"));
}

#[test]
fn a_summary_tells_how_large_the_index_is() {
    let desk = desk();
    let ran = desk.run(&["index", "-v", "-o", "idx", "a.pgn"]);
    assert!(
        ran.stderr.contains("index: 3 games, 15 positions; ") && ran.stderr.contains(" bytes a position\n"),
        "{}",
        ran.stderr
    );
    fs::write(desk.path("b.pgn"), "1. d4 *\n").unwrap();
    let ran = desk.run(&["index", "-v", "--append", "-o", "idx", "b.pgn"]);
    assert!(ran.stderr.contains("index: 1 game, 2 positions; in all 4 games, 17 positions; "), "{}", ran.stderr);
}

const DATED: &str = "[White \"A\"]\n[WhiteElo \"2500\"]\n[UTCDate \"2017.04.01\"]\n\
    [Site \"https://lichess.org/abcd1234\"]\n\n1. e4 1-0\n\n\
    [White \"B\"]\n[WhiteElo \"2600\"]\n[BlackElo \"2300\"]\n[Date \"????.??.??\"]\n[UTCDate \"2020.??.??\"]\n\
    [Site \"London\"]\n\n1. e4 1/2-1/2\n\n\
    [White \"C\"]\n[Date \"2019.01.02\"]\n[UTCDate \"2019.01.01\"]\n\n1. e4 0-1\n\n\
    [White \"D\"]\n[BlackElo \"2550\"]\n\n1. e4 *\n\n";

fn dated() -> Desk {
    let desk = Desk::with(&[("a.pgn", DATED.as_bytes())]);
    desk.run(&["index", "-q", "-o", "idx", "a.pgn"]).is("", "", 0);
    desk
}

#[test]
fn an_unknown_date_is_that_of_utc_and_a_site_may_be_a_link() {
    dated().run(&["find", "--no-header", "idx", "1. e4"]).is(
        "a.pgn:1\t1\t1\tA\t\t1-0\t2017.04.01\thttps://lichess.org/abcd1234\n\
         a.pgn:8\t2\t1\tB\t\t1/2-1/2\t2020.??.??\t\n\
         a.pgn:17\t3\t1\tC\t\t0-1\t2019.01.02\t\n\
         a.pgn:23\t4\t1\tD\t\t*\t\t\n",
        "",
        0,
    );
    let desk = dated();
    assert!(desk.run(&["find", "-c", "-t", "Date>=2019", "idx", "1. e4"]).stdout.ends_with("\t2\t0\t1\t1\t0\n"));
}

#[test]
fn hits_are_sorted_by_rating_or_date() {
    let desk = dated();
    let order = |arguments: &[&str]| {
        let ran = desk.run(&[&["find", "--no-header", "idx", "1. e4"], arguments].concat());
        ran.stdout.lines().filter_map(|line| line.split('\t').nth(3).map(str::to_owned)).collect::<String>()
    };
    // The mean of B is 2450. The ratings of C are unknown, and the date of D.
    assert_eq!(order(&["--order", "rating"]), "DABC");
    assert_eq!(order(&["--order", "date"]), "BCAD");
    assert_eq!(order(&["--order", "date", "-m", "2"]), "BC");
    assert_eq!(order(&["--order", "rating", "-t", "Result!=1-0"]), "DBC");
    let page = desk.run(&["find", "--order", "date", "-f", "html", "idx", "1. e4"]).stdout;
    assert!(page.find("<td>B</td>") < page.find("<td>C</td>") && page.contains("<td>C</td>"));
    for arguments in [["-M", "idx"], ["-c", "idx"], ["-fpgn", "idx"]] {
        let ran = desk.run(&[&["find", "--order", "date"], &arguments[..], &["1. e4"]].concat());
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
    }
}

#[test]
fn a_long_list_of_hits_is_complete_and_in_order() {
    // More than all threads turn into lines at a time.
    let games: String = (1..=80_000).map(|game| format!("[White \"{game}\"]\n\n1. e4 *\n\n")).collect();
    let desk = Desk::with(&[("a.pgn", games.as_bytes())]);
    build(&desk, &["-o", "idx"], &["a.pgn".to_owned()]);
    let row = |game: u64| format!("a.pgn:{}\t{game}\t1\t{game}\t\t*\t\t\n", 4 * game - 3);
    let rows: String = (1..=80_000).map(row).collect();
    let header = "place\tgame\tply\tWhite\tBlack\tResult\tDate\tlink\n";
    let ran = desk.run(&["find", "idx", "e4"]);
    assert!(ran.stdout == format!("{header}{rows}"), "{}", ran.stdout.len());
    // Hits without a date keep their order.
    let ran = desk.run(&["find", "--order", "date", "--no-header", "idx", "e4"]);
    assert!(ran.stdout == rows, "{}", ran.stdout.len());
}

#[test]
fn answers_are_written_to_a_file_by_its_ending() {
    let desk = desk();
    for (file, arguments) in [
        ("a.tsv", &["idx", "e4 e5"][..]),
        ("a.txt", &["-f", "tsv", "idx", "e4 e5"]),
        ("a.csv", &["-f", "csv", "-M", "idx", "e4 e5"]),
        ("a.jsonl", &["-f", "jsonl", "-c", "idx", "e4 e5", "d4"]),
        ("A.HTML", &["-f", "html", "-M", "idx", "e4 e5"]),
        ("b.pgn", &["-f", "pgn", "idx", "e4 e5", "Nf3"]),
    ] {
        let expected = desk.run(&[&["find"], arguments].concat());
        let without_format: Vec<&str> = match arguments {
            ["-f", "tsv", ..] | ["idx", ..] => arguments.to_vec(),
            _ => arguments[2..].to_vec(),
        };
        desk.run(&[&["find", "-o", file], &without_format[..]].concat()).is("", "", 0);
        assert_eq!(String::from_utf8(desk.read(file)).unwrap(), expected.stdout, "{file}");
    }
    desk.run(&["find", "-o", "a.tsv.gz", "--no-header", "-m1", "idx", "e4 e5"]).is("", "", 0);
    assert_eq!(desk.read("a.tsv.gz")[..2], [0x1f, 0x8b]);
    // An answer without games is complete, too.
    desk.run(&["find", "-o", "none.pgn", "idx", "a4"]).is("", "", 1);
    assert!(desk.read("none.pgn").is_empty());
}

#[test]
fn a_file_with_answers_appears_only_if_it_is_complete_and_replaces_no_games() {
    let desk = desk();
    fs::write(desk.path("names.csv"), "Carlsen\n").unwrap();
    for (arguments, words) in [
        (&["-o", "x.csv", "idx", "e4", "e9"][..], "x.csv is not written because not everything could be answered\n"),
        (&["-o", "x.parquet", "idx", "e4"], "x.parquet has the ending of parquet, which is not written here; use .tsv"),
        (&["-o", "x.json", "idx", "e4"], "x.json has the ending of a JSON document"),
        (&["-f", "csv", "-o", "x.arrow", "idx", "e4"], "the format is csv, but x.arrow has the ending of arrow"),
        (&["-c", "-o", "x.pgn", "idx", "e4"], "--count prints a table; x.pgn has the ending of games; use .tsv"),
        (&["-M", "-f", "pgn", "-o", "x.pgn", "idx", "e4"], "--moves prints a table; --format pgn prints games"),
        (&["-o", "a.pgn", "idx", "e4"], "a.pgn is both input and output"),
        (&["--names", "names.csv", "-o", "names.csv", "idx", "e4"], "names.csv is both input and output"),
        (&["--names", "a.pgn", "idx", "e4"], "this is a tag of a game, and a names file has a name on each line"),
        (
            &["-o", "x.csv.xz", "idx", "e4"],
            "has the ending of a compressed file, which cannot be written here; use .tsv,",
        ),
        (&["-f", "html", "--no-header", "idx", "e4"], "--no-header has no effect on a page of boards"),
    ] {
        let ran = desk.run(&[&["find"], arguments].concat());
        assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(2)), "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{arguments:?}: {}", ran.stderr);
    }
    assert_eq!(desk.files(), ["a.pgn", "idx", "names.csv"]);
    assert_eq!(desk.read("a.pgn"), GAMES.as_bytes());
    // What can be answered, on demand.
    let ran = desk.run(&["find", "-c", "--no-header", "--skip-unreadable", "-o", "x.csv", "idx", "e4 e5", "e9"]);
    assert_eq!((ran.stderr.lines().next(), ran.code), (Some("pgn2fen: not a move"), Some(1)));
    assert_eq!(desk.read("x.csv"), format!("{E5},2,1,0,0,1\n").as_bytes());
}

#[test]
fn a_bare_board_is_told_with_the_side_and_the_castling_rights() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 e5 *\n")]);
    build(&desk, &["-o", "idx"], &["a.pgn".to_owned()]);
    let ran = desk.run(&["find", "idx", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"]);
    let hint = "hint: the same board with Black to move and with KQkq: 1 game\n";
    assert!(ran.stderr.ends_with(hint) && ran.code == Some(1), "{}", ran.stderr);
}

#[test]
fn the_plies_of_an_index_are_told_as_the_option_that_is_missing() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 e5 *\n"), ("b.pgn", b"1. d4 d5 *\n")]);
    build(&desk, &["-o", "few", "-p", "..4"], &["a.pgn".to_owned()]);
    build(&desk, &["-o", "all"], &["a.pgn".to_owned()]);
    let few = "pgn2fen: nothing is changed: few: the index has the plies ..4 of its games; add the same of others, by \
               --ply ..4\n";
    desk.run(&["index", "--append", "-o", "few", "b.pgn"]).is("", few, 2);
    desk.run(&["index", "-q", "--append", "-p", "..4", "-o", "few", "b.pgn"]).is("", "", 0);
    let ran = desk.run(&["index", "--append", "-p", "..4", "-o", "all", "b.pgn"]);
    assert!(ran.stderr.contains("all: the index has all plies of its games, and --ply would"), "{}", ran.stderr);
    // The folder can be named as for --info.
    desk.run(&["index", "-q", "--compact", "few"]).is("", "", 0);
    let ran = desk.run(&["index", "--compact", "few", "b.pgn"]);
    assert!(ran.stderr.contains("--compact takes one index and no files"), "{}", ran.stderr);
    let ran = desk.run(&["index", "--append", "--compact", "few", "b.pgn"]);
    assert!(ran.stderr.contains("name the index to which the files are added by -o"), "{}", ran.stderr);
    // A position behind these plies, or at an unknown ply, may be missing for this reason.
    let hint = "hint: the index has only the plies ..4 of each game\n";
    for position in ["e4 e5 Nf3 Nc6 Bb5", "4k3/8/8/8/8/8/8/4K3 w - -"] {
        desk.run(&["find", "few", position]).is("", hint, 1);
        desk.run(&["find", "all", position]).is("", "", 1);
    }
    desk.run(&["find", "few", "c4"]).is("", "", 1);
}
