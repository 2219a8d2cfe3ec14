//! The folder of a site: it is built beside the old one, which it replaces as a whole.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::publish::error::PublishError;
use crate::publish::file_list;
use pgn2fen_games::messages::shown;

/// An empty file for GitHub Pages. It is not listed, because hosts and programs that upload may leave out hidden files.
pub(super) const NO_JEKYLL: &str = ".nojekyll";

/// A site that is being built. It is removed when it is dropped before it is finished.
#[derive(Debug)]
pub(super) struct Staging {
    /// The folder that is wanted.
    folder: PathBuf,
    /// The folder in which files are written.
    path: PathBuf,
}

impl Staging {
    /// Creates a folder beside the wanted one.
    ///
    /// # Errors
    ///
    /// Refuses a folder that has files that are not part of a site.
    pub(super) fn begin(folder: &Path) -> Result<Self, PublishError> {
        check_replaceable(folder)?;
        let folder = std::path::absolute(folder).map_err(PublishError::file(folder))?;
        let Some(name) = folder.file_name() else {
            return Err(PublishError::Refused(format!("{}: this folder cannot be replaced", shown(&folder))));
        };
        let path = folder.with_file_name(beside(name, "new"));
        fs::create_dir(&path).map_err(PublishError::file(&path))?;
        Ok(Self { folder, path })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Puts the new folder in the place of the old one. If the process is killed between the two steps, the old folder
    /// is beside with a hidden name.
    pub(super) fn finish(self) -> Result<(), PublishError> {
        // Something may have been put there meanwhile.
        check_replaceable(&self.folder)?;
        let old = self.folder.with_file_name(beside(self.folder.file_name().unwrap_or_default(), "old"));
        let failed = |error| PublishError::File(self.folder.clone(), error);
        let had_old = match fs::rename(&self.folder, &old) {
            Ok(()) => true,
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) => return Err(failed(error)),
        };
        if let Err(error) = fs::rename(&self.path, &self.folder) {
            if had_old {
                fs::rename(&old, &self.folder).map_err(failed)?;
            }
            return Err(failed(error));
        }
        if had_old {
            fs::remove_dir_all(&old).map_err(PublishError::file(&old))?;
        }
        Ok(())
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // After `finish`, there is nothing with this name.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Returns a hidden name beside a folder.
fn beside(name: &std::ffi::OsStr, what: &str) -> OsString {
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".{what}-{}", std::process::id()));
    hidden
}

/// Refuses a folder with anything but a site, so that nothing else is ever removed.
fn check_replaceable(folder: &Path) -> Result<(), PublishError> {
    match fs::symlink_metadata(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(PublishError::File(folder.to_owned(), error)),
        Ok(found) if !found.is_dir() => {
            return Err(PublishError::Refused(format!("{}: this is not a folder", shown(folder))));
        }
        Ok(_) => {}
    }
    let found = files_in(folder)?;
    let listed: HashSet<String> = file_list::read(folder).into_iter().flatten().map(|file| file.path).collect();
    match found.iter().find(|path| !listed.contains(*path) && *path != file_list::NAME) {
        None => Ok(()),
        Some(_) if listed.is_empty() => Err(PublishError::Refused(format!(
            "{}: this folder is neither empty nor a site that `pgn2fen site` wrote; choose another one",
            shown(folder)
        ))),
        Some(path) => Err(PublishError::Refused(format!(
            "{}: {} is not part of the site, and would be removed with it; move it to another folder first",
            shown(folder),
            shown(Path::new(path))
        ))),
    }
}

/// Returns the paths of all files in a site, with slashes, in order. Links are files.
pub(super) fn files_in(site: &Path) -> Result<Vec<String>, PublishError> {
    let mut files = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(prefix) = folders.pop() {
        let folder = site.join(&prefix);
        for entry in fs::read_dir(&folder).map_err(PublishError::file(&folder))? {
            let entry = entry.map_err(PublishError::file(&folder))?;
            let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
            let kind = entry.file_type().map_err(PublishError::file(&folder))?;
            if kind.is_dir() {
                folders.push(format!("{path}/"));
            } else if path != NO_JEKYLL {
                files.push(path);
            }
        }
    }
    files.sort_unstable();
    Ok(files)
}
