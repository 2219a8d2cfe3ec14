//! The answers of the site, apart from HTTP.

use crate::index_set::Shelves;
use crate::message::Message;

/// A function that is called with each message.
pub(super) type Report = dyn Fn(&Message) + Send + Sync;

/// What all requests share.
pub(super) struct Site {
    pub(super) shelves: Shelves,
    pub(super) report: Box<Report>,
}

impl std::fmt::Debug for Site {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Site").field("shelves", &self.shelves).finish_non_exhaustive()
    }
}
