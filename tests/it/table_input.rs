//! Parquet and Arrow files of games as input: they are read like the PGN file that they were made of.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, Int32Array, RecordBatch, StringArray};
use arrow_ipc::writer::StreamWriter;
use pgn2fen_games::database::{Source, SourceOptions, TableError};
use pgn2fen_games::walk::Input;
use pgn2fen_rows::{Format, Rows};

use crate::cli::Desk;
use crate::laws::noise;

/// The tables in `fixtures/tables` with the first twelve games of `lichess_2012.pgn`.
const TABLES: [&str; 8] = [
    "duckdb.parquet",
    "polars.parquet",
    "polars_views.arrow",
    "pyarrow_delta_lz4.parquet",
    "pyarrow_dictionary.arrows",
    "pyarrow_lz4.arrow",
    "pyarrow_row_groups_gzip.parquet",
    "pyarrow_snappy.parquet",
];

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/tables").join(name)
}

/// The first twelve games of `lichess_2012.pgn`.
fn twelve_games() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/games/lichess_2012.pgn");
    let text = fs::read_to_string(path).unwrap().replace("\r\n", "\n");
    let end = text.match_indices("[Event ").nth(12).unwrap().0;
    text[..end].to_owned()
}

/// An Arrow stream with columns of text.
fn stream(columns: &[(&str, &[Option<&str>])]) -> Vec<u8> {
    let array = |values: &[Option<&str>]| Arc::new(StringArray::from(values.to_vec())) as ArrayRef;
    written(&RecordBatch::try_from_iter(columns.iter().map(|(name, values)| (*name, array(values)))).unwrap())
}

fn written(batch: &RecordBatch) -> Vec<u8> {
    let mut writer = StreamWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    writer.write(batch).unwrap();
    writer.finish().unwrap();
    writer.into_inner().unwrap()
}

const COLUMNS: &str = "game,White,Black,Result,UTCDate,UTCTime,WhiteElo,BlackElo,ECO,Opening,TimeControl,ply,san,fen";

#[test]
fn tables_of_every_writer_are_read_as_the_text_they_were_made_of() {
    let desk = Desk::with(&[("a.pgn", twelve_games().as_bytes())]);
    let expected = desk.run(&["-C", COLUMNS, "a.pgn"]);
    assert_eq!((expected.code, expected.stderr.as_str()), (Some(0), ""));
    for name in TABLES {
        let path = fixture(name);
        let path = path.to_str().unwrap();
        for options in [&["-j1"][..], &["-j2"], &["-j8", "--no-mmap"], &["--encoding", "utf-16"]] {
            let ran = desk.run(&[options, &["-C", COLUMNS, path]].concat());
            assert_eq!(ran, expected, "{name} {options:?}");
        }
    }
}

#[test]
fn every_command_reads_tables() {
    let desk = Desk::with(&[("a.pgn", twelve_games().as_bytes())]);
    let path = fixture("duckdb.parquet");
    let path = path.to_str().unwrap();
    let check = desk.run(&["check", path]);
    assert_eq!(check, desk.run(&["check", "a.pgn"]));
    assert!(check.stdout.contains("12 games"), "{}", check.stdout);
    let filters = ["-t", "WhiteElo>=1600", "-p", "10", "-C", "White,fen"];
    let filtered = desk.run(&[&filters[..], &[path]].concat());
    assert!(filtered.stdout.lines().count() > 1);
    assert_eq!(filtered, desk.run(&[&filters[..], &["a.pgn"]].concat()));
    assert_eq!(desk.run(&["starts", "--all", path]), desk.run(&["starts", "--all", "a.pgn"]));
    // The copies are the PGN that was made of the rows.
    let copied = desk.run(&["starts", "-f", "pgn", "--invert", path]);
    fs::write(desk.path("copies.pgn"), &copied.stdout).unwrap();
    assert_eq!(desk.run(&["-C", COLUMNS, "copies.pgn"]), desk.run(&["-C", COLUMNS, "a.pgn"]));
}

#[test]
fn an_index_of_a_table_answers_like_one_of_the_text() {
    let desk = Desk::with(&[("a.pgn", twelve_games().as_bytes())]);
    for name in ["polars.parquet", "pyarrow_lz4.arrow"] {
        fs::copy(fixture(name), desk.path(name)).unwrap();
        let index = format!("{name}.idx");
        desk.run(&["index", "-q", "-o", "a.idx", "a.pgn"]);
        assert_eq!(desk.run(&["index", "-q", "-o", &index, name]).code, Some(0));
        let find = |index: &str, options: &[&str]| desk.run(&[&["find", index, "1. e4"][..], options].concat());
        assert_eq!(find(&index, &["--moves"]), find("a.idx", &["--moves"]));
        assert_eq!(find(&index, &["--count", "--verify"]), find("a.idx", &["--count", "--verify"]));
        let [games, expected] = [&index, "a.idx"].map(|index| find(index, &["-f", "pgn"]));
        assert_eq!((games.code, games.stderr.as_str()), (Some(0), ""));
        assert!(games.stdout.matches("[Event ").count() > 3);
        assert_eq!(desk.pipe(&[], games.stdout.as_bytes()), desk.pipe(&[], expected.stdout.as_bytes()), "{name}");
        fs::remove_dir_all(desk.path("a.idx")).unwrap();
    }
}

#[test]
fn an_index_remembers_the_column_with_the_moves() {
    let bytes = stream(&[("line", &[Some("1. e4 e5"), Some("1. d4")]), ("text", &[Some("1. c4"), Some("1. b4")])]);
    let desk = Desk::with(&[("a.arrows", &bytes)]);
    assert_eq!(desk.run(&["index", "-q", "--movetext", "line", "-o", "a.idx", "a.arrows"]).code, Some(0));
    let found = desk.run(&["find", "a.idx", "--verify", "-f", "pgn", "1. e4"]);
    assert_eq!((found.code, found.stderr.as_str()), (Some(0), ""));
    assert!(found.stdout.contains("1. e4 e5\n*"), "{}", found.stdout);
}

#[test]
fn standard_input_is_read_if_the_format_allows() {
    let desk = Desk::with(&[("a.pgn", twelve_games().as_bytes())]);
    let expected = desk.run(&["a.pgn"]);
    for name in ["pyarrow_dictionary.arrows", "pyarrow_lz4.arrow"] {
        let bytes = fs::read(fixture(name)).unwrap();
        assert_eq!(desk.pipe(&[], &bytes), expected, "{name}");
        assert_eq!(desk.pipe(&[], &zstd::encode_all(&*bytes, 1).unwrap()), expected, "{name}");
    }
    desk.pipe(&[], &fs::read(fixture("duckdb.parquet")).unwrap()).is(
        "",
        "pgn2fen: -: is a Parquet file, which cannot be read from a pipe because its end is read first; give its \
         name\n",
        2,
    );
    fs::write(desk.path("a.parquet.zst"), zstd::encode_all(&*fs::read(fixture("duckdb.parquet")).unwrap(), 1).unwrap())
        .unwrap();
    let ran = desk.run(&["a.parquet.zst"]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(2)));
}

#[test]
fn lists_of_moves_are_read() {
    let desk = Desk::with(&[("a.pgn", twelve_games().as_bytes())]);
    let path = fixture("pyarrow_moves_uci.parquet");
    let columns = ["-C", "game,WhiteElo,Result,UTCDate,ply,san,fen"];
    let ran = desk.run(&[&columns[..], &["-q", path.to_str().unwrap()]].concat());
    assert_eq!(ran, desk.run(&[&columns[..], &["-q", "a.pgn"]].concat()));
}

#[test]
fn a_range_of_a_table_is_refused() {
    let desk = Desk::with(&[]);
    let path = fixture("duckdb.parquet");
    let ran = desk.run(&["--range", "0..100", path.to_str().unwrap()]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(2)));
    assert!(ran.stderr.contains("is a Parquet file; a range of bytes needs"), "{}", ran.stderr);
    // So it has one range.
    let ranges = pgn2fen_files::plan([&path], 1000, &pgn2fen_files::OpenOptions::default()).unwrap();
    assert_eq!((ranges.len(), ranges[0].is_whole), (1, true));
}

#[test]
fn a_table_without_games_is_refused_with_its_columns() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 *"), ("e.arrows", &stream(&[("Moves", &[Some("1. e4 *")])]))]);
    desk.run(&["-o", "a.parquet", "a.pgn"]).is("", "", 0);
    desk.run(&["a.parquet"]).is(
        "",
        "pgn2fen: a.parquet: is a Parquet file without a column of games; it has game (int64), ply (int32), san \
         (text), fen (text); if one of them has the moves, name it with the option movetext\n",
        2,
    );
    let ran = desk.run(&["--movetext", "ply", "a.parquet"]);
    assert!(ran.stderr.ends_with("whose column ply (int32) is neither text nor a list of moves\n"), "{}", ran.stderr);
    let ran = desk.run(&["--movetext", "white", "e.arrows"]);
    assert!(ran.stderr.ends_with("is an Arrow file without a column white; it has Moves (text)\n"), "{}", ran.stderr);
    assert_eq!(desk.run(&["--movetext", "MOVES", "e.arrows"]).stdout.lines().count(), 2);
    let options = SourceOptions { movetext: Some("white".to_owned()), ..SourceOptions::default() };
    let error = Source::open_with(&desk.path("e.arrows"), &options).unwrap_err();
    assert!(TableError::of(&error).is_some());
}

/// The PGN that is made of a table.
#[track_caller]
fn check(columns: &[(&str, &[Option<&str>])], expected: &str) {
    let bytes = stream(columns);
    let desk = Desk::with(&[("a.arrows", &bytes)]);
    let copied = desk.run(&["starts", "-q", "-f", "pgn", "--invert", "a.arrows"]);
    assert_eq!(copied.stdout, expected);
}

#[test]
fn a_row_becomes_a_game() {
    check(
        &[
            ("white", &[Some(r#"A "B" \ C"#), None]),
            ("Game Id", &[Some("x\ny"), Some("")]),
            ("movetext", &[Some("1. e4 1-0"), None]),
            ("Result", &[Some("1-0"), Some("0-1")]),
        ],
        "[White \"A \\\"B\\\" \\\\ C\"]\n[Game_Id \"x y\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n\
         [Result \"0-1\"]\n\n\n0-1\n\n",
    );
    // A whole game has its own tags.
    check(&[("White", &[Some("A")]), ("pgn", &[Some("[White \"B\"]\n\n1. e4 *\n")])], "[White \"B\"]\n\n1. e4 *\n\n");
    check(&[("moves", &[Some("e2e4 e7e5")])], "[Event \"?\"]\n\ne2e4 e7e5\n*\n\n");
}

#[test]
fn a_row_cannot_swallow_the_next_one() {
    let open = [
        "1. e4 {open",
        "1. e4 (1. d4 (1. c4",
        "1. e4 (1. d4 {a (b",
        "1. e4 ; rest",
        "1. e4",
        "",
        "{",
        "}",
        "[",
        "[White \"",
        "(",
        ")",
        "%",
        "* *",
        "1. e4 1-0 {behind",
        "1. e4 \"",
        "$",
        "1. e4 1/2",
        "[Event \"x\"]",
        "[Event \"x\"] {",
    ];
    for text in open {
        let columns: &[(&str, &[Option<&str>])] = &[("movetext", &[Some(text), Some("1. d4 d5 1-0")])];
        let desk = Desk::with(&[("a.arrows", &stream(columns))]);
        let ran = desk.run(&["-q", "-C", "game,san", "--no-start", "a.arrows"]);
        assert!(
            ran.stdout.ends_with("\td4\n2\td5\n") || text == "* *" && ran.stdout.ends_with("\td4\n3\td5\n"),
            "{text}: {}",
            ran.stdout
        );
    }
}

#[test]
fn a_fen_column_is_the_start_of_the_game() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    for name in ["FEN", "start", "initial_fen"] {
        let bytes = stream(&[(name, &[Some(fen), None]), ("moves", &[Some("e4"), Some("d4")])]);
        let desk = Desk::with(&[("a.arrows", &bytes)]);
        let ran = desk.run(&["a.arrows"]);
        assert_eq!((ran.stderr.as_str(), ran.code), ("", Some(0)));
        assert_eq!(ran.stdout.lines().next(), Some(fen));
        assert_eq!(ran.stdout.lines().nth(2), Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
    }
}

/// A column with lists of the words of each text.
fn lists(texts: &[&str]) -> ArrayRef {
    let mut lists = ListBuilder::new(StringBuilder::new());
    for text in texts {
        text.split_whitespace().for_each(|word| lists.values().append_value(word));
        lists.append(true);
    }
    Arc::new(lists.finish())
}

/// Puzzles of Lichess are the same in each kind of table, whether moves and themes are texts or lists.
#[test]
fn puzzles_begin_behind_the_move_of_the_opponent() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/records/puzzles.csv");
    let (mut reader, text) = (csv::Reader::from_path(&path).unwrap(), fs::read(&path).unwrap());
    let names: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).filter(|row| row.len() == 10).collect();
    let cells = |at: usize| rows.iter().map(|row| &row[at]).collect::<Vec<_>>();
    let table = |is_list: fn(&str) -> bool| {
        let column = |(at, name): (usize, &String)| {
            let column = if is_list(name) { lists(&cells(at)) } else { Arc::new(StringArray::from(cells(at))) };
            (name.clone(), column)
        };
        written(&RecordBatch::try_from_iter(names.iter().enumerate().map(column)).unwrap())
    };
    let texts = table(|_| false);
    let some_lists = table(|name| matches!(name, "Themes" | "OpeningTags"));
    let all_lists = table(|name| matches!(name, "Themes" | "OpeningTags" | "Moves"));
    let desk = Desk::with(&[
        ("puzzles.csv", &text),
        ("texts.arrows", &texts),
        ("some.arrows", &some_lists),
        ("all.arrows", &all_lists),
    ]);
    let columns = "PuzzleId,LastMove,Rating,RatingDeviation,NbPlays,Themes,GameUrl,OpeningTags,ply,san,fen";
    let read = |name: &str| desk.run(&["-q", "--exit-zero", "-f", "csv", "-C", columns, name]);
    let expected = read("puzzles.csv");
    assert!(expected.stdout.contains(",mate mateIn2 middlegame short,") && expected.stdout.lines().count() > 8);
    let of_readable = |stdout: &str| stdout.lines().filter(|line| !line.starts_with(',')).map(str::to_owned).collect();
    let expected: Vec<String> = of_readable(&expected.stdout);
    for name in ["texts.arrows", "some.arrows", "all.arrows"] {
        let found: Vec<String> = of_readable(&read(name).stdout);
        let missing: Vec<&String> = expected.iter().filter(|line| !found.contains(line)).collect();
        assert!(missing.is_empty(), "{name}: {missing:?}");
    }
    // Where the moves are named, they begin in the position of the row.
    let ran = desk.run(&["-n", "1", "--movetext", "Moves", "texts.arrows"]);
    assert_eq!(ran.stdout.lines().next(), Some("q3k1nr/1pp1nQpp/3p4/1P2p3/4P3/B1PP1b2/B5PP/5K2 b k - 0 17"));
}

#[test]
fn a_table_without_rows_has_no_games() {
    let desk = Desk::with(&[("a.arrows", &stream(&[("moves", &[])]))]);
    desk.run(&["a.arrows"]).is("", "", 0);
    let batch = RecordBatch::try_from_iter([("n", Arc::new(Int32Array::from(vec![1])) as ArrayRef)]).unwrap();
    fs::write(desk.path("b.arrows"), written(&batch)).unwrap();
    assert_eq!(desk.run(&["b.arrows"]).code, Some(2));
}

/// The positions that are read, and the error that ended the file.
fn read(bytes: &[u8], name: &str, folder: &Path) -> (Vec<u8>, Option<String>) {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    let mut out = Vec::new();
    let mut job = Rows::new().format(Format::Fen).begin(&mut out).unwrap();
    let workers = pgn2fen_games::parallel::Workers::new(1).unwrap();
    let error = Source::open(&path, true, None)
        .and_then(|source| pgn2fen_games::walk::Job::read(&mut job, &workers, &path, source, &mut ()))
        .err();
    job.end().unwrap();
    (out, error.map(|error| error.to_string()))
}

/// Checks the error with which an Arrow file or stream ends after this change.
#[track_caller]
fn check_arrow(name: &str, change: impl FnOnce(&mut Vec<u8>), expected: Option<&str>) {
    let mut bytes = fs::read(fixture(name)).unwrap();
    change(&mut bytes);
    let folder = tempfile::tempdir().unwrap();
    let (out, error) = read(&bytes, name, folder.path());
    let whole = read(twelve_games().as_bytes(), "a.pgn", folder.path()).0;
    assert!(whole.starts_with(&out));
    let reason = error.as_deref().map(|error| error.rsplit(": ").next().unwrap_or(error));
    assert_eq!(reason, expected, "{error:?}");
    assert_eq!(expected.is_none(), out == whole);
}

#[test]
fn an_arrow_file_ends_with_its_footer_and_has_the_batches_that_it_lists() {
    let file = "pyarrow_lz4.arrow";
    let is_missing = Some("a message that its footer lists is missing");
    let no_footer = Some("its footer is missing or damaged");
    check_arrow(file, |_| {}, None);
    check_arrow(file, |bytes| bytes[880..].fill(0), no_footer);
    check_arrow(file, |bytes| bytes[880..888].fill(0), is_missing);
    // The number of record batches in the footer, which has 904 bytes.
    let without_batches = |bytes: &mut Vec<u8>| {
        let count = bytes.len() - 10 - 904 + 36;
        bytes[count] = 0;
    };
    let other_count = Some("its footer has another number of record batches");
    check_arrow(file, without_batches, other_count);
    let stream = "pyarrow_dictionary.arrows";
    check_arrow(stream, |bytes| bytes.truncate(bytes.len() - 8), None);
    let mut twice = fs::read(fixture(stream)).unwrap();
    twice.extend_from_within(..);
    let error = read(&twice, "a.arrows", tempfile::tempdir().unwrap().path()).1.unwrap();
    assert!(error.ends_with("damaged at its end: other data follows its last message"), "{error}");
}

#[test]
fn damaged_tables_are_errors_and_the_games_before_the_damage_count() {
    let folder = tempfile::tempdir().unwrap();
    let whole = read(twelve_games().as_bytes(), "a.pgn", folder.path()).0;
    let mut seed = 1;
    for name in TABLES {
        let bytes = fs::read(fixture(name)).unwrap();
        assert_eq!(read(&bytes, name, folder.path()), (whole.clone(), None), "{name}");
        for _ in 0..40 {
            let length = noise(&mut seed) % bytes.len();
            let (out, error) = read(&bytes[..length], name, folder.path());
            assert!(whole.starts_with(&out), "{name} cut at {length}");
            // A stream may end between two batches.
            let may_end = length < 8 || name.ends_with(".arrows");
            assert!(error.is_some() || may_end, "{name} cut at {length}");
        }
        for _ in 0..80 {
            let mut damaged = bytes.clone();
            for _ in 0..=noise(&mut seed) % 3 {
                let place = noise(&mut seed) % bytes.len();
                damaged[place] ^= u8::try_from(noise(&mut seed) % 255 + 1).unwrap();
            }
            // It is read to some end, without a panic.
            read(&damaged, name, folder.path());
        }
    }
}

#[test]
fn damage_is_told_with_its_place() {
    let mut bytes = fs::read(fixture("pyarrow_row_groups_gzip.parquet")).unwrap();
    // Somewhere in the middle of the second row group.
    let place = bytes.windows(7).rposition(|bytes| bytes == b"\x1f\x8b\x08\0\0\0\0").unwrap();
    bytes[place] ^= 0xFF;
    let desk = Desk::with(&[("a.parquet", &bytes), ("a.pgn", twelve_games().as_bytes())]);
    let ran = desk.run(&["a.parquet"]);
    assert_eq!(ran.code, Some(2));
    let expected =
        "pgn2fen: a.parquet: is a Parquet file that is damaged in row group 3, from row 11 on, column movetext: ";
    assert!(ran.stderr.starts_with(expected), "{}", ran.stderr);
    assert!(ran.stderr.ends_with("; the games before it were read\n"), "{}", ran.stderr);
    assert_eq!(ran.stdout, desk.run(&["-n", "10", "a.pgn"]).stdout);
}

#[test]
fn a_compression_that_is_not_read_is_named_and_no_damage() {
    let path = fixture("pyarrow_brotli.parquet");
    let ran = Desk::with(&[]).run(&[path.to_str().unwrap()]);
    assert_eq!(ran.code, Some(2));
    let said = "is a Parquet file with brotli compression, which is not supported; write it anew with zstd or snappy \
        compression";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
}

#[test]
fn the_library_opens_tables_like_other_files() {
    let options = SourceOptions { movetext: Some("moves_uci".to_owned()), ..SourceOptions::default() };
    let path = fixture("pyarrow_moves_uci.parquet");
    let input = Input::opening(&path, {
        let path = path.clone();
        move || Source::open_with(&path, &options)
    });
    let (fens, _) = Rows::new().format(Format::Fen).write([input], Vec::new()).unwrap();
    let (expected, _) = Rows::new().format(Format::Fen).write([&*fixture("duckdb.parquet")], Vec::new()).unwrap();
    assert_eq!(fens, expected);
}
