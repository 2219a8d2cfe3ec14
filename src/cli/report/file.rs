//! The file that is being read, as messages describe it: its name, and the encoding of names in it.

use std::fmt::Write as _;

use crate::cli::options::reading::Encoding;
use crate::cli::say::plain;
use crate::diagnostic::{Diagnostic, Kind, Players};
use crate::pgn::encoding::Fallback;

/// The file that is being read.
#[derive(Debug, Default)]
pub(super) struct FileInReport {
    pub(super) name: String,
    fallback: Fallback,
}

impl FileInReport {
    pub(super) fn new(name: String, encoding: Encoding) -> Self {
        Self { name, fallback: Fallback::new(encoding.0) }
    }

    /// Improves the guess at the encoding with text that is not UTF-8.
    pub(super) fn feed(&mut self, text: &[u8]) {
        self.fallback.feed(text);
    }

    /// Describes a diagnostic without its game: `♘f3: a figurine for a letter`.
    pub(super) fn in_short(&self, diagnostic: &Diagnostic) -> String {
        let subject = self.subject(diagnostic);
        let separator = if subject.is_empty() { "" } else { ": " };
        subject + separator + &self.reason(diagnostic)
    }

    /// Describes a diagnostic: `Nxe5 in game 37 (Carlsen – Anand 2013.11.16), ply 21: no white knight can reach e5`.
    pub(super) fn describe(&self, diagnostic: &Diagnostic) -> String {
        let mut message = self.subject(diagnostic);
        if let Some(game) = diagnostic.game {
            message += if message.is_empty() { "" } else { " in " };
            let _ = write!(message, "game {game}");
        }
        if let Some(players) = &diagnostic.players {
            message += &self.players(players);
        }
        if let Some(ply) = diagnostic.ply {
            let _ = write!(message, ", ply {ply}");
        }
        message += if message.is_empty() { "" } else { ": " };
        message + &self.reason(diagnostic)
    }

    /// Returns ` (Carlsen – Anand 2013.11.16)`, or an empty text if neither name is known.
    fn players(&self, players: &Players) -> String {
        let text = |bytes| plain(&self.fallback.decode(bytes)).trim().to_owned();
        let (white, black, date) = (text(&players.white), text(&players.black), text(&players.date));
        let is_unknown = |name: &str| name.trim_matches(['?', '.']).is_empty();
        if is_unknown(&white) && is_unknown(&black) {
            return String::new();
        }
        let separator = if is_unknown(&date) { "" } else { " " };
        let date = if is_unknown(&date) { "" } else { &date };
        format!(" ({white} – {black}{separator}{date})")
    }

    /// Returns the text that the diagnostic is about.
    fn subject(&self, diagnostic: &Diagnostic) -> String {
        match diagnostic.kind {
            // The subject is a sample of bytes for guessing the encoding. It is not useful in a message.
            Kind::Encoding => String::new(),
            _ => plain(&self.fallback.decode(&diagnostic.subject)).into_owned(),
        }
    }

    fn reason(&self, diagnostic: &Diagnostic) -> String {
        match diagnostic.kind {
            Kind::Encoding if diagnostic.game.is_some() => {
                format!("{}; names are shown as {}", diagnostic.reason, self.fallback.name())
            }
            _ => plain(&diagnostic.reason).into_owned(),
        }
    }
}
