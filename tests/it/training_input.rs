//! Training data as input: binpack, viriformat and bulletformat are read as they were written, and what cannot be read
//! is told with its place.

use std::collections::HashMap;

use pgn2fen_chess::fen::{EpStyle, FenStyle};
use pgn2fen_games::database::Damage;
use pgn2fen_games::parallel::Workers;
use pgn2fen_rows::{Format, Rows};

use crate::cli::{Desk, gzip};
use crate::laws::{stream, workers};
use crate::training::{Row, STYLE, examples, men, of_format, rows, within_bytes};
use crate::walking::{Said, walk};

/// The rows of training data.
const COLUMNS: &str = "fen,next_uci,eval,result";

/// What binpack keeps: a square en passant only if a pawn may capture there.
const LEGAL: FenStyle = FenStyle { ep: EpStyle::Legal, ..STYLE };

fn read(bytes: &[u8], workers: &Workers, style: FenStyle) -> Said {
    walk(&Rows::columns(COLUMNS).unwrap().style(style), workers, [("a", stream(bytes))])
}

/// Everything was read. Positions that no game reaches are warnings.
#[track_caller]
fn is_read(said: &Said) {
    assert!(said.error.is_none(), "{:?}", said.error);
    assert!(said.diagnostics.iter().all(|(diagnostic, _)| !diagnostic.kind.is_error()));
}

/// The rows with an evaluation.
fn evaluated(said: &Said) -> Vec<String> {
    let has_evaluation = |line: &&str| line.split('\t').nth(2).is_some_and(|eval| !eval.is_empty());
    // A game that goes on from a counter that did not fit.
    let within = |line: &str| {
        let (fen, rest) = line.split_once('\t').unwrap();
        format!("{}\t{rest}", within_bytes(fen))
    };
    said.lines().into_iter().skip(1).filter(has_evaluation).map(within).collect()
}

/// The row as the formats keep it: counters within their bytes, and evaluations in 16 bits.
fn kept(row: &Row) -> String {
    let Row { fen, next, eval, result, .. } = row;
    let fen = within_bytes(fen);
    let result = ["0-1", "1/2-1/2", "1-0"][usize::from(result.unwrap())];
    let next = next.as_deref().unwrap_or_default();
    format!("{fen}\t{next}\t{}\t{result}", eval.unwrap().clamp(-32_000, 32_000))
}

/// Without the fullmove number, for which binpack has the ply in 14 bits.
fn short(line: &str) -> (String, String) {
    let (fen, rest) = line.split_once('\t').unwrap();
    let (fen, fullmoves) = fen.rsplit_once(' ').unwrap();
    let number = if fullmoves.parse::<u32>().unwrap() > 8_000 { "many" } else { fullmoves };
    (format!("{fen} {number}"), rest.to_owned())
}

#[test]
fn binpack_and_viriformat_are_read_as_they_were_written() {
    let text = examples();
    let is_whole = |row: &Row| row.eval.is_some() && row.next.is_some() && row.result.is_some() && men(&row.fen) <= 32;
    let expected: Vec<String> = rows(&text).iter().filter(|row| is_whole(row)).map(kept).collect();
    assert!(expected.len() > 20_000, "{}", expected.len());
    let viri = of_format(&text, Format::Viri);
    let said = read(&viri, &workers(2), STYLE);
    is_read(&said);
    let found = evaluated(&said);
    let difference = found.iter().zip(&expected).find(|(found, expected)| found != expected);
    assert!(difference.is_none() && found.len() == expected.len(), "{difference:?} {}", found.len());
    let said = read(&viri, &workers(2), LEGAL);
    let all = evaluated(&said);

    let binpack = of_format(&text, Format::Binpack);
    let said = read(&binpack, &workers(2), LEGAL);
    is_read(&said);
    let found = evaluated(&said);
    // Positions with rights of Chess960 are not there. All others are.
    let mut left: HashMap<(String, String), i64> = HashMap::new();
    found.iter().for_each(|line| *left.entry(short(line)).or_default() -= 1);
    let is_standard = |line: &String| {
        let rights = line.split(' ').nth(2).unwrap();
        let placed = line.split('/').collect::<Vec<_>>();
        let on_e = |rank: &str, king: char| {
            let mut file = 0;
            rank.chars().take_while(|it| *it != king).for_each(|it| file += it.to_digit(10).unwrap_or(1));
            file == 4
        };
        let last = placed[7].split(' ').next().unwrap();
        rights.chars().all(|right| match right {
            'A' | 'H' => on_e(last, 'K'),
            'a' | 'h' => on_e(placed[0], 'k'),
            right => right == '-',
        })
    };
    let standard: Vec<&String> = all.iter().filter(|line| is_standard(line)).collect();
    assert!(standard.len() < all.len() && standard.len() > 20_000);
    standard.iter().for_each(|line| *left.entry(short(line)).or_default() += 1);
    left.retain(|_, count| *count != 0);
    assert!(left.is_empty(), "{:?}", left.iter().next());
    assert!(found.iter().map(|line| short(line)).eq(standard.into_iter().map(|line| short(line))), "in order");

    // Both say the same of these positions when they are written anew.
    let again = walk(&Rows::new().format(Format::Binpack), &workers(2), [("a", stream(&binpack))]).output;
    assert!(again == binpack, "{} {}", again.len(), binpack.len());
    let again = walk(&Rows::new().format(Format::Viri), &workers(2), [("a", stream(&viri))]).output;
    assert!(again == viri, "{} {}", again.len(), viri.len());
}

#[test]
fn bulletformat_is_read_as_positions_of_white() {
    let text = examples();
    let bytes = of_format(&text, Format::Bulletformat);
    let said = read(&bytes, &workers(2), STYLE);
    is_read(&said);
    assert_eq!(said.lines().len() - 1, bytes.len() / 32);
    assert!(said.lines()[1..].iter().all(|line| line.contains(" w - - 0 1\t\t")));
    let again = walk(&Rows::new().format(Format::Bulletformat), &workers(2), [("a", stream(&bytes))]).output;
    assert!(again == bytes);
}

#[test]
fn threads_change_nothing() {
    let text = examples();
    let text = &text[..text.len() / 6];
    for format in [Format::Binpack, Format::Viri, Format::Bulletformat] {
        let bytes = of_format(text, format);
        let [one, three] = [1, 3].map(|threads| read(&bytes, &workers(threads), STYLE));
        assert!(one.output == three.output && one.totals == three.totals, "{format:?}");
    }
}

/// A few games with all kinds of moves.
const GAMES: &[u8] =
    b"[Result \"1-0\"]\n\n1. e4 {[%eval 0.20]} d5 {[%eval -0.30]} 2. e5 {[%eval 0.11]} f5 {[%eval 0.70]} \
    3. exf6 {[%eval -90.00]} Nc6 {[%eval 3.00]} 4. fxg7 {[%eval 0.1]} Bf5 {[%eval 0.2]} 5. gxh8=N {[%eval 0.3]} Qd6 \
    {[%eval #3]} 6. Nf3 {[%eval 0.5]} O-O-O {[%eval 0.6]} 7. Be2 {[%eval 0.5]} e5 {[%eval 0.4]} 8. O-O 1-0\n\n\
    [Result \"0-1\"]\n[FEN \"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 7 30\"]\n\n{[%eval 0.1]} 1. e4 {[%eval 0.2]} \
    Kg5 {[%eval 0.3]} 2. g3 {[%eval 0.4]} fxg3 {[%eval 0.5]} 3. Rb1 0-1\n";

#[test]
fn a_file_that_is_cut_anywhere_keeps_what_is_before() {
    for format in [Format::Binpack, Format::Viri, Format::Bulletformat] {
        let bytes = of_format(GAMES, format);
        let whole = evaluated(&read(&bytes, &workers(1), STYLE));
        assert!(whole.len() > 10, "{format:?}: {whole:?}");
        let mut most = 0;
        // Fewer bytes do not show what they are.
        for end in 45..bytes.len() {
            let said = read(&bytes[..end], &workers(1), STYLE);
            let found = evaluated(&said);
            assert!(found.len() <= whole.len() && found == whole[..found.len()], "{format:?} {end}: {found:?}");
            assert!(found.len() >= most, "{format:?} {end}");
            most = found.len();
            let is_boundary = format == Format::Bulletformat && end % 32 == 0
                || format == Format::Viri && bytes[..end].ends_with(&[0; 4]) && said.error.is_none();
            let damage = said.error.as_ref().and_then(Damage::of);
            assert_eq!(damage.map(|damage| damage.offset), (!is_boundary).then_some(end as u64), "{format:?} {end}");
        }
        assert!(most + 2 >= whole.len(), "{format:?}: {most}");
    }
}

#[test]
fn any_change_leaves_games_to_read_or_is_told() {
    for format in [Format::Binpack, Format::Viri, Format::Bulletformat] {
        let bytes = of_format(GAMES, format);
        for (at, flip) in (0..bytes.len()).flat_map(|at| [0x01, 0x10, 0x80, 0xFF].map(|flip| (at, flip))) {
            let mut bytes = bytes.clone();
            bytes[at] ^= flip;
            let Ok(source) = pgn2fen_games::Source::stream(Box::new(std::io::Cursor::new(bytes)), None) else {
                continue;
            };
            // Nothing panics, on one thread or two.
            let said = walk(&Rows::new(), &workers(1 + at % 2), [("a", source)]);
            assert!(said.lines().len() < 500);
        }
    }
}

#[test]
fn chunks_behind_a_broken_one_are_read() {
    let bytes = of_format(GAMES, Format::Binpack);
    let mut broken = bytes.clone();
    // The number of moves of the first chain.
    broken[8 + 33] += 1;
    let joined = [&broken[..], &bytes].concat();
    let desk = Desk::with(&[("a.binpack", &joined), ("b.binpack", &bytes)]);
    let ran = desk.run(&["-C", COLUMNS, "a.binpack"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let is_told = ran.stderr.contains(": bad-record: game ") && ran.stderr.contains(": the chain at byte ");
    assert!(is_told, "{}", ran.stderr);
    let good = desk.run(&["-C", COLUMNS, "b.binpack"]);
    assert_eq!((good.code, good.stderr.as_str()), (Some(0), ""));
    assert!(ran.stdout.ends_with(good.stdout.split_once('\n').unwrap().1));
}

#[test]
fn commands_read_training_data_like_games() {
    let [binpack, viri, bulletformat] =
        [Format::Binpack, Format::Viri, Format::Bulletformat].map(|format| of_format(GAMES, format));
    let files = [("a.binpack", &*binpack), ("a.viri", &viri), ("a.bulletformat", &bulletformat), ("e.binpack", b"")];
    let desk = Desk::with(&files);
    // A pipe and a compressed file, without an ending that would say what they are.
    let expected = desk.run(&["-C", COLUMNS, "a.binpack"]);
    assert_eq!((expected.code, expected.stderr.as_str()), (Some(0), ""));
    assert_eq!(desk.pipe(&["-C", COLUMNS], &binpack), expected);
    for (name, bytes) in files {
        std::fs::write(desk.path("x"), gzip(bytes)).unwrap();
        let [plain, packed] = [name, "x"].map(|name| desk.run(&["check", name]));
        if !bytes.is_empty() {
            assert_eq!((plain.code, plain.stdout), (Some(0), packed.stdout), "{name}");
        }
    }
    // From one to the other and back.
    for (from, to) in
        [("a.viri", "b.binpack"), ("b.binpack", "c.viri"), ("a.binpack", "d.viri"), ("d.viri", "d.binpack")]
    {
        assert_eq!(desk.run(&["-q", "-o", to, from]).code, Some(0), "{from} {to}");
    }
    assert_eq!((desk.read("b.binpack"), desk.read("c.viri")), (binpack.clone(), viri.clone()));
    assert_eq!((desk.read("d.viri"), desk.read("d.binpack")), (viri, binpack));
    assert_eq!(desk.run(&["-q", "-o", "e.bulletformat", "a.viri"]).code, Some(0));
    // A mate has no place in bulletformat.
    assert_eq!(desk.read("e.bulletformat"), bulletformat);
    let games = desk.run(&["games", "a.binpack"]);
    assert!(games.stdout.contains("{[%eval -0.30]} 2. e5 {[%eval 0.11]}"), "{}", games.stdout);
    let ran = desk.run(&["--range", "0..100", "a.binpack"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("is a binpack file; a range of bytes needs"), "{ran:?}");
}

#[test]
fn a_score_of_32002_is_none() {
    let mut bytes = of_format(b"[Result \"1-0\"]\n\n{[%eval 0.1]} 1. e4 1-0\n", Format::Binpack);
    assert_eq!(bytes.len(), 8 + 34);
    bytes[8 + 26..8 + 28].copy_from_slice(&(32_002_u16 << 1).to_be_bytes());
    let said = read(&bytes, &workers(1), STYLE);
    assert_eq!((said.lines().len(), evaluated(&said).len()), (3, 0));
}
