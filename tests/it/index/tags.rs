//! The tags that an index keeps, and its columns for them.

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
    assert!(
        unknown.code == Some(2) && unknown.stderr.contains("such as Annotator, is built by pgn2fen index --tags"),
        "{unknown:?}"
    );

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
