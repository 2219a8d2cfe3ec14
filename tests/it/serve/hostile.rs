//! Requests that are refused, and clients that misbehave.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use pgn2fen_explorer::ServeOptions;

use crate::laws::sweeps;
use crate::serve::{Running, index};

const GAME: &str = "[Result \"1-0\"]\n\n1. e4 e5 1-0\n";

#[track_caller]
fn check(server: &Running, request: &str, status: u16, reason: &str) {
    let request = request.replace("HOST", &server.address.to_string());
    let answer = server.send(request.as_bytes());
    let shown: String = request.chars().take(200).collect();
    assert_eq!(answer.status, status, "{shown}: {answer:?}");
    assert!(answer.text.contains(reason), "{shown}: {answer:?}");
    for header in [
        "content-security-policy: default-src 'none'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "x-frame-options: deny",
    ] {
        assert!(answer.headers.contains(header), "{shown}: {answer:?}");
    }
}

#[test]
fn what_makes_no_sense_is_refused_with_a_line() {
    let desk = index(GAME);
    let server = Running::start(&[&desk.path("games.idx")]);
    for (path, status, reason) in [
        ("/masters?fen=x", 400, "fen: "),
        ("/masters?play=e2e5", 400, "play: move 1 is not legal"),
        ("/masters?fen=%zz", 400, "two hexadecimal digits"),
        ("/masters?fen=%ff", 400, "not UTF-8"),
        ("/masters?moves=-1", 400, "moves: not a number"),
        ("/masters?moves=1&moves=1", 400, "moves: given twice"),
        ("/lichess?ratings=7", 400, "ratings: \"7\" is not a group"),
        ("/api/explore?tags=Nonsense", 400, "tags: "),
        ("/api/explore?text=Ke9", 400, "not a move\n    Ke9\n    ^^^"),
        ("/api/explore?text=e4&play=e2e4", 400, "text: give either"),
        ("/masters/pgn/00000002", 404, "no game"),
        ("/masters/pgn/0", 404, "no game"),
        ("/masters/pgn/..%2f..%2f..%2fetc%2fpasswd", 404, "no game"),
        ("/masters/pgn/../../../etc/passwd", 404, "nothing at this address"),
        ("/../Cargo.toml", 404, "nothing at this address"),
        ("//etc/passwd", 404, "nothing at this address"),
        ("/players", 404, "nothing at this address"),
        ("/masters/", 404, "nothing at this address"),
        ("/%00", 404, "nothing at this address"),
    ] {
        check(&server, &format!("GET {path} HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n"), status, reason);
    }
    let moves = "g1f3,g8f6,f3g1,f6g8,".repeat(100);
    assert_eq!(server.get(&format!("/masters?play={moves}e2e4")).status, 200);
    for (length, status) in [(16_000, 400), (17_000, 414), (60_000, 414)] {
        let play = "e2e4,".repeat(length / 5);
        check(
            &server,
            &format!("GET /masters?play={play} HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n"),
            status,
            "",
        );
    }
    // The server closes the connection while the client still sends, so its answer may be lost.
    let header = format!("GET / HTTP/1.1\r\nHost: {}\r\nX: {}\r\n\r\n", server.address, "x".repeat(2_000_000));
    assert!(matches!(server.send(header.as_bytes()).status, 431 | 0));
    assert_eq!(server.get("/masters").status, 200);
    assert_eq!(server.messages(), [""; 0]);
}

#[test]
fn only_reading_methods_are_answered() {
    let desk = index(GAME);
    let server = Running::start(&[&desk.path("games.idx")]);
    for path in [
        "/",
        "/masters",
        "/lichess",
        "/api/index",
        "/masters/pgn/00000001",
        "/board.js",
        "/explorer.js",
        "/explorer.css",
        "/common.css",
        "/view.js",
    ] {
        let (get, head) = (server.get(path), server.request("HEAD", path, ""));
        assert_eq!((get.status, head.status, head.text.len()), (200, 200, 0), "{path}");
        assert!(!get.text.is_empty());
        for method in ["POST", "PUT", "DELETE", "PATCH", "TRACE", "NONSENSE"] {
            let answer = server.request(method, path, "Content-Length: 0\r\n");
            assert_eq!(answer.status, 405, "{method} {path}");
            assert!(answer.headers.contains("allow: get,head"), "{answer:?}");
        }
        let is_for_all = path.starts_with("/masters") || path == "/lichess";
        assert_eq!(get.headers.contains("access-control-allow-origin: *"), is_for_all, "{path}");
        let preflight =
            server.request("OPTIONS", path, "Origin: https://chess.example\r\nAccess-Control-Request-Method: GET\r\n");
        assert_eq!(preflight.status, if is_for_all { 204 } else { 405 }, "{path}");
        assert_eq!(preflight.headers.contains("access-control-allow-methods: get, head, options"), is_for_all);
    }
    // Errors can be read by scripts, too.
    assert!(server.get("/masters?fen=x").headers.contains("access-control-allow-origin: *"));
}

#[test]
fn names_that_no_host_has_cannot_be_allowed() {
    let desk = index(GAME);
    for name in ["", " ", "http://chess.example/", "chess.example/", "me@chess.example"] {
        let ran =
            desk.run(&["serve", "--port", "0", "--allow-host", "chess.example:80", "--allow-host", name, "games.idx"]);
        let reason = format!("pgn2fen: --allow-host: {name:?} is not the name of a host; write chess.example.org or ");
        assert!(ran.stderr.starts_with(&reason) && ran.code == Some(2), "{name}: {}", ran.stderr);
    }
}

#[test]
fn requests_through_another_name_or_from_another_site_are_refused() {
    let desk = index(GAME);
    let server =
        Running::with(&[&desk.path("games.idx")], |options| options.allow_hosts = vec!["chess.example".to_owned()]);
    let port = server.address.port();
    for (host, status) in [
        (format!("127.0.0.1:{port}"), 200),
        (format!("localhost:{port}"), 200),
        (format!("[::1]:{port}"), 200),
        ("chess.example".to_owned(), 200),
        (format!("evil.example:{port}"), 421),
        ("localhost".to_owned(), 200),
        ("localhost:8080".to_owned(), 200),
        (String::new(), 421),
        (format!("localhost:{port}\r\nHost: evil.example"), 400),
    ] {
        for path in ["/", "/masters", "/api/index", "/nothing"] {
            let status = if path == "/nothing" && status == 200 { 404 } else { status };
            check(&server, &format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"), status, "");
        }
    }
    check(&server, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400, "Host");
    check(&server, "GET / HTTP/1.0\r\n\r\n", 400, "Host");
    check(&server, "GET http://evil.example/masters HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n", 421, "Host");
    for (header, status) in [
        ("Sec-Fetch-Site: same-origin\r\n".to_owned(), 200),
        ("Sec-Fetch-Site: none\r\n".to_owned(), 200),
        ("Sec-Fetch-Site: cross-site\r\n".to_owned(), 403),
        ("Sec-Fetch-Site: same-site\r\n".to_owned(), 403),
        ("Origin: https://evil.example\r\n".to_owned(), 403),
        ("Origin: null\r\n".to_owned(), 403),
        (format!("Origin: http://127.0.0.1:{port}\r\n"), 200),
    ] {
        assert_eq!(server.request("GET", "/api/index", &header).status, status, "{header}");
        assert_eq!(server.request("GET", "/masters", &header).status, 200, "{header}");
    }
}

#[test]
fn bytes_that_are_not_http_close_the_connection_only() {
    let desk = index(GAME);
    let server = Running::start(&[&desk.path("games.idx")]);
    let mut bytes = Vec::new();
    for round in 0u32..200 {
        bytes.extend(round.wrapping_mul(2_654_435_761).to_le_bytes());
        let answer = server.send(&[&bytes[..], b"\r\n\r\n"].concat());
        assert!(answer.status == 400 || answer.status == 0, "{answer:?}");
    }
    // A body is not read.
    let mut request =
        format!("GET /masters HTTP/1.1\r\nHost: {}\r\nContent-Length: 1000000000\r\n\r\n", server.address).into_bytes();
    request.resize(request.len() + 100_000, b'x');
    let mut stream = server.connect();
    let _ = stream.write_all(&request);
    let mut head = [0; 12];
    stream.read_exact(&mut head).unwrap();
    assert_eq!(&head, b"HTTP/1.1 200");
    assert_eq!(server.get("/masters").status, 200);
    assert_eq!(server.messages(), [""; 0]);
}

#[test]
fn connections_beyond_the_limit_are_refused_and_slow_ones_are_closed() {
    let desk = index(GAME);
    let patience = Duration::from_millis(800);
    let server = Running::with(&[&desk.path("games.idx")], |options| {
        options.connections = 20;
        options.client_patience = patience;
    });
    // These send a part of a request and then nothing.
    let mut slow: Vec<_> = (0..20).map(|_| server.connect()).collect();
    slow.iter_mut().for_each(|stream| stream.write_all(b"GET /masters HTTP/1.1\r\nHo").unwrap());
    let started = Instant::now();
    let mut refused = 0;
    while started.elapsed() < patience / 2 {
        let answer = server.get("/masters");
        refused += u32::from(answer.status == 503 && answer.text == "there are too many connections.\n");
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(refused > 0);
    for mut stream in slow {
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
        assert!(rest.is_empty() || rest.starts_with(b"HTTP/1.1 408"), "{:?}", String::from_utf8_lossy(&rest));
    }
    let is_answered = || server.get("/masters").status == 200;
    assert!((0..100).any(|_| is_answered() || {
        std::thread::sleep(Duration::from_millis(50));
        false
    }));
}

/// Runs a server with these options and asks it. Returns the status, or 0 if the connection is closed without an
/// answer.
fn status_with(desk: &crate::cli::Desk, change: impl FnOnce(&mut ServeOptions)) -> u16 {
    let server = Running::with(&[&desk.path("games.idx")], change);
    let status = server.get("/masters").status;
    assert!(server.messages().is_empty(), "{:?}", server.messages());
    status
}

#[test]
fn options_may_have_any_number() {
    let desk = index(GAME);
    for number in [usize::MAX, usize::MAX >> 3, usize::MAX >> 4, u32::MAX as usize, 1, 2] {
        assert_eq!(status_with(&desk, |options| options.connections = number), 200, "{number} connections");
        assert_eq!(status_with(&desk, |options| options.threads = number), 200, "{number} threads");
        assert_eq!(status_with(&desk, |options| options.cache = number), 200, "{number} bytes");
    }
    for time in [Duration::MAX, Duration::from_secs(u64::MAX), Duration::from_secs(1 << 40), Duration::from_secs(30)] {
        assert_eq!(status_with(&desk, |options| options.patience = time), 200, "{time:?}");
        assert_eq!(status_with(&desk, |options| options.client_patience = time), 200, "{time:?}");
    }
    // The connection is closed although a request is there, so the answer may be lost.
    assert!(matches!(status_with(&desk, |options| options.connections = 0), 0 | 503));
    assert_eq!(status_with(&desk, |options| options.threads = 0), 200);
    assert_eq!(status_with(&desk, |options| options.cache = 0), 200);
    assert_eq!(status_with(&desk, |options| options.patience = Duration::ZERO), 503);
    // A client has no time to send its request. It may be there already.
    assert!(matches!(status_with(&desk, |options| options.client_patience = Duration::ZERO), 0 | 200 | 408));
}

#[test]
fn thousands_of_connections_leave_the_server_well() {
    let desk = index(GAME);
    let server = Running::start(&[&desk.path("games.idx")]);
    let mut kept = Vec::new();
    for number in 0..if sweeps() { 10_000 } else { 3_000 } {
        // So many stay open that the limit is reached; the others are closed at once.
        let Ok(stream) = std::net::TcpStream::connect(server.address) else { continue };
        if number % 20 == 0 && kept.len() < 400 {
            kept.push(stream);
        }
    }
    drop(kept);
    let is_answered = || server.get("/masters").status == 200;
    assert!((0..100).any(|_| is_answered() || {
        std::thread::sleep(Duration::from_millis(50));
        false
    }));
}
