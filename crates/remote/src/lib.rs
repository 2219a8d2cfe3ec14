//! Files behind addresses: `https://`, `s3://`, `gs://`, `az://`, `abfs://` and `hf://`, for programs that read games
//! with the crates of pgn2fen.
//!
//! A program calls [`install`] when it starts. From then on, an address can be given wherever a path of a file with
//! games is expected.
//!
//! ```
//! use pgn2fen_games::database::Source;
//!
//! pgn2fen_remote::install();
//! let error = Source::open("s3://games".as_ref(), true, None).unwrap_err();
//! assert_eq!(error.to_string(), "names a bucket, but no file in it; write s3://bucket/path");
//! ```
//!
//! A file is read in ranges of bytes, several of which are under way at once. If a connection breaks, its range is
//! continued at the byte where it broke, after a pause. All ranges are of the same version of the file: if it changes,
//! reading ends with an error. A server that sends no ranges is read in one stream, which cannot be continued. Reading
//! ends with an error, never early.
//!
//! Credentials come from the environment, in the variables that the tools of each store read: see [`install`]. No
//! message contains them.
//!
//! # Inside
//!
//! - `address`: what an address means
//! - `core`: the threads and the connections of the process
//! - `object`, `answer`: a file of a web server or of a store, and the parts of it that are asked for; what a server
//!   answers
//! - `web`, `store`, `hub`: requests to web servers; stores, by the package `object_store`; Hugging Face
//! - `open`: a file that is open: its ranges, and connections that break
//! - `reading`, `random`: reads a file from its first byte to its last; reads it at any offset
//! - `connector`, `redirect`, `guard`: the clients; where servers send requests on to; the pace and the length of what
//!   they answer
//! - `pages`: the bounds of lists of files
//! - `cause`, `locks`: the reasons of errors, without credentials; locks that a panic does not spoil
//! - `settings`: numbers, times, and the variables of the environment

mod address;
mod answer;
mod cause;
mod connector;
mod core;
mod guard;
mod hub;
mod locks;
mod object;
mod open;
mod pages;
mod random;
mod reading;
mod redirect;
mod settings;
mod store;
mod web;

use std::sync::{Arc, Mutex};
use std::{io, mem, process};

use pgn2fen_bytes::remote::{self, Remote, RemoteFile};

use crate::address::Address;
use crate::core::Core;
use crate::locks::lock;
use crate::open::Opened;
use crate::random::Blocks;
use crate::reading::Reading;
pub use crate::settings::Settings;

/// Opens addresses for all sources of this process. Only the first call has an effect.
///
/// The environment is read when the first file of a store is opened: the variables `AWS_…`, `GOOGLE_…` and `AZURE_…` as
/// the package `object_store` documents them, `HF_TOKEN` and `HF_ENDPOINT`, and the proxies `HTTPS_PROXY`, `HTTP_PROXY`
/// and `NO_PROXY`. Of the variables for connections, those for pools, HTTP/2, and times other than that of connecting
/// have no effect: [`Settings`] has the times.
pub fn install() {
    remote::install(Stores::default());
}

/// The files behind addresses.
#[derive(Debug, Default)]
pub struct Stores {
    settings: Arc<Settings>,
    /// The connections, and the number of the process that they belong to: threads do not survive a fork.
    core: Mutex<Option<(u32, Arc<Core>)>>,
}

impl Stores {
    /// Reads files with other settings.
    pub fn new(settings: Settings) -> Self {
        Self { settings: Arc::new(settings), core: Mutex::default() }
    }

    fn core(&self) -> io::Result<Arc<Core>> {
        let mut core = lock(&self.core);
        let process = process::id();
        if let Some((owner, core)) = &*core
            && *owner == process
        {
            return Ok(Arc::clone(core));
        }
        let new = Arc::new(Core::new(&self.settings)?);
        // The threads of another process cannot be ended.
        mem::forget(core.replace((process, Arc::clone(&new))));
        Ok(new)
    }
}

impl Remote for Stores {
    fn open(&self, address: &str) -> io::Result<RemoteFile> {
        let address = Address::read(address)?;
        let core = self.core()?;
        let begin = Opened::begin(Arc::clone(&core), Arc::clone(&self.settings), &address);
        let (opened, first) = core.wait(begin)??;
        let opened = Arc::new(opened);
        let bytes = opened.has_ranges().then(|| Arc::new(Blocks::new(Arc::clone(&opened))) as _);
        Ok(RemoteFile { reader: Box::new(Reading::new(opened, first)?), bytes })
    }

    fn list(&self, address: &str) -> io::Result<Vec<String>> {
        let (core, settings) = (self.core()?, &self.settings);
        let mut files = match Address::read_folder(address)? {
            Address::Web(_) => {
                let reason = "web servers do not list their files; name each file";
                return Err(io::Error::new(io::ErrorKind::Unsupported, reason));
            }
            Address::Hub(folder) => core.wait(hub::list(&core, settings, &folder))??,
            Address::Bucket(folder) => core.wait(store::list(settings, &folder))??,
        };
        files.sort();
        core.remember(&files);
        Ok(files.into_iter().map(|(address, _)| address).collect())
    }

    fn size(&self, address: &str) -> io::Result<Option<u64>> {
        let (core, settings) = (self.core()?, &self.settings);
        if let Some(size) = core.size(address) {
            return Ok(Some(size));
        }
        let size = match Address::read(address)? {
            Address::Web(web) => core.wait(web.size(&core, settings))??,
            Address::Hub(hub) => core.wait(hub.web()?.size(&core, settings))??,
            Address::Bucket(bucket) => Some(core.wait(store::size(&core, settings, &bucket))??),
        };
        core.remember(size.map(|size| (address.to_owned(), size)).as_slice());
        Ok(size)
    }
}
