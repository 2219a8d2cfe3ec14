//! Comparisons of small games, whose answers are plain, and the comparison with an index.

use std::path::Path;
use std::sync::Arc;

use crate::compare::{Annotator, CompareFormat, CompareGames, CompareStyle, CompareTable, Comparison, Leaving};
use crate::repertoire::{Repertoire, RepertoireReader};
use crate::write::RowFormat;
use pgn2fen_chess::piece::Color;
use pgn2fen_games::database::{Database, Source};
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::walk::{Job, ReadOptions};

const WHITE: &str = "1. e4 e5 (1... c5 2. Nf3 d6 (2... Nc6 3. Bb5) 3. d4) 2. Nf3 Nc6 3. Bb5 *\n";

fn repertoire(games: &str) -> Arc<Repertoire> {
    let workers = Workers::new(1).unwrap();
    let mut job = RepertoireReader::new(ReadOptions::default());
    let source = Source::Whole(Database::from(games.as_bytes().to_vec()));
    job.read(&workers, Path::new("white.pgn"), source, &mut ()).unwrap();
    Arc::new(job.finish(&workers))
}

fn compared(lines: &str, side: Color, games: &str) -> Comparison {
    let mut job = CompareGames::new(repertoire(lines), side, ReadOptions::default());
    let source = Source::Whole(Database::from(games.as_bytes().to_vec()));
    job.read(&Workers::new(2).unwrap(), Path::new("games.pgn"), source, &mut ()).unwrap();
    job.finish()
}

/// How each game left the repertoire, at which ply, with which move, and how often it had come back.
fn left(comparison: &Comparison) -> Vec<String> {
    let words = |game: crate::ComparedGame<'_>| {
        let played = game.played.map_or_else(String::new, |next| next.to_string());
        format!("{} {} {played} {}", game.leaving.name(), game.ply, game.returns)
    };
    comparison.games().map(words).collect()
}

#[test]
fn a_game_is_left_by_one_of_the_players_or_follows_to_an_end() {
    let games = "1. e4 c5 2. c3 d5 1-0\n\n1. e4 c6 2. d4 *\n\n1. e4 e5 2. Nf3 *\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n\
                 1. d4 *\n\n*\n\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n";
    assert_eq!(
        left(&compared(WHITE, Color::White, games)),
        [
            "player 2 c2c3 0",
            "opponent 1 c7c6 0",
            "within 3  0",
            "line_end 5 a7a6 0",
            "player 0 d2d4 0",
            "within 0  0",
            "never 0  0",
        ]
    );
    // Who has the repertoire decides who left it.
    let black = compared(WHITE, Color::Black, games);
    assert_eq!(left(&black)[..2], ["opponent 2 c2c3 0", "player 1 c7c6 0"]);
}

#[test]
fn a_game_that_transposes_back_leaves_later() {
    let games = "1. Nf3 c5 2. e4 Nc6 3. Bc4 *\n\n1. Nf3 Nc6 2. e4 e5 3. Bb5 *\n\n1. e4 e5 2. Bb5 Nc6 3. Nf3 *\n\n\
                 1. Nf3 d5 *\n";
    let comparison = compared(WHITE, Color::White, games);
    assert_eq!(left(&comparison), ["player 4 f1c4 1", "within 5  1", "within 5  1", "player 0 g1f3 0"]);
    let departures = comparison.departures();
    let first = departures.iter().find(|departure| departure.node.ply() == 0).unwrap();
    assert_eq!((first.results.games(), first.returned), (1, 2));
}

#[test]
fn a_game_is_used_up_to_its_error() {
    assert_eq!(left(&compared(WHITE, Color::White, "1. e4 e5 2. Ke3 Nc6 1-0\n")), ["within 2  0"]);
}

#[test]
fn a_repertoire_with_an_error_is_used_up_to_it() {
    let comparison = compared("1. e4 e5 (1... c5 2. Ke3 d6) 2. Nf3 Nf3 3. Bb5 *\n", Color::White, "1. e4 c5 2. d4 *\n");
    assert_eq!(comparison.repertoire().positions(), 5);
    assert_eq!(left(&comparison), ["line_end 2 d2d4 0"]);
}

#[test]
fn chapters_begin_anywhere() {
    let chapters = "[FEN \"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\"]\n\n1. Kd2 Kd4 2. e3+ *\n\n\
                    [FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\"]\n\n1... c5 2. Nf3 *\n\n\
                    1. e4 e5 *\n";
    let lines = repertoire(chapters);
    // The second chapter is in the tree of the third, which has the initial position.
    assert_eq!((lines.trees().len(), lines.positions(), lines.lines()), (2, 9, 3));
    let games = "[FEN \"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\"]\n\n1. Kd2 Ke4 *\n\n1. e4 c5 2. Nf3 *\n";
    let comparison = compared(chapters, Color::White, games);
    assert_eq!(left(&comparison), ["opponent 1 e5e4 0", "within 3  0"]);
    let unmet = comparison.unmet_lines();
    let unmet: Vec<(&str, u64, u64)> = unmet.iter().map(|line| (&*line.line, line.lines, line.positions)).collect();
    assert_eq!(unmet, [("1. e4 e5", 1, 1), ("1. Kd2 Kd4", 1, 2)]);
}

#[test]
fn chess960_is_compared_by_its_own_castling() {
    let start = "[Variant \"Chess960\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K1R1 w AG - 0 1\"]\n\n";
    let games = format!("{start}1. O-O Kd7 2. Rfd1 *\n\n{start}1. O-O-O Ke7 *\n");
    let comparison = compared(&format!("{start}1. O-O Kd7 *\n"), Color::White, &games);
    assert_eq!(left(&comparison), ["line_end 2 f1d1 0", "player 0 e1a1 0"]);
}

#[test]
fn departures_are_counted_with_the_moves_of_the_repertoire() {
    let games = "1. e4 c5 2. Nf3 e6 0-1\n\n1. e4 c6 1-0\n\n1. e4 c5 2. Nf3 e6 3. d4 1/2-1/2\n\n1. e4 c5 2. c3 1-0\n";
    let comparison = compared(WHITE, Color::White, games);
    let departures = comparison.departures();
    let first = &departures[0];
    assert_eq!((&*first.line, first.san.as_deref(), first.leaving), ("1. e4 c5 2. Nf3", Some("e6"), Leaving::Opponent));
    assert_eq!(first.expected, ["2... d6", "2... Nc6"]);
    assert_eq!((first.results.games(), first.results.draws, first.results.black), (2, 1, 1));
    assert_eq!(first.games().map(|game| game.number).collect::<Vec<_>>(), [1, 3]);
    assert_eq!(
        departures.iter().map(|departure| departure.leaving.name()).collect::<Vec<_>>(),
        ["opponent", "opponent", "player"]
    );
    assert_eq!(comparison.lines_met(), 0);
    let unmet: Vec<(String, u64)> = comparison.unmet_lines().into_iter().map(|line| (line.line, line.lines)).collect();
    let expected = [("1. e4 e5", 1), ("1. e4 c5 2. Nf3 d6", 1), ("1. e4 c5 2. Nf3 Nc6", 1)];
    assert_eq!(unmet, expected.map(|(line, lines)| (line.to_owned(), lines)));
}

#[test]
fn the_side_follows_from_the_tag_or_the_choices() {
    assert_eq!(repertoire(WHITE).side(), Some(Color::White));
    assert_eq!(repertoire(&format!("[Orientation \"black\"]\n\n{WHITE}")).side(), Some(Color::Black));
    assert_eq!(repertoire("1. e4 (1. d4 d5) 1... e5 *\n").side(), Some(Color::Black));
    assert_eq!(repertoire("1. e4 e5 *\n").side(), None);
    assert_eq!(repertoire("1. e4 (1. d4) 1... e5 (1... c5) *\n").side(), None);
    assert!(repertoire("*\n").is_empty() && repertoire("").is_empty());
}

fn annotated(game: &str) -> String {
    let mut out = Vec::new();
    assert!(Annotator::new(repertoire(WHITE), Color::White).append(game.as_bytes(), &mut out));
    let text = String::from_utf8(out).unwrap();
    text.split_once("\n\n").unwrap().1.trim().replace('\n', " ")
}

#[test]
fn games_are_annotated_where_they_leave() {
    assert_eq!(
        annotated("1. e4 e5 2. Bc4! {sharp} (2. f4) 2... Nf6 1-0\n"),
        "1. e4 e5 2. Bc4 $1 {sharp} {White leaves the repertoire} (2. Nf3 Nc6 3. Bb5) (2. f4) 2... Nf6 1-0"
    );
    assert_eq!(
        annotated("1. e4 c5 2. Nf3 e6 3. d4 0-1\n"),
        "1. e4 c5 2. Nf3 e6 {The repertoire lacks this move} (2... d6 3. d4) (2... Nc6) 3. d4 0-1"
    );
    assert_eq!(
        annotated("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 *\n"),
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 {The line of the repertoire ends here} 3... a6 4. Ba4 *"
    );
    assert_eq!(annotated("1. e4 e5 *\n"), "1. e4 e5 {The game ends on the repertoire} *");
    assert_eq!(annotated("*\n"), "{The game ends on the repertoire} *");
    assert_eq!(
        annotated("1. Nf3 c5 2. e4 d6 3. d4 *\n"),
        "1. Nf3 {White leaves the repertoire, and comes back to it later} 1... c5 2. e4 d6 3. d4 {The game ends on the \
         repertoire} *"
    );
    let ending = "[FEN \"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\"]\n\n1. Kd2 *\n";
    assert_eq!(annotated(ending), "{Not a game of the repertoire} 1. Kd2 *");
    // A game with an error loses nothing.
    assert_eq!(annotated("1. e4 e5 2. Ke3 Nc6 *\n"), "1. e4 e5 {Ke3 Nc6} {The game ends on the repertoire} *");
}

fn text(comparison: &Comparison, format: CompareFormat, table: CompareTable) -> String {
    let mut out = Vec::new();
    comparison.write(format, &CompareStyle { table, ..CompareStyle::default() }, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn rows_have_what_the_comparison_has() {
    let games = "[White \"A\"]\n[Black \"B\"]\n[Date \"2026.11.03\"]\n\n1. e4 c5 2. Nf3 e6 0-1\n\n1. e4 1-0\n";
    let comparison = compared(WHITE, Color::White, games);
    let csv = |table| text(&comparison, CompareFormat::Rows(RowFormat::Csv), table);
    assert_eq!(
        csv(CompareTable::Games),
        "file,line,game,white,black,date,result,site,leaving,ply,path,san,uci,expected,fen,returns\n\
         games.pgn,1,1,A,B,2026.11.03,0-1,,opponent,3,1. e4 c5 2. Nf3,e6,e7e6,\"2... d6, 2... Nc6\",\
         rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2,0\n\
         games.pgn,7,2,,,,1-0,,within,1,1. e4,,,\"1... e5, 1... c5\",\
         rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1,0\n"
    );
    assert_eq!(
        csv(CompareTable::Departures),
        "leaving,games,white,draws,black,unknown,score,returned,path,san,uci,expected,fen\n\
         opponent,1,0,0,1,0,0.0,0,1. e4 c5 2. Nf3,e6,e7e6,\"2... d6, 2... Nc6\",\
         rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2\n"
    );
    assert_eq!(
        csv(CompareTable::Unmet).lines().nth(1).unwrap().split(',').take(4).collect::<Vec<_>>(),
        ["1. e4 e5", "b", "1", "4"]
    );
}

#[test]
fn a_report_has_boards_and_nothing_of_a_game_becomes_markup() {
    let games = "[White \"<b>A\"]\n[Black \"B\"]\n\n1. e4 c5 2. Nf3 e6 0-1\n\n1. e4 c5 2. c3 1-0\n";
    let comparison = compared(WHITE, Color::White, games);
    let report = text(&comparison, CompareFormat::Text, CompareTable::Games);
    assert!(report.starts_with("Repertoire for White: 3 lines in 12 positions; games reached the ends of 0 lines.\n"));
    for part in [
        "2 games\n0 ended on the repertoire\n",
        "1 left by White, who has the repertoire\n1 left by Black, with a move that it lacks\n",
        "Replies that the repertoire lacks\n-",
        "\n1. e4 c5 2. Nf3 e6\n  1 game, +0 =0 -1, 0%\n  the repertoire has 2... d6, 2... Nc6\n",
        "  <b>A - B, 0-1 (games.pgn:1)\n8  ♜  ♞  ♝  ♛  ♚",
        "\n1. e4 e5: 1 line in 4 positions\n",
    ] {
        assert!(report.contains(part), "{part:?} is in {report}");
    }
    let page = text(&comparison, CompareFormat::Html, CompareTable::Games);
    assert!(page.contains("&lt;b&gt;A") && !page.contains("<b>A"), "{page}");
    assert_eq!(page.matches("<figure>").count(), 2);
}

#[test]
fn games_with_an_address_are_links_and_empty_parts_are_left_out() {
    let games = "[White \"A\"]\n[Site \"https://lichess.org/abcdefgh\"]\n\n1. e4 c5 2. c3 1-0\n\n\
                 [White \"C\"]\n[Site \"javascript:alert(1)\"]\n\n1. e4 c5 2. c3 1-0\n";
    let page = text(&compared(WHITE, Color::White, games), CompareFormat::Html, CompareTable::Games);
    let link = "<a href=\"https://lichess.org/abcdefgh\" rel=\"noreferrer\">";
    assert!(page.contains(&format!("<br/>{link}A - ?, 1-0 (games.pgn:1)</a>")), "{page}");
    assert!(page.contains(&format!("<td>{link}games.pgn:1</a></td>")), "{page}");
    assert_eq!(page.matches("<a ").count(), 2);
    assert_eq!(page.matches("<h2>").count(), 3);
    let page = text(&compared(WHITE, Color::White, ""), CompareFormat::Html, CompareTable::Games);
    assert!(page.contains("<h2>Lines that no game met</h2>") && page.matches("<h2>").count() == 1, "{page}");
}

#[test]
fn threads_and_cuts_change_nothing() {
    let games: String = (0..200)
        .map(|nth| {
            let moves = ["1. e4 c5 2. Nf3 e6", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6", "1. d4", "1. e4 c5 2. Nf3 d6 3. d4"];
            format!("[White \"{nth}\"]\n\n{} 1-0\n\n", moves[nth % 4])
        })
        .collect();
    let rows = |threads| {
        let mut job = CompareGames::new(repertoire(WHITE), Color::White, ReadOptions::default());
        for name in ["a.pgn", "b.pgn"] {
            let source = Source::Whole(Database::from(games.as_bytes().to_vec()));
            job.read(&Workers::new(threads).unwrap(), Path::new(name), source, &mut ()).unwrap();
        }
        text(&job.finish(), CompareFormat::Rows(RowFormat::Tsv), CompareTable::Games)
    };
    let one = rows(1);
    assert_eq!(one.lines().count(), 401);
    assert_eq!(one, rows(4));
}
