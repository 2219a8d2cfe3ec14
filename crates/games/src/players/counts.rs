//! The results of a player, counted by colour, opening, speed and the ratings of opponents.

use std::cmp::Reverse;
use std::collections::HashMap;

use pgn2fen_chess::piece::Color;
use pgn2fen_pgn::speed::Speed;
use pgn2fen_pgn::token::Outcome;

/// A game of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameOfPlayer<'g> {
    /// The colour of the player.
    pub color: Color,
    /// The result.
    pub result: Outcome,
    /// The name of the opening.
    pub opening: Option<&'g str>,
    /// The speed.
    pub speed: Option<Speed>,
    /// The rating of the opponent. Only those from 1 to 9999 count.
    pub opponent: Option<i32>,
}

/// The results of a player in the games that were added.
///
/// ```
/// use pgn2fen_chess::piece::Color;
/// use pgn2fen_games::pgn::token::Outcome;
/// use pgn2fen_games::players::{GameOfPlayer, Group, PlayerCounts};
///
/// let mut counts = PlayerCounts::default();
/// let opening = Some("Sicilian Defense: Najdorf Variation");
/// counts.add(&GameOfPlayer {
///     color: Color::White, result: Outcome::WhiteWins, opening, speed: None, opponent: Some(2500),
/// });
/// let rows = counts.rows();
/// assert_eq!((rows[1].group.name(), rows[1].score.wins), ("Sicilian Defense".to_owned(), 1));
/// assert_eq!(rows[0].score.performance(), Some(2900));
/// ```
#[derive(Clone, Debug, Default)]
pub struct PlayerCounts(HashMap<(Group, Color), Score>);

impl PlayerCounts {
    /// Counts a game.
    pub fn add(&mut self, game: &GameOfPlayer<'_>) {
        let result = match (game.result, game.color) {
            (Outcome::WhiteWins, Color::White) | (Outcome::BlackWins, Color::Black) => Some(PlayerResult::Win),
            (Outcome::WhiteWins | Outcome::BlackWins, _) => Some(PlayerResult::Loss),
            (Outcome::Draw, _) => Some(PlayerResult::Draw),
            _ => None,
        };
        let opponent = game.opponent.and_then(|rating| u16::try_from(rating).ok());
        let opponent = opponent.filter(|rating| (1..=9999).contains(rating));
        let step = opponent.map(|rating| rating / STEP * STEP);
        let opening = game.opening.and_then(|name| name.split(':').next()).map(Box::from);
        for group in [Group::All, Group::Opening(opening), Group::Speed(game.speed), Group::Opponent(step)] {
            self.0.entry((group, game.color)).or_default().add(result, opponent);
        }
    }

    /// Returns the rows: all games, openings with the most games first, speeds, and opponents from the highest ratings
    /// down. Of each group, the games with White come first; a colour without games has no row.
    pub fn rows(&self) -> Vec<StatsRow> {
        let Self(counts) = self;
        let games_of = |group: &Group| -> u64 {
            let of = |color| counts.get(&(group.clone(), color)).map_or(0, Score::games);
            of(Color::White) + of(Color::Black)
        };
        let mut rows: Vec<StatsRow> = counts
            .iter()
            .map(|((group, color), score)| StatsRow { group: group.clone(), color: *color, score: *score })
            .collect();
        rows.sort_by_cached_key(|row| {
            let (part, order) = match &row.group {
                Group::All => (0, 0),
                Group::Opening(_) => (1, games_of(&row.group)),
                Group::Speed(speed) => (2, u64::from(speed.is_some())),
                Group::Opponent(least) => (3, least.map_or(0, |least| u64::from(least) + 1)),
            };
            (part, Reverse(order), row.group.clone(), row.color == Color::Black)
        });
        rows
    }
}

/// A group of games whose results are counted together.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    /// All games.
    All,
    /// The name of the opening up to its first colon; None for moves without a name.
    Opening(Option<Box<str>>),
    /// The speed, by the tag TimeControl; None if it is unknown.
    Speed(Option<Speed>),
    /// The rating of the opponent in steps of 200, by the least of a step; None if it is unknown.
    Opponent(Option<u16>),
}

impl Group {
    /// Returns what the games are divided by: `all`, `opening`, `speed` or `opponent`.
    pub fn by(&self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Opening(_) => "opening",
            Self::Speed(_) => "speed",
            Self::Opponent(_) => "opponent",
        }
    }

    /// Returns the name of the group, such as `Sicilian Defense`, `blitz` or `2400-2599`; `unknown` for games of which
    /// it is not known.
    pub fn name(&self) -> String {
        match self {
            Self::All => "all games".to_owned(),
            Self::Opening(Some(name)) => (**name).to_owned(),
            Self::Speed(Some(speed)) => speed.name().to_owned(),
            Self::Opponent(Some(least)) => format!("{least}-{}", least + (STEP - 1)),
            Self::Opening(None) | Self::Speed(None) | Self::Opponent(None) => "unknown".to_owned(),
        }
    }
}

/// The size of a step of ratings.
const STEP: u16 = 200;

/// The results of a player in some games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// The games that the player won.
    pub wins: u64,
    /// The games that were drawn.
    pub draws: u64,
    /// The games that the player lost.
    pub losses: u64,
    /// The games without a known result.
    pub unknown: u64,
    /// The games with a known result and a rating of the opponent, the sum of these ratings, and the wins less the
    /// losses in these games.
    rated: (u64, u64, i64),
}

impl Score {
    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses + self.unknown
    }

    /// Returns the points in hundredths of the games with a known result, rounded. None without such games.
    pub fn per_cent(&self) -> Option<u64> {
        let known = self.wins + self.draws + self.losses;
        (known > 0).then(|| (200 * self.wins + 100 * self.draws + known) / (2 * known))
    }

    /// Returns the mean rating of the opponents in games with a known result.
    pub fn opponents(&self) -> Option<u64> {
        let (games, sum, _) = self.rated;
        (games > 0).then(|| (sum + games / 2) / games)
    }

    /// Returns the performance rating in games with a known result and a rating of the opponent: the mean rating of the
    /// opponents, and 400 times the wins less the losses, divided by the games. At least 0.
    pub fn performance(&self) -> Option<u64> {
        let (games, sum, balance) = self.rated;
        let total = i128::from(sum) + 400 * i128::from(balance);
        (games > 0).then(|| u64::try_from((total + i128::from(games / 2)).div_euclid(i128::from(games))).unwrap_or(0))
    }

    fn add(&mut self, result: Option<PlayerResult>, opponent: Option<u16>) {
        let balance = match result {
            Some(PlayerResult::Win) => {
                self.wins += 1;
                1
            }
            Some(PlayerResult::Draw) => {
                self.draws += 1;
                0
            }
            Some(PlayerResult::Loss) => {
                self.losses += 1;
                -1
            }
            None => {
                self.unknown += 1;
                return;
            }
        };
        if let Some(rating) = opponent {
            let (games, sum, sums) = self.rated;
            self.rated = (games + 1, sum + u64::from(rating), sums + balance);
        }
    }
}

/// A result for the player.
#[derive(Clone, Copy, Debug)]
enum PlayerResult {
    Win,
    Draw,
    Loss,
}

/// The results of a player in the games of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StatsRow {
    /// The games that are counted.
    pub group: Group,
    /// The colour of the player.
    pub color: Color,
    /// The results.
    pub score: Score,
}
