//! The options that choose games and positions.

use std::ffi::OsStr;
use std::num::NonZeroU32;

use clap::{Args, ValueEnum};

use crate::options::names::NamesArguments;
use crate::say;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::san::Letters;
use pgn2fen_games::messages::quoted;
use pgn2fen_games::selection::{
    CourseFilter, GameFilter, NumberRange, OpeningFilter, PlyRanges, PositionFilter, Sample, ShapeFilter, Share, Start,
    TagFilter, chosen,
};
use pgn2fen_games::typed::read_position;
use pgn2fen_games::walk::parse_size;

#[derive(Debug, Args)]
#[command(next_help_heading = "Games")]
pub(crate) struct GameArguments {
    /// Only games whose tag satisfies the filter, such as 'WhiteElo>=2200', 'ECO=C42' or 'Player~carlsen'
    ///
    /// With several of these options, all must hold; with 'White~carlsen or Black~caruana', one of the two. Player
    /// means White and Black, one of which must satisfy the filter; Elo means WhiteElo and BlackElo, both of which
    /// must. The operators are = != < <= > >= and ~ (contains, ignoring case). The tag decides how values are compared.
    /// Date, EventDate: a year, a month or a day, such as 2019, 2019.06 or 2019-06-01. A year or month means all of its
    /// days, so Date<=2019 includes 2019.12.31. Partly known dates, such as 2019.??.??, are compared as far as they are
    /// known. UTCTime: a time of day, such as 18:30. TimeControl: the base time in seconds. WhiteElo, PlyCount:
    /// numbers. Round: part by part, so 6.4 is before 6.10. Result: by its meaning, in any spelling. Other tags:
    /// numbers if both values are numbers, otherwise text. A missing tag satisfies only !=. An unknown value (?,
    /// ????.??.??, *) is neither less nor greater than any value; WhiteElo=? finds it. For a missing or unknown Date,
    /// UTCDate is compared, and for such a Result, the result after the moves. Games that do not satisfy the filter
    /// are not replayed, so errors in them are not reported.
    #[arg(short, long = "tag", value_name = "FILTER")]
    pub(crate) tags: Vec<TagFilter>,
    #[command(flatten)]
    pub(crate) names: NamesArguments,
    /// Only games with this opening: a part of its name, such as Najdorf, or the beginning of its ECO code, such as B9
    ///
    /// The opening is that of the last position of the main line that has a name, whatever moves led to it; the tags
    /// ECO and Opening do not matter. Upper and lower case and accents make no difference in names. A letter from A to
    /// E with up to two digits is a code. With several of these options, one must hold. Games with other openings are
    /// played only so far, and errors in them are not reported.
    #[arg(long = "opening", value_name = "TEXT")]
    pub(crate) openings: Vec<OpeningFilter>,
    /// Only games that reached this position: a FEN, or moves such as '1. e4 c5 2. Nf3'
    ///
    /// The main line must have reached the position at any ply, in whatever order of moves. Positions are the same if
    /// their pieces, side to move, castling rights and legal en passant capture are the same. Moves have English piece
    /// letters, or are written like e2e4. With several of these options, one must be reached. Games are played as far
    /// as needed, and errors in games that are left out are not reported.
    #[arg(long, value_name = "POSITION", value_parser = typed_position, hide_short_help = true)]
    pub(crate) reached: Vec<Position>,
    /// Only games with this number of plies: 40.. (at least 40), ..20, 60..80
    ///
    /// A ply is a move of one side. The moves of the main line count, up to the first error.
    #[arg(long, value_name = "PLIES", hide_short_help = true)]
    pub(crate) length: Option<NumberRange>,
    /// Only the first N of these games, counted over all files
    #[arg(short = 'n', long, value_name = "N")]
    pub(crate) max_games: Option<u64>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Games")]
pub(crate) struct StartArguments {
    /// Only games that start from this kind of position
    #[arg(long, value_enum, value_name = "WHERE", default_value_t = StartArgument::Any, hide_short_help = true)]
    start: StartArgument,
}

impl GameArguments {
    /// Returns the filter for the course of a game.
    pub(crate) fn course(&self) -> CourseFilter {
        CourseFilter { reached: self.reached.clone(), length: self.length, ..CourseFilter::default() }
    }

    /// Whether games must be played to be chosen.
    pub(crate) fn plays(&self) -> bool {
        !self.openings.is_empty() || !self.course().is_empty()
    }
}

/// Parses the value of `--reached`. Repairs of the position are told.
fn typed_position(text: &str) -> Result<Position, String> {
    let typed = read_position(text, &Letters::ENGLISH).map_err(|mistake| mistake.to_string())?;
    if let Some(repair) = &typed.repair {
        say::warning(&format!("--reached {}: {repair}", quoted(OsStr::new(text.trim()))));
    }
    Ok(typed.position)
}

impl StartArguments {
    /// Whether games may start from any position.
    pub(crate) fn takes_all(&self) -> bool {
        matches!(self.start, StartArgument::Any)
    }

    /// Returns the filter for games with these tags and this start.
    pub(crate) fn filter(&self, games: &GameArguments) -> GameFilter {
        let start = match self.start {
            StartArgument::Any => Start::Any,
            StartArgument::Standard => Start::Standard,
            StartArgument::Nonstandard => Start::Nonstandard,
        };
        let (tags, players, openings) = (games.tags.clone(), games.names.players(), games.openings.clone());
        GameFilter { tags, players, start, openings, course: games.course() }
    }
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Positions")]
pub(crate) struct PositionArguments {
    /// Only these plies: 16, 8..20 (both included), ..30, 30.., 5,9,13, or -1 for the last
    ///
    /// Ply 0 is the starting position, and ply k the position after k moves of either side. Negative numbers count from
    /// the end of the main line.
    #[arg(
        short,
        long = "ply",
        value_name = "PLIES",
        allow_hyphen_values = true,
        default_value = "..",
        hide_default_value = true
    )]
    plies: PlyRanges,
    /// Leave out the starting position of each game
    #[arg(long, hide_short_help = true)]
    no_start: bool,
    /// Only every Nth of these plies, beginning with the first
    #[arg(short, long, value_name = "N", default_value = "1", hide_default_value = true, value_parser = every)]
    #[arg(hide_short_help = true)]
    every: NonZeroU32,
    /// Only a random sample of the positions, such as 0.01; the same in every run
    #[arg(short, long, value_name = "SHARE")]
    sample: Option<Share>,
    /// The seed of --sample, --shuffle and --split; another number gives other positions, orders and parts
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub(crate) seed: Option<u64>,
    /// Print each position only once
    ///
    /// Positions are the same if their pieces, side to move, castling rights and legal en passant capture are the same.
    /// All of them are kept in memory, in about 16 bytes each and at least 6 MB.
    #[arg(short, long)]
    pub(crate) unique: bool,
    /// The most memory for --unique, which then ends with an error, and for --shuffle, such as 8G
    ///
    /// Each of the two may take so much. With --unique, a run whose positions take more ends with an error, and writes
    /// no file. With --shuffle, more records go to a temporary file.
    #[arg(long, value_name = "SIZE", value_parser = parse_size, hide_short_help = true)]
    pub(crate) memory: Option<usize>,
    /// Print the positions of variations, too, in the order of the text
    #[arg(long)]
    pub(crate) variations: bool,
    /// Only positions with this side to move
    #[arg(long, value_enum, value_name = "w|b", hide_short_help = true)]
    turn: Option<TurnArgument>,
    /// Only positions with this number of pieces, including kings and pawns: 32, ..7, 3..5
    #[arg(long, value_name = "RANGE", hide_short_help = true)]
    pieces: Option<NumberRange>,
    /// Leave out positions in which the side to move is in check
    #[arg(long, hide_short_help = true)]
    skip_checks: bool,
    /// Leave out positions in which the next move of the game is a capture or a promotion
    #[arg(long, hide_short_help = true)]
    skip_captures: bool,
    /// Leave out positions with an evaluation of more than N centipawns for either side, or a mate
    ///
    /// The evaluation is the column eval, which is read from comments. Positions without an evaluation are kept.
    #[arg(long, value_name = "N", hide_short_help = true)]
    max_eval: Option<u32>,
}

impl PositionArguments {
    pub(crate) fn filter(&self, shape: ShapeFilter) -> PositionFilter {
        PositionFilter {
            plies: self.plies.clone(),
            every: self.every,
            skip_start: self.no_start,
            sample: self.sample.map(|share| Sample { share, seed: self.seed.unwrap_or(0) }),
            turn: self.turn.map(TurnArgument::color),
            men: self.pieces,
            skip_checks: self.skip_checks,
            skip_captures: self.skip_captures,
            max_eval: self.max_eval,
            shape,
        }
    }

    /// Whether only a sample is wanted.
    pub(crate) fn has_sample(&self) -> bool {
        self.sample.is_some()
    }

    /// Returns the names of the choices that change which positions are kept, besides the filter.
    pub(crate) fn kept(&self) -> Vec<&'static str> {
        chosen(&[("unique", self.unique), ("variations", self.variations)])
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum StartArgument {
    /// Any position
    Any,
    /// The initial position
    Standard,
    /// Any position other than the initial position
    Nonstandard,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum TurnArgument {
    #[value(name = "w", alias = "white")]
    White,
    #[value(name = "b", alias = "black")]
    Black,
}

impl TurnArgument {
    pub(crate) fn color(self) -> Color {
        match self {
            Self::White => Color::White,
            Self::Black => Color::Black,
        }
    }
}

/// Parses the value of `--every`.
fn every(text: &str) -> Result<NonZeroU32, &'static str> {
    text.parse().map_err(|_| "not a number of 1 or more")
}
