//! What an address means.

use std::io;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::percent_decode_str;
use url::{Host, Url};

/// An address of a file, or of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Address {
    Web(Web),
    Hub(Hub),
    Bucket(Bucket),
}

/// A file of a web server.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Web {
    /// Without the name and the password of the user.
    pub(crate) url: Url,
    /// The value of the header `Authorization`.
    pub(crate) authorization: Option<String>,
}

impl std::fmt::Debug for Web {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The query may hold a signature.
        f.debug_tuple("Web").field(&&self.url[..url::Position::AfterPath]).finish()
    }
}

/// A file of a data set of Hugging Face.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hub {
    /// The owner and the name, with a slash between them.
    pub(crate) dataset: String,
    /// The branch, tag or commit, as in the address.
    pub(crate) revision: Option<String>,
    pub(crate) path: String,
}

/// A file of an object store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bucket {
    pub(crate) kind: Kind,
    /// The scheme and the bucket: `s3://games`.
    pub(crate) root: String,
    pub(crate) key: String,
}

/// A kind of object store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    S3,
    Google,
    Azure,
}

fn invalid(reason: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, reason.into())
}

impl Address {
    /// Reads the address of a file.
    pub(crate) fn read(address: &str) -> io::Result<Self> {
        let read = Self::read_folder(address)?;
        match &read {
            Self::Bucket(bucket) if bucket.key.is_empty() => {
                let scheme = bucket.root.split("://").next().unwrap_or_default();
                Err(invalid(format!("names a bucket, but no file in it; write {scheme}://bucket/path")))
            }
            Self::Bucket(bucket) if bucket.key.ends_with('/') => Err(folder()),
            Self::Hub(hub) if hub.path.is_empty() => {
                Err(invalid("names a data set, but no file in it; write hf://datasets/OWNER/NAME/PATH"))
            }
            Self::Hub(hub) if hub.path.ends_with('/') => Err(folder()),
            _ => Ok(read),
        }
    }

    /// Reads the address of a file or a folder.
    pub(crate) fn read_folder(address: &str) -> io::Result<Self> {
        let (scheme, rest) = address.split_once("://").ok_or_else(|| invalid("is not an address"))?;
        let kind = match &*scheme.to_ascii_lowercase() {
            "https" | "http" => return Ok(Self::Web(Web::read(address)?)),
            "hf" => return Ok(Self::Hub(Hub::read(rest)?)),
            "s3" | "s3a" | "s3n" => Kind::S3,
            "gs" | "gcs" => Kind::Google,
            "az" | "azure" | "abfs" | "abfss" | "adl" => Kind::Azure,
            "file" => return Err(invalid("is an address of a local file; give its path")),
            scheme => {
                return Err(invalid(format!(
                    "has the scheme {scheme}, which is not read; https, s3, gs, az, abfs and hf are"
                )));
            }
        };
        let (bucket, key) = rest.split_once('/').unwrap_or((rest, ""));
        if bucket.is_empty() {
            return Err(invalid(format!("names no bucket; write {scheme}://bucket/path")));
        }
        // A container of Azure stands before the account; a resource of AWS has colons.
        let has_user = bucket.contains('@') && kind != Kind::Azure;
        if has_user || bucket.contains(':') && !bucket.starts_with("arn:") {
            return Err(invalid("has a user in it, and the credentials of stores are read from the environment"));
        }
        Ok(Self::Bucket(Bucket { kind, root: format!("{scheme}://{bucket}"), key: key.to_owned() }))
    }
}

fn folder() -> io::Error {
    io::Error::new(io::ErrorKind::IsADirectory, "is a folder")
}

impl Web {
    /// Reads the address of a file of a web server.
    pub(crate) fn read(address: &str) -> io::Result<Self> {
        let mut url = Url::parse(address).map_err(|error| invalid(format!("is not a valid address: {error}")))?;
        if url.scheme() == "http" && !is_loopback(&url) {
            return Err(invalid(
                "is not encrypted, so that anybody on the way could change the games; use https://, or read it with \
                 curl: `curl ADDRESS | pgn2fen`",
            ));
        }
        let (name, password) = (decoded(url.username()), url.password().map(decoded));
        let authorization = (!name.is_empty() || password.is_some())
            .then(|| format!("Basic {}", STANDARD.encode(format!("{name}:{}", password.unwrap_or_default()))));
        // These fail only for addresses without a host.
        let _ = (url.set_username(""), url.set_password(None));
        url.set_fragment(None);
        Ok(Self { url, authorization })
    }

    /// Whether the connection is to this machine, and need not be encrypted.
    pub(crate) fn is_plain(&self) -> bool {
        self.url.scheme() == "http"
    }
}

/// Whether the server runs on this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

impl Hub {
    /// Reads what stands behind `hf://`.
    fn read(rest: &str) -> io::Result<Self> {
        let usage = || invalid("is not a file of a data set; write hf://datasets/OWNER/NAME/PATH");
        let mut parts = rest.splitn(4, '/');
        let (Some("datasets"), Some(owner), Some(name)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(usage());
        };
        let (name, revision) = match name.split_once('@') {
            Some((name, revision)) => (name, Some(revision.to_owned())),
            None => (name, None),
        };
        if owner.is_empty() || name.is_empty() || revision.as_deref() == Some("") {
            return Err(usage());
        }
        let path = parts.next().unwrap_or_default().to_owned();
        Ok(Self { dataset: format!("{owner}/{name}"), revision, path })
    }

    /// Returns the address of a file of the same data set.
    pub(crate) fn sibling(&self, path: &str) -> String {
        let revision = self.revision.as_ref().map(|revision| format!("@{revision}")).unwrap_or_default();
        format!("hf://datasets/{}{revision}/{path}", self.dataset)
    }

    /// Returns the revision as the server knows it.
    pub(crate) fn server_revision(&self) -> String {
        match self.revision.as_deref() {
            None => "main".to_owned(),
            Some("~parquet") => "refs/convert/parquet".to_owned(),
            Some(revision) => decoded(revision),
        }
    }
}

/// Returns a text without percent-encoding.
pub(crate) fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::{Address, Bucket, Hub, Kind};

    #[test]
    fn addresses_name_a_bucket_and_a_key_or_a_data_set() {
        let bucket =
            |kind, root: &str, key: &str| Address::Bucket(Bucket { kind, root: root.to_owned(), key: key.to_owned() });
        let read = |address: &str| Address::read(address).unwrap();
        assert_eq!(read("s3://b/year=2015/a b%20.pgn"), bucket(Kind::S3, "s3://b", "year=2015/a b%20.pgn"));
        assert_eq!(read("gs://b/a.pgn"), bucket(Kind::Google, "gs://b", "a.pgn"));
        let account = "abfss://games@account.dfs.core.windows.net";
        assert_eq!(read(&format!("{account}/a.pgn")), bucket(Kind::Azure, account, "a.pgn"));
        let hub = |revision: Option<&str>| {
            let (dataset, path) = ("Lichess/games".to_owned(), "data/a.parquet".to_owned());
            Hub { dataset, revision: revision.map(str::to_owned), path }
        };
        assert_eq!(read("hf://datasets/Lichess/games/data/a.parquet"), Address::Hub(hub(None)));
        let Address::Hub(revised) = Address::read("hf://datasets/Lichess/games@refs%2Fpr%2F1/data/a.parquet").unwrap()
        else {
            panic!()
        };
        assert_eq!(revised, hub(Some("refs%2Fpr%2F1")));
        assert_eq!(revised.server_revision(), "refs/pr/1");
        assert_eq!(revised.sibling("b.parquet"), "hf://datasets/Lichess/games@refs%2Fpr%2F1/b.parquet");
    }

    #[test]
    fn the_name_and_the_password_are_taken_out_of_the_address() {
        let Address::Web(web) = Address::read("https://us%40er:p+a:ss@example.org/a.pgn?sig=x#y").unwrap() else {
            panic!()
        };
        assert_eq!(web.url.as_str(), "https://example.org/a.pgn?sig=x");
        assert_eq!(web.authorization.as_deref(), Some("Basic dXNAZXI6cCthOnNz"));
        assert!(!format!("{web:?}").contains("sig"));
        let plain = Address::read("http://[::1]:8080/a.pgn").unwrap();
        assert!(matches!(plain, Address::Web(web) if web.is_plain() && web.authorization.is_none()));
    }

    #[track_caller]
    fn check_refused(address: &str, expected: &str) {
        let error = Address::read(address).unwrap_err().to_string();
        assert!(error.contains(expected), "{address}: {error}");
    }

    #[test]
    fn other_addresses_are_refused_with_a_reason() {
        check_refused("s3://bucket", "names a bucket, but no file in it; write s3://bucket/path");
        check_refused("gs:///a.pgn", "names no bucket");
        check_refused("s3://bucket/folder/", "is a folder");
        check_refused("hf://Lichess/games/a.pgn", "hf://datasets/OWNER/NAME/PATH");
        check_refused("hf://datasets/Lichess/games", "names a data set, but no file in it");
        let user = "has a user in it, and the credentials of stores are read from the environment";
        check_refused("s3://me:secret@bucket/a.pgn", user);
        check_refused("gs://me@bucket/a.pgn", user);
        check_refused("az://me:secret@container/a.pgn", user);
        check_refused("ftp://example.org/a.pgn", "has the scheme ftp, which is not read");
        check_refused("file:///a.pgn", "give its path");
        check_refused("http://example.org/a.pgn", "is not encrypted");
        check_refused("https://", "is not a valid address");
    }
}
