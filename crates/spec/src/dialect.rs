//! How programs write options: `--skip-checks`, `skip_checks=True`, `skipChecks: true`.

use std::borrow::Cow;
use std::ops::Range;

use crate::entry::{Jobs, Kind, OptionEntry};
use crate::list::OPTIONS;
use crate::shell::quoted_for_sh;

/// Advice about a shell, which messages about filters end with.
const SHELL_ADVICE: &str = "; quotes keep < and > from the shell";

/// The command that builds an index with further tags, in messages. Other programs than Python have no function for it.
const KEPT_TAGS: &str = "pgn2fen index --tags";

/// How a program writes options.
///
/// Messages of the library refer to an option by its [name](OptionEntry::name), or by its name and a value, between
/// backticks; [`spell`](Self::spell) writes them as the users of a program do.
///
/// ```
/// use pgn2fen_spec::Dialect;
///
/// let message = "memory limits `unique`, which is not chosen; add `unique=true`";
/// let spelled = "memory limits --unique, which is not chosen; add --unique";
/// assert_eq!(Dialect::Command.spell(message), spelled);
/// let spelled = "memory limits unique, which is not chosen; add unique=True";
/// assert_eq!(Dialect::Python.spell(message), spelled);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Dialect {
    /// The command: `--skip-checks`, `--lang de`.
    Command,
    /// Python and Spark: `skip_checks=True`, `lang='de'`.
    Python,
    /// JavaScript: `skipChecks: true`, `lang: "de"`.
    JavaScript,
    /// SQL: `skip_checks := true`, `lang := 'de'`.
    Sql,
}

/// The names of an option and the kind of its value, by which messages write it. The list itself also has long texts,
/// which a program that only writes messages need not contain.
#[derive(Clone, Copy)]
struct Spelling {
    name: &'static str,
    flag: &'static str,
    is_switch: bool,
    is_limit: bool,
    is_of_command: bool,
    jobs: Jobs,
}

static SPELLINGS: [Spelling; OPTIONS.len()] = {
    let mut spellings =
        [Spelling { name: "", flag: "", is_switch: false, is_limit: false, is_of_command: false, jobs: Jobs::ROWS };
            OPTIONS.len()];
    let mut at = 0;
    while at < OPTIONS.len() {
        let OptionEntry { name, flag, kind, not_in_python, jobs, .. } = OPTIONS[at];
        let (is_switch, is_limit) = (matches!(kind, Kind::Switch), matches!(kind, Kind::Limit));
        spellings[at] = Spelling { name, flag, is_switch, is_limit, is_of_command: !not_in_python.is_empty(), jobs };
        at += 1;
    }
    spellings
};

impl Spelling {
    fn find(name: &str) -> Option<&'static Self> {
        SPELLINGS.iter().find(|spelling| spelling.name == name)
    }
}

/// Whether there is an option with this name, to which messages can refer.
pub fn is_option(name: &str) -> bool {
    Spelling::find(name).is_some()
}

/// Returns the jobs that have an option. None if there is no option with this name.
pub fn jobs_of(name: &str) -> Option<Jobs> {
    Spelling::find(name).map(|spelling| spelling.jobs)
}

impl Dialect {
    /// Returns the name of an option. None if the program does not have the option.
    pub fn name(self, entry: &OptionEntry) -> Option<Cow<'static, str>> {
        let has = match self {
            Self::Command => !entry.flag.is_empty(),
            Self::JavaScript => entry.not_in_javascript.is_empty(),
            Self::Python | Self::Sql => entry.not_in_python.is_empty(),
        };
        has.then(|| self.name_of(entry.name, entry.flag))
    }

    fn name_of(self, name: &'static str, flag: &'static str) -> Cow<'static, str> {
        match self {
            Self::Command => flag.into(),
            Self::JavaScript => camel(name).into(),
            Self::Python | Self::Sql => name.into(),
        }
    }

    /// Returns the name of an option for a message: that of the command, if only the command has it.
    fn reference(self, spelling: &Spelling) -> Cow<'static, str> {
        match self {
            Self::Command if spelling.flag.is_empty() => spelling.name.into(),
            _ if spelling.is_of_command => spelling.flag.into(),
            _ => self.name_of(spelling.name, spelling.flag),
        }
    }

    /// Returns an option with a value, as a word of a command line, an argument or a property. Values of the command
    /// are quoted for `sh`.
    pub fn with_value(self, name: &str, value: &str) -> String {
        let Some(spelling) = Spelling::find(name) else {
            return format!("{name} {value}");
        };
        let (name, is_switch) = (self.reference(spelling), spelling.is_switch);
        let is_bare = is_switch || !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
        match self {
            Self::Command if is_switch => name.into_owned(),
            Self::Command if spelling.is_limit && value == "0" => format!("{name} all"),
            Self::Command => format!("{name} {}", quoted_for_sh(value.as_ref())),
            Self::Python if is_switch => format!("{name}={}", if value == "true" { "True" } else { "False" }),
            Self::Python if is_bare => format!("{name}={value}"),
            Self::Python => format!("{name}='{value}'"),
            Self::JavaScript if is_bare => format!("{name}: {value}"),
            Self::JavaScript => format!("{name}: \"{value}\""),
            // A word of the language.
            Self::Sql if name == "unique" => format!("\"{name}\" := {value}"),
            Self::Sql if is_bare => format!("{name} := {value}"),
            Self::Sql => format!("{name} := '{value}'"),
        }
    }

    /// Returns a message with its references to options as the program writes them. Other text between backticks stays
    /// as it is. Advice about a shell is for the command only.
    pub fn spell(self, message: &str) -> Cow<'_, str> {
        if self != Self::Command && message.contains(SHELL_ADVICE) {
            return self.spell(&message.replace(SHELL_ADVICE, "")).into_owned().into();
        }
        if self == Self::Python && message.contains(KEPT_TAGS) {
            return self.spell(&message.replace(KEPT_TAGS, "index(…, keep_tags=…)")).into_owned().into();
        }
        let mut spelled = String::new();
        let mut rest = message;
        while let Some(Reference { spelling, value, place }) = Reference::first(rest) {
            spelled += &rest[..place.start];
            match value {
                None => spelled += &self.reference(spelling),
                Some(value) => spelled += &self.with_value(spelling.name, value),
            }
            rest = &rest[place.end..];
        }
        if rest.len() == message.len() { message.into() } else { (spelled + rest).into() }
    }
}

/// A reference in a message.
struct Reference<'m> {
    spelling: &'static Spelling,
    value: Option<&'m str>,
    /// The bytes of the reference with its backticks.
    place: Range<usize>,
}

impl<'m> Reference<'m> {
    /// Finds the first reference of a message.
    fn first(message: &'m str) -> Option<Self> {
        let mut start = message.find('`')?;
        loop {
            let end = start + 1 + message[start + 1..].find('`')?;
            let text = &message[start + 1..end];
            let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
            if let Some(spelling) = Spelling::find(name) {
                return Some(Self { spelling, value, place: start..end + 1 });
            }
            start = end;
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

    const DIALECTS: [Dialect; 4] = [Dialect::Command, Dialect::Python, Dialect::JavaScript, Dialect::Sql];

    #[test]
    fn each_program_has_its_names() {
        let names = |name| {
            let entry = find(name).expect(name);
            DIALECTS.map(|dialect| dialect.name(entry).unwrap_or_default().into_owned())
        };
        assert_eq!(names("skip_checks"), ["--skip-checks", "skip_checks", "skipChecks", "skip_checks"]);
        assert_eq!(names("max_games"), ["-n", "max_games", "maxGames", "max_games"]);
        assert_eq!(names("batch_rows"), ["", "batch_rows", "batchRows", "batch_rows"]);
        assert_eq!(names("names"), ["--names", "names", "", "names"]);
    }

    #[test]
    fn references_are_spelled_as_a_program_writes_options() {
        let check = |message: &str, expected: [&str; 4]| {
            assert_eq!(DIALECTS.map(|dialect| dialect.spell(message).into_owned()), expected);
        };
        check("no option", ["no option"; 4]);
        check("try `lang=de`", ["try --lang de", "try lang='de'", "try lang: \"de\"", "try lang := 'de'"]);
        check(
            "add `unique=true`.",
            ["add --unique.", "add unique=True.", "add unique: true.", "add \"unique\" := true."],
        );
        check(
            "`plies`, `skip_start`",
            ["--ply, --no-start", "plies, skip_start", "plies, skipStart", "plies, skip_start"],
        );
        check("`every=2`", ["--every 2", "every=2", "every: 2", "every := 2"]);
        check(
            "index `relocate`; `max_boards=0`",
            [
                "index --relocate; --max-boards all",
                "index --relocate; max_boards=0",
                "index --relocate; maxBoards: 0",
                "index --relocate; max_boards := 0",
            ],
        );
        check("`tags=White=B C`", ["-t 'White=B C'", "tags='White=B C'", "tags: \"White=B C\"", "tags := 'White=B C'"]);
        let advice = "no operator; quotes keep < and > from the shell\n    `tags`";
        check(
            advice,
            [
                "no operator; quotes keep < and > from the shell\n    -t",
                "no operator\n    tags",
                "no operator\n    tags",
                "no operator\n    tags",
            ],
        );
        let command = "built by pgn2fen index --tags)";
        check(command, [command, "built by index(…, keep_tags=…))", command, command]);
        check("`base64 -d` or `turn", ["`base64 -d` or `turn"; 4]);
        check("a ` and `turn`", ["a ` and --turn", "a ` and turn", "a ` and turn", "a ` and turn"]);
    }
}
