//! The text that an error leaves unread.

use crate::diagnostic::{Diagnostic, Kind};
use crate::movetext::Ending;
use crate::replay::main_line::Replay;
use crate::result::termination;

impl<'a> Replay<'a> {
    /// Returns the text of the main line from an error on, in two parts: up to the result, and behind the result on its
    /// line. Of a comment that is not closed, returns its text. Empty if everything has been read.
    pub(crate) fn unread(&self, error: &Diagnostic) -> [&'a [u8]; 2] {
        let text = self.movetext.text();
        let mut ahead = self.ahead();
        let ending = ahead.finish();
        let (from, end) = (self.place_of(error), ahead.offset());
        match (error.kind, ending) {
            (Kind::UnterminatedVariation, _) => [b"", b""],
            (Kind::UnterminatedComment, _) => [text.get(from + 1..).unwrap_or_default(), b""],
            (_, Ending::Marker(_)) => {
                let marker = ahead.result_offset().max(from);
                let behind = termination(&text[marker..end]).map_or(&text[marker..end], |(behind, _)| behind);
                [&text[from..marker], behind]
            }
            _ => [&text[from..end.max(from)], b""],
        }
    }

    /// Returns the text of a variation from an error on. Call it when the variation has ended.
    pub(crate) fn unread_in_variation(&self, error: &Diagnostic) -> &'a [u8] {
        let (from, end) = (self.place_of(error), self.movetext.offset());
        let unread = &self.movetext.text()[from..end.max(from)];
        unread.strip_suffix(b")").unwrap_or(unread)
    }

    /// Returns the place of an error in the text of the movetext reader.
    fn place_of(&self, error: &Diagnostic) -> usize {
        let place = usize::try_from(error.offset.saturating_sub(self.base)).unwrap_or(usize::MAX);
        place.min(self.movetext.text().len())
    }
}

#[cfg(test)]
mod tests {
    use crate::games::Games;

    /// Compares the text that an error leaves unread: in variations first, then in the main line.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let game = Games::new(text.as_bytes()).next().unwrap();
        let mut replay = game.replay().unwrap();
        let mut unread: Vec<&[u8]> = Vec::new();
        let mut open = None;
        while let Some(event) = replay.next_event::<true>() {
            match event {
                Err(error) if replay.depth() > 0 => open = Some(error),
                Err(error) => unread.extend(replay.unread(&error)),
                Ok(_) => unread.extend(open.take().map(|error| replay.unread_in_variation(&error))),
            }
        }
        let unread: Vec<&str> = unread.into_iter().map(|text| str::from_utf8(text).unwrap()).collect();
        assert_eq!(unread, expected, "{text}");
    }

    #[test]
    fn the_text_from_the_error_to_the_result_is_unread() {
        check("1. e4 Ke6 {a} (2. d4) 2. Nf3 1-0 {b}\n{c} 1. d4 *", &["Ke6 {a} (2. d4) 2. Nf3 ", " {b}"]);
        check("1. e4 zz\n\n[A \"2\"]\n\n1. d4 *", &["zz\n\n", ""]);
        check("1. e4 zz {a", &["zz {a", ""]);
        check("1. e4 {a", &["a", ""]);
        check("1. e4 (1. d4", &["", ""]);
        check("1. e4 (1. zz d5 {)} x) (1. d4 (1. c4 zz)) 1... e5 *", &["zz d5 {)} x", "zz"]);
        check("1. e4 (1. d4 zz *", &["zz *", "", ""]);
    }
}
