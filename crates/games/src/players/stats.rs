//! The job that counts the results of a player: by colour, opening, speed and the ratings of opponents.

use std::ops::ControlFlow;

use crate::job_methods;
use crate::players::counts::{GameOfPlayer, PlayerCounts, StatsRow};
use crate::walk::{BlockResult, GameTask, Job, OpenGame, Out, Output, OutputStages, Played, ReadOptions, Walk};
use pgn2fen_chess::piece::Color;
use pgn2fen_filters::{TagFilter, TagFinder};
use pgn2fen_pgn::speed::Speed;
use pgn2fen_pgn::tag_kind::TagKind;

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

impl PlayerStats {
    /// Creates a job for the games whose tags White or Black hold the player, by a filter for each of the two. A game
    /// with the player on both sides counts for both.
    pub fn new(sides: [TagFilter; 2], read: ReadOptions) -> Self {
        let players = read.games.players.clone();
        let sides = sides.map(|side| side.for_players(&players));
        Self(Walk::new(GamesOfPlayer { sides, finder: TagFinder::new(TAGS) }, Counting::default(), read))
    }

    /// Returns the rows, as [`PlayerCounts::rows`] does.
    pub fn rows(self) -> Vec<StatsRow> {
        self.0.end().0.0.rows()
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

/// The games of a block.
#[derive(Debug, Default)]
struct Found(Vec<GameOfPlayer<'static>>);

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
        let rating = |at: usize| text(at).and_then(|rating| TagKind::Rating.number(rating));
        let ratings = [rating(0), rating(1)];
        let speed = text(2).and_then(Speed::of);
        game.play(|replay| {
            let opening = replay.clone().into_opening().opening();
            let opening = opening.map(|opening| opening.name);
            let result = replay.outcome();
            for color in colors {
                let opponent = color.pick(ratings[1], ratings[0]);
                out.made.0.push(GameOfPlayer { color, result, opening, speed, opponent });
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
        self.0.len() * size_of::<GameOfPlayer<'_>>()
    }

    fn retain(&mut self, _: &[bool]) {}
}

/// Counts the games.
#[derive(Debug, Default)]
struct Counting(PlayerCounts);

impl Output<Found> for Counting {
    fn stages(&mut self) -> OutputStages<'_, Found> {
        OutputStages::deliver(|block: &mut Found| {
            block.0.iter().for_each(|game| self.0.add(game));
            ControlFlow::Continue(())
        })
    }
}
