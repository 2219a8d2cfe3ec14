//! The warning about positions that a format cannot represent, or that are too many for it.

use crate::messages::{counted, grouped};
use crate::walk::LeftOut;

/// Returns the warning about the positions that a format for trainers or the limit on boards left out; None if there
/// are none.
pub fn left_out(left_out: LeftOut, positions: u64) -> Option<String> {
    let LeftOut { without_evaluation, mates, without_result, without_move, .. } = left_out;
    let LeftOut { too_many_men, chess960_castling, without_solution, boards, .. } = left_out;
    if boards > 0 {
        let drawn = grouped(positions.saturating_sub(boards));
        return Some(format!(
            "{} left out: at most {drawn} are drawn; `max_boards=0` draws all",
            counted(boards, "board")
        ));
    }
    let total = left_out.total();
    let reasons = [
        (without_evaluation, "without an evaluation"),
        (mates, "evaluated as mate"),
        (without_result, "without a known result"),
        (without_move, "without a next move"),
        (too_many_men, "with more than 32 pieces"),
        (chess960_castling, "with castling rights of Chess960"),
        (without_solution, "without a solution"),
    ];
    let reasons: Vec<String> = reasons
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(
            |(count, reason)| {
                if *count == total { (*reason).to_owned() } else { format!("{} {reason}", grouped(*count)) }
            },
        )
        .collect();
    let reasons = reasons.join(", ");
    if total == 0 {
        return None;
    }
    if total < positions {
        return Some(format!("{} left out: {reasons}", counted(total, "position")));
    }
    let advice = if without_solution > 0 {
        "a card needs moves that follow, or the best move of an EPD"
    } else if without_evaluation >= without_result {
        "the format needs evaluations in comments, such as {[%eval 0.31]} or {+0.31/14 0.5s}; annotate the games with \
         an engine, or use another format"
    } else {
        "the format needs games that were won, lost or drawn; use another format"
    };
    Some(format!("all {} were left out: {reasons}; {advice}", counted(total, "position")))
}

#[cfg(test)]
mod tests {
    use super::left_out;
    use crate::walk::LeftOut;

    #[track_caller]
    fn check(counts: [u64; 6], positions: u64, expected: Option<&str>) {
        let [without_evaluation, mates, without_result, without_move, too_many_men, chess960_castling] = counts;
        let counts = LeftOut { without_evaluation, mates, without_result, without_move, ..LeftOut::default() };
        let counts = LeftOut { too_many_men, chess960_castling, ..counts };
        let said = left_out(counts, positions);
        let said = said.map(|said| said.split_once(';').map_or(said.clone(), |(what, _)| what.to_owned()));
        assert_eq!(said.as_deref(), expected);
    }

    #[test]
    fn what_a_format_leaves_out_is_counted_by_the_reason() {
        check([0; 6], 5, None);
        check([1, 0, 0, 0, 0, 0], 5, Some("1 position left out: without an evaluation"));
        check(
            [1200, 3, 1, 0, 0, 0],
            5000,
            Some(
                "1,204 positions left out: 1,200 without an evaluation, 3 evaluated as mate, 1 without a known result",
            ),
        );
        check([1632, 0, 0, 0, 0, 0], 1632, Some("all 1,632 positions were left out: without an evaluation"));
        check([0, 0, 7, 0, 0, 0], 7, Some("all 7 positions were left out: without a known result"));
        let expected =
            "12 positions left out: 2 without an evaluation, 9 without a next move, 1 with more than 32 pieces";
        check([2, 0, 0, 9, 1, 0], 50, Some(expected));
        let expected = "4 positions left out: 1 evaluated as mate, 3 with castling rights of Chess960";
        check([0, 1, 0, 0, 0, 3], 50, Some(expected));
    }

    #[test]
    fn boards_beyond_the_limit_are_counted() {
        let said = left_out(LeftOut { boards: 1204, ..LeftOut::default() }, 2204);
        let expected = "1,204 boards left out: at most 1,000 are drawn; `max_boards=0` draws all";
        assert_eq!(said.as_deref(), Some(expected));
    }
}
