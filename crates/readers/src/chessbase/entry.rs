//! The entries of the index (`.cbh`): one of 46 bytes for each game and each guiding text, the highest byte of a number
//! first. The first entry is the header.

/// The number of bytes of an entry, and of the header.
pub(super) const SIZE: usize = 46;

/// The kind of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Game,
    /// A text that stands among the games.
    GuidingText,
    /// A game that is marked for deletion.
    DeletedGame,
    /// Neither a game nor a text.
    Unknown,
}

/// An entry of the index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'e>(&'e [u8; SIZE]);

impl<'e> Entry<'e> {
    pub(super) fn new(bytes: &'e [u8; SIZE]) -> Self {
        Self(bytes)
    }

    /// Returns a number of so many bytes.
    fn number(self, at: usize, size: usize) -> u32 {
        self.0[at..at + size].iter().fold(0, |number, byte| number << 8 | u32::from(*byte))
    }

    pub(super) fn kind(self) -> Kind {
        match self.0[0] {
            flags if flags & 1 == 0 => Kind::Unknown,
            flags if flags & 2 != 0 => Kind::GuidingText,
            flags if flags & 0x80 != 0 => Kind::DeletedGame,
            _ => Kind::Game,
        }
    }

    /// Returns the lowest 32 bits of the place of the record of the moves, and of that of the annotations, which is 0
    /// if there are none.
    pub(super) fn places(self) -> [u32; 2] {
        [self.number(1, 4), self.number(5, 4)]
    }

    /// Returns the numbers of the players.
    pub(super) fn players(self) -> [u32; 2] {
        [self.number(9, 3), self.number(12, 3)]
    }

    pub(super) fn tournament(self) -> u32 {
        self.number(15, 3)
    }

    pub(super) fn annotator(self) -> u32 {
        self.number(18, 3)
    }

    pub(super) fn source(self) -> u32 {
        self.number(21, 3)
    }

    pub(super) fn date(self) -> Date {
        Date(self.number(24, 3))
    }

    /// Returns the number of the result, and the NAG that evaluates a line, which has no result.
    pub(super) fn result(self) -> (u8, u8) {
        (self.0[27], self.0[28])
    }

    /// Returns the round, and the game or board in it. What is unknown is 0.
    pub(super) fn round(self) -> (u8, u8) {
        (self.0[29], self.0[30])
    }

    /// Returns the ratings; 0 if they are unknown.
    pub(super) fn ratings(self) -> [u32; 2] {
        [self.number(31, 2), self.number(33, 2)]
    }

    /// Returns the number of the ECO code from 0 for A00, and the subcode.
    pub(super) fn eco(self) -> Option<(u32, u32)> {
        let number = self.number(35, 2);
        let code = (number / 128).checked_sub(1).filter(|code| *code < 500)?;
        Some((code, number % 128))
    }

    /// Returns the number of moves of the main line, of which a side's part is one. From 255 on, it is 255.
    pub(super) fn moves(self) -> u8 {
        self.0[45]
    }
}

/// A date: 5 bits for the day, 4 for the month and 12 for the year. What is unknown is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Date(pub(super) u32);

impl Date {
    /// Returns the year, the month and the day. A month that does not exist is unknown.
    pub(super) fn fields(self) -> (u32, u32, u32) {
        let month = self.0 >> 5 & 15;
        (self.0 >> 9 & 0xFFF, if month > 12 { 0 } else { month }, self.0 & 31)
    }

    pub(super) fn is_none(self) -> bool {
        self.0 & 0x1F_FFFF == 0
    }
}
