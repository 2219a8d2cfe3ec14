//! The tags of a game, with the names that ChessBase gives them when it writes PGN.

use std::io::Write;

use crate::chessbase::entities::{Data, Entities};
use crate::chessbase::entry::{Date, Entry};
use crate::chessbase::names::{ANNOTATOR, EVENT, FIRST_NAME, Field, LAST_NAME, Names, PUBLISHER, SITE, SOURCE, TEAM};
use crate::chessbase::nations::nation;
use crate::chessbase::texts::{Place, Texts};
use crate::database::note::note;
use crate::database::pair;

/// Writes the tags of a game.
#[derive(Debug)]
pub(super) struct TagWriter<'w> {
    /// Whether all tags are written, or only those of the players and the result.
    pub(super) all: bool,
    pub(super) out: &'w mut Vec<u8>,
    /// What was left out, a line for each.
    pub(super) notes: &'w mut Vec<u8>,
    pub(super) value: &'w mut Vec<u8>,
    pub(super) names: &'w Names,
    pub(super) texts: &'w Texts,
}

/// Returns the text of a result: `*` for a line, and for a game that both players lost.
pub(super) fn result_text(result: u8) -> &'static str {
    match result {
        0 | 4 => "0-1",
        1 | 5 => "1/2-1/2",
        2 | 6 => "1-0",
        _ => "*",
    }
}

impl TagWriter<'_> {
    /// Writes the tags of an entry. `teams` are the numbers of the teams, if they are stored.
    pub(super) fn write(&mut self, entry: Entry<'_>, teams: [Option<u32>; 2]) {
        let names = self.names;
        let start = self.out.len();
        let tournament = self.find(&names.tournaments, "tournament", entry.tournament());
        if self.all {
            self.text("Event", tournament, EVENT);
            self.text("Site", tournament, SITE);
            self.date("Date", entry.date());
            self.round(entry.round());
        }
        for (tag, number) in ["White", "Black"].into_iter().zip(entry.players()) {
            let player = self.find(&names.players, "player", number);
            self.player(tag, player);
        }
        let (result, evaluation) = entry.result();
        self.pair("Result", result_text(result));
        if result > 7 {
            note(self.notes, format_args!("there is no result {result}"));
        }
        let teams = teams.map(|team| team.and_then(|number| self.find(&names.teams, "team", number)));
        let annotator = self.find(&names.annotators, "annotator", entry.annotator());
        let source = self.find(&names.sources, "source", entry.source());
        if self.all {
            match result {
                3 if evaluation > 0 => self.number("LineEvaluation", "$", u32::from(evaluation)),
                4..=6 => self.pair("Termination", "forfeit"),
                7 => self.pair("Termination", "double forfeit"),
                _ => {}
            }
            if let Some((code, sub)) = entry.eco() {
                self.eco(code, sub);
            }
            for (tag, rating) in ["WhiteElo", "BlackElo"].into_iter().zip(entry.ratings()) {
                if rating > 0 {
                    self.number(tag, "", rating);
                }
            }
            for (tag, team) in ["WhiteTeam", "BlackTeam"].into_iter().zip(teams) {
                self.known_text(tag, team, TEAM);
            }
            self.known_text("Annotator", annotator, ANNOTATOR);
            if let Some(tournament) = tournament {
                self.tournament(tournament);
            }
            if let Some(source) = source {
                self.source(source);
            }
        }
        // The notes stand behind the first pair, where they cannot be taken for the end of the game before.
        if !self.notes.is_empty() {
            let first = memchr::memchr(b'\n', &self.out[start..]).map_or(self.out.len(), |end| start + end + 1);
            self.out.splice(first..first, self.notes.drain(..));
        }
    }

    fn find<'n>(&mut self, entities: &'n Entities, noun: &str, number: u32) -> Option<Data<'n>> {
        let found = entities.get(number);
        // A database without annotators or sources has no record at all.
        if found.is_none() && !(number == 0 && entities.is_empty()) {
            note(self.notes, format_args!("there is no name of the {noun} {number}"));
        }
        found
    }

    fn tournament(&mut self, data: Data<'_>) {
        self.known_date("EventDate", Date(data.number(70)));
        let (kind, form) = (data.byte(74), data.byte(75));
        let system = match kind & 31 {
            1 => "game",
            2 => "match",
            3 => "tourn",
            4 => "swiss",
            5 => "team",
            6 => "k.o.",
            7 => "simul",
            8 => "schev",
            _ if form & 1 == 1 => "team",
            _ => "",
        };
        let speed = match kind >> 5 {
            0 => "",
            speed if speed & 1 == 1 => "blitz",
            speed if speed & 2 == 2 => "rapid",
            _ => "corr",
        };
        match (system, speed) {
            ("", "") => {}
            (system, "") => self.pair("EventType", system),
            ("", speed) => self.pair("EventType", speed),
            (system, speed) => self.pair("EventType", &format!("{system} ({speed})")),
        }
        for (tag, at) in [("EventRounds", 80), ("EventCategory", 78)] {
            if data.byte(at) > 0 {
                self.number(tag, "", u32::from(data.byte(at)));
            }
        }
        if let Some(code) = nation(data.byte(76)) {
            self.pair("EventCountry", code);
        }
    }

    fn source(&mut self, data: Data<'_>) {
        self.known_text("SourceTitle", Some(data), SOURCE);
        self.known_text("Source", Some(data), PUBLISHER);
        self.known_date("SourceDate", Date(data.number(41)));
        self.known_date("SourceVersionDate", Date(data.number(45)));
        for (tag, at) in [("SourceVersion", 49), ("SourceQuality", 50)] {
            if data.byte(at) > 0 {
                self.number(tag, "", u32::from(data.byte(at)));
            }
        }
    }

    /// Writes a text, or `?` if there is none.
    fn text(&mut self, tag: &str, data: Option<Data<'_>>, field: Field) {
        self.value.clear();
        if let Some(data) = data {
            self.texts.append(data.text(field), 0, Place::Tag, self.value);
        }
        let value: &[u8] = if self.value.is_empty() { b"?" } else { self.value };
        pair::pair(self.out, tag.as_bytes(), value);
    }

    /// Writes a text, if there is one.
    fn known_text(&mut self, tag: &str, data: Option<Data<'_>>, field: Field) {
        if data.is_some_and(|data| !data.text(field).is_empty()) {
            self.text(tag, data, field);
        }
    }

    /// Writes the last name and the first name of a player. One or two capital letters are initials, which end with a
    /// period.
    fn player(&mut self, tag: &str, data: Option<Data<'_>>) {
        self.value.clear();
        if let Some(data) = data {
            let first = data.text(FIRST_NAME);
            self.texts.append(data.text(LAST_NAME), 0, Place::Tag, self.value);
            if !first.is_empty() {
                self.value.extend_from_slice(b", ");
                self.texts.append(first, 0, Place::Tag, self.value);
                if first.len() <= 2 && first.iter().all(u8::is_ascii_uppercase) {
                    self.value.push(b'.');
                }
            }
        }
        let value: &[u8] = if self.value.is_empty() { b"?" } else { self.value };
        pair::pair(self.out, tag.as_bytes(), value);
    }

    /// Writes the round, and the game or board in it: `5.2`.
    fn round(&mut self, round: (u8, u8)) {
        let _ = match round {
            (0, 0) => writeln!(self.out, "[Round \"?\"]"),
            (0, board) => writeln!(self.out, "[Round \"?.{board}\"]"),
            (round, 0) => writeln!(self.out, "[Round \"{round}\"]"),
            (round, board) => writeln!(self.out, "[Round \"{round}.{board}\"]"),
        };
    }

    /// Writes an ECO code, and its subcode as the standard has it: `B97/08`.
    fn eco(&mut self, code: u32, sub: u32) {
        let volume = char::from(b"ABCDE"[(code / 100 % 5) as usize]);
        let _ = write!(self.out, "[ECO \"{volume}{:02}", code % 100);
        if sub > 0 {
            let _ = write!(self.out, "/{sub:02}");
        }
        self.out.extend_from_slice(b"\"]\n");
    }

    fn date(&mut self, tag: &str, date: Date) {
        let (year, month, day) = date.fields();
        pair::pair(self.out, tag.as_bytes(), &pair::date(year, month, day));
    }

    fn known_date(&mut self, tag: &str, date: Date) {
        if !date.is_none() {
            self.date(tag, date);
        }
    }

    fn number(&mut self, tag: &str, prefix: &str, number: u32) {
        // Writing to memory cannot fail.
        let _ = writeln!(self.out, "[{tag} \"{prefix}{number}\"]");
    }

    pub(super) fn pair(&mut self, tag: &str, value: &str) {
        pair::pair(self.out, tag.as_bytes(), value.as_bytes());
    }
}
