//! A set of columns.

use crate::columns::column::Column;

/// A set of columns, without those of tags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ColumnSet(u64);

impl ColumnSet {
    /// The columns that need the evaluation of a position.
    pub(crate) const SEARCH: Self = Self::of(&[
        Column::Eval,
        Column::Depth,
        Column::Time,
        Column::Nodes,
        Column::WinChance,
        Column::CpLoss,
        Column::Accuracy,
        Column::Judgement,
    ]);

    /// The columns that need the evaluations before and behind a move.
    pub(crate) const JUDGED: Self = Self::of(&[Column::CpLoss, Column::Accuracy, Column::Judgement]);

    /// The columns that need all evaluations of a game.
    pub(crate) const REVIEW: Self = Self::of(&[
        Column::WhiteAccuracy,
        Column::BlackAccuracy,
        Column::WhiteCpLoss,
        Column::BlackCpLoss,
        Column::WhiteInaccuracies,
        Column::BlackInaccuracies,
        Column::WhiteMistakes,
        Column::BlackMistakes,
        Column::WhiteBlunders,
        Column::BlackBlunders,
    ]);

    /// The columns that need all tags of games.
    pub(crate) const TAGS: Self = Self::of(&[Column::Id, Column::Tags, Column::Operations]);

    /// The columns that need the comments or the NAGs of games.
    pub(crate) const COMMENTS: Self = Self::of(&[
        Column::Clk,
        Column::Spent,
        Column::Comment,
        Column::Words,
        Column::Nags,
        Column::Evals,
        Column::Clocks,
    ])
    .union(Self::SEARCH)
    .union(Self::REVIEW);

    /// The columns that need the names of openings.
    pub(crate) const OPENING: Self = Self::of(&[Column::Eco, Column::Opening]);

    pub(crate) const fn of(columns: &[Column]) -> Self {
        let (mut set, mut nth) = (0, 0);
        while nth < columns.len() {
            set |= 1 << columns[nth].number();
            nth += 1;
        }
        Self(set)
    }

    #[inline]
    pub(crate) const fn has(self, column: &Column) -> bool {
        self.0 >> column.number() & 1 != 0
    }

    /// Returns the set with another column.
    pub(crate) const fn with(self, column: &Column) -> Self {
        Self(self.0 | 1 << column.number())
    }

    /// Returns the columns of either set.
    const fn union(self, columns: Self) -> Self {
        Self(self.0 | columns.0)
    }

    /// Returns the set without these columns.
    pub(crate) const fn without(self, columns: Self) -> Self {
        Self(self.0 & !columns.0)
    }

    /// Whether one of these columns is in the set.
    #[inline]
    pub(crate) const fn has_any(self, columns: Self) -> bool {
        self.0 & columns.0 != 0
    }

    /// Whether there are columns with the moves in SAN, with the moves in UCI notation, and with the keys of positions.
    pub(crate) fn of_moves(self) -> [bool; 3] {
        let san = self.has_any(Self::of(&[Column::San, Column::NextSan]));
        let uci = self.has_any(Self::of(&[Column::Uci, Column::NextUci]));
        [san, uci, self.has(&Column::Key)]
    }
}
