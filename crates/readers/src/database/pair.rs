//! The tag pairs of a game that is made of a database.

/// Appends a tag pair. Characters that a name cannot have become underscores, and control characters of the value
/// become spaces.
pub(crate) fn pair(out: &mut Vec<u8>, name: &[u8], value: &[u8]) {
    out.push(b'[');
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    if name.iter().all(is_letter) {
        out.extend_from_slice(name);
    } else {
        out.extend(name.iter().map(|byte| if is_letter(byte) { *byte } else { b'_' }));
    }
    out.extend_from_slice(b" \"");
    let is_plain = |byte: &u8| *byte >= b' ' && *byte != b'"' && *byte != b'\\';
    if value.iter().all(is_plain) {
        out.extend_from_slice(value);
    } else {
        for byte in value {
            match byte {
                b'"' | b'\\' => out.extend([b'\\', *byte]),
                0..b' ' => out.push(b' '),
                _ => out.push(*byte),
            }
        }
    }
    out.extend_from_slice(b"\"]\n");
}

/// Returns the value of a date tag. What is unknown of it is 0, and becomes question marks.
pub(crate) fn date(year: u32, month: u32, day: u32) -> [u8; 10] {
    let digit = |number: u32| b'0' + (number % 10) as u8;
    let mut text = *b"????.??.??";
    if year > 0 {
        text[..4].copy_from_slice(&[digit(year / 1000), digit(year / 100), digit(year / 10), digit(year)]);
    }
    if month > 0 {
        text[5..7].copy_from_slice(&[digit(month / 10), digit(month)]);
    }
    if day > 0 {
        text[8..].copy_from_slice(&[digit(day / 10), digit(day)]);
    }
    text
}
