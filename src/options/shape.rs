//! The options that choose positions by their shape.

use crate::options::listed::{Group, Listed};
use pgn2fen_games::selection::ShapeFilter;
use pgn2fen_rows::options::{JobOptions, OptionError};

/// The options for a shape.
pub(crate) type ShapeArguments = Listed<Shape>;

#[derive(Debug)]
pub(crate) struct Shape;

impl Group for Shape {
    type Job = JobOptions;
    const HEADING: &'static str = "Shape";
    const NAMES: &'static [&'static str] = &["material", "pattern", "pawns", "colors", "mirror"];
}

/// The option for how long a shape must last.
pub(crate) type StretchArguments = Listed<Stretch>;

#[derive(Debug)]
pub(crate) struct Stretch;

impl Group for Stretch {
    type Job = JobOptions;
    const HEADING: &'static str = "Shape";
    const NAMES: &'static [&'static str] = &["for_plies"];
}

impl ShapeArguments {
    /// Returns the shape, which is empty if none of the options is on the command line. `stretch` sets for how long it
    /// must last.
    pub(crate) fn filter(&self, stretch: Option<&StretchArguments>) -> Result<ShapeFilter, OptionError> {
        let mut job = JobOptions::new();
        self.add_to(&mut job)?;
        stretch.map_or(Ok(()), |stretch| stretch.add_to(&mut job))?;
        job.shape()
    }
}
