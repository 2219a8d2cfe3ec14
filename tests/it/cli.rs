//! The command as its users meet it: files and pipes in, lines out, messages, exit codes.

use std::fs;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use pgn2fen_files::{Compression, OutputFile, remove_unfinished};
use tempfile::TempDir;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\n";
const AFTER_D4: &str = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1\n";

/// A folder with files in it, and the command run there.
pub(crate) struct Desk(TempDir);

impl Desk {
    pub(crate) fn with(files: &[(&str, &[u8])]) -> Self {
        let folder = TempDir::new().unwrap();
        for (name, bytes) in files {
            fs::write(folder.path().join(name), bytes).unwrap();
        }
        Self(folder)
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pgn2fen"));
        command.args(arguments).current_dir(self.0.path()).stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        Ran::from(self.command(arguments).output().unwrap())
    }

    /// Runs the command with a limit of the system, given as the arguments of `ulimit`.
    #[cfg(unix)]
    pub(crate) fn run_limited(&self, limit: &str, arguments: &[&str]) -> Ran {
        let mut command = Command::new("sh");
        let script = format!("ulimit {limit} && exec \"$0\" \"$@\"");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_pgn2fen")]).args(arguments);
        Ran::from(command.current_dir(self.0.path()).stdin(Stdio::null()).output().unwrap())
    }

    /// Runs the command with a terminal as standard output, and returns what the terminal receives.
    #[cfg(target_os = "linux")]
    pub(crate) fn show(&self, arguments: &[&str]) -> (String, Option<i32>) {
        use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

        let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&controller).unwrap();
        unlockpt(&controller).unwrap();
        let name = ptsname(&controller, Vec::new()).unwrap().into_string().unwrap();
        let terminal = fs::File::options().read(true).write(true).open(name).unwrap();
        let mut command = self.command(arguments);
        command.env("TERM", "xterm-256color").env_remove("NO_COLOR").env_remove("CLICOLOR");
        let mut child = command.stdout(terminal).stderr(Stdio::null()).spawn().unwrap();
        drop(command);
        let (mut controller, mut shown) = (fs::File::from(controller), Vec::new());
        // The end of the last process at the terminal is an error of the controller.
        let _ = controller.read_to_end(&mut shown);
        (String::from_utf8(shown).unwrap().replace("\r\n", "\n"), child.wait().unwrap().code())
    }

    /// What comes out where that is no text.
    fn bytes(&self, arguments: &[&str]) -> Vec<u8> {
        self.command(arguments).output().unwrap().stdout
    }

    pub(crate) fn pipe(&self, arguments: &[&str], input: &[u8]) -> Ran {
        let mut command = self.command(arguments);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        let feeder = std::thread::spawn(move || stdin.write_all(&input));
        let output = child.wait_with_output().unwrap();
        // The command may stop reading before the end.
        let _ = feeder.join().unwrap();
        Ran::from(output)
    }

    pub(crate) fn files(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.0.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

pub(crate) fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) stdout: String,
    /// On Windows, with `/` between folders, so that messages are compared with those of other systems.
    pub(crate) stderr: String,
    pub(crate) code: Option<i32>,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let stderr = String::from_utf8(output.stderr).unwrap();
        Self {
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: if cfg!(windows) { stderr.replace('\\', "/") } else { stderr },
            code: output.status.code(),
        }
    }
}

impl Ran {
    #[track_caller]
    pub(crate) fn is(&self, stdout: &str, stderr: &str, code: i32) {
        assert_eq!((self.stdout.as_str(), self.stderr.as_str(), self.code), (stdout, stderr, Some(code)));
    }
}

/// Returns messages without the lines and columns to which they point, and without the name of
/// the file.
pub(crate) fn without_places(messages: &str, file: &str) -> String {
    let line = |line: &str| match line.strip_prefix(&format!("{file}:")) {
        Some(rest) => rest.splitn(3, ':').last().unwrap_or_default().to_owned(),
        None => line.replace(file, ""),
    };
    messages.lines().map(|text| line(text) + "\n").collect()
}

#[test]
fn a_file_standard_input_and_a_dash_are_read_alike() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 *")]);
    let expected = format!("{START}{AFTER_E4}");
    desk.run(&["a.pgn"]).is(&expected, "", 0);
    desk.run(&["--no-mmap", "a.pgn"]).is(&expected, "", 0);
    desk.pipe(&[], b"1. e4 *").is(&expected, "", 0);
    desk.pipe(&["-"], b"1. e4 *").is(&expected, "", 0);
}

#[test]
fn files_are_read_in_the_order_in_which_they_are_named() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 *"), ("b.pgn", b"1. d4 *"), ("empty.pgn", b"")]);
    desk.run(&["--no-start", "b.pgn", "empty.pgn", "a.pgn"]).is(&format!("{AFTER_D4}{AFTER_E4}"), "", 0);
}

#[test]
fn a_file_that_cannot_be_read_does_not_keep_the_others_from_being_read() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 *")]);
    fs::create_dir(desk.path("folder")).unwrap();
    fs::write(desk.path("a.pgn.gz"), b"\x1f\x8b\x08").unwrap();
    let ran = desk.run(&["--no-start", "none.pgn", "folder", "a.pgn.gz", "a.pgn"]);
    assert_eq!((ran.stdout.as_str(), ran.code), (AFTER_E4, Some(2)));
    let lines: Vec<&str> = ran.stderr.lines().collect();
    let is_missing = lines[0].starts_with("pgn2fen: none.pgn: ") && lines[0].ends_with("(os error 2)");
    assert!(is_missing, "{}", ran.stderr);
    assert!(lines[1].starts_with("pgn2fen: folder: is a directory; use --recursive to read"), "{}", ran.stderr);
    assert!(lines[2].starts_with("pgn2fen: a.pgn.gz: damaged at byte 3 (byte 0 of the text): "), "{}", ran.stderr);
}

#[test]
fn a_folder_is_read_in_the_order_of_names() {
    let desk = Desk::with(&[("b.pgn", b"1. d4 *"), ("a.txt", b"1. a4 *"), (".c.pgn", b"1. c4 *")]);
    for folder in ["a", "a/deep", "empty", ".hidden"] {
        fs::create_dir(desk.path(folder)).unwrap();
    }
    for (name, bytes) in [
        ("a/deep/z.PGN", gzip(b"1. e4 *")),
        ("a/deeper.pgn.gz", gzip(b"1. d4 *")),
        (".hidden/h.pgn", b"1. h4 *".to_vec()),
    ] {
        fs::write(desk.path(name), bytes).unwrap();
    }
    desk.run(&["--no-start", "-r", "."]).is(&format!("{AFTER_E4}{AFTER_D4}{AFTER_D4}"), "", 0);
    desk.run(&["--no-start", "-r", "b.pgn", "a"]).is(&format!("{AFTER_D4}{AFTER_E4}{AFTER_D4}"), "", 0);
    let ran = desk.run(&["--no-start", "--recursive", "empty", "b.pgn"]);
    ran.is(AFTER_D4, "pgn2fen: empty: the folder contains no PGN files\n", 2);
    let ran = desk.run(&["-r", ".", "-f", "fen", "-o", "b.pgn"]);
    assert!(ran.stderr.contains("b.pgn is both input and output"), "{}", ran.stderr);
}

#[cfg(unix)]
#[test]
fn links_that_lead_back_are_not_followed_for_ever() {
    use std::os::unix::fs::symlink;
    let desk = Desk::with(&[("a.pgn", b"1. e4 *")]);
    fs::create_dir(desk.path("b")).unwrap();
    for name in ["b/again", "b/and_again", "loop"] {
        symlink(desk.path("."), desk.path(name)).unwrap();
    }
    symlink("nowhere.pgn", desk.path("c.pgn")).unwrap();
    symlink("self.pgn", desk.path("self.pgn")).unwrap();
    let ran = desk.run(&["--no-start", "-r", "."]);
    assert_eq!((ran.stdout.as_str(), ran.code, ran.stderr.lines().count()), (AFTER_E4, Some(2), 2), "{}", ran.stderr);
}

#[test]
fn a_range_gives_the_games_that_begin_in_it() {
    let text = "[White \"a\"]\n\n1. e4 *\n[White \"b\"]\n\n1. d4 Ke6 *\n";
    let desk = Desk::with(&[("a.pgn", text.as_bytes()), ("a.pgn.gz", &gzip(text.as_bytes()))]);
    let second = text.find("[White \"b\"]").unwrap();
    let run = |range: String| desk.run(&["--no-start", "--range", &range, "a.pgn"]);
    run(format!("..{second}")).is(AFTER_E4, "", 0);
    run(format!("0..{}", second + 1)).is(&format!("{AFTER_E4}{AFTER_D4}"), &run("..".to_owned()).stderr, 1);
    let ran = run(format!("{second}.."));
    assert_eq!((ran.stdout.as_str(), ran.code), (AFTER_D4, Some(1)));
    assert!(ran.stderr.starts_with("a.pgn:6:7: illegal-move: Ke6 in game 2 (b – ), ply 2"), "{}", ran.stderr);
    run(format!("{}..1000000", second + 1)).is("", "", 0);
    for (arguments, words) in [
        (&["a.pgn.gz"][..], "a.pgn.gz: is compressed with gzip; a range of bytes needs an uncompressed file"),
        (&["a.pgn", "a.pgn"], "--range needs exactly one file"),
        (&["-"], "--range needs exactly one file"),
        (&[], "--range needs exactly one file"),
        (&["-r", "."], "cannot be used with"),
    ] {
        let ran = desk.run(&[&["--range", "0..10"], arguments].concat());
        assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(2)), "{arguments:?}");
        assert!(ran.stderr.contains(words), "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn places_in_a_range_are_counted_from_the_start_of_the_file() {
    let text = "[White \"a\"]\n\n1. e4 *\n".repeat(10_000) + "1. d4 * 1. Ke6 *\n\n1. Ke6";
    let desk = Desk::with(&[("a.pgn", text.as_bytes())]);
    let expected = desk.run(&["a.pgn"]).stderr;
    assert!(expected.starts_with("a.pgn:30001:12: illegal-move: Ke6"), "{expected}");
    for back in [16, 24] {
        let said = desk.run(&["--range", &format!("{}..", text.len() - back), "a.pgn"]).stderr;
        let places =
            |text: &str| text.lines().map(|line| line.split(": ").next().unwrap().to_owned()).collect::<Vec<_>>();
        assert_eq!(places(&said), places(&expected));
    }
}

#[test]
fn positions_are_written_as_asked() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 *")]);
    let board = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b";
    desk.run(&["--no-start", "--ep", "legal", "a.pgn"]).is(&format!("{board} KQkq - 0 1\n"), "", 0);
    desk.run(&["--no-start", "--ep=xfen", "--fields=4", "a.pgn"]).is(&format!("{board} KQkq -\n"), "", 0);
    desk.run(&["--no-start", "--castling", "shredder", "a.pgn"]).is(&format!("{board} HAha e3 0 1\n"), "", 0);
}

#[test]
fn an_error_is_told_with_its_place_and_its_game() {
    let text = "[White \"Carlsen\"]\n[Black \"Anand\"]\n[Date \"2013.11.16\"]\n\n1. e4 Ke6 *\n\n1. d4 *\n";
    let desk = Desk::with(&[("a.pgn", text.as_bytes())]);
    let ran = desk.run(&["--no-start", "a.pgn"]);
    assert_eq!((ran.stdout, ran.code), (format!("{AFTER_E4}{AFTER_D4}"), Some(1)));
    let place = "a.pgn:5:7: illegal-move: Ke6 in game 1 (Carlsen – Anand 2013.11.16), ply 2: ";
    assert!(ran.stderr.starts_with(place), "{}", ran.stderr);
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
}

#[test]
fn places_are_the_same_through_a_pipe_and_with_many_threads() {
    let game = "[White \"a\"]\n\n1. e4 e5\r\n2. Nf3 Nc6 1-0\r\r";
    let bad = "[White \"b\"]\n[Black \"c\"]\n\n1. e4 Ke6 *\n";
    let text = format!("{}{bad}{}{bad}", game.repeat(20_000), game.repeat(15_000));
    let desk = Desk::with(&[("a.pgn", text.as_bytes())]);
    let expected = desk.run(&["-j1", "a.pgn"]);
    let line = |games: usize| games * 5 + 4;
    assert!(expected.stderr.contains(&format!("a.pgn:{}:7: illegal-move: Ke6 in game 20001 (b – c)", line(20_000))));
    assert!(
        expected.stderr.contains(&format!("a.pgn:{}:7: illegal-move: Ke6 in game 35002 (b – c)", line(35_000) + 4))
    );
    assert_eq!(desk.run(&["-j4", "a.pgn"]), expected);
    let piped = desk.pipe(&["-j3"], text.as_bytes());
    assert_eq!(piped, Ran { stderr: expected.stderr.replace("a.pgn:", "-:"), ..expected });
}

#[test]
fn warnings_are_summed_up_or_each_told() {
    let text = b"[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\n*\n\n[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\n*\n";
    let desk = Desk::with(&[("a.pgn", text)]);
    let start = "4k3/8/8/8/8/8/8/4K3 w - - 0 1\n".repeat(2);
    let summed = "a.pgn:1:1: warning: setup-tags: [FEN] without [SetUp \"1\"]; the FEN is used (2 games)\n";
    desk.run(&["a.pgn"]).is(&start, summed, 0);
    desk.run(&["-q", "a.pgn"]).is(&start, "", 0);
    let each = desk.run(&["-v", "a.pgn"]).stderr;
    assert!(each.contains("a.pgn:1:1: warning: setup-tags: game 1: "), "{each}");
    assert!(each.contains("a.pgn:5:1: warning: setup-tags: game 2: "), "{each}");
    assert!(each.contains("summary: 2 games, 2 positions, 0 errors, "), "{each}");
}

#[test]
fn messages_are_counted_beyond_a_number() {
    let desk = Desk::with(&[("a.pgn", "1. Ke5 *\n".repeat(7).as_bytes())]);
    let ran = desk.run(&["--max-messages", "2", "a.pgn"]);
    assert_eq!((ran.stderr.lines().count(), ran.code), (3, Some(1)));
    assert!(ran.stderr.ends_with("5 more messages; use --max-messages to print them\n"), "{}", ran.stderr);
    let ran = desk.run(&["--max-messages", "6", "a.pgn"]);
    assert!(ran.stderr.ends_with("1 more message; use --max-messages to print it\n"), "{}", ran.stderr);
}

#[test]
fn a_game_with_an_error_is_kept_dropped_or_the_last() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 Ke6 *\n\n1. d4 *\n")]);
    let run = |what| desk.run(&["--no-start", "-q", "--on-error", what, "a.pgn"]);
    run("keep").is(&format!("{AFTER_E4}{AFTER_D4}"), "", 1);
    run("drop").is(AFTER_D4, "", 1);
    run("stop").is(AFTER_E4, "", 1);
}

#[test]
fn check_prints_what_is_wrong_and_a_summary() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 Ke6 *\n\n1. d4\n")]);
    let ran = desk.run(&["check", "a.pgn"]);
    assert_eq!((ran.stderr.as_str(), ran.code), ("", Some(1)));
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(lines[0].starts_with("a.pgn:1:7: illegal-move: Ke6 in game 1, ply 2: "), "{}", ran.stdout);
    assert!(lines[1].starts_with("a.pgn:3:6: warning: result: "), "{}", ran.stdout);
    assert!(lines[2].starts_with("summary: 2 games, 4 positions, 1 error, "), "{}", ran.stdout);
    assert_eq!(lines[3..], ["warnings: result (1 game)"]);
}

#[test]
fn an_output_file_appears_when_it_is_whole() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 Ke6 *")]);
    assert_eq!(desk.run(&["--no-start", "-q", "-o", "out.fen", "a.pgn"]).code, Some(1));
    assert_eq!(fs::read_to_string(desk.path("out.fen")).unwrap(), AFTER_E4);
    assert_eq!(desk.files(), ["a.pgn", "out.fen"]);

    let ran = desk.run(&["-o", "other.fen", "a.pgn", "none.pgn"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("other.fen is not written"), "{}", ran.stderr);
    let ran = desk.run(&["-o", "out.fen", "--on-error=stop", "a.pgn"]);
    assert!(ran.stderr.contains("out.fen is not written"), "{}", ran.stderr);
    assert_eq!(fs::read_to_string(desk.path("out.fen")).unwrap(), AFTER_E4, "the old file stays");
    assert_eq!(desk.files(), ["a.pgn", "out.fen"], "nothing unfinished is left");
}

#[test]
fn unique_positions_take_no_more_memory_than_allowed() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 *\n1. e4 e5 *\n"), ("b.pgn", b"1. d4 *")]);
    assert_eq!(
        desk.run(&["-u", "--memory", "1M", "a.pgn", "b.pgn"]).stdout,
        desk.run(&["-u", "a.pgn", "b.pgn"]).stdout
    );

    let ran = desk.run(&["-u", "--memory", "1k", "-q", "-o", "out.fen", "a.pgn", "b.pgn"]);
    assert_eq!(ran.code, Some(2));
    let expected = "pgn2fen: a.pgn: 3 different positions take more than 1024 bytes of memory; allow more with \
        --memory, or leave out -u; the rest of the input was not read\n";
    assert!(ran.stderr.starts_with(expected), "{}", ran.stderr);
    assert!(!ran.stderr.contains("b.pgn"), "the run has ended: {}", ran.stderr);
    assert_eq!(desk.files(), ["a.pgn", "b.pgn"]);

    for wrong in [&["--memory", "1M", "a.pgn"][..], &["-u", "--memory", "much", "a.pgn"]] {
        assert_eq!(desk.run(wrong).code, Some(2), "{wrong:?}");
    }
}

/// With as much address space as a run takes without `-u`, there is none for the table of positions.
#[cfg(target_os = "linux")]
#[test]
fn a_system_without_memory_for_unique_positions_is_told() {
    // Their positions need more than the 8 MiB by which the limits differ.
    let games = include_bytes!("../../fixtures/games/lichess_2012.pgn");
    let desk = Desk::with(&[("a.pgn", games), ("b.pgn", b"1. d4 *")]);
    let run = |kib: usize, options: &[&str]| {
        desk.run_limited(&format!("-v {kib}"), &[options, &["-j1", "a.pgn", "b.pgn"]].concat())
    };
    let enough = (8 << 10..1 << 20).step_by(8 << 10).find(|kib| run(*kib, &[]).code == Some(0));
    let enough = enough.expect("a gigabyte is enough");
    // Where so little is left that the rest of the run has none either, it ends in the words of the allocator.
    let told = (enough..enough + (8 << 10)).step_by(1 << 10).map(|kib| run(kib, &["-u"])).find(|ran| {
        assert_ne!(ran.code, Some(0), "positions are never left out in silence");
        ran.stderr.starts_with("pgn2fen: a.pgn: there is no memory for more than ")
    });
    let told = told.expect("a limit leaves memory for all but the table");
    assert!(told.stderr.ends_with(" different positions; the rest of the input was not read\n"), "{}", told.stderr);
    assert_eq!((told.stdout.as_str(), told.code), ("", Some(2)));
}

#[test]
fn an_output_file_is_never_an_input_file() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 *")]);
    let ran = desk.run(&["-o", "a.pgn", "a.pgn"]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(2)));
    assert_eq!(fs::read(desk.path("a.pgn")).unwrap(), b"1. e4 *");
    assert_eq!(desk.run(&["-o", "no/such/folder", "a.pgn"]).code, Some(2));
}

#[cfg(unix)]
#[test]
fn an_output_file_has_the_permissions_of_a_new_file() {
    use std::os::unix::fs::PermissionsExt;
    let desk = Desk::with(&[("a.pgn", b"1. e4 *")]);
    desk.run(&["-o", "out.fen", "a.pgn"]);
    let mode = |name: &str| fs::metadata(desk.path(name)).unwrap().permissions().mode();
    assert_eq!(mode("out.fen"), mode("a.pgn"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_a_closed_pipe_is_not() {
    let desk = Desk::with(&[("a.pgn", "1. e4 *\n".repeat(50_000).as_bytes())]);
    let ran = desk.run(&["-o", "/dev/full", "a.pgn"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.starts_with("pgn2fen: cannot write "), "{}", ran.stderr);

    let mut child = desk.command(&["a.pgn"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    Ran::from(child.wait_with_output().unwrap()).is("", "", 0);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_no_file() {
    let desk = Desk::with(&[]);
    let mut child = desk.command(&["-o", "out.fen"]).stdin(Stdio::piped()).spawn().unwrap();
    // Kept open: `wait` would close it, and a run that reads to the end ends well.
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"1. e4 *\n").unwrap();
    while desk.files().is_empty() {
        std::thread::yield_now();
    }
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupt.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(desk.files(), [""; 0]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_of_nohup_goes_on_when_its_terminal_is_closed() {
    let desk = Desk::with(&[]);
    // As `nohup` does, which also writes to a file.
    let begin = ["-c", "trap '' HUP; exec \"$0\" -o out.fen", env!("CARGO_BIN_EXE_pgn2fen")];
    let mut command = Command::new("sh");
    let mut child = command.args(begin).current_dir(desk.path("")).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"1. e4 *\n").unwrap();
    while desk.files().is_empty() {
        std::thread::yield_now();
    }
    assert!(Command::new("kill").args(["-HUP", &child.id().to_string()]).status().unwrap().success());
    stdin.write_all(b"1. d4 *\n").unwrap();
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(desk.read("out.fen").split(|byte| *byte == b'\n').count(), 5);
}

/// No other test of this process writes output files: they would be removed, too.
#[test]
fn an_interruption_removes_every_unfinished_file_of_a_process() {
    let desk = Desk::with(&[]);
    let create = |name: &str| OutputFile::create(desk.path(name), Compression::None).unwrap();
    let (finished, one, two) = (create("a.fen"), create("b.fen"), create("c.fen"));
    finished.finish().unwrap();
    assert_eq!(desk.files().len(), 3);
    drop(remove_unfinished());
    // Wine removes files that are open when they are closed.
    if cfg!(unix) {
        assert_eq!(desk.files(), ["a.fen"]);
        assert!(one.finish().is_err());
    } else {
        drop(one);
    }
    drop(two);
    assert_eq!(desk.files(), ["a.fen"]);
}

#[test]
fn wrong_usage_is_refused_with_words() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 *")]);
    for (arguments, words) in [
        (&["--ep", "never", "a.pgn"][..], "possible values: always, xfen, legal"),
        (&["--lang", "xx", "a.pgn"], "unknown language"),
        (&["--encoding", "klingon", "a.pgn"], "unknown encoding"),
        (&["--fields", "5", "a.pgn"], "possible values: 4, 6"),
        (&["-q", "-v", "a.pgn"], "cannot be used with"),
        (&["--range", "5", "a.pgn"], "not a range of bytes"),
        (&["--range", "5..4", "a.pgn"], "the end of the range is before its start"),
        (&["--no-start", "check"], "a command comes first: pgn2fen check [OPTIONS] [FILE]..."),
        (&["-j4", "check", "a.pgn"], "a command comes first: pgn2fen check -j4 a.pgn"),
        (&["-p", "4", "find", "new.idx", "e4"], "a command comes first: pgn2fen find [OPTIONS] <DIR> [POSITION]..."),
        (&["--side", "w", "tree", "a.pgn"], "a command comes first: pgn2fen tree --side w a.pgn"),
        (&["man", "-o", "a.pgn"], "a.pgn is a file; give a folder"),
        (&["starts", "-o", "x.bin", "a.pgn"], "which cannot be written here; use .fen, .epd,"),
        (&["--names", "a.pgn", "b.pgn", "-o", "a.pgn"], "a.pgn is both input and output"),
        (&["games", "--names", "a.pgn", "b.pgn", "-o", "a.pgn"], "a.pgn is both input and output"),
        (&["--progress", "often", "a.pgn"], "possible values: auto, always, never"),
        (&["--color", "purple", "a.pgn"], "possible values: auto, always, never"),
        (&["completions", "csh"], "possible values: bash, elvish, fish, powershell, zsh"),
    ] {
        let ran = desk.run(arguments);
        assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(2)), "{arguments:?}");
        assert!(ran.stderr.contains(words), "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn help_is_for_players() {
    let desk = Desk::with(&[]);
    let help = desk.run(&["--help"]);
    assert_eq!(help.code, Some(0));
    for words in ["Examples:", "--ep", "en passant", "Exit status", "check"] {
        assert!(help.stdout.contains(words), "{words}");
    }
}

#[test]
fn utf16_is_transcoded_and_names_are_decoded() {
    let text = "[White \"Grünfeld\"]\n[Black \"Réti\"]\n\n1. e4 Ke6 *\n";
    let utf16: Vec<u8> = std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let latin1: Vec<u8> = text.chars().map(|char| u8::try_from(u32::from(char)).unwrap()).collect();
    let desk = Desk::with(&[("utf8.pgn", text.as_bytes()), ("utf16.pgn", &utf16), ("latin1.pgn", &latin1)]);
    for (arguments, encoding) in [
        (&["utf8.pgn"][..], None),
        (&["utf16.pgn"], Some("utf16.pgn:1:1: warning: encoding: the file is read as UTF-16LE")),
        (
            &["latin1.pgn"],
            Some("latin1.pgn:1:11: warning: encoding: the text is not UTF-8; it is read as windows-1252"),
        ),
        (&["--encoding", "latin1", "latin1.pgn"], Some("it is read as windows-1252")),
    ] {
        let ran = desk.run(arguments);
        assert_eq!(ran.stdout, format!("{START}{AFTER_E4}"), "{arguments:?}");
        assert!(ran.stderr.contains("(Grünfeld – Réti)"), "{}", ran.stderr);
        assert!(encoding.is_none_or(|words| ran.stderr.contains(words)), "{}", ran.stderr);
    }
    let cyrillic =
        Desk::with(&[("a.pgn", b"[White \"\xca\xe0\xf0\xef\xee\xe2\"]\n[Black \"\xd2\xe0\xeb\xfc\"]\n\n1. Ke6 *\n")]);
    for arguments in [&["--encoding", "windows-1251", "a.pgn"][..], &["a.pgn"]] {
        let ran = cyrillic.run(arguments);
        assert!(ran.stderr.contains("(Карпов – Таль)"), "{}", ran.stderr);
    }
}

#[test]
fn moves_are_read_in_the_language_that_is_named() {
    let desk = Desk::with(&[("a.pgn", b"1. Sf3 *")]);
    let ran = desk.run(&["--lang", "de", "--no-start", "a.pgn"]);
    ran.is("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1\n", "", 0);
    let ran = desk.run(&["a.pgn"]);
    assert_eq!((ran.stdout.as_str(), ran.code), (START, Some(1)));
    assert!(ran.stderr.contains("bad-san: Sf3") && ran.stderr.contains("--lang de"), "{}", ran.stderr);
}

#[test]
fn fen_tags_are_used_as_asked() {
    let tags = b"[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 5 39\"]\n\n39. e4 *\n";
    let desk = Desk::with(&[("a.pgn", tags)]);
    let run = |policy| desk.run(&["--no-start", "-q", "--setup", policy, "a.pgn"]).stdout;
    assert_eq!(run("auto"), "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 39\n");
    assert_eq!(run("strict"), AFTER_E4);
    assert_eq!(run("ignore"), AFTER_E4);
}

#[test]
fn rows_are_printed_as_asked() {
    let desk = Desk::with(&[("a.pgn", b"[White \"A, B\"]\n\n1. e4 {[%clk 0:00:30]} *")]);
    let rows = "game,ply,san,White\n1,0,,\"A, B\"\n1,1,e4,\"A, B\"\n";
    desk.run(&["-f", "csv", "-C", "game,ply,san,White", "a.pgn"]).is(rows, "", 0);
    let start = START.trim_end();
    let e4 = AFTER_E4.trim_end();
    desk.run(&["-f", "tsv", "a.pgn"]).is(&format!("game\tply\tsan\tfen\n1\t0\t\t{start}\n1\t1\te4\t{e4}\n"), "", 0);
    desk.run(&["-C", "ply,clk", "--no-header", "--no-start", "a.pgn"]).is("1\t30.0\n", "", 0);
    desk.run(&["-f", "uci", "--no-start", "--ep", "legal", "a.pgn"]).is(
        &format!("position fen {}\n", e4.replace("e3", "-")),
        "",
        0,
    );
    let four = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b HAha e3";
    let epd = ["-f", "epd", "--no-start", "--castling", "shredder", "a.pgn"];
    desk.run(&epd).is(&format!("{four} hmvc 0; fmvn 1;\n"), "", 0);
    desk.run(&[&epd[..], &["--fields", "4"]].concat()).is(&format!("{four}\n"), "", 0);
    let desk = Desk::with(&[("b.pgn", b"[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 12 345\"]\n\n*")]);
    desk.run(&["-f", "epd", "b.pgn"]).is("4k3/8/8/8/8/8/8/4K3 w - - hmvc 12; fmvn 345;\n", "", 0);
    desk.run(&["-f", "epd", "--fields", "4", "b.pgn"]).is("4k3/8/8/8/8/8/8/4K3 w - -\n", "", 0);
}

#[test]
fn rows_keep_to_what_is_said_of_games_with_errors() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 Ke6 *\n\n1. d4 *\n")]);
    let run = |what| desk.run(&["-C", "game,san", "--no-header", "--no-start", "-q", "--on-error", what, "a.pgn"]);
    run("keep").is("1\te4\n2\td4\n", "", 1);
    run("drop").is("2\td4\n", "", 1);
    run("stop").is("1\te4\n", "", 1);
}

#[test]
fn bullet_tells_how_many_positions_it_has_no_use_for() {
    let games = b"1. e4 {[%eval -0.25]} e5 {[%eval #-2]} 1/2-1/2\n\n1. d4 {[%eval 0.1]} *\n";
    let desk = Desk::with(&[("a.pgn", games), ("b.pgn", b"1. e4 e5 1-0\n"), ("c.pgn", b"1. d4 {[%eval 0.1]} *\n")]);
    let line = format!("{} | -25 | 0.5\n", AFTER_E4.trim_end());
    let said =
        "warning: 4 positions left out: 2 without an evaluation, 1 evaluated as mate, 1 without a known result\n";
    desk.run(&["-f", "bullet", "a.pgn"]).is(&line, said, 0);
    desk.run(&["-f", "bullet", "-q", "a.pgn"]).is(&line, "", 0);
    let engine = Desk::with(&[("d.pgn", b"1. e4 {[%eval -31979,24]} e5 {[%eval 299.99]} 1-0\n")]);
    let ran = engine.run(&["-f", "bullet", "--no-start", "d.pgn"]);
    assert!(ran.stdout.ends_with(" | 29999 | 1.0\n") && ran.stdout.lines().count() == 1, "{}", ran.stdout);
    assert_eq!(ran.stderr, "warning: 1 position left out: evaluated as mate\n");
    let said = "warning: all 3 positions were left out: without an evaluation; the format needs evaluations in \
        comments, such as {[%eval 0.31]} or {+0.31/14 0.5s}; annotate the games with an engine, or use \
        another format\n";
    desk.run(&["-f", "bullet", "b.pgn"]).is("", said, 1);
    let said = "warning: 1 position left out: without a known result\n";
    desk.run(&["-f", "bullet", "--no-start", "a.pgn", "c.pgn", "--max-eval", "10"]).is(
        "",
        "warning: all 2 positions were left out: without a known result; the format needs games that were won, \
            lost or drawn; use another format\n",
        1,
    );
    desk.run(&["-f", "bullet", "--no-start", "--max-eval", "25", "-p", "1", "-n1", "a.pgn"]).is(&line, "", 0);
    desk.run(&["-f", "bullet", "--no-start", "--max-eval", "25", "a.pgn"]).is(&line, said, 0);
}

#[test]
fn max_eval_holds_for_every_format_and_keeps_what_has_no_evaluation() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 {[%eval 12.00]} e5 {[%eval #3]} 2. Nf3 {[%eval -9.99]} Nc6 1-0\n")]);
    let rows = |most: &str| desk.run(&["-C", "ply,eval", "--no-header", "--max-eval", most, "a.pgn"]);
    rows("1000").is("0\t\n3\t-999\n4\t\n", "", 0);
    rows("40000").is("0\t\n1\t1200\n3\t-999\n4\t\n", "", 0);
    desk.run(&["-C", "ply", "--no-header", "--max-eval", "1000", "a.pgn"]).is("0\n3\n4\n", "", 0);
    desk.run(&["--max-eval", "0", "-p", "1..3", "a.pgn"]).is(
        "",
        "warning: no position of 1 game satisfies --ply and --max-eval\n",
        0,
    );
}

#[test]
fn a_tag_that_no_game_has_is_told_with_the_nearest_names() {
    let desk = Desk::with(&[("a.pgn", b"[White \"A\"]\n[WhiteElo \"2400\"]\n\n1. e4 *\n"), ("b.pgn", b"1. d4 *\n")]);
    let missing = "warning: no game has the tag WhitElo; did you mean WhiteElo?\n";
    let none = "warning: none of 2 games satisfies -t\n";
    desk.run(&["-t", "WhitElo>=2000", "a.pgn", "b.pgn"]).is("", &format!("{missing}{none}"), 0);
    desk.run(&["-t", "WhitElo>=2000", "-q", "a.pgn"]).is("", "", 0);
    desk.run(&["-C", "WhitElo,WhiteElo", "-p", "1", "--no-header", "a.pgn"]).is("\t2400\n", missing, 0);
    desk.run(&["-C", "WhiteElo", "-p", "1", "--no-header", "b.pgn", "a.pgn"]).is("\n2400\n", "", 0);
    desk.run(&["-t", "whiteelo>=2000", "-p", "1", "a.pgn"]).is(AFTER_E4, "", 0);
    desk.run(&["-t", "Person!=B", "-p", "1", "a.pgn"]).is(
        AFTER_E4,
        "warning: no game has the tag Person; the games have White, WhiteElo\n",
        0,
    );
    desk.run(&["-t", "Person!=B", "b.pgn", "-p", "1"]).is(AFTER_D4, "warning: no game has the tag Person\n", 0);
    desk.run(&["-t", "Player=A", "-p", "1", "a.pgn"]).is(
        AFTER_E4,
        "warning: no game has the tag Black; the games have White, WhiteElo\n",
        0,
    );
    desk.run(&["starts", "-t", "Whit=B", "a.pgn"]).is(
        "",
        "warning: no game has the tag Whit; did you mean White or WhiteElo?\n",
        0,
    );
    let check = desk.run(&["check", "-t", "Whit=B", "a.pgn"]).stdout;
    assert!(check.starts_with("warning: no game has the tag Whit; did you mean"), "{check}");
    let index = desk.run(&["index", "-t", "WhitElo>=2000", "-o", "idx", "a.pgn"]);
    index.is("", &format!("{missing}{}", none.replace("2 games", "1 game")), 0);
    let find = desk.run(&["find", "-t", "WhitElo>=2000", "idx", "e4"]);
    assert_eq!(find.code, Some(2));
    assert!(find.stderr.contains("the tag WhitElo; did you mean WhiteElo? (it keeps Event, Site, "), "{}", find.stderr);
}

#[test]
fn an_empty_output_is_explained() {
    let desk = Desk::with(&[("a.pgn", CHOICE)]);
    desk.run(&["-t", "WhiteElo>=3000", "--start", "standard", "a.pgn"]).is(
        "",
        "warning: none of 2 games satisfies -t and --start\n",
        0,
    );
    desk.run(&["-p", "500..", "-n1", "a.pgn"]).is("", "warning: no position of 1 game satisfies --ply\n", 0);
    desk.run(&["starts", "-n1", "a.pgn"]).is("", "", 0);
}

#[test]
fn the_ending_of_the_output_picks_format_and_compression() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 *")]);
    let write = |name: &str| {
        desk.run(&["-o", name, "a.pgn"]).is("", "", 0);
        fs::read(desk.path(name)).unwrap()
    };
    let rows = desk.run(&["-f", "csv", "a.pgn"]).stdout.into_bytes();
    assert_eq!(write("a.csv"), rows);
    assert_eq!(zstd::decode_all(&write("a.csv.zst")[..]).unwrap(), rows);
    let mut plain = Vec::new();
    flate2::read::GzDecoder::new(&write("a.csv.gz")[..]).read_to_end(&mut plain).unwrap();
    assert_eq!(plain, rows);
    plain.clear();
    bzip2::read::BzDecoder::new(&write("a.csv.bz2")[..]).read_to_end(&mut plain).unwrap();
    assert_eq!(plain, rows);
    assert_eq!(write("a.fen"), format!("{START}{AFTER_E4}").into_bytes());
    assert_eq!(zstd::decode_all(&write("a.zst")[..]).unwrap(), write("a.fen"));
    let parquet = write("a.parquet");
    assert!(parquet.starts_with(b"PAR1") && parquet.ends_with(b"PAR1"));
    assert_eq!(parquet, desk.bytes(&["-f", "parquet", "a.pgn"]));
    // A named format wins over the ending of a text.
    desk.run(&["-f", "fen", "-o", "b.epd", "a.pgn"]).is("", "", 0);
    assert_eq!(fs::read(desk.path("b.epd")).unwrap(), write("a.fen"));
}

#[test]
fn compressed_output_is_the_same_for_every_number_of_threads() {
    let games = (0..30_000).map(|game| format!("[White \"{game}\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n")).collect::<String>();
    let desk = Desk::with(&[("a.pgn", games.as_bytes())]);
    for name in ["a.csv.zst", "a.csv.gz", "a.parquet"] {
        let write = |threads: &str| {
            desk.run(&["-C", "White,fen", "-o", name, "-j", threads, "a.pgn"]).is("", "", 0);
            fs::read(desk.path(name)).unwrap()
        };
        assert!(write("1") == write("3"), "{name}");
    }
}

#[test]
fn what_does_not_go_together_is_refused() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 *")]);
    let refused = |arguments: &[&str], because: &str| {
        let ran = desk.run(&[arguments, &["a.pgn"]].concat());
        assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(2)));
        assert!(ran.stderr.contains(because), "{}", ran.stderr);
    };
    refused(&["-C", "game,fne"], "there is no column fne; did you mean fen?");
    refused(&["-C", ""], "no columns are given");
    refused(&["-f", "cvs"], "invalid value 'cvs' for '--format <FORMAT>'");
    refused(&["-f", "uci", "-C", "fen"], "the format uci has no columns to choose; use tsv, csv,");
    refused(&["-f", "jsonl", "--no-header"], "the format jsonl has no header row; only tsv and csv have one");
    refused(&["-f", "csv", "-o", "x.parquet"], "the format is csv, but x.parquet has the ending of parquet");
    refused(&["-f", "arrow", "-o", "x.parquet"], "the format is arrow, but x.parquet has the ending of parquet");
    refused(&["-o", "x.parquet.zst"], "Parquet files have compression of their own");
    refused(&["-f", "epd", "-C", "file,game,offset,line,ply,turn,san,uci,clk,key"], "an EPD has room for 9 columns");
    assert_eq!(desk.files(), ["a.pgn"]);
}

const CHOICE: &[u8] = b"[White \"A\"]\n[WhiteElo \"2400\"]\n\n1. e4 (1. d4 d4) *\n\n[White \"B\"]\n\n1. d4 Ke6 *\n";

#[test]
fn games_that_are_not_wanted_are_neither_printed_nor_blamed() {
    let desk = Desk::with(&[("a.pgn", CHOICE), ("b.pgn", b"1. d4 *")]);
    desk.run(&["-t", "WhiteElo>=2200", "a.pgn"]).is(&format!("{START}{AFTER_E4}"), "", 0);
    desk.run(&["-n1", "a.pgn", "b.pgn"]).is(&format!("{START}{AFTER_E4}"), "", 0);
    desk.run(&["-n3", "-q", "-p", "-1", "a.pgn", "b.pgn"]).is(&format!("{AFTER_E4}{AFTER_D4}{AFTER_D4}"), "", 1);
    desk.run(&["-n0", "missing.pgn"]).is("", "", 0);
    let summary = desk.run(&["check", "--no-variations", "-t", "White=A", "a.pgn"]).stdout;
    assert!(summary.starts_with("summary: 1 of 2 games, 2 positions, 0 errors, "), "{summary}");
}

#[test]
fn an_error_in_a_variation_is_told_if_variations_are_read() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 (1. d4 d4) *")]);
    let error = "a.pgn:1:14: illegal-move: d4 in game 1, ply 2: d4 is occupied by a white pawn (in a variation)\n";
    desk.run(&["--variations", "--no-start", "a.pgn"]).is(&format!("{AFTER_E4}{AFTER_D4}"), error, 1);
    desk.run(&["--no-start", "a.pgn"]).is(AFTER_E4, "", 0);
    assert!(desk.run(&["check", "--variations", "a.pgn"]).stdout.starts_with(error));
}

#[test]
fn a_choice_that_does_not_parse_is_shown_with_a_caret() {
    let desk = Desk::with(&[]);
    #[track_caller]
    fn check(ran: &Ran, expected: &str) {
        assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(2)));
        assert!(ran.stderr.starts_with(&format!("error: invalid value {expected}\n\n")), "{}", ran.stderr);
    }
    check(
        &desk.run(&["-t", "WhiteElo=>2200"]),
        "'WhiteElo=>2200' for '--tag <FILTER>': => is not an operator; did you mean >=?\n    \
         WhiteElo=>2200\n            ^^",
    );
    check(
        &desk.run(&["-p", "8..x"]),
        "'8..x' for '--ply <PLIES>': a ply is a number, such as 16, 8..20, ..30, 30.. or -1\n    8..x\n       ^",
    );
    check(&desk.run(&["-s", "1%"]), "'1%' for '--sample <SHARE>': a share is a number from 0 to 1, such as 0.01");
    check(&desk.run(&["-e", "0"]), "'0' for '--every <N>': not a number of 1 or more");
    let alone = desk.run(&["--seed", "1"]);
    assert!(alone.stderr.contains("--seed needs --sample") && alone.code == Some(2), "{}", alone.stderr);
}

#[test]
fn damage_behind_the_last_game_that_is_wanted_is_no_failure() {
    let zstd = zstd::encode_all(&b"1. e4 *\n\n".repeat(100_000)[..], 1).unwrap();
    let desk = Desk::with(&[("a.pgn.zst", &zstd[..zstd.len() - 20])]);
    for threads in ["-j1", "-j4"] {
        desk.run(&["-n1", threads, "a.pgn.zst"]).is(&format!("{START}{AFTER_E4}"), "", 0);
    }
    assert_eq!(desk.run(&["-q", "a.pgn.zst"]).code, Some(2));
}
