//! The routes of the site, and what holds for all of them.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::routing::{MethodRouter, get};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout_at;

use crate::api;
use crate::explorer::{self, Table};
use crate::folder::FolderFile;
use crate::game;
use crate::hosts::Hosts;
use crate::index_set::IndexSet;
use crate::lists;
use crate::message::Message;
use crate::page;
use crate::parameters::Parameters;
use crate::refusal::Refusal;
use crate::site::Site;
use crate::stop::Stop;
use pgn2fen_spec::Dialect;

/// The longest path and query together, in bytes.
const LONGEST_ADDRESS: usize = 16 * 1024;

/// The time after the deadline of a search in which it should notice that.
const GRACE: Duration = Duration::from_secs(1);

const JSON: &str = "application/json";
const TEXT: &str = "text/plain; charset=utf-8";
const LINES: &str = "application/x-ndjson";
const PGN: &str = "application/x-chess-pgn; charset=utf-8";

/// Headers of every answer. The page needs nothing but its own files, and no other site may frame it.
const HEADERS: [(HeaderName, &str); 5] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri \
         'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::CACHE_CONTROL, "no-cache"),
];

/// What the files under `/site/` may do: the page there compiles WebAssembly, starts workers, and shows pictures that
/// it has made.
const SITE_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' \
                           data: blob:; worker-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action \
                           'none'; frame-ancestors 'none'";

/// The address at which a connection arrived.
#[derive(Clone, Copy, Debug)]
pub(super) struct Local(pub(super) SocketAddr);

/// What the routes share.
#[derive(Clone, Debug)]
struct Shared {
    site: Arc<Site>,
    /// A permit for each search that may run at the same time.
    searches: Arc<Semaphore>,
    patience: Duration,
    hosts: Arc<Hosts>,
}

/// A search for an answer, on a thread that may wait for the disk.
type Search = dyn Fn(&IndexSet, &Wanted, &Stop) -> Result<String, Refusal> + Send + Sync;

/// The parts of a request that a search needs.
#[derive(Debug)]
struct Wanted {
    query: String,
    id: String,
}

impl Wanted {
    fn parameters(&self) -> Result<Parameters, Refusal> {
        Parameters::parse(&self.query)
    }
}

/// Returns the routes of a site. At most so many searches run at the same time. `folder` has the files under `/site/`.
pub(super) fn routes(
    site: Arc<Site>,
    searches: usize,
    patience: Duration,
    hosts: Hosts,
    folder: Vec<FolderFile>,
) -> Router {
    let has_folder = !folder.is_empty();
    let shared = Shared { site, searches: Arc::new(Semaphore::new(searches)), patience, hosts: Arc::new(hosts) };
    let table = |table, kind| {
        let answer = move |set: &IndexSet, wanted: &Wanted, stop: &Stop| {
            explorer::answer(set, table, &wanted.parameters()?, stop)
        };
        search(kind, answer).options(preflight)
    };
    let pgn = || search(PGN, |set, wanted, _| game::pgn(set, &wanted.id)).options(preflight);
    let tables = Router::new()
        .route("/masters", table(Table::Masters, JSON))
        .route("/lichess", table(Table::Lichess, JSON))
        .route("/player", table(Table::Player, LINES))
        .route("/masters/pgn/{id}", pgn())
        // Some clients leave out the s.
        .route("/master/pgn/{id}", pgn())
        .layer(middleware::from_fn(for_all_sites));
    let api = Router::new()
        .route("/api/index", search(JSON, move |set, wanted, _| api::index(set, &wanted.parameters()?, has_folder)))
        .route("/api/explore", search(JSON, |set, wanted, stop| api::explore(set, &wanted.parameters()?, stop)))
        .route("/api/starts", search(JSON, |set, wanted, stop| lists::starts(set, &wanted.parameters()?, stop)))
        .route("/api/players", search(JSON, |set, wanted, stop| lists::players(set, &wanted.parameters()?, stop)))
        .route("/api/game/{id}", search(JSON, |set, wanted, _| game::moves(set, &wanted.id)))
        .layer(middleware::from_fn(for_own_site));
    let files = page::files().into_iter().fold(Router::new(), |router, file| {
        router.route(file.path, get(async move || answer(StatusCode::OK, file.kind, file.text)))
    });
    let nothing = async || line(StatusCode::NOT_FOUND, "there is nothing at this address");
    let refused = async || line(StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD are answered");
    tables
        .merge(api)
        .merge(files)
        .merge(folder_routes(folder))
        .fallback(nothing)
        .method_not_allowed_fallback(refused)
        .layer(middleware::from_fn_with_state(shared.clone(), guard))
        .with_state(shared)
}

/// Returns the routes of the files under `/site/`.
fn folder_routes(files: Vec<FolderFile>) -> Router<Shared> {
    if files.is_empty() {
        return Router::new();
    }
    // The page names its files relative to the folder.
    let redirect = get(async || {
        let mut response = line(StatusCode::PERMANENT_REDIRECT, "the page is at /site/");
        response.headers_mut().insert(header::LOCATION, HeaderValue::from_static("/site/"));
        response
    });
    files.into_iter().fold(Router::new().route("/site", redirect), |router, file| {
        let path = format!("/site/{}", file.name);
        let is_index = file.is_index();
        let serve = get(async move || {
            let mut response = answer(StatusCode::OK, file.kind, file.content.clone());
            let policy = HeaderValue::from_static(SITE_POLICY);
            response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
            response
        });
        let router = if is_index { router.route("/site/", serve.clone()) } else { router };
        router.route(&path, serve)
    })
}

/// Returns the route of a search whose answers have this type.
fn search(
    kind: &'static str,
    search: impl Fn(&IndexSet, &Wanted, &Stop) -> Result<String, Refusal> + Send + Sync + 'static,
) -> MethodRouter<Shared> {
    let search: Arc<Search> = Arc::new(search);
    get(async move |State(shared): State<Shared>, request: Request| {
        let (path, query) = (request.uri().path(), request.uri().query());
        let id = path.rsplit('/').next().unwrap_or_default().to_owned();
        let wanted = Wanted { query: query.unwrap_or_default().to_owned(), id };
        match run(&shared, search, wanted).await {
            Ok(text) => answer(StatusCode::OK, kind, text),
            Err(refusal) => {
                if let Some(reason) = refusal.report {
                    (shared.site.report)(&Message::Unreadable { reason });
                }
                let status = StatusCode::from_u16(refusal.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
                line(status, &refusal.line)
            }
        }
    })
}

/// Runs a search on a thread of its own. It is given up at its deadline, or when the client has gone and so this
/// function is dropped.
async fn run(shared: &Shared, search: Arc<Search>, wanted: Wanted) -> Result<String, Refusal> {
    let deadline = Instant::now() + shared.patience;
    let (stop, _abandon) = Stop::at(deadline);
    let permit = timeout_at(deadline.into(), Arc::clone(&shared.searches).acquire_owned()).await;
    let Ok(Ok(permit)) = permit else {
        return Err(Refusal::new(503, "the server is busy; try again later"));
    };
    let site = Arc::clone(&shared.site);
    let task = spawn_blocking(move || {
        // The permit is held until the thread is free, even if nobody waits for the answer any more.
        let _permit = permit;
        let set = site.indexes.current(&|message| (site.report)(&message));
        search(&set, &wanted, &stop)
    });
    match timeout_at((deadline + GRACE).into(), task).await {
        Ok(Ok(found)) => found,
        Ok(Err(_)) => {
            (shared.site.report)(&Message::Panicked);
            Err(Refusal::new(500, "an internal error prevented the answer"))
        }
        Err(_) => Err(Refusal::late()),
    }
}

/// What is checked in each request, and added to each answer.
async fn guard(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let mut response = match refused(&shared, &request) {
        Some(response) => response,
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Returns the refusal of a request for another site, or with an address that is too long.
fn refused(shared: &Shared, request: &Request) -> Option<Response> {
    let uri = request.uri();
    let length = uri.path_and_query().map_or(0, |path| path.as_str().len());
    if length > LONGEST_ADDRESS {
        return Some(line(StatusCode::URI_TOO_LONG, &format!("the address is longer than {LONGEST_ADDRESS} bytes")));
    }
    let hosts: Vec<&HeaderValue> = request.headers().get_all(header::HOST).iter().collect();
    let [host] = hosts[..] else {
        return Some(line(StatusCode::BAD_REQUEST, "the request needs one Host header"));
    };
    let local = request.extensions().get::<Local>()?.0;
    let is_allowed = |host: &str| shared.hosts.allow(host, local);
    let is_own = host.to_str().is_ok_and(is_allowed) && uri.authority().is_none_or(|host| is_allowed(host.as_str()));
    if is_own {
        return None;
    }
    // The command is the only program that serves.
    let text = Dialect::Command.spell("the Host header names another server; `allow_host` allows further names");
    Some(line(StatusCode::MISDIRECTED_REQUEST, &text))
}

/// Adds the header by which scripts of all web sites may read an answer.
async fn for_all_sites(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    response
}

/// Answers the question of a browser whether a script may send a request with headers of its own.
async fn preflight() -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    for (name, value) in [
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD, OPTIONS"),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, "*, Authorization"),
        (header::ACCESS_CONTROL_MAX_AGE, "86400"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Refuses requests by scripts of other web sites.
async fn for_own_site(request: Request, next: Next) -> Response {
    if is_foreign(request.headers()) {
        return line(
            StatusCode::FORBIDDEN,
            "this address is for the page of the explorer only; use /masters or /lichess",
        );
    }
    next.run(request).await
}

/// Whether a browser says that a request comes from another web site.
fn is_foreign(headers: &HeaderMap) -> bool {
    let value = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let site = headers.get("sec-fetch-site").map(|value| value.to_str().unwrap_or_default());
    let origin = value(header::ORIGIN).map(|origin| origin.split_once("://").map_or(origin, |(_, host)| host));
    site.is_some_and(|site| site != "same-origin" && site != "none")
        || origin.is_some_and(|origin| !value(header::HOST).is_some_and(|host| host.eq_ignore_ascii_case(origin)))
}

fn line(status: StatusCode, text: &str) -> Response {
    answer(status, TEXT, format!("{text}\n"))
}

fn answer(status: StatusCode, kind: &'static str, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Arc, Mutex};
    use std::time::{Duration, Instant};

    use pgn2fen_games::players::Players;
    use tokio::runtime::Builder;
    use tokio::sync::Semaphore;
    use tokio::time::timeout;

    use super::{Search, Shared, Wanted, run};
    use crate::hosts::Hosts;
    use crate::index_set::Indexes;
    use crate::refusal::Refusal;
    use crate::site::Site;

    /// Runs a search for at most a second, with this patience of the server. Returns the status and the messages.
    fn status(patience: Duration, search: Arc<Search>) -> (Option<u16>, Vec<String>) {
        let messages = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&messages);
        let report = Box::new(move |message: &_| heard.lock().unwrap().push(format!("{message}")));
        let site = Arc::new(Site { indexes: Indexes::open(Vec::new(), 0, Players::default()).unwrap(), report });
        let shared =
            Shared { site, searches: Arc::new(Semaphore::new(1)), patience, hosts: Arc::new(Hosts::default()) };
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_time().build().unwrap();
        let wanted = || Wanted { query: String::new(), id: String::new() };
        let found = runtime.block_on(async {
            timeout(Duration::from_secs(1), run(&shared, search, wanted())).await.ok().map(|found| match found {
                Ok(_) => 200,
                Err(Refusal { status, .. }) => status,
            })
        });
        // The thread of the search is free again.
        let next = runtime.block_on(run(
            &Shared { patience: Duration::from_secs(60), ..shared },
            Arc::new(|_, _, _| Ok(String::new())),
            wanted(),
        ));
        assert_eq!(next, Ok(String::new()));
        let messages = messages.lock().unwrap().clone();
        (found, messages)
    }

    #[test]
    fn a_panic_in_a_request_is_an_error_of_that_request() {
        let (status, messages) = status(Duration::from_secs(60), Arc::new(|_, _, _| panic!("made by a test")));
        assert_eq!(status, Some(500));
        assert_eq!(messages, ["a request was not answered because of an internal error"]);
    }

    #[test]
    fn a_search_ends_at_its_deadline_or_when_its_client_has_gone() {
        let has_ended = Arc::new(AtomicBool::new(false));
        let search = || -> Arc<Search> {
            let has_ended = Arc::clone(&has_ended);
            Arc::new(move |_, _, stop| {
                let started = Instant::now();
                while !stop.is_set() && started.elapsed() < Duration::from_secs(120) {
                    std::thread::sleep(Duration::from_millis(5));
                }
                has_ended.store(stop.is_set(), Ordering::Relaxed);
                Err(Refusal::late())
            })
        };
        assert_eq!(status(Duration::from_millis(50), search()), (Some(503), Vec::new()));
        assert!(has_ended.swap(false, Ordering::Relaxed));
        // The client goes after a second.
        assert_eq!(status(Duration::from_secs(60), search()), (None, Vec::new()));
        assert!(has_ended.load(Ordering::Relaxed));
    }
}
