//! The positions of games in memory, and what was played in them.
//!
//! Each tile of a file has its own sorted list of positions, so that lists can be made while the file is read and no
//! list is sorted twice. An answer adds up those of all lists.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use pgn2fen_chess::castling::CastlingRules;
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::zobrist;
use pgn2fen_games::Workers;
use pgn2fen_games::database::Source;
use pgn2fen_games::pgn::date::Date;
use pgn2fen_games::pgn::tag_kind::TagKind;
use pgn2fen_games::pgn::token::Outcome;
use pgn2fen_games::replay::ReplayOptions;
use pgn2fen_games::stream::{GameReader, OwnedGame};
use pgn2fen_games::walk::Job;
use pgn2fen_rows::options::JobOptions;
use serde::Serialize;

use crate::position::{Kept, json};

/// The positions of the games of a tile.
#[derive(Default)]
pub(crate) struct Explored {
    games: Vec<Head>,
    /// A visit of a position: its key, the number of the game, and the bits of the move that was played there, 0 at the
    /// end of the game. Sorted; a game visits a position once.
    visits: Vec<(u64, u32, u16)>,
    /// The length of each game, in bytes.
    pub(crate) lengths: Vec<u32>,
}

/// What counts of a game.
#[derive(Clone, Copy)]
struct Head {
    result: Outcome,
    ratings: [u16; 2],
    year: u16,
}

/// The games in which a move was played.
#[derive(Default)]
struct Tally {
    results: [u32; 4],
    ratings: (u64, u32),
    last_year: u16,
}

/// The answer of a tile.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ExploredMove {
    uci: String,
    san: String,
    white: u32,
    draws: u32,
    black: u32,
    unknown: u32,
    /// The sum of the ratings of the players who made the move, and their number.
    ratings: (u64, u32),
    last_year: u16,
}

#[derive(Serialize)]
struct Answer {
    moves: Vec<ExploredMove>,
    ended: u32,
    /// Games with the mean of their ratings, the highest first.
    games: Vec<(u32, u32)>,
}

impl Explored {
    /// Reads the games of a tile, each up to a number of plies. The options are pairs of names and values.
    pub(crate) fn read(workers: &Workers, tile: Source, plies: usize, pairs: &[&str]) -> Result<Self, String> {
        let mut options = JobOptions::new();
        for pair in pairs.chunks_exact(2) {
            options.set(pair[0], pair[1]).map_err(|error| error.to_string())?;
        }
        let read = options.read_options();
        let replay = read.replay;
        let mut explored = Self::default();
        let mut job = GameReader::new().read_options(read).each(|game| {
            explored.add(&game, &replay, plies);
            ControlFlow::Continue(())
        });
        // What cannot be read is told by the run that lists the games.
        let _ = job.read(workers, Path::new(""), tile, &mut ());
        drop(job);
        explored.sort();
        Ok(explored)
    }

    /// Adds a game, up to a number of plies.
    fn add(&mut self, game: &OwnedGame, options: &ReplayOptions, most_plies: usize) {
        let Ok(number) = u32::try_from(self.games.len()) else {
            return;
        };
        let read = game.game();
        self.lengths.push(u32::try_from(game.bytes().len()).unwrap_or(u32::MAX));
        // A game without a usable start is in the list of games, but in no position.
        let Ok(mut replay) = read.replay_with(options) else {
            self.games.push(Head { result: Outcome::Unknown, ratings: [0; 2], year: 0 });
            return;
        };
        let text = |name| read.tag(name).unwrap_or_default();
        let rating = |name| TagKind::of(name).number(&text(name)).and_then(|number| u16::try_from(number).ok());
        let mut years = ["Date", "UTCDate"].into_iter().filter_map(|name| Date::read(&text(name)).map(Date::year));
        let mut head = Head {
            result: Outcome::Unknown,
            ratings: ["WhiteElo", "BlackElo"].map(|name| rating(name).unwrap_or(0)),
            year: years.next().unwrap_or(0),
        };
        let mut key = zobrist::key(replay.position());
        for _ in 0..most_plies {
            match replay.next_ply() {
                Some(Ok(ply)) => {
                    self.visits.push((key, number, ply.played.uci(CastlingRules::Chess960).bits().get()));
                    key = zobrist::key(replay.position());
                }
                _ => {
                    self.visits.push((key, number, 0));
                    break;
                }
            }
        }
        head.result = replay.outcome();
        self.games.push(head);
    }

    /// Sorts the visits. Of several visits of a game, the first counts.
    fn sort(&mut self) {
        self.visits.sort_by_key(|(key, game, _)| (*key, *game));
        self.visits.dedup_by_key(|(key, game, _)| (*key, *game));
        self.visits.shrink_to_fit();
    }

    /// Answers what was played in a position. `passes` has a bit for each game of the whole collection, of which those
    /// of the tile begin with `first`; it is empty if all games count.
    pub(crate) fn answer(&self, kept: &str, passes: &[u8], first: usize, most: usize) -> Result<String, String> {
        let kept = Kept::read(kept)?;
        let position = kept.position();
        let key = zobrist::key(position);
        let start = self.visits.partition_point(|visit| visit.0 < key);
        let visits = self.visits[start..].iter().take_while(|visit| visit.0 == key);
        let has_bit = |game: usize| passes.get(game / 8).is_some_and(|byte| byte >> (game % 8) & 1 == 1);
        let does_pass = |game: usize| passes.is_empty() || has_bit(first + game);
        let mut moves: BTreeMap<u16, Tally> = BTreeMap::new();
        let mut games = Vec::new();
        for &(_, game, bits) in visits {
            let head = self.games[game as usize];
            if !does_pass(game as usize) {
                continue;
            }
            moves.entry(bits).or_default().add(head, position.turn());
            games.push((game, head.mean()));
        }
        games.sort_by_key(|(_, mean)| Reverse(*mean));
        games.truncate(most);
        let ended = moves.remove(&0).map_or(0, |tally| tally.results.iter().sum());
        // Positions with equal keys are equal but for very rare accidents, whose moves are not legal.
        let played = |bits| Uci::from_bits(bits).and_then(|uci| uci.find(position));
        let moves = moves.into_iter().filter_map(|(bits, tally)| Some(tally.written(kept.names(played(bits)?))));
        json(&Answer { moves: moves.collect(), ended, games })
    }
}

impl Head {
    /// Returns the mean of both ratings, and 0 if one is missing.
    fn mean(self) -> u32 {
        match self.ratings {
            [0, _] | [_, 0] => 0,
            [white, black] => (u32::from(white) + u32::from(black)) / 2,
        }
    }
}

impl Tally {
    fn add(&mut self, head: Head, turn: Color) {
        let result = match head.result {
            Outcome::WhiteWins => 0,
            Outcome::Draw => 1,
            Outcome::BlackWins => 2,
            Outcome::Unknown => 3,
        };
        self.results[result] += 1;
        let rating = turn.pick(head.ratings[0], head.ratings[1]);
        if rating > 0 {
            self.ratings.0 += u64::from(rating);
            self.ratings.1 += 1;
        }
        self.last_year = self.last_year.max(head.year);
    }

    fn written(self, (uci, san): (String, String)) -> ExploredMove {
        let [white, draws, black, unknown] = self.results;
        let Self { ratings, last_year, .. } = self;
        ExploredMove { uci, san, white, draws, black, unknown, ratings, last_year }
    }
}
