//! The entries of the index: one for each game, with what can be searched without reading the game.
//!
//! An entry of si4 has 47 bytes, the highest byte of a number first. One of si5 has 56 bytes: 12 words of 32 bits with
//! the lowest byte first, and 8 bytes about pawns.

use crate::scid::Version;
use crate::scid::outline::{Outline, PawnMoves};

/// An entry of the index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    /// The place of the record of the game in the games file.
    pub(super) offset: u64,
    pub(super) length: u32,
    /// The numbers of the names.
    pub(super) white: u32,
    pub(super) black: u32,
    pub(super) event: u32,
    pub(super) site: u32,
    pub(super) round: u32,
    pub(super) date: Date,
    pub(super) event_date: Date,
    /// 0 for no result, 1 if White won, 2 if Black won, 3 for a draw.
    pub(super) result: u8,
    /// The ECO code with the subcode of Scid. 0 if there is none.
    pub(super) eco: u16,
    /// The rating of each player; 0 if it is unknown.
    pub(super) ratings: [u16; 2],
    /// The number of the kind of each rating.
    pub(super) rating_kinds: [u8; 2],
    pub(super) flags: u32,
    pub(super) is_chess960: bool,
    pub(super) outline: Outline,
}

/// A date: 5 bits for the day, 4 for the month and 11 for the year. What is unknown is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Date(u32);

impl Date {
    const NONE: Self = Self(0);

    /// Returns the date with these bits.
    pub(super) fn from_bits(bits: u32) -> Self {
        Self(bits & 0xF_FFFF)
    }

    fn new(year: u32, month: u32, day: u32) -> Self {
        Self((year & 0x7FF) << 9 | month << 5 | day)
    }

    /// Returns the year, the month and the day.
    pub(super) fn fields(self) -> (u32, u32, u32) {
        (self.0 >> 9, self.0 >> 5 & 15, self.0 & 31)
    }

    /// Whether nothing of it is known.
    pub(super) fn is_none(self) -> bool {
        self == Self::NONE
    }
}

impl Entry {
    /// Reads an entry. The bytes are as many as the version has.
    pub(super) fn read(bytes: &[u8], version: Version) -> Option<Self> {
        match version {
            Version::Four => bytes.first_chunk().map(Self::read_four),
            Version::Five => bytes.first_chunk().map(Self::read_five),
        }
    }

    /// Whether the game is marked for deletion.
    pub(super) fn is_deleted(&self) -> bool {
        self.flags >> 3 & 1 == 1
    }

    fn read_four(bytes: &[u8; 47]) -> Self {
        let one = |at: usize| u32::from(bytes[at]);
        let two = |at: usize| one(at) << 8 | one(at + 1);
        let four = |at: usize| two(at) << 16 | two(at + 2);
        // The lengths of records have 17 bits; the highest one is in a byte with flags.
        let (more, dates) = (one(6), four(25));
        let date = Date::from_bits(dates);
        let (people, occasion) = (one(9), one(14));
        // The highest bits of the number of plies are those of the number of pawns.
        let (counts, plies, pawns) = (two(21), one(37), one(38));
        let (white_rating, black_rating) = (two(29), two(31));
        Self {
            offset: u64::from(four(0)),
            length: two(4) | (more & 0x80) << 9,
            flags: two(7) | (more & 0x3F) << 16,
            white: two(10) | (people & 0xF0) << 12,
            black: two(12) | (people & 0x0F) << 16,
            event: two(15) | (occasion & 0xE0) << 11,
            site: two(17) | (occasion & 0x1C) << 14,
            round: two(19) | (occasion & 0x03) << 16,
            result: (counts >> 12 & 3) as u8,
            eco: (two(23) & 0xFFFF) as u16,
            date,
            event_date: event_date(dates >> 20, date),
            ratings: [white_rating, black_rating].map(|rating| (rating & 0xFFF) as u16),
            rating_kinds: [white_rating, black_rating].map(|rating| (rating >> 12 & 15) as u8),
            is_chess960: false,
            outline: Outline {
                plies: ((plies | (pawns & 0xC0) << 2) & 0x3FF) as u16,
                material: four(33) & 0xFF_FFFF,
                pawns: PawnMoves { count: (pawns & 0x3F) as u8, pawns: eight(bytes, 39) },
                variations: (counts & 15) as u8,
                nags: (counts >> 8 & 15) as u8,
            },
        }
    }

    fn read_five(bytes: &[u8; 56]) -> Self {
        let word = |nth: usize| {
            u32::from_le_bytes([bytes[4 * nth], bytes[4 * nth + 1], bytes[4 * nth + 2], bytes[4 * nth + 3]])
        };
        let low = |nth: usize, bits: u32| word(nth) & ((1 << bits) - 1);
        let kinds = word(11) >> 16;
        Self {
            white: low(0, 28),
            black: low(1, 28),
            event: low(2, 28),
            site: word(3),
            round: low(4, 31),
            is_chess960: word(4) >> 31 == 1,
            date: Date::from_bits(low(5, 20)),
            event_date: Date::from_bits(low(6, 20)),
            ratings: [word(5) >> 20, word(6) >> 20].map(|rating| (rating & 0xFFF) as u16),
            flags: low(7, 22),
            length: word(8) >> 15,
            offset: u64::from(low(8, 15)) << 32 | u64::from(word(9)),
            rating_kinds: [kinds >> 5, kinds >> 2].map(|kind| (kind & 7) as u8),
            result: (kinds & 3) as u8,
            eco: (word(11) & 0xFFFF) as u16,
            outline: Outline {
                plies: (word(7) >> 22) as u16,
                material: low(10, 24),
                pawns: PawnMoves { count: (kinds >> 8) as u8, pawns: eight(bytes, 48) },
                variations: (word(1) >> 28) as u8,
                nags: (word(2) >> 28) as u8,
            },
        }
    }
}

/// Returns eight bytes from an offset on.
fn eight(bytes: &[u8], at: usize) -> [u8; 8] {
    bytes.get(at..).and_then(|bytes| bytes.first_chunk()).copied().unwrap_or_default()
}

/// Returns the date of the event. Its year is stored in 3 bits, relative to the year of the game: 4 is the same year,
/// and 0 says that there is no date.
fn event_date(bits: u32, date: Date) -> Date {
    match bits >> 9 & 7 {
        0 => Date::NONE,
        year => Date::new((date.fields().0 + year).saturating_sub(4), bits >> 5 & 15, bits & 31),
    }
}

#[cfg(test)]
mod tests {
    use super::{Date, Entry};
    use crate::scid::Version;
    use crate::scid::outline::{Outline, PawnMoves};

    #[test]
    fn an_entry_of_si4_is_read_from_its_bits() {
        // The bits of each field are all set in turn; no other field has them.
        let read = |from: usize, mask: &[u8]| {
            let mut bytes = [0; 47];
            bytes[from..from + mask.len()].copy_from_slice(mask);
            Entry::read(&bytes, Version::Four).unwrap()
        };
        let none = Entry::default();
        assert_eq!(read(0, &[0xFF; 4]), Entry { offset: 0xFFFF_FFFF, ..none.clone() });
        assert_eq!(read(4, &[0xFF, 0xFF, 0x80]), Entry { length: 0x1_FFFF, ..none.clone() });
        assert_eq!(read(6, &[0x3F, 0xFF, 0xFF]), Entry { flags: 0x3F_FFFF, ..none.clone() });
        assert_eq!(read(9, &[0xF0, 0xFF, 0xFF]), Entry { white: 0xF_FFFF, ..none.clone() });
        assert_eq!(read(9, &[0x0F, 0, 0, 0xFF, 0xFF]), Entry { black: 0xF_FFFF, ..none.clone() });
        assert_eq!(read(14, &[0xE0, 0xFF, 0xFF]), Entry { event: 0x7_FFFF, ..none.clone() });
        assert_eq!(read(14, &[0x1C, 0, 0, 0xFF, 0xFF]), Entry { site: 0x7_FFFF, ..none.clone() });
        assert_eq!(read(14, &[3, 0, 0, 0, 0, 0xFF, 0xFF]), Entry { round: 0x3_FFFF, ..none.clone() });
        assert_eq!(read(21, &[0x30, 0]), Entry { result: 3, ..none.clone() });
        assert_eq!(read(23, &[0xFF, 0xFF]), Entry { eco: 0xFFFF, ..none.clone() });
        assert_eq!(read(29, &[0x0F, 0xFF]), Entry { ratings: [0xFFF, 0], ..none.clone() });
        assert_eq!(read(29, &[0xF0, 0, 0xF0, 0]), Entry { rating_kinds: [15; 2], ..none.clone() });
        let outline = |outline| Entry { outline, ..none.clone() };
        let empty = Outline::default();
        assert_eq!(read(21, &[0, 0x0F]), outline(Outline { variations: 15, ..empty.clone() }));
        assert_eq!(read(21, &[0x0F, 0]), outline(Outline { nags: 15, ..empty.clone() }));
        assert_eq!(read(34, &[0xFF; 3]), outline(Outline { material: 0xFF_FFFF, ..empty.clone() }));
        assert_eq!(read(37, &[0xFF, 0xC0]), outline(Outline { plies: 0x3FF, ..empty.clone() }));
        let pawns = PawnMoves { count: 0x3F, pawns: [0xFF; 8] };
        assert_eq!(
            read(38, &[0x3F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
            outline(Outline { pawns, ..empty })
        );
        // The number of comments and the opening that Scid notes are not read.
        assert_eq!(read(22, &[0xF0]), none);
        assert_eq!(read(33, &[0xFF]), none);
    }

    #[test]
    fn the_year_of_an_event_is_relative_to_that_of_its_game() {
        let dates = |bits: u32| {
            let mut bytes = [0; 47];
            bytes[25..29].copy_from_slice(&bits.to_be_bytes());
            let entry = Entry::read(&bytes, Version::Four).unwrap();
            (entry.date, entry.event_date)
        };
        let game = 2019 << 9 | 6 << 5 | 1;
        assert_eq!(dates(game), (Date::new(2019, 6, 1), Date::NONE));
        assert_eq!(dates(game | (4 << 9 | 5 << 5 | 28) << 20), (Date::new(2019, 6, 1), Date::new(2019, 5, 28)));
        assert_eq!(dates(game | (1 << 9 | 5 << 5) << 20), (Date::new(2019, 6, 1), Date::new(2016, 5, 0)));
        assert_eq!(dates((7 << 9 | 5 << 5) << 20), (Date::NONE, Date::new(3, 5, 0)));
    }
}
