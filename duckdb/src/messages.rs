//! The function `pgn_messages`: what is wrong with files, as rows.

use std::io;
use std::path::Path;
use std::sync::Arc;

use arrow_schema::{DataType, SchemaRef};
use pgn2fen_games::database::Source;
use pgn2fen_games::diagnostic::Diagnostic;
use pgn2fen_games::messages::{FileMessages, Message, Report, Restrictions, shown, transcoded};
use pgn2fen_games::pgn::encoding::Label;
use pgn2fen_games::tournament::{Finding, TournamentCheck};
use pgn2fen_games::walk::{Check, Job, Listener, Place, ReadOptions, Totals};
use pgn2fen_rows::RowBatches;
use pgn2fen_rows::options::JobOptions;
use pgn2fen_spec::{Jobs, names};

use crate::door::{Arguments, Bound, Plan, Scan, TableFunction};
use crate::inputs::{self, Inputs, unread, unreadable};
use crate::options::{DIALECT, set, spelled};
use crate::table::{Cell, TableWriter, Written};

/// The errors and warnings of files.
pub(crate) const MESSAGES: TableFunction = TableFunction {
    name: "pgn_messages",
    positional: 1,
    named: &[&names!(Jobs::GAMES), &["variations", "tournament"], inputs::OPTIONS],
    bind,
};

fn bind(arguments: &Arguments) -> Result<Bound, String> {
    let (mut options, mut variations, mut tournament) = (JobOptions::new(), true, false);
    for (name, argument) in &arguments.named {
        match *name {
            "variations" => variations = crate::options::is_on(name, argument)?,
            "tournament" => tournament = crate::options::is_on(name, argument)?,
            name if inputs::OPTIONS.contains(&name) => {}
            name => set(&mut options, name, argument)?,
        }
    }
    let read = options.game_options().map_err(|error| spelled(&error))?;
    let restrictions = options.restrictions().map_err(|error| spelled(&error))?;
    let mut inputs = Inputs::new(arguments)?;
    inputs.reading(read.encoding, read.movetext.clone());
    let (text, long, int) = (DataType::Utf8, DataType::Int64, DataType::Int32);
    let schema = RowBatches::schema_of([
        ("file", text.clone()),
        ("line", long.clone()),
        ("col", int.clone()),
        ("game", long.clone()),
        ("ply", int),
        ("kind", text.clone()),
        ("is_error", DataType::Boolean),
        ("subject", text.clone()),
        ("reason", text.clone()),
        ("text", text),
        ("count", long),
    ]);
    let plan =
        MessagesOfFiles { schema: SchemaRef::clone(&schema), inputs, read, variations, tournament, restrictions };
    Ok(Bound { schema, rows: None, plan: Box::new(plan) })
}

struct MessagesOfFiles {
    schema: SchemaRef,
    inputs: Inputs,
    read: ReadOptions,
    variations: bool,
    /// Whether the games of each tournament are compared.
    tournament: bool,
    restrictions: Restrictions,
}

impl Plan for MessagesOfFiles {
    fn begin(&self, columns: &[usize]) -> Result<Arc<dyn Scan>, String> {
        let workers = self.inputs.workers()?;
        let (read, inputs) = (self.read.clone(), self.inputs.inputs());
        let mut check = match (self.tournament, self.variations) {
            (false, true) => Checking::Games(Box::new(Check::new(read))),
            (false, false) => Checking::Games(Box::new(Check::of_main_lines(read))),
            (true, true) => Checking::Tournament(Box::new(TournamentCheck::new(read))),
            (true, false) => Checking::Tournament(Box::new(TournamentCheck::of_main_lines(read))),
        };
        let (encoding, restrictions) = (self.read.encoding, self.restrictions.clone());
        let skips_unreadable = self.inputs.skips_unreadable;
        Written::start(SchemaRef::clone(&self.schema), columns, move |table, sender| {
            let file = FileMessages::default();
            let mut teller = Teller { table, encoding, restrictions, skips_unreadable, file, failure: None };
            let read = sender.read_all(check.job(), &workers, inputs, &mut teller);
            if let (Checking::Tournament(check), Ok(_)) = (check, &read) {
                check.findings().iter().for_each(|finding| teller.find(finding));
            }
            match teller.failure {
                Some(failure) => Err(failure),
                None => read.map_err(|error| unread(&error)),
            }
        })
    }
}

/// A check of games, or of tournaments.
enum Checking {
    Games(Box<Check>),
    Tournament(Box<TournamentCheck>),
}

impl Checking {
    fn job(&mut self) -> &mut dyn Job {
        match self {
            Self::Games(check) => &mut **check,
            Self::Tournament(check) => &mut **check,
        }
    }
}

/// Writes messages as rows.
struct Teller<'t> {
    table: &'t mut TableWriter,
    encoding: Option<Label>,
    restrictions: Restrictions,
    skips_unreadable: bool,
    file: FileMessages,
    /// The error of rows that cannot be stored, which does not happen.
    failure: Option<String>,
}

impl Teller<'_> {
    fn push(&mut self, row: [Cell<'_>; 11]) {
        if !self.table.is_over()
            && let Err(error) = self.table.push(row)
        {
            self.failure.get_or_insert(error);
        }
    }

    /// Adds what was found in a tournament. It is about a tag or several games, so it has no game.
    fn find(&mut self, finding: &Finding) {
        let file = shown(&finding.file);
        self.push([
            Cell::Text(&file),
            Cell::count(finding.line),
            Cell::count(finding.column as u64),
            Cell::Missing,
            Cell::Missing,
            Cell::Text(finding.kind.as_str()),
            Cell::Flag(false),
            Cell::Missing,
            Cell::Text(&finding.text),
            Cell::Text(&finding.text),
            Cell::count(1),
        ]);
    }
}

impl Listener for Teller<'_> {
    fn begin_file(&mut self, path: &Path, source: &Source) {
        self.file = FileMessages::new(shown(path), source.fallback(self.encoding));
        if let Some((diagnostic, place)) = transcoded(source) {
            self.diagnostic(&diagnostic, place);
        }
    }

    /// Adds a file that cannot be read, or not to its end. It has no line.
    fn unread(&mut self, path: &Path, error: &io::Error) -> bool {
        if self.skips_unreadable {
            let (file, text) = (shown(path), unreadable(path, error));
            let mut row = [Cell::Missing; 11];
            (row[0], row[5], row[6], row[8]) =
                (Cell::Text(&file), Cell::Text("unreadable"), Cell::Flag(true), Cell::Text(&text));
            (row[9], row[10]) = (Cell::Text(&text), Cell::Number(1));
            self.push(row);
        }
        self.skips_unreadable
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic, place: Place) {
        let Message { kind, is_error, file, line, column, game, ply, subject, reason, text } =
            Message::new(&self.file, diagnostic, place).spell(DIALECT);
        self.push([
            Cell::Text(&file),
            Cell::count(line),
            Cell::count(column as u64),
            game.map_or(Cell::Missing, Cell::count),
            ply.map_or(Cell::Missing, |ply| Cell::Number(ply.into())),
            Cell::Text(&kind),
            Cell::Flag(is_error),
            Cell::text(&subject),
            Cell::Text(&reason),
            Cell::Text(&text),
            Cell::count(1 + diagnostic.others),
        ]);
    }

    /// Adds the hints about the whole run, which have no place.
    fn end(&mut self, totals: &Totals) {
        let mut report = Report::new(0, None);
        report.end(totals, &self.restrictions);
        for (_, line) in &report.lines {
            let hint = &*DIALECT.spell(line.strip_prefix("warning: ").unwrap_or(line));
            let mut row = [Cell::Missing; 11];
            (row[5], row[6], row[8]) = (Cell::Text("hint"), Cell::Flag(false), Cell::Text(hint));
            (row[9], row[10]) = (Cell::Text(hint), Cell::Number(1));
            self.push(row);
        }
    }
}
