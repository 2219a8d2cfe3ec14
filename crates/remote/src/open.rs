//! A file that is open: its ranges, and connections that break.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::StreamExt;

use crate::address::Address;
use crate::answer::{Answer, Failure, Repeats, Version, changed};
use crate::core::Core;
use crate::object::Object;
use crate::settings::Settings;
use crate::{store, web};

/// A file that is open.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) core: Arc<Core>,
    pub(crate) settings: Arc<Settings>,
    object: Object,
    /// The number of bytes. `None` only if the server sends no ranges.
    pub(crate) length: Option<u64>,
    version: Version,
    has_ranges: bool,
}

/// The first answer of a server.
pub(crate) enum First {
    /// The file has been found, and nothing has been sent.
    Nothing,
    /// The first bytes are being sent.
    Range(Answer),
    /// The file is being sent, and the server sends no ranges.
    Whole(Answer),
}

/// The size of the first range, in bytes. Each range has twice the size of the one before it, up to a limit.
pub(crate) const FIRST: u64 = 256 << 10;

impl Opened {
    /// Opens a file.
    pub(crate) async fn begin(
        core: Arc<Core>,
        settings: Arc<Settings>,
        address: &Address,
    ) -> io::Result<(Self, First)> {
        let file = match address {
            Address::Bucket(bucket) => {
                let (object, length, version) = store::open(&core, &settings, bucket).await?;
                let (object, length) = (Object::Store(object), Some(length));
                return Ok((Self { core, settings, object, length, version, has_ranges: true }, First::Nothing));
            }
            Address::Web(web) => web.clone(),
            Address::Hub(hub) => hub.web()?,
        };
        let mut repeats = Repeats::new(&settings);
        let answer = loop {
            let range = 0..FIRST.min(settings.range);
            match web::get(&core, &file, Some(range), &Version::default()).await {
                Ok(answer) => break answer,
                Err(failure) => repeats.pause(failure, false).await?,
            }
        };
        if answer.start != 0 {
            return Err(misplaced(0));
        }
        let (length, version, has_ranges) = (answer.total, answer.version.clone(), answer.is_range);
        let first = if has_ranges { First::Range(answer) } else { First::Whole(answer) };
        Ok((Self { core, settings, object: Object::Web(file), length, version, has_ranges }, first))
    }

    /// Whether the server sends ranges of bytes.
    pub(crate) fn has_ranges(&self) -> bool {
        self.has_ranges
    }

    /// Returns the bytes of a range, all of them. `answer` has them, if they have been asked for.
    pub(crate) async fn range(&self, range: Range<u64>, mut answer: Option<Answer>) -> io::Result<Vec<Bytes>> {
        let (mut parts, mut at) = (Vec::new(), range.start);
        let mut repeats = Repeats::new(&self.settings);
        let mut settled = at;
        while at < range.end {
            let got = match answer.take() {
                Some(answer) => Ok(answer),
                None => self.object.get(&self.core, at..range.end, &self.version).await,
            };
            let failure = match got {
                Err(failure) => failure,
                Ok(answer) => {
                    self.check(&answer, at)?;
                    let reason = receive(answer, &mut at, range.end, &mut parts).await;
                    // A server that sends a byte and breaks the connection, each time, has not succeeded.
                    if at - settled >= self.settings.floor {
                        repeats.succeed();
                        settled = at;
                    }
                    Failure::passing(reason)
                }
            };
            if at < range.end {
                let failed = repeats.failed + 1;
                repeats.pause(failure, true).await.map_err(|error| self.broken(at, failed, &error))?;
            }
        }
        Ok(parts)
    }

    /// Refuses bytes of another version of the file, or from another place. What told the version in the first answer
    /// must tell it in every answer.
    fn check(&self, answer: &Answer, at: u64) -> io::Result<()> {
        let differs = |before: &Option<String>, now: &Option<String>| before.is_some() && before != now;
        let Version { etag, modified } = &answer.version;
        let is_other = differs(&self.version.etag, etag)
            // A server may give each answer a time of its own.
            || self.version.etag.is_none() && differs(&self.version.modified, modified);
        if is_other || answer.total != self.length {
            return Err(changed());
        }
        if !answer.is_range || answer.start != at {
            return Err(misplaced(at));
        }
        Ok(())
    }

    /// Returns the error for a file whose connection broke, or could not be made, at this byte.
    fn broken(&self, at: u64, failed: u32, error: &io::Error) -> io::Error {
        let often = if failed > 1 { format!(", {failed} times in a row") } else { String::new() };
        let place = self.length.map(|length| format!(" of {length}")).unwrap_or_default();
        io::Error::new(error.kind(), format!("cannot be read at byte {at}{place}{often}: {error}"))
    }
}

/// The error for bytes from another place.
fn misplaced(at: u64) -> io::Error {
    io::Error::other(format!("cannot be read, because the server sends other bytes than those from byte {at}"))
}

/// Receives bytes up to the end of a range. Returns why there are no more.
async fn receive(mut answer: Answer, at: &mut u64, end: u64, parts: &mut Vec<Bytes>) -> io::Error {
    while *at < end {
        match answer.body.next().await {
            None => return io::Error::new(io::ErrorKind::UnexpectedEof, "the server sends too few bytes"),
            Some(Err(error)) => return error,
            Some(Ok(mut bytes)) => {
                bytes.truncate(usize::try_from(end - *at).unwrap_or(usize::MAX));
                *at += bytes.len() as u64;
                if !bytes.is_empty() {
                    parts.push(bytes);
                }
            }
        }
    }
    io::Error::other("the range is complete")
}
