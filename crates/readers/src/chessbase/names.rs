//! The names of a database, which are held in memory.

use crate::chessbase::entities::Entities;

/// The names of players, tournaments, annotators, sources and teams.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub(super) players: Entities,
    pub(super) tournaments: Entities,
    pub(super) annotators: Entities,
    pub(super) sources: Entities,
    pub(super) teams: Entities,
}

/// The place of a text in the data of a record, and its greatest size.
pub(super) type Field = (usize, usize);

/// The texts of the records.
pub(super) const LAST_NAME: Field = (0, 30);
pub(super) const FIRST_NAME: Field = (30, 20);
pub(super) const EVENT: Field = (0, 40);
pub(super) const SITE: Field = (40, 30);
pub(super) const ANNOTATOR: Field = (0, 45);
pub(super) const SOURCE: Field = (0, 25);
pub(super) const PUBLISHER: Field = (25, 16);
pub(super) const TEAM: Field = (0, 45);

impl Names {
    /// Returns all texts.
    pub(super) fn texts(&self) -> impl Iterator<Item = &[u8]> {
        let people = texts(&self.players, &[LAST_NAME, FIRST_NAME]).chain(texts(&self.annotators, &[ANNOTATOR]));
        let events = texts(&self.tournaments, &[EVENT, SITE]).chain(texts(&self.teams, &[TEAM]));
        people.chain(events).chain(texts(&self.sources, &[SOURCE, PUBLISHER]))
    }
}

fn texts<'n>(entities: &'n Entities, fields: &'static [Field]) -> impl Iterator<Item = &'n [u8]> {
    entities.iter().flat_map(|data| fields.iter().map(move |field| data.text(*field)))
}
