//! The moves of a game in JSON as movetext, with the evaluations and clocks that the game has in lists of their own.

use crate::game_text::{Spacing, digits, movetext};
use crate::games::GameParts;
use crate::records::evaluation::append_pawns;
use crate::records::game::{Analysis, Game};
use crate::records::json::Object;
use pgn2fen_pgn::replay::MOST_PLIES;

impl Game<'_> {
    /// Appends the moves, which are separated by blanks. `start` is the start of the game in the text.
    pub(super) fn append_moves(
        &self,
        moves: &str,
        start: usize,
        spacing: Spacing,
        parts: GameParts,
        out: &mut Vec<u8>,
    ) {
        let result = self.outcome().as_str();
        if !is_list_of_moves(moves.as_bytes()) {
            return movetext(out, start, moves.as_bytes(), result, spacing);
        }
        let (mut analysis, mut clocks) = (Vec::new(), Vec::new());
        if parts.comments {
            analysis = if self.analysis.is_empty() { self.evals } else { self.analysis }.elements();
            clocks = self.clocks.numbers();
        }
        let (mut number, mut is_white) = self.first_number();
        let mut has_number = true;
        let mut rest = moves.as_bytes().trim_ascii();
        let mut plies = 0;
        while !rest.is_empty() {
            let width = word_width(rest);
            if plies > MOST_PLIES as usize {
                // The game ends before this word, so the rest needs neither numbers nor comments.
                out.extend_from_slice(rest);
                out.push(b' ');
                break;
            }
            if is_white || has_number {
                digits(out, u64::from(number), 1);
                out.extend_from_slice(if is_white { b". " } else { b"... " });
            }
            append_word(rest, width, out);
            let analysed = analysis.get(plies).map(|Object(analysis)| analysis);
            has_number = append_comment(analysed, clocks.get(plies).copied().flatten(), out);
            out.push(b' ');
            number = number.saturating_add(u32::from(!is_white));
            is_white = !is_white;
            plies += 1;
            rest = rest[width..].trim_ascii_start();
        }
        out.extend_from_slice(result.as_bytes());
        spacing.after_game(out);
    }

    /// Returns the number of the first move, and whether it is one of White.
    fn first_number(&self) -> (u32, bool) {
        let Some(fen) = self.initial_fen.text().or_else(|| self.initial_setup.text()) else { return (1, true) };
        let mut fields = fen.split_ascii_whitespace().skip(1);
        let is_white = fields.next() != Some("b");
        let number = fields.nth(3).and_then(|number| number.parse().ok());
        (number.unwrap_or(1).max(1), is_white)
    }
}

/// Appends the glyph of a move and, in braces, what an engine and the clock said of it; the clock is in centiseconds.
/// Returns whether there is something in braces.
fn append_comment(analysed: Option<&Analysis<'_>>, clock: Option<u64>, out: &mut Vec<u8>) -> bool {
    if let Some(analysed) = analysed {
        out.extend_from_slice(analysed.glyph().as_bytes());
    }
    let known = analysed.filter(|analysed| analysed.is_known());
    if known.is_none() && clock.is_none() {
        return false;
    }
    out.extend_from_slice(b" { ");
    if let Some(analysed) = known {
        out.extend_from_slice(b"[%eval ");
        analysed.append(out);
        out.extend_from_slice(b"] ");
    }
    if let Some(centiseconds) = clock {
        append_clock(centiseconds, out);
    }
    out.push(b'}');
    true
}

impl Analysis<'_> {
    fn is_known(&self) -> bool {
        self.mate.integer().or_else(|| self.eval.integer()).is_some()
    }

    /// Appends the evaluation as the command `%eval` has it.
    fn append(&self, out: &mut Vec<u8>) {
        if let Some(moves) = self.mate.integer() {
            out.extend_from_slice(if moves < 0 { b"#-" } else { b"#" });
            digits(out, moves.unsigned_abs(), 1);
        } else if let Some(centipawns) = self.eval.integer() {
            append_pawns(centipawns, out);
        }
    }

    fn glyph(&self) -> &'static str {
        match self.judgment.0.name() {
            Some("Inaccuracy") => "?!",
            Some("Mistake") => "?",
            Some("Blunder") => "??",
            _ => "",
        }
    }
}

/// Whether a text has nothing but moves and blanks, so that nothing in it can end or hide the game.
fn is_list_of_moves(text: &[u8]) -> bool {
    let is_move = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'+' | b'#' | b'=' | b'-' | b'@');
    // Words that begin with digits may be numbers of moves or results.
    let begins_number = |(before, byte): (&u8, &u8)| (*before == b' ') & byte.is_ascii_digit();
    // Without an early end, many bytes are looked at at once.
    let are_moves = text.iter().fold(true, |are_moves, byte| are_moves & is_move(*byte));
    let pairs = text.iter().zip(text.get(1..).unwrap_or_default());
    are_moves
        && !text.first().is_some_and(u8::is_ascii_digit)
        && !pairs.fold(false, |has_number, pair| has_number | begins_number(pair))
}

/// Returns the number of bytes before the first blank.
fn word_width(text: &[u8]) -> usize {
    text.iter().position(|byte| *byte == b' ').unwrap_or(text.len())
}

/// Appends the first bytes of a text.
fn append_word(text: &[u8], width: usize, out: &mut Vec<u8>) {
    match text.first_chunk::<8>() {
        // A copy of known size is a single store.
        Some(first) if width <= first.len() => {
            out.extend_from_slice(first);
            out.truncate(out.len() + width - first.len());
        }
        _ => out.extend_from_slice(&text[..width]),
    }
}

/// Appends a number of centiseconds as the command `%clk` has it.
fn append_clock(centiseconds: u64, out: &mut Vec<u8>) {
    let (seconds, hundredths) = (centiseconds / 100, centiseconds % 100);
    let (minutes, second) = (seconds / 60, seconds % 60);
    let (hours, minute) = (minutes / 60, minutes % 60);
    out.extend_from_slice(b"[%clk ");
    digits(out, hours, 1);
    let mut text = *b":00:00.00] ";
    for (at, number) in [(1, minute), (4, second), (7, hundredths)] {
        // It has two digits.
        let number = (number % 100) as u8;
        (text[at], text[at + 1]) = (b'0' + number / 10, b'0' + number % 10);
    }
    if hundredths > 0 {
        out.extend_from_slice(&text);
    } else {
        out.extend_from_slice(&text[..6]);
        out.extend_from_slice(b"] ");
    }
}

#[cfg(test)]
mod tests {
    use super::{append_clock, append_word, is_list_of_moves, word_width};

    #[test]
    fn words_end_at_the_first_blank() {
        for (text, expected) in [
            ("e4", "e4"),
            ("e4 e5", "e4"),
            ("e4 e5 Nf3 Nc6", "e4"),
            ("e4!e4 !!! d4 d5", "e4!e4"),
            ("Qa1xb2# e5", "Qa1xb2#"),
            ("bxa8=Q+# e5 Nf3", "bxa8=Q+#"),
            ("Kalashnikov e5 Nf3", "Kalashnikov"),
            ("Kalashnikov", "Kalashnikov"),
        ] {
            let mut out = b"1. ".to_vec();
            append_word(text.as_bytes(), word_width(text.as_bytes()), &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), format!("1. {expected}"));
        }
    }

    #[test]
    fn a_list_of_moves_has_nothing_else() {
        for text in ["", "e4 e5", "O-O b8=Q+ Nc3# P@e4", " e4  e5 "] {
            assert!(is_list_of_moves(text.as_bytes()), "{text}");
        }
        for text in ["1. e4", "1e4", "e4 1-0", "e4 {", "e4\te5", "e4 (", "e4 é"] {
            assert!(!is_list_of_moves(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn clocks_have_hundredths_only_where_there_are_some() {
        for (centiseconds, expected) in [
            (0, "[%clk 0:00:00] "),
            (12_345, "[%clk 0:02:03.45] "),
            (36_000_001, "[%clk 100:00:00.01] "),
            (359_999, "[%clk 0:59:59.99] "),
        ] {
            let mut out = Vec::new();
            append_clock(centiseconds, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }
}
