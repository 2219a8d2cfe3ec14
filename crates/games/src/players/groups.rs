//! Names that belong together.

/// Sets of names, which are joined step by step (union-find).
#[derive(Debug)]
pub(super) struct Groups {
    /// For each name, another one of its group; the first one of a group stands for it.
    parents: Vec<u32>,
    /// The number of the known player of a group, by the name that stands for it.
    known: Vec<Option<u32>>,
}

impl Groups {
    /// Makes groups of one name each, with the numbers of the players that are known.
    pub(super) fn new(known: Vec<Option<u32>>) -> Self {
        Self { parents: (0u32..).take(known.len()).collect(), known }
    }

    /// Returns the name that stands for the group of a name.
    pub(super) fn of(&mut self, name: usize) -> usize {
        let mut at = name;
        while self.parents[at] as usize != at {
            // Shortens the way for the next time.
            self.parents[at] = self.parents[self.parents[at] as usize];
            at = self.parents[at] as usize;
        }
        at
    }

    /// Joins the groups of two names, unless they belong to two players that are known.
    pub(super) fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.of(a), self.of(b));
        let (first, second) = (a.min(b), a.max(b));
        let is_other = self.known[a].zip(self.known[b]).is_some_and(|(a, b)| a != b);
        if first != second && !is_other {
            self.known[first] = self.known[first].or(self.known[second]);
            self.parents[second] = self.parents[first];
        }
    }

    /// Returns the number of the known player of a group, by the name that stands for it.
    pub(super) fn known(&self, of: usize) -> Option<u32> {
        self.known[of]
    }
}

#[cfg(test)]
mod tests {
    use super::Groups;

    #[test]
    fn groups_of_two_known_players_are_not_joined() {
        let mut groups = Groups::new(vec![None, Some(0), None, Some(1), None]);
        groups.join(4, 2);
        groups.join(2, 1);
        groups.join(3, 4);
        groups.join(0, 3);
        assert_eq!((0..5).map(|name| groups.of(name)).collect::<Vec<_>>(), [0, 1, 1, 0, 1]);
        assert_eq!((groups.known(0), groups.known(1)), (Some(1), Some(0)));
    }
}
