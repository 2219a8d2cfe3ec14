//! Rows: what they say, and that every format says the same of the same input, however it is read.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use arrow_ipc::reader::StreamReader;
use arrow_schema::DataType;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use pgn2fen_games::database::{Database, Source};
use pgn2fen_games::parallel::Cuts;
use pgn2fen_games::parallel::Workers;
use pgn2fen_rows::{Format, Rows, Shape};
use proptest::prelude::{ProptestConfig, Strategy, any, proptest};
use proptest::prop_assert_eq;
use proptest::sample::subsequence;

use crate::laws::{everything, stream, sweeps, whole};
use crate::walking::{read_options, walk};

pub(crate) const ALL: &str = "file game offset line ply turn fen san uci next_san next_uci eval clk key result White \
    Annotator Date Date_text WhiteElo WhiteElo_text Round Round_text \
    id variation plies material spent comment words nags tags";

/// As many as an EPD has room for.
const ALL_BUT_MANY: &str = "game offset line ply uci comment nags White tags next_san eval result fen";

/// So few rows in a group that the fixtures fill some.
const GROUP: usize = 4000;

/// What a walk through databases writes.
pub(crate) fn export(
    workers: &Workers,
    sources: Vec<(&str, Source)>,
    format: Format,
    columns: Option<&str>,
) -> Vec<u8> {
    let chosen = columns.filter(|_| format.has_columns()).map(|list| list.parse().unwrap());
    let shape = Shape { format, columns: chosen, no_header: false };
    let said = walk(&Rows::new().shape(shape).group(GROUP), workers, sources);
    assert!(said.error.is_none(), "{:?}", said.error);
    said.output
}

fn one(text: &str, format: Format, columns: &str) -> Vec<u8> {
    export(&Workers::new(1).unwrap(), vec![("games.pgn", whole(text.as_bytes()))], format, Some(columns))
}

#[track_caller]
fn check(text: &str, format: Format, columns: &str, expected: &str) {
    assert_eq!(String::from_utf8(one(text, format, columns)).unwrap(), expected);
}

const GAME: &str = "[White \"A\"]\n[Result \"1-0\"]\n\n1. e4 {[%eval 0.31] [%clk 0:01:02.5]} e5 {[%eval #-3]} 1-0\n";

#[test]
fn a_row_says_what_its_columns_ask() {
    check(
        GAME,
        Format::Csv,
        "game,ply,turn,san,uci,next_san,next_uci,eval,clk,key,result,White,Black",
        "game,ply,turn,san,uci,next_san,next_uci,eval,clk,key,result,White,Black\n\
         1,0,w,,,e4,e2e4,,,463b96181691fc9c,1-0,A,\n\
         1,1,b,e4,e2e4,e5,e7e5,31,62.5,823c9b50fd114196,1-0,A,\n\
         1,2,w,e5,e7e5,,,-31997,,0844931a6ef4b9a0,1-0,A,\n",
    );
}

#[test]
fn each_text_format_has_its_own_lines() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3";
    let game = "[White \"A \\\"B\\\"\"]\n\n1. e4 {[%eval 0.31]} 1-0\n";
    check(game, Format::Fen, "", &format!("{start} 0 1\n{e4} 0 1\n"));
    check(game, Format::Uci, "", &format!("position fen {start} 0 1\nposition fen {e4} 0 1\n"));
    check(game, Format::Bullet, "", &format!("{e4} 0 1 | 31 | 1.0\n"));
    check(
        game,
        Format::Epd,
        "game,next_san,eval,result,White",
        &format!(
            "{start} hmvc 0; fmvn 1; c0 \"1\"; sm e4; c9 \"1-0\"; c1 \"A 'B'\";\n\
             {e4} hmvc 0; fmvn 1; c0 \"1\"; ce -31; c9 \"1-0\"; c1 \"A 'B'\";\n"
        ),
    );
    check(game, Format::Tsv, "ply,White,san", "ply\tWhite\tsan\n0\tA \"B\"\t\n1\tA \"B\"\te4\n");
    check(game, Format::Csv, "ply,White,san", "ply,White,san\n0,\"A \"\"B\"\"\",\n1,\"A \"\"B\"\"\",e4\n");
    check(
        game,
        Format::Jsonl,
        "ply,White,san,key",
        "{\"ply\":0,\"White\":\"A \\\"B\\\"\",\"san\":null,\"key\":\"463b96181691fc9c\"}\n\
         {\"ply\":1,\"White\":\"A \\\"B\\\"\",\"san\":\"e4\",\"key\":\"823c9b50fd114196\"}\n",
    );
}

#[test]
fn games_lines_and_offsets_count_from_the_start_of_each_file() {
    let text = "1. e4 *\r\n\r\n1. d4 *\r\n; two\n1. c4 *\n".as_bytes();
    let expected = "file\tgame\toffset\tline\tply\n\
        a\t1\t0\t1\t0\na\t1\t0\t1\t1\na\t2\t11\t3\t0\na\t2\t11\t3\t1\na\t3\t20\t4\t0\na\t3\t20\t4\t1\n";
    for cuts in [vec![], vec![5, 8, 9, 12, 21], (1..text.len() as u64).collect()] {
        let workers = Workers::new(2).unwrap().with_cuts(Cuts::At(cuts));
        let sources = vec![("a", whole(text)), ("b", stream(text))];
        let output = export(&workers, sources, Format::Tsv, Some("file,game,offset,line,ply"));
        let again = expected.split_once('\n').unwrap().1.replace('a', "b");
        assert_eq!(String::from_utf8(output).unwrap(), format!("{expected}{again}"));
    }
}

#[test]
fn an_id_counts_the_games_of_all_files_before() {
    let text = b"1. e4 *\n1. d4 *\n1. c4 *\n";
    for cuts in [vec![], vec![8, 16], (1..text.len() as u64).collect()] {
        let workers = Workers::new(2).unwrap().with_cuts(Cuts::At(cuts));
        let job = Rows::columns("game,id,plies").unwrap().format(Format::Csv).plies("-1").unwrap();
        let job = job.read_options(read_options(|read| read.games.tags = vec!["White!=x".parse().unwrap()]));
        let said = walk(&job, &workers, [("a", whole(text)), ("b", stream(b"[White \"x\"] *\n1. e4 e5 *"))]);
        assert_eq!(said.text(), "game,id,plies\n1,1,1\n2,2,1\n3,3,1\n2,5,2\n");
    }
    let ranges = [0..9, 9..17, 17..100].map(|range| Database::from(text.to_vec()).within(range));
    let job = Rows::columns("id").unwrap().format(Format::Csv).plies("0").unwrap();
    assert_eq!(job.write(ranges.clone(), Vec::new()).unwrap().0, b"id\n1\n2\n3\n");
    assert_eq!(job.write(ranges.into_iter().skip(1), Vec::new()).unwrap().0, b"id\n3\n");
}

#[test]
fn the_result_is_the_tags_and_where_that_does_not_know_the_movetexts() {
    for (tag, marker, expected) in
        [("1-0", "0-1", "1-0"), ("*", "0-1", "0-1"), ("?", "1/2", "1/2-1/2"), ("0-1", "", "0-1"), ("*", "", "*")]
    {
        let text = format!("[Result \"{tag}\"]\n\n1. e4 {marker}\n");
        check(&text, Format::Csv, "result", &format!("result\n{expected}\n{expected}\n"));
    }
    check("1. e4 Ke6 0-1\n", Format::Csv, "result", "result\n0-1\n0-1\n");
    check("1. e4 0-1 {a comment that is never closed", Format::Csv, "result", "result\n0-1\n0-1\n");
}

/// Every cell as csv writes it.
type Cells = Vec<Vec<String>>;

fn csv_cells(bytes: &[u8]) -> Cells {
    let record = |record: csv::StringRecord| record.iter().map(str::to_owned).collect();
    csv::Reader::from_reader(bytes).into_records().map(|row| record(row.unwrap())).collect()
}

fn tsv_cells(bytes: &[u8]) -> Cells {
    let unescape = |field: &str| {
        let field = field.replace("\\\\", "\0").replace("\\t", "\t").replace("\\n", "\n").replace("\\r", "\r");
        field.replace('\0', "\\")
    };
    let text = str::from_utf8(bytes).unwrap();
    text.lines().skip(1).map(|line| line.split('\t').map(unescape).collect()).collect()
}

fn jsonl_cells(bytes: &[u8], names: &[&str]) -> Cells {
    let cell = |value: &serde_json::Value| match value {
        serde_json::Value::Null => String::new(),
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Array(numbers) => numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
        serde_json::Value::Object(object) => object_of(object.iter().map(|(name, it)| (&**name, it.as_str().unwrap()))),
        value => value.to_string(),
    };
    let row = |line: &str| {
        let object: serde_json::Value = serde_json::from_str(line).unwrap();
        names.iter().map(|name| cell(object.get(name).unwrap())).collect()
    };
    str::from_utf8(bytes).unwrap().lines().map(row).collect()
}

/// A JSON object with its names in ascending order.
fn object_of<'t>(pairs: impl Iterator<Item = (&'t str, &'t str)>) -> String {
    serde_json::to_string(&pairs.collect::<BTreeMap<_, _>>()).unwrap()
}

/// The cells with the names in objects in ascending order.
fn sorted(cells: Cells, tags: usize) -> Cells {
    let row = |mut row: Vec<String>| {
        let object: BTreeMap<String, String> = serde_json::from_str(&row[tags]).unwrap();
        row[tags] = object_of(object.iter().map(|(name, text)| (&**name, &**text)));
        row
    };
    cells.into_iter().map(row).collect()
}

fn arrow_cells(bytes: &[u8]) -> Cells {
    let batches = StreamReader::try_new(bytes, None).unwrap().map(Result::unwrap);
    batches.flat_map(|batch| batch_cells(&batch)).collect()
}

fn parquet_reader(bytes: &[u8]) -> SerializedFileReader<fs::File> {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    SerializedFileReader::new(file).unwrap()
}

fn parquet_cells(bytes: &[u8]) -> Cells {
    let cell = |(name, field): (&String, &Field)| match field {
        Field::Null => String::new(),
        Field::Str(text) => text.clone(),
        Field::Int(number) => number.to_string(),
        Field::Date(days) => iso_date(*days),
        Field::Long(number) if name == "key" => format!("{number:016x}"),
        Field::Long(number) => number.to_string(),
        Field::Double(number) => format!("{number:?}"),
        Field::ListInternal(list) => list.elements().iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
        Field::MapInternal(map) => {
            let text = |field: &Field| match field {
                Field::Str(text) => text.clone(),
                other => panic!("{other} is no text"),
            };
            let pairs: Vec<_> = map.entries().iter().map(|(name, value)| (text(name), text(value))).collect();
            object_of(pairs.iter().map(|(name, value)| (&**name, &**value)))
        }
        other => panic!("{other} is not among the types"),
    };
    let reader = parquet_reader(bytes);
    reader.get_row_iter(None).unwrap().map(|row| row.unwrap().get_column_iter().map(cell).collect()).collect()
}

/// The date so many days after 1970-01-01, counted a year and a month at a time.
fn iso_date(days: i32) -> String {
    let is_leap = |year: i32| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let (mut year, mut left) = (1970, days);
    while left < 0 {
        year -= 1;
        left += if is_leap(year) { 366 } else { 365 };
    }
    while left >= if is_leap(year) { 366 } else { 365 } {
        left -= if is_leap(year) { 366 } else { 365 };
        year += 1;
    }
    let february = if is_leap(year) { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if left < length {
            break;
        }
        left -= length;
        month += 1;
    }
    format!("{year:04}-{month:02}-{:02}", left + 1)
}

/// What typed formats make of a cell that text formats have as it is written. The fixtures have no odd dates and
/// ratings.
fn typed(name: &str, cell: &str) -> String {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match name {
        "Date" if cell.split('.').all(is_number) && cell.len() == 10 => cell.replace('.', "-"),
        "WhiteElo" if is_number(cell) && cell != "0" => cell.to_owned(),
        "Round" if is_number(cell.split('.').next().unwrap()) => cell.split('.').next().unwrap().to_owned(),
        "Date" | "WhiteElo" | "Round" => String::new(),
        _ => cell.to_owned(),
    }
}

fn batch_cells(batch: &RecordBatch) -> Cells {
    let cell = |name: &str, array: &dyn Array, row: usize| match array.data_type() {
        _ if array.is_null(row) => String::new(),
        DataType::Utf8 => array.as_string::<i32>().value(row).to_owned(),
        DataType::Date32 => iso_date(array.as_primitive::<Date32Type>().value(row)),
        DataType::Int32 => array.as_primitive::<Int32Type>().value(row).to_string(),
        DataType::Int64 if name == "key" => format!("{:016x}", array.as_primitive::<Int64Type>().value(row)),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).to_string(),
        DataType::Float64 => format!("{:?}", array.as_primitive::<Float64Type>().value(row)),
        DataType::List(_) => {
            let numbers = array.as_list::<i32>().value(row);
            let numbers = numbers.as_primitive::<Int32Type>().values().iter().map(ToString::to_string);
            numbers.collect::<Vec<_>>().join(" ")
        }
        DataType::Map(..) => {
            let entries = array.as_map().value(row);
            let text = |column: usize, at: usize| entries.column(column).as_string::<i32>().value(at).to_owned();
            let pairs: Vec<_> = (0..entries.len()).map(|at| (text(0, at), text(1, at))).collect();
            object_of(pairs.iter().map(|(name, value)| (&**name, &**value)))
        }
        other => panic!("{other} is not among the types"),
    };
    let schema = batch.schema();
    let columns = || schema.fields().iter().zip(batch.columns());
    (0..batch.num_rows()).map(|row| columns().map(|(field, array)| cell(field.name(), array, row)).collect()).collect()
}

#[test]
fn every_format_says_the_same_of_the_same_input() {
    let text = everything();
    let names: Vec<&str> = ALL.split(' ').collect();
    let workers = Workers::new(2).unwrap();
    let written = |format| export(&workers, vec![("games.pgn", whole(&text))], format, Some(ALL));

    let tags = names.len() - 1;
    let expected = sorted(csv_cells(&written(Format::Csv)), tags);
    assert!(expected.len() > 10_000, "there is something to compare");
    let is_filled = |name: &str| {
        let column = names.iter().position(|it| *it == name).unwrap();
        expected.iter().any(|row| !row[column].is_empty())
    };
    // The main line has no parent.
    assert!(names.iter().all(|name| is_filled(name) != (*name == "parent")), "there is something in each column");
    same_cells(&sorted(tsv_cells(&written(Format::Tsv)), tags), &expected, "tsv");
    let typed = |row: &Vec<String>| names.iter().zip(row).map(|(name, cell)| typed(name, cell)).collect();
    let expected_typed = expected.iter().map(typed).collect();
    same_cells(&jsonl_cells(&written(Format::Jsonl), &names), &expected_typed, "jsonl");
    same_cells(&arrow_cells(&written(Format::Arrow)), &expected_typed, "arrow");
    same_cells(&parquet_cells(&written(Format::Parquet)), &expected_typed, "parquet");

    let fens: Vec<&str> = expected.iter().map(|row| row[6].as_str()).collect();
    let lines = |format, line: fn(&str) -> String| {
        let text = String::from_utf8(written(format)).unwrap();
        text.lines().map(line).collect::<Vec<_>>()
    };
    assert_eq!(lines(Format::Fen, str::to_owned), fens);
    assert_eq!(lines(Format::Uci, |line| line.strip_prefix("position fen ").unwrap().to_owned()), fens);
    let of_epd = |line: &str| {
        let (position, operations) = line.split_once(" hmvc ").unwrap();
        let (halfmoves, operations) = operations.split_once("; fmvn ").unwrap();
        let (fullmoves, _) = operations.split_once(';').unwrap();
        format!("{position} {halfmoves} {fullmoves}")
    };
    let epd = export(&workers, vec![("games.pgn", whole(&text))], Format::Epd, Some("next_san eval result White"));
    let epd = String::from_utf8(epd).unwrap();
    assert_eq!(epd.lines().map(of_epd).collect::<Vec<_>>(), fens);
    // Who is left out has no evaluation, or a mate, or no result.
    let has_centipawns = |eval: &str| eval.parse().is_ok_and(|eval: i32| eval.abs() < 30_000);
    let is_rated = |row: &&Vec<String>| has_centipawns(&row[11]) && row[14] != "*";
    let rated: Vec<&str> = expected.iter().filter(is_rated).map(|row| row[6].as_str()).collect();
    let of_bullet = lines(Format::Bullet, |line| line.split(" | ").next().unwrap().to_owned());
    assert_eq!(of_bullet.len(), rated.len());
    assert!(of_bullet == rated);
}

const TYPED: &str = "Date Date_text Round Round_text WhiteElo WhiteElo_text BlackElo WhiteRatingDiff TimeControl";

/// Games with the values of these tags, one a row; the games have no moves.
fn games_of(names: &str, rows: &[&[&str]]) -> String {
    let pair = |(name, value): (&str, &&str)| format!("[{name} \"{value}\"]\n");
    let game = |row: &&[&str]| names.split(' ').zip(*row).map(pair).collect::<String>() + "\n*\n\n";
    rows.iter().map(game).collect()
}

#[test]
fn dates_ratings_rounds_and_numbers_have_types_and_their_text() {
    let text = games_of(
        "Date Round WhiteElo BlackElo WhiteRatingDiff TimeControl",
        &[
            &["2019.06.01", "6.4", "2650", "2700?", "+7", "180+2"],
            &["2019.06.??", "6", "?", "-", "-3", "-"],
            &["1850/1/2", "?", "0", "", "?", "?"],
            &["????.??.??", "Final", "unrated", "99999999999", "0", ""],
        ],
    );
    check(
        &text,
        Format::Jsonl,
        TYPED,
        "{\"Date\":\"2019-06-01\",\"Date_text\":\"2019.06.01\",\"Round\":6,\"Round_text\":\"6.4\",\"WhiteElo\":2650,\
         \"WhiteElo_text\":\"2650\",\"BlackElo\":2700,\"WhiteRatingDiff\":7,\"TimeControl\":\"180+2\"}\n\
         {\"Date\":null,\"Date_text\":\"2019.06.??\",\"Round\":6,\"Round_text\":\"6\",\"WhiteElo\":null,\
         \"WhiteElo_text\":\"?\",\"BlackElo\":null,\"WhiteRatingDiff\":-3,\"TimeControl\":\"-\"}\n\
         {\"Date\":\"1850-01-02\",\"Date_text\":\"1850/1/2\",\"Round\":null,\"Round_text\":\"?\",\"WhiteElo\":null,\
         \"WhiteElo_text\":\"0\",\"BlackElo\":null,\"WhiteRatingDiff\":null,\"TimeControl\":\"?\"}\n\
         {\"Date\":null,\"Date_text\":\"????.??.??\",\"Round\":null,\"Round_text\":\"Final\",\"WhiteElo\":null,\
         \"WhiteElo_text\":\"unrated\",\"BlackElo\":null,\"WhiteRatingDiff\":0,\"TimeControl\":null}\n",
    );
    check(
        &text,
        Format::Csv,
        TYPED,
        "Date,Date_text,Round,Round_text,WhiteElo,WhiteElo_text,BlackElo,WhiteRatingDiff,TimeControl\n\
         2019.06.01,2019.06.01,6.4,6.4,2650,2650,2700?,+7,180+2\n\
         2019.06.??,2019.06.??,6,6,?,?,-,-3,-\n\
         1850/1/2,1850/1/2,?,?,0,0,,?,?\n\
         ????.??.??,????.??.??,Final,Final,unrated,unrated,99999999999,0,\n",
    );
    let names: Vec<&str> = TYPED.split(' ').collect();
    let expected = jsonl_cells(&one(&text, Format::Jsonl, TYPED), &names);
    same_cells(&arrow_cells(&one(&text, Format::Arrow, TYPED)), &expected, "arrow");
    same_cells(&parquet_cells(&one(&text, Format::Parquet, TYPED)), &expected, "parquet");
    let stream = one(&text, Format::Arrow, TYPED);
    let schema = StreamReader::try_new(&*stream, None).unwrap().schema();
    let types: Vec<&DataType> = schema.fields().iter().map(|field| field.data_type()).collect();
    let (text, int) = (&DataType::Utf8, &DataType::Int32);
    assert_eq!(types, [&DataType::Date32, text, int, text, int, text, int, int, text]);
}

#[track_caller]
fn same_cells(cells: &Cells, expected: &Cells, what: &str) {
    let first = cells.iter().zip(expected).find(|(row, expected)| row != expected);
    assert_eq!(first, None, "{what}");
    assert_eq!(cells.len(), expected.len(), "{what}");
}

/// Columns whose values are the same in formats with types and without.
const UNTYPED: &str = "file game offset line id ply variation parent plies turn fen material san uci next_san next_uci \
    eval depth time nodes win_chance cp_loss accuracy judgement clk spent comment words nags key result \
    eco opening White Annotator";

fn columns() -> impl Strategy<Value = Vec<&'static str>> {
    subsequence(UNTYPED.split_whitespace().collect::<Vec<_>>(), 1..=9).prop_shuffle()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if sweeps() { 160 } else { 12 }))]

    /// Text formats write some values as soon as a position is reached, and the others from a table, as Arrow does.
    #[test]
    fn text_formats_have_the_cells_of_arrow_for_any_columns_in_any_order(
        names in columns(),
        (variations, unique, skips_start) in any::<(bool, bool, bool)>(),
    ) {
        let text = everything()[..60_000].to_vec();
        let written = |format| {
            let rows = Rows::columns(&names.join(" ")).unwrap().format(format).variations(variations).unique(unique);
            let rows = rows.plies(if skips_start { "3.." } else { "0.." }).unwrap().threads(2);
            rows.write([Database::from(text.clone())], Vec::new()).unwrap().0
        };
        let expected = arrow_cells(&written(Format::Arrow));
        prop_assert_eq!(csv_cells(&written(Format::Csv)), expected.clone());
        prop_assert_eq!(tsv_cells(&written(Format::Tsv)), expected.clone());
        prop_assert_eq!(jsonl_cells(&written(Format::Jsonl), &names), expected);
    }
}

#[test]
fn threads_and_cuts_and_pipes_change_no_byte_of_any_format() {
    let text = everything();
    for (nth, format) in Format::ALL.iter().copied().enumerate() {
        let written = |workers: &Workers, source: fn(&[u8]) -> Source| {
            export(workers, vec![("a", source(&text)), ("b", source(&text[..20_000]))], format, Some(ALL_BUT_MANY))
        };
        let expected = written(&Workers::new(1).unwrap().with_cuts(Cuts::Likely(usize::MAX / 4)), whole);
        let anywhere = Cuts::At((0..text.len() as u64).step_by(7919).collect());
        let ways = [(1, Cuts::Likely(300), false), (2, Cuts::Likely(40_000), true), (5, anywhere, true)];
        for (way, (threads, cuts, is_stream)) in ways.into_iter().enumerate() {
            // Each format in two of the ways.
            if (nth + way) % 3 == 0 && !sweeps() {
                continue;
            }
            let workers = Workers::new(threads).unwrap().with_cuts(cuts.clone());
            for (is_stream_here, source) in [(false, whole as fn(&[u8]) -> Source), (true, stream)] {
                if is_stream_here == is_stream || sweeps() {
                    let same = written(&workers, source) == expected;
                    assert!(same, "{} with {threads} threads, {cuts:?}", format.name());
                }
            }
        }
    }
}

#[test]
fn groups_of_rows_end_where_they_are_full() {
    let text = everything();
    let bytes = export(&Workers::new(2).unwrap(), vec![("a", whole(&text))], Format::Parquet, Some("fen"));
    let reader = parquet_reader(&bytes);
    let groups = reader.metadata().row_groups();
    let rows: Vec<i64> = groups.iter().map(RowGroupMetaData::num_rows).collect();
    assert!(rows.len() > 3, "{rows:?}");
    let (last, full) = rows.split_last().unwrap();
    assert!(full.iter().all(|rows| usize::try_from(*rows).unwrap() == GROUP) && *last > 0, "{rows:?}");
}

#[test]
fn odd_values_come_back_from_every_format() {
    let values = [
        "a,b",
        "say \"x\"",
        "tab\there",
        "two\nlines",
        "back\\slash \\t",
        "Grünfeld",
        "♞ 🏰",
        " blank ",
        "'",
        "null",
        "\u{1b}[0m",
    ];
    let mut text = Vec::new();
    for value in values {
        let written = value.replace('\\', "\\\\").replace('"', "\\\"");
        // One of them is in Latin-1.
        let bytes = if value == "Grünfeld" { b"Gr\xfcnfeld".to_vec() } else { written.into_bytes() };
        text.extend_from_slice(b"[Event \"x\"]\n[Annotator \"");
        text.extend_from_slice(&bytes);
        text.extend_from_slice(b"\"]\n\n*\n\n");
    }
    let written = |format| export(&Workers::new(1).unwrap(), vec![("a", whole(&text))], format, Some("Annotator game"));
    let expected: Cells = (1..).zip(values).map(|(game, value)| vec![value.to_owned(), game.to_string()]).collect();
    same_cells(&csv_cells(&written(Format::Csv)), &expected, "csv");
    same_cells(&tsv_cells(&written(Format::Tsv)), &expected, "tsv");
    same_cells(&jsonl_cells(&written(Format::Jsonl), &["Annotator", "game"]), &expected, "jsonl");
    same_cells(&arrow_cells(&written(Format::Arrow)), &expected, "arrow");
    same_cells(&parquet_cells(&written(Format::Parquet)), &expected, "parquet");
    // An EPD knows no escapes and has one line.
    let epd = String::from_utf8(written(Format::Epd)).unwrap();
    assert_eq!(epd.lines().count(), values.len());
    assert!(
        epd.contains("c0 \"say 'x'\";") && epd.contains("c0 \"two lines\";") && epd.contains("c0 \"Grünfeld\";"),
        "{epd}"
    );
}

#[test]
fn comments_glyphs_times_and_tags_are_columns() {
    let game = "[White \"A \\\"B\\\"\"]\n[TimeControl \"60+1\"]\n[White \"Müller\"]\n\n\
        {start} 1. e4! {best\r\nby test} {[%clk 0:00:58]} $14 (1. d4 {no}) e5 {a, \"b\" [%clk 0:00:50]} 2. d4 ; end\n \
        *\n";
    let columns = "ply,comment,nags,spent,tags";
    check(
        game,
        Format::Jsonl,
        columns,
        "{\"ply\":0,\"comment\":\"start\",\"nags\":null,\"spent\":null,\
         \"tags\":{\"White\":\"Müller\",\"TimeControl\":\"60+1\"}}\n\
         {\"ply\":1,\"comment\":\"best\\nby test [%clk 0:00:58]\",\"nags\":[1,14],\"spent\":3.0,\
         \"tags\":{\"White\":\"Müller\",\"TimeControl\":\"60+1\"}}\n\
         {\"ply\":2,\"comment\":\"a, \\\"b\\\" [%clk 0:00:50]\",\"nags\":null,\"spent\":11.0,\
         \"tags\":{\"White\":\"Müller\",\"TimeControl\":\"60+1\"}}\n\
         {\"ply\":3,\"comment\":\"end\",\"nags\":null,\"spent\":null,\
         \"tags\":{\"White\":\"Müller\",\"TimeControl\":\"60+1\"}}\n",
    );
    let tags = "\"{\"\"White\"\":\"\"Müller\"\",\"\"TimeControl\"\":\"\"60+1\"\"}\"";
    check(
        game,
        Format::Csv,
        columns,
        &format!(
            "ply,comment,nags,spent,tags\n0,start,,,{tags}\n1,\"best\nby test [%clk 0:00:58]\",1 14,3.0,{tags}\n\
             2,\"a, \"\"b\"\" [%clk 0:00:50]\",,11.0,{tags}\n3,end,,,{tags}\n",
        ),
    );
    let tags = "{\"White\":\"Müller\",\"TimeControl\":\"60+1\"}";
    check(
        game,
        Format::Tsv,
        columns,
        &format!(
            "ply\tcomment\tnags\tspent\ttags\n0\tstart\t\t\t{tags}\n\
             1\tbest\\nby test [%clk 0:00:58]\t1 14\t3.0\t{tags}\n\
             2\ta, \"b\" [%clk 0:00:50]\t\t11.0\t{tags}\n3\tend\t\t\t{tags}\n",
        ),
    );
    check(
        "1. e4! $14 {a \"b\"} *",
        Format::Epd,
        "nags,comment",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - hmvc 0; fmvn 1;\n\
         rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 hmvc 0; fmvn 1; c0 \"1 14\"; c1 \"a 'b'\";\n",
    );
    check("1. e4 (1. d4) *", Format::Jsonl, "tags", "{\"tags\":{}}\n{\"tags\":{}}\n");
}

#[test]
fn lists_and_maps_have_the_types_that_readers_expect() {
    let bytes = one("[White \"A\"]\n\n1. e4! *", Format::Parquet, "nags tags comment");
    let mut schema = Vec::new();
    parquet::schema::printer::print_schema(&mut schema, parquet_reader(&bytes).metadata().file_metadata().schema());
    let expected = "message schema {\n  \
        OPTIONAL group nags (LIST) {\n    REPEATED group list {\n      OPTIONAL INT32 element;\n    }\n  }\n  \
        OPTIONAL group tags (MAP) {\n    REPEATED group key_value {\n      REQUIRED BYTE_ARRAY key (STRING);\n      \
        OPTIONAL BYTE_ARRAY value (STRING);\n    }\n  }\n  OPTIONAL BYTE_ARRAY comment (STRING);\n}\n";
    assert_eq!(String::from_utf8(schema).unwrap(), expected);
}

/// Groups have bounded memory, however long the comments are.
#[test]
fn a_group_of_long_comments_has_fewer_rows() {
    let game = format!("1. e4 {{{}}} e5 *\n", "long ".repeat(100_000));
    for column in ["comment", "words"] {
        let bytes = one(&game.repeat(300), Format::Parquet, column);
        let groups = parquet_reader(&bytes).metadata().row_groups().to_vec();
        let rows: Vec<i64> = groups.iter().map(RowGroupMetaData::num_rows).collect();
        assert_eq!((rows.len(), rows.iter().sum::<i64>()), (3, 900), "{column}: {rows:?}");
    }
}

#[test]
fn words_of_people_have_a_column() {
    let text = "{ [%csl Ge4] before } 1. e4 { [%clk 0:01:00] a good [%eval 0.3] move } e5 { [%clk 0:01:00] } (1... c5 \
        { +0.31/14 0.5s } { sharp }) 2. Nf3 { +0.31/14 0.5s } *\n";
    let expected = "ply,words\n0,before\n1,a good move\n2,\n3,\n";
    check(text, Format::Csv, "ply,words", expected);
    check(text, Format::Tsv, "ply,words", &expected.replace(',', "\t"));
    let expected = "{\"ply\":0,\"words\":\"before\"}\n{\"ply\":1,\"words\":\"a good move\"}\n\
        {\"ply\":2,\"words\":null}\n{\"ply\":3,\"words\":null}\n";
    check(text, Format::Jsonl, "ply,words", expected);
}
