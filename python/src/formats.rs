//! Formats of files, as words and by the endings of names.

use std::path::Path;

use pgn2fen_files::{Compression, EndingRules, agreed};
use pgn2fen_rows::{FileNames, NameError, PictureFormat};
use pyo3::prelude::PyResult;

use crate::errors::wrong;

/// A format that is written to one file, or pictures in files of their own.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target<F> {
    OneFile(F),
    Pictures(PictureFormat),
}

/// The formats of a job that are written to one file.
pub(crate) struct Formats<F> {
    pub(crate) names: Vec<&'static str>,
    /// Returns the format with a name.
    pub(crate) named: fn(&str) -> Option<F>,
    /// Returns the format of files with an ending.
    pub(crate) of_ending: fn(&str) -> Option<F>,
}

impl<F: Copy + PartialEq + Into<EndingRules>> Formats<F> {
    /// Returns the format and the compression of a file, from a word or from the ending of its name. None without
    /// either.
    pub(crate) fn target(&self, path: &Path, word: Option<&str>) -> PyResult<(Option<Target<F>>, Compression)> {
        let picture = |name: &str| PictureFormat::ALL.iter().copied().find(|format| format.name() == name);
        let named = |word: &str| {
            let found = (self.named)(word).map(Target::OneFile).or_else(|| picture(word).map(Target::Pictures));
            found.ok_or_else(|| {
                let pictures = PictureFormat::ALL.iter().map(|format| format.name());
                let names: Vec<&str> = self.names.iter().copied().chain(pictures).collect();
                wrong(format!("format is '{word}', but must be one of {}", names.join(", ")))
            })
        };
        let of_ending = |ending: &str| {
            let picture = PictureFormat::of_ending(ending).map(Target::Pictures);
            picture.or_else(|| (self.of_ending)(ending).map(Target::OneFile))
        };
        let rules = |target: Target<F>| match target {
            Target::OneFile(format) => format.into(),
            Target::Pictures(format) => EndingRules::from(format),
        };
        agreed(path, word.map(named).transpose()?, of_ending, rules).map_err(wrong)
    }
}

/// Returns the names of pictures, whose template is a path.
pub(crate) fn names_of_pictures(
    format: PictureFormat,
    (path, compression): (&Path, Compression),
    (has_columns, header): (bool, bool),
    parse: impl Fn(&str, PictureFormat) -> Result<FileNames, NameError>,
) -> PyResult<FileNames> {
    let name = format.name();
    if has_columns {
        return Err(wrong(format!("the format {name} has no columns to choose; html has boards with captions")));
    }
    if !header {
        return Err(wrong(format!("the format {name} has no header row; only tsv and csv have one")));
    }
    if compression != Compression::None {
        return Err(wrong(format!("pictures are not compressed; let the name end in .{name}")));
    }
    let template = path.to_str().ok_or_else(|| wrong("the name of pictures is not UTF-8"))?;
    parse(template, format).map_err(wrong)
}
