//! The files of players, tournaments, annotators, sources and teams: a header, and records of the same size, with the
//! lowest byte of a number first. Before the data of each record are 9 bytes of the tree by which ChessBase finds
//! names.

/// The number that each file has in its header.
const MAGIC: u32 = 1_234_567_890;

/// The left branch of a record that was deleted.
const DELETED: u32 = -999_i32 as u32;

/// The number of bytes of a record before its data.
const TREE: usize = 9;

/// A file of names.
#[derive(Debug, Default)]
pub(super) struct Entities {
    bytes: Vec<u8>,
    header: usize,
    /// The number of bytes of the data of a record.
    size: usize,
}

impl Entities {
    /// Reads the contents of a file whose records have at least so many bytes of data. The error completes a sentence
    /// after the name of the file.
    pub(super) fn read(bytes: Vec<u8>, least: usize) -> Result<Self, String> {
        let number = |at: usize| {
            let bytes = bytes.get(at..at + 4).and_then(|bytes| bytes.first_chunk());
            bytes.map(|bytes| u32::from_le_bytes(*bytes)).ok_or("ends within its header")
        };
        let (magic, size, rest, count) = (number(8)?, number(12)?, number(24)?, number(0)?);
        if magic != MAGIC {
            return Err("does not begin like a file of names".to_owned());
        }
        let size = usize::try_from(size).ok().filter(|size| (least..=65_536).contains(size));
        let size = size.ok_or("has records of an unknown size")?;
        if rest > 1024 {
            return Err("has a header of an unknown size".to_owned());
        }
        let entities = Self { header: 28 + rest as usize, size, bytes };
        let whole = entities.bytes.len().saturating_sub(entities.header) / (TREE + size);
        if (whole as u64) < u64::from(count) {
            return Err(format!("has {whole} of its {count} names"));
        }
        Ok(entities)
    }

    /// Returns the data of a record, or `None` if there is none with this number.
    pub(super) fn get(&self, number: u32) -> Option<Data<'_>> {
        let start = (TREE + self.size).checked_mul(usize::try_from(number).ok()?)?.checked_add(self.header)?;
        let record = self.bytes.get(start..start.checked_add(TREE + self.size)?)?;
        let (tree, data) = record.split_at(TREE);
        (tree.first_chunk().map(|left| u32::from_le_bytes(*left)) != Some(DELETED)).then_some(Data(data))
    }

    /// Whether the file has no record.
    pub(super) fn is_empty(&self) -> bool {
        self.get(0).is_none()
    }

    /// Returns all records.
    pub(super) fn iter(&self) -> impl Iterator<Item = Data<'_>> {
        let records = self.bytes.get(self.header..).unwrap_or_default();
        records.chunks_exact(TREE + self.size.max(1)).map(|record| Data(&record[TREE..]))
    }
}

/// The data of a record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Data<'e>(&'e [u8]);

impl<'e> Data<'e> {
    /// Returns the text at a place with its greatest size, which ends before the first zero byte.
    pub(super) fn text(self, (at, size): (usize, usize)) -> &'e [u8] {
        let text = self.0.get(at..).unwrap_or_default();
        let text = &text[..text.len().min(size)];
        &text[..memchr::memchr(0, text).unwrap_or(text.len())]
    }

    /// Returns a byte, or 0 behind the end of the data.
    pub(super) fn byte(self, at: usize) -> u8 {
        self.0.get(at).copied().unwrap_or(0)
    }

    /// Returns a number of four bytes.
    pub(super) fn number(self, at: usize) -> u32 {
        u32::from_le_bytes([0, 1, 2, 3].map(|nth| self.byte(at + nth)))
    }
}
