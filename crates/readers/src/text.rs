//! A reader of text that is made while it is read: of the entries of a database, the rows of a table, or a document.

use std::io::{self, Read};

/// The number of bytes from which on the text that has been made is read before more is made.
pub(crate) const TEXT: usize = 64 * 1024;

/// A source of text.
pub(crate) trait TextOfEntries {
    /// Appends the text of the next entry, or of some entries. Returns false behind the last one. What was appended
    /// before an error is read.
    fn append(&mut self, text: &mut Vec<u8>) -> io::Result<bool>;
}

/// A reader of the text of a source.
pub(crate) struct TextReader<E> {
    entries: E,
    text: Vec<u8>,
    /// The number of bytes of the text that have been read.
    at: usize,
    is_over: bool,
    /// The error that ended the text. The games before it are read first.
    failure: Option<io::Error>,
}

impl<E: TextOfEntries> TextReader<E> {
    pub(crate) fn new(entries: E) -> Self {
        Self { entries, text: Vec::new(), at: 0, is_over: false, failure: None }
    }

    fn refill(&mut self) {
        self.text.clear();
        self.at = 0;
        while self.text.len() < TEXT && !self.is_over {
            match self.entries.append(&mut self.text) {
                Ok(is_one) => self.is_over = !is_one,
                Err(error) => (self.failure, self.is_over) = (Some(error), true),
            }
        }
    }
}

impl<E: TextOfEntries> Read for TextReader<E> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.text.len() {
            self.refill();
        }
        if self.at == self.text.len() {
            return self.failure.take().map_or(Ok(0), Err);
        }
        let count = (&self.text[self.at..]).read(buffer)?;
        self.at += count;
        Ok(count)
    }
}
