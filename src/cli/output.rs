//! The output: standard output, or a file that appears when it is complete.

use std::fs::{self, File};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};
use tempfile::{NamedTempFile, TempPath};

use crate::cli::compress::{Compression, Compressor};
use crate::cli::say::Plain;
use crate::messages::shown;

/// An output that bytes are written to, compressed if necessary.
pub(crate) struct Output(Compressor<Target>);

#[derive(Debug)]
enum Target {
    Stdout(io::Stdout),
    /// A terminal, to which only harmless text is written.
    Terminal(Plain<Box<dyn Write + Send>>),
    /// A device or named pipe, which cannot be replaced by renaming.
    Special(File),
    /// A temporary file beside the target, which gets the name of the target when it is complete.
    Beside {
        file: File,
        path: TempPath,
        target: PathBuf,
    },
}

/// The temporary file to remove if the run is interrupted.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

impl Output {
    /// Opens a file, or standard output if there is none.
    pub(crate) fn open(path: Option<&Path>, compression: Compression) -> Result<Self> {
        let target = Target::open(path)?;
        let name = target.name();
        Ok(Self(Compressor::new(compression, target).with_context(|| format!("cannot write {name}"))?))
    }

    /// Completes the output. A temporary file gets the name of its target.
    pub(crate) fn finish(self) -> Result<()> {
        let name = self.name();
        let target = self.0.finish().with_context(|| format!("cannot write {name}"))?;
        target.finish()
    }

    /// Returns the name of the output for messages.
    pub(crate) fn name(&self) -> String {
        self.0.inner().name()
    }

    /// Whether the output is a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        matches!(self.0.inner(), Target::Terminal(_))
    }

    /// Whether the output is a file that appears only when it is finished.
    pub(crate) fn is_unfinished_file(&self) -> bool {
        matches!(self.0.inner(), Target::Beside { .. })
    }
}

impl Write for Output {
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
    fn open(path: Option<&Path>) -> Result<Self> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            let stdout = io::stdout();
            let is_terminal = stdout.is_terminal();
            return Ok(if is_terminal { Self::Terminal(Plain::new(Box::new(stdout))) } else { Self::Stdout(stdout) });
        };
        let context = || format!("cannot write {}", shown(path));
        // Follows a symbolic link, so that its target is replaced and not the link itself.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        match fs::metadata(&target) {
            Ok(metadata) if metadata.is_dir() => anyhow::bail!("{}: is a directory", context()),
            Ok(metadata) if !metadata.is_file() => {
                let file = File::options().write(true).open(&target).with_context(context)?;
                let is_terminal = file.is_terminal();
                return Ok(if is_terminal { Self::Terminal(Plain::new(Box::new(file))) } else { Self::Special(file) });
            }
            _ => {}
        }
        let folder = folder_of(&target);
        remove_when_interrupted().with_context(context)?;
        // The lock is held while the file is created. So an interruption waits until the path of the file is known.
        let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, path) = temporary_in(folder).with_context(context)?.into_parts();
        *unfinished = Some(path.to_path_buf());
        Ok(Self::Beside { file, path, target })
    }

    fn finish(self) -> Result<()> {
        match self {
            Self::Stdout(mut stdout) => stdout.flush().context("cannot write to standard output"),
            Self::Terminal(mut terminal) => terminal.flush().context("cannot write to the terminal"),
            Self::Special(_) => Ok(()),
            Self::Beside { file, path, target } => {
                let context = || format!("cannot write {}", shown(&target));
                // The data is on the disk before the file is renamed. After a power failure, the target is the old file or the complete
                // new one.
                unless_unsupported(file.sync_all()).with_context(context)?;
                let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
                path.persist(&target).with_context(context)?;
                unfinished.take();
                drop(unfinished);
                sync_folder(folder_of(&target))
                    .with_context(|| format!("{} is written, but may be lost if the power fails", shown(&target)))
            }
        }
    }

    fn name(&self) -> String {
        match self {
            Self::Stdout(_) => "standard output".to_owned(),
            Self::Terminal(_) => "the terminal".to_owned(),
            Self::Special(_) => "the output".to_owned(),
            Self::Beside { target, .. } => shown(target),
        }
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(stdout) => stdout.write(bytes),
            Self::Terminal(terminal) => terminal.write(bytes),
            Self::Special(file) | Self::Beside { file, .. } => file.write(bytes),
        }
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Stdout(stdout) => stdout.write_all(bytes),
            Self::Terminal(terminal) => terminal.write_all(bytes),
            Self::Special(file) | Self::Beside { file, .. } => file.write_all(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(stdout) => stdout.flush(),
            Self::Terminal(terminal) => terminal.flush(),
            Self::Special(file) | Self::Beside { file, .. } => file.flush(),
        }
    }
}

/// Syncs the file names of a folder to the disk. A folder that cannot be opened is not synced.
fn sync_folder(folder: &Path) -> io::Result<()> {
    match File::open(folder) {
        Ok(folder) if cfg!(unix) => unless_unsupported(folder.sync_all()),
        _ => Ok(()),
    }
}

/// Ignores the error of a file system that cannot sync.
fn unless_unsupported(synced: io::Result<()>) -> io::Result<()> {
    synced.or_else(|error| match error.kind() {
        io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported => Ok(()),
        _ => Err(error),
    })
}

/// Returns the folder of a file.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Creates a temporary file in a folder, with the permissions of a new file.
fn temporary_in(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".pgn2fen-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// Makes an interruption (Ctrl-C or a signal) remove the temporary file and end the process with status 130.
#[expect(clippy::exit, reason = "the run is interrupted, on a thread that cannot return to main")]
fn remove_when_interrupted() -> Result<()> {
    ctrlc::set_handler(|| {
        if let Some(path) = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).take() {
            // If this fails, the temporary file stays.
            let _ = fs::remove_file(path);
        }
        std::process::exit(130);
    })?;
    Ok(())
}
