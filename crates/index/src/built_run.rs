//! A run that another process has built, and the pieces of files that it was built from, as text that travels between
//! processes.

use std::ops::Range;

use serde_json::{Map, Value, json};

use crate::folder::is_attempt;
use crate::manifest::{Run, list, number};
use crate::source::Stamp;

/// A part of a source file: the games that begin in a range of its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The number of the file, which [`Assembly::add`](crate::Assembly::add) returned.
    pub file: usize,
    /// The range of bytes of the file. The end may be behind the end of the file.
    pub range: Range<u64>,
}

impl Piece {
    /// Returns the whole of a file.
    pub fn whole(file: usize) -> Self {
        Self { file, range: 0..u64::MAX }
    }
}

/// A run of an index that another process has built. It becomes part of the index when an [`Assembly`](crate::Assembly)
/// is given it. Until then its files lie in the folder of the build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltRun {
    /// The run, with the name of its folder in the folder of the build.
    pub(super) run: Run,
    pub(super) pieces: Vec<BuiltPiece>,
}

/// A piece of a file whose games are in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BuiltPiece {
    pub(super) piece: Piece,
    /// The stamp of the file before it was read; None for a stream.
    pub(super) stamp: Option<Stamp>,
    pub(super) games: u64,
}

impl BuiltRun {
    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.run.games
    }

    /// Returns the number of postings.
    pub fn postings(&self) -> u64 {
        self.run.postings
    }

    /// Returns the run as JSON on one line.
    pub fn to_json(&self) -> String {
        let pieces: Vec<Value> = self.pieces.iter().map(BuiltPiece::write).collect();
        json!({ "run": self.run.write(), "pieces": pieces }).to_string()
    }

    /// Reads a run written by [`to_json`](Self::to_json); None if the text is something else.
    pub fn from_json(text: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(text).ok()?;
        let run = Run::of(value.get("run")?, is_attempt)?;
        Some(Self { run, pieces: list(value.get("pieces")?, BuiltPiece::of)? })
    }
}

impl BuiltPiece {
    fn write(&self) -> Value {
        let Piece { file, range } = &self.piece;
        let mut object = Map::new();
        object.insert("file".to_owned(), json!(file));
        object.insert("range".to_owned(), json!([range.start, range.end]));
        object.insert("games".to_owned(), json!(self.games));
        if let Some(stamp) = &self.stamp {
            stamp.write(&mut object);
        }
        Value::Object(object)
    }

    fn of(value: &Value) -> Option<Self> {
        let file = usize::try_from(value.get("file")?.as_u64()?).ok()?;
        let [start, end] = list(value.get("range")?, Value::as_u64)?.try_into().ok()?;
        let stamp = if value.get("hash").is_some() { Some(Stamp::of(value)?) } else { None };
        Some(Self { piece: Piece { file, range: start..end }, stamp, games: number(value, "games")? })
    }
}

#[cfg(test)]
mod tests {
    use super::{BuiltPiece, BuiltRun, Piece};
    use crate::manifest::Run;
    use crate::source::Stamp;
    use crate::table::Written;

    #[test]
    fn what_is_written_is_read() {
        let table = |name: &str| Written { name: name.to_owned(), bytes: 1234, rows: 56, checksum: u64::MAX };
        let run = Run {
            folder: "run-a7Z".to_owned(),
            first_game: 8,
            games: 3,
            postings: 56,
            parts: vec![[table("postings-00.parquet"), table("moves-00.parquet")]],
            game_table: table("games.parquet"),
        };
        let stamp = Stamp { bytes: 5, modified: None, hash: u64::MAX };
        let pieces = vec![
            BuiltPiece { piece: Piece { file: 2, range: 17..u64::MAX - 1 }, stamp: Some(stamp), games: 3 },
            BuiltPiece { piece: Piece::whole(3), stamp: None, games: 0 },
        ];
        let run = BuiltRun { run, pieces };
        let text = run.to_json();
        assert_eq!(BuiltRun::from_json(&text), Some(run));
        assert!(!text.contains('\n'), "{text}");
        for (old, new) in [("run-a7Z", "run-a7Z/.."), ("run-a7Z", "../run-1"), ("[17,", "[17,18,"), ("{", "")] {
            assert_eq!(BuiltRun::from_json(&text.replacen(old, new, 1)), None, "{new}");
        }
    }
}
