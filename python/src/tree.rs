//! Trees of games: they are grown from files or from an index, walked through, and written.

use std::hash::{Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::Arc;

use pgn2fen_chess::fen::{self, FenStyle};
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::rules::Rules;
use pgn2fen_files::{EndingRules, Found, OutputFile, agreed, refuse_to_replace};
use pgn2fen_games::messages::{counted, plain, shown, with_causes};
use pgn2fen_games::parallel::Workers;
use pgn2fen_rows::{data_type, page};
use pgn2fen_spec::Jobs;
use pgn2fen_tables::ColumnType;
use pgn2fen_trees::{
    GameTree, Gap, Root, RootRemark, Tree, TreeError, TreeFormat, TreeOptions, TreeRequest, TreeRow, TreeStyle,
    index_tree, plies_hint,
};
use pyo3::PyErr;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::{Bound, FromPyObject, Py, PyAny, PyAnyMethods, PyResult, Python, pyclass, pyfunction, pymethods};
use pyo3::types::PyBytes;

use crate::errors::{of_index_tree, unwritable, wrong};
use crate::index::OpenIndex;
use crate::options::{arguments, choose, index_filters, letters, set_all};
use crate::position::Position;
use crate::question::typed_or_position;
use crate::reading::Reading;
use crate::run::Run;
use crate::table::{Cell, TableBuilder, TableData, unstored};
use crate::writing::gather;

/// Returns the options of a tree, and a message about the position in which it begins.
fn tree_options(
    position: Option<&Bound<'_, PyAny>>,
    options: &Bound<'_, PyAny>,
) -> PyResult<(TreeRequest, TreeOptions, Option<String>)> {
    let mut request = TreeRequest::default();
    set_all(&mut request, Jobs::TREES, options)?;
    let (root, remark) = match position {
        None => (Root::of_rules(request.rules()), None),
        Some(position) => root(position, request.rules(), &options.get_item("lang")?.extract::<String>()?)?,
    };
    let options = request.options(root);
    Ok((request, options, remark))
}

/// Returns the side that is chosen by an option.
pub(crate) fn turn_of(option: &str, word: Option<&str>) -> PyResult<Option<Color>> {
    word.map(|word| choose(option, word, &[("w", Color::White), ("b", Color::Black)])).transpose()
}

/// Returns the root that a position or a text means, and a message about it.
fn root(given: &Bound<'_, PyAny>, rules: Rules, lang: &str) -> PyResult<(Root, Option<String>)> {
    let text = match typed_or_position(given, "")? {
        Ok(position) => return Ok((position.0.into(), None)),
        Err(text) => text,
    };
    let (root, remark) = Root::read_by(rules, &text, &letters(lang)?).map_err(wrong)?;
    Ok((root, remark.map(|remark: RootRemark| format!("{}: {remark}", plain(&text)))))
}

/// Reads the games of files into a tree. Returns it with messages about it.
#[pyfunction]
pub(crate) fn grow_tree(
    py: Python<'_>,
    files: Vec<Bound<'_, PyAny>>,
    position: Option<&Bound<'_, PyAny>>,
    options: &Bound<'_, PyAny>,
    run: &Bound<'_, Run>,
    watch: Py<PyAny>,
) -> PyResult<(TreeData, Vec<String>)> {
    let (request, tree_options, remark) = tree_options(position, options)?;
    let mut reading = Reading::new(&files, options)?;
    reading.read.games.tags.extend(request.player_filter().map_err(wrong)?);
    let found = reading.inputs.found();
    let title = page::title("Tree", found.iter().map(|(path, _)| &**path));
    let least = tree_options.min_games;
    let job = GameTree::new(tree_options, reading.read.clone());
    let tree = gather(py, &reading, job, (run.get(), watch), GameTree::finish)?;
    let messages = remark.into_iter().chain(tree.why_left_out()).chain(tree.why_empty(least)).collect();
    let inputs = found.into_iter().map(|(path, _)| path).collect();
    Ok((TreeData { tree: Arc::new(tree), request, title, inputs }, messages))
}

/// Options for a tree of an index.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct IndexArguments {
    tags: Vec<String>,
    names: Option<String>,
    threads: usize,
}

/// Makes the tree of an index. Returns it with messages about it.
#[pyfunction]
pub(crate) fn grow_index_tree(
    py: Python<'_>,
    index: &Bound<'_, OpenIndex>,
    folder: PathBuf,
    position: Option<&Bound<'_, PyAny>>,
    options: &Bound<'_, PyAny>,
) -> PyResult<(TreeData, Vec<String>)> {
    let IndexArguments { tags, names, threads } = arguments(options)?;
    let (request, tree_options, remark) = tree_options(position, options)?;
    let filters = index_filters(&tags, request.player_filter().map_err(wrong)?, names.as_deref())?;
    let index = &index.get().0;
    let tree = py.detach(|| {
        let workers = Workers::new(threads).map_err(|error| PyRuntimeError::new_err(with_causes(&error)))?;
        index_tree(index, filters, &tree_options, &workers).map_err(|error| of_index_tree(&error))
    })?;
    let plies = plies_hint(index, &tree_options);
    let hints = [remark, plies, tree.why_left_out(), tree.why_empty(tree_options.min_games)];
    let name = folder.file_name().map(|name| shown(Path::new(name)));
    let data = TreeData {
        tree: Arc::new(tree),
        request,
        title: name.map_or("Tree".to_owned(), |name| format!("Tree of {name}")),
        inputs: index.files().filter_map(|file| file.place()).collect(),
    };
    Ok((data, hints.into_iter().flatten().collect()))
}

/// A tree, and what its outputs need besides it.
#[pyclass(frozen, module = "pgn2fen._pgn2fen")]
pub(crate) struct TreeData {
    tree: Arc<Tree>,
    /// The options with which it was made.
    request: TreeRequest,
    title: String,
    /// The paths that no output replaces.
    inputs: Vec<PathBuf>,
}

impl TreeData {
    /// Returns the options for writing the tree.
    fn written_as(&self, options: &Bound<'_, PyAny>) -> PyResult<TreeRequest> {
        let mut request = self.request.clone();
        set_all(&mut request, Jobs::TREE_TEXTS, options)?;
        Ok(request)
    }

    /// Writes the tree. Returns messages about what was written.
    fn written(
        &self,
        format: TreeFormat,
        style: &TreeStyle,
        output: &mut impl Write,
    ) -> Result<Vec<String>, TreeError> {
        let written = self.tree.write(format, style, output)?;
        Ok(written.hint().map(str::to_owned).into_iter().collect())
    }
}

/// Returns the format with a name.
fn named(name: &str) -> PyResult<TreeFormat> {
    choose("format", name, &TreeFormat::ALL.map(|format| (format.name(), format)))
}

fn rules(format: TreeFormat) -> EndingRules {
    let is_parquet = format == TreeFormat::Parquet;
    EndingRules { name: format.name(), is_binary: is_parquet, is_compressed: is_parquet, may_be_bin: false }
}

/// Returns the exception for a tree that is not written to the output with a name.
fn unwritten(error: &TreeError, name: &str) -> PyErr {
    match error {
        TreeError::Write(error) => io::Error::new(error.kind(), format!("cannot write {name}: {error}")).into(),
        error => wrong(error),
    }
}

#[pymethods]
impl TreeData {
    #[getter]
    fn root(&self) -> TreeNode {
        TreeNode { tree: Arc::clone(&self.tree), at: 0 }
    }

    fn node(&self, position: &Bound<'_, PyAny>, lang: &str) -> PyResult<Option<TreeNode>> {
        let (root, _) = root(position, self.tree.root().position().rules(), lang)?;
        let at = self.tree.node(root.position()).map(pgn2fen_trees::TreeNode::number);
        Ok(at.map(|at| TreeNode { tree: Arc::clone(&self.tree), at }))
    }

    #[getter]
    fn positions(&self) -> usize {
        self.tree.positions()
    }

    #[getter]
    fn moves(&self) -> usize {
        self.tree.moves()
    }

    /// Returns the tree in a format, and messages about it.
    fn text<'py>(
        &self,
        py: Python<'py>,
        format: &str,
        options: &Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyBytes>, Vec<String>)> {
        let (format, request) = (named(format)?, self.written_as(options)?);
        request.check_format(format).map_err(wrong)?;
        let style = request.style(&self.title);
        let mut text = Vec::new();
        let messages = py.detach(|| self.written(format, &style, &mut text));
        Ok((PyBytes::new(py, &text), messages.map_err(|error| unwritten(&error, "the tree"))?))
    }

    /// Writes a file. Returns messages about it.
    fn write(
        &self,
        py: Python<'_>,
        path: PathBuf,
        format: Option<&str>,
        options: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<String>> {
        let chosen = format.map(named).transpose()?;
        let (format, compression) = agreed(&path, chosen, TreeFormat::of_ending, rules).map_err(wrong)?;
        let format = format.ok_or_else(|| {
            wrong(format!(
                "the ending of {} chooses no format; use .pgn, .html, .dot, .mmd, .csv, .tsv, .jsonl or .parquet, or \
                 give format",
                shown(&path)
            ))
        })?;
        let request = self.written_as(options)?;
        request.check_format(format).map_err(wrong)?;
        let style = request.style(&self.title);
        let inputs: Vec<Found> = self.inputs.iter().map(|path| (path.clone(), Ok(()))).collect();
        refuse_to_replace(&inputs, &path).map_err(|error| unwritable(&error))?;
        let output = OutputFile::create(&path, compression).map_err(|error| unwritable(&error))?;
        let name = output.name();
        py.detach(|| {
            let mut buffered = io::BufWriter::with_capacity(1 << 16, output);
            let messages = self.written(format, &style, &mut buffered).map_err(|error| unwritten(&error, &name))?;
            let output = buffered.into_inner().map_err(|error| unwritten(&error.into_error().into(), &name))?;
            output.finish().map_err(|error| unwritable(&error))?;
            Ok(messages)
        })
    }

    /// Returns a row for each gap of the repertoire of a side.
    fn gaps(&self, side: Option<&str>) -> PyResult<TableData> {
        let side = turn_of("side", side)?.or_else(|| self.request.side());
        let side = side.ok_or_else(|| wrong("gaps are those of one side; give side='w' or side='b'"))?;
        let mut table = TableBuilder::new(Gap::COLUMNS.map(|name| (name, data_type(ColumnType::Text))));
        for gap in self.tree.gaps(side) {
            let cells = [gap.kind.name(), &gap.path, &gap.fen, &gap.moves].map(Cell::Text);
            table.push(cells).map_err(|error| unstored(&error))?;
        }
        table.end().map_err(|error| unstored(&error))
    }

    /// Returns a row for each move, and messages about them.
    fn rows(&self, py: Python<'_>, options: &Bound<'_, PyAny>) -> PyResult<(TableData, Vec<String>)> {
        let style = self.written_as(options)?.style(&self.title);
        py.detach(|| {
            let mut table = TableBuilder::new(TreeRow::COLUMNS.map(|(name, kind)| (name, data_type(kind))));
            let written = self.tree.each_row(&style, |row| {
                let results = row.results;
                let count = |number| Cell::count(number);
                let cells = [
                    Cell::Text(&row.path),
                    count(row.ply.into()),
                    Cell::Text(&row.san),
                    Cell::Text(&row.uci),
                    Cell::Text(&row.fen),
                    count(results.games()),
                    count(results.white),
                    count(results.draws),
                    count(results.black),
                    count(results.unknown),
                    row.score.map_or(Cell::Missing, Cell::thousandths),
                    row.last_year.map_or(Cell::Missing, |year| count(year.into())),
                    row.transposes_to.as_deref().map_or(Cell::Missing, Cell::Text),
                ];
                table.push(cells).map_err(io::Error::other)
            });
            let written = written.map_err(|error| unwritten(&error, "the rows"))?;
            let hint = written.is_cut.then(|| "too many moves would be written again".to_owned());
            Ok((table.end().map_err(|error| unstored(&error))?, hint.into_iter().collect()))
        })
    }
}

/// A position of a tree, whatever moves led to it.
///
/// Nodes are equal if they are the same node of the same tree. They can be hashed.
#[pyclass(frozen, eq, hash, module = "pgn2fen")]
#[derive(Clone)]
pub(crate) struct TreeNode {
    tree: Arc<Tree>,
    at: u32,
}

/// A move that was played in a position of a tree. `str(move)` is its SAN.
///
/// Moves are equal if they are the same move of the same tree. They can be hashed.
#[pyclass(frozen, eq, hash, module = "pgn2fen")]
#[derive(Clone)]
pub(crate) struct TreeMove {
    tree: Arc<Tree>,
    at: u32,
}

impl PartialEq for TreeNode {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at && Arc::ptr_eq(&self.tree, &other.tree)
    }
}

impl Eq for TreeNode {}

impl Hash for TreeNode {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.at, ptr::from_ref(&*self.tree)).hash(state);
    }
}

impl PartialEq for TreeMove {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at && Arc::ptr_eq(&self.tree, &other.tree)
    }
}

impl Eq for TreeMove {}

impl Hash for TreeMove {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.at, ptr::from_ref(&*self.tree)).hash(state);
    }
}

impl TreeNode {
    fn of(tree: &Arc<Tree>, node: pgn2fen_trees::TreeNode<'_>) -> Self {
        Self { tree: Arc::clone(tree), at: node.number() }
    }

    fn node(&self) -> pgn2fen_trees::TreeNode<'_> {
        self.tree.node_numbered(self.at).unwrap_or_else(|| self.tree.root_node())
    }
}

impl TreeMove {
    fn of(tree: &Arc<Tree>, played: pgn2fen_trees::TreeMove<'_>) -> Self {
        Self { tree: Arc::clone(tree), at: played.number() }
    }

    /// Returns something about the move.
    fn ask<'s, T>(&'s self, ask: impl FnOnce(pgn2fen_trees::TreeMove<'s>) -> T) -> PyResult<T> {
        let played = self.tree.move_numbered(self.at);
        played.map(ask).ok_or_else(|| PyRuntimeError::new_err("internal error: there is no such move"))
    }
}

/// Returns the FEN of a position, as the column `fen` has it.
fn fen_of(position: &pgn2fen_chess::Position) -> String {
    fen::to_string(position, FenStyle::default())
}

#[pymethods]
impl TreeNode {
    /// The moves that the tree has of the position: the most played first, or those with the best score.
    #[getter]
    fn moves(&self) -> Vec<TreeMove> {
        self.node().moves().map(|played| TreeMove::of(&self.tree, played)).collect()
    }

    /// The results of the games that reached the position. Each game counts once.
    #[getter]
    fn results(&self) -> Results {
        self.node().results().into()
    }

    /// The year of the latest of these games. None if no year is known.
    #[getter]
    fn last_year(&self) -> Option<u16> {
        self.node().last_year()
    }

    /// The number of plies behind the root, on the shortest line.
    #[getter]
    fn ply(&self) -> u32 {
        self.node().ply()
    }

    /// The moves from the root to the position: the line on which it hangs.
    #[getter]
    fn line(&self) -> Vec<TreeMove> {
        self.node().line().map(|played| TreeMove::of(&self.tree, played)).collect()
    }

    /// The moves of this line as text, those before the root included: `1. e4 c5 2. Nf3`.
    #[getter]
    fn path(&self) -> String {
        self.node().path()
    }

    /// The last move of this line. None for the root.
    #[getter]
    fn parent(&self) -> Option<TreeMove> {
        self.node().parent().map(|played| TreeMove::of(&self.tree, played))
    }

    /// The model games, at the end of a line. Other positions have none.
    #[getter]
    fn models(&self) -> Vec<ModelGame> {
        self.node().models().map(ModelGame::from).collect()
    }

    /// The position, with the move counters of this line.
    #[getter]
    fn position(&self) -> Position {
        self.node().position().into()
    }

    /// The FEN of the position.
    #[getter]
    fn fen(&self) -> String {
        fen_of(&self.node().position())
    }

    fn __repr__(&self) -> String {
        let node = self.node();
        let path = node.path();
        let path = if path.is_empty() { "the first position".to_owned() } else { path };
        let moves = counted(node.moves().count() as u64, "move");
        format!("<pgn2fen.TreeNode {path}: {}, {moves}>", counted(node.results().games(), "game"))
    }
}

#[pymethods]
impl TreeMove {
    /// The move as SAN, such as `Nf3+`.
    #[getter]
    fn san(&self) -> PyResult<String> {
        self.ask(pgn2fen_trees::TreeMove::san)
    }

    /// The move in the notation of UCI engines, such as `g1f3`.
    #[getter]
    fn uci(&self) -> PyResult<String> {
        self.ask(|played| played.uci().to_string())
    }

    /// The results of the games in which the move was played. Each game counts once.
    #[getter]
    fn results(&self) -> PyResult<Results> {
        self.ask(|played| played.results().into())
    }

    /// The year of the latest of these games. None if no year is known.
    #[getter]
    fn last_year(&self) -> PyResult<Option<u16>> {
        self.ask(pgn2fen_trees::TreeMove::last_year)
    }

    /// The position before the move.
    #[getter]
    fn source(&self) -> PyResult<TreeNode> {
        self.ask(|played| TreeNode::of(&self.tree, played.source()))
    }

    /// The position after the move.
    #[getter]
    fn target(&self) -> PyResult<TreeNode> {
        self.ask(|played| TreeNode::of(&self.tree, played.target()))
    }

    /// Whether the position after the move hangs on another move, to which this one transposes. A walk that goes on
    /// only behind other moves visits each position once.
    #[getter]
    fn transposes(&self) -> PyResult<bool> {
        self.ask(pgn2fen_trees::TreeMove::transposes)
    }

    fn __str__(&self) -> PyResult<String> {
        self.san()
    }

    fn __repr__(&self) -> PyResult<String> {
        let games = self.ask(|played| played.results().games())?;
        Ok(format!("<pgn2fen.TreeMove {}: {}>", self.san()?, counted(games, "game")))
    }
}

/// The number of games by result.
#[pyclass(frozen, eq, hash, get_all, module = "pgn2fen")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Results {
    /// All games.
    games: u64,
    /// Games won by White.
    white: u64,
    /// Drawn games.
    draws: u64,
    /// Games won by Black.
    black: u64,
    /// Games without a known result.
    unknown: u64,
}

impl From<pgn2fen_index::Results> for Results {
    fn from(results: pgn2fen_index::Results) -> Self {
        let pgn2fen_index::Results { white, draws, black, unknown } = results;
        Self { games: results.games(), white, draws, black, unknown }
    }
}

#[pymethods]
impl Results {
    /// White's mean score: 1 for a win, 0.5 for a draw. None if no result is known.
    #[getter]
    #[expect(clippy::cast_precision_loss, reason = "counts of games have less than 53 bits")]
    fn score(&self) -> Option<f64> {
        let known = self.white + self.draws + self.black;
        (known > 0).then(|| (self.white as f64 + self.draws as f64 / 2.0) / known as f64)
    }

    fn __repr__(&self) -> String {
        let Self { white, draws, black, unknown, .. } = self;
        format!("<pgn2fen.Results {}: +{white} ={draws} -{black}, {unknown} unknown>", counted(self.games, "game"))
    }
}

/// A model game at the end of a line: one of the games with the best rated players.
#[pyclass(frozen, eq, hash, get_all, module = "pgn2fen")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct ModelGame {
    /// The tag White.
    white: String,
    /// The tag Black.
    black: String,
    /// The tag Event. In a tree of an index, it is empty if a player is known.
    event: String,
    /// The year. None if it is unknown.
    year: Option<u32>,
    /// The result: `1-0`, `0-1`, `1/2-1/2` or `*`.
    result: &'static str,
}

impl From<pgn2fen_trees::ModelGame<'_>> for ModelGame {
    fn from(game: pgn2fen_trees::ModelGame<'_>) -> Self {
        let [white, black, event] = [game.white, game.black, game.event].map(str::to_owned);
        Self { white, black, event, year: game.year, result: game.result.as_str() }
    }
}

#[pymethods]
impl ModelGame {
    fn __repr__(&self) -> String {
        let year = self.year.map(|year| format!(", {year}")).unwrap_or_default();
        format!("<pgn2fen.ModelGame {} – {}{year}, {}>", self.white, self.black, self.result)
    }
}
