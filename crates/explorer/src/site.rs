//! The answers of the site, apart from HTTP.

use crate::index_set::Indexes;
use crate::message::Message;

/// A function that is called with each message.
pub(super) type Report = dyn Fn(&Message) + Send + Sync;

/// What all requests share.
pub(super) struct Site {
    pub(super) indexes: Indexes,
    pub(super) report: Box<Report>,
}

impl std::fmt::Debug for Site {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Site").field("indexes", &self.indexes).finish_non_exhaustive()
    }
}
