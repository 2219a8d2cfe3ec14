//! The entry of a position: the moves that were played, and some of the games.

use std::cmp::Reverse;
use std::fmt::Write;

use crate::publish::heads::{Heads, quoted};
use pgn2fen_index::{GameHit, KeySurvey, Lists, MoveCount, Rank, Ranked, Survey};

/// What is kept of the survey of a position until its entry is written.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) key: u64,
    moves: Vec<MoveCount>,
    best: Vec<GameHit>,
    recent: Vec<GameHit>,
}

impl Entry {
    pub(super) fn of_key(survey: &KeySurvey<'_>) -> Self {
        Self::new(survey.key, survey.moves.to_vec(), survey.best.to_vec(), survey.recent.to_vec())
    }

    /// Returns the entry of a position with several keys under one of them.
    pub(super) fn of_position(key: u64, survey: &Survey, lists: Lists) -> Self {
        let Survey { moves, played, ended } = survey;
        let moves = moves.iter().map(|played| played.count).collect();
        let best = first_of([&played.best, &ended.best], lists.best, GameHit::rating_rank);
        let recent = first_of([&played.recent, &ended.recent], lists.recent, GameHit::date_rank);
        Self::new(key, moves, best, recent)
    }

    fn new(key: u64, mut moves: Vec<MoveCount>, best: Vec<GameHit>, recent: Vec<GameHit>) -> Self {
        // As the answers of the server: by games, and those that ended here last.
        moves.sort_by_key(|count| (count.next.is_none(), Reverse(count.first_results().games()), count.next));
        Self { key, moves, best, recent }
    }

    /// Returns the games that are listed; some twice.
    pub(super) fn games(&self) -> impl Iterator<Item = &GameHit> {
        self.best.iter().chain(&self.recent)
    }

    /// Appends the entry as a member of an object in JSON.
    pub(super) fn write(&self, heads: &Heads, out: &mut String) {
        let _ = write!(out, "\"{:016x}\":{{\"moves\":[", self.key);
        for (nth, count) in self.moves.iter().enumerate() {
            if nth > 0 {
                out.push(',');
            }
            write_move(count, out);
        }
        out.push_str("],\"games\":[");
        let mut listed: Vec<u64> = Vec::new();
        for hit in self.games() {
            if listed.contains(&hit.game) {
                continue;
            }
            if !listed.is_empty() {
                out.push(',');
            }
            listed.push(hit.game);
            let uci = hit.next.map_or_else(String::new, |next| next.to_string());
            let head = heads.get(&hit.game).map_or("", String::as_str);
            let _ = write!(out, "[{head},{}]", quoted(&uci));
        }
        let place = |hit: &GameHit| listed.iter().position(|game| *game == hit.game).unwrap_or(0).to_string();
        let places = |hits: &[GameHit]| hits.iter().map(place).collect::<Vec<_>>().join(",");
        let _ = write!(out, "],\"top\":[{}],\"recent\":[{}]}}", places(&self.best), places(&self.recent));
    }
}

/// Returns the first games of two lists together.
fn first_of(lists: [&Ranked; 2], most: usize, rank: fn(&GameHit) -> Rank) -> Vec<GameHit> {
    let mut games: Vec<GameHit> = lists.iter().flat_map(|list| list.games()).copied().collect();
    games.sort_by_key(|game| Reverse(rank(game)));
    games.truncate(most);
    games
}

/// Appends a move: its name, the results of the games that played it first here, the average rating of their players,
/// and their last year. Then the results of games that played another move here before, if there are any.
fn write_move(count: &MoveCount, out: &mut String) {
    let first = count.first_results();
    let uci = count.next.map_or_else(String::new, |next| next.to_string());
    let year = count.last_date().map_or(0, |date| date / 10_000);
    let rating = count.average_elo().unwrap_or(0);
    let _ = write!(
        out,
        "[{},{},{},{},{},{rating},{year}",
        quoted(&uci),
        first.white,
        first.draws,
        first.black,
        first.unknown
    );
    let all = count.results;
    if all != first {
        let again =
            [all.white - first.white, all.draws - first.draws, all.black - first.black, all.unknown - first.unknown];
        let _ = write!(out, ",{},{},{},{}", again[0], again[1], again[2], again[3]);
    }
    out.push(']');
}
