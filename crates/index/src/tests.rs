//! Small indexes, whose answers are plain.

use std::fs;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::books::{BookChoice, OpeningSuite, PolyglotBook, Weight};
use crate::{
    BuildOptions, Builder, FileState, FilterCounts, GameColumn, Handling, HitOrder, Index, Known, Lists, Query, Upkeep,
};
use pgn2fen_chess::position::Position;
use pgn2fen_chess::rules::Rules;
use pgn2fen_chess::san::Letters;
use pgn2fen_games::Results;
use pgn2fen_games::database::{Source, SourceOptions};
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::selection::ShapeFilter;
use pgn2fen_games::typed::read_position;
use pgn2fen_games::walk::{Job, ReadOptions};

/// Writes an archive with a comment and these members, which are not compressed.
pub(crate) fn write_archive(path: &Path, comment: &str, members: &[(&str, &str)]) {
    let mut archive = rawzip::ZipArchiveWriter::new(fs::File::create(path).unwrap());
    for (name, text) in members {
        let (mut entry, config) = archive.new_file(name).start().unwrap();
        let mut writer = config.wrap(&mut entry);
        writer.write_all(text.as_bytes()).unwrap();
        let (_, descriptor) = writer.finish().unwrap();
        entry.finish(descriptor).unwrap();
    }
    let mut file = archive.finish().unwrap();
    // Behind the end of an archive, other bytes may follow.
    file.write_all(comment.as_bytes()).unwrap();
}

/// Games 1 to 3.
pub(crate) const FIRST: &str = "[White \"A\"]\n[Black \"B\"]\n[Date \"2020.01.01\"]\n\
                     [WhiteElo \"2500\"]\n[BlackElo \"2400\"]\n\n\
                     1. e4 e5 2. Nf3 1-0\n\n\
                     [White \"B\"]\n[Black \"A\"]\n[Date \"2021.05.??\"]\n[WhiteElo \"2300\"]\n\n\
                     1. Nf3 e5 2. e4 0-1\n\n\
                     [White \"?\"]\n[Site \"https://lichess.org/abcdefgh\"]\n\n1. e4 c5 2. Nf3 1/2-1/2\n";

/// Games 4 to 6.
pub(crate) const SECOND: &str = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 1\"]\n\n1... Kd7 2. e4 *\n\n\
                      [Variant \"Atomic\"]\n\n1. e4 e5 1-0\n\n\
                      [White \"A\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 1-0\n";

/// Two games that reach one position with two keys: a capture en passant is illegal there, because the pawn is pinned.
/// Their last positions are two positions, since a capture is legal in the last one of the second pair of games.
pub(crate) const EN_PASSANT: &str = "[FEN \"4r1k1/3p4/8/4P3/8/8/8/4K3 b - - 0 1\"]\n\n1... d5 1-0\n\n\
                                     [FEN \"4r1k1/8/3p4/4P3/8/8/8/4K3 b - - 0 1\"]\n\n1... d5 0-1\n\n\
                                     [FEN \"6k1/3p4/8/4P3/8/8/8/4K3 b - - 0 1\"]\n\n1... d5 *\n\n\
                                     [FEN \"6k1/8/3p4/4P3/8/8/8/4K3 b - - 0 1\"]\n\n1... d5 *\n";

/// Files of games and the index of them, which has a run for each.
pub(crate) struct Desk {
    pub(crate) folder: TempDir,
    pub(crate) index: Index,
}

impl Desk {
    fn new() -> Self {
        Self::of(&[("first.pgn", FIRST), ("second.pgn", SECOND)])
    }

    /// Writes files with these names and texts, and indexes them.
    pub(crate) fn of(files: &[(&str, impl AsRef<[u8]>)]) -> Self {
        Self::with(files, &BuildOptions::default())
    }

    /// Writes files with these names and texts, and indexes them with these options.
    pub(crate) fn with(files: &[(&str, impl AsRef<[u8]>)], options: &BuildOptions) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let workers = Workers::new(1).unwrap();
        let place = folder.path().join("games.idx");
        for (name, text) in files {
            let file = folder.path().join(name);
            fs::write(&file, text).unwrap();
            let options = BuildOptions { append: true, ..options.clone() };
            let mut indexing = Builder::new(&place, options, &workers).unwrap().begin(ReadOptions::default());
            let source = Source::open_with(&file, &SourceOptions::default()).unwrap();
            indexing.read(&workers, &file, source, &mut ()).unwrap();
            indexing.finish(&workers, &|_, _| ControlFlow::Continue(())).unwrap();
        }
        let index = Index::open(&place).unwrap();
        Self { folder, index }
    }

    /// Indexes a large file, and then changes the second move of Black in its middle game, on line 3. The size, the
    /// ends and the time of the file stay, so that the change is not noticed when the file is opened.
    pub(crate) fn with_a_hidden_change() -> Self {
        let long = format!("1. c4 {{{}}} *", "x".repeat(70_000));
        let text = format!("{long}\n\n1. e4 e5 2. Nf3 Nc6 *\n\n{long}\n");
        let desk = Self::of(&[("large.pgn", &text)]);
        let path = desk.path("large.pgn");
        let time = fs::metadata(&path).unwrap().modified().unwrap();
        fs::write(&path, text.replace("Nc6", "Nf6")).unwrap();
        fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
        desk
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

pub(crate) fn after(moves: &str) -> Position {
    read_position(moves, &Letters::ENGLISH).unwrap().position
}

/// Returns the hits of a position: the game, the ply and the move that was played.
fn hits(query: &mut Query<'_>, position: &Position) -> Vec<String> {
    let hits = query.hits(position).unwrap();
    hits.map(|hit| hit.unwrap())
        .map(|hit| format!("{} {} {}", hit.game, hit.ply, hit.next.map_or("-".to_owned(), |next| next.to_string())))
        .collect()
}

#[test]
fn hits_are_the_places_where_games_reach_a_position() {
    let desk = Desk::new();
    let start = Position::initial();
    let mut query = desk.index.query(|_| ());
    let all = ["1 0 e2e4", "2 0 g1f3", "3 0 e2e4", "6 0 g1f3", "6 4 g1f3"];
    assert_eq!(hits(&mut query, &start), all);
    assert_eq!(hits(&mut query, &after("1. e4 e5 2. Nf3")), ["1 3 -", "2 3 -"]);
    assert_eq!(hits(&mut query, &after("1. d4")), [""; 0]);
    let games = |query: &mut Query<'_>| query.games(&start).unwrap().map(|game| game.unwrap()).collect::<Vec<_>>();
    assert_eq!(games(&mut query), [1, 2, 3, 6]);
    assert_eq!(query.count(&start).unwrap(), Results { white: 2, draws: 1, black: 1, unknown: 0 });
    let explored = query.explore(&start).unwrap();
    let counts = |explored: &crate::Explored| {
        explored
            .moves()
            .iter()
            .map(|count| (count.next.unwrap().to_string(), count.results.games()))
            .collect::<Vec<_>>()
    };
    let expected = [("e2e4".to_owned(), 2), ("g1f3".to_owned(), 2)];
    let mut moves = counts(&explored);
    moves.sort();
    assert_eq!(moves, expected);
    // Some of the hits, and of the games.
    let mut some = desk.index.query(|_| ()).tags(vec!["White=A".parse().unwrap()]).unwrap();
    assert_eq!(hits(&mut some, &start), ["1 0 e2e4", "6 0 g1f3", "6 4 g1f3"]);
    assert_eq!(games(&mut some), [1, 6]);
    assert_eq!(some.count(&start).unwrap(), Results { white: 2, draws: 0, black: 0, unknown: 0 });
    assert_eq!(counts(&some.explore(&start).unwrap()).len(), 2);
    let mut few = desk.index.query(|_| ()).max(2);
    assert_eq!((hits(&mut few, &start).len(), games(&mut few)), (2, vec![1, 2]));
    let mut none = desk.index.query(|_| ()).stop_if(|| true);
    assert_eq!((hits(&mut none, &start), none.all_games().count()), (vec![], 0));
    assert!(desk.index.query(|_| ()).tags(vec!["Annotator=A".parse().unwrap()]).is_err());
}

#[test]
fn hits_are_sorted_by_rating_or_by_date() {
    let desk = Desk::new();
    let sorted = |order, max| {
        let hits = desk.index.query(|_| ()).max(max).sorted_hits(&Position::initial(), order).unwrap();
        hits.iter().map(|hit| (hit.game, hit.ply)).collect::<Vec<_>>()
    };
    assert_eq!(sorted(HitOrder::Rating, 9), [(1, 0), (2, 0), (3, 0), (6, 0), (6, 4)]);
    assert_eq!(sorted(HitOrder::Date, 9), [(2, 0), (1, 0), (3, 0), (6, 0), (6, 4)]);
    assert_eq!(sorted(HitOrder::Date, 2), [(2, 0), (1, 0)]);
}

#[test]
fn all_games_have_the_rules_that_are_asked_for() {
    let desk = Desk::new();
    let all = |query: Query<'_>| {
        let mut query = query;
        let games = query.all_games().map(|game| game.unwrap());
        games.map(|game| format!("{} {} {}", game.game, game.ply, game.result.as_str())).collect::<Vec<_>>()
    };
    assert_eq!(all(desk.index.query(|_| ())), ["1 0 1-0", "2 0 0-1", "3 0 1/2-1/2", "4 0 *", "6 0 1-0"]);
    assert_eq!(all(desk.index.query(|_| ()).rules(Rules::Atomic)), ["5 0 1-0"]);
    assert_eq!(all(desk.index.query(|_| ()).max(1)), ["1 0 1-0"]);
    assert_eq!(all(desk.index.query(|_| ()).tags(vec!["Black=A".parse().unwrap()]).unwrap()), ["2 0 0-1"]);
    let rules = desk.index.rules().unwrap();
    assert_eq!((rules.others(Rules::Chess), rules.count(Rules::Chess), rules.others(Rules::Atomic)), (1, 5, 5));
    assert_eq!([4, 5, 6].map(|game| rules.of(game)), [Rules::Chess, Rules::Atomic, Rules::Chess]);
    assert_eq!(rules.iter().collect::<Vec<_>>(), [(Rules::Chess, 5), (Rules::Atomic, 1)]);
}

#[test]
fn games_are_counted_by_each_filter() {
    let desk = Desk::new();
    let mut query = desk.index.query(|_| ());
    query = query.tags(vec!["White=A".parse().unwrap(), "Black=B".parse().unwrap()]).unwrap();
    let counts = |games, passing: &[u64], passing_all| FilterCounts { games, passing: passing.to_vec(), passing_all };
    assert_eq!(query.count_by_filter(None).unwrap(), counts(5, &[2, 1], 1));
    assert_eq!(query.count_by_filter(Some(&Position::initial())).unwrap(), counts(4, &[2, 1], 1));
    assert_eq!(query.count_by_filter(Some(&after("1. e4 c5"))).unwrap(), counts(1, &[0, 0], 0));
}

#[test]
fn a_game_has_its_place_its_tags_and_its_text() {
    let desk = Desk::new();
    let mut query = desk.index.query(|_| ());
    let heading = query.heading(2).unwrap();
    assert!(heading.file.ends_with("first.pgn"), "{}", heading.file);
    assert_eq!((heading.line, &*heading.white, &*heading.black, &*heading.date), (9, "B", "A", "2021.05.??"));
    assert_eq!((heading.link(), query.heading(3).unwrap().link()), (None, Some("https://lichess.org/abcdefgh")));
    let text = String::from_utf8(query.text(3).unwrap().unwrap()).unwrap();
    assert!(text.starts_with("[White \"?\"]") && text.trim_end().ends_with("2. Nf3 1/2-1/2"), "{text}");
    let mut games = desk.index.games();
    assert_eq!(games.text(1, GameColumn::White).unwrap(), Some("A"));
    assert_eq!(games.number(1, GameColumn::WhiteElo).unwrap(), Some(2500));
    assert_eq!(games.number(3, GameColumn::WhiteElo).unwrap(), None);
    assert_eq!(games.text(4, GameColumn::Fen).unwrap(), Some("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"));
    assert_eq!(desk.index.game_count(), 6);
    assert_eq!(desk.index.posting_count(), 4 + 4 + 4 + 3 + 3 + 6);
}

#[test]
fn hits_are_verified_in_files_that_have_not_changed() {
    let desk = Desk::new();
    let start = Position::initial();
    let reported = std::cell::RefCell::new(Vec::new());
    let mut query = desk.index.query(|warning| reported.borrow_mut().push(warning.to_string())).verify(true);
    assert_eq!(hits(&mut query, &start).len(), 5);
    assert_eq!(hits(&mut query, &after("1. e4 e5 2. Nf3")), ["1 3 -", "2 3 -"]);
    assert!(reported.borrow().is_empty(), "{reported:?}");
    drop(query);
    fs::write(desk.path("first.pgn"), FIRST.replace("Nf3", "Nc3")).unwrap();
    let mut query = desk.index.query(|warning| reported.borrow_mut().push(warning.to_string())).verify(true);
    assert_eq!(hits(&mut query, &start), ["6 0 g1f3", "6 4 g1f3"]);
    assert_eq!(query.text(1).unwrap(), None);
    drop(query);
    assert!(!reported.borrow().is_empty() && reported.borrow()[0].contains("first.pgn: "), "{reported:?}");
}

#[test]
fn players_and_starting_positions_are_counted() {
    let desk = Desk::new();
    let players = desk.index.players(9, &|| false).unwrap().unwrap();
    assert_eq!(players.iter().collect::<Vec<_>>(), [("A", 3), ("B", 2)]);
    assert_eq!((players.len(), players.is_empty()), (2, false));
    let starts = desk.index.starts(9, &|| false).unwrap().unwrap();
    assert_eq!(starts.iter().collect::<Vec<_>>(), [("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", 1)]);
    assert!(desk.index.players(9, &|| true).unwrap().is_none());
    assert_eq!(desk.index.players(1, &|| false).unwrap().unwrap().len(), 1);
    let sum = crate::Catalogue::sum([&players, &starts, &players]);
    assert_eq!(sum.iter().map(|(_, games)| games).collect::<Vec<_>>(), [6, 4, 1]);
    let made: crate::Catalogue = [("B".to_owned(), 1), ("A".to_owned(), 1), ("B".to_owned(), 2)].into_iter().collect();
    assert_eq!(made.iter().collect::<Vec<_>>(), [("B", 3), ("A", 1)]);
}

#[test]
fn a_survey_has_the_moves_and_the_games_of_a_position() {
    let desk = Desk::new();
    let summaries = desk.index.summaries().unwrap();
    let lists = Lists { best: 2, recent: 1 };
    let survey = |stop: bool| {
        let passes = &mut |game, _| Ok(game != 3);
        desk.index.survey(&Position::initial(), &summaries, passes, lists, &|| stop).unwrap()
    };
    assert!(survey(true).is_none());
    let survey = survey(false).unwrap();
    let mut moves: Vec<_> = survey
        .moves
        .iter()
        .map(|m| {
            (m.count.next.unwrap().to_string(), m.count.results.games(), m.results.games(), m.ratings.map(|of| of.sum))
        })
        .collect();
    moves.sort();
    assert_eq!(moves, [("e2e4".to_owned(), 1, 1, [2500, 2400]), ("g1f3".to_owned(), 2, 2, [2300, 0])]);
    let games = |ranked: &crate::Ranked| ranked.games().iter().map(|hit| hit.game).collect::<Vec<_>>();
    assert_eq!((games(&survey.played.best), games(&survey.played.recent)), (vec![1, 2], vec![2]));
    assert!(survey.ended.best.games().is_empty());
}

#[test]
fn files_are_known_by_their_names_and_their_bytes() {
    let desk = Desk::new();
    let files: Vec<_> = desk.index.files().collect();
    let told: Vec<_> =
        files.iter().map(|file| (file.games(), file.bytes(), file.choice(), file.state().name())).collect();
    let bytes = [FIRST, SECOND].map(|text| Some(text.len() as u64));
    assert_eq!(told, [(1..4, bytes[0], "", "unchanged"), (4..7, bytes[1], "", "unchanged")]);
    assert_eq!(files[0].name_from_here(), desk.path("first.pgn"));
    assert_eq!(desk.index.file_of(4).map(|(nth, file)| (nth, file.games())), Some((1, 4..7)));
    fs::write(desk.path("copy.pgn"), FIRST).unwrap();
    fs::write(desk.path("new.pgn"), "1. d4 *\n").unwrap();
    let paths = ["first.pgn", "copy.pgn", "new.pgn", "new.pgn"].map(|name| desk.path(name));
    let known = |paths: &[PathBuf]| {
        let options = BuildOptions { append: true, ..BuildOptions::default() };
        let builder = Builder::new(desk.index.folder(), options, &Workers::new(1).unwrap()).unwrap();
        builder.known(&paths.iter().map(PathBuf::as_path).collect::<Vec<_>>())
    };
    let first = known(&paths);
    let copy = Known::Copy { of: desk.path("first.pgn"), is_there: true, choice: String::new() };
    assert_eq!(first, [Known::Indexed { choice: String::new() }, copy, Known::New, Known::Again(desk.path("new.pgn"))]);
    let handled: Vec<_> = first.iter().map(Known::handling).collect();
    assert_eq!(handled, [Handling::Skip, Handling::Skip, Handling::Read, Handling::Skip]);
    // Empty files have no games that could be counted twice, and files of one size may be different.
    for (name, text) in [("empty.pgn", ""), ("none.pgn", ""), ("one.pgn", "1. c4 *"), ("other.pgn", "1. f4 *")] {
        fs::write(desk.path(name), text).unwrap();
    }
    let others = ["empty.pgn", "none.pgn", "one.pgn", "other.pgn"].map(|name| desk.path(name));
    assert_eq!(known(&others), [const { Known::New }; 4]);
    fs::write(desk.path("first.pgn"), format!("{FIRST}\n1. d4 *\n")).unwrap();
    fs::write(desk.path("second.pgn"), "1. d4 *\n").unwrap();
    assert_eq!(known(&["first.pgn", "second.pgn"].map(|name| desk.path(name))), [Known::Grown, Known::Changed]);
    let states: Vec<_> = files.iter().map(|file| file.state().name()).collect();
    assert_eq!(states, ["grown", "changed"]);
    fs::remove_file(desk.path("first.pgn")).unwrap();
    assert!(matches!(files[0].state(), FileState::Missing));
    assert_eq!(files[0].place(), None);
}

#[test]
fn a_file_that_is_skipped_or_refused_is_explained() {
    let (folder, path) = (Path::new("games.idx"), Path::new("a.pgn"));
    let of = PathBuf::from("b.pgn");
    let none = String::new;
    for (known, told) in [
        (Known::Indexed { choice: none() }, "a.pgn: is already in the index"),
        (Known::Indexed { choice: "-t ECO=B90".to_owned() }, "a.pgn: is already in the index (only -t ECO=B90)"),
        (Known::Copy { of: of.clone(), is_there: true, choice: none() }, "a.pgn: is already in the index as b.pgn"),
        (
            Known::Copy { of: of.clone(), is_there: true, choice: "-n 3".to_owned() },
            "a.pgn: is already in the index as b.pgn (only -n 3)",
        ),
        (
            Known::Copy { of: of.clone(), is_there: false, choice: none() },
            "a.pgn: is already in the index as b.pgn, which no longer exists; if it was moved: \
             pgn2fen index `relocate` games.idx a.pgn",
        ),
        (Known::Again(path.to_owned()), "a.pgn: is given twice and read once"),
        (Known::Again(of), "a.pgn: is the same file as b.pgn, which is given before it"),
        (Known::Grown, "a.pgn: has grown since it was indexed; remove its old games with `remove`, then append it"),
        (Known::Changed, "a.pgn: has changed since it was indexed; remove its old games with `remove`, then append it"),
    ] {
        assert_eq!(known.explain(path, folder).as_deref(), Some(told));
    }
    assert_eq!(Known::New.explain(path, folder), None);
}

#[test]
fn games_of_a_file_are_removed_and_runs_are_merged() {
    let desk = Desk::new();
    let workers = Workers::new(1).unwrap();
    let go_on = |_, _| ControlFlow::Continue(());
    let info = desk.index.info();
    assert_eq!((info.runs, info.games, info.positions), (2, 6, 24));
    assert!((info.bytes_per_position() - info.bytes as f64 / 24.0).abs() < 0.01);
    let removed = Upkeep::begin(desk.index.folder()).unwrap().remove(&[0], 0, &workers, &go_on).unwrap();
    assert_eq!((removed.games, removed.postings, removed.runs), (3, 12, 1));
    assert_eq!((removed.all_games, removed.all_postings), (3, 12));
    let words = removed.in_words();
    assert!(words.starts_with("3 games, 12 positions; ") && !words.contains("in all"), "{words}");
    let rest = Index::open(desk.index.folder()).unwrap();
    assert!(rest.files().map(|file| file.games()).eq(std::iter::once(1..4)));
    assert_eq!(hits(&mut rest.query(|_| ()), &Position::initial()), ["3 0 g1f3", "3 4 g1f3"]);
    assert!(rest.check(&workers).is_empty());
}

#[test]
fn a_file_that_was_moved_is_found_by_its_bytes() {
    let desk = Desk::new();
    let moved = desk.path("moved.pgn");
    fs::rename(desk.path("first.pgn"), &moved).unwrap();
    let candidates = [desk.path("second.pgn"), moved.clone()];
    let candidates: Vec<&Path> = candidates.iter().map(PathBuf::as_path).collect();
    let (relocated, unreadable) = Upkeep::begin(desk.index.folder()).unwrap().relocate(&candidates).unwrap();
    assert!(unreadable.is_empty());
    let told: Vec<_> = relocated.iter().map(|file| format!("{:?}", file.whereabouts)).collect();
    assert_eq!(told, [format!("Found({moved:?})"), "InPlace".to_owned()]);
    let index = Index::open(desk.index.folder()).unwrap();
    assert_eq!(index.files().next().unwrap().place(), Some(moved));
}

#[test]
fn a_changed_byte_of_a_table_is_found() {
    let desk = Desk::new();
    let workers = Workers::new(1).unwrap();
    assert!(desk.index.check(&workers).is_empty());
    let mut tables = Vec::new();
    let mut folders = vec![desk.index.folder().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                folders.push(entry);
            } else if entry.extension().is_some_and(|ending| ending == "parquet") {
                tables.push(entry);
            }
        }
    }
    assert!(!tables.is_empty());
    for table in tables {
        let bytes = fs::read(&table).unwrap();
        let mut changed = bytes.clone();
        changed[bytes.len() / 2] ^= 1;
        fs::write(&table, changed).unwrap();
        let found = Index::open(desk.index.folder()).map_or(1, |index| index.check(&workers).len());
        assert!(found > 0, "{table:?}");
        fs::write(&table, bytes).unwrap();
    }
}

#[test]
fn a_book_has_the_moves_of_enough_games() {
    let desk = Desk::new();
    let workers = Workers::new(1).unwrap();
    let book = |min_games, weight, max_moves| {
        let choice = BookChoice { min_games, ..BookChoice::default() };
        let mut bytes = Vec::new();
        let book = PolyglotBook { choice, weight, max_moves, min_score: None };
        let written = book.write(&desk.index, &workers, &mut bytes, &|_, _| ControlFlow::Continue(())).unwrap();
        let entries = bytes.chunks(16).map(|entry| u16::from_be_bytes([entry[10], entry[11]])).collect::<Vec<_>>();
        assert_eq!((bytes.len(), written.moves), (16 * entries.len(), entries.len() as u64));
        (written.positions, entries)
    };
    // Both first moves were played in two games, with a win and a draw, and with a loss and a win.
    assert_eq!(book(2, Weight::Games, None), (1, vec![2, 2]));
    assert_eq!(book(2, Weight::Score, None), (1, vec![3, 2]));
    assert_eq!(book(2, Weight::Score, Some(1)), (1, vec![3]));
    assert_eq!(book(3, Weight::Games, None), (0, vec![]));
}

#[test]
fn a_suite_has_the_positions_of_enough_games() {
    let desk = Desk::new();
    let workers = Workers::new(1).unwrap();
    let suite = |max_positions| {
        let choice = BookChoice { min_games: 2, ..BookChoice::default() };
        let suite = OpeningSuite { choice, balance: None, max_positions, temporary_folder: None };
        let mut text = Vec::new();
        let go_on = |_, _| ControlFlow::Continue(());
        let written = suite.write(&desk.index, &workers, &mut text, &mut |_| (), &go_on).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert_eq!((text.lines().count() as u64, written.unread), (written.positions, 0));
        text
    };
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - hmvc 0; fmvn 1;\n";
    let all = suite(None);
    assert!(all.starts_with(start), "{all}");
    // The start, 1. e4, 1. Nf3, and 1. e4 e5 2. Nf3.
    assert_eq!(all.lines().count(), 4);
    assert_eq!(suite(Some(1)), start);
}

#[test]
fn the_moves_of_a_position_have_the_dates_and_ratings_of_their_games() {
    let game = |date: &str, elo: &str, moves: &str| format!("[Date \"{date}\"]\n[WhiteElo \"{elo}\"]\n\n{moves} *\n\n");
    let text = [
        game("2001.01.01", "2500", "1. e4 e5"),
        game("1999.12.31", "2400", "1. e4 c5"),
        game("2003.??.??", "?", "1. e4 e6"),
        game("1990.01.01", "2000", "1. d4"),
    ];
    let desk = Desk::of(&[("a.pgn", &text.concat())]);
    let explored = desk.index.explore(&Position::initial()).unwrap();
    let told: Vec<_> = explored
        .moves()
        .iter()
        .map(|count| (count.next.unwrap().to_string(), count.average_elo(), count.first_date(), count.last_date()))
        .collect();
    let expected = [
        ("e2e4".to_owned(), Some(2450), Some(19_991_231), Some(20_030_000)),
        ("d2d4".to_owned(), Some(2000), Some(19_900_101), Some(19_900_101)),
    ];
    assert_eq!(told, expected);
}

#[test]
fn a_query_with_a_shape_finds_the_games_that_have_it() {
    let desk = Desk::new();
    let shape = ShapeFilter { patterns: vec!["*/*/*/*/*/?????N??/*/*".parse().unwrap()], ..ShapeFilter::default() };
    let mut query = desk.index.query(|_| ()).shape(shape);
    let found: Vec<_> = query.all_games().map(Result::unwrap).map(|game| (game.game, game.ply)).collect();
    assert_eq!(found, [(1, 3), (2, 1), (3, 3), (6, 1)]);
    let mut any = desk.index.query(|_| ()).shape(ShapeFilter::default());
    assert_eq!(any.all_games().count(), 5);
}

#[test]
fn what_is_found_is_read() {
    let desk = Desk::new();
    let mut query = desk.index.query(|_| ()).max(1);
    let mut all = query.all_games();
    let game = all.next().unwrap().unwrap().game;
    assert!(String::from_utf8(all.text(game).unwrap().unwrap()).unwrap().starts_with("[White \"A\"]"));
    assert_eq!((all.heading(game).unwrap().line, all.next().is_none()), (1, true));
    let mut games = query.games(&after("1. e4 c5")).unwrap();
    let game = games.next().unwrap().unwrap();
    assert!(String::from_utf8(games.text(game).unwrap().unwrap()).unwrap().contains("1. e4 c5"));
    assert_eq!((game, games.next().is_none()), (3, true));
    let mut hits = query.hits(&after("1. e4 c5")).unwrap();
    let hit = hits.next().unwrap().unwrap();
    assert_eq!((hit.ply, hits.heading(hit.game).unwrap().line, hits.next().is_none()), (2, 16, true));
}

#[test]
fn a_hit_that_is_not_in_its_file_any_more_is_left_out() {
    let desk = Desk::with_a_hidden_change();
    let reported = std::cell::RefCell::new(Vec::new());
    let mut query = desk.index.query(|warning| reported.borrow_mut().push(warning.to_string())).verify(true);
    assert_eq!(hits(&mut query, &after("1. e4 e5 2. Nf3")), ["2 3 b8c6"]);
    assert!(reported.borrow().is_empty());
    assert_eq!(hits(&mut query, &after("1. e4 e5 2. Nf3 Nc6")), [""; 0]);
    assert_eq!(query.count(&after("1. e4 e5 2. Nf3 Nc6")).unwrap().games(), 0);
    drop(query);
    let reported = reported.into_inner();
    assert!(reported[0].ends_with("large.pgn:3: this game does not reach the position at ply 4"), "{reported:?}");
}

#[test]
fn a_position_with_two_keys_is_one_position() {
    let desk = Desk::of(&[("a.pgn", EN_PASSANT)]);
    let mut query = desk.index.query(|_| ());
    for fen in ["4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "4r1k1/8/8/3pP3/8/8/8/4K3 w - - 0 2"] {
        let position = pgn2fen_chess::testing::position(fen);
        assert_eq!(hits(&mut query, &position), ["1 1 -", "2 1 -"]);
        let expected = Results { white: 1, draws: 0, black: 1, unknown: 0 };
        assert_eq!(query.count(&position).unwrap(), expected);
        assert_eq!(query.explore(&position).unwrap().results(), expected);
        let summaries = desk.index.summaries().unwrap();
        let lists = Lists { best: 9, recent: 9 };
        let survey = desk.index.survey(&position, &summaries, &mut |_, _| Ok(true), lists, &|| false).unwrap().unwrap();
        assert_eq!(survey.ended.best.games().iter().map(|hit| hit.game).collect::<Vec<_>>(), [2, 1]);
    }
    for (fen, game) in [("6k1/8/8/3pP3/8/8/8/4K3 w - d6 0 2", 3), ("6k1/8/8/3pP3/8/8/8/4K3 w - - 0 2", 4)] {
        assert_eq!(hits(&mut query, &pgn2fen_chess::testing::position(fen)), [format!("{game} 1 -")]);
    }
}

#[test]
fn games_on_one_page_are_beside_each_other() {
    let text: String = (0..40).map(|number| format!("[Round \"{number}\"]\n\n*\n\n")).collect();
    let options = BuildOptions { sizes: crate::sizes::Sizes::SMALL, ..BuildOptions::default() };
    let desk = Desk::with(&[("a.pgn", &text), ("b.pgn", &text)], &options);
    for (game, beside) in
        [(1, 1..17), (16, 1..17), (17, 17..33), (40, 33..41), (41, 41..57), (56, 41..57), (57, 57..73)]
    {
        assert_eq!(desk.index.games_beside(game), beside, "{game}");
    }
    // The tables of postings have pages of the same size, in groups of many pages.
    assert_eq!(desk.index.runs()[0].postings(0).unwrap().page_of(20), 16..32);
}

#[test]
fn a_key_has_the_moves_of_its_position() {
    let desk = Desk::new();
    let start = Position::initial();
    assert_eq!(desk.index.moves(crate::key(&start)).unwrap(), desk.index.explore(&start).unwrap());
}

#[test]
fn the_columns_of_games_have_names() {
    let desk = Desk::new();
    let names: Vec<_> = desk.index.columns().map(|column| desk.index.column_name(column).unwrap()).collect();
    assert_eq!(desk.index.column_name(GameColumn::White), Some("White"));
    assert!(names.contains(&"White") && names.contains(&"ECO"), "{names:?}");
}

#[test]
fn a_game_that_cannot_be_played_has_the_result_of_its_tag() {
    let game = |result: &str| format!("[Result \"{result}\"]\n[FEN \"none\"]\n\n1. e4\n\n");
    let results = ["1-0", "0-1", "1/2-1/2", "*"];
    let desk = Desk::of(&[("a.pgn", &results.map(game).concat())]);
    let mut games = desk.index.games();
    for (game, result) in (1..).zip(results) {
        assert_eq!(games.text(game, GameColumn::Result).unwrap(), Some(result));
    }
}

#[test]
fn a_game_that_is_not_utf_8_is_decoded() {
    let desk = Desk::new();
    assert_eq!(desk.index.decode(1, "gämes".into()), "gämes");
    assert_eq!(desk.index.decode(1, b"[White \"M\xFCller\"]".to_vec()), "[White \"Müller\"]");
}

#[test]
fn the_games_of_a_file_are_known_by_one_of_them() {
    let desk = Desk::new();
    assert_eq!(desk.index.games_beside(2), 1..4);
    assert_eq!(desk.index.games_beside(5), 4..7);
    assert_eq!(desk.index.games_beside(7), 7..8);
    assert_eq!([0, 7].map(|game| desk.index.file_of(game).is_none()), [true; 2]);
}
