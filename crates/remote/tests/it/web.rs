//! Web servers.

use std::io::{self, Read};
use std::thread;
use std::time::{Duration, Instant};

use pgn2fen_games::database::remote::Remote;
use pgn2fen_remote::{Settings, Stores};
use pgn2fen_testing::{Manner, Server};

/// Returns a text of this length, in which each place is different.
fn text(length: usize) -> Vec<u8> {
    (0..).flat_map(|number: u32| number.to_le_bytes()).take(length).collect()
}

fn settings() -> Settings {
    let mut settings = Settings::default();
    (settings.pause, settings.patience, settings.range) = (Duration::from_millis(1), Duration::from_secs(5), 1 << 20);
    settings
}

fn read_from(server: &Server) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    Stores::new(settings()).open(&server.address("/games.pgn"))?.reader.read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[track_caller]
fn check_read(length: usize, manner: &Manner) -> Server {
    let text = text(length);
    let server = Server::of(&text, manner.clone());
    assert!(read_from(&server).unwrap() == text, "{length} bytes, {manner:?}");
    server
}

#[track_caller]
fn check_failure(length: usize, manner: &Manner, expected: &str) -> Server {
    let server = Server::of(&text(length), manner.clone());
    let error = read_from(&server).unwrap_err().to_string();
    assert!(error.contains(expected), "{manner:?}: {error}");
    server
}

#[test]
fn files_of_any_size_are_read_with_ranges_and_without() {
    for length in [0, 1, 256 << 10, (256 << 10) + 1, 3 << 20, 10_000_001] {
        check_read(length, &Manner::default());
        check_read(length, &Manner { has_etag: false, ..Manner::default() });
        check_read(length, &Manner { sends_ranges: false, ..Manner::default() });
        check_read(length, &Manner { sends_ranges: false, is_chunked: true, ..Manner::default() });
    }
}

#[test]
fn a_connection_that_breaks_is_continued_where_it_broke() {
    for breaks in [1, 3, usize::MAX] {
        let server = check_read(5_000_000, &Manner { breaks_after: Some(100_000), breaks, ..Manner::default() });
        let is_asked = |range: &str| server.requests().iter().any(|request| request.to_lowercase().contains(range));
        assert!(is_asked("range: bytes=100000-262143\nif-match: \"1\""), "{:?}", server.requests());
    }
}

#[test]
fn a_stream_that_breaks_is_an_error_and_never_a_short_file() {
    let manner = Manner { sends_ranges: false, breaks_after: Some(1_000_000), ..Manner::default() };
    let expected = "the connection broke at byte 1000000 of 2000000, and the server sends no ranges of bytes";
    check_failure(2_000_000, &manner, expected);
    check_failure(
        2_000_000,
        &Manner { is_chunked: true, ..manner.clone() },
        "the connection broke at byte 1000000, and",
    );
    check_failure(2_000_000, &Manner { has_no_length: true, ..manner }, "does not say how long the file is");
}

#[test]
fn an_error_is_told_again_and_does_not_become_an_end() {
    let server = Server::of(&text(100_000), Manner { exaggerates: 1, ..Manner::default() });
    let mut reader = Stores::new(settings()).open(&server.address("/games.pgn")).unwrap().reader;
    let mut buffer = vec![0; 1 << 20];
    let first = loop {
        match reader.read(&mut buffer) {
            Ok(0) => panic!("an end"),
            Ok(_) => {}
            Err(error) => break error.to_string(),
        }
    };
    assert_eq!(reader.read(&mut buffer).unwrap_err().to_string(), first);
}

#[test]
fn a_server_that_lies_about_the_length_is_found_out() {
    let manner = Manner { exaggerates: 50, ..Manner::default() };
    check_failure(100_000, &manner, "cannot be read at byte 100000 of 100050, 8 times in a row");
    check_failure(3_000_000, &manner, "cannot be read at byte 3000000 of 3000050, 8 times in a row");
    check_failure(100_000, &Manner { sends_ranges: false, ..manner }, "the connection broke at byte 100000 of 100050");
}

#[test]
fn a_file_that_changes_meanwhile_is_an_error_and_no_mixture() {
    let manner = Manner { changes_after: 2, ..Manner::default() };
    let expected = "the file changed on the server while it was read";
    check_failure(3_000_000, &manner, expected);
    check_failure(3_000_000, &Manner { knows_conditions: false, ..manner }, expected);
}

#[test]
fn failures_that_pass_are_waited_for() {
    for status in [500, 503, 429, 408] {
        let server = check_read(1_000_000, &Manner { statuses: vec![status, status], ..Manner::default() });
        assert!(server.requests().len() >= 4);
    }
    let server = check_failure(10, &Manner { statuses: vec![503; 99], ..Manner::default() }, "(status 503)");
    assert_eq!(server.requests().len(), 8);
}

#[test]
fn failures_that_stay_are_told_at_once() {
    let cases = [
        (401, "needs credentials, or those that are given are wrong (status 401)"),
        (403, "must not be read with the credentials that are given (status 403)"),
        (404, "does not exist on the server (status 404)"),
        (400, "cannot be read from the server (status 400)"),
        (304, "is elsewhere, and the server does not say where (status 304)"),
    ];
    for (status, expected) in cases {
        let server = check_failure(10, &Manner { statuses: vec![status; 9], ..Manner::default() }, expected);
        assert_eq!(server.requests().len(), 1, "{status}");
    }
}

#[test]
fn servers_that_are_missing_are_told_soon() {
    let begun = Instant::now();
    let open = |address: &str| Stores::new(settings()).open(address).unwrap_err();
    // No program listens at a port that was free a moment ago.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let error = open(&format!("http://127.0.0.1:{port}/a.pgn?sig=secret"));
    assert_eq!(error.kind(), io::ErrorKind::NotConnected);
    assert!(error.to_string().starts_with("cannot be reached: "), "{error}");
    assert!(!error.to_string().contains("secret"), "{error}");
    assert!(begun.elapsed() < Duration::from_secs(4));
}

#[test]
fn a_server_that_is_slow_is_waited_for_and_one_that_sends_nothing_is_not() {
    check_read(400_000, &Manner { pause: Duration::from_millis(20), ..Manner::default() });
    let server = Server::of(&text(100), Manner { pause: Duration::from_secs(3), ..Manner::default() });
    let mut settings = settings();
    (settings.patience, settings.repeats) = (Duration::from_millis(300), 1);
    let mut bytes = Vec::new();
    let file = Stores::new(settings).open(&server.address("/games.pgn"));
    let error = file.and_then(|mut file| file.reader.read_to_end(&mut bytes)).unwrap_err().to_string();
    assert!(error.contains("at byte 0 of 100, 2 times in a row"), "{error}");
}

#[test]
fn a_reader_that_is_dropped_ends_its_requests() {
    let server = Server::of(&text(50_000_000), Manner { pause: Duration::from_millis(5), ..Manner::default() });
    let mut reader = Stores::new(settings()).open(&server.address("/games.pgn")).unwrap().reader;
    reader.read_exact(&mut [0; 1000]).unwrap();
    let begun = Instant::now();
    drop(reader);
    assert!(begun.elapsed() < Duration::from_secs(1));
    thread::sleep(Duration::from_millis(50));
    let count = server.requests().len();
    thread::sleep(Duration::from_millis(100));
    assert_eq!(server.requests().len(), count);
}

#[test]
fn bytes_are_read_at_any_offset_by_several_threads() {
    let text = text(5_500_000);
    let server = Server::of(&text, Manner { breaks_after: Some(700_000), ..Manner::default() });
    let bytes = Stores::new(settings()).open(&server.address("/games.pgn")).unwrap().bytes.unwrap();
    assert_eq!(bytes.length().unwrap(), 5_500_000);
    thread::scope(|scope| {
        for thread in 0..4 {
            let (bytes, text) = (&bytes, &text);
            scope.spawn(move || {
                for step in 0..40 {
                    let (start, length) = ((step * 7919 + thread * 1_234_567) % 5_400_000, 1 + step * 2000);
                    let end = (start + length).min(text.len());
                    let mut buffer = vec![0; end - start];
                    bytes.read_exact_at(&mut buffer, start as u64).unwrap();
                    assert!(buffer == text[start..end]);
                }
            });
        }
    });
    assert_eq!(bytes.read_at(&mut [0; 9], 5_500_000).unwrap(), 0);
    let mut last = [0; 9];
    assert_eq!(bytes.read_at(&mut last, 5_499_999).unwrap(), 1);
    // Each block is asked for once, but for the connections that broke.
    assert!(server.requests().len() < 30, "{}", server.requests().len());
    assert!(Stores::new(settings()).open(&server.address("/none.pgn")).is_err());
}

#[test]
fn a_server_without_ranges_has_no_bytes_at_any_offset() {
    let server = Server::of(b"1. e4 *", Manner { sends_ranges: false, ..Manner::default() });
    assert!(Stores::new(settings()).open(&server.address("/games.pgn")).unwrap().bytes.is_none());
}

#[test]
fn another_address_is_followed_and_does_not_get_the_password() {
    let text = text(2_000_000);
    let there = Server::of(&text, Manner::default());
    let redirect = Some(there.address("").replace("127.0.0.1", "localhost"));
    let here = Server::of(&text, Manner { redirect, ..Manner::default() });
    let address = here.address("/games.pgn").replace("http://", "http://me:pw@");
    let mut bytes = Vec::new();
    Stores::new(settings()).open(&address).unwrap().reader.read_to_end(&mut bytes).unwrap();
    assert!(bytes == text);
    assert!(here.requests()[0].to_lowercase().contains("authorization: basic bwu6chc="));
    assert!(!there.requests().iter().any(|request| request.to_lowercase().contains("authorization")));
}

#[test]
fn a_name_and_a_password_are_sent() {
    let manner = Manner { secret: Some("Basic bWU6cHc=".to_owned()), ..Manner::default() };
    let server = Server::of(b"1. e4 *", manner);
    let open = |user: &str| {
        Stores::new(settings()).open(&server.address("/games.pgn").replace("http://", &format!("http://{user}")))
    };
    let mut bytes = Vec::new();
    open("me:pw@").unwrap().reader.read_to_end(&mut bytes).unwrap();
    assert_eq!(bytes, b"1. e4 *");
    let error = open("me:wrong@").unwrap_err().to_string();
    assert!(error.starts_with("needs credentials") && !error.contains("wrong@"), "{error}");
}

#[test]
fn the_size_is_told_without_reading_the_file() {
    let server = Server::of(&text(1234), Manner::default());
    let stores = Stores::new(settings());
    assert_eq!(stores.size(&server.address("/games.pgn")).unwrap(), Some(1234));
    assert_eq!(stores.size(&server.address("/none.pgn")).unwrap_err().kind(), io::ErrorKind::NotFound);
    let signed = Server::of(&text(1234), Manner { statuses: vec![403; 9], ..Manner::default() });
    assert_eq!(stores.size(&signed.address("/games.pgn")).unwrap(), None);
    assert!(server.requests().iter().all(|request| request.starts_with("HEAD")));
}
