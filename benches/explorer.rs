//! Asks a server of an index for positions of random games, over loopback: one client that asks without a pause, and 64
//! clients that pause 50 ms between their questions. It prints the answers a second and the times of the answers.
//!
//! `PGN2FEN_INDEX` is the folder of an index whose games are there; without it, an index of the fixtures is built. The
//! server is a new one in this process for each route, or that at the address `PGN2FEN_SERVER`, such as
//! 127.0.0.1:9002, which must serve the same index. No position is asked for twice on purpose, so the answers do not
//! come from a cache unless they are those of an opening.

#![allow(clippy::print_stdout, reason = "a bench is a program")]

use std::env;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use pgn2fen_explorer::{ServeOptions, Server};
use pgn2fen_games::database::Database;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::walk::{Job, ReadOptions};
use pgn2fen_index::{BuildOptions, Builder, GameTexts, Index};

const ROUTES: [&str; 3] = ["/masters", "/lichess", "/api/explore"];

/// The goals: answers a second to one client, and the 99th percentile of the times of answers to many clients.
const GOALS: (u32, Duration) = (2000, Duration::from_millis(10));

/// The clients that ask at the same time, and their pause between two questions.
const CLIENTS: usize = 64;
const PAUSE: Duration = Duration::from_millis(50);

/// A sequence of numbers that is the same in each run.
struct Chance(u64);

impl Chance {
    /// Returns a number below `end`.
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

/// A client with a connection of its own.
struct Client {
    stream: TcpStream,
    host: SocketAddr,
    read: Vec<u8>,
}

impl Client {
    fn new(host: SocketAddr) -> Self {
        let stream = TcpStream::connect(host).unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream, host, read: Vec::new() }
    }

    /// Asks for a path, and returns the time until the answer was there.
    fn ask(&mut self, path: &str) -> Duration {
        let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", self.host);
        let started = Instant::now();
        self.stream.write_all(request.as_bytes()).unwrap();
        self.read.clear();
        let mut chunk = [0; 64 * 1024];
        while !self.is_complete() {
            let bytes = self.stream.read(&mut chunk).unwrap();
            assert!(bytes > 0, "{path}: the connection was closed");
            self.read.extend_from_slice(&chunk[..bytes]);
        }
        let time = started.elapsed();
        assert!(self.read.starts_with(b"HTTP/1.1 200 "), "{path}: {}", String::from_utf8_lossy(&self.read));
        time
    }

    /// Whether the answer has been read.
    fn is_complete(&self) -> bool {
        let Some(end) = self.read.windows(4).position(|window| window == b"\r\n\r\n") else { return false };
        let head = String::from_utf8_lossy(&self.read[..end]).to_ascii_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
        self.read.len() >= end + 4 + length.unwrap_or(0)
    }
}

/// Returns questions for positions of random games, after a random number of their moves.
fn questions(index: &Index, route: &str, count: usize, seed: u64) -> Vec<String> {
    let mut chance = Chance(seed);
    let mut texts = GameTexts::new(index);
    let mut questions = Vec::new();
    while questions.len() < count {
        let text = texts.read(1 + chance.below(index.game_count())).unwrap();
        let database = Database::from(text);
        let Some(Ok(mut replay)) = database.games().next().map(|game| game.replay()) else { continue };
        if *replay.position() != pgn2fen_chess::Position::initial() {
            continue;
        }
        let (mut before, mut moves) = (replay.position().clone(), Vec::new());
        while let Some(Ok(ply)) = replay.next_ply() {
            moves.push(ply.played.to_uci(&before));
            before = replay.position().clone();
        }
        moves.truncate(usize::try_from(chance.below(moves.len() as u64 + 1)).unwrap());
        questions.push(format!("{route}?play={}", moves.join(",")));
    }
    questions
}

/// Builds an index of some fixtures.
fn build(folder: &Path) -> PathBuf {
    let (workers, folder) = (Workers::new(0).unwrap(), folder.join("games.idx"));
    let mut indexing = Builder::new(&folder, BuildOptions::default(), &workers).unwrap().begin(ReadOptions::default());
    for name in ["tournaments_2020.pgn", "lichess_2012.pgn"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/games").join(name);
        let database = Database::open(&path).unwrap();
        indexing.read(&workers, &path, database.into(), &mut ()).unwrap();
    }
    let finished = indexing.finish(&workers, &|_, _| ControlFlow::Continue(())).unwrap();
    finished.merge(false, &workers, &|_, _| ControlFlow::Continue(())).unwrap();
    folder
}

/// Returns the times that are greater than this part of all, in per mille.
fn percentiles(times: &mut [Duration], parts: &[usize]) -> Vec<Duration> {
    times.sort_unstable();
    parts.iter().map(|part| times[(times.len() * part / 1000).min(times.len() - 1)]).collect()
}

fn in_milliseconds(times: &[Duration]) -> String {
    let texts: Vec<String> = times.iter().map(|time| format!("{:.2}", time.as_secs_f64() * 1e3)).collect();
    texts.join(" / ")
}

fn one_client(host: SocketAddr, route: &str, questions: &[String]) {
    let mut client = Client::new(host);
    let started = Instant::now();
    let mut times: Vec<Duration> = questions.iter().map(|question| client.ask(question)).collect();
    let rate = questions.len() as f64 / started.elapsed().as_secs_f64();
    let times = in_milliseconds(&percentiles(&mut times, &[500, 900, 990, 1000]));
    println!("{route:12}  1 client   {rate:6.0} answers a second (goal {}); 50, 90, 99, 100 %: {times} ms", GOALS.0);
}

fn many_clients(host: SocketAddr, route: &str, questions: &[String]) {
    let mut times: Vec<Duration> = thread::scope(|scope| {
        let threads: Vec<_> = questions
            .chunks(questions.len().div_ceil(CLIENTS))
            .enumerate()
            .map(|(nth, questions)| {
                scope.spawn(move || {
                    let mut client = Client::new(host);
                    // The clients do not begin at the same time.
                    thread::sleep(PAUSE * u32::try_from(nth).unwrap() / u32::try_from(CLIENTS).unwrap());
                    let ask = |question: &String| {
                        thread::sleep(PAUSE);
                        client.ask(question)
                    };
                    questions.iter().map(ask).collect::<Vec<_>>()
                })
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let times = in_milliseconds(&percentiles(&mut times, &[500, 900, 990, 1000]));
    let goal = GOALS.1.as_millis();
    println!("{route:12} {CLIENTS:2} clients  50, 90, 99, 100 %: {times} ms (goal: 99 % in {goal} ms)");
}

fn main() {
    let is_test = env::args().any(|argument| argument == "--test");
    let made = tempfile::tempdir().unwrap();
    let folder = env::var_os("PGN2FEN_INDEX").map_or_else(|| build(made.path()), PathBuf::from);
    let index = Index::open(&folder).unwrap();
    let (few, many) = if is_test { (50, CLIENTS) } else { (4000, 60 * CLIENTS) };
    for (route, seed) in ROUTES.iter().zip(1..) {
        let given = env::var("PGN2FEN_SERVER").ok().map(|address| address.parse().unwrap());
        let server = given.is_none().then(|| {
            let options = ServeOptions { listen: ([127, 0, 0, 1], 0).into(), ..ServeOptions::default() };
            Server::bind(vec![folder.clone()], options, |_| {}).unwrap()
        });
        let stopper = server.as_ref().map(Server::stopper);
        let host = given.or(server.as_ref().map(Server::address)).unwrap();
        let [first, second] = [few, many].map(|count| questions(&index, route, count, seed << 32 | count as u64));
        let running = server.map(|server| thread::spawn(|| server.run()));
        one_client(host, route, &first);
        many_clients(host, route, &second);
        if let Some(stopper) = stopper {
            stopper.stop();
        }
        if let Some(thread) = running {
            thread.join().unwrap();
        }
    }
}
