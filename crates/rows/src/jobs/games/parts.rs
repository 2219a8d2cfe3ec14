//! Writes copies to several files.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::WriteError;
use crate::jobs::games::arranged::Route;
use crate::jobs::games::names::path_of_part;
use crate::jobs::games::sink::GameSink;
use crate::jobs::games::split::Split;
use crate::jobs::shared::Shared;
use pgn2fen_games::export::{ChapterLimits, split_chapters};

/// Writes copies to the files that their labels name.
pub(super) struct Parts<S: GameSink> {
    sink: Shared<S>,
    split: Option<Split>,
    /// Whether the copies for each place follow one another, so that one file is open at a time.
    is_grouped: bool,
    open: Vec<OpenPart<S::File>>,
}

/// A file that is being written.
struct OpenPart<F: Write> {
    place: Box<[u8]>,
    /// The number of the part, from 1.
    number: u64,
    file: BufWriter<F>,
    games: u64,
    bytes: u64,
}

impl<S: GameSink> Parts<S> {
    pub(super) fn new(sink: Shared<S>, split: Option<Split>, is_grouped: bool) -> Self {
        Self { sink, split, is_grouped, open: Vec::new() }
    }

    fn create(&mut self, place: &[u8], number: u64) -> io::Result<OpenPart<S::File>> {
        let path = path_of_part(place, number);
        let file = BufWriter::with_capacity(1 << 16, self.sink.lock().create(Path::new(&path))?);
        Ok(OpenPart { place: place.into(), number, file, games: 0, bytes: 0 })
    }

    fn complete(&mut self, part: OpenPart<S::File>) -> io::Result<()> {
        let file = part.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        self.sink.lock().complete(file)
    }

    fn complete_all(&mut self) -> io::Result<()> {
        std::mem::take(&mut self.open).into_iter().try_for_each(|part| self.complete(part))
    }

    /// Returns the index of the open file for a copy of this length.
    fn part_for(&mut self, place: &[u8], length: u64) -> io::Result<usize> {
        let found = self.open.iter().position(|part| *part.place == *place);
        if found.is_none() && self.is_grouped {
            self.complete_all()?;
        }
        let number = match found {
            Some(at) if !self.is_full(&self.open[at], length) => return Ok(at),
            Some(at) => {
                let part = self.open.swap_remove(at);
                let number = part.number + 1;
                self.complete(part)?;
                number
            }
            None => 1,
        };
        let part = self.create(place, number)?;
        self.open.push(part);
        Ok(self.open.len() - 1)
    }

    /// Whether a part has no room for another copy of this length.
    fn is_full(&self, part: &OpenPart<S::File>, length: u64) -> bool {
        match self.split {
            Some(Split::Games(most)) => part.games >= most,
            Some(Split::Bytes(most)) => part.games > 0 && part.bytes.saturating_add(length) > most,
            Some(Split::Study) => part.games >= ChapterLimits::CHAPTERS,
            Some(Split::Shares(_)) | None => false,
        }
    }
}

impl<S: GameSink> Route for Parts<S> {
    fn put(&mut self, place: &[u8], text: &[u8]) -> Result<(), WriteError> {
        if self.split == Some(Split::Study) {
            // A game may be several chapters.
            return split_chapters(text).try_for_each(|chapter| self.put_one(place, chapter));
        }
        self.put_one(place, text)
    }

    fn end(mut self: Box<Self>) -> Result<(), WriteError> {
        Ok(self.complete_all()?)
    }
}

impl<S: GameSink> Parts<S> {
    fn put_one(&mut self, place: &[u8], text: &[u8]) -> Result<(), WriteError> {
        let length = text.len() as u64;
        let at = self.part_for(place, length)?;
        let part = &mut self.open[at];
        part.games += 1;
        part.bytes += length;
        Ok(part.file.write_all(text)?)
    }
}

#[cfg(test)]
mod tests {
    use crate::games::Copies;
    use crate::testing::{Files, games};

    /// Games of 22 bytes.
    const GAMES: &str = "\
[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. d4 *\n\n[White \"a\"]\n\n1. c4 *\n\n[White \"A\"]\n\n1. e4 *\n\n";

    /// Compares the files of a split, each with the first moves of its games.
    #[track_caller]
    fn check(split: Option<&str>, names: &str, text: &str, expected: &[(&str, &str)]) {
        let copies = split.map_or_else(Copies::new, |split| Copies::new().split(split.parse().unwrap()));
        let writing = copies.begin_files(names.parse().unwrap(), Files::default()).unwrap();
        let (files, _) = writing.read_all_of(games(text)).unwrap();
        let moves = |text: &str| {
            let moves = text.lines().filter_map(|line| line.strip_prefix("1. "));
            moves.map(|line| &line[..2]).collect::<Vec<_>>().join(" ")
        };
        let came: Vec<(&str, String)> = files.texts().iter().map(|(path, text)| (*path, moves(text))).collect();
        let expected: Vec<(&str, String)> = expected.iter().map(|(path, moves)| (*path, (*moves).to_owned())).collect();
        assert_eq!(came, expected);
    }

    #[test]
    fn a_part_ends_when_it_is_full() {
        check(Some("3"), "x/{part}.pgn", GAMES, &[("x/1.pgn", "e4 d4 c4"), ("x/2.pgn", "e4")]);
        check(Some("4"), "{part}.pgn", GAMES, &[("1.pgn", "e4 d4 c4 e4")]);
        check(Some("44B"), "{part}.pgn", GAMES, &[("1.pgn", "e4 d4"), ("2.pgn", "c4 e4")]);
        let each = [("1.pgn", "e4"), ("2.pgn", "d4"), ("3.pgn", "c4"), ("4.pgn", "e4")];
        // A game that is longer than a part has a part of its own.
        check(Some("43B"), "{part}.pgn", GAMES, &each);
        check(Some("5B"), "{part}.pgn", GAMES, &each);
        check(Some("3"), "{part}.pgn", "", &[]);
        // A comment that looks like the start of a game is none.
        check(Some("1"), "{part}.pgn", "1. e4 {a\n\n[b} e5 *\n\n1. d4 *\n", &[("1.pgn", "e4"), ("2.pgn", "d4")]);
    }

    #[test]
    fn games_go_to_the_files_of_their_tags() {
        check(None, "{White}.pgn", GAMES, &[("A.pgn", "e4 c4 e4"), ("B.pgn", "d4")]);
        let parts = [("A-1.pgn", "e4 c4"), ("A-2.pgn", "e4"), ("B-1.pgn", "d4")];
        check(Some("2"), "{White}-{part}.pgn", GAMES, &parts);
        check(None, "all.pgn", GAMES, &[("all.pgn", "e4 d4 c4 e4")]);
    }

    #[test]
    fn equal_games_go_to_the_same_part() {
        // Which part that is depends on nothing but the moves.
        check(Some("a=0.5,b=0.5"), "{part}.pgn", GAMES, &[("b.pgn", "e4 e4"), ("a.pgn", "d4 c4")]);
    }

    #[test]
    fn a_study_has_at_most_64_chapters() {
        let (first, rest) = (vec!["e4"; 64].join(" "), "d4".to_owned());
        let text = format!("{}1. d4 *\n", "[Event \"x\"]\n\n1. e4 *\n\n".repeat(64));
        check(Some("study"), "{part}.pgn", &text, &[("1.pgn", &first), ("2.pgn", &rest)]);
    }
}
