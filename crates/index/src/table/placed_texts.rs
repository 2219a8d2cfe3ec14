//! The texts of a page of a column: where each of them is in the bytes of the page, or of its dictionary.
//!
//! The `parquet` package finds, checks and decompresses pages. It would also make an object of each text and count the
//! references to it, which takes longer than to decompress it.

use bytes::Bytes;
use parquet::basic::Encoding;
use parquet::column::page::Page;

/// The number of rows above which a page is refused. Pages of a table have a few thousand; more would need much memory,
/// which a few bytes of a page could ask for.
const MOST_ROWS: u64 = 1 << 20;

/// The place of a text in some bytes: its start and its end.
pub(crate) type TextPlace = (u32, u32);

/// The place of a missing value. A text begins behind its length, so none begins here, even if it is empty.
pub(crate) const MISSING: TextPlace = (0, 0);

/// The texts of a page or of a dictionary, by their places.
#[derive(Debug, Default)]
pub(super) struct PlacedTexts {
    /// The bytes that contain the texts, and little else unless they are those of a dictionary.
    pub(super) bytes: Bytes,
    pub(super) places: Vec<TextPlace>,
    pub(super) has_dictionary: bool,
}

impl PlacedTexts {
    /// Finds the texts of a dictionary. None if it is damaged.
    pub(super) fn of_dictionary(page: Page) -> Option<Self> {
        let Page::DictionaryPage { buf, num_values, .. } = page else {
            return None;
        };
        let mut places = Vec::new();
        plain(&buf, std::iter::repeat_n(1, usize::try_from(num_values).ok()?), &mut places)?;
        Some(Self { bytes: buf, places, has_dictionary: true })
    }

    /// Finds the texts of a page with this number of rows, in place of those of the page before. `numbers` is memory.
    /// None if the page is damaged.
    pub(super) fn read(
        &mut self,
        page: Page,
        rows: u64,
        dictionary: Option<&Self>,
        numbers: &mut Vec<u32>,
    ) -> Option<()> {
        let Page::DataPage { buf, num_values, encoding, .. } = page else {
            return None;
        };
        self.places.clear();
        let count = usize::try_from(num_values).ok().filter(|_| u64::from(num_values) == rows && rows <= MOST_ROWS)?;
        // The first part of the page says for each row whether it has a value.
        let (length, rest) = buf.split_first_chunk()?;
        let (levels, values) = rest.split_at_checked(usize::try_from(u32::from_le_bytes(*length)).ok()?)?;
        unpack(levels, 1, count, numbers)?;
        if encoding == Encoding::PLAIN {
            plain(values, numbers.iter().copied(), &mut self.places)?;
            (self.bytes, self.has_dictionary) = (buf.slice_ref(values), false);
            return Some(());
        }
        let dictionary = dictionary.filter(|_| is_of_dictionary(encoding))?;
        let (width, values) = values.split_first()?;
        self.places.extend(numbers.iter().map(|level| (0, *level)));
        let present = numbers.iter().filter(|level| **level > 0).count();
        unpack(values, u32::from(*width), present, numbers)?;
        let mut numbers = numbers.iter();
        for place in self.places.iter_mut().filter(|place| place.1 > 0) {
            *place = *dictionary.places.get(usize::try_from(*numbers.next()?).ok()?)?;
        }
        (self.bytes, self.has_dictionary) = (dictionary.bytes.clone(), true);
        Some(())
    }
}

/// Whether the values of a page are indexes into a dictionary.
fn is_of_dictionary(encoding: Encoding) -> bool {
    matches!(encoding, Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY)
}

/// Finds texts behind their lengths. `levels` says for each row whether it has a text. None if they are not all there.
fn plain(bytes: &[u8], levels: impl Iterator<Item = u32>, places: &mut Vec<TextPlace>) -> Option<()> {
    // A damaged dictionary may pretend to have more texts than there is room for their lengths.
    places.reserve(levels.size_hint().0.min(bytes.len()));
    let mut at = 0;
    for level in levels {
        if level == 0 {
            places.push(MISSING);
            continue;
        }
        let length = u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?);
        let start = at + size_of::<u32>();
        at = start.checked_add(usize::try_from(length).ok()?)?;
        if at > bytes.len() {
            return None;
        }
        places.push((u32::try_from(start).ok()?, u32::try_from(at).ok()?));
    }
    Some(())
}

/// Reads `count` numbers of `width` bits in the hybrid encoding of the format: runs of equal numbers, and packed groups
/// of eight. None if they are not all there.
fn unpack(mut bytes: &[u8], width: u32, count: usize, numbers: &mut Vec<u32>) -> Option<()> {
    numbers.clear();
    numbers.reserve(count);
    if width > u32::BITS {
        return None;
    }
    while numbers.len() < count {
        let header = varint(&mut bytes)?;
        let (is_packed, length) = (header & 1 == 1, usize::try_from(header >> 1).ok()?);
        let size =
            if is_packed { length.checked_mul(usize::try_from(width).ok()?)? } else { width.div_ceil(8) as usize };
        let (run, rest) = bytes.split_at_checked(size)?;
        bytes = rest;
        let wanted = if is_packed { length.saturating_mul(8) } else { length }.min(count - numbers.len());
        if wanted == 0 {
            return None;
        }
        if is_packed && width > 0 {
            unpack_run(run, width, wanted, numbers);
        } else {
            let number = run.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte));
            numbers.resize(numbers.len() + wanted, number);
        }
    }
    Some(())
}

/// Reads the first numbers of packed ones, which are all there.
fn unpack_run(run: &[u8], width: u32, wanted: usize, numbers: &mut Vec<u32>) {
    let (width, mask) = (width as usize, (1 << width) - 1);
    #[expect(clippy::cast_possible_truncation, reason = "a number has at most 32 bits")]
    let number = |bit: usize| (word(&run[bit / 8..]) >> (bit % 8) & mask) as u32;
    numbers.extend((0..wanted).map(|nth| number(nth * width)));
}

/// Returns the first eight bytes, or zeros in place of those that are missing.
fn word(bytes: &[u8]) -> u64 {
    match bytes.first_chunk() {
        Some(word) => u64::from_le_bytes(*word),
        None => bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    }
}

/// Reads a number of seven bits a byte, the least significant ones first.
fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..u64::BITS).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use parquet::basic::Encoding;
    use parquet::column::page::Page;
    use proptest::prelude::{Strategy, any, prop, prop_oneof, proptest};

    use super::{PlacedTexts, unpack};

    #[test]
    fn runs_and_packed_numbers_are_read() {
        let mut numbers = Vec::new();
        // The example of the format: the numbers from 0 to 7 in three bits each. Then 300 times 5.
        let bytes = [0x03, 0x88, 0xC6, 0xFA, 0xD8, 0x04, 0x05];
        unpack(&bytes, 3, 308, &mut numbers).unwrap();
        assert!(numbers.iter().copied().eq((0..8).chain([5; 300])));
        // The last group may have more numbers than are wanted.
        unpack(&bytes, 3, 3, &mut numbers).unwrap();
        assert_eq!(numbers, [0, 1, 2]);
        assert_eq!(unpack(&bytes, 3, 309, &mut numbers), None);
        // A dictionary of one text has numbers without bits.
        unpack(&[0x14], 0, 10, &mut numbers).unwrap();
        assert_eq!(numbers, [0; 10]);
    }

    #[test]
    fn numbers_have_at_most_32_bits() {
        let mut numbers = Vec::new();
        let words: Vec<u32> = (0..8).map(|n| u32::MAX - n).collect();
        let packed: Vec<u8> = [0x03].into_iter().chain(words.iter().flat_map(|word| word.to_le_bytes())).collect();
        unpack(&packed, 32, 8, &mut numbers).unwrap();
        assert_eq!(numbers, words);
        unpack(&[0x0A, 0xFF, 0xFF, 0xFF, 0xFF], 32, 5, &mut numbers).unwrap();
        assert_eq!(numbers, [u32::MAX; 5]);
        assert_eq!(unpack(&[0x0A, 1, 0, 0, 0, 0], 33, 5, &mut numbers), None);
    }

    /// A byte, which is often so small that it may be a length or a width.
    fn byte() -> impl Strategy<Value = u8> {
        prop_oneof![3 => 0..5u8, 1 => any::<u8>()]
    }

    proptest! {
        #[test]
        fn a_damaged_page_is_no_panic(
            levels in prop::collection::vec(byte(), 0..6),
            values in prop::collection::vec(byte(), 0..60),
            num_values in 0..40u32,
            is_plain in any::<bool>(),
        ) {
            let length = u32::try_from(levels.len()).unwrap().to_le_bytes();
            let page = Page::DataPage {
                buf: Bytes::from([&length[..], &levels, &values].concat()),
                num_values,
                encoding: if is_plain { Encoding::PLAIN } else { Encoding::RLE_DICTIONARY },
                def_level_encoding: Encoding::RLE,
                rep_level_encoding: Encoding::RLE,
                statistics: None,
            };
            let of_dictionary = |buf: Bytes| {
                let encoding = Encoding::PLAIN;
                PlacedTexts::of_dictionary(Page::DictionaryPage { buf, num_values, encoding, is_sorted: false })
            };
            of_dictionary(Bytes::from(values));
            let dictionary = of_dictionary(Bytes::from([1, 0, 0, 0, b'a'].repeat(num_values as usize))).unwrap();
            let mut read = PlacedTexts::default();
            if read.read(page, num_values.into(), Some(&dictionary), &mut Vec::new()).is_some() {
                assert_eq!(read.places.len(), num_values as usize);
                assert!(read.places.iter().all(|(start, end)| start <= end && *end as usize <= read.bytes.len()));
            }
        }
    }
}
