//! `pgn2fen index --info`: shows what is in an index and the state of its files.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

use crate::find::print::Printer;
use crate::index::arguments::TableFormat;
use crate::outcome::Outcome;
use crate::output::Output;
use pgn2fen_chess::rules::Rules;
use pgn2fen_files::Compression;
use pgn2fen_games::messages::grouped;
use pgn2fen_games::pgn::encoding::Label;
use pgn2fen_index::{Index, IndexedFile, shown};
use pgn2fen_rows::lines::Cell;

/// The columns of the table of files.
const COLUMNS: [&str; 10] =
    ["file", "games", "first_game", "bytes", "state", "lang", "setup", "encoding", "choice", "path"];

/// Runs `pgn2fen index --info DIR`.
pub(super) fn info(folder: &Path, files: &[PathBuf], format: Option<TableFormat>) -> Result<Outcome> {
    ensure!(files.is_empty(), "--info takes one index and no files: pgn2fen index --info DIR");
    let index = Index::open(folder)?;
    print(&index, format)?;
    Ok(Outcome::Clean)
}

/// Prints the lines about the index, unless there is a format, and the table of files.
fn print(index: &Index, format: Option<TableFormat>) -> Result<()> {
    let format = format.map(TableFormat::format);
    let stdout = || Output::open(None, Compression::None);
    if format.is_none() {
        let mut lines = Printer::new(stdout()?, vec!["", ""], None, true);
        for (what, text) in summary(index)? {
            lines.row([Cell::Text(what), Cell::Text(&text)].into_iter())?;
        }
        lines.line_break()?;
        lines.end(None)?;
    }
    let mut table = Printer::new(stdout()?, COLUMNS.to_vec(), format, false);
    for file in index.files() {
        print_file(file, &mut table)?;
    }
    table.end(None)
}

/// Returns the lines about the whole index, each with a name and a value. The numbers of games by their rules are there
/// only if there are games of variants.
fn summary(index: &Index) -> Result<Vec<(&'static str, String)>> {
    let (info, files) = (index.info(), index.files().len());
    let plies = info.plies.to_string();
    let each =
        if info.positions > 0 { format!(" ({:.1} a position)", info.bytes_per_position()) } else { String::new() };
    let size = grouped(info.bytes) + &each;
    let rules = index.rules()?;
    let variants = (rules.others(Rules::Chess) > 0).then(|| {
        let each = rules.iter().map(|(rules, games)| format!("{} {}", grouped(games), rules.name()));
        ("rules", each.collect::<Vec<_>>().join("; "))
    });
    let first = [
        ("format", format!("version {}", info.version)),
        ("files", grouped(files as u64)),
        ("games", grouped(info.games)),
    ];
    let others = [
        ("positions", grouped(info.positions)),
        ("plies", if plies == ".." { "all".to_owned() } else { plies }),
        ("runs", if info.runs > 1 { format!("{} (--compact makes one)", info.runs) } else { info.runs.to_string() }),
        ("bytes", size),
        ("tags", index.tags().join(", ")),
    ];
    let names = info.has_main_names.then(|| ("names", "the main names of a list (--names)".to_owned()));
    Ok(first.into_iter().chain(variants).chain(others).chain(names).collect())
}

/// Prints the row of a file.
fn print_file(file: IndexedFile<'_>, table: &mut Printer) -> Result<()> {
    let reading = file.reading();
    let state = file.state();
    let path = state.place().or(file.path()).map(shown);
    let games = file.games();
    let cells = [
        Cell::Text(&shown(&file.name_from_here())),
        Cell::Number(games.end - games.start),
        if games.is_empty() { Cell::Missing } else { Cell::Number(games.start) },
        file.bytes().map_or(Cell::Missing, Cell::Number),
        Cell::Text(state.name()),
        Cell::Text(reading.replay.letters.code()),
        Cell::Text(reading.replay.setup.name()),
        Cell::Text(reading.encoding.map_or("auto", Label::name)),
        Cell::Text(file.choice()),
        path.as_deref().map_or(Cell::Missing, Cell::Text),
    ];
    table.row(cells.into_iter())
}
