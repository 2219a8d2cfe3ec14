//! Pages of boards and picture files: each position has its board and caption, nothing in a game becomes markup or a
//! path, and what is left out is counted.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::num::NonZeroU32;
use std::path::Path;

use pgn2fen_games::database::Source;
use pgn2fen_games::parallel::Cuts;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::walk::Job;
use pgn2fen_rows::starts::Starts;
use pgn2fen_rows::{BoardOptions, FileNames, Format, PictureFormat, PictureSink, Rows};
use roxmltree::{Document, Node, ParsingOptions};

use crate::cli::{Desk, Ran};
use crate::laws::{everything, stream, whole};

const GAMES: &[u8] = b"\
[Event \"Opera\"]
[White \"Morphy, Paul\"]
[Black \"Duke Karl / Count Isouard\"]
[Date \"1858.11.??\"]

1. e4 {[%eval 0.31]} e5 2. Nf3 (2. f4) d6 {[%eval #3]} 1-0

[White \"A\"]
[Black \"B\"]
[SetUp \"1\"]
[FEN \"bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w KQkq - 0 1\"]

1. e4 e5 *
";

const MIXED: &[u8] = include_bytes!("../../fixtures/starts/mixed.pgn");

/// Parses a page as XML, which is stricter than HTML, and checks that it refers to nothing outside.
#[track_caller]
fn parsed(html: &str) -> Document<'_> {
    assert!(html.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"), "{}", &html[..html.len().min(200)]);
    let page =
        Document::parse_with_options(html, ParsingOptions { allow_dtd: true, ..ParsingOptions::default() }).unwrap();
    for node in page.descendants() {
        let name = node.tag_name().name();
        assert!(!matches!(name, "script" | "link" | "img" | "iframe" | "object" | "base" | "form" | "a"), "{name}");
        for attribute in node.attributes() {
            let (name, value) = (attribute.name(), attribute.value());
            assert!(
                !name.starts_with("on") && (name != "href" || value.starts_with('#')) && name != "src",
                "{name}={value}"
            );
        }
    }
    let defined: Vec<&str> = page.descendants().filter_map(|node| node.attribute("id")).collect();
    for used in page.descendants().filter_map(|node| node.attribute("href")) {
        assert_eq!(defined.iter().filter(|id| **id == &used[1..]).count(), 1, "{used} is defined once");
    }
    page
}

/// Returns the text of a node, with `|` for line breaks.
fn text(node: Node<'_, '_>) -> String {
    let words = node
        .descendants()
        .filter_map(|node| if node.has_tag_name("br") { Some("|") } else { node.text().filter(|_| node.is_text()) });
    words.collect()
}

/// Returns the captions of a page. Each figure has a board, which is described in words.
#[track_caller]
fn captions(html: &str) -> Vec<String> {
    let page = parsed(html);
    let figures = page.descendants().filter(|node| node.has_tag_name("figure"));
    let caption = |figure: Node<'_, '_>| {
        let board = figure.first_element_child().unwrap();
        let described = board.descendants().find(|node| node.tag_name().name() == "desc").map(text).unwrap();
        assert_eq!((board.tag_name().name(), board.attribute("role")), ("svg", Some("img")));
        assert!(described.starts_with("White: king "), "{described}");
        figure.children().find(|node| node.has_tag_name("figcaption")).map_or_else(String::new, text)
    };
    figures.map(caption).collect()
}

fn note(html: &str) -> Option<String> {
    parsed(html).descendants().find(|node| node.attribute("class") == Some("note")).map(text)
}

/// Runs the command on the games above.
fn run(arguments: &[&str]) -> Ran {
    Desk::with(&[("a.pgn", GAMES)]).run(&[arguments, &["a.pgn"]].concat())
}

#[test]
fn each_position_has_its_board_and_its_caption() {
    let ran = run(&["-f", "html", "--ply", "..2"]);
    let opera = "Morphy, Paul – Duke Karl / Count Isouard|Opera, 1858.11|";
    assert_eq!(
        captions(&ran.stdout),
        [
            &format!("{opera}Starting position|White to move"),
            "1. e4|Black to move",
            "1… e5|White to move",
            "A – B|Starting position|White to move",
            "1. e4|Black to move",
            "1… e5|White to move",
        ]
    );
    assert_eq!((ran.code, note(&ran.stdout)), (Some(0), None));
    assert!(ran.stdout.contains("<title>Positions of a.pgn</title>"));
}

#[test]
fn the_columns_become_the_caption() {
    let of = |columns: &str| captions(&run(&["-f", "html", "-n", "1", "--no-start", "-C", columns]).stdout);
    assert_eq!(of("san,eval"), ["1. e4|+0.31", "1… e5", "2. Nf3", "2… d6|#3"]);
    assert_eq!(of("ply,result,ECO")[..2], ["ply: 1|1-0", "ply: 2"]);
    assert_eq!(of("fen")[3], "fen: rnbqkbnr/ppp2ppp/3p4/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3");
    assert_eq!(of("san,opening,eco")[3], "2… d6|C41 Philidor Defense");
    let numberless = run(&["-f", "html", "-n", "1", "--no-start", "--fields", "4", "-C", "san"]);
    assert_eq!(captions(&numberless.stdout), ["e4", "… e5", "Nf3", "… d6"]);
    let unnamed = Desk::with(&[]).pipe(&["-f", "html", "--no-start"], b"1. e4 *");
    assert_eq!(captions(&unnamed.stdout), ["No. 1|1. e4|Black to move"]);
}

#[test]
fn filters_and_variations_choose_boards_as_they_choose_rows() {
    for arguments in
        [&["--variations"][..], &["-u"], &["-u", "--variations"], &["--ply", "-1"], &["-t", "White=A"], &["-e", "2"]]
    {
        let of = |format: &str| run(&[&["-f", format, "-C", "san"], arguments].concat()).stdout;
        let rows = of("tsv").lines().count() - 1;
        assert_eq!(captions(&of("html")).len(), rows, "{arguments:?}");
    }
    let none = run(&["-f", "html", "-t", "White=C"]);
    assert_eq!((captions(&none.stdout).len(), note(&none.stdout).as_deref()), (0, Some("There are no positions.")));
}

const PUZZLES: &[u8] = include_bytes!("../../fixtures/records/puzzles.csv");

/// The solutions of a page, in its order.
fn solutions(html: &str) -> Vec<String> {
    let page = parsed(html);
    page.descendants().filter(|node| node.has_tag_name("li")).map(text).collect()
}

#[test]
fn puzzles_become_a_sheet_with_their_answers() {
    let desk = Desk::with(&[("puzzles.csv", PUZZLES), ("a.pgn", GAMES)]);
    let sheet = |arguments: &[&str]| desk.run(&[&["-f", "html", "-p", "0", "puzzles.csv"], arguments].concat());
    let ran = sheet(&["--solutions", "--boards-per-page", "2", "--orientation", "turn"]);
    assert_eq!((&*ran.stderr, ran.code), ("", Some(0)));
    let turns = ["White", "White", "Black", "Black", "Black"];
    let expected: Vec<String> = (1..).zip(turns).map(|(number, turn)| format!("{number} {turn} to move")).collect();
    assert_eq!(captions(&ran.stdout), expected);
    let moves = ["18. Be6+ Kd8 19. Qf8#", "4. Qxf7#", "30… O-O", "2… Qxd5", "50… Kh7 51. Qa7+ Kh6"];
    let expected: Vec<String> = (1..).zip(moves).map(|(number, moves)| format!("{number} {moves}")).collect();
    assert_eq!(solutions(&ran.stdout), expected);
    // A printed page is a group of boards.
    let page = parsed(&ran.stdout);
    let groups = page.descendants().filter(|node| node.attribute("class") == Some("boards"));
    let sizes = groups.map(|group| group.children().filter(|node| node.has_tag_name("figure")).count());
    assert_eq!(sizes.collect::<Vec<_>>(), [2, 2, 1]);
    // The move before the puzzle is shown.
    assert!(ran.stdout.contains("Last move: e8 to d7."));
    assert!(!sheet(&["--no-last-move"]).stdout.contains("Last move"));
    let numbered = sheet(&["--numbers", "-C", "PuzzleId,turn"]).stdout;
    assert_eq!(captions(&numbered)[..2], ["1 PuzzleId: 00sHx|White to move", "2 PuzzleId: own01|White to move"]);
    assert_eq!(solutions(&numbered).len(), 0);
    // The numbers do not depend on the columns, nor the solutions on the captions.
    assert_eq!(solutions(&sheet(&["--solutions", "-C", "Rating"]).stdout), expected);
    assert_eq!(
        solutions(&desk.run(&["-f", "html", "--solutions", "-p", "0", "-n", "1", "a.pgn"]).stdout),
        ["1 1. e4 e5 2. Nf3 d6"]
    );
}

#[test]
fn solutions_are_the_moves_of_an_epd_or_those_that_follow_in_the_line() {
    let epd = b"6k1/8/8/8/8/8/1q6/K6R w - - bm Kxb2; id \"own.1\"; dm 3;\n6k1/8/8/8/8/8/1q6/K6R w - - am Rh2;\n";
    let desk = Desk::with(&[("a.epd", epd), ("a.pgn", GAMES)]);
    let page = desk.run(&["-q", "-f", "html", "--solutions", "a.epd"]).stdout;
    assert_eq!(captions(&page), ["1 own.1|White to move|Mate in 3", "2 White to move"]);
    assert_eq!(solutions(&page), ["1 Kxb2", "2 not Rh2"]);
    let plain = captions(&desk.run(&["-q", "-f", "html", "a.epd"]).stdout);
    assert_eq!(plain, ["own.1|White to move|Mate in 3; Best move: Kxb2", "No. 2|White to move|Move to avoid: Rh2"]);
    let of_lines = desk.run(&["-f", "html", "--solutions", "--variations", "-n", "1", "-C", "san", "a.pgn"]).stdout;
    let expected = ["1 1. e4 e5 2. Nf3 d6", "2 1… e5 2. Nf3 d6", "3 2. Nf3 d6", "4 2… d6"].map(str::to_owned);
    assert_eq!(solutions(&of_lines), expected);
}

/// The cards of a file for Anki, without the pictures.
fn cards(file: &str) -> Vec<String> {
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    let card = |line: &str| {
        let (before, rest) = line.split_once("<svg ").unwrap();
        let (_, after) = rest.split_once("</svg>").unwrap();
        format!("{before}{after}")
    };
    lines.map(card).collect()
}

#[test]
fn each_puzzle_becomes_a_card() {
    let epd = b"6k1/8/8/8/8/8/1q6/K6R w - - bm Kxb2; id \"<own>.1\"; dm 3;\n6k1/8/8/8/8/8/1q6/K6R w - -\n";
    let tactics = b"[White \"A\"]\n[Black \"B\"]\n[FEN \"6k1/8/8/8/8/8/1q6/K6R w - - 0 9\"]\n\n9. Kxb2 {Free.} Kg7 *\n";
    let desk = Desk::with(&[("puzzles.csv", PUZZLES), ("a.epd", epd), ("a.pgn", tactics)]);
    let ran = desk.run(&["-f", "anki", "-p", "0", "puzzles.csv"]);
    assert_eq!((&*ran.stderr, ran.code), ("", Some(0)));
    let head = ["#separator:tab", "#html:true", "#notetype:Basic", "#deck:Cards of puzzles.csv"];
    assert_eq!(ran.stdout.lines().take(4).collect::<Vec<_>>(), head);
    let found = cards(&ran.stdout);
    assert_eq!(found.len(), 5);
    assert_eq!(
        found[0],
        "pgn2fen-t-9f62b68562828433\t\"<div>White to move</div>\"\t\"<b>18. Be6+ Kd8 19. Qf8#</b>\"\t\"chess::white \
         chess::mate chess::mateIn2 chess::middlegame chess::short\""
    );
    // The side to move is at the bottom, and the move before the puzzle is shown.
    let board = |arguments: &[&str]| {
        let ran = desk.run(&[&["-f", "anki", "-p", "0", "puzzles.csv"], arguments].concat());
        ran.stdout.lines().nth(9).unwrap().split("<div>").next().unwrap().to_owned()
    };
    assert_eq!(board(&[]), board(&["--orientation", "black"]));
    assert_ne!(board(&[]), board(&["--orientation", "white"]));
    assert!(board(&[]).contains("Last move: "));
    // Positions without a solution have no card, and are counted.
    let ran = desk.run(&["-o", "a.anki", "--title", "Mine", "a.epd"]);
    assert!(ran.stderr.ends_with("warning: 1 position left out: without a solution\n"), "{}", ran.stderr);
    let file = String::from_utf8(desk.read("a.anki")).unwrap();
    assert!(file.contains("\n#deck:Mine\n"));
    let words = "<div>&lt;own&gt;.1</div><div>White to move</div><div>Mate in 3</div>";
    let found = cards(&file);
    assert!(
        found.len() == 1 && found[0].ends_with(&format!("\"{words}\"\t\"<b>Kxb2</b>\"\t\"chess::white\"")),
        "{found:?}"
    );
    // Without -p 0, each position with a move behind it has a card.
    let ran = desk.run(&["-f", "anki", "a.pgn"]);
    let found = cards(&ran.stdout);
    let of_game = "<div>A – B</div><div>White to move</div>\"\t\"<b>9. Kxb2 Kg7</b>";
    assert!(found.len() == 2 && found[0].contains(of_game) && found[1].contains("<b>9… Kg7</b>"), "{found:?}");
    let ran = desk.run(&["--shuffle", "-o", "b.anki", "a.pgn"]);
    assert!(ran.stderr.contains("the format anki cannot be shuffled or split"), "{}", ran.stderr);
}

#[test]
fn comments_draw_their_arrows_on_pages_and_pictures() {
    let games = b"1. e4 {[%csl Gd5][%cal Rg8f6] Strong.} e5 *\n";
    let desk = Desk::with(&[("a.pgn", games)]);
    let plain = |arguments: &[&str]| desk.run(&[&["-f", "html", "a.pgn"], arguments].concat()).stdout;
    let drawn = plain(&[]);
    let of_option = plain(&["--no-comment-arrows", "--ply", "1", "--arrow", "d5,g8f6:red"]);
    let figure = |page: &str, nth: usize| {
        page.split("<figure>").nth(nth).unwrap().split("<figcaption>").next().unwrap().to_owned()
    };
    assert_eq!(figure(&drawn, 2), figure(&of_option, 1));
    let without = plain(&["--no-comment-arrows"]);
    assert_eq!([1, 3].map(|nth| figure(&drawn, nth)), [1, 3].map(|nth| figure(&without, nth)));
    assert_ne!(figure(&drawn, 2), figure(&without, 2));
    assert_eq!(captions(&plain(&["-C", "comment"]))[1], "Strong.");
    assert_eq!(captions(&plain(&["-C", "words"]))[1], "Strong.");
    for name in ["{ply}.svg", "{ply}.png"] {
        for (folder, option) in [("with", "-q"), ("without", "--no-comment-arrows")] {
            desk.run(&["-o", &format!("{folder}/{name}"), option, "a.pgn"]).is("", "", 0);
        }
        let same = |ply: &str| {
            let name = name.replace("{ply}", ply);
            desk.read(&format!("with/{name}")) == desk.read(&format!("without/{name}"))
        };
        assert_eq!(["0", "1", "2"].map(same), [true, false, true], "{name}");
    }
}

#[test]
fn options_of_pages_are_refused_where_they_have_no_meaning() {
    let desk = Desk::with(&[("a.pgn", GAMES)]);
    for (arguments, words) in [
        (
            &["-f", "csv", "--solutions"][..],
            "--solutions has no effect on the format csv; only html, anki, svg and png",
        ),
        (
            &["-o", "{ply}.svg", "--boards-per-page", "2"],
            "--boards-per-page has no effect on the format svg; only html",
        ),
        (&["-f", "html", "--boards-per-row", "0"], "--boards-per-row"),
        (&["starts", "-f", "html", "--solutions"], "--solutions has no effect here; pgn2fen --ply 0"),
    ] {
        let ran = desk.run(&[arguments, &["a.pgn"]].concat());
        assert!(ran.code == Some(2) && ran.stderr.contains(words), "{arguments:?}: {}", ran.stderr);
    }
    let page = desk.run(&["starts", "-q", "-f", "html", "--numbers", "--boards-per-row", "3", "a.pgn"]).stdout;
    assert!(captions(&page)[0].starts_with("1 ") && page.contains("repeat(3,minmax(0,1fr))"));
}

#[test]
fn nothing_in_a_game_becomes_markup() {
    let game = "[Event \"<script>alert(1)</script>\"]\n[White \"\\\" onload=\\\"x & 'y'\"]\n\
        [Black \"a\u{0}b\u{1b}[0m\u{85}\u{202e}c]]>\"]\n\n*\n";
    let page = Desk::with(&[]).pipe(&["-f", "html"], game.as_bytes()).stdout;
    let expected = "\" onload=\"x & 'y' – a\u{fffd}b\u{fffd}[0m\u{fffd}\u{202e}c]]>|<script>alert(1)</script>|Starting \
        position|White to move";
    assert_eq!(captions(&page), [expected]);
    // Windows has no names with `<`.
    let title = if cfg!(windows) { "onload=x & 'y'.pgn" } else { "<svg onload=x>&.pgn" };
    let page = Desk::with(&[(title, GAMES)]).run(&["-f", "html", title]).stdout;
    let heading = parsed(&page).descendants().find(|node| node.has_tag_name("h1")).map(text);
    assert_eq!(heading, Some(format!("Positions of {title}")));
}

#[test]
fn boards_beyond_the_limit_are_counted_on_the_page_and_in_a_warning() {
    let ran = run(&["-f", "html", "--max-boards", "6"]);
    assert_eq!((captions(&ran.stdout).len(), ran.code), (6, Some(0)));
    let said = "2 more boards are not on this page, because their number is limited.";
    assert_eq!(note(&ran.stdout).as_deref(), Some(said));
    assert_eq!(ran.stderr, "warning: 2 boards left out: at most 6 are drawn; --max-boards all draws all\n");
    for all in ["all", "0", "8"] {
        let ran = run(&["-f", "html", "--max-boards", all]);
        assert_eq!((captions(&ran.stdout).len(), note(&ran.stdout), &*ran.stderr), (8, None, ""));
    }
    let many = "1. Nf3 Nf6 2. Ng1 Ng8 *\n".repeat(300);
    let ran = Desk::with(&[]).pipe(&["-f", "html"], many.as_bytes());
    assert_eq!(captions(&ran.stdout).len(), 1000);
    assert_eq!(ran.stderr, "warning: 500 boards left out: at most 1,000 are drawn; --max-boards all draws all\n");
}

#[test]
fn the_side_at_the_bottom_is_chosen() {
    let first = |arguments: &[&str]| {
        let page = run(&[&["-f", "html", "--ply", "1"], arguments].concat()).stdout;
        let page = parsed(&page);
        let board =
            page.descendants().find(|node| node.has_tag_name("figure")).and_then(|figure| figure.first_element_child());
        let king = board.unwrap().descendants().find(|node| node.attribute("href") == Some("#p2f-wK")).unwrap();
        (king.attribute("x").unwrap().to_owned(), king.attribute("y").unwrap().to_owned())
    };
    let (white, black) = (("180".to_owned(), "315".to_owned()), ("135".to_owned(), "0".to_owned()));
    assert_eq!(first(&[]), white);
    assert_eq!(first(&["--orientation", "white"]), white);
    assert_eq!(first(&["--orientation", "black"]), black);
    // Black is to move.
    assert_eq!(first(&["--orientation", "turn"]), black);
}

#[test]
fn a_gallery_of_starts_counts_their_games() {
    let desk = Desk::with(&[("mixed.pgn", MIXED)]);
    let ran = desk.run(&["starts", "-q", "-o", "starts.html", "mixed.pgn"]);
    assert_eq!(ran.stderr, "");
    let page = String::from_utf8(desk.read("starts.html")).unwrap();
    let study = "Position|2 games|White to move|First game: Saavedra, Fernando – ?|A study, 1895|mixed.pgn:11";
    let expected = [
        study,
        "Chess960 1|1 game|White to move|Chess960|mixed.pgn:21",
        "Odds – Black: pawn and move|1 game|White to move|Pawn and move|mixed.pgn:36",
    ];
    // Only the study has players.
    assert_eq!(captions(&page), expected);
    assert!(page.contains("<title>Starting positions of mixed.pgn</title>"));
    let ran = desk.run(&["starts", "-f", "html", "--max-boards", "1", "-C", "count,kind", "mixed.pgn"]);
    assert_eq!(captions(&ran.stdout), ["2 games|Position"]);
    assert!(
        ran.stderr.ends_with("warning: 2 boards left out: at most 1 are drawn; --max-boards all draws all\n"),
        "{}",
        ran.stderr
    );
    assert_eq!(captions(&desk.run(&["starts", "-q", "-f", "html", "--all", "mixed.pgn"]).stdout).len(), 4);
}

#[test]
fn a_compressed_page_is_the_page() {
    let desk = Desk::with(&[("a.pgn", GAMES)]);
    desk.run(&["-o", "page.html.gz", "a.pgn"]).is("", "", 0);
    let mut page = String::new();
    flate2::read::GzDecoder::new(&*desk.read("page.html.gz")).read_to_string(&mut page).unwrap();
    assert!(page == desk.run(&["-f", "html", "a.pgn"]).stdout);
    desk.run(&["-o", "page.htm", "a.pgn"]).is("", "", 0);
    assert!(page.as_bytes() == desk.read("page.htm"));
}

/// Keeps pictures in memory.
#[derive(Default)]
struct Kept(BTreeMap<String, Vec<u8>>);

impl PictureSink for Kept {
    fn put(&mut self, path: &Path, picture: &[u8]) -> io::Result<()> {
        let older = self.0.insert(path.to_str().unwrap().to_owned(), picture.to_vec());
        assert_eq!(older, None, "{path:?} is given once");
        Ok(())
    }
}

fn names(template: &str) -> FileNames {
    FileNames::of_positions(template, PictureFormat::Svg).unwrap()
}

#[test]
fn threads_and_cuts_and_pipes_change_no_byte_of_a_page_or_a_picture() {
    let text = everything();
    let text = &text[..text.len().min(150_000)];
    let unlimited = BoardOptions { max_boards: None, ..BoardOptions::default() };
    let limited = BoardOptions { max_boards: Some(777), ..BoardOptions::default() };
    let columns = "game,line,White,Black,san,eval,fen";
    let written = |workers: &Workers, source: fn(&[u8]) -> Source| {
        let rows = |boards: &BoardOptions| Rows::columns(columns).unwrap().format(Format::Html).boards(boards.clone());
        let numbered = BoardOptions { solutions: true, per_page: NonZeroU32::new(7), ..unlimited.clone() };
        let page = |boards| {
            let mut job = rows(boards).begin(Vec::new()).unwrap();
            job.read(workers, Path::new("a"), source(text), &mut ()).unwrap();
            job.end().unwrap()
        };
        let mut pictures =
            rows(&limited).begin_pictures(PictureFormat::Svg, names("{White}-{number}-{san}.svg"), Kept::default());
        pictures.read(workers, Path::new("a"), source(text), &mut ()).unwrap();
        let starts = Starts::shape(rows_of_starts()).boards(limited.clone());
        let mut starts = starts.begin(Vec::new()).unwrap();
        starts.read(workers, Path::new("a"), source(text), &mut ()).unwrap();
        let (pictures, left_out) = pictures.end().unwrap();
        (page(&unlimited), page(&limited), page(&numbered), pictures.0, left_out, starts.end().unwrap())
    };
    let expected = written(&Workers::new(1).unwrap().with_cuts(Cuts::Likely(usize::MAX / 4)), whole);
    assert_eq!(expected.3.len(), 777);
    assert!(expected.4.boards > 1000 && expected.1.1.boards == expected.4.boards && expected.0.1.boards == 0);
    let anywhere = Cuts::At((0..text.len() as u64).step_by(7919).collect());
    for (threads, cuts) in [(2, Cuts::Likely(3000)), (3, anywhere)] {
        let workers = Workers::new(threads).unwrap().with_cuts(cuts);
        for source in [whole as fn(&[u8]) -> Source, stream] {
            assert!(written(&workers, source) == expected, "{threads} threads");
        }
    }
}

fn rows_of_starts() -> pgn2fen_rows::Shape {
    pgn2fen_rows::Shape { format: Format::Html, columns: None, no_header: false }
}

/// The files below a folder, with `/` between the names.
fn files_in(folder: &Path) -> Vec<String> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/"));
            }
        }
    }
    files.sort();
    files
}

#[test]
fn each_board_has_a_file_whose_name_comes_from_its_row() {
    let desk = Desk::with(&[("a.pgn", GAMES)]);
    desk.run(&["-f", "svg", "-o", "boards/{White}/{game}-{ply}{{}}.svg", "--ply", "1..2", "a.pgn"]).is("", "", 0);
    let expected = ["A/2-1{}.svg", "A/2-2{}.svg", "Morphy, Paul/1-1{}.svg", "Morphy, Paul/1-2{}.svg"];
    assert_eq!(files_in(&desk.path("boards")), expected);
    let svg = String::from_utf8(desk.read("boards/A/2-1{}.svg")).unwrap();
    assert!(Document::parse(&svg).unwrap().root_element().has_tag_name(("http://www.w3.org/2000/svg", "svg")));
    desk.run(&["-o", "few/{number}.svg", "--max-boards", "2", "a.pgn"]).is(
        "",
        "warning: 6 boards left out: at most 2 are drawn; --max-boards all draws all\n",
        0,
    );
    assert_eq!(files_in(&desk.path("few")), ["1.svg", "2.svg"]);
    desk.run(&["-o", "one.png", "-n", "1", "--ply", "0", "a.pgn"]).is("", "", 0);
    assert!(desk.read("one.png").starts_with(b"\x89PNG\r\n\x1a\n"));
    desk.run(&["-o", "one.svg", "-n", "1", "--ply", "0", "a.pgn"]).is("", "", 0);
    assert!(desk.path("one.svg").exists());
}

#[test]
fn a_picture_of_a_start_is_named_by_its_columns() {
    let desk = Desk::with(&[("mixed.pgn", MIXED)]);
    let ran = desk.run(&["starts", "-q", "-o", "s/{count}-{kind}-{sp}.svg", "mixed.pgn"]);
    assert_eq!(ran.stderr, "");
    assert_eq!(files_in(&desk.path("s")), ["1-chess960-1.svg", "1-odds-_.svg", "2-position-_.svg"]);
}

#[test]
fn a_name_that_occurs_again_gets_a_number() {
    let desk = Desk::with(&[("a.pgn", GAMES)]);
    desk.run(&["-o", "x/{White}.svg", "--ply", "0..2", "a.pgn"]).is("", "", 0);
    let expected = ["A-2.svg", "A-3.svg", "A.svg", "Morphy, Paul-2.svg", "Morphy, Paul-3.svg", "Morphy, Paul.svg"];
    assert_eq!(files_in(&desk.path("x")), expected);
}

#[test]
fn no_value_leads_out_of_the_folder() {
    let hostile = [
        "../../up",
        "..",
        "/etc/passwd",
        "C:\\\\x",
        ".hidden",
        "CON",
        "a\u{0}b",
        "-rf",
        "\u{202e}gpj",
        "x/../../y",
        " ",
    ];
    let games: String = hostile.iter().map(|name| format!("[White \"{name}\"]\n\n*\n\n")).collect();
    let long = format!("[White \"{}\"]\n\n*\n", "é".repeat(2000));
    let desk = Desk::with(&[("a.pgn", (games + &long).as_bytes())]);
    fs::create_dir(desk.path("in")).unwrap();
    let ran = desk.run(&["-o", "in/{White}/{White}.svg", "a.pgn"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(desk.files(), ["a.pgn", "in"]);
    let files = files_in(&desk.path("in"));
    assert_eq!(files.len(), hostile.len() + 1, "{files:#?}");
    for file in files {
        let parts: Vec<&str> = file.split('/').collect();
        assert!(
            parts.len() == 2 && parts.iter().all(|part| part.len() < 250 && !part.starts_with(['.', '-'])),
            "{file}"
        );
        assert!(!file.chars().any(|char| char.is_control() || char == '\u{202e}' || char == ':'), "{file}");
    }
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let desk = Desk::with(&[("a.pgn", GAMES)]);
    for (arguments, words) in [
        (
            &["-f", "svg", "a.pgn"][..],
            "-f svg writes a file for each board; give their names with -o, such as -o 'boards/{game}-{ply}.svg'",
        ),
        (&["starts", "-f", "svg", "a.pgn"], "such as -o 'boards/{number}-{kind}.svg'"),
        (&["-o", "{gmae}.svg", "a.pgn"], "there is no column gmae; did you mean game?"),
        (
            &["-o", "x.svg", "a.pgn"],
            "there is more than one board, and the name x.svg has no placeholder; use a name such as x-{number}.svg; 0 \
             boards written",
        ),
        (&["-f", "svg", "-o", "{game}.txt", "a.pgn"], "needs a name that ends in .svg"),
        (&["-o", "{game}.svg.gz", "a.pgn"], "pictures are not compressed"),
        (&["-f", "csv", "-o", "{game}.svg", "a.pgn"], "the format is csv, but {game}.svg has the ending of svg"),
        (&["-o", "{game}.svg", "-C", "game", "a.pgn"], "the format svg has no columns to choose"),
        (&["-f", "html", "--no-header", "a.pgn"], "the format html has no header row"),
        (
            &["--max-boards", "3", "a.pgn"],
            "--max-boards has no effect on the format fen; only html, anki, svg and png draw boards",
        ),
        (&["starts", "--orientation", "turn", "-f", "pgn", "a.pgn"], "--orientation has no effect on the format pgn"),
        (&["-f", "html", "--max-boards", "many", "a.pgn"], "not a number, and not all"),
        (&["starts", "--kind", "invalid", "-f", "html", "a.pgn"], "has no FEN"),
        (&["starts", "--kind", "invalid", "-o", "{number}.svg", "a.pgn"], "has no FEN"),
    ] {
        let ran = desk.run(arguments);
        assert!(
            ran.code == Some(2) && ran.stderr.contains(words) && ran.stdout.is_empty(),
            "{arguments:?}: {}",
            ran.stderr
        );
    }
    assert_eq!(desk.files(), ["a.pgn"], "nothing was written");
}

#[test]
fn a_run_that_fails_leaves_whole_files_and_says_how_many() {
    let desk = Desk::with(&[("a.pgn", GAMES)]);
    fs::create_dir_all(desk.path("x/3.svg")).unwrap();
    let ran = desk.run(&["-o", "x/{number}.svg", "a.pgn"]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(2)));
    assert!(ran.stderr.contains("3.svg") && ran.stderr.ends_with("; 2 boards written\n"), "{}", ran.stderr);
    assert_eq!(files_in(&desk.path("x")), ["1.svg", "2.svg"]);
    for name in ["x/1.svg", "x/2.svg"] {
        assert!(desk.read(name).ends_with(b"</svg>\n"));
    }
    let ran = desk.run(&["-o", "y/{number}.svg", "a.pgn", "none.pgn"]);
    assert!(
        ran.stderr.ends_with(
            "8 boards written, not all, because not all of the input could be read; --skip-unreadable \
             writes what could be read\n"
        ),
        "{}",
        ran.stderr
    );
    assert_eq!((ran.code, files_in(&desk.path("y")).len()), (Some(2), 8));
    // An input is not replaced, whatever its name.
    let desk = Desk::with(&[("1.svg", GAMES)]);
    let ran = desk.run(&["-o", "{number}.svg", "1.svg"]);
    assert!(
        ran.code == Some(2) && ran.stderr.contains("1.svg is both input and output; 0 boards written"),
        "{}",
        ran.stderr
    );
    assert!(desk.read("1.svg") == GAMES);
}

/// Builds an index of the games and asks for positions.
fn find(arguments: &[&str]) -> Ran {
    let desk = Desk::with(&[("a.pgn", GAMES)]);
    desk.run(&["index", "-q", "-o", "idx", "a.pgn"]);
    desk.run(&[&["find", "-f", "html", "idx"], arguments].concat())
}

#[test]
fn a_page_of_answers_has_each_position_with_its_games() {
    let ran = find(&["1. e4 e5", "startpos"]);
    assert_eq!((&*ran.stderr, ran.code), ("", Some(0)));
    let shares = "1 game|White 100\u{a0}%, draws 0\u{a0}%, Black 0\u{a0}%|";
    let e5 =
        format!("{shares}C20 King's Pawn Game|White to move|rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -");
    let start = format!("{shares}White to move|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -");
    assert_eq!(captions(&ran.stdout), [e5, start]);
    let page = parsed(&ran.stdout);
    let texts = |name: &str| page.descendants().filter(|node| node.has_tag_name(name)).map(text).collect::<Vec<_>>();
    assert_eq!(texts("h2"), ["1. e4 e5", "startpos"]);
    let row = ["Morphy, Paul", "Duke Karl / Count Isouard", "1-0", "1858.11.??"];
    assert_eq!(texts("td"), [&row[..], &["2", "a.pgn:1"], &row, &["0", "a.pgn:1"]].concat());
    assert!(texts("title")[0].starts_with("Positions in idx"));
    // Only the board and its counts.
    assert!(!find(&["-c", "startpos"]).stdout.contains("<table>"));
}

#[test]
fn a_page_of_moves_has_a_board_for_each() {
    let chess960 = "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w KQkq -";
    let ran = find(&["-M", "startpos", chess960]);
    let captions_of = captions(&ran.stdout);
    assert_eq!(captions_of.len(), 4);
    assert_eq!(
        captions_of[1],
        "e4|1 game|White 100\u{a0}%, draws 0\u{a0}%, Black 0\u{a0}%|last played 1858.11|B00 King's Pawn Game"
    );
    // A game without a result has no shares, and the position is its own heading.
    assert_eq!(captions_of[2..], ["1 game|White to move", "e4|1 game"]);
    let ran = find(&["-M", "--max-boards", "3", "startpos", chess960]);
    assert_eq!(parsed(&ran.stdout).descendants().filter(|node| node.attribute("role") == Some("img")).count(), 3);
    assert_eq!(
        note(&ran.stdout).as_deref(),
        Some("1 more board is not on this page, because their number is limited.")
    );
    assert_eq!((&*ran.stderr, ran.code), ("warning: 1 board left out; --max-boards all draws all\n", Some(0)));
}

#[test]
fn a_page_says_what_was_not_found() {
    let ran = find(&["1. a4"]);
    assert_eq!(ran.code, Some(1));
    assert!(captions(&ran.stdout)[0].starts_with("0 games|"));
    let ran = find(&["--max-boards", "1", "<b>1. e5</b>"]);
    assert!(ran.code == Some(2) && !ran.stdout.contains("<b>1. e5"), "{}", ran.stderr);
    parsed(&ran.stdout);
    let desk = Desk::with(&[("a.pgn", GAMES)]);
    desk.run(&["index", "-q", "-o", "idx", "a.pgn"]);
    for (arguments, words) in [
        (&["--max-boards", "3"][..], "--max-boards has no effect on the format of a table"),
        (&["-f", "html", "--no-header"], "--no-header has no effect on a page of boards"),
    ] {
        let ran = desk.run(&[&["find", "idx", "startpos"], arguments].concat());
        assert!(ran.code == Some(2) && ran.stderr.contains(words), "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn a_list_of_hits_is_limited_and_the_others_are_counted() {
    let many = "1. e4 *\n".repeat(1203);
    let desk = Desk::with(&[("a.pgn", many.as_bytes())]);
    desk.run(&["index", "-q", "-o", "idx", "a.pgn"]);
    let rows = |ran: &Ran| ran.stdout.matches("<tr><td>").count();
    let ran = desk.run(&["find", "-f", "html", "idx", "1. e4"]);
    assert_eq!(rows(&ran), 1000);
    assert_eq!(note(&ran.stdout).as_deref(), Some("203 more places are not listed."));
    assert_eq!(ran.stderr, "warning: 203 places left out: at most 1000 are listed; --max sets another limit\n");
    let ran = desk.run(&["find", "-f", "html", "--max", "1100", "idx", "1. e4"]);
    assert_eq!((rows(&ran), &*ran.stderr, note(&ran.stdout)), (1100, "", None));
}
