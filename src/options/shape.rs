//! The options that choose positions by their shape.

use std::num::NonZeroU32;

use anyhow::{Result, ensure};
use clap::{Args, ValueEnum};

use pgn2fen_games::selection::{BoardPattern, Material, PawnStructure, ShapeColors, ShapeFilter};

#[derive(Debug, Args)]
#[command(next_help_heading = "Shape")]
pub(crate) struct ShapeArguments {
    /// The material: the pieces of White and of Black, such as KRP:KR
    ///
    /// After a letter: 2 (exactly two), 2+ and 2.. (at least two), 2- and ..2 (at most two), 2..4, + (at least one), *
    /// (any number). Compared with the other side: = and # (as many, not as many), +1 and -1 (exactly one more, one
    /// fewer), > and < (more, fewer), 2> and 2< (by at least two). L is a bishop or knight. ? stands for any other
    /// pieces; without it, there are none. 'RP+1:RP*' is a rook ending with an extra pawn. With several of these
    /// options, one must hold; --material, --pattern and --pawns must hold together.
    #[arg(long, value_name = "PIECES")]
    material: Vec<Material>,
    /// A board, written like that of a FEN: '*/*/*/*/*/*/?????PPP/*RK?'
    ///
    /// Digits are empty squares. ? is any square, * any number of squares of a rank, _ an empty square, ! a square with
    /// any piece, A and a a white and a black piece, m a square without a pawn, [QR] one of these, [^p_] none of these.
    /// With several of these options, one must match.
    #[arg(long = "pattern", value_name = "BOARD")]
    patterns: Vec<BoardPattern>,
    /// The squares of all pawns, written like the board of a FEN; other pieces do not matter
    ///
    /// In the board of a FEN, the other pieces are ignored. ? * [..] mean the same as in --pattern. With several of
    /// these options, one must hold.
    #[arg(long, value_name = "BOARD", hide_short_help = true)]
    pawns: Vec<PawnStructure>,
    /// Whether the colors of the shape may be exchanged
    #[arg(long, value_enum, value_name = "WHICH", hide_default_value = true, hide_short_help = true)]
    shape_colors: Option<ShapeColorsArgument>,
    /// The shape may also have left and right exchanged
    #[arg(long, hide_short_help = true)]
    mirror: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Shape")]
pub(crate) struct StretchArguments {
    /// Only if the shape lasts for at least N positions in a row, such as 6 for three moves of each side
    #[arg(long, value_name = "N", value_parser = number, hide_short_help = true)]
    for_plies: Option<NonZeroU32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShapeColorsArgument {
    /// As given, or with White and Black exchanged (the default)
    Either,
    /// As given
    Given,
}

impl ShapeArguments {
    /// Returns the shape, which is empty if none of the options is on the command line. `stretch` sets for how long it
    /// must last.
    pub(crate) fn filter(&self, stretch: Option<&StretchArguments>) -> Result<ShapeFilter> {
        let colors = self.shape_colors;
        let for_plies = stretch.and_then(|stretch| stretch.for_plies);
        let has_squares = !self.patterns.is_empty() || !self.pawns.is_empty();
        ensure!(!self.mirror || has_squares, "--mirror exchanges left and right, and needs --pattern or --pawns");
        let has_shape = has_squares || !self.material.is_empty();
        ensure!(has_shape || colors.is_none(), "--shape-colors needs --material, --pattern or --pawns");
        ensure!(has_shape || for_plies.is_none(), "--for-plies needs --material, --pattern or --pawns");
        Ok(ShapeFilter {
            material: self.material.clone(),
            patterns: self.patterns.clone(),
            pawns: self.pawns.clone(),
            colors: match colors {
                None | Some(ShapeColorsArgument::Either) => ShapeColors::Either,
                Some(ShapeColorsArgument::Given) => ShapeColors::Given,
            },
            mirror: self.mirror,
            for_plies: for_plies.unwrap_or(NonZeroU32::MIN),
        })
    }
}

/// Parses the value of `--for-plies`.
fn number(text: &str) -> Result<NonZeroU32, &'static str> {
    text.parse().map_err(|_| "not a number of 1 or more")
}
