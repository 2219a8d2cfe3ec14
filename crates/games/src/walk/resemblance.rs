//! What a text without games seems to be.

use pgn2fen_pgn::lists::begins_fen;
use pgn2fen_pgn::symbol::is_move_shaped;

/// Returns what a text in which no game was found seems to be, judged by its beginning, and what to do. None for white
/// space.
pub(super) fn resembles(text: &[u8]) -> Option<&'static str> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let shown = String::from_utf8_lossy(text);
    // The end of a text of DOS.
    let is_blank = |char: char| char.is_whitespace() || matches!(char, '\u{feff}' | '\u{1a}');
    let shown = shown.trim_matches(is_blank);
    if shown.is_empty() {
        return None;
    }
    if is_binary(text) {
        return Some("it seems to be binary data");
    }
    let lines: Vec<&str> = shown.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let words: Vec<&str> = shown.split(char::is_whitespace).filter(|word| !word.is_empty()).collect();
    let kinds: [(bool, &'static str); 10] = [
        (are_comments(&lines, shown), "it has only comments"),
        (is_base64(&lines), "it seems to be base64; decode it first, as with `base64 -d`"),
        (
            is_numbers(&words),
            "it seems to be bytes written as numbers; convert them to a file first, as with `xxd -r -p`",
        ),
        (is_markup(shown), "it seems to be HTML or XML; copy the games to a text file"),
        (shown.starts_with("(;"), "it seems to be a game of Go (SGF)"),
        (has_fens(&words), "it seems to have FENs, but not at the beginning of the lines; write one FEN on each line"),
        (
            has_moves(&words),
            "it seems to be a list of moves that is numbered in a way that is not understood; write 1. e4 e5 2. Nf3",
        ),
        (
            has_other_moves(&words),
            "it seems to have moves in another notation; the notations that are read are e4 Nf3, e2-e4 Ng1-f3, e2e4 \
             g1f3 and those with other piece letters, for which there is the option lang",
        ),
        (is_json(shown), "it seems to be JSON without games; of JSON, objects with pgn or moves are read"),
        (is_table(&lines), "it seems to be a table; export the column with the games or FENs as text"),
    ];
    let what = kinds.iter().find(|(is_kind, _)| *is_kind).map(|(_, what)| *what);
    Some(what.unwrap_or(
        "it seems to be plain text; pgn2fen reads games in PGN, and lists with a FEN or an EPD on each line",
    ))
}

/// Whether there are control characters that no text has, or hardly any characters of a text.
fn is_binary(text: &[u8]) -> bool {
    let is_control = |byte: &&u8| **byte < b' ' && !matches!(**byte, b'\t'..=b'\r' | 0x1A | 0x1B);
    let high = text.iter().filter(|byte| **byte >= 0x80).count();
    let controls = text.iter().filter(is_control).count();
    controls * 50 > text.len() || text.contains(&0) || (controls > 0 && high * 3 > text.len())
}

/// Whether every line is a comment, or the whole text is one.
fn are_comments(lines: &[&str], text: &str) -> bool {
    let is_in_braces = text.starts_with('{') && text.split_inclusive('}').all(|part| part.trim().starts_with('{'));
    let is_comment = |line: &&str| line.starts_with([';', '%', '#']);
    is_in_braces && !is_json(text) || lines.iter().all(is_comment)
}

/// Whether the lines are base64: of its characters only, not words, and as long as groups of four are.
fn is_base64(lines: &[&str]) -> bool {
    // In a message, headers and a blank line stand before it.
    let body = lines.iter().position(|line| line.to_ascii_lowercase().contains("base64")).map_or(0, |at| at + 1);
    let lines = if body < lines.len() { &lines[body..] } else { lines };
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"+/-_=".contains(&byte);
    let is_line = |line: &&&str| line.bytes().all(is_letter);
    let has = |test: fn(&u8) -> bool| lines.iter().flat_map(|line| line.as_bytes()).any(test);
    let count = lines.iter().take_while(is_line).count();
    let length: usize = lines[..count].iter().map(|line| line.len()).sum();
    let is_cut = lines.iter().map(|line| line.len() + 1).sum::<usize>() > 4000;
    count > 0
        && count + usize::from(body > 0 || is_cut) * 2 >= lines.len()
        && length >= 16
        && (length.is_multiple_of(4) || is_cut)
        && lines[..count].iter().rev().skip(1).all(|line| line.len() == lines[0].len())
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && (has(u8::is_ascii_digit) || length >= 40)
}

/// Whether the words are bytes in hexadecimal or decimal digits.
fn is_numbers(words: &[&str]) -> bool {
    // A square such as `e4` is the move of a pawn.
    let is_square = |word: &str| matches!(word.as_bytes(), [b'a'..=b'f', b'1'..=b'8']);
    let is_pair =
        |word: &&str| word.len() == 2 && word.bytes().all(|byte| byte.is_ascii_hexdigit()) && !is_square(word);
    let is_run = |word: &str| {
        word.len() >= 32 && word.len().is_multiple_of(2) && word.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    words.len() >= 8 && most(words, is_pair) || !words.is_empty() && words.iter().all(|word| is_run(word))
}

fn is_markup(text: &str) -> bool {
    let begins =
        text.starts_with('<') && text[1..].starts_with(|char: char| char.is_ascii_alphabetic() || "!?/".contains(char));
    begins && text.contains('>')
        || ["</p>", "</div>", "<br", "</td>", "</a>", "&lt;"].iter().any(|tag| text.contains(tag))
}

fn has_fens(words: &[&str]) -> bool {
    let is_board = |word: &&str| word.matches('/').count() == 7 && begins_fen(format!("{} w", bare(word)).as_bytes());
    words.iter().any(|word| is_board(&bare(word)))
}

/// Whether at least a third of the words that have letters are moves that could be read.
fn has_moves(words: &[&str]) -> bool {
    let is_move = |word: &str| {
        let word = bare(word);
        let moved = word.trim_start_matches(|char: char| char.is_ascii_digit() || ".)-:]/".contains(char));
        is_move_shaped(moved.trim_end_matches(['!', '?']).as_bytes())
    };
    let with_letters = words.iter().filter(|word| word.contains(char::is_alphabetic));
    let (mut all, mut moves) = (0, 0);
    for word in with_letters {
        all += 1;
        moves += usize::from(is_move(word));
    }
    moves >= 2 && moves * 3 >= all
}

/// Whether at least half of the words that are not numbers of moves are moves of a notation that is not read.
fn has_other_moves(words: &[&str]) -> bool {
    let is_number = |word: &&str| bare(word).bytes().all(|byte| byte.is_ascii_digit()) && bare(word).len() < 4;
    let words: Vec<&str> = words.iter().filter(|word| !is_number(word)).copied().collect();
    words.len() >= 2 && most(&words, |word| is_other_move(bare(word)))
}

/// Whether a word is a move in descriptive or numeric notation, or one of another game:
/// `P-K4 NxP 5254 11-15 7g7f C2.5`.
fn is_other_move(word: &str) -> bool {
    let is_digit = |byte: u8| matches!(byte, b'1'..=b'9');
    let is_number = |text: &str| matches!(text.len(), 1 | 2) && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_place = |text: &str| {
        (1..=6).contains(&text.len()) && text.bytes().all(|byte| b"KQRBNPSCHTkqrbnpscht12345678()/".contains(&byte))
    };
    match word.as_bytes() {
        [a, b, c, d] | [a, b, c, d, _] if [a, b, c, d].into_iter().all(|byte| is_digit(*byte)) => true,
        [a, b, c, d] | [a, b, c, d, b'+'] if is_digit(*a) && is_digit(*c) => {
            b.is_ascii_lowercase() && d.is_ascii_lowercase()
        }
        _ => word.split_once(['-', 'x', 'X', '+', '.', '=']).is_some_and(|(from, to)| {
            let is_letter = from.starts_with(|char: char| char.is_ascii_uppercase());
            is_number(from) && is_number(to)
                || is_letter && is_place(from) && is_place(to.trim_end_matches(['+', '!', '?']))
        }),
    }
}

fn is_json(text: &str) -> bool {
    let is_pair = |text: &str| text.contains("\":") || text.contains("\" :") || text.contains("\",");
    text.starts_with(['{', '[', '"']) && is_pair(text) || matches!(text, "{}" | "[]")
}

/// Whether each of several lines has as many separators as the first, and there are some. A comma before a blank is one
/// of a sentence.
fn is_table(lines: &[&str]) -> bool {
    let lines = if lines.len() > 2 { &lines[..lines.len() - 1] } else { lines };
    let has_sentence = |line: &str| line.ends_with(',') || line.contains(", ");
    [',', '\t', ';', '|'].into_iter().any(|separator| {
        let count = |line: &str| line.matches(separator).count();
        let first = lines.first().map_or(0, |line| count(line));
        let is_row = |line: &&str| count(line) == first && !(separator == ',' && has_sentence(line));
        lines.len() >= 2 && first > 0 && lines.iter().all(is_row)
    })
}

/// Returns a word without the marks around it.
fn bare(word: &str) -> &str {
    word.trim_matches(|char: char| ",;:.\"'`()[]{}|*#".contains(char))
}

/// Whether at least half of the words pass.
fn most<'w>(words: &[&'w str], passes: impl Fn(&&'w str) -> bool) -> bool {
    words.iter().filter(|word| passes(word)).count() * 2 >= words.len()
}

#[cfg(test)]
mod tests {
    use super::resembles;

    #[track_caller]
    fn check(text: impl AsRef<[u8]>, expected: &str) {
        let what = resembles(text.as_ref()).unwrap_or_default();
        assert!(what.contains(expected), "{what}: {}", text.as_ref().escape_ascii());
    }

    #[test]
    fn white_space_is_nothing() {
        assert_eq!(resembles(b""), None);
        assert_eq!(resembles("\u{feff} \u{a0}\r\n\u{1a}".as_bytes()), None);
    }

    #[test]
    fn sentences_are_text() {
        check("Dear Bob,\nhere are the games, as promised,\nyours, Jane\n", "plain text");
        check("404 Not Found", "plain text");
        check("The games of 2020-05-12: see www.example.org/games.\n", "plain text");
        check("Партия началась вовремя.", "plain text");
        check("I met him in round 5 on e4 street, and he said that he would never play there again.", "plain text");
        check("word", "plain text");
        check("P", "plain text");
    }

    #[test]
    fn comments_are_told() {
        check("; a\n% b\n# c\n", "only comments");
        check("{ a } {b}\n", "only comments");
        check("{ a comment that goes on", "only comments");
    }

    #[test]
    fn moves_of_another_notation_are_told() {
        check("P-K4 P-K4\nN-KB3 N-QB3\nB-N5 P-QR3", "another notation");
        check("1 PxP NxP 2 P-K4 KtxKtch", "another notation");
        check("5254 5755 7163 2836", "another notation");
        check("11-15 23-19 8-11 22x17", "another notation");
        check("7g7f 3c3d 2g2f", "another notation");
        check("(;GM[1]FF[4]SZ[19];B[pd];W[dp])", "Go (SGF)");
    }

    #[test]
    fn moves_that_are_numbered_oddly_are_told() {
        check("1) e4 e5\n2) Nf3 Nc6\n", "numbered in a way");
        check("Move 1: e4 e5\nMove 2: Nf3 Nc6\n", "numbered in a way");
        check("I. e4 e5 II. Nf3 Nc6", "numbered in a way");
        check("(1) e4, c5; (2) Nf3, d6", "numbered in a way");
    }

    #[test]
    fn positions_within_lines_are_told() {
        check("The position is 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 and White wins\n", "seems to have FENs");
        check("move,fen\ne4,x\n", "table");
    }

    #[test]
    fn other_texts_are_told_by_their_looks() {
        check("W0V2ZW50ICJGLVMgUmV0dXJuIE1hdGNoIl0KCjEuIGU0IGU1IDIu", "base64");
        check("W0V2ZW50ICJGLVMg\nUmV0dXJuIE1hdGNo\nIl0K\n", "base64");
        check("Content-Transfer-Encoding: base64\n\nW0V2ZW50ICJGLVMgUmV0dXJuIE1h\n", "base64");
        check("5b 45 76 65 6e 74 20 22 78 22 5d 0a", "bytes written as numbers");
        check("<p>hello</p>\n", "HTML or XML");
        check("Games<br>of 2020\n", "HTML or XML");
        check("\"a\": 1, \"b\": 2", "JSON");
        check("a;b\n1;2\n3;4\n", "table");
        check("White\tBlack\nA\tB\n", "table");
        check([1, 2, 3, 200, 201], "binary");
        check(b"PNG\0\0 and more", "binary");
        check("\0\0\0\0", "binary");
    }
}
