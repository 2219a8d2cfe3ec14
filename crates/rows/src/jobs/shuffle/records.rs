//! The records of formats, as they follow one another in encoded rows.

use memchr::{memchr, memchr2, memmem};

use crate::format::Format;

/// The way in which the records of a format follow one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Records {
    /// Records of this number of bytes.
    Fixed(usize),
    /// Lines.
    Lines,
    /// Lines, with line breaks between quotes that belong to a value.
    QuotedLines,
    /// Lines up to a line `e`.
    Plain,
    /// Chains of binpack, each behind its length.
    Chains,
    /// Games of viriformat.
    Games,
}

impl Format {
    /// Whether the format is a sequence of records that may have any order, which can be
    /// [shuffled](crate::Rows::shuffle) and divided into [parts](crate::Rows::begin_parts).
    pub fn has_records(self) -> bool {
        Records::of(self).is_some()
    }
}

impl Records {
    /// Returns how the records of a format follow one another. None if it is not a sequence of records.
    pub(crate) fn of(format: Format) -> Option<Self> {
        match format {
            Format::Fen | Format::Epd | Format::Tsv | Format::Jsonl | Format::Uci | Format::Bullet => Some(Self::Lines),
            Format::Csv => Some(Self::QuotedLines),
            Format::Plain => Some(Self::Plain),
            Format::Bulletformat => Some(Self::Fixed(32)),
            Format::Viri => Some(Self::Games),
            Format::Binpack => Some(Self::Chains),
            Format::Html | Format::Anki => None,
            #[cfg(feature = "arrow")]
            Format::Arrow => None,
            #[cfg(feature = "parquet")]
            Format::Parquet => None,
        }
    }

    /// Returns the length of the first record of encoded rows, in bytes. It is that of all bytes if the record does not
    /// end.
    #[inline]
    pub(crate) fn first_len(self, bytes: &[u8]) -> usize {
        let len = match self {
            Self::Fixed(len) => Some(len),
            Self::Lines => memchr(b'\n', bytes).map(|at| at + 1),
            Self::QuotedLines => quoted_line(bytes),
            Self::Plain => memmem::find(bytes, b"\ne\n").map(|at| at + 3),
            Self::Chains => bytes.first_chunk().map(|len| 4 + u32::from_le_bytes(*len) as usize),
            Self::Games => game(bytes),
        };
        len.map_or(bytes.len(), |len| len.min(bytes.len()))
    }
}

/// Returns the length of the first line whose line break is not between quotes. A quote in a value is doubled.
fn quoted_line(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr2(b'\n', b'"', &bytes[at..])? + 1;
        if bytes[at - 1] == b'\n' {
            return Some(at);
        }
        at += memchr(b'"', &bytes[at..])? + 1;
    }
}

/// Returns the length of the first game of viriformat: 32 bytes, and entries of four bytes up to one of zeros.
fn game(bytes: &[u8]) -> Option<usize> {
    let (entries, _) = bytes.get(32..)?.as_chunks::<4>();
    entries.iter().position(|entry| *entry == [0; 4]).map(|last| 32 + (last + 1) * 4)
}

#[cfg(test)]
mod tests {
    use super::Records;

    #[track_caller]
    fn check(records: Records, expected: &[&[u8]]) {
        let bytes = expected.concat();
        let mut rest = &*bytes;
        for record in expected {
            let (first, behind) = rest.split_at(records.first_len(rest));
            assert_eq!(first, *record);
            rest = behind;
        }
        assert!(rest.is_empty());
    }

    #[test]
    fn each_record_ends_where_the_next_begins() {
        check(Records::Fixed(3), &[b"abc", b"\n\n\n", b"d"]);
        check(Records::Lines, &[b"a\n", b"\n", b"\"bc\n", b"d\"\n", b"e"]);
        check(Records::QuotedLines, &[b"a,\"\n\"\n", b"\n", b"\"\"\"\n\"\"\",\"\"\n", b"b\n", b"\"open\n"]);
        check(Records::Plain, &[b"fen x\nmove e2e4\ne\n", b"fen e\ne\n", b"fen y\n"]);
        check(Records::Chains, &[b"\x02\0\0\0ab", b"\0\0\0\0", b"\x01\0\0\0c", b"\x09\0\0\0d"]);
        let board = [0; 32];
        let game = |entries: &[u8]| [&board[..], entries].concat();
        check(Records::Games, &[&game(&[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]), &game(&[0; 4]), &game(&[1, 2, 3, 4])]);
    }
}
