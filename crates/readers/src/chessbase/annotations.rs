//! The record of the annotations of a game: a head of 14 bytes, and annotations with their place, kind and size, the
//! highest byte of a number first.
//!
//! A place is the number of a move in the order of the record of the moves, from 0 on; -1 is before the first move.

/// The number of bytes of the head of a record, and of the head of an annotation.
pub(super) const HEAD: usize = 14;
const ITEM_HEAD: usize = 6;

/// The bytes that each head has behind the number of the game.
const MARK: [u8; 4] = [1, 0, 14, 14];

/// The kinds of annotations that are read. Others are pictures, sounds, videos, training questions, headers of
/// correspondence games, critical positions, and colors of variations.
pub(super) const TEXT: u8 = 0x02;
pub(super) const SYMBOLS: u8 = 0x03;
pub(super) const SQUARES: u8 = 0x04;
pub(super) const ARROWS: u8 = 0x05;
pub(super) const TIME: u8 = 0x07;
pub(super) const QUOTATION: u8 = 0x13;
pub(super) const CLOCKS: [u8; 2] = [0x16, 0x17];
pub(super) const LINK: u8 = 0x1C;
pub(super) const EVALUATION: u8 = 0x21;
pub(super) const MEDALS: u8 = 0x22;
pub(super) const TIME_CONTROL: u8 = 0x24;
pub(super) const PROFILE: u8 = 0x26;
pub(super) const TEXT_BEFORE: u8 = 0x82;

/// The annotations of a game.
#[derive(Debug, Default)]
pub(super) struct Annotations<'r> {
    /// The annotations in the order of their places.
    items: Vec<Item<'r>>,
    /// The damage of the record, as the end of a word for messages.
    pub(super) damage: Option<&'static str>,
}

/// An annotation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item<'r> {
    place: i32,
    pub(super) kind: u8,
    pub(super) data: &'r [u8],
}

/// Returns the size of a record by its head.
pub(super) fn size(head: &[u8]) -> u64 {
    head.get(10..HEAD).map_or(0, |size| size.iter().fold(0, |size, byte| size << 8 | u64::from(*byte)))
}

impl<'r> Annotations<'r> {
    /// Returns none, because the record cannot be read.
    pub(super) fn lost(damage: &'static str) -> Self {
        Self { items: Vec::new(), damage: Some(damage) }
    }

    /// Reads a record.
    pub(super) fn read(record: &'r [u8]) -> Self {
        let mut annotations = Self::default();
        annotations.damage = annotations.read_items(record).err();
        if !annotations.items.is_sorted_by_key(|item| item.place) {
            annotations.items.sort_by_key(|item| item.place);
        }
        annotations
    }

    fn read_items(&mut self, record: &'r [u8]) -> Result<(), &'static str> {
        let (head, mut rest) = record.split_at_checked(HEAD).ok_or("its-annotations-are-cut")?;
        if head[3..7] != MARK {
            return Err("its-annotations-have-another-head");
        }
        let number = |bytes: &[u8]| bytes.iter().fold(0, |number, byte| number << 8 | i32::from(*byte));
        while !rest.is_empty() {
            let size = rest.get(4..ITEM_HEAD).map_or(0, |size| number(size) as usize);
            let item = rest.get(ITEM_HEAD..size).ok_or("its-annotations-are-cut")?;
            // The place has 24 bits and a sign.
            let place = number(&rest[..3]) << 8 >> 8;
            self.items.push(Item { place, kind: rest[3], data: item });
            rest = &rest[size..];
        }
        let stated = number(&head[7..10]);
        if usize::try_from(stated).ok() != Some(self.items.len() + 1) { Err("its-annotations-are-cut") } else { Ok(()) }
    }

    pub(super) fn has_items(&self) -> bool {
        !self.items.is_empty()
    }

    /// Returns all texts.
    pub(super) fn texts(&self) -> impl Iterator<Item = &'r [u8]> {
        let texts = self.items.iter().filter(|item| matches!(item.kind, TEXT | TEXT_BEFORE));
        texts.filter_map(|item| item.data.get(2..))
    }

    /// Returns the annotations of a move.
    pub(super) fn of_move(&self, number: usize) -> &[Item<'r>] {
        if self.items.is_empty() { &[] } else { self.at(i32::try_from(number).unwrap_or(i32::MAX)) }
    }

    /// Returns the annotations before the first move.
    pub(super) fn before_moves(&self) -> &[Item<'r>] {
        &self.items[..self.items.partition_point(|item| item.place < 0)]
    }

    /// Returns the annotations of moves that the game does not have.
    pub(super) fn behind(&self, moves: usize) -> &[Item<'r>] {
        &self.items[self.start(i32::try_from(moves).unwrap_or(i32::MAX))..]
    }

    fn at(&self, place: i32) -> &[Item<'r>] {
        let items = &self.items[self.start(place)..];
        &items[..items.iter().take_while(|item| item.place == place).count()]
    }

    fn start(&self, place: i32) -> usize {
        self.items.partition_point(|item| item.place < place)
    }
}
