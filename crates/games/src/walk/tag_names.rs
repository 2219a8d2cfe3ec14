//! Finds tags that filters or columns name and that no game has. Such a name is often misspelled.

use std::collections::HashSet;

use pgn2fen_filters::{TagFilter, nearest_names, tag_value};
use pgn2fen_pgn::tags::Tags;

/// The tags that filters and columns name.
#[derive(Clone, Debug, Default)]
pub(super) struct AskedTags(Vec<Asked>);

#[derive(Clone, Debug)]
struct Asked {
    name: Box<str>,
    /// Whether a filter asks for the tag, so that a tag with a similar name may be compared instead.
    in_filter: bool,
}

/// The names of the tags that were seen. They are stored until all tags that are asked for have been found.
#[derive(Debug, Default)]
pub(super) struct TagNames {
    /// The numbers of the tags that are asked for and were found, in the order in which they were found.
    found: Vec<usize>,
    /// The names of other tags, in the order in which they were seen.
    names: Vec<Box<str>>,
    known: HashSet<Box<str>>,
}

/// A tag that a filter or a column names and that was found in no game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingTag {
    /// The name as it was typed.
    pub name: String,
    /// Similar names of tags that were seen, the most similar first.
    pub nearest: Vec<String>,
    /// Other names of tags that were seen. Empty if there are similar names.
    pub others: Vec<String>,
}

impl MissingTag {
    /// Returns a tag that is not among these names, with those that may have been meant.
    #[doc(hidden)]
    pub fn among<'n>(name: &str, names: impl Iterator<Item = &'n str> + Clone) -> Self {
        let nearest: Vec<String> = nearest_names(name, names.clone()).into_iter().map(str::to_owned).collect();
        let others = if nearest.is_empty() { MOST_OTHERS } else { 0 };
        Self { name: name.to_owned(), nearest, others: names.take(others).map(str::to_owned).collect() }
    }
}

/// A length of the lists, to which they can be cut back.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    found: usize,
    names: usize,
}

/// The greatest number of names that are stored. If there are more, no name is suggested, because which of them are
/// stored would depend on where the database was cut.
const MOST_NAMES: usize = 2_000;

/// The length of the longest name that is stored, in bytes.
const MOST_LETTERS: usize = 64;

/// The greatest number of other names in the message about a missing tag.
const MOST_OTHERS: usize = 12;

impl AskedTags {
    /// Returns the names that filters ask for, and other names.
    pub(super) fn new(filters: &[TagFilter], others: &[Box<str>]) -> Self {
        let mut asked = Self::default();
        for filter in filters {
            for condition in filter.conditions() {
                // In games without this tag, the result behind the moves is compared.
                if !condition.name().eq_ignore_ascii_case("Result") {
                    asked.push(condition.name(), true);
                }
            }
        }
        for name in others {
            asked.push(name, false);
        }
        asked
    }

    fn push(&mut self, name: &str, in_filter: bool) {
        if !self.0.iter().any(|asked| &*asked.name == name) {
            self.0.push(Asked { name: name.into(), in_filter });
        }
    }
}

impl Asked {
    fn is_in(&self, tags: &Tags<'_>) -> bool {
        if self.in_filter { tag_value(tags, None, &self.name).is_some() } else { tags.value(&self.name).is_some() }
    }
}

impl TagNames {
    /// Stores the tags of a game. Does nothing once all tags that are asked for have been found.
    #[inline]
    pub(super) fn note(&mut self, asked: &AskedTags, tags: &Tags<'_>) {
        if self.found.len() < asked.0.len() {
            self.look(asked, tags);
        }
    }

    #[cold]
    fn look(&mut self, asked: &AskedTags, tags: &Tags<'_>) {
        for (number, asked) in asked.0.iter().enumerate() {
            if !self.found.contains(&number) && asked.is_in(tags) {
                self.found.push(number);
            }
        }
        if self.found.len() < asked.0.len() {
            for tag in tags.iter().filter(|tag| tag.name.len() <= MOST_LETTERS) {
                self.remember(&String::from_utf8_lossy(tag.name));
            }
        }
    }

    fn remember(&mut self, name: &str) {
        if self.names.len() < MOST_NAMES && !self.known.contains(name) {
            self.known.insert(name.into());
            self.names.push(name.into());
        }
    }

    /// Adds the names of the next block.
    pub(super) fn add(&mut self, next: &Self) {
        for number in &next.found {
            if !self.found.contains(number) {
                self.found.push(*number);
            }
        }
        for name in &next.names {
            self.remember(name);
        }
    }

    /// Returns the tags that are asked for and were found in no game.
    pub(super) fn missing(&self, asked: &AskedTags) -> Vec<MissingTag> {
        let missing = asked.0.iter().enumerate().filter(|(number, _)| !self.found.contains(number));
        missing.map(|(_, asked)| self.missing_tag(&asked.name)).collect()
    }

    fn missing_tag(&self, name: &str) -> MissingTag {
        let names = if self.names.len() < MOST_NAMES { self.names.as_slice() } else { &[] };
        MissingTag::among(name, names.iter().map(|name| &**name))
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { found: self.found.len(), names: self.names.len() }
    }

    /// Removes the names behind a mark.
    pub(super) fn truncate(&mut self, mark: Mark) {
        self.found.truncate(mark.found);
        for name in self.names.drain(mark.names.min(self.names.len())..) {
            self.known.remove(&name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{AskedTags, TagNames};
    use pgn2fen_pgn::tags::Tags;

    const GAME: &[u8] = b"[Event \"x\"] [White \"A\"] [WhiteElo \"2\"] [BlackElo \"\"] [ECO \"B90\"]";

    /// Returns the tags that filters and columns ask for. The columns are names of tags, separated by commas.
    fn asked(filters: &[&str], columns: &str) -> AskedTags {
        let filters: Vec<_> = filters.iter().map(|filter| filter.parse().unwrap()).collect();
        let columns: Vec<Box<str>> = columns.split(',').filter(|name| !name.is_empty()).map(Box::from).collect();
        AskedTags::new(&filters, &columns)
    }

    /// Compares the missing tags with their suggestions.
    #[track_caller]
    fn check(filters: &[&str], columns: &str, expected: &[(&str, &str)]) {
        let asked = asked(filters, columns);
        let mut names = TagNames::default();
        names.note(&asked, &Tags::read(GAME, 0));
        let missing = names.missing(&asked);
        let found: Vec<_> = missing.iter().map(|tag| (&*tag.name, tag.nearest.join(" "))).collect();
        assert_eq!(found, expected.iter().map(|(name, nearest)| (*name, (*nearest).to_owned())).collect::<Vec<_>>());
    }

    #[test]
    fn the_nearest_names_are_suggested() {
        check(&["WhitElo>=1"], "", &[("WhitElo", "WhiteElo")]);
        check(&["White_Elo>=1", "whiteelo>=1"], "White", &[("White_Elo", "WhiteElo")]);
        check(&[], "Whiteelo,WhiteElo", &[("Whiteelo", "WhiteElo")]);
        check(&["Elo>1"], "Elo", &[("Elo", "WhiteElo BlackElo")]);
        check(&["Player~a", "White~a or Blak~b"], "", &[("Black", "BlackElo"), ("Blak", "")]);
        check(&["Weight=1"], "BlackElo", &[("Weight", "")]);
        check(&["Result=1-0"], "", &[]);
        check(&["Date>1990"], "Evnt,Ec", &[("Date", ""), ("Evnt", "Event"), ("Ec", "ECO")]);
    }

    #[test]
    fn what_is_forgotten_was_not_seen() {
        let asked = asked(&["White=A", "Black=B"], "");
        let mut names = TagNames::default();
        let start = names.mark();
        names.note(&asked, &Tags::read(GAME, 0));
        let white = names.mark();
        names.note(&asked, &Tags::read(b"[Black \"B\"] [Blck \"\"]", 0));
        assert_eq!(names.missing(&asked), []);
        names.truncate(white);
        assert_eq!(names.missing(&asked)[0].nearest, ["BlackElo"]);
        names.note(&asked, &Tags::read(b"[TheBlack \"\"]", 0));
        assert_eq!(names.missing(&asked)[0].nearest, ["BlackElo", "TheBlack"]);
        names.truncate(start);
        assert_eq!(names.missing(&asked).len(), 2);
        assert!(names.names.is_empty() && names.known.is_empty());
    }

    #[test]
    fn stretches_add_up() {
        let asked = asked(&["White=A", "Black=B", "Blac=B"], "");
        let mut all = TagNames::default();
        for text in [&b"[White \"\"]"[..], b"[Black \"\"]", b"[Event \"\"] [White \"\"]"] {
            let mut next = TagNames::default();
            next.note(&asked, &Tags::read(text, 0));
            all.add(&next);
        }
        let missing = all.missing(&asked);
        assert_eq!((missing.len(), &*missing[0].name, &missing[0].nearest[..]), (1, "Blac", &["Black".to_owned()][..]));
        assert_eq!(all.names.iter().map(|name| &**name).collect::<Vec<_>>(), ["White", "Black", "Event"]);
    }

    #[test]
    fn memory_is_bounded_however_many_names_there_are() {
        let asked = asked(&["White=A"], "");
        let mut names = TagNames::default();
        for number in 0..5000 {
            names.note(&asked, &Tags::read(format!("[Tag{number} \"\"] [{} \"\"]", "a".repeat(65)).as_bytes(), 0));
        }
        assert_eq!((names.names.len(), names.known.len()), (2000, 2000));
        let missing = &names.missing(&asked)[0];
        assert_eq!((missing.nearest.len(), missing.others.len()), (0, 0));
    }
}
