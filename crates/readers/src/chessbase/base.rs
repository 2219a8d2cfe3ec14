//! The files of a database: the index, the moves, the annotations, the names, and further fields of the index.

use std::io;
use std::sync::Arc;

use crate::chessbase::annotations;
use crate::chessbase::entities::Entities;
use crate::chessbase::entry::{Entry, SIZE};
use crate::chessbase::error::ChessBaseFault;
use crate::chessbase::extra::Extra;
use crate::chessbase::game;
use crate::chessbase::names::Names;
use crate::chessbase::texts::Texts;
use crate::database::window::Window;
use pgn2fen_bytes::{Meter, RandomAccess};

/// The greatest size of a record. The longest that are known have less than 100 kB.
const LONGEST: u64 = 4 * 1024 * 1024;

/// The number of bytes of annotations by which the code pages are guessed.
const SAMPLE: u64 = 512 * 1024;

/// The greatest size of a file of names, which is held in memory.
const MOST_NAMES: u64 = 1 << 31;

/// A file of a database: its name for messages, and its bytes.
pub(super) type Part = (String, Arc<dyn RandomAccess>);

/// A database.
#[derive(Debug)]
pub(super) struct Base {
    pub(super) index: Arc<dyn RandomAccess>,
    pub(super) moves: Arc<dyn RandomAccess>,
    pub(super) annotations: Arc<dyn RandomAccess>,
    lengths: [u64; 2],
    pub(super) extra: Option<Extra>,
    pub(super) names: Names,
    pub(super) texts: Texts,
    /// The number of entries of the index.
    pub(super) count: u64,
    /// A counter of the bytes of the index that have been read.
    pub(super) meter: Meter,
}

impl Base {
    /// Opens a database. `part` returns the file with an ending, or `None` if there is none. Damage that leaves games
    /// to read is returned with the database.
    pub(super) fn open(
        (index_name, index): Part,
        mut part: impl FnMut(&'static str) -> io::Result<Option<Part>>,
        meter: Meter,
    ) -> io::Result<(Self, Option<ChessBaseFault>)> {
        let mut damage = None;
        let mut note = |name: &str, reason: String| {
            damage.get_or_insert(ChessBaseFault::Damaged(name.to_owned(), reason));
        };
        let (count, index_damage) = count(&*index)?;
        if let Some(reason) = index_damage {
            note(&index_name, reason);
        }
        let mut needed =
            |ending: &'static str| part(ending)?.ok_or_else(|| io::Error::from(ChessBaseFault::Missing(ending)));
        let [(_, moves), (_, annotations)] = [needed("cbg")?, needed("cba")?];
        let lengths = [moves.length()?, annotations.length()?];
        let [players, tournaments, annotators, sources] =
            [needed("cbp")?, needed("cbt")?, needed("cbc")?, needed("cbs")?];
        let mut read = |(name, bytes): Part, least: usize| {
            let entities = entities(&*bytes, least)?;
            Ok::<_, io::Error>(entities.unwrap_or_else(|reason| {
                note(&name, reason);
                Entities::default()
            }))
        };
        let mut names = Names {
            players: read(players, 50)?,
            tournaments: read(tournaments, 74)?,
            annotators: read(annotators, 45)?,
            sources: read(sources, 51)?,
            teams: Entities::default(),
        };
        // Old databases do not have these files.
        if let Some(teams) = part("cbe")? {
            names.teams = read(teams, 45)?;
        }
        let extra = match part("cbj")? {
            None => None,
            Some((name, bytes)) => match Extra::open(bytes)? {
                Ok(extra) => Some(extra),
                Err(reason) => {
                    note(&name, reason);
                    None
                }
            },
        };
        let sample = sample(&*annotations, lengths[1])?;
        let texts = Texts::guess(&names, &sample);
        Ok((Self { index, moves, annotations, lengths, extra, names, texts, count, meter }, damage))
    }

    /// Returns the places of the records of a game. The lowest 32 bits of each are in the entry, and further ones in
    /// `extra`. The error completes a word for messages.
    pub(super) fn places(&self, entry: Entry<'_>, extra: &[u8]) -> Result<[u64; 2], &'static str> {
        let short = entry.places().map(u64::from);
        let Some(wide) = Extra::places(extra).filter(|_| self.lengths.iter().any(|length| *length > 1 << 32)) else {
            return Ok(short);
        };
        let agrees = short.iter().zip(&wide).all(|(short, wide)| wide & 0xFFFF_FFFF == *short);
        if agrees { Ok(wide) } else { Err("its-places-do-not-agree") }
    }

    /// Returns the number of bytes of the record of the moves at a place. The error completes a word for messages.
    pub(super) fn moves_size(&self, place: u64, window: &mut Window) -> io::Result<Result<u64, &'static str>> {
        let head = window.read(place, game::HEAD)?;
        let size = head.get(1..game::HEAD).map(|size| size.iter().fold(0, |size, byte| size << 8 | u64::from(*byte)));
        Ok(size.ok_or(BEHIND).and_then(|size| checked(size, game::HEAD, place, self.lengths[0])))
    }

    /// Returns the number of bytes of the record of the annotations at a place. The place 0 has none.
    pub(super) fn annotations_size(&self, place: u64, window: &mut Window) -> io::Result<Result<u64, &'static str>> {
        if place == 0 {
            return Ok(Ok(0));
        }
        let head = window.read(place, annotations::HEAD)?;
        if head.len() < annotations::HEAD {
            return Ok(Err(BEHIND_ANNOTATIONS));
        }
        let size = checked(annotations::size(head), annotations::HEAD, place, self.lengths[1]);
        Ok(size.map_err(|_| BEHIND_ANNOTATIONS))
    }

    /// Returns the limit on the records that are read together.
    pub(super) fn records_length(&self) -> u64 {
        self.lengths[0].saturating_add(self.lengths[1])
    }
}

const BEHIND: &str = "its-record-lies-behind-the-end-of-the-moves-file";
const BEHIND_ANNOTATIONS: &str = "its-annotations-lie-behind-the-end-of-their-file";

/// Checks the size of a record.
fn checked(size: u64, least: usize, place: u64, length: u64) -> Result<u64, &'static str> {
    match place.checked_add(size) {
        _ if size < least as u64 => Err("its-record-is-cut"),
        Some(end) if end <= length && size <= LONGEST => Ok(size),
        Some(end) if end <= length => Err("its-record-is-too-long"),
        _ => Err(BEHIND),
    }
}

/// Returns the number of entries of an index, and what is wrong with its length.
fn count(index: &dyn RandomAccess) -> io::Result<(u64, Option<String>)> {
    let length = index.length()?;
    let whole = (length / SIZE as u64).saturating_sub(1);
    let mut header = [0; SIZE];
    match index.read_exact_at(&mut header, 0) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            return Ok((0, Some("ends within its header".to_owned())));
        }
        read => read?,
    }
    let next = u32::from_be_bytes([header[6], header[7], header[8], header[9]]);
    let count = u64::from(next).saturating_sub(1);
    let damage = if whole < count {
        Some(format!("has {whole} of its {count} games"))
    } else if length > (count + 1) * SIZE as u64 {
        Some(format!("goes on behind the last of its {count} games, which are read"))
    } else {
        None
    };
    Ok((count.min(whole), damage))
}

/// Reads a file of names. The inner error completes a sentence after its name.
fn entities(bytes: &dyn RandomAccess, least: usize) -> io::Result<Result<Entities, String>> {
    let length = bytes.length()?;
    if length > MOST_NAMES {
        return Ok(Err(format!("has {length} bytes, and at most {MOST_NAMES} are read")));
    }
    let mut names = vec![0; usize::try_from(length).map_err(io::Error::other)?];
    bytes.read_exact_at(&mut names, 0)?;
    Ok(Entities::read(names, least))
}

/// Returns the first records of annotations.
fn sample(annotations: &dyn RandomAccess, length: u64) -> io::Result<Vec<u8>> {
    let mut header = [0; 2];
    if length < 2 {
        return Ok(Vec::new());
    }
    annotations.read_exact_at(&mut header, 0)?;
    let start = u64::from(u16::from_be_bytes(header));
    let size = length.saturating_sub(start).min(SAMPLE);
    let mut sample = vec![0; usize::try_from(size).map_err(io::Error::other)?];
    annotations.read_exact_at(&mut sample, start)?;
    Ok(sample)
}
