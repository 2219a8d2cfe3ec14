//! The threads and the connections of the process.

use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::io;
use std::sync::{Arc, Mutex};

use object_store::client::{HttpClient, HttpConnector};
use object_store::{ClientOptions, ObjectStore};
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::JoinHandle;

use crate::cause::cause;
use crate::connector::{CONNECT, Connector};
use crate::guard::Pace;
use crate::locks::lock;
use crate::redirect::Scope;
use crate::settings::Settings;

/// The threads, connections and stores.
pub(crate) struct Core {
    /// `None` while this is dropped.
    runtime: Option<Runtime>,
    encrypted: HttpClient,
    plain: HttpClient,
    pub(crate) stores: Mutex<HashMap<String, Arc<dyn ObjectStore>>>,
    /// The sizes of files that are known.
    sizes: Mutex<HashMap<String, u64>>,
}

impl fmt::Debug for Core {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Core").finish_non_exhaustive()
    }
}

/// The number of threads that wait for connections.
const THREADS: usize = 2;

/// The most sizes that are remembered.
const MOST_SIZES: usize = 1 << 20;

impl Core {
    pub(crate) fn new(settings: &Settings) -> io::Result<Self> {
        // Another part of the program may have chosen how TLS is computed.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let runtime = Builder::new_multi_thread().worker_threads(THREADS).thread_name("remote").enable_all().build()?;
        let connect = |is_plain| {
            let options =
                ClientOptions::new().with_connect_timeout(settings.patience.min(CONNECT)).with_allow_http(is_plain);
            let connector = Connector { scope: Scope::Web, pace: Pace::of(settings), pages: None };
            connector.connect(&options).map_err(|error| io::Error::other(cause(&error)))
        };
        let (encrypted, plain) = (connect(false)?, connect(true)?);
        let (stores, sizes) = Default::default();
        Ok(Self { runtime: Some(runtime), encrypted, plain, stores, sizes })
    }

    /// Returns the client for encrypted connections, or for others.
    pub(crate) fn client(&self, is_plain: bool) -> &HttpClient {
        if is_plain { &self.plain } else { &self.encrypted }
    }

    fn runtime(&self) -> io::Result<&Runtime> {
        self.runtime.as_ref().ok_or_else(|| io::Error::other("the connections are closed"))
    }

    /// Waits for a result. Fails on a thread of tokio, which must not wait.
    pub(crate) fn wait<T>(&self, result: impl Future<Output = T>) -> io::Result<T> {
        if Handle::try_current().is_ok() {
            return Err(io::Error::other("cannot be read on a thread of tokio; use spawn_blocking"));
        }
        Ok(self.runtime()?.block_on(result))
    }

    /// Begins a task, which ends when the result is dropped.
    pub(crate) fn begin<T: Send + 'static>(
        &self,
        task: impl Future<Output = T> + Send + 'static,
    ) -> io::Result<Task<T>> {
        Ok(Task(self.runtime()?.spawn(task)))
    }

    /// Notes the sizes of files.
    pub(crate) fn remember(&self, files: &[(String, u64)]) {
        let mut sizes = lock(&self.sizes);
        let room = MOST_SIZES.saturating_sub(sizes.len());
        sizes.extend(files.iter().take(room).cloned());
    }

    /// Returns the size of a file, if it is known.
    pub(crate) fn size(&self, address: &str) -> Option<u64> {
        lock(&self.sizes).get(address).copied()
    }
}

impl Drop for Core {
    fn drop(&mut self) {
        // The last owner may be a task.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// A task that ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Task<T>(JoinHandle<T>);

impl<T> Task<T> {
    /// Returns the result of the task.
    pub(crate) async fn result(mut self) -> io::Result<T> {
        (&mut self.0).await.map_err(|error| io::Error::other(format!("the task that reads the file failed: {error}")))
    }
}

impl<T> Drop for Task<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}
