//! The job that counts the results of a player: by colour, opening, speed and the ratings of opponents.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::ControlFlow;

use crate::job_methods;
use crate::walk::{BlockResult, GameTask, Job, OpenGame, Out, Output, OutputStages, Played, ReadOptions, Walk};
use pgn2fen_chess::piece::Color;
use pgn2fen_filters::{TagFilter, TagFinder};
use pgn2fen_pgn::speed::Speed;
use pgn2fen_pgn::tag_kind::TagKind;
use pgn2fen_pgn::token::Outcome;

/// A job that counts the results of a player. Of each game, the opening is played and the rest is skipped, so errors in
/// moves are not reported.
///
/// ```
/// use std::path::Path;
///
/// use pgn2fen_games::database::{Database, Source};
/// use pgn2fen_games::parallel::Workers;
/// use pgn2fen_games::players::PlayerStats;
/// use pgn2fen_games::walk::{Job, ReadOptions};
///
/// let games = b"[White \"Tal, M\"]\n[Black \"B\"]\n[BlackElo \"2500\"]\n\n1. e4 c5 1-0\n".to_vec();
/// let sides = ["White~tal".parse()?, "Black~tal".parse()?];
/// let mut stats = PlayerStats::new(sides, ReadOptions::default());
/// stats.read(&Workers::new(1)?, Path::new("a.pgn"), Source::Whole(Database::from(games)), &mut ())?;
/// let rows = stats.rows();
/// let all: Vec<_> = rows.iter().map(|row| (row.group.name(), row.score.wins)).collect();
/// assert_eq!(all[..2], [("all games".to_owned(), 1), ("Sicilian Defense".to_owned(), 1)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PlayerStats(Walk<GamesOfPlayer, Counting>);

/// A group of games whose results are counted together.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    /// All games.
    All,
    /// The name of the opening up to its first colon; None for moves without a name.
    Opening(Option<&'static str>),
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
            Self::Opening(Some(name)) => (*name).to_owned(),
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

impl PlayerStats {
    /// Creates a job for the games whose tags White or Black hold the player, by a filter for each of the two. A game
    /// with the player on both sides counts for both.
    pub fn new(sides: [TagFilter; 2], read: ReadOptions) -> Self {
        let players = read.games.players.clone();
        let sides = sides.map(|side| side.for_players(&players));
        Self(Walk::new(GamesOfPlayer { sides, finder: TagFinder::new(TAGS) }, Counting::default(), read))
    }

    /// Returns the rows: all games, openings with the most games first, speeds, and opponents from the highest ratings
    /// down. Of each group, the games with White come first; a colour without games has no row.
    pub fn rows(self) -> Vec<StatsRow> {
        let counts = self.0.end().0.counts;
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

impl Job for PlayerStats {
    job_methods!(0);
}

/// The tags that are read.
const TAGS: [&str; 3] = ["WhiteElo", "BlackElo", "TimeControl"];

/// Finds what is counted of a game.
#[derive(Debug)]
struct GamesOfPlayer {
    sides: [TagFilter; 2],
    finder: TagFinder,
}

/// A game of the player.
#[derive(Debug)]
struct FoundGame {
    color: Color,
    result: Outcome,
    opening: Option<&'static str>,
    speed: Option<Speed>,
    opponent: Option<u16>,
}

/// The games of a block.
#[derive(Debug, Default)]
struct Found(Vec<FoundGame>);

impl GameTask for GamesOfPlayer {
    type BlockResult = Found;

    fn needs_offsets(&self) -> bool {
        false
    }

    fn game(&self, game: &mut OpenGame<'_, '_>, out: &mut Out<'_, Found>) -> Played {
        let is_side = |at: usize| self.sides[at].holds(game.tags, game.encoding);
        let colors: Vec<Color> = [Color::White, Color::Black]
            .into_iter()
            .zip(0..)
            .filter(|(_, at)| is_side(*at))
            .map(|(it, _)| it)
            .collect();
        if colors.is_empty() {
            return Played::UNWANTED;
        }
        let mut values = [const { None }; TAGS.len()];
        self.finder.find(game.tags, None, |at, value| values[at] = value.map(|value| value.decode_from(game.encoding)));
        let text = |at: usize| values[at].as_deref();
        let rating = |at: usize| {
            let rating = text(at).and_then(|rating| TagKind::Rating.number(rating))?;
            u16::try_from(rating).ok().filter(|rating| (1..=9999).contains(rating))
        };
        let ratings = [rating(0), rating(1)];
        let speed = text(2).and_then(Speed::of);
        game.play(|replay| {
            let opening = replay.clone().into_opening().opening();
            let opening = opening.map(|opening| opening.name.split(':').next().unwrap_or(opening.name));
            let result = replay.outcome();
            for color in colors {
                let opponent = color.pick(ratings[1], ratings[0]);
                out.made.0.push(FoundGame { color, result, opening, speed, opponent });
            }
            Played { positions: 1, ..Played::default() }
        })
    }
}

impl BlockResult for Found {
    type Mark = usize;

    fn mark(&self) -> usize {
        self.0.len()
    }

    fn go_back_to(&mut self, mark: usize) {
        self.0.truncate(mark);
    }

    fn weight(&self) -> usize {
        self.0.len() * size_of::<FoundGame>()
    }

    fn retain(&mut self, _: &[bool]) {}
}

/// Counts the games.
#[derive(Debug, Default)]
struct Counting {
    counts: HashMap<(Group, Color), Score>,
}

impl Counting {
    fn add(&mut self, game: &FoundGame) {
        let result = match (game.result, game.color) {
            (Outcome::WhiteWins, Color::White) | (Outcome::BlackWins, Color::Black) => Some(PlayerResult::Win),
            (Outcome::WhiteWins | Outcome::BlackWins, _) => Some(PlayerResult::Loss),
            (Outcome::Draw, _) => Some(PlayerResult::Draw),
            _ => None,
        };
        let step = game.opponent.map(|rating| rating / STEP * STEP);
        for group in [Group::All, Group::Opening(game.opening), Group::Speed(game.speed), Group::Opponent(step)] {
            self.counts.entry((group, game.color)).or_default().add(result, game.opponent);
        }
    }
}

impl Output<Found> for Counting {
    fn stages(&mut self) -> OutputStages<'_, Found> {
        OutputStages::deliver(|block: &mut Found| {
            block.0.iter().for_each(|game| self.add(game));
            ControlFlow::Continue(())
        })
    }
}
