//! The numbers of a place in a file.

/// The numbers of what stands in a file before a range of it, or of what stands in the range itself. They are added up
/// by [`then`](Self::then).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Before {
    /// The number of games.
    pub games: u64,
    /// The number of games that were chosen, if games were chosen by filters; otherwise the number of all games.
    pub chosen: u64,
    /// The number of line breaks.
    pub lines: u64,
    /// The number of bytes of text. For a compressed file these are bytes of the decoded text.
    pub text: u64,
    /// The number of bytes behind the last line break.
    pub column: usize,
}

impl Before {
    /// Returns the numbers of this text together with the text that follows it.
    ///
    /// ```
    /// use pgn2fen_sources::Before;
    ///
    /// let first = Before { games: 3, chosen: 2, lines: 40, text: 900, column: 7 };
    /// let next = Before { games: 1, chosen: 1, lines: 0, text: 5, column: 5 };
    /// assert_eq!(first.then(next), Before { games: 4, chosen: 3, lines: 40, text: 905, column: 12 });
    /// ```
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        Self {
            games: self.games + next.games,
            chosen: self.chosen + next.chosen,
            lines: self.lines + next.lines,
            text: self.text + next.text,
            column: if next.lines > 0 { next.column } else { self.column + next.column },
        }
    }
}
