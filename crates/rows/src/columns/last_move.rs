//! The move that led to a position, for the columns of rows.

use pgn2fen_chess::castling::CastlingRules;
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::san::Spelled;
use pgn2fen_chess::zobrist;
use pgn2fen_games::replay::{Observer, PendingMove};

/// The move that led to the current position, and the key of that position.
pub(crate) struct LastMove {
    needs_san: bool,
    needs_uci: bool,
    pub(crate) needs_key: bool,
    /// How castling is written in UCI notation.
    castling: CastlingRules,
    /// Whether the next move may belong to a row. Otherwise it is not written.
    pub(crate) may_matter: bool,
    /// The move in SAN. Empty at the start of the game, and if no column needs it.
    pub(crate) san: Spelled,
    /// The move in UCI notation, like `san`.
    pub(crate) uci: Vec<u8>,
    /// The key of the position; `None` if it has not been updated move by move.
    pub(crate) key: Option<u64>,
}

impl LastMove {
    /// Begins a game. Moves in SAN, moves in UCI notation, and keys of positions are made if they are needed.
    pub(crate) fn new([needs_san, needs_uci, needs_key]: [bool; 3], castling: CastlingRules) -> Self {
        Self {
            needs_san,
            needs_uci,
            needs_key,
            castling,
            may_matter: true,
            san: Spelled::default(),
            uci: Vec::new(),
            key: None,
        }
    }

    #[inline(never)]
    fn see_more(&mut self, position: &Position, m: Move) {
        if self.needs_uci {
            self.uci.clear();
            m.append_uci(self.castling, &mut self.uci);
        }
        self.key = self.key.map(|key| zobrist::key_after(key, position, m));
    }

    /// Adds the check mark in the position after the move.
    #[inline(always)]
    pub(crate) fn arrive(&mut self, position: &Position) {
        if self.needs_san {
            self.san.mark(position);
        }
    }
}

/// Writes moves before they are played.
impl Observer for LastMove {
    #[inline(always)]
    fn see(&mut self, next: &PendingMove<'_>) {
        if !self.may_matter {
            self.key = None;
            return;
        }
        if self.needs_san {
            self.san = next.spelled();
        }
        if self.needs_uci || self.needs_key {
            self.see_more(next.position, next.m);
        }
    }
}
