//! The search for files behind addresses.

use std::io;
use std::path::Path;

use crate::files::find::{Found, find_members, is_named_like_pgn};
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
        None => remote::installed()?.size(&remote::given(address)),
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
    let pattern: Vec<char> = pattern.chars().collect();
    let mut files = remote::installed()?.list(folder)?;
    files.retain(|file| is_match(&pattern, &file.chars().collect::<Vec<_>>()));
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

/// Whether a name matches a pattern, in which `**` stands for any characters, `*` for any but slashes, and `?` for one
/// that is no slash. The time grows with the product of both lengths at most.
fn is_match(pattern: &[char], name: &[char]) -> bool {
    // Whether the pattern up to a place matches the name up to each place.
    let mut matches = vec![false; name.len() + 1];
    matches[0] = true;
    let mut at = 0;
    while let Some(char) = pattern.get(at) {
        let is_double = *char == '*' && pattern.get(at + 1) == Some(&'*');
        at += if is_double { 2 } else { 1 };
        let mut next = vec![false; name.len() + 1];
        for end in 0..=name.len() {
            next[end] = match char {
                '*' => matches[end] || end > 0 && next[end - 1] && (is_double || name[end - 1] != '/'),
                '?' => end > 0 && matches[end - 1] && name[end - 1] != '/',
                char => end > 0 && matches[end - 1] && name[end - 1] == *char,
            };
        }
        matches = next;
    }
    matches[name.len()]
}

#[cfg(test)]
mod tests {
    use super::{find, is_match};

    #[track_caller]
    fn check(pattern: &str, name: &str, expected: bool) {
        let chars = |text: &str| text.chars().collect::<Vec<_>>();
        assert_eq!(is_match(&chars(pattern), &chars(name)), expected, "{pattern} {name}");
    }

    #[test]
    fn a_star_stops_at_a_slash_and_two_do_not() {
        check("s3://b/2024-*.pgn", "s3://b/2024-01.pgn", true);
        check("s3://b/*.pgn", "s3://b/a/b.pgn", false);
        check("s3://b/**.pgn", "s3://b/a/b.pgn", true);
        check("s3://b/**/*.pgn", "s3://b/a/c/b.pgn", true);
        check("s3://b/?.pgn", "s3://b/é.pgn", true);
        check("s3://b/a?b", "s3://b/a/b", false);
        check("s3://b/*", "s3://b/", true);
        check("s3://b/*a", "s3://b/ab", false);
        let long = "a".repeat(5000);
        check(&format!("{}b", "*a".repeat(500)), &long, false);
    }

    #[test]
    fn an_address_of_the_web_is_a_file_and_buckets_have_no_pattern() {
        let mut found = Vec::new();
        find("https://example.org/*.pgn".as_ref(), true, &mut found);
        assert!(found[0].1.is_ok());
        find("s3://b*/a.pgn".as_ref(), false, &mut found);
        assert_eq!(found[1].1.as_ref().unwrap_err().to_string(), "has a pattern for buckets; name the bucket");
    }
}
