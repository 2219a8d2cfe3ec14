//! `manifest.json`: the list of what belongs to an index. It is replaced as a whole; files that it does not name do not
//! count.
//!
//! Its member `checksum` is the checksum of the whole text of the file, computed with zeros for the digits of the
//! checksum.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use crate::checksum;
use crate::digest::Digest;
use crate::error::IndexError;
use crate::games_table::{GamesLayout, VERSION};
use crate::names;
use crate::source::{ReadSettings, Stamp};
use crate::table::Written;
use pgn2fen_games::players::Players;
use pgn2fen_games::selection::Plies;
use pgn2fen_tables::CREATED_BY;

/// The name of the file in the folder of the index.
pub(super) const NAME: &str = "manifest.json";

/// The name of the format, in the member `format`.
const FORMAT: &str = "pgn2fen-index";

/// The digits in place of a checksum that is not computed yet.
const NO_CHECKSUM: &str = "0000000000000000";

/// The contents of an index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Manifest {
    /// The plies of its games that are indexed.
    pub(super) plies: Plies,
    /// The names of players that its games have in place of those in their files.
    pub(super) renamed: Option<RenamedBy>,
    /// The layout of the games tables, with the tags that are kept.
    pub(super) layout: GamesLayout,
    pub(super) sources: Vec<IndexedSource>,
    pub(super) runs: Vec<Run>,
}

/// A list of players under several names, by the checksum of its text. The games have their main names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RenamedBy(u64);

impl RenamedBy {
    /// Returns None for an empty list, which gives no game another name.
    pub(super) fn of(players: &Players) -> Option<Self> {
        let mut text = String::new();
        for player in players.iter() {
            text.extend([player.name(), "\n"]);
            player.further_names().for_each(|name| text.extend(["  ", name, "\n"]));
            player.fide_ids().iter().for_each(|id| text += &format!("  FIDE {id}\n"));
        }
        (!players.is_empty()).then(|| Self(checksum::of(text.as_bytes())))
    }
}

/// A source file whose games are in the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct IndexedSource {
    /// The name of the file, as it was given.
    pub(super) name: PathBuf,
    /// The absolute path; None for a stream, which cannot be read again.
    pub(super) path: Option<PathBuf>,
    /// The relative path from the folder of the index. It stays valid when both are moved together.
    pub(super) beside: Option<PathBuf>,
    /// The stamp of the file when it was read.
    pub(super) stamp: Stamp,
    /// The digest of all bytes; None for a stream.
    pub(super) digest: Option<Digest>,
    pub(super) reading: ReadSettings,
    /// The filter on its games, in words; empty if all were taken.
    pub(super) choice: String,
    /// The number of its first game.
    pub(super) first_game: u64,
    pub(super) games: u64,
}

#[cfg(test)]
impl IndexedSource {
    /// Returns a stream with these games, of which nothing else is known.
    pub(super) fn of_games(name: &str, first_game: u64, games: u64) -> Self {
        Self {
            name: name.into(),
            path: None,
            beside: None,
            stamp: Stamp { bytes: 0, modified: None, hash: 0 },
            digest: None,
            reading: ReadSettings::default(),
            choice: String::new(),
            first_game,
            games,
        }
    }
}

/// A run: the games that were added at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// The name of its folder.
    pub(super) folder: String,
    pub(super) first_game: u64,
    pub(super) games: u64,
    pub(super) postings: u64,
    /// The tables `postings` and `moves` of each part, in the order of their keys.
    pub(super) parts: Vec<[Written; 2]>,
    pub(super) game_table: Written,
}

impl Manifest {
    /// Returns the number of its first game.
    pub(super) fn first_game(&self) -> u64 {
        self.runs.first().map_or(1, |run| run.first_game)
    }

    /// Returns the number that the next game to be added will get.
    pub(super) fn next_game(&self) -> u64 {
        self.runs.last().map_or(1, |run| run.first_game + run.games)
    }

    pub(super) fn write(&self) -> String {
        let value = json!({
            "format": FORMAT,
            "version": VERSION,
            "tags": self.layout.tag_names(),
            "checksum": NO_CHECKSUM,
            "created_by": CREATED_BY,
            "games": self.runs.iter().map(|run| run.games).sum::<u64>(),
            "postings": self.runs.iter().map(|run| run.postings).sum::<u64>(),
            "plies": self.plies.to_string(),
            "names": self.renamed.map(|list| hex(list.0)),
            "sources": self.sources.iter().map(IndexedSource::write).collect::<Vec<_>>(),
            "runs": self.runs.iter().map(Run::write).collect::<Vec<_>>(),
        });
        let text = format!("{value:#}\n");
        // The first match is the member itself, because the names of files come after it.
        text.replacen(&member(NO_CHECKSUM), &member(&hex(checksum::of(text.as_bytes()))), 1)
    }

    /// Reads a manifest written by [`write`](Self::write). `path` is the path of the file.
    pub(super) fn read(path: &Path, text: &str) -> Result<Self, IndexError> {
        let value: Value = serde_json::from_str(text)
            .map_err(|error| IndexError::new(path, format!("this is not the manifest of an index: {error}")))?;
        if value.get("format").and_then(Value::as_str) != Some(FORMAT) {
            return Err(IndexError::new(path, "this is not the manifest of an index"));
        }
        let version = value.get("version").and_then(Value::as_u64).unwrap_or(0);
        if version > VERSION {
            return Err(IndexError::newer(path, version, VERSION));
        }
        if version < VERSION {
            let reason = format!(
                "an older pgn2fen built the index (format version {version} instead of {VERSION}); build the index \
                 again"
            );
            return Err(IndexError::new(path, reason));
        }
        let manifest = if has_its_checksum(&value, text) { Self::of(&value) } else { None };
        manifest.ok_or_else(|| IndexError::new(path, "the manifest is damaged; build the index again"))
    }

    fn of(value: &Value) -> Option<Self> {
        Some(Self {
            layout: GamesLayout::read(value)?,
            plies: value.get("plies")?.as_str()?.parse().ok()?,
            renamed: match value.get("names") {
                None | Some(Value::Null) => None,
                Some(list) => Some(RenamedBy(u64::from_str_radix(list.as_str()?, 16).ok()?)),
            },
            sources: list(value.get("sources")?, IndexedSource::of)?,
            runs: list(value.get("runs")?, |run| Run::of(run, is_run))?,
        })
    }
}

impl IndexedSource {
    fn write(&self) -> Value {
        let mut object = Map::new();
        let path = |path: &Option<PathBuf>| path.as_deref().map_or(Value::Null, names::to_json);
        object.insert("name".to_owned(), names::to_json(&self.name));
        object.insert("path".to_owned(), path(&self.path));
        object.insert("beside".to_owned(), path(&self.beside));
        object.insert("first_game".to_owned(), json!(self.first_game));
        object.insert("games".to_owned(), json!(self.games));
        self.stamp.write(&mut object);
        object.insert("xxh3".to_owned(), json!(self.digest.map(|digest| digest.to_string())));
        self.reading.write(&mut object);
        object.insert("choice".to_owned(), json!(self.choice));
        Value::Object(object)
    }

    fn of(value: &Value) -> Option<Self> {
        // Earlier versions did not write these members; then the value is unknown.
        let known = |name| value.get(name).filter(|value| !value.is_null());
        let path = |name| known(name).map_or(Some(None), |value| names::from_json(value).map(Some));
        Some(Self {
            name: names::from_json(value.get("name")?)?,
            path: path("path")?,
            beside: path("beside")?,
            stamp: Stamp::of(value)?,
            digest: known("xxh3").map_or(Some(None), |value| value.as_str()?.parse().ok().map(Some))?,
            reading: ReadSettings::of(value)?,
            choice: known("choice").map_or(Some(""), Value::as_str)?.to_owned(),
            first_game: number(value, "first_game")?,
            games: number(value, "games")?,
        })
    }
}

impl Run {
    pub(super) fn write(&self) -> Value {
        json!({
            "folder": self.folder,
            "first_game": self.first_game,
            "games": self.games,
            "postings": self.postings,
            "tables": self.parts.iter().flatten().chain([&self.game_table]).map(write_table).collect::<Vec<_>>(),
        })
    }

    /// Reads a run written by [`write`](Self::write). `is_folder` checks the name of its folder.
    pub(super) fn of(value: &Value, is_folder: fn(&str) -> bool) -> Option<Self> {
        let mut tables = list(value.get("tables")?, read_table)?;
        let game_table = tables.pop()?;
        let (parts, []) = tables.as_chunks::<2>() else {
            return None;
        };
        let is_sound = parts.len().is_power_of_two() && parts.len() <= crate::spill::BUCKETS;
        Some(Self {
            folder: value.get("folder")?.as_str().filter(|name| is_folder(name))?.to_owned(),
            first_game: number(value, "first_game")?,
            games: number(value, "games")?,
            postings: number(value, "postings")?,
            parts: is_sound.then(|| parts.to_vec())?,
            game_table,
        })
    }
}

/// Returns the number of a run from the name of its folder: `run-000001`.
pub(super) fn run_number(folder: &str) -> Option<u64> {
    let digits = folder.strip_prefix("run-")?;
    let is_number = digits.len() >= 6 && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { digits.parse().ok() } else { None }
}

/// Returns the name of the folder of a run.
pub(super) fn run_folder(number: u64) -> String {
    format!("run-{number:06}")
}

fn is_run(folder: &str) -> bool {
    run_number(folder).is_some()
}

/// Returns a number of games or postings. It is limited, so that adding a few of them does not overflow.
pub(super) fn number(value: &Value, name: &str) -> Option<u64> {
    value.get(name)?.as_u64().filter(|number| *number < u64::MAX >> 16)
}

/// Whether a manifest has the checksum that it states.
fn has_its_checksum(value: &Value, text: &str) -> bool {
    let Some(checksum) = value.get("checksum").and_then(Value::as_str) else {
        return false;
    };
    let text = text.replacen(&member(checksum), &member(NO_CHECKSUM), 1);
    checksum == hex(checksum::of(text.as_bytes()))
}

/// Returns the member with the checksum as it is written in the text.
fn member(checksum: &str) -> String {
    format!("\"checksum\": \"{checksum}\"")
}

fn hex(checksum: u64) -> String {
    format!("{checksum:016x}")
}

fn write_table(table: &Written) -> Value {
    json!({ "name": table.name, "bytes": table.bytes, "rows": table.rows, "checksum": hex(table.checksum) })
}

fn read_table(value: &Value) -> Option<Written> {
    let name = value.get("name")?.as_str()?;
    // Names of files outside the folder of the run are rejected.
    let is_plain = !name.contains(['/', '\\']) && name.ends_with(".parquet");
    Some(Written {
        name: is_plain.then(|| name.to_owned())?,
        bytes: value.get("bytes")?.as_u64()?,
        rows: value.get("rows")?.as_u64()?,
        checksum: u64::from_str_radix(value.get("checksum")?.as_str()?, 16).ok()?,
    })
}

/// Reads a list, if each of its values can be read.
pub(super) fn list<T>(value: &Value, read: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    value.as_array()?.iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{IndexedSource, Manifest, RenamedBy, Run, run_folder, run_number};
    use crate::games_table::GamesLayout;
    use crate::source::{ReadSettings, Stamp};
    use crate::table::Written;

    fn some() -> Manifest {
        let table = |name: &str| Written { name: name.to_owned(), bytes: 1234, rows: 56, checksum: u64::MAX - 1 };
        let source = IndexedSource {
            name: "gämes.pgn".into(),
            path: Some("/games/gämes.pgn".into()),
            beside: Some("../gämes.pgn".into()),
            stamp: Stamp { bytes: u64::MAX, modified: Some(17), hash: 0xFEDC_BA98_7654_3210 },
            digest: "0123456789abcdef0123456789abcdef".parse().ok(),
            reading: ReadSettings::default(),
            choice: "-t White=\"A\"".to_owned(),
            first_game: 1,
            games: 3,
        };
        let run = Run {
            folder: run_folder(1),
            first_game: 1,
            games: 3,
            postings: 56,
            parts: vec![[table("postings-00.parquet"), table("moves-00.parquet")]],
            game_table: table("games.parquet"),
        };
        let stream = IndexedSource {
            path: None,
            beside: None,
            digest: None,
            choice: String::new(),
            first_game: 4,
            ..source.clone()
        };
        let layout = GamesLayout::new(&"Annotator,WhiteFideId".parse().unwrap());
        Manifest {
            plies: "..40".parse().unwrap(),
            renamed: RenamedBy::of(&"Tal\n  Mikhail Tal\n".parse().unwrap()),
            layout,
            sources: vec![source, stream],
            runs: vec![run],
        }
    }

    #[track_caller]
    fn check_refused(text: &str, reason: &str) {
        let error = Manifest::read(Path::new("x/manifest.json"), text).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }

    #[test]
    fn what_is_written_is_read() {
        let manifest = some();
        assert_eq!(Manifest::read(Path::new("m"), &manifest.write()).unwrap(), manifest);
        let empty = Manifest::default();
        assert_eq!(Manifest::read(Path::new("m"), &empty.write()).unwrap(), empty);
    }

    #[test]
    #[cfg(unix)]
    fn names_that_are_not_utf_8_are_read_as_they_were_written() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        let mut manifest = some();
        let name = Path::new(OsStr::from_bytes(b"caf\xe9.pgn"));
        let source = &mut manifest.sources[0];
        source.name = name.into();
        source.path = Some(Path::new("/games").join(name));
        source.beside = Some(Path::new("..").join(name));
        assert_eq!(Manifest::read(Path::new("m"), &manifest.write()).unwrap(), manifest);
    }

    #[test]
    fn a_manifest_that_is_newer_or_damaged_is_refused() {
        let text = some().write();
        let with_version = |version: &str| text.replace("\"version\": 4", &format!("\"version\": {version}"));
        check_refused(&with_version("999"), "version 999");
        check_refused(&with_version("1"), "an older pgn2fen");
        check_refused(&with_version("2"), "an older pgn2fen built the index (format version 2 instead of 4)");
        check_refused(&text[..text.len() / 2], "not the manifest");
        check_refused("{}", "not the manifest");
        check_refused(&text.replace("moves-00.parquet", "../moves.parquet"), "damaged");
        check_refused(&text.replace("run-000001", "run/../.."), "damaged");
        check_refused(&text.replace("\"runs\"", "\"walks\""), "damaged");
        check_refused(&text.replace("0123456789abcdef0", "0123456789abcdefg"), "damaged");
        check_refused(&text.replace("\"../gämes.pgn\"", "{ \"unix\": 7 }"), "damaged");
        check_refused(&text.replace("56", "57"), "damaged");
        check_refused(&text.replace("Annotator", "Annot ator"), "damaged");
        check_refused(&with_version("3"), "(format version 3 instead of 4); build the index again");
        check_refused(&text.replacen(": ", ":\t", 1), "damaged");
        check_refused(&text.replace("\"checksum\"", "\"checksun\""), "damaged");
    }

    #[test]
    fn a_flipped_bit_of_a_manifest_is_told() {
        let text = some().write().into_bytes();
        for bit in 0..text.len() * 8 {
            let mut text = text.clone();
            text[bit / 8] ^= 1 << (bit % 8);
            let read = std::str::from_utf8(&text).map(|text| Manifest::read(Path::new("m"), text));
            assert!(!matches!(read, Ok(Ok(_))), "bit {bit}: {}", String::from_utf8_lossy(&text));
        }
    }

    #[test]
    fn a_run_with_another_folder_or_other_tables_is_not_read() {
        let run = some().runs[0].clone();
        let read = |run: &Run| Run::of(&run.write(), super::is_run);
        assert_eq!(read(&run), Some(run.clone()));
        for folder in ["run/../..", "walk-000001", ""] {
            assert_eq!(read(&Run { folder: folder.to_owned(), ..run.clone() }), None, "{folder}");
        }
        for name in ["../games.parquet", "a\\games.parquet", "games.csv"] {
            let game_table = Written { name: name.to_owned(), ..run.game_table.clone() };
            assert_eq!(read(&Run { game_table, ..run.clone() }), None, "{name}");
        }
        let with_parts = |count: usize| read(&Run { parts: vec![run.parts[0].clone(); count], ..run.clone() });
        let counts = [1, 3, 4, 100, crate::spill::BUCKETS, 2 * crate::spill::BUCKETS];
        assert_eq!(counts.map(|count| with_parts(count).is_some()), [true, false, true, false, true, false]);
    }

    #[test]
    fn runs_are_numbered() {
        assert_eq!(run_number(&run_folder(7)), Some(7));
        assert_eq!(run_number(&run_folder(12_345_678)), Some(12_345_678));
        assert_eq!([run_number("run-1"), run_number("run-00000x"), run_number("walk-000001")], [None; 3]);
    }

    #[test]
    fn numbers_are_so_small_that_they_can_be_added() {
        let of = |number: u64| super::number(&serde_json::json!({ "games": number }), "games");
        let limit = u64::MAX >> 16;
        assert_eq!([of(0), of(limit - 1), of(limit), of(u64::MAX)], [Some(0), Some(limit - 1), None, None]);
        assert_eq!(super::number(&serde_json::json!({ "games": -1 }), "games"), None);
        assert_eq!(super::number(&serde_json::json!({}), "games"), None);
    }

    #[test]
    fn games_are_numbered_from_the_first_run_to_the_last() {
        let mut manifest = some();
        assert_eq!((manifest.first_game(), manifest.next_game()), (1, 4));
        let first = manifest.runs[0].clone();
        manifest.runs.push(Run { first_game: 4, games: 5, ..first.clone() });
        assert_eq!((manifest.first_game(), manifest.next_game()), (1, 9));
        manifest.runs.remove(0);
        assert_eq!((manifest.first_game(), manifest.next_game()), (4, 9));
        assert_eq!((Manifest::default().first_game(), Manifest::default().next_game()), (1, 1));
    }
}
