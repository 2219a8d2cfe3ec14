//! The players that a filter on names means.

use crate::players::{Players, read_fide_id};

/// Some of the players of a names file, such as those whose names contain a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerSet {
    players: Players,
    /// The numbers of the players, in ascending order.
    numbers: Vec<u32>,
}

impl PlayerSet {
    /// Whether FIDE ids make a difference, because the names file has some.
    pub(crate) fn has_fide_ids(&self) -> bool {
        !self.players.0.by_fide_id.is_empty()
    }

    /// Whether the player with a name and a FIDE id, as the tags of a game have them, is in the set. None if the names
    /// file has neither the name nor the id.
    pub fn contains(&self, name: &str, fide_id: Option<&str>) -> Option<bool> {
        let number = self.players.number(name, fide_id.and_then(read_fide_id))?;
        Some(self.numbers.binary_search(&number).is_ok())
    }
}

impl Players {
    /// Returns the player with this name as a set; None if the names file does not have the name.
    pub fn named(&self, name: &str) -> Option<PlayerSet> {
        let number = self.number(name, None)?;
        Some(PlayerSet { players: self.clone(), numbers: vec![number] })
    }

    /// Returns the players one of whose names contains a text, ignoring case. `Carlsen, M` is in `Carlsen, Magnus`, but
    /// not in `CARLSEN,MAGNUS`: only case makes no difference.
    pub fn containing(&self, part: &str) -> PlayerSet {
        let part = part.to_lowercase();
        let contains = |name: &str| name.to_lowercase().contains(&part);
        let numbers = (0u32..).zip(self.iter()).filter(|(_, player)| player.names().any(contains));
        PlayerSet { players: self.clone(), numbers: numbers.map(|(number, _)| number).collect() }
    }
}

#[cfg(test)]
mod tests {
    use crate::players::Players;

    #[test]
    fn a_set_has_the_players_under_all_names() {
        let file = "Carlsen, Magnus\n  DrNykterstein\n  FIDE 1503014\nCarlsen, Henrik\nTal, Mikhail\n  FIDE 7\n";
        let players: Players = file.parse().unwrap();
        let all = players.containing("CARLSEN");
        assert_eq!(all.contains("drnykterstein", None), Some(true));
        assert_eq!(all.contains("Carlsen,Henrik", None), Some(true));
        assert_eq!(all.contains("Tal Mikhail", Some("0")), Some(false));
        assert_eq!(all.contains("Tal Mikhail", Some("1503014")), Some(true));
        assert_eq!(all.contains("Tal", None), None);
        let magnus = players.named("carlsen magnus").unwrap();
        assert_eq!(magnus.contains("Carlsen, Henrik", None), Some(false));
        assert_eq!(magnus.contains("Anybody", Some(" 1503014 ")), Some(true));
        assert_eq!(magnus.contains("Carlsen, Magnus", Some("7")), Some(false));
        assert_eq!(players.named("Carlsen"), None);
        assert_eq!(Players::default().containing("").contains("x", None), None);
    }
}
