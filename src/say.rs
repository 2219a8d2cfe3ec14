//! Messages on a terminal, with colours, and a writer that makes text safe for a terminal. Data for files and pipes is
//! not changed.

use std::fmt;
use std::io::{self, Write};

use anyhow::Result;

use crate::color::{self, ERROR, PLACE, Style, WARNING};
use crate::stdout::written;
use pgn2fen_games::messages::{plain, plain_except};
use pgn2fen_spec::Dialect;

/// A message of one or more lines, made of plain and coloured text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Line(String);

impl Line {
    /// Begins a message with coloured text.
    pub(crate) fn painted(style: Style, text: &str) -> Self {
        Self::default().paint(style, text)
    }

    /// Adds coloured text. The colour is removed on output if colours are off.
    pub(crate) fn paint(mut self, style: Style, text: &str) -> Self {
        self.0 += &format!("{style}{}{style:#}", plain(text));
        self
    }

    /// Adds plain text, in which references to options become options of the command. Line breaks are kept.
    pub(crate) fn and(mut self, text: &str) -> Self {
        self.0 += &plain_except(&Dialect::Command.spell(text), |char| char == '\n');
        self
    }

    /// Prints the message on standard error. Write errors are ignored.
    pub(crate) fn to_stderr(&self) {
        let _ = writeln!(color::stderr(), "{}", self.0);
    }

    /// Prints the message on standard output.
    pub(crate) fn to_stdout(&self) -> Result<()> {
        let mut stdout = color::stdout();
        written(writeln!(stdout, "{}", self.0).and_then(|()| stdout.flush()))
    }
}

impl From<&str> for Line {
    fn from(text: &str) -> Self {
        Self::default().and(text)
    }
}

/// Prints an error on standard error.
pub(crate) fn error(message: &str) {
    Line::painted(ERROR, "pgn2fen:").and(" ").and(message).to_stderr();
}

/// Prints a warning on standard error.
pub(crate) fn warning(message: &str) {
    Line::painted(WARNING, "warning").and(": ").and(message).to_stderr();
}

/// Prints a hint on standard error.
pub(crate) fn hint(message: &str) {
    Line::painted(PLACE, "hint:").and(" ").and(message).to_stderr();
}

/// A writer that makes text safe for a terminal. Line breaks and tabs are kept; bytes that are not UTF-8 become U+FFFD.
pub(crate) struct Plain<W> {
    inner: W,
    /// Whether everything that is written is safe already.
    is_safe: bool,
    /// Bytes that wait for the next write: the first bytes of a character, or a carriage return.
    begun: Vec<u8>,
}

impl<W: Write> Plain<W> {
    pub(crate) fn new(inner: W) -> Self {
        Self { inner, is_safe: false, begun: Vec::new() }
    }

    /// Passes on what is written from now on: text that its writer makes safe, with colours of its own.
    pub(crate) fn pass_on(&mut self) {
        self.is_safe = true;
    }

    fn write_plain(&mut self, bytes: &[u8]) -> io::Result<()> {
        let text = String::from_utf8_lossy(bytes);
        for line in text.split_inclusive('\n') {
            // A carriage return without a line feed is replaced: the text after it would overwrite the line.
            let end = if line.ends_with("\r\n") { 2 } else { line.len() - line.trim_end_matches('\n').len() };
            let (line, end) = line.split_at(line.len() - end);
            self.inner.write_all(plain_except(line, |char| char == '\t').as_bytes())?;
            self.inner.write_all(end.as_bytes())?;
        }
        Ok(())
    }
}

impl<W: Write> Write for Plain<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_safe {
            return self.inner.write(bytes);
        }
        let mut all = std::mem::take(&mut self.begun);
        all.extend_from_slice(bytes);
        let whole = all.len() - unfinished(&all);
        self.begun = all.split_off(whole);
        self.write_plain(&all)?;
        Ok(bytes.len())
    }

    /// Writes the bytes that wait, and flushes the inner writer.
    fn flush(&mut self) -> io::Result<()> {
        let rest = std::mem::take(&mut self.begun);
        self.write_plain(&rest)?;
        self.inner.flush()
    }
}

impl<W> fmt::Debug for Plain<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plain").finish_non_exhaustive()
    }
}

/// Returns the number of bytes at the end whose meaning depends on what follows: a carriage return, or the first bytes
/// of a character.
fn unfinished(bytes: &[u8]) -> usize {
    if bytes.ends_with(b"\r") {
        return 1;
    }
    let tail = &bytes[bytes.len() - bytes.len().min(3)..];
    let Some(start) = tail.iter().rposition(|byte| *byte >= 0xC0) else {
        return 0;
    };
    match str::from_utf8(&tail[start..]) {
        Err(error) if error.error_len().is_none() => tail.len() - start,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::{Line, Plain};
    use crate::color::ERROR;

    #[test]
    fn of_a_line_only_its_own_colours_and_line_breaks_remain() {
        let line = Line::painted(ERROR, "a\u{1b}[1m\n").and(": b\u{1b}[0m\nc");
        assert_eq!(line.0, format!("{ERROR}a\u{fffd}[1m {ERROR:#}: b\u{fffd}[0m\nc"));
    }

    #[test]
    fn text_reaches_a_terminal_plain_in_whatever_pieces() {
        let text = "a\tb\u{1b}[2J\r\nc\rd\u{202e}é🙂\u{9b}\n\u{feff}e".as_bytes();
        let broken = [text, b"\x9b\xff\xe2\x80".as_slice()].concat();
        let expected = "a\tb\u{fffd}[2J\r\nc d\u{fffd}é🙂\u{fffd}\n\u{fffd}e\u{fffd}\u{fffd}\u{fffd}";
        for size in 1..broken.len() {
            let mut terminal = Plain::new(Vec::new());
            for piece in broken.chunks(size) {
                terminal.write_all(piece).unwrap();
            }
            terminal.flush().unwrap();
            assert_eq!(String::from_utf8(terminal.inner).unwrap(), expected, "in pieces of {size}");
        }
    }
}
