//! The explorer over HTTP: what it answers, and what it refuses.

mod counting;
mod databases;
mod hostile;
mod hot;
mod living;
mod names;
mod site;
mod start;
mod tags;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use pgn2fen_explorer::{Message, ServeOptions, Server, Stopper};
use serde_json::Value;

use crate::cli::Desk;

/// A server that runs on threads of the test.
pub(crate) struct Running {
    address: SocketAddr,
    stopper: Stopper,
    thread: Option<JoinHandle<()>>,
    messages: Arc<Mutex<Vec<String>>>,
}

/// An answer: its status, its headers in lower case, and its text.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: String,
    pub(crate) text: String,
}

impl Running {
    pub(crate) fn start(folders: &[&Path]) -> Self {
        Self::with(folders, |_| {})
    }

    fn with(folders: &[&Path], change: impl FnOnce(&mut ServeOptions)) -> Self {
        let mut options = ServeOptions { listen: ([127, 0, 0, 1], 0).into(), ..ServeOptions::default() };
        change(&mut options);
        let messages = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&messages);
        let folders = folders.iter().map(|folder| (*folder).to_owned()).collect();
        let report = move |message: &Message| heard.lock().unwrap().push(message.to_string());
        let server = Server::bind(folders, options, report).unwrap();
        let (address, stopper) = (server.address(), server.stopper());
        Self { address, stopper, thread: Some(thread::spawn(|| server.run())), messages }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Sends bytes and reads until the server closes the connection.
    fn send(&self, bytes: &[u8]) -> Answer {
        let mut stream = self.connect();
        // The server may answer and close before it has read everything.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        Answer::read(&answer)
    }

    fn request(&self, method: &str, path: &str, headers: &str) -> Answer {
        let address = self.address;
        let text = format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{headers}\r\n");
        self.send(text.as_bytes())
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.request("GET", path, "")
    }

    /// The answer to a request that makes sense.
    #[track_caller]
    pub(crate) fn json(&self, path: &str) -> Value {
        serde_json::from_str(&self.text(path)).unwrap()
    }

    /// The text of an answer to a request that makes sense.
    #[track_caller]
    fn text(&self, path: &str) -> String {
        let answer = self.get(path);
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        answer.text
    }

    fn messages(&self) -> Vec<String> {
        self.messages.lock().unwrap().clone()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stopper.stop();
        let ended = self.thread.take().unwrap().join();
        assert!(ended.is_ok() || thread::panicking());
    }
}

impl Answer {
    fn read(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Self { status, headers: head.to_lowercase(), text: body.to_owned() }
    }
}

/// An index of one file with this text, in the folder `games.idx` of a desk.
fn index(text: &str) -> Desk {
    let desk = Desk::with(&[("games.pgn", text.as_bytes())]);
    assert_eq!(desk.run(&["index", "-q", "--exit-zero", "-o", "games.idx", "games.pgn"]).code, Some(0));
    desk
}
