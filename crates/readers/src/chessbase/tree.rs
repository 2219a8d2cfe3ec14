//! The moves of a game as a tree, decoded from their record.
//!
//! A byte is a move of a numbered piece, or a mark. Where a line has alternatives, a mark stands before each move but
//! the last one. Behind a mark the whole line follows up to its end, then the next alternative. So the nodes stand in
//! the order of the record: the next move of a line is the next node.
//!
//! Bytes are substituted, and the number of moves before is subtracted from them, before or after the substitution.
//! In some modes each move has two bytes with its squares and the marks.

use pgn2fen_chess::castling::CastlingSide;
use pgn2fen_chess::piece::{Color, Piece, Role};
use pgn2fen_chess::square::Square;

use crate::chessbase::board::{Man, NumberedBoard, square};
use crate::chessbase::start::Start;
use crate::chessbase::tables::substitution;

/// The greatest depth of variations in variations. Readers of their text skip deeper ones.
pub(super) const DEEPEST: usize = 256;

/// The greatest number of alternatives that follow later, at any place.
const MOST_OPEN: usize = 10_000;

/// The bytes that are no moves of a piece.
const PASS: u8 = 0;
pub(super) const TWO_BYTES: u8 = 235;
pub(super) const NOTHING: u8 = 236;
pub(super) const VARIATION: u8 = 254;
pub(super) const END: u8 = 255;

/// A move as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StoredMove {
    Piece {
        from: Square,
        to: Square,
        promotion: Option<Role>,
    },
    Castle(CastlingSide),
    Pass,
    /// No move: the byte, or the first of two.
    None(u8),
}

/// A move in the form in which a [`Tree`] keeps it: as it is stored, or as its word.
pub(super) trait Kept: Copy {
    /// Returns what is kept of a move on a board. `None` is damage.
    fn of(stored: StoredMove, board: &NumberedBoard) -> Option<Self>;
}

impl Kept for StoredMove {
    fn of(stored: StoredMove, _: &NumberedBoard) -> Option<Self> {
        Some(stored)
    }
}

/// A node of the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<K> {
    pub(super) kept: K,
    /// Whether the line ends here.
    pub(super) is_last: bool,
    /// The node of the next alternative to this move; 0 if there is none.
    pub(super) alternative: u32,
}

/// The moves of a game.
#[derive(Debug)]
pub(super) struct Tree<K = StoredMove> {
    pub(super) nodes: Vec<Node<K>>,
    /// The damage of the record as a whole, as the end of a word for messages.
    pub(super) damage: Option<&'static str>,
    open: Vec<Place>,
}

/// A place from which moves go on.
#[derive(Clone, Debug)]
struct Place {
    board: NumberedBoard,
    /// The last move that was made from here.
    sibling: Option<usize>,
}

/// How the moves of a game are stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mode {
    table: &'static [u8; 256],
    /// Whether each move has two bytes.
    pub(super) is_simple: bool,
    /// Whether the number of moves before is subtracted from a byte before it is substituted.
    counts_before: bool,
    pub(super) is_reversed: bool,
    pub(super) is_chess960: bool,
}

impl Mode {
    /// Returns a mode by its number. The error completes a word for messages.
    pub(super) fn new(number: u8) -> Result<Self, String> {
        let is_chess960 = matches!(number, 10 | 11);
        let table = substitution(number).ok_or_else(|| match number {
            8 | 9 => "it-is-a-game-of-losing-chess".to_owned(),
            12..=19 => "it-is-a-game-of-another-variant-of-chess".to_owned(),
            _ => format!("its-moves-are-stored-in-the-unknown-mode-{number}"),
        })?;
        let is_simple = !is_chess960 && number & 1 == 1;
        let is_reversed = if is_chess960 { number == 11 } else { number & 2 != 0 };
        Ok(Self { table, is_simple, counts_before: number < 4, is_reversed, is_chess960 })
    }

    /// Returns the meaning of a byte.
    #[inline]
    pub(super) fn decode(self, byte: u8, count: u8) -> u8 {
        if self.counts_before {
            self.table[usize::from(byte.wrapping_sub(count))]
        } else {
            self.table[usize::from(byte)].wrapping_sub(count)
        }
    }
}

impl<K> Default for Tree<K> {
    fn default() -> Self {
        Self { nodes: Vec::new(), damage: None, open: Vec::new() }
    }
}

impl<K: Kept> Tree<K> {
    /// Decodes the moves behind the start of a game.
    pub(super) fn decode(&mut self, bytes: &[u8], mode: Mode, start: &Start) {
        self.nodes.clear();
        self.open.clear();
        self.damage = None;
        let place = Place { board: start.board(mode.is_reversed), sibling: None };
        let mut reader = TreeReader { tree: self, place, rooks: &start.rooks, count: 0 };
        let damage = if mode.is_simple { reader.read_simple(bytes, mode) } else { reader.read(bytes, mode) };
        self.damage = damage.err();
        if let Some(node) = self.nodes.last_mut() {
            node.is_last = true;
        }
    }

    /// Returns the nodes of the main line.
    pub(super) fn main_line(&self) -> impl Iterator<Item = &Node<K>> {
        let length = self.nodes.iter().position(|node| node.is_last).map_or(self.nodes.len(), |last| last + 1);
        self.nodes[..length].iter()
    }
}

struct TreeReader<'t, K> {
    tree: &'t mut Tree<K>,
    place: Place,
    rooks: &'t [[Option<Square>; 2]; 2],
    /// The number of moves so far, as far as it is subtracted.
    count: u8,
}

impl<K: Kept> TreeReader<'_, K> {
    fn read(&mut self, bytes: &[u8], mode: Mode) -> Result<(), &'static str> {
        let mut bytes = bytes.iter().copied();
        let mut is_branch = false;
        // Whether the last byte was a move, behind which a line can end.
        let mut is_line = true;
        loop {
            let byte = bytes.next().ok_or("its-moves-have-no-end")?;
            let stored = match mode.decode(byte, self.count) {
                NOTHING => continue,
                VARIATION if is_branch => return Err("a-variation-has-no-move"),
                VARIATION => {
                    is_branch = true;
                    continue;
                }
                END if is_branch || !is_line => return Err("a-variation-has-no-move"),
                END => {
                    if !self.end_line() {
                        break;
                    }
                    is_line = false;
                    continue;
                }
                TWO_BYTES => {
                    let mut next = || Some(mode.decode(bytes.next()?, self.count));
                    let word = next().zip(next()).ok_or("its-moves-have-no-end")?;
                    self.place.board.two_bytes(u16::from_be_bytes(word.into()))
                }
                code => self.place.board.one_byte(code),
            };
            self.add(stored, is_branch)?;
            (is_branch, is_line) = (false, true);
        }
        if bytes.next().is_some() { Err("bytes-follow-its-moves") } else { Ok(()) }
    }

    fn read_simple(&mut self, bytes: &[u8], mode: Mode) -> Result<(), &'static str> {
        // A game without a move has no mark for its end.
        let mut words = bytes.chunks(2);
        while let Some(bytes) = words.next() {
            let [high, low] = bytes else { return Err("its-moves-have-no-end") };
            let word = u16::from_be_bytes([high, low].map(|byte| mode.decode(*byte, self.count)));
            let stored = self.place.board.simple(word, mode.is_reversed);
            self.add(stored, word >> 15 == 1)?;
            if word >> 14 & 1 == 1 && !self.end_line() {
                return if words.next().is_some() { Err("bytes-follow-its-moves") } else { Ok(()) };
            }
        }
        if self.tree.nodes.is_empty() { Ok(()) } else { Err("its-moves-have-no-end") }
    }

    /// Adds a move. `is_branch` says that alternatives to it follow.
    fn add(&mut self, stored: StoredMove, is_branch: bool) -> Result<(), &'static str> {
        let nodes = &mut self.tree.nodes;
        let number = nodes.len();
        if let Some(sibling) = self.place.sibling.take() {
            nodes[sibling].alternative = u32::try_from(number).map_err(|_| "it-has-too-many-moves")?;
        }
        let kept = K::of(stored, &self.place.board).ok_or("it-has-a-move-that-cannot-be-kept")?;
        nodes.push(Node { kept, is_last: false, alternative: 0 });
        if is_branch {
            if self.tree.open.len() == MOST_OPEN {
                return Err("it-has-too-many-variations");
            }
            self.tree.open.push(Place { board: self.place.board.clone(), sibling: Some(number) });
        }
        self.count = self.count.wrapping_add(1);
        self.place.board.play_stored(stored, self.rooks);
        Ok(())
    }

    /// Ends a line. Returns whether an alternative follows.
    fn end_line(&mut self) -> bool {
        if let Some(node) = self.tree.nodes.last_mut() {
            node.is_last = true;
        }
        self.tree.open.pop().is_some_and(|place| {
            self.place = place;
            true
        })
    }
}

impl NumberedBoard {
    /// Plays a stored move. `rooks` are the first squares of the rooks by color and side.
    #[inline(always)]
    pub(super) fn play_stored(&mut self, stored: StoredMove, rooks: &[[Option<Square>; 2]; 2]) {
        match stored {
            StoredMove::Piece { from, to, promotion } => self.play(from, to, promotion),
            StoredMove::Castle(side) => {
                let color = self.turn;
                match (self.find(Man::new(Role::King.of(color), 0)), rooks[color.index()][side as usize]) {
                    (Some(king), Some(rook)) => {
                        self.castle([king, rook], [side.king_target(color), side.rook_target(color)]);
                    }
                    _ => self.pass(),
                }
            }
            StoredMove::Pass | StoredMove::None(_) => self.pass(),
        }
    }

    /// Returns the move of a byte.
    #[inline]
    pub(super) fn one_byte(&self, code: u8) -> StoredMove {
        match code {
            PASS => return StoredMove::Pass,
            9 => return StoredMove::Castle(CastlingSide::King),
            10 => return StoredMove::Castle(CastlingSide::Queen),
            _ => {}
        }
        self.way(code).map_or(StoredMove::None(code), |(from, to)| StoredMove::Piece { from, to, promotion: None })
    }

    /// Returns the squares of the move of a byte. None if there is no such piece, or no such square.
    #[inline]
    fn way(&self, code: u8) -> Option<(Square, Square)> {
        let Way { man, is_slider, files, ranks } = WAYS[self.turn.index()][usize::from(code)]?;
        let from = self.find(man)?;
        let file = (from.number() % 8).wrapping_add_signed(files);
        let rank = (from.number() / 8).wrapping_add_signed(ranks);
        // Sliders go around the board: a queen on b1 reaches a1 by seven files.
        (is_slider || (file | rank) < 8).then(|| (from, Square::wrapping((rank & 7) << 3 | file & 7)))
    }

    /// Returns the move of two bytes. In Chess960, castling is a move from the target of the king to itself.
    pub(super) fn two_bytes(&self, word: u16) -> StoredMove {
        let [from, to] = squares(word);
        match (from, to) {
            (Square::G1 | Square::G8, _) if from == to => StoredMove::Castle(CastlingSide::King),
            (Square::C1 | Square::C8, _) if from == to => StoredMove::Castle(CastlingSide::Queen),
            _ => self.between(from, to, word),
        }
    }

    /// Returns the move of two bytes in the modes that have no other moves.
    fn simple(&self, word: u16, is_reversed: bool) -> StoredMove {
        let [mut from, mut to] = squares(word);
        if is_reversed {
            (from, to) = (to, from);
        }
        let is_king = self.piece_at(from).is_some_and(|piece| piece.role == Role::King);
        match i16::from(to.number() % 8) - i16::from(from.number() % 8) {
            _ if word & 0xFFF == 0 => StoredMove::Pass,
            2 if is_king => StoredMove::Castle(CastlingSide::King),
            -2 if is_king => StoredMove::Castle(CastlingSide::Queen),
            _ => self.between(from, to, word),
        }
    }

    fn between(&self, from: Square, to: Square, word: u16) -> StoredMove {
        let is_pawn = self.piece_at(from).is_some_and(|piece| piece.role == Role::Pawn);
        let is_promotion = is_pawn && to.rank() == (!self.turn).back_rank();
        let roles = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
        let promotion = is_promotion.then(|| roles[usize::from(word >> 12 & 3)]);
        if self.piece_at(from).is_none() {
            return StoredMove::None((word >> 8) as u8);
        }
        StoredMove::Piece { from, to, promotion }
    }
}

/// Returns the two squares of a word.
fn squares(word: u16) -> [Square; 2] {
    // Six bits are a square.
    [word & 63, word >> 6 & 63].map(|number| square((number & 63) as u8).unwrap_or(Square::A1))
}

/// The move that a byte stands for: the piece, and by how many files and ranks it moves.
#[derive(Clone, Copy, Debug)]
struct Way {
    man: Man,
    is_slider: bool,
    files: i8,
    ranks: i8,
}

/// The meanings of all bytes, for both colors.
static WAYS: [[Option<Way>; 256]; 2] = {
    let mut ways = [[None; 256]; 2];
    let mut code = u8::MAX;
    while code > PASS {
        ways[0][code as usize] = way(code, Color::White);
        ways[1][code as usize] = way(code, Color::Black);
        code -= 1;
    }
    ways
};

/// The steps of a king, in files and ranks.
const DIRECTIONS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// The leaps of a knight, in files and ranks.
const LEAPS: [(i8, i8); 8] = [(2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1)];

/// The moves of a pawn in files and ranks: one step, two steps, a capture to its right, and one to its left.
const PAWN_WAYS: [(i8, i8); 4] = [(0, 1), (0, 2), (1, 1), (-1, 1)];

/// Returns the meaning of a byte. None if it is no move of a piece.
const fn way(code: u8, color: Color) -> Option<Way> {
    let (first, role, number) = match code {
        1..=8 => (1, Role::King, 0),
        11..=38 => (11, Role::Queen, 0),
        39..=52 => (39, Role::Rook, 0),
        53..=66 => (53, Role::Rook, 1),
        67..=80 => (67, Role::Bishop, 0),
        81..=94 => (81, Role::Bishop, 1),
        95..=102 => (95, Role::Knight, 0),
        103..=110 => (103, Role::Knight, 1),
        111..=142 => (111 + (code - 111) / 4 * 4, Role::Pawn, (code - 111) / 4),
        143..=170 => (143, Role::Queen, 1),
        171..=198 => (171, Role::Queen, 2),
        199..=212 => (199, Role::Rook, 2),
        213..=226 => (213, Role::Bishop, 2),
        227..=234 => (227, Role::Knight, 2),
        _ => return None,
    };
    let nth = code - first;
    let steps = (nth % 7 + 1) as i8;
    let forward = match color {
        Color::White => 1,
        Color::Black => -1,
    };
    let (files, ranks) = match role {
        Role::King => DIRECTIONS[nth as usize],
        Role::Knight => LEAPS[nth as usize],
        Role::Pawn => (forward * PAWN_WAYS[nth as usize].0, forward * PAWN_WAYS[nth as usize].1),
        _ => match nth / 7 + if matches!(role, Role::Bishop) { 2 } else { 0 } {
            0 => (0, steps),
            1 => (steps, 0),
            2 => (steps, steps),
            _ => (steps, -steps),
        },
    };
    let is_slider = matches!(role, Role::Bishop | Role::Rook | Role::Queen);
    Some(Way { man: Man::new(Piece { color, role }, number), is_slider, files, ranks })
}
