//! Archives of ChessBase (`.cbv`): the files of a database, compressed.
//!
//! The header is followed by a list of members, of 173 bytes each: the name; the place, the compressed size and the
//! size in 32 bits, 9 bytes of unknown meaning, and the same three numbers in 64 bits. The lowest byte of a number is
//! the first one. The data of a member is a sequence of [blocks](block).
//!
//! The members that make up the database are decompressed to temporary files, because games are read at any offset.

mod bits;
mod block;
mod lz;

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

use crate::chessbase::archive::block::BlockDecoder;
use crate::chessbase::base::Part;
use crate::chessbase::error::ChessBaseFault;
use pgn2fen_bytes::{PositionedFile, RandomAccess, RandomReader};

/// The number of bytes of the header, and of a member in the list.
const HEADER: usize = 8;
const ENTRY: usize = 173;

/// How many times as long as the archive its members may be, and the bytes that they may have in any case. A small file
/// could become any amount of data otherwise.
const MOST_TIMES: u64 = 32;
const SLACK: u64 = 16 * 1024 * 1024;

/// Whether a file with these first bytes is an archive.
pub(super) fn is_archive(head: &[u8]) -> bool {
    matches!(head, [8, 0, _, _, 0xAD, 0, 3, 0, ..])
}

/// An archive.
#[derive(Debug)]
pub(super) struct Archive {
    bytes: Arc<dyn RandomAccess>,
    members: Vec<Member>,
    /// The name of the database, without an ending.
    stem: String,
    /// The number of bytes that members may still have.
    rest: u64,
}

/// A member of an archive.
#[derive(Debug)]
struct Member {
    name: String,
    place: u64,
    packed: u64,
    size: u64,
}

impl Archive {
    /// Reads the list of members.
    pub(super) fn open(file: File) -> io::Result<Self> {
        let bytes: Arc<dyn RandomAccess> = Arc::new(PositionedFile::from(file));
        let length = bytes.length()?;
        let mut header = [0; HEADER];
        bytes.read_exact_at(&mut header, 0).map_err(cut)?;
        let count = u16::from_le_bytes([header[2], header[3]]);
        let mut list = vec![0; ENTRY * usize::from(count)];
        bytes.read_exact_at(&mut list, HEADER as u64).map_err(cut)?;
        let members = list.chunks_exact(ENTRY).map(|entry| Member::read(entry, length));
        let members = members.collect::<Result<Vec<_>, _>>()?;
        let stems = members.iter().filter_map(|member| member.stem_of("cbh"));
        let stem = match stems.collect::<Vec<_>>()[..] {
            [stem] => stem.to_owned(),
            [] => return Err(fault("has no database with the ending .cbh")),
            _ => return Err(fault("has several databases; unpack it with ChessBase")),
        };
        let rest = length.saturating_mul(MOST_TIMES).saturating_add(SLACK);
        Ok(Self { bytes, members, stem, rest })
    }

    /// Decompresses the file of the database with an ending. None if there is none.
    pub(super) fn part(&mut self, ending: &str) -> io::Result<Option<Part>> {
        let is_part =
            |member: &&Member| member.stem_of(ending).is_some_and(|stem| stem.eq_ignore_ascii_case(&self.stem));
        let Some(member) = self.members.iter().find(is_part) else { return Ok(None) };
        let Some(rest) = self.rest.checked_sub(member.size) else {
            return Err(fault(&format!("would have more than {MOST_TIMES} times its size with {}", member.name)));
        };
        self.rest = rest;
        let mut file = tempfile::tempfile()?;
        member.unpack(&self.bytes, &mut file)?;
        Ok(Some((member.name.clone(), Arc::new(PositionedFile::from(file)))))
    }
}

impl Member {
    fn read(entry: &[u8], length: u64) -> io::Result<Self> {
        let short = |at: usize| u64::from(u32::from_le_bytes([entry[at], entry[at + 1], entry[at + 2], entry[at + 3]]));
        let long = |at: usize| short(at) | short(at + 4) << 32;
        let name = &entry[..128];
        let name = &name[..memchr::memchr(0, name).unwrap_or(name.len())];
        let name = String::from_utf8_lossy(name).into_owned();
        let [place, packed, size] = [149, 157, 165].map(long);
        let agrees =
            [place, packed, size].iter().zip([128, 132, 136]).all(|(long, at)| long & 0xFFFF_FFFF == short(at));
        if !agrees || place.checked_add(packed).is_none_or(|end| end > length) {
            return Err(fault("is damaged: its list of members does not agree with itself"));
        }
        Ok(Self { name, place, packed, size })
    }

    /// Returns the name without its ending, if it has this one. Members in folders are pictures and the like.
    fn stem_of(&self, ending: &str) -> Option<&str> {
        let (stem, other) = self.name.rsplit_once('.')?;
        (other.eq_ignore_ascii_case(ending) && !self.name.contains(['\\', '/'])).then_some(stem)
    }

    /// Decompresses the member. Its size is that of the list.
    fn unpack(&self, bytes: &Arc<dyn RandomAccess>, file: &mut File) -> io::Result<()> {
        let damaged = |reason: &str| fault(&format!("is damaged: its member {} {reason}", self.name));
        let mut reader = RandomReader::new(Arc::clone(bytes))?;
        reader.seek(SeekFrom::Start(self.place))?;
        let mut reader = BufReader::with_capacity(256 * 1024, reader.take(self.packed));
        let mut decoder = BlockDecoder::default();
        let (mut rest, mut payload) = (self.size, Vec::new());
        let mut left = self.packed;
        while left > 0 {
            let mut head = [0; 4];
            reader.read_exact(&mut head).map_err(|_| damaged("is cut"))?;
            let length = u16::from_le_bytes([head[0], head[1]]);
            payload.resize(usize::from(length), 0);
            reader.read_exact(&mut payload).map_err(|_| damaged("is cut"))?;
            left = left.saturating_sub(4 + u64::from(length));
            let text = decoder.decode(&payload).map_err(damaged)?;
            rest = rest.checked_sub(text.len() as u64).ok_or_else(|| damaged("is longer than the list says"))?;
            file.write_all(text)?;
        }
        if rest > 0 { Err(damaged("is shorter than the list says")) } else { Ok(()) }
    }
}

/// Returns the index of an archive, and the archive for its other files.
pub(super) fn open(file: File, path: &Path) -> io::Result<(Part, Archive)> {
    let mut archive = Archive::open(file)?;
    let missing = || ChessBaseFault::Unreadable(path.to_string_lossy().into_owned(), "it has no index".to_owned());
    let index = archive.part("cbh")?.ok_or_else(missing)?;
    Ok((index, archive))
}

fn cut(error: io::Error) -> io::Error {
    if error.kind() == io::ErrorKind::UnexpectedEof { fault("is damaged: its list of members is cut") } else { error }
}

fn fault(reason: &str) -> io::Error {
    ChessBaseFault::Archive(reason.to_owned()).into()
}
