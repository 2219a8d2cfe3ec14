//! The names of the players of some games, to be searched by a part.

use memchr::memmem;

use pgn2fen_index::Catalogue;

/// The names of players, and their text for the search.
#[derive(Debug)]
pub(super) struct Names {
    names: Catalogue,
    /// The names in lower case, in the same order, each between two of [`BORDER`].
    lower: String,
    /// The place in `lower` where each name begins.
    starts: Vec<usize>,
}

/// No name contains it.
const BORDER: char = '\0';

impl Names {
    pub(super) fn new(names: Catalogue) -> Self {
        let (mut lower, mut starts) = (String::from(BORDER), Vec::with_capacity(names.len()));
        for (name, _) in names.iter() {
            starts.push(lower.len());
            lower.extend(name.chars().filter(|char| *char != BORDER).flat_map(char::to_lowercase));
            lower.push(BORDER);
        }
        Self { names, lower, starts }
    }

    /// Returns the names that contain a text, ignoring case, those with the most games first.
    pub(super) fn with(&self, part: &str) -> impl Iterator<Item = (&str, u64)> {
        let part = part.to_lowercase();
        let mut all = self.names.iter().enumerate();
        // Behind the first border.
        let mut from = BORDER.len_utf8();
        std::iter::from_fn(move || {
            if part.contains(BORDER) {
                return None;
            }
            let found = from + memmem::find(self.lower.as_bytes().get(from..)?, part.as_bytes())?;
            let next = self.starts.partition_point(|start| *start <= found);
            from = self.starts.get(next).copied().unwrap_or(self.lower.len());
            let at = next.checked_sub(1)?;
            all.find(|(nth, _)| *nth == at).map(|(_, name)| name)
        })
    }

    /// Whether a name is this one, ignoring case.
    pub(super) fn has(&self, name: &str) -> bool {
        let between = format!("{BORDER}{}{BORDER}", name.to_lowercase());
        !name.is_empty() && !name.contains(BORDER) && memmem::find(self.lower.as_bytes(), between.as_bytes()).is_some()
    }

    pub(super) fn catalogue(&self) -> &Catalogue {
        &self.names
    }
}

#[cfg(test)]
mod tests {
    use super::Names;
    use pgn2fen_index::Catalogue;

    #[track_caller]
    fn check(part: &str, expected: &[&str], is_name: bool) {
        let names = ["Tal, M", "Ångström", "ITAL", "Ta\0l"].iter().zip([9, 5, 3, 1]);
        let names = Names::new(names.map(|(name, games)| ((*name).to_owned(), games)).collect::<Catalogue>());
        assert_eq!(names.with(part).map(|(name, _)| name).collect::<Vec<_>>(), expected, "{part}");
        assert_eq!(names.has(part), is_name, "{part}");
    }

    #[test]
    fn names_are_found_by_a_part_in_any_case() {
        check("tal", &["Tal, M", "ITAL", "Ta\0l"], true);
        check("TAL, m", &["Tal, M"], true);
        check("l", &["Tal, M", "ITAL", "Ta\0l"], false);
        check("å", &["Ångström"], false);
        check("ÅNGSTRÖM", &["Ångström"], true);
        check("m\0å", &[], false);
        check("tal, m\0", &[], false);
        check("x", &[], false);
        check("", &["Tal, M", "Ångström", "ITAL", "Ta\0l"], false);
    }

    #[test]
    fn without_games_there_is_no_name() {
        let names = Names::new(Catalogue::default());
        assert!(names.with("").next().is_none() && !names.has("") && !names.has("tal"));
    }
}
