//! The columns that a row may have. Each column is one entry of the list below.

pub(crate) mod buffers;
pub(crate) mod error;
pub(crate) mod set;

use std::sync::LazyLock;

use crate::columns::column::buffers::Buffers;
use crate::columns::column::error::ColumnError;
use crate::columns::column::set::ColumnSet;
use crate::columns::comment::{append_comments, append_words};
use crate::columns::continuation::append_continuation;
use crate::columns::material::append_material;
use crate::columns::packed::PackedPosition;
use crate::columns::sources::{Next, Reached, Replayed};
use crate::table::buffer::{Buffer, signed};
use pgn2fen_chess::fen::{self, FenWriter};
use pgn2fen_games::judgement::{JudgedMove, rounded};
use pgn2fen_games::pgn::tag_kind::TagKind;
use pgn2fen_games::pgn::tag_pair::is_tag_name;
use pgn2fen_tables::ColumnType;

/// Where the values of a column come from.
#[derive(Clone, Copy)]
pub(crate) enum Source {
    /// From the game: all rows of a game have the same value, which the table has.
    Game,
    /// From the row itself: the table has it always.
    Row,
    /// From a position when it is reached. Text formats write such values [at once](crate::table::draft), and so
    /// those of `Row`.
    Reached(PushReached),
    /// From the replay, which is at the position.
    Replayed(PushReplayed),
    /// From the move that is played in the position.
    Next(PushNext),
    /// From a whole game or a starting position, for rows of these.
    Other,
}

/// Appends the value of a position.
pub(crate) type PushReached = fn(&Reached<'_>, &mut FenWriter, &mut Buffer);

/// Appends a value from the replay.
pub(crate) type PushReplayed = fn(&Replayed<'_>, &mut Buffer);

/// Appends a value of the next move.
pub(crate) type PushNext = fn(&Next<'_>, &mut Buffer);

/// What the crate knows about a column.
struct Description {
    column: Column,
    name: &'static str,
    column_type: ColumnType,
    source: Source,
}

/// Defines the columns: each has a name, the type of its values, and their source.
macro_rules! columns {
    ($($(#[$attribute:meta])* $column:ident $name:literal $column_type:ident: $source:expr;)*) => {
        /// A column of a table of positions, of starting positions or of games.
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Column {
            $($(#[$attribute])* $column,)*
            /// The value of the tag with this name. It is null if the tag is missing or empty. Formats with types store
            /// dates, ratings and numbers as such, and null if they are unknown: see [`TagKind`].
            Tag(Box<str>),
            /// The text of a tag that formats with types store as a date or a number. The column is named `Date_text`.
            TagText(Box<str>),
        }

        enum Number { $($column,)* Tag }

        impl Column {
            /// The number of columns, not counting those of tags.
            pub(crate) const COUNT: usize = Number::Tag as usize;

            /// Returns the number of the column in the list. Columns of tags have the number [`COUNT`](Self::COUNT).
            #[inline]
            pub(crate) const fn number(&self) -> usize {
                match self {
                    $(Self::$column => Number::$column as usize,)*
                    Self::Tag(_) | Self::TagText(_) => Number::Tag as usize,
                }
            }

            /// Appends the values of a position that has been reached to the buffers of these columns. The compiler
            /// knows the functions of the sources here, and can inline them.
            #[inline(always)]
            pub(crate) fn push_reached(
                columns: ColumnSet,
                at: &Reached<'_>,
                writer: &mut FenWriter,
                buffers: &mut Buffers,
            ) {
                use Source::{Game, Next, Other, Reached, Replayed, Row};
                $(if let Reached(push) = $source && columns.has(&Self::$column) {
                    push(at, writer, &mut buffers.0[Number::$column as usize]);
                })*
            }
        }

        static DESCRIPTIONS: [Description; Column::COUNT] = {
            use Source::{Game, Next, Other, Reached, Replayed, Row};
            [$(Description {
                column: Column::$column, name: $name, column_type: ColumnType::$column_type, source: $source,
            },)*]
        };
    };
}

columns! {
    /// The path of the file as it was given; `-` for standard input.
    File "file" Text: Game;
    /// The number of the game in its file, from 1.
    Game "game" Long: Game;
    /// The byte offset of the game in its file. In a compressed or transcoded file it is the offset in the decoded
    /// text.
    Offset "offset" Long: Game;
    /// The number of the line on which the game begins, from 1.
    Line "line" Long: Game;
    /// The number of the game in the run, from 1. It counts all games of all files before, also games that are not
    /// wanted.
    Id "id" Long: Game;
    /// The number of moves (plies) that led to the position: 0 for the start of a game.
    Ply "ply" Int: Row;
    /// The number of the variation in its game, from 1 in the order of the text. 0 in the main line.
    Variation "variation" Int: Replayed(|at, buffer| buffer.numbers().push(Some(at.replay.variation().into())));
    /// The variation that contains the position in which the variation begins: the position before the first move of a
    /// variation has this number and one ply less. Null in the main line.
    Parent "parent" Int: Replayed(|at, buffer| buffer.numbers().push(at.replay.parent().map(i64::from)));
    /// The number of plies of the main line of the game, up to its first error.
    Plies "plies" Int: Game;
    /// The side to move, `w` or `b`.
    Turn "turn" Text: Row;
    /// The variant of the game, as Lichess names it: `standard`, `chess960`, `crazyhouse`.
    Variant "variant" Text: Replayed(|at, buffer| buffer.names().push(Some(at.replay.variant())));
    /// The men in hand, in crazyhouse: White's in capital letters, then Black's: `QNPp`. Empty if there are none.
    Hand "hand" Text:
        Replayed(|at, buffer| buffer.ascii().push_with(|out| at.replay.position().hands().append(out)));
    /// The position as FEN.
    Fen "fen" Text: Reached(|at, writer, buffer| buffer.ascii().push_with(|out| at.append_fen(writer, out)));
    /// The move that led to the position, as SAN. Empty at the start of the game.
    San "san" Text: Reached(|at, _, buffer| buffer.ascii().push_with(|out| at.last_move.san.append(out)));
    /// The move that led to the position, in the notation of UCI engines: `e2e4`. Empty at the start of the game.
    Uci "uci" Text: Reached(|at, _, buffer| buffer.ascii().push(&at.last_move.uci));
    /// The move that was played in the position, as SAN. Empty at the end of the game.
    NextSan "next_san" Text: Next(|next, buffer| buffer.ascii().push_with(|out| next.san.append(out)));
    /// The move that was played in the position, in the notation of UCI engines. Empty at the end of the game.
    NextUci "next_uci" Text: Next(|next, buffer| buffer.ascii().push(next.uci));
    /// The evaluation of the position, in centipawns from White's point of view. Mate in n moves is ±(32000 − n). It is
    /// read from the comments of an [`EvalSource`](pgn2fen_games::pgn::annotation::EvalSource).
    Eval "eval" Int: Reached(|at, _, buffer| buffer.evaluations().push(at.eval));
    /// The depth of the search that gave the evaluation, in plies.
    Depth "depth" Int: Replayed(|at, buffer| buffer.numbers().push(at.search.depth.map(i64::from)));
    /// The time of the search that gave the evaluation, in seconds.
    Time "time" Double: Replayed(|at, buffer| buffer.seconds().push(at.search.time));
    /// The number of nodes of the search that gave the evaluation.
    Nodes "nodes" Long: Replayed(|at, buffer| buffer.numbers().push(at.search.nodes.map(signed)));
    /// The chances of White to win that the evaluation means, in percent: see
    /// [`win_chance`](pgn2fen_games::judgement::win_chance).
    WinChance "win_chance" Double: Replayed(|at, buffer| buffer.seconds().push(at.win_chance()));
    /// The centipawns that the player lost by the move, from the evaluations before and after it; 0 if none. Ten pawns
    /// are the most that either side may be ahead.
    CpLoss "cp_loss" Int:
        Replayed(|at, buffer| buffer.numbers().push(at.judged.map(|judged| judged.centipawn_loss().into())));
    /// The accuracy of the move, from 0 to 100, as Lichess defines it: see
    /// [`JudgedMove`](pgn2fen_games::judgement::JudgedMove).
    Accuracy "accuracy" Double:
        Replayed(|at, buffer| buffer.seconds().push(at.judged.map(|judged| rounded(judged.accuracy()))));
    /// The judgement about the move, as Lichess defines it: `inaccuracy`, `mistake` or `blunder`, or else `good`. Empty
    /// if there is no evaluation before or after the move.
    Judgement "judgement" Text: Replayed(|at, buffer| buffer.names().push(at.judged.map(JudgedMove::name)));
    /// The clock in the comments (`[%clk …]`): the time that is left to the player who moved, in seconds.
    Clk "clk" Double: Reached(|at, _, buffer| buffer.seconds().push(at.clk));
    /// The time that the player used for the move, in seconds: `[%emt …]` in the comments, or else the difference of
    /// the clocks.
    Spent "spent" Double: Replayed(|at, buffer| buffer.seconds().push(at.spent));
    /// The comments behind the move, with one space between them. At the start of the game, those before the first
    /// move.
    Comment "comment" Text:
        Replayed(|at, buffer| buffer.texts().push_with(|out| append_comments(&at.notes().comments, at.encoding, out)));
    /// The words of people in these comments, without commands such as `[%clk …]` and the reports of engines: see
    /// [`CommentParts`](pgn2fen_games::pgn::annotation::CommentParts).
    Words "words" Text:
        Replayed(|at, buffer| buffer.texts().push_with(|out| append_words(&at.notes().comments, at.encoding, out)));
    /// The numeric annotation glyphs behind the move (PGN standard §10). The suffixes `! ? !! ?? !? ?!` are the glyphs
    /// 1 to 6.
    Nags "nags" Ints: Replayed(|at, buffer| buffer.small_numbers().push(&at.notes().nags));
    /// The Polyglot key of the position.
    Key "key" Long: Reached(|at, _, buffer| buffer.keys().push(at.key()));
    /// The pieces of White and Black: `KRPP:KBP`.
    Material "material" Text:
        Replayed(|at, buffer| buffer.ascii().push_with(|out| append_material(at.replay.position().board(), out)));
    /// The ECO code of the opening, such as `B90`: that of the last named position on the way to this one. Empty before
    /// the first named position. See [`openings`](pgn2fen_chess::openings). The tag `ECO` is another column,
    /// [`Tag`](Self::Tag).
    Eco "eco" Text: Replayed(|at, buffer| buffer.names().push(at.opening().map(|opening| opening.eco)));
    /// The name of the opening, such as `Sicilian Defense: Najdorf Variation`, in the same way as [`Eco`](Self::Eco).
    Opening "opening" Text: Replayed(|at, buffer| buffer.names().push(at.opening().map(|opening| opening.name)));
    /// The result of the game: `1-0`, `0-1`, `1/2-1/2` or `*`. It comes from the Result tag, or from the movetext if
    /// the tag has no result.
    Result "result" Text: Game;
    /// The number of games that have the starting position of this row.
    Count "count" Long: Other;
    /// The kind of the starting position: `chess960`, `dfrc`, `odds`, `position` or `invalid`.
    Kind "kind" Text: Other;
    /// The Chess960 number of the starting position: `12`, or `518/12` (White's, Black's) if the two sides differ.
    Sp "sp" Text: Other;
    /// The pieces that are given at odds, and the side that gives them.
    Odds "odds" Text: Other;
    /// All tags of the game, with their names.
    Tags "tags" TextMap: Game;
    /// The starting position of the game as FEN. Null for the initial position.
    Start "start" Text: Other;
    /// The moves of the main line, in the notation of UCI engines, up to the first error.
    Moves "moves" Texts: Other;
    /// The evaluation after each move, as in [`Eval`](Self::Eval), and null where there is none. Null for a game
    /// without evaluations.
    Evals "evals" Ints: Other;
    /// The clock after each move, as in [`Clk`](Self::Clk), and null where there is none. Null for a game without
    /// clocks.
    Clocks "clocks" Doubles: Other;
    /// The accuracy of White in the game, from 0 to 100, as Lichess defines it: see
    /// [`GameReview`](pgn2fen_games::judgement::GameReview). Null if no move has an evaluation before and after it.
    WhiteAccuracy "white_accuracy" Double: Other;
    /// The accuracy of Black.
    BlackAccuracy "black_accuracy" Double: Other;
    /// The average of [`CpLoss`](Self::CpLoss) for the moves of White.
    WhiteCpLoss "white_cp_loss" Int: Other;
    /// The average of [`CpLoss`](Self::CpLoss) for the moves of Black.
    BlackCpLoss "black_cp_loss" Int: Other;
    /// The number of inaccuracies of White.
    WhiteInaccuracies "white_inaccuracies" Int: Other;
    /// The number of inaccuracies of Black.
    BlackInaccuracies "black_inaccuracies" Int: Other;
    /// The number of mistakes of White.
    WhiteMistakes "white_mistakes" Int: Other;
    /// The number of mistakes of Black.
    BlackMistakes "black_mistakes" Int: Other;
    /// The number of blunders of White.
    WhiteBlunders "white_blunders" Int: Other;
    /// The number of blunders of Black.
    BlackBlunders "black_blunders" Int: Other;
    /// The EPD operations on the line of a list, each as an opcode and operands on a line of its own. Users cannot
    /// choose it.
    #[doc(hidden)]
    Operations "" Text: Game;
    /// The moves that follow in the line, with their numbers. Users cannot choose it.
    #[doc(hidden)]
    Continuation "" Text:
        Replayed(|at, buffer| buffer.texts().push_with(|out| append_continuation(at.replay, out)));
    /// A position in few bytes, for trainers. Users cannot choose it.
    #[doc(hidden)]
    PackedPosition "" Text: Replayed(|at, buffer| buffer.positions().push(PackedPosition::of(at.replay.position())));
    /// The move that was played in the position, in few bytes, for trainers. Users cannot choose it.
    #[doc(hidden)]
    PackedMove "" Text: Next(|next, buffer| buffer.moves().push(next.packed()));
}

/// The columns of rows of positions, without those for tags.
pub(crate) static OF_POSITIONS: LazyLock<Vec<Column>> = LazyLock::new(|| {
    listed(
        "file game offset line id variant ply variation parent plies turn fen hand material san uci next_san next_uci \
         eval depth time nodes win_chance cp_loss accuracy judgement clk spent comment words nags key result eco \
         opening tags",
    )
});

/// The columns of rows of starting positions, without those for tags.
pub(crate) static OF_STARTS: LazyLock<Vec<Column>> =
    LazyLock::new(|| listed("count kind sp fen file line offset game odds eco opening id variant material tags"));

/// The columns of rows of whole games, without those for tags.
pub(crate) static OF_GAMES: LazyLock<Vec<Column>> = LazyLock::new(|| {
    listed(
        "file game offset line id variant start moves evals clocks white_accuracy black_accuracy white_cp_loss \
             black_cp_loss white_inaccuracies black_inaccuracies white_mistakes black_mistakes white_blunders \
             black_blunders plies result eco opening tags",
    )
});

/// Returns the columns with these names.
fn listed(names: &str) -> Vec<Column> {
    let of_name = |name| DESCRIPTIONS.iter().find(|description| description.name == name);
    names.split(' ').filter_map(of_name).map(|description| description.column.clone()).collect()
}

/// The suffix of a column that holds the text of a tag that has a type.
const TEXT: &str = "_text";

impl Column {
    /// Returns the name of the column, as it is given by users and written in header rows.
    pub fn name(&self) -> &str {
        match self {
            Self::Tag(name) | Self::TagText(name) => name,
            column => DESCRIPTIONS[column.number()].name,
        }
    }

    /// The tag whose value the column holds.
    pub(crate) fn tag(&self) -> Option<&str> {
        match self {
            Self::Tag(name) => Some(name),
            Self::TagText(name) => name.strip_suffix(TEXT),
            _ => None,
        }
    }

    /// Returns where the values come from. A tag belongs to the game.
    pub(crate) fn source(&self) -> Source {
        DESCRIPTIONS.get(self.number()).map_or(Source::Game, |description| description.source)
    }

    /// Whether all rows of a game have the same value.
    pub(crate) fn is_of_game(&self) -> bool {
        matches!(self.source(), Source::Game)
    }

    /// Whether text formats write the value [at once](crate::table::draft) when a position is reached.
    pub(crate) fn is_drafted(&self) -> bool {
        matches!(self.source(), Source::Row | Source::Reached(_))
    }

    /// Returns the type of the column's values.
    #[doc(hidden)]
    pub fn column_type(&self) -> ColumnType {
        match self {
            Self::Tag(name) => ColumnType::of_tag(TagKind::of(name)),
            Self::TagText(_) => ColumnType::Text,
            column => DESCRIPTIONS[column.number()].column_type,
        }
    }

    /// Finds the column with this name among the known columns. A name that begins with a capital letter is the name of
    /// a tag, and so is one that has a capital letter and is not similar to the name of a column. So is the opcode of
    /// an EPD operation of the standard that is not the name of a column.
    pub(crate) fn named(name: &str, known: &'static [Self]) -> Result<Self, ColumnError> {
        let known_column = known.iter().find(|column| column.name() == name);
        let is_opcode = || known_column.is_none() && fen::is_known_opcode(name.as_bytes());
        if name.starts_with(|first: char| first.is_ascii_uppercase()) || is_opcode() {
            let tag = name.strip_suffix(TEXT).filter(|tag| ColumnType::of_tag(TagKind::of(tag)) != ColumnType::Text);
            return Ok(if tag.is_some() { Self::TagText(name.into()) } else { Self::Tag(name.into()) });
        }
        if let Some(column) = known_column {
            return Ok(column.clone());
        }
        // Such as `ePGN`, which files of DGT have.
        let is_tag = is_tag_name(name.as_bytes())
            && name.contains(|char: char| char.is_ascii_uppercase())
            && [&OF_POSITIONS, &OF_GAMES, &OF_STARTS]
                .iter()
                .all(|columns| !ColumnError::unknown(name, columns).has_nearest());
        if is_tag { Ok(Self::Tag(name.into())) } else { Err(ColumnError::unknown(name, known)) }
    }
}
