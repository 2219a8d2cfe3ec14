//! How games castle: the castling rights that they begin with, and the one way in which castling is written throughout
//! a game.
//!
//! `PGN2FEN_GAMES=folder` checks the PGN files of a folder as well.

use std::fs;

use pgn2fen_chess::Move;
use pgn2fen_chess::castling::CastlingRules;
use pgn2fen_games::database::Database;
use pgn2fen_games::pgn::games::Game;
use pgn2fen_games::replay::Event;
use pgn2fen_rows::{Format, GameRows, Rows};

use crate::cli::Desk;
use crate::laws::fixtures;

/// Returns the castling moves of a game in the order of the text, by the number of the move in the text from 1.
fn castlings(game: &Game<'_>) -> Vec<(usize, Move)> {
    let Ok(moves) = game.moves() else { return Vec::new() };
    let played = moves.filter_map(|event| match event {
        Ok(Event::Move(ply)) => Some(ply.played),
        _ => None,
    });
    played.enumerate().filter(|(_, m)| matches!(m, Move::Castle { .. })).map(|(at, m)| (at + 1, m)).collect()
}

/// Whether a game must be Chess960: its Variant tag has such a name, or castling in its first position is that of
/// Chess960.
fn is_chess960(game: &Game<'_>) -> bool {
    let variant = game.tags().find_any_case("Variant").map(|tag| tag.value.decode().to_lowercase()).unwrap_or_default();
    let is_named = ["960", "fischer", "frc"].iter().any(|name| variant.contains(name));
    let start = game.replay().map(|replay| replay.position().clone());
    is_named || start.is_ok_and(|start| !start.castling().are_orthodox(start.board()))
}

/// Checks that a game writes castling in one way, in the columns of all rows. Returns whether it has castling that
/// tells the ways apart.
#[track_caller]
fn check_game(game: &Game<'_>, name: &str) -> bool {
    let castlings = castlings(game);
    let rules = if is_chess960(game) { CastlingRules::Chess960 } else { CastlingRules::Standard };
    let tells = |m: &Move| m.to_uci(CastlingRules::Standard) != m.to_uci(CastlingRules::Chess960);
    if !castlings.iter().any(|(_, m)| tells(m)) {
        return false;
    }
    let text = || Database::from(game.bytes().to_vec());
    let rows = |columns: &str, variations: bool| {
        let rows = Rows::columns(columns).unwrap().format(Format::Csv).variations(variations).threads(1);
        String::from_utf8(rows.write([text()], Vec::new()).unwrap().0).unwrap()
    };
    let with_variations = rows("uci", true);
    let moves: Vec<&str> = with_variations.lines().skip(1).collect();
    for (at, m) in &castlings {
        assert_eq!(moves[*at], m.to_uci(rules), "{name}: {}", String::from_utf8_lossy(game.bytes()));
    }
    let columns = |columns| rows(columns, false).lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    let main = columns("uci");
    let mut next = columns("next_uci");
    next.rotate_right(1);
    assert_eq!(next, main, "{name}");
    let course = GameRows::columns("moves").unwrap().format(Format::Jsonl).write([text()], Vec::new()).unwrap().0;
    let course: serde_json::Value = serde_json::from_slice(&course).unwrap();
    assert_eq!(course["moves"], serde_json::json!(main[1..]), "{name}");
    true
}

#[test]
fn no_game_writes_castling_in_two_ways() {
    let mut games = [0; 2];
    let mut check =
        |game: &Game<'_>, name: &str| games[usize::from(is_chess960(game))] += i32::from(check_game(game, name));
    for (path, bytes) in fixtures() {
        let name = path.display().to_string();
        Database::from(bytes).games().for_each(|game| check(&game, &name));
    }
    for path in std::env::var_os("PGN2FEN_GAMES").iter().flat_map(|folder| fs::read_dir(folder).unwrap()) {
        let path = path.unwrap().path();
        let name = path.display().to_string();
        Database::open(&path).unwrap().games().for_each(|game| check(&game, &name));
    }
    assert!(games.iter().all(|games| *games > 5), "the fixtures have games of both kinds: {games:?}");
}

/// Compares the moves of a game in UCI notation.
#[track_caller]
fn check_moves(tags: &str, moves: &str, expected: &str) {
    let desk = Desk::with(&[("a.pgn", format!("{tags}\n\n{moves} *\n").as_bytes())]);
    let ran = desk.run(&["-q", "-C", "uci", "--no-header", "a.pgn"]);
    assert_eq!(ran.stdout.split_whitespace().collect::<Vec<_>>().join(" "), expected, "{tags}");
}

const MIXED: &str = "[SetUp \"1\"]\n[FEN \"1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/R3K2R b KQkq - 0 1\"]";
const ITALIAN: &str = "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O";

#[test]
fn the_game_decides_how_castling_is_written() {
    let italian = "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5";
    for tags in ["[Event \"\"]", "[Variant \"Standard\"]", "[Variant \"Rapid\"]", "[Variant \"From Position\"]"] {
        check_moves(tags, ITALIAN, &format!("{italian} e1g1 e8g8"));
    }
    for variant in ["Chess960", "fischerandom", "Freestyle"] {
        check_moves(&format!("[Variant \"{variant}\"]"), ITALIAN, &format!("{italian} e1h1 e8h8"));
    }
    // The king of White may castle as in standard chess, and that of Black may not.
    for tags in [MIXED, &format!("[Variant \"Chess960\"]\n{MIXED}"), &format!("[Variant \"Odds\"]\n{MIXED}")] {
        check_moves(tags, "1... O-O 2. O-O", "c8g8 e1h1");
    }
}

#[test]
fn castling_is_read_in_both_ways() {
    for (black, white) in [("c8g8", "e1g1"), ("c8g8", "e1h1"), ("O-O", "e1h1"), ("0-0", "O-O")] {
        check_moves(MIXED, &format!("1... {black} 2. {white}"), "c8g8 e1h1");
    }
    let orthodox = "[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"]";
    for moves in ["1. e1g1 e8c8", "1. e1h1 e8a8", "1. O-O O-O-O"] {
        check_moves(orthodox, moves, "e1g1 e8c8");
        check_moves(&format!("[Variant \"960\"] {orthodox}"), moves, "e1h1 e8a8");
    }
}

/// Compares the FEN with which a game of this variant begins, and its warnings.
#[track_caller]
fn check_start(variant: &str, fen: &str, expected: &str, warnings: &[&str]) {
    let text = format!("[Variant \"{variant}\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n*\n");
    let desk = Desk::with(&[("a.pgn", text.as_bytes())]);
    let ran = desk.run(&["a.pgn"]);
    assert_eq!(ran.stdout.trim_end(), expected, "{variant} {fen}");
    let told: Vec<&str> = ran.stderr.lines().map(|line| line.split("warning: ").last().unwrap()).collect();
    assert_eq!(told, warnings, "{variant} {fen}");
}

#[test]
fn standard_chess_has_no_castling_rights_of_chess960() {
    let king = "r2k3r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1";
    let dropped = [
        "repaired-fen: castling right dropped: in standard chess, no king on d8 castles with a rook on a8",
        "repaired-fen: castling right dropped: in standard chess, no king on d8 castles with a rook on h8",
    ];
    check_start("Standard", king, &king.replace("KQkq", "KQ"), &dropped);
    check_start("normal", king, &king.replace("KQkq", "KQ"), &dropped);
    check_start("From Position", king, king, &[]);
    check_start("Chess960", king, king, &[]);
    let white = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R2K3R w HAha - 0 1";
    let dropped = dropped.map(|warning| warning.replace("d8", "d1").replace("a8", "a1").replace("h8", "h1"));
    let told = [dropped[0].as_str(), &dropped[1]];
    check_start("Standard", white, &white.replace("HAha", "kq"), &told);
    let rook = "4k3/8/8/8/8/8/8/4K1R1 w K - 0 1";
    let told = "repaired-fen: castling right dropped: in standard chess, no king on e1 castles with a rook on g1";
    check_start("Standard", rook, "4k3/8/8/8/8/8/8/4K1R1 w - - 0 1", &[told]);
    let both = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    check_start("Standard", both, both, &[]);
    let tags = format!("[Variant \"Standard\"]\n[SetUp \"1\"]\n[FEN \"{king}\"]\n\n1. O-O O-O *\n");
    let desk = Desk::with(&[("a.pgn", tags.as_bytes())]);
    let ran = desk.run(&["check", "a.pgn"]);
    let note = "black has no right to castle on the king side ([Variant] names standard chess";
    assert!(ran.stdout.contains(note) || ran.stderr.contains(note), "{}{}", ran.stdout, ran.stderr);
    let ran = desk.run(&["--setup", "strict", "a.pgn"]);
    assert!(ran.stdout.is_empty() && ran.stderr.contains("bad-fen"), "{}", ran.stderr);
}

#[test]
fn a_start_that_is_not_told_is_a_warning() {
    let desk = Desk::with(&[("a.pgn", b"[Variant \"Odds\"]\n\n1. e4 *\n")]);
    let ran = desk.run(&["-p", "0", "a.pgn"]);
    let warning = "a game from a position without [FEN]; it starts from the initial position";
    assert_eq!(ran.stderr, format!("a.pgn:1:1: warning: setup-tags: {warning}\n"));
}
