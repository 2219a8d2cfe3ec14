//! Labels copies, so that they can be put into another order or into several files.

use crate::games::copying::Copied;
use crate::games::order::Order;
use crate::selection::{Identity, mixed};
use crate::walk::OpenGame;

/// The rule by which copies are labelled.
#[derive(Debug)]
pub(super) struct Labelling {
    order: Order,
    tags: Vec<Box<str>>,
}

impl Labelling {
    /// Creates the rule for an order.
    pub(super) fn new(order: Order) -> Self {
        let tags = match &order {
            Order::Sorted(keys) => keys.tags().map(Box::from).collect(),
            Order::Files | Order::Shuffled { .. } => Vec::new(),
        };
        Self { order, tags }
    }

    /// Returns the names of the tags that are read.
    pub(super) fn tags(&self) -> &[Box<str>] {
        &self.tags
    }

    /// Labels the last copy, which is that of a game with this identity.
    pub(super) fn label(&self, game: &OpenGame<'_, '_>, _: Identity, made: &mut Copied) {
        let key = |out: &mut Vec<u8>| match &self.order {
            Order::Files => {}
            Order::Sorted(keys) => keys.append(game.tags, game.encoding, out),
            Order::Shuffled { seed } => out.extend(mixed(*seed, &[game.file, game.offset()]).to_be_bytes()),
        };
        made.label(key, |_| {});
    }
}
