//! The starts of games: which are found, how they are named, and the games that are copied.

use std::collections::HashMap;
use std::ops::ControlFlow;

use pgn2fen::chess::position::Position;
use pgn2fen::chess::start::StartKind;
use pgn2fen::database::Source;
use pgn2fen::diagnostic::Kind as Fault;
use pgn2fen::fen::{self, CastlingStyle, EpStyle, FenStyle, Fields};
use pgn2fen::parallel::{Cuts, Delivery, Stages, Workers};
use pgn2fen::pgn::games::{Games, Text};
use pgn2fen::rows::export::{Product, begin};
use pgn2fen::rows::{Columns, Format};
use pgn2fen::starts::{Batch, InOrder, Kind, Listing, Sameness, Starts};

use crate::laws::{everything, noise, stream, whole, workers};

/// What a run over some files prints, and its errors and warnings.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) output: String,
    pub(crate) diagnostics: Vec<(Fault, u64, Option<u64>)>,
}

/// Runs the job as the command does. Bytes that are not UTF-8 come out as their numbers.
pub(crate) fn run(job: &Starts, workers: &Workers, sources: Vec<Source>) -> Said {
    let mut in_order = InOrder::new(job);
    let columns = match &job.listing {
        Listing::Rows(_, columns) => columns.clone(),
        _ => Columns::starts(),
    };
    let (mut collector, encoder, mut assembler) = begin(Format::Csv, &columns, true).unwrap();
    if job.sameness != Sameness::None && columns.has_count() {
        collector = collector.held();
    }
    let mut said = Said::default();
    let mut output = Vec::new();
    for (file, source) in (0..).zip(sources) {
        let job = Starts { file, ..job.clone() };
        in_order.begin_file();
        collector.begin_file(&format!("{file}.pgn"), b"");
        let mut games = 0;
        let read = |text: Text<'_>, until: usize, batch: &mut Batch| job.read(text, until, batch);
        let order = |delivery: Delivery<'_, Batch>| {
            let Delivery { batch, line, .. } = delivery;
            let flow = in_order.take(batch);
            let told = |game: Option<u64>| game.map(|game| game + games);
            said.diagnostics.extend(batch.diagnostics.iter().map(|it| (it.kind, it.offset, told(it.game))));
            games += batch.count.games;
            collector.collect(&mut batch.table, batch.count.games, line, &mut batch.product);
            flow
        };
        let encode = |batch: &mut Batch| {
            encoder.encode(&mut batch.product);
        };
        let deliver = |batch: &mut Batch| {
            output.extend_from_slice(&batch.output);
            output.extend_from_slice(assembler.assemble(&mut batch.product).unwrap());
            ControlFlow::Continue(())
        };
        workers.walk_in_stages(source, Stages { read, order, encode, deliver }).unwrap();
        if in_order.is_over() {
            break;
        }
    }
    collector.count(in_order.counts());
    let mut last = Product::default();
    collector.end(&mut last);
    encoder.encode(&mut last);
    output.extend_from_slice(assembler.assemble(&mut last).unwrap());
    output.extend_from_slice(in_order.end());
    said.output = text(&output);
    said
}

/// Bytes as text in which nothing is lost.
pub(crate) fn text(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

fn lines() -> Starts {
    Starts { listing: Listing::Lines(FenStyle::default()), ..Starts::default() }
}

fn rows(columns: &str) -> Starts {
    Starts { listing: Listing::Rows(FenStyle::default(), Columns::of_starts(columns).unwrap()), ..Starts::default() }
}

pub(crate) fn one() -> Workers {
    workers(1)
}

pub(crate) const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha -";

/// Four fields in which the same positions are the same.
pub(crate) fn identity(position: &Position) -> String {
    let style = FenStyle { ep: EpStyle::Legal, castling: CastlingStyle::Shredder, fields: Fields::Four };
    fen::to_string(position, style)
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
    let all = Starts { sameness: Sameness::None, ..rows("kind,sp") };
    assert_eq!(run(&all, &one(), vec![whole(games.as_bytes())]).output, expected);
    let once = run(&rows("count,sp"), &one(), vec![whole(games.as_bytes())]).output;
    assert!(once.lines().count() == 959 && once.starts_with("3,0\n3,1\n"));
}

/// The rows of games with these FEN tags.
#[track_caller]
fn check(fens: &[&str], job: &Starts, expected: &str) {
    let games: String = fens.iter().map(|fen| format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n*\n\n")).collect();
    assert_eq!(run(job, &one(), vec![whole(games.as_bytes())]).output, expected);
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
    let only = |kinds: &[Kind]| Starts { kinds: kinds.to_vec(), ..rows("game") };
    let fens = &[double, knight, pawn, both, study, INITIAL, "?"];
    check(fens, &only(&[Kind::Odds, Kind::DoubleChess960]), "1\n2\n3\n4\n");
    check(fens, &only(&[Kind::Position, Kind::Invalid]), "5\n7\n");
    check(fens, &Starts { kinds: vec![Kind::Invalid], ..rows("kind,fen,FEN,count") }, "invalid,,?,1\n");
}

#[test]
fn a_start_is_listed_once_unless_more_is_asked_for() {
    let start = "4k3/8/8/3p4/8/8/8/4K3 w - -";
    let fens =
        [format!("{start} 0 1"), format!("{start} 3 9"), start.replace("w - -", "w - d6 0 1"), format!("{start} 0 1")];
    let fens = fens.each_ref().map(String::as_str);
    check(&fens, &rows("count,game"), "4,1\n");
    check(&fens, &Starts { sameness: Sameness::Exact, ..rows("count,game") }, "2,1\n1,2\n1,3\n");
    check(&fens, &Starts { sameness: Sameness::None, ..rows("count,game") }, "1,1\n1,2\n1,3\n1,4\n");
    check(&fens, &lines(), &format!("{}\n", fens[0]));
    // The mover, the rights, and a pawn that can be taken make another start.
    check(&["4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"], &rows("count"), "1\n1\n");
}

#[test]
fn only_so_many_games_are_looked_at() {
    let fens =
        ["4k3/8/8/8/8/8/8/4K3 w - - 0 1", INITIAL, "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/3K4 w - - 0 1"];
    check(&fens, &Starts { max_games: Some(2), ..rows("count,game") }, "2,1\n");
    check(&fens, &Starts { max_games: Some(0), ..rows("count,game") }, "");
    check(&fens, &Starts { max_games: Some(3), ..lines() }, &format!("{}\n{}\n", fens[0], fens[3]));
}

#[test]
fn the_list_is_what_the_walk_through_all_games_starts_from() {
    let bytes = everything();
    let mut expected: Vec<(u64, String, usize)> = Vec::new();
    let mut numbers: HashMap<String, usize> = HashMap::new();
    for (number, game) in (1..).zip(Games::new(&bytes)) {
        let Ok(replay) = game.replay() else { continue };
        let start = identity(replay.position());
        if start != INITIAL {
            let row = *numbers.entry(start).or_insert_with(|| {
                expected.push((0, fen::to_string(replay.position(), FenStyle::default()), number));
                expected.len() - 1
            });
            expected[row].0 += 1;
        }
    }
    let expected: String = expected.iter().map(|(count, fen, game)| format!("{count},{fen},{game}\n")).collect();
    let said = run(&rows("count,fen,game"), &one(), vec![whole(&bytes)]);
    let first = said.output.lines().zip(expected.lines()).find(|(said, expected)| said != expected);
    assert!(said.output == expected && expected.lines().count() > 40, "{first:?}");
    let said = said.diagnostics.iter().filter(|(fault, ..)| fault.is_error()).count();
    assert_eq!(said, Games::new(&bytes).filter(|game| game.replay().is_err()).count());
}

#[test]
fn neither_threads_nor_cuts_nor_pipes_change_the_list_or_the_copies() {
    let bytes = everything();
    let invert = Starts { invert: true, ..Starts::default() };
    let many = Starts { kinds: Kind::ALL.to_vec(), ..rows("count,kind,sp,odds,fen,file,line,offset,game,White") };
    let few = Starts { max_games: Some(40), ..Starts::default() };
    for job in [lines(), many, rows("fen,line"), Starts::default(), invert, few] {
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
                    assert!(said == expected, "{job:?}, {threads} threads");
                }
            }
        }
    }
}

#[test]
fn a_list_that_is_piped_back_is_the_same_list() {
    let starts = run(&lines(), &one(), vec![whole(&everything())]).output;
    let games: String = starts.lines().map(|fen| format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n*\n\n")).collect();
    assert_eq!(run(&lines(), &one(), vec![whole(games.as_bytes())]).output, starts);
}

#[test]
fn a_kind_is_the_same_by_its_name_in_the_rules() {
    for number in [0, 7, 518] {
        let kind = StartKind::of(&Position::double_chess960(number, 7).unwrap());
        assert_eq!(Kind::ALL.iter().any(|known| known.name() == kind.name()), kind != StartKind::Standard);
    }
}
