//! A list of the inputs from which outputs were made, so that a later run leaves them out.

use std::collections::{BTreeSet, HashMap};
use std::error::Error;
use std::fmt;
use std::fs::{self, File, Metadata, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

use crate::find::on_disk;
use crate::sync::unless_unsupported;
use pgn2fen_games::database::{companions, remote};
use pgn2fen_games::messages::{grouped, shown};
use pgn2fen_games::walk::Totals;

/// The most bytes of a list. An entry has about 200.
const LONGEST: u64 = 256 * 1024 * 1024;

/// A list of the inputs from which outputs were made, in a file. A run that makes an output of each input adds an entry
/// when the output is complete. A later run with the same options leaves out the inputs that have one.
///
/// The file is JSON lines: the version and the options, then the entries. An entry is on the disk before
/// [`add`](Self::add) returns; one that was not written completely is removed when the manifest is opened again. The
/// file is locked while it is open, so that two runs cannot use it at the same time.
///
/// ```
/// use pgn2fen_games::database::Database;
/// use pgn2fen_games::walk::Totals;
/// use pgn2fen_files::{InputState, InputStamp, Manifest};
///
/// # let folder = tempfile::tempdir()?;
/// # let [input, output, list] = ["a.pgn", "a.fen", "done.jsonl"].map(|name| folder.path().join(name));
/// # std::fs::write(&input, "1. e4 *")?;
/// let options = ["--ply 8..".to_owned()];
/// let mut manifest = Manifest::open(&list, &options)?;
/// let stamp = InputStamp::of(&input)?;
/// assert_eq!(manifest.state(&input, stamp), InputState::New);
/// std::fs::write(&output, "what was made of the input")?;
/// manifest.add(&input, stamp, &[output], &Totals::default())?;
/// drop(manifest);
///
/// assert_eq!(Manifest::open(&list, &options)?.state(&input, stamp), InputState::Done);
/// assert!(Manifest::open(&list, &["--ply 9..".to_owned()]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Manifest {
    path: PathBuf,
    name: String,
    file: File,
    /// The entries by the names of the inputs. The last one of an input counts.
    entries: HashMap<String, Entry>,
    /// The names of the inputs by those of their outputs, which are [folded].
    inputs: HashMap<String, String>,
    /// Whether it was begun when it was opened.
    is_new: bool,
}

/// The size and the time of the last change of an input. Those of a database of several files are the sums of theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputStamp {
    bytes: u64,
    /// In nanoseconds since 1970, modulo 2⁶⁴. `None` if the system does not know it.
    modified: Option<u64>,
}

impl InputStamp {
    /// Returns the stamp of a file, or of the archive that it is in.
    ///
    /// # Errors
    ///
    /// The input is not a file on the disk, or cannot be found.
    pub fn of(input: &Path) -> io::Result<Self> {
        let refused = |reason| io::Error::new(io::ErrorKind::InvalidInput, reason);
        if remote::address(input).is_some() {
            return Err(refused("is an address, which cannot be recognised again; download it, and read the file"));
        }
        let metadata = fs::metadata(on_disk(input))?;
        if !metadata.is_file() {
            return Err(refused("is not a file, which could be recognised again"));
        }
        let add = |stamp: Self, path: &PathBuf| Ok(stamp.and(Self::of_file(&fs::metadata(path)?)));
        companions(input).iter().try_fold(Self::of_file(&metadata), add)
    }

    fn of_file(metadata: &Metadata) -> Self {
        let since_1970 = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let modified = since_1970.and_then(|time| u64::try_from(time.as_nanos()).ok());
        Self { bytes: metadata.len(), modified }
    }

    /// Returns the stamp of two files of a database.
    fn and(self, other: Self) -> Self {
        let modified = self.modified.zip(other.modified).map(|(one, other)| one.wrapping_add(other));
        Self { bytes: self.bytes + other.bytes, modified }
    }
}

/// The state of an input, as a manifest has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputState {
    /// It has no entry.
    New,
    /// Its outputs are complete.
    Done,
    /// It has another size or time than when it was read.
    Changed,
    /// An output is missing.
    Missing,
}

/// The first line of a manifest.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    pgn2fen: String,
    options: Vec<String>,
}

/// An input whose outputs are complete.
#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    input: String,
    #[serde(flatten)]
    stamp: InputStamp,
    outputs: Vec<PathBuf>,
    /// The number of games that were read.
    games: u64,
    /// The number of positions that were written.
    positions: u64,
    /// The number of positions that the format left out.
    left_out: u64,
}

impl Manifest {
    /// Opens a manifest, or begins a new one. The options are those that change what is written, each as a text.
    ///
    /// # Errors
    ///
    /// The file cannot be opened, read or written; it is not a manifest, or one that was begun with other options; or
    /// another process has it open.
    pub fn open(path: impl AsRef<Path>, options: &[String]) -> Result<Self, ManifestError> {
        let path = path.as_ref();
        let name = shown(path).to_string();
        let failed = |error| ManifestError::Io { name: name.clone(), error };
        let open = File::options().read(true).append(true).create(true).open(path);
        let mut file = open.map_err(failed)?;
        // File systems without locks are fine.
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return Err(ManifestError::InUse { name });
        }
        let mut text = Vec::new();
        Read::by_ref(&mut file).take(LONGEST + 1).read_to_end(&mut text).map_err(failed)?;
        if text.len() as u64 > LONGEST {
            let reason = "it is longer than 256 MiB, the limit for lists of what is done";
            return Err(failed(io::Error::new(io::ErrorKind::FileTooLarge, reason)));
        }
        // The last line is incomplete if the process or the system ended while it was written.
        let end = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let is_incomplete = end < text.len();
        let (mut entries, mut inputs) = (HashMap::new(), HashMap::new());
        for (number, line) in (1..).zip(text[..end].split(|byte| *byte == b'\n').filter(|line| !line.is_empty())) {
            let damaged = |error| ManifestError::Damaged { name: name.clone(), line: number, error };
            if number == 1 {
                let head: Head = serde_json::from_slice(line).map_err(damaged)?;
                if head.options != options {
                    return Err(ManifestError::other_options(name, &head.options, options));
                }
            } else {
                let entry: Entry = serde_json::from_slice(line).map_err(damaged)?;
                inputs.extend(entry.outputs.iter().map(|output| (folded(output), entry.input.clone())));
                entries.insert(entry.input.clone(), entry);
            }
        }
        if end == 0 && is_incomplete && !text.starts_with(b"{\"pgn2fen\":") {
            let error = serde_json::from_slice::<Head>(&text).err();
            return Err(error.map_or_else(
                || ManifestError::Io { name: name.clone(), error: io::ErrorKind::InvalidData.into() },
                |error| ManifestError::Damaged { name: name.clone(), line: 1, error },
            ));
        }
        let mut manifest = Self { path: path.to_owned(), name, file, entries, inputs, is_new: end == 0 };
        if is_incomplete {
            manifest.cut(end as u64)?;
        }
        if end == 0 {
            let head = Head { pgn2fen: env!("CARGO_PKG_VERSION").to_owned(), options: options.to_vec() };
            manifest.append(&head)?;
        }
        Ok(manifest)
    }

    /// Returns what the manifest says of an input, which has this stamp now.
    pub fn state(&self, input: &Path, stamp: InputStamp) -> InputState {
        match self.entries.get(&*input.to_string_lossy()) {
            None => InputState::New,
            Some(entry) if entry.stamp != stamp => InputState::Changed,
            Some(entry) if !entry.outputs.iter().all(|output| output.is_file()) => InputState::Missing,
            Some(_) => InputState::Done,
        }
    }

    /// Returns the other input of which one of these outputs of an input, which has this stamp now, was made. An input
    /// with the same size and time is the same file under another name.
    pub fn other_input(&self, input: &Path, stamp: InputStamp, outputs: &[PathBuf]) -> Option<&str> {
        let known = outputs.iter().filter_map(|output| self.entries.get(self.inputs.get(&folded(output))?));
        let mut others = known.filter(|entry| entry.input != input.to_string_lossy() && entry.stamp != stamp);
        others.next().map(|entry| &*entry.input)
    }

    /// Adds an input whose outputs are complete, which are flushed to the disk. The stamp is that of the time before it
    /// was read.
    ///
    /// # Errors
    ///
    /// The file cannot be written, or an output cannot be flushed.
    pub fn add(
        &mut self,
        input: &Path,
        stamp: InputStamp,
        outputs: &[PathBuf],
        totals: &Totals,
    ) -> Result<(), ManifestError> {
        for output in outputs.iter().filter(|output| output.is_file()) {
            let synced = File::options().write(true).open(output).and_then(|file| file.sync_all());
            unless_unsupported(synced).map_err(|error| ManifestError::Io { name: shown(output).to_string(), error })?;
        }
        let input = input.to_string_lossy().into_owned();
        let left_out = totals.left_out.total();
        let positions = totals.count.positions.saturating_sub(left_out);
        let games = totals.count.games;
        let entry = Entry { input: input.clone(), stamp, outputs: outputs.to_vec(), games, positions, left_out };
        self.append(&entry)?;
        self.inputs.extend(outputs.iter().map(|output| (folded(output), input.clone())));
        self.entries.insert(input, entry);
        Ok(())
    }

    fn append(&mut self, line: &impl Serialize) -> Result<(), ManifestError> {
        let failed = |error| ManifestError::Io { name: self.name.clone(), error };
        let mut line = serde_json::to_vec(line).map_err(io::Error::from).map_err(failed)?;
        line.push(b'\n');
        self.file.write_all(&line).and_then(|()| self.file.sync_data()).map_err(failed)
    }

    fn cut(&self, len: u64) -> Result<(), ManifestError> {
        self.file.set_len(len).map_err(|error| ManifestError::Io { name: self.name.clone(), error })
    }
}

/// Returns the name of a file as it is compared: some systems do not distinguish upper and lower case.
fn folded(path: &Path) -> String {
    path.to_string_lossy().to_lowercase()
}

impl Drop for Manifest {
    /// Removes a new manifest without entries, such as that of a run that was refused.
    fn drop(&mut self) {
        if self.is_new && self.entries.is_empty() {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// The error for a manifest that cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum ManifestError {
    /// The file cannot be opened, read or written.
    Io {
        /// The name of the file for messages.
        name: String,
        /// The error of the system.
        error: io::Error,
    },
    /// A line cannot be read.
    Damaged {
        /// The name of the file for messages.
        name: String,
        /// The number of the line, from 1.
        line: usize,
        /// The error of the reader.
        error: serde_json::Error,
    },
    /// The manifest was begun with other options.
    OtherOptions {
        /// The name of the file for messages.
        name: String,
        /// The options with which it was begun, and which are not among those now.
        then: Vec<String>,
        /// The options now that are not among those.
        now: Vec<String>,
    },
    /// Another process has the manifest open.
    InUse {
        /// The name of the file for messages.
        name: String,
    },
}

impl ManifestError {
    fn other_options(name: String, then: &[String], now: &[String]) -> Self {
        let [set_then, set_now] = [then, now].map(|options| options.iter().collect::<BTreeSet<&String>>());
        let only = |set: &BTreeSet<&String>, other| set.difference(other).map(|option| (*option).clone()).collect();
        Self::OtherOptions { name, then: only(&set_then, &set_now), now: only(&set_now, &set_then) }
    }
}

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { name, error } => write!(f, "{name}: {error}"),
            // The error of the reader is the source.
            Self::Damaged { name, line, .. } => {
                write!(f, "{name}:{}: not a line of a manifest", grouped(*line as u64))
            }
            Self::OtherOptions { name, then, now } => {
                let what = match (then.join(" "), now.join(" ")) {
                    (then, now) if now.is_empty() => format!("with {then}, which is missing now"),
                    (then, now) if then.is_empty() => format!("without {now}"),
                    (then, now) => format!("with {then}, not {now}"),
                };
                write!(f, "{name} was begun {what}; use the same options, or another manifest and other outputs")
            }
            Self::InUse { name } => write!(f, "{name} is in use by another run"),
        }
    }
}

impl Error for ManifestError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io { error, .. } => Some(error),
            Self::Damaged { error, .. } => Some(error),
            Self::OtherOptions { .. } | Self::InUse { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::path::PathBuf;
    use std::time::UNIX_EPOCH;

    use super::{InputStamp, InputState, Manifest};
    use pgn2fen_games::walk::Totals;

    fn options(list: &[&str]) -> Vec<String> {
        list.iter().map(|option| (*option).to_owned()).collect()
    }

    #[test]
    fn an_entry_counts_as_long_as_its_files_are_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let [input, output, list] = ["in", "out", "list"].map(|name| folder.path().join(name));
        fs::write(&input, "1. e4 *").unwrap();
        let open = || Manifest::open(&list, &options(&["-f binpack"])).unwrap();
        let stamp = || InputStamp::of(&input).unwrap();
        assert_eq!(open().state(&input, stamp()), InputState::New);
        open().add(&input, stamp(), std::slice::from_ref(&output), &Totals::default()).unwrap();
        assert_eq!(open().state(&input, stamp()), InputState::Missing);
        fs::write(&output, "").unwrap();
        assert_eq!(open().state(&input, stamp()), InputState::Done);
        assert_eq!(open().state(&PathBuf::from("other"), stamp()), InputState::New);
        fs::write(&input, "1. e4 e5 *").unwrap();
        assert_eq!(open().state(&input, stamp()), InputState::Changed);
        // An entry that was not written completely is dropped, and the next one begins a line.
        let whole = fs::read(&list).unwrap();
        fs::write(&list, [&whole[..], b"{\"input\":\"x"].concat()).unwrap();
        open().add(&input, stamp(), &[output], &Totals::default()).unwrap();
        assert_eq!(open().state(&input, stamp()), InputState::Done);
        assert!(fs::read(&list).unwrap().starts_with(&whole));
        assert!(InputStamp::of(folder.path()).is_err());
    }

    #[test]
    fn an_entry_of_a_database_is_about_all_of_its_files() {
        let folder = tempfile::tempdir().unwrap();
        let [input, output, list] = ["a.si4", "out", "list"].map(|name| folder.path().join(name));
        for file in [&input, &output] {
            fs::write(file, b"Scid.si\0").unwrap();
        }
        for ending in ["sn4", "sg4"] {
            let other = folder.path().join("a").with_extension(ending);
            fs::write(&other, "1").unwrap();
            let mut manifest = Manifest::open(&list, &options(&["-f binpack"])).unwrap();
            manifest
                .add(&input, InputStamp::of(&input).unwrap(), std::slice::from_ref(&output), &Totals::default())
                .unwrap();
            let state = || manifest.state(&input, InputStamp::of(&input).unwrap());
            assert_eq!(state(), InputState::Done);
            fs::write(&other, "12").unwrap();
            assert_eq!(state(), InputState::Changed);
            fs::write(&other, "1").unwrap();
            File::options().write(true).open(&other).unwrap().set_modified(UNIX_EPOCH).unwrap();
            assert_eq!(state(), InputState::Changed);
            fs::remove_file(&other).unwrap();
            assert_eq!(state(), InputState::Changed);
        }
    }

    #[test]
    fn a_manifest_without_entries_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("list");
        drop(Manifest::open(&list, &options(&["-u"])).unwrap());
        assert!(!list.exists());
        let mut manifest = Manifest::open(&list, &[]).unwrap();
        manifest.add(&list, InputStamp::of(&list).unwrap(), &[], &Totals::default()).unwrap();
        drop(manifest);
        drop(Manifest::open(&list, &[]).unwrap());
        assert!(list.exists());
    }

    #[test]
    fn a_manifest_that_cannot_be_used_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("list");
        let said = |now: &[&str]| Manifest::open(&list, &options(now)).unwrap_err().to_string();
        let mut held = Manifest::open(&list, &options(&["-f viri", "-u"])).unwrap();
        held.add(&list, InputStamp::of(&list).unwrap(), &[], &Totals::default()).unwrap();
        assert!(said(&["-f viri", "-u"]).ends_with("is in use by another run"));
        drop(held);
        let message = said(&["-f viri", "--evals tcec"]);
        assert!(message.contains("was begun with -u, not --evals tcec; use the same options"), "{message}");
        assert!(said(&["-f viri"]).contains("was begun with -u, which is missing now;"));
        assert!(said(&["-f viri", "-u", "--ply 3"]).contains("was begun without --ply 3;"));
        for text in ["1. e4 *\n", "1. e4 *", "{\"pgn2fen\":\"1\"}\n"] {
            fs::write(&list, text).unwrap();
            let message = said(&[]);
            assert!(message.contains(":1: not a line of a manifest"), "{message}");
            assert_eq!(fs::read_to_string(&list).unwrap(), text, "it is left as it was");
        }
    }
}
