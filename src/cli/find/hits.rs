//! The lines of a list of hits, which are made on all cores.

use std::sync::{Mutex, PoisonError};

use anyhow::Result;

use crate::cli::find::print::Printer;
use crate::index::{GameHeading, Headings, Hit, Index, IndexError};
use crate::parallel::Workers;
use crate::pgn::token::Outcome;
use crate::rows::lines::{Cell, Lines};

/// The number of hits that a thread turns into lines at a time.
const PIECE: usize = 4096;

/// The number of hits that all threads turn into lines before the lines are printed. About 2 MB of hits and 10 MB of lines.
const AT_ONCE: usize = 16 * PIECE;

/// Makes lines of hits.
pub(super) struct HitLines<'i, 'l> {
    index: &'i Index,
    lines: &'l Lines,
    /// The position, if it is the first column.
    fen: Option<&'l str>,
    /// Readers of headings that no thread uses at the moment.
    idle: Mutex<Vec<Headings<'i>>>,
}

impl<'i, 'l> HitLines<'i, 'l> {
    pub(super) fn new(index: &'i Index, lines: &'l Lines, fen: Option<&'l str>) -> Self {
        Self { index, lines, fen, idle: Mutex::default() }
    }

    /// Prints hits in their order, and returns their number. The hits before an error are printed.
    pub(super) fn print(
        &self,
        mut hits: impl Iterator<Item = Result<Hit, IndexError>>,
        printer: &mut Printer,
    ) -> Result<u64> {
        // The threads; None before there are hits for more than one.
        let mut workers = None;
        let mut printed = 0;
        // The first rows come soon, even if the hits are slow to find.
        let mut at_once = PIECE;
        let mut several = Vec::new();
        loop {
            let next = hits.next().transpose();
            if let Ok(Some(hit)) = next {
                several.push(hit);
            }
            let is_last = !matches!(next, Ok(Some(_)));
            if is_last || several.len() == at_once {
                let pieces: Vec<&[Hit]> = several.chunks(PIECE).collect();
                if pieces.len() > 1 && workers.is_none() {
                    workers = Some(Workers::new(0)?);
                }
                let lines_of = |piece: usize| self.lines_of(pieces[piece]);
                let lines = match &workers {
                    Some(workers) => workers.share(pieces.len(), workers.count(), lines_of)?,
                    None => (0..pieces.len()).map(lines_of).collect::<Result<_, _>>()?,
                };
                lines.iter().try_for_each(|lines| printer.lines_of_rows(lines))?;
                printed += several.len() as u64;
                several.clear();
                at_once = (2 * at_once).min(AT_ONCE);
            }
            if next?.is_none() {
                return Ok(printed);
            }
        }
    }

    fn lines_of(&self, hits: &[Hit]) -> Result<Vec<u8>, IndexError> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut headings = idle.unwrap_or_else(|| self.index.headings());
        let mut out = Vec::new();
        let mut place = String::new();
        for hit in hits {
            let heading = headings.of(hit.game)?;
            let fen = self.fen.map(Cell::Text).into_iter();
            self.lines.row(fen.chain(hit_cells(hit.game, hit.ply, hit.result, heading, &mut place)), &mut out);
        }
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(headings);
        Ok(out)
    }
}

/// Returns the cells of a place in a game. `place` is memory for the first of them.
pub(super) fn hit_cells<'c>(
    game: u64,
    ply: u32,
    result: Outcome,
    heading: &'c GameHeading,
    place: &'c mut String,
) -> [Cell<'c>; 8] {
    // `write!` takes several times as long.
    place.clear();
    place.push_str(&heading.file);
    place.push(':');
    place.push_str(&heading.line.to_string());
    [
        Cell::Text(place),
        Cell::Number(game),
        Cell::Number(u64::from(ply)),
        Cell::Text(&heading.white),
        Cell::Text(&heading.black),
        Cell::Text(result.as_str()),
        Cell::Text(&heading.date),
        Cell::Text(heading.link().unwrap_or_default()),
    ]
}
