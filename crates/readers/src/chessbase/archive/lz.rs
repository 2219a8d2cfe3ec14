//! Text with references to text before it.
//!
//! A word of 16 bits, the lowest byte first, says of the next 16 items whether each is a byte or a code, from the
//! highest bit on. The high half of the first byte of a code is its kind: 0 and 1 repeat a byte, 2 copies 16 bytes or
//! more, and 3 to 15 copy as many bytes. The text may end within a word. (Source: `cbvault-format`.)

/// The greatest number of bytes that a block may become.
const LONGEST: usize = 16 * 1024 * 1024;

/// The greatest distance of a reference.
pub(super) const REACH: usize = (0xFF << 4) + 0xF + 3;

/// Appends the text of a block. The error completes a sentence after the name of the member.
pub(super) fn decode(data: &[u8], text: &mut Vec<u8>) -> Result<(), &'static str> {
    let mut data = data.iter().copied();
    while let Some(low) = data.next() {
        let Some(high) = data.next() else {
            text.push(low);
            break;
        };
        let word = u16::from_le_bytes([low, high]);
        for bit in (0..16).rev() {
            let Some(byte) = data.next() else { return Ok(()) };
            if word >> bit & 1 == 0 {
                text.push(byte);
                continue;
            }
            if text.len() > LONGEST {
                return Err("has a block that is too long");
            }
            let (kind, low) = (byte >> 4, usize::from(byte & 15));
            // A code that is cut belongs to nothing: the last word has bits without an item.
            let Some(second) = data.next() else { return Ok(()) };
            match kind {
                0 => text.resize(text.len() + low + 3, second),
                1 => {
                    let Some(repeated) = data.next() else { return Ok(()) };
                    text.resize(text.len() + low + (usize::from(second) << 4) + 19, repeated);
                }
                _ => {
                    let length = match kind {
                        2 => {
                            let Some(more) = data.next() else { return Ok(()) };
                            usize::from(more) + 16
                        }
                        _ => usize::from(kind),
                    };
                    copy(text, (usize::from(second) << 4) + low + 3, length)?;
                }
            }
        }
    }
    Ok(())
}

/// Copies text from a distance before the end. A copy may be longer than its distance: then the text repeats.
fn copy(text: &mut Vec<u8>, distance: usize, length: usize) -> Result<(), &'static str> {
    let start = text.len().checked_sub(distance).ok_or("refers to text before its beginning")?;
    for at in start..start + length {
        text.push(text[at]);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[track_caller]
    fn check(data: &[u8], expected: Result<&str, &str>) {
        let mut text = b"before ".to_vec();
        let decoded = decode(data, &mut text).map(|()| String::from_utf8_lossy(&text).into_owned());
        assert_eq!(decoded.as_deref().map_err(|reason| *reason), expected);
    }

    #[test]
    fn items_are_bytes_runs_and_copies() {
        check(b"\0\0games", Ok("before games"));
        check(b"\0\0games, and more.\0\0x", Ok("before games, and more.x"));
        check(b"x", Ok("before x"));
        check(b"\0\x80\x01e", Ok("before eeee"));
        check(b"\0\x80\x11\x01e", Ok(&format!("before {}", "e".repeat(36))));
        check(b"\0\x80\x64\0", Ok("before before"));
        check(b"\0\x80\x24\0\0", Ok("before before before be"));
        check(b"\0\x80\x64\x01", Err("refers to text before its beginning"));
    }
}
