//! Law: a legal move is read as that move in all its spellings, and the position after it is consistent.

use pgn2fen_chess::castling::CastlingRules;
use pgn2fen_chess::fen::{self, FenStyle, FenWriter};
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::rules::Rules;
use pgn2fen_chess::san::{self, Letters};
use pgn2fen_chess::zobrist;

use crate::choices::Choices;
use crate::laws;

/// Checks the law. The first byte chooses the form of the starting position: Chess960 numbers, a FEN on the first line,
/// or the rules of a variant and a FEN, which is empty for its start. Each byte after it chooses one of the legal
/// moves.
///
/// # Panics
///
/// The law is broken.
pub fn check(data: &[u8]) {
    let mut choices = Choices::new(data);
    let Some(mut position) = start(&mut choices) else { return };
    let mut writer = FenWriter::new(FenStyle::default());
    writer.start_at(&position);
    laws::fen::position(&position);
    for choice in choices.bytes().iter().take(60) {
        let moves = position.legal_moves();
        for &m in &moves {
            spellings(&position, m);
        }
        let Some(m) = choose(*choice, &position, &moves) else { break };
        position = play(&position, m, &mut writer);
    }
}

fn start(choices: &mut Choices<'_>) -> Option<Position> {
    match choices.byte() % 4 {
        0 => fen::read(choices.line()).ok().map(|reading| reading.position),
        1 => Position::chess960(u16::try_from(choices.number() % 960).ok()?),
        3 => {
            let rules = choices.one_of(&Rules::ALL);
            let fen = choices.line();
            let read = || fen::read_by(rules, fen).ok().map(|reading| reading.position);
            if fen.is_empty() { Some(Position::start(rules)) } else { read() }
        }
        _ => {
            let mut number = || u16::try_from(choices.number() % 960).unwrap_or_default();
            Position::double_chess960(number(), number())
        }
    }
}

fn choose(choice: u8, position: &Position, moves: &[Move]) -> Option<Move> {
    if choice == 255 && position.is_legal(Move::Null) {
        return Some(Move::Null);
    }
    let odd: Vec<Move> = moves.iter().copied().filter(|m| is_odd(*m)).collect();
    let among = if choice >= 128 && !odd.is_empty() { &odd } else { moves };
    among.get(usize::from(choice & 127) % among.len().max(1)).copied()
}

/// Whether a move is of a kind that is easy to get wrong.
fn is_odd(m: Move) -> bool {
    m.promotion().is_some() || matches!(m, Move::EnPassant { .. } | Move::Castle { .. } | Move::Drop { .. })
}

/// Checks that every spelling of a legal move is read as that move.
fn spellings(position: &Position, m: Move) {
    assert!(position.is_legal(m), "{m:?} in {position:?}");
    let uci = m.uci(position);
    assert_eq!(Uci::from_ascii(uci.to_string().as_bytes()), Some(uci));
    assert_eq!(Uci::from_bits(uci.bits().get()), Some(uci));
    assert_eq!(uci.find(position), Some(m), "{uci} in {position:?}");
    let taking = m.uci(CastlingRules::Chess960);
    assert_eq!(taking.find(position), Some(m), "{taking} in {position:?}");

    let mut text = Vec::new();
    san::append(position, m, &mut text);
    let read = |text: &[u8]| {
        san::resolve(text, position, &Letters::ENGLISH)
            .unwrap_or_else(|error| panic!("{}: {error} in {position:?}", String::from_utf8_lossy(text)))
    };
    let resolved = read(&text);
    assert_eq!((resolved.mv, resolved.repair), (m, None), "{}", String::from_utf8_lossy(&text));
    let next = position.play(m).expect("it is legal");
    let mut between = Vec::new();
    san::append_between(position, m, &next, &mut between);
    assert_eq!(between, text);

    // Long notation: the two squares, with and without the letter of the piece.
    let (Some(from), Some(to), Some(role)) = (m.from(), m.to(), m.role()) else { return };
    if matches!(m, Move::Castle { .. }) {
        return;
    }
    let letter = text.first().filter(|byte| byte.is_ascii_uppercase()).map(|byte| char::from(*byte).to_string());
    let letter = letter.unwrap_or_default();
    let sign = if m.is_capture(position.board()) { "x" } else { "-" };
    let promotion = m.promotion().map(|role| format!("={}", "PNBRQK".as_bytes()[role as usize - 1] as char));
    let promotion = promotion.unwrap_or_default();
    for spelled in
        [format!("{letter}{from}{sign}{to}{promotion}"), format!("{from}{sign}{to}{promotion}"), uci.to_string()]
    {
        // A king's move of two squares without its letter may be read as castling, if that is legal.
        assert_eq!(read(spelled.as_bytes()).mv, m, "{spelled} for {role} in {position:?}");
    }
}

/// Plays a move and checks that the position after it is consistent.
fn play(position: &Position, m: Move, writer: &mut FenWriter) -> Position {
    let next = position.play(m).expect("it is legal");
    let mut unchecked = position.clone();
    unchecked.play_unchecked(m);
    assert_eq!(unchecked, next);
    if let Some(end) = next.end() {
        assert!(next.legal_moves().is_empty() && !end.to_string().is_empty(), "{end} in {next:?}");
    }
    assert_eq!(zobrist::key_after(zobrist::key(position), position, m), zobrist::key(&next), "{m:?} in {position:?}");
    if m != Move::Null {
        assert_eq!(Position::repaired(next.setup().clone()).map(|(checked, _)| checked).as_ref(), Ok(&next));
    }
    let mut line = Vec::new();
    writer.append_after(m, &next, &mut line);
    let fen = fen::to_string(&next, FenStyle::default());
    assert_eq!(String::from_utf8_lossy(&line), fen);
    laws::fen::position(&next);
    next
}
