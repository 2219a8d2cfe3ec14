//! An output that writes duplicates to a file of their own.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;

use crate::games::copying::{Bind, Copied};
use crate::{Close, WriteError};
use pgn2fen_games::walk::{BlockPosition, Deliver, LeftOut, Output};

/// Writes the duplicates one after another, and leaves the other copies to another output.
#[derive(Debug)]
pub(super) struct Aside<O, D> {
    pub(super) main: O,
    pub(super) duplicates: Bind<D>,
}

impl<O: Close, D: Write + Send> Close for Aside<O, D> {
    type Writer = (O::Writer, D);

    fn close(self, counts: &[u64]) -> Result<(Self::Writer, LeftOut), WriteError> {
        let (main, left_out) = self.main.close(counts)?;
        let (duplicates, _) = self.duplicates.close(counts)?;
        Ok(((main, duplicates), left_out))
    }
}

impl<O: Output<Copied>, D: Write + Send> Output<Copied> for Aside<O, D> {
    fn begin_file(&mut self, path: &Path) {
        self.main.begin_file(path);
        self.duplicates.begin_file(path);
    }

    fn stages(
        &mut self,
    ) -> (impl FnMut(&mut Copied, &BlockPosition<'_>) + Send, impl Fn(&mut Copied) + Sync, impl Deliver<Copied>) {
        let (mut bind, encode, mut deliver) = self.main.stages();
        let (mut bind_aside, _, mut deliver_aside) = self.duplicates.stages();
        let bind = move |made: &mut Copied, stretch: &BlockPosition<'_>| {
            bind(made, stretch);
            if let Some(duplicates) = made.duplicates_mut() {
                bind_aside(duplicates, stretch);
            }
        };
        let deliver = move |made: &mut Copied| {
            let is_over = made.duplicates_mut().is_some_and(|duplicates| deliver_aside(duplicates).is_break());
            if is_over { ControlFlow::Break(()) } else { deliver(made) }
        };
        (bind, encode, deliver)
    }

    fn is_full(&self) -> bool {
        self.main.is_full() || self.duplicates.is_full()
    }
}
