//! Decodes inputs: some bytes that choose a job and its options, and then a text.

/// Reads choices from the start of an input. After the end of the input every choice is 0.
#[derive(Clone, Debug)]
pub(crate) struct Choices<'d> {
    rest: &'d [u8],
}

/// The greatest length of a text, in bytes.
const LONGEST: usize = 64 * 1024;

impl<'d> Choices<'d> {
    pub(crate) fn new(data: &'d [u8]) -> Self {
        Self { rest: data }
    }

    pub(crate) fn byte(&mut self) -> u8 {
        match self.rest.split_first() {
            Some((first, rest)) => {
                self.rest = rest;
                *first
            }
            None => 0,
        }
    }

    /// Returns a number of two bytes.
    pub(crate) fn number(&mut self) -> usize {
        usize::from(self.byte()) << 8 | usize::from(self.byte())
    }

    pub(crate) fn one_of<T: Copy>(&mut self, options: &[T]) -> T {
        options[usize::from(self.byte()) % options.len()]
    }

    /// Returns the bytes up to the next line break, or all bytes if there is none.
    pub(crate) fn line(&mut self) -> &'d [u8] {
        let end = self.rest.iter().position(|byte| *byte == b'\n').unwrap_or(self.rest.len());
        let line = &self.rest[..end];
        self.rest = self.rest.get(end + 1..).unwrap_or_default();
        line
    }

    /// Returns the bytes after the choices.
    pub(crate) fn bytes(self) -> &'d [u8] {
        self.rest
    }

    /// Returns the bytes after the choices as a text. Two control characters repeat text, so that a short input makes a
    /// text that is longer than a block:
    ///
    /// - `0x01 N B` is the byte B, 32 × N times.
    /// - `0x02 N K` is the last K bytes again, N times.
    pub(crate) fn text(self) -> Vec<u8> {
        let mut text: Vec<u8> = Vec::with_capacity(self.rest.len());
        let mut rest = self.rest;
        while let [first, tail @ ..] = rest {
            rest = match (first, tail) {
                (1, [times, byte, tail @ ..]) => {
                    let length = 32 * usize::from(*times);
                    text.resize((text.len() + length).min(LONGEST.max(text.len())), *byte);
                    tail
                }
                (2, [times, length, tail @ ..]) => {
                    let last = text[text.len() - usize::from(*length).min(text.len())..].to_vec();
                    for _ in 0..*times {
                        if text.len() + last.len() <= LONGEST {
                            text.extend_from_slice(&last);
                        }
                    }
                    tail
                }
                _ => {
                    text.push(*first);
                    tail
                }
            };
        }
        text
    }
}
