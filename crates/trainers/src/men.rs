//! The men on a board: the occupied squares, and four bits for each man in the order a1, b1, …, h8, the low bits of a
//! byte first. All three formats have it, and each has its own codes.

use pgn2fen_chess::bitboard::Bitboard;
use pgn2fen_chess::square::Square;

/// The most men for which there is room.
pub const MOST_MEN: u32 = 32;

/// Returns the codes of the men on these squares. A plane has a bit of the codes of all squares, the lowest bit first.
/// `None` if there are more men than there is room for.
pub fn codes(occupied: Bitboard, planes: [u64; 4]) -> Option<[u8; 16]> {
    if occupied.count() > MOST_MEN {
        return None;
    }
    let mut halves = [0_u64; 2];
    for (nth, sq) in (0_usize..).zip(occupied) {
        let bit = |plane: usize| (planes[plane] >> sq.number() & 1) << plane;
        let code = bit(0) | bit(1) | bit(2) | bit(3);
        halves[usize::from(nth >= 16)] |= code << (nth % 16 * 4);
    }
    let mut codes = [0; 16];
    codes[..8].copy_from_slice(&halves[0].to_le_bytes());
    codes[8..].copy_from_slice(&halves[1].to_le_bytes());
    Some(codes)
}

/// Returns the men on these squares with their codes. `None` if there are more men than there is room for.
pub fn men(occupied: Bitboard, codes: &[u8; 16]) -> Option<impl Iterator<Item = (Square, u8)>> {
    (occupied.count() <= MOST_MEN)
        .then(|| occupied.into_iter().enumerate().map(|(nth, sq)| (sq, codes[(nth / 2) & 15] >> (nth % 2 * 4) & 15)))
}
