//! The entry of a position: the moves that were played, and some of the games.

use std::cmp::Reverse;
use std::fmt::Write;

use crate::publish::heads::{Heads, quoted};
use pgn2fen_index::{GameHit, KeySurvey, Survey, SurveyedMove};

/// What is kept of the survey of a position until its entry is written.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) key: u64,
    moves: Vec<SurveyedMove>,
    best: Vec<GameHit>,
    recent: Vec<GameHit>,
}

impl Entry {
    pub(super) fn of_key(survey: &KeySurvey<'_>) -> Self {
        Self::new(survey.key, survey.moves, survey.best, survey.recent)
    }

    /// Returns the entry of a position with several keys under one of them.
    pub(super) fn of_position(key: u64, survey: &Survey) -> Self {
        Self::new(key, &survey.moves, survey.best.games(), survey.recent.games())
    }

    fn new(key: u64, moves: &[SurveyedMove], best: &[GameHit], recent: &[GameHit]) -> Self {
        let mut moves = moves.to_vec();
        // As the answers of the server: by games, and those that ended here last.
        moves.sort_by_key(|played| (played.count.next.is_none(), Reverse(played.results.games()), played.count.next));
        Self { key, moves, best: best.to_vec(), recent: recent.to_vec() }
    }

    /// Returns the games that are listed; some twice.
    pub(super) fn games(&self) -> impl Iterator<Item = &GameHit> {
        self.best.iter().chain(&self.recent)
    }

    /// Appends the entry as a member of an object in JSON.
    pub(super) fn write(&self, heads: &Heads, out: &mut String) {
        let _ = write!(out, "\"{:016x}\":{{\"moves\":[", self.key);
        for (nth, played) in self.moves.iter().enumerate() {
            if nth > 0 {
                out.push(',');
            }
            write_move(played, out);
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

/// Appends a move: its name, the results of the games that played it first here, the average rating of its players, and
/// its last year. Then the results of games that played another move here before, if there are any.
fn write_move(played: &SurveyedMove, out: &mut String) {
    let (count, first) = (&played.count, &played.results);
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
    let all = &count.results;
    if all != first {
        let again =
            [all.white - first.white, all.draws - first.draws, all.black - first.black, all.unknown - first.unknown];
        let _ = write!(out, ",{},{},{},{}", again[0], again[1], again[2], again[3]);
    }
    out.push(']');
}
