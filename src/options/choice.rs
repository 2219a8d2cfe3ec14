//! The options that choose games and positions.

use std::ffi::OsStr;

use clap::{Args, ValueEnum};

use crate::options::listed::{Group, Listed};
use crate::options::names::NamesArguments;
use crate::say;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::rules::Rules;
use pgn2fen_chess::san::Letters;
use pgn2fen_games::messages::quoted;
use pgn2fen_games::selection::GameFilter;
use pgn2fen_games::typed::read_position_by;
use pgn2fen_rows::options::JobOptions;

/// The options that choose games.
#[derive(Debug, Args)]
pub(crate) struct GameArguments {
    #[command(flatten)]
    tags: Listed<Tags>,
    #[command(flatten)]
    pub(crate) names: NamesArguments,
    #[command(flatten)]
    course: Listed<Course>,
}

#[derive(Debug)]
struct Tags;

impl Group for Tags {
    type Job = JobOptions;
    const HEADING: &'static str = "Games";
    const NAMES: &'static [&'static str] = &["tags"];
}

#[derive(Debug)]
struct Course;

impl Group for Course {
    type Job = JobOptions;
    const HEADING: &'static str = "Games";
    const NAMES: &'static [&'static str] = &["opening", "reached", "moves", "ends", "commented", "length", "max_games"];

    fn typed(name: &str, text: &str) -> Result<String, String> {
        if name == "reached" { typed_position(text) } else { Ok(text.to_owned()) }
    }
}

/// The option for the starting positions of games.
pub(crate) type StartArguments = Listed<Starts>;

#[derive(Debug)]
pub(crate) struct Starts;

impl Group for Starts {
    type Job = JobOptions;
    const HEADING: &'static str = "Games";
    const NAMES: &'static [&'static str] = &["start"];
}

impl GameArguments {
    /// Returns the filter for games with any start.
    pub(crate) fn filter(&self) -> GameFilter {
        let GameFilter { tags, .. } = self.tags.job().read_options().games;
        GameFilter { tags, players: self.names.players(), ..self.course.job().read_options().games }
    }

    pub(crate) fn max_games(&self) -> Option<u64> {
        self.course.job().read_options().max_games
    }

    /// Whether an option other than those for tags is on the command line.
    pub(crate) fn has_course(&self, name: &str) -> bool {
        self.course.has(name)
    }
}

/// Returns the position that a value of `--reached` means, as a FEN. Repairs of the position are told.
fn typed_position(text: &str) -> Result<String, String> {
    let typed = read_position_by(text, &Letters::ENGLISH, None).map_err(|mistake| mistake.to_string())?;
    if let Some(repair) = &typed.repair {
        say::warning(&format!("--reached {}: {repair}", quoted(OsStr::new(text.trim()))));
    }
    let (fen, rules) = (typed.position.to_string(), typed.position.rules());
    if rules == Rules::Chess {
        return Ok(fen);
    }
    // The form of the FEN tells few variants.
    let variant = rules.game_tag_value(typed.position.castling_rules());
    Ok(format!("[Variant \"{variant}\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]"))
}

impl StartArguments {
    /// Returns the filter for games that these options choose.
    pub(crate) fn filter(&self, games: &GameArguments) -> GameFilter {
        GameFilter { start: self.job().read_options().games.start, ..games.filter() }
    }
}

/// The options that choose positions.
pub(crate) type PositionArguments = Listed<Positions>;

#[derive(Debug)]
pub(crate) struct Positions;

impl Group for Positions {
    type Job = JobOptions;
    const HEADING: &'static str = "Positions";
    const NAMES: &'static [&'static str] = &[
        "plies",
        "skip_start",
        "every",
        "sample",
        "seed",
        "unique",
        "memory",
        "variations",
        "turn",
        "pieces",
        "skip_checks",
        "skip_captures",
        "max_eval",
        "eval",
        "judgement",
        "min_loss",
    ];
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
