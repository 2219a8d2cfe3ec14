//! The parts of the ranks of a pattern.

use crate::shape::contents::Contents;
use crate::shape::view::View;

/// A part of a rank in a pattern.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PatternPart {
    /// A square.
    Square(Contents),
    /// Any number of squares, with anything on them.
    Any,
}

/// The parts of the ranks of a pattern, the eighth rank first.
pub(super) type Ranks = [Vec<PatternPart>; 8];

/// Divides a rank: the parts before the first `*`, those between the first and the last, and those behind the last. The
/// places of the first and of the last are known.
pub(super) fn around_stars(parts: &[PatternPart]) -> [&[PatternPart]; 3] {
    let is_any = |part: &PatternPart| *part == PatternPart::Any;
    match (parts.iter().position(is_any), parts.iter().rposition(is_any)) {
        (Some(first), Some(last)) => {
            [&parts[..first], parts.get(first + 1..last).unwrap_or_default(), &parts[last + 1..]]
        }
        _ => [parts, &[], &[]],
    }
}

/// Returns the parts of a pattern as they are seen.
pub(super) fn seen(ranks: &Ranks, view: View) -> Ranks {
    let mut seen = ranks.clone();
    if view.swap {
        seen.reverse();
        for part in seen.iter_mut().flatten() {
            if let PatternPart::Square(contents) = part {
                *contents = contents.swapped();
            }
        }
    }
    if view.mirror {
        seen.iter_mut().for_each(|rank| rank.reverse());
    }
    seen
}
