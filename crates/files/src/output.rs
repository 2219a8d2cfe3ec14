//! An output file that appears when it is complete.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use crate::abandoned::remove_abandoned;
use crate::compress::{Compression, Compressor};
use crate::error::OutputError;
use crate::find::{Found, on_disk};
use crate::sync::{sync_folder, unless_unsupported};
use crate::unfinished::Unfinished;
use pgn2fen_games::database::remote;
use pgn2fen_games::messages::shown;

/// An output file, compressed if necessary. It appears, or replaces an older file, when it is [finished](Self::finish);
/// until then the bytes are in a temporary file beside it. If it is dropped before that, the temporary file is removed.
///
/// A device or a named pipe is written directly.
///
/// ```
/// use std::io::Write;
///
/// use pgn2fen_files::{Compression, OutputFile};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("positions.fen");
/// let mut output = OutputFile::create(&path, Compression::None)?;
/// output.write_all(b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n")?;
/// assert!(!path.exists());
/// output.finish()?;
/// assert!(path.exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct OutputFile(Compressor<Target>);

#[derive(Debug)]
enum Target {
    /// A device or named pipe, which cannot be replaced by renaming.
    Special(File),
    /// A temporary file beside the target, which gets the name of the target when it is complete.
    Beside { file: File, unfinished: Unfinished, target: PathBuf },
}

impl OutputFile {
    /// Creates the temporary file for an output file. If the path is a symbolic link, the output replaces, or becomes,
    /// the file that it leads to. A file that is replaced passes on its permissions, and its owner if the process may
    /// set it. It keeps its other names (hard links), under which it stays as it was.
    ///
    /// Temporary files that killed processes have left in the folder are removed.
    ///
    /// # Errors
    ///
    /// The path is a folder, or a file cannot be created beside it.
    pub fn create(path: impl AsRef<Path>, compression: Compression) -> Result<Self, OutputError> {
        let output = Self::create_one_of_many(path, compression)?;
        if let Target::Beside { target, .. } = output.0.inner() {
            remove_abandoned(folder_of(target));
        }
        Ok(output)
    }

    /// Creates the temporary file for an output file in a folder that was searched for abandoned files before.
    pub(super) fn create_one_of_many(path: impl AsRef<Path>, compression: Compression) -> Result<Self, OutputError> {
        let target = Target::create(path.as_ref())?;
        let name = target.name();
        Compressor::new(compression, target).map(Self).map_err(|error| OutputError::Write { name, error })
    }

    /// Completes the output and writes it to the disk. The file appears.
    ///
    /// # Errors
    ///
    /// The rest cannot be written, or the file cannot be renamed. The temporary file is removed.
    pub fn finish(self) -> Result<(), OutputError> {
        self.complete()?.finish()
    }

    /// Completes the output without waiting until it is on the disk. The file appears.
    pub(super) fn finish_unsynced(self) -> Result<(), OutputError> {
        self.complete()?.rename()
    }

    /// Completes the output without giving the file its name yet. None for a device or a named pipe.
    pub(super) fn close(self) -> Result<Option<ClosedFile>, OutputError> {
        match self.complete()? {
            Target::Special(_) => Ok(None),
            Target::Beside { file, unfinished, target } => Ok(Some(ClosedFile { file, unfinished, target })),
        }
    }

    /// Writes the rest of compressed data.
    fn complete(self) -> Result<Target, OutputError> {
        let name = self.name();
        self.0.finish().map_err(|error| OutputError::Write { name, error })
    }

    /// Returns the name of the output for messages.
    pub fn name(&self) -> String {
        self.0.inner().name()
    }

    /// Whether the output is a terminal.
    pub fn is_terminal(&self) -> bool {
        matches!(self.0.inner(), Target::Special(file) if file.is_terminal())
    }

    /// Whether the file appears when it is finished. False for a device or a named pipe.
    pub fn appears_when_finished(&self) -> bool {
        matches!(self.0.inner(), Target::Beside { .. })
    }
}

/// Refuses to write to an address.
pub(super) fn refuse_address(path: &Path) -> Result<(), OutputError> {
    if remote::address(path).is_none() {
        return Ok(());
    }
    let reason = "is an address, and outputs are local files; write a file and copy it there";
    let error = io::Error::new(io::ErrorKind::Unsupported, reason);
    Err(OutputError::Write { name: shown(path), error })
}

/// An output file that is complete and has no name yet.
#[derive(Debug)]
pub(super) struct ClosedFile {
    pub(super) file: File,
    pub(super) unfinished: Unfinished,
    pub(super) target: PathBuf,
}

impl fmt::Debug for OutputFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OutputFile").field(self.0.inner()).finish()
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Target {
    fn create(path: &Path) -> Result<Self, OutputError> {
        refuse_address(path)?;
        let failed = |error| OutputError::Write { name: shown(path), error };
        let target = real_target(path).map_err(failed)?;
        let mut replaced = None;
        match fs::metadata(&target) {
            Ok(metadata) if metadata.is_dir() => {
                return Err(failed(io::Error::new(io::ErrorKind::IsADirectory, "is a directory")));
            }
            Ok(metadata) if metadata.is_file() => replaced = Some(metadata),
            Ok(_) => {
                return File::options().write(true).open(&target).map(Self::Special).map_err(failed);
            }
            // A device of Windows, such as NUL, has no metadata, but it can be opened.
            Err(error) if cfg!(windows) && error.kind() != io::ErrorKind::NotFound => {
                if let Ok(file) = File::options().write(true).open(path) {
                    return Ok(Self::Special(file));
                }
            }
            _ => {}
        }
        let (file, unfinished) = Unfinished::create(folder_of(&target), replaced.as_ref())
            .map_err(|error| OutputError::Write { name: shown(&target), error })?;
        Ok(Self::Beside { file, unfinished, target })
    }

    fn finish(self) -> Result<(), OutputError> {
        let Self::Beside { file, unfinished, target } = self else {
            return Ok(());
        };
        // The data is on the disk before the file is renamed. After a power failure, the target is the old file or the
        // complete new one.
        unless_unsupported(file.sync_all())
            .and_then(|()| unfinished.persist(&target))
            .map_err(|error| OutputError::Write { name: shown(&target), error })?;
        sync_folder(folder_of(&target)).map_err(|error| OutputError::NotSynced { name: shown(&target), error })
    }

    fn rename(self) -> Result<(), OutputError> {
        let Self::Beside { unfinished, target, .. } = self else {
            return Ok(());
        };
        unfinished.persist(&target).map_err(|error| OutputError::Write { name: shown(&target), error })
    }

    fn name(&self) -> String {
        match self {
            Self::Special(_) => "the output".to_owned(),
            Self::Beside { target, .. } => shown(target),
        }
    }

    fn file(&mut self) -> &mut File {
        match self {
            Self::Special(file) | Self::Beside { file, .. } => file,
        }
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file().write(bytes)
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file().write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file().flush()
    }
}

/// Returns the path to which a symbolic link leads, so that the file there is replaced, or created, and not the link.
fn real_target(path: &Path) -> io::Result<PathBuf> {
    if path.exists() {
        // A pipe, such as /dev/stdout, has no real path.
        return Ok(fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()));
    }
    let mut target = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&target) {
            Ok(next) => target = folder_of(&target).join(next),
            Err(_) => return Ok(target),
        }
    }
    Err(io::Error::other("too many symbolic links lead from one to the next"))
}

/// The number of symbolic links that are followed, which is that of Linux.
const MOST_LINKS: usize = 40;

/// Refuses an output file that is also an input file, or an archive with one.
///
/// # Errors
///
/// [`OutputError::IsInput`] with the name of the input file.
pub fn refuse_to_replace(inputs: &[Found], output: &Path) -> Result<(), OutputError> {
    let real = |path: &Path| path.canonicalize().ok();
    let Some(output) = real(output).filter(|output| output.is_file()) else {
        return Ok(());
    };
    match inputs.iter().map(|(file, _)| on_disk(file)).find(|file| real(file).as_ref() == Some(&output)) {
        Some(file) => Err(OutputError::IsInput { name: shown(file) }),
        None => Ok(()),
    }
}

/// Returns the folder of a file.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use std::error::Error;
    use std::fs;
    use std::io::Write;
    use std::path::Path;

    use super::{OutputFile, refuse_to_replace};
    use crate::compress::Compression;
    use crate::error::OutputError;
    use crate::find::find;
    use pgn2fen_games::database::Database;

    /// Returns the names of the visible files in a folder, and the number of hidden ones.
    fn files(folder: &Path) -> (Vec<String>, usize) {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let (hidden, mut seen): (Vec<_>, Vec<_>) = names.partition(|name| name.starts_with('.'));
        seen.sort();
        (seen, hidden.len())
    }

    #[test]
    fn several_outputs_appear_when_they_are_finished_and_not_when_they_are_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let [mut a, mut b, mut c] = ["a", "b", "c"]
            .map(|name| OutputFile::create(folder.path().join(name), Compression::None).expect("the folder is there"));
        for output in [&mut a, &mut b, &mut c] {
            output.write_all(b"1. e4 *").unwrap();
        }
        assert_eq!(files(folder.path()), (vec![], 3));
        b.finish().unwrap();
        assert_eq!(files(folder.path()), (vec!["b".to_owned()], 2));
        drop(a);
        assert_eq!(files(folder.path()), (vec!["b".to_owned()], 1));
        c.finish().unwrap();
        assert_eq!(files(folder.path()), (vec!["b".to_owned(), "c".to_owned()], 0));
    }

    #[test]
    fn an_error_names_the_output_and_not_its_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("file"), "").unwrap();
        for (name, reason) in [("none/a.fen", "there is no folder "), ("file/a.fen", "")] {
            let path = folder.path().join(name);
            let error = OutputFile::create(&path, Compression::None).unwrap_err();
            assert_eq!(error.to_string(), format!("cannot write {}", path.display()));
            let source = error.source().unwrap().to_string();
            assert!(source.starts_with(reason) && !source.contains(".pgn2fen"), "{source}");
        }
    }

    #[test]
    fn compressed_files_are_read_back() {
        let folder = tempfile::tempdir().unwrap();
        for compression in [Compression::None, Compression::Zstd, Compression::Gzip, Compression::Bzip2] {
            let path = folder.path().join("games.pgn");
            let mut output = OutputFile::create(&path, compression).unwrap();
            output.write_all(b"1. e4 *\n1. d4 *\n").unwrap();
            output.finish().unwrap();
            assert_eq!(Database::open(&path).unwrap().games().count(), 2, "{compression:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_and_what_it_leads_to_is_written() {
        use std::os::unix::fs::symlink;

        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("deep")).unwrap();
        symlink("deep/second", at("first")).unwrap();
        symlink(at("real"), at("deep/second")).unwrap();
        // At first it leads to no file.
        for text in ["1. e4 *", "1. d4 *"] {
            write(&at("first"), text);
            assert_eq!(fs::read_to_string(at("real")).unwrap(), text);
        }
        assert!(at("first").is_symlink() && at("deep/second").is_symlink());
        symlink("round", at("round")).unwrap();
        symlink("none/x.fen", at("lost")).unwrap();
        let said = |name: &str| OutputFile::create(at(name), Compression::None).unwrap_err();
        assert_eq!(said("round").io().unwrap().to_string(), "too many symbolic links lead from one to the next");
        assert!(said("lost").to_string().ends_with("none/x.fen"));
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_is_replaced_passes_on_its_permissions() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.fen");
        for mode in [0o600, 0o640, 0o664, 0o777, 0o444] {
            fs::write(&path, "old").or_else(|_| fs::remove_file(&path).and_then(|()| fs::write(&path, "old"))).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            let mut output = OutputFile::create(&path, Compression::None).unwrap();
            output.write_all(b"new").unwrap();
            for entry in fs::read_dir(folder.path()).unwrap() {
                assert_eq!(entry.unwrap().metadata().unwrap().mode() & 0o777, mode, "while it is written");
            }
            output.finish().unwrap();
            assert_eq!(
                (fs::read(&path).unwrap(), fs::metadata(&path).unwrap().mode() & 0o777),
                (b"new".to_vec(), mode)
            );
        }
        // A new file has those of any new file.
        let new = folder.path().join("new.fen");
        write(&new, "x");
        fs::write(folder.path().join("usual"), "x").unwrap();
        let mode = |name: &str| fs::metadata(folder.path().join(name)).unwrap().mode();
        assert_eq!(mode("new.fen"), mode("usual"));
    }

    #[track_caller]
    fn write(path: &Path, text: &str) {
        let mut output = OutputFile::create(path, Compression::None).unwrap();
        output.write_all(text.as_bytes()).unwrap();
        output.finish().unwrap();
    }

    #[test]
    fn an_output_that_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let error = OutputFile::create(folder.path(), Compression::None).unwrap_err();
        assert_eq!(error.to_string(), format!("cannot write {}", folder.path().display()));
        assert_eq!(error.io().unwrap().to_string(), "is a directory");
        assert!(OutputFile::create(folder.path().join("none/a.fen"), Compression::None).is_err());
        assert_eq!(files(folder.path()), (vec![], 0));
    }

    #[test]
    fn an_input_is_not_replaced_under_any_of_its_names() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pgn");
        fs::write(&path, "1. e4 *").unwrap();
        let inputs = find([&path], false);
        let other_name = folder.path().join(".").join("a.pgn");
        assert!(matches!(refuse_to_replace(&inputs, &other_name), Err(OutputError::IsInput { .. })));
        assert!(refuse_to_replace(&inputs, &folder.path().join("b.pgn")).is_ok());
    }
}
