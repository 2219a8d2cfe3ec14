//! What the operations of an EPD ask and answer, in words.

/// What the operations of an EPD say about a position that is a puzzle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Puzzle {
    /// The operation `id`.
    pub(super) id: Option<String>,
    /// The operation `dm`: `Mate in 3`.
    pub(super) mate: Option<String>,
    /// The operation `bm`: `Best move: Qg6`.
    pub(super) best: Option<String>,
    /// The operation `am`: `Move to avoid: Kg7`.
    pub(super) avoid: Option<String>,
    /// The solution, without the words before it: the operations `bm`, `am` and `pv`.
    pub(super) solution: Option<String>,
}

impl Puzzle {
    /// Reads the operations of a line: four fields, and operations behind them.
    pub(super) fn of(epd: &str) -> Self {
        let mut puzzle = Self::default();
        let (mut best, mut avoid, mut line) = (None, None, None);
        // A semicolon may be in quotes.
        let mut is_quoted = false;
        let operations = epd.split(|char| {
            is_quoted ^= char == '"';
            char == ';' && !is_quoted
        });
        for (nth, operation) in operations.enumerate() {
            let operation = operation.trim();
            let operation = match nth {
                0 => operation.splitn(5, char::is_whitespace).nth(4).unwrap_or_default().trim(),
                _ => operation,
            };
            let Some((code, operand)) = operation.split_once(char::is_whitespace) else {
                continue;
            };
            let operand = operand.trim().trim_matches('"');
            let said = Some(in_words(code, operand));
            match code {
                "id" => puzzle.id = said,
                "dm" => puzzle.mate = said,
                "bm" => (puzzle.best, best) = (said, Some(alternatives(operand))),
                "am" => (puzzle.avoid, avoid) = (said, Some(format!("not {}", alternatives(operand)))),
                "pv" => line = Some(operand.to_owned()),
                _ => {}
            }
        }
        // The line begins with the best move.
        let best = match (&best, &line) {
            (Some(best), Some(line)) if line.split_whitespace().next() == Some(best) => None,
            _ => best,
        };
        let parts: Vec<String> = [best, avoid, line].into_iter().flatten().collect();
        puzzle.solution = Some(parts.join("; ")).filter(|solution| !solution.is_empty());
        puzzle
    }
}

/// Returns the value of an EPD operation in words, such as `Best move: Nf3`. Other names stand before their values.
pub(super) fn in_words(code: &str, operand: &str) -> String {
    let moves = |one: &str, several: &str| {
        let noun = if operand.contains(char::is_whitespace) { several } else { one };
        format!("{noun}: {operand}")
    };
    match code {
        "id" => operand.to_owned(),
        "bm" => moves("Best move", "Best moves"),
        "am" => moves("Move to avoid", "Moves to avoid"),
        "pm" => format!("Predicted move: {operand}"),
        "sm" => format!("Move played: {operand}"),
        "pv" => format!("Line: {operand}"),
        "dm" => format!("Mate in {operand}"),
        _ => format!("{code}: {operand}"),
    }
}

/// Joins moves of which one is as good as another.
fn alternatives(moves: &str) -> String {
    moves.split_whitespace().collect::<Vec<_>>().join(" or ")
}

#[cfg(test)]
mod tests {
    use super::Puzzle;

    #[track_caller]
    fn check(epd: &str, expected: &str, solution: Option<&str>) {
        let Puzzle { id, mate, best, avoid, solution: found } = Puzzle::of(epd);
        assert_eq!([id, mate, best, avoid].map(Option::unwrap_or_default).join("|"), expected);
        assert_eq!(found.as_deref(), solution);
    }

    #[test]
    fn a_puzzle_has_an_identifier_a_task_and_a_solution() {
        check("8/8/8/8/8/8/8/8 w - - bm Qg6; id \"WAC.001\";", "WAC.001||Best move: Qg6|", Some("Qg6"));
        check("8/8 w - - id \"a; b\"; bm Rxb2 Kg7", "a; b||Best moves: Rxb2 Kg7|", Some("Rxb2 or Kg7"));
        check("8/8 w - - am Kg7;", "|||Move to avoid: Kg7", Some("not Kg7"));
        check("8/8 w - - dm 2; bm Qg6; pv Qg6 Kh8 Qh7;", "|Mate in 2|Best move: Qg6|", Some("Qg6 Kh8 Qh7"));
        check("8/8 w - - bm Qg6 Qh5; pv Qg6 Kh8;", "||Best moves: Qg6 Qh5|", Some("Qg6 or Qh5; Qg6 Kh8"));
        check("8/8/8/8/8/8/8/8 w - - 0 1", "|||", None);
    }
}
