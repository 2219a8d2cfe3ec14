//! The messages of an Arrow IPC stream, checked before the package `arrow-ipc` reads them.
//!
//! The package reserves memory for the sizes that a message declares, and takes parts of the body without a check. So
//! the sizes and places are checked here. Memory grows only with the bytes that arrive.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use arrow_buffer::Buffer;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::{
    CompressionType, Endianness, Message as Header, MessageHeader, RecordBatch, Schema as SchemaHeader, root_as_footer,
    root_as_message,
};
use arrow_schema::Schema;

use crate::tabular::error::{TableError, TableFormat};
use pgn2fen_bytes::{Meter, Metered};

/// A message: its header, and the bytes that belong to it.
pub(super) struct Message {
    header: Vec<u8>,
    pub(super) body: Buffer,
}

/// The most bytes that a message and the dictionaries take when they are decompressed.
const LIMIT: u64 = 4 * 1024 * 1024 * 1024;

/// The number of bytes that they may take of any file, however short it is.
const BASE: u64 = 96 * 1024 * 1024;

/// The number of bytes that they may take beyond that, for each byte of the file that has been read. Texts of games are
/// compressed to a third.
const USUAL: u64 = 16;

impl Message {
    /// Returns the header. The error is the reason why it cannot be read.
    pub(super) fn header(&self) -> Result<Header<'_>, String> {
        root_as_message(&self.header).map_err(|error| error.to_string())
    }

    /// Reads the schema of a stream. The error is the reason why it cannot be read.
    pub(super) fn schema(&self) -> Result<Schema, String> {
        schema(self.header()?.header_as_schema().ok_or("its first message is no schema")?)
    }

    fn is_record_batch(&self) -> bool {
        self.header().is_ok_and(|header| header.header_type() == MessageHeader::RecordBatch)
    }

    /// Whether it is a schema.
    pub(super) fn has_schema(&self) -> bool {
        self.header().is_ok_and(|header| header.header_as_schema().is_some())
    }

    /// Checks that all parts of a record batch are in the body, and that their sizes are possible.
    ///
    /// `room` is the number of bytes that the message may take. Returns the number that it takes.
    pub(super) fn check(&self, batch: RecordBatch<'_>, room: u64) -> Result<u64, String> {
        let codec = batch.compression().map(|compression| compression.codec());
        let mut total = self.body.len() as u64;
        if total > room {
            return Err(too_large());
        }
        for part in batch.buffers().into_iter().flatten() {
            let range = usize::try_from(part.offset()).ok().zip(usize::try_from(part.length()).ok());
            let bytes = range.and_then(|(start, length)| self.body.get(start..start.checked_add(length)?));
            let bytes = bytes.ok_or("a part of it is not in the file")?;
            if let Some(codec) = codec.filter(|_| !bytes.is_empty()) {
                let (size, data) = bytes.split_first_chunk::<8>().ok_or("a part of it has no size")?;
                let size = u64::try_from(i64::from_le_bytes(*size)).unwrap_or(0);
                // LZ4 makes at most 255 bytes of one.
                let is_possible = codec != CompressionType::LZ4_FRAME || size <= 256 * (data.len() as u64 + 1);
                total = total.saturating_add(size);
                if total > room {
                    return Err(too_large());
                }
                if !is_possible || !can_hold(size) {
                    return Err(format!("it declares {size} bytes of decompressed data"));
                }
            }
        }
        Ok(total)
    }
}

fn too_large() -> String {
    let most = BASE / 1024 / 1024;
    format!(
        "its record batch or dictionaries take more than {most} MiB and {USUAL} times the bytes of the file; write \
         smaller record batches"
    )
}

fn schema(schema: SchemaHeader<'_>) -> Result<Schema, String> {
    if schema.endianness() == Endianness::Big {
        return Err("its numbers are big-endian, which is not supported".to_owned());
    }
    try_fb_to_schema(schema).map_err(|error| error.to_string())
}

/// Whether there is memory for this number of bytes.
fn can_hold(size: u64) -> bool {
    usize::try_from(size).is_ok_and(|size| Vec::<u8>::new().try_reserve_exact(size).is_ok())
}

/// The messages of a stream or a file.
pub(super) struct Messages {
    input: Input,
    /// The bytes of the file that have been read: compressed ones if it is compressed.
    meter: Meter,
    /// Whether the messages must end with a mark and a footer, as in a file.
    is_file: bool,
    is_ended: bool,
    /// The number of record batches that were read.
    batches: usize,
}

enum Input {
    Stream(Box<dyn Read + Send>),
    /// A file, and the places of its messages. A footer lists them, so that there may be anything between them.
    File(BufReader<Metered<File>>, VecDeque<u64>),
}

/// The bytes behind the footer of a file: its length and a magic number.
const TAIL: usize = 10;

/// The bytes before the first message of a file: a magic number, filled up to a multiple of eight.
const HEAD: u64 = 8;

/// The number of bytes that are read at once.
const STEP: u64 = 16 * 1024 * 1024;

impl Messages {
    /// Begins to read at the first byte of a file or a stream.
    pub(super) fn stream(mut reader: Box<dyn Read + Send>, meter: Meter) -> io::Result<Self> {
        let mut head = Vec::new();
        reader.by_ref().take(HEAD).read_to_end(&mut head)?;
        let is_file = head.starts_with(b"ARROW1");
        if !is_file {
            reader = Box::new(io::Cursor::new(head).chain(reader));
        }
        Ok(Self { input: Input::Stream(reader), meter, is_file, is_ended: false, batches: 0 })
    }

    /// Reads the footer of a file: its schema, and the places of its messages. None if it has no footer, as a stream or
    /// a file that is cut short.
    pub(super) fn file(file: &File, meter: Meter) -> io::Result<Option<(Self, Result<Schema, String>)>> {
        let length = file.metadata()?.len();
        let mut file = BufReader::new(Metered::new(file.try_clone()?, meter.clone()));
        let Some(tail) = length.checked_sub(TAIL as u64) else {
            return Ok(None);
        };
        file.seek(SeekFrom::Start(tail))?;
        let mut bytes = Vec::new();
        file.by_ref().take(TAIL as u64).read_to_end(&mut bytes)?;
        let Some((size, start)) = footer_size(&bytes).and_then(|size| Some((size, tail.checked_sub(size)?))) else {
            return Ok(None);
        };
        file.seek(SeekFrom::Start(start))?;
        let mut bytes = Vec::new();
        file.by_ref().take(size).read_to_end(&mut bytes)?;
        let Ok(footer) = root_as_footer(&bytes) else {
            return Ok(None);
        };
        let schema = footer.schema().ok_or("its footer has no schema".to_owned()).and_then(schema);
        let blocks = footer.dictionaries().into_iter().flatten().chain(footer.recordBatches().into_iter().flatten());
        file.seek(SeekFrom::Start(HEAD))?;
        // A negative place is behind the end of every file.
        let places = blocks.map(|block| u64::try_from(block.offset()).unwrap_or(u64::MAX)).collect();
        Ok(Some((Self { input: Input::File(file, places), meter, is_file: true, is_ended: false, batches: 0 }, schema)))
    }

    /// Whether it is a file, and not a stream.
    pub(super) fn is_file(&self) -> bool {
        self.is_file
    }

    /// Reads the next message. None at the end, which is checked.
    pub(super) fn next(&mut self) -> io::Result<Option<Message>> {
        if self.is_ended {
            return Ok(None);
        }
        let is_listed = self.seek()?;
        let message = if is_listed { self.message()? } else { None };
        self.is_ended = message.is_none();
        match (&message, &self.input) {
            (Some(message), _) => self.batches += usize::from(message.is_record_batch()),
            (None, Input::File(..)) if is_listed => return Err(damaged("a message that its footer lists is missing")),
            (None, Input::File(..)) => self.check_unlisted()?,
            (None, Input::Stream(_)) => self.check_rest()?,
        }
        Ok(message)
    }

    /// Reads the message at the current place. None at the end.
    fn message(&mut self) -> io::Result<Option<Message>> {
        let Some(length) = self.length()? else {
            return Ok(None);
        };
        let header = self.bytes(length)?;
        let body = root_as_message(&header).map_err(|error| damaged(&error.to_string()))?.bodyLength();
        let body = u64::try_from(body).map_err(|_| damaged("the size of a message is negative"))?;
        let body = Buffer::from_vec(self.bytes(body)?);
        Ok(Some(Message { header, body }))
    }

    /// Checks that no record batch follows the last one that the footer of a file lists. There may be anything else.
    fn check_unlisted(&mut self) -> io::Result<()> {
        while let Ok(Some(-1)) = self.number() {
            match self.message_behind_mark() {
                Some(message) if message.is_record_batch() => return Err(other_count()),
                Some(_) => {}
                None => break,
            }
        }
        Ok(())
    }

    /// Reads the message whose mark was read. None if there is none.
    fn message_behind_mark(&mut self) -> Option<Message> {
        let length = self.number().ok()??;
        let header = self.bytes(u64::try_from(length).ok().filter(|length| *length > 0)?).ok()?;
        let body = root_as_message(&header).ok()?.bodyLength();
        let body = Buffer::from_vec(self.bytes(u64::try_from(body).ok()?).ok()?);
        Some(Message { header, body })
    }

    /// Checks what follows the last message of a stream: nothing, or the footer of a file that is read like a stream.
    fn check_rest(&mut self) -> io::Result<()> {
        if !self.is_file {
            let is_over = self.reader().take(1).read_to_end(&mut Vec::new())? == 0;
            return if is_over { Ok(()) } else { Err(at_end("other data follows its last message")) };
        }
        let mut rest = Vec::new();
        let room = self.room();
        self.reader().take(room).read_to_end(&mut rest)?;
        let footer = rest.split_last_chunk::<TAIL>().and_then(|(before, tail)| {
            let size = usize::try_from(footer_size(tail)?).ok()?;
            root_as_footer(&before[before.len().checked_sub(size)?..]).ok()
        });
        let footer = footer.ok_or_else(|| at_end("its footer is missing or damaged"))?;
        let count = footer.recordBatches().map_or(0, |batches| batches.len());
        if count == self.batches { Ok(()) } else { Err(other_count()) }
    }

    /// Goes to the next message of a file. Returns false if there is none.
    fn seek(&mut self) -> io::Result<bool> {
        let Input::File(file, places) = &mut self.input else {
            return Ok(true);
        };
        let Some(place) = places.pop_front() else {
            return Ok(false);
        };
        if i64::try_from(place).is_err() {
            return Err(cut_short());
        }
        file.seek(SeekFrom::Start(place))?;
        Ok(true)
    }

    /// Reads the length of the next header. None at the end.
    fn length(&mut self) -> io::Result<Option<u64>> {
        let mut length = self.number()?;
        // The mark of a message, which streams of old versions do not have.
        if length == Some(-1) {
            length = Some(self.number()?.ok_or_else(cut_short)?);
        }
        match length {
            Some(0) => Ok(None),
            Some(length) => u64::try_from(length).map(Some).map_err(|_| damaged("the size of a header is negative")),
            // A stream may end without a mark.
            None if self.is_file => Err(cut_short()),
            None => Ok(None),
        }
    }

    /// Reads a number of four bytes. None if there are no more bytes.
    fn number(&mut self) -> io::Result<Option<i32>> {
        let mut bytes = Vec::new();
        self.reader().take(4).read_to_end(&mut bytes)?;
        match <[u8; 4]>::try_from(bytes) {
            Ok(bytes) => Ok(Some(i32::from_le_bytes(bytes))),
            Err(bytes) if bytes.is_empty() => Ok(None),
            Err(_) => Err(cut_short()),
        }
    }

    fn reader(&mut self) -> &mut dyn Read {
        match &mut self.input {
            Input::Stream(reader) => reader,
            Input::File(file, _) => file,
        }
    }

    /// Returns the number of bytes that the message which has been read may take with the dictionaries.
    pub(super) fn room(&self) -> u64 {
        self.meter.bytes().saturating_mul(USUAL).saturating_add(BASE).min(LIMIT)
    }

    fn bytes(&mut self, length: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        // Most batches are read into memory that need not grow.
        bytes.reserve_exact(usize::try_from(length).unwrap_or(usize::MAX).min(16 * 1024 * 1024));
        // What comes out of a compressed file may be longer than what it may take.
        while (bytes.len() as u64) < length {
            let step = (length - bytes.len() as u64).min(STEP);
            let read = self.reader().take(step).read_to_end(&mut bytes)? as u64;
            if bytes.len() as u64 > self.room() {
                return Err(damaged(&too_large()));
            }
            if read < step {
                break;
            }
        }
        if bytes.len() as u64 == length { Ok(bytes) } else { Err(cut_short()) }
    }
}

/// Returns the size of a footer from the bytes behind it. None if they are no end of a file.
fn footer_size(tail: &[u8]) -> Option<u64> {
    let (size, _) = tail.split_first_chunk::<4>().filter(|(_, magic)| *magic == b"ARROW1")?;
    u64::try_from(i32::from_le_bytes(*size)).ok()
}

fn cut_short() -> io::Error {
    at_end("it ends too early")
}

fn other_count() -> io::Error {
    at_end("its footer has another number of record batches")
}

fn at_end(reason: &str) -> io::Error {
    TableError::damaged(TableFormat::Arrow, "at its end", reason).into()
}

fn damaged(reason: &str) -> io::Error {
    TableError::damaged(TableFormat::Arrow, "between its messages", reason).into()
}
