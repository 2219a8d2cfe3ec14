//! Outputs that write to a file, a pipe or any other `Write`.

use std::fmt;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;

use crate::columns::Columns;
use crate::encode::boards::BoardOptions;
use crate::encode::encoded::{Encoded, EncodedRows};
use crate::encode::encoder::Encoder;
use crate::encode::export_error::ExportError;
use crate::encode::formats::{blocks, open};
use crate::encode::{Assemble, Encode, OpenFormat};
use crate::error::{RowsError, WriteError};
use crate::jobs::parts::{ByParts, PartsWriter};
use crate::jobs::shared::SharedWriter;
use crate::jobs::shuffle::{Records, ShuffleOptions, Shuffler};
use crate::jobs::take::Take;
use crate::jobs::writing::Close;
use crate::shape::{Shape, ShapeError};
use crate::table::collect::Collector;
use pgn2fen_games::walk::{LeftOut, Output, OutputStages};

/// A writer that keeps its first error and ignores everything after it.
#[doc(hidden)]
#[derive(Debug)]
pub struct Sink<'w> {
    writer: SharedWriter<'w>,
    failure: Option<WriteError>,
}

impl<'w> Sink<'w> {
    pub fn new(writer: SharedWriter<'w>) -> Self {
        Self { writer, failure: None }
    }

    pub fn write(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        if self.failure.is_none() {
            self.failure = self.writer.write_all(bytes).err().map(WriteError::Io);
        }
        if self.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn fail(&mut self, error: ExportError) -> ControlFlow<()> {
        self.failure.get_or_insert(WriteError::Encode(error));
        ControlFlow::Break(())
    }

    pub fn is_full(&self) -> bool {
        self.failure.is_some()
    }

    /// Returns the first error, if there was one.
    pub fn end(self) -> Result<(), WriteError> {
        self.failure.map_or(Ok(()), Err)
    }
}

/// Writes bytes that need no encoding.
#[derive(Debug)]
pub(crate) struct Print<'w>(Sink<'w>);

impl<'w> Print<'w> {
    pub(crate) fn new(writer: SharedWriter<'w>) -> Self {
        Self(Sink::new(writer))
    }
}

impl<M: AsRef<[u8]>> Close<M> for Print<'_> {
    fn close(self: Box<Self>, _: &[u64]) -> Result<LeftOut, WriteError> {
        self.0.end()?;
        Ok(LeftOut::default())
    }
}

impl<M: AsRef<[u8]>> Output<M> for Print<'_> {
    fn stages(&mut self) -> OutputStages<'_, M> {
        OutputStages::deliver(|made: &mut M| self.0.write(made.as_ref()))
    }

    fn is_full(&self) -> bool {
        self.0.is_full()
    }
}

/// Collects rows into groups, encodes them, and passes them on.
pub(crate) struct RowOutput<'w> {
    collector: Collector,
    encoder: Encoder,
    taker: Box<dyn Take + 'w>,
}

impl fmt::Debug for RowOutput<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RowOutput").field("columns", &self.encoder.columns).finish_non_exhaustive()
    }
}

impl<'w> RowOutput<'w> {
    /// Begins to encode rows with these columns. A group has at most `most_rows` rows; `None` means the usual number of
    /// the format. All rows but the first `room` are dropped.
    pub(crate) fn new(
        columns: Columns,
        format: Box<dyn Encode>,
        most_rows: Option<usize>,
        room: Option<u64>,
        taker: impl Take + 'w,
    ) -> Self {
        let collector = Collector::new(&columns, format.division().with_rows(most_rows), room);
        Self { collector, encoder: Encoder { columns, format }, taker: Box::new(taker) }
    }

    /// Keeps all rows in memory until the number of games for each row is known, if `is_held`. Memory grows with the
    /// number of rows.
    #[must_use]
    pub(crate) fn held(self, is_held: bool) -> Self {
        Self { collector: self.collector.held(is_held), ..self }
    }

    /// Returns the columns of the rows.
    pub(crate) fn columns(&self) -> &Columns {
        &self.encoder.columns
    }
}

impl Close<EncodedRows> for RowOutput<'_> {
    /// Passes on the rows that were held, and the last rows, which did not fill a group.
    fn close(self: Box<Self>, counts: &[u64]) -> Result<LeftOut, WriteError> {
        let Self { mut collector, encoder, mut taker } = *self;
        collector.count(counts);
        let mut groups = Vec::new();
        collector.end(&mut groups);
        if !taker.is_full() {
            // The taker keeps an error.
            let _ = encoder.deliver(&mut EncodedRows { groups, ..EncodedRows::default() }, |rows| taker.take(rows));
        }
        taker.end()
    }
}

impl Output<EncodedRows> for RowOutput<'_> {
    fn begin_file(&mut self, path: &Path) {
        self.collector.begin_file(&path.display().to_string());
    }

    fn stages(&mut self) -> OutputStages<'_, EncodedRows> {
        let Self { collector, encoder, taker } = self;
        let encoder = &*encoder;
        OutputStages::deliver(|made| encoder.deliver(made, |rows| taker.take(rows)))
            .order(|made, position| collector.collect(made, position))
            .encode(|made| encoder.encode(made))
    }

    fn is_full(&self) -> bool {
        self.taker.is_full()
    }
}

/// Joins encoded rows in order and writes them.
struct OrderedWriter<'w> {
    assemble: Box<dyn Assemble>,
    left_out: LeftOut,
    sink: Sink<'w>,
}

/// Begins to write rows with these columns, or a page of boards with these options.
///
/// # Errors
///
/// The format cannot have these columns.
pub(crate) fn export<'w>(
    shape: &Shape,
    columns: &Columns,
    boards: &BoardOptions,
    most_rows: Option<usize>,
    writer: SharedWriter<'w>,
) -> Result<RowOutput<'w>, ExportError> {
    let most = boards.max_boards.filter(|_| shape.format.has_boards());
    Ok(ordered(open(shape, columns, boards)?, columns, most_rows, most, writer))
}

/// Begins to write rows with these columns in random order, if `shuffle` is given, and each game to the writer of its
/// part, if there are several.
///
/// # Errors
///
/// The format is not a sequence of records.
pub(crate) fn export_parts<'w>(
    shape: &Shape,
    columns: &Columns,
    writers: Vec<SharedWriter<'w>>,
    shuffle: Option<&ShuffleOptions>,
) -> Result<RowOutput<'w>, RowsError> {
    let records = Records::of(shape.format).ok_or(ShapeError::NoRecords(shape.format))?;
    let (mut parts, count) = (PartsWriter::new(), writers.len());
    let mut encoders = Vec::new();
    for writer in writers {
        let OpenFormat { encode, assemble } = open(shape, columns, &BoardOptions::default())?;
        encoders.push(encode);
        let shuffler = |ShuffleOptions { seed, memory, folder }: &ShuffleOptions| {
            Shuffler::new(records, *seed, memory / count, folder.as_deref())
        };
        parts.push(assemble, writer, shuffle.map(shuffler));
    }
    parts.begin();
    // All parts have the same encoder.
    let encode = encoders.pop().ok_or(ShapeError::NoRecords(shape.format))?;
    let encode = if count == 1 { encode } else { Box::new(ByParts(encode)) };
    Ok(RowOutput::new(columns.clone(), encode, None, None, parts))
}

/// Begins to write rows with these columns as [blocks](crate::encode::formats::blocks).
pub(crate) fn export_blocks<'w>(
    columns: &Columns,
    most_rows: Option<usize>,
    writer: SharedWriter<'w>,
) -> RowOutput<'w> {
    ordered(blocks::open(), columns, most_rows, None, writer)
}

/// Begins to write rows in a format that has been opened.
fn ordered<'w>(
    format: OpenFormat,
    columns: &Columns,
    most_rows: Option<usize>,
    room: Option<u64>,
    writer: SharedWriter<'w>,
) -> RowOutput<'w> {
    let OpenFormat { encode, assemble } = format;
    let mut sink = Sink::new(writer);
    // The sink keeps an error for later.
    let _ = sink.write(assemble.head());
    let taker = OrderedWriter { assemble, left_out: LeftOut::default(), sink };
    RowOutput::new(columns.clone(), encode, most_rows, room, taker)
}

impl Take for OrderedWriter<'_> {
    fn take(&mut self, encoded: &mut Encoded) -> ControlFlow<()> {
        self.left_out += encoded.left_out;
        if let Some(failure) = encoded.failure.take() {
            return self.sink.fail(failure);
        }
        let Self { assemble, sink, .. } = self;
        // The sink keeps an error, and then writes nothing more.
        let write = &mut |bytes: &[u8]| {
            let _ = sink.write(bytes);
        };
        match assemble.assemble(encoded, write) {
            Ok(()) if sink.is_full() => ControlFlow::Break(()),
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => sink.fail(error),
        }
    }

    fn is_full(&self) -> bool {
        self.sink.is_full()
    }

    fn end(self: Box<Self>) -> Result<LeftOut, WriteError> {
        let Self { assemble, left_out, mut sink } = *self;
        let _ = match assemble.end() {
            Ok(bytes) => sink.write(&bytes),
            Err(error) => sink.fail(error),
        };
        sink.end()?;
        Ok(left_out)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};
    #[cfg(feature = "files")]
    use std::path::MAIN_SEPARATOR;

    use crate::games::{Copies, Order};
    use crate::starts::Starts;
    use crate::testing::{Files, games};
    use crate::{FileNames, Format, PictureFormat, Rows, RowsError, page};
    use pgn2fen_games::database::Database;
    use pgn2fen_games::walk::Totals;

    /// A writer that fails, with the number of times that it was called.
    #[derive(Debug, Default)]
    struct Full(usize);

    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            self.0 += 1;
            assert_eq!(self.0, 1, "nothing more is written");
            Err(io::Error::other("the disk is full"))
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    const GAMES: &str = "[White \"A\"]\n\n1. e4 e5 *\n\n1. d4 *\n\n";

    #[test]
    fn a_run_ends_at_the_first_error() {
        type Write<'w> = &'w dyn Fn(&mut dyn Iterator<Item = Database>) -> Result<Totals, RowsError>;
        let rows = Rows::columns("game,fen").unwrap();
        let starts = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n*\n\n";
        let jobs: [(&str, Write<'_>); 6] = [
            ("lines", &|inputs| Rows::new().write(inputs, Full::default()).map(|(_, totals)| totals)),
            ("rows", &|inputs| rows.clone().format(Format::Jsonl).write(inputs, Full::default()).map(|it| it.1)),
            ("head", &|inputs| rows.write(inputs, Full::default()).map(|it| it.1)),
            ("copies", &|inputs| Copies::new().write(inputs, Full::default()).map(|it| it.1)),
            ("starts", &|inputs| Starts::lines().write(inputs, Full::default()).map(|it| it.1)),
            ("blocks", &|inputs| {
                rows.clone().group(1).begin_blocks(Full::default()).read_all_of(inputs).map(|it| it.1)
            }),
        ];
        for (name, job) in jobs {
            let mut left = 1000;
            let text = if name == "starts" { starts } else { GAMES };
            let mut inputs = std::iter::from_fn(|| {
                left -= 1;
                (left > 0).then(|| Database::from(text.as_bytes().to_vec()))
            });
            let error = job(&mut inputs).unwrap_err().to_string();
            assert!(error.contains("the disk is full"), "{name}: {error}");
            assert!(left > 900, "{name}: {left}");
        }
    }

    #[test]
    fn an_error_at_the_end_is_told() {
        let sorted = Copies::new().order(Order::Sorted("White".parse().unwrap()));
        let error = sorted.write(games(GAMES), &mut [0; 0][..]).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains("failed to write"), "{error}");
        // The end of a page does not fit behind its head.
        let mut head = Vec::new();
        page::append_head_with("Positions", "", &mut head);
        page::begin_boards(&mut head);
        let html = Rows::new().format(Format::Html);
        for room in [0, head.len() + 1] {
            let error = html.write(games(""), &mut vec![0; room][..]).map(|_| ()).unwrap_err().to_string();
            assert!(error.contains("failed to write"), "{error}");
        }
    }

    #[cfg(feature = "files")]
    #[test]
    fn numbers_count_from_the_start_of_a_file_and_of_the_run() {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["a.pgn", "b.pgn"].map(|name| folder.path().join(name));
        paths.iter().for_each(|path| std::fs::write(path, GAMES).unwrap());
        let rows = Rows::columns("file,game,id,line,offset,ply,White").unwrap().format(Format::Csv);
        let (text, _) = rows.write(paths.clone(), Vec::new()).unwrap();
        let text =
            String::from_utf8(text).unwrap().replace(&format!("{}{MAIN_SEPARATOR}", folder.path().display()), "");
        let expected = [
            "file,game,id,line,offset,ply,White",
            "a.pgn,1,1,1,0,0,A",
            "a.pgn,1,1,1,0,1,A",
            "a.pgn,1,1,1,0,2,A",
            "a.pgn,2,2,5,25,0,",
            "a.pgn,2,2,5,25,1,",
            "b.pgn,1,3,1,0,0,A",
            "b.pgn,1,3,1,0,1,A",
            "b.pgn,1,3,1,0,2,A",
            "b.pgn,2,4,5,25,0,",
            "b.pgn,2,4,5,25,1,",
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
        let names = FileNames::of_positions("{file}-{number}.svg", PictureFormat::Svg).unwrap();
        let rows = Rows::new().plies("0").unwrap();
        let drawing = rows.begin_pictures(PictureFormat::Svg, names, Files::default());
        let (files, _) = drawing.read_all_of(paths).unwrap();
        let ends: Vec<String> =
            files.texts().iter().map(|(path, _)| path.chars().skip(path.len() - 11).collect()).collect();
        assert_eq!(ends, ["a.pgn-1.svg", "a.pgn-2.svg", "b.pgn-3.svg", "b.pgn-4.svg"]);
    }

    #[cfg(feature = "files")]
    #[test]
    fn copies_of_several_files_are_divided_by_a_blank_line() {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["a.pgn", "b.pgn"].map(|name| folder.path().join(name));
        paths.iter().for_each(|path| std::fs::write(path, "1. e4 *").unwrap());
        let (copies, _) = Copies::new().write(paths.clone(), Vec::new()).unwrap();
        assert_eq!(String::from_utf8(copies).unwrap(), "1. e4 *\n\n1. e4 *\n");
        let writing = Copies::new().begin_aside(Vec::new(), Vec::new());
        let (written, _) = writing.read_all_of([&paths[..], &paths[..]].concat()).unwrap();
        let [copies, duplicates] = [written.0, written.1].map(|bytes| String::from_utf8(bytes).unwrap());
        assert_eq!((&*copies, &*duplicates), ("1. e4 *\n", "1. e4 *\n\n1. e4 *\n\n1. e4 *\n"));
    }
}
