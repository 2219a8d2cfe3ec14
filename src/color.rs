//! The colours of messages, and whether they are used.

use std::ffi::OsString;
use std::io::{Stderr, Stdout};

use anstream::{AutoStream, ColorChoice};
use anstyle::AnsiColor;
pub(crate) use anstyle::Style;
use clap::ValueEnum;

use crate::options::running::When;

/// The style of errors.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// The style of warnings.
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// The style of places in files, such as `games.pgn:12:1`.
pub(crate) const PLACE: Style = Style::new().bold();

/// Standard output. Styles are removed if colours are off.
pub(crate) fn stdout() -> AutoStream<Stdout> {
    anstream::stdout()
}

/// Whether standard output is coloured.
pub(crate) fn is_stdout_colored() -> bool {
    stdout().current_choice() != ColorChoice::Never
}

/// Standard error. Styles are removed if colours are off.
pub(crate) fn stderr() -> AutoStream<Stderr> {
    anstream::stderr()
}

/// Decides for the whole run whether colours are used. This happens before the command line is parsed, because help and
/// parse errors have colours, too. Without `--color`, the terminal and NO_COLOR decide.
pub(crate) fn choose(arguments: impl IntoIterator<Item = OsString>) {
    let choice = match typed(arguments) {
        None | Some(When::Auto) => ColorChoice::Auto,
        Some(When::Always) => ColorChoice::Always,
        Some(When::Never) => ColorChoice::Never,
    };
    choice.write_global();
}

/// Returns the value of the last `--color`. Wrong values are ignored here; the parser reports them.
fn typed(arguments: impl IntoIterator<Item = OsString>) -> Option<When> {
    let mut wanted = None;
    let mut is_next = false;
    for argument in arguments {
        let argument = argument.to_string_lossy();
        let value = match argument.strip_prefix("--color=") {
            _ if is_next => Some(&*argument),
            None if argument == "--" => break,
            value => value,
        };
        wanted = value.and_then(|value| When::from_str(value, false).ok()).or(wanted);
        is_next = !is_next && argument == "--color";
    }
    wanted
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::typed;
    use crate::options::running::When;

    #[track_caller]
    fn check(line: &str, expected: Option<When>) {
        assert_eq!(typed(line.split(' ').map(OsString::from)), expected);
    }

    #[test]
    fn the_choice_is_found_on_the_command_line() {
        check("pgn2fen a.pgn", None);
        check("pgn2fen --color=always a.pgn", Some(When::Always));
        check("pgn2fen check --color never a.pgn", Some(When::Never));
        check("pgn2fen --color never --color always", Some(When::Always));
        check("pgn2fen --color --color=always", None);
        check("pgn2fen -- --color=always", None);
        check("pgn2fen --color=purple --ep", None);
    }
}
