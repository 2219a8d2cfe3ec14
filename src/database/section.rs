//! A range of a zstd file with many frames: the games that begin in the text of the frames that begin in the range.
//!
//! The text of the range begins and ends between games, at the first such place behind the start of a frame. To find that place, some text
//! before the frame is decoded, and as much text behind it as the last game needs. Two ranges that meet find the same place, so each game
//! belongs to exactly one range.

use std::fmt;
use std::io::{self, Cursor, Read};
use std::ops::Range;

use crate::database::damage::Damage;
use crate::database::frames::Frames;
use crate::pgn::lists::Form;
use crate::pgn::ranges::{Edge, Sought, seek_place};
use crate::pgn::text::{Text, Within};

/// The text before a frame that is decoded first, in bytes. It is more than the longest comment.
const LEAD: usize = 17 * 1024 * 1024;

/// The amount of text on either side of a frame, in bytes, from which on no more is decoded. It bounds the memory.
const REACH: usize = 128 * 1024 * 1024;

/// The text behind the start of a frame that is decoded first, in bytes.
const FIRST: usize = 128 * 1024;

/// The text that is kept behind the end of a range, in bytes, so that the end of the last game is read as in the whole file.
const MARGIN: usize = 64 * 1024;

/// A range of a zstd file.
pub(super) struct Section {
    /// The frames that begin in the range.
    frames: Frames,
    /// The bytes of the file before the range, as whole frames.
    before: Range<usize>,
    start: Meeting,
    end: io::Result<Meeting>,
    /// The offset of the text of the range in the text of the file, or 0 if it has not been set.
    pub(super) offset: u64,
}

/// A place between games, behind the start of a frame.
#[derive(Clone, Default)]
struct Meeting {
    /// The text from the start of the frame to the place.
    text: Vec<u8>,
    /// The byte before the place. None at the start of the file.
    last: Option<u8>,
    /// The next bytes of text.
    behind: Vec<u8>,
}

impl fmt::Debug for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Section").field("frames", &self.frames).field("offset", &self.offset).finish_non_exhaustive()
    }
}

impl Section {
    /// Opens a range of bytes of a file. Returns `None` if the file has a single frame.
    ///
    /// # Errors
    ///
    /// The text at the start of the range is damaged, or no place between games is found there.
    pub(super) fn open(file: &Frames, form: Form, range: Range<u64>) -> io::Result<Option<Self>> {
        let length = file.end();
        let starts: Vec<usize> = file.starts().collect();
        if starts.len() < 2 {
            return Ok(None);
        }
        let nth = |offset: u64| starts.partition_point(|start| (*start as u64) < offset);
        let (first, end) = (nth(range.start), nth(range.end).max(nth(range.start)));
        let place = |nth: usize| starts.get(nth).copied().unwrap_or(length);
        // The bytes that are only searched for places do not count as progress.
        let places = file.unmetered();
        // The first frame begins the text, whatever stands before it in the file.
        let before = 0..if first == 0 { 0 } else { place(first) };
        if first == end {
            // No frame begins in the range.
            let frames = file.within(before.end..before.end);
            let [start, end] = [Meeting::default(), Meeting::default()];
            return Ok(Some(Self { frames, before, start, end: Ok(end), offset: 0 }));
        }
        Ok(Some(Self {
            frames: file.within(before.end..place(end)),
            before,
            start: Meeting::at(&places, form, &starts[..first], place(first)..length)?,
            end: Meeting::at(&places, form, &starts[..end], place(end)..length),
            offset: 0,
        }))
    }

    /// Returns the kind of text at the start of the range.
    pub(super) fn within(&self) -> Within {
        Within::after(self.start.last)
    }

    /// Returns the text of the file before the range.
    pub(super) fn before(&self) -> Self {
        Self {
            frames: self.frames.unmetered().within(self.before.clone()),
            before: 0..0,
            start: Meeting::default(),
            end: Ok(self.start.clone()),
            offset: 0,
        }
    }

    /// Returns a reader of the text, and the text behind it. `decode` makes a reader of the text of all frames.
    pub(super) fn reader(
        self,
        decode: impl FnOnce(Frames) -> io::Result<Box<dyn Read + Send>>,
    ) -> io::Result<(Box<dyn Read + Send>, Vec<u8>)> {
        let (Meeting { text, behind, .. }, failure) = match self.end {
            Ok(end) => (end, None),
            Err(error) => (Meeting::default(), Some(error)),
        };
        let whole = decode(self.frames)?.chain(Cursor::new(text)).chain(Failing(failure));
        Ok((Box::new(Behind { reader: whole, skip: self.start.text.len() }), behind))
    }
}

impl Meeting {
    /// Finds the first place between games behind the start of a frame. `before` are the starts of the frames before it, and `rest` is the
    /// part of the file from the frame on.
    fn at(file: &Frames, form: Form, before: &[usize], rest: Range<usize>) -> io::Result<Self> {
        if before.is_empty() || rest.is_empty() {
            return Ok(Self::default());
        }
        let mut lead = Lead { file, before, end: rest.start, text: Vec::new(), limit: None, damage: None };
        lead.reach(LEAD)?;
        let mut reader = file.within(rest.clone()).together()?;
        let mut behind = Vec::new();
        let mut is_last = read_to(&mut reader, &mut behind, FIRST)?;
        loop {
            let from = lead.text.len();
            let whole = [&lead.text[..], &behind].concat();
            let text = Text { form, is_last, ..Text::whole(&whole) };
            match seek_place(text, lead.edge(), from) {
                Sought::At(place) => {
                    let wanted = place - from + MARGIN;
                    if !is_last && behind.len() < wanted {
                        read_to(&mut reader, &mut behind, wanted)?;
                    }
                    let end = behind.len().min(wanted);
                    let kept = behind[place - from..end].to_vec();
                    behind.truncate(place - from);
                    return Ok(Self { last: place.checked_sub(1).map(|last| whole[last]), text: behind, behind: kept });
                }
                Sought::Earlier if lead.text.len() < REACH && lead.limit.is_none() => {
                    lead.reach(4 * lead.text.len())?;
                }
                Sought::Later if behind.len() < REACH => {
                    let wanted = 4 * behind.len();
                    is_last = read_to(&mut reader, &mut behind, wanted)?;
                }
                _ => return Err(lead.damage.unwrap_or_else(|| no_place(rest.start))),
            }
        }
    }
}

/// The text before a frame.
struct Lead<'f> {
    file: &'f Frames,
    /// The starts of the frames that have not been decoded yet.
    before: &'f [usize],
    /// The end of these frames.
    end: usize,
    text: Vec<u8>,
    /// The start of the text, if no text before it can be reached.
    limit: Option<Edge>,
    /// The damage of the text before it.
    damage: Option<io::Error>,
}

impl Lead<'_> {
    /// Decodes more frames, until there are so many bytes of text, all frames have been decoded, or one is damaged.
    fn reach(&mut self, bytes: usize) -> io::Result<()> {
        while self.text.len() < bytes
            && self.limit.is_none()
            && let Some((start, before)) = self.before.split_last()
        {
            match self.decode(*start..self.end) {
                Ok(mut text) => {
                    text.append(&mut self.text);
                    (self.before, self.end, self.text) = (before, *start, text);
                }
                // What stands behind the damage can still be used. The damage is reported by the range that it is in.
                Err(error) if Damage::of(&error).is_some() && !self.text.is_empty() => {
                    self.limit = Some(Edge::Damaged);
                    self.damage = Some(error);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Decodes frames. Of a long text only the end is kept, and nothing before it can be reached.
    fn decode(&mut self, frames: Range<usize>) -> io::Result<Vec<u8>> {
        let mut reader = self.file.within(frames).together()?;
        let mut text = Vec::new();
        while !read_to(&mut reader, &mut text, 2 * REACH)? {
            text.drain(..REACH);
            self.limit = Some(Edge::Earlier);
        }
        Ok(text)
    }

    /// Returns the start of the text.
    fn edge(&self) -> Edge {
        let edge = if self.before.is_empty() { Edge::First } else { Edge::Earlier };
        self.limit.unwrap_or(edge)
    }
}

/// Reads until there are so many bytes, or to the end. Returns whether the end was reached.
fn read_to(reader: &mut dyn Read, bytes: &mut Vec<u8>, wanted: usize) -> io::Result<bool> {
    let missing = wanted.saturating_sub(bytes.len()) as u64;
    let read = reader.take(missing).read_to_end(bytes)?;
    Ok((read as u64) < missing)
}

fn no_place(frame: usize) -> io::Error {
    let reach = REACH / 1024 / 1024;
    io::Error::other(format!(
        "no place that is certainly between games was found in the {reach} MiB of text before and behind byte {frame} of the file; \
         read a larger range"
    ))
}

/// A reader of the text behind the first bytes.
struct Behind<R> {
    reader: R,
    skip: usize,
}

impl<R: Read> Read for Behind<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.skip > 0 && !buffer.is_empty() {
            let wanted = self.skip.min(buffer.len());
            match self.reader.read(&mut buffer[..wanted])? {
                0 => return Ok(0),
                read => self.skip -= read,
            }
        }
        self.reader.read(buffer)
    }
}

/// A reader without text, which may fail.
struct Failing(Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
