//! `pgn2fen serve`: an opening explorer of one's own.

mod browser;

use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use anyhow::{Result, anyhow};
use clap::Args;

use crate::color::WARNING;
use crate::examples::examples;
use crate::options::names::NamesArguments;
use crate::options::running::When;
use crate::outcome::Outcome;
use crate::say::{self, Line};
use crate::signals::{INTERRUPTED, on_interruption};
use pgn2fen_explorer::{Message, ServeError, ServeOptions, Server};

/// Serve an index as an opening explorer: a page for people, and HTTP for programs.
///
/// Open the address that it prints in a browser. Programs that know the opening explorer of lichess.org can be pointed
/// to it: it answers /masters, /lichess, /player and /masters/pgn/ID. Several indexes are answered as one, or each as a
/// database to choose from. The index may be extended meanwhile. Ctrl-C ends it.
#[derive(Debug, Args)]
#[command(after_long_help = examples(EXAMPLES))]
pub(crate) struct ServeArguments {
    /// The folders of the indexes, built by `pgn2fen index`
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,
    /// The address to listen on. Port 0 takes any free port; 0.0.0.0 and [::] listen for other computers, too
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:9002", value_parser = address)]
    listen: SocketAddr,
    /// The port to listen on, for this computer only. Port 0 takes any free port
    #[arg(long, value_name = "NUMBER", conflicts_with = "listen")]
    port: Option<u16>,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Allow requests that name the server NAME, or NAME:PORT, such as those through a proxy
    ///
    /// Other names than localhost and the address itself are refused, so that no web site can read the index through a
    /// name of its own that points to this computer.
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,
    /// Serve the files of the folder DIR under /site/, such as the page that opens PGN files in the browser
    ///
    /// The folder needs an index.html. Only plain files directly in it are served, as they are when the server starts.
    /// The page of the explorer then has a link to them.
    #[arg(long, value_name = "DIR")]
    site: Option<PathBuf>,
    #[command(flatten)]
    names: NamesArguments,
    /// When to colour messages; auto does so on a terminal unless NO_COLOR is set
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    // `color::choose` reads this option before the command line is parsed.
    color: When,
}

const EXAMPLES: &str = "\
Examples:
  pgn2fen index -o games.idx games.pgn        build an index
  pgn2fen serve games.idx                     then open http://127.0.0.1:9002/ in a browser
  pgn2fen serve --open --port 8000 games.idx  open http://127.0.0.1:8000/ at once
  pgn2fen serve club.idx masters.idx          two indexes, one by one or added up
  pgn2fen serve --listen 0.0.0.0:9002 --allow-host chess.local games.idx

Exit status: 0 if it was ended by Ctrl-C or a signal, 2 for wrong usage or if it could not start.";

/// Parses the value of `--listen`. `localhost` stands for this computer.
fn address(text: &str) -> Result<SocketAddr, &'static str> {
    let of_localhost = text.strip_prefix("localhost:").map(|port| format!("{}:{port}", Ipv4Addr::LOCALHOST));
    let wrong = "not an address with a port; write 127.0.0.1:9002, or 0.0.0.0:9002 to listen for other computers, too";
    of_localhost.as_deref().unwrap_or(text).parse().map_err(|_| wrong)
}

/// Runs `pgn2fen serve DIR…`.
pub(crate) fn serve(arguments: &ServeArguments) -> Result<Outcome> {
    let listen = arguments.port.map_or(arguments.listen, |port| (Ipv4Addr::LOCALHOST, port).into());
    let allow_hosts = arguments.allow_host.clone();
    let site = arguments.site.clone();
    let players = arguments.names.players();
    let options = ServeOptions { listen, allow_hosts, site, players, ..ServeOptions::default() };
    let server = Server::bind(arguments.folders.clone(), options, report).map_err(advised)?;
    let address = server.address();
    if !address.ip().is_loopback() {
        let text = format!(": every computer that reaches {address} can read the games; there is no password");
        Line::painted(WARNING, "warning").and(&text).to_stderr();
    }
    handle_interrupts(&server)?;
    let page = page_address(address);
    Line::from(&*page).to_stdout()?;
    if arguments.open {
        Line::from("the page opens in the browser; Ctrl-C ends the server").to_stderr();
        thread::spawn(move || {
            if let Err(reason) = browser::open(&page) {
                say::warning(&format!("the browser cannot be opened: {reason}; open {page} yourself"));
            }
        });
    } else {
        let text = format!("open {page} in a browser, or start with --open; Ctrl-C ends the server");
        Line::from(&*text).to_stderr();
    }
    server.run();
    Ok(Outcome::Clean)
}

/// Returns the address of the page for a browser on this computer.
fn page_address(address: SocketAddr) -> String {
    if address.ip().is_unspecified() {
        format!("http://localhost:{}/", address.port())
    } else {
        format!("http://{address}/")
    }
}

/// Adds to an error what can be done about it.
fn advised(error: ServeError) -> anyhow::Error {
    match error {
        ServeError::Address(address, reason) if reason.kind() == ErrorKind::AddrInUse => {
            let other = address.port().checked_add(1).unwrap_or_default();
            let option = if address.ip() == Ipv4Addr::LOCALHOST {
                format!("--port {other}")
            } else {
                format!("--listen {}", SocketAddr::new(address.ip(), other))
            };
            anyhow!("{}; choose another port, such as {option}", ServeError::Address(address, reason))
        }
        error => error.into(),
    }
}

fn report(message: &Message) {
    match message {
        Message::Reopened { .. } => Line::from(&*message.to_string()).to_stderr(),
        _ => say::error(&message.to_string()),
    }
}

/// Stops the server at the first interruption. The second one ends the process at once.
#[expect(clippy::exit, reason = "the second interruption, on a thread that cannot return to main")]
fn handle_interrupts(server: &Server) -> Result<()> {
    static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);
    let stopper = server.stopper();
    on_interruption(move || {
        if IS_INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
        stopper.stop();
    })?;
    Ok(())
}
