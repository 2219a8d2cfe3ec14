//! `pgn2fen find`: looks positions up in an index.

mod ask;
pub(in crate::cli) mod names;
pub(in crate::cli) mod print;

use std::ffi::OsStr;
use std::io::{self, BufRead, IsTerminal, Read};
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use pgn2fen::index::{GameColumn, GameTexts, Index, read_position};
use pgn2fen::postings::TAGS;
use pgn2fen::rows::{Format, nearest_names};
use pgn2fen::san::Letters;
use pgn2fen::selection::TagFilter;

use crate::cli::args::{When, letters};
use crate::cli::color::WARNING;
use crate::cli::find::ask::{Finder, What};
use crate::cli::find::print::{Closed, Printer};
use crate::cli::report::Outcome;
use crate::cli::say::{self, Line, plain};
use crate::cli::usage::quoted;

/// For so many positions that no game reached it is looked up whether one on the same board was meant. That takes as many look-ups
/// as there are such positions, too many for long lists.
const MOST_HINTS: u32 = 20;

/// So much of a position is quoted in a warning, in characters.
const LONGEST_QUOTE: usize = 100;

/// No position takes so many bytes.
const LONGEST_LINE: u64 = 1 << 20;

/// Look positions up in an index: the games that reached them, and what was played there
///
/// A position is found however it was reached. It is the same if the men, the mover, the castling rights and the legal capture in
/// passing are. Without a position they are read from standard input, one a line.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct FindArguments {
    /// The folder of the index, made by `pgn2fen index`
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// A FEN, an EPD, startpos, or moves such as '1. e4 c5 2. Nf3'; `-` or nothing for lines of standard input
    #[arg(value_name = "POSITION")]
    positions: Vec<String>,
    /// Count the games, by their results
    #[arg(short, long, conflicts_with = "moves")]
    count: bool,
    /// What was played there, and how it went
    #[arg(short = 'M', long)]
    moves: bool,
    /// Tables as tsv, csv or jsonl, or the games themselves
    #[arg(short, long, value_enum, value_name = "FORMAT")]
    format: Option<FindFormat>,
    /// Only games whose tag is so, as in 'WhiteElo>=2200', 'Date<2000', 'White~carlsen'; all that are given must hold
    ///
    /// The index knows the tags Event, Site, Date, Round, White, Black, WhiteElo, BlackElo, ECO and Result.
    #[arg(short, long = "tag", value_name = "FILTER")]
    tags: Vec<TagFilter>,
    /// At most N rows or games of each position
    #[arg(short, long, value_name = "N", conflicts_with = "count")]
    max: Option<u64>,
    /// Play the games over and leave out those that do not reach the position
    #[arg(long)]
    verify: bool,
    /// Leave out the names of the columns
    #[arg(long)]
    no_header: bool,
    /// The language of the piece letters in moves that are typed, such as de, fr, es, ru
    #[arg(long, value_name = "LANGUAGE", default_value = "en", value_parser = letters)]
    lang: Letters,
    /// Colours in messages: on a terminal unless NO_COLOR is set, always, or never
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    // It is looked up before the command line is read.
    color: When,
}

const EXAMPLES: &str = "\
Examples:
  pgn2fen index -o games.idx games.pgn        build an index
  pgn2fen find games.idx '1. e4 c5 2. Nf3'    the games with this position
  pgn2fen find -M games.idx startpos          what was played there, and how it went
  pgn2fen find -c games.idx < positions.fen   how many games have each of these positions
  pgn2fen find -f pgn -t 'White~carlsen' games.idx '1. d4 d5 2. Bf4' > london.pgn

Exit status: 0 something was found, 1 nothing was, 2 wrong usage, or something could not be read or written.";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FindFormat {
    Pgn,
    Tsv,
    Csv,
    Jsonl,
}

/// `pgn2fen find DIR [POSITION]…`
pub(crate) fn find(arguments: &FindArguments) -> Result<Outcome> {
    let what = match (arguments.count, arguments.moves, arguments.format) {
        (true, _, Some(FindFormat::Pgn)) => anyhow::bail!("--count prints numbers, not games; leave out --format pgn"),
        (_, true, Some(FindFormat::Pgn)) => anyhow::bail!("--moves prints a table, not games; leave out --format pgn"),
        (true, ..) => What::Count,
        (_, true, _) => What::Moves,
        (.., Some(FindFormat::Pgn)) => What::Games,
        _ => What::Hits,
    };
    let known: Vec<&str> = TAGS.into_iter().chain(["Result"]).collect();
    for filter in &arguments.tags {
        if GameColumn::of_tag(filter.name()).is_none() {
            let nearest = nearest_names(filter.name(), known.iter().copied()).join(" or ");
            let meant = if nearest.is_empty() { String::new() } else { format!("; did you mean {nearest}?") };
            let name = filter.name();
            bail!("an index does not have the tag {name}{meant} (it has {})", known.join(", "));
        }
    }
    let index = Index::open(&arguments.folder)?;
    let from_stdin = arguments.positions.is_empty() || arguments.positions == ["-"];
    let has_several = from_stdin || arguments.positions.len() > 1;
    let format = match arguments.format {
        Some(FindFormat::Csv) => Some(Format::Csv),
        Some(FindFormat::Jsonl) => Some(Format::Jsonl),
        Some(FindFormat::Tsv | FindFormat::Pgn) => Some(Format::Tsv),
        None if io::stdout().is_terminal() => None,
        None => Some(Format::Tsv),
    };
    let printer = Printer::new(what.columns(has_several), format, arguments.no_header || what == What::Games);
    let finder = Finder {
        index: &index,
        what,
        has_several,
        filters: &arguments.tags,
        max: arguments.max.unwrap_or(u64::MAX),
        texts: arguments.verify.then(|| GameTexts::new(&index)),
        games: index.games(),
        names: Default::default(),
        printer,
        kept: Default::default(),
        found: false,
        has_failed: false,
        hints: MOST_HINTS,
    };
    let asked = if from_stdin {
        ask_lines(finder, io::stdin().lock(), &arguments.lang)
    } else {
        ask_words(finder, &arguments.positions, &arguments.lang)
    };
    match asked {
        Ok(outcome) => Ok(outcome),
        Err(error) if error.is::<Closed>() => Ok(Outcome::Clean),
        Err(error) => Err(error),
    }
}

/// Asks for the positions of a command line, and tells how it went.
fn ask_words(mut finder: Finder<'_>, positions: &[String], letters: &Letters) -> Result<Outcome> {
    let mut has_mistakes = false;
    for text in positions {
        if finder.has_several && text.trim().is_empty() {
            continue;
        }
        has_mistakes |= !ask(&mut finder, text, "", letters)?;
    }
    // Quotes were forgotten: only together the words are a position.
    let together = positions.join(" ");
    if has_mistakes && positions.len() > 1 && read_position(&together, letters).is_ok() {
        let meant = quoted(OsStr::new(&together));
        say::hint(&format!("each argument is a position of its own; did you mean {meant}?"));
    }
    finder.end()
}

/// Asks for the positions in the lines of a text, and tells how it went.
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

/// Asks for a position that was typed; what is said of it begins with its place. Whether it is one.
fn ask(finder: &mut Finder<'_>, text: &str, place: &str, letters: &Letters) -> Result<bool> {
    match read_position(text, letters) {
        Ok(typed) => {
            if let Some(repair) = typed.repair {
                let mut quoted: String = text.trim().chars().take(LONGEST_QUOTE).collect();
                if quoted.len() < text.trim().len() {
                    quoted.push('…');
                }
                Line::painted(WARNING, "warning").and(&format!(": {place}{}: {repair}", plain(&quoted))).to_stderr();
            }
            finder.ask(&typed.position, place)?;
            Ok(true)
        }
        Err(mistake) => {
            finder.has_failed = true;
            say::error(&format!("{place}{mistake}"));
            Ok(false)
        }
    }
}
