//! The games and positions of an index that a book is made of.

use crate::books::error::BookError;
use crate::{GameColumn, Index, PostingChoice, SideChoice, check_tags};
use pgn2fen_chess::piece::Color;
use pgn2fen_games::selection::{Plies, TagFilter};

/// The games and positions of an index that a book is made of. By default, these are the positions of all games that at
/// least three games reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookChoice {
    /// The plies of the positions: ply 0 is the starting position of a game. Numbers from the end of games are an
    /// error.
    pub plies: Plies,
    /// The filters for games. The tags of a game must satisfy all of them.
    pub tags: Vec<TagFilter>,
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
        Self { plies: Plies::ALL, tags: Vec::new(), player: None, turn: None, min_games: 3 }
    }
}

impl BookChoice {
    /// Checks the options without an index.
    ///
    /// # Errors
    ///
    /// Fails if the plies count from the end of games, or for a filter on a tag that an index does not contain.
    pub fn check(&self) -> Result<(), BookError> {
        self.columns().map(drop)
    }

    /// Checks the options, and returns the columns of the conditions of each filter.
    fn columns(&self) -> Result<Vec<Vec<GameColumn>>, BookError> {
        if self.plies.count_from_end() {
            return Err(BookError::PliesFromEnd);
        }
        Ok(check_tags(&self.tags)?)
    }

    /// Reads which games of the index are chosen.
    pub(super) fn postings(&self, index: &Index) -> Result<PostingChoice, BookError> {
        let columns = self.columns()?;
        let Self { tags, player, turn, .. } = self;
        let sides = index.sides(SideChoice { tags, columns: &columns, player: player.as_deref(), turn: *turn })?;
        Ok(PostingChoice { plies: self.plies.of_game(0), sides, min_games: self.min_games })
    }
}
