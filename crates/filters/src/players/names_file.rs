//! The reader of names files, and the form of names in them.

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use crate::players::error::NamesError;
use crate::players::{Player, Players, Table, folded, read_fide_id};

/// The most bytes of a names file. A list of all players with a FIDE id has about 40 MiB.
const LONGEST: u64 = 128 * 1024 * 1024;

/// Reads the text of a names file.
///
/// # Errors
///
/// The file cannot be read, or is longer than 128 MiB.
pub fn read_text(path: &Path) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    File::open(path)?.take(LONGEST + 1).read_to_end(&mut text)?;
    if text.len() as u64 > LONGEST {
        let reason = "it is longer than 128 MiB, the limit for names files";
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
    }
    Ok(text)
}

/// The byte order mark of UTF-8.
const MARK: char = '\u{feff}';

impl Players {
    /// Reads a [names file](crate::players#the-names-file).
    ///
    /// # Errors
    ///
    /// Fails at the first line that is wrong: one that is not UTF-8, that has no name, that begins with white space and
    /// has no player above it, or whose name or FIDE id belongs to another player.
    pub fn read(text: &[u8]) -> Result<Self, NamesError> {
        let mut table = Table::default();
        for (number, line) in (1u32..).zip(text.split(|byte| *byte == b'\n')) {
            let line = str::from_utf8(line).map_err(|error| {
                let before = String::from_utf8_lossy(&line[..error.valid_up_to()]);
                let reason = "the text is not UTF-8; save the names file in this encoding";
                NamesError::new(number.into(), before.chars().count() as u64 + 1, reason)
            })?;
            let line = if number == 1 { line.strip_prefix(MARK).unwrap_or(line) } else { line };
            table.add_line(number, line).map_err(|Wrong { at, reason }| {
                NamesError::new(number.into(), line[..at].chars().count() as u64 + 1, reason)
            })?;
        }
        Ok(Self(Arc::new(table)))
    }
}

impl FromStr for Players {
    type Err = NamesError;

    /// Reads a names file like [`read`](Players::read).
    fn from_str(text: &str) -> Result<Self, NamesError> {
        Self::read(text.as_bytes())
    }
}

/// What is wrong with a line, and the place in it, in bytes.
struct Wrong {
    at: usize,
    reason: String,
}

/// A line of a names file that is neither empty nor a comment.
enum Line<'l> {
    Player(Cow<'l, str>),
    Further(Cow<'l, str>),
    FideId(u32),
}

impl Table {
    fn add_line(&mut self, number: u32, line: &str) -> Result<(), Wrong> {
        let at = line.len() - line.trim_start().len();
        let wrong = |reason: &str| Wrong { at, reason: reason.to_owned() };
        if line.starts_with('[') && line.trim_end().ends_with("\"]") {
            return Err(wrong("this is a tag of a game, and a names file has a name on each line"));
        }
        let Some(parsed) = parse(line, at)? else {
            return Ok(());
        };
        let last = self.players.len().checked_sub(1);
        let (name, owner) = match parsed {
            Line::Player(name) => {
                let owner = self.players.len();
                self.players.push(Player {
                    name: (*name).into(),
                    line: number,
                    further: Vec::new(),
                    fide_ids: Vec::new(),
                });
                (name, owner)
            }
            Line::FideId(id) => {
                let owner = last.ok_or_else(|| wrong("there is no player above this FIDE id"))?;
                return self.add_fide_id(id, owner).map_err(|reason| Wrong { at, reason });
            }
            Line::Further(name) => {
                let reason = "an indented line is a further name of the player above, and there is no player above";
                let owner = last.ok_or_else(|| wrong(reason))?;
                self.players[owner].further.push((*name).into());
                (name, owner)
            }
        };
        self.add_name(&name, owner, number).map_err(|reason| Wrong { at, reason })
    }

    fn add_name(&mut self, name: &str, owner: usize, line: u32) -> Result<(), String> {
        let folded = folded(name);
        if folded.is_empty() {
            return Err("a name has letters or digits".to_owned());
        }
        let owner = u32::try_from(owner).map_err(|_| "there are too many players".to_owned())?;
        match self.by_name.entry(folded.into()) {
            Entry::Vacant(free) => {
                free.insert(owner);
                Ok(())
            }
            Entry::Occupied(taken) if *taken.get() == owner => Ok(()),
            Entry::Occupied(taken) => {
                let other = &self.players[*taken.get() as usize];
                let is_main = self.players[owner as usize].line == line;
                let advice = if is_main && folded_is(&other.name, taken.key()) {
                    "write further names below that line".to_owned()
                } else {
                    "a name belongs to one player".to_owned()
                };
                Err(format!("this is a name of {} (line {}), too; {advice}", other.name, other.line))
            }
        }
    }

    fn add_fide_id(&mut self, id: u32, owner: usize) -> Result<(), String> {
        let number = u32::try_from(owner).map_err(|_| "there are too many players".to_owned())?;
        match self.by_fide_id.entry(id) {
            Entry::Vacant(free) => {
                free.insert(number);
                self.players[owner].fide_ids.push(id);
                Ok(())
            }
            Entry::Occupied(taken) if *taken.get() == number => Ok(()),
            Entry::Occupied(taken) => {
                let other = &self.players[*taken.get() as usize];
                Err(format!(
                    "this is the FIDE id of {} (line {}), too; an id belongs to one player",
                    other.name, other.line
                ))
            }
        }
    }
}

fn folded_is(name: &str, expected: &str) -> bool {
    folded(name) == expected
}

/// Parses a line whose text begins at `at`. None if it is empty or a comment.
fn parse(line: &str, at: usize) -> Result<Option<Line<'_>>, Wrong> {
    let text = &line[at..];
    let name: Cow<'_, str> = if text.starts_with('"') {
        let (name, length) = unquoted(text).ok_or_else(|| Wrong {
            at,
            reason: "the quote at the end of the name is missing; \\\" stands for a quote in a name".to_owned(),
        })?;
        let rest = &text[length..];
        let behind = rest.trim_start();
        let is_comment = behind.starts_with('#') && behind.len() < rest.len();
        if !behind.is_empty() && !is_comment {
            let reason = "there is text behind the name in quotes; a comment begins with # behind white space";
            return Err(Wrong { at: line.len() - behind.len(), reason: reason.to_owned() });
        }
        name.into()
    } else {
        let name = text[..comment(text).unwrap_or(text.len())].trim_end();
        if name.is_empty() {
            return Ok(None);
        }
        if let Some(id) = fide_id(name) {
            let reason = format!("a FIDE id is a number such as 1503014, at most {}", u32::MAX);
            let id = read_fide_id(id).ok_or(Wrong { at: at + name.len() - id.len(), reason })?;
            if at > 0 {
                return Ok(Some(Line::FideId(id)));
            }
            let reason = "a FIDE id is indented and stands below a player".to_owned();
            return Err(Wrong { at, reason });
        }
        name.into()
    };
    Ok(Some(if at > 0 { Line::Further(name) } else { Line::Player(name) }))
}

/// Returns the start of the comment in a text.
fn comment(text: &str) -> Option<usize> {
    text.match_indices('#').map(|(at, _)| at).find(|at| *at == 0 || text[..*at].ends_with(char::is_whitespace))
}

/// Returns the text of the FIDE id in a line; None if it has none.
fn fide_id(text: &str) -> Option<&str> {
    let (word, id) = text.split_once(char::is_whitespace)?;
    let id = id.trim_start();
    let is_id = word.eq_ignore_ascii_case("FIDE") && id.starts_with(|first: char| first.is_ascii_digit());
    is_id.then_some(id)
}

/// Returns the name in quotes at the start of a text, and the length with the quotes. None if there is no second quote.
fn unquoted(text: &str) -> Option<(String, usize)> {
    let mut name = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, char)) = chars.next() {
        match char {
            '"' => return Some((name, at + 1)),
            '\\' => name.push(chars.next()?.1),
            char => name.push(char),
        }
    }
    None
}

/// Returns a name without white space at its ends, and with blanks in place of control characters. Such a name can
/// stand on a line of a names file.
pub fn on_one_line(name: &str) -> Cow<'_, str> {
    if !name.contains(char::is_control) {
        return name.trim().into();
    }
    let blank = |char: char| if char.is_control() { ' ' } else { char };
    name.chars().map(blank).collect::<String>().trim().to_owned().into()
}

/// Returns a name as it is written in a names file: [`on_one_line`], and in quotes if something in it has a meaning
/// there.
pub fn written(name: &str) -> Cow<'_, str> {
    let name = on_one_line(name);
    if name.starts_with(['"', MARK]) || comment(&name).is_some() || fide_id(&name).is_some() {
        return format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\"")).into();
    }
    name
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Players, written};
    use crate::players::folded;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, &[&str], &[u32])]) {
        let players = Players::read(text.as_bytes()).unwrap();
        let found = players.iter().map(|player| (player.name(), player.further_names().collect(), player.fide_ids()));
        let found: Vec<(&str, Vec<&str>, &[u32])> = found.collect();
        let expected = expected.iter().map(|(name, further, ids)| (*name, further.to_vec(), *ids));
        assert_eq!(found, expected.collect::<Vec<_>>());
    }

    #[test]
    fn a_player_has_further_names_and_ids() {
        check("", &[]);
        check("# a comment\n\n   # another\n", &[]);
        check(
            "\u{feff}Carlsen, Magnus # the best\r\n  Carlsen,M\t# short\r\n\tDrNykterstein\r\n fide 1503014\r\n\r\nTal",
            &[("Carlsen, Magnus", &["Carlsen,M", "DrNykterstein"], &[1_503_014]), ("Tal", &[], &[])],
        );
        check("Player#1\n  \"Player #2\" # x\n  \"FIDE 3\"\n", &[("Player#1", &["Player #2", "FIDE 3"], &[])]);
        check("\"a \\\"b\\\" \\\\c\"\n  Fide, Jan\n", &[("a \"b\" \\c", &["Fide, Jan"], &[])]);
        // Names and ids that a player has already add nothing to what is found.
        check("A, B\n  a b\n  FIDE 1\n  FIDE 01\n", &[("A, B", &["a b"], &[1])]);
    }

    #[track_caller]
    fn check_error(text: impl AsRef<[u8]>, expected: &str) {
        assert_eq!(Players::read(text.as_ref()).unwrap_err().to_string(), expected);
    }

    #[test]
    fn a_wrong_line_is_told_with_line_and_column() {
        check_error(
            "  A\n",
            "1:3: an indented line is a further name of the player above, and there is no player above",
        );
        check_error("# x\n FIDE 1\n", "2:2: there is no player above this FIDE id");
        check_error("A\n ?\n", "2:2: a name has letters or digits");
        let one = "a name belongs to one player";
        check_error("A\n  B\nC\n\tb.\n", &format!("4:2: this is a name of A (line 1), too; {one}"));
        check_error("A\n  B\nB\n", &format!("3:1: this is a name of A (line 1), too; {one}"));
        check_error("A\nB\na\n", "3:1: this is a name of A (line 1), too; write further names below that line");
        let id = "this is the FIDE id of A (line 1), too; an id belongs to one player";
        check_error("A\n  FIDE 5\nB\n  FIDE 5\n", &format!("4:3: {id}"));
        check_error("A\n  FIDE 5x\n", "2:8: a FIDE id is a number such as 1503014, at most 4294967295");
        check_error("A\n  FIDE 99999999999\n", "2:8: a FIDE id is a number such as 1503014, at most 4294967295");
        check_error("FIDE 5\n", "1:1: a FIDE id is indented and stands below a player");
        let open = "the quote at the end of the name is missing; \\\" stands for a quote in a name";
        check_error("Ä\n  \"B\\\"\n", &format!("2:3: {open}"));
        let behind = "there is text behind the name in quotes; a comment begins with # behind white space";
        check_error("\"Ä\"  C\n", &format!("1:6: {behind}"));
        check_error("\"A\"# C\n", &format!("1:4: {behind}"));
        check_error(b"A\n \xC3\xA9 \xE9\n", "2:4: the text is not UTF-8; save the names file in this encoding");
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "([ \t]?[a-cA-C#\"\\\\ ,?é]{0,6}(FIDE [0-9]{1,3})?\r?\n){0,8}") {
            if let Ok(players) = text.parse::<Players>() {
                for player in players.iter() {
                    for name in player.names() {
                        prop_assert_eq!(players.name_of(name, None), player.name());
                    }
                }
            }
        }

        #[test]
        fn a_written_name_is_read_again(name in "\\PC{0,6}[ #\"\\\\]{0,3}(FIDE )?[0-9\t]{0,2}\\PC{0,6}") {
            if !folded(&name).is_empty() {
                let players: Players = format!("{}\n", written(&name)).parse().unwrap();
                prop_assert_eq!(folded(players.iter().next().unwrap().name()), folded(&name));
            }
        }
    }
}
