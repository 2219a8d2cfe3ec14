//! Web servers that send without an end, too slowly, or from elsewhere.

use std::io;
use std::iter;
use std::time::{Duration, Instant};

use pgn2fen_games::database::remote::Remote;
use pgn2fen_remote::{Settings, Stores};
use pgn2fen_testing::{Manner, RawAnswer, RawServer, Server};

fn settings() -> Settings {
    let mut settings = Settings::default();
    (settings.pause, settings.patience) = (Duration::from_millis(1), Duration::from_secs(5));
    settings
}

fn read_with(settings: Settings, address: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    Stores::new(settings).open(address)?.reader.read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[track_caller]
fn check_refused(server: &RawServer, expected: &str) {
    let error = read_with(settings(), &server.address("/games.pgn")).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
}

/// A server that answers with this head, and then with a game.
fn server_of(head: &'static str) -> RawServer {
    RawServer::new(move |_, _| RawAnswer::of(head, iter::once(b"1. e4 *\n\n".to_vec())))
}

#[test]
fn a_body_whose_end_nothing_marks_is_refused() {
    for coding in ["identity", "gzip", "chunked, gzip", "chunked\nTransfer-Encoding: gzip"] {
        let head = format!("HTTP/1.1 200 OK\nTransfer-Encoding: {coding}").leak();
        check_refused(&server_of(head), "does not say how long the file is");
    }
    check_refused(&server_of("HTTP/1.1 200 OK"), "does not say how long the file is");
    check_refused(&server_of("HTTP/1.0 200 OK"), "does not say how long the file is");
    // A length that the bytes do not have.
    check_refused(&server_of("HTTP/1.1 200 OK\nContent-Length: 999"), "the connection broke at byte 9 of 999");
    check_refused(&server_of("HTTP/1.1 200 OK\nTransfer-Encoding: identity\nContent-Length: 999"), " of 999");
}

#[test]
fn a_body_whose_end_is_marked_is_read() {
    for head in ["HTTP/1.1 200 OK\nContent-Length: 9", "HTTP/1.0 200 OK\nContent-Length: 9"] {
        assert_eq!(read_with(settings(), &server_of(head).address("/a")).unwrap(), b"1. e4 *\n\n");
    }
    for coding in ["chunked", "Chunked", "gzip, chunked"] {
        let head = format!("HTTP/1.1 200 OK\nTransfer-Encoding: {coding}");
        let server =
            RawServer::new(move |_, _| RawAnswer::of(&head, iter::once(b"9\r\n1. e4 *\n\n\r\n0\r\n\r\n".to_vec())));
        assert_eq!(read_with(settings(), &server.address("/a")).unwrap(), b"1. e4 *\n\n", "{coding}");
    }
}

#[test]
fn a_version_that_is_told_no_more_is_another_version() {
    let text = vec![b'x'; 3_000_000];
    let check = |manner: Manner| {
        let server = Server::of(&text, Manner { knows_conditions: false, forgets_after: 2, ..manner });
        let error = read_with(settings(), &server.address("/games.pgn")).unwrap_err().to_string();
        assert!(error.contains("the file changed on the server while it was read"), "{error}");
    };
    check(Manner::default());
    check(Manner { has_etag: false, has_time: true, ..Manner::default() });
    // Who never told a version does not change it, and the tag is more exact than the time.
    for manner in [Manner { has_etag: false, ..Manner::default() }, Manner { has_time: true, ..Manner::default() }] {
        let server = Server::of(&text, manner);
        assert!(read_with(settings(), &server.address("/games.pgn")).unwrap() == text);
    }
}

/// A server that sends so many bytes after each pause.
fn drip(bytes: usize, pause: Duration, head: &'static str) -> RawServer {
    RawServer::new(move |_, _| RawAnswer::of(head, iter::repeat(vec![b' '; bytes])).with_pause(pause))
}

const WHOLE: &str = "HTTP/1.1 200 OK\nContent-Length: 9000000";
const RANGE: &str = "HTTP/1.1 206 X\nContent-Range: bytes 0-262143/9000000\nContent-Length: 262144";

#[test]
fn a_drip_is_an_error_and_not_progress() {
    let mut settings = settings();
    (settings.patience, settings.repeats) = (Duration::from_millis(200), 2);
    for (head, expected) in
        [(WHOLE, "of 9000000, and the server sends no ranges"), (RANGE, "of 9000000, 3 times in a row")]
    {
        let begun = Instant::now();
        let server = if head == WHOLE { drip(1, Duration::from_millis(20), WHOLE) } else { dripping_ranges() };
        let error = read_with(settings.clone(), &server.address("/games.pgn")).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
        assert!(error.ends_with("the server sends fewer than 4096 bytes in 0.2 seconds"), "{error}");
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    }
}

/// A server that sends a range slowly, from where it is asked for.
fn dripping_ranges() -> RawServer {
    RawServer::new(|_, request| {
        let range =
            request.lines().find_map(|line| line.to_lowercase().strip_prefix("range: bytes=").map(str::to_owned));
        let range = range.unwrap();
        let (start, last) = range.split_once('-').unwrap();
        let length = last.parse::<u64>().unwrap() + 1 - start.parse::<u64>().unwrap();
        let head = format!("HTTP/1.1 206 X\nContent-Range: bytes {range}/9000000\nContent-Length: {length}");
        RawAnswer::of(&head, iter::repeat(vec![b' '])).with_pause(Duration::from_millis(20))
    })
}

#[test]
fn a_server_that_sends_little_and_breaks_off_is_given_up() {
    let manner = Manner { breaks_after: Some(1), ..Manner::default() };
    let server = Server::of(&[b' '; 100_000], manner);
    let error = read_with(settings(), &server.address("/games.pgn")).unwrap_err().to_string();
    assert!(error.contains("cannot be read at byte 8 of 100000, 8 times in a row"), "{error}");
    assert_eq!(server.requests().len(), 8);
}

#[test]
fn a_slow_server_is_read_and_a_slow_reader_is_no_slow_server() {
    let mut settings = settings();
    (settings.patience, settings.floor) = (Duration::from_millis(300), 1000);
    let text = vec![b' '; 200_000];
    let manner = Manner { sends_ranges: false, pause: Duration::from_millis(50), ..Manner::default() };
    let server = Server::of(&text, manner);
    assert!(read_with(settings.clone(), &server.address("/games.pgn")).unwrap() == text);
    // More than waits in the program and in the system, and a reader that pauses for longer than the patience.
    let text = vec![b' '; 20_000_000];
    let server = Server::of(&text, Manner { sends_ranges: false, ..Manner::default() });
    let mut reader = Stores::new(settings).open(&server.address("/games.pgn")).unwrap().reader;
    let mut bytes = vec![0; 1000];
    reader.read_exact(&mut bytes).unwrap();
    std::thread::sleep(Duration::from_millis(700));
    reader.read_to_end(&mut bytes).unwrap();
    assert_eq!(bytes.len(), text.len());
}

#[test]
fn of_a_failure_the_beginning_is_read() {
    let server = RawServer::new(|_, _| RawAnswer::endless("404 X", "<Code>Gone</Code>", &"x".repeat(1 << 16)));
    let error = read_with(settings(), &server.address("/games.pgn")).unwrap_err().to_string();
    assert_eq!(error, "does not exist on the server (status 404: Gone)");
    assert!(server.sent() < 16 << 20, "{}", server.sent());
}

#[test]
fn requests_are_sent_on_to_the_same_machine_only() {
    for (elsewhere, expected) in [
        ("http://example.org", "the server sends the request on to http://example.org, which is not encrypted"),
        ("https://me:secret@example.org", "https://example.org, which is another host, from this machine or a private"),
        ("http://192.168.1.2", "the server sends the request on to http://192.168.1.2, which is not encrypted"),
        ("ftp://example.org", "the server sends the request on to ftp://example.org, which is no web server"),
    ] {
        let server = Server::of(b"1. e4 *", Manner { redirect: Some(elsewhere.to_owned()), ..Manner::default() });
        let error = read_with(settings(), &server.address("/games.pgn?secret")).unwrap_err().to_string();
        assert!(error.contains(expected) && !error.contains("secret"), "{error}");
        assert_eq!(server.requests().len(), 1);
    }
    let server = Server::of(b"1. e4 *", Manner { redirect: Some(String::new()), ..Manner::default() });
    let error = read_with(settings(), &server.address("/games.pgn")).unwrap_err().to_string();
    assert!(error.contains("sends the request on more than 5 times"), "{error}");
    assert_eq!(server.requests().len(), 6);
}

#[test]
fn another_server_does_not_get_the_signature() {
    let there = Server::of(b"1. e4 *", Manner::default());
    let here = Server::of(b"", Manner { redirect: Some(there.address("/games.pgn?")), ..Manner::default() });
    let address = here.address("/games.pgn?X-Amz-Signature=secret").replace("http://", "http://me:pw@");
    read_with(settings(), &address).unwrap();
    assert!(!there.requests().is_empty());
    let all = there.requests().join("\n").to_lowercase();
    assert!(!all.contains("referer") && !all.contains("authorization"), "{all}");
}
