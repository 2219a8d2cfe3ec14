//! Games that are written to a PGN file.

use std::path::Path;

use pgn2fen::export::{ExportOptions, FenComments, TagChoice};
use pgn2fen::files::compression_of_games;
use pgn2fen::games::{Games, Order};
use pyo3::prelude::{Bound, FromPyObject, Py, PyAny, PyResult, Python};

use crate::errors::wrong;
use crate::options::{arguments, choose, parsed};
use crate::plan::Reading;
use crate::run::Run;
use crate::writing::write;

/// Options for writing games.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct CopyArguments {
    unique: bool,
    sort: Option<String>,
    shuffle: Option<u64>,
    invert: bool,
    san: bool,
    comments: bool,
    variations: bool,
    nags: bool,
    keep_tags: Option<String>,
    add_fen: Option<String>,
    width: Option<usize>,
}

impl CopyArguments {
    fn order(&self) -> PyResult<Order> {
        match (&self.sort, self.shuffle) {
            (Some(_), Some(_)) => Err(wrong("sort and shuffle are two orders; leave one of them out")),
            (Some(keys), None) => Ok(Order::Sorted(parsed("sort", keys)?)),
            (None, Some(seed)) => Ok(Order::Shuffled { seed }),
            (None, None) => Ok(Order::Files),
        }
    }

    /// Returns how games are written anew, or `None` if they are copied.
    fn export(&self) -> PyResult<Option<ExportOptions>> {
        let mut options = ExportOptions {
            comments: self.comments,
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
        let is_anew =
            self.san || self.keep_tags.is_some() || self.width.is_some() || options != ExportOptions::default();
        Ok(is_anew.then_some(options))
    }
}

/// Writes the chosen games to a file.
pub(crate) fn write_games(
    py: Python<'_>,
    path: &Path,
    options: &Bound<'_, PyAny>,
    reading: &Reading,
    run: &Run,
    watch: Py<PyAny>,
) -> PyResult<()> {
    let options: CopyArguments = arguments(options)?;
    let compression = compression_of_games(path).map_err(wrong)?;
    let mut read = reading.read.clone();
    read.invert = options.invert;
    let mut games =
        Games::new().read_options(read).threads(reading.threads).unique(options.unique).order(options.order()?);
    if let Some(anew) = options.export()? {
        games = games.export(anew);
    }
    if let Some(folder) = path.parent().filter(|folder| folder.is_dir()) {
        games = games.temporary_folder(folder);
    }
    write(py, (path, compression), move |output| Ok(games.begin(output)), reading, run, watch)
}
