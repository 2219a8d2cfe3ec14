//! The starts of games: which are found, how they are named, and the games that are copied.

use std::collections::HashMap;

use pgn2fen_chess::fen::{self, CastlingStyle, EpStyle, FenStyle, Fields};
use pgn2fen_chess::position::Position;
use pgn2fen_chess::start::StartKind;
use pgn2fen_games::database::Source;
use pgn2fen_games::parallel::Cuts;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::pgn::games::{Game, Games};
use pgn2fen_games::replay::Replay;
use pgn2fen_rows::starts::{Kind, Sameness, Starts};
use pgn2fen_rows::{Columns, Format, Shape};

use crate::laws::{everything, noise, stream, whole, workers};
use crate::walking::{Said, read_options, same, walk};

/// Runs the job over some files.
fn run(job: &Starts, workers: &Workers, sources: Vec<Source>) -> Said {
    let said = walk(job, workers, (0..).zip(sources).map(|(file, source)| (format!("{file}.pgn"), source)));
    assert!(said.error.is_none(), "{:?}", said.error);
    said
}

/// What it prints. Bytes that are not UTF-8 come out as their numbers.
pub(crate) fn printed(job: &Starts, workers: &Workers, sources: Vec<Source>) -> String {
    text(&run(job, workers, sources).output)
}

/// Bytes as text in which nothing is lost.
pub(crate) fn text(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

fn lines() -> Starts {
    Starts::lines()
}

fn rows(columns: &str) -> Starts {
    let columns = Some(Columns::of_starts(columns).unwrap());
    Starts::shape(Shape { format: Format::Csv, columns, no_header: true })
}

/// The same, up to so many games that are wanted.
fn up_to(games: u64, job: Starts) -> Starts {
    job.read_options(read_options(|read| read.max_games = Some(games)))
}

pub(crate) fn one() -> Workers {
    workers(1)
}

pub(crate) const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha -";

/// Four fields in which the same positions are the same.
pub(crate) fn identity(position: &Position) -> String {
    let style =
        FenStyle { ep: EpStyle::Legal, castling: CastlingStyle::Shredder, fields: Fields::Four, ..FenStyle::default() };
    fen::to_string(position, style)
}

/// Begins a game, which may be one of a variant.
pub(crate) fn begun<'a>(game: &Game<'a>) -> Option<Replay<'a>> {
    game.replay().ok()
}

/// Whether games of the rules of a position usually start from it.
pub(crate) fn is_usual(start: &Position) -> bool {
    start.is_same_position(&Position::start(start.rules()))
}

#[test]
fn all_960_arrays_are_named_however_their_rights_are_spelled() {
    let shredder = FenStyle { castling: CastlingStyle::Shredder, ..FenStyle::default() };
    let (mut games, mut expected) = (String::new(), String::new());
    for number in 0..960 {
        let start = Position::chess960(number).unwrap();
        let field = |style| fen::to_string(&start, style).split(' ').nth(2).unwrap().to_owned();
        let board = fen::to_string(&start, shredder).split(' ').next().unwrap().to_owned();
        // The rights of X-FEN are those letters here, since no rook stands outside another.
        assert_eq!(field(FenStyle::default()), "KQkq");
        for field in ["KQkq".to_owned(), field(shredder), "KkQq".to_owned()] {
            games += &format!("[FEN \"{board} w {field} - 0 1\"]\n\n*\n\n");
            expected += if number == 518 { "" } else { "chess960," };
            expected += &if number == 518 { String::new() } else { format!("{number}\n") };
        }
    }
    let all = rows("kind,sp").sameness(Sameness::None);
    assert_eq!(printed(&all, &one(), vec![whole(games.as_bytes())]), expected);
    let once = printed(&rows("count,sp"), &one(), vec![whole(games.as_bytes())]);
    assert!(once.lines().count() == 959 && once.starts_with("3,0\n3,1\n"));
}

/// The rows of games with these FEN tags.
#[track_caller]
fn check(fens: &[&str], job: &Starts, expected: &str) {
    let games: String = fens.iter().map(|fen| format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n*\n\n")).collect();
    assert_eq!(printed(job, &one(), vec![whole(games.as_bytes())]), expected);
}

#[test]
fn starts_are_named() {
    let double = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let knight = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1";
    let pawn = "rnbqkbnr/ppppp1pp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let both = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBN1 w kq - 0 1";
    let study = "4k3/8/8/8/8/8/4P3/4K3 w - - 5 39";
    check(
        &[double, knight, pawn, both, study, INITIAL, "?"],
        &rows("kind,sp,odds"),
        "dfrc,518/0,\nodds,,White: queen's knight\nodds,,Black: pawn and move\nodds,,White: both rooks; Black: queen\n\
         position,,\n",
    );
    let only = |kinds: &[Kind]| rows("game").kinds(kinds);
    let fens = &[double, knight, pawn, both, study, INITIAL, "?"];
    check(fens, &only(&[Kind::Odds, Kind::DoubleChess960]), "1\n2\n3\n4\n");
    check(fens, &only(&[Kind::Position, Kind::Invalid]), "5\n7\n");
    check(fens, &rows("kind,fen,FEN,count").kinds([Kind::Invalid]), "invalid,,?,1\n");
}

#[test]
fn a_start_is_listed_once_unless_more_is_asked_for() {
    let start = "4k3/8/8/3p4/8/8/8/4K3 w - -";
    let fens =
        [format!("{start} 0 1"), format!("{start} 3 9"), start.replace("w - -", "w - d6 0 1"), format!("{start} 0 1")];
    let fens = fens.each_ref().map(String::as_str);
    check(&fens, &rows("count,game"), "4,1\n");
    check(&fens, &rows("count,game").sameness(Sameness::Exact), "2,1\n1,2\n1,3\n");
    check(&fens, &rows("count,game").sameness(Sameness::None), "1,1\n1,2\n1,3\n1,4\n");
    check(&fens, &lines(), &format!("{}\n", fens[0]));
    // The mover, the rights, and a pawn that can be taken make another start.
    check(&["4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"], &rows("count"), "1\n1\n");
}

#[test]
fn only_so_many_games_are_looked_at() {
    let fens =
        ["4k3/8/8/8/8/8/8/4K3 w - - 0 1", INITIAL, "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/3K4 w - - 0 1"];
    check(&fens, &up_to(2, rows("count,game")), "2,1\n");
    check(&fens, &up_to(0, rows("count,game")), "");
    check(&fens, &up_to(3, lines()), &format!("{}\n{}\n", fens[0], fens[3]));
}

#[test]
fn the_list_is_what_the_walk_through_all_games_starts_from() {
    let bytes = everything();
    let mut expected: Vec<(u64, String, usize)> = Vec::new();
    let mut numbers: HashMap<String, usize> = HashMap::new();
    for (number, game) in (1..).zip(Games::new(&bytes)) {
        let Some(replay) = begun(&game) else { continue };
        let start = format!("{:?} {}", replay.position().rules(), identity(replay.position()));
        if !is_usual(replay.position()) {
            let row = *numbers.entry(start).or_insert_with(|| {
                expected.push((0, fen::to_string(replay.position(), FenStyle::default()), number));
                expected.len() - 1
            });
            expected[row].0 += 1;
        }
    }
    let expected: String = expected.iter().map(|(count, fen, game)| format!("{count},{fen},{game}\n")).collect();
    let said = run(&rows("count,fen,game"), &one(), vec![whole(&bytes)]);
    let first = said.text().lines().zip(expected.lines()).find(|(said, expected)| said != expected);
    assert!(said.text() == expected && expected.lines().count() > 40, "{first:?}");
    let said = said.diagnostics.iter().filter(|(it, _)| it.kind.is_error()).count();
    assert_eq!(said, Games::new(&bytes).filter(|game| begun(game).is_none()).count());
}

#[test]
fn neither_threads_nor_cuts_nor_pipes_change_the_list_or_the_copies() {
    let bytes = everything();
    let invert = Starts::copies().invert(true);
    let many = rows("count,kind,sp,odds,fen,file,line,offset,game,White").kinds(Kind::ALL);
    let few = up_to(40, Starts::copies());
    for job in [lines(), many, rows("fen,line"), Starts::copies(), invert, few] {
        let sources = |source: fn(&[u8]) -> Source| vec![source(&bytes), source(b"1. e4"), source(&bytes[..5000])];
        let expected = run(&job, &one(), sources(whole));
        assert!(!expected.output.is_empty());
        let mut seed = 3;
        for threads in [1, 3] {
            let mut offsets: Vec<u64> = (0..200).map(|_| (noise(&mut seed) % bytes.len()) as u64).collect();
            offsets.sort_unstable();
            for cuts in [Cuts::Likely(700), Cuts::At(offsets)] {
                let workers = workers(threads).with_cuts(cuts);
                for source in [whole, stream] {
                    let said = run(&job, &workers, sources(source));
                    same(&said, &expected, &format!("{job:?}, {threads} threads"));
                }
            }
        }
    }
}

#[test]
fn a_list_that_is_piped_back_is_the_same_list() {
    let starts = printed(&lines(), &one(), vec![whole(&everything())]);
    let games: String = starts.lines().map(|fen| format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n*\n\n")).collect();
    assert_eq!(printed(&lines(), &one(), vec![whole(games.as_bytes())]), starts);
}

#[test]
fn a_kind_is_the_same_by_its_name_in_the_rules() {
    for number in [0, 7, 518] {
        let kind = StartKind::of(&Position::double_chess960(number, 7).unwrap());
        assert_eq!(Kind::ALL.iter().any(|known| known.name() == kind.name()), kind != StartKind::Standard);
    }
}
