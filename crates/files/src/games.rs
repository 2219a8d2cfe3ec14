//! Files of games, all of which appear at the end.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use crate::compress::Compression;
use crate::error::OutputError;
use crate::find::Found;
use crate::folders::Folders;
use crate::group::FileGroup;
use crate::output::OutputFile;
use pgn2fen_games::messages::shown;
use pgn2fen_rows::games::GameSink;

/// Several files of games, compressed if necessary. All of them appear, or replace older files, when they are
/// [finished](Self::finish); until then they are temporary files. Folders are created if they are missing. An input
/// file is not replaced.
///
/// ```
/// use pgn2fen_games::database::Database;
/// use pgn2fen_files::{Compression, GameFiles};
/// use pgn2fen_rows::games::Copies;
///
/// # let folder = tempfile::tempdir()?;
/// # let template = folder.path().join("games-{part}.pgn");
/// # let template = template.to_str().expect("the path is UTF-8");
/// let games = Database::from(b"1. e4 *\n\n1. d4 *\n\n1. c4 *\n\n".to_vec());
/// let files = GameFiles::new(&[], Compression::None);
/// let writing = Copies::new().split("2".parse()?).begin_files(template.parse()?, files)?;
/// let (files, _) = writing.read_all_of([games])?;
/// assert_eq!(files.finish()?, 2);
/// # assert!(folder.path().join("games-2.pgn").exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The positions of a database in two files, which have no game in common:
///
/// ```
/// use pgn2fen_files::{Compression, GameFiles};
/// use pgn2fen_games::database::Database;
/// use pgn2fen_rows::Rows;
/// use pgn2fen_rows::games::Split;
///
/// # let folder = tempfile::tempdir()?;
/// # let template = folder.path().join("{part}.fen");
/// # let template = template.to_str().expect("the path is UTF-8");
/// let Split::Shares(shares) = "train=0.9,test=0.1".parse()? else { panic!("these are shares") };
/// let games = Database::from(b"1. e4 *\n\n1. d4 *\n\n1. c4 *\n\n".to_vec());
/// let files = GameFiles::new(&[], Compression::None);
/// let (files, _) = Rows::new().begin_parts(&shares, &template.parse()?, files)?.read_all_of([games])?;
/// assert_eq!(files.finish()?, 2);
/// # assert!(folder.path().join("train.fen").exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GameFiles {
    folders: Folders,
    compression: Compression,
    complete: FileGroup,
    /// The paths of all files.
    paths: HashSet<PathBuf>,
}

impl GameFiles {
    /// Creates a sink that writes files with this compression and does not replace these input files.
    pub fn new(inputs: &[Found], compression: Compression) -> Self {
        Self { folders: Folders::new(inputs), compression, complete: FileGroup::new(), paths: HashSet::new() }
    }

    /// Gives all files their names. Returns their number.
    ///
    /// # Errors
    ///
    /// The errors of [`FileGroup::finish`].
    pub fn finish(self) -> Result<usize, OutputError> {
        self.complete.finish()
    }

    /// Returns the files, which are complete, so that others can get their names together with them.
    pub fn into_group(self) -> FileGroup {
        self.complete
    }

    fn create(&mut self, path: &Path) -> Result<OutputFile, OutputError> {
        self.folders.prepare(path)?;
        if !self.paths.insert(path.to_owned()) {
            return Err(OutputError::Twice { name: shown(path) });
        }
        OutputFile::create_one_of_many(path, self.compression)
    }
}

impl GameSink for GameFiles {
    type File = OutputFile;

    fn create(&mut self, path: &Path) -> io::Result<OutputFile> {
        Self::create(self, path).map_err(io_error)
    }

    fn complete(&mut self, file: OutputFile) -> io::Result<()> {
        self.complete.add(file).map_err(io_error)
    }
}

fn io_error(error: OutputError) -> io::Error {
    let kind = error.io().map_or(io::ErrorKind::AlreadyExists, io::Error::kind);
    io::Error::new(kind, error)
}
