//! `pgn2fen book`: its options, and the run that writes an opening book.

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};

use crate::examples::examples;
use crate::options::choice::TurnArgument;
use crate::options::names::NamesArguments;
use crate::options::running::RunningArguments;
use crate::outcome::Outcome;
use crate::output::{Output, folder_of, refuse_indexed, refuse_placeholders};
use crate::progress::Progress;
use crate::report::{Channel, Report};
use crate::unit::Unit;
use crate::walk::Complete;
use pgn2fen_chess::rules::Rules;
use pgn2fen_files::{Compression, EndingRules, agreed};
use pgn2fen_games::messages::{counted, shown};
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::selection::{Plies, TagFilter};
use pgn2fen_index::books::{
    Balance, BookChoice, BookError, OpeningSuite, Percent, PolyglotBook, Weight, WrittenBook, WrittenSuite,
};
use pgn2fen_index::{Index, QueryWarning};

/// Write an opening book from an index.
///
/// A Polyglot book has the moves that were played in each position, with weights, for chess engines. With -f epd, or an
/// output file whose ending is .epd, it is an opening suite for matches: positions, each once, as EPD. A position is
/// the same whatever the order of moves that led to it.
///
/// Positions of an opening suite are read from the files that were indexed. A Polyglot book needs only the index.
#[derive(Debug, Args)]
#[command(after_long_help = examples(EXAMPLES))]
pub(crate) struct BookArguments {
    /// The folder of an index, built by `pgn2fen index`
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Only games whose tag satisfies the filter, such as 'WhiteElo>=2200', 'Date<2000' or 'Player~carlsen'
    ///
    /// With several of these options, all must hold; with 'White~carlsen or Black~caruana', one of the two. An index
    /// keeps the tags Event, Site, Date, Round, White, Black, WhiteElo, BlackElo, ECO, Result, TimeControl, Variant and
    /// those of `index --tags`. `pgn2fen --help`
    /// explains how values are compared.
    #[arg(short, long = "tag", value_name = "FILTER", help_heading = "Games")]
    tags: Vec<TagFilter>,
    #[command(flatten)]
    names: NamesArguments,
    /// Only moves that this player made: a part of the name, in upper or lower case
    ///
    /// In an opening suite, only positions in which this player was to move.
    #[arg(long, value_name = "NAME", help_heading = "Games")]
    player: Option<String>,
    /// Only these plies of each game, such as ..29 for the first 15 moves of both sides
    ///
    /// Ply 0 is the starting position, and ply k the position after k moves of either side. What was played in the
    /// position at the last of these plies is in the book.
    #[arg(short, long = "ply", value_name = "PLIES", allow_hyphen_values = true, default_value = "..")]
    #[arg(hide_default_value = true, help_heading = "Positions")]
    plies: Plies,
    /// Only positions with this side to move
    #[arg(long, value_enum, value_name = "w|b", help_heading = "Positions")]
    turn: Option<TurnArgument>,
    /// Only moves that were played in at least N games; in an opening suite, positions that at least N games reached
    #[arg(long, value_name = "N", default_value_t = 3, help_heading = "Positions")]
    min_games: u64,
    /// The weights of moves, from which engines choose
    ///
    /// Without this option, score. Weights beyond 65535 are scaled, together with the others of their position. A move
    /// with weight 0 is left out.
    #[arg(long, value_enum, value_name = "KIND", help_heading = "Moves")]
    weight: Option<WeightArgument>,
    /// In an opening suite, only positions with this score of White, in per cent, such as 45..55
    ///
    /// The score is that of the games that reached the position. Games without a known result do not count.
    #[arg(long, value_name = "RANGE", help_heading = "Positions")]
    balance: Option<Balance>,
    /// Only moves with at least this score for the side that plays them, in per cent, such as 45
    ///
    /// A win counts 1 and a draw 0.5. Games without a known result do not count.
    #[arg(long, value_name = "PERCENT", help_heading = "Moves")]
    min_score: Option<Percent>,
    /// At most N moves for each position: those with the greatest weights. In an opening suite, at most N positions:
    /// the first ones
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Moves")]
    max: Option<u64>,
    /// Write to FILE, which appears when it is complete. Its ending chooses the format: .bin or .epd
    ///
    /// .zst .gz .bz2 after them compress the file. Another ending needs --format.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    /// The format of the book
    #[arg(short, long, value_enum, value_name = "FORMAT", help_heading = "Output")]
    format: Option<BookFormat>,
    #[command(flatten)]
    running: RunningArguments,
}

const EXAMPLES: &str = "\
Examples:
  pgn2fen index -o games.idx games.pgn                       build an index
  pgn2fen book games.idx -o book.bin -p ..29                 the first 15 moves of all games
  pgn2fen book -t 'WhiteElo>=2500' -t 'BlackElo>=2500' --min-games 10 games.idx -o strong.bin
  pgn2fen book --player carlsen --weight games --min-games 1 games.idx -o carlsen.bin
  pgn2fen book --turn w --min-score 50 games.idx -o white.bin
  pgn2fen book -p 16 --min-games 20 --balance 45..55 games.idx -o suite.epd    balanced positions for matches

Exit status: 0 if the book was written, 2 for wrong usage or if something could not be read or written.";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BookFormat {
    /// A Polyglot book for chess engines
    #[value(alias = "bin")]
    Polyglot,
    /// An opening suite for matches: a position on each line
    Epd,
}

impl BookFormat {
    fn of_ending(ending: &str) -> Option<Self> {
        match ending {
            "bin" => Some(Self::Polyglot),
            "epd" => Some(Self::Epd),
            _ => None,
        }
    }

    fn rules(self) -> EndingRules {
        match self {
            Self::Polyglot => EndingRules { name: "polyglot", is_binary: true, is_compressed: false, may_be_bin: true },
            Self::Epd => EndingRules { name: "epd", is_binary: false, is_compressed: false, may_be_bin: false },
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum WeightArgument {
    /// Two for each game that the player of the move won, one for each draw
    Score,
    /// The number of games
    Games,
    /// One for every move
    Uniform,
}

impl BookArguments {
    fn choice(&self) -> BookChoice {
        BookChoice {
            plies: self.plies,
            tags: self.tags.clone(),
            players: self.names.players(),
            player: self.player.clone(),
            turn: self.turn.map(TurnArgument::color),
            min_games: self.min_games,
        }
    }

    fn polyglot(&self) -> PolyglotBook {
        PolyglotBook {
            choice: self.choice(),
            weight: match self.weight {
                None | Some(WeightArgument::Score) => Weight::Score,
                Some(WeightArgument::Games) => Weight::Games,
                Some(WeightArgument::Uniform) => Weight::Uniform,
            },
            min_score: self.min_score,
            max_moves: self.max,
        }
    }

    fn suite(&self) -> OpeningSuite {
        OpeningSuite {
            choice: self.choice(),
            balance: self.balance,
            max_positions: self.max,
            temporary_folder: self.output.as_deref().and_then(folder_of).map(PathBuf::from),
        }
    }

    /// Refuses options that have no meaning for the format.
    fn check(&self, format: BookFormat) -> Result<()> {
        match format {
            BookFormat::Polyglot => {
                ensure!(
                    self.balance.is_none(),
                    "--balance chooses positions of an opening suite, -f epd; --min-score chooses moves of a Polyglot \
                     book"
                );
            }
            BookFormat::Epd => {
                ensure!(
                    self.weight.is_none(),
                    "--weight is for moves of a Polyglot book; an opening suite, -f epd, has positions only"
                );
                ensure!(
                    self.min_score.is_none(),
                    "--min-score chooses moves of a Polyglot book; --balance chooses positions of an opening suite, -f \
                     epd"
                );
            }
        }
        Ok(())
    }

    /// Returns the format of the book, and the compression of the file.
    fn format(&self) -> Result<(BookFormat, Compression)> {
        let Some(path) = self.output.as_deref().filter(|path| path.as_os_str() != "-") else {
            return Ok((self.format.unwrap_or(BookFormat::Polyglot), Compression::None));
        };
        let advice = "use .bin or .epd; .zst, .gz and .bz2 after them compress the file";
        let (format, compression) = agreed(path, self.format, BookFormat::of_ending, BookFormat::rules)
            .map_err(|error| error.advise(advice))?;
        let format = format.with_context(|| {
            format!("the ending of {} chooses no format; use .bin or .epd, or -f polyglot or -f epd", shown(path))
        })?;
        Ok((format, compression))
    }

    /// Returns the options that leave out moves, as they are written.
    fn restrictions(&self) -> String {
        let mut names = vec![format!("--min-games {}", self.min_games)];
        let others = [
            ("--tag", !self.tags.is_empty()),
            ("--player", self.player.is_some()),
            ("--ply", self.plies != Plies::ALL),
            ("--turn", self.turn.is_some()),
            ("--min-score", self.min_score.is_some()),
            ("--balance", self.balance.is_some()),
        ];
        names.extend(others.iter().filter(|(_, is_there)| *is_there).map(|(name, _)| (*name).to_owned()));
        names.join(", ")
    }
}

/// A book that was written, in numbers.
enum Written {
    Book(WrittenBook),
    Suite(WrittenSuite),
}

/// Runs `pgn2fen book DIR`.
pub(crate) fn book(arguments: &BookArguments) -> Result<Outcome> {
    arguments.choice().check()?;
    let (format, compression) = arguments.format()?;
    arguments.check(format)?;
    let index = Index::open(&arguments.folder)?;
    let workers = Workers::new(arguments.running.threads)?;
    arguments.names.refuse_output(arguments.output.as_deref())?;
    refuse_indexed(&index, arguments.output.as_deref())?;
    refuse_placeholders(arguments.output.as_deref())?;
    let mut output = Output::open(arguments.output.as_deref(), compression)?;
    ensure!(
        !(format.rules().is_binary && output.is_terminal()),
        "{} is a binary format, which a terminal cannot show; write it to a file: -o book.bin",
        format.rules().name
    );
    let progress = Progress::new(&arguments.running, output.is_terminal(), || None, Unit::Position);
    let report = Mutex::new(Report::new(&arguments.running, Channel::Stderr, progress, Unit::Position));
    let lock = || report.lock().unwrap_or_else(PoisonError::into_inner);
    let show = |done, all| {
        lock().show_writing(done, all);
        ControlFlow::Continue(())
    };
    let written = match format {
        BookFormat::Polyglot => arguments.polyglot().write(&index, &workers, &mut output, &show).map(Written::Book),
        BookFormat::Epd => {
            let mut tell = |trouble: &QueryWarning| lock().failure(&trouble.to_string());
            arguments.suite().write(&index, &workers, &mut output, &mut tell, &show).map(Written::Suite)
        }
    };
    let mut report = report.into_inner().unwrap_or_else(PoisonError::into_inner);
    let written = match written {
        Ok(written) => written,
        Err(BookError::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(report.outcome()),
        Err(BookError::Write(error)) => bail!("cannot write {}: {error}", output.name()),
        Err(error) => return Err(error.into()),
    };
    match written {
        Written::Suite(WrittenSuite { unread: 1.., .. }) => {
            output.complete(Some("not all of its positions could be read"), &mut report)?;
            return Ok(report.outcome());
        }
        _ => output.finish()?,
    }
    if let Some(warning) = missing_plies(&index, arguments.plies) {
        report.hint(&warning);
    }
    let others = index.rules()?.others(Rules::Chess);
    if others > 0 {
        let verb = if others == 1 { "is" } else { "are" };
        let games = counted(others, "game");
        report.hint(&format!("{games} of variants {verb} left out; a book has positions of chess only"));
    }
    warn(arguments, &written, &report);
    report.sum_up(&match written {
        Written::Book(WrittenBook { positions, moves, .. }) => {
            format!("book: {} in {}", counted(moves, "move"), counted(positions, "position"))
        }
        Written::Suite(WrittenSuite { positions, .. }) => format!("book: {}", counted(positions, "position")),
    });
    Ok(report.outcome())
}

/// Warns about moves that were left out, and about an empty book.
fn warn(arguments: &BookArguments, written: &Written, report: &Report) {
    let restrictions = || arguments.restrictions();
    match written {
        Written::Book(WrittenBook { undecided: moves @ 1.., .. }) => report.hint(&format!(
            "{} left out at the last ply of the index, which does not tell whether a king castles there; leave out \
             this ply with -p, or build an index with more plies",
            counted(*moves, "move")
        )),
        Written::Book(WrittenBook { moves: 0, .. }) => {
            let has_scores = matches!(arguments.weight, None | Some(WeightArgument::Score));
            let results = "; moves without a win or a draw have no weight, unless with --weight games";
            let results = if has_scores { results } else { "" };
            report.hint(&format!("the book is empty; no move passes {}{results}", restrictions()));
        }
        Written::Suite(WrittenSuite { positions: 0, .. }) => {
            report.hint(&format!("the book is empty; no position passes {}", restrictions()));
        }
        _ => {}
    }
}

/// Returns a warning if not all of the wanted plies are in the index.
fn missing_plies(index: &Index, wanted: Plies) -> Option<String> {
    let known = index.info().plies;
    let is_whole = wanted == Plies::ALL || wanted.is_within(known);
    (!is_whole).then(|| {
        format!(
            "the index has only the plies {known} of each game; build it again for the plies {wanted}: pgn2fen index \
             -p {wanted}"
        )
    })
}
