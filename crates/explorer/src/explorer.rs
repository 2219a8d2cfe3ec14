//! The tables of `/masters`, `/lichess` and `/player`, as clients of the public explorer read them.

use std::cmp::Reverse;

use crate::answer::{Answer, FoundGame, PlayedMove};
use crate::filter::Filter;
use crate::game::{self, Style};
use crate::index_set::IndexSet;
use crate::json::{Json, Object};
use crate::line::{PlayedLine, uci_of};
use crate::parameters::Parameters;
use crate::refusal::Refusal;
use crate::stop::Stop;
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::openings::Opening;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::position::Position;
use pgn2fen_index::{IndexError, Lists, Results};

/// One of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Table {
    Masters,
    Lichess,
    Player,
}

/// The kinds of games on the public server.
const MODES: [&str; 2] = ["rated", "casual"];

/// The number of moves if it is not given.
const MOVES: usize = 12;

impl Table {
    /// Returns the greatest numbers of top games and recent games, which are also those if none is given.
    fn most_games(self) -> (usize, usize) {
        match self {
            Self::Masters => (15, 0),
            Self::Lichess => (4, 8),
            Self::Player => (0, 8),
        }
    }
}

/// What is written of an answer.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    table: Table,
    moves: usize,
    top: usize,
    recent: usize,
    /// The colour of the player whose games these are.
    color: Option<Color>,
}

/// Answers a request.
///
/// # Errors
///
/// Refuses parameters that make no sense, and fails if an index cannot be read.
pub(super) fn answer(set: &IndexSet, table: Table, parameters: &Parameters, stop: &Stop) -> Result<String, Refusal> {
    let is_stopped = || stop.is_set();
    let database = set.database(parameters)?;
    // What is missing is told first.
    let player = if table == Table::Player { Some(player(parameters)?) } else { None };
    let filter = match table {
        Table::Masters => Filter::read_masters(parameters)?,
        Table::Lichess | Table::Player => Filter::read_lichess(parameters)?,
    };
    let count = |name, most| Ok::<_, Refusal>(parameters.number(name)?.map_or(most, |number| number as usize));
    let moves = count("moves", MOVES)?;
    let most = table.most_games();
    let top = count("topGames", most.0)?.min(most.0);
    let recent = count("recentGames", most.1)?.min(most.1);
    let line = PlayedLine::read(parameters, filter.rules())?;
    let filter = match player {
        None => filter.for_players(&set.known_players),
        // Most people know how a name begins, and not how it is written in each file.
        Some((name, color)) => {
            let name = set.known_players.name_of(name, None);
            let is_whole = set.players(database, &is_stopped)?.has(name);
            filter.of_player(name, color, is_whole).for_players(&set.known_players)
        }
    };
    let lists = Lists { best: most.0, recent: most.1 };
    let answer = set.answer(database, &line.position, &filter, lists, &is_stopped)?;
    let wanted = Wanted { table, moves, top, recent, color: player.map(|(_, color)| color) };
    let mut text = write(set, &line, &answer, wanted)?;
    if table == Table::Player {
        // An answer is a line.
        text.push('\n');
    }
    Ok(text)
}

/// Reads the player and the colour of a request for the games of a player, and checks the kinds of games, which have no
/// effect.
fn player(parameters: &Parameters) -> Result<(&str, Color), Refusal> {
    let name = parameters.one("player")?.ok_or_else(|| Refusal::senseless("player: it is missing"))?;
    let color = match parameters.one("color")? {
        Some("white") => Color::White,
        Some("black") => Color::Black,
        Some(other) => return Err(Refusal::senseless(format!("color: it is white or black, not {other}"))),
        None => return Err(Refusal::senseless("color: it is missing; it is white or black")),
    };
    for mode in parameters.one("modes")?.into_iter().flat_map(|modes| modes.split(',')) {
        if !MODES.contains(&mode) {
            return Err(Refusal::senseless(format!("modes: it is rated, casual or both, not {mode}")));
        }
    }
    Ok((name, color))
}

fn write(set: &IndexSet, line: &PlayedLine, answer: &Answer, wanted: Wanted) -> Result<String, IndexError> {
    let mut failure = Ok(());
    let mut note = |result: Result<(), IndexError>| {
        if failure.is_ok() {
            failure = result;
        }
    };
    let position = &line.position;
    let text = Json::of(|object| {
        write_results(&answer.results(), object);
        // Games without a result do not count here.
        let counted = |played: &PlayedMove| played.results.games() - played.results.unknown;
        let mut list: Vec<&PlayedMove> = answer.moves.iter().collect();
        list.sort_by_key(|played| Reverse(counted(played)));
        object.member("moves").array(list.into_iter().take(wanted.moves), |json, played| {
            json.object(|object| note(write_move(set, line, played, wanted.color, object)));
        });
        let mut write_games = |name, games: &[FoundGame], most: usize| {
            object.member(name).array(games.iter().take(most), |json, found| {
                let uci = found.game.next.map(|next| uci_in(next, position));
                note(game::write(set, found, uci.as_deref(), Style::Explorer, json));
            });
        };
        if wanted.table != Table::Player {
            write_games("topGames", &answer.played.best, wanted.top);
        }
        if wanted.table != Table::Masters {
            write_games("recentGames", &answer.played.recent, wanted.recent);
        }
        write_opening(line.opening(), object);
        if wanted.table == Table::Player {
            // Clients wait until nothing is to be done for the player before the answer is complete.
            object.number("queuePosition", 0u32);
        }
    });
    failure.map(|()| text)
}

fn write_move(
    set: &IndexSet,
    line: &PlayedLine,
    played: &PlayedMove,
    color: Option<Color>,
    object: &mut Object<'_>,
) -> Result<(), IndexError> {
    let (m, uci, san) = named(played.next, &line.position);
    object.text("uci", &uci);
    object.text("san", &san);
    // Typed clients expect a number.
    match color.map(|color| played.opponents_of(color)) {
        None => object.number("averageRating", played.average_rating().unwrap_or(0)),
        Some(opponents) => {
            object.number("averageOpponentRating", opponents.average_rating().unwrap_or(0));
            object.number("performance", opponents.performance().unwrap_or(0));
        }
    }
    write_results(&played.results, object);
    let mut written = Ok(());
    match &played.game {
        Some(found) => written = game::write(set, found, Some(&uci), Style::Explorer, object.member("game")),
        None => object.member("game").null(),
    }
    write_opening(m.map_or_else(|| line.opening(), |m| line.opening_with(m)), object);
    written
}

pub(super) fn write_results(results: &Results, object: &mut Object<'_>) {
    object.number("white", results.white);
    object.number("draws", results.draws);
    object.number("black", results.black);
}

/// Writes the member `opening`.
pub(super) fn write_opening(opening: Option<Opening>, object: &mut Object<'_>) {
    match opening {
        Some(opening) => object.member("opening").object(|object| {
            object.text("eco", opening.eco);
            object.text("name", opening.name);
        }),
        None => object.member("opening").null(),
    }
}

/// Returns a move of an index as a move of the position, and its names in UCI and SAN. A move that is not legal, which
/// only damage could cause, keeps its name in UCI.
pub(super) fn named(next: Uci, position: &Position) -> (Option<Move>, String, String) {
    match next.find(position) {
        Some(m) => (Some(m), uci_of(m), m.to_san(position)),
        None => (None, next.to_string(), next.to_string()),
    }
}

/// Returns the name of a move in UCI.
pub(super) fn uci_in(next: Uci, position: &Position) -> String {
    next.find(position).map_or_else(|| next.to_string(), uci_of)
}
