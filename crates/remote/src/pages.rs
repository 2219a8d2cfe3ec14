//! The bounds of a list of files, which a server sends in pages.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::io;

/// The most pages of a list. Most have up to 1,000 files.
const MOST_PAGES: usize = 10_000;

/// The most bytes of all pages of a list.
const MOST_SENT: u64 = 2 << 30;

/// The most memory for the files of a list, in bytes: about a million of them.
const MOST_HELD: usize = 128 << 20;

/// The memory for a file beside its address, in bytes.
const OF_FILE: usize = 64;

/// The pages of a list that have been asked for.
#[derive(Debug, Default)]
pub(crate) struct Pages {
    hasher: RandomState,
    /// Hashes of the addresses of the pages.
    seen: HashSet<u64>,
    sent: u64,
}

impl Pages {
    /// Notes that the server answers for the page with this address. Fails if there are too many, or if it is not the
    /// first time: such a list has no end.
    pub(crate) fn turn(&mut self, address: &str) -> io::Result<()> {
        if self.seen.len() >= MOST_PAGES {
            return Err(too_long(&format!("it has more than {MOST_PAGES} pages")));
        }
        if !self.seen.insert(self.hasher.hash_one(address)) {
            return Err(too_long("it comes back to a page that it has sent"));
        }
        Ok(())
    }

    /// Notes that bytes of a page are sent. Fails if there are too many.
    pub(crate) fn send(&mut self, bytes: usize) -> io::Result<()> {
        self.sent += bytes as u64;
        let is_too_long = self.sent > MOST_SENT;
        if is_too_long { Err(too_long(&format!("it has more than {} MiB", MOST_SENT >> 20))) } else { Ok(()) }
    }
}

/// The files of a list, with their sizes.
#[derive(Debug, Default)]
pub(crate) struct Listed {
    pub(crate) files: Vec<(String, u64)>,
    held: usize,
}

impl Listed {
    /// Adds a file. Fails if there are too many.
    pub(crate) fn push(&mut self, address: String, size: u64) -> io::Result<()> {
        self.held += address.len() + OF_FILE;
        if self.held > MOST_HELD {
            return Err(too_long(&format!("it has more than {} files", self.files.len())));
        }
        self.files.push((address, size));
        Ok(())
    }
}

fn too_long(reason: &str) -> io::Error {
    io::Error::other(format!(
        "the list of files is not read to its end, because {reason}; name a folder with less in it"
    ))
}

#[cfg(test)]
mod tests {
    use super::{Listed, MOST_HELD, MOST_PAGES, MOST_SENT, Pages};

    #[test]
    fn a_list_has_bounds() {
        let mut pages = Pages::default();
        for page in 0..MOST_PAGES {
            pages.turn(&format!("?token={page}")).unwrap();
        }
        assert!(pages.turn("?token=x").unwrap_err().to_string().contains("more than 10000 pages"));
        let mut pages = Pages::default();
        pages.turn("?token=1").unwrap();
        pages.turn("?token=2").unwrap();
        assert!(pages.turn("?token=1").unwrap_err().to_string().contains("comes back to a page"));
        pages.send(usize::try_from(MOST_SENT).unwrap()).unwrap();
        assert!(pages.send(1).unwrap_err().to_string().contains("more than 2048 MiB"));
    }

    #[test]
    fn the_files_of_a_list_have_a_bound() {
        let mut listed = Listed::default();
        let address = "a".repeat(1 << 20);
        let count = (0..).take_while(|_| listed.push(address.clone(), 1).is_ok()).count();
        assert!(count < MOST_HELD >> 20 && count > (MOST_HELD >> 20) - 3, "{count}");
    }
}
