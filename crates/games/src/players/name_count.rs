//! A name that games have, and the games with it.

/// A name that games have, with one FIDE id or without one, and the games with it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NameCount {
    /// The name as it is written in the games.
    pub name: Box<str>,
    /// The FIDE id in the games. None if they have none, and for a name with any FIDE id.
    pub fide_id: Option<u32>,
    /// The number of games with this name as White.
    pub white: u64,
    /// The number of games with this name as Black.
    pub black: u64,
    /// The years of the first and the last of the games. None if no game has a known year.
    pub years: Option<(u16, u16)>,
    /// The least and the greatest rating. None if none is known.
    pub ratings: Option<(u16, u16)>,
}

impl NameCount {
    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.white + self.black
    }

    /// Adds the games with the same name and another FIDE id.
    pub(super) fn add(&mut self, other: &Self) {
        let wider = |a: Option<(u16, u16)>, b: Option<(u16, u16)>| match (a, b) {
            (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
            (a, b) => a.or(b),
        };
        self.white += other.white;
        self.black += other.black;
        self.years = wider(self.years, other.years);
        self.ratings = wider(self.ratings, other.ratings);
    }

    pub(super) fn none(name: &str) -> Self {
        Self { name: name.into(), fide_id: None, white: 0, black: 0, years: None, ratings: None }
    }
}
