//! Commands and files with names like one that is misspelt.

use std::fs;
use std::path::Path;

use pgn2fen_games::messages::shown;
use pgn2fen_games::selection::nearest_names;

/// The names of the commands.
const COMMANDS: [&str; 13] = [
    "games",
    "starts",
    "players",
    "check",
    "index",
    "find",
    "serve",
    "site",
    "board",
    "book",
    "tree",
    "completions",
    "man",
];

/// The most names of a folder that are compared.
const MOST_NAMES: usize = 10_000;

/// Returns the command with a name like that of a missing file, which is a word without a period.
pub(crate) fn near_command(path: &Path) -> Option<&'static str> {
    let word = path.to_str().filter(|word| !word.contains(['.', '/', '\\']))?;
    let near = nearest_names(word, COMMANDS).first().copied()?;
    // Most words of three letters are near to some command.
    ((word.len() > 3 || near.starts_with(word)) && path.symlink_metadata().is_err()).then_some(near)
}

/// Returns the file whose name is most similar to that of a missing file, or the command if one may be meant. None if
/// the file is there, or is a symbolic link to a missing file.
pub(crate) fn near_name(path: &Path, may_be_command: bool) -> Option<String> {
    if path.symlink_metadata().is_ok() {
        return None;
    }
    if let Some(command) = near_command(path).filter(|_| may_be_command) {
        return Some(format!("the command {command}"));
    }
    let name = path.file_name()?.to_str()?;
    let folder = path.parent()?;
    let is_here = folder == Path::new("");
    let entries = fs::read_dir(if is_here { Path::new(".") } else { folder }).ok()?.take(MOST_NAMES);
    let mut names: Vec<String> = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    names.sort_unstable();
    let near = nearest_names(name, names.iter().map(|name| &**name));
    near.first().map(|near| shown(&folder.join(near)).to_string())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::COMMANDS;
    use crate::command::Arguments;

    #[test]
    fn all_commands_have_their_names_here() {
        let command = Arguments::command();
        let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        assert_eq!(names, COMMANDS);
    }
}
