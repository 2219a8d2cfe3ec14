//! A reader of Thrift's compact protocol, for what has to be known before the package `parquet` reads it.

use crate::tabular::parquet::numbers::{varint, zigzag};

/// The greatest depth of nested structures, and of nested columns.
pub(super) const DEPTH: usize = 64;

pub(super) const I32: u8 = 5;
pub(super) const LIST: u8 = 9;
pub(super) const STRUCT: u8 = 12;

/// A reader of Thrift's compact protocol. Its functions return None if the bytes end too early or are not of this
/// protocol.
pub(super) struct Thrift<'a> {
    pub(super) rest: &'a [u8],
}

impl Thrift<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    pub(super) fn unsigned(&mut self) -> Option<u64> {
        varint(&mut self.rest)
    }

    pub(super) fn signed(&mut self) -> Option<i64> {
        zigzag(&mut self.rest)
    }

    fn pass(&mut self, count: u64) -> Option<()> {
        self.rest = self.rest.get(usize::try_from(count).ok()?..)?;
        Some(())
    }

    /// Reads the header of a field: sets its number and returns its type. None inside at the end of the structure.
    pub(super) fn field(&mut self, number: &mut i64) -> Option<Option<u8>> {
        let header = self.byte()?;
        if header == 0 {
            return Some(None);
        }
        *number = match header >> 4 {
            0 => self.signed()?,
            delta => number.checked_add(delta.into())?,
        };
        Some(Some(header & 0x0F))
    }

    /// Reads the header of a list: its size and the type of its elements.
    pub(super) fn list(&mut self) -> Option<(u64, u8)> {
        let header = self.byte()?;
        let size = match header >> 4 {
            15 => self.unsigned()?,
            size => size.into(),
        };
        // Each element has at least one byte.
        (size <= self.rest.len() as u64).then_some((size, header & 0x0F))
    }

    pub(super) fn skip(&mut self, kind: u8, depth: usize) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match kind {
            1 | 2 => Some(()),
            3 => self.pass(1),
            4..=6 => self.unsigned().map(|_| ()),
            7 => self.pass(8),
            8 => {
                let length = self.unsigned()?;
                self.pass(length)
            }
            9 | 10 => {
                let (size, of) = self.list()?;
                // Truth values have a byte each in a list.
                (0..size).try_for_each(|_| if of <= 2 { self.pass(1) } else { self.skip(of, depth) })
            }
            11 => {
                let size = self.unsigned()?;
                if size == 0 {
                    return Some(());
                }
                let kinds = self.byte()?;
                let part = |thrift: &mut Self, of: u8| if of <= 2 { thrift.pass(1) } else { thrift.skip(of, depth) };
                (0..size).try_for_each(|_| {
                    part(self, kinds >> 4)?;
                    part(self, kinds & 0x0F)
                })
            }
            12 => {
                let mut number = 0;
                while let Some(of) = self.field(&mut number)? {
                    self.skip(of, depth)?;
                }
                Some(())
            }
            _ => None,
        }
    }
}
