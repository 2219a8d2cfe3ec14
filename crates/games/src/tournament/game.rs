//! A game as an entry that is compared with others, and the findings in one game.

use crate::messages::plain;
use crate::tournament::finding::FindingKind;
use crate::walk::{BlockResult, GameTask, OpenGame, Out, Played, PositionChoice};
use pgn2fen_chess::position::EndReason;
use pgn2fen_filters::players::{has_words, on_one_line, read_fide_id};
use pgn2fen_filters::{TagFinder, is_readable};
use pgn2fen_pgn::date::{Date, DateError};
use pgn2fen_pgn::tag_kind::TagKind;
use pgn2fen_pgn::token::Outcome;

/// A game, as far as it is compared with others.
#[derive(Debug)]
pub(super) struct Entry {
    /// The number of the file, from 0.
    pub(super) file: usize,
    /// The line and the column on which the game begins, from 1.
    pub(super) place: (u64, usize),
    /// The event; empty if it is unknown.
    pub(super) event: Box<str>,
    /// The year; 0 if it is unknown.
    pub(super) year: u16,
    /// The round; empty if it is unknown.
    pub(super) round: Box<str>,
    /// White and Black; empty if they are unknown.
    pub(super) players: [Box<str>; 2],
    pub(super) fide_ids: [Option<u32>; 2],
}

/// Something that one game shows.
#[derive(Debug)]
pub(super) struct Noted {
    /// The line and the column, from 0 in the block.
    pub(super) place: (u64, usize),
    pub(super) kind: FindingKind,
    pub(super) text: String,
}

/// The games of a block.
#[derive(Debug, Default)]
pub(super) struct Entries {
    /// The games, with the lines and the columns on which they begin, from 0 in the block.
    pub(super) entries: Vec<(Entry, (u64, usize))>,
    pub(super) noted: Vec<Noted>,
}

impl BlockResult for Entries {
    type Mark = (usize, usize);

    fn mark(&self) -> Self::Mark {
        (self.entries.len(), self.noted.len())
    }

    fn go_back_to(&mut self, (entries, noted): Self::Mark) {
        self.entries.truncate(entries);
        self.noted.truncate(noted);
    }

    fn retain(&mut self, _: &[bool]) {}
}

/// The tags that are read.
const TAGS: [&str; 9] =
    ["Event", "Round", "White", "Black", "WhiteFideId", "BlackFideId", "Date", "Result", "Termination"];

/// Plays a game over, and reads what is compared.
#[derive(Debug)]
pub(super) struct TournamentGame {
    positions: PositionChoice,
    finder: TagFinder,
}

impl TournamentGame {
    pub(super) fn new(positions: PositionChoice) -> Self {
        Self { positions, finder: TagFinder::new(TAGS) }
    }

    fn note(&self, game: &mut OpenGame<'_, '_>, out: &mut Entries) {
        let movetext = game.movetext().clone();
        let mut values = [const { None }; TAGS.len()];
        let encoding = game.encoding;
        let take = |at: usize, value: Option<pgn2fen_pgn::tag_pair::RawValue<'_>>| {
            values[at] = value.map(|value| value.decode_from(encoding).into_owned());
        };
        self.finder.find(game.tags, Some(&movetext), take);
        let text = |at: usize| values[at].as_deref().map(str::trim).unwrap_or_default();
        let known = |at: usize| if TagKind::Text.is_unknown(text(at)) { "" } else { text(at) };
        let name = |at: usize| Some(on_one_line(text(at))).filter(|name| has_words(name)).unwrap_or_default();

        let mut noted: Vec<(usize, FindingKind, String)> = Vec::new();
        for tag in game.tags.iter() {
            let name = String::from_utf8_lossy(tag.name);
            let value = tag.value.decode_from(encoding);
            if let Some(reason) = why_unreadable(TagKind::of(&name), &value) {
                let text = format!("{name} \"{}\": {reason}", short(&value));
                noted.push((tag.offset, FindingKind::UnreadableTag, text));
            }
        }
        let outcome = Outcome::from_ascii(text(7).as_bytes()).unwrap_or(Outcome::Unknown);
        let result_at = game.tags.iter().find(|tag| tag.name == b"Result").map_or(game.start, |tag| tag.offset);
        if let Some((kind, text)) = of_moves(game, outcome, text(8)) {
            noted.push((result_at, kind, text));
        }
        noted.sort_by_key(|(at, ..)| *at);

        let place = game.place_of(game.start);
        let entry = Entry {
            file: 0,
            place: (0, 0),
            event: known(0).into(),
            year: values[6].as_deref().and_then(Date::read).map_or(0, Date::year),
            round: known(1).into(),
            players: [name(2).into(), name(3).into()],
            fide_ids: [read_fide_id(text(4)), read_fide_id(text(5))],
        };
        out.entries.push((entry, place));
        for (at, kind, text) in noted {
            out.noted.push(Noted { place: game.place_of(at), kind, text });
        }
    }
}

impl GameTask for TournamentGame {
    type BlockResult = Entries;

    fn needs_offsets(&self) -> bool {
        false
    }

    fn game(&self, game: &mut OpenGame<'_, '_>, out: &mut Out<'_, Entries>) -> Played {
        self.note(game, out.made);
        let choice = self.positions.in_game(game);
        game.play(|replay| {
            let mut played = Played { positions: 1, ..Played::default() };
            while choice.next_ply(replay, &mut played.errors).is_some() {
                played.positions += 1;
            }
            played
        })
    }
}

/// Compares the moves of the main line with the result. None if they cannot be played to the end.
fn of_moves(game: &mut OpenGame<'_, '_>, outcome: Outcome, termination: &str) -> Option<(FindingKind, String)> {
    let mut replay = game.replay()?.clone();
    let mut has_moves = false;
    while let Some(ply) = replay.next_ply() {
        ply.ok()?;
        has_moves = true;
    }
    let result = outcome.as_str();
    match replay.position().end() {
        Some(end) if end.result() != result => {
            let what = match (end.reason, end.winner) {
                (EndReason::Checkmate, Some(winner)) => {
                    format!("the board shows mate by {}", winner.pick("White", "Black"))
                }
                (EndReason::Stalemate, _) => "the board shows stalemate".to_owned(),
                _ => end.to_string(),
            };
            Some((FindingKind::ResultOnBoard, format!("{what}, and the result is {result}")))
        }
        _ if !has_moves && !explains(termination) => {
            let text = if outcome == Outcome::Unknown {
                "the game has no moves and no result".to_owned()
            } else {
                format!("the game has no moves, and the result is {result}; Termination \"unplayed\" would say why")
            };
            Some((FindingKind::NoMoves, text))
        }
        _ if outcome == Outcome::Unknown && !explains(termination) => {
            Some((FindingKind::NoResult, "the game has no result".to_owned()))
        }
        _ => None,
    }
}

/// Whether a value of the tag Termination says why a game has no moves or no result.
fn explains(termination: &str) -> bool {
    let words = ["unplayed", "forfeit", "abandoned", "unterminated", "adjourned", "rules infraction", "emergency"];
    words.iter().any(|word| termination.to_lowercase().contains(word))
}

/// Returns why a value cannot be read as its kind. None if it can, or if it is unknown.
fn why_unreadable(kind: TagKind, value: &str) -> Option<&'static str> {
    if kind.is_unknown(value) {
        return None;
    }
    match kind {
        TagKind::Date => match Date::parse(value) {
            Err(DateError::NoSuchMonth) => Some("there is no such month"),
            Err(DateError::NoSuchDay) => Some("there is no such day"),
            Err(DateError::Malformed) if Date::read(value).is_none() => Some("this is not a date"),
            _ => None,
        },
        _ if is_readable(kind, value) => None,
        TagKind::Time => Some("this is not a time of day"),
        TagKind::TimeControl => Some("this is not a time control"),
        TagKind::Rating => Some("this is not a rating"),
        TagKind::Number => Some("this is not a number"),
        TagKind::Round | TagKind::Result | TagKind::Text => None,
    }
}

/// Returns the beginning of a value, which is safe on a terminal.
pub(super) fn short(value: &str) -> String {
    const MOST: usize = 60;
    let text = plain(value);
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{explains, why_unreadable};
    use pgn2fen_pgn::tag_kind::TagKind;

    #[track_caller]
    fn check(name: &str, value: &str, expected: Option<&str>) {
        assert_eq!(why_unreadable(TagKind::of(name), value), expected, "{name} {value}");
    }

    #[test]
    fn a_value_is_read_as_its_name_says() {
        for (name, value) in [
            ("Date", "2023.07.09"),
            ("Date", "2023.??.??"),
            ("Date", "????.??.??"),
            ("Date", "16.11.2013"),
            ("EventDate", ""),
            ("UTCTime", "18:30:05"),
            ("TimeControl", "40/7200:3600"),
            ("TimeControl", "180+2"),
            ("TimeControl", "-"),
            ("WhiteElo", "2650?"),
            ("WhiteElo", "0"),
            ("PlyCount", "81"),
            ("Round", "Quarter-final"),
            ("White", "60 mins"),
        ] {
            check(name, value, None);
        }
        check("Date", "Sun Jul 09 2023", Some("this is not a date"));
        check("Date", "2023.02.29", Some("there is no such day"));
        check("Date", "2023.13.01", Some("there is no such month"));
        check("TimeControl", "60 mins", Some("this is not a time control"));
        check("UTCTime", "noon", Some("this is not a time of day"));
        check("BlackElo", "unrated", Some("this is not a rating"));
        check("PlyCount", "many", Some("this is not a number"));
    }

    #[test]
    fn a_termination_may_say_why_there_are_no_moves() {
        assert!(explains("Unplayed") && explains("won by forfeit") && explains("abandoned"));
        assert!(!explains("") && !explains("normal") && !explains("time control"));
    }
}
