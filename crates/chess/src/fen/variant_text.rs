//! Writes the parts of a FEN that only variants have.

use crate::fen::style::VariantStyle;
use crate::hands::Hands;
use crate::piece::Color;
use crate::setup::Setup;
use crate::square::{File, Rank, Square};

/// Appends the text of a board, with the marks of promoted men, and the men in hand.
pub(super) fn add_board(board: &[u8], setup: &Setup, style: VariantStyle, out: &mut Vec<u8>) {
    if setup.promoted.is_empty() {
        out.extend_from_slice(board);
    } else {
        add_marked(board, setup, out);
    }
    if setup.rules.have_hands() {
        add_hands(&setup.hands, style, out);
    }
}

fn add_marked(board: &[u8], setup: &Setup, out: &mut Vec<u8>) {
    for (row, rank) in board.split(|byte| *byte == b'/').zip(Rank::ALL.into_iter().rev()) {
        let mut file = 0;
        for byte in row {
            out.push(*byte);
            if byte.is_ascii_digit() {
                file += usize::from(byte - b'0');
                continue;
            }
            if setup.promoted.contains(Square::new(File::ALL[file & 7], rank)) {
                out.push(b'~');
            }
            file += 1;
        }
        if rank != Rank::First {
            out.push(b'/');
        }
    }
}

/// Appends the men in hand. In the form of Lichess, the pawns come first.
fn add_hands(hands: &Hands, style: VariantStyle, out: &mut Vec<u8>) {
    match style {
        VariantStyle::Usual => {
            out.push(b'[');
            hands.append(out);
            out.push(b']');
        }
        VariantStyle::Lichess => {
            out.push(b'/');
            for (color, role) in Color::ALL.into_iter().flat_map(|color| Hands::ROLES.map(|role| (color, role))) {
                let letter = role.of(color).char() as u8;
                out.resize(out.len() + usize::from(hands.count(color, role)), letter);
            }
        }
    }
}

/// Appends the checks that remain, which stand before the clocks in the usual form.
pub(super) fn add_remaining_checks(setup: &Setup, style: VariantStyle, out: &mut Vec<u8>) {
    if setup.rules.count_checks() && style == VariantStyle::Usual {
        let [white, black] = setup.checks;
        out.extend_from_slice(format!(" {white}+{black}").as_bytes());
    }
}

/// Appends the checks that were given, which stand at the end in the form of Lichess.
pub(super) fn add_given_checks(setup: &Setup, style: VariantStyle, out: &mut Vec<u8>) {
    if setup.rules.count_checks() && style == VariantStyle::Lichess {
        let [white, black] = [0, 1].map(|side| Setup::CHECKS[side].saturating_sub(setup.checks[side]));
        out.extend_from_slice(format!(" +{white}+{black}").as_bytes());
    }
}
