//! Law: all formats have the same values for the same games, when they are read with other packages.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use arrow_ipc::reader::StreamReader;
use arrow_schema::DataType;
use bytes::Bytes;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use pgn2fen_games::parallel::Cuts;
use pgn2fen_games::pgn::annotation::EvalChoice;
use pgn2fen_rows::{Format, Rows};

use crate::choices::Choices;
use crate::walking::{ALL, Job, rows, walk, whole, with_workers};

/// All cells, in the text that csv has for them.
type Cells = Vec<Vec<String>>;

/// Checks the law. The first byte chooses the options of the walk. The rest is the text.
///
/// # Panics
///
/// The law is broken.
pub fn check(data: &[u8]) {
    let mut choices = Choices::new(data);
    let flags = choices.byte();
    let text = choices.text();
    let evals = EvalChoice::ALL[usize::from(flags >> 2) % 4];
    let job = Rows::new().variations(flags & 1 != 0).unique(flags & 2 != 0).evals(evals);
    let written = |format| {
        let job = Job::Rows(rows(job.clone(), format));
        with_workers(1, Cuts::Likely(500), |one| walk(&job, one, whole(&text))).output
    };
    let expected = csv_cells(&written(Format::Csv));
    same(&tsv_cells(&written(Format::Tsv)), &expected, "tsv");
    same(&jsonl_cells(&written(Format::Jsonl)), &expected, "jsonl");
    same(&arrow_cells(&written(Format::Arrow)), &expected, "arrow");
    same(&parquet_cells(written(Format::Parquet)), &expected, "parquet");
}

fn same(cells: &Cells, expected: &Cells, what: &str) {
    let first = cells.iter().zip(expected).find(|(row, expected)| row != expected);
    assert_eq!(first, None, "{what}");
    assert_eq!(cells.len(), expected.len(), "{what}");
}

fn csv_cells(bytes: &[u8]) -> Cells {
    let record = |record: csv::StringRecord| record.iter().map(str::to_owned).collect();
    csv::Reader::from_reader(bytes).into_records().map(|row| record(row.expect("csv"))).collect()
}

fn tsv_cells(bytes: &[u8]) -> Cells {
    let unescape = |field: &str| {
        let mut text = String::new();
        let mut chars = field.chars();
        while let Some(char) = chars.next() {
            text.push(match char {
                '\\' => match chars.next() {
                    Some('t') => '\t',
                    Some('n') => '\n',
                    Some('r') => '\r',
                    Some('\\') => '\\',
                    other => panic!("{other:?} is not escaped"),
                },
                char => char,
            });
        }
        text
    };
    let text = str::from_utf8(bytes).expect("UTF-8");
    let lines = text.split_terminator('\n').skip(1);
    lines.map(|line| line.split('\t').map(unescape).collect()).collect()
}

fn jsonl_cells(bytes: &[u8]) -> Cells {
    let cell = |value: &serde_json::Value| match value {
        serde_json::Value::Null => String::new(),
        serde_json::Value::String(text) => text.clone(),
        value => value.to_string(),
    };
    let row = |line: &str| {
        let object: serde_json::Value = serde_json::from_str(line).expect("JSON");
        ALL.split(',').map(|name| cell(object.get(name).expect("a column"))).collect()
    };
    str::from_utf8(bytes).expect("UTF-8").split_terminator('\n').map(row).collect()
}

fn arrow_cells(bytes: &[u8]) -> Cells {
    let batches = StreamReader::try_new(bytes, None).expect("Arrow").map(|batch| batch.expect("Arrow"));
    batches.flat_map(|batch| batch_cells(&batch)).collect()
}

fn batch_cells(batch: &RecordBatch) -> Cells {
    let cell = |name: &str, array: &dyn Array, row: usize| match array.data_type() {
        _ if array.is_null(row) => String::new(),
        DataType::Utf8 => array.as_string::<i32>().value(row).to_owned(),
        DataType::Int32 => array.as_primitive::<Int32Type>().value(row).to_string(),
        DataType::Int64 if name == "key" => format!("{:016x}", array.as_primitive::<Int64Type>().value(row)),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).to_string(),
        DataType::Float64 => format!("{:?}", array.as_primitive::<Float64Type>().value(row)),
        other => panic!("{other} is not among the types"),
    };
    let schema = batch.schema();
    let columns = || schema.fields().iter().zip(batch.columns());
    (0..batch.num_rows()).map(|row| columns().map(|(field, array)| cell(field.name(), array, row)).collect()).collect()
}

fn parquet_cells(bytes: Vec<u8>) -> Cells {
    let cell = |(name, field): (&String, &Field)| match field {
        Field::Null => String::new(),
        Field::Str(text) => text.clone(),
        Field::Int(number) => number.to_string(),
        Field::Long(number) if name == "key" => format!("{number:016x}"),
        Field::Long(number) => number.to_string(),
        Field::Double(number) => format!("{number:?}"),
        other => panic!("{other} is not among the types"),
    };
    let reader = SerializedFileReader::new(Bytes::from(bytes)).expect("Parquet");
    let rows = reader.get_row_iter(None).expect("Parquet");
    rows.map(|row| row.expect("Parquet").get_column_iter().map(cell).collect()).collect()
}
