//! The replacement for the reader of archives if the feature `zip` is disabled.

use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::database::archive::{ArchiveError, Directory};
use crate::database::random_access::RandomAccess;

/// Returns an error for every archive.
pub(super) fn directory_of(_: &Path, _: &Arc<dyn RandomAccess>) -> io::Result<Arc<Directory>> {
    Err(ArchiveError::Feature.into())
}

/// The text of a member, which no archive has.
pub(super) mod member {
    use std::io::{self, Read};
    use std::sync::Arc;

    use crate::database::archive::{Archive, ArchiveError, Member};
    use crate::database::meter::Meter;
    use crate::database::random_access::RandomAccess;

    pub(in crate::database::archive) fn reader(_: &Archive, _: &Member, _: &Meter) -> io::Result<Box<dyn Read + Send>> {
        Err(ArchiveError::Feature.into())
    }

    pub(in crate::database::archive) fn bytes(_: &Archive, _: &Member) -> io::Result<Option<Arc<dyn RandomAccess>>> {
        Err(ArchiveError::Feature.into())
    }
}
