//! Writes trees: as PGN, pages, graphs and tables.

mod anki;
mod gaps;
mod graph;
pub(crate) mod guide;
mod page;
mod pgn;
mod rows;
mod words;

use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;

use crate::tree::Tree;
pub use crate::write::gaps::{Gap, GapKind};
pub use crate::write::rows::TreeRow;
use pgn2fen_chess::piece::Color;
use pgn2fen_rows::Format;

/// The format of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeFormat {
    /// One game with variations.
    Pgn,
    /// A page that unfolds, in one file of HTML.
    Html,
    /// A graph for Graphviz.
    Graphviz,
    /// A graph for Mermaid.
    Mermaid,
    /// Rows of text: csv, tsv or jsonl.
    Rows(RowFormat),
    /// Rows in a Parquet file. Writing it needs the feature `parquet`.
    Parquet,
    /// Cards for Anki: a text file that Anki imports, with a note for each position in which the side of the tree is to
    /// move.
    Anki,
}

/// The front of a card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CardFront {
    /// A picture of the board.
    #[default]
    Board,
    /// The FEN.
    Fen,
}

impl CardFront {
    /// All fronts, with their names.
    pub const NAMES: [(&'static str, Self); 2] = [("board", Self::Board), ("fen", Self::Fen)];
}

/// The format of rows of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowFormat {
    /// Comma-separated values.
    Csv,
    /// Tab-separated values.
    Tsv,
    /// An object of JSON on each line.
    Jsonl,
}

impl From<RowFormat> for Format {
    fn from(format: RowFormat) -> Self {
        match format {
            RowFormat::Csv => Self::Csv,
            RowFormat::Tsv => Self::Tsv,
            RowFormat::Jsonl => Self::Jsonl,
        }
    }
}

impl TreeFormat {
    /// All formats.
    pub const ALL: [Self; 9] = [
        Self::Pgn,
        Self::Html,
        Self::Graphviz,
        Self::Mermaid,
        Self::Rows(RowFormat::Csv),
        Self::Rows(RowFormat::Tsv),
        Self::Rows(RowFormat::Jsonl),
        Self::Parquet,
        Self::Anki,
    ];

    /// Returns the name of the format.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pgn => "pgn",
            Self::Html => "html",
            Self::Graphviz => "dot",
            Self::Mermaid => "mermaid",
            Self::Rows(RowFormat::Csv) => "csv",
            Self::Rows(RowFormat::Tsv) => "tsv",
            Self::Rows(RowFormat::Jsonl) => "jsonl",
            Self::Parquet => "parquet",
            Self::Anki => "anki",
        }
    }

    /// Returns the format that the ending of a file name in lower case stands for.
    pub fn of_ending(ending: &str) -> Option<Self> {
        Some(match ending {
            "pgn" => Self::Pgn,
            "html" | "htm" => Self::Html,
            "dot" | "gv" => Self::Graphviz,
            "mmd" | "mermaid" => Self::Mermaid,
            _ => match Format::of_ending(ending)? {
                Format::Csv => Self::Rows(RowFormat::Csv),
                Format::Tsv => Self::Rows(RowFormat::Tsv),
                Format::Jsonl => Self::Rows(RowFormat::Jsonl),
                #[cfg(feature = "parquet")]
                Format::Parquet => Self::Parquet,
                _ => return None,
            },
        })
    }
}

/// What becomes of a move to a position that stands elsewhere in the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Transpositions {
    /// The line ends with a remark that names where it goes on.
    #[default]
    Joined,
    /// The line goes on, as far as the tree is deep. At most [`MOST_WRITTEN_OUT`] moves are written again; behind them
    /// lines are joined.
    WrittenOut,
}

impl Transpositions {
    /// All ways, with their names.
    pub const NAMES: [(&'static str, Self); 2] = [("join", Self::Joined), ("write", Self::WrittenOut)];
}

/// The greatest number of moves that are written again because lines transpose.
pub const MOST_WRITTEN_OUT: u64 = 200_000;

/// The greatest number of moves of a tree as one game or one page.
pub const MOST_MOVES: u64 = 1_000_000;

/// What the comments of a tree tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remarks {
    /// The number of games.
    pub games: bool,
    /// The number of wins of White, draws and wins of Black.
    pub results: bool,
    /// The score in per cent.
    pub score: bool,
    /// The year of the latest game.
    pub year: bool,
    /// Games at the ends of lines.
    pub models: bool,
    /// The comments and glyphs of the games, if the tree [has them](crate::TreeOptions::notes).
    pub words: bool,
}

impl Remarks {
    /// All of them.
    pub const ALL: Self = Self { games: true, results: true, score: true, year: true, models: true, words: true };
    /// None of them.
    pub const NONE: Self =
        Self { games: false, results: false, score: false, year: false, models: false, words: false };

    /// Returns what comments tell if nothing is chosen: the words of a repertoire, or all counts of games.
    pub fn usual(variations: bool) -> Self {
        if variations { Self { words: true, ..Self::NONE } } else { Self { words: false, ..Self::ALL } }
    }
}

/// `all`, `none`, or the names of what is told, with commas between them: `games,score`.
impl FromStr for Remarks {
    type Err = UnknownRemark;

    fn from_str(text: &str) -> Result<Self, UnknownRemark> {
        match text {
            "all" => return Ok(Self::ALL),
            "none" => return Ok(Self::NONE),
            _ => {}
        }
        let mut remarks = Self::NONE;
        for word in text.split(',').map(str::trim) {
            *match word {
                "games" => &mut remarks.games,
                "results" => &mut remarks.results,
                "score" => &mut remarks.score,
                "year" => &mut remarks.year,
                "models" => &mut remarks.models,
                "words" => &mut remarks.words,
                _ => return Err(UnknownRemark(word.to_owned())),
            } = true;
        }
        Ok(remarks)
    }
}

/// The error for a word that names nothing that comments tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRemark(String);

impl fmt::Display for UnknownRemark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            word @ ("all" | "none") => write!(f, "{word:?} stands alone"),
            word => write!(f, "{word:?} is none of games, results, score, year, models, words"),
        }
    }
}

impl std::error::Error for UnknownRemark {}

/// The options for writing a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeStyle {
    /// The title.
    pub title: String,
    /// The side whose score is told.
    pub side: Color,
    /// What becomes of transpositions.
    pub transpositions: Transpositions,
    /// What the comments tell. Rows have all of it.
    pub remarks: Remarks,
    /// Whether moves get glyphs by their score: see [`TreeStyle::glyphs`].
    pub glyphs: bool,
    /// The front of a card.
    pub card_front: CardFront,
}

impl Default for TreeStyle {
    fn default() -> Self {
        Self {
            title: "Tree".to_owned(),
            side: Color::White,
            transpositions: Transpositions::Joined,
            remarks: Remarks::ALL,
            glyphs: false,
            card_front: CardFront::Board,
        }
    }
}

/// What was written, in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WrittenTree {
    /// The number of moves that were written, with those that were written again; the number of cards for Anki.
    pub moves: u64,
    /// The number of moves to positions that stand elsewhere in the tree.
    pub transpositions: u64,
    /// Whether lines were joined because too many moves would have been written again.
    pub is_cut: bool,
}

impl WrittenTree {
    /// Returns a hint if lines were joined that should have been written again.
    pub fn hint(&self) -> Option<&'static str> {
        let hint = "too many moves would be written again, so the last lines end where they transpose";
        self.is_cut.then_some(hint)
    }
}

/// The reason why a tree was not written.
#[derive(Debug)]
#[non_exhaustive]
pub enum TreeError {
    /// The output cannot be written.
    Write(io::Error),
    /// The tree has more moves than one game or page should have.
    TooLarge {
        /// The number of moves.
        moves: u64,
    },
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Write(error) => error.fmt(f),
            Self::TooLarge { moves } => {
                write!(
                    f,
                    "the tree has {moves} moves, and one game or page has at most {MOST_MOVES}; leave out moves with \
                     `min_games`, `depth` or `max`, or write a table"
                )
            }
        }
    }
}

impl std::error::Error for TreeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Write(error) => Some(error),
            Self::TooLarge { .. } => None,
        }
    }
}

/// Returns the error for Parquet without the feature.
#[cfg(not(feature = "parquet"))]
pub(crate) fn no_parquet() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, "Parquet needs the feature parquet of pgn2fen-trees")
}

impl From<io::Error> for TreeError {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

impl Tree {
    /// Calls a function with each row, in the order in which they are written. An error of the function ends it.
    ///
    /// # Errors
    ///
    /// That of the function.
    pub fn each_row(
        &self,
        style: &TreeStyle,
        mut take: impl FnMut(TreeRow) -> io::Result<()>,
    ) -> Result<WrittenTree, TreeError> {
        rows::each_row(self, style, &mut |row| Ok(take(row)?))
    }

    /// Writes the tree.
    ///
    /// # Errors
    ///
    /// The output cannot be written, or the tree is too large for one game or one page; rows and graphs may have any
    /// size.
    pub fn write(
        &self,
        format: TreeFormat,
        style: &TreeStyle,
        output: &mut impl Write,
    ) -> Result<WrittenTree, TreeError> {
        let moves = self.moves() as u64;
        if matches!(format, TreeFormat::Pgn | TreeFormat::Html) && moves > MOST_MOVES - MOST_WRITTEN_OUT {
            return Err(TreeError::TooLarge { moves });
        }
        match format {
            TreeFormat::Pgn => pgn::write(self, style, output),
            TreeFormat::Html => page::write(self, style, output),
            TreeFormat::Graphviz => graph::write(self, style, output, &graph::Graphviz),
            TreeFormat::Mermaid => graph::write(self, style, output, &graph::Mermaid),
            TreeFormat::Rows(format) => rows::write_lines(self, style, format, output),
            #[cfg(feature = "parquet")]
            TreeFormat::Parquet => rows::write_parquet(self, style, output),
            #[cfg(not(feature = "parquet"))]
            TreeFormat::Parquet => Err(no_parquet().into()),
            TreeFormat::Anki => anki::write(self, style, output),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error;
    use std::io;

    use super::{MOST_MOVES, MOST_WRITTEN_OUT, Remarks, RowFormat, TreeError, TreeFormat, TreeStyle, WrittenTree};
    use crate::options::TreeOptions;
    use crate::testing::{Parts, all_lines_of_three_plies, from, tree, written};
    use pgn2fen_chess::piece::Color;

    #[test]
    fn a_format_has_a_name_which_is_an_ending_of_files() {
        let names = TreeFormat::ALL.map(TreeFormat::name);
        assert_eq!(names, ["pgn", "html", "dot", "mermaid", "csv", "tsv", "jsonl", "parquet", "anki"]);
        for format in TreeFormat::ALL {
            // Cards are a text file, and Parquet needs a feature.
            let is_ending = match format {
                TreeFormat::Anki => false,
                TreeFormat::Parquet => cfg!(feature = "parquet"),
                _ => true,
            };
            assert_eq!(TreeFormat::of_ending(format.name()), is_ending.then_some(format), "{format:?}");
        }
        let others = ["htm", "gv", "mmd", "txt"].map(TreeFormat::of_ending);
        assert_eq!(others, [Some(TreeFormat::Html), Some(TreeFormat::Graphviz), Some(TreeFormat::Mermaid), None]);
    }

    #[test]
    fn remarks_are_chosen_by_their_names() {
        let none = Remarks::NONE;
        for (text, remarks) in [
            ("all", Remarks::ALL),
            ("none", none),
            ("games", Remarks { games: true, ..none }),
            ("results", Remarks { results: true, ..none }),
            ("score", Remarks { score: true, ..none }),
            ("year", Remarks { year: true, ..none }),
            ("models", Remarks { models: true, ..none }),
            ("words, games", Remarks { words: true, games: true, ..none }),
        ] {
            assert_eq!(text.parse(), Ok(remarks), "{text}");
        }
        let told = |text: &str| text.parse::<Remarks>().unwrap_err().to_string();
        assert_eq!(told("games,all"), "\"all\" stands alone");
        assert_eq!(told("games,game"), "\"game\" is none of games, results, score, year, models, words");
    }

    #[test]
    fn a_tree_with_too_many_moves_is_no_game_and_no_page() {
        let mut tree = tree("1. e4 *\n", &TreeOptions::default());
        let most = usize::try_from(MOST_MOVES - MOST_WRITTEN_OUT).unwrap();
        tree.edges.resize(most, tree.edges[0]);
        let write = |tree: &crate::Tree, format| tree.write(format, &TreeStyle::default(), &mut io::sink());
        assert!(write(&tree, TreeFormat::Pgn).is_ok());
        tree.edges.push(tree.edges[0]);
        for format in [TreeFormat::Pgn, TreeFormat::Html] {
            let error = write(&tree, format).unwrap_err();
            assert!(
                error.to_string().starts_with("the tree has 800001 moves, and one game or page has at most 1000000")
            );
            assert!(error.source().is_none());
        }
        assert!(write(&tree, TreeFormat::Mermaid).is_ok());
        let failed = TreeError::from(io::Error::other("full"));
        assert_eq!((failed.to_string(), failed.source().unwrap().to_string()), ("full".to_owned(), "full".to_owned()));
    }

    #[test]
    fn a_hint_tells_that_lines_were_joined() {
        assert_eq!(WrittenTree::default().hint(), None);
        let hint = WrittenTree { is_cut: true, ..WrittenTree::default() }.hint();
        assert!(hint.is_some_and(|hint| hint.starts_with("too many moves would be written again")));
    }

    #[test]
    fn large_pages_and_graphs_are_written_in_parts() {
        let tree = tree(&all_lines_of_three_plies(), &TreeOptions::default());
        for format in [TreeFormat::Html, TreeFormat::Graphviz, TreeFormat::Mermaid] {
            let mut parts = Parts::default();
            tree.write(format, &TreeStyle::default(), &mut parts).unwrap();
            assert!(parts.are_of_one_size(), "{format:?} {parts:?}");
        }
    }

    #[test]
    fn rows_are_passed_to_a_function_until_it_fails() {
        let tree = tree("1. e4 c5 2. Nf3 *\n", &from("1. e4"));
        let mut rows = Vec::new();
        let written = tree.each_row(&TreeStyle::default(), |row| {
            rows.push((row.path, row.ply));
            Ok(())
        });
        assert_eq!(written.unwrap().moves, 2);
        assert_eq!(rows, [("1. e4 c5".to_owned(), 1), ("1. e4 c5 2. Nf3".to_owned(), 2)]);
        let failed = tree.each_row(&TreeStyle::default(), |_| Err(io::Error::other("full")));
        assert_eq!(failed.unwrap_err().to_string(), "full");
    }

    #[cfg(feature = "parquet")]
    #[test]
    fn parquet_has_the_values_of_rows() {
        let games = "[Date \"2020\"]\n\n1. e4 1-0\n\n[Date \"2021\"]\n\n1. e4 1/2-1/2\n\n1. d4 *\n";
        let mut out = Vec::new();
        let tree = tree(games, &TreeOptions::default());
        assert_eq!(tree.write(TreeFormat::Parquet, &TreeStyle::default(), &mut out).unwrap().moves, 2);
        let fens = ["4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3", "3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3"];
        let [e4, d4] = fens.map(|fen| format!("rnbqkbnr/pppppppp/8/8/{fen} 0 1"));
        let rows = [
            ["1. e4", "1", "e4", "e2e4", &e4, "2", "1", "1", "0", "0", "0.75", "2021", "-"],
            ["1. d4", "1", "d4", "d2d4", &d4, "1", "0", "0", "0", "1", "-", "-", "-"],
        ];
        let rows = rows.map(|row| row.map(str::to_owned).to_vec()).to_vec();
        assert_eq!(crate::testing::parquet_rows(&out), (1, rows));
        out.clear();
        let empty = crate::testing::tree("1. e4 *\n", &from("1. d4"));
        empty.write(TreeFormat::Parquet, &TreeStyle::default(), &mut out).unwrap();
        assert_eq!(crate::testing::parquet_rows(&out), (0, Vec::new()));
    }

    #[test]
    fn gaps_are_rows() {
        let mut text = Vec::new();
        let tree = tree("1. e4 e5 (1... c5) *\n", &TreeOptions::usual(true));
        assert_eq!(tree.write_gaps(Color::White, RowFormat::Tsv, &mut text).unwrap(), 2);
        assert_eq!(
            String::from_utf8(text).unwrap(),
            "gap\tpath\tfen\tmoves\n\
             no_answer\t1. e4 e5\trnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2\t\n\
             no_answer\t1. e4 c5\trnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2\t\n"
        );
        let json = written(&tree, TreeFormat::Rows(RowFormat::Jsonl), &TreeStyle::default()).0;
        assert!(json.starts_with("{\"path\":\"1. e4\",\"ply\":1,\"san\":\"e4\","), "{json}");
    }
}
