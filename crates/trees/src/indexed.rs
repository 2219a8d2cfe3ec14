//! A tree of the games of an index.

use crate::grow::{Counted, Counter, NamedGame, grow, rate};
use crate::options::{MOST_MODELS, MOST_PLIES, TreeOptions};
use crate::summary::Summary;
use crate::tree::{NONE, Tree, is_known};
use pgn2fen_chess::position::Position;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::selection::{Plies, TagFilter};
use pgn2fen_index::{GameSummaries, Index, IndexError, UnknownTag};

/// The reason why an index gives no tree.
#[derive(Debug)]
#[non_exhaustive]
pub enum IndexTreeError {
    /// The index cannot be read.
    Index(IndexError),
    /// The index does not keep a tag of the filters.
    Tag(UnknownTag),
}

impl std::fmt::Display for IndexTreeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Index(error) => error.fmt(f),
            Self::Tag(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for IndexTreeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Index(error) => Some(error),
            Self::Tag(error) => Some(error),
        }
    }
}

impl From<IndexError> for IndexTreeError {
    fn from(error: IndexError) -> Self {
        Self::Index(error)
    }
}

impl From<UnknownTag> for IndexTreeError {
    fn from(error: UnknownTag) -> Self {
        Self::Tag(error)
    }
}

/// Returns the tree of the games of an index that pass all filters: the tree that the files of the index would give, if
/// the index has the plies of the tree. An index has no variations.
///
/// Besides the tree, memory is needed for 12 bytes a game.
///
/// # Errors
///
/// Fails if the index cannot be read, or does not keep a tag of the filters.
pub fn index_tree(
    index: &Index,
    tags: Vec<TagFilter>,
    options: &TreeOptions,
    workers: &Workers,
) -> Result<Tree, IndexTreeError> {
    let mut reached = Vec::new();
    // Nothing is reported, because no game is read.
    let mut query = index.query(|_| ()).tags(tags)?;
    for hit in query.hits(options.root.position())? {
        let hit = hit?;
        let at = usize::try_from(hit.game).unwrap_or(usize::MAX);
        if reached.len() <= at {
            reached.resize(at + 1, NONE);
        }
        reached[at] = hit.ply.min(reached[at]);
    }
    let counter = IndexedCounter {
        index,
        reached,
        summaries: index.summaries()?,
        depth: options.depth.min(MOST_PLIES),
        models: options.models.min(MOST_MODELS),
    };
    Ok(grow(&counter, options, workers)?)
}

/// Returns a hint if the index has too few plies of each game for the tree, so that lines may end early.
pub fn plies_hint(index: &Index, options: &TreeOptions) -> Option<String> {
    let known = index.info().plies;
    let wanted = format!("..{}", options.depth).parse::<Plies>();
    let is_covered = known == Plies::ALL
        || !options.root.moves().is_empty()
        || wanted.is_ok_and(|wanted: Plies| wanted.is_within(known));
    (!is_covered).then(|| format!("the index has only the plies {known} of each game, so lines may end early"))
}

struct IndexedCounter<'i> {
    index: &'i Index,
    /// For each game that counts the ply at which it reached the root first; `NONE` for the others.
    reached: Vec<u32>,
    summaries: GameSummaries,
    depth: u32,
    models: usize,
}

impl Counter for IndexedCounter<'_> {
    type Error = IndexError;

    fn count(&self, position: &Position, _: u64) -> Result<Counted, IndexError> {
        let mut counted = Counted { models: [NONE; MOST_MODELS], ..Counted::default() };
        let mut last = None;
        let mut played = Vec::new();
        for hit in self.index.hits(position)? {
            let hit = hit?;
            let game = usize::try_from(hit.game).unwrap_or(usize::MAX);
            let root = self.reached.get(game).copied().unwrap_or(NONE);
            let Some(distance) = hit.ply.checked_sub(root).filter(|distance| *distance <= self.depth) else {
                continue;
            };
            let year = Summary::from(self.summaries.of(hit.game)).year();
            if last.replace(hit.game) != Some(hit.game) {
                played.clear();
                counted.counts.add(hit.result);
                counted.year = counted.year.max(year);
                if let Ok(game) = u32::try_from(hit.game) {
                    rate(&mut counted.models[..self.models], game, |game| self.summaries.of(game.into()).into());
                }
            }
            let Some(next) = hit.next.filter(|next| distance < self.depth && !played.contains(next)) else {
                continue;
            };
            played.push(next);
            let known = counted.played(next);
            known.counts.add(hit.result);
            known.year = known.year.max(year);
        }
        Ok(counted)
    }

    fn name(&self, games: &[u32], mut take: impl FnMut(NamedGame<'_>)) -> Result<(), IndexError> {
        let mut headings = self.index.headings();
        let mut columns = self.index.games();
        let event = self.index.column_of_tag("Event");
        for game in games {
            let game = u64::from(*game);
            let heading = headings.view(game)?;
            // The event of a game is told only if its players are unknown, and it takes long to read.
            let has_players = [heading.white, heading.black].iter().any(|name| is_known(name));
            let event = event.filter(|_| !has_players).map(|event| columns.text(game, event)).transpose()?.flatten();
            let event = event.unwrap_or_default();
            let summary = self.summaries.of(game).into();
            take(NamedGame { white: heading.white, black: heading.black, event, summary });
        }
        Ok(())
    }
}
