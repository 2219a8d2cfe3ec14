//! The builder for streams of games.

use std::error::Error;
use std::fmt;
use std::io;
use std::ops::ControlFlow;

use crate::parallel::{Workers, WorkersError};
use crate::stream::game_texts::{GameTexts, Group, Passing};
use crate::stream::games::GameStream;
use crate::stream::owned::OwnedGame;
use crate::walk::{Background, Input, Job, Listener, ReadChoice, ReadError, ReadOptions, ResultSender, Walk};

/// The most blocks of games that wait in the channel until the caller takes them.
const WAITING: usize = 4;

/// A builder for streams of games. It sets which games are read.
///
/// The games are not played, so nothing is reported about their moves, and errors in moves do not matter to
/// [`OnError`](crate::walk::OnError). A game without a usable starting position is an error, and is in the stream all
/// the same, unless the options say otherwise.
#[derive(Clone, Debug, Default)]
pub struct GameReader {
    read: ReadChoice,
}

impl GameReader {
    /// Creates a builder for all games.
    pub fn new() -> Self {
        Self::default()
    }

    crate::read_methods!();

    /// Reads databases on background threads and returns their games as an iterator. The threads stop when the iterator
    /// is dropped.
    ///
    /// # Errors
    ///
    /// The threads cannot be started. The error of a file that cannot be read comes as an item of the iterator.
    pub fn stream<I>(&self, inputs: I) -> Result<GameStream, StreamError>
    where
        I: IntoIterator<Item: Into<Input>, IntoIter: Send + 'static>,
    {
        self.stream_with(inputs, ())
    }

    /// Reads databases like [`stream`](Self::stream), and reports problems in the databases and progress to a listener.
    /// The listener moves to the thread that reads. It is called while the caller waits for games or works on them, and
    /// for the last time before the iterator ends. The iterator ends early if [`progress`](Listener::progress) breaks.
    ///
    /// # Errors
    ///
    /// The threads cannot be started. The error of a file that cannot be read comes as an item of the iterator.
    pub fn stream_with<I>(&self, inputs: I, mut listener: impl Listener + 'static) -> Result<GameStream, StreamError>
    where
        I: IntoIterator<Item: Into<Input>, IntoIter: Send + 'static>,
    {
        let workers = Workers::new(self.read.threads).map_err(StreamError::Workers)?;
        let (inputs, read) = (inputs.into_iter(), self.read.options());
        let work = move |outlet: &ResultSender<Result<Group, ReadError>>| {
            let mut walk = walk(read, |group| outlet.send(Ok(group)));
            if let Err(error) = outlet.read_all(&mut walk, &workers, inputs, &mut listener) {
                // The iterator may have been dropped.
                let _ = outlet.send(Err(error));
            }
        };
        Ok(GameStream::new(Background::start(WAITING, work).map_err(StreamError::Thread)?))
    }

    /// Returns a job that reads files one after another and passes each game to `take`, in order, on the threads of its
    /// workers. It is over when `take` breaks.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use std::path::Path;
    /// use pgn2fen_games::database::{Database, Source};
    /// use pgn2fen_games::stream::GameReader;
    /// use pgn2fen_games::walk::Job;
    /// use pgn2fen_games::Workers;
    ///
    /// let mut lines = Vec::new();
    /// let reader = GameReader::new();
    /// let mut job = reader.each(|game| {
    ///     lines.push(game.line());
    ///     ControlFlow::Continue(())
    /// });
    /// let games = Database::from(b"1. e4 *\n1. d4 *\n".to_vec());
    /// job.read(&Workers::new(1)?, Path::new("games.pgn"), Source::Whole(games), &mut ())?;
    /// drop(job);
    /// assert_eq!(lines, [1, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn each<'t>(&self, mut take: impl FnMut(OwnedGame) -> ControlFlow<()> + Send + 't) -> impl Job + 't {
        walk(self.read.options(), move |group| group.into_games().try_for_each(&mut take))
    }
}

/// Returns the job that passes on games in groups.
fn walk<F: FnMut(Group) -> ControlFlow<()> + Send>(read: ReadOptions, take: F) -> Walk<GameTexts, Passing<F>> {
    Walk::new(GameTexts { start: read.games.start }, Passing::new(take), read)
}

/// The error when the threads of a [`GameStream`] cannot be started.
#[derive(Debug)]
#[non_exhaustive]
pub enum StreamError {
    /// The threads that read cannot be started.
    Workers(WorkersError),
    /// The thread that delivers the games cannot be started.
    Thread(io::Error),
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Workers(error) => error.fmt(f),
            Self::Thread(error) => error.fmt(f),
        }
    }
}

impl Error for StreamError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Workers(error) => error.source(),
            Self::Thread(error) => error.source(),
        }
    }
}
