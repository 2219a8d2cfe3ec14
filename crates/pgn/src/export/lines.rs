//! Breaks the movetext of a game into lines (PGN standard §8.2.1): as many words on a line as fit, and breaks only at
//! blanks.

/// A blank at which a line must not be broken. It is written as a blank.
pub(super) const NO_BREAK: u8 = 1;

/// Appends a movetext that stands on one line as lines of at most `width` characters, without a line break behind the
/// last one. 0 leaves it on one line. `is_marked` tells whether it has the byte [`NO_BREAK`].
pub(super) fn append(text: &[u8], width: usize, is_marked: bool, out: &mut Vec<u8>) {
    out.reserve(text.len());
    let mut column = 0;
    for (number, word) in text.split(|byte| *byte == b' ').enumerate() {
        let length = length(word);
        if number > 0 {
            // A line that is as long as a number can say has no end.
            if width == 0 || column + 1 + length <= width {
                out.push(b' ');
                column += 1;
            } else {
                out.push(b'\n');
                column = 0;
            }
        }
        column += length;
        if is_marked {
            out.extend(word.iter().map(|byte| if *byte == NO_BREAK { b' ' } else { *byte }));
        } else {
            out.extend_from_slice(word);
        }
    }
}

/// Returns the number of characters of a word.
fn length(word: &[u8]) -> usize {
    if word.is_ascii() {
        return word.len();
    }
    word.iter().filter(|byte| **byte & 0xC0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::append;

    #[track_caller]
    fn check(text: &str, width: usize, expected: &str) {
        let mut out = Vec::new();
        append(text.as_bytes(), width, text.contains('\u{1}'), &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn lines_hold_as_many_words_as_fit() {
        check("1. e4 e5 *", 0, "1. e4 e5 *");
        check("1. e4 e5 *", 10, "1. e4 e5 *");
        check("1. e4 e5 *", 9, "1. e4 e5\n*");
        check("1. e4 e5 *", 5, "1. e4\ne5 *");
        check("1. e4 e5 *", 1, "1.\ne4\ne5\n*");
    }

    #[test]
    fn a_word_that_is_too_long_has_its_own_line() {
        check("1. e4 {immeasurable} *", 6, "1. e4\n{immeasurable}\n*");
    }

    #[test]
    fn characters_are_counted_and_not_bytes() {
        check("{Grünfeld 1 ½} *", 14, "{Grünfeld 1 ½}\n*");
        check("{Grünfeld 1 ½} *", 13, "{Grünfeld 1\n½} *");
    }

    #[test]
    fn some_blanks_do_not_break_a_line() {
        check("{a\u{1}b} c", 5, "{a b}\nc");
        check("{a\u{1}b} c", 4, "{a b}\nc");
    }
}
