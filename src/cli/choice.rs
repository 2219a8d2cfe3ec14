//! Which games and positions are wanted: the options that say so.

use std::num::NonZeroU32;

use clap::{Args, ValueEnum};
use pgn2fen::chess::piece::Color;
use pgn2fen::selection::{GameFilter, Men, Plies, PositionFilter, Sample, Share, Start, TagFilter};

use crate::cli::usage::quoted;

#[derive(Debug, Args)]
#[command(next_help_heading = "Games")]
pub(crate) struct GameArguments {
    /// Only games whose tag is so, as in 'WhiteElo>=2200', 'ECO=C42', 'White~carlsen'; all that are given must hold
    ///
    /// Operators are = != < <= > >= and ~ (contains, whatever the capitals). The tag decides how values compare. Date, EventDate:
    /// 2019, 2019.06, 2019-06-01 or 2019/6/1, each with all its days, so that Date<=2019 includes 2019.12.31; a date that is known in
    /// part, 2019.??.??, is compared as far as it is known. UTCTime: 18:30. TimeControl: its base time in seconds. WhiteElo,
    /// PlyCount: numbers. Round: part by part, 6.4 before 6.10. Others: as numbers if both are, else as text. A missing tag is only
    /// != to a value; an unknown one (?, ????.??.??) is neither less nor more, and = to ?. Nothing is said of what is wrong with other
    /// games.
    #[arg(short, long = "tag", value_name = "FILTER")]
    pub(crate) tags: Vec<TagFilter>,
    /// Only the first N such games
    #[arg(short = 'n', long, value_name = "N")]
    pub(crate) max_games: Option<u64>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Games")]
pub(crate) struct StartArguments {
    /// Only games that start from the initial position, or only others
    #[arg(long, value_enum, value_name = "WHERE", default_value_t = StartArgument::Any)]
    start: StartArgument,
}

impl StartArguments {
    /// The games with these tags that start so.
    pub(crate) fn filter(&self, games: &GameArguments) -> GameFilter {
        let start = match self.start {
            StartArgument::Any => Start::Any,
            StartArgument::Standard => Start::Standard,
            StartArgument::Nonstandard => Start::Nonstandard,
        };
        GameFilter { tags: games.tags.clone(), start }
    }

    /// The options that say which games are wanted, as they may be typed; nothing if all are.
    pub(crate) fn in_words(&self, games: &GameArguments) -> String {
        let tags = games.tags.iter().map(|tag| format!(" -t {}", quoted(tag.to_string().as_ref())));
        let start = self.start.to_possible_value().filter(|_| !matches!(self.start, StartArgument::Any));
        let start = start.map(|start| format!(" --start {}", start.get_name()));
        let most = games.max_games.map(|most| format!(" -n {most}"));
        tags.chain(start).chain(most).collect::<String>().trim_start().to_owned()
    }

    /// The options that leave out games.
    pub(crate) fn chosen(&self, games: &GameArguments) -> Vec<&'static str> {
        let is_chosen = [("-t", !games.tags.is_empty()), ("--start", !matches!(self.start, StartArgument::Any))];
        names_of(&is_chosen)
    }
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Positions")]
pub(crate) struct PositionArguments {
    /// Only these plies: 16, 8..20 (both ends belong to it), ..30, 30.., or -1 for the last
    ///
    /// 0 is the starting position, k the position after the k-th move. Numbers below zero count from the end of the main line.
    #[arg(
        short,
        long = "ply",
        value_name = "PLIES",
        allow_hyphen_values = true,
        default_value = "..",
        hide_default_value = true
    )]
    plies: Plies,
    /// Leave out the starting position of each game
    #[arg(long)]
    no_start: bool,
    /// Of these plies only the first and every Nth behind it
    #[arg(short, long, value_name = "N", default_value = "1", hide_default_value = true, value_parser = every)]
    every: NonZeroU32,
    /// Only a random share of the positions, such as 0.01; the same in every run
    #[arg(short, long, value_name = "SHARE")]
    sample: Option<Share>,
    /// Another number gives another sample
    #[arg(long, value_name = "N", requires = "sample", default_value_t = 0, hide_default_value = true)]
    seed: u64,
    /// Each position once: same men, mover, castling rights and legal e.p. capture. Remembers all of them, in about 30 bytes each
    #[arg(short, long)]
    pub(crate) unique: bool,
    /// The positions of variations, too, in the order of the text
    #[arg(long)]
    pub(crate) variations: bool,
    /// Only positions with this side to move
    #[arg(long, value_enum, value_name = "w|b")]
    turn: Option<TurnArgument>,
    /// Only positions with so many men on the board, kings and pawns counted: 32, ..7, 3..5
    #[arg(long, value_name = "RANGE")]
    pieces: Option<Men>,
    /// No positions with the side to move in check
    #[arg(long)]
    skip_checks: bool,
    /// No positions in which the next move of the game captures or promotes
    #[arg(long)]
    skip_captures: bool,
    /// No positions that the comments evaluate at more than N centipawns for either side, or as mate
    ///
    /// The evaluation is that of the column eval. Positions without one stay.
    #[arg(long, value_name = "N")]
    max_eval: Option<u32>,
}

impl PositionArguments {
    pub(crate) fn filter(&self) -> PositionFilter {
        let turn = |turn| match turn {
            TurnArgument::White => Color::White,
            TurnArgument::Black => Color::Black,
        };
        PositionFilter {
            plies: self.plies,
            every: self.every,
            skip_start: self.no_start,
            sample: self.sample.map(|share| Sample { share, seed: self.seed }),
            turn: self.turn.map(turn),
            men: self.pieces,
            skip_checks: self.skip_checks,
            skip_captures: self.skip_captures,
            max_eval: self.max_eval,
        }
    }

    /// The options that leave out positions.
    pub(crate) fn chosen(&self) -> Vec<&'static str> {
        names_of(&[
            ("--ply", self.plies != Plies::ALL),
            ("--no-start", self.no_start),
            ("--every", self.every > NonZeroU32::MIN),
            ("--sample", self.sample.is_some()),
            ("--turn", self.turn.is_some()),
            ("--pieces", self.pieces.is_some()),
            ("--skip-checks", self.skip_checks),
            ("--skip-captures", self.skip_captures),
            ("--max-eval", self.max_eval.is_some()),
        ])
    }
}

fn names_of(options: &[(&'static str, bool)]) -> Vec<&'static str> {
    options.iter().filter(|(_, is_chosen)| *is_chosen).map(|(name, _)| *name).collect()
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum StartArgument {
    Any,
    Standard,
    Nonstandard,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum TurnArgument {
    #[value(name = "w", alias = "white")]
    White,
    #[value(name = "b", alias = "black")]
    Black,
}

fn every(text: &str) -> Result<NonZeroU32, &'static str> {
    text.parse().map_err(|_| "a number from 1 on is wanted")
}
