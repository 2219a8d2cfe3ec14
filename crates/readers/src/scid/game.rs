//! The text of a game.
//!
//! What is damaged is told where readers of the text report it. A word that is no move stands where moves are lost,
//! and behind the last one for other damage of the record: it is an error. A line in the tag section says which tag
//! was left out: it is a warning. A game has few such lines, whatever its record holds, so that they end no tag
//! section.

use std::io::Write;

use crate::database;
use crate::database::note::note;
use crate::games::GameParts;
use crate::scid::entry::{Date, Entry};
use crate::scid::movetext::MovetextWriter;
use crate::scid::names::{NameKind, Names};
use crate::scid::record::Record;
use pgn2fen_pgn::token::Outcome;

/// The kinds of ratings, by their numbers.
const RATINGS: [&str; 7] = ["Elo", "Rating", "Rapid", "ICCF", "USCF", "DWZ", "ECF"];

/// The letters of the flags of a game, and their bits.
const FLAGS: [(u8, u32); 19] = [
    (b'D', 3),
    (b'W', 4),
    (b'B', 5),
    (b'M', 6),
    (b'E', 7),
    (b'N', 8),
    (b'P', 9),
    (b'T', 10),
    (b'K', 11),
    (b'Q', 12),
    (b'!', 13),
    (b'?', 14),
    (b'U', 15),
    (b'1', 16),
    (b'2', 17),
    (b'3', 18),
    (b'4', 19),
    (b'5', 20),
    (b'6', 21),
];

/// The number of ECO codes, and of the values that each one has: itself, and 26 letters with 4 digits or none.
const CODES: u16 = 500;
const SUBCODES: u16 = 1 + 26 * 5;

/// The greatest length of a name in bytes. Scid writes at most 255. Any number of games may have the same name, so
/// without a limit a small index could become any amount of text.
const LONGEST_NAME: usize = 1024;

/// Writes games as PGN.
#[derive(Debug, Default)]
pub(super) struct GameWriter {
    movetext: MovetextWriter,
    /// What was left out, a line for each.
    notes: Vec<u8>,
}

impl GameWriter {
    /// Returns a writer of these parts of games.
    pub(super) fn new(parts: GameParts) -> Self {
        Self { movetext: MovetextWriter::new(parts), ..Self::default() }
    }

    /// Appends a game. `bytes` is its record, or a word for messages that says why there is none.
    pub(super) fn append(
        &mut self,
        entry: &Entry,
        bytes: Result<&[u8], &'static str>,
        names: &Names,
        out: &mut Vec<u8>,
    ) {
        let Self { movetext, notes } = self;
        notes.clear();
        let result = match entry.result {
            1 => Outcome::WhiteWins,
            2 => Outcome::BlackWins,
            3 => Outcome::Draw,
            _ => Outcome::Unknown,
        };
        let record = bytes.and_then(Record::read);
        let text = match &record {
            Ok(record) => movetext.write(record, result, &entry.outline),
            Err(damage) => movetext.write_damage(damage, result),
        };
        let mut tags = Tags { out, notes };
        tags.named(b"Event", names, NameKind::Event, entry.event);
        let at = tags.out.len();
        tags.roster(entry, names, result);
        tags.index(entry);
        if let Ok(record) = &record {
            tags.record(record, entry);
        }
        // The notes stand behind a pair, where they cannot be taken for the end of the game before.
        out.splice(at..at, notes.drain(..));
        out.push(b'\n');
        out.extend_from_slice(text);
        out.extend_from_slice(b"\n\n");
    }
}

/// The tag section of a game.
struct Tags<'w> {
    out: &'w mut Vec<u8>,
    notes: &'w mut Vec<u8>,
}

impl Tags<'_> {
    /// Writes the tags that every game has, but for the event.
    fn roster(&mut self, entry: &Entry, names: &Names, result: Outcome) {
        self.named(b"Site", names, NameKind::Site, entry.site);
        self.date(b"Date", entry.date);
        self.named(b"Round", names, NameKind::Round, entry.round);
        self.named(b"White", names, NameKind::Player, entry.white);
        self.named(b"Black", names, NameKind::Player, entry.black);
        self.pair(b"Result", result.as_str().as_bytes());
    }

    /// Writes the other tags of the index.
    fn index(&mut self, entry: &Entry) {
        for (player, (rating, kind)) in ["White", "Black"].iter().zip(entry.ratings.iter().zip(entry.rating_kinds)) {
            if *rating > 0 {
                let kind = RATINGS.get(usize::from(kind)).unwrap_or(&RATINGS[0]);
                let _ = writeln!(self.out, "[{player}{kind} \"{rating}\"]");
            }
        }
        if let Some(code) = entry.eco.checked_sub(1) {
            self.eco(code);
        }
        if !entry.event_date.is_none() {
            self.date(b"EventDate", entry.event_date);
        }
        let letters = FLAGS.iter().filter(|(_, bit)| entry.flags >> bit & 1 == 1).map(|(letter, _)| letter);
        if letters.clone().next().is_some() {
            self.out.extend_from_slice(b"[ScidFlags \"");
            self.out.extend(letters);
            self.out.extend_from_slice(b"\"]\n");
        }
        if entry.is_deleted() {
            // A tag of its own, so that a filter can leave such games out, whatever their other flags.
            self.pair(b"Deleted", b"1");
        }
    }

    /// Writes the tags of the record.
    fn record(&mut self, record: &Record<'_>, entry: &Entry) {
        let is_written = |name: &[u8]| {
            let is = |other: &[u8]| name.eq_ignore_ascii_case(other);
            record.fen.is_some() && (is(b"FEN") || is(b"SetUp")) || entry.is_deleted() && is(b"Deleted")
        };
        let mut has_variant = false;
        if let Some(bits) = record.event_date {
            self.date(b"EventDate", Date::from_bits(bits));
        }
        for (name, value) in &record.tags {
            if !is_written(name) {
                self.pair(name, value);
            }
            has_variant |= name.eq_ignore_ascii_case(b"Variant");
        }
        for number in &record.unknown_tags {
            note(self.notes, format_args!("there is no tag with the number {number}"));
        }
        if entry.is_chess960 && !has_variant {
            self.pair(b"Variant", b"Chess960");
        }
        if let Some(fen) = record.fen {
            self.pair(b"SetUp", b"1");
            self.pair(b"FEN", fen);
        }
    }

    fn named(&mut self, tag: &[u8], names: &Names, kind: NameKind, number: u32) {
        let name = self.name(names, kind, number);
        self.pair(tag, name);
    }

    /// Returns a name, or `?` if there is none.
    fn name<'n>(&mut self, names: &'n Names, kind: NameKind, number: u32) -> &'n [u8] {
        match names.get(kind, number) {
            Some(b"") => b"?",
            Some(name) if name.len() > LONGEST_NAME => {
                note(self.notes, format_args!("the name of the {} {number} has {} bytes", kind.noun(), name.len()));
                b"?"
            }
            Some(name) => name,
            None => {
                note(self.notes, format_args!("there is no name of the {} {number}", kind.noun()));
                b"?"
            }
        }
    }

    /// Writes an ECO code as Scid does: A00 to E99, a letter, and a digit.
    fn eco(&mut self, code: u16) {
        let (number, sub) = (code / SUBCODES, code % SUBCODES);
        if number >= CODES {
            return note(self.notes, format_args!("there is no ECO code {}", u32::from(code) + 1));
        }
        let volume = char::from(b"ABCDE"[usize::from(number / 100)]);
        let _ = write!(self.out, "[ECO \"{volume}{:02}", number % 100);
        if let Some(sub) = sub.checked_sub(1) {
            self.out.push(b'a' + (sub / 5 % 26) as u8);
            self.out.extend((sub % 5 > 0).then(|| b'0' + (sub % 5) as u8));
        }
        self.out.extend_from_slice(b"\"]\n");
    }

    /// Writes a date. What is unknown of it are question marks.
    fn date(&mut self, tag: &[u8], date: Date) {
        let (year, month, day) = date.fields();
        let known_month = if month > 12 { 0 } else { month };
        if month > 12 {
            note(self.notes, format_args!("there is no month {month}"));
        }
        self.pair(tag, &database::pair::date(year, known_month, day));
    }

    /// Writes a tag pair.
    fn pair(&mut self, name: &[u8], value: &[u8]) {
        database::pair::pair(self.out, name, value);
    }
}
