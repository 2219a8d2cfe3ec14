//! `pgn2fen` and its peers side by side: equal output first, then processor time, wall time and memory.
//!
//! Every contender is a process of its own and writes to `/dev/null`. The runs are interleaved, so that
//! a machine that is busy for a while is busy for all of them, and a ratio is the median of the ratios
//! of single rounds.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context, Result, ensure};

use crate::child::{self, Cost, Output};
use crate::contender::{self, Contender, Counts, Part};
use crate::given::Given;
use crate::style::FenStyle;

/// python-chess walks the games in about so many bytes of a corpus.
const PYTHON_PREFIX: u64 = 1 << 20;

pub(crate) const MIB: f64 = 1024.0 * 1024.0;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    given: Given,
    /// Rounds, of which the medians are shown
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Another row: a command, in which {} is the corpus; repeatable
    #[arg(long, value_name = "COMMAND")]
    also: Vec<String>,
    /// Time them even if shakmaty reads the corpus otherwise than pgn2fen, and say so
    #[arg(long)]
    despite_differences: bool,
    /// Where to put the FENs of a corpus for the comparison with cat [default: the system's directory]
    #[arg(long, value_name = "DIR")]
    scratch: Option<PathBuf>,
}

/// Times every corpus and prints its tables, in Markdown.
pub(crate) fn run(args: &Args) -> Result<()> {
    let mut report = io::stdout().lock();
    writeln!(report, "{}", machine())?;
    let mut walks = Vec::new();
    for corpus in &args.given.corpus {
        walks.push(bench_corpus(args, corpus, &mut report)?);
    }
    write_summary(&mut report, &walks)
}

/// The processor time of the walk through one corpus, round by round.
struct WalkTimes {
    corpus: String,
    ours: Vec<f64>,
    reference: Vec<f64>,
}

/// The ratio of every corpus, and that of all together, as if they were one corpus.
fn write_summary(report: &mut impl Write, walks: &[WalkTimes]) -> Result<()> {
    writeln!(report, "\n## CPU of `pgn2fen -j1` to idiomatic shakmaty\n\n| corpus | ratio |\n|---|---:|")?;
    for walk in walks {
        let ratios = walk.ours.iter().zip(&walk.reference).map(|(ours, reference)| ours / reference);
        writeln!(report, "| {} | {:.3} |", walk.corpus, median(ratios))?;
    }
    if let [first, _, ..] = walks {
        let of_round = |round: usize| {
            let sum = |times: fn(&WalkTimes) -> &[f64]| walks.iter().map(|walk| times(walk)[round]).sum::<f64>();
            sum(|walk| &walk.ours) / sum(|walk| &walk.reference)
        };
        writeln!(report, "| all | {:.3} |", median((0..first.ours.len()).map(of_round)))?;
    }
    Ok(())
}

fn bench_corpus(args: &Args, corpus: &Path, report: &mut impl Write) -> Result<WalkTimes> {
    write_heading(report, corpus)?;
    let scratch = Scratch::new(args.scratch.as_deref())?;
    let prefix = scratch.path("prefix.pgn");
    copy_prefix(corpus, &prefix)?;

    let contenders = contender::all(&args.given.ours, &args.also, corpus, &prefix)?;
    let outputs = outputs(&contenders)?;
    assert_equal(&contenders, &outputs, args.despite_differences)?;
    let rows = Rows { costs: interleave(&contenders, args.runs as usize)?, outputs, contenders };
    write_table(report, &rows, Counts::of(corpus)?.plies)?;

    let to_file = race_to_file(args, corpus, &scratch)?;
    let private = |threads| {
        let command = child::ours(&args.given.ours, Some(threads), FenStyle::COMMON, corpus);
        child::peak_private(command)
    };
    write_our_table(report, &rows, &to_file, [private(1)?, private(2)?])?;
    let times = |part| rows.costs(part).iter().map(|cost| cost.cpu).collect();
    Ok(WalkTimes {
        corpus: corpus.file_name().unwrap_or_default().display().to_string(),
        ours: times(Part::OursAlone),
        reference: times(Part::Reference),
    })
}

/// Everybody, with what they wrote and what their runs cost.
struct Rows {
    contenders: Vec<Contender>,
    outputs: Vec<Option<Output>>,
    costs: Vec<Vec<Cost>>,
}

impl Rows {
    /// The runs of the one that plays this part, which must be among them.
    fn costs(&self, part: Part) -> &[Cost] {
        &self.costs[position(&self.contenders, part)]
    }
}

fn position(contenders: &[Contender], part: Part) -> usize {
    let position = contenders.iter().position(|contender| contender.part == part);
    position.expect("nobody plays this part")
}

/// Writes the name, the size and the counts of a corpus.
pub(crate) fn write_heading(report: &mut impl Write, corpus: &Path) -> Result<()> {
    let mut file = File::open(corpus).with_context(|| format!("cannot open {}", corpus.display()))?;
    let megabytes = file.metadata()?.len() as f64 / 1e6;
    let sha256 = child::digest_all(&mut file)?.sha256;
    let counts = Counts::of(corpus)?;
    writeln!(
        report,
        "\n## {}: {megabytes:.1} MB, sha256 {}, {} games, {} plies\n",
        corpus.file_name().unwrap_or_default().display(),
        &sha256[..16],
        counts.games,
        counts.plies,
    )?;
    Ok(())
}

fn write_table(report: &mut impl Write, rows: &Rows, plies: u64) -> Result<()> {
    let reference = rows.costs(Part::Reference);
    let expected = &rows.outputs[position(&rows.contenders, Part::Reference)];
    writeln!(report, "| who | CPU s | plies/s | CPU ratio | wall s | peak RSS MiB | output |")?;
    writeln!(report, "|---|---:|---:|---:|---:|---:|---|")?;
    for ((contender, output), costs) in rows.contenders.iter().zip(&rows.outputs).zip(&rows.costs) {
        let cpu = median(costs.iter().map(|cost| cost.cpu));
        let output = match output {
            None => String::new(),
            Some(_) if contender.scale != 1.0 => "a part".to_owned(),
            Some(_) if output == expected => "same".to_owned(),
            Some(output) => format!("differs: {} lines", output.lines),
        };
        writeln!(
            report,
            "| {} | {cpu:.3} | {} | {:.3} | {:.3} | {:.1} | {output} |",
            contender.name,
            per_second(plies as f64 / cpu),
            paired(costs, reference, |cost| cost.cpu),
            median(costs.iter().map(|cost| cost.wall)),
            median(costs.iter().map(|cost| cost.peak_rss as f64)) / MIB,
        )?;
    }
    Ok(())
}

fn write_our_table(report: &mut impl Write, rows: &Rows, to_file: &RaceToFile, private: [u64; 2]) -> Result<()> {
    writeln!(report, "\n| pgn2fen | ratio | measured |\n|---|---:|---|")?;
    let mut wall = |what: &str, costs: &[Cost], reference: &[Cost]| {
        writeln!(
            report,
            "| wall, {what} | {:.3} | {:.3} s, {:.3} s |",
            paired(costs, reference, |cost| cost.wall),
            median(costs.iter().map(|cost| cost.wall)),
            median(reference.iter().map(|cost| cost.wall)),
        )
    };
    wall("`-j2` against `-j1`", rows.costs(Part::OursByTwo), rows.costs(Part::OursAlone))?;
    wall("`-j2` into a file against `cat positions.fen > file`", &to_file.ours, &to_file.cat)?;
    writeln!(
        report,
        "| CPU, tokens only, against pgn-reader's | {:.3} | {:.3} s, {:.3} s |",
        paired(rows.costs(Part::OurTokens), rows.costs(Part::Tokens), |cost| cost.cpu),
        median(rows.costs(Part::OurTokens).iter().map(|cost| cost.cpu)),
        median(rows.costs(Part::Tokens).iter().map(|cost| cost.cpu)),
    )?;
    for (threads, private) in (1..).zip(private) {
        let private = private as f64 / MIB;
        writeln!(report, "| peak private memory, `-j{threads}` | | {private:.1} MiB |")?;
    }
    Ok(())
}

/// What everybody writes, who writes FENs; this warms the caches, too.
fn outputs(contenders: &[Contender]) -> Result<Vec<Option<Output>>> {
    let write = |contender: &Contender| {
        (!matches!(contender.part, Part::Tokens | Part::OurTokens | Part::Silent))
            .then(|| child::digest(contender.command()))
            .transpose()
    };
    contenders.iter().map(write).collect()
}

/// `pgn2fen`, and the FEN writer of this crate, write what the reference writes.
fn assert_equal(contenders: &[Contender], outputs: &[Option<Output>], despite: bool) -> Result<()> {
    let reference = outputs[position(contenders, Part::Reference)].as_ref();
    let reference = reference.context("the reference writes nothing")?;
    ensure!(reference.lines > 0, "shakmaty finds no position in the corpus");
    for (contender, output) in contenders.iter().zip(outputs) {
        if let (Part::OursAlone | Part::OursByTwo | Part::HandWritten, Some(output)) = (contender.part, output) {
            ensure!(
                output == reference || despite,
                "{} writes {} lines (sha256 {}), idiomatic shakmaty {} ({}): see `peers compare`",
                contender.name,
                output.lines,
                &output.sha256[..16],
                reference.lines,
                &reference.sha256[..16],
            );
        }
    }
    Ok(())
}

/// Runs everybody in turn, round after round.
fn interleave(contenders: &[Contender], rounds: usize) -> Result<Vec<Vec<Cost>>> {
    let mut costs = vec![Vec::new(); contenders.len()];
    for round in 0..rounds {
        for (contender, costs) in contenders.iter().zip(&mut costs) {
            if round < contender.rounds {
                let cost = child::measure(contender.command(), Stdio::null())?;
                costs.push(Cost { cpu: cost.cpu * contender.scale, wall: cost.wall * contender.scale, ..cost });
            }
        }
    }
    Ok(costs)
}

struct RaceToFile {
    ours: Vec<Cost>,
    cat: Vec<Cost>,
}

/// `pgn2fen -j2` into a new file, and `cat` of the same bytes into another.
fn race_to_file(args: &Args, corpus: &Path, scratch: &Scratch) -> Result<RaceToFile> {
    let (positions, copy) = (scratch.path("positions.fen"), scratch.path("copy.fen"));
    let ours = || child::ours(&args.given.ours, Some(2), FenStyle::COMMON, corpus);
    let mut race = RaceToFile { ours: Vec::new(), cat: Vec::new() };
    child::measure(ours(), File::create(&positions)?)?;
    for _ in 0..args.runs {
        race.ours.push(into_new_file(ours(), &copy)?);
        let mut cat = Command::new("cat");
        cat.arg(&positions);
        race.cat.push(into_new_file(cat, &copy)?);
    }
    Ok(race)
}

fn into_new_file(command: Command, path: &Path) -> Result<Cost> {
    let cost = child::measure(command, File::create(path)?)?;
    fs::remove_file(path)?;
    Ok(cost)
}

/// Copies the games that begin in the first [`PYTHON_PREFIX`] bytes, but for the last of them.
fn copy_prefix(corpus: &Path, prefix: &Path) -> Result<()> {
    let mut bytes = Vec::new();
    File::open(corpus)?.take(PYTHON_PREFIX).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == PYTHON_PREFIX {
        let last = bytes
            .windows(8)
            .rposition(|window| window == b"\n[Event ")
            .context("no [Event in the corpus's first part")?;
        bytes.truncate(last + 1);
    }
    fs::write(prefix, bytes)?;
    Ok(())
}

/// A directory that goes when this does.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new(parent: Option<&Path>) -> Result<Scratch> {
        let parent = parent.map_or_else(std::env::temp_dir, Path::to_owned);
        let path = parent.join(format!("peers-{}", std::process::id()));
        fs::create_dir_all(&path).with_context(|| format!("cannot create {}", path.display()))?;
        Ok(Scratch(path))
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.0
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Nobody is left to tell, and the directory is the system's temporary one.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The processor, its cores, and how busy they are already.
pub(crate) fn machine() -> String {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpuinfo
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(':'))
        .map_or("unknown processor", |(_, model)| model.trim());
    let cores = thread::available_parallelism().map_or(0, usize::from);
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    format!("{model}, {cores} cores, load {}", load.split(' ').next().unwrap_or("unknown"))
}

fn per_second(rate: f64) -> String {
    if rate >= 1e6 { format!("{:.2} M", rate / 1e6) } else { format!("{:.0} k", rate / 1e3) }
}

/// The median over the rounds of one's figure divided by the other's.
pub(crate) fn paired(costs: &[Cost], reference: &[Cost], figure: impl Fn(&Cost) -> f64) -> f64 {
    median(costs.iter().zip(reference).map(|(cost, reference)| figure(cost) / figure(reference)))
}

/// The middle value, or the mean of the two in the middle; not a number if there is none.
pub(crate) fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        len if len % 2 == 1 => values[len / 2],
        len => (values[len / 2 - 1] + values[len / 2]) / 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::{WalkTimes, median, write_summary};

    #[test]
    fn the_median_is_the_middle() {
        assert_eq!(median([3.0, 1.0, 2.0].into_iter()), 2.0);
        assert_eq!(median([4.0, 1.0, 2.0, 3.0].into_iter()), 2.5);
        assert!(median([].into_iter()).is_nan());
    }

    #[test]
    fn the_ratio_of_all_counts_each_corpus_by_its_time() {
        let walk = |corpus: &str, ours: f64, reference: f64| WalkTimes {
            corpus: corpus.to_owned(),
            ours: vec![ours; 3],
            reference: vec![reference; 3],
        };
        let mut report = Vec::new();
        write_summary(&mut report, &[walk("a.pgn", 1.0, 10.0), walk("b.pgn", 2.0, 5.0)]).unwrap();
        let report = String::from_utf8(report).unwrap();
        assert!(report.ends_with("| a.pgn | 0.100 |\n| b.pgn | 0.400 |\n| all | 0.200 |\n"), "{report}");
    }
}
