//! `pgn2fen tree`: its options, and the run that writes a tree of games.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::examples::examples;
use crate::input;
use crate::options::choice::{GameArguments, StartArguments};
use crate::options::listed::{Group, Listed};
use crate::options::read_options;
use crate::options::reading::{InputArguments, MoveArguments};
use crate::options::running::RunningArguments;
use crate::outcome::Outcome;
use crate::output::{Output, refuse_placeholders};
use crate::progress::Progress;
use crate::report::{Channel, Report};
use crate::say;
use crate::unit::Unit;
use crate::walk::{self, Complete, Run};
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::san::Letters;
use pgn2fen_files::{Compression, EndingRules, Found, agreed, refuse_to_replace};
use pgn2fen_games::messages::{Restrictions, counted, quoted, references, shown};
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::replay::SetupPolicy;
use pgn2fen_games::selection::{Start, TagFilter};
use pgn2fen_games::walk::{LeftOut, OnError};
use pgn2fen_index::Index;
use pgn2fen_rows::options::SetOption;
use pgn2fen_rows::page;
use pgn2fen_trees::{
    GameTree, Root, RootRemark, RowFormat, Tree, TreeError, TreeFormat, TreeOptions, TreeRequest, index_tree,
    plies_hint,
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
    #[command(flatten)]
    player: Listed<PlayerOption>,
    #[command(flatten)]
    lines: Listed<Lines>,
    /// Read the variations of the games, too, as for a repertoire. Their moves count as moves without a result
    #[arg(long, help_heading = "Tree")]
    variations: bool,
    /// List what the repertoire of --side lacks: positions with several of its moves, and lines without an answer
    ///
    /// A row has the kind of the gap, choice or no_answer; the moves to the position, its FEN, and the moves that the
    /// files have there. The format is tsv, csv or jsonl.
    #[arg(long, requires = "side", help_heading = "Tree")]
    gaps: bool,
    #[command(flatten)]
    texts: Listed<Texts>,
    /// The format of the tree
    ///
    /// anki: cards for Anki, one for each position in which the side of --side is to move. Anki imports the file, and
    /// updates its cards when a later file is imported.
    #[arg(short, long, value_parser = formats(), value_name = "FORMAT", help_heading = "Output")]
    format: Option<TreeFormat>,
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

#[derive(Debug)]
struct PlayerOption;

impl Group for PlayerOption {
    type Job = TreeRequest;
    const HEADING: &'static str = "Games";
    const NAMES: &'static [&'static str] = &["player"];
}

#[derive(Debug)]
struct Lines;

impl Group for Lines {
    type Job = TreeRequest;
    const HEADING: &'static str = "Tree";
    const NAMES: &'static [&'static str] = &["variant", "side", "position", "depth", "min_games", "order", "max"];
}

#[derive(Debug)]
struct Texts;

impl Group for Texts {
    type Job = TreeRequest;
    const HEADING: &'static str = "Output";
    const NAMES: &'static [&'static str] = &["transpositions", "comments", "models", "glyphs", "title", "front"];
}

/// Returns the parser of a format.
fn formats() -> impl TypedValueParser<Value = TreeFormat> {
    PossibleValuesParser::new(TreeFormat::ALL.map(TreeFormat::name))
        .try_map(|name| TreeFormat::ALL.into_iter().find(|format| format.name() == name).ok_or("no such format"))
}

fn rules(format: TreeFormat) -> EndingRules {
    EndingRules {
        name: format.name(),
        is_binary: format == TreeFormat::Parquet,
        is_compressed: format == TreeFormat::Parquet,
        may_be_bin: false,
    }
}

/// Returns the position in which the tree begins, with its moves. The name of an opening is told with its moves.
fn root(request: &TreeRequest) -> Result<Root> {
    let (root, remark) = request.root(&Letters::ENGLISH)?;
    if let Some(remark) = remark {
        let text = request.position().unwrap_or_default().trim();
        let text = format!("--from {}: {remark}", quoted(OsStr::new(text)));
        match remark {
            RootRemark::Repaired(_) => say::warning(&text),
            RootRemark::Opening { .. } => say::hint(&text),
        }
    }
    Ok(root)
}

impl TreeArguments {
    /// Returns the options that are on the command line.
    fn request(&self) -> Result<TreeRequest> {
        let mut request = TreeRequest::default();
        request.set("variations", &self.variations.to_string())?;
        self.player.add_to(&mut request)?;
        self.lines.add_to(&mut request)?;
        self.texts.add_to(&mut request)?;
        Ok(request)
    }

    /// Returns the format of the tree, and the compression of the file.
    fn format(&self) -> Result<(TreeFormat, Compression)> {
        let chosen = self.format;
        let Some(path) = self.output.as_deref().filter(|path| path.as_os_str() != "-") else {
            let usual = if self.gaps { TreeFormat::Rows(RowFormat::Tsv) } else { TreeFormat::Pgn };
            return Ok((chosen.unwrap_or(usual), Compression::None));
        };
        let advice = "use .pgn, .html, .dot, .mmd, .csv, .tsv, .jsonl or .parquet; .zst, .gz and .bz2 after them \
                      compress text";
        let (format, compression) =
            agreed(path, chosen, TreeFormat::of_ending, rules).map_err(|error| error.advise(advice))?;
        let format = format.with_context(|| {
            format!(
                "the ending of {} chooses no format; use .pgn, .html, .dot, .mmd, .csv, .tsv, .jsonl or .parquet, or \
                 -f",
                shown(path)
            )
        })?;
        Ok((format, compression))
    }

    /// Refuses options that have no meaning for the format.
    fn check(&self, request: &TreeRequest, format: TreeFormat) -> Result<()> {
        ensure!(!self.gaps || matches!(format, TreeFormat::Rows(_)), "gaps are rows; use -f tsv, csv or jsonl");
        if let Some(option) = self.texts.chosen(Texts::NAMES).first().filter(|_| self.gaps) {
            bail!("`{option}` has no effect on gaps, which are rows of positions; leave it out");
        }
        request.check_format(format)?;
        Ok(())
    }

    /// Refuses options that an index does not have.
    fn check_index(&self, request: &TreeRequest) -> Result<()> {
        let others = [
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
            ("--setup", self.input.setup() != SetupPolicy::Auto),
            ("--lang", !self.moves.is_english()),
            ("--skip-unreadable", self.input.skip_unreadable),
        ];
        let of_tree = request.check_index().err();
        let given = others.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option);
        if let Some(option) = of_tree.or(given) {
            bail!("{option} is for PGN files, and {} is an index", shown(&self.input.files[0]));
        }
        Ok(())
    }

    /// Refuses an index among other inputs.
    fn check_files(&self) -> Result<()> {
        let files = &self.input.files;
        match files.iter().filter(|_| files.len() > 1).find(|file| input::is_index(file)) {
            Some(index) => bail!("{} is an index, which stands alone; give one index, or PGN files", shown(index)),
            None => Ok(()),
        }
    }

    /// Returns the folder of an index, if the input is one.
    fn index(&self) -> Option<&Path> {
        match &*self.input.files {
            [folder] if !self.input.recursive && folder.is_dir() || input::is_index(folder) => Some(folder),
            _ => None,
        }
    }
}

/// Runs `pgn2fen tree [FILE]…`.
pub(crate) fn tree(arguments: &TreeArguments) -> Result<Outcome> {
    arguments.games.names.refuse_output(arguments.output.as_deref())?;
    arguments.check_files()?;
    let (format, compression) = arguments.format()?;
    let request = arguments.request()?;
    arguments.check(&request, format)?;
    let options = request.options(root(&request)?);
    let mut tags = arguments.games.filter().tags;
    tags.extend(request.player_filter()?);
    match arguments.index() {
        Some(folder) => of_index((arguments, &request), folder, (format, compression), &options, &tags),
        None => of_games((arguments, &request), (format, compression), options, tags),
    }
}

/// Opens the output. Refuses to replace an input file, and to write a binary format on a terminal.
fn open(arguments: &TreeArguments, compression: Compression, format: TreeFormat, inputs: &[Found]) -> Result<Output> {
    if let Some(path) = &arguments.output {
        refuse_to_replace(inputs, path)?;
    }
    refuse_placeholders(arguments.output.as_deref())?;
    let output = Output::open(arguments.output.as_deref(), compression)?;
    ensure!(
        !(rules(format).is_binary && output.is_terminal()),
        "{} is a binary format, which a terminal cannot show; write it to a file: -o tree.parquet",
        format.name()
    );
    Ok(output)
}

fn of_index(
    (arguments, request): (&TreeArguments, &TreeRequest),
    folder: &Path,
    (format, compression): (TreeFormat, Compression),
    options: &TreeOptions,
    tags: &[TagFilter],
) -> Result<Outcome> {
    arguments.check_index(request)?;
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
    finish((arguments, request), &tree, (format, &title), (output, report, None))
}

fn of_games(
    (arguments, request): (&TreeArguments, &TreeRequest),
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
    report.end_writing(LeftOut::default(), &Restrictions { games: restrictions(arguments), positions: Vec::new() });
    let tree = job.finish(&workers);
    finish((arguments, request), &tree, (format, &title), (output, report, why_unfinished))
}

/// Returns the first word of the title.
fn title_of(format: TreeFormat) -> &'static str {
    if format == TreeFormat::Anki { "Cards" } else { "Tree" }
}

/// Returns the names of the options that leave out games.
fn restrictions(arguments: &TreeArguments) -> Vec<&'static str> {
    let of_player = arguments.player.has("player").then_some("player");
    arguments.start.filter(&arguments.games).chosen().into_iter().chain(of_player).collect()
}

/// Tells that games of other rules were left out, and why the tree is empty, unless the report has told it.
fn tell_what_is_missing((arguments, request): (&TreeArguments, &TreeRequest), tree: &Tree, report: &Report) {
    let restrictions = restrictions(arguments);
    let why_empty = if restrictions.is_empty() || tree.root_node().results().games() > 0 {
        tree.why_empty(request.min_games())
    } else {
        let chosen = references(&restrictions, " and ");
        let none = format!("the tree is empty; no game that satisfies {chosen} reached its first position");
        (!report.chose_nothing()).then_some(none)
    };
    for hint in [tree.why_left_out(), why_empty].into_iter().flatten() {
        report.hint(&hint);
    }
}

/// Writes the gaps of a repertoire, and sums up.
fn finish_gaps(
    (arguments, request): (&TreeArguments, &TreeRequest),
    tree: &Tree,
    format: TreeFormat,
    (mut output, mut report, why_unfinished): (Output, Report, Option<&str>),
) -> Result<Outcome> {
    let format = if let TreeFormat::Rows(format) = format { format } else { RowFormat::Tsv };
    let side = request.side().unwrap_or(Color::White);
    let gaps = match tree.write_gaps(side, format, &mut output) {
        Ok(gaps) => gaps,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(report.outcome()),
        Err(error) => bail!("cannot write {}: {error}", output.name()),
    };
    output.complete(why_unfinished, &mut report)?;
    tell_what_is_missing((arguments, request), tree, &report);
    report.sum_up(&format!("gaps: {}", counted(gaps as u64, "position")));
    Ok(report.outcome())
}

/// Writes the tree, and sums up.
fn finish(
    (arguments, request): (&TreeArguments, &TreeRequest),
    tree: &Tree,
    (format, title): (TreeFormat, &str),
    (output, mut report, why_unfinished): (Output, Report, Option<&str>),
) -> Result<Outcome> {
    if arguments.gaps {
        return finish_gaps((arguments, request), tree, format, (output, report, why_unfinished));
    }
    let mut buffered = io::BufWriter::with_capacity(1 << 16, output);
    let written = tree.write(format, &request.style(title), &mut buffered).and_then(|written| {
        io::Write::flush(&mut buffered)?;
        Ok(written)
    });
    let output = buffered.into_parts().0;
    let written = match written {
        Ok(written) => written,
        Err(TreeError::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(report.outcome()),
        Err(TreeError::Write(error)) => bail!("cannot write {}: {error}", output.name()),
        Err(error) => return Err(error.into()),
    };
    output.complete(why_unfinished, &mut report)?;
    tell_what_is_missing((arguments, request), tree, &report);
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
