//! A small web server on this machine, which can do everything wrong.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// What a server does with each request for a file.
#[derive(Clone, Debug)]
pub struct Manner {
    /// Whether the header `Range` has an effect.
    pub sends_ranges: bool,
    /// The connection is closed when it has sent this many bytes of a file.
    pub breaks_after: Option<usize>,
    /// How many connections break; the others do not.
    pub breaks: usize,
    /// The pause before each 16 kilobytes.
    pub pause: Duration,
    /// The number of bytes that is told and not sent.
    pub exaggerates: usize,
    /// The number of answers with the first etag; the later ones have another.
    pub changes_after: usize,
    /// Whether an etag is sent.
    pub has_etag: bool,
    /// Whether the time of the last change is sent.
    pub has_time: bool,
    /// The number of answers with an etag and a time, if they are sent; the later ones have none.
    pub forgets_after: usize,
    /// Whether the header `If-Match` has an effect.
    pub knows_conditions: bool,
    /// The statuses of the first answers.
    pub statuses: Vec<u16>,
    /// Whether a file without ranges is sent in chunks, without its length.
    pub is_chunked: bool,
    /// Whether the length is left out, and the end of the connection is that of the file.
    pub has_no_length: bool,
    /// The address to which all requests are sent on.
    pub redirect: Option<String>,
    /// The value of the header `Authorization` that is asked for.
    pub secret: Option<String>,
}

impl Default for Manner {
    fn default() -> Self {
        Self {
            sends_ranges: true,
            breaks_after: None,
            breaks: usize::MAX,
            pause: Duration::ZERO,
            exaggerates: 0,
            changes_after: usize::MAX,
            has_etag: true,
            has_time: false,
            forgets_after: usize::MAX,
            knows_conditions: true,
            statuses: Vec::new(),
            is_chunked: false,
            has_no_length: false,
            redirect: None,
            secret: None,
        }
    }
}

/// A server. Dropping it ends it.
#[derive(Debug)]
pub struct Server {
    port: u16,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    files: HashMap<String, Vec<u8>>,
    manner: Manner,
    is_over: AtomicBool,
    /// The requests, with their headers.
    requests: Mutex<Vec<String>>,
    breaks: AtomicUsize,
}

impl Server {
    /// Serves a file as `/games.pgn`.
    ///
    /// # Panics
    ///
    /// The system gives no port.
    pub fn of(text: &[u8], manner: Manner) -> Self {
        Self::of_files([("/games.pgn", text.to_vec())], manner)
    }

    /// Serves files by their paths.
    pub fn of_files<const N: usize>(files: [(&str, Vec<u8>); N], manner: Manner) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let shared = Arc::new(Shared {
            files: files.into_iter().map(|(name, text)| (name.to_owned(), text)).collect(),
            breaks: AtomicUsize::new(manner.breaks),
            manner,
            is_over: AtomicBool::new(false),
            requests: Mutex::default(),
        });
        thread::spawn({
            let shared = Arc::clone(&shared);
            move || {
                for stream in listener.incoming() {
                    if shared.is_over.load(Ordering::SeqCst) {
                        break;
                    }
                    let shared = Arc::clone(&shared);
                    thread::spawn(move || shared.serve(&stream.unwrap()));
                }
            }
        });
        Self { port, shared }
    }

    /// Returns the address of a path.
    pub fn address(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// Returns the requests, with their headers.
    pub fn requests(&self) -> Vec<String> {
        self.shared.requests.lock().unwrap().clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for connections.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

impl Shared {
    /// Answers the requests of a connection, until it breaks.
    fn serve(&self, stream: &TcpStream) {
        let mut lines = BufReader::new(stream).lines();
        loop {
            let request: Vec<String> =
                lines.by_ref().map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
            if request.is_empty() || !self.answer(&request, stream) {
                let _ = stream.shutdown(std::net::Shutdown::Both);
                break;
            }
        }
    }

    /// Answers a request. Returns whether the connection goes on.
    fn answer(&self, request: &[String], mut stream: &TcpStream) -> bool {
        let number = {
            let mut requests = self.requests.lock().unwrap();
            requests.push(request.join("\n"));
            requests.len() - 1
        };
        let header = |name: &str| {
            let value = |line: &String| Some(line.split_once(": ")?.1.to_owned());
            let is_it = |line: &&String| line.to_lowercase().starts_with(&format!("{name}: "));
            request.iter().find(is_it).and_then(value)
        };
        let mut words = request[0].split(' ');
        let (method, path) = (words.next().unwrap(), words.next().unwrap());
        let manner = &self.manner;
        let mut head = |status: u16, more: &str| {
            let _ = write!(stream, "HTTP/1.1 {status} X\r\n{more}\r\n");
        };
        if let Some(status) = manner.statuses.get(number) {
            head(*status, "Content-Length: 0\r\n");
            return true;
        }
        if let Some(address) = &manner.redirect {
            head(302, &format!("Location: {address}{path}\r\nContent-Length: 0\r\n"));
            return true;
        }
        if manner.secret.is_some() && header("authorization") != manner.secret {
            head(401, "Content-Length: 0\r\n");
            return true;
        }
        let without_query = path.split('?').next().unwrap();
        let Some(file) = self.files.get(path).or_else(|| self.files.get(without_query)) else {
            head(404, "Content-Length: 0\r\n");
            return true;
        };
        let etag = if number < manner.changes_after { "\"1\"" } else { "\"2\"" };
        if manner.knows_conditions && header("if-match").is_some_and(|wanted| wanted != etag) {
            head(412, "Content-Length: 0\r\n");
            return true;
        }
        let knows = number < manner.forgets_after;
        let mut tag = if manner.has_etag && knows { format!("ETag: {etag}\r\n") } else { String::new() };
        if manner.has_time && knows {
            tag += "Last-Modified: Fri, 01 Mar 2024 10:00:00 GMT\r\n";
        }
        let told = file.len() + manner.exaggerates;
        let asked = header("range").filter(|_| manner.sends_ranges).map(|range| read_range(&range, told));
        let is_range = asked.is_some();
        let range = asked.unwrap_or(0..told);
        if is_range && range.start >= told {
            head(416, &format!("Content-Range: bytes */{told}\r\nContent-Length: 0\r\n"));
            return true;
        }
        let bytes = &file[range.start.min(file.len())..range.end.min(file.len())];
        // This is chosen before the head is sent, because the client sends more requests then.
        let sent = if method == "HEAD" { 0 } else { self.sent(bytes.len()) };
        if is_range {
            let place = format!("Content-Range: bytes {}-{}/{told}\r\n", range.start, range.end - 1);
            head(206, &format!("{place}Content-Length: {}\r\n{tag}", range.len()));
        } else {
            let length = match (manner.is_chunked, manner.has_no_length) {
                (true, _) => "Transfer-Encoding: chunked\r\n".to_owned(),
                (_, true) => "Connection: close\r\n".to_owned(),
                _ => format!("Content-Length: {told}\r\n"),
            };
            head(200, &format!("{length}{tag}"));
        }
        method == "HEAD" || self.send(&bytes[..sent], sent == range.len(), stream)
    }

    /// Returns how many of these bytes are sent before the connection breaks.
    fn sent(&self, length: usize) -> usize {
        let takes_break =
            || self.breaks.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok();
        self.manner.breaks_after.filter(|most| length > *most && takes_break()).unwrap_or(length)
    }

    /// Sends the bytes of a file. Returns whether the connection goes on.
    fn send(&self, bytes: &[u8], is_whole: bool, mut stream: &TcpStream) -> bool {
        let manner = &self.manner;
        for part in bytes.chunks(16 << 10) {
            thread::sleep(manner.pause);
            let sent = if manner.is_chunked {
                write!(stream, "{:x}\r\n", part.len())
                    .and_then(|()| stream.write_all(part))
                    .and_then(|()| write!(stream, "\r\n"))
            } else {
                stream.write_all(part)
            };
            if sent.is_err() {
                return false;
            }
        }
        if manner.is_chunked && is_whole {
            let _ = write!(stream, "0\r\n\r\n");
        }
        is_whole && !manner.has_no_length
    }
}

/// Reads the value of the header `Range`.
fn read_range(value: &str, length: usize) -> Range<usize> {
    let (start, last) = value.strip_prefix("bytes=").unwrap().split_once('-').unwrap();
    let last: usize = last.parse().unwrap();
    start.parse().unwrap()..(last + 1).min(length)
}
