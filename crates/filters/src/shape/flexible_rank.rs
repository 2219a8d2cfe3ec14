//! A rank of a pattern with several `*`.

use crate::shape::contents::{Allowed, Contents};
use crate::shape::parts::PatternPart;
use pgn2fen_chess::bitboard::Bitboard;
use pgn2fen_chess::board::Board;
use pgn2fen_chess::piece::Piece;
use pgn2fen_chess::square::Rank;

/// The conditions on the squares between the first and the last `*` of a rank.
///
/// These squares form runs, with a `*` between one run and the next. A run may begin on any square behind the run
/// before it. If each run takes the first place where it fits, all of them fit if that is possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FlexibleRank {
    rank: Rank,
    /// The number of squares before the first `*`.
    before: u8,
    /// The number of files up to the squares behind the last `*`.
    end: u8,
    runs: Box<[Run]>,
    commonness: usize,
}

/// A piece that must stand on one of some squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Needed {
    piece: Piece,
    squares: Bitboard,
}

impl Needed {
    #[inline]
    pub(super) fn stands(&self, board: &Board) -> bool {
        !(board.by_piece(self.piece) & self.squares).is_empty()
    }
}

/// The squares between two `*`. There is at least one.
type Run = Box<[Allowed]>;

/// The files of a rank, file a in the lowest bit.
const FILES: u64 = 0xff;

impl FlexibleRank {
    /// Creates the conditions for the parts between the first and the last `*` of a rank, with these numbers of squares
    /// before and behind.
    pub(super) fn new(rank: Rank, before: usize, between: &[PatternPart], behind: usize) -> Self {
        let contents = |part: &PatternPart| match part {
            PatternPart::Square(contents) => *contents,
            PatternPart::Any => Contents::ANYTHING,
        };
        let runs = between.split(|part| *part == PatternPart::Any).filter(|run| !run.is_empty());
        let commonness = between.iter().map(|part| contents(part).commonness(rank)).min().unwrap_or(usize::MAX);
        let squares = |count: usize| u8::try_from(count.min(8)).unwrap_or(8);
        Self {
            rank,
            before: squares(before),
            end: 8 - squares(behind),
            runs: runs.map(|run| run.iter().map(|part| Allowed::new(contents(part))).collect()).collect(),
            commonness,
        }
    }

    /// Returns a number that is the greater, the more likely boards are to meet the conditions.
    pub(super) fn commonness(&self) -> usize {
        self.commonness
    }

    /// Returns the pieces that the runs need, each somewhere on the rank.
    pub(super) fn needed(&self) -> impl Iterator<Item = Needed> {
        let squares = Bitboard::from(self.rank);
        self.runs.iter().flatten().filter_map(move |allowed| match allowed {
            Allowed::Piece(piece) => Some(Needed { piece: *piece, squares }),
            _ => None,
        })
    }

    pub(super) fn holds(&self, board: &Board) -> bool {
        let rank = self.rank.index() * 8;
        let files = |squares: Bitboard| squares.0 >> rank & FILES;
        let mut free = usize::from(self.before);
        for run in &self.runs {
            // The files on which the run may begin. No square of it is beyond the rank.
            let mut starts = FILES << free;
            for (at, allowed) in run.iter().enumerate() {
                starts &= files(allowed.squares(board)) >> at;
            }
            if starts == 0 {
                return false;
            }
            free = starts.trailing_zeros() as usize + run.len();
        }
        free <= usize::from(self.end)
    }
}

#[cfg(test)]
mod tests {
    use super::FlexibleRank;
    use crate::shape::contents::Contents;
    use crate::shape::parts::PatternPart;
    use pgn2fen_chess::board::Board;
    use pgn2fen_chess::piece::{Color, Role};
    use pgn2fen_chess::square::{File, Rank, Square};

    /// Whether the parts fit on the files from `from` to `end` of a rank with these contents, with all places tried.
    fn fits(parts: &[PatternPart], rank: &[Contents; 8], from: usize, end: usize) -> bool {
        match parts {
            [] => from == end,
            [PatternPart::Any, rest @ ..] => (from..=end).any(|from| fits(rest, rank, from, end)),
            [PatternPart::Square(contents), rest @ ..] => {
                from < end && rank[from].is_within(*contents) && fits(rest, rank, from + 1, end)
            }
        }
    }

    #[test]
    fn runs_take_the_places_that_a_slow_reader_finds() {
        let pawn = Contents::of_piece(Role::Pawn.of(Color::White));
        let symbols = [
            PatternPart::Any,
            PatternPart::Square(pawn),
            PatternPart::Square(Contents::EMPTY),
            PatternPart::Square(Contents::ANYTHING),
        ];
        let boards: Vec<(Board, [Contents; 8])> = (0..256)
            .map(|pawns| {
                let mut board = Board::EMPTY;
                let mut rank = [Contents::EMPTY; 8];
                for file in File::ALL.into_iter().filter(|file| pawns >> file.index() & 1 == 1) {
                    board.set(Square::new(file, Rank::Third), Role::Pawn.of(Color::White));
                    rank[file.index()] = pawn;
                }
                (board, rank)
            })
            .collect();
        for code in 0..4usize.pow(5) {
            let between: Vec<PatternPart> = (0..5).map(|at| symbols[code >> (2 * at) & 3]).collect();
            let around: Vec<PatternPart> = [&[PatternPart::Any], &between[..], &[PatternPart::Any]].concat();
            for (before, behind) in [(0, 0), (0, 2), (1, 0), (2, 1)] {
                let flexible = FlexibleRank::new(Rank::Third, before, &between, behind);
                for (board, rank) in boards.iter().skip(code % 5).step_by(5) {
                    let holds = flexible.holds(board);
                    assert_eq!(holds, fits(&around, rank, before, 8 - behind), "{around:?} {board:?}");
                    assert!(!holds || flexible.needed().all(|needed| needed.stands(board)), "{around:?} {board:?}");
                }
            }
        }
    }
}
