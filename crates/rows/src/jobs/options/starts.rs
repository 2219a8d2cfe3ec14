//! The options of a list of starting positions.

use crate::columns::Columns;
use crate::columns::patterns::ColumnPatterns;
use crate::jobs::options::error::OptionError;
use crate::jobs::options::job::{JobOptions, of_columns, unknown};
use crate::jobs::options::words::is_on;
use crate::jobs::starts::{Kind, Sameness, Starts};
use pgn2fen_games::messages::Restrictions;
use pgn2fen_games::walk::ReadOptions;
use pgn2fen_spec::Jobs;

/// The options of a list of starting positions, set by their names. They are those of [`JobOptions`] for reading games,
/// for the shape of a position and for FENs, and these:
///
/// | option | value |
/// |---|---|
/// | `columns` | names with commas, such as `count,kind,fen`; with wildcards, such as `White*` |
/// | `kind` + | `chess960`, `dfrc`, `odds`, `position`, `invalid`; all but `invalid` if it is not given |
/// | `all` | on or off: whether every game is listed |
/// | `exact` | on or off: whether all six fields of the FENs of equal positions must be equal |
///
/// ```
/// use pgn2fen_games::Database;
/// use pgn2fen_rows::Format;
/// use pgn2fen_rows::options::StartsOptions;
///
/// let mut options = StartsOptions::new();
/// options.set("columns", "kind,White")?;
/// let games = b"[White \"A\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n".to_vec();
/// let (csv, _) = options.starts()?.format(Format::Csv).write([Database::from(games)], Vec::new())?;
/// assert_eq!(csv, b"kind,White\nposition,A\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct StartsOptions {
    job: JobOptions,
    columns: Option<String>,
    tag_names: Option<Vec<String>>,
    kinds: Vec<Kind>,
    all: bool,
    exact: bool,
}

impl StartsOptions {
    /// The names of all options: those of starting positions in the [list](pgn2fen_spec::OPTIONS).
    pub const NAMES: &'static [&'static str] = &pgn2fen_spec::names!(Jobs::STARTS);

    /// Creates the options of a list of all starting positions.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets an option, or adds a value to one that may have several.
    ///
    /// # Errors
    ///
    /// There is no such option, or the value is wrong. Nothing is changed then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        match name {
            "columns" => self.columns = Some(value.to_owned()),
            "kind" => {
                let kind = value.parse().map_err(|error| OptionError::new(format!("`kind`: {value} is {error}")))?;
                self.kinds.push(kind);
            }
            "all" => self.all = is_on(name, value)?,
            "exact" => self.exact = is_on(name, value)?,
            _ if Self::NAMES.contains(&name) => self.job.set(name, value)?,
            _ => return Err(unknown(name, Self::NAMES)),
        }
        Ok(())
    }

    /// Returns the options for reading games.
    pub fn read_options(&self) -> ReadOptions {
        self.job.read_options()
    }

    /// Returns the names of the options that leave out games.
    pub fn restrictions(&self) -> Restrictions {
        Restrictions { games: self.job.read_options().games.chosen(), positions: Vec::new() }
    }

    /// Whether an error in a game ends the job with an error of the caller: see [`JobOptions::raises`].
    pub fn raises(&self) -> bool {
        self.job.raises()
    }

    /// Whether [`set_tag_names`](Self::set_tag_names) must be called before the columns are known: see
    /// [`JobOptions::needs_tag_names`].
    ///
    /// # Errors
    ///
    /// The columns are wrong.
    pub fn needs_tag_names(&self) -> Result<bool, OptionError> {
        Ok(self.patterns()?.is_some_and(|patterns| patterns.needs_tags()))
    }

    /// Whether the columns are others if [`set_tag_names`](Self::set_tag_names) is called with the tags of a list of
    /// positions: see [`ColumnPatterns::may_use_tags`].
    ///
    /// # Errors
    ///
    /// The columns are wrong.
    pub fn may_use_tag_names(&self) -> Result<bool, OptionError> {
        Ok(self.patterns()?.is_some_and(|patterns| patterns.may_use_tags()))
    }

    /// Sets the names of the tags that the games have, for columns with wildcards.
    pub fn set_tag_names(&mut self, names: Vec<String>) {
        self.tag_names = Some(names);
    }

    fn patterns(&self) -> Result<Option<ColumnPatterns>, OptionError> {
        self.columns.as_deref().map(ColumnPatterns::of_starts).transpose().map_err(of_columns)
    }

    /// Returns the columns, which are the [usual ones](Columns::starts) if none were chosen.
    ///
    /// # Errors
    ///
    /// The columns are wrong, or the names of tags that a pattern stands for are not known.
    pub fn columns(&self) -> Result<Columns, OptionError> {
        let of_patterns = |patterns: ColumnPatterns| match &self.tag_names {
            Some(names) => patterns.columns(names),
            None => patterns.without_tags(),
        };
        self.patterns()?.map_or_else(|| Ok(Columns::starts()), of_patterns).map_err(of_columns)
    }

    /// Returns the builder for the list.
    ///
    /// # Errors
    ///
    /// The columns are wrong, or options do not go together.
    pub fn starts(&self) -> Result<Starts, OptionError> {
        self.starts_with(self.columns()?)
    }

    /// Returns the builder for the list with other columns.
    ///
    /// # Errors
    ///
    /// Options do not go together.
    pub fn starts_with(&self, columns: Columns) -> Result<Starts, OptionError> {
        self.chosen_in(Starts::columns(columns))
    }

    /// Whether games whose starting position cannot be read are listed, which have no FEN.
    pub fn has_invalid(&self) -> bool {
        self.kinds.contains(&Kind::Invalid)
    }

    /// Returns a builder that lists what these options choose.
    ///
    /// # Errors
    ///
    /// Options do not go together.
    pub fn chosen_in(&self, starts: Starts) -> Result<Starts, OptionError> {
        let (read, shape) = (self.read_options(), self.job.shape()?);
        if self.has_invalid() {
            if !read.games.openings.is_empty() {
                let text = "a game with an invalid start has no opening; leave out `opening` or the kind invalid";
                return Err(OptionError::new(text));
            }
            if !read.games.course.is_empty() || !shape.is_empty() {
                return Err(OptionError::new(
                    "a game with an invalid start has no positions; leave out `reached`, `moves`, `ends`, \
                     `length`, `material`, `pattern` and `pawns`, or the kind invalid",
                ));
            }
        }
        let sameness = match (self.all, self.exact) {
            (true, true) => {
                let text = "`all` lists every game, and `exact` compares their positions; leave one of them out";
                return Err(OptionError::new(text));
            }
            (true, false) => Sameness::None,
            (false, true) => Sameness::Exact,
            (false, false) => Sameness::Position,
        };
        let kinds = if self.kinds.is_empty() { Kind::VALID.to_vec() } else { self.kinds.clone() };
        let starts = starts.kinds(kinds).start_shape(shape).sameness(sameness);
        Ok(starts.style(self.job.style()).read_options(read))
    }
}

#[cfg(test)]
mod tests {
    use super::StartsOptions;
    use pgn2fen_games::Database;
    use pgn2fen_spec::Dialect;

    fn options(values: &[(&str, &str)]) -> StartsOptions {
        let mut options = StartsOptions::new();
        values.iter().for_each(|(name, value)| options.set(name, value).unwrap());
        options
    }

    #[track_caller]
    fn check(values: &[(&str, &str)], expected: &str) {
        let error = options(values).starts().unwrap_err().to_string();
        assert_eq!(Dialect::Python.spell(&error), expected);
    }

    #[test]
    fn each_option_is_known() {
        for name in StartsOptions::NAMES {
            let error = StartsOptions::new().set(name, "\0").err().map(|error| error.to_string()).unwrap_or_default();
            assert!(!error.starts_with("there is no option"), "{name}");
        }
        let error = StartsOptions::new().set("exakt", "true").unwrap_err();
        assert_eq!(error.to_string(), "there is no option 'exakt'; did you mean `exact`?");
        assert!(StartsOptions::new().set("plies", "1").is_err());
    }

    #[test]
    fn options_that_do_not_go_together_are_refused() {
        check(
            &[("all", "true"), ("exact", "true")],
            "all lists every game, and exact compares their positions; leave one of them out",
        );
        check(
            &[("kind", "invalid"), ("opening", "B9")],
            "a game with an invalid start has no opening; leave out opening or the kind invalid",
        );
        check(
            &[("kind", "invalid"), ("length", "4..")],
            "a game with an invalid start has no positions; leave out reached, moves, ends, length, material, pattern \
             and pawns, or the kind invalid",
        );
        assert_eq!(
            options(&[("kind", "invalid"), ("material", "K:K")]).starts().unwrap_err(),
            options(&[("kind", "invalid"), ("length", "4..")]).starts().unwrap_err()
        );
        check(&[("columns", "kind,White*")], "columns: the tags that White* stands for are not known here; name them");
    }

    #[test]
    fn equal_starts_are_listed_once_or_each() {
        let games = || [Database::from(b"[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"] *\n".repeat(3))];
        let rows = |values: &[_]| {
            let (text, _) = options(values).starts().unwrap().write(games(), Vec::new()).unwrap();
            text.iter().filter(|byte| **byte == b'\n').count() - 1
        };
        assert_eq!(rows(&[("columns", "kind")]), 1);
        assert_eq!(rows(&[("columns", "kind"), ("all", "true")]), 3);
        assert_eq!(rows(&[("columns", "kind"), ("kind", "chess960")]), 0);
    }

    #[test]
    fn options_are_those_that_were_given() {
        let usual = StartsOptions::new();
        assert!(!usual.raises() && !usual.has_invalid() && usual.restrictions().games.is_empty());
        assert!(options(&[("kind", "invalid")]).has_invalid() && !options(&[("kind", "odds")]).has_invalid());
        assert_eq!(options(&[("tags", "White=A"), ("max_games", "3")]).read_options().max_games, Some(3));
        assert_eq!(options(&[("tags", "White=A")]).restrictions().games, ["tags"]);
        let columns = |options: &StartsOptions| {
            options.columns().unwrap().iter().map(crate::Column::name).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(columns(&usual), "count kind sp fen file line offset game odds");
        let mut patterns = options(&[("columns", "kind,White*")]);
        assert_eq!((patterns.needs_tag_names(), patterns.may_use_tag_names()), (Ok(true), Ok(true)));
        patterns.set_tag_names(["Event", "White", "WhiteElo"].map(str::to_owned).to_vec());
        assert_eq!(columns(&patterns), "kind White WhiteElo");
        for (list, may_use) in [("id", true), ("kind", false)] {
            let options = options(&[("columns", list)]);
            assert_eq!((options.needs_tag_names(), options.may_use_tag_names()), (Ok(false), Ok(may_use)));
        }
        assert_eq!((usual.needs_tag_names(), usual.may_use_tag_names()), (Ok(false), Ok(false)));
        check(&[("mirror", "true")], "mirror exchanges left and right, and needs pattern or pawns");
        let error = StartsOptions::new().set("kind", "x").unwrap_err().to_string();
        assert!(error.starts_with("`kind`: x is not a kind of starting position; the kinds are chess960,"), "{error}");
    }

    #[test]
    fn exact_starts_differ_in_their_counters() {
        let text = b"[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"] *\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 2\"] *\n";
        let lines = |values: &[_]| {
            let starts = options(values).chosen_in(crate::starts::Starts::lines()).unwrap();
            let (text, _) = starts.write([Database::from(text.to_vec())], Vec::new()).unwrap();
            String::from_utf8(text).unwrap()
        };
        assert_eq!(lines(&[]), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n");
        assert_eq!(lines(&[("exact", "true")]), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 2\n");
        assert_eq!(lines(&[("fields", "4")]), "4k3/8/8/8/8/8/4P3/4K3 w - -\n");
        assert_eq!(lines(&[("kind", "odds")]), "");
        assert_eq!(lines(&[("material", "K:K")]), "");
    }
}
