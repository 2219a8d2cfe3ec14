//! Questions about positions: which of the games that reached a position pass some filters, and which moves they played
//! there.

mod all_games;
mod left_out;

use std::cmp::Reverse;
use std::fmt::{self, Display, Formatter};

use crate::error::IndexError;
use crate::game_text::{GameTexts, NoText};
use crate::games_table::GameColumn;
use crate::heading::{GameHeading, Headings};
use crate::hit::Hit;
use crate::keys::keys;
use crate::lookup::{Index, PositionHits};
use crate::order::HitOrder;
use crate::tally::{Explored, Results};
use crate::unknown_tag::UnknownTag;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::rules::Rules;
use pgn2fen_games::selection::{ShapeFilter, TagFilter};

pub use crate::query::all_games::{AllGames, FoundGame};
pub use crate::query::left_out::FilterCounts;

/// A question to an index, which can be asked for any number of positions. It has filters for games, and a limit of the
/// answer.
///
/// ```no_run
/// use pgn2fen_index::Index;
/// use pgn2fen_chess::san::Letters;
/// use pgn2fen_games::typed::read_position;
///
/// let index = Index::open("games.idx")?;
/// let mut query = index.query(|warning| eprintln!("{warning}")).tags(vec!["WhiteElo>=2600".parse()?])?.max(10);
/// let sicilian = read_position("1. e4 c5", &Letters::ENGLISH)?.position;
/// println!("{} games", query.count(&sicilian)?.games());
/// let mut hits = query.hits(&sicilian)?;
/// while let Some(hit) = hits.next().transpose()? {
///     let heading = hits.heading(hit.game)?;
///     println!("{}:{} {} – {}", heading.file, heading.line, heading.white, heading.black);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Query<'i> {
    index: &'i Index,
    report: Box<dyn FnMut(&QueryWarning) + 'i>,
    /// The rules of the games, if no position tells them.
    rules: Rules,
    /// The filters, with the columns of their conditions.
    tags: Vec<(TagFilter, Vec<GameColumn>)>,
    /// The maximum number of hits or games for each position.
    max: u64,
    stop: Box<dyn FnMut() -> bool + 'i>,
    headings: Headings<'i>,
    /// The reader of games that are verified; None if hits are not verified.
    verified: Option<GameTexts<'i>>,
    /// The reader of games whose shape is asked for, and the shape; None if games may have any shape.
    shaped: Option<(GameTexts<'i>, ShapeFilter)>,
    /// The reader of games whose text is asked for.
    texts: GameTexts<'i>,
}

/// The reason why games or a hit are missing in an answer. It is reported, and the query goes on without them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum QueryWarning {
    /// A file has changed since it was indexed, or cannot be read. Its games are left out. Each file is reported once.
    File {
        /// The name of the file.
        name: String,
        /// The reason.
        reason: String,
    },
    /// A game does not reach the position at the ply where the index has it. The hit is left out.
    NotReached {
        /// The file and line of the game: `games.pgn:1204`.
        place: String,
        /// The number of the game in the index, from 1.
        game: u64,
        /// The ply where the position should be.
        ply: u32,
    },
}

impl Display for QueryWarning {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { name, reason } => write!(f, "{name}: {reason}"),
            Self::NotReached { place, ply, .. } => {
                write!(f, "{place}: this game does not reach the position at ply {ply}")
            }
        }
    }
}

impl std::error::Error for QueryWarning {}

impl Index {
    /// Creates a query without filters. `report` is called for each file and each hit that is left out of an answer;
    /// this can happen only if hits are [verified](Query::verify), or if the text of games is read.
    pub fn query<'i>(&'i self, report: impl FnMut(&QueryWarning) + 'i) -> Query<'i> {
        Query {
            index: self,
            report: Box::new(report),
            rules: Rules::Chess,
            tags: Vec::new(),
            max: u64::MAX,
            stop: Box::new(|| false),
            headings: self.headings(),
            verified: None,
            shaped: None,
            texts: GameTexts::new(self),
        }
    }
}

impl fmt::Debug for Query<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { tags, max, verified, .. } = self;
        let (tags, verify) = (tags.iter().map(|(filter, _)| filter).collect::<Vec<_>>(), verified.is_some());
        f.debug_struct("Query").field("tags", &tags).field("max", max).field("verify", &verify).finish_non_exhaustive()
    }
}

impl<'i> Query<'i> {
    /// Sets the filters for games. The tags of a game must satisfy all of them. By default all games are taken.
    ///
    /// # Errors
    ///
    /// Fails for a filter on a tag that the index does not keep: see [`Index::tags`].
    pub fn tags(self, tags: Vec<TagFilter>) -> Result<Self, UnknownTag> {
        let tags = self
            .index
            .columns_of_filters(&tags)?
            .into_iter()
            .zip(tags)
            .map(|(columns, filter)| (filter, columns))
            .collect();
        Ok(Self { tags, ..self })
    }

    /// Sets the rules of the games that [`all_games`](Self::all_games) finds. By default they are those of chess. A
    /// position has rules of its own, and no game of other rules reaches it.
    pub fn rules(self, rules: Rules) -> Self {
        Self { rules, ..self }
    }

    /// Sets whether games are replayed, and hits left out that do not reach the position. By default they are not.
    pub fn verify(self, verify: bool) -> Self {
        Self { verified: verify.then(|| GameTexts::new(self.index)), ..self }
    }

    /// Sets the shape that the main line of a game must have had in some position, for [as many
    /// plies](ShapeFilter::for_plies) as it says. The games are read from their files and played. By default games may
    /// have any shape.
    pub fn shape(self, shape: ShapeFilter) -> Self {
        let shaped = if shape.is_empty() { None } else { Some((GameTexts::new(self.index), shape)) };
        Self { shaped, ..self }
    }

    /// Sets the maximum number of hits or games for each position. It has no effect on [`count`](Self::count) and
    /// [`explore`](Self::explore).
    pub fn max(self, max: u64) -> Self {
        Self { max, ..self }
    }

    /// Calls a function before each hit is read. If it returns true, the answer ends there. It is not complete then, so
    /// the caller should discard it.
    pub fn stop_if(self, stop: impl FnMut() -> bool + 'i) -> Self {
        Self { stop: Box::new(stop), ..self }
    }

    /// Returns the hits of a position that pass, in the order of games and plies.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub fn hits<'q>(&'q mut self, position: &Position) -> Result<FoundHits<'q, 'i>, IndexError> {
        let max = self.max;
        self.first_hits(position, max)
    }

    fn first_hits<'q>(&'q mut self, position: &Position, max: u64) -> Result<FoundHits<'q, 'i>, IndexError> {
        let (hits, takes_all) = (self.index.hits(position)?, self.takes_all());
        Ok(FoundHits { query: self, takes_all, keys: keys(position), hits, last: None, left: max })
    }

    /// Returns the hits of a position that pass, in this order. All of them are held in memory, in 48 bytes each, and
    /// the tags of all their games are read.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub fn sorted_hits(&mut self, position: &Position, order: HitOrder) -> Result<Vec<Hit>, IndexError> {
        let most = usize::try_from(self.max).unwrap_or(usize::MAX);
        let mut ranked: Vec<((u64, u64), Hit)> = Vec::new();
        let mut hits = self.first_hits(position, u64::MAX)?;
        while let Some(hit) = hits.next().transpose()? {
            let rank = match ranked.last() {
                Some((rank, last)) if last.game == hit.game => *rank,
                _ => order.rank(&mut hits.query.headings.games, hit.game)?,
            };
            ranked.push((rank, hit));
        }
        // The sort is stable.
        ranked.sort_by_key(|(rank, _)| Reverse(*rank));
        ranked.truncate(most);
        Ok(ranked.into_iter().map(|(_, hit)| hit).collect())
    }

    /// Returns the numbers of the games with a hit that passes, in ascending order, each once.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub fn games<'q>(&'q mut self, position: &Position) -> Result<FoundGames<'q, 'i>, IndexError> {
        let left = self.max;
        Ok(FoundGames { hits: self.first_hits(position, u64::MAX)?, last: 0, left })
    }

    /// Counts the games with a hit that passes, by result. A query without filters reads a few rows of the index;
    /// otherwise every hit is read, which is slow for common positions.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub fn count(&mut self, position: &Position) -> Result<Results, IndexError> {
        if self.takes_all() { self.index.count(position) } else { Ok(self.explore(position)?.results()) }
    }

    /// Counts the moves that were played in the hits that pass. As slow as [`count`](Self::count) if there are filters.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub fn explore(&mut self, position: &Position) -> Result<Explored, IndexError> {
        if self.takes_all() {
            return self.index.explore(position);
        }
        let mut counter = self.index.counter();
        for hit in self.first_hits(position, u64::MAX)? {
            counter.add(hit?)?;
        }
        Ok(counter.end())
    }

    /// Whether every hit passes, so games can be counted without listing the hits.
    fn takes_all(&self) -> bool {
        self.tags.is_empty() && self.verified.is_none() && self.shaped.is_none()
    }

    /// Returns the text of a game: see [`GameTexts::read`]. None if its file cannot be used, which is reported once.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub fn text(&mut self, game: u64) -> Result<Option<Vec<u8>>, IndexError> {
        let text = self.texts.read(game);
        self.usable(text)
    }

    /// Returns the place of a game and the tags by which people know it.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub fn heading(&mut self, game: u64) -> Result<GameHeading, IndexError> {
        self.headings.of(game)
    }

    /// Whether the tags of a game satisfy all filters.
    fn wants(&mut self, game: u64) -> Result<bool, IndexError> {
        let Self { tags, headings, .. } = self;
        headings.games.satisfies(game, tags.iter().map(|(filter, columns)| (filter, columns)))
    }

    /// Returns the ply at which a game has the shape that is asked for. 0 if games may have any shape; None if the game
    /// does not have it, or cannot be read.
    fn find_shape(&mut self, game: u64) -> Result<Option<u32>, IndexError> {
        let Some((texts, shape)) = &mut self.shaped else {
            return Ok(Some(0));
        };
        let found = texts.find_shape(game, shape);
        Ok(self.usable(found)?.flatten())
    }

    /// Whether the game reaches a position with one of these keys at this hit. True if hits are not verified.
    fn is_verified(&mut self, hit: Hit, keys: &[u64]) -> Result<bool, IndexError> {
        let Some(texts) = &mut self.verified else {
            return Ok(true);
        };
        let found = texts.verify(hit.game, hit.ply, keys);
        let is_there = self.usable(found)?;
        if is_there == Some(false) {
            let warning = self.not_reached(hit.game, hit.ply)?;
            (self.report)(&warning);
        }
        Ok(is_there == Some(true))
    }

    /// Returns the warning that a game does not reach a position at this ply.
    pub(crate) fn not_reached(&mut self, game: u64, ply: u32) -> Result<QueryWarning, IndexError> {
        let (file, line) = self.headings.place(game)?;
        Ok(QueryWarning::NotReached { place: format!("{file}:{line}"), game, ply })
    }

    /// Returns what was read of a game, or reports that its file cannot be used.
    fn usable<T>(&mut self, found: Result<T, NoText>) -> Result<Option<T>, IndexError> {
        match found {
            Ok(found) => return Ok(Some(found)),
            Err(NoText::Index(error)) => return Err(error),
            Err(NoText::File(name, reason)) => (self.report)(&QueryWarning::File { name, reason }),
            Err(NoText::Told) => {}
        }
        Ok(None)
    }
}

/// Counts a result that was found. None if there is none; nothing comes after an error.
fn count_down<T>(left: &mut u64, found: Result<Option<T>, IndexError>) -> Option<Result<T, IndexError>> {
    let found = found.transpose()?;
    *left = if found.is_ok() { *left - 1 } else { 0 };
    Some(found)
}

/// An iterator over the hits of a position that pass a query, in the order of games and plies. It ends after an error.
#[derive(Debug)]
pub struct FoundHits<'q, 'i> {
    query: &'q mut Query<'i>,
    /// Whether every hit passes.
    takes_all: bool,
    keys: Vec<u64>,
    hits: PositionHits<'i>,
    /// The last game, and whether its tags pass. The hits of a game follow one another.
    last: Option<(u64, bool)>,
    /// The number of further hits.
    left: u64,
}

impl FoundHits<'_, '_> {
    /// Returns the place of a game and the tags by which people know it.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub fn heading(&mut self, game: u64) -> Result<GameHeading, IndexError> {
        self.query.heading(game)
    }

    fn passes(&mut self, hit: Hit) -> Result<bool, IndexError> {
        let is_wanted = match self.last {
            Some((game, is_wanted)) if game == hit.game => is_wanted,
            _ => self.query.wants(hit.game)? && self.query.find_shape(hit.game)?.is_some(),
        };
        self.last = Some((hit.game, is_wanted));
        Ok(is_wanted && self.query.is_verified(hit, &self.keys)?)
    }
}

impl Iterator for FoundHits<'_, '_> {
    type Item = Result<Hit, IndexError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.left > 0 && !(self.query.stop)() {
            let hit = self.hits.next()?;
            let found = hit.and_then(|hit| Ok((self.takes_all || self.passes(hit)?).then_some(hit)));
            if let Some(found) = count_down(&mut self.left, found) {
                return Some(found);
            }
        }
        None
    }
}

/// An iterator over the numbers of the games with a hit that passes a query, in ascending order. It ends after an
/// error.
#[derive(Debug)]
pub struct FoundGames<'q, 'i> {
    hits: FoundHits<'q, 'i>,
    last: u64,
    /// The number of further games.
    left: u64,
}

impl FoundGames<'_, '_> {
    /// Returns the text of a game: see [`Query::text`].
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub fn text(&mut self, game: u64) -> Result<Option<Vec<u8>>, IndexError> {
        self.hits.query.text(game)
    }
}

impl Iterator for FoundGames<'_, '_> {
    type Item = Result<u64, IndexError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.left > 0 {
            let game = self.hits.next()?.map(|hit| hit.game);
            let found = game.map(|game| (std::mem::replace(&mut self.last, game) != game).then_some(game));
            if let Some(found) = count_down(&mut self.left, found) {
                return Some(found);
            }
        }
        None
    }
}
