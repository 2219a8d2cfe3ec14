//! The walk that all peers share: pgn-reader finds games and moves, a [`Peer`] plays and writes them.
//!
//! The main line only. A move that cannot be played ends its game; the positions before it stay.

use std::io::{self, Read, Write};
use std::ops::ControlFlow;

use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::Chess;
use shakmaty::san::San;

use crate::start::{NoStart, Start, StartTags};

/// One way to follow a game and to write its positions down.
pub(crate) trait Peer {
    /// A position; the default is the initial array.
    type Position: Default;

    /// The position of a FEN tag, which shakmaty has read, or `None` if this peer cannot take it.
    fn set_up(&self, start: Chess) -> Option<Self::Position>;

    /// The position in which a game with these tags starts, or `None` if this peer cannot play the game.
    fn start(&self, tags: &StartTags) -> Option<Self::Position> {
        match tags.start() {
            Ok(Start::Initial) => Some(Self::Position::default()),
            Ok(Start::Fen(start)) => self.set_up(start),
            Err(NoStart) => None,
        }
    }

    /// Plays a move and tells whether it could be played.
    fn play(&mut self, position: &mut Self::Position, san: San) -> bool;

    /// Writes the position as a line.
    fn write(&mut self, position: &Self::Position, out: &mut impl Write) -> io::Result<()>;
}

/// Walks every game of a PGN file and returns their number, with an empty line after each if `separate`.
pub(crate) fn every_game(
    pgn: impl Read,
    peer: &mut impl Peer,
    out: &mut impl Write,
    separate: bool,
) -> io::Result<u64> {
    let mut games = 0;
    each_game(pgn, &mut Walk { peer, out }, |visitor, written| {
        written.unwrap_or(Ok(()))?;
        games += 1;
        if separate { visitor.out.write_all(b"\n") } else { Ok(()) }
    })?;
    Ok(games)
}

/// Reads every game of a PGN file, and passes the output of the visitor on; `None` for a game that the reader refuses.
pub(crate) fn each_game<V: Visitor>(
    pgn: impl Read,
    visitor: &mut V,
    mut take: impl FnMut(&mut V, Option<V::Output>) -> io::Result<()>,
) -> io::Result<()> {
    let mut reader = Reader::new(pgn);
    loop {
        match reader.read_game(visitor) {
            Ok(None) => return Ok(()),
            Ok(output) => take(visitor, output)?,
            // "Unterminated tag", "unterminated comment": the reader has gone past them.
            Err(error) if error.kind() == io::ErrorKind::InvalidData => take(visitor, None)?,
            Err(error) => return Err(error),
        }
    }
}

/// Counts the games and the moves of a PGN file without playing them.
pub(crate) fn count_tokens(pgn: impl Read) -> io::Result<(u64, u64)> {
    let (mut games, mut moves) = (0, 0);
    each_game(pgn, &mut TokenCount, |_, moves_of_game| {
        games += 1;
        moves += moves_of_game.unwrap_or(0);
        Ok(())
    })?;
    Ok((games, moves))
}

struct Walk<'a, P, W> {
    peer: &'a mut P,
    out: &'a mut W,
}

impl<P: Peer, W: Write> Visitor for Walk<'_, P, W> {
    type Tags = StartTags;
    type Movetext = P::Position;
    type Output = io::Result<()>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, StartTags> {
        ControlFlow::Continue(StartTags::default())
    }

    fn tag(&mut self, tags: &mut StartTags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        tags.note(name, value)
    }

    fn begin_movetext(&mut self, tags: StartTags) -> ControlFlow<Self::Output, P::Position> {
        let Some(position) = self.peer.start(&tags) else {
            return ControlFlow::Break(Ok(()));
        };
        match self.peer.write(&position, self.out) {
            Ok(()) => ControlFlow::Continue(position),
            Err(error) => ControlFlow::Break(Err(error)),
        }
    }

    fn san(&mut self, position: &mut P::Position, san_plus: SanPlus) -> ControlFlow<Self::Output> {
        if !self.peer.play(position, san_plus.san) {
            return ControlFlow::Break(Ok(()));
        }
        match self.peer.write(position, self.out) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(Err(error)),
        }
    }

    fn end_game(&mut self, _position: P::Position) -> Self::Output {
        Ok(())
    }
}

struct TokenCount;

impl Visitor for TokenCount {
    type Tags = ();
    type Movetext = u64;
    type Output = u64;

    fn begin_tags(&mut self) -> ControlFlow<u64> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, _tags: ()) -> ControlFlow<u64, u64> {
        ControlFlow::Continue(0)
    }

    fn san(&mut self, moves: &mut u64, _san_plus: SanPlus) -> ControlFlow<u64> {
        *moves += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, moves: u64) -> u64 {
        moves
    }
}
