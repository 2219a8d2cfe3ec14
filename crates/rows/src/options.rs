//! Options of jobs as pairs of texts: a name and a value. Programs that are not written in Rust hand them over like this.
//!
//! The names and values are those of the command's long options and of the functions of the Python package. An option
//! may be given before or after any other.
//!
//! ```
//! use pgn2fen_games::database::Database;
//! use pgn2fen_rows::options::JobOptions;
//! use pgn2fen_rows::{Format, Shape};
//!
//! let mut options = JobOptions::default();
//! for (name, value) in [("columns", "White,ply,san"), ("tags", "WhiteElo>=2200"), ("plies", "1..")] {
//!     options.set(name, value)?;
//! }
//! let shape = Shape { format: Format::Csv, columns: options.columns()?, no_header: false };
//! let games = Database::from(b"[White \"A\"]\n[WhiteElo \"2412\"]\n\n1. e4 c5 *".to_vec());
//! let (written, _) = options.rows()?.shape(shape).write([games], Vec::new())?;
//! assert_eq!(written, b"White,ply,san\nA,1,e4\nA,2,c5\n");
//!
//! let error = options.set("plise", "8").unwrap_err();
//! assert_eq!(error.to_string(), "there is no option 'plise'; did you mean 'plies'?");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | option | value |
//! |---|---|
//! | `columns` | names of columns, with commas |
//! | `per` | `position` or `game` |
//! | `tags`, `opening`, `reached`, `material`, `pattern`, `pawns` | a filter; may be given several times |
//! | `start` | `any`, `standard` or `nonstandard` |
//! | `length`, `pieces` | a number or a range such as `8..20` |
//! | `plies` | a ply, a range, or several with commas |
//! | `max_games`, `every`, `for_plies`, `max_eval`, `seed`, `memory`, `batch_rows`, `fields` | a number; `memory` in bytes |
//! | `sample` | a share from 0 to 1 |
//! | `skip_start`, `unique`, `variations`, `mirror`, `skip_checks`, `skip_captures`, `verbose` | `true` or `false` |
//! | `turn` | `w` or `b` |
//! | `colors` | `either` or `given` |
//! | `on_error` | `keep`, `drop` or `stop` |
//! | `ep`, `castling` | `always`, `xfen`, `legal`; `xfen`, `shredder` |
//! | `lang`, `encoding`, `movetext` | a language, an encoding, the name of a column |
//! | `setup` | `auto`, `strict` or `ignore` |
//! | `evals` | `lichess`, `engine` or `tcec` |

use std::error::Error;
use std::fmt::{self, Display};
use std::num::NonZeroU32;
use std::str::FromStr;

use pgn2fen_chess::fen::{CastlingStyle, EpStyle, FenStyle, Fields};
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::san::{Letters, languages};
use pgn2fen_games::messages::Restrictions;
use pgn2fen_games::pgn::annotation::EvalSource;
use pgn2fen_games::pgn::encoding::Label;
use pgn2fen_games::replay::{ReplayOptions, SetupPolicy};
use pgn2fen_games::selection::{
    GameFilter, PositionFilter, Sample, ShapeColors, ShapeFilter, Share, Start, chosen, chosen_style,
};
use pgn2fen_games::typed::read_position;
use pgn2fen_games::walk::{OnError, ReadOptions};

use crate::{ColumnError, ColumnPatterns, Columns, Format, GameRows, Rows, Shape};

/// Options of jobs, which are set by their names.
#[derive(Clone, Debug, Default)]
pub struct JobOptions {
    columns: Option<String>,
    is_per_game: bool,
    games: GameFilter,
    positions: PositionFilter,
    /// The colours and the length of a stretch stand here, because they are refused without a shape.
    shape: ShapeFilter,
    sample: Option<f64>,
    seed: u64,
    unique: bool,
    memory: Option<usize>,
    variations: bool,
    style: FenStyle,
    read: ReadOptions,
    is_verbose: bool,
    batch_rows: Option<usize>,
}

/// The error for an option that does not exist, has a wrong value, or does not go together with another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionError(String);

impl Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for OptionError {}

/// The names of all options.
const NAMES: [&str; 38] = [
    "columns",
    "per",
    "tags",
    "start",
    "opening",
    "reached",
    "length",
    "max_games",
    "on_error",
    "plies",
    "skip_start",
    "every",
    "sample",
    "seed",
    "unique",
    "memory",
    "variations",
    "material",
    "pattern",
    "pawns",
    "colors",
    "mirror",
    "for_plies",
    "turn",
    "pieces",
    "skip_checks",
    "skip_captures",
    "max_eval",
    "ep",
    "castling",
    "fields",
    "lang",
    "setup",
    "encoding",
    "evals",
    "movetext",
    "verbose",
    "batch_rows",
];

impl JobOptions {
    /// Sets an option, or adds a filter.
    ///
    /// # Errors
    ///
    /// There is no such option, or it cannot have this value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let Self { games, positions, shape, style, read, .. } = self;
        match name {
            "columns" => self.columns = Some(value.to_owned()),
            "per" => self.is_per_game = choose(name, value, &[("position", false), ("game", true)])?,
            "tags" => games.tags.push(parsed(name, value)?),
            "start" => {
                let known = [("any", Start::Any), ("standard", Start::Standard), ("nonstandard", Start::Nonstandard)];
                games.start = choose(name, value, &known)?;
            }
            "opening" => games.openings.push(parsed(name, value)?),
            "reached" => {
                let typed = read_position(value, &Letters::ENGLISH).map_err(|mistake| wrong(name, &mistake))?;
                if let Some(repair) = typed.repair {
                    return Err(wrong(name, &format!("{repair}; give the position as it was in the game")));
                }
                games.course.reached.push(typed.position);
            }
            "length" => games.course.length = Some(parsed(name, value)?),
            "max_games" => read.max_games = Some(number(name, value)?),
            "on_error" => {
                let known = [("keep", OnError::Keep), ("drop", OnError::Drop), ("stop", OnError::Stop)];
                read.on_error = choose(name, value, &known)?;
            }
            "plies" => positions.plies = parsed(name, value)?,
            "skip_start" => positions.skip_start = flag(name, value)?,
            "every" => positions.every = at_least_one(name, value)?,
            "sample" => self.sample = Some(number(name, value)?),
            "seed" => self.seed = number(name, value)?,
            "unique" => self.unique = flag(name, value)?,
            "memory" => self.memory = Some(number(name, value)?),
            "variations" => self.variations = flag(name, value)?,
            "material" => shape.material.push(parsed(name, value)?),
            "pattern" => shape.patterns.push(parsed(name, value)?),
            "pawns" => shape.pawns.push(parsed(name, value)?),
            "colors" => {
                shape.colors = choose(name, value, &[("either", ShapeColors::Either), ("given", ShapeColors::Given)])?;
            }
            "mirror" => shape.mirror = flag(name, value)?,
            "for_plies" => shape.for_plies = at_least_one(name, value)?,
            "turn" => positions.turn = Some(choose(name, value, &[("w", Color::White), ("b", Color::Black)])?),
            "pieces" => positions.men = Some(parsed(name, value)?),
            "skip_checks" => positions.skip_checks = flag(name, value)?,
            "skip_captures" => positions.skip_captures = flag(name, value)?,
            "max_eval" => positions.max_eval = Some(number(name, value)?),
            "ep" => {
                let known = [("always", EpStyle::Always), ("xfen", EpStyle::Xfen), ("legal", EpStyle::Legal)];
                style.ep = choose(name, value, &known)?;
            }
            "castling" => {
                let known = [("xfen", CastlingStyle::Xfen), ("shredder", CastlingStyle::Shredder)];
                style.castling = choose(name, value, &known)?;
            }
            "fields" => style.fields = choose(name, value, &[("4", Fields::Four), ("6", Fields::Six)])?,
            "lang" => {
                let known: Vec<(&str, Letters)> = languages().map(|known| (known.code(), known)).collect();
                read.replay.letters = choose(name, value, &known)?;
            }
            "setup" => {
                let known =
                    [("auto", SetupPolicy::Auto), ("strict", SetupPolicy::Strict), ("ignore", SetupPolicy::Ignore)];
                read.replay.setup = choose(name, value, &known)?;
            }
            "encoding" => read.encoding = encoding(value)?,
            "evals" => {
                read.replay.evals = choose(name, value, &EvalSource::ALL.map(|source| (source.name(), source)))?;
            }
            "movetext" => read.movetext = Some(value.to_owned()),
            "verbose" => self.is_verbose = flag(name, value)?,
            "batch_rows" => match number(name, value)? {
                0 => return Err(OptionError("batch_rows is 0, but must be 1 or more".to_owned())),
                rows => self.batch_rows = Some(rows),
            },
            _ => return Err(unknown(name)),
        }
        Ok(())
    }

    /// Whether a row is a whole game.
    pub fn is_per_game(&self) -> bool {
        self.is_per_game
    }

    /// Returns the columns that were chosen. A pattern of columns such as `White*` needs the tags of the input, and is
    /// refused.
    ///
    /// # Errors
    ///
    /// There are no such columns.
    pub fn columns(&self) -> Result<Option<Columns>, OptionError> {
        self.columns_as(if self.is_per_game { ColumnPatterns::of_games } else { str::parse })
    }

    /// Returns the columns of a list of starting positions.
    ///
    /// # Errors
    ///
    /// There are no such columns.
    pub fn start_columns(&self) -> Result<Option<Columns>, OptionError> {
        self.columns_as(ColumnPatterns::of_starts)
    }

    fn columns_as(&self, read: fn(&str) -> Result<ColumnPatterns, ColumnError>) -> Result<Option<Columns>, OptionError> {
        let Some(list) = &self.columns else {
            return Ok(None);
        };
        let patterns = read(list).map_err(|error| wrong("columns", &error))?;
        if patterns.needs_tags() {
            return Err(wrong("columns", &"name each column; patterns such as 'White*' and '*' depend on the input"));
        }
        patterns.columns(&[""; 0]).map(Some).map_err(|error| wrong("columns", &error))
    }

    /// Returns the options for reading games.
    ///
    /// # Errors
    ///
    /// Options do not go together.
    pub fn read_options(&self) -> Result<ReadOptions, OptionError> {
        let replay =
            ReplayOptions { encoding: self.read.encoding, first_warnings_only: !self.is_verbose, ..self.read.replay };
        Ok(ReadOptions { games: self.games.clone(), replay, ..self.read.clone() })
    }

    /// Returns the filter for the shape of positions.
    fn shape(&self) -> Result<ShapeFilter, OptionError> {
        let shape = &self.shape;
        let has_squares = !shape.patterns.is_empty() || !shape.pawns.is_empty();
        let refused = |text: &str| Err(OptionError(text.to_owned()));
        if shape.mirror && !has_squares {
            return refused("mirror exchanges left and right, and needs pattern or pawns");
        }
        if !has_squares && shape.material.is_empty() {
            if shape.colors != ShapeColors::default() {
                return refused("colors needs material, pattern or pawns");
            }
            if shape.for_plies.get() != 1 {
                return refused("for_plies needs material, pattern or pawns");
            }
        }
        Ok(shape.clone())
    }

    /// Returns the filter for positions.
    fn positions(&self) -> Result<PositionFilter, OptionError> {
        let share =
            |share| Share::new(share).ok_or_else(|| wrong("sample", &"a share is a number from 0 to 1, such as 0.01"));
        let share = self.sample.map(share).transpose()?;
        let sample = share.map(|share| Sample { share, seed: self.seed });
        Ok(PositionFilter { sample, shape: self.shape()?, ..self.positions.clone() })
    }

    /// Returns the builder for rows of positions. Its format is to be set.
    ///
    /// # Errors
    ///
    /// Options do not go together.
    pub fn rows(&self) -> Result<Rows, OptionError> {
        let columns = self.columns()?.or_else(|| Some(Columns::default()));
        let mut rows = Rows::new()
            .shape(Shape { format: Format::Tsv, columns, no_header: false })
            .positions(self.positions()?)
            .unique(self.unique)
            .variations(self.variations)
            .style(self.style)
            .read_options(self.read_options()?);
        if let Some(memory) = self.memory {
            if !self.unique {
                return Err(OptionError("memory limits unique, which is not chosen".to_owned()));
            }
            rows = rows.unique_within(memory);
        }
        Ok(self.batch_rows.into_iter().fold(rows, Rows::group))
    }

    /// Returns the builder for rows of whole games. Its format is to be set.
    ///
    /// # Errors
    ///
    /// Options do not go together, or are about positions.
    pub fn game_rows(&self) -> Result<GameRows, OptionError> {
        let kept = [("unique", self.unique), ("memory", self.memory.is_some()), ("variations", self.variations)];
        let filter = self.positions()?;
        let unwanted = [filter.chosen(), filter.shape.chosen(), chosen(&kept)].concat();
        if !unwanted.is_empty() {
            let names = unwanted.join(", ");
            return Err(OptionError(format!(
                "per='game' gives whole games and has no options for positions; leave out {names}"
            )));
        }
        let rows = GameRows::new().with_columns(self.columns()?).style(self.style).read_options(self.read_options()?);
        Ok(self.batch_rows.into_iter().fold(rows, GameRows::group))
    }

    /// Returns the names of the options that leave out games or positions, for hints about an output that is empty.
    pub fn restrictions(&self) -> Restrictions {
        let owned = |names: &[&str]| names.iter().map(ToString::to_string).collect();
        let positions = [self.positions.chosen(), self.shape.chosen()].concat();
        Restrictions { games: owned(&self.games.chosen()), positions: owned(&positions) }
    }

    /// Refuses options that have no meaning for a format.
    ///
    /// # Errors
    ///
    /// Such options are set.
    pub fn refuse_for(&self, format: Format) -> Result<(), OptionError> {
        let name = format.name();
        let style = chosen_style(self.style).join(", ");
        if !format.has_fens() && !style.is_empty() {
            return Err(OptionError(format!(
                "the format {name} has no FENs, whose style could be chosen; leave out {style}"
            )));
        }
        let kept = chosen(&[("unique", self.unique), ("variations", self.variations)]);
        let dividing = [self.positions.dividing(), self.shape.chosen(), kept].concat().join(", ");
        if format.stores_games() && !dividing.is_empty() {
            return Err(OptionError(format!(
                "the format {name} stores games, which would be divided by {dividing}; leave the choice of positions \
                 to the loader of the trainer, which has a filter, or write bulletformat, which stores positions"
            )));
        }
        Ok(())
    }
}

/// Returns the error for the value of an option.
fn wrong(option: &str, reason: &dyn Display) -> OptionError {
    OptionError(format!("{option}: {reason}"))
}

/// Returns the error for the name of an option, with a name that is like it.
fn unknown(name: &str) -> OptionError {
    let distance = |known: &&&str| strsim::damerau_levenshtein(known, name);
    let near = NAMES.iter().min_by_key(distance).filter(|known| distance(known) <= 2);
    let meant = near.map_or_else(String::new, |near| format!("; did you mean '{near}'?"));
    OptionError(format!("there is no option '{name}'{meant}"))
}

fn parsed<T: FromStr<Err: Display>>(option: &str, text: &str) -> Result<T, OptionError> {
    text.parse().map_err(|error| wrong(option, &error))
}

fn number<T: FromStr>(option: &str, text: &str) -> Result<T, OptionError> {
    text.parse().map_err(|_| OptionError(format!("{option} is '{text}', which is not such a number")))
}

fn at_least_one(option: &str, text: &str) -> Result<NonZeroU32, OptionError> {
    NonZeroU32::new(number(option, text)?).ok_or_else(|| OptionError(format!("{option} is 0, but must be 1 or more")))
}

fn flag(option: &str, text: &str) -> Result<bool, OptionError> {
    choose(option, text, &[("true", true), ("false", false)])
}

/// Returns the value for a word. The error lists all words.
fn choose<T: Copy>(option: &str, word: &str, known: &[(&str, T)]) -> Result<T, OptionError> {
    known.iter().find(|(name, _)| *name == word).map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        OptionError(format!("{option} is '{word}', but must be one of {}", names.join(", ")))
    })
}

/// Returns the encoding with a name, or `None` for `auto`.
fn encoding(name: &str) -> Result<Option<Label>, OptionError> {
    if name.eq_ignore_ascii_case("auto") {
        return Ok(None);
    }
    let unknown =
        || OptionError(format!("unknown encoding '{name}'; try utf-8, latin1, windows-1251, koi8-r, cp866 or gbk"));
    Label::find(name).map(Some).ok_or_else(unknown)
}

#[cfg(test)]
mod tests {
    use super::{JobOptions, NAMES};
    use crate::Format;

    #[track_caller]
    fn options(pairs: &[(&str, &str)]) -> JobOptions {
        let mut options = JobOptions::default();
        for (name, value) in pairs {
            options.set(name, value).unwrap();
        }
        options
    }

    #[track_caller]
    fn check(pairs: &[(&str, &str)], expected: &str) {
        let mut options = JobOptions::default();
        let set = pairs.iter().try_for_each(|(name, value)| options.set(name, value));
        let error = set.and_then(|()| match options.is_per_game() {
            true => options.game_rows().map(drop),
            false => options.rows().map(drop),
        });
        assert_eq!(error.unwrap_err().to_string(), expected);
    }

    #[test]
    fn wrong_options_are_named() {
        check(&[("start", "x")], "start is 'x', but must be one of any, standard, nonstandard");
        check(&[("every", "0")], "every is 0, but must be 1 or more");
        check(&[("max_games", "many")], "max_games is 'many', which is not such a number");
        check(&[("unike", "true")], "there is no option 'unike'; did you mean 'unique'?");
        check(&[("something", "true")], "there is no option 'something'");
        check(&[("sample", "2")], "sample: a share is a number from 0 to 1, such as 0.01");
        check(&[("memory", "100")], "memory limits unique, which is not chosen");
        check(&[("mirror", "true")], "mirror exchanges left and right, and needs pattern or pawns");
        check(&[("colors", "given")], "colors needs material, pattern or pawns");
        check(
            &[("per", "game"), ("plies", "8.."), ("unique", "true")],
            "per='game' gives whole games and has no options for positions; leave out plies, unique",
        );
        check(
            &[("columns", "White*")],
            "columns: name each column; patterns such as 'White*' and '*' depend on the input",
        );
    }

    #[test]
    fn formats_refuse_what_has_no_meaning_for_them() {
        let refusal = |pairs, format| options(pairs).refuse_for(format).unwrap_err().to_string();
        assert_eq!(
            refusal(&[("fields", "4")], Format::Bulletformat),
            "the format bulletformat has no FENs, whose style could be chosen; leave out fields"
        );
        assert!(refusal(&[("every", "2")], Format::Viri).starts_with("the format viri stores games"));
        options(&[("every", "2")]).refuse_for(Format::Csv).unwrap();
    }

    #[test]
    fn every_name_is_an_option() {
        for name in NAMES {
            let error = JobOptions::default().set(name, "?").err().map(|error| error.to_string());
            assert!(!error.is_some_and(|error| error.starts_with("there is no option")), "{name}");
        }
    }
}
