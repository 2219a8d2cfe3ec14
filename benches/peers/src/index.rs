//! Indexes of several sizes side by side: how the build, the answers and the merge change with the number of positions.

use std::fs::{self, File};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use pgn2fen_chess::Position;
use pgn2fen_games::database::Database;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::walk::{Job, ReadOptions};
use pgn2fen_index::{BuildOptions, Builder, Index};

use crate::bench::{MIB, Scratch, machine, median};
use crate::child::{self, Watched};
use crate::given::Given;

/// The number of positions that are looked up.
const QUESTIONS: usize = 200;

/// The plies from which the positions are chosen, one after another.
const PLIES: [usize; 8] = [0, 2, 5, 9, 14, 20, 30, 45];

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    given: Given,
    /// Builds of each index, of which the medians are shown
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// The number of runs that are merged
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u64).range(2..))]
    merged: u64,
    /// The memory of builds and merges
    #[arg(long, value_name = "SIZE", default_value = "1G")]
    memory: String,
    /// Where the indexes are built [default: the system's directory]
    #[arg(long, value_name = "DIR")]
    scratch: Option<PathBuf>,
}

/// What was measured with one corpus.
struct Figures {
    name: String,
    positions: f64,
    bytes: f64,
    build: Watched,
    merge: Watched,
    /// Medians, in seconds: a process that counts the games of one position, and one that lists what was played.
    cold: [f64; 2],
    hot: [f64; 2],
    /// Medians in one process, in seconds.
    within: [f64; 2],
}

/// Builds the index of each corpus, asks it, merges runs of the same games, and prints the table, in Markdown.
pub(crate) fn run(args: &Args) -> Result<()> {
    let mut report = io::stdout().lock();
    writeln!(report, "{}\n", machine())?;
    let figures = args.given.corpus.iter().map(|corpus| measure(args, corpus)).collect::<Result<Vec<_>>>()?;
    write_table(&mut report, args, &figures)
}

fn measure(args: &Args, corpus: &Path) -> Result<Figures> {
    let scratch = Scratch::new(args.scratch.as_deref())?;
    let folder = scratch.path("games.idx");
    let mut builds = Vec::new();
    for _ in 0..args.runs {
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        let mut build = index_command(args, &folder);
        build.arg(corpus);
        builds.push(child::watch(build, scratch.folder())?);
    }
    let questions = questions(corpus)?;
    ensure!(!questions.is_empty(), "{} has no games", corpus.display());
    let index = Index::open(&folder)?;
    let positions = index.posting_count() as f64;
    let bytes = files_of(&folder)?.iter().map(|file| Ok(fs::metadata(file)?.len())).sum::<Result<u64>>()? as f64;
    let within = [
        ask(&questions, |position| Ok(index.count(position).map(drop)?))?,
        ask(&questions, |position| Ok(index.explore(position).map(drop)?))?,
    ];
    drop(index);
    let asked = |option: &str, is_cold: bool| {
        ask(&questions, |position| {
            if is_cold {
                forget(&folder)?;
            }
            let mut find = Command::new(&args.given.ours);
            find.args(["find", option]).arg(&folder).arg(position.to_string());
            child::measure(find, Stdio::null()).map(drop)
        })
    };
    let hot = [asked("--count", false)?, asked("--moves", false)?];
    let cold = [asked("--count", true)?, asked("--moves", true)?];

    fs::remove_dir_all(&folder)?;
    build_runs(args, corpus, &scratch, &folder)?;
    let mut merge = index_command(args, &folder);
    merge.arg("--compact");
    let merge = child::watch(merge, scratch.folder())?;
    let name = corpus.file_name().unwrap_or_default().display().to_string();
    Ok(Figures {
        name,
        positions,
        bytes,
        build: Watched::median(&builds).context("no build")?,
        merge,
        cold,
        hot,
        within,
    })
}

fn index_command(args: &Args, folder: &Path) -> Command {
    let mut command = Command::new(&args.given.ours);
    command.args(["index", "-j2", "--memory", &args.memory, "-o"]).arg(folder);
    command
}

/// Chooses positions of games that are spread evenly over a file.
fn questions(corpus: &Path) -> Result<Vec<Position>> {
    let database = Database::open(corpus)?;
    let games = database.games().count();
    let mut questions = Vec::new();
    for (number, game) in database.games().step_by((games / QUESTIONS).max(1)).enumerate() {
        let Ok(mut replay) = game.replay() else {
            continue;
        };
        for _ in 0..PLIES[number % PLIES.len()] {
            if !matches!(replay.next_ply(), Some(Ok(_))) {
                break;
            }
        }
        questions.push(replay.position().clone());
    }
    Ok(questions)
}

/// Returns the median time for a question, in seconds.
fn ask(questions: &[Position], mut answer: impl FnMut(&Position) -> Result<()>) -> Result<f64> {
    let mut times = Vec::new();
    for question in questions {
        let begin = Instant::now();
        answer(question)?;
        times.push(begin.elapsed().as_secs_f64());
    }
    Ok(median(times.into_iter()))
}

/// Builds an index of the corpus from pieces, each of which is a run.
fn build_runs(args: &Args, corpus: &Path, scratch: &Scratch, folder: &Path) -> Result<()> {
    let workers = Workers::new(2)?;
    let database = Database::open(corpus)?;
    let bytes = database.bytes();
    let mut start = 0;
    for number in 1..=args.merged {
        let end = if number == args.merged {
            bytes.len()
        } else {
            next_game(bytes, bytes.len() * number as usize / args.merged as usize)
        };
        let piece = scratch.path(&format!("piece-{number}.pgn"));
        fs::write(&piece, &bytes[start..end])?;
        start = end;
        let options = BuildOptions { append: number > 1, ..BuildOptions::default() };
        let mut indexing = Builder::new(folder, options, &workers)?.begin(ReadOptions::default());
        indexing.read(&workers, &piece, pgn2fen_games::database::Source::Whole(Database::open(&piece)?), &mut ())?;
        indexing.finish(&workers, &|_, _| ControlFlow::Continue(()))?.keep_runs();
        fs::remove_file(&piece)?;
    }
    Ok(())
}

/// Returns the start of the first game at or behind a place, or the end of the text.
fn next_game(bytes: &[u8], from: usize) -> usize {
    let found = bytes[from..].windows(9).position(|window| window == b"\n\n[Event ");
    found.map_or(bytes.len(), |at| from + at + 2)
}

/// All files of a folder and of the folders in it.
fn files_of(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { files.extend(files_of(&path)?) } else { files.push(path) }
    }
    Ok(files)
}

/// Removes the files of an index from the page cache.
#[expect(unsafe_code, reason = "the standard library does not give advice about files")]
fn forget(folder: &Path) -> Result<()> {
    for path in files_of(folder)? {
        let file = File::open(&path)?;
        file.sync_all()?;
        // SAFETY: the call takes an open file and plain numbers.
        let status = unsafe { libc::posix_fadvise(file.as_raw_fd(), 0, 0, libc::POSIX_FADV_DONTNEED) };
        ensure!(status == 0, "{}: {}", path.display(), io::Error::from_raw_os_error(status));
    }
    Ok(())
}

fn write_table(report: &mut impl Write, args: &Args, figures: &[Figures]) -> Result<()> {
    let reference = figures.first().context("no corpus")?;
    let names: Vec<&str> = figures.iter().map(|figures| &*figures.name).collect();
    writeln!(report, "| | {} |", names.join(" | "))?;
    writeln!(report, "|---|{}", "---:|".repeat(figures.len()))?;
    let mut row = |what: &str, cell: &dyn Fn(&Figures) -> String| {
        let cells: Vec<String> = figures.iter().map(cell).collect();
        writeln!(report, "| {what} | {} |", cells.join(" | "))
    };
    let rate = |figures: &Figures, seconds: f64| figures.positions / seconds;
    let mib = |bytes: u64| format!("{:.0} MiB", bytes as f64 / MIB);
    row("positions", &|f| format!("{:.1} M", f.positions / 1e6))?;
    row("positions/s of the build", &|f| format!("{:.2} M", rate(f, f.build.cost.wall) / 1e6))?;
    row("ratio to the first", &|f| {
        format!("{:.2}", rate(f, f.build.cost.wall) / rate(reference, reference.build.cost.wall))
    })?;
    row("positions per second of CPU time", &|f| format!("{:.2} M", rate(f, f.build.cost.cpu) / 1e6))?;
    row("ratio to the first", &|f| {
        format!("{:.2}", rate(f, f.build.cost.cpu) / rate(reference, reference.build.cost.cpu))
    })?;
    row("private memory of the build", &|f| mib(f.build.private))?;
    row("disk during the build", &|f| mib(f.build.disk))?;
    row("bytes a position", &|f| format!("{:.1}", f.bytes / f.positions))?;
    for (what, times) in [("cold", (|f| f.cold) as fn(&Figures) -> [f64; 2]), ("hot", |f| f.hot)] {
        row(&format!("`find --count`, {what}"), &|f| format!("{:.1} ms", times(f)[0] * 1e3))?;
        row(&format!("`find --moves`, {what}"), &|f| format!("{:.1} ms", times(f)[1] * 1e3))?;
    }
    row("`Index::count`", &|f| format!("{:.0} µs", f.within[0] * 1e6))?;
    row("`Index::explore`", &|f| format!("{:.0} µs", f.within[1] * 1e6))?;
    let merged = format!("merge of {} runs", args.merged);
    row(&merged, &|f| format!("{:.1} s", f.merge.cost.wall))?;
    row("its positions per second of CPU time", &|f| format!("{:.2} M", rate(f, f.merge.cost.cpu) / 1e6))?;
    row("its private memory", &|f| mib(f.merge.private))?;
    row("its disk", &|f| mib(f.merge.disk))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::next_game;

    #[test]
    fn a_piece_ends_before_a_game() {
        let text = b"[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. d4 *\n";
        let second = text.windows(3).position(|window| window == b"\"b\"").unwrap() - 7;
        assert_eq!(next_game(text, 1), second);
        assert_eq!(next_game(text, second), text.len());
    }
}
