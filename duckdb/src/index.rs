//! The functions `pgn_find` and `pgn_explore`: questions to an index.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_schema::{DataType, SchemaRef};
use pgn2fen_chess::castling::CastlingRules;
use pgn2fen_chess::openings::Tracker;
use pgn2fen_chess::rules::Rules;
use pgn2fen_chess::{Move, Position};
use pgn2fen_games::selection::{ShapeFilter, TagFilter};
use pgn2fen_games::typed::{TypedPosition, read_position_of};
use pgn2fen_index::{
    FoundGame, GAME_COLUMNS, GameHeading, GameRow, Hit, HitOrder, Index, MOVE_COLUMNS, MoveRow, Query, QueryWarning,
    TableAccess, fen_of, move_names,
};
use pgn2fen_rows::options::{JobOptions, QuestionOptions, SetOption, choose};
use pgn2fen_rows::{RowBatches, data_type};

use crate::door::{Argument, Arguments, Bound, Plan, Scan, TableFunction};
use crate::options::{is_on, number, one, set, spelled};
use crate::table::{Cell, TableWriter, Written};

/// The games that reached positions.
pub(crate) const FIND: TableFunction = TableFunction {
    name: "pgn_find",
    positional: 2,
    named: &[&[
        "tags",
        "sort",
        "verify",
        "max",
        "material",
        "pattern",
        "pawns",
        "colors",
        "mirror",
        "for_plies",
        "variant",
        "lang",
    ]],
    bind: |arguments| bind(arguments, What::Hits),
};

/// The moves that were played in positions.
pub(crate) const EXPLORE: TableFunction = TableFunction {
    name: "pgn_explore",
    positional: 2,
    named: &[&[
        "tags",
        "verify",
        "max",
        "material",
        "pattern",
        "pawns",
        "colors",
        "mirror",
        "for_plies",
        "variant",
        "lang",
    ]],
    bind: |arguments| bind(arguments, What::Moves),
};

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Hits,
    Moves,
}

/// A position, and the moves that led to it as far as they are known.
#[derive(Clone)]
struct Line {
    position: Position,
    start: Position,
    moves: Vec<Move>,
    /// The rules by which castling is written in answers.
    castling: CastlingRules,
}

/// A question to an index.
struct Question {
    rules: Rules,
    schema: SchemaRef,
    index: Arc<Index>,
    what: What,
    /// The positions, or only None for all games of the index.
    subjects: Vec<Option<Line>>,
    /// Whether positions were given as a list. Then each row has the position.
    has_several: bool,
    tags: Vec<TagFilter>,
    shape: ShapeFilter,
    /// None for the order of the games.
    order: Option<HitOrder>,
    verify: bool,
    max: u64,
}

fn bind(arguments: &Arguments, what: What) -> Result<Bound, String> {
    let (mut options, mut order, mut verify, mut max) = (JobOptions::new(), None, false, u64::MAX);
    let mut question = QuestionOptions::default();
    for (name, argument) in &arguments.named {
        match *name {
            "sort" => {
                let orders = [("rating", HitOrder::Rating), ("date", HitOrder::Date)];
                order = Some(choose(name, one(name, argument)?, &orders).map_err(|error| spelled(&error))?);
            }
            "variant" => question.set(name, one(name, argument)?).map_err(|error| spelled(&error))?,
            "verify" => verify = is_on(name, argument)?,
            "max" => max = number(name, argument)?,
            name => set(&mut options, name, argument)?,
        }
    }
    let read = options.read_options();
    let shape = options.shape().map_err(|error| spelled(&error))?;
    let folder = match arguments.positional.first() {
        Some(Argument::One(folder)) => PathBuf::from(folder),
        _ => return Err("give the folder of an index".to_owned()),
    };
    let (texts, has_several) = match arguments.positional.get(1) {
        Some(Argument::One(text)) => (vec![text], false),
        Some(Argument::Many(texts)) => (texts.iter().collect(), true),
        _ => (Vec::new(), false),
    };
    let typed = |text: &String| {
        let typed =
            read_position_of(text, &read.replay.letters, question.rules()).map_err(|mistake| spelled(&mistake))?;
        if let Some(repair) = typed.repair {
            return Err(format!("{repair}; give the position as it was in the games"));
        }
        let TypedPosition { position, start, moves, castling_rules: castling, .. } = typed;
        Ok(Some(Line { position, start, moves, castling }))
    };
    let mut subjects = texts.into_iter().map(typed).collect::<Result<Vec<_>, String>>()?;
    if !has_several && subjects.is_empty() {
        if what == What::Moves {
            return Err("pgn_explore lists the moves that were played in a position; give a position".to_owned());
        }
        if shape.is_empty() {
            return Err("give a position, or a shape: material, pattern or pawns".to_owned());
        }
        if order.is_some() {
            return Err("sort orders the hits of a position; give a position, or leave out sort".to_owned());
        }
        subjects.push(None);
    }
    // Damage must not end the process, so the files are not mapped.
    let index = Arc::new(Index::open_with(folder, TableAccess::Read).map_err(|error| error.to_string())?);
    index.columns_of_filters(&read.games.tags).map_err(|error| error.to_string())?;
    let schema = what.schema(has_several);
    let question = Question {
        rules: question.rules(),
        schema: SchemaRef::clone(&schema),
        index,
        what,
        subjects,
        has_several,
        tags: read.games.tags,
        shape,
        order,
        verify,
        max,
    };
    Ok(Bound { schema, rows: None, plan: Box::new(question) })
}

impl What {
    /// Returns the columns of an answer. With several positions, the first column is the position.
    fn schema(self, has_several: bool) -> SchemaRef {
        let fen = has_several.then_some(("fen", DataType::Utf8));
        let columns: &[_] = match self {
            Self::Hits => &GAME_COLUMNS,
            Self::Moves => &MOVE_COLUMNS,
        };
        let columns = columns.iter().map(|(name, kind)| (*name, data_type(*kind)));
        RowBatches::schema_of(fen.into_iter().chain(columns))
    }
}

impl Plan for Question {
    fn begin(&self, columns: &[usize]) -> Result<Arc<dyn Scan>, String> {
        let Self { rules, what, has_several, order, verify, max, .. } = *self;
        let (index, subjects) = (Arc::clone(&self.index), self.subjects.clone());
        let (tags, shape) = (self.tags.clone(), self.shape.clone());
        Written::start(SchemaRef::clone(&self.schema), columns, move |table, sender| {
            let changed = std::cell::RefCell::new(None);
            let report = |warning: &QueryWarning| {
                // A hit that is not confirmed is left out: that is what `verify` asks for.
                if let QueryWarning::File { .. } = warning {
                    changed.borrow_mut().get_or_insert_with(|| warning.to_string());
                }
            };
            let query = index.query(report).rules(rules).tags(tags).map_err(|error| error.to_string())?;
            let stop = || sender.is_unwanted();
            let mut query = query.shape(shape).verify(verify).max(max).stop_if(stop);
            for line in &subjects {
                let fen = line.as_ref().filter(|_| has_several).map(|line| fen_of(&line.position));
                let fen = has_several.then_some(fen.as_deref().map_or(Cell::Missing, Cell::Text));
                match (what, line) {
                    (What::Moves, Some(line)) => moves(&mut query, line, (max, fen), table)?,
                    (What::Moves, None) => {}
                    (What::Hits, Some(line)) => hits(&mut query, line, (order, fen), table)?,
                    (What::Hits, None) => games(&mut query, table)?,
                }
            }
            drop(query);
            changed.into_inner().map_or(Ok(()), Err)
        })
    }
}

/// Adds the moves that were played in a position.
fn moves(
    query: &mut Query<'_>,
    line: &Line,
    (max, fen): (u64, Option<Cell<'_>>),
    table: &mut TableWriter,
) -> Result<(), String> {
    let tracker = Tracker::of_line(&line.start, &line.moves);
    let explored = query.explore(&line.position).map_err(|error| error.to_string())?;
    for count in explored.moves().iter().take(usize::try_from(max).unwrap_or(usize::MAX)) {
        let row = MoveRow::new(count, &line.position, line.castling, &tracker);
        table.push(fen.into_iter().chain(row.values().map(Cell::from)))?;
    }
    Ok(())
}

/// Adds the games that reached a position.
fn hits(
    query: &mut Query<'_>,
    line: &Line,
    (order, fen): (Option<HitOrder>, Option<Cell<'_>>),
    table: &mut TableWriter,
) -> Result<(), String> {
    let wrong = |error: pgn2fen_index::IndexError| error.to_string();
    let mut push = |hit: &Hit, heading: &GameHeading| {
        let next = hit.next.map(|next| move_names(next, &line.position, line.castling));
        let place = GameRow { game: hit.game, ply: hit.ply, result: hit.result, next, heading };
        table.push(fen.into_iter().chain(place.values().map(Cell::from)))
    };
    if let Some(order) = order {
        for hit in query.sorted_hits(&line.position, order).map_err(wrong)? {
            push(&hit, &query.heading(hit.game).map_err(wrong)?)?;
        }
        return Ok(());
    }
    let mut hits = query.hits(&line.position).map_err(wrong)?;
    while let Some(hit) = hits.next().transpose().map_err(wrong)? {
        push(&hit, &hits.heading(hit.game).map_err(wrong)?)?;
    }
    Ok(())
}

/// Adds all games.
fn games(query: &mut Query<'_>, table: &mut TableWriter) -> Result<(), String> {
    let wrong = |error: pgn2fen_index::IndexError| error.to_string();
    let mut games = query.all_games();
    while let Some(FoundGame { game, ply, result, .. }) = games.next().transpose().map_err(wrong)? {
        let heading = &games.heading(game).map_err(wrong)?;
        table.push(GameRow { game, ply, result, next: None, heading }.values().map(Cell::from))?;
    }
    Ok(())
}
