//! The squares that a piece attacks, with or without blocking pieces, and the lines between squares.
//!
//! Each function is a look-up in a table that is computed at compile time, or a few instructions on such a table.

use crate::bitboard::Bitboard;
use crate::piece::{Color, Piece, Role};
use crate::square::Square;

/// Returns the squares that a king attacks.
#[inline]
pub(crate) const fn king(sq: Square) -> Bitboard {
    VIEWS[sq.index()].king
}

/// Returns the squares that a knight attacks.
#[inline]
pub(crate) const fn knight(sq: Square) -> Bitboard {
    VIEWS[sq.index()].knight
}

/// Returns the squares that a pawn attacks, whether or not they are occupied.
#[inline]
pub(crate) const fn pawn(color: Color, sq: Square) -> Bitboard {
    VIEWS[sq.index()].pawn[color.index()]
}

/// Returns the squares that a bishop attacks on an otherwise empty board.
#[inline]
pub(crate) const fn bishop_rays(sq: Square) -> Bitboard {
    VIEWS[sq.index()].bishop_rays
}

/// Returns the squares that a rook attacks on an otherwise empty board.
#[inline]
pub(crate) const fn rook_rays(sq: Square) -> Bitboard {
    VIEWS[sq.index()].rook_rays
}

/// Returns the squares that a bishop attacks. On each diagonal, the first occupied square is the last one attacked.
#[inline]
pub(crate) fn bishop(sq: Square, occupied: Bitboard) -> Bitboard {
    let [_, _, rising, falling] = &LINES[sq.index()];
    rising.visible(occupied) | falling.visible(occupied)
}

/// Returns the squares that a rook attacks. On each line, the first occupied square is the last one attacked.
#[inline]
pub(crate) fn rook(sq: Square, occupied: Bitboard) -> Bitboard {
    let [rank, file, _, _] = &LINES[sq.index()];
    rank.visible(occupied) | file.visible(occupied)
}

/// Returns the squares that a queen attacks: those of a bishop and of a rook.
#[inline]
pub(crate) fn queen(sq: Square, occupied: Bitboard) -> Bitboard {
    bishop(sq, occupied) | rook(sq, occupied)
}

/// Returns the squares that `piece` attacks from `sq`.
#[inline]
pub fn of(piece: Piece, sq: Square, occupied: Bitboard) -> Bitboard {
    match piece.role {
        Role::Pawn => pawn(piece.color, sq),
        Role::Knight => knight(sq),
        Role::Bishop => bishop(sq, occupied),
        Role::Rook => rook(sq, occupied),
        Role::Queen => queen(sq, occupied),
        Role::King => king(sq),
    }
}

/// Returns the empty squares to which a pawn can advance: one square, or two from the rank where it starts.
#[inline]
pub fn pawn_steps(color: Color, sq: Square, occupied: Bitboard) -> Bitboard {
    let free = !occupied.0;
    let step = |from: u64| color.pick(from << 8, from >> 8) & free;
    let pawn = Bitboard::from(sq).0;
    let starting = pawn & Bitboard::from(color.pawn_rank()).0;
    Bitboard(step(pawn) | step(step(starting)))
}

/// Returns the squares that a piece attacks on an otherwise empty board; none for a pawn.
#[doc(hidden)]
#[inline]
pub const fn on_empty_board(role: Role, sq: Square) -> Bitboard {
    match role {
        Role::Pawn => Bitboard::EMPTY,
        Role::Knight => knight(sq),
        Role::Bishop => bishop_rays(sq),
        Role::Rook => rook_rays(sq),
        Role::Queen => Bitboard(bishop_rays(sq).0 | rook_rays(sq).0),
        Role::King => king(sq),
    }
}

/// Returns the squares strictly between two squares of one rank, file or diagonal; empty if the two share none.
#[doc(hidden)]
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// Returns the whole rank, file or diagonal through two squares, from edge to edge; empty if the two share none.
#[inline]
pub(crate) fn line(a: Square, b: Square) -> Bitboard {
    // The rays of one kind from two squares of a line both cover that line, except for the two squares.
    let ends = Bitboard::from(a) | Bitboard::from(b);
    if a != b && rook_rays(a).contains(b) {
        rook_rays(a) & rook_rays(b) | ends
    } else if a != b && bishop_rays(a).contains(b) {
        bishop_rays(a) & bishop_rays(b) | ends
    } else {
        Bitboard::EMPTY
    }
}

/// One line through a square, without the square: the squares below it and those above it in the order a1 to h8.
struct Ray {
    below: u64,
    above: u64,
}

impl Ray {
    /// Returns the squares that a sliding piece attacks along the line, up to the nearest piece on either side.
    ///
    /// Twice the nearest bit above minus the nearest bit below sets every bit from the one to the other. If nothing is
    /// above, the subtraction wraps around and reaches bit 63 (obstruction difference). This needs no branch and no
    /// magic multiplication, and the tables for the four lines of a square fit in one cache line.
    #[inline]
    fn visible(&self, occupied: Bitboard) -> Bitboard {
        let nearest_below = 1 << (63 - (self.below & occupied.0 | 1).leading_zeros());
        let above = self.above & occupied.0;
        let nearest_above = above & above.wrapping_neg();
        Bitboard((nearest_above << 1).wrapping_sub(nearest_below) & (self.below | self.above))
    }
}

/// The squares that each piece attacks from one square of an otherwise empty board, together in one cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Views {
    king: Bitboard,
    knight: Bitboard,
    /// The attacks of a white pawn and of a black one.
    pawn: [Bitboard; 2],
    bishop_rays: Bitboard,
    rook_rays: Bitboard,
}

static VIEWS: [Views; 64] = views();
static LINES: [[Ray; 4]; 64] = lines();
static BETWEEN: [[Bitboard; 64]; 64] = all_between();

/// The direction of each kind of line, upwards in the order a1 to h8: along the rank, the file, and the two diagonals.
const UPWARD: [(i8, i8); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

const fn views() -> [Views; 64] {
    let king = leaps(&[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)]);
    let knight = leaps(&[(-1, -2), (1, -2), (-2, -1), (2, -1), (-2, 1), (2, 1), (-1, 2), (1, 2)]);
    let pawn = [leaps(&[(-1, 1), (1, 1)]), leaps(&[(-1, -1), (1, -1)])];
    let (bishop, rook) = (rays(2), rays(0));
    let none = Bitboard::EMPTY;
    let mut views = [Views { king: none, knight: none, pawn: [none; 2], bishop_rays: none, rook_rays: none }; 64];
    let mut i = 0;
    while i < 64 {
        let pawn = [pawn[0][i], pawn[1][i]];
        views[i] = Views { king: king[i], knight: knight[i], pawn, bishop_rays: bishop[i], rook_rays: rook[i] };
        i += 1;
    }
    views
}

const fn leaps(steps: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < steps.len() {
            if let Some(to) = Square::wrapping(from).offset(steps[i].0, steps[i].1) {
                table[from as usize] = table[from as usize].with(to);
            }
            i += 1;
        }
        from += 1;
    }
    table
}

const fn ray(from: Square, files: i8, ranks: i8) -> u64 {
    let mut ray = Bitboard::EMPTY;
    let mut sq = from;
    while let Some(next) = sq.offset(files, ranks) {
        ray = ray.with(next);
        sq = next;
    }
    ray.0
}

const fn lines() -> [[Ray; 4]; 64] {
    let mut table = [const { [const { Ray { below: 0, above: 0 } }; 4] }; 64];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < 4 {
            let (files, ranks) = UPWARD[i];
            let sq = Square::wrapping(from);
            table[from as usize][i] = Ray { below: ray(sq, -files, -ranks), above: ray(sq, files, ranks) };
            i += 1;
        }
        from += 1;
    }
    table
}

/// Computes the rays in both directions along two of the four kinds of line: 0 for a rook's, 2 for a bishop's.
const fn rays(first_line: usize) -> [Bitboard; 64] {
    let lines = lines();
    let mut table = [Bitboard::EMPTY; 64];
    let mut from = 0;
    while from < 64 {
        let (a, b) = (&lines[from][first_line], &lines[from][first_line + 1]);
        table[from] = Bitboard(a.below | a.above | b.below | b.above);
        from += 1;
    }
    table
}

const fn all_between() -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut i = 0;
        while i < 8 {
            let (files, ranks) = UPWARD[i / 2];
            let way = if i % 2 == 0 { 1 } else { -1 };
            let mut passed = Bitboard::EMPTY;
            let mut sq = Square::wrapping(a);
            while let Some(b) = sq.offset(way * files, way * ranks) {
                table[a as usize][b.index()] = passed;
                passed = passed.with(b);
                sq = b;
            }
            i += 1;
        }
        a += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::{between, bishop, bishop_rays, king, knight, line, pawn, pawn_steps, queen, rook, rook_rays};
    use crate::bitboard::Bitboard;
    use crate::piece::Color;
    use crate::square::Square;

    #[track_caller]
    fn check(attacked: Bitboard, expected: &str) {
        let squares: Vec<String> = attacked.into_iter().map(|sq| sq.to_string()).collect();
        assert_eq!(squares.join(" "), expected);
    }

    #[test]
    fn leapers_stay_on_the_board() {
        check(king(Square::A1), "b1 a2 b2");
        check(king(Square::H5), "g4 h4 g5 g6 h6");
        check(knight(Square::B1), "d2 a3 c3");
        check(knight(Square::H8), "g6 f7");
        check(pawn(Color::White, Square::A2), "b3");
        check(pawn(Color::Black, Square::E4), "d3 f3");
        check(pawn(Color::White, Square::E8), "");
    }

    #[test]
    fn sliders_see_the_first_man_and_nothing_behind() {
        let men = [Square::A4, Square::E2, Square::E6, Square::E7, Square::G4, Square::H1, Square::B7];
        let occupied = men.into_iter().collect();
        check(rook(Square::E4, occupied), "e2 e3 a4 b4 c4 d4 f4 g4 e5 e6");
        check(bishop(Square::E4, occupied), "b1 h1 c2 g2 d3 f3 d5 f5 c6 g6 b7 h7");
    }

    #[test]
    fn a_slider_agrees_with_a_walk_along_his_lines() {
        // The steps meet every square and many occupancies. The numbers have no further meaning.
        let mut occupied = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..200 {
            occupied = occupied.wrapping_mul(0x5851_f42d_4c95_7f2d).rotate_left(17) ^ 0x2545_f491;
            for sq in Bitboard::FULL {
                let occupied = Bitboard(occupied);
                assert_eq!(rook(sq, occupied), walk(sq, occupied, &[(0, 1), (1, 0), (0, -1), (-1, 0)]));
                assert_eq!(bishop(sq, occupied), walk(sq, occupied, &[(1, 1), (1, -1), (-1, 1), (-1, -1)]));
                assert_eq!(queen(sq, occupied), rook(sq, occupied) | bishop(sq, occupied));
            }
        }
    }

    fn walk(from: Square, occupied: Bitboard, ways: &[(i8, i8)]) -> Bitboard {
        let mut seen = Bitboard::EMPTY;
        for &(files, ranks) in ways {
            let mut sq = from;
            while let Some(next) = sq.offset(files, ranks) {
                seen = seen.with(next);
                if occupied.contains(next) {
                    break;
                }
                sq = next;
            }
        }
        seen
    }

    #[test]
    fn rays_are_what_a_slider_sees_alone() {
        for sq in Bitboard::FULL {
            assert_eq!(rook_rays(sq), rook(sq, Bitboard::EMPTY));
            assert_eq!(bishop_rays(sq), bishop(sq, Bitboard::EMPTY));
        }
    }

    #[test]
    fn two_squares_of_a_line_have_the_line_between_them() {
        check(between(Square::A1, Square::D4), "b2 c3");
        check(between(Square::H8, Square::H5), "h6 h7");
        check(between(Square::A1, Square::B1), "");
        check(between(Square::A1, Square::B3), "");
        check(between(Square::A1, Square::A1), "");
        check(line(Square::C3, Square::D4), "a1 b2 c3 d4 e5 f6 g7 h8");
        check(line(Square::G2, Square::B2), "a2 b2 c2 d2 e2 f2 g2 h2");
        check(line(Square::H7, Square::G8), "h7 g8");
        check(line(Square::A1, Square::B3), "");
        check(line(Square::A1, Square::A1), "");
    }

    #[test]
    fn a_pawn_steps_twice_from_his_first_rank_alone() {
        let nobody = Bitboard::EMPTY;
        check(pawn_steps(Color::White, Square::E2, nobody), "e3 e4");
        check(pawn_steps(Color::White, Square::E3, nobody), "e4");
        check(pawn_steps(Color::Black, Square::E7, nobody), "e5 e6");
        check(pawn_steps(Color::Black, Square::E2, nobody), "e1");
        check(pawn_steps(Color::White, Square::E2, Square::E3.into()), "");
        check(pawn_steps(Color::White, Square::E2, Square::E4.into()), "e3");
        check(pawn_steps(Color::White, Square::E7, Square::E8.into()), "");
    }
}
