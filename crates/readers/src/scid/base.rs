//! The three files of a database: the index, the names and the games.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::database::files::{companion, name};
use crate::scid::Version;
use crate::scid::entry::Entry;
use crate::scid::error::ScidFault;
use crate::scid::names::Names;
use pgn2fen_bytes::Meter;
use pgn2fen_bytes::{PositionedFile, RandomAccess};

/// A database.
#[derive(Debug)]
pub(super) struct Base {
    pub(super) version: Version,
    pub(super) files: FileNames,
    pub(super) index: Arc<dyn RandomAccess>,
    pub(super) games: Arc<dyn RandomAccess>,
    pub(super) games_length: u64,
    pub(super) names: Names,
    /// The number of games in the index.
    pub(super) count: u64,
    /// A counter of the bytes of the index that have been read.
    pub(super) meter: Meter,
}

/// The names of the files of a database, without their folder.
#[derive(Clone, Debug)]
pub(super) struct FileNames {
    pub(super) index: String,
    pub(super) names: String,
    pub(super) games: String,
}

impl Base {
    /// Opens a database by its index. Damage that leaves games to read is returned with the database.
    pub(super) fn open(
        index: PositionedFile,
        path: &Path,
        version: Version,
        meter: Meter,
    ) -> io::Result<(Self, Option<ScidFault>)> {
        // An unknown version has other companions.
        count(&index, version)?;
        let beside = |ending: &str| companion(path, ending).map_err(ScidFault::Missing);
        let (names_path, games_path) = (beside(version.names())?, beside(version.games())?);
        let name_bytes = fs::read(&names_path).map_err(|error| unreadable(&names_path, &error))?;
        let games = PositionedFile::open(&games_path).map_err(|error| unreadable(&games_path, &error))?;
        let names = FileNames { index: name(path), names: name(&names_path), games: name(&games_path) };
        Self::new(Arc::new(index), name_bytes, Arc::new(games), names, version, meter)
    }

    /// Opens the three files of a database.
    pub(super) fn new(
        index: Arc<dyn RandomAccess>,
        names: Vec<u8>,
        games: Arc<dyn RandomAccess>,
        files: FileNames,
        version: Version,
        meter: Meter,
    ) -> io::Result<(Self, Option<ScidFault>)> {
        let (count, index_damage) = count(&*index, version)?;
        let (names, names_damage) = Names::read(names, version);
        let games_length = games.length()?;
        let of = |file: &String, reason: Option<String>| Some(ScidFault::Damaged(file.clone(), reason?));
        let damage = of(&files.index, index_damage).or_else(|| of(&files.names, names_damage));
        Ok((Self { version, files, index, games, games_length, names, count, meter }, damage))
    }

    /// Returns the end of the record of a game in the games file, or `None` if it has none or the file ends before.
    pub(super) fn record_end(&self, entry: &Entry) -> Option<u64> {
        let end = entry.offset.checked_add(entry.length.into())?;
        (entry.length > 0 && end <= self.games_length).then_some(end)
    }
}

/// Returns the number of games in an index, and what is wrong with its length.
fn count(index: &dyn RandomAccess, version: Version) -> io::Result<(u64, Option<String>)> {
    let length = index.length()?;
    let entries = length.saturating_sub(version.entry_offset(0));
    let whole = entries / version.entry_size() as u64;
    match version {
        Version::Five => {
            let is_cut = entries % version.entry_size() as u64 != 0;
            Ok((whole, is_cut.then(|| format!("ends within the entry of game {}", whole + 1))))
        }
        Version::Four => {
            let mut head = [0; 182];
            if let Err(error) = index.read_exact_at(&mut head, 0) {
                return match error.kind() {
                    io::ErrorKind::UnexpectedEof => Ok((0, Some("ends within its header".to_owned()))),
                    _ => Err(error),
                };
            }
            let number = u16::from_be_bytes([head[8], head[9]]);
            if number != 400 {
                return Err(ScidFault::Version(number).into());
            }
            let count = u64::from(u32::from_be_bytes([0, head[14], head[15], head[16]]));
            let damage = if whole < count {
                Some(format!("has {whole} of its {count} games"))
            } else if entries > count * version.entry_size() as u64 {
                Some(format!("goes on behind the last of its {count} games, which are read"))
            } else {
                None
            };
            Ok((count.min(whole), damage))
        }
    }
}

fn unreadable(path: &Path, error: &io::Error) -> ScidFault {
    ScidFault::Unreadable(name(path), error.to_string())
}
