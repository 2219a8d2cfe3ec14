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

#[cfg(test)]
mod tests {
    use std::io;
    use std::path::Path;

    use crate::starts::{Kind, Starts};
    use crate::testing::{Files, games};
    use crate::{BoardOptions, FileNames, PictureFormat, PictureSink, Rows, RowsError};
    use pgn2fen_board::Board;
    use pgn2fen_chess::testing::position;
    use pgn2fen_games::walk::Totals;

    const GAMES: &str = "[White \"Tal\"]\n\n1. e4 *\n\n[White \"tal\"]\n\n1. d4 *\n";

    fn drawn(rows: &Rows, names: &str, text: &str) -> Result<(Files, Totals), RowsError> {
        let names = FileNames::of_positions(names, PictureFormat::Svg).unwrap();
        rows.begin_pictures(PictureFormat::Svg, names, Files::default()).read_all_of(games(text))
    }

    #[track_caller]
    fn check(rows: &Rows, names: &str, expected: &[&str]) {
        let (files, _) = drawn(rows, names, GAMES).unwrap();
        let paths: Vec<&str> = files.texts().into_iter().map(|(path, _)| path).collect();
        assert_eq!(paths, expected);
    }

    #[test]
    fn each_picture_has_a_name_of_its_own() {
        check(&Rows::new(), "a/{number}.svg", &["a/1.svg", "a/2.svg", "a/3.svg", "a/4.svg"]);
        check(&Rows::new(), "{White} {ply}.svg", &["Tal 0.svg", "Tal 1.svg", "tal 0-2.svg", "tal 1-2.svg"]);
        check(&Rows::new().plies("1").unwrap(), "{san}-{turn}.svg", &["e4-b.svg", "d4-b.svg"]);
        check(&Rows::new().plies("7").unwrap(), "{number}.svg", &[]);
        check(&Rows::new().plies("7").unwrap(), "one.svg", &[]);
    }

    #[test]
    fn one_picture_needs_no_placeholder() {
        let first = Rows::new().max_games(1).plies("0").unwrap();
        let (files, _) = drawn(&first, "one.svg", GAMES).unwrap();
        let initial = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert_eq!(files.texts(), [("one.svg", &*Board::of(&initial).to_svg())]);
        let error = drawn(&Rows::new(), "one.svg", GAMES).unwrap_err().to_string();
        assert!(error.contains("the name one.svg has no placeholder; use a name such as one-{number}.svg"), "{error}");
    }

    #[test]
    fn pictures_beyond_the_limit_are_counted() {
        let boards = BoardOptions { max_boards: Some(3), ..BoardOptions::default() };
        let (files, totals) = drawn(&Rows::new().boards(boards), "{number}.svg", GAMES).unwrap();
        assert_eq!((files.texts().len(), totals.left_out.boards), (3, 1));
    }

    #[test]
    fn starting_positions_are_drawn_if_they_are_usable() {
        let text = "[FEN \"x\"]\n\n*\n\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n";
        let names = FileNames::of_starts("{kind}-{number}.svg", PictureFormat::Svg).unwrap();
        let starts = Starts::lines().kinds(Kind::ALL);
        let drawing = starts.begin_pictures(PictureFormat::Svg, names, Files::default());
        let (files, _) = drawing.read_all_of(games(text)).unwrap();
        let board = Board::of(&position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"));
        assert_eq!(files.texts(), [("position-1.svg", &*board.to_svg())]);
    }

    #[test]
    fn a_picture_that_cannot_be_stored_ends_the_run() {
        #[derive(Debug)]
        struct Full;
        impl PictureSink for Full {
            fn put(&mut self, _: &Path, _: &[u8]) -> io::Result<()> {
                Err(io::Error::other("the disk is full"))
            }
        }
        for name in ["{number}.svg", "one.svg"] {
            let names = FileNames::of_positions(name, PictureFormat::Svg).unwrap();
            let drawing = Rows::new().begin_pictures(PictureFormat::Svg, names, Full);
            let error = drawing.read_all_of(games("*")).unwrap_err().to_string();
            assert!(error.contains("the disk is full"), "{error}");
        }
    }
}
