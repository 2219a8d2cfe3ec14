//! A web server on this machine that sends any bytes as its answers: ones that do not end, that come slowly, or whose
//! end nothing marks.

use std::fmt;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// An answer. The connection ends behind it, but for one that is [whole](Self::whole).
pub struct RawAnswer {
    head: String,
    parts: Box<dyn Iterator<Item = Vec<u8>> + Send>,
    pause: Duration,
    is_whole: bool,
}

impl fmt::Debug for RawAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RawAnswer").field("head", &self.head).finish_non_exhaustive()
    }
}

impl RawAnswer {
    /// An answer with this head, whose lines end with a line break, and these parts.
    pub fn of(head: &str, parts: impl Iterator<Item = Vec<u8>> + Send + 'static) -> Self {
        let head = head.trim_end().replace('\n', "\r\n") + "\r\n";
        Self { head, parts: Box::new(parts), pause: Duration::ZERO, is_whole: false }
    }

    /// An answer with a body and its length. Lines of the head may stand behind the status.
    pub fn whole(status: &str, body: &str) -> Self {
        let head = format!("HTTP/1.1 {status}\nContent-Length: {}\n", body.len());
        Self { is_whole: true, ..Self::of(&head, std::iter::once(body.as_bytes().to_vec())) }
    }

    /// An answer in chunks without an end. The first chunk is `first`, and all others are `next`.
    pub fn endless(status: &str, first: &str, next: &str) -> Self {
        let chunk = |text: &str| format!("{:x}\r\n{text}\r\n", text.len()).into_bytes();
        let (first, next) = (chunk(first), chunk(next));
        let head = format!("HTTP/1.1 {status}\nTransfer-Encoding: chunked\n");
        Self::of(&head, std::iter::once(first).chain(std::iter::repeat(next)))
    }

    /// The same answer with a pause before each part.
    #[must_use]
    pub fn with_pause(self, pause: Duration) -> Self {
        Self { pause, ..self }
    }
}

/// A server. Dropping it ends it.
#[derive(Debug)]
pub struct RawServer {
    port: u16,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    is_over: AtomicBool,
    sent: AtomicU64,
    requests: Mutex<Vec<String>>,
}

impl RawServer {
    /// Answers requests. The function gets the number of the request, from 0, and its head.
    ///
    /// # Panics
    ///
    /// The system gives no port.
    pub fn new(answer: impl Fn(usize, &str) -> RawAnswer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (shared, answer) = (Arc::<Shared>::default(), Arc::new(answer));
        thread::spawn({
            let shared = Arc::clone(&shared);
            move || {
                for stream in listener.incoming() {
                    if shared.is_over.load(Ordering::SeqCst) {
                        break;
                    }
                    let (shared, answer) = (Arc::clone(&shared), Arc::clone(&answer));
                    thread::spawn(move || shared.serve(&stream.unwrap(), &*answer));
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

    /// Returns the number of bytes of bodies that were sent.
    pub fn sent(&self) -> u64 {
        self.shared.sent.load(Ordering::SeqCst)
    }
}

impl Drop for RawServer {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for connections.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

impl Shared {
    /// Answers the requests of a connection, until it ends, nobody listens or the server is dropped.
    fn serve(&self, stream: &TcpStream, answer: &dyn Fn(usize, &str) -> RawAnswer) {
        // Otherwise the system waits for more before it sends what is small.
        stream.set_nodelay(true).unwrap();
        let mut lines = BufReader::new(stream).lines();
        loop {
            let lines = lines.by_ref().map_while(Result::ok);
            let request: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
            if request.is_empty() || !self.send(answer, &request.join("\n"), stream) {
                break;
            }
        }
    }

    /// Answers a request. Returns whether the connection goes on.
    fn send(&self, answer: &dyn Fn(usize, &str) -> RawAnswer, request: &str, mut stream: &TcpStream) -> bool {
        let number = {
            let mut requests = self.requests.lock().unwrap();
            requests.push(request.to_owned());
            requests.len() - 1
        };
        let RawAnswer { head, parts, pause, is_whole } = answer(number, request);
        let end = if is_whole { "" } else { "Connection: close\r\n" };
        let _ = write!(stream, "{head}{end}\r\n");
        for part in parts {
            thread::sleep(pause);
            if self.is_over.load(Ordering::SeqCst) || stream.write_all(&part).is_err() {
                return false;
            }
            self.sent.fetch_add(part.len() as u64, Ordering::SeqCst);
        }
        is_whole
    }
}
