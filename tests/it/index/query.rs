//! Queries, whose answers follow from the hits and the tags of their games.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};

use pgn2fen_chess::position::Position;
use pgn2fen_chess::san::Letters;
use pgn2fen_games::pgn::token::Outcome;
use pgn2fen_games::selection::TagFilter;
use pgn2fen_games::typed::read_position;
use pgn2fen_index::{Hit, Index, QueryWarning, Results};

use crate::cli::Desk;
use crate::index::{build, desk};

fn position(text: &str) -> Position {
    read_position(text, &Letters::ENGLISH).unwrap().position
}

fn filters(texts: &[&str]) -> Vec<TagFilter> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

/// The hits of a position in games whose tags satisfy all filters.
fn expected(index: &Index, position: &Position, filters: &[TagFilter]) -> Vec<Hit> {
    let mut games = index.games();
    let mut wants = |hit: &Hit| {
        filters.iter().all(|filter| {
            let holds = filter.try_holds(|_, condition| {
                let column = index.column_of_tag(condition.name()).unwrap();
                games.text(hit.game, column).map(|value| condition.holds_for_tag(value))
            });
            holds.unwrap()
        })
    };
    index.hits(position).unwrap().map(Result::unwrap).filter(|hit| wants(hit)).collect()
}

#[track_caller]
fn check(index: &Index, position: &Position, texts: &[&str]) -> usize {
    let filters = filters(texts);
    let expected = expected(index, position, &filters);
    let mut query = index.query(|trouble| panic!("{trouble}")).tags(filters).unwrap();
    let hits: Vec<Hit> = query.hits(position).unwrap().map(Result::unwrap).collect();
    assert_eq!(hits, expected, "{texts:?}");

    let games: BTreeMap<u64, Outcome> = expected.iter().map(|hit| (hit.game, hit.result)).collect();
    let count = |result| games.values().filter(|other| **other == result).count() as u64;
    let results = Results {
        white: count(Outcome::WhiteWins),
        draws: count(Outcome::Draw),
        black: count(Outcome::BlackWins),
        unknown: count(Outcome::Unknown),
    };
    assert_eq!(query.count(position).unwrap(), results, "{texts:?}");
    let explored = query.explore(position).unwrap();
    assert_eq!(explored.results(), results, "{texts:?}");
    for count in explored.moves() {
        let games: BTreeSet<u64> = expected.iter().filter(|hit| hit.next == count.next).map(|hit| hit.game).collect();
        assert_eq!(count.results.games(), games.len() as u64, "{texts:?} {:?}", count.next);
    }
    let found: Vec<u64> = query.games(position).unwrap().map(Result::unwrap).collect();
    assert!(found.iter().eq(games.keys()), "{texts:?}");

    for max in [0, 1, 3] {
        query = query.max(max);
        let most = usize::try_from(max).unwrap();
        let hits: Vec<Hit> = query.hits(position).unwrap().map(Result::unwrap).collect();
        assert_eq!(hits, expected[..most.min(expected.len())]);
        let found: Vec<u64> = query.games(position).unwrap().map(Result::unwrap).collect();
        assert!(found.iter().eq(games.keys().take(most)));
        assert_eq!(query.count(position).unwrap(), results, "the limit is for rows");
    }
    expected.len()
}

#[test]
fn a_query_answers_what_the_tags_of_all_hits_say() {
    let (desk, names) = desk();
    build(&desk, &["-o", "idx"], &names);
    let index = Index::open(desk.path("idx")).unwrap();
    let mut left_out = 0;
    for text in ["startpos", "e4", "1. d4 Nf6 2. c4", "1. e4 c5 2. Nf3 d6", "1. a3 a6 2. a4"] {
        let position = position(text);
        let all = check(&index, &position, &[]);
        for texts in [
            &["White~a"][..],
            &["WhiteElo>=2200"],
            &["Date<2015", "Result=1-0"],
            &["ECO!=B20"],
            &["whiteelo=?"],
            &["Player~an"],
            &["Elo>=2500", "White~a or Result=1-0"],
        ] {
            left_out += usize::from(check(&index, &position, texts) < all);
        }
    }
    assert!(left_out >= 10, "the filters leave out games: {left_out}");
}

#[test]
fn a_tag_that_the_index_does_not_keep_is_named_with_the_nearest() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 *")]);
    build(&desk, &["-o", "idx", "--tags", "WhiteFideId"], &["a.pgn".to_owned()]);
    let index = Index::open(desk.path("idx")).unwrap();
    let check = |filter: &str, message: &str| {
        let error = index.columns_of_filters(&filters(&["Player~a", filter])).unwrap_err();
        assert!(error.to_string().starts_with(message), "{error}");
        let refused = index.query(|_| {}).tags(filters(&[filter])).unwrap_err();
        assert_eq!(refused.name(), error.name());
    };
    check("Rating>1 or ECo>A", "the index does not keep the tag Rating (it keeps Event, ");
    check("FideId=1", "the index does not keep the tag FideId; did you mean WhiteFideId? (it keeps Event, ");
    check(
        "Annotator=x",
        "the index does not keep the tag Annotator (it keeps Event, Site, Date, Round, White, Black, WhiteElo, \
        BlackElo, ECO, Result, TimeControl, Variant, WhiteFideId; an index with further tags, such as Annotator, is \
        built by pgn2fen index --tags)",
    );
    assert!(index.columns_of_filters(&filters(&["whitefideid>1 or Speed=blitz"])).is_ok());
}

#[test]
fn what_is_left_out_of_an_answer_is_reported() {
    // Long enough for an edit in the middle that neither size nor ends tell.
    let game = b"[White \"A\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0\n\n".as_slice();
    let mut text = game.repeat(5000);
    let other = b"[White \"B\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 0-1\n\n".as_slice();
    let desk = Desk::with(&[("a.pgn", &text), ("b.pgn", other)]);
    build(&desk, &["-o", "idx"], &["a.pgn".to_owned(), "b.pgn".to_owned()]);
    let index = Index::open(desk.path("idx")).unwrap();
    let (knight, bishop) = (position("e4 e5 Nf3"), position("e4 e5 Nf3 Nc6 Bb5"));
    // What a query that verifies counts, and what it reports.
    let ask = |positions: &[&Position]| {
        let mut troubles = Vec::new();
        let mut query = index.query(|trouble| troubles.push(trouble.clone())).verify(true);
        let counts: Vec<u64> = positions.iter().map(|position| query.count(position).unwrap().games()).collect();
        drop(query);
        (counts, troubles)
    };
    assert_eq!(ask(&[&knight, &bishop]), (vec![5001, 5000], vec![]));

    // The same size and time, and another game.
    let modified = fs::metadata(desk.path("a.pgn")).unwrap().modified().unwrap();
    let at = 2500 * game.len() + 25;
    assert_eq!(&text[at..at + 3], b"Nf3");
    text[at..at + 3].copy_from_slice(b"Nh3");
    fs::write(desk.path("a.pgn"), &text).unwrap();
    File::options().write(true).open(desk.path("a.pgn")).unwrap().set_modified(modified).unwrap();
    let (counts, troubles) = ask(&[&knight, &bishop]);
    assert_eq!(counts, [5000, 4999]);
    let not_reached = |trouble: &QueryWarning| match trouble {
        QueryWarning::NotReached { place, game, ply } => {
            (place.rsplit(['/', '\\']).next().unwrap().to_owned(), *game, *ply)
        }
        other => panic!("{other}"),
    };
    let place = "a.pgn:10001".to_owned();
    let found: Vec<_> = troubles.iter().map(not_reached).collect();
    assert_eq!(found, [(place.clone(), 2501, 3), (place, 2501, 5)]);
    assert!(troubles[0].to_string().ends_with("a.pgn:10001: this game does not reach the position at ply 3"));

    // A file that has changed is reported once, and the games of the other file are still found.
    fs::write(desk.path("a.pgn"), game).unwrap();
    let (counts, troubles) = ask(&[&knight, &bishop]);
    assert_eq!(counts, [1, 0]);
    assert!(matches!(&*troubles, [QueryWarning::File { name, .. }] if name == "a.pgn"), "{troubles:?}");
    let mut reports = 0;
    let mut query = index.query(|_| reports += 1);
    assert_eq!(query.text(1).unwrap(), None);
    assert_eq!(query.text(2).unwrap(), None);
    assert_eq!(query.text(5001).unwrap().as_deref(), Some(other.trim_ascii_end()));
    drop(query);
    assert_eq!(reports, 1);
}

#[test]
fn an_answer_can_be_stopped() {
    let game = b"1. e4 e5 2. Nf3 1-0\n\n".as_slice();
    let desk = Desk::with(&[("a.pgn", &game.repeat(20))]);
    build(&desk, &["-o", "idx"], &["a.pgn".to_owned()]);
    let index = Index::open(desk.path("idx")).unwrap();
    let knight = position("e4 e5 Nf3");
    let mut asked = 0;
    let mut query = index.query(|_| {}).tags(filters(&["Result=1-0"])).unwrap().stop_if(|| {
        asked += 1;
        asked > 7
    });
    assert_eq!(query.hits(&knight).unwrap().count(), 7);
    assert_eq!(query.count(&knight).unwrap().games(), 0);
}
