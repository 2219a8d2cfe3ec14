//! An opening explorer of one's own: serves an index over HTTP, for the programs that know the public explorer, and
//! with a page for people.
//!
//! A [`Server`] opens one or several indexes and answers:
//!
//! - `/masters`, `/lichess` and `/masters/pgn/{id}` with the answers of the public opening explorer of lichess.org, so
//!   its clients can be pointed to it;
//! - `/` with a page, which asks `/api/…`.
//!
//! `docs/explorer-http.md` describes the interface. A server that runs notices when an index is extended, merged or
//! replaced.
//!
//! ```no_run
//! use pgn2fen_explorer::{ServeOptions, Server};
//!
//! let server = Server::bind(vec!["games.idx".into()], ServeOptions::default(), |message| eprintln!("{message}"))?;
//! println!("http://{}/", server.address());
//! let stopper = server.stopper();
//! std::thread::spawn(move || {
//!     std::thread::sleep(std::time::Duration::from_secs(60));
//!     stopper.stop();
//! });
//! server.run();
//! # Ok::<(), pgn2fen_explorer::ServeError>(())
//! ```

mod answer;
mod api;
mod explorer;
mod filter;
mod game;
mod hosts;
mod id;
mod json;
mod line;
mod message;
mod options;
mod page;
mod parameters;
mod patient;
mod refusal;
mod routes;
mod server;
mod shelf;
mod site;
mod stop;
mod volume;

pub use crate::message::{Message, ServeError};
pub use crate::options::ServeOptions;
pub use crate::server::{Server, Stopper};
