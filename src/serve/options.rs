//! The options of a server.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

/// The options of a [`Server`](crate::serve::Server).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServeOptions {
    /// The address to listen on. Port 0 stands for any free port. The default is 127.0.0.1:9002, which only this computer can reach.
    pub listen: SocketAddr,
    /// Names of the server that a Host header may have, besides the address itself and `localhost`: `NAME` with any port, or
    /// `NAME:PORT`. Requests with another Host header are refused, so that a web site cannot read an index through a name of its own that
    /// points to this computer (DNS rebinding).
    pub allow_hosts: Vec<String>,
    /// The greatest number of connections. Further ones get status 503 and are closed.
    pub connections: usize,
    /// The number of threads that search the index. 0 stands for the number of processors.
    pub threads: usize,
    /// The time after which a search is given up with status 503.
    pub patience: Duration,
    /// The time in which a client must send the head of a request, and in which it must take a part of an answer. A connection that is
    /// slower, or idle for longer, is closed.
    pub client_patience: Duration,
    /// The memory for answers that are kept, in bytes. As much is used for the names of players.
    pub cache: usize,
}

impl ServeOptions {
    /// The usual port of an opening explorer.
    pub const PORT: u16 = 9002;
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
            cache: 16 << 20,
        }
    }
}
