//! Runs that are killed, interrupted, or find no room: the index is the old one or the new one, whole, and the next
//! command works. And others may read meanwhile.

use std::fs;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use pgn2fen_chess::san::Letters;
use pgn2fen_games::typed::read_position;
use pgn2fen_index::Index;

use crate::cli::{Desk, Ran};
use crate::index::damage::{QUESTIONS, Random, ask, is_sound};
use crate::index::{build, desk};
use crate::laws::sweeps;

/// How often a run is killed.
fn kills() -> usize {
    if sweeps() { 72 } else { 8 }
}

/// All that an index says; None if there is none. It must be sound.
#[track_caller]
fn state(folder: &Path, what: &str) -> Option<Vec<String>> {
    if !folder.join("manifest.json").exists() {
        return None;
    }
    let index = Index::open(folder).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert!(is_sound(folder), "{what}");
    let mut said = vec![format!("{} {}", index.game_count(), index.posting_count())];
    said.extend(
        QUESTIONS.iter().map(|question| ask(&index, question).unwrap_or_else(|error| panic!("{what}: {error}"))),
    );
    Some(said)
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() { copy_folder(&path, &target) } else { fs::copy(&path, &target).map(drop).unwrap() }
    }
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([format!("-{name}"), child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Something that is done to the index `idx`, which `before` is copied to.
struct Task {
    before: Option<&'static str>,
    arguments: Vec<String>,
    takes: Duration,
    old: Option<Vec<String>>,
    new: Option<Vec<String>>,
}

impl Task {
    /// Does it once without being disturbed.
    fn new(desk: &Desk, before: Option<&'static str>, options: &[&str], files: &[String]) -> Self {
        let arguments = [&["index", "-q"], options].concat();
        let arguments: Vec<String> = arguments.into_iter().map(str::to_owned).chain(files.iter().cloned()).collect();
        let mut task = Self { before, arguments, takes: Duration::ZERO, old: None, new: None };
        task.prepare(desk);
        task.old = state(&desk.path("idx"), "before");
        let begun = Instant::now();
        assert!(matches!(task.command(desk).status().unwrap().code(), Some(0 | 1)));
        task.takes = begun.elapsed();
        task.new = state(&desk.path("idx"), "after");
        task
    }

    fn prepare(&self, desk: &Desk) {
        let _ = fs::remove_dir_all(desk.path("idx"));
        if let Some(before) = self.before {
            copy_folder(&desk.path(before), &desk.path("idx"));
        }
    }

    fn command(&self, desk: &Desk) -> Command {
        let arguments: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        let mut command = desk.command(&arguments);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// Does it, ends it by a signal after some time, and looks at what is there then.
    fn check(&self, desk: &Desk, name: &str, after: Duration) -> bool {
        let what = format!("{name} after {after:?} of {:?}: {:?}", self.takes, self.arguments);
        self.prepare(desk);
        let mut child = self.command(desk).spawn().unwrap();
        thread::sleep(after);
        if child.try_wait().unwrap().is_none() {
            signal(&child, name);
        }
        let status = child.wait().unwrap();
        // A process that is ended before it has begun to listen to signals has written nothing.
        let ended_at_once = matches!((name, status.signal()), ("TERM", Some(15)) | ("INT", Some(2)));
        assert!(name == "KILL" || ended_at_once || matches!(status.code(), Some(0 | 1 | 130)), "{what}: {status:?}");
        let found = state(&desk.path("idx"), &what);
        let is_new = found == self.new;
        assert!(is_new && !ended_at_once || found == self.old, "{what}");
        // Whoever is interrupted cleans up.
        if name != "KILL" && (ended_at_once || status.code() == Some(130)) && desk.path("idx").exists() {
            for entry in fs::read_dir(desk.path("idx")).unwrap() {
                let name = entry.unwrap().file_name().into_string().unwrap();
                assert!(!name.starts_with('.'), "{what}: {name}");
            }
        }
        // The next command works, and removes what was left.
        build(desk, &["--append", "--compact", "-o", "idx"], &["next.pgn".to_owned()]);
        assert!(is_sound(&desk.path("idx")), "{what}");
        assert_eq!(fs::read_dir(desk.path("idx")).unwrap().count(), 3, "{what}: the lock, the manifest and one run");
        is_new
    }
}

#[test]
fn whoever_is_killed_or_interrupted_leaves_the_old_index_or_the_new_one() {
    let (desk, names) = desk();
    fs::write(desk.path("next.pgn"), b"1. h4 h5 *\n").unwrap();
    let (some, others) = names.split_at(names.len() / 3);
    build(&desk, &["-o", "old"], some);
    for piece in names.chunks(names.len().div_ceil(4)) {
        build(&desk, &["--append", "-o", "runs"], piece);
    }
    let tasks = [
        Task::new(&desk, None, &["-o", "idx"], some),
        Task::new(&desk, Some("old"), &["-o", "idx"], others),
        Task::new(&desk, Some("old"), &["--append", "-o", "idx"], others),
        Task::new(&desk, Some("old"), &["--append", "--compact", "-j1", "-o", "idx"], others),
        Task::new(&desk, Some("runs"), &["--compact", "-o", "idx"], &[]),
        Task::new(&desk, Some("runs"), &["--remove", "idx"], some),
    ];
    let mut random = Random(31);
    let mut new = 0;
    for nth in 0..kills() {
        let task = &tasks[nth % tasks.len()];
        let name = ["KILL", "TERM", "KILL", "INT"][nth / tasks.len() % 4];
        let thousandths = u32::try_from(random.below(1100)).unwrap();
        new += usize::from(task.check(&desk, name, task.takes * thousandths / 1000));
    }
    assert!(new < kills(), "some are killed before they are done");
}

#[test]
fn whoever_waits_for_games_can_be_interrupted() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 *\n")]);
    build(&desk, &["-o", "idx"], &["a.pgn".to_owned()]);
    let old = state(&desk.path("idx"), "before");
    for name in ["TERM", "INT"] {
        let mut command = desk.command(&["index", "-o", "idx", "-"]);
        let mut child = command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(b"1. d4 *\n\n1. c4 ").unwrap();
        // The build has its folder before it reads.
        while !desk.path("idx/.run-000002").exists() {
            assert!(child.try_wait().unwrap().is_none());
            thread::sleep(Duration::from_millis(10));
        }
        thread::sleep(Duration::from_millis(300));
        signal(&child, name);
        assert_eq!(child.wait().unwrap().code(), Some(130));
        drop(stdin);
        assert_eq!(state(&desk.path("idx"), name), old);
    }
    fs::write(desk.path("next.pgn"), b"1. h4 h5 *\n").unwrap();
    build(&desk, &["--append", "--compact", "-o", "idx"], &["next.pgn".to_owned()]);
    assert_eq!(fs::read_dir(desk.path("idx")).unwrap().count(), 3);
}

/// Runs the command with files limited to so many blocks of 512 bytes.
fn limited(desk: &Desk, blocks: usize, arguments: &[&str]) -> Ran {
    desk.run_limited(&format!("-f {blocks}"), arguments)
}

#[test]
fn a_limit_of_file_sizes_is_an_error_and_not_the_end() {
    let (desk, names) = desk();
    let (some, others) = names.split_at(names.len() / 8);
    build(&desk, &["-o", "idx"], some);
    let old = state(&desk.path("idx"), "before");
    let others: Vec<&str> = others.iter().map(String::as_str).collect();
    // The manifest alone is larger than one block.
    for blocks in [0, 1, 8, 64, 256] {
        for options in [&["index", "-q", "-o", "idx"][..], &["index", "-q", "--append", "-o", "idx"]] {
            let ran = limited(&desk, blocks, &[options, &others].concat());
            assert_eq!(ran.code, Some(2), "{blocks} blocks: {ran:?}");
            assert!(ran.stderr.contains("too large") && ran.stderr.contains("idx is unchanged"), "{}", ran.stderr);
            assert_eq!(state(&desk.path("idx"), "limited"), old, "{blocks} blocks");
        }
        fs::write(desk.path("out.fen"), b"old").unwrap();
        let ran = limited(&desk, blocks, &[&["-q", "-o", "out.fen"], &others[..]].concat());
        assert_eq!((ran.code, desk.read("out.fen")), (Some(2), b"old".to_vec()), "{blocks} blocks: {}", ran.stderr);
        assert!(ran.stderr.contains("too large"), "{}", ran.stderr);
        assert!(!desk.files().iter().any(|name| name.starts_with(".pgn2fen-")), "{:?}", desk.files());
    }
    build(&desk, &["--append", "--compact", "-o", "idx"], &[others[0].to_owned()]);
    assert_eq!(fs::read_dir(desk.path("idx")).unwrap().count(), 3);
}

/// A file system in memory, which has little room. It is let go when this is dropped.
struct Small<'d>(&'d Path);

impl<'d> Small<'d> {
    /// None if the system does not let us have one.
    fn mount(folder: &'d Path, size: &str) -> Option<Self> {
        let options = format!("size={size}");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &options, "none"]).arg(folder).stderr(Stdio::null());
        mount.status().is_ok_and(|status| status.success()).then_some(Self(folder))
    }

    fn resize(&self, size: &str) {
        let options = format!("remount,size={size}");
        assert!(Command::new("mount").args(["-o", &options]).arg(self.0).status().unwrap().success());
    }
}

impl Drop for Small<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).status();
    }
}

#[test]
fn a_full_disk_leaves_the_old_index() {
    let (desk, names) = desk();
    let (some, others) = names.split_at(names.len() / 8);
    let others: Vec<&str> = others.iter().map(String::as_str).collect();
    fs::create_dir(desk.path("small")).unwrap();
    let folder = desk.path("small");
    // Where nothing can be mounted, `a_limit_of_file_sizes_is_an_error_and_not_the_end` fills files instead.
    let Some(small) = Small::mount(&folder, "64m") else { return };
    build(&desk, &["-o", "small/idx"], some);
    let old = state(&desk.path("small/idx"), "before");
    let used: u64 = fs::read_dir(desk.path("small/idx/run-000001"))
        .unwrap()
        .map(|entry| entry.unwrap().metadata().unwrap().len())
        .sum();
    for more in [0, 4, 40, 100, 200] {
        small.resize(&format!("{}k", used / 1024 + 32 + more));
        for options in [&["index", "-q", "-o", "small/idx"][..], &["index", "-q", "--append", "-o", "small/idx"]] {
            let ran = desk.run(&[options, &others].concat());
            assert_eq!(ran.code, Some(2), "{more}: {}", ran.stderr);
            assert!(ran.stderr.contains("No space left") && ran.stderr.contains("idx is unchanged"), "{}", ran.stderr);
            assert_eq!(state(&desk.path("small/idx"), "full"), old, "{more}");
        }
        let ran = desk.run(&[&["-q", "-o", "small/out.fen"], &others[..]].concat());
        assert_eq!((ran.code, desk.path("small/out.fen").exists()), (Some(2), false));
        assert!(ran.stderr.contains("No space left"), "{}", ran.stderr);
    }
    small.resize("64m");
    build(&desk, &["--append", "--compact", "-o", "small/idx"], &[others[0].to_owned()]);
    assert!(is_sound(&desk.path("small/idx")));
    assert_eq!(fs::read_dir(desk.path("small/idx")).unwrap().count(), 3);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing else is left");
}

#[test]
fn readers_are_not_disturbed_by_a_hundred_appends_and_merges() {
    let desk = Desk::with(&[("0.pgn", b"1. e4 e5 2. Nf3 1-0\n")]);
    build(&desk, &["-o", "idx"], &["0.pgn".to_owned()]);
    let folder = desk.path("idx");
    let e4 = read_position("1. e4", &Letters::ENGLISH).unwrap().position;
    // The n-th file has a game with 1. e4, and is added when all before it are.
    let count = |index: &Index| {
        let games = index.game_count();
        let hits: Vec<u64> = index.hits(&e4).unwrap().map(|hit| hit.unwrap().game).collect();
        assert_eq!(hits, (1..=games).collect::<Vec<u64>>());
        assert_eq!(index.count(&e4).unwrap().games(), games);
        assert_eq!(index.explore(&e4).unwrap().results().games(), games);
        let mut known = index.games();
        assert_eq!(known.number(games, pgn2fen_index::GameColumn::Game).unwrap(), i64::try_from(games).ok());
        games
    };
    let added = AtomicU64::new(1);
    let is_over = || added.load(Ordering::Relaxed) > 100;
    // Files that have not been opened are asked for only at the end.
    let first = Index::open(&folder).unwrap();
    thread::scope(|scope| {
        for reader in 0..3 {
            let (count, is_over, folder, added) = (&count, &is_over, &folder, &added);
            scope.spawn(move || {
                let mut rounds = 0;
                while !is_over() || rounds == 0 {
                    let before = added.load(Ordering::Relaxed);
                    let index = Index::open(folder).unwrap();
                    thread::sleep(Duration::from_millis(reader * reader * 40));
                    assert!(count(&index) >= before);
                    rounds += 1;
                }
            });
        }
        scope.spawn(|| {
            while !is_over() {
                let before = added.load(Ordering::Relaxed);
                let ran = desk.run(&["find", "-c", "--no-header", "idx", "e4"]);
                assert_eq!(ran.code, Some(0), "{}", ran.stderr);
                let games: u64 = ran.stdout.split('\t').nth(1).unwrap().parse().unwrap();
                assert!(games >= before && games <= added.load(Ordering::Relaxed) + 1, "{games}");
                let check = desk.run(&["index", "--check", "idx"]);
                assert_eq!(check.code, Some(0), "{}", check.stderr);
            }
        });
        for nth in 1..=100 {
            let name = format!("{nth}.pgn");
            fs::write(desk.path(&name), format!("[Round \"{nth}\"]\n\n1. e4 c5 0-1\n")).unwrap();
            let options =
                if nth % 5 == 0 { &["--append", "--compact", "-o", "idx"][..] } else { &["--append", "-o", "idx"] };
            build(&desk, options, &[name]);
            added.fetch_add(1, Ordering::Relaxed);
        }
    });
    let runs: Vec<String> =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let manifest = fs::read_to_string(folder.join("manifest.json")).unwrap();
    assert!(runs.iter().any(|run| run == ".run-000001"), "what somebody reads is there: {runs:?}");
    let visible = |run: &&String| run.starts_with("run-");
    assert!(
        runs.iter().filter(visible).all(|run| manifest.contains(run.as_str())),
        "other programs see what belongs to it"
    );
    assert_eq!(count(&first), 1, "it is what it was");
    drop(first);
    build(&desk, &["--compact", "-o", "idx"], &[]);
    assert_eq!(count(&Index::open(&folder).unwrap()), 101);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3, "what nobody reads is removed");
}
