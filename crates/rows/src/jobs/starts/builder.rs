//! The builder for lists of starting positions and copies of games.

use std::io::Write;

use crate::jobs::games::Bind;
use crate::jobs::shared::{Shared, SharedWriter};
use crate::jobs::starts::copying::CopiesOfStarts;
use crate::jobs::starts::kind::Kind;
use crate::jobs::starts::sameness::Sameness;
use crate::jobs::starts::start_rows::{Listed, Sought, StartLines, StartRows};
use crate::jobs::writing::{End, job, walk, write_methods};
use crate::{
    BoardOptions, Columns, DrawnFrom, FileNames, Format, PictureFormat, PictureSink, Print, RowOutput, RowsError,
    Shape, Writing, album, export, export_blocks, of_starts,
};
use pgn2fen_chess::fen::FenStyle;
use pgn2fen_games::read_methods;
use pgn2fen_games::replay::VariantPolicy;
use pgn2fen_games::selection::ShapeFilter;
use pgn2fen_games::walk::ReadChoice;

/// A builder for lists of starting positions, or for copies of the games that have them.
#[derive(Clone, Debug)]
pub struct Starts {
    what: What,
    boards: BoardOptions,
    pub(super) style: FenStyle,
    sameness: Sameness,
    kinds: Vec<Kind>,
    start_shape: ShapeFilter,
    invert: bool,
    pub(super) read: ReadChoice,
}

/// The output for each game that is wanted.
#[derive(Clone, Debug)]
enum What {
    /// A line or a row for the starting position.
    List(Shape),
    /// A copy of the game.
    Copies,
}

impl Starts {
    fn new(what: What) -> Self {
        Self {
            what,
            boards: BoardOptions { title: "Starting positions".to_owned(), ..BoardOptions::default() },
            style: FenStyle::default(),
            sameness: Sameness::default(),
            kinds: Kind::VALID.to_vec(),
            start_shape: ShapeFilter::default(),
            invert: false,
            read: ReadChoice::default(),
        }
    }

    read_methods!();
    write_methods!(?);

    /// Creates a builder for a list with one FEN on each line.
    pub fn lines() -> Self {
        Self::new(What::List(Shape::default()))
    }

    /// Creates a builder for a list of rows with these columns, such as `count,kind,fen,White`. The format is tsv until
    /// [`format`](Self::format) sets another.
    pub fn columns(columns: Columns) -> Self {
        Self::new(What::List(Shape { format: Format::Tsv, columns: Some(columns), no_header: false }))
    }

    /// Creates a builder for a list of rows with this format, columns and header row.
    pub fn shape(shape: Shape) -> Self {
        Self::new(What::List(shape))
    }

    /// Creates a builder for copies of the games, byte for byte.
    pub fn copies() -> Self {
        Self::new(What::Copies)
    }

    /// Sets the format of a list. Copies of games ignore it.
    #[must_use]
    pub fn format(mut self, format: Format) -> Self {
        if let What::List(shape) = &mut self.what {
            shape.format = format;
        }
        self
    }

    /// Sets the options for formats that draw boards.
    #[must_use]
    pub fn boards(self, boards: BoardOptions) -> Self {
        Self { boards, ..self }
    }

    /// Sets the kinds of starting positions that are wanted. The default is [`Kind::VALID`].
    #[must_use]
    pub fn kinds(self, kinds: impl Into<Vec<Kind>>) -> Self {
        Self { kinds: kinds.into(), ..self }
    }

    /// Sets the shape that a starting position must have. A game without a usable starting position passes only if
    /// there is no such condition. The number of plies in a row is ignored.
    #[must_use]
    pub fn start_shape(self, shape: ShapeFilter) -> Self {
        Self { start_shape: shape, ..self }
    }

    /// Selects the other games instead: those that start from the initial position, or whose kind or shape is not
    /// wanted.
    #[must_use]
    pub fn invert(self, invert: bool) -> Self {
        Self { invert, ..self }
    }

    /// Sets the rule by which starting positions count as equal. Equal starting positions are listed once.
    #[must_use]
    pub fn sameness(self, sameness: Sameness) -> Self {
        Self { sameness, ..self }
    }

    /// Sets the style of the FENs.
    #[must_use]
    pub fn style(self, style: FenStyle) -> Self {
        Self { style, ..self }
    }

    /// Begins to write to `out`, and returns a job that reads files one after another.
    ///
    /// # Errors
    ///
    /// The format cannot have these columns.
    pub fn begin<'w, W: Write + Send + 'w>(&self, out: W) -> Result<Writing<'w, W>, RowsError> {
        let out = Shared::new(out);
        Ok(Writing::new(self.begin_job(out.writer())?, || out.into_inner()))
    }

    fn begin_job<'w>(&self, out: SharedWriter<'w>) -> Result<Box<dyn End + 'w>, RowsError> {
        let read = self.read.options();
        let What::List(shape) = &self.what else {
            return Ok(job(CopiesOfStarts(self.sought()), Bind::new(out), read));
        };
        let listed = self.listed();
        let mut shape = shape.clone();
        let has_chosen_columns = shape.columns.is_some();
        if shape.format.has_boards() {
            shape.columns.get_or_insert_with(of_starts);
        }
        let Some(columns) = shape.columns()? else {
            let make = StartLines { listed, style: self.style };
            return Ok(job(make, Print::new(out), read));
        };
        let variants = shape.format.variants();
        let output = export(&shape, &columns, &self.boards, None, out)?.held(self.is_held(&columns));
        let walk = walk(StartRows { listed, style: self.style, columns, variants }, output, read);
        Ok(Box::new(if has_chosen_columns { walk } else { walk.with_optional_tags() }))
    }

    /// Begins to write a list as blocks of columns, whose layout is that of `formats/blocks`. The format is ignored. If
    /// no columns were set, they are those of [`Columns::starts`].
    #[doc(hidden)]
    pub fn begin_blocks<'w, W: Write + Send + 'w>(&self, out: W) -> Writing<'w, W> {
        let out = Shared::new(out);
        let columns = self.block_columns();
        let output = export_blocks(&columns, None, out.writer()).held(self.is_held(&columns));
        let variants = VariantPolicy::Play;
        let rows = StartRows { listed: self.listed(), style: self.style, columns, variants };
        let walk = walk(rows, output, self.read.options());
        let job = if self.list_columns().is_some() { walk } else { walk.with_optional_tags() };
        Writing::new(Box::new(job), || out.into_inner())
    }

    /// Returns the columns of [`begin_blocks`](Self::begin_blocks).
    #[doc(hidden)]
    pub fn block_columns(&self) -> Columns {
        self.list_columns().cloned().unwrap_or_else(Columns::starts)
    }

    /// Begins to draw each starting position as a picture for a file of its own, and returns a job that reads files one
    /// after another. The format and the columns of a list are ignored.
    pub fn begin_pictures<'w, S: PictureSink + 'w>(
        &self,
        format: PictureFormat,
        names: FileNames,
        sink: S,
    ) -> Writing<'w, S> {
        let sink = Shared::new(sink);
        let job = self.begin_album(album(format, names, (&self.boards, DrawnFrom::Starts), sink.clone()));
        Writing::new(job, || sink.into_inner())
    }

    fn begin_album<'w>(&self, album: RowOutput<'w>) -> Box<dyn End + 'w> {
        let columns = album.columns().clone();
        let album = album.held(self.is_held(&columns));
        let variants = VariantPolicy::Play;
        job(StartRows { listed: self.listed(), style: self.style, columns, variants }, album, self.read.options())
    }

    fn sought(&self) -> Sought {
        Sought { kinds: self.kinds.clone(), shape: self.start_shape.clone(), invert: self.invert }
    }

    pub(super) fn listed(&self) -> Listed {
        Listed { sought: self.sought(), sameness: self.sameness }
    }

    /// Whether all rows are kept in memory until the number of games for each row is known.
    pub(super) fn is_held(&self, columns: &Columns) -> bool {
        columns.has_count() && self.sameness != Sameness::None
    }

    /// Returns the columns that were set for a list.
    fn list_columns(&self) -> Option<&Columns> {
        match &self.what {
            What::List(shape) => shape.columns.as_ref(),
            What::Copies => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Starts;
    use crate::starts::{Kind, Sameness};
    use crate::testing::games;
    use crate::{BoardOptions, Columns, Format, RowsError};
    use pgn2fen_chess::fen::{CastlingStyle, FenStyle};
    use pgn2fen_games::selection::ShapeFilter;

    const GAMES: &str = "\
[Event \"a\"]

1. e4 *

[Variant \"Chess960\"]
[FEN \"bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1\"]

*

[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 1\"]

*

[FEN \"x\"]

*

[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 1\"]

*

[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 5 9\"]

*

[Variant \"Chess960\"]
[FEN \"bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQhf - 0 1\"]

*

[FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\"]

*
";

    fn text(written: Result<(Vec<u8>, pgn2fen_games::walk::Totals), RowsError>) -> String {
        String::from_utf8(written.unwrap().0).unwrap()
    }

    #[track_caller]
    fn check(starts: &Starts, expected: &[&str]) {
        assert_eq!(text(starts.write(games(GAMES), Vec::new())).lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn each_starting_position_has_a_row() {
        let columns = "count,kind,sp,odds,material,variant,fen,game,line,offset,Event";
        let starts = Starts::columns(Columns::of_starts(columns).unwrap()).format(Format::Csv);
        let all = "KQRRBBNNPPPPPPPP:KQRRBBNNPPPPPPPP";
        check(
            &starts.clone().kinds(Kind::ALL),
            &[
                columns,
                &format!(
                    "1,chess960,1,,{all},chess960,bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w KQkq - 0 1,2,5,22,"
                ),
                "1,odds,,White: king's knight,KQRRBBNPPPPPPPP:KQRRBBNNPPPPPPPP,standard,\
                 rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 1,3,10,112,",
                "1,invalid,,,,,,4,14,181,",
                "2,position,,,KP:K,standard,4k3/8/8/8/8/8/4P3/4K3 b - - 0 1,5,18,195,",
                &format!(
                    "1,dfrc,518/1,,{all},chess960,bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1,7,26,283,"
                ),
                &format!(
                    "1,position,,,{all},standard,rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1,8,31,373,"
                ),
            ],
        );
        let games_of = |starts: &Starts| {
            let text = text(starts.write(games(GAMES), Vec::new()));
            text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>().join(" ")
        };
        let counts = Starts::columns(Columns::of_starts("count,game").unwrap()).format(Format::Csv);
        assert_eq!(games_of(&counts), "1,2 1,3 2,5 1,7 1,8");
        for sameness in [Sameness::Exact, Sameness::None] {
            assert_eq!(games_of(&counts.clone().sameness(sameness)), "1,2 1,3 1,5 1,6 1,7 1,8");
        }
        // A shape is that of a position.
        let shape = || ShapeFilter { material: vec!["KP:K".parse().unwrap()], ..ShapeFilter::default() };
        let of_shape = Starts::columns(Columns::of_starts("game").unwrap()).kinds(Kind::ALL).start_shape(shape());
        assert_eq!(games_of(&of_shape), "5");
        assert_eq!(games_of(&of_shape.invert(true).sameness(Sameness::None)), "1 2 3 4 7 8");
        let openings = Starts::columns(Columns::of_starts("game,eco,opening").unwrap()).format(Format::Csv);
        assert_eq!(games_of(&openings), "2,, 3,, 5,, 7,, 8,B00,King's Pawn Game");
    }

    #[test]
    fn lines_are_the_fens_of_starting_positions() {
        let lines = [
            "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 1",
            "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1",
            "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        ];
        check(&Starts::lines(), &lines);
        check(&Starts::lines().kinds(Kind::ALL), &lines);
        let exact = [&lines[..3], &["4k3/8/8/8/8/8/4P3/4K3 b - - 5 9"], &lines[3..]].concat();
        check(&Starts::lines().sameness(Sameness::Exact), &exact);
        check(&Starts::lines().sameness(Sameness::None), &exact);
        check(&Starts::lines().kinds([Kind::Odds]), &lines[1..2]);
        let style = FenStyle { castling: CastlingStyle::Shredder, ..FenStyle::default() };
        let rights = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R w HAha - 0 1";
        check(&Starts::lines().kinds([Kind::Odds]).style(style), &[rights]);
        let columns = Starts::columns(Columns::of_starts("fen").unwrap()).kinds([Kind::Odds]).style(style);
        check(&columns, &["fen", rights]);
    }

    #[test]
    fn games_are_copied_by_their_starts() {
        let copies = |starts: Starts| text(starts.write(games(GAMES), Vec::new()));
        assert_eq!(
            copies(Starts::copies().kinds([Kind::Odds])),
            "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 1\"]\n\n*\n\n"
        );
        assert_eq!(copies(Starts::copies().invert(true)), "[Event \"a\"]\n\n1. e4 *\n\n[FEN \"x\"]\n\n*\n\n");
        assert_eq!(copies(Starts::copies().invert(true).kinds(Kind::ALL)), "[Event \"a\"]\n\n1. e4 *\n\n");
    }

    #[test]
    fn a_page_shows_starting_positions_with_the_first_of_their_games() {
        let text = text(Starts::lines().format(Format::Html).kinds([Kind::Position]).write(games(GAMES), Vec::new()));
        let captions: Vec<&str> =
            text.split("<figcaption>").skip(1).map(|figure| figure.split("</figcaption>").next().unwrap()).collect();
        assert_eq!(
            captions,
            [
                "<b>Position</b><br/>2 games<br/>Black to move<br/>First game: 18",
                "<b>Position</b><br/>1 game<br/>Black to move<br/>31",
            ]
        );
    }

    #[test]
    fn kinds_have_names() {
        assert_eq!(Kind::ALL.map(Kind::name), ["chess960", "dfrc", "odds", "position", "invalid"]);
        assert_eq!(Kind::ALL.map(|kind| kind.name().parse()), Kind::ALL.map(Ok));
        assert_eq!(
            "x".parse::<Kind>().unwrap_err().to_string(),
            "not a kind of starting position; the kinds are chess960, dfrc, odds, position, invalid"
        );
    }

    #[test]
    fn rows_are_held_only_until_games_are_counted() {
        let is_held = |columns: &str, sameness: Sameness| {
            let columns = Columns::of_starts(columns).unwrap();
            Starts::columns(columns.clone()).sameness(sameness).is_held(&columns)
        };
        assert!(is_held("count,fen", Sameness::Position) && is_held("count,fen", Sameness::Exact));
        assert!(!is_held("count,fen", Sameness::None) && !is_held("fen", Sameness::Position));
    }

    #[test]
    fn counts_belong_to_their_rows() {
        let start = |tag: &str, fen: &str| format!("[White \"{tag}\"]\n[FEN \"{fen}\"]\n\n*\n\n");
        let (one, two) = ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1");
        let text = [start("A", one), start("B", one), start("C", two), start("", two), start("E", one)].concat();
        let columns = Columns::of_starts("count,White,game,offset,tags,fen").unwrap();
        let starts = Starts::columns(columns.clone()).format(Format::Csv);
        let lines = |starts: &Starts, text: &str| {
            let (csv, totals) = starts.write(games(text), Vec::new()).unwrap();
            (String::from_utf8(csv).unwrap().lines().skip(1).map(str::to_owned).collect::<Vec<_>>(), totals)
        };
        let row = |count: u32, tag: &str, game: u32, offset: usize, fen: &str| {
            let tags = format!("\"{{\"\"White\"\":\"\"{tag}\"\",\"\"FEN\"\":\"\"{fen}\"\"}}\"");
            format!("{count},{tag},{game},{offset},{tags},{fen}")
        };
        let third = text.find("[White \"C\"]").unwrap();
        let (rows, totals) = lines(&starts, &text);
        assert_eq!(rows, [row(3, "A", 1, 0, one), row(2, "C", 3, third, two)]);
        assert_eq!((totals.count.games, totals.count.positions), (5, 2));
        // Rows of another size than those before.
        let two_tags = Starts::columns(Columns::of_starts("count,White,Black").unwrap()).format(Format::Csv);
        let names = text.replace("[FEN", "[Black \"x\"]\n[FEN");
        assert_eq!(lines(&two_tags, &names).0, ["3,A,x", "2,C,x"]);
        let (_, totals) = lines(&Starts::columns(Columns::of_starts("Foo,White").unwrap()), &text);
        assert_eq!(totals.missing_tags.iter().map(|tag| &*tag.name).collect::<Vec<_>>(), ["Foo"]);
        let (_, totals) = Starts::lines().write(games(&text), Vec::new()).unwrap();
        assert_eq!(totals.count.positions, 2);
        let (_, totals) = Starts::copies().write(games(&text), Vec::new()).unwrap();
        assert_eq!(totals.count.positions, 5);
        for starts in [Starts::lines(), Starts::columns(columns)] {
            let (_, totals) = starts.sameness(Sameness::None).write(games(&text), Vec::new()).unwrap();
            assert_eq!(totals.count.positions, 5);
        }
        let boards = BoardOptions { max_boards: Some(1), ..BoardOptions::default() };
        let page = Starts::lines().format(Format::Html).boards(boards).write(games(&text), Vec::new()).unwrap();
        assert_eq!(page.1.left_out.boards, 1);
    }

    #[cfg(feature = "variants")]
    #[test]
    fn starts_of_variants_are_listed() {
        let text = "[Variant \"Crazyhouse\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3[N] w - - 0 1\"]\n\n*\n\n";
        let of = |starts: Starts| String::from_utf8(starts.write(games(text), Vec::new()).unwrap().0).unwrap();
        assert_eq!(of(Starts::lines()), "4k3/8/8/8/8/8/4P3/4K3[N] w - - 0 1\n");
        assert_eq!(
            of(Starts::columns(Columns::of_starts("kind,variant").unwrap())),
            "kind\tvariant\nposition\tcrazyhouse\n"
        );
        assert_eq!(of(Starts::copies()), text);
    }
}
