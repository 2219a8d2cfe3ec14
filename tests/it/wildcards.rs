//! Wildcards in lists of columns: which columns and tags they stand for.

use std::fmt::Write;

use crate::cli::Desk;

const GAMES: &str = "[Event \"x\"]\n[White \"A\"]\n[WhiteElo \"2000\"]\n\n1. e4 *\n\n\
    [White \"B\"]\n[WhiteTitle \"GM\"]\n[odd \"1\"]\n\n*\n";

#[test]
fn the_tags_are_those_of_the_first_games_of_all_files() {
    let mut many = GAMES.to_owned();
    for number in 3..=1001 {
        write!(many, "[White{number} \"x\"]\n\n*\n\n").unwrap();
    }
    let desk =
        Desk::with(&[("a.pgn", GAMES.as_bytes()), ("b.pgn", b"[WhiteTeam \"T\"] *"), ("many.pgn", many.as_bytes())]);
    let header = |arguments: &[&str]| {
        let ran = desk.run(&[arguments, &["-q", "-f", "csv"]].concat());
        ran.stdout.lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(header(&["-C", "ply,White*", "a.pgn"]), "ply,White,WhiteElo,WhiteTitle");
    assert_eq!(header(&["-C", "White*,ply", "a.pgn", "b.pgn"]), "White,WhiteElo,WhiteTitle,WhiteTeam,ply");
    // Games that are not wanted count, too, and the order does not depend on the number of threads.
    assert_eq!(
        header(&["-C", "W*", "-t", "White=none", "-j", "3", "b.pgn", "a.pgn"]),
        "WhiteTeam,White,WhiteElo,WhiteTitle"
    );
    assert_eq!(header(&["starts", "-C", "k*,*Title", "a.pgn"]), "kind,WhiteTitle");
    let [first, last] = ["1", "4"].map(|threads| header(&["-C", "White*", "-j", threads, "many.pgn"]));
    assert_eq!(first, last);
    // At most 256 names: Event, White, WhiteElo, WhiteTitle, odd and 251 others.
    assert_eq!((first.split(',').count(), first.ends_with(",White253")), (254, true));
}

#[test]
fn what_cannot_be_matched_is_an_error() {
    let desk = Desk::with(&[("a.pgn", GAMES.as_bytes())]);
    let ran = desk.run(&["-C", "ply,X*", "a.pgn"]);
    ran.is("", "pgn2fen: no column and no tag matches X*\n", 2);
    let ran = desk.pipe(&["-C", "W*"], GAMES.as_bytes());
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("standard input can be read only once; name the tags, or give a file"),
        "{}",
        ran.stderr
    );
    // All columns need no tags.
    let ran = desk.pipe(&["-q", "-C", "*,White", "-f", "csv"], GAMES.as_bytes());
    assert!(ran.stdout.starts_with("file,game,offset,line,id,variant,ply,") && ran.code == Some(0), "{}", ran.stdout);
    assert!(ran.stdout.lines().next().unwrap().ends_with(",tags,White"));
    let ran = desk.run(&["-C", "*", "-f", "epd", "a.pgn"]);
    assert!(ran.stderr.contains("an EPD has room for 9 columns"), "{}", ran.stderr);
    let ran = desk.run(&["-C", "W*", "-f", "fen", "a.pgn"]);
    assert!(ran.stderr.contains("the format fen has no columns to choose"), "{}", ran.stderr);
    let ran = desk.run(&["-o", "{*}.svg", "a.pgn"]);
    assert!(ran.stderr.contains("there is no column *"), "{}", ran.stderr);
}
