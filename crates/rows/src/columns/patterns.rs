//! Lists of columns in which names may have wildcards.

use std::str::FromStr;

use crate::columns::Columns;
use crate::columns::column::error::ColumnError;
use crate::columns::column::{Column, OF_GAMES, OF_POSITIONS, OF_STARTS};

/// A list of columns in which names may have wildcards, such as `game,fen,White*`. `*` stands for any text, and `?` for
/// one character.
///
/// The name `*` stands for all columns that are not those of single tags. Any other pattern stands for the columns and
/// the tags whose names it matches.
///
/// ```
/// use pgn2fen_rows::ColumnPatterns;
///
/// let patterns: ColumnPatterns = "ply,next_*,White*".parse()?;
/// assert!(patterns.needs_tags());
/// let columns = patterns.columns(&["Event", "White", "Black", "WhiteElo"])?;
/// let names: Vec<&str> = columns.iter().map(|column| column.name()).collect();
/// assert_eq!(names, ["ply", "next_san", "next_uci", "White", "WhiteElo"]);
/// # Ok::<(), pgn2fen_rows::ColumnError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnPatterns {
    names: Vec<Name>,
    known: &'static [Column],
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Name {
    Column(Column),
    /// A name with wildcards.
    Pattern(Box<str>),
}

impl ColumnPatterns {
    /// Parses the columns of rows of starting positions: names with commas or white space between them.
    ///
    /// # Errors
    ///
    /// A name without wildcards is not that of a column, or the list is empty.
    pub fn of_starts(list: &str) -> Result<Self, ColumnError> {
        Self::parse(list, &OF_STARTS)
    }

    /// Parses the columns of rows of whole games: names with commas or white space between them.
    ///
    /// # Errors
    ///
    /// A name without wildcards is not that of a column, or the list is empty.
    pub fn of_games(list: &str) -> Result<Self, ColumnError> {
        Self::parse(list, &OF_GAMES)
    }

    fn parse(list: &str, known: &'static [Column]) -> Result<Self, ColumnError> {
        let read = |name: &str| {
            let is_pattern = name.contains(['*', '?']);
            if is_pattern { Ok(Name::Pattern(name.into())) } else { Column::named(name, known).map(Name::Column) }
        };
        let names = list.split(|char: char| char == ',' || char.is_whitespace()).filter(|name| !name.is_empty());
        let names: Vec<Name> = names.map(read).collect::<Result<_, _>>()?;
        if names.is_empty() { Err(ColumnError::Empty) } else { Ok(Self { names, known }) }
    }

    /// Whether the columns depend on which tags the games have.
    pub fn needs_tags(&self) -> bool {
        self.tag_patterns().next().is_some()
    }

    /// Whether the columns are others if the tags are those of a list of positions, whose EPD operations are tags: then
    /// any pattern may match them, and the name `id` stands for the operation `id`, if there is one. If the tags cannot
    /// be known, `id` is the number of the game.
    pub fn may_use_tags(&self) -> bool {
        let may_use = |name: &Name| match name {
            Name::Pattern(pattern) => &**pattern != "*",
            Name::Column(column) => *column == Column::Id,
        };
        self.names.iter().any(may_use)
    }

    /// Returns the patterns that may match the name of a tag.
    fn tag_patterns(&self) -> impl Iterator<Item = &str> {
        self.names.iter().filter_map(|name| match name {
            Name::Pattern(pattern) if self.may_match_tags(pattern) => Some(&**pattern),
            _ => None,
        })
    }

    /// Whether a pattern may match the name of a tag: it does not begin with a small letter, or matches no column.
    fn may_match_tags(&self, pattern: &str) -> bool {
        let is_of_tags = |first: char| first.is_ascii_uppercase() || matches!(first, '*' | '?');
        let is_of_columns = || self.known.iter().any(|column| matches(pattern, column.name()));
        pattern != "*" && (pattern.starts_with(is_of_tags) || !is_of_columns())
    }

    /// Returns the columns, if the games have tags with these names, in the order in which they were first seen. A tag
    /// with the name of a column is left out where a pattern matches it.
    ///
    /// # Errors
    ///
    /// A pattern matches no column and no tag.
    pub fn columns(&self, tags: &[impl AsRef<str>]) -> Result<Columns, ColumnError> {
        let mut columns = Vec::new();
        for name in &self.names {
            match name {
                Name::Column(Column::Id) if has_epd_id(tags) => columns.push(Column::Tag(Column::Id.name().into())),
                Name::Column(column) => columns.push(column.clone()),
                Name::Pattern(pattern) => {
                    let before = columns.len();
                    columns.extend(self.known.iter().filter(|column| matches(pattern, column.name())).cloned());
                    if self.may_match_tags(pattern) || is_list(tags) && &**pattern != "*" {
                        let tags = tags.iter().map(AsRef::as_ref);
                        let is_tag = |tag: &&str| self.known.iter().all(|column| column.name() != *tag);
                        let found = tags.filter(is_tag).filter(|tag| matches(pattern, tag));
                        columns.extend(found.map(|tag| Column::Tag(tag.into())));
                    }
                    if columns.len() == before {
                        return Err(ColumnError::NoMatch { pattern: pattern.to_string() });
                    }
                }
            }
        }
        Ok(Columns::new(columns))
    }

    /// Returns the columns if they do not depend on tags.
    pub(crate) fn without_tags(&self) -> Result<Columns, ColumnError> {
        match self.tag_patterns().next() {
            Some(pattern) => Err(ColumnError::NeedsTags { pattern: pattern.to_owned() }),
            None => self.columns(&[""; 0]),
        }
    }
}

impl FromStr for ColumnPatterns {
    type Err = ColumnError;

    /// Parses the columns of rows of positions: names with commas or white space between them.
    fn from_str(list: &str) -> Result<Self, ColumnError> {
        Self::parse(list, &OF_POSITIONS)
    }
}

impl Columns {
    /// Parses the columns of rows of starting positions: names with commas or white space between them. `*` stands for
    /// all columns, and other [patterns](ColumnPatterns) for some of them.
    ///
    /// # Errors
    ///
    /// A name is not that of a column, a pattern may stand for tags, or the list is empty.
    pub fn of_starts(list: &str) -> Result<Self, ColumnError> {
        ColumnPatterns::of_starts(list)?.without_tags()
    }

    /// Parses the columns of rows of whole games: names with commas or white space between them. `*` stands for all
    /// columns, and other [patterns](ColumnPatterns) for some of them.
    ///
    /// # Errors
    ///
    /// A name is not that of a column, a pattern may stand for tags, or the list is empty.
    pub fn of_games(list: &str) -> Result<Self, ColumnError> {
        ColumnPatterns::of_games(list)?.without_tags()
    }
}

impl FromStr for Columns {
    type Err = ColumnError;

    /// Parses the columns of rows of positions: names with commas or white space between them. `*` stands for all
    /// columns, and other [patterns](ColumnPatterns) for some of them.
    fn from_str(list: &str) -> Result<Self, ColumnError> {
        list.parse::<ColumnPatterns>()?.without_tags()
    }
}

/// Whether the tags are those of a list of positions, where FEN is the first.
fn is_list(tags: &[impl AsRef<str>]) -> bool {
    tags.first().is_some_and(|tag| tag.as_ref() == "FEN")
}

/// Whether the tags are those of a list of positions with the EPD operation `id`.
fn has_epd_id(tags: &[impl AsRef<str>]) -> bool {
    is_list(tags) && tags.iter().any(|tag| tag.as_ref() == Column::Id.name())
}

/// Whether a name matches a pattern. Takes at most the product of their lengths in steps.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.as_bytes(), name.as_bytes());
    let (mut at, mut of_name) = (0, 0);
    // The last `*`, and the place in the name up to which it reaches.
    let mut star = None;
    while of_name < name.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, of_name));
                at += 1;
            }
            Some(byte) if *byte == b'?' || *byte == name[of_name] => {
                at += 1;
                of_name += 1;
            }
            _ => {
                let Some((place, reached)) = star else {
                    return false;
                };
                // The star reaches further.
                (at, of_name) = (place, reached + 1);
            }
        }
    }
    pattern[at..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::{ColumnPatterns, matches};
    use crate::columns::Columns;
    use crate::columns::column::{Column, OF_POSITIONS, OF_STARTS};

    const TAGS: [&str; 6] = ["Event", "White", "Black", "WhiteElo", "BlackElo", "odd"];

    #[track_caller]
    fn check(list: &str, expected: &str) {
        let columns = list.parse::<ColumnPatterns>().and_then(|patterns| patterns.columns(&TAGS));
        let came = match columns {
            Ok(columns) => columns.iter().map(Column::name).collect::<Vec<_>>().join(" "),
            Err(error) => error.to_string(),
        };
        assert_eq!(came, expected, "{list}");
    }

    #[test]
    fn patterns_stand_for_columns_and_tags() {
        check("ply,White*,ply", "ply White WhiteElo");
        check("*Elo", "WhiteElo BlackElo");
        check("*Elo,WhiteElo,Black*", "WhiteElo BlackElo Black");
        check("next_*,?ly,*al", "next_san next_uci ply material eval");
        check("W*t?", "White");
        check("fen,X*", "no column and no tag matches X*");
        check("x*", "no column and no tag matches x*");
        check("o?d*,?ly,o*d?", "odd ply");
        check("*d?e", "no column and no tag matches *d?e");
    }

    #[test]
    fn epd_operations_are_columns() {
        let columns = |list: &str, tags: &[&str]| {
            let columns = list.parse::<ColumnPatterns>().and_then(|patterns| patterns.columns(tags));
            columns.unwrap().iter().cloned().collect::<Vec<_>>()
        };
        let tag = |name: &str| Column::Tag(name.into());
        assert_eq!(columns("fen,bm,c0,D1", &[]), [Column::Fen, tag("bm"), tag("c0"), tag("D1")]);
        let epd = ["FEN", "bm", "id", "avd", "ply"];
        assert_eq!(columns("id,bm,avd*,?ly", &epd), [tag("id"), tag("bm"), tag("avd"), Column::Ply]);
        assert_eq!(columns("b*,ne*", &epd), [tag("bm"), Column::NextSan, Column::NextUci]);
        // In games, the tag `id` of somebody does not hide the number of the game.
        assert_eq!(columns("id", &["Event", "FEN", "id"]), [Column::Id]);
        assert!("id".parse::<ColumnPatterns>().unwrap().may_use_tags());
        assert!("game,ne*".parse::<ColumnPatterns>().is_ok_and(|read| read.may_use_tags() && !read.needs_tags()));
        assert!(!"game,*".parse::<ColumnPatterns>().unwrap().may_use_tags());
    }

    #[test]
    fn a_star_is_all_columns_but_those_of_single_tags() {
        let all: Columns = "*".parse().unwrap();
        assert!(all.iter().all(|column| !matches!(column, Column::Tag(_) | Column::TagText(_))));
        assert_eq!(all.iter().count(), OF_POSITIONS.len());
        let of_starts = Columns::of_starts("Date,*").unwrap();
        assert_eq!(of_starts.iter().count(), 1 + OF_STARTS.len());
        assert_eq!(
            "W*".parse::<Columns>().unwrap_err().to_string(),
            "the tags that W* stands for are not known here; name them"
        );
    }

    #[test]
    fn wildcards_match_as_in_a_shell() {
        for (pattern, name, is_match) in [
            ("a*b*c", "axxbyyc", true),
            ("a*b*c", "abbc", true),
            ("a*b*c", "acb", false),
            ("*", "", true),
            ("?", "", false),
            ("**a", "a", true),
            ("a?", "a", false),
            ("*aab", "aaaab", true),
        ] {
            assert_eq!(matches(pattern, name), is_match, "{pattern} {name}");
        }
    }

    #[test]
    fn patterns_of_games_and_of_lists_stand_for_their_columns() {
        let names = |columns: Columns| columns.iter().map(Column::name).collect::<Vec<_>>().join(" ");
        assert_eq!(names(Columns::of_games("m*,ev*,White").unwrap()), "moves evals White");
        let of_list = |list: &str, tags: &[&str]| names(list.parse::<ColumnPatterns>().unwrap().columns(tags).unwrap());
        // In a list, all patterns but that of all columns may be operations.
        assert_eq!(of_list("fe*,c?", &["FEN", "fei", "c0"]), "fen fei c0");
        assert_eq!(of_list("*", &["FEN", "c0"]), names("*".parse().unwrap()));
        // A tag is an operation only in a list that has it.
        let columns = |tags: &[&str]| "id".parse::<ColumnPatterns>().unwrap().columns(tags).unwrap();
        assert_eq!(columns(&["FEN", "bm"]).iter().cloned().collect::<Vec<_>>(), [Column::Id]);
        assert_eq!(columns(&["FEN", "id"]).iter().cloned().collect::<Vec<_>>(), [Column::Tag("id".into())]);
    }

    #[test]
    fn a_pattern_that_may_begin_with_a_capital_needs_the_tags_of_games() {
        for (list, needs_tags) in [
            ("*al", true),
            ("?ly", true),
            ("W*", true),
            ("zz*", true),
            ("ne*", false),
            ("*", false),
            ("ply,White", false),
        ] {
            assert_eq!(list.parse::<ColumnPatterns>().unwrap().needs_tags(), needs_tags, "{list}");
        }
    }
}
