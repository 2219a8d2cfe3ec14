//! Questions to an index, and the rows or games that answer them.

use std::cell;
use std::collections::BTreeSet;

use anyhow::Result;

use crate::find::hints::{left_none, missing_ply};
use crate::find::hits::{HitLines, hit_cells};
use crate::find::page::{MOST_HITS, Page};
use crate::find::print::Printer;
use crate::outcome::Outcome;
use crate::report::whole_value;
use crate::say;
use pgn2fen_chess::openings::Tracker;
use pgn2fen_chess::position::Position;
use pgn2fen_games::messages::{counted, grouped};
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::selection::TagFilter;
use pgn2fen_games::typed::TypedPosition;
use pgn2fen_index::{
    Explored, FoundGame, GameHeading, Hit, HitOrder, Index, MOVE_COLUMNS, MoveRow, Query, Results, fen_of, relatives,
    result_values,
};
use pgn2fen_rows::lines::Cell;

/// The maximum number of hints for one position. Less frequent positions are not named.
const HINTS_EACH: usize = 3;

/// The number of hits that are listed on a terminal if `--max` is not given.
const SHOWN_HITS: u64 = 30;

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
    /// Returns the columns of the answer. With several positions, the first column is the position of the row. A FEN of
    /// a variant does not tell the rules, so they are in the second column.
    ///
    /// On a terminal, the results are in per cent of the games with a known result.
    pub(super) fn columns(self, has_several: bool, is_variant: bool, is_terminal: bool) -> Vec<&'static str> {
        let leading: &[&str] = match (has_several || self == Self::Count, is_variant) {
            (false, _) => &[],
            (true, false) => &["fen"],
            (true, true) => &["fen", "variant"],
        };
        let columns: &[&str] = match self {
            Self::Hits => &["place", "game", "ply", "White", "Black", "Result", "Date", "link"],
            Self::Count => &["games", "white", "draws", "black", "unknown"],
            Self::Moves if is_terminal => {
                &["san", "games", "white", "draws", "black", "score", "avg_elo", "last_date", "eco", "opening"]
            }
            Self::Moves => return leading.iter().copied().chain(MOVE_COLUMNS.map(|(name, _)| name)).collect(),
            Self::Games => &[],
        };
        leading.iter().chain(columns).copied().collect()
    }
}

/// Asks an index and prints the answers.
pub(super) struct Finder<'i> {
    pub(super) index: &'i Index,
    pub(super) query: Query<'i>,
    /// The filters on tags of the query.
    pub(super) tags: &'i [TagFilter],
    /// The names of the options for its shape.
    pub(super) shapes: Vec<&'static str>,
    pub(super) question: Question,
    pub(super) has_several: bool,
    /// The name of the rules, if they are those of a variant.
    pub(super) variant: Option<&'static str>,
    /// Whether the answer is a table on a terminal.
    pub(super) is_terminal: bool,
    /// The order of the hits. None for the order of the games.
    pub(super) order: Option<HitOrder>,
    /// The maximum number of rows or games for each position.
    pub(super) max: u64,
    pub(super) printer: Printer,
    /// The printer of a page, if the answers are printed as one.
    pub(super) page: Option<Page>,
    /// Whether the output is written although something could not be read.
    pub(super) skips_unreadable: bool,
    /// The games to print at the end. Each game is printed once, even if it reached several positions.
    pub(super) kept: BTreeSet<u64>,
    /// Whether a position was found so far.
    pub(super) found: bool,
    /// Whether an error was printed. The query prints errors, too.
    pub(super) has_failed: &'i cell::Cell<bool>,
    /// The threads that make lines of hits. None before a position has many.
    pub(super) threads: Option<Workers>,
    /// The number of further positions for which hints are searched.
    pub(super) hints_left: u32,
}

impl Finder<'_> {
    /// Asks for a position and prints the answer. Messages about it begin with `place`. `text` is the position as it
    /// was typed.
    pub(super) fn ask(&mut self, typed: &TypedPosition, text: &str, place: &str) -> Result<()> {
        let found_before = std::mem::take(&mut self.found);
        match self.page.take() {
            Some(mut page) => {
                self.show(typed, text, place, &mut page)?;
                self.page = Some(page);
            }
            None => self.answer(typed)?,
        }
        if !self.found {
            self.hint(typed, place)?;
        }
        self.found |= found_before;
        Ok(())
    }

    /// Prints hints about positions in the index that have the same pieces on the same squares, if this position is not
    /// in the index.
    fn hint(&mut self, typed: &TypedPosition, place: &str) -> Result<()> {
        let position = &typed.position;
        if !self.take_hint() {
            return Ok(());
        }
        // The index contains the position, but `--tag`, a shape or `--verify` left out its games.
        if self.index.count(position)?.games() > 0 {
            return self.explain(Some(position), place);
        }
        if let Some(hint) = missing_ply(self.index.info().plies, typed) {
            say::hint(&format!("{place}{hint}"));
        }
        self.hint_rules(position, place)?;
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

    /// Prints a hint for each other set of rules by which games reached a position with the same fields.
    fn hint_rules(&mut self, position: &Position, place: &str) -> Result<()> {
        let others = self.index.rules()?.iter().filter(|(rules, _)| *rules != position.rules());
        for (rules, _) in others.collect::<Vec<_>>() {
            let Some(same) = position.by_rules(rules) else { continue };
            let games = self.index.count(&same)?.games();
            if games > 0 {
                let games = counted(games, "game");
                say::hint(&format!("{place}the same position in {rules} (`variant={}`): {games}", rules.name()));
            }
        }
        Ok(())
    }

    /// Counts a hint, if not too many have been given.
    fn take_hint(&mut self) -> bool {
        let is_left = self.hints_left > 0;
        self.hints_left -= u32::from(is_left);
        is_left
    }

    /// Prints a warning that names the filters which left out all games that reached a position, or all games of the
    /// index. If games could not be read, the filters may not be the reason.
    fn explain(&mut self, position: Option<&Position>, place: &str) -> Result<()> {
        if self.tags.is_empty() && self.shapes.is_empty() || self.max == 0 || self.has_failed.get() {
            return Ok(());
        }
        let counts = self.query.count_by_filter(position)?;
        if let Some(warning) = left_none(&counts, self.tags, &self.shapes) {
            say::warning(&format!("{place}{warning}"));
            let none = self.tags.iter().zip(&counts.passing).filter(|(_, passing)| **passing == 0);
            none.filter_map(|(filter, _)| whole_value(filter)).for_each(|hint| say::hint(&hint));
        }
        Ok(())
    }

    /// Adds the answer for a position to a page.
    fn show(&mut self, typed: &TypedPosition, text: &str, place: &str, page: &mut Page) -> Result<()> {
        let position = &typed.position;
        let explored = (self.question == Question::Moves).then(|| self.query.explore(position)).transpose()?;
        let results = match &explored {
            Some(explored) => explored.results(),
            None => self.query.count(position)?,
        };
        self.found |= results.games() > 0;
        let line = Tracker::of_line(&typed.start, &typed.moves);
        page.begin_answer(text, (position, &fen_of(position)), &line, &results)?;
        if let Some(explored) = &explored {
            page.moves(position, &line, explored, usize::try_from(self.max).unwrap_or(usize::MAX))?;
        }
        if self.question == Question::Hits && self.found {
            self.show_hits(position, place, page)?;
        }
        page.end_answer()
    }

    /// Adds the hits of a position to a page. Without `--max`, their number is limited, and the others are counted.
    fn show_hits(&mut self, position: &Position, place: &str, page: &mut Page) -> Result<()> {
        page.begin_hits();
        let left_out = self.each_hit(position, MOST_HITS, |_, hit, heading| page.hit(hit, heading))?;
        page.end_hits(left_out);
        if left_out > 0 {
            let left_out = counted(left_out, "place");
            say::warning(&format!(
                "{place}{left_out} left out: at most {MOST_HITS} are listed; --max sets another limit"
            ));
        }
        Ok(())
    }

    fn answer(&mut self, typed: &TypedPosition) -> Result<()> {
        let position = &typed.position;
        let fen = fen_of(position);
        let leading: Vec<Cell<'_>> = match self.has_several || self.question == Question::Count {
            true => [&*fen].into_iter().chain(self.variant).map(Cell::Text).collect(),
            false => Vec::new(),
        };
        match self.question {
            Question::Hits => self.print_hits(position, &leading),
            Question::Games if self.has_several => self.collect_games(position),
            Question::Games => self.print_games(position),
            Question::Count => {
                let results = self.query.count(position)?;
                self.print_count(&results, &leading)
            }
            Question::Moves => {
                let explored = self.query.explore(position)?;
                self.print_moves(typed, &explored, &leading)
            }
        }
    }

    /// Prints the games that pass, whatever positions they reached.
    pub(super) fn ask_all(mut self) -> Result<Outcome> {
        let most = if self.is_terminal && self.max == u64::MAX { SHOWN_HITS } else { u64::MAX };
        let mut results = Results::default();
        let mut place = String::new();
        let mut games = self.query.all_games();
        while let Some(FoundGame { game, ply, result, .. }) = games.next().transpose()? {
            self.found = true;
            results.add(result);
            match self.question {
                Question::Games => {
                    if let Some(text) = games.text(game)? {
                        self.printer.game(&text)?;
                    }
                }
                Question::Hits | Question::Moves if results.games() <= most => {
                    let heading = games.heading(game)?;
                    self.printer.row(hit_cells(game, ply, result, &(&heading).into(), &mut place).into_iter())?;
                }
                Question::Hits | Question::Moves | Question::Count => {}
            }
        }
        if self.question == Question::Count {
            let row = result_cells(&results, self.is_terminal);
            let variant = self.variant.map(Cell::Text);
            self.printer.row([Cell::Missing].into_iter().chain(variant).chain(row))?;
        } else if self.question == Question::Hits && results.games() > most {
            let left_out = grouped(results.games() - most);
            self.printer.note(&format!("… and {left_out} more; --max N or a pipe shows all"))?;
        }
        if !self.found {
            self.explain(None, "")?;
        }
        self.end()
    }

    /// Prints the games to print at the end, and returns the outcome.
    pub(super) fn end(mut self) -> Result<Outcome> {
        for game in std::mem::take(&mut self.kept) {
            if let Some(text) = self.query.text(game)? {
                self.printer.game(&text)?;
            }
        }
        let is_unfinished = self.has_failed.get() && !(self.skips_unreadable && self.found);
        let why_unfinished = is_unfinished.then_some("not everything could be answered");
        self.printer.end(why_unfinished)?;
        if let Some(page) = self.page.take() {
            let left_out = page.end(why_unfinished)?;
            if left_out > 0 {
                let left_out = counted(left_out, "board");
                say::warning(&format!("{left_out} left out; `max_boards=0` draws all"));
            }
        }
        Ok(match (self.has_failed.get(), self.found) {
            (true, true) if self.skips_unreadable => Outcome::Errors,
            (true, _) => Outcome::Failed,
            (false, true) => Outcome::Clean,
            (false, false) => Outcome::Errors,
        })
    }

    fn print_hits(&mut self, position: &Position, leading: &[Cell<'_>]) -> Result<()> {
        if let Some(lines) = self.printer.lines() {
            let lines = HitLines::new(self.index, &lines, leading);
            let threads = &mut self.threads;
            let printed = match self.order {
                Some(order) => lines.print(
                    self.query.sorted_hits(position, order)?.into_iter().map(Ok),
                    threads,
                    &mut self.printer,
                ),
                None => lines.print(self.query.hits(position)?, threads, &mut self.printer),
            };
            self.found |= printed? > 0;
            return Ok(());
        }
        let mut place = String::new();
        let left_out = self.each_hit(position, SHOWN_HITS, |printer, hit, heading| {
            let cells = hit_cells(hit.game, hit.ply, hit.result, &heading.into(), &mut place);
            printer.row(leading.iter().copied().chain(cells))
        })?;
        if left_out > 0 {
            self.printer.note(&format!("… and {} more; --max N or a pipe shows all", grouped(left_out)))?;
        }
        Ok(())
    }

    /// Calls a function with each hit, in order, and with the heading of its game. Without `--max`, there are at most
    /// so many calls. Returns the number of the other hits.
    fn each_hit(
        &mut self,
        position: &Position,
        most: u64,
        mut list: impl FnMut(&mut Printer, &Hit, &GameHeading) -> Result<()>,
    ) -> Result<u64> {
        let most = if self.max < u64::MAX { u64::MAX } else { most };
        let mut hits = 0;
        if let Some(order) = self.order {
            for hit in self.query.sorted_hits(position, order)? {
                if hits < most {
                    list(&mut self.printer, &hit, &self.query.heading(hit.game)?)?;
                }
                hits += 1;
            }
        } else {
            let mut found = self.query.hits(position)?;
            while let Some(hit) = found.next().transpose()? {
                if hits < most {
                    list(&mut self.printer, &hit, &found.heading(hit.game)?)?;
                }
                hits += 1;
            }
        }
        self.found |= hits > 0;
        Ok(hits.saturating_sub(most))
    }

    /// Prints the games of a position as they are found.
    fn print_games(&mut self, position: &Position) -> Result<()> {
        let mut games = self.query.games(position)?;
        while let Some(game) = games.next().transpose()? {
            self.found = true;
            if let Some(text) = games.text(game)? {
                self.printer.game(&text)?;
            }
        }
        Ok(())
    }

    /// Keeps the games of a position, to print them at the end.
    fn collect_games(&mut self, position: &Position) -> Result<()> {
        let mut games = self.query.games(position)?.collect::<Result<BTreeSet<_>, _>>()?;
        self.found |= !games.is_empty();
        self.kept.append(&mut games);
        Ok(())
    }

    fn print_count(&mut self, results: &Results, leading: &[Cell<'_>]) -> Result<()> {
        self.found |= results.games() > 0;
        let row = result_cells(results, self.is_terminal);
        self.printer.row(leading.iter().copied().chain(row))
    }

    fn print_moves(&mut self, typed: &TypedPosition, explored: &Explored, leading: &[Cell<'_>]) -> Result<()> {
        let position = &typed.position;
        let line = Tracker::of_line(&typed.start, &typed.moves);
        let most = usize::try_from(self.max).unwrap_or(usize::MAX);
        for count in explored.moves().iter().take(most) {
            self.found = true;
            let row = MoveRow::new(count, position, typed.castling_rules, &line);
            let values = row.values();
            let leading = leading.iter().copied();
            if self.is_terminal {
                let [san, _, games, _, _, _, _, elo, _, last, eco, opening, score] = values;
                let [white, draws, black] = shares(&count.results);
                let row = [san, games, white, draws, black, score, elo, last, eco, opening];
                self.printer.row(leading.chain(row))?;
            } else {
                self.printer.row(leading.chain(values))?;
            }
        }
        Ok(())
    }
}

/// Returns the numbers of games: all, those with each result, in per cent if asked for, and those with an unknown one.
fn result_cells(results: &Results, in_per_cent: bool) -> [Cell<'static>; 5] {
    let [games, white, draws, black, unknown] = result_values(results);
    let [white, draws, black] = if in_per_cent { shares(results) } else { [white, draws, black] };
    [games, white, draws, black, unknown]
}

/// Returns the games that White won, drew and lost in per cent of those with a known result.
fn shares(results: &Results) -> [Cell<'static>; 3] {
    results.per_cent().map_or([Cell::Missing; 3], |shares| shares.map(Cell::PerCent))
}
