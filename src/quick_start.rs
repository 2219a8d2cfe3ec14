//! The first screen: the commands that people begin with.

use crate::color::PLACE;
use crate::examples::examples;
use crate::say::Line;

/// Pairs of a command line and its effect. The widest command line has 43 characters, so that a line fits on a
/// terminal.
const LINES: [(&str, &str); 10] = [
    ("games.pgn > positions.fen", "a FEN for every position"),
    ("-C White,ply,san,fen games.pgn -o rows.csv", "a table of positions"),
    ("games -t 'WhiteElo>=2200' games.pgn", "games that pass filters"),
    ("starts games.pgn", "starts other than the usual"),
    ("check games.pgn", "errors in a file"),
    ("index -o games.idx games.pgn", "an index of all positions"),
    ("find games.idx '1. e4 c5'", "the games of a position"),
    ("serve games.idx", "an explorer in a browser"),
    ("book games.idx -o book.bin", "an opening book"),
    ("board '1. e4 c5'", "a board"),
];

/// Prints the first screen on standard error. Write errors are ignored.
pub(crate) fn print() {
    let mut screen = Line::from("Chess games (PGN) to positions (FEN). To begin:\n\n");
    for (line, effect) in LINES {
        screen = screen.and("  ").paint(PLACE, &format!("pgn2fen {:<43}", examples(line))).and(&format!(" {effect}\n"));
    }
    screen
        .and("\npgn2fen -h lists the commands and the main options; pgn2fen COMMAND --help explains a command.")
        .to_stderr();
}
