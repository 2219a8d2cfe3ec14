//! Games that are written to PGN files.

use std::path::{Path, PathBuf};

use pgn2fen_files::{GameFiles, compression_of_games, folder_of};
use pgn2fen_games::export::{CommentChoice, ExportOptions, FenComments, TagChoice};
use pgn2fen_games::walk::OnError;
use pgn2fen_rows::RowsError;
use pgn2fen_rows::games::{CopyRequest, Cut, GameEdits, GameFileNames, JoinedGames, Keep};
use pgn2fen_rows::options::JobOptions;
use pgn2fen_spec::Jobs;
use pyo3::prelude::{Bound, FromPyObject, Py, PyAny, PyResult, Python};

use crate::errors::wrong;
use crate::options::{arguments, choose, parsed};
use crate::reading::Reading;
use crate::run::Run;
use crate::writing::{create, write_to};

/// Options for writing games.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct CopyArguments {
    join: bool,
    unique: Option<String>,
    keep: Option<String>,
    sort: Option<String>,
    shuffle: bool,
    seed: Option<u64>,
    split: Option<String>,
    chapter_name: Option<String>,
    duplicates: Option<PathBuf>,
    invert: bool,
    san: bool,
    comments: String,
    variations: bool,
    nags: bool,
    keep_tags: Option<String>,
    add_fen: Option<String>,
    width: Option<usize>,
    plies: Option<String>,
    on_error: Option<String>,
    set_tags: Vec<String>,
    remove_tags: Vec<String>,
    add_opening: bool,
    rename: bool,
    repair: bool,
}

impl CopyArguments {
    /// Returns the options of the copies.
    fn request(&self) -> PyResult<CopyRequest> {
        let unique = self.unique.as_deref().map(|keys| parsed("unique", keys)).transpose()?;
        let keep = self.keep.as_deref().map(|word| choose("keep", word, &Keep::ALL)).transpose()?;
        Ok(CopyRequest {
            invert: self.invert,
            join: self.join,
            unique,
            duplicates: self.duplicates.is_some(),
            keep,
            sort: self.sort.as_deref().map(|keys| parsed("sort", keys)).transpose()?,
            shuffle: self.shuffle,
            seed: self.seed,
            split: self.split.as_deref().map(|text| parsed("split", text)).transpose()?,
            chapter_name: self.chapter_name.as_deref().map(|names| parsed("chapter_name", names)).transpose()?,
            edits: self.edits()?,
            export: self.export()?,
            on_error: self.on_error.is_some(),
        })
    }

    /// Returns what is written of games with errors. A run that stops writes no files, so an exception ends it.
    fn on_error(&self) -> PyResult<OnError> {
        let known =
            [("keep", OnError::Keep), ("drop", OnError::Drop), ("stop", OnError::Stop), ("raise", OnError::Stop)];
        self.on_error.as_deref().map_or(Ok(OnError::Keep), |word| choose("on_error", word, &known))
    }

    /// Returns the changes of games.
    fn edits(&self) -> PyResult<GameEdits> {
        let mut job = JobOptions::new().with(Jobs::COPIES);
        let listed = |name, values: &[String]| values.iter().map(|value| (name, value.clone())).collect::<Vec<_>>();
        let switches = [("add_opening", self.add_opening), ("rename", self.rename), ("repair", self.repair)];
        let values = [listed("set_tags", &self.set_tags), listed("remove_tags", &self.remove_tags)].concat();
        let switches = switches.into_iter().map(|(name, is_on)| (name, is_on.to_string()));
        for (name, value) in values.into_iter().chain(switches) {
            job.set(name, &value).map_err(wrong)?;
        }
        Ok(job.edits().clone())
    }

    /// Returns how games are written anew, or `None` if they are copied.
    fn export(&self) -> PyResult<Option<ExportOptions>> {
        let mut options = ExportOptions {
            comments: choose("comments", &self.comments, &CommentChoice::NAMES)?,
            variations: self.variations,
            nags: self.nags,
            ..ExportOptions::default()
        };
        if let Some(tags) = &self.keep_tags {
            options.tags = parsed::<TagChoice>("keep_tags", tags)?;
        }
        if let Some(word) = &self.add_fen {
            options.add_fen = choose("add_fen", word, &[("last", FenComments::Last), ("every", FenComments::Every)])?;
        }
        if let Some(width) = self.width {
            options.width = width;
        }
        let cut = self.plies.as_deref().map(|text| parsed::<Cut>("plies", text)).transpose()?;
        options.last_ply = cut.map(|cut| cut.last_ply);
        let is_anew =
            self.san || self.keep_tags.is_some() || self.width.is_some() || options != ExportOptions::default();
        Ok(is_anew.then_some(options))
    }
}

/// Writes games that are made of the positions of the chosen ones.
fn write_joined(
    py: Python<'_>,
    path: &Path,
    request: &CopyRequest,
    reading: &Reading,
    run: &Run,
    watch: Py<PyAny>,
) -> PyResult<()> {
    request.refuse_beside("`join`").map_err(wrong)?;
    let names = path.to_str().map(str::parse::<GameFileNames>).transpose().map_err(wrong)?;
    if names.as_ref().is_some_and(GameFileNames::has_placeholder) {
        return Err(wrong("join writes one file, whose name has no placeholders"));
    }
    let only = names.as_ref().and_then(GameFileNames::only_path).map(PathBuf::from);
    let path = only.as_deref().unwrap_or(path);
    let compression = compression_of_games(path).map_err(wrong)?;
    let games = JoinedGames::new().read_options(reading.read.clone()).threads(reading.threads);
    let output = create(path, compression, reading)?;
    let name = output.name();
    write_to(py, &name, move || Ok::<_, RowsError>(games.begin(output)), reading, run, watch)
}

/// Writes the chosen games to a file, or to several whose names have placeholders.
pub(crate) fn write_games(
    py: Python<'_>,
    path: &Path,
    options: &Bound<'_, PyAny>,
    reading: &Reading,
    run: &Run,
    watch: Py<PyAny>,
) -> PyResult<()> {
    let options: CopyArguments = arguments(options)?;
    let request = options.request()?;
    if request.join {
        return write_joined(py, path, &request, reading, run, watch);
    }
    let mut read = reading.read.clone();
    read.on_error = options.on_error()?;
    let mut games = request.copies(read).map_err(wrong)?.threads(reading.threads);
    let compression = compression_of_games(path).map_err(wrong)?;
    // A name that is not UTF-8 has no placeholders.
    let names = path.to_str().map(str::parse::<GameFileNames>).transpose().map_err(wrong)?;
    match &names {
        Some(names) => names.check(request.split.as_ref()).map_err(wrong)?,
        None if request.split.is_some() => return Err(wrong("split needs a file name with {part}, in UTF-8")),
        None => {}
    }
    if let Some(folder) = folder_of(path) {
        games = games.temporary_folder(folder);
    }
    if options.duplicates.as_deref() == Some(path) {
        return Err(wrong("duplicates and path are the same; duplicates need a file of their own"));
    }
    let aside = options.duplicates.as_deref().map(|aside| {
        let compression = compression_of_games(aside).map_err(wrong)?;
        create(aside, compression, reading)
    });
    let aside = aside.transpose()?;
    if let Some(names) = names.as_ref().filter(|names| names.has_placeholder()) {
        let (names, files) = (names.clone(), GameFiles::new(&reading.inputs.found(), compression));
        let name = "the files";
        return match aside {
            None => write_to(py, name, move || games.begin_files(names, files), reading, run, watch),
            Some(aside) => {
                write_to(py, name, move || games.begin_files_aside(names, files, aside), reading, run, watch)
            }
        };
    }
    let only = names.as_ref().and_then(GameFileNames::only_path).map(PathBuf::from);
    let output = create(only.as_deref().unwrap_or(path), compression, reading)?;
    let name = output.name();
    match aside {
        None => write_to(py, &name, move || Ok::<_, RowsError>(games.begin(output)), reading, run, watch),
        Some(aside) => {
            write_to(py, &name, move || Ok::<_, RowsError>(games.begin_aside(output, aside)), reading, run, watch)
        }
    }
}
