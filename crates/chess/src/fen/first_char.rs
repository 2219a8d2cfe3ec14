//! The first character of a text that may not be UTF-8.

/// Returns the character in UTF-8 with which a text begins. None if the text is empty or begins with other bytes.
pub(super) fn first_char(text: &[u8]) -> Option<char> {
    (1..=text.len().min(4)).find_map(|end| str::from_utf8(&text[..end]).ok()?.chars().next())
}
