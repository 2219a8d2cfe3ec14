//! The output of a job that draws pictures.

use std::fmt;
use std::ops::ControlFlow;
use std::path::Path;

use crate::boards::BoardOptions;
use crate::collect::Collector;
use crate::column::{Column, Columns};
use crate::encode::Encode;
use crate::encoded::{Encoded, EncodedRows};
use crate::encoder::Encoder;
use crate::error::WriteError;
use crate::pictures::encode::Pictures;
use crate::pictures::format::PictureFormat;
use crate::pictures::names::{FileNames, NameError};
use crate::pictures::naming::Naming;
use crate::pictures::picture::Picture;
use crate::pictures::sink::PictureSink;
use crate::writing::Close;
use pgn2fen_games::walk::LeftOut;
use pgn2fen_games::walk::{BlockPosition, Deliver, Output};

/// Draws the position of each row, and gives the pictures to a sink.
pub(crate) struct Album<S> {
    collector: Collector,
    encoder: Encoder,
    mount: Mount<S>,
}

/// Names pictures in order and gives them to a sink.
struct Mount<S> {
    names: FileNames,
    naming: Naming,
    sink: S,
    /// The number of pictures so far.
    pictures: u64,
    /// The first picture, if its name has no placeholder. It is complete only if no second one follows.
    only: Option<Picture>,
    left_out: LeftOut,
    failure: Option<WriteError>,
}

impl<S> fmt::Debug for Album<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Album").field("names", &self.mount.names).finish_non_exhaustive()
    }
}

impl<S: PictureSink> Album<S> {
    /// Begins to draw pictures with these names.
    pub(crate) fn begin(format: PictureFormat, names: FileNames, boards: &BoardOptions, sink: S) -> Self {
        // The columns of the names come first, then those that the board is drawn from.
        let drawn = [Column::Fen, Column::Uci, Column::San];
        let columns = Columns::new(names.columns().iter().cloned().chain(drawn));
        let encode = Pictures { format, names: names.clone(), boards: boards.clone() };
        Self {
            collector: Collector::new(&columns, encode.division()).limited(boards.max_boards),
            encoder: Encoder { columns, format: Box::new(encode) },
            mount: Mount {
                names,
                naming: Naming::default(),
                sink,
                pictures: 0,
                only: None,
                left_out: LeftOut::default(),
                failure: None,
            },
        }
    }

    /// Returns the columns of the rows that the pictures are drawn from.
    pub(crate) fn columns(&self) -> &Columns {
        &self.encoder.columns
    }

    /// Keeps all rows in memory until the number of games for each row is known. Memory grows with the number of rows.
    #[must_use]
    pub(crate) fn held(self) -> Self {
        Self { collector: self.collector.held(), ..self }
    }
}

impl<S: PictureSink> Mount<S> {
    fn take(&mut self, encoded: &mut Encoded) -> ControlFlow<()> {
        self.left_out += encoded.left_out;
        let pictures = encoded.pictures.drain(..).try_for_each(|picture| self.put(picture));
        let failure = encoded.failure.take().map(WriteError::Encode);
        if let Err(error) = pictures.and_then(|()| failure.map_or(Ok(()), Err)) {
            self.failure.get_or_insert(error);
        }
        if self.failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn put(&mut self, picture: Picture) -> Result<(), WriteError> {
        self.pictures += 1;
        if !self.names.has_placeholder() {
            if self.pictures > 1 {
                self.only = None;
                return Err(WriteError::Names(NameError::Several { name: self.names.template().to_owned() }));
            }
            self.only = Some(picture);
            return Ok(());
        }
        let path = self.names.path(&picture.name, self.pictures);
        let path = self.naming.unique(path);
        self.sink.put(Path::new(&path), &picture.bytes).map_err(WriteError::Io)
    }

    fn end(mut self) -> Result<(S, LeftOut), WriteError> {
        if let Some(error) = self.failure {
            return Err(error);
        }
        if let Some(picture) = self.only.take() {
            let path = self.names.path(&picture.name, self.pictures);
            self.sink.put(Path::new(&path), &picture.bytes).map_err(WriteError::Io)?;
        }
        Ok((self.sink, self.left_out))
    }
}

impl<S: PictureSink> Close for Album<S> {
    type Writer = S;

    fn close(self, counts: &[u64]) -> Result<(S, LeftOut), WriteError> {
        let Self { mut collector, encoder, mut mount } = self;
        collector.count(counts);
        let mut groups = Vec::new();
        collector.end(&mut groups);
        // The mount keeps an error.
        let _ = encoder.deliver(&mut EncodedRows { groups, ..EncodedRows::default() }, |encoded| mount.take(encoded));
        mount.end()
    }
}

impl<S: PictureSink> Output<EncodedRows> for Album<S> {
    fn begin_file(&mut self, path: &Path) {
        self.collector.begin_file(&path.display().to_string());
    }

    fn stages(
        &mut self,
    ) -> (
        impl FnMut(&mut EncodedRows, &BlockPosition<'_>) + Send, // In order.
        impl Fn(&mut EncodedRows) + Sync,
        impl Deliver<EncodedRows>,
    ) {
        let Self { collector, encoder, mount } = self;
        let collect = |made: &mut EncodedRows, stretch: &BlockPosition<'_>| collector.collect(made, stretch);
        let encode = |made: &mut EncodedRows| encoder.encode(made);
        let deliver = |made: &mut EncodedRows| encoder.deliver(made, |encoded| mount.take(encoded));
        (collect, encode, deliver)
    }

    fn is_full(&self) -> bool {
        self.mount.failure.is_some()
    }
}
