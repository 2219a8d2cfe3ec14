//! The functions for inputs and jobs, and what they keep for later calls.

use std::cell::RefCell;
use std::collections::HashMap;

use pgn2fen_games::Workers;
use pgn2fen_games::database::{ArchiveMember, SourceOptions, Tile};
use pgn2fen_games::pgn::encoding::Label;
use pgn2fen_games::walk::{FirstTags, ReadOptions, census};
use serde::Serialize;

use crate::answers;
use crate::call::{Answer, number};
use crate::explore::Explored;
use crate::failure::Failure;
use crate::job::{self, Run};
use crate::position::json;
use crate::source::{OpenSource, archive};

/// What calls keep for later calls, by numbers.
#[derive(Default)]
struct Kept {
    sources: HashMap<u32, OpenSource>,
    runs: HashMap<u32, Run>,
    explored: HashMap<u32, Explored>,
    /// The tile that was read last.
    tile: Option<Tile>,
    /// The next number.
    next: u32,
}

thread_local! {
    static KEPT: RefCell<Kept> = RefCell::default();
    /// A thread can make these once.
    static WORKERS: Workers = Workers::current_thread().expect("the thread has no workers yet");
}

/// The description of an open source.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SourceData {
    id: u32,
    is_plain: bool,
    compression: Option<&'static str>,
    /// The encoding of text that is not UTF-8, if it is guessed.
    guess: Option<&'static str>,
}

/// The description of a member of a zip archive.
#[derive(Serialize)]
struct MemberData {
    name: String,
    size: u64,
    /// The number of bytes that it takes in the archive.
    packed: u64,
}

/// The description of a run.
#[derive(Serialize)]
struct RunData {
    id: u32,
    columns: Vec<String>,
}

/// The place of a tile in its text. Bytes and lines are counted from 0.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TileData {
    start: u64,
    end: u64,
    /// The number of line breaks, and the number of bytes behind the last one.
    lines: (u64, usize),
    /// The number of bytes of the input that have been read, if it is a stream.
    read: u64,
}

/// Calls one of the functions.
///
/// # Errors
///
/// The message of what is wrong with the arguments or the input.
pub(crate) fn call(texts: &[&str], bytes: Vec<u8>) -> Result<Answer, Failure> {
    KEPT.with_borrow_mut(|kept| kept.call(texts, bytes))
}

impl Kept {
    fn call(&mut self, texts: &[&str], bytes: Vec<u8>) -> Result<Answer, Failure> {
        Ok(match *texts {
            ["open", source, length, encoding, member] => {
                self.open(number(source)?, number(length)?, encoding, member)?.into()
            }
            ["members", source, length] => members(number(source)?, number(length)?)?.into(),
            ["begin", kind, name, format, ref options @ ..] => {
                let run = Run::begin(kind, name, format, options)?;
                let columns = run.columns.clone();
                let id = self.keep(|kept, id| kept.runs.insert(id, run));
                json(&RunData { id, columns })?.into()
            }
            ["next", source, size] => {
                let source = self.sources.get_mut(&number(source)?).ok_or("there is no such source")?;
                self.tile = source.next(number(size)?);
                let read = source.bytes_read();
                self.tile.as_ref().map_or(Ok("null".to_owned()), |tile| place(tile, read))?.into()
            }
            ["tile", source, start, end] => {
                let source = self.sources.get(&number(source)?).ok_or("there is no such source")?;
                let range = (number(start)?, number(end)?);
                // The memory of a tile is used again. Otherwise what is kept would lie between holes.
                let memory = self.tile.take().map(Tile::into_memory).unwrap_or_default();
                let tile = self.tile.insert(source.tile(range, memory).map_err(|error| Failure::of_input(&error))?);
                place(tile, 0)?.into()
            }
            ["tags"] => {
                // A tile is text in memory, which can be read.
                let source = self.tile()?.source(0, (0, 0));
                WORKERS.with(|workers| FirstTags::of(workers, [Ok(source)])).names.join("\n").into()
            }
            ["count"] => {
                let source = self.tile()?.source(0, (0, 0));
                let counted = WORKERS.with(|workers| census(workers, source, &ReadOptions::default()));
                counted.map_err(|error| Failure::of_input(&error))?.games.to_string().into()
            }
            ["text"] => Answer { text: String::new(), bytes: self.tile()?.text().to_vec() },
            ["run", run, games, lines, column] => {
                let (games, lines) = (number(games)?, (number(lines)?, number(column)?));
                let tile = self.tile.as_ref().ok_or("there is no tile")?;
                let run = self.runs.get_mut(&number(run)?).ok_or("there is no such run")?;
                let text = WORKERS.with(|workers| run.read(workers, tile.source(games, lines)))?;
                Answer { text, bytes: run.take() }
            }
            ["end", run] => {
                let run = self.runs.remove(&number(run)?).ok_or("there is no such run")?;
                let (text, bytes) = WORKERS.with(|workers| run.end(workers))?;
                Answer { text, bytes }
            }
            ["explore", plies, ref options @ ..] => {
                let source = self.tile()?.source(0, (0, 0));
                let explored = WORKERS.with(|workers| Explored::read(workers, source, number(plies)?, options))?;
                let bytes = explored.lengths.iter().flat_map(|length| length.to_le_bytes()).collect();
                let text = self.keep(|kept, id| kept.explored.insert(id, explored)).to_string();
                Answer { text, bytes }
            }
            // The hints about tags are separated by line breaks.
            ["hints", counts, missing, ref options @ ..] => {
                let missing: Vec<&str> = missing.lines().collect();
                job::hints(counts, &missing, options)?.into()
            }
            ["ask", explored, position, first, most] => {
                let explored = self.explored.get(&number(explored)?).ok_or("there are no such games")?;
                explored.answer(position, &bytes, number(first)?, number(most)?)?.into()
            }
            ["stats", games] => Answer { text: String::new(), bytes: answers::stats(games)? },
            ["drop", kind, id] => {
                let id = number(id)?;
                match kind {
                    "source" => drop(self.sources.remove(&id)),
                    "run" => drop(self.runs.remove(&id)),
                    _ => drop(self.explored.remove(&id)),
                }
                Answer::default()
            }
            _ => return Err(format!("there is no function {:?}", texts[0]).into()),
        })
    }

    /// Keeps something under a new number, which is returned.
    fn keep<T>(&mut self, insert: impl FnOnce(&mut Self, u32) -> Option<T>) -> u32 {
        self.next += 1;
        insert(self, self.next);
        self.next
    }

    fn tile(&self) -> Result<&Tile, String> {
        self.tile.as_ref().ok_or_else(|| "there is no tile".to_owned())
    }

    fn open(&mut self, number: u32, length: u64, encoding: &str, member: &str) -> Result<String, Failure> {
        let encoding = Some(encoding).filter(|name| !name.is_empty() && *name != "auto");
        let options = SourceOptions { encoding: encoding.and_then(Label::find), ..SourceOptions::default() };
        let source = OpenSource::open(number, length, member, &options).map_err(|error| Failure::of_input(&error))?;
        let (is_plain, compression, guess) = (source.is_plain, source.compression, source.guess.map(Label::name));
        let id = self.keep(|kept, id| kept.sources.insert(id, source));
        Ok(json(&SourceData { id, is_plain, compression, guess })?)
    }
}

/// Describes the members of a zip archive that are read as games. `null` if the input is no archive.
fn members(number: u32, length: u64) -> Result<String, Failure> {
    let archive = archive(number, length).map_err(|error| Failure::of_input(&error))?;
    let data = |member: &ArchiveMember| MemberData {
        name: member.name().to_owned(),
        size: member.size(),
        packed: member.compressed_size(),
    };
    let members = archive.map(|archive| archive.readable().iter().map(data).collect::<Vec<_>>());
    Ok(json(&members)?)
}

/// Describes the place of a tile.
fn place(tile: &Tile, read: u64) -> Result<String, String> {
    let span = tile.span();
    json(&TileData { start: span.start, end: span.end, lines: tile.lines_after((0, 0)), read })
}
