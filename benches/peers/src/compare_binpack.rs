//! `pgn2fen -f binpack` against the crate sfbinpack.
//!
//! `pgn2fen` writes a `.binpack` of the games. sfbinpack reads it, and writes another one of what it has read, which
//! `pgn2fen` reads again. Both must have the positions that `pgn2fen -f plain` writes. Mates are not in plain, so
//! they are compared with a table. All run as child processes, and their outputs are read side by side.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdout, Command, ExitCode};

use anyhow::{Context, Result, ensure};

use crate::bench::Scratch;
use crate::child::{Running, digest_all};
use crate::compare::{Lines, Outcome, compare_and_show, write_differences};
use crate::open;
use crate::plain::{Chosen, LeftOut, Plain, Record, Records, Rule, Table};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The pgn2fen to compare
    #[arg(long, value_name = "BINARY")]
    ours: PathBuf,
    /// Show so many differences of each comparison
    #[arg(long, value_name = "N", default_value_t = 10)]
    max_differences: usize,
    /// Where the .binpack files are written [default: the system's directory]
    #[arg(long, value_name = "DIR")]
    scratch: Option<PathBuf>,
    /// The PGN files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// Compares every file; exit code 1 when there was a difference.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let scratch = Scratch::new(args.scratch.as_deref())?;
    let mut report = io::stdout().lock();
    let (mut positions, mut is_equal) = (0, true);
    for file in &args.files {
        let compared = compare_file(args, &scratch, file).with_context(|| file.display().to_string())?;
        positions += compared.positions();
        is_equal &= compared.is_equal();
        compared.write_report(&mut report, file)?;
    }
    if args.files.len() > 1 {
        writeln!(report, "all files: {positions} positions in binpack")?;
    }
    Ok(if is_equal { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// A file.
struct Compared {
    /// Positions that are no mates, read by sfbinpack.
    read: Comparison,
    /// Mates, read by sfbinpack.
    mates: Comparison,
    /// Positions that are no mates, written by sfbinpack. `None` if it did not read all.
    written: Option<Comparison>,
    /// The file that sfbinpack wrote has the bytes of the one that it read.
    has_same_bytes: bool,
}

/// How a comparison ended.
struct Comparison {
    our_positions: u64,
    their_positions: u64,
    /// The positions that binpack has no room for.
    left_out: LeftOut,
    outcome: Outcome,
    /// The first differences, as text.
    shown: Vec<String>,
}

fn compare_file(args: &Args, scratch: &Scratch, file: &Path) -> Result<Compared> {
    let (binpack, copy) = (scratch.path("games.binpack"), scratch.path("copy.binpack"));
    let mut write = pgn2fen(args, &["-f", "binpack", "-o"], &binpack);
    let status = write.arg(file).status().with_context(|| format!("cannot run {}", args.ours.display()))?;
    ensure!(matches!(status.code(), Some(0 | 1)), "{} failed: {status}", args.ours.display());

    let plain = |file: &Path, leaves_out: Rule| {
        Side::start(pgn2fen(args, &["-f", "plain", "--ep", "legal"], file), Plain::new, leaves_out)
    };
    let sfbinpack = |copy: &[&Path], leaves_out: Rule| {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("binpack").args(copy).arg(&binpack);
        Side::start(command, Plain::new, leaves_out)
    };
    let table = pgn2fen(args, &["-f", "tsv", "-C", Table::<ChildStdout>::COLUMNS, "--ep", "legal"], file);
    let most = args.max_differences;

    let ours = plain(file, Record::only_in_plain)?;
    let theirs = sfbinpack(&[Path::new("--copy"), &copy], Record::mate)?;
    let read = Comparison::of(ours, theirs, most)?;

    let ours = Side::start(table, Table::new, |record| record.no_mate().or_else(|| record.only_in_plain()))?;
    let mates = Comparison::of(ours, sfbinpack(&[], Record::no_mate)?, most)?;

    if read.outcome.lost {
        return Ok(Compared { read, mates, written: None, has_same_bytes: false });
    }
    let ours = plain(file, Record::only_in_plain)?;
    let written = Some(Comparison::of(ours, plain(&copy, |_| None)?, most)?);
    let has_same_bytes = digest_all(&mut open(&binpack)?)? == digest_all(&mut open(&copy)?)?;
    Ok(Compared { read, mates, written, has_same_bytes })
}

/// `pgn2fen` with options and a file. Its warnings are not shown.
fn pgn2fen(args: &Args, options: &[&str], file: &Path) -> Command {
    let mut command = Command::new(&args.ours);
    command.arg("-q").args(options).arg(file);
    command
}

/// A running process, and the records that it writes.
struct Side<R> {
    running: Running,
    lines: Lines<Chosen<R>>,
}

impl<R: Records> Side<R> {
    fn start(mut command: Command, records: fn(ChildStdout) -> R, leaves_out: Rule) -> Result<Side<R>> {
        let (running, output) = Running::start(&mut command)?;
        Ok(Side { running, lines: Lines::new(Chosen::new(records(output), leaves_out)) })
    }

    /// Waits for the process, unless the comparison gave up before its end.
    fn finish(self) -> Result<Lines<Chosen<R>>> {
        if self.lines.has_ended {
            self.running.finish()?;
        }
        Ok(self.lines)
    }
}

impl Comparison {
    fn of(mut ours: Side<impl Records>, mut theirs: Side<impl Records>, most: usize) -> Result<Comparison> {
        let (outcome, shown) = compare_and_show(&mut ours.lines, &mut theirs.lines, most)?;
        let (ours, theirs) = (ours.finish()?, theirs.finish()?);
        let (our_positions, their_positions) = (ours.count, theirs.count);
        Ok(Comparison { our_positions, their_positions, left_out: ours.source.left_out, outcome, shown })
    }

    fn write_report(&self, report: &mut impl Write, file: &Path, what: &str) -> io::Result<()> {
        let Comparison { our_positions, their_positions, outcome, shown, .. } = self;
        let counts = match outcome.differences {
            0 => format!("{their_positions} positions, equal"),
            differences => format!("{their_positions} positions, ours {our_positions}: {differences} differences"),
        };
        writeln!(report, "{}: {counts} ({what})", file.display())?;
        write_differences(report, outcome, shown)
    }
}

impl Compared {
    /// The positions in the `.binpack`.
    fn positions(&self) -> u64 {
        self.read.their_positions + self.mates.their_positions
    }

    fn is_equal(&self) -> bool {
        [Some(&self.read), Some(&self.mates), self.written.as_ref()]
            .into_iter()
            .all(|comparison| comparison.is_some_and(|comparison| comparison.outcome.differences == 0))
    }

    /// What is equal stands on one line.
    fn write_report(&self, report: &mut impl Write, file: &Path) -> io::Result<()> {
        let Compared { read, mates, written, has_same_bytes } = self;
        let name = file.display();
        if self.is_equal() && self.positions() == 0 {
            writeln!(report, "{name}: no positions in binpack")?;
        } else if self.is_equal() {
            let (positions, mates) = (self.positions(), mates.their_positions);
            let bytes = if *has_same_bytes { "the same bytes" } else { "other bytes" };
            writeln!(
                report,
                "{name}: {positions} positions, {mates} of them mates, equal (read by sfbinpack, and written: {bytes})"
            )?;
        } else {
            read.write_report(report, file, "without mates, read by sfbinpack")?;
            mates.write_report(report, file, "mates, read by sfbinpack")?;
            if let Some(written) = written {
                written.write_report(report, file, "without mates, written by sfbinpack")?;
            }
        }
        for (reason, count) in &read.left_out {
            writeln!(report, "{name}: {count} positions in plain only: {reason}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Compared, Comparison};
    use crate::compare::{Lines, compare_and_show};
    use crate::plain::{Chosen, Plain, Record, Rule};

    const MATE: &str = "fen 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\nmove a1a2\nscore 31999\nply 0\nresult 1\ne\n";
    const OTHER: &str = "fen 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\nmove e1d1\nscore 80\nply 0\nresult 1\ne\n";
    const BY_STEP: &str = "fen 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\nmove e1c1\nscore 80\nply 0\nresult 1\ne\n";
    const ONTO_ROOK: &str = "fen 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\nmove e1a1\nscore 80\nply 0\nresult 1\ne\n";
    const CHESS960: &str = "fen 4k3/8/8/8/8/8/8/R2K4 w Q - 0 1\nmove d1e1\nscore 80\nply 0\nresult 1\ne\n";

    fn comparison(ours: &[&str], theirs: &[&str], rules: [Rule; 2]) -> Comparison {
        let (ours, theirs) = (ours.concat(), theirs.concat());
        let lines = |text, rule| Lines::new(Chosen::new(Plain::new(text), rule));
        let (mut ours, mut theirs) = (lines(ours.as_bytes(), rules[0]), lines(theirs.as_bytes(), rules[1]));
        let (outcome, shown) = compare_and_show(&mut ours, &mut theirs, 1).unwrap();
        let (our_positions, their_positions) = (ours.count, theirs.count);
        Comparison { our_positions, their_positions, left_out: ours.source.left_out, outcome, shown }
    }

    /// Compares texts in the format plain. The file that was written has the positions that were read.
    #[track_caller]
    fn check(ours: &[&str], theirs: &[&str], expected: &str) {
        let read = |theirs| comparison(ours, theirs, [Record::only_in_plain, Record::mate]);
        let compared = Compared {
            read: read(theirs),
            mates: comparison(&[MATE], theirs, [|_| None, Record::no_mate]),
            written: Some(read(theirs)),
            has_same_bytes: true,
        };
        let mut report = Vec::new();
        compared.write_report(&mut report, Path::new("a.pgn")).unwrap();
        assert_eq!(String::from_utf8(report).unwrap(), expected);
    }

    #[test]
    fn what_only_one_format_has_is_left_out_by_rule() {
        let expected = "a.pgn: 3 positions, 1 of them mates, equal (read by sfbinpack, and written: the same bytes)\n\
                        a.pgn: 1 positions in plain only: with castling rights of Chess960\n";
        check(&[ONTO_ROOK, CHESS960, BY_STEP], &[MATE, BY_STEP, BY_STEP], expected);
    }

    #[test]
    fn a_difference_is_shown_with_its_place() {
        let difference = "before position 2; our line 1:\n    \
                          + 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1 move e1d1 score 80 ply 0 result 1\n";
        let expected = format!(
            "a.pgn: 1 positions, ours 2: 1 differences (without mates, read by sfbinpack)\n  {difference}\
             a.pgn: 1 positions, equal (mates, read by sfbinpack)\n\
             a.pgn: 1 positions, ours 2: 1 differences (without mates, written by sfbinpack)\n  {difference}"
        );
        check(&[OTHER, BY_STEP], &[MATE, BY_STEP], &expected);
    }

    #[test]
    fn a_mate_that_is_missing_is_a_difference() {
        let expected = "a.pgn: 0 positions, equal (without mates, read by sfbinpack)\n\
                        a.pgn: 0 positions, ours 1: 1 differences (mates, read by sfbinpack)\n  \
                        at the end; our line 1:\n    \
                        + 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1 move a1a2 score 31999 ply 0 result 1\n\
                        a.pgn: 0 positions, equal (without mates, written by sfbinpack)\n";
        check(&[], &[], expected);
    }
}
