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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Cell, each_finding, each_stats_row};
    use pgn2fen_chess::piece::Color;
    use pgn2fen_games::database::{Database, Source};
    use pgn2fen_games::parallel::Workers;
    use pgn2fen_games::pgn::speed::Speed;
    use pgn2fen_games::pgn::token::Outcome;
    use pgn2fen_games::players::{GameOfPlayer, PlayerCounts};
    use pgn2fen_games::tournament::TournamentCheck;
    use pgn2fen_games::walk::{Job, ReadOptions};

    fn shown(cell: Cell<'_>) -> String {
        match cell {
            Cell::Text(text) => text.to_owned(),
            Cell::Number(number) => number.to_string(),
            Cell::PerCent(number) => format!("{number}%"),
            Cell::Missing => "-".to_owned(),
            Cell::Thousandths(number) => format!("{number}‰"),
        }
    }

    #[test]
    fn findings_have_a_row_of_cells_each() {
        let games = b"[White \"Tal\"]\n[Date \"1960.02.30\"]\n[Result \"1-0\"]\n\n1. f3 e5 2. g4 Qh4# 1-0\n".to_vec();
        let mut check = TournamentCheck::new(ReadOptions::default());
        let [source] = [Database::from(games)].map(Source::Whole);
        check.read(&Workers::new(1).unwrap(), Path::new("a.pgn"), source, &mut ()).unwrap();
        let mut lines = Vec::new();
        let all = each_finding(&check.findings(), |cells| {
            lines.push(cells.map(shown).join(" "));
            Ok::<(), ()>(())
        });
        assert_eq!(all, Ok(()));
        assert_eq!(
            lines,
            [
                "a.pgn 2 1 unreadable-tag Date \"1960.02.30\": there is no such day",
                "a.pgn 3 1 result-on-board the board shows mate by Black, and the result is 1-0",
            ]
        );
    }

    #[test]
    fn statistics_have_a_row_of_cells_for_each_group_and_colour() {
        let mut counts = PlayerCounts::default();
        for (color, result, opponent) in [
            (Color::White, Outcome::WhiteWins, Some(2000)),
            (Color::White, Outcome::Draw, Some(2100)),
            (Color::White, Outcome::BlackWins, None),
            (Color::White, Outcome::WhiteWins, None),
            (Color::Black, Outcome::Unknown, None),
        ] {
            let opening = Some("Dutch Defense: Raphael Variation");
            counts.add(&GameOfPlayer { color, result, opening, speed: Some(Speed::Blitz), opponent });
        }
        let mut lines = Vec::new();
        let of_all = each_stats_row(&counts.rows(), |cells| {
            lines.push(cells.map(shown).join(" "));
            if lines.len() < 3 { Ok(()) } else { Err("no more than three") }
        });
        assert_eq!(of_all, Err("no more than three"));
        assert_eq!(
            lines,
            [
                "all all games white 4 2 1 1 0 63% 2050 2250",
                "all all games black 1 0 0 0 1 - - -",
                "opening Dutch Defense white 4 2 1 1 0 63% 2050 2250",
            ]
        );
    }
}
