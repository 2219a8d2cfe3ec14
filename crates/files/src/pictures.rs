//! Picture files, each of which appears when it is complete.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::compress::Compression;
use crate::error::OutputError;
use crate::find::Found;
use crate::folders::Folders;
use crate::output::OutputFile;
use pgn2fen_games::messages::shown;
use pgn2fen_rows::PictureSink;

/// Files for pictures. Each file appears, or replaces an older file, when it is complete. Folders are created if they
/// are missing. An input file is not replaced.
///
/// Files are not flushed to the disk one by one, which would take longer than drawing them. After a power failure, the
/// last ones may be missing or empty.
///
/// ```
/// use pgn2fen_games::database::Database;
/// use pgn2fen_files::PictureFiles;
/// use pgn2fen_rows::{FileNames, PictureFormat, Rows};
///
/// # let folder = tempfile::tempdir()?;
/// # let template = folder.path().join("boards/{game}-{ply}.svg");
/// # let template = template.to_str().expect("the path is UTF-8");
/// let names = FileNames::of_positions(template, PictureFormat::Svg)?;
/// let drawing = Rows::new().begin_pictures(PictureFormat::Svg, names, PictureFiles::new(&[]));
/// let (files, _) = drawing.read_all_of([Database::from(b"1. e4 e5 *".to_vec())])?;
/// assert_eq!(files.written(), 3);
/// # assert!(folder.path().join("boards/1-2.svg").exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PictureFiles {
    folders: Folders,
    written: Arc<AtomicU64>,
}

impl PictureFiles {
    /// Creates a sink that writes pictures to files and does not replace these input files.
    pub fn new(inputs: &[Found]) -> Self {
        Self { folders: Folders::new(inputs), written: Arc::default() }
    }

    /// Returns the number of files that are complete.
    pub fn written(&self) -> u64 {
        self.written.load(Ordering::Relaxed)
    }

    /// Returns a counter of the files that are complete, which is up to date while the files are written and
    /// afterwards.
    pub fn counter(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.written)
    }

    fn write(&mut self, path: &Path, picture: &[u8]) -> Result<(), OutputError> {
        let failed = |error| OutputError::Write { name: shown(path), error };
        self.folders.prepare(path)?;
        let mut file = OutputFile::create_one_of_many(path, Compression::None)?;
        file.write_all(picture).map_err(failed)?;
        file.finish_unsynced()
    }
}

impl PictureSink for PictureFiles {
    fn put(&mut self, path: &Path, picture: &[u8]) -> io::Result<()> {
        self.write(path, picture).map_err(|error| {
            let kind = error.io().map_or(io::ErrorKind::AlreadyExists, io::Error::kind);
            io::Error::new(kind, error)
        })?;
        self.written.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::PictureFiles;
    use crate::find::find;
    use pgn2fen_rows::PictureSink;

    #[test]
    fn folders_are_created_and_older_files_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/c.svg");
        let mut files = PictureFiles::new(&[]);
        files.put(&path, b"old").unwrap();
        files.put(&path, b"new").unwrap();
        assert_eq!((fs::read(&path).unwrap(), files.written()), (b"new".to_vec(), 2));
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "no temporary file is left");
    }

    #[test]
    fn an_input_is_not_replaced_and_errors_name_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("games.svg");
        fs::write(&input, "1. e4 *").unwrap();
        let mut files = PictureFiles::new(&find([&input], false));
        let said = |files: &mut PictureFiles, path: &Path| files.put(path, b"x").unwrap_err().to_string();
        assert!(said(&mut files, &input).ends_with("games.svg is both input and output"));
        assert!(said(&mut files, &input.join("a.svg")).starts_with("cannot write "));
        assert_eq!((fs::read(&input).unwrap(), files.written()), (b"1. e4 *".to_vec(), 0));
    }
}
