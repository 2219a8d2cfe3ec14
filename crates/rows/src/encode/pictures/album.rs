//! The output of a job that draws pictures.

use std::ops::ControlFlow;
use std::path::Path;

use crate::columns::Columns;
use crate::columns::column::Column;
use crate::encode::boards::BoardOptions;
use crate::encode::encoded::Encoded;
use crate::encode::pictures::encode::Pictures;
use crate::encode::pictures::format::PictureFormat;
use crate::encode::pictures::names::{FileNames, NameError};
use crate::encode::pictures::naming::Naming;
use crate::encode::pictures::picture::Picture;
use crate::encode::pictures::sink::PictureSink;
use crate::error::WriteError;
use crate::jobs::output::RowOutput;
use crate::jobs::shared::Shared;
use crate::jobs::take::Take;
use pgn2fen_games::walk::LeftOut;

/// Names pictures in order and gives them to a sink.
struct Mount<S> {
    names: FileNames,
    naming: Naming,
    sink: Shared<S>,
    /// The number of pictures so far.
    pictures: u64,
    /// The first picture, if its name has no placeholder. It is complete only if no second one follows.
    only: Option<Picture>,
    left_out: LeftOut,
    failure: Option<WriteError>,
}

/// What has a row.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DrawnFrom {
    Positions,
    Starts,
}

/// Begins to draw the position of each row, and to give the pictures to a sink.
pub(crate) fn album<'w, S: PictureSink + 'w>(
    format: PictureFormat,
    names: FileNames,
    (boards, drawn): (&BoardOptions, DrawnFrom),
    sink: Shared<S>,
) -> RowOutput<'w> {
    // The columns of the names come first, then those that the board is drawn from.
    let columns = match drawn {
        DrawnFrom::Positions => boards.with_drawn(names.columns(), None),
        DrawnFrom::Starts => Columns::new(names.columns().iter().cloned().chain([
            Column::Fen,
            Column::Uci,
            Column::San,
            Column::Variant,
        ])),
    };
    let encode = Box::new(Pictures { format, names: names.clone(), boards: boards.clone() });
    let (naming, left_out) = (Naming::default(), LeftOut::default());
    let mount = Mount { names, naming, sink, pictures: 0, only: None, left_out, failure: None };
    RowOutput::new(columns, encode, None, boards.max_boards, mount)
}

impl<S: PictureSink> Mount<S> {
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
        self.sink.lock().put(Path::new(&path), &picture.bytes).map_err(WriteError::Io)
    }
}

impl<S: PictureSink> Take for Mount<S> {
    fn take(&mut self, encoded: &mut Encoded) -> ControlFlow<()> {
        self.left_out += encoded.left_out;
        let pictures = encoded.pictures.drain(..).try_for_each(|picture| self.put(picture));
        let failure = encoded.failure.take().map(WriteError::Encode);
        if let Err(error) = pictures.and_then(|()| failure.map_or(Ok(()), Err)) {
            self.failure.get_or_insert(error);
        }
        if self.failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn is_full(&self) -> bool {
        self.failure.is_some()
    }

    fn end(self: Box<Self>) -> Result<LeftOut, WriteError> {
        if let Some(error) = self.failure {
            return Err(error);
        }
        if let Some(picture) = &self.only {
            let path = self.names.path(&picture.name, self.pictures);
            self.sink.lock().put(Path::new(&path), &picture.bytes).map_err(WriteError::Io)?;
        }
        Ok(self.left_out)
    }
}
