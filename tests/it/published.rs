//! Tables that others have published, made again. `docs/published.md` has those of files that cannot be shipped, and
//! `.ci/published` makes them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::cli::Desk;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The row of a book in the README of official-stockfish/books: all positions, those with White and with Black to
/// move, and the least and the greatest number of plies before them.
type Row = (usize, usize, usize, usize, usize);

fn row_of(fens: &str) -> Row {
    let mut plies = Vec::new();
    let mut sides = BTreeMap::new();
    for fen in fens.lines() {
        let fields: Vec<&str> = fen.split(' ').collect();
        *sides.entry(fields[1]).or_insert(0) += 1;
        let number: usize = fields[5].parse().unwrap();
        plies.push(2 * (number - 1) + usize::from(fields[1] == "b"));
    }
    let side = |name| sides.get(name).copied().unwrap_or(0);
    (plies.len(), side("w"), side("b"), *plies.iter().min().unwrap(), *plies.iter().max().unwrap())
}

#[test]
fn books_have_the_totals_sides_and_depths_of_their_readme() {
    let rows: [(&str, Row); 4] = [
        ("2moves_v2.pgn.zip", (12_092, 12_092, 0, 4, 4)),
        ("4mvs_+90_+99.epd.zip", (635, 635, 0, 8, 8)),
        ("FRC_openings.epd.zip", (960, 960, 0, 0, 0)),
        ("startpos.epd.zip", (1, 1, 0, 0, 0)),
    ];
    for (name, published) in rows {
        let book = root().join("fixtures/books").join(name);
        let ran = Desk::with(&[]).run(&["-p", "-1", book.to_str().unwrap()]);
        assert_eq!((ran.stderr.as_str(), ran.code), ("", Some(0)), "{name}");
        assert_eq!(row_of(&ran.stdout), published, "{name}");
    }
}

/// The Chess960 book has each of the 960 arrangements once.
#[test]
fn the_book_of_chess960_has_every_arrangement() {
    let book = root().join("fixtures/books/FRC_openings.epd.zip");
    let ran = Desk::with(&[]).run(&["starts", "--kind", "chess960,odds,position", "-C", "sp", book.to_str().unwrap()]);
    assert_eq!((ran.stderr.as_str(), ran.code), ("", Some(0)));
    let mut numbers: Vec<usize> = ran.stdout.lines().skip(1).map(|number| number.parse().unwrap()).collect();
    numbers.sort_unstable();
    // The initial position is not among the starting positions that are listed.
    let others: Vec<usize> = (0..960).filter(|number| *number != 518).collect();
    assert_eq!(numbers, others);
}

/// The lines of each volume of lichess-org/chess-openings, from A to E, at the commit of the table in the program.
const VOLUMES: [(&str, usize); 5] = [("a", 817), ("b", 772), ("c", 1250), ("d", 614), ("e", 357)];

#[test]
fn every_line_of_the_table_of_openings_ends_in_the_position_of_its_name() {
    for (volume, lines) in VOLUMES {
        let table = fs::read_to_string(root().join(format!("crates/chess/src/openings/{volume}.tsv"))).unwrap();
        let mut games = String::new();
        let mut names = String::new();
        for line in table.lines().skip(1) {
            let (name, moves) = line.rsplit_once('\t').unwrap();
            games += &format!("{moves} *\n");
            names += &format!("{name}\n");
        }
        assert_eq!(names.lines().count(), lines, "{volume}");
        let arguments = ["-p", "-1", "--no-header", "-C", "eco,opening"];
        Desk::with(&[]).pipe(&arguments, games.as_bytes()).is(&names, "", 0);
    }
}
