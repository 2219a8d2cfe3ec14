//! Writes zip archives, also wrong ones, by the specification (APPNOTE.TXT).

use std::io::Write;

/// A member of an archive, as it is written.
#[derive(Clone, Debug)]
pub struct Member {
    /// The bytes of its name.
    pub name: Vec<u8>,
    /// The number of the method of compression.
    pub method: u16,
    /// The general flags.
    pub flags: u16,
    /// The compressed bytes.
    pub data: Vec<u8>,
    /// The CRC-32 of the text.
    pub crc32: u32,
    /// The number of bytes of the text.
    pub size: u64,
}

impl Member {
    /// A member that is not compressed.
    pub fn stored(name: &str, text: &[u8]) -> Self {
        Self::with(name, 0, text, text.to_vec())
    }

    /// A member that is compressed as usual.
    ///
    /// # Panics
    ///
    /// Never: memory can be written to.
    pub fn deflated(name: &str, text: &[u8]) -> Self {
        let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
        let data = encoder.write_all(text).and_then(|()| encoder.finish()).expect("memory can be written to");
        Self::with(name, 8, text, data)
    }

    /// A member with this text, which is compressed by a method.
    pub fn with(name: &str, method: u16, text: &[u8], data: Vec<u8>) -> Self {
        let mut crc = flate2::Crc::new();
        crc.update(text);
        let flags = if name.is_ascii() { 0 } else { 1 << 11 };
        Self { name: name.into(), method, flags, data, crc32: crc.sum(), size: text.len() as u64 }
    }
}

/// Returns an archive with these members. In a piped archive, sizes stand behind the members, and have 64 bits in the
/// list.
///
/// # Panics
///
/// A name or the number of members is too long.
pub fn archive(members: &[Member], is_piped: bool) -> Vec<u8> {
    let (mut bytes, mut list) = (Vec::new(), Vec::new());
    for member in members {
        let offset = bytes.len() as u64;
        let name_length = u16::try_from(member.name.len()).expect("a short name").to_le_bytes();
        let size = member.data.len() as u64;
        let flags = (member.flags | if is_piped { 1 << 3 } else { 0 }).to_le_bytes();
        let short = |number: u64| u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes();
        let sizes = if is_piped {
            [[0; 4]; 3].concat()
        } else {
            [member.crc32.to_le_bytes(), short(size), short(member.size)].concat()
        };
        let common = [&flags[..], &member.method.to_le_bytes(), &[0, 0, 0x21, 0x5D]].concat();
        bytes.extend([b"PK\x03\x04\x2d\0", &common[..], &sizes, &name_length, &[0, 0], &member.name].concat());
        bytes.extend_from_slice(&member.data);
        if is_piped {
            let sizes = [size.to_le_bytes(), member.size.to_le_bytes()].concat();
            bytes.extend([b"PK\x07\x08", &member.crc32.to_le_bytes()[..], &sizes].concat());
        }
        // The extra field with the sizes of 64 bits.
        let extra = if is_piped {
            let field = [member.size.to_le_bytes(), size.to_le_bytes(), offset.to_le_bytes()].concat();
            [&[1, 0, 24, 0][..], &field].concat()
        } else {
            Vec::new()
        };
        let sizes = if is_piped { [0xFF; 8].to_vec() } else { [short(size), short(member.size)].concat() };
        let place = if is_piped { [0xFF; 4] } else { short(offset) };
        list.extend([b"PK\x01\x02\x2d\x03\x2d\0", &common[..], &member.crc32.to_le_bytes(), &sizes].concat());
        let extra_length = u16::try_from(extra.len()).expect("a short field").to_le_bytes();
        list.extend([&name_length[..], &extra_length, &[0; 6], &[0, 0, 0xA4, 0x81], &place, &member.name].concat());
        list.extend(extra);
    }
    let (start, length) = (bytes.len(), list.len());
    bytes.extend(list);
    let number = |number: usize| u32::try_from(number).expect("a small archive").to_le_bytes();
    let count = u16::try_from(members.len()).expect("few members").to_le_bytes();
    bytes.extend([b"PK\x05\x06\0\0\0\0", &count[..], &count, &number(length), &number(start), &[0, 0]].concat());
    bytes
}
