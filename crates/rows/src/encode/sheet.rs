//! The style sheet of a page whose boards have a size, or a number in a row or on a printed page.

use std::fmt::Write;
use std::num::NonZeroU32;

/// The part of a sheet of paper that boards fill, in millimetres: of A4 and of Letter upright, with margins of 12 mm
/// and a title.
const WIDTH: u32 = 186;
const HEIGHT: u32 = 234;

/// The height of a caption on paper, about, in millimetres.
const CAPTION: u32 = 12;

/// Returns the rules for the width of boards in pixels and their numbers in a row and on a printed page, where they are
/// given.
pub(super) fn style(size: Option<u32>, per_row: Option<NonZeroU32>, per_page: Option<NonZeroU32>) -> String {
    let mut style = String::new();
    // Writing to memory does not fail.
    let _ = match (size, per_row) {
        (None, None) => Ok(()),
        (Some(size), None) => {
            writeln!(style, ".boards{{grid-template-columns:repeat(auto-fill,minmax(0,{size}px))}}")
        }
        (None, Some(count)) => writeln!(style, ".boards{{grid-template-columns:repeat({count},minmax(0,1fr))}}"),
        (Some(size), Some(count)) => {
            writeln!(style, ".boards{{grid-template-columns:repeat({count},minmax(0,{size}px))}}")
        }
    };
    if let Some(per_page) = per_page {
        let columns = per_row.map_or_else(|| columns(per_page.get()), NonZeroU32::get).min(per_page.get());
        let rows = per_page.get().div_ceil(columns);
        // Each page is a grid of its own, whose boards shrink until their captions fit.
        let _ = writeln!(
            style,
            ".boards+.boards{{margin-top:1.25rem}}\n@media print{{\n@page{{size:portrait}}\n\
             .boards{{height:{HEIGHT}mm;grid-template-columns:repeat({columns},minmax(0,1fr));\
             grid-template-rows:repeat({rows},minmax(0,1fr));gap:4mm 5mm;break-inside:avoid}}\n\
             .boards+.boards{{break-before:page;margin-top:0}}\n\
             figure{{display:flex;flex-direction:column;min-height:0;text-align:center}}\n\
             figure>svg{{flex:1 1 0;min-height:0}}\n}}"
        );
    }
    style
}

/// Returns the number of columns in which this number of boards is largest on a sheet of paper.
fn columns(boards: u32) -> u32 {
    let width = |columns: u32| {
        let height = HEIGHT / boards.div_ceil(columns);
        (WIDTH / columns).min(height.saturating_sub(CAPTION))
    };
    // Of equally wide boards, those in fewer columns.
    (1..=boards.min(WIDTH)).rev().max_by_key(|columns| width(*columns)).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::{columns, style};
    use std::num::NonZeroU32;

    #[test]
    fn boards_fill_a_sheet() {
        assert_eq!([1, 2, 4, 6, 8, 9, 12, 15, 20].map(columns), [1, 1, 2, 2, 3, 3, 3, 4, 5]);
        assert!(columns(u32::MAX) > 0);
    }

    #[test]
    fn numbers_that_are_not_given_have_no_rules() {
        let number = NonZeroU32::new;
        assert_eq!(style(None, None, None), "");
        assert_eq!(style(Some(200), None, None), ".boards{grid-template-columns:repeat(auto-fill,minmax(0,200px))}\n");
        assert_eq!(style(None, number(3), None), ".boards{grid-template-columns:repeat(3,minmax(0,1fr))}\n");
        let sheet = style(None, None, number(12));
        assert!(sheet.contains("repeat(3,minmax(0,1fr));grid-template-rows:repeat(4,"), "{sheet}");
        assert!(style(None, number(4), number(12)).contains("repeat(4,minmax(0,1fr));grid-template-rows:repeat(3,"));
    }
}
