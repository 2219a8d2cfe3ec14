//! Writes the first field of a FEN, the board, and reuses the text of the ranks that a move did not change.

use crate::board::Board;
use crate::square::Square;

/// The text of a board by rank. A move changes the text of one or two ranks.
#[derive(Clone)]
pub(super) struct BoardText {
    /// The piece letters from which `ranks` was written, in the format of [`Board::letters`].
    letters: [u64; 8],
    /// The text of each rank, the first rank first.
    ranks: [RankText; 8],
}

impl BoardText {
    /// The text of the empty board.
    pub(super) const EMPTY: Self = Self { letters: [0; 8], ranks: [RankText::EMPTY; 8] };

    /// Updates the text to that of `board`.
    #[inline(never)]
    pub(super) fn update(&mut self, board: &Board) {
        for rank in 0..8 {
            if self.letters[rank] != board.letters()[rank] {
                self.write_rank(rank, board);
            }
        }
    }

    /// Updates the text to that of `board`, if it was the text before a piece moved from one square to another.
    #[inline(always)]
    pub(super) fn update_squares(&mut self, from: Square, to: Square, board: &Board) {
        self.write_rank(from.index() / 8, board);
        // If both squares are on one rank, writing it twice costs less than a mispredicted branch.
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

/// The text of a rank and the slash after it, in a word of which the low `len` bytes count. If the text fills all eight
/// bytes, the slash is not in the word, but `len` includes it: the writer has put a slash there already.
#[derive(Clone, Copy, Debug)]
pub(super) struct RankText {
    pub(super) word: u64,
    pub(super) len: usize,
}

impl RankText {
    /// The text of an empty rank.
    const EMPTY: Self = Self { word: u64::from_le_bytes(*b"8/\0\0\0\0\0\0"), len: 2 };

    /// Returns the text of a rank. `letters` has one byte for each square, file a lowest, and 0 for an empty square.
    /// `occupied` has one bit for each square, file a lowest.
    ///
    /// The text is built in one word without branches. First, the digit of each gap is put at the first square of the
    /// gap. Then the bytes of the other empty squares are removed in three steps. A table, indexed by the 256 possible
    /// occupancies of a rank, holds the digits and the bytes to move in each step.
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

/// The changes that turn the letters of a rank into text, for one occupancy of the rank.
#[derive(Clone, Copy)]
struct Gaps {
    /// The digit of each gap, in the byte of the first square of the gap.
    digits: u64,
    /// The masks of the bytes that move down by one, then by two, then by four bytes.
    moving: [u64; 3],
    /// The slash, in the byte after the text; 0 if the text fills all eight bytes.
    slash: u64,
    /// The length of the text and the slash, in bytes.
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
    /// Keeps the byte of this square as the next byte of the text.
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
    use crate::board::Board;
    use crate::piece::Piece;
    use crate::square::{File, Rank, Square};

    /// Compares the text of every occupancy of a rank, with all kinds of pieces in turn, with a text that is built
    /// letter by letter.
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
