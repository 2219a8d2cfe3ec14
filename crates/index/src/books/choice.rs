//! The games and positions of an index that a book is made of.

use crate::books::error::BookError;
use crate::{Index, PostingChoice, SideChoice};
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::rules::Rules;
use pgn2fen_games::players::Players;
use pgn2fen_games::selection::{Plies, TagFilter};

/// The games and positions of an index that a book is made of. By default, these are the positions of all games that at
/// least three games reached. Books have no rules, so only games of chess count: [`Index::rules`](crate::Index::rules)
/// tells how many others there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookChoice {
    /// The plies of the positions: ply 0 is the starting position of a game. Numbers from the end of games are an
    /// error.
    pub plies: Plies,
    /// The filters for games. The tags of a game must satisfy all of them.
    pub tags: Vec<TagFilter>,
    /// The players under several names, whom the filters and `player` find under all of them.
    pub players: Players,
    /// A part of the name of the player whose moves count, in upper or lower case. None if the moves of all players
    /// count.
    pub player: Option<String>,
    /// The side whose moves count. None if those of both sides count.
    pub turn: Option<Color>,
    /// The least number of games in which a move was played; in an opening suite, the least number of games that
    /// reached a position.
    pub min_games: u64,
}

impl Default for BookChoice {
    fn default() -> Self {
        Self {
            plies: Plies::ALL,
            tags: Vec::new(),
            players: Players::default(),
            player: None,
            turn: None,
            min_games: 3,
        }
    }
}

impl BookChoice {
    /// Checks the options without an index. It is not known yet whether an index keeps the tags of the filters.
    ///
    /// # Errors
    ///
    /// Fails if the plies count from the end of games, or if the name of the player is empty.
    pub fn check(&self) -> Result<(), BookError> {
        match &self.player {
            _ if self.plies.count_from_end() => Err(BookError::PliesFromEnd),
            Some(player) if player.trim().is_empty() => Err(BookError::NoPlayer),
            _ => Ok(()),
        }
    }

    /// Reads which games of the index are chosen.
    pub(super) fn postings(&self, index: &Index) -> Result<PostingChoice, BookError> {
        self.check()?;
        let Self { players, player, turn, .. } = self;
        let tags: Vec<TagFilter> = self.tags.iter().map(|filter| filter.for_players(players)).collect();
        let columns = index.columns_of_filters(&tags)?;
        let player = player.as_deref();
        let rules = Rules::Chess;
        let sides = index.sides(SideChoice { tags: &tags, columns: &columns, players, player, turn: *turn, rules })?;
        Ok(PostingChoice { plies: self.plies.of_game(0), sides, min_games: self.min_games })
    }
}
