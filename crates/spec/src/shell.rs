//! Words of a command line, quoted for a shell.

use std::ffi::OsStr;

/// Quotes a word for the shells of this system, if it needs quotes. Bytes that are not UTF-8 become U+FFFD.
pub fn quoted(word: &OsStr) -> String {
    if cfg!(windows) { quoted_for_windows(word) } else { quoted_for_sh(word) }
}

/// Quotes a word for `sh`, on any system, if it needs quotes.
pub(crate) fn quoted_for_sh(word: &OsStr) -> String {
    quoted_if("'\"*?<>|&;()$`\\!#~", word, |word| format!("'{}'", word.replace('\'', r"'\''")))
}

/// Quotes a word for cmd and PowerShell, if it needs quotes.
fn quoted_for_windows(word: &OsStr) -> String {
    quoted_if("'\"<>|&;()$`^%@#{},", word, |word| format!("\"{}\"", word.replace('"', r#"\""#)))
}

/// Quotes a word that is empty, or has white space or one of these signs.
fn quoted_if(signs: &str, word: &OsStr, quote: impl FnOnce(&str) -> String) -> String {
    let word = word.to_string_lossy();
    let is_plain = !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || signs.contains(c));
    if is_plain { word.into_owned() } else { quote(&word) }
}

#[cfg(test)]
mod tests {
    use super::{quoted_for_sh, quoted_for_windows};

    #[track_caller]
    fn check(word: &str, sh: &str, windows: &str) {
        assert_eq!((&*quoted_for_sh(word.as_ref()), &*quoted_for_windows(word.as_ref())), (sh, windows));
    }

    #[test]
    fn only_words_that_a_shell_would_change_are_quoted() {
        check("games.pgn", "games.pgn", "games.pgn");
        check(r"C:\games\a.pgn", r"'C:\games\a.pgn'", r"C:\games\a.pgn");
        check("my games.pgn", "'my games.pgn'", "\"my games.pgn\"");
        check("WhiteElo>=2200", "'WhiteElo>=2200'", "\"WhiteElo>=2200\"");
        check("it's", r"'it'\''s'", "\"it's\"");
        check("", "''", "\"\"");
    }
}
