//! Filters on tags that an index does not keep.

use std::fmt::{self, Display, Formatter};

use crate::games_table::GameColumn;
use crate::lookup::Index;
use pgn2fen_games::selection::{TagCondition, TagFilter, nearest_names};

/// The error for a filter on a tag that an index does not keep. It names the tags that it keeps, and the nearest of
/// them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownTag {
    name: String,
    kept: Vec<Box<str>>,
}

impl UnknownTag {
    /// Returns the name of the tag, as the filter has it.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Display for UnknownTag {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { name, kept } = self;
        let nearest = nearest_names(name, kept.iter().map(|name| &**name)).join(" or ");
        let meant = if nearest.is_empty() { String::new() } else { format!("; did you mean {nearest}?") };
        let kept = kept.join(", ");
        write!(
            f,
            "the index does not keep the tag {name}{meant} (it keeps {kept}; an index with further tags, such as \
             {name}, is built by pgn2fen index --tags)"
        )
    }
}

impl std::error::Error for UnknownTag {}

impl Index {
    /// Returns the columns for the tags of these filters: for each filter, those of its conditions.
    ///
    /// # Errors
    ///
    /// Fails for the first filter on a tag that the index does not keep.
    pub fn columns_of_filters(&self, filters: &[TagFilter]) -> Result<Vec<Vec<GameColumn>>, UnknownTag> {
        let column = |condition: &TagCondition| {
            let name = condition.name();
            let unknown = || UnknownTag { name: name.to_owned(), kept: self.tags().to_vec() };
            self.column_of_tag(name).ok_or_else(unknown)
        };
        filters.iter().map(|filter| filter.conditions().iter().map(column).collect()).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::{Desk, FIRST};
    use pgn2fen_games::selection::TagFilter;

    #[test]
    fn a_tag_that_is_not_kept_is_named_with_the_nearest_of_those_that_are() {
        let desk = Desk::of(&[("first.pgn", FIRST)]);
        let filters = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect::<Vec<TagFilter>>();
        let columns = desk.index.columns_of_filters(&filters(&["White=A", "BlackElo>2000"])).unwrap();
        assert_eq!(columns, [[crate::GameColumn::White], [crate::GameColumn::BlackEloText]]);
        let unknown = desk.index.columns_of_filters(&filters(&["White=A", "Wite=A"])).unwrap_err();
        assert_eq!(unknown.name(), "Wite");
        let text = unknown.to_string();
        let begin = "the index does not keep the tag Wite; did you mean Site or White? (it keeps Event, Site, Date, ";
        assert!(text.starts_with(begin), "{text}");
        let end = "; an index with further tags, such as Wite, is built by pgn2fen index --tags)";
        assert!(text.ends_with(end), "{text}");
        let far = desk.index.columns_of_filters(&filters(&["Annotator=A"])).unwrap_err().to_string();
        assert!(far.starts_with("the index does not keep the tag Annotator (it keeps "), "{far}");
    }
}
