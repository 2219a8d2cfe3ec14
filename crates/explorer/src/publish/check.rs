//! Compares a site with the list of its files.

use std::collections::{HashMap, HashSet};
use std::fmt::{self, Display, Formatter};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::publish::error::PublishError;
use crate::publish::{file_list, folder};
use flate2::Crc;
use pgn2fen_games::messages::shown;

/// A fault of a site.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Damage {
    /// A file is missing or cannot be read.
    Missing(String),
    /// A file has another length: its path, the length in bytes, and the one that it should have.
    Length(String, u64, u64),
    /// A file has other bytes than those that were written.
    Changed(String),
    /// A file is not part of the site.
    Extra(String),
    /// In the place of a file there is a symbolic link, a pipe or a device, which is not read.
    NotPlain(String),
}

impl Display for Damage {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let path = |path: &str| shown(Path::new(path));
        match self {
            Self::Missing(file) => write!(f, "{}: the file is missing or cannot be read", path(file)),
            Self::Length(file, found, expected) => {
                write!(f, "{}: the file has {found} bytes instead of {expected}", path(file))
            }
            Self::Changed(file) => write!(f, "{}: the file is damaged", path(file)),
            Self::Extra(file) => write!(f, "{}: the file is not part of the site", path(file)),
            Self::NotPlain(file) => write!(f, "{}: this is a symbolic link, a pipe or a device", path(file)),
        }
    }
}

/// Compares the length and the checksum of every file of a [published](crate::publish()) site with those that were
/// written. Returns what is wrong, and the number of files of the site.
///
/// # Errors
///
/// Fails if the folder has no readable list of files, so that it is not a site, if the list names anything but files in
/// the folder, or if the folder cannot be read.
pub fn check_site(site: &Path) -> Result<(Vec<Damage>, u64), PublishError> {
    let Some(listed) = file_list::read(site)? else {
        let name = file_list::NAME;
        return Err(PublishError::Refused(format!(
            "{}: there is no readable {name} in this folder, so it is not a site",
            shown(site)
        )));
    };
    let found = folder::files_in(site)?;
    let plain: HashMap<&str, bool> = found.iter().map(|file| (&*file.path, file.is_plain)).collect();
    let mut damage = Vec::new();
    for file in &listed {
        // Only what is in the folder itself is read: a link might lead out of it, and a pipe has no end.
        let read = match plain.get(&*file.path) {
            Some(true) => read(&site.join(&file.path), file.bytes),
            Some(false) => {
                damage.push(Damage::NotPlain(file.path.clone()));
                continue;
            }
            None => Err(io::ErrorKind::NotFound.into()),
        };
        match read {
            Err(_) => damage.push(Damage::Missing(file.path.clone())),
            Ok((bytes, _)) if bytes != file.bytes => {
                damage.push(Damage::Length(file.path.clone(), bytes, file.bytes));
            }
            Ok((_, crc32)) if crc32 != file.crc32 => damage.push(Damage::Changed(file.path.clone())),
            Ok(_) => {}
        }
    }
    let known: HashSet<&str> = listed.iter().map(|file| &*file.path).collect();
    let is_extra = |path: &&str| !known.contains(path) && *path != file_list::NAME;
    damage.extend(found.iter().map(|file| &*file.path).filter(is_extra).map(|path| Damage::Extra(path.to_owned())));
    Ok((damage, listed.len() as u64 + 1))
}

/// Returns the length and the checksum of a file. If it is longer than expected, the checksum is that of its beginning.
fn read(path: &Path, expected: u64) -> io::Result<(u64, String)> {
    let file = File::open(path)?;
    let bytes = file.metadata()?.len();
    let mut file = file.take(expected);
    let mut crc = Crc::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok((bytes, format!("{:08x}", crc.sum()))),
            read => crc.update(&buffer[..read]),
        }
    }
}
