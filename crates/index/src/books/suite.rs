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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::ops::ControlFlow;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::{OpeningSuite, WrittenSuite};
    use crate::books::{BookChoice, BookError};
    use crate::tests::{Desk, EN_PASSANT, FIRST, SECOND};
    use pgn2fen_games::parallel::Workers;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - hmvc 0; fmvn 1;";
    const E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - hmvc 0; fmvn 1;";
    const E4_E5_NF3: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - hmvc 1; fmvn 2;";
    const NF3: &str = "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - hmvc 1; fmvn 1;";

    /// Writes a suite of the positions that so many games reached. Returns its lines and what was reported.
    fn write(desk: &Desk, min_games: u64, suite: OpeningSuite) -> (WrittenSuite, Vec<String>, Vec<String>) {
        let choice = BookChoice { min_games, ..suite.choice };
        let suite = OpeningSuite { choice, ..suite };
        let (mut text, mut reported) = (Vec::new(), Vec::new());
        let workers = Workers::new(1).unwrap();
        let steps = Mutex::new(Vec::new());
        let progress = |done, all| {
            steps.lock().unwrap().push((done, all));
            ControlFlow::Continue(())
        };
        let mut report = |warning: &crate::QueryWarning| reported.push(warning.to_string());
        let written = suite.write(&desk.index, &workers, &mut text, &mut report, &progress).unwrap();
        // There is one step for counting, and one for each game with positions.
        let steps = steps.into_inner().unwrap();
        assert!(steps[1..].is_sorted_by(|before, next| before.0 < next.0 && before.1 == next.1), "{steps:?}");
        if written.unread == 0 && suite.max_positions.is_none() {
            assert!(steps.last().is_some_and(|(done, all)| done == all), "{steps:?}");
        }
        let lines: Vec<String> = String::from_utf8(text).unwrap().lines().map(str::to_owned).collect();
        assert_eq!(written.positions, lines.len() as u64);
        (written, lines, reported)
    }

    #[test]
    fn positions_come_in_the_order_of_the_games_that_reach_them_first() {
        let desk = Desk::of(&[("first.pgn", FIRST), ("second.pgn", SECOND)]);
        let lines = |suite| write(&desk, 2, suite).1;
        assert_eq!(lines(OpeningSuite::default()), [START, E4, E4_E5_NF3, NF3]);
        assert_eq!(lines(OpeningSuite { max_positions: Some(2), ..OpeningSuite::default() }), [START, E4]);
        assert_eq!(lines(OpeningSuite { max_positions: Some(0), ..OpeningSuite::default() }), [""; 0]);
        // White's scores are 62.5, 75, 50 and 50 per cent.
        let balance = |text: &str| OpeningSuite { balance: text.parse().ok(), ..OpeningSuite::default() };
        assert_eq!(lines(balance("45..55")), [E4_E5_NF3, NF3]);
        assert_eq!(lines(balance("60..")), [START, E4]);
        let choice = BookChoice { plies: "1".parse().unwrap(), ..BookChoice::default() };
        assert_eq!(lines(OpeningSuite { choice, ..OpeningSuite::default() }), [E4, NF3]);
    }

    #[test]
    fn a_position_without_a_legal_move_is_left_out() {
        let desk = Desk::of(&[("a.pgn", "1. f3 e5 2. g4 Qh4# 0-1\n")]);
        let (written, lines, reported) = write(&desk, 1, OpeningSuite::default());
        assert_eq!((written.positions, written.unread, reported.len()), (4, 0, 0));
        assert_eq!(lines[0], START);
        assert_eq!(lines[3], "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - hmvc 0; fmvn 2;");
    }

    #[test]
    fn a_position_with_several_keys_is_written_once() {
        let desk = Desk::of(&[("a.pgn", EN_PASSANT)]);
        let (_, lines, _) = write(&desk, 1, OpeningSuite::default());
        assert_eq!(
            lines,
            [
                "4r1k1/3p4/8/4P3/8/8/8/4K3 b - - hmvc 0; fmvn 1;",
                "4r1k1/8/8/3pP3/8/8/8/4K3 w - - hmvc 0; fmvn 2;",
                "4r1k1/8/3p4/4P3/8/8/8/4K3 b - - hmvc 0; fmvn 1;",
                "6k1/3p4/8/4P3/8/8/8/4K3 b - - hmvc 0; fmvn 1;",
                "6k1/8/8/3pP3/8/8/8/4K3 w - d6 hmvc 0; fmvn 2;",
                "6k1/8/3p4/4P3/8/8/8/4K3 b - - hmvc 0; fmvn 1;",
                "6k1/8/8/3pP3/8/8/8/4K3 w - - hmvc 0; fmvn 2;",
            ]
        );
    }

    #[test]
    fn positions_of_games_that_cannot_be_read_are_left_out_and_counted() {
        let desk = Desk::of(&[("first.pgn", FIRST), ("second.pgn", SECOND)]);
        fs::remove_file(desk.path("first.pgn")).unwrap();
        let (written, lines, reported) = write(&desk, 2, OpeningSuite::default());
        assert_eq!((written.unread, lines.len(), reported.len()), (4, 0, 1));
        assert!(reported[0].contains("first.pgn: the file is missing"), "{reported:?}");
        let desk = Desk::with_a_hidden_change();
        let (written, lines, reported) = write(&desk, 1, OpeningSuite::default());
        // The start, 1. c4, and the three positions up to 2. Nf3.
        assert_eq!((written.positions, written.unread, lines.len()), (5, 1, 5));
        assert_eq!(reported.len(), 1);
        assert!(reported[0].ends_with("large.pgn:3: this game does not reach the position at ply 4"), "{reported:?}");
    }

    #[test]
    fn no_game_is_read_when_there_are_enough_positions() {
        let desk = Desk::of(&[("a.pgn", "1. e4 e5 *\n"), ("b.pgn", "1. d4 *\n")]);
        std::fs::remove_file(desk.path("b.pgn")).unwrap();
        let suite = |max_positions| OpeningSuite { max_positions, ..OpeningSuite::default() };
        let (written, lines, reported) = write(&desk, 1, suite(Some(3)));
        assert_eq!((written.unread, lines.len(), reported.len()), (0, 3, 0));
        let (written, lines, reported) = write(&desk, 1, suite(Some(4)));
        assert_eq!((written.unread, lines.len(), reported.len()), (1, 3, 1));
    }

    #[test]
    fn a_suite_may_be_stopped_while_it_is_written() {
        let desk = Desk::of(&[("first.pgn", FIRST)]);
        let workers = Workers::new(1).unwrap();
        let calls = AtomicUsize::new(0);
        // The positions are counted in one step. Then each game is a step.
        let stop_at = |nth| {
            calls.store(0, Ordering::Relaxed);
            let progress = |_, _| match calls.fetch_add(1, Ordering::Relaxed) {
                call if call == nth => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            };
            let mut text = Vec::new();
            let choice = BookChoice { min_games: 1, ..BookChoice::default() };
            let suite = OpeningSuite { choice, ..OpeningSuite::default() };
            let written = suite.write(&desk.index, &workers, &mut text, &mut |_| (), &progress);
            (written, text.iter().filter(|byte| **byte == b'\n').count())
        };
        assert!(matches!(stop_at(0), (Err(BookError::Stopped), 0)));
        assert!(matches!(stop_at(1), (Err(BookError::Stopped), 4)));
        assert!(matches!(stop_at(9), (Ok(_), 8)));
    }
}
