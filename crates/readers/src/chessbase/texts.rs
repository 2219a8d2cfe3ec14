//! The encodings of names and comments.
//!
//! New versions of ChessBase write UTF-8, older ones the code page of their system, which is stated nowhere. A comment
//! may have a language, which tells its code page. Otherwise it is guessed from the texts of the database: one code
//! page for texts in Latin letters, and one for texts in other letters, because a database may have both.

use std::borrow::Cow;

use pgn2fen_pgn::encoding::{Fallback, Label};

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
    latin: Fallback,
    other: Fallback,
}

/// The code pages whose letters are mostly not Latin.
const OTHER: [&str; 7] =
    ["windows-1251", "windows-1253", "windows-1255", "windows-1256", "KOI8-U", "ISO-8859-5", "ISO-8859-7"];

impl Default for Texts {
    fn default() -> Self {
        let page = |name| Fallback::new(Label::find(name));
        Self { latin: page("windows-1252"), other: page("windows-1251") }
    }
}

impl Texts {
    /// Guesses the code pages of a database from its names and from the first records of its annotations.
    pub(super) fn guess(names: &Names, annotations: &[u8]) -> Self {
        let [mut latin, mut other] = [Fallback::default(), Fallback::default()];
        let mut is_seen = [false; 2];
        let mut feed = |text: &[u8]| {
            if !text.is_ascii() && str::from_utf8(text).is_err() {
                let is_other = is_other_script(text);
                is_seen[usize::from(is_other)] = true;
                let page = if is_other { &mut other } else { &mut latin };
                page.feed(text);
                page.feed(b"\n");
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
        for (is_other, guess) in [(false, latin), (true, other)] {
            if is_seen[usize::from(is_other)] && OTHER.contains(&guess.name()) == is_other {
                // A guess is made anew for each text, and a named encoding is not.
                let page = if is_other { &mut pages.other } else { &mut pages.latin };
                *page = Fallback::new(Label::find(guess.name()));
            }
        }
        pages
    }

    /// Appends a text as UTF-8. Control characters and line breaks become spaces.
    pub(super) fn append(&self, text: &[u8], nation: u8, place: Place, out: &mut Vec<u8>) {
        let text = &text[..memchr::memchr(0, text).unwrap_or(text.len())];
        if is_none(text, |byte| is_rare(byte) || !byte.is_ascii()) {
            return out.extend_from_slice(text);
        }
        let text = self.decode(text, nation, place);
        if is_none(text.as_bytes(), is_rare) {
            return out.extend_from_slice(text.as_bytes());
        }
        let mut rest = &*text;
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
                // The pieces and the diagram in the font of ChessBase.
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

    fn decode<'t>(&self, text: &'t [u8], nation: u8, place: Place) -> Cow<'t, str> {
        if let Ok(text) = str::from_utf8(text) {
            return Cow::Borrowed(text);
        }
        let is_other = is_other_script(text);
        let named = code_page(nation).filter(|name| OTHER.contains(name) == is_other);
        let named = named.map(|name| Fallback::new(Label::find(name)));
        let page = named.as_ref().unwrap_or(if is_other { &self.other } else { &self.latin });
        if place == Place::Comment && page.name() == "windows-1252" {
            return Cow::Owned(page.decode(&with_pieces(text)).into_owned());
        }
        page.decode(text)
    }
}

/// Whether a character that begins with a byte of UTF-8 may be a control character or one of the font of ChessBase.
fn is_rare(byte: u8) -> bool {
    matches!(byte, 0..b' ' | 0x7F | 0xC2 | 0xEE)
}

/// Whether no byte of a text is of a kind. There is no early end, so many bytes are compared at once.
fn is_none(text: &[u8], is_of_kind: impl Fn(u8) -> bool) -> bool {
    text.iter().fold(true, |is_none, byte| is_none & !is_of_kind(*byte))
}

/// Replaces the pieces and the diagram, which stand in comments in place of rare characters.
fn with_pieces(text: &[u8]) -> Vec<u8> {
    let mut replaced = Vec::with_capacity(text.len());
    for byte in text {
        match byte {
            0x9E => replaced.extend_from_slice(b"[#]"),
            0xA2..=0xA7 => replaced.push(b"KQNBRP"[usize::from(byte - 0xA2)]),
            _ => replaced.push(*byte),
        }
    }
    replaced
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
