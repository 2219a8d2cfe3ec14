//! Tables of what jobs find in games: the findings in tournaments, and the results of a player.

use pgn2fen_games::messages::shown;
use pgn2fen_games::players::StatsRow;
use pgn2fen_games::tournament::Finding;
use pgn2fen_tables::ColumnType::{self, Int, Long, Text};

use crate::encode::lines::Cell;

/// The columns of a finding.
pub const FINDING_COLUMNS: [(&str, ColumnType); 5] =
    [("file", Text), ("line", Long), ("column", Int), ("kind", Text), ("text", Text)];

/// Passes the cells of each finding to a function, whose error ends it.
pub fn each_finding<E>(
    findings: &[Finding],
    mut take: impl FnMut([Cell<'_>; FINDING_COLUMNS.len()]) -> Result<(), E>,
) -> Result<(), E> {
    findings.iter().try_for_each(|finding| {
        take([
            Cell::Text(&shown(&finding.file)),
            Cell::Number(finding.line),
            Cell::Number(finding.column as u64),
            Cell::Text(finding.kind.as_str()),
            Cell::Text(&finding.text),
        ])
    })
}

/// The columns of the results of a player in a group of games.
pub const STATS_COLUMNS: [(&str, ColumnType); 11] = [
    ("by", Text),
    ("group", Text),
    ("color", Text),
    ("games", Long),
    ("wins", Long),
    ("draws", Long),
    ("losses", Long),
    ("unknown", Long),
    ("score", Int),
    ("opponents", Int),
    ("performance", Int),
];

/// Passes the cells of each row of statistics to a function, whose error ends it.
pub fn each_stats_row<E>(
    rows: &[StatsRow],
    mut take: impl FnMut([Cell<'_>; STATS_COLUMNS.len()]) -> Result<(), E>,
) -> Result<(), E> {
    rows.iter().try_for_each(|StatsRow { group, color, score, .. }| {
        take([
            Cell::Text(group.by()),
            Cell::Text(&group.name()),
            Cell::Text(color.pick("white", "black")),
            Cell::Number(score.games()),
            Cell::Number(score.wins),
            Cell::Number(score.draws),
            Cell::Number(score.losses),
            Cell::Number(score.unknown),
            score.per_cent().map_or(Cell::Missing, Cell::PerCent),
            Cell::number(score.opponents()),
            Cell::number(score.performance()),
        ])
    })
}
