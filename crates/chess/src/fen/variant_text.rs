//! Writes the parts of a FEN that only variants have.

use crate::bitboard::Bitboard;
use crate::fen::board_text::BoardText;
use crate::fen::line::LineBuffer;
use crate::fen::style::VariantStyle;
use crate::hands::Hands;
use crate::piece::Color;
use crate::setup::Setup;
use crate::square::{File, Rank, Square};

/// Appends the text of a board, with the marks of promoted men, to an empty line of slashes.
pub(super) fn push_board<const N: usize>(board: &BoardText, promoted: Bitboard, line: &mut LineBuffer<'_, N>) {
    for (text, rank) in board.ranks_from_the_eighth().zip(Rank::ALL.into_iter().rev()) {
        if (promoted & rank.into()).is_empty() {
            line.push(text.word.to_le_bytes(), text.len);
            continue;
        }
        let mut file = 0;
        for byte in text.word.to_le_bytes().into_iter().take(text.len - 1) {
            line.push([byte], 1);
            if byte.is_ascii_digit() {
                file += usize::from(byte - b'0');
                continue;
            }
            line.push(*b"~", usize::from(promoted.contains(Square::new(File::ALL[file & 7], rank))));
            file += 1;
        }
        line.push(*b"/", 1);
    }
    line.back();
}

/// Appends the men in hand. In the form of Lichess, the pawns come first.
pub(super) fn add_hands(hands: &Hands, style: VariantStyle, out: &mut Vec<u8>) {
    match style {
        VariantStyle::Usual => {
            out.push(b'[');
            hands.append(out);
            out.push(b']');
        }
        VariantStyle::Lichess => {
            out.push(b'/');
            for (color, role) in Color::ALL.into_iter().flat_map(|color| Hands::ROLES.map(|role| (color, role))) {
                hands.append_role(color, role, out);
            }
        }
    }
}

/// Appends the checks that remain and a blank, which stand before the clocks in the usual form.
#[inline]
pub(super) fn push_remaining_checks<const N: usize>(setup: &Setup, style: VariantStyle, line: &mut LineBuffer<'_, N>) {
    if setup.rules.count_checks() && style == VariantStyle::Usual {
        push_checks(setup.checks, line);
        line.push(*b" ", 1);
    }
}

/// Appends the checks that were given, which stand at the end in the form of Lichess.
#[inline]
pub(super) fn push_given_checks<const N: usize>(setup: &Setup, style: VariantStyle, line: &mut LineBuffer<'_, N>) {
    if setup.rules.count_checks() && style == VariantStyle::Lichess {
        let given = [0, 1].map(|side| Setup::CHECKS[side].saturating_sub(setup.checks[side]));
        line.push(*b" +", 2);
        push_checks(given, line);
    }
}

fn push_checks<const N: usize>([white, black]: [u8; 2], line: &mut LineBuffer<'_, N>) {
    line.push_number(white.into());
    line.push(*b"+", 1);
    line.push_number(black.into());
}
