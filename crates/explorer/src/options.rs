//! The options of a server.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use pgn2fen_games::players::Players;

/// The options of a [`Server`](crate::Server).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServeOptions {
    /// The address to listen on. Port 0 stands for any free port. The default is 127.0.0.1:9002, which only this
    /// computer can reach.
    pub listen: SocketAddr,
    /// Names of the server that a Host header may have, besides the address itself and `localhost`: `NAME` with any
    /// port, or `NAME:PORT`. Requests with another Host header are refused, so that a web site cannot read an index
    /// through a name of its own that points to this computer (DNS rebinding).
    pub allow_hosts: Vec<String>,
    /// The greatest number of connections, of which there can be about a million. Further ones get status 503 and are
    /// closed.
    pub connections: usize,
    /// The number of threads that search the index, about a million at most. 0 stands for four for each processor, so
    /// that short searches do not wait for long ones.
    pub threads: usize,
    /// The time after which a search is given up with status 503, a year at most.
    pub patience: Duration,
    /// The time in which a client must send the head of a request, and in which it must take a part of an answer, a
    /// year at most. A connection that is slower, or idle for longer, is closed.
    pub client_patience: Duration,
    /// The memory for answers that are kept, in bytes. Twice as much is used for the texts of games, such as the names
    /// of players.
    pub cache: usize,
    /// A folder whose files are served under `/site/`, such as the built page that opens PGN files in the browser. It
    /// must have an `index.html`. Only plain files directly in it are served, as they are when the server starts.
    pub site: Option<PathBuf>,
    /// The players under several names, whom filters find under all of them. Only their main names are suggested. The
    /// names in lists of games are those of the index.
    pub players: Players,
}

/// The greatest number of connections and of threads. More files cannot be open on any usual system.
const MOST: usize = 1 << 20;

/// The longest time. Sums of times and clocks have a limit.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 60 * 60);

impl ServeOptions {
    /// The usual port of an opening explorer.
    pub const PORT: u16 = 9002;

    /// Returns the options with the greatest numbers and times that can be used in place of greater ones.
    pub(super) fn limited(self) -> Self {
        Self {
            connections: self.connections.min(MOST),
            threads: self.threads.min(MOST),
            patience: self.patience.min(LONGEST),
            client_patience: self.client_patience.min(LONGEST),
            ..self
        }
    }
}

impl Default for ServeOptions {
    fn default() -> Self {
        Self {
            listen: (Ipv4Addr::LOCALHOST, Self::PORT).into(),
            allow_hosts: Vec::new(),
            connections: 512,
            threads: 0,
            patience: Duration::from_secs(10),
            client_patience: Duration::from_secs(20),
            cache: 32 << 20,
            site: None,
            players: Players::default(),
        }
    }
}
