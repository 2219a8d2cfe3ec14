//! Child processes: the commands of the contenders, and what a run of one costs.

use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use sha2::{Digest, Sha256};

use crate::style::{CastlingStyle, FenStyle};

/// How often a running process is asked for its memory.
const MEMORY_INTERVAL: Duration = Duration::from_millis(5);

/// `pgn2fen` on a file.
pub(crate) fn ours(binary: &Path, threads: Option<u32>, style: FenStyle, file: &Path) -> Command {
    let mut command = Command::new(binary);
    if let Some(threads) = threads {
        command.arg(format!("-j{threads}"));
    }
    with_style(&mut command, style);
    command.arg(file);
    command
}

/// A peer of this crate on a file, by this very program.
pub(crate) fn peer(who: &str, style: FenStyle, file: &Path) -> Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["fen", who]);
    with_style(&mut command, style);
    command.arg(file);
    Ok(command)
}

/// python-chess on a file.
pub(crate) fn python_chess(style: FenStyle, file: &Path) -> Command {
    let mut command = Command::new("python3");
    command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/python_chess.py"));
    with_style(&mut command, style);
    command.arg(file);
    command
}

fn with_style(command: &mut Command, style: FenStyle) {
    command.args(["--ep", style.ep.name()]);
    if style.castling != CastlingStyle::Xfen {
        command.args(["--castling", style.castling.name()]);
    }
}

/// Whether python-chess is installed, and which.
pub(crate) fn python_chess_version() -> Option<String> {
    let script = "import chess, chess.pgn; print(chess.__version__)";
    answer(Command::new("python3").args(["-c", script])).filter(|(status, _)| status.success()).map(|(_, text)| text)
}

/// An installed pgn-extract.
pub(crate) struct PgnExtract {
    binary: PathBuf,
    pub(crate) version: String,
    /// `fen`, or `epd` in the versions that have only that.
    pub(crate) format: &'static str,
}

impl PgnExtract {
    /// Looks for it on the path, and where Debian keeps games.
    pub(crate) fn find() -> Option<PgnExtract> {
        ["pgn-extract", "/usr/games/pgn-extract"].into_iter().find_map(|binary| {
            let (_, version) = answer(Command::new(binary).arg("--version"))?;
            let (_, complaint) = answer(Command::new(binary).args(["-Wfen", "-s"]))?;
            Some(PgnExtract {
                binary: binary.into(),
                version,
                format: if complaint.contains("Unknown output format") { "epd" } else { "fen" },
            })
        })
    }

    /// Its e.p. square is always named, and castling rights are written in a way of its own.
    pub(crate) fn command(&self, file: &Path) -> Command {
        let mut command = Command::new(&self.binary);
        command.arg(format!("-W{}", self.format)).args(["--notags", "-s"]).arg(file);
        command
    }
}

/// How a command without input ends and what it says, on either stream, if it can be run.
fn answer(command: &mut Command) -> Option<(ExitStatus, String)> {
    let output = command.stdin(Stdio::null()).output().ok()?;
    let text = [output.stdout, output.stderr].concat();
    Some((output.status, String::from_utf8_lossy(&text).trim().to_owned()))
}

/// A process whose output is read while it runs. It is stopped if nobody waits for its end.
pub(crate) struct Running {
    child: Child,
    name: String,
}

impl Running {
    /// Starts a command without input, and returns its output, too.
    pub(crate) fn start(command: &mut Command) -> Result<(Running, ChildStdout)> {
        let mut child = spawn(command.stdin(Stdio::null()).stdout(Stdio::piped()))?;
        let stdout = child.stdout.take().context("a child without standard output")?;
        Ok((Running { child, name: command.get_program().display().to_string() }, stdout))
    }

    /// Waits for the process; exit code 1 says that some games had errors.
    pub(crate) fn finish(mut self) -> Result<()> {
        let status = self.child.wait()?;
        ensure!(matches!(status.code(), Some(0 | 1)), "{} failed: {status}", self.name);
        Ok(())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Nothing is lost if it has ended already, and been waited for.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What one run took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    /// Seconds of processor time, the kernel's on its behalf included.
    pub(crate) cpu: f64,
    /// Seconds from the start of the process to its end.
    pub(crate) wall: f64,
    /// The most memory resident at once, in bytes; pages of mapped files count.
    pub(crate) peak_rss: u64,
}

/// What a run wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Output {
    pub(crate) lines: u64,
    /// SHA-256 of all bytes, in hexadecimal.
    pub(crate) sha256: String,
}

/// Runs a command to its end, its standard output going to `stdout`.
pub(crate) fn measure(mut command: Command, stdout: impl Into<Stdio>) -> Result<Cost> {
    command.stdin(Stdio::null()).stdout(stdout).stderr(Stdio::null());
    let begin = Instant::now();
    let child = spawn(&mut command)?;
    let (status, usage) = wait4(&child)?;
    let wall = begin.elapsed().as_secs_f64();
    accept(status, &command)?;
    Ok(cost(&usage, wall))
}

fn cost(usage: &libc::rusage, wall: f64) -> Cost {
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    Cost {
        cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime),
        wall,
        peak_rss: u64::try_from(usage.ru_maxrss).unwrap_or(0) * 1024,
    }
}

/// Runs a command and digests what it writes.
pub(crate) fn digest(mut command: Command) -> Result<Output> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = spawn(&mut command)?;
    let mut stdout = child.stdout.take().context("a child without standard output")?;
    let output = digest_all(&mut stdout)?;
    accept(child.wait()?, &command)?;
    Ok(output)
}

/// Digests a stream, in little memory: a child's peak counts that of the process it was forked from.
pub(crate) fn digest_all(stream: &mut impl Read) -> io::Result<Output> {
    let mut buffer = vec![0; 1 << 16];
    let mut lines = 0;
    let mut sha256 = Sha256::new();
    loop {
        let len = stream.read(&mut buffer)?;
        if len == 0 {
            let sha256 = sha256.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
            return Ok(Output { lines, sha256 });
        }
        let bytes = &buffer[..len];
        lines += bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
        sha256.update(bytes);
    }
}

/// The most private memory (anonymous, resident) that a command has at once, in bytes.
pub(crate) fn peak_private(mut command: Command) -> Result<u64> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = spawn(&mut command)?;
    let status_file = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        // Gone, or a zombie without memory, between the last look and this one.
        if let Some(private) = fs::read_to_string(&status_file).ok().and_then(|text| rss_anon(&text)) {
            peak = peak.max(private);
        }
        if let Some(status) = child.try_wait()? {
            accept(status, &command)?;
            return Ok(peak);
        }
        thread::sleep(MEMORY_INTERVAL);
    }
}

/// The cost of a run with the memory and the disk space that it took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watched {
    pub(crate) cost: Cost,
    /// The most private memory at once, in bytes.
    pub(crate) private: u64,
    /// The most disk space of a folder at once, and of files without a name that the process has open, in bytes.
    pub(crate) disk: u64,
}

impl Watched {
    /// The run of median CPU time, with the highest memory and disk space of all.
    pub(crate) fn median(runs: &[Watched]) -> Option<Watched> {
        let mut runs = runs.to_vec();
        runs.sort_by(|a, b| a.cost.cpu.total_cmp(&b.cost.cpu));
        let most = |figure: fn(&Watched) -> u64| runs.iter().map(figure).max().unwrap_or(0);
        let cost = runs.get(runs.len() / 2)?.cost;
        Some(Watched { cost, private: most(|run| run.private), disk: most(|run| run.disk) })
    }
}

/// Runs a command to its end and watches its memory, and the disk space of a folder.
pub(crate) fn watch(mut command: Command, folder: &Path) -> Result<Watched> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let begin = Instant::now();
    let child = spawn(&mut command)?;
    let process = PathBuf::from(format!("/proc/{}", child.id()));
    thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            let (mut private, mut disk) = (0, 0);
            // A process that nobody has waited for yet is a zombie without memory.
            while let Some(now) = fs::read_to_string(process.join("status")).ok().and_then(|text| rss_anon(&text)) {
                private = private.max(now);
                disk = disk.max(space(folder) + nameless(&process.join("fd")));
                thread::sleep(MEMORY_INTERVAL);
            }
            (private, disk)
        });
        let (status, usage) = wait4(&child)?;
        let wall = begin.elapsed().as_secs_f64();
        accept(status, &command)?;
        let (private, disk) = watcher.join().ok().context("the watcher failed")?;
        Ok(Watched { cost: cost(&usage, wall), private, disk: disk.max(space(folder)) })
    })
}

/// The disk space of a folder's files, in bytes. What disappears meanwhile does not count.
fn space(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let of_entry = |entry: fs::DirEntry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => space(&entry.path()),
        Ok(metadata) => metadata.blocks() * 512,
        Err(_) => 0,
    };
    entries.map(of_entry).sum()
}

/// The disk space of open files that no folder names, in bytes.
fn nameless(descriptors: &Path) -> u64 {
    let entries = fs::read_dir(descriptors).into_iter().flatten().flatten();
    let files = entries.filter_map(|entry| fs::metadata(entry.path()).ok());
    files.filter(|file| file.is_file() && file.nlink() == 0).map(|file| file.blocks() * 512).sum()
}

/// `RssAnon` of `/proc/PID/status`, in bytes.
fn rss_anon(status: &str) -> Option<u64> {
    let value = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    let kib: u64 = value.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

fn spawn(command: &mut Command) -> Result<Child> {
    command.spawn().with_context(|| format!("cannot run {}", command.get_program().display()))
}

/// Exit code 1 says that some games had errors, which real files have.
fn accept(status: ExitStatus, command: &Command) -> Result<()> {
    ensure!(matches!(status.code(), Some(0 | 1)), "{} failed: {status}", command.get_program().display());
    Ok(())
}

/// Waits for a child, which must not have been waited for, and returns the resources it used.
#[expect(unsafe_code, reason = "the standard library does not tell a child's resources")]
fn wait4(child: &Child) -> io::Result<(ExitStatus, libc::rusage)> {
    let pid = libc::pid_t::try_from(child.id()).map_err(io::Error::other)?;
    let mut status = 0;
    // SAFETY: `rusage` is plain numbers, for which zeros are values.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    loop {
        // SAFETY: both pointers are to live, writable values of the types that wait4 fills.
        if unsafe { libc::wait4(pid, &raw mut status, 0, &raw mut usage) } == pid {
            return Ok((ExitStatus::from_raw(status), usage));
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::{digest_all, measure, rss_anon};

    #[test]
    fn private_memory_is_read_from_a_status_file() {
        assert_eq!(rss_anon("VmRSS:\t  900 kB\nRssAnon:\t     348 kB\nRssFile:\t 1 kB\n"), Some(348 * 1024));
        assert_eq!(rss_anon("State:\tZ (zombie)\n"), None);
    }

    #[test]
    fn a_digest_counts_lines_and_hashes_bytes() {
        let output = digest_all(&mut &b"abc"[..]).unwrap();
        assert_eq!(output.lines, 0);
        assert!(output.sha256.starts_with("ba7816bf8f01cfea"));
        assert_eq!(digest_all(&mut &b"a\n\nb\n"[..]).unwrap().lines, 3);
    }

    #[test]
    fn a_run_costs_time_and_memory() {
        let mut command = Command::new("sh");
        command.args(["-c", "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; exit 1"]);
        let cost = measure(command, Stdio::null()).unwrap();
        assert!(cost.cpu > 0.0 && cost.wall > 0.0 && cost.peak_rss > 0);
    }

    #[test]
    fn a_command_that_fails_is_an_error() {
        let mut command = Command::new("sh");
        command.args(["-c", "exit 2"]);
        assert!(measure(command, Stdio::null()).is_err());
    }
}
