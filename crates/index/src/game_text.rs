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
