//! Which games of an index count, for which side, and which side moves first in them: three bits for each game, in
//! memory.

use crate::error::IndexError;
use crate::games_table::GameColumn;
use crate::lookup::Index;
use crate::record::{first_to_move, mover};
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::rules::Rules;
use pgn2fen_games::players::Players;
use pgn2fen_games::selection::TagFilter;

/// A choice of games, and of the side whose moves count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SideChoice<'c> {
    /// The filters that the tags of a game must satisfy.
    pub(crate) tags: &'c [TagFilter],
    /// The columns of the conditions of each filter.
    pub(crate) columns: &'c [Vec<GameColumn>],
    /// The players under several names.
    pub(crate) players: &'c Players,
    /// A part of the name of the player whose moves count; None if the moves of all players count.
    pub(crate) player: Option<&'c str>,
    /// The side whose moves count; None if those of both sides count.
    pub(crate) turn: Option<Color>,
    /// The rules of the games that count.
    pub(crate) rules: Rules,
}

/// For each game of an index, which side moves first and whose moves count.
#[derive(Debug)]
pub(crate) struct GameSides {
    first_game: u64,
    turn: Option<Color>,
    black_begins: Bits,
    /// The games in which the moves of White count, and those in which the moves of Black count; None if all moves
    /// count.
    counting: Option<[Bits; 2]>,
}

impl GameSides {
    /// Returns the side to move in a game after so many plies, if its moves count.
    #[inline]
    pub(crate) fn counted_turn(&self, game: u64, ply: u32) -> Option<Color> {
        let at = game.wrapping_sub(self.first_game);
        let first = if self.black_begins.contains(at) { Color::Black } else { Color::White };
        let turn = if mover(first, ply) == 0 { Color::White } else { Color::Black };
        let is_turn = self.turn.is_none_or(|wanted| wanted == turn);
        let is_counted = self.counting.as_ref().is_none_or(|counting| counting[turn.index()].contains(at));
        (is_turn && is_counted).then_some(turn)
    }
}

impl Index {
    /// Reads which side moves first in each game, and whose moves count.
    pub(crate) fn sides(&self, choice: SideChoice<'_>) -> Result<GameSides, IndexError> {
        let first_game = self.manifest().first_game();
        let player = choice.player.map(str::to_lowercase);
        let under_any_name = player.as_deref().map(|part| choice.players.containing(part));
        let rules = self.rules()?;
        let chooses = player.is_some() || !choice.tags.is_empty() || rules.others(choice.rules) > 0;
        let mut counting = chooses.then(<[Bits; 2]>::default);
        let mut black_begins = Bits::default();
        let mut games = self.games();
        for at in 0..self.game_count() {
            let game = first_game + at;
            if games.text(game, GameColumn::Fen)?.is_some_and(|fen| first_to_move(fen) == Color::Black) {
                black_begins.insert(at);
            }
            let Some(counting) = &mut counting else {
                continue;
            };
            let passes =
                rules.of(game) == choice.rules && games.satisfies(game, choice.tags.iter().zip(choice.columns))?;
            for (color, column) in [(Color::White, GameColumn::White), (Color::Black, GameColumn::Black)] {
                let is_player = match &player {
                    Some(part) if passes => {
                        let is_known = |name: &str| under_any_name.as_ref()?.contains(name, None);
                        let is_named = |name: &str| is_known(name) == Some(true) || name.to_lowercase().contains(part);
                        games.text(game, column)?.is_some_and(is_named)
                    }
                    _ => true,
                };
                if passes && is_player {
                    counting[color.index()].insert(at);
                }
            }
        }
        Ok(GameSides { first_game, turn: choice.turn, black_begins, counting })
    }
}

/// A set of numbers, one bit for each up to the greatest.
#[derive(Debug, Default)]
struct Bits(Vec<u64>);

impl Bits {
    fn insert(&mut self, number: u64) {
        let word = usize::try_from(number / 64).unwrap_or(usize::MAX);
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (number % 64);
    }

    #[inline]
    fn contains(&self, number: u64) -> bool {
        let word = usize::try_from(number / 64).unwrap_or(usize::MAX);
        self.0.get(word).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::Bits;

    #[test]
    fn a_set_contains_what_was_inserted() {
        let mut bits = Bits::default();
        for number in [0, 63, 64, 1000] {
            bits.insert(number);
        }
        let found: Vec<u64> = (0..2000).filter(|number| bits.contains(*number)).collect();
        assert_eq!(found, [0, 63, 64, 1000]);
        assert!(!bits.contains(u64::MAX));
    }
}
