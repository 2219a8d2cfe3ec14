//! The text of the first field, of which most outlasts a move.

use crate::chess::board::Board;
use crate::chess::square::Square;

/// The text of a board, rank by rank. A move changes one rank or two.
#[derive(Clone)]
pub(super) struct BoardText {
    /// The letters of the men whose text this is, as the board has them.
    letters: [u64; 8],
    /// Their text, the first rank first.
    ranks: [RankText; 8],
}

impl BoardText {
    /// The text of the empty board.
    pub(super) const EMPTY: Self = Self { letters: [0; 8], ranks: [RankText::EMPTY; 8] };

    /// Makes this the text of `board`.
    #[inline(never)]
    pub(super) fn update(&mut self, board: &Board) {
        for rank in 0..8 {
            if self.letters[rank] != board.letters()[rank] {
                self.write_rank(rank, board);
            }
        }
    }

    /// Makes this the text of `board`, if it was that of the board before a man went from one square to another.
    #[inline(always)]
    pub(super) fn update_squares(&mut self, from: Square, to: Square, board: &Board) {
        self.write_rank(from.index() / 8, board);
        // If it is the same rank, to write it again costs less than to guess whether it is.
        self.write_rank(to.index() / 8, board);
    }

    #[inline(always)]
    fn write_rank(&mut self, rank: usize, board: &Board) {
        let letters = board.letters()[rank];
        let occupied = board.occupied().0 >> (8 * rank) & 0xff;
        self.letters[rank] = letters;
        self.ranks[rank] = RankText::new(letters, occupied as usize);
    }

    #[inline]
    pub(super) fn ranks_from_the_eighth(&self) -> impl Iterator<Item = &RankText> {
        self.ranks.iter().rev()
    }
}

/// The text of a rank and the slash after it: a word, of which the low `len` bytes count. If the text needs all eight bytes
/// the slash is not in the word, but is counted: the writer has it there already.
#[derive(Clone, Copy, Debug)]
pub(super) struct RankText {
    pub(super) word: u64,
    pub(super) len: usize,
}

impl RankText {
    /// The text of a rank without men.
    const EMPTY: Self = Self { word: u64::from_le_bytes(*b"8/\0\0\0\0\0\0"), len: 2 };

    /// The text of a rank with these letters: in each byte that of a square, file a in the low byte, and 0 for an empty one;
    /// and the same squares as bits, file a in the low bit.
    ///
    /// The text is made in one word. To the letters come, at the first square of each gap, the digits; what is left are the
    /// other squares of the gaps, which are squeezed out in three steps. Where the digits are, and which bytes move how
    /// far, is told by a table of the 256 ways in which a rank can be occupied.
    #[inline]
    fn new(letters: u64, occupied: usize) -> Self {
        let gaps = &GAPS[occupied];
        let mut word = letters | gaps.digits;
        for (step, mask) in gaps.moving.into_iter().enumerate() {
            let moving = word & mask;
            word = (word ^ moving) | moving >> (8 << step);
        }
        Self { word: word | gaps.slash, len: gaps.len }
    }
}

/// What becomes of the empty squares of a rank.
#[derive(Clone, Copy)]
struct Gaps {
    /// The digit of each gap, in the byte of its first square.
    digits: u64,
    /// The bytes that move down by one, then by two, then by four.
    moving: [u64; 3],
    /// The slash, in the byte after the text if that is one of eight.
    slash: u64,
    /// The bytes of text and slash.
    len: usize,
}

static GAPS: [Gaps; 256] = {
    let mut table = [gaps(0); 256];
    let mut occupied = 0;
    while occupied < 256 {
        table[occupied] = gaps(occupied);
        occupied += 1;
    }
    table
};

const fn gaps(occupied: usize) -> Gaps {
    let mut gaps = Gaps { digits: 0, moving: [0; 3], slash: 0, len: 0 };
    let mut square = 0;
    while square < 8 {
        let first = square;
        while square < 8 && occupied >> square & 1 == 0 {
            square += 1;
        }
        let gap = square - first;
        if gap > 0 {
            gaps.digits |= (b'0' as u64 + gap) << (8 * first);
            gaps.keep(first);
        }
        if square < 8 {
            gaps.keep(square);
            square += 1;
        }
    }
    if gaps.len < 8 {
        gaps.slash = (b'/' as u64) << (8 * gaps.len);
    }
    gaps.len += 1;
    gaps
}

impl Gaps {
    /// Has the byte of this square go to the next place of the text.
    const fn keep(&mut self, square: u64) {
        let distance = square - self.len as u64;
        let mut place = square;
        let mut step = 0;
        while step < 3 {
            if distance >> step & 1 == 1 {
                self.moving[step] |= 0xff << (8 * place);
                place -= 1 << step;
            }
            step += 1;
        }
        self.len += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::BoardText;
    use crate::chess::board::Board;
    use crate::chess::piece::Piece;
    use crate::chess::square::{File, Rank, Square};

    /// Every way to occupy a rank, with all sorts of men in turn, against the text made letter by letter.
    #[test]
    fn a_rank_is_letters_and_counts_of_empty_squares() {
        let men: Vec<Piece> = "PNBRQKpnbrqk".chars().filter_map(Piece::from_char).collect();
        let mut text = BoardText::EMPTY;
        for (occupied, turn) in (0..256).flat_map(|occupied| (0..12).map(move |turn| (occupied, turn))) {
            let (mut board, mut expected, mut gap) = (Board::EMPTY, String::new(), 0);
            for file in File::ALL {
                if occupied >> file.index() & 1 == 0 {
                    gap += 1;
                    continue;
                }
                let piece = men[(file.index() + turn) % 12];
                board.set(Square::new(file, Rank::Eighth), piece);
                if gap > 0 {
                    expected += &gap.to_string();
                    gap = 0;
                }
                expected.push(piece.char());
            }
            if gap > 0 {
                expected += &gap.to_string();
            }
            text.update(&board);
            let rank = text.ranks_from_the_eighth().next().expect("eight ranks");
            let mut written = [b'/'; 9];
            written[..8].copy_from_slice(&rank.word.to_le_bytes());
            assert_eq!(String::from_utf8_lossy(&written[..rank.len]), expected + "/");
        }
    }
}
