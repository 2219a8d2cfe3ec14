//! An output that writes duplicates to a file of their own.

use std::ops::ControlFlow;
use std::path::Path;

use crate::jobs::games::copying::{Bind, Copied};
use crate::jobs::writing::AnyOutput;
use crate::{Close, WriteError};
use pgn2fen_games::walk::{LeftOut, Output, OutputStages};

/// Writes the duplicates one after another, and leaves the other copies to another output.
pub(super) struct Aside<'w> {
    pub(super) main: AnyOutput<'w, Copied>,
    pub(super) duplicates: Box<Bind<'w>>,
}

impl Close<Copied> for Aside<'_> {
    fn close(self: Box<Self>, counts: &[u64]) -> Result<LeftOut, WriteError> {
        let left_out = self.main.close(counts)?;
        self.duplicates.close(counts)?;
        Ok(left_out)
    }
}

impl Output<Copied> for Aside<'_> {
    fn begin_file(&mut self, path: &Path) {
        self.main.begin_file(path);
        self.duplicates.begin_file(path);
    }

    fn stages(&mut self) -> OutputStages<'_, Copied> {
        let OutputStages { mut order, encode, mut deliver } = self.main.stages();
        let mut aside = self.duplicates.stages();
        let deliver = move |made: &mut Copied| {
            let is_over = made.duplicates_mut().is_some_and(|duplicates| (aside.deliver)(duplicates).is_break());
            if is_over { ControlFlow::Break(()) } else { deliver(made) }
        };
        OutputStages::deliver(deliver).encode(encode).order(move |made, position| {
            order(made, position);
            if let Some(duplicates) = made.duplicates_mut() {
                (aside.order)(duplicates, position);
            }
        })
    }

    fn is_full(&self) -> bool {
        self.main.is_full() || self.duplicates.is_full()
    }
}
