//! shakmaty's variants: the walk of [`Idiomatic`](crate::shakmaty_walk::Idiomatic) with the rules that each game names.

use std::io::{self, Write};

use shakmaty::fen::Fen;
use shakmaty::san::San;
use shakmaty::variant::VariantPosition;
use shakmaty::{Chess, Position};

use crate::start::StartTags;
use crate::style::EpStyle;
use crate::walk::Peer;

/// `Fen::from_position` of a position whose rules are known at run time, appended to a buffer that is kept.
pub(crate) struct Variants {
    ep: EpStyle,
    line: Vec<u8>,
}

impl Variants {
    pub(crate) fn new(ep: EpStyle) -> Variants {
        Variants { ep, line: Vec::new() }
    }
}

impl Peer for Variants {
    type Position = VariantPosition;

    fn set_up(&self, start: Chess) -> Option<VariantPosition> {
        Some(start.into())
    }

    fn start(&self, tags: &StartTags) -> Option<VariantPosition> {
        tags.start_of_variant().ok()
    }

    fn play(&mut self, position: &mut VariantPosition, san: San) -> bool {
        match san.to_move(position) {
            Ok(m) => {
                position.play_unchecked(m);
                true
            }
            Err(_) => false,
        }
    }

    fn write(&mut self, position: &VariantPosition, out: &mut impl Write) -> io::Result<()> {
        self.line.clear();
        Fen::from_position(position, self.ep.mode()).append_ascii_to(&mut self.line);
        queens_first(&mut self.line);
        self.line.push(b'\n');
        out.write_all(&self.line)
    }
}

/// Reverses the men in hand of each side: shakmaty writes the pawns first, as in `[PNQpn]`, and `pgn2fen` the queens.
fn queens_first(fen: &mut [u8]) {
    let Some(open) = fen.iter().position(|byte| *byte == b'[') else { return };
    let Some(length) = fen[open..].iter().position(|byte| *byte == b']') else { return };
    let men = &mut fen[open + 1..open + length];
    let white = men.iter().filter(|byte| byte.is_ascii_uppercase()).count();
    let (white, black) = men.split_at_mut(white);
    white.reverse();
    black.reverse();
}

#[cfg(test)]
mod tests {
    use super::queens_first;

    #[test]
    fn the_men_of_each_side_are_reversed() {
        let mut fen = *b"4k3/8/8/8/8/8/8/4K3[PNQbr] w - - 0 1";
        queens_first(&mut fen);
        assert_eq!(&fen, b"4k3/8/8/8/8/8/8/4K3[QNPrb] w - - 0 1");
    }
}
