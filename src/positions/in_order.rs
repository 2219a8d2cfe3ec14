//! What can only be decided in the order of the games: how many there have been, and whether a position is a new one.

use std::ops::ControlFlow;

use crate::positions::{Batch, Positions};
use crate::selection::{Identities, Identity};

/// What is known of the run so far. It takes each batch in the order of the files, and takes out of it what is not wanted.
///
/// If only new positions are wanted, it remembers all there were: memory grows with them, and only then.
#[derive(Debug, Default)]
pub struct InOrder {
    /// How many more games are wanted; None for all.
    games_left: Option<u64>,
    /// None if positions may come again.
    seen: Option<Identities>,
}

impl InOrder {
    /// Nothing has been read yet.
    pub fn new(job: &Positions) -> Self {
        Self { games_left: job.max_games, seen: job.unique.then(Identities::default) }
    }

    /// Whether no more games are wanted.
    pub fn is_over(&self) -> bool {
        self.games_left == Some(0)
    }

    /// Takes the next batch. Breaks off when no more games are wanted.
    pub fn take(&mut self, batch: &mut Batch) -> ControlFlow<()> {
        if let Some(left) = &mut self.games_left {
            if batch.count.wanted >= *left {
                let last = batch.ends.iter().find(|end| end.count.wanted == *left).copied();
                batch.go_back_to(last.filter(|_| *left > 0).unwrap_or_default());
            }
            *left -= batch.count.wanted;
        }
        if let Some(seen) = &mut self.seen {
            batch.retain(|identity| seen.insert(identity));
        }
        if self.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Batch {
    /// Takes out the positions that are not wanted.
    fn retain(&mut self, is_wanted: impl FnMut(Identity) -> bool) {
        let wanted: Vec<bool> = self.identities.drain(..).map(is_wanted).collect();
        let count = wanted.iter().filter(|is_wanted| **is_wanted).count();
        if count == wanted.len() {
            return;
        }
        self.count.positions = count as u64;
        retain_lines(&mut self.output, &wanted);
        if !self.table.is_empty() {
            self.table.retain(|row| wanted[row]);
        }
    }
}

/// Takes out the lines that are not wanted.
fn retain_lines(lines: &mut Vec<u8>, is_wanted: &[bool]) {
    let (mut from, mut to) = (0, 0);
    for is_wanted in is_wanted {
        let Some(length) = memchr::memchr(b'\n', &lines[from..]) else {
            break;
        };
        let end = from + length + 1;
        if *is_wanted {
            lines.copy_within(from..end, to);
            to += end - from;
        }
        from = end;
    }
    lines.truncate(to);
}

#[cfg(test)]
mod tests {
    use super::retain_lines;

    #[test]
    fn lines_are_taken_out_whole() {
        let mut lines = b"a\nbb\n\nccc\n".to_vec();
        retain_lines(&mut lines, &[false, true, false, true]);
        assert_eq!(lines, b"bb\nccc\n");
        retain_lines(&mut lines, &[true, false]);
        assert_eq!(lines, b"bb\n");
    }
}
