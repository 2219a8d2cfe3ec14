//! How tables are divided. What is written follows from these numbers and the rows alone.

/// How a run is divided into parts, and its tables into row groups and pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sizes {
    /// A part has about so many postings.
    pub(super) part: u64,
    pub(super) postings: TableSizes,
    pub(super) moves: TableSizes,
    pub(super) games: TableSizes,
}

/// How a table is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TableSizes {
    /// How many rows a page has: what is decoded to get at one of them.
    pub(super) page_rows: usize,
    /// How many rows a row group has.
    pub(super) group_rows: usize,
}

impl Sizes {
    /// The sizes of every index. Others are for tests, which need many parts, row groups and pages of few games.
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
