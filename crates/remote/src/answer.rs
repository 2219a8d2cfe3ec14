//! What a server answers to a request for bytes, and what is done if it fails.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::BoxStream;

use crate::settings::Settings;

/// What distinguishes the versions of a file. A server may tell neither.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Version {
    pub(crate) etag: Option<String>,
    pub(crate) modified: Option<String>,
}

/// Bytes of a file that a server sends.
pub(crate) struct Answer {
    /// The offset of the first byte.
    pub(crate) start: u64,
    /// The number of bytes of the whole file, if the server tells it.
    pub(crate) total: Option<u64>,
    pub(crate) version: Version,
    /// Whether only a range is sent.
    pub(crate) is_range: bool,
    pub(crate) body: BoxStream<'static, io::Result<Bytes>>,
}

/// Why a request failed.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) error: io::Error,
    pub(crate) remedy: Remedy,
}

/// What may help after a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Remedy {
    Nothing,
    /// To connect again. A name that is misspelt is told soon.
    Connect,
    /// To ask again, after a pause that the server may choose.
    Repeat(Option<Duration>),
}

impl Failure {
    pub(crate) fn lasting(error: io::Error) -> Self {
        Self { error, remedy: Remedy::Nothing }
    }

    pub(crate) fn passing(error: io::Error) -> Self {
        Self { error, remedy: Remedy::Repeat(None) }
    }

    pub(crate) fn changed() -> Self {
        Self::lasting(changed())
    }
}

/// The error for a file that changed while it was read.
pub(crate) fn changed() -> io::Error {
    io::Error::other("the file changed on the server while it was read")
}

/// Counts how often a request was repeated.
#[derive(Debug)]
pub(crate) struct Repeats {
    settings: Arc<Settings>,
    /// How often a request has failed since enough bytes were sent for the last time.
    pub(crate) failed: u32,
}

/// How often a connection is tried again.
const CONNECTS: u32 = 2;

/// The longest pause that a server may choose.
const LONGEST_CHOSEN: Duration = Duration::from_secs(60);

impl Repeats {
    pub(crate) fn new(settings: &Arc<Settings>) -> Self {
        Self { settings: Arc::clone(settings), failed: 0 }
    }

    /// Notes that enough bytes were sent.
    pub(crate) fn succeed(&mut self) {
        self.failed = 0;
    }

    /// Pauses before the request is repeated. Returns the error if it should not be. `has_begun` says that the server
    /// has answered before, so that its name is right.
    pub(crate) async fn pause(&mut self, failure: Failure, has_begun: bool) -> io::Result<()> {
        let Failure { error, remedy } = failure;
        let (most, chosen) = match remedy {
            Remedy::Nothing => return Err(error),
            Remedy::Connect if !has_begun => (CONNECTS.min(self.settings.repeats), None),
            Remedy::Connect => (self.settings.repeats, None),
            Remedy::Repeat(chosen) => (self.settings.repeats, chosen),
        };
        if self.failed >= most {
            return Err(error);
        }
        let pause = chosen.map_or_else(|| self.settings.pause(self.failed), |chosen| chosen.min(LONGEST_CHOSEN));
        self.failed += 1;
        tokio::time::sleep(pause).await;
        Ok(())
    }
}
