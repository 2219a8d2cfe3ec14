//! The job that counts the names of players in games.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

use crate::job_methods;
use crate::players::list::PlayerList;
use crate::players::name_count::NameCount;
use crate::walk::{BlockResult, GameTask, Job, OpenGame, Out, Output, OutputStages, Played, ReadOptions, Walk};
use pgn2fen_filters::players::{Players, has_words, on_one_line, read_fide_id};
use pgn2fen_filters::{Start, TagFinder};
use pgn2fen_pgn::date::Date;
use pgn2fen_pgn::replay::SetupPolicy;
use pgn2fen_pgn::tag_kind::TagKind;

/// A job that counts the names in the tags White and Black of games: a name with its games, years, ratings and FIDE id.
/// No move is played, unless games are chosen by their openings or their course. Memory grows with the number of
/// different names, about 200 bytes each.
///
/// ```
/// use std::path::Path;
///
/// use pgn2fen_games::database::{Database, Source};
/// use pgn2fen_games::parallel::Workers;
/// use pgn2fen_games::players::PlayerSurvey;
/// use pgn2fen_games::walk::{Job, ReadOptions};
///
/// let games = b"[White \"Tal, M\"] [Black \"Botvinnik\"] *\n[White \"Botvinnik\"] [Black \"Tal, M\"] *\n".to_vec();
/// let mut survey = PlayerSurvey::new(ReadOptions::default());
/// survey.read(&Workers::new(1)?, Path::new("a.pgn"), Source::Whole(Database::from(games)), &mut ())?;
/// let list = survey.list();
/// let counts: Vec<_> = list.players().iter().map(|player| (player.name(), player.games())).collect();
/// assert_eq!(counts, [("Botvinnik", 2), ("Tal, M", 2)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PlayerSurvey {
    walk: Walk<NamesOfGame, Counting>,
    players: Players,
}

impl PlayerSurvey {
    /// Creates a survey of the games that pass the filters. The players of the filter are those that are known.
    pub fn new(mut read: ReadOptions) -> Self {
        let players = read.games.players.clone();
        // Without a condition on the start of games, a FEN that cannot be read does not matter.
        if read.games.start == Start::Any && !read.games.plays() {
            read.replay.setup = SetupPolicy::Ignore;
        }
        let finder = TagFinder::new(TAGS);
        Self { walk: Walk::new(NamesOfGame(finder), Counting::default(), read), players }
    }

    /// Returns the names and who may be the same player.
    pub fn list(self) -> PlayerList {
        let mut names: Vec<NameCount> = self.walk.end().0.names.into_iter().map(Named::count).collect();
        names.sort_by(|a, b| (&a.name, a.fide_id).cmp(&(&b.name, b.fide_id)));
        PlayerList::new(&names, &self.players)
    }
}

impl Job for PlayerSurvey {
    job_methods!(walk);
}

/// The tags that are read: the names, and in the same order their FIDE ids and ratings; and the date.
const TAGS: [&str; 7] = ["White", "Black", "WhiteFideId", "BlackFideId", "WhiteElo", "BlackElo", "Date"];

/// Finds the names in a game.
#[derive(Debug)]
struct NamesOfGame(TagFinder);

/// The names in the games of a block.
#[derive(Debug, Default)]
struct Found {
    /// The text of all names, one behind another.
    text: String,
    names: Vec<FoundName>,
}

/// A name in a game.
#[derive(Debug)]
struct FoundName {
    /// The end of the name in the text.
    end: usize,
    fide_id: u32,
    is_black: bool,
    /// The year; 0 if it is unknown.
    year: u16,
    /// The rating; 0 if it is unknown.
    rating: u16,
}

impl GameTask for NamesOfGame {
    type BlockResult = Found;
    const PLAYS: bool = false;

    fn needs_offsets(&self) -> bool {
        false
    }

    fn game(&self, game: &mut OpenGame<'_, '_>, out: &mut Out<'_, Found>) -> Played {
        let mut values = [const { None }; TAGS.len()];
        self.0.find(game.tags, None, |at, value| values[at] = value.map(|value| value.decode_from(game.encoding)));
        let text = |at: usize| values[at].as_deref();
        let year = text(6).and_then(Date::read).map_or(0, Date::year);
        for side in 0..2 {
            let Some(name) = text(side).map(on_one_line).filter(|name| has_words(name)) else {
                continue;
            };
            let rating = text(4 + side).and_then(|rating| TagKind::Rating.number(rating));
            out.made.text.push_str(shortened(&name));
            out.made.names.push(FoundName {
                end: out.made.text.len(),
                fide_id: text(2 + side).and_then(read_fide_id).unwrap_or(0),
                is_black: side == 1,
                year,
                rating: rating.and_then(|rating| rating.try_into().ok()).unwrap_or(0),
            });
        }
        Played { positions: 1, ..Played::default() }
    }
}

/// The greatest length of a name, in bytes. Longer names are cut.
const LONGEST: usize = 255;

fn shortened(name: &str) -> &str {
    let end = (0..=name.len().min(LONGEST)).rev().find(|at| name.is_char_boundary(*at)).unwrap_or(0);
    name[..end].trim_end()
}

impl BlockResult for Found {
    type Mark = (usize, usize);

    fn mark(&self) -> Self::Mark {
        (self.text.len(), self.names.len())
    }

    fn go_back_to(&mut self, (text, names): Self::Mark) {
        self.text.truncate(text);
        self.names.truncate(names);
    }

    fn weight(&self) -> usize {
        self.text.len() + self.names.len() * size_of::<FoundName>()
    }

    fn retain(&mut self, _: &[bool]) {}
}

/// Counts the names.
#[derive(Debug, Default)]
struct Counting {
    names: Vec<Named>,
    /// The places in the list of each name and FIDE id.
    places: HashMap<Box<str>, Place>,
}

/// The places of a name in the list: that of the first FIDE id, and those of others.
#[derive(Debug)]
struct Place {
    first: (u32, u32),
    others: BTreeMap<u32, u32>,
}

/// A name with one FIDE id, or without one, which is 0.
#[derive(Debug)]
struct Named {
    name: Box<str>,
    fide_id: u32,
    games: [u64; 2],
    years: (u16, u16),
    ratings: (u16, u16),
}

impl Named {
    fn see(&mut self, found: &FoundName) {
        self.games[usize::from(found.is_black)] += 1;
        widen(&mut self.years, found.year);
        widen(&mut self.ratings, found.rating);
    }

    fn count(self) -> NameCount {
        let Self { name, fide_id, games: [white, black], years, ratings } = self;
        let known = |range: (u16, u16)| (range.1 > 0).then_some(range);
        let fide_id = (fide_id > 0).then_some(fide_id);
        NameCount { name, fide_id, white, black, years: known(years), ratings: known(ratings) }
    }
}

/// Adds a number to a range. Zero is unknown.
fn widen(range: &mut (u16, u16), number: u16) {
    if number > 0 {
        range.0 = if range.1 == 0 { number } else { range.0.min(number) };
        range.1 = range.1.max(number);
    }
}

impl Counting {
    fn add(&mut self, block: &Found) {
        let mut start = 0;
        for found in &block.names {
            let name = &block.text[start..found.end];
            start = found.end;
            let next = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
            let at = match self.places.get_mut(name) {
                Some(place) if place.first.0 == found.fide_id => place.first.1,
                Some(place) => *place.others.entry(found.fide_id).or_insert(next),
                None => {
                    self.places.insert(name.into(), Place { first: (found.fide_id, next), others: BTreeMap::new() });
                    next
                }
            };
            if at == next {
                let fide_id = found.fide_id;
                self.names.push(Named { name: name.into(), fide_id, games: [0; 2], years: (0, 0), ratings: (0, 0) });
            }
            if let Some(named) = self.names.get_mut(at as usize) {
                named.see(found);
            }
        }
    }
}

impl Output<Found> for Counting {
    fn stages(&mut self) -> OutputStages<'_, Found> {
        OutputStages::deliver(|block: &mut Found| {
            self.add(block);
            ControlFlow::Continue(())
        })
    }
}
