//! Tests of whole databases, which are written here.

mod writer;

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::chessbase::annotations::{
    ARROWS, CLOCKS, EVALUATION, LINK, MEDALS, PROFILE, QUOTATION, SQUARES, SYMBOLS, TEXT, TEXT_BEFORE, TIME,
    TIME_CONTROL,
};
use crate::chessbase::archive::Archive;
use crate::chessbase::base::Base;
use crate::chessbase::error::ChessBaseFault;
use crate::chessbase::pieces::Pieces;
use crate::chessbase::tests::writer::{Database, Game, Memory, archive};
use crate::chessbase::{ENDINGS, beside};
use crate::formats::companions;
use crate::games::GameParts;
use pgn2fen_bytes::Meter;
use pgn2fen_chess::moves::Move;
use pgn2fen_pgn::games::Games;
use pgn2fen_pgn::replay::Event;

/// Returns the text of a database, and the error with which it ends.
fn read(database: &Database) -> (String, Option<String>) {
    read_parts(database, GameParts::ALL)
}

fn read_parts(database: &Database, parts: GameParts) -> (String, Option<String>) {
    let part = |ending: &str| {
        let file = database.files.iter().find(|(other, _)| *other == ending);
        file.map(|(_, bytes)| (format!("a.{ending}"), Memory::shared(bytes.clone())))
    };
    let index = part("cbh").unwrap();
    text(Base::open(index, |ending| Ok(part(ending)), Meter::default()), parts)
}

fn text(base: io::Result<(Base, Option<ChessBaseFault>)>, parts: GameParts) -> (String, Option<String>) {
    let (base, damage) = match base {
        Ok(base) => base,
        Err(error) => return (String::new(), Some(error.to_string())),
    };
    let mut text = Vec::new();
    for piece in Pieces::new(base, damage, parts) {
        match piece {
            Ok(mut piece) => drop(piece.read_to_end(&mut text).unwrap()),
            Err(error) => return (String::from_utf8(text).unwrap(), Some(error.to_string())),
        }
    }
    (String::from_utf8(text).unwrap(), None)
}

/// Returns the movetext of the first game, without line breaks.
fn movetext(text: &str) -> String {
    let movetext = text.split("\n\n").nth(1).unwrap_or_default();
    movetext.replace('\n', " ")
}

#[track_caller]
fn check_moves(tags: &str, movetext_of_pgn: &str, modes: &[u8]) {
    for mode in modes {
        let pgn = format!("{tags}\n{movetext_of_pgn}");
        let database = Database::new(&[Game { pgn: &pgn, mode: *mode, ..Game::default() }]);
        let (text, error) = read(&database);
        assert_eq!((movetext(&text), error), (movetext_of_pgn.to_owned(), None), "mode {mode}: {text}");
        assert!(tags.lines().all(|tag| text.contains(tag)), "{text}");
    }
}

#[test]
fn the_companions_of_an_index_are_the_files_that_are_opened() {
    let folder = tempfile::tempdir().unwrap();
    let index = folder.path().join("a.cbh");
    let database = Database::new(&[]);
    for (ending, bytes) in &database.files {
        fs::write(index.with_extension(ending), bytes).unwrap();
    }
    let mut opened = Vec::new();
    let part = |ending: &'static str| {
        opened.push(ending);
        beside(&index, ending)
    };
    let bytes = Memory::shared(fs::read(&index).unwrap());
    Base::open(("a.cbh".to_owned(), bytes), part, Meter::default()).unwrap();
    assert_eq!(opened, ENDINGS);
    let there: Vec<_> =
        ENDINGS.iter().map(|ending| index.with_extension(ending)).filter(|path| path.exists()).collect();
    assert_eq!(companions(&index), there);
    assert!(there.len() >= 6);
}

#[test]
fn moves_are_read_in_every_mode() {
    let all = [0, 1, 2, 3, 4, 5, 6, 7];
    check_moves("", "*", &all);
    check_moves("", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O *", &all);
    check_moves("", "1. e4 d5 2. e5 f5 3. exf6 exf6 4. Qe2+ Qe7 5. Nc3 Bd7 6. d3 Nc6 7. Bd2 O-O-O *", &all);
    check_moves("", "1. e4 (1. d4 d5 (1... Nf6 2. c4) 2. c4) (1. c4) 1... e5 2. Nf3 (2. f4 exf4) 2... Nc6 *", &all);
    check_moves("", "1. e4 -- 2. d4 d5 (2... --) 3. exd5 *", &all);
    // The knights on b1 and f3 and the rooks have numbers, which change by captures.
    check_moves("", "1. Nf3 d5 2. Nc3 d4 3. Ne5 dxc3 4. Nxf7 cxd2+ 5. Bxd2 Kxf7 6. Rb1 Nf6 7. Rg1 Ne4 8. Ra1 *", &all);
    let start = "[SetUp \"1\"]\n[FEN \"k7/3PPPPP/8/8/8/8/ppp5/7K w - - 0 50\"]";
    check_moves(
        start,
        "50. d8=Q+ Ka7 51. e8=Q a1=N 52. f8=Q b1=B 53. g8=Q c1=R+ 54. Kh2 Rc2+ 55. Qg2 Rxg2+ 56. Kxg2 Nc2 57. h8=Q \
         Ne1+ 58. Kf2 Nd3+ 59. Qxd3 *",
        &all,
    );
    let black = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/4Pp2/8/8/4K2R b K e3 0 20\"]";
    check_moves(black, "20... fxe3 21. O-O *", &all);
}

#[test]
fn chess960_has_rooks_on_any_file() {
    let tags =
        "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w KQkq - 0 1\"]";
    check_moves(tags, "1. f3 f6 2. Bf2 Bf7 3. e3 e6 4. Be2 Be7 5. O-O-O O-O-O 6. Nb3 Nb6 *", &[10, 11]);
}

/// A database with every kind of annotation, a variation, a text, and a deleted game.
fn sample() -> Database {
    let link = [&[0, 0, 4][..], b"a.de", &[4], b"here"].concat();
    let mut quotation = vec![0, 0, 0, 1, 0, 0, 6];
    quotation.extend(b"Karpov\0\x08Kasparov\0\0\0\0\0\0\0\x03WCh\0\x06Moscow\0");
    quotation.extend((1984_u32 << 9).to_be_bytes());
    quotation.extend([0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0]);
    let stage = [0, 0x08, 0x3D, 0x60, 0, 0, 0x0B, 0xB8, 0, 40, 1, 0, 2, 0xBF, 0x20, 0, 0, 0, 0, 3, 0xE8, 3];
    let games = [
        Game {
            pgn: "1. e4 e5 (1... c5 2. Nf3 Nc6) 2. Nf3 Nc6 3. Bb5 *",
            result: 2,
            annotations: &[
                (-1, TEXT, b"\0\0The first game."),
                (-1, TIME_CONTROL, &stage),
                (-1, PROFILE, &[0, 3, 0xFF, 0, 0, 0, 0, 12, 0xFF, 0xE0, 1, 9, 0, 5]),
                (0, TEXT_BEFORE, b"\0\x2ABest by test"),
                (0, SYMBOLS, &[1, 14, 142]),
                (1, SQUARES, &[2, 37, 3, 1]),
                (1, ARROWS, &[4, 13, 29, 7, 1, 64]),
                (1, MEDALS, &[0, 0, 0, 32]),
                (1, TEXT, b"\0\x35\xdcber {uns}"),
                (1, TEXT, b"\0\x2AAbout us"),
                (2, CLOCKS[0], &[0, 5, 0x7E, 0x40]),
                (2, TIME, &[0, 1, 9, 0]),
                (2, EVALUATION, &[0xE1, 0xFF, 0, 0, 22, 0]),
                (3, CLOCKS[1], &[0, 0, 0, 150]),
                (3, EVALUATION, &[3, 0, 1, 0, 20, 0]),
                (3, QUOTATION, &quotation),
                (3, LINK, &link),
                (5, TEXT, b"\0\x79\xcd\xe5 \xf2\xe0\xea"),
                (6, TEXT, b"\0\0\xc1\xe5\xeb\xfb\xe5 \xf1\xe4\xe0\xeb\xe8\xf1\xfc"),
                (9, TEXT, b"\0\0behind"),
            ],
            ..Game::default()
        },
        Game { flags: 3, ..Game::default() },
        Game { flags: 0x81, pgn: "1. d4 *", ..Game::default() },
        Game { pgn: "1. d4 d5 *", result: 4, mode: 4, ..Game::default() },
        Game { pgn: "1. c4 *", ..Game::default() },
    ];
    Database::new(&games)
}

#[test]
fn games_have_all_tags_and_annotations() {
    let (text, error) = read(&sample());
    assert_eq!(error, None);
    compare_fixture("games.pgn", text.as_bytes());
    let database = sample();
    for (ending, bytes) in &database.files {
        compare_fixture(&format!("games.{ending}"), bytes);
    }
    compare_fixture("games.cbv", &archive("games", &database.files));
}

/// Compares a file with one of the fixtures, which the tests of the command read. `UPDATE_EXPECT=1` writes them.
#[track_caller]
fn compare_fixture(name: &str, bytes: &[u8]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/chessbase").join(name);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
    }
    assert!(fs::read(&path).unwrap() == bytes, "{name}: {}", String::from_utf8_lossy(bytes));
}

/// What can be read of the games of a text: the plies of the main line and of all lines, and whether there is an error.
fn readings(text: &str) -> Vec<(usize, usize, bool)> {
    let games = Games::new(text.as_bytes()).map(|game| {
        let Ok(moves) = game.moves() else { return (0, 0, true) };
        let (mut main, mut all, mut depth, mut has_error) = (0, 0, 0, text.contains("damaged"));
        for event in moves {
            match event {
                Ok(Event::Move(_)) => (main, all) = (main + usize::from(depth == 0), all + 1),
                Ok(Event::VariationStart) => depth += 1,
                Ok(Event::VariationEnd) => depth -= 1,
                Ok(_) => {}
                Err(_) => has_error = true,
            }
        }
        (main, all, has_error)
    });
    games.collect()
}

#[test]
fn a_flipped_or_lost_byte_is_told_or_loses_no_ply() {
    let whole = sample();
    let (text, _) = read(&whole);
    let expected = readings(&text);
    let started = Instant::now();
    for nth in 0..whole.files.len() {
        for at in 0..whole.files[nth].1.len() {
            let flips = (0..8).map(|bit| 1_u8 << bit).chain([0xFF]).map(Some);
            for flip in flips.chain([None]) {
                let mut database = whole.clone();
                match flip {
                    Some(flip) => database.files[nth].1[at] ^= flip,
                    None => database.files[nth].1.truncate(at),
                }
                let (read_text, error) = read(&database);
                let found = readings(&read_text);
                let left_out = |text: &str| text.matches(" is left out\n").count();
                let is_told = error.is_some() || read_text.contains("damaged");
                let is_counted = found.len() + left_out(&read_text) == expected.len() + left_out(&text);
                // An entry may become one of another kind, which is counted.
                let is_kept = |(found, whole): (&(usize, usize, bool), &(usize, usize, bool))| {
                    found.2 || (found.0, found.1) >= (whole.0, whole.1)
                };
                let is_whole = found.len() != expected.len() || found.iter().zip(&expected).all(is_kept);
                let ending = whole.files[nth].0;
                assert!(is_told || is_counted && is_whole, ".{ending} {at} {flip:?}: {found:?} {read_text}");
            }
        }
    }
    assert!(started.elapsed() < Duration::from_secs(300));
}

/// The depth of a move in variations, and the move; none is an error.
type Reading = (usize, Option<Move>);

fn is_of_main_line((depth, played): &Reading) -> bool {
    *depth == 0 && played.is_some()
}

/// Returns the moves of the games of a text.
fn lines(text: &str) -> Vec<Vec<Reading>> {
    let games = Games::new(text.as_bytes()).map(|game| {
        let (mut moves, mut depth) = (Vec::new(), 0);
        for event in game.moves().into_iter().flatten() {
            match event {
                Ok(Event::Move(ply)) => moves.push((depth, Some(ply.played))),
                Ok(Event::VariationStart) => depth += 1,
                Ok(Event::VariationEnd) => depth -= 1,
                Ok(_) => {}
                Err(_) => moves.push((depth, None)),
            }
        }
        moves
    });
    games.collect()
}

#[test]
fn lines_in_short_are_the_same_moves_also_if_a_byte_is_flipped() {
    let games = [
        "1. e4 e5 (1... c5 2. Nf3 Nc6) 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O *",
        "1. e4 (1. d4 d5 (1... Nf6 2. c4 (2. Nf3 g6) 2... g6) 2. c4) (1. c4) 1... e5 (1... e6) (1... c6 2. d4 d5) \
         2. Nf3 Nc6 3. Bc4 (3. Bb5 a6 (3... Nf6 4. O-O)) *",
        "1. Nc3 d5 2. Nf3 d4 3. Ne5 dxc3 4. Nxf7 cxd2+ 5. Bxd2 Kxf7 6. e4 e5 *",
        "1. Nf3 Nf6 2. Nc3 Nc6 3. Ne4 Nd5 4. Neg5 Ndb4 5. Nxh7 Nxa2 6. N3g5 Nab4 7. Nxf8 *",
        "1. e4 d5 2. e5 f5 3. exf6 exf6 4. Qe2+ Qe7 5. Nc3 Bd7 6. d3 Nc6 7. Bd2 O-O-O 8. -- Kb8 *",
        "[FEN \"k7/3PPPPP/8/8/8/8/ppp5/7K w - - 0 50\"]\n\n50. d8=Q+ Ka7 51. e8=Q a1=N 52. f8=Q b1=B 53. g8=Q c1=R+ \
         54. Kh2 Rc2+ 55. Qg2 Rxg2+ 56. Kxg2 Nc2 57. h8=Q Ne1+ 58. Kf2 Nd3+ 59. Qxd3 *",
        "[FEN \"4k3/8/8/8/4Pp2/8/8/4K2R b K e3 0 20\"]\n\n20... fxe3 21. O-O *",
    ];
    let games = [0, 1, 4, 7].map(|mode| games.map(|pgn| Game { pgn, mode, ..Game::default() }));
    let mut database = Database::new(games.as_flattened());
    let parts = [GameParts::ALL, GameParts { variations: true, ..GameParts::NONE }, GameParts::NONE];
    let (short, _) = read_parts(&database, GameParts::NONE);
    let long = read(&database).0.replace('\n', " ");
    assert!(short.contains("\ne4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1") && long.contains(" 8. -- Kb8"), "{short}");
    assert!(short.contains(" Ne4g5 Nd5b4 Nxh7 ") && long.contains(" 4. Neg5 Ndb4 5. Nxh7 "), "{short}");
    assert!(!short.contains("[Event ") && !short.contains("Termination"), "{short}");
    for at in 26..database.file("cbg").len() {
        for flip in [0, 0x01, 0x10, 0xFF] {
            database.file("cbg")[at] ^= flip;
            let [whole, short, main] = parts.map(|parts| lines(&read_parts(&database, parts).0));
            assert_eq!(whole, short, "{at} {flip}");
            assert_eq!(whole.len(), main.len(), "{at} {flip}");
            for (nth, (whole, main)) in whole.iter().zip(&main).enumerate() {
                let main_line = |lines: &[Reading]| lines.iter().copied().filter(is_of_main_line).collect::<Vec<_>>();
                assert_eq!(main_line(whole), main_line(main), "{at} {flip}");
                // The first two games of each mode have variations.
                let is_told = |lines: &[Reading]| lines.contains(&(0, None));
                assert!(nth % 7 < 2 || is_told(main) == is_told(whole), "{at} {flip}");
                // Damage of a variation is told only if variations are read.
                let has_error = |lines: &[Reading]| lines.iter().any(|(_, played)| played.is_none());
                assert!(!has_error(main) || has_error(whole), "{at} {flip}");
            }
            database.file("cbg")[at] ^= flip;
        }
    }
}

/// Returns the text of an archive.
fn read_archive(bytes: &[u8]) -> (String, Option<String>) {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    let open = |file: File| {
        let mut archive = Archive::open(file)?;
        let index = archive.part("cbh")?.unwrap();
        Base::open(index, |ending| archive.part(ending), Meter::default())
    };
    text(open(file), GameParts::ALL)
}

#[test]
fn an_archive_is_read_like_the_files_in_it() {
    let database = sample();
    let expected = read(&database);
    let mut bytes = archive("a", &database.files);
    assert_eq!(read_archive(&bytes), expected);
    let two = [database.files.clone(), database.files.clone()].concat();
    let (_, error) = read_archive(&archive("a", &two));
    assert!(error.unwrap().contains("several databases"));
    for length in (0..bytes.len()).step_by(7) {
        let (text, error) = read_archive(&bytes[..length]);
        assert!(error.is_some_and(|error| error.contains("is damaged")) && text.is_empty(), "{length}");
    }
    let list = 8 + 173 * database.files.len();
    for at in (0..list).chain((list..bytes.len()).step_by(11)) {
        bytes[at] ^= 0x41;
        drop(read_archive(&bytes));
        bytes[at] ^= 0x41;
    }
}

#[test]
fn missing_files_are_named_and_optional_ones_are_not_needed() {
    for ending in ["cbg", "cba", "cbp", "cbt", "cbc", "cbs"] {
        let mut database = sample();
        database.files.retain(|(other, _)| *other != ending);
        let (text, error) = read(&database);
        let expected = format!("is a ChessBase database, but its file with the ending .{ending} is not with it");
        assert_eq!((text.as_str(), error), ("", Some(expected)));
    }
    let mut database = sample();
    database.files.retain(|(ending, _)| !matches!(*ending, "cbe" | "cbj"));
    let (text, error) = read(&database);
    assert_eq!((text.contains("Team"), error), (false, None));
    database.file("cbh").truncate(46 * 3 + 5);
    let (text, error) = read(&database);
    assert_eq!(text.matches("[Event ").count(), 1);
    assert_eq!(error.as_deref(), Some("is a damaged ChessBase database: a.cbh has 2 of its 5 games"));
}

#[test]
fn an_index_with_bytes_between_its_entries_is_damaged() {
    let mut database = sample();
    let bytes = database.file("cbh");
    bytes.splice(161..161, [0xA5, 0x52, 0xA5, 0xFC]);
    let expected = "is a damaged ChessBase database: a.cbh goes on behind the last of its 5 games, which are read";
    assert_eq!(read(&database).1.as_deref(), Some(expected));
}

#[test]
fn many_games_with_one_long_record_take_no_time() {
    let mut database = Database::new(&[Game { pgn: "1. e4 *", ..Game::default() }; 2000]);
    let size = 2 * 1024 * 1024;
    let index = database.file("cbh");
    (1..=2000).for_each(|nth| index[46 * nth + 1..46 * nth + 5].copy_from_slice(&[0, 0, 0, 26]));
    let moves = database.file("cbg");
    moves.truncate(26);
    moves.extend([0, 0x20, 0, 0]);
    moves.resize(26 + size, 0);
    let (text, error) = read(&database);
    assert_eq!((text.matches("[Event ").count(), error), (2000, None));
    assert!(text.matches("damaged:").count() == 2000 && text.contains("too-many-games-share-their-records"));
}
