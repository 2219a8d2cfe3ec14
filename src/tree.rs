//! `pgn2fen tree`: its options, and the run that writes a tree of games.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};

use crate::examples::examples;
use crate::input;
use crate::options::choice::{GameArguments, StartArguments, TurnArgument};
use crate::options::read_options;
use crate::options::reading::{InputArguments, MoveArguments};
use crate::options::running::RunningArguments;
use crate::outcome::Outcome;
use crate::output::Output;
use crate::progress::Progress;
use crate::report::{Channel, Report};
use crate::say;
use crate::unit::Unit;
use crate::walk::{self, Complete, Run};
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::san::Letters;
use pgn2fen_files::{Compression, EndingRules, Found, agreed, refuse_to_replace};
use pgn2fen_games::messages::{Restrictions, counted, quoted, shown};
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::selection::{Start, TagFilter};
use pgn2fen_games::walk::{LeftOut, OnError};
use pgn2fen_index::Index;
use pgn2fen_rows::page;
use pgn2fen_trees::{
    CardFront, GameTree, MOST_MODELS, MOST_PLIES, MoveOrder, Remarks, Root, RootRemark, RowFormat, Transpositions,
    Tree, TreeError, TreeFormat, TreeOptions, TreeStyle, index_tree, player_filter, plies_hint,
};

/// Make one tree of many games: the lines that were played, with counts and results.
///
/// The games come from PGN files or from an index. The tree is one game with variations, whose main line has the most
/// played moves, or a page that unfolds, a graph or a table. A position is one place of the tree, whatever the order of
/// the moves that led to it.
///
/// A game counts from where it first reaches the position of --from. It is played to the last ply of the tree, and one
/// with an error is used up to the error.
#[derive(Debug, Args)]
#[command(after_long_help = examples(EXAMPLES))]
pub(crate) struct TreeArguments {
    #[command(flatten)]
    input: InputArguments,
    #[command(flatten)]
    moves: MoveArguments,
    #[command(flatten)]
    games: GameArguments,
    #[command(flatten)]
    start: StartArguments,
    /// Only games of this player: a part of the name, in upper or lower case; with --side, only those with this side
    #[arg(long, value_name = "NAME", help_heading = "Games")]
    player: Option<String>,
    /// The side of the tree: scores are those of this side, and the board of a page is seen from it
    #[arg(long, value_enum, value_name = "w|b", help_heading = "Tree")]
    side: Option<TurnArgument>,
    /// Begin in this position: a FEN, moves such as '1. e4 c5', or the name or ECO code of an opening
    ///
    /// Without this option, the tree begins in the initial position.
    #[arg(long, value_name = "POSITION", help_heading = "Tree")]
    from: Option<String>,
    /// The number of plies behind this position; 30 without this option, and 100 with --variations
    #[arg(short = 'p', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_PLIES as i64))]
    #[arg(help_heading = "Tree")]
    depth: Option<u32>,
    /// Only moves that were played in at least N games; 3 without this option, and 1 with --variations
    #[arg(long, value_name = "N", help_heading = "Tree")]
    min_games: Option<u64>,
    /// The order of moves: the most played first, those with the best score for the side to move, or as in the files
    ///
    /// The first move is the main line. Moves in the main lines of games come before moves of variations only. Moves
    /// without a known result have no score, and come last. Of moves that are equal, the one that was played first in
    /// the files is the first.
    #[arg(long, value_enum, value_name = "ORDER", default_value_t = OrderArgument::Games, help_heading = "Tree")]
    order: OrderArgument,
    /// At most N moves of a position: the first ones
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Tree")]
    max: Option<u64>,
    /// Read the variations of the games, too, as for a repertoire. Their moves count as moves without a result
    #[arg(long, help_heading = "Tree")]
    variations: bool,
    /// List what the repertoire of --side lacks: positions with several of its moves, and lines without an answer
    ///
    /// A row has the kind of the gap, choice or no_answer; the moves to the position, its FEN, and the moves that the
    /// files have there. The format is tsv, csv or jsonl.
    #[arg(long, requires = "side", help_heading = "Tree")]
    gaps: bool,
    /// End a line where it comes to a position of another line, or write its moves again
    ///
    /// join: it ends with a remark that names where it goes on. write: it goes on, so that moves are written again, at
    /// most 200,000 of them. A line that comes to a position of its own always ends.
    #[arg(long, value_enum, value_name = "HOW", default_value_t = TranspositionArgument::Join)]
    #[arg(help_heading = "Output", hide_short_help = true)]
    transpositions: TranspositionArgument,
    /// The contents of comments, with commas between them: games, results, score, year, models, words; or all or none
    ///
    /// With --variations it is words, if this option is not given, and otherwise all but words. words: the comments and
    /// glyphs of the games, with arrows and coloured squares, but without clocks and evaluations. games: the number of
    /// games. results: wins, draws and losses of the side of --side. score: its score in per cent; games without a
    /// known result do not count. year: that of the latest game. models: games at the ends of lines.
    #[arg(long, value_name = "LIST", help_heading = "Output")]
    comments: Option<Remarks>,
    /// The number of model games at the end of a line, at most 3: those with the best rated players
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(0..=3))]
    #[arg(help_heading = "Output", hide_short_help = true)]
    models: u64,
    /// Add glyphs by score: ! ?! ?
    ///
    /// The score of a move for the side that plays it is compared with that of all games in the position: ! if it is
    /// better by 10 per cent or more, ?! if it is worse by 10, ? if it is worse by 20. Moves with fewer than 10 known
    /// results get none. A table has no glyphs.
    #[arg(long, help_heading = "Output")]
    glyphs: bool,
    /// The title of the tree
    #[arg(long, value_name = "TEXT", help_heading = "Output", hide_short_help = true)]
    title: Option<String>,
    /// The front of cards for Anki: a picture of the board, or the FEN
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "Output", hide_short_help = true)]
    front: Option<FrontArgument>,
    /// The format of the tree
    ///
    /// anki: cards for Anki, one for each position in which the side of --side is to move. Anki imports the file, and
    /// updates its cards when a later file is imported.
    #[arg(short, long, value_enum, value_name = "FORMAT", help_heading = "Output")]
    format: Option<FormatArgument>,
    /// Write to FILE, which appears when it is complete. Its ending chooses the format: .pgn .html .dot .mmd .csv .tsv
    /// .jsonl .parquet
    ///
    /// .gv and .htm stand for .dot and .html. .zst .gz .bz2 after them compress the file.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    #[command(flatten)]
    running: RunningArguments,
}

const EXAMPLES: &str = "\
Examples:
  pgn2fen tree games.pgn -o tree.pgn                         the most played lines of all games
  pgn2fen tree games.idx --from '1. e4 c5' -o sicilian.html  a page that unfolds, from an index
  pgn2fen tree --player carlsen --side w --min-games 5 games.pgn -o carlsen.pgn
  pgn2fen tree --from najdorf -p 12 -m 3 games.idx -o najdorf.pgn    three moves of each position
  pgn2fen tree --variations white.pgn black.pgn -o repertoire.pgn    join files of a repertoire
  pgn2fen tree games.idx -p 8 --min-games 50 -o tree.dot     a graph for Graphviz
  pgn2fen tree --variations --side w -f anki white.pgn -o cards.txt    cards to learn a repertoire
  pgn2fen tree games.idx -o tree.parquet                     a row for each move

Exit status: 0 if the tree was written, 1 if some games have errors (0 with --exit-zero), 2 for wrong usage or if \
something could not be read or written.";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OrderArgument {
    Games,
    Score,
    File,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TranspositionArgument {
    Join,
    Write,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FormatArgument {
    Pgn,
    Html,
    Dot,
    Mermaid,
    Csv,
    Tsv,
    Jsonl,
    Parquet,
    Anki,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FrontArgument {
    Board,
    Fen,
}

impl FormatArgument {
    fn format(self) -> TreeFormat {
        match self {
            Self::Pgn => TreeFormat::Pgn,
            Self::Html => TreeFormat::Html,
            Self::Dot => TreeFormat::Graphviz,
            Self::Mermaid => TreeFormat::Mermaid,
            Self::Csv => TreeFormat::Rows(RowFormat::Csv),
            Self::Tsv => TreeFormat::Rows(RowFormat::Tsv),
            Self::Jsonl => TreeFormat::Rows(RowFormat::Jsonl),
            Self::Parquet => TreeFormat::Parquet,
            Self::Anki => TreeFormat::Anki,
        }
    }
}

fn rules(format: TreeFormat) -> EndingRules {
    EndingRules {
        name: format.name(),
        is_binary: format == TreeFormat::Parquet,
        is_compressed: format == TreeFormat::Parquet,
        may_be_bin: false,
    }
}

/// Returns the position of `--from`, with its moves. The name of an opening is told with its moves.
fn root(text: Option<&str>) -> Result<Root> {
    let Some(text) = text else {
        return Ok(Root::default());
    };
    let (root, remark) = match Root::read(text, &Letters::ENGLISH) {
        Ok(read) => read,
        Err(mistake) => bail!("--from: {mistake}"),
    };
    if let Some(remark) = remark {
        let text = format!("--from {}: {remark}", quoted(OsStr::new(text.trim())));
        match remark {
            RootRemark::Repaired(_) => say::warning(&text),
            RootRemark::Opening { .. } => say::hint(&text),
        }
    }
    Ok(root)
}

impl TreeArguments {
    /// Returns the least number of games of a move.
    fn min_games(&self) -> u64 {
        self.min_games.unwrap_or(TreeOptions::usual(self.variations).min_games)
    }

    /// Returns what comments tell.
    fn remarks(&self) -> Remarks {
        self.comments.unwrap_or_else(|| Remarks::usual(self.variations))
    }

    fn options(&self) -> Result<TreeOptions> {
        let max = self.max.map(|max| usize::try_from(max).unwrap_or(usize::MAX));
        let usual = TreeOptions::usual(self.variations);
        Ok(TreeOptions {
            root: root(self.from.as_deref())?,
            depth: self.depth.unwrap_or(usual.depth),
            min_games: self.min_games(),
            order: match self.order {
                OrderArgument::Games => MoveOrder::Games,
                OrderArgument::Score => MoveOrder::Score,
                OrderArgument::File => MoveOrder::File,
            },
            max_moves: max,
            models: usize::try_from(self.models).unwrap_or(MOST_MODELS),
            notes: self.remarks().words,
            ..usual
        })
    }

    /// Returns the filter for the games of the player.
    fn player(&self) -> Result<Option<TagFilter>> {
        let Some(name) = &self.player else {
            return Ok(None);
        };
        let filter = player_filter(name, self.side.map(TurnArgument::color));
        Ok(Some(filter.context("--player needs a name, without quotes in it")?))
    }

    /// Returns the format of the tree, and the compression of the file.
    fn format(&self) -> Result<(TreeFormat, Compression)> {
        let chosen = self.format.map(FormatArgument::format);
        let Some(path) = self.output.as_deref().filter(|path| path.as_os_str() != "-") else {
            let usual = if self.gaps { TreeFormat::Rows(RowFormat::Tsv) } else { TreeFormat::Pgn };
            return Ok((chosen.unwrap_or(usual), Compression::None));
        };
        let (format, compression) = agreed(path, chosen, TreeFormat::of_ending, rules)?;
        let format = format.with_context(|| {
            format!(
                "the ending of {} chooses no format; use .pgn, .html, .dot, .mmd, .csv, .tsv, .jsonl or .parquet, or \
                 -f",
                shown(path)
            )
        })?;
        Ok((format, compression))
    }

    fn style(&self, title: String) -> TreeStyle {
        TreeStyle {
            title: self.title.clone().unwrap_or(title),
            side: self.side.map_or(Color::White, TurnArgument::color),
            transpositions: match self.transpositions {
                TranspositionArgument::Join => Transpositions::Joined,
                TranspositionArgument::Write => Transpositions::WrittenOut,
            },
            remarks: self.remarks(),
            glyphs: self.glyphs,
            card_front: match self.front {
                None | Some(FrontArgument::Board) => CardFront::Board,
                Some(FrontArgument::Fen) => CardFront::Fen,
            },
        }
    }

    /// Refuses options that have no meaning for the format.
    fn check(&self, format: TreeFormat) -> Result<()> {
        ensure!(!self.gaps || matches!(format, TreeFormat::Rows(_)), "gaps are rows; use -f tsv, csv or jsonl");
        let is_graph = matches!(format, TreeFormat::Graphviz | TreeFormat::Mermaid);
        ensure!(
            !is_graph || self.transpositions == TranspositionArgument::Join,
            "a graph has each position once; --transpositions write is for other formats"
        );
        let is_anki = format == TreeFormat::Anki;
        ensure!(
            !is_anki || self.side.is_some(),
            "cards are for one side, which answers the moves of the other; give --side w or --side b"
        );
        ensure!(is_anki || self.front.is_none(), "--front is for cards; use -f anki");
        ensure!(
            !is_anki || self.transpositions == TranspositionArgument::Join,
            "a position is one card; --transpositions write is for other formats"
        );
        ensure!(!is_anki || !self.glyphs, "cards have no glyphs; leave out --glyphs");
        ensure!(!is_anki || self.comments.is_none(), "cards have no comments; leave out --comments");
        let is_table = matches!(format, TreeFormat::Rows(_) | TreeFormat::Parquet);
        ensure!(!is_table || !self.glyphs, "a table has no glyphs; leave out --glyphs");
        ensure!(!is_table || self.comments.is_none(), "a table has all counts in columns; leave out --comments");
        Ok(())
    }

    /// Refuses options that an index does not have.
    fn check_index(&self) -> Result<()> {
        let others = [
            ("--variations", self.variations),
            ("--order file", self.order == OrderArgument::File),
            ("--comments words", self.comments.is_some_and(|remarks| remarks.words && remarks != Remarks::ALL)),
            ("--opening", self.games.has_course("opening")),
            ("--reached", self.games.has_course("reached")),
            ("--moves", self.games.has_course("moves")),
            ("--ends", self.games.has_course("ends")),
            ("--commented", self.games.has_course("commented")),
            ("--length", self.games.has_course("length")),
            ("--max-games", self.games.has_course("max_games")),
            ("--start", self.start.job().read_options().games.start != Start::Any),
            ("--recursive", self.input.recursive),
            ("--range", self.input.range.is_some()),
            ("--movetext", self.input.movetext.is_some()),
            ("--encoding", self.input.encoding.0.is_some()),
            ("--skip-unreadable", self.input.skip_unreadable),
        ];
        let given = others.into_iter().find(|(_, is_given)| *is_given);
        if let Some((option, _)) = given {
            bail!("{option} is for PGN files, and {} is an index", shown(&self.input.files[0]));
        }
        Ok(())
    }

    /// Returns the folder of an index, if the input is one.
    fn index(&self) -> Option<&Path> {
        match &*self.input.files {
            [folder] if folder.is_dir() && (!self.input.recursive || Index::open(folder).is_ok()) => Some(folder),
            _ => None,
        }
    }
}

/// Runs `pgn2fen tree [FILE]…`.
pub(crate) fn tree(arguments: &TreeArguments) -> Result<Outcome> {
    let (format, compression) = arguments.format()?;
    arguments.check(format)?;
    let options = arguments.options()?;
    let mut tags = arguments.games.filter().tags;
    tags.extend(arguments.player()?);
    match arguments.index() {
        Some(folder) => of_index(arguments, folder, (format, compression), &options, &tags),
        None => of_games(arguments, (format, compression), options, tags),
    }
}

/// Opens the output. Refuses to replace an input file, and to write a binary format on a terminal.
fn open(arguments: &TreeArguments, compression: Compression, format: TreeFormat, inputs: &[Found]) -> Result<Output> {
    if let Some(path) = &arguments.output {
        refuse_to_replace(inputs, path)?;
    }
    let output = Output::open(arguments.output.as_deref(), compression)?;
    ensure!(
        !(rules(format).is_binary && output.is_terminal()),
        "{} is a binary format, which a terminal cannot show; write it to a file: -o tree.parquet",
        format.name()
    );
    Ok(output)
}

fn of_index(
    arguments: &TreeArguments,
    folder: &Path,
    (format, compression): (TreeFormat, Compression),
    options: &TreeOptions,
    tags: &[TagFilter],
) -> Result<Outcome> {
    arguments.check_index()?;
    let index = Index::open(folder)?;
    let players = arguments.games.names.players();
    let tags = tags.iter().map(|filter| filter.for_players(&players)).collect();
    let workers = Workers::new(arguments.running.threads)?;
    let inputs: Vec<Found> = index.files().filter_map(|file| file.place()).map(|place| (place, Ok(()))).collect();
    let output = open(arguments, compression, format, &inputs)?;
    let progress = Progress::new(&arguments.running, output.is_terminal(), || None, Unit::Game);
    let report = Report::new(&arguments.running, Channel::Stderr, progress, Unit::Game);
    let tree = index_tree(&index, tags, options, &workers)?;
    if let Some(hint) = plies_hint(&index, options) {
        report.hint(&hint);
    }
    let name = folder.file_name().map(|name| shown(Path::new(name)));
    let what = title_of(format);
    let title = name.map_or(what.to_owned(), |name| format!("{what} of {name}"));
    finish(arguments, &tree, format, &arguments.style(title), (output, report, None))
}

fn of_games(
    arguments: &TreeArguments,
    (format, compression): (TreeFormat, Compression),
    options: TreeOptions,
    tags: Vec<TagFilter>,
) -> Result<Outcome> {
    let TreeArguments { input, moves, games, start, running, .. } = arguments;
    let files = input::files(input)?;
    let output = open(arguments, compression, format, &files)?;
    let mut read = read_options((games, start), moves, input, running, OnError::Keep);
    read.games.tags = tags;
    let title = page::title(title_of(format), files.iter().map(|(path, _)| &**path));
    let run = Run::choosing(&read, files, input, running);
    let mut job = GameTree::new(options, read);
    let (workers, mut report, why_unfinished) = walk::gather(&mut job, run, output.is_terminal())?;
    report.end_writing(LeftOut::default(), &Restrictions::default());
    let tree = job.finish(&workers);
    finish(arguments, &tree, format, &arguments.style(title), (output, report, why_unfinished))
}

/// Returns the first word of the title.
fn title_of(format: TreeFormat) -> &'static str {
    if format == TreeFormat::Anki { "Cards" } else { "Tree" }
}

/// Writes the gaps of a repertoire, and sums up.
fn finish_gaps(
    arguments: &TreeArguments,
    tree: &Tree,
    format: TreeFormat,
    (mut output, mut report, why_unfinished): (Output, Report, Option<&str>),
) -> Result<Outcome> {
    let format = if let TreeFormat::Rows(format) = format { format } else { RowFormat::Tsv };
    let side = arguments.side.map_or(Color::White, TurnArgument::color);
    let gaps = match tree.write_gaps(side, format, &mut output) {
        Ok(gaps) => gaps,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(report.outcome()),
        Err(error) => bail!("cannot write {}: {error}", output.name()),
    };
    output.complete(why_unfinished, &mut report)?;
    if let Some(hint) = tree.why_empty(arguments.min_games()) {
        report.hint(&hint);
    }
    report.sum_up(&format!("gaps: {}", counted(gaps as u64, "position")));
    Ok(report.outcome())
}

/// Writes the tree, and sums up.
fn finish(
    arguments: &TreeArguments,
    tree: &Tree,
    format: TreeFormat,
    style: &TreeStyle,
    (output, mut report, why_unfinished): (Output, Report, Option<&str>),
) -> Result<Outcome> {
    if arguments.gaps {
        return finish_gaps(arguments, tree, format, (output, report, why_unfinished));
    }
    let mut buffered = io::BufWriter::with_capacity(1 << 16, output);
    let written = tree.write(format, style, &mut buffered).and_then(|written| {
        io::Write::flush(&mut buffered)?;
        Ok(written)
    });
    let output = buffered.into_parts().0;
    let written = match written {
        Ok(written) => written,
        Err(TreeError::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(report.outcome()),
        Err(TreeError::Write(error)) => bail!("cannot write {}: {error}", output.name()),
        Err(error) => bail!("{error}; leave out moves with --min-games, --depth or --max, or write a table"),
    };
    output.complete(why_unfinished, &mut report)?;
    if let Some(hint) = tree.why_empty(arguments.min_games()) {
        report.hint(&hint);
    }
    if let Some(hint) = written.hint() {
        report.hint(hint);
    }
    if format == TreeFormat::Anki {
        if written.moves == 0 && !tree.is_empty() {
            report.hint("there is no card; the side of --side is not to move in the tree");
        }
        report.sum_up(&format!("cards: {}", counted(written.moves, "card")));
        return Ok(report.outcome());
    }
    report.sum_up(&format!(
        "tree: {} in {}, {}",
        counted(written.moves, "move"),
        counted(tree.positions() as u64, "position"),
        counted(written.transpositions, "transposition")
    ));
    Ok(report.outcome())
}
