//! The games of texts in memory, one after another.

use std::collections::HashMap;

use pgn2fen_games::database::Database;
use pgn2fen_games::pgn::annotation::EvalChoice;
use pgn2fen_games::pgn::encoding::Fallback;
use pgn2fen_games::replay::{ReplayOptions, SetupPolicy};
use pgn2fen_games::walk::TextPlace;

use crate::game::{self, GamePlace};
use crate::position::{choose, letters};

/// Texts that are being read, by their numbers.
#[derive(Default)]
pub(crate) struct Reader {
    texts: HashMap<u32, Text>,
    /// The number of the last text.
    last: u32,
}

/// A text that is being read.
struct Text {
    name: String,
    database: Database,
    options: ReplayOptions,
    /// The place between games where reading goes on, and its numbers.
    at: u64,
    games: u64,
    place: TextPlace,
}

impl Reader {
    /// Begins to read a text. Returns its number, and an empty text if it begins like a file of another kind: what opens
    /// [sources](pgn2fen_games::database::Source) may read it, or says what it is.
    pub(crate) fn begin(&mut self, bytes: Vec<u8>, name: &str, words: [&str; 3]) -> Result<String, String> {
        let [lang, setup, evals] = words;
        let setups = [("auto", SetupPolicy::Auto), ("strict", SetupPolicy::Strict), ("ignore", SetupPolicy::Ignore)];
        let options = ReplayOptions {
            letters: letters(lang)?,
            setup: choose("setup", setup, &setups)?,
            evals: choose("evals", evals, &EvalChoice::ALL.map(|choice| (choice.name(), choice)))?,
            first_warnings_only: true,
            ..ReplayOptions::default()
        };
        // For the small module, this is too large: JavaScript asks for the other one if a text may be of another kind.
        #[cfg(feature = "full")]
        {
            use pgn2fen_games::{database::Foreign, pgn::lists::HEAD};
            if Foreign::detect(&bytes[..bytes.len().min(HEAD)], None).is_some() {
                return Ok(String::new());
            }
        }
        self.last += 1;
        let text = Text {
            name: name.to_owned(),
            database: Database::from(bytes),
            options,
            at: 0,
            games: 0,
            place: TextPlace::default(),
        };
        self.texts.insert(self.last, text);
        Ok(self.last.to_string())
    }

    /// Returns the next games: see [`game::append`]. Nothing is the end.
    pub(crate) fn games(&mut self, number: u32, count: usize) -> Result<Vec<u8>, String> {
        let text = self.texts.get_mut(&number).ok_or("there is no such text")?;
        let mut written = Vec::new();
        let bytes = text.database.bytes();
        for game in text.database.clone().within(text.at..u64::MAX).games().take(count) {
            let start = usize::try_from(game.offset()).unwrap_or(usize::MAX);
            text.place.go_to(bytes, start);
            let (at_start, line) = (text.place, text.place.counted_from_1().line);
            text.games += 1;
            let place = GamePlace { file: &text.name, number: text.games, line };
            let place_of = |offset| {
                let mut place = at_start;
                place.go_to(bytes, usize::try_from(offset).unwrap_or(usize::MAX).clamp(start, bytes.len()));
                place.counted_from_1()
            };
            game::append(&game, &place, place_of, (&text.options, Fallback::default()), &mut written)?;
            text.at = game.offset() + game.bytes().len() as u64;
        }
        Ok(written)
    }

    /// Forgets a text.
    pub(crate) fn close(&mut self, number: u32) -> String {
        self.texts.remove(&number);
        String::new()
    }
}
