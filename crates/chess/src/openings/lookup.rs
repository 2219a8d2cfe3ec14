//! The look-up of a position among the named positions.

use std::num::NonZeroU16;
use std::sync::OnceLock;

use crate::openings::name::Opening;
use crate::openings::table;
use crate::piece::{Color, Role};
use crate::position::Position;
use crate::square::Rank;

/// Returns the name of exactly this position. `None` if it has no name, as most positions do, the initial one and those
/// of variants included.
///
/// Positions are compared as the repetition rule does, see [`Position::is_same_position`]. The move counters have no
/// influence.
///
/// ```
/// use pgn2fen_chess::Position;
/// use pgn2fen_chess::openings::opening;
///
/// let position: Position = "rnbqkbnr/pppp1ppp/8/4p3/4PP2/8/PPPP2PP/RNBQKBNR b KQkq - 0 2".parse()?;
/// assert_eq!(opening(&position).unwrap().to_string(), "C30 King's Gambit");
/// assert_eq!(opening(&Position::initial()), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn opening(position: &Position) -> Option<Opening> {
    named(position).map(|(_, opening)| opening)
}

/// The number of a named position, counted from 1 in the order of the table.
pub(super) type Number = NonZeroU16;

/// Returns the number and the name of a position.
#[inline]
pub(super) fn named(position: &Position) -> Option<(Number, Opening)> {
    // The names are those of chess.
    if position.variant().is_some() { None } else { Names::get().find(position) }
}

/// Returns the name with this number.
pub(super) fn with_number(number: Number) -> Option<Opening> {
    Names::get().list.get(usize::from(number.get()) - 1).map(|(_, opening)| *opening)
}

/// Whether a named position can still be reached from this position by legal moves. `true` may be wrong, `false` never
/// is.
///
/// Pawns never return to the rank from which they started, and captured pieces never return. So the pawns of a later
/// position that have not moved are a subset of those of this position. There are 65,536 sets of such pawns; for each
/// there is a bit that says whether any named position has a subset of it. In games of masters this ends the search at
/// ply 30 on average.
#[inline]
pub(super) fn may_come(position: &Position) -> bool {
    let names = Names::get();
    position.variant().is_none()
        && position.board().occupied().count() >= names.least_pieces
        && names.unmoved.contains(unmoved_pawns(position))
}

/// Returns the pawns that have not moved: White's in the low byte, Black's in the high byte.
#[inline]
fn unmoved_pawns(position: &Position) -> usize {
    let of = |color: Color, rank: Rank| {
        let pawns = position.board().by_piece(Role::Pawn.of(color));
        (pawns.0 >> (8 * rank.index()) & 0xff) as usize
    };
    of(Color::White, Rank::Second) | of(Color::Black, Rank::Seventh) << 8
}

/// Returns a hash of the squares of the two sides. Its bits from the highest down are random enough.
#[inline]
fn hash(position: &Position) -> u64 {
    let [white, black] = Color::ALL.map(|color| position.board().by_color(color).0);
    (white.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ black.wrapping_mul(0xC2B2_AE3D_27D4_EB4F))
        .wrapping_mul(0x1656_67B1_9E37_79F9)
}

/// The bits of a hash that choose a bit of the filter: at most one bit in 34 is set.
const FILTER_BITS: u32 = 17;

/// The bits of a hash that choose a slot. At most half of the slots are in use.
const SLOT_BITS: u32 = 13;

/// The named positions.
struct Names {
    list: Vec<(Position, Opening)>,
    /// The hashes of the named positions. Most other positions are not in this set.
    filter: Bits,
    /// A hash table with linear probing: the number of a named position in each slot.
    slots: Vec<Option<Number>>,
    /// The sets of unmoved pawns from which a named position can be reached.
    unmoved: Bits,
    /// The least number of pieces of a named position.
    least_pieces: u32,
}

impl Names {
    /// Returns the names. The first call plays the lines of the table.
    #[inline]
    fn get() -> &'static Self {
        static NAMES: OnceLock<Names> = OnceLock::new();
        NAMES.get_or_init(|| Self::new(table::positions()))
    }

    #[cold]
    fn new(positions: impl Iterator<Item = (Position, Opening)>) -> Self {
        let mut names = Self {
            list: Vec::with_capacity(4096),
            filter: Bits::new(1 << FILTER_BITS),
            slots: vec![None; 1 << SLOT_BITS],
            unmoved: Bits::new(1 << 16),
            least_pieces: u32::MAX,
        };
        for (position, opening) in positions {
            names.add(position, opening);
        }
        names.unmoved.add_supersets();
        names
    }

    fn add(&mut self, position: Position, opening: Opening) {
        let number = u16::try_from(self.list.len() + 1).ok().and_then(Number::new);
        // One slot must stay empty, because a search ends there.
        let (Some(number), true) = (number, self.list.len() + 1 < self.slots.len()) else {
            return;
        };
        let hash = hash(&position);
        let free = probe(hash).find(|slot| self.slots[*slot].is_none());
        if let Some(slot) = free {
            self.slots[slot] = Some(number);
        }
        self.filter.insert((hash >> (64 - FILTER_BITS)) as usize);
        self.unmoved.insert(unmoved_pawns(&position));
        self.least_pieces = self.least_pieces.min(position.board().occupied().count());
        self.list.push((position, opening));
    }

    #[inline]
    fn find(&self, position: &Position) -> Option<(Number, Opening)> {
        let hash = hash(position);
        if !self.filter.contains((hash >> (64 - FILTER_BITS)) as usize) {
            return None;
        }
        self.find_slot(hash, position)
    }

    #[inline(never)]
    fn find_slot(&self, hash: u64, position: &Position) -> Option<(Number, Opening)> {
        for slot in probe(hash) {
            let number = self.slots[slot]?;
            let (named, opening) = &self.list[usize::from(number.get()) - 1];
            if named.is_same_position(position) {
                return Some((number, *opening));
            }
        }
        None
    }
}

/// Returns all slots in the order in which they are searched.
fn probe(hash: u64) -> impl Iterator<Item = usize> {
    let first = (hash >> (64 - SLOT_BITS)) as usize;
    (0..1 << SLOT_BITS).map(move |step| (first + step) & ((1 << SLOT_BITS) - 1))
}

/// A set of small numbers.
struct Bits(Vec<u64>);

impl Bits {
    /// Returns an empty set for the numbers below `count`, which is a multiple of 64.
    fn new(count: usize) -> Self {
        Self(vec![0; count / 64])
    }

    fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    #[inline]
    fn contains(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 == 1
    }

    /// Adds all numbers whose bits include all bits of a number in the set.
    fn add_supersets(&mut self) {
        // A bit of the number is a place within a word, or a bit of the index of the word.
        const WITHOUT: [u64; 6] = [
            0x5555_5555_5555_5555,
            0x3333_3333_3333_3333,
            0x0F0F_0F0F_0F0F_0F0F,
            0x00FF_00FF_00FF_00FF,
            0x0000_FFFF_0000_FFFF,
            0x0000_0000_FFFF_FFFF,
        ];
        for word in &mut self.0 {
            for (bit, without) in WITHOUT.iter().enumerate() {
                *word |= (*word & without) << (1 << bit);
            }
        }
        let mut step = 1;
        while step < self.0.len() {
            for index in (0..self.0.len()).filter(|index| index & step != 0) {
                self.0[index] |= self.0[index ^ step];
            }
            step *= 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Bits, Names, table};
    use crate::position::Position;

    #[test]
    fn the_named_positions_are_different_positions() {
        let positions: Vec<_> = table::positions().collect();
        assert_eq!(positions.len(), 3810);
        let names = Names::new(positions.iter().cloned());
        // If two were the same, the second would not be found.
        for (number, (position, opening)) in positions.iter().enumerate() {
            let (found, name) = names.find(position).unwrap();
            assert_eq!((usize::from(found.get()) - 1, name), (number, *opening));
        }
        let in_use = names.slots.iter().flatten().count();
        assert_eq!(in_use, 3810);
    }

    #[test]
    fn supersets_are_those_of_the_bits() {
        let mut bits = Bits::new(1 << 16);
        let seeds = [0b1000_0001_0000_0000, 0b0000_0000_0110_0000, 0b0011_0000_0000_0101];
        seeds.iter().for_each(|seed| bits.insert(*seed));
        bits.add_supersets();
        for number in 0..1 << 16 {
            let is_superset = seeds.iter().any(|seed| number & seed == *seed);
            assert_eq!(bits.contains(number), is_superset, "{number:016b}");
        }
    }

    #[test]
    fn a_search_ends_however_many_names_there_are() {
        let names = Names::new(table::positions().collect::<Vec<_>>().into_iter().cycle().take(10_000));
        assert_eq!(names.list.len(), names.slots.len() - 1);
        assert_eq!(names.slots.iter().filter(|slot| slot.is_none()).count(), 1);
        assert_eq!(names.find_slot(0, &Position::initial()), None);
    }
}
