//! A filter gives the same games from an index as from the files.

use std::fmt::Write;
use std::fs;

use pgn2fen_games::database::Database;
use pgn2fen_games::pgn::encoding::Fallback;
use pgn2fen_games::selection::TagFilter;
use pgn2fen_index::{Index, TAGS};

use crate::cli::Desk;
use crate::index::{build, desk};

/// The further tags that the index keeps, besides Annotator, which all games have once.
const FURTHER: [&str; 4] = ["WhiteFideId", "EventDate", "odd_Tag9", "Start"];

/// The option that keeps them.
const KEPT: [&str; 2] = ["--tags", "WhiteFideId,EventDate,odd_Tag9,Start,Annotator"];

/// Values that tags have in real files, in the order of [`TAGS`] and then of [`FURTHER`], and odd ones.
const VALUES: [&[&str]; TAGS.len() + FURTHER.len()] = [
    &["Hastings 1895", "hastings", "It (cat.17)", "1234", "\\\"Quoted\\\" \\\\ Open", "Ligue 1 \u{2013} été"],
    &["London ENG", "https://lichess.org/j1dkb5dw", "Москва", "-1", "3.5"],
    &[
        "1895.08.05",
        "1895.??.??",
        "1895.08.??",
        "????.??.??",
        "0000.00.00",
        "2019-06-01",
        "2019/6/1",
        "2019",
        "2019.13.41",
    ],
    &["1", "6.4", "6.10", "06", "1.1.2", "Final", "6.?"],
    &["Carlsen, Magnus", "CARLSEN,M", "carlsen, magnus", "Müller, Karl", "Карпов", "1", "Win or Lose", "O'Kelly"],
    &["Tal, M", "tal", "Carlsen,M", "NN", "  Tal, M "],
    &[
        "2700",
        "2700?",
        "0",
        "987",
        "02700",
        "+2700",
        "2700.5",
        "unrated",
        "99999",
        "-5",
        "GM 2500",
        "123456789012345678901",
    ],
    &["2699", "2700", "0000", "?2700", "2,700"],
    &["B90", "b90", "B9", "E60/10", "C00-C19", "A00"],
    &[
        "1-0",
        "0-1",
        "1/2-1/2",
        "*",
        "1/2",
        "½-½",
        "1:0",
        " 0-1 ",
        "0-0",
        "draw",
        "1-O",
        "0.5-0.5",
        "+:-",
        "1-0 (time)",
        "½",
    ],
    &["180+2", "180", "15", "600+0", "40/7200:3600", "1/259200", "*60", "5400+30", "blitz", "60+0.6", "30 min"],
    &["Standard", "Chess960", "chess960", "From Position", "Bughouse", "Blitz"],
    &["1503014", "01503014", "-3", "1503014.5", "x1503014"],
    &["2019.01.01", "2019.??.??", "1895-08", "2019.13.41"],
    &["A", "a", "12", "1.10", "1.1", "É", "win or lose"],
    &["standard", "e4", "1"],
];

/// Returns the names of all tags that are written, with their values.
fn named_values() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    TAGS.into_iter().chain(FURTHER).zip(VALUES)
}

/// Values that any tag may have.
const ODD: [&str; 8] = ["", "?", "-", "??", " ", "*", "0", "or"];

/// Returns games whose tags have all these values, in any combination. Some tags are missing, given twice or written in
/// other capitals.
fn games() -> String {
    let mut text = String::new();
    let mut seed = 7_u64;
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap() % below
    };
    for _ in 0..800 {
        for (name, values) in named_values() {
            for _ in 0..[0, 1, 1, 1, 1, 1, 1, 1, 2][next(9)] {
                let at = next(values.len() + 4);
                let value = values.get(at).copied().unwrap_or_else(|| ODD[next(ODD.len())]);
                let name = if next(12) == 0 { name.to_uppercase() } else { name.to_owned() };
                writeln!(text, "[{name} \"{value}\"]").unwrap();
            }
        }
        if next(4) == 0 {
            writeln!(text, "[UTCDate \"{}\"]", VALUES[2][next(VALUES[2].len())]).unwrap();
        }
        let long = if next(50) == 0 { "x".repeat(4090 + next(12)) } else { String::new() };
        writeln!(text, "[Annotator \"{long}\"]\n").unwrap();
        text.push_str(
            ["1. e4 e5 1-0\n\n", "1. d4 (1. c4 1-0) ½\n\n", "*\n\n", "1. Nf3 0-1 {end}\n\n", "\n\n"][next(5)],
        );
    }
    for (tag, end) in [("Event", "y"), ("White", ""), ("Result", "z")] {
        writeln!(text, "[{tag} \"{}{end}\"]\n\n1. c4 *\n", "x".repeat(4096)).unwrap();
    }
    text
}

/// Returns filters on all tags, with all operators and values.
fn filters() -> Vec<String> {
    let mut filters = Vec::new();
    for (name, values) in named_values() {
        let own = values.iter().map(|value| value.replace("\\\"", "\"").replace("\\\\", "\\"));
        for (at, value) in own.chain(ODD.map(str::to_owned)).enumerate() {
            let other = ["!=", "<", "<=", ">", ">=", "~"][at % 6];
            filters.extend(["=", other].map(|operator| format!("{name}{operator}\"{value}\"")));
        }
    }
    for filter in [
        "white~CARLSEN",
        "RESULT=1/2",
        "date>=1895-08",
        "Date<=1895.08.05",
        "Date>2019",
        "Date=2019.06",
        "Player~carlsen",
        "Player!=\"Tal, M\"",
        "Player=\"\"",
        "Player~\"\"",
        "Elo>=2600",
        "Elo=?",
        "Elo!=2700",
        "Elo<=0",
        "White~carlsen or Black~carlsen or Result=*",
        "WhiteElo=? or BlackElo=?",
        "Result>=1/2-1/2",
        "Result<1-0 or Date=?",
        "Event~\"win or\" or Site~lichess",
        "WhiteElo>10000000000",
        "Round>=6.4",
        "Speed=blitz",
        "Speed=blitz or Speed=rapid",
        "Speed<=bullet",
        "Speed>=classical",
        "speed!=Classical",
        "Speed=?",
        "Speed!=?",
        "timecontrol>=180",
        "TIMECONTROL=180+2",
        "variant~CHESS",
        "VARIANT=Standard or Variant=?",
        "WhiteFideId>1000000",
        "EventDate<2019.06 or White~tal",
        "annotator~x",
        "ANNOTATOR=\"\"",
        "Annotator>=x",
        "ECO>=B and ECO",
    ] {
        filters.push(filter.to_owned());
    }
    for end in ["", "x", "y"] {
        filters.push(format!("Event={}{end}", "x".repeat(4096)));
        filters.push(format!("Event~{}{end}", "x".repeat(4090)));
        filters.push(format!("Annotator={}{end}", "x".repeat(4096)));
        filters.push(format!("Annotator~{}{end}", "x".repeat(4095)));
    }
    filters
}

/// The numbers of the games of an index whose tags satisfy all filters.
fn found(index: &Index, filters: &[TagFilter]) -> Vec<u64> {
    let mut query = index.query(|trouble| panic!("{trouble}")).tags(filters.to_vec()).unwrap();
    query.all_games().map(|game| game.unwrap().game).collect()
}

#[test]
fn a_filter_gives_the_same_games_from_an_index_and_from_the_files() {
    let (desk, mut names) = desk();
    fs::write(desk.path("tags.pgn"), games()).unwrap();
    names.push("tags.pgn".to_owned());
    let (first, last) = names.split_at(names.len() / 2);
    build(&desk, &[&["-o", "idx"], &KEPT[..]].concat(), first);
    build(&desk, &["-o", "idx", "--append"], last);
    let filters: Vec<TagFilter> = filters().iter().filter_map(|text| text.parse().ok()).collect();
    assert!(filters.len() > 300, "{}", filters.len());

    let mut expected = vec![Vec::new(); filters.len()];
    let (mut number, encoding) = (0, Fallback::default());
    for name in &names {
        let database = Database::open(desk.path(name)).unwrap();
        for game in database.games() {
            number += 1;
            for (filter, games) in filters.iter().zip(&mut expected) {
                games.extend(filter.holds_for_game(game.tags(), &game.movetext(), &encoding).then_some(number));
            }
        }
    }
    // An index of one run has copies of the tables of the others.
    for is_merged in [false, true] {
        if is_merged {
            let merged = desk.run(&["index", "-q", "-o", "idx", "--compact"]);
            assert_eq!(merged.code, Some(0), "{merged:?}");
        }
        let index = Index::open(desk.path("idx")).unwrap();
        assert_eq!(index.game_count(), number);
        for (at, (filter, games)) in filters.iter().zip(&expected).enumerate() {
            assert_eq!(&found(&index, std::slice::from_ref(filter)), games, "{filter}");
            if at % 8 > 0 {
                continue;
            }
            // Two filters must both hold.
            let other = (7 * at + 3) % filters.len();
            let both: Vec<u64> = games.iter().filter(|game| expected[other].contains(game)).copied().collect();
            assert_eq!(found(&index, &[filter.clone(), filters[other].clone()]), both, "{filter} {}", filters[other]);
        }
    }
    let with_games = expected.iter().filter(|games| !games.is_empty()).count();
    assert!(with_games > 300, "{with_games}");
}

#[test]
fn the_commands_give_the_same_games_for_a_filter() {
    let desk = Desk::with(&[("tags.pgn", games().as_bytes())]);
    build(&desk, &[&["-o", "idx"], &KEPT[..]].concat(), &["tags.pgn".to_owned()]);
    let mut counted = 0;
    for filter in filters().iter().filter(|text| text.parse::<TagFilter>().is_ok()).step_by(9) {
        let scanned = desk.run(&["-q", "-p", "0", "-C", "game", "--no-header", "-t", filter, "tags.pgn"]);
        let found = desk.run(&["find", "--no-header", "-t", filter, "idx", "startpos"]);
        let found: String =
            found.stdout.lines().map(|line| line.split('\t').nth(1).unwrap().to_owned() + "\n").collect();
        assert_eq!(found, scanned.stdout, "{filter}");
        counted += u32::from(!found.is_empty());
    }
    assert!(counted > 20, "{counted}");
}
