//! `pgn2fen book`: what a book says is what `find` says, whatever the index is made of.

use std::collections::BTreeMap;
use std::fs;

use pgn2fen_chess::Position;
use pgn2fen_chess::fen::{EpStyle, FenStyle, Fields};
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::san::{Letters, resolve};
use pgn2fen_chess::square::Square;
use pgn2fen_chess::zobrist;
use pgn2fen_games::Database;
use pgn2fen_games::pgn::token::Outcome;

use crate::cli::Desk;
use crate::index::build;

/// An entry of a book, as the published format has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    key: u64,
    number: u16,
    weight: u16,
}

/// Reads a book. Its keys ascend, and the weights of a position descend.
fn entries(book: &[u8]) -> Vec<Entry> {
    let (entries, []) = book.as_chunks::<16>() else { panic!("{} bytes", book.len()) };
    let entry = |bytes: &[u8; 16]| {
        assert_eq!(bytes[12..], [0; 4]);
        let number = |from: usize| u16::from_be_bytes([bytes[from], bytes[from + 1]]);
        let key = u64::from_be_bytes(bytes[..8].try_into().unwrap());
        Entry { key, number: number(8), weight: number(10) }
    };
    let entries: Vec<Entry> = entries.iter().map(entry).collect();
    assert!(entries.is_sorted_by(|one, next| (one.key, next.weight) <= (next.key, one.weight)));
    entries
}

/// The number of a move, from the squares and pieces of the rules.
fn number(m: Move) -> u16 {
    let (from, to, promotion) = match m {
        Move::Castle { king, rook } => (king, rook, None),
        m => (m.from().unwrap(), m.to().unwrap(), m.promotion()),
    };
    let place = |square: Square| u16::try_from(8 * square.rank().index() + square.file().index()).unwrap();
    place(to)
        | place(from) << 6
        | promotion.map_or(0, |role| u16::try_from("PNBRQ".find(role.char()).unwrap()).unwrap()) << 12
}

/// The positions of all games by their Polyglot keys. Of positions with the same key, there is one.
fn positions(text: &[u8]) -> BTreeMap<u64, Position> {
    let database = Database::from(text.to_vec());
    let mut positions = BTreeMap::new();
    for game in database.games() {
        let Ok(mut replay) = game.replay() else { continue };
        positions.insert(zobrist::key(replay.position()), replay.position().clone());
        while let Some(Ok(_)) = replay.next_ply() {
            positions.insert(zobrist::key(replay.position()), replay.position().clone());
        }
    }
    positions
}

fn fixture(name: &str) -> Vec<u8> {
    fs::read(format!("{}/fixtures/games/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// A desk with these fixtures and an index with a run for each of them.
fn desk(names: &[&str]) -> (Desk, Vec<u8>) {
    let texts: Vec<Vec<u8>> = names.iter().map(|name| fixture(name)).collect();
    let files: Vec<(&str, &[u8])> = names.iter().copied().zip(texts.iter().map(Vec::as_slice)).collect();
    let desk = Desk::with(&files);
    for name in names {
        build(&desk, &["--append", "-o", "idx"], &[(*name).to_owned()]);
    }
    (desk, texts.concat())
}

/// The bytes of the book that a command writes without a message.
#[track_caller]
fn book(desk: &Desk, arguments: &[&str]) -> Vec<u8> {
    desk.run(&[&["book", "-o", "book.bin"], arguments].concat()).is("", "", 0);
    desk.read("book.bin")
}

/// What `find -M` says of positions: for each move its number, the games, White's wins, draws, and Black's wins.
fn found(desk: &Desk, positions: &[&Position]) -> Vec<BTreeMap<u16, [u64; 4]>> {
    let lines: String = positions.iter().map(|position| format!("{position}\n")).collect();
    let ran = desk.pipe(&["find", "-M", "--no-header", "idx"], lines.as_bytes());
    let mut by_fen: BTreeMap<String, BTreeMap<u16, [u64; 4]>> = BTreeMap::new();
    let known: BTreeMap<String, &Position> = positions.iter().map(|position| (four(position), *position)).collect();
    for line in ran.stdout.lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        let counts = by_fen.entry(cells[0].to_owned()).or_default();
        if !cells[1].is_empty() && cells[1] != "--" {
            let resolved = resolve(cells[1].as_bytes(), known[cells[0]], &Letters::ENGLISH).unwrap();
            counts.insert(number(resolved.mv), [3, 4, 5, 6].map(|at| cells[at].parse().unwrap()));
        }
    }
    positions.iter().map(|position| by_fen.get(&four(position)).cloned().unwrap_or_default()).collect()
}

/// A position as `find` writes it in the column `fen`.
fn four(position: &Position) -> String {
    let style = FenStyle { ep: EpStyle::Legal, fields: Fields::Four, ..FenStyle::default() };
    pgn2fen_chess::fen::to_string(position, style)
}

const WHITE_WINS: usize = 1;
const DRAWS: usize = 2;
const BLACK_WINS: usize = 3;

#[test]
fn every_entry_is_what_find_says_of_its_position() {
    let (desk, text) = desk(&["tournaments_2020.pgn", "lichess_2012.pgn", "fischer_random_2018.pgn"]);
    let positions = positions(&text);
    let with_weight = |weight: &str| {
        let mut by_key: BTreeMap<u64, BTreeMap<u16, u64>> = BTreeMap::new();
        for Entry { key, number, weight } in entries(&book(&desk, &["--weight", weight, "--min-games", "2", "idx"])) {
            let known = by_key.entry(key).or_default().insert(number, weight.into());
            assert_eq!(known, None, "a move twice");
        }
        by_key
    };
    let books = ["games", "score", "uniform"].map(with_weight);
    assert!(books[0].len() > 400, "{}", books[0].len());
    // Of a position without an entry, no move was played twice.
    let known = books[0].keys().map(|key| &positions[key]);
    let asked: Vec<&Position> = positions.values().step_by(40).chain(known).collect();
    for (position, counts) in asked.iter().zip(found(&desk, &asked)) {
        let wins = position.turn().pick(WHITE_WINS, BLACK_WINS);
        let weights: [fn(&[u64; 4], usize) -> u64; 3] =
            [|counts, _| counts[0], |counts, wins| 2 * counts[wins] + counts[DRAWS], |_, _| 1];
        for (book, weight) in books.iter().zip(weights) {
            let expected = counts.iter().filter(|(_, counts)| counts[0] >= 2);
            let expected = expected.map(|(number, counts)| (*number, weight(counts, wins)));
            let expected: BTreeMap<u16, u64> = expected.filter(|(_, weight)| *weight > 0).collect();
            assert_eq!(book.get(&zobrist::key(position)).cloned().unwrap_or_default(), expected, "{position}");
        }
    }
}

/// The castling of both sides, a rook and queens that go the same way, both e.p. rules, promotions, a null move, a
/// repetition, an unknown result, and a game that Black begins.
const ODD: &str = "\
[White \"Ann\"]
[Black \"Bob\"]
[Result \"1-0\"]

1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O 1-0

[White \"Bob\"]
[Black \"Ann\"]
[Result \"1/2-1/2\"]
[FEN \"r3k2r/p2p4/8/8/8/8/P2P4/R3K2R b KQkq - 0 1\"]

1... O-O-O 2. O-O-O a5 3. -- a4 1/2-1/2

[White \"Ann\"]
[Black \"Cid\"]
[Result \"0-1\"]
[FEN \"4q1k1/1P6/8/8/8/8/6K1/4R3 w - - 0 1\"]

1. Rg1 Qc8 2. bxc8=N 0-1

[White \"Cid\"]
[Black \"Ann\"]
[Result \"*\"]
[FEN \"4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1\"]

1. d4 exd3 2. Kf2 Kd7 3. Ke1 Ke8 4. Kf2 Kd7 *
";

/// The entries of the book of some games, as moves in UCI notation with castling as the king taking its rook, in the
/// order of the text.
#[track_caller]
fn check_odd(arguments: &[&str], expected: &str) {
    let desk = Desk::with(&[("odd.pgn", ODD.as_bytes())]);
    build(&desk, &["-o", "idx"], &["odd.pgn".to_owned()]);
    let book = book(&desk, &[arguments, &["idx"]].concat());
    let keys = positions(ODD.as_bytes());
    let mut lines = Vec::new();
    for Entry { key, number, weight } in entries(&book) {
        let place = |bits: u16| {
            let bits = u8::try_from(bits & 63).unwrap();
            format!("{}{}", char::from(b'a' + bits % 8), char::from(b'1' + bits / 8))
        };
        let promotion = ["", "n", "b", "r", "q"][usize::from(number >> 12)];
        assert!(keys.contains_key(&key));
        lines.push(format!("{}{}{promotion}={weight}", place(number >> 6), place(number)));
    }
    lines.sort();
    assert_eq!(lines.join(" "), expected);
}

#[test]
fn moves_of_every_kind_are_written_as_the_format_has_them() {
    check_odd(
        &["--min-games", "1", "--weight", "uniform"],
        "a5a4=1 a7a5=1 b7c8n=1 d2d4=1 d7e8=1 e1a1=1 e1f2=1 e1g1=1 e1h1=1 e2e4=1 e4d3=1 e7e5=1 e8a8=1 e8c8=1 e8d7=1 \
         e8h8=1 f1c4=1 f2e1=1 f8c5=1 g1f3=1 g8f6=1",
    );
    // Unknown results have no score, and neither have losses.
    check_odd(&["--min-games", "1"], "a5a4=1 a7a5=1 e1a1=1 e1h1=2 e2e4=2 e8a8=1 e8c8=2 f1c4=2 g1f3=2");
    check_odd(
        &["--min-games", "1", "--weight", "games", "--player", "ANN"],
        "a5a4=1 a7a5=1 b7c8n=1 d7e8=1 e1g1=1 e1h1=1 e2e4=1 e4d3=1 e8a8=1 e8d7=1 f1c4=1 g1f3=1",
    );
    check_odd(
        &["--min-games", "1", "--weight", "games", "--player", "ann", "--turn", "b"],
        "a5a4=1 a7a5=1 d7e8=1 e4d3=1 e8a8=1 e8d7=1",
    );
    check_odd(&["--min-games", "1", "--weight", "games", "--player", "bob", "-t", "White=Bob"], "e1a1=1");
    check_odd(
        &["--min-games", "1", "--min-score", "50"],
        "a5a4=1 a7a5=1 e1a1=1 e1h1=2 e2e4=2 e8a8=1 e8c8=2 f1c4=2 g1f3=2",
    );
    check_odd(&["--min-games", "1", "--min-score", "51"], "e1h1=2 e2e4=2 e8c8=2 f1c4=2 g1f3=2");
    check_odd(&["--min-games", "1", "--weight", "games", "-p", "1"], "e1a1=1 e4d3=1 e7e5=1 e8c8=1");
}

#[test]
fn books_are_the_same_whatever_the_index_is_made_of() {
    let names = ["tournaments_2020.pgn", "lichess_2012.pgn", "opening_book.pgn", "fischer_random_2018.pgn"];
    let (desk, _) = desk(&names);
    let options: [&[&str]; 4] = [
        &["--min-games", "1"],
        &["-p", "..19", "--weight", "games", "-m", "2"],
        &["-t", "WhiteElo>=2400", "--turn", "w", "--min-games", "1"],
        &["--player", "carlsen", "--min-games", "1", "--weight", "uniform"],
    ];
    let books = |folder: &str| options.map(|options| book(&desk, &[options, &[folder]].concat()));
    let of_runs = books("idx");
    for options in options {
        let one_thread = book(&desk, &[options, &["-j1", "idx"]].concat());
        assert_eq!(one_thread, book(&desk, &[options, &["-j3", "idx"]].concat()), "{options:?}");
        assert!(entries(&one_thread).len() > 40, "{options:?}");
    }
    build(&desk, &["--compact", "-o", "idx"], &[]);
    assert_eq!(books("idx"), of_runs);
    // An index of the games and plies that the options choose.
    let files = names.map(str::to_owned);
    build(&desk, &["-p", "..20", "-o", "short"], &files);
    assert_eq!(book(&desk, &["-p", "..19", "--weight", "games", "-m", "2", "short"]), of_runs[1]);
    build(&desk, &["-t", "WhiteElo>=2400", "-o", "strong"], &files);
    assert_eq!(book(&desk, &["--turn", "w", "--min-games", "1", "strong"]), of_runs[2]);
    // The moves of a player are those with White and those with Black.
    let side = |turn: &str, tag: &str| {
        let options = ["--turn", turn, "-t", tag, "--min-games", "1", "--weight", "uniform", "idx"];
        entries(&book(&desk, &options))
    };
    let mut both = [side("w", "White~carlsen"), side("b", "Black~carlsen")].concat();
    both.sort_by_key(|entry| (entry.key, entry.number));
    assert_eq!(both, entries(&of_runs[3]));
}

#[test]
fn castling_at_the_last_ply_of_an_index_is_left_out_with_a_warning() {
    let desk = Desk::with(&[("odd.pgn", ODD.as_bytes())]);
    build(&desk, &["-o", "idx", "-p", "..6"], &["odd.pgn".to_owned()]);
    let left_out = "warning: 1 move left out at the last ply of the index, which does not tell whether a king castles \
        there; leave out this ply with -p, or build an index with more plies\n";
    desk.run(&["book", "--min-games", "1", "-o", "a.bin", "idx"]).is("", left_out, 0);
    desk.run(&["book", "-q", "--min-games", "1", "-o", "b.bin", "idx"]).is("", "", 0);
    desk.run(&["book", "--min-games", "1", "-p", "..5", "-o", "c.bin", "idx"]).is("", "", 0);
    let [a, b, c] = ["a.bin", "b.bin", "c.bin"].map(|name| entries(&desk.read(name)));
    assert!(a == b && a == c && a.iter().any(|entry| entry.number == 60 << 6 | 56), "{a:?}");
    desk.run(&["book", "--min-games", "1", "-p", "5..9", "-o", "d.bin", "idx"]).is(
        "",
        &format!(
            "warning: the index has only the plies ..6 of each game; build it again for the plies 5..9: pgn2fen index \
             -p 5..9\n{left_out}"
        ),
        0,
    );
    desk.run(&["book", "-p", "20..", "-o", "e.bin", "idx"]).is(
        "",
        "warning: the index has only the plies ..6 of each game; build it again for the plies 20..: pgn2fen index -p \
         20..\n\
         warning: the book is empty; no move passes --min-games 3, --ply; moves without a win or a draw have no \
         weight, unless with --weight games\n",
        0,
    );
}

#[test]
fn what_makes_no_sense_is_refused_and_leaves_no_file() {
    let desk = Desk::with(&[("odd.pgn", ODD.as_bytes()), ("old.bin", b"old"), ("names.txt", b"Tal\n")]);
    build(&desk, &["-o", "idx"], &["odd.pgn".to_owned()]);
    let before = desk.files();
    for (arguments, reason) in [
        (&["-p", "-1", "idx"] as &[&str], "counts plies from the start of games"),
        (&["-t", "Eco~B", "-t", "Opening~Najdorf", "idx"], "the index does not keep the tag Opening"),
        (&["--balance", "45..55", "idx"], "--balance chooses positions of an opening suite"),
        (&["-f", "epd", "--weight", "games", "idx"], "--weight is for moves"),
        (&["-f", "epd", "--min-score", "50", "idx"], "--min-score chooses moves"),
        (&["--min-score", "101", "idx"], "from 0 to 100"),
        (&["--player", " ", "idx"], "--player needs a name"),
        (&["-m", "0", "idx"], "0 is not in 1.."),
        (&["-o", "book.txt", "idx"], "the ending of book.txt chooses no format"),
        (&["-o", "book.json", "idx"], "which cannot be written here; use .bin or .epd; .zst"),
        (&["-o", "book.bin.xz", "idx"], "which cannot be written here; use .bin or .epd; .zst"),
        (&["-f", "epd", "-o", "odd.pgn", "idx"], "odd.pgn is both input and output"),
        (&["-f", "epd", "--names", "names.txt", "-o", "names.txt", "idx"], "names.txt is both input and output"),
        (&["-o", "book.pgn", "idx"], "book.pgn"),
        (&["-o", "book.bin", "-f", "epd", "idx"], "book.bin"),
        (&["-o", "old.bin", "none.idx"], "there is no such folder"),
        (&["-o", "none/book.bin", "idx"], "cannot write none/book.bin: there is no folder none\n"),
    ] {
        let ran = desk.run(&[&["book"], arguments].concat());
        assert!(ran.stderr.contains(reason) && ran.code == Some(2) && ran.stdout.is_empty(), "{arguments:?}: {ran:?}");
    }
    assert_eq!(desk.files(), before);
    assert_eq!(desk.read("old.bin"), b"old");
}

#[test]
fn damage_is_an_error_and_leaves_the_older_book() {
    let (desk, _) = desk(&["tournaments_2020.pgn"]);
    fs::write(desk.path("book.bin"), "old").unwrap();
    let before = desk.files();
    for table in ["postings-00.parquet", "games.parquet"] {
        let path = desk.path("idx/run-000001").join(table);
        let sound = fs::read(&path).unwrap();
        let mut damaged = sound.clone();
        damaged[sound.len() / 3] ^= 4;
        fs::write(&path, damaged).unwrap();
        for arguments in [["-o", "book.bin"], ["-o", "book.epd"]] {
            let ran = desk.run(&[&["book", "idx"], &arguments[..]].concat());
            assert!(ran.stderr.contains(table) && ran.code == Some(2) && ran.stdout.is_empty(), "{table}: {ran:?}");
        }
        fs::write(&path, sound).unwrap();
    }
    assert_eq!(desk.files(), before);
    assert_eq!(desk.read("book.bin"), b"old");
}

#[test]
fn a_pipe_gets_what_a_file_gets() {
    let (desk, _) = desk(&["opening_book.pgn"]);
    let file = book(&desk, &["idx"]);
    assert!(entries(&file).len() > 100);
    let piped = desk.command(&["book", "idx"]).output().unwrap();
    assert_eq!((piped.stdout, piped.status.code()), (file, Some(0)));
    desk.run(&["book", "idx", "-o", "book.bin.gz"]).is("", "", 0);
    assert!(desk.read("book.bin.gz").starts_with(&[0x1f, 0x8b]));
}

/// The positions at these plies that at least so many games reached, with White's score in a range, found by playing
/// all games. They are in the order of their first occurrences, as lines of EPD.
fn suite(text: &[u8], plies: &[u32], min_games: u64, balance: [u64; 2]) -> Vec<String> {
    let database = Database::from(text.to_vec());
    let mut order = Vec::new();
    // For each position: its line, its games, White's half points, games with a known result, and the last game.
    let mut counts: BTreeMap<String, (String, u64, u64, u64, usize)> = BTreeMap::new();
    for (number, game) in database.games().enumerate() {
        let Ok(mut replay) = game.replay() else { continue };
        let (points, known) = match replay.clone().outcome() {
            Outcome::WhiteWins => (2, 1),
            Outcome::Draw => (1, 1),
            Outcome::BlackWins => (0, 1),
            Outcome::Unknown => (0, 0),
        };
        for ply in 0.. {
            let position = replay.position();
            if plies.contains(&ply) && !position.legal_moves().is_empty() {
                let fen = four(position);
                let line = format!("{fen} hmvc {}; fmvn {};", position.halfmoves(), position.fullmoves());
                let count = counts.entry(fen.clone()).or_insert_with(|| {
                    order.push(fen);
                    (line, 0, 0, 0, usize::MAX)
                });
                if count.4 != number {
                    *count = (count.0.clone(), count.1 + 1, count.2 + points, count.3 + known, number);
                }
            }
            if !matches!(replay.next_ply(), Some(Ok(_))) {
                break;
            }
        }
    }
    let wanted = |(_, games, points, known, _): &(String, u64, u64, u64, usize)| {
        *games >= min_games && (balance[0] * 2 * known..=balance[1] * 2 * known).contains(&(100 * points)) && *known > 0
    };
    order.iter().map(|fen| &counts[fen]).filter(|count| wanted(count)).map(|count| count.0.clone()).collect()
}

#[test]
fn a_suite_has_each_position_once_in_the_order_of_the_games() {
    let names = ["tournaments_2020.pgn", "lichess_2012.pgn", "opening_book.pgn", "fishtest_black_begins.pgn"];
    let (desk, text) = desk(&names);
    let write = |arguments: &[&str]| {
        desk.run(&[&["book", "-o", "book.epd"], arguments].concat()).is("", "", 0);
        String::from_utf8(desk.read("book.epd")).unwrap().lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let opening: Vec<u32> = (4..=12).collect();
    let expected = suite(&text, &opening, 2, [40, 60]);
    assert!(expected.len() > 50, "{}", expected.len());
    assert_eq!(write(&["-p", "4..12", "--min-games", "2", "--balance", "40..60", "idx"]), expected);
    assert_eq!(
        write(&["-p", "4..12", "--min-games", "2", "--balance", "40..60", "-m", "7", "-j1", "idx"]),
        expected[..7]
    );
    let all: Vec<u32> = (0..500).collect();
    assert_eq!(write(&["--min-games", "1", "--balance", "..", "idx"]), suite(&text, &all, 1, [0, 100]));
    build(&desk, &["--compact", "-o", "idx"], &[]);
    assert_eq!(write(&["-p", "4..12", "--min-games", "2", "--balance", "40..60", "idx"]), expected);
}

#[test]
fn a_suite_needs_the_files_that_were_indexed() {
    let (desk, _) = desk(&["tournaments_2020.pgn", "lichess_2012.pgn"]);
    let arguments = ["book", "-f", "epd", "-p", "2", "idx", "-o", "book.epd"];
    desk.run(&arguments).is("", "", 0);
    let whole = desk.read("book.epd");
    fs::remove_file(desk.path("book.epd")).unwrap();
    fs::rename(desk.path("lichess_2012.pgn"), desk.path("moved.pgn")).unwrap();
    desk.run(&["book", "--min-games", "1", "-p", "2", "idx", "-o", "book.epd"]).is(
        "",
        "pgn2fen: lichess_2012.pgn: the file is missing; if it was moved, index --relocate finds it\n\
         pgn2fen: book.epd is not written because not all of its positions could be read\n",
        2,
    );
    assert!(!desk.files().contains(&"book.epd".to_owned()));
    // A Polyglot book does not need them.
    desk.run(&["book", "idx", "-o", "book.bin"]).is("", "", 0);
    desk.run(&["index", "-q", "--relocate", "idx", "moved.pgn"]);
    desk.run(&arguments).is("", "", 0);
    assert_eq!(desk.read("book.epd"), whole);
}

#[test]
fn a_pawn_that_cannot_be_taken_has_two_keys_and_is_one_position() {
    // After d7-d5, the pawn on e5 stands beside it, but is pinned; after d6-d5, there is no e.p. square.
    let games = "[FEN \"4r1k1/3p4/8/4P3/8/8/8/4K3 b - - 0 1\"]\n\n1... d5 2. Kd2 1-0\n\n\
                 [FEN \"4r1k1/8/3p4/4P3/8/8/8/4K3 b - - 0 1\"]\n\n1... d5 2. Ke2 1-0\n";
    let desk = Desk::with(&[("a.pgn", games.as_bytes())]);
    build(&desk, &["-o", "idx"], &["a.pgn".to_owned()]);
    let kings = entries(&book(&desk, &["--min-games", "1", "-p", "1", "idx"]));
    assert_eq!(kings.iter().map(|entry| (entry.number >> 6, entry.weight)).collect::<Vec<_>>(), [(4, 2), (4, 2)]);
    assert_ne!(kings[0].key, kings[1].key);
    let epd = "4r1k1/8/8/3pP3/8/8/8/4K3 w - - hmvc 0; fmvn 2;\n";
    desk.run(&["book", "-f", "epd", "--min-games", "1", "-p", "1", "idx"]).is(epd, "", 0);
}
