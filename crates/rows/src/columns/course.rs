//! The moves, evaluations and clocks of games, for rows of games.

use pgn2fen_tables::Texts;

/// The moves, evaluations and clocks of games. Each game has a range of each.
#[derive(Debug, Default)]
pub(crate) struct Courses {
    moves: Texts,
    evals: Vec<Option<i32>>,
    clocks: Vec<Option<f64>>,
    ends: Vec<Ends>,
}

/// The ends of the ranges of a game.
#[derive(Clone, Copy, Debug, Default)]
struct Ends {
    moves: usize,
    evals: usize,
    clocks: usize,
}

/// The moves of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moves<'t> {
    texts: &'t Texts,
    start: usize,
    end: usize,
}

impl<'t> Moves<'t> {
    pub(crate) fn iter(self) -> impl Iterator<Item = &'t str> {
        (self.start..self.end)
            .map(move |at| self.texts.get(at).and_then(|text| str::from_utf8(text).ok()).unwrap_or(""))
    }
}

impl Courses {
    /// Adds the move that `write` writes to the game that has not been ended.
    pub(crate) fn push_move(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        self.moves.push_with(write);
    }

    /// Adds the evaluation after a move.
    pub(crate) fn push_eval(&mut self, centipawns: Option<i32>) {
        self.evals.push(centipawns);
    }

    /// Adds the clock after a move.
    pub(crate) fn push_clock(&mut self, seconds: Option<f64>) {
        self.clocks.push(seconds);
    }

    /// Ends a game. A game without any evaluation has no list of evaluations, and so for clocks. Returns its size,
    /// about, in bytes.
    pub(crate) fn end_game(&mut self) -> usize {
        let Ends { moves, evals, clocks } = self.ends.last().copied().unwrap_or_default();
        if self.evals[evals..].iter().all(Option::is_none) {
            self.evals.truncate(evals);
        }
        if self.clocks[clocks..].iter().all(Option::is_none) {
            self.clocks.truncate(clocks);
        }
        let ends = Ends { moves: self.moves.len(), evals: self.evals.len(), clocks: self.clocks.len() };
        self.ends.push(ends);
        MOVE_WEIGHT * (ends.moves - moves)
            + size_of::<Option<i32>>() * (ends.evals - evals)
            + size_of::<Option<f64>>() * (ends.clocks - clocks)
    }

    /// Returns the ends of the game before this one, and its own.
    fn range(&self, game: usize) -> Option<(Ends, Ends)> {
        let end = *self.ends.get(game)?;
        Some((game.checked_sub(1).map_or(Ends::default(), |before| self.ends[before]), end))
    }

    /// Returns the moves of a game.
    pub(crate) fn moves(&self, game: usize) -> Option<Moves<'_>> {
        let (Ends { moves: start, .. }, Ends { moves: end, .. }) = self.range(game)?;
        Some(Moves { texts: &self.moves, start, end })
    }

    /// Returns the evaluations of a game, if it has any.
    pub(crate) fn evals(&self, game: usize) -> Option<&[Option<i32>]> {
        let (start, end) = self.range(game)?;
        Some(&self.evals[start.evals..end.evals]).filter(|evals| !evals.is_empty())
    }

    /// Returns the clocks of a game, if it has any.
    pub(crate) fn clocks(&self, game: usize) -> Option<&[Option<f64>]> {
        let (start, end) = self.range(game)?;
        Some(&self.clocks[start.clocks..end.clocks]).filter(|clocks| !clocks.is_empty())
    }

    /// Keeps the first games.
    pub(crate) fn truncate(&mut self, games: usize) {
        self.ends.truncate(games);
        let Ends { moves, evals, clocks } = self.ends.last().copied().unwrap_or_default();
        self.moves.truncate(moves);
        self.evals.truncate(evals);
        self.clocks.truncate(clocks);
    }
}

/// The size of a move, about, in bytes.
const MOVE_WEIGHT: usize = 13;

#[cfg(test)]
mod tests {
    use super::Courses;

    #[test]
    fn each_game_has_its_own_lists() {
        let mut courses = Courses::default();
        let mut push = |moves: &[&str], evals: &[Option<i32>]| {
            moves.iter().for_each(|text| courses.push_move(|out| out.extend_from_slice(text.as_bytes())));
            evals.iter().for_each(|eval| courses.push_eval(*eval));
            courses.end_game()
        };
        assert!(push(&["e2e4", "e7e5"], &[Some(20), None]) > push(&[], &[]));
        assert!(push(&["d2d4"], &[None]) > 0);
        let moves =
            |courses: &Courses, game| courses.moves(game).map(|moves| moves.iter().collect::<Vec<_>>().join(" "));
        assert_eq!(moves(&courses, 0).as_deref(), Some("e2e4 e7e5"));
        assert_eq!((moves(&courses, 1).as_deref(), moves(&courses, 2).as_deref()), (Some(""), Some("d2d4")));
        assert_eq!(courses.evals(0), Some(&[Some(20), None][..]));
        assert_eq!((courses.evals(1), courses.evals(2), courses.clocks(0)), (None, None, None));
        courses.truncate(1);
        assert_eq!((moves(&courses, 0).as_deref(), moves(&courses, 1)), (Some("e2e4 e7e5"), None));
    }

    #[test]
    fn the_size_of_a_game_grows_with_each_of_its_lists() {
        let size = |moves: usize, evals: usize, clocks: usize| {
            let mut courses = Courses::default();
            let mut push = || {
                (0..moves).for_each(|_| courses.push_move(|out| out.extend_from_slice(b"e2e4")));
                (0..evals).for_each(|_| courses.push_eval(Some(30)));
                (0..clocks).for_each(|_| courses.push_clock(Some(60.0)));
                courses.end_game()
            };
            // It is that of the game alone, and not of those before it.
            let (first, second) = (push(), push());
            assert_eq!(first, second);
            first
        };
        for size in [size(100, 0, 0), size(0, 100, 0), size(0, 0, 100)] {
            assert!(size >= 400, "{size}");
        }
    }
}
