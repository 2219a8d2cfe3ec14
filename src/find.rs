//! `pgn2fen find`: finds positions in an index.

mod ask;
mod hints;
mod hits;
mod layout;
mod page;
pub(crate) mod print;

use std::cell::Cell;
use std::ffi::OsStr;
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};

use crate::color::WARNING;
use crate::compare::{CompareArguments, CompareFormatArgument, Target};
use crate::examples::examples;
use crate::find::ask::{Finder, Question};
use crate::find::hints::instead;
use crate::find::page::Page;
use crate::find::print::Printer;
use crate::input::stdin;
use crate::options::boards::BoardArguments;
use crate::options::listed::{Group, Listed};
use crate::options::names::NamesArguments;
use crate::options::reading::letters;
use crate::options::running::When;
use crate::options::shape::{ShapeArguments, StretchArguments};
use crate::outcome::Outcome;
use crate::output::{Output, refuse_indexed, refuse_placeholders};
use crate::say::{self, Line};
use crate::stdout::Closed;
use pgn2fen_chess::rules::Rules;
use pgn2fen_chess::san::Letters;
use pgn2fen_files::{Compression, EndingRules, agreed};
use pgn2fen_games::messages::{plain, quoted, shown};
use pgn2fen_games::selection::{ParseError, TagFilter};
use pgn2fen_games::typed::{TypedPosition, read_position_of};
use pgn2fen_index::{HitOrder, Index, TableAccess};
use pgn2fen_rows::options::QuestionOptions;
use pgn2fen_rows::starts::StartsFormat;
use pgn2fen_rows::{BoardOptions, Format};

/// The maximum number of positions without games for which hints are searched. A hint takes several look-ups, which is
/// too slow for long lists of positions.
const MOST_HINTS: u32 = 20;

/// The maximum number of characters of a position that a warning quotes. Longer texts are cut and end in `…`.
const LONGEST_QUOTE: usize = 100;

/// The maximum length of a line on standard input, in bytes. A longer line is an error.
const LONGEST_LINE: u64 = 1 << 20;

/// Find the games that reached a position, and the moves that were played there.
///
/// A position is found whatever the order of moves that led to it. Positions are the same if their pieces, side to
/// move, castling rights and legal en passant capture are the same. If no position is given, positions are read from
/// standard input, one on each line.
///
/// With --material, --pattern or --pawns, only games are found that had this shape in some position of their main line;
/// if no position is given, all games of the index are searched. The games are read from their files.
#[derive(Debug, Args)]
#[command(after_long_help = examples(EXAMPLES))]
pub(crate) struct FindArguments {
    /// The folder of an index, built by `pgn2fen index`
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// A FEN, an EPD, startpos, or moves such as '1. e4 c5 2. Nf3'. Standard input if there is none, or for `-`
    #[arg(value_name = "POSITION")]
    positions: Vec<String>,
    /// Count the games and their results
    #[arg(short, long, conflicts_with = "moves", help_heading = "Output")]
    count: bool,
    /// List the moves that were played there, with results and ratings
    #[arg(short = 'M', long, help_heading = "Output")]
    moves: bool,
    /// The format of the table, pgn for the games themselves, or html for a page of boards
    ///
    /// html shows each position with the number of its games, and the list of them; with --moves, a board for each move
    /// that was played. text and parquet are formats of --tree.
    #[arg(short, long, value_enum, value_name = "FORMAT", help_heading = "Output")]
    format: Option<FindFormat>,
    /// Write to FILE, which appears when it is complete; its ending chooses format and compression
    ///
    /// .tsv .csv .jsonl .html .pgn choose the format; .zst .gz .bz2 after them compress the file, as in hits.csv.zst.
    /// With any other ending, such as .txt, the file has tsv. Endings of other well-known formats, such as .json or
    /// .xlsx, are refused. If a position cannot be read, the file is not written
    /// unless --skip-unreadable is given.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    /// With --output: write FILE even if a position or a game cannot be read
    ///
    /// Positions and games that cannot be read are named, and the status is 1 instead of 2.
    #[arg(long, requires = "output", help_heading = "Output", hide_short_help = true)]
    skip_unreadable: bool,
    /// Only games whose tag satisfies the filter, such as 'WhiteElo>=2200', 'Date<2000' or 'Player~carlsen'
    ///
    /// With several of these options, all must hold; with 'White~carlsen or Black~caruana', one of the two. An index
    /// keeps the tags Event, Site, Date, Round, White, Black, WhiteElo, BlackElo, ECO, Result, TimeControl, Variant and
    /// those of `index --tags`. Speed is the speed that follows from TimeControl: 'Speed=blitz'. `pgn2fen --help`
    /// explains how values are compared.
    #[arg(short, long = "tag", value_name = "FILTER", help_heading = "Games")]
    tags: Vec<TagFilter>,
    #[command(flatten)]
    names: NamesArguments,
    #[command(flatten)]
    question: Listed<Asked>,
    #[command(flatten)]
    shape: ShapeArguments,
    #[command(flatten)]
    stretch: StretchArguments,
    /// Not an option of this command; there is a message about it.
    #[arg(long = "opening", value_name = "TEXT", hide = true)]
    openings: Vec<String>,
    /// At most N rows or games for each position. On a terminal, at most 30 hits are listed without this option
    #[arg(short, long, value_name = "N", conflicts_with = "count", help_heading = "Output")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    max: Option<u64>,
    /// List the hits with the best rated players or the latest date first
    ///
    /// rating: by the mean of both ratings. date: by the tag Date. Games without it come last. The hits of a position
    /// are held in memory, in about 50 bytes each.
    #[arg(long, value_enum, value_name = "ORDER", conflicts_with_all = ["count", "moves"])]
    #[arg(help_heading = "Output")]
    order: Option<OrderArgument>,
    /// Replay the games and leave out those that do not reach the position
    #[arg(long, help_heading = "Games")]
    verify: bool,
    /// Leave out the header row
    #[arg(long, help_heading = "Output")]
    no_header: bool,
    #[command(flatten)]
    compare: CompareArguments,
    #[command(flatten)]
    boards: BoardArguments,
    /// The language of the piece letters in POSITION, such as de, fr, es, ru
    #[arg(long, value_name = "LANGUAGE", default_value = "en", value_parser = letters, help_heading = "Input")]
    lang: Letters,
    /// Read the index instead of mapping it into memory
    ///
    /// Use this for an index that another program may truncate during the run: that is an error, and otherwise ends the
    /// process. Thousands of positions take a third longer.
    #[arg(long, help_heading = "Running")]
    no_mmap: bool,
    /// When to colour messages; auto does so on a terminal unless NO_COLOR is set
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto, help_heading = "Running")]
    // `color::choose` reads this option before the command line is parsed.
    color: When,
}

#[derive(Debug)]
struct Asked;

impl Group for Asked {
    type Job = QuestionOptions;
    const HEADING: &'static str = "Games";
    const NAMES: &'static [&'static str] = &["variant"];
}

/// How positions are read: by which rules, and with which piece letters.
#[derive(Clone, Copy)]
struct Typing<'t> {
    rules: Rules,
    letters: &'t Letters,
}

impl Typing<'_> {
    fn read(self, text: &str) -> std::result::Result<TypedPosition, ParseError> {
        read_position_of(text, self.letters, self.rules)
    }
}

const EXAMPLES: &str = "\
Examples:
  pgn2fen index -o games.idx games.pgn        build an index
  pgn2fen find games.idx '1. e4 c5 2. Nf3'    list the games that reached this position
  pgn2fen find --order rating games.idx '1. d4'    list the best players' games first
  pgn2fen find -M games.idx startpos          list the moves that were played there
  pgn2fen find -c games.idx < positions.fen   count the games for each line of a file
  pgn2fen find -M games.idx '1. e4' -o e4.html        draw the moves that were played there
  pgn2fen find --variant crazyhouse games.idx '1. e4 d5 2. exd5 Qxd5 3. P@e6'    by the rules of a variant
  pgn2fen find --tree white.pgn --player smith games.idx    where these games leave a repertoire
  pgn2fen find -t 'White~carlsen' games.idx '1. d4 d5 2. Bf4' -o london.pgn    copy the games

Exit status: 0 if something was found, 1 if nothing was found, 2 for wrong usage or if something could not be read or \
written.";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FindFormat {
    Pgn,
    Tsv,
    Csv,
    Jsonl,
    Html,
    Text,
    Parquet,
}

impl FindFormat {
    /// Returns the same format of a comparison with a repertoire.
    fn compared(self) -> CompareFormatArgument {
        match self {
            Self::Pgn => CompareFormatArgument::Pgn,
            Self::Tsv => CompareFormatArgument::Tsv,
            Self::Csv => CompareFormatArgument::Csv,
            Self::Jsonl => CompareFormatArgument::Jsonl,
            Self::Html => CompareFormatArgument::Html,
            Self::Text => CompareFormatArgument::Text,
            Self::Parquet => CompareFormatArgument::Parquet,
        }
    }
}

/// Advice about the endings of output files.
const ENDINGS: &str = "use .tsv, .csv, .jsonl, .html or .pgn; .zst, .gz and .bz2 after them compress the file";

/// The format that the ending of a file names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    Written(FindFormat),
    /// A format that this command does not write.
    Other(Format),
}

impl Named {
    /// Returns the format for an ending in lower case.
    fn of_ending(ending: &str) -> Option<Self> {
        let format = Format::of_ending(ending);
        Some(match (ending, format) {
            ("pgn", _) => Self::Written(FindFormat::Pgn),
            (_, Some(Format::Tsv)) => Self::Written(FindFormat::Tsv),
            (_, Some(Format::Csv)) => Self::Written(FindFormat::Csv),
            (_, Some(Format::Jsonl)) => Self::Written(FindFormat::Jsonl),
            (_, Some(Format::Html)) => Self::Written(FindFormat::Html),
            (_, format) => Self::Other(format?),
        })
    }

    fn rules(self) -> EndingRules {
        match self {
            Self::Written(FindFormat::Pgn) => StartsFormat::Games.into(),
            Self::Written(FindFormat::Tsv) => Format::Tsv.into(),
            Self::Written(FindFormat::Csv) => Format::Csv.into(),
            Self::Written(FindFormat::Jsonl) => Format::Jsonl.into(),
            Self::Written(FindFormat::Html | FindFormat::Text | FindFormat::Parquet) => Format::Html.into(),
            Self::Other(format) => format.into(),
        }
    }
}

/// Returns the format and the compression of the output.
fn format_of(arguments: &FindArguments) -> Result<(Option<FindFormat>, Compression)> {
    let Some(file) = &arguments.output else {
        return Ok((arguments.format, Compression::None));
    };
    let chosen = arguments.format.map(Named::Written);
    match agreed(file, chosen, Named::of_ending, Named::rules).map_err(|error| error.advise(ENDINGS))? {
        (Some(Named::Written(format)), compression) => Ok((Some(format), compression)),
        (None, compression) => Ok((None, compression)),
        (Some(Named::Other(format)), _) => {
            bail!("{} has the ending of {}, which is not written here; {ENDINGS}", shown(file), format.name())
        }
    }
}

fn open_index(arguments: &FindArguments) -> Result<Index> {
    if !arguments.folder.exists()
        && let Some(folder) = arguments.positions.iter().find(|text| Path::new(text).is_dir())
    {
        let [folder, position] = [OsStr::new(folder), arguments.folder.as_os_str()].map(quoted);
        bail!("the folder of the index comes first: pgn2fen find {folder} {position}");
    }
    let access = if arguments.no_mmap { TableAccess::Read } else { TableAccess::Map };
    Ok(Index::open_with(&arguments.folder, access)?)
}

/// Opens the output. Refuses to replace a file of the index.
fn open_output(file: Option<&Path>, compression: Compression, index: &Index) -> Result<Output> {
    refuse_indexed(index, file)?;
    refuse_placeholders(file)?;
    Output::open(file, compression)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OrderArgument {
    Rating,
    Date,
}

/// Compares the games of an index with a repertoire.
fn compare(arguments: &FindArguments) -> Result<Outcome> {
    let others = [
        ("POSITION", !arguments.positions.is_empty()),
        ("--count", arguments.count),
        ("--moves", arguments.moves),
        ("--max", arguments.max.is_some()),
        ("--order", arguments.order.is_some()),
        ("--verify", arguments.verify),
        ("--variant", arguments.question.has("variant")),
        ("--no-header", arguments.no_header),
        ("--skip-unreadable", arguments.skip_unreadable),
        ("--opening", !arguments.openings.is_empty()),
        ("--material, --pattern and --pawns", !arguments.shape.filter(Some(&arguments.stretch))?.is_empty()),
    ];
    let given = others.into_iter().find(|(_, is_given)| *is_given);
    if let Some((option, _)) = given {
        bail!("{option} asks for positions, and --tree compares games with a repertoire; leave one of them out");
    }
    let index = open_index(arguments)?;
    let players = arguments.names.players();
    let tags: Vec<TagFilter> = arguments.tags.iter().map(|filter| filter.for_players(&players)).collect();
    let title = arguments.boards.title();
    let target = Target {
        output: arguments.output.as_deref(),
        format: arguments.format.map(FindFormat::compared),
        title: title.as_deref(),
    };
    arguments.compare.index((&arguments.folder, &index), (tags, &players), target)
}

/// Runs `pgn2fen find DIR [POSITION]…`.
pub(crate) fn find(arguments: &FindArguments) -> Result<Outcome> {
    arguments.names.refuse_output(arguments.output.as_deref())?;
    if arguments.compare.is_wanted()? {
        return compare(arguments);
    }
    if let Some(format @ (FindFormat::Text | FindFormat::Parquet)) = arguments.format {
        let name = format.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
        bail!("{name} is a format of --tree; use tsv, csv, jsonl, html or pgn");
    }
    let (chosen, compression) = format_of(arguments)?;
    let is_pgn = chosen == Some(FindFormat::Pgn);
    let has_table = [("--count", arguments.count), ("--moves", arguments.moves)];
    if let Some((option, _)) = has_table.iter().find(|(_, is_chosen)| *is_chosen && is_pgn) {
        match &arguments.output {
            Some(file) if arguments.format.is_none() => {
                bail!("{option} prints a table; {} has the ending of games; use .tsv, .csv or .jsonl", shown(file))
            }
            _ => bail!("{option} prints a table; --format pgn prints games; leave one of them out"),
        }
    }
    let question = match (arguments.count, arguments.moves, chosen) {
        (true, ..) => Question::Count,
        (_, true, _) => Question::Moves,
        (.., Some(FindFormat::Pgn)) => Question::Games,
        _ => Question::Hits,
    };
    if let Some(opening) = arguments.openings.first() {
        let asked = instead(opening, &arguments.folder).map_or_else(String::new, |hint| format!(" ({hint})"));
        bail!(
            "an index contains no names of openings; ask for a position of the opening{asked}, or build an index of \
             its games only: pgn2fen index --opening {} -o DIR FILE…",
            quoted(OsStr::new(opening)),
        );
    }
    let shape = arguments.shape.filter(Some(&arguments.stretch))?;
    let is_about_all = arguments.positions.is_empty() && !shape.is_empty();
    ensure!(
        !is_about_all || question != Question::Moves,
        "--moves lists the moves that were played in a position; give a position, or `-` to read positions from \
         standard input"
    );
    ensure!(
        !is_about_all || arguments.order.is_none(),
        "--order sets the order of the hits of a position; give a position, or leave out --order"
    );
    let index = open_index(arguments)?;
    let players = arguments.names.players();
    let tags: Vec<TagFilter> = arguments.tags.iter().map(|filter| filter.for_players(&players)).collect();
    index.columns_of_filters(&tags)?;
    let from_stdin = arguments.positions.is_empty() && !is_about_all || arguments.positions == ["-"];
    let has_several = from_stdin || arguments.positions.len() > 1;
    ensure!(
        arguments.order.is_none() || question == Question::Hits,
        "--order sets the order of the list of hits; --format pgn prints games in the order of the index"
    );
    let has_failed = Cell::new(false);
    let max = arguments.max.unwrap_or(u64::MAX);
    let typing = Typing { rules: arguments.question.job().rules(), letters: &arguments.lang };
    let query = index.query(|trouble| {
        has_failed.set(true);
        say::error(&trouble.to_string());
    });
    let query = query.rules(typing.rules);
    let is_page = chosen == Some(FindFormat::Html);
    ensure!(!is_page || !is_about_all, "a page of boards shows positions; give a position, or leave out -f html");
    ensure!(!is_page || !arguments.no_header, "--no-header has no effect on a page of boards");
    let of_rows = ["numbers", "solutions", "boards_per_page", "comment_arrows"];
    arguments.boards.refuse(&of_rows, "it is an option of pgn2fen -f html, whose boards are those of games")?;
    let boards = arguments.boards.options("of a table", is_page)?;
    let title = arguments.boards.title().unwrap_or_else(|| {
        let name = arguments.folder.file_name().map(|name| shown(Path::new(name)));
        name.map_or("Positions".to_owned(), |name| format!("Positions in {name}"))
    });
    let boards = BoardOptions { title, ..boards };
    let output = open_output(arguments.output.as_deref(), compression, &index)?;
    let format = match chosen {
        Some(FindFormat::Csv) => Some(Format::Csv),
        Some(FindFormat::Jsonl) => Some(Format::Jsonl),
        Some(FindFormat::Tsv | FindFormat::Pgn | FindFormat::Html | FindFormat::Text | FindFormat::Parquet) => {
            Some(Format::Tsv)
        }
        None if output.is_terminal() => None,
        None => Some(Format::Tsv),
    };
    let is_terminal = format.is_none();
    let variant = Some(typing.rules).filter(|rules| *rules != Rules::Chess).map(Rules::name);
    let columns = question.columns(has_several, variant.is_some(), is_terminal);
    // Only one of the two printers prints.
    let (output, page) = if is_page {
        (Output::open(None, Compression::None)?, Some(Page::new(output, boards)))
    } else {
        (output, None)
    };
    let has_header = !(arguments.no_header || is_page || question == Question::Games);
    let printer = Printer::new(output, columns, format, !has_header).cut();
    // A table of a format that was asked for has its header row in any case.
    let printer = if chosen.is_none() { printer.only_with_rows() } else { printer };
    let shapes = shape.chosen();
    let mut finder = Finder {
        index: &index,
        query: query.tags(tags.clone())?.verify(arguments.verify).shape(shape).max(max),
        tags: &tags,
        shapes,
        question,
        has_several,
        variant,
        is_terminal,
        order: arguments.order.map(|order| match order {
            OrderArgument::Rating => HitOrder::Rating,
            OrderArgument::Date => HitOrder::Date,
        }),
        max,
        printer,
        page,
        skips_unreadable: arguments.skip_unreadable,
        kept: Default::default(),
        found: false,
        has_failed: &has_failed,
        threads: None,
        hints_left: MOST_HINTS,
    };
    let asked = if is_about_all {
        finder.ask_all()
    } else if from_stdin {
        ask_lines(&mut finder, stdin("positions").lock(), typing).and_then(|()| finder.end())
    } else {
        ask_words(finder, &arguments.positions, typing, &arguments.folder)
    };
    match asked {
        Err(error) if error.is::<Closed>() && has_failed.get() => Ok(Outcome::Failed),
        asked => asked,
    }
}

/// Prints the answers for the positions on the command line, and for those on standard input in the place of `-`.
fn ask_words(mut finder: Finder<'_>, positions: &[String], typing: Typing<'_>, folder: &Path) -> Result<Outcome> {
    let mut mistakes = Vec::new();
    for (nth, text) in positions.iter().enumerate() {
        if finder.has_several && text.trim().is_empty() {
            continue;
        }
        if text == "-" {
            ask_lines(&mut finder, stdin("positions").lock(), typing)?;
            continue;
        }
        // The other fields follow as arguments of their own.
        let is_first_field = text.matches('/').count() == 7 && !text.contains(' ');
        if is_first_field && positions.get(nth + 1).is_some_and(|next| matches!(next.as_str(), "w" | "b")) {
            finder.has_failed.set(true);
            mistakes.push(text.as_str());
            say::error(&format!("only the board is given; add the side to move, w or b\n    {}", plain(text)));
            continue;
        }
        if !ask(&mut finder, text, "", typing)? {
            mistakes.push(text.as_str());
        }
    }
    // Without quotes, a shell splits a position at its blanks. All words together are a position or a name then.
    let together = positions.join(" ");
    let is_split = !mistakes.is_empty() && positions.len() > 1;
    if is_split && typing.read(&together).is_ok() {
        let meant = quoted(OsStr::new(&together));
        say::hint(&format!("each argument is one position; did you mean {meant}?"));
    } else if is_split && let Some(hint) = instead(&together, folder) {
        say::hint(&hint);
    } else {
        mistakes.truncate(MOST_HINTS as usize);
        mistakes.iter().filter_map(|text| instead(text, folder)).for_each(|hint| say::hint(&hint));
    }
    finder.end()
}

/// Prints the answers for a text with one position on each line.
fn ask_lines(finder: &mut Finder<'_>, mut lines: impl BufRead, typing: Typing<'_>) -> Result<()> {
    let mut beginning = Vec::new();
    if begins_with_game(&mut lines).context("cannot read standard input")? {
        let limited = &mut lines.by_ref().take(LONGEST_LINE);
        limited.read_to_end(&mut beginning).context("cannot read standard input")?;
        let is_whole = limited.limit() > 0;
        let text = String::from_utf8_lossy(&beginning);
        let is_game = is_whole && typing.read(&text).is_ok();
        if is_game || !is_list(&text, typing) {
            ensure!(is_whole, "the game on standard input is too long");
            ask(finder, &text, "", typing)?;
            return Ok(());
        }
    }
    let mut lines = beginning.chain(lines);
    let mut line = Vec::new();
    for number in 1u64.. {
        line.clear();
        let limited = &mut lines.by_ref().take(LONGEST_LINE);
        let length = limited.read_until(b'\n', &mut line).context("cannot read standard input")?;
        if length == 0 {
            break;
        }
        ensure!(limited.limit() > 0 || line.ends_with(b"\n"), "line {number} is too long for a position");
        let text = String::from_utf8_lossy(&line);
        if !text.trim().is_empty() {
            ask(finder, &text, &format!("line {number}: "), typing)?;
        }
    }
    Ok(())
}

/// Whether one of the first lines has a tag pair other than a FEN. The text is then a game, unless it is a
/// [list](is_list).
fn begins_with_game(lines: &mut impl BufRead) -> io::Result<bool> {
    let text = lines.fill_buf()?;
    Ok(text.split(|byte| matches!(byte, b'\n' | b'\r')).any(has_tag_pair))
}

/// Whether a text with tag pairs that is not one game is a list of positions: each of its games is a line, with moves
/// behind the tags. A single line with tags may be the beginning of one game with a mistake, unless a result ends it,
/// or the first line is a position.
fn is_list(text: &str, typing: Typing<'_>) -> bool {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut games = lines().filter(|line| has_tag_pair(line.as_bytes()));
    let Some(first) = games.next() else { return false };
    let is_of_its_own = |line: &str| !line.ends_with(']');
    if !is_of_its_own(first) || lines().nth(1).is_none() {
        return false;
    }
    if let Some(second) = games.next() {
        return is_of_its_own(second) && games.all(is_of_its_own);
    }
    let has_result = matches!(first.split_whitespace().next_back(), Some("1-0" | "0-1" | "1/2-1/2" | "*"));
    has_result || lines().next().is_some_and(|line| line != first && typing.read(line).is_ok())
}

/// Whether a line has a tag pair other than a FEN.
fn has_tag_pair(line: &[u8]) -> bool {
    line.iter().enumerate().filter(|(_, byte)| **byte == b'[').any(|(at, _)| begins_tag_pair(&line[at + 1..]))
}

/// Whether the text begins with the name of a tag that is not FEN, and the quote of its value. A FEN tag alone is a
/// position.
fn begins_tag_pair(pair: &[u8]) -> bool {
    let length = pair.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let (name, value) = pair.split_at(length);
    !name.is_empty() && !name.eq_ignore_ascii_case(b"FEN") && value.trim_ascii_start().starts_with(b"\"")
}

/// Prints the answer for one position. Messages about it begin with `place`. Returns whether the text is a position.
fn ask(finder: &mut Finder<'_>, text: &str, place: &str, typing: Typing<'_>) -> Result<bool> {
    match typing.read(text) {
        Ok(typed) => {
            let mut quoted: String = text.trim().chars().take(LONGEST_QUOTE).collect();
            if quoted.len() < text.trim().len() {
                quoted.push('…');
            }
            if let Some(repair) = &typed.repair {
                Line::painted(WARNING, "warning").and(&format!(": {place}{}: {repair}", plain(&quoted))).to_stderr();
            }
            finder.ask(&typed, &quoted, place)?;
            Ok(true)
        }
        Err(mistake) => {
            finder.has_failed.set(true);
            say::error(&format!("{place}{mistake}"));
            Ok(false)
        }
    }
}
