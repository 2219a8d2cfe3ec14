//! The files of the page, which are copied into each site.

use std::fs;
use std::path::Path;

use crate::publish::error::PublishError;
use crate::publish::file_list::FileList;
use pgn2fen_games::messages::shown;

/// The folder of the explorer in the built page.
const EXPLORER: &str = "explorer";

/// The folder of the page that opens files of one's own, in a site.
const OWN: &str = "own";

/// Copies the page of the explorer into a site, and the page that opens files of one's own into the folder `own`.
/// `built` is what `site/build.mjs` wrote.
///
/// # Errors
///
/// Fails if the page is not there, or if files cannot be read or written.
pub(super) fn copy(built: &Path, site: &Path, files: &mut FileList) -> Result<(), PublishError> {
    let explorer = built.join(EXPLORER);
    if !explorer.join("index.html").is_file() {
        return Err(PublishError::Refused(format!(
            "{}: there is no explorer/index.html in this folder, so it is not the built page",
            shown(built)
        )));
    }
    copy_files(&explorer, site, "", files)?;
    if built.join("index.html").is_file() {
        let own = site.join(OWN);
        fs::create_dir(&own).map_err(PublishError::file(&own))?;
        copy_files(built, site, "own/", files)?;
    }
    Ok(())
}

/// Copies the plain files directly in a folder, but for hidden ones and modules for pages that are opened as files.
fn copy_files(from: &Path, site: &Path, prefix: &str, files: &mut FileList) -> Result<(), PublishError> {
    let mut names = Vec::new();
    for entry in fs::read_dir(from).map_err(PublishError::file(from))? {
        let entry = entry.map_err(PublishError::file(from))?;
        let is_plain = entry.file_type().map_err(PublishError::file(from))?.is_file();
        names.extend(entry.file_name().into_string().ok().filter(|_| is_plain));
    }
    names.sort_unstable();
    for name in names.iter().filter(|name| !name.starts_with('.') && !name.ends_with(".wasm.js")) {
        let path = from.join(name);
        let content = fs::read(&path).map_err(PublishError::file(&path))?;
        files.write(site, &format!("{prefix}{name}"), &content)?;
    }
    Ok(())
}
