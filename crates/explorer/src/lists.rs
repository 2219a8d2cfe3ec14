//! What the page offers to choose from: `/api/starts` and `/api/players`.

use crate::index_set::IndexSet;
use crate::json::Json;
use crate::parameters::Parameters;
use crate::refusal::Refusal;
use crate::stop::Stop;
use pgn2fen_chess::fen;

/// The greatest numbers of starting positions and of players in an answer.
const MOST_STARTS: usize = 1000;
const MOST_PLAYERS: usize = 20;

/// Lists the starting positions other than the initial one, those of the most games first.
///
/// # Errors
///
/// Refuses a name that no database has, and fails if an index cannot be read.
pub(super) fn starts(set: &IndexSet, parameters: &Parameters, stop: &Stop) -> Result<String, Refusal> {
    let starts = set.starts(set.database(parameters)?, &|| stop.is_set())?;
    Ok(Json::of(|object| {
        object.number("total", starts.len() as u64);
        object.member("starts").array(starts.iter().take(MOST_STARTS), |json, (text, games)| {
            let number = fen::read(text.as_bytes()).ok().and_then(|reading| reading.position.chess960_number());
            json.object(|object| {
                object.text("fen", text);
                object.text("kind", if number.is_some() { "chess960" } else { "other" });
                object.number_or_null("number", number.map(u32::from));
                object.number("games", games);
            });
        });
    }))
}

/// Lists the players whose names contain the text `part`, ignoring case, those with the most games first.
///
/// # Errors
///
/// Refuses a name that no database has, and fails if an index cannot be read.
pub(super) fn players(set: &IndexSet, parameters: &Parameters, stop: &Stop) -> Result<String, Refusal> {
    let names = set.players(set.database(parameters)?, &|| stop.is_set())?;
    let part = parameters.one("part")?.unwrap_or_default();
    Ok(Json::of(|object| {
        object.member("players").array(names.with(part).take(MOST_PLAYERS), |json, (name, games)| {
            json.object(|object| {
                object.text("name", name);
                object.number("games", games);
            });
        });
    }))
}
