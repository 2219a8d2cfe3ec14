//! Games as chapters of a Lichess study.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use pgn2fen_games::diagnostic::{Diagnostic, Kind};
use pgn2fen_games::export::{ChapterLimits, append_chapters};
use pgn2fen_games::pgn::encoding::Fallback;
use pgn2fen_games::pgn::tags::{RawValue, Tags};
use pgn2fen_games::replay::Replay;

/// The names of chapters: a text with placeholders. A placeholder is the name of a tag in braces, such as `{White}`, or
/// `{eco}` or `{opening}`, the opening that was played. Double braces stand for a brace. A value that is missing or
/// unknown is left out.
///
/// ```
/// use pgn2fen_rows::games::ChapterNames;
///
/// assert!("{White} - {Black}, {opening}".parse::<ChapterNames>().is_ok());
/// let error = "{game}".parse::<ChapterNames>().unwrap_err();
/// assert!(error.to_string().starts_with("{game} is neither {opening} nor {eco} nor the name of a tag"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChapterNames {
    parts: Vec<NamePart>,
    /// The names of the tags that are read.
    tags: Vec<Box<str>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum NamePart {
    Text(String),
    Tag(Box<str>),
    Eco,
    Opening,
}

impl ChapterNames {
    /// Returns the names of the tags that are read.
    pub fn tags(&self) -> &[Box<str>] {
        &self.tags
    }
}

impl FromStr for ChapterNames {
    type Err = ChapterNameError;

    fn from_str(text: &str) -> Result<Self, ChapterNameError> {
        let mut names = Self { parts: Vec::new(), tags: Vec::new() };
        let mut literal = String::new();
        let mut rest = text;
        while let Some(char) = rest.chars().next() {
            if matches!(char, '{' | '}') && rest[1..].starts_with(char) {
                literal.push(char);
                rest = &rest[2..];
            } else if char == '{' {
                let (name, after) = rest[1..].split_once('}').ok_or(ChapterNameError::Open)?;
                let is_tag = name.starts_with(|first: char| first.is_ascii_uppercase())
                    && name.chars().all(|char| char.is_ascii_alphanumeric() || char == '_');
                names.parts.push(NamePart::Text(std::mem::take(&mut literal)));
                names.parts.push(match name {
                    "eco" => NamePart::Eco,
                    "opening" => NamePart::Opening,
                    name if is_tag => {
                        names.tags.push(name.into());
                        NamePart::Tag(name.into())
                    }
                    name => return Err(ChapterNameError::NoName(name.to_owned())),
                });
                rest = after;
            } else if char == '}' {
                return Err(ChapterNameError::Close);
            } else {
                literal.push(char);
                rest = &rest[char.len_utf8()..];
            }
        }
        names.parts.push(NamePart::Text(literal));
        Ok(names)
    }
}

/// The error for names of chapters that cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChapterNameError {
    /// A brace is not closed.
    Open,
    /// A brace is closed that was not opened.
    Close,
    /// A placeholder is neither an opening nor the name of a tag.
    NoName(String),
}

impl fmt::Display for ChapterNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open => {
                f.write_str("a brace { is not closed; write {White} for the value of a tag, and {{ for a brace")
            }
            Self::Close => f.write_str("a brace } was not opened; write }} for a brace"),
            Self::NoName(name) => write!(
                f,
                "{{{name}}} is neither {{opening}} nor {{eco}} nor the name of a tag, such as {{White}}; {{{{ stands \
                 for a brace"
            ),
        }
    }
}

impl Error for ChapterNameError {}

/// Makes chapters of games that were written anew.
#[derive(Debug)]
pub(crate) struct Chapters {
    names: Option<ChapterNames>,
    limits: ChapterLimits,
}

impl Chapters {
    pub(super) fn new(names: Option<ChapterNames>) -> Self {
        Self { names, limits: ChapterLimits::default() }
    }

    /// Returns the name of a game that has not been played yet. Empty if nothing is known.
    pub(super) fn name(&self, tags: &Tags<'_>, encoding: &Fallback, replay: &Replay<'_>) -> String {
        let tag = |name: &str| {
            let value = tags.value(name).map(RawValue::unescape).unwrap_or_default();
            let value = encoding.decode(&value).trim().to_owned();
            Some(value).filter(|value| !matches!(value.as_str(), "" | "?" | "-" | "????.??.??"))
        };
        let opening = || {
            let mut replay = replay.clone();
            replay.see_opening();
            while !replay.opening().is_over() && matches!(replay.next_ply(), Some(Ok(_))) {
                replay.see_opening();
            }
            replay.opening().opening()
        };
        let Some(names) = &self.names else {
            let players = || Some(format!("{} - {}", tag("White")?, tag("Black")?));
            let own = tag("ChapterName").or_else(players).or_else(|| tag("Event"));
            return own.or_else(|| opening().map(|opening| opening.name.to_owned())).unwrap_or_default();
        };
        let needs_opening = names.parts.iter().any(|part| matches!(part, NamePart::Eco | NamePart::Opening));
        let opening = needs_opening.then(opening).flatten();
        let text = |part: &NamePart| match part {
            NamePart::Text(text) => text.clone(),
            NamePart::Tag(name) => tag(name).unwrap_or_default(),
            NamePart::Eco => opening.map(|opening| opening.eco.to_string()).unwrap_or_default(),
            NamePart::Opening => opening.map(|opening| opening.name.to_owned()).unwrap_or_default(),
        };
        names.parts.iter().map(text).collect::<String>().trim().to_owned()
    }

    /// Appends the chapters of a game that was written anew. Returns a warning if it is too large for one chapter.
    pub(super) fn append(
        &self,
        game: &[u8],
        name: &str,
        offset: u64,
        width: usize,
        out: &mut Vec<u8>,
    ) -> Option<Diagnostic> {
        let limits = self.limits;
        let made = append_chapters(game, name, limits, width, out);
        let size = format!("{} moves and {} bytes", made.moves, game.len());
        let most = format!("a chapter of a study has at most {} moves and {} bytes", limits.moves, limits.bytes);
        let reason = match (made.chapters, made.too_large) {
            (1, 0) => return None,
            (1, _) => format!("a game with {size} was not divided, and Lichess will refuse it: {most}"),
            (chapters, 0) => format!("a game with {size} was divided into {chapters} chapters: {most}"),
            (chapters, large) => format!(
                "a game with {size} was divided into {chapters} chapters, of which Lichess will refuse {large}: {most}"
            ),
        };
        Some(Diagnostic::new(Kind::LargeChapter, offset, reason))
    }
}

#[cfg(test)]
mod tests {
    use super::{ChapterNames, Chapters, Kind};
    use crate::games::{Copies, Split};
    use crate::testing::{Files, Told, games};
    use pgn2fen_games::export::ChapterLimits;

    /// Compares the name of the chapter that is made of a game.
    #[track_caller]
    fn check(names: Option<&str>, game: &str, expected: &str) {
        let copies = Copies::new().split(Split::Study);
        let copies = match names {
            Some(names) => copies.chapter_names(names.parse().unwrap()),
            None => copies,
        };
        let writing = copies.begin_files("{part}".parse().unwrap(), Files::default()).unwrap();
        let (files, _) = writing.read_all_of(games(game)).unwrap();
        let name = files.texts()[0].1.lines().find_map(|line| line.strip_prefix("[ChapterName \""));
        assert_eq!(name.map(|name| name.trim_end_matches("\"]")), Some(expected).filter(|name| !name.is_empty()));
    }

    #[test]
    fn a_chapter_is_named_by_what_is_known_of_its_game() {
        let players = "[White \"Tal\"]\n[Black \"Euwe\"]\n";
        let najdorf = "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 *";
        check(None, &format!("[Event \"Cup\"]\n{players}[ChapterName \"Own\"]\n\n*"), "Own");
        check(None, &format!("[Event \"Cup\"]\n{players}[ChapterName \"?\"]\n\n*"), "Tal - Euwe");
        check(None, "[Event \"Cup\"]\n[White \"Tal\"]\n[Black \"?\"]\n\n1. e4 *", "Cup");
        check(None, &format!("[Event \"?\"]\n\n{najdorf}"), "Sicilian Defense: Najdorf Variation");
        let both = format!("{players}[Date \"????.??.??\"]\n\n{najdorf}");
        check(
            Some("{White} {{x}} {eco}: {opening}{Date}{Foo} "),
            &both,
            "Tal {x} B90: Sicilian Defense: Najdorf Variation",
        );

        check(Some("{White}, é"), &both, "Tal, é");
        check(Some("{eco}{opening}"), "[Event \"x\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *", "");
    }

    #[test]
    fn names_that_cannot_be_meant_are_refused() {
        let error = |text: &str| text.parse::<ChapterNames>().unwrap_err().to_string();
        assert_eq!(
            error("{White"),
            "a brace { is not closed; write {White} for the value of a tag, and {{ for a brace"
        );
        assert_eq!(error("White}"), "a brace } was not opened; write }} for a brace");
        for name in ["white", "White Elo", "", "Weiß"] {
            let expected = format!(
                "{{{name}}} is neither {{opening}} nor {{eco}} nor the name of a tag, such as {{White}}; {{{{ stands \
                 for a brace"
            );
            assert_eq!(error(&format!("x{{{name}}}")), expected);
        }
        let names: ChapterNames = "{White} {eco} {White_2}".parse().unwrap();
        assert_eq!(names.tags(), ["White", "White_2"].map(Box::from));
    }

    #[test]
    fn a_game_that_is_too_large_is_divided_with_a_warning() {
        let warning = |moves: usize, game: &str| {
            let limits = ChapterLimits { moves, ..ChapterLimits::default() };
            let mut out = Vec::new();
            let game = format!("[Event \"x\"]\n\n{game} *\n");
            let warning = Chapters { names: None, limits }.append(game.as_bytes(), "name", 7, 80, &mut out);
            let chapters = String::from_utf8(out).unwrap().matches("[ChapterName \"").count();
            (chapters, warning.map(|warning| (warning.offset, warning.reason.into_owned())))
        };
        let most = "a chapter of a study has at most 4 moves and 100000 bytes";
        assert_eq!(warning(4, "1. e4 e5 2. Nf3 Nc6"), (1, None));
        let refused = format!("a game with 5 moves and 42 bytes was not divided, and Lichess will refuse it: {most}");
        assert_eq!(warning(4, "1. e4 e5 2. Nf3 Nc6 3. Bb5"), (1, Some((7, refused))));
        let divided = format!("a game with 5 moves and 48 bytes was divided into 2 chapters: {most}");
        assert_eq!(warning(4, "1. e4 e5 (1... c5 2. Nf3) 2. Nf3"), (2, Some((7, divided))));
        let both = format!(
            "a game with 9 moves and 70 bytes was divided into 2 chapters, of which Lichess will refuse 1: {most}"
        );
        assert_eq!(warning(4, "1. e4 e5 (1... c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4) 2. Nf3"), (2, Some((7, both))));
    }

    #[test]
    fn the_warning_about_a_game_that_is_too_large_has_its_place() {
        let first = "[Event \"small\"]\n\n1. e4 *\n\n";
        let text = format!("{first}[Event \"large\"]\n\n{}*\n", "Nf3 Nf6 Ng1 Ng8 ".repeat(1000));
        let mut told = Told::default();
        let copies = Copies::new().split("study".parse().unwrap());
        let writing = copies.begin_files("{part}.pgn".parse().unwrap(), Files::default()).unwrap();
        writing.read_all(1, games(&text), &mut told).unwrap();
        assert_eq!(told.0, [(Kind::LargeChapter, first.len() as u64)]);
    }
}
