//! Opens a page in the browser.

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use pgn2fen_games::messages::shown;

/// Opens an address in the browser that the person prefers. Returns when the browser, or the program that starts it,
/// has ended.
///
/// # Errors
///
/// Fails if no program could be started, or if the last one that was tried failed.
pub(super) fn open(address: &str) -> io::Result<()> {
    let mut last = io::Error::new(io::ErrorKind::NotFound, "no browser was found");
    for mut command in commands(address, env::var_os("BROWSER")) {
        // What a browser prints is of no use here.
        match command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status() {
            Ok(status) if status.success() => return Ok(()),
            Ok(status) => last = io::Error::other(format!("{} failed: {status}", name(&command))),
            Err(error) => last = io::Error::new(error.kind(), format!("{}: {error}", name(&command))),
        }
    }
    Err(last)
}

/// Returns the name of the program of a command, for messages.
fn name(command: &Command) -> String {
    shown(Path::new(command.get_program()))
}

/// Returns the commands that may open an address, in the order in which they are tried. `preferred` is the value of
/// BROWSER: programs with colons between them, each with `%s` for the address, or without.
fn commands(address: &str, preferred: Option<OsString>) -> Vec<Command> {
    let preferred = preferred.and_then(|list| list.into_string().ok()).unwrap_or_default();
    let mut commands: Vec<Command> = Vec::new();
    for program in preferred.split(':').filter(|_| cfg!(unix)) {
        let mut words = program.split_whitespace();
        let Some(name) = words.next() else { continue };
        let mut command = Command::new(name);
        command.args(words.map(|word| word.replace("%s", address)));
        if !program.contains("%s") {
            command.arg(address);
        }
        commands.push(command);
    }
    let usual: &[&[&str]] = if cfg!(windows) {
        // `start` takes a first argument in quotes as the title of a window.
        &[&["cmd", "/C", "start", ""]]
    } else if cfg!(target_os = "macos") {
        &[&["open"]]
    } else {
        &[&["xdg-open"], &["wslview"], &["sensible-browser"]]
    };
    commands.extend(usual.iter().filter_map(|words| {
        let (name, words) = words.split_first()?;
        let mut command = Command::new(name);
        command.args(words).arg(address);
        Some(command)
    }));
    commands
}

#[cfg(test)]
mod tests {
    use super::commands;

    #[cfg(unix)]
    #[test]
    fn the_preferred_browsers_come_first() {
        let words = |preferred: &str| -> Vec<String> {
            let all = commands("http://x/", Some(preferred.into()));
            let shown = |command: &std::process::Command| {
                let arguments = command.get_args().map(|argument| argument.display().to_string());
                [command.get_program().display().to_string()].into_iter().chain(arguments).collect::<Vec<_>>().join(" ")
            };
            all.iter().map(shown).collect()
        };
        assert_eq!(words("lynx:firefox --new-tab %s::")[..2], ["lynx http://x/", "firefox --new-tab http://x/"]);
        assert!(words("").iter().all(|command| command.ends_with(" http://x/")));
        assert!(!words("").is_empty());
    }
}
