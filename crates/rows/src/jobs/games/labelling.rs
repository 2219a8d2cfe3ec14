//! Labels copies, so that they can be put into another order or into several files.

use crate::jobs::games::copying::Copied;
use crate::jobs::games::names::GameFileNames;
use crate::jobs::games::order::Order;
use crate::jobs::games::split::Split;
use pgn2fen_games::pgn::edit::GameEdit;
use pgn2fen_games::pgn::tags::RawValue;
use pgn2fen_games::players::Players;
use pgn2fen_games::selection::{Identity, mixed};
use pgn2fen_games::walk::OpenGame;

/// The rule by which copies are labelled.
#[derive(Debug)]
pub(super) struct Labelling {
    order: Order,
    names: Option<GameFileNames>,
    split: Option<Split>,
    tags: Vec<Box<str>>,
    /// The players under several names, of whom the main names are in names of files.
    players: Players,
}

impl Labelling {
    /// Creates the rule for an order, and for the names of files if there are several.
    pub(super) fn new(order: Order, names: Option<GameFileNames>, split: Option<Split>, players: Players) -> Self {
        let mut tags: Vec<Box<str>> = names.iter().flat_map(|names| names.tags().iter().cloned()).collect();
        if let Order::Sorted(keys) = &order {
            tags.extend(keys.tags().map(Box::from));
        }
        Self { order, names, split, tags, players }
    }

    /// Returns the names of the tags that are read.
    pub(super) fn tags(&self) -> &[Box<str>] {
        &self.tags
    }

    /// Whether the identity of games is used.
    pub(super) fn needs_identity(&self) -> bool {
        matches!(self.split, Some(Split::Shares(_)))
    }

    /// Labels the last copy, which is that of a game with this edit and this identity.
    pub(super) fn label(&self, game: &OpenGame<'_, '_>, edit: &GameEdit, identity: Identity, made: &mut Copied) {
        let edited = (!edit.is_empty()).then(|| edit.tags(game.tags));
        let tags = edited.as_ref().unwrap_or(game.tags);
        let key = |out: &mut Vec<u8>| match &self.order {
            Order::Files => {}
            Order::Sorted(keys) => keys.append(tags, game.encoding, out),
            Order::Shuffled { seed } => out.extend(mixed(*seed, &[game.file, game.offset()]).to_be_bytes()),
        };
        let tag = |name: &str| {
            let value = tags.value(name).map(RawValue::unescape).unwrap_or_default();
            let value = game.encoding.decode(&value);
            let main = self.players.name_in_tag(name, &value, tags, game.encoding);
            main.unwrap_or(&value).to_owned()
        };
        let part = match &self.split {
            Some(Split::Shares(shares)) => Some(shares.part(identity)),
            Some(Split::Games(_) | Split::Bytes(_) | Split::Study) | None => None,
        };
        let place = |out: &mut Vec<u8>| {
            if let Some(names) = &self.names {
                out.extend_from_slice(names.place(tag, part).as_bytes());
            }
        };
        made.label(key, place);
    }
}
