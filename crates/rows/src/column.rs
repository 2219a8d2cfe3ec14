//! The columns that a row may have.

use std::error::Error;
use std::fmt;
use std::ops::Range;

use pgn2fen_games::pgn::tag_kind::TagKind;
use pgn2fen_games::selection::distance;
use pgn2fen_tables::ColumnType;

/// A column of a table of positions or of starting positions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Column {
    /// The path of the file as it was given; `-` for standard input.
    File,
    /// The number of the game in its file, from 1.
    Game,
    /// The byte offset of the game in its file. In a compressed or transcoded file it is the offset in the decoded
    /// text.
    Offset,
    /// The number of the line on which the game begins, from 1.
    Line,
    /// The number of the game in the run, from 1. It counts all games of all files before, also games that are not
    /// wanted.
    Id,
    /// The number of moves (plies) that led to the position: 0 for the start of a game.
    Ply,
    /// The number of the variation in its game, from 1 in the order of the text. 0 in the main line.
    Variation,
    /// The variation that contains the position in which the variation begins: the position before the first move of a
    /// variation has this number and one ply less. Null in the main line.
    Parent,
    /// The number of plies of the main line of the game, up to its first error.
    Plies,
    /// The side to move, `w` or `b`.
    Turn,
    /// The position as FEN.
    Fen,
    /// The move that led to the position, as SAN. Empty at the start of the game.
    San,
    /// The move that led to the position, in the notation of UCI engines: `e2e4`. Empty at the start of the game.
    Uci,
    /// The move that was played in the position, as SAN. Empty at the end of the game.
    NextSan,
    /// The move that was played in the position, in the notation of UCI engines. Empty at the end of the game.
    NextUci,
    /// The evaluation of the position, in centipawns from White's point of view. Mate in n moves is ±(32000 − n). It is
    /// read from the comments of an [`EvalSource`](pgn2fen_games::pgn::annotation::EvalSource).
    Eval,
    /// The depth of the search that gave the evaluation, in plies.
    Depth,
    /// The time of the search that gave the evaluation, in seconds.
    Time,
    /// The number of nodes of the search that gave the evaluation.
    Nodes,
    /// The clock in the comments (`[%clk …]`): the time that is left to the player who moved, in seconds.
    Clk,
    /// The time that the player used for the move, in seconds: `[%emt …]` in the comments, or else the difference of
    /// the clocks.
    Spent,
    /// The comments behind the move, with one space between them. At the start of the game, those before the first
    /// move.
    Comment,
    /// The numeric annotation glyphs behind the move (PGN standard §10). The suffixes `! ? !! ?? !? ?!` are the glyphs
    /// 1 to 6.
    Nags,
    /// The Polyglot key of the position.
    Key,
    /// The pieces of White and Black: `KRPP:KBP`.
    Material,
    /// The ECO code of the opening, such as `B90`: that of the last named position on the way to this one. Empty before
    /// the first named position. See [`openings`](pgn2fen_chess::openings). The tag `ECO` is another column,
    /// [`Tag`](Self::Tag).
    Eco,
    /// The name of the opening, such as `Sicilian Defense: Najdorf Variation`, in the same way as [`Eco`](Self::Eco).
    Opening,
    /// The result of the game: `1-0`, `0-1`, `1/2-1/2` or `*`. It comes from the Result tag, or from the movetext if
    /// the tag has no result.
    Result,
    /// The number of games that have the starting position of this row.
    Count,
    /// The kind of the starting position: `chess960`, `dfrc`, `odds`, `position` or `invalid`.
    Kind,
    /// The Chess960 number of the starting position: `12`, or `518/12` (White's, Black's) if the two sides differ.
    Sp,
    /// The pieces that are given at odds, and the side that gives them.
    Odds,
    /// All tags of the game, with their names.
    Tags,
    /// The starting position of the game as FEN. Null for the initial position.
    Start,
    /// The moves of the main line, in the notation of UCI engines, up to the first error.
    Moves,
    /// The evaluation after each move, as in [`Eval`](Self::Eval), and null where there is none. Null for a game
    /// without evaluations.
    Evals,
    /// The clock after each move, as in [`Clk`](Self::Clk), and null where there is none. Null for a game without
    /// clocks.
    Clocks,
    /// The value of the tag with this name. It is null if the tag is missing or empty. Formats with types store dates,
    /// ratings and numbers as such, and null if they are unknown: see [`TagKind`].
    Tag(Box<str>),
    /// The text of a tag that formats with types store as a date or a number. The column is named `Date_text`.
    TagText(Box<str>),
}

/// The suffix of a column that holds the text of a tag that has a type.
const TEXT: &str = "_text";

impl Column {
    /// The columns of rows of positions, without those for tags.
    pub(super) const OF_POSITIONS: &'static [Self] = &[
        Self::File,
        Self::Game,
        Self::Offset,
        Self::Line,
        Self::Id,
        Self::Ply,
        Self::Variation,
        Self::Parent,
        Self::Plies,
        Self::Turn,
        Self::Fen,
        Self::Material,
        Self::San,
        Self::Uci,
        Self::NextSan,
        Self::NextUci,
        Self::Eval,
        Self::Depth,
        Self::Time,
        Self::Nodes,
        Self::Clk,
        Self::Spent,
        Self::Comment,
        Self::Nags,
        Self::Key,
        Self::Result,
        Self::Eco,
        Self::Opening,
        Self::Tags,
    ];

    /// The columns of rows of starting positions, in the default order, without those for tags.
    pub(super) const OF_STARTS: &'static [Self] = &[
        Self::Count,
        Self::Kind,
        Self::Sp,
        Self::Fen,
        Self::File,
        Self::Line,
        Self::Offset,
        Self::Game,
        Self::Odds,
        Self::Eco,
        Self::Opening,
        Self::Id,
        Self::Material,
        Self::Tags,
    ];

    /// The columns of rows of whole games, without those for tags.
    pub(super) const OF_GAMES: &'static [Self] = &[
        Self::File,
        Self::Game,
        Self::Offset,
        Self::Line,
        Self::Id,
        Self::Start,
        Self::Moves,
        Self::Evals,
        Self::Clocks,
        Self::Plies,
        Self::Result,
        Self::Eco,
        Self::Opening,
        Self::Tags,
    ];

    /// The columns of [`OF_STARTS`](Self::OF_STARTS) that are not among the default ones.
    const EXTRA: [Self; 5] = [Self::Eco, Self::Opening, Self::Id, Self::Material, Self::Tags];

    /// Returns the name of the column, as it is given by users and written in header rows.
    pub fn name(&self) -> &str {
        match self {
            Self::File => "file",
            Self::Game => "game",
            Self::Offset => "offset",
            Self::Line => "line",
            Self::Id => "id",
            Self::Ply => "ply",
            Self::Variation => "variation",
            Self::Parent => "parent",
            Self::Plies => "plies",
            Self::Turn => "turn",
            Self::Fen => "fen",
            Self::San => "san",
            Self::Uci => "uci",
            Self::NextSan => "next_san",
            Self::NextUci => "next_uci",
            Self::Eval => "eval",
            Self::Depth => "depth",
            Self::Time => "time",
            Self::Nodes => "nodes",
            Self::Clk => "clk",
            Self::Spent => "spent",
            Self::Comment => "comment",
            Self::Nags => "nags",
            Self::Key => "key",
            Self::Material => "material",
            Self::Result => "result",
            Self::Eco => "eco",
            Self::Opening => "opening",
            Self::Count => "count",
            Self::Kind => "kind",
            Self::Sp => "sp",
            Self::Odds => "odds",
            Self::Tags => "tags",
            Self::Start => "start",
            Self::Moves => "moves",
            Self::Evals => "evals",
            Self::Clocks => "clocks",
            Self::Tag(name) | Self::TagText(name) => name,
        }
    }

    /// The tag whose value the column holds.
    fn tag(&self) -> Option<&str> {
        match self {
            Self::Tag(name) => Some(name),
            Self::TagText(name) => name.strip_suffix(TEXT),
            _ => None,
        }
    }

    /// Whether all rows of a game have the same value.
    pub(crate) fn is_of_game(&self) -> bool {
        matches!(
            self,
            Self::File
                | Self::Game
                | Self::Offset
                | Self::Line
                | Self::Id
                | Self::Plies
                | Self::Result
                | Self::Tags
                | Self::Tag(_)
                | Self::TagText(_)
        )
    }

    /// Whether the value is known when a position is reached, and is one of those that text formats write [at
    /// once](crate::draft).
    pub(crate) fn is_drafted(&self) -> bool {
        matches!(self, Self::Ply | Self::Turn | Self::Fen | Self::San | Self::Uci | Self::Eval | Self::Clk | Self::Key)
    }

    /// Returns the type of the column's values.
    #[doc(hidden)]
    pub fn column_type(&self) -> ColumnType {
        match self {
            Self::Game | Self::Offset | Self::Line | Self::Id | Self::Key | Self::Count | Self::Nodes => {
                ColumnType::Long
            }
            Self::Ply | Self::Variation | Self::Parent | Self::Plies | Self::Eval | Self::Depth => ColumnType::Int,
            Self::Time | Self::Clk | Self::Spent => ColumnType::Double,
            Self::Nags | Self::Evals => ColumnType::Ints,
            Self::Clocks => ColumnType::Doubles,
            Self::Moves => ColumnType::Texts,
            Self::Tags => ColumnType::TextMap,
            Self::Tag(name) => ColumnType::of_tag(TagKind::of(name)),
            _ => ColumnType::Text,
        }
    }

    /// Finds the column with this name among the known columns. A name that begins with a capital letter is the name of
    /// a tag.
    pub(super) fn named(name: &str, known: &'static [Self]) -> Result<Self, ColumnError> {
        if name.starts_with(|first: char| first.is_ascii_uppercase()) {
            let tag = name.strip_suffix(TEXT).filter(|tag| ColumnType::of_tag(TagKind::of(tag)) != ColumnType::Text);
            return Ok(if tag.is_some() { Self::TagText(name.into()) } else { Self::Tag(name.into()) });
        }
        known.iter().find(|column| column.name() == name).cloned().ok_or_else(|| ColumnError::unknown(name, known))
    }
}

/// The columns of a table, in order and without duplicates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    list: Vec<Column>,
    has: ColumnSet,
    tags: Vec<Box<str>>,
}

/// The expensive columns that a table has. The others are filled always. The numbers of games, lines and bytes are
/// expensive in a range of a file, because they depend on what stands before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ColumnSet {
    pub(crate) game: bool,
    pub(crate) line: bool,
    pub(crate) offset: bool,
    pub(crate) id: bool,
    pub(crate) variation: bool,
    pub(crate) plies: bool,
    pub(crate) fen: bool,
    pub(crate) san: bool,
    pub(crate) uci: bool,
    pub(crate) next_san: bool,
    pub(crate) next_uci: bool,
    pub(crate) eval: bool,
    pub(crate) depth: bool,
    pub(crate) time: bool,
    pub(crate) nodes: bool,
    pub(crate) clk: bool,
    pub(crate) spent: bool,
    pub(crate) comment: bool,
    pub(crate) nags: bool,
    pub(crate) tags: bool,
    pub(crate) key: bool,
    pub(crate) material: bool,
    pub(crate) opening: bool,
    pub(crate) count: bool,
    pub(crate) kind: bool,
    pub(crate) sp: bool,
    pub(crate) odds: bool,
    pub(crate) start: bool,
    pub(crate) moves: bool,
    pub(crate) evals: bool,
    pub(crate) clocks: bool,
    /// Positions in few bytes, which no column names.
    pub(crate) position: bool,
    /// Next moves in few bytes, which no column names.
    pub(crate) next_move: bool,
    /// Whether there is one of the columns of positions that few jobs have, so that the others ask once for each row.
    pub(crate) rare: bool,
    /// Whether there are columns of positions other than ply, turn, FEN and moves.
    pub(crate) more: bool,
    /// Whether there are columns for the move that was played in the position.
    pub(crate) next: bool,
}

impl ColumnSet {
    /// Whether a column needs the evaluation of the position.
    #[inline]
    pub(crate) fn search(self) -> bool {
        self.eval || self.depth || self.time || self.nodes
    }
}

impl Columns {
    /// Creates a list of columns and drops duplicates.
    pub fn new(columns: impl IntoIterator<Item = Column>) -> Self {
        let mut list = Vec::new();
        for column in columns {
            if !list.contains(&column) {
                list.push(column);
            }
        }
        let has = |column| list.contains(&column);
        let has = ColumnSet {
            game: has(Column::Game),
            line: has(Column::Line),
            offset: has(Column::Offset),
            id: has(Column::Id),
            variation: has(Column::Variation) || has(Column::Parent),
            plies: has(Column::Plies),
            fen: has(Column::Fen),
            san: has(Column::San),
            uci: has(Column::Uci),
            next_san: has(Column::NextSan),
            next_uci: has(Column::NextUci),
            eval: has(Column::Eval),
            depth: has(Column::Depth),
            time: has(Column::Time),
            nodes: has(Column::Nodes),
            clk: has(Column::Clk),
            spent: has(Column::Spent),
            comment: has(Column::Comment),
            nags: has(Column::Nags),
            tags: has(Column::Tags),
            key: has(Column::Key),
            material: has(Column::Material),
            opening: has(Column::Eco) || has(Column::Opening),
            count: has(Column::Count),
            kind: has(Column::Kind),
            sp: has(Column::Sp),
            odds: has(Column::Odds),
            start: has(Column::Start),
            moves: has(Column::Moves),
            evals: has(Column::Evals),
            clocks: has(Column::Clocks),
            position: false,
            more: false,
            next: has(Column::NextSan) || has(Column::NextUci),
            next_move: false,
            rare: [Column::Variation, Column::Parent, Column::Material, Column::Spent, Column::Comment, Column::Nags]
                .into_iter()
                .any(has),
        };
        let more = has.search() || has.clk || has.key || has.opening || has.rare;
        let has = ColumnSet { more, ..has };
        let tags = list.iter().filter_map(Column::tag).map(Box::from).collect();
        Self { list, has, tags }
    }

    /// Returns the default columns of rows of starting positions: `count kind sp fen file line offset game odds`.
    pub fn starts() -> Self {
        let default = Column::OF_STARTS.iter().filter(|column| !Column::EXTRA.contains(column));
        Self::new(default.cloned())
    }

    /// Returns the default columns of rows of whole games: `game`, the tags Event, Site, Date, Round, White, Black,
    /// WhiteElo and BlackElo, and `result plies start moves evals clocks`.
    pub fn games() -> Self {
        let tags = ["Event", "Site", "Date", "Round", "White", "Black", "WhiteElo", "BlackElo"];
        let course = [Column::Result, Column::Plies, Column::Start, Column::Moves, Column::Evals, Column::Clocks];
        Self::new([Column::Game].into_iter().chain(tags.map(|tag| Column::Tag(tag.into()))).chain(course))
    }

    /// Adds packed positions, which are not a column that users can choose.
    #[must_use]
    pub(crate) fn with_positions(mut self) -> Self {
        self.has.position = true;
        self.has.more = true;
        self
    }

    /// Adds packed next moves, which are not a column that users can choose.
    #[must_use]
    pub(crate) fn with_next_moves(mut self) -> Self {
        self.has.next_move = true;
        self.has.next = true;
        self
    }

    /// Whether [`Column::Count`] is in the list. Its values are known only when all games have been read.
    pub fn has_count(&self) -> bool {
        self.has.count
    }

    /// Returns an iterator over the columns.
    pub fn iter(&self) -> std::slice::Iter<'_, Column> {
        self.list.iter()
    }

    /// Returns the ranges of columns that text formats write at once, without a column of another kind between them.
    pub(crate) fn drafted(&self) -> Vec<Range<usize>> {
        let mut end = 0;
        let runs = self.list.chunk_by(|column, next| column.is_drafted() == next.is_drafted());
        let range = |run: &[Column]| {
            let start = end;
            end += run.len();
            run[0].is_drafted().then_some(start..end)
        };
        runs.filter_map(range).collect()
    }

    pub(crate) fn has(&self) -> ColumnSet {
        self.has
    }

    /// The tags whose values are columns, in the order of the columns.
    pub(crate) fn tags(&self) -> &[Box<str>] {
        &self.tags
    }

    /// Returns the columns in the form that a table needs to look up values.
    pub(crate) fn cells(&self) -> impl Iterator<Item = Cell<'_>> {
        let mut tags = 0;
        self.list.iter().map(move |column| {
            let tag = tags;
            tags += usize::from(column.tag().is_some());
            Cell { column, tag }
        })
    }
}

/// A column, with what a table needs to look up its values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell<'c> {
    pub(crate) column: &'c Column,
    /// For the column of a tag, its index among the tags that are columns.
    pub(crate) tag: usize,
}

impl<'a> IntoIterator for &'a Columns {
    type Item = &'a Column;
    type IntoIter = std::slice::Iter<'a, Column>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Default for Columns {
    /// Returns `game ply san fen`.
    fn default() -> Self {
        Self::new([Column::Game, Column::Ply, Column::San, Column::Fen])
    }
}

/// The error for a list of columns that cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnError {
    /// The list has no names.
    Empty,
    /// No column and no tag has a name that matches a pattern.
    NoMatch {
        /// The name with wildcards.
        pattern: String,
    },
    /// A pattern stands for tags, where the tags of the games are not known.
    NeedsTags {
        /// The name with wildcards.
        pattern: String,
    },
    /// A name is not that of a column.
    Unknown {
        /// The name as it was given.
        name: String,
        /// The known columns with similar names.
        nearest: Vec<&'static str>,
        /// All known columns.
        known: &'static [Column],
    },
}

impl ColumnError {
    fn unknown(name: &str, known: &'static [Column]) -> Self {
        let names = known.iter().map(Column::name).chain(TAGS);
        let is_near = |known: &&str| {
            let shorter = name.len().min(known.len());
            let begins = shorter >= 3 && (name.starts_with(known) || known.starts_with(name));
            begins || distance(name, known) < shorter.min(3)
        };
        let near: Vec<&str> = names.filter(is_near).collect();
        let least = near.iter().map(|known| distance(name, known)).min();
        let nearest = near.into_iter().filter(|known| Some(distance(name, known)) == least).collect();
        Self::Unknown { name: name.to_owned(), nearest, known }
    }
}

/// Tags that most files have, for suggestions. Any other tag may be a column, too.
const TAGS: [&str; 11] =
    ["Event", "Site", "Date", "Round", "White", "Black", "WhiteElo", "BlackElo", "ECO", "Opening", "TimeControl"];

impl fmt::Display for ColumnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("no columns are given"),
            Self::NoMatch { pattern } => write!(f, "no column and no tag matches {pattern}"),
            Self::NeedsTags { pattern } => {
                write!(f, "the tags that {pattern} stands for are not known here; name them")
            }
            Self::Unknown { name, nearest, known } => {
                write!(f, "there is no column {name}; ")?;
                match nearest.as_slice() {
                    [] => {
                        let names: Vec<&str> = known.iter().map(Column::name).collect();
                        write!(f, "the columns are {}, and tags by name, such as White", names.join(" "))
                    }
                    names => write!(f, "did you mean {}?", names.join(" or ")),
                }
            }
        }
    }
}

impl Error for ColumnError {}

#[cfg(test)]
mod tests {
    use super::{Column, Columns};

    #[track_caller]
    fn check(list: &str, expected: &str) {
        let came = match list.parse::<Columns>() {
            Ok(columns) => columns.iter().map(Column::name).collect::<Vec<_>>().join(" "),
            Err(error) => error.to_string(),
        };
        assert_eq!(came, expected);
    }

    #[test]
    fn columns_are_named_with_commas_or_blanks_between() {
        check("game,fen", "game fen");
        check(" game, White fen,,", "game White fen");
        check("fen,fen,WhiteElo,fen", "fen WhiteElo");
        check("Date,Date_text,White_text,Date", "Date Date_text White_text");
        check(",", "no columns are given");
    }

    #[test]
    fn a_name_that_begins_with_a_capital_is_a_tags() {
        let column = |name| Column::named(name, Column::OF_POSITIONS);
        assert_eq!(column("ECO"), Ok(Column::Tag("ECO".into())));
        assert_eq!(column("fen"), Ok(Column::Fen));
        assert_eq!(column("FEN"), Ok(Column::Tag("FEN".into())));
        assert_eq!(column("WhiteElo_text"), Ok(Column::TagText("WhiteElo_text".into())));
        // White has no type, so it needs no second column for its text.
        assert_eq!(column("White_text"), Ok(Column::Tag("White_text".into())));
        assert_eq!("Date,White,Date_text".parse::<Columns>().unwrap().tags(), ["Date", "White", "Date"].map(Box::from));
    }

    #[test]
    fn an_unknown_column_is_answered_with_the_nearest() {
        check("game,feen", "there is no column feen; did you mean fen?");
        check("nextsan", "there is no column nextsan; did you mean next_san?");
        check("next", "there is no column next; did you mean next_san or next_uci?");
        check("clock", "there is no column clock; did you mean clk or Black?");
        check("evaluation", "there is no column evaluation; did you mean eval?");
        check("white", "there is no column white; did you mean White?");
        check(
            "x",
            "there is no column x; the columns are file game offset line id ply variation parent plies turn fen \
             material san uci next_san next_uci eval depth time nodes clk spent comment nags key result eco opening \
             tags, and tags by name, such as White",
        );
    }

    #[test]
    fn rows_of_starts_have_their_own_columns() {
        assert_eq!(
            Columns::of_starts("kind,White,fen"),
            Ok(Columns::new(["kind", "White", "fen"].map(|name| { Column::named(name, Column::OF_STARTS).unwrap() })))
        );
        assert!(Columns::of_starts("ply").is_err() && "kind".parse::<Columns>().is_err());
    }
}
