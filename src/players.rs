//! `pgn2fen players`: its options, and the run that lists the names of players.

use std::io::{BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};

use crate::examples::examples;
use crate::find::print::Printer;
use crate::input;
use crate::options::choice::{GameArguments, StartArguments};
use crate::options::read_options;
use crate::options::reading::{InputArguments, MoveArguments};
use crate::options::running::RunningArguments;
use crate::outcome::Outcome;
use crate::output::{Output, refuse_placeholders};
use crate::walk::{self, Run};
use pgn2fen_chess::piece::Color;
use pgn2fen_files::{Compression, EndingRules, Found, agreed, refuse_to_replace};
use pgn2fen_games::messages::counted;
use pgn2fen_games::players::{Group, ListedName, ListedPlayer, PlayerList, PlayerStats, PlayerSurvey};
use pgn2fen_games::walk::{Job, LeftOut, OnError};
use pgn2fen_rows::Format;
use pgn2fen_rows::answers::{STATS_COLUMNS, each_stats_row};
use pgn2fen_rows::lines::Cell;
use pgn2fen_trees::player_filter;

/// List the players in games, with all their names, and who may be the same.
///
/// The list is a names file, which --names of other commands reads: each line that begins without white space is a
/// player, and the indented lines below it are further names of the player, and FIDE ids. Names are of one player if
/// they have the same FIDE id, or if they differ only in case, accents, punctuation and white space. Behind each name
/// are its games as White and as Black, the years of the games, and the ratings.
///
/// Lines that begin with #? are guesses: initials for first names, another order of the names, fewer first names, or
/// other letters. Remove these two characters where a guess is right. No move is played, and errors in moves are not
/// reported.
#[derive(Debug, Args)]
#[command(after_long_help = examples(EXAMPLES))]
pub(crate) struct PlayersArguments {
    #[command(flatten)]
    input: InputArguments,
    #[command(flatten)]
    moves: MoveArguments,
    #[command(flatten)]
    games: GameArguments,
    #[command(flatten)]
    start: StartArguments,
    /// Count the results of a player, a part of whose name this is: by opening, speed and rating of the opponent
    ///
    /// The rows are divided by the colour of the player. The openings are those of the moves, up to the first colon of
    /// their names; the speeds are those of Lichess, by the tag TimeControl; the ratings are in steps of 200. A game
    /// without a known result counts as a game, but not for score and performance. Without -o and -f, a table is
    /// printed.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["several", "min_games"], help_heading = "Players")]
    stats: Option<String>,
    /// Only players with several names, or with guesses
    #[arg(long, help_heading = "Players")]
    several: bool,
    /// Only players with at least N games, those of guesses included
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, help_heading = "Players")]
    min_games: u64,
    /// Write to FILE, which appears when it is complete; its ending chooses the format
    ///
    /// .tsv, .csv and .jsonl choose rows; .zst .gz .bz2 after them compress the file. Any other ending, such as .txt,
    /// is a names file.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    /// The output format
    #[arg(short, long, value_enum, value_name = "FORMAT", help_heading = "Output")]
    format: Option<ListFormat>,
    /// Leave out the header row of tsv and csv
    #[arg(long, help_heading = "Output")]
    no_header: bool,
    #[command(flatten)]
    running: RunningArguments,
}

const EXAMPLES: &str = "\
Examples:
  pgn2fen players games.pgn -o names.txt               list all players in a file that can be edited
  pgn2fen players --several games.pgn                  list players with several names, and guesses
  pgn2fen players --stats carlsen games.pgn            the results of a player by opening, speed and opponents
  pgn2fen players --min-games 20 -f csv games.pgn      a row for each name of players with 20 games or more
  pgn2fen players --names names.txt -r games -o new.txt    list the players of more games with those known
  pgn2fen games --names names.txt -t 'Player=Carlsen, Magnus' games.pgn    copy the games of a player, under all names
  pgn2fen index --names names.txt -o games.idx games.pgn   an index in which each player has one name

Exit status: 0 if everything was read, 1 if some games have errors (0 with --exit-zero), 2 for wrong usage or if a \
file could not be
read or written.";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ListFormat {
    /// A names file, for --names
    Names,
    /// A row for each name, separated by tabs
    Tsv,
    /// A row for each name, separated by commas
    Csv,
    /// A JSON object for each name
    Jsonl,
}

impl ListFormat {
    fn of_ending(ending: &str) -> Option<Self> {
        match ending {
            "tsv" => Some(Self::Tsv),
            "csv" => Some(Self::Csv),
            "jsonl" => Some(Self::Jsonl),
            _ => None,
        }
    }

    /// Returns the format of rows; None for a names file.
    fn rows(self) -> Option<Format> {
        match self {
            Self::Names => None,
            Self::Tsv => Some(Format::Tsv),
            Self::Csv => Some(Format::Csv),
            Self::Jsonl => Some(Format::Jsonl),
        }
    }

    fn rules(self) -> EndingRules {
        self.rows().map_or(
            EndingRules { name: "names", is_binary: false, is_compressed: false, may_be_bin: false },
            EndingRules::from,
        )
    }
}

/// Advice about the endings of output files.
const ENDINGS: &str = "use .txt for a names file, or .tsv, .csv or .jsonl; .zst, .gz and .bz2 after them compress the \
                       file";

/// The columns of a row.
const COLUMNS: [&str; 11] =
    ["player", "name", "same", "games", "white", "black", "first_year", "last_year", "min_elo", "max_elo", "fide_ids"];

/// The first lines of a names file.
const HEADING: &str = "\
# Players, for the option --names. An indented line is a further name of the player above it, or a FIDE id.
# A line that begins with #? is a guess: remove these two characters if it is right.
";

/// Runs `pgn2fen players [FILE]…`.
pub(crate) fn players(arguments: &PlayersArguments) -> Result<Outcome> {
    let PlayersArguments { input, moves, games, start, output, running, .. } = arguments;
    let (format, compression) = match output.as_deref().filter(|path| path.as_os_str() != "-") {
        Some(path) => agreed(path, arguments.format, ListFormat::of_ending, ListFormat::rules)
            .map_err(|error| error.advise(ENDINGS))?,
        None => (arguments.format, Compression::None),
    };
    let rows = format.and_then(ListFormat::rows);
    let has_header = rows.is_some() || arguments.stats.is_some();
    ensure!(has_header || !arguments.no_header, "a names file has no header row; only -f tsv and csv have one");
    let files = input::files(input)?;
    if let Some(path) = output {
        refuse_to_replace(&files, path)?;
    }
    refuse_placeholders(output.as_deref())?;
    let target = Output::open(output.as_deref(), compression)?;
    if let Some(name) = &arguments.stats {
        ensure!(format != Some(ListFormat::Names), "--stats has no names file; use -f tsv, csv or jsonl");
        return player_stats(arguments, name, files, (target, rows));
    }

    let read = read_options((games, start), moves, input, running, OnError::Keep);
    let run = Run::choosing(&read, files, input, running);
    let (workers, mut report) = run.begin(target.is_terminal())?;
    let mut survey = PlayerSurvey::new(read);
    let why_unfinished = walk::read(&workers, &mut survey, (run.files, input), &mut report);
    report.end_reading(&survey.totals());
    if why_unfinished.is_some() {
        if let Some(message) = target.finish_unless(why_unfinished)? {
            report.failure(&message);
        }
        return Ok(report.end());
    }
    let mut list = survey.list().with_games(arguments.min_games);
    if arguments.several {
        list = list.with_several_names();
    }
    match rows {
        Some(format) => write_rows(&list, Printer::new(target, COLUMNS.to_vec(), Some(format), arguments.no_header))?,
        None => write_names(&list, target)?,
    }
    report.end_writing(LeftOut::default(), &run.restrictions);
    report.sum_up(&format!("players: {}", counted(list.players().len() as u64, "player")));
    Ok(report.end())
}

/// Counts the results of a player.
fn player_stats(
    arguments: &PlayersArguments,
    name: &str,
    files: Vec<Found>,
    (target, format): (Output, Option<Format>),
) -> Result<Outcome> {
    let PlayersArguments { input, moves, games, start, running, .. } = arguments;
    let side = |color| player_filter(name, Some(color)).context("--stats needs a name, without quotes in it");
    let read = read_options((games, start), moves, input, running, OnError::Keep);
    let run = Run::choosing(&read, files, input, running);
    let mut restrictions = run.restrictions.clone();
    restrictions.games.push("--stats");
    let run = Run { restrictions: restrictions.clone(), ..run };
    let mut job = PlayerStats::new([side(Color::White)?, side(Color::Black)?], read);
    let (_, mut report, why_unfinished) = walk::gather(&mut job, run, target.is_terminal())?;
    report.end_writing(LeftOut::default(), &restrictions);
    let rows = job.rows();
    let count = rows.iter().filter(|row| row.group == Group::All).map(|row| row.score.games()).sum();
    let names = STATS_COLUMNS.map(|(name, _)| name);
    let mut printer = Printer::new(target, names.to_vec(), format, arguments.no_header);
    each_stats_row(&rows, |cells| printer.row(cells.into_iter()))?;
    printer.end(why_unfinished)?;
    report.sum_up(&format!("stats: {}", counted(count, "game")));
    Ok(report.end())
}

/// Writes the list as a names file.
fn write_names(list: &PlayerList, target: Output) -> Result<()> {
    let mut out = BufWriter::with_capacity(64 * 1024, target);
    let written = out.write_all(HEADING.as_bytes()).and_then(|()| list.write(&mut out)).and_then(|()| out.flush());
    out.get_ref().written(written)?;
    // Nothing is left in the buffer.
    out.into_parts().0.finish()
}

/// Writes a row for each name.
fn write_rows(list: &PlayerList, mut printer: Printer) -> Result<()> {
    let mut ids = String::new();
    for player in list.players() {
        for name in player.names().iter().chain(player.guesses()) {
            ids.clear();
            for id in fide_ids(player, name) {
                let comma = if ids.is_empty() { "" } else { "," };
                ids += &format!("{comma}{id}");
            }
            let number = |number: Option<u16>| Cell::number(number.map(u64::from));
            let count = &name.count;
            let cells = [
                Cell::Text(player.name()),
                Cell::Text(&count.name),
                Cell::Text(name.sameness.name()),
                Cell::Number(count.games()),
                Cell::Number(count.white),
                Cell::Number(count.black),
                number(count.years.map(|years| years.0)),
                number(count.years.map(|years| years.1)),
                number(count.ratings.map(|ratings| ratings.0)),
                number(count.ratings.map(|ratings| ratings.1)),
                Cell::Text(&ids),
            ];
            printer.row(cells.into_iter())?;
        }
    }
    printer.end(None)
}

/// Returns the FIDE ids of a name: those of its games, or those of the names file.
fn fide_ids<'l>(player: &'l ListedPlayer, name: &'l ListedName) -> &'l [u32] {
    if name.count.games() == 0 { player.fide_ids() } else { &name.fide_ids }
}
