//! The sizes of tables and their divisions. The bytes of an index depend only on these numbers and the rows.

/// The division of a run into parts, and of its tables into row groups and pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// The approximate number of postings in a part.
    pub(super) part: u64,
    pub(super) postings: TableSizes,
    pub(super) moves: TableSizes,
    pub(super) games: TableSizes,
}

/// The division of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TableSizes {
    /// The number of rows in a page, which is decoded as a whole.
    pub(super) page_rows: usize,
    /// The number of rows in a row group.
    pub(super) group_rows: usize,
}

impl Sizes {
    /// The sizes of every index. Tests use others to get many parts, row groups and pages from few games.
    pub(super) const USUAL: Self = Self {
        part: 1024 * 1024,
        postings: TableSizes { page_rows: 4096, group_rows: 512 * 1024 },
        moves: TableSizes { page_rows: 1024, group_rows: 64 * 1024 },
        games: TableSizes { page_rows: 512, group_rows: 64 * 1024 },
    };

    /// Sizes so small that a few hundred games fill many parts.
    #[cfg(test)]
    pub(super) const SMALL: Self = {
        let table = TableSizes { page_rows: 16, group_rows: 100 };
        Self { part: 500, postings: table, moves: table, games: table }
    };
}
