//! Games of variants: `pgn2fen` and shakmaty, side by side in one run.

use std::io::{self, Write};
use std::process::Stdio;

use anyhow::{Result, ensure};

use crate::bench::{machine, median, paired};
use crate::child::{self, Cost};
use crate::given::Given;
use crate::instructions;
use crate::style::FenStyle;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    given: Given,
    /// Rounds, of which the medians are shown
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Count instructions by valgrind, too
    #[arg(long)]
    instructions: bool,
}

/// Times one thread of `pgn2fen` and of shakmaty on every file, and prints a table in Markdown. Both must write the
/// same bytes.
pub(crate) fn run(args: &Args) -> Result<()> {
    let mut report = io::stdout().lock();
    writeln!(report, "{}\n", machine())?;
    writeln!(report, "| games | positions | pgn2fen, CPU s | shakmaty, CPU s | CPU ratio | ratio of instructions |")?;
    writeln!(report, "|---|---:|---:|---:|---:|---:|")?;
    for corpus in &args.given.corpus {
        let ours = || child::ours(&args.given.ours, Some(1), FenStyle::COMMON, corpus);
        let theirs = || child::peer("shakmaty-variants", FenStyle::COMMON, corpus);
        let output = child::digest(ours())?;
        ensure!(
            output == child::digest(theirs()?)?,
            "the two write different positions: see `peers compare --against shakmaty-variants`"
        );
        let (mut our_costs, mut their_costs) = (Vec::<Cost>::new(), Vec::<Cost>::new());
        for _ in 0..args.runs {
            our_costs.push(child::measure(ours(), Stdio::null())?);
            their_costs.push(child::measure(theirs()?, Stdio::null())?);
        }
        let counted = if args.instructions {
            format!("{:.3}", instructions::count(&ours())? as f64 / instructions::count(&theirs()?)? as f64)
        } else {
            String::new()
        };
        let seconds = |costs: &[Cost]| median(costs.iter().map(|cost| cost.cpu));
        writeln!(
            report,
            "| {} | {} | {:.3} | {:.3} | {:.3} | {counted} |",
            corpus.file_stem().unwrap_or_default().display(),
            output.lines,
            seconds(&our_costs),
            seconds(&their_costs),
            paired(&our_costs, &their_costs, |cost| cost.cpu),
        )?;
    }
    Ok(())
}
