//! Names as they are compared.

#[cfg(feature = "names")]
use unicode_normalization::UnicodeNormalization;
#[cfg(feature = "names")]
use unicode_normalization::char::is_combining_mark;

/// Returns a name as it is compared: its words in lower case, without accents, with single spaces between them.
///
/// Words are letters, digits and `_`. Apostrophes are dropped, and all other characters end a word. Letters such as ø,
/// ł and ß become o, l and ss. Without the feature `names`, accents are kept.
///
/// ```
/// use pgn2fen_filters::players::folded;
///
/// assert_eq!(folded("  Vachier-Lagrave,Maxime "), "vachier lagrave maxime");
/// assert_eq!(folded("O’Kelly de Galway, Albéric"), "okelly de galway alberic");
/// assert_eq!(folded("?"), "");
/// ```
pub fn folded(name: &str) -> String {
    let mut folded = String::with_capacity(name.len());
    if name.is_ascii() {
        name.chars().for_each(|char| push(&mut folded, char));
    } else {
        let letters = name.chars().filter(|char| !matches!(char, '‘' | '’' | '´' | 'ʼ'));
        push_all(&mut folded, letters);
    }
    folded.truncate(folded.trim_end().len());
    folded
}

/// Whether a name has letters or digits, and so is not empty when it is [folded].
pub fn has_words(name: &str) -> bool {
    name.bytes().any(|byte| byte.is_ascii_alphanumeric()) || !folded(name).is_empty()
}

#[cfg(feature = "names")]
fn push_all(folded: &mut String, letters: impl Iterator<Item = char>) {
    for char in letters.nfkd() {
        match char {
            // The accents of Latin, Greek and Cyrillic letters.
            '\u{300}'..='\u{36f}' => {}
            char if is_combining_mark(char) => folded.push(char),
            char => push(folded, char),
        }
    }
}

#[cfg(not(feature = "names"))]
fn push_all(folded: &mut String, letters: impl Iterator<Item = char>) {
    letters.for_each(|char| push(folded, char));
}

/// Adds a character. White space is added only behind a word.
fn push(folded: &mut String, char: char) {
    match char {
        'a'..='z' | '0'..='9' | '_' => folded.push(char),
        'A'..='Z' => folded.push(char.to_ascii_lowercase()),
        '\'' | '`' => {}
        char if char.is_ascii() || !char.is_alphanumeric() => {
            if !folded.is_empty() && !folded.ends_with(' ') {
                folded.push(' ');
            }
        }
        'ß' | 'ẞ' => folded.push_str("ss"),
        'æ' | 'Æ' => folded.push_str("ae"),
        'œ' | 'Œ' => folded.push_str("oe"),
        'þ' | 'Þ' => folded.push_str("th"),
        'ø' | 'Ø' => folded.push('o'),
        'ł' | 'Ł' => folded.push('l'),
        'đ' | 'Đ' | 'ð' | 'Ð' => folded.push('d'),
        'ħ' | 'Ħ' => folded.push('h'),
        'ı' => folded.push('i'),
        char => folded.extend(char.to_lowercase()),
    }
}

#[cfg(test)]
mod tests {
    use super::folded;

    #[track_caller]
    fn check(names: &[&str], expected: &str) {
        for name in names {
            assert_eq!(folded(name), expected, "{name}");
        }
    }

    #[test]
    fn names_that_differ_in_case_and_punctuation_are_the_same() {
        check(&["Carlsen, Magnus", "CARLSEN,MAGNUS", " Carlsen  Magnus.", "carlsen\tmagnus"], "carlsen magnus");
        check(&["O'Kelly, A.", "OKelly,A", "O’Kelly a", "O`Kelly - A"], "okelly a");
        check(&["Vachier-Lagrave", "Vachier Lagrave"], "vachier lagrave");
        check(&["", "?", "-", "...", " "], "");
        check(&["dr_nykterstein"], "dr_nykterstein");
        check(&["Карпов, А", "КАРПОВ А."], "карпов а");
        check(&["李, 超", "李 超"], "李 超");
    }

    #[test]
    #[cfg(feature = "names")]
    fn names_that_differ_in_accents_are_the_same() {
        check(&["Müller, Jürgen", "Mu\u{308}ller, Ju\u{308}rgen", "MULLER JURGEN"], "muller jurgen");
        check(&["Żółć", "Zolc"], "zolc");
        check(&["Straße", "STRASSE", "STRAẞE"], "strasse");
        check(&["Sørensen Æ", "SORENSEN AE"], "sorensen ae");
        check(&["Đoković, Þór", "Dokovic Thor"], "dokovic thor");
        check(&["İlhan", "ılhan", "Ilhan"], "ilhan");
        // Vowel signs are no accents.
        assert_ne!(folded("कि"), folded("का"));
        check(&["Йордан", "ЙОРДАН"], "иордан");
    }
}
