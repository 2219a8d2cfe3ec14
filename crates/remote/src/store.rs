//! Object stores, by the package `object_store`.

use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use futures_util::{StreamExt, TryStreamExt};
use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::path::Path;
use object_store::{BackoffConfig, GetOptions, GetRange, ObjectMeta, ObjectStore, ObjectStoreExt, RetryConfig};

use crate::address::{Bucket, Kind};
use crate::answer::{Answer, Failure, Remedy, Version};
use crate::cause::{cause, innermost, of_status};
use crate::connector::Connector;
use crate::core::Core;
use crate::guard::Pace;
use crate::locks::lock;
use crate::pages::{Listed, Pages};
use crate::redirect::Scope;
use crate::settings::Settings;

/// A file of a store.
#[derive(Debug)]
pub(crate) struct StoreObject {
    store: Arc<dyn ObjectStore>,
    path: Path,
}

/// Returns the store of a bucket.
fn store_of(core: &Core, settings: &Settings, bucket: &Bucket) -> io::Result<Arc<dyn ObjectStore>> {
    let mut stores = lock(&core.stores);
    if let Some(store) = stores.get(&bucket.root) {
        return Ok(Arc::clone(store));
    }
    let store = new_store(settings, bucket, None)?;
    stores.insert(bucket.root.clone(), Arc::clone(&store));
    Ok(store)
}

/// Returns a new store of a bucket, whose lists are counted in `pages`. Its credentials come from the environment.
fn new_store(
    settings: &Settings,
    bucket: &Bucket,
    pages: Option<Arc<Mutex<Pages>>>,
) -> io::Result<Arc<dyn ObjectStore>> {
    let connector = Connector { scope: Scope::Store, pace: Pace::of(settings), pages };
    let retry = RetryConfig {
        backoff: BackoffConfig { init_backoff: settings.pause, ..BackoffConfig::default() },
        max_retries: REPEATS,
        retry_timeout: settings.patience,
    };
    let rest = bucket.root.split_once("://").map_or("", |(_, rest)| rest);
    let built: object_store::Result<Arc<dyn ObjectStore>> = match bucket.kind {
        Kind::S3 => {
            let builder = AmazonS3Builder::from_env().with_url(format!("s3://{rest}")).with_retry(retry);
            builder.with_http_connector(connector).build().map(|store| Arc::new(store) as _)
        }
        Kind::Google => {
            let builder = GoogleCloudStorageBuilder::from_env().with_url(format!("gs://{rest}")).with_retry(retry);
            builder.with_http_connector(connector).build().map(|store| Arc::new(store) as _)
        }
        Kind::Azure => {
            let builder = MicrosoftAzureBuilder::from_env().with_url(bucket.root.clone()).with_retry(retry);
            builder.with_http_connector(connector).build().map(|store| Arc::new(store) as _)
        }
    };
    built.map_err(|error| {
        io::Error::new(io::ErrorKind::InvalidInput, format!("the store cannot be used: {}", cause(&error)))
    })
}

/// How often the package repeats a request for credentials, a list or a range by itself.
const REPEATS: usize = 2;

/// Returns the failure of a request.
fn failed(error: &object_store::Error, bucket: Kind) -> Failure {
    use object_store::Error;

    let said = innermost(error);
    let status = match error {
        Error::NotFound { .. } => 404,
        Error::PermissionDenied { .. } => 403,
        Error::Unauthenticated { .. } => 401,
        Error::Precondition { .. } | Error::NotModified { .. } => return Failure::changed(),
        _ => {
            let advice = match (bucket, &*said) {
                (Kind::S3, said) if said.contains("redirect without LOCATION") => {
                    "; the bucket may be in another region: set AWS_REGION"
                }
                (Kind::S3, said) if said.contains("scheme is not allowed") => {
                    "; to read from a server without encryption, set AWS_ALLOW_HTTP=true"
                }
                (_, said) if CREDENTIALS.iter().any(|place| said.contains(place)) => {
                    "; no credentials are in the environment"
                }
                _ => "",
            };
            let is_passing = matches!(error, Error::Generic { .. }) && advice.is_empty();
            let remedy = if is_passing { Remedy::Repeat(None) } else { Remedy::Nothing };
            let error = io::Error::other(format!("cannot be read from the store: {}{advice}", cause(error)));
            return Failure { error, remedy };
        }
    };
    Failure::lasting(of_status(status, &said))
}

/// The servers that give credentials to programs in a data centre.
const CREDENTIALS: [&str; 2] = ["169.254.169.254", "metadata.google.internal"];

/// Returns the store and the path of a file.
fn place(core: &Core, settings: &Settings, bucket: &Bucket) -> io::Result<StoreObject> {
    let store = store_of(core, settings, bucket)?;
    Ok(StoreObject { store, path: path_of(&bucket.key)? })
}

fn path_of(key: &str) -> io::Result<Path> {
    let invalid = |error| io::Error::new(io::ErrorKind::InvalidInput, format!("is not a valid path: {error}"));
    Path::parse(key).map_err(invalid)
}

/// Opens a file. Returns its length and its version.
pub(crate) async fn open(core: &Core, settings: &Settings, bucket: &Bucket) -> io::Result<(StoreObject, u64, Version)> {
    let object = place(core, settings, bucket)?;
    let meta = object.store.head(&object.path).await.map_err(|error| failed(&error, bucket.kind).error)?;
    let version = version(&meta);
    Ok((object, meta.size, version))
}

/// Returns the size of a file.
pub(crate) async fn size(core: &Core, settings: &Settings, bucket: &Bucket) -> io::Result<u64> {
    open(core, settings, bucket).await.map(|(_, size, _)| size)
}

fn version(meta: &ObjectMeta) -> Version {
    Version { etag: meta.e_tag.clone(), modified: Some(meta.last_modified.to_rfc3339()) }
}

impl StoreObject {
    /// Asks for a range of bytes of a version.
    pub(crate) async fn get(&self, range: Range<u64>, known: &Version) -> Result<Answer, Failure> {
        let options =
            GetOptions { range: Some(GetRange::Bounded(range)), if_match: known.etag.clone(), ..GetOptions::default() };
        // The advice for each store is given when the file is opened.
        let got = self.store.get_opts(&self.path, options).await.map_err(|error| failed(&error, Kind::Azure))?;
        let (start, total, version) = (got.range.start, Some(got.meta.size), version(&got.meta));
        let body = got.into_stream().map_err(|error| io::Error::other(cause(&error))).boxed();
        Ok(Answer { start, total, version, is_range: true, body })
    }
}

/// Returns the files in a folder and below it, with their sizes.
pub(crate) async fn list(settings: &Settings, folder: &Bucket) -> io::Result<Vec<(String, u64)>> {
    let path = path_of(folder.key.trim_end_matches('/'))?;
    let store = new_store(settings, folder, Some(Arc::default()))?;
    let prefix = (!path.as_ref().is_empty()).then_some(&path);
    let (mut listed, mut metas) = (Listed::default(), store.list(prefix));
    while let Some(meta) = metas.next().await {
        let meta = meta.map_err(|error| failed(&error, folder.kind).error)?;
        // Programs that show folders mark them by an empty file, whose name ends with a slash. It is not told from
        // other empty files, which have no games.
        if meta.size == 0 {
            continue;
        }
        listed.push(format!("{}/{}", folder.root, meta.location), meta.size)?;
    }
    Ok(listed.files)
}
