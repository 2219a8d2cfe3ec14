//! The output: standard output, or a file that appears when it is complete.

use std::fmt;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Error, Result, ensure};

use crate::say::Plain;
use crate::signals::{INTERRUPTED, on_interruption};
use crate::stdout::{self, Closed};
use pgn2fen_files::{self as files, Compression, FileGroup, Found, OutputFile, refuse_to_replace, remove_unfinished};
use pgn2fen_games::messages::shown;
use pgn2fen_index::Index;

/// An output that bytes are written to.
#[derive(Debug)]
pub(crate) struct Output(Target);

enum Target {
    /// Standard output as a file, which does not look for line breaks.
    Stdout(File),
    /// A terminal, to which only harmless text is written.
    Terminal(Plain<Box<dyn Write + Send>>),
    File(Box<OutputFile>),
}

/// Refuses a name with a placeholder for an output that is one file.
pub(crate) fn refuse_placeholders(path: Option<&Path>) -> Result<()> {
    let Some(name) = path.and_then(Path::to_str) else {
        return Ok(());
    };
    let is_name =
        |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let mut ends = name.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
    ensure!(
        !ends.any(|(between, _)| is_name(between)),
        "{} has a placeholder, but this output is one file; `pgn2fen games` writes a file for each value of a tag, \
         --manifest for each {{input}}, and --split for each {{part}}",
        shown(Path::new(name))
    );
    Ok(())
}

/// Refuses an output that is a source file of an index.
pub(crate) fn refuse_indexed(index: &Index, path: Option<&Path>) -> Result<()> {
    let Some(path) = path else {
        return Ok(());
    };
    let sources: Vec<Found> = index.files().filter_map(|file| file.place()).map(|place| (place, Ok(()))).collect();
    Ok(refuse_to_replace(&sources, path)?)
}

impl Output {
    /// Opens a file, or standard output if there is none.
    pub(crate) fn open(path: Option<&Path>, compression: Compression) -> Result<Self> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            let stdout = io::stdout();
            let is_terminal = stdout.is_terminal();
            return Ok(Self(if is_terminal { terminal(stdout) } else { Target::Stdout(stdout::as_file(&stdout)?) }));
        };
        remove_when_interrupted().with_context(|| format!("cannot write {}", shown(path)))?;
        let file = OutputFile::create(path, compression)?;
        if !file.is_terminal() {
            return Ok(Self(Target::File(Box::new(file))));
        }
        let is_text = compression == Compression::None;
        ensure!(is_text, "{} is a terminal, which cannot show compressed data", shown(path));
        Ok(Self(terminal(file)))
    }

    /// Completes the output. A file gets its name.
    pub(crate) fn finish(self) -> Result<()> {
        match self.0 {
            Target::Stdout(mut stdout) => stdout::written(stdout.flush()),
            Target::Terminal(mut terminal) => terminal.flush().context("cannot write to the terminal"),
            Target::File(file) => Ok(file.finish()?),
        }
    }

    /// Completes the output. A file is added to a group, which gives it its name.
    fn close(self, group: &mut FileGroup) -> Result<()> {
        match self.0 {
            Target::File(file) => Ok(group.add(*file)?),
            _ => self.finish(),
        }
    }

    /// Completes the output, unless it is a file that must not appear for a reason, which completes a sentence after
    /// "because". Returns the message about such a file.
    pub(crate) fn finish_unless(self, why_unfinished: Option<&str>) -> Result<Option<String>> {
        self.unless(why_unfinished, Self::finish)
    }

    /// Like [`finish_unless`](Self::finish_unless), but a file is added to a group, which gives it its name.
    pub(crate) fn close_unless(self, why_unfinished: Option<&str>, group: &mut FileGroup) -> Result<Option<String>> {
        self.unless(why_unfinished, |output| output.close(group))
    }

    fn unless(self, why: Option<&str>, complete: impl FnOnce(Self) -> Result<()>) -> Result<Option<String>> {
        match why {
            Some(why) if self.is_unfinished_file() => Ok(Some(format!("{} is not written because {why}", self.name()))),
            _ => complete(self).map(|()| None),
        }
    }

    /// Returns the name of the output for messages.
    pub(crate) fn name(&self) -> String {
        match &self.0 {
            Target::Stdout(_) => "standard output".to_owned(),
            Target::Terminal(_) => "the terminal".to_owned(),
            Target::File(file) => file.name(),
        }
    }

    /// Turns the error of a write to the output into an error message, or into [`Closed`] for a closed pipe.
    pub(crate) fn written(&self, result: io::Result<()>) -> Result<()> {
        match result {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Closed.into()),
            Err(error) => Err(Error::new(error).context(format!("cannot write to {}", self.name()))),
            Ok(()) => Ok(()),
        }
    }

    /// Whether the output is a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        matches!(self.0, Target::Terminal(_))
    }

    /// Passes on what is written from now on, if the output is a terminal. Its writer makes the text safe, and adds
    /// colours of its own.
    pub(crate) fn pass_colors_on(&mut self) {
        if let Target::Terminal(terminal) = &mut self.0 {
            terminal.pass_on();
        }
    }

    /// Whether the output is a file that appears only when it is finished.
    fn is_unfinished_file(&self) -> bool {
        matches!(&self.0, Target::File(file) if file.appears_when_finished())
    }
}

fn terminal(writer: impl Write + Send + 'static) -> Target {
    Target::Terminal(Plain::new(Box::new(writer)))
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdout(_) => f.write_str("Stdout"),
            Self::Terminal(_) => f.write_str("Terminal"),
            Self::File(file) => file.fmt(f),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Target::Stdout(stdout) => stdout.write(bytes),
            Target::Terminal(terminal) => terminal.write(bytes),
            Target::File(file) => file.write(bytes),
        }
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.0 {
            Target::Stdout(stdout) => stdout.write_all(bytes),
            Target::Terminal(terminal) => terminal.write_all(bytes),
            Target::File(file) => file.write_all(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Target::Stdout(stdout) => stdout.flush(),
            Target::Terminal(terminal) => terminal.flush(),
            Target::File(file) => file.flush(),
        }
    }
}

/// Makes an interruption (Ctrl-C or a signal) remove the temporary file and end the process.
#[expect(clippy::exit, reason = "the run is interrupted, on a thread that cannot return to main")]
pub(crate) fn remove_when_interrupted() -> Result<()> {
    // A process has one handler, however many files it writes.
    static IS_SET: AtomicBool = AtomicBool::new(false);
    if !IS_SET.swap(true, Ordering::Relaxed) {
        on_interruption(|| {
            let _no_new_files = remove_unfinished();
            std::process::exit(INTERRUPTED);
        })?;
    }
    Ok(())
}

/// Returns the folder for temporary files beside an output file; None for standard output and devices.
pub(crate) fn folder_of(path: &Path) -> Option<&Path> {
    files::folder_of(path).filter(|_| path != Path::new("-"))
}
