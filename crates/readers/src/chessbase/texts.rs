//! The encodings of names and comments.
//!
//! New versions of ChessBase write UTF-8, older ones the code page of their system, which is stated nowhere. A comment
//! may have a language, which tells its code page. Otherwise it is guessed from the texts of the database: one code
//! page for texts in Latin letters, and one for texts in other letters, because a database may have both.

use std::sync::OnceLock;

use pgn2fen_pgn::encoding::{self, Fallback, Label};

use crate::chessbase::annotations::{Annotations, HEAD, size};
use crate::chessbase::names::Names;

/// What a text is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Tag,
    Comment,
}

/// The code pages of a database.
#[derive(Debug)]
pub(super) struct Texts {
    latin: Page,
    other: Page,
    /// Those of [`NAMED`], once they are wanted.
    named: [OnceLock<Page>; NAMED.len()],
}

/// The code pages that a language may have.
const NAMED: [&str; 7] =
    ["windows-1250", "windows-1251", "windows-1252", "windows-1253", "windows-1254", "windows-1255", "windows-1257"];

/// The code pages whose letters are mostly not Latin.
const OTHER: [&str; 7] =
    ["windows-1251", "windows-1253", "windows-1255", "windows-1256", "KOI8-U", "ISO-8859-5", "ISO-8859-7"];

impl Default for Texts {
    fn default() -> Self {
        Self { latin: Page::new("windows-1252"), other: Page::new("windows-1251"), named: Default::default() }
    }
}

impl Texts {
    /// Guesses the code pages of a database from its names and from the first records of its annotations.
    pub(super) fn guess(names: &Names, annotations: &[u8]) -> Self {
        let mut samples = [Vec::new(), Vec::new()];
        let mut feed = |text: &[u8]| {
            if !text.is_ascii() && str::from_utf8(text).is_err() {
                let sample = &mut samples[usize::from(is_other_script(text))];
                if sample.len() < encoding::SAMPLE {
                    sample.extend(text);
                    sample.push(b'\n');
                }
            }
        };
        names.texts().for_each(&mut feed);
        let mut rest = annotations;
        while let Some(size) = rest.get(..HEAD).and_then(|head| usize::try_from(size(head)).ok())
            && size >= HEAD
            && let Some((record, behind)) = rest.split_at_checked(size)
        {
            Annotations::read(record).texts().for_each(&mut feed);
            rest = behind;
        }
        let mut pages = Self::default();
        let guessed = samples.map(|sample| encoding::guess(&sample).map(Label::name));
        if let Some(name) = guessed[0].filter(|name| !OTHER.contains(name)) {
            pages.latin = Page::new(name);
        }
        if let Some(name) = guessed[1].filter(|name| OTHER.contains(name)) {
            pages.other = Page::new(name);
        }
        pages
    }

    /// Appends a text as UTF-8. Control characters and line breaks become spaces.
    pub(super) fn append(&self, text: &[u8], nation: u8, place: Place, out: &mut Vec<u8>) {
        let text = &text[..memchr::memchr(0, text).unwrap_or(text.len())];
        if is_none(text, |byte| is_rare(byte) || !byte.is_ascii()) {
            return out.extend_from_slice(text);
        }
        match str::from_utf8(text) {
            Ok(text) if !text.is_ascii() => append_unicode(text, out),
            _ => self.page(text, nation).append(text, place, out),
        }
    }

    /// Returns the code page of a text that is not UTF-8.
    fn page(&self, text: &[u8], nation: u8) -> &Page {
        let is_other = is_other_script(text);
        let named = code_page(nation).filter(|name| OTHER.contains(name) == is_other);
        match named.and_then(|name| NAMED.iter().position(|other| *other == name)) {
            Some(at) => self.named[at].get_or_init(|| Page::new(NAMED[at])),
            None if is_other => &self.other,
            None => &self.latin,
        }
    }
}

/// A code page: what its bytes are in a tag and in a comment.
#[derive(Debug)]
struct Page {
    tag: Letters,
    comment: Letters,
}

/// The UTF-8 text of each byte of a code page: at most three bytes, and in the fourth their number, with [`BREAK`] for
/// a control character or a line break.
type Letters = [[u8; 4]; 256];

/// The mark of a byte that is a control character or a line break. Several in a row are one space.
const BREAK: u8 = 0x80;

impl Page {
    fn new(name: &str) -> Self {
        let encoding = Fallback::new(Label::find(name));
        let mut tag = [[b' ', 0, 0, 1 | BREAK]; 256];
        for byte in 0..=u8::MAX {
            let text = encoding.decode(&[byte]).into_owned();
            if !text.contains(char::is_control) {
                tag[usize::from(byte)] = letter(&text);
            }
        }
        let mut comment = tag;
        if encoding.name() == "windows-1252" {
            // The diagram and the pieces stand in comments in place of rare characters.
            comment[0x9E] = letter("[#]");
            for (byte, piece) in (0xA2..).zip(["K", "Q", "N", "B", "R", "P"]) {
                comment[byte] = letter(piece);
            }
        }
        Self { tag, comment }
    }

    /// Appends a text of this code page.
    fn append(&self, text: &[u8], place: Place, out: &mut Vec<u8>) {
        let letters = if place == Place::Comment { &self.comment } else { &self.tag };
        let mut was_break = 0;
        for part in text.chunks(16) {
            let (mut made, mut end) = ([0; 64], 0);
            for byte in part {
                let letter = letters[usize::from(*byte)];
                made[end..end + 4].copy_from_slice(&letter);
                let is_break = letter[3] / BREAK;
                end += usize::from(letter[3] % BREAK - (is_break & was_break));
                was_break = is_break;
            }
            out.extend_from_slice(&made[..end]);
        }
    }
}

/// Returns the entry for a text of at most three bytes.
fn letter(text: &str) -> [u8; 4] {
    match *text.as_bytes() {
        [a] => [a, 0, 0, 1],
        [a, b] => [a, b, 0, 2],
        [a, b, c] => [a, b, c, 3],
        _ => unreachable!("a byte is a character of at most three bytes"),
    }
}

/// Appends a text without its control characters, and with the pieces and the diagram of ChessBase's font as ASCII.
fn append_unicode(text: &str, out: &mut Vec<u8>) {
    if is_none(text.as_bytes(), is_rare) {
        return out.extend_from_slice(text.as_bytes());
    }
    let mut rest = text;
    let mut is_break = false;
    while let Some(at) = rest.bytes().position(is_rare) {
        let (plain, rare) = rest.split_at(at);
        out.extend_from_slice(plain.as_bytes());
        let mut chars = rare.chars();
        let Some(char) = chars.next() else { break };
        rest = chars.as_str();
        let was_break = std::mem::replace(&mut is_break, char.is_control()) && plain.is_empty();
        let mut buffer = [0; 4];
        let text = match char {
            '\u{E005}' => "[#]",
            '\u{E024}' => "K",
            '\u{E025}' => "Q",
            '\u{E026}' => "R",
            '\u{E027}' => "B",
            '\u{E028}' => "N",
            '\u{E029}' => "P",
            _ if is_break && was_break => "",
            _ if is_break => " ",
            _ => char.encode_utf8(&mut buffer),
        };
        out.extend_from_slice(text.as_bytes());
    }
    out.extend_from_slice(rest.as_bytes());
}

/// Whether a character that begins with a byte of UTF-8 may be a control character or one of the font of ChessBase.
fn is_rare(byte: u8) -> bool {
    matches!(byte, 0..b' ' | 0x7F | 0xC2 | 0xEE)
}

/// Whether no byte of a text is of a kind. There is no early end, so many bytes are compared at once.
fn is_none(text: &[u8], is_of_kind: impl Fn(u8) -> bool) -> bool {
    text.iter().fold(true, |is_none, byte| is_none & !is_of_kind(*byte))
}

/// Whether most letters of a text are not Latin. In the code pages of Windows, they are the bytes from 0xC0 on.
fn is_other_script(text: &[u8]) -> bool {
    let others = text.iter().filter(|byte| **byte >= 0xC0).count();
    others > 0 && others > text.iter().filter(|byte| byte.is_ascii_alphabetic()).count()
}

/// Returns the code page of a language, which has the number of a country. None if the country does not tell it.
fn code_page(nation: u8) -> Option<&'static str> {
    Some(match nation {
        42 | 43 | 49 | 53 | 70 | 103 | 117 => "windows-1252",
        33 | 36 | 62 | 116 | 120 | 127 | 128 => "windows-1250",
        16 | 26 | 121 | 145 => "windows-1251",
        55 => "windows-1253",
        142 => "windows-1254",
        68 => "windows-1255",
        44 | 81 | 85 => "windows-1257",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{Place, Texts};
    use crate::chessbase::names::Names;

    #[track_caller]
    fn check(text: &[u8], nation: u8, expected: &str) {
        let mut out = Vec::new();
        Texts::guess(&Names::default(), &[]).append(text, nation, Place::Comment, &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn letters_tell_the_code_page_of_a_text_without_a_language() {
        check("Täl und Ängström".as_bytes(), 0, "Täl und Ängström");
        check(b"H\xfcbner strikes.", 0, "H\u{fc}bner strikes.");
        check(b"\xcd\xee \xe1\xf3\xe4\xe5\xec", 0, "Но будем");
        check(b"\xc1\xe5\xeb\xfb\xe5 (Nf3)", 0, "Белые (Nf3)");
    }

    #[test]
    fn a_language_tells_the_code_page() {
        check(b"\xe5\xfd\xed\xe1\xe9", 55, "εύναι");
        check(b"bia\xb3e", 116, "białe");
        check(b"\xdeahin", 142, "Şahin");
        check(b"fran\xe7ais", 121, "français");
    }

    #[test]
    fn pieces_and_line_breaks_of_comments_are_plain_text() {
        check(b"\xa4f3 and\r\n\xa3d1 \x9e", 42, "Nf3 and Qd1 [#]");
        check("\u{e028}f3\u{e005}".as_bytes(), 42, "Nf3[#]");
        check(b"a\0b", 0, "a");
        check("a\r\nä\u{85}\tb ©\n".as_bytes(), 42, "a ä b © ");
    }
}
