//! The family name and the first names in a name.

use pgn2fen_filters::players::folded;

/// The parts of a name, folded.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Parts {
    pub(super) family: String,
    /// The first names, or their initials.
    pub(super) first: Vec<String>,
    /// Whether a comma divides the parts. Otherwise the last word is the family name, unless it is an initial.
    pub(super) has_comma: bool,
}

/// Whether a text is two or three capital letters.
fn are_initials(text: &str) -> bool {
    (2..=3).contains(&text.chars().count()) && text.chars().all(char::is_uppercase)
}

impl Parts {
    /// Returns the parts of a name; None if it has no words.
    pub(super) fn of(name: &str) -> Option<Self> {
        let words = |text: &str| folded(text).split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect();
        if let Some((family, first)) = name.split_once(',') {
            let first = match first.trim() {
                // Initials without anything between them, as in `Nisipeanu,LD`.
                letters if are_initials(letters) && family.contains(char::is_lowercase) => {
                    letters.chars().map(|letter| folded(&letter.to_string())).collect()
                }
                first => words(first),
            };
            let family = folded(family);
            return (!family.is_empty()).then_some(Self { family, first, has_comma: true });
        }
        let mut words: Vec<String> = words(name);
        let is_initial = |word: &String| word.chars().count() == 1;
        let behind = words.iter().rev().take_while(|word| is_initial(word)).count();
        let first = if behind > 0 && behind < words.len() {
            words.split_off(words.len() - behind)
        } else {
            let family = words.split_off(words.len().saturating_sub(1));
            std::mem::replace(&mut words, family)
        };
        let family = words.join(" ");
        (!family.is_empty()).then_some(Self { family, first, has_comma: false })
    }

    /// Whether all first names are initials. So it is if there are none.
    pub(super) fn has_initials_only(&self) -> bool {
        self.first.iter().all(|word| word.chars().count() == 1)
    }

    /// Returns the initials of the first names.
    pub(super) fn initials(&self) -> impl Iterator<Item = char> {
        self.first.iter().filter_map(|word| word.chars().next())
    }
}

#[cfg(test)]
mod tests {
    use super::Parts;

    #[track_caller]
    fn check(name: &str, family: &str, first: &str, is_initials: bool) {
        let parts = Parts::of(name).unwrap();
        assert_eq!((&*parts.family, &*parts.first.join(" ")), (family, first), "{name}");
        assert_eq!((parts.has_comma, parts.has_initials_only()), (name.contains(','), is_initials), "{name}");
    }

    #[test]
    fn a_name_has_a_family_name_and_first_names() {
        check("Carlsen, Magnus", "carlsen", "magnus", false);
        check("Carlsen,Sven Magnus", "carlsen", "sven magnus", false);
        check("Magnus Carlsen", "carlsen", "magnus", false);
        check("Carlsen, M.", "carlsen", "m", true);
        check("Carlsen M", "carlsen", "m", true);
        check("Nisipeanu,LD", "nisipeanu", "l d", true);
        check("WANG, LI", "wang", "li", false);
        check("M. Carlsen", "carlsen", "m", true);
        check("de la Riva, X", "de la riva", "x", true);
        check("Carlsen", "carlsen", "", true);
        check("Carlsen,", "carlsen", "", true);
        check("X", "x", "", true);
        assert_eq!(Parts::of("?"), None);
        assert_eq!(Parts::of(", Magnus"), None);
    }
}
