//! The options of a job.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

use crate::columns::Columns;
use crate::columns::column::error::ColumnError;
use crate::columns::patterns::ColumnPatterns;
use crate::encode::boards::{BoardOptions, Orientation};
use crate::format::Format;
use crate::jobs::builder::Rows;
use crate::jobs::game_rows::GameRows;
use crate::jobs::games::{GameEdits, Shares, Split};
use crate::jobs::options::error::OptionError;
use crate::jobs::options::words::{
    castling_style, choose, encoding, ep_style, evals, fields, is_on, letters, names, number, parsed, reached, setup,
    start, turn, variant_style, zero,
};
use crate::jobs::shuffle::ShuffleOptions;
use crate::shape::{Shape, ShapeError};
use pgn2fen_chess::fen::FenStyle;
use pgn2fen_games::judgement::{self, Judgement};
use pgn2fen_games::messages::{Restrictions, references};
use pgn2fen_games::replay::ReplayOptions;
use pgn2fen_games::selection::{
    PositionFilter, Sample, ShapeColors, ShapeFilter, Share, chosen, chosen_style, nearest_names,
};
use pgn2fen_games::walk::{OnError, ReadOptions, parse_size};
use pgn2fen_spec::{Jobs, jobs_of};

/// The options of boards that have a meaning only for a page.
const OF_PAGES: [&str; 4] = ["numbers", "solutions", "boards_per_row", "boards_per_page"];

/// The options of a job that reads games, set by their names: see the [list](crate::jobs::options#the-options).
#[derive(Clone, Debug)]
pub struct JobOptions {
    /// The jobs whose options may be set.
    jobs: Jobs,
    /// The names of the options that were set.
    given: Vec<String>,
    /// The options for reading games, but for the shape that they must have reached.
    read: ReadOptions,
    raises: bool,
    /// The filter for positions, but for the sample and the shape.
    positions: PositionFilter,
    sample: Option<Share>,
    seed: u64,
    /// The shape, whose options have not been compared with each other.
    shape: ShapeFilter,
    unique: bool,
    memory: Option<usize>,
    variations: bool,
    style: FenStyle,
    is_per_game: bool,
    columns: Option<String>,
    /// The names of the tags that patterns of columns may stand for, if they are known.
    tag_names: Option<Vec<String>>,
    batch_rows: Option<NonZeroUsize>,
    boards: BoardOptions,
    shuffle: bool,
    split: Option<Split>,
    edits: GameEdits,
}

impl Default for JobOptions {
    fn default() -> Self {
        let replay = ReplayOptions { first_warnings_only: true, ..ReplayOptions::default() };
        Self {
            jobs: Jobs::ROWS,
            given: Vec::new(),
            read: ReadOptions { replay, ..ReadOptions::default() },
            raises: false,
            positions: PositionFilter::default(),
            sample: None,
            seed: 0,
            shape: ShapeFilter::default(),
            unique: false,
            memory: None,
            variations: false,
            style: FenStyle::default(),
            is_per_game: false,
            columns: None,
            tag_names: None,
            batch_rows: None,
            boards: BoardOptions::default(),
            shuffle: false,
            split: None,
            edits: GameEdits::default(),
        }
    }
}

impl JobOptions {
    /// The names of the options of rows in the [list](pgn2fen_spec::OPTIONS).
    pub const NAMES: &'static [&'static str] = &pgn2fen_spec::names!(Jobs::ROWS);

    /// Creates the options of a job for all positions of all games.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes options of further jobs: those of [boards](Jobs::BOARDS), of [records](Jobs::RECORDS) or of
    /// [copies](Jobs::COPIES), for a program that writes these.
    #[must_use]
    pub fn with(self, jobs: Jobs) -> Self {
        Self { jobs: self.jobs.and(jobs), ..self }
    }

    /// Sets an option, or adds a value to one that may have several.
    ///
    /// # Errors
    ///
    /// There is no such option, or the value is wrong. Nothing is changed then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        if !jobs_of(name).is_some_and(|jobs| jobs.contains(self.jobs)) {
            return Err(unknown(name, Self::NAMES));
        }
        let Self { read, positions, shape, style, boards, .. } = self;
        match name {
            "columns" => self.columns = Some(value.to_owned()),
            "per" => self.is_per_game = choose(name, value, &[("position", false), ("game", true)])?,
            "batch_rows" => {
                self.batch_rows = Some(NonZeroUsize::new(number(name, value)?).ok_or_else(|| zero(name))?);
            }
            "max_boards" => boards.max_boards = Some(number(name, value)?).filter(|most| *most > 0),
            "orientation" => {
                boards.orientation = choose(name, value, &Orientation::ALL.map(|side| (side.name(), side)))?;
            }
            "numbers" => boards.numbers = is_on(name, value)?,
            "solutions" => boards.solutions = is_on(name, value)?,
            "boards_per_row" => boards.per_row = Some(positive(name, value)?),
            "boards_per_page" => boards.per_page = Some(positive(name, value)?),
            "comment_arrows" => boards.comment_arrows = is_on(name, value)?,
            "shuffle" => self.shuffle = is_on(name, value)?,
            "split" => self.split = Some(parsed(name, value)?),
            "set_tags" => self.edits.set_tags.push(parsed(name, value)?),
            "remove_tags" => self.edits.remove_tags.push(parsed(name, value)?),
            "add_opening" => self.edits.add_opening = is_on(name, value)?,
            "repair" => self.edits.repair = is_on(name, value)?,
            "rename" => self.edits.rename = is_on(name, value)?,
            "tags" => read.games.tags.push(parsed(name, value)?),
            "names" => read.games.players = names(value)?,
            "start" => read.games.start = start(value)?,
            "opening" => read.games.openings.push(parsed(name, value)?),
            "reached" => read.games.course.reached.push(reached(value)?),
            "moves" => read.games.course.moves.push(parsed(name, value)?),
            "ends" => read.games.course.ends.push(parsed(name, value)?),
            "commented" => read.games.commented = is_on(name, value)?,
            "length" => read.games.course.length = Some(parsed(name, value)?),
            "max_games" => read.max_games = Some(number(name, value)?),
            "on_error" => {
                let known = [
                    ("keep", (OnError::Keep, false)),
                    ("drop", (OnError::Drop, false)),
                    ("stop", (OnError::Stop, false)),
                    ("raise", (OnError::Stop, true)),
                ];
                (read.on_error, self.raises) = choose(name, value, &known)?;
            }
            "plies" => positions.plies = parsed(name, value)?,
            "skip_start" => positions.skip_start = is_on(name, value)?,
            "skip_checks" => positions.skip_checks = is_on(name, value)?,
            "skip_captures" => positions.skip_captures = is_on(name, value)?,
            "every" => positions.every = positive(name, value)?,
            "sample" => self.sample = Some(parsed(name, value)?),
            "seed" => self.seed = number(name, value)?,
            "unique" => self.unique = is_on(name, value)?,
            "memory" => {
                let size =
                    parse_size(value).map_err(|error| OptionError::of_value(format!("`memory`: {error}"), error));
                self.memory = Some(size?);
            }
            "variations" => self.variations = is_on(name, value)?,
            "turn" => positions.turn = Some(turn(value)?),
            "pieces" => positions.men = Some(parsed(name, value)?),
            "max_eval" => positions.max_eval = Some(number(name, value)?),
            "eval" => positions.eval = Some(parsed(name, value)?),
            "judgement" => {
                let known = Judgement::ALL.map(|judgement| (judgement.name(), Some(judgement)));
                let known: Vec<_> = known.into_iter().chain([(judgement::GOOD, None)]).collect();
                positions.judgements.push(choose(name, value, &known)?);
            }
            "min_loss" => positions.min_loss = Some(positive(name, value)?.get()),
            "material" => shape.material.push(parsed(name, value)?),
            "pattern" => shape.patterns.push(parsed(name, value)?),
            "pawns" => shape.pawns.push(parsed(name, value)?),
            "colors" => {
                shape.colors = choose(name, value, &[("either", ShapeColors::Either), ("given", ShapeColors::Given)])?;
            }
            "mirror" => shape.mirror = is_on(name, value)?,
            "for_plies" => shape.for_plies = positive(name, value)?,
            "ep" => style.ep = ep_style(value)?,
            "castling" => style.castling = castling_style(value)?,
            "fields" => style.fields = fields(value)?,
            "fen_style" => style.variant = variant_style(value)?,
            "lang" => read.replay.letters = letters(value)?,
            "setup" => read.replay.setup = setup(value)?,
            "encoding" => {
                read.encoding = encoding(value)?;
                read.replay.encoding = read.encoding;
            }
            "evals" => read.replay.evals = evals(value)?,
            "movetext" => read.movetext = Some(value.to_owned()),
            "verbose" => read.replay.first_warnings_only = !is_on(name, value)?,
            _ => return Err(unknown(name, Self::NAMES)),
        }
        if !self.given.iter().any(|given| given == name) {
            self.given.push(name.to_owned());
        }
        Ok(())
    }

    /// Refuses all options but those with these names, for a job that has only some of them.
    ///
    /// # Errors
    ///
    /// Another option has been set.
    pub fn refuse_all_but(&self, known: &[&str]) -> Result<(), OptionError> {
        match self.given.iter().find(|name| !known.contains(&name.as_str())) {
            Some(name) => Err(unknown(name, known)),
            None => Ok(()),
        }
    }

    /// Returns the options for reading games, for rows of positions or games and for lists of starting positions.
    pub fn read_options(&self) -> ReadOptions {
        self.read.clone()
    }

    /// Returns the changes of games that are copied.
    pub fn edits(&self) -> &GameEdits {
        &self.edits
    }

    /// Returns the options for reading games, for copies and streams of games. The [shape](Self::shape) is a condition
    /// on the positions that a game reached.
    ///
    /// # Errors
    ///
    /// The options for the shape do not go together.
    pub fn game_options(&self) -> Result<ReadOptions, OptionError> {
        let mut read = self.read_options();
        read.games.course.shape = self.shape()?;
        Ok(read)
    }

    /// Whether an error in a game ends the job with an error of the caller (`on_error` is `raise`). The job itself
    /// then ends as with `stop`.
    pub fn raises(&self) -> bool {
        self.raises
    }

    /// Returns the shape that positions must have. It is empty if there are no options for it.
    ///
    /// # Errors
    ///
    /// There are options that need others.
    pub fn shape(&self) -> Result<ShapeFilter, OptionError> {
        let ShapeFilter { material, patterns, pawns, colors, mirror, for_plies } = &self.shape;
        let has_squares = !patterns.is_empty() || !pawns.is_empty();
        if *mirror && !has_squares {
            return Err(OptionError::new("`mirror` exchanges left and right, and needs `pattern` or `pawns`"));
        }
        if !has_squares && material.is_empty() {
            if *colors != ShapeColors::default() {
                return Err(OptionError::new("`colors` needs `material`, `pattern` or `pawns`"));
            }
            if *for_plies != NonZeroU32::MIN {
                return Err(OptionError::new("`for_plies` needs `material`, `pattern` or `pawns`"));
            }
        }
        Ok(self.shape.clone())
    }

    /// Returns the filter for positions.
    ///
    /// # Errors
    ///
    /// The options for the shape do not go together.
    pub fn positions(&self) -> Result<PositionFilter, OptionError> {
        let sample = self.sample.map(|share| Sample { share, seed: self.seed });
        Ok(PositionFilter { sample, shape: self.shape()?, ..self.positions.clone() })
    }

    /// Returns the style of FENs.
    pub fn style(&self) -> FenStyle {
        self.style
    }

    /// Whether there is a row for each game (`per` is `game`), so that the rows are those of
    /// [`game_rows`](Self::game_rows).
    pub fn is_per_game(&self) -> bool {
        self.is_per_game
    }

    /// Whether the columns depend on which tags the games have, because there are names with wildcards. Then
    /// [`set_tag_names`](Self::set_tag_names) must be called before the columns are known;
    /// [`FirstTags`](pgn2fen_games::walk::FirstTags) has the names.
    ///
    /// # Errors
    ///
    /// The columns are wrong.
    pub fn needs_tag_names(&self) -> Result<bool, OptionError> {
        let patterns = self.patterns(self.is_per_game)?;
        Ok(patterns.is_some_and(|patterns| patterns.needs_tags()))
    }

    /// Whether the columns are others if [`set_tag_names`](Self::set_tag_names) is called with the tags of a list of
    /// positions: see [`ColumnPatterns::may_use_tags`].
    ///
    /// # Errors
    ///
    /// The columns are wrong.
    pub fn may_use_tag_names(&self) -> Result<bool, OptionError> {
        Ok(self.patterns(self.is_per_game)?.is_some_and(|patterns| patterns.may_use_tags()))
    }

    /// Sets the names of the tags that the games have, for columns with wildcards.
    pub fn set_tag_names(&mut self, names: Vec<String>) {
        self.tag_names = Some(names);
    }

    /// Returns the columns that were chosen, or `None` for the usual ones.
    ///
    /// # Errors
    ///
    /// The columns are wrong, or the names of tags that a pattern stands for are not known.
    pub fn columns(&self) -> Result<Option<Columns>, OptionError> {
        self.columns_of(self.is_per_game)
    }

    fn columns_of(&self, is_per_game: bool) -> Result<Option<Columns>, OptionError> {
        let of_patterns = |patterns: ColumnPatterns| match &self.tag_names {
            Some(names) => patterns.columns(names),
            None => patterns.without_tags(),
        };
        self.patterns(is_per_game)?.map(of_patterns).transpose().map_err(of_columns)
    }

    fn patterns(&self, is_per_game: bool) -> Result<Option<ColumnPatterns>, OptionError> {
        let parse = if is_per_game { ColumnPatterns::of_games } else { str::parse };
        self.columns.as_deref().map(parse).transpose().map_err(of_columns)
    }

    /// Returns the builder for rows of positions. The format is tsv, and the usual columns are those of
    /// [`Columns::default`].
    ///
    /// # Errors
    ///
    /// The columns are wrong, or options do not go together.
    pub fn rows(&self) -> Result<Rows, OptionError> {
        let columns = self.columns_of(false)?.unwrap_or_default();
        let shape = Shape { format: Format::Tsv, columns: Some(columns), no_header: false };
        let rows = Rows::new().shape(shape).positions(self.positions()?).style(self.style);
        let rows = rows.read_options(self.read_options()).variations(self.variations);
        let rows = match self.memory {
            Some(memory) if self.unique => rows.unique_within(memory),
            // What is shuffled may take the memory, too.
            Some(_) if self.shuffle => rows.unique(false),
            Some(_) => {
                return Err(OptionError::new("memory limits `unique`, which is not chosen; add `unique=true`"));
            }
            None => rows.unique(self.unique),
        };
        Ok(match self.batch_rows {
            Some(most) => rows.group(most.get()),
            None => rows,
        })
    }

    /// Returns the builder for rows of whole games.
    ///
    /// # Errors
    ///
    /// The columns are wrong, or there are options that choose positions.
    pub fn game_rows(&self) -> Result<GameRows, OptionError> {
        let columns = self.columns_of(true)?;
        let positions = self.positions()?;
        let kept = [("unique", self.unique), ("memory", self.memory.is_some()), ("variations", self.variations)];
        let unwanted = [positions.chosen(), positions.shape.chosen(), chosen(&kept)].concat();
        if !unwanted.is_empty() {
            return Err(OptionError::new(format!(
                "`per=game` gives whole games and has no options for positions; leave out {}",
                references(&unwanted, ", ")
            )));
        }
        let rows = GameRows::new().with_columns(columns).style(self.style).read_options(self.read_options());
        Ok(match self.batch_rows {
            Some(most) => rows.group(most.get()),
            None => rows,
        })
    }

    /// Sets the order of the rows or records that are written in a format. Those that do not fit into the memory go to
    /// a temporary file in the folder, or in that of the system.
    ///
    /// # Errors
    ///
    /// The format has no rows or records that could be put into another order.
    pub fn ordered(&self, rows: Rows, format: Format, folder: Option<PathBuf>) -> Result<Rows, OptionError> {
        if !self.shuffle {
            return Ok(rows);
        }
        if !format.has_records() {
            return Err(OptionError::new(ShapeError::NoRecords(format).to_string()));
        }
        let memory = self.memory.unwrap_or(ShuffleOptions::MEMORY);
        Ok(rows.shuffle(ShuffleOptions { seed: self.seed, memory, folder }))
    }

    /// Returns the shares of the games that are written to different files. None if all are written to one.
    ///
    /// # Errors
    ///
    /// The parts are no shares of the games.
    pub fn shares(&self) -> Result<Option<Shares>, OptionError> {
        match &self.split {
            None => Ok(None),
            Some(Split::Shares(shares)) => Ok(Some(shares.clone().seed(self.seed))),
            Some(_) => Err(OptionError::new(
                "`split` takes shares of the games, such as train=0.95,valid=0.05; only copies of games are divided by \
                 their number or size",
            )),
        }
    }

    /// Refuses options for records and parts, for an output that has neither.
    ///
    /// # Errors
    ///
    /// There is such an option.
    pub fn refuse_records(&self, output: &str) -> Result<(), OptionError> {
        match chosen(&[("shuffle", self.shuffle), ("split", self.split.is_some())]).first() {
            Some(option) => Err(OptionError::new(format!("`{option}` does not go with {output}"))),
            None => Ok(()),
        }
    }

    /// Returns the options for a format that draws boards, with the title of a page.
    ///
    /// # Errors
    ///
    /// There are such options, but the format `name` draws no boards.
    pub fn boards(&self, (name, has_boards): (&str, bool), title: String) -> Result<BoardOptions, OptionError> {
        let is_page = has_boards && name == Format::Html.name();
        for option in self.given.iter().filter(|option| jobs_of(option).is_some_and(|it| it.contains(Jobs::BOARDS))) {
            if !has_boards {
                return Err(OptionError::new(format!(
                    "`{option}` has no effect on the format {name}; only html, anki, svg and png draw boards"
                )));
            }
            if !is_page && OF_PAGES.contains(&&**option) {
                return Err(OptionError::new(format!(
                    "`{option}` has no effect on the format {name}; only html is a page of boards"
                )));
            }
        }
        let mut boards = BoardOptions { title, ..self.boards.clone() };
        // A card asks the side to move.
        if name == Format::Anki.name() && !self.given.iter().any(|given| given == "orientation") {
            boards.orientation = Orientation::Turn;
        }
        Ok(boards)
    }

    /// Returns the names of the options that leave out games or positions.
    ///
    /// # Errors
    ///
    /// The options for the shape do not go together.
    pub fn restrictions(&self) -> Result<Restrictions, OptionError> {
        let positions = self.positions()?;
        Ok(Restrictions {
            games: self.read.games.chosen(),
            positions: [positions.chosen(), positions.shape.chosen()].concat(),
        })
    }

    /// Refuses the options that have no meaning for a format.
    ///
    /// # Errors
    ///
    /// Such an option has been set, or options do not go together.
    pub fn refuse_for(&self, format: Format) -> Result<(), OptionError> {
        let name = format.name();
        if self.is_per_game && !format.has_lists() {
            return Err(OptionError::new(format!("`per=game`: {}", ShapeError::NoLists(format))));
        }
        let style = chosen_style(self.style);
        if !format.has_fens() && !style.is_empty() {
            let style = references(&style, ", ");
            return Err(OptionError::new(format!(
                "the format {name} has no FENs, whose style could be chosen; leave out {style}"
            )));
        }
        let positions = self.positions()?;
        let kept = chosen(&[("unique", self.unique), ("variations", self.variations)]);
        let dividing = [positions.dividing(), positions.shape.chosen(), kept].concat();
        if format.stores_games() && !dividing.is_empty() {
            let dividing = references(&dividing, ", ");
            return Err(OptionError::new(format!(
                "the format {name} stores games, which would be divided by {dividing}; leave the choice of positions \
                 to the loader of the trainer, which has a filter, or write bulletformat, which stores positions"
            )));
        }
        Ok(())
    }
}

/// Returns a number that is not 0.
fn positive(name: &str, value: &str) -> Result<NonZeroU32, OptionError> {
    NonZeroU32::new(number(name, value)?).ok_or_else(|| zero(name))
}

/// Returns the error for columns.
#[expect(clippy::needless_pass_by_value, reason = "it is passed to `map_err`")]
pub(super) fn of_columns(error: ColumnError) -> OptionError {
    OptionError::new(format!("`columns`: {error}"))
}

/// Returns the error for an option that does not exist.
#[doc(hidden)]
pub fn unknown(name: &str, known: &[&str]) -> OptionError {
    let nearest = nearest_names(name, known.iter().copied());
    let suggestion =
        if nearest.is_empty() { String::new() } else { format!("; did you mean {}?", references(&nearest, " or ")) };
    OptionError::new(format!("there is no option '{name}'{suggestion}"))
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::JobOptions;
    use crate::encode::boards::{BoardOptions, Orientation};
    use crate::format::Format;
    use crate::jobs::games::{GameEdits, Split};
    use crate::jobs::options::error::OptionError;
    use crate::jobs::shuffle::ShuffleOptions;
    use pgn2fen_chess::fen::{FenStyle, Fields};
    use pgn2fen_games::database::Database;
    use pgn2fen_games::walk::parse_size;
    use pgn2fen_spec::{Dialect, Jobs};

    /// A value of each option.
    const VALUES: [(&str, &str); JobOptions::NAMES.len()] = [
        ("columns", "ply,fen"),
        ("per", "position"),
        ("batch_rows", "1000"),
        ("tags", "WhiteElo>=2200"),
        ("names", "../../fixtures/players/names.txt"),
        ("start", "standard"),
        ("opening", "B9"),
        ("reached", "1. e4 c5"),
        ("moves", "Bxh7+ Kxh7"),
        ("ends", "mate:N"),
        ("commented", "true"),
        ("length", "40.."),
        ("max_games", "5"),
        ("on_error", "drop"),
        ("plies", "8..20"),
        ("skip_start", "true"),
        ("skip_checks", "true"),
        ("skip_captures", "true"),
        ("every", "2"),
        ("sample", "0.5"),
        ("seed", "7"),
        ("unique", "true"),
        ("memory", "1G"),
        ("variations", "true"),
        ("turn", "w"),
        ("pieces", "3..5"),
        ("max_eval", "300"),
        ("eval", "-130..-70"),
        ("judgement", "blunder"),
        ("min_loss", "100"),
        ("material", "KRP:KR"),
        ("pattern", "8/8/8/8/8/8/PPP5/8"),
        ("pawns", "8/8/8/8/8/8/PPP5/8"),
        ("colors", "given"),
        ("mirror", "true"),
        ("for_plies", "3"),
        ("ep", "legal"),
        ("castling", "shredder"),
        ("fields", "4"),
        ("fen_style", "lichess"),
        ("lang", "de"),
        ("setup", "strict"),
        ("encoding", "latin1"),
        ("evals", "engine"),
        ("movetext", "moves"),
        ("verbose", "true"),
    ];

    fn options(values: &[(&str, &str)]) -> JobOptions {
        let mut options = JobOptions::new();
        values.iter().for_each(|(name, value)| options.set(name, value).unwrap());
        options
    }

    #[test]
    fn every_option_has_a_place_in_the_job() {
        assert_eq!(VALUES.map(|(name, _)| name), *JobOptions::NAMES);
        let rows = |options: &JobOptions| format!("{:?}", options.rows().unwrap());
        let (usual, with_shape) = (JobOptions::new(), options(&[("pattern", "8/8/8/8/8/8/PPP5/8")]));
        let all = options(&VALUES);
        assert!(rows(&all) != rows(&usual));
        for (name, value) in VALUES {
            let mut one =
                if ["colors", "mirror", "for_plies"].contains(&name) { with_shape.clone() } else { usual.clone() };
            match name {
                "memory" => one.set("unique", "true").unwrap(),
                "seed" => one.set("sample", "0.5").unwrap(),
                _ => {}
            }
            let before = rows(&one);
            one.set(name, value).unwrap();
            assert_eq!(rows(&one) != before, name != "per", "{name}");
        }
    }

    #[track_caller]
    fn check<T>(result: Result<T, OptionError>, expected: &str) {
        let text = result.err().map(|error| error.to_string()).unwrap_or_default();
        let text = Dialect::Python.spell(&text);
        assert!(text.starts_with(expected), "{text}");
    }

    #[test]
    fn a_wrong_value_is_told_with_its_option() {
        for (name, value, expected) in [
            ("names", "none.txt", "names: none.txt: "),
            ("tags", "WhiteElo=>2200", "tags: => is not an operator; did you mean >=?\n    WhiteElo=>2200\n"),
            ("plies", "x", "plies: "),
            ("plies", "5..3", "plies: "),
            ("pieces", "many", "pieces: "),
            ("sample", "2.0", "sample: a share is a number from 0 to 1, such as 0.01"),
            ("sample", "some", "sample: a share is a number from 0 to 1, such as 0.01"),
            ("every", "0", "every is 0, but must be 1 or more"),
            ("every", "often", "every is 'often', but must be a whole number"),
            ("for_plies", "0", "for_plies is 0, but must be 1 or more"),
            ("batch_rows", "0", "batch_rows is 0, but must be 1 or more"),
            ("max_games", "-1", "max_games is -1, which is out of range"),
            ("max_games", "", "max_games is empty, but must be a whole number"),
            ("seed", "99999999999999999999", "seed is 99999999999999999999, which is out of range"),
            ("turn", "x", "turn is 'x', but must be w or b"),
            ("start", "here", "start is 'here', but must be one of any, standard, nonstandard"),
            ("on_error", "cry", "on_error is 'cry', but must be one of keep, drop, stop, raise"),
            ("per", "ply", "per is 'ply', but must be one of position, game"),
            ("lang", "tlh", "lang is 'tlh', but must be one of en, de"),
            ("setup", "x", "setup is 'x', but must be one of auto, strict, ignore"),
            ("encoding", "klingon", "unknown encoding 'klingon'"),
            ("evals", "uci", "evals is 'uci', but must be one of auto, lichess, engine, tcec"),
            ("fields", "300", "fields is 300, but must be 4 or 6"),
            ("fen_style", "lila", "fen_style is 'lila', but must be one of usual, lichess"),
            ("ep", "never", "ep is 'never', but must be one of always, xfen, legal"),
            ("colors", "white", "colors is 'white', but must be one of either, given"),
            ("memory", "much", "memory: not a size; write 256M or 2G"),
            ("unique", "1", "unique is '1', but must be one of true, false"),
            ("reached", "1. e5", "reached: "),
            ("moves", "Bxh7+ Kx", "moves: "),
            ("ends", "mate:K", "ends: "),
            ("eval", "130..70", "eval: "),
            ("judgement", "bad", "judgement is 'bad', but must be one of "),
            ("opening", "Najdorff", "opening: no opening has this in its name; did you mean Najdorf"),
            ("material", "KX", "material: "),
            ("skip_start", "", "skip_start is '', but must be one of true, false"),
            ("plays", "8", "there is no option 'plays'; did you mean plies?"),
            ("colour", "w", "there is no option 'colour'; did you mean colors?"),
            ("xyzzy", "1", "there is no option 'xyzzy'"),
        ] {
            check(JobOptions::new().set(name, value), expected);
        }
        check(options(&[("columns", "feen")]).rows(), "columns: there is no column feen; did you mean fen?");
        check(options(&[("columns", "")]).rows(), "columns: no columns are given");
    }

    #[test]
    fn options_of_other_jobs_are_unknown() {
        for (name, value, jobs) in [("split", "a=1", Jobs::RECORDS), ("max_boards", "0", Jobs::BOARDS)] {
            check(JobOptions::new().set(name, value), &format!("there is no option '{name}'"));
            assert_eq!(JobOptions::new().with(jobs).set(name, value), Ok(()));
        }
    }

    #[test]
    fn options_that_do_not_go_together_are_refused() {
        let memory = options(&[("memory", "1G")]);
        check(memory.rows(), "memory limits unique, which is not chosen; add unique=True");
        let mirror = options(&[("mirror", "true"), ("material", "K:K")]);
        check(mirror.rows(), "mirror exchanges left and right, and needs pattern or pawns");
        check(options(&[("colors", "given")]).rows(), "colors needs material, pattern or pawns");
        check(options(&[("for_plies", "2")]).game_options(), "for_plies needs material, pattern or pawns");
        let per_game = "per='game' gives whole games and has no options for positions; leave out ";
        check(memory.game_rows(), &format!("{per_game}memory"));
        let several = options(&[("variations", "true"), ("material", "K:K"), ("plies", "3")]);
        check(several.game_rows(), &format!("{per_game}plies, material, variations"));
        check(several.refuse_all_but(&["plies", "material"]), "there is no option 'variations'");
        assert_eq!(several.refuse_all_but(&["plies", "material", "variations"]), Ok(()));
    }

    #[test]
    fn options_that_mean_nothing_to_a_format_are_refused() {
        let style = options(&[("fields", "4")]);
        let expected = "the format bulletformat has no FENs, whose style could be chosen; leave out fields";
        check(style.refuse_for(Format::Bulletformat), expected);
        let divided = options(&[("every", "2"), ("unique", "true"), ("plies", "3..")]);
        check(
            divided.refuse_for(Format::Viri),
            "the format viri stores games, which would be divided by every, unique; leave the choice of positions",
        );
        assert_eq!(divided.refuse_for(Format::Bulletformat), Ok(()));
        check(options(&[("per", "game")]).refuse_for(Format::Csv), "per='game': the format csv has no lists");
    }

    #[test]
    fn the_names_of_tags_are_needed_for_some_columns() {
        let mut patterns = options(&[("columns", "game,White*"), ("per", "game")]);
        assert_eq!(patterns.needs_tag_names(), Ok(true));
        check(patterns.columns(), "columns: the tags that White* stands for are not known here; name them");
        patterns.set_tag_names(["Event", "WhiteElo"].map(str::to_owned).to_vec());
        let columns = patterns.game_rows().unwrap().block_columns();
        assert_eq!(columns.iter().map(crate::Column::name).collect::<Vec<_>>(), ["game", "WhiteElo"]);
        assert_eq!(options(&[("columns", "next_*")]).needs_tag_names(), Ok(false));
        assert_eq!(JobOptions::new().columns(), Ok(None));
    }

    #[test]
    fn values_of_some_options_add_up_and_the_last_of_others_counts() {
        let games = || [Database::from(b"[White \"A\"] 1. e4 * [White \"B\"] 1. d4 *".to_vec())];
        let written = |values: &[(&str, &str)]| {
            let rows = options(&[&[("columns", "White,ply")], values].concat()).rows().unwrap();
            let (text, _) = rows.format(Format::Csv).write(games(), Vec::new()).unwrap();
            String::from_utf8(text).unwrap().lines().skip(1).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(written(&[("reached", "1. e4"), ("plies", "0")]), "A,0");
        assert_eq!(written(&[("reached", "1. e4"), ("reached", "1. d4"), ("plies", "0")]), "A,0 B,0");
        assert_eq!(written(&[("tags", "White=A"), ("tags", "White=B")]), "");
        assert_eq!(written(&[("plies", "0"), ("plies", "1")]), "A,1 B,1");
    }

    #[test]
    fn restrictions_are_the_options_that_leave_something_out() {
        let of_games = ["tags", "start", "opening", "commented", "reached", "moves", "ends", "length"];
        let restrictions = options(&VALUES).restrictions().unwrap();
        assert_eq!(restrictions.games, of_games);
        assert_eq!(restrictions.positions.len(), 15);
        let games = options(&VALUES).game_options().unwrap().games.chosen();
        assert_eq!(games, [&of_games[..], &["material", "pattern", "pawns"]].concat());
        assert!(options(&[("on_error", "raise")]).raises());
    }

    fn options_with(jobs: Jobs, values: &[(&str, &str)]) -> JobOptions {
        let mut options = JobOptions::new().with(jobs);
        values.iter().for_each(|(name, value)| options.set(name, value).unwrap());
        options
    }

    #[test]
    fn boards_have_options_where_they_are_drawn() {
        let values = [
            ("max_boards", "7"),
            ("orientation", "black"),
            ("comment_arrows", "false"),
            ("numbers", "true"),
            ("solutions", "true"),
            ("boards_per_row", "3"),
            ("boards_per_page", "12"),
        ];
        let title = || "Title".to_owned();
        let all = options_with(Jobs::BOARDS, &values);
        let expected = BoardOptions {
            max_boards: Some(7),
            orientation: Orientation::Black,
            comment_arrows: false,
            numbers: true,
            solutions: true,
            per_row: NonZeroU32::new(3),
            per_page: NonZeroU32::new(12),
            title: title(),
            ..BoardOptions::default()
        };
        assert_eq!(all.boards(("html", true), title()), Ok(expected));
        for (nth, (name, value)) in values.into_iter().enumerate() {
            let one = options_with(Jobs::BOARDS, &[(name, value)]);
            let no_boards = "has no effect on the format csv; only html, anki, svg and png draw boards";
            check(one.boards(("csv", false), title()), &format!("{name} {no_boards}"));
            let told = one.boards(("svg", true), title()).err().map(|error| error.to_string());
            let no_page = format!("`{name}` has no effect on the format svg; only html is a page of boards");
            assert_eq!(told, (nth > 2).then_some(no_page));
        }
        assert_eq!(JobOptions::new().boards(("csv", false), title()).map(|boards| boards.title), Ok(title()));
        // No limit is given as 0. A card shows the board of the side to move, unless another one is given.
        let orientation = |values: &[(&str, &str)], name| {
            options_with(Jobs::BOARDS, values).boards((name, true), title()).unwrap().orientation
        };
        assert_eq!(orientation(&[], "anki"), Orientation::Turn);
        assert_eq!(orientation(&[("max_boards", "9")], "anki"), Orientation::Turn);
        assert_eq!(orientation(&[("orientation", "white")], "anki"), Orientation::White);
        assert_eq!(orientation(&[], "html"), Orientation::White);
        let unlimited = options_with(Jobs::BOARDS, &[("max_boards", "0")]).boards(("html", true), title());
        assert_eq!(unlimited.unwrap().max_boards, None);
    }

    #[test]
    fn copies_have_changes() {
        let options = options_with(
            Jobs::COPIES,
            &[("set_tags", "A=b"), ("set_tags", "C=d"), ("remove_tags", "E*"), ("add_opening", "true")],
        );
        let mut expected = GameEdits {
            set_tags: vec!["A=b".parse().unwrap(), "C=d".parse().unwrap()],
            remove_tags: vec!["E*".parse().unwrap()],
            add_opening: true,
            ..GameEdits::default()
        };
        assert_eq!(*options.edits(), expected);
        expected = GameEdits { repair: true, ..GameEdits::default() };
        assert_eq!(*options_with(Jobs::COPIES, &[("repair", "true")]).edits(), expected);
        expected = GameEdits { rename: true, ..GameEdits::default() };
        assert_eq!(*options_with(Jobs::COPIES, &[("rename", "true")]).edits(), expected);
        assert!(JobOptions::new().edits().is_empty());
    }

    #[test]
    fn records_are_put_into_another_order_and_into_parts() {
        let records = |values: &[(&str, &str)]| options_with(Jobs::RECORDS, values);
        let shown = |options: &JobOptions, format| {
            let rows = options.rows().unwrap();
            options.ordered(rows, format, None).map(|rows| format!("{rows:?}"))
        };
        let (usual, shuffled) = (records(&[]), records(&[("shuffle", "true"), ("seed", "3"), ("memory", "1K")]));
        let rows = format!("{:?}", usual.rows().unwrap());
        assert_eq!(shown(&usual, Format::Html), Ok(rows));
        let memory = parse_size("1K").unwrap();
        let rows = shuffled.rows().unwrap().shuffle(ShuffleOptions { seed: 3, memory, folder: None });
        assert_eq!(shown(&shuffled, Format::Csv), Ok(format!("{rows:?}")));
        check(shown(&shuffled, Format::Html), "the format html cannot be shuffled or split");
        // The memory is that of the shuffle, unless positions are unique.
        check(records(&[("shuffle", "false"), ("memory", "1K")]).rows(), "memory limits unique, which is not chosen");
        assert_eq!(usual.shares(), Ok(None));
        let shares = records(&[("split", "a=0.5,b=0.5"), ("seed", "9")]).shares().unwrap().unwrap();
        assert!(
            matches!("a=0.5,b=0.5".parse(), Ok(Split::Shares(same)) if same.clone().seed(9) == shares && same != shares)
        );
        check(records(&[("split", "100")]).shares(), "split takes shares of the games, such as train=0.95,valid=0.05");
        assert_eq!(usual.refuse_records("a stream"), Ok(()));
        check(shuffled.refuse_records("a stream"), "shuffle does not go with a stream");
        check(records(&[("split", "100")]).refuse_records("a stream"), "split does not go with a stream");
    }

    #[test]
    fn options_are_those_that_were_given() {
        let usual = JobOptions::new();
        assert!(!usual.raises() && !usual.is_per_game() && usual.style() == FenStyle::default());
        assert!(!options(&[("on_error", "stop")]).raises());
        assert!(options(&[("per", "game")]).is_per_game());
        assert_eq!(options(&[("fields", "4")]).style().fields, Fields::Four);
        let may_use = |values: &[(&str, &str)]| options(values).may_use_tag_names().unwrap();
        assert_eq!([&[][..], &[("columns", "id")], &[("columns", "ply")]].map(may_use), [false, true, false]);
        // An option that was given twice is named once.
        let twice = options(&[("plies", "1"), ("every", "2"), ("plies", "2")]);
        assert_eq!(twice.given, ["plies", "every"]);
        let error = OptionError::of_value("`x`: wrong".to_owned(), "wrong".to_owned());
        assert_eq!((error.to_string(), error.reason()), ("`x`: wrong".to_owned(), "wrong"));
        assert_eq!(OptionError::new("no").reason(), "no");
        check(options(&[("every", "2")]).refuse_for(Format::Viri), "the format viri stores games");
        assert_eq!(options(&[("fields", "4")]).refuse_for(Format::Fen), Ok(()));
        assert_eq!(options(&[("per", "game")]).refuse_for(Format::Jsonl), Ok(()));
        assert_eq!(usual.refuse_for(Format::Viri), Ok(()));
    }
}
