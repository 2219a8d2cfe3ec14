//! Comparisons of small games, whose answers are plain, and the comparison with an index.

use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::compare::{
    AnnotateGames, Annotator, CompareFormat, CompareGames, CompareStyle, CompareTable, Comparison, Leaving,
};
use crate::repertoire::{Repertoire, RepertoireReader};
use crate::testing::{Parts, all_lines_of_three_plies, dropping, source};
use crate::tree::TreeNode;
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
    // The rook that may castle stands within another.
    let start = "[Variant \"Chess960\"]\n[FEN \"4k3/8/8/8/8/8/8/RR2K2R w BH - 0 1\"]\n\n";
    let games = format!("{start}1. O-O Kd7 2. Rfd1 *\n\n{start}1. O-O-O Ke7 *\n");
    let comparison = compared(&format!("{start}1. O-O Kd7 *\n"), Color::White, &games);
    assert_eq!(left(&comparison), ["line_end 2 f1d1 0", "player 0 e1b1 0"]);
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

#[test]
fn a_format_has_a_name_which_is_an_ending_of_files() {
    assert_eq!(CompareFormat::ALL.map(CompareFormat::name), ["text", "html", "csv", "tsv", "jsonl", "parquet"]);
    for format in CompareFormat::ALL {
        let ending = if format == CompareFormat::Text { "txt" } else { format.name() };
        let is_ending = cfg!(feature = "parquet") || format != CompareFormat::Parquet;
        assert_eq!(CompareFormat::of_ending(ending), is_ending.then_some(format));
    }
    assert_eq!(CompareFormat::of_ending("pgn"), None);
}

#[test]
fn a_row_has_a_value_for_each_column() {
    let comparison = compared(WHITE, Color::White, "1. e4 c5 2. Nf3 e6 0-1\n");
    for (table, rows) in [(CompareTable::Games, 1), (CompareTable::Departures, 1), (CompareTable::Unmet, 3)] {
        let mut lengths = Vec::new();
        let take = |row: Vec<_>| {
            lengths.push(row.len());
            Ok(())
        };
        comparison.each_row(table, take).unwrap();
        assert_eq!(lengths, vec![table.columns().len(); rows]);
        assert!(comparison.each_row(table, |_| Err(io::Error::other("full"))).is_err());
    }
}

#[test]
fn games_are_counted_in_each_position_of_the_repertoire() {
    let comparison = compared(WHITE, Color::White, "1. e4 c5 *\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n1. Nf3 Nc6 *\n");
    let first = comparison.repertoire().trees()[0].root_node();
    let second = first.moves().next().unwrap().target();
    assert_eq!([comparison.games_in(first), comparison.games_in(second)], [3, 2]);
    assert_eq!(comparison.lines_met(), 1);
    let places: Vec<_> = comparison.games().map(|game| game.node.map(TreeNode::ply)).collect();
    assert_eq!(places, [Some(2), Some(5), Some(0)]);
}

#[test]
fn a_game_that_is_dropped_is_not_compared() {
    let games = "[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. e4 *\n\n1. d4 Ke4 *\n\n[White \"C\"]\n\n1. d4 *\n";
    let mut job = CompareGames::new(repertoire(WHITE), Color::White, dropping());
    job.read(&Workers::new(1).unwrap(), Path::new("games.pgn"), source(games), &mut ()).unwrap();
    let comparison = job.finish();
    let told: Vec<_> = comparison.games().map(|game| (game.white, game.leaving, game.number)).collect();
    assert_eq!(told, [("A", Leaving::Within, 1), ("B", Leaving::Within, 2), ("C", Leaving::Player, 4)]);
    // The lines of a repertoire as well.
    let mut job = RepertoireReader::new(dropping());
    let lines = "[Orientation \"White\"]\n\n1. e4 e5 *\n\n[Orientation \"Black\"]\n\
                 [FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n\
                 1. Rh8+ Ke6 *\n";
    job.read(&Workers::new(1).unwrap(), Path::new("lines.pgn"), source(lines), &mut ()).unwrap();
    let lines = job.finish(&Workers::new(1).unwrap());
    assert_eq!((lines.trees().len(), lines.positions(), lines.orientation()), (1, 3, Some(Color::White)));
}

/// Workers read texts of more than a mebibyte in several blocks.
#[test]
fn games_have_their_numbers_and_lines_in_a_large_file() {
    let game = format!("[White \"A\"]\n\n1. e4 {{{}}} *\n\n", "x".repeat(700_000));
    let mut job = CompareGames::new(repertoire(WHITE), Color::White, ReadOptions::default());
    for name in ["a.pgn", "b.pgn"] {
        job.read(&Workers::new(2).unwrap(), Path::new(name), source(&game.repeat(5)), &mut ()).unwrap();
    }
    let comparison = job.finish();
    let places: Vec<_> = comparison.games().map(|game| (game.file, game.number, game.line)).collect();
    let of = |file| (0..5).map(move |nth| (file, nth + 1, 4 * nth + 1));
    assert_eq!(places, of("a.pgn").chain(of("b.pgn")).collect::<Vec<_>>());
}

#[test]
fn a_repertoire_is_found_by_positions() {
    let lines = repertoire(&format!("[Orientation \"White\"]\n\n{WHITE}"));
    let position = lines.trees()[0].root().position().play_san("e4").unwrap();
    assert_eq!(lines.node(&position).map(|node| (node.ply(), node.moves().count())), Some((1, 2)));
    assert!(lines.node(&position.play_san("h5").unwrap()).is_none() && !lines.is_empty());
    assert_eq!((lines.orientation(), repertoire(WHITE).orientation()), (Some(Color::White), None));
    // Lines are kept as long as they are.
    let moves = "a3 a6 b3 b6 c3 c6 d3 d6 e3 e6 f3 f6 g3 g6 h3 h6 a4 a5 b4 b5 c4 c5 d4 d5 e4 e5 f4 f5 g4 g5 h4 h5 *\n";
    assert_eq!(repertoire(moves).positions(), 33);
}

#[test]
fn a_report_names_as_many_places_and_lines_as_are_wanted() {
    let games = "1. e4 c6 *\n\n1. e4 e6 *\n\n1. d4 *\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n";
    let comparison = compared(WHITE, Color::White, games);
    for format in [CompareFormat::Text, CompareFormat::Html] {
        let report = |most| {
            let mut out = Vec::new();
            comparison.write(format, &CompareStyle { most, ..CompareStyle::default() }, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        let (one, two) = (report(1), report(2));
        assert!(one.contains("and 1 more place") && !one.contains("1. e4 e6"), "{one}");
        assert!(!two.contains(" more place") && !two.contains("and 0") && two.contains("1. e4 e6"), "{two}");
        assert_eq!((one.contains("more line"), two.contains("more line")), (false, false));
    }
    let unmet = compared("1. e4 e5 (1... c5) (1... e6) *\n", Color::White, "1. e4 *\n");
    for format in [CompareFormat::Text, CompareFormat::Html] {
        let mut out = Vec::new();
        unmet.write(format, &CompareStyle { most: 1, ..CompareStyle::default() }, &mut out).unwrap();
        let report = String::from_utf8(out).unwrap();
        assert!(report.contains("and 2 more lines") && !report.contains("1. e4 c5"), "{report}");
    }
}

#[test]
fn a_page_has_a_row_for_each_game() {
    let games = "1. e4 c5 2. c3 *\n\n1. e4 c6 *\n\n1. e4 *\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n\
                 1. e3 e6 2. e4 e5 3. h3 *\n\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n";
    let page = text(&compared(WHITE, Color::White, games), CompareFormat::Html, CompareTable::Games);
    let rows = page.split_once("<tbody>\n").unwrap().1.split_once("</tbody>").unwrap().0;
    let rows: Vec<&str> = rows.lines().map(|row| row.split("</td><td>").nth(5).unwrap()).collect();
    assert_eq!(
        rows,
        [
            "left by the player: 2. c3",
            "left by the opponent: 1... c6",
            "ended on it",
            "to the end of a line, then 3... a6",
            "left by the player: h3 (ply 5)",
            "never on it",
        ]
    );
    let about = "<p>Repertoire for White: 3 lines in 12 positions; games reached the ends of 1 line.</p>\n\
                 <ul>\n<li>6 games</li>";
    assert!(page.contains(about), "{page}");
}

#[test]
fn a_large_page_is_written_in_parts() {
    let comparison = compared("1. e3 *\n", Color::White, &all_lines_of_three_plies());
    let mut parts = Parts::default();
    comparison.write(CompareFormat::Html, &CompareStyle::default(), &mut parts).unwrap();
    assert!(parts.are_of_one_size(), "{parts:?}");
}

/// A reply is answered, so the report shows the board behind it. An own move is judged where it was played.
#[test]
fn a_report_shows_the_board_that_its_reader_needs() {
    let report =
        text(&compared(WHITE, Color::White, "1. e4 c6 *\n\n1. d4 *\n"), CompareFormat::Text, CompareTable::Games);
    assert_eq!(
        report,
        "\
Repertoire for White: 3 lines in 12 positions; games reached the ends of 0 lines.

2 games
0 ended on the repertoire
0 followed it to the end of a line
1 left by White, who has the repertoire
1 left by Black, with a move that it lacks
0 never on the repertoire

Replies that the repertoire lacks
---------------------------------

1. e4 c6
  1 game
  the repertoire has 1... e5, 1... c5
  ? - ?, * (games.pgn:1)
8  ♜  ♞  ♝  ♛  ♚  ♝  ♞  ♜
7  ♟  ♟ [·] ♟  ♟  ♟  ♟  ♟
6  ·  · [♟] ·  ·  ·  ·  ·
5  ·  ·  ·  ·  ·  ·  ·  ·
4  ·  ·  ·  ·  ♙  ·  ·  ·
3  ·  ·  ·  ·  ·  ·  ·  ·
2  ♙  ♙  ♙  ♙  ·  ♙  ♙  ♙
1  ♖  ♘  ♗  ♕  ♔  ♗  ♘  ♖
   a  b  c  d  e  f  g  h

Own moves that differ from the repertoire
-----------------------------------------

1. d4
  1 game
  the repertoire has 1. e4
  ? - ?, * (games.pgn:3)
8  ♜  ♞  ♝  ♛  ♚  ♝  ♞  ♜
7  ♟  ♟  ♟  ♟  ♟  ♟  ♟  ♟
6  ·  ·  ·  ·  ·  ·  ·  ·
5  ·  ·  ·  ·  ·  ·  ·  ·
4  ·  ·  ·  ·  ·  ·  ·  ·
3  ·  ·  ·  ·  ·  ·  ·  ·
2  ♙  ♙  ♙  ♙  ♙  ♙  ♙  ♙
1  ♖  ♘  ♗  ♕  ♔  ♗  ♘  ♖
   a  b  c  d  e  f  g  h

Lines that no game met
----------------------

1. e4 c5: 2 lines in 6 positions
1. e4 e5: 1 line in 4 positions
"
    );
}

fn annotated_games(annotator: Annotator, games: &str, read: ReadOptions) -> (String, u64) {
    let mut job = AnnotateGames::new(annotator, read, Vec::new());
    job.read(&Workers::new(1).unwrap(), Path::new("games.pgn"), source(games), &mut ()).unwrap();
    let (out, count) = job.finish().unwrap();
    (String::from_utf8(out).unwrap(), count)
}

#[test]
fn games_that_are_annotated_are_counted() {
    let annotator = Annotator::new(repertoire(WHITE), Color::White);
    let mut job = AnnotateGames::new(annotator, ReadOptions::default(), Vec::new());
    let games = source("1. e4 c5 2. c3 *\n\n1. e4 *\n");
    job.read(&Workers::new(1).unwrap(), Path::new("games.pgn"), games, &mut ()).unwrap();
    assert_eq!(job.totals().count.positions, 2);
}

#[test]
fn games_that_leave_in_the_chosen_ways_are_written() {
    let annotator = || Annotator::new(repertoire(WHITE), Color::White);
    let games = "1. e4 c5 2. c3 *\n\n1. e4 *\n\n1. e4 c6 Ke5 *\n\n1. d4 *\n";
    let (all, count) = annotated_games(annotator(), games, ReadOptions::default());
    assert_eq!((all.matches("[Event ").count(), count), (4, 4));
    let (own, count) = annotated_games(annotator().leaving(vec![Leaving::Player]), games, ReadOptions::default());
    assert_eq!(
        (own.matches("{White leaves the repertoire}").count(), own.matches("[Event ").count(), count),
        (2, 2, 2)
    );
    let (right, count) = annotated_games(annotator(), games, dropping());
    assert_eq!((right.matches("[Event ").count(), right.contains("1... c6"), count), (3, false, 3));
}

#[test]
fn an_output_that_fails_ends_the_writing_of_games() {
    struct Full<'c>(&'c mut u32);
    impl io::Write for Full<'_> {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            *self.0 += 1;
            Err(io::Error::other("full"))
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut tries = 0;
    let annotator = Annotator::new(repertoire(WHITE), Color::White);
    let mut job = AnnotateGames::new(annotator, ReadOptions::default(), Full(&mut tries));
    for name in ["a.pgn", "b.pgn"] {
        job.read(&Workers::new(1).unwrap(), Path::new(name), source("1. e4 *\n"), &mut ()).unwrap();
    }
    assert!(job.finish().is_err_and(|error| error.to_string() == "full"));
    assert_eq!(tries, 1);
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_has_the_values_of_rows() {
    let games = "[White \"A\"]\n\n1. e4 c5 2. Nf3 e6 0-1\n\n1. e4 c5 2. Nf3 e6 1/2-1/2\n";
    let comparison = compared(WHITE, Color::White, games);
    let rows = |table| {
        let mut out = Vec::new();
        comparison.write(CompareFormat::Parquet, &CompareStyle { table, ..CompareStyle::default() }, &mut out).unwrap();
        crate::testing::parquet_rows(&out)
    };
    let (groups, departures) = rows(CompareTable::Departures);
    let fen = "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
    let expected =
        ["opponent", "2", "0", "1", "1", "0", "0.25", "0", "1. e4 c5 2. Nf3", "e6", "e7e6", "2... d6, 2... Nc6", fen];
    assert_eq!((groups, departures), (1, vec![expected.map(str::to_owned).to_vec()]));
    let (groups, games) = rows(CompareTable::Games);
    assert_eq!((groups, games.len(), &*games[0][3], &*games[1][3]), (1, 2, "A", "-"));
    let mut out = Vec::new();
    compared(WHITE, Color::White, "").write(CompareFormat::Parquet, &CompareStyle::default(), &mut out).unwrap();
    assert_eq!(crate::testing::parquet_rows(&out), (0, Vec::new()));
}

#[cfg(feature = "index")]
mod with_an_index {
    use std::path::Path;

    use super::{WHITE, annotated_games, left, repertoire};
    use crate::compare::{Annotator, CompareGames, Leaving, annotate_index, compare_index, why_games_are_left_out};
    use crate::testing::{index, source};
    use pgn2fen_chess::piece::Color;
    use pgn2fen_games::parallel::Workers;
    use pgn2fen_games::walk::{Job, ReadOptions};
    use pgn2fen_index::BuildOptions;

    const FIRST: &str = "[White \"A\"]\n[Event \"E\"]\n[Site \"S\"]\n[Date \"2026.11.03\"]\n\n1. e4 c5 2. c3 1-0\n\n\
                         [White \"B\"]\n\n1. Nf3 c5 2. e4 Nc6 3. Bc4 0-1\n";
    const SECOND: &str = "[White \"B\"]\n\n1. e4 c6 2. d4 *\n\n\
                          [FEN \"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\"]\n\n1. Kd2 Kd4 *\n\n\
                          [White \"B\"]\n\n1. e4 e5 2. Nf3 *\n";
    const LINES: &str = "[FEN \"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\"]\n\n1. Kd2 Ke4 *\n";

    #[test]
    fn an_index_is_compared_as_its_files_are() {
        let lines = format!("{WHITE}\n{LINES}");
        let (_folder, index) = index(&[FIRST, SECOND], BuildOptions::default());
        let indexed = compare_index(&index, Vec::new(), repertoire(&lines), Color::White).unwrap();
        let mut job = CompareGames::new(repertoire(&lines), Color::White, ReadOptions::default());
        for (name, text) in [("0.pgn", FIRST), ("1.pgn", SECOND)] {
            job.read(&Workers::new(1).unwrap(), Path::new(name), source(text), &mut ()).unwrap();
        }
        let read = job.finish();
        assert_eq!(left(&indexed), left(&read));
        let told = |comparison: &crate::Comparison| {
            let games = comparison.games();
            let texts = games.map(|game| [game.white, game.event, game.date, game.site].map(str::to_owned));
            (texts.collect::<Vec<_>>(), comparison.lines_met(), comparison.departures().len())
        };
        assert_eq!(told(&indexed), told(&read));
        let numbers: Vec<_> = indexed.games().map(|game| (game.number, game.line)).collect();
        assert_eq!(numbers, [(1, 1), (2, 8), (3, 1), (4, 5), (5, 9)]);
        let some = compare_index(&index, vec!["White=B".parse().unwrap()], repertoire(&lines), Color::White).unwrap();
        assert_eq!(left(&some), ["player 4 f1c4 1", "opponent 1 c7c6 0", "within 3  0"]);
        assert_eq!(some.games().map(|game| game.number).collect::<Vec<_>>(), [2, 3, 5]);
        assert!(compare_index(&index, vec!["Annotator=B".parse().unwrap()], repertoire(&lines), Color::White).is_err());
    }

    #[test]
    fn games_of_an_index_are_annotated_as_those_of_files() {
        let annotator = Annotator::new(repertoire(WHITE), Color::White).leaving(vec![Leaving::Player]);
        let (_folder, index) = index(&[FIRST, SECOND], BuildOptions::default());
        let mut out = Vec::new();
        let written = annotate_index(&index, Vec::new(), &annotator, |_| (), &mut out).unwrap().unwrap();
        let read = annotated_games(annotator, &format!("{FIRST}\n{SECOND}"), ReadOptions::default());
        assert_eq!((String::from_utf8(out).unwrap(), written), read);
        assert_eq!(written, 2);
    }

    #[test]
    fn games_of_variants_are_left_out_of_a_comparison() {
        let (_folder, chess) = index(&[FIRST], BuildOptions::default());
        assert_eq!(why_games_are_left_out(&chess).unwrap(), None);
        let (_folder, mixed) = index(&[FIRST, "[Variant \"Atomic\"]\n\n1. e4 *\n"], BuildOptions::default());
        let told = "1 game is left out, because the rules are not those of chess";
        assert_eq!(why_games_are_left_out(&mixed).unwrap().as_deref(), Some(told));
    }
}
