//! Questions to an index, and the rows or games that answer them.

use std::collections::BTreeSet;

use anyhow::Result;

use crate::chess::position::Position;
use crate::cli::find::names::Names;
use crate::cli::find::print::Printer;
use crate::cli::outcome::Outcome;
use crate::cli::say;
use crate::fen::{self, EpStyle, FenStyle, Fields};
use crate::index::{
    Explored, GameColumn, GameTexts, Games, Hit, Index, IndexError, MoveCount, NoText, Results, keys, relatives,
};
use crate::messages::counted;
use crate::notation::uci::Uci;
use crate::rows::lines::Cell;
use crate::san;
use crate::selection::TagFilter;

/// The maximum number of hints for one position. Less frequent positions are not named.
const HINTS_EACH: usize = 3;

/// The question about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// Lists the places where it occurs, one row for each.
    Hits,
    /// Counts the games that reached it, and their results.
    Count,
    /// Lists the moves that were played there.
    Moves,
    /// Copies the games that reached it.
    Games,
}

impl Question {
    /// Returns the columns of the answer. With several positions, the first column is the position of the row.
    pub(super) fn columns(self, has_several: bool) -> Vec<&'static str> {
        let columns: &[&str] = match self {
            Self::Hits => &["place", "game", "ply", "White", "Black", "Result", "Date"],
            Self::Count => return ["fen", "games", "white", "draws", "black", "unknown"].to_vec(),
            Self::Moves => &["san", "games", "white", "draws", "black", "unknown", "avg_elo", "last_date"],
            Self::Games => &[],
        };
        let fen = has_several.then_some("fen");
        fen.into_iter().chain(columns.iter().copied()).collect()
    }
}

/// Asks an index and prints the answers.
pub(super) struct Finder<'i> {
    pub(super) index: &'i Index,
    pub(super) question: Question,
    pub(super) has_several: bool,
    pub(super) filters: &'i [TagFilter],
    /// The maximum number of rows or games for each position.
    pub(super) max: u64,
    /// The reader of games for `--verify`; None without this option.
    pub(super) texts: Option<GameTexts<'i>>,
    pub(super) games: Games<'i>,
    pub(super) names: Names,
    pub(super) printer: Printer,
    /// The games to print at the end. Each game is printed once, even if it reached several positions.
    pub(super) kept: BTreeSet<u64>,
    /// Whether a position was found so far.
    pub(super) found: bool,
    pub(super) has_failed: bool,
    /// The number of further positions for which hints are searched.
    pub(super) hints_left: u32,
}

impl Finder<'_> {
    /// Asks for a position and prints the answer. Messages about it begin with `place`.
    pub(super) fn ask(&mut self, position: &Position, place: &str) -> Result<()> {
        let found_before = std::mem::take(&mut self.found);
        self.answer(position)?;
        if !self.found && self.hints_left > 0 {
            self.hint(position, place)?;
        }
        self.found |= found_before;
        Ok(())
    }

    /// Prints hints about positions in the index that have the same pieces on the same squares, if this position is not in the index.
    fn hint(&mut self, position: &Position, place: &str) -> Result<()> {
        // The index contains the position, but `--tag`, `--verify` or `--max 0` left out its games.
        if self.index.count(position)?.games() > 0 {
            return Ok(());
        }
        self.hints_left -= 1;
        let mut known = Vec::new();
        for relative in relatives(position) {
            let games = self.index.count(&relative.position)?.games();
            known.extend((games > 0).then_some((games, relative.difference)));
        }
        // The sort is stable: positions with equally many games stay in the order of `relatives`.
        known.sort_by_key(|(games, _)| std::cmp::Reverse(*games));
        for (games, difference) in known.into_iter().take(HINTS_EACH) {
            say::hint(&format!("{place}the same board {difference}: {}", counted(games, "game")));
        }
        Ok(())
    }

    fn answer(&mut self, position: &Position) -> Result<()> {
        let fen =
            fen::to_string(position, FenStyle { ep: EpStyle::Legal, fields: Fields::Four, ..FenStyle::default() });
        let fen = (self.has_several || self.question == Question::Count).then_some(&*fen);
        match self.question {
            Question::Hits => self.print_hits(position, fen),
            Question::Games if self.has_several => self.collect_games(position),
            Question::Games => self.print_games(position),
            Question::Count if self.needs_hits() => {
                let results = self.explore(position)?.results();
                self.print_count(&results, fen)
            }
            Question::Count => self.print_count(&self.index.count(position)?, fen),
            Question::Moves if self.needs_hits() => {
                let explored = self.explore(position)?;
                self.print_moves(position, &explored, fen)
            }
            Question::Moves => self.print_moves(position, &self.index.explore(position)?, fen),
        }
    }

    /// Prints the games to print at the end, and returns the outcome.
    pub(super) fn end(mut self) -> Result<Outcome> {
        let mut texts = GameTexts::new(self.index);
        for game in std::mem::take(&mut self.kept) {
            self.print_game(&mut texts, game)?;
        }
        self.printer.end()?;
        Ok(match (self.has_failed, self.found) {
            (true, _) => Outcome::Failed,
            (false, true) => Outcome::Clean,
            (false, false) => Outcome::Errors,
        })
    }

    /// Whether some hits may be left out, so each hit must be read. Otherwise the index counts games without listing the hits.
    fn needs_hits(&self) -> bool {
        !self.filters.is_empty() || self.texts.is_some()
    }

    /// Calls a function for each hit of a position that passes the filters and `--verify`, until the function returns false.
    fn each_hit(&mut self, position: &Position, mut take: impl FnMut(&mut Self, Hit) -> Result<bool>) -> Result<()> {
        // The hits of a game follow one another. Its tags are compared once.
        let mut last = None;
        for hit in self.index.hits(position)? {
            let hit = hit?;
            let is_wanted = match last {
                Some((game, is_wanted)) if game == hit.game => is_wanted,
                _ => self.wants(hit.game)?,
            };
            last = Some((hit.game, is_wanted));
            if is_wanted && self.is_verified(position, hit)? && !take(self, hit)? {
                break;
            }
        }
        Ok(())
    }

    /// Whether the tags of a game satisfy all filters.
    fn wants(&mut self, game: u64) -> Result<bool, IndexError> {
        for filter in self.filters {
            // `find` has refused filters for tags that an index does not contain.
            if let Some(column) = GameColumn::of_tag(filter.name())
                && !filter.holds_for_tag(self.games.text(game, column)?)
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the game reaches the position at this hit. Without `--verify`, all hits are accepted.
    fn is_verified(&mut self, position: &Position, hit: Hit) -> Result<bool> {
        let Some(texts) = &mut self.texts else {
            return Ok(true);
        };
        match texts.verify(hit.game, hit.ply, &keys(position)) {
            Ok((true, _)) => Ok(true),
            Ok((false, _)) => {
                let place = self.place(hit.game)?;
                self.error(&format!("{place}: this game does not reach the position at ply {}", hit.ply));
                Ok(false)
            }
            Err(error) => self.fail(error).map(|()| false),
        }
    }

    /// Counts the moves by listing every hit. This is slow for common positions.
    fn explore(&mut self, position: &Position) -> Result<Explored> {
        let mut counter = self.index.counter();
        self.each_hit(position, |_, hit| {
            counter.add(hit)?;
            Ok(true)
        })?;
        Ok(counter.end())
    }

    fn print_hits(&mut self, position: &Position, fen: Option<&str>) -> Result<()> {
        let mut left = self.max;
        if left == 0 {
            return Ok(());
        }
        self.each_hit(position, |finder, hit| {
            finder.found = true;
            let place = finder.place(hit.game)?;
            let mut tag = |column| -> Result<String, IndexError> {
                Ok(finder.games.text(hit.game, column)?.unwrap_or_default().to_owned())
            };
            let (white, black, date) = (tag(GameColumn::White)?, tag(GameColumn::Black)?, tag(GameColumn::DateText)?);
            let cells = [
                Cell::Text(&place),
                Cell::Number(hit.game),
                Cell::Number(u64::from(hit.ply)),
                Cell::Text(&white),
                Cell::Text(&black),
                Cell::Text(hit.result.as_str()),
                Cell::Text(&date),
            ];
            finder.printer.row(fen.map(Cell::Text).into_iter().chain(cells))?;
            left -= 1;
            Ok(left > 0)
        })
    }

    /// Prints the games of a position as they are found.
    fn print_games(&mut self, position: &Position) -> Result<()> {
        let mut texts = GameTexts::new(self.index);
        let (mut last, mut left) = (0, self.max);
        self.each_hit(position, |finder, hit| {
            if hit.game != last && left > 0 {
                finder.found = true;
                finder.print_game(&mut texts, hit.game)?;
                last = hit.game;
                left -= 1;
            }
            Ok(left > 0)
        })
    }

    fn print_game(&mut self, texts: &mut GameTexts<'_>, game: u64) -> Result<()> {
        match texts.read(game) {
            Ok(text) => self.printer.game(&text),
            Err(error) => self.fail(error),
        }
    }

    /// Keeps the games of a position, to print them at the end.
    fn collect_games(&mut self, position: &Position) -> Result<()> {
        let mut games = BTreeSet::new();
        let max = self.max;
        self.each_hit(position, |_, hit| {
            let is_wanted = (games.len() as u64) < max;
            if is_wanted {
                games.insert(hit.game);
            }
            Ok(is_wanted)
        })?;
        self.found |= !games.is_empty();
        self.kept.append(&mut games);
        Ok(())
    }

    fn print_count(&mut self, results: &Results, fen: Option<&str>) -> Result<()> {
        self.found |= results.games() > 0;
        self.printer.row(fen.map(Cell::Text).into_iter().chain(cells(results)))
    }

    fn print_moves(&mut self, position: &Position, explored: &Explored, fen: Option<&str>) -> Result<()> {
        let most = usize::try_from(self.max).unwrap_or(usize::MAX);
        for count in explored.moves().iter().take(most) {
            self.found = true;
            let MoveCount { next, results, .. } = count;
            let san = next.map_or_else(String::new, |next| san_of(next, position));
            let date = count.last_date().map_or_else(String::new, written_date);
            let elo = count.average_elo().map_or(Cell::Missing, Cell::Number);
            let row = [Cell::Text(&san)].into_iter().chain(cells(results)).chain([elo, Cell::Text(&date)]);
            self.printer.row(fen.map(Cell::Text).into_iter().chain(row))?;
        }
        Ok(())
    }

    /// Returns the file and line of a game: `games.pgn:1204`.
    fn place(&mut self, game: u64) -> Result<String, IndexError> {
        let line = self.games.number(game, GameColumn::Line)?.unwrap_or(0);
        let name = self.names.of(self.index, game);
        Ok(format!("{name}:{line}"))
    }

    /// Reports a game that cannot be read. Each file is named once.
    fn fail(&mut self, error: NoText) -> Result<()> {
        self.has_failed = true;
        match error {
            NoText::Index(error) => Err(error.into()),
            NoText::Told => Ok(()),
            error @ NoText::File(..) => {
                self.error(&error.to_string());
                Ok(())
            }
        }
    }

    /// Prints an error.
    fn error(&mut self, message: &str) {
        self.has_failed = true;
        say::error(message);
    }
}

fn cells(results: &Results) -> [Cell<'static>; 5] {
    [results.games(), results.white, results.draws, results.black, results.unknown].map(Cell::Number)
}

/// Returns a move as SAN, or as UCI if it is not legal in the position.
fn san_of(next: Uci, position: &Position) -> String {
    let Some(m) = next.find(position) else {
        return next.to_string();
    };
    let mut san = Vec::new();
    san::append(position, m, &mut san);
    String::from_utf8_lossy(&san).into_owned()
}

/// Returns a date as in PGN: `1972.07.??`.
fn written_date(number: i32) -> String {
    let part = |number: i32, width| match number {
        0 => "?".repeat(width),
        number => format!("{number:0width$}"),
    };
    format!("{}.{}.{}", part(number / 10_000, 4), part(number / 100 % 100, 2), part(number % 100, 2))
}

#[cfg(test)]
mod tests {
    use super::written_date;

    #[test]
    fn dates_are_written_as_pgn_has_them() {
        assert_eq!([19_720_711, 19_720_700, 8_510_000].map(written_date), ["1972.07.11", "1972.07.??", "0851.??.??"]);
    }
}
