//! The databases of a server: its indexes, by their names.

use std::path::Path;

use crate::parameters::Parameters;
use crate::refusal::Refusal;

/// The indexes that a request asks: one of them by its place, or all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Database(Option<usize>);

impl Database {
    /// All indexes together.
    pub(super) const ALL: Self = Self(None);

    /// Reads `database`. These are the names of all databases.
    ///
    /// # Errors
    ///
    /// Refuses other names.
    pub(super) fn read(parameters: &Parameters, names: &[String]) -> Result<Self, Refusal> {
        let Some(wanted) = parameters.one("database")? else {
            return Ok(Self::ALL);
        };
        let known = names.iter().position(|name| name == wanted);
        known.map(|at| Self(Some(at))).ok_or_else(|| {
            Refusal::senseless(format!("database: there is no {wanted}; the names are {}", names.join(", ")))
        })
    }

    /// Whether the index at a place is asked.
    pub(super) fn has(self, at: usize) -> bool {
        self.0.is_none_or(|one| one == at)
    }
}

/// Returns the names of the databases in these folders: those of the folders without `.idx`. A name that an earlier one
/// has gets a number.
pub(super) fn names<'p>(folders: impl IntoIterator<Item = &'p Path>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for folder in folders {
        let real = folder.canonicalize();
        let path = real.as_deref().unwrap_or(folder);
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        let name = name.strip_suffix(".idx").filter(|name| !name.is_empty()).unwrap_or(&name);
        let numbered = (2u32..).map(|number| format!("{name}-{number}"));
        let free = std::iter::once(name.to_owned()).chain(numbered).find(|name| !names.contains(name));
        names.extend(free);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::{Database, names};
    use crate::parameters::Parameters;
    use std::path::Path;

    #[test]
    fn names_are_those_of_the_folders_and_differ() {
        let folders = ["a/club.idx", "b/club.idx", "club-2.idx", "games", ".idx", "c/club"].map(Path::new);
        assert_eq!(names(folders), ["club", "club-2", "club-2-2", "games", ".idx", "club-3"]);
    }

    #[test]
    fn a_request_names_one_database_or_none() {
        let names = ["club", "masters"].map(str::to_owned);
        let read = |query| Database::read(&Parameters::parse(query).unwrap(), &names);
        assert_eq!(read(""), Ok(Database::ALL));
        assert_eq!(read("database="), Ok(Database::ALL));
        assert_eq!(read("database=masters"), Ok(Database(Some(1))));
        let refusal = read("database=x").unwrap_err();
        assert_eq!((refusal.status, &*refusal.line), (400, "database: there is no x; the names are club, masters"));
    }
}
