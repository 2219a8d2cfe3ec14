//! `pgn2fen site`: a folder with the explorer of indexes, for any host of static files.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Result, bail, ensure};
use clap::Args;

use crate::examples::examples;
use crate::index::interrupt;
use crate::options::running::RunningArguments;
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::report::{Channel, Report};
use crate::say::{self, Line};
use crate::unit::Unit;
use pgn2fen_explorer::{PublishOptions, PublishWarning, Published, check_site, publish};
use pgn2fen_games::database::remote;
use pgn2fen_games::messages::{counted, shown};
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::walk::parse_size;

/// Write the explorer of an index as a folder for any web host.
///
/// The folder has the page of `pgn2fen serve` and its data: for each position the moves with their results, ratings and
/// last years, the best and the latest games, and the PGN of these games. Upload it to a host of static files, such as
/// GitHub Pages, Netlify, Cloudflare Pages or any web space. Everything in it can be read by everybody, comments of the
/// games included. Several indexes are several databases to choose from.
#[derive(Debug, Args)]
#[command(after_long_help = examples(EXAMPLES))]
pub(crate) struct SiteArguments {
    /// The folders of the indexes, built by `pgn2fen index`
    #[arg(value_name = "DIR", required_unless_present = "check")]
    folders: Vec<PathBuf>,
    /// Write to this folder. A site that is there is replaced when the new one is complete
    ///
    /// A folder with other files is refused.
    #[arg(short, long, value_name = "DIR", required_unless_present = "check", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Compare every file of a site with the lengths and checksums that were written
    #[arg(long, value_name = "DIR", conflicts_with_all = ["folders", "output"], help_heading = "Output")]
    check: Option<PathBuf>,
    /// The greatest size of a file, such as 24M; most hosts have a limit of 25 MB or more. K, M and G are powers of
    /// 1024
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = "22M", help_heading = "Output")]
    shard: u64,
    /// Write many small files, for hosts that cannot send a part of a file
    ///
    /// The page tells if the host needs this.
    #[arg(long, help_heading = "Output")]
    no_ranges: bool,
    /// The folder with the files of the page
    ///
    /// Without this option, the page is taken from the folder `site` beside the program, where the release archives
    /// have it, from ../share/pgn2fen/site, or from ../site. In the source code, `js/build && node site/build.mjs`
    /// writes target/site, which a program in target/release finds.
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    page: Option<PathBuf>,
    /// The title of the page; the default is the names of the indexes
    #[arg(long, value_name = "TEXT", help_heading = "Output")]
    title: Option<String>,
    /// Only positions that at least N games reached
    ///
    /// Most positions occur in one game. They would make the site many times larger, and are seen when the game is
    /// opened.
    #[arg(long, value_name = "N", default_value_t = 2, help_heading = "Positions")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    min_games: u64,
    /// Only positions that some game reached within N plies; all games count that reached them, however late
    #[arg(long, value_name = "N", help_heading = "Positions")]
    max_plies: Option<u32>,
    /// List the N best rated games of each position; 0 for none. The PGN of listed games is on the site
    #[arg(long, value_name = "N", default_value_t = 8, help_heading = "Games")]
    games: usize,
    /// List the N latest games of each position; 0 for none
    #[arg(long, value_name = "N", default_value_t = 4, help_heading = "Games")]
    recent_games: usize,
    #[command(flatten)]
    running: RunningArguments,
}

const EXAMPLES: &str = "\
Examples:
  pgn2fen index -o club.idx games.pgn               build an index
  pgn2fen site club.idx -o site                     write the site; upload the folder to any host
  pgn2fen site club.idx masters.idx -o site         two databases to choose from
  pgn2fen site --title 'Chess club' --max-plies 40 club.idx -o site
  pgn2fen site --no-ranges club.idx -o site         for hosts that cannot send a part of a file
  pgn2fen site --check site                         compare all files with their checksums

Exit status: 0 if the site was written or is sound, 1 if the text of some games could not be read, 2 for wrong usage, if
something could not be read or written, or if --check found damage.";

/// Runs `pgn2fen site`.
pub(crate) fn site(arguments: &SiteArguments) -> Result<Outcome> {
    if let Some(folder) = &arguments.check {
        return check(folder, &arguments.running);
    }
    let Some(folder) = &arguments.output else {
        bail!("give the folder to write: -o DIR");
    };
    ensure!(
        remote::address(folder).is_none(),
        "{} is an address, and a site is written to a folder on this machine; copy it there",
        shown(folder)
    );
    let options = arguments.options()?;
    interrupt::handle()?;
    let workers = Workers::new(arguments.running.threads)?;
    let progress = Progress::new(&arguments.running, false, || None, Unit::Position);
    let report = Mutex::new(Report::new(&arguments.running, Channel::Stderr, progress, Unit::Position));
    let lock = || report.lock().unwrap_or_else(PoisonError::into_inner);
    let show = |done, all| {
        lock().show_writing(done, all);
        interrupt::check()
    };
    let mut tell = |warning: PublishWarning| match warning {
        PublishWarning::Variants { .. } => lock().hint(&warning.to_string()),
        _ => lock().skipped(&warning.to_string()),
    };
    let published = publish(&arguments.folders, folder, &options, &workers, &mut tell, &show);
    if published.is_err() {
        interrupt::end_if_interrupted();
    }
    let Published { positions, games, files, bytes, .. } = published?;
    let report = report.into_inner().unwrap_or_else(PoisonError::into_inner);
    if positions == 0 {
        report.hint("the site has no positions; fewer games reached each of them than --min-games says");
    }
    let (positions, games) = (counted(positions, "position"), counted(games, "game"));
    report.sum_up(&format!("site: {positions}, {games}, {} with {}", counted(files, "file"), counted(bytes, "byte")));
    Ok(report.outcome())
}

/// Runs `pgn2fen site --check`.
fn check(folder: &Path, running: &RunningArguments) -> Result<Outcome> {
    let (damage, files) = check_site(folder)?;
    for fault in &damage {
        say::error(&fault.to_string());
    }
    let name = shown(folder);
    ensure!(damage.is_empty(), "{name} is damaged in {}", counted(damage.len() as u64, "place"));
    if !running.quiet {
        Line::from(format!("{name} is sound: {}", counted(files, "file")).as_str()).to_stdout()?;
    }
    Ok(Outcome::Clean)
}

impl SiteArguments {
    fn options(&self) -> Result<PublishOptions> {
        Ok(PublishOptions {
            title: self.title.clone(),
            min_games: self.min_games,
            max_plies: self.max_plies,
            top_games: self.games,
            recent_games: self.recent_games,
            shard: self.shard,
            ranges: !self.no_ranges,
            page: self.page()?,
        })
    }

    /// Returns the folder with the files of the page.
    fn page(&self) -> Result<PathBuf> {
        if let Some(page) = &self.page {
            return Ok(page.clone());
        }
        let program = std::env::current_exe().and_then(|program| program.canonicalize()).unwrap_or_default();
        let places = ["site", "../share/pgn2fen/site", "../site"];
        let beside = program.parent().map(|folder| places.map(|place| folder.join(place)));
        let found = beside.into_iter().flatten().find(|folder| folder.join("explorer/index.html").is_file());
        ensure!(
            found.is_some(),
            "the files of the page are not beside the program; `js/build && node site/build.mjs` in the source code of \
             pgn2fen writes them to target/site, with Node 20 or later, where a program in target/release finds them; \
             --page target/site gives the folder to another program"
        );
        Ok(found.unwrap_or_default())
    }
}

/// Reads a size such as 24M.
fn size(text: &str) -> Result<u64, String> {
    parse_size(text).map(|size| size as u64)
}
