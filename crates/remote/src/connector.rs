//! Clients for connections to web servers and stores, whose redirects and answers are watched.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use http::Method;
use http::header::RANGE;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpRequest, HttpResponse, HttpResponseBody, HttpService,
};
use object_store::{ClientConfigKey, ClientOptions};
use reqwest::redirect::Policy;
use reqwest::{Certificate, NoProxy, Proxy};

use crate::guard::{Guarded, HELD, Pace, Refusal, Room, SAID};
use crate::locks::lock;
use crate::pages::Pages;
use crate::redirect::{Scope, refusal};

/// What makes clients.
#[derive(Debug)]
pub(crate) struct Connector {
    pub(crate) scope: Scope,
    pub(crate) pace: Pace,
    /// The list that the client asks for, if it asks for one.
    pub(crate) pages: Option<Arc<Mutex<Pages>>>,
}

impl HttpConnector for Connector {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        let failed = |error: reqwest::Error| object_store::Error::Generic {
            store: "client",
            source: Box::new(error.without_url()),
        };
        let client = self.client(options).map_err(failed)?;
        let pages = self.pages.clone();
        Ok(HttpClient::new(Watched { client, pace: self.pace, pages }))
    }
}

impl Connector {
    /// Builds a client as the package `object_store` does, but for redirects, the header `Referer`, which would tell
    /// another server the signature in an address, and HTTP/2, which is never used.
    fn client(&self, options: &ClientOptions) -> reqwest::Result<reqwest::Client> {
        let value = |key| options.get_config_value(&key);
        let is_set = |key| value(key).is_some_and(|value| is_true(&value));
        let scope = self.scope;
        let policy = Policy::custom(move |attempt| match refusal(scope, attempt.previous(), attempt.url()) {
            Some(reason) => attempt.error(reason),
            None => attempt.follow(),
        });
        let mut builder = reqwest::Client::builder()
            .http1_only()
            .no_gzip()
            .no_brotli()
            .no_zstd()
            .no_deflate()
            .referer(false)
            .redirect(policy)
            .connect_timeout(value(ClientConfigKey::ConnectTimeout).as_deref().and_then(duration).unwrap_or(CONNECT))
            .https_only(!is_set(ClientConfigKey::AllowHttp))
            .user_agent(concat!("pgn2fen/", env!("CARGO_PKG_VERSION")));
        if let Some(proxy) = value(ClientConfigKey::ProxyUrl) {
            if let Some(certificate) = value(ClientConfigKey::ProxyCaCertificate) {
                builder = builder.tls_certs_merge([Certificate::from_pem(certificate.as_bytes())?]);
            }
            let excludes = value(ClientConfigKey::ProxyExcludes);
            let excludes = excludes.and_then(|excludes| NoProxy::from_string(&excludes));
            builder = builder.proxy(Proxy::all(proxy)?.no_proxy(excludes));
        }
        if is_set(ClientConfigKey::NoSystemCertificates) {
            builder = builder.tls_certs_only([]);
        }
        if is_set(ClientConfigKey::AllowInvalidCertificates) {
            builder = builder.danger_accept_invalid_certs(true);
        }
        builder.build()
    }
}

/// The longest time for a connection to be made.
pub(crate) const CONNECT: Duration = Duration::from_secs(10);

/// Whether the value of an option says yes.
fn is_true(value: &str) -> bool {
    ["1", "true", "on", "yes", "y"].iter().any(|yes| value.eq_ignore_ascii_case(yes))
}

/// Reads a time with a unit, such as `5s`, `5 seconds` or `300ms`.
fn duration(text: &str) -> Option<Duration> {
    let text = text.trim();
    let (number, unit) = text.split_at(text.find(|char: char| !char.is_ascii_digit())?);
    let number = number.parse().ok()?;
    match unit.trim() {
        "ms" | "msec" | "millis" => Some(Duration::from_millis(number)),
        "s" | "sec" | "secs" | "second" | "seconds" => Some(Duration::from_secs(number)),
        "m" | "min" | "mins" | "minute" | "minutes" => number.checked_mul(60).map(Duration::from_secs),
        _ => None,
    }
}

/// A client whose answers are watched.
#[derive(Debug)]
struct Watched {
    client: reqwest::Client,
    pace: Pace,
    pages: Option<Arc<Mutex<Pages>>>,
}

/// What a client answers.
type Response<'a> = Pin<Box<dyn Future<Output = Result<HttpResponse, HttpError>> + Send + 'a>>;

impl HttpService for Watched {
    fn call<'s, 'a>(&'s self, request: HttpRequest) -> Response<'a>
    where
        's: 'a,
        Self: 'a,
    {
        Box::pin(async move {
            let pages = self.pages.as_ref().filter(|_| is_page(&request));
            let (address, has_range) = (request.uri().to_string(), request.headers().contains_key(RANGE));
            let answer = tokio::time::timeout(self.pace.patience, self.client.call(request)).await;
            let (parts, body) = answer.map_err(|_| Refusal::Silent(self.pace))??.into_parts();
            let is_success = parts.status.is_success();
            if let Some(pages) = pages.filter(|_| is_success) {
                lock(pages).turn(&address).map_err(|error| Refusal::Endless(error.to_string()))?;
            }
            let room = match (is_success, has_range) {
                (true, true) => Room::File,
                (true, false) => Room::Held(HELD),
                (false, _) => Room::Said(SAID),
            };
            let body = Guarded::new(body, room, pages.cloned(), self.pace);
            Ok(HttpResponse::from_parts(parts, HttpResponseBody::new(body)))
        })
    }
}

/// Whether a store is asked for a page of a list.
fn is_page(request: &HttpRequest) -> bool {
    let mut options = request.uri().query().unwrap_or_default().split('&');
    request.method() == Method::GET && options.any(|option| option == "list-type=2" || option == "comp=list")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::duration;

    #[test]
    fn times_have_a_unit() {
        for text in ["5s", " 5 seconds", "5000ms"] {
            assert_eq!(duration(text), Some(Duration::from_secs(5)), "{text}");
        }
        assert_eq!(duration("2m"), Some(Duration::from_secs(120)));
        assert!(["", "s", "5", "5 days", "x5s"].iter().all(|text| duration(text).is_none()));
    }
}
