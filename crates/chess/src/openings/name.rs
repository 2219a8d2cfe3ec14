//! The name of an opening.

use std::fmt;

/// The name of an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Opening {
    /// The code of the *Encyclopaedia of Chess Openings*: a letter from A to E and two digits, such as `B90`.
    pub eco: &'static str,
    /// The English name: a family and its variations, such as `Sicilian Defense: Najdorf Variation, English Attack`.
    pub name: &'static str,
}

/// Writes the code and the name: `B90 Sicilian Defense: Najdorf Variation`.
impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.eco, self.name)
    }
}
