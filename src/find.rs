//! `pgn2fen find`: finds positions in an index.

mod ask;
mod hints;
mod hits;
mod layout;
mod page;
pub(crate) mod print;

use std::cell::Cell;
use std::ffi::OsStr;
use std::io::{self, BufRead, IsTerminal, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};

use crate::color::WARNING;
use crate::examples::examples;
use crate::find::ask::{Finder, Question};
use crate::find::hints::instead;
use crate::find::page::Page;
use crate::find::print::Printer;
use crate::input::stdin;
use crate::options::boards::BoardArguments;
use crate::options::choice::options_of;
use crate::options::reading::letters;
use crate::options::running::When;
use crate::options::shape::{ShapeArguments, StretchArguments};
use crate::outcome::Outcome;
use crate::say::{self, Line};
use crate::stdout::Closed;
use pgn2fen_chess::san::Letters;
use pgn2fen_games::messages::{plain, quoted, shown};
use pgn2fen_games::selection::TagFilter;
use pgn2fen_games::typed::read_position;
use pgn2fen_index::{HitOrder, Index, TableAccess, check_tags};
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
    #[arg(short, long, conflicts_with = "moves")]
    count: bool,
    /// List the moves that were played there, with results and ratings
    #[arg(short = 'M', long)]
    moves: bool,
    /// The format of the table, pgn for the games themselves, or html for a page of boards
    ///
    /// html shows each position with the number of its games, and the list of them; with --moves, a board for each move
    /// that was played.
    #[arg(short, long, value_enum, value_name = "FORMAT")]
    format: Option<FindFormat>,
    /// Only games whose tag satisfies the filter, such as 'WhiteElo>=2200', 'Date<2000' or 'Player~carlsen'
    ///
    /// With several of these options, all must hold; with 'White~carlsen or Black~caruana', one of the two. An index
    /// contains the tags Event, Site, Date, Round, White, Black, WhiteElo, BlackElo, ECO and Result. `pgn2fen --help`
    /// explains how values are compared.
    #[arg(short, long = "tag", value_name = "FILTER")]
    tags: Vec<TagFilter>,
    #[command(flatten)]
    shape: ShapeArguments,
    #[command(flatten)]
    stretch: StretchArguments,
    /// Not an option of this command; there is a message about it.
    #[arg(long = "opening", value_name = "TEXT", hide = true)]
    openings: Vec<String>,
    /// At most N rows or games for each position. On a terminal, at most 30 hits are listed without this option
    #[arg(short, long, value_name = "N", conflicts_with = "count")]
    max: Option<u64>,
    /// List the hits with the best rated players or the latest date first
    ///
    /// rating: by the mean of both ratings. date: by the tag Date. Games without it come last. The hits of a position
    /// are held in memory, in about 50 bytes each.
    #[arg(long, value_enum, value_name = "ORDER", conflicts_with_all = ["count", "moves"])]
    sort: Option<SortArgument>,
    /// Replay the games and leave out those that do not reach the position
    #[arg(long)]
    verify: bool,
    /// Leave out the header row
    #[arg(long)]
    no_header: bool,
    #[command(flatten)]
    boards: BoardArguments,
    /// The language of the piece letters in POSITION, such as de, fr, es, ru
    #[arg(long, value_name = "LANGUAGE", default_value = "en", value_parser = letters)]
    lang: Letters,
    /// Read the index instead of mapping it into memory
    ///
    /// Use this for an index that another program may truncate during the run: that is an error, and otherwise ends the
    /// process. Thousands of positions take a third longer.
    #[arg(long)]
    no_mmap: bool,
    /// When to colour messages; auto does so on a terminal unless NO_COLOR is set
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    // `color::choose` reads this option before the command line is parsed.
    color: When,
}

const EXAMPLES: &str = "\
Examples:
  pgn2fen index -o games.idx games.pgn        build an index
  pgn2fen find games.idx '1. e4 c5 2. Nf3'    list the games that reached this position
  pgn2fen find --sort rating games.idx '1. d4'    list the best players' games first
  pgn2fen find -M games.idx startpos          list the moves that were played there
  pgn2fen find -c games.idx < positions.fen   count the games for each line of a file
  pgn2fen find -M -f html games.idx '1. e4' > e4.html        draw the moves that were played there
  pgn2fen find -f pgn -t 'White~carlsen' games.idx '1. d4 d5 2. Bf4' > london.pgn

Exit status: 0 if something was found, 1 if nothing was found, 2 for wrong usage or if something could not be read or \
written.";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FindFormat {
    Pgn,
    Tsv,
    Csv,
    Jsonl,
    Html,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SortArgument {
    Rating,
    Date,
}

/// Runs `pgn2fen find DIR [POSITION]…`.
pub(crate) fn find(arguments: &FindArguments) -> Result<Outcome> {
    let question = match (arguments.count, arguments.moves, arguments.format) {
        (true, _, Some(FindFormat::Pgn)) => {
            anyhow::bail!("--count prints a table; --format pgn prints games; leave one of them out")
        }
        (_, true, Some(FindFormat::Pgn)) => {
            anyhow::bail!("--moves prints a table; --format pgn prints games; leave one of them out")
        }
        (true, ..) => Question::Count,
        (_, true, _) => Question::Moves,
        (.., Some(FindFormat::Pgn)) => Question::Games,
        _ => Question::Hits,
    };
    if let Some(opening) = arguments.openings.first() {
        let asked = instead(opening, &arguments.folder).map_or_else(String::new, |hint| format!(" ({hint})"));
        anyhow::bail!(
            "an index contains no names of openings; ask for a position of the opening{asked}, or build an index of \
             its games only: pgn2fen index --opening {} -o DIR FILE…",
            quoted(OsStr::new(opening)),
        );
    }
    check_tags(&arguments.tags)?;
    let shape = arguments.shape.filter(Some(&arguments.stretch))?;
    let is_about_all = arguments.positions.is_empty() && !shape.is_empty();
    ensure!(
        !is_about_all || question != Question::Moves,
        "--moves lists the moves that were played in a position; give a position, or `-` to read positions from \
         standard input"
    );
    ensure!(
        !is_about_all || arguments.sort.is_none(),
        "--sort orders the hits of a position; give a position, or leave out --sort"
    );
    let access = if arguments.no_mmap { TableAccess::Read } else { TableAccess::Map };
    let index = Index::open_with(&arguments.folder, access)?;
    let from_stdin = arguments.positions.is_empty() && !is_about_all || arguments.positions == ["-"];
    let has_several = from_stdin || arguments.positions.len() > 1;
    let format = match arguments.format {
        Some(FindFormat::Csv) => Some(Format::Csv),
        Some(FindFormat::Jsonl) => Some(Format::Jsonl),
        Some(FindFormat::Tsv | FindFormat::Pgn | FindFormat::Html) => Some(Format::Tsv),
        None if io::stdout().is_terminal() => None,
        None => Some(Format::Tsv),
    };
    ensure!(
        arguments.sort.is_none() || question == Question::Hits,
        "--sort orders the list of hits; --format pgn prints games in the order of the index"
    );
    let is_terminal = format.is_none();
    let columns = question.columns(has_several, is_terminal);
    let printer = Printer::new(columns, format, arguments.no_header || question == Question::Games).cut();
    let has_failed = Cell::new(false);
    let max = arguments.max.unwrap_or(u64::MAX);
    let query = index.query(|trouble| {
        has_failed.set(true);
        say::error(&trouble.to_string());
    });
    let is_page = arguments.format == Some(FindFormat::Html);
    ensure!(!is_page || !is_about_all, "a page of boards shows positions; give a position, or leave out -f html");
    ensure!(!is_page || !arguments.no_header, "--no-header has no effect on a page of boards");
    let boards = arguments.boards.options("of a table", is_page)?;
    let boards = BoardOptions { title: format!("Positions in {}", shown(&arguments.folder)), ..boards };
    let shapes = options_of(&shape.chosen());
    let finder = Finder {
        index: &index,
        query: query.tags(arguments.tags.clone())?.verify(arguments.verify).shape(shape).max(max),
        tags: &arguments.tags,
        shapes,
        question,
        has_several,
        is_terminal,
        order: arguments.sort.map(|sort| match sort {
            SortArgument::Rating => HitOrder::Rating,
            SortArgument::Date => HitOrder::Date,
        }),
        max,
        printer,
        page: is_page.then(|| Page::new(boards)),
        kept: Default::default(),
        found: false,
        has_failed: &has_failed,
        threads: None,
        hints_left: MOST_HINTS,
    };
    let asked = if is_about_all {
        finder.ask_all()
    } else if from_stdin {
        ask_lines(finder, stdin("positions").lock(), &arguments.lang)
    } else {
        ask_words(finder, &arguments.positions, &arguments.lang, &arguments.folder)
    };
    match asked {
        Err(error) if error.is::<Closed>() && has_failed.get() => Ok(Outcome::Failed),
        asked => asked,
    }
}

/// Prints the answers for the positions on the command line.
fn ask_words(mut finder: Finder<'_>, positions: &[String], letters: &Letters, folder: &Path) -> Result<Outcome> {
    let mut mistakes = Vec::new();
    for (nth, text) in positions.iter().enumerate() {
        if finder.has_several && text.trim().is_empty() {
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
        if !ask(&mut finder, text, "", letters)? {
            mistakes.push(text.as_str());
        }
    }
    // Without quotes, a shell splits a position at its blanks. All words together are a position or a name then.
    let together = positions.join(" ");
    let is_split = !mistakes.is_empty() && positions.len() > 1;
    if is_split && read_position(&together, letters).is_ok() {
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
fn ask_lines(mut finder: Finder<'_>, mut lines: impl BufRead, letters: &Letters) -> Result<Outcome> {
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
            ask(&mut finder, &text, &format!("line {number}: "), letters)?;
        }
    }
    finder.end()
}

/// Prints the answer for one position. Messages about it begin with `place`. Returns whether the text is a position.
fn ask(finder: &mut Finder<'_>, text: &str, place: &str, letters: &Letters) -> Result<bool> {
    match read_position(text, letters) {
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
