//! A writer of databases, from games in PGN and annotations in bytes.

use std::io;
use std::sync::Arc;

use pgn2fen_chess::castling::CastlingSide;
use pgn2fen_chess::fen;
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::piece::{Color, Piece, Role};
use pgn2fen_chess::setup::Setup;
use pgn2fen_chess::square::Square;

use crate::chessbase::board::{NumberedBoard, square};
use crate::chessbase::start::Start;
use crate::chessbase::tables::substitution;
use crate::chessbase::tree::{END, StoredMove, TWO_BYTES, VARIATION};
use pgn2fen_pgn::games::Games;
use pgn2fen_pgn::replay::Event;

/// The files of a database by their endings.
#[derive(Clone, Debug, Default)]
pub(super) struct Database {
    pub(super) files: Vec<(&'static str, Vec<u8>)>,
}

/// A game to write.
#[derive(Clone, Copy, Debug)]
pub(super) struct Game<'g> {
    /// The moves, with variations, behind tags with the start.
    pub(super) pgn: &'g str,
    /// The mode of the moves.
    pub(super) mode: u8,
    /// The first byte of the entry.
    pub(super) flags: u8,
    /// The number of the result.
    pub(super) result: u8,
    /// The place, kind and data of each annotation.
    pub(super) annotations: &'g [(i32, u8, &'g [u8])],
}

impl Default for Game<'_> {
    fn default() -> Self {
        Self { pgn: "*", mode: 0, flags: 1, result: 3, annotations: &[] }
    }
}

/// A move and the lines that begin in its place.
#[derive(Debug)]
struct Step {
    played: Move,
    alternatives: Vec<Vec<Self>>,
}

impl Database {
    /// Writes games between two players.
    pub(super) fn new(games: &[Game<'_>]) -> Self {
        let next = u32::try_from(games.len() + 1).unwrap().to_be_bytes();
        let mut index = [&[0, 0, 0x2C, 0, 0x2E, 1][..], &next, &[0; 36]].concat();
        let (mut moves, mut annotations) = (header(), header());
        let mut extra =
            [11_u32, 120, u32::try_from(games.len()).unwrap()].map(u32::to_le_bytes).as_flattened().to_vec();
        extra.resize(32, 0);
        for (number, game) in (1_u32..).zip(games) {
            let place = |file: &[u8]| u32::try_from(file.len()).unwrap().to_be_bytes();
            let record = game.record();
            let mut entry = vec![0; 46];
            entry[0] = game.flags;
            entry[1..5].copy_from_slice(&place(&moves));
            moves.extend(record);
            if !game.annotations.is_empty() {
                entry[5..9].copy_from_slice(&place(&annotations));
                annotations.extend(game.annotations(number));
            }
            // The second player, a date, a round and a board, two ratings, and an ECO code.
            entry[14] = 1;
            entry[24..27].copy_from_slice(&(2024_u32 << 9 | 3 << 5 | 9).to_be_bytes()[1..]);
            (entry[27], entry[28], entry[29], entry[30]) = (game.result, 14, 5, 2);
            entry[31..35].copy_from_slice(&[0x0A, 0x28, 0x09, 0x60]);
            entry[35..37].copy_from_slice(&(198_u16 * 128 + 8).to_be_bytes());
            entry[45] = u8::try_from(game.lines().len().div_ceil(2)).unwrap();
            index.extend(entry);
            extra.extend([&[0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF][..], &[0; 112]].concat());
        }
        let tournament = |title: &str, site: &str| {
            let mut data = padded(&[(title, 40), (site, 30)]);
            data.extend((2024_u32 << 9 | 3 << 5 | 1).to_le_bytes());
            // A round robin in rapid chess, in a country, with a category and rounds.
            data.extend([3 | 64, 0, 53, 0, 19, 0, 9, 0]);
            data.extend([0; 8]);
            data
        };
        let mut source = padded(&[("Mega", 25), ("ChessBase", 16)]);
        source.extend([&(2023_u32 << 9).to_le_bytes()[..], &[0; 4], &[2, 1], &[0; 8]].concat());
        let names = [
            ("cbp", vec![padded(&[("Roe", 30), ("J", 20), ("", 8)]), padded(&[("Müller", 30), ("Änne", 20), ("", 8)])]),
            ("cbt", vec![tournament("Open", "Köln")]),
            ("cbc", vec![padded(&[("Doe", 45), ("", 8)])]),
            ("cbs", vec![source]),
            ("cbe", vec![padded(&[("SG Köln", 45), ("", 18)])]),
        ];
        let mut files = vec![("cbh", index), ("cbg", moves), ("cba", annotations), ("cbj", extra)];
        files.extend(names.map(|(ending, records)| (ending, entities(&records))));
        Self { files }
    }

    /// Returns a file, or an empty one.
    pub(super) fn file(&mut self, ending: &str) -> &mut Vec<u8> {
        let file = self.files.iter_mut().find(|(other, _)| *other == ending);
        file.map(|(_, bytes)| bytes).expect("the database has the file")
    }
}

/// Returns the header of a file of records.
fn header() -> Vec<u8> {
    [&[0, 26][..], &[0; 24]].concat()
}

/// Returns texts with zeros behind them, up to their sizes.
fn padded(texts: &[(&str, usize)]) -> Vec<u8> {
    let latin = |text: &str| text.chars().map(|char| u8::try_from(u32::from(char)).unwrap()).collect::<Vec<_>>();
    let pad = |(text, size): &(&str, usize)| [latin(text), vec![0; size - text.chars().count()]].concat();
    texts.iter().flat_map(pad).collect()
}

/// Returns a file of names.
fn entities(records: &[Vec<u8>]) -> Vec<u8> {
    let count = u32::try_from(records.len()).unwrap();
    let size = u32::try_from(records[0].len()).unwrap();
    let header = [count, 0, 1_234_567_890, size, u32::MAX, count, 4, 0].map(u32::to_le_bytes);
    let records = records.iter().flat_map(|record| [&[0xFF; 9][..], record].concat());
    header.as_flattened().iter().copied().chain(records).collect()
}

impl Game<'_> {
    /// Returns the moves of the main line.
    fn lines(&self) -> Vec<Step> {
        let game = Games::new(self.pgn.as_bytes()).next().unwrap();
        let mut open = vec![Vec::new()];
        for event in game.moves().unwrap() {
            match event.unwrap() {
                Event::Move(ply) => {
                    open.last_mut().unwrap().push(Step { played: ply.played, alternatives: Vec::new() });
                }
                Event::VariationStart => open.push(Vec::new()),
                Event::VariationEnd => {
                    let line = open.pop().unwrap();
                    open.last_mut().unwrap().last_mut().unwrap().alternatives.push(line);
                }
                _ => {}
            }
        }
        open.pop().unwrap()
    }

    /// Returns the record of the moves.
    fn record(&self) -> Vec<u8> {
        let game = Games::new(self.pgn.as_bytes()).next().unwrap();
        let setup = game.tag("FEN").map(|fen| fen::read_setup(fen.as_bytes()).unwrap().0);
        let is_chess960 = matches!(self.mode, 10 | 11);
        let mut flags = self.mode;
        let mut body = Vec::new();
        let mut start = Start::initial();
        if let Some(setup) = setup {
            flags |= 0x40;
            body.extend(written_start(&setup, is_chess960));
            start = Start::read(&body, is_chess960).unwrap().0;
        }
        let is_reversed = matches!(self.mode, 2 | 3 | 6 | 7 | 11);
        let board = start.board(is_reversed);
        let mut writer = MovesWriter { mode: self.mode, is_reversed, start, count: 0, bytes: body };
        let lines = self.lines();
        if self.mode < 8 && self.mode & 1 == 1 {
            writer.simple(&lines);
        } else {
            writer.compact(&lines, &board);
        }
        let size = u32::try_from(4 + writer.bytes.len()).unwrap().to_be_bytes();
        [&[flags][..], &size[1..], &writer.bytes].concat()
    }

    /// Returns the record of the annotations.
    fn annotations(&self, number: u32) -> Vec<u8> {
        let mut items = Vec::new();
        for (place, kind, data) in self.annotations {
            items.extend(&place.to_be_bytes()[1..]);
            items.push(*kind);
            items.extend(u16::try_from(data.len() + 6).unwrap().to_be_bytes());
            items.extend(*data);
        }
        let count = u32::try_from(self.annotations.len() + 1).unwrap().to_be_bytes();
        let size = u32::try_from(items.len() + 14).unwrap().to_be_bytes();
        [&number.to_be_bytes()[1..], &[1, 0, 14, 14], &count[1..], &size, &items].concat()
    }
}

/// Returns the number of a square, file by file.
fn number(of: Square) -> u8 {
    (0..64).find(|number| square(*number) == Some(of)).unwrap()
}

/// Returns the bytes of a start.
fn written_start(setup: &Setup, is_chess960: bool) -> Vec<u8> {
    let king = |color| setup.board.king_of(color).unwrap();
    let rook = |color, side| setup.castling.rook(&setup.board, color, side);
    let sides = [CastlingSide::Queen, CastlingSide::King];
    let rights = Color::ALL.into_iter().flat_map(|color| sides.map(|side| rook(color, side)));
    let rights = (0..).zip(rights).fold(0, |rights, (bit, rook)| rights | u8::from(rook.is_some()) << bit);
    let ep = setup.ep.map_or(0, |ep| ep.number() % 8 + 1);
    let mut bits = String::new();
    for nth in 0..64 {
        bits += &setup.board.piece_at(square(nth).unwrap()).map_or("0".to_owned(), |Piece { color, role }| {
            let role = [Role::King, Role::Queen, Role::Knight, Role::Bishop, Role::Rook, Role::Pawn]
                .iter()
                .position(|other| *other == role)
                .unwrap();
            format!("1{}{:03b}", color.index(), role + 1)
        });
    }
    let bits = format!("{bits:0<192}");
    let men = bits.as_bytes().chunks(8).map(|byte| byte.iter().fold(0, |all, bit| all << 1 | (bit - b'0')));
    let turn = setup.turn.pick(0, 16);
    let mut bytes: Vec<u8> =
        [1, ep | turn, rights, u8::try_from(setup.fullmoves).unwrap()].into_iter().chain(men).collect();
    if is_chess960 {
        bytes.extend(Color::ALL.map(|color| number(king(color))));
        for (color, side) in Color::ALL.into_iter().flat_map(|color| sides.map(|side| (color, side))) {
            bytes.push(rook(color, side).map_or(0xFF, number));
        }
        bytes.extend([0, 0]);
    }
    bytes
}

struct MovesWriter {
    mode: u8,
    is_reversed: bool,
    start: Start,
    count: u8,
    bytes: Vec<u8>,
}

impl MovesWriter {
    fn put(&mut self, byte: u8) {
        let table = substitution(self.mode).unwrap();
        let stored = (0..=u8::MAX).find(|stored| {
            let before = if self.mode < 4 { self.count } else { 0 };
            table[usize::from(stored.wrapping_sub(before))].wrapping_sub(if self.mode < 4 { 0 } else { self.count })
                == byte
        });
        self.bytes.push(stored.unwrap());
    }

    /// Writes a line, and then the lines that begin in the place of its first move.
    fn compact(&mut self, line: &[Step], board: &NumberedBoard) {
        let Some(step) = line.first() else { return self.put(END) };
        let lines = std::iter::once(line).chain(step.alternatives.iter().map(Vec::as_slice));
        for (nth, line) in lines.enumerate() {
            if nth < step.alternatives.len() {
                self.put(VARIATION);
            }
            let stored = stored(line[0].played);
            let is_castling = matches!(stored, StoredMove::Castle(_)) && matches!(self.mode, 10 | 11);
            let is_code = |code: &u8| !is_castling && board.one_byte(*code) == stored;
            match (0..TWO_BYTES).find(is_code) {
                Some(code) => self.put(code),
                None => {
                    self.put(TWO_BYTES);
                    let word = two_bytes(line[0].played, is_castling);
                    word.to_be_bytes().into_iter().for_each(|byte| self.put(byte));
                }
            }
            self.count = self.count.wrapping_add(1);
            let mut after = board.clone();
            after.play_stored(stored, &self.start.rooks);
            self.compact(&line[1..], &after);
        }
    }

    fn simple(&mut self, line: &[Step]) {
        let Some(step) = line.first() else { return };
        let lines = std::iter::once(line).chain(step.alternatives.iter().map(Vec::as_slice));
        for (nth, line) in lines.enumerate() {
            let mut word = two_bytes(line[0].played, false);
            if self.is_reversed {
                word = word & 0xF000 | (word & 63) << 6 | word >> 6 & 63;
            }
            word |= u16::from(nth < step.alternatives.len()) << 15 | u16::from(line.len() == 1) << 14;
            word.to_be_bytes().into_iter().for_each(|byte| self.put(byte));
            self.count = self.count.wrapping_add(1);
            self.simple(&line[1..]);
        }
    }
}

/// Returns a move as it is stored.
fn stored(played: Move) -> StoredMove {
    match played {
        Move::Normal { from, to, promotion, .. } => StoredMove::Piece { from, to, promotion },
        Move::EnPassant { from, to } => StoredMove::Piece { from, to, promotion: None },
        Move::Castle { king, rook } => StoredMove::Castle(CastlingSide::of(king, rook)),
        Move::Null => StoredMove::Pass,
        Move::Drop { .. } => panic!("no move of chess"),
    }
}

/// Returns a move in two bytes. In Chess960, castling is a move from the target of the king to itself.
fn two_bytes(played: Move, is_chess960: bool) -> u16 {
    let (from, to) = match played {
        Move::Null => (Square::A1, Square::A1),
        Move::Castle { .. } if is_chess960 => (played.to().unwrap(), played.to().unwrap()),
        _ => (played.from().unwrap(), played.to().unwrap()),
    };
    let role = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
    let role = played.promotion().and_then(|promotion| role.iter().position(|other| *other == promotion)).unwrap_or(0);
    u16::from(number(from)) | u16::from(number(to)) << 6 | u16::try_from(role).unwrap() << 12
}

/// Returns an archive of files, each in blocks that are compressed in different ways.
pub(super) fn archive(name: &str, files: &[(&'static str, Vec<u8>)]) -> Vec<u8> {
    let mut list = Vec::new();
    let mut data = Vec::new();
    let start = 8 + 173 * files.len();
    for (nth, (ending, bytes)) in files.iter().enumerate() {
        let packed: Vec<u8> =
            bytes.chunks(900).enumerate().flat_map(|(block, bytes)| packed(bytes, nth + block)).collect();
        let numbers = [start + data.len(), packed.len(), bytes.len()].map(|number| u64::try_from(number).unwrap());
        let mut entry = format!("{name}.{ending}").into_bytes();
        entry.resize(128, 0);
        entry.extend(numbers.iter().flat_map(|number| u32::try_from(*number).unwrap().to_le_bytes()));
        entry.extend([0; 9]);
        entry.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        list.extend(entry);
        data.extend(packed);
    }
    let count = u16::try_from(files.len()).unwrap().to_le_bytes();
    [&[8, 0][..], &count, &[0xAD, 0, 3, 0], &list, &data].concat()
}

/// Returns a block of text.
fn packed(text: &[u8], method: usize) -> Vec<u8> {
    let words = || {
        // Bytes, and a run of each zero byte and those behind it.
        let mut words = Vec::new();
        for chunk in text.chunks(16) {
            words.extend([0, 0]);
            words.extend(chunk);
        }
        words
    };
    let codes = |text: &[u8]| {
        // All values have codes of eight bits.
        let mut bits: Vec<u8> = Vec::new();
        let length = u16::try_from(text.len()).unwrap();
        bits.extend((0..16).rev().map(|bit| (length >> bit & 1) as u8));
        let byte = |value: u8| (0..8).rev().map(move |bit| value >> bit & 1);
        (0..=u8::MAX).for_each(|value| bits.extend([1, 0, 0, 0].into_iter().chain(byte(value))));
        text.iter().for_each(|value| bits.extend(byte(*value)));
        bits.chunks(8).map(|bits| bits.iter().chain([0; 8].iter()).take(8).fold(0, |all, bit| all << 1 | bit)).collect()
    };
    let payload: Vec<u8> = match method % 4 {
        0 => [&[0][..], text].concat(),
        1 => [&[1][..], &words()].concat(),
        2 => [vec![2], codes(text)].concat(),
        _ => [vec![3], codes(&words())].concat(),
    };
    [&u16::try_from(payload.len()).unwrap().to_le_bytes()[..], &[0xA5, 0xA5], &payload].concat()
}

/// Bytes in memory.
#[derive(Debug)]
pub(super) struct Memory(pub(super) Vec<u8>);

impl pgn2fen_bytes::RandomAccess for Memory {
    fn length(&self) -> io::Result<u64> {
        Ok(self.0.len() as u64)
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let at = usize::try_from(offset).unwrap_or(usize::MAX).min(self.0.len());
        io::Read::read(&mut &self.0[at..], buffer)
    }
}

impl Memory {
    pub(super) fn shared(bytes: Vec<u8>) -> Arc<dyn pgn2fen_bytes::RandomAccess> {
        Arc::new(Self(bytes))
    }
}
