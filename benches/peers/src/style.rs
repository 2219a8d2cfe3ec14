//! The choices that a FEN leaves open, named as `pgn2fen` names them.

use clap::ValueEnum;
use shakmaty::EnPassantMode;

/// How to write a FEN.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FenStyle {
    pub(crate) ep: EpStyle,
    pub(crate) castling: CastlingStyle,
}

/// When the e.p. square is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EpStyle {
    /// After every double push
    Always,
    /// When an enemy pawn stands beside the pushed one
    Xfen,
    /// When it can be captured legally
    Legal,
}

/// How castling rights are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CastlingStyle {
    /// KQkq, and a file's letter for a rook that is not the outermost
    Xfen,
    /// Always the file's letter
    Shredder,
}

impl FenStyle {
    /// The style that all contenders write by themselves.
    pub(crate) const COMMON: FenStyle = FenStyle { ep: EpStyle::Always, castling: CastlingStyle::Xfen };
}

impl EpStyle {
    pub(crate) const ALL: [EpStyle; 3] = [EpStyle::Always, EpStyle::Xfen, EpStyle::Legal];

    /// The name on a command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            EpStyle::Always => "always",
            EpStyle::Xfen => "xfen",
            EpStyle::Legal => "legal",
        }
    }

    /// shakmaty's name for it.
    pub(crate) fn mode(self) -> EnPassantMode {
        match self {
            EpStyle::Always => EnPassantMode::Always,
            EpStyle::Xfen => EnPassantMode::PseudoLegal,
            EpStyle::Legal => EnPassantMode::Legal,
        }
    }
}

impl CastlingStyle {
    /// The name on a command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            CastlingStyle::Xfen => "xfen",
            CastlingStyle::Shredder => "shredder",
        }
    }
}
