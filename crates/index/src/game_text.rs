//! Reads the text of games from the files that were indexed.

use std::fmt::{self, Display, Formatter};
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::error::IndexError;
use crate::files::FileState;
use crate::games_table::GameColumn;
use crate::lookup::{Index, IndexedGames};
use crate::manifest::IndexedSource;
use crate::names::shown;
use crate::postings::key;
use pgn2fen_chess::position::Position;
use pgn2fen_games::database::{PositionedFile, RandomAccess, Source, SourceOptions};
use pgn2fen_games::pgn::games::{self, Next, next_game};
use pgn2fen_games::pgn::lists::{Form, is_position};
use pgn2fen_games::replay::Replay;
use pgn2fen_games::selection::{ShapeFilter, ShapeScan};

/// Reads games from their source files. Each file is checked before its first game is read; a file that has changed
/// since it was indexed is not read.
pub struct GameTexts<'i> {
    index: &'i Index,
    games: IndexedGames<'i>,
    /// The state of each file; None for files that have not been checked.
    states: Vec<Option<State>>,
    /// The file that was read last.
    open: Option<Open>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    /// The file is at this path and has not changed.
    At(PathBuf),
    /// The file has changed or is missing, and this has been reported.
    Useless,
}

/// An open file: its number, its form (games or a list of positions), and its text.
type Open = (usize, Form, Text);

enum Text {
    /// A file whose bytes are the text. It is not mapped, because another program may truncate it.
    Plain(PositionedFile),
    /// A text that is decoded while it is read, and the number of bytes that have been read.
    Forward(Box<dyn Read + Send>, u64),
}

/// The reason why the text of a game is not available.
#[derive(Debug)]
pub enum NoText {
    /// The index cannot be read.
    Index(IndexError),
    /// The file has changed or cannot be read: its name, and the reason.
    File(String, String),
    /// The file of the game has been reported before.
    Told,
}

impl Display for NoText {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(error) => error.fmt(f),
            Self::File(name, reason) => write!(f, "{name}: {reason}"),
            Self::Told => f.write_str("the file cannot be used"),
        }
    }
}

impl std::error::Error for NoText {}

impl From<IndexError> for NoText {
    fn from(error: IndexError) -> Self {
        Self::Index(error)
    }
}

impl fmt::Debug for GameTexts<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("GameTexts").field("index", self.index).finish_non_exhaustive()
    }
}

impl<'i> GameTexts<'i> {
    /// Creates a reader for the games of an index.
    pub fn new(index: &'i Index) -> Self {
        let states = index.manifest().sources.iter().map(|_| None).collect();
        Self { index, games: index.games(), states, open: None }
    }

    /// Reads a game, byte for byte. A game of a compressed or transcoded file is returned as decoded text, an entry of
    /// a list of positions as a game with a FEN tag, and a record with a line for each tag pair. Ask for games in
    /// ascending order: a compressed file is decoded from its start up to the game.
    ///
    /// # Errors
    ///
    /// Fails if the file of the game has changed since it was indexed, or cannot be read.
    pub fn read(&mut self, game: u64) -> Result<Vec<u8>, NoText> {
        let (number, source) = self.source(game)?;
        let (text, form) = self.read_checked(game, number, source)?;
        match form {
            Form::Games => Ok(text),
            Form::Positions if !is_position(&text) => Err(self.give_up(number, source, CHANGED)),
            Form::Positions | Form::Records => Ok(form.to_pgn(&text).into_owned()),
        }
    }

    /// Reads a game and replays it. Returns whether it reaches a position with one of these [keys](crate::keys) after
    /// `ply` moves.
    ///
    /// # Errors
    ///
    /// Fails if the file of the game has changed since it was indexed, or cannot be read.
    pub fn verify(&mut self, game: u64, ply: u32, keys: &[u64]) -> Result<bool, NoText> {
        let reached = self.replay(game, |mut replay| {
            let all_played = (0..ply).all(|_| matches!(replay.next_ply(), Some(Ok(_))));
            all_played && keys.contains(&key(replay.position()))
        })?;
        Ok(reached == Some(true))
    }

    /// Reads a game and plays its main line. Returns the ply of the first position of a stretch in which the shape
    /// holds for [as many plies](ShapeFilter::for_plies) as it says; None if there is none.
    ///
    /// # Errors
    ///
    /// Fails if the file of the game has changed since it was indexed, or cannot be read.
    pub fn find_shape(&mut self, game: u64, shape: &ShapeFilter) -> Result<Option<u32>, NoText> {
        let found = self.replay(game, |mut replay| {
            let mut scan = ShapeScan::new(shape);
            let mut ply = 0;
            while scan.see(replay.position()) < shape.for_plies.get() {
                ply = replay.next_ply()?.ok()?.number;
            }
            Some(ply + 1 - shape.for_plies.get())
        })?;
        Ok(found.flatten())
    }

    /// Reads a game and returns the positions of its main line at these plies, which must ascend. There are fewer
    /// positions if the game is shorter.
    ///
    /// # Errors
    ///
    /// Fails if the file of the game has changed since it was indexed, or cannot be read.
    pub(crate) fn positions(&mut self, game: u64, plies: &[u32]) -> Result<Vec<Position>, NoText> {
        let found = self.replay(game, |mut replay| {
            let mut at = 0;
            let position = |ply: &u32| {
                while at < *ply {
                    replay.next_ply()?.ok()?;
                    at += 1;
                }
                Some(replay.position().clone())
            };
            plies.iter().map_while(position).collect()
        })?;
        Ok(found.unwrap_or_default())
    }

    /// Reads a game and begins to replay it. Returns None if the text is not exactly one game, from its first byte to
    /// its last, or has no starting position.
    fn replay<T>(&mut self, game: u64, play: impl FnOnce(Replay<'_>) -> T) -> Result<Option<T>, NoText> {
        let (number, source) = self.source(game)?;
        let (bytes, form) = self.read_checked(game, number, source)?;
        let text = games::Chunk { form, ..games::Chunk::whole(&bytes) };
        if next_game(text, 0, |_| {}) != Next::Game(0) || text.game_end(0) != bytes.len() {
            return Ok(None);
        }
        let tags = text.tags(0);
        Ok(Replay::begin(&tags, text.movetext(&tags), 0, &source.reading.replay).ok().map(play))
    }

    /// Returns the file of a game, with its number.
    fn source(&self, game: u64) -> Result<(usize, &'i IndexedSource), NoText> {
        let found = self.index.file_of(game).map(|(at, file)| (at, file.source));
        found.ok_or_else(|| IndexError::new(self.index.folder(), format!("it has no game {game}")).into())
    }

    /// Finds and checks the file of a game.
    fn look_at(&mut self, number: usize, source: &IndexedSource) -> Result<PathBuf, NoText> {
        match &self.states[number] {
            Some(State::Useless) => return Err(NoText::Told),
            Some(State::At(path)) => return Ok(path.clone()),
            None => {}
        }
        match source.state(self.index.folder()) {
            FileState::Unchanged(path) => {
                self.states[number] = Some(State::At(path.clone()));
                Ok(path)
            }
            FileState::Grown(_) | FileState::Changed(_) => Err(self.give_up(number, source, CHANGED)),
            FileState::Missing => Err(self.give_up(number, source, MISSING)),
            FileState::Unreadable(error) => Err(self.give_up(number, source, &error.to_string())),
            FileState::Piped => Err(self.give_up(number, source, "its games came through a pipe and were not stored")),
        }
    }

    fn give_up(&mut self, number: usize, source: &IndexedSource, reason: &str) -> NoText {
        self.states[number] = Some(State::Useless);
        NoText::File(shown(&source.name), reason.to_owned())
    }

    fn read_checked(&mut self, game: u64, number: usize, source: &IndexedSource) -> Result<(Vec<u8>, Form), NoText> {
        let path = self.look_at(number, source)?;
        let mut place = |column| {
            let place = self.games.number(game, column)?.and_then(|place| u64::try_from(place).ok());
            Ok::<u64, IndexError>(place.unwrap_or(0))
        };
        let (offset, length) = (place(GameColumn::Offset)?, place(GameColumn::Length)?);
        self.read_range(offset..offset + length, number, source, &path)
            .map_err(|error| self.give_up(number, source, &error.to_string()))
    }

    fn read_range(
        &mut self,
        range: Range<u64>,
        number: usize,
        source: &IndexedSource,
        path: &Path,
    ) -> io::Result<(Vec<u8>, Form)> {
        let (offset, length) = (range.start, range.end - range.start);
        let too_short = || io::Error::new(io::ErrorKind::UnexpectedEof, CHANGED);
        let is_ahead =
            |(open, _, text): &Open| *open == number && !matches!(text, Text::Forward(_, at) if *at > offset);
        let (_, form, text) = match self.open.take().filter(is_ahead) {
            Some(open) => self.open.insert(open),
            None => {
                let (form, text) = Text::open(source, path)?;
                self.open.insert((number, form, text))
            }
        };
        let game = match text {
            Text::Plain(file) => {
                let mut game = vec![0; usize::try_from(length).map_err(|_| too_short())?];
                file.read_exact_at(&mut game, offset).map(|()| game).map_err(|error| match error.kind() {
                    io::ErrorKind::UnexpectedEof => too_short(),
                    _ => error,
                })
            }
            Text::Forward(reader, at) => {
                let mut game = Vec::new();
                io::copy(&mut reader.by_ref().take(offset - *at), &mut io::sink())?;
                reader.by_ref().take(length).read_to_end(&mut game)?;
                *at = offset + length;
                if game.len() as u64 == length { Ok(game) } else { Err(too_short()) }
            }
        }?;
        Ok((game, *form))
    }
}

const CHANGED: &str = "the file has changed since it was indexed; its games are left out";
const MISSING: &str = "the file is missing; if it was moved, index `relocate` finds it";

impl Text {
    fn open(source: &IndexedSource, path: &Path) -> io::Result<(Form, Self)> {
        let reading = &source.reading;
        let (encoding, movetext) = (reading.encoding, reading.movetext.clone());
        let options = SourceOptions { map: false, encoding, movetext };
        let source = Source::open_with(path, &options)?;
        let form = source.form();
        let text = match source {
            Source::Stream(stream) if !stream.is_plain() => {
                // One thread decodes as fast as games are printed.
                Self::Forward(stream.reader(1)?.text, 0)
            }
            Source::Stream(_) | Source::Whole(_) => Self::Plain(PositionedFile::open(path)?),
        };
        Ok((form, text))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{GameTexts, NoText};
    use crate::tests::{Desk, FIRST, SECOND, after};
    use crate::{Index, keys};
    use pgn2fen_chess::fen::{self, FenStyle};
    use pgn2fen_games::selection::{ShapeColors, ShapeFilter};

    /// Returns the text of a game, without white space at its end.
    fn text(texts: &mut GameTexts<'_>, game: u64) -> String {
        String::from_utf8(texts.read(game).unwrap()).unwrap().trim_end().to_owned()
    }

    #[test]
    fn games_are_read_in_any_order() {
        let desk = Desk::of(&[("first.pgn", FIRST), ("second.pgn", SECOND)]);
        let mut texts = GameTexts::new(&desk.index);
        for game in [3, 1, 6, 2, 2, 5] {
            let result = ["1-0", "0-1", "1/2-1/2", "*", "1-0", "1-0"][usize::try_from(game).unwrap() - 1];
            assert!(text(&mut texts, game).ends_with(&format!(" {result}")), "{game}");
        }
        assert_eq!(text(&mut texts, 5), "[Variant \"Atomic\"]\n\n1. e4 e5 1-0");
        for none in [0, 7] {
            let error = texts.read(none).unwrap_err();
            assert!(error.to_string().ends_with(&format!("games.idx: it has no game {none}")), "{error}");
            assert!(matches!(error, NoText::Index(_)));
        }
    }

    #[test]
    fn games_of_a_text_that_is_decoded_are_read_forwards_and_backwards() {
        let written = "\u{FEFF}1. e4 e5 1-0\n\n1. d4 d5 0-1\n\n1. c4 c5 *\n";
        let bytes: Vec<u8> = written.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let desk = Desk::of(&[("a.pgn", bytes)]);
        let mut texts = GameTexts::new(&desk.index);
        for (game, first) in [(1, "1. e4"), (3, "1. c4"), (2, "1. d4"), (2, "1. d4"), (3, "1. c4"), (1, "1. e4")] {
            let found = text(&mut texts, game);
            assert!(found.contains(first), "{found}");
        }
    }

    #[test]
    fn an_entry_of_a_list_of_positions_is_a_game_with_a_fen() {
        let desk = Desk::of(&[("a.fen", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n4k3/8/8/8/8/4P3/8/4K3 w - - 0 1\n")]);
        let mut texts = GameTexts::new(&desk.index);
        let found = text(&mut texts, 2);
        assert!(found.contains("[FEN \"4k3/8/8/8/8/4P3/8/4K3 w - - 0 1\"]"), "{found}");
    }

    /// Replaces a part of a file by one of the same length. The size, the ends and the time of the file stay.
    fn change(desk: &Desk, name: &str, from: &str, to: &str) {
        let path = desk.path(name);
        let time = fs::metadata(&path).unwrap().modified().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from) && from.len() == to.len());
        fs::write(&path, text.replace(from, to)).unwrap();
        fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
    }

    #[test]
    fn an_entry_that_is_no_position_any_more_is_told() {
        let entries: String = (1..=6000).map(|number| format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 {number}\n")).collect();
        let desk = Desk::of(&[("a.fen", entries)]);
        let mut texts = GameTexts::new(&desk.index);
        assert_eq!(texts.positions(3000, &[0]).unwrap().len(), 1);
        change(&desk, "a.fen", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 3000\n", "this is a note, and no position   \n");
        let mut texts = GameTexts::new(&desk.index);
        assert!(text(&mut texts, 2999).contains("4K3 w - - 0 2999"));
        let error = texts.read(3000).unwrap_err().to_string();
        assert!(error.ends_with("a.fen: the file has changed since it was indexed; its games are left out"), "{error}");
    }

    #[test]
    fn two_games_in_the_place_of_one_are_not_verified() {
        let long = format!("1. c4 {{{}}} *", "x".repeat(70_000));
        let desk = Desk::of(&[("a.pgn", format!("{long}\n\n1. e4 e5 2. Nf3 Nc6 *\n\n{long}\n"))]);
        let verify = |ply, moves| GameTexts::new(&desk.index).verify(2, ply, &keys(&after(moves))).unwrap();
        assert!(verify(2, "1. e4 e5"));
        change(&desk, "a.pgn", "1. e4 e5 2. Nf3 Nc6 *", "1. e4 e5 *\n\n1. Nc3  *");
        assert!(!verify(2, "1. e4 e5"));
    }

    #[test]
    fn a_file_that_is_cut_while_its_games_are_read_has_changed() {
        let desk = Desk::of(&[("first.pgn", FIRST)]);
        let mut texts = GameTexts::new(&desk.index);
        texts.read(1).unwrap();
        fs::write(desk.path("first.pgn"), "").unwrap();
        let error = texts.read(3).unwrap_err().to_string();
        assert!(error.ends_with("first.pgn: the file has changed since it was indexed; its games are left out"));
    }

    #[test]
    fn a_file_that_cannot_be_used_is_told_once() {
        let desk = Desk::of(&[("first.pgn", FIRST), ("second.pgn", SECOND)]);
        fs::remove_file(desk.path("first.pgn")).unwrap();
        fs::write(desk.path("second.pgn"), format!("{SECOND}1. d4 *\n")).unwrap();
        let mut texts = GameTexts::new(&desk.index);
        let told = |texts: &mut GameTexts<'_>, game| texts.read(game).unwrap_err().to_string();
        assert!(
            told(&mut texts, 1).ends_with("first.pgn: the file is missing; if it was moved, index `relocate` finds it")
        );
        assert_eq!(told(&mut texts, 2), "the file cannot be used");
        let changed = "second.pgn: the file has changed since it was indexed; its games are left out";
        assert!(told(&mut texts, 4).ends_with(changed));
        assert!(matches!(texts.read(5), Err(NoText::Told)));
    }

    #[test]
    fn a_game_is_verified_at_its_ply() {
        let desk = Desk::with_a_hidden_change();
        let mut texts = GameTexts::new(&desk.index);
        let verify = |texts: &mut GameTexts<'_>, ply, moves| texts.verify(2, ply, &keys(&after(moves))).unwrap();
        assert!(verify(&mut texts, 0, "startpos") && verify(&mut texts, 3, "1. e4 e5 2. Nf3"));
        assert!(!verify(&mut texts, 2, "1. e4 e5 2. Nf3") && !verify(&mut texts, 4, "1. e4 e5 2. Nf3 Nc6"));
        assert!(verify(&mut texts, 4, "1. e4 e5 2. Nf3 Nf6"));
        // The game is shorter.
        assert!(!verify(&mut texts, 5, "1. e4 e5 2. Nf3 Nf6"));
    }

    #[test]
    fn positions_are_those_after_so_many_moves() {
        let desk = Desk::of(&[("first.pgn", FIRST)]);
        let mut texts = GameTexts::new(&desk.index);
        let mut boards = |plies: &[u32]| {
            let positions = texts.positions(1, plies).unwrap();
            positions.iter().map(|position| fen::to_string(position, FenStyle::default())).collect::<Vec<_>>()
        };
        let expected = |moves: &[&str]| {
            moves.iter().map(|moves| fen::to_string(&after(moves), FenStyle::default())).collect::<Vec<_>>()
        };
        assert_eq!(boards(&[0, 1, 3]), expected(&["startpos", "1. e4", "1. e4 e5 2. Nf3"]));
        assert_eq!(boards(&[2, 2]), expected(&["1. e4 e5"; 2]));
        assert_eq!(boards(&[3, 4]), expected(&["1. e4 e5 2. Nf3"]));
    }

    /// Finds the first ply of a stretch of so many plies in which the board of the first game has this pattern.
    fn find(index: &Index, pattern: &str, for_plies: u32) -> Option<u32> {
        let shape = ShapeFilter {
            patterns: vec![pattern.parse().unwrap()],
            colors: ShapeColors::Given,
            for_plies: for_plies.try_into().unwrap(),
            ..ShapeFilter::default()
        };
        GameTexts::new(index).find_shape(1, &shape).unwrap()
    }

    #[test]
    fn a_shape_is_found_where_its_stretch_begins() {
        let desk = Desk::of(&[("a.pgn", "1. Nf3 Nf6 2. Nc3 Nc6 3. Ng1 *\n")]);
        // White's knight is on f3 from ply 1 to ply 4.
        let knight = "*/*/*/*/*/?????N??/*/*";
        assert_eq!(
            (1..6).map(|plies| find(&desk.index, knight, plies)).collect::<Vec<_>>(),
            [Some(1), Some(1), Some(1), Some(1), None]
        );
        let both = "*/*/*/*/*/??N??N??/*/*";
        assert_eq!((1..4).map(|plies| find(&desk.index, both, plies)).collect::<Vec<_>>(), [Some(3), Some(3), None]);
    }
}
