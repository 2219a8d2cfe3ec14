//! Games → copies of their text, and the output that passes them on in groups.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use crate::stream::owned::{FramedGame, GameBlock, OwnedGame};
use crate::walk::{BlockResult, GameTask, OpenGame, Out, Output, OutputStages, Played};
use pgn2fen_filters::Start;
use pgn2fen_pgn::diagnostic::column;

/// Copies the text of each game.
#[derive(Debug)]
pub(super) struct GameTexts {
    /// The condition on the starting position. A game without a usable one passes only [`Start::Any`].
    pub(super) start: Start,
}

/// The games of one block.
#[derive(Default)]
pub(super) struct FoundGames {
    games: Vec<FramedGame>,
    /// The start of the last game, in bytes from the start of the block.
    last: usize,
    /// The number of bytes of all games.
    bytes: usize,
    block: Option<Arc<GameBlock>>,
}

/// The games of a block on their way to whoever wants them.
pub(super) struct Group {
    pub(super) games: Vec<FramedGame>,
    pub(super) block: Arc<GameBlock>,
}

impl Group {
    /// Returns the games one after another.
    pub(super) fn into_games(self) -> impl Iterator<Item = OwnedGame> {
        let Self { games, block } = self;
        games.into_iter().map(move |found| OwnedGame { found, block: Arc::clone(&block) })
    }
}

/// A length of the list of games, to which it can be cut back.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    games: usize,
    last: usize,
    bytes: usize,
}

impl BlockResult for FoundGames {
    type Mark = Mark;

    fn mark(&self) -> Mark {
        Mark { games: self.games.len(), last: self.last, bytes: self.bytes }
    }

    fn go_back_to(&mut self, mark: Mark) {
        self.games.truncate(mark.games);
        self.last = mark.last;
        self.bytes = mark.bytes;
    }

    fn weight(&self) -> usize {
        self.bytes + self.games.len() * size_of::<FramedGame>()
    }

    fn retain(&mut self, _: &[bool]) {}
}

impl FoundGames {
    /// Returns the column of a game that begins behind the last one, on this line of the block. Reads only the text
    /// between them, so that the time is linear however long the lines are.
    fn column(&self, text: &[u8], start: usize, line: u64) -> usize {
        match self.games.last() {
            Some(last) if last.line == line => last.column + start - self.last,
            _ => column(&text[self.last..start]),
        }
    }
}

impl GameTask for GameTexts {
    type BlockResult = FoundGames;
    const PLAYS: bool = false;

    fn game(&self, game: &mut OpenGame<'_, '_>, out: &mut Out<'_, FoundGames>) -> Played {
        if game.position().is_none() && self.start != Start::Any {
            return Played::UNWANTED;
        }
        let movetext = game.movetext();
        movetext.finish();
        let end = movetext.offset();
        let (line, start) = (game.count_line(), game.start);
        let text = &game.text.bytes[start..end];
        let column = out.made.column(game.text.bytes, start, line);
        let found = FramedGame {
            text: text.into(),
            form: game.text.form,
            encoding: *game.encoding,
            offset: game.offset(),
            number: game.number,
            line,
            column,
        };
        out.made.bytes += text.len();
        out.made.last = start;
        out.made.games.push(found);
        Played::default()
    }
}

/// Passes on the games of each block.
pub(super) struct Passing<F> {
    take: F,
    path: Arc<Path>,
    /// The number of games of the file so far.
    games: u64,
    is_over: bool,
}

impl<F: FnMut(Group) -> ControlFlow<()> + Send> Passing<F> {
    pub(super) fn new(take: F) -> Self {
        Self { take, path: Path::new("").into(), games: 0, is_over: false }
    }
}

impl<F: FnMut(Group) -> ControlFlow<()> + Send> Output<FoundGames> for Passing<F> {
    fn begin_file(&mut self, path: &Path) {
        self.path = path.into();
        self.games = 0;
    }

    fn stages(&mut self) -> OutputStages<'_, FoundGames> {
        let Self { take, path, games, is_over } = self;
        let deliver = |made: &mut FoundGames| {
            let games = std::mem::take(&mut made.games);
            let Some(block) = made.block.take().filter(|_| !games.is_empty()) else {
                return ControlFlow::Continue(());
            };
            let flow = take(Group { games, block });
            *is_over |= flow.is_break();
            flow
        };
        OutputStages::deliver(deliver).order(|made, position| {
            let before = Arc::clone(position.before());
            made.block =
                Some(Arc::new(GameBlock { path: Arc::clone(path), before, games: *games, start: position.start }));
            *games += position.games;
        })
    }

    fn is_full(&self) -> bool {
        self.is_over
    }
}
