//! A piece of a file of training data.

/// Bytes of a file that begin with a chain, a game or a record.
#[derive(Clone, Copy)]
pub(super) struct Records<'a> {
    pub(super) bytes: &'a [u8],
    /// The offset of the first byte in the file.
    pub(super) offset: u64,
    /// Whether the file ends within the last chain, game or record, which is reported behind them.
    pub(super) is_cut: bool,
}
