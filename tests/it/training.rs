//! Formats for trainers: files are read back by readers that are written here from the layouts of the formats, and
//! compared with rows.

use std::collections::HashMap;

use pgn2fen_chess::fen::{self, CastlingStyle, EpStyle, FenStyle};
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::piece::Role;
use pgn2fen_chess::position::Position;
use pgn2fen_games::database::Database;
use pgn2fen_games::parallel::Cuts;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::walk::LeftOut;
use pgn2fen_rows::{Format, Rows};

use crate::cli::Desk;
use crate::laws::{everything, stream, whole};
use crate::walking::walk;

/// The FENs of viriformat: rights by the files of the rooks, and an en passant square if an enemy pawn stands next to
/// the pushed pawn.
pub(crate) const STYLE: FenStyle = FenStyle {
    ep: EpStyle::Xfen,
    castling: CastlingStyle::Shredder,
    fields: fen::Fields::Six,
    variant: fen::VariantStyle::Usual,
};

/// Writes rows of a text.
pub(crate) fn written(text: &[u8], job: &Rows) -> Vec<u8> {
    let said = walk(job, &Workers::new(2).unwrap(), [("a.pgn", whole(text))]);
    assert!(said.error.is_none(), "{:?}", said.error);
    said.output
}

pub(crate) fn of_format(text: &[u8], format: Format) -> Vec<u8> {
    written(text, &Rows::new().format(format).style(STYLE))
}

/// A row, from the table of the format tsv.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) game: u64,
    pub(crate) ply: u32,
    pub(crate) fen: String,
    pub(crate) eval: Option<i32>,
    /// The next move, if there is one that is not a null move.
    pub(crate) next: Option<String>,
    /// 0 for a win of Black, 1 for a draw, 2 for a win of White.
    pub(crate) result: Option<u8>,
}

pub(crate) fn rows(text: &[u8]) -> Vec<Row> {
    let job = Rows::columns("game,ply,fen,eval,next_uci,result").unwrap().style(STYLE);
    let tsv = String::from_utf8(written(text, &job)).unwrap();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        Row {
            game: cells[0].parse().unwrap(),
            ply: cells[1].parse().unwrap(),
            fen: cells[2].to_owned(),
            eval: cells[3].parse().ok(),
            next: Some(cells[4].to_owned()).filter(|next| !next.is_empty() && next != "0000"),
            result: (0..)
                .zip(["0-1", "1/2-1/2", "1-0"])
                .find(|(_, result)| *result == cells[5])
                .map(|(number, _)| number),
        }
    };
    tsv.lines().skip(1).map(row).collect()
}

fn is_black(fen: &str) -> bool {
    fen.split(' ').nth(1) == Some("b")
}

/// The number of men in a FEN.
pub(crate) fn men(fen: &str) -> usize {
    fen.split(' ').next().unwrap().bytes().filter(u8::is_ascii_alphabetic).count()
}

/// The games of a text with evaluations of our own behind most moves. Some are mates, some are missing, and some
/// results are unknown.
fn evaluated(text: &[u8]) -> String {
    let job = Rows::columns("game,ply,san,fen,result").unwrap().style(STYLE);
    let tsv = String::from_utf8(written(text, &job)).unwrap();
    let mut random = 1_u64;
    let mut games = String::new();
    for line in tsv.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let number = (random >> 33) as i64;
        if cells[1] == "0" {
            let result = if number % 20 == 0 { "*" } else { ["1-0", "0-1", "1/2-1/2"][number as usize % 3] };
            games += &format!("\n\n[FEN \"{}\"]\n[Result \"{result}\"]\n\n", cells[3]);
            continue;
        }
        let centipawns = number % 2001 - 1000;
        games += &match number % 41 {
            0 => format!("{} ", cells[2]),
            1 => format!("{} {{[%eval #{}]}} ", cells[2], number % 19 - 9),
            2 => format!("{} {{[%eval {}.5]}} ", cells[2], centipawns),
            _ => format!("{} {{[%eval {:.2}]}} ", cells[2], centipawns as f64 / 100.0),
        };
    }
    games
}

/// All fixtures with evaluations, and a few games with all kinds of moves.
pub(crate) fn examples() -> Vec<u8> {
    let mut text = everything();
    text.extend_from_slice(
        b"\n\n[FEN \"4k3/1P6/8/8/8/8/8/4K3 w - - 98 70000\"]\n\n1. b8=N Ke7 2. Kf2 *\n\n1. e4 -- 2. d4 d5 *\n\n\
        [FEN \"qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ b - - 300 0\"]\n\n1... Qxa2 2. Qxa2 *\n\n\
        [FEN \"nnnnknnn/nnnnnnnn/7n/8/8/8/NNNNNNNN/NNNNKNNN w - - 0 1\"]\n\n1. Na1b3 Na8b6 *\n\n\
        [FEN \"nnnnknnn/nnnnnnnn/7n/8/6N1/8/NNNNNNN1/NNNNKNNN w - - 0 1\"]\n\n1. Ng4xh6 Ng8xh6 2. Na1b3 *\n",
    );
    evaluated(&text).into_bytes()
}

/// A board as the formats store it: the letters of the men on the squares, and the squares of rooks that may castle.
fn board(occupied: &[u8], codes: &[u8]) -> (Vec<char>, Vec<usize>) {
    let occupied = u64::from_le_bytes(occupied.try_into().unwrap());
    let squares = (0..64).filter(|sq| occupied >> sq & 1 == 1);
    let mut letters = vec!['.'; 64];
    let mut unmoved = Vec::new();
    let mut nth = 0;
    for sq in squares {
        let code = codes[nth / 2] >> (nth % 2 * 4) & 15;
        nth += 1;
        let letter = "PNBRQKR".chars().nth((code & 7).into()).expect("a code of a man");
        letters[sq] = if code & 8 == 0 { letter } else { letter.to_ascii_lowercase() };
        unmoved.extend((code & 7 == 6).then_some(sq));
    }
    assert!((nth..32).all(|nth| codes[nth / 2] >> (nth % 2 * 4) & 15 == 0), "nothing behind the last man");
    (letters, unmoved)
}

/// The first field of a FEN.
fn placement(letters: &[char]) -> String {
    let ranks = letters.chunks(8).rev().map(|rank| rank.iter().collect::<String>());
    let mut text = ranks.collect::<Vec<_>>().join("/");
    for empty in (1..=8).rev() {
        text = text.replace(&".".repeat(empty), &empty.to_string());
    }
    text
}

/// A game of viriformat: the FEN of its start, its result, and its moves with their evaluations.
pub(crate) type ViriGame = (String, u8, Vec<(u16, i16)>);

/// Reads a file in viriformat, by the specification in the README of the crate viriformat.
pub(crate) fn viri_games(mut bytes: &[u8]) -> Vec<ViriGame> {
    let mut games = Vec::new();
    while !bytes.is_empty() {
        let (start, mut rest) = bytes.split_at(32);
        let (letters, unmoved) = board(&start[..8], &start[8..24]);
        let turn = if start[24] < 128 { 'w' } else { 'b' };
        let ep = match start[24] & 127 {
            64 => "-".to_owned(),
            sq @ 0..64 => format!("{}{}", char::from(b'a' + sq % 8), sq / 8 + 1),
            sq => panic!("{sq} is no square"),
        };
        let file = |sq: &usize, files: &str| files.chars().nth(sq % 8).unwrap();
        let white = unmoved.iter().rev().filter(|sq| **sq < 8).map(|sq| file(sq, "ABCDEFGH"));
        let black = unmoved.iter().rev().filter(|sq| **sq >= 56).map(|sq| file(sq, "abcdefgh"));
        let mut castling: String = white.chain(black).collect();
        assert_eq!(castling.len(), unmoved.len());
        if castling.is_empty() {
            castling.push('-');
        }
        let number = |at: usize| u16::from_le_bytes([start[at], start[at + 1]]);
        let fen = format!("{} {turn} {castling} {ep} {} {}", placement(&letters), start[25], number(26));
        assert_eq!((number(28), start[31]), (0, 0), "there is no evaluation and no extra");
        let mut moves = Vec::new();
        while rest[..4] != [0; 4] {
            moves.push((u16::from_le_bytes([rest[0], rest[1]]), i16::from_le_bytes([rest[2], rest[3]])));
            rest = &rest[4..];
        }
        games.push((fen, start[30], moves));
        bytes = &rest[4..];
    }
    games
}

/// Finds the move that viriformat stores in 16 bits.
fn viri_move(position: &Position, bits: u16) -> Move {
    let role = |promotion| [Role::Knight, Role::Bishop, Role::Rook, Role::Queen][usize::from(promotion)];
    let is_meant = |m: &Move| {
        let (from, to, promotion, kind) = match *m {
            Move::Normal { from, to, promotion: None, .. } => (from, to, None, 0),
            Move::Normal { from, to, promotion, .. } => (from, to, promotion, 3),
            Move::EnPassant { from, to } => (from, to, None, 1),
            Move::Castle { king, rook } => (king, rook, None, 2),
            Move::Drop { .. } | Move::Null => return false,
        };
        (from.index(), to.index()) == (usize::from(bits & 63), usize::from(bits >> 6 & 63))
            && bits >> 14 == kind
            && promotion.is_none_or(|promotion| promotion == role(bits >> 12 & 3))
    };
    position.legal_moves().into_iter().find(is_meant).expect("a legal move")
}

/// The FEN with the counters as viriformat has room for them.
pub(crate) fn within_bytes(fen: &str) -> String {
    let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
    fields[4] = fields[4].parse::<u32>().unwrap().min(255).to_string();
    fields[5] = fields[5].parse::<u32>().unwrap().clamp(1, 65535).to_string();
    fields.join(" ")
}

#[test]
fn viriformat_read_back_has_the_rows_move_by_move() {
    let text = examples();
    let games = viri_games(&of_format(&text, Format::Viri));
    // What must be there: the rows with everything, divided where one is missing.
    let mut expected: Vec<Vec<Row>> = Vec::new();
    let mut last: Option<Row> = None;
    for row in rows(&text) {
        let is_whole = row.eval.is_some() && row.next.is_some() && row.result.is_some() && men(&row.fen) <= 32;
        let follows = last.as_ref().is_some_and(|last| last.game == row.game && last.ply + 1 == row.ply);
        if is_whole && !follows {
            expected.push(Vec::new());
        }
        last = is_whole.then(|| row.clone());
        expected.last_mut().into_iter().for_each(|rows| rows.extend(last.clone()));
    }
    assert!(expected.len() > 100 && expected.iter().any(|rows| rows.len() > 40), "there is something to compare");
    assert_eq!(games.len(), expected.len());
    let mut kinds = HashMap::new();
    for ((start, result, moves), rows) in games.iter().zip(&expected) {
        assert_eq!((&within_bytes(&rows[0].fen), Some(*result)), (start, rows[0].result));
        assert_eq!(moves.len(), rows.len());
        let mut position = fen::read(rows[0].fen.as_bytes()).unwrap().position;
        for ((bits, score), row) in moves.iter().zip(rows) {
            assert_eq!(fen::to_string(&position, STYLE), row.fen);
            let m = viri_move(&position, *bits);
            assert_eq!(Some(m.to_uci(&position)), row.next);
            assert_eq!(Some(i32::from(*score)), row.eval.map(|eval| eval.clamp(-32_000, 32_000)));
            *kinds.entry(bits >> 14).or_insert(0) += 1;
            position.play_unchecked(m);
        }
    }
    assert_eq!(kinds.len(), 4, "there is a move of each kind: {kinds:?}");
}

/// The text from the point of view of the other side.
fn swapped(text: &str) -> String {
    let swap = |letter: char| {
        if letter.is_ascii_lowercase() { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
    };
    text.split('/').rev().map(|rank| rank.chars().map(swap).collect::<String>()).collect::<Vec<_>>().join("/")
}

#[test]
fn bulletformat_read_back_has_the_rows_from_the_side_to_move() {
    let text = examples();
    let bytes = of_format(&text, Format::Bulletformat);
    let is_whole =
        |row: &Row| row.eval.is_some_and(|eval| eval.abs() < 30_000) && row.result.is_some() && men(&row.fen) <= 32;
    let expected: Vec<Row> = rows(&text).into_iter().filter(is_whole).collect();
    assert!(expected.len() > 10_000 && bytes.len() == 32 * expected.len());
    for (record, row) in bytes.chunks(32).zip(&expected) {
        let (letters, unmoved) = board(&record[..8], &record[8..24]);
        let placed = row.fen.split(' ').next().unwrap();
        let (eval, result) = (row.eval.unwrap(), row.result.unwrap());
        let (placed, eval, result) =
            if is_black(&row.fen) { (swapped(placed), -eval, 2 - result) } else { (placed.to_owned(), eval, result) };
        assert_eq!((placement(&letters), unmoved.len()), (placed, 0));
        assert_eq!((i32::from(i16::from_le_bytes([record[24], record[25]])), record[26]), (eval, result));
        let king = |letter| (0_u8..).zip(&letters).find(|(_, it)| **it == letter).unwrap().0;
        assert_eq!(record[27..], [king('K'), king('k') ^ 56, 0, 0, 0]);
    }
}

#[test]
fn plain_read_back_has_the_rows_from_the_side_to_move() {
    let text = examples();
    let plain = String::from_utf8(of_format(&text, Format::Plain)).unwrap();
    let is_whole =
        |row: &Row| row.eval.is_some_and(|eval| eval.abs() < 30_000) && row.result.is_some() && row.next.is_some();
    let record = |row: Row| {
        let sign = if is_black(&row.fen) { -1 } else { 1 };
        let (eval, result) = (row.eval.unwrap() * sign, (i32::from(row.result.unwrap()) - 1) * sign);
        let fullmoves: i64 = row.fen.rsplit(' ').next().unwrap().parse().unwrap();
        let ply = ((fullmoves.clamp(1, 65_535) - 1) * 2 + i64::from(is_black(&row.fen))).min(65_535);
        let Row { fen, next, .. } = row;
        format!("fen {fen}\nmove {}\nscore {eval}\nply {ply}\nresult {result}\ne\n", next.unwrap())
    };
    let expected: String = rows(&text).into_iter().filter(is_whole).map(record).collect();
    assert!(expected.len() > 100_000 && plain == expected);
}

#[test]
fn the_bytes_do_not_depend_on_threads_blocks_and_pipes() {
    // Games of a few kinds, so that there are many blocks.
    let text = examples();
    let end = text.len() / 8;
    let text = [&text[text.len() - 2_000..], b"\n\n", &text[..end]].concat();
    for format in [Format::Viri, Format::Binpack, Format::Bulletformat, Format::Plain] {
        let job = Rows::new().format(format);
        let expected = written(&text, &job);
        for (threads, block) in [(1, 300), (3, 5_000)] {
            let workers = Workers::new(threads).unwrap().with_cuts(Cuts::Likely(block));
            for source in [whole(&text), stream(&text)] {
                assert!(walk(&job, &workers, [("a.pgn", source)]).output == expected, "{format:?} {threads} {block}");
            }
        }
    }
}

/// The two examples of bytes are for this game.
const GAME: &str = "[Result \"1-0\"]\n\n1. e4 {[%eval 0.20]} e5 {[%eval -0.30]} 2. Qh5 {[%eval #1]} Ke7 {[%eval #1]} \
                    3. Qxe5# {[%eval #0]} 1-0\n";

#[track_caller]
fn check_bytes(format: Format, expected: &str) {
    let bytes = of_format(GAME.as_bytes(), format);
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hex, expected.split_whitespace().collect::<String>());
}

#[test]
fn the_bytes_are_those_of_the_layouts() {
    // The game is that of the README of viriformat 3.0, from its first move. The moves have the bytes that are shown
    // there.
    check_bytes(
        Format::Viri,
        "ffef00100000ffff 16422561000000008888888 89ecaade9 c0 00 0100 0000 02 00
         3409 1400 c309 e2ff 3c0d ff7c 2709 ff7c 00000000",
    );
    // Mates are left out, and so is the end of the game.
    check_bytes(
        Format::Bulletformat,
        "ffff00001000efff 13422531000000008888888 89bcaadb9 ecff 00 04 04 000000
         ffef00101000efff 13422531000000008888888 89bcaadb9 e2ff 02 04 04 000000",
    );
    // These bytes were compared with those that the reference writer makes of the same positions: `binpack.h` in the
    // data loader of nnue-pytorch. A chunk; the position after 1. e4, its move e7e5, the score -20, the ply 1 and a
    // loss; three moves that follow.
    check_bytes(
        Format::Binpack,
        "42494e50 29000000 ffff00001000efff 2d844ad2000000001111 11113e955fe3 3490 0027 4001 0000 0003 3e66c333d3fd80",
    );
}

#[test]
fn evaluations_of_engines_are_those_of_the_position_before_the_move() {
    // The moves and evaluations of the README of viriformat 3.0, and nothing before or behind them. Its mates are
    // 32767.
    let game =
        b"1. e4 {+0.10/9 1s} e5 {-0.20/9 1s} 2. Qh5 {-0.30/9 1s} Ke7 {-M1/9 1s} 3. Qxe5# {+M1/9 1s, White mates} 1-0\n";
    let desk = Desk::with(&[("a.pgn", game)]);
    desk.run(&["-q", "--evals", "engine", "a.pgn", "-o", "a.viri"]).is("", "", 0);
    let hex: String = desk.read("a.viri").iter().map(|byte| format!("{byte:02x}")).collect();
    let expected = "ffff00000000ffff 16422561000000008888888 89ecaade9 40 00 0100 0000 02 00
                    0c07 0a00 3409 1400 c309 e2ff 3c0d ff7c 2709 ff7c 00000000";
    assert_eq!(hex, expected.split_whitespace().collect::<String>());
}

#[test]
fn what_has_no_place_in_a_format_is_counted() {
    let desk = Desk::with(&[
        (
            "a.pgn",
            b"1. e4 {[%eval 0.1]} e5 {[%eval 0.2]} 2. Nf3 Nc6 {[%eval 0.3]} -- {[%eval 0.4]} 3... d6 {[%eval \
            #3]} 1-0\n",
        ),
        (
            "b.pgn",
            b"[FEN \"nnnnknnn/nnnnnnnn/7n/8/8/8/NNNNNNNN/NNNNKNNN w - - 0 1\"]\n\n1. Na1b3 {[%eval 0.1]} Na8b6 1-0\n",
        ),
    ]);
    let said = |format: &str, files: &[&str]| {
        let ran = desk.run(&[&["-f", format, "-o", "out", "--no-start"], files].concat());
        assert_eq!((&*ran.stdout, ran.code), ("", Some(0)));
        let warning = ran.stderr.lines().find(|line| line.contains("left out")).unwrap_or_default();
        (desk.read("out").len(), format!("{warning}\n"))
    };
    let (length, messages) = said("viri", &["a.pgn", "b.pgn"]);
    // One game of two moves, and one of one move: a null move is none.
    assert_eq!(length, 32 + 2 * 4 + 4 + 32 + 4 + 4);
    assert_eq!(
        messages,
        "warning: 5 positions left out: 2 without an evaluation, 2 without a next move, 1 with more than 32 pieces\n"
    );
    let (length, messages) = said("bulletformat", &["a.pgn", "b.pgn"]);
    assert_eq!(length, 4 * 32);
    assert_eq!(
        messages,
        "warning: 4 positions left out: 2 without an evaluation, 1 evaluated as mate, 1 with more than 32 pieces\n"
    );
    let (_, messages) = said("plain", &["a.pgn"]);
    assert_eq!(
        messages,
        "warning: 3 positions left out: 1 without an evaluation, 1 evaluated as mate, 1 without a next move\n"
    );
}

#[test]
fn endings_choose_the_formats() {
    let desk = Desk::with(&[("a.pgn", GAME.as_bytes())]);
    for (format, names) in [
        (Format::Viri, &["a.viri", "a.vf", "a.VIRIFORMAT", "-fviri b.bin"][..]),
        (Format::Bulletformat, &["a.bulletformat", "-fbulletformat b.data"]),
        (Format::Binpack, &["a.binpack", "a.BINPACK", "-fbinpack b.bin"]),
        (Format::Plain, &["a.plain"]),
    ] {
        let expected = written(GAME.as_bytes(), &Rows::new().format(format));
        for name in names {
            let mut words: Vec<&str> = name.split(' ').collect();
            let file = words.pop().unwrap();
            assert_eq!(desk.run(&[&["-q", "a.pgn", "-o", file], &*words].concat()).code, Some(0), "{name}");
            assert!(desk.read(file) == expected, "{name}");
        }
    }
    assert_eq!(desk.run(&["-q", "a.pgn", "-o", "c.viri.zst"]).code, Some(0));
    assert!(zstd::decode_all(&*desk.read("c.viri.zst")).unwrap() == of_format(GAME.as_bytes(), Format::Viri));
}

#[test]
fn options_that_have_no_meaning_for_a_format_are_refused() {
    let desk = Desk::with(&[("a.pgn", GAME.as_bytes())]);
    for (arguments, words) in [
        (&["-o", "x.bin"][..], "name the format with -f viri or -f bulletformat"),
        (&["-o", "x.bin", "-f", "parquet"], "name the format with -f viri or -f bulletformat"),
        (&["-o", "x.binpack", "-f", "viri"], "leave one of them out"),
        (&["-f", "binpack", "-C", "fen"], "the format binpack has no columns to choose"),
        (&["-o", "x.viri", "-f", "plain"], "leave one of them out"),
        (&["-o", "x.viri", "-f", "bulletformat"], "leave one of them out"),
        (&["-f", "viri", "-C", "fen"], "the format viri has no columns to choose"),
        (&["-f", "bulletformat", "--no-header"], "no header row"),
        (&["-f", "plain", "--per", "game"], "has no lists"),
        (&["-f", "viri", "--ep", "legal"], "the format viri has no FENs, whose style could be chosen; leave out --ep"),
        (&["-f", "bulletformat", "--fields", "4", "--castling", "shredder"], "leave out --castling, --fields"),
        (&["-f", "viri", "-e", "2"], "which would be divided by --every;"),
        (&["-f", "viri", "-s", "0.1"], "divided by --sample;"),
        (&["-f", "viri", "--turn", "w", "--skip-checks"], "divided by --turn, --skip-checks;"),
        (&["-f", "viri", "--skip-captures"], "the loader of the trainer, which has a filter"),
        (&["-f", "viri", "-u"], "or write bulletformat"),
        (&["-f", "viri", "--variations"], "--variations"),
        (&["-f", "viri", "--material", "Q:Q"], "--material"),
    ] {
        let ran = desk.run(&[&["a.pgn"], arguments].concat());
        assert!(ran.code == Some(2) && ran.stderr.contains(words) && ran.stdout.is_empty(), "{arguments:?}: {ran:?}");
        assert_eq!(desk.files(), ["a.pgn"]);
    }
}

#[test]
fn filters_of_games_and_of_the_ends_of_games_go_with_viriformat() {
    let games =
        format!("{GAME}\n[White \"B\"]\n1. d4 {{[%eval 9]}} d5 {{[%eval 0.1]}} 2. c4 {{[%eval 0.1]}} e6 1/2-1/2\n");
    let plies = |options: &[&str]| -> Vec<usize> {
        let desk = Desk::with(&[("a.pgn", games.as_bytes())]);
        let ran = desk.run(&[&["-q", "a.pgn", "-o", "a.viri"], options].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        viri_games(&desk.read("a.viri")).iter().map(|(_, _, moves)| moves.len()).collect()
    };
    assert_eq!(plies(&[]), [4, 3]);
    assert_eq!(plies(&["-t", "White=B"]), [3]);
    assert_eq!(plies(&["-n", "1", "-p", "2..3"]), [2]);
    assert_eq!(plies(&["--max-eval", "100", "--no-start"]), [2, 2]);
    assert_eq!(plies(&["--pieces", "32"]), [4, 3]);
}

#[test]
fn games_with_errors_are_written_as_on_error_says() {
    let desk =
        Desk::with(&[("a.pgn", b"1. e4 {[%eval 0.1]} e5 {[%eval 0.2]} Ke4 1-0\n\n1. d4 {[%eval 0.1]} d5 1-0\n")]);
    for (what, expected) in [("keep", &[1, 1][..]), ("drop", &[1]), ("stop", &[1])] {
        let output = desk.command(&["-q", "-f", "viri", "--on-error", what, "a.pgn"]).output().unwrap();
        let plies: Vec<usize> = viri_games(&output.stdout).iter().map(|(_, _, moves)| moves.len()).collect();
        assert_eq!((&*plies, output.status.code()), (expected, Some(1)), "{what}");
    }
}

#[test]
fn the_totals_count_what_the_format_leaves_out() {
    let text = b"1. e4 {[%eval 0.3]} e5 {[%eval #3]} 2. d4 1-0\n1. e4 {[%eval 0.3]} *\n".to_vec();
    let rows = Rows::new().format(Format::Bullet);
    let (written, totals) = rows.write([Database::from(text)], Vec::new()).unwrap();
    let LeftOut { without_evaluation, mates, without_result, .. } = totals.left_out;
    assert_eq!((without_evaluation, mates, without_result), (3, 1, 1), "{:?}", totals.left_out);
    let lines = written.iter().filter(|byte| **byte == b'\n').count() as u64;
    assert_eq!(lines + totals.left_out.total(), totals.count.positions);
}
