//! What the page asks: `/api/index` and `/api/explore`.

use crate::answer::Answer;
use crate::explorer::{named, uci_in, write_opening, write_results};
use crate::filter::Filter;
use crate::game::{self, Style};
use crate::index_set::IndexSet;
use crate::json::{Json, Object};
use crate::line::{PlayedLine, fen_of, uci_of, write_moves};
use crate::parameters::Parameters;
use crate::refusal::Refusal;
use crate::stop::Stop;
use pgn2fen_board::Board;
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::san::Letters;
use pgn2fen_games::messages::shown;
use pgn2fen_index::{IndexError, Lists};

/// The number of games if it is not given, and the greatest.
const GAMES: (u32, u32) = (15, 200);

/// The greatest number of files that are listed.
const MOST_FILES: usize = 1000;

/// Describes the indexes. `has_site` says whether there are files under `/site/`.
pub(super) fn index(set: &IndexSet, has_site: bool) -> String {
    let indexes = &set.indexes;
    let sum = |count: fn(&pgn2fen_index::Index) -> u64| indexes.iter().map(|opened| count(&opened.index)).sum::<u64>();
    let name = |path: &std::path::Path| shown(path.file_name().map_or(path, std::path::Path::new));
    let names: Vec<String> = indexes.iter().map(|opened| name(&real(opened.index.folder()))).collect();
    let first = indexes.iter().filter_map(|opened| opened.years).map(|years| years.0).min();
    let last = indexes.iter().filter_map(|opened| opened.years).map(|years| years.1).max();
    let files = || indexes.iter().flat_map(|opened| opened.index.files());
    Json::of(|object| {
        object.text("name", &names.join(" + "));
        object.number("games", sum(pgn2fen_index::Index::game_count));
        object.number("positions", sum(pgn2fen_index::Index::posting_count));
        object.member("files").array(files().take(MOST_FILES), |json, file| {
            json.object(|object| {
                object.text("name", &name(file.name()));
                object.number("games", file.games().end - file.games().start);
            });
        });
        object.number("fileCount", files().count() as u64);
        match first.zip(last) {
            Some((first, last)) => object.member("years").array([first, last], Json::number),
            None => object.member("years").null(),
        }
        object.flag("hasRatings", indexes.iter().any(|opened| opened.has_ratings));
        object.flag("hasSite", has_site);
        object.text("version", env!("CARGO_PKG_VERSION"));
    })
}

/// Returns the path without `.` and links, if it can be found, so that it ends with a name.
fn real(path: &std::path::Path) -> std::path::PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Answers a request for a position.
///
/// # Errors
///
/// Refuses parameters that make no sense, and fails if an index cannot be read.
pub(super) fn explore(set: &IndexSet, parameters: &Parameters, stop: &Stop) -> Result<String, Refusal> {
    let line = match parameters.one("text")? {
        None => PlayedLine::read(parameters)?,
        Some(_) if parameters.one("fen")?.is_some() || parameters.one("play")?.is_some() => {
            return Err(Refusal::senseless("text: give either text, or fen and play"));
        }
        Some(text) => {
            let letters = parameters.one("letters")?.map_or(Some(Letters::ENGLISH), Letters::of);
            let letters = letters.ok_or_else(|| Refusal::senseless("letters: not a language of piece letters"))?;
            PlayedLine::typed(text, &letters)?
        }
    };
    let filter = Filter::read_page(parameters)?;
    let games = parameters.number("games")?.unwrap_or(GAMES.0).min(GAMES.1) as usize;
    // Small lists share an answer in the cache.
    let lists = Lists { best: games.max(GAMES.0 as usize), recent: 0, ended: true };
    let answer = set.answer(&line.position, &filter, lists, &|| stop.is_set())?;
    Ok(write(set, &line, &answer, games)?)
}

fn write(set: &IndexSet, line: &PlayedLine, answer: &Answer, games: usize) -> Result<String, IndexError> {
    let mut failure = Ok(());
    let mut note = |result: Result<(), IndexError>| {
        if failure.is_ok() {
            failure = result;
        }
    };
    let position = &line.position;
    let legal = position.legal_moves();
    let end = match (legal.is_empty(), position.is_check()) {
        (false, _) => None,
        (true, true) => Some("checkmate"),
        (true, false) => Some("stalemate"),
    };
    let results = answer.results();
    let text = Json::of(|object| {
        object.text("fen", &fen_of(position));
        object.text("turn", position.turn().pick("white", "black"));
        object.flag("check", position.is_check());
        object.text_or_null("end", end);
        object.text("start", &fen_of(&line.start));
        write_moves(&line.moves, position, object.member("path"));
        object.member("legal").array(legal.iter(), |json, m| json.object(|object| write_legal(*m, position, object)));
        write_opening(line.opening(), object);
        object.text("description", &Board::of(position).description());
        write_results(&results, object);
        object.number("unknown", results.unknown);
        object.number("ended", answer.ended);
        object.member("moves").array(&answer.moves, |json, played| {
            json.object(|object| {
                let (m, uci, san) = named(played.next, position);
                object.text("uci", &uci);
                object.text("san", &san);
                write_results(&played.results, object);
                object.number("unknown", played.results.unknown);
                object.number_or_null("averageRating", played.average_rating());
                object.number_or_null("lastYear", played.last_year());
                write_opening(m.map_or_else(|| line.opening(), |m| line.opening_with(m)), object);
                match &played.game {
                    Some(found) => note(game::write(set, found, Some(&uci), Style::Page, object.member("game"))),
                    None => object.member("game").null(),
                }
            });
        });
        object.member("games").array(answer.best.iter().take(games), |json, found| {
            let uci = found.game.next.map(|next| uci_in(next, position));
            note(game::write(set, found, uci.as_deref(), Style::Page, json));
        });
        object.number("gamesTotal", results.games() + answer.ended);
        object.text("gamesOrder", "rating");
    });
    failure.map(|()| text)
}

/// Writes a legal move: its names, the position after it, and the squares from which and to which a piece is dragged to
/// play it.
fn write_legal(m: Move, position: &Position, object: &mut Object<'_>) {
    object.text("uci", &uci_of(m));
    object.text("san", &m.to_san(position));
    let mut after = position.clone();
    after.play_unchecked(m);
    object.text("fen", &fen_of(&after));
    object.text_or_null("from", m.from().map(|square| square.to_string()).as_deref());
    object.text_or_null("to", m.to().map(|square| square.to_string()).as_deref());
    if let Move::Castle { rook, .. } = m {
        // A king that is dropped on its rook castles, too.
        object.member("also").array([rook], |json, square| json.text(&square.to_string()));
    }
    object.text_or_null("promotion", m.promotion().map(|role| role.char().to_ascii_lowercase().to_string()).as_deref());
}
