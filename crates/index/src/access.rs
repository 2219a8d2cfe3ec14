//! How the tables of an index are read.

/// How the tables of an open [`Index`](crate::Index) are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableAccess {
    /// They are mapped into memory, and each block of 4 KiB is compared with its checksum when it is first read.
    /// Nothing in this package changes a table that has been written. But if another program truncates one while it is
    /// mapped, or its disk fails, the system ends the process (SIGBUS on Unix).
    #[default]
    Map,
    /// They are read, and every read is compared with its checksums. So a table may be truncated or overwritten at any
    /// time: that is an error of the look-up that needs it. Thousands of look-ups, one after another, take a third
    /// longer.
    Read,
}
