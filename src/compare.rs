//! `games --tree` and `find --tree`: compares games with a repertoire.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};

use crate::color;
use crate::input;
use crate::options::choice::TurnArgument;
use crate::options::reading::InputArguments;
use crate::options::running::RunningArguments;
use crate::outcome::Outcome;
use crate::output::{Output, refuse_placeholders};
use crate::progress::Progress;
use crate::report::{Channel, Report};
use crate::say;
use crate::unit::Unit;
use crate::walk::{self, Complete, Run};
use pgn2fen_board::TextStyle;
use pgn2fen_chess::piece::Color;
use pgn2fen_files::{Compression, EndingRules, Found, agreed, refuse_to_replace};
use pgn2fen_games::messages::{Restrictions, counted, quoted, shown};
use pgn2fen_games::players::Players;
use pgn2fen_games::selection::{Plies, TagFilter};
use pgn2fen_games::walk::{LeftOut, ReadOptions};
use pgn2fen_index::{Index, QueryWarning};
use pgn2fen_rows::page;
use pgn2fen_trees::{
    AnnotateGames, Annotator, CompareFormat, CompareGames, CompareStyle, CompareTable, Comparison, Leaving, Repertoire,
    RepertoireReader, RowFormat, annotate_index, compare_index, player_filter, why_games_are_left_out,
};

/// The greatest number of places in each part of a page.
const PAGE_PLACES: usize = 100;

#[derive(Debug, Args)]
#[command(next_help_heading = "Repertoire")]
pub(crate) struct CompareArguments {
    /// Compare the games with the repertoire of FILE: where each of them leaves it, who did, and what it lacks
    ///
    /// FILE has games with variations: all their moves are the repertoire. Several of these options join files. A
    /// position is the same whatever moves lead to it, so a game that transposes back into the repertoire is on it
    /// again; it leaves it behind the last of its positions. Without --output and --format, a report with boards is
    /// printed.
    #[arg(long = "tree", value_name = "FILE")]
    tree: Vec<PathBuf>,
    /// The side that has the repertoire
    ///
    /// Without this option, it is the side of the tags Orientation in FILE, if they agree, as in studies of Lichess;
    /// and else the side that has less choice in FILE.
    #[arg(long, value_enum, value_name = "w|b", requires = "tree")]
    side: Option<TurnArgument>,
    /// Only games of this player with the side of the repertoire: a part of the name, in upper or lower case
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// The rows of a table: games, the places where they left the repertoire, or lines that no game met
    #[arg(long, value_enum, value_name = "ROWS", requires = "tree")]
    table: Option<TableArgument>,
    /// With -f pgn, only games that leave the repertoire in these ways: never, within, line_end, player, opponent
    ///
    /// never: games that never were on the repertoire. within: games that ended on it. line_end: games that went on
    /// behind its end. player, opponent: games in which the player, or the opponent, played another move.
    #[arg(long, value_enum, value_name = "WAY", value_delimiter = ',', requires = "tree")]
    leaving: Vec<LeavingArgument>,
}

/// A way in which a game leaves the repertoire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LeavingArgument(Leaving);

impl ValueEnum for LeavingArgument {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [LeavingArgument; 5] = {
            let [a, b, c, d, e] = Leaving::ALL;
            [LeavingArgument(a), LeavingArgument(b), LeavingArgument(c), LeavingArgument(d), LeavingArgument(e)]
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TableArgument {
    Games,
    Departures,
    Unmet,
}

/// A format of `--tree`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CompareFormatArgument {
    Text,
    Html,
    Pgn,
    Csv,
    Tsv,
    Jsonl,
    Parquet,
}

/// The output of a comparison: games with annotations, or the comparison itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Written {
    Games,
    Comparison(CompareFormat),
}

impl Written {
    fn of_ending(ending: &str) -> Option<Self> {
        if ending == "pgn" { Some(Self::Games) } else { CompareFormat::of_ending(ending).map(Self::Comparison) }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Games => "pgn",
            Self::Comparison(format) => format.name(),
        }
    }

    fn rules(self) -> EndingRules {
        let is_binary = self == Self::Comparison(CompareFormat::Parquet);
        EndingRules { name: self.name(), is_binary, is_compressed: is_binary, may_be_bin: false }
    }

    fn is_table(self) -> bool {
        matches!(self, Self::Comparison(CompareFormat::Rows(_) | CompareFormat::Parquet))
    }
}

impl From<CompareFormatArgument> for Written {
    fn from(format: CompareFormatArgument) -> Self {
        match format {
            CompareFormatArgument::Pgn => Self::Games,
            CompareFormatArgument::Text => Self::Comparison(CompareFormat::Text),
            CompareFormatArgument::Html => Self::Comparison(CompareFormat::Html),
            CompareFormatArgument::Csv => Self::Comparison(CompareFormat::Rows(RowFormat::Csv)),
            CompareFormatArgument::Tsv => Self::Comparison(CompareFormat::Rows(RowFormat::Tsv)),
            CompareFormatArgument::Jsonl => Self::Comparison(CompareFormat::Rows(RowFormat::Jsonl)),
            CompareFormatArgument::Parquet => Self::Comparison(CompareFormat::Parquet),
        }
    }
}

/// Where the comparison is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target<'a> {
    pub(crate) output: Option<&'a Path>,
    pub(crate) format: Option<CompareFormatArgument>,
    /// The title of a page.
    pub(crate) title: Option<&'a str>,
}

/// The games of files, and how they are read.
pub(crate) struct GameInput<'a> {
    pub(crate) input: &'a InputArguments,
    pub(crate) running: &'a RunningArguments,
    pub(crate) read: ReadOptions,
}

/// The repertoire with its side, and the outcome of reading it.
struct Read {
    repertoire: Arc<Repertoire>,
    side: Color,
    outcome: Outcome,
}

impl CompareArguments {
    /// Whether games are compared with a repertoire.
    ///
    /// # Errors
    ///
    /// A player is given without a repertoire.
    pub(crate) fn is_wanted(&self) -> Result<bool> {
        if let Some(player) = self.player.as_deref().filter(|_| self.tree.is_empty()) {
            let meant = player_filter(player, None);
            // Quotes within the filter are needed only if it has a word such as `or`.
            let is_meant = |plain: &TagFilter| meant.as_ref().is_some_and(|it| it.conditions() == plain.conditions());
            let plain = format!("Player~{player}").parse().ok().filter(is_meant);
            let filter = plain.or(meant.clone()).map(|filter| filter.to_string());
            let filter = filter.unwrap_or("Player~carlsen".to_owned());
            let filter = quoted(OsStr::new(&filter));
            bail!("--player needs --tree\n\n  tip: to choose the games of a player, use -t {filter}");
        }
        Ok(!self.tree.is_empty())
    }

    fn written(&self, target: Target<'_>) -> Result<(Written, Compression)> {
        let chosen = target.format.map(Written::from);
        let (written, compression) = match target.output.filter(|path| path.as_os_str() != "-") {
            None => (chosen.unwrap_or(Written::Comparison(CompareFormat::Text)), Compression::None),
            Some(path) => {
                let advice = "use .txt, .html, .pgn, .csv, .tsv, .jsonl or .parquet; .zst, .gz and .bz2 after them \
                              compress text";
                let (written, compression) =
                    agreed(path, chosen, Written::of_ending, Written::rules).map_err(|error| error.advise(advice))?;
                let written = written.with_context(|| {
                    format!(
                        "the ending of {} chooses no format; use .txt, .html, .pgn, .csv, .tsv, .jsonl or .parquet, \
                         or -f",
                        shown(path)
                    )
                })?;
                (written, compression)
            }
        };
        ensure!(
            self.table.is_none() || written.is_table(),
            "--table is for tables, and {} is none; use -f csv, tsv, jsonl or parquet",
            written.name()
        );
        ensure!(
            self.leaving.is_empty() || written == Written::Games,
            "--leaving chooses games that are written as PGN; use -f pgn, or the column leaving of a table"
        );
        ensure!(
            target.title.is_none() || written == Written::Comparison(CompareFormat::Html),
            "--title has no effect on the format {}; only html has a title",
            written.name()
        );
        Ok((written, compression))
    }

    fn style(&self, title: String, format: CompareFormat, output: &Output) -> CompareStyle {
        let table = match self.table {
            None | Some(TableArgument::Games) => CompareTable::Games,
            Some(TableArgument::Departures) => CompareTable::Departures,
            Some(TableArgument::Unmet) => CompareTable::Unmet,
        };
        let most = if format == CompareFormat::Html { PAGE_PLACES } else { CompareStyle::default().most };
        let ansi = output.is_terminal() && color::is_stdout_colored();
        CompareStyle { title, table, most, board: TextStyle { ascii: false, ansi } }
    }

    /// Reads the repertoire.
    fn read(&self, running: &RunningArguments, written: Written) -> Result<Read> {
        let input = InputArguments::of_files(self.tree.clone());
        let files = input::files(&input)?;
        let mut job = RepertoireReader::new(ReadOptions::default());
        let run = Run::of_games(files, &input, running);
        let (workers, report, why_unfinished) = walk::gather(&mut job, run, false)?;
        ensure!(why_unfinished.is_none(), "the repertoire could not be read, so no games were compared");
        let repertoire = job.finish(&workers);
        ensure!(!repertoire.is_empty(), "{} has no moves, so there is no repertoire", shown(&self.tree[0]));
        let side = match (self.side, repertoire.side()) {
            (Some(side), _) => side.color(),
            (None, Some(side)) => {
                // A report names the side.
                if repertoire.orientation().is_none() && (written.is_table() || written == Written::Games) {
                    let (side, other) = side.pick(("White", "b"), ("Black", "w"));
                    say::hint(&format!("the repertoire is taken for one of {side}; --side {other} says otherwise"));
                }
                side
            }
            (None, None) => bail!(
                "both sides have equally many choices in {}; tell who has the repertoire with --side w or --side b",
                shown(&self.tree[0])
            ),
        };
        Ok(Read { repertoire: Arc::new(repertoire), side, outcome: report.outcome() })
    }

    fn annotator(&self, repertoire: Arc<Repertoire>, side: Color) -> Annotator {
        Annotator::new(repertoire, side).leaving(self.leaving.iter().map(|leaving| leaving.0).collect())
    }

    fn player(&self, side: Color) -> Result<Option<TagFilter>> {
        let Some(name) = &self.player else {
            return Ok(None);
        };
        Ok(Some(player_filter(name, Some(side)).context("--player needs a name, without quotes in it")?))
    }

    fn title<'p>(&self, target: Target<'_>, files: impl IntoIterator<Item = &'p Path>) -> String {
        if let Some(title) = target.title {
            return title.to_owned();
        }
        let repertoire = self.tree[0].file_name().map(|name| shown(Path::new(name))).unwrap_or_default();
        format!("{} and {repertoire}", page::title("Games", files))
    }

    /// Compares the games of files.
    pub(crate) fn games(&self, games: GameInput<'_>, target: Target<'_>) -> Result<Outcome> {
        let (written, compression) = self.written(target)?;
        let GameInput { input, running, mut read } = games;
        let mut restrictions = read.games.chosen();
        let files = input::files(input)?;
        let output = self.open(target, (written, compression), &files)?;
        let Read { repertoire, side, outcome } = self.read(running, written)?;
        if let Some(player) = self.player(side)? {
            read.games.tags.push(player);
            restrictions.push("player");
        }
        let title = self.title(target, files.iter().map(|(path, _)| &**path));
        let restrictions = Restrictions { games: restrictions, positions: Vec::new() };
        let run = Run { restrictions: restrictions.clone(), ..Run::choosing(&read, files, input, running) };
        let is_terminal = output.is_terminal();
        let ended = match written {
            Written::Games => {
                let name = output.name();
                let output = io::BufWriter::with_capacity(1 << 16, output);
                let mut job = AnnotateGames::new(self.annotator(repertoire, side), read, output);
                let (_, mut report, why_unfinished) = walk::gather(&mut job, run, is_terminal)?;
                report.end_writing(LeftOut::default(), &restrictions);
                let flushed = job.finish().and_then(|(mut output, _)| {
                    io::Write::flush(&mut output)?;
                    Ok(output.into_parts().0)
                });
                complete(flushed, &name, why_unfinished, &mut report)?;
                report.end()
            }
            Written::Comparison(format) => {
                let mut job = CompareGames::new(repertoire, side, read);
                let (_, mut report, why_unfinished) = walk::gather(&mut job, run, is_terminal)?;
                report.end_writing(LeftOut::default(), &restrictions);
                let style = self.style(title, format, &output);
                write(&job.finish(), (format, &style), output, why_unfinished, &mut report)?;
                report.end()
            }
        };
        Ok(ended.max(outcome))
    }

    /// Compares the games of an index.
    pub(crate) fn index(
        &self,
        (folder, index): (&Path, &Index),
        (mut tags, players): (Vec<TagFilter>, &Players),
        target: Target<'_>,
    ) -> Result<Outcome> {
        let (written, compression) = self.written(target)?;
        let inputs: Vec<Found> = index.files().filter_map(|file| file.place()).map(|place| (place, Ok(()))).collect();
        let output = self.open(target, (written, compression), &inputs)?;
        let running = RunningArguments::default();
        let Read { repertoire, side, outcome } = self.read(&running, written)?;
        tags.extend(self.player(side)?.map(|filter| filter.for_players(players)));
        let progress = Progress::new(&running, output.is_terminal(), || None, Unit::Game);
        let mut report = Report::new(&running, Channel::Stderr, progress, Unit::Game);
        if let Some(hint) = why_games_are_left_out(index)? {
            report.hint(&hint);
        }
        match written {
            Written::Games => {
                let name = output.name();
                let mut output = io::BufWriter::with_capacity(1 << 16, output);
                let annotator = self.annotator(repertoire, side);
                let mut has_failed = false;
                let warn = |warning: &QueryWarning| {
                    has_failed = true;
                    report.failure(&warning.to_string());
                };
                let annotated = annotate_index(index, tags, &annotator, warn, &mut output)?;
                let flushed = annotated.and_then(|_| {
                    io::Write::flush(&mut output)?;
                    Ok(output.into_parts().0)
                });
                let why_unfinished = has_failed.then_some("games of the index could not be read");
                complete(flushed, &name, why_unfinished, &mut report)?;
            }
            Written::Comparison(format) => {
                let comparison = compare_index(index, tags, repertoire, side)?;
                if index.info().plies != Plies::ALL {
                    report.hint(&format!(
                        "the index has only the plies {} of each game, so games may end early",
                        index.info().plies
                    ));
                }
                let title = self.title(target, [folder]);
                let style = self.style(title, format, &output);
                write(&comparison, (format, &style), output, None, &mut report)?;
            }
        }
        Ok(report.outcome().max(outcome))
    }

    /// Opens the output. Refuses to replace an input file or the repertoire, and to write a binary format on a
    /// terminal.
    fn open(
        &self,
        target: Target<'_>,
        (written, compression): (Written, Compression),
        files: &[Found],
    ) -> Result<Output> {
        if let Some(path) = target.output {
            refuse_to_replace(files, path)?;
            let tree: Vec<Found> = self.tree.iter().map(|path| (path.clone(), Ok(()))).collect();
            refuse_to_replace(&tree, path)?;
        }
        refuse_placeholders(target.output)?;
        let output = Output::open(target.output, compression)?;
        ensure!(
            !(written.rules().is_binary && output.is_terminal()),
            "parquet is a binary format, which a terminal cannot show; write it to a file: -o left.parquet"
        );
        Ok(output)
    }
}

/// Writes a comparison.
fn write(
    comparison: &Comparison,
    (format, style): (CompareFormat, &CompareStyle),
    mut output: Output,
    why_unfinished: Option<&str>,
    report: &mut Report,
) -> Result<()> {
    let name = output.name();
    // A report as text is safe for a terminal if its boards have colours.
    if format == CompareFormat::Text && style.board.ansi {
        output.pass_colors_on();
    }
    let mut buffered = io::BufWriter::with_capacity(1 << 16, output);
    let written = comparison.write(format, style, &mut buffered).and_then(|()| io::Write::flush(&mut buffered));
    complete(written.map(|()| buffered.into_parts().0), &name, why_unfinished, report)?;
    let all = comparison.games().len();
    if all > 0 && comparison.count(Leaving::Never) == all {
        report.hint("no game was on the repertoire");
    }
    report.sum_up(&format!("compared: {} with {}", counted(all as u64, "game"), repertoire(comparison)));
    Ok(())
}

fn repertoire(comparison: &Comparison) -> String {
    counted(comparison.repertoire().lines() as u64, "line")
}

/// Completes an output, or tells why it cannot be written.
fn complete(written: io::Result<Output>, name: &str, why_unfinished: Option<&str>, report: &mut Report) -> Result<()> {
    match written {
        Ok(output) => output.complete(why_unfinished, report),
        // The program that reads the output wants no more of it.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => bail!("cannot write {name}: {error}"),
    }
}
