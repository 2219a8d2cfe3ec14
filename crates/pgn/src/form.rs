//! The forms of a database: games, positions, or records.

/// The kind of content of a database.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Form {
    /// Games in PGN.
    #[default]
    Games,
    /// A position on each line.
    Positions,
    /// A game in PGN on each line, which was made of a record of another format.
    Records,
}
