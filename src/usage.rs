//! Mistakes on the command line that clap does not explain.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, CommandFactory, Parser};

use crate::command::{Arguments, Command};
use crate::meant::{meant_command, meant_option};
use crate::near::near_command;
use pgn2fen_games::database::remote;
use pgn2fen_games::messages::{plain, quoted};
use pgn2fen_games::selection::nearest_names;

/// Returns the error for a command line that cannot be parsed. The error quotes the command line, so characters that
/// act on a terminal are replaced first, and what may be secret in addresses is left out.
pub(crate) fn complaint(error: clap::Error, typed: &[OsString]) -> clap::Error {
    let line: Vec<OsString> = typed.iter().map(|word| safe(&word.to_string_lossy()).into()).collect();
    if line == typed {
        return advised(error, typed);
    }
    // The line without these characters usually has the same mistake. If not, a general message is used.
    match Arguments::try_parse_from(&line) {
        Err(plain) if plain.use_stderr() => advised(plain, &line),
        _ => {
            let unreadable = typed.iter().zip(&line).find(|(typed, _)| typed.to_str().is_none());
            let reason = match unreadable {
                Some((_, shown)) => format!("{} is not UTF-8", quoted(shown)),
                None => "an argument contains what cannot be printed".to_owned(),
            };
            Arguments::command().error(error.kind(), reason)
        }
    }
}

/// Returns the message for an option with other hyphens than it has: `-output FILE`, which would be `-o utput FILE`, or
/// `–o FILE` with a dash of printed text.
pub(crate) fn wrong_hyphens(typed: &[OsString]) -> Option<String> {
    let words = typed.iter().take_while(|word| *word != "--").map(|word| word.to_str().unwrap_or_default());
    // The value of --sort may begin with a hyphen.
    let mut words = words.clone().zip(words.skip(1)).filter(|(before, _)| *before != "--sort").map(|(_, word)| word);
    words.find_map(|word| {
        let is_file = || Path::new(word).exists();
        if let Some(name) = word.strip_prefix(['–', '—', '−']) {
            let is_option = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '-');
            let word = quoted(OsStr::new(word));
            return (is_option && !is_file())
                .then(|| format!("{word} begins with a dash of printed text; options begin with a hyphen, -"));
        }
        let name = word.strip_prefix('-')?.split('=').next()?;
        // Two letters may be two options. Others are told from names without making the options of all commands.
        let may_be = name.len() > 2 && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
        (may_be && is_long_option(name) && !is_file())
            .then(|| format!("options of several letters have two hyphens: --{name}"))
    })
}

/// Whether a command has an option with this long name.
fn is_long_option(name: &str) -> bool {
    let mut program = Arguments::command();
    program.build();
    let mut commands = std::iter::once(&program).chain(program.get_subcommands());
    commands.any(|command| command.get_arguments().any(|argument| argument.get_long() == Some(name)))
}

/// Returns a word of a command line as it may be printed.
fn safe(word: &str) -> String {
    match word.split_once("://") {
        Some((scheme, rest)) => format!("{}://{}", plain(scheme), plain(&remote::without_secrets(rest))),
        None => plain(word).into_owned(),
    }
}

/// Adds advice to the error for an option that a command does not have: what does the same.
fn advised(mut error: clap::Error, typed: &[OsString]) -> clap::Error {
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let first = typed.get(1).and_then(|word| word.to_str()).unwrap_or_default();
    let command = if is_command(Some(first)) { first } else { "" };
    // The distance of clap makes most words similar to something.
    let is_near = |suggested: &str| !nearest_names(option.trim_start_matches('-'), [suggested]).is_empty();
    let similar = match error.get(ContextKind::SuggestedArg) {
        Some(ContextValue::String(suggested)) => is_near(suggested.trim_start_matches('-')),
        _ => false,
    };
    let later = typed.iter().skip(2).filter_map(|word| word.to_str()).find(|word| is_command(Some(word)));
    let misplaced = later.filter(|_| command.is_empty()).and_then(|name| with_command_first(typed, name));
    let advice = misplaced
        .map(|line| format!("a command comes first: {line}"))
        .or_else(|| meant_command(first).or_else(|| meant_option(option, command)));
    let is_file = Path::new(option).exists();
    let usage = (advice.is_some() || !similar).then(|| usage_of(command));
    match advice {
        Some(advice) => {
            error.remove(ContextKind::SuggestedArg);
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![advice.into()]));
        }
        None if similar => {}
        // Nobody wants to pass an option as a value, unless it is a file.
        None => {
            error.remove(ContextKind::SuggestedArg);
            if !is_file {
                error.remove(ContextKind::Suggested);
            }
        }
    }
    // The usual one names an option that resembles the unknown one.
    if let Some(usage) = usage {
        error.insert(ContextKind::Usage, ContextValue::StyledStr(usage));
    }
    error
}

/// Returns the usage of a command, or of the program for an empty name.
fn usage_of(command: &str) -> clap::builder::StyledStr {
    let mut program = Arguments::command();
    program.build();
    match program.find_subcommand_mut(command) {
        Some(command) => command.render_usage(),
        None => program.render_usage(),
    }
}

/// Returns the message for a command line whose first file is a word for something that another command does, or the
/// misspelt name of a command.
pub(crate) fn unknown_command(arguments: &Arguments) -> Option<String> {
    let word = arguments.positions.input.files.first().filter(|_| arguments.command.is_none())?.to_str()?;
    if let Some(advice) = meant_command(word) {
        return Some(format!("there is no command {word}; {advice}"));
    }
    let near = near_command(Path::new(word)).filter(|_| !arguments.positions.input.skip_unreadable)?;
    Some(format!("there is no command {word}, and no such file; did you mean the command {near}?"))
}

/// Returns the message for a command line with the name of a command among its files, if there is no file of that name.
/// `typed` is the command line with the name of the program, and `arguments` the parsed arguments.
pub(crate) fn misplaced_command(arguments: &Arguments, typed: &[OsString]) -> Option<String> {
    if arguments.command.is_some() {
        return None;
    }
    let files = arguments.positions.input.files.iter();
    // The names of all commands take longer to make than a file to be found.
    let name = files.filter(|file| !file.exists()).find(|file| is_command(file.to_str()))?.to_str()?;
    let line = with_command_first(typed, name).unwrap_or_else(|| {
        // The command does not know one of the options.
        let usage = usage_of(name).to_string();
        usage.trim_start_matches("Usage: ").to_owned()
    });
    Some(format!("a command comes first: {line}\n(for a file of that name, write ./{name})"))
}

/// Returns the command line with the name of a command moved to the front, if it is valid then.
fn with_command_first(typed: &[OsString], name: &str) -> Option<String> {
    let places = (1..typed.len()).filter(|at| typed[*at] == name);
    let mut lines = places.map(|at| {
        let mut line = typed.to_vec();
        let command = line.remove(at);
        line.insert(1, command);
        line
    });
    let line = lines.find(|line| Arguments::try_parse_from(line).is_ok_and(|line| line.command.is_some()))?;
    Some(line[1..].iter().fold("pgn2fen".to_owned(), |line, word| line + " " + &quoted(word)))
}

/// Returns the message for a word that is no file, directly behind an option whose value stands behind an equals sign:
/// `-u White` instead of `-u=White`. Only `games` has such an option. `typed` is the command line, and `arguments` the
/// parsed arguments.
pub(crate) fn separate_value(arguments: &Arguments, typed: &[OsString]) -> Option<String> {
    let Some(Command::Games(games)) = &arguments.command else { return None };
    let is_missing_file =
        |word: &OsStr| games.input.files.iter().any(|file| file.as_os_str() == word) && !Path::new(word).exists();
    let words = typed.iter().zip(1..).take_while(|(word, _)| *word != "--");
    words.skip(1).find_map(|(word, next)| {
        let (option, value) = (word.to_str().filter(|word| word.starts_with('-'))?, typed.get(next)?);
        // A file is found in less time than the options of a command are made.
        let name = value.to_str().filter(|name| !name.starts_with('-') && is_missing_file(value))?;
        if !requires_equals("games", option) {
            return None;
        }
        let mut line = typed.to_vec();
        line.remove(next);
        line[next - 1] = format!("{option}={name}").into();
        Arguments::try_parse_from(&line).is_ok().then(|| {
            let name = quoted(value);
            format!("{name} is not a file; the value of {option} stands behind an equals sign: {option}={name}")
        })
    })
}

/// Whether the value of an option of a command stands behind an equals sign.
fn requires_equals(command: &str, option: &str) -> bool {
    let program = Arguments::command();
    let mut options = program.find_subcommand(command).into_iter().flat_map(clap::Command::get_arguments);
    let is_named = |known: &Arg| {
        known.get_long().is_some_and(|long| option.strip_prefix("--") == Some(long))
            || known.get_short().is_some_and(|letter| option == format!("-{letter}"))
    };
    options.any(|known| known.is_require_equals_set() && is_named(known))
}

fn is_command(name: Option<&str>) -> bool {
    let command = Arguments::command();
    name.is_some_and(|name| command.get_subcommands().any(|command| command.get_name() == name))
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use clap::Parser;

    use super::{complaint, misplaced_command, wrong_hyphens};
    use crate::command::Arguments;
    use pgn2fen_games::messages::quoted;

    #[track_caller]
    fn check(line: &str, expected: Option<&str>) {
        let typed: Vec<OsString> = line.split('|').map(OsString::from).collect();
        let arguments = Arguments::try_parse_from(&typed).unwrap();
        let said = misplaced_command(&arguments, &typed);
        let said = said.as_deref().map(|said| said.lines().next().unwrap().split_once(": ").unwrap().1);
        assert_eq!(said, expected);
    }

    #[test]
    fn a_command_comes_first() {
        check("pgn2fen|-j4|check|a.pgn", Some("pgn2fen check -j4 a.pgn"));
        check("pgn2fen|a.pgn|check", Some("pgn2fen check a.pgn"));
        let named = quoted("my games.pgn".as_ref());
        check("pgn2fen|--lang|de|check|my games.pgn", Some(&format!("pgn2fen check --lang de {named}")));
        check("pgn2fen|--ep|legal|check|a.pgn", Some("pgn2fen check [OPTIONS] [FILE]..."));
        check("pgn2fen|-o|check|check", Some("pgn2fen check [OPTIONS] [FILE]..."));
        check("pgn2fen|-p|4|find|new.idx|e4", Some("pgn2fen find [OPTIONS] <DIR> [POSITION]..."));
        check("pgn2fen|-j4|./check|a.pgn", None);
        check("pgn2fen|check|-j4|a.pgn", None);
        check("pgn2fen|check|check", None);
        check("pgn2fen|-j4|starts|a.pgn", Some("pgn2fen starts -j4 a.pgn"));
        check("pgn2fen|-j4|./starts|a.pgn", None);
        check("pgn2fen|a.pgn", None);
    }

    #[track_caller]
    fn check_complaint(line: &[&str], expected: &str) {
        let typed: Vec<OsString> = line.iter().map(OsString::from).collect();
        let error = Arguments::try_parse_from(&typed).unwrap_err();
        let said = complaint(error, &typed).render().to_string();
        assert!(said.contains(expected), "{said}");
        assert!(!said.contains(|char: char| char.is_control() && char != '\n'), "{said:?}");
    }

    #[test]
    fn a_complaint_quotes_what_was_typed_without_what_acts_on_a_terminal() {
        check_complaint(&["pgn2fen", "--\u{1b}[31mx"], "'--\u{fffd}[31mx'");
        check_complaint(&["pgn2fen", "-j", "\u{1b}]0;x\u{7}"], "'\u{fffd}]0;x\u{fffd}'");
        check_complaint(&["pgn2fen", "-t", "White\u{9b}<=>x"], "White\u{fffd}");
        check_complaint(&["pgn2fen", "find"], "<DIR>");
        check_complaint(&["pgn2fen", "--side", "w", "tree", "a.pgn"], "first: pgn2fen tree --side w a.pgn");
    }

    #[test]
    fn only_a_near_option_is_suggested() {
        let said = |line: &str| {
            let typed: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            complaint(Arguments::try_parse_from(&typed).unwrap_err(), &typed).render().to_string()
        };
        assert!(said("pgn2fen --colums ply a.pgn").contains("'--columns'"));
        assert!(!said("pgn2fen games --xroster a.pgn").contains("similar"));
        assert!(said("pgn2fen games --noduplicates a.pgn").contains("to leave out duplicates, use -u"));
    }

    #[test]
    fn hyphens_are_those_of_options() {
        let said = |line: &str| wrong_hyphens(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        let two = Some("options of several letters have two hyphens: --output".to_owned());
        assert_eq!([said("pgn2fen -output x.fen a.pgn"), said("pgn2fen games -output=x.pgn")], [two.clone(), two]);
        assert!(said("pgn2fen games \u{2013}t White=x").is_some_and(|said| said.contains("a dash of printed text")));
        for line in ["pgn2fen -qj4 -vn3 -p -1 a.pgn", "pgn2fen games --sort -title", "pgn2fen -- -output"] {
            assert_eq!(said(line), None, "{line}");
        }
    }
}
