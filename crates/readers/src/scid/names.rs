//! The names of players, events, sites and rounds: the contents of the names file.

use crate::scid::Version;
use pgn2fen_pgn::encoding::{Label, SAMPLE, guess};

/// What a name belongs to, in the order of the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameKind {
    Player,
    Event,
    Site,
    Round,
}

impl NameKind {
    const ALL: [Self; 4] = [Self::Player, Self::Event, Self::Site, Self::Round];

    /// Returns the noun for messages.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Self::Player => "player",
            Self::Event => "event",
            Self::Site => "site",
            Self::Round => "round",
        }
    }

    /// Returns the number of names that an entry of the index of si4 can refer to. More names than that would only take
    /// memory.
    fn limit(self) -> u32 {
        match self {
            Self::Player => 1 << 20,
            Self::Event | Self::Site => 1 << 19,
            Self::Round => 1 << 18,
        }
    }
}

/// The first bytes of a names file of si4.
const MAGIC: &[u8] = b"Scid.sn\0";

/// The names of a database.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// The names, one after another.
    bytes: Vec<u8>,
    /// The start and the length of each name of a kind, by its number. A name that is missing has the start
    /// `usize::MAX`.
    places: [Vec<(usize, usize)>; 4],
}

impl Names {
    /// Reads the contents of a file. If it is damaged, the names before the damage are returned with the reason, which
    /// completes a sentence after the name of the file.
    pub(super) fn read(bytes: Vec<u8>, version: Version) -> (Self, Option<String>) {
        match version {
            Version::Four => {
                let mut names = Self::default();
                let damage = names.read_four(&bytes).err();
                (names, damage)
            }
            Version::Five => {
                let mut names = Self { bytes, ..Self::default() };
                let damage = names.read_five().err();
                (names, damage)
            }
        }
    }

    /// Returns the name with a number.
    pub(super) fn get(&self, kind: NameKind, number: u32) -> Option<&[u8]> {
        let (start, length) = *self.places[kind as usize].get(usize::try_from(number).ok()?)?;
        self.bytes.get(start..start.checked_add(length)?)
    }

    /// Guesses the encoding of the names that are not UTF-8.
    pub(super) fn guess(&self) -> Option<Label> {
        let mut sample = Vec::new();
        for (start, length) in self.places.iter().flatten() {
            let name = start.checked_add(*length).and_then(|end| self.bytes.get(*start..end)).unwrap_or_default();
            if !name.is_ascii() && sample.len() < SAMPLE {
                sample.extend_from_slice(name);
                sample.push(b'\n');
            }
        }
        guess(&sample)
    }

    /// Reads names that are sorted by their bytes. Each has its number, how often it is used, its length, the number of
    /// bytes that it has in common with the name before it, and its other bytes.
    fn read_four(&mut self, bytes: &[u8]) -> Result<(), String> {
        let mut input = Input { bytes, at: 0 };
        if input.take(8)? != MAGIC {
            return Err("does not begin like the names of a Scid database".to_owned());
        }
        input.take(4)?;
        let mut numbers = [0_u32; 8];
        for number in &mut numbers {
            *number = input.number(3)?;
        }
        let (counts, uses) = numbers.split_at(4);
        for ((kind, count), most_used) in NameKind::ALL.into_iter().zip(counts).zip(uses) {
            let number_size = if *count < 1 << 16 { 2 } else { 3 };
            let uses_size = match most_used {
                0..0x100 => 1,
                0x100..0x1_0000 => 2,
                _ => 3,
            };
            let mut name: Vec<u8> = Vec::new();
            for nth in 0..*count {
                let start = input.at;
                let number = input.number(number_size)?;
                input.take(uses_size)?;
                let length = input.number(1)? as usize;
                let common = if nth > 0 { input.number(1)? as usize } else { 0 };
                if common > length || common > name.len() || number >= *count {
                    return Err(format!("has no name of a {} at byte {start}", kind.noun()));
                }
                name.truncate(common);
                name.extend_from_slice(input.take(length - common)?);
                if number < kind.limit() {
                    self.put(kind, number, &name);
                }
            }
        }
        Ok(())
    }

    fn put(&mut self, kind: NameKind, number: u32, name: &[u8]) {
        let places = &mut self.places[kind as usize];
        let number = number as usize;
        if places.len() <= number {
            places.resize(number + 1, (usize::MAX, 0));
        }
        places[number] = (self.bytes.len(), name.len());
        self.bytes.extend_from_slice(name);
    }

    /// Reads names in the order of their numbers. Each has its length and its kind, in a number of variable size, and
    /// its bytes. The fifth kind holds notes about the database.
    fn read_five(&mut self) -> Result<(), String> {
        let mut input = Input { bytes: &self.bytes, at: 0 };
        while input.at < input.bytes.len() {
            let start = input.at;
            let damage = |_| format!("has no name at byte {start}");
            let head = input.varint().map_err(damage)?;
            let length = usize::try_from(head >> 3).unwrap_or(usize::MAX);
            let place = input.at;
            input.take(length).map_err(damage)?;
            match self.places.get_mut((head & 7) as usize) {
                Some(places) => places.push((place, length)),
                None if head & 7 == 4 => {}
                None => return Err(damage(String::new())),
            }
        }
        Ok(())
    }
}

/// Bytes that are read from the first to the last.
struct Input<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Input<'b> {
    fn take(&mut self, length: usize) -> Result<&'b [u8], String> {
        let end = self.at.checked_add(length).filter(|end| *end <= self.bytes.len());
        let taken = end.and_then(|end| self.bytes.get(self.at..end));
        let taken = taken.ok_or_else(|| format!("ends within a name, at byte {}", self.bytes.len()))?;
        self.at += length;
        Ok(taken)
    }

    /// Reads a number of one to four bytes, the highest one first.
    fn number(&mut self, size: usize) -> Result<u32, String> {
        Ok(self.take(size)?.iter().fold(0, |number, byte| number << 8 | u32::from(*byte)))
    }

    /// Reads a number with seven bits in each byte, the lowest bits first. The highest bit says that more bytes follow.
    fn varint(&mut self) -> Result<u64, String> {
        let mut number = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.number(1)?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err("has a number that is too long".to_owned())
    }
}
