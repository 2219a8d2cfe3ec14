//! Reads a file from its first byte to its last.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::Arc;

use bytes::{Buf, Bytes};
use futures_util::StreamExt;
use tokio::sync::mpsc::{Receiver, channel};

use crate::answer::Answer;
use crate::core::Task;
use crate::open::{FIRST, First, Opened};

/// A reader of a file, which reads ahead.
#[derive(Debug)]
pub(crate) struct Reading {
    opened: Arc<Opened>,
    /// The bytes that are read next.
    parts: VecDeque<Bytes>,
    ahead: Ahead,
    /// The error that ended the reading. It is returned again, so that nobody takes it for the end of the file.
    failure: Option<(io::ErrorKind, String)>,
}

/// What is being sent.
#[derive(Debug)]
enum Ahead {
    /// Ranges, the first of which is read next.
    Ranges {
        tasks: VecDeque<Task<io::Result<Vec<Bytes>>>>,
        /// The end of the ranges, and the size of the next one.
        at: u64,
        size: u64,
    },
    /// The rest of the file.
    Stream { parts: Receiver<io::Result<Bytes>>, _task: Task<()> },
}

/// The most parts of a stream that wait to be read. A part has at most a few hundred kilobytes.
const WAITING: usize = 32;

impl Reading {
    /// Begins to read a file.
    pub(crate) fn new(opened: Arc<Opened>, first: First) -> io::Result<Self> {
        let ranges = || Ahead::Ranges { tasks: VecDeque::new(), at: 0, size: FIRST.min(opened.settings.range) };
        let (ahead, answer) = match first {
            First::Nothing => (ranges(), None),
            First::Range(answer) => (ranges(), Some(answer)),
            First::Whole(answer) => {
                let (sender, parts) = channel(WAITING);
                let task = opened.core.begin(forward(answer, sender))?;
                (Ahead::Stream { parts, _task: task }, None)
            }
        };
        let mut reading = Self { opened, parts: VecDeque::new(), ahead, failure: None };
        if answer.is_some() {
            reading.ask(answer)?;
        }
        Ok(reading)
    }

    /// Asks for the next range, if there is one.
    fn ask(&mut self, answer: Option<Answer>) -> io::Result<()> {
        if let Ahead::Ranges { tasks, at, size } = &mut self.ahead {
            let opened = Arc::clone(&self.opened);
            let end = opened.length.unwrap_or(0).min(*at + *size);
            if *at < end {
                let range = *at..end;
                *at = end;
                *size = (*size * 2).min(opened.settings.range);
                let core = Arc::clone(&opened.core);
                tasks.push_back(core.begin(async move { opened.range(range, answer).await })?);
            }
        }
        Ok(())
    }

    /// Receives more bytes. At the end of the file there are none.
    fn receive(&mut self) -> io::Result<()> {
        let most = self.opened.settings.ahead.max(1);
        while let Ahead::Ranges { tasks, at, .. } = &self.ahead
            && tasks.len() < most
            && *at < self.opened.length.unwrap_or(0)
        {
            self.ask(None)?;
        }
        match &mut self.ahead {
            Ahead::Ranges { tasks, .. } => {
                if let Some(task) = tasks.pop_front() {
                    self.parts.extend(self.opened.core.wait(task.result())???);
                    // The next range is on its way while these bytes are read.
                    self.ask(None)?;
                }
            }
            Ahead::Stream { parts, .. } => {
                if let Some(part) = self.opened.core.wait(parts.recv())? {
                    self.parts.push_back(part?);
                }
            }
        }
        Ok(())
    }
}

/// Receives a whole file. It ends with an error if it is too short.
async fn forward(mut answer: Answer, parts: tokio::sync::mpsc::Sender<io::Result<Bytes>>) {
    let mut at = 0;
    let place = |at: u64, reason: &dyn std::fmt::Display| {
        let total = answer.total.map(|total| format!(" of {total}")).unwrap_or_default();
        let message = format!(
            "the connection broke at byte {at}{total}, and the server sends no ranges of bytes, with which reading \
             could go on: {reason}"
        );
        io::Error::new(io::ErrorKind::UnexpectedEof, message)
    };
    while let Some(part) = answer.body.next().await {
        let part = part.map_err(|error| place(at, &error));
        at += part.as_ref().map_or(0, |part| part.len() as u64);
        let is_over = part.is_err();
        if parts.send(part).await.is_err() || is_over {
            return;
        }
    }
    if answer.total.is_some_and(|total| total != at) {
        let _ = parts.send(Err(place(at, &"the server sends too few bytes"))).await;
    }
}

impl Read for Reading {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        if self.parts.is_empty() {
            if let Some((kind, message)) = &self.failure {
                return Err(io::Error::new(*kind, message.clone()));
            }
            self.receive().inspect_err(|error| self.failure = Some((error.kind(), error.to_string())))?;
        }
        let Some(part) = self.parts.front_mut() else { return Ok(0) };
        let count = part.len().min(buffer.len());
        part.copy_to_slice(&mut buffer[..count]);
        if part.is_empty() {
            self.parts.pop_front();
        }
        Ok(count)
    }
}
