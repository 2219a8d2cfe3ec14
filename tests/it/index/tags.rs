//! The tags that an index keeps, its columns for them, and indexes of format version 3, which keep ten tags.

use std::fs;
use std::path::Path;

use pgn2fen_games::database::{Source, SourceOptions};
use pgn2fen_games::walk::{Job, ReadOptions};
use pgn2fen_index::{Assembly, BuildOptions, BuiltRun, Digest, GameColumn, Index, Piece, RunBuilder, TAGS};

use crate::cli::Desk;
use crate::index::{build, tables};
use crate::laws::workers;

/// Games with further tags, and with starts of all kinds.
const GAMES: &str = r#"[White "A"]
[WhiteFideId "1503014"]
[EventDate "2019.05.??"]
[Annotator "Tal"]
[TimeControl "180+2"]
[Variant "Standard"]

1. e4 e5 1-0

[White "B"]
[WhiteFideId "?"]
[annotator "tal"]
[FEN "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1"]
[TimeControl "-"]
[Variant "Chess960"]

1. e4 *

[White "C"]
[WhiteFideId ""]
[EventDate "2019.05.17"]
[FEN "8/8/8/8/8/4k3/4p3/4K3 b - - 0 1"]
[Annotator ""]

*

[White "D"]
[FEN "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQhf - 0 1"]

*
"#;

/// The start of the second game.
const B: &str = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1";

/// The option for further tags of [`GAMES`].
const KEPT: &str = "WhiteFideId,EventDate,Annotator,FEN";

/// The name of a column, and its number and text in a game.
type Cell = (String, Option<i64>, Option<String>);

/// All columns of all games with their names, but for the numbers of the games and the names of the files.
fn rows(index: &Index) -> Vec<Vec<Cell>> {
    let mut games = index.games();
    let row = |game: u64| {
        let columns = index.columns().filter(|column| !matches!(column, GameColumn::Game | GameColumn::File));
        let cell = |column| {
            let name = index.column_name(column).unwrap().to_owned();
            let text = games.text(game, column).unwrap().map(str::to_owned);
            (name, games.number(game, column).unwrap(), text)
        };
        columns.map(cell).collect()
    };
    (1..=index.game_count()).map(row).collect()
}

#[test]
fn further_tags_are_columns_of_their_type() {
    let desk = Desk::with(&[("a.pgn", GAMES.as_bytes())]);
    build(&desk, &["-o", "idx", "--tags", KEPT], &["a.pgn".to_owned()]);
    let index = Index::open(desk.path("idx")).unwrap();
    let names: Vec<&str> = index.tags().iter().map(|tag| &**tag).collect();
    assert_eq!(names, [&TAGS[..], &["WhiteFideId", "EventDate", "Annotator", "FEN"]].concat());
    let columns: Vec<&str> = index.columns().map(|column| index.column_name(column).unwrap()).collect();
    assert_eq!(
        columns[23..],
        [
            "sp",
            "TimeControl",
            "Variant",
            "WhiteFideId",
            "WhiteFideId_text",
            "EventDate",
            "EventDate_text",
            "Annotator",
            "FEN_text"
        ]
    );
    let rows = rows(&index);
    let number = |name: &str| -> Vec<Option<i64>> {
        rows.iter().map(|row| row.iter().find(|cell| cell.0 == name).unwrap().1).collect()
    };
    let text = |name: &str| -> Vec<Option<&str>> {
        rows.iter().map(|row| row.iter().find(|cell| cell.0 == name).unwrap().2.as_deref()).collect()
    };
    assert_eq!(number("sp"), [Some(518), Some(0), None, None]);
    assert_eq!(number("WhiteFideId"), [Some(1_503_014), None, None, None]);
    assert_eq!(text("WhiteFideId_text"), [Some("1503014"), Some("?"), Some(""), None]);
    // The day 2019-05-17.
    assert_eq!(number("EventDate"), [None, None, Some(18_033), None]);
    assert_eq!(text("EventDate_text"), [Some("2019.05.??"), None, Some("2019.05.17"), None]);
    assert_eq!(text("Annotator"), [Some("Tal"), Some("tal"), Some(""), None]);
    assert_eq!(text("TimeControl"), [Some("180+2"), Some("-"), None, None]);
    assert_eq!(text("Variant"), [Some("Standard"), Some("Chess960"), None, None]);
    assert_eq!(text("FEN_text").iter().filter(|fen| fen.is_some()).count(), 3);
}

#[test]
fn the_commands_know_the_tags_of_an_index() {
    let desk = Desk::with(&[("a.pgn", GAMES.as_bytes())]);
    build(&desk, &["-o", "idx", "--tags", KEPT], &["a.pgn".to_owned()]);
    build(&desk, &["-o", "usual"], &["a.pgn".to_owned()]);
    let names = |filter: &str, index: &str, position: &str| {
        let found = desk.run(&["find", "--no-header", "-t", filter, index, position]);
        assert_eq!(found.code, Some(if found.stdout.is_empty() { 1 } else { 0 }), "{found:?}");
        found.stdout.lines().map(|line| line.split('\t').nth(3).unwrap().to_owned()).collect::<String>()
    };
    assert_eq!(names("annotator~tal", "idx", B), "B");
    assert_eq!(names("EventDate=2019.05", "idx", "startpos"), "A");
    assert_eq!(names("WhiteFideId>1", "idx", "startpos"), "A");
    assert_eq!(names("Speed=blitz or Speed=rapid", "usual", "startpos"), "A");
    assert_eq!(names("Speed>classical", "usual", B), "B");
    assert_eq!(names("Variant=Chess960", "usual", "startpos"), "");
    let unknown = desk.run(&["find", "-t", "Annotator~tal", "usual", "e4"]);
    assert!(unknown.code == Some(2) && unknown.stderr.contains("pgn2fen index --tags Annotator"), "{unknown:?}");

    let info = desk.run(&["index", "--info", "idx"]).stdout;
    assert!(info.contains("version 4") && info.contains("Variant, WhiteFideId, EventDate, Annotator, FEN"), "{info}");

    let wrong = desk.run(&["index", "-o", "new", "--tags", "White,Fide Id", "a.pgn"]);
    assert!(wrong.code == Some(2) && wrong.stderr.contains("^^^^^^^"), "{wrong:?}");
    for (arguments, reason) in [
        (&["index", "-o", "idx", "--append", "--tags", "Annotator", "a.pgn"][..], "the index keeps the tags Event, "),
        (&["index", "-o", "usual", "--append", "--tags", "Annotator", "a.pgn"], "Variant, and no others"),
        (&["index", "-o", "idx", "--compact", "--tags", KEPT], "--tags"),
        (&["index", "--info", "--tags", KEPT, "idx"], "--tags"),
    ] {
        let refused = desk.run(arguments);
        assert!(refused.code == Some(2) && refused.stderr.contains(reason), "{refused:?}");
    }
    // The same tags in another order and other capitals are the same.
    fs::write(desk.path("b.pgn"), "1. d4 *\n").unwrap();
    let list = "fen,EVENTDATE,Annotator,WhiteFideId,ECO";
    build(&desk, &["-o", "idx", "--append", "--tags", list], &["b.pgn".to_owned()]);
    assert_eq!(Index::open(desk.path("idx")).unwrap().game_count(), 5);
}

#[test]
fn what_is_kept_stays_when_runs_are_merged_and_files_removed_and_moved() {
    let others = GAMES.replace("Tal", "Petrosian").replace("1503014", "7");
    let desk = Desk::with(&[("a.pgn", GAMES.as_bytes()), ("b.pgn", others.as_bytes()), ("c.pgn", b"1. c4 *")]);
    let [a, b, c] = ["a.pgn", "b.pgn", "c.pgn"].map(str::to_owned);
    let run = |arguments: &[&str]| {
        let ran = desk.run(&[&["index", "-q"], arguments].concat());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        rows(&Index::open(desk.path("idx")).unwrap())
    };
    build(&desk, &["-o", "idx", "--tags", KEPT], std::slice::from_ref(&a));
    build(&desk, &["-o", "idx", "--append"], &[b.clone(), c.clone()]);
    let built = rows(&Index::open(desk.path("idx")).unwrap());
    assert!(built.len() == 9 && built[4].iter().any(|cell| cell.2.as_deref() == Some("Petrosian")));
    assert_eq!(run(&["-o", "idx", "--compact"]), built);
    build(&desk, &["-o", "one", "--tags", KEPT], &[a, b, c]);
    assert_eq!(tables(&desk.path("idx")), tables(&desk.path("one")));
    fs::rename(desk.path("b.pgn"), desk.path("moved.pgn")).unwrap();
    assert_eq!(run(&["--relocate", "idx", "moved.pgn"]), built);
    assert_eq!(run(&["--remove", "idx", "a.pgn"])[..], built[4..]);
    assert!(desk.run(&["index", "--check", "idx"]).code == Some(0));
}

/// Adds a file to the index in a folder with a run that another process could have built, with options of its own.
fn assemble(folder: &Path, file: &Path, options: BuildOptions) -> Result<(), pgn2fen_index::IndexError> {
    let mut assembly = Assembly::begin(folder, options)?;
    let number = assembly.add(file, &ReadOptions::default())?;
    let builder =
        RunBuilder::new(assembly.build_folder(), assembly.first_game(), BuildOptions::default(), &workers(1))?;
    let mut indexing = builder.begin(vec![Piece::whole(number)], ReadOptions::default());
    indexing.read(&workers(1), file, Source::open_with(file, &SourceOptions::default()).unwrap(), &mut ()).unwrap();
    let run = indexing.finish(&workers(1), &|_, _| std::ops::ControlFlow::Continue(()))?;
    let run = BuiltRun::from_json(&run.to_json()).unwrap();
    assembly.finish(vec![run], &[Digest::of(file).unwrap()])?.keep_runs();
    Ok(())
}

#[test]
fn a_process_that_builds_a_run_keeps_the_tags_of_its_assembly() {
    let desk = Desk::with(&[("a.pgn", GAMES.as_bytes())]);
    let options = BuildOptions { tags: Some(KEPT.parse().unwrap()), ..BuildOptions::default() };
    assemble(&desk.path("idx"), &desk.path("a.pgn"), options).unwrap();
    build(&desk, &["-o", "one", "--tags", KEPT], &["a.pgn".to_owned()]);
    let [assembled, one] = ["idx", "one"].map(|name| Index::open(desk.path(name)).unwrap());
    assert_eq!(rows(&assembled), rows(&one));
    let other = BuildOptions { tags: Some("Opening".parse().unwrap()), append: true, ..BuildOptions::default() };
    let error = assemble(&desk.path("idx"), &desk.path("a.pgn"), other).unwrap_err().to_string();
    assert!(error.contains("Annotator, FEN, and no others"), "{error}");
}

/// A desk with the index of format version 3 of the fixtures, and its two files, which lie where they lay.
fn older() -> Desk {
    let desk = Desk::with(&[]);
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    for folder in ["index/version_3.idx", "index/version_3.idx/run-000001", "index/version_3.idx/run-000002"] {
        fs::create_dir_all(desk.path(folder)).unwrap();
        for entry in fs::read_dir(fixtures.join(folder)).unwrap().map(Result::unwrap) {
            if entry.path().is_file() {
                fs::copy(entry.path(), desk.path(folder).join(entry.file_name())).unwrap();
            }
        }
    }
    fs::create_dir(desk.path("games")).unwrap();
    for name in ["lichess_2012.pgn", "fischer_random_2018.pgn"] {
        fs::copy(fixtures.join("games").join(name), desk.path("games").join(name)).unwrap();
    }
    desk
}

const OLDER: &str = "index/version_3.idx";

#[test]
fn an_index_of_format_version_3_is_read() {
    let desk = older();
    build(&desk, &["-o", "new"], &["games/lichess_2012.pgn".to_owned(), "games/fischer_random_2018.pgn".to_owned()]);
    let [older, new] = [OLDER, "new"].map(|name| Index::open(desk.path(name)).unwrap());
    assert_eq!((older.info().version, older.game_count(), older.tags().len()), (3, 33, 10));
    assert!(older.check(&workers(2)).is_empty());
    // It has the same columns but those that are new.
    let first_23 = |index: &Index| rows(index).into_iter().map(|row| row[..21].to_vec()).collect::<Vec<_>>();
    assert_eq!(first_23(&older), first_23(&new));
    assert_eq!((rows(&older)[0].len(), rows(&new)[0].len()), (21, 24));
    for arguments in [
        &["find", "-t", "Elo>=1500", "INDEX", "e4"][..],
        &["find", "--moves", "INDEX", "startpos"],
        &["find", "--verify", "-f", "pgn", "INDEX", "e4 e5 Nf3"],
        &["find", "-t", "Variant=x", "--count", "INDEX", "e4"],
    ] {
        let [of_older, of_new] = [OLDER, "new"].map(|name| {
            let arguments: Vec<&str> =
                arguments.iter().map(|word| if *word == "INDEX" { name } else { word }).collect();
            desk.run(&arguments)
        });
        if arguments.contains(&"Variant=x") {
            assert!(of_older.code == Some(2) && of_older.stderr.contains("does not keep the tag Variant"));
            continue;
        }
        assert!(of_older.code == Some(0) && !of_older.stdout.is_empty(), "{of_older:?}");
        let with_names_of_new =
            of_older.stdout.replace(&format!("{}/", desk.path("").canonicalize().unwrap().display()), "");
        assert_eq!(with_names_of_new, of_new.stdout);
    }
    let kinds = older.game_kinds().unwrap();
    let new_kinds = new.game_kinds().unwrap();
    assert!(!kinds.has_speeds() && new_kinds.has_speeds());
    for game in 1..=33 {
        assert_eq!(kinds.of(game).variant(), new_kinds.of(game).variant());
        assert!(kinds.of(game).speed().is_none() && (game == 33 || new_kinds.of(game).speed().is_some()), "{game}");
    }
}

#[test]
fn games_are_added_to_an_index_of_format_version_3_and_it_stays_one() {
    let desk = older();
    fs::write(desk.path("more.pgn"), "[White \"A\"]\n[TimeControl \"60\"]\n\n1. e4 1-0\n").unwrap();
    fs::write(desk.path("most.pgn"), "[White \"B\"]\n\n1. d4 1-0\n").unwrap();
    let open = || Index::open(desk.path(OLDER)).unwrap();
    let mut expected = rows(&open());
    let check = |expected: &Vec<_>| {
        let index = open();
        assert_eq!((index.info().version, index.tags().len()), (3, 10));
        assert_eq!(&rows(&index), expected);
        assert!(index.check(&workers(2)).is_empty());
    };
    let with_tags = desk.run(&["index", "-q", "-o", OLDER, "--append", "--tags", "TimeControl", "more.pgn"]);
    let keeps = "keeps the tags Event, Site, Date, Round, White, Black, WhiteElo, BlackElo, ECO, Result, and no others";
    assert!(with_tags.code == Some(2) && with_tags.stderr.contains(keeps), "{with_tags:?}");
    check(&expected);

    build(&desk, &["-o", OLDER, "--append"], &["more.pgn".to_owned()]);
    assemble(&desk.path(OLDER), &desk.path("most.pgn"), BuildOptions { append: true, ..BuildOptions::default() })
        .unwrap();
    let added = rows(&open());
    assert!(added.len() == 35 && added[..33] == expected[..]);
    expected = added;
    check(&expected);
    build(&desk, &["-o", OLDER, "--compact"], &[]);
    assert_eq!(open().info().runs, 1);
    check(&expected);
    let removed = desk.run(&["index", "-q", "--remove", OLDER, "games/lichess_2012.pgn"]);
    assert_eq!(removed.code, Some(0), "{removed:?}");
    check(&expected[32..].to_vec());
}
