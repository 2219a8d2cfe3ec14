//! `pgn2fen games`: its options, and the run that copies games.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::compare::{CompareArguments, CompareFormatArgument, GameInput, Target};
use crate::examples::examples;
use crate::input;
use crate::options::choice::{GameArguments, StartArguments};
use crate::options::edits::EditArguments;
use crate::options::export::ExportArguments;
use crate::options::read_options;
use crate::options::reading::{InputArguments, MoveArguments};
use crate::options::running::RunningArguments;
use crate::options::shape::{ShapeArguments, StretchArguments};
use crate::outcome::Outcome;
use crate::output::{Output, folder_of, remove_when_interrupted};
use crate::unit::Unit;
use crate::walk::{self, Run};
use pgn2fen_files::{Compression, Found, GameFiles, compression_of_games, refuse_to_replace};
use pgn2fen_games::selection::SortKeys;
use pgn2fen_games::walk::ReadOptions;
use pgn2fen_rows::games::{ChapterNames, CopyRequest, GameFileNames, JoinedGames, Keep, Split, UniqueKeys};

/// Copy the games that pass the filters, as PGN.
///
/// Games are copied byte for byte, in the order of the files: with -t by their tags, with --opening by their opening,
/// with --start by their starting position, with --reached, --material, --pattern and --pawns by what their main line
/// reached, with --moves by its moves, with --length by its length. Without a filter, all games of all files are
/// copied.
///
/// With --set-tag and the options beside it, their tags change, and all else stays as it is.
///
/// With --san, or with another option of its group, games are written in the export format of the PGN standard, or
/// without some of their parts.
///
/// With --tree, games are not copied but compared with a repertoire: where each of them leaves it, and who did.
///
/// Moves are played only if an option needs them. So errors in moves are reported only then; `pgn2fen check` reports
/// all of them.
#[derive(Debug, Args)]
#[command(after_long_help = examples(EXAMPLES))]
pub(crate) struct GamesArguments {
    #[command(flatten)]
    pub(crate) input: InputArguments,
    #[command(flatten)]
    moves: MoveArguments,
    #[command(flatten)]
    games: GameArguments,
    #[command(flatten)]
    start: StartArguments,
    #[command(flatten)]
    shape: ShapeArguments,
    #[command(flatten)]
    stretch: StretchArguments,
    /// Copy the other games: those that do not pass all filters
    #[arg(long, help_heading = "Games")]
    invert: bool,
    /// Copy each game only once: leave out games with the same starting position and moves as an earlier one
    ///
    /// Tags, comments, variations and results do not count. KEYS, after an equals sign, say what must be the same
    /// instead: moves, players (White and Black), or any tags, as in -u=moves,players or -u=White,Black,Date,Round.
    /// Values of tags are compared without regard to case. A game without moves, and one with an error in its moves,
    /// has no duplicates if moves count; if they do not, a game in which none of the tags is known has none.
    /// `beginnings` stands for moves, and treats a game that breaks off as equal to one that goes on: -u=beginnings. -n
    /// counts
    /// duplicates, too. The games are played. Memory grows with the number of games, about 16 bytes each.
    #[arg(short, long, value_name = "KEYS", num_args = 0..=1, require_equals = true, default_missing_value = "moves")]
    #[arg(help_heading = "Games")]
    unique: Option<UniqueKeys>,
    /// Make games of positions that follow one another by a legal move, such as those of a list of FENs
    ///
    /// A position that no legal move reaches from the one before it begins another game, and so does each file. One
    /// that is equal to the one before it is left out. The games are written in the export format, with SetUp and FEN
    /// if they do not start from the initial position. They can be sorted, split or changed by another `pgn2fen games`.
    #[arg(long, help_heading = "Games")]
    join: bool,
    /// Which of equal games to keep, with --unique or --duplicates
    ///
    /// Annotation is measured by the letters and digits of comments, outside commands such as [%clk 0:01:00], by the
    /// glyphs, and by the moves of variations. Unless the first is kept, all games are held until the input has been
    /// read, as with --sort. -u=beginnings keeps the longest, if this option is not given.
    #[arg(long, value_name = "WHICH", value_parser = keep(), help_heading = "Games")]
    keep: Option<Keep>,
    #[command(flatten)]
    order: OrderArguments,
    #[command(flatten)]
    edits: EditArguments,
    #[command(flatten)]
    export: ExportArguments,
    #[command(flatten)]
    compare: CompareArguments,
    /// The title of a page of --tree; it names the files without this option
    #[arg(long, value_name = "TEXT", requires = "tree", help_heading = "Repertoire")]
    title: Option<String>,
    #[command(flatten)]
    output: GamesOutput,
    #[command(flatten)]
    running: RunningArguments,
}

/// Returns the parser of the value of --keep.
fn keep() -> impl TypedValueParser<Value = Keep> {
    let value = |(name, keep): (&'static str, Keep)| PossibleValue::new(name).help(keep.meaning());
    PossibleValuesParser::new(Keep::ALL.map(value))
        .map(|word| Keep::ALL.into_iter().find(|(name, _)| *name == word).map_or_else(Keep::default, |(_, keep)| keep))
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
struct GamesOutput {
    /// Write to FILE, which appears when it is complete; the endings .zst .gz .bz2 compress it
    ///
    /// The format is always PGN, so endings of other formats are refused: strong.pgn, strong.pgn.zst. A name with
    /// placeholders writes several files: 'players/{White}.pgn' a file for each value of the tag, 'games-{part}.pgn' a
    /// file for each part of --split. Folders are created. Double braces stand for a brace.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// With --tree: a report as text or as a page, games with comments where they leave the repertoire, or a table
    ///
    /// Without this option, the ending of FILE chooses: .txt .html .pgn .csv .tsv .jsonl .parquet. Without a file it is
    /// text.
    #[arg(short, long, value_enum, value_name = "FORMAT")]
    format: Option<CompareFormatArgument>,
    /// Split the games into files: 1000 games each, 100MB each, shares such as train=0.9,test=0.1, or study
    ///
    /// The name of the output has the placeholder {part}, the number or the name of the part: -o 'games-{part}.pgn'.
    /// Sizes are those before compression; KB, MB and GB are powers of 1000. With shares, the part of a game depends
    /// only on its starting position, its moves and --seed, so equal games are in the same part. `study` writes files
    /// that a Lichess study takes: at most 64 chapters each, in the export format, as by --san. A game that is too
    /// large for a chapter is divided at its variations, with a warning.
    #[arg(long, value_name = "HOW")]
    split: Option<Split>,
    /// The name of a chapter, with --split study: '{White} - {Black}, {opening}'
    ///
    /// Placeholders are names of tags, and {opening} and {eco}, which follow from the moves. By default a chapter is
    /// named by its ChapterName tag, or else by its players, its Event tag, or its opening. Longer names than 80
    /// characters are cut.
    #[arg(long, value_name = "NAME")]
    chapter_name: Option<ChapterNames>,
    /// Like --unique, but write the duplicates to FILE
    ///
    /// They are written in the order of the input. FILE may be compressed, like that of --output.
    #[arg(long, value_name = "FILE")]
    duplicates: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Order")]
struct OrderArguments {
    /// Sort the games by tags, such as Date,Round or -WhiteElo; - means descending
    ///
    /// Dates, ratings, rounds and other numbers are compared by their size, other values as texts without regard to
    /// case. Games in which a tag is missing or unknown come last. Games with equal values stay in the order of the
    /// input. All games are held until the input has been read: 64 MiB in memory, more in a temporary file beside the
    /// output.
    #[arg(long, value_name = "TAGS", allow_hyphen_values = true)]
    sort: Option<SortKeys>,
    /// Put the games into a random order, which is the same in every run
    #[arg(long, conflicts_with = "sort")]
    shuffle: bool,
    /// The seed of --shuffle and of shares in --split; another number gives another order, and other parts
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

const EXAMPLES: &str = "\
Examples:
  pgn2fen games -t 'WhiteElo>=2200' -t 'BlackElo>=2200' games.pgn -o strong.pgn    copy the games of strong players
  pgn2fen games --opening Najdorf -r games -o najdorf.pgn.zst    copy the games of an opening
  pgn2fen games --material 'RP+1:RP*' --for-plies 20 games.pgn    copy rook endings with an extra pawn
  pgn2fen games --start standard --invert games.pgn              copy studies, puzzles and Chess960 games
  pgn2fen games --set-tag 'Event=Club' --remove-tag '*Elo' games.pgn    change tags
  pgn2fen games --add-opening games.pgn -o '{ECO}.pgn'           add the tags ECO and Opening; a file for each code
  pgn2fen games --san old.pgn -o new.pgn                         write games by the PGN standard
  pgn2fen games --no-comments --no-variations --tags roster games.pgn    the roster and the moves
  pgn2fen games a.pgn.zst b.pgn -o all.pgn                       join files
  pgn2fen games --join positions.fen -o games.pgn                make games of a list of positions
  pgn2fen games -u a.pgn b.pgn -o once.pgn --duplicates others.pgn    keep duplicates aside
  pgn2fen games --sort Date,-WhiteElo games.pgn -o sorted.pgn    sort games by their tags
  pgn2fen games games.pgn -o 'players/{White}.pgn'               write a file for each player
  pgn2fen games --split study games.pgn -o 'study-{part}.pgn'    files that a Lichess study takes
  pgn2fen games --tree white.pgn --player smith games.pgn        where my games leave my repertoire
  pgn2fen games --split train=0.9,test=0.1 games.pgn -o '{part}.pgn'    parts that no game crosses

Exit status: 0 if everything was read, 1 if some games have errors (0 with --exit-zero), 2 for wrong usage or if a \
file could not be
read or written.";

/// Runs `pgn2fen games [FILE]…`.
pub(crate) fn games(arguments: &GamesArguments) -> Result<Outcome> {
    let GamesArguments { input, moves, games, start, shape, stretch, compare, title, output, running, .. } = arguments;
    for replaced in [&output.output, &output.duplicates] {
        games.names.refuse_output(replaced.as_deref())?;
    }
    let request = arguments.request();
    let mut read = read_options((games, start), moves, input, running, arguments.export.on_error());
    read.games.course.shape = shape.filter(Some(stretch))?;
    if compare.is_wanted()? {
        request.refuse_beside("--tree")?;
        let target = Target { output: output.output.as_deref(), format: output.format, title: title.as_deref() };
        return compare.games(GameInput { input, running, read }, target);
    }
    ensure!(
        matches!(output.format, None | Some(CompareFormatArgument::Pgn)),
        "`pgn2fen games` writes PGN, and `pgn2fen -f csv` writes rows; --format is for --tree"
    );
    if request.join {
        return arguments.join(&request, read);
    }
    let (target, aside) = (output.output.as_deref(), output.duplicates.as_deref());
    let is_stdout = |path: Option<&Path>| path.is_none_or(|path| path == Path::new("-"));
    let is_same = aside.is_some() && (target == aside || is_stdout(target) && is_stdout(aside));
    ensure!(!is_same, "--duplicates and --output are the same; duplicates need a file of their own");
    let aside = aside.map(path_aside).transpose()?;
    let names = names(target, request.split.as_ref())?;
    let only = names.as_ref().and_then(GameFileNames::only_path).map(PathBuf::from);
    let mut job = request.copies(read.clone())?;
    let files = input::files(input)?;
    let aside = aside.map(|aside| open(Some(&aside), &files)).transpose()?;
    let run = Run::choosing(&read, files, input, running);
    if let Some(folder) = target.and_then(folder_of) {
        job = job.temporary_folder(folder);
    }
    let is_new = |tag: &str| request.edits.new_tags().any(|name| name == tag);
    let of_names = names.as_ref().map_or(&[][..], GameFileNames::tags);
    let needed_tags: Vec<Box<str>> = of_names.iter().filter(|tag| !is_new(tag.as_ref())).cloned().collect();
    let mut run = Run { unit: Unit::Copy, needed_tags, ..run };
    if request.invert {
        run.restrictions.games.push("invert");
    }
    let is_terminal = aside.as_ref().is_some_and(Output::is_terminal);
    if let Some(names) = names.filter(GameFileNames::has_placeholder) {
        input::check_tags(&run.needed_tags, &run.files, input, running)?;
        let compression = target.map_or(Ok(Compression::None), compression_of_games)?;
        remove_when_interrupted()?;
        let files = GameFiles::new(&run.files, compression);
        let named = ("the files", is_terminal);
        let (outcome, _) = match aside {
            None => walk::write_to(named, job.begin_files(names, files)?, run)?,
            Some(aside) => walk::write_to(named, job.begin_files_aside(names, files, aside)?, run)?,
        };
        return Ok(outcome);
    }
    let target = open(only.as_deref().or(target), &run.files)?;
    let is_terminal = is_terminal || target.is_terminal();
    let name = target.name();
    let (outcome, _) = match aside {
        None => walk::write_to((&name, is_terminal), job.begin(target), run)?,
        Some(aside) => walk::write_to((&name, is_terminal), job.begin_aside(target, aside), run)?,
    };
    Ok(outcome)
}

impl GamesArguments {
    /// Returns the options of the copies.
    fn request(&self) -> CopyRequest {
        let Self { invert, unique, join, keep, edits, export, order, output, .. } = self;
        CopyRequest {
            invert: *invert,
            join: *join,
            unique: unique.clone(),
            duplicates: output.duplicates.is_some(),
            keep: *keep,
            sort: order.sort.clone(),
            shuffle: order.shuffle,
            seed: order.seed,
            split: output.split.clone(),
            chapter_name: output.chapter_name.clone(),
            edits: edits.job().edits().clone(),
            export: export.options(),
            on_error: export.has_on_error(),
        }
    }

    /// Makes games of positions.
    fn join(&self, request: &CopyRequest, read: ReadOptions) -> Result<Outcome> {
        request.refuse_beside("`join`")?;
        let files = input::files(&self.input)?;
        let run = Run::choosing(&read, files, &self.input, &self.running);
        let path = self.output.output.as_deref();
        let names = names(path, None)?;
        let has_placeholder = names.as_ref().is_some_and(GameFileNames::has_placeholder);
        ensure!(!has_placeholder, "--join writes one file; leave the placeholders to another `pgn2fen games`");
        let only = names.as_ref().and_then(GameFileNames::only_path).map(PathBuf::from);
        let target = open(only.as_deref().or(path), &run.files)?;
        let (name, is_terminal) = (target.name(), target.is_terminal());
        let job = JoinedGames::new().read_options(read);
        // Each line of a list is a game that is read, so the positions are what is counted.
        let run = Run { unit: Unit::Position, ..run };
        let (outcome, _) = walk::write_to((&name, is_terminal), job.begin(target), run)?;
        Ok(outcome)
    }
}

/// Returns the names of the files in the name of the output. None for standard output, and for a name that is not
/// UTF-8.
fn names(target: Option<&Path>, split: Option<&Split>) -> Result<Option<GameFileNames>> {
    let text = target.filter(|target| *target != Path::new("-")).and_then(Path::to_str);
    let names = text.map(str::parse::<GameFileNames>).transpose()?;
    match &names {
        Some(names) => names.check(split)?,
        None => {
            ensure!(
                split.is_none(),
                "--split writes several files; name them with -o, such as -o 'games-{{part}}.pgn'"
            );
        }
    }
    Ok(names)
}

/// Returns the path of the file for duplicates, in which double braces stand for a brace.
fn path_aside(aside: &Path) -> Result<PathBuf> {
    let names = names(Some(aside), None)?;
    let has_placeholder = names.as_ref().is_some_and(GameFileNames::has_placeholder);
    ensure!(!has_placeholder, "--duplicates writes one file; leave the placeholders to another `pgn2fen games`");
    Ok(names.as_ref().and_then(GameFileNames::only_path).map_or_else(|| aside.to_owned(), PathBuf::from))
}

/// Opens an output file, or standard output. Refuses to replace an input file.
fn open(path: Option<&Path>, inputs: &[Found]) -> Result<Output> {
    let compression = path.map_or(Ok(Compression::None), compression_of_games)?;
    if let Some(path) = path {
        refuse_to_replace(inputs, path)?;
    }
    Output::open(path, compression)
}
