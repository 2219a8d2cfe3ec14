//! Instructions for each position, counted by valgrind: the same on a busy machine as on a quiet one.

use std::io::{self, Write};
use std::ops::AddAssign;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::child;
use crate::given::Given;
use crate::style::FenStyle;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    given: Given,
    /// Count them even if shakmaty reads the corpus otherwise than pgn2fen; each count is divided by the positions of
    /// its own
    #[arg(long)]
    despite_differences: bool,
}

/// What one program did with a corpus, or with several.
#[derive(Clone, Copy, Default)]
struct Work {
    positions: u64,
    instructions: u64,
}

impl Work {
    fn each(self) -> f64 {
        self.instructions as f64 / self.positions as f64
    }
}

impl AddAssign for Work {
    fn add_assign(&mut self, more: Self) {
        self.positions += more.positions;
        self.instructions += more.instructions;
    }
}

/// Counts the instructions of one thread of `pgn2fen` and of idiomatic shakmaty, and prints them as a table in
/// Markdown.
pub(crate) fn run(args: &Args) -> Result<()> {
    let mut report = io::stdout().lock();
    writeln!(report, "| corpus | positions | pgn2fen, instructions a position | shakmaty | ratio |")?;
    writeln!(report, "|---|---:|---:|---:|---:|")?;
    let mut row = |name: &str, ours: Work, theirs: Work| {
        let (ours_each, theirs_each) = (ours.each(), theirs.each());
        let ratio = ours_each / theirs_each;
        writeln!(report, "| {name} | {} | {ours_each:.0} | {theirs_each:.0} | {ratio:.3} |", ours.positions)
    };
    let (mut all_ours, mut all_theirs) = (Work::default(), Work::default());
    for corpus in &args.given.corpus {
        let ours = || child::ours(&args.given.ours, Some(1), FenStyle::COMMON, corpus);
        let theirs = || child::peer("shakmaty", FenStyle::COMMON, corpus);
        let (our_output, their_output) = (child::digest(ours())?, child::digest(theirs()?)?);
        ensure!(
            our_output == their_output || args.despite_differences,
            "the two write different positions: see `peers compare`"
        );
        let ours = Work { positions: our_output.lines, instructions: count(&ours())? };
        let theirs = Work { positions: their_output.lines, instructions: count(&theirs()?)? };
        let name = corpus.file_name().unwrap_or_default().display().to_string();
        row(&name, ours, theirs)?;
        all_ours += ours;
        all_theirs += theirs;
    }
    if args.given.corpus.len() > 1 {
        row("all", all_ours, all_theirs)?;
    }
    Ok(())
}

/// Runs a command in valgrind and returns the number of instructions.
pub(crate) fn count(command: &Command) -> Result<u64> {
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    valgrind.arg(command.get_program()).args(command.get_args());
    let output = valgrind.stdin(Stdio::null()).stdout(Stdio::null()).output().context("cannot run valgrind")?;
    collected(&String::from_utf8_lossy(&output.stderr)).context("valgrind counted nothing")
}

/// Returns the count in the messages of callgrind: `==1== Collected : 237061411`.
fn collected(messages: &str) -> Option<u64> {
    let (_, count) = messages.rsplit_once("Collected :")?;
    count.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::collected;

    #[test]
    fn the_count_is_found_in_the_messages() {
        assert_eq!(collected("==7== \n==7== Events    : Ir\n==7== Collected : 237061411\n==7== \n"), Some(237_061_411));
        assert_eq!(collected("valgrind: no such file\n"), None);
    }
}
