//! The surveys of positions that many games reached, made before anybody asks.
//!
//! Reading the hits of such a position takes milliseconds, and people ask for these positions first. A thread walks
//! down from the starting positions, always on to the position with the most games, until the positions are rare or
//! there are enough of them.

use std::collections::BinaryHeap;
use std::sync::{Arc, Weak};
use std::thread;

use crate::filter::Filter;
use crate::open_index::OpenIndex;
use crate::question::{LISTS, question};
use pgn2fen_chess::fen;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::rules::Rules;

/// The least number of games of a position that is kept. Fewer hits are read in a fraction of the time of a request.
const LEAST: u64 = 300;

/// The greatest number of positions of an index that are kept. A survey has about 6 kB.
const MOST: usize = 3000;

/// A position that is to be surveyed; one that more games reached comes first.
struct Next {
    games: u64,
    question: String,
    position: Position,
}

impl Next {
    fn new(games: u64, position: Position) -> Self {
        Self { games, question: question(&position), position }
    }

    fn rank(&self) -> (u64, &str) {
        (self.games, &self.question)
    }
}

impl PartialEq for Next {
    fn eq(&self, other: &Self) -> bool {
        self.rank() == other.rank()
    }
}

impl Eq for Next {}

impl PartialOrd for Next {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Next {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.rank().cmp(&other.rank())
    }
}

/// Surveys the positions of an index that many games reached, on a thread of its own. It ends early when the index is
/// closed. If the index cannot be read, it ends as well; a request will tell.
pub(super) fn prepare(opened: &Arc<OpenIndex>) {
    if opened.index.game_count() < LEAST {
        return;
    }
    let opened = Arc::downgrade(opened);
    // Without the thread, each request is answered from the tables.
    let _ = thread::Builder::new().name("pgn2fen hot".to_owned()).spawn(move || walk(&opened));
}

fn walk(opened: &Weak<OpenIndex>) -> Option<()> {
    let mut next = starts(&*opened.upgrade()?)?;
    let mut kept = 0;
    while let Some(Next { question, position, .. }) = next.pop() {
        // Nobody else has the index any more: it is closed when this function lets go of it.
        let opened = opened.upgrade()?;
        if opened.hot.get(&question).is_some() {
            continue;
        }
        let is_closed = || Arc::strong_count(&opened) == 1;
        let survey = opened.survey_from_tables(&position, &Filter::default(), LISTS, &is_closed).ok()??;
        for surveyed in survey.moves.iter().filter(|surveyed| surveyed.results.games() >= LEAST) {
            if let Some(m) = surveyed.count.next.and_then(|next| next.find(&position)) {
                let mut after = position.clone();
                after.play_unchecked(m);
                next.push(Next::new(surveyed.results.games(), after));
            }
        }
        opened.hot.add(question, Arc::new(survey));
        kept += 1;
        if kept == MOST {
            break;
        }
    }
    Some(())
}

/// Returns the starting positions with enough games.
fn starts(opened: &OpenIndex) -> Option<BinaryHeap<Next>> {
    let mut next = BinaryHeap::new();
    for (rules, games) in opened.index.rules().ok()?.iter() {
        // Of a variant, games from other positions are few.
        let initial = if rules == Rules::Chess { games - opened.other_starts } else { games };
        if initial >= LEAST {
            next.push(Next::new(initial, Position::start(rules)));
        }
    }
    if opened.other_starts >= LEAST {
        let starts = opened.starts(&|| false).ok()??;
        for (text, games) in starts.iter().take_while(|(_, games)| *games >= LEAST) {
            let reading = fen::read(text.as_bytes());
            next.extend(reading.ok().map(|reading| Next::new(games, reading.position)));
        }
    }
    Some(next)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::ops::ControlFlow;
    use std::path::Path;
    use std::sync::{Arc, PoisonError};

    use super::{LEAST, LISTS, walk};
    use crate::filter::Filter;
    use crate::open_index::OpenIndex;
    use crate::question::question;
    use pgn2fen_chess::fen;
    use pgn2fen_games::database::Database;
    use pgn2fen_games::parallel::Workers;
    use pgn2fen_games::walk::{Job, ReadOptions};
    use pgn2fen_index::{BuildOptions, Builder};

    #[test]
    fn surveys_that_are_kept_are_those_of_the_tables() {
        let folder = tempfile::tempdir().unwrap();
        let (folder, workers) = (folder.path().join("games.idx"), Workers::new(2).unwrap());
        let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/games/opening_book.pgn");
        // Further games have another start.
        let start = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. e4 Ke7 *\n\n".repeat(400);
        let text = [fs::read(book).unwrap(), start.into_bytes()].concat();
        let builder = Builder::new(&folder, BuildOptions::default(), &workers).unwrap();
        let mut indexing = builder.begin(ReadOptions::default());
        indexing.read(&workers, Path::new("book"), Database::from(text).into(), &mut ()).unwrap();
        indexing.finish(&workers, &|_, _| ControlFlow::Continue(())).unwrap();

        let opened = Arc::new(OpenIndex::open(&folder, 1 << 20).unwrap());
        assert_eq!(walk(&Arc::downgrade(&opened)), Some(()));
        let kept = opened.hot.0.read().unwrap_or_else(PoisonError::into_inner).clone();
        let games = |name: &str| {
            let survey = &kept[name];
            survey.moves.iter().map(|surveyed| surveyed.results.games()).sum::<u64>()
        };
        assert_eq!(games("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"), 2000);
        assert_eq!(games("8/4k3/8/8/4P3/8/8/4K3 w - -"), 400);
        assert!(kept.len() > 5, "{}", kept.len());
        for (name, survey) in &kept {
            let position = fen::read(format!("{name} 0 1").as_bytes()).unwrap().position;
            assert_eq!(question(&position), *name);
            let made = opened.survey_from_tables(&position, &Filter::default(), LISTS, &|| false).unwrap().unwrap();
            assert_eq!(format!("{survey:?}"), format!("{made:?}"));
            assert!(games(name) >= LEAST);
            let asked = opened.survey(&position, &Filter::default(), LISTS, &|| true).unwrap().unwrap();
            assert!(Arc::ptr_eq(&asked, survey), "it is answered without a search");
        }
    }

    #[test]
    fn the_walk_ends_when_the_index_is_closed() {
        assert_eq!(walk(&std::sync::Weak::new()), None);
    }
}
