//! A JSON document of games, read one object after another: a list of objects, an object with a list `games`, or
//! objects without anything around them.

use std::io::{self, Read};

use crate::game_text::{Spacing, unreadable};
use crate::games::GameParts;
use crate::records::LONGEST;
use crate::records::game;
use crate::text::{TextOfEntries, TextReader};
use pgn2fen_bytes::fill;

/// The number of bytes that are read at once.
const BUFFER: usize = 64 * 1024;

/// A document as the text of games.
pub(super) struct Document<R> {
    json: R,
    buffer: Vec<u8>,
    /// The number of bytes of the buffer that have been seen.
    seen: usize,
    objects: Objects,
    is_begun: bool,
}

impl<R: Read> Document<R> {
    /// Returns a reader of the text.
    pub(super) fn reader(json: R, parts: GameParts) -> TextReader<Self> {
        let objects = Objects { parts, ..Objects::default() };
        TextReader::new(Self { json, buffer: Vec::new(), seen: 0, objects, is_begun: false })
    }

    /// Reads more of the document.
    fn fill(&mut self) -> io::Result<()> {
        self.seen = 0;
        fill(&mut self.json, &mut self.buffer, 0, BUFFER)?;
        let is_first = !std::mem::replace(&mut self.is_begun, true);
        if is_first && self.buffer.starts_with(b"\xef\xbb\xbf") {
            self.seen = 3;
        }
        Ok(())
    }
}

impl<R: Read> TextOfEntries for Document<R> {
    fn append(&mut self, text: &mut Vec<u8>) -> io::Result<bool> {
        let filled = if self.seen == self.buffer.len() { self.fill() } else { Ok(()) };
        if filled.is_ok() && self.buffer.is_empty() {
            self.objects.end(text);
            return Ok(false);
        }
        // What was read before an error counts.
        self.seen += self.objects.see(&self.buffer[self.seen..], text);
        filled.map(|()| true)
    }
}

/// The place in a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    /// Between values that nothing surrounds.
    #[default]
    Top,
    /// In a list, which may be that of an object.
    List { of_object: bool },
    /// In an object of a game, or a list in the place of one.
    Record { in_list: Option<bool> },
    /// In something that is neither.
    Odd { in_list: Option<bool> },
    /// Behind the list of an object.
    Rest,
}

/// Finds the objects of a document.
#[derive(Debug, Default)]
struct Objects {
    /// The parts of the games that are wanted.
    parts: GameParts,
    place: Place,
    /// The number of open brackets and braces of the record, or of the rest of an object.
    depth: usize,
    is_in_string: bool,
    is_escaped: bool,
    record: Vec<u8>,
    is_too_long: bool,
}

impl Objects {
    /// Sees bytes of the document, up to the end of a record or of the bytes. Appends the game if there is one. Returns
    /// the number of bytes.
    fn see(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> usize {
        let mut at = 0;
        while at < bytes.len() {
            if matches!(self.place, Place::List { .. }) {
                let rest = &bytes[at..];
                if let Some(end) = game::append_first(rest, Spacing::Lines, self.parts, out) {
                    return at + end;
                }
                if let Some(end) = object_end(rest) {
                    game::append(&rest[..end], Spacing::Lines, self.parts, out);
                    return at + end;
                }
            }
            let inside = self.pass_inside(&bytes[at..]);
            self.keep(&bytes[at..at + inside]);
            at += inside;
            let Some(byte) = bytes.get(at) else {
                break;
            };
            let is_end = self.step(*byte, out);
            at += usize::from(is_end != Step::Again);
            if is_end == Step::Ended {
                break;
            }
        }
        at
    }

    /// Passes over a string, and in a record over all that does not end it. Returns the number of bytes.
    fn pass_inside(&mut self, bytes: &[u8]) -> usize {
        let mut at = self.pass_string(bytes);
        // The list `games` of an object is found at depth 1.
        while self.depth > 1 || matches!(self.place, Place::Record { in_list: Some(_) }) {
            let is_mark = |byte: &u8| matches!(byte, b'"' | b'[' | b'{' | b']' | b'}');
            let Some(next) = bytes[at..].iter().position(is_mark) else {
                return bytes.len();
            };
            match bytes[at + next] {
                b'"' => self.is_in_string = true,
                b'[' | b'{' => self.depth += 1,
                _ if self.depth > 1 => self.depth -= 1,
                _ => return at + next,
            }
            at += next + 1;
            at += self.pass_string(&bytes[at..]);
        }
        at
    }

    /// Passes over the rest of a string, if one is open. Returns the number of bytes.
    fn pass_string(&mut self, bytes: &[u8]) -> usize {
        let mut at = 0;
        while self.is_in_string && at < bytes.len() {
            if std::mem::take(&mut self.is_escaped) && bytes[at] != b'\n' {
                at += 1;
                continue;
            }
            let Some(next) = memchr::memchr3(b'"', b'\\', b'\n', &bytes[at..]) else {
                return bytes.len();
            };
            at += next + 1;
            self.is_escaped = bytes[at - 1] == b'\\';
            // No string goes on behind a line break.
            self.is_in_string = self.is_escaped;
        }
        at
    }

    /// Keeps bytes of a record.
    fn keep(&mut self, bytes: &[u8]) {
        if self.place == Place::Rest {
            return;
        }
        if self.record.len() + bytes.len() > LONGEST {
            self.is_too_long = true;
        } else if !self.is_too_long {
            self.record.extend_from_slice(bytes);
        }
    }

    /// Sees a byte outside of strings.
    fn step(&mut self, byte: u8, out: &mut Vec<u8>) -> Step {
        match self.place {
            Place::Top | Place::List { .. } => {
                let in_list = if let Place::List { of_object } = self.place { Some(of_object) } else { None };
                match (byte, in_list) {
                    (b' ' | b'\n' | b'\r' | b'\t' | b',', _) => {}
                    (b']', Some(true)) => (self.place, self.depth) = (Place::Rest, 1),
                    (b']', Some(false)) => self.place = Place::Top,
                    (b'[', None) => self.place = Place::List { of_object: false },
                    (b'{' | b'[', _) => {
                        self.place = Place::Record { in_list };
                        self.depth = 1;
                        self.keep(&[byte]);
                    }
                    _ => {
                        self.place = Place::Odd { in_list };
                        return Step::Again;
                    }
                }
                Step::On
            }
            Place::Record { in_list } => {
                self.keep(&[byte]);
                match byte {
                    b'"' => self.is_in_string = true,
                    b'[' if self.depth == 1 && in_list.is_none() && self.is_archive() => {
                        self.place = Place::List { of_object: true };
                        self.record.clear();
                        return Step::On;
                    }
                    b'{' | b'[' => self.depth += 1,
                    b'}' | b']' => self.depth -= 1,
                    _ => {}
                }
                if self.depth > 0 {
                    return Step::On;
                }
                if self.is_too_long {
                    self.unreadable("the object is longer than 16 MiB", out);
                } else {
                    game::append(&self.record, Spacing::Lines, self.parts, out);
                }
                self.leave(in_list);
                Step::Ended
            }
            Place::Odd { in_list } => {
                let ends = matches!(byte, b',' | b'\n' | b'{' | b'[')
                    || matches!(byte, b']' | b'}') && (in_list.is_some() || !self.record.is_empty());
                if ends && !self.record.is_empty() {
                    self.unreadable("this is no object of JSON", out);
                    self.leave(in_list);
                    return Step::Again;
                }
                self.keep(&[byte]);
                self.is_in_string = byte == b'"';
                Step::On
            }
            Place::Rest => {
                match byte {
                    b'"' => self.is_in_string = true,
                    b'{' | b'[' => self.depth += 1,
                    b'}' | b']' => self.depth -= 1,
                    _ => {}
                }
                if self.depth == 0 {
                    self.place = Place::Top;
                }
                Step::On
            }
        }
    }

    /// Whether the record that has been read up to a bracket is an object whose list `games` begins there.
    fn is_archive(&self) -> bool {
        let before = self.record[..self.record.len() - 1].trim_ascii_end();
        let name = before.strip_suffix(b":").map(<[u8]>::trim_ascii_end);
        let before = name.and_then(|name| name.strip_suffix(b"\"games\"")).map(<[u8]>::trim_ascii_end);
        before.is_some_and(|before| before.ends_with(b"{") || before.ends_with(b","))
    }

    fn unreadable(&mut self, reason: &str, out: &mut Vec<u8>) {
        unreadable(out, reason, self.record.trim_ascii(), Spacing::Lines);
    }

    /// Goes on behind a record.
    fn leave(&mut self, in_list: Option<bool>) {
        self.place = in_list.map_or(Place::Top, |of_object| Place::List { of_object });
        self.record.clear();
        (self.depth, self.is_too_long, self.is_in_string, self.is_escaped) = (0, false, false, false);
    }

    /// Ends the document. What is missing is told.
    fn end(&mut self, out: &mut Vec<u8>) {
        match self.place {
            Place::Top => {}
            Place::Record { .. } => self.unreadable("the text ends within an object", out),
            Place::Odd { .. } => self.unreadable("this is no object of JSON", out),
            Place::List { .. } | Place::Rest => {
                self.unreadable("the text ends early: the list of games is not closed", out);
            }
        }
        self.leave(None);
    }
}

/// Returns the end of the object with which the bytes begin. None if they begin with something else, or if it is not
/// certain that the object ends in them.
fn object_end(bytes: &[u8]) -> Option<usize> {
    if !bytes.starts_with(b"{") {
        return None;
    }
    let (mut at, mut depth) = (1, 1);
    while depth > 0 {
        match bytes.get(at)? {
            b'"' => loop {
                at += 1 + memchr::memchr3(b'"', b'\\', b'\n', &bytes[at + 1..])?;
                match bytes[at] {
                    b'"' => break,
                    // What is escaped does not end the string.
                    b'\\' if *bytes.get(at + 1)? != b'\n' => at += 1,
                    _ => return None,
                }
            },
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    Some(at)
}

/// What is to be done behind a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// The next byte follows.
    On,
    /// The byte is seen again, in another place.
    Again,
    /// A record has ended.
    Ended,
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::{Document, GameParts, Objects};

    /// The text that is made of a document. Line breaks are shown as `/`.
    fn made(json: &str) -> String {
        let mut text = String::new();
        Document::reader(json.as_bytes(), GameParts::ALL).read_to_string(&mut text).unwrap();
        for size in [1, 2, 3, 7] {
            let (mut objects, mut out) = (Objects::default(), Vec::new());
            for chunk in json.trim_start_matches('\u{feff}').as_bytes().chunks(size) {
                let mut at = 0;
                while at < chunk.len() {
                    at += objects.see(&chunk[at..], &mut out);
                }
            }
            objects.end(&mut out);
            assert_eq!(String::from_utf8(out).unwrap(), text, "{size}");
        }
        text.replace('\n', "/")
    }

    #[test]
    fn objects_are_found_wherever_they_stand() {
        let object = r#"{"a": {"b": ["]}\"", 1]}, "pgn": "1. e4 \"\\\" *"}"#;
        let game = r#"[Event "?"]//1. e4 "\" *//"#;
        assert_eq!(made(object), game);
        for document in [
            format!("[{object},\n{object}]"),
            format!("{object}{object}\n"),
            format!("{{\"a\": [1, {{}}], \"games\" : [{object}, {object}], \"b\": [\"]\", {{}}]}}"),
            format!("{{\"games\":[{object}]}}{{\"games\":[{object}]}}"),
            format!("[{object}]\n[{object}]"),
        ] {
            assert_eq!(made(&document), game.repeat(2), "{document}");
        }
        assert_eq!(made("[]"), "");
        assert_eq!(made("{\"games\":[]}"), "");
        assert_eq!(made("\u{feff}[]"), "");
    }

    #[test]
    fn what_is_no_game_is_told() {
        let object = r#"{"pgn": "1. e4 *"}"#;
        let game = r#"[Event "?"]//1. e4 *//"#;
        let told =
            |reason: &str, record: &str| format!("[FEN \"unreadable record: {reason}\"]/[Record \"{record}\"]//*//");
        let odd = |record: &str| told("this is no object of JSON", record);
        assert_eq!(made(&format!("[{object}, 1, {object}]")), format!("{game}{}{game}", odd("1")));
        assert_eq!(made(&format!("[{object}, \"a, b\"]")), format!("{game}{}", odd("\\\"a, b\\\"")));
        assert_eq!(made(&format!("{object} x {object}")), format!("{game}{}{game}", odd("x")));
        assert_eq!(made(&format!("{object}}}\n{object}")), format!("{game}{}{game}", odd("}")));
        let open = told("the text ends early: the list of games is not closed", "");
        assert_eq!(made(&format!("[{object},")), format!("{game}{open}"));
        assert_eq!(made(&format!("{{\"games\":[{object}]")), format!("{game}{open}"));
        assert_eq!(
            made(&format!("[{object},{{\"pgn\": \"1. e")),
            format!("{game}{}", told("the text ends within an object", "{\\\"pgn\\\": \\\"1. e"))
        );
        // A string does not go on behind a line break.
        let broken = "{\"pgn\": \"1. d4\n}";
        let expected = "not JSON: control character (\\\\u0000-\\\\u001F) found while parsing a string at byte 0 of \
                        line 2 of the record";
        let expected = told(expected, "{\\\"pgn\\\": \\\"1. d4 }");
        assert_eq!(made(&format!("[{broken},{object}]")), format!("{expected}{game}"));
    }
}
