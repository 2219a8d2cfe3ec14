//! The server: listens, accepts connections, and stops.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{sleep, timeout};

use crate::folder;
use crate::hosts::Hosts;
use crate::index_set::Indexes;
use crate::message::{Message, ServeError};
use crate::options::ServeOptions;
use crate::routes::{Local, routes};
use crate::site::Site;
use crate::timeout_stream::TimeoutStream;

/// The number of bytes beyond which a connection reads no more of the head of a request. It is compared between reads,
/// and a read may fill a buffer of twice this size.
const BUFFER: usize = 64 * 1024;

/// The number of searches at the same time for each processor, if it is not chosen.
const SEARCHES: usize = 4;

/// The time after which connections are accepted again if that failed.
const PAUSE: Duration = Duration::from_millis(250);

/// The least time between two messages that connections cannot be accepted.
const REPORT_EVERY: Duration = Duration::from_secs(60);

/// The time in which the requests that are being answered must end when the server is stopped.
const FAREWELL: Duration = Duration::from_secs(5);

/// The answer to connections beyond the limit.
const FULL: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 32\r\n\
    Connection: close\r\n\r\nthere are too many connections.\n";

/// A server that listens for connections. [`run`](Self::run) answers them.
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    address: SocketAddr,
    site: Arc<Site>,
    router: Router,
    options: ServeOptions,
    stop: watch::Sender<bool>,
}

/// Stops a server, from any thread.
#[derive(Clone, Debug)]
pub struct Stopper(watch::Sender<bool>);

impl Stopper {
    /// Stops the server. It accepts no more connections, and ends when the requests that it has begun are answered,
    /// after five seconds at the latest.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("address", &self.address).field("options", &self.options).finish_non_exhaustive()
    }
}

impl Server {
    /// Opens the indexes in these folders and listens. Connections wait until [`run`](Self::run) is called. `report` is
    /// called with each message, on any thread.
    ///
    /// # Errors
    ///
    /// Fails if there is no index in a folder, if an index or the folder of the site cannot be read, if a name that is
    /// allowed is not that of a host, or if another program uses the address.
    pub fn bind(
        folders: Vec<PathBuf>,
        options: ServeOptions,
        report: impl Fn(&Message) + Send + Sync + 'static,
    ) -> Result<Self, ServeError> {
        if folders.is_empty() {
            return Err(ServeError::NoIndex);
        }
        let hosts = Hosts::new(&options.allow_hosts)?;
        let options = options.limited();
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if options.threads == 0 { SEARCHES * processors } else { options.threads };
        let runtime = Builder::new_multi_thread()
            .worker_threads(threads.min(processors).min(4))
            .max_blocking_threads(threads)
            .thread_name("pgn2fen serve")
            .enable_io()
            .enable_time()
            .build()
            .map_err(ServeError::Threads)?;
        let indexes = Indexes::open(folders, options.cache, options.players.clone())?;
        let files = options.site.as_deref().map(folder::read).transpose()?.unwrap_or_default();
        let site = Arc::new(Site { indexes, report: Box::new(report) });
        let refused = |error| ServeError::Address(options.listen, error);
        let listener = runtime.block_on(TcpListener::bind(options.listen)).map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let router = routes(Arc::clone(&site), threads, options.patience, hosts, files);
        Ok(Self { runtime, listener, address, site, router, options, stop: watch::Sender::new(false) })
    }

    /// Returns the address at which the server listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns a value that stops the server.
    pub fn stopper(&self) -> Stopper {
        Stopper(self.stop.clone())
    }

    /// Answers requests until the server is stopped.
    pub fn run(self) {
        let Self { runtime, listener, site, router, options, stop, .. } = self;
        let connections = Arc::new(Semaphore::new(options.connections));
        runtime.block_on(async {
            let acceptor = Acceptor { site, router, options: options.clone(), stop: stop.subscribe(), connections };
            let connections = Arc::clone(&acceptor.connections);
            let accepting = tokio::spawn(acceptor.accept(listener));
            // Fails only if all senders are gone, but one of them is here.
            let _ = stop.subscribe().wait_for(|is_stopped| *is_stopped).await;
            accepting.abort();
            let most = u32::try_from(options.connections).unwrap_or(u32::MAX);
            let _ = timeout(FAREWELL, connections.acquire_many(most)).await;
        });
        // A search that does not end must not keep the process.
        runtime.shutdown_timeout(Duration::from_millis(100));
    }
}

/// What accepts connections.
struct Acceptor {
    site: Arc<Site>,
    router: Router,
    options: ServeOptions,
    stop: watch::Receiver<bool>,
    /// A permit for each connection.
    connections: Arc<Semaphore>,
}

impl Acceptor {
    async fn accept(self, listener: TcpListener) {
        let mut reported: Option<Instant> = None;
        loop {
            match listener.accept().await {
                Ok((stream, _)) => {
                    match Arc::clone(&self.connections).try_acquire_owned() {
                        Ok(permit) => self.open(stream, permit),
                        Err(_) => {
                            // The answer fits into the buffer of any new connection.
                            let _ = stream.try_write(FULL);
                        }
                    }
                }
                Err(error) if is_of_one_connection(&error) => {}
                Err(error) => {
                    // Too many open files, for example. It would fail again at once.
                    if reported.is_none_or(|reported| reported.elapsed() >= REPORT_EVERY) {
                        reported = Some(Instant::now());
                        (self.site.report)(&Message::NotAccepted { reason: error.to_string() });
                    }
                    sleep(PAUSE).await;
                }
            }
        }
    }

    /// Answers the requests of a connection on a task of its own.
    fn open(&self, stream: TcpStream, permit: OwnedSemaphorePermit) {
        let Ok(local) = stream.local_addr() else {
            return;
        };
        // Answers are small; they should not wait for more.
        let _ = stream.set_nodelay(true);
        let stream = TokioIo::new(TimeoutStream::new(stream, self.options.client_patience));
        let router = TowerToHyperService::new(self.router.clone());
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(Local(local));
            router.call(request)
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.options.client_patience)
            .max_buf_size(BUFFER)
            .serve_connection(stream, service);
        let mut stop = self.stop.clone();
        tokio::spawn(async move {
            let _permit = permit;
            let mut connection = pin!(connection);
            let mut stopped = pin!(stop.wait_for(|is_stopped| *is_stopped));
            let mut is_told = false;
            // An error is a client that has gone, was too slow, or sent something other than HTTP.
            let _ = std::future::poll_fn(|context| {
                if !is_told && stopped.as_mut().poll(context).is_ready() {
                    is_told = true;
                    connection.as_mut().graceful_shutdown();
                }
                match connection.as_mut().poll(context) {
                    Poll::Ready(ended) => Poll::Ready(ended),
                    Poll::Pending => Poll::Pending,
                }
            })
            .await;
        });
    }
}

/// Whether an error concerns only the connection that was to be accepted.
fn is_of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
