//! Options of the list, which are set by their names.

use std::ffi::OsStr;
use std::fmt;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use pgn2fen_games::selection::chosen;
use pgn2fen_rows::options::{JobOptions, OptionError, QuestionOptions, SetOption};
use pgn2fen_spec::{Dialect, Help, Jobs, Kind, OptionEntry, find};
use pgn2fen_trees::TreeRequest;

/// Options that are set by their names, as the command begins with them.
pub(crate) trait NewOptions: SetOption {
    fn new() -> Self;
}

impl NewOptions for JobOptions {
    fn new() -> Self {
        new_job()
    }
}

impl NewOptions for QuestionOptions {
    fn new() -> Self {
        Self::default()
    }
}

impl NewOptions for TreeRequest {
    fn new() -> Self {
        Self::default()
    }
}

/// Options of the list that belong together.
pub(crate) trait Group {
    /// What the options are set in.
    type Job: NewOptions;
    /// The heading of the options in the help.
    const HEADING: &'static str;
    /// Their names in the list, in the order of the help.
    const NAMES: &'static [&'static str];

    /// Reads a value that people type in another way than programs write it.
    ///
    /// # Errors
    ///
    /// The reason why the value is wrong.
    fn typed(name: &str, text: &str) -> Result<String, String> {
        let _ = name;
        Ok(text.to_owned())
    }
}

/// The options of a group that are on the command line.
pub(crate) struct Listed<G: Group> {
    given: Vec<(&'static str, String)>,
    /// A job with these options alone.
    job: G::Job,
}

impl<G: Group> Listed<G> {
    /// Whether an option is on the command line.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.given.iter().any(|(given, _)| *given == name)
    }

    /// Returns those of these options that are on the command line.
    pub(crate) fn chosen(&self, names: &[&'static str]) -> Vec<&'static str> {
        chosen(&names.iter().map(|name| (*name, self.has(name))).collect::<Vec<_>>())
    }

    /// Sets the options of a job.
    pub(crate) fn add_to(&self, options: &mut impl SetOption) -> Result<(), OptionError> {
        self.given.iter().try_for_each(|(name, value)| options.set(name, value))
    }

    /// Returns a job with these options alone.
    pub(crate) fn job(&self) -> &G::Job {
        &self.job
    }
}

impl<G: Group> fmt::Debug for Listed<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.given).finish()
    }
}

impl<G: Group> Args for Listed<G> {
    fn augment_args(command: Command) -> Command {
        command.args(G::NAMES.iter().filter_map(|name| argument::<G>(find(name)?)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<G: Group> FromArgMatches for Listed<G> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut given = Vec::new();
        for entry in G::NAMES.iter().filter_map(|name| find(name)) {
            let (name, id) = (entry.name, id(entry));
            if matches.value_source(id) != Some(ValueSource::CommandLine) {
                continue;
            }
            if entry.kind == Kind::Switch {
                // The flag turns off what is on by default.
                given.push((name, (entry.default != "true").to_string()));
                continue;
            }
            for value in matches.get_many::<String>(id).into_iter().flatten() {
                let aliases = entry.help.map_or(&[][..], |help| help.aliases);
                let meant = aliases.iter().find(|(alias, _)| alias == value).map(|(_, word)| (*word).to_owned());
                given.push((name, meant.unwrap_or_else(|| value.clone())));
            }
        }
        let mut job = G::Job::new();
        for (name, value) in &given {
            job.set(name, value).map_err(|error| clap::Error::raw(ErrorKind::ValueValidation, error))?;
        }
        Ok(Self { given, job })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Returns a job that takes all options of the list which the command sets by their names.
pub(crate) fn new_job() -> JobOptions {
    JobOptions::new().with(Jobs::RECORDS.and(Jobs::COPIES).and(Jobs::BOARDS))
}

/// Returns the identifier of the argument for an option: its long name, which no other option of a command has.
fn id(entry: &OptionEntry) -> &'static str {
    entry.help.map_or(entry.name, |help| help.long.trim_start_matches('-'))
}

/// Returns the argument for an option. None if the list has no help for it.
fn argument<G: Group>(entry: &'static OptionEntry) -> Option<Arg> {
    let Help { value_name, about, details, short, long, is_rare, shows_default, takes_hyphens, .. } = entry.help?;
    let spelled = |text: &'static str| Dialect::Command.spell(text).into_owned();
    let mut argument = Arg::new(id(entry)).help(spelled(about)).help_heading(G::HEADING).hide_short_help(is_rare);
    if !details.is_empty() {
        argument = argument.long_help(format!("{}\n\n{}", spelled(about), spelled(details)));
    }
    if let Some(short) = short {
        argument = argument.short(short);
    }
    argument = argument.long(long.trim_start_matches('-'));
    if shows_default {
        argument = argument.default_value(entry.default);
    }
    if entry.kind == Kind::Switch {
        return Some(argument.action(ArgAction::SetTrue));
    }
    argument = argument.value_name(value_name).allow_hyphen_values(takes_hyphens);
    argument = argument.action(if entry.is_repeated { ArgAction::Append } else { ArgAction::Set });
    Some(match entry.kind {
        Kind::Words(_) | Kind::Numbers(_) => argument.value_parser(Words::new::<G>(entry)),
        _ => argument.value_parser(move |text: &str| {
            let value = G::typed(entry.name, text)?;
            match G::Job::new().set(entry.name, &value) {
                Ok(()) => Ok(value),
                Err(error) => Err(Dialect::Command.spell(error.reason()).into_owned()),
            }
        }),
    })
}

/// The parser of an option whose values are words: those that are listed, their aliases, and other spellings that the
/// job takes.
#[derive(Clone)]
struct Words {
    listed: PossibleValuesParser,
    is_taken: fn(&str, &str) -> bool,
    name: &'static str,
}

impl Words {
    fn new<G: Group>(entry: &'static OptionEntry) -> Self {
        let words = if let Kind::Words(words) | Kind::Numbers(words) = entry.kind { words } else { &[] };
        let (meanings, aliases) = entry.help.map(|help| (help.words, help.aliases)).unwrap_or_default();
        let value = |(at, word): (usize, &&'static str)| {
            let aliases = aliases.iter().filter(|(_, meant)| meant == word).map(|(alias, _)| *alias);
            let value = PossibleValue::new(*word).aliases(aliases);
            match meanings.get(at) {
                Some(about) => value.help(*about),
                None => value,
            }
        };
        Self {
            listed: PossibleValuesParser::new(words.iter().enumerate().map(value).collect::<Vec<_>>()),
            is_taken: |name, word| G::Job::new().set(name, word).is_ok(),
            name: entry.name,
        }
    }
}

impl TypedValueParser for Words {
    type Value = String;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        match value.to_str() {
            Some(word) if (self.is_taken)(self.name, word) => Ok(word.to_owned()),
            _ => self.listed.parse_ref(command, argument, value),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        self.listed.possible_values()
    }
}
