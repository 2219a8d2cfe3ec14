//! How programs write the names of options: `--skip-checks`, `skip_checks`, `skipChecks`.

use std::borrow::Cow;

use crate::entry::OptionEntry;

/// How a program writes the names of options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Dialect {
    /// The command: `--skip-checks`.
    Command,
    /// Python, Spark and SQL: `skip_checks`.
    Python,
    /// JavaScript: `skipChecks`.
    JavaScript,
}

impl Dialect {
    /// Returns the name of an option. None if the command or JavaScript does not have the option.
    pub fn name(self, entry: &OptionEntry) -> Option<Cow<'static, str>> {
        match self {
            Self::Command if entry.flag.is_empty() => None,
            Self::Command => Some(entry.flag.into()),
            Self::JavaScript if !entry.not_in_javascript.is_empty() => None,
            Self::JavaScript => Some(camel(entry.name).into()),
            Self::Python => Some(entry.name.into()),
        }
    }
}

/// `max_games` → `maxGames`.
fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let (initial, rest) = word.split_at(word.len().min(1));
        name + &initial.to_uppercase() + rest
    })
}

#[cfg(test)]
mod tests {
    use super::Dialect;
    use crate::list::find;

    #[test]
    fn each_program_has_its_names() {
        let names = |name| {
            let entry = find(name).expect(name);
            let dialects = [Dialect::Command, Dialect::Python, Dialect::JavaScript];
            dialects.map(|dialect| dialect.name(entry).unwrap_or_default().into_owned())
        };
        assert_eq!(names("skip_checks"), ["--skip-checks", "skip_checks", "skipChecks"]);
        assert_eq!(names("max_games"), ["-n", "max_games", "maxGames"]);
        assert_eq!(names("batch_rows"), ["", "batch_rows", "batchRows"]);
        assert_eq!(names("names"), ["--names", "names", ""]);
    }
}
