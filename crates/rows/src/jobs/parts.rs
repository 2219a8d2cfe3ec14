//! Outputs of rows in random order, or in several parts.

use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use crate::columns::Columns;
use crate::encode::encoded::Encoded;
use crate::encode::export_error::ExportError;
use crate::encode::{Assemble, Encode};
use crate::error::{RowsError, WriteError};
use crate::jobs::games::GameSink;
use crate::jobs::shared::{Shared, SharedWriter};
use crate::jobs::shuffle::Shuffler;
use crate::jobs::take::Take;
use crate::jobs::writing::End;
use crate::table::group::{Division, Group, GroupPiece};
use pgn2fen_games::job_methods;
use pgn2fen_games::walk::{Job, LeftOut};

/// The size of the pieces in which shuffled records are passed on, about, in bytes.
const PIECE: usize = 1 << 20;

/// Encodes the rows of each part by themselves, in the order of the rows.
pub(crate) struct ByParts(pub(crate) Box<dyn Encode>);

impl Encode for ByParts {
    fn division(&self) -> Division {
        self.0.division()
    }

    fn encode(&self, columns: &Columns, group: &Group, encoded: &mut Encoded) -> Result<(), ExportError> {
        for piece in &group.pieces {
            let table = &piece.table;
            let part_of = |nth: usize| table.part(table.index(nth));
            let mut from = piece.rows.start;
            while from < piece.rows.end {
                let part = part_of(from);
                let mut end = table.end_of_game(from);
                while end < piece.rows.end && part_of(end) == part {
                    end = table.end_of_game(end);
                }
                let rows = from..end.min(piece.rows.end);
                from = rows.end;
                let (count, weight) = (rows.len(), group.weight);
                let run = GroupPiece { table: Arc::clone(table), rows };
                self.0.encode(columns, &Group { pieces: vec![run], rows: count, weight }, encoded)?;
                encoded.parts.push((part, encoded.bytes.len()));
            }
        }
        Ok(())
    }
}

/// Writes encoded rows to the parts to which they belong.
pub(crate) struct PartsWriter<'w> {
    parts: Vec<Part<'w>>,
    left_out: LeftOut,
    failure: Option<WriteError>,
}

/// A part of the output.
struct Part<'w> {
    assemble: Box<dyn Assemble>,
    writer: BufWriter<SharedWriter<'w>>,
    /// The records, if they are written in random order.
    shuffler: Option<Shuffler>,
    /// The rows that are passed to the assembler.
    piece: Encoded,
}

impl<'w> PartsWriter<'w> {
    pub(crate) fn new() -> Self {
        Self { parts: Vec::new(), left_out: LeftOut::default(), failure: None }
    }

    /// Adds a part.
    pub(crate) fn push(&mut self, assemble: Box<dyn Assemble>, writer: SharedWriter<'w>, shuffler: Option<Shuffler>) {
        let writer = BufWriter::with_capacity(1 << 16, writer);
        self.parts.push(Part { assemble, writer, shuffler, piece: Encoded::default() });
    }

    /// Writes the bytes before all rows.
    pub(crate) fn begin(&mut self) {
        let begin = |part: &mut Part<'_>| part.writer.write_all(part.assemble.head());
        self.failure = self.parts.iter_mut().try_for_each(begin).err().map(WriteError::Io);
    }

    /// Takes the rows of the parts.
    fn put(&mut self, encoded: &Encoded) -> Result<(), WriteError> {
        let whole = [(0, encoded.bytes.len())];
        let runs = if encoded.parts.is_empty() { &whole[..] } else { &encoded.parts };
        let mut from = 0;
        for (part, end) in runs {
            if let Some(part) = self.parts.get_mut(usize::from(*part)) {
                part.put(&encoded.bytes[from..*end])?;
            }
            from = *end;
        }
        Ok(())
    }
}

impl Part<'_> {
    fn put(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        match &mut self.shuffler {
            Some(shuffler) => Ok(shuffler.push(bytes)?),
            None => {
                self.piece.bytes.extend_from_slice(bytes);
                self.assemble()
            }
        }
    }

    /// Writes the piece.
    fn assemble(&mut self) -> Result<(), WriteError> {
        let Self { assemble, writer, piece, .. } = self;
        let mut written = Ok(());
        let assembled = assemble.assemble(piece, &mut |bytes| {
            if written.is_ok() {
                written = writer.write_all(bytes);
            }
        });
        piece.bytes.clear();
        written?;
        assembled.map_err(WriteError::Encode)
    }

    /// Writes the records that wait for their place, and the bytes after all rows.
    fn end(mut self) -> Result<(), WriteError> {
        if let Some(shuffler) = self.shuffler.take() {
            shuffler.drain(|record| {
                self.piece.bytes.extend_from_slice(record);
                if self.piece.bytes.len() < PIECE { Ok(()) } else { self.assemble() }
            })?;
            self.assemble()?;
        }
        let end = self.assemble.end().map_err(WriteError::Encode)?;
        self.writer.write_all(&end)?;
        Ok(self.writer.flush()?)
    }
}

impl Take for PartsWriter<'_> {
    fn take(&mut self, encoded: &mut Encoded) -> ControlFlow<()> {
        self.left_out += encoded.left_out;
        if self.failure.is_none() {
            let failure = encoded.failure.take().map(WriteError::Encode);
            self.failure = failure.or_else(|| self.put(encoded).err());
        }
        if self.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn is_full(&self) -> bool {
        self.failure.is_some()
    }

    fn end(self: Box<Self>) -> Result<LeftOut, WriteError> {
        let Self { parts, left_out, failure } = *self;
        if let Some(failure) = failure {
            return Err(failure);
        }
        parts.into_iter().try_for_each(Part::end)?;
        Ok(left_out)
    }
}

/// A job that writes to several files, which are passed to a sink when they are complete.
pub(crate) struct PartFiles<'w, S: GameSink> {
    files: Vec<Shared<S::File>>,
    sink: Shared<S>,
    job: Box<dyn End + 'w>,
}

impl<'w, S: GameSink + 'w> PartFiles<'w, S> {
    /// Creates the files at these paths, and the job that writes to them.
    pub(crate) fn create(
        paths: &[String],
        sink: Shared<S>,
        begin: impl FnOnce(Vec<SharedWriter<'w>>) -> Result<Box<dyn End + 'w>, RowsError>,
    ) -> Result<Self, RowsError> {
        let create = |path: &String| sink.lock().create(Path::new(path)).map(Shared::new);
        let files = paths.iter().map(create).collect::<io::Result<Vec<Shared<S::File>>>>();
        let files = files.map_err(WriteError::Io)?;
        let job = begin(files.iter().map(Shared::writer).collect())?;
        Ok(Self { files, sink, job })
    }
}

impl<'w, S: GameSink + 'w> End for PartFiles<'w, S> {
    fn end(self: Box<Self>) -> Result<LeftOut, WriteError> {
        let Self { files, sink, job } = *self;
        let left_out = job.end()?;
        files.into_iter().try_for_each(|file| sink.lock().complete(file.into_inner()))?;
        Ok(left_out)
    }
}

impl<'w, S: GameSink + 'w> Job for PartFiles<'w, S> {
    job_methods!(job);
}

#[cfg(test)]
mod tests {
    use crate::games::{GameSink, Shares, Split};
    use crate::testing::{Files, games, written};
    use crate::{Format, Rows, ShuffleOptions};

    /// Games of which the first and the last are in one part, and the others in another.
    const GAMES: &str = "1. e4 *\n\n1. d4 *\n\n1. c4 c5 *\n\n1. e4 *\n";

    fn shares() -> Shares {
        match "a=0.5,b=0.5".parse() {
            Ok(Split::Shares(shares)) => shares,
            other => panic!("{other:?}"),
        }
    }

    /// Compares the files of the parts.
    #[track_caller]
    fn check(rows: &Rows, expected: [&str; 2]) {
        let names = "x/{part}.txt".parse().unwrap();
        let writing = rows.begin_parts(&shares(), &names, Files::default()).unwrap();
        let (files, _) = writing.read_all_of(games(GAMES)).unwrap();
        assert_eq!(files.texts(), [("x/a.txt", expected[0]), ("x/b.txt", expected[1])]);
    }

    #[test]
    fn all_rows_of_a_game_are_in_one_part() {
        let rows = Rows::columns("game,ply,san").unwrap().format(Format::Csv);
        check(
            &rows,
            ["game,ply,san\n2,0,\n2,1,d4\n3,0,\n3,1,c4\n3,2,c5\n", "game,ply,san\n1,0,\n1,1,e4\n4,0,\n4,1,e4\n"],
        );
        // Rows that were left out are in no part.
        check(&rows.clone().unique(true), ["game,ply,san\n2,1,d4\n3,1,c4\n3,2,c5\n", "game,ply,san\n1,0,\n1,1,e4\n"]);
        check(&rows.clone().plies("2").unwrap(), ["game,ply,san\n3,2,c5\n", "game,ply,san\n"]);
        let fens = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
        check(&Rows::new().plies("0").unwrap(), [&fens.repeat(2), &fens.repeat(2)]);
    }

    #[test]
    fn what_cannot_be_divided_is_refused() {
        let error = |rows: &Rows, names: &str| {
            let begun = rows.begin_parts(&shares(), &names.parse().unwrap(), Files::default());
            begun.map(|_| ()).unwrap_err().to_string()
        };
        assert!(error(&Rows::new().format(Format::Html), "{part}").starts_with("the format html cannot be shuffled"));
        assert!(error(&Rows::new(), "all.txt").starts_with("the parts of a split need different names"));
        assert_eq!(
            error(&Rows::new(), "{White}{part}"),
            "{White} names files of games; files of positions have only {part}"
        );
    }

    #[test]
    fn records_are_written_in_a_random_order() {
        let shuffled = |rows: Rows, seed: u64, memory: usize| {
            let options = ShuffleOptions { seed, memory, ..ShuffleOptions::default() };
            written(&rows.shuffle(options), &GAMES.repeat(50)).0
        };
        let sorted = |text: &str| {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            lines.sort_unstable();
            lines
        };
        for rows in [Rows::new(), Rows::columns("game,ply,san").unwrap().format(Format::Csv)] {
            let (in_order, _) = written(&rows, &GAMES.repeat(50));
            let one = shuffled(rows.clone(), 1, usize::MAX);
            assert!(one != in_order && sorted(&one) == sorted(&in_order));
            assert_eq!(one, shuffled(rows.clone(), 1, 0));
            assert!(one != shuffled(rows, 2, usize::MAX));
        }
        let few = Rows::columns("game,san").unwrap().plies("1").unwrap().format(Format::Csv);
        let (text, _) = written(&few.shuffle(ShuffleOptions { seed: 1, ..ShuffleOptions::default() }), GAMES);
        assert_eq!(text.lines().next(), Some("game,san"));
        assert_eq!(sorted(&text), ["1,e4", "2,d4", "3,c4", "4,e4", "game,san"]);
    }

    #[test]
    fn the_records_of_each_part_are_shuffled() {
        let rows = Rows::columns("game,ply").unwrap().format(Format::Csv);
        let options = ShuffleOptions { seed: 3, ..ShuffleOptions::default() };
        let names = "{part}.csv".parse().unwrap();
        let writing = rows.shuffle(options).begin_parts(&shares(), &names, Files::default()).unwrap();
        let (files, _) = writing.read_all_of(games(&GAMES.repeat(9))).unwrap();
        let sorted = |part: usize| {
            let mut lines: Vec<&str> = files.texts()[part].1.lines().skip(1).collect();
            let in_order = lines.clone();
            lines.sort_by_key(|line| line.split(',').map(|number| number.parse::<u32>().unwrap()).collect::<Vec<_>>());
            (lines.len(), lines != in_order, lines[0], lines[lines.len() - 1])
        };
        assert_eq!((sorted(0), sorted(1)), ((45, true, "2,0", "35,2"), (36, true, "1,0", "36,1")));
    }

    #[test]
    fn a_part_that_cannot_be_written_ends_the_run() {
        use std::io::{self, Write};
        use std::path::Path;

        #[derive(Debug)]
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::Error::other("the disk is full"))
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        #[derive(Debug)]
        struct Sink;
        impl GameSink for Sink {
            type File = Full;
            fn create(&mut self, _: &Path) -> io::Result<Full> {
                Ok(Full)
            }
            fn complete(&mut self, _: Full) -> io::Result<()> {
                panic!("the file is not complete");
            }
        }
        let names = "{part}.txt".parse().unwrap();
        let rows = Rows::columns("fen").unwrap();
        for text in [GAMES.to_owned(), GAMES.repeat(2000)] {
            let writing = rows.begin_parts(&shares(), &names, Sink).unwrap();
            let error = writing.read_all_of(games(&text)).unwrap_err().to_string();
            assert!(error.contains("the disk is full"), "{error}");
        }
    }
}
