//! Opens the sources of games: files, streams, members of zip archives, and files behind addresses.
//!
//! Every input takes the same way. It is decompressed as often as it was compressed, at most [`MOST_LAYERS`] times, and
//! at each step its first bytes say whether its records are read by one of the [formats](pgn2fen_readers::detect).
//! What is left is text, or a file of another kind, which is refused. Only plain files and zstd files of text are
//! mapped.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek};
use std::path::Path;
use std::sync::Arc;
use std::thread;

use crate::database::Database;
use crate::first_words::guess_of;
use crate::options::SourceOptions;
use crate::section::{Failing, read_to};
use crate::source::Source;
use crate::stream::{Stream, Undecoded};
use pgn2fen_bytes::decoder::{Counted, Decoder};
use pgn2fen_bytes::format::Format;
use pgn2fen_bytes::frames::Frames;
use pgn2fen_bytes::map::{Access, map_file};
use pgn2fen_bytes::remote::{self, RemoteFile};
use pgn2fen_bytes::{Damage, Meter, Metered};
use pgn2fen_pgn::encoding::{Label, SAMPLE, Transcoder, detect_utf16};
use pgn2fen_pgn::lists::{Form, HEAD};
use pgn2fen_readers::{
    Archive, ArchiveError, ArchiveMember, Foreign, ForeignError, Input, InputFormat, Known, MOST_LAYERS, Origin, detect,
};

impl Database {
    /// Opens a file. A plain file is memory-mapped: the system loads its pages when they are first read. A compressed
    /// file (zstd, gzip or bzip2, recognised by its first bytes) is decompressed into memory as a whole. UTF-16 is
    /// converted to UTF-8.
    ///
    /// The file must not be truncated while it is open: the system would then end the process (SIGBUS on Unix). If this
    /// can happen, read the file and use `From<Vec<u8>>`, which takes PGN as it is: nothing is decompressed or
    /// converted.
    ///
    /// # Errors
    ///
    /// The file cannot be opened, mapped or read, or is compressed and [damaged](Damage).
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        match Source::open(path.as_ref(), true, None)? {
            Source::Whole(database) => Ok(database),
            Source::Stream(stream) => {
                let threads = thread::available_parallelism().map_or(1, usize::from);
                let mut bytes = Vec::new();
                stream.reader(threads)?.text.read_to_end(&mut bytes)?;
                Ok(Self::from(bytes))
            }
        }
    }
}

impl Source {
    /// Opens a file. A plain file is memory-mapped if `map` is true; otherwise the file is read as a stream. Compressed
    /// files are decoded while they are read. Text in an encoding in which the structure of PGN is not ASCII, such as
    /// UTF-16, is converted to UTF-8. The encoding is given or detected. The rows of a Parquet or Arrow file with a
    /// column of movetext become games, and so do puzzles and evaluations of Lichess, games in JSON, training data in
    /// binpack, viriformat and bulletformat, and the records of a Scid or ChessBase database, which is opened by its
    /// index.
    ///
    /// # Errors
    ///
    /// The file cannot be opened, its beginning cannot be read, it is a directory, a [file of another kind](Foreign),
    /// or a [table](pgn2fen_readers::TableError) that has no games or is damaged.
    pub fn open(path: &Path, map: bool, encoding: Option<Label>) -> io::Result<Self> {
        Self::open_with(path, &SourceOptions { map, encoding, ..SourceOptions::default() })
    }

    /// Opens a file like [`open`](Self::open), with these options.
    ///
    /// # Errors
    ///
    /// The same errors as those of [`open`](Self::open).
    pub fn open_with(path: &Path, options: &SourceOptions) -> io::Result<Self> {
        if let Some(address) = remote::address(path) {
            return Self::open_remote(path, address, options);
        }
        let (map, encoding, movetext) = (options.map, options.encoding, options.movetext.as_deref());
        let is_directory = || io::Error::new(io::ErrorKind::IsADirectory, "is a directory");
        // Windows does not open a directory, and gives no reason.
        let mut file = match File::open(path) {
            Ok(file) => file,
            Err(_) if path.is_dir() => return Err(is_directory()),
            Err(error) => return ArchiveMember::at(path).map_or(Err(error), |member| Self::member(&member?, options)),
        };
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(is_directory());
        }
        let is_file = metadata.is_file();
        let stream = |file: File| {
            if !is_file {
                return Self::begin(metered(file, Origin::Stream, Some(path), options), options);
            }
            let again = file.try_clone()?;
            let file = Opened { file, left: Some(metadata.len()).filter(|length| *length > 0) };
            Self::begin(metered(file, Origin::File(again), Some(path), options), options)
        };
        if !map || !is_file || encoding.is_some_and(Label::hides_structure) {
            return stream(file);
        }
        let mut head = Vec::new();
        file.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
        file.rewind()?;
        if Archive::begins(&head) || !may_be_mapped(&head, Some(path), true, movetext) {
            return stream(file);
        }
        let bytes = match map_file(&file, Access::Sequential) {
            // The file is larger than the address space that is left. It can be read piece by piece.
            Err(error) if error.kind() == io::ErrorKind::OutOfMemory => return stream(file),
            bytes => Arc::new(bytes?),
        };
        match Format::detect(&bytes) {
            None => {
                refuse_foreign(&head, Some(path), &[])?;
                Ok(Self::Whole(Database::new(bytes)))
            }
            compression @ Some(Format::Zstd) => {
                let frames = |meter: &Meter| Frames::new(Arc::clone(&bytes), meter.clone());
                let mut text = frames(&Meter::default()).together()?;
                let mut head = read_head(&mut text)?;
                let layers = compression.as_slice();
                if Format::detect(&head).is_some()
                    || !may_be_mapped(&head, inner_name(Some(path), layers), false, movetext)
                {
                    return stream(file);
                }
                refuse_foreign(&head, Some(path), layers)?;
                let form = Form::detect(&head);
                // Damage is told by whoever reads the text.
                let _ = read_to(&mut text, &mut head, SAMPLE);
                let meter = Meter::default();
                let stream = Stream::new(Undecoded::Frames(frames(&meter)), meter);
                Ok(Self::Stream(Stream { compression, form, guess: guess_of(&head), ..stream }))
            }
            Some(_) => stream(file),
        }
    }

    /// Wraps a stream, such as standard input. It may be compressed.
    ///
    /// # Errors
    ///
    /// The beginning of the stream cannot be read, or it is a [file of another kind](Foreign) or a [Parquet
    /// file](pgn2fen_readers::TableError).
    pub fn stream(reader: Box<dyn Read + Send>, encoding: Option<Label>) -> io::Result<Self> {
        Self::stream_with(reader, &SourceOptions { encoding, ..SourceOptions::default() })
    }

    /// Wraps a stream like [`stream`](Self::stream), with these options.
    ///
    /// # Errors
    ///
    /// The same errors as those of [`stream`](Self::stream).
    pub fn stream_with(reader: Box<dyn Read + Send>, options: &SourceOptions) -> io::Result<Self> {
        Self::begin(metered(reader, Origin::Stream, None, options), options)
    }

    /// Opens a member of a zip archive.
    ///
    /// # Errors
    ///
    /// The member [cannot be read](ArchiveError), or is refused for a reason of [`open`](Self::open).
    pub fn member(member: &ArchiveMember, options: &SourceOptions) -> io::Result<Self> {
        let meter = Meter::default();
        let reader = member.metered(&meter)?;
        let (path, movetext) = (member.path(), options.movetext.as_deref());
        let origin = Origin::Member(member);
        Self::begin(Input { reader, meter, origin, name: Some(&path), layers: &[], movetext }, options)
    }

    /// Opens a file behind an address.
    fn open_remote(path: &Path, address: &str, options: &SourceOptions) -> io::Result<Self> {
        match ArchiveMember::at(path) {
            // There is no such archive, but there may be a folder of its name.
            Some(Err(error)) if error.kind() == io::ErrorKind::NotFound && ArchiveError::of(&error).is_none() => {}
            Some(member) => return Self::member(&member?, options),
            None => {}
        }
        let RemoteFile { reader, bytes } = remote::open(address)?;
        Self::begin(metered(reader, Origin::Remote(bytes), Some(path), options), options)
    }

    /// Begins to read an input, which is not decompressed yet.
    fn begin(mut input: Input<'_>, options: &SourceOptions) -> io::Result<Self> {
        let mut head = read_head(&mut input.reader)?;
        if Archive::begins(&head) {
            match (input.origin, input.name) {
                (Origin::Member(_), _) => return Err(ArchiveError::Nested.into()),
                (Origin::Remote(None), _) => return Err(ArchiveError::NoRanges.into()),
                (origin @ (Origin::File(_) | Origin::Remote(_)), Some(path)) => {
                    if let Some(bytes) = origin.at_any_offset()? {
                        return Self::member(&Archive::of(path, bytes)?.only_member()?, options);
                    }
                    input.origin = Origin::Stream;
                }
                // It is refused below.
                (origin, _) => input.origin = origin,
            }
        }
        // A file may be compressed more than once, by mistake.
        let mut layers = Vec::new();
        let format = loop {
            let is_file = layers.is_empty() && matches!(input.origin, Origin::File(_));
            let known = Known { head: &head, name: inner_name(input.name, &layers), is_file, movetext: input.movetext };
            if let Some(format) = detect(&known) {
                break Some(format);
            }
            let Some(format) = Format::detect(&head) else {
                break None;
            };
            if layers.len() == MOST_LAYERS {
                return Err(ForeignError::within(Foreign::Nested, &[]).into());
            }
            let compressed = Cursor::new(head).chain(input.reader);
            let decoder = Decoder::new(format, compressed, 0)?;
            let decoder = decoder.nested(input.origin.is_member() || !layers.is_empty());
            input.reader = Box::new(Counted::new(decoder, 0));
            head = read_head(&mut input.reader)?;
            layers.push(format);
        };
        let is_text = format.as_ref().is_none_or(|format| format.is_text());
        let mut first = head.clone();
        // An error is told by whoever reads the text, behind what can be read.
        let failure = if is_text { read_to(&mut input.reader, &mut first, SAMPLE).err() } else { None };
        let guess = if is_text { guess_of(&first) } else { None };
        let whole = Box::new(Cursor::new(first).chain(Failing(failure)).chain(input.reader));
        if let Some(format) = format {
            let input = Input { reader: whole, layers: &layers, ..input };
            return Self::converted(&*format, input, (None, guess));
        }
        let transcoded_from = options.encoding.filter(|label| label.hides_structure()).or_else(|| detect_utf16(&head));
        let before = head.clone();
        let (text, head): (Box<dyn Read + Send>, Vec<u8>) = match transcoded_from {
            None => (whole, head),
            Some(label) => {
                let mut transcoder = Transcoder::new(whole, label);
                let head = read_head(&mut transcoder)?;
                let text = Box::new(Cursor::new(head.clone()).chain(transcoder));
                let known = Known { head: &head, name: None, is_file: false, movetext: input.movetext };
                if let Some(format) = detect(&known).filter(|format| format.is_text()) {
                    let input = Input { reader: text, layers: &layers, ..input };
                    return Self::converted(&*format, input, (transcoded_from, None));
                }
                (text, head)
            }
        };
        refuse_foreign(&before, input.name, &layers)?;
        let (compression, is_member) = (layers.first().copied(), input.origin.is_member());
        let is_plain = compression.is_none() && transcoded_from.is_none() && !is_member;
        let pieces = match input.origin {
            Origin::File(file) if is_plain => Undecoded::File(text, file),
            _ if is_plain => Undecoded::Plain(text),
            _ => Undecoded::Decoded(text),
        };
        let (form, guess) = (Form::detect(&head), guess.filter(|_| transcoded_from.is_none()));
        let stream = Stream { is_compressed_again: layers.len() > 1, ..Stream::new(pieces, input.meter) };
        Ok(Self::Stream(Stream { compression, transcoded_from, guess, is_member, form, ..stream }))
    }

    /// Opens an input whose rows or records are read as games, from text that was in another encoding, or that seems to
    /// be.
    fn converted(
        format: &dyn InputFormat,
        input: Input<'_>,
        (transcoded_from, guess): (Option<Label>, Option<Label>),
    ) -> io::Result<Self> {
        let meter = input.meter.clone();
        let (compression, is_member) = (input.layers.first().copied(), input.origin.is_member());
        let stream = Stream::of_table(format.open(input)?, format.name(), meter);
        let (form, has_records_of_site) = (format.form(), format.is_of_site());
        let guess = guess.or(stream.guess);
        Ok(Self::Stream(Stream { compression, transcoded_from, guess, is_member, form, has_records_of_site, ..stream }))
    }
}

/// A file with the bytes that it had when it was opened. What another program appends meanwhile is not read: that may
/// be what is written of this file.
struct Opened {
    file: File,
    /// The number of bytes to read. None for an empty file, and for those of `/proc`, which seem to be empty.
    left: Option<u64>,
}

impl Read for Opened {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(left) = &mut self.left else {
            return self.file.read(buffer);
        };
        let most = usize::try_from(*left).map_or(buffer.len(), |left| left.min(buffer.len()));
        let read = self.file.read(&mut buffer[..most])?;
        if read == 0 && most > 0 {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the file became shorter while it was read"));
        }
        *left -= read as u64;
        Ok(read)
    }
}

/// Returns an input whose bytes are counted while they are read.
fn metered<'a>(
    reader: impl Read + Send + 'static,
    origin: Origin<'a>,
    name: Option<&'a Path>,
    options: &'a SourceOptions,
) -> Input<'a> {
    let meter = Meter::default();
    let reader = Box::new(Metered::new(reader, meter.clone()));
    Input { reader, meter, origin, name, layers: &[], movetext: options.movetext.as_deref() }
}

/// Whether text with these first bytes is read as it is, so that it may be mapped.
fn may_be_mapped(head: &[u8], name: Option<&Path>, is_file: bool, movetext: Option<&str>) -> bool {
    detect(&Known { head, name, is_file, movetext }).is_none() && detect_utf16(head).is_none()
}

/// Returns an error if the text begins like a file of another kind. If the file is compressed, the extension before the
/// last is used.
fn refuse_foreign(head: &[u8], name: Option<&Path>, layers: &[Format]) -> io::Result<()> {
    let name = inner_name(name, layers);
    Foreign::detect(head, name).map_or(Ok(()), |foreign| Err(ForeignError::named(foreign, layers, name).into()))
}

/// Returns the name that a file has without its compression.
fn inner_name<'a>(name: Option<&'a Path>, layers: &[Format]) -> Option<&'a Path> {
    layers.iter().fold(name, |name, _| name.and_then(Path::file_stem).map(Path::new))
}

/// Reads the first bytes of a text. Damage only shortens them: the next read reports it again.
fn read_head(reader: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    match read_to(reader, &mut head, HEAD) {
        Err(error) if Damage::of(&error).is_none() => Err(error),
        _ => Ok(head),
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::io::{Read, Write};

    use super::Opened;

    /// Opens a file of ten bytes, changes it, and returns what is read of it, and the error.
    fn read(change: impl FnOnce(&mut File)) -> (Vec<u8>, Option<String>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pgn");
        fs::write(&path, "1. e4 e5 *").unwrap();
        let mut opened = Opened { file: File::open(&path).unwrap(), left: Some(10) };
        change(&mut File::options().append(true).open(&path).unwrap());
        let mut text = Vec::new();
        let error = opened.read_to_end(&mut text).err();
        (text, error.map(|error| error.to_string()))
    }

    #[test]
    fn a_file_has_the_bytes_of_the_time_when_it_was_opened() {
        assert_eq!(read(|_| ()), (b"1. e4 e5 *".to_vec(), None));
        assert_eq!(read(|file| file.write_all(b" 1. d4").unwrap()), (b"1. e4 e5 *".to_vec(), None));
        let error = "the file became shorter while it was read".to_owned();
        assert_eq!(read(|file| file.set_len(5).unwrap()), (b"1. e4".to_vec(), Some(error)));
    }
}
