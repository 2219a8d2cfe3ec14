//! A range of a zstd file with many frames: the games that begin in the text of the frames that begin in the range.
//!
//! The text of the range begins and ends between games, at the first such place behind the start of a frame. To find
//! that place, some text before the frame is decoded, and as much text behind it as the last game needs. Two ranges
//! that meet find the same place, so each game belongs to exactly one range.

use std::io::{self, Cursor, Read};
use std::ops::Range;

use pgn2fen_bytes::Damage;
use pgn2fen_bytes::fill;
use pgn2fen_bytes::frames::Frames;
use pgn2fen_pgn::chunk::{Chunk, LexState};
use pgn2fen_pgn::lists::Form;
use pgn2fen_pgn::ranges::{Edge, Sought, seek_place};

/// The text before a frame that is decoded first, in bytes. It is more than the longest comment.
const LEAD: usize = 17 * 1024 * 1024;

/// The amount of text on either side of a frame, in bytes, from which on no more is decoded. It bounds the memory.
pub(super) const REACH: usize = 128 * 1024 * 1024;

/// The least number of bytes of the file that are decoded at once before a frame, except at the start of the file and
/// at damage. Frames may hold a game each, and each decoder takes more memory and time than such a frame.
const PIECE: usize = 128 * 1024;

/// The text behind the start of a frame that is decoded first, in bytes.
pub(super) const FIRST: usize = 128 * 1024;

/// The text that is kept behind the end of a range, in bytes, so that the end of the last game is read as in the whole
/// file.
pub(super) const MARGIN: usize = 64 * 1024;

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
    pub(super) fn within(&self) -> LexState {
        LexState::after(self.start.last)
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
    /// Finds the first place between games behind the start of a frame. `before` are the starts of the frames before
    /// it, and `rest` is the part of the file from the frame on.
    fn at(file: &Frames, form: Form, before: &[usize], rest: Range<usize>) -> io::Result<Self> {
        if before.is_empty() || rest.is_empty() {
            return Ok(Self::default());
        }
        let mut lead = Lead::new(file, before, rest.start);
        lead.reach(LEAD)?;
        let mut reader = file.within(rest.clone()).together()?;
        let mut behind = Vec::new();
        let mut is_last = read_to(&mut reader, &mut behind, FIRST)?;
        loop {
            let from = lead.text.len();
            let whole = [&lead.text[..], &behind].concat();
            let text = Chunk { form, is_last, ..Chunk::whole(&whole) };
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
                    lead.reach(REACH.min(4 * lead.text.len()))?;
                }
                Sought::Later if behind.len() < REACH => {
                    let wanted = REACH.min(4 * behind.len());
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
    /// At most [`REACH`] bytes.
    text: Vec<u8>,
    /// The number of pieces of the file that were decoded.
    #[cfg(test)]
    pieces: usize,
    /// The start of the text, if no text before it can be reached.
    limit: Option<Edge>,
    /// The damage of the text before it.
    damage: Option<io::Error>,
}

impl<'f> Lead<'f> {
    /// Begins with no text before the frame that starts at `end`. `before` are the starts of the frames before it.
    fn new(file: &'f Frames, before: &'f [usize], end: usize) -> Self {
        Self {
            file,
            before,
            end,
            text: Vec::new(),
            #[cfg(test)]
            pieces: 0,
            limit: None,
            damage: None,
        }
    }

    /// Decodes more frames, until there are so many bytes of text, all frames have been decoded, or one is damaged.
    /// Pieces of several frames are decoded from the last to the first and then joined, so that the time is linear in
    /// the text.
    fn reach(&mut self, bytes: usize) -> io::Result<()> {
        let mut pieces = vec![std::mem::take(&mut self.text)];
        let mut length = pieces[0].len();
        // The number of frames that are decoded at once where some of them are damaged.
        let mut most = usize::MAX;
        while length < bytes && self.limit.is_none() && !self.before.is_empty() {
            let enough = self.before.partition_point(|start| self.end - start >= PIECE).saturating_sub(1);
            let first = enough.max(self.before.len().saturating_sub(most));
            let count = self.before.len() - first;
            let start = self.before[first];
            match self.decode(start..self.end) {
                Ok(text) => {
                    length += text.len();
                    pieces.push(text);
                    (self.before, self.end) = (&self.before[..first], start);
                }
                // The text behind the damage can still be used. The damage is reported by the range that it is in.
                Err(error) if Damage::of(&error).is_some() && (count > 1 || length > 0) => {
                    if count == 1 {
                        self.limit = Some(Edge::Damaged);
                        self.damage = Some(error);
                    }
                    most = count / 2;
                }
                Err(error) => return Err(error),
            }
        }
        pieces.reverse();
        self.text = pieces.concat();
        if self.text.len() > REACH {
            self.text.drain(..self.text.len() - REACH);
            self.limit = Some(Edge::Earlier);
        }
        Ok(())
    }

    /// Decodes frames. Of a long text only the end is kept, and nothing before it can be reached.
    fn decode(&mut self, frames: Range<usize>) -> io::Result<Vec<u8>> {
        #[cfg(test)]
        {
            self.pieces += 1;
        }
        let mut reader = self.file.within(frames).together()?;
        let mut text = Vec::new();
        let mut is_cut = false;
        while !read_to(&mut reader, &mut text, 2 * REACH)? {
            text.drain(..REACH);
            is_cut = true;
        }
        if is_cut {
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
pub(super) fn read_to(reader: &mut dyn Read, bytes: &mut Vec<u8>, wanted: usize) -> io::Result<bool> {
    fill(reader, bytes, bytes.len(), wanted)?;
    Ok(bytes.len() < wanted)
}

pub(super) fn no_place(frame: usize) -> io::Error {
    let reach = REACH / 1024 / 1024;
    io::Error::other(format!(
        "no place that is certainly between games was found in the {reach} MiB of text before and behind byte {frame} \
         of the file; read a larger range"
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
pub(super) struct Failing(pub(super) Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

#[cfg(test)]
#[cfg(feature = "compress")]
mod tests {
    use std::io::Write;

    use super::{LEAD, Lead, PIECE};
    use pgn2fen_bytes::Meter;
    use pgn2fen_bytes::frames::Frames;
    use pgn2fen_bytes::map::Bytes;
    use pgn2fen_pgn::ranges::Edge;

    fn frame(text: &[u8]) -> Vec<u8> {
        let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
        encoder.include_checksum(true).unwrap();
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    /// Compares the text before the end of a file of these frames, and the number of pieces that are decoded for it.
    #[track_caller]
    fn check(frames: &[Vec<u8>], expected: (&[u8], usize), limit: Option<Edge>) {
        let file = Frames::new(Bytes::Owned(frames.concat()).into(), Meter::default());
        let starts: Vec<usize> = file.starts().collect();
        let mut lead = Lead::new(&file, &starts, file.end());
        lead.reach(LEAD).unwrap();
        assert!(lead.text == expected.0, "{} bytes", lead.text.len());
        assert!(lead.pieces <= expected.1, "{} pieces", lead.pieces);
        assert_eq!(lead.limit, limit);
    }

    #[test]
    fn frames_of_one_game_are_decoded_many_at_once() {
        let games: Vec<Vec<u8>> = (0..50_000).map(|n| format!("1. e4 {{{n}}} *\n").into_bytes()).collect();
        let frames: Vec<Vec<u8>> = games.iter().map(|game| frame(game)).collect();
        let most = frames.concat().len() / PIECE + 1;
        check(&frames, (&games.concat(), most), None);
        check(&frames[..1], (&games[0], 1), None);
    }

    #[test]
    fn text_behind_damage_is_used_in_a_few_steps() {
        let mut frames = vec![frame(b"1. e4 *\n"); 6000];
        let text = b"1. e4 *\n".repeat(999);
        // The checksum.
        *frames[5000].last_mut().unwrap() ^= 1;
        check(&frames, (&text, 60), Some(Edge::Damaged));
    }
}
