//! The search for files behind addresses.

use std::io;
use std::path::Path;

use crate::find::{Found, find_members, is_named_like_pgn};
use crate::pattern::Pattern;
use pgn2fen_games::database::{Archive, archive_of, remote};

/// Finds the files that an address stands for: itself, the files that match a pattern in it, or with `recursive` the
/// PGN files in a folder.
pub(super) fn find(path: &Path, recursive: bool, found: &mut Vec<Found>) {
    let is_listed = remote::address(path).filter(|address| !is_web(address));
    let files = match is_listed {
        Some(address) if has_wildcards(address) => matching(address),
        Some(address) if recursive && !is_named_like_pgn(&address.to_lowercase()) => inside(address),
        _ if Archive::is_at(path) => return find_members(path, found),
        _ => Ok(vec![path.to_string_lossy().into_owned()]),
    };
    match files {
        Ok(files) => found.extend(files.into_iter().map(|file| (file.into(), Ok(())))),
        Err(error) => found.push((path.to_owned(), Err(error))),
    }
}

/// Returns the size of a file, if it can be told. That of a member of an archive takes several requests, so it is not.
///
/// # Errors
///
/// There is no such file.
pub(super) fn size(address: &str) -> io::Result<Option<u64>> {
    match archive_of(Path::new(address)) {
        Some(_) => Ok(None),
        None => remote::size(address),
    }
}

/// Whether an address is one of a web server. Web servers do not list their files, and `?` begins a query there.
fn is_web(address: &str) -> bool {
    let scheme = address.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
    scheme.is_some_and(|scheme| scheme == "http" || scheme == "https")
}

fn has_wildcards(address: &str) -> bool {
    address.contains(['*', '?'])
}

/// Returns the files that match a pattern.
fn matching(pattern: &str) -> io::Result<Vec<String>> {
    let fixed = &pattern[..pattern.find(['*', '?']).unwrap_or(pattern.len())];
    let folder = &fixed[..fixed.rfind('/').map_or(0, |slash| slash + 1)];
    if folder.ends_with("://") || folder.is_empty() {
        let reason = "has a pattern for buckets; name the bucket";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
    }
    let pattern = Pattern::new(pattern);
    let mut files = remote::installed()?.list(folder)?;
    files.retain(|file| pattern.matches(file));
    some(files, "no file matches the pattern")
}

/// Returns the PGN files in a folder.
fn inside(folder: &str) -> io::Result<Vec<String>> {
    let mut files = remote::installed()?.list(folder)?;
    files.retain(|file| {
        let inner = file.strip_prefix(folder.trim_end_matches('/')).unwrap_or(file);
        is_named_like_pgn(&file.to_lowercase()) && !inner.split('/').any(|part| part.starts_with('.'))
    });
    some(files, "the folder contains no PGN files")
}

fn some(files: Vec<String>, otherwise: &str) -> io::Result<Vec<String>> {
    if files.is_empty() { Err(io::Error::new(io::ErrorKind::NotFound, otherwise)) } else { Ok(files) }
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn an_address_of_the_web_is_a_file_and_buckets_have_no_pattern() {
        let mut found = Vec::new();
        find("https://example.org/*.pgn".as_ref(), true, &mut found);
        assert!(found[0].1.is_ok());
        find("s3://b*/a.pgn".as_ref(), false, &mut found);
        assert_eq!(found[1].1.as_ref().unwrap_err().to_string(), "has a pattern for buckets; name the bucket");
    }
}
