//! An output that writes duplicates to a file of their own.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;

use crate::games::copying::{Bind, Copied};
use crate::{Close, WriteError};
use pgn2fen_games::walk::{LeftOut, Output, OutputStages};

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
