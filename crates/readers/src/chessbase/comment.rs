//! A comment of PGN that is made of the annotations of a move.
//!
//! As ChessBase does when it writes PGN, evaluations, times, squares, arrows and medals stand before the texts, as
//! commands in brackets. The texts of all languages follow, those for all readers first.

use std::io::Write;

use pgn2fen_chess::piece::Color;

use crate::chessbase::annotations::{
    ARROWS, CLOCKS, EVALUATION, Item, LINK, MEDALS, PROFILE, QUOTATION, SQUARES, SYMBOLS, TEXT, TEXT_BEFORE, TIME,
    TIME_CONTROL,
};
use crate::chessbase::board::square;
use crate::chessbase::quotation::quotation;
use crate::chessbase::texts::{Place, Texts};

/// Writes comments, one after another.
#[derive(Debug, Default)]
pub(super) struct CommentWriter {
    comment: Vec<u8>,
}

impl CommentWriter {
    /// Returns the comment that stands before a move.
    pub(super) fn before(&mut self, items: &[Item<'_>], texts: &Texts) -> &[u8] {
        self.comment.clear();
        self.texts(items, TEXT_BEFORE, texts);
        &self.comment
    }

    /// Returns the comment that stands behind a move of a side, or the one before the first move.
    pub(super) fn after(&mut self, items: &[Item<'_>], mover: Option<Color>, texts: &Texts) -> &[u8] {
        self.comment.clear();
        let of = |kind: u8| items.iter().filter(move |item| item.kind == kind).map(|item| item.data);
        of(PROFILE).for_each(|data| self.profile(data));
        of(EVALUATION).for_each(|data| self.evaluation(data));
        for item in items {
            match CLOCKS.iter().position(|kind| *kind == item.kind).map(|color| Color::ALL[color]) {
                Some(color) if mover.is_none_or(|mover| mover == color) => self.clock("clk", item.data),
                Some(color) => self.clock(color.pick("wclk", "bclk"), item.data),
                None => {}
            }
        }
        of(TIME).for_each(|data| self.time(data));
        self.marks("[%csl ", 2, of(SQUARES).flat_map(|data| data.chunks_exact(2)));
        self.marks("[%cal ", 3, of(ARROWS).flat_map(|data| data.chunks_exact(3)));
        of(MEDALS).for_each(|data| self.medals(data));
        of(QUOTATION).for_each(|data| quotation(data, texts, &mut self.comment));
        self.texts(items, TEXT, texts);
        for link in of(LINK) {
            self.link(link, texts);
        }
        &self.comment
    }

    fn write(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to memory cannot fail.
        let _ = self.comment.write_fmt(text);
    }

    /// Separates words.
    fn space(&mut self) {
        if !self.comment.is_empty() {
            self.comment.push(b' ');
        }
    }

    /// Writes the texts of a kind: a byte that is not used, the language, and the text.
    fn texts(&mut self, items: &[Item<'_>], kind: u8, texts: &Texts) {
        let of_kind = || items.iter().filter(|item| item.kind == kind && item.data.len() > 2);
        let mut write = |item: &Item<'_>| {
            self.space();
            texts.append(&item.data[2..], item.data[1], Place::Comment, &mut self.comment);
            self.comment.truncate(self.comment.trim_ascii_end().len());
        };
        if of_kind().is_sorted_by_key(|item| language_order(item.data[1])) {
            return of_kind().for_each(write);
        }
        let mut sorted: Vec<_> = of_kind().collect();
        sorted.sort_by_key(|item| language_order(item.data[1]));
        sorted.into_iter().for_each(&mut write);
    }

    /// Writes squares or arrows: a color, and squares that are numbered from 1 on.
    fn marks<'r>(&mut self, command: &str, size: usize, marks: impl Iterator<Item = &'r [u8]>) {
        let mut separator = command;
        for mark in marks {
            let color = match mark[0] {
                2 => 'G',
                3 => 'Y',
                4 => 'R',
                // 7 is blue; 8 and 9 occur and are unknown. Readers know four colors.
                _ => 'B',
            };
            let mut squares = mark[1..size].iter().map(|number| square(number.wrapping_sub(1)));
            let (Some(Some(from)), to) = (squares.next(), squares.next()) else { continue };
            match to {
                Some(Some(to)) => self.write(format_args!("{separator}{color}{from}{to}")),
                Some(None) => continue,
                None => self.write(format_args!("{separator}{color}{from}")),
            }
            separator = ",";
        }
        if separator == "," {
            self.comment.push(b']');
        }
    }

    /// Writes the evaluation of an engine: a value, its kind, and the depth.
    fn evaluation(&mut self, data: &[u8]) {
        let Some(data) = data.first_chunk::<6>() else { return };
        let number = |at: usize| i16::from_le_bytes([data[at], data[at + 1]]);
        let (value, depth) = (number(0), number(4).max(0));
        match number(2) {
            0 => self.write(format_args!("[%eval {value},{depth}]")),
            1 => self.write(format_args!("[%eval #{value},{depth}]")),
            _ => {}
        }
    }

    /// Writes the evaluations of all positions of the main line, in the form of ChessBase.
    fn profile(&mut self, data: &[u8]) {
        let Some((count, entries)) = data.split_first_chunk::<2>() else { return };
        let (entries, rest) = entries.as_chunks::<4>();
        if usize::from(u16::from_be_bytes(*count)) != entries.len() || !rest.is_empty() || entries.is_empty() {
            return;
        }
        let first = entries.iter().position(|entry| entry[0] != 0xFF).unwrap_or(0);
        self.write(format_args!("[%evp {first},{}", entries.len() - 1));
        for [kind, _, high, low] in &entries[first..] {
            let value = i32::from(i16::from_be_bytes([*high, *low]));
            let value = match kind {
                0xFF => 32_767,
                1 if value > 0 => 30_000 - value,
                1 => -30_000 - value,
                _ => value,
            };
            self.write(format_args!(",{value}"));
        }
        self.comment.push(b']');
    }

    /// Writes the time that a move took: hours, minutes, seconds and hundredths.
    fn time(&mut self, data: &[u8]) {
        if let [hours, minutes @ 0..60, seconds @ 0..60, hundredths, ..] = data {
            self.write(format_args!("[%emt {hours}:{minutes:02}:{seconds:02}"));
            if (1..100).contains(hundredths) {
                self.write(format_args!(".{hundredths:02}"));
            }
            self.comment.push(b']');
        }
    }

    /// Writes a clock in hundredths of a second.
    fn clock(&mut self, command: &str, data: &[u8]) {
        let Some(time) = data.first_chunk().map(|time| u32::from_be_bytes(*time)) else { return };
        let seconds = time / 100;
        let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        self.write(format_args!("[%{command} {hours}:{minutes:02}:{rest:02}"));
        if time % 100 > 0 {
            self.write(format_args!(".{:02}", time % 100));
        }
        self.comment.push(b']');
    }

    /// Writes the medals of a move as the number that ChessBase writes.
    fn medals(&mut self, data: &[u8]) {
        if let Some(medals) = data.first_chunk() {
            self.write(format_args!("[%mdl {}]", u32::from_be_bytes(*medals)));
        }
    }

    /// Writes a link: its size, and an address and a text with their lengths.
    fn link(&mut self, data: &[u8], texts: &Texts) {
        let mut rest = data.get(2..).unwrap_or_default();
        let mut next = || {
            let (length, behind) = rest.split_first()?;
            let (text, behind) = behind.split_at_checked(usize::from(*length))?;
            rest = behind;
            Some(text)
        };
        let (address, text) = (next(), next());
        for text in [text, address].into_iter().flatten().filter(|text| !text.is_empty()) {
            self.space();
            texts.append(text, 0, Place::Comment, &mut self.comment);
        }
    }
}

/// Returns the NAGs of a move: a prefix, the move, and the position.
pub(super) fn nags<'i>(items: &'i [Item<'_>]) -> impl Iterator<Item = u8> + 'i {
    let symbols = items.iter().filter(|item| item.kind == SYMBOLS);
    let nags = symbols.flat_map(|item| [2, 0, 1].map(|at| item.data.get(at).copied().unwrap_or(0)));
    nags.filter(|nag| *nag > 0)
}

/// Returns the data of the time control of a game.
pub(super) fn time_control<'r>(items: &[Item<'r>]) -> Option<&'r [u8]> {
    items.iter().find(|item| item.kind == TIME_CONTROL).map(|item| item.data)
}

/// Returns the place of a language among others: those of ChessBase in its order, and others by their numbers.
fn language_order(nation: u8) -> u32 {
    match nation {
        0 => 0,
        42 => 1,
        53 => 2,
        49 => 3,
        43 => 4,
        70 => 5,
        103 => 6,
        117 => 7,
        other => 8 + u32::from(other),
    }
}
