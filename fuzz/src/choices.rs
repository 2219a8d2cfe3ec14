//! What an input says: first some bytes that choose among jobs and options, then a text.

/// Reads choices from the front of an input. An input that is used up chooses 0.
#[derive(Clone, Debug)]
pub(crate) struct Choices<'d> {
    rest: &'d [u8],
}

/// No input becomes a longer text than this.
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

    /// A number of two bytes.
    pub(crate) fn number(&mut self) -> usize {
        usize::from(self.byte()) << 8 | usize::from(self.byte())
    }

    pub(crate) fn one_of<T: Copy>(&mut self, options: &[T]) -> T {
        options[usize::from(self.byte()) % options.len()]
    }

    /// The bytes up to the next line break, or all.
    pub(crate) fn line(&mut self) -> &'d [u8] {
        let end = self.rest.iter().position(|byte| *byte == b'\n').unwrap_or(self.rest.len());
        let line = &self.rest[..end];
        self.rest = self.rest.get(end + 1..).unwrap_or_default();
        line
    }

    /// The bytes behind the choices, as they are.
    pub(crate) fn bytes(self) -> &'d [u8] {
        self.rest
    }

    /// The bytes behind the choices as a text, in which two control characters stand for repetition, so that a short input
    /// makes a text that is longer than blocks and margins:
    ///
    /// - `0x01 N B`: the byte B, 32 × N times;
    /// - `0x02 N K`: the last K bytes again, N times.
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
