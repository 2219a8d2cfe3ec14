//! Diagnostics of a file in words, with the names of players in the encoding of the file.

use std::fmt::Write as _;

use crate::messages::counts::grouped;
use crate::walk::Place;
use pgn2fen_chess::white_space::wide_blank;
use pgn2fen_pgn::diagnostic::{Diagnostic, Kind, Players};
use pgn2fen_pgn::encoding::Fallback;
use pgn2fen_pgn::plain::plain;
use pgn2fen_sources::Source;

/// Describes the diagnostics of a file.
///
/// The names of players are text of any encoding. Text that is not UTF-8 is decoded as in the rows of the file.
#[derive(Debug, Default)]
pub struct FileMessages {
    name: String,
    encoding: Fallback,
}

impl FileMessages {
    /// Begins a file. Names that are not UTF-8 have this encoding.
    pub fn new(name: impl Into<String>, encoding: Fallback) -> Self {
        Self { name: name.into(), encoding }
    }

    /// Returns the name of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Decodes a text of the file.
    pub(super) fn decode(&self, text: &[u8]) -> String {
        self.encoding.decode(text).into_owned()
    }

    /// Describes a diagnostic without its game: `♘f3: a figurine for a letter`.
    pub fn in_short(&self, diagnostic: &Diagnostic) -> String {
        let subject = self.subject(diagnostic);
        let separator = if subject.is_empty() { "" } else { ": " };
        subject + separator + &self.reason(diagnostic)
    }

    /// Describes a diagnostic, and how many others are counted with it:
    /// `Nxe5 in game 37 (Carlsen – Anand 2013.11.16), ply 21: no white knight can reach e5`.
    pub fn describe(&self, diagnostic: &Diagnostic) -> String {
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
        message += &self.reason(diagnostic);
        if diagnostic.others > 0 {
            let _ = write!(message, " (and {} more of these in the game)", grouped(diagnostic.others));
        }
        message
    }

    /// Returns ` (Carlsen – Anand 2013.11.16)`, or an empty text if neither name is known.
    fn players(&self, players: &Players) -> String {
        let text = |bytes| plain(&self.encoding.decode(bytes)).trim().to_owned();
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
        visible(&self.encoding.decode(&diagnostic.subject))
    }

    fn reason(&self, diagnostic: &Diagnostic) -> String {
        match diagnostic.kind {
            Kind::Encoding if diagnostic.game.is_some() => {
                format!("{}; it is read as {}", diagnostic.reason, self.encoding.name())
            }
            _ => plain(&diagnostic.reason).into_owned(),
        }
    }
}

/// Returns a text as it is shown: white space beyond ASCII, of which nothing would be seen, by its code points, such as
/// `U+200B`.
fn visible(text: &str) -> String {
    let is_blank = |char: char| char.is_whitespace() || wide_blank(char.encode_utf8(&mut [0; 4]).as_bytes()) > 0;
    if !text.is_ascii() && text.chars().all(is_blank) {
        let code_points = text.chars().filter(|char| !char.is_ascii()).map(|char| format!("U+{:04X}", char as u32));
        return code_points.collect::<Vec<_>>().join(" ");
    }
    plain(text).into_owned()
}

/// Returns the warning about a range of a file that cannot be divided into ranges; None for other sources.
pub fn one_range(source: &Source) -> Option<&'static str> {
    let warning = "the file is a single zstd frame, so it has one range: all its games belong to the range with byte 0";
    source.is_one_range().then_some(warning)
}

/// Returns the warning about a file that is read in an encoding other than UTF-8, and the place of the warning; None
/// for other files.
pub fn transcoded(source: &Source) -> Option<(Diagnostic, Place)> {
    let encoding = source.transcoded_from()?;
    let diagnostic = Diagnostic::new(Kind::Encoding, 0, format!("the file is read as {encoding}"));
    Some((diagnostic, Place { line: 1, column: 1 }))
}
