//! What the page asks: `/api/index` and `/api/explore`.

use std::sync::Arc;

use crate::answer::Answer;
use crate::explorer::{named, uci_in, write_opening, write_results};
use crate::filter::Filter;
use crate::game::{self, Style};
use crate::index_set::IndexSet;
use crate::json::{Json, Object};
use crate::line::{PlayedLine, fen_of, uci_of, write_moves};
use crate::open_index::OpenIndex;
use crate::parameters::Parameters;
use crate::performance::Opponents;
use crate::refusal::Refusal;
use crate::stop::Stop;
use pgn2fen_board::Board;
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::rules::Rules;
use pgn2fen_chess::san::Letters;
use pgn2fen_games::messages::shown;
use pgn2fen_index::{IndexError, Lists};

/// The number of games if it is not given, and the greatest.
const GAMES: (u32, u32) = (15, 200);

/// The greatest number of files that are listed.
const MOST_FILES: usize = 1000;

/// Describes the indexes. `has_site` says whether there are files under `/site/`.
///
/// # Errors
///
/// Refuses a name that no database has, and fails if an index cannot be read.
pub(super) fn index(set: &IndexSet, parameters: &Parameters, has_site: bool) -> Result<String, Refusal> {
    let indexes: Vec<_> = set.indexes_of(set.database(parameters)?).collect();
    let sum = |count: fn(&pgn2fen_index::Index) -> u64| indexes.iter().map(|opened| count(&opened.index)).sum::<u64>();
    let name = |path: &std::path::Path| shown(path.file_name().map_or(path, std::path::Path::new));
    let names: Vec<String> = indexes.iter().map(|opened| name(&real(opened.index.folder()))).collect();
    let first = indexes.iter().filter_map(|opened| opened.years).map(|years| years.0).min();
    let last = indexes.iter().filter_map(|opened| opened.years).map(|years| years.1).max();
    let files = || indexes.iter().flat_map(|opened| opened.index.files());
    let mut has_speeds = false;
    for opened in &indexes {
        has_speeds |= opened.kinds()?.iter().any(|kind| kind.speed().is_some());
    }
    let mut counts = [0; Rules::ALL.len()];
    for opened in &indexes {
        opened.index.rules()?.iter().for_each(|(rules, games)| counts[rules as usize] += games);
    }
    let variants = Rules::ALL.into_iter().zip(counts).filter(|(rules, games)| *rules != Rules::Chess && *games > 0);
    let databases = if set.indexes.len() > 1 { &*set.names } else { &[] };
    Ok(Json::of(|object| {
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
        object.member("databases").array(databases.iter().zip(&set.indexes), |json, (name, opened)| {
            json.object(|object| {
                object.text("name", name);
                object.number("games", opened.index.game_count());
            });
        });
        object.member("variants").array(variants, |json, (rules, games)| {
            json.object(|object| {
                object.text("variant", rules.name());
                object.number("games", games);
            });
        });
        object.number("starts", indexes.iter().map(|opened| opened.other_starts).sum::<u64>());
        object.member("tags").array(kept_tags(&indexes), Json::text);
        object.flag("hasSpeeds", has_speeds);
        object.flag("hasRatings", indexes.iter().any(|opened| opened.has_ratings));
        object.flag("hasSite", has_site);
        object.text("version", env!("CARGO_PKG_VERSION"));
    }))
}

/// Returns the names of the tags that all of these indexes keep, so that filters on them pass no refusal.
fn kept_tags<'i>(indexes: &[&'i Arc<OpenIndex>]) -> Vec<&'i str> {
    let Some((first, others)) = indexes.split_first() else {
        return Vec::new();
    };
    let keeps = |opened: &OpenIndex, tag: &str| opened.index.tags().iter().any(|kept| kept.eq_ignore_ascii_case(tag));
    let tags = first.index.tags().iter().map(|tag| &**tag);
    tags.filter(|tag| others.iter().all(|opened| keeps(opened, tag))).collect()
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
    let filter = Filter::read_page(parameters)?.for_players(&set.known_players);
    let line = match parameters.one("text")? {
        None => PlayedLine::read(parameters, filter.rules())?,
        Some(_) if parameters.one("fen")?.is_some() || parameters.one("play")?.is_some() => {
            return Err(Refusal::senseless("text: give either text, or fen and play"));
        }
        Some(text) => {
            let letters = parameters.one("letters")?.map_or(Some(Letters::ENGLISH), Letters::of);
            let letters = letters.ok_or_else(|| Refusal::senseless("letters: not a language of piece letters"))?;
            PlayedLine::typed(text, filter.rules(), &letters)?
        }
    };
    let number = |name, usual| Ok::<_, Refusal>(parameters.number(name)?.unwrap_or(usual).min(GAMES.1) as usize);
    let lists = Lists { best: number("games", GAMES.0)?, recent: number("recent", 0)? };
    let color = parameters.one("color")?.map(|color| if color == "white" { Color::White } else { Color::Black });
    let answer = set.answer(set.database(parameters)?, &line.position, &filter, lists, &|| stop.is_set())?;
    Ok(write(set, &line, &answer, lists, color)?)
}

/// Writes an answer with lists of at most so many games. With the colour of a player whose games these are, it has the
/// ratings of the opponents.
fn write(
    set: &IndexSet,
    line: &PlayedLine,
    answer: &Answer,
    lists: Lists,
    color: Option<Color>,
) -> Result<String, IndexError> {
    let mut failure = Ok(());
    let mut note = |result: Result<(), IndexError>| {
        if failure.is_ok() {
            failure = result;
        }
    };
    let position = &line.position;
    let legal = position.legal_moves();
    let end = position.end().map(|end| end.to_string());
    let results = answer.results();
    let text = Json::of(|object| {
        object.text("fen", &fen_of(position));
        object.text("turn", position.turn().pick("white", "black"));
        object.flag("check", position.is_check());
        object.text_or_null("end", end.as_deref());
        object.text("start", &fen_of(&line.start));
        write_moves(&line.moves, position, object.member("path"));
        object.member("legal").array(legal.iter(), |json, m| json.object(|object| write_legal(*m, position, object)));
        write_opening(line.opening(), object);
        object.text("description", &Board::of(position).description());
        write_results(&results, object);
        object.number("unknown", results.unknown);
        object.number("ended", answer.ended);
        write_opponents(color.map(|color| answer.opponents_of(color)), object);
        object.member("moves").array(&answer.moves, |json, played| {
            json.object(|object| {
                let (m, uci, san) = named(played.next, position);
                object.text("uci", &uci);
                object.text("san", &san);
                write_results(&played.results, object);
                object.number("unknown", played.results.unknown);
                object.number_or_null("averageRating", played.average_rating());
                object.number_or_null("lastYear", played.last_year());
                write_opponents(color.map(|color| played.opponents_of(color)), object);
                write_opening(m.map_or_else(|| line.opening(), |m| line.opening_with(m)), object);
                match &played.game {
                    Some(found) => note(game::write(set, found, Some(&uci), Style::Page, object.member("game"))),
                    None => object.member("game").null(),
                }
            });
        });
        let all = answer.all_games(lists);
        for (name, games) in [("games", &all.best), ("recent", &all.recent)] {
            object.member(name).array(games, |json, found| {
                let uci = found.game.next.map(|next| uci_in(next, position));
                note(game::write(set, found, uci.as_deref(), Style::Page, json));
            });
        }
        object.number("gamesTotal", results.games() + answer.ended);
        object.text("gamesOrder", "rating");
    });
    failure.map(|()| text)
}

/// Writes what is known of the opponents of a player, if there is one.
fn write_opponents(opponents: Option<Opponents>, object: &mut Object<'_>) {
    if let Some(opponents) = opponents {
        object.number_or_null("averageOpponentRating", opponents.average_rating());
        object.number_or_null("performance", opponents.performance());
    }
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
