//! Safe text for terminals. Text from files, tags, file names and arguments may contain control characters, escape
//! sequences, direction marks and invisible characters. This module replaces them before the text reaches a terminal.

use std::borrow::Cow;
use std::path::Path;

/// Makes text safe for one line on a terminal. White space becomes a space, and other characters that act on a terminal
/// become U+FFFD.
///
/// ```
/// use pgn2fen_pgn::plain::plain;
///
/// assert_eq!(plain("a\u{1b}[31m\n"), "a\u{fffd}[31m ");
/// ```
pub fn plain(text: &str) -> Cow<'_, str> {
    plain_except(text, |_| false)
}

/// Returns the name of a file for messages. Bytes that are not UTF-8 become U+FFFD.
pub fn shown(path: &Path) -> String {
    plain(&usual(path.to_string_lossy())).into_owned()
}

/// Returns a path of Windows without the prefix `\\?\`, which the system puts before the paths that it resolves. Paths
/// of other systems are not changed.
#[doc(hidden)]
pub fn usual(path: Cow<'_, str>) -> Cow<'_, str> {
    if cfg!(windows) { without_prefix(path) } else { path }
}

fn without_prefix(path: Cow<'_, str>) -> Cow<'_, str> {
    let Some(rest) = path.strip_prefix(r"\\?\") else {
        return path;
    };
    match rest.strip_prefix(r"UNC\") {
        Some(share) => Cow::Owned(format!(r"\\{share}")),
        // A drive and a folder.
        None if rest.get(1..3) == Some(r":\") => Cow::Owned(rest.to_owned()),
        None => path,
    }
}

/// Makes text safe as [`plain`] does, except the characters that `keeps` accepts, such as line breaks.
pub fn plain_except(text: &str, keeps: impl Fn(char) -> bool) -> Cow<'_, str> {
    let replace = |char: char| match char {
        _ if !is_hidden(char) || keeps(char) => char,
        _ if char.is_whitespace() => ' ',
        _ => char::REPLACEMENT_CHARACTER,
    };
    if text.chars().any(is_hidden) { Cow::Owned(text.chars().map(replace).collect()) } else { Cow::Borrowed(text) }
}

/// Whether a character is invisible or acts on a terminal: a control character (C0, C1, DEL), a line or paragraph
/// separator, or a format character (the Unicode category Cf, without visible signs such as those of Arabic).
fn is_hidden(char: char) -> bool {
    matches!(char,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{ad}' | '\u{61c}' | '\u{70f}' | '\u{180e}'
        // Zero width, left-to-right and right-to-left marks, separators, embeddings and overrides.
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        // Joiners, isolates; the byte order mark; annotations; musical and language marks.
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::{plain, shown, without_prefix};
    use std::path::Path;

    #[test]
    fn a_resolved_path_of_windows_is_shown_as_people_write_it() {
        let check = |path: &str, expected: &str| assert_eq!(without_prefix(path.into()), expected);
        check(r"\\?\C:\games\a.pgn", r"C:\games\a.pgn");
        check(r"\\?\UNC\server\share\a.pgn", r"\\server\share\a.pgn");
        check(r"\\?\Volume{4c1b02c1}\a.pgn", r"\\?\Volume{4c1b02c1}\a.pgn");
        check(r"C:\a.pgn", r"C:\a.pgn");
        check("games/a.pgn", "games/a.pgn");
    }

    #[test]
    fn what_acts_on_a_terminal_is_replaced() {
        assert_eq!(plain("a\u{1b}[31m\n"), "a\u{fffd}[31m ");
        assert_eq!(plain("\u{9b}1m\u{7f}\u{0}\t\u{85}\u{2028}"), "\u{fffd}1m\u{fffd}\u{fffd}   ");
        assert_eq!(
            plain("\u{202e}gnp\u{2066}\u{200f}\u{61c}\u{feff}\u{200b}"),
            "\u{fffd}gnp".to_owned() + &"\u{fffd}".repeat(5)
        );
        assert_eq!(plain("Grünfeld – 象棋 é 🙂"), "Grünfeld – 象棋 é 🙂");
    }

    #[test]
    fn the_name_of_a_file_is_shown_without_what_acts_on_a_terminal() {
        assert_eq!(shown(Path::new("games/Grünfeld\u{1b}[1m.pgn")), "games/Grünfeld\u{fffd}[1m.pgn");
    }
}
