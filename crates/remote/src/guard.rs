//! The body of an answer, which must come at some pace, and end where it is held in memory.

use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::FutureExt;
use http_body::{Body, Frame};
use object_store::client::{HttpError, HttpErrorKind, HttpResponseBody};
use tokio::time::Sleep;

use crate::locks::lock;
use crate::pages::Pages;
use crate::settings::Settings;

/// The most bytes of an answer that is held in memory: a page of a list, or a token. Files are not.
pub(crate) const HELD: usize = 16 << 20;

/// The bytes that are read of what a server says about a failure. The rest is left out.
pub(crate) const SAID: usize = 8 << 10;

/// How much of a body is read.
#[derive(Debug)]
pub(crate) enum Room {
    /// All of it. It is passed on, and not held.
    File,
    /// All of it, and no more than this.
    Held(usize),
    /// The first bytes.
    Said(usize),
}

/// The least pace of a body: so many bytes in such a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    pub(crate) floor: u64,
    pub(crate) patience: Duration,
}

impl Pace {
    pub(crate) fn of(settings: &Settings) -> Self {
        Self { floor: settings.floor, patience: settings.patience }
    }
}

/// A reason to read no more.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// There is no answer.
    Silent(Pace),
    /// The body comes too slowly.
    Slow(Pace),
    /// There is too much to hold.
    Long,
    /// The list has no end.
    Endless(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Silent(Pace { patience, .. }) => write!(f, "nothing came in {} seconds", patience.as_secs_f32()),
            Self::Slow(Pace { floor, patience }) => {
                write!(f, "the server sends fewer than {floor} bytes in {} seconds", patience.as_secs_f32())
            }
            Self::Long => write!(f, "the server sends more than {} MiB where it should send little", HELD >> 20),
            Self::Endless(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for Refusal {}

impl Refusal {
    /// Whether asking again may help.
    pub(crate) fn is_passing(&self) -> bool {
        matches!(self, Self::Silent(_) | Self::Slow(_))
    }
}

impl From<Refusal> for HttpError {
    fn from(refusal: Refusal) -> Self {
        let kind = if refusal.is_passing() { HttpErrorKind::Timeout } else { HttpErrorKind::Unknown };
        Self::new(kind, refusal)
    }
}

/// A body that is watched. The client would count the time that a reader takes between two parts, so it has no limit of
/// its own.
#[derive(Debug)]
pub(crate) struct Guarded {
    body: HttpResponseBody,
    room: Room,
    /// The list that the body is a page of.
    pages: Option<Arc<Mutex<Pages>>>,
    pace: Pace,
    /// The bytes that came since the time was set, and what is left of the time. Only waiting takes time, so that a
    /// slow reader is not a slow server.
    came: u64,
    left: Duration,
    waits_since: Option<Instant>,
    timer: Option<Pin<Box<Sleep>>>,
}

impl Guarded {
    pub(crate) fn new(body: HttpResponseBody, room: Room, pages: Option<Arc<Mutex<Pages>>>, pace: Pace) -> Self {
        let left = pace.patience;
        Self { body, room, pages, pace, came: 0, left, waits_since: None, timer: None }
    }

    /// Waits for bytes. Returns whether it has done so for too long.
    fn wait(&mut self, context: &mut Context<'_>) -> bool {
        let left = self.left;
        let timer = self.timer.get_or_insert_with(|| Box::pin(tokio::time::sleep(left)));
        if self.waits_since.is_none() {
            self.waits_since = Some(Instant::now());
            timer.as_mut().reset(tokio::time::Instant::now() + left);
        }
        timer.poll_unpin(context).is_ready()
    }

    /// Notes that bytes came.
    fn take(&mut self, bytes: &mut Bytes) -> Result<(), Refusal> {
        if let Some(since) = self.waits_since.take() {
            self.left = self.left.saturating_sub(since.elapsed());
        }
        self.came += bytes.len() as u64;
        if self.came >= self.pace.floor {
            (self.came, self.left) = (0, self.pace.patience);
        } else if self.left.is_zero() {
            return Err(Refusal::Slow(self.pace));
        }
        if let Some(pages) = &self.pages {
            let sent = lock(pages).send(bytes.len());
            sent.map_err(|error| Refusal::Endless(error.to_string()))?;
        }
        match &mut self.room {
            Room::File => {}
            Room::Held(left) => *left = left.checked_sub(bytes.len()).ok_or(Refusal::Long)?,
            Room::Said(left) => {
                bytes.truncate(*left);
                *left -= bytes.len();
            }
        }
        Ok(())
    }
}

impl Body for Guarded {
    type Data = Bytes;
    type Error = HttpError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, HttpError>>> {
        if matches!(self.room, Room::Said(0)) {
            return Poll::Ready(None);
        }
        match Pin::new(&mut self.body).poll_frame(context) {
            Poll::Pending if self.wait(context) => Poll::Ready(Some(Err(Refusal::Slow(self.pace).into()))),
            Poll::Ready(Some(Ok(frame))) => Poll::Ready(Some(match frame.into_data() {
                Ok(mut bytes) => self.take(&mut bytes).map(|()| Frame::data(bytes)).map_err(HttpError::from),
                Err(trailers) => Ok(trailers),
            })),
            other => other,
        }
    }

    // No size is told before: memory is taken for what has come, and not for what a server announces.
}
