//! The letters and digits of the coordinates, and of the numbers beside a board, as lines, so that no font is needed.
//!
//! Each is a path of relative commands that begins at the left end of its base line. It is drawn with a stroke, in the
//! units of the board: letters are 7 high, digits 6.6.

/// The width of a letter or digit without its stroke.
pub(super) const WIDTH: f32 = 3.8;

/// The height of a digit.
pub(super) const DIGIT_HEIGHT: f32 = 6.6;

/// The width of the stroke.
pub(super) const STROKE: &str = ".95";

/// The letters a to h.
pub(super) const LETTERS: [&str; 8] = [
    "m3.8-4.4v4.4m0-2.2a1.9 2.2 0 1 0-3.8 0a1.9 2.2 0 1 0 3.8 0",
    "m0-7v7m0-2.2a1.9 2.2 0 1 0 3.8 0a1.9 2.2 0 1 0-3.8 0",
    "m3.5-3.5a1.9 2.2 0 1 0 0 2.6",
    "m3.8-7v7m0-2.2a1.9 2.2 0 1 0-3.8 0a1.9 2.2 0 1 0 3.8 0",
    "m0-2.2h3.8a1.9 2.2 0 1 0-.5 1.5",
    "m3.2-6.8q-2-.6-2 1.4v5.4m-1.2-4.4h2.9",
    "m3.8-4.4v4.6q0 1.8-1.9 1.8-1.1 0-1.6-.5m3.5-3.7a1.9 2.2 0 1 0-3.8 0a1.9 2.2 0 1 0 3.8 0",
    "m0-7v7m0-2.6q.2-1.8 1.9-1.8 1.7 0 1.7 1.9v2.5",
];

/// The digits 0 and 9, and a plus sign, which no coordinate has.
pub(super) const ZERO: &str = "m0-3.3a1.9 3.3 0 1 0 3.8 0a1.9 3.3 0 1 0-3.8 0";
pub(super) const NINE: &str = "m3.8-4.6a1.9 2 0 1 0-3.8 0a1.9 2 0 1 0 3.8 0m0 0q0 4.1-3.3 4.4";
pub(super) const PLUS: &str = "m0-3.3h3.8m-1.9-1.9v3.8";

/// The digits 1 to 8.
pub(super) const DIGITS: [&str; 8] = [
    "m.8-5.4 1.5-1.2v6.6",
    "m.1-5q.2-1.6 1.8-1.6 1.7 0 1.7 1.7 0 1-1 2l-2.6 2.9h3.8",
    "m.2-5.6q.5-1 1.7-1 1.6 0 1.6 1.6t-1.9 1.5q2.2 0 2.2 1.8 0 1.7-1.9 1.7-1.4 0-1.9-1.2",
    "m2.9 0v-6.6l-2.9 4.7h3.9",
    "m3.5-6.6h-2.9l-.3 3q.6-.6 1.6-.6 1.9 0 1.9 2.1t-2 2.1q-1.3 0-1.8-1",
    "m3.3-6.5q-3.3.3-3.3 4.4m0 0a1.9 2 0 1 0 3.8 0a1.9 2 0 1 0-3.8 0",
    "m0-6.6h3.8l-2.5 6.6",
    "m.4-5.1a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0m-.4 3.3a1.9 1.8 0 1 0 3.8 0a1.9 1.8 0 1 0-3.8 0",
];
