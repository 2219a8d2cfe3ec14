//! The lists of members that were read last, so that a list is not read again for each of its members.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use crate::archive::{Directory, directory};
use pgn2fen_bytes::RandomAccess;
use pgn2fen_bytes::remote;

/// The number of lists that are kept, and of members in them. One list may be longer.
const MOST: usize = 4;
const MOST_MEMBERS: usize = 100_000;

/// What must be the same for a list to be that of the same archive.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Key {
    path: PathBuf,
    length: u64,
    modified: Option<SystemTime>,
}

static LISTS: Mutex<VecDeque<(Key, Arc<Directory>)>> = Mutex::new(VecDeque::new());

/// Returns the list of members of an archive with this path and these bytes.
pub(super) fn directory_of(path: &Path, bytes: &Arc<dyn RandomAccess>) -> io::Result<Arc<Directory>> {
    let length = bytes.length()?;
    let modified = fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
    let is_address = remote::address(path).is_some();
    if modified.is_none() && !is_address {
        // Bytes in memory may have the same name and length as others.
        return directory::read(bytes, length).map(Arc::new);
    }
    let key = Key { path: path.to_owned(), length, modified };
    let lists = || LISTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, list)) = lists().iter().find(|(known, _)| *known == key) {
        return Ok(Arc::clone(list));
    }
    let list = Arc::new(directory::read(bytes, length)?);
    let mut lists = lists();
    lists.retain(|(known, _)| known.path != key.path);
    lists.truncate(MOST - 1);
    lists.push_front((key, Arc::clone(&list)));
    let mut members = 0;
    let few = |(_, list): &&(Key, Arc<Directory>)| {
        members += list.members.len();
        members <= MOST_MEMBERS
    };
    let kept = lists.iter().take_while(few).count();
    lists.truncate(kept.max(1));
    Ok(list)
}
