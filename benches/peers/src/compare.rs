//! `pgn2fen` against an oracle, line by line.
//!
//! Both run as child processes and their outputs are read side by side, so files of any size will do. The
//! oracle marks where its games end; `pgn2fen` may see other games, so after a difference the two are
//! brought together at the nearest place from which they agree again.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result};
use clap::ValueEnum;

use crate::child::{self, PgnExtract, Running};
use crate::style::{CastlingStyle, EpStyle, FenStyle};

/// So many equal lines in a row bring the two outputs together again.
const RUN: usize = 3;

/// So many lines are looked through for such a run: more than any two games have.
const WINDOW: usize = 5000;

/// So many lines of each side are shown of a difference.
const SHOWN: usize = 2;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The pgn2fen to compare
    #[arg(long, value_name = "BINARY")]
    ours: PathBuf,
    /// Whose FENs to hold it against
    #[arg(long, value_name = "WHO", default_value = "shakmaty")]
    against: Oracle,
    /// When to name the e.p. square; repeatable [default: in every way the oracle has]
    #[arg(long, value_name = "WHEN")]
    ep: Vec<EpStyle>,
    /// How to write castling rights
    #[arg(long, value_name = "STYLE", default_value = "xfen")]
    castling: CastlingStyle,
    /// Show so many differences of a file
    #[arg(long, value_name = "N", default_value_t = 10)]
    max_differences: usize,
    /// The PGN files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Oracle {
    Shakmaty,
    ShakmatyFast,
    /// Games of variants
    ShakmatyVariants,
    Cozy,
    PythonChess,
    /// Its first four fields
    PgnExtract,
}

/// Compares every file; exit code 1 when there was a difference.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let styles = match (&args.ep[..], args.against) {
        ([], Oracle::Cozy | Oracle::PgnExtract) => &[EpStyle::Always],
        ([], _) => &EpStyle::ALL[..],
        (chosen, _) => chosen,
    };
    let mut equal = true;
    let mut report = io::stdout().lock();
    for file in &args.files {
        let mut comparisons = Vec::new();
        for &ep in styles {
            comparisons.push(compare_file(args, ep, file)?);
        }
        equal &= comparisons.iter().all(|comparison| comparison.outcome.differences == 0);
        write_report(&mut report, file, &comparisons)?;
    }
    Ok(if equal { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// A file in one style.
struct Comparison {
    ep: EpStyle,
    games: u64,
    their_positions: u64,
    our_positions: u64,
    outcome: Outcome,
    /// The first differences, as text.
    shown: Vec<String>,
}

fn compare_file(args: &Args, ep: EpStyle, file: &Path) -> Result<Comparison> {
    let style = FenStyle { ep, castling: args.castling };
    let fields = if args.against == Oracle::PgnExtract { 4 } else { 6 };
    let mut our_command = child::ours(&args.ours, None, style, file);
    let (our_run, our_output) = Running::start(our_command.stderr(Stdio::null()))?;
    let mut their_command = oracle_command(args.against, style, file)?;
    let (their_run, their_output) = Running::start(their_command.stderr(Stdio::null()))?;

    let mut ours = Lines::new(Fens::new(our_output, fields));
    let mut theirs = Lines::new(Fens::new(their_output, fields));
    let (outcome, shown) = compare_and_show(&mut ours, &mut theirs, args.max_differences)?;
    if ours.has_ended {
        our_run.finish()?;
    }
    if theirs.has_ended {
        their_run.finish()?;
    }
    let games = theirs.source.games;
    Ok(Comparison { ep, games, their_positions: theirs.count, our_positions: ours.count, outcome, shown })
}

/// The styles that are equal on one line, each other one on its own.
fn write_report(report: &mut impl Write, file: &Path, comparisons: &[Comparison]) -> Result<()> {
    let file = file.display();
    let (equal, different): (Vec<_>, Vec<_>) =
        (comparisons.iter()).partition(|comparison| comparison.outcome.differences == 0);
    if let Some(first) = equal.first() {
        let styles: Vec<_> = equal.iter().map(|comparison| comparison.ep.name()).collect();
        writeln!(
            report,
            "{file}: {} games, {} positions, equal (--ep {})",
            first.games,
            first.their_positions,
            styles.join(", ")
        )?;
    }
    for comparison in different {
        writeln!(
            report,
            "{file}: {} games, {} positions, ours {}: {} differences (--ep {})",
            comparison.games,
            comparison.their_positions,
            comparison.our_positions,
            comparison.outcome.differences,
            comparison.ep.name(),
        )?;
        write_differences(report, &comparison.outcome, &comparison.shown)?;
    }
    Ok(())
}

/// Writes the first differences of a comparison, and how many more there are.
pub(crate) fn write_differences(report: &mut impl Write, outcome: &Outcome, shown: &[String]) -> io::Result<()> {
    for difference in shown {
        write!(report, "{difference}")?;
    }
    if outcome.differences > shown.len() {
        writeln!(report, "  ... and {} more", outcome.differences - shown.len())?;
    }
    if outcome.lost {
        writeln!(report, "  gave up: no {RUN} equal lines within {WINDOW}")?;
    }
    Ok(())
}

fn oracle_command(oracle: Oracle, style: FenStyle, file: &Path) -> Result<Command> {
    let mut command = match oracle {
        Oracle::Shakmaty => child::peer("shakmaty", style, file)?,
        Oracle::ShakmatyFast => child::peer("shakmaty-fast", style, file)?,
        Oracle::ShakmatyVariants => child::peer("shakmaty-variants", style, file)?,
        Oracle::Cozy => child::peer("cozy", style, file)?,
        Oracle::PythonChess => child::python_chess(style, file),
        Oracle::PgnExtract => {
            let pgn_extract = PgnExtract::find().context("pgn-extract is not installed")?;
            // It writes an empty line after each game anyway.
            return Ok(pgn_extract.command(file));
        }
    };
    command.arg("--separate");
    Ok(command)
}

/// How a comparison ended.
pub(crate) struct Outcome {
    pub(crate) differences: usize,
    /// The outputs did not come together again, and the rest was not read.
    pub(crate) lost: bool,
}

/// Lines of one side, of the other, or of both, where the outputs part.
struct Difference<'a> {
    ours: &'a [Line],
    theirs: &'a [Line],
    /// The line of the oracle at which the difference begins, or `None` at the end of its output.
    place: Option<&'a Line>,
    our_line: u64,
}

impl fmt::Display for Difference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Some(line) if self.theirs.is_empty() => write!(f, "  before {}", line.place)?,
            Some(line) => write!(f, "  {}", line.place)?,
            None => write!(f, "  at the end")?,
        }
        writeln!(f, "; our line {}:", self.our_line)?;
        for (mark, lines) in [('-', self.theirs), ('+', self.ours)] {
            for line in lines.iter().take(SHOWN) {
                writeln!(f, "    {mark} {}", String::from_utf8_lossy(&line.text))?;
            }
            if lines.len() > SHOWN {
                writeln!(f, "    {mark} ... and {} more", lines.len() - SHOWN)?;
            }
        }
        Ok(())
    }
}

/// Reads both outputs to their ends. Returns the first differences as text, too.
pub(crate) fn compare_and_show(
    ours: &mut Lines<impl Source>,
    theirs: &mut Lines<impl Source>,
    most: usize,
) -> io::Result<(Outcome, Vec<String>)> {
    let mut shown = Vec::new();
    let outcome = compare(ours, theirs, |difference| {
        if shown.len() < most {
            shown.push(difference.to_string());
        }
    })?;
    Ok((outcome, shown))
}

/// Reads both outputs to their ends and hands over each difference.
fn compare(
    ours: &mut Lines<impl Source>,
    theirs: &mut Lines<impl Source>,
    mut differs: impl FnMut(&Difference<'_>),
) -> io::Result<Outcome> {
    let mut differences = 0;
    loop {
        match (ours.ahead(0)?, theirs.ahead(0)?) {
            (None, None) => {
                return Ok(Outcome { differences, lost: false });
            }
            (Some(our), Some(their)) if our.text == their.text => {
                ours.advance(1);
                theirs.advance(1);
                continue;
            }
            _ => {}
        }
        differences += 1;
        let meeting = meet(ours, theirs)?;
        let (our_len, their_len) = meeting.unwrap_or((WINDOW, WINDOW));
        let our_line = ours.line;
        let (our_lines, their_lines) = (ours.seen(), theirs.seen());
        differs(&Difference {
            our_line,
            ours: &our_lines[..our_len.min(our_lines.len())],
            theirs: &their_lines[..their_len.min(their_lines.len())],
            place: their_lines.first(),
        });
        if meeting.is_none() {
            return Ok(Outcome { differences, lost: true });
        }
        ours.advance(our_len);
        theirs.advance(their_len);
    }
}

/// The fewest lines to skip on either side until [`RUN`] lines agree, or both end.
fn meet(ours: &mut Lines<impl Source>, theirs: &mut Lines<impl Source>) -> io::Result<Option<(usize, usize)>> {
    for distance in 1..=WINDOW {
        for our_skip in 0..=distance {
            let their_skip = distance - our_skip;
            if agree_from(ours, our_skip, theirs, their_skip)? {
                return Ok(Some((our_skip, their_skip)));
            }
        }
    }
    Ok(None)
}

fn agree_from(
    ours: &mut Lines<impl Source>,
    our_skip: usize,
    theirs: &mut Lines<impl Source>,
    their_skip: usize,
) -> io::Result<bool> {
    for i in 0..RUN {
        match (ours.ahead(our_skip + i)?, theirs.ahead(their_skip + i)?) {
            (Some(our), Some(their)) if our.text == their.text => {}
            (None, None) => return Ok(true),
            _ => return Ok(false),
        }
    }
    Ok(true)
}

/// A position as somebody wrote it.
pub(crate) struct Line {
    pub(crate) text: Vec<u8>,
    pub(crate) place: Place,
}

/// Where a line stands.
pub(crate) enum Place {
    /// The game is counted from 1, by the empty lines; the ply from 0, the starting position.
    Ply { game: u64, ply: u64 },
    /// Counted from 1, with those that are not compared.
    Position(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Ply { game, ply } => write!(f, "game {game}, ply {ply}"),
            Place::Position(number) => write!(f, "position {number}"),
        }
    }
}

/// What lines are read from.
pub(crate) trait Source {
    /// The next line, or `None` at the end.
    fn next_line(&mut self) -> io::Result<Option<Line>>;
}

/// The FENs that a process writes, with an empty line behind each game if it marks them.
struct Fens<R> {
    input: BufReader<R>,
    /// Keep so many fields of a FEN.
    fields: usize,
    game: u64,
    ply: u64,
    /// Games ended so far.
    games: u64,
}

impl<R: Read> Fens<R> {
    fn new(input: R, fields: usize) -> Fens<R> {
        Fens { input: BufReader::with_capacity(1 << 17, input), fields, game: 1, ply: 0, games: 0 }
    }
}

impl<R: Read> Source for Fens<R> {
    fn next_line(&mut self) -> io::Result<Option<Line>> {
        loop {
            let mut text = Vec::with_capacity(80);
            if self.input.read_until(b'\n', &mut text)? == 0 {
                return Ok(None);
            }
            text.truncate(text.trim_ascii_end().len());
            if text.is_empty() {
                self.games += 1;
                self.game += 1;
                self.ply = 0;
                continue;
            }
            text.truncate(fields_len(&text, self.fields));
            let place = Place::Ply { game: self.game, ply: self.ply };
            self.ply += 1;
            return Ok(Some(Line { text, place }));
        }
    }
}

/// The positions of one side, with a view ahead.
pub(crate) struct Lines<S> {
    pub(crate) source: S,
    ahead: VecDeque<Line>,
    /// The number of the next line, from 1.
    line: u64,
    /// Positions read so far.
    pub(crate) count: u64,
    /// The source has no more lines.
    pub(crate) has_ended: bool,
}

impl<S: Source> Lines<S> {
    pub(crate) fn new(source: S) -> Lines<S> {
        Lines { source, ahead: VecDeque::new(), line: 1, count: 0, has_ended: false }
    }

    /// The line `i` lines ahead, or `None` beyond the end.
    fn ahead(&mut self, i: usize) -> io::Result<Option<&Line>> {
        while self.ahead.len() <= i {
            let Some(line) = self.source.next_line()? else {
                self.has_ended = true;
                return Ok(None);
            };
            self.ahead.push_back(line);
            self.count += 1;
        }
        Ok(self.ahead.get(i))
    }

    /// The next lines, as far as anybody has looked ahead.
    fn seen(&mut self) -> &[Line] {
        self.ahead.make_contiguous()
    }

    fn advance(&mut self, len: usize) {
        self.ahead.drain(..len.min(self.ahead.len()));
        self.line += len as u64;
    }
}

/// The length of the first so many fields of a line.
fn fields_len(text: &[u8], fields: usize) -> usize {
    text.iter().enumerate().filter(|(_, byte)| **byte == b' ').nth(fields - 1).map_or(text.len(), |(i, _)| i)
}

#[cfg(test)]
mod tests {
    use super::{Fens, Line, Lines, Place, WINDOW, compare, fields_len};

    fn fens(text: &str) -> Lines<Fens<&[u8]>> {
        Lines::new(Fens::new(text.as_bytes(), 6))
    }

    /// Compares lines given as words (`|` ends a game of theirs); a difference reads `game.ply ours/theirs`.
    #[track_caller]
    fn check(ours: &str, theirs: &str, expected: &[&str]) {
        let lines =
            |words: &str| words.split(' ').map(|word| format!("{}\n", word.trim_matches('|'))).collect::<String>();
        let (ours, theirs) = (lines(ours), lines(theirs));
        let mut found = Vec::new();
        let outcome = compare(&mut fens(&ours), &mut fens(&theirs), |difference| {
            let words = |lines: &[Line]| {
                let words = lines.iter().map(|line| String::from_utf8_lossy(&line.text).into_owned());
                words.collect::<Vec<_>>().join(",")
            };
            let place = match difference.place.map(|line| &line.place) {
                Some(Place::Ply { game, ply }) => format!("{game}.{ply}"),
                Some(Place::Position(_)) => unreachable!("lines of FEN have games"),
                None => "end".to_owned(),
            };
            found.push(format!("{place} {}/{}", words(difference.ours), words(difference.theirs)));
        })
        .unwrap();
        assert_eq!(found, expected);
        assert_eq!(outcome.differences, expected.len());
        assert!(!outcome.lost);
    }

    #[test]
    fn equal_outputs_have_no_difference() {
        check("a b c", "a b | c", &[]);
    }

    #[test]
    fn a_single_line_differs() {
        check("a b c d e", "a x c d e", &["1.1 b/x"]);
    }

    #[test]
    fn a_game_that_goes_on_is_one_difference() {
        check("s a1 a2 a3 s b1 b2 b3", "s a1 | s b1 b2 b3", &["2.0 a2,a3/"]);
    }

    #[test]
    fn a_game_that_stops_early_is_one_difference() {
        check("s a1 s b1 b2 b3", "s a1 a2 a3 | s b1 b2 b3", &["1.2 /a2,a3"]);
    }

    #[test]
    fn what_is_left_at_the_end_is_one_difference() {
        check("a", "a b c", &["1.1 /b,c"]);
        check("a b c", "a |", &["end b,c/"]);
        check("a x y", "a b", &["1.1 x,y/b"]);
    }

    #[test]
    fn outputs_that_never_meet_are_given_up() {
        let lines = |letter| (0..2 * WINDOW).map(|i| format!("{letter}{i}\n")).collect::<String>();
        let (ours, theirs) = (lines('a'), lines('b'));
        let outcome = compare(&mut fens(&ours), &mut fens(&theirs), |_| {}).unwrap();
        assert!(outcome.lost);
    }

    #[test]
    fn fields_are_cut_at_their_blanks() {
        assert_eq!(fields_len(b"a w - - 0 1", 4), 7);
        assert_eq!(fields_len(b"a w - - 0 1", 6), 11);
    }
}
