//! Words of a command line, quoted for a shell.

use std::ffi::OsStr;

/// Quotes a word for a shell, if it needs quotes. Bytes that are not UTF-8 become U+FFFD.
pub fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let is_plain = !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || "'\"*?<>|&;()$`\\!#~".contains(c));
    if is_plain { word.into_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[track_caller]
    fn check(word: &str, expected: &str) {
        assert_eq!(quoted(word.as_ref()), expected);
    }

    #[test]
    fn only_words_that_a_shell_would_change_are_quoted() {
        check("games.pgn", "games.pgn");
        check("my games.pgn", "'my games.pgn'");
        check("WhiteElo>=2200", "'WhiteElo>=2200'");
        check("it's", r"'it'\''s'");
        check("", "''");
    }
}
