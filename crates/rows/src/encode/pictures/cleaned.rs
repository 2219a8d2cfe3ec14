//! Texts from games as parts of file names, on any system.

use pgn2fen_tables::beginning;

/// The greatest length of a value in a file name, in bytes. Longer values are cut to this length.
const MOST_VALUE: usize = 100;

/// The greatest length of a file name or of the name of a folder, in bytes. Usual file systems allow 255; the rest is
/// for the ending and for a number.
const MOST_NAME: usize = 200;

/// The character that stands for a number that is not known yet. No value contains it.
pub(super) const NUMBER: char = '\0';

/// Returns a value as part of a file name. Separators, control characters and characters that Windows does not allow
/// become `_`, and so does a missing value.
pub(super) fn value(text: &str) -> String {
    let safe = |char: char| match char {
        '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' => '_',
        char if char.is_control() || is_invisible(char) => '_',
        char if char.is_whitespace() => ' ',
        char => char,
    };
    let text: String = text.trim().chars().map(safe).collect();
    match beginning(&text, MOST_VALUE).trim() {
        "" => "_".to_owned(),
        text => text.to_owned(),
    }
}

/// Whether a character changes how others are shown, and is not shown itself.
fn is_invisible(char: char) -> bool {
    matches!(char, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Returns the name of a file or folder that contains values. It cannot be the name of a parent folder, a hidden file,
/// an option of a command, or a device of Windows, and it is not too long. `begins_with_value` is false if the user
/// chose the first characters.
pub(super) fn component(name: &str, begins_with_value: bool) -> String {
    let mut name = name.to_owned();
    let is_misleading = begins_with_value && name.starts_with(['.', '-']);
    if is_misleading || name.chars().all(|char| char == '.') {
        name.replace_range(..1, "_");
    }
    // Windows ignores a period or a space at the end.
    while name.ends_with(['.', ' ']) {
        name.pop();
        name.push('_');
    }
    let name = no_device(name);
    let ending = name.rfind('.').map_or(name.len(), |at| if name.len() - at <= 8 { at } else { name.len() });
    let (stem, ending) = name.split_at(ending);
    let kept = beginning(stem, MOST_NAME);
    // Names differ by their number, so it is not cut off.
    let number = stem[kept.len()..].contains(NUMBER).then_some(NUMBER);
    kept.chars().chain(number).chain(ending.chars()).collect()
}

/// Returns the name of a file or folder that is no device of Windows.
fn no_device(mut name: String) -> String {
    let stem = name.split('.').next().unwrap_or_default().trim_end();
    if is_device(stem) {
        name.insert(0, '_');
    }
    name
}

/// Returns the name of a file or folder in which [`NUMBER`] is replaced by a number.
pub(super) fn numbered(name: &str, number: u64) -> String {
    no_device(name.replace(NUMBER, &number.to_string()))
}

/// Whether Windows takes a file with this name for a device, whatever its ending.
fn is_device(stem: &str) -> bool {
    let stem = stem.to_ascii_uppercase();
    let numbered = || {
        let number = stem.strip_prefix("COM").or_else(|| stem.strip_prefix("LPT"));
        number.is_some_and(|number| {
            matches!(number, "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "¹" | "²" | "³")
        })
    };
    matches!(&*stem, "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$") || numbered()
}

#[cfg(test)]
mod tests {
    use super::{component, numbered, value};

    #[track_caller]
    fn check_value(text: &str, expected: &str) {
        assert_eq!(value(text), expected);
    }

    #[test]
    fn a_value_has_no_separators_and_no_control_characters() {
        check_value("Carlsen, Magnus", "Carlsen, Magnus");
        check_value("../../etc/passwd", ".._.._etc_passwd");
        check_value("C:\\a<b>|\"c\"*?", "C__a_b___c___");
        check_value("a\0b\u{1b}\n\u{85}\u{202e}c", "a_b____c");
        check_value(" \u{a0}a\u{3000}b ", "a b");
        check_value("", "_");
        check_value(" ", "_");
        check_value(&"é".repeat(80), &"é".repeat(50));
    }

    #[track_caller]
    fn check_component(name: &str, expected: &str) {
        assert_eq!(component(name, true), expected);
    }

    #[test]
    fn a_name_is_no_parent_folder_hidden_file_option_or_device() {
        check_component("..", "__");
        check_component(".", "_");
        check_component(".ssh", "_ssh");
        check_component("-rf.svg", "_rf.svg");
        check_component("a.", "a_");
        check_component("a. .", "a. _");
        check_component("con.svg", "_con.svg");
        check_component("Com1 .x.svg", "_Com1 .x.svg");
        check_component("LPT¹.svg", "_LPT¹.svg");
        check_component("console.svg", "console.svg");
        assert_eq!(component(".a.svg", false), ".a.svg");
        assert_eq!(component("..", false), "__");
    }

    #[test]
    fn a_number_stays_in_the_name_and_makes_no_device() {
        let check = |name: &str, expected: &str| assert_eq!(numbered(&component(name, false), 7), expected);
        check("com\0.pgn", "_com7.pgn");
        check("LPT\0", "_LPT7");
        check("com\0-\0.pgn", "com7-7.pgn");
        check("nul\0.pgn", "nul7.pgn");
        check("a.\0", "a.7");
        check(&format!("{}-\0.pgn", "x".repeat(400)), &format!("{}7.pgn", "x".repeat(200)));
        check(&format!("\0-{}.pgn", "x".repeat(400)), &format!("7-{}.pgn", "x".repeat(198)));
    }

    #[test]
    fn a_long_name_keeps_its_ending() {
        let name = component(&format!("{}.svg", "x".repeat(400)), true);
        assert_eq!((name.len(), name.ends_with("x.svg")), (204, true));
        // What is longer is no ending.
        let long = format!("{}.{}", "x".repeat(100), "y".repeat(300));
        assert_eq!(component(&long, true), &long[..200]);
    }
}
