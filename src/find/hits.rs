//! The lines of a list of hits, which are made on all cores.

use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::Result;

use crate::find::print::Printer;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::pgn::token::Outcome;
use pgn2fen_index::{HeadingView, Headings, Hit, Index, IndexError};
use pgn2fen_rows::lines::{Cell, Lines};

/// The number of hits that are read before the first lines are made.
const FIRST: usize = 1024;

/// The number of hits that all threads turn into lines before the lines are printed. About 1 MB of hits and 3 MB of
/// lines, and as much again for the hits that are read and the lines that are printed meanwhile.
const AT_ONCE: usize = 32 * FIRST;

/// The number of pieces for each thread. A thread that is done early takes one more.
const PIECES: usize = 8;

/// The smallest number of hits of a piece, about. A thread opens a table before it makes its first line.
const PIECE: usize = 32;

/// The number of hits up to which other threads are not worth their start.
const FEW: usize = 128;

/// Makes lines of hits.
pub(super) struct HitLines<'i, 'l> {
    index: &'i Index,
    lines: &'l Lines,
    /// The columns before those of a hit.
    leading: &'l [Cell<'l>],
    /// Readers of headings that no thread uses at the moment.
    idle: Mutex<Vec<Headings<'i>>>,
    /// Buffers that are used again.
    buffers: Mutex<Vec<Vec<u8>>>,
}

impl<'i, 'l> HitLines<'i, 'l> {
    pub(super) fn new(index: &'i Index, lines: &'l Lines, leading: &'l [Cell<'l>]) -> Self {
        Self { index, lines, leading, idle: Mutex::default(), buffers: Mutex::default() }
    }

    /// Prints hits in their order, and returns their number. If a hit cannot be read, those before it are printed. The
    /// threads are started when there are hits for several, unless they were started before.
    pub(super) fn print(
        &self,
        mut hits: impl Iterator<Item = Result<Hit, IndexError>>,
        threads: &mut Option<Workers>,
        printer: &mut Printer,
    ) -> Result<u64> {
        // The first lines are printed soon, even if the hits are slow to find.
        let first = Several::read(&mut hits, FIRST);
        let mut printed = first.hits.len() as u64;
        if first.hits.len() <= FEW {
            self.print_lines(vec![self.lines_of(&first.hits)?], printer)?;
            return first.end.map(|()| printed).map_err(Into::into);
        }
        let workers = match threads {
            Some(workers) => workers,
            None => threads.insert(Workers::new(0)?),
        };
        self.print_lines(self.lines_beside(&first.hits, workers, || ()).0?, printer)?;
        let mut at_once = FIRST;
        let mut next = first.read_next(&mut hits, at_once);
        // The lines that are not printed yet.
        let mut made = Vec::new();
        while !next.hits.is_empty() {
            printed += next.hits.len() as u64;
            at_once = (2 * at_once).min(AT_ONCE);
            let several = std::mem::take(&mut next.hits);
            // Meanwhile this thread prints the last lines and reads the next hits.
            let (lines, read) = self.lines_beside(&several, workers, || {
                self.print_lines(std::mem::take(&mut made), printer)?;
                Ok::<_, anyhow::Error>(next.read_next(&mut hits, at_once))
            });
            next = read?;
            made = lines?;
        }
        self.print_lines(made, printer)?;
        next.end.map(|()| printed).map_err(Into::into)
    }

    /// Makes the lines of hits on all threads, and does something else on this one meanwhile.
    fn lines_beside<R>(
        &self,
        hits: &[Hit],
        workers: &Workers,
        beside: impl FnOnce() -> R,
    ) -> (Result<Vec<Vec<u8>>, IndexError>, R) {
        let pieces = self.pieces(hits, PIECES * workers.count());
        workers.share_beside(pieces.len(), workers.count(), |piece| self.lines_of(pieces[piece]), beside)
    }

    /// Divides hits into at most so many pieces, between games that are not read together.
    fn pieces<'h>(&self, mut hits: &'h [Hit], most: usize) -> Vec<&'h [Hit]> {
        let least = hits.len().div_ceil(most).max(PIECE);
        let mut pieces = Vec::new();
        while let Some(next) = hits.get(least) {
            let together = self.index.games_beside(next.game);
            let more = hits[least..].iter().take_while(|hit| together.contains(&hit.game)).count();
            let (piece, rest) = hits.split_at(least + more);
            pieces.push(piece);
            hits = rest;
        }
        pieces.push(hits);
        pieces
    }

    fn lines_of(&self, hits: &[Hit]) -> Result<Vec<u8>, IndexError> {
        let idle = lock(&self.idle).pop();
        let mut headings = idle.unwrap_or_else(|| self.index.headings());
        let mut out = lock(&self.buffers).pop().unwrap_or_default();
        let mut place = String::new();
        for hit in hits {
            let heading = headings.view(hit.game)?;
            let cells = hit_cells(hit.game, hit.ply, hit.result, &heading, &mut place);
            match self.leading {
                [] => self.lines.row(cells.iter().copied(), &mut out),
                leading => self.lines.row(leading.iter().copied().chain(cells), &mut out),
            }
        }
        lock(&self.idle).push(headings);
        Ok(out)
    }

    fn print_lines(&self, lines: Vec<Vec<u8>>, printer: &mut Printer) -> Result<()> {
        for mut lines in lines {
            printer.lines_of_rows(&lines)?;
            lines.clear();
            lock(&self.buffers).push(lines);
        }
        Ok(())
    }
}

/// Some hits in their order.
struct Several {
    hits: Vec<Hit>,
    /// The error behind them, if there is one.
    end: Result<(), IndexError>,
}

impl Several {
    fn read(hits: &mut impl Iterator<Item = Result<Hit, IndexError>>, most: usize) -> Self {
        let mut several = Self { hits: Vec::new(), end: Ok(()) };
        for hit in hits.take(most) {
            match hit {
                Ok(hit) => several.hits.push(hit),
                Err(error) => {
                    several.end = Err(error);
                    break;
                }
            }
        }
        several
    }

    /// Reads the hits behind these. Behind an error there are none.
    fn read_next(self, hits: &mut impl Iterator<Item = Result<Hit, IndexError>>, most: usize) -> Self {
        match self.end {
            Ok(()) => Self::read(hits, most),
            Err(_) => Self { hits: Vec::new(), ..self },
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the cells of a place in a game. `place` is memory for the first of them.
pub(super) fn hit_cells<'c>(
    game: u64,
    ply: u32,
    result: Outcome,
    heading: &HeadingView<'c>,
    place: &'c mut String,
) -> [Cell<'c>; 8] {
    // `write!` takes several times as long.
    place.clear();
    place.push_str(heading.file);
    place.push(':');
    push_number(heading.line, place);
    [
        Cell::Text(place),
        Cell::Number(game),
        Cell::Number(u64::from(ply)),
        Cell::Text(heading.white),
        Cell::Text(heading.black),
        Cell::Text(result.as_str()),
        Cell::Text(heading.date),
        Cell::Text(heading.link().unwrap_or_default()),
    ]
}

/// Appends a number in digits.
fn push_number(mut number: u64, text: &mut String) {
    let mut digits = [b'0'; 20];
    let mut start = digits.len();
    while number > 0 || start == digits.len() {
        start -= 1;
        digits[start] += (number % 10) as u8;
        number /= 10;
    }
    text.push_str(str::from_utf8(&digits[start..]).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::push_number;

    #[test]
    fn numbers_are_written_in_digits() {
        for number in [0, 9, 10, 12_345, u64::MAX] {
            let mut text = "a:".to_owned();
            push_number(number, &mut text);
            assert_eq!(text, format!("a:{number}"));
        }
    }
}
