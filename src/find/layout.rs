//! The layout of a table on a terminal: aligned columns that fit into its width.

use pgn2fen_games::messages::plain;
use pgn2fen_rows::lines::Cell;

/// A cell of an aligned table. Numbers are aligned to the right, text to the left.
#[derive(Clone, Debug)]
pub(super) struct Aligned {
    text: String,
    is_number: bool,
}

/// The width to which a column of text is narrowed at most.
const NARROW: usize = 10;

impl Aligned {
    pub(super) fn new(cell: Cell<'_>) -> Self {
        match cell {
            Cell::Missing => Self { text: "-".to_owned(), is_number: true },
            Cell::Text("") => Self { text: "-".to_owned(), is_number: false },
            Cell::Text(text) => Self { text: plain(text).into_owned(), is_number: false },
            Cell::Number(number) => Self { text: number.to_string(), is_number: true },
            Cell::Thousandths(number) => {
                Self { text: format!("{}.{:03}", number / 1000, number % 1000), is_number: true }
            }
            Cell::PerCent(number) => Self { text: format!("{number}%"), is_number: true },
        }
    }

    fn width(&self) -> usize {
        self.text.chars().count()
    }

    fn fill(&self, width: usize, keeps_end: bool) -> String {
        let Self { text, is_number } = self;
        let over = self.width().saturating_sub(width);
        let cut: String = match over {
            0 => text.clone(),
            _ if keeps_end => "…".chars().chain(text.chars().skip(over + 1)).collect(),
            _ => text.chars().take(width.saturating_sub(1)).chain("…".chars()).collect(),
        };
        let blanks = " ".repeat(width.saturating_sub(self.width()));
        if *is_number { blanks + &cut } else { cut + &blanks }
    }
}

/// Returns the lines of a table, with its header row if there is one. A line is not longer than `limit`, if there is a
/// limit: columns of text are narrowed, and a column of links, which cannot be cut, is left out if there is no room for
/// it, or if it is empty.
pub(super) fn lines(
    names: &[&'static str],
    mut rows: Vec<Vec<Aligned>>,
    has_header: bool,
    limit: Option<usize>,
) -> Vec<String> {
    if let Some(first) = rows.first().filter(|_| has_header) {
        // A column name is aligned like the values below it.
        let name = |(name, below): (&&str, &Aligned)| Aligned { text: (*name).to_owned(), ..*below };
        let header = names.iter().zip(first).map(name).collect();
        rows.insert(0, header);
    }
    let widths = widths(names, &rows, limit);
    let line = |row: &Vec<Aligned>| {
        let cells = row.iter().zip(&widths).zip(names);
        let cells = cells.filter_map(|((cell, width), name)| Some(cell.fill((*width)?, *name == "place")));
        let line = cells.collect::<Vec<_>>().join("  ");
        let line = line.trim_end();
        match limit {
            Some(limit) if line.chars().count() > limit => {
                line.chars().take(limit.saturating_sub(1)).chain("…".chars()).collect()
            }
            _ => line.to_owned(),
        }
    };
    rows.iter().map(line).collect()
}

/// Returns the width of each column, or `None` for a column that is left out.
fn widths(names: &[&'static str], rows: &[Vec<Aligned>], limit: Option<usize>) -> Vec<Option<usize>> {
    let natural = |column: usize| rows.iter().map(|row| row[column].width()).max().unwrap_or(0);
    let mut widths: Vec<Option<usize>> = (0..names.len()).map(|column| Some(natural(column))).collect();
    let Some(limit) = limit else {
        return widths;
    };
    let link = names.iter().position(|name| *name == "link");
    if let Some(link) = link
        && rows.iter().all(|row| matches!(&*row[link].text, "-" | "link"))
    {
        widths[link] = None;
    }
    let narrowed = narrowed(&widths, rows, limit, link);
    let Some(link) = link.filter(|link| widths[*link].is_some() && total(&narrowed) > limit) else {
        return narrowed;
    };
    widths[link] = None;
    self::narrowed(&widths, rows, limit, None)
}

/// Narrows the widest columns of text until a line has room, or until they are narrow. The column of links stays as it
/// is.
fn narrowed(widths: &[Option<usize>], rows: &[Vec<Aligned>], limit: usize, link: Option<usize>) -> Vec<Option<usize>> {
    let mut widths = widths.to_vec();
    let is_text = |column: usize| Some(column) != link && rows.iter().any(|row| !row[column].is_number);
    while total(&widths) > limit {
        let texts =
            (0..widths.len()).filter(|column| is_text(*column)).filter_map(|column| Some((widths[column]?, column)));
        match texts.max() {
            Some((width, column)) if width > NARROW => widths[column] = Some(width - 1),
            _ => break,
        }
    }
    widths
}

/// Returns the length of a line: the columns that are not left out, with two spaces between them.
fn total(widths: &[Option<usize>]) -> usize {
    widths.iter().flatten().map(|width| width + 2).sum::<usize>().saturating_sub(2)
}

#[cfg(test)]
mod tests {
    use super::{Aligned, lines};
    use pgn2fen_rows::lines::Cell;

    /// Compares the lines of a table of one row with this width.
    #[track_caller]
    fn check(limit: Option<usize>, link: &str, expected: [&str; 2]) {
        let names = ["place", "ply", "White", "Black", "link"];
        let cells = [
            Cell::Text("tournaments_2020.pgn:1204"),
            Cell::Number(7),
            Cell::Text("Vachier-Lagrave, Maxime"),
            Cell::Text("So, Wesley"),
            Cell::Text(link),
        ];
        let came = lines(&names, vec![cells.into_iter().map(Aligned::new).collect()], true, limit);
        assert_eq!(came, expected);
        assert!(limit.is_none_or(|limit| came.iter().all(|line| line.chars().count() <= limit)));
    }

    #[test]
    fn lines_are_cut_to_the_width() {
        let link = "https://lichess.org/z9Siwwu4";
        check(
            None,
            link,
            [
                "place                      ply  White                    Black       link",
                "tournaments_2020.pgn:1204    7  Vachier-Lagrave, Maxime  So, Wesley  https://lichess.org/z9Siwwu4",
            ],
        );
        // The file name is cut at its beginning, so that the line number stays.
        check(
            Some(80),
            link,
            [
                "place             ply  White            Black       link",
                "…s_2020.pgn:1204    7  Vachier-Lagrav…  So, Wesley  https://lichess.org/z9Siwwu4",
            ],
        );
        let without_link = [
            "place                  ply  White                 Black",
            "…aments_2020.pgn:1204    7  Vachier-Lagrave, Ma…  So, Wesley",
        ];
        check(Some(60), link, without_link);
        check(Some(60), "", without_link);
        check(Some(20), link, ["place       ply  Wh…", "….pgn:1204    7  Va…"]);
    }
}
