//! Surveys of all positions of an index, in the order of their keys: the moves that were played, and the most important
//! games of each. A site without a server is made of them.
//!
//! A position under the repetition rule may have two keys, and a key has no board. [`Index::several_keys`] finds these
//! positions: where two keys that differ by an en passant square both occur, a game tells whether they are one
//! position. Then [`Index::survey`] counts both.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use crate::by_key::{Ended, pieces_of};
use crate::error::IndexError;
use crate::game_text::{GameTexts, NoText};
use crate::keys::keys;
use crate::lookup::Index;
use crate::progress::Progress;
use crate::record::Record;
use crate::summaries::GameSummaries;
use crate::survey::{GameHit, Ranked};
use crate::tally::{MoveCount, Tally};
use pgn2fen_chess::position::Position;
use pgn2fen_chess::rules::Rules;
use pgn2fen_chess::zobrist;
use pgn2fen_games::parallel::Workers;

/// The positions that are surveyed, and the games that are listed for each.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyChoice {
    /// The least number of games that reached a position.
    pub min_games: u64,
    /// The greatest number of plies after which some game reached it.
    pub max_plies: u32,
    /// The numbers of best rated games and of latest games that are listed.
    pub lists: [usize; 2],
}

/// The survey of a position. The games of the initial position may be all games of the index, so nothing here grows
/// with them.
#[doc(hidden)]
#[derive(Debug)]
pub struct KeySurvey<'s> {
    pub key: u64,
    /// The moves, in no particular order, with an entry for the games that ended there. Ratings and dates are those of
    /// the games that played the move first.
    pub moves: &'s [MoveCount],
    /// The games with the best mean of the ratings, best first.
    pub best: &'s [GameHit],
    /// The latest games, latest first.
    pub recent: &'s [GameHit],
}

/// Keys that may belong to one position.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct SeveralKeys {
    pub keys: [u64; 2],
    /// The position that has both keys; None if the game that would tell cannot be read.
    pub position: Option<Box<Position>>,
}

impl Index {
    /// Returns the number of pieces into which [`survey_keys`](Self::survey_keys) divides the work: a power of two. The
    /// keys of a piece, as unsigned numbers, have the number of the piece in their top bits.
    #[doc(hidden)]
    pub fn key_pieces(&self) -> usize {
        pieces_of(self.posting_count())
    }

    /// Surveys all positions of games of chess that are chosen, in the order of their keys as unsigned numbers. `make`
    /// is called for each position, on any worker, and adds what it makes of it to the result of its piece. `end` is
    /// then called with the result, on the same worker. The results are given to `take` in order. `progress` may stop
    /// the work.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read, if a function fails, or if `progress` stopped the work.
    #[doc(hidden)]
    pub fn survey_keys<T: Default + Send, U: Send, E: From<IndexError> + Send>(
        &self,
        workers: &Workers,
        (summaries, choice): (&GameSummaries, KeyChoice),
        make: impl Fn(&KeySurvey<'_>, &mut T) -> Result<(), E> + Sync,
        end: impl Fn(usize, T) -> Result<U, E> + Sync,
        mut take: impl FnMut(U) -> Result<(), E>,
        progress: &Progress<'_>,
    ) -> Result<(), Ended<E>> {
        let survey = |nth, keys| {
            let mut made = T::default();
            self.survey_piece(keys, (summaries, choice), |survey| make(survey, &mut made))?;
            end(nth, made)
        };
        self.each_piece(workers, survey, &mut take, progress)
    }

    fn survey_piece<E: From<IndexError>>(
        &self,
        keys: RangeInclusive<i64>,
        (summaries, choice): (&GameSummaries, KeyChoice),
        mut make: impl FnMut(&KeySurvey<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut tally = KeyTally::new(summaries, choice);
        let rules = self.rules()?;
        let is_chess = |game| rules.of(game) == Rules::Chess;
        for record in self.records(&keys, |hit| is_chess(hit.game).then_some(hit.game))? {
            let record = record?;
            if tally.first.is_some_and(|first| first.key != record.key) {
                tally.end(&mut make)?;
            }
            tally.add(record);
        }
        tally.end(&mut make)
    }

    /// Finds the positions with two keys, of which one is among these sorted keys. Keys that belong to different
    /// positions are left out. `report` is called for each file that cannot be read.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read, or if `progress` stopped the work.
    #[doc(hidden)]
    pub fn several_keys(
        &self,
        workers: &Workers,
        chosen: &[u64],
        report: &mut dyn FnMut(String, String),
        progress: &Progress<'_>,
    ) -> Result<Vec<SeveralKeys>, Ended<IndexError>> {
        let mut pairs = Vec::new();
        let mut take = |found: Vec<[u64; 2]>| {
            pairs.extend(found);
            Ok(())
        };
        let find = |_, keys| self.pairs_in(&keys, chosen);
        self.each_piece(workers, find, &mut take, progress)?;
        pairs.sort_unstable();
        pairs.dedup();
        // The games are read in their order.
        let mut places: BTreeMap<(u64, u32), Vec<[u64; 2]>> = BTreeMap::new();
        for pair in pairs {
            if let Some(hit) = self.postings(pair[0]).next().transpose()? {
                places.entry((hit.game, hit.ply)).or_default().push(pair);
            }
        }
        let mut texts = GameTexts::new(self);
        let mut several = Vec::new();
        for ((game, ply), pairs) in places {
            let position = match texts.positions(game, &[ply]) {
                Ok(positions) => positions.into_iter().next(),
                Err(NoText::Index(error)) => return Err(error.into()),
                Err(NoText::File(name, reason)) => {
                    report(name, reason);
                    None
                }
                Err(NoText::Told) => None,
            };
            for pair in pairs {
                let known = position.as_ref().map(keys).filter(|known| known.contains(&pair[0]));
                match (&position, known) {
                    (Some(position), Some(known)) if known.contains(&pair[1]) => {
                        several.push(SeveralKeys { keys: pair, position: Some(Box::new(position.clone())) });
                    }
                    (_, Some(_)) => {}
                    // The game is not what was indexed, or cannot be read.
                    (_, None) => several.push(SeveralKeys { keys: pair, position: None }),
                }
            }
        }
        Ok(several)
    }

    /// Returns the pairs of a chosen key and a key in this range that occurs, which differ by en passant squares.
    fn pairs_in(&self, range: &RangeInclusive<i64>, chosen: &[u64]) -> Result<Vec<[u64; 2]>, IndexError> {
        let (first, last) = (range.start().cast_unsigned(), range.end().cast_unsigned());
        let mut wanted: Vec<(i64, u64)> = Vec::new();
        for difference in zobrist::ep_differences() {
            // The range has the same top bits everywhere, so its image is a range of the same width.
            let width = last - first;
            let start = (first ^ difference) & !width;
            let from = chosen.partition_point(|key| *key < start);
            let other = chosen[from..].iter().take_while(|key| **key <= start | width);
            wanted.extend(other.map(|key| ((key ^ difference).cast_signed(), *key)));
        }
        wanted.sort_unstable();
        let mut pairs = Vec::new();
        for run in self.runs() {
            let mut at = 0;
            run.visit_keys(range, |key| {
                while wanted.get(at).is_some_and(|(other, _)| *other < key) {
                    at += 1;
                }
                while let Some((_, mine)) = wanted.get(at).filter(|(other, _)| *other == key) {
                    let other = key.cast_unsigned();
                    pairs.push([other.min(*mine), other.max(*mine)]);
                    at += 1;
                }
            })?;
        }
        Ok(pairs)
    }
}

/// The counts and the lists of one key after another. Most keys occur once, so the first posting of a key is counted
/// only if that is needed.
struct KeyTally<'t> {
    summaries: &'t GameSummaries,
    choice: KeyChoice,
    first: Option<Record>,
    is_counted: bool,
    least_ply: u32,
    tally: Tally,
    /// The last game that was counted.
    last: Option<u64>,
    best: Ranked,
    recent: Ranked,
    moves: Vec<MoveCount>,
}

impl<'t> KeyTally<'t> {
    fn new(summaries: &'t GameSummaries, choice: KeyChoice) -> Self {
        let [best, recent] = choice.lists;
        Self {
            summaries,
            choice,
            first: None,
            is_counted: false,
            least_ply: u32::MAX,
            tally: Tally::with_facts_once(),
            last: None,
            best: Ranked::by_rating(best),
            recent: Ranked::by_date(recent),
            moves: Vec::new(),
        }
    }

    fn add(&mut self, record: Record) {
        self.least_ply = self.least_ply.min(record.ply());
        match self.first {
            None => self.first = Some(record),
            Some(first) => {
                if !std::mem::replace(&mut self.is_counted, true) {
                    self.count(first);
                }
                self.count(record);
            }
        }
    }

    fn count(&mut self, record: Record) {
        let game = record.game();
        let summary = self.summaries.of(game);
        if self.last.replace(game) != Some(game) {
            let hit = GameHit { game, next: record.next(), summary };
            self.best.add(hit);
            self.recent.add(hit);
        }
        self.tally.add(record.with(summary.date(), summary.elos()[summary.mover(record.ply())]));
    }

    /// Ends the key, and starts again. `make` gets its survey if it is chosen.
    fn end<E>(&mut self, make: &mut impl FnMut(&KeySurvey<'_>) -> Result<(), E>) -> Result<(), E> {
        let Some(first) = self.first.take() else {
            return Ok(());
        };
        let is_early = std::mem::replace(&mut self.least_ply, u32::MAX) <= self.choice.max_plies;
        if !self.is_counted && is_early && self.choice.min_games <= 1 {
            self.count(first);
            self.is_counted = true;
        }
        if !std::mem::replace(&mut self.is_counted, false) {
            return Ok(());
        }
        self.moves.clear();
        self.moves.extend(self.tally.end());
        self.last = None;
        let games: u64 = self.moves.iter().map(|count| count.first_results().games()).sum();
        if is_early && games >= self.choice.min_games {
            let (best, recent) = (self.best.games(), self.recent.games());
            make(&KeySurvey { key: first.key.cast_unsigned(), moves: &self.moves, best, recent })?;
        }
        let [best, recent] = self.choice.lists;
        (self.best, self.recent) = (Ranked::by_rating(best), Ranked::by_date(recent));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::ops::ControlFlow;

    use super::{KeyChoice, KeySurvey, SeveralKeys};
    use crate::tests::{Desk, EN_PASSANT, FIRST, SECOND, after};
    use crate::{Ended, GameHit, Index, IndexError};
    use pgn2fen_chess::position::Position;
    use pgn2fen_chess::testing::{play, position};
    use pgn2fen_games::parallel::Workers;

    /// The survey of a key: the key, the moves with the numbers of their games, the numbers of the best game and of the
    /// latest games.
    type Line = (u64, Vec<(String, u64)>, Vec<u64>, Vec<u64>);

    fn survey(
        index: &Index,
        min_games: u64,
        max_plies: u32,
        flow: ControlFlow<()>,
    ) -> Result<Vec<Line>, Ended<IndexError>> {
        let workers = Workers::new(1).unwrap();
        let summaries = index.summaries().unwrap();
        let choice = KeyChoice { min_games, max_plies, lists: [1, 2] };
        let make = |survey: &KeySurvey<'_>, lines: &mut Vec<Line>| {
            let name = |next: Option<_>| {
                next.map_or_else(|| "-".to_owned(), |next: pgn2fen_chess::notation::uci::Uci| next.to_string())
            };
            let mut moves: Vec<_> =
                survey.moves.iter().map(|count| (name(count.next), count.first_results().games())).collect();
            moves.sort();
            let games = |list: &[GameHit]| list.iter().map(|hit| hit.game).collect();
            lines.push((survey.key, moves, games(survey.best), games(survey.recent)));
            Ok(())
        };
        let mut pieces = Vec::new();
        let mut all = Vec::new();
        let end = |nth, lines| Ok((nth, lines));
        let take = |(nth, lines): (usize, Vec<Line>)| {
            assert!(lines.iter().all(|line| line.0 >> 63 == nth as u64), "there are two pieces");
            pieces.push(nth);
            all.extend(lines);
            Ok(())
        };
        index.survey_keys(&workers, (&summaries, choice), make, end, take, &|_, _| flow)?;
        assert_eq!((pieces, index.key_pieces()), (vec![0, 1], 2));
        assert!(all.is_sorted_by_key(|line| line.0));
        Ok(all)
    }

    #[test]
    fn each_position_of_enough_games_is_surveyed_in_the_order_of_keys() {
        let desk = Desk::of(&[("first.pgn", FIRST), ("second.pgn", SECOND)]);
        let keys = |positions: &[Position]| {
            let mut keys: Vec<u64> = positions.iter().map(crate::key).collect();
            keys.sort_unstable();
            keys
        };
        let found = |min_games, max_plies| {
            let lines = survey(&desk.index, min_games, max_plies, ControlFlow::Continue(())).unwrap();
            lines.into_iter().map(|line| line.0).collect::<Vec<_>>()
        };
        let start = Position::initial();
        let [e4, nf3, all] = ["1. e4", "1. Nf3", "1. e4 e5 2. Nf3"].map(after);
        let pawn = position("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1");
        assert_eq!(found(2, 9), keys(&[start.clone(), e4.clone(), nf3.clone(), all]));
        assert_eq!(found(2, 1), keys(&[start.clone(), e4, nf3]));
        assert_eq!(found(2, 0), keys(std::slice::from_ref(&start)));
        assert_eq!(found(4, 9), keys(std::slice::from_ref(&start)));
        assert_eq!(found(5, 9), [0; 0]);
        // Nine positions are in one game of chess only.
        assert_eq!(found(1, 0), keys(&[start, pawn]));
        assert_eq!(found(1, 9).len(), 4 + 9);
        assert_eq!(found(0, 9), found(1, 9));
        let stopped = survey(&desk.index, 1, 9, ControlFlow::Break(()));
        assert!(matches!(stopped, Err(Ended::Stopped)));
    }

    #[test]
    fn a_survey_of_a_key_has_its_moves_and_games() {
        let desk = Desk::of(&[("first.pgn", FIRST), ("second.pgn", SECOND)]);
        let of = |position: &Position| {
            let lines = survey(&desk.index, 1, 9, ControlFlow::Continue(())).unwrap();
            lines.into_iter().find(|line| line.0 == crate::key(position)).map(|(_, moves, best, recent)| {
                let moves: Vec<String> = moves.iter().map(|(next, games)| format!("{next} {games}")).collect();
                (moves.join(", "), best, recent)
            })
        };
        let line = |moves: &str, best: &[u64], recent: &[u64]| Some((moves.to_owned(), best.to_vec(), recent.to_vec()));
        assert_eq!(of(&Position::initial()), line("e2e4 2, g1f3 2", &[1], &[2, 1]));
        assert_eq!(of(&after("1. e4")), line("c7c5 1, e7e5 1", &[1], &[1, 3]));
        assert_eq!(of(&after("1. e4 e5 2. Nf3")), line("- 2", &[1], &[2, 1]));
        assert_eq!(of(&after("1. e4 c5")), line("g1f3 1", &[3], &[3]));
        assert_eq!(of(&after("1. d4")), None);
    }

    #[test]
    fn an_error_ends_the_surveys() {
        let desk = Desk::of(&[("first.pgn", FIRST)]);
        let summaries = desk.index.summaries().unwrap();
        let choice = KeyChoice { min_games: 1, max_plies: 9, lists: [0, 0] };
        let make = |_: &KeySurvey<'_>, _: &mut ()| Err(IndexError::new(desk.index.folder(), "no"));
        let workers = Workers::new(1).unwrap();
        let go_on = |_, _| ControlFlow::Continue(());
        let ended = desk.index.survey_keys(&workers, (&summaries, choice), make, |_, ()| Ok(()), |()| Ok(()), &go_on);
        assert!(matches!(ended, Err(Ended::Failed(error)) if error.to_string().ends_with("no")));
    }

    /// Returns the positions with two keys, and what was reported.
    fn several(index: &Index, chosen: &[u64]) -> (Vec<SeveralKeys>, Vec<String>) {
        let workers = Workers::new(1).unwrap();
        let mut reported = Vec::new();
        let mut report = |name: String, reason: String| reported.push(format!("{name}: {reason}"));
        let found = index.several_keys(&workers, chosen, &mut report, &|_, _| ControlFlow::Continue(()));
        (found.unwrap(), reported)
    }

    #[test]
    fn positions_with_two_keys_are_found_on_every_file() {
        // A pawn passes by another, which is pinned.
        let starts = (0..8_usize).flat_map(|file| {
            let beside = if file == 0 { 1 } else { file - 1 };
            let rank = |men: &[(usize, char)]| {
                let mut squares = ['1'; 8];
                men.iter().for_each(|(file, man)| squares[*file] = *man);
                String::from_iter(squares)
            };
            let king = if beside < 4 { 7 } else { 0 };
            let [top, pawn, other, last] =
                [&[(beside, 'r'), (king, 'k')][..], &[(file, 'p')], &[(beside, 'P')], &[(beside, 'K')]].map(rank);
            let name = ["a", "b", "c", "d", "e", "f", "g", "h"][file];
            [format!("{top}/{pawn}/8"), format!("{top}/8/{pawn}")]
                .map(|upper| format!("[FEN \"{upper}/{other}/8/8/8/{last} b - - 0 1\"]\n\n1... {name}5 *\n\n"))
        });
        let desk = Desk::of(&[("a.pgn", starts.collect::<String>())]);
        let all: Vec<u64> =
            survey(&desk.index, 1, 9, ControlFlow::Continue(())).unwrap().iter().map(|line| line.0).collect();
        let (found, reported) = several(&desk.index, &all);
        assert_eq!((found.len(), reported.len()), (8, 0));
        assert!(found.iter().all(|several| several.position.is_some()));
        for SeveralKeys { keys, .. } in &found {
            assert_eq!([&keys[..1], &keys[1..]].map(|chosen| several(&desk.index, chosen).0.len()), [1, 1]);
        }
    }

    #[test]
    fn a_position_with_two_keys_is_found_by_either_of_them() {
        let desk = Desk::of(&[("first.pgn", FIRST), ("a.pgn", EN_PASSANT)]);
        let double = play(&position("4r1k1/3p4/8/4P3/8/8/8/4K3 b - - 0 1"), "d7d5");
        let single = position("4r1k1/8/8/3pP3/8/8/8/4K3 w - - 0 2");
        let mut keys = [&double, &single].map(crate::key);
        keys.sort_unstable();
        let all: Vec<u64> =
            survey(&desk.index, 1, 9, ControlFlow::Continue(())).unwrap().iter().map(|line| line.0).collect();
        for chosen in [&keys[..1], &keys[1..], &keys, &all] {
            let (found, reported) = several(&desk.index, chosen);
            let [SeveralKeys { keys: found, position: Some(found_position) }] = &found[..] else { panic!("{found:?}") };
            assert_eq!((found, reported.len()), (&keys, 0));
            assert!(found_position.is_same_position(&double) && found_position.is_same_position(&single));
        }
        assert!(several(&desk.index, &[crate::key(&Position::initial())]).0.is_empty());
        let workers = Workers::new(1).unwrap();
        let stopped = desk.index.several_keys(&workers, &all, &mut |_, _| (), &|_, _| ControlFlow::Break(()));
        assert!(matches!(stopped, Err(Ended::Stopped)));
        // Without the games, it is not known which keys belong together: these four may.
        fs::remove_file(desk.path("a.pgn")).unwrap();
        let (found, reported) = several(&desk.index, &all);
        assert_eq!((found.len(), reported.len()), (2, 1));
        assert!(found.iter().all(|several| several.position.is_none()));
        assert!(reported[0].contains("a.pgn: the file is missing"), "{reported:?}");
    }
}
