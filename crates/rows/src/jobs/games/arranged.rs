//! Outputs that write copies in another order, or to several files.

use std::io::{BufWriter, Write};
use std::ops::ControlFlow;

use crate::jobs::games::contest::Contest;
use crate::jobs::games::copying::Copied;
use crate::jobs::games::spool::Spool;
use crate::{Close, SharedWriter, WriteError};
use pgn2fen_games::walk::{LeftOut, Output, OutputStages};

/// The last stage of an output: takes one copy after another.
pub(super) trait Route: Send {
    /// Writes a copy to the file with this name.
    fn put(&mut self, place: &[u8], text: &[u8]) -> Result<(), WriteError>;

    /// Writes the rest.
    fn end(self: Box<Self>) -> Result<(), WriteError>;
}

/// Writes copies by their labels.
pub(super) struct Arranged<'w> {
    /// The copies, until all are known; None if they are written in the order in which they come.
    spool: Option<Spool>,
    /// Which of the games that are the same is kept, if that is known only when all are known.
    contest: Option<Contest>,
    /// The writer of the games that are not kept.
    duplicates: Option<OneFile<'w>>,
    route: Box<dyn Route + 'w>,
    failure: Option<WriteError>,
}

impl<'w> Arranged<'w> {
    pub(super) fn new(spool: Option<Spool>, route: impl Route + 'w) -> Self {
        Self { spool, contest: None, duplicates: None, route: Box::new(route), failure: None }
    }

    /// Keeps one of the games that are the same, and writes the others to `duplicates`. Needs a spool.
    pub(super) fn contest(self, contest: Option<Contest>, duplicates: Option<OneFile<'w>>) -> Self {
        Self { contest, duplicates, ..self }
    }

    fn take(&mut self, made: &Copied) -> ControlFlow<()> {
        if let Some(contest) = &mut self.contest {
            made.claims().for_each(|claim| contest.push(claim));
        }
        for (text, (key, place)) in made.labelled() {
            let taken = match &mut self.spool {
                Some(spool) => spool.push(key, place, text).map_err(WriteError::Io),
                None => self.route.put(place, text),
            };
            if let Err(error) = taken {
                self.failure = Some(error);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}

impl Close<Copied> for Arranged<'_> {
    fn close(self: Box<Self>, _: &[u64]) -> Result<LeftOut, WriteError> {
        let Self { spool, contest, duplicates, mut route, failure } = *self;
        if let Some(failure) = failure {
            return Err(failure);
        }
        let mut left_out = LeftOut::default();
        if let Some(mut spool) = spool {
            if let Some(contest) = contest {
                let kept = contest.kept();
                left_out.duplicates = kept.iter().filter(|is_kept| !**is_kept).count() as u64;
                let mut duplicates = duplicates;
                spool.retain(&kept, |text| match &mut duplicates {
                    Some(duplicates) => duplicates.put(&[], text),
                    None => Ok(()),
                })?;
                duplicates.map_or(Ok(()), |duplicates| Box::new(duplicates).end())?;
            }
            spool.drain(|place, text| route.put(place, text))?;
        }
        route.end()?;
        Ok(left_out)
    }
}

impl Output<Copied> for Arranged<'_> {
    fn stages(&mut self) -> OutputStages<'_, Copied> {
        OutputStages::deliver(|made| self.take(made))
    }

    fn is_full(&self) -> bool {
        self.failure.is_some()
    }
}

/// Writes all copies to one writer.
pub(super) struct OneFile<'w>(BufWriter<SharedWriter<'w>>);

impl<'w> OneFile<'w> {
    pub(super) fn new(writer: SharedWriter<'w>) -> Self {
        Self(BufWriter::with_capacity(1 << 16, writer))
    }
}

impl Route for OneFile<'_> {
    fn put(&mut self, _: &[u8], text: &[u8]) -> Result<(), WriteError> {
        self.0.write_all(text).map_err(WriteError::Io)
    }

    fn end(mut self: Box<Self>) -> Result<(), WriteError> {
        self.0.flush().map_err(WriteError::Io)
    }
}
