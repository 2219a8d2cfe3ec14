//! The formats of `pgn2fen` and `-u`, by the processor time of lines of FEN of the same games, with peers that write
//! the same tables.
//!
//! All write the columns game, ply, san and fen. The runs are interleaved as in [`bench`](crate::bench), and nothing is
//! timed unless all have the same number of rows.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::bench::{Scratch, machine, median, paired, write_heading};
use crate::child::{self, Cost};
use crate::given::Given;
use crate::style::FenStyle;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    given: Given,
    /// Rounds, of which the medians are shown
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Time them even if shakmaty reads the corpus otherwise than pgn2fen; the table has the numbers of rows
    #[arg(long)]
    despite_differences: bool,
    /// The Python that may have DuckDB, Polars and pyarrow
    #[arg(long, value_name = "PYTHON", default_value = "python3")]
    python: PathBuf,
    /// Where to put tables [default: the system's directory]
    #[arg(long, value_name = "DIR")]
    scratch: Option<PathBuf>,
}

/// Times every corpus and prints its table, in Markdown.
pub(crate) fn run(args: &Args) -> Result<()> {
    let mut report = io::stdout().lock();
    writeln!(report, "{}", machine())?;
    for corpus in &args.given.corpus {
        write_heading(&mut report, corpus)?;
        let scratch = Scratch::new(args.scratch.as_deref())?;
        let ways = ways(args, corpus, &scratch)?;
        let written = ways.iter().map(|way| way.write(&args.python)).collect::<Result<Vec<_>>>()?;
        check_rows(&ways, &written, args.despite_differences)?;
        let costs = interleave(&ways, args.runs)?;
        write_table(&mut report, &ways, &written, &costs)?;
    }
    Ok(())
}

/// A way to make a table of the positions of a corpus.
struct Way {
    name: String,
    command: Vec<String>,
    kind: Kind,
    /// The file that has the table.
    file: PathBuf,
}

/// What a way writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A line for each row.
    Lines,
    /// The same after a header row.
    LinesWithHeader,
    /// Some of the rows, as lines.
    Part,
    /// A table that Python counts.
    Table,
    /// A table that Python counts, and which the command itself writes into the file.
    Converted,
}

/// A written table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Written {
    /// None if nothing can count them.
    rows: Option<u64>,
    bytes: u64,
}

impl Way {
    fn command(&self) -> Command {
        let mut command = Command::new(&self.command[0]);
        command.args(&self.command[1..]);
        command
    }

    /// Runs it, with what it writes going into its file.
    fn measure(&self) -> Result<Cost> {
        match self.kind {
            Kind::Converted => child::measure(self.command(), Stdio::null()),
            _ => child::measure(self.command(), File::create(&self.file)?),
        }
    }

    fn write(&self, python: &Path) -> Result<Written> {
        self.measure()?;
        let bytes = fs::metadata(&self.file)?.len();
        let rows = match self.kind {
            Kind::Table | Kind::Converted => rows_by_python(python, &self.file),
            Kind::LinesWithHeader => Some(child::digest_all(&mut File::open(&self.file)?)?.lines.saturating_sub(1)),
            Kind::Lines | Kind::Part => Some(child::digest_all(&mut File::open(&self.file)?)?.lines),
        };
        Ok(Written { rows, bytes })
    }
}

/// Returns the commands, the walk first and the csv that others convert second.
fn ways(args: &Args, corpus: &Path, scratch: &Scratch) -> Result<Vec<Way>> {
    let way = |name: &str, command: Command, kind, file: &str| Way {
        name: name.to_owned(),
        command: words(&command),
        kind,
        file: scratch.path(file),
    };
    let ours = |name: &str, options: &[&str], kind, file: &str| {
        let mut command = child::ours(&args.given.ours, Some(1), FenStyle::COMMON, corpus);
        command.args(options);
        way(name, command, kind, file)
    };
    let peer = |name: &str, who, kind, file: &str| {
        Ok::<_, anyhow::Error>(way(name, child::peer(who, FenStyle::COMMON, corpus)?, kind, file))
    };
    let mut ways = vec![
        ours("lines of FEN", &[], Kind::Lines, "ours.fen"),
        ours("`-f csv`", &["-f", "csv"], Kind::LinesWithHeader, "ours.csv"),
        ours("`-f tsv`", &["-f", "tsv"], Kind::LinesWithHeader, "ours.tsv"),
        ours("`-f jsonl`", &["-f", "jsonl"], Kind::Lines, "ours.jsonl"),
        ours("`-f arrow`", &["-f", "arrow"], Kind::Table, "ours.arrows"),
        ours("`-f parquet`", &["-f", "parquet"], Kind::Table, "ours.parquet"),
        ours(
            "`-f csv`, also `eval` and `clk`",
            &["-f", "csv", "-C", "game,ply,san,fen,eval,clk"],
            Kind::LinesWithHeader,
            "comments.csv",
        ),
        ours("`-u`", &["-u"], Kind::Part, "unique.fen"),
        peer("shakmaty, the crate csv", "csv", Kind::LinesWithHeader, "peer.csv")?,
        peer("shakmaty, serde_json", "jsonl", Kind::Lines, "peer.jsonl")?,
    ];
    let csv = ways[1].file.clone();
    for (package, version) in packages(&args.python) {
        let file = format!("{package}.parquet");
        let mut command = python(&args.python);
        command.arg(&package).arg(&csv).arg(scratch.path(&file));
        ways.push(way(&format!("{package} {version}, csv to Parquet"), command, Kind::Converted, &file));
    }
    Ok(ways)
}

fn words(command: &Command) -> Vec<String> {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect()
}

fn python(python: &Path) -> Command {
    let mut command = Command::new(python);
    command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/to_parquet.py"));
    command
}

/// The answer of the script, if Python and what it needs are installed.
fn ask(mut command: Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok()
}

/// The packages that are installed, with their versions.
fn packages(path: &Path) -> Vec<(String, String)> {
    let mut command = python(path);
    command.arg("versions");
    let answer = ask(command).unwrap_or_default();
    answer
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(name, version)| (name.into(), version.into()))
        .collect()
}

fn rows_by_python(path: &Path, file: &Path) -> Option<u64> {
    let mut command = python(path);
    command.arg("rows").arg(file);
    ask(command)?.trim().parse().ok()
}

/// Checks that all have as many rows as there are lines of FEN, and `-u` not more.
fn check_rows(ways: &[Way], written: &[Written], despite: bool) -> Result<()> {
    let expected = written[0].rows.context("the walk cannot be counted")?;
    ensure!(expected > 0, "there is no position in the corpus");
    for (way, written) in ways.iter().zip(written) {
        let Some(rows) = written.rows else {
            continue;
        };
        let fits = if way.kind == Kind::Part { (1..=expected).contains(&rows) } else { rows == expected };
        ensure!(fits || despite, "{} writes {rows} rows of {expected}: see `peers compare`", way.name);
    }
    Ok(())
}

/// Runs everybody in turn, round after round.
fn interleave(ways: &[Way], rounds: u32) -> Result<Vec<Vec<Cost>>> {
    let mut costs = vec![Vec::new(); ways.len()];
    for _ in 0..rounds {
        for (way, costs) in ways.iter().zip(&mut costs) {
            // Nobody's files are timed, but those of packages that write nothing else.
            costs.push(match way.kind {
                Kind::Converted => way.measure()?,
                _ => child::measure(way.command(), Stdio::null())?,
            });
        }
    }
    Ok(costs)
}

fn write_table(report: &mut impl Write, ways: &[Way], written: &[Written], costs: &[Vec<Cost>]) -> Result<()> {
    writeln!(report, "| output | CPU s | CPU to the walk's | MB | rows |\n|---|---:|---:|---:|---:|")?;
    for ((way, written), own) in ways.iter().zip(written).zip(costs) {
        writeln!(
            report,
            "| {} | {:.3} | {:.2} | {:.1} | {} |",
            way.name,
            median(own.iter().map(|cost| cost.cpu)),
            paired(own, &costs[0], |cost| cost.cpu),
            written.bytes as f64 / 1e6,
            written.rows.map_or_else(|| "not counted".to_owned(), |rows| rows.to_string()),
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{Kind, Way, Written, check_rows, write_table};
    use crate::child::Cost;

    fn way(name: &str, kind: Kind) -> Way {
        Way { name: name.to_owned(), command: Vec::new(), kind, file: PathBuf::new() }
    }

    fn written(rows: &[Option<u64>]) -> Vec<Written> {
        rows.iter().map(|rows| Written { rows: *rows, bytes: 2_500_000 }).collect()
    }

    #[test]
    fn a_way_with_other_rows_is_not_timed() {
        let ways = [way("fen", Kind::Lines), way("-u", Kind::Part), way("parquet", Kind::Table)];
        let check = |rows: &[Option<u64>]| check_rows(&ways, &written(rows), false).is_ok();
        assert!(check(&[Some(5), Some(3), Some(5)]));
        assert!(check(&[Some(5), Some(5), None]));
        assert!(!check(&[Some(5), Some(3), Some(4)]));
        assert!(!check(&[Some(5), Some(6), Some(5)]));
        assert!(!check(&[Some(0), Some(0), Some(0)]));
        assert!(check_rows(&ways, &written(&[Some(5), Some(3), Some(4)]), true).is_ok());
    }

    #[test]
    fn a_ratio_is_the_median_of_ratios_within_rounds() {
        let ways = [way("fen", Kind::Lines), way("csv", Kind::LinesWithHeader)];
        let costs = |cpu: [f64; 3]| cpu.map(|cpu| Cost { cpu, wall: cpu, peak_rss: 0 }).to_vec();
        let mut report = Vec::new();
        let costs = [costs([1.0, 2.0, 1.0]), costs([2.0, 4.0, 9.0])];
        write_table(&mut report, &ways, &written(&[Some(5), None]), &costs).unwrap();
        let report = String::from_utf8(report).unwrap();
        assert!(
            report.ends_with("| fen | 1.000 | 1.00 | 2.5 | 5 |\n| csv | 4.000 | 2.00 | 2.5 | not counted |\n"),
            "{report}"
        );
    }
}
