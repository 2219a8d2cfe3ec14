//! Filters on tags that an index does not contain.

use std::fmt::{self, Display, Formatter};

use crate::games_table::GameColumn;
use crate::postings::TAGS;
use pgn2fen_games::selection::{TagCondition, TagFilter, nearest_names};

/// The error for a filter on a tag that an index does not contain. It names the tags that it contains, and the nearest
/// of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownTag {
    name: String,
}

impl UnknownTag {
    /// Returns the name of the tag, as the filter has it.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Display for UnknownTag {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { name } = self;
        let nearest = nearest_names(name, TAGS).join(" or ");
        let meant = if nearest.is_empty() { String::new() } else { format!("; did you mean {nearest}?") };
        write!(f, "an index does not contain the tag {name}{meant} (it contains {})", TAGS.join(", "))
    }
}

impl std::error::Error for UnknownTag {}

/// Returns the columns of an index for the tags of these filters: for each filter, those of its conditions. This can be
/// known before an index is open.
///
/// # Errors
///
/// Fails for the first filter on a tag that an index does not contain.
pub fn check_tags(filters: &[TagFilter]) -> Result<Vec<Vec<GameColumn>>, UnknownTag> {
    let column = |condition: &TagCondition| {
        GameColumn::of_tag(condition.name()).ok_or_else(|| UnknownTag { name: condition.name().to_owned() })
    };
    filters.iter().map(|filter| filter.conditions().iter().map(column).collect()).collect()
}
