//! The tags that an index keeps of each game.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;
use std::sync::Arc;

use pgn2fen_games::selection::{ParseError, STORED, TagFinder};

/// The tags that every new index keeps of each game.
pub const TAGS: [&str; STORED.len()] = STORED;

/// The tags that an index keeps of each game: those that [every index](TAGS) keeps, and further ones of choice. Filters
/// of the index can compare them, and the games table has columns for them.
///
/// It is made from a list of the further tags. Tags that every index keeps, and tags that are given again in any
/// capitals, add nothing.
///
/// ```
/// use pgn2fen_index::{KeptTags, TAGS};
///
/// let tags: KeptTags = "WhiteFideId, Annotator, White".parse()?;
/// assert_eq!(tags.further().collect::<Vec<_>>(), ["WhiteFideId", "Annotator"]);
/// assert_eq!(tags.names().len(), TAGS.len() + 2);
/// assert_eq!(KeptTags::default().further().count(), 0);
/// # Ok::<(), pgn2fen_games::selection::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptTags(Arc<[Box<str>]>);

/// The greatest length of a name, in bytes.
const LONGEST: usize = 255;

impl KeptTags {
    /// The greatest number of tags that an index keeps, including those that every index keeps.
    pub const MOST: usize = TagFinder::MOST;

    /// Returns the names of all tags: those that every index keeps, and the further ones in the order in which they
    /// were given.
    pub fn names(&self) -> &[Box<str>] {
        &self.0
    }

    /// Returns the names of the further tags.
    pub fn further(&self) -> impl Iterator<Item = &str> {
        self.0.iter().skip(TAGS.len()).map(|name| &**name)
    }

    /// Makes the list of these tags, which begins with those that every index keeps. None if it is no such list.
    pub(crate) fn of_names(names: Vec<Box<str>>) -> Option<Self> {
        let begins_so = names.iter().map(|name| &**name).take(TAGS.len()).eq(TAGS);
        let is_new = |at: usize| !names[..at].iter().any(|name| name.eq_ignore_ascii_case(&names[at]));
        let is_sound = |at: usize| is_name(&names[at]) && is_new(at);
        let is_list = begins_so && names.len() <= Self::MOST && (0..names.len()).all(is_sound);
        is_list.then(|| Self(names.into()))
    }
}

impl Default for KeptTags {
    fn default() -> Self {
        Self(TAGS.into_iter().map(Box::from).collect())
    }
}

/// Whether a text is the name of a tag (PGN standard §8.1.1) that a filter can ask for.
fn is_name(text: &str) -> bool {
    (1..=LONGEST).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

impl FromStr for KeptTags {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut names: Vec<Box<str>> = TAGS.into_iter().map(Box::from).collect();
        let mut start = 0;
        for part in text.split(',') {
            let blanks = part.len() - part.trim_start().len();
            let name = part.trim();
            let place = start + blanks..start + blanks + name.len();
            start += part.len() + 1;
            if !is_name(name) {
                let reason = match name {
                    "" => "the name of a tag is missing; a list of tags is written TimeControl,WhiteFideId".to_owned(),
                    _ if name.len() > LONGEST => format!("the name of a tag has at most {LONGEST} letters"),
                    _ => "the name of a tag has letters, digits and underscores; names are separated by commas"
                        .to_owned(),
                };
                return Err(ParseError::new(text, place, reason));
            }
            if names.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                continue;
            }
            if names.len() == Self::MOST {
                let most = Self::MOST - TAGS.len();
                return Err(ParseError::new(text, place, format!("an index keeps at most {most} further tags")));
            }
            names.push(name.into());
        }
        Ok(Self(names.into()))
    }
}

/// Writes the list of the further tags.
impl Display for KeptTags {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.further().collect::<Vec<_>>().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::{KeptTags, TAGS};

    #[track_caller]
    fn check(list: &str, further: &str) {
        let tags: KeptTags = list.parse().unwrap();
        assert_eq!(tags.to_string(), further);
        assert_eq!(KeptTags::of_names(tags.names().to_vec()), Some(tags));
    }

    #[test]
    fn a_list_names_further_tags() {
        check("Annotator", "Annotator");
        check(" Annotator , white_Id,X1", "Annotator,white_Id,X1");
        check("timecontrol,WHITE,ECO", "");
        check("Annotator,ANNOTATOR,b,Annotator", "Annotator,b");
        let many: Vec<String> = (TAGS.len()..KeptTags::MOST).map(|number| format!("X{number}")).collect();
        check(&many.join(","), &many.join(","));
    }

    #[track_caller]
    fn check_mistake(list: &str, expected: &str) {
        assert_eq!(list.parse::<KeptTags>().unwrap_err().to_string(), expected);
    }

    #[test]
    fn a_caret_stands_under_a_wrong_name() {
        let form = "the name of a tag has letters, digits and underscores; names are separated by commas";
        check_mistake("A,White Fide", &format!("{form}\n    A,White Fide\n      ^^^^^^^^^^"));
        check_mistake("Größe", &format!("{form}\n    Größe\n    ^^^^^"));
        let missing = "the name of a tag is missing; a list of tags is written TimeControl,WhiteFideId";
        check_mistake("A,,B", &format!("{missing}\n    A,,B\n      ^"));
        check_mistake("", missing);
        assert!(format!("{}-", "x".repeat(254)).parse::<KeptTags>().unwrap_err().to_string().contains(form));
        assert!("x".repeat(256).parse::<KeptTags>().unwrap_err().to_string().contains("at most 255"));
        let many: Vec<String> = (TAGS.len()..=KeptTags::MOST).map(|number| format!("X{number}")).collect();
        assert!(many.join(",").parse::<KeptTags>().unwrap_err().to_string().contains("at most 50 further tags"));
    }

    #[test]
    fn what_no_index_wrote_is_no_list() {
        let names = |further: &[&str]| TAGS.iter().chain(further).map(|name| Box::from(*name)).collect::<Vec<_>>();
        assert!(KeptTags::of_names(names(&["A"])).is_some());
        for wrong in [names(&["A", "a"]), names(&["white"]), names(&["a b"]), names(&[""]), names(&[])[1..].to_vec()] {
            assert_eq!(KeptTags::of_names(wrong), None);
        }
    }
}
