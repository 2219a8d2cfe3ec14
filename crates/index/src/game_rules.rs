//! The rules of the games of an index: chess, or a variant.

use crate::error::IndexError;
use crate::games_table::GameColumn;
use crate::open::OpenRun;
use pgn2fen_chess::rules::Rules;

/// The rules of all games of an index. They take a byte a game if there are games of variants.
#[derive(Clone, Debug, Default)]
pub struct GameRules {
    first: u64,
    /// Empty if all games are games of chess.
    games: Vec<Rules>,
    counts: [u64; Rules::ALL.len()],
}

impl GameRules {
    /// Returns the rules of a game. A game without a usable start counts as a game of chess.
    #[inline]
    pub fn of(&self, game: u64) -> Rules {
        let at = usize::try_from(game.wrapping_sub(self.first)).unwrap_or(usize::MAX);
        self.games.get(at).copied().unwrap_or_default()
    }

    /// Returns the number of games of these rules.
    pub fn count(&self, rules: Rules) -> u64 {
        self.counts[rules as usize]
    }

    /// Returns the number of games of other rules.
    pub fn others(&self, rules: Rules) -> u64 {
        self.counts.iter().sum::<u64>() - self.count(rules)
    }

    /// Returns the rules of which there are games, with the number of games, in the order of [`Rules::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (Rules, u64)> {
        Rules::ALL.into_iter().zip(self.counts).filter(|(_, games)| *games > 0)
    }

    /// Reads the rules of the games of some runs.
    pub(crate) fn read(runs: &[OpenRun]) -> Result<Self, IndexError> {
        let mut rules = Self { first: runs.first().map_or(1, OpenRun::first_game), ..Self::default() };
        let mut at = 0;
        for run in runs {
            let table = run.games()?;
            let mut starts = table.texts(None, GameColumn::Start.at(), 0..table.rows());
            while let Some(rows) = starts.next_rows(u64::MAX)? {
                for start in rows.texts() {
                    let of_game = named(start);
                    rules.counts[of_game as usize] += 1;
                    if of_game != Rules::Chess {
                        rules.games.resize(at, Rules::Chess);
                        rules.games.push(of_game);
                    }
                    at += 1;
                }
            }
        }
        Ok(rules)
    }
}

/// Returns the rules that a text of the column [`GameColumn::Start`] means.
pub(crate) fn named(start: &[u8]) -> Rules {
    str::from_utf8(start).ok().and_then(Rules::named).unwrap_or_default()
}
