//! Requests to web servers.

use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use http::header::{
    ACCEPT_ENCODING, AUTHORIZATION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, ETAG, HeaderName, IF_MATCH,
    IF_UNMODIFIED_SINCE, LAST_MODIFIED, RANGE, RETRY_AFTER, TRANSFER_ENCODING,
};
use http::{HeaderMap, Method, StatusCode};
use object_store::client::{HttpError, HttpErrorKind, HttpRequestBody, HttpResponse, HttpResponseBody};

use crate::address::Web;
use crate::answer::{Answer, Failure, Remedy, Repeats, Version};
use crate::cause::{cause, of_status};
use crate::core::Core;
use crate::guard::Refusal;
use crate::settings::Settings;

/// Sends a request.
async fn send(core: &Core, file: &Web, method: Method, headers: HeaderMap) -> Result<HttpResponse, Failure> {
    let invalid = |error: http::Error| {
        let message = format!("is not a valid address: {}", cause(&error));
        Failure::lasting(io::Error::new(io::ErrorKind::InvalidInput, message))
    };
    let mut request = http::Request::builder().method(method).uri(file.url.as_str());
    if let Some(authorization) = &file.authorization {
        let mut value = http::HeaderValue::from_str(authorization).map_err(|error| invalid(error.into()))?;
        value.set_sensitive(true);
        request = request.header(AUTHORIZATION, value);
    }
    let mut request = request.body(HttpRequestBody::empty()).map_err(invalid)?;
    request.headers_mut().extend(headers);
    core.client(file.is_plain()).execute(request).await.map_err(|error| failed(&error))
}

/// Returns the failure of a connection.
fn failed(error: &HttpError) -> Failure {
    let source = std::error::Error::source(error);
    let is_odd = source
        .and_then(|source| source.downcast_ref::<reqwest::Error>())
        .is_some_and(|error| error.is_builder() || error.is_redirect());
    let refusal = source.and_then(|source| source.downcast_ref::<Refusal>());
    let (kind, words, remedy) = match error.kind() {
        _ if is_odd || refusal.is_some_and(|refusal| !refusal.is_passing()) => {
            (io::ErrorKind::Other, "cannot be read", Remedy::Nothing)
        }
        HttpErrorKind::Connect => (io::ErrorKind::NotConnected, "cannot be reached", Remedy::Connect),
        HttpErrorKind::Timeout => (io::ErrorKind::TimedOut, "the server does not answer", Remedy::Repeat(None)),
        _ => (io::ErrorKind::ConnectionAborted, "the connection broke", Remedy::Repeat(None)),
    };
    Failure { error: io::Error::new(kind, format!("{words}: {}", cause(error))), remedy }
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

fn number(headers: &HeaderMap, name: &HeaderName) -> Option<u64> {
    text(headers, name)?.trim().parse().ok()
}

fn version(headers: &HeaderMap) -> Version {
    let owned = |name| text(headers, name).map(str::to_owned);
    Version { etag: owned(&ETAG), modified: owned(&LAST_MODIFIED) }
}

/// Returns the headers that ask for a range of a version.
fn headers(range: Option<Range<u64>>, version: &Version) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let mut set = |name, value: String| {
        if let Ok(value) = value.parse() {
            headers.insert(name, value);
        }
    };
    // Ranges count in the bytes of the file, not in those of a compressed copy of it.
    set(ACCEPT_ENCODING, "identity".to_owned());
    if let Some(range) = range {
        set(RANGE, format!("bytes={}-{}", range.start, range.end.saturating_sub(1)));
    }
    match (&version.etag, &version.modified) {
        (Some(etag), _) if !etag.starts_with("W/") => set(IF_MATCH, etag.clone()),
        (None, Some(modified)) => set(IF_UNMODIFIED_SINCE, modified.clone()),
        _ => {}
    }
    headers
}

/// Reads the value of `Content-Range`: the first byte, the byte behind the last, and the number of bytes of the file.
fn content_range(value: &str) -> Option<(Range<u64>, u64)> {
    let (range, total) = value.trim().strip_prefix("bytes")?.trim().split_once('/')?;
    let total = total.trim().parse().ok()?;
    let (first, last) = range.trim().split_once('-')?;
    let (first, last): (u64, u64) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
    (first <= last && last < total).then(|| (first..last + 1, total))
}

/// Whether the end of a body without a length is marked. It is not if the last coding is another than `chunked`: then
/// the body ends with the connection, whatever ended that.
fn is_delimited(version: http::Version, headers: &HeaderMap) -> bool {
    let last = headers.get_all(TRANSFER_ENCODING).iter().next_back().and_then(|codings| codings.to_str().ok());
    let last = last.and_then(|codings| codings.rsplit(',').next());
    version >= http::Version::HTTP_2 || last.is_some_and(|coding| coding.trim().eq_ignore_ascii_case("chunked"))
}

/// The codings of a body that are not known by their first bytes, as those of gzip and zstd are.
const UNKNOWN_CODINGS: [&str; 3] = ["br", "compress", "deflate"];

/// Returns the coding of a body that cannot be read, although none was asked for.
fn unknown_coding(headers: &HeaderMap) -> Option<&'static str> {
    let given: Vec<&str> = headers.get_all(CONTENT_ENCODING).iter().filter_map(|value| value.to_str().ok()).collect();
    let mut codings = given.iter().flat_map(|value| value.split(',')).map(str::trim);
    codings.find_map(|coding| UNKNOWN_CODINGS.into_iter().find(|unknown| unknown.eq_ignore_ascii_case(coding)))
}

/// Asks for a range of bytes of a version, or for the whole file.
pub(crate) async fn get(
    core: &Core,
    file: &Web,
    range: Option<Range<u64>>,
    known: &Version,
) -> Result<Answer, Failure> {
    let has_range = range.is_some();
    let response = send(core, file, Method::GET, headers(range, known)).await?;
    let (parts, body) = response.into_parts();
    let headers = &parts.headers;
    let version = version(headers);
    if let Some(coding) = unknown_coding(headers).filter(|_| parts.status.is_success()) {
        let reason = format!("cannot be read, because the server sends it in the coding '{coding}'; download it first");
        return Err(Failure::lasting(io::Error::new(io::ErrorKind::Unsupported, reason)));
    }
    let (start, total, is_range) = match parts.status {
        StatusCode::PARTIAL_CONTENT if has_range => match text(headers, &CONTENT_RANGE).and_then(content_range) {
            Some((range, total)) => (range.start, Some(total), true),
            None => {
                let reason = "cannot be read, because the server does not say which part of the file it sends";
                return Err(Failure::lasting(io::Error::other(reason)));
            }
        },
        status if status.is_success() && status != StatusCode::NO_CONTENT => {
            let length = number(headers, &CONTENT_LENGTH);
            if length.is_none() && !is_delimited(parts.version, headers) {
                let reason = "cannot be read, because the server does not say how long the file is, so that a broken \
                              connection would look like its end; download it first";
                return Err(Failure::lasting(io::Error::other(reason)));
            }
            (0, length, false)
        }
        StatusCode::RANGE_NOT_SATISFIABLE
            if text(headers, &CONTENT_RANGE).is_some_and(|range| range.trim() == "bytes */0") =>
        {
            (0, Some(0), true)
        }
        StatusCode::PRECONDITION_FAILED => return Err(Failure::changed()),
        status => {
            let said = said(body).await;
            return Err(refused(status, headers, &said));
        }
    };
    let body = if total == Some(0) {
        futures_util::stream::empty().boxed()
    } else {
        body.bytes_stream().map(|bytes| bytes.map_err(|error| io::Error::other(cause(&error)))).boxed()
    };
    Ok(Answer { start, total, version, is_range, body })
}

/// Returns the failure for an answer with a status that is no success.
fn refused(status: StatusCode, headers: &HeaderMap, said: &str) -> Failure {
    let is_passing =
        status.is_server_error() || [StatusCode::TOO_MANY_REQUESTS, StatusCode::REQUEST_TIMEOUT].contains(&status);
    let chosen = number(headers, &RETRY_AFTER).map(Duration::from_secs);
    let remedy = if is_passing { Remedy::Repeat(chosen) } else { Remedy::Nothing };
    Failure { error: of_status(status.as_u16(), said), remedy }
}

/// Returns the beginning of what a server says about a failure, or nothing if it does not end.
async fn said(body: HttpResponseBody) -> String {
    body.bytes().await.map(|text| String::from_utf8_lossy(&text).into_owned()).unwrap_or_default()
}

/// Reads a short text whole, and returns it with the headers.
pub(crate) async fn text_of(core: &Core, settings: &Arc<Settings>, file: &Web) -> io::Result<(Bytes, HeaderMap)> {
    let mut repeats = Repeats::new(settings);
    loop {
        let failure = match send(core, file, Method::GET, HeaderMap::new()).await {
            Err(failure) => failure,
            Ok(response) => {
                let (parts, body) = response.into_parts();
                if parts.status.is_success() {
                    match body.bytes().await {
                        Ok(bytes) => return Ok((bytes, parts.headers)),
                        Err(error) => failed(&error),
                    }
                } else {
                    refused(parts.status, &parts.headers, &said(body).await)
                }
            }
        };
        repeats.pause(failure, false).await?;
    }
}

impl Web {
    /// Returns the size of the file, if the server tells it without sending the file.
    pub(crate) async fn size(&self, core: &Core, settings: &Arc<Settings>) -> io::Result<Option<u64>> {
        let mut repeats = Repeats::new(settings);
        loop {
            match send(core, self, Method::HEAD, headers(None, &Version::default())).await {
                Ok(response) => match response.status() {
                    status @ (StatusCode::NOT_FOUND | StatusCode::GONE) => return Err(of_status(status.as_u16(), "")),
                    status if status.is_success() => return Ok(number(response.headers(), &CONTENT_LENGTH)),
                    // An address may be signed for reading only.
                    _ => return Ok(None),
                },
                Err(failure) if failure.remedy == Remedy::Connect => repeats.pause(failure, false).await?,
                Err(failure) if failure.remedy == Remedy::Nothing => return Err(failure.error),
                Err(_) => return Ok(None),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use http::header::CONTENT_ENCODING;
    use http::{HeaderMap, HeaderValue};

    use super::{content_range, unknown_coding};

    #[test]
    fn a_coding_that_no_first_bytes_show_is_found() {
        let found = |values: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(CONTENT_ENCODING, HeaderValue::from_static(value));
            }
            unknown_coding(&headers)
        };
        assert_eq!([&[][..], &["identity"], &["gzip, zstd"], &["aws-chunked"]].map(found), [None; 4]);
        assert_eq!([&["BR"][..], &["gzip, br"], &["gzip", "br"]].map(found), [Some("br"); 3]);
    }

    #[test]
    fn a_range_in_a_header_is_read_only_if_it_makes_sense() {
        assert_eq!(content_range("bytes 0-9/10"), Some((0..10, 10)));
        assert_eq!(content_range(" bytes 5-5/10 "), Some((5..6, 10)));
        let odd = ["", "bytes", "bytes */10", "bytes 0-9/*", "bytes 0-10/10", "bytes 9-0/10", "lines 0-9/10"];
        assert!(odd.iter().all(|value| content_range(value).is_none()));
        assert_eq!(content_range("bytes 0-18446744073709551615/18446744073709551615"), None);
    }
}
