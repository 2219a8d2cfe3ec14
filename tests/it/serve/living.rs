//! A server whose index changes or is damaged while it runs, and the end of a server.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::serve::{Running, index};

/// Asks until the answer has so many games, but not for long.
#[track_caller]
fn wait_for(server: &Running, games: u64) {
    let started = Instant::now();
    loop {
        let answer = server.json("/masters");
        let sum: u64 = ["white", "draws", "black"].iter().map(|name| answer[*name].as_u64().unwrap()).sum();
        if sum == games {
            return;
        }
        assert!(started.elapsed() < Duration::from_secs(60), "{sum} games, not {games}; {:?}", server.messages());
        sleep(Duration::from_millis(50));
    }
}

#[test]
fn an_index_that_changes_is_seen_without_a_restart() {
    let desk = index("[Result \"1-0\"]\n\n1. e4 e5 1-0\n");
    let server = Running::start(&[&desk.path("games.idx")]);
    wait_for(&server, 1);
    fs::write(desk.path("more.pgn"), "[Result \"0-1\"]\n\n1. e4 c5 0-1\n".repeat(3)).unwrap();
    assert_eq!(desk.run(&["index", "-q", "--append", "-o", "games.idx", "more.pgn"]).code, Some(0));
    wait_for(&server, 4);
    assert_eq!(desk.run(&["index", "-q", "--compact", "-o", "games.idx"]).code, Some(0));
    sleep(Duration::from_millis(1100));
    wait_for(&server, 4);
    // The runs that were merged are not read any more, so nothing is kept for the server.
    assert_eq!(desk.run(&["index", "-q", "-o", "games.idx", "more.pgn"]).code, Some(0));
    wait_for(&server, 3);
    assert_eq!(server.messages().len(), 3, "{:?}", server.messages());
    assert!(server.messages().iter().all(|message| message.contains("the index has changed")));

    // Without its manifest the index cannot be opened again; the old one is still answered, and that is reported once.
    fs::rename(desk.path("games.idx/manifest.json"), desk.path("aside")).unwrap();
    sleep(Duration::from_millis(1100));
    wait_for(&server, 3);
    sleep(Duration::from_millis(1100));
    wait_for(&server, 3);
    assert_eq!(server.messages().len(), 4, "{:?}", server.messages());
    assert!(server.messages()[3].contains("answers come from the index as it was before"));
}

#[test]
fn a_source_file_that_has_changed_is_named() {
    let desk = index("[White \"A\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n");
    let server = Running::start(&[&desk.path("games.idx")]);
    assert_eq!(server.get("/masters/pgn/00000001").status, 200);
    fs::write(desk.path("games.pgn"), "[White \"B\"]\n[Result \"1-0\"]\n\n1. d4 d5 1-0\n").unwrap();
    for path in ["/masters/pgn/00000001", "/api/game/00000001"] {
        let answer = server.get(path);
        assert_eq!(answer.status, 410, "{answer:?}");
        assert!(answer.text.contains("has changed since it was indexed"), "{answer:?}");
    }
    fs::remove_file(desk.path("games.pgn")).unwrap();
    let answer = server.get("/masters/pgn/00000001");
    assert!(answer.status == 410 && answer.text.contains("missing"), "{answer:?}");
    assert_eq!(server.get("/masters").status, 200);
}

/// The files in a folder and its folders.
fn files(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn damage_is_an_error_of_the_request_and_not_of_the_server() {
    let desk = index(&"[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n".repeat(50));
    let server = Running::start(&[&desk.path("games.idx")]);
    for path in files(&desk.path("games.idx")) {
        if path.file_name().unwrap().to_string_lossy().starts_with("postings") {
            let mut bytes = fs::read(&path).unwrap();
            bytes.iter_mut().for_each(|byte| *byte ^= 0x55);
            // The same file, so that a map of it sees the damage.
            fs::OpenOptions::new().write(true).open(&path).unwrap().write_all(&bytes).unwrap();
        }
    }
    for _ in 0..3 {
        let answer = server.get("/masters");
        assert_eq!(answer.status, 500, "{answer:?}");
        assert!(answer.text.contains("the index cannot be read") && !answer.text.contains("parquet"), "{answer:?}");
    }
    assert!(server.messages().iter().any(|message| message.contains("damaged")), "{:?}", server.messages());
    assert_eq!(server.get("/api/index").status, 200);
    assert_eq!(server.get("/").status, 200);
}

/// A way to harm a file in place, as a program does that opens it to write to it.
#[derive(Clone, Copy, Debug)]
enum Harm {
    Truncate(usize),
    Lengthen,
    /// Writes other bytes over all of it.
    Overwrite,
    /// Changes one bit in each block, and keeps the length.
    Flip,
}

impl Harm {
    fn kinds(length: usize) -> Vec<Self> {
        let shorter = [0, length / 3, length / 2, length.saturating_sub(1)].map(Self::Truncate);
        [&shorter[..], &[Self::Lengthen, Self::Overwrite, Self::Flip]].concat()
    }

    fn inflict(self, path: &Path) {
        let mut bytes = fs::read(path).unwrap();
        match self {
            Self::Truncate(length) => bytes.truncate(length),
            Self::Lengthen => bytes.extend([0; 5000]),
            Self::Overwrite => bytes.iter_mut().for_each(|byte| *byte ^= 0x55),
            Self::Flip => bytes.iter_mut().step_by(4000).for_each(|byte| *byte ^= 1),
        }
        write_in_place(path, &bytes);
    }
}

fn write_in_place(path: &Path, bytes: &[u8]) {
    let mut file = fs::OpenOptions::new().write(true).open(path).unwrap();
    file.set_len(bytes.len() as u64).unwrap();
    file.write_all(bytes).unwrap();
}

/// Games with many positions, in several tables.
fn many_games() -> crate::cli::Desk {
    let first = ["e4", "d4", "c4", "Nf3", "a3", "b3", "g3", "h3"];
    let second = ["e5", "d5", "c5", "Nf6", "a6", "b6", "g6", "h6"];
    let games = first.iter().flat_map(|white| second.iter().map(move |black| (white, black)));
    let text = games.zip(1800..).map(|((white, black), year)| {
        let tags = format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Date \"{year}.01.01\"]\n[Result \"1-0\"]");
        format!("{tags}\n\n1. {white} {black} 2. Nc3 Nc6 3. Rb1 Rb8 1-0\n\n")
    });
    index(&text.collect::<String>())
}

const QUESTIONS: [&str; 7] = [
    "/masters",
    "/masters?play=e2e4",
    "/masters?play=d2d4,d7d5,b1c3",
    "/lichess?play=g1f3&since=1830-01",
    "/api/explore?play=c2c4&tags=White~c",
    "/masters/pgn/00000001",
    "/api/game/00000005",
];

#[test]
fn files_may_be_truncated_or_overwritten_while_the_server_answers() {
    let desk = many_games();
    // Without a cache, every answer is read from the tables.
    let server = Running::with(&[&desk.path("games.idx")], |options| options.cache = 0);
    let expected = QUESTIONS.map(|question| server.text(question));
    let tables: Vec<PathBuf> = files(&desk.path("games.idx")).into_iter().filter(|path| is_table(path)).collect();
    assert!(tables.len() >= 6, "{tables:?}");
    let is_over = AtomicBool::new(false);
    let refused = AtomicUsize::new(0);
    let check = |at: usize| {
        let answer = server.get(QUESTIONS[at]);
        match answer.status {
            200 => assert_eq!(answer.text, expected[at], "{}", QUESTIONS[at]),
            410 => assert!(answer.text.contains("not available"), "{answer:?}"),
            _ => {
                assert_eq!(answer.status, 500, "{}: {answer:?}", QUESTIONS[at]);
                assert!(answer.text.contains("the index cannot be read"), "{answer:?}");
            }
        }
        refused.fetch_add(usize::from(answer.status != 200), Ordering::Relaxed);
        answer.status
    };
    std::thread::scope(|scope| {
        for client in 0..2 {
            let (check, is_over) = (&check, &is_over);
            scope.spawn(move || {
                for round in (0..).take_while(|_| !is_over.load(Ordering::Relaxed)) {
                    check((client + round) % QUESTIONS.len());
                }
            });
        }
        let end = Over(&is_over);
        for path in tables.iter().chain([&desk.path("games.pgn")]) {
            let sound = fs::read(path).unwrap();
            for harm in Harm::kinds(sound.len()) {
                // Other text of the same length may be read before the file is compared with what was indexed.
                if !is_table(path) && !matches!(harm, Harm::Truncate(_)) {
                    continue;
                }
                harm.inflict(path);
                let statuses: Vec<u16> = (0..QUESTIONS.len()).map(check).collect();
                // What the server needs of the other tables is in its memory.
                let name = path.file_name().unwrap().to_string_lossy();
                let is_needed = ["postings", "games.pgn"].iter().any(|needed| name.starts_with(needed));
                let is_harmless = matches!(harm, Harm::Lengthen) || !is_needed;
                assert!(is_harmless || statuses.iter().any(|status| *status != 200), "{name} {harm:?}");
                write_in_place(path, &sound);
                for at in 0..QUESTIONS.len() {
                    assert_eq!(check(at), 200, "{}, sound again after {harm:?}", path.display());
                }
            }
        }
        drop(end);
    });
    assert!(refused.into_inner() > 0);
    let is_told = |message: &String| message.contains("damaged");
    assert!(server.messages().iter().any(is_told), "{:?}", server.messages());
    assert!(!server.messages().iter().any(|message| message.contains("internal error")), "{:?}", server.messages());
}

/// Ends the clients, also if an assertion fails.
struct Over<'o>(&'o AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn is_table(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "parquet" || ending == "sums")
}

#[test]
fn a_long_game_is_refused_before_its_file_is_read() {
    let comment = "x".repeat(5 << 20);
    let desk = index(&format!("1. e4 {{{comment}}} *\n\n1. d4 *\n"));
    let server = Running::start(&[&desk.path("games.idx")]);
    for path in ["/masters/pgn/00000001", "/api/game/00000001"] {
        let answer = server.get(path);
        assert!(answer.status == 413 && answer.text.contains("longer than 4194304 bytes"), "{answer:?}");
    }
    assert_eq!(server.get("/masters/pgn/00000002").status, 200);
    fs::remove_file(desk.path("games.pgn")).unwrap();
    assert_eq!(server.get("/masters/pgn/00000001").status, 413);
    assert_eq!(server.get("/masters/pgn/00000002").status, 410);
}

#[test]
fn a_server_that_cannot_start_says_why() {
    let desk = index("1. e4 *\n");
    let ran = desk.run(&["serve", "--listen", "127.0.0.1:0", "nothing.idx"]);
    ran.is("", "pgn2fen: nothing.idx: there is no such folder\n", 2);
    fs::write(desk.path("games.idx/manifest.json"), "{}").unwrap();
    let ran = desk.run(&["serve", "--listen", "127.0.0.1:0", "games.idx"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("manifest.json"), "{ran:?}");
    assert_eq!(desk.run(&["serve"]).code, Some(2));
    assert_eq!(desk.run(&["serve", "--listen", "nowhere", "games.idx"]).code, Some(2));
}

/// Starts the command, lets it answer, and ends it with a signal.
#[cfg(unix)]
#[track_caller]
fn check_signal(desk: &crate::cli::Desk, signal: &str) {
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;

    let arguments = ["serve", "--listen", "127.0.0.1:0", "games.idx"];
    let mut child = desk.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("http://").and_then(|line| line.strip_suffix('/')).unwrap().to_owned();
    // An idle connection does not keep the server.
    let _idle = std::net::TcpStream::connect(&address).unwrap();
    let mut stream = std::net::TcpStream::connect(&address).unwrap();
    write!(stream, "GET /masters HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let started = Instant::now();
    let killed = std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let status = child.wait().unwrap();
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert_eq!((status.code(), errors.lines().count()), (Some(0), 1), "{signal}: {errors}");
    assert!(started.elapsed() < Duration::from_secs(20), "{signal}");
}

#[cfg(unix)]
#[test]
fn a_signal_ends_the_server_cleanly() {
    let desk = index("1. e4 *\n");
    check_signal(&desk, "-INT");
    check_signal(&desk, "-TERM");
}
