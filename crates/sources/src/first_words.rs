//! The first words of a text, from which its encoding is guessed. A walk reads no fewer bytes at once.

use pgn2fen_pgn::encoding::{Label, SAMPLE, guess};

/// Guesses the encoding of a text from the words that are whole in its first [`SAMPLE`] bytes.
pub(crate) fn guess_of(text: &[u8]) -> Option<Label> {
    let words = text.get(..SAMPLE).map_or(text, |sample| {
        let end = sample.iter().rposition(u8::is_ascii_whitespace);
        &sample[..end.unwrap_or(0)]
    });
    guess(words)
}
