//! Letters of other alphabets that look like the letters of SAN, for files, castling and captures. They come from
//! keyboards that were switched to another alphabet, and from text recognition.
//!
//! Piece letters are left out: the Cyrillic `К` is a knight in Russian, and looks like the letter of the king.

/// Returns a symbol with Latin letters in place of those that look like them. None if there are none, or the symbol is
/// not UTF-8.
pub(super) fn in_latin(symbol: &[u8]) -> Option<String> {
    let text = str::from_utf8(symbol).ok().filter(|text| !text.is_ascii())?;
    let latin: String = text.chars().map(|char| latin(char).unwrap_or(char)).collect();
    (latin != text).then_some(latin)
}

fn latin(char: char) -> Option<char> {
    Some(match char {
        'а' | 'α' => 'a',
        'Ь' | 'ь' => 'b',
        'с' | 'ϲ' => 'c',
        'ԁ' => 'd',
        'е' | 'ё' => 'e',
        'ɡ' => 'g',
        'һ' => 'h',
        'х' | 'χ' => 'x',
        'Х' | 'Χ' => 'X',
        'О' | 'Ο' => 'O',
        'о' | 'ο' => 'o',
        // Letters and digits as wide as Chinese characters.
        '！'..='～' => char::from_u32(u32::from(char) - 0xFEE0)?,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::in_latin;

    #[test]
    fn letters_that_look_like_files_castling_and_captures_become_latin() {
        for (written, read) in
            [("О-О", "O-O"), ("ο–ο", "o–o"), ("Nхе5", "Nxe5"), ("с4", "c4"), ("ｅ４", "e4"), ("Кхс3", "Кxc3")]
        {
            assert_eq!(in_latin(written.as_bytes()).as_deref(), Some(read), "{written}");
        }
        for (letters, read) in [
            ("аα", "a"),
            ("Ьь", "b"),
            ("сϲ", "c"),
            ("ԁ", "d"),
            ("её", "e"),
            ("ɡ", "g"),
            ("һ", "h"),
            ("хχ", "x"),
            ("ХΧ", "X"),
            ("ОΟ", "O"),
            ("оο", "o"),
            ("Ｎ", "N"),
        ] {
            for letter in letters.chars() {
                assert_eq!(in_latin(letter.to_string().as_bytes()).as_deref(), Some(read), "{letter}");
            }
        }
        for text in [&b"e4"[..], "♘f3".as_bytes(), "Кf3".as_bytes(), b"\xCAf3"] {
            assert_eq!(in_latin(text), None);
        }
    }
}
