//! The names of the choices that leave out games or positions.
//!
//! A choice has the name of the field or, where that is shorter, of the notion: `tags`, `start`, `opening`. The command
//! and the Python package derive the names of their options from it, so each rule about choices is here once.

use std::num::NonZeroU32;

use pgn2fen_chess::fen::FenStyle;

use crate::course::CourseFilter;
use crate::games::{GameFilter, Start};
use crate::positions::PositionFilter;
use crate::shape::ShapeFilter;

/// Returns the names of those that are chosen.
#[doc(hidden)]
pub fn chosen(choices: &[(&'static str, bool)]) -> Vec<&'static str> {
    choices.iter().filter(|(_, is_chosen)| *is_chosen).map(|(name, _)| *name).collect()
}

/// Returns the names of the choices that change the style of FENs.
#[doc(hidden)]
pub fn chosen_style(style: FenStyle) -> Vec<&'static str> {
    let FenStyle { ep, castling, fields, variant } = FenStyle::default();
    chosen(&[
        ("ep", style.ep != ep),
        ("castling", style.castling != castling),
        ("fields", style.fields != fields),
        ("fen_style", style.variant != variant),
    ])
}

impl GameFilter {
    /// Returns the names of the conditions that leave out games.
    #[doc(hidden)]
    pub fn chosen(&self) -> Vec<&'static str> {
        let of_tags = chosen(&[
            ("tags", !self.tags.is_empty()),
            ("start", self.start != Start::Any),
            ("opening", !self.openings.is_empty()),
            ("commented", self.commented),
        ]);
        [of_tags, self.course.chosen()].concat()
    }
}

impl CourseFilter {
    /// Returns the names of the conditions that leave out games.
    #[doc(hidden)]
    pub fn chosen(&self) -> Vec<&'static str> {
        let course = chosen(&[
            ("reached", !self.reached.is_empty()),
            ("moves", !self.moves.is_empty()),
            ("ends", !self.ends.is_empty()),
            ("length", self.length.is_some()),
        ]);
        [course, self.shape.chosen()].concat()
    }
}

impl ShapeFilter {
    /// Returns the names of the conditions.
    #[doc(hidden)]
    pub fn chosen(&self) -> Vec<&'static str> {
        chosen(&[
            ("material", !self.material.is_empty()),
            ("pattern", !self.patterns.is_empty()),
            ("pawns", !self.pawns.is_empty()),
        ])
    }
}

impl PositionFilter {
    /// Returns the names of the conditions that leave out positions, but for the shape.
    #[doc(hidden)]
    pub fn chosen(&self) -> Vec<&'static str> {
        chosen(&[
            ("plies", !self.plies.is_all()),
            ("skip_start", self.skip_start),
            ("every", self.every > NonZeroU32::MIN),
            ("sample", self.sample.is_some()),
            ("turn", self.turn.is_some()),
            ("pieces", self.men.is_some()),
            ("skip_checks", self.skip_checks),
            ("skip_captures", self.skip_captures),
            ("max_eval", self.max_eval.is_some()),
            ("eval", self.eval.is_some()),
            ("judgement", !self.judgements.is_empty()),
            ("min_loss", self.min_loss.is_some()),
        ])
    }

    /// Returns the names of the conditions that leave out positions between others of a game, but for the shape.
    #[doc(hidden)]
    pub fn dividing(&self) -> Vec<&'static str> {
        let at_ends = ["plies", "skip_start", "pieces", "max_eval"];
        self.chosen().into_iter().filter(|name| !at_ends.contains(name)).collect()
    }
}
