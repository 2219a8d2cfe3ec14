//! The heads of games: what a list says about a game.

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};

use pgn2fen_games::pgn::date::Date;
use pgn2fen_index::{GameColumn, GameHit, Index, IndexError, IndexedGames};

/// The most characters of a text. Longer ones are cut; the whole text is in the game.
const MOST: usize = 80;

/// Readers of games that are not in use. Each keeps the pages that it has read.
#[derive(Debug)]
pub(super) struct HeadReaders<'i> {
    index: &'i Index,
    idle: Mutex<Vec<IndexedGames<'i>>>,
}

/// The heads of some games, as members of an array in JSON.
pub(super) type Heads = HashMap<u64, String>;

impl<'i> HeadReaders<'i> {
    pub(super) fn new(index: &'i Index) -> Self {
        Self { index, idle: Mutex::default() }
    }

    /// Returns the heads of these games.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub(super) fn of(&self, mut games: Vec<GameHit>) -> Result<Heads, IndexError> {
        let lock = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let mut reader = lock().pop().unwrap_or_else(|| self.index.games());
        // Games on the same page of the table follow one another.
        games.sort_unstable_by_key(|hit| hit.game);
        games.dedup_by_key(|hit| hit.game);
        let heads = games.iter().map(|hit| Ok((hit.game, head(&mut reader, hit)?))).collect();
        lock().push(reader);
        heads
    }
}

/// Returns the head of a game without the move that it played: number, White, rating, Black, rating, result, date,
/// event, ECO.
fn head(reader: &mut IndexedGames<'_>, hit: &GameHit) -> Result<String, IndexError> {
    let mut text = |column| Ok::<_, IndexError>(reader.text(hit.game, column)?.map(cut).unwrap_or_default());
    let players = [text(GameColumn::White)?, text(GameColumn::Black)?];
    let ratings = hit.summary.ratings().map(|rating| rating.unwrap_or(0));
    let [event, eco] = [text(GameColumn::Event)?, text(GameColumn::Eco)?];
    let date = text(GameColumn::DateText)?;
    let mut head = hit.game.to_string();
    for (player, rating) in players.iter().zip(ratings) {
        let _ = write!(head, ",{},{rating}", quoted(player));
    }
    let result = hit.summary.result().as_str();
    let _ = write!(head, ",\"{result}\",\"{}\",{},{}", known_date(&date), quoted(&event), quoted(&eco));
    Ok(head)
}

/// Returns the beginning of a text.
fn cut(text: &str) -> String {
    match text.char_indices().nth(MOST) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// Returns a text in JSON.
pub(super) fn quoted(text: &str) -> String {
    // Fails for no text.
    serde_json::to_string(text).unwrap_or_default()
}

/// Returns a date as the PGN standard writes it; an empty text if its year is unknown.
fn known_date(text: &str) -> String {
    let part = |part: Option<u32>| part.map_or_else(|| "??".to_owned(), |part| format!("{part:02}"));
    Date::read(text).filter(|date| (1..=4095).contains(&date.year())).map_or_else(String::new, |date| {
        format!("{:04}.{}.{}", date.year(), part(date.month().map(u32::from)), part(date.day().map(u32::from)))
    })
}

#[cfg(test)]
mod tests {
    use super::{MOST, cut, known_date};

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(cut("Ångström"), "Ångström");
        let long = "é".repeat(MOST);
        assert_eq!(cut(&long), long);
        assert_eq!(cut(&format!("{long}é")), format!("{long}…"));
    }

    #[test]
    fn dates_are_written_as_in_the_standard() {
        for (text, expected) in
            [("2013.11.16", "2013.11.16"), ("1851", "1851.??.??"), ("2013-11-16", "2013.11.16"), ("????.??.??", "")]
        {
            assert_eq!(known_date(text), expected, "{text}");
        }
    }
}
