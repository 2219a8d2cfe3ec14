//! The record of a game: its further tags, its start, its moves and its comments, one after another.

/// The record of a game, cut into its parts.
#[derive(Debug, Default)]
pub(super) struct Record<'r> {
    pub(super) tags: Vec<(&'r [u8], &'r [u8])>,
    /// Whether tags behind the first ones are left out.
    pub(super) has_too_many_tags: bool,
    /// The FEN of the starting position, if it is not the initial position.
    pub(super) fen: Option<&'r [u8]>,
    /// The moves, without the mark behind the last one.
    pub(super) moves: &'r [u8],
    /// The number of marks for comments among the moves.
    pub(super) marks: usize,
    /// Whether there are variations among the moves.
    pub(super) has_variations: bool,
    /// The comments: texts that end with a zero byte.
    pub(super) comments: &'r [u8],
    /// Whether the moves end with their mark.
    pub(super) is_ended: bool,
    /// The numbers of tags whose names are not known, each once.
    pub(super) unknown_tags: Vec<u8>,
    /// The bits of the date of the event, which older versions store here.
    pub(super) event_date: Option<u32>,
}

/// The greatest number of tags of a record. A tag section in PGN ends before it has ten times as many, and would become
/// two games.
const MOST_TAGS: usize = 1000;

/// The marks among the moves. No king makes a move with these numbers.
pub(super) const NAG: u8 = 11;
pub(super) const COMMENT: u8 = 12;
pub(super) const VARIATION_START: u8 = 13;
pub(super) const VARIATION_END: u8 = 14;
pub(super) const GAME_END: u8 = 15;

impl<'r> Record<'r> {
    /// Reads a record. The error completes a word for messages.
    pub(super) fn read(bytes: &'r [u8]) -> Result<Self, &'static str> {
        let mut record = Self::default();
        let rest = record.read_tags(bytes).ok_or("its-tags-end-early")?;
        // The flags say that a FEN follows, and which promotions the moves have.
        let (flags, mut rest) = rest.split_first().ok_or("its-tags-end-early")?;
        if flags & 1 != 0 {
            let (fen, behind) = until_zero(rest).ok_or("its-FEN-ends-early")?;
            (record.fen, rest) = (Some(fen), behind);
        }
        record.read_moves(rest);
        Ok(record)
    }

    /// Reads tags: a length and a name, or the number of a name; a length and a value.
    fn read_tags(&mut self, bytes: &'r [u8]) -> Option<&'r [u8]> {
        let mut rest = bytes;
        loop {
            let name;
            let (head, behind) = rest.split_first()?;
            rest = behind;
            match head {
                0 => return Some(rest),
                1..=240 => {
                    name = rest.get(..usize::from(*head))?;
                    rest = &rest[name.len()..];
                }
                255 => {
                    let (date, behind) = rest.split_first_chunk::<3>()?;
                    self.event_date = Some(date.iter().fold(0, |bits, byte| bits << 8 | u32::from(*byte)));
                    rest = behind;
                    continue;
                }
                _ => name = common_name(*head),
            }
            let (length, behind) = rest.split_first()?;
            let value = behind.get(..usize::from(*length))?;
            rest = &behind[value.len()..];
            if name.is_empty() {
                // A record may have a tag any number of times; it is told once.
                if !self.unknown_tags.contains(head) {
                    self.unknown_tags.push(*head);
                }
            } else if self.tags.len() == MOST_TAGS {
                self.has_too_many_tags = true;
            } else {
                self.tags.push((name, value));
            }
        }
    }

    /// Finds the end of the moves. The only other byte that may look like a mark is the number of a NAG.
    fn read_moves(&mut self, bytes: &'r [u8]) {
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            match *byte {
                NAG => at += 1,
                COMMENT => self.marks += 1,
                VARIATION_START => self.has_variations = true,
                GAME_END => {
                    (self.moves, self.comments, self.is_ended) = (&bytes[..at], &bytes[at + 1..], true);
                    return;
                }
                _ => {}
            }
            at += 1;
        }
        self.moves = bytes;
    }
}

/// Returns the name of a tag that is stored as a number, or nothing if no name is known.
fn common_name(number: u8) -> &'static [u8] {
    match number {
        241 => b"WhiteCountry",
        242 => b"BlackCountry",
        243 => b"Annotator",
        244 => b"PlyCount",
        245 => b"EventDate",
        246 => b"Opening",
        247 => b"Variation",
        249 => b"Source",
        248 | 250 => b"SetUp",
        _ => b"",
    }
}

/// Splits bytes at the first zero byte.
pub(super) fn until_zero(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = memchr::memchr(0, bytes)?;
    Some((&bytes[..end], &bytes[end + 1..]))
}
