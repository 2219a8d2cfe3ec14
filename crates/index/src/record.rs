//! A posting with the facts of its game in 24 bytes. Records are divided into buckets, sorted and counted.

use std::num::NonZeroU16;

use crate::hit::Hit;
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::piece::Color;
use pgn2fen_games::pgn::date;
use pgn2fen_games::pgn::tag_kind::TagKind;
use pgn2fen_games::pgn::token::Outcome;

/// A posting. Records are ordered by key (as a signed number), game and ply; no two records are equal in all three.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Record {
    pub(super) key: i64,
    /// The number of the game, with the ply in the lower bits.
    place: u64,
    /// From the lowest bits: the result, the date, the rating, and the move that was played.
    rest: u64,
}

/// The facts that all postings of a game share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GameFacts {
    /// The number of the game in the index, from 1.
    pub(super) number: u64,
    pub(super) result: Outcome,
    pub(super) date: PackedDate,
    /// The ratings of White and Black; 0 if unknown.
    pub(super) elo: [u16; 2],
}

const PLY_BITS: u32 = 28;
const RESULT_BITS: u32 = 2;
pub(super) const DATE_BITS: u32 = 21;
pub(super) const ELO_BITS: u32 = 14;

/// The greatest ply that a record can hold.
pub(super) const MAX_PLY: u32 = (1 << PLY_BITS) - 1;
/// The greatest game number that a record can hold.
pub(super) const MAX_GAME: u64 = u64::MAX >> PLY_BITS;
/// The greatest rating that a record can hold. Greater values are treated as unknown.
pub(super) const MAX_ELO: u16 = (1 << ELO_BITS) - 1;

const RESULTS: [Outcome; 4] = [Outcome::WhiteWins, Outcome::BlackWins, Outcome::Draw, Outcome::Unknown];

impl Record {
    /// The size of a record in a file, in bytes.
    pub(super) const BYTES: usize = 24;

    /// Makes a record of a posting of a game. `mover` is the side to move: 0 for White, 1 for Black.
    #[inline]
    pub(super) fn new(key: u64, game: &GameFacts, ply: u32, mover: usize, next: Option<Uci>) -> Self {
        let result = match game.result {
            Outcome::WhiteWins => 0,
            Outcome::BlackWins => 1,
            Outcome::Draw => 2,
            Outcome::Unknown => 3,
        };
        let next = u64::from(next.map_or(0, |next| next.bits().get())) << (RESULT_BITS + DATE_BITS + ELO_BITS);
        let place = game.number << PLY_BITS | u64::from(ply);
        Self { key: key.cast_signed(), place, rest: next | result }.with(game.date, game.elo[mover & 1])
    }

    /// Adds the date of the game and the rating of the player to move to a record that was made without them.
    #[inline]
    pub(super) fn with(self, date: PackedDate, elo: u16) -> Self {
        let facts = u64::from(elo) << (RESULT_BITS + DATE_BITS) | u64::from(date.0) << RESULT_BITS;
        Self { rest: self.rest | facts, ..self }
    }

    pub(super) fn game(self) -> u64 {
        self.place >> PLY_BITS
    }

    pub(super) fn ply(self) -> u32 {
        bits32(self.place, 0, PLY_BITS)
    }

    /// Returns the number of the result in the order of [`Self::result`].
    #[inline]
    pub(super) fn result_number(self) -> usize {
        (self.rest & 3) as usize
    }

    pub(super) fn result(self) -> Outcome {
        RESULTS[self.result_number()]
    }

    pub(super) fn date(self) -> PackedDate {
        PackedDate(bits32(self.rest, RESULT_BITS, DATE_BITS))
    }

    /// Returns the rating of the player to move; None if it is unknown.
    pub(super) fn elo(self) -> Option<NonZeroU16> {
        NonZeroU16::new(bits16(self.rest, RESULT_BITS + DATE_BITS, ELO_BITS))
    }

    /// Returns the bits of the move that was played in the position; 0 at the end of a game.
    #[inline]
    pub(super) fn next_bits(self) -> u16 {
        bits16(self.rest, RESULT_BITS + DATE_BITS + ELO_BITS, u16::BITS)
    }

    pub(super) fn next(self) -> Option<Uci> {
        Uci::from_bits(self.next_bits())
    }

    /// Returns the hit of which the record was made.
    pub(super) fn hit(self) -> Hit {
        Hit { game: self.game(), ply: self.ply(), next: self.next(), result: self.result() }
    }

    /// Makes a record of a hit, without the date of the game and the rating of the player. The game gets this number.
    pub(super) fn of_hit(key: i64, hit: &Hit, number: u64) -> Self {
        let game = GameFacts { number, result: hit.result, date: PackedDate::UNKNOWN, elo: [0; 2] };
        Self::new(key.cast_unsigned(), &game, hit.ply, 0, hit.next)
    }
}

/// A value that is stored in temporary files as three words.
pub(super) trait Stored: Copy + Ord + 'static {
    fn to_words(self) -> [u64; 3];

    fn from_words(words: [u64; 3]) -> Self;

    /// Returns the bytes for a file.
    #[inline]
    fn to_bytes(self) -> [[u8; 8]; 3] {
        self.to_words().map(u64::to_le_bytes)
    }

    /// Reads the values that are stored in these bytes.
    #[inline]
    fn read_all(bytes: &[u8]) -> impl Iterator<Item = Self> {
        let (words, _) = bytes.as_chunks::<8>();
        words.as_chunks::<3>().0.iter().map(|words| Self::from_words(words.map(u64::from_le_bytes)))
    }
}

impl Stored for Record {
    #[inline]
    fn to_words(self) -> [u64; 3] {
        [self.key.cast_unsigned(), self.place, self.rest]
    }

    #[inline]
    fn from_words([key, place, rest]: [u64; 3]) -> Self {
        Self { key: key.cast_signed(), place, rest }
    }
}

/// Returns at most 32 bits of a word.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "no more bits are left")]
pub(super) fn bits32(word: u64, from: u32, width: u32) -> u32 {
    (word >> from & (u64::MAX >> (64 - width))) as u32
}

/// Returns at most 16 bits of a word.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "no more bits are left")]
pub(super) fn bits16(word: u64, from: u32, width: u32) -> u16 {
    bits32(word, from, width) as u16
}

/// A date of PGN, such as `1972.07.??`: a year from 1 to 4095, and a month and a day that may be unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PackedDate(u32);

impl PackedDate {
    /// The date whose year is unknown, too.
    pub(super) const UNKNOWN: Self = Self(0);

    /// Parses the value of a Date tag (PGN standard §8.1.1.3).
    pub(super) fn read(text: &str) -> Self {
        let Some(date) = date::Date::read(text).filter(|date| date.year() <= 4095) else {
            return Self::UNKNOWN;
        };
        let [month, day] = [date.month(), date.day()].map(|part| u32::from(part.unwrap_or(0)));
        Self(u32::from(date.year()) << 9 | month << 5 | day)
    }

    /// Returns year, month and day as a number of eight digits, with zeros for unknown parts; None if the year is
    /// unknown.
    pub(super) fn number(self) -> Option<i32> {
        let number = (self.0 >> 9) * 10_000 + (self.0 >> 5 & 15) * 100 + (self.0 & 31);
        i32::try_from(number).ok().filter(|number| *number > 0)
    }

    /// Returns the 21 bits of the date. They grow with time.
    pub(super) fn bits(self) -> u32 {
        self.0
    }

    /// Returns the date with these bits.
    pub(super) fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// Returns the date with this number.
    pub(super) fn from_number(number: i32) -> Self {
        let number = u32::try_from(number).unwrap_or(0);
        let (year, month, day) = (number / 10_000, number / 100 % 100, number % 100);
        if year > 4095 || month > 12 || day > 31 { Self::UNKNOWN } else { Self(year << 9 | month << 5 | day) }
    }
}

/// Returns the side to move in a FEN; White if the text is empty, which stands for the initial position.
pub(super) fn first_to_move(fen: &str) -> Color {
    if fen.split(' ').nth(1) == Some("b") { Color::Black } else { Color::White }
}

/// Returns the side to move after so many plies, as [`Record::new`] takes it.
#[inline]
pub(super) fn mover(first: Color, ply: u32) -> usize {
    (ply as usize + first.index()) % 2
}

/// Parses the value of a rating tag; returns 0 if it is not a rating.
pub(super) fn elo(text: &str) -> u16 {
    let elo = TagKind::Rating.number(text).and_then(|elo| elo.try_into().ok());
    elo.filter(|elo| *elo <= MAX_ELO).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{GameFacts, MAX_ELO, MAX_GAME, MAX_PLY, PackedDate, Record, Stored, elo, first_to_move, mover};
    use pgn2fen_chess::notation::uci::Uci;
    use pgn2fen_chess::piece::Color;
    use pgn2fen_games::pgn::token::Outcome;

    #[test]
    fn a_record_holds_what_was_put_into_it() {
        let next = Uci::from_ascii(b"h7h8q");
        for (number, ply, result, date) in [
            (1, 0, Outcome::WhiteWins, "2013.11.16"),
            (MAX_GAME, MAX_PLY, Outcome::Unknown, "4095.12.31"),
            (77, 3, Outcome::Draw, "????.??.??"),
            (78, 4, Outcome::BlackWins, "1851.06.??"),
        ] {
            let game = GameFacts { number, result, date: PackedDate::read(date), elo: [MAX_ELO, 0] };
            for (mover, next) in [(0, next), (1, None)] {
                let record = Record::new(u64::MAX - 7, &game, ply, mover, next);
                let record: Record = Record::read_all(record.to_bytes().as_flattened()).next().unwrap();
                assert_eq!((record.key, record.game(), record.ply()), (-8, number, ply));
                assert_eq!((record.result(), record.date(), record.next()), (result, game.date, next));
                assert_eq!(record.elo().map(u16::from), (mover == 0).then_some(MAX_ELO));
            }
        }
    }

    #[test]
    fn records_are_in_order_by_signed_key_game_and_ply() {
        let record = |key: i64, number, ply| {
            let game = GameFacts { number, result: Outcome::Draw, date: PackedDate::UNKNOWN, elo: [0; 2] };
            Record::new(key.cast_unsigned(), &game, ply, 0, None)
        };
        let sorted = [record(-1, 9, 9), record(0, 1, 2), record(0, 2, 0), record(0, 2, 1), record(1, 1, 0)];
        assert!(sorted.is_sorted());
    }

    #[track_caller]
    fn check(text: &str, number: Option<i32>) {
        assert_eq!(PackedDate::read(text).number(), number, "{text}");
        assert_eq!(PackedDate::from_number(number.unwrap_or(0)), PackedDate::read(text), "{text}");
    }

    #[test]
    fn of_a_date_as_much_is_taken_as_is_known() {
        check("2013.11.16", Some(20_131_116));
        check("2013.11.??", Some(20_131_100));
        check("2013.??.??", Some(20_130_000));
        check("2013.??.16", Some(20_130_000));
        check("1851", Some(18_510_000));
        check("2013-11-16", Some(20_131_116));
        for text in ["????.??.??", "", "?", "0000.00.00", "12013.01.01", "+201.01.01", "next week"] {
            check(text, None);
        }
    }

    #[test]
    fn a_rating_is_a_number() {
        assert_eq!([elo("2412"), elo(" 987 "), elo("?"), elo(""), elo("-"), elo("99999")], [2412, 987, 0, 0, 0, 0]);
    }

    #[test]
    fn a_number_that_is_no_date_is_unknown() {
        for number in [-1, 0, 40_960_101, 99_990_101, 20_131_301, 20_131_132, 20_130_099] {
            assert_eq!(PackedDate::from_number(number), PackedDate::UNKNOWN, "{number}");
        }
        for (number, text) in [(40_951_231, "4095.12.31"), (10_101, "0001.01.01"), (20_130_000, "2013")] {
            assert_eq!(PackedDate::from_number(number), PackedDate::read(text), "{number}");
        }
    }

    #[test]
    fn a_fen_tells_who_moves_first() {
        assert_eq!(
            [first_to_move(""), first_to_move("8/8 w - -"), first_to_move("8/8 b - -")].map(Color::index),
            [0, 0, 1]
        );
        assert_eq!(
            [mover(Color::White, 0), mover(Color::White, 1), mover(Color::Black, 0), mover(Color::Black, 3)],
            [0, 1, 1, 0]
        );
    }
}
