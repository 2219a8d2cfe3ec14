//! Finds the positions of a game whose next move has a judgement or a loss.

use std::collections::HashMap;

use pgn2fen_filters::PositionFilter;
use pgn2fen_pgn::replay::Replay;

/// Returns, for each position of a game in the order of the text, whether the next move of its line is
/// [wanted](PositionFilter::wants_judged). The position before the first move is one of them. A line is the main line
/// or a variation; its first move belongs to no position of the line.
pub(super) fn before_judged(filter: &PositionFilter, mut replay: Replay<'_>, variations: bool) -> Vec<bool> {
    replay.choose_evals();
    let mut wanted = vec![false];
    // The last position of each variation that is open or has ended.
    let mut last = HashMap::from([(0, 0)]);
    replay.judge();
    loop {
        let next = if variations { replay.next_in_text() } else { replay.next_ply() };
        match next {
            Some(Ok(_)) => {
                let judged = replay.judge();
                if let Some(before) = last.insert(replay.variation(), wanted.len())
                    && let Some(judged) = judged
                {
                    wanted[before] = filter.wants_judged(judged);
                }
                wanted.push(false);
            }
            // After an error in a variation, the next line goes on.
            Some(Err(_)) if variations => {}
            Some(Err(_)) | None => return wanted,
        }
    }
}
