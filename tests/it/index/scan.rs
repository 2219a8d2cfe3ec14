//! What an index says is what a scan of the games says.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;

use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::position::Position;
use pgn2fen_games::database::Database;
use pgn2fen_games::pgn::token::Outcome;
use pgn2fen_games::selection::Identity;
use pgn2fen_index::{GameColumn, Hit, Index};
use proptest::prelude::{Strategy, any};
use proptest::test_runner::{Config, TestRunner};

use crate::cli::Desk;
use crate::index::{build, desk, tables};

/// What is known of a game.
struct Game {
    white: Option<String>,
    date: Option<String>,
    elo: [u64; 2],
    text: Vec<u8>,
}

/// All games, and all hits of all positions, each by what the repetition rule says it is.
#[derive(Default)]
struct Scan {
    games: Vec<Game>,
    hits: HashMap<Identity, Vec<Hit>>,
    positions: Vec<Position>,
}

/// Plays all games over.
fn scan(desk: &Desk, names: &[String]) -> Scan {
    let mut scan = Scan::default();
    for name in names {
        let database = Database::open(desk.path(name)).unwrap();
        for game in database.games() {
            let tags = game.tags();
            let tag = |name| tags.value(name).map(|value| value.decode().into_owned()).filter(|text| !text.is_empty());
            let elo = |name| tag(name).and_then(|elo| elo.trim().parse().ok()).unwrap_or(0);
            scan.games.push(Game {
                white: tag("White"),
                // An unknown date is that of UTCDate.
                date: tag("Date")
                    .filter(|date| date.bytes().any(|byte| (b'1'..=b'9').contains(&byte)))
                    .or_else(|| tag("UTCDate"))
                    .or_else(|| tag("Date")),
                elo: [elo("WhiteElo"), elo("BlackElo")],
                text: game.bytes().to_vec(),
            });
            let number = scan.games.len() as u64;
            let Ok(mut replay) = game.replay() else {
                continue;
            };
            let result = replay.clone().outcome();
            for ply in 0.. {
                let position = replay.position().clone();
                let next = replay.next_ply().and_then(Result::ok).map(|ply| ply.played);
                let uci = next.map(|m| m.to_uci(&position));
                let next = uci.as_ref().and_then(|uci| Uci::from_ascii(uci.as_bytes()));
                let hit = Hit { game: number, ply, next, result };
                scan.hits.entry(Identity::of(&position)).or_default().push(hit);
                scan.positions.push(position);
                if next.is_none() {
                    break;
                }
            }
        }
    }
    assert!(scan.positions.len() > 50_000 && scan.hits.len() > 30_000, "the fixtures are there");
    scan
}

/// A row of an explorer's table: games by result, and by move the same, the sum of ratings, how many, first and last
/// date.
type Row = ([u64; 4], u64, u64, BTreeSet<String>);

fn results(hits: &[&Hit]) -> [u64; 4] {
    let games: BTreeMap<u64, Outcome> = hits.iter().map(|hit| (hit.game, hit.result)).collect();
    let count = |result| games.values().filter(|other| **other == result).count() as u64;
    [Outcome::WhiteWins, Outcome::Draw, Outcome::BlackWins, Outcome::Unknown].map(count)
}

impl Scan {
    fn rows(&self, position: &Position) -> BTreeMap<Option<Uci>, Row> {
        let mut by_move: BTreeMap<Option<Uci>, Vec<&Hit>> = BTreeMap::new();
        for hit in &self.hits[&Identity::of(position)] {
            by_move.entry(hit.next).or_default().push(hit);
        }
        let row = |hits: &Vec<&Hit>| {
            let games: BTreeSet<u64> = hits.iter().map(|hit| hit.game).collect();
            let games = games.iter().map(|number| &self.games[usize::try_from(*number).unwrap() - 1]);
            let elos: Vec<u64> =
                games.clone().map(|game| game.elo[position.turn().index()]).filter(|elo| *elo > 0).collect();
            let dates = games.filter_map(|game| game.date.clone());
            (results(hits), elos.iter().sum(), elos.len() as u64, dates.collect())
        };
        by_move.iter().map(|(next, hits)| (*next, row(hits))).collect()
    }

    /// Compares what an index says of a position.
    #[track_caller]
    fn check(&self, index: &Index, position: &Position) {
        let expected = &self.hits[&Identity::of(position)];
        let found: Vec<Hit> = index.hits(position).unwrap().map(Result::unwrap).collect();
        assert_eq!(&found, expected, "{position:?}");

        let all: Vec<&Hit> = expected.iter().collect();
        let count = index.count(position).unwrap();
        assert_eq!([count.white, count.draws, count.black, count.unknown], results(&all), "{position:?}");
        let explored = index.explore(position).unwrap();
        assert_eq!(explored.results(), count, "{position:?}");
        assert!(explored.moves().is_sorted_by_key(|count| std::cmp::Reverse(count.results.games())));
        let rows = self.rows(position);
        assert_eq!(explored.moves().len(), rows.len(), "{position:?}");
        for count in explored.moves() {
            let (results, elo_sum, elo_games, dates) = &rows[&count.next];
            let found = count.results;
            assert_eq!(&[found.white, found.draws, found.black, found.unknown], results, "{position:?}");
            assert_eq!((count.elo_sum, count.elo_games), (*elo_sum, *elo_games), "{position:?} {:?}", count.next);
            let mut days: Vec<i32> = dates.iter().filter_map(|date| day(date)).collect();
            days.sort_unstable();
            assert_eq!((count.first_date(), count.last_date()), (days.first().copied(), days.last().copied()));
        }
    }

    /// Compares what an index says of many positions, the hottest among them.
    #[track_caller]
    fn check_many(&self, index: &Index, step: usize) {
        self.check(index, &Position::initial());
        for position in self.positions.iter().step_by(step) {
            self.check(index, position);
        }
    }
}

/// A date of digits and question marks as a number.
fn day(date: &str) -> Option<i32> {
    let parts: Vec<i32> = date.split('.').map(|part| part.parse().unwrap_or(0)).collect();
    let [year, month, day] = parts[..] else { return None };
    if year == 0 {
        return None;
    }
    Some(year * 10_000 + month * 100 + if month > 0 { day } else { 0 })
}

#[test]
fn an_index_says_what_a_scan_says() {
    let (desk, names) = desk();
    let scan = scan(&desk, &names);
    build(&desk, &["-o", "idx"], &names);
    let index = Index::open(desk.path("idx")).unwrap();
    assert_eq!((index.game_count(), index.posting_count()), (scan.games.len() as u64, scan.positions.len() as u64));
    scan.check_many(&index, 61);

    // What is said of the games.
    let mut games = index.games();
    for (number, game) in (1..).zip(&scan.games) {
        assert_eq!(games.text(number, GameColumn::White).unwrap().map(str::to_owned), game.white);
        assert_eq!(games.text(number, GameColumn::DateText).unwrap().map(str::to_owned), game.date);
        let offset = games.number(number, GameColumn::Offset).unwrap().unwrap();
        let length = games.number(number, GameColumn::Length).unwrap().unwrap();
        let line = games.number(number, GameColumn::Line).unwrap().unwrap();
        let file = games.text(number, GameColumn::File).unwrap().unwrap();
        let database = Database::open(desk.path(file)).unwrap();
        let range = usize::try_from(offset).unwrap()..usize::try_from(offset + length).unwrap();
        assert_eq!(database.bytes()[range.clone()], game.text, "game {number}");
        let lines = pgn2fen_games::diagnostic::count_lines(&database.bytes()[..range.start]);
        assert_eq!(line as u64, lines + 1, "game {number}");
    }
    assert_eq!(games.text(scan.games.len() as u64 + 1, GameColumn::White).unwrap(), None);
    assert_eq!(games.text(0, GameColumn::White).unwrap(), None);
}

#[test]
fn several_runs_say_what_one_says_and_become_the_same_one() {
    let (desk, names) = desk();
    let scan = scan(&desk, &names);
    build(&desk, &["-o", "one"], &names);
    for piece in names.chunks(names.len() / 5 + 1) {
        build(&desk, &["--append", "-o", "some"], piece);
    }
    assert_eq!(tables(&desk.path("some"))["games.parquet"].len(), 5);
    scan.check_many(&Index::open(desk.path("some")).unwrap(), 149);
    build(&desk, &["--compact", "-o", "some"], &[]);
    scan.check_many(&Index::open(desk.path("some")).unwrap(), 211);
    assert!(tables(&desk.path("some")) == tables(&desk.path("one")), "merged tables are those of one build");
}

#[test]
fn more_than_eight_runs_are_merged() {
    let (desk, names) = desk();
    for piece in names[..18].chunks(2) {
        build(&desk, &["--append", "-o", "idx"], piece);
    }
    build(&desk, &["-o", "one"], &names[..18]);
    assert!(tables(&desk.path("idx")) == tables(&desk.path("one")));
}

#[test]
fn threads_change_no_byte_of_an_index() {
    let (desk, names) = desk();
    build(&desk, &["-j1", "-o", "one"], &names);
    for threads in ["-j2", "-j5"] {
        build(&desk, &[threads, "-o", "idx"], &names);
        assert!(tables(&desk.path("idx")) == tables(&desk.path("one")), "{threads}");
    }
}

#[test]
fn however_files_are_appended_it_becomes_the_same_index() {
    let (desk, names) = desk();
    let few: Vec<String> = names.iter().step_by(9).cloned().collect();
    build(&desk, &["-o", "one"], &few);
    let expected = tables(&desk.path("one"));
    // After each file, whether the next begins another run.
    let splits = proptest::collection::vec(any::<bool>().prop_map(usize::from), few.len());
    let mut runner = TestRunner::new(Config { cases: 6, failure_persistence: None, ..Config::default() });
    let law = |splits: Vec<usize>| {
        let _ = fs::remove_dir_all(desk.path("idx"));
        let mut rest = &few[..];
        while !rest.is_empty() {
            let most = 1 + splits[few.len() - rest.len()..].iter().take_while(|split| **split == 0).count();
            let (piece, others) = rest.split_at(most.min(rest.len()));
            build(&desk, &["--append", "-o", "idx"], piece);
            rest = others;
        }
        build(&desk, &["--compact", "-o", "idx"], &[]);
        assert!(tables(&desk.path("idx")) == expected, "{splits:?}");
        Ok(())
    };
    runner.run(&splits, law).unwrap();
}

#[test]
fn only_the_plies_that_are_wanted_are_indexed() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 e5 2. Nf3 *\n1. e4 c5 *\n"), ("b.pgn", b"1. d4 *\n")]);
    build(&desk, &["-p", "1..2", "-o", "idx"], &["a.pgn".to_owned()]);
    let index = Index::open(desk.path("idx")).unwrap();
    assert_eq!(index.posting_count(), 4);
    assert_eq!(index.count(&Position::initial()).unwrap().games(), 0);
    let refused = desk.run(&["index", "--append", "-o", "idx", "b.pgn"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("the plies 1..2"), "{}", refused.stderr);
}
