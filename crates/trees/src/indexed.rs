//! A tree of the games of an index.

mod scanned;

use crate::grow::{Counted, Counter, NamedGame, grow, rate};
use crate::indexed::scanned::ScanCounter;
use crate::options::{MOST_MODELS, MOST_PLIES, TreeOptions};
use crate::summary::Summary;
use crate::tree::{NONE, Tree, is_known};
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::position::Position;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::selection::{Plies, TagFilter};
use pgn2fen_index::{GameSummaries, Hit, Index, IndexError, UnknownTag};

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
/// Besides the tree, memory is needed for 12 bytes a game, and while a large tree is made, for about as much as the
/// tree takes.
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
    let lookup = LookupCounter::new(index, tags, options)?;
    // Each of these positions takes a lookup, if the games go different ways as soon as they can.
    let most_positions = lookup.games.saturating_mul(u64::from(lookup.depth)) / options.min_games.max(1);
    let others = index.rules()?.others(options.root.position().rules());
    let tree = if most_positions.saturating_mul(POSTINGS_IN_A_LOOKUP) < index.posting_count() {
        grow(&lookup, options, workers)?
    } else {
        grow(&ScanCounter::scan(lookup, options.min_games, workers)?, options, workers)?
    };
    Ok(Tree { others, ..tree })
}

/// Returns a hint if the index has too few plies of each game for the tree, so that lines may end early.
pub fn plies_hint(index: &Index, options: &TreeOptions) -> Option<String> {
    let known = index.info().plies;
    let last = options.root.moves().len() + options.depth as usize;
    let wanted = format!("..{last}").parse::<Plies>();
    let is_covered = known == Plies::ALL || wanted.is_ok_and(|wanted: Plies| wanted.is_within(known));
    (!is_covered).then(|| format!("the index has only the plies {known} of each game, so lines may end early"))
}

/// The number of postings that a scan reads in the time of a lookup, about 600, divided by 15: in real games, so many
/// times fewer positions are kept than there could be.
const POSTINGS_IN_A_LOOKUP: u64 = 40;

/// Looks each position up.
pub(crate) struct LookupCounter<'i> {
    pub(crate) index: &'i Index,
    /// For each game that counts the ply at which it reached the root first; `NONE` for the others.
    reached: Vec<u32>,
    /// The number of games that count.
    games: u64,
    summaries: GameSummaries,
    depth: u32,
    models: usize,
}

/// The moves that the current game has played in the position that is counted.
#[derive(Default)]
pub(crate) struct PlayedByGame {
    game: Option<u64>,
    moves: Vec<Uci>,
}

impl PlayedByGame {
    /// Begins with the games of another position. The list of moves is used again.
    pub(crate) fn start_again(&mut self) {
        self.game = None;
    }
}

impl<'i> LookupCounter<'i> {
    /// Finds the games that reached the root and pass all filters.
    pub(crate) fn new(index: &'i Index, tags: Vec<TagFilter>, options: &TreeOptions) -> Result<Self, IndexTreeError> {
        let mut reached = Vec::new();
        let mut games = 0;
        // Nothing is reported, because no game is read.
        let mut query = index.query(|_| ()).tags(tags)?;
        for hit in query.hits(options.root.position())? {
            let hit = hit?;
            let at = usize::try_from(hit.game).unwrap_or(usize::MAX);
            if reached.len() <= at {
                reached.resize(at + 1, NONE);
            }
            games += u64::from(reached[at] == NONE);
            reached[at] = hit.ply.min(reached[at]);
        }
        let summaries = index.summaries()?;
        let (depth, models) = (options.depth.min(MOST_PLIES), options.models.min(MOST_MODELS));
        Ok(Self { index, reached, games, summaries, depth, models })
    }

    /// Returns the number of plies between the root and a hit; None if the hit does not count.
    #[inline]
    pub(crate) fn distance(&self, hit: &Hit) -> Option<u32> {
        let game = usize::try_from(hit.game).unwrap_or(usize::MAX);
        let root = self.reached.get(game).copied().unwrap_or(NONE);
        hit.ply.checked_sub(root).filter(|distance| *distance <= self.depth)
    }

    /// Counts the next hit of a position, if it counts. Hits are in the order of games and plies.
    pub(crate) fn add(&self, counted: &mut Counted, played: &mut PlayedByGame, hit: Hit) {
        let Some(distance) = self.distance(&hit) else {
            return;
        };
        let year = Summary::from(self.summaries.of(hit.game)).year();
        if played.game.replace(hit.game) != Some(hit.game) {
            played.moves.clear();
            counted.counts.add(hit.result);
            counted.year = counted.year.max(year);
            if let Ok(game) = u32::try_from(hit.game) {
                rate(&mut counted.models[..self.models], game, |game| self.summaries.of(game.into()).into());
            }
        }
        let Some(next) = hit.next.filter(|next| distance < self.depth && !played.moves.contains(next)) else {
            return;
        };
        played.moves.push(next);
        let known = counted.played(next);
        known.counts.add(hit.result);
        known.year = known.year.max(year);
    }
}

impl Counter for LookupCounter<'_> {
    type Error = IndexError;

    fn count(&self, position: &Position, _: u64) -> Result<Counted, IndexError> {
        let mut counted = Counted::default();
        let mut played = PlayedByGame::default();
        for hit in self.index.hits(position)? {
            self.add(&mut counted, &mut played, hit?);
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

#[cfg(test)]
mod tests {
    use super::{index_tree, plies_hint};
    use crate::options::{Root, TreeOptions};
    use crate::testing::{from, index, lines, tree};
    use crate::tree::{Tree, TreeMove};
    use pgn2fen_chess::rules::Rules;
    use pgn2fen_games::parallel::Workers;
    use pgn2fen_index::BuildOptions;

    const GAMES: &str = "[White \"A\"]\n[Black \"B\"]\n[Date \"2020.01.01\"]\n\n1. e4 e5 2. Nf3 1-0\n\n\
                         [White \"C\"]\n[Date \"2021.01.01\"]\n\n1. e4 c5 2. Nf3 d6 0-1\n\n\
                         [Event \"Lines\"]\n\n1. Nf3 e5 2. e4 1/2-1/2\n\n\
                         1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 d5 *\n\n[Variant \"Atomic\"]\n\n1. e4 e5 1-0\n";

    /// Returns the moves with their counts and years, and the names of the model games.
    fn told(tree: &Tree) -> (Vec<String>, Vec<String>) {
        let mut names = Vec::new();
        for number in 0..u32::try_from(tree.positions()).unwrap() {
            let node = tree.node_at(number);
            let models = node.models().map(|game| format!("{} {} {}", game.white, game.black, game.event));
            let year =
                [format!("{:?} {:?}", node.last_year(), node.moves().map(TreeMove::last_year).collect::<Vec<_>>())];
            names.extend(models.chain(year));
        }
        (lines(tree), names)
    }

    #[test]
    fn an_index_gives_the_tree_of_its_files() {
        let (_folder, index) = index(&[GAMES], BuildOptions::default());
        let workers = Workers::new(1).unwrap();
        for options in [
            TreeOptions::default(),
            TreeOptions { depth: 2, models: 3, ..TreeOptions::default() },
            TreeOptions { min_games: 2, ..TreeOptions::default() },
            TreeOptions { min_games: 100, ..TreeOptions::default() },
            from("1. Nf3"),
            TreeOptions { root: Root::of_rules(Rules::Atomic), ..TreeOptions::default() },
        ] {
            let (indexed, read) = (index_tree(&index, Vec::new(), &options, &workers).unwrap(), tree(GAMES, &options));
            assert_eq!(told(&indexed), told(&read), "{options:?}");
            assert_eq!(indexed.other_games(), read.other_games());
        }
        let of_c = index_tree(&index, vec!["White=C".parse().unwrap()], &TreeOptions::default(), &workers).unwrap();
        assert_eq!(lines(&of_c).len(), 4);
        let unknown = index_tree(&index, vec!["Annotator=C".parse().unwrap()], &TreeOptions::default(), &workers);
        assert!(unknown.unwrap_err().to_string().contains("Annotator"));
    }

    #[test]
    fn lines_that_are_longer_than_the_plies_of_an_index_are_told() {
        let (_folder, all) = index(&[GAMES], BuildOptions::default());
        let options = |depth| TreeOptions { depth, ..TreeOptions::default() };
        assert_eq!(plies_hint(&all, &options(200)), None);
        let (_folder, some) =
            index(&[GAMES], BuildOptions { plies: "..10".parse().unwrap(), ..BuildOptions::default() });
        assert_eq!(plies_hint(&some, &options(10)), None);
        let hint = "the index has only the plies ..10 of each game, so lines may end early";
        assert_eq!(plies_hint(&some, &options(11)).as_deref(), Some(hint));
        // The moves to the root are plies, too.
        let behind = |depth| TreeOptions { depth, ..from("1. e4") };
        assert_eq!(plies_hint(&some, &behind(9)), None);
        assert_eq!(plies_hint(&some, &behind(10)).as_deref(), Some(hint));
    }

    #[test]
    fn the_error_of_an_index_or_a_filter_is_the_source() {
        let (_folder, index) = index(&[GAMES], BuildOptions::default());
        let workers = Workers::new(1).unwrap();
        let error = index_tree(&index, vec!["Annotator=C".parse().unwrap()], &TreeOptions::default(), &workers);
        let error = error.unwrap_err();
        assert_eq!(std::error::Error::source(&error).unwrap().to_string(), error.to_string());
    }
}
