//! An opening explorer of one's own: serves an index over HTTP, for the programs that know the public explorer, and
//! with a page for people.
//!
//! A [`Server`] opens one or several indexes and answers:
//!
//! - `/masters`, `/lichess`, `/player` and `/masters/pgn/{id}` with the answers of the public opening explorer of
//!   lichess.org, so its clients can be pointed to it;
//! - `/` with a page, which asks `/api/…`.
//!
//! [`publish()`] writes a folder with the explorer for any host of static files, without a server.
//!
//! [The guide](https://github.com/pgn2fen/pgn2fen/blob/main/docs/explorer-http.md) describes the interface. A server
//! that runs notices when an index is extended, merged or replaced.
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
//!
//! # Other crates
//!
//! | for | take |
//! |---|---|
//! | the answers of an index, without a server | `pgn2fen-index` |
//! | the picture of a position | `pgn2fen-board` |
//!
//! [The library](https://github.com/pgn2fen/pgn2fen/blob/main/docs/library.md) lists all crates, with a program
//! for each.
//!
//! # Inside
//!
//! `server` holds the connections: their number, their time limits and the end of the server. `routes` and `hosts`
//! say which requests there are and which are refused. `index_set` holds the open indexes and opens them again when
//! they have changed; `database` gives them names. `hot` has the surveys of frequent positions before anybody asks
//! for them; `answer` adds up the surveys of the indexes, and `stop` gives up searches whose client has gone.
//! `parameters`, `line` and `filter` read the query of a request. `explorer` writes the tables for clients, with the
//! `performance` of a player; `api` and `lists` write the answers for the page, and `game` single games. `names`
//! finds the names of players, which are `kept` when they were first needed. `publish` writes the folder of a site
//! without a server. `folder` reads the files of [`ServeOptions::site`]. The server maps no files, because a mapped
//! file that another process shortens would end the process.

mod answer;
mod api;
mod database;
mod explorer;
mod filter;
mod folder;
mod game;
mod hosts;
mod hot;
mod id;
mod index_set;
mod json;
mod kept;
mod kept_surveys;
mod line;
mod lists;
mod message;
mod names;
mod open_index;
mod options;
mod page;
mod parameters;
mod performance;
mod publish;
mod question;
mod refusal;
mod routes;
mod server;
mod site;
mod stop;
mod timeout_stream;

pub use crate::message::{Message, ServeError};
pub use crate::options::ServeOptions;
pub use crate::publish::{Damage, PublishError, PublishOptions, PublishWarning, Published, check_site, publish};
pub use crate::server::{Server, Stopper};
