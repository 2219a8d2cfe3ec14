//! Opening suites: positions from which engines play matches, as EPD.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::PathBuf;

use crate::books::choice::BookChoice;
use crate::books::error::BookError;
use crate::books::percent::Balance;
use crate::books::places::{BookPlace, Places};
use crate::{GameTexts, Index, KeyCount, NoText, Progress, QueryWarning};
use pgn2fen_chess::fen::{self, EpStyle, FenStyle, Fields};
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::position::Position;
use pgn2fen_games::parallel::Workers;

/// The options of an opening suite, and the function that writes it as EPD.
///
/// Each position is written once, in the order in which the games of the index first reach them. Positions without a
/// legal move are left out. A line has the first four fields of the FEN, and the operations `hmvc` and `fmvn` with the
/// move counters of the first game.
///
/// The positions are read from the games, so the files of the index must be there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpeningSuite {
    /// The games and positions.
    pub choice: BookChoice,
    /// The limits of White's score in the games that reached a position. Positions without a known result have no
    /// score. None for any score, or none.
    pub balance: Option<Balance>,
    /// The greatest number of positions. None for all.
    pub max_positions: Option<u64>,
    /// The folder for temporary files, which are needed for more than two million positions. None for that of the
    /// system.
    pub temporary_folder: Option<PathBuf>,
}

/// The size of a suite that was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WrittenSuite {
    /// The number of positions.
    pub positions: u64,
    /// The number of positions that were left out because their games could not be read.
    pub unread: u64,
}

impl OpeningSuite {
    /// Writes the suite. `report` is called for each file, and each game, from which positions cannot be read; these
    /// positions are left out. Memory does not depend on the size of the index, but for three bits a game. `progress`
    /// is called twice for each number of its second argument: while the positions are counted, and while they are
    /// written. It may stop the work.
    ///
    /// # Errors
    ///
    /// Fails for [wrong options](BookChoice::check), if the index cannot be read, if the output cannot be written, or
    /// if `progress` stopped the work.
    pub fn write(
        &self,
        index: &Index,
        workers: &Workers,
        output: &mut impl Write,
        report: &mut dyn FnMut(&QueryWarning),
        progress: &Progress<'_>,
    ) -> Result<WrittenSuite, BookError> {
        let postings = self.choice.postings(index)?;
        let mut places = Places::new(self.temporary_folder.clone());
        index.count_by_key(
            workers,
            &postings,
            |count, made: &mut Vec<BookPlace>| {
                if self.wants(count) {
                    made.push(BookPlace { game: count.place.game, ply: count.place.ply, key: count.key });
                }
                Ok(())
            },
            |made| made.into_iter().try_for_each(|place| places.push(place)).map_err(BookError::Write),
            progress,
        )?;
        self.write_places(index, places, output, report, progress)
    }

    fn wants(&self, count: &KeyCount<'_>) -> bool {
        self.balance.is_none_or(|balance| balance.contains(&count.results(), Color::White))
    }

    /// Writes the positions at these places.
    fn write_places(
        &self,
        index: &Index,
        places: Places,
        output: &mut impl Write,
        report: &mut dyn FnMut(&QueryWarning),
        progress: &Progress<'_>,
    ) -> Result<WrittenSuite, BookError> {
        let mut written = WrittenSuite::default();
        let mut texts = GameTexts::new(index);
        let mut lines = SuiteLines::default();
        let all = usize::try_from(places.len()).unwrap_or(usize::MAX);
        let mut done = 0;
        let mut places = places.sorted()?.peekable();
        while self.max_positions.is_none_or(|most| written.positions < most) {
            let game = next_game(&mut places)?;
            let Some(first) = game.first() else {
                break;
            };
            let plies: Vec<u32> = game.iter().map(|place| place.ply).collect();
            let positions = match texts.positions(first.game, &plies) {
                Ok(positions) => positions,
                Err(NoText::Index(error)) => return Err(error.into()),
                Err(error) => {
                    if let NoText::File(name, reason) = error {
                        report(&QueryWarning::File { name, reason });
                    }
                    written.unread += game.len() as u64;
                    continue;
                }
            };
            for (at, place) in game.iter().enumerate() {
                let Some(position) = positions.get(at).filter(|position| crate::key(position) == place.key) else {
                    report(&index.query(|_| ()).not_reached(place.game, place.ply)?);
                    written.unread += 1;
                    continue;
                };
                let is_open = self.max_positions.is_none_or(|most| written.positions < most);
                if is_open && lines.push(position) {
                    written.positions += 1;
                }
            }
            output.write_all(&lines.text)?;
            lines.text.clear();
            done += game.len();
            if progress(done, all).is_break() {
                return Err(BookError::Stopped);
            }
        }
        Ok(written)
    }
}

/// Returns the places in the next game; none at the end.
fn next_game(
    places: &mut std::iter::Peekable<impl Iterator<Item = io::Result<BookPlace>>>,
) -> Result<Vec<BookPlace>, BookError> {
    let mut game: Vec<BookPlace> = Vec::new();
    while let Some(place) = places.next_if(|next| match (next, game.first()) {
        (Ok(next), Some(first)) => next.game == first.game,
        _ => true,
    }) {
        game.push(place?);
    }
    Ok(game)
}

/// Lines of EPD.
#[derive(Default)]
struct SuiteLines {
    text: Vec<u8>,
    /// The least keys of the positions so far that have several keys, of which there are few. So they are written once,
    /// too.
    with_several_keys: HashSet<u64>,
}

impl SuiteLines {
    /// Adds the line of a position. Returns false if it has no legal move, or was written before.
    fn push(&mut self, position: &Position) -> bool {
        let keys = crate::keys(position);
        let is_known = keys.len() > 1 && keys.iter().min().is_some_and(|key| !self.with_several_keys.insert(*key));
        if is_known || position.legal_moves().is_empty() {
            return false;
        }
        let style = FenStyle { ep: EpStyle::Legal, fields: Fields::Four, ..FenStyle::default() };
        fen::append(position, style, &mut self.text);
        let counters = format!(" hmvc {}; fmvn {};\n", position.halfmoves(), position.fullmoves());
        self.text.extend_from_slice(counters.as_bytes());
        true
    }
}
